/*
 * seek.h - the search for prime implicants below one group of records.
 *
 * A group is the records that match on a set of columns with given values. The
 * search adds a value of a further column at a time, which makes the group
 * smaller, and stops when at most k rows are left: then the set is a find.
 *
 * Every set is met once at most, and most are never met:
 *   - A column in which a group does not differ is not added to its set: that
 *     would leave the group as it is, so no extension would be minimal.
 *   - In every group a safe set is chosen: values that more than k rows of the
 *     group have in common. No part of it singles anybody out, so every find has
 *     a value outside of it. Values outside are taken column by column; below a
 *     value of one column, columns before it may only add their safe value, and
 *     columns after it any value. The largest groups, those of the most frequent
 *     values, are therefore never entered on their own, and columns that are
 *     nearly constant cost next to nothing.
 *
 * Where missing matches anything, a group holds all records that match, but only
 * its own records, which have all of the set's values, get finds from it.
 *
 * Cost follows the groups that are entered, times their records and the columns in which they
 * differ.
 */
#ifndef TACIT_SRC_UNIQUES_SEEK_H
#define TACIT_SRC_UNIQUES_SEEK_H

#include "uniques/uniques.h"

/* What is searched below. */
typedef struct tacit__uniques_group {
    const uint32_t *members; /* items, the own ones first */
    uint32_t size;
    uint32_t own;
    uint32_t weight; /* rows of all members */
    uint64_t set;
    int depth; /* columns in the set */
} tacit__uniques_group;

/* A column that may be added, and for what value. */
typedef struct tacit__choice {
    int column;
    uint32_t only; /* this value, or TACIT__ANY_VALUE */
} tacit__choice;

#define TACIT__ANY_VALUE UINT32_MAX

enum { TACIT__MAX_BITS = 64 }; /* rows of a group that is searched in bits */

/* One worker's search. */
typedef struct tacit__seeker {
    const tacit__ground *ground;
    tacit__uniques_found *found;
    int worker;
    uint64_t *counts;                    /* by value; zeros between uses */
    struct tacit__uniques_frame *frames; /* a depth each */
    struct tacit__bits *bits;
    int64_t spent; /* cells looked at since the search was last asked whether to go on */
    bool (*ask)(struct tacit__seeker *seeker); /* whether to go on */
    /* What becomes of the groups below one in lists: they are searched. */
    void (*below)(struct tacit__seeker *seeker, const tacit__uniques_group *group,
                  const tacit__choice *choices, int count);
    void *search;      /* for these two */
    bool cut;          /* groups were left at the largest size asked for */
    tacit_status halt; /* not OK: give up */
} tacit__seeker;

tacit_status tacit__seeker_init(tacit__seeker *seeker, const tacit__ground *ground,
                                tacit__uniques_found *found, int worker, tacit_error *err);
void tacit__seeker_clear(tacit__seeker *seeker);

/* Whether sets may hold the column for items with that cell. */
static inline bool tacit__ground_usable(const tacit__ground *ground, int column, uint32_t cell)
{
    return cell - ground->base[column] > (uint32_t)ground->wild;
}

enum { TACIT__ASK_CELLS = 1 << 21 }; /* some milliseconds */

/* Says that so many cells are looked at; whether to go on. */
static inline bool tacit__seeker_spend(tacit__seeker *seeker, int64_t cells)
{
    seeker->spent += cells;
    if (seeker->spent >= TACIT__ASK_CELLS && seeker->halt == TACIT_OK && !seeker->ask(seeker))
        seeker->halt = TACIT_CANCELLED;
    return seeker->halt == TACIT_OK;
}

/* A find for an item: the set of the given number of columns. */
static inline void tacit__seeker_find(tacit__seeker *seeker, int size, uint64_t set, uint32_t item,
                                      uint32_t records)
{
    if (!tacit__found_add(seeker->found, seeker->worker, size,
                          (tacit__find){.set = set, .item = item, .records = records}))
        seeker->halt = TACIT_NOMEM;
}

/* Whether sets may not grow beyond one more column. */
static inline bool tacit__seeker_last(const tacit__seeker *seeker, int depth)
{
    return depth + 1 >= atomic_load_explicit(&seeker->found->bound, memory_order_relaxed);
}

/* Searches below a group of more than k rows. */
void tacit__seek(tacit__seeker *seeker, const tacit__uniques_group *group,
                 const tacit__choice *choices, int count);

/* The same, in lists: whatever the group. */
void tacit__seek_lists(tacit__seeker *seeker, const tacit__uniques_group *group,
                       const tacit__choice *choices, int count);

/* The same for groups of up to 64 rows, counting an item for k + 1 rows at most. */
void tacit__seek_bits(tacit__seeker *seeker, const tacit__uniques_group *group,
                      const tacit__choice *choices, int count);

/* The same for groups of a few own records, where missing matches anything; false,
 * and nothing is done, where that does not work out. */
bool tacit__seek_few(tacit__seeker *seeker, const tacit__uniques_group *group,
                     const tacit__choice *choices, int count);

tacit_status tacit__bits_new(struct tacit__bits **out, tacit_error *err);

#endif
