/*
 * test_ambiguate_cover_memory.c - every allocation of covering failed in turn: by boxes, with
 * rows that have to be paired, with whole rows, and where blanks are grown.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ambiguate.h"
#include "records/blanks/cover.h"
#include "starve.h"

typedef struct work {
    const tacit__tableau *tableau;
    int threads;
} work;

static tacit_status cover(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_run run = starve_run(w->threads);
    tacit__blanking plan = {.bound = -1};
    tacit_status status = tacit__ambiguate_cover(&plan, w->tableau, NULL, &run, err);
    if (status != TACIT_OK)
        assert_true(plan.bound < 0);
    else
        tacit__blanking_clear(&plan);
    return status;
}

/* Donors grown from none, and what of it is needless filled. */
static tacit_status grow(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_run run = starve_run(w->threads);
    tacit__covering made;
    tacit_status status = tacit__covering_init(&made, w->tableau, &run, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__covering_grow(&made, INT64_MAX / 2, 1e9, err);
    if (status == TACIT_OK)
        status = tacit__covering_fill_all(&made, err);
    if (status == TACIT_OK)
        assert_true(made.open < w->tableau->rows);
    tacit__covering_clear(&made);
    return status;
}

/* Rows of a few values, and one that differs from all others in every column but one. */
static void make(tacit__tableau *t, int rows, int32_t columns, int64_t k, int32_t most_row)
{
    uint64_t random = 5;
    uint32_t codes[64];
    tableau_start(t, columns, rows + 1, k);
    for (int i = 0; i < rows; i++) {
        for (int32_t c = 0; c < columns; c++)
            codes[c] = draw(&random, 3);
        tableau_row(t, codes);
    }
    for (int32_t c = 0; c < columns; c++)
        codes[c] = c < 3 ? 9 : 0;
    tableau_row(t, codes);
    t->most_row = most_row;
}

static void test_cover(void **state)
{
    static const struct {
        int rows;
        int32_t columns;
        int64_t k;
        int32_t most_row;
        starve_attempt attempt;
    } cases[] = {{30, 4, 3, 2, cover},
                 {12, 4, 4, 4, cover},
                 {25, 5, 2, 2, cover},
                 {20, 4, 3, 4, grow},
                 {20, 4, 2, 3, grow}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit__tableau t;
        make(&t, cases[i].rows, cases[i].columns, cases[i].k, cases[i].most_row);
        work w = {.tableau = &t, .threads = 1};
        starve(cases[i].attempt, &w);
        tacit__tableau_clear(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cover)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
