/*
 * test_optimal_random.c - optimal on random tables against definitions alone: on tables
 * of up to twelve rows it costs what the best of all partitions does, found by a dynamic program
 * over sets of rows, and says that this is proven, wherever it begins; what it says of its bound is
 * true wherever it is stopped; same release for any number of threads.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include "cells.h"
#include "random_cases.h"

#include <math.h>

#include "adult.h"
#include "every_node.h"
#include "records/optimal/optimal.h"

enum { CASES = 150, STOPPED_CASES = 4, STOPPED_FROM = 85, MAX_ROWS = 12, SAMPLE = 40 };

static const tacit_metric METRICS[] = {TACIT_METRIC_PREC, TACIT_METRIC_WEIGHTED,
                                       TACIT_METRIC_GRANULARITY, TACIT_METRIC_ENTROPY,
                                       TACIT_METRIC_LISTED};
enum { METRIC_COUNT = sizeof METRICS / sizeof METRICS[0] };

/* Masks, trees, flat columns; few values, so that rows are alike, or many; missing ones. */
static void draw_table(fixture *f, uint64_t *random, uint32_t most_rows)
{
    static const char *const names[] = {"x", "y", "z", "w", ""};
    char text[2048] = "a,b,c,d\n";
    uint32_t rows = 1 + next_number(random, most_rows), values = 2 + next_number(random, 30);
    for (uint32_t i = 0; i < rows; i++)
        sprintf(text + strlen(text), "%02u,%s,%u,%02u\n", next_number(random, values),
                names[next_number(random, 5)], next_number(random, 3),
                next_number(random, 2 + values / 4));
    fixture_open(f, text);
    fixture_mask(f, "a");
    fixture_file(f, "b", "x;low;all\ny;low;all\nz;high;all\nw;high;all\nv;high;all\n");
    if (next_number(random, 2))
        fixture_none(f, "c");
    if (next_number(random, 2))
        fixture_mask(f, "d");
    f->attributes[0].weight = next_number(random, 2) ? 2.5 : 0;
    f->attributes[1].least_level = next_number(random, 8) == 0;
}

static tacit_records_options draw_options(uint64_t *random)
{
    return (tacit_records_options){.k = 1 + next_number(random, 5),
                                   .metric = METRICS[next_number(random, METRIC_COUNT)],
                                   .most_general = next_number(random, 30) == 0};
}

/* What a row's cell costs on a level, by the definition of the metric. */
static double cell_cost(const every *e, int row, int attribute, int level)
{
    double share = (double)level / e->heights[attribute], weights = 0, most = 0;
    switch (e->options.metric) {
    case TACIT_METRIC_PREC: return share / (e->rows * e->attributes);
    case TACIT_METRIC_WEIGHTED:
        for (int a = 0; a < e->attributes; a++)
            weights += every_weight(e, a);
        return share * every_weight(e, attribute) / weights / e->rows;
    case TACIT_METRIC_GRANULARITY:
        return every_hidden(e, row, attribute, level) / (e->rows * e->attributes);
    case TACIT_METRIC_LISTED: /* suppression */
        return (double)every_starred(e, row, attribute, level) / (e->rows * e->attributes);
    default:
        for (int i = 0; i < e->rows; i++)
            for (int a = 0; a < e->attributes; a++)
                most += log2(e->rows / every_under(e, i, a, 0));
        if (most <= 0)
            return 0;
        return log2(every_under(e, row, attribute, level) / every_under(e, row, attribute, 0)) /
               most;
    }
}

enum { MAX_LEVELS = 8 };

/* Every row's value and cost on every level, which the sets of rows ask for again and again. */
typedef struct every_cell {
    const every *e;
    uint32_t value[MAX_ROWS][EVERY_ATTRIBUTES][MAX_LEVELS];
    double cost[MAX_ROWS][EVERY_ATTRIBUTES][MAX_LEVELS];
} every_cell;

static void look_up_cells(every_cell *cells, const every *e)
{
    cells->e = e;
    for (int row = 0; row < e->rows; row++)
        for (int a = 0; a < e->attributes; a++)
            for (int level = 0; level <= e->heights[a]; level++) {
                assert_true(level < MAX_LEVELS);
                cells->value[row][a][level] = value_on(e->f, row, a, level);
                cells->cost[row][a][level] = cell_cost(e, row, a, level);
            }
}

/* The lowest level on which all rows of a set agree. */
static int meeting(const every_cell *cells, unsigned set, int attribute)
{
    const every *e = cells->e;
    int level =
        e->options.most_general ? e->heights[attribute] : e->f->attributes[attribute].least_level;
    int first = __builtin_ctz(set);
    for (int row = 0; row < e->rows; row++)
        while (set >> row & 1 &&
               cells->value[row][attribute][level] != cells->value[first][attribute][level])
            level++;
    return level;
}

