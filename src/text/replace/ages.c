/*
 * ages.c - other ages: of the same decade with another last digit, in digits or in
 * words ("forty-two"); those over 89 become another from 90 to 99, since so few people
 * are that old. The other end of a band, "35-44", and the months of "7y 11m" become others, too;
 * fractions stay. Lumped, ages are decades, "40s", and "90+".
 */
#include <stdio.h>
#include <string.h>

#include "text/read/parts.h"
#include "text/replace/disguise.h"

static const tacit__table hundreds = TACIT__TABLE("hundred");

/* An age as it is written: its first number, which others may follow. */
typedef struct age {
    unsigned years;
    tacit_strview number;
    tacit__cased cased;
    bool in_words, is_decade;
} age;

/* "forty" and, behind a hyphen or space, "two". */
static bool read_words(age *out, tacit_strview text, const tacit__read_part *first,
                       tacit__read_parts rest)
{
    tacit__read_part next;
    int number = tacit__numeral_of(first->text);
    if (number < 0)
        return false;
    *out = (age){
        .years = (unsigned)number, .number = first->text, .cased = first->cased, .in_words = true};
    if (!tacit__parts_next_solid(&next, &rest))
        return true;
    if (number < 20) /* of "one hundred" it is not the whole */
        return !tacit__among(&hundreds, next.text);
    if (next.kind != TACIT__PART_WORD)
        return true;
    int unit = tacit__numeral_of(next.text);
    if (unit < 1 || unit > 9) /* "thirty-fourth" is none of these */
        return first->text.bytes[first->text.len] != '-';
    out->years += (unsigned)unit;
    out->number.len = (size_t)(next.text.bytes + next.text.len - first->text.bytes);
    return out->number.len <= text.len;
}

static bool read_age(age *out, const tacit__disguise *disguise, tacit_strview text)
{
    tacit__read_parts parts = tacit__disguise_parts(disguise, text);
    tacit__read_part part;
    if (text.len > 64 || !tacit__parts_next_solid(&part, &parts))
        return false;
    if (part.kind == TACIT__PART_WORD)
        return read_words(out, text, &part, parts);
    if (part.text.len > 3)
        return false;
    *out = (age){.number = part.text};
    for (size_t i = 0; i < part.text.len; i++)
        out->years = 10 * out->years + (unsigned)(part.text.bytes[i] - '0');
    out->is_decade = parts.at < text.len && text.bytes[parts.at] == 's' && out->years % 10 == 0;
    return true;
}

static unsigned another(const age *written, tacit__draws *draws)
{
    unsigned years = written->years;
    if (written->is_decade && years < 90)
        return 10 * (1 + (years / 10 + tacit__draw_below(draws, 7)) % 8);
    unsigned decade = years > 89 ? 90 : years / 10 * 10;
    if (years > 99)
        return decade + tacit__draw_below(draws, 10);
    if ((decade == 0 || written->in_words) && years % 10 > 0) /* no newborn; "two" of "forty-two" */
        return decade + 1 + (years % 10 + tacit__draw_below(draws, 8)) % 9;
    return decade + (years % 10 + 1 + tacit__draw_below(draws, 9)) % 10;
}

static void put_words(tacit__strbuf *out, unsigned years, tacit__cased cased)
{
    char words[32];
    if (years < 20 || years % 10 == 0)
        snprintf(words, sizeof words, "%s", tacit__numeral(years));
    else
        snprintf(words, sizeof words, "%s-%s", tacit__numeral(years / 10 * 10),
                 tacit__numeral(years % 10));
    tacit__put_cased(out, words, strlen(words), cased);
}

/* "43rd": what is behind the number makes it an ordinal. */
static bool is_ordinal(tacit_strview text, size_t end)
{
    return text.len == end + 2 &&
           tacit__is_ordinal_end((tacit_strview){.bytes = text.bytes + end, .len = 2});
}

/* A number behind the first: of a fraction it stays, a tenth becomes another, and so do months and
 * years. The text is that behind the first number. */
static void put_further(tacit__strbuf *out, tacit__draws *draws, tacit_strview text,
                        tacit_strview digits)
{
    enum { MONTHS = 11, FIGURES = 3 };
    const char *end = digits.bytes + digits.len;
    char before = digits.bytes[-1], behind = end < text.bytes + text.len ? *end : ' ';
    unsigned number = 0;
    for (size_t i = 0; i < digits.len && i < FIGURES; i++)
        number = 10 * number + (unsigned)(digits.bytes[i] - '0');
    if (before == '/' || behind == '/')
        tacit__put(out, digits);
    else if (before == '.' && digits.len == 1)
        tacit__put_number(out, (number + 1 + tacit__draw_below(draws, 9)) % 10, 1);
    else if (number <= MONTHS)
        tacit__put_number(out, 1 + (number + tacit__draw_below(draws, MONTHS - 1)) % MONTHS, 1);
    else
        tacit__put_number(out, another(&(age){.years = number}, draws), 1);
}

/* What is behind an age's first number. */
static void put_rest(tacit__strbuf *out, tacit__draws *draws, tacit_strview text)
{
    tacit__read_parts parts = tacit__parts_of(text);
    tacit__read_part part;
    while (tacit__parts_next(&part, &parts))
        if (part.kind == TACIT__PART_DIGITS)
            put_further(out, draws, text, part.text);
        else
            tacit__put(out, part.text);
}

bool tacit__make_up_age(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    age written;
    if (!read_age(&written, disguise, text))
        return false;
    uint8_t years[2] = {(uint8_t)(written.years >> 8), (uint8_t)written.years};
    tacit__draws draws = tacit__disguise_draws(
        disguise, TACIT__SPACE_AGE, (tacit_strview){.bytes = (const char *)years, .len = 2});
    size_t before = (size_t)(written.number.bytes - text.bytes);
    size_t end = before + written.number.len;
    unsigned other = another(&written, &draws);
    tacit__strbuf_add(out, text.bytes, before);
    if (written.in_words)
        put_words(out, other, written.cased);
    else
        tacit__put_number(out, other, 1);
    if (is_ordinal(text, end)) {
        tacit__strbuf_text(out, tacit__ordinal_end(other));
        end += 2;
    }
    put_rest(out, &draws, (tacit_strview){.bytes = text.bytes + end, .len = text.len - end});
    return true;
}

bool tacit__lump_age(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    age written;
    if (!read_age(&written, disguise, text))
        return false;
    if (written.years > 89)
        tacit__strbuf_text(out, "90+");
    else if (written.years < 10)
        tacit__strbuf_text(out, "under 10");
    else
        tacit__strbuf_format(out, "%us", written.years / 10 * 10);
    return true;
}
