/*
 * attack_link.h - what linking to registers found, for the files that tell it.
 */
#ifndef TACIT_CLI_ATTACK_LINK_H
#define TACIT_CLI_ATTACK_LINK_H

#include "registers.h"

typedef struct cli_linked {
    cli_registers registers; /* the first register's cells, for --show; else only files and names */
    tacit_link *link;
    tacit_link_unique *unique; /* by combinations of columns; NULL: not asked for */
    int32_t unique_count;
    int64_t k;
} cli_linked;

/* The columns of a set by their names, cut to size. */
const char *cli_linked_names(char *out, size_t size, const cli_linked *found, uint64_t columns);

/* A bin of the distribution: "0", "5-9", "10000 or more". */
typedef struct cli_linked_bin {
    char text[32];
} cli_linked_bin;
cli_linked_bin cli_linked_bin_name(int bin);

/* "holds", "broken" or "unknown". */
const char *cli_linked_verdict(tacit_link_verdict verdict);

/* Records that are somebody's for all that is known: one candidate, and not known to be another. */
int64_t cli_linked_exposed(const cli_linked *found);

/* People who find their record by it alone: they could be no other, and it is not known to be
 * another's. */
int64_t cli_linked_found(const cli_linked *found);

/* A sentence on each of the three models. */
enum { CLI_LINKED_MODELS = 3 };
typedef struct cli_linked_model {
    const char *name;
    tacit_link_verdict verdict;
    char text[320];
} cli_linked_model;
void cli_linked_models(cli_linked_model models[CLI_LINKED_MODELS], const cli_linked *found);

/* attack_link_page.c */
void cli_linked_account(tacit_account *account, const void *found, const cli_case *c);
void cli_linked_page(tacit_page *page, const void *found, const cli_case *c);

/* attack_link_rows.c: the file of --linked, and the people of --show. */
tacit_status cli_linked_write(const cli_linked *found, const cli_case *c, tacit_error *err);
void cli_linked_show(FILE *to, const cli_linked *found);

#endif
