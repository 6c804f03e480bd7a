/*
 * test_noise.c - counts of people with noise: the distribution of what is drawn against exact
 * probabilities, how much a person changes counts, and that no outcome of a small table is more
 * than exp(epsilon) times as likely with a person as without.
 */
#include "tables.h"

#include "cells/noise/noise.h"
#include "people.h"
#include "rounding.h"

enum { DRAWS = 200000, REACH = 400 };

static tacit__random random_of(tacit_run *run, uint64_t seed)
{
    tacit__random random;
    tacit_run_init(run);
    tacit_run_seed_number(run, seed);
    tacit__random_init(&random, run, "test", 0);
    return random;
}

/* What chi-square with so many degrees of freedom exceeds once in two million times (Wilson and
 * Hilferty). */
static double critical(int degrees)
{
    double part = 2.0 / (9 * degrees);
    return degrees * pow(1 - part + 4.9 * sqrt(part), 3);
}

/* Classes with fewer than 20 expected are put together. */
static void assert_fits(const int64_t *counts, const double *expected, int classes)
{
    double sum = 0, count = 0, hope = 0;
    int used = 0;
    for (int i = 0; i < classes; i++) {
        count += (double)counts[i];
        hope += expected[i];
        if (hope < 20 && i + 1 < classes)
            continue;
        if (hope > 0) {
            sum += (count - hope) * (count - hope) / fmax(hope, 1);
            used++;
        }
        count = hope = 0;
    }
    assert_true(used > 1);
    assert_true(sum < critical(used - 1));
}

static double mass(int x, double q)
{
    return (1 - q) / (1 + q) * pow(q, abs(x));
}

static void test_laplace(void **state)
{
    (void)state;
    static const tacit__decay DECAYS[] = {{1, 1}, {1, 10}, {3, 2}, {2, 7}, {5, 1}, {1, 50}};
    for (size_t k = 0; k < sizeof DECAYS / sizeof *DECAYS; k++) {
        tacit_run run;
        tacit__random random = random_of(&run, 7 + k);
        int64_t counts[2 * REACH + 1] = {0};
        double expected[2 * REACH + 1], q = exp(-(double)DECAYS[k].num / (double)DECAYS[k].den);
        for (int i = 0; i < DRAWS; i++) {
            int64_t x = tacit__discrete_laplace(&random, DECAYS[k]);
            x = x < -REACH ? -REACH : x > REACH ? REACH : x;
            counts[x + REACH]++;
        }
        for (int i = 0; i <= 2 * REACH; i++)
            expected[i] = DRAWS * mass(i - REACH, q);
        expected[0] = expected[2 * REACH] = DRAWS * pow(q, REACH) / (1 + q);
        assert_fits(counts, expected, 2 * REACH + 1);
    }
}

static void test_bernoulli(void **state)
{
    (void)state;
    static const uint64_t PARTS[][2] = {{0, 1}, {1, 3}, {1, 2}, {9, 10}, {1, 1}};
    for (size_t k = 0; k < sizeof PARTS / sizeof *PARTS; k++) {
        tacit_run run;
        tacit__random random = random_of(&run, 40 + k);
        double chance = exp(-(double)PARTS[k][0] / (double)PARTS[k][1]);
        int64_t counts[2] = {0};
        for (int i = 0; i < DRAWS; i++)
            counts[tacit__bernoulli_exp(&random, PARTS[k][0], PARTS[k][1])]++;
        if (PARTS[k][0] == 0)
            assert_int_equal(counts[1], DRAWS);
        else
            assert_fits(counts, (double[]){DRAWS * (1 - chance), DRAWS * chance}, 2);
    }
}

