/*
 * ground.c - numbers the values for the search; see ground.h.
 *
 * Columns are put in the order of the chance that two rows agree in them, so
 * that the search meets small groups first. Linear in items times columns.
 */
#include "uniques/ground.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

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

static tacit_status allocate(census *c, tacit_error *err)
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
    tacit_status status = allocate(c, err);
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
