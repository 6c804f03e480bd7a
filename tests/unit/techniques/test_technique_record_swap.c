/*
 * test_technique_record_swap.c - targeted record swapping by hand.
 */
#include "masked_grid.h"

/* The two that stand out, by the same age in different regions, trade with each other. */
static void test_risky(void **state)
{
    (void)state;
    const char *csv = "id,region,sex,age\n"
                      "1,N,f,30\n2,N,f,30\n3,N,f,30\n4,N,f,99\n"
                      "5,S,f,30\n6,S,f,30\n7,S,f,30\n8,S,f,98\n9,S,m,30\n";
    const char *steps = "record-swap columns=region keep=sex match=age k=2";
    masking_expect(csv, steps,
                   "id,region,sex,age\n"
                   "1,N,f,30\n2,N,f,30\n3,N,f,30\n4,S,f,99\n"
                   "5,S,f,30\n6,S,f,30\n7,S,f,30\n8,N,f,98\n9,S,m,30\n");
    tacit_error err = {0};
    tacit_table *table = masking_table(csv);
    tacit_masked *masked = masking_apply(table, steps, 1, 1, &err);
    assert_true(masking_fact(masked, 0, "records_at_risk") == 2);
    assert_true(masking_fact(masked, 0, "records_at_risk_kept") == 0);
    assert_true(masking_fact(masked, 0, "records_swapped") == 2);
    const tacit_kept *kept = masking_kept(masked, TACIT_KEPT_UNIT);
    assert_string_equal(kept->columns[0], "region");
    assert_string_equal(kept->within[0], "sex");
    tacit_masked_free(masked);
    tacit_table_free(table);
}

/* Nobody of the same sex is elsewhere. */
static void test_stuck(void **state)
{
    (void)state;
    const char *csv = "region,sex,age\nN,f,99\nN,f,30\nN,f,30\nS,m,30\nS,m,30\n";
    const char *steps = "record-swap columns=region keep=sex match=age k=2";
    tacit_error err = {0};
    masking_expect(csv, steps, csv);
    tacit_table *table = masking_table(csv);
    tacit_masked *masked = masking_apply(table, steps, 1, 1, &err);
    assert_true(masking_fact(masked, 0, "records_at_risk_kept") == 1);
    assert_true(masking_fact(masked, 0, "records_swapped") == 0);
    tacit_masked_free(masked);
    tacit_table_free(table);
}

/* Families of the same members trade as a whole; one with another member does not. */
static void test_household(void **state)
{
    (void)state;
    masking_expect("home,place,sex,age\n"
                   "h1,N,f,99\nh2,S,m,30\nh1,N,m,98\nh2,S,f,30\nh3,S,f,40\nh3,S,f,41\n",
                   "record-swap columns=place household=home keep=sex match=age k=2",
                   "home,place,sex,age\n"
                   "h1,S,f,99\nh2,N,m,30\nh1,S,m,98\nh2,N,f,30\nh3,S,f,40\nh3,S,f,41\n");
    masking_refused("home,place\nh1,N\nh1,S\n", "record-swap columns=place household=home share=1",
                    "in two places at once");
}

static void test_share(void **state)
{
    (void)state;
    masking_expect("id,place\n1,N\n2,S\n", "record-swap columns=place share=1",
                   "id,place\n1,S\n2,N\n");
    char csv[8192] = "id,place,part\n", *at = csv + strlen(csv);
    for (int i = 0; i < 200; i++)
        at += sprintf(at, "%d,%c,p%d\n", i, "NESW"[i % 4], i % 4);
    grid *after = grid_run(csv, "record-swap columns=place share=0.1", 2, 1);
    int moved = 0;
    for (int row = 0; row < after->rows; row++)
        moved += after->cells[row][1][0] != "NESW"[row % 4];
    assert_int_equal(moved, 20);
    grid_free(after);
}

static void test_degenerate(void **state)
{
    (void)state;
    const char *steps = "record-swap columns=a match=b share=0.5";
    masking_expect("a,b\n", steps, "a,b\n");
    masking_expect("a,b\n1,2\n", steps, "a,b\n1,2\n");
    masking_expect("a,b\n1,2\n2,3\n", steps, "a,b\n2,2\n1,3\n");
    masking_expect("a,b\n1,2\n1,3\n1,4\n", steps, "a,b\n1,2\n1,3\n1,4\n");
    masking_expect("a,b\n,2\n,3\n,4\n", steps, "a,b\n,2\n,3\n,4\n");
}

/* Rare in the region: only another region helps, though other districts are nearer. Rare in the
 * district alone: any other district does. */
