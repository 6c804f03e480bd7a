/*
 * test_ambiguate_heuristics_memory.c - every allocation of the paper's heuristics failed in turn.
 */
#include "starve.h"

#include "ambiguate.h"

typedef struct attempt {
    tacit__tableau *t;
    tacit__ambiguate_fn *fn;
    tacit_ambiguate how;
    int threads;
} attempt;

static tacit_status ambiguate(void *context, tacit_error *err)
{
    const attempt *a = context;
    tacit__blanking plan = {0};
    tacit_run run = starve_run(a->threads);
    tacit_status status = a->fn(&plan, a->t, &a->how, &run, err);
    if (status != TACIT_OK)
        assert_int_equal(plan.count, 0);
    tacit__blanking_clear(&plan);
    return status;
}

/* Classes that fill a strip but for one, so that rows that are split off need another; most of
 * their rows are there several times. */
static void draw_rows(tacit__tableau *t)
{
    uint64_t random = 88172645463325252;
    tableau_start(t, 4, 255, 3);
    for (uint32_t i = 0; i < 255; i++) {
        uint32_t codes[4] = {i, 0, 0, 0};
        for (int c = 1; c < 4; c++)
            codes[c] = draw(&random, 3);
        tableau_row(t, codes);
        if (i % 3)
            tableau_row(t, codes);
    }
}

static void test_ways(void **state)
{
    (void)state;
    tacit__tableau t;
    draw_rows(&t);
    const attempt attempts[] = {
        {.fn = tacit__ambiguate_whole, .how = {.way = TACIT_AMBIGUATE_A}},
        {.fn = tacit__ambiguate_often, .how = {.way = TACIT_AMBIGUATE_B}},
        {.fn = tacit__ambiguate_rowwise, .how = {.way = TACIT_AMBIGUATE_C}},
        {.fn = tacit__ambiguate_rowwise, .how = {.way = TACIT_AMBIGUATE_C, .mean = true}},
        {.fn = tacit__ambiguate_rowwise,
         .how = {.way = TACIT_AMBIGUATE_D, .order = TACIT_ORDER_HARDEST}},
        {.fn = tacit__ambiguate_rowwise,
         .how = {.way = TACIT_AMBIGUATE_SHORT, .order = TACIT_ORDER_RANDOM}},
        {.fn = tacit__ambiguate_rowwise, .how = {.way = TACIT_AMBIGUATE_SHORT_D}},
    };
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        attempt a = attempts[i];
        a.t = &t;
        a.threads = 1;
        starve(ambiguate, &a);
    }
    tacit__tableau_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ways)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
