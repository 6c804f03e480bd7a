/*
 * packed.h - how long the text of a file may become.
 */
#ifndef TACIT_SRC_FORMATS_PACKED_H
#define TACIT_SRC_FORMATS_PACKED_H

#include "base/error.h"
#include "formats/formats.h"

enum {
    TACIT__UNPACKED = 1 << 18,     /* bytes that are unpacked at once */
    TACIT__UNPACKED_HEAD = 1 << 24 /* and enough for any header */
};

/* Whether no more is asked for. */
static inline bool tacit__unpacked_enough(const tacit__format_text *text,
                                          const tacit__format_input *input)
{
    return input->header_only && text->csv.len >= TACIT__UNPACKED_HEAD;
}

/* A gigabyte, or 250 times its own length: beyond, a file says much more than tables do. */
static inline uint64_t tacit__unpacked_most(const tacit__format_input *input)
{
    const uint64_t least = (uint64_t)1 << 30, times = 250;
    return input->bytes.len > least / times ? input->bytes.len * times : least;
}

static inline tacit_status tacit__too_long(const tacit__format_input *input, tacit_error *err)
{
    return tacit__error_at(err, TACIT_LIMIT, input->name, 0, 0,
                           "becomes more than 250 times as long when it is read; give it as a CSV "
                           "if that is right");
}

#endif
