/*
 * exact.h - the inside of the least-cost ambiguation; exact.c says how the parts work together.
 *
 * Rows are units where their cells may be blank: every row of a class that is in need, and as many
 * rows of another class as have been of use so far. Rows of a class agree whatever is blank, so
 * what a class that is not in need gives is simple: a row that has blank what it differs in agrees
 * with all of it, which is k rows and enough; that is help by a class. Any other help comes from a
 * unit.
 */
#ifndef TACIT_RECORDS_BLANKS_EXACT_H
#define TACIT_RECORDS_BLANKS_EXACT_H

#include "records/ambiguate/ambiguate.h"
#include "solver/solver.h"

#define TACIT__EXACT_WORK INT64_C(200000000) /* of linear programs: rows times iterations */

/* A row whose cells may be blank. */
typedef struct tacit__unit {
    uint32_t class_index;
    int32_t need;       /* rows of other classes that it must agree with; 0: of none */
    int32_t before;     /* the unit of the same class before it, or -1 */
    int32_t first_link; /* of its helpers, or -1 */
} tacit__unit;

/* A helper of a unit in need. */
typedef struct tacit__link {
    int32_t unit;
    int32_t helper;  /* a unit, or -1: a class */
    uint64_t differ; /* where they do */
    int32_t next;    /* of the unit's links, or -1 */
} tacit__link;

/* Blanks of units, and how many rows those in need agree with. */
typedef struct tacit__masks {
    uint64_t *mask; /* a unit each */
    int64_t *alpha; /* of a unit in need */
    size_t mask_capacity, alpha_capacity;
    double cost;
    int64_t column[64]; /* blanks in each */
} tacit__masks;

typedef struct tacit__exact {
    const tacit__tableau *tableau;
    const tacit_run *run;
    tacit__unit *units;
    int32_t unit_count;
    tacit__link *links;
    int32_t link_count;
    size_t unit_capacity, link_capacity;
    int32_t *last;     /* a class each: its last unit, or -1 */
    int64_t *uses;     /* a class each: units it has */
    tacit__masks best; /* the best found, */
    bool found;        /* if any; it keeps what is asked */
    bool failed;       /* memory ran out: what is added since does not count */
    double step;       /* costs are multiples of it; 0: of nothing that is known */
    double bound;      /* no solution costs less */
    int64_t nodes;     /* of the search for integers */
    int64_t work;      /* what linear programs took: rows times iterations */
} tacit__exact;

/* ---- units and their blanks: exact_units.c ---- */

/* Units of the classes in need. TACIT_LIMIT where they are too many to be looked at. */
tacit_status tacit__exact_init(tacit__exact *exact, const tacit__tableau *tableau,
                               const tacit_run *run, tacit_error *err);
void tacit__exact_clear(tacit__exact *exact);

/* One more row of a class. */
void tacit__exact_add_unit(tacit__exact *exact, uint32_t class_index);

void tacit__exact_add_link(tacit__exact *exact, int32_t unit, int32_t helper, uint64_t differ);

/* Where two units differ. */
uint64_t tacit__exact_differ(const tacit__exact *exact, int32_t unit, int32_t other);

/* Whether a unit in need could have this helper (a unit of another class) in anything better
 * than the best. */
bool tacit__exact_may(const tacit__exact *exact, int32_t unit, uint32_t helper_class,
                      uint64_t differ);

/* What anything better than the best costs at most; INFINITY where nothing is found. */
double tacit__exact_cutoff(const tacit__exact *exact);

/* Raises a bound to the next cost that there can be. */
double tacit__exact_lift(const tacit__exact *exact, double bound);

/* Room for all units; that there is none is noted. */
void tacit__masks_fit(tacit__masks *masks, tacit__exact *exact);
void tacit__masks_clear(tacit__masks *masks);

/* No blanks. */
void tacit__masks_reset(tacit__masks *masks, const tacit__exact *exact);

/* Gives a unit other blanks. */
void tacit__masks_set(tacit__masks *masks, const tacit__exact *exact, int32_t unit, uint64_t mask);

