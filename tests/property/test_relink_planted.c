/*
 * test_relink_planted.c - re-linking of releases of which it is known what must come out: as they
 * are, with columns torn apart, swapped as a unit, encrypted, with noise, and with agreement of
 * planted probabilities. Bounds are generous, seeds fixed.
 */
#include "relinked.h"

#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "random_cases.h"

enum { ROWS = 600, COLUMNS = 6, VALUES = 40, TEXT = 1 << 16 };

static const char *const NAMES[COLUMNS] = {"a", "b", "c", "d", "e", "f"};

/* The first half of the columns are numbers, the others names. */
typedef struct planted {
    double cells[2][ROWS][COLUMNS]; /* original, release */
    char text[2][TEXT];
    bool encrypted;
    relinked r;
} planted;

static bool is_number(int column)
{
    return column < COLUMNS / 2;
}

static double uniform(tacit__random *random)
{
    return (tacit__random_word(random) + 0.5) / 4294967296.0;
}

static double normal(tacit__random *random)
{
    return sqrt(-2 * log(uniform(random))) * cos(2 * 3.141592653589793 * uniform(random));
}

static void draw(planted *p, tacit__random *random)
{
    p->encrypted = false;
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < COLUMNS; i++)
            p->cells[0][row][i] = p->cells[1][row][i] =
                is_number(i) ? round(1e4 * normal(random))
                             : (double)tacit__random_below(random, VALUES);
}

static void write_cells(planted *p, int which)
{
    char *out = p->text[which];
    out += sprintf(out, "a,b,c,d,e,f\n");
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < COLUMNS; i++) {
            const char *form = which == 1 && p->encrypted ? "#%.0f%s"
                               : is_number(i)             ? "%.0f%s"
                                                          : "n%02.0f%s";
            out += sprintf(out, form, p->cells[which][row][i], i + 1 < COLUMNS ? "," : "\n");
        }
}

static const tacit_relink *measure(planted *p)
{
    write_cells(p, 0);
    write_cells(p, 1);
    relinked_open(&p->r, p->text[0], p->text[1], NAMES, COLUMNS);
    return relinked_run(&p->r, NULL);
}

