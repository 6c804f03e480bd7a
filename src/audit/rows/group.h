/*
 * group.h - rows of a table by the codes of some of its columns.
 */
#ifndef TACIT_AUDIT_ROWS_GROUP_H
#define TACIT_AUDIT_ROWS_GROUP_H

#include "audit/judge/judge.h"
#include "audit/rows/sort.h"

enum { TACIT__MAX_PARTS = TACIT__MAX_PROMISED + 2 };

typedef struct tacit__key_part {
    tacit_codes_view codes;
    const uint32_t *map; /* what stands for each code; NULL: itself */
    int bits;
} tacit__key_part;

/* Parts that were folded into one, the place of their key among all that occur. */
typedef struct tacit__fold {
    tacit__sorter keys; /* each once */
    int count;
    int bits[TACIT__MAX_PARTS];
} tacit__fold;

/* How rows become keys: the parts, the first in the highest bits, and the keys
 * themselves. Zero-initialized but for rows, run and keeps is empty. */
typedef struct tacit__keys {
    int64_t rows;
    const tacit_run *run;
    bool keeps; /* what was folded is kept, so that keys can be read again */
    tacit__key_part parts[TACIT__MAX_PARTS];
    int count;
    int bits;
    uint32_t *ranks; /* folded parts, a row each; owned */
    tacit__sorter sorter;
    tacit__fold *folds; /* where they are kept */
    size_t fold_count, fold_room;
} tacit__keys;

/* Adds codes of at most max, a row each. */
tacit_status tacit__keys_add(tacit__keys *keys, tacit_codes_view codes, uint32_t max,
                             tacit_error *err);

/* The same with something else in the place of each code; max is the highest of those. */
tacit_status tacit__keys_add_mapped(tacit__keys *keys, tacit_codes_view codes, const uint32_t *map,
                                    uint32_t max, tacit_error *err);

/* The keys of all rows into the sorter, sorted. */
tacit_status tacit__keys_sort(tacit__keys *keys, tacit_error *err);

/* Leaves each of the sorted keys once, with how often it was there into counts, which has
 * room for that (NULL: not wanted); returns how many there are. */
int64_t tacit__keys_compact(tacit__keys *keys, uint32_t *counts);

/* What all that was added says in a key, in its order. Folds were kept. */
void tacit__keys_read(uint32_t *codes, const tacit__keys *keys, uint64_t key);

uint64_t tacit__keys_of_row(const tacit__keys *keys, int64_t row);
void tacit__keys_clear(tacit__keys *keys);

/* Rows in classes, which are numbered in the order of their codes, the first
 * column's first. Owned arrays. */
typedef struct tacit__partition {
    uint32_t *class_of; /* a row each */
    int64_t count;
    int64_t *sizes; /* a class each: its rows */
    int64_t *first; /* a class each: its first row */
} tacit__partition;

/* Puts together the rows that agree in some columns, all coded. */
tacit_status tacit__partition_init(tacit__partition *partition, const tacit_table *table,
                                   const int32_t *columns, int32_t count, const tacit_run *run,
                                   tacit_error *err);

/* The same of the codes that were added to keys, which are used up. */
tacit_status tacit__partition_of(tacit__partition *partition, tacit__keys *keys, tacit_error *err);
void tacit__partition_clear(tacit__partition *partition);

#endif
