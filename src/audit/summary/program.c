/*
 * program.c - the programs of one block; see summary.h.
 *
 * Variables say how many of a class have a combination: whole numbers from 0, which sum up to the
 * rows of each class and to what each table of frequencies has left. What is possible is
 * found together: a program makes the sum of all variables not yet seen above zero as large as
 * it can, its solution shows some of them, and so on until the sum is 0, which rules out the rest.
 * Then each target, the rows of a class in one state of a column, is made as small and as large as
 * it can be, unless a solution that was seen has reached a bound that everybody knows, or nothing
 * would be told of the column in any case.
 *
 * With one table the rows of the program are those of a transportation problem, whose corners
 * are whole numbers, and linear programs are exact. With several they need not be, and whole
 * numbers are asked for; where the block is too large for that, linear programs bound from outside
 * what whole numbers can do. Then, or where a limit ends the search, what is found impossible is
 * impossible, and what must be must be; the answer only may be wider than the truth, and exact
 * is taken back.
 */
#include <math.h>
#include <string.h>

#include "audit/summary/summary.h"
#include "base/alloc.h"
#include "base/error.h"
#include "solver/solver.h"

/* The program of one block, made: a variable for each class and combination, a row
 * for each class and each entry of a table, which are numbered as they are met. Memory and time go
 * with the variables times the tables. */

typedef struct block_program {
    tacit__combos *combos;
    tacit__joint *joint;
    const int32_t *items; /* variables of the block */
    int32_t count;
    tacit__solver *solver;
    int32_t rows;
    int32_t *table_of; /* a row of the program each; -1: a class */
    double *sums;      /* of these rows */
    double *upper;     /* a column each */
    double *last;      /* the last solution in whole numbers, from which searches start */
    bool has_last;
    bool whole;  /* solutions are whole numbers */
    bool linear; /* without asking for them */
    bool exact;
    int64_t asked; /* programs */
    int64_t nodes; /* left for searches */
} block_program;

static int64_t most_of(const tacit__combos *c, int32_t variable)
{
    const tacit__joint *j = c->joint;
    int64_t most = tacit__joint_size(j, c->classes[c->owner[variable]]);
    for (int32_t t = 0; t < j->table_count; t++) {
        int64_t left = j->left[c->entries[(size_t)variable * (size_t)j->table_count + (size_t)t]];
        most = left < most ? left : most;
    }
    return most;
}

/* The row of a class or entry, made where there is none yet. */
static int32_t row_for(block_program *p, int32_t item, int32_t table, int64_t sum)
{
    int32_t *rows = p->combos->program_rows;
    if (rows[item] < 0) {
        p->table_of[p->rows] = table;
        p->sums[p->rows] = (double)sum;
        rows[item] = p->rows++;
    }
    return rows[item];
}

/* The rows that a column is in. */
static void fill_column(block_program *p, int32_t *items, int32_t variable)
{
    const tacit__combos *c = p->combos;
    const tacit__joint *j = p->joint;
    int32_t owner = c->owner[variable];
    items[0] = row_for(p, owner, -1, tacit__joint_size(j, c->classes[owner]));
    for (int32_t t = 0; t < j->table_count; t++) {
        int32_t entry = c->entries[(size_t)variable * (size_t)j->table_count + (size_t)t];
        items[t + 1] = row_for(p, c->open + entry, t, j->left[entry]);
    }
}

typedef struct lines {
    double *lower, *values;
    bool *integers;
    int32_t *starts, *items;
} lines;

static void lines_clear(lines *l)
{
    tacit__free(l->lower);
    tacit__free(l->values);
    tacit__free(l->integers);
    tacit__free(l->starts);
    tacit__free(l->items);
}

static bool lines_init(lines *l, const block_program *p)
{
    size_t count = (size_t)p->count, width = (size_t)p->joint->table_count + 1;
    l->lower = tacit__alloc_zeroed(count, sizeof *l->lower);
    l->values = tacit__alloc_array(count * width, sizeof *l->values);
    l->integers = tacit__alloc_array(count, sizeof *l->integers);
    l->starts = tacit__alloc_array(count + 1, sizeof *l->starts);
    l->items = tacit__alloc_array(count * width, sizeof *l->items);
    return l->lower && l->values && l->integers && l->starts && l->items;
}

