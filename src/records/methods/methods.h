/*
 * methods.h - what every method checks before it starts.
 */
#ifndef TACIT_RECORDS_METHODS_METHODS_H
#define TACIT_RECORDS_METHODS_METHODS_H

#include <tacit/experimental/records.h>

/* Refuses a quasi-identifier of too few or too many attributes, a least level that
 * is none, a k that is none, and a table with fewer than k people. */
tacit_status tacit__request_check(const tacit_frame *frame, const tacit_records_options *options,
                                  tacit_error *err);

/* The word for so many of what k counts. */
static inline const char *tacit__unit_word(const tacit_frame *frame, int64_t count)
{
    if (frame->households)
        return count == 1 ? "household" : "households";
    return count == 1 ? "person" : "people";
}

#endif
