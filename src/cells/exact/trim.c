/*
 * trim.c - a pattern without what it can do without; see trim.h.
 *
 * For every suppressed cell the tables are kept that prove its room, one for each side: its
 * witnesses (exact/adversary.c finds them). A cell that no witness moves can be published as it is.
 * If some do, only the cells that rest on these need new ones that leave it where it is; where one
 * of them has none, the cell stays suppressed. So a trial costs a few programs and not one for
 * every need.
 *
 * A demand (demands.h) rests on witnesses as a cell does, which leave its facts true: in what
 * follows a wish is a cell or, beyond the cells, a demand.
 *
 * Memory: a list of moved cells for each witness that something rests on.
 */
#include "cells/exact/exact.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "cells/cells/inside.h"

/* A table that cannot be ruled out: the cells that it moves, ascending. */
typedef struct witness {
    int32_t *cells; /* NULL: nothing rests on it any more */
    int32_t count;
    int32_t rests; /* sides of cells that rest on it */
} witness;

/* A side of a cell: how far it can move, and who says so; -1: nobody. */
typedef struct side {
    double reach;
    int32_t witness;
} side;

/* Both sides of a cell: up and down. */
typedef struct proof {
    side up;
    side down;
} proof;

typedef struct trim_work {
    tacit__trimming *trimming;
    const tacit__patch *patch;
    double *pattern;
    bool *asked;    /* wishes that need new witnesses */
    proof *proofs;  /* a wish each */
    proof *before;  /* those of asked ones, should it fail */
    int32_t *moved; /* scratch */
    witness *witnesses;
    size_t room;
    int32_t count;
} trim_work;

/* ---- witnesses ---- */

static void leave(trim_work *w, int32_t index)
{
    if (index < 0 || --w->witnesses[index].rests > 0)
        return;
    tacit__free(w->witnesses[index].cells);
    w->witnesses[index].cells = NULL;
}

static void rest_on(trim_work *w, side *s, double reach, int32_t index)
{
    if (reach <= s->reach)
        return;
    w->witnesses[index].rests++;
    leave(w, s->witness);
    *s = (side){reach, index};
}

static bool witness_moves(const trim_work *w, int32_t index, int32_t cell)
{
    const witness *v = index < 0 ? NULL : &w->witnesses[index];
    return v && bsearch(&cell, v->cells, (size_t)v->count, sizeof cell, tacit__by_number) != NULL;
}

/* A new witness; it rests on itself until all are asked that may rest on it. */
static tacit_status add_witness(trim_work *w, const int32_t *cells, int32_t count, tacit_error *err)
{
    int32_t *copy = tacit__alloc_array((size_t)count, sizeof *copy);
    if (!copy || !TACIT__RESERVE_ONE(w->witnesses, w->room, w->count)) {
        tacit__free(copy);
        return tacit__nomem(err);
    }
    for (int32_t i = 0; i < count; i++)
        copy[i] = cells[i];
    w->witnesses[w->count++] = (witness){.cells = copy, .count = count, .rests = 1};
    return TACIT_OK;
}

/* A wish moves so far in the last witness. */
static void rest_wish(trim_work *w, int32_t wish, tacit__moved moved)
{
    rest_on(w, &w->proofs[wish].up, moved.high, w->count - 1);
    rest_on(w, &w->proofs[wish].down, moved.low, w->count - 1);
}

/* Takes a table that the adversary found. */
static tacit_status take(void *context, const double *values, double unit, double noise,
                         tacit_error *err)
{
    trim_work *w = context;
    int32_t count = 0;
    for (int32_t i = 0; i < w->patch->count; i++)
        if (fabs(values[i]) > noise)
            w->moved[count++] = i;
    tacit_status status = add_witness(w, w->moved, count, err);
    if (status != TACIT_OK)
        return status;
    double back = tacit__way_back(w->patch, values, unit, noise, w->pattern);
    for (int32_t k = 0; k < count; k++) {
        int32_t cell = w->moved[k];
        double by = values[cell] * unit;
        if (w->asked[cell])
            rest_wish(w, cell, (tacit__moved){fmax(by, -by * back), fmax(-by, by * back)});
    }
    for (int32_t i = w->patch->count; i < tacit__patch_wishes(w->patch); i++)
        if (w->asked[i])
            rest_wish(w, i,
                      tacit__demand_moved(&w->patch->demands.list[i - w->patch->count], values,
                                          unit, noise, back, w->pattern));
    leave(w, w->count - 1);
    return TACIT_OK;
}

/* ---- proofs ---- */

/* A side that its wish does not need rests on nothing: one is enough where only the spread
 * counts. */
static void drop_needless(trim_work *w, int32_t wish)
{
    proof *p = &w->proofs[wish];
    tacit__need need = tacit__patch_need(w->patch, wish);
    double least = need.spread * (1 - w->trimming->slack);
    side *needless = need.up <= 0 && p->down.reach >= least   ? &p->up
                     : need.down <= 0 && p->up.reach >= least ? &p->down
                                                              : NULL;
    if (needless) {
        leave(w, needless->witness);
        *needless = (side){0, -1};
    }
}

