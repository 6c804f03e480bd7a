/*
 * partners.h - units (records, or households of them) that look for another one to trade places
 * with: of the same class, in another place, not taken yet; those at risk first.
 */
#ifndef TACIT_TECHNIQUES_SWAP_PARTNERS_H
#define TACIT_TECHNIQUES_SWAP_PARTNERS_H

#include "techniques/runner/technique.h"

typedef struct tacit__partners {
    const uint32_t *classes; /* of each unit */
    const uint32_t *cells;   /* of each unit: its class and place together */
    const bool *at_risk;
    uint32_t class_count;
    uint32_t *pool;  /* units class by class, in each those at risk, then the others */
    int64_t *starts; /* two for each class: where they start in the pool */
    int64_t *open;   /* as starts: how many, in front, are not taken */
    uint32_t *where; /* of each unit in the pool */
    int64_t *left;   /* two for each cell: units that are not taken, at risk and others */
} tacit__partners;

/* classes, cells and at_risk are borrowed. */
tacit_status tacit__partners_init(tacit__partners *partners, const uint32_t *classes,
                                  uint32_t class_count, const uint32_t *cells, uint32_t cell_count,
                                  const bool *at_risk, int64_t count, tacit_error *err);
void tacit__partners_clear(tacit__partners *partners);

/* Whether a unit has been taken. */
bool tacit__partners_taken(const tacit__partners *partners, uint32_t unit);

/* Takes the unit and draws a partner for it, which it takes too: one at risk where there is one.
 * False where nobody is left in another place. */
bool tacit__partners_draw(tacit__partners *partners, uint32_t *partner, uint32_t unit,
                          tacit__random *random);

/* A unit of the class that is not at risk and not taken; false where there is none. */
bool tacit__partners_any(const tacit__partners *partners, uint32_t *unit, uint32_t class,
                         tacit__random *random);

#endif
