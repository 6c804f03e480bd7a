/*
 * link.c - several tables that share cells, as one.
 *
 * A cell is known by the names of its codes in dimensions of the same names; a code that is
 * its dimension's total counts as no code at all, so that region by sex and region by age
 * share what they say of regions alone. Each dimension name has numbers for code names, 0
 * for the total; a cell's numbers are hashed and compared. Cells are numbered table after
 * table, those that are there already keep their number, and the relations of all tables
 * follow from their dimensions as for one (lower.c), each once.
 *
 * Linear in the cells of all parts.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/vector.h"
#include "cells/cells/inside.h"
#include "cells/read/dimension.h"

/* A dimension name, and the names of codes that any part has in it. */
typedef struct axis {
    tacit_strview name;
    tacit__names names; /* of codes */
    int32_t *ids;       /* a name each; several names of one code have one number; 0: the total */
    size_t room;
    int32_t next;
} axis;

typedef struct linking {
    const tacit_cells *const *parts;
    int32_t part_count;
    double tolerance;
    tacit_cells *to;
    axis *axes;
    int32_t axis_count;
    int32_t **ids;    /* a dimension of the result each, by code */
    int32_t *axis_of; /* a dimension of the result each */
    tacit__map map;
    int32_t *keys; /* axis_count numbers a cell */
    int32_t found; /* cells so far */
} linking;

static void linking_clear(linking *l)
{
    for (int32_t i = 0; l->axes && i < l->axis_count; i++) {
        tacit__names_clear(&l->axes[i].names);
        tacit__free(l->axes[i].ids);
    }
    for (int32_t i = 0; l->ids && i < l->to->dimension_count; i++)
        tacit__free(l->ids[i]);
    tacit__free(l->axes);
    tacit__free(l->ids);
    tacit__free(l->axis_of);
    tacit__map_clear(&l->map);
    tacit__free(l->keys);
}

static bool same_labels(const tacit_strview *a, const tacit_strview *b, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (!tacit_strview_equal(a[i], b[i]))
            return false;
    return true;
}

static bool same_numbers(const int32_t *a, const int32_t *b, int32_t count)
{
    return !memcmp(a, b, (size_t)count * sizeof *a);
}

static bool same_dimension(const tacit_dimension *a, const tacit_dimension *b)
{
    if (!tacit_strview_equal(a->name, b->name) || a->code_count != b->code_count ||
        a->label_count != b->label_count || a->tree_count != b->tree_count ||
        !same_labels(a->labels, b->labels, a->label_count) ||
        !same_numbers(a->code_of, b->code_of, a->label_count))
        return false;
    for (int32_t t = 0; t < a->tree_count; t++)
        if (!same_numbers(a->trees[t].parent, b->trees[t].parent, a->code_count))
            return false;
    return true;
}

/* The dimension of the result that a part's dimension is, a copy where it is new. */
static tacit_status take_dimension(int32_t *out, linking *l, const tacit_dimension *dimension,
                                   tacit_error *err)
{
    tacit_cells *to = l->to;
    for (*out = 0; *out < to->dimension_count; ++*out)
        if (same_dimension(&to->dimensions[*out], dimension))
            return TACIT_OK;
    if (to->dimension_count == TACIT_MAX_DIMENSIONS)
        return tacit__error(err, TACIT_LIMIT, "more than %d dimensions in all linked tables",
                            TACIT_MAX_DIMENSIONS);
    tacit_status status =
        tacit__dimension_copy(&to->dimensions[*out], dimension, &to->inside->arena, err);
    to->dimension_count += status == TACIT_OK;
    return status;
}

