/*
 * test_ksimilar_figures.c - the two examples of chapter 8 of Sweeney,
 * Computational Disclosure Control: Figures 84, 85, 103 and 104, and Figures 34,
 * 105, 106 and 35. Tuples count from 1, as in the figures.
 */
#include "cells.h"

#include "figure_105.h"
#include "records/ksimilar/ksimilar.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void figure_84(fixture *f)
{
    fixture_open(f, "Home,Hospital,Work\n02138,02138,02138\n02138,02139,02138\n"
                    "02138,02138,02141\n02138,02139,02139\n");
    fixture_file(f, "Home", FIGURE_ZIP);
    fixture_file(f, "Hospital", FIGURE_ZIP);
    fixture_file(f, "Work", FIGURE_ZIP);
}

static void open_clique(tacit__clique *clique, const fixture *f, int64_t k)
{
    static const int ground[TACIT_MAX_ATTRIBUTES] = {0};
    const tacit_records_options options = {.k = k};
    tacit_classes *classes = NULL;
    static tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(tacit_classes_new(&classes, &f->frame, ground, &run, NULL), TACIT_OK);
    assert_int_equal(tacit__clique_init(clique, &f->frame, classes, &options, &run, NULL),
                     TACIT_OK);
    tacit_classes_free(classes);
}

static void check_vector(const tacit__clique *clique, uint32_t a, uint32_t b, const char *levels)
{
    const uint8_t *vector = tacit__clique_vector(clique, a - 1, b - 1);
    for (int32_t i = 0; i < clique->attributes; i++)
        assert_int_equal(vector[i], levels[i] - '0');
}

/* Sets of two tuples each. */
static void check_pairs(const tacit__minimals *minimals, const uint32_t (*pairs)[2], size_t count)
{
    assert_int_equal(minimals->count, count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < 2; j++)
            assert_int_equal(minimals->members[2 * i + j] + 1, pairs[i][j]);
}

static void check_complements(const tacit__minimals *minimals, tacit__clique *clique,
                              const int64_t *expected, int64_t count)
{
    int64_t found = 0, chosen[16];
    assert_true(minimals->count <= 16);
    assert_int_equal(tacit__complements(&found, chosen, minimals, clique, NULL), TACIT_OK);
    assert_int_equal(found, count);
    assert_memory_equal(chosen, expected, (size_t)count * sizeof *chosen);
}

static void check_clusters(tacit__clique *clique, const int32_t *expected, int32_t count)
{
    int32_t cluster_of[16], clusters = 0;
    assert_int_equal(tacit__ksimilar_clusters(&clusters, cluster_of, clique, NULL), TACIT_OK);
    assert_int_equal(clusters, count);
    for (int32_t t = 0; t < clique->tuples; t++)
        for (int32_t u = 0; u < clique->tuples; u++)
            assert_int_equal(cluster_of[t] == cluster_of[u], expected[t] == expected[u]);
}

/* dist() of two clusters of two tuples, times their sizes. */
static double distortion(const tacit__clique *clique, const uint32_t (*clusters)[2])
{
    int64_t sum = 0;
    for (int i = 0; i < 2; i++) {
        uint8_t vector[TACIT_MAX_ATTRIBUTES];
        const uint32_t tuples[2] = {clusters[i][0] - 1, clusters[i][1] - 1};
        tacit__clique_span(vector, clique, tuples, 2);
        sum += 2 * tacit__clique_distance(clique, vector);
    }
    return (double)sum / (double)clique->unit;
}

static void figures_85_and_103(void **state)
{
    (void)state;
    static const uint32_t all[] = {0, 1, 2, 3};
    fixture f;
    tacit__clique clique;
    tacit__minimals minimals;
    figure_84(&f);
    open_clique(&clique, &f, 2);
    check_vector(&clique, 1, 2, "010");
    check_vector(&clique, 1, 3, "002");
    check_vector(&clique, 1, 4, "011");
    check_vector(&clique, 2, 3, "012");
    check_vector(&clique, 2, 4, "001");
    check_vector(&clique, 3, 4, "012");
    assert_int_equal(tacit__minimals_init(&minimals, &clique, all, 4, NULL), TACIT_OK);
    check_pairs(&minimals, (const uint32_t[][2]){{1, 2}, {2, 4}, {1, 3}}, 3);
    check_complements(&minimals, &clique, (const int64_t[]){1, 2}, 2);
    tacit__minimals_clear(&minimals);
    check_clusters(&clique, (const int32_t[]){0, 1, 0, 1}, 2);
    assert_float_equal(distortion(&clique, (const uint32_t[][2]){{1, 3}, {2, 4}}), 2, 1e-12);
    assert_float_equal(distortion(&clique, (const uint32_t[][2]){{1, 2}, {3, 4}}), 8 / 3., 1e-12);
    assert_float_equal(distortion(&clique, (const uint32_t[][2]){{1, 4}, {2, 3}}), 10 / 3., 1e-12);
    tacit__clique_clear(&clique);
    fixture_close(&f);
}

