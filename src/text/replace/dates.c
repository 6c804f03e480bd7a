/*
 * dates.c - other dates in the form in which they are written.
 *
 * Shifted, all dates of a document move by one secret number of days, so that what is between
 * them survives whatever their forms are. A day without a year is taken to be the nearest one to
 * the day with a year right behind it ("May 3 to May 5, 2021"), or else before it, or else behind,
 * so that the 29th of a February on the way counts for both or for neither; where no day of the
 * piece has a year, all are days of one year with ordinary years around it. Months, with or without
 * a year, by the nearest whole number of months, and years by the nearest of years: among
 * themselves they keep their distances, and before and after stay what they are up to the rounding.
 *
 * Lumped, the day goes, with the weekday, the time and the sign that parts it from the rest:
 * "Wednesday, February 2, 1994" becomes "February, 1994". A month and day in numbers becomes
 * the month's name, since a number alone would not be seen to be one.
 */
#include <stdlib.h>
#include <string.h>

#include "text/detect/dates.h"
#include "text/lexicon/fold.h"
#include "text/replace/disguise.h"

/* Years that days without one are of: amid years without a 29 February, and one that has it. */
enum { SOME_YEAR = 2002, LEAP_YEAR = 2004, LEAP_YEARS_APART = 8, LAST_YEAR = 9999 };

static void shift_months(int *of, int months)
{
    int year = of[TACIT__DATE_YEAR] < 0 ? SOME_YEAR : of[TACIT__DATE_YEAR];
    int number = 12 * year + of[TACIT__DATE_MONTH] - 1 + months;
    of[TACIT__DATE_MONTH] = number % 12 + 1;
    of[TACIT__DATE_YEAR] = number / 12;
}

/* The number of the day of this month that is nearest to the day that the text was at last. */
static int nearest_day(const tacit__disguise *disguise, int month, int day)
{
    int anchor = disguise->anchor, best = 0, year, other;
    if (anchor == 0)
        anchor = tacit__date_number(disguise->leaps ? LEAP_YEAR : SOME_YEAR, 7, 1);
    tacit__date_of_number(&year, &other, &other, anchor);
    for (int i = year - LEAP_YEARS_APART; i <= year + LEAP_YEARS_APART; i++) {
        if (i < 1 || day > tacit__month_length(i, month))
            continue;
        int number = tacit__date_number(i, month, day);
        if (best == 0 || abs(number - anchor) < abs(best - anchor))
            best = number;
    }
    return best;
}

/* The number of a day, which is from now on where the text is, if it has a year. */
static int read_day(const int *of, tacit__disguise *disguise)
{
    int year = of[TACIT__DATE_YEAR], month = of[TACIT__DATE_MONTH], day = of[TACIT__DATE_DAY];
    if (year < 0)
        return nearest_day(disguise, month, day);
    return disguise->anchor = tacit__date_number(year, month, day);
}

static void shift_days(int *of, tacit__disguise *disguise)
{
    int number = read_day(of, disguise) + disguise->days;
    tacit__date_of_number(&of[TACIT__DATE_YEAR], &of[TACIT__DATE_MONTH], &of[TACIT__DATE_DAY],
                          number);
}

/* The values that the fields get; those without a field do not matter. */
static void shift(int *of, tacit__disguise *disguise)
{
    tacit__disguise_choose_days(disguise);
    if (of[TACIT__DATE_DAY] > 0)
        shift_days(of, disguise);
    else if (of[TACIT__DATE_MONTH] > 0)
        shift_months(of, disguise->months);
    else
        of[TACIT__DATE_YEAR] += disguise->years;
    of[TACIT__DATE_WEEKDAY] = (of[TACIT__DATE_WEEKDAY] + disguise->days % 7 + 7) % 7;
}

/* ---- languages ---- */

/* Small words that no other of these languages has, by the rows of names. */
static const tacit__listed_word small_words[][16] = {
    [TACIT__NAMES_SPANISH] = {"el", "los", "las", "del", "con", "por", "fue", "una", "se", "su",
                              ""},
    [TACIT__NAMES_FRENCH] = {"le", "les", "des", "et", "du", "dans", "est", "une", "pour", "sur",
                             ""},
    [TACIT__NAMES_GERMAN] = {"der", "die", "und", "den", "dem", "wurde", "mit", "bei", "vom", "im",
                             ""},
};

void tacit__disguise_language(tacit__disguise *disguise, const tacit__document *document)
{
    enum { ENOUGH = 2000 /* words */ };
    unsigned counts[TACIT__NAMES_GERMAN + 1] = {0}, best = 0;
    for (size_t i = 0; i < document->count && i < ENOUGH; i++)
        for (unsigned row = TACIT__NAMES_SPANISH; row <= TACIT__NAMES_GERMAN; row++)
            counts[row] += tacit__word_is_among(document, &document->words[i], small_words[row]);
    for (unsigned row = TACIT__NAMES_SPANISH; row <= TACIT__NAMES_GERMAN; row++)
        if (counts[row] > counts[best])
            best = row;
    disguise->language = best;
}

/* What else than its month says of which language a date is: its weekday, the stop behind the day
 * ("3. Mai"), a capital that French has not, or the text. */
