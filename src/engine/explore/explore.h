/*
 * explore.h - `tacit anonymize --explore`: what releases would be worth for
 * several k, losses and methods, without making one.
 *
 * A series is a method with a loss, and has a point for each k. Methods that
 * generalize cell by cell suppress no rows, so they have one series.
 */
#ifndef TACIT_ENGINE_EXPLORE_EXPLORE_H
#define TACIT_ENGINE_EXPLORE_EXPLORE_H

#include "engine/records/release.h"

enum {
    ENGINE_EXPLORE_KS = 16,
    ENGINE_EXPLORE_LOSSES = TACIT_MAX_CURVES,
    ENGINE_EXPLORE_METHODS = TACIT_MAX_CURVES,
    ENGINE_EXPLORE_SERIES = ENGINE_EXPLORE_METHODS * ENGINE_EXPLORE_LOSSES
};

typedef enum engine_point_state {
    ENGINE_POINT_UNREACHED = 0, /* there was no time for it */
    ENGINE_POINT_KNOWN,
    ENGINE_POINT_NONE /* the method has no release that keeps the promise */
} engine_point_state;

typedef struct engine_point {
    engine_point_state state;
    tacit_metrics metrics;
    double lower_bound; /* of the cost; not a number where nothing is known */
    bool proven;        /* no release of the method's kind is better */
    bool stopped;       /* the search was; a better one may be found */
    double seconds;
} engine_point;

typedef struct engine_series {
    const tacit_method *method;
    double loss; /* not a number where no rows are suppressed */
    engine_point points[ENGINE_EXPLORE_KS];
} engine_series;

typedef struct engine_explore {
    engine_release *release;
    const tacit_method *methods[ENGINE_EXPLORE_METHODS];
    int method_count;
    int64_t ks[ENGINE_EXPLORE_KS]; /* ascending */
    int k_count;
    double losses[ENGINE_EXPLORE_LOSSES]; /* ascending */
    int loss_count;
    bool given_ks, given_losses; /* by the command line: none is left out or added */
    int64_t own_k;               /* the policy's; 0: none */
    double own_loss;             /* the same; not a number: none */
    engine_series series[ENGINE_EXPLORE_SERIES];
    int series_count;
    int done, all;       /* points */
    const char *stopped; /* by what, where not every point was reached */
    double seconds;      /* of all points */
} engine_explore;

/* Makes release->explore, which the caller frees, where the command line asks for
 * it. */
tacit_status engine_explore_open(engine_release *release);

/* Decides what is explored, or refuses what makes no sense, once the policy has
 * been read and before the data is. */
tacit_status engine_explore_plan(engine_release *release);

/* Leaves out what makes no sense for the data. */
void engine_explore_fit(engine_explore *explore);

/* Explores and tells, once the data has been read. */
tacit_status engine_explore_run(engine_release *release);

/* The table on the terminal, and the files of -o, --report and --html. */
tacit_status engine_explore_tell(FILE *out, engine_explore *explore);
extern const engine_reports engine_explore_reports;

/* Fills the page for people; the subject is a engine_explore. */
void engine_explore_page(tacit_page *page, const void *subject);

/* A share of rows as people write it ("2 %"), or "any" where no rows are suppressed. */
const char *engine_loss_text(char *text, size_t size, double loss);

/* The value at a point, of Prec or of the metric; not a number where it is not known. */
double engine_point_value(const engine_point *point, tacit_metric metric);

/* Decimals that show the values of a metric at all points. */
int engine_metric_decimals(const engine_explore *explore, tacit_metric metric);

/* What people call a metric: "Prec", and "loss score", for loss is what is suppressed. */
const char *engine_metric_title(tacit_metric metric);

/* How good what a method found is, in words: all proven, some, none known. */
const char *engine_proof_text(char *text, size_t size, const engine_explore *explore,
                              const tacit_method *method);

#endif
