/*
 * kinds.h - who agrees with whom: codes in a few bits, items put together where they agree, and
 * items by their blanks.
 *
 * Packed codes: a column has a field of bits in one word of a class, so that whether two classes
 * agree in any set of columns is an exclusive or and a sieve a word. A sieve has the fields of some
 * columns set; that of the columns that two sets share is that of the one and that of the other.
 *
 * A lookup puts items together where their classes agree in some columns: who agrees with a class
 * is one look. An item is known by its place in the array that the list is of; chains go from the
 * youngest place to the oldest.
 *
 * Items with the same blanks are a kind. An item with blanks P agrees with one of a kind with
 * blanks Q where their classes agree in all columns outside both; so of each kind a lookup by the
 * values in those columns answers for every item with blanks P. A list is made when it has been
 * asked for a few times (until then, and in small kinds always, the items are looked through), kept
 * up to date, and dropped when there are too many: the one that was not used the longest. In wide
 * tables nearly every item can have blanks of its own; where there are so many kinds that asking
 * each takes longer than sifting all items, that is done instead.
 */
#ifndef TACIT_RECORDS_AMBIGUATE_KINDS_H
#define TACIT_RECORDS_AMBIGUATE_KINDS_H

#include "base/map.h"
#include "records/ambiguate/ambiguate.h"

enum { TACIT__PACKED_WORDS = 32 }; /* 64 columns of 32 bits */

typedef struct tacit__packed {
    int32_t columns;
    int32_t words;      /* a class */
    int32_t word[64];   /* a column each: where its field is ... */
    uint64_t field[64]; /* and which bits; none where all values are the same */
    uint64_t *bits;     /* class by class */
} tacit__packed;

tacit_status tacit__packed_init(tacit__packed *packed, const tacit__tableau *tableau,
                                tacit_error *err);
void tacit__packed_clear(tacit__packed *packed);

/* The fields of some columns, a word each of a class. */
void tacit__packed_sieve(uint64_t *sieve, const tacit__packed *packed, uint64_t columns);

static inline const uint64_t *tacit__packed_bits(const tacit__packed *packed, int64_t class_index)
{
    return packed->bits + class_index * packed->words;
}

static inline bool tacit__packed_agree(const uint64_t *a, const uint64_t *b, const uint64_t *sieve,
                                       int32_t words)
{
    uint64_t differ = 0;
    for (int32_t w = 0; w < words; w++)
        differ |= (a[w] ^ b[w]) & sieve[w];
    return !differ;
}

static inline uint64_t tacit__packed_hash(const uint64_t *bits, const uint64_t *sieve,
                                          int32_t words)
{
    uint64_t hash = 0;
    for (int32_t w = 0; w < words; w++)
        hash = tacit__mix(hash + (bits[w] & sieve[w]));
    return hash;
}

/* ---- lookups ---- */

/* Items that agree. */
typedef struct tacit__lookup_group {
    int64_t rows, pending; /* for who counts with the list; 0 otherwise */
    uint32_t class_index;  /* of one of them */
    uint32_t first;        /* place of the youngest */
} tacit__lookup_group;

/* Zero-initialized is none. */
typedef struct tacit__lookup {
    const tacit__packed *packed; /* borrowed */
    uint64_t *sieve;
    tacit__map map; /* of groups, by their values */
    tacit__lookup_group *groups;
    size_t group_count, group_capacity;
    uint32_t *next; /* place -> the next of its group, or TACIT__NONE */
    size_t members, member_capacity;
} tacit__lookup;

/* An empty list of the columns of a sieve, with room for so many members. */
tacit_status tacit__lookup_init(tacit__lookup *list, const tacit__packed *packed,
                                const uint64_t *sieve, int64_t room, tacit_error *err);
void tacit__lookup_clear(tacit__lookup *list);

/* Adds the item of the next place. */
tacit_status tacit__lookup_add(tacit__lookup *list, uint32_t class_index, tacit_error *err);

/* The group that a class agrees with, or NULL. */
tacit__lookup_group *tacit__lookup_find(const tacit__lookup *list, uint32_t class_index);

