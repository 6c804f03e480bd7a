/*
 * piece.c - looks backwards for a good place to cut: what belongs together, such as a name
 * or an address, hardly ever goes over an empty line. Cost: at most half a piece, once.
 */
#include "text/read/piece.h"

#include "base/utf8.h"

typedef bool (*place_fn)(tacit_strview text, size_t at);

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* The places lie behind what ends. */
static bool ends_paragraph(tacit_strview text, size_t at)
{
    return text.bytes[at - 1] == '\n' &&
           (text.bytes[at - 2] == '\n' ||
            (text.bytes[at - 2] == '\r' && text.bytes[at - 3] == '\n'));
}

static bool ends_line(tacit_strview text, size_t at)
{
    return text.bytes[at - 1] == '\n';
}

static bool ends_word(tacit_strview text, size_t at)
{
    return is_blank(text.bytes[at - 1]);
}

/* The last place in (from, to] that is one, or 0. */
static size_t last_place(tacit_strview text, size_t from, size_t to, place_fn is_place)
{
    for (size_t at = to; at > from; at--)
        if (is_place(text, at))
            return at;
    return 0;
}

/* No character is cut, where the bytes are characters. */
static size_t whole_characters(tacit_strview text, size_t to)
{
    for (size_t back = 1; back < 4 && back < to; back++) {
        size_t len = tacit__utf8_character(text.bytes + to - back, text.len - to + back);
        if (len > back)
            return to - back;
        if (len > 0)
            break;
    }
    return to;
}

size_t tacit__piece_end(tacit_strview text, size_t limit, bool last)
{
    static const place_fn places[] = {ends_paragraph, ends_line, ends_word};
    if (last && text.len <= limit)
        return text.len;
    size_t to = text.len < limit ? text.len : limit;
    for (size_t i = 0; to >= 8 && i < sizeof places / sizeof places[0]; i++) {
        size_t at = last_place(text, to / 2, to, places[i]);
        if (at > 0)
            return at;
    }
    return whole_characters(text, to);
}
