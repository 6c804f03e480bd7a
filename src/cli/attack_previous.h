/*
 * attack_previous.h - what the attack with earlier releases has found, and how it is told.
 */
#ifndef TACIT_CLI_ATTACK_PREVIOUS_H
#define TACIT_CLI_ATTACK_PREVIOUS_H

#include "attack.h"
#include "grid.h"

enum { CLI_JOINED_SHOWN = 10 }; /* exposed rows that are named */

/* The join with one earlier release, in numbers. */
typedef struct cli_joined_step {
    char name[128];
    tacit_joined sums; /* without its arrays */
    int64_t rows;
} cli_joined_step;

typedef struct cli_joined_rows {
    cli_joined_step *steps;
    int32_t count;
    int64_t rows, k;
    bool by_candidates;
    int64_t exposed;  /* rows that are surely exposed, or traced */
    int64_t possible; /* rows that would be, if the right person were behind them */
    int64_t sure, traced;
    int64_t fewest; /* of exposed rows: rows that share a box, or candidates where these are what is
                       promised */
    int64_t finer;  /* rows with a value finer than released, all joins together */
    int64_t classes, smallest; /* of the table that they form */
    int64_t places[CLI_JOINED_SHOWN];
    int64_t numbers[CLI_JOINED_SHOWN]; /* of rows alike, or candidates */
    int shown;
    cli_grid cells; /* of these rows, where they are to be shown */
    const char **header;
} cli_joined_rows;

/* As cli_attack has them; found is a cli_joined_rows. */
void cli_previous_sentence(char *out, size_t size, const void *found, const cli_case *c);
void cli_joined_tell(FILE *to, const void *found, const cli_case *c);
void cli_joined_account(tacit_account *account, const void *found, const cli_case *c);
void cli_joined_page(tacit_page *page, const void *found, const cli_case *c);

#endif
