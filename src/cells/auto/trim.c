/*
 * trim.c - changes of a pattern, all or nothing, and the first kind of them: secondary cells
 * published again that turn out to be unnecessary, the dearest first.
 *
 * Whatever rests on a proof that uses a cell needs another without it, and where one has none the
 * change is taken back. Most changes that fail do so at once: a relation that is left with one
 * suppressed cell gives it away, so that one would have to be published too, and so on until it
 * is one that must not be known.
 *
 * Cost: programs of some hundred columns for the cells that rest on a proof with the cell.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cells/auto/auto.h"

/* Cells of the largest window in which it is looked for another proof. */
enum { WINDOW = 1500 };

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
            status = tacit__auto_change(&done, a, &one, NULL, WINDOW, err);
        if (status == TACIT_OK)
            status = tacit__progress(a->run, "trimming", i + 1, count, err);
    }
    tacit__free(list);
    return status;
}