static tacit_status take_table(linking *l, int32_t t, tacit_error *err)
{
    const tacit_cells *part = l->parts[t];
    tacit_cells_table *table = &l->to->tables[t];
    if (part->table_count != 1)
        return tacit__error(err, TACIT_INVALID,
                            "tables to be linked must have dimensions, and must not be linked yet");
    table->dimension_count = part->dimension_count;
    tacit_status status = tacit__cells_known(part, err);
    for (int32_t d = 0; status == TACIT_OK && d < part->dimension_count; d++)
        status = take_dimension(&table->dimensions[d], l, &part->dimensions[d], err);
    if (status != TACIT_OK)
        return status;
    table->cells = tacit__alloc_array((size_t)part->count, sizeof *table->cells);
    l->to->table_count = t + 1;
    return table->cells ? tacit__table_lay_out(table, l->to->dimensions, err) : tacit__nomem(err);
}

static axis *axis_named(linking *l, tacit_strview name)
{
    int32_t i = 0;
    while (i < l->axis_count && !tacit_strview_equal(l->axes[i].name, name))
        i++;
    if (i == l->axis_count)
        l->axes[l->axis_count++] = (axis){.name = name, .next = 1};
    return &l->axes[i];
}

/* Numbers of an axis for all codes of a dimension: what is known by any of a code's names keeps
 * its number. */
static tacit_status number_codes(linking *l, int32_t d, tacit_error *err)
{
    const tacit_dimension *dimension = &l->to->dimensions[d];
    axis *a = axis_named(l, dimension->name);
    int32_t *ids = l->ids[d] = tacit__alloc_array((size_t)dimension->code_count, sizeof *ids);
    if (!ids)
        return tacit__nomem(err);
    l->axis_of[d] = (int32_t)(a - l->axes);
    for (int32_t c = 0; c < dimension->code_count; c++)
        ids[c] = c == dimension->trees[0].root ? 0 : -1;
    for (int32_t i = 0; i < dimension->label_count; i++) {
        uint32_t known = tacit__names_find(&a->names, dimension->labels[i]);
        int32_t *id = &ids[dimension->code_of[i]];
        if (*id < 0 && known != TACIT__NONE)
            *id = a->ids[known];
    }
    for (int32_t i = 0; i < dimension->label_count; i++) {
        bool added;
        int32_t *id = &ids[dimension->code_of[i]];
        uint32_t name = tacit__names_add(&a->names, dimension->labels[i], &added);
        if (name == TACIT__NONE || !TACIT__RESERVE_ONE(a->ids, a->room, name))
            return tacit__nomem(err);
        if (*id < 0)
            *id = a->next++;
        if (added)
            a->ids[name] = *id;
    }
    return TACIT_OK;
}

static void key_of(int32_t *key, const linking *l, int32_t t, int64_t place)
{
    const tacit_cells_table *table = &l->to->tables[t];
    memset(key, 0, (size_t)l->axis_count * sizeof *key);
    for (int32_t i = 0; i < table->dimension_count; i++) {
        int32_t d = table->dimensions[i];
        key[l->axis_of[d]] = l->ids[d][place / table->strides[i]];
        place %= table->strides[i];
    }
}

/* Numbers the cells of a table; those of earlier tables keep theirs. */
static tacit_status number_cells(linking *l, int32_t t, tacit_error *err)
{
    tacit_cells_table *table = &l->to->tables[t];
    struct tacit__cells_inside *inside = l->to->inside;
    size_t bytes = (size_t)l->axis_count * sizeof *l->keys;
    for (int32_t place = 0; place < table->place_count; place++) {
        int32_t *key = l->keys + (int64_t)l->found * l->axis_count;
        key_of(key, l, t, place);
        uint64_t hash = tacit__hash_bytes((const char *)key, bytes);
        size_t probe = 0;
        uint32_t cell;
        while ((cell = tacit__map_next(&l->map, hash, &probe)) != TACIT__NONE)
            if (!memcmp(key, l->keys + (int64_t)cell * l->axis_count, bytes))
                break;
        table->cells[place] = (int32_t)cell;
        if (cell != TACIT__NONE)
            continue;
        table->cells[place] = l->found;
        inside->table_of[l->found] = t;
        inside->place_of[l->found] = place;
        if (!tacit__map_add(&l->map, hash))
            return tacit__nomem(err);
        l->found++;
    }
    return TACIT_OK;
}