/* A bound above half of 2^64, where drawing once would be wrong by half. */
static void test_uniform(void **state)
{
    (void)state;
    tacit_run run;
    tacit__random random = random_of(&run, 60);
    const uint64_t third = UINT64_MAX / 4;
    int64_t counts[3] = {0};
    for (int i = 0; i < DRAWS; i++)
        counts[tacit__uniform_below(&random, 3 * third) / third]++;
    assert_fits(counts, (double[]){DRAWS / 3.0, DRAWS / 3.0, DRAWS / 3.0}, 3);
    int64_t few[5] = {0};
    for (int i = 0; i < DRAWS; i++)
        few[tacit__uniform_below(&random, 5)]++;
    assert_fits(few, (double[]){DRAWS / 5., DRAWS / 5., DRAWS / 5., DRAWS / 5., DRAWS / 5.}, 5);
}

static tacit_alter_options noise_of(int64_t epsilon, int32_t most)
{
    tacit_alter_options options;
    tacit_alter_options_init(&options);
    options.epsilon = epsilon;
    options.most = most;
    return options;
}

/* Without one person the ground changes by no more than the bound, and by as much for some. */
static void test_sensitivity(void **state)
{
    (void)state;
    for (int32_t most = 1; most <= 3; most++) {
        double largest = 0;
        for (uint64_t seed = 1; seed <= 8; seed++) {
            enum { PEOPLE = 7, ROWS = 40 };
            tables_end(NULL);
            tacit_cells_spec *spec = people_spec(most);
            char *text = people_records(PEOPLE, ROWS, seed, -1);
            tacit_cells *all = cells_of(text, spec, tacit_cells_from_records);
            free(text);
            for (int without = 0; without < PEOPLE; without++) {
                text = people_records(PEOPLE, ROWS, seed, without);
                tacit_cells *rest = cells_of(text, spec, tacit_cells_from_records);
                double change = 0;
                assert_int_equal(rest->count, all->count);
                for (int32_t i = 0; i < all->count; i++)
                    if (people_ground(all, i))
                        change += fabs(all->value[i] - rest->value[i]);
                assert_true(change <= most);
                largest = fmax(largest, change);
                free(text);
                tacit_cells_free(rest);
            }
            tacit_cells_free(all);
        }
        assert_true(largest == most);
    }
}

/* The probability of an outcome of the ground, a product. */
static double likelihood(const double *counted, const int *outcome, int cells, double q)
{
    double product = 1;
    for (int i = 0; i < cells; i++)
        product *= mass(outcome[i] - (int)counted[i], q);
    return product;
}

/* All outcomes of four cells within a box, for the counts of a person's records and those without:
 * their ratio is exp(epsilon) somewhere, and nowhere more. */
static void test_likelihoods(void **state)
{
    (void)state;
    static const char ALL[] = "id,place,branch\n1,north,farm\n1,north,mine\n1,south,farm\n"
                              "2,north,farm\n2,south,mine\n3,south,mine\n";
    static const char WITHOUT[] = "id,place,branch\n2,north,farm\n2,south,mine\n3,south,mine\n";
    static const char *const CELLS[] = {"north|farm", "north|mine", "south|farm", "south|mine"};
    for (int32_t most = 1; most <= 3; most++) {
        tables_end(NULL);
        tacit_cells_spec *spec = people_spec(most);
        tacit_cells *all = cells_of(ALL, spec, tacit_cells_from_records);
        tacit_cells *rest = cells_of(WITHOUT, spec, tacit_cells_from_records);
        double with[4], without[4], epsilon = 0.7, q = exp(-epsilon / most), largest = 0;
        for (int i = 0; i < 4; i++) {
            with[i] = value_named(all, CELLS[i]);
            without[i] = value_named(rest, CELLS[i]);
        }
        for (int o = 0; o < 9 * 9 * 9 * 9; o++) {
            int outcome[4] = {o % 9 - 3, o / 9 % 9 - 3, o / 81 % 9 - 3, o / 729 - 3};
            double a = likelihood(with, outcome, 4, q), b = likelihood(without, outcome, 4, q);
            largest = fmax(largest, fmax(a / b, b / a));
        }
        assert_true(largest <= exp(epsilon) * (1 + 1e-12));
        assert_true(largest >= exp(epsilon) * (1 - 1e-12));
        tacit_cells_free(all);
        tacit_cells_free(rest);
    }
}

