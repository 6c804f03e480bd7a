/*
 * test_technique_scramble.c - rows in random order.
 */
#include "masked_grid.h"

static void test_order(void **state)
{
    (void)state;
    int firsts[4] = {0};
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        grid *g = grid_run("a,b\n0,\"x\"\n1,y\n2,\n3,z\n", "scramble", seed, 1);
        const char *const other[] = {"\"x\"", "y", "", "z"};
        for (int row = 0; row < 4; row++)
            assert_string_equal(g->cells[row][1], other[atoi(g->cells[row][0])]);
        firsts[atoi(g->cells[0][0])]++;
        grid_free(g);
    }
    for (int i = 0; i < 4; i++) /* 500 expected, a standard deviation of 19 */
        assert_in_range(firsts[i], 400, 600);
}

static void test_degenerate(void **state)
{
    (void)state;
    masking_expect("a,b\n", "scramble", "a,b\n");
    masking_expect("a,b\n1,2\n", "scramble", "a,b\n1,2\n");
    masking_refused("a\n1\n", "scramble columns=a", "scramble has no setting \"columns\"");
}

/* It undoes no claim, and cells that were changed before go along. */
static void test_after(void **state)
{
    (void)state;
    tacit_error err = {0};
    tacit_table *table = masking_table("a,b\n11,1\n22,2\n33,3\n");
    tacit_masked *masked = masking_apply(table, "round columns=a base=10\nscramble", 3, 1, &err);
    assert_non_null(masking_kept(masked, TACIT_KEPT_NEAR));
    const uint32_t *origin = tacit_masked_origin(masked);
    grid *g = grid_of(masking_text(masked, 1));
    for (int row = 0; row < 3; row++) {
        assert_int_equal(atoi(g->cells[row][1]), origin[row] + 1);
        assert_int_equal(atoi(g->cells[row][0]), 10 * (origin[row] + 1));
    }
    grid_free(g);
    tacit_masked_free(masked);
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_after),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
