/*
 * test_suppress_jj_random.c - methods on random tables without dimensions: zeros left out,
 * relations in any order, with any sign, some of them twice, some with odd coefficients. They end
 * safe over the whole table, or it cannot be done.
 */
#include "tables.h"

#include "random_cases.h"
#include "suppress.h"
#include "twins.h"

static void test_careless(void **state)
{
    uint64_t *seed = *state;
    int worked = 0;
    for (*seed = 1; *seed <= many_cases(60); ++*seed) {
        random_start(*seed);
        table_shape shape = {1 + random_below(3), random_below(2), 9 + random_below(100),
                             5 + random_below(30), random_below(60)};
        tacit_cells *cells = random_cells(&shape), *careless;
        careless = careless_jj(cells, cells->value[0] == 0 || random_below(2));
        for (const tacit_suppress_method *m = tacit_suppress_methods(); m->name && !m->total; m++)
            worked += check_whole(careless, m->name);
        tacit_cells_free(careless);
        tacit_cells_free(cells);
    }
    assert_true(worked > 10);
    *seed = 0;
}

/* Coefficients that are none of a sum, in any relation. */
static void test_odd_relations(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(60); ++*seed) {
        random_start(*seed);
        table_shape shape = {2, random_below(2), 9, 20, random_below(30)};
        tacit_cells *cells = random_cells(&shape), twin = without_dimensions(cells);
        int64_t terms = cells->relations.starts[cells->relations.count];
        for (int k = random_below(10); k > 0; k--)
            twin.relations.coefs[random_below((int)terms)] = random_below(2) ? 1 : -2;
        for (const tacit_suppress_method *m = tacit_suppress_methods(); m->name && !m->total; m++)
            check_whole(&twin, m->name);
        tacit_cells_free(cells);
    }
    *seed = 0;
}

/* Whatever the number of threads, the same letters. */
static void test_threads(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(10); ++*seed) {
        random_start(*seed);
        table_shape shape = {3, true, 9, 15, 30};
        tacit_suppress_options options = {0};
        tacit_cells *cells = random_cells(&shape), *careless = careless_jj(cells, false);
        for (const tacit_suppress_method *m = tacit_suppress_methods(); m->name && !m->total; m++) {
            tacit_pattern one = solved(careless, m->name, &options, 1);
            tacit_pattern many = solved(careless, m->name, &options, 5);
            assert_memory_equal(one.status, many.status, careless->count);
            tacit_pattern_clear(&one);
            tacit_pattern_clear(&many);
        }
        tacit_cells_free(careless);
        tacit_cells_free(cells);
    }
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(test_careless, &seed),
        random_test(test_odd_relations, &seed),
        random_test(test_threads, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
