/*
 * checked.c - numbers with check digits: cards and bank accounts.
 *
 * Cards keep their length and pass the check of ISO 7812 (Luhn), but begin with 9999: 9 is for
 * issuers of one country, whose number follows, and 999 is no country's. Bank accounts of
 * ISO 13616 (IBAN) keep the country, and have check digits that are right; the bank and the
 * account are drawn. What is neither is a number like others.
 */
#include <string.h>

#include "base/ascii.h"
#include "text/replace/codes.h"

enum { CARD_LEAST = 12, CARD_MOST = 19, IBAN_LEAST = 15, IBAN_MOST = 34 };

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

static void change_card(tacit__code *code, tacit__draws *draws)
{
    size_t last = code->count - 1;
    tacit__code_draw(code, 0, code->count, draws);
    if (code->letters > 0 || code->count < CARD_LEAST || code->count > CARD_MOST)
        return;
    memcpy(code->sign, "9999", 4);
    code->sign[last] = luhn_digit(code->sign, last);
}

bool tacit__make_up_card(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    return tacit__code_replace(out, disguise, text, change_card);
}

static bool is_iban(const tacit__code *code)
{
    return code->count >= IBAN_LEAST && code->count <= IBAN_MOST &&
           !tacit__is_digit(code->sign[0]) && !tacit__is_digit(code->sign[1]) &&
           tacit__is_digit(code->sign[2]) && tacit__is_digit(code->sign[3]);
}

static unsigned mod_97(unsigned rest, char sign)
{
    if (tacit__is_digit(sign))
        return (rest * 10 + (unsigned)(sign - '0')) % 97;
    return (rest * 100 + (unsigned)(sign - 'a') + 10) % 97;
}

/* The account, then the country, then 00 for the check digits, must leave 1. */
static void put_check_digits(tacit__code *code)
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

static void change_bank(tacit__code *code, tacit__draws *draws)
{
    bool iban = is_iban(code);
    tacit__code_draw(code, iban ? 4 : 0, code->count, draws);
    if (iban)
        put_check_digits(code);
}

bool tacit__make_up_bank(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    return tacit__code_replace(out, disguise, text, change_bank);
}
