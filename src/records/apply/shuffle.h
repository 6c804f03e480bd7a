/*
 * shuffle.h - rows in random order.
 */
#ifndef TACIT_RECORDS_APPLY_SHUFFLE_H
#define TACIT_RECORDS_APPLY_SHUFFLE_H

#include <tacit/base.h>

/* A uniformly random order of the rows whose bit in left_out (NULL: none) is
 * not set; `kept` is their number. The caller frees *out. */
tacit_status tacit__shuffle(uint32_t **out, int64_t rows, const uint64_t *left_out, int64_t kept,
                            const tacit_run *run, tacit_error *err);

#endif
