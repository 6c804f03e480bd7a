/*
 * records_read.c - tables counted or summed from microdata.
 *
 * Values are summed on the ground, in the order of the file, and then up the dimensions
 * (lower.c). Contributors are gathered apart, owner after owner (rules/contributors.c): rows are
 * put in the order of their holding by counting, those of one holding as in the file, so that the
 * result is the same each time.
 *
 * Cost: a row goes to as many cells as the product of the depths of its codes, 36 for three
 * hierarchies of 4, 3 and 3 levels.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cells/read/columns.h"
#include "cells/read/dimension.h"
#include "cells/rules/contributors.h"

enum { ROWS_A_STEP = 1 << 18 };

typedef struct counting {
    const tacit_table *table;
    const tacit_cells_spec *spec;
    tacit_cells *cells;
    tacit__bound bound;
    tacit__numbers value, weight, shadow, cost, request;
    int32_t holding;  /* column; -1: none */
    uint32_t *order;  /* rows by holding; NULL: as they are */
    uint32_t *starts; /* where holdings start in order */
    uint32_t owners;
} counting;

static void counting_clear(counting *r)
{
    tacit__bound_clear(&r->bound);
    tacit__numbers_clear(&r->value);
    tacit__numbers_clear(&r->weight);
    tacit__numbers_clear(&r->shadow);
    tacit__numbers_clear(&r->cost);
    tacit__numbers_clear(&r->request);
    tacit__free(r->order);
    tacit__free(r->starts);
}

static tacit_status check_columns(const counting *r, tacit_error *err)
{
    if (r->spec->top < 0 || r->spec->top > TACIT_MAX_TOP)
        return tacit__error(err, TACIT_INVALID, "%d contributors to keep; at most %d", r->spec->top,
                            TACIT_MAX_TOP);
    if (tacit_table_rows(r->table) > INT32_MAX)
        return tacit__error_at(err, TACIT_LIMIT, tacit_table_file(r->table), 0, 0,
                               "more than %d records", INT32_MAX);
    if (r->spec->most > 0 && (r->spec->value || r->spec->weight))
        return tacit__error(err, TACIT_INVALID, "people are counted, without values or weights");
    return TACIT_OK;
}

static tacit_status read_record_columns(counting *r, tacit_error *err)
{
    const tacit_cells_spec *spec = r->spec;
    tacit__number_kind kind = spec->negative ? TACIT__NUMBER_ANY : TACIT__NUMBER_SIZE_ONLY;
    tacit_status status = tacit__numbers_init(&r->value, r->table, spec->value, kind, false, err);
    if (status == TACIT_OK)
        status = tacit__numbers_init(&r->weight, r->table, spec->weight, TACIT__NUMBER_POSITIVE,
                                     false, err);
    if (status == TACIT_OK)
        status = tacit__numbers_init(&r->shadow, r->table, spec->shadow, kind, false, err);
    if (status == TACIT_OK)
        status = tacit__numbers_init(&r->cost, r->table, spec->cost, TACIT__NUMBER_ANY, false, err);
    if (status == TACIT_OK)
        status =
            tacit__numbers_init(&r->request, r->table, spec->request, TACIT__NUMBER_ANY, true, err);
    r->holding = -1;
    if (status == TACIT_OK && spec->holding)
        status = tacit__column_find(&r->holding, r->table, spec->holding, err);
    if (status == TACIT_OK && r->holding >= 0 && spec->most > 0 &&
        tacit_table_has_missing(r->table, r->holding))
        status = tacit__column_error(r->table, r->holding,
                                     tacit_table_distinct(r->table, r->holding), TACIT_PARSE, err,
                                     "it is not said whose record this is, so that nobody knows "
                                     "how often a person is counted; write it there");
    return status;
}

