/*
 * cells.c - cells as such: made, freed, named, counted, and their relations and terms by cell.
 */
#include "cells/cells/inside.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/read/dimension.h"

tacit_status tacit__cells_new(tacit_cells **out, const char *file, tacit_error *err)
{
    tacit_cells *cells = tacit__alloc_zeroed(1, sizeof *cells);
    if (!cells)
        return tacit__nomem(err);
    cells->inside = tacit__alloc_zeroed(1, sizeof *cells->inside);
    if (file)
        cells->file = tacit__copy_bytes(file, strlen(file));
    if (!cells->inside || (file && !cells->file)) {
        tacit_cells_free(cells);
        return tacit__nomem(err);
    }
    *out = cells;
    return TACIT_OK;
}

static void free_inside(struct tacit__cells_inside *inside)
{
    if (!inside)
        return;
    tacit__arena_clear(&inside->arena);
    tacit__free(inside->table_of);
    tacit__free(inside->place_of);
    tacit__free(inside);
}

/* Leaves each relation once; the order stays. */
static void relations_clear(tacit_relations *relations)
{
    tacit__free(relations->starts);
    tacit__free(relations->items);
    tacit__free(relations->coefs);
    tacit__free(relations->rhs);
    *relations = (tacit_relations){0};
}

void tacit_cells_free(tacit_cells *cells)
{
    if (!cells)
        return;
    void *const blocks[] = {
        cells->value, cells->cost,    cells->status, cells->lower, cells->upper,  cells->lpl,
        cells->upl,   cells->spl,     cells->freq,   cells->gross, cells->top,    cells->top_owner,
        cells->asked, cells->measure, cells->line,   cells->file,  cells->unknown};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        tacit__free(blocks[i]);
    relations_clear(&cells->relations);
    for (int32_t i = 0; i < cells->dimension_count; i++)
        tacit__dimension_clear(&cells->dimensions[i]);
    tacit__free(cells->dimensions);
    for (int32_t i = 0; i < cells->table_count; i++)
        tacit__free(cells->tables[i].cells);
    tacit__free(cells->tables);
    free_inside(cells->inside);
    tacit__free(cells);
}

tacit_status tacit__cells_allocate(tacit_cells *cells, int32_t count, tacit_error *err)
{
    size_t n = (size_t)count;
    double **const arrays[] = {&cells->value, &cells->cost, &cells->lower, &cells->upper,
                               &cells->lpl,   &cells->upl,  &cells->spl};
    cells->count = count;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = tacit__alloc_zeroed(n, sizeof(double));
        if (!*arrays[i])
            return tacit__nomem(err);
    }
    cells->status = tacit__alloc_array(n, sizeof *cells->status);
    if (!cells->status)
        return tacit__nomem(err);
    memset(cells->status, TACIT_CELL_FREE, n);
    return TACIT_OK;
}

tacit_status tacit__cells_allocate_freq(tacit_cells *cells, tacit_error *err)
{
    cells->freq = tacit__alloc_zeroed((size_t)cells->count, sizeof *cells->freq);
    return cells->freq ? TACIT_OK : tacit__nomem(err);
}

tacit_status tacit__cells_allocate_top(tacit_cells *cells, int32_t count, bool owners,
                                       tacit_error *err)
{
    size_t entries;
    if (!tacit__multiply((size_t)cells->count, (size_t)count, &entries))
        return tacit__nomem(err);
    cells->top_count = count;
    cells->top = tacit__alloc_zeroed(entries, sizeof *cells->top);
    if (owners)
        cells->top_owner = tacit__alloc_array(entries, sizeof *cells->top_owner);
    if (!cells->top || (owners && !cells->top_owner))
        return tacit__nomem(err);
    for (size_t i = 0; owners && i < entries; i++)
        cells->top_owner[i] = -1;
    return TACIT_OK;
}

void tacit_cells_codes(int32_t *codes, const tacit_cells *cells, int32_t cell)
{
    assert(cell >= 0 && cell < cells->count && cells->table_count > 0);
    int32_t *table_of = cells->inside->table_of;
    const tacit_cells_table *table = &cells->tables[table_of ? table_of[cell] : 0];
    int64_t place = table_of ? cells->inside->place_of[cell] : cell;
    for (int32_t d = 0; d < cells->dimension_count; d++)
        codes[d] = -1;
    for (int32_t i = 0; i < table->dimension_count; i++) {
        codes[table->dimensions[i]] = (int32_t)(place / table->strides[i]);
        place %= table->strides[i];
    }
}

const char *tacit_cells_describe(const tacit_cells *cells, int32_t cell, char *buffer, size_t size)
{
    int32_t codes[TACIT_MAX_DIMENSIONS];
    size_t len = 0;
    if (!cells->dimension_count) {
        snprintf(buffer, size, "cell %d", cell);
        return buffer;
    }
    tacit_cells_codes(codes, cells, cell);
    buffer[0] = '\0';
    for (int32_t d = 0; d < cells->dimension_count; d++) {
        if (codes[d] < 0 || len + 1 >= size)
            continue;
        int wrote = snprintf(buffer + len, size - len, "%s%s", len ? ", " : "",
                             tacit__show(cells->dimensions[d].codes[codes[d]]).text);
        len += wrote > 0 ? (size_t)wrote : 0;
    }
    return buffer;
}

