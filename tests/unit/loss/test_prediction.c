/*
 * test_prediction.c - predictions whose result is known beforehand, targets that are refused, and
 * who is held out.
 */
#include "loss.h"

#include "loss/prediction.h"

enum { ROWS = 300, TEXT = ROWS * 32 };

typedef void (*row_fn)(char *out, int row);

static void write_rows(char *text, const char *header, row_fn row)
{
    char *at = text + sprintf(text, "%s\n", header);
    for (int i = 0; i < ROWS; i++) {
        row(at, i);
        at += strlen(at);
    }
}

static tacit_loss *predict(const char *target, const char *header, row_fn before, row_fn after,
                           const uint32_t *origin)
{
    static char texts[2][TEXT];
    tacit_loss_options options;
    tacit_loss_options_init(&options);
    options.target = target;
    write_rows(texts[0], header, before);
    write_rows(texts[1], header, after);
    tacit_loss_case c = {loss_table(texts[0]), loss_table(texts[1]), origin, NULL, {NULL, NULL}};
    tacit_loss *loss = loss_of_case(&c, &options, 1);
    tacit_table_free((tacit_table *)c.original);
    tacit_table_free((tacit_table *)c.release);
    return loss;
}

/* The class follows from the place, whose first letter is its region. */
static void place_row(char *out, int i)
{
    sprintf(out, "%c%d,%s\n", "nsew"[i % 4], i % 3, i % 4 < 2 ? "flu" : "gout");
}

static void region_row(char *out, int i)
{
    sprintf(out, "%c*,%s\n", "nsew"[i % 4], i % 4 < 2 ? "flu" : "gout");
}

static void starred_row(char *out, int i)
{
    sprintf(out, "*,%s\n", i % 4 < 2 ? "flu" : "gout");
}

static void hidden_target_row(char *out, int i)
{
    sprintf(out, "%c%d,*\n", "nsew"[i % 4], i % 3);
}

static void test_classes(void **state)
{
    (void)state;
    row_fn same[] = {place_row, region_row};
    for (int i = 0; i < 2; i++) {
        tacit_loss *loss = predict("ill", "place,ill", place_row, same[i], NULL);
        const tacit_loss_prediction *p = &loss->prediction;
        assert_true(p->classes);
        assert_near(p->before, 1);
        assert_near(p->after, 1);
        assert_near(p->kept, 1);
        assert_true(p->baseline < 0.65);
        assert_int_equal(p->tested + p->trained_original, ROWS);
        assert_int_equal(p->trained_release, p->trained_original);
        assert_true(isnan(p->error_after));
        tacit_loss_free(loss);
    }
}

/* Nothing is left to learn from: the guess. */
static void test_nothing_left(void **state)
{
    (void)state;
    tacit_loss *loss = predict("ill", "place,ill", place_row, starred_row, NULL);
    assert_near(loss->prediction.after, loss->prediction.baseline);
    assert_near(loss->prediction.kept, 0);
    tacit_loss_free(loss);
    loss = predict("ill", "place,ill", place_row, hidden_target_row, NULL);
    assert_int_equal(loss->prediction.trained_release, 0);
    assert_near(loss->prediction.before, 1);
    assert_true(isnan(loss->prediction.after) && isnan(loss->prediction.kept));
    tacit_loss_free(loss);
}

/* Rows that are all made up teach as well as others do: they have no origin to be held out with. */
static void test_made_up(void **state)
{
    (void)state;
    static uint32_t origin[ROWS];
    for (int i = 0; i < ROWS; i++)
        origin[i] = TACIT_LOSS_MADE_UP;
    tacit_loss *loss = predict("ill", "place,ill", place_row, place_row, origin);
    assert_near(loss->prediction.after, 1);
    assert_int_equal(loss->prediction.trained_release, ROWS);
    tacit_loss_free(loss);
}

/* y = 3 x + 2, x released as it is or in tens. */
static void line_row(char *out, int i)
{
    sprintf(out, "%d,%d\n", i % 100, 3 * (i % 100) + 2);
}

static void tens_row(char *out, int i)
{
    sprintf(out, "%d0-%d9,%d\n", i % 100 / 10, i % 100 / 10, 3 * (i % 100) + 2);
}

static void constant_row(char *out, int i)
{
    sprintf(out, "*,%d\n", 3 * (i % 100) + 2);
}

static void two_row(char *out, int i)
{
    sprintf(out, "%d,%d\n", i % 100, i % 100 > 49);
}

static void test_numbers(void **state)
{
    (void)state;
    tacit_loss *loss = predict("y", "x,y", line_row, line_row, NULL);
    assert_false(loss->prediction.classes);
    assert_true(loss->prediction.before > 0.9999 && loss->prediction.before <= 1);
    assert_near(loss->prediction.after, loss->prediction.before);
    tacit_loss_free(loss);
    /* Means of tens miss by the deviation within them, 3 sqrt(99 / 12), of 3 sqrt(9999 / 12). */
    loss = predict("y", "x,y", line_row, tens_row, NULL);
    assert_true(fabs(loss->prediction.after - (1 - 99.0 / 9999)) < 0.005);
    assert_true(fabs(loss->prediction.error_after - 3 * sqrt(99.0 / 12)) < 1);
    assert_true(fabs(loss->prediction.error_baseline - 3 * sqrt(9999.0 / 12)) < 8);
    tacit_loss_free(loss);
    loss = predict("y", "x,y", line_row, constant_row, NULL);
    assert_true(fabs(loss->prediction.after) < 1e-6);
    tacit_loss_free(loss);
    loss = predict("y", "x,y", two_row, two_row, NULL);
    assert_true(loss->prediction.classes);      /* a number with two values */
    assert_true(loss->prediction.before > 0.9); /* one of nine bins has both */
    tacit_loss_free(loss);
}

static void name_row(char *out, int i)
{
    sprintf(out, "%d,name%d\n", i, i);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *target, *message;
    } WRONG[] = {{"y", "too many different values"}, {"nix", "no column that is measured"}};
    static char text[TEXT];
    write_rows(text, "x,y", name_row);
    tacit_loss_case c = {loss_table(text), loss_table(text), NULL, NULL, {NULL, NULL}};
    tacit_run run;
    tacit_run_init(&run);
    for (int i = 0; i < 2; i++) {
        tacit_loss_options options;
        tacit_loss *loss = NULL;
        tacit_error err = {0};
        tacit_loss_options_init(&options);
        options.target = WRONG[i].target;
        assert_int_equal(tacit_loss_measure(&loss, &c, &options, &run, &err), TACIT_INVALID);
        assert_non_null(strstr(err.message, WRONG[i].message));
    }
    tacit_table_free((tacit_table *)c.original);
    tacit_table_free((tacit_table *)c.release);
}

static void test_held_out(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        int held = 0, taken = 0, both = 0, other = 0;
        for (int row = 0; row < 30000; row++) {
            bool is_held = tacit__held_out(seed, row), is_taken = tacit__is_taken(seed, row, 0.25);
            held += is_held;
            taken += is_taken;
            both += is_held && is_taken;
            other += is_held == tacit__held_out(seed + 1, row);
            assert_true(tacit__is_taken(seed, row, 1));
        }
        assert_true(abs(held - 10000) < 400 && abs(taken - 7500) < 400 && abs(both - 2500) < 250);
        assert_true(abs(other - 30000 * 5 / 9) < 500);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes), cmocka_unit_test(test_nothing_left),
        cmocka_unit_test(test_made_up), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_held_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
