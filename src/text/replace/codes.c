/*
 * codes.c - other numbers: digit for digit and letter for letter, so that the form is
 * kept. The draws follow from the digits and letters alone, so that "(304) 255-1423" and
 * "304-255-1423" become the same number.
 *
 * Where there are numbers that nobody has, those are used:
 *   phones           of ten or seven digits: 555-0100 to 555-0199, kept free for fiction
 *   social security  begins with 9, never issued; the middle is 01 to 49, which no taxpayer
 *                    number has, since those begin with 9 too
 *
 * Cards keep their length and pass the check of ISO 7812 (Luhn), but begin with 9999: 9 is for
 * issuers of one country, whose number follows, and 999 is no country's. Bank accounts of
 * ISO 13616 (IBAN) keep the country, and have check digits that are right; the bank and the
 * account are drawn. What is neither is a number like others.
 *
 * Words of a label ("ext", "MRN") stay, other letters do not. Cost: linear, at most
 * CODE_MAX signs; anything longer is not understood.
 */
#include <string.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "text/replace/disguise.h"

enum { CODE_MAX = 64, PHONE_MIN = 7 };

typedef struct code_signs {
    size_t count;   /* of signs */
    size_t letters; /* of these */
    size_t main;    /* signs before a phone's extension */
    char sign[CODE_MAX];
    uint16_t at[CODE_MAX]; /* where each is in the text */
} code_signs;

/* Changes the signs, in the way that their number allows. */
typedef void code_change(code_signs *code, tacit__draws *draws);

static const tacit__table labels =
    TACIT__TABLE("ext", "extn", "extension", "x", "phone", "ph", "tel", "telephone", "fax", "cell",
                 "mobile", "home", "work", "office", "pager", "beeper", "mrn", "mr", "no", "nr",
                 "number", "num", "id", "ssn", "acct", "account", "ref", "case", "policy", "member",
                 "group", "plan", "card", "iban", "license", "licence", "dl", "vin", "plate",
                 "serial", "sn", "lot", "batch", "model", "and", "or", "at");

static const tacit__table extensions = TACIT__TABLE("ext", "extn", "extension");

/* Typographic spaces and hyphens; other signs beyond ASCII are not understood. */
static size_t foreign_sign(tacit_strview rest)
{
    uint32_t point;
    bool valid;
    size_t len = tacit__utf8_next(&point, &valid, rest);
    return valid && (point == 0xA0 || (point >= 0x2000 && point < 0x2070) || point == 0x2116) ? len
                                                                                              : 0;
}

/* A mask such as "XXX". */
static bool is_mask(tacit_strview word)
{
    for (size_t i = 0; i < word.len; i++)
        if ((word.bytes[i] | 0x20) != 'x')
            return false;
    return word.len > 1;
}

/* Whether the letters from start to end say what the number is, and are no part of it: a word
 * by itself, or "ext" and, behind a phone number, "x" right before the extension. */
static bool is_label(const code_signs *code, tacit_strview text, size_t start, size_t end)
{
    tacit_strview word = {.bytes = text.bytes + start, .len = end - start};
    bool touches = (start > 0 && tacit__is_digit(text.bytes[start - 1])) ||
                   (end < text.len && tacit__is_digit(text.bytes[end]));
    if (word.len == 1)
        return (word.bytes[0] | 0x20) == 'x' && code->count >= PHONE_MIN;
    return is_mask(word) || tacit__among(touches ? &extensions : &labels, word);
}

static size_t word_end(tacit_strview text, size_t at)
{
    while (at < text.len && tacit__is_letter(text.bytes[at]))
        at++;
    return at;
}

/* Notes the letters of a word, unless it is a label. */
static bool read_letters(code_signs *code, tacit_strview text, size_t start, size_t end)
{
    if (is_label(code, text, start, end)) {
        if (code->count >= PHONE_MIN && code->main == 0)
            code->main = code->count;
        return true;
    }
    if (code->count + (end - start) > CODE_MAX)
        return false;
    for (size_t i = start; i < end; i++) {
        code->at[code->count] = (uint16_t)i;
        code->sign[code->count++] = (char)(text.bytes[i] | 0x20);
    }
    code->letters += end - start;
    return true;
}

