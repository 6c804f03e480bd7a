/*
 * ground.c - the records as searches see them, and records put together by one column after the
 * other; see uniques.h.
 *
 * Columns are put in the order of the chance that two rows agree in them, so that the search meets
 * small groups first. Linear in items times columns.
 *
 * A part is dealt by value in two passes over its members. Where some miss the value and missing
 * matches anything, they are members of every value's part, and there is one more part, of those
 * who miss it, which all others match. Linear in the members that come out.
 */
#include "uniques/uniques.h"

#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

enum { TASK_ITEMS = 1 << 14 };

/* Values on their way to their numbers, by column of the caller and code. */
typedef struct census {
    tacit__ground *ground;
    uint32_t *counts[TACIT_UNIQUES_COLUMNS];
    uint32_t *cells[TACIT_UNIQUES_COLUMNS];
    double agree[TACIT_UNIQUES_COLUMNS]; /* a column each: pairs of rows that agree */
} census;

void tacit__ground_clear(tacit__ground *ground)
{
    tacit__free(ground->cells);
    tacit__free(ground->weights);
    for (int column = 0; column < ground->columns; column++)
        tacit__free(ground->counts[column]);
}

static tacit_status count_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    census *c = context;
    const tacit_distinct *distinct = c->ground->distinct;
    tacit_codes_view codes = tacit_table_codes(distinct->table, distinct->columns[task]);
    for (uint32_t row = 0; row < distinct->rows; row++)
        c->counts[task][tacit_codes_at(codes, row)]++;
    for (uint32_t code = 0; code < tacit__distinct_codes(distinct, (int32_t)task); code++)
        c->agree[task] += (double)c->counts[task][code] * c->counts[task][code];
    return TACIT_OK;
}

static void order_columns(census *c)
{
    tacit__ground *ground = c->ground;
    for (int32_t i = 0; i < ground->columns; i++) {
        int32_t at = i;
        for (; at > 0 && c->agree[ground->position[at - 1]] > c->agree[i]; at--)
            ground->position[at] = ground->position[at - 1];
        ground->position[at] = i;
    }
}

static void number_values(census *c, int column)
{
    tacit__ground *ground = c->ground;
    int32_t at = ground->position[column];
    const uint32_t *counts = ground->counts[column] = c->counts[at];
    uint32_t wild = tacit__distinct_wild(ground->distinct, at);
    uint32_t codes = tacit__distinct_codes(ground->distinct, at);
    uint32_t missing = wild < codes ? counts[wild] : 0;
    c->counts[at] = NULL;
    ground->base[column] = ground->values;
    ground->values += 1 + ground->wild;
    for (uint32_t code = 0; code < codes; code++) {
        if (code == wild)
            c->cells[at][code] = ground->base[column] + 1;
        else
            c->cells[at][code] =
                counts[code] + missing > ground->k ? ground->values++ : ground->base[column];
    }
}

static tacit_status fill_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const census *c = context;
    const tacit__ground *ground = c->ground;
    const tacit_distinct *distinct = ground->distinct;
    uint32_t start = (uint32_t)task * TASK_ITEMS;
    uint32_t end = ground->items - start < TASK_ITEMS ? ground->items : start + TASK_ITEMS;
    for (uint32_t item = start; item < end; item++)
        ground->weights[item] = tacit__distinct_size(distinct, item);
    for (int column = 0; column < ground->columns; column++) {
        const uint32_t *cells = c->cells[ground->position[column]];
        uint32_t *to = ground->cells + column;
        for (uint32_t item = start; item < end; item++)
            to[(size_t)item * (size_t)ground->columns] =
                cells[tacit__distinct_code(distinct, item, ground->position[column])];
    }
    return TACIT_OK;
}

