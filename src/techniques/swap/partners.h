/*
 * partners.h - units that trade places: classes of units that are alike, and for each unit a
 * random one of its class in another area.
 */
#ifndef TACIT_TECHNIQUES_SWAP_PARTNERS_H
#define TACIT_TECHNIQUES_SWAP_PARTNERS_H

#include "base/error.h"
#include "base/random.h"

enum { TACIT__MOST_LEVELS = 16 };

/* Zero-initialized is empty. Classes, cells and at_risk are borrowed until it is cleared. */
typedef struct tacit__partners {
    const uint32_t *classes; /* of each unit */
    uint32_t class_count;
    const uint32_t *cells[TACIT__MOST_LEVELS]; /* of each unit: its class and area together */
    int levels;                                /* of areas */
    const bool *at_risk;
    uint32_t *pool;  /* units class by class, in each those at risk, then the others */
    int64_t *starts; /* two for each class: where they start in the pool */
    int64_t *open;   /* as starts: how many, in front, are not taken */
    uint32_t *where; /* of each unit in the pool */
    int64_t *left[TACIT__MOST_LEVELS]; /* two for each cell: not taken, at risk and others */
} tacit__partners;

/* Classes, cells, levels and at_risk are set. */
tacit_status tacit__partners_init(tacit__partners *partners, const uint32_t *cell_counts,
                                  int64_t units, tacit_error *err);
void tacit__partners_clear(tacit__partners *partners);

bool tacit__partners_taken(const tacit__partners *partners, uint32_t unit);
void tacit__partners_take(tacit__partners *partners, uint32_t unit);

/* Draws a partner in another area of a level for a unit that was taken: one at risk where there is
 * one. False where nobody is left. Takes nobody. */
bool tacit__partners_draw(uint32_t *partner, const tacit__partners *partners, uint32_t unit,
                          int level, tacit__random *random);

/* A unit of the class that is not at risk and not taken; false where there is none. */
bool tacit__partners_any(uint32_t *unit, const tacit__partners *partners, uint32_t class,
                         tacit__random *random);

#endif
