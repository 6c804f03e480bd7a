/*
 * tables.h - the adversary of a statistical table, for the files of the table audit.
 *
 * He looks for deviations d from the true values: M d = 0, each suppressed cell's between
 * its bounds, 0 for published ones. reduce.c turns that into independent blocks of
 * few variables; program.c says which of them can move at all; ranges.c how far;
 * windows.c asks small parts of large blocks first; insiders.c and sums.c ask
 * the same for those who know more, and of sums.
 */
#ifndef TACIT_AUDIT_TABLES_TABLES_H
#define TACIT_AUDIT_TABLES_TABLES_H

#include <tacit/experimental/audit_cells.h>

#include "base/asking.h"
#include "solver/solver.h"

/* Levels are kept where no more than this part of them is missing, and TACIT_CELLS_EQUAL. */
#define TACIT__LEVEL_CLOSE 1e-6

/* All blocks of a table. Variables and rows stand block by block. */
typedef struct tacit__system {
    int32_t count;     /* suppressed cells */
    int32_t *cells;    /* their indexes, ascending */
    int32_t *variable; /* of each; -1: the relations alone say that it does not move */
    int8_t *sign;      /* the cell moves as its variable does, or the other way */
    int32_t variables;
    double *lower, *upper; /* of variables, as far as single relations imply; 0 is between */
    int32_t *block_of;     /* of variables */
    int32_t blocks;
    int32_t *block_variables; /* blocks + 1: where a block's variables start */
    int32_t *block_rows;      /* blocks + 1 */
    int32_t rows;
    int32_t *starts; /* rows + 1; into items and coefs */
    int32_t *items;  /* variables */
    double *coefs;
} tacit__system;

tacit_status tacit__system_new(tacit__system **out, const tacit_cells *cells, const char *status,
                               tacit_error *err);
void tacit__system_free(tacit__system *system);

/* Whether a status letter says that the cell is not published. */
static inline bool tacit__suppressed(char status)
{
    return status == TACIT_CELL_PRIMARY || status == TACIT_CELL_SECONDARY;
}

/* Whether the value is one that fits, and nobody's. */
static inline bool tacit__unknown_value(const tacit_cells *cells, int32_t cell)
{
    return cells->unknown && cells->unknown[cell];
}

/* Bounds that are off by no more than rounding of the value are no room to move. */
double tacit__value_noise(double value);

/* One block, its items counted from its first variable. Views into the system but for items. */
typedef struct tacit__tables_block {
    int32_t variables, rows;
    double *lower, *upper; /* its own, to be changed for what somebody knows */
    const double *coefs;
    int32_t *starts; /* from 0 */
    int32_t *items;
} tacit__tables_block;

tacit_status tacit__block_new(tacit__tables_block **out, const tacit__system *system, int32_t block,
                              tacit_error *err);
void tacit__block_free(tacit__tables_block *block);

/* Values off by no more than this are the same to programs with the block's bounds. */
double tacit__block_close(const tacit__tables_block *block);

/* What all programs share. */
typedef struct tacit__tables_adversary {
    const tacit__solver_backend *backend; /* NULL: CLP */
    tacit__asking *asking;
} tacit__tables_adversary;

/* One program over a block, of which only costs change: with costs c, what makes c x small. */
typedef struct tacit__prober tacit__prober;

/* unit: bounds of -1, 0 and 1 in place of those of the block, with the same signs; else the
 * block's bounds. Those are scaled by a power of two where they are large. */
tacit_status tacit__prober_new(tacit__prober **out, const tacit__tables_adversary *adversary,
                               const tacit__tables_block *block, bool unit, tacit_error *err);
void tacit__prober_free(tacit__prober *prober);
void tacit__prober_cost(tacit__prober *prober, int32_t variable, double cost);

/* Other bounds than the block's, in its units; 0 need not be between, nor need there be a solution
 * then: none is TACIT__UNKNOWN without values. */
void tacit__prober_bounds(tacit__prober *prober, int32_t variable, double lower, double upper);

/* What a solved program says. */
typedef enum tacit__tables_verdict {
    TACIT__PROVEN = 0, /* values cost the least, and that is proven */
    TACIT__UNBOUNDED,
    TACIT__UNKNOWN
} tacit__tables_verdict;

/* values: feasible ones, a variable each, in the block's units, or NULL; borrowed. */
tacit_status tacit__prober_solve(tacit__tables_verdict *verdict, const double **values,
                                 tacit__prober *prober, tacit_error *err);
int64_t tacit__prober_programs(const tacit__prober *prober);

/* Values off by no more than this are the same to the programs of the block. */
double tacit__prober_close(const tacit__prober *prober);

/* How far the variables of a block can go, as far as is known: an array each. */
typedef struct tacit__tables_extent {
    double *low, *high; /* shown by somebody's solution; at most 0, at least 0 */
    bool *moves;        /* proven: not the same in all solutions */
    bool *unknown;      /* a program that was needed could not be solved */
    int64_t programs;
} tacit__tables_extent;

/* Adds to moves, with a first low and high; what does not move then is proven not to, or
 * unknown. What is known before is kept, and no program asks for it again. */
tacit_status tacit__find_moves(tacit__tables_extent *extent,
                               const tacit__tables_adversary *adversary,
                               const tacit__tables_block *block, tacit_error *err);

