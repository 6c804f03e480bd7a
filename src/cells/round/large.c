/*
 * large.c - controlled rounding of tables that are too large for one program: ground cells changed
 * one after another, and subtables solved one after the other.
 *
 * Only ground cells are decided, up or down; all others are their sums, so relations always hold.
 *
 *   1. Ground cells are decided one after the other such that the errors of all cells they are part
 *      of stay small: least squares, each weighed by one over the ground cells that can still
 *      mend it.
 *   2. Ground cells are changed, and pairs of them in one sum the other way, while that does
 *      good: the distance counts, and what is further than the next multiples at a penalty. Work
 *      is a number of pairs of a ground cell and a cell that it is part of looked at, in proportion
 *      to those of the table.
 *   3. A block is the ground cells under one cell, if these are neither few nor many: in a
 *      hierarchical table a subtable of the lowest levels, or a slice. They are decided anew by a
 *      program of their own (program.c) in which they and all cells that they are part of may
 *      change and everything else stays, so that the table remains consistent as a whole. Cells
 *      that are further than the next multiples count at a penalty above all distances; they may
 *      stay as they are and get no further. Blocks from the top down, in passes of growing blocks,
 *      until the work is spent: simplex iterations times columns.
 *
 * No random numbers, no clock.
 */
#include "cells/round/round.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum {
    MAX_LOOKS = 100,      /* times the table's pairs, that changes are tried on, */
    MAX_ALL = 1000000000, /* but no more than so many */
    MAX_SWEEPS = 20,
    MAX_PARTNERS = 24, /* of a ground cell, in one sum */
    FLIPS_A_STEP = 1 << 12
};

/* Of a base beyond the next multiples, to the largest weight of a cell. */
#define FLIP_PENALTY 4

typedef struct flips {
    const tacit__round_task *task;
    const tacit__nest *nest;
    const tacit_run *run;
    double *number;
    double penalty; /* of a base beyond what a cell should be */
    int64_t *turn;  /* a cell each: where the next look under it starts */
    int64_t looks;
    int64_t asked; /* how often go_on was */
    bool stopped;
} flips;

/* ---- one cell ---- */

static double value_of(const flips *f, int32_t cell)
{
    const tacit__multiples *m = f->task->multiples;
    return m->low[cell] + m->part[cell];
}

static double harm(const flips *f, int32_t cell, double number)
{
    return f->task->weight[cell] * fabs(number - value_of(f, cell)) +
           f->penalty * tacit__round_beyond(f->task, cell, number);
}

static bool may_move(const flips *f, int32_t g, int way)
{
    int32_t cell = f->nest->ground[g];
    double number = f->number[cell] + way;
    return number >= tacit__round_least(f->task, cell) &&
           number <= tacit__round_most(f->task, cell);
}

/* What changing a ground cell does to the harm of all that it is part of. */
static double harm_of(flips *f, int32_t g, int way)
{
    double sum = 0;
    for (int64_t k = f->nest->starts[g]; k < f->nest->starts[g + 1]; k++) {
        int32_t cell = f->nest->above[k];
        sum += harm(f, cell, f->number[cell] + way) - harm(f, cell, f->number[cell]);
    }
    f->looks += f->nest->starts[g + 1] - f->nest->starts[g];
    return sum;
}

static void move(flips *f, int32_t g, int way)
{
    for (int64_t k = f->nest->starts[g]; k < f->nest->starts[g + 1]; k++)
        f->number[f->nest->above[k]] += way;
}

/* Asks now and then; stopping is no failure. */
static bool go_on(flips *f)
{
    if (f->asked++ % FLIPS_A_STEP == 0 && !f->stopped)
        f->stopped = tacit__progress(f->run, "rounding", 0, 0, NULL) != TACIT_OK;
    return !f->stopped;
}

/* ---- 1: errors kept small ---- */

/* error: a cell each, of what is decided; open: ground cells under it that are not. */
static void decide_ground(flips *f, double *error, double *open, int32_t g)
{
    const tacit__nest *nest = f->nest;
    int32_t own = nest->ground[g];
    double part = f->task->multiples->part[own], slope = 0;
    for (int64_t k = nest->starts[g]; k < nest->starts[g + 1]; k++) {
        int32_t cell = nest->above[k];
        slope += (2 * (error[cell] - part) + 1) / open[cell];
    }
    double up = slope < 0 && may_move(f, g, 1) ? 1 : 0;
    f->number[own] += up;
    for (int64_t k = nest->starts[g]; k < nest->starts[g + 1]; k++) {
        int32_t cell = nest->above[k];
        error[cell] += up - part;
        open[cell]--;
    }
}

