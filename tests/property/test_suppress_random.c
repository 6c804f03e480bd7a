/*
 * test_suppress_random.c - patterns on random small tables, judged by two plain linear programs
 * for every suppressed cell.
 */
#include "tables.h"

#include "random_cases.h"
#include "suppress.h"

static table_shape some_shape(int zeros)
{
    return (table_shape){.dimensions = 1 + random_below(3),
                         .hierarchical = random_below(2),
                         .largest = 9,
                         .primaries = 5 + random_below(30),
                         .zeros = zeros};
}

static tacit_suppress_options some_options(void)
{
    return (tacit_suppress_options){.cuboid = (tacit_cuboid_cost)random_below(4),
                                    .second_cuboid = random_below(2),
                                    .zeros = random_below(2)};
}

/* Without zeros there is a cuboid for every cell, so no subtable gives a cell away. */
static void test_hypercube_subtables(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(120); ++*seed) {
        random_start(*seed);
        table_shape shape = some_shape(0);
        tacit_suppress_options options = some_options();
        tacit_cells *cells = random_cells(&shape);
        tacit_pattern pattern = solved(cells, "hypercube", &options, 1);
        assert_int_equal(pattern.unprotected, -1);
        assert_int_equal(exposed_in_subtables(cells, pattern.status), 0);
        tacit_pattern_clear(&pattern);
        tacit_cells_free(cells);
    }
    *seed = 0;
}

/* The same for hitas; zeros may leave a cell with nothing to hide behind, which it says. */
static void test_hitas_subtables(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(120); ++*seed) {
        random_start(*seed);
        table_shape shape = some_shape(random_below(3) ? 0 : random_below(50));
        tacit_suppress_options options = {0};
        tacit_cells *cells = random_cells(&shape);
        tacit_pattern pattern = solved(cells, "hitas", &options, 1);
        assert_true(shape.zeros > 0 || pattern.unprotected < 0);
        assert_int_equal(exposed_in_subtables(cells, pattern.status) > 0, pattern.unprotected >= 0);
        tacit_pattern_clear(&pattern);
        tacit_cells_free(cells);
    }
    *seed = 0;
}

enum { FEW = 14 };

/* Whether a pattern, a bit for each of some cells, hides all primary cells. */
static bool protects(const tacit_cells *cells, char *status, const int32_t *list, int count,
                     unsigned bits)
{
    slow_judge judge;
    bool hidden = true;
    for (int k = 0; k < count; k++)
        status[list[k]] = bits >> k & 1 ? 'x' : 's';
    slow_start(&judge, cells, status);
    for (int32_t i = 0; i < cells->count && hidden; i++)
        hidden &= status[i] != 'u' || slow_hidden(&judge, cells, status, i);
    slow_end(&judge);
    return hidden;
}

/* The least cost of all patterns over the free cells, of those that cost less than `below`;
 * INFINITY: none of them protects. */
static double least_cost(const tacit_cells *cells, const int32_t *list, int count, double below)
{
    char *status = malloc(cells->count);
    double least = INFINITY;
    memcpy(status, cells->status, cells->count);
    for (unsigned bits = 0; bits < 1u << count; bits++) {
        double cost = 0;
        for (int k = 0; k < count; k++)
            cost += bits >> k & 1 ? cells->cost[list[k]] : 0;
        if (cost < below && cost < least && protects(cells, status, list, count, bits))
            least = cost;
    }
    free(status);
    return least;
}

/* Leaves FEW cells that may be suppressed; the others must be published. Levels and costs of all
 * kinds. */
static int make_few(tacit_cells *cells, int32_t *list)
{
    int count = 0;
    for (int32_t i = 0; i < cells->count; i++) {
        if (cells->status[i] == 'u' && random_below(3) == 0) {
            cells->upl[i] = random_below(4);
            cells->lpl[i] = random_below(2) ? fmin(cells->value[i], random_below(6)) : 0;
            cells->spl[i] = random_below(3) ? 0 : random_below(8);
        }
        if (cells->status[i] != 's')
            continue;
        cells->cost[i] = random_below(4) ? random_below(20) : random_below(1000) / 100.0;
        if (count < FEW && random_below(20) < 19)
            list[count++] = i;
        else
            cells->status[i] = 'z';
    }
    return count;
}

/* A table of one subtable: no pattern is cheaper. */
static void test_hitas_optimal(void **state)
{
    uint64_t *seed = *state;
    int protected = 0;
    for (*seed = 1; *seed <= many_cases(120); ++*seed) {
        random_start(*seed);
        table_shape shape = {2 + random_below(2), false, 9, 30, random_below(2) ? 0 : 20};
        tacit_suppress_options options = {0};
        int32_t list[FEW];
        tacit_cells *cells = random_cells(&shape);
        int count = make_few(cells, list);
        tacit_pattern pattern = solved(cells, "hitas", &options, 1);
        assert_int_equal(pattern.subtables, 1);
        if (pattern.unprotected < 0) {
            assert_true(pattern.proven);
            assert_true(least_cost(cells, list, count, pattern.cost - 1e-3) == INFINITY);
            assert_int_equal(exposed_in_subtables(cells, pattern.status), 0);
            protected += pattern.secondary > 0;
        } else {
            assert_true(hopeless(cells));
        }
        tacit_pattern_clear(&pattern);
        tacit_cells_free(cells);
    }
    assert_true(protected >= 5);
    *seed = 0;
}

static void test_whole(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(120); ++*seed) {
        random_start(*seed);
        table_shape shape = some_shape(random_below(60));
        shape.largest = 9 + random_below(100);
        tacit_cells *cells = random_cells(&shape);
        for (const tacit_suppress_method *m = tacit_suppress_methods(); m->name && !m->total; m++)
            check_whole(cells, m->name);
        tacit_cells_free(cells);
    }
    *seed = 0;
}

/* Whatever the number of threads, the same letters. */
static void test_threads(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(8); ++*seed) {
        random_start(*seed);
        table_shape shape = {3, true, 9, 15, 10};
        tacit_suppress_options options = some_options();
        tacit_cells *cells = random_cells(&shape);
        for (const tacit_suppress_method *m = tacit_suppress_methods(); m->name && !m->total; m++) {
            tacit_pattern one = solved(cells, m->name, &options, 1);
            for (int threads = 2; threads <= 7; threads += 5) {
                tacit_pattern many = solved(cells, m->name, &options, threads);
                assert_memory_equal(one.status, many.status, cells->count);
                assert_int_equal(one.rounds, many.rounds);
                tacit_pattern_clear(&many);
            }
            tacit_pattern_clear(&one);
        }
        tacit_cells_free(cells);
    }
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(test_hypercube_subtables, &seed),
        random_test(test_hitas_subtables, &seed),
        random_test(test_hitas_optimal, &seed),
        random_test(test_whole, &seed),
        random_test(test_threads, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