/* False where there is no sign, or more than can be, or what is beyond ASCII. */
static bool code_read(code_signs *code, tacit_strview text)
{
    code->count = code->letters = code->main = 0;
    if (text.len > UINT16_MAX)
        return false;
    for (size_t i = 0; i < text.len;) {
        size_t step = 1;
        if (tacit__is_letter(text.bytes[i])) {
            step = word_end(text, i) - i;
            if (!read_letters(code, text, i, i + step))
                return false;
        } else if (tacit__is_digit(text.bytes[i])) {
            if (code->count == CODE_MAX)
                return false;
            code->at[code->count] = (uint16_t)i;
            code->sign[code->count++] = text.bytes[i];
        } else if ((unsigned char)text.bytes[i] >= 0x80) {
            step = foreign_sign((tacit_strview){.bytes = text.bytes + i, .len = text.len - i});
            if (step == 0)
                return false;
        }
        i += step;
    }
    if (code->main == 0)
        code->main = code->count;
    return code->count > 0;
}

static tacit_strview code_view(const code_signs *code)
{
    return (tacit_strview){.bytes = code->sign, .len = code->count};
}

/* Draws signs of the same sort, the first one no 0 where it was none. */
static void code_draw(code_signs *code, size_t from, size_t to, tacit__draws *draws)
{
    for (size_t i = from; i < to; i++) {
        bool leads = i == 0 && code->sign[0] != '0';
        if (!tacit__is_digit(code->sign[i]))
            code->sign[i] = (char)('a' + (int)tacit__draw_below(draws, 26));
        else if (leads)
            code->sign[i] = (char)('1' + (int)tacit__draw_below(draws, 9));
        else
            code->sign[i] = (char)('0' + (int)tacit__draw_below(draws, 10));
    }
}

/* The signs in their places, letters in the case of those that were there. */
static void put_code(tacit__strbuf *out, const code_signs *code, tacit_strview text)
{
    size_t from = out->len;
    tacit__put(out, text);
    if (out->failed)
        return;
    for (size_t i = 0; i < code->count; i++) {
        char *place = &out->bytes[from + code->at[i]], sign = code->sign[i];
        bool capital = tacit__is_letter(*place) && !(*place & 0x20);
        *place = capital && tacit__is_letter(sign) ? (char)(sign & ~0x20) : sign;
    }
}

static uint64_t key_of(const code_signs *code)
{
    return tacit__word_key(code_view(code));
}

/* Draws until the signs are others than they were, and free. */
static bool settle(code_signs *code, tacit__disguise *disguise, code_change *change)
{
    enum { ATTEMPTS = 64 };
    const code_signs before = *code;
    tacit_strview value = code_view(&before);
    tacit__draws draws = tacit__disguise_draws(disguise, TACIT__SPACE_CODE, value);
    uint32_t attempt = 0;
    uint64_t key = tacit__given_key(TACIT__SPACE_CODE, value);
    bool known = tacit__disguise_given(&attempt, disguise, key);
    for (; attempt < ATTEMPTS; attempt++) {
        tacit__draws attempted = {draws.state ^ (uint64_t)attempt << 56};
        *code = before;
        change(code, &attempted);
        if (known)
            return true;
        if (memcmp(code->sign, before.sign, code->count) != 0 &&
            tacit__disguise_take(disguise, key_of(code))) {
            tacit__disguise_give(disguise, key, attempt);
            return true;
        }
    }
    return false;
}

/* Adds the text with its signs changed: to the same ones whenever they were the same, in a
 * document to different ones where they were different. */
static bool code_replace(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text,
                         code_change *change)
{
    code_signs code;
    if (!code_read(&code, text) || !settle(&code, disguise, change))
        return false;
    put_code(out, &code, text);
    return true;
}

static void change_all(code_signs *code, tacit__draws *draws)
{
    code_draw(code, 0, code->count, draws);
}

bool tacit__make_up_code(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    return code_replace(out, disguise, text, change_all);
}

/* Where ten digits of North America begin, behind "1" or "001"; count where there are none. */
static size_t area_at(const code_signs *code)
{
    if (code->main == 11 && code->sign[0] == '1')
        return 1;
    if (code->main == 13 && memcmp(code->sign, "001", 3) == 0)
        return 3;
    return code->main == 10 && code->sign[0] != '0' ? 0 : code->main;
}

/* An area is 200 to 999 and not like 911; the number in it is kept free for fiction. */
static void draw_area(char *digits, tacit__draws *draws)
{
    digits[0] = (char)('2' + (int)tacit__draw_below(draws, 8));
    digits[1] = (char)('2' + (int)tacit__draw_below(draws, 7));
    digits[2] = (char)('0' + (int)tacit__draw_below(draws, 10));
}

