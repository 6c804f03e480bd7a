/*
 * test_previous.c - the join of two releases at its edges: nothing to join, one row, all the same;
 * what is refused; stopping; values of two dictionaries; several thousand rows of one kind, and a
 * join that a matching has to decide; what the earlier release's own rows have come to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <tacit/experimental/audit_previous.h>

enum { ROWS = 3000 };

/* "*" over 1, which holds 2 and 3, and 4. */
static const uint32_t ENDS[] = {5, 4, 3, 4, 5};
static uint32_t now[ROWS], before[ROWS], carried_now[ROWS], carried_before[ROWS];

static tacit_joint_column columns[2];
static tacit_two_releases two;

static int set_up(void **state)
{
    (void)state;
    columns[0] = (tacit_joint_column){ENDS, 5, {{now, 4}, NULL}, {{before, 4}, NULL}};
    columns[1] =
        (tacit_joint_column){NULL, ROWS, {{carried_now, 4}, NULL}, {{carried_before, 4}, NULL}};
    two = (tacit_two_releases){.columns = columns, .column_count = 2, .quasi_count = 1, .k = 2};
    for (int i = 0; i < ROWS; i++) {
        now[i] = before[i] = 1;
        carried_now[i] = carried_before[i] = 0;
    }
    return 0;
}

