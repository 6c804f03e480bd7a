/*
 * test_round_data.c - controlled rounding of the shared tables: additive, next to the values, and
 * at the distance that was proven once. Slow ones run with TACIT_LONG only. Skipped where the data
 * is not at hand.
 */
#include "tables.h"

#include "random_cases.h"
#include "rounding.h"

#define DATA TACIT_SOURCE_DIR "/../shared/data/cells/"

typedef struct known {
    const char *name;
    double distance; /* the least; of what is not proven, what was reached */
    bool proven;
    bool slow;
} known;

static const known KNOWN[] = {
    {"TARGUS", 142, true, false},       {"TABLE1", 946, true, false},
    {"TABLE7", 426, true, false},       {"HIE1372D", 672, true, false},
    {"flat40x30", 1586, true, false},   {"hier100x100", 13504, true, true},
    {"flat10x10x10", 1672, true, true}, {"meindl_a", 48000, false, true},
};

static void check(const known *k)
{
    char path[512];
    tacit_cells *cells = NULL;
    tacit_error err = {0};
    tacit_alter_options options;
    snprintf(path, sizeof path, DATA "%s.jj", k->name);
    if (tacit_cells_read_jj(&cells, path, 0, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    tacit_alter_options_init(&options);
    options.weight = TACIT_WEIGHT_ONE;
    tacit_altered altered = altered_by(cells, "round-controlled", &options, 1, 1);
    check_rounded(cells, &altered, &options);
    assert_int_equal(altered.broken, 0);
    assert_int_equal(altered.proven, k->proven);
    assert_true(altered.reach == 5 || !k->proven);
    if (k->proven ? altered.distance != k->distance : altered.distance > k->distance)
        fail_msg("%s: %.17g", k->name, altered.distance);
    tacit_altered_clear(&altered);
    tacit_cells_free(cells);
}

static void test_tables(void **state)
{
    (void)state;
    if (access(DATA "TARGUS.jj", R_OK) != 0) {
        print_message("the shared data is not at hand\n");
        skip();
    }
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (!KNOWN[i].slow || getenv("TACIT_LONG"))
            check(&KNOWN[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
