/*
 * both.h - the inside of ambiguation that holds both ways; both.c says how
 * the parts work together.
 *
 * A person fits a row where his values are those that the row shows. Promised is that k people
 * fit every row and that everybody fits k rows: (k,k)-anonymity of Gionis, Mazza and Tassa
 * (k-Anonymization Revisited, 2008), by suppression alone. Rows that leave with a mask, and are
 * the same beyond it, are a box, as in the stricter reading (strict.h), whose lists are
 * used. The people who fit a row are all of its box, whether their rows leave with the mask or
 * not, so a box may be used where it could have k rows; and a person fits the rows of every box
 * that he is in. So a class of k rows or more keeps both by itself, and a class in need, of fewer,
 * has all of its rows in boxes of k people and is in boxes of k rows.
 */
#ifndef TACIT_RECORDS_BLANKS_BOTH_H
#define TACIT_RECORDS_BLANKS_BOTH_H

#include "records/blanks/strict.h"

static inline bool tacit__both_need(const tacit__tableau *t, int64_t class_index)
{
    return t->counts[class_index] < t->k;
}

/* Whether the rows as they are placed keep limits and both ways of k. */
tacit_status tacit__both_keeps(bool *keeps, const tacit__strict *boxes, tacit_error *err);

/* Places rows, and improves on it (both_cover.c). What is found may not keep what is
 * asked. */
tacit_status tacit__both_cover(tacit__strict *boxes, tacit_error *err);

/* The way: covering, or with EXACT the least cost, proven where it can be. `frame` and `options`
 * are those of the table, for what the stricter reading asks of other methods; frame may be
 * NULL. */
tacit_status tacit__ambiguate_both(tacit__blanking *plan, const tacit__tableau *tableau,
                                   const tacit_frame *frame, const tacit_records_options *options,
                                   const tacit_run *run, tacit_error *err);

#endif
