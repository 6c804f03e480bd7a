/*
 * box_program.c - rows into boxes as an integer program, in either reading.
 *
 *     minimize the cost of rows' blanks,  every row in one box,
 *     strict: k rows or more in a box that is used, and none in one that is not,
 *     both ways: k rows or more in all boxes of a class in need together (both.h),
 *     and no more blanks in a column than allowed.
 *
 * The strict one is lower-bounded location over boxes: a column says whether a box is used. The
 * other is a covering program: a column has the rows of a box, so that a class names its boxes and
 * not everybody in them; of rows without need those are in it that help somebody. Boxes that k
 * people could not have are left out of both, and of boxes with the same rows all but those with
 * the fewest blanks. Rows of a class are counted, not told apart, so nothing is symmetric.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/blanks/both.h"
#include "solver/solver.h"

enum { MOST_STRICT = 4000, MOST_BOTH = 6000, PROGRAM_NODES = 5000 };

static const int64_t PROGRAM_WORK = 200000000; /* rows times iterations */

/* Columns: a class's rows with a mask, and one for a box: whether it is used, or its rows. */
typedef struct program {
    tacit__strict *strict;
    bool both;
    int64_t most_columns;
    tacit__solver *solver;
    int32_t *rows_in; /* a mask and a class each: a column, or -1 */
    int32_t *of_box;  /* a box each: a column, or -1 */
    bool *needed;     /* a box each: strict, or a class in need is in it */
    int32_t *items;
    double *values;
    double *start;
} program;

/* ---- what is in it ---- */

/* Whether rows of a class may leave with a mask: a box that k people fit, and that is of use. */
static bool is_open(const program *p, int64_t m, int64_t i)
{
    const tacit__strict *s = p->strict;
    int64_t box = s->box_of[tacit__strict_at(s, m, i)];
    if (s->total[box] < s->tableau->k)
        return false;
    return (p->both && m == 0) || (p->needed[box] && !tacit__strict_wasteful(s, m, i));
}

