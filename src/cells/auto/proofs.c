/*
 * proofs.c - the letters of a pattern and the proofs that it rests on; see auto.h.
 *
 * A proof is kept as long as a cell rests on it. Cells know the proofs that use them, so what is
 * affected when one is published is found without looking at the others. When the last proof that
 * uses a secondary cell is gone it is published.
 *
 * Memory: the cells of all proofs, twice.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "cells/auto/auto.h"

tacit_status tacit__cell_list_add(tacit__cell_list *list, int32_t cell, tacit_error *err)
{
    return TACIT__PUSH(list->items, list->room, list->count, cell) ? TACIT_OK : tacit__nomem(err);
}

void tacit__cell_list_clear(tacit__cell_list *list)
{
    tacit__free(list->items);
    *list = (tacit__cell_list){0};
}

/* ---- letters ---- */

static void count_in_rows(tacit__auto *a, int32_t cell, int32_t by)
{
    const tacit__terms *t = &a->terms;
    for (int32_t k = t->starts[cell]; k < t->starts[cell + 1] && a->may[cell]; k++)
        a->in_row[t->relation[t->list[k]]] += by;
}

void tacit__auto_suppress(tacit__auto *a, int32_t cell)
{
    if (tacit__suppressed(a->status[cell]))
        return;
    a->status[cell] = TACIT_CELL_SECONDARY;
    count_in_rows(a, cell, 1);
}

void tacit__auto_publish(tacit__auto *a, int32_t cell)
{
    if (!tacit__suppressed(a->status[cell]))
        return;
    a->status[cell] = TACIT_CELL_FREE;
    count_in_rows(a, cell, -1);
}

double tacit__auto_cost(const tacit__auto *a)
{
    double cost = 0;
    for (int32_t i = 0; i < a->cells->count; i++)
        cost += tacit__auto_secondary(a, i) ? a->cells->cost[i] : 0;
    return cost;
}

/* ---- proofs ---- */

tacit_status tacit__auto_add_proof(int32_t *out, tacit__auto *a, const tacit__cell_list *cells,
                                   tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (!TACIT__RESERVE_ONE(a->proofs, a->proof_room, a->proof_count))
        return tacit__nomem(err);
    tacit__proof *p = &a->proofs[a->proof_count];
    *p = (tacit__proof){.rests = 1};
    p->cells = tacit__alloc_array((size_t)cells->count, sizeof *p->cells);
    if (!p->cells)
        return tacit__nomem(err);
    *out = a->proof_count++;
    for (int32_t i = 0; i < cells->count && status == TACIT_OK; i++) {
        status = tacit__cell_list_add(&a->users[cells->items[i]], *out, err);
        if (status == TACIT_OK) {
            p->cells[p->count++] = cells->items[i];
            a->uses[cells->items[i]]++;
        }
    }
    if (status != TACIT_OK)
        tacit__auto_leave(a, *out);
    return status;
}

void tacit__auto_leave(tacit__auto *a, int32_t proof)
{
    tacit__proof *p = proof < 0 ? NULL : &a->proofs[proof];
    if (!p || --p->rests > 0)
        return;
    for (int32_t i = 0; i < p->count; i++)
        if (--a->uses[p->cells[i]] == 0 && tacit__auto_secondary(a, p->cells[i]))
            tacit__auto_publish(a, p->cells[i]);
    tacit__free(p->cells);
    p->cells = NULL;
    p->count = 0;
    tacit__cell_list_clear(&p->hidden);
}

tacit_status tacit__auto_rest(tacit__auto *a, int32_t cell, int32_t proof, tacit_error *err)
{
    tacit_status status = tacit__cell_list_add(&a->proofs[proof].hidden, cell, err);
    if (status != TACIT_OK)
        return status;
    a->proofs[proof].rests++;
    tacit__auto_leave(a, a->proof_of[cell]);
    a->proof_of[cell] = proof;
    return TACIT_OK;
}

/* Cells that rest on a proof and are not listed yet. */
static tacit_status list_resting(tacit__cell_list *out, tacit__auto *a, int32_t proof,
                                 tacit_error *err)
{
    const tacit__proof *p = &a->proofs[proof];
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < p->hidden.count && status == TACIT_OK; i++) {
        int32_t cell = p->hidden.items[i];
        if (a->proof_of[cell] != proof || a->marked[cell])
            continue;
        status = tacit__cell_list_add(out, cell, err);
        a->marked[cell] = status == TACIT_OK;
    }
    return status;
}

tacit_status tacit__auto_affected(tacit__cell_list *out, tacit__auto *a,
                                  const tacit__cell_list *cells, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < cells->count; i++) {
        tacit__cell_list *users = &a->users[cells->items[i]];
        int32_t kept = 0;
        for (int32_t k = 0; k < users->count; k++) {
            if (a->proofs[users->items[k]].rests == 0)
                continue;
            users->items[kept++] = users->items[k];
            if (status == TACIT_OK)
                status = list_resting(out, a, users->items[k], err);
        }
        users->count = kept;
    }
    for (int32_t i = 0; i < out->count; i++)
        a->marked[out->items[i]] = false;
    return status;
}

