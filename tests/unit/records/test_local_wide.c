/*
 * test_local_wide.c - clusters of near records, and members exchanged between boxes, on random wide
 * tables: everybody is in boxes of k people that hold them, exchanging never costs more, groups
 * that were planted are found, releases do not depend on threads, and every allocation fails in
 * turn.
 */
#include "cells.h"

#include <math.h>

#include "random_cases.h"
#include "records/local/wide.h"
#include "starve.h"

enum { CASES = 12, COLUMNS = 12, GROUPS = 15, MEMBERS = 4 };

static const char HEADER[] = "a,b,c,d,e,f,g,h,i,j,k,l,who\n";

static void add_columns(fixture *f)
{
    char name[2] = "a";
    for (int c = 0; c < COLUMNS; c++, name[0]++)
        if (c % 3 == 0)
            fixture_mask(f, name);
        else
            fixture_none(f, name);
}

/* Rows of few values, so that some are equal, and people of several rows in some tables. */
static void open_random(fixture *f, uint64_t *random)
{
    char text[16384];
    size_t at = (size_t)sprintf(text, "%s", HEADER);
    uint32_t rows = 1 + next_number(random, 80), spread = 1 + next_number(random, 20);
    for (uint32_t i = 0; i < rows; i++) {
        for (int c = 0; c < COLUMNS; c++)
            at += (size_t)sprintf(text + at, "%02u,",
                                  next_number(random, 4) ? 11 : next_number(random, spread));
        at += (size_t)sprintf(text + at, "p%u\n", next_number(random, 40));
    }
    fixture_open(f, text);
    add_columns(f);
    if (next_number(random, 3) == 0)
        f->frame.person = COLUMNS;
}

/* Who is in boxes: each class with all of its people, boxes with k, and values that hold. */
static void check_layout(const tacit__local *local, const tacit__local_layout *layout)
{
    int64_t classes = local->classes->groups.count;
    int64_t *people = calloc((size_t)classes, sizeof *people);
    for (int64_t b = 0; b < layout->boxes; b++) {
        const uint8_t *levels = layout->levels + b * COLUMNS;
        uint32_t first = layout->shares[layout->starts[b]].class_index;
        int64_t in_box = 0;
        for (int64_t i = layout->starts[b]; i < layout->starts[b + 1]; i++) {
            tacit__share share = layout->shares[i];
            in_box += share.people;
            people[share.class_index] += share.people;
            for (int32_t a = 0; a < COLUMNS; a++)
                assert_int_equal(tacit__local_number(local, share.class_index, a, levels[a]),
                                 tacit__local_number(local, first, a, levels[a]));
        }
        assert_true(in_box >= local->k);
    }
    for (int64_t c = 0; c < classes; c++)
        assert_int_equal(people[c], local->people[c]);
    free(people);
}

static void test_layouts(void **state)
{
    static const tacit_metric METRICS[] = {TACIT_METRIC_PREC, TACIT_METRIC_GRANULARITY,
                                           TACIT_METRIC_ENTROPY, TACIT_METRIC_WEIGHTED};
    uint64_t *seed = *state;
    for (uint64_t i = 1; i <= many_cases(CASES); i++) {
        uint64_t random = *seed = i;
        fixture f;
        tacit_run run;
        tacit__local local;
        tacit__local_layout layout = {0};
        bool made = false;
        tacit_records_options options = {.k = 1 + next_number(&random, 6),
                                         .metric = METRICS[next_number(&random, 4)]};
        tacit_run_init(&run);
        open_random(&f, &random);
        if (tacit__local_init(&local, &f.frame, &options, &run, NULL) == TACIT_OK) {
            assert_true(tacit__local_is_wide(&local));
            assert_int_equal(tacit__local_clusters(&made, &layout, &local, NULL), TACIT_OK);
            if (made) {
                check_layout(&local, &layout);
                double before = tacit__layout_cost(&layout, &local, 0, layout.boxes);
                assert_int_equal(tacit__local_exchange(&layout, &local, NULL), TACIT_OK);
                check_layout(&local, &layout);
                assert_true(tacit__layout_cost(&layout, &local, 0, layout.boxes) <= before);
            }
            tacit__layout_clear(&layout);
            tacit__local_clear(&local);
        }
        fixture_close(&f);
    }
    *seed = 0;
}

