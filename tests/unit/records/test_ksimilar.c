/*
 * test_ksimilar.c - the edges of k-similar: the smallest tables, what it refuses,
 * where the published listings would run for ever or leave too few, and stopping.
 */
#include "cells.h"

#include "records/ksimilar/ksimilar.h"

static void same_rows(fixture *f, int rows)
{
    char text[8192] = "a,b\n";
    assert_true(rows < 2000);
    for (int i = 0; i < rows; i++)
        strcat(text, "x,1\n");
    fixture_open(f, text);
    fixture_none(f, "a");
    fixture_mask(f, "b");
}

/* k identical rows and more stay as they are; fewer cannot be released. */
static void identical_rows(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    tacit_error err = {0};
    for (int rows = 1; rows <= 9; rows++) {
        same_rows(&f, rows);
        for (int k = 1; k <= rows; k++) {
            solve_cells(&o, &f, "k-similar", &(tacit_records_options){.k = k});
            assert_int_equal(o.solution->boxes->count, 1);
            assert_int_equal(o.solution->boxes->part_count, 0);
            assert_float_equal(o.metrics.precision, 1, 0);
            outcome_clear(&o);
        }
        assert_int_equal(try_cells(&f, "k-similar", &(tacit_records_options){.k = rows + 1}, &err),
                         TACIT_INFEASIBLE);
        fixture_close(&f);
    }
}

/* Fewer than 2k rows are one cluster (Figure 92, step 3). */
static void one_cluster(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    figure_34(&f);
    for (int k = 7; k <= 12; k++) {
        solve_cells(&o, &f, "k-similar", &(tacit_records_options){.k = k});
        assert_int_equal(o.solution->boxes->count, 1);
        outcome_clear(&o);
    }
    fixture_close(&f);
}

/* x1, x2, y1, y2 pair by the heavier column, and lose the other. */
static void weights_decide(void **state)
{
    (void)state;
    for (int heavy = 0; heavy < 2; heavy++) {
        fixture f;
        outcome o;
        fixture_open(&f, "a,b\nx,1\nx,2\ny,1\ny,2\n");
        fixture_none(&f, "a");
        fixture_none(&f, "b");
        f.attributes[heavy].weight = 3;
        f.attributes[1 - heavy].weight = 1;
        solve_cells(&o, &f, "k-similar", &(tacit_records_options){.k = 2});
        assert_float_equal(o.metrics.precision, 0.5, 0);
        assert_float_equal(o.metrics.precision_weighted, 0.75, 1e-12);
        for (int64_t b = 0; b < o.solution->boxes->count; b++) {
            assert_int_equal(o.solution->boxes->levels[b * 2 + heavy], 0);
            assert_int_equal(o.solution->boxes->levels[b * 2 + 1 - heavy], 1);
        }
        outcome_clear(&o);
        fixture_close(&f);
    }
}

static void levels_have_a_floor(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    figure_34(&f);
    f.attributes[3].least_level = 1;
    solve_cells(&o, &f, "k-similar", &(tacit_records_options){.k = 2});
    check_generalizes(&o, &f);
    assert_true(fewest_people(&o, &f) >= 2);
    outcome_clear(&o);
    solve_cells(&o, &f, "k-similar", &(tacit_records_options){.k = 2, .most_general = true});
    assert_float_equal(o.metrics.precision, 0, 0);
    outcome_clear(&o);
    fixture_close(&f);
}

static void refusals(void **state)
{
    (void)state;
    fixture f;
    tacit_error err = {0};
    figure_34(&f);
    f.frame.person = 0;
    assert_int_equal(try_cells(&f, "k-similar", &(tacit_records_options){.k = 2}, &err),
                     TACIT_INVALID);
    assert_non_null(strstr(err.message, "local"));
    fixture_close(&f);
    same_rows(&f, TACIT__KSIMILAR_TUPLES + 1);
    assert_int_equal(try_cells(&f, "k-similar", &(tacit_records_options){.k = 2}, &err),
                     TACIT_LIMIT);
    assert_non_null(strstr(err.message, "1024 records at most, not 1025"));
    fixture_close(&f);
    same_rows(&f, 80); /* every four of them are equally close */
    assert_int_equal(try_cells(&f, "k-similar", &(tacit_records_options){.k = 4}, &err),
                     TACIT_LIMIT);
    assert_non_null(strstr(err.message, "local, or optimal"));
    fixture_close(&f);
}

