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

/* Solves for every point, once the data has been read. */
tacit_status engine_explore_run(engine_release *release);

/* Prints what was found, and writes the files of -o, --report and --html. */
tacit_status engine_explore_commit(const engine_explore *explore);
extern const engine_reports engine_explore_reports;

/* Writes a table to -o, where it is given, as a function prints it. */
typedef void (*engine_print_fn)(FILE *out, const void *subject);
tacit_status engine_explore_write(engine_session *session, engine_print_fn print,
                                  const void *subject);

#endif
