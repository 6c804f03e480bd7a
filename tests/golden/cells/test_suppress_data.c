/*
 * test_suppress_data.c - methods on the tables of the shared data, against the best results
 * of other programs that its README has; hitas on meindl_a, which no other program there has
 * finished, against what it once reached itself. Skipped where the data is not at hand.
 */
#include "tables.h"

#include <tacit/experimental/audit_cells.h>

#include "random_cases.h"
#include "shared_cells.h"
#include "suppress.h"

typedef struct known {
    const char *method;
    const char *name;
    int dimensions;
    int most;    /* secondary cells */
    double cost; /* of them, at most */
    bool judged; /* by the tests' own slow judge as well */
} known;

static const known KNOWN[] = {
    {"hypercube", "flat40x30", 2, 42, 186, true},
    {"hypercube", "flat10x10x10", 3, 146, 955, true},
    {"hypercube", "hier100x100", 2, 811, 5151, true},
    {"hypercube", "meindl_b", 3, 1361, 8498, false},
    {"hypercube", "meindl_a", 3, 2962, 20215, false},
    {"hitas", "flat40x30", 2, 9, 40, true},
    {"hitas", "hier100x100", 2, 656, 4009, true},
    {"hitas", "meindl_b", 3, 1031, 6248, false},
    {"hitas", "meindl_a", 3, 1900, 12638, false},
};

static void check(const known *k)
{
    tacit_cells *cells = shared_cells(k->name, k->dimensions);
    tacit_suppress_options options = {0};
    tacit_pattern pattern = solved(cells, k->method, &options, 2);
    print_message("%s %s: %d secondary cells, cost %.0f\n", k->method, k->name, pattern.secondary,
                  pattern.cost);
    assert_int_equal(pattern.unprotected, -1);
    assert_in_range(pattern.secondary, 1, k->most);
    assert_true(pattern.cost <= k->cost);
    int32_t *exposed = malloc((size_t)cells->count * sizeof *exposed), count = -1;
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(
        tacit_audit_cells_judge(exposed, &count, cells, pattern.status, &run, NULL, NULL),
        TACIT_OK);
    assert_int_equal(count, 0);
    if ((k->judged && !SANITIZED) || getenv("TACIT_LONG")) {
        count = -1;
        slow_judge_all(exposed, &count, cells, pattern.status, NULL, NULL, NULL);
        assert_int_equal(count, 0);
    }
    free(exposed);
    tacit_pattern_clear(&pattern);
    tacit_cells_free(cells);
}

static void test_known(void **state)
{
    (void)state;
    need_shared_cells();
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (KNOWN[i].judged || !SANITIZED) /* the largest take sanitizers minutes */
            check(&KNOWN[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
