/*
 * protect.h - a statistical table on its way to a release: the state of `tacit protect`, which
 * cmd_protect.c fills step by step and protect_account.c and protect_page.c only read.
 */
#ifndef TACIT_CLI_PROTECT_H
#define TACIT_CLI_PROTECT_H

#include "dims.h"
#include "session.h"
#include "table_levels.h"

enum { CLI_PROTECT_STEPS = 7, CLI_MAX_RULES = 16, CLI_MAX_PARTS = 16 };

/* What is written, each a file of its own. */
enum { CLI_PROTECT_RELEASE = 0, CLI_PROTECT_FULL, CLI_PROTECT_PIVOT, CLI_PROTECT_FILES };

/* What rows of a CSV are. */
typedef enum cli_rows { CLI_ROWS_UNKNOWN = -1, CLI_ROWS_RECORDS, CLI_ROWS_CELLS } cli_rows;

/* Where the method promises total protection: the table as it was given, and what was known. */
typedef struct cli_total {
    tacit_flat_table *flat;
    tacit_total_audit *before;
} cli_total;

/* Where the method changes values (protect_alter.c). */
typedef struct cli_altering {
    const tacit_alter_method *method; /* NULL: the method suppresses cells */
    tacit_alter_options wanted;
    tacit_altered altered;
    tacit_cells released; /* the table with the values that are published; arrays that differ are
                             `own`, the others borrowed */
    struct cli_altered_arrays *own;
    tacit_altered_audit *audit;
    int32_t barred; /* ways of primary cells that sums would have told */
} cli_altering;

typedef struct cli_protection {
    cli_session *session;
    /* the plan */
    cli_dims dims;
    tacit_cells_spec spec; /* of every file; dimensions are chosen file by file */
    cli_rows rows;
    tacit_rule rules[CLI_MAX_RULES];
    int32_t rule_count;
    tacit_rules_options primary;
    bool has_costs; /* others than those of the file */
    tacit_cost_kind cost;
    double lambda;
    double known; /* percent of itself that everybody knows a value within; 0: no more than usual */
    const tacit_suppress_method *method; /* NULL: it changes values, see `altering` */
    tacit_suppress_options wanted;
    bool singletons, sums;                  /* are part of the promise */
    bool intervals;                         /* are published in place of blanks */
    const char *targets[CLI_PROTECT_FILES]; /* NULL: not wanted; "-": standard output */
    /* what was made of it */
    char delimiter; /* of the first file; 0: it had none */
    tacit_cells *cells;
    const tacit_cells *released; /* what is written: the cells, or with other values */
    int32_t tally[128];          /* before any secondary suppression */
    cli_total total;
    cli_altering altering;
    tacit_pattern pattern;
    tacit_output *outputs[CLI_PROTECT_FILES];
    tacit_cells_written *written; /* the release as it was read back */
    tacit_cells_audit *audit;     /* of the letters that it has */
    cli_table_levels levels;
    double seconds[CLI_PROTECT_STEPS];
    double total_time;
} cli_protection;

/* The names of the method and of a step. */
const char *cli_protect_method(const cli_protection *p);
const char *cli_protect_step(const cli_protection *p, int step);

/* Reads the command line; everything that can be refused without the data. */
tacit_status cli_protect_plan(cli_protection *p);

/* Reads the tables, and makes one of several. */
tacit_status cli_protect_read(cli_protection *p);

/* Writes what is wanted to files that do not appear yet. */
tacit_status cli_protect_write(cli_protection *p);

/* Reads the release back and compares it with what it should be. */
tacit_status cli_protect_check(cli_protection *p);

/* What is different where the method promises total protection (protect_total.c): what is known
 * before, the judge of the written letters, whether a cell was added, and what is said of it. */
tacit_status cli_total_before(cli_protection *p);
tacit_status cli_total_judge(cli_protection *p);
bool cli_total_added(const cli_protection *p, int32_t cell);
const char *cli_total_sentence(char *buffer, size_t size, const cli_protection *p);
void cli_total_account(tacit_account *account, const cli_protection *p);
void cli_total_page(tacit_page *page, const cli_protection *p);
void cli_total_clear(cli_total *total);

/* What is different where the method changes values (protect_alter.c): the plan's part, the method
 * with what it makes, the judge, and what is said of it. */
tacit_status cli_alter_plan(cli_protection *p);
tacit_status cli_alter_work(cli_protection *p);
tacit_status cli_alter_judge(cli_protection *p);
void cli_alter_tell(const cli_protection *p);
void cli_alter_account(tacit_account *account, const cli_protection *p);
void cli_alter_page(tacit_page *page, const cli_protection *p);
double cli_alter_largest(const cli_protection *p);

/* What outsiders may know of the method; and the method, asked again where the judge finds that
 * the way a primary cell went tells too much (protect_adjust.c). */
tacit_altered_known cli_alter_known(const cli_altering *altering);
tacit_status cli_alter_solve(cli_protection *p);
void cli_alter_clear(cli_altering *altering);

/* What is different where intervals are published in place of blanks (protect_intervals.c): the
 * plan's part, making those that anybody can work out, what is written, whether that says no more
 * than the rest, the audit of what somebody knows who has read it, and what is said of it. */
tacit_status cli_intervals_plan(cli_protection *p);
tacit_status cli_intervals_make(cli_protection *p);
const tacit_intervals *cli_intervals(const cli_protection *p);
tacit_status cli_intervals_check(cli_protection *p);
tacit_status cli_intervals_audit(cli_protection *p, const tacit_cells_audit_options *options);
void cli_intervals_tell(const cli_protection *p);
void cli_intervals_account(tacit_account *account, const cli_protection *p);

/* Sum of the values of cells with a status, without sign. */
double cli_protect_value(const cli_protection *p, tacit_cell_status status);

/* The share of the pattern's cost that another could save at most; NAN: nothing is known. */
double cli_protect_gap(const cli_protection *p);

/* What is known of the pattern's cost, in words; cut to size, returns buffer. */
const char *cli_protect_sentence(char *buffer, size_t size, const cli_protection *p);

/* The account on the terminal, and the files of --report and --html. */
void cli_protect_tell(const cli_protection *p);
tacit_status cli_protect_report(cli_protection *p);
void cli_protect_page(tacit_page *page, const void *subject);

#endif
