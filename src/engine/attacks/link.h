/*
 * link.h - what linking to registers found, for the files that tell it.
 */
#ifndef TACIT_ENGINE_ATTACKS_LINK_H
#define TACIT_ENGINE_ATTACKS_LINK_H

#include "engine/attacks/registers.h"

typedef struct engine_linked {
    engine_registers
        registers; /* the first register's cells, for --show; else only files and names */
    tacit_link *link;
    tacit_link_unique *unique; /* by combinations of columns; NULL: not asked for */
    int32_t unique_count;
    int64_t k;
} engine_linked;

/* The columns of a set by their names, cut to size. */
const char *engine_linked_names(char *out, size_t size, const engine_linked *found,
                                uint64_t columns);

/* A bin of the distribution: "0", "5-9", "10000 or more". */
typedef struct engine_linked_bin {
    char text[32];
} engine_linked_bin;
engine_linked_bin engine_linked_bin_name(int bin);

/* "holds", "broken" or "unknown". */
const char *engine_linked_verdict(tacit_link_verdict verdict);

/* Records that are somebody's for all that is known: one candidate, and not known to be another. */
int64_t engine_linked_exposed(const engine_linked *found);

/* People who find their record by it alone: they could be no other, and it is not known to be
 * another's. */
int64_t engine_linked_found(const engine_linked *found);

/* A sentence on each of the three models. */
enum { ENGINE_LINKED_MODELS = 3 };
typedef struct engine_linked_model {
    const char *name;
    tacit_link_verdict verdict;
    char text[320];
} engine_linked_model;
void engine_linked_models(engine_linked_model models[ENGINE_LINKED_MODELS],
                          const engine_linked *found);

/* link_page.c */
void engine_linked_account(tacit_account *account, const void *found, const engine_case *c);
void engine_linked_page(tacit_page *page, const void *found, const engine_case *c);

/* link_rows.c: the file of --linked, and the people of --show. */
tacit_status engine_linked_write(const engine_linked *found, const engine_case *c,
                                 tacit_error *err);
void engine_linked_show(FILE *to, const engine_linked *found);

#endif
