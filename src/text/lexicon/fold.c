/*
 * fold.c - folding by ranges of code points. Latin letters lose accents (Latin-1,
 * Extended-A, the Vietnamese ones), since people write names with and without; Greek and
 * Cyrillic only lose their capitals. Combining accents vanish, typographic apostrophes and
 * hyphens become the plain ones, white space becomes one space, none at either end.
 *
 * Cost: most words are four to sixteen bytes of ASCII, and fold in a few steps, eight bytes
 * at once; others a step a byte, at most TACIT__FOLD_READ of them.
 */
#include "text/lexicon/fold.h"

#include <string.h>

#include "base/utf8.h"

/* U+00C0 to U+017F; ' ' stays as it is, capitals stand for two letters (see two_letters). */
static const char latin[] = "aaaaaaAceeeeiiii"
                            "dnooooo ouuuuyTS"
                            "aaaaaaAceeeeiiii"
                            "dnooooo ouuuuyTy"
                            "aaaaaaccccccccdd"
                            "ddeeeeeeeeeegggg"
                            "gggghhhhiiiiiiii"
                            "iiIIjjkkklllllll"
                            "lllnnnnnnnnnoooo"
                            "ooOOrrrrrrssssss"
                            "ssttttttuuuuuuuu"
                            "uuuuwwyyyzzzzzzs";

static const char *two_letters(char sign)
{
    switch (sign) {
    case 'A': return "ae";
    case 'O': return "oe";
    case 'I': return "ij";
    case 'S': return "ss";
    default: return "th";
    }
}

/* The base letter of Vietnamese vowels, 0 where it is none. */
static char vietnamese(uint32_t point)
{
    static const struct {
        uint32_t first, last;
        char letter;
    } ranges[] = {{0x1EA0, 0x1EB7, 'a'}, {0x1EB8, 0x1EC7, 'e'}, {0x1EC8, 0x1ECB, 'i'},
                  {0x1ECC, 0x1EE3, 'o'}, {0x1EE4, 0x1EF1, 'u'}, {0x1EF2, 0x1EF9, 'y'},
                  {0x01A0, 0x01A1, 'o'}, {0x01AF, 0x01B0, 'u'}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (point >= ranges[i].first && point <= ranges[i].last)
            return ranges[i].letter;
    return 0;
}

/* What a sign beyond the letters becomes: 0 to vanish, '?' to stay. */
static char plain_sign(uint32_t point)
{
    if (point >= 0x300 && point <= 0x36F)
        return 0;
    switch (point) {
    case 0x2018:
    case 0x2019:
    case 0x02BB:
    case 0x02BC: return '\'';
    case 0x2010:
    case 0x2011:
    case 0x2013: return '-';
    case 0x00A0:
    case 0x2009:
    case 0x202F: return ' ';
    default: return '?';
    }
}

/* Greek and Cyrillic capitals are in rows of two bytes that lie apart by a constant. */
static uint32_t lower(uint32_t point)
{
    if ((point >= 0x391 && point <= 0x3A9) || (point >= 0x410 && point <= 0x42F))
        return point + 32;
    if (point >= 0x400 && point <= 0x40F)
        return point + 80;
    return point;
}

static void put(tacit__folded *out, char byte)
{
    bool space = byte == ' ';
    if (space && (out->len == 0 || out->bytes[out->len - 1] == ' '))
        return;
    out->bytes[out->len++] = byte;
}

static void put_point(tacit__folded *out, uint32_t point, const char *bytes, size_t len)
{
    char letter = vietnamese(point);
    uint32_t small = lower(point);
    if (point >= 0xC0 && point <= 0x17F)
        letter = latin[point - 0xC0];
    if (letter >= 'A' && letter <= 'Z') {
        put(out, two_letters(letter)[0]);
        put(out, two_letters(letter)[1]);
    } else if (letter >= 'a') {
        put(out, letter);
    } else if (small != point) {
        put(out, (char)(0xC0 | small >> 6));
        put(out, (char)(0x80 | (small & 0x3F)));
    } else if (plain_sign(point) == '?') {
        memcpy(out->bytes + out->len, bytes, len);
        out->len += len;
    } else if (plain_sign(point) != 0) {
        put(out, plain_sign(point));
    }
}

static bool is_plain(unsigned char byte)
{
    return byte < 0x80 && byte != ' ' && (byte < '\t' || byte > '\r');
}

/* What most text is: ASCII up to the next space. Returns where it ends. */
static size_t put_plain(tacit__folded *out, tacit_strview text, size_t at)
{
    size_t len = out->len, room = TACIT__FOLDED_MAX + 1 - len;
    size_t end = text.len - at < room ? text.len : at + room;
    for (; at < end && is_plain((unsigned char)text.bytes[at]); at++) {
        unsigned char byte = (unsigned char)text.bytes[at];
        unsigned capital = (unsigned)(byte - 'A') < 26u;
        out->bytes[len++] = (char)(byte | capital << 5);
    }
    out->len = len;
    return at;
}

/* A space, or what is not ASCII. Returns where it ends. */
static size_t put_other(tacit__folded *out, tacit_strview text, size_t at)
{
    tacit_strview rest = {.bytes = text.bytes + at, .len = text.len - at};
    uint32_t point;
    bool valid;
    size_t len = tacit__utf8_next(&point, &valid, rest);
    if (!valid)
        put(out, text.bytes[at]);
    else if (point < 0x80)
        put(out, ' ');
    else
        put_point(out, point, rest.bytes, len);
    return at + len;
}

/* Eight bytes at once: false where one is not ASCII or not above a space. */
static bool fold_eight(uint64_t *bytes)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    uint64_t x = *bytes;
    if ((x | (x - 0x21 * ones)) & tops)
        return false;
    uint64_t from_a = x + (0x80 - 'A') * ones, beyond_z = x + (0x7F - 'Z') * ones;
    *bytes = x | (from_a & ~beyond_z & tops) >> 2;
    return true;
}

