/*
 * cells.h - statistical tables as cells and linear relations: the waist that
 * methods, the judge and writers share.
 *
 *   tacit_cells_from_records  a table counted or summed from microdata
 *   tacit_cells_from_table    a table from a long CSV, a row a cell
 *   tacit_cells_read_jj       any cells and relations, the field's .jj form
 *   tacit_cells_link          several tables that share cells, as one
 *   tacit_cells_apply_rules   which cells are confidential, and how much is to be hidden
 *   tacit_cells_apply_apriori the data holder's own decisions, cell by cell
 *   tacit_cells_set_costs     what a suppressed cell costs
 *   tacit_cells_set_bounds    what everybody knows of every cell
 *   tacit_cells_check         whether any release could keep what is asked
 *   tacit_cells_write_jj, tacit_cells_write_csv   out again
 *   tacit_cells_write_sbs     all values with their reasons, for transmission
 *   tacit_cells_write_pivot   a release with one dimension across
 *
 * A cell i has a value a_i. An adversary knows the relations, every published value,
 * and that lower_i <= a_i <= upper_i. A primary cell is protected where he can rule out
 * neither some value >= a_i + upl_i nor some value <= a_i - lpl_i, and those that he
 * cannot rule out spread over spl_i at least (Fischetti and Salazar 2001). Deviations d
 * from the values are the safe way to write that down: M d = 0, whatever rounding the
 * values carry, with lower_i - a_i <= d_i <= upper_i - a_i where i is suppressed and
 * d_i = 0 elsewhere.
 *
 * Memory: about 110 bytes a cell and 12 a term of a relation. A table of a million
 * cells in three dimensions takes 150 MB.
 */
#ifndef TACIT_CELLS_H
#define TACIT_CELLS_H

#include <tacit/table.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TACIT_MAX_CELLS = 1 << 26,
    TACIT_MAX_DIMENSIONS = 16,
    TACIT_MAX_TREES = 16, /* hierarchies of one dimension */
    TACIT_MAX_TOP = 16    /* largest contributors kept for a cell */
};

/* Status letters, as the field has them. */
typedef enum tacit_cell_status {
    TACIT_CELL_FREE = 's',      /* published, may be suppressed */
    TACIT_CELL_PRIMARY = 'u',   /* confidential */
    TACIT_CELL_SECONDARY = 'x', /* suppressed to protect others */
    TACIT_CELL_FIXED = 'z'      /* must be published */
} tacit_cell_status;

/* Sparse equations by rows: sum of coefs[j] * value[items[j]] over j from
 * starts[r] to starts[r + 1] - 1 is rhs[r]. No relation names a cell twice. Those made
 * of hierarchies have the total first, with -1, and then its parts with 1. */
typedef struct tacit_relations {
    int32_t count;
    int64_t *starts; /* count + 1 */
    int32_t *items;
    double *coefs;
    double *rhs;
} tacit_relations;

/* One hierarchy of a dimension: a tree over some of its codes. */
typedef struct tacit_code_tree {
    int32_t root;
    int32_t levels;        /* root's level 0 among them */
    int32_t *parent;       /* a code each; -1: the root, or not in this tree */
    int32_t *level;        /* a code each; -1: not in this tree */
    int32_t *child_starts; /* codes + 1: where a code's children start in children */
    int32_t *children;     /* in the order of the file */
} tacit_code_tree;

/* The codes of a dimension. A code with a single part is the same as that part: both
 * names stand for one code. Codes are numbered depth first in the first tree, then those
 * that only further trees have. */
typedef struct tacit_dimension {
    tacit_strview name;
    int32_t code_count;
    tacit_strview *codes; /* a name each, the most general where it has several */
    int32_t label_count;  /* all names, depth first; at least code_count */
    tacit_strview *labels;
    int32_t *code_of; /* a label each */
    bool *inner;      /* a label each: whether some tree gives it parts */
    int32_t tree_count;
    tacit_code_tree *trees;
    int32_t *order;      /* codes, parts before what they make up */
    int32_t *definition; /* a code each: the tree that says what it is the sum of; -1: a
                            ground code, which has no parts in any tree */
} tacit_dimension;

