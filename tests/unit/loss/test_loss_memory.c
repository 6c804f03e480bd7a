/*
 * test_loss_memory.c - every allocation of measuring the loss failed in turn:
 * numbers, labels among them, claims, weights, many values.
 */
#include "starve.h"

#include "loss.h"

typedef struct attempt {
    tacit_loss_case c;
    tacit_loss_options options;
    int threads;
} attempt;

static tacit_status measure(void *context, tacit_error *err)
{
    const attempt *a = context;
    tacit_run run = starve_run(a->threads);
    tacit_loss *loss = STARVE_UNTOUCHED;
    tacit_status status = tacit_loss_measure(&loss, &a->c, &a->options, &run, err);
    if (status == TACIT_OK)
        tacit_loss_free(loss);
    else
        assert_ptr_equal(loss, STARVE_UNTOUCHED);
    return status;
}

static void test_starved(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"n", "m", "s", "gone"};
    static const uint32_t ORIGIN[] = {0, 1, 2, 3, TACIT_LOSS_MADE_UP, 11, 10, 9, 8, 7, 6, 5};
    static const double WEIGHTS[] = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
    attempt a = {.c = {loss_table("n,m,s,gone\n1,5,a,x\n2,6,b,y\n3,7,c,x\n4,8,d,y\n5,9,e,x\n6,5,f,"
                                  "y\n1,5,a,x\n2,6,b,y\n3,7,c,x\n4,8,d,y\n5,9,e,x\n6,5,f,y\n"),
                       loss_table("n,m,s\n1,5,a\n2,6,b\n3,7,c\n4,8,d\n*,9,b\n6,5,x\n1,1-9,a\n2,6,b"
                                  "\n3,7,c\n4,8,d\n5,9,e\n6,5,f\n"),
                       ORIGIN, WEIGHTS},
                 .threads = 1};
    tacit_loss_options_init(&a.options);
    a.options.columns = NAMES;
    a.options.column_count = 4;
    for (int target = 0; target < 4;
         target++) { /* a number, numbers, classes, one that is dropped */
        a.options.target = NAMES[target];
        assert_true(starve(measure, &a) > 80);
    }
    a.options.target = NAMES[2];
    a.threads = 2;
    assert_true(starve_way_of(measure, &a, STARVE_FOR_GOOD) > 80);
    tacit_table_free((tacit_table *)a.c.original);
    tacit_table_free((tacit_table *)a.c.release);
}

/* So many values that pairs of them are hashed, and the tables of hashes grow. */
static void test_many_values_starved(void **state)
{
    (void)state;
    enum { ROWS = 1200 };
    static char text[ROWS * 16 + 8];
    static uint32_t origin[ROWS];
    size_t used = (size_t)sprintf(text, "a,b\n");
    for (int row = 0; row < ROWS; row++) {
        used += (size_t)sprintf(text + used, "v%d,w%d\n", row, row * 7 % ROWS);
        origin[row] = (uint32_t)(ROWS - 1 - row);
    }
    attempt a = {.c = {loss_table(text), loss_table(text), origin, NULL}, .threads = 1};
    tacit_loss_options_init(&a.options);
    assert_true(starve(measure, &a) > 40);
    tacit_table_free((tacit_table *)a.c.original);
    tacit_table_free((tacit_table *)a.c.release);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_starved),
                                       cmocka_unit_test(test_many_values_starved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
