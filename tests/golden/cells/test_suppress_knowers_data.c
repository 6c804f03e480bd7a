/*
 * test_suppress_knowers_data.c - the tables of the shared data with primary cells hidden from
 * contributors too, and their sums: what methods once reached, and that the audit finds nothing.
 * Skipped where the data is not at hand.
 */
#include "tables.h"

#include "random_cases.h"
#include "shared_cells.h"
#include "suppress.h"

#include "knowers.h"

typedef struct known {
    const char *method;
    const char *name;
    int dimensions;
    int most;    /* secondary cells */
    double cost; /* of them, at most */
    bool small;  /* for sanitizers as well */
} known;

static const known KNOWN[] = {
    {"auto", "flat40x30", 2, 10, 44, true},        {"optimal", "flat40x30", 2, 10, 44, true},
    {"hitas", "flat40x30", 2, 13, 57, true},       {"hypercube", "flat40x30", 2, 42, 186, true},
    {"hitas", "hier100x100", 2, 703, 4302, false}, {"hitas", "meindl_b", 3, 1105, 6750, false},
};

static void check(const known *k)
{
    const tacit_suppress_options options = {.singletons = true, .sums = true};
    tacit_cells *cells = shared_cells(k->name, k->dimensions);
    tacit_pattern pattern = {0};
    tacit_error err = {0};
    if (suppressed_from_insiders(&pattern, cells, k->method, &options, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    print_message("%s %s: %d secondary cells, cost %.0f\n", k->method, k->name, pattern.secondary,
                  pattern.cost);
    check_letters(cells, &pattern);
    assert_in_range(pattern.secondary, 1, k->most);
    assert_true(pattern.cost <= k->cost);
    assert_true(pattern.proven || strcmp(k->method, "optimal") != 0);
    assert_true(keeps_all(cells, pattern.status, &options));
    assert_true(hides_all(cells, pattern.status));
    tacit_pattern_clear(&pattern);
    tacit_cells_free(cells);
}

static void test_known(void **state)
{
    (void)state;
    need_shared_cells();
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (KNOWN[i].small || !SANITIZED)
            check(&KNOWN[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
