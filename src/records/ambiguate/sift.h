/*
 * sift.h - items by what they let through, for looking among many kinds of blanks.
 *
 * A column has a few buckets, and a value is in one of them. For each bucket there is a bit an
 * item: set where the item has a blank in the column or a value of the bucket. The items that
 * a row can agree with are those whose bits are set in the bucket of every value that it has, so
 * 64 of them are looked at in one step a column, and mostly a few columns leave none. Where
 * buckets hold several values, what is left has to be compared.
 */
#ifndef TACIT_RECORDS_AMBIGUATE_SIFT_H
#define TACIT_RECORDS_AMBIGUATE_SIFT_H

#include "records/ambiguate/packed.h"

/* Zero-initialized is none. */
typedef struct tacit__sift {
    const tacit__packed *packed; /* borrowed; NULL: none */
    int32_t order[64];           /* columns, those of the most bits first */
    size_t words;                /* room for 64 items each */
    uint64_t *bits;              /* column by column, bucket by bucket */
    uint64_t *live;              /* items that are looked for */
} tacit__sift;

tacit_status tacit__sift_init(tacit__sift *sift, const tacit__packed *packed, size_t items,
                              tacit_error *err);
void tacit__sift_clear(tacit__sift *sift);

/* Room for so many items. */
tacit_status tacit__sift_reserve(tacit__sift *sift, size_t items, tacit_error *err);

/* Notes an item, for which there is room, as a row of a class with blanks. It is not live. */
void tacit__sift_put(tacit__sift *sift, uint32_t item, uint32_t class_index, uint64_t mask);
void tacit__sift_live(tacit__sift *sift, uint32_t item, bool live);

/* What a row of a class with blanks has to pass. */
typedef struct tacit__sift_aim {
    const uint64_t *bits[64];
    int32_t count;
} tacit__sift_aim;

void tacit__sift_aim_at(tacit__sift_aim *aim, const tacit__sift *sift, uint32_t class_index,
                        uint64_t mask);

/* The items that it may agree with, of those whose bits begin with a word. */
enum { TACIT__SIFT_WORDS = 16 }; /* that are looked at together */
void tacit__sift_look(uint64_t *out, const tacit__sift *sift, const tacit__sift_aim *aim,
                      size_t word);

#endif