/* Rows by holding; a record without one is its own. */
static tacit_status order_rows(counting *r, tacit_error *err)
{
    uint32_t rows = (uint32_t)tacit_table_rows(r->table);
    r->owners = rows;
    if (r->holding < 0)
        return TACIT_OK;
    uint32_t known = tacit_table_distinct(r->table, r->holding);
    tacit_codes_view codes = tacit_table_codes(r->table, r->holding);
    r->order = tacit__alloc_array(rows, sizeof *r->order);
    r->starts = tacit__alloc_zeroed((size_t)known + rows + 2, sizeof *r->starts);
    if (!r->order || !r->starts)
        return tacit__nomem(err);
    uint32_t *next = r->starts + 1, missing = 0;
    for (uint32_t row = 0; row < rows; row++)
        if (tacit_codes_at(codes, row) < known)
            next[tacit_codes_at(codes, row) + 1]++;
    for (uint32_t i = 0; i < known; i++)
        next[i + 1] += next[i];
    uint32_t with = next[known];
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t code = tacit_codes_at(codes, row);
        if (code < known)
            r->order[next[code]++] = row;
        else
            r->order[with + missing++] = row;
    }
    for (uint32_t i = 0; i < missing; i++)
        r->starts[known + 1 + i] = with + i + 1;
    r->owners = known + missing;
    return TACIT_OK;
}

static double weight_of(const counting *r, int64_t row)
{
    return r->weight.by_code ? tacit__numbers_at(&r->weight, row) : 1;
}

/* What a sum of weighted numbers may have; without a column each is 1. */
static int places_of(const counting *r, const tacit__numbers *numbers)
{
    return tacit__decimals_of(numbers->by_code, numbers->count) +
           tacit__decimals_of(r->weight.by_code, r->weight.count);
}

static void sum_values(counting *r)
{
    tacit_cells *cells = r->cells;
    for (int64_t row = 0; row < tacit_table_rows(r->table); row++) {
        int32_t cell = tacit__bound_cell(&r->bound, row);
        double weight = weight_of(r, row);
        cells->value[cell] += weight * (r->value.by_code ? tacit__numbers_at(&r->value, row) : 1);
        if (cells->measure)
            cells->measure[cell] += weight * tacit__numbers_at(&r->cost, row);
    }
    tacit__sum_up(cells->value, cells);
    tacit__round_to(cells->value, (size_t)cells->count, places_of(r, &r->value));
    if (cells->measure)
        tacit__sum_up(cells->measure, cells);
}

/* Whether a cell is among those that a person is counted in already. */
static bool is_among(const int32_t *cells, int32_t count, int32_t cell)
{
    for (int32_t i = 0; i < count; i++)
        if (cells[i] == cell)
            return true;
    return false;
}

/* Counts one person: in the cells of the first records, as many as are allowed. Which they are
 * depends on that person's records alone, so that nobody else changes it. */
static void count_person(counting *r, uint32_t owner, int32_t *own)
{
    uint32_t from = r->order ? r->starts[owner] : owner;
    uint32_t to = r->order ? r->starts[owner + 1] : owner + 1;
    int32_t count = 0;
    for (uint32_t i = from; i < to; i++) {
        int32_t cell = tacit__bound_cell(&r->bound, r->order ? r->order[i] : i);
        if (is_among(own, count, cell))
            continue;
        if (count == r->spec->most) {
            r->cells->left_out++;
            continue;
        }
        own[count++] = cell;
        r->cells->value[cell]++;
    }
}

static tacit_status count_people(counting *r, tacit_error *err)
{
    int32_t *own = tacit__alloc_array((size_t)r->spec->most, sizeof *own);
    if (!own)
        return tacit__nomem(err);
    r->cells->bounded = r->spec->most;
    for (uint32_t owner = 0; owner < r->owners; owner++)
        count_person(r, owner, own);
    tacit__sum_up(r->cells->value, r->cells);
    tacit__free(own);
    return TACIT_OK;
}

static tacit__contribution contribution_of(const counting *r, int64_t row)
{
    const tacit__numbers *variable = r->shadow.by_code ? &r->shadow : &r->value;
    bool holding = r->order != NULL;
    double weight = weight_of(r, row);
    tacit__contribution c = {.cell = tacit__bound_cell(&r->bound, row),
                             .weight = holding ? 1 : weight};
    c.amount = variable->by_code ? tacit__numbers_at(variable, row) : 1;
    if (holding)
        c.amount *= weight;
    c.asked = r->request.by_code && tacit__numbers_at(&r->request, row) > 0;
    return c;
}

