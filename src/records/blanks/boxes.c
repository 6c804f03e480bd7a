/*
 * boxes.c - masks of blanks, the boxes of rows that are the same beyond them, and rows into boxes
 * as an integer program, in either reading (boxes.h).
 *
 * Masks are listed by size as far as limits and memory go, and the largest of all where it is
 * allowed, so that there is a place for every row. Each costs a pass over the classes. A row costs
 * at least what it does in its cheapest box that could have k rows, which is a bound; where some
 * row has no such box, nothing keeps k. The program:
 *
 *     minimize the cost of rows' blanks,  every row in one box,
 *     strict: k rows or more in a box that is used, and none in one that is not,
 *     both ways: k rows or more in all boxes of a class in need together,
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
#include "base/hash.h"
#include "base/map.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/blanks/boxes.h"
#include "solver/solver.h"

enum { MAX_MASKS = 5000, MAX_ENTRIES = 50000000 };

static tacit_status add_mask(tacit__strict *s, uint64_t mask, tacit_error *err)
{
    return TACIT__PUSH(s->masks, s->mask_capacity, s->mask_count, mask) ? TACIT_OK
                                                                        : tacit__nomem(err);
}

static tacit_status list_masks(tacit__strict *s, tacit_error *err)
{
    const tacit__tableau *t = s->tableau;
    double room = fmin(MAX_MASKS, MAX_ENTRIES / (double)t->classes);
    int32_t size = 0;
    tacit_status status = add_mask(s, 0, err);
    for (size = 1; status == TACIT_OK && size <= t->most_row && size < t->columns; size++) {
        if ((double)s->mask_count + tacit__count_sets(t->columns, size) > room)
            break;
        for (uint64_t mask = tacit__first_set(size); status == TACIT_OK && mask;
             mask = tacit__next_set(mask, t->columns))
            status = add_mask(s, mask, err);
    }
    s->every = size > t->most_row || size >= t->columns;
    return status == TACIT_OK && t->most_row >= t->columns
               ? add_mask(s, tacit__first_set(t->columns), err)
               : status;
}

/* ---- boxes ---- */

static uint64_t hash_of(const tacit__tableau *t, int64_t class_index, uint64_t mask)
{
    const uint32_t *codes = tacit__tableau_codes(t, class_index);
    uint64_t hash = mask;
    for (int32_t c = 0; c < t->columns; c++)
        if (!(mask >> c & 1))
            hash = tacit__mix(hash + codes[c] + 1);
    return hash;
}

/* Finds the boxes of a mask; slots, of which there are size + 1, hold a class of each: a table of
 * its own, for that is what a class is compared with, and a number of the box would not give it. */
static tacit_status find_mask_boxes(tacit__strict *s, int64_t m, uint32_t *slots, uint64_t size,
                                    tacit_error *err)
{
    const tacit__tableau *t = s->tableau;
    uint32_t *box_of = s->box_of + tacit__strict_at(s, m, 0);
    memset(slots, 0xff, (size + 1) * sizeof *slots);
    for (int64_t i = 0; i < t->classes; i++) {
        uint64_t at = hash_of(t, i, s->masks[m]) & size;
        while (slots[at] != TACIT__NONE && tacit__tableau_differ(t, i, slots[at]) & ~s->masks[m])
            at = (at + 1) & size;
        if (slots[at] == TACIT__NONE) {
            if (!TACIT__RESERVE_ONE(s->total, s->total_capacity, s->box_count))
                return tacit__nomem(err);
            slots[at] = (uint32_t)i;
            box_of[i] = (uint32_t)s->box_count;
            s->total[s->box_count++] = 0;
        }
        box_of[i] = box_of[slots[at]];
        s->total[box_of[i]] += t->counts[i];
    }
    return TACIT_OK;
}

static tacit_status list_boxes(tacit__strict *s, tacit_error *err)
{
    uint64_t size = 1;
    while (size < 2 * (uint64_t)s->tableau->classes)
        size *= 2;
    uint32_t *slots = tacit__alloc_array(size, sizeof *slots);
    tacit_status status = slots ? TACIT_OK : tacit__nomem(err);
    for (int64_t m = 0; status == TACIT_OK && m < s->mask_count; m++) {
        status = tacit__progress(s->run, "ambiguate", m, s->mask_count, err);
        if (status == TACIT_OK)
            status = find_mask_boxes(s, m, slots, size - 1, err);
    }
    tacit__free(slots);
    return status;
}