/* Which is the stricter of two statuses. */
static char stricter(char a, char b)
{
    static const char order[] = "uzxs";
    const char *first = memchr(order, a, 4), *second = memchr(order, b, 4);
    return first < second ? a : b;
}

static void take_first(tacit_cells *to, int32_t cell, const tacit_cells *part, int32_t from)
{
    to->value[cell] = part->value[from];
    to->cost[cell] = part->cost[from];
    to->status[cell] = part->status[from];
    to->lower[cell] = part->lower[from];
    to->upper[cell] = part->upper[from];
    to->lpl[cell] = part->lpl[from];
    to->upl[cell] = part->upl[from];
    to->spl[cell] = part->spl[from];
    if (to->freq)
        to->freq[cell] = part->freq[from];
    if (to->top)
        memcpy(to->top + (int64_t)cell * to->top_count, part->top + (int64_t)from * to->top_count,
               (size_t)to->top_count * sizeof *to->top);
    if (to->top_owner)
        memcpy(to->top_owner + (int64_t)cell * to->top_count,
               part->top_owner + (int64_t)from * to->top_count,
               (size_t)to->top_count * sizeof *to->top_owner);
    if (to->gross)
        to->gross[cell] = part->gross[from];
}

static tacit_status take_again(const linking *l, int32_t cell, const tacit_cells *part,
                               int32_t from, tacit_error *err)
{
    tacit_cells *to = l->to;
    double value = to->value[cell];
    if (!tacit__within(part->value[from] - value, fabs(value), l->tolerance))
        return tacit__cell_error(part, from, TACIT_PARSE, err,
                                 "another of the linked tables gives the cell another value");
    to->cost[cell] = fmax(to->cost[cell], part->cost[from]);
    to->status[cell] = stricter(to->status[cell], part->status[from]);
    if (to->assumed) { /* nobody gave any: what one table had to widen stays wide */
        to->lower[cell] = fmin(to->lower[cell], part->lower[from]);
        to->upper[cell] = fmax(to->upper[cell], part->upper[from]);
    } else {
        to->lower[cell] = fmax(to->lower[cell], part->lower[from]);
        to->upper[cell] = fmin(to->upper[cell], part->upper[from]);
    }
    to->lpl[cell] = fmax(to->lpl[cell], part->lpl[from]);
    to->upl[cell] = fmax(to->upl[cell], part->upl[from]);
    to->spl[cell] = fmax(to->spl[cell], part->spl[from]);
    return TACIT_OK;
}

static tacit_status fill_linked(linking *l, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t t = 0; t < l->part_count; t++)
        for (int32_t place = 0; status == TACIT_OK && place < l->parts[t]->count; place++) {
            int32_t cell = l->to->tables[t].cells[place];
            if (l->to->inside->table_of[cell] == t)
                take_first(l->to, cell, l->parts[t], place);
            else
                status = take_again(l, cell, l->parts[t], place, err);
        }
    return status;
}

/* Owners have the same numbers in all parts that were made of one file. */
static bool have_owners(const linking *l)
{
    const char *file = l->parts[0]->file;
    bool all = file != NULL;
    for (int32_t t = 0; t < l->part_count && all; t++)
        all = l->parts[t]->top_owner && l->parts[t]->file && !strcmp(l->parts[t]->file, file);
    return all;
}