static tacit_status fill_program(block_program *p, tacit_error *err)
{
    lines l = {0};
    int32_t width = p->joint->table_count + 1;
    tacit_status status = lines_init(&l, p) ? TACIT_OK : tacit__nomem(err);
    for (int32_t i = 0; i < p->count && status == TACIT_OK; i++) {
        p->combos->place[p->items[i]] = i;
        p->upper[i] = (double)most_of(p->combos, p->items[i]);
        l.integers[i] = !p->linear;
        l.starts[i] = i * width;
        fill_column(p, l.items + (size_t)i * (size_t)width, p->items[i]);
        for (int32_t t = 0; t < width; t++)
            l.values[(size_t)i * (size_t)width + (size_t)t] = 1;
    }
    if (status == TACIT_OK) {
        l.starts[p->count] = p->count * width;
        tacit__solver_lines rows = {.count = p->rows, .lower = p->sums, .upper = p->sums};
        status = tacit__solver_add_rows(p->solver, &rows, err);
    }
    if (status == TACIT_OK) {
        tacit__solver_lines columns = {.count = p->count,
                                       .lower = l.lower,
                                       .upper = p->upper,
                                       .integers = l.integers,
                                       .starts = l.starts,
                                       .items = l.items,
                                       .values = l.values};
        status = tacit__solver_add_columns(p->solver, &columns, err);
    }
    lines_clear(&l);
    return status;
}

static void block_program_clear(block_program *p)
{
    tacit__solver_free(p->solver);
    tacit__free(p->table_of);
    tacit__free(p->sums);
    tacit__free(p->upper);
    tacit__free(p->last);
}

/* combos, joint, items and count are given. Cleared in any case. */
static tacit_status block_program_init(block_program *p, tacit_error *err)
{
    const tacit__summary_limits *limits = &p->joint->scene->limits;
    size_t rows = (size_t)p->count * ((size_t)p->joint->table_count + 1);
    p->linear = p->joint->table_count == 1 || p->count > limits->integers;
    p->whole = p->joint->table_count == 1 || !p->linear;
    p->exact = p->whole;
    p->nodes = limits->nodes;
    p->table_of = tacit__alloc_array(rows, sizeof *p->table_of);
    p->sums = tacit__alloc_array(rows, sizeof *p->sums);
    p->upper = tacit__alloc_array((size_t)p->count, sizeof *p->upper);
    p->last = tacit__alloc_array((size_t)p->count, sizeof *p->last);
    if (!p->table_of || !p->sums || !p->upper || !p->last)
        return tacit__nomem(err);
    tacit_status status = tacit__solver_new(&p->solver, NULL, err);
    return status == TACIT_OK ? fill_program(p, err) : status;
}

/* ---- */

#define CLOSE      1e-4 /* beyond any error of the solver, and far below 1 */
#define ABOVE_ZERO 1e-7
#define ANY_GAP    1e9 /* the first solution that costs anything will do */

/* ---- asking ---- */

static bool in_whole_numbers(const block_program *p, const double *values)
{
    bool whole = true;
    for (int32_t i = 0; i < p->count; i++)
        whole &= fabs(values[i] - round(values[i])) <= TACIT__SOLVER_INTEGER;
    return whole;
}

/* Takes in a solution in whole numbers: the least and most that a target was seen to have. */
static void note_targets(block_program *p, const double *values)
{
    tacit__combos *c = p->combos;
    size_t width = (size_t)p->joint->width;
    memcpy(p->last, values, (size_t)p->count * sizeof *values);
    p->has_last = true;
    for (int32_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < width; k++)
            c->seen[c->targets[(size_t)p->items[i] * width + k]] = 0;
    for (int32_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < width; k++)
            c->seen[c->targets[(size_t)p->items[i] * width + k]] += llround(values[i]);
    for (int32_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < width; k++) {
            int32_t target = c->targets[(size_t)p->items[i] * width + k];
            if (c->seen[target] < c->least[target])
                c->least[target] = c->seen[target];
            if (c->seen[target] > c->most[target])
                c->most[target] = c->seen[target];
        }
}