/* Numbers the columns; returns how many, or more than are solved. */
static int64_t number_columns(program *p)
{
    const tacit__strict *s = p->strict;
    int64_t count = 0, entries = s->mask_count * s->tableau->classes;
    for (int64_t b = 0; b < s->box_count; b++) {
        p->of_box[b] = -1;
        p->needed[b] = !p->both;
    }
    for (int64_t at = 0; at < entries && p->both; at++)
        p->needed[s->box_of[at]] |= tacit__both_need(s->tableau, at % s->tableau->classes);
    for (int64_t m = 0; m < s->mask_count && count <= p->most_columns; m++)
        for (int64_t i = 0; i < s->tableau->classes; i++) {
            int64_t at = tacit__strict_at(s, m, i), box = s->box_of[at];
            bool open = is_open(p, m, i);
            p->rows_in[at] = open ? (int32_t)count++ : -1;
            if (open && p->needed[box] && p->of_box[box] < 0)
                p->of_box[box] = (int32_t)count++;
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
        numbers[i] = p->both ? (double)t->rows : 1; /* of a box; those of rows follow */
        integers[i] = !p->both;
    }
    for (int64_t m = 0; status == TACIT_OK && m < s->mask_count; m++)
        for (int64_t i = 0; i < t->classes; i++) {
            int32_t column = p->rows_in[tacit__strict_at(s, m, i)];
            if (column < 0)
                continue;
            integers[column] = true;
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

static void add_item(program *p, int32_t *count, int32_t column, double value)
{
    p->items[*count] = column;
    p->values[(*count)++] = value;
}

/* A class that is in a box has it used. */
static tacit_status use_boxes(program *p, int64_t i, tacit_error *err)
{
    const tacit__strict *s = p->strict;
    tacit_status status = TACIT_OK;
    for (int64_t m = 0; status == TACIT_OK && m < s->mask_count; m++) {
        int64_t at = tacit__strict_at(s, m, i);
        int32_t count = 0;
        if (p->rows_in[at] < 0)
            continue;
        add_item(p, &count, p->of_box[s->box_of[at]], (double)s->tableau->counts[i]);
        add_item(p, &count, p->rows_in[at], -1);
        status = add_row(p, 0, INFINITY, count, err);
    }
    return status;
}

/* The people of a class in need fit k rows. */
static tacit_status fit_rows(program *p, int64_t i, tacit_error *err)
{
    const tacit__strict *s = p->strict;
    int32_t count = 0;
    if (!tacit__both_need(s->tableau, i))
        return TACIT_OK;
    for (int64_t m = 1; m < s->mask_count; m++)
        if (p->of_box[s->box_of[tacit__strict_at(s, m, i)]] >= 0)
            add_item(p, &count, p->of_box[s->box_of[tacit__strict_at(s, m, i)]], 1);
    return add_row(p, (double)s->tableau->k, INFINITY, count, err);
}

/* Every row of a class is somewhere, and what its boxes must be for it. */
static tacit_status add_class_rows(program *p, int64_t i, tacit_error *err)
{
    const tacit__strict *s = p->strict;
    double rows = (double)s->tableau->counts[i];
    int32_t count = 0;
    for (int64_t m = 0; m < s->mask_count; m++)
        if (p->rows_in[tacit__strict_at(s, m, i)] >= 0)
            add_item(p, &count, p->rows_in[tacit__strict_at(s, m, i)], 1);
    tacit_status status = add_row(p, rows, rows, count, err);
    if (status != TACIT_OK)
        return status;
    return p->both ? fit_rows(p, i, err) : use_boxes(p, i, err);
}

/* A box that is used has k rows; or it has the rows that leave in it. */
static tacit_status add_box(program *p, int64_t box, tacit_error *err)
{
    const tacit__strict *s = p->strict;
    int64_t entries = s->mask_count * s->tableau->classes;
    int32_t count = 0;
    add_item(p, &count, p->of_box[box], p->both ? -1 : -(double)s->tableau->k);
    for (int64_t at = 0; at < entries; at++)
        if (s->box_of[at] == box && p->rows_in[at] >= 0)
            add_item(p, &count, p->rows_in[at], 1);
    return add_row(p, 0, p->both ? 0 : INFINITY, count, err);
}

static tacit_status add_limit(program *p, int32_t c, tacit_error *err)
{
    const tacit__strict *s = p->strict;
    int32_t count = 0;
    for (int64_t m = 0; m < s->mask_count; m++)
        for (int64_t i = 0; s->masks[m] >> c & 1 && i < s->tableau->classes; i++)
            if (p->rows_in[tacit__strict_at(s, m, i)] >= 0)
                add_item(p, &count, p->rows_in[tacit__strict_at(s, m, i)], 1);
    return add_row(p, -INFINITY, (double)s->tableau->most_column, count, err);
}

static tacit_status build(program *p, int64_t count, tacit_error *err)
{
    const tacit__strict *s = p->strict;
    const tacit__tableau *t = s->tableau;
    tacit_status status = add_columns(p, count, err);
    for (int64_t i = 0; status == TACIT_OK && i < t->classes; i++)
        status = add_class_rows(p, i, err);
    for (int64_t b = 0; status == TACIT_OK && b < s->box_count; b++)
        if (p->of_box[b] >= 0)
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
        if (p->of_box[b] >= 0)
            p->start[p->of_box[b]] = p->both ? (double)s->used[b] : s->used[b] > 0;
}

static tacit_status solve_program(int64_t *nodes, bool keeps, program *p, int64_t count,
                                  tacit_error *err)
{
    tacit__strict *s = p->strict;
    tacit__solver_answer answer;
    int64_t rows = tacit__solver_rows(p->solver) + 1;
    tacit__solver_options options = {
        .nodes = PROGRAM_NODES, .iterations = PROGRAM_WORK / rows, .phase = "ambiguate"};
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

tacit_status tacit__box_program(int64_t *nodes, bool keeps, bool both, tacit__strict *s,
                                tacit_error *err)
{
    size_t entries = (size_t)(s->mask_count * s->tableau->classes) + 2;
    program p = {.strict = s, .both = both, .most_columns = both ? MOST_BOTH : MOST_STRICT};
    tacit_status status = TACIT_OK;
    if (entries > 50 * (size_t)p.most_columns) /* too many to be looked at one by one */
        return TACIT_OK;
    p.rows_in = tacit__alloc_array(entries, sizeof *p.rows_in);
    p.of_box = tacit__alloc_array((size_t)s->box_count, sizeof *p.of_box);
    p.needed = tacit__alloc_array((size_t)s->box_count, sizeof *p.needed);
    p.items = tacit__alloc_array(entries, sizeof *p.items);
    p.values = tacit__alloc_array(entries, sizeof *p.values);
    p.start = tacit__alloc_array((size_t)p.most_columns + 2, sizeof *p.start);
    if (!p.rows_in || !p.of_box || !p.needed || !p.items || !p.values || !p.start)
        status = tacit__nomem(err);
    int64_t count = status == TACIT_OK ? number_columns(&p) : 0;
    if (count > 0 && count <= p.most_columns) {
        status = tacit__solver_new(&p.solver, NULL, err);
        if (status == TACIT_OK)
            status = build(&p, count, err);
        if (status == TACIT_OK)
            status = solve_program(nodes, keeps, &p, count, err);
    }
    tacit__solver_free(p.solver);
    tacit__free(p.rows_in);
    tacit__free(p.of_box);
    tacit__free(p.needed);
    tacit__free(p.items);
    tacit__free(p.values);
    tacit__free(p.start);
    return status;
}
