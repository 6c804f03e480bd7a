/*
 * grouping.h - items of a feed put together where their numbers agree: what
 * classes, the people in them, and projections of them are made of.
 */
#ifndef TACIT_RECORDS_CLASSES_GROUPING_H
#define TACIT_RECORDS_CLASSES_GROUPING_H

#include "records/classes/encode.h"

/* Zero-initialized is empty. */
struct tacit__grouping {
    tacit__coder coder;
    int64_t count;
    uint64_t *keys;    /* distinct, in an order that only the feed decides */
    uint32_t *rows;    /* a group each */
    uint32_t *members; /* items of the feed in a group, where asked for */
};

/* Groups the feed's items; rows are those of the items. */
tacit_status tacit__grouping_init(tacit__grouping *grouping, const tacit__feed *feed, bool members,
                                  const tacit_run *run, tacit_error *err);
void tacit__grouping_clear(tacit__grouping *grouping);

/* Item of the feed -> its group. */
tacit_status tacit__grouping_assign(const tacit__grouping *grouping, const tacit__feed *feed,
                                    uint32_t *group_of, const tacit_run *run, tacit_error *err);

/* Feeds. Each is cleared with tacit__feed_clear. */

/* Rows of the table on levels, with the person as the last column if asked for. */
void tacit__feed_rows(tacit__feed *feed, const tacit_frame *frame, const int *levels, bool person);

/* Groups of rows on levels `from`, generalized to levels `to`. */
tacit_status tacit__feed_raised(tacit__feed *feed, const tacit__grouping *grouping,
                                const tacit_frame *frame, const int *from, const int *to,
                                tacit_error *err);

/* Groups as they are, where only some attributes count (a bit each), and the
 * person behind them if `last` is set. */
void tacit__feed_projected(tacit__feed *feed, const tacit__grouping *grouping, uint64_t columns,
                           int32_t attributes, bool last);

#endif
