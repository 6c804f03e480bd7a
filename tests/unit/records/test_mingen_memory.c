/*
 * test_mingen_memory.c - every allocation of mingen failed in turn: with and without
 * suppression, for people with several rows, several quasi-identifiers, wide keys,
 * promises beyond k, and while minimal generalizations are listed.
 */
#include "figures.h"

#include "starve.h"

typedef struct work {
    const fixture *f;
    tacit_records_options options;
    int threads;
} work;

static tacit_status solve(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = w->threads;
    tacit_solution *solution = STARVE_UNTOUCHED;
    tacit_status status =
        tacit_method_find("mingen")->solve(&solution, &w->f->frame, &w->options, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(solution, STARVE_UNTOUCHED);
    else
        tacit_solution_free(solution);
    return status;
}

/* On one thread, and on three, where what is needed may depend on who does what. */
static void starve_solving(const fixture *f, tacit_metric metric, int64_t max_suppressed)
{
    work w = {.f = f,
              .options = {.k = 2,
                          .max_suppressed = max_suppressed,
                          .metric = metric,
                          .all_minimal = true},
              .threads = 1};
    starve(solve, &w);
    w.threads = 3;
    starve_way_of(solve, &w, STARVE_FOR_GOOD);
}

static void test_figures(void **state)
{
    (void)state;
    fixture f;
    figure_34(&f);
    for (tacit_metric metric = 0; metric < tacit_metric_count(); metric++)
        starve_solving(&f, metric, metric % 2 ? 3 : 0);
    fixture_close(&f);
}

static void test_general(void **state)
{
    (void)state;
    fixture f;
    uint64_t sets[] = {3, 12};
    figure_34(&f);
    f.frame.person = 4; /* who has the same problem */
    starve_solving(&f, TACIT_METRIC_LOSS, 4);
    f.frame.sets = sets;
    f.frame.set_count = 2;
    starve_solving(&f, TACIT_METRIC_PREC, 4);
    f.frame.risks = (tacit_risk_bounds){0.5, TACIT_UNIQUENESS_DANKAR, 0.5, 0.5};
    starve_solving(&f, TACIT_METRIC_PREC, 4);
    f.frame.sets = NULL;
    f.frame.set_count = 0;
    starve_solving(&f, TACIT_METRIC_PREC, 4);
    f.frame.risks = (tacit_risk_bounds){0};
    f.frame.sets = sets;
    f.frame.set_count = 2;
    f.frame.person = -1;
    tacit_model model = {.bound = {.kind = TACIT_MODEL_ENTROPY, .bound = 1.5}, .column = 4};
    f.frame.models = &model;
    f.frame.model_count = 1;
    starve_solving(&f, TACIT_METRIC_PREC, 6);
    fixture_close(&f);
}

static void test_wide(void **state)
{
    (void)state;
    fixture f;
    char text[2048], *at = text, name[16];
    for (int c = 0; c < 33; c++)
        at += sprintf(at, "c%d%c", c, c < 32 ? ',' : '\n');
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 33; c++)
            at += sprintf(at, "%d%c", c ? r / 2 : r, c < 32 ? ',' : '\n');
    fixture_open(&f, text);
    for (int c = 0; c < 33; c++) {
        sprintf(name, "c%d", c);
        fixture_none(&f, name);
    }
    starving.lenient = true; /* counts that cannot be made shorter stay long */
    starve_solving(&f, TACIT_METRIC_PREC, 0);
    starving.lenient = false;
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_general),
        cmocka_unit_test(test_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
