/*
 * remap.h - keys of one node from keys of a node below.
 */
#ifndef TACIT_RECORDS_MINGEN_REMAP_H
#define TACIT_RECORDS_MINGEN_REMAP_H

#include "records/mingen/list.h"

typedef enum tacit__passage {
    TACIT__MOVED,     /* no field of it changes */
    TACIT__LOOKED_UP, /* in a table over all its bits */
    TACIT__WALKED     /* a single field, from level to level */
} tacit__passage;

/* A stretch of bits that is worked on as one. */
typedef struct tacit__stretch {
    tacit__passage passage;
    int32_t first, last; /* its fields */
    uint8_t word, to_word;
    uint8_t shift, to_shift;
    uint64_t mask;
    const uint64_t *table; /* what lies under the mask -> its part of the new key */
} tacit__stretch;

typedef struct tacit__remap {
    const tacit__ladders *ladders;
    const tacit__list *from;
    const uint8_t *levels;
    const tacit__layout *to;
    int32_t stretches;
    tacit__stretch stretch[TACIT__MAX_DIGITS];
} tacit__remap;

/* Prepares to raise the entries of a list; tables lie on the desk. */
tacit_status tacit__remap_init(tacit__remap *remap, tacit__desk *desk, const tacit__raise *how,
                               const tacit__layout *to, tacit_error *err);

/* New keys of some entries, remap->to->words each. context is a tacit__remap. */
void tacit__remap_keys(const void *context, int64_t from, int64_t count, uint64_t *keys);

#endif