/* Takes in a solution. What is above zero in one of whole numbers is possible; so it is in any
 * of a transportation problem, which lies between some of whole numbers; and where only linear
 * programs are asked, it may be. */
static void note(block_program *p, const double *values)
{
    bool whole = in_whole_numbers(p, values);
    for (int32_t i = 0; i < p->count && (whole || p->linear); i++)
        if (values[i] > (whole ? 0.5 : ABOVE_ZERO))
            p->combos->possible[p->items[i]] = 1;
    if (whole)
        note_targets(p, values);
}

static tacit_status run_program(tacit__solver_answer *answer, block_program *p, bool relaxed,
                                double gap, tacit_error *err)
{
    tacit__solver_options options = {.nodes = p->nodes,
                                     .relaxed = relaxed || p->linear,
                                     .gap = gap,
                                     .start = p->has_last && !relaxed ? p->last : NULL,
                                     .phase = "comparing with frequencies"};
    p->joint->programs++;
    p->asked++;
    tacit_status status =
        tacit__solver_solve(answer, p->solver, &options, p->joint->scene->run, err);
    if (status == TACIT_OK && !options.relaxed)
        p->nodes -= answer->nodes < p->nodes ? answer->nodes : p->nodes;
    return status;
}

/* The first table without which there would be an original. */
static tacit_status blame(block_program *p, tacit_error *err)
{
    int32_t table = 0;
    p->has_last = false;
    p->nodes = p->joint->scene->limits.nodes;
    for (; table < p->joint->table_count - 1; table++) {
        tacit__solver_answer answer;
        for (int32_t i = 0; i < p->rows; i++) {
            bool free = p->table_of[i] > table;
            tacit__solver_set_row(p->solver, i, free ? -INFINITY : p->sums[i],
                                  free ? INFINITY : p->sums[i]);
        }
        tacit_status status = run_program(&answer, p, false, 0, err);
        if (status != TACIT_OK)
            return status;
        if (answer.result == TACIT__SOLVER_INFEASIBLE)
            break;
    }
    return tacit__joint_contradiction(p->joint, table, err);
}

/* Solves the program as its costs are. No solution costs less than *bound; settled: and one costs
 * that, or is as near as gap allows. */
static tacit_status ask(double *bound, bool *settled, block_program *p, bool relaxed, double gap,
                        tacit_error *err)
{
    tacit__solver_answer answer;
    tacit_status status = run_program(&answer, p, relaxed, gap, err);
    if (status != TACIT_OK)
        return status;
    if (answer.result == TACIT__SOLVER_INFEASIBLE)
        return blame(p, err);
    if (answer.values)
        note(p, answer.values);
    *settled = answer.result == TACIT__SOLVER_OPTIMAL;
    *bound = answer.bound;
    return TACIT_OK;
}

static bool out_of_programs(const block_program *p)
{
    return p->asked >= p->joint->scene->limits.programs;
}

/* Whether whole numbers can still be searched for. */
static bool can_search(const block_program *p)
{
    return !p->linear && p->nodes > 0 && !out_of_programs(p);
}

/* ---- what is possible ---- */

/* Asks for as many as can be of what was not seen. Returns how many variables that is. */
static int32_t cost_unseen(block_program *p)
{
    int32_t unseen = 0;
    for (int32_t i = 0; i < p->count; i++) {
        bool possible = p->combos->possible[p->items[i]];
        tacit__solver_set_cost(p->solver, i, possible ? 0 : -1);
        unseen += !possible;
    }
    return unseen;
}

/* Shows further variables to be possible (fewer are then unseen), or that no more are: known.
 * A linear program is asked first; its search for whole numbers may stop at any solution that
 * shows something new. */
