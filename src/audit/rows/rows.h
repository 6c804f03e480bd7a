/*
 * rows.h - rows as the judge sees them: sorting of 64-bit keys, his only way of grouping (methods
 * group by hashing; a mistake of theirs is not repeated here), values found by what they say, rows
 * by the codes of some columns (partition.c puts them together), and what the values of an
 * attribute may become (ladder.c).
 */
#ifndef TACIT_AUDIT_ROWS_ROWS_H
#define TACIT_AUDIT_ROWS_ROWS_H

#include <tacit/base.h>
#include <tacit/table.h>

#include "audit/judge/judge.h"

/* Keys, each with a value where asked for. Zero-initialized is empty. */
typedef struct tacit__sorter {
    uint64_t *keys;   /* NULL where keys are narrow */
    uint32_t *narrow; /* keys of at most 32 bits: half the memory */
    uint64_t *values; /* NULL: keys only */
    void *spare_keys;
    uint64_t *spare_values;
    int64_t count;
    int bits;
} tacit__sorter;

/* Room for count keys of so many bits, to be filled in by the caller. */
tacit_status tacit__sorter_init(tacit__sorter *sorter, int64_t count, int bits, bool with_values,
                                tacit_error *err);

static inline uint64_t tacit__sorter_key(const tacit__sorter *sorter, int64_t at)
{
    return sorter->narrow ? sorter->narrow[at] : sorter->keys[at];
}

static inline void tacit__sorter_put(tacit__sorter *sorter, int64_t at, uint64_t key)
{
    if (sorter->narrow)
        sorter->narrow[at] = (uint32_t)key;
    else
        sorter->keys[at] = key;
}

/* Sorts by key. Stable. */
tacit_status tacit__sorter_sort(tacit__sorter *sorter, const tacit_run *run, tacit_error *err);

/* Gives back what only sorting needs. */
void tacit__sorter_trim(tacit__sorter *sorter);
void tacit__sorter_clear(tacit__sorter *sorter);

/* Of sorted keys: the number of different ones; the first place that is not
 * below a key. */
int64_t tacit__sorter_distinct(const tacit__sorter *sorter);
int64_t tacit__sorter_place(const tacit__sorter *sorter, uint64_t key);

/* Moves `low`, up to `high`, to the first place for which `before`, said of `at`, does not hold; it
 * holds of all places below that one. */
#define TACIT__BISECT(low, high, at, before)                                              \
    for (__typeof__(low) at; (low) < (high); (before) ? ((low) = at + 1) : ((high) = at)) \
    at = (low) + ((high) - (low)) / 2

/* Bits needed for numbers up to max. */
static inline int tacit__bits_for(uint64_t max)
{
    return max ? 64 - __builtin_clzll(max) : 0;
}

/* The values of a coded column, found by what they say. */

#define TACIT__NOWHERE UINT32_MAX /* a value that the column does not have */

/* Zero-initialized is empty. */
typedef struct tacit__words {
    const tacit_table *table;
    int32_t column;
    tacit__sorter sorted; /* hash, code */
    uint32_t missing;     /* its code, or TACIT__NOWHERE */
} tacit__words;

tacit_status tacit__words_init(tacit__words *words, const tacit_table *table, int32_t column,
                               tacit_error *err);
void tacit__words_clear(tacit__words *words);

/* The code of a value, or TACIT__NOWHERE; an empty one is missing. */
uint32_t tacit__words_find(const tacit__words *words, tacit_strview value);

/* Rows of a table by the codes of some of its columns. */

enum { TACIT__MAX_PARTS = 66 }; /* more than 64 have no bits: see tacit__keys_add */

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
    size_t fold_count, fold_capacity;
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

/* The number of each row's key among the different ones, in their order, which are used up. The
 * caller frees the array. */
tacit_status tacit__keys_number(uint32_t **numbers, int64_t *different, tacit__keys *keys,
                                tacit_error *err);

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

/* The same, kept in `groups` until other columns are asked for: the next check of the same rows has
 * it for nothing. Borrowed, up to the next call. */
tacit_status tacit__groups_get(const tacit__partition **out, tacit_audit_groups *groups,
                               const tacit_table *table, const int32_t *columns, int32_t count,
                               const tacit_run *run, tacit_error *err);

/* The rungs that an attribute's values may stand on in the release:
 * a hierarchy bound to the original, or to a register of people, by the judge
 * itself, with each of its values looked up in the release's dictionary. */

typedef struct tacit__ladder {
    tacit_hierarchy *hierarchy;
    int height;
    uint32_t ground; /* values on level 0, missing not among them */
    /* For each level and number on it (missing, where it stays missing, is one
     * past the last): the code in the release, and the number one level up. */
    uint32_t *codes[TACIT_MAX_LEVELS + 1];
    uint32_t *parents[TACIT_MAX_LEVELS + 1]; /* NULL at the top */
} tacit__ladder;

/* A coded column. */
typedef struct tacit__rows_place {
    const tacit_table *table;
    int32_t column;
} tacit__rows_place;

/* From values of the ground to those of the release. The ladder is zeroed
 * before, and cleared in any case. */
tacit_status tacit__ladder_init(tacit__ladder *ladder, const tacit_hierarchy_spec *spec,
                                tacit__rows_place ground, tacit__rows_place released,
                                tacit_error *err);
void tacit__ladder_clear(tacit__ladder *ladder);

/* One for each promised attribute, from the original. */
tacit_status tacit__ladders_new(tacit__ladder **out, tacit__judge *judge, tacit_error *err);
void tacit__ladders_free(tacit__ladder *ladders, int32_t count);

/* The release's code for a ground code on a level, or TACIT__NOWHERE. */
static inline uint32_t tacit__image(const tacit__ladder *ladder, int level, uint32_t code)
{
    return ladder->codes[level][tacit_hierarchy_map(ladder->hierarchy, level)[code]];
}

/* What each ground value may be in the release, the lowest level first. */
typedef struct tacit__images {
    uint32_t *first; /* by ground code, missing last; TACIT__NOWHERE: nothing */
    size_t *start;   /* by ground code: where its list starts; one more at the end */
    uint32_t *list;
    size_t capacity;
} tacit__images;

/* `also` is a code that every value may be, or TACIT__NOWHERE. Zeroed before, and
 * cleared in any case. */
tacit_status tacit__images_init(tacit__images *images, const tacit__ladder *ladder, uint32_t also,
                                tacit_error *err);
void tacit__images_clear(tacit__images *images);

/* Whether a ground value may be that code. */
bool tacit__images_have(const tacit__images *images, uint32_t value, uint32_t code);

/* point.c: what stands before the decimals of a coded column's numbers, a point or a comma. */
char tacit__rows_point(const tacit_table *table, int32_t column);

/* What a single value says of it; 0: nothing. */
char tacit__rows_point_of(tacit_strview text);

#endif
