/*
 * list.h - classes as lists of packed keys, for rolling up thousands of
 * nodes of a lattice.
 *
 * A key has a field of bits for each attribute, the first one the most
 * significant, so keys are in the order of values. Fields never straddle words;
 * quasi-identifiers that need more than 63 bits have keys of several words. With
 * a person column the person is the last field, and an entry of a list is a pair
 * of class and person.
 */
#ifndef TACIT_RECORDS_MINGEN_LIST_H
#define TACIT_RECORDS_MINGEN_LIST_H

#include "records/classes/encode.h"

/* What the attributes' values become, level by level. */
typedef struct tacit__ladders {
    const tacit_frame *frame;
    int32_t attributes;
    uint32_t people; /* numbers of the person column; 0: there is none */
    int heights[TACIT_MAX_ATTRIBUTES];
    uint32_t values[TACIT_MAX_ATTRIBUTES][TACIT_MAX_LEVELS];
    uint32_t *up[TACIT_MAX_ATTRIBUTES][TACIT_MAX_LEVELS]; /* number on a level -> on the next */
    uint32_t *memory;
} tacit__ladders;

tacit_status tacit__ladders_init(tacit__ladders *ladders, const tacit_frame *frame,
                                 tacit_error *err);
void tacit__ladders_clear(tacit__ladders *ladders);

/* Combinations of values that there could be on these levels. */
double tacit__combinations(const tacit__ladders *ladders, const uint8_t *levels);

typedef struct tacit__mingen_layout {
    int32_t fields; /* the attributes, and the person where pairs are listed */
    int32_t words;  /* of a key */
    int32_t bits;   /* in use, of the first word */
    uint8_t word[TACIT__MAX_DIGITS];
    uint8_t shift[TACIT__MAX_DIGITS];
    uint8_t width[TACIT__MAX_DIGITS]; /* 0: one value only */
} tacit__mingen_layout;

enum { TACIT__WORD_BITS = 63 };

/* The layout of a node's keys. */
void tacit__layout_init(tacit__mingen_layout *layout, const tacit__ladders *ladders,
                        const uint8_t *levels, bool person);

/* A coder whose strides are the fields of a one-word layout. */
void tacit__layout_coder(tacit__coder *coder, const tacit__mingen_layout *layout);

static inline uint32_t tacit__field(const tacit__mingen_layout *layout, const uint64_t *key,
                                    int32_t field)
{
    uint64_t mask = (UINT64_C(1) << layout->width[field]) - 1;
    return (uint32_t)(key[layout->word[field]] >> layout->shift[field] & mask);
}

/* Distinct keys with their rows. */
typedef struct tacit__list {
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    tacit__mingen_layout layout;
    int64_t count;
    uint64_t *keys; /* layout.words each */
    uint32_t *rows;
    uint32_t *tallies; /* entries that went into each; NULL where nobody asked */
    bool owned;        /* its arrays; otherwise they are a desk's */
    int holders;
} tacit__list;

void tacit__list_clear(tacit__list *list);

/* A list on the heap, with one holder; takes over what `list` owns, copies the rest. */
tacit_status tacit__list_keep(tacit__list **out, tacit__list *list, tacit_error *err);
tacit__list *tacit__list_hold(tacit__list *list);
void tacit__list_release(tacit__list *list);
size_t tacit__list_bytes(const tacit__list *list);

/* Room to count in, one for each worker. Zero-initialized is empty. */
typedef struct tacit__desk {
    uint64_t *keys;
    uint32_t *rows;
    uint32_t *tallies;
    uint32_t *slots;
    uint64_t *tables;
    size_t key_words, row_count, tally_count, slot_count, table_count;
} tacit__desk;

void tacit__desk_clear(tacit__desk *desk);

/* Lists longer than this are rolled up on all cores, one after the other. */
enum { TACIT__LONG_LIST = 1 << 18 };

/* How a list is rolled up. */
typedef struct tacit__raise {
    const tacit__ladders *ladders;
    const tacit__list *from;
    const uint8_t *levels; /* nowhere below those of the list */
    bool person;           /* whether entries of the result still have one */
    bool tally;
    const tacit_run *run; /* for long lists */
} tacit__raise;

/* Entries of a list on higher levels. The result lies on the desk, unless the list
 * is long; it stays until the desk is used again. Clear it in any case. */
tacit_status tacit__list_raise(tacit__list *out, tacit__desk *desk, const tacit__raise *how,
                               tacit_error *err);

/* The same from the rows of the table. most: how many rows are looked at. */
tacit_status tacit__list_rows(tacit__list *out, const tacit__ladders *ladders,
                              const uint8_t *levels, int64_t most, const tacit_run *run,
                              tacit_error *err);

#endif
