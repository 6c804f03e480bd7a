/*
 * test_local_memory.c - every allocation of local failed in turn: where classes are
 * divided, with people of several rows, promises beyond k and a register, and in the
 * bound for more classes than can be gone through.
 *
 * The search is stopped after a while, since each of its rounds allocates the same.
 */
#include "cells.h"

#include "models.h"
#include "records/local/local.h"
#include "starve.h"

/* Times that the search goes on when it asks. */
enum { LEFT = 24 };

typedef struct work {
    fixture *f;
    const fixture *people; /* the register, bound anew each time; NULL: none */
    tacit_records_options options;
    int threads;
    int left;
} work;

static bool go_on(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total;
    int *left = payload;
    return (*left)-- > 0;
}

static tacit_status solve(void *context, tacit_error *err)
{
    const work *w = context;
    int left = w->left;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = w->threads;
    run.progress = go_on;
    run.payload = &left;
    tacit_solution *solution = STARVE_UNTOUCHED;
    tacit_status status = w->people ? try_population(w->f, w->people, err) : TACIT_OK;
    if (status != TACIT_OK)
        return status;
    status = tacit_method_find("local")->solve(&solution, &w->f->frame, &w->options, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(solution, STARVE_UNTOUCHED);
    else
        tacit_solution_free(solution);
    tacit_population_free(w->f->frame.population);
    w->f->frame.population = NULL;
    return status;
}

/* On one thread, and on three, where what is needed depends on who is stopped first. */
static void starve_solving(fixture *f, const fixture *people, int64_t k, tacit_metric metric)
{
    work w = {.f = f,
              .people = people,
              .options = {.k = k, .metric = metric},
              .threads = 1,
              .left = LEFT};
    long long needed = starve(solve, &w);
    assert_true(needed > 100); /* it came as far as packing */
    w.threads = 3;
    starve_way_of(solve, &w, STARVE_FOR_GOOD);
}

static void test_figure_34(void **state)
{
    (void)state;
    fixture f;
    figure_34(&f);
    starve_solving(&f, NULL, 2, TACIT_METRIC_PREC);
    starve_solving(&f, NULL, 3, TACIT_METRIC_ENTROPY);
    f.frame.person = 4; /* who has the same problem */
    starve_solving(&f, NULL, 2, TACIT_METRIC_LOSS);
    fixture_close(&f);
}

static void test_beyond_k(void **state)
{
    (void)state;
    fixture f, people;
    tacit_model models[] = {
        {.bound = {.kind = TACIT_MODEL_ENTROPY, .bound = 1.5}, .column = 4},
        {.bound = {.kind = TACIT_MODEL_MAP, .bound = 2}, .column = -1},
    };
    figure_34(&f);
    figure_34(&people);
    f.frame.models = models;
    f.frame.model_count = 1;
    starve_solving(&f, NULL, 2, TACIT_METRIC_PREC);
    f.frame.model_count = 2;
    starve_solving(&f, &people, 2, TACIT_METRIC_PREC);
    models[1].bound = (tacit_model_bound){TACIT_MODEL_PRESENCE, 1, 0.5};
    starve_solving(&f, &people, 2, TACIT_METRIC_PREC);
    f.frame.model_count = 0;
    f.frame.risks = (tacit_risk_bounds){0.25, TACIT_UNIQUENESS_ZAYATZ, 0.5, 0.5};
    starve_solving(&f, NULL, 1, TACIT_METRIC_PREC);
    fixture_close(&people);
    fixture_close(&f);
}

static tacit_status bound_by_nodes(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_run run;
    tacit__local local;
    tacit_run_init(&run);
    run.threads = w->threads;
    double bound = -1;
    tacit_status status = tacit__local_init(&local, &w->f->frame, &w->options, &run, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__bound_by_nodes(&bound, &local, err);
    assert_true((status == TACIT_OK) == (bound >= 0));
    tacit__local_clear(&local);
    return status;
}

static void test_nodes(void **state)
{
    (void)state;
    fixture f;
    figure_34(&f);
    work w = {.f = &f, .options = {.k = 2}, .threads = 1};
    starve(bound_by_nodes, &w);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_34),
        cmocka_unit_test(test_beyond_k),
        cmocka_unit_test(test_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
