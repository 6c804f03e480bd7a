/*
 * kinds.h - items by their blanks, and who agrees with whom.
 *
 * Items with the same blanks are a kind. An item with blanks P agrees with one of a kind
 * with blanks Q where their classes agree in all columns outside both; so of each kind a
 * list by the values in those columns answers for every item with blanks P. A list is
 * made when it has been asked for a few times (until then, and in small kinds always, the
 * items are looked through), kept up to date, and dropped when there are too many: the one
 * that was not used the longest.
 *
 * In wide tables nearly every item can have blanks of its own. Where there are so many kinds
 * that asking each takes longer than sifting all items, that is done instead.
 */
#ifndef TACIT_RECORDS_AMBIGUATE_KINDS_H
#define TACIT_RECORDS_AMBIGUATE_KINDS_H

#include "records/ambiguate/lookup.h"
#include "records/ambiguate/packed.h"

/* Items by what they let through, for looking among many kinds of blanks.
 *
 * A column has a few buckets, and a value is in one of them. For each bucket there is a bit an
 * item: set where the item has a blank in the column or a value of the bucket. The items that
 * a row can agree with are those whose bits are set in the bucket of every value that it has, so
 * 64 of them are looked at in one step a column, and mostly a few columns leave none. Where
 * buckets hold several values, what is left has to be compared. */

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

/* ---- */

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
    size_t count, member_room, bits_room;
    size_t live;      /* members with rows */
    uint32_t *asking; /* those of the table below that are lists of this kind */
    size_t list_count, list_room;
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
    size_t asked_count, asked_room;
    tacit__map asked_map;        /* by kind and columns */
    int64_t listed, most_listed; /* members of all lists */
    uint64_t clock;
    struct tacit__where {
        uint32_t kind, place; /* TACIT__NONE: none */
    } * where;                /* an item each */
    uint32_t *found;          /* what the last look found: room for every item */
    int64_t found_count;
    size_t items, where_room, found_room;
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

/* Sifts from now on, where there are so many kinds; whether it does. */
tacit_status tacit__kinds_settle(bool *sifts, tacit__kinds *kinds, tacit_error *err);

/* count.c: the rows that each item agrees with: alpha. */
tacit_status tacit__kinds_count(int64_t *alpha, tacit__kinds *kinds, const tacit_run *run,
                                tacit_error *err);

/* For it: the list of a kind by those columns, asked for so many times more; *list is NULL
 * where looking through is as good. Valid until the next is asked for. */
tacit_status tacit__kinds_list(tacit__lookup **list, tacit__kinds *kinds, uint32_t kind,
                               uint64_t columns, uint32_t times, tacit_error *err);

#endif