static tacit_status gather(counting *r, const tacit_run *run, tacit_error *err)
{
    tacit__contributors *contributors;
    tacit_status status =
        tacit__contributors_new(&contributors, r->cells, r->weight.by_code && !r->order, err);
    if (status != TACIT_OK)
        return status;
    for (uint32_t owner = 0; status == TACIT_OK && owner < r->owners; owner++) {
        uint32_t from = r->order ? r->starts[owner] : owner;
        uint32_t to = r->order ? r->starts[owner + 1] : owner + 1;
        for (uint32_t i = from; i < to; i++) {
            tacit__contribution c = contribution_of(r, r->order ? r->order[i] : i);
            tacit__contributors_add(contributors, &c);
        }
        tacit__contributors_close(contributors, (int32_t)owner);
        if (owner % ROWS_A_STEP == ROWS_A_STEP - 1)
            status = tacit__progress(run, "contributors", owner, r->owners, err);
    }
    if (status == TACIT_OK)
        tacit__contributors_finish(contributors);
    tacit__contributors_free(contributors);
    return status;
}

/* Arrays beyond those that all cells have. */
static tacit_status allocate_counts(counting *r, tacit_error *err)
{
    tacit_cells *cells = r->cells;
    size_t count = (size_t)cells->count;
    int32_t top = r->spec->top > 2 ? r->spec->top : 2;
    tacit_status status = tacit__cells_allocate_freq(cells, err);
    if (status == TACIT_OK)
        status = tacit__cells_allocate_top(cells, top, true, err);
    if (status != TACIT_OK)
        return status;
    bool sizes = r->spec->negative || r->spec->shadow;
    if (sizes)
        cells->gross = tacit__alloc_zeroed(count, sizeof *cells->gross);
    if (r->spec->request)
        cells->asked = tacit__alloc_zeroed(count, sizeof *cells->asked);
    if (r->spec->cost)
        cells->measure = tacit__alloc_zeroed(count, sizeof *cells->measure);
    bool all = (cells->gross || !sizes) && (cells->asked || !r->spec->request) &&
               (cells->measure || !r->spec->cost);
    return all ? TACIT_OK : tacit__nomem(err);
}

static tacit_status count_records(counting *r, const tacit_run *run, tacit_error *err)
{
    tacit_status status = check_columns(r, err);
    if (status == TACIT_OK)
        status = tacit__bound_init(&r->bound, r->cells, r->table, r->spec, true, err);
    if (status == TACIT_OK)
        status = read_record_columns(r, err);
    if (status == TACIT_OK)
        status = allocate_counts(r, err);
    if (status == TACIT_OK)
        status = order_rows(r, err);
    if (status == TACIT_OK)
        status = tacit__cells_lower(r->cells, err);
    if (status != TACIT_OK)
        return status;
    r->cells->counts = !r->spec->value;
    r->cells->negative = r->spec->negative;
    r->cells->shadow = r->spec->shadow != NULL;
    if (r->spec->most > 0)
        status = count_people(r, err);
    else
        sum_values(r);
    return status == TACIT_OK ? gather(r, run, err) : status;
}

tacit_status tacit_cells_from_records(tacit_cells **out, const tacit_table *records,
                                      const tacit_cells_spec *spec, const tacit_run *run,
                                      tacit_error *err)
{
    tacit_cells *cells;
    tacit_status status = tacit__cells_new(&cells, tacit_table_file(records), err);
    if (status != TACIT_OK)
        return status;
    counting r = {.table = records, .spec = spec, .cells = cells};
    status = count_records(&r, run, err);
    counting_clear(&r);
    if (status == TACIT_OK)
        status = tacit__cells_finish(cells, err);
    if (status == TACIT_OK) {
        tacit_cells_set_bounds(cells, 0);
        status = tacit_cells_set_costs(cells, TACIT_COST_VALUE, 1, err);
    }
    return tacit__cells_give(out, cells, status);
}