static unsigned language_of(const tacit__detect_date *date, const tacit__date_field *month,
                            tacit_strview text, const tacit__disguise *disguise)
{
    for (size_t i = 0; i < date->count; i++) {
        const tacit__date_field *field = &date->field[i];
        if (field->role == TACIT__DATE_WEEKDAY)
            return field->names;
        if (field->role == TACIT__DATE_DAY && field->form == TACIT__DATE_NUMBER &&
            field->end < month->start && text.bytes[field->end] == '.')
            return TACIT__NAMES_GERMAN;
    }
    if (disguise->language == 0 && month->names == TACIT__NAMES_FRENCH &&
        month->cased == TACIT__CASED_CAPITAL)
        return TACIT__NAMES_GERMAN;
    return disguise->language;
}

/* "April" is English and German, "Mai" French and German: the month is written in the language that
 * the date is in. */
static void settle_language(tacit__detect_date *date, tacit_strview text,
                            const tacit__disguise *disguise)
{
    for (size_t i = 0; i < date->count; i++) {
        tacit__date_field *month = &date->field[i];
        tacit__folded folded;
        if (month->role != TACIT__DATE_MONTH || month->form != TACIT__DATE_NAME)
            continue;
        unsigned names = language_of(date, month, text, disguise);
        tacit_strview word = {.bytes = text.bytes + month->start,
                              .len = (size_t)(month->end - month->start)};
        if (names >= TACIT__NAMES_SPANISH && names != month->names &&
            tacit__text_fold(&folded, word) &&
            tacit__month_is(names, month->value, tacit__folded_view(&folded)))
            month->names = (uint8_t)names;
    }
}

/* ---- writing ---- */

static void put_number(tacit__strbuf *out, const tacit__detect_date *date,
                       const tacit__date_field *field, int value)
{
    if (field->role == TACIT__DATE_YEAR)
        tacit__put_number(out, (unsigned)(field->digits <= 2 ? value % 100 : value), field->digits);
    else
        tacit__put_number(out, (unsigned)value, date->padded ? 2 : 1);
}

static void put_field(tacit__strbuf *out, const tacit__detect_date *date,
                      const tacit__date_field *field, int value)
{
    const char *name;
    switch (field->form) {
    case TACIT__DATE_NUMBER: put_number(out, date, field, value); return;
    case TACIT__DATE_ORDINAL:
        put_number(out, date, field, value);
        tacit__put_cased(out, tacit__ordinal_end((unsigned)value), 2, field->cased);
        return;
    case TACIT__DATE_WORDS: name = tacit__day_name(value); break;
    default:
        name = field->role == TACIT__DATE_MONTH ? tacit__month_name(field->names, value)
                                                : tacit__weekday_name(field->names, value);
    }
    tacit__put_cased(out, name, strlen(name), field->cased);
}

bool tacit__disguise_foresee(tacit__disguise *disguise, tacit_strview text)
{
    tacit__detect_date date;
    if (!tacit__date_read(&date, tacit__parts_of(text)) || date.of[TACIT__DATE_DAY] < 0)
        return false;
    if (date.of[TACIT__DATE_YEAR] >= 0)
        return read_day(date.of, disguise) != 0;
    disguise->leaps |= date.of[TACIT__DATE_MONTH] == 2 && date.of[TACIT__DATE_DAY] == 29;
    return false;
}

bool tacit__disguise_has_year(const tacit__disguise *disguise)
{
    return disguise->anchor != 0;
}

bool tacit__shift_date(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    tacit__detect_date date;
    int of[TACIT__DATE_ROLES];
    size_t at = 0;
    if (!tacit__date_read(&date, tacit__disguise_parts(disguise, text)))
        return false;
    settle_language(&date, text, disguise);
    memcpy(of, date.of, sizeof of);
    shift(of, disguise);
    if (date.of[TACIT__DATE_YEAR] >= 0 &&
        (of[TACIT__DATE_YEAR] < 1 || of[TACIT__DATE_YEAR] > LAST_YEAR))
        return false;
    for (size_t i = 0; i < date.count; i++) {
        const tacit__date_field *field = &date.field[i];
        tacit__put(out, (tacit_strview){.bytes = text.bytes + at, .len = field->start - at});
        put_field(out, &date, field, of[field->role]);
        at = field->end;
    }
    tacit__put(out, (tacit_strview){.bytes = text.bytes + at, .len = text.len - at});
    return true;
}

static bool is_coarse(const tacit__date_field *field)
{
    return field->role == TACIT__DATE_YEAR || field->role == TACIT__DATE_MONTH;
}

/* The month and the year with what stands before each of them, but for the first. What stands
 * before a field that goes, goes with it. */
static void put_coarse(tacit__strbuf *out, const tacit__detect_date *date, tacit_strview text)
{
    size_t before = 0; /* the end of the field before */
    bool first = true;
    for (size_t i = 0; i < date->count; i++) {
        const tacit__date_field *field = &date->field[i];
        if (is_coarse(field)) {
            size_t start = first ? field->start : before;
            tacit__strbuf_add(out, text.bytes + start, field->end - start);
            first = false;
        }
        before = field->end;
    }
}

bool tacit__lump_date(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    tacit__detect_date date;
    if (!tacit__date_read(&date, tacit__disguise_parts(disguise, text)))
        return false;
    int year = date.of[TACIT__DATE_YEAR], month = date.of[TACIT__DATE_MONTH];
    if (year < 0 && month < 0)
        return false;
    if (date.of[TACIT__DATE_DAY] < 0 && date.of[TACIT__DATE_WEEKDAY] < 0 && date.end == text.len)
        tacit__put(out, text);
    else if (year < 0 && date.count == 2 && date.field[0].form == TACIT__DATE_NUMBER &&
             date.field[1].form == TACIT__DATE_NUMBER)
        tacit__strbuf_text(out, tacit__month_name(0, month));
    else
        put_coarse(out, &date, text);
    return true;
}