static void forget(trim_work *w, int32_t wish)
{
    leave(w, w->proofs[wish].up.witness);
    leave(w, w->proofs[wish].down.witness);
    w->proofs[wish] = (proof){{0, -1}, {0, -1}};
}

/* Asks about the wishes that are marked. */
static tacit_status ask_again(bool *hidden, trim_work *w, const tacit_run *run, tacit_error *err)
{
    tacit__trimming *t = w->trimming;
    int32_t failed = 0;
    tacit__question question = {.pattern = w->pattern,
                                .slack = t->slack,
                                .first = true,
                                .known = t->known,
                                .asked = w->asked,
                                .shown = take,
                                .context = w};
    tacit_status status =
        tacit__adversary_ask(&failed, &t->iterations, t->adversary, &question, run, err);
    *hidden = failed == 0;
    return status;
}

/* ---- one cell ---- */

/* Marks what rests on a witness that moves the cell, which then rests on nothing; what it rested
 * on is kept aside. */
static int32_t mark(trim_work *w, int32_t cell)
{
    int32_t marked = 0;
    for (int32_t i = 0; i < tacit__patch_wishes(w->patch); i++) {
        proof *p = &w->proofs[i];
        w->asked[i] =
            witness_moves(w, p->up.witness, cell) || witness_moves(w, p->down.witness, cell);
        if (!w->asked[i])
            continue;
        w->before[i] = *p;
        *p = (proof){{0, -1}, {0, -1}};
        marked++;
    }
    return marked;
}

/* Settles for the new proofs, or goes back to those before. */
static void settle_trial(trim_work *w, bool hidden)
{
    for (int32_t i = 0; i < tacit__patch_wishes(w->patch); i++) {
        if (!w->asked[i])
            continue;
        proof old = w->before[i];
        if (hidden) {
            leave(w, old.up.witness);
            leave(w, old.down.witness);
            drop_needless(w, i);
        } else {
            forget(w, i);
            w->proofs[i] = old;
        }
    }
}

static tacit_status try_cell(bool *chosen, trim_work *w, int32_t cell, const tacit_run *run,
                             tacit_error *err)
{
    bool hidden = true;
    tacit_status status = TACIT_OK;
    w->pattern[cell] = 0;
    if (mark(w, cell) > 0)
        status = ask_again(&hidden, w, run, err);
    hidden &= status == TACIT_OK;
    settle_trial(w, hidden);
    if (hidden)
        chosen[cell] = false;
    else
        w->pattern[cell] = 1;
    return status;
}

/* ---- the whole ---- */

/* Whether a wish is hidden enough by the cells that are suppressed anyway. */
static bool is_known(const trim_work *w, int32_t wish)
{
    tacit__need need = tacit__patch_need(w->patch, wish);
    const tacit__exact_seen *known = w->trimming->known;
    double share = 1 - w->trimming->slack;
    return wish < known->count && known->high[wish] >= need.up * share &&
           known->low[wish] >= need.down * share &&
           known->high[wish] + known->low[wish] >= need.spread * share;
}

/* Witnesses for all others. */
static tacit_status begin_trim(bool *hidden, trim_work *w, const bool *chosen, const tacit_run *run,
                               tacit_error *err)
{
    size_t count = (size_t)w->patch->count, wishes = (size_t)tacit__patch_wishes(w->patch);
    w->pattern = tacit__alloc_array(count, sizeof *w->pattern);
    w->asked = tacit__alloc_array(wishes, sizeof *w->asked);
    w->proofs = tacit__alloc_array(wishes, sizeof *w->proofs);
    w->before = tacit__alloc_array(wishes, sizeof *w->before);
    w->moved = tacit__alloc_array(count, sizeof *w->moved);
    if (!w->pattern || !w->asked || !w->proofs || !w->before || !w->moved)
        return tacit__nomem(err);
    for (size_t i = 0; i < count; i++)
        w->pattern[i] = chosen[i];
    for (size_t i = 0; i < wishes; i++) {
        w->asked[i] = (i >= count || w->patch->suppressed[i]) && !is_known(w, (int32_t)i);
        w->proofs[i] = (proof){{0, -1}, {0, -1}};
    }
    tacit_status status = ask_again(hidden, w, run, err);
    for (int32_t i = 0; i < (int32_t)wishes && status == TACIT_OK; i++)
        drop_needless(w, i);
    return status;
}

tacit_status tacit__trim(bool *chosen, tacit__trimming *trimming, const tacit_run *run,
                         tacit_error *err)
{
    trim_work w = {.trimming = trimming, .patch = trimming->patch};
    bool hidden = false;
    tacit_status status = begin_trim(&hidden, &w, chosen, run, err);
    for (int32_t k = 0; k < trimming->count && status == TACIT_OK && hidden; k++)
        if (chosen[trimming->order[k]] && trimming->iterations < trimming->most)
            status = try_cell(chosen, &w, trimming->order[k], run, err);
    for (int32_t i = 0; i < w.count; i++)
        tacit__free(w.witnesses[i].cells);
    tacit__free(w.witnesses);
    tacit__free(w.pattern);
    tacit__free(w.asked);
    tacit__free(w.proofs);
    tacit__free(w.before);
    tacit__free(w.moved);
    return status;
}
