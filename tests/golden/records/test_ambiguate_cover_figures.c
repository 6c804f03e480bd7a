/*
 * test_ambiguate_cover_figures.c - blanks by covering: the paper's tables, where the least
 * number is known, and real data, where sdcMicro's local suppression gives figures to
 * compare with (../shared/data/README.md): as published, which is what it promises, with two blanks
 * a row, and with k both ways.
 */
#include "records.h"

#include "ambiguate.h"
#include "records/blanks/boxes.h"
#include "records/classes/classes.h"

#define DATA TACIT_SOURCE_DIR "/../shared/data/"

static tacit__blanking cover(const tacit__tableau *t)
{
    tacit__blanking plan = {0};
    tacit_error err = {0};
    if (tacit__ambiguate_cover(&plan, t, NULL, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return plan;
}

static void test_paper(void **state)
{
    static const struct {
        const golden_table *table;
        int64_t k, least;
    } cases[] = {{&T1, 2, 2}, {&T2, 2, 4}, {&T3, 2, 3}, {&T1, 3, 4}, {&TWO_ROWS, 2, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit__tableau t;
        tableau_golden(&t, cases[i].table, cases[i].k);
        tacit__blanking plan = cover(&t);
        assert_int_equal(naive_cells(&plan), cases[i].least);
        assert_true(naive_least(&t, &plan) >= cases[i].k);
        tacit__blanking_clear(&plan);
        tacit__tableau_clear(&t);
    }
}

/* A file's columns as a tableau; says so and skips where it is absent. */
static void read_tableau(fixture *f, tacit__tableau *t, const char *file,
                         const char *const *columns, const tacit_records_options *options)
{
    tacit_csv_options csv;
    tacit_error err = {0};
    tacit_classes *classes;
    tacit_run run;
    int levels[TACIT_MAX_ATTRIBUTES] = {0};
    if (access(file, R_OK) != 0) {
        print_message("%s is not at hand\n", file);
        skip();
    }
    tacit_csv_options_init(&csv);
    tacit_run_init(&run);
    *f = (fixture){0};
    if (tacit_table_read(&f->table, file, &csv, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    f->frame = (tacit_frame){.table = f->table, .attributes = f->attributes, .person = -1};
    for (; *columns; columns++)
        fixture_none(f, *columns);
    if (tacit_classes_new(&classes, &f->frame, levels, &run, &err) != TACIT_OK ||
        tacit__tableau_init(t, &f->frame, classes, options, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    tacit_classes_free(classes);
}

/* Rows, in classes of fewer than k, that agree with fewer than k: counted class against class,
 * without the code that was used. */
static int64_t rows_below(const tacit__tableau *t, const tacit__blanking *plan)
{
    int64_t below = 0, *fresh = calloc((size_t)t->classes, sizeof *fresh);
    for (int64_t i = 0; i < t->classes; i++)
        fresh[i] = t->counts[i];
    for (int64_t b = 0; b < plan->count; b++)
        fresh[plan->blanks[b].class_index] -= plan->blanks[b].rows;
    for (int64_t i = 0; i < t->classes; i++) {
        int64_t alpha = t->counts[i];
        for (int64_t b = 0; b < plan->count && alpha < t->k; b++) {
            uint32_t j = plan->blanks[b].class_index;
            if (j != i && !(tacit__tableau_differ(t, i, j) & ~plan->blanks[b].mask))
                alpha += plan->blanks[b].rows;
        }
        below += alpha < t->k ? fresh[i] : 0;
    }
    for (int64_t b = 0; b < plan->count; b++) {
        const tacit__blank *one = &plan->blanks[b];
        int64_t alpha = 0;
        for (int64_t j = 0; j < t->classes && alpha < t->k; j++)
            if (!(tacit__tableau_differ(t, one->class_index, j) & ~one->mask))
                alpha += fresh[j];
        for (int64_t o = 0; o < plan->count && alpha < t->k; o++)
            if (!(tacit__tableau_differ(t, one->class_index, plan->blanks[o].class_index) &
                  ~(one->mask | plan->blanks[o].mask)))
                alpha += plan->blanks[o].rows;
        below += alpha < t->k ? one->rows : 0;
    }
    free(fresh);
    return below;
}

/* Rows that fewer than k people fit, and people who fit fewer than k rows, counted class against
 * class, without the code that was used. */
static int64_t both_below(const tacit__tableau *t, const tacit__blanking *plan)
{
    int64_t below = 0, *fresh = calloc((size_t)t->classes, sizeof *fresh);
    for (int64_t i = 0; i < t->classes; i++)
        fresh[i] = t->counts[i];
    for (int64_t b = 0; b < plan->count; b++) {
        const tacit__blank *one = &plan->blanks[b];
        int64_t people = 0;
        for (int64_t j = 0; j < t->classes && people < t->k; j++)
            if (!(tacit__tableau_differ(t, one->class_index, j) & ~one->mask))
                people += t->counts[j];
        below += people < t->k ? one->rows : 0;
        fresh[one->class_index] -= one->rows;
    }
    for (int64_t i = 0; i < t->classes; i++) {
        int64_t rows = t->counts[i];
        for (int64_t b = 0; b < plan->count && rows < t->k; b++)
            if (plan->blanks[b].class_index != i &&
                !(tacit__tableau_differ(t, i, plan->blanks[b].class_index) & ~plan->blanks[b].mask))
                rows += plan->blanks[b].rows;
        below += rows < t->k ? t->counts[i] : 0;
        below += t->counts[i] < t->k ? fresh[i] : 0;
    }
    free(fresh);
    return below;
}

/* Blanks that sdcMicro has, and that are expected here at most. */
typedef struct figure {
    int64_t k, micro, most;
} figure;

static void check_figures(const char *file, const char *const *columns, const figure *figures,
                          int count)
{
    for (int i = 0; i < count; i++) {
        tacit_ambiguate how = {.most_row = 2, .as_published = true};
        tacit_records_options options = {.k = figures[i].k, .ambiguate = &how};
        tacit__tableau t;
        fixture f;
        read_tableau(&f, &t, file, columns, &options);
        tacit__blanking plan = cover(&t);
        int64_t cells = naive_cells(&plan);
        print_message("k=%d: %d blanks, no fewer than %g; sdcMicro %d\n", (int)figures[i].k,
                      (int)cells, plan.bound, (int)figures[i].micro);
        assert_int_equal(rows_below(&t, &plan), 0);
        assert_true(naive_limits(&t, &plan));
        assert_true(cells <= figures[i].most && figures[i].most < figures[i].micro);
        assert_true(plan.bound <= (double)cells);
        tacit__blanking_clear(&plan);
        tacit__tableau_clear(&t);
        fixture_close(&f);
    }
}

static void test_testdata(void **state)
{
    static const char *const columns[] = {"urbrur",   "roof",  "walls", "water",
                                          "electcon", "relat", "sex",   NULL};
    static const figure figures[] = {{2, 157, 75}, {3, 293, 130}, {5, 500, 220}};
    (void)state;
    check_figures(DATA "sdcmicro/testdata.csv", columns, figures, 3);
}

static void test_adult_workclass(void **state)
{
    static const char *const columns[] = {"sex",       "race",      "marital-status",
                                          "education", "workclass", NULL};
    static const figure figures[] = {{2, 543, 115}, {3, 1049, 205}, {5, 1722, 370}};
    (void)state;
    check_figures(DATA "adult/adult.csv", columns, figures, 3);
}

static void test_adult_age(void **state)
{
    static const char *const columns[] = {"sex",       "age", "race", "marital-status",
                                          "education", NULL};
    static const figure figures[] = {{2, 3187, 127}, {3, 5101, 250}, {5, 7883, 475}};
    (void)state;
    check_figures(DATA "adult/adult.csv", columns, figures, 3);
}

/* Both ways of k: every row that is alone must lose a cell and more, so 5101 would not do. */
static void test_adult_both(void **state)
{
    static const char *const columns[] = {"sex",       "age", "race", "marital-status",
                                          "education", NULL};
    static const struct {
        int64_t k, most;
        double bound; /* each row of a class of fewer than k in its cheapest box of k people */
    } figures[] = {{2, 3240, 3226}, {3, 5160, 5134}, {5, 7870, 7828}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        tacit_records_options options = {.k = figures[i].k};
        tacit__tableau t;
        tacit__blanking plan = {0};
        tacit_run run;
        fixture f;
        read_tableau(&f, &t, DATA "adult/adult.csv", columns, &options);
        tacit_run_init(&run);
        assert_int_equal(tacit__ambiguate_both(&plan, &t, &f.frame, &options, &run, NULL),
                         TACIT_OK);
        print_message("k=%d: %d blanks, no fewer than %g\n", (int)figures[i].k,
                      (int)naive_cells(&plan), plan.bound);
        assert_int_equal(both_below(&t, &plan), 0);
        assert_true(naive_cells(&plan) <= figures[i].most);
        assert_true(plan.bound >= figures[i].bound && plan.bound <= naive_cost(&t, &plan));
        tacit__blanking_clear(&plan);
        tacit__tableau_clear(&t);
        fixture_close(&f);
    }
}

/* All but the salary. */
static void test_adult_eight(void **state)
{
    static const char *const columns[] = {
        "sex",       "age",        "race", "marital-status", "education", "native-country",
        "workclass", "occupation", NULL};
    static const figure figures[] = {{2, 14466, 3900}};
    (void)state;
    check_figures(DATA "adult/adult.csv", columns, figures, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),           cmocka_unit_test(test_testdata),
        cmocka_unit_test(test_adult_workclass), cmocka_unit_test(test_adult_age),
        cmocka_unit_test(test_adult_eight),     cmocka_unit_test(test_adult_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