static tacit_joined *join(int64_t now_rows, int64_t before_rows)
{
    tacit_joined *joined = NULL;
    tacit_error err = {0};
    two.now_rows = now_rows;
    two.before_rows = before_rows;
    if (tacit_join_releases(&joined, &two, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return joined;
}

static void test_empty(void **state)
{
    (void)state;
    tacit_joined *joined = join(0, 0);
    assert_int_equal(joined->kind_count, 0);
    assert_int_equal(joined->exposed_rows, 0);
    assert_int_equal(joined->fewest_sharing, 0);
    tacit_joined_free(joined);
    joined = join(0, 3);
    assert_int_equal(joined->same_rows, 0);
    tacit_joined_free(joined);
    joined = join(3, 0); /* nothing is learnt */
    assert_int_equal(joined->fresh_rows, 3);
    assert_int_equal(joined->exposed_rows, 0);
    tacit_joined_free(joined);
    tacit_joined_free(NULL);
}

static void test_single(void **state)
{
    (void)state;
    before[0] = 2;
    tacit_joined *joined = join(1, 1);
    assert_int_equal(joined->certain_rows, 1);
    assert_int_equal(joined->finer_rows, 1);
    assert_int_equal(joined->exposed_rows, 1);
    assert_int_equal(tacit_codes_at(joined->columns[0], 0), 2);
    assert_int_equal(tacit_joined_column(joined, 0).codes.width, joined->columns[0].width);
    assert_int_equal(tacit_joined_column(joined, 1).codes.width, 0);
    tacit_joined_free(joined);
}

static void test_identical(void **state)
{
    (void)state;
    tacit_joined *joined = join(ROWS, ROWS);
    assert_int_equal(joined->pairs, 1);
    assert_int_equal(joined->same_rows, ROWS);
    assert_int_equal(joined->certain_rows, ROWS);
    assert_int_equal(joined->finer_rows, 0);
    assert_int_equal(joined->smallest_class, ROWS);
    tacit_joined_free(joined);
}

/* Two rows of 1 and one of 2 beside two of 2 and one of 3: only one of 1 can be 3, so both of 1 are
 * 2 or 3, and that of 2 is certain. */
static void test_decided(void **state)
{
    (void)state;
    now[2] = 2;
    before[0] = before[1] = 2;
    before[2] = 3;
    tacit_joined *joined = join(3, 3);
    assert_int_equal(joined->same_rows, 3);
    assert_int_equal(joined->certain_rows, 1);
    assert_int_equal(joined->finer_rows, 0);
    assert_int_equal(joined->fresh_rows, 0);
    assert_int_equal(joined->exposed_rows, 0); /* 3 may be either of two */
    tacit_joined_free(joined);
}

/* Two rows of 1 released before, of which one is 2 now, beside a new one of 2: the release keeps
 * two alike, and the other one of 1 is alone. With the sides exchanged that shows. */
static void test_exchanged(void **state)
{
    (void)state;
    now[0] = now[1] = 2;
    carried_now[1] = 2;
    carried_before[1] = 1;
    tacit_joined *joined = join(2, 2);
    assert_int_equal(joined->same_rows, 1);
    assert_int_equal(joined->exposed_rows + joined->possible_rows, 0);
    tacit_joined_free(joined);
    for (int i = 0; i < 2; i++) {
        tacit_node_column old = columns[i].before;
        columns[i].before = columns[i].now;
        columns[i].now = old;
    }
    joined = join(2, 2);
    assert_int_equal(joined->exposed_rows, 2);
    assert_int_equal(joined->sure_rows, 2);
    assert_int_equal(joined->traced_rows, 1);
    assert_int_equal(joined->candidates[joined->kind_of[1]], 1);
    tacit_joined_free(joined);
    joined = join(2, 0); /* by itself it is not */
    assert_int_equal(joined->exposed_rows, 0);
    tacit_joined_free(joined);
}

static void test_refused(void **state)
{
    (void)state;
    tacit_joined *joined = NULL;
    tacit_order_verdict v;
    two.now_rows = two.before_rows = 1;
    tacit_two_releases good = two;
    for (int i = 0; i < 6; i++) {
        tacit_error err = {0};
        two = good;
        columns[0].ends = ENDS;
        if (i == 0)
            two.k = 0;
        else if (i == 1)
            two.quasi_count = 0;
        else if (i == 2)
            two.quasi_count = 3;
        else if (i == 3)
            columns[0].ends = NULL; /* a box needs a tree */
        else if (i == 4)
            two.max_pairs = -1;
        else
            two.quasi_count = 2; /* the second column has none */
        assert_int_equal(tacit_join_releases(&joined, &two, NULL, &err), TACIT_INVALID);
        assert_int_equal(err.status, TACIT_INVALID);
        assert_int_equal(tacit_audit_order(&v, &two, NULL, NULL), TACIT_INVALID);
        assert_null(joined);
    }
    two = good;
    columns[0].ends = ENDS;
    two.now_rows = INT64_C(1) << 31;
    assert_int_equal(tacit_join_releases(&joined, &two, NULL, NULL), TACIT_LIMIT);
}

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total;
    return --*(int *)payload > 0;
}

static void test_stopped(void **state)
{
    (void)state;
    tacit_joined *joined = NULL;
    tacit_status status = TACIT_CANCELLED;
    now[0] = 2;
    two.now_rows = two.before_rows = 100;
    for (int left = 1; status == TACIT_CANCELLED; left++) {
        tacit_run run;
        int asked = left;
        tacit_run_init(&run);
        run.threads = 1;
        run.progress = stop;
        run.payload = &asked;
        assert_null(joined);
        status = tacit_join_releases(&joined, &two, &run, NULL);
        assert_true(left < 1000);
    }
    assert_int_equal(status, TACIT_OK);
    tacit_joined_free(joined);
}

static void test_values(void **state)
{
    (void)state;
    tacit_csv_options options;
    tacit_table *a = NULL, *b = NULL;
    uint32_t *codes = NULL;
    tacit_csv_options_init(&options);
    assert_int_equal(tacit_table_read_memory(&a, tacit_strview_of("x,y\nred,1\nblue,\ngreen,2\n"),
                                             "a", &options, NULL, NULL),
                     TACIT_OK);
    assert_int_equal(tacit_table_read_memory(&b, tacit_strview_of("z\nblue\n\"\"\nred\nred\n"), "b",
                                             &options, NULL, NULL),
                     TACIT_OK);
    assert_int_equal(tacit_match_values(&codes, a, 0, b, 0, NULL), TACIT_OK);
    assert_int_equal(codes[0], 1); /* red */
    assert_int_equal(codes[1], 0);
    assert_int_equal(codes[2], 3); /* green: past b's missing, which is 2 */
    assert_int_equal(codes[3], 2);
    tacit_values_free(codes);
    tacit_table_free(a);
    tacit_table_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_empty, set_up),
        cmocka_unit_test_setup(test_single, set_up),
        cmocka_unit_test_setup(test_identical, set_up),
        cmocka_unit_test_setup(test_decided, set_up),
        cmocka_unit_test_setup(test_exchanged, set_up),
        cmocka_unit_test_setup(test_refused, set_up),
        cmocka_unit_test_setup(test_stopped, set_up),
        cmocka_unit_test_setup(test_values, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