/* The maximal distance vectors of 8.2.1. */
static void figure_84_spans(void **state)
{
    (void)state;
    static const uint32_t sets[][4] = {{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {0, 1, 2, 3}};
    static const int64_t sizes[] = {3, 3, 3, 4};
    static const uint8_t spans[][3] = {{0, 1, 2}, {0, 1, 1}, {0, 1, 2}, {0, 1, 2}};
    fixture f;
    tacit__clique clique;
    uint8_t vector[TACIT_MAX_ATTRIBUTES];
    figure_84(&f);
    open_clique(&clique, &f, 2);
    for (size_t i = 0; i < COUNT(sets); i++) {
        tacit__clique_span(vector, &clique, sets[i], sizes[i]);
        assert_memory_equal(vector, spans[i], 3);
    }
    tacit__clique_clear(&clique);
    fixture_close(&f);
}

static void figure_104(void **state)
{
    (void)state;
    static const char *const rows[] = {"02138,02138,021**", "02138,02139,0213*",
                                       "02138,02138,021**", "02138,02139,0213*"};
    fixture f;
    outcome o;
    figure_84(&f);
    solve_cells(&o, &f, "k-similar", &(tacit_records_options){.k = 2});
    check_released(&o, &f, rows);
    assert_float_equal(o.metrics.precision, 1 - 2.0 / 12, 1e-12);
    outcome_clear(&o);
    fixture_close(&f);
}

static void figures_105_and_106(void **state)
{
    (void)state;
    static const uint32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    static const uint32_t left[] = {2, 3, 6, 7, 8, 9};
    fixture f;
    tacit__clique clique;
    tacit__minimals minimals;
    figure_34(&f);
    open_clique(&clique, &f, 2);
    for (uint32_t a = 0; a < FIGURE_105_TUPLES; a++)
        for (uint32_t b = 0; b < FIGURE_105_TUPLES; b++)
            check_vector(&clique, a + 1, b + 1, figure_105[a][b]);
    assert_int_equal(tacit__minimals_init(&minimals, &clique, all, 12, NULL), TACIT_OK);
    check_pairs(&minimals,
                (const uint32_t[][2]){
                    {1, 2}, {3, 4}, {5, 6}, {7, 9}, {7, 10}, {3, 8}, {4, 8}, {9, 10}, {11, 12}},
                9);
    check_complements(&minimals, &clique, (const int64_t[]){0, 2, 8}, 3);
    tacit__minimals_clear(&minimals);
    assert_int_equal(tacit__minimals_init(&minimals, &clique, left, 6, NULL), TACIT_OK);
    check_pairs(&minimals, (const uint32_t[][2]){{3, 4}, {7, 9}, {7, 10}, {3, 8}, {4, 8}, {9, 10}},
                6);
    check_complements(&minimals, &clique, (const int64_t[]){0}, 0);
    tacit__minimals_clear(&minimals);
    check_clusters(&clique, (const int32_t[]){0, 0, 1, 1, 2, 2, 3, 1, 3, 3, 4, 4}, 5);
    tacit__clique_clear(&clique);
    fixture_close(&f);
}

/* GT1 of Figure 35: 0.827 with the heights of Figure 33. The text calls it a
 * k-minimal distortion; the optimum is 0.8486. */
static void figure_35(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "black,1965,male,02141",    "black,1965,male,02141",    "person,1965,female,0213*",
        "person,1965,female,0213*", "black,1964,female,02138",  "black,1964,female,02138",
        "white,1964,male,0213*",    "person,1965,female,0213*", "white,1964,male,0213*",
        "white,1964,male,0213*",    "white,1967,male,02138",    "white,1967,male,02138"};
    fixture f;
    outcome o;
    figure_34(&f);
    solve_cells(&o, &f, "k-similar", &(tacit_records_options){.k = 2});
    check_released(&o, &f, rows);
    assert_float_equal(o.metrics.precision, 0.827, 0.0005);
    assert_int_equal(o.metrics.classes, 5);
    assert_int_equal(o.metrics.smallest_class, 2);
    outcome_clear(&o);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_85_and_103), cmocka_unit_test(figure_84_spans),
        cmocka_unit_test(figure_104),         cmocka_unit_test(figures_105_and_106),
        cmocka_unit_test(figure_35),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
