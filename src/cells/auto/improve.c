/*
 * improve.c - better patterns: changes of a pattern, all or nothing; secondary cells published
 * again that turn out to be unnecessary; and blocks solved again at the least cost.
 *
 * A change: whatever rests on a proof that uses a cell needs another without it, and where one has
 * none the change is taken back. Most changes that fail do so at once: a relation that is left with
 * one suppressed cell gives it away, so that one would have to be published too, and so on until it
 * is one that must not be known. Cost: programs of some hundred columns for the cells that rest on
 * a proof with the cell.
 *
 * Ruin and recreate: the secondary cells of a block are given up, and the block is solved at the
 * least cost (exact/exact.c) with the rest of the pattern as it is. A block is a secondary cell
 * drawn at random and the cells of relations around it. Only the cells that rest on proofs with a
 * cell of the block have to be hidden anew. The program has the cells of the block, those of these
 * proofs, and suppressed cells near them, which are free of charge. How large blocks are follows
 * from what they take: they grow while they are solved to the end, and shrink where they are not.
 * It ends after so many rounds or, where none are asked for, when IDLE in a row brought nothing or
 * after WORK.
 */
#include "cells/auto/auto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cells/exact/exact.h"

/* Cells of the largest window in which it is looked for another proof. */
enum { TRIM_WINDOW = 1500 };

/* ---- a change ---- */

/* A change on trial: what is published for it, and the proofs of cells before. */
typedef struct trial {
    tacit__cell_list published;
    tacit__cell_list affected;
    tacit__cell_list before; /* proofs, one for each of the affected */
} trial;

/* The suppressed cell of a relation that has one only. */
static int32_t only_one(const tacit__auto *a, int32_t row)
{
    const tacit_relations *r = &a->cells->relations;
    for (int64_t j = r->starts[row]; j < r->starts[row + 1]; j++)
        if (a->may[r->items[j]] && tacit__suppressed(a->status[r->items[j]]))
            return r->items[j];
    return -1;
}

/* Publishes a cell, and what is known then; false: that gives away a cell that must be hidden. */
static tacit_status publish(bool *hidden, tacit__auto *a, trial *t, int32_t first, tacit_error *err)
{
    const tacit__terms *terms = &a->terms;
    int32_t at = t->published.count;
    tacit_status status = tacit__cell_list_add(&t->published, first, err);
    if (status == TACIT_OK)
        tacit__auto_publish(a, first);
    for (; at < t->published.count && *hidden && status == TACIT_OK; at++) {
        int32_t cell = t->published.items[at];
        for (int32_t k = terms->starts[cell]; k < terms->starts[cell + 1] && *hidden; k++) {
            int32_t row = terms->relation[terms->list[k]];
            int32_t other = a->in_row[row] == 1 ? only_one(a, row) : -1;
            if (other < 0)
                continue;
            *hidden = !tacit__suppressed(a->given[other]);
            if (*hidden)
                status = tacit__cell_list_add(&t->published, other, err);
            if (*hidden && status == TACIT_OK)
                tacit__auto_publish(a, other);
        }
    }
    return status;
}

/* Takes their proofs from the affected cells, keeping them aside. */
static tacit_status set_aside(tacit__auto *a, trial *t, tacit_error *err)
{
    tacit_status status = tacit__auto_affected(&t->affected, a, &t->published, err);
    for (int32_t i = 0; i < t->affected.count && status == TACIT_OK; i++)
        status = tacit__cell_list_add(&t->before, a->proof_of[t->affected.items[i]], err);
    for (int32_t i = 0; i < t->affected.count && status == TACIT_OK; i++)
        a->proof_of[t->affected.items[i]] = -1;
    return status;
}

static void settle(tacit__auto *a, trial *t)
{
    for (int32_t i = 0; i < t->before.count; i++)
        tacit__auto_leave(a, t->before.items[i]);
}

static void go_back(tacit__auto *a, trial *t, const tacit__cell_list *suppressed)
{
    for (int32_t i = 0; i < t->before.count; i++) {
        int32_t cell = t->affected.items[i];
        if (a->proof_of[cell] != t->before.items[i])
            tacit__auto_leave(a, a->proof_of[cell]);
        a->proof_of[cell] = t->before.items[i];
    }
    for (int32_t i = 0; suppressed && i < suppressed->count; i++)
        if (a->uses[suppressed->items[i]] == 0)
            tacit__auto_publish(a, suppressed->items[i]);
    for (int32_t i = 0; i < t->published.count; i++)
        tacit__auto_suppress(a, t->published.items[i]);
}