/* ---- the bound ---- */

/* What a row of a class costs at least; with masks that are not listed, a blank. */
static double cheapest(const tacit__strict *s, int64_t class_index)
{
    const tacit__tableau *t = s->tableau;
    double least = INFINITY;
    for (int64_t m = 0; m < s->mask_count; m++)
        if (s->total[s->box_of[tacit__strict_at(s, m, class_index)]] >= t->k)
            least = fmin(least, tacit__tableau_cost(t, class_index, s->masks[m]));
    if (!s->every)
        for (int32_t c = 0; c < t->columns; c++)
            least = fmin(least, t->costs[class_index * t->columns + c]);
    return least;
}

static void find_box_bound(tacit__strict *s)
{
    const tacit__tableau *t = s->tableau;
    s->bound = 0;
    for (int64_t i = 0; i < t->classes; i++)
        s->bound += (double)t->counts[i] * cheapest(s, i);
}

tacit_status tacit__strict_init(tacit__strict *s, const tacit__tableau *t, const tacit_run *run,
                                tacit_error *err)
{
    *s = (tacit__strict){.tableau = t, .run = run};
    tacit_status status = list_masks(s, err);
    size_t entries = (size_t)s->mask_count * (size_t)t->classes;
    if (status == TACIT_OK) {
        s->box_of = tacit__alloc_array(entries, sizeof *s->box_of);
        s->take = tacit__alloc_zeroed(entries, sizeof *s->take);
        status = s->box_of && s->take ? list_boxes(s, err) : tacit__nomem(err);
    }
    if (status == TACIT_OK) {
        s->used = tacit__alloc_zeroed((size_t)s->box_count, sizeof *s->used);
        status = s->used ? TACIT_OK : tacit__nomem(err);
    }
    for (int64_t i = 0; status == TACIT_OK && i < t->classes; i++) {
        s->take[i] = (uint32_t)t->counts[i];
        s->used[s->box_of[i]] = t->counts[i];
    }
    if (status == TACIT_OK)
        find_box_bound(s);
    else
        tacit__strict_clear(s);
    return status;
}

void tacit__strict_clear(tacit__strict *s)
{
    tacit__free(s->masks);
    tacit__free(s->box_of);
    tacit__free(s->total);
    tacit__free(s->take);
    tacit__free(s->used);
    *s = (tacit__strict){0};
}

/* ---- rows in boxes ---- */

static void count_blanks(tacit__strict *s, int64_t m, int64_t rows)
{
    for (uint64_t left = s->masks[m]; left; left &= left - 1)
        s->column[__builtin_ctzll(left)] += rows;
}

void tacit__strict_move(tacit__strict *s, int64_t class_index, int64_t from, int64_t to,
                        int64_t rows)
{
    int64_t source = tacit__strict_at(s, from, class_index);
    int64_t target = tacit__strict_at(s, to, class_index);
    s->take[source] -= (uint32_t)rows;
    s->take[target] += (uint32_t)rows;
    s->used[s->box_of[source]] -= rows;
    s->used[s->box_of[target]] += rows;
    count_blanks(s, from, -rows);
    count_blanks(s, to, rows);
}

bool tacit__strict_capacity(const tacit__strict *s, int64_t m, int64_t rows)
{
    for (uint64_t left = s->masks[m]; left; left &= left - 1)
        if (s->column[__builtin_ctzll(left)] + rows > s->tableau->most_column)
            return false;
    return true;
}

int64_t tacit__strict_mask(const tacit__strict *s, uint64_t mask)
{
    for (int64_t m = 0; m < s->mask_count; m++)
        if (s->masks[m] == mask)
            return m;
    return -1;
}

/* Whether a box has the same rows with fewer blanks. */
static bool is_wasteful(const tacit__strict *s, int64_t m, int64_t i)
{
    int64_t total = s->total[s->box_of[tacit__strict_at(s, m, i)]];
    for (uint64_t left = s->masks[m]; left; left &= left - 1) {
        int64_t less = tacit__strict_mask(s, s->masks[m] & ~(left & -left));
        if (less >= 0 && s->total[s->box_of[tacit__strict_at(s, less, i)]] == total)
            return true;
    }
    return false;
}

