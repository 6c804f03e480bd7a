/*
 * test_models_memory.c - every allocation of models beyond k failed in turn:
 * the register, the counting of sensitive values, and what is asked of groups.
 */
#include "models.h"

#include "starve.h"

enum { ATTRIBUTES = 2 };

typedef struct work {
    fixture f, people, tree;
    tacit_model models[5];
    tacit_classes *base;
    int threads;
} work;

static const int GROUND[ATTRIBUTES] = {0};

static void open_work(work *w)
{
    *w = (work){.threads = 1};
    fixture_open(&w->f,
                 "zip,sex,s,t\n02138,f,10,x\n02138,m,11,\n02139,f,20,y\n,m,,x\n02141,f,21,x\n");
    fixture_open(&w->people, "sex,zip\nf,02138\nf,02138\nm,02139\nm,02139\nf,\nm,02142\nm,02141\n");
    fixture_mask(&w->f, "zip");
    fixture_none(&w->f, "sex");
    fixture_mask(&w->people, "zip");
    fixture_none(&w->people, "sex");
    fixture_open(&w->tree, w->f.text);
    fixture_mask(&w->tree, "s");
    w->models[0] = (tacit_model){{TACIT_MODEL_DISTINCT, 1, 0}, 3, NULL, {0.5, true}};
    w->models[1] = (tacit_model){{TACIT_MODEL_CLOSENESS, 1, 0}, 3, NULL, {0, false}};
    w->models[2] =
        (tacit_model){{TACIT_MODEL_CLOSENESS_TREE, 1, 0}, 2, w->tree.hierarchies[0], {0, false}};
    w->models[3] = (tacit_model){{TACIT_MODEL_MAP, 1, 0}, -1, NULL, {0, false}};
    w->f.frame.models = w->models;
    w->models[4] = (tacit_model){{TACIT_MODEL_CLOSENESS_ORDER, 1, 0}, 2, NULL, {0, false}};
    w->f.frame.model_count = 5;
    w->base = classes_on(&w->f, GROUND);
}

static void close_work(work *w)
{
    tacit_classes_free(w->base);
    fixture_close(&w->tree);
    fixture_close(&w->people);
    fixture_close(&w->f);
}

static tacit_status make_population(void *context, tacit_error *err)
{
    work *w = context;
    w->f.frame.population = STARVE_UNTOUCHED;
    tacit_status status = try_population(&w->f, &w->people, err);
    if (status != TACIT_OK)
        assert_ptr_equal(w->f.frame.population, STARVE_UNTOUCHED);
    else
        tacit_population_free(w->f.frame.population);
    w->f.frame.population = NULL;
    return status;
}

static tacit_status make_models(void *context, tacit_error *err)
{
    work *w = context;
    tacit_run run = starve_run(w->threads);
    tacit__models *models = STARVE_UNTOUCHED;
    tacit_status status = tacit__models_new(&models, &w->f.frame, w->base, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(models, STARVE_UNTOUCHED);
    else
        tacit__models_free(models);
    return status;
}

/* Everything from the register to the answers; a refusal on the way must leave
 * what was asked before usable. */
static tacit_status ask(tacit__models *models, const work *w, tacit_error *err)
{
    static const int top[ATTRIBUTES] = {5, 1};
    static const uint8_t levels[ATTRIBUTES] = {5, 0};
    static const uint32_t group_of[8] = {0}, members[2] = {0, 1}, numbers[ATTRIBUTES] = {0};
    tacit_run run = starve_run(w->threads);
    uint64_t fails[1] = {0};
    bool holds = false;
    tacit__models_scratch *scratch = STARVE_UNTOUCHED;
    const tacit__models_question asked = {
        .group_of = group_of, .groups = 1, .levels = top, .most = INT64_MAX};
    tacit_status status = tacit__models_failing(fails, models, &asked, &run, err);
    if (status == TACIT_OK)
        status = tacit__models_failing(fails, models, &asked, &run, err);
    if (status == TACIT_OK)
        assert_int_equal(fails[0], 0);
    if (status == TACIT_OK)
        status = tacit__models_hold(&holds, models, members, 2, levels, numbers, err);
    if (status == TACIT_OK)
        assert_true(holds);
    if (status == TACIT_OK)
        status = tacit__models_scratch_new(&scratch, models, err);
    if (status == TACIT_OK)
        tacit__models_scratch_free(scratch);
    else
        assert_ptr_equal(scratch, STARVE_UNTOUCHED);
    return status;
}

static tacit_status work_through(void *context, tacit_error *err)
{
    work *w = context;
    tacit_run run = starve_run(w->threads);
    tacit__models *models = NULL;
    tacit_status status = try_population(&w->f, &w->people, err);
    if (status == TACIT_OK)
        status = tacit__models_new(&models, &w->f.frame, w->base, &run, err);
    if (status == TACIT_OK)
        status = ask(models, w, err);
    tacit__models_free(models);
    tacit_population_free(w->f.frame.population);
    w->f.frame.population = NULL;
    return status;
}

static void test_register(void **state)
{
    (void)state;
    work w;
    open_work(&w);
    starve(make_population, &w);
    close_work(&w);
}

static void test_models(void **state)
{
    (void)state;
    work w;
    open_work(&w);
    add_population(&w.f, &w.people);
    starve(make_models, &w);
    w.threads = 3;
    starve_way_of(make_models, &w, STARVE_FOR_GOOD);
    tacit_population_free(w.f.frame.population);
    close_work(&w);
}

static void test_all(void **state)
{
    (void)state;
    work w;
    open_work(&w);
    starve(work_through, &w);
    w.threads = 3;
    starve_way_of(work_through, &w, STARVE_FOR_GOOD);
    close_work(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_register),
                                       cmocka_unit_test(test_models), cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
