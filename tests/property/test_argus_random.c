/*
 * test_argus_random.c - mu-argus on random tables against definitions alone:
 * outliers by comparing every row with every other, the fewest cells by trying
 * every set of attributes, k-anonymity of what is released, and what the two
 * historic variants promise, which is less.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include "cells.h"
#include "random_cases.h"

#include <tacit/experimental/argus.h>

#include "records/argus/argus.h"

enum { CASES = 500, MAX_ROWS = 40, MAX_COLUMNS = 5 };

/* Columns with masks or without a hierarchy, and a person in every other table. */
static void draw_table(fixture *f, uint64_t *random)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    char text[4096] = "a,b,c,d,e,who\n";
    uint32_t rows = 1 + next_number(random, MAX_ROWS), values = 2 + next_number(random, 5);
    int columns = 1 + (int)next_number(random, MAX_COLUMNS);
    for (uint32_t i = 0; i < rows; i++) {
        for (int column = 0; column < MAX_COLUMNS; column++) {
            uint32_t value = next_number(random, values) * next_number(random, values) * 7 % 30;
            sprintf(text + strlen(text), next_number(random, 15) ? "%u," : ",", value);
        }
        sprintf(text + strlen(text), "p%u\n", next_number(random, 25));
    }
    fixture_open(f, text);
    for (int column = 0; column < columns; column++) {
        (next_number(random, 2) ? fixture_none : fixture_mask)(f, names[column]);
        f->attributes[column].rating = (tacit_rating)next_number(random, 3);
        f->attributes[column].least_level = next_number(random, 6) == 0;
    }
    if (next_number(random, 2))
        f->frame.person = tacit_table_find(f->table, tacit_strview_of("who"));
}

/* Rows that agree with a row in some attributes, on the solution's levels. */
static int64_t rows_like(const fixture *f, int64_t row, uint64_t attributes, const int *levels)
{
    int64_t count = 0;
    for (int64_t other = 0; other < tacit_table_rows(f->table); other++)
        count += same_on(f, row, other, attributes, levels);
    return count;
}

static bool is_minimal(const fixture *f, int64_t row, uint64_t attributes, const int *levels,
                       int64_t k)
{
    bool minimal = rows_like(f, row, attributes, levels) < k;
    for (int32_t a = 0; minimal && a < f->frame.attribute_count; a++)
        if (attributes >> a & 1)
            minimal = rows_like(f, row, attributes & ~(UINT64_C(1) << a), levels) >= k;
    return minimal;
}

/* Whether a combination is tested according to Figure 49, and an outlier. */
static bool is_tested_outlier(const fixture *f, int64_t row, uint64_t attributes, const int *levels,
                              int64_t k)
{
    int rated[3] = {0}, identifying = 0;
    for (int32_t a = 0; a < f->frame.attribute_count; a++) {
        bool below = levels[a] < tacit_hierarchy_height(f->hierarchies[a]);
        identifying += below && f->attributes[a].rating == TACIT_RATING_IDENTIFYING;
        if (!(attributes >> a & 1))
            continue;
        if (!below)
            return false;
        rated[f->attributes[a].rating]++;
    }
    return tacit__argus_tests(rated[TACIT_RATING_IDENTIFYING], rated[TACIT_RATING_MORE],
                              rated[TACIT_RATING_MAX], identifying > 0) &&
           rows_like(f, row, attributes, levels) < k;
}

/* The outliers of the report are those of the definition, of every row. */
static void check_outliers(const tacit_argus_report *report, const outcome *o, const fixture *f,
                           int64_t k, bool minimal)
{
    uint32_t class_of[MAX_ROWS];
    const int *levels = o->solution->levels;
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(tacit_classes_assign(o->solution->classes, &f->frame, class_of, &run, NULL),
                     TACIT_OK);
    for (int64_t row = 0; row < tacit_table_rows(f->table); row++)
        for (uint64_t set = 1; set < UINT64_C(1) << f->frame.attribute_count; set++) {
            const tacit_argus_outlier *found = NULL;
            for (int64_t i = 0; i < report->outlier_count; i++)
                if (report->outliers[i].class_index == class_of[row] &&
                    report->outliers[i].attributes == set) {
                    assert_null(found);
                    found = &report->outliers[i];
                }
            bool expected = minimal ? is_minimal(f, row, set, levels, k)
                                    : is_tested_outlier(f, row, set, levels, k);
            assert_int_equal(found != NULL, expected);
            if (!found)
                continue;
            assert_int_equal(found->people, rows_like(f, row, set, levels));
            assert_int_equal(found->rows, rows_like(f, row, UINT64_MAX, levels));
        }
}

/* Attributes of a row that are suppressed one by one. */
static uint64_t stars_of(const outcome *o, const fixture *f, int64_t row)
{
    uint64_t stars = 0;
    for (int32_t a = 0; a < f->frame.attribute_count; a++) {
        int level = o->solution->levels[a];
        tacit_strview cell = released_cell(o, f, row, a);
        if (level < tacit_hierarchy_height(f->hierarchies[a]) &&
            tacit_strview_equal(cell, tacit_hierarchy_suppressed()))
            stars |= UINT64_C(1) << a;
        else if (value_on(f, row, a, level) < tacit_hierarchy_count(f->hierarchies[a], level))
            assert_true(tacit_strview_equal(
                cell, tacit_hierarchy_label(f->hierarchies[a], level, value_on(f, row, a, level))));
        else
            assert_int_equal(cell.len, 0);
    }
    return stars;
}

