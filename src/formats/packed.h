/*
 * packed.h - what compressed files share: how long they may become.
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

/* TACIT_LIMIT if the file says much more than tables do: more than a gigabyte, and more than 250
 * times its own length. A few kilobytes could fill the memory otherwise. */
static inline tacit_status tacit__unpacked_check(uint64_t len, const tacit__format_input *input,
                                                 tacit_error *err)
{
    if (len >> 30 == 0 || len / 250 < input->bytes.len)
        return TACIT_OK;
    return tacit__error_at(
        err, TACIT_LIMIT, input->name, 0, 0,
        "becomes more than 250 times as long when it is decompressed; decompress "
        "it yourself if that is right");
}

#endif