tacit_status tacit__auto_change(bool *done, tacit__auto *a, const tacit__cell_list *published,
                                const tacit__cell_list *suppressed, int32_t most, tacit_error *err)
{
    trial t = {0};
    bool hidden = true;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; suppressed && i < suppressed->count; i++)
        tacit__auto_suppress(a, suppressed->items[i]);
    for (int32_t i = 0; i < published->count && status == TACIT_OK && hidden; i++)
        if (tacit__suppressed(a->status[published->items[i]]))
            status = publish(&hidden, a, &t, published->items[i], err);
    if (status == TACIT_OK && hidden)
        status = set_aside(a, &t, err);
    if (status == TACIT_OK && hidden)
        status = tacit__auto_prove(&hidden, a, &t.affected, most, err);
    *done = status == TACIT_OK && hidden;
    if (*done)
        settle(a, &t);
    else
        go_back(a, &t, suppressed);
    for (int32_t i = 0; *done && suppressed && i < suppressed->count; i++)
        if (a->uses[suppressed->items[i]] == 0)
            tacit__auto_publish(a, suppressed->items[i]);
    tacit__cell_list_clear(&t.published);
    tacit__cell_list_clear(&t.affected);
    tacit__cell_list_clear(&t.before);
    return status;
}

/* ---- trimming ---- */

tacit_status tacit__auto_trim(tacit__auto *a, int64_t most, tacit_error *err)
{
    int32_t count = 0;
    int64_t enough = a->work + most;
    tacit__cell_price *list = tacit__alloc_array((size_t)a->cells->count, sizeof *list);
    tacit_status status = list ? TACIT_OK : tacit__nomem(err);
    for (int32_t i = 0; i < a->cells->count && list; i++)
        if (tacit__auto_secondary(a, i))
            list[count++] = (tacit__cell_price){a->cells->cost[i], i};
    if (count > 0 && list)
        qsort(list, (size_t)count, sizeof *list, tacit__dearest_first);
    for (int32_t i = 0; i < count && status == TACIT_OK && a->work < enough; i++) {
        const tacit__cell_list one = {.items = &list[i].cell, .count = 1};
        bool done;
        if (tacit__suppressed(a->status[list[i].cell]))
            status = tacit__auto_change(&done, a, &one, NULL, TRIM_WINDOW, err);
        if (status == TACIT_OK)
            status = tacit__progress(a->run, "trimming", i + 1, count, err);
    }
    tacit__free(list);
    return status;
}

/* Work on all blocks and on one, rounds without success, branches of one. */
#define WORK     INT64_C(1500000000)
#define WORK_ONE INT64_C(50000000)
enum { IDLE = 40, MAX_NODES = 2000 };

/* Cells of a block: at first, at least and at most; and suppressed cells around it. */
enum { SIZE_FIRST = 200, SIZE_LEAST = 40, MAX_SIZE = 4000, AROUND = 1500 };
#define GROWS   1.15
#define SHRINKS 0.6

typedef struct block {
    tacit__auto *a;
    double size;
    tacit__cell_list seeds;  /* secondary cells, in random order */
    tacit__cell_list cells;  /* of the block */
    tacit__cell_list given;  /* its secondary cells */
    tacit__cell_list hidden; /* cells that rest on proofs with one of these */
    tacit__cell_list program;
    tacit__cell_list added, dropped;
} block;

static void block_clear(block *b)
{
    tacit__cell_list_clear(&b->seeds);
    tacit__cell_list_clear(&b->cells);
    tacit__cell_list_clear(&b->given);
    tacit__cell_list_clear(&b->hidden);
    tacit__cell_list_clear(&b->program);
    tacit__cell_list_clear(&b->added);
    tacit__cell_list_clear(&b->dropped);
}

/* ---- which cells ---- */

/* Adds cells of a relation that are not fixed, marked so that none is there twice. */
static tacit_status add_relation(block *b, int32_t row, tacit_error *err)
{
    tacit__auto *a = b->a;
    const tacit_relations *r = &a->cells->relations;
    tacit_status status = TACIT_OK;
    for (int64_t j = r->starts[row]; j < r->starts[row + 1] && status == TACIT_OK; j++) {
        int32_t cell = r->items[j];
        if (a->marked[cell] || !a->may[cell])
            continue;
        a->marked[cell] = true;
        status = tacit__cell_list_add(&b->cells, cell, err);
    }
    return status;
}

