/*
 * test_argus.c - mu-argus step by step: how far attributes are generalized, asking
 * and undoing, filling up groups with records that stand out nowhere, what it
 * refuses, and stopping.
 */
#include "cells.h"

#include <tacit/experimental/argus.h>

#include "records/argus/argus.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void check_levels(const outcome *o, const int *levels)
{
    assert_memory_equal(o->solution->levels, levels,
                        (size_t)o->solution->attribute_count * sizeof *levels);
}

/* One value of b is rare on every level below the highest. */
static void rare_values(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    const tacit_argus described = {.variant = TACIT_ARGUS_DESCRIBED};
    fixture_open(&f, "a,b\nx,1\nx,1\nx,1\nx,1\nx,1\nx,2\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    solve_cells(&o, &f, "mu-argus", &(tacit_records_options){.k = 2, .argus = &described});
    check_levels(&o, (int[]){0, 1}); /* as the thesis has it */
    outcome_clear(&o);
    solve_cells(&o, &f, "mu-argus", &(tacit_records_options){.k = 2});
    check_levels(&o, (int[]){0, 0});
    /* one of the five is spared for the rare one; which one is drawn */
    assert_int_equal(o.metrics.suppressed_cells, 2);
    assert_int_equal(o.solution->boxes->part_count, 1);
    assert_int_equal(o.solution->boxes->parts[0].people, 1);
    assert_true(tacit_strview_equal(released_cell(&o, &f, 5, 1), tacit_strview_of("*")));
    assert_int_equal(fewest_people(&o, &f), 2);
    outcome_clear(&o);
    fixture_close(&f);
}

/* Missing values stay missing, so they are no reason to generalize. */
static void missing_values(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    fixture_open(&f, "a,b\n11,x\n11,x\n12,x\n12,x\n,x\n13,x\n13,x\n13,x\n");
    fixture_mask(&f, "a");
    fixture_none(&f, "b");
    for (int variant = TACIT_ARGUS_REPAIRED; variant <= TACIT_ARGUS_PUBLISHED; variant++) {
        const tacit_argus argus = {.variant = (tacit_argus_variant)variant};
        solve_cells(&o, &f, "mu-argus", &(tacit_records_options){.k = 2, .argus = &argus});
        check_levels(&o, (int[]){0, 0});
        outcome_clear(&o);
    }
    solve_cells(&o, &f, "mu-argus", &(tacit_records_options){.k = 2});
    assert_int_equal(o.metrics.suppressed_cells, 2); /* the missing one, and one 13 */
    outcome_clear(&o);
    fixture_close(&f);
}

/* Groups are filled up with a whole class where none can spare anybody, and where
 * people have several rows. */
static void whole_classes(void **state)
{
    (void)state;
    static const char *const rows[] = {"x,*", "x,*", "x,*", "y,3", "y,3", "y,3"};
    fixture f;
    outcome o;
    fixture_open(&f, "a,b,who\nx,1,p\nx,1,q\nx,2,r\ny,3,s\ny,3,t\ny,3,u\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    for (int person = 0; person < 2; person++) {
        f.frame.person = person ? 2 : -1;
        solve_cells(&o, &f, "mu-argus", &(tacit_records_options){.k = 2});
        check_released(&o, &f, rows);
        assert_int_equal(o.solution->boxes->part_count, 0);
        outcome_clear(&o);
    }
    fixture_close(&f);
}

/* Where no class has k, the last ones join a group that has. */
static void nobody_to_fill_up(void **state)
{
    (void)state;
    static const char *const rows[] = {"*,1", "*,1", "*,1", "*,1"};
    fixture f;
    outcome o;
    fixture_open(&f, "a,b\nw,1\nx,1\ny,1\nz,1\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    solve_cells(&o, &f, "mu-argus", &(tacit_records_options){.k = 2});
    check_released(&o, &f, rows);
    outcome_clear(&o);
    fixture_close(&f);
    static const char *const merged[] = {"*,*", "*,*", "*,*"};
    fixture_open(&f, "a,b\nx,1\ny,1\nz,2\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    solve_cells(&o, &f, "mu-argus", &(tacit_records_options){.k = 2});
    check_released(&o, &f, merged);
    outcome_clear(&o);
    fixture_close(&f);
}

static void one_class(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    fixture_open(&f, "a\nx\nx\nx\n");
    fixture_none(&f, "a");
    for (int k = 1; k <= 3; k++) {
        solve_cells(&o, &f, "mu-argus", &(tacit_records_options){.k = k});
        assert_float_equal(o.metrics.precision, 1, 0);
        outcome_clear(&o);
    }
    solve_cells(&o, &f, "mu-argus", &(tacit_records_options){.k = 2, .most_general = true});
    check_levels(&o, (int[]){1});
    outcome_clear(&o);
    fixture_close(&f);
}

static void refusals(void **state)
{
    (void)state;
    fixture f;
    tacit_error err;
    fixture_open(&f, "a,b\nx,1\nx,1\n");
    fixture_none(&f, "a");
    fixture_add(&f, "b",
                &(tacit_hierarchy_spec){.kind = TACIT_HIERARCHY_INTERVAL,
                                        .no_suppression = true,
                                        .widths = {5, 10},
                                        .width_count = 2});
    assert_int_equal(try_cells(&f, "mu-argus", &(tacit_records_options){.k = 2}, &err),
                     TACIT_INVALID);
    assert_non_null(strstr(err.message, "hierarchy of b does not end in suppression"));
    assert_non_null(strstr(err.message, "suppression: none"));
    f.frame.attribute_count = 1;
    assert_int_equal(try_cells(&f, "mu-argus", &(tacit_records_options){.k = 3}, &err),
                     TACIT_INFEASIBLE);
    assert_int_equal(try_cells(&f, "mu-argus", &(tacit_records_options){.k = 0}, &err),
                     TACIT_INVALID);
    f.attributes[0].least_level = 2;
    assert_int_equal(try_cells(&f, "mu-argus", &(tacit_records_options){.k = 2}, &err),
                     TACIT_INVALID);
    assert_string_equal(err.message, "a has levels 0 to 1, and no level 2");
    f.frame.attribute_count = 2;
    fixture_close(&f);
}

/* Too many attributes for every combination of them, unless they have one value. */
static void many_attributes(void **state)
{
    (void)state;
    enum { MANY = TACIT__ARGUS_ATTRIBUTES + 1 };
    for (int varying = MANY - 1; varying <= MANY; varying++) {
        fixture f;
        tacit_error err;
        char text[512] = "", name[16];
        for (int row = -1; row < 3; row++)
            for (int a = 0; a < MANY; a++)
                sprintf(text + strlen(text), row < 0 ? "c%d%s" : "%d%s",
                        row < 0 ? a : a < varying && row == 2, a + 1 < MANY ? "," : "\n");
        fixture_open(&f, text);
        for (int a = 0; a < MANY; a++) {
            sprintf(name, "c%d", a);
            fixture_none(&f, name);
        }
        assert_int_equal(try_cells(&f, "mu-argus", &(tacit_records_options){.k = 2}, &err),
                         varying == MANY ? TACIT_LIMIT : TACIT_OK);
        if (varying == MANY)
            assert_non_null(strstr(err.message, "at most 16 attributes"));
        const tacit_argus argus = {.variant = TACIT_ARGUS_DESCRIBED};
        assert_int_equal(
            try_cells(&f, "mu-argus", &(tacit_records_options){.k = 2, .argus = &argus}, &err),
            TACIT_OK);
        fixture_close(&f);
    }
}

/* ---- asking ---- */

/* Answers in turn, and what was seen. */
typedef struct script {
    const int32_t *answers;
    int round;
    tacit_argus_effect effects[8]; /* of generalizing no further, a round each */
    int64_t outliers[8];
    tacit_argus_choice choices[8][4];
    int32_t choice_counts[8], taken[8];
} script;

static tacit_status answer(int32_t *out, const tacit_argus_round *round, void *payload,
                           tacit_error *err)
{
    (void)err;
    script *s = payload;
    s->effects[s->round] = round->effect;
    s->outliers[s->round] = round->outlier_count;
    s->choice_counts[s->round] = round->choice_count;
    s->taken[s->round] = round->taken;
    memcpy(s->choices[s->round], round->choices,
           (size_t)round->choice_count * sizeof *round->choices);
    assert_true(tacit_classes_count(round->classes) <= 12);
    *out = s->answers[s->round++];
    return TACIT_OK;
}

static void ask_figure_34(outcome *o, fixture *f, script *s, tacit_argus_variant variant,
                          const int32_t *answers)
{
    const tacit_argus argus = {.variant = variant, .ask = answer, .payload = s};
    *s = (script){.answers = answers};
    figure_34(f);
    f->attributes[1].rating = TACIT_RATING_MAX;
    f->attributes[2].rating = f->attributes[3].rating = TACIT_RATING_MORE;
    solve_cells(o, f, "mu-argus", &(tacit_records_options){.k = 2, .argus = &argus});
}

/* Option 2 of the example in 7.2: ZIP by hand. What was said of the choice comes true. */
static void asking(void **state)
{
    (void)state;
    static const int32_t zip_once[] = {3, TACIT_ARGUS_DONE};
    fixture f;
    outcome o;
    script s;
    ask_figure_34(&o, &f, &s, TACIT_ARGUS_DESCRIBED, zip_once);
    assert_int_equal(s.round, 2);
    assert_int_equal(s.outliers[0], 9); /* Figure 74 */
    assert_int_equal(s.outliers[1], 4); /* Figure 78 */
    assert_float_equal(s.effects[0].precision, 0.854, 0.0005);
    assert_int_equal(s.effects[0].suppressed_cells, 3);
    assert_int_equal(s.choice_counts[0], 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(s.choices[0][i].attribute, i);
        assert_int_equal(s.choices[0][i].level, i == 1 ? 3 : 1);
    }
    assert_memory_equal(&s.choices[0][3].effect, &s.effects[1], sizeof s.effects[1]);
    assert_int_equal(s.effects[1].suppressed_cells, 1);
    assert_float_equal(s.effects[1].precision, o.metrics.precision, 1e-12);
    check_levels(&o, (int[]){0, 2, 0, 1});
    assert_int_equal(o.solution->step_count, 3);
    assert_int_equal(o.solution->steps[2].attribute, 3);
    assert_int_equal(o.solution->steps[2].distinct, 3);
    outcome_clear(&o);
    fixture_close(&f);
}

static void asking_the_repaired(void **state)
{
    (void)state;
    static const int32_t taken[] = {0, 1, 0, 1, 2, 3};
    static const int32_t back_and_forth[] = {3, TACIT_ARGUS_UNDO, 1, 0, 0, TACIT_ARGUS_DONE};
    fixture f;
    outcome o;
    script s;
    ask_figure_34(&o, &f, &s, TACIT_ARGUS_REPAIRED, back_and_forth);
    assert_int_equal(s.round, 6);
    assert_int_equal(s.effects[0].suppressed_cells, 6); /* Figure 81 */
    assert_int_equal(s.effects[1].suppressed_cells, 3); /* Figure 80 */
    assert_float_equal(s.effects[1].precision, 0.754, 0.0005);
    assert_memory_equal(&s.effects[2], &s.effects[0], sizeof s.effects[0]);
    assert_memory_equal(s.choices[2], s.choices[0], sizeof s.choices[0]);
    assert_memory_equal(&s.choices[2][1].effect, &s.effects[3], sizeof s.effects[3]);
    for (int round = 0; round < 6; round++)
        assert_int_equal(s.taken[round], taken[round]);
    assert_int_equal(s.choice_counts[5], 3); /* Race cannot go any higher */
    check_levels(&o, (int[]){2, 3, 0, 0});
    assert_true(fewest_people(&o, &f) >= 2);
    outcome_clear(&o);
    fixture_close(&f);
}

static void bad_answers(void **state)
{
    (void)state;
    static const int32_t answers[][3] = {{4}, {-3}, {TACIT_ARGUS_UNDO}, {0, 0, 0}};
    fixture f;
    figure_34(&f);
    for (size_t i = 0; i < COUNT(answers); i++) {
        tacit_error err;
        script s = {.answers = answers[i]};
        const tacit_argus argus = {.ask = answer, .payload = &s};
        assert_int_equal(
            try_cells(&f, "mu-argus", &(tacit_records_options){.k = 2, .argus = &argus}, &err),
            TACIT_INVALID);
    }
    fixture_close(&f);
}

static tacit_status give_up(int32_t *out, const tacit_argus_round *round, void *payload,
                            tacit_error *err)
{
    (void)out, (void)round, (void)payload, (void)err;
    return TACIT_CANCELLED;
}

static bool stop_at(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)done, (void)total;
    return strcmp(phase, payload) != 0;
}

static void stopping(void **state)
{
    (void)state;
    static const char *const phases[] = {"suppressing", "testing combinations"};
    fixture f;
    tacit_error err;
    tacit_argus_report report = {0};
    tacit_argus argus = {.ask = give_up};
    const tacit_records_options options = {.k = 2, .argus = &argus};
    figure_34(&f);
    assert_int_equal(try_cells(&f, "mu-argus", &options, &err), TACIT_CANCELLED);
    argus = (tacit_argus){.report = &report};
    for (size_t i = 0; i < COUNT(phases); i++) {
        tacit_run run;
        tacit_solution *solution = NULL;
        tacit_run_init(&run);
        run.progress = stop_at;
        run.payload = (void *)phases[i];
        assert_int_equal(
            tacit_method_find("mu-argus")->solve(&solution, &f.frame, &options, &run, &err),
            TACIT_CANCELLED);
        assert_null(solution);
        assert_null(report.outliers);
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rare_values),
        cmocka_unit_test(missing_values),
        cmocka_unit_test(whole_classes),
        cmocka_unit_test(nobody_to_fill_up),
        cmocka_unit_test(one_class),
        cmocka_unit_test(refusals),
        cmocka_unit_test(many_attributes),
        cmocka_unit_test(asking),
        cmocka_unit_test(asking_the_repaired),
        cmocka_unit_test(bad_answers),
        cmocka_unit_test(stopping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
