/*
 * test_audit_tables_memory.c - every allocation of a table audit failed in turn. Those
 * inside CLP are not reached.
 */
#include "audit_tables.h"

#include "starve.h"

typedef struct attempt_at {
    const tacit_cells *cells;
    tacit_cells_audit_options options;
    int threads;
} attempt_at;

static tacit_status attempt(void *context, tacit_error *err)
{
    const attempt_at *at = context;
    tacit_cells_audit *audit = STARVE_UNTOUCHED;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = at->threads;
    tacit_status status = tacit_audit_cells(&audit, at->cells, NULL, &at->options, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(audit, STARVE_UNTOUCHED);
    else {
        assert_true(audit->programs > 0);
        tacit_cells_audit_free(audit);
    }
    return status;
}

static tacit_status judge(void *context, tacit_error *err)
{
    const attempt_at *at = context;
    int32_t exposed[64], count = -7;
    tacit_status status =
        tacit_audit_cells_judge(exposed, &count, at->cells, NULL, NULL, NULL, err);
    assert_int_equal(count == -7, status != TACIT_OK);
    return status;
}

/* Two rows of three in one corner, and a rectangle in the other. */
static tacit_cells *table(void)
{
    static const char LETTERS[] = "sssssss"
                                  "suuxsss"
                                  "sxxxsss"
                                  "sssssss"
                                  "sssssuu"
                                  "sssssxx";
    shape s = {.dimensions = 2, .codes = {6, 7}};
    int values[42];
    made_cell list[42];
    for (int i = 0; i < 42; i++)
        values[i] = 3 + i % 5;
    add_up(&s, values);
    for (int i = 0; i < 42; i++)
        list[i] =
            (made_cell){.value = values[i], .status = LETTERS[i], .upper = 50, .lpl = 1, .upl = 1};
    return cells_made(&s, list);
}

static void test_audit(void **state)
{
    (void)state;
    tacit_cells *cells = table();
    int64_t freq[42];
    for (int i = 0; i < 42; i++)
        freq[i] = 1 + i % 3;
    cells->freq = freq;
    for (int i = 0; i < 8; i += 7) { /* the least and all */
        attempt_at at = {.cells = cells,
                         .options = {.primaries = i & 1, .singletons = i & 2, .sums = i & 4}};
        at.threads = 1;
        starve(attempt, &at);
        at.threads = 3;
        starve_way_of(attempt, &at, STARVE_FOR_GOOD);
    }
    attempt_at at = {.cells = cells};
    starve(judge, &at);
    cells->freq = NULL;
    tacit_cells_free(cells);
}

static tacit_status attempt_windows(void *context, tacit_error *err)
{
    const attempt_at *at = context;
    const tacit__audit_settings settings = {.window = 2};
    tacit_cells_audit *audit = STARVE_UNTOUCHED;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = at->threads;
    tacit_status status =
        tacit__audit_cells_with(&audit, at->cells, NULL, &at->options, &settings, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(audit, STARVE_UNTOUCHED);
    else
        tacit_cells_audit_free(audit);
    return status;
}

/* A block that is large for its windows. */
static void test_windows(void **state)
{
    (void)state;
    shape s = {.dimensions = 2, .codes = {5, 5}};
    int values[25];
    made_cell list[25];
    for (int i = 0; i < 25; i++)
        values[i] = 3 + i % 5;
    add_up(&s, values);
    for (int i = 0; i < 25; i++)
        list[i] = (made_cell){
            .value = values[i], .status = i % 5 && i > 5 ? 'u' : 's', .upper = 50, .lpl = 1};
    attempt_at at = {.cells = cells_made(&s, list), .options = {.primaries = true}, .threads = 1};
    assert_true(starve(attempt_windows, &at) > 100);
    at.threads = 3;
    starve_way_of(attempt_windows, &at, STARVE_FOR_GOOD);
    tacit_cells_free((tacit_cells *)at.cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_audit),
        cmocka_unit_test(test_windows),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
