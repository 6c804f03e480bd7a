/*
 * test_cells_memory.c - every allocation of mu-argus and k-similar failed in turn.
 */
#include "cells.h"

#include <tacit/experimental/argus.h>

#include "starve.h"

typedef struct work {
    const fixture *f;
    const char *method;
    tacit_records_options options;
    int threads;
    int answered;
} work;

/* Generalizes the last attribute once, then takes that back. */
static tacit_status answer(int32_t *out, const tacit_argus_round *round, void *payload,
                           tacit_error *err)
{
    (void)err;
    work *w = payload;
    *out = w->answered == 0   ? round->choices[round->choice_count - 1].attribute
           : w->answered == 1 ? TACIT_ARGUS_UNDO
                              : TACIT_ARGUS_DONE;
    w->answered++;
    return TACIT_OK;
}

static tacit_status solve(void *context, tacit_error *err)
{
    work *w = context;
    tacit_run run;
    tacit_argus_report report = {0};
    tacit_argus argus = {0};
    tacit_records_options options = w->options;
    tacit_solution *solution = STARVE_UNTOUCHED;
    tacit_run_init(&run);
    run.threads = w->threads;
    w->answered = 0;
    if (options.argus) {
        argus = *options.argus;
        argus.report = &report;
        argus.payload = w;
        options.argus = &argus;
    }
    tacit_status status =
        tacit_method_find(w->method)->solve(&solution, &w->f->frame, &options, &run, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(solution, STARVE_UNTOUCHED);
        assert_null(report.outliers);
    } else {
        tacit_solution_free(solution);
    }
    tacit_argus_report_clear(&report);
    return status;
}

static void starve_method(const fixture *f, const char *method, int64_t k, const tacit_argus *argus)
{
    work w = {.f = f, .method = method, .options = {.k = k, .argus = argus}, .threads = 1};
    starve(solve, &w);
    w.threads = 3;
    starve_way_of(solve, &w, STARVE_FOR_GOOD);
}

static void argus_on_figure_34(void **state)
{
    (void)state;
    fixture f;
    figure_34(&f);
    f.attributes[1].rating = TACIT_RATING_MAX;
    for (int variant = TACIT_ARGUS_REPAIRED; variant <= TACIT_ARGUS_PUBLISHED; variant++) {
        tacit_argus argus = {.variant = (tacit_argus_variant)variant};
        starve_method(&f, "mu-argus", 2, &argus);
        argus.ask = answer;
        starve_method(&f, "mu-argus", 2, &argus);
    }
    starve_method(&f, "mu-argus", 3, NULL);
    fixture_close(&f);
}

/* Where classes are split, where whole ones are needed for people with several
 * rows, and where nobody is left to fill up with. */
static void argus_fills_up(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "a,b,who\nx,1,p\nx,1,q\nx,1,r\nx,2,s\ny,2,p\ny,2,q\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    starve_method(&f, "mu-argus", 2, NULL);
    f.frame.person = 2;
    starve_method(&f, "mu-argus", 2, NULL);
    fixture_close(&f);
    fixture_open(&f, "a,b\nx,1\ny,1\nz,2\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    starve_method(&f, "mu-argus", 2, NULL);
    fixture_close(&f);
}

static void ksimilar(void **state)
{
    (void)state;
    fixture f;
    figure_34(&f);
    for (int k = 2; k <= 4; k++)
        starve_method(&f, "k-similar", k, NULL);
    fixture_close(&f);
    fixture_open(&f, "a,b\n1,1\n1,2\n1,3\n2,1\n3,1\n9,9\n1,4\n4,1\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    starve_method(&f, "k-similar", 2, NULL);
    starve_method(&f, "k-similar", 3, NULL);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(argus_on_figure_34),
        cmocka_unit_test(argus_fills_up),
        cmocka_unit_test(ksimilar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