/* One table: every combination of the codes of some dimensions. Place p of it, in mixed
 * radix (sum of code * stride, the last dimension's stride 1), is cell cells[p]. */
typedef struct tacit_cells_table {
    int32_t dimension_count;
    int32_t dimensions[TACIT_MAX_DIMENSIONS]; /* of the tacit_cells */
    int64_t strides[TACIT_MAX_DIMENSIONS];
    int32_t place_count;
    int32_t *cells; /* a place each; NULL: place p is cell p */
} tacit_cells_table;

/* Owned by whoever has it, freed with tacit_cells_free. Relations, dimensions, tables and
 * values stay as they were built; status, levels, costs and bounds are changed by
 * the functions below only. Methods take a const tacit_cells * and give a pattern: a status
 * letter a cell. */
typedef struct tacit_cells {
    int32_t count;
    double *value;
    double *cost; /* of suppressing it; 0 or more */
    char *status; /* tacit_cell_status */
    double *lower, *upper;
    double *lpl, *upl, *spl; /* protection levels; 0 where there is nothing to protect */
    int64_t *freq;           /* contributors (holdings where they are known); NULL: unknown */
    double *gross;           /* what rules take for the total: sum of the sizes of contributions,
                                of the shadow variable where there is one; NULL: value */
    int32_t top_count;       /* largest contributors kept for each cell */
    double *top;             /* cell after cell, largest first, sizes without sign; 0: no further */
    int32_t *top_owner;      /* the same: whose; equal numbers are one owner; -1: none; or NULL */
    uint8_t *asked;          /* whether the largest contributor asked for protection; or NULL */
    double *measure;         /* the column that costs were to be taken from; or NULL */
    int32_t *line;           /* of the file that it was given on; 0: computed; or NULL */
    bool *unknown;           /* whether the file keeps the value to itself: the value here is one
                                that fits relations and bounds, no more. NULL: all are known.
                                Only an audit takes cells with unknown values */
    bool counts;             /* values are numbers of contributors */
    bool negative;           /* values may be below zero */
    bool shadow;             /* gross and top are of another variable than value */
    bool decimals;           /* some value is no whole number */
    bool assumed;            /* bounds are the default: an upper one gives way to a level */
    double residual;         /* the most that a relation is off by */
    int32_t bounded;  /* values are people, each counted in so many cells at most; 0: not so */
    int64_t left_out; /* records that were not counted because of that */
    char *file;       /* for messages; NULL: none */
    tacit_relations relations;
    int32_t dimension_count; /* 0 for .jj */
    tacit_dimension *dimensions;
    int32_t table_count; /* 0 for .jj; more than 1 for linked tables */
    tacit_cells_table *tables;
    struct tacit__cells_inside *inside;
} tacit_cells;

void tacit_cells_free(tacit_cells *cells);

/* A cell's code in every dimension of the cells; -1 in those its table does not have.
 * codes has room for dimension_count. Only with dimensions. */
void tacit_cells_codes(int32_t *codes, const tacit_cells *cells, int32_t cell);

/* Names the cell for a message: its codes, or its index; cut to size. Returns buffer. */
const char *tacit_cells_describe(const tacit_cells *cells, int32_t cell, char *buffer, size_t size);

/* The paper's standardized code (section 2.2): for every level of the first tree as many
 * digits as its largest family needs, "0000" for the total, "0110" for the tenth part of
 * the first; with the first tree's codes only. Returns the length; cut to size. */
size_t tacit_dimension_standard(char *buffer, size_t size, const tacit_dimension *dimension,
                                int32_t code);

/* How much is to be hidden where no rule says it: both sides of a primary cell's value by
 * max(least, margin / 100 * |value|), but no further than its bounds. Bounds that are only
 * assumed (see tacit_cells_set_bounds) give way. */
typedef struct tacit_margin {
    double margin; /* percent */
    double least;  /* NAN: 1 where values are counts, 0 elsewhere */
} tacit_margin;

typedef struct tacit_dimension_spec {
    const char *column;             /* of the CSV; its name */
    const char *const *hierarchies; /* files, see hierarchy.h; several: trees over the same codes */
    int32_t hierarchy_count;        /* 0: all codes are parts of the total */
    const char *total;              /* its name where there is no hierarchy; NULL: "Total" */
} tacit_dimension_spec;

