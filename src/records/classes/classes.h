/*
 * classes.h - the inside of classes, for the methods' shared work.
 */
#ifndef TACIT_RECORDS_CLASSES_CLASSES_H
#define TACIT_RECORDS_CLASSES_CLASSES_H

#include <tacit/base.h>
#include <tacit/experimental/records.h>

#include "base/bitset.h"
#include "base/hash.h"

/*
 * How often each key occurs among many items.
 *
 * Two ways lead to the same counts: cells for every possible key where these
 * are few, otherwise partitions that fit the cache. Which
 * one is taken, and the order of the result, depend on the items only, never
 * on the number of threads.
 */

/* What is counted. */
typedef struct tacit__items {
    int64_t count;   /* below 2^32 */
    uint64_t domain; /* keys are below it */
    /* Keys of `count` items into keys; called from several threads, with count
     * at most TACIT__ENCODE_BLOCK. */
    void (*keys)(const void *context, int64_t from, int64_t count, uint64_t *keys);
    const void *context;
    const uint32_t *weights; /* what an item counts for; NULL: one each */
    bool tally;              /* also count the items themselves */
} tacit__items;

/* Distinct keys in a fixed order. Owned arrays. */
typedef struct tacit__counts {
    int64_t count;
    uint64_t *keys;
    uint32_t *sums;    /* of weights */
    uint32_t *tallies; /* of items, where asked for; else NULL */
} tacit__counts;

tacit_status tacit__count(tacit__counts *out, const tacit__items *items, const tacit_run *run,
                          tacit_error *err);
void tacit__counts_clear(tacit__counts *counts);

/* Items that one task takes: whole words of a bitset, and not too many tasks. */
static inline int64_t tacit__task_items(int64_t count)
{
    int64_t share = (count / 1024 + 63) / 64 * 64;
    return share < 65536 ? 65536 : share;
}

static inline int64_t tacit__tasks(int64_t count)
{
    int64_t items = tacit__task_items(count);
    return (count + items - 1) / items;
}

/*
 * A combination of values as one number, its key.
 *
 * A feed is a list of items (rows of a table, or groups counted before) with
 * a number in each of its columns; a map takes each number to the one that is
 * wanted. A coder gives every column a stride, and a key is the sum of numbers
 * times strides: positional notation with a base of its own at each place, the
 * first column the most significant. Where 64 bits do not hold all columns the
 * coder has stages: the keys of a stage that really occur are numbered
 * densely, and that number is the first digit of the next stage.
 */

/* From a key back to its place in a list of distinct keys.
 *
 * Open addressing with linear probing over 32-bit places, at most half full, so
 * a look-up costs about one miss for the slot and one for the key. */

#define TACIT__NO_PLACE UINT32_MAX

/* Zero-initialized is none. The keys are borrowed. */
typedef struct tacit__key_index {
    uint32_t *slots;
    uint64_t mask;
    const uint64_t *keys;
} tacit__key_index;

/* Places of keys into slots, whose number is a power of two; the others hold TACIT__NO_PLACE. */
void tacit__key_slots_fill(uint32_t *slots, uint64_t size, const uint64_t *keys, int64_t count);

/* The keys must be distinct. */
tacit_status tacit__key_index_build(tacit__key_index *index, const uint64_t *keys, int64_t count,
                                    tacit_error *err);
void tacit__key_index_clear(tacit__key_index *index);

/* The key's place, or TACIT__NO_PLACE. */
static inline uint32_t tacit__key_index_find(const tacit__key_index *index, uint64_t key)
{
    for (uint64_t slot = tacit__mix(key) & index->mask;; slot = (slot + 1) & index->mask) {
        uint32_t place = index->slots[slot];
        if (place == TACIT__NO_PLACE || index->keys[place] == key)
            return place;
    }
}

/* ---- */

/* The attributes and, behind them, the person. */
enum { TACIT__MAX_DIGITS = TACIT_MAX_ATTRIBUTES + 1 };