/* Arrays of the result, those among them that all parts have. */
static tacit_status allocate_linked(linking *l, tacit_error *err)
{
    bool freq = true, gross = true;
    int32_t top = l->parts[0]->top_count;
    tacit_cells *to = l->to;
    for (int32_t t = 0; t < l->part_count; t++) {
        const tacit_cells *part = l->parts[t];
        freq &= part->freq != NULL;
        gross &= part->gross != NULL;
        top = part->top_count < top ? part->top_count : top;
        to->negative |= part->negative;
        to->counts = part->counts && (to->counts || t == 0);
        to->shadow |= part->shadow;
        to->assumed = part->assumed && (to->assumed || t == 0);
    }
    for (int32_t t = 0; t < l->part_count; t++)
        if (l->parts[t]->top_count != top || (l->parts[t]->gross && !gross))
            top = 0;
    tacit_status status = tacit__cells_allocate(to, l->found, err);
    if (status == TACIT_OK && freq)
        status = tacit__cells_allocate_freq(to, err);
    if (status == TACIT_OK && top)
        status = tacit__cells_allocate_top(to, top, have_owners(l), err);
    if (status == TACIT_OK && gross) {
        to->gross = tacit__alloc_zeroed((size_t)to->count, sizeof *to->gross);
        status = to->gross ? TACIT_OK : tacit__nomem(err);
    }
    return status;
}

/* Dimensions and tables of the parts, and room for their cells. */
static tacit_status prepare(linking *l, tacit_error *err)
{
    tacit_cells *to = l->to;
    int64_t places = 0;
    tacit_status status = TACIT_OK;
    to->dimensions = tacit__alloc_zeroed(TACIT_MAX_DIMENSIONS, sizeof *to->dimensions);
    to->tables = tacit__alloc_zeroed((size_t)l->part_count, sizeof *to->tables);
    l->axes = tacit__alloc_zeroed(TACIT_MAX_DIMENSIONS, sizeof *l->axes);
    l->ids = tacit__alloc_zeroed(TACIT_MAX_DIMENSIONS, sizeof *l->ids);
    l->axis_of = tacit__alloc_zeroed(TACIT_MAX_DIMENSIONS, sizeof *l->axis_of);
    if (!to->dimensions || !to->tables || !l->axes || !l->ids || !l->axis_of)
        return tacit__nomem(err);
    for (int32_t t = 0; status == TACIT_OK && t < l->part_count; t++) {
        status = take_table(l, t, err);
        places += l->parts[t]->count;
    }
    for (int32_t d = 0; status == TACIT_OK && d < to->dimension_count; d++)
        status = number_codes(l, d, err);
    if (status == TACIT_OK && places > TACIT_MAX_CELLS)
        status = tacit__error(err, TACIT_LIMIT, "the linked tables have more than %d cells",
                              TACIT_MAX_CELLS);
    if (status != TACIT_OK)
        return status;
    to->inside->table_of = tacit__alloc_array((size_t)places, sizeof(int32_t));
    to->inside->place_of = tacit__alloc_array((size_t)places, sizeof(int32_t));
    l->keys = tacit__alloc_array(((size_t)places + 1) * (size_t)l->axis_count, sizeof *l->keys);
    bool all = to->inside->table_of && to->inside->place_of && l->keys;
    return all ? TACIT_OK : tacit__nomem(err);
}

static tacit_status link_parts(linking *l, tacit_error *err)
{
    tacit_status status = prepare(l, err);
    for (int32_t t = 0; status == TACIT_OK && t < l->part_count; t++)
        status = number_cells(l, t, err);
    if (status == TACIT_OK)
        status = allocate_linked(l, err);
    if (status == TACIT_OK)
        status = fill_linked(l, err);
    if (status == TACIT_OK)
        status = tacit__cells_lower(l->to, err);
    return status;
}

tacit_status tacit_cells_link(tacit_cells **out, const tacit_cells *const *parts, int32_t count,
                              double tolerance, tacit_error *err)
{
    tacit_cells *cells;
    if (count < 1)
        return tacit__error(err, TACIT_INVALID, "there are no tables to link");
    tacit_status status = tacit__cells_new(&cells, NULL, err);
    if (status != TACIT_OK)
        return status;
    linking l = {.parts = parts, .part_count = count, .tolerance = tolerance, .to = cells};
    status = link_parts(&l, err);
    linking_clear(&l);
    if (status == TACIT_OK)
        status = tacit__cells_finish(cells, err);
    return tacit__cells_give(out, cells, status);
}