/* What a CSV says of a table. Columns are named; NULL: there is none. */
typedef struct tacit_cells_spec {
    const tacit_dimension_spec *dimensions;
    int32_t dimension_count;
    const char *value;   /* NULL: the table counts records (of a table: the column of freq) */
    const char *freq;    /* tables only: contributors, maybe the value itself; NULL: "freq" */
    const char *cost;    /* for tacit_cells_set_costs to take costs from */
    const char *weight;  /* records only: people or firms that a record stands for */
    const char *holding; /* records only: whose it is; several records are one contributor */
    const char *request; /* whether the contributor asked for protection: 1, or 0 or empty */
    const char *shadow;  /* records only: rules look at this column instead of the value */
    int32_t top;         /* records only: largest contributors to keep, 2 at least */
    int32_t most;        /* records only: people (holdings) are counted, each in so many ground
                            cells at most and once in each; 0: records are counted, or summed */
    bool negative;       /* values below zero are no mistake */
    bool release;        /* tables only: values of suppressed cells may be left out */
    double tolerance;    /* that a subtotal may be off by, beyond what decimals round to */
    tacit_margin margin; /* for primary cells of a table without levels */
} tacit_cells_spec;

/* No columns, 2 contributors, tolerance 0, margin 10 percent. */
void tacit_cells_spec_init(tacit_cells_spec *spec);

/* Sums are equal that differ by no more than this, relative to the sum of the sizes of their
 * terms where that is above 1, and the tolerance asked for. */
#define TACIT_CELLS_EQUAL 1e-9

/* Records summed to a table of all combinations of codes; combinations without a record
 * are zeros. The columns named are coded; a record has ground codes. The table need not
 * outlive the result. */
tacit_status tacit_cells_from_records(tacit_cells **out, const tacit_table *records,
                                      const tacit_cells_spec *spec, const tacit_run *run,
                                      tacit_error *err);

/* A table of cells, a row each, all columns coded. Ground cells that are missing are zeros,
 * subtotals that are missing are computed; those that do not add up are an error that lists
 * them worst first. Besides dimensions and value the columns freq, status, lower, upper, lpl,
 * upl, spl, weight (the cost), max1, max2, ... (the largest contributors) and owner1, owner2, ...
 * (numbers that say whose these are) are known.
 *
 * With spec->release the table may be what outsiders have: an empty value, or one of the marks
 * x X c C . .. ... - * : in its place, is a suppressed cell with a value that is not known. Its
 * status must be u or x where there is such a column. Then bounds that are not given are 0
 * (none where values may be negative) and infinity, subtotals that are missing are computed
 * where the others say what they are and are unknown as well elsewhere, contributors are left
 * out, and TACIT_INVALID names a relation if no values fit what is published. Columns low and high
 * are intervals of suppressed cells, which narrow their bounds. */
tacit_status tacit_cells_from_table(tacit_cells **out, const tacit_table *table,
                                    const tacit_cells_spec *spec, const tacit_run *run,
                                    tacit_error *err);

/* Whether rows are cells rather than records: a column is called freq, status or max1, or a
 * dimension has a code that is a total. */
tacit_status tacit_cells_is_table(bool *out, const tacit_table *table, const tacit_cells_spec *spec,
                                  tacit_error *err);

/* A .jj file; path "-" is standard input. Relations that do not hold are an error that lists
 * them worst first. */
tacit_status tacit_cells_read_jj(tacit_cells **out, const char *path, double tolerance,
                                 const tacit_run *run, tacit_error *err);
tacit_status tacit_cells_parse_jj(tacit_cells **out, tacit_strview bytes, const char *name,
                                  double tolerance, const tacit_run *run, tacit_error *err);

/* Several tables, each with dimensions, as one in which what they share is one cell: cells
 * whose codes have the same names in dimensions of the same names. A dimension that a table
 * does not have is at its total there. Dimensions of one name may differ in their codes; then
 * each stays beside the other. Shared cells must have the same value; the stricter status
 * and levels, the narrower bounds and the higher cost are kept. What not all parts know
 * (contributors, requests) is left out. The parts stay with the caller. */