/* ---- kinds ---- */

/* Zero-initialized is none. */
typedef struct tacit__sift {
    const tacit__packed *packed; /* borrowed; NULL: none */
    int32_t order[64];           /* columns, those of the most bits first */
    size_t words;                /* room for 64 items each */
    uint64_t *bits;              /* column by column, bucket by bucket */
    uint64_t *live;              /* items that are looked for */
} tacit__sift;

typedef struct tacit__member {
    uint32_t item;
    uint32_t class_index;
    int64_t rows; /* 0: not there at the moment */
} tacit__member;

typedef struct tacit__kind {
    uint64_t mask;   /* its blanks */
    uint64_t *sieve; /* of the columns that are not blank */
    tacit__member *members;
    uint64_t *bits; /* of the members' classes, beside each other for looking through */
    size_t count, member_capacity, bits_capacity;
    size_t live;      /* members with rows */
    uint32_t *asking; /* those of the table below that are lists of this kind */
    size_t list_count, list_capacity;
} tacit__kind;

/* A list, or how often one was asked for. */
typedef struct tacit__ambiguate_asked {
    uint32_t kind;
    uint32_t times;
    uint64_t columns; /* in which its items are put together */
    uint64_t used;    /* when last */
    bool made;
    tacit__lookup list;
} tacit__ambiguate_asked;

typedef struct tacit__kinds {
    const tacit__packed *packed; /* borrowed */
    tacit__kind *kinds;          /* the first has no blanks */
    size_t count, room;
    tacit__numbering masks; /* of the kinds */
    tacit__sift sift;       /* none: lists are asked */
    tacit__ambiguate_asked *asked;
    size_t asked_count, asked_capacity;
    tacit__map asked_map;       /* by kind and columns */
    int64_t listed, max_listed; /* members of all lists */
    uint64_t clock;
    struct tacit__where {
        uint32_t kind, place; /* TACIT__NONE: none */
    } * where;                /* an item each */
    uint32_t *found;          /* what the last look found: room for every item */
    int64_t found_count;
    size_t items, where_capacity, found_capacity;
} tacit__kinds;

tacit_status tacit__kinds_init(tacit__kinds *kinds, const tacit__packed *packed, int64_t classes,
                               tacit_error *err);
void tacit__kinds_clear(tacit__kinds *kinds);

/* Adds the next item, still without rows. */
tacit_status tacit__kinds_add(tacit__kinds *kinds, uint32_t class_index, uint64_t mask,
                              tacit_error *err);

/* Sees to it that an item is found when it has rows; one that had none for long is not. */
tacit_status tacit__kinds_wake(tacit__kinds *kinds, uint32_t item, uint32_t class_index,
                               uint64_t mask, tacit_error *err);

/* Gives an item so many rows more or less. */
void tacit__kinds_rows(tacit__kinds *kinds, uint32_t item, int64_t more);

/* Looks for all items with rows that agree with a class that had these blanks: `found`. */
tacit_status tacit__kinds_look(tacit__kinds *kinds, uint32_t class_index, uint64_t mask,
                               tacit_error *err);

/* Whether an item agrees with a class; sieve: the columns that it has. */
static inline bool tacit__kinds_agree(const tacit__kinds *kinds, uint32_t item,
                                      uint32_t class_index, const uint64_t *sieve)
{
    const tacit__kind *kind = &kinds->kinds[kinds->where[item].kind];
    const uint64_t *own = tacit__packed_bits(kinds->packed, class_index);
    const uint64_t *bits =
        kind->bits + (size_t)kinds->where[item].place * (size_t)kinds->packed->words;
    uint64_t differ = 0;
    for (int32_t w = 0; w < kinds->packed->words; w++)
        differ |= (own[w] ^ bits[w]) & sieve[w] & kind->sieve[w];
    return !differ;
}

/* The rows that each item agrees with: alpha. */
tacit_status tacit__kinds_count(int64_t *alpha, tacit__kinds *kinds, const tacit_run *run,
                                tacit_error *err);

#endif
