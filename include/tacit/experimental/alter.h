/*
 * alter.h - methods that change the values of a statistical table, in place of suppressing
 * cells: rounding, controlled adjustment, and counts with noise.
 *
 * A method is one file and one line in the table of methods. It looks at cells and relations and
 * gives a value for every cell. What outsiders make of them is judged by audit_altered.h, with
 * code of its own.
 */
#ifndef TACIT_ALTER_H
#define TACIT_ALTER_H

#include <tacit/experimental/cells.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is kept small. */
typedef enum tacit_distance {
    TACIT_DISTANCE_ONE = 0, /* the sum of weight times |change| */
    TACIT_DISTANCE_TWO      /* the sum of weight times change squared */
} tacit_distance;

/* What a change of a cell weighs. */
typedef enum tacit_alter_weight {
    TACIT_WEIGHT_COST = 0, /* the cell's cost over its value's size: 1 with the default costs, which
                              are the values. A zero counts as a unit of the last decimal place that
                              values have, and weighs 1 where it costs nothing */
    TACIT_WEIGHT_ONE,      /* 1 */
    TACIT_WEIGHT_SHARE /* 1 over the value's size, of a zero as above: changes count as shares */
} tacit_alter_weight;

/* Ways that a cell must not go. */
enum { TACIT_BAR_UP = 1, TACIT_BAR_DOWN = 2 };

/* Epsilon is counted in millionths, so that it is exact, and sums of it are. */
enum { TACIT_EPSILON_UNIT = 1000000, TACIT_MAX_EPSILON = 100 * TACIT_EPSILON_UNIT };

/* Cells that a person may be counted in. */
enum { TACIT_MAX_MOST = 1000 };

/* What is asked of a method. */
typedef struct tacit_alter_options {
    double base;                 /* rounding: to multiples of it; above 0 */
    tacit_distance distance;     /* adjustment */
    tacit_alter_weight weight;   /* controlled rounding and adjustment */
    const unsigned char *barred; /* adjustment: by cell, ways that a primary cell must not go; NULL:
                                    none. What is proven is then so of the tables without these ways
                                    only. Borrowed */
    int64_t epsilon;             /* noise: in millionths, 1 to TACIT_MAX_EPSILON */
    int32_t most; /* noise: cells that a person is counted in, as the cells have it */
} tacit_alter_options;

/* Base 5, sums, weights by costs. */
void tacit_alter_options_init(tacit_alter_options *options);

/* What a method found. Owned; cleared with tacit_altered_clear. */
typedef struct tacit_altered {
    double *value;       /* a cell each, as it is to be published */
    int32_t changed;     /* cells that differ from their values */
    int32_t broken;      /* relations that do not hold any more */
    int32_t far;         /* rounding: cells that are not at their nearest multiple */
    double reach;        /* by the method no published value is further than this from the cell's
                            own: what outsiders may know; INFINITY: nothing is said */
    bool within;         /* nor as far: less than reach */
    double distance;     /* of `value` from the cells' values, as it was kept small */
    double lower_bound;  /* nothing that was asked for is nearer; NAN: nothing is known */
    bool proven;         /* and this is no farther */
    bool stopped;        /* by the progress callback: this is the best so far */
    int32_t unprotected; /* adjustment: a primary cell that nothing moves far enough; -1: none */
} tacit_altered;

void tacit_altered_clear(tacit_altered *altered);

typedef struct tacit_alter_method {
    const char *name;
    const char *summary;
    bool rounds;   /* to multiples of the base; else it moves primary cells beyond their levels */
    bool nearest;  /* no cell is further than half a base from its value */
    bool additive; /* keeps all relations */
    bool noise;    /* adds noise to counts of people, and hides no cell: audit_noise.h judges it */
    tacit_status (*solve)(tacit_altered *out, const tacit_cells *cells,
                          const tacit_alter_options *options, const tacit_run *run,
                          tacit_error *err);
} tacit_alter_method;

/* The methods, ending in an entry without a name, and the one of a name. */
const tacit_alter_method *tacit_alter_methods(void);
const tacit_alter_method *tacit_alter_method_find(const char *name);

/* The method. TACIT_INFEASIBLE where no table is as asked. */
tacit_status tacit_alter(tacit_altered *out, const tacit_cells *cells,
                         const tacit_alter_method *method, const tacit_alter_options *options,
                         const tacit_run *run, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
