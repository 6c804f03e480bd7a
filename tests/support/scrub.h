/*
 * scrub.h - a text scrubbed as one document, and what must hold of every result: spans in
 * order, inside the text, and the output is the input with just these replaced.
 */
#ifndef TACIT_TESTS_SCRUB_H
#define TACIT_TESTS_SCRUB_H

#include <stdbool.h>
#include <string.h>
#include <tacit/experimental/text.h>

/* Whether replaying a piece's spans on its input gives its output. base is where the piece
 * starts in its document. */
static inline bool scrub_replays(const tacit_scrubbed *scrubbed, const char *input, size_t len,
                                 uint64_t base)
{
    size_t in = 0, out = 0;
    for (size_t i = 0; i <= scrubbed->span_count; i++) {
        bool end = i == scrubbed->span_count;
        size_t start = end ? len : (size_t)(scrubbed->spans[i].start - base);
        size_t put = end ? scrubbed->text.len : (size_t)scrubbed->replaced[i].start;
        if (start < in || start > len || put < out || put > scrubbed->text.len ||
            start - in != put - out ||
            (start > in && memcmp(input + in, scrubbed->text.bytes + out, start - in) != 0))
            return false;
        if (end)
            return true;
        in = (size_t)(scrubbed->spans[i].end - base);
        out = (size_t)scrubbed->replaced[i].end;
        if (in <= start || in > len || out < put || out > scrubbed->text.len)
            return false;
    }
    return true;
}

#endif