/* Puts rows where a program's solution has them: a column for a mask and a class each, or -1. */
static void place_solution(tacit__strict *s, const int32_t *column_of, const double *values)
{
    int64_t classes = s->tableau->classes;
    for (int64_t i = 0; i < classes; i++)
        for (int64_t m = 1; m < s->mask_count; m++)
            tacit__strict_move(s, i, m, 0, s->take[tacit__strict_at(s, m, i)]);
    for (int64_t i = 0; i < classes; i++)
        for (int64_t m = 1; m < s->mask_count; m++) {
            int32_t column = column_of[tacit__strict_at(s, m, i)];
            if (column >= 0)
                tacit__strict_move(s, i, 0, m, llround(values[column]));
        }
}

/* What the blanks of all rows cost. */
static double cost_of_rows(const tacit__strict *s)
{
    double cost = 0;
    for (int64_t m = 1; m < s->mask_count; m++)
        for (int64_t i = 0; i < s->tableau->classes; i++) {
            uint32_t rows = s->take[tacit__strict_at(s, m, i)];
            if (rows > 0)
                cost += rows * tacit__tableau_cost(s->tableau, i, s->masks[m]);
        }
    return cost;
}

tacit_status tacit__strict_write(tacit__blanking *plan, const tacit__strict *s, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int64_t m = 1; status == TACIT_OK && m < s->mask_count; m++)
        for (int64_t i = 0; status == TACIT_OK && i < s->tableau->classes; i++) {
            uint32_t rows = s->take[tacit__strict_at(s, m, i)];
            if (rows > 0)
                status = tacit__blanking_add(
                    plan, (tacit__blank){(uint32_t)i, rows, s->masks[m], 0}, err);
        }
    tacit__blanking_tidy(plan);
    double cost = cost_of_rows(s);
    plan->proven = s->bound >= cost - 1e-6 * (1 + cost);
    plan->bound = plan->proven ? cost : fmax(s->bound, 0);
    return status;
}

/* ---- the integer program ---- */

enum { MAX_STRICT = 4000, MAX_BOTH = 6000, PROGRAM_NODES = 5000 };

static const int64_t PROGRAM_WORK = 200000000; /* rows times iterations */

/* Columns: a class's rows with a mask, and one for a box: whether it is used, or its rows. */
typedef struct program {
    tacit__strict *strict;
    bool both;
    int64_t max_columns;
    tacit__solver *solver;
    int32_t *rows_in; /* a mask and a class each: a column, or -1 */
    int32_t *of_box;  /* a box each: a column, or -1 */
    bool *needed;     /* a box each: strict, or a class in need is in it */
    int32_t *items;
    double *values;
    double *start;
} program;

/* Whether rows of a class may leave with a mask: a box that k people fit, and that is of use. */
static bool is_open(const program *p, int64_t m, int64_t i)
{
    const tacit__strict *s = p->strict;
    int64_t box = s->box_of[tacit__strict_at(s, m, i)];
    if (s->total[box] < s->tableau->k)
        return false;
    return (p->both && m == 0) || (p->needed[box] && !is_wasteful(s, m, i));
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
    for (int64_t m = 0; m < s->mask_count && count <= p->max_columns; m++)
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
    if (answer.values && (!keeps || answer.cost < cost_of_rows(s)))
        place_solution(s, p->rows_in, answer.values);
    return TACIT_OK;
}

tacit_status tacit__box_program(int64_t *nodes, bool keeps, bool both, tacit__strict *s,
                                tacit_error *err)
{
    size_t entries = (size_t)(s->mask_count * s->tableau->classes) + 2;
    program p = {.strict = s, .both = both, .max_columns = both ? MAX_BOTH : MAX_STRICT};
    tacit_status status = TACIT_OK;
    if (entries > 50 * (size_t)p.max_columns) /* too many to be looked at one by one */
        return TACIT_OK;
    p.rows_in = tacit__alloc_array(entries, sizeof *p.rows_in);
    p.of_box = tacit__alloc_array((size_t)s->box_count, sizeof *p.of_box);
    p.needed = tacit__alloc_array((size_t)s->box_count, sizeof *p.needed);
    p.items = tacit__alloc_array(entries, sizeof *p.items);
    p.values = tacit__alloc_array(entries, sizeof *p.values);
    p.start = tacit__alloc_array((size_t)p.max_columns + 2, sizeof *p.start);
    if (!p.rows_in || !p.of_box || !p.needed || !p.items || !p.values || !p.start)
        status = tacit__nomem(err);
    int64_t count = status == TACIT_OK ? number_columns(&p) : 0;
    if (count > 0 && count <= p.max_columns) {
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