/* Relations around a cell, in random order, until there are enough cells. */
static tacit_status gather(block *b, int32_t seed, tacit_error *err)
{
    tacit__auto *a = b->a;
    const tacit__terms *t = &a->terms;
    b->cells.count = 0;
    tacit_status status = tacit__cell_list_add(&b->cells, seed, err);
    a->marked[seed] = status == TACIT_OK;
    for (int tries = 0; tries < 4 * MAX_SIZE && b->cells.count < b->size && status == TACIT_OK;
         tries++) {
        uint32_t near = (uint32_t)b->cells.count;
        int32_t cell = b->cells.items[tries < t->starts[seed + 1] - t->starts[seed]
                                          ? 0
                                          : (int32_t)tacit__random_below(&a->random, near)];
        uint32_t many = (uint32_t)(t->starts[cell + 1] - t->starts[cell]);
        if (many == 0)
            continue;
        uint32_t which = cell == seed && (uint32_t)tries < many
                             ? (uint32_t)tries
                             : tacit__random_below(&a->random, many);
        status = add_relation(b, t->relation[t->list[t->starts[cell] + (int32_t)which]], err);
    }
    for (int32_t i = 0; i < b->cells.count; i++)
        a->marked[b->cells.items[i]] = false;
    return status;
}

/* Secondary cells of the block, and what has to be hidden without them. */
static tacit_status look(block *b, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    b->given.count = b->hidden.count = 0;
    for (int32_t i = 0; i < b->cells.count && status == TACIT_OK; i++)
        if (tacit__auto_secondary(b->a, b->cells.items[i]))
            status = tacit__cell_list_add(&b->given, b->cells.items[i], err);
    return status == TACIT_OK ? tacit__auto_affected(&b->hidden, b->a, &b->given, err) : status;
}

static tacit_status add_new(block *b, int32_t cell, tacit_error *err)
{
    if (b->a->marked[cell])
        return TACIT_OK;
    b->a->marked[cell] = true;
    return tacit__cell_list_add(&b->program, cell, err);
}

/* The cells of the program: of the block, of the proofs, and around them. */
static tacit_status list_program(block *b, tacit_error *err)
{
    tacit__auto *a = b->a;
    tacit_status status = TACIT_OK;
    bool all;
    b->program.count = 0;
    for (int32_t i = 0; i < b->cells.count && status == TACIT_OK; i++)
        status = add_new(b, b->cells.items[i], err);
    for (int32_t i = 0; i < b->hidden.count && status == TACIT_OK; i++) {
        const tacit__proof *p = &a->proofs[a->proof_of[b->hidden.items[i]]];
        status = add_new(b, b->hidden.items[i], err);
        for (int32_t k = 0; k < p->count && status == TACIT_OK; k++)
            status = add_new(b, p->cells[k], err);
    }
    for (int32_t i = 0; i < b->program.count; i++)
        a->marked[b->program.items[i]] = false;
    if (status == TACIT_OK)
        status = tacit__auto_grow(&all, a, &b->program, b->program.count + AROUND, false, err);
    return status;
}

/* ---- the program ---- */

/* Secondary cells of the block are free, and only what rests on them has needs. */
static void set_needs(block *b, tacit__patch *patch, bool *start)
{
    tacit__auto *a = b->a;
    for (int32_t i = 0; i < b->hidden.count; i++)
        a->marked[b->hidden.items[i]] = true;
    for (int32_t i = 0; i < patch->count; i++) {
        start[i] = patch->suppressed[i];
        if (!a->marked[patch->cells[i]])
            patch->need[i] = (tacit__need){0};
        if (i < b->cells.count && tacit__auto_secondary(a, patch->cells[i]))
            patch->suppressed[i] = false;
        else if (!patch->suppressed[i] && i >= b->cells.count)
            patch->up[i] = patch->down[i] = 0;
    }
    for (int32_t i = 0; i < b->hidden.count; i++)
        a->marked[b->hidden.items[i]] = false;
}

/* What became of the block's cells. */
static tacit_status list_changes(block *b, const tacit__patch *patch, const bool *chosen,
                                 tacit_error *err)
{
    tacit_status status = TACIT_OK;
    b->added.count = b->dropped.count = 0;
    for (int32_t i = 0; i < b->cells.count && status == TACIT_OK; i++) {
        int32_t cell = patch->cells[i];
        bool now = tacit__suppressed(b->a->status[cell]);
        if (chosen[i] != now)
            status = tacit__cell_list_add(now ? &b->dropped : &b->added, cell, err);
    }
    return status;
}

