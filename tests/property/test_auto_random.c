/*
 * test_auto_random.c - the method auto on random small tables: safe over the whole table by the
 * tests' own judge and by the audit, never dearer than hitas or hypercube, at the least cost where
 * it says so, the same for any number of threads, and the best so far when it is stopped.
 */
#include "tables.h"

#include <tacit/audit_cells.h>

#include "random_cases.h"
#include "suppress.h"

static tacit_cells *some_cells(void)
{
    table_shape shape = {.dimensions = 1 + random_below(3),
                         .hierarchical = random_below(2),
                         .largest = 9 + random_below(100),
                         .primaries = 5 + random_below(30),
                         .zeros = random_below(3) ? 0 : random_below(50)};
    tacit_cells *cells = random_cells(&shape);
    for (int32_t i = 0; i < cells->count; i++) {
        if (random_below(2))
            cells->cost[i] = random_below(4) ? random_below(20) : random_below(1000) / 100.0;
        if (cells->status[i] == 'u' && random_below(4) == 0) {
            cells->upl[i] = random_below(4);
            cells->spl[i] = random_below(8);
        }
    }
    return cells;
}

/* Whether the audit has nothing to say. */
static bool audited(const tacit_cells *cells, const tacit_pattern *pattern)
{
    tacit_cells_audit_options options = {0};
    tacit_cells_audit *audit = NULL;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    assert_int_equal(tacit_audit_cells(&audit, cells, pattern->status, &options, &run, NULL),
                     TACIT_OK);
    bool safe = audit->disclosed + audit->underprotected + audit->unknown == 0;
    tacit_cells_audit_free(audit);
    return safe;
}

static void compare(const tacit_cells *cells, const tacit_pattern *pattern, const char *method)
{
    tacit_pattern other = {0};
    tacit_error err = {0};
    assert_int_equal(suppressed_fully(&other, cells, method, &err), TACIT_OK);
    assert_true(pattern->cost <= other.cost + 1e-9 * (1 + other.cost));
    tacit_pattern_clear(&other);
}

static void test_never_worse(void **state)
{
    uint64_t *seed = *state;
    int safe = 0;
    for (*seed = 1; *seed <= many_cases(120); ++*seed) {
        random_start(*seed);
        tacit_cells *cells = some_cells();
        tacit_pattern pattern = {0};
        tacit_error err = {0};
        tacit_status status = suppressed_fully(&pattern, cells, "auto", &err);
        if (status == TACIT_OK) {
            check_letters(cells, &pattern);
            assert_true(audited(cells, &pattern));
            compare(cells, &pattern, "hypercube");
            compare(cells, &pattern, "hitas");
            safe += pattern.secondary > 0;
            tacit_pattern_clear(&pattern);
        } else {
            assert_int_equal(status, TACIT_INFEASIBLE);
            assert_true(hopeless(cells));
        }
        tacit_cells_free(cells);
    }
    assert_true(safe >= 5);
    *seed = 0;
}

/* Some tables have secondary cells to begin with, which cost and bound count alike. */
static void suppress_some(tacit_cells *cells)
{
    for (int32_t i = 0; i < cells->count; i++)
        if (cells->status[i] == 's' && random_below(30) == 0)
            cells->status[i] = 'x';
}

/* Where both prove it they agree, and no bound is above the optimum. */
static void test_optimal(void **state)
{
    uint64_t *seed = *state;
    int proven = 0;
    for (*seed = 1; *seed <= many_cases(60); ++*seed) {
        random_start(*seed);
        tacit_cells *cells = some_cells();
        tacit_pattern pattern = {0}, best = {0};
        tacit_error err = {0};
        if (random_below(3) == 0)
            suppress_some(cells);
        if (suppressed_fully(&pattern, cells, "auto", &err) == TACIT_OK &&
            suppressed_fully(&best, cells, "optimal", &err) == TACIT_OK && best.proven) {
            assert_true(fabs(best.lower_bound - best.cost) <= 1e-9 * (1 + best.cost));
            assert_true(!(pattern.lower_bound > best.cost + 1e-3));
            assert_true(!pattern.proven || fabs(pattern.cost - best.cost) <= 1e-3);
            proven += pattern.proven;
        }
        tacit_pattern_clear(&pattern);
        tacit_pattern_clear(&best);
        tacit_cells_free(cells);
    }
    assert_true(proven >= 5);
    *seed = 0;
}

static void test_threads(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(20); ++*seed) {
        random_start(*seed);
        tacit_suppress_options options = {.rounds = 5};
        tacit_cells *cells = some_cells();
        tacit_pattern one = solved(cells, "auto", &options, 1);
        tacit_pattern many = solved(cells, "auto", &options, 7);
        assert_memory_equal(one.status, many.status, cells->count);
        assert_int_equal(one.rounds, many.rounds);
        tacit_pattern_clear(&one);
        tacit_pattern_clear(&many);
        tacit_cells_free(cells);
    }
    *seed = 0;
}

/* Says stop after so many questions. */
static bool stop_after(const char *phase, int64_t done, int64_t total, void *payload)
{
    int *left = payload;
    (void)phase;
    (void)done;
    (void)total;
    return --*left > 0;
}

