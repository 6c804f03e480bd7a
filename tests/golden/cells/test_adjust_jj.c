/*
 * test_adjust_jj.c - controlled adjustment on tables of the shared data: sums and levels kept, no
 * primary cell narrowed down, by the judge; distances compared with what was reached once. Slow
 * ones run with TACIT_LONG only. Skipped where the data is not at hand.
 */
#include "tables.h"

#include <tacit/experimental/alter.h>
#include <tacit/experimental/audit_altered.h>

#include "random_cases.h"

#define DATA TACIT_SOURCE_DIR "/../shared/data/cells/"

typedef struct known {
    const char *name;
    double distance; /* at most */
    double bound;    /* at least */
    bool slow;
} known;

static const known KNOWN[] = {
    {"TARGUS", 13974, 13974, false},    {"hier100x100", 1142, 570, false},
    {"flat40x30", 118, 96, true},       {"HIE1372D", 9190, 7000, true},
    {"TABLE1", 8621024, 7300000, true}, {"flat10x10x10", 132, 90, true},
    {"HIER13", 52000, 6000, true},      {"DALE", 5234, 5140, true},
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

static void check(const known *k)
{
    static const tacit_altered_known KNOWS = {
        .reach = INFINITY, .additive = true, .beyond = true, .fixed_stays = true};
    tacit_cells *cells = read_cells(k);
    tacit_alter_options options;
    tacit_altered altered = {0};
    tacit_altered_audit *audit = NULL;
    tacit_error err = {0};
    tacit_alter_options_init(&options);
    if (tacit_alter(&altered, cells, tacit_alter_method_find("adjust"), &options, NULL, &err) !=
        TACIT_OK)
        fail_msg("%s: %s", k->name, err.message);
    print_message("%s: %d changed, distance %.0f, bound %.0f\n", k->name, altered.changed,
                  altered.distance, altered.lower_bound);
    assert_true(altered.distance <= k->distance);
    assert_true(altered.lower_bound >= k->bound);
    assert_true(altered.lower_bound <= altered.distance);
    assert_int_equal(altered.proven, k->bound == k->distance);
    assert_int_equal(tacit_audit_altered(&audit, cells, altered.value, &KNOWS, NULL, &err),
                     TACIT_OK);
    assert_int_equal(audit->broken, 0);
    assert_int_equal(audit->underprotected, 0);
    assert_int_equal(audit->one_sided, 0);
    tacit_altered_audit_free(audit);
    tacit_altered_clear(&altered);
    tacit_cells_free(cells);
}

/* Within 4 of a multiple of 5 all is hidden. To the nearest, within 2, is too little: the judge
 * says so, and which values follow from sums. */
static void test_rounded(void **state)
{
    (void)state;
    if (access(DATA "README.md", R_OK)) {
        print_message("skipped: no shared data\n");
        skip();
    }
    tacit_cells *cells = read_cells(&(known){.name = "hier100x100"});
    tacit_altered_known told = {.base = 5, .reach = 5, .within = true};
    tacit_altered_audit *audit = NULL;
    double *published = malloc((size_t)cells->count * sizeof *published);
    for (int32_t i = 0; i < cells->count; i++)
        published[i] = 5 * nearbyint(cells->value[i] / 5);
    assert_int_equal(tacit_audit_altered(&audit, cells, published, &told, NULL, NULL), TACIT_OK);
    assert_int_equal(audit->cell_count, 7948);
    assert_int_equal(audit->underprotected + audit->disclosed + audit->broken, 0);
    tacit_altered_audit_free(audit);
    told = (tacit_altered_known){.base = 5, .reach = 2.5};
    assert_int_equal(tacit_audit_altered(&audit, cells, published, &told, NULL, NULL), TACIT_OK);
    assert_true(audit->underprotected > 400);
    assert_true(audit->disclosed > 0);
    tacit_altered_audit_free(audit);
    free(published);
    tacit_cells_free(cells);
}

static void test_known(void **state)
{
    (void)state;
    if (access(DATA "README.md", R_OK)) {
        print_message("skipped: no shared data\n");
        skip();
    }
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (!KNOWN[i].slow || getenv("TACIT_LONG"))
            check(&KNOWN[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known),
                                       cmocka_unit_test(test_rounded)};
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
