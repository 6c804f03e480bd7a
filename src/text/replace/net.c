/*
 * net.c - other addresses of the network: under names and numbers that are set aside
 * for examples (RFC 2606, RFC 5737, RFC 3849), so that nobody has them.
 *
 *   "john.smith@gmail.com"    ->  "jodia.carnon@example.org"
 *   "http://www.firm.nl/we"   ->  "http://www.westell.example/"
 *   "69.196.0.85"             ->  "198.51.100.17"
 *
 * And users' names, which are like the first part of an e-mail address, and coordinates, whose
 * digits become zeros. Cost: linear.
 */
#include <string.h>

#include "base/ascii.h"
#include "text/lexicon/fold.h"
#include "text/replace/disguise.h"

/* Words and digits replaced one by one, all else kept. */
static bool put_handle(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    tacit__read_parts parts = tacit__disguise_parts(disguise, text);
    tacit__read_part part;
    while (tacit__parts_next(&part, &parts)) {
        if (part.kind == TACIT__PART_GAP)
            tacit__put(out, part.text);
        else if (part.kind == TACIT__PART_DIGITS)
            tacit__put_other_digits(out, disguise, part.text);
        else if (part.letters == 1)
            tacit__put_other_letter(out, disguise, &part);
        else if (!tacit__put_other_word(out, disguise, &part))
            return false;
    }
    return text.len > 0;
}

bool tacit__make_up_user(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    return put_handle(out, disguise, text);
}

/* Draws that follow from the value in lower case. */
static tacit__draws draws_of(const tacit__disguise *disguise, tacit__space space,
                             tacit_strview value)
{
    tacit__folded folded;
    if (tacit__text_fold(&folded, value))
        value = tacit__folded_view(&folded);
    return tacit__disguise_draws(disguise, space, value);
}

bool tacit__make_up_email(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    static const char *const ends[] = {"com", "org", "net"};
    const char *at = text.len > 0 ? memchr(text.bytes, '@', text.len) : NULL;
    if (!at || at == text.bytes)
        return false;
    tacit_strview user = {.bytes = text.bytes, .len = (size_t)(at - text.bytes)};
    tacit_strview domain = {.bytes = at + 1, .len = text.len - user.len - 1};
    tacit__draws draws = draws_of(disguise, TACIT__SPACE_DOMAIN, domain);
    if (!put_handle(out, disguise, user))
        return false;
    tacit__strbuf_text(out, "@example.");
    tacit__strbuf_text(out, ends[tacit__draw_below(&draws, 3)]);
    return true;
}

/* Bytes of a scheme, "http://", at the start. */
static size_t scheme_of(tacit_strview text)
{
    for (size_t i = 0; i + 2 < text.len && i < 16; i++) {
        if (memcmp(text.bytes + i, "://", 3) == 0)
            return i + 3;
        if ((text.bytes[i] | 0x20) < 'a' || (text.bytes[i] | 0x20) > 'z')
            return 0;
    }
    return 0;
}

static bool is_www(tacit_strview text)
{
    for (size_t i = 0; i < 3; i++)
        if (i >= text.len || (text.bytes[i] | 0x20) != 'w')
            return false;
    return text.len > 3 && text.bytes[3] == '.';
}

/* What is behind the host goes, since it may name people; a slash shows that it was there. */
bool tacit__make_up_url(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    size_t start = scheme_of(text), end;
    if (is_www((tacit_strview){.bytes = text.bytes + start, .len = text.len - start}))
        start += 4;
    for (end = start; end < text.len && !strchr("/?#:", text.bytes[end]); end++)
        ;
    tacit__read_part host = {.text = {.bytes = text.bytes + start, .len = end - start}};
    const tacit__alias *name = tacit__disguise_word(disguise, &host);
    if (!name)
        return false;
    tacit__strbuf_add(out, text.bytes, start);
    tacit__strbuf_add(out, name->letters, name->len);
    tacit__strbuf_text(out, ".example");
    tacit__strbuf_add(out, "/", end < text.len);
    return true;
}

/* Bytes of a, a.b, ... of four numbers; 0 where it is no such address. */
static size_t dotted(tacit_strview text)
{
    size_t at = 0, numbers = 0;
    for (;;) {
        size_t start = at;
        while (at < text.len && tacit__is_digit(text.bytes[at]))
            at++;
        if (at == start || at - start > 3)
            return 0;
        if (++numbers == 4)
            return at;
        if (at == text.len || text.bytes[at++] != '.')
            return 0;
    }
}

static bool is_hexadecimal(tacit_strview text)
{
    size_t colons = 0;
    for (size_t i = 0; i < text.len; i++) {
        colons += text.bytes[i] == ':';
        if (!text.bytes[i] || !strchr("0123456789abcdefABCDEF:./%", text.bytes[i]))
            return false;
    }
    return colons >= 2 && text.len < 64;
}

bool tacit__make_up_ip(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    static const char *const nets[] = {"192.0.2.", "198.51.100.", "203.0.113."};
    size_t end = dotted(text);
    tacit_strview value = {.bytes = text.bytes, .len = end > 0 ? end : text.len};
    tacit__draws draws = draws_of(disguise, TACIT__SPACE_ADDRESS, value);
    if (end > 0) {
        const char *net = nets[tacit__draw_below(&draws, 3)];
        tacit__strbuf_text(out, net);
        tacit__put_number(out, 1 + tacit__draw_below(&draws, 254), 1);
        return end == text.len || text.bytes[end] == ':' || text.bytes[end] == '/'
                   ? (tacit__strbuf_add(out, text.bytes + end, text.len - end), true)
                   : false;
    }
    if (!is_hexadecimal(text))
        return false;
    unsigned high = tacit__draw_below(&draws, 0x10000), low = tacit__draw_below(&draws, 0x10000);
    tacit__strbuf_format(out, "2001:db8::%x:%x", high, low);
    return true;
}

static const tacit__table bearings =
    TACIT__TABLE("north", "south", "east", "west", "latitude", "longitude", "long");

/* A place that was made up would be somewhere; zeros are seen to be none. */
bool tacit__make_up_coordinates(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    tacit__read_parts parts = tacit__parts_of(text);
    tacit__read_part part;
    (void)disguise;
    while (tacit__parts_next(&part, &parts)) {
        if (part.kind == TACIT__PART_WORD && part.letters > 3 &&
            !tacit__among(&bearings, part.text))
            return false;
        for (size_t i = 0; part.kind == TACIT__PART_DIGITS && i < part.text.len; i++)
            tacit__strbuf_text(out, "0");
        if (part.kind != TACIT__PART_DIGITS)
            tacit__put(out, part.text);
    }
    return text.len > 0;
}
