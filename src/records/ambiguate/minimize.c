/*
 * minimize.c - fills blanks again that are not needed (after Theorem 2 of the paper:
 * whether some can be left out is decided in polynomial time).
 *
 * A cell can be filled where nobody that the row agrees with is lost, or where all who lose
 * somebody can spare it: the row itself, and each row that it agreed with only through the
 * blank. One pass over the cells is enough. Fewer blanks never make more rows agree, so what
 * is asked holds for every set of blanks between one for which it holds and all blanks: a cell
 * that cannot be filled now cannot be filled when others have been. (Nor where rows are below
 * k already: none of those loses anybody, so for them nothing changes.) The same is true of the
 * mean, and of k that is promised both ways: fewer blanks never make more people fit a row.
 *
 * Rows of an item are filled one by one, until one that loses them has no more to spare; since
 * all of them lose the same, how many that will be is known at once. One look at those that
 * agree and one change for every cell of an item. In large tables, of cells that cost the same,
 * those of rows with the same blanks follow each other: looks for other blanks need other lists,
 * and there is no room for all (kinds.h).
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/ambiguate/state.h"

enum { LARGE = 1 << 17 }; /* classes */

/* Rows that were in one item before; as their cells are filled they come apart. */
typedef struct part {
    uint32_t item;
    int64_t rows;
    int64_t next; /* of the same origin; -1: none */
} part;

/* A column of the rows of an origin, and what a blank in it costs. */
typedef struct cell {
    double cost;
    uint64_t blanks; /* of the origin, in large tables */
    uint32_t origin;
    int32_t column;
} cell;

typedef struct filling {
    tacit__state *state;
    const tacit__tableau *tableau;
    bool mean;
    int64_t spare; /* mean: what the sum of alpha may lose; negative: nothing */
    cell *cells;
    size_t cell_count, cell_capacity;
    part *parts; /* those of an origin begin with its own */
    size_t part_count, part_capacity;
} filling;

static int costliest_first(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    if (x->blanks != y->blanks)
        return x->blanks < y->blanks ? -1 : 1;
    if (x->origin != y->origin)
        return x->origin < y->origin ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

static tacit_status add_part(filling *f, uint32_t item, int64_t rows, tacit_error *err)
{
    return TACIT__PUSH(f->parts, f->part_capacity, f->part_count,
                       (part){.item = item, .rows = rows, .next = -1})
               ? TACIT_OK
               : tacit__nomem(err);
}

static tacit_status add_cells(filling *f, const tacit__item *item, tacit_error *err)
{
    uint64_t open = item->mask & ~item->fixed;
    if (!TACIT__RESERVE(f->cells, f->cell_capacity, f->cell_count + 64))
        return tacit__nomem(err);
    for (; open; open &= open - 1) {
        int32_t column = __builtin_ctzll(open);
        f->cells[f->cell_count++] = (cell){
            .cost = f->tableau->costs[item->class_index * (int64_t)f->tableau->columns + column],
            .blanks = f->tableau->classes > LARGE ? item->mask : 0,
            .origin = (uint32_t)f->part_count - 1,
            .column = column,
        };
    }
    return TACIT_OK;
}

static tacit_status start(filling *f, tacit_error *err)
{
    const tacit__tableau *t = f->tableau;
    int64_t total = 0;
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; status == TACIT_OK && i < tacit__state_count(f->state); i++) {
        const tacit__item *item = tacit__state_item(f->state, i);
        total += item->rows * (item->rows > 0 ? item->alpha : 0);
        if (item->rows == 0 || !(item->mask & ~item->fixed))
            continue;
        status = add_part(f, (uint32_t)i, item->rows, err);
        if (status == TACIT_OK)
            status = add_cells(f, item, err);
    }
    f->spare = t->k > t->rows ? -1 : total - t->k * t->rows;
    if (f->cell_count > 0)
        qsort(f->cells, f->cell_count, sizeof *f->cells, costliest_first);
    return status;
}