tacit_status tacit_cells_link(tacit_cells **out, const tacit_cells *const *parts, int32_t count,
                              double tolerance, tacit_error *err);

/* Primary rules. X is a cell's total, x1 >= x2 >= ... its contributions, all without sign. */
typedef enum tacit_rule_kind {
    TACIT_RULE_FREQ = 0,  /* freq:n      from 1 to n contributors */
    TACIT_RULE_DOMINANCE, /* nk:n,k      x1 + ... + xn > k/100 X */
    TACIT_RULE_P,         /* p:p         X - x1 - x2 < p/100 x1 */
    TACIT_RULE_PQ,        /* pq:p,q      X - x1 - x2 < p/q x1 */
    TACIT_RULE_REQUEST    /* request:k   the largest contributor asked, and x1 > k/100 X */
} tacit_rule_kind;

typedef struct tacit_rule {
    tacit_rule_kind kind;
    int32_t n; /* FREQ, DOMINANCE */
    double p;  /* P, PQ; DOMINANCE and REQUEST: k */
    double q;  /* PQ */
} tacit_rule;

/* Reads a rule as it is written above. */
tacit_status tacit_rule_parse(tacit_rule *rule, const char *text, tacit_error *err);

/* Which sides of the value the levels of DOMINANCE, P and PQ protect. With l the level
 * that follows from the rule: */
typedef enum tacit_level_side {
    TACIT_LEVEL_BOTH = 0, /* lpl = upl = l */
    TACIT_LEVEL_UPPER,    /* upl = l */
    TACIT_LEVEL_LOWER,    /* lpl = l */
    TACIT_LEVEL_SLIDING   /* spl = 2 l */
} tacit_level_side;

typedef struct tacit_rules_options {
    tacit_cell_status zero;  /* of a cell with contributors and value 0: z, s or u */
    tacit_cell_status empty; /* of a cell without contributors: z, s or u */
    tacit_level_side side;
    tacit_margin margin; /* FREQ and REQUEST, and zeros that are primary */
} tacit_rules_options;

/* Zero and empty cells must be published; levels on both sides; margin 10 percent. */
void tacit_rules_options_init(tacit_rules_options *options);

/* Makes cells primary that any of the rules finds, with the largest of the levels they
 * derive. Cells that are not `s` stay as they are. A rule that needs what the cells do not
 * have (contributors, counts, requests, values without sign) is an error. */
tacit_status tacit_cells_apply_rules(tacit_cells *cells, const tacit_rule *rules, int32_t count,
                                     const tacit_rules_options *options, tacit_error *err);

/* A-priori information: a line a cell, its codes in the order of dimensions (its index where
 * there are none), then what is said of it: `u` primary, `s` may be suppressed, `p` or `z` must
 * be published, `m`, `ml` or `x` is suppressed, `c,COST` or `w,COST`, or
 * `pl,LOWER,UPPER[,SLIDING]`, whatever the case. Delimited as a CSV; no header. Levels of a primary
 * cell without any come from the margin. */
tacit_status tacit_cells_apply_apriori(tacit_cells *cells, const char *path,
                                       const tacit_margin *margin, tacit_error *err);
tacit_status tacit_cells_parse_apriori(tacit_cells *cells, tacit_strview bytes, const char *name,
                                       const tacit_margin *margin, tacit_error *err);

/* What a suppressed cell costs: x to the power of lambda, log(1 + x) where lambda is 0. */
typedef enum tacit_cost_kind {
    TACIT_COST_VALUE = 0, /* x is |value| */
    TACIT_COST_COUNT,     /* x is 1 */
    TACIT_COST_FREQ,      /* x is the number of contributors */
    TACIT_COST_COLUMN     /* x is |measure| */
} tacit_cost_kind;

tacit_status tacit_cells_set_costs(tacit_cells *cells, tacit_cost_kind kind, double lambda,
                                   tacit_error *err);

/* What everybody knows: each value within q percent of itself (q above 0), or, with q = 0,
 * that it is not below 0 and not above the largest value of all cells; of a cell that has this
 * value itself, not above twice that, since nobody knows it unless it is published. Where values
 * may be negative, within that on both sides. Readers set the latter where bounds are not given; it
 * is an assumption, which a level that reaches beyond it widens (but never below 0 where
 * values are not negative): a total that is confidential itself bounds nothing. */
