/*
 * test_perturb_random.c - perturbation of random tables over thousands of seeds: sums of every
 * stratum kept to the last decimal, every drawn row moved and by no more than allowed, the same for
 * any number of threads.
 */
#include "masking.h"

enum { ROWS = 40, STRATA = 3 };

static uint32_t draw(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Rows of a stratum's letter and a number in hundredths. */
typedef struct drawn {
    int64_t cents[ROWS];
    int stratum[ROWS];
    int count;
    char csv[ROWS * 32];
} drawn;

/* A third of the numbers is 0, and a part below it. */
static void draw_table(drawn *t, uint32_t *seed)
{
    char *at = t->csv + sprintf(t->csv, "g,a\n");
    t->count = (int)(draw(seed) % ROWS);
    for (int i = 0; i < t->count; i++) {
        uint32_t kind = draw(seed) % 6;
        t->cents[i] = kind < 2 ? 0 : (int64_t)(draw(seed) % 100000) - (kind == 2 ? 99999 : 0);
        t->stratum[i] = (int)(draw(seed) % STRATA);
        at += sprintf(at, "%c,%s%d.%02d\n", 'x' + t->stratum[i], t->cents[i] < 0 ? "-" : "",
                      abs((int)t->cents[i]) / 100, abs((int)t->cents[i]) % 100);
    }
}

/* In hundredths, read digit by digit: nothing is rounded. */
static int64_t cents_of(const char *cell)
{
    bool negative = *cell == '-';
    int64_t cents = 0;
    for (cell += negative; *cell != '\n'; cell++)
        if (*cell != '.')
            cents = cents * 10 + (*cell - '0');
    return negative ? -cents : cents;
}

static void check_release(const drawn *t, const char *text, int64_t size, double changed)
{
    int64_t sums[STRATA] = {0};
    int moved = 0;
    const char *line = strchr(text, '\n') + 1;
    for (int i = 0; i < t->count; i++, line = strchr(line, '\n') + 1) {
        int64_t cents = cents_of(line + 2);
        sums[t->stratum[i]] += cents - t->cents[i];
        moved += cents != t->cents[i];
        assert_in_range(cents - t->cents[i] + size, 0, 2 * size);
        assert_true(t->cents[i] < 0 ? cents <= 0 : cents >= 0);
    }
    assert_true(*line == '\0');
    for (int i = 0; i < STRATA; i++)
        assert_int_equal(sums[i], 0);
    assert_true(moved == changed);
}

static void test_sums(void **state)
{
    (void)state;
    uint32_t seed = 17;
    for (int i = 0; i < 4000; i++) {
        drawn t;
        char line[128];
        int64_t size = 1 + draw(&seed) % (i % 2 ? 5 : 5000);
        draw_table(&t, &seed);
        snprintf(line, sizeof line, "perturb columns=a size=%d.%02d within=g share=%s",
                 (int)size / 100, (int)size % 100, i % 3 ? "1" : "0.5");
        tacit_error err = {0};
        tacit_table *table = masking_table(t.csv);
        tacit_masked *masked = masking_apply(table, line, (uint64_t)i, 1, &err);
        if (!masked && t.count > 0)
            fail_msg("%s", err.message);
        if (masked) {
            char *text = masking_text(masked, 1);
            check_release(&t, text, size, masking_fact(masked, 0, "cells_changed"));
            free(text);
        }
        tacit_masked_free(masked);
        tacit_table_free(table);
    }
}

/* Every row moves where all can go both ways. */
static void test_all_move(void **state)
{
    (void)state;
    char *csv = malloc(1 << 20), *at = csv + sprintf(csv, "a\n");
    for (int i = 0; i < 40000; i++)
        at += sprintf(at, "%d\n", 1000 + i * 7 % 1001);
    const char *step = "perturb columns=a size=30";
    tacit_error err = {0};
    tacit_table *table = masking_table(csv);
    tacit_masked *masked = masking_apply(table, step, 1, 1, &err);
    assert_true(masking_fact(masked, 0, "cells_changed") == 40000);
    assert_true(masking_fact(masked, 0, "cells_stuck") == 0);
    tacit_masked_free(masked);
    tacit_table_free(table);
    char *one = masking_run(csv, step, 5, 1);
    for (int threads = 2; threads <= 7; threads += 5) {
        char *other = masking_run(csv, step, 5, threads);
        assert_string_equal(one, other);
        free(other);
    }
    char *seeded = masking_run(csv, step, 6, 1);
    assert_string_not_equal(one, seeded);
    free(seeded);
    free(one);
    free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums),
                                       cmocka_unit_test(test_all_move)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
