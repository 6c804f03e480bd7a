/*
 * test_peer_round.c - controlled rounding against the integer program of docs/methods/round.md,
 * written here once more and solved by GLPK: what is said to be proven is, no bound is above the
 * least distance, and the distance is that of the values which are published.
 */
#include "tables.h"

#include <tacit/experimental/alter.h>

#include "random_cases.h"
#include "suppress.h"

#include "peer_tables.h"

enum { MAX_CELLS = 1024, MAX_STEPS = 4 };

/* What a table is asked for: each cell within so many multiples, and some published as 0. */
typedef struct asked {
    const tacit_cells *cells;
    double base;
    int steps;
    bool fall;
} asked;

/* Every change weighs 1. */
static double distance_of(const tacit_cells *cells, const double *value)
{
    double sum = 0;
    for (int32_t i = 0; i < cells->count; i++)
        sum += fabs(value[i] - cells->value[i]);
    return sum;
}

static void limits(double *least, double *most, const asked *a, int32_t i)
{
    const tacit_cells *cells = a->cells;
    double parts = cells->value[i] / a->base, low = floor(parts + 1e-9);
    bool multiple = fabs(parts - nearbyint(parts)) < 1e-9;
    *least = low - (a->steps - 1);
    *most = low + (multiple ? 0 : 1) + (a->steps - 1);
    *least = fmax(*least, 0); /* no value is below 0 here, and none gets there */
    if (cells->value[i] == 0)
        *least = *most = 0;
    if (a->fall && cells->status[i] == 'u' && low == 0 && cells->lpl[i] > 0 &&
        cells->value[i] <= cells->lpl[i])
        *most = 0;
}

static peer_result nearest(double *distance, const asked *a)
{
    static int number[MAX_CELLS];
    peer *p = peer_new();
    for (int32_t i = 0; i < a->cells->count; i++) {
        double least, most;
        limits(&least, &most, a, i);
        number[i] = peer_column(p, 0, least, most, true);
    }
    for (int32_t i = 0; i < a->cells->count; i++) {
        int size = peer_column(p, 1, 0, INFINITY, false);
        for (int side = -1; side <= 1; side += 2) { /* size >= side * (number * base - value) */
            peer_term(p, size, 1);
            peer_term(p, number[i], -side * a->base);
            peer_row(p, -side * a->cells->value[i], INFINITY);
        }
    }
    peer_relations(p, a->cells, number, NULL);
    return peer_solve(distance, p);
}

/* As strict as there is a table. */
static peer_result nearest_of_all(double *distance, asked *a)
{
    peer_result result;
    do
        result = nearest(distance, a);
    while (result == PEER_NONE && (a->fall ? (a->fall = false, true) : ++a->steps <= MAX_STEPS));
    return result;
}

static void compare(const tacit_cells *cells, const tacit_altered *altered, double least)
{
    assert_true(altered->lower_bound <= least + 2e-6 * fmax(1, least));
    if (altered->proven && !peer_same(altered->distance, least))
        fail_msg("%.10g is called the least, which is %.10g", altered->distance, least);
    double written = distance_of(cells, altered->value);
    if (fabs(written - altered->distance) > 1e-9 * fmax(1, written))
        fail_msg("%.17g is said of %.17g", altered->distance, written);
}

static void test_round(void **state)
{
    uint64_t *seed = *state;
    int proven = 0, further = 0, undecided = 0;
    if (!peer_is_there())
        skip();
    for (*seed = 1; *seed <= many_cases(60); ++*seed) {
        random_start(*seed);
        peer_shape shape = {.dimensions = peer_between_ints(2, 4),
                            .decimals = random_below(3),
                            .largest = (const int[]){3, 20, 300}[random_below(3)],
                            .primaries = 10,
                            .zeros = random_below(2) ? 0 : 30,
                            .most = getenv("TACIT_LONG") && random_below(20) == 0 ? 200 : 64};
        tacit_cells *cells = peer_values(&shape);
        for (int32_t i = 0; i < cells->count; i++)
            if (cells->value[i] > 0 && random_below(100) < shape.primaries) {
                cells->status[i] = 'u';
                cells->lpl[i] = random_below(2) ? cells->value[i] : cells->value[i] / 2;
            }
        tacit_alter_options options;
        tacit_alter_options_init(&options);
        options.base = (const double[]){5, 3, 0.5, 1}[random_below(4)];
        tacit_altered altered = {0};
        tacit_run run;
        tacit_run_init(&run);
        run.threads = 1;
        double least;
        asked a = {.cells = cells, .base = options.base, .steps = 1, .fall = true};
        peer_result result = nearest_of_all(&least, &a);
        if (tacit_alter(&altered, cells, tacit_alter_method_find("round-controlled"), &options,
                        &run, NULL) == TACIT_OK &&
            result == PEER_LEAST)
            compare(cells, &altered, least);
        proven += altered.proven && result == PEER_LEAST;
        further += result == PEER_LEAST && a.steps > 1;
        undecided += result == PEER_UNDECIDED;
        tacit_altered_clear(&altered);
        tacit_cells_free(cells);
    }
    assert_true(SANITIZED || (proven > 30 && undecided < proven));
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_round, &seed)};
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