static tacit_status show_more(bool *known, int32_t *unseen, block_program *p, tacit_error *err)
{
    double bound = -INFINITY;
    bool settled;
    int32_t before = *unseen;
    tacit_status status = ask(&bound, &settled, p, true, 0, err);
    *unseen = cost_unseen(p);
    *known = bound > -1 + CLOSE;
    if (status != TACIT_OK || *known || *unseen < before || !can_search(p))
        return status;
    status = ask(&bound, &settled, p, false, ANY_GAP, err);
    *unseen = cost_unseen(p);
    *known = bound > -1 + CLOSE;
    return status;
}

/* Ends with variables known to be impossible, or taken for possible where that is not known. */
static tacit_status find_possible(block_program *p, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    bool known = false, stuck = false;
    int32_t unseen = cost_unseen(p);
    while (!known && !stuck && unseen > 0 && status == TACIT_OK) {
        int32_t before = unseen;
        if (!out_of_programs(p))
            status = show_more(&known, &unseen, p, err);
        stuck = !known && unseen == before;
    }
    p->exact &= !stuck;
    for (int32_t i = 0; i < p->count && status == TACIT_OK; i++) {
        tacit__solver_set_cost(p->solver, i, 0);
        p->combos->possible[p->items[i]] |= stuck;
        if (!p->combos->possible[p->items[i]])
            tacit__solver_set_column(p->solver, i, 0, 0);
    }
    return status;
}

/* ---- targets ---- */

/* The costs of the variables of a target. */
static void cost_target(block_program *p, int32_t open, int32_t local, int32_t target, double cost)
{
    const tacit__combos *c = p->combos;
    size_t width = (size_t)p->joint->width;
    for (int32_t v = c->starts[open]; v < c->starts[open + 1]; v++)
        if (c->targets[(size_t)v * width + (size_t)local] == target)
            tacit__solver_set_cost(p->solver, p->combos->place[v], cost);
}

/* What can be said of a target without a program: no more than `room` can be in it, and `rest` of
 * the class's variables outside it are possible. */
static void survey(int64_t *room, int32_t *inside, int32_t *outside, const block_program *p,
                   int32_t open, int32_t local, int32_t target)
{
    const tacit__combos *c = p->combos;
    size_t width = (size_t)p->joint->width;
    int64_t size = tacit__joint_size(p->joint, c->classes[open]);
    *room = 0;
    *inside = *outside = 0;
    for (int32_t v = c->starts[open]; v < c->starts[open + 1]; v++) {
        if (!c->possible[v])
            continue;
        bool in = c->targets[(size_t)v * width + (size_t)local] == target;
        *inside += in;
        *outside += !in;
        if (in && *room < size)
            *room += (int64_t)p->upper[p->combos->place[v]];
    }
    if (*room > size)
        *room = size;
}

/* The least (sign 1) or most (sign -1) of a target, as a number that no original goes beyond. seen:
 * what a solution has reached. */
static tacit_status reach(double *out, block_program *p, int32_t open, int32_t local,
                          int32_t target, int sign, int64_t seen, tacit_error *err)
{
    double bound = -INFINITY;
    bool settled = false;
    tacit_status status = TACIT_OK;
    cost_target(p, open, local, target, sign);
    if (!out_of_programs(p))
        status = ask(&bound, &settled, p, true, 0, err);
    bool reached = p->whole && ceil(bound - CLOSE) >= (double)(sign * seen);
    if (status == TACIT_OK && !reached && can_search(p))
        status = ask(&bound, &settled, p, false, 0, err);
    else
        settled &= p->linear || reached;
    cost_target(p, open, local, target, 0);
    p->exact &= settled;
    *out = sign * ceil(bound - CLOSE);
    return status;
}