/* Groups whose members share all but one column, which differs from member to member. */
static void open_planted(fixture *f, uint64_t random)
{
    char text[16384], cells[GROUPS][COLUMNS];
    size_t at = (size_t)sprintf(text, "%s", HEADER);
    for (int g = 0; g < GROUPS; g++)
        for (int c = 0; c < COLUMNS; c++)
            cells[g][c] = (char)('A' + next_number(&random, 8));
    for (int m = 0; m < MEMBERS; m++)
        for (int g = 0; g < GROUPS; g++)
            for (int c = 0; c <= COLUMNS; c++)
                at += (size_t)sprintf(text + at, "%c%c",
                                      c == COLUMNS       ? 'p'
                                      : c == g % COLUMNS ? '0' + m
                                                         : cells[g][c],
                                      c == COLUMNS ? '\n' : ',');
    fixture_open(f, text);
    char name[2] = "a";
    for (int c = 0; c < COLUMNS; c++, name[0]++)
        fixture_none(f, name);
}

/* Each group has one column of twelve suppressed, and nothing else is needed. */
static void test_planted(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        fixture f;
        tacit_run run;
        tacit_solution *solution = NULL;
        tacit_metrics metrics;
        tacit_records_options options = {.k = MEMBERS, .metric = TACIT_METRIC_PREC};
        tacit_run_init(&run);
        open_planted(&f, seed);
        assert_int_equal(
            tacit_method_find("local")->solve(&solution, &f.frame, &options, &run, NULL), TACIT_OK);
        assert_int_equal(tacit_metrics_of(&metrics, solution, NULL, &f.frame, &options, &run, NULL),
                         TACIT_OK);
        assert_float_equal(metrics.precision, 1 - 1.0 / COLUMNS, 1e-9);
        tacit_solution_free(solution);
        fixture_close(&f);
    }
}

static void test_threads(void **state)
{
    (void)state;
    uint64_t random = 5;
    fixture f;
    outcome one, seven;
    tacit_error err = {0};
    const tacit_apply_options apply = {.keep_order = true};
    tacit_records_options options = {.k = 3, .metric = TACIT_METRIC_GRANULARITY};
    open_random(&f, &random);
    assert_int_equal(solve_by(&one, &f, "local", &options, &apply, 1, 1, &err), TACIT_OK);
    assert_int_equal(solve_by(&seven, &f, "local", &options, &apply, 1, 7, &err), TACIT_OK);
    assert_true(fewest_people(&one, &f) >= options.k);
    for (int64_t row = 0; row < tacit_table_rows(f.table); row++)
        for (int32_t a = 0; a < COLUMNS; a++)
            assert_true(tacit_strview_equal(released_cell(&one, &f, row, a),
                                            released_cell(&seven, &f, row, a)));
    outcome_clear(&one);
    outcome_clear(&seven);
    fixture_close(&f);
}

/* Lets the first rounds go on: each of them allocates the same. */
static bool go_on(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total;
    int *left = payload;
    return (*left)-- > 0;
}

static tacit_status cluster_and_exchange(void *context, tacit_error *err)
{
    const fixture *f = context;
    tacit_records_options options = {.k = 3, .metric = TACIT_METRIC_PREC};
    tacit_run run;
    tacit__local local;
    tacit__local_layout layout = {0};
    bool made = false;
    int left = 8;
    tacit_run_init(&run);
    run.threads = 1;
    run.progress = go_on;
    run.payload = &left;
    tacit_status status = tacit__local_init(&local, &f->frame, &options, &run, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__local_clusters(&made, &layout, &local, err);
    if (status == TACIT_OK)
        status = tacit__local_exchange(&layout, &local, err);
    tacit__layout_clear(&layout);
    tacit__local_clear(&local);
    return status == TACIT_CANCELLED ? TACIT_OK : status;
}

static void test_memory(void **state)
{
    (void)state;
    fixture f;
    open_planted(&f, 1);
    starve_some(cluster_and_exchange, &f, 60);
    fixture_close(&f);
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        random_test(test_layouts, &seed),
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
