/*
 * test_auto_random.c - the method auto on random small tables: safe over the whole table by the
 * tests' own judge and by the audit, never dearer than hitas or hypercube, at the least cost where
 * it says so, the same for any number of threads, and the best so far when it is stopped. The same
 * cost is asked of linked tables.
 */
#include "tables.h"

#include <tacit/experimental/audit_cells.h>

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

/* ---- linked tables ---- */

/* Tables over two of three dimensions each, of the same records, in groups where asked for. */
typedef struct linkage {
    int codes[3], group;
    int records, primaries; /* percent of cells */
    int tables;
} linkage;

static const int PAIRS[3][2] = {{0, 1}, {1, 2}, {0, 2}};

/* A tree of the codes of a dimension, or nothing. */
static void write_dimension(char *spec, const linkage *l, int d)
{
    char text[8192] = "T\n", *at = text + 2, name[16];
    for (int i = 0; i < l->codes[d] && l->group > 0; i++) {
        if (i % l->group == 0)
            at += sprintf(at, "@g%d\n", i / l->group);
        at += sprintf(at, "@@c%d\n", i);
    }
    assert_true((size_t)(at - text) < sizeof text);
    sprintf(name, "tree%d", d);
    if (l->group > 0)
        sprintf(spec, "d%d=%s ", d, file_of(name, text));
    else
        sprintf(spec, "d%d ", d);
}

static tacit_cells *one_table(const linkage *l, const int *counts, const int *pair)
{
    int rows = l->codes[pair[0]], columns = l->codes[pair[1]];
    size_t size = (size_t)rows * (size_t)columns * 32 + 64;
    char *text = malloc(size), *at = text, spec[512];
    write_dimension(spec, l, pair[0]);
    write_dimension(spec + strlen(spec), l, pair[1]);
    at += sprintf(at, "d%d,d%d,freq,status,lpl,upl\n", pair[0], pair[1]);
    for (int i = 0; i < rows * columns; i++) {
        bool primary = counts[i] > 0 && random_below(100) < l->primaries;
        at += sprintf(at, "c%d,c%d,%d,%c,%d,%d\n", i / columns, i % columns, counts[i],
                      primary ? 'u' : 's', primary, primary);
    }
    tacit_cells *cells = cells_of(text, &spec_of(spec)->spec, tacit_cells_from_table);
    free(text);
    return cells;
}

static tacit_cells *linked_cells(const linkage *l)
{
    int *counts[3];
    tacit_cells *parts[3], *linked = NULL;
    for (int t = 0; t < l->tables; t++)
        counts[t] = calloc((size_t)(l->codes[PAIRS[t][0]] * l->codes[PAIRS[t][1]]), sizeof(int));
    for (int i = 0; i < l->records; i++) {
        int code[3], amount = 1 + random_below(9);
        for (int d = 0; d < 3; d++)
            code[d] = random_below(l->codes[d]);
        for (int t = 0; t < l->tables; t++)
            counts[t][code[PAIRS[t][0]] * l->codes[PAIRS[t][1]] + code[PAIRS[t][1]]] += amount;
    }
    for (int t = 0; t < l->tables; t++) {
        tables_end(NULL);
        parts[t] = one_table(l, counts[t], PAIRS[t]);
        free(counts[t]);
    }
    assert_int_equal(
        tacit_cells_link(&linked, (const tacit_cells *const *)parts, l->tables, 0, NULL), TACIT_OK);
    for (int t = 0; t < l->tables; t++)
        tacit_cells_free(parts[t]);
    return linked;
}

/* Under its own limits, and judged by the audit. */
static tacit_status fully(tacit_pattern *out, const tacit_cells *cells, const char *method)
{
    const tacit_suppress_options options = {0};
    return tacit_suppress(out, cells, tacit_suppress_method_find(method), &options,
                          tacit_audit_cells_judge, NULL, NULL, NULL);
}

static void compare_linked(const tacit_cells *cells)
{
    static const char *const OTHERS[] = {"hypercube", "hitas"};
    tacit_pattern pattern = {0};
    tacit_status status = fully(&pattern, cells, "auto");
    for (int m = 0; m < 2 && status == TACIT_OK; m++) {
        tacit_pattern other = {0};
        assert_int_equal(fully(&other, cells, OTHERS[m]), TACIT_OK);
        if (pattern.cost > other.cost + 1e-9 * (1 + other.cost))
            fail_msg("auto costs %g and %s %g", pattern.cost, OTHERS[m], other.cost);
        tacit_pattern_clear(&other);
    }
    assert_true(status == TACIT_OK || status == TACIT_INFEASIBLE);
    tacit_pattern_clear(&pattern);
}

static void test_linked(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(20); ++*seed) {
        random_start(*seed);
        linkage l = {.group = random_below(2) ? 2 : 0,
                     .records = 30 + random_below(200),
                     .primaries = 5 + random_below(20),
                     .tables = 2 + random_below(2)};
        for (int d = 0; d < 3; d++)
            l.codes[d] = 3 + random_below(4);
        tacit_cells *cells = linked_cells(&l);
        compare_linked(cells);
        tacit_cells_free(cells);
    }
    *seed = 0;
}

/* More cells than auto takes for few; minutes. */
static void test_linked_large(void **state)
{
    uint64_t *seed = *state;
    if (!getenv("TACIT_LONG")) {
        print_message("takes minutes: set TACIT_LONG\n");
        skip();
    }
    random_start(*seed = 1);
    const linkage l = {
        .codes = {150, 150, 150}, .group = 6, .records = 20000, .primaries = 20, .tables = 2};
    tacit_cells *cells = linked_cells(&l);
    assert_true(cells->count > 50000);
    compare_linked(cells);
    tacit_cells_free(cells);
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
        random_test(test_large_trees, &seed),   random_test(test_linked, &seed),
        random_test(test_linked_large, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