static void test_levels(void **state)
{
    (void)state;
    const char *csv = "id,region,district,age\n"
                      "1,N,1,30\n2,N,1,30\n3,N,2,30\n4,N,2,30\n5,N,2,99\n"
                      "6,S,1,30\n7,S,1,30\n8,S,2,30\n9,S,2,30\n";
    const char *rare = "id,region,district,age\n"
                       "1,N,1,50\n2,N,1,30\n3,N,1,30\n4,N,2,50\n5,N,2,30\n6,N,2,30\n";
    bool near = false, here = false;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        grid *after =
            grid_run(csv, "record-swap columns=region,district levels=true match=age k=2", seed, 1);
        assert_string_equal(after->cells[4][1], "S");
        grid_free(after);
        after = grid_run(csv, "record-swap columns=region,district match=age k=2", seed, 1);
        near |= strcmp(after->cells[4][1], "N") == 0;
        grid_free(after);
        after = grid_run(rare, "record-swap columns=region,district levels=true match=age k=2",
                         seed, 1);
        here |= strcmp(after->cells[0][2], "2") == 0 && strcmp(after->cells[3][2], "1") == 0;
        grid_free(after);
    }
    assert_true(near && here);
}

/* Nobody of the same sex and age is elsewhere, but one of the same sex is; never one of the other.
 */
static void test_profiles(void **state)
{
    (void)state;
    const char *csv = "id,place,sex,age,job\n1,N,f,30,x\n2,S,f,40,y\n3,S,m,30,y\n4,S,f,40,y\n";
    const char *strict = "record-swap columns=place keep=sex,age match=job k=2";
    masking_expect(csv, strict, csv);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        grid *after =
            grid_run(csv, "record-swap columns=place keep=sex,age least=1 match=job k=2", seed, 1);
        assert_string_equal(after->cells[0][1], "S");
        assert_string_equal(after->cells[2][1], "S");
        grid_free(after);
    }
    tacit_error err = {0};
    tacit_table *table = masking_table(csv);
    tacit_masked *masked = masking_apply(
        table, "record-swap columns=place keep=sex,age least=1 match=job k=2", 1, 1, &err);
    assert_true(masking_fact(masked, 0, "records_swapped_less_alike") == 2);
    const tacit_kept *kept = masking_kept(masked, TACIT_KEPT_UNIT);
    assert_int_equal(kept->within_count, 1);
    assert_string_equal(kept->within[0], "sex");
    tacit_masked_free(masked);
    tacit_table_free(table);
}

/* What is carried goes along; a household that has two of it is refused. */
static void test_carry(void **state)
{
    (void)state;
    masking_expect("home,place,map,sex\nh1,N,n7,f\nh1,N,n7,m\nh2,S,s3,m\nh2,S,s3,f\n",
                   "record-swap columns=place carry=map household=home keep=sex share=1",
                   "home,place,map,sex\nh1,S,s3,f\nh1,S,s3,m\nh2,N,n7,m\nh2,N,n7,f\n");
    masking_refused("home,place,map\nh1,N,1\nh1,N,2\n",
                    "record-swap columns=place carry=map household=home share=1",
                    "in two places at once");
}

/* A tenth of every area: 5 of 50 in each of four. */
static void test_rate(void **state)
{
    (void)state;
    char csv[8192] = "id,place\n", *at = csv + strlen(csv);
    for (int i = 0; i < 200; i++)
        at += sprintf(at, "%d,%c\n", i, "NESW"[i % 4]);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        grid *after = grid_run(csv, "record-swap columns=place rate=0.1", seed, 1);
        int moved[4] = {0}, all = 0;
        for (int row = 0; row < after->rows; row++)
            moved[row % 4] += after->cells[row][1][0] != "NESW"[row % 4];
        for (int place = 0; place < 4; place++) {
            assert_true(moved[place] >= 5);
            all += moved[place];
        }
        assert_in_range(all, 20, 26); /* partners come from areas that are done, too */
        grid_free(after);
    }
}

static void test_misuse(void **state)
{
    (void)state;
    const char *csv = "a,b\n1,2\n";
    masking_refused(csv, "record-swap columns=a", "it needs `match`");
    masking_refused(csv, "record-swap match=a", "record-swap needs the setting columns");
    masking_refused(csv, "record-swap columns=a match=a", "is in `columns` and in `match`");
    masking_refused(csv, "record-swap columns=a match=b keep=a", "is in `columns` and in `keep`");
    masking_refused(csv, "record-swap columns=a share=0.1 rate=0.1", "`share` and `rate`");
    masking_refused(csv, "record-swap columns=a keep=b least=2 share=1", "more than `keep` has");
    masking_refused(csv, "record-swap columns=a carry=a share=1", "is in `carry` and in `columns`");
    masking_refused(csv, "record-swap columns=a match=b k=1", "k of record-swap is to be a whole");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_risky),      cmocka_unit_test(test_stuck),
        cmocka_unit_test(test_household),  cmocka_unit_test(test_share),
        cmocka_unit_test(test_degenerate), cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_levels),     cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_carry),      cmocka_unit_test(test_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