tacit_status tacit__cell_error(const tacit_cells *cells, int32_t cell, tacit_status status,
                               tacit_error *err, const char *reason)
{
    char name[256];
    tacit_cells_describe(cells, cell, name, sizeof name);
    return tacit__error_at(err, status, cells->file, cells->line ? cells->line[cell] : 0, 0,
                           "%s: %s", name, reason);
}

tacit_status tacit__cells_known(const tacit_cells *cells, tacit_error *err)
{
    for (int32_t i = 0; cells->unknown && i < cells->count; i++)
        if (cells->unknown[i])
            return tacit__cell_error(cells, i, TACIT_INVALID, err,
                                     "its value is not known; a release as outsiders have it can "
                                     "be audited and nothing else");
    return TACIT_OK;
}

void tacit_cells_tally(int32_t tally[128], const tacit_cells *cells, const char *status)
{
    memset(tally, 0, 128 * sizeof *tally);
    if (!status)
        status = cells->status;
    for (int32_t i = 0; i < cells->count; i++)
        tally[status[i] & 127]++;
}

static double off_by(const tacit_cells *cells, int32_t r)
{
    const tacit_relations *relations = &cells->relations;
    double sum = -relations->rhs[r];
    for (int64_t j = relations->starts[r]; j < relations->starts[r + 1]; j++)
        sum += relations->coefs[j] * cells->value[relations->items[j]];
    return fabs(sum);
}

tacit_status tacit__cells_finish(tacit_cells *cells, tacit_error *err)
{
    for (int32_t i = 0; i < cells->count; i++) {
        if (!isfinite(cells->value[i]))
            return tacit__cell_error(cells, i, TACIT_INVALID, err, "its sum is too large");
        bool known = !cells->unknown || !cells->unknown[i];
        cells->decimals |= known && cells->value[i] != floor(cells->value[i]);
    }
    for (int32_t r = 0; r < cells->relations.count; r++)
        cells->residual = fmax(cells->residual, off_by(cells, r));
    return TACIT_OK;
}

tacit_status tacit__cells_give(tacit_cells **out, tacit_cells *cells, tacit_status status)
{
    if (status == TACIT_OK)
        *out = cells;
    else
        tacit_cells_free(cells);
    return status;
}

void tacit_cell_uses_free(tacit_cell_uses *uses)
{
    if (!uses)
        return;
    tacit__free(uses->starts);
    tacit__free(uses->relations);
    tacit__free(uses);
}

static void turn_round(tacit_cell_uses *uses, const tacit_cells *cells)
{
    const tacit_relations *relations = &cells->relations;
    int64_t *starts = uses->starts;
    for (int64_t j = 0; j < relations->starts[relations->count]; j++)
        starts[relations->items[j] + 2]++;
    for (int32_t i = 0; i < cells->count; i++)
        starts[i + 2] += starts[i + 1];
    for (int32_t r = 0; r < relations->count; r++)
        for (int64_t j = relations->starts[r]; j < relations->starts[r + 1]; j++)
            uses->relations[starts[relations->items[j] + 1]++] = r;
}

tacit_status tacit_cell_uses_new(tacit_cell_uses **out, const tacit_cells *cells, tacit_error *err)
{
    tacit_cell_uses *uses = tacit__alloc_zeroed(1, sizeof *uses);
    if (!uses)
        return tacit__nomem(err);
    size_t terms = (size_t)cells->relations.starts[cells->relations.count];
    uses->starts = tacit__alloc_zeroed((size_t)cells->count + 2, sizeof *uses->starts);
    uses->relations = tacit__alloc_array(terms, sizeof *uses->relations);
    if (!uses->starts || !uses->relations) {
        tacit_cell_uses_free(uses);
        return tacit__nomem(err);
    }
    turn_round(uses, cells);
    *out = uses;
    return TACIT_OK;
}

tacit_status tacit__terms_init(tacit__terms *terms, const tacit_cells *cells, tacit_error *err)
{
    const tacit_relations *r = &cells->relations;
    int64_t count = r->count ? r->starts[r->count] : 0;
    *terms = (tacit__terms){0};
    if (count > INT32_MAX)
        return tacit__error(err, TACIT_LIMIT, "relations have more than %d terms", INT32_MAX);
    terms->starts = tacit__alloc_zeroed((size_t)cells->count + 2, sizeof *terms->starts);
    terms->list = tacit__alloc_array((size_t)count, sizeof *terms->list);
    terms->relation = tacit__alloc_array((size_t)count, sizeof *terms->relation);
    if (!terms->starts || !terms->list || !terms->relation) {
        tacit__terms_clear(terms);
        return tacit__nomem(err);
    }
    for (int32_t i = 0; i < r->count; i++)
        for (int64_t j = r->starts[i]; j < r->starts[i + 1]; j++)
            terms->relation[j] = i;
    int32_t *next = terms->starts + 1; /* where each cell's terms go on, until they are listed */
    for (int64_t j = 0; j < count; j++)
        next[r->items[j] + 1]++;
    for (int32_t i = 0; i < cells->count; i++)
        next[i + 1] += next[i];
    for (int64_t j = 0; j < count; j++)
        terms->list[next[r->items[j]]++] = (int32_t)j;
    return TACIT_OK;
}

void tacit__terms_clear(tacit__terms *terms)
{
    tacit__free(terms->starts);
    tacit__free(terms->list);
    tacit__free(terms->relation);
    *terms = (tacit__terms){0};
}

int tacit__by_number(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return a < b ? -1 : a > b;
}
