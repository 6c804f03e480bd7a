/*
 * test_boxes.c - cell-level solutions on the rows, and what they are worth.
 */
#include "boxes.h"

#include <math.h>

#include "base/bitset.h"

static void check_cell(const outcome *o, int32_t attribute, int64_t row, const char *expected)
{
    tacit_strview label = released(o, attribute, row);
    if (!expected)
        assert_null(label.bytes);
    else if (!tacit_strview_equal(label, tacit_strview_of(expected)))
        fail_msg("row %d: %.*s, not %s", (int)row, (int)label.len, label.bytes, expected);
}

/* GT1 of Figure 35, and the better partition of the guide. */
static void test_figure_35(void **state)
{
    (void)state;
    const struct {
        int clusters[12];
        int count;
        double precision;
    } cases[] = {
        {{0, 0, 1, 1, 2, 2, 3, 1, 3, 3, 4, 4}, 5, 0.8271},
        {{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}, 6, 0.8486},
    };
    fixture f;
    outcome o;
    figure_34(&f);
    for (size_t i = 0; i < 2; i++) {
        measure_solution(&o, &f, solution_of_clusters(&f, cases[i].clusters, cases[i].count), 2, 1,
                         2);
        assert_float_equal(o.metrics.precision, cases[i].precision, 5e-5);
        assert_int_equal(o.metrics.classes, cases[i].count);
        assert_int_equal(o.metrics.smallest_class, 2);
        assert_int_equal(o.metrics.suppressed_rows, 0);
        check_cell(&o, 0, 0, NULL);
        check_cell(&o, 1, 0, "1965");
        check_cell(&o, 3, 6, "0213*");
        check_cell(&o, 0, 7, i == 0 ? "person" : NULL);
        outcome_clear(&o);
    }
    fixture_close(&f);
}

/* A random table with a mask, a tree with missing values, and a flat column. */
static void random_table(fixture *f, uint64_t *state, bool person)
{
    char text[4096] = "p,a,b,c\n";
    static const char *const VALUES[] = {"", "x", "y", "z", "w"};
    uint32_t rows = 5 + next_number(state, 40);
    for (uint32_t i = 0; i < rows; i++) {
        size_t used = strlen(text);
        uint32_t who = next_number(state, rows), a = next_number(state, 40);
        snprintf(text + used, sizeof text - used, "%u,%02u,%s,%u\n", who, a,
                 VALUES[next_number(state, 5)], next_number(state, 3));
    }
    fixture_open(f, text);
    fixture_mask(f, "a");
    fixture_file(f, "b", "x;low;all\ny;low;all\nz;high;all\nw;high;all\nv;high;all\n");
    fixture_none(f, "c");
    if (person)
        f->frame.person = tacit_table_find(f->table, tacit_strview_of("p"));
}

/* The same release as boxes over the ground: one a class, one for the rest. */
static tacit_solution *as_boxes(const fixture *f, const tacit_solution *levels)
{
    tacit_solution *solution = solution_on_ground(f);
    int64_t ground = tacit_classes_count(solution->classes);
    int64_t count = tacit_classes_count(levels->classes);
    int32_t attributes = f->frame.attribute_count;
    tacit_boxes *boxes = boxes_of(f, count, ground);
    for (int64_t b = 0; b < count; b++)
        for (int32_t a = 0; a < attributes; a++) {
            boxes->levels[b * attributes + a] = (uint8_t)levels->levels[a];
            boxes->numbers[b * attributes + a] = tacit_classes_code(levels->classes, b, a);
        }
    for (int64_t c = 0; c < ground; c++)
        for (int64_t b = 0; b < count; b++) {
            bool under = true;
            for (int32_t a = 0; a < attributes; a++) {
                uint32_t code = tacit_classes_code(solution->classes, c, a);
                under &= tacit_hierarchy_map(f->hierarchies[a], levels->levels[a])[code] ==
                         tacit_classes_code(levels->classes, b, a);
            }
            if (under)
                boxes->box_of[c] = (uint32_t)b;
        }
    solution->boxes = boxes;
    return solution;
}