static double cost_of(const tacit__auto *a, const tacit__cell_list *list)
{
    double cost = 0;
    for (int32_t i = 0; i < list->count; i++)
        cost += a->cells->cost[list->items[i]];
    return cost;
}

static tacit_status solve(tacit__exact_result *result, block *b, tacit_error *err)
{
    tacit__auto *a = b->a;
    tacit__patch patch = {0};
    size_t count = (size_t)b->program.count;
    bool *start = tacit__alloc_array(count, sizeof *start);
    bool *chosen = tacit__alloc_array(count, sizeof *chosen);
    tacit__exact_limits limits = {.nodes = MAX_NODES, .start = start};
    tacit_status status = start && chosen ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__patch_of_cells(&patch, a->cells, a->status, b->program.items,
                                       b->program.count, &a->terms, a->number_of, a->largest, err);
    if (status == TACIT_OK) {
        set_needs(b, &patch, start);
        limits.work = tacit__exact_work(&patch, WORK_ONE);
        status = tacit__exact_solve(chosen, result, &patch, &limits, a->run, err);
    }
    if (status == TACIT_OK) {
        tacit__auto_worked(a, &patch, result->iterations);
        status = list_changes(b, &patch, chosen, err);
    }
    tacit__patch_clear(&patch);
    tacit__free(start);
    tacit__free(chosen);
    return status;
}

/* One block; *gained: what it costs less now. */
static tacit_status try_block(double *gained, block *b, int32_t seed, tacit_error *err)
{
    tacit__auto *a = b->a;
    tacit__exact_result result = {0};
    bool done = false;
    *gained = 0;
    tacit_status status = gather(b, seed, err);
    if (status == TACIT_OK)
        status = look(b, err);
    if (status == TACIT_OK)
        status = list_program(b, err);
    if (status == TACIT_OK)
        status = solve(&result, b, err);
    if (status != TACIT_OK)
        return status;
    b->size = fmin(fmax(b->size * (result.proven ? GROWS : SHRINKS), SIZE_LEAST), MAX_SIZE);
    double gain = cost_of(a, &b->dropped) - cost_of(a, &b->added);
    if (gain <= 1e-9 * (1 + cost_of(a, &b->dropped)))
        return TACIT_OK;
    status = tacit__auto_change(&done, a, &b->dropped, &b->added, b->program.count, err);
    *gained = done ? gain : 0;
    return status;
}

/* ---- all of it ---- */

/* The next seed: secondary cells in random order, again and again. -1: there are none. */
static tacit_status next_seed(int32_t *out, block *b, tacit_error *err)
{
    tacit__auto *a = b->a;
    tacit_status status = TACIT_OK;
    for (int pass = 0; pass < 2; pass++) {
        while (b->seeds.count > 0) {
            uint32_t which = tacit__random_below(&a->random, (uint32_t)b->seeds.count);
            *out = b->seeds.items[which];
            b->seeds.items[which] = b->seeds.items[--b->seeds.count];
            if (tacit__auto_secondary(a, *out))
                return TACIT_OK;
        }
        for (int32_t i = 0; i < a->cells->count && status == TACIT_OK && pass == 0; i++)
            if (tacit__auto_secondary(a, i))
                status = tacit__cell_list_add(&b->seeds, i, err);
    }
    *out = -1;
    return status;
}

tacit_status tacit__auto_blocks(int32_t *rounds, tacit__auto *a, int64_t most, double bound,
                                tacit_error *err)
{
    block b = {.a = a, .size = SIZE_FIRST};
    int64_t enough = a->work + WORK, wanted = most > 0 ? most : INT64_MAX;
    double cost = tacit__auto_cost(a);
    tacit_status status = TACIT_OK;
    for (int32_t idle = 0; *rounds < wanted && status == TACIT_OK && cost > bound; ++*rounds) {
        double gained = 0;
        int32_t seed;
        if (most <= 0 && (idle >= IDLE || a->work >= enough))
            break;
        status = next_seed(&seed, &b, err);
        if (status != TACIT_OK || seed < 0)
            break;
        status = try_block(&gained, &b, seed, err);
        cost -= gained;
        idle = gained > 0 ? 0 : idle + 1;
        if (status == TACIT_OK)
            status = tacit__progress(a->run, "local search", *rounds + 1, most > 0 ? most : 0, err);
    }
    block_clear(&b);
    return status;
}
