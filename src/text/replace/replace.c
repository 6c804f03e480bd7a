/*
 * replace.c - one row a kind: what makes a value up, what lumps it and what shifts it
 * (section 9.3.1: "associated with each detection algorithm is a replacement algorithm").
 *
 * What a row does not have becomes a tag, the coarsest lump there is; so does a value that
 * its replacement does not understand, or that would stay what it is.
 */
#include "text/replace/replace.h"

#include <string.h>

#include "base/ascii.h"
#include "base/error.h"
#include "text/replace/disguise.h"

/* Bytes of a span whose replacement is kept, and of all replacements that are; a replacement's
 * place among these and, in the last bits, its length are one number. */
enum { SPAN_LONGEST = 128, SPANS_MAX = 1 << 20, LENGTH_BITS = 11 };

typedef struct row {
    tacit__replacement *make_up, *lump, *shift; /* shift NULL: as make_up */
} row;

static const row rows[TACIT_TEXT_KINDS] = {
    [TACIT_TEXT_FULL_NAME] = {tacit__make_up_name, NULL, NULL},
    [TACIT_TEXT_LOCATION] = {tacit__make_up_location, NULL, NULL},
    [TACIT_TEXT_STREET] = {tacit__make_up_street, NULL, NULL},
    [TACIT_TEXT_CITY] = {tacit__make_up_place, NULL, NULL},
    [TACIT_TEXT_STATE] = {tacit__make_up_state, NULL, NULL},
    [TACIT_TEXT_ZIP] = {tacit__make_up_code, tacit__lump_zip, NULL},
    [TACIT_TEXT_PHONE] = {tacit__make_up_phone, NULL, NULL},
    [TACIT_TEXT_FIRST_NAME] = {tacit__make_up_name, NULL, NULL},
    [TACIT_TEXT_MIDDLE_NAME] = {tacit__make_up_name, NULL, NULL},
    [TACIT_TEXT_LAST_NAME] = {tacit__make_up_name, NULL, NULL},
    [TACIT_TEXT_NICK_NAME] = {tacit__make_up_name, NULL, NULL},
    [TACIT_TEXT_COUNTRY] = {tacit__make_up_country, NULL, NULL},
    [TACIT_TEXT_SOCIAL_SECURITY] = {tacit__make_up_ssn, NULL, NULL},
    [TACIT_TEXT_TITLE] = {tacit__make_up_title, NULL, NULL},
    [TACIT_TEXT_ORGANIZATION] = {tacit__make_up_organization, NULL, NULL},
    [TACIT_TEXT_AGE] = {tacit__make_up_age, tacit__lump_age, NULL},
    [TACIT_TEXT_DATE] = {tacit__shift_date, tacit__lump_date, tacit__shift_date},
    [TACIT_TEXT_REFERENCE] = {tacit__make_up_code, NULL, NULL},
    [TACIT_TEXT_FAX] = {tacit__make_up_phone, NULL, NULL},
    [TACIT_TEXT_EMAIL] = {tacit__make_up_email, NULL, NULL},
    [TACIT_TEXT_URL] = {tacit__make_up_url, NULL, NULL},
    [TACIT_TEXT_IP] = {tacit__make_up_ip, NULL, NULL},
    [TACIT_TEXT_HOSPITAL] = {tacit__make_up_hospital, NULL, NULL},
    [TACIT_TEXT_INITIALS] = {tacit__make_up_initials, NULL, NULL},
    [TACIT_TEXT_ACCOUNT] = {tacit__make_up_code, NULL, NULL},
    [TACIT_TEXT_LICENCE] = {tacit__make_up_code, NULL, NULL},
    [TACIT_TEXT_DEVICE] = {tacit__make_up_code, NULL, NULL},
    [TACIT_TEXT_HEALTH_PLAN] = {tacit__make_up_code, NULL, NULL},
    [TACIT_TEXT_BANK] = {tacit__make_up_bank, NULL, NULL},
    [TACIT_TEXT_CARD] = {tacit__make_up_card, NULL, NULL},
    [TACIT_TEXT_VEHICLE] = {tacit__make_up_code, NULL, NULL},
    [TACIT_TEXT_USER] = {tacit__make_up_user, NULL, NULL},
    [TACIT_TEXT_COORDINATES] = {tacit__make_up_coordinates, NULL, NULL},
};

static void put_tag(tacit__strbuf *out, tacit_text_kind kind)
{
    const char *name = tacit_text_kind_name(kind);
    tacit__strbuf_text(out, "[");
    tacit__put_cased(out, name, strlen(name), TACIT__CASED_CAPITALS);
    tacit__strbuf_text(out, "]");
}

static tacit__replacement *replacement_of(tacit_text_kind kind, tacit_text_strategy strategy)
{
    switch (strategy) {
    case TACIT_TEXT_MAKE_UP: return rows[kind].make_up;
    case TACIT_TEXT_LUMP: return rows[kind].lump;
    case TACIT_TEXT_SHIFT: return rows[kind].shift ? rows[kind].shift : rows[kind].make_up;
    default: return NULL;
    }
}

/* Whether a lump or a form of address may be what was there: "June of 1993" is a month
 * already, and "Dr." is nobody. */
static bool may_stay(tacit_text_kind kind, tacit_text_strategy strategy)
{
    return strategy == TACIT_TEXT_LUMP || kind == TACIT_TEXT_TITLE;
}

