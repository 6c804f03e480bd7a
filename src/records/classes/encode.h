/*
 * encode.h - a combination of values as one number, its key.
 *
 * A feed is a list of items (rows of a table, or groups counted before) with
 * a number in each of its columns; a map takes each number to the one that is
 * wanted. A coder gives every column a stride, and a key is the sum of numbers
 * times strides: positional notation with a base of its own at each place, the
 * first column the most significant. Where 64 bits do not hold all columns the
 * coder has stages: the keys of a stage that really occur are numbered
 * densely, and that number is the first digit of the next stage.
 */
#ifndef TACIT_RECORDS_CLASSES_ENCODE_H
#define TACIT_RECORDS_CLASSES_ENCODE_H

#include <tacit/base.h>
#include <tacit/experimental/records.h>

#include "base/hash.h"

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
    uint64_t domain[TACIT__MAX_DIGITS]; /* numbers of a column are below it */
    uint64_t stride[TACIT__MAX_DIGITS];
    tacit__stage stage[TACIT__MAX_DIGITS];
    int32_t stages; /* that are laid out */
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
    int32_t columns;
    tacit__feed_column column[TACIT__MAX_DIGITS];
} tacit__feed;

/* A coder at work on a feed. */
typedef struct tacit__encoder {
    const tacit__coder *coder;
    const tacit__feed *feed;
    uint64_t *terms[TACIT__MAX_DIGITS]; /* number -> its part of the key; NULL: number * stride */
} tacit__encoder;

/* Rows that are encoded in one piece; their keys stay in the first cache. */
enum { TACIT__ENCODE_BLOCK = 2048 };

void tacit__feed_clear(tacit__feed *feed);

/* Lays out the next stage of a coder for as many columns as it holds. groups is
 * the number of distinct keys of the stage before. Returns whether columns are
 * left over. */
bool tacit__coder_extend(tacit__coder *coder, const tacit__feed *feed, int64_t groups);
void tacit__coder_clear(tacit__coder *coder);

/* The column's number in a key of the last stage. */
uint64_t tacit__coder_decode(const tacit__coder *coder, uint64_t key, int32_t column);

tacit_status tacit__encoder_init(tacit__encoder *encoder, const tacit__coder *coder,
                                 const tacit__feed *feed, tacit_error *err);
void tacit__encoder_clear(tacit__encoder *encoder);

/* Keys of count items, by the stages laid out so far. Every combination must be
 * one the coder was made from. */
void tacit__encode(const tacit__encoder *encoder, int64_t from, int64_t count, uint64_t *keys);

#endif
