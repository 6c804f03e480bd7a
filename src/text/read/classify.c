/*
 * classify.c - letter, note or delimited text; usual casing, all lower, all capitals. Counts
 * over the words and lines of a piece: one pass each, which most often ends after a few lines.
 *
 * A letter has a salutation or a complimentary close at the start of a line. Delimited text
 * has at least three lines, nearly all with the same number of tabs, bars, semicolons or
 * commas. Everything else is a note.
 */
#include "text/read/classify.h"

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
    size_t lines, alike, expected;
} line_tally;

static size_t count_of(const char *bytes, size_t len, char byte)
{
    size_t count = 0;
    for (size_t i = 0; i < len; i++)
        count += bytes[i] == byte;
    return count;
}

static void add_line(line_tally *tally, size_t delimiters)
{
    tally->lines++;
    if (tally->expected == 0)
        tally->expected = delimiters;
    if (delimiters > 0 && delimiters == tally->expected)
        tally->alike++;
}

/* Whether it can still turn out to be delimited text, of at most so many lines. */
static bool is_hopeful(const line_tally *tally, size_t most_lines)
{
    return tally->expected != 1 && (tally->lines - tally->alike) * 10 <= most_lines;
}

static bool is_delimited_by(tacit_strview text, char delimiter, size_t most_lines)
{
    line_tally tally = {0};
    for (size_t at = 0, len; at < text.len && is_hopeful(&tally, most_lines); at += len + 1) {
        const char *line = text.bytes + at, *end = memchr(line, '\n', text.len - at);
        len = end ? (size_t)(end - line) : text.len - at;
        if (len > 0)
            add_line(&tally, count_of(line, len, delimiter));
    }
    return tally.lines >= 3 && tally.expected >= 2 && tally.alike * 10 >= tally.lines * 9;
}

static size_t lines_of(tacit_strview text)
{
    size_t lines = 1;
    const char *last = text.bytes + text.len;
    for (const char *at = text.bytes; (at = memchr(at, '\n', (size_t)(last - at))); at++)
        lines++;
    return lines;
}

static bool is_delimited(tacit_strview text)
{
    static const char delimiters[] = {'\t', '|', ';', ','};
    size_t most_lines = 0;
    for (size_t i = 0; i < sizeof delimiters; i++) {
        if (!memchr(text.bytes, delimiters[i], text.len))
            continue;
        if (most_lines == 0)
            most_lines = lines_of(text);
        if (is_delimited_by(text, delimiters[i], most_lines))
            return true;
    }
    return false;
}

tacit_text_format tacit__format_of(const tacit__document *document)
{
    if (has_salutation(document))
        return TACIT_TEXT_LETTER;
    if (document->text.len > 0 && is_delimited(document->text))
        return TACIT_TEXT_DELIMITED;
    return TACIT_TEXT_NOTE;
}
