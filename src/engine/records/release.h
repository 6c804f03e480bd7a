/*
 * release.h - a release in the making: the state of `tacit anonymize`, which
 * release_make.c fills step by step and release_facts.c only reads.
 */
#ifndef TACIT_ENGINE_RECORDS_RELEASE_H
#define TACIT_ENGINE_RECORDS_RELEASE_H

#include <tacit/experimental/itemsets.h>

#include "engine/attacks/attack.h"
#include "engine/job/files.h"
#include "engine/job/session.h"
#include "engine/job/sink.h"
#include "engine/ledger/ledger.h"
#include "engine/masking/masking.h"
#include "engine/records/advice.h"
#include "engine/records/ask.h"
#include "engine/records/promise.h"
#include "engine/text/known.h"

typedef struct engine_release engine_release;

/* ---- what a policy promises beyond k, bound to the data for a method ---- */

/* Zero-initialized is none. */
typedef struct engine_models {
    tacit_model *list;
    tacit_hierarchy **hierarchies; /* a model each; NULL where it needs none */
    int32_t count;
} engine_models;

/* ---- ambiguation: what the policy asks of it, in the method's words, and what was found ---- */

typedef struct engine_blanks {
    tacit_ambiguate how; /* points into the rest */
    tacit_ambiguity found;
    tacit_blank_cost *costs;
    tacit_hidden *hidden;
} engine_blanks;

/* Refuses keys that are about ambiguation where `what` is something else. */
tacit_status engine_blanks_refuse(const tacit_policy *policy, const char *what,
                                  const engine_session *session, tacit_error *err);

/* Refuses them where the policy's method is another, so that no promise is passed over. */
tacit_status engine_blanks_check(const tacit_policy *policy, const engine_session *session,
                                 tacit_error *err);

/* Fills in what does not depend on the data; refuses keys that are about ambiguation
 * where the method is another. blanks must stay where it is. */
tacit_status engine_blanks_init(engine_blanks *blanks, const tacit_policy *policy,
                                const tacit_method *method, const engine_session *session,
                                tacit_error *err);

/* The rest, once the data have been read: costs of values, and columns of dependencies. */
tacit_status engine_blanks_bind(engine_blanks *blanks, const tacit_policy *policy,
                                const engine_promise *promise, const tacit_table *table,
                                engine_session *session);
void engine_blanks_clear(engine_blanks *blanks);

/* ---- what becomes of the functional dependencies of the data: --dependencies ---- */

typedef struct engine_dependencies {
    const char *file;                              /* where the list goes; NULL: nobody asked */
    tacit_strview names[TACIT_DEPENDENCY_COLUMNS]; /* of the columns that are looked at */
    int32_t count;
    char *text;                /* room for all names */
    tacit_dependencies *found; /* in the data */
    tacit_released_dependencies *released;
} engine_dependencies;

/* Has every column coded, where somebody asked: any may say something of another. */
void engine_dependencies_code(tacit_csv_options *options, const engine_dependencies *dependencies);

/* The dependencies of the data among the columns that are released, and those of them that
 * the release, its columns coded, still lets anybody prove. */
tacit_status engine_dependencies_find(engine_dependencies *dependencies, const tacit_policy *policy,
                                      const tacit_table *data, const tacit_table *release,
                                      engine_session *session);

/* Writes the list, a dependency a row. */
tacit_status engine_dependencies_write(const engine_dependencies *dependencies,
                                       engine_session *session);

/* Nothing where nobody asked. */
void engine_dependencies_facts(tacit_report *report, const engine_dependencies *dependencies);
void engine_dependencies_clear(engine_dependencies *dependencies);

/* ---- withstanding earlier releases, in place of the search where there are some ---- */

enum { ENGINE_WAY_COLUMNS, ENGINE_WAY_GENERALIZE, ENGINE_WAYS };

/* What came of one way. */
typedef struct engine_way {
    bool found;
    double cost;   /* on the scale of both */
    char why[256]; /* not found: why not */
} engine_way;

