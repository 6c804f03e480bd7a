/*
 * test_partial_jj.c - partial suppression on .jj files of the shared data: the least loss that was
 * proven once, safe by the judge, and less than that of blanks. Skipped where the data is not at
 * hand.
 */
#include "tables.h"

#include <tacit/experimental/audit_cells.h>

#include "random_cases.h"
#include "suppress.h"

#define DATA TACIT_SOURCE_DIR "/../shared/data/cells/"

static const struct {
    const char *name;
    double loss;
} KNOWN[] = {{"TARGUS", 27931}, {"flat40x30", 204}};

/* The loss of the intervals that anybody can work out, within bounds. */
static double loss_of_blanks(const tacit_cells *cells, const tacit_run *run)
{
    tacit_pattern pattern;
    tacit_intervals told = {0};
    const tacit_suppress_options options = {0};
    assert_int_equal(tacit_suppress(&pattern, cells, tacit_suppress_method_find("hitas"), &options,
                                    tacit_audit_cells_judge, NULL, run, NULL),
                     TACIT_OK);
    assert_int_equal(tacit_audit_public(&told, cells, pattern.status, run, NULL), TACIT_OK);
    double loss = tacit_intervals_loss(&told, cells);
    tacit_intervals_clear(&told);
    tacit_pattern_clear(&pattern);
    return loss;
}

static void test_known(void **state)
{
    (void)state;
    tacit_run run;
    tacit_run_init(&run);
    for (size_t k = 0; k < sizeof KNOWN / sizeof *KNOWN; k++) {
        char path[512];
        tacit_cells *cells = NULL;
        tacit_pattern pattern;
        const tacit_suppress_options options = {0};
        snprintf(path, sizeof path, DATA "%s.jj", KNOWN[k].name);
        if (access(path, R_OK) != 0) {
            print_message("%s is not here\n", path);
            skip();
        }
        assert_int_equal(tacit_cells_read_jj(&cells, path, 0, &run, NULL), TACIT_OK);
        assert_int_equal(tacit_suppress(&pattern, cells, tacit_suppress_method_find("partial"),
                                        &options, tacit_audit_cells_judge, NULL, &run, NULL),
                         TACIT_OK);
        assert_true(pattern.proven);
        assert_true(fabs(pattern.cost - KNOWN[k].loss) < 1);
        assert_true(tacit_intervals_loss(&pattern.intervals, cells) < loss_of_blanks(cells, &run));
        tacit_pattern_clear(&pattern);
        tacit_cells_free(cells);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known)};
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
