/*
 * release_previous.h - a release that withstands being joined with earlier ones: the part of
 * `tacit anonymize` that takes the place of the search where there are some.
 */
#ifndef TACIT_CLI_RELEASE_PREVIOUS_H
#define TACIT_CLI_RELEASE_PREVIOUS_H

#include "attack.h"

struct cli_release;

enum { CLI_WAY_COLUMNS, CLI_WAY_GENERALIZE, CLI_WAYS };

/* What came of one way. */
typedef struct cli_way {
    bool found;
    double cost;   /* on the scale of both */
    char why[256]; /* not found: why not */
} cli_way;

/* NULL in a release without earlier ones. */
typedef struct cli_previous {
    char **names; /* columns of the data that earlier releases show */
    size_t name_count;
    struct cli_release *wide; /* the release with every shared column as a quasi-identifier */
    int32_t places[TACIT_MAX_QUASI];      /* an attribute of the release each: of the wide one */
    int32_t wide_places[TACIT_MAX_QUASI]; /* the other way round, -1 for the columns that joined */
    tacit_previous **matched;             /* an earlier release each */
    size_t count;
    int64_t added; /* rows that no earlier release has */
    cli_way ways[CLI_WAYS];
    int chosen;  /* -1: not yet */
    bool hidden; /* by columns: those that joined are suppressed altogether */
} cli_previous;

/* Reads the earlier releases that the policy names, and refuses what cannot be done with any. */
tacit_status cli_previous_open(struct cli_release *release);

/* The same for what a ledger has recalled, once the data is read. */
tacit_status cli_previous_recalled(struct cli_release *release);
void cli_previous_clear(struct cli_release *release);

/* The columns that earlier releases show and the data has. header may be NULL. */
void cli_previous_needs(cli_needs *needs, const tacit_table *header,
                        const struct cli_release *release);

/* Matches the earlier releases to the data, with all columns that they share with it. */
tacit_status cli_previous_match(struct cli_release *release);

/* The search: both ways, and the one that loses less. */
tacit_status cli_previous_search(struct cli_release *release);

/* The release that is made: the given one, or the one with more columns in its
 * quasi-identifier. */
struct cli_release *cli_previous_made(struct cli_release *release);

/* Goes on with the columns where a release that generalizes earlier ones was refused with that
 * status, and says whether there is anything to go on with. */
bool cli_previous_fall_back(struct cli_release *release, tacit_status status);

/* In three forms; only where there are earlier releases. */
void cli_previous_tell(const struct cli_release *release);
void cli_previous_account(tacit_account *account, const struct cli_release *release);
void cli_previous_page(tacit_page *page, const struct cli_release *release);

#endif