static tacit_status allocate_census(census *c, tacit_error *err)
{
    tacit__ground *ground = c->ground;
    size_t cells;
    bool fits = tacit__multiply(ground->items, (size_t)ground->columns, &cells);
    ground->cells = fits ? tacit__alloc_array(cells, sizeof *ground->cells) : NULL;
    ground->weights = tacit__alloc_array(ground->items, sizeof *ground->weights);
    if (!ground->cells || !ground->weights)
        return tacit__nomem(err);
    for (int32_t i = 0; i < ground->columns; i++) {
        size_t codes = tacit__distinct_codes(ground->distinct, i);
        c->counts[i] = tacit__alloc_zeroed(codes, sizeof **c->counts);
        c->cells[i] = tacit__alloc_array(codes, sizeof **c->cells);
        if (!c->counts[i] || !c->cells[i])
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

static tacit_status take_census(census *c, const tacit_run *run, tacit_error *err)
{
    tacit__ground *ground = c->ground;
    tacit_status status = allocate_census(c, err);
    if (status == TACIT_OK)
        status = tacit__parallel(run, "prime implicants", ground->columns, count_task, c, err);
    if (status != TACIT_OK)
        return status;
    order_columns(c);
    for (int column = 0; column < ground->columns; column++)
        number_values(c, column);
    int64_t tasks = ((int64_t)ground->items + TASK_ITEMS - 1) / TASK_ITEMS;
    return tacit__parallel(run, "prime implicants", tasks, fill_task, c, err);
}

/* Cells have 32 bits. */
static tacit_status check_values(const tacit_distinct *distinct, tacit_error *err)
{
    uint64_t values = 0;
    for (int32_t i = 0; i < distinct->column_count; i++)
        values += (uint64_t)tacit__distinct_codes(distinct, i) + 2;
    if (values > UINT32_MAX)
        return tacit__error(err, TACIT_LIMIT, "more than %u values in all columns together",
                            UINT32_MAX);
    return TACIT_OK;
}

tacit_status tacit__ground_init(tacit__ground *ground, const tacit_distinct *distinct, int64_t k,
                                const tacit_run *run, tacit_error *err)
{
    tacit_status status = check_values(distinct, err);
    if (status != TACIT_OK)
        return status;
    *ground = (tacit__ground){.distinct = distinct,
                              .k = k < distinct->rows ? (uint32_t)k : distinct->rows,
                              .columns = distinct->column_count,
                              .items = distinct->count,
                              .wild = distinct->missing == TACIT_MISSING_ANY};
    census c = {.ground = ground};
    status = take_census(&c, run, err);
    for (int32_t i = 0; i < ground->columns; i++) {
        tacit__free(c.counts[i]);
        tacit__free(c.cells[i]);
    }
    if (status != TACIT_OK)
        tacit__ground_clear(ground);
    return status;
}

tacit_status tacit__refiner_init(tacit__refiner *refiner, const tacit__ground *ground,
                                 tacit__keep_fn keep, void *context, tacit_error *err)
{
    *refiner = (tacit__refiner){.ground = ground, .keep = keep, .context = context};
    refiner->places = tacit__alloc_zeroed(ground->values, sizeof *refiner->places);
    refiner->owns = tacit__alloc_zeroed(ground->values, sizeof *refiner->owns);
    refiner->values = tacit__alloc_array(ground->values, sizeof *refiner->values);
    refiner->dealt = tacit__alloc_array(ground->items, sizeof *refiner->dealt);
    if (refiner->places && refiner->owns && refiner->values && refiner->dealt)
        return TACIT_OK;
    tacit__refiner_clear(refiner);
    return tacit__nomem(err);
}

void tacit__refiner_clear(tacit__refiner *refiner)
{
    tacit__free(refiner->places);
    tacit__free(refiner->owns);
    tacit__free(refiner->values);
    tacit__free(refiner->dealt);
    *refiner = (tacit__refiner){0};
}

void tacit__parts_clear(tacit__uniques_parts *partition)
{
    tacit__free(partition->members);
    tacit__free(partition->parts);
    *partition = (tacit__uniques_parts){0};
}

static bool reserve(tacit__uniques_parts *p, size_t members)
{
    return TACIT__RESERVE(p->members, p->members_capacity, p->member_count + members) &&
           TACIT__RESERVE_ONE(p->parts, p->parts_capacity, p->part_count);
}

tacit_status tacit__parts_init(tacit__uniques_parts *partition, const tacit__ground *ground,
                               tacit_error *err)
{
    *partition = (tacit__uniques_parts){0};
    if (!reserve(partition, ground->items)) {
        tacit__parts_clear(partition);
        return tacit__nomem(err);
    }
    for (uint32_t i = 0; i < ground->items; i++)
        partition->members[i] = i;
    partition->member_count = ground->items;
    partition->parts[0] = (tacit__uniques_part){
        .size = ground->items, .own = ground->items, .weight = ground->distinct->rows};
    partition->part_count = ground->items > 0;
    return TACIT_OK;
}

static inline uint32_t cell_of(const tacit__refiner *r, uint32_t item, int column)
{
    return tacit__ground_cells(r->ground, item)[column];
}

/* Keeps the members behind the last part as a part, if it is wanted. */
static void close_part(tacit__uniques_parts *to, tacit__refiner *r, size_t size, uint32_t own)
{
    tacit__uniques_part part = {.start = to->member_count, .size = (uint32_t)size, .own = own};
    for (size_t i = 0; i < size; i++)
        part.weight += r->ground->weights[to->members[part.start + i]];
    if (!r->keep(r->context, &part, to->members + part.start))
        return;
    to->parts[to->part_count++] = part;
    to->member_count += size;
}

/* Deals the members of a part by value, in their order; returns the number of
 * values. Members that match any value are none; they come last. */
static uint32_t deal_part(tacit__refiner *r, const tacit__uniques_part *part,
                          const uint32_t *members, int column)
{
    uint32_t count = 0, at = 0;
    for (uint32_t i = 0; i < part->size; i++) {
        uint32_t value = cell_of(r, members[i], column);
        bool wild = tacit__ground_wild(r->ground, column, value);
        if (!r->places[value]++ && !wild)
            r->values[count++] = value;
        r->owns[value] += i < part->own;
    }
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t value = i < count ? r->values[i] : r->ground->base[column] + 1;
        uint32_t size = r->places[value];
        if (i == count && !r->ground->wild)
            break;
        r->places[value] = at;
        at += size;
    }
    for (uint32_t i = 0; i < part->size; i++)
        r->dealt[r->places[cell_of(r, members[i], column)]++] = members[i];
    return count;
}

/* The part of those who miss the value, own ones first, then everybody else. */
static bool split_missing(tacit__uniques_parts *to, tacit__refiner *r,
                          const tacit__uniques_part *part, const uint32_t *members, int column,
                          uint32_t missing)
{
    uint32_t wild = r->ground->base[column] + 1, own = r->owns[wild];
    if (!reserve(to, part->size))
        return false;
    uint32_t *at = to->members + to->member_count;
    for (uint32_t i = 0; i < missing; i++)
        *at++ = r->dealt[part->size - missing + i];
    for (uint32_t i = 0; i < part->size; i++)
        if (cell_of(r, members[i], column) != wild)
            *at++ = members[i];
    close_part(to, r, part->size, own);
    return true;
}

/* The part of one value, which ends at its place, and of those who match any. */
static bool split_value(tacit__uniques_parts *to, tacit__refiner *r,
                        const tacit__uniques_part *part, uint32_t from, uint32_t value,
                        uint32_t missing)
{
    uint32_t size = r->places[value] - from;
    if (!reserve(to, (size_t)size + missing))
        return false;
    uint32_t *at = to->members + to->member_count;
    memcpy(at, r->dealt + from, size * sizeof *at);
    memcpy(at + size, r->dealt + part->size - missing, missing * sizeof *at);
    close_part(to, r, (size_t)size + missing, r->owns[value]);
    return true;
}

static bool split_part(tacit__uniques_parts *to, tacit__refiner *r, const tacit__uniques_part *part,
                       const uint32_t *members, int column)
{
    uint32_t count = deal_part(r, part, members, column), from = 0, missing = 0;
    uint32_t wild = r->ground->base[column] + 1;
    bool fits = true;
    if (r->ground->wild) {
        missing = part->size - (count ? r->places[r->values[count - 1]] : 0);
        if (r->owns[wild])
            fits = split_missing(to, r, part, members, column, missing);
        r->places[wild] = r->owns[wild] = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = r->values[i], end = r->places[value];
        if (fits && r->owns[value])
            fits = split_value(to, r, part, from, value, missing);
        from = end;
        r->places[value] = r->owns[value] = 0;
    }
    return fits;
}

tacit_status tacit__parts_refine(tacit__uniques_parts *to, const tacit__uniques_parts *from,
                                 int column, tacit__refiner *refiner, tacit_error *err)
{
    to->member_count = to->part_count = 0;
    for (size_t i = 0; i < from->part_count; i++)
        if (!split_part(to, refiner, &from->parts[i], from->members + from->parts[i].start, column))
            return tacit__nomem(err);
    return TACIT_OK;
}
