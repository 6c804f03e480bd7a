/*
 * strict_program.c - rows into boxes as an integer program.
 *
 *     minimize the cost of rows' blanks,  every row in one box,
 *     k rows or more in a box that is used, and none in one that is not,
 *     and no more blanks in a column than allowed.
 *
 * Lower-bounded location over boxes. Boxes that could not have k rows are left out, and of boxes
 * with the same rows all but those with the fewest blanks. Rows of a class are counted, not
 * told apart, so nothing is symmetric.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/blanks/strict.h"
#include "solver/solver.h"

enum { MOST_COLUMNS = 4000, USUAL_NODES = 5000 };

static const int64_t USUAL_WORK = 200000000; /* rows times iterations */

/* Columns: a class's rows with a mask, and whether a box is used. */
typedef struct program {
    tacit__strict *strict;
    tacit__solver *solver;
    int32_t *rows_in; /* a mask and a class each: a column, or -1 */
    int32_t *in_use;  /* a box each: a column, or -1 */
    int32_t *items;
    double *values;
    double *start;
} program;

/* ---- what is in it ---- */

/* Numbers the columns; returns how many, or more than MOST_COLUMNS. */
static int64_t number_columns(program *p)
{
    const tacit__strict *s = p->strict;
    int64_t count = 0;
    for (int64_t b = 0; b < s->box_count; b++)
        p->in_use[b] = -1;
    for (int64_t m = 0; m < s->mask_count && count <= MOST_COLUMNS; m++)
        for (int64_t i = 0; i < s->tableau->classes; i++) {
            int64_t at = tacit__strict_at(s, m, i), box = s->box_of[at];
            p->rows_in[at] = -1;
            if (s->total[box] < s->tableau->k || tacit__strict_wasteful(s, m, i))
                continue;
            p->rows_in[at] = (int32_t)count++;
            if (p->in_use[box] < 0)
                p->in_use[box] = (int32_t)count++;
        }
    return count;
}

/* ---- building ---- */

static tacit_status add_columns(program *p, int64_t count, tacit_error *err)
{
    const tacit__strict *s = p->strict;
    const tacit__tableau *t = s->tableau;
    size_t n = (size_t)count + 1;
    double *numbers = tacit__alloc_zeroed(3 * n, sizeof *numbers);
    bool *integers = tacit__alloc_array(n, sizeof *integers);
    tacit_status status = numbers && integers ? TACIT_OK : tacit__nomem(err);
    for (int64_t i = 0; status == TACIT_OK && i < count; i++) {
        numbers[i] = 1; /* of a box; those of rows follow */
        integers[i] = true;
    }
    for (int64_t m = 0; status == TACIT_OK && m < s->mask_count; m++)
        for (int64_t i = 0; i < t->classes; i++) {
            int32_t column = p->rows_in[tacit__strict_at(s, m, i)];
            if (column < 0)
                continue;
            numbers[column] = (double)t->counts[i];
            numbers[n + (size_t)column] = tacit__tableau_cost(t, i, s->masks[m]);
        }
    if (status == TACIT_OK) {
        tacit__solver_lines lines = {.count = (int32_t)count,
                                     .lower = numbers + 2 * n,
                                     .upper = numbers,
                                     .costs = numbers + n,
                                     .integers = integers};
        status = tacit__solver_add_columns(p->solver, &lines, err);
    }
    tacit__free(numbers);
    tacit__free(integers);
    return status;
}

static tacit_status add_row(program *p, double lower, double upper, int32_t count, tacit_error *err)
{
    int32_t starts[2] = {0, count};
    tacit__solver_lines row = {.count = 1,
                               .lower = &lower,
                               .upper = &upper,
                               .starts = starts,
                               .items = p->items,
                               .values = p->values};
    return tacit__solver_add_rows(p->solver, &row, err);
}

/* Every row of a class is somewhere; a class that is in a box has it used. */
static tacit_status add_class(program *p, int64_t i, tacit_error *err)
{
    const tacit__strict *s = p->strict;
    double rows = (double)s->tableau->counts[i];
    int32_t count = 0;
    tacit_status status = TACIT_OK;
    for (int64_t m = 0; m < s->mask_count; m++)
        if (p->rows_in[tacit__strict_at(s, m, i)] >= 0) {
            p->items[count] = p->rows_in[tacit__strict_at(s, m, i)];
            p->values[count++] = 1;
        }
    status = add_row(p, rows, rows, count, err);
    for (int64_t m = 0; status == TACIT_OK && m < s->mask_count; m++) {
        int64_t at = tacit__strict_at(s, m, i);
        if (p->rows_in[at] < 0)
            continue;
        p->items[0] = p->in_use[s->box_of[at]];
        p->values[0] = rows;
        p->items[1] = p->rows_in[at];
        p->values[1] = -1;
        status = add_row(p, 0, INFINITY, 2, err);
    }
    return status;
}

