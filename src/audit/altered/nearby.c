/*
 * nearby.c - what tables show that differ from the true one about a cell only.
 *
 * Programs over all cells of a large table take long, and most of what they are asked is
 * answered by few cells: some rows and columns about the one in question that make up for its
 * change, while all others stay as they are. So about each cell that is asked for, the cells are
 * taken that share a relation with it, then those that share one with these, up to a number; they
 * and what is left of their relations are a small table, judged like a large one. Only the cell
 * itself has programs of its own, the others are shown what its and the sweeps show. With few parts
 * of a relation no totals are taken: parts that make up for each other need none. What is shown
 * holds for the whole, since the rest does not move. What is not is left for
 * larger neighbourhoods, and in the end for all cells.
 *
 * Cost: a small table's programs for every cell that nothing near it has shown. Memory: that of the
 * small table, and 16 bytes a cell and 4 a term of the large one.
 */
#include <math.h>
#include <string.h>

#include "audit/altered/altered.h"
#include "base/alloc.h"
#include "base/error.h"

/* A small table about a cell. */
typedef struct nearby {
    tacit__changes *all;
    const tacit_cell_uses *uses;
    int32_t most;
    int32_t parts;     /* of a relation at most */
    int32_t *cells;    /* of the large table, in the order they were taken */
    int32_t *number;   /* by cell of the large table: in that list; -1: not there */
    int32_t *relation; /* by relation: the last round that took it */
    int32_t round;
    tacit_cells part;
    int64_t terms; /* there is room for */
    tacit__changes changes;
    double *published;
    bool *alone;
} nearby;

/* Whether nothing more is to be shown of a cell: levels, the other side, and that it moves. Of one
 * that bounds keep from a level more would be of no use. */
static bool is_settled(const tacit__changes *s, int32_t cell)
{
    const tacit_cells *cells = s->cells;
    double low = s->shown[0][cell], high = s->shown[1][cell], value = cells->value[cell];
    if (cells->status[cell] != TACIT_CELL_PRIMARY)
        return high - low > 0;
    bool hopeless = !tacit__reaches(value - s->low[cell], cells->lpl[cell]) ||
                    !tacit__reaches(s->high[cell] - value, cells->upl[cell]);
    bool levels = tacit__reaches(-low, cells->lpl[cell]) &&
                  tacit__reaches(high, cells->upl[cell]) &&
                  tacit__reaches(high - low, cells->spl[cell]);
    return high - low > 0 &&
           (hopeless || (levels && (!tacit__has_sides(s, cell) || s->crossed[cell])));
}

/* ---- the cells ---- */

static void add_cell(nearby *n, int32_t cell)
{
    if (n->number[cell] >= 0 || n->part.count == n->most)
        return;
    n->number[cell] = n->part.count;
    n->cells[n->part.count++] = cell;
}

/* The sign that only the total of a relation has; 0: there is none. */
static int total_sign(const tacit_relations *all, int32_t r)
{
    int64_t count = all->starts[r + 1] - all->starts[r], below = 0;
    for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++)
        below += all->coefs[j] < 0;
    return count <= 2 ? 0 : below == 1 ? -1 : below == count - 1 ? 1 : 0;
}

/* The first parts of a relation that can move: the same of each of a subtable's lines, mostly. */
static void add_parts(nearby *n, int32_t r)
{
    const tacit_relations *all = &n->all->cells->relations;
    int sign = n->parts < INT32_MAX ? total_sign(all, r) : 0;
    int32_t parts = 0;
    for (int64_t j = all->starts[r]; j < all->starts[r + 1] && parts < n->parts; j++) {
        int32_t cell = all->items[j];
        if (all->coefs[j] * sign > 0 || n->all->low[cell] == n->all->high[cell])
            continue;
        add_cell(n, cell);
        parts++;
    }
}

static void gather(nearby *n, int32_t cell)
{
    n->part.count = 0;
    n->part.relations.count = 0;
    n->round++;
    add_cell(n, cell);
    for (int32_t at = 0; at < n->part.count && n->part.count < n->most; at++) {
        int32_t from = n->cells[at];
        for (int64_t u = n->uses->starts[from]; u < n->uses->starts[from + 1]; u++) {
            add_parts(n, n->uses->relations[u]);
        }
    }
}

static void scatter(nearby *n)
{
    for (int32_t k = 0; k < n->part.count; k++)
        n->number[n->cells[k]] = -1;
}

/* ---- the small table ---- */

static tacit_status reserve(nearby *n, int64_t terms, tacit_error *err)
{
    tacit_relations *part = &n->part.relations;
    if (terms <= n->terms)
        return TACIT_OK;
    int32_t *items = tacit__resize_array(part->items, (size_t)(2 * terms), sizeof *items);
    if (items)
        part->items = items;
    double *coefs = tacit__resize_array(part->coefs, (size_t)(2 * terms), sizeof *coefs);
    if (coefs)
        part->coefs = coefs;
    if (!items || !coefs)
        return tacit__nomem(err);
    n->terms = 2 * terms;
    return TACIT_OK;
}

/* The terms of the cells that were taken. */
static tacit_status add_relation(nearby *n, int32_t r, tacit_error *err)
{
    const tacit_relations *all = &n->all->cells->relations;
    tacit_relations *part = &n->part.relations;
    int64_t at = part->starts[part->count];
    tacit_status status = reserve(n, at + all->starts[r + 1] - all->starts[r], err);
    if (status != TACIT_OK)
        return status;
    for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++)
        if (n->number[all->items[j]] >= 0) {
            part->items[at] = n->number[all->items[j]];
            part->coefs[at++] = all->coefs[j];
        }
    part->starts[++part->count] = at;
    return TACIT_OK;
}