/* Nothing, or a pattern that protects all that the finished one does. */
static void check_stopped(const tacit_cells *cells, const char *method, int after, int *stopped)
{
    tacit_suppress_options options = {0};
    tacit_pattern pattern = {0};
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    run.progress = stop_after;
    run.payload = &after;
    tacit_status status = tacit_suppress_method_find(method)->solve(&pattern, cells, cells->status,
                                                                    &options, &run, &err);
    if (status != TACIT_OK) {
        assert_int_equal(status, TACIT_CANCELLED);
        return;
    }
    assert_true(pattern.unprotected >= 0 || audited(cells, &pattern));
    *stopped += pattern.stopped;
    tacit_pattern_clear(&pattern);
}

static void test_stopped(void **state)
{
    uint64_t *seed = *state;
    int stopped = 0;
    for (*seed = 1; *seed <= many_cases(40); ++*seed) {
        random_start(*seed);
        tacit_cells *cells = some_cells();
        check_stopped(cells, "auto", 1 + random_below(60), &stopped);
        tacit_cells_free(cells);
    }
    assert_true(stopped >= 1);
    *seed = 0;
}

/* Of a table without hierarchies hitas has a pattern of its own as soon as the search does. */
static void test_stopped_hitas(void **state)
{
    uint64_t *seed = *state;
    int stopped = 0;
    for (*seed = 1; *seed <= many_cases(60); ++*seed) {
        random_start(*seed);
        const table_shape shape = {
            .dimensions = 2 + random_below(2), .largest = 20, .primaries = 20};
        tacit_cells *cells = random_cells(&shape);
        check_stopped(cells, "hitas", 1 + random_below(30), &stopped);
        tacit_cells_free(cells);
    }
    assert_true(stopped >= 1);
    *seed = 0;
}

/* A table that is large for it, of four dimensions: safe, and cheaper than hypercube. */
static tacit_cells *large_cells(void)
{
    size_t size = 1 << 20;
    char *text = malloc(size), *at = text;
    at += sprintf(at, "a,b,c,d,freq,status,lpl,upl\n");
    for (int i = 0; i < 14 * 14 * 14 * 14; i++) {
        bool primary = random_below(8000) == 0;
        at += sprintf(at, "%c,%c,%c,%c,%d,%c,%d,%d\n", 'a' + i / 2744, 'a' + i / 196 % 14,
                      'a' + i / 14 % 14, 'a' + i % 14, primary ? 1 : 1 + random_below(20),
                      primary ? 'u' : 's', primary, primary);
    }
    assert_true((size_t)(at - text) < size);
    tacit_cells *cells = cells_of(text, &spec_of("a b c d")->spec, tacit_cells_from_table);
    free(text);
    return cells;
}

/* The same of two dimensions with groups of eight codes, which is what hitas does best. */
static tacit_cells *large_trees(void)
{
    enum { CODES = 204 };
    size_t size = 1 << 20;
    char *text = malloc(size), *at = text, tree[4096] = "T\n", spec[512], *end = tree + 2;
    for (int i = 0; i < CODES; i++) {
        if (i % 8 == 0)
            end += sprintf(end, "@g%d\n", i / 8);
        end += sprintf(end, "@@c%d\n", i);
    }
    assert_true((size_t)(end - tree) < sizeof tree);
    sprintf(spec, "a=%s b=%s", file_of("first", tree), file_of("second", tree));
    at += sprintf(at, "a,b,freq,status,lpl,upl\n");
    for (int i = 0; i < CODES * CODES; i++) {
        bool primary = random_below(20) == 0;
        at += sprintf(at, "c%d,c%d,%d,%c,%d,%d\n", i / CODES, i % CODES,
                      primary ? 1 : 1 + random_below(20), primary ? 'u' : 's', primary, primary);
    }
    assert_true((size_t)(at - text) < size);
    tacit_cells *cells = cells_of(text, &spec_of(spec)->spec, tacit_cells_from_table);
    free(text);
    return cells;
}

/* Without local search, and judged by the audit. */
static tacit_pattern quickly(const tacit_cells *cells, const char *method)
{
    tacit_pattern pattern = {0};
    tacit_suppress_options options = {.rounds = -1};
    assert_int_equal(tacit_suppress(&pattern, cells, tacit_suppress_method_find(method), &options,
                                    tacit_audit_cells_judge, NULL, NULL, NULL),
                     TACIT_OK);
    return pattern;
}

static void test_large(void **state)
{
    uint64_t *seed = *state;
    random_start(*seed = 1);
    tacit_cells *cells = large_cells();
    assert_true(cells->count > 50000);
    tacit_pattern pattern = quickly(cells, "auto"), other = quickly(cells, "hypercube");
    assert_true(pattern.unprotected < 0);
    assert_true(pattern.cost < other.cost);
    tacit_pattern_clear(&pattern);
    tacit_pattern_clear(&other);
    tacit_cells_free(cells);
    *seed = 0;
}

/* Hitas takes less than a tenth of the time there, and hypercube is much dearer. */
static void test_large_trees(void **state)
{
    uint64_t *seed = *state;
    random_start(*seed = 1);
    tacit_cells *cells = large_trees();
    assert_true(cells->count > 50000);
    tacit_pattern pattern = quickly(cells, "auto"), other = quickly(cells, "hitas");
    assert_true(pattern.unprotected < 0);
    assert_true(pattern.cost <= other.cost);
    tacit_pattern_clear(&pattern);
    tacit_pattern_clear(&other);
    tacit_cells_free(cells);
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(test_never_worse, &seed),   random_test(test_optimal, &seed),
        random_test(test_threads, &seed),       random_test(test_stopped, &seed),
        random_test(test_stopped_hitas, &seed), random_test(test_large, &seed),
        random_test(test_large_trees, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