/* NULL in a release without earlier ones. */
typedef struct engine_previous {
    char **names; /* columns of the data that earlier releases show */
    size_t name_count;
    engine_release *wide; /* the release with every shared column as a quasi-identifier */
    int32_t places[TACIT_MAX_QUASI];      /* an attribute of the release each: of the wide one */
    int32_t wide_places[TACIT_MAX_QUASI]; /* the other way round, -1 for the columns that joined */
    tacit_previous **matched;             /* an earlier release each */
    size_t count;
    int64_t added; /* rows that no earlier release has */
    engine_way ways[ENGINE_WAYS];
    int chosen;  /* -1: not yet */
    bool hidden; /* by columns: those that joined are suppressed altogether */
} engine_previous;

/* Reads the earlier releases that the policy names, and refuses what cannot be done with any. */
tacit_status engine_previous_open(engine_release *release);

/* The same for what a ledger has recalled, once the data is read. */
tacit_status engine_previous_recalled(engine_release *release);
void engine_previous_clear(engine_release *release);

/* The columns that earlier releases show and the data has. header may be NULL. */
void engine_previous_needs(engine_needs *needs, const tacit_table *header,
                           const engine_release *release);

/* Matches the earlier releases to the data, with all columns that they share with it. */
tacit_status engine_previous_match(engine_release *release);

/* The search: both ways, and the one that loses less. */
tacit_status engine_previous_search(engine_release *release);

/* The release that is made: the given one, or the one with more columns in its
 * quasi-identifier. */
engine_release *engine_previous_made(engine_release *release);

/* Goes on with the columns where a release that generalizes earlier ones was refused with that
 * status, and says whether there is anything to go on with. */
bool engine_previous_fall_back(engine_release *release, tacit_status status);

/* By which way the release withstands being joined with earlier ones, what either way costs, and
 * how many rows are new; nothing without earlier releases. */
void engine_previous_facts(tacit_report *report, const engine_release *release);

/* ---- pseudonyms per row (replace: row-pseudonym): rows of one person are not linked ---- */

/* A column of them: a label for each row of the table. */
typedef struct engine_row_labels {
    char *texts;
    tacit_strview *labels;
} engine_row_labels;

/* All zero is nothing. */
typedef struct engine_row_pseudonyms {
    tacit_pseudonyms *key; /* of this release alone */
    uint32_t *rows;        /* 0, 1, 2, ...: a row's label is its own */
    engine_row_labels *columns;
    int32_t count;
} engine_row_pseudonyms;

/* ---- columns of text (replace: scrub) ---- */

/* A column that was scrubbed: what its cells say now. */
typedef struct engine_scrubbed_column {
    const char *name;
    tacit_strview *cells; /* a row each; bytes NULL: as it was */
    uint64_t texts;       /* cells that are not empty */
    uint64_t changed;
    uint64_t unread; /* texts that are not read as they are meant, and were accepted */
} engine_scrubbed_column;

/* All zero is nothing. */
typedef struct engine_scrubbed_text {
    tacit_scrubber *scrubber;
    engine_known known; /* the identifiers of the data */
    engine_scrubbed_column *columns;
    int32_t count;
    uint32_t *rows; /* 0, 1, 2, ...: a row's cell is its own */
    int64_t row_count;
} engine_scrubbed_text;

/* Scrubs a column, whose source is set, for the layout. */
tacit_status engine_release_scrub(tacit_csv_column *column, engine_release *release);
void engine_scrubbed_text_clear(engine_scrubbed_text *text);

/* What is said of it; only where there is text. */
void engine_scrubbed_text_facts(tacit_report *report, const engine_scrubbed_text *text);

/* ---- sets of items (km) ---- */

/* Has every class of the release keep km, and makes the cells of its sets; nothing without km. */
tacit_status engine_items_protect(engine_release *release);

/* Fills in a column of the layout whose source is set. */
void engine_items_column(tacit_csv_column *column, const engine_release *release,
                         const tacit_policy_column *policy);