typedef struct tacit__stage {
    int32_t first;   /* its first column */
    uint64_t stride; /* of the number that stands for all columns before */
    uint64_t domain; /* keys are below it */
    uint64_t *keys;  /* number -> key; not in the last stage */
    tacit__key_index index;
} tacit__stage;

typedef struct tacit__coder {
    int32_t columns;
    uint64_t *domain; /* numbers of a column are below it; owned, with the strides */
    uint64_t *stride;
    tacit__stage *stage;
    int32_t stages; /* that are laid out */
    size_t stage_capacity;
} tacit__coder;

typedef struct tacit__grouping tacit__grouping;

typedef struct tacit__feed_column {
    tacit_codes_view codes; /* where items are rows */
    const uint32_t *map;    /* NULL: the number as it is */
    uint32_t *owned;        /* the map, where the feed made it */
    uint64_t entries;       /* numbers before mapping are below it */
    uint64_t domain;        /* and after it below this; 1: the column does not count */
} tacit__feed_column;

typedef struct tacit__feed {
    int64_t count;
    const tacit__grouping *from; /* NULL: items are rows */
    const uint32_t *repeats;     /* rows that each of them stands for; NULL: one */
    int32_t columns;
    tacit__feed_column *column;
} tacit__feed;

/* A coder at work on a feed. */
typedef struct tacit__encoder {
    const tacit__coder *coder;
    const tacit__feed *feed;
    uint64_t **terms; /* a column each: number -> its part of the key; NULL: number * stride */
} tacit__encoder;

/* Rows that are encoded in one piece; their keys stay in the first cache. */
enum { TACIT__ENCODE_BLOCK = 2048 };

void tacit__feed_clear(tacit__feed *feed);

/* The column's number in a key of the last stage. */
uint64_t tacit__coder_decode(const tacit__coder *coder, uint64_t key, int32_t column);

/* The numbers of all columns, each stage of the key taken apart once. */
void tacit__coder_decode_all(uint32_t *numbers, const tacit__coder *coder, uint64_t key);

/* Room for the numbers of so many columns; and what a coder holds. */
tacit_status tacit__coder_init(tacit__coder *coder, int32_t columns, tacit_error *err);
void tacit__coder_clear(tacit__coder *coder);

tacit_status tacit__encoder_init(tacit__encoder *encoder, const tacit__coder *coder,
                                 const tacit__feed *feed, tacit_error *err);
void tacit__encoder_clear(tacit__encoder *encoder);

/* Keys of count items, by the stages laid out so far. Every combination must be
 * one the coder was made from. */
void tacit__encode(const void *encoder, int64_t from, int64_t count, uint64_t *keys);

/*
 * Items of a feed put together where their numbers agree: what
 * classes, the people in them, and projections of them are made of.
 */

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
tacit_status tacit__feed_rows(tacit__feed *feed, const tacit_frame *frame, const int *levels,
                              bool person, tacit_error *err);

/* Groups of rows on levels `from`, generalized to levels `to`. */
tacit_status tacit__feed_raised(tacit__feed *feed, const tacit__grouping *grouping,
                                const tacit_frame *frame, const int *from, const int *to,
                                tacit_error *err);

/* Groups as they are, where only some attributes count (a bit each; NULL: all), and the
 * person behind them if `last` is set. */
tacit_status tacit__feed_projected(tacit__feed *feed, const tacit__grouping *grouping,
                                   const uint64_t *columns, int32_t attributes, bool last,
                                   tacit_error *err);

struct tacit_classes {
    tacit__grouping
        groups;            /* a class each; its members are people where there is a person column */
    tacit__grouping pairs; /* distinct (class, person); empty without a person column */
    int64_t rows;
    int *levels; /* an attribute each */
    int sharers; /* who may free them, but for one */
};