static tacit_status add_relations(nearby *n, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    n->part.relations.starts[0] = 0;
    for (int32_t k = 0; k < n->part.count; k++) {
        int32_t cell = n->cells[k];
        for (int64_t u = n->uses->starts[cell]; u < n->uses->starts[cell + 1]; u++) {
            int32_t r = n->uses->relations[u];
            if (n->relation[r] == n->round)
                continue;
            n->relation[r] = n->round;
            status = add_relation(n, r, err);
            if (status != TACIT_OK)
                return status;
        }
    }
    return status;
}

static void fill_part(nearby *n)
{
    const tacit__changes *all = n->all;
    tacit__changes *c = &n->changes;
    for (int32_t k = 0; k < n->part.count; k++) {
        int32_t i = n->cells[k];
        n->part.value[k] = all->cells->value[i];
        n->part.status[k] = all->cells->status[i];
        n->part.lpl[k] = all->cells->lpl[i];
        n->part.upl[k] = all->cells->upl[i];
        n->part.spl[k] = all->cells->spl[i];
        n->published[k] = all->published[i];
        c->low[k] = all->low[i];
        c->high[k] = all->high[i];
        c->asked[k] = all->asked[i];
        c->crossed[k] = all->crossed[i];
        c->unknown[k] = false;
        for (int side = 0; side < 2; side++) {
            c->side[side][k] = all->side[side][i];
            c->shown[side][k] = all->shown[side][i];
        }
    }
}

static void take_back(nearby *n)
{
    tacit__changes *all = n->all;
    const tacit__changes *c = &n->changes;
    for (int32_t k = 0; k < n->part.count; k++) {
        int32_t i = n->cells[k];
        all->crossed[i] = c->crossed[k];
        for (int side = 0; side < 2; side++)
            all->shown[side][i] = c->shown[side][k];
        all->asked[i] = all->asked[i] && !is_settled(all, i);
    }
}

static tacit_status look_about(nearby *n, int32_t cell, tacit_error *err)
{
    gather(n, cell);
    tacit_status status = add_relations(n, err);
    if (status == TACIT_OK) {
        fill_part(n);
        status = tacit__changes_look(&n->changes, err);
    }
    if (status == TACIT_OK)
        take_back(n);
    scatter(n);
    return status;
}

/* ---- room ---- */

static tacit_status part_new(nearby *n, tacit_error *err)
{
    tacit_cells *p = &n->part;
    size_t most = (size_t)n->most, relations = (size_t)n->all->cells->relations.count;
    p->value = tacit__alloc_array(most, sizeof *p->value);
    p->status = tacit__alloc_array(most, sizeof *p->status);
    p->lpl = tacit__alloc_array(most, sizeof *p->lpl);
    p->upl = tacit__alloc_array(most, sizeof *p->upl);
    p->spl = tacit__alloc_array(most, sizeof *p->spl);
    p->relations.starts = tacit__alloc_array(relations + 1, sizeof *p->relations.starts);
    n->published = tacit__alloc_array(most, sizeof *n->published);
    n->alone = tacit__alloc_zeroed(most, sizeof *n->alone);
    bool all = p->value && p->status && p->lpl && p->upl && p->spl && p->relations.starts &&
               n->published && n->alone;
    if (!all)
        return tacit__nomem(err);
    n->alone[0] = true;
    return TACIT_OK;
}

static tacit_status nearby_new(nearby *n, tacit_error *err)
{
    const tacit_cells *cells = n->all->cells;
    size_t count = (size_t)cells->count, relations = (size_t)cells->relations.count;
    n->cells = tacit__alloc_array((size_t)n->most, sizeof *n->cells);
    n->number = tacit__alloc_array(count, sizeof *n->number);
    n->relation = tacit__alloc_zeroed(relations, sizeof *n->relation);
    tacit_status status =
        n->cells && n->number && n->relation ? part_new(n, err) : tacit__nomem(err);
    if (status != TACIT_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        n->number[i] = -1;
    n->part.count = n->most;
    n->changes = (tacit__changes){.cells = &n->part,
                                  .published = n->published,
                                  .known = n->all->known,
                                  .alone = n->alone,
                                  .adversary = n->all->adversary};
    return tacit__changes_capacity(&n->changes, err);
}

static void nearby_clear(nearby *n)
{
    tacit_cells *p = &n->part;
    tacit__changes_clear(&n->changes);
    tacit__free(p->value);
    tacit__free(p->status);
    tacit__free(p->lpl);
    tacit__free(p->upl);
    tacit__free(p->spl);
    tacit__free(p->relations.starts);
    tacit__free(p->relations.items);
    tacit__free(p->relations.coefs);
    tacit__free(n->published);
    tacit__free(n->alone);
    tacit__free(n->cells);
    tacit__free(n->number);
    tacit__free(n->relation);
}

tacit_status tacit__look_nearby(tacit__changes *changes, int32_t most, int32_t parts,
                                tacit_error *err)
{
    tacit_cell_uses *uses = NULL;
    nearby n = {.all = changes, .most = most, .parts = parts};
    tacit_status status = tacit_cell_uses_new(&uses, changes->cells, err);
    if (status == TACIT_OK) {
        n.uses = uses;
        status = nearby_new(&n, err);
    }
    for (int32_t i = 0; i < changes->cells->count && status == TACIT_OK; i++)
        if (changes->asked[i])
            status = look_about(&n, i, err);
    changes->programs += n.changes.programs;
    nearby_clear(&n);
    tacit_cell_uses_free(uses);
    return status;
}
