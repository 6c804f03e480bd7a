/*
 * test_previous_memory.c - every allocation of the join with an earlier release, and of the test of
 * order, failed in turn: each time it says so and leaves nothing behind.
 */
#include "starve.h"

#include "two_releases.h"

typedef struct attempt {
    const two_case *c;
    int threads;
} attempt;

static tacit_status join(void *context, tacit_error *err)
{
    const attempt *a = context;
    tacit_run run = starve_run(a->threads);
    tacit_joined *joined = STARVE_UNTOUCHED;
    tacit_status status = tacit_join_releases(&joined, &a->c->two, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(joined, STARVE_UNTOUCHED);
    else
        tacit_joined_free(joined);
    return status;
}

static tacit_status order(void *context, tacit_error *err)
{
    const attempt *a = context;
    tacit_run run = starve_run(a->threads);
    tacit_order_verdict v = {.places = -1};
    tacit_status status = tacit_audit_order(&v, &a->c->two, &run, err);
    if (status != TACIT_OK)
        assert_int_equal(v.places, -1);
    return status;
}

/* Cases of several sorts: with knots to untie and without, by pairs only, several
 * quasi-identifiers. */
static void test_starved(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        two_case c;
        draw_case_of(&c, seed, MAX_ROWS, seed % 2);
        c.two.max_pairs = seed % 3 == 0 ? 4 : 0;
        attempt a = {&c, 1};
        starve(join, &a);
        starve(order, &a);
        a.threads = 2; /* what is needed now depends on which thread does what */
        starve_way_of(join, &a, STARVE_FOR_GOOD);
    }
}

static tacit_status match(void *context, tacit_error *err)
{
    tacit_table *const *tables = context;
    uint32_t *codes = STARVE_UNTOUCHED;
    tacit_status status = tacit_match_values(&codes, tables[0], 0, tables[1], 0, err);
    if (status != TACIT_OK)
        assert_ptr_equal(codes, STARVE_UNTOUCHED);
    else
        tacit_values_free(codes);
    return status;
}

static void test_values_starved(void **state)
{
    (void)state;
    tacit_csv_options options;
    tacit_table *tables[2] = {NULL, NULL};
    tacit_csv_options_init(&options);
    for (int i = 0; i < 2; i++)
        assert_int_equal(tacit_table_read_memory(&tables[i], tacit_strview_of("x\nred\nblue\n"),
                                                 "text", &options, NULL, NULL),
                         TACIT_OK);
    starve(match, tables);
    tacit_table_free(tables[0]);
    tacit_table_free(tables[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starved),
        cmocka_unit_test(test_values_starved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