static void sum_up(flips *f)
{
    const tacit__nest *nest = f->nest;
    const tacit_cells *cells = f->task->multiples->cells;
    for (int32_t i = 0; i < cells->count; i++) {
        int64_t first = nest->under_starts[i], end = nest->under_starts[i + 1];
        bool is_ground = end == first + 1 && nest->ground[nest->under[first]] == i;
        double sum = 0;
        for (int64_t k = first; k < end; k++)
            sum += f->number[nest->ground[nest->under[k]]];
        if (!is_ground)
            f->number[i] = sum;
    }
}

static tacit_status spread(flips *f, tacit_error *err)
{
    const tacit__multiples *m = f->task->multiples;
    const tacit__nest *nest = f->nest;
    size_t count = (size_t)m->cells->count;
    double *error = tacit__alloc_zeroed(count, sizeof *error);
    double *open = tacit__alloc_zeroed(count, sizeof *open);
    if (!error || !open) {
        tacit__free(error);
        tacit__free(open);
        return tacit__nomem(err);
    }
    for (int32_t g = 0; g < nest->count; g++) {
        f->number[nest->ground[g]] = m->low[nest->ground[g]];
        for (int64_t k = nest->starts[g]; k < nest->starts[g + 1]; k++)
            open[nest->above[k]] += m->part[nest->ground[g]] > 0;
    }
    for (int32_t g = 0; g < nest->count; g++)
        if (m->part[nest->ground[g]] > 0)
            decide_ground(f, error, open, g);
    sum_up(f);
    tacit__free(error);
    tacit__free(open);
    return TACIT_OK;
}

/* ---- 2: nearer ---- */

static bool improve_alone(flips *f, int32_t g)
{
    for (int way = -1; way <= 1; way += 2)
        if (may_move(f, g, way) && harm_of(f, g, way) < -TACIT_CELLS_EQUAL) {
            move(f, g, way);
            return true;
        }
    return false;
}

/* With another ground cell of a sum, the other way. */
static bool improve_pair(flips *f, int32_t g, int32_t sum)
{
    const tacit__nest *nest = f->nest;
    int64_t first = nest->under_starts[sum], count = nest->under_starts[sum + 1] - first;
    int64_t looked = count < MAX_PARTNERS ? count : MAX_PARTNERS;
    for (int way = -1; way <= 1; way += 2) {
        if (!may_move(f, g, way))
            continue;
        double own = harm_of(f, g, way);
        move(f, g, way);
        for (int64_t i = 0; i < looked; i++) {
            int32_t other = nest->under[first + (f->turn[sum] + i) % count];
            if (other != g && may_move(f, other, -way) &&
                own + harm_of(f, other, -way) < -TACIT_CELLS_EQUAL) {
                move(f, other, -way);
                return true;
            }
        }
        move(f, g, -way);
    }
    f->turn[sum] = (f->turn[sum] + looked) % count;
    return false;
}

/* Small sums only: in large ones single changes find what there is. */
static bool improve_pairs(flips *f, int32_t g)
{
    const tacit__nest *nest = f->nest;
    bool any = false;
    for (int64_t k = nest->starts[g] + 1; k < nest->starts[g + 1]; k++) {
        int32_t sum = nest->above[k];
        int64_t count = nest->under_starts[sum + 1] - nest->under_starts[sum];
        if (count <= 2 * MAX_PARTNERS)
            any |= improve_pair(f, g, sum);
    }
    return any;
}

static void improve(flips *f)
{
    int64_t pairs = f->nest->starts[f->nest->count];
    int64_t limit = pairs < MAX_ALL / MAX_LOOKS ? MAX_LOOKS * pairs : MAX_ALL;
    bool any = true;
    for (int sweep = 0; sweep < MAX_SWEEPS && any && !f->stopped; sweep++) {
        any = false;
        for (int32_t g = 0; g < f->nest->count && f->looks < limit && go_on(f); g++) {
            if (f->task->multiples->part[f->nest->ground[g]] == 0)
                continue;
            any |= improve_alone(f, g);
            any |= improve_pairs(f, g);
        }
    }
}

/* ---- all of it ---- */

tacit_status tacit__round_flips(double *number, bool *stopped, const tacit__round_task *task,
                                const tacit__nest *nest, const tacit_run *run, tacit_error *err)
{
    flips f = {.task = task, .nest = nest, .run = run, .number = number};
    f.turn = tacit__alloc_zeroed((size_t)task->multiples->cells->count, sizeof *f.turn);
    f.penalty = FLIP_PENALTY * tacit__round_largest_weight(task);
    tacit_status status = f.turn ? spread(&f, err) : tacit__nomem(err);
    if (status == TACIT_OK) {
        improve(&f);
        *stopped = f.stopped;
    }
    tacit__free(f.turn);
    return status;
}

