/*
 * dates.c - dates of three words: numbers parted by the same sign, or a month with its name.
 */
#include "text/known/dates.h"

#include <string.h>

#include "base/ascii.h"

typedef struct date_part {
    unsigned value, digits;
} date_part;

/* "26", "1986", "1st": up to four digits, then nothing or two letters. */
static bool read_part(date_part *part, const tacit__document *document, size_t at)
{
    tacit_strview text = tacit__word_text(document, &document->words[at]);
    *part = (date_part){0};
    while (part->digits < text.len && part->digits < 5 && tacit__is_digit(text.bytes[part->digits]))
        part->value = part->value * 10 + (unsigned)(text.bytes[part->digits++] - '0');
    return part->digits > 0 && part->digits <= 4 &&
           (text.len == part->digits || (part->digits <= 2 && text.len == part->digits + 2));
}

/* 1 to 12 for the name of a month or its first three letters, else 0. */
static unsigned month_of(const tacit__document *document, size_t at)
{
    static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    const tacit__word *word = &document->words[at];
    const char *bytes = document->text.bytes + word->start;
    if (!tacit__lexicon_in(&word->entry, TACIT__LIST_MONTH) || word->end - word->start < 3)
        return 0;
    char start[3] = {(char)(bytes[0] | 0x20), (char)(bytes[1] | 0x20), (char)(bytes[2] | 0x20)};
    for (unsigned month = 0; month < 12; month++)
        if (memcmp(names + 3 * month, start, 3) == 0)
            return month + 1;
    return 0;
}

static void add_reading(tacit__known_day *days, size_t *readings, const date_part *year,
                        unsigned month, unsigned day)
{
    if ((year->digits != 2 && year->digits != 4) || month < 1 || month > 12 || day < 1 || day > 31)
        return;
    tacit__known_day meant = (year->value % 100 * 16 + month) * 32 + day;
    if (*readings == 0 || days[0] != meant)
        days[(*readings)++] = meant;
}

/* Numbers: the year first, or last, after month and day in either order. */
static void read_numbers(tacit__known_day *days, size_t *readings, const tacit__document *document,
                         size_t at)
{
    const tacit__word *words = document->words + at;
    date_part part[3];
    bool joined = words[1].before == words[2].before &&
                  (words[1].before == TACIT__GAP_SLASH || words[1].before == TACIT__GAP_HYPHEN ||
                   words[1].before == TACIT__GAP_STOP);
    for (size_t i = 0; i < 3; i++)
        if (!joined || words[i].shape != TACIT__SHAPE_DIGITS ||
            !read_part(&part[i], document, at + i))
            return;
    if (part[0].digits == 4) {
        add_reading(days, readings, &part[0], part[1].value, part[2].value);
        return;
    }
    add_reading(days, readings, &part[2], part[0].value, part[1].value);
    add_reading(days, readings, &part[2], part[1].value, part[0].value);
}

/* "May 26, 1986", "26 May 1986", "26-MAY-86". */
static void read_named(tacit__known_day *days, size_t *readings, const tacit__document *document,
                       size_t at)
{
    enum {
        NEAR = TACIT__GAP_SPACE | TACIT__GAP_COMMA | TACIT__GAP_STOP | TACIT__GAP_HYPHEN |
               TACIT__GAP_SLASH
    };
    const tacit__word *words = document->words + at;
    date_part day, year;
    unsigned first = month_of(document, at), second = month_of(document, at + 1);
    if ((words[1].before | words[2].before) & ~NEAR || (!first && !second))
        return;
    if (read_part(&day, document, first ? at + 1 : at) && read_part(&year, document, at + 2) &&
        words[2].shape == TACIT__SHAPE_DIGITS)
        add_reading(days, readings, &year, first ? first : second, day.value);
}

size_t tacit__known_date_at(tacit__known_day days[TACIT__KNOWN_READINGS], size_t *readings,
                            const tacit__document *document, size_t at)
{
    *readings = 0;
    if (at + 3 > document->count)
        return 0;
    read_numbers(days, readings, document, at);
    if (*readings == 0)
        read_named(days, readings, document, at);
    return *readings > 0 ? 3 : 0;
}