/* What rolling up goes through: classes, or pairs of class and person. */
static inline int64_t tacit__classes_items(const tacit_classes *classes)
{
    return classes->pairs.count > 0 ? classes->pairs.count : classes->groups.count;
}

/* Whether rolling up is cheaper than counting rows: taking a class's key apart
 * costs several times as much as making a row's. */
static inline bool tacit__worth_rolling_up(const tacit_classes *classes)
{
    return tacit__classes_items(classes) < classes->rows / 8;
}

/* The bits of a frame's set, and whether an attribute is in a set; NULL is the set of all. */
static inline const uint64_t *tacit__frame_set(const tacit_frame *frame, int32_t set)
{
    return frame->sets + (size_t)set * tacit__bitset_words(frame->attribute_count);
}

static inline bool tacit__in_set(const uint64_t *set, int32_t attribute)
{
    return !set || tacit__bit_get(set, attribute);
}

/* The values of a class, an attribute each. */
static inline void tacit__classes_codes(uint32_t *codes, const tacit_classes *classes,
                                        int64_t index)
{
    tacit__coder_decode_all(codes, &classes->groups.coder, classes->groups.keys[index]);
}

/* Rows of the data. */
static inline int64_t tacit__frame_rows(const tacit_frame *frame)
{
    return frame->repeats || frame->elsewhere ? frame->repeated : tacit_table_rows(frame->table);
}

/* Refuses a quasi-identifier of too few or too many attributes. */
tacit_status tacit__frame_check(const tacit_frame *frame, tacit_error *err);

/* Refuses more attributes than TACIT_MAX_MASKED, for who: "mu-argus takes". */
tacit_status tacit__frame_masked(const tacit_frame *frame, const char *who, tacit_error *err);

/* Distinct values of an attribute on a level; missing is one while it stays
 * missing. Never 0. */
uint32_t tacit__distinct_on(const tacit_frame *frame, int32_t attribute, int level);

/* People in the whole table. Rows without a person count as one person's: they
 * could be, and k must hold in any case. */
int64_t tacit__people_of(const tacit_frame *frame);

/* The pairs of each class: list[starts[c]] up to list[starts[c + 1]]. */
typedef struct tacit__lists {
    int64_t *starts;
    uint32_t *list;
} tacit__lists;

/* Inverts item -> group. */
tacit_status tacit__lists_init(tacit__lists *lists, const uint32_t *group_of, int64_t items,
                               int64_t groups, tacit_error *err);
void tacit__lists_clear(tacit__lists *lists);

/* Class -> its pairs. Only with a person column. */
tacit_status tacit__classes_pairs(tacit__lists *lists, const tacit_classes *classes,
                                  const tacit_run *run, tacit_error *err);

/* The person of a pair, as the person column is coded. */
static inline uint32_t tacit__pair_person(const tacit_classes *classes, uint32_t pair)
{
    const tacit__coder *coder = &classes->pairs.coder;
    return (uint32_t)tacit__coder_decode(coder, classes->pairs.keys[pair], coder->columns - 1);
}

/* Compares two classes by their values, the first attribute first. */
int tacit__classes_compare(const tacit_classes *classes, int64_t a, int64_t b);

/*
 * Classes that were counted for a frame, for whoever counts next.
 */

/* Rows of each ground value of an attribute, NULL where they are not kept, and keeping them: a copy
 * each time. */
tacit_status tacit__counted_ground(uint32_t **out, const tacit_frame *frame, int32_t attribute,
                                   tacit_error *err);
tacit_status tacit__counted_keep_ground(const tacit_frame *frame, int32_t attribute,
                                        const uint32_t *counts, tacit_error *err);

/*
 * People counted once, so that their numbers add up over classes.
 */

/* How many people have their home in each class; the rows of each class where
 * every row is a person. The caller frees it with tacit__free. */
tacit_status tacit__home_people(uint32_t **out, const tacit_classes *classes,
                                const tacit_frame *frame, const tacit_run *run, tacit_error *err);

#endif
