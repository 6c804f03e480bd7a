/*
 * blocks.c - controlled rounding of large tables made better, a subtable after the other.
 *
 * A block is the ground cells under one cell, if these are neither few nor many: in a hierarchical
 * table a subtable of the lowest levels, or a slice. They are decided anew by a program of their
 * own (program.c) in which they and all cells that they are part of may change and everything
 * else stays, so that the table remains consistent as a whole. Cells that are further than the next
 * multiples count at a penalty above all distances; they may stay as they are and get no further.
 * Blocks from the top down, in passes of growing blocks, until the work is spent: simplex
 * iterations times columns, never seconds.
 */
#include "cells/round/blocks.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

/* Ground cells of a block, a pass each. */
static const int32_t LEAST_BLOCK[] = {20, 60, 60, 200}, MOST_BLOCK[] = {160, 400, 400, 1000};
enum { MOST_PASSES = sizeof MOST_BLOCK / sizeof *MOST_BLOCK };

/* Simplex iterations times columns: of all blocks, and of one at most. */
#define MOST_WORK  INT64_C(2000000000)
#define BLOCK_WORK INT64_C(20000000)

/* Of a base beyond the next multiples, to the largest weight of a cell. */
#define PENALTY 1000

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
static tacit_status decide(blocks *b, int32_t top, tacit_error *err)
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
        if (size_of(b, i) < LEAST_BLOCK[number] || size_of(b, i) > MOST_BLOCK[number])
            continue;
        b->stopped = tacit__progress(b->run, "rounding", i, count, NULL) != TACIT_OK;
        if (!b->stopped)
            status = decide(b, i, err);
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
    b.task.penalty = PENALTY * tacit__round_largest_weight(task);
    b.work = MOST_WORK;
    tacit_status status = b.cells && b.place && b.relations ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < count; i++)
        b.place[i] = -1;
    for (int p = 0; p < MOST_PASSES && status == TACIT_OK; p++)
        status = pass(&b, p, err);
    *stopped |= b.stopped;
    tacit__free(b.cells);
    tacit__free(b.place);
    tacit__free(b.relations);
    return status;
}
