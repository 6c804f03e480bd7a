/*
 * swap.c - swapping of values (Figure 17, "swap values"): each column by a permutation of its own,
 * or the columns together as a unit (Figure 20, wrong-map).
 *
 * T. Dalenius and S. P. Reiss, "Data-swapping: a technique for disclosure control", Journal of
 * Statistical Planning and Inference 6 (1982). Every column keeps its values, as often as they
 * were, in each group that swaps inside it. A column by itself goes round in one random cycle, so
 * that no row keeps its cell. It may get one that says the same: where a column has two values,
 * forbidding that would give every row away. As a unit no row gets the combination that it had,
 * from whichever row; derange.c says when that can be.
 *
 * Linear; a column a task.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "techniques/swap/derange.h"
#include "techniques/swap/exchange.h"

enum { COLUMNS, UNIT, SHARE, WITHIN, IMPOSSIBLE };

/* Streams of random numbers: which rows, the unit's permutation, each column's. */
enum { DRAW_ROWS, DRAW_UNIT, DRAW_COLUMN };

static const char *const WAYS_OUT[] = {"refuse", "keep", NULL};

static const tacit_technique_option OPTIONS[] = {
    [COLUMNS] = {.name = "columns",
                 .sort = TACIT_TECHNIQUE_COLUMNS,
                 .help = "columns whose values are swapped",
                 .required = true},
    [UNIT] = {.name = "unit",
              .sort = TACIT_TECHNIQUE_SWITCH,
              .help = "the columns together, so that no row keeps its combination"},
    [SHARE] = {.name = "share",
               .sort = TACIT_TECHNIQUE_NUMBER,
               .help = "share of the rows that are swapped, drawn at random",
               .least = 1e-6,
               .most = 1,
               .usual = 1},
    [WITHIN] = {.name = "within",
                .sort = TACIT_TECHNIQUE_COLUMNS,
                .help = "only among rows that agree in these columns"},
    [IMPOSSIBLE] = {.name = "impossible",
                    .sort = TACIT_TECHNIQUE_CHOICE,
                    .help = "where a unit cannot be swapped with another one: an error, or kept",
                    .choices = WAYS_OUT},
    {.name = NULL},
};

/* A worker's room for a permutation and the cells of a column. */
typedef struct bench {
    uint32_t *from;
    uint64_t *cells;
} bench;

typedef struct swapping {
    const tacit__runner_call *call;
    tacit__sheet *sheet;
    tacit__movers pool;
    uint32_t *unit; /* the permutation of all columns; NULL: each has its own */
    bench *benches; /* a worker each */
    int64_t kept;   /* rows that keep their combination since there is no other way */
} swapping;

static tacit_status check(const tacit__runner_call *call, tacit_error *err)
{
    return tacit__call_apart(call, COLUMNS, WITHIN, err);
}

static tacit_status swap_column(void *context, int64_t task, int worker, tacit_error *err)
{
    swapping *s = context;
    const tacit__movers *pool = &s->pool;
    bench *b = &s->benches[worker];
    int64_t size = tacit__movers_size(pool);
    tacit__random random;
    if (!b->cells) {
        b->from = tacit__alloc_array((size_t)size, sizeof *b->from);
        b->cells = tacit__alloc_array((size_t)size, sizeof *b->cells);
        if (!b->from || !b->cells)
            return tacit__nomem(err);
    }
    if (!s->unit) {
        tacit__call_random(&random, s->call, DRAW_COLUMN, (uint32_t)task);
        for (int64_t i = 0; i < size; i++)
            b->from[i] = pool->rows[i];
        for (uint32_t g = 0; g < pool->segments; g++)
            tacit__cycle_list(b->from + pool->starts[g], pool->starts[g + 1] - pool->starts[g],
                              &random);
    }
    tacit__cells_move(&s->sheet->columns[s->call->values[COLUMNS].columns[task]], pool->rows,
                      s->unit ? s->unit : b->from, size, b->cells);
    return TACIT_OK;
}

static tacit_status swap_columns(swapping *s, tacit_error *err)
{
    int workers = tacit__threads(s->sheet->run);
    s->benches = tacit__alloc_zeroed((size_t)workers, sizeof *s->benches);
    if (!s->benches)
        return tacit__nomem(err);
    tacit_status status =
        tacit__parallel(s->sheet->run, "swapping", (int64_t)s->call->values[COLUMNS].text_count,
                        swap_column, s, err);
    for (int i = 0; i < workers; i++) {
        tacit__free(s->benches[i].from);
        tacit__free(s->benches[i].cells);
    }
    tacit__free(s->benches);
    return status;
}