/* A clique of tuples that are at distance 1 where joined, at 2 otherwise. */
static void draw_clique(tacit__clique *clique, uint8_t *vectors, uint32_t *class_of, int32_t tuples,
                        const uint8_t (*joined)[2], size_t count)
{
    *clique = (tacit__clique){.k = 2,
                              .attributes = 1,
                              .tuples = tuples,
                              .classes = tuples,
                              .class_of = class_of,
                              .vectors = vectors,
                              .weights = {1},
                              .unit = 1,
                              .steps = TACIT__KSIMILAR_STEPS};
    for (int32_t i = 0; i < tuples * tuples; i++)
        vectors[i] = i / tuples == i % tuples ? 0 : 2;
    for (int32_t i = 0; i < tuples; i++)
        class_of[i] = (uint32_t)i;
    for (size_t i = 0; i < count; i++) {
        vectors[joined[i][0] * tuples + joined[i][1]] = 1;
        vectors[joined[i][1] * tuples + joined[i][0]] = 1;
    }
}

static void check_sizes(tacit__clique *clique, int32_t clusters_expected)
{
    int32_t cluster_of[16], clusters = 0, sizes[16] = {0};
    assert_int_equal(tacit__ksimilar_clusters(&clusters, cluster_of, clique, NULL), TACIT_OK);
    assert_int_equal(clusters, clusters_expected);
    for (int32_t t = 0; t < clique->tuples; t++) {
        assert_in_range(cluster_of[t], 0, clusters - 1);
        sizes[cluster_of[t]]++;
    }
    for (int32_t c = 0; c < clusters; c++)
        assert_true(sizes[c] >= clique->k);
}

/* Three tuples in a ring, two more on each: no minimal is complementary and none
 * is shared by all, so that the listing of Figure 93 would call itself for ever. */
static void nothing_in_common(void **state)
{
    (void)state;
    static const uint8_t joined[][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {0, 4},
                                        {1, 5}, {1, 6}, {2, 7}, {2, 8}};
    uint8_t vectors[81];
    uint32_t class_of[9];
    tacit__clique clique;
    draw_clique(&clique, vectors, class_of, 9, joined, 9);
    check_sizes(&clique, 3);
}

/* A path: {2,3} and {3,4} are both complementary and share a tuple. */
static void complements_that_overlap(void **state)
{
    (void)state;
    static const uint8_t joined[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 0}};
    uint8_t vectors[64];
    uint32_t class_of[8];
    tacit__clique clique;
    draw_clique(&clique, vectors, class_of, 6, joined, 5);
    check_sizes(&clique, 3);
    draw_clique(&clique, vectors, class_of, 7, joined, 7); /* a ring: one is left over */
    check_sizes(&clique, 3);
}

/* A star: its middle is withheld, and the rest is clustered by itself. */
static void common_tuple(void **state)
{
    (void)state;
    static const uint8_t joined[][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}};
    uint8_t vectors[64];
    uint32_t class_of[8];
    tacit__clique clique;
    for (int32_t tuples = 4; tuples <= 7; tuples++) {
        draw_clique(&clique, vectors, class_of, tuples, joined, (size_t)tuples - 1);
        check_sizes(&clique, tuples / 2);
    }
}

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)done, (void)total;
    int *asked = payload;
    *asked += strcmp(phase, "comparing records") == 0;
    return *asked < 2;
}

static void stopping(void **state)
{
    (void)state;
    fixture f;
    tacit_run run;
    tacit_error err = {0};
    tacit_solution *solution = NULL;
    int asked = 0;
    char text[8192] = "a,b\n";
    for (int i = 0; i < 600; i++)
        sprintf(text + strlen(text), "%d,%d\n", i % 37, i % 11);
    fixture_open(&f, text);
    fixture_mask(&f, "a");
    fixture_mask(&f, "b");
    tacit_run_init(&run);
    run.progress = stop;
    run.payload = &asked;
    assert_int_equal(tacit_method_find("k-similar")
                         ->solve(&solution, &f.frame, &(tacit_records_options){.k = 3}, &run, &err),
                     TACIT_CANCELLED);
    assert_null(solution);
    assert_int_equal(asked, 2);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identical_rows),
        cmocka_unit_test(one_cluster),
        cmocka_unit_test(weights_decide),
        cmocka_unit_test(levels_have_a_floor),
        cmocka_unit_test(refusals),
        cmocka_unit_test(nothing_in_common),
        cmocka_unit_test(complements_that_overlap),
        cmocka_unit_test(common_tuple),
        cmocka_unit_test(stopping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
