/*
 * release.h - a release in the making: the state of `tacit anonymize`, which
 * release_make.c fills step by step and release_facts.c only reads.
 */
#ifndef TACIT_ENGINE_RECORDS_RELEASE_H
#define TACIT_ENGINE_RECORDS_RELEASE_H

#include "engine/attacks/attack.h"
#include "engine/job/files.h"
#include "engine/job/session.h"
#include "engine/ledger/ledger.h"
#include "engine/masking/masking.h"
#include "engine/records/ask.h"
#include "engine/records/blanks.h"
#include "engine/records/dependencies.h"
#include "engine/records/models.h"
#include "engine/records/population.h"
#include "engine/records/promise.h"
#include "engine/records/release_previous.h"
#include "engine/records/release_rows.h"
#include "engine/records/release_scrub.h"

/* What a release has lost, and who can be told from it (engine/masking/measured.h). */
typedef struct engine_measured {
    bool wanted; /* even where there are no techniques */
    tacit_loss *loss;
    tacit_relink *relinked;
} engine_measured;

/* All steps; those up to what exploring needs; those that do not make the file appear; and which
 * one reads. */
enum {
    ENGINE_RELEASE_STEPS = 10,
    ENGINE_EXPLORED_STEPS = 3,
    ENGINE_UNSEEN_STEPS = 9,
    ENGINE_STEP_READ = 1
};

typedef struct engine_release {
    engine_session *session;
    const struct engine_release *asked; /* the release that this one is wider than; NULL: none */
    struct engine_explore *explore;     /* NULL: a release is made; see engine/explore/explore.h */
    const char *data;                   /* the file of the records */
    const char *target;                 /* "-": standard output */
    bool unseen;                        /* made to be measured, and will not appear */
    tacit_policy *policy;
    engine_promise promise;
    bool policy_checked;
    engine_masking masking; /* techniques, which come first */
    tacit_table *table;     /* the data, or what techniques made of it */
    tacit_hierarchy *hierarchies[TACIT_MAX_QUASI];
    tacit_attribute attributes[TACIT_MAX_QUASI];
    engine_models models;
    engine_population population;
    tacit_frame frame;
    tacit_records_options wanted;
    const tacit_method *method;
    engine_ask ask;       /* for mu-argus */
    engine_blanks blanks; /* for ambiguate */
    engine_dependencies dependencies;
    engine_earlier earlier;    /* what was released of this data before */
    engine_previous *previous; /* how the release withstands that */
    bool withstands;           /* what a ledger recalls can be withstood that way, too */
    bool unsafe;               /* write what the judge refuses */
    tacit_solution *solution;  /* without its classes once measured */
    tacit_application *application;
    tacit_metrics metrics;
    bool has_sizes; /* sizes of classes are only counted for a report */
    tacit_size_bins before, after;
    tacit_strview examples[TACIT_MAX_QUASI]; /* a released value of each attribute */
    int64_t level_rows[TACIT_MAX_QUASI * TACIT_MAX_LEVELS];
    tacit_pseudonyms *pseudonyms;
    engine_scrubbed_text scrubbed;
    engine_row_pseudonyms row_pseudonyms;
    tacit_csv_column *columns;
    tacit_csv_layout layout;
    tacit_output *output;
    tacit_verdict *verdict;
    engine_ledger *ledger; /* of the run: shared by all that is made in it */
    engine_case c;         /* the release as attacks see it; without its table once they are over */
    engine_found found;
    engine_found unprotected; /* the same attacks on the data as it is; only for a report */
    engine_ads ads;
    engine_measured measured;
    double seconds[ENGINE_RELEASE_STEPS];
    double total;
} engine_release;

/* Names of the steps, in the order of the seconds. */
extern const char *const engine_release_steps[ENGINE_RELEASE_STEPS];

/* Everything that can be refused before the data is read. The session and the target are given, and
 * the policy where it is not that of the command line. */
tacit_status engine_release_prepare(engine_release *release);

/* The first steps, or all. */
tacit_status engine_release_make(engine_release *release, int count);

/* The step that is left: the file appears. */
tacit_status engine_release_appear(engine_release *release);

/* The release as attacks see it, as far as it has come. */
engine_case engine_release_case(const engine_release *release);

/* The method by its name; a technique that stands for one by its own. */
const char *engine_release_method(const engine_release *release);

/* Reads the data, once the policy fits its header, and warns of what leaves as it is. */
tacit_status engine_release_read(engine_release *release);

/* What its values may become, and the frame that methods take. */
tacit_status engine_release_bind(engine_release *release);

/* How much may be suppressed, and for how long a method may look. */
void engine_release_limits(engine_release *release);

/* Has the method look for a solution, within the limits of the policy or those that `wanted` has
 * already. */
tacit_status engine_release_search(engine_release *release);
tacit_status engine_release_solve(engine_release *release);

/* trail: k (release_trails.c): what it does not go with, and the search. */
tacit_status engine_trails_check(const engine_release *release);
tacit_status engine_trails_search(engine_release *release);

/* The key of pseudonyms, once; a new one is told of. */
tacit_status engine_release_pseudonyms(engine_release *release);

/* Frees what the release holds, not itself. */
void engine_release_clear(engine_release *release);

/* Reads the release back from its output and has it judged. TACIT_INFEASIBLE where the promise
 * is broken. */
tacit_status engine_release_judge(engine_release *release);

/* Makes the release appear, with its entry in the ledger before it. */
tacit_status engine_release_commit(engine_release *release);

/* Names of the released columns: what a release without a header is read by. To be freed; NULL
 * when out of memory. */
tacit_strview *engine_released_columns(const engine_release *release);

/* The layout of the release: which columns go in, made from what. */
tacit_status engine_release_layout(engine_release *release);

/* Metrics, sizes and examples, after which the classes are not needed. */
tacit_status engine_release_measure(engine_release *release);

extern const engine_reports engine_release_reports;

/* What ambiguation did; only where the method is one that ambiguates. */
bool engine_release_ambiguates(const engine_release *release);
void engine_blanks_facts(tacit_report *report, const engine_release *release);

#endif
