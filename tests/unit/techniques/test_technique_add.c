/*
 * test_technique_add.c - additional tuples by hand.
 */
#include "masked_grid.h"

static const char FOUR[] = "id,sex,job,town\n1,f,\"a, b\",N\n2,m,c,S\n3,f,d,N\n4,m,e,S\n";

/* As many again: each combination once more, other cells from those who have it. */
static void test_doubled(void **state)
{
    (void)state;
    tacit_error err = {0};
    tacit_table *table = masking_table("id,sex,job,town\n1,f,a,N\n2,m,c,S\n3,f,d,N\n4,m,e,S\n");
    for (uint64_t seed = 1; seed <= 20; seed++) {
        tacit_masked *masked =
            masking_apply(table, "add columns=sex,town share=1 blank=id k=2", seed, 1, &err);
        const uint32_t *origin = tacit_masked_origin(masked);
        grid *g = grid_of(masking_text(masked, 1));
        int women = 0;
        assert_int_equal(g->rows, 8);
        for (int row = 0; row < 8; row++) {
            bool woman = *g->cells[row][1] == 'f';
            assert_int_equal(*g->cells[row][0] == '\0', origin[row] == UINT32_MAX);
            assert_non_null(strchr(woman ? "ad" : "ce", *g->cells[row][2]));
            assert_int_equal(*g->cells[row][3], woman ? 'N' : 'S');
            women += woman;
        }
        assert_int_equal(women, 4);
        assert_true(masking_fact(masked, 0, "rows_added") == 4);
        assert_true(masking_kept(masked, TACIT_KEPT_SHARES)->amount < 1e-6);
        grid_free(g);
        tacit_masked_free(masked);
    }
    tacit_table_free(table);
}

static void test_bytes(void **state)
{
    (void)state;
    char *text = masking_run("a,b\n\"x\",007\n\"x\",007\n", "add columns=a rows=1", 1, 1);
    assert_string_equal(text, "a,b\n\"x\",007\n\"x\",007\n\"x\",007\n");
    free(text);
    text = masking_run("a,b\n1,12\n1,12\n", "round columns=b base=5\nadd columns=a rows=1", 1, 1);
    assert_string_equal(text, "a,b\n1,10\n1,10\n1,10\n");
    free(text);
}

/* Where a combination is rare, its other cells are drawn from all rows. */
static void test_rare(void **state)
{
    (void)state;
    char csv[4096] = "b,c\nrare,secret\n", *at = csv + strlen(csv);
    for (int i = 0; i < 99; i++)
        at += sprintf(at, "usual,u%d\n", i);
    grid *g = grid_run(csv, "add columns=b share=1", 3, 1);
    int rare = 0, secrets = 0;
    for (int row = 0; row < g->rows; row++) {
        rare += strcmp(g->cells[row][0], "rare") == 0;
        secrets += strcmp(g->cells[row][0], "rare") == 0 && strcmp(g->cells[row][1], "secret") == 0;
    }
    assert_int_equal(rare, 2);
    assert_int_equal(secrets, 1);
    grid_free(g);
}

static void test_degenerate(void **state)
{
    (void)state;
    masking_expect("a,b\n", "add columns=a share=0.5", "a,b\n");
    masking_expect("a,b\n1,2\n", "add columns=a rows=0", "a,b\n1,2\n");
    masking_expect("a\n7\n7\n", "add columns=a rows=3", "a\n7\n7\n7\n7\n7\n");
    masking_expect("a,b\n,\n,\n", "add columns=a rows=1", "a,b\n,\n,\n,\n");
}

static void test_misuse(void **state)
{
    (void)state;
    masking_refused(FOUR, "add columns=sex", "one of `share` and `rows`");
    masking_refused(FOUR, "add columns=sex rows=1 share=1", "one of `share` and `rows`");
    masking_refused(FOUR, "add rows=1", "add needs the setting columns");
    masking_refused(FOUR, "add columns=sex rows=1 blank=sex", "is in `columns` and in `blank`");
    masking_refused(FOUR, "add columns=sex rows=1 joint=job,sex blank=job",
                    "is in `joint` and in `blank`");
    masking_refused("a\n1\n", "add columns=a rows=1", "they would be copies");
    masking_refused("a\n", "add columns=a rows=1", "they would be copies");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubled), cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_rare),    cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
