/*
 * release.h - a release in the making: the state of `tacit anonymize`, which
 * cmd_anonymize.c fills step by step and release_account.c and release_page.c
 * only read.
 */
#ifndef TACIT_CLI_RELEASE_H
#define TACIT_CLI_RELEASE_H

#include "ask.h"
#include "attack.h"
#include "blanks.h"
#include "dependencies.h"
#include "ledger.h"
#include "masking.h"
#include "models.h"
#include "population.h"
#include "promise.h"
#include "release_previous.h"
#include "release_rows.h"
#include "release_scrub.h"
#include "session.h"

/* What a release has lost, and who can be told from it (measured.h). */
typedef struct cli_measured {
    bool wanted; /* even where there are no techniques */
    tacit_loss *loss;
    tacit_relink *relinked;
} cli_measured;

/* All steps; those up to what exploring needs; those that do not make the file appear; and which
 * one reads. */
enum { CLI_RELEASE_STEPS = 10, CLI_EXPLORED_STEPS = 3, CLI_UNSEEN_STEPS = 9, CLI_STEP_READ = 1 };

typedef struct cli_release {
    cli_session *session;
    const struct cli_release *asked; /* the release that this one is wider than; NULL: none */
    struct cli_explore *explore;     /* NULL: a release is made; see explore.h */
    const char *data;                /* the file of the records */
    const char *target;              /* "-": standard output */
    bool unseen;                     /* made to be measured, and will not appear */
    tacit_policy *policy;
    cli_promise promise;
    bool policy_checked;
    cli_masking masking; /* techniques, which come first */
    tacit_table *table;  /* the data, or what techniques made of it */
    tacit_hierarchy *hierarchies[TACIT_MAX_QUASI];
    tacit_attribute attributes[TACIT_MAX_QUASI];
    cli_models models;
    cli_population population;
    tacit_frame frame;
    tacit_records_options wanted;
    const tacit_method *method;
    cli_ask ask;       /* for mu-argus */
    cli_blanks blanks; /* for ambiguate */
    cli_dependencies dependencies;
    cli_earlier earlier;      /* what was released of this data before */
    cli_previous *previous;   /* how the release withstands that */
    bool withstands;          /* what a ledger recalls can be withstood that way, too */
    bool unsafe;              /* write what the judge refuses */
    tacit_solution *solution; /* without its classes once measured */
    tacit_application *application;
    tacit_metrics metrics;
    bool has_sizes; /* sizes of classes are only counted for a report */
    tacit_size_bins before, after;
    tacit_strview examples[TACIT_MAX_QUASI]; /* a released value of each attribute */
    int64_t level_rows[TACIT_MAX_QUASI * TACIT_MAX_LEVELS];
    tacit_pseudonyms *pseudonyms;
    cli_scrubbed_text scrubbed;
    cli_row_pseudonyms row_pseudonyms;
    tacit_csv_column *columns;
    tacit_csv_layout layout;
    tacit_output *output;
    tacit_verdict *verdict;
    cli_ledger *ledger; /* of the run: shared by all that is made in it */
    cli_case c;         /* the release as attacks see it; without its table once they are over */
    cli_found found;
    cli_found unprotected; /* the same attacks on the data as it is; only for a report */
    cli_ads ads;
    cli_measured measured;
    double seconds[CLI_RELEASE_STEPS];
    double total;
} cli_release;

/* Names of the steps, in the order of the seconds. */
extern const char *const cli_release_steps[CLI_RELEASE_STEPS];

/* Everything that can be refused before the data is read. The session and the target are given, and
 * the policy where it is not that of the command line. */
tacit_status cli_release_prepare(cli_release *release);

/* The first steps, or all. */
tacit_status cli_release_make(cli_release *release, int count);

/* The release as attacks see it, as far as it has come. */
cli_case cli_release_case(const cli_release *release);

/* The method by its name; a technique that stands for one by its own. */
const char *cli_release_method(const cli_release *release);

/* Reads the data, once the policy fits its header, and warns of what leaves as it is. */
tacit_status cli_release_read(cli_release *release);

/* What its values may become, and the frame that methods take. */
tacit_status cli_release_bind(cli_release *release);

/* How much may be suppressed, and for how long a method may look. */
void cli_release_limits(cli_release *release);

/* Has the method look for a solution, within the limits of the policy or those that `wanted` has
 * already. */
tacit_status cli_release_search(cli_release *release);
tacit_status cli_release_solve(cli_release *release);

/* trail: k (release_trails.c): what it does not go with, and the search. */
tacit_status cli_trails_check(const cli_release *release);
tacit_status cli_trails_search(cli_release *release);

/* The key of pseudonyms, once; a new one is told of. */
tacit_status cli_release_pseudonyms(cli_release *release);

/* Frees what the release holds, not itself. */
void cli_release_clear(cli_release *release);

/* Reads the release back from its output and has it judged. TACIT_INFEASIBLE where the promise
 * is broken. */
tacit_status cli_release_judge(cli_release *release);

/* Makes the release appear, with its entry in the ledger before it. */
tacit_status cli_release_commit(cli_release *release);

/* Names of the released columns: what a release without a header is read by. To be freed; NULL
 * when out of memory. */
tacit_strview *cli_released_columns(const cli_release *release);

/* The layout of the release: which columns go in, made from what. */
tacit_status cli_release_layout(cli_release *release);

/* Metrics, sizes and examples, after which the classes are not needed. */
tacit_status cli_release_measure(cli_release *release);

/* What the search knows: a bound on the cost, how much of the cost could be saved
 * at most (not a number where nothing is known), and both in words. */
double cli_search_bound(const cli_release *release);
double cli_search_gap(const cli_release *release);
const char *cli_search_sentence(char *text, size_t size, const cli_release *release);

/* The account on the terminal, and the files of --report and --html. */
void cli_release_tell(cli_release *release);
tacit_status cli_release_report(cli_release *release);

/* What ambiguation did, in each of the three forms; only where the method is one that
 * ambiguates. */
bool cli_release_ambiguates(const cli_release *release);
void cli_blanks_tell(const cli_release *release);
void cli_blanks_account(tacit_account *account, const cli_release *release);
void cli_blanks_page(tacit_page *page, const cli_release *release);

/* Fills the page for people; the subject is a cli_release. */
void cli_release_page(tacit_page *page, const void *subject);

#endif
