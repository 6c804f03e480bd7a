/*
 * classify.c - letter, note or delimited text; usual casing, all lower, all capitals. Counts
 * over the words and lines of a piece: one pass each.
 *
 * A letter has a salutation or a complimentary close at the start of a line. Delimited text
 * has at least three lines, nearly all with the same number of tabs, bars, semicolons or
 * commas. Everything else is a note.
 */
#include "text/classify.h"

#include <string.h>

tacit__casing tacit__casing_of(const size_t shapes[TACIT__SHAPES])
{
    size_t lower = shapes[TACIT__SHAPE_LOWER], capitals = shapes[TACIT__SHAPE_CAPITALS];
    size_t begun = shapes[TACIT__SHAPE_CAPITAL] + shapes[TACIT__SHAPE_MIXED];
    size_t all = lower + capitals + begun;
    if (all >= 2 && capitals * 10 >= all * 8)
        return TACIT__CASING_CAPITALS;
    if (lower >= 2 && (capitals + begun) * 50 <= lower)
        return TACIT__CASING_LOWER;
    return TACIT__CASING_USUAL;
}

static bool has_salutation(const tacit__document *document)
{
    static const tacit__listed_word marks[] = {"dear",  "sincerel", "regards",
                                               "yours", "respectf", ""};
    for (size_t i = 0; i < document->count; i++) {
        const tacit__word *word = &document->words[i];
        if (word->before & (TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH) &&
            tacit__word_is_among(document, word, marks))
            return true;
    }
    return false;
}

/* Lines, and how many of them have as many delimiters as the first that has any. */
typedef struct line_tally {
    size_t lines, alike, expected, here;
    bool anything;
} line_tally;

static void end_line(line_tally *tally)
{
    if (!tally->anything)
        return;
    tally->lines++;
    if (tally->expected == 0)
        tally->expected = tally->here;
    if (tally->here > 0 && tally->here == tally->expected)
        tally->alike++;
    tally->here = 0;
    tally->anything = false;
}

static bool is_delimited_by(tacit_strview text, char delimiter)
{
    line_tally tally = {0};
    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] == '\n') {
            end_line(&tally);
            continue;
        }
        tally.here += text.bytes[i] == delimiter;
        tally.anything = true;
    }
    end_line(&tally);
    return tally.lines >= 3 && tally.expected >= 2 && tally.alike * 10 >= tally.lines * 9;
}

static bool is_delimited(tacit_strview text)
{
    static const char delimiters[] = {'\t', '|', ';', ','};
    for (size_t i = 0; i < sizeof delimiters; i++)
        if (memchr(text.bytes, delimiters[i], text.len) && is_delimited_by(text, delimiters[i]))
            return true;
    return false;
}

tacit__class tacit__class_of(const tacit__document *document)
{
    if (has_salutation(document))
        return TACIT__CLASS_LETTER;
    if (document->text.len > 0 && is_delimited(document->text))
        return TACIT__CLASS_DELIMITED;
    return TACIT__CLASS_NOTE;
}