static void shuffle(int *order, tacit__random *random)
{
    for (int i = 0; i < ROWS; i++)
        order[i] = i;
    for (int i = ROWS - 1; i > 0; i--) {
        int j = (int)tacit__random_below(random, (uint32_t)i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

static void begin(tacit__random *random, tacit_run *run, uint64_t seed)
{
    tacit_run_init(run);
    tacit_run_seed_number(run, seed);
    tacit__random_init(random, run, "test", 0);
}

static planted p;

/* Every attack finds everybody who is alone; all are, but for a chance of next to nothing. */
static void test_as_it_is(void **state)
{
    uint64_t *seed = *state;
    tacit_run run;
    tacit__random random;
    for (*seed = 1; *seed <= many_cases(10); ++*seed) {
        begin(&random, &run, *seed);
        draw(&p, &random);
        const tacit_relink *found = measure(&p);
        for (int kind = 0; kind < TACIT_RELINK_KINDS; kind++) {
            assert_true(found->attacks[kind].tried);
            assert_float_equal(found->attacks[kind].share, 1, 1e-9);
        }
        assert_float_equal(found->unprotected, 1, 1e-9);
        assert_float_equal(found->joint_deviations[0], 1, 1e-9);
        assert_float_equal(found->joint_ranks[0], 1, 1e-9);
        assert_int_equal(found->maps.to_own, ROWS);
        relinked_close(&p.r);
    }
    *seed = 0;
}

/* Each column in an order of its own: nothing is left to link by. */
static void test_torn(void **state)
{
    uint64_t *seed = *state;
    tacit_run run;
    tacit__random random;
    int order[ROWS];
    for (*seed = 1; *seed <= many_cases(10); ++*seed) {
        begin(&random, &run, *seed);
        draw(&p, &random);
        for (int i = 0; i < COLUMNS; i++) {
            shuffle(order, &random);
            for (int row = 0; row < ROWS; row++)
                p.cells[1][row][i] = p.cells[0][order[row]][i];
        }
        const tacit_relink *found = measure(&p);
        for (int kind = 0; kind < TACIT_RELINK_KINDS; kind++)
            assert_true(found->attacks[kind].share < 0.025); /* 1 of 600 by guessing */
        for (int i = 0; i < COLUMNS / 2; i++)
            assert_true(fabs(found->columns[i].within_deviations[2] -
                             found->columns[i].by_chance[2]) < 0.05);
        relinked_close(&p.r);
    }
    *seed = 0;
}

/* All columns of a record together go to the next one in a random circle: no fixed point. */
static void test_swapped(void **state)
{
    uint64_t *seed = *state;
    tacit_run run;
    tacit__random random;
    int order[ROWS];
    for (*seed = 1; *seed <= many_cases(10); ++*seed) {
        begin(&random, &run, *seed);
        draw(&p, &random);
        shuffle(order, &random);
        for (int i = 0; i < ROWS; i++)
            memcpy(p.cells[1][order[(i + 1) % ROWS]], p.cells[0][order[i]], sizeof p.cells[0][0]);
        const tacit_relink *found = measure(&p);
        assert_int_equal(found->maps.wrong_map, TACIT_LINK_HOLDS);
        assert_int_equal(found->maps.null_map, TACIT_LINK_BROKEN);
        assert_int_equal(found->maps.to_wrong, ROWS);
        assert_float_equal(found->attacks[found->best].share, 0, 1e-9);
        relinked_close(&p.r);
    }
    *seed = 0;
}

static void test_encrypted(void **state)
{
    uint64_t *seed = *state;
    tacit_run run;
    tacit__random random;
    for (*seed = 1; *seed <= many_cases(5); ++*seed) {
        begin(&random, &run, *seed);
        draw(&p, &random);
        p.encrypted = true;
        const tacit_relink *found = measure(&p);
        assert_int_equal(found->maps.null_map, TACIT_LINK_HOLDS);
        assert_int_equal(found->maps.unreadable, ROWS);
        for (int kind = 0; kind < TACIT_RELINK_KINDS; kind++)
            assert_float_equal(found->attacks[kind].share, found->guess, 1e-9);
        assert_float_equal(found->joint_deviations[2], 0, 1e-9);
        relinked_close(&p.r);
    }
    *seed = 0;
}

/* The more noise, the fewer are found. */
static void test_noise(void **state)
{
    uint64_t *seed = *state;
    static const double NOISE[] = {0.01, 0.3, 3};
    tacit_run run;
    tacit__random random;
    for (*seed = 1; *seed <= many_cases(5); ++*seed) {
        double before = 2;
        for (int level = 0; level < 3; level++) {
            begin(&random, &run, *seed);
            draw(&p, &random);
            for (int row = 0; row < ROWS; row++)
                for (int i = 0; i < COLUMNS; i++)
                    if (is_number(i))
                        p.cells[1][row][i] += round(1e4 * NOISE[level] * normal(&random));
                    else
                        p.cells[0][row][i] = p.cells[1][row][i] = 0;
            double share = measure(&p)->attacks[TACIT_RELINK_STANDARD].share;
            assert_true(share < before);
            assert_true(level > 0 || share > 0.98);
            assert_true(level < 2 || share < 0.05);
            before = share;
            relinked_close(&p.r);
        }
    }
    *seed = 0;
}

/* Column i agrees with a probability of its own; else it is somebody's. */
static void test_probabilities(void **state)
{
    uint64_t *seed = *state;
    static const double AGREES[COLUMNS] = {0.95, 0.9, 0.8, 0.95, 0.85, 0.75};
    tacit_run run;
    tacit__random random;
    for (*seed = 1; *seed <= many_cases(10); ++*seed) {
        begin(&random, &run, *seed);
        draw(&p, &random);
        for (int row = 0; row < ROWS; row++)
            for (int i = 0; i < COLUMNS; i++)
                if (uniform(&random) > AGREES[i])
                    p.cells[1][row][i] = p.cells[0][tacit__random_below(&random, ROWS)][i];
        const tacit_relink *found = measure(&p);
        for (int i = 0; i < COLUMNS; i++) {
            const tacit_relink_column *column = &found->columns[i];
            /* Two normal numbers are within 0.05 deviations of each other in 2.8 % of pairs. */
            double other = is_number(i) ? 0.0282 : 1.0 / VALUES;
            double own = AGREES[i] + (1 - AGREES[i]) * other;
            assert_true(fabs(column->m[0] - own) < 0.06);
            assert_true(fabs(column->u[0] - other) < 0.006);
        }
        assert_true(found->attacks[TACIT_RELINK_PROBABILITY].share > 0.95);
        assert_true(found->attacks[TACIT_RELINK_PROBABILITY].declared_right > 0.8 * ROWS);
        relinked_close(&p.r);
    }
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        random_test(test_as_it_is, &seed), random_test(test_torn, &seed),
        random_test(test_swapped, &seed),  random_test(test_encrypted, &seed),
        random_test(test_noise, &seed),    random_test(test_probabilities, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
