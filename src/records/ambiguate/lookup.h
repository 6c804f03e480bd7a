/*
 * lookup.h - items put together where their classes agree in some columns: who
 * agrees with a class is one look.
 *
 * An item is known by its place in the array that the list is of. Chains go from the
 * youngest place to the oldest.
 */
#ifndef TACIT_RECORDS_AMBIGUATE_LOOKUP_H
#define TACIT_RECORDS_AMBIGUATE_LOOKUP_H

#include "base/map.h"
#include "records/ambiguate/packed.h"

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
    size_t group_count, group_room;
    uint32_t *next; /* place -> the next of its group, or TACIT__NONE */
    size_t members, member_room;
} tacit__lookup;

/* An empty list of the columns of a sieve, with room for so many members. */
tacit_status tacit__lookup_init(tacit__lookup *list, const tacit__packed *packed,
                                const uint64_t *sieve, int64_t room, tacit_error *err);
void tacit__lookup_clear(tacit__lookup *list);

/* Adds the item of the next place. */
tacit_status tacit__lookup_add(tacit__lookup *list, uint32_t class_index, tacit_error *err);

/* The group that a class agrees with, or NULL. */
tacit__lookup_group *tacit__lookup_find(const tacit__lookup *list, uint32_t class_index);

#endif