/* The fewest attributes that have one of each outlier of a row: set covering by
 * trying every set. */
static int smallest_cover(const tacit_argus_report *report, uint32_t class_index, int attributes)
{
    int fewest = attributes;
    for (uint64_t cover = 0; cover < UINT64_C(1) << attributes; cover++) {
        bool covers = true;
        for (int64_t i = 0; i < report->outlier_count; i++)
            covers &= report->outliers[i].class_index != class_index ||
                      (report->outliers[i].attributes & cover);
        if (covers && __builtin_popcountll(cover) < fewest)
            fewest = __builtin_popcountll(cover);
    }
    return fewest;
}

static void check_covers(const tacit_argus_report *report, const outcome *o, const fixture *f)
{
    uint32_t class_of[MAX_ROWS];
    int64_t least = 0, cells = 0;
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(tacit_classes_assign(o->solution->classes, &f->frame, class_of, &run, NULL),
                     TACIT_OK);
    for (int64_t row = 0; row < tacit_table_rows(f->table); row++) {
        int cover = smallest_cover(report, class_of[row], f->frame.attribute_count);
        int stars = __builtin_popcountll(stars_of(o, f, row));
        assert_true(stars >= cover);
        least += cover;
        cells += stars;
    }
    assert_int_equal(report->least_cells, least);
    assert_int_equal(report->suppressed_cells, cells);
}

static void solve_variant(outcome *o, tacit_argus_report *report, const fixture *f, int64_t k,
                          tacit_argus_variant variant)
{
    *report = (tacit_argus_report){0};
    const tacit_argus argus = {.variant = variant, .report = report};
    solve_cells(o, f, "mu-argus", &(tacit_records_options){.k = k, .argus = &argus});
}

/* Nobody who asks for nothing special gets anything else, on any number of threads. */
static void check_plain(const outcome *o, const fixture *f, int64_t k)
{
    outcome plain;
    tacit_apply_options apply = {.keep_order = true};
    tacit_records_options options = {.k = k};
    for (int threads = 1; threads <= 3; threads += 2) {
        assert_int_equal(solve_by(&plain, f, "mu-argus", &options, &apply, 1, threads, NULL),
                         TACIT_OK);
        check_same(o, &plain, f);
        outcome_clear(&plain);
    }
}

static void check_repaired(const fixture *f, int64_t k)
{
    outcome o;
    tacit_argus_report report;
    solve_variant(&o, &report, f, k, TACIT_ARGUS_REPAIRED);
    assert_true(fewest_people(&o, f) >= k);
    assert_true(o.metrics.smallest_class >= k);
    check_generalizes(&o, f);
    if (f->frame.person < 0) {
        check_outliers(&report, &o, f, k, true);
        check_covers(&report, &o, f);
    } else {
        assert_int_equal(o.solution->boxes->part_count, 0);
    }
    check_plain(&o, f, k);
    tacit_argus_report_clear(&report);
    outcome_clear(&o);
}

/* As described, every outlier that is tested for has a star; as published, there
 * are no more stars than that. */
static void check_historic(const fixture *f, int64_t k)
{
    outcome described, published;
    tacit_argus_report report, same;
    solve_variant(&described, &report, f, k, TACIT_ARGUS_DESCRIBED);
    solve_variant(&published, &same, f, k, TACIT_ARGUS_PUBLISHED);
    check_outliers(&report, &described, f, k, false);
    check_outliers(&same, &published, f, k, false);
    for (int64_t row = 0; row < tacit_table_rows(f->table); row++) {
        uint64_t stars = stars_of(&described, f, row);
        for (uint64_t set = 1; set < UINT64_C(1) << f->frame.attribute_count; set++)
            if (is_tested_outlier(f, row, set, described.solution->levels, k))
                assert_true(stars & set);
        assert_false(stars_of(&published, f, row) & ~stars);
    }
    tacit_argus_report_clear(&report);
    tacit_argus_report_clear(&same);
    outcome_clear(&described);
    outcome_clear(&published);
}

static void test_releases(void **state)
{
    uint64_t *seed = *state, cases = many_cases(CASES);
    for (*seed = 1; *seed <= cases; ++*seed) {
        uint64_t random = *seed;
        fixture f;
        draw_table(&f, &random);
        bool everybody[MAX_ROWS * 2] = {false};
        int64_t people = 0;
        for (int64_t row = 0; row < tacit_table_rows(f.table); row++) {
            people += !everybody[person_of(&f, row)];
            everybody[person_of(&f, row)] = true;
        }
        int64_t k = 1 + next_number(&random, (uint32_t)(people < 7 ? people : 7));
        check_repaired(&f, k);
        if (f.frame.person < 0)
            check_historic(&f, k);
        fixture_close(&f);
    }
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(test_releases, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