/* How far variables must be able to go. */
typedef struct tacit__needs {
    const double *low, *high; /* at most 0, at least 0 */
    const double *span;
    const double *noise; /* a range no wider than that is none */
} tacit__needs;

/* Extends low and high of the targets, ascending variables that move: as far as they go, or,
 * with needs, until these are met. Touches nothing of other variables. */
tacit_status tacit__find_ranges(tacit__tables_extent *extent,
                                const tacit__tables_adversary *adversary,
                                const tacit__tables_block *block, const tacit__needs *needs,
                                const int32_t *targets, int32_t count, tacit_error *err);

/* The same as far as programs that push all targets at once show it. */
tacit_status tacit__sweep_ranges(tacit__tables_extent *extent,
                                 const tacit__tables_adversary *adversary,
                                 const tacit__tables_block *block, const tacit__needs *needs,
                                 const int32_t *targets, int32_t count, tacit_error *err);

/* The level that a deviation must reach and whether it does, but for TACIT__LEVEL_CLOSE. */
bool tacit__reaches(double deviation, double level);

/* What tests set. */
typedef struct tacit__audit_settings {
    const tacit__solver_backend *backend; /* NULL: CLP */
    int32_t window;                       /* see tacit__inquiry; 0: as it pleases */
} tacit__audit_settings;

tacit_status tacit__audit_cells_with(tacit_cells_audit **out, const tacit_cells *cells,
                                     const char *status, const tacit_cells_audit_options *options,
                                     const tacit__audit_settings *settings, const tacit_run *run,
                                     tacit_error *err);

/* One audit of a table as its files share it: the system, and what is known of
 * its variables; and the questions that go beyond single cells. */

typedef struct tacit__inquiry {
    const tacit_cells *cells;
    const char *status;
    const tacit_cells_audit_options *options;
    const bool *asked; /* whose ends are to be known, a cell each; NULL: all */
    const bool *alone; /* those of them that have programs of their own where others do not show
                          enough; NULL: all */
    bool wide;      /* a cell moves where its range is far wider than programs are off by: no other
                       proof is looked for, and none of cells that are not asked for */
    int32_t window; /* variables of the first windows into large blocks; 0: as it pleases */
    tacit__tables_adversary adversary;
    tacit__system *system;
    /* by variable */
    double *low, *high;
    bool *moves, *unknown;
    double *need_low, *need_high, *need_span; /* of the primary cells behind it */
    double *noise;                            /* the most of its cells' */
    bool *primary;                            /* there are some */
    bool *wanted;                             /* some of its cells are asked for */
    bool *chased;                             /* some of these may have programs of their own */
    int64_t *programs;                        /* by block */
} tacit__inquiry;

/* Fills in the system and what is known of its variables, from what is above them. */
tacit_status tacit__inquiry_look(tacit__inquiry *q, int64_t *programs, tacit_error *err);
void tacit__inquiry_clear(tacit__inquiry *q);

/* Whether programs may have to show more of a variable that was seen to go from low to high: it has
 * not gone as far as is needed of it, nor to its bounds. */
bool tacit__is_open(const tacit__inquiry *q, int32_t variable, double low, double high);

/* What small parts of large blocks show, of variables that are open or not known to move
 * (windows.c). */
tacit_status tacit__look_windows(tacit__inquiry *q, int64_t *programs, tacit_error *err);

/* How far the system's cell k was seen to deviate, and what it means that a cell can deviate so
 * far. */
void tacit__deviation(double *low, double *high, const tacit__inquiry *q, int32_t k);
tacit_cell_finding tacit__finding(const tacit__inquiry *q, int32_t cell, double low, double high,
                                  bool unknown);

/* The parts of the inquiry's arrays that belong to a block. */
tacit__needs tacit__block_needs(const tacit__inquiry *q, int32_t block);

/* Fill in audit->singletons and audit->sums; audit->cells are there already. */
tacit_status tacit__audit_insiders(tacit_cells_audit *audit, const tacit__inquiry *q,
                                   tacit_error *err);
tacit_status tacit__audit_sums(tacit_cells_audit *audit, const tacit__inquiry *q, tacit_error *err);

/* What is found in a file that was written, for the files that look. */

/* No problems yet; letters of all cells are 0. */
tacit_status tacit__written_new(tacit_cells_written **out, int32_t count, tacit_error *err);

/* Adds a problem of the file as a whole, or of a cell; line 0: of no line. */
void tacit__written_note(tacit_cells_written *written, int64_t line, const char *what);
void tacit__written_note_cell(tacit_cells_written *written, int64_t line, const tacit_cells *cells,
                              int32_t cell, const char *what);

/* An error where a file was not read as codes. */
tacit_status tacit__written_coded(const tacit_table *file, tacit_error *err);

/* Whether a file has the columns that it should have and no others, and where. */
bool tacit__written_columns(int32_t *columns, tacit_cells_written *written, const tacit_table *file,
                            const tacit_strview *names, int32_t wanted);

/* Keeps what a row says of a cell, whatever it should say; and at the end that cells without a row
 * are not published. */
void tacit__written_letter(tacit_cells_written *written, int32_t cell, char letter, bool empty);
void tacit__written_absent(tacit_cells_written *written, int32_t count);

/* The last step: gives the findings away, or frees them where anything failed. */
tacit_status tacit__written_give(tacit_cells_written **out, tacit_cells_written *written,
                                 tacit_status status);

#endif