/* What the rows of a set cost as one cluster. */
static double cluster_cost(const every_cell *cells, unsigned set)
{
    double sum = 0;
    for (int a = 0; a < cells->e->attributes; a++) {
        int level = meeting(cells, set, a);
        for (int row = 0; row < cells->e->rows; row++)
            sum += set >> row & 1 ? cells->cost[row][a][level] : 0;
    }
    return sum;
}

/* The least that the rows of the table cost in clusters of k: of each set of rows,
 * the first row's cluster and the best of the rest. */
static double best_partition(const every *e)
{
    static double own[1 << MAX_ROWS], best[1 << MAX_ROWS];
    static every_cell cells;
    unsigned all = (1u << e->rows) - 1;
    look_up_cells(&cells, e);
    best[0] = 0;
    for (unsigned set = 1; set <= all; set++) {
        own[set] = __builtin_popcount(set) >= e->options.k ? cluster_cost(&cells, set) : INFINITY;
        best[set] = INFINITY;
        for (unsigned part = set; part; part = (part - 1) & set)
            if (part & set & -set)
                best[set] = fmin(best[set], own[part] + best[set & ~part]);
    }
    return best[all];
}

static tacit_status solve_optimal(outcome *o, const fixture *f,
                                  const tacit_records_options *options, int threads)
{
    tacit_error err = {0};
    const tacit_apply_options apply = {.keep_order = true};
    tacit_status status = solve_by(o, f, "optimal", options, &apply, 1, threads, &err);
    if (status != TACIT_OK && status != TACIT_INFEASIBLE)
        fail_msg("%s", err.message);
    return status;
}

static void check_case(const fixture *f, const tacit_records_options *options)
{
    static every e;
    outcome o, again;
    every_begin(&e, f, NULL, options);
    tacit_status status = solve_optimal(&o, f, options, 1);
    double best = best_partition(&e);
    assert_int_equal(status == TACIT_OK, isfinite(best));
    if (status == TACIT_OK) {
        assert_true(fabs(tacit_metrics_cost(&o.metrics, options->metric) - best) <= 1e-9);
        assert_true(fabs(o.solution->search.lower_bound - best) <= 1e-6);
        assert_true(o.solution->search.lower_bound <= best + 1e-12);
        assert_true(o.solution->search.proven);
        assert_true(fewest_people(&o, f) >= options->k);
        check_generalizes(&o, f);
        solve_optimal(&again, f, options, 3);
        check_same(&o, &again, f);
        outcome_clear(&again);
    }
    outcome_clear(&o);
}

static void check_cases(uint64_t *seed,
                        void (*check)(const fixture *f, const tacit_records_options *options))
{
    for (uint64_t i = 1; i <= many_cases(CASES); i++) {
        uint64_t random = *seed = i;
        fixture f;
        draw_table(&f, &random, MAX_ROWS);
        tacit_records_options options = draw_options(&random);
        check(&f, &options);
        fixture_close(&f);
    }
    *seed = 0;
}

static void test_optimum(void **state)
{
    check_cases(*state, check_case);
}

/* The search alone, from the worst layout and without a bound. */
static void check_from_nothing(const fixture *f, const tacit_records_options *options)
{
    static every e;
    tacit_run run;
    tacit__local local;
    tacit__local_found found = {.bound = NAN};
    uint8_t top[EVERY_ATTRIBUTES];
    tacit_run_init(&run);
    every_begin(&e, f, NULL, options);
    if (e.rows < options->k)
        return;
    assert_int_equal(tacit__local_init(&local, &f->frame, options, &run, NULL), TACIT_OK);
    for (int a = 0; a < e.attributes; a++)
        top[a] = (uint8_t)e.heights[a];
    assert_int_equal(tacit__layout_open(&found.layout, top, e.attributes, NULL), TACIT_OK);
    for (uint32_t c = 0; c < tacit_classes_count(local.classes); c++)
        assert_int_equal(tacit__layout_add(&found.layout, (tacit__share){c, local.people[c]}, NULL),
                         TACIT_OK);
    assert_int_equal(tacit__optimal_search(&found, &local, false, NULL), TACIT_OK);
    double best = best_partition(&e);
    double cost = tacit__layout_cost(&found.layout, &local, 0, found.layout.boxes);
    assert_true(fabs(cost / e.rows - local.costs.offset - best) <= 1e-9);
    assert_true(fabs(found.bound / e.rows - local.costs.offset - best) <= 1e-7);
    tacit__layout_clear(&found.layout);
    tacit__local_clear(&local);
}

static void test_from_nothing(void **state)
{
    check_cases(*state, check_from_nothing);
}