/* Ground cells of a block, a pass each. */
static const int32_t LEAST_BLOCK[] = {20, 60, 60, 200}, MAX_BLOCK[] = {160, 400, 400, 1000};
enum { MAX_PASSES = sizeof MAX_BLOCK / sizeof *MAX_BLOCK };

/* Simplex iterations times columns: of all blocks, and of one at most. */
#define MAX_WORK   INT64_C(2000000000)
#define BLOCK_WORK INT64_C(20000000)

/* Of a base beyond the next multiples, to the largest weight of a cell. */
#define BLOCK_PENALTY 1000

typedef struct blocks {
    tacit__round_task task;
    const tacit_run *run;
    double *number;
    int32_t *cells; /* of the block */
    int32_t *place;
    int32_t *relations;
    tacit__round_piece piece;
    int64_t work; /* left */
    bool stopped;
} blocks;

static int64_t size_of(const blocks *b, int32_t cell)
{
    return b->task.nest->under_starts[cell + 1] - b->task.nest->under_starts[cell];
}

static void add_cell(blocks *b, int32_t cell)
{
    if (b->place[cell] >= 0)
        return;
    b->place[cell] = b->piece.count;
    b->cells[b->piece.count++] = cell;
    if (b->task.nest->defining[cell] >= 0)
        b->relations[b->piece.relation_count++] = b->task.nest->defining[cell];
}

static void fill(blocks *b, int32_t top)
{
    const tacit__nest *nest = b->task.nest;
    for (int64_t k = nest->under_starts[top]; k < nest->under_starts[top + 1]; k++) {
        int32_t g = nest->under[k];
        for (int64_t j = nest->starts[g]; j < nest->starts[g + 1]; j++)
            add_cell(b, nest->above[j]);
    }
}

static void empty(blocks *b)
{
    for (int32_t i = 0; i < b->piece.count; i++)
        b->place[b->cells[i]] = -1;
    b->piece.count = b->piece.relation_count = 0;
}

/* Stopping is no failure: the numbers keep relations at any time. */
static tacit_status decide_block(blocks *b, int32_t top, tacit_error *err)
{
    tacit__round_result result;
    tacit_error own = {0};
    int64_t given = b->work < BLOCK_WORK ? b->work : BLOCK_WORK, left = given;
    double bound;
    fill(b, top);
    tacit_status status = tacit__round_program(&result, b->number, &bound, &left, &b->task,
                                               &b->piece, true, b->run, &own);
    b->work -= given - left;
    b->stopped |= status == TACIT_CANCELLED;
    empty(b);
    if (status == TACIT_OK || status == TACIT_CANCELLED)
        return TACIT_OK;
    return tacit__error(err, status, "%s", own.message);
}

static tacit_status pass(blocks *b, int number, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    int32_t count = b->task.multiples->cells->count;
    for (int32_t i = 0; i < count && status == TACIT_OK && !b->stopped && b->work > 0; i++) {
        if (size_of(b, i) < LEAST_BLOCK[number] || size_of(b, i) > MAX_BLOCK[number])
            continue;
        b->stopped = tacit__progress(b->run, "rounding", i, count, NULL) != TACIT_OK;
        if (!b->stopped)
            status = decide_block(b, i, err);
    }
    return status;
}

tacit_status tacit__round_blocks(double *number, bool *stopped, const tacit__round_task *task,
                                 const tacit_run *run, tacit_error *err)
{
    blocks b = {.task = *task, .run = run, .number = number};
    size_t count = (size_t)task->multiples->cells->count;
    b.cells = tacit__alloc_array(count, sizeof *b.cells);
    b.place = tacit__alloc_array(count, sizeof *b.place);
    b.relations = tacit__alloc_array(count, sizeof *b.relations);
    b.piece = (tacit__round_piece){.cells = b.cells, .place = b.place, .relations = b.relations};
    b.task.penalty = BLOCK_PENALTY * tacit__round_largest_weight(task);
    b.work = MAX_WORK;
    tacit_status status = b.cells && b.place && b.relations ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < count; i++)
        b.place[i] = -1;
    for (int p = 0; p < MAX_PASSES && status == TACIT_OK; p++)
        status = pass(&b, p, err);
    *stopped |= b.stopped;
    tacit__free(b.cells);
    tacit__free(b.place);
    tacit__free(b.relations);
    return status;
}