/* What the items became; nothing without km. */
void engine_items_facts(tacit_report *report, const engine_release *release);

/* ---- a release ---- */

/* What a release has lost, and who can be told from it (engine/masking/measured.h). */
typedef struct engine_measured {
    bool wanted; /* even where there are no techniques */
    tacit_loss *loss;
    tacit_relink *relinked;
    tacit_copies *copies; /* NULL: no step draws values */
} engine_measured;

/* All steps; those up to what exploring needs; those that do not make the file appear; and which
 * one reads. */
enum {
    ENGINE_RELEASE_STEPS = 10,
    ENGINE_EXPLORED_STEPS = 3,
    ENGINE_UNSEEN_STEPS = 9,
    ENGINE_STEP_READ = 1
};

struct engine_release {
    engine_session *session;
    const engine_release *asked;    /* the release that this one is wider than; NULL: none */
    struct engine_explore *explore; /* NULL: a release is made; see engine/explore/explore.h */
    const char *data;               /* the file of the records */
    const char *target;             /* "-": standard output */
    bool unseen;                    /* made to be measured, and will not appear */
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
    int64_t *level_rows; /* an attribute each, TACIT_MAX_LEVELS: rows on a level */
    engine_advice advice;
    tacit_pseudonyms *pseudonyms;
    engine_scrubbed_text scrubbed;
    engine_row_pseudonyms row_pseudonyms;
    tacit_itemset_release *itemsets; /* in the order of the promise's items */
    tacit_csv_column *columns;
    tacit_csv_layout layout;
    engine_sink sink; /* where it goes */
    tacit_verdict *verdict;
    engine_ledger *ledger; /* of the run: shared by all that is made in it */
    engine_case c;         /* the release as attacks see it; without its table once they are over */
    engine_found found;
    engine_found unprotected; /* the same attacks on the data as it is; only for a report */
    engine_ads ads;
    engine_measured measured;
    double seconds[ENGINE_RELEASE_STEPS];
    double total;
};

void engine_row_pseudonyms_clear(engine_row_pseudonyms *made);

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

/* The policy against the header of the data; and columns that it gives no role: what looks as if it
 * names people is refused, the rest warned of. */
tacit_status engine_release_check_policy(engine_release *release);
tacit_status engine_release_check_unnamed(engine_release *release);
/* Refuses sensitive values that are one written in two ways, where different ones are promised. */
tacit_status engine_release_check_alike(engine_release *release);

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

/* Whether the data is as households need it, where the policy names them. */
tacit_status engine_households_check(const engine_release *release);

/* The key of pseudonyms, once; a new one is told of. */
tacit_status engine_release_pseudonyms(engine_release *release);

/* Frees what the release holds, not itself. */
void engine_release_clear(engine_release *release);

/* Reads the release back from its output and has it judged. TACIT_INFEASIBLE where the promise
 * is broken. */
tacit_status engine_release_judge(engine_release *release);

/* Makes the release appear, with its entry in the ledger before it. */
tacit_status engine_release_commit(engine_release *release);

/* Writes what has appeared to a further file. */
tacit_status engine_release_save(engine_release *release, const char *path);

/* Reads the release from its output, by the names of its columns. Options say what is coded. */
tacit_status engine_release_read_back(tacit_table **out, const engine_release *release,
                                      tacit_csv_options options);

/* The layout of the release: which columns go in, made from what. */
tacit_status engine_release_layout(engine_release *release);

/* Metrics, sizes and examples, after which the classes are not needed. */
tacit_status engine_release_measure(engine_release *release);

extern const engine_reports engine_release_reports;

/* What recipients are told (statement_facts.c). */
extern const engine_reports engine_release_statement;

/* What ambiguation did; only where the method is one that ambiguates. */
bool engine_release_ambiguates(const engine_release *release);
void engine_blanks_facts(tacit_report *report, const engine_release *release);

#endif
