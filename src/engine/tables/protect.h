/*
 * protect.h - a statistical table on its way to a release: the state of `tacit protect`, which
 * protect.c fills step by step and protect_facts.c only reads.
 */
#ifndef TACIT_ENGINE_TABLES_PROTECT_H
#define TACIT_ENGINE_TABLES_PROTECT_H

#include "engine/job/files.h"
#include "engine/ledger/ledger.h"
#include "engine/tables/tables.h"

enum { ENGINE_PROTECT_STEPS = 7, ENGINE_MAX_RULES = 16, ENGINE_MAX_PARTS = 16 };

/* What is written, each a file of its own. */
enum {
    ENGINE_PROTECT_RELEASE = 0,
    ENGINE_PROTECT_FULL,
    ENGINE_PROTECT_PIVOT,
    ENGINE_PROTECT_SBS,
    ENGINE_PROTECT_FILES
};

/* What rows of a CSV are. */
typedef enum engine_rows {
    ENGINE_ROWS_UNKNOWN = -1,
    ENGINE_ROWS_RECORDS,
    ENGINE_ROWS_CELLS
} engine_rows;

/* Where the method promises total protection: the table as it was given, and what was known. */
typedef struct engine_total {
    tacit_flat_table *flat;
    tacit_total_audit *before;
} engine_total;

/* Where the method changes values (protect_alter.c). */
typedef struct engine_altering {
    const tacit_alter_method *method; /* NULL: the method suppresses cells */
    tacit_alter_options wanted;
    tacit_altered altered;
    tacit_cells released; /* the table with the values that are published; status and bounds are its
                             own, other arrays borrowed */
    tacit_altered_audit *audit;
    int32_t barred; /* ways of primary cells that sums would have told */
} engine_altering;

/* Where the method adds noise under a budget (protect_noise.c). In millionths of epsilon. */
typedef struct engine_noise {
    tacit_policy where;   /* the ledger's folder and the source, borrowed; nothing else */
    engine_ledger ledger; /* none in a rehearsal */
    int64_t stated;       /* with this run; 0: not */
    int64_t budget;       /* the least that was stated */
    int64_t spent;        /* by earlier tables of the same data */
    int64_t tables;       /* those */
    int64_t others;       /* releases of the same data by other methods */
    tacit_noise_audit audit;
} engine_noise;

/* The form in which the release appears (protect_form.c). */
typedef enum engine_form_kind {
    ENGINE_FORM_CSV = 0,
    ENGINE_FORM_PLAIN, /* a CSV that does not say which suppressed cells are primary */
    ENGINE_FORM_JJ,
    ENGINE_FORM_FORMAT,
    ENGINE_FORM_SDMX,
    ENGINE_FORM_SDMX_2
} engine_form_kind;

typedef struct engine_form {
    engine_form_kind kind;
    const tacit_format *format; /* of ENGINE_FORM_FORMAT */
    bool plain;                 /* statuses say no more than that cells are suppressed */
    const char *dataflow;       /* of SDMX */
    tacit_output *judged;       /* the CSV that it is made of; NULL: that is what appears */
} engine_form;

typedef struct engine_protection {
    engine_session *session;
    /* the plan */
    engine_dims dims;
    tacit_cells_spec spec; /* of every file; dimensions are chosen file by file */
    engine_rows rows;
    tacit_rule rules[ENGINE_MAX_RULES];
    int32_t rule_count;
    tacit_rules_options primary;
    bool has_costs; /* others than those of the file */
    tacit_cost_kind cost;
    double lambda;
    double known; /* percent of itself that everybody knows a value within; 0: no more than usual */
    const tacit_suppress_method *method; /* NULL: it changes values, see `altering` */
    tacit_suppress_options wanted;
    bool singletons, sums;                     /* are part of the promise */
    bool intervals;                            /* are published in place of blanks */
    bool chosen;                               /* by the method: they are all that hides cells */
    const char *targets[ENGINE_PROTECT_FILES]; /* NULL: not wanted; "-": standard output */
    engine_form form;
    /* what was made of it */
    char delimiter; /* of the first file; 0: it had none */
    tacit_cells *cells;
    const tacit_cells *released; /* what is written: the cells, or with other values */
    int32_t tally[128];          /* before any secondary suppression */
    engine_total total;
    engine_altering altering;
    engine_noise noise;
    tacit_table *records; /* kept where the judge counts them again */
    tacit_pattern pattern;
    tacit_output *outputs[ENGINE_PROTECT_FILES];
    tacit_cells_written *written; /* the release as it was read back */
    tacit_cells_audit *audit;     /* of the letters that it has */
    engine_table_levels levels;
    double seconds[ENGINE_PROTECT_STEPS];
    double total_time;
} engine_protection;

