/*
 * test_loss_estimates.c - estimates of the population by sampling weights: by hand, against sums
 * over the rows of random tables, and what is refused.
 */
#include "loss.h"

#include "random_cases.h"

/* Four rows stand for 20 people; one is released as no number, one not at all. */
static void test_by_hand(void **state)
{
    (void)state;
    static const uint32_t ORIGIN[] = {3, 0, 1};
    static const double BEFORE[] = {2, 3, 10, 5}, AFTER[] = {5, 2, 3};
    tacit_loss_options options;
    tacit_loss_case c = {.original = loss_table("sex,pay\nm,10\nf,20\nf,40\nm,30\n"),
                         .release = loss_table("sex,pay\nm,30\nm,10\n*,many\n"),
                         .origin = ORIGIN,
                         .stands_for = {BEFORE, AFTER}};
    tacit_loss_options_init(&options);
    tacit_loss *loss = loss_of_case(&c, &options, 2);
    const tacit_loss_estimate *sex = &loss->attributes[0].estimate;
    const tacit_loss_estimate *pay = &loss->attributes[1].estimate;
    assert_true(loss->weighted);
    assert_near(loss->population_before, 20);
    assert_near(loss->population_after, 10);
    assert_near(sex->frequency_change, 13 / 20.); /* of f, which nobody is any more */
    assert_near(sex->variation, 13 / 20.);
    assert_true(isnan(sex->mean_before) && isnan(sex->total_change));
    assert_near(pay->total_before, 20 + 60 + 400 + 150);
    assert_near(pay->total_after, 150 + 20);
    assert_near(pay->mean_before, 630 / 20.);
    assert_near(pay->mean_after, 170 / 7.);
    assert_near(pay->total_change, 170 / 630. - 1);
    assert_near(pay->mean_change, 170 / 7. / 31.5 - 1);
    assert_near(loss->weighted_total_change, 1 - 170 / 630.);
    assert_near(loss->frequency_change, fmax(13 / 20., pay->frequency_change));
    tacit_loss_free(loss);
    tacit_table_free((tacit_table *)c.original);
    tacit_table_free((tacit_table *)c.release);
}

/* Rows of a random table with one of three letters, and a number from 0 to 9. */
enum { MOST = 40 };

typedef struct world {
    int rows[2], letter[2][MOST], number[2][MOST];
    uint32_t origin[MOST];
    double weights[2][MOST];
    char text[2][MOST * 16];
} world;

static void make_world(world *w, uint64_t seed)
{
    uint64_t random = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (int t = 0; t < 2; t++) {
        size_t at = (size_t)sprintf(w->text[t], "l,n\n");
        random = random * 6364136223846793005u + 1442695040888963407u;
        w->rows[t] = 1 + (int)(random >> 33) % MOST;
        for (int i = 0; i < w->rows[t]; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            w->letter[t][i] = (int)(random >> 33) % 3;
            w->number[t][i] = (int)(random >> 40) % 10;
            w->weights[t][i] = (double)(1 + (random >> 50) % 16) / 4;
            w->origin[i] = (uint32_t)(random >> 45) % (uint32_t)w->rows[0];
            at +=
                (size_t)sprintf(w->text[t] + at, "%c,%d\n", 'a' + w->letter[t][i], w->number[t][i]);
        }
    }
}

/* The weight of a letter, over that of all; and the sum of weight times number. */
static double share_of(const world *w, int t, int letter)
{
    double all = 0, those = 0;
    for (int i = 0; i < w->rows[t]; i++) {
        all += w->weights[t][i];
        those += w->letter[t][i] == letter ? w->weights[t][i] : 0;
    }
    return those / all;
}

static double total_of(const world *w, int t)
{
    double sum = 0;
    for (int i = 0; i < w->rows[t]; i++)
        sum += w->weights[t][i] * w->number[t][i];
    return sum;
}

static void test_random(void **state)
{
    uint64_t *seed = *state;
    static world w;
    for (*seed = 1; *seed <= many_cases(200); ++*seed) {
        make_world(&w, *seed);
        tacit_loss_options options;
        double most = 0, sum = 0;
        tacit_loss_case c = {.original = loss_table(w.text[0]),
                             .release = loss_table(w.text[1]),
                             .origin = w.origin,
                             .stands_for = {w.weights[0], w.weights[1]}};
        tacit_loss_options_init(&options);
        tacit_loss *loss = loss_of_case(&c, &options, 1);
        for (int letter = 0; letter < 3; letter++) {
            double apart = fabs(share_of(&w, 0, letter) - share_of(&w, 1, letter));
            most = fmax(most, apart);
            sum += apart / 2;
        }
        assert_near(loss->attributes[0].estimate.frequency_change, most);
        assert_near(loss->attributes[0].estimate.variation, sum);
        assert_near(loss->attributes[1].estimate.total_before, total_of(&w, 0));
        assert_near(loss->attributes[1].estimate.total_after, total_of(&w, 1));
        tacit_loss_free(loss);
        tacit_table_free((tacit_table *)c.original);
        tacit_table_free((tacit_table *)c.release);
    }
    *seed = 0;
}

static void test_refused(void **state)
{
    (void)state;
    static const double GOOD[] = {1, 2}, NONE[] = {1, NAN}, HUGE_ONES[] = {1e308, 1e308};
    static const double *const PAIRS[][2] = {
        {GOOD, NULL}, {NULL, GOOD}, {GOOD, NONE}, {NONE, GOOD}, {GOOD, HUGE_ONES}};
    tacit_run run;
    tacit_loss_options options;
    tacit_run_init(&run);
    tacit_loss_options_init(&options);
    tacit_table *table = loss_table("a\nx\ny\n");
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        tacit_loss *loss = NULL;
        tacit_loss_case c = {
            .original = table, .release = table, .stands_for = {PAIRS[i][0], PAIRS[i][1]}};
        assert_int_equal(tacit_loss_measure(&loss, &c, &options, &run, NULL), TACIT_INVALID);
        assert_null(loss);
    }
    tacit_table_free(table);
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        random_test(test_random, &seed),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