static void draw_fiction(char *digits, tacit__draws *draws)
{
    memcpy(digits, "55501", 5);
    digits[5] = (char)('0' + (int)tacit__draw_below(draws, 10));
    digits[6] = (char)('0' + (int)tacit__draw_below(draws, 10));
}

static void change_phone(code_signs *code, tacit__draws *draws)
{
    size_t area = code->letters == 0 ? area_at(code) : code->main;
    if (area < code->main) {
        draw_area(code->sign + area, draws);
        draw_fiction(code->sign + area + 3, draws);
    } else if (code->main == PHONE_MIN && code->letters == 0) {
        draw_fiction(code->sign, draws);
    } else {
        code_draw(code, 0, code->main, draws);
    }
    code_draw(code, code->main, code->count, draws);
}

bool tacit__make_up_phone(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    return code_replace(out, disguise, text, change_phone);
}

static void change_ssn(code_signs *code, tacit__draws *draws)
{
    code_draw(code, 0, code->count, draws);
    if (code->count != 9 || code->letters > 0)
        return;
    unsigned middle = 1 + tacit__draw_below(draws, 49);
    code->sign[0] = '9';
    code->sign[3] = (char)('0' + middle / 10);
    code->sign[4] = (char)('0' + middle % 10);
}

bool tacit__make_up_ssn(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    return code_replace(out, disguise, text, change_ssn);
}

/* The first three digits of areas with at most 20 000 people, which the Safe Harbor rule of
 * HIPAA has changed to 000. */
static const tacit__table sparse =
    TACIT__TABLE("036", "059", "063", "102", "203", "556", "692", "790", "821", "823", "830", "831",
                 "878", "879", "884", "890", "893");

bool tacit__lump_zip(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    code_signs code;
    (void)disguise;
    if (!code_read(&code, text) || code.letters > 0 || code.count < 5)
        return false;
    tacit_strview area = {.bytes = code.sign, .len = 3};
    if (tacit__among(&sparse, area))
        tacit__strbuf_text(out, "000");
    else
        tacit__put(out, area);
    tacit__strbuf_text(out, "00");
    return true;
}

/* ---- numbers with check digits ---- */

enum { CARD_MIN = 12, CARD_MAX = 19, IBAN_MIN = 15, IBAN_MAX = 34 };

/* The digit that makes the sum of Luhn a multiple of ten. */
static char luhn_digit(const char *digits, size_t count)
{
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned digit = (unsigned)(digits[count - 1 - i] - '0');
        digit = i % 2 == 0 ? 2 * digit : digit;
        sum += digit / 10 + digit % 10;
    }
    return (char)('0' + (10 - sum % 10) % 10);
}

static void change_card(code_signs *code, tacit__draws *draws)
{
    size_t last = code->count - 1;
    code_draw(code, 0, code->count, draws);
    if (code->letters > 0 || code->count < CARD_MIN || code->count > CARD_MAX)
        return;
    memcpy(code->sign, "9999", 4);
    code->sign[last] = luhn_digit(code->sign, last);
}

bool tacit__make_up_card(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    return code_replace(out, disguise, text, change_card);
}

static bool is_iban(const code_signs *code)
{
    return code->count >= IBAN_MIN && code->count <= IBAN_MAX && !tacit__is_digit(code->sign[0]) &&
           !tacit__is_digit(code->sign[1]) && tacit__is_digit(code->sign[2]) &&
           tacit__is_digit(code->sign[3]);
}

static unsigned mod_97(unsigned rest, char sign)
{
    if (tacit__is_digit(sign))
        return (rest * 10 + (unsigned)(sign - '0')) % 97;
    return (rest * 100 + (unsigned)(sign - 'a') + 10) % 97;
}

/* The account, then the country, then 00 for the check digits, must leave 1. */
static void put_check_digits(code_signs *code)
{
    unsigned rest = 0;
    for (size_t i = 4; i < code->count; i++)
        rest = mod_97(rest, code->sign[i]);
    for (size_t i = 0; i < 2; i++)
        rest = mod_97(rest, code->sign[i]);
    unsigned check = 98 - rest * 100 % 97;
    code->sign[2] = (char)('0' + check / 10);
    code->sign[3] = (char)('0' + check % 10);
}

static void change_bank(code_signs *code, tacit__draws *draws)
{
    bool iban = is_iban(code);
    code_draw(code, iban ? 4 : 0, code->count, draws);
    if (iban)
        put_check_digits(code);
}

bool tacit__make_up_bank(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    return code_replace(out, disguise, text, change_bank);
}