/* Fills blanks that are not needed, the costliest first. */
void tacit__masks_minimize(tacit__masks *masks, const tacit__exact *exact);

/* Takes masks over as the best where they are. */
void tacit__exact_offer(tacit__exact *exact, const tacit__masks *masks);

/* What a blank costs. */
static inline double tacit__exact_cost(const tacit__exact *exact, int32_t unit, int32_t column)
{
    const tacit__tableau *t = exact->tableau;
    return t->costs[(int64_t)exact->units[unit].class_index * t->columns + column];
}

/* ---- programs: exact_program.c ---- */

/* Lines of a program in the making. Zero-initialized is empty. */
typedef struct tacit__lines {
    double *lower, *upper, *costs, *values;
    bool *integers;
    int32_t *starts, *items;
    int32_t count;
    bool failed; /* memory ran out */
    size_t lower_capacity, upper_capacity, cost_capacity, value_capacity, integer_capacity,
        start_capacity, item_capacity;
} tacit__lines;

/* A program over some units and some of their links. */
typedef struct tacit__help {
    const tacit__exact *exact;
    tacit__solver *solver;
    int32_t *cell; /* a unit and a column each: in the program, or -1 */
    int32_t *row;  /* a unit each: the row of its need; a row a cell follows */
    int32_t *link; /* a link each: its column, or -1 */
    size_t cell_capacity, unit_capacity, link_capacity;
    tacit__lines columns, rows; /* that are being added */
} tacit__help;

tacit_status tacit__help_init(tacit__help *help, const tacit__exact *exact, tacit_error *err);
void tacit__help_clear(tacit__help *help);

/* Adds units, of which the cells that `cells` has bits for can be blank, and links of units that
 * are in it. Units of a class come in their order. */
tacit_status tacit__help_add_units(tacit__help *help, int32_t count, const int32_t *units,
                                   const uint64_t *cells, tacit_error *err);
tacit_status tacit__help_add_links(tacit__help *help, int32_t count, const int32_t *links,
                                   tacit_error *err);

/* ---- the program of all: exact_root.c ---- */

typedef struct tacit__root {
    tacit__exact *exact;
    tacit__help help;
    int32_t units, links;             /* that are in the program */
    double *values, *reduced, *duals; /* of the last solution; reduced and duals not below 0 */
    size_t value_capacity, reduced_capacity, dual_capacity;
    int32_t reach; /* columns in which pairs that are added differ at most */
    bool priced;   /* the last solution has all that could be of use */
    bool solved;   /* there is a last solution, and all helpers of use are in it */
    bool empty;    /* there is none at all */
    double cost;   /* a bound on the program as it is */
} tacit__root;

tacit_status tacit__root_init(tacit__root *root, tacit__exact *exact, tacit_error *err);
void tacit__root_clear(tacit__root *root);

/* Solves it with helpers as long as they are of use; raises the bound of exact. */
tacit_status tacit__root_solve(tacit__root *root, tacit_error *err);

/* A unit's cell in the last solution, and its reduced cost; a link's. Of what is not in the
 * program: nothing, and no reduced cost. */
static inline double tacit__root_value(const tacit__root *root, int32_t unit, int32_t column)
{
    int64_t at = (int64_t)unit * root->exact->tableau->columns + column;
    return unit < root->units ? root->values[root->help.cell[at]] : 0;
}

static inline double *tacit__root_reduced(const tacit__root *root, int32_t unit)
{
    int64_t at = (int64_t)unit * root->exact->tableau->columns;
    return root->reduced && unit < root->units ? root->reduced + root->help.cell[at] : NULL;
}

static inline double tacit__root_link_reduced(const tacit__root *root, int32_t link)
{
    return root->reduced && link < root->links ? root->reduced[root->help.link[link]] : 0;
}

/* Adds helpers that may be of use : in the linear program, or
 * (`margin`) in anything that costs up to `margin` more. *short_of is what the program's cost
 * may be too much for a bound as long as they are not in it. */
tacit_status tacit__root_price(int64_t *added, double *short_of, tacit__root *root, double margin,
                               tacit_error *err);

#endif
