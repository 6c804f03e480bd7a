/*
 * ladder.h - the rungs that an attribute's values may stand on in the release:
 * a hierarchy bound to the original, or to a register of people, by the judge
 * itself, with each of its values looked up in the release's dictionary.
 */
#ifndef TACIT_AUDIT_ROWS_LADDER_H
#define TACIT_AUDIT_ROWS_LADDER_H

#include "audit/judge/judge.h"
#include "audit/rows/words.h"

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

#endif