/* A run that says stop when it has been asked so often. */
static bool stop_after(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total;
    int64_t *left = payload;
    return (*left)-- > 0;
}

/* Stopped somewhere: a release that is safe and bounds that hold, or nothing. */
static bool stop_somewhere(const fixture *f, const tacit_records_options *options, double best,
                           int64_t patience)
{
    tacit_run run;
    outcome o = {0};
    bool stopped = true;
    tacit_run_init(&run);
    run.threads = 1;
    run.progress = stop_after;
    run.payload = &patience;
    tacit_status status =
        tacit_method_find("optimal")->solve(&o.solution, &f->frame, options, &run, NULL);
    if (status == TACIT_OK) {
        const tacit_apply_options apply = {.keep_order = true};
        stopped = o.solution->search.stopped;
        run.progress = NULL;
        assert_int_equal(
            tacit_solution_apply(&o.application, o.solution, &f->frame, &apply, &run, NULL),
            TACIT_OK);
        assert_true(fewest_people(&o, f) >= options->k);
        assert_false(o.solution->search.lower_bound > best + 1e-9);
    } else {
        assert_int_equal(status, TACIT_CANCELLED);
        assert_null(o.solution);
    }
    outcome_clear(&o);
    return stopped;
}

static void test_stopped(void **state)
{
    uint64_t *seed = *state;
    for (uint64_t i = 0; i < many_cases(STOPPED_CASES); i++) {
        uint64_t random = *seed = STOPPED_FROM + i; /* one of them once had a bound too high */
        static every e;
        fixture f;
        tacit_records_options options = {.k = 2 + next_number(&random, 2), .until_stopped = true};
        do {
            draw_table(&f, &random, MAX_ROWS);
            if (tacit_table_rows(f.table) >= 8)
                break;
            fixture_close(&f);
        } while (true);
        every_begin(&e, &f, NULL, &options);
        double best = best_partition(&e);
        for (int64_t patience = 0; stop_somewhere(&f, &options, best, patience);)
            patience += 1 + patience / 16;
        fixture_close(&f);
    }
    *seed = 0;
}

/* ---- samples of adult ---- */

/* A few records of adult, every so manyth. */
static void adult_sample(fixture *f, int64_t rows, int64_t from)
{
    char *text = NULL;
    size_t used = 0;
    fixture whole;
    adult_open(&whole);
    int64_t all = tacit_table_rows(whole.table);
    FILE *out = open_memstream(&text, &used);
    assert_non_null(out);
    for (int32_t c = 0; c < whole.frame.attribute_count; c++) {
        tacit_strview name = tacit_table_name(whole.table, c);
        fprintf(out, "%s%.*s", c ? "," : "", (int)name.len, name.bytes);
    }
    for (int64_t i = 0; i < rows; i++)
        for (int32_t c = 0; c < whole.frame.attribute_count; c++) {
            uint32_t code =
                tacit_codes_at(tacit_table_codes(whole.table, c), (from + i * all / rows) % all);
            tacit_strview value = tacit_table_value(whole.table, c, code);
            fprintf(out, "%s%.*s", c ? "," : "\n", (int)value.len, value.bytes);
        }
    fclose(out);
    fixture_open(f, text);
    for (int32_t c = 0; c < whole.frame.attribute_count; c++) {
        char path[600], column[64];
        tacit_strview name = tacit_table_name(whole.table, c);
        snprintf(column, sizeof column, "%.*s", (int)name.len, name.bytes);
        snprintf(path, sizeof path, ADULT_DATA "adult_hierarchy_%s.csv", column);
        fixture_add(f, column, &(tacit_hierarchy_spec){.kind = TACIT_HIERARCHY_FILE, .path = path});
    }
    free(text);
    fixture_close(&whole);
}

/* Nothing that local finds is better, and nothing is below the bound. */
static void test_adult_samples(void **state)
{
    (void)state;
    fixture f;
    for (int64_t from = 0; from < 3; from++) {
        outcome best, local;
        const tacit_records_options options = {.k = 5};
        adult_sample(&f, SAMPLE, 17 * from);
        solve_cells(&best, &f, "optimal", &options);
        solve_cells(&local, &f, "local", &options);
        assert_true(best.solution->search.proven);
        assert_true(best.metrics.precision >= local.metrics.precision - 1e-12);
        assert_true(local.solution->search.lower_bound <= 1 - best.metrics.precision + 1e-9);
        assert_true(best.metrics.smallest_class >= options.k);
        outcome_clear(&best);
        outcome_clear(&local);
        fixture_close(&f);
    }
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(test_optimum, &seed),
        random_test(test_from_nothing, &seed),
        random_test(test_stopped, &seed),
        cmocka_unit_test(test_adult_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
