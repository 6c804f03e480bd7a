/*
 * box_counts.h - how many rows and people each box of a solution holds.
 */
#ifndef TACIT_RECORDS_APPLY_BOX_COUNTS_H
#define TACIT_RECORDS_APPLY_BOX_COUNTS_H

#include <tacit/experimental/records.h>

/* Zero-initialized is none. */
typedef struct tacit__box_counts {
    uint32_t *rows;   /* a box each */
    uint32_t *people; /* the same; NULL where every row is a person */
} tacit__box_counts;

tacit_status tacit__box_counts_init(tacit__box_counts *counts, const tacit_solution *solution,
                                    const tacit_frame *frame, const tacit_run *run,
                                    tacit_error *err);
void tacit__box_counts_clear(tacit__box_counts *counts);

/* Whether every value of a box is "*": its rows are suppressed. */
bool tacit__box_is_starred(const tacit_boxes *boxes, const tacit_frame *frame, int64_t box);

static inline uint32_t tacit__box_people(const tacit__box_counts *counts, int64_t box)
{
    return counts->people ? counts->people[box] : counts->rows[box];
}

#endif