/* ---- as a unit ---- */

static tacit_status cannot(const swapping *s, int64_t size, int64_t left, tacit_error *err)
{
    const tacit__runner_call *call = s->call;
    bool within = call->values[WITHIN].given;
    return tacit__error_at(
        err, TACIT_INFEASIBLE, call->file, call->line, 0,
        "swap: %lld of the %lld rows%s have one and the same combination of the columns, which is "
        "more than half: some would get back what they had; leave a column out%s, or let them "
        "keep it with `impossible: keep`",
        (long long)((size + left) / 2), (long long)size, within ? " of a group" : "",
        within ? ", swap in larger groups" : "");
}

static tacit_status draw_unit(swapping *s, const uint64_t *digests, uint32_t *spare,
                              tacit_error *err)
{
    const tacit__movers *pool = &s->pool;
    const tacit__runner_value *values = s->call->values;
    bool strict = values[SHARE].number == 1 && values[IMPOSSIBLE].choice == 0;
    tacit__random random;
    tacit__call_random(&random, s->call, DRAW_UNIT, 0);
    if (strict && pool->alone > 0)
        return cannot(s, 1, 1, err);
    for (uint32_t g = 0; g < pool->segments; g++) {
        int64_t start = pool->starts[g], size = pool->starts[g + 1] - start;
        int64_t left =
            tacit__derange(s->unit + start, pool->rows + start, size, digests, spare, &random);
        if (strict && left > 0)
            return cannot(s, size, left, err);
        s->kept += left;
    }
    return TACIT_OK;
}

static tacit_status prepare_unit(swapping *s, tacit_error *err)
{
    size_t size = (size_t)tacit__movers_size(&s->pool);
    uint64_t *digests = NULL;
    uint32_t *spare = tacit__alloc_array(size, sizeof *spare);
    s->unit = tacit__alloc_array(size, sizeof *s->unit);
    tacit_status status = spare && s->unit ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__row_digests(&digests, s->sheet, &s->call->values[COLUMNS], err);
    if (status == TACIT_OK)
        status = draw_unit(s, digests, spare, err);
    tacit__free(digests);
    tacit__free(spare);
    return status;
}

/* ---- the account ---- */

static tacit_status report(const swapping *s, tacit_error *err)
{
    const tacit__runner_call *call = s->call;
    const tacit__runner_value *values = call->values;
    bool unit = values[UNIT].number != 0;
    tacit_kept kept = {.kind = unit ? TACIT_KEPT_UNIT : TACIT_KEPT_VALUES};
    int64_t size = tacit__movers_size(&s->pool);
    tacit_status status = tacit__note(call, "rows_swapped", (double)(size - s->kept), err);
    if (status == TACIT_OK && unit)
        status = tacit__note(call, "rows_kept", (double)(s->sheet->rows - size + s->kept), err);
    if (status == TACIT_OK)
        status = tacit__claim(call, kept, &values[COLUMNS], &values[WITHIN], err);
    /* of two rows everybody knows whose is whose: the definition wants more (section 4.3) */
    if (status == TACIT_OK && unit && s->kept == 0 && size == s->sheet->rows && size > 2) {
        kept.kind = TACIT_KEPT_WRONG_MAP;
        status = tacit__claim(call, kept, &values[COLUMNS], NULL, err);
    }
    return status;
}

static tacit_status apply(tacit__sheet *sheet, const tacit__runner_call *call, tacit_error *err)
{
    const tacit__runner_value *values = call->values;
    swapping s = {.call = call, .sheet = sheet};
    tacit__random random;
    tacit__call_random(&random, call, DRAW_ROWS, 0);
    tacit_status status =
        tacit__sheet_load(sheet, values[COLUMNS].columns, values[COLUMNS].text_count, err);
    if (status == TACIT_OK)
        status =
            tacit__movers_init(&s.pool, sheet, &values[WITHIN], values[SHARE].number, &random, err);
    if (status == TACIT_OK && values[UNIT].number != 0)
        status = prepare_unit(&s, err);
    if (status == TACIT_OK)
        status = swap_columns(&s, err);
    if (status == TACIT_OK)
        status = report(&s, err);
    tacit__free(s.unit);
    tacit__movers_clear(&s.pool);
    return status;
}

const tacit_technique tacit__swap = {
    .name = "swap",
    .summary = "values swapped between rows, column by column or as a unit",
    .options = OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply, .check = check},
};