/* ---- the whole ---- */

static void forget_proofs(tacit__auto *a)
{
    for (int32_t i = 0; i < a->proof_count; i++) {
        tacit__free(a->proofs[i].cells);
        tacit__cell_list_clear(&a->proofs[i].hidden);
    }
    a->proof_count = 0;
}

void tacit__auto_reset(tacit__auto *a, const char *status)
{
    forget_proofs(a);
    memset(a->in_row, 0, (size_t)a->cells->relations.count * sizeof *a->in_row);
    for (int32_t i = 0; i < a->cells->count; i++) {
        a->proof_of[i] = -1;
        a->uses[i] = a->users[i].count = 0;
        a->status[i] = tacit__suppressed(a->given[i]) ? a->given[i] : status[i];
        count_in_rows(a, i, tacit__suppressed(a->status[i]));
    }
}

void tacit__auto_prune(tacit__auto *a)
{
    for (int32_t i = 0; i < a->cells->count; i++)
        if (a->uses[i] == 0 && tacit__auto_secondary(a, i))
            tacit__auto_publish(a, i);
}

/* ---- setting up ---- */

typedef struct needing {
    int32_t cell;
    double need;
} needing;

static int most_first(const void *left, const void *right)
{
    const needing *a = left, *b = right;
    if (a->need != b->need)
        return a->need > b->need ? -1 : 1;
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

static tacit_status list_needy(tacit__auto *a, tacit_error *err)
{
    int32_t count = 0;
    for (int32_t i = 0; i < a->cells->count; i++)
        count += tacit__suppressed(a->given[i]);
    needing *list = tacit__alloc_array((size_t)count, sizeof *list);
    tacit_status status = list ? TACIT_OK : tacit__nomem(err);
    for (int32_t i = 0, at = 0; i < a->cells->count && status == TACIT_OK; i++) {
        if (!tacit__suppressed(a->given[i]))
            continue;
        tacit__need need = tacit__need_of(a->cells, a->given, i, a->largest);
        list[at++] = (needing){i, fmax(need.spread, fmax(need.up, need.down))};
    }
    if (status == TACIT_OK)
        qsort(list, (size_t)count, sizeof *list, most_first);
    for (int32_t i = 0; i < count && status == TACIT_OK; i++)
        status = tacit__cell_list_add(&a->needy, list[i].cell, err);
    tacit__free(list);
    return status;
}

static tacit_status allocate(tacit__auto *a, tacit_error *err)
{
    size_t count = (size_t)a->cells->count;
    a->status = tacit__copy_bytes(a->given, count);
    a->may = tacit__alloc_array(count, sizeof *a->may);
    a->in_row = tacit__alloc_zeroed((size_t)a->cells->relations.count, sizeof *a->in_row);
    a->proof_of = tacit__alloc_array(count, sizeof *a->proof_of);
    a->uses = tacit__alloc_array(count, sizeof *a->uses);
    a->users = tacit__alloc_zeroed(count, sizeof *a->users);
    a->marked = tacit__alloc_zeroed(count, sizeof *a->marked);
    a->row_count = tacit__alloc_zeroed((size_t)a->cells->relations.count, sizeof *a->row_count);
    bool ready = a->status && a->may && a->in_row && a->proof_of && a->uses && a->users &&
                 a->marked && a->row_count;
    return ready ? TACIT_OK : tacit__nomem(err);
}

tacit_status tacit__auto_init(tacit__auto *a, const tacit_cells *cells, const char *status,
                              const tacit_run *run, tacit_error *err)
{
    *a = (tacit__auto){
        .cells = cells, .given = status, .run = run, .largest = tacit__largest_value(cells)};
    tacit_run_init(&a->own);
    tacit__random_init(&a->random, run ? run : &a->own, "auto", 0);
    tacit_status result = allocate(a, err);
    if (result == TACIT_OK)
        result = tacit__terms_init(&a->terms, cells, err);
    if (result == TACIT_OK)
        result = tacit__patch_numbers_init(&a->numbers, cells, err);
    if (result == TACIT_OK)
        result = list_needy(a, err);
    if (result != TACIT_OK)
        return result;
    for (int32_t i = 0; i < cells->count; i++)
        a->may[i] = status[i] != TACIT_CELL_FIXED && cells->upper[i] > cells->lower[i];
    tacit__auto_reset(a, status);
    return TACIT_OK;
}

void tacit__auto_clear(tacit__auto *a)
{
    forget_proofs(a);
    for (int32_t i = 0; i < a->cells->count && a->users; i++)
        tacit__cell_list_clear(&a->users[i]);
    tacit__free(a->status);
    tacit__free(a->may);
    tacit__free(a->in_row);
    tacit__free(a->proof_of);
    tacit__free(a->uses);
    tacit__free(a->users);
    tacit__free(a->marked);
    tacit__free(a->row_count);
    tacit__free(a->proofs);
    tacit__cell_list_clear(&a->needy);
    tacit__cell_list_clear(&a->window);
    tacit__terms_clear(&a->terms);
    tacit__patch_numbers_clear(&a->numbers);
}