/* What the method publishes, over many seeds: every ground cell, an empty one too, has its own
 * noise by epsilon / most; totals are the sums. */
static void test_published(void **state)
{
    (void)state;
    enum { RUNS = 9000, AROUND = 60 };
    tables_end(NULL);
    tacit_cells_spec *spec = people_spec(2);
    char *text = people_records(30, 80, 5, -1);
    tacit_cells *cells = cells_of(text, spec, tacit_cells_from_records);
    tacit_alter_options options = noise_of(800000, 2);
    int64_t counts[2 * AROUND + 1] = {0};
    double expected[2 * AROUND + 1], q = exp(-0.4);
    int32_t ground = 0;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        tacit_altered altered = altered_by(cells, "dp", &options, seed, 1);
        assert_int_equal(broken_in(cells, altered.value), 0);
        for (int32_t i = 0; i < cells->count; i++)
            if (people_ground(cells, i)) {
                int x = (int)(altered.value[i] - cells->value[i]);
                counts[(x < -AROUND ? -AROUND : x > AROUND ? AROUND : x) + AROUND]++;
                ground += seed == 0;
            }
        tacit_altered_clear(&altered);
    }
    assert_int_equal(ground, PEOPLE_GROUND);
    for (int i = 0; i <= 2 * AROUND; i++)
        expected[i] = RUNS * PEOPLE_GROUND * mass(i - AROUND, q);
    assert_fits(counts, expected, 2 * AROUND + 1);
    free(text);
    tacit_cells_free(cells);
}

static void test_same_bytes(void **state)
{
    (void)state;
    tables_end(NULL);
    char *text = people_records(30, 80, 5, -1);
    tacit_cells *cells = cells_of(text, people_spec(1), tacit_cells_from_records);
    tacit_alter_options options = noise_of(1, 1);
    tacit_altered one = altered_by(cells, "dp", &options, 3, 1);
    tacit_altered two = altered_by(cells, "dp", &options, 3, 4);
    tacit_altered other = altered_by(cells, "dp", &options, 4, 1);
    size_t size = (size_t)cells->count * sizeof *one.value;
    assert_memory_equal(one.value, two.value, size);
    assert_memory_not_equal(one.value, other.value, size);
    tacit_altered_clear(&one);
    tacit_altered_clear(&two);
    tacit_altered_clear(&other);
    free(text);
    tacit_cells_free(cells);
}

static void test_refused(void **state)
{
    (void)state;
    tables_end(NULL);
    tacit_cells_spec *spec = people_spec(1);
    const tacit_alter_method *method = tacit_alter_method_find("dp");
    refused("id,place,branch\n1,north,farm\n,north,farm\n", spec, tacit_cells_from_records,
            "t.csv:3:1: it is not said whose record this is, so that nobody knows how often a "
            "person is counted; write it there");
    spec->most = 0;
    tacit_cells *cells =
        cells_of("id,place,branch\n1,north,farm\n", spec, tacit_cells_from_records);
    const tacit_alter_options wanted[] = {noise_of(1000000, 1), noise_of(0, 1),
                                          noise_of(TACIT_MAX_EPSILON + 1, 1), noise_of(1000000, 0)};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        tacit_altered altered = {0};
        tacit_error err = {0};
        tacit_run run;
        tacit_run_init(&run);
        assert_int_equal(tacit_alter(&altered, cells, method, &wanted[i], &run, &err),
                         TACIT_INVALID);
        assert_null(altered.value);
    }
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laplace),     cmocka_unit_test(test_bernoulli),
        cmocka_unit_test(test_uniform),     cmocka_unit_test(test_sensitivity),
        cmocka_unit_test(test_likelihoods), cmocka_unit_test(test_published),
        cmocka_unit_test(test_same_bytes),  cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