/* The names of the method and of a step. */
const char *engine_protect_method(const engine_protection *p);
const char *engine_protect_step(const engine_protection *p, int step);

/* Reads the command line; everything that can be refused without the data. */
tacit_status engine_protect_plan(engine_protection *p);

/* Reads the tables, and makes one of several. */
tacit_status engine_protect_read(engine_protection *p);

/* Writes what is wanted to files that do not appear yet. */
tacit_status engine_protect_write(engine_protection *p);

/* Reads the release back and compares it with what it should be. */
tacit_status engine_protect_check(engine_protection *p);

/* What is different where the method promises total protection (protect_total.c): what is known
 * before, the judge of the written letters, and what is said of it. */
tacit_status engine_total_before(engine_protection *p);
tacit_status engine_total_judge(engine_protection *p);
void engine_total_facts(tacit_report *report, const engine_protection *p);
void engine_total_draw(tacit_page *page, const void *subject);
void engine_total_clear(engine_total *total);

/* What is different where the method changes values (protect_alter.c): the plan's part, the method
 * with what it makes, the judge, and what is said of it. */
tacit_status engine_alter_plan(engine_protection *p);
tacit_status engine_alter_work(engine_protection *p);
tacit_status engine_alter_judge(engine_protection *p);
void engine_alter_facts(tacit_report *report, const engine_protection *p);
void engine_alter_clear(engine_altering *altering);

/* The table with the values that are published, and the drawings of its changes. */
tacit_status engine_alter_release(engine_protection *p);
void engine_alter_drawings(tacit_report *report, const engine_protection *p);

/* What is different where it adds noise: the plan's part, the ledger and its budget, the judge, the
 * entry before the release appears and after, and what is said of it, to recipients too. */
static inline bool engine_is_noise(const engine_protection *p)
{
    return p->altering.method && p->altering.method->noise;
}
tacit_status engine_noise_plan(engine_protection *p);
tacit_status engine_noise_open(engine_protection *p);
tacit_status engine_noise_judge(engine_protection *p);
tacit_status engine_noise_announce(engine_protection *p);
tacit_status engine_noise_confirm(engine_protection *p, tacit_status appeared);
void engine_noise_facts(tacit_report *report, const engine_protection *p);
void engine_noise_state(tacit_report *report, const engine_protection *p);
void engine_noise_clear(engine_noise *noise);

/* Which form, by the command line; whether it is another than the one that is judged; and making it
 * of that one. */
tacit_status engine_form_plan(engine_protection *p);
bool engine_form_converts(const engine_protection *p);
tacit_status engine_form_fill(engine_protection *p);

/* The file that is judged. */
static inline int engine_judged_fd(const engine_protection *p)
{
    return tacit_output_fd(p->form.judged ? p->form.judged : p->outputs[ENGINE_PROTECT_RELEASE]);
}

/* The release once more, from its file, every column coded. */
tacit_status engine_protect_read_back(tacit_table **out, engine_protection *p);

/* The facts; the subject is an engine_protection. */
extern const engine_reports engine_protect_reports;

/* What recipients are told (protect_statement.c). */
extern const engine_reports engine_protect_statement;

#endif
