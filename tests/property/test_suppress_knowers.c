/*
 * test_suppress_knowers.c - patterns that hide primary cells from contributors who know what they
 * gave, and their sums, on random small tables: what every method promises is judged by the audit,
 * which shares no code with them, and `optimal` by all patterns gone through.
 */
#include "tables.h"

#include "random_cases.h"
#include "suppress.h"

#include "knowers.h"

static records_shape some_shape(bool small)
{
    int dimensions = 1 + random_below(small ? 2 : 3);
    return (records_shape){.dimensions = dimensions,
                           .hierarchical = !small && dimensions < 3 && random_below(2),
                           .records = 4 + random_below(small ? 25 : 60),
                           .owners = 2 + random_below(20),
                           .holdings = random_below(3) > 0,
                           .counted = random_below(3) == 0};
}

/* At least one of the two. */
static tacit_suppress_options some_options(void)
{
    int which = random_below(4);
    return (tacit_suppress_options){.singletons = which != 1, .sums = which > 0};
}

/* Rules make cells primary that have few contributors, or one that is much larger than others. */
static void make_primary(tacit_cells *cells, const records_shape *shape)
{
    tacit_rules_options options;
    tacit_rule rules[2];
    int which = shape->counted ? 0 : random_below(3);
    const char *const dominated = random_below(2) ? "p:20" : "nk:1,70";
    tacit_rules_options_init(&options);
    options.side = (tacit_level_side)random_below(4);
    assert_int_equal(tacit_rule_parse(&rules[0], random_below(2) ? "freq:1" : "freq:2", NULL),
                     TACIT_OK);
    assert_int_equal(tacit_rule_parse(&rules[1], dominated, NULL), TACIT_OK);
    assert_int_equal(
        tacit_cells_apply_rules(cells, rules + (which == 2), which == 1 ? 2 : 1, &options, NULL),
        TACIT_OK);
}

/* Some cells must be published. */
static void fix_some(tacit_cells *cells)
{
    int share = random_below(2) ? 0 : random_below(70);
    for (int32_t i = 0; i < cells->count; i++)
        if (cells->status[i] == 's' && random_below(100) < share)
            cells->status[i] = 'z';
}

/* Every method. */
static void test_methods(void **state)
{
    uint64_t *seed = *state;
    int kept = 0, impossible = 0;
    for (*seed = 1; *seed <= many_cases(150); ++*seed) {
        random_start(*seed);
        records_shape shape = some_shape(false);
        tacit_suppress_options options = some_options();
        tacit_cells *cells = random_contributors(&shape);
        make_primary(cells, &shape);
        fix_some(cells);
        for (const char *const *m = HIDING_METHODS; *m; m++) {
            tacit_pattern pattern = {0};
            tacit_error err = {0};
            tacit_status status = suppressed_from_insiders(&pattern, cells, *m, &options, &err);
            if (status == TACIT_OK) {
                check_letters(cells, &pattern);
                assert_true(keeps_all(cells, pattern.status, &options));
                assert_true(hides_all(cells, pattern.status));
                kept += pattern.secondary > 0;
            } else {
                assert_int_equal(status, TACIT_INFEASIBLE);
                assert_true(nothing_keeps(cells, &options));
                impossible++;
            }
            tacit_pattern_clear(&pattern);
        }
        tacit_cells_free(cells);
    }
    assert_true(kept > 50 / ONE_CASE_OF && impossible > 50 / ONE_CASE_OF);
    *seed = 0;
}

enum { FEW = 10 };

/* Leaves FEW cells that may be suppressed, at costs of all kinds. */
static int make_few(tacit_cells *cells, int32_t *list)
{
    int count = 0;
    for (int32_t i = 0; i < cells->count; i++) {
        if (cells->status[i] != 's')
            continue;
        cells->cost[i] = random_below(4) ? 1 + random_below(20) : random_below(1000) / 100.0;
        if (count < FEW && random_below(20) < 19)
            list[count++] = i;
        else
            cells->status[i] = 'z';
    }
    return count;
}

/* Whether some pattern that costs less than `below` keeps all. */
static bool is_cheaper(const tacit_cells *cells, const tacit_suppress_options *options,
                       const int32_t *list, int count, double below)
{
    char *status = malloc(cells->count);
    bool found = false;
    memcpy(status, cells->status, cells->count);
    for (unsigned bits = 0; bits < 1u << count && !found; bits++) {
        double cost = 0;
        for (int k = 0; k < count; k++) {
            cost += bits >> k & 1 ? cells->cost[list[k]] : 0;
            status[list[k]] = bits >> k & 1 ? 'x' : 's';
        }
        found = cost < below && keeps_all(cells, status, options);
    }
    free(status);
    return found;
}

/* auto has the same demands in its search, so its bound and its proof are those of optimal. */
static void check_auto(const tacit_cells *cells, const tacit_suppress_options *options,
                       const tacit_pattern *best)
{
    tacit_pattern pattern = {0};
    assert_int_equal(suppressed_from_insiders(&pattern, cells, "auto", options, NULL), TACIT_OK);
    assert_true(pattern.proven && pattern.repaired == 0);
    assert_true(fabs(pattern.cost - best->cost) <= 1e-3);
    assert_true(fabs(pattern.lower_bound - pattern.cost) < 1e-9 * (1 + pattern.cost));
    tacit_pattern_clear(&pattern);
}

static void test_optimal(void **state)
{
    uint64_t *seed = *state;
    int more = 0;
    for (*seed = 1; *seed <= many_cases(300); ++*seed) {
        random_start(*seed);
        records_shape shape = some_shape(true);
        tacit_suppress_options options = some_options(), plain = {0};
        tacit_pattern pattern = {0}, less = {0};
        int32_t list[FEW];
        tacit_cells *cells = random_contributors(&shape);
        make_primary(cells, &shape);
        int count = make_few(cells, list);
        if (suppressed_from_insiders(&pattern, cells, "optimal", &options, NULL) == TACIT_OK) {
            assert_true(pattern.proven);
            assert_true(fabs(pattern.lower_bound - pattern.cost) < 1e-9 * (1 + pattern.cost));
            assert_true(keeps_all(cells, pattern.status, &options));
            assert_false(is_cheaper(cells, &options, list, count, pattern.cost - 1e-3));
            check_auto(cells, &options, &pattern);
            assert_int_equal(suppressed_from_insiders(&less, cells, "optimal", &plain, NULL),
                             TACIT_OK);
            more += pattern.cost > less.cost;
        } else {
            assert_true(nothing_keeps(cells, &options));
        }
        tacit_pattern_clear(&pattern);
        tacit_pattern_clear(&less);
        tacit_cells_free(cells);
    }
    assert_true(more > 10 / ONE_CASE_OF);
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(test_methods, &seed),
        random_test(test_optimal, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