static void check_same(const fixture *f, const outcome *a, const outcome *b)
{
    const tacit_metrics *x = &a->metrics, *y = &b->metrics;
    for (int32_t i = 0; i < f->frame.attribute_count; i++)
        for (int64_t row = 0; row < tacit_table_rows(f->table); row++) {
            tacit_strview p = released(a, i, row), q = released(b, i, row);
            assert_int_equal(p.bytes == NULL, q.bytes == NULL);
            assert_true(tacit_strview_equal(p, q));
        }
    for (tacit_metric m = 0; m < tacit_metric_count(); m++)
        if (fabs(tacit_metrics_value(x, m) - tacit_metrics_value(y, m)) > 1e-9)
            fail_msg("%s: %g and %g", tacit_metric_name(m), tacit_metrics_value(x, m),
                     tacit_metrics_value(y, m));
    assert_int_equal(x->classes, y->classes);
    assert_int_equal(x->smallest_class, y->smallest_class);
    assert_int_equal(x->largest_class, y->largest_class);
    assert_int_equal(x->suppressed_cells, y->suppressed_cells);
}

/* An attribute-level release says the same when it is written as boxes. Where
 * all values are "*", boxes call the rows suppressed; those are left out here. */
static void test_same_as_levels(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int round = 0; round < 300; round++) {
        fixture f;
        outcome levels, boxes;
        random_table(&f, &random, round % 3 == 0);
        const tacit_records_options options = {.k = 1 + round % 3};
        solve_figure(&levels, &f, &options);
        measure_solution(&boxes, &f, as_boxes(&f, levels.solution), options.k, 1, 1 + round % 2);
        if (boxes.application->suppressed_rows == 0)
            check_same(&f, &levels, &boxes);
        outcome_clear(&levels);
        outcome_clear(&boxes);
        fixture_close(&f);
    }
}

/* Six rows of one class: two leave as they are, the rest masked. Which two
 * depends on the seed. */
static void test_parts(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    uint64_t seen = 0;
    fixture_open(&f, "a\n11\n11\n11\n12\n11\n11\n11\n");
    fixture_mask(&f, "a");
    for (uint64_t seed = 0; seed < 40; seed++) {
        tacit_solution *solution = solution_on_ground(&f);
        tacit_boxes *boxes = boxes_of(&f, 2, 2);
        boxes->levels[1] = 1;
        uint32_t split = tacit_classes_size(solution->classes, 0) == 6 ? 0 : 1;
        boxes->box_of[0] = boxes->box_of[1] = 1;
        boxes->parts = calloc(1, sizeof *boxes->parts);
        boxes->parts[0] = (tacit_part){.class_index = split, .box = 0, .people = 2};
        boxes->part_count = 1;
        solution->boxes = boxes;
        measure_solution(&o, &f, solution, 2, seed, 1);
        uint64_t kept = 0;
        for (int64_t row = 0; row < 7; row++)
            if (!released(&o, 0, row).bytes)
                kept |= UINT64_C(1) << row;
        assert_int_equal(__builtin_popcountll(kept), 2);
        assert_false(kept & 1 << 3);
        seen |= kept;
        assert_int_equal(o.metrics.smallest_class, 2);
        assert_int_equal(o.metrics.largest_class, 5);
        assert_float_equal(o.metrics.precision, 1 - 5 * 0.5 / 7, 1e-12);
        outcome_clear(&o);
    }
    assert_int_equal(seen, 0x7f & ~(1 << 3));
    fixture_close(&f);
}

/* A box of stars is what suppressed rows look like, and can be left out. */
static void test_suppressed(void **state)
{
    (void)state;
    static const int CLUSTERS[] = {0, 1, 0, 1};
    fixture f;
    outcome o;
    fixture_open(&f, "a,b\nx,1\ny,2\nx,1\nz,3\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    measure_solution(&o, &f, solution_of_clusters(&f, CLUSTERS, 2), 2, 1, 1);
    assert_int_equal(o.application->suppressed_rows, 2);
    assert_int_equal(o.application->suppressed[0], 1 << 1 | 1 << 3);
    assert_int_equal(o.metrics.suppressed_cells, 4);
    assert_float_equal(o.metrics.discernibility, 2 * 2 + 2 * 4, 0);
    assert_float_equal(o.metrics.precision, 0.5, 0);
    assert_int_equal(o.metrics.classes, 2);
    outcome_clear(&o);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_35),
        cmocka_unit_test(test_same_as_levels),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_suppressed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
