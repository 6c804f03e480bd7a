/*
 * urns.h - values to draw from, class by class, each with a weight.
 */
#ifndef TACIT_TECHNIQUES_CATEGORIES_URNS_H
#define TACIT_TECHNIQUES_CATEGORIES_URNS_H

#include "techniques/runner/technique.h"

/* A row that keeps its value. */
#define TACIT__NO_ENTRY UINT32_MAX

typedef struct tacit__urn_entry {
    tacit__cell cell;
    uint32_t class;
    int64_t weight;
} tacit__urn_entry;

typedef struct tacit__urns {
    uint32_t *entry_of; /* of each row, or TACIT__NO_ENTRY */
    tacit__urn_entry *entries;
    uint32_t count, class_count;
    int64_t *before;  /* weights of the entries before each; one more */
    uint32_t *starts; /* of each class among the entries; one more */
} tacit__urns;

/* Room for so many entries, of weight 0. */
tacit_status tacit__urns_init(tacit__urns *urns, int64_t rows, uint32_t entries, uint32_t classes,
                              tacit_error *err);
void tacit__urns_clear(tacit__urns *urns);

/* To be called when entries and entry_of are filled in, before any draw. Puts entries class by
 * class, and entry_of after them. */
tacit_status tacit__urns_finish(tacit__urns *urns, int64_t rows, tacit_error *err);

/* Another entry of the entry's class, or itself: as likely as it weighs. With another, itself only
 * where no other one weighs anything. */
uint32_t tacit__urns_draw(const tacit__urns *urns, uint32_t entry, bool another,
                          tacit__random *random);

#endif