static tacit_status find_range(block_program *p, int32_t open, int32_t local, int32_t target,
                               tacit_error *err)
{
    tacit__combos *c = p->combos;
    int64_t room, size = tacit__joint_size(p->joint, c->classes[open]);
    int32_t inside, outside;
    double bound;
    tacit_status status = TACIT_OK;
    survey(&room, &inside, &outside, p, open, local, target);
    int64_t least = outside == 0 ? size : 0, most = inside == 0 ? 0 : outside == 0 ? size : room;
    if (inside > 0 && outside > 0 && !(p->whole && c->least[target] == 0)) {
        status = reach(&bound, p, open, local, target, 1, c->least[target], err);
        if (status == TACIT_OK && bound > 0)
            least = (int64_t)bound;
    }
    if (status == TACIT_OK && inside > 0 && outside > 0 && !(p->whole && c->most[target] >= room)) {
        status = reach(&bound, p, open, local, target, -1, c->most[target], err);
        if (status == TACIT_OK && bound < (double)room)
            most = (int64_t)bound;
    }
    if (status != TACIT_OK)
        return status;
    c->least[target] = least;
    c->most[target] = most;
    return TACIT_OK;
}

/* Whether nothing is to be told of a column of a class, whatever its ranges are: every value that
 * the label holds is possible, and how many rows have one was seen to vary. */
static bool says_nothing(const block_program *p, int32_t open, int32_t local, const int32_t *starts)
{
    const tacit__combos *c = p->combos;
    const tacit__joint *j = p->joint;
    size_t at = (size_t)c->classes[open] * (size_t)j->width + (size_t)local;
    int64_t possible = 0;
    bool varies = false;
    for (int32_t t = starts[0]; t < starts[1] && p->whole; t++) {
        possible += c->most[t] > 0;
        varies |= c->least[t] < c->most[t];
    }
    return varies && !j->scene->limits.everything &&
           possible == tacit__nested_occurring(j->nested[j->column[local]], j->labels[at]);
}

/* Ranges that everybody knows, for what is not told. */
static void leave_open(block_program *p, int32_t open, const int32_t *starts)
{
    int64_t size = tacit__joint_size(p->joint, p->combos->classes[open]);
    for (int32_t t = starts[0]; t < starts[1]; t++) {
        p->combos->least[t] = 0;
        p->combos->most[t] = size;
    }
}

static tacit_status find_class_ranges(block_program *p, int32_t open, tacit_error *err)
{
    size_t width = (size_t)p->joint->width;
    tacit_status status = TACIT_OK;
    for (int32_t k = 0; k < p->joint->width && status == TACIT_OK; k++) {
        const int32_t *starts = p->combos->target_starts + (size_t)open * width + (size_t)k;
        if (says_nothing(p, open, k, starts)) {
            leave_open(p, open, starts);
            continue;
        }
        for (int32_t t = starts[0]; t < starts[1] && status == TACIT_OK; t++)
            status = find_range(p, open, k, t, err);
    }
    p->combos->solved[open] = 1;
    return status;
}

static tacit_status find_ranges(block_program *p, tacit_error *err)
{
    const tacit__combos *c = p->combos;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < p->count && status == TACIT_OK; i++) {
        int32_t open = c->owner[p->items[i]];
        if (p->items[i] == c->starts[open])
            status = find_class_ranges(p, open, err);
    }
    return status;
}

/* Nothing has been seen yet of the block's targets. */
static void forget(block_program *p)
{
    tacit__combos *c = p->combos;
    size_t width = (size_t)p->joint->width;
    for (int32_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < width; k++) {
            int32_t target = c->targets[(size_t)p->items[i] * width + k];
            c->least[target] = INT64_MAX;
            c->most[target] = -1;
        }
}

tacit_status tacit__combos_solve(tacit__combos *combos, int32_t block, tacit_error *err)
{
    block_program p = {.combos = combos,
                       .joint = combos->joint,
                       .items = combos->block_items + combos->block_starts[block],
                       .count = combos->block_starts[block + 1] - combos->block_starts[block]};
    if (p.count > combos->joint->scene->limits.block)
        return TACIT_OK;
    tacit_status status = block_program_init(&p, err);
    if (status == TACIT_OK) {
        forget(&p);
        status = find_possible(&p, err);
    }
    if (status == TACIT_OK)
        status = find_ranges(&p, err);
    combos->joint->exact &= p.exact;
    block_program_clear(&p);
    return status;
}
