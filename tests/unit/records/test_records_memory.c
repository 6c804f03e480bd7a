/*
 * test_records_memory.c - every allocation of a release of records failed in
 * turn: classes, the method, its application to the rows, and what it is worth.
 */
#include "boxes.h"

#include "starve.h"

typedef struct work {
    const fixture *f;
    tacit_records_options options;
    tacit_apply_options apply;
    const tacit_classes *classes; /* to roll up */
    const outcome *done;          /* to apply and measure */
    const int *levels;
    int threads;
} work;

static tacit_status count_classes(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_run run = starve_run(w->threads);
    tacit_classes *classes = STARVE_UNTOUCHED;
    tacit_status status =
        w->classes ? tacit_classes_roll_up(&classes, &w->f->frame, w->classes, w->levels, &run, err)
                   : tacit_classes_new(&classes, &w->f->frame, w->levels, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(classes, STARVE_UNTOUCHED);
    else {
        assert_int_equal(tacit_classes_rows(classes), tacit_table_rows(w->f->table));
        tacit_classes_free(classes);
    }
    return status;
}

static tacit_status assign(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_run run = starve_run(w->threads);
    uint32_t class_of[64];
    return tacit_classes_assign(w->classes, &w->f->frame, class_of, &run, err);
}

static tacit_status solve(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_run run = starve_run(w->threads);
    tacit_solution *solution = STARVE_UNTOUCHED;
    tacit_status status =
        tacit_method_find("datafly")->solve(&solution, &w->f->frame, &w->options, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(solution, STARVE_UNTOUCHED);
    else
        tacit_solution_free(solution);
    return status;
}

static tacit_status apply(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_run run = starve_run(w->threads);
    tacit_application *application = STARVE_UNTOUCHED;
    tacit_status status =
        tacit_solution_apply(&application, w->done->solution, &w->f->frame, &w->apply, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(application, STARVE_UNTOUCHED);
    else
        tacit_application_free(application);
    return status;
}

static tacit_status measure(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_run run = starve_run(w->threads);
    tacit_metrics metrics = {.rows = -7};
    tacit_status status = tacit_metrics_of(&metrics, w->done->solution, w->done->application,
                                           &w->f->frame, &w->options, &run, err);
    if (status != TACIT_OK)
        assert_int_equal(metrics.rows, -7);
    return status;
}

/* An attempt on one thread, and on three, where what is needed may depend on
 * which thread does what. */
static void starve_threads(starve_attempt attempt, work *w)
{
    w->threads = 1;
    starve(attempt, w);
    w->threads = 3;
    starve_way_of(attempt, w, STARVE_FOR_GOOD);
    w->threads = 1;
}

static void classes_of(const fixture *f)
{
    static const int ground[4] = {0}, higher[4] = {1, 1, 1, 1};
    work w = {.f = f, .levels = ground};
    starve_threads(count_classes, &w);
    tacit_classes *classes = NULL;
    tacit_run run = starve_run(w.threads);
    assert_int_equal(tacit_classes_new(&classes, &f->frame, ground, &run, NULL), TACIT_OK);
    w.classes = classes;
    w.levels = higher;
    starve_threads(count_classes, &w);
    starve_way_of(assign, &w, STARVE_ONCE); /* it may need nothing */
    starve_way_of(assign, &w, STARVE_FOR_GOOD);
    tacit_classes_free(classes);
}

/* The same in a frame that keeps what it counts; it may do without. */
static tacit_status solve_twice(void *context, tacit_error *err)
{
    work w = *(const work *)context;
    fixture f = *w.f;
    w.f = &f;
    tacit_counted *counted = STARVE_UNTOUCHED;
    tacit_status status = tacit_counted_new(&counted, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(counted, STARVE_UNTOUCHED);
        return status;
    }
    f.frame.attributes = f.attributes;
    f.frame.counted = counted;
    status = solve(&w, err);
    if (status == TACIT_OK)
        status = solve(&w, err);
    tacit_counted_free(counted);
    return status;
}

static void release_of(const fixture *f, int64_t k, int64_t max_suppressed)
{
    work w = {.f = f, .options = {.k = k, .max_suppressed = max_suppressed}};
    starve_threads(solve, &w);
    starve_threads(solve_twice, &w);
    for (int i = 0; i < 4; i++) {
        outcome done = {0};
        w.apply = (tacit_apply_options){.keep_order = i & 1, .drop_suppressed = i & 2};
        tacit_error err = {0};
        if (solve_with(&done, f, &w.options, &w.apply, 1, 1, &err) != TACIT_OK)
            fail_msg("%s", err.message);
        w.done = &done;
        starve_threads(apply, &w);
        starve_way_of(measure, &w, STARVE_ONCE);
        starve_way_of(measure, &w, STARVE_FOR_GOOD);
        outcome_clear(&done);
    }
}

/* Figure 34, k = 2: two rows may go, or none. */
static void test_one_set(void **state)
{
    (void)state;
    fixture f;
    figure_34(&f);
    classes_of(&f);
    release_of(&f, 2, 2);
    release_of(&f, 2, 0);
    fixture_close(&f);
}

/* Two overlapping quasi-identifiers. */
static void test_several_sets(void **state)
{
    (void)state;
    static const uint64_t sets[] = {3, 12};
    fixture f;
    figure_34(&f);
    f.frame.sets = sets;
    f.frame.set_count = 2;
    classes_of(&f);
    release_of(&f, 2, 3);
    fixture_close(&f);
}

/* Rows of one person, who counts once. */
static void test_people(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "p,a,b\n1,11,x\n1,11,x\n2,11,x\n2,12,y\n3,12,y\n3,13,y\n4,13,z\n5,,z\n");
    fixture_mask(&f, "a");
    fixture_none(&f, "b");
    f.frame.person = 0;
    classes_of(&f);
    release_of(&f, 2, 3);
    static const uint64_t sets[] = {1, 2};
    f.frame.sets = sets;
    f.frame.set_count = 2;
    classes_of(&f);
    release_of(&f, 2, 3);
    fixture_close(&f);
}

/* Combinations beyond what can be counted in cells: keys are hashed, and lists
 * cut to their length in the end, which may fail without harm. */
static void test_many_combinations(void **state)
{
    (void)state;
    enum { COLUMNS = 4, ROWS = 60 };
    char text[ROWS * COLUMNS * 8 + 32];
    size_t len = (size_t)sprintf(text, "a,b,c,d\n");
    for (int row = 0; row < ROWS; row++)
        len += (size_t)sprintf(text + len, "%d,%d,%d,%d\n", 100 + row / 2, 200 + row / 2,
                               300 + row / 2, 400 + row / 2);
    fixture f;
    fixture_open(&f, text);
    for (int c = 0; c < COLUMNS; c++)
        fixture_mask(&f, (char[2]){(char)('a' + c), 0});
    starving.lenient = true;
    classes_of(&f);
    release_of(&f, 2, 0);
    starving.lenient = false;
    fixture_close(&f);
}

/* A cell-level release: with a class in two parts, and of people. */
static void test_boxes(void **state)
{
    (void)state;
    static const int CLUSTERS[] = {0, 0, 0, 1, 1};
    for (int person = 0; person < 2; person++) {
        fixture f;
        outcome done;
        fixture_open(&f, "p,a,b\n1,11,x\n1,11,x\n2,11,x\n2,12,y\n3,13,y\n");
        fixture_mask(&f, "a");
        fixture_none(&f, "b");
        tacit_solution *solution = solution_of_clusters(&f, CLUSTERS, 2);
        if (person) {
            tacit_solution_free(solution);
            f.frame.person = 0;
            solution = solution_of_clusters(&f, CLUSTERS, 2);
        } else {
            uint32_t large = tacit_classes_size(solution->classes, 0) == 3 ? 0 : 1;
            solution->boxes->parts = calloc(1, sizeof *solution->boxes->parts);
            solution->boxes->parts[0] = (tacit_part){.class_index = large, .people = 1};
            solution->boxes->part_count = 1;
        }
        measure_solution(&done, &f, solution, 1, 1, 1);
        work w = {.f = &f, .options = {.k = 1}, .done = &done};
        starve_threads(apply, &w);
        starve_way_of(measure, &w, STARVE_ONCE);
        starve_way_of(measure, &w, STARVE_FOR_GOOD);
        outcome_clear(&done);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_set), cmocka_unit_test(test_several_sets),
        cmocka_unit_test(test_people),  cmocka_unit_test(test_many_combinations),
        cmocka_unit_test(test_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