/* How many rows of an item can have a cell filled, of `wanted`. */
static tacit_status rows_to_fill(int64_t *rows, filling *f, uint32_t index, int32_t column,
                                 int64_t wanted, tacit_error *err)
{
    const tacit__item *item = tacit__state_item(f->state, index);
    const uint32_t *found;
    int64_t count, lost = 0, most = wanted;
    if (f->tableau->both)
        return tacit__fits_spare(rows, tacit__state_fits(f->state), item->class_index, item->mask,
                                 column, wanted, err);
    tacit_status status =
        tacit__state_look(&found, &count, f->state, item->class_index, item->mask, err);
    if (status != TACIT_OK)
        return status;
    uint32_t own = tacit__tableau_codes(f->tableau, item->class_index)[column];
    for (int64_t i = 0; i < count; i++) {
        const tacit__item *other = tacit__state_item(f->state, found[i]);
        if (other->mask >> column & 1 ||
            tacit__tableau_codes(f->tableau, other->class_index)[column] == own)
            continue;
        lost += other->rows;
        if (!f->mean && other->alpha - f->tableau->k < most)
            most = other->alpha - f->tableau->k;
    }
    if (f->mean && lost > 0 && f->spare / (2 * lost) < most)
        most = f->spare < 0 ? 0 : f->spare / (2 * lost);
    if (!f->mean && lost > 0 && item->alpha - lost < f->tableau->k)
        most = 0;
    *rows = most > 0 ? most : 0;
    if (f->mean)
        f->spare -= 2 * lost * *rows; /* each of them loses those, and those lose each */
    return TACIT_OK;
}

/* Fills a cell in as many rows of a part as can be; those that cannot be stay a part. */
static tacit_status fill_part(int64_t *filled, filling *f, size_t p, int32_t column,
                              tacit_error *err)
{
    const tacit__item *item = tacit__state_item(f->state, f->parts[p].item);
    int64_t to, rows, all = f->parts[p].rows;
    if (!(item->mask >> column & 1))
        return TACIT_OK;
    tacit_status status = rows_to_fill(&rows, f, f->parts[p].item, column, all, err);
    if (status != TACIT_OK || rows == 0)
        return status;
    if (rows < all)
        status = add_part(f, f->parts[p].item, all - rows, err);
    if (status == TACIT_OK)
        status = tacit__state_change(&to, f->state, f->parts[p].item, rows,
                                     item->mask & ~(UINT64_C(1) << column), item->fixed, err);
    if (status != TACIT_OK)
        return status;
    if (rows < all) {
        f->parts[f->part_count - 1].next = f->parts[p].next;
        f->parts[p].next = (int64_t)f->part_count - 1;
    }
    f->parts[p].item = (uint32_t)to;
    f->parts[p].rows = rows;
    *filled += rows;
    return TACIT_OK;
}

static tacit_status fill_cells(int64_t *filled, filling *f, const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; status == TACIT_OK && i < f->cell_count; i++) {
        if (i % 256 == 0)
            status =
                tacit__progress(run, "blanks to fill", (int64_t)i, (int64_t)f->cell_count, err);
        for (int64_t p = f->cells[i].origin, next; status == TACIT_OK && p >= 0; p = next) {
            next = f->parts[p].next;
            status = fill_part(filled, f, (size_t)p, f->cells[i].column, err);
        }
    }
    return status;
}

tacit_status tacit__state_minimize(int64_t *removed, tacit__state *state, bool mean,
                                   const tacit_run *run, tacit_error *err)
{
    filling f = {.state = state, .tableau = tacit__state_tableau(state), .mean = mean};
    int64_t filled = 0;
    tacit_status status = start(&f, err);
    if (status == TACIT_OK)
        status = fill_cells(&filled, &f, run, err);
    if (status == TACIT_OK)
        *removed = filled;
    tacit__free(f.cells);
    tacit__free(f.parts);
    return status;
}