/* A box that is used has k rows. */
static tacit_status add_box(program *p, int64_t box, tacit_error *err)
{
    const tacit__strict *s = p->strict;
    int64_t entries = s->mask_count * s->tableau->classes;
    int32_t count = 1;
    p->items[0] = p->in_use[box];
    p->values[0] = -(double)s->tableau->k;
    for (int64_t at = 0; at < entries; at++)
        if (s->box_of[at] == box && p->rows_in[at] >= 0) {
            p->items[count] = p->rows_in[at];
            p->values[count++] = 1;
        }
    return add_row(p, 0, INFINITY, count, err);
}

static tacit_status add_limit(program *p, int32_t c, tacit_error *err)
{
    const tacit__strict *s = p->strict;
    int32_t count = 0;
    for (int64_t m = 0; m < s->mask_count; m++)
        for (int64_t i = 0; s->masks[m] >> c & 1 && i < s->tableau->classes; i++)
            if (p->rows_in[tacit__strict_at(s, m, i)] >= 0) {
                p->items[count] = p->rows_in[tacit__strict_at(s, m, i)];
                p->values[count++] = 1;
            }
    return add_row(p, -INFINITY, (double)s->tableau->most_column, count, err);
}

static tacit_status build(program *p, int64_t count, tacit_error *err)
{
    const tacit__strict *s = p->strict;
    const tacit__tableau *t = s->tableau;
    tacit_status status = add_columns(p, count, err);
    for (int64_t i = 0; status == TACIT_OK && i < t->classes; i++)
        status = add_class(p, i, err);
    for (int64_t b = 0; status == TACIT_OK && b < s->box_count; b++)
        if (p->in_use[b] >= 0)
            status = add_box(p, b, err);
    for (int32_t c = 0; status == TACIT_OK && t->most_column < t->rows && c < t->columns; c++)
        status = add_limit(p, c, err);
    return status;
}

/* ---- solving ---- */

/* What is there, as a solution; the solver looks whether it is one. */
static void fill_start(program *p, int64_t count)
{
    const tacit__strict *s = p->strict;
    int64_t entries = s->mask_count * s->tableau->classes;
    memset(p->start, 0, (size_t)count * sizeof *p->start);
    for (int64_t at = 0; at < entries; at++)
        if (p->rows_in[at] >= 0)
            p->start[p->rows_in[at]] = s->take[at];
    for (int64_t b = 0; b < s->box_count; b++)
        if (p->in_use[b] >= 0)
            p->start[p->in_use[b]] = s->used[b] > 0;
}

static tacit_status solve(int64_t *nodes, bool keeps, program *p, int64_t count, tacit_error *err)
{
    tacit__strict *s = p->strict;
    tacit__solver_answer answer;
    int64_t rows = tacit__solver_rows(p->solver) + 1;
    tacit__solver_options options = {
        .nodes = USUAL_NODES, .iterations = USUAL_WORK / rows, .phase = "ambiguate"};
    fill_start(p, count);
    options.start = keeps ? p->start : NULL;
    tacit_status status = tacit__solver_solve(&answer, p->solver, &options, s->run, err);
    if (status != TACIT_OK)
        return status;
    *nodes = answer.nodes;
    if (s->every)
        s->bound = fmax(s->bound, answer.bound);
    if (answer.values && (!keeps || answer.cost < tacit__strict_cost(s)))
        tacit__strict_place(s, p->rows_in, answer.values);
    return TACIT_OK;
}

tacit_status tacit__strict_program(int64_t *nodes, bool keeps, tacit__strict *s, tacit_error *err)
{
    size_t entries = (size_t)(s->mask_count * s->tableau->classes) + 2;
    program p = {.strict = s};
    tacit_status status = TACIT_OK;
    if (entries > 50 * MOST_COLUMNS) /* too many to be looked at one by one */
        return TACIT_OK;
    p.rows_in = tacit__alloc_array(entries, sizeof *p.rows_in);
    p.in_use = tacit__alloc_array((size_t)s->box_count, sizeof *p.in_use);
    p.items = tacit__alloc_array(entries, sizeof *p.items);
    p.values = tacit__alloc_array(entries, sizeof *p.values);
    p.start = tacit__alloc_array(MOST_COLUMNS + 2, sizeof *p.start);
    if (!p.rows_in || !p.in_use || !p.items || !p.values || !p.start)
        status = tacit__nomem(err);
    int64_t count = status == TACIT_OK ? number_columns(&p) : 0;
    if (count > 0 && count <= MOST_COLUMNS) {
        status = tacit__solver_new(&p.solver, NULL, err);
        if (status == TACIT_OK)
            status = build(&p, count, err);
        if (status == TACIT_OK)
            status = solve(nodes, keeps, &p, count, err);
    }
    tacit__solver_free(p.solver);
    tacit__free(p.rows_in);
    tacit__free(p.in_use);
    tacit__free(p.items);
    tacit__free(p.values);
    tacit__free(p.start);
    return status;
}