/* One to three bytes, filled up with letters that are cut again. */
static bool fold_short(tacit__folded *out, tacit_strview text)
{
    char padded[8] = "aaaaaaa";
    uint64_t bytes;
    for (size_t i = 0; i < text.len; i++)
        padded[i] = text.bytes[i];
    padded[7] = 'a';
    memcpy(&bytes, padded, 8);
    if (!fold_eight(&bytes))
        return false;
    memcpy(out->bytes, &bytes, 8);
    out->len = text.len;
    return true;
}

/* A word of 4 to 16 bytes by its first and its last half, which may overlap. Besides saving
 * steps it stores as hashing will read: bytes stored one by one and read by eight would have
 * to leave the processor first. False where it is no such word. */
static bool fold_word(tacit__folded *out, tacit_strview text)
{
    uint64_t first = 0, last = 0;
    if (text.len < 4)
        return text.len > 0 && fold_short(out, text);
    if (text.len > 16)
        return false;
    size_t half = text.len < 8 ? 4 : 8;
    if (half == 8) {
        memcpy(&first, text.bytes, 8);
        memcpy(&last, text.bytes + text.len - 8, 8);
    } else {
        memcpy(&first, text.bytes, 4);
        memcpy((char *)&first + 4, text.bytes + text.len - 4, 4);
        last = first;
    }
    if (!fold_eight(&first) || !fold_eight(&last))
        return false;
    memcpy(out->bytes, &first, 8);
    if (half == 8)
        memcpy(out->bytes + text.len - 8, &last, 8);
    else
        memcpy(out->bytes + text.len - 4, (const char *)&last + 4, 4);
    out->len = text.len;
    return true;
}

bool tacit__text_fold(tacit__folded *out, tacit_strview text)
{
    if (fold_word(out, text))
        return true;
    out->len = 0;
    if (text.len > TACIT__FOLD_READ)
        return false;
    for (size_t at = 0; at < text.len && out->len <= TACIT__FOLDED_MAX;) {
        if (is_plain((unsigned char)text.bytes[at]))
            at = put_plain(out, text, at);
        else
            at = put_other(out, text, at);
    }
    if (out->len > 0 && out->bytes[out->len - 1] == ' ')
        out->len--;
    if (out->len > TACIT__FOLDED_MAX)
        out->len = 0;
    return out->len > 0;
}
