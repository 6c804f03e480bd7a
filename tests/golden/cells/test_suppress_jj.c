/*
 * test_suppress_jj.c - methods on the .jj of the shared data: all intervals kept, by the
 * judge, or the cell is named that nothing can protect. Costs are compared with what was reached
 * once, and those of optimal are proven to be the least. Slow ones run with TACIT_LONG only.
 * Skipped where the data is not at hand.
 */
#include "tables.h"

#include <tacit/experimental/audit_cells.h>

#include "random_cases.h"
#include "suppress.h"

#define DATA TACIT_SOURCE_DIR "/../shared/data/cells/"

typedef struct known {
    const char *method;
    const char *name;
    double cost; /* of the secondary cells, at most; NAN: a cell cannot be protected */
    bool slow;
} known;

static const known KNOWN[] = {
    {"auto", "TARGUS", 1781797, false},
    {"auto", "TABLE1", 116974451, false},
    {"auto", "TABLE7", NAN, false},
    {"auto", "DALE", 256, true},
    {"auto", "HIE1372D", 660000, true},
    {"auto", "flat40x30", 40, false},
    {"auto", "flat10x10x10", 352, true},
    {"auto", "hier100x100", 4009, false},
    {"auto", "meindl_b", 6248, true},
    {"auto", "meindl_a", 12638, true},
    {"hypercube", "TARGUS", 4107298, false},
    {"hypercube", "TABLE1", 137486172, false},
    {"hypercube", "TABLE7", NAN, false},
    {"hypercube", "HIE1372D", 1189692, false},
    {"hypercube", "HIER13", 9472420, false},
    {"hypercube", "HIER133A", 9482177, false},
    {"hypercube", "NINENEW", 24015601, true},
    {"hypercube", "TWO5IN6", 27760325, true},
    {"hypercube", "DALE", 256, false},
    {"hypercube", "flat40x30", 147, false},
    {"hypercube", "flat10x10x10", 683, false},
    {"hypercube", "hier100x100", 4234, false},
    {"hypercube", "meindl_b", 7204, false},
    {"hypercube", "meindl_a", 17016, false},
    {"hitas", "TARGUS", 1781797, false},
    {"hitas", "TABLE1", 116974451, false},
    {"hitas", "TABLE7", NAN, false},
    {"hitas", "HIE1372D", 806280, false},
    {"hitas", "HIER13", 9477311, true},
    {"hitas", "HIER133A", 9482177, false},
    {"hitas", "NINENEW", 11398836, true},
    {"hitas", "TWO5IN6", 21764161, true},
    {"hitas", "DALE", 256, true},
    {"hitas", "flat40x30", 40, false},
    {"hitas", "flat10x10x10", 352, true},
    {"hitas", "hier100x100", 4009, false},
    {"hitas", "meindl_b", 6248, true},
    {"hitas", "meindl_a", 12638, true},
    {"optimal", "TARGUS", 1781797, false},
    {"optimal", "TABLE1", 116974451, false},
    {"optimal", "TABLE7", NAN, false},
    {"optimal", "flat40x30", 40, false},
    {"optimal", "hier100x100", 4009, false},
    {"optimal", "meindl_b", 6248, true},
};

static tacit_cells *read_cells(const known *k)
{
    char path[512];
    tacit_cells *cells = NULL;
    tacit_error err = {0};
    snprintf(path, sizeof path, DATA "%s.jj", k->name);
    if (tacit_cells_read_jj(&cells, path, 0, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return cells;
}

/* By the tests' own judge as well, where that does not take long. */
static void check_kept(const tacit_cells *cells, const tacit_pattern *pattern)
{
    int32_t *exposed = malloc((size_t)cells->count * sizeof *exposed), count = -1;
    tacit_run run;
    tacit_run_init(&run);
    check_letters(cells, pattern);
    assert_int_equal(
        tacit_audit_cells_judge(exposed, &count, cells, pattern->status, &run, NULL, NULL),
        TACIT_OK);
    assert_int_equal(count, 0);
    if (cells->count < 1000) {
        slow_judge_all(exposed, &count, cells, pattern->status, NULL, NULL, NULL);
        assert_int_equal(count, 0);
    }
    free(exposed);
}

static void check(const known *k)
{
    tacit_cells *cells = read_cells(k);
    tacit_suppress_options options = {0};
    tacit_pattern pattern = {0};
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    tacit_status status = tacit_suppress(&pattern, cells, tacit_suppress_method_find(k->method),
                                         &options, tacit_audit_cells_judge, NULL, &run, &err);
    print_message("%s %s: %d secondary cells, cost %.0f, %d repaired%s%s\n", k->method, k->name,
                  pattern.secondary, pattern.cost, pattern.repaired, status ? ", " : "",
                  err.message);
    assert_int_equal(status, isnan(k->cost) ? TACIT_INFEASIBLE : TACIT_OK);
    if (status == TACIT_OK) {
        assert_true(pattern.cost <= k->cost);
        if (strcmp(k->method, "optimal") == 0)
            assert_true(pattern.proven && pattern.cost == k->cost && pattern.repaired == 0);
        check_kept(cells, &pattern);
    } else {
        assert_non_null(strstr(err.message, "cell 13"));
    }
    tacit_pattern_clear(&pattern);
    tacit_cells_free(cells);
}

static void test_known(void **state)
{
    (void)state;
    if (access(DATA "README.md", R_OK)) {
        print_message("skipped: no shared data\n");
        skip();
    }
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        bool large = strncmp(KNOWN[i].name, "meindl", 6) == 0 || KNOWN[i].name[0] == 'H' ||
                     KNOWN[i].name[0] == 'h';
        bool slow = KNOWN[i].slow || (large && SANITIZED);
        if (!slow || getenv("TACIT_LONG"))
            check(&KNOWN[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
