/*
 * explore.h - `tacit anonymize --explore`: what releases would be worth for
 * several k, losses and methods, without making one.
 *
 * A series is a method with a loss, and has a point for each k. Methods that
 * generalize cell by cell suppress no rows, so they have one series.
 */
#ifndef TACIT_CLI_EXPLORE_H
#define TACIT_CLI_EXPLORE_H

#include "release.h"

enum {
    CLI_EXPLORE_KS = 16,
    CLI_EXPLORE_LOSSES = TACIT_MAX_CURVES,
    CLI_EXPLORE_METHODS = TACIT_MAX_CURVES,
    CLI_EXPLORE_SERIES = CLI_EXPLORE_METHODS * CLI_EXPLORE_LOSSES
};

typedef enum cli_point_state {
    CLI_POINT_UNREACHED = 0, /* there was no time for it */
    CLI_POINT_KNOWN,
    CLI_POINT_NONE /* the method has no release that keeps the promise */
} cli_point_state;

typedef struct cli_point {
    cli_point_state state;
    tacit_metrics metrics;
    double lower_bound; /* of the cost; not a number where nothing is known */
    bool proven;        /* no release of the method's kind is better */
    bool stopped;       /* the search was; a better one may be found */
    double seconds;
} cli_point;

typedef struct cli_series {
    const tacit_method *method;
    double loss; /* not a number where no rows are suppressed */
    cli_point points[CLI_EXPLORE_KS];
} cli_series;

typedef struct cli_explore {
    cli_release *release;
    const tacit_method *methods[CLI_EXPLORE_METHODS];
    int method_count;
    int64_t ks[CLI_EXPLORE_KS]; /* ascending */
    int k_count;
    double losses[CLI_EXPLORE_LOSSES]; /* ascending */
    int loss_count;
    bool given_ks, given_losses; /* by the command line: none is left out or added */
    int64_t own_k;               /* the policy's; 0: none */
    double own_loss;             /* the same; not a number: none */
    cli_series series[CLI_EXPLORE_SERIES];
    int series_count;
    int done, all;       /* points */
    const char *stopped; /* by what, where not every point was reached */
    double seconds;      /* of all points */
} cli_explore;

/* Makes release->explore, which the caller frees, where the command line asks for
 * it. */
tacit_status cli_explore_open(cli_release *release);

/* Decides what is explored, or refuses what makes no sense, once the policy has
 * been read and before the data is. */
tacit_status cli_explore_plan(cli_release *release);

/* Leaves out what makes no sense for the data. */
void cli_explore_fit(cli_explore *explore);

/* Explores and tells, once the data has been read. */
tacit_status cli_explore_run(cli_release *release);

/* The table on the terminal, and the files of -o, --report and --html. */
tacit_status cli_explore_tell(cli_explore *explore);

/* Fills the page for people; the subject is a cli_explore. */
void cli_explore_page(tacit_page *page, const void *subject);

/* A share of rows as people write it ("2 %"), or "any" where no rows are suppressed. */
const char *cli_loss_text(char *text, size_t size, double loss);

/* The value at a point, of Prec or of the metric; not a number where it is not known. */
double cli_point_value(const cli_point *point, tacit_metric metric);

/* Decimals that show the values of a metric at all points. */
int cli_metric_decimals(const cli_explore *explore, tacit_metric metric);

/* What people call a metric: "Prec", and "loss score", for loss is what is suppressed. */
const char *cli_metric_title(tacit_metric metric);

/* How good what a method found is, in words: all proven, some, none known. */
const char *cli_proof_text(char *text, size_t size, const cli_explore *explore,
                           const tacit_method *method);

#endif
