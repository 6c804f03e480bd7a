/*
 * test_suppress_memory.c - every allocation of the methods that suppress cells, and of the
 * repair, failed in turn.
 */
#include "tables.h"

#include "starve.h"
#include "suppress.h"
#include "twins.h"

typedef struct work {
    const tacit_cells *cells;
    const tacit_suppress_method *method;
} work;

static tacit_status settle(tacit_status status, tacit_pattern *pattern)
{
    if (status == TACIT_OK)
        tacit_pattern_clear(pattern);
    else
        assert_int_equal(pattern->secondary, -7);
    return status;
}

static tacit_status solve(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_pattern pattern = {.secondary = -7};
    tacit_suppress_options options = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    tacit_status status =
        w->method->solve(&pattern, w->cells, w->cells->status, &options, &run, err);
    return settle(status, &pattern);
}

/* Every primary cell is exposed at first. */
static tacit_status finds_primaries(int32_t *exposed, int32_t *count, const tacit_cells *cells,
                                    const char *status, const tacit_run *run, void *payload,
                                    tacit_error *err)
{
    (void)run, (void)payload, (void)err;
    *count = 0;
    for (int32_t i = 0; i < cells->count; i++) {
        if (status[i] == 'x') {
            *count = 0;
            return TACIT_OK;
        }
        if (status[i] == 'u')
            exposed[(*count)++] = i;
    }
    return TACIT_OK;
}

static tacit_status do_nothing(tacit_pattern *out, const tacit_cells *cells, const char *status,
                               const tacit_suppress_options *options, const tacit_run *run,
                               tacit_error *err)
{
    (void)options, (void)run;
    tacit_pattern pattern = {.unprotected = -1};
    pattern.status = malloc(cells->count);
    if (!pattern.status) {
        err->status = TACIT_NOMEM;
        strcpy(err->message, "out of memory");
        return TACIT_NOMEM;
    }
    memcpy(pattern.status, status, cells->count);
    *out = pattern;
    return TACIT_OK;
}

static tacit_status mend(void *context, tacit_error *err)
{
    const work *w = context;
    const tacit_suppress_method nothing = {.name = "nothing", .summary = "", .solve = do_nothing};
    tacit_pattern pattern = {.secondary = -7};
    tacit_suppress_options options = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    tacit_status status =
        tacit_suppress(&pattern, w->cells, &nothing, &options, finds_primaries, NULL, &run, err);
    return settle(status, &pattern);
}

static tacit_cells *some_cells(void)
{
    random_start(5);
    table_shape shape = {2, true, 9, 20, 0};
    return random_cells(&shape);
}

static void test_methods(void **state)
{
    (void)state;
    tacit_cells *cells = some_cells();
    for (const tacit_suppress_method *m = tacit_suppress_methods(); m->name && !m->total; m++)
        starve(solve, &(work){cells, m});
    tacit_cells_free(cells);
}

static void test_without_dimensions(void **state)
{
    (void)state;
    tacit_cells *cells = some_cells(), twin = without_dimensions(cells);
    for (const tacit_suppress_method *m = tacit_suppress_methods(); m->name && !m->total; m++)
        starve(solve, &(work){&twin, m});
    tacit_cells_free(cells);
}

static void test_repair(void **state)
{
    (void)state;
    tacit_cells *cells = some_cells();
    starve(mend, &(work){cells, NULL});
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_without_dimensions),
        cmocka_unit_test(test_repair),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