static bool stayed(const tacit__strbuf *out, size_t from, tacit_strview text)
{
    return tacit_strview_equal((tacit_strview){.bytes = out->bytes + from, .len = out->len - from},
                               text);
}

/* Adds what stands for the text, or a tag. */
static void put_replacement(tacit__strbuf *out, tacit__disguise *disguise, tacit_text_kind kind,
                            tacit_text_strategy strategy, tacit_strview text)
{
    size_t from = out->len;
    tacit__replacement *replacement = replacement_of(kind, strategy);
    bool done = replacement && replacement(out, disguise, text) && !out->failed;
    if (!done || (stayed(out, from, text) && !may_stay(kind, strategy))) {
        out->len = from;
        put_tag(out, kind);
    }
}

static uint64_t span_key(tacit_text_kind kind, tacit_strview text)
{
    return tacit__hash_bytes(text.bytes, text.len) + tacit__mix((uint64_t)kind + 1);
}

/* Of a letter all is near; of a long text the lines lie far apart. */
void tacit__replace_expect(const tacit__disguise *disguise, tacit_text_kind kind,
                           tacit_strview text)
{
    enum { FAR = 1 << 11 };
    if (disguise->spans.size >= FAR && text.len <= SPAN_LONGEST)
        tacit__ledger_expect(&disguise->spans, span_key(kind, text));
}

/* Where the span's replacement is noted; NULL where memory ran out. */
static tacit__ledger_line *line_of_span(tacit__disguise *disguise, tacit_text_kind kind,
                                        tacit_strview text)
{
    uint64_t key = span_key(kind, text);
    if (disguise->done.len > SPANS_MAX) {
        tacit__ledger_empty(&disguise->spans, disguise->spans.salt);
        disguise->done.len = 0;
    }
    return tacit__ledger_capacity(&disguise->spans, 1)
               ? tacit__ledger_line_of(&disguise->spans, key)
               : NULL;
}

/* The same with a memory: most spans of a letter come again, and then cost next to nothing. It
 * also keeps "R. Nguyen" what it was when later the first name becomes known. What became nothing
 * is not kept. */
static void put_span(tacit__strbuf *out, tacit__disguise *disguise, tacit_text_kind kind,
                     tacit_text_strategy strategy, tacit_strview text)
{
    tacit__strbuf *done = &disguise->done;
    size_t from = out->len;
    tacit__ledger_line *line = line_of_span(disguise, kind, text);
    if (!line) {
        disguise->failed = true;
        return;
    }
    if (line->value != 0) {
        tacit__put(out, (tacit_strview){.bytes = done->bytes + (line->value >> LENGTH_BITS),
                                        .len = line->value & ((UINT32_C(1) << LENGTH_BITS) - 1)});
        return;
    }
    put_replacement(out, disguise, kind, strategy, text);
    size_t len = out->len - from;
    if (out->failed || len >> LENGTH_BITS > 0)
        return;
    line->value = (uint32_t)(done->len << LENGTH_BITS | len);
    tacit__put(done, (tacit_strview){.bytes = out->bytes + from, .len = len});
    disguise->failed |= done->failed;
}

/* Whether what stands for the text depends on where it stands: of "March 4" on the year that the
 * dates around it have. */
static bool depends_on_place(tacit_text_kind kind, tacit_text_strategy strategy)
{
    return replacement_of(kind, strategy) == tacit__shift_date;
}

tacit_status tacit__replace(tacit__strbuf *out, tacit__disguise *disguise,
                            const tacit_scrub_options *options, tacit_text_kind kind,
                            tacit_strview text, tacit_error *err)
{
    tacit_text_strategy strategy = options->strategy[kind];
    if (strategy == TACIT_TEXT_KEEP || kind >= TACIT_TEXT_KEPT)
        tacit__put(out, text);
    else if (strategy != TACIT_TEXT_SUPPRESS && text.len <= SPAN_LONGEST &&
             !depends_on_place(kind, strategy))
        put_span(out, disguise, kind, strategy, text);
    else if (strategy != TACIT_TEXT_SUPPRESS)
        put_replacement(out, disguise, kind, strategy, text);
    return out->failed || disguise->failed ? tacit__nomem(err) : TACIT_OK;
}

tacit_status tacit__replace_words(tacit__strbuf *out, tacit__disguise *disguise,
                                  const tacit_scrub_options *options, tacit_text_kind kind,
                                  tacit_strview text, const tacit__document *document, size_t first,
                                  tacit_error *err)
{
    disguise->document = document;
    disguise->word = first;
    tacit_status status = tacit__replace(out, disguise, options, kind, text, err);
    disguise->document = NULL;
    return status;
}

static bool has_digit(tacit_strview text)
{
    for (size_t i = 0; i < text.len; i++)
        if (tacit__is_digit(text.bytes[i]))
            return true;
    return false;
}

tacit_status tacit__replace_guess(tacit__strbuf *out, tacit__disguise *disguise,
                                  const tacit_scrub_options *options, tacit_text_kind kind,
                                  tacit_strview text, const tacit__document *document, size_t first,
                                  tacit_error *err)
{
    tacit_text_strategy strategy = options->strategy[kind];
    bool invents = strategy == TACIT_TEXT_MAKE_UP || strategy == TACIT_TEXT_SHIFT;
    if (!invents || !has_digit(text))
        return tacit__replace_words(out, disguise, options, kind, text, document, first, err);
    put_tag(out, kind);
    return out->failed ? tacit__nomem(err) : TACIT_OK;
}