void tacit_cells_set_bounds(tacit_cells *cells, double q);

/* TACIT_INFEASIBLE, naming the cell, where protection levels reach beyond the bounds, so that no
 * pattern protects it; TACIT_INVALID where bounds do not hold the value, or it is not known. */
tacit_status tacit_cells_check(const tacit_cells *cells, tacit_error *err);

/* How many cells have each status; index is the letter. */
void tacit_cells_tally(int32_t tally[128], const tacit_cells *cells, const char *status);

/* Relations by cell: those of cell i are relations[starts[i]] to relations[starts[i + 1] - 1],
 * ascending. */
typedef struct tacit_cell_uses {
    int64_t *starts; /* count + 1 */
    int32_t *relations;
} tacit_cell_uses;

tacit_status tacit_cell_uses_new(tacit_cell_uses **out, const tacit_cells *cells, tacit_error *err);
void tacit_cell_uses_free(tacit_cell_uses *uses);

/* Writes to fd from its start. status NULL: the cells' own; else a letter a cell. Numbers
 * are written with as few digits as read back the same. */
tacit_status tacit_cells_write_jj(int fd, const char *name, const tacit_cells *cells,
                                  const char *status, tacit_error *err);

/* What is published of suppressed cells in place of blanks, a number a cell each (intervals.h). */
typedef struct tacit_intervals {
    double *low;  /* -INFINITY: nothing is said; NAN: the cell is published */
    double *high; /* INFINITY: nothing is said; NAN: the cell is published */
} tacit_intervals;

typedef struct tacit_cells_csv_options {
    char delimiter;    /* 0: ; */
    bool release;      /* for the public: dimensions, value (empty where suppressed), status; else
                          all that is known of every cell */
    const char *value; /* name of the value's column; NULL: "value", "freq" where values count
                          contributors */
    const tacit_intervals *intervals; /* columns low and high, empty where a cell is published or an
                                         end is open; NULL: none */
    const double *published; /* a cell each, in a column of that name: what is released in place of
                                the value; NULL: no such column. Not with release */
} tacit_cells_csv_options;

/* A row a cell in the order of tables and their places, each cell once, and once more for every
 * further name of its codes. Cells without dimensions are known by their index, column
 * `cell`. */
tacit_status tacit_cells_write_csv(int fd, const char *name, const tacit_cells *cells,
                                   const char *status, const tacit_cells_csv_options *options,
                                   tacit_error *err);

/* The form in which tau-Argus transmits tables of structural business statistics: with commas and
 * without a header, a row a cell that has contributors: its codes, the value, the number of
 * contributors, a letter, and percents. V is published, D suppressed to protect others; of the
 * primary ones A has too few contributors by a rule FREQ, F is one by P or PQ, followed by what
 * percent the largest and the second have, B by DOMINANCE of one, or for any other reason, followed
 * by the largest's, C by that of several, followed by the two largest's together. It has all
 * values, so it is not for the public. */
tacit_status tacit_cells_write_sbs(int fd, const char *name, const tacit_cells *cells,
                                   const char *status, const tacit_rule *rules, int32_t rule_count,
                                   tacit_error *err);

typedef struct tacit_pivot_options {
    int32_t across; /* the dimension whose codes are columns, of the cells' from 0; -1: the last */
    char delimiter; /* 0: ; */
    const char *mark;                 /* what a suppressed cell shows; NULL: x */
    const tacit_intervals *intervals; /* shown in place of the mark: 3..17, 3.. or ..17; or NULL */
} tacit_pivot_options;

/* The last dimension across, and the defaults. */
void tacit_pivot_options_init(tacit_pivot_options *options);

/* A release of cells with dimensions: codes of one dimension are columns, combinations of the
 * others rows, in the order of places; every name of a code has its row or column. The header
 * has the row dimensions' names and the names of the columns. Linked tables follow one another
 * in full, each after a blank line and with its own header; those without the dimension across
 * have their last there. Of a suppressed cell the file has nothing but the mark. */
tacit_status tacit_cells_write_pivot(int fd, const char *name, const tacit_cells *cells,
                                     const char *status, const tacit_pivot_options *options,
                                     tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
