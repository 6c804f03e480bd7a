/*
 * trails.h - releases whose rows stay linkable: what the rows of one person say together, the
 * trail, is to be shared by k people (Sweeney 6.2 names it: occurrences and what several tuples
 * say combine).
 */
#ifndef TACIT_TRAILS_H
#define TACIT_TRAILS_H

#include <tacit/experimental/previous.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Suppresses further rows of a release, whose people are the frame's, until k of them share the
 * whole of each one's rows: their combinations of values, and, unless suppressed rows are left out,
 * their number. Then k share every combination, too. Rows without a person are nobody's, and follow
 * others. Goes by k, most_suppressed and drop_suppressed of the options; *suppressed, which may be
 * NULL, says how many rows are suppressed in all, also where they are too many.
 *
 * A heuristic: people give up their rarest row until k agree, or until what is left is what k have
 * already. TACIT_INFEASIBLE, with the release in pieces, where that suppresses too many rows or a
 * number of rows tells who somebody is. */
tacit_status tacit_trails_keep(tacit_rowwise *rowwise, int64_t *suppressed,
                               const tacit_frame *frame, const tacit_records_options *options,
                               tacit_error *err);

/* Whether a frame's table is as households need it, whose column is the frame's person: nobody of
 * the column `person` (-1: none) is in two of them, and attributes that are the household's (a bit
 * each) have one value in each. TACIT_INVALID with the line of the first row that differs. */
tacit_status tacit_households_check(const tacit_frame *frame, int32_t person,
                                    const uint64_t *attributes, tacit_error *err);

/* Generalizes the household's attributes of rows that are not suppressed to the highest level of
 * any of its members, so that they are the same for all of them. To be followed by
 * tacit_trails_keep, since classes may fall below k. */
tacit_status tacit_households_align(tacit_rowwise *rowwise, const tacit_frame *frame,
                                    const uint64_t *attributes, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
