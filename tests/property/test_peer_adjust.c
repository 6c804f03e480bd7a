/*
 * test_peer_adjust.c - controlled adjustment against the integer program of docs/methods/adjust.md,
 * written here once more and solved by GLPK: what is said to be proven is, no bound is above the
 * least distance, and the distance is that of the values which are published.
 */
#include "tables.h"

#include <tacit/experimental/alter.h>

#include "random_cases.h"
#include "suppress.h"

#include "peer_tables.h"

enum { MAX_CELLS = 1024 };

static double weight_of(const tacit_cells *cells, tacit_alter_weight weight, int32_t i, double unit)
{
    double size = fmax(fabs(cells->value[i]), unit);
    if (weight == TACIT_WEIGHT_ONE)
        return 1;
    if (weight == TACIT_WEIGHT_SHARE)
        return 1 / size;
    return cells->value[i] == 0 && cells->cost[i] == 0 ? 1 : cells->cost[i] / size;
}

static bool must_move(const tacit_cells *cells, int32_t i)
{
    return cells->status[i] == 'u' && cells->upl[i] + cells->lpl[i] + cells->spl[i] > 0;
}

/* Rooms are taken down to units, levels up. */
static double whole_capacity(double room, double unit)
{
    return fmax(0, floor(room / unit + 1e-6));
}

static double whole_level(double level, double unit)
{
    return ceil(level / unit - 1e-6);
}

/* A confidential cell: b is 1 where it goes up. Its change is p upwards and n downwards, of which
 * one is at least the level and at most what bounds leave, and the other 0. */
static void add_mover(peer *p, const tacit_cells *cells, int32_t i, double unit, int plus,
                      int minus)
{
    double upl = cells->upl[i], lpl = cells->lpl[i], spl = cells->spl[i];
    double up = upl > 0 ? upl : lpl, down = lpl > 0 ? lpl : upl;
    double lack = fmax(0, (spl - up - down) / 2);
    up = whole_level(up + lack, unit);
    down = whole_level(down + lack, unit);
    double most_up = whole_capacity(cells->upper[i] - cells->value[i], unit);
    double most_down = whole_capacity(cells->value[i] - cells->lower[i], unit);
    most_up -= upl > 0 || spl > 0 ? down : 0;
    most_down -= lpl > 0 || spl > 0 ? up : 0;
    int b = peer_column(p, 0, most_down < down ? 1 : 0, most_up < up ? 0 : 1, true);
    peer_term(p, plus, 1);
    peer_term(p, b, -up);
    peer_row(p, 0, INFINITY);
    peer_term(p, plus, 1);
    peer_term(p, b, -fmax(most_up, up));
    peer_row(p, -INFINITY, 0);
    peer_term(p, minus, 1);
    peer_term(p, b, down);
    peer_row(p, down, INFINITY);
    peer_term(p, minus, 1);
    peer_term(p, b, fmax(most_down, down));
    peer_row(p, -INFINITY, fmax(most_down, down));
}

/* The nearest table that is as asked. */
static peer_result nearest(double *distance, const tacit_cells *cells, tacit_alter_weight weight,
                           double unit)
{
    static int plus[MAX_CELLS], minus[MAX_CELLS];
    peer *p = peer_new();
    for (int32_t i = 0; i < cells->count; i++) {
        bool moves = must_move(cells, i);
        bool stays = cells->status[i] == 'z' || (cells->value[i] == 0 && !moves);
        double cost = unit * weight_of(cells, weight, i, unit);
        double up = whole_capacity(cells->upper[i] - cells->value[i], unit);
        double down = whole_capacity(cells->value[i] - cells->lower[i], unit);
        plus[i] = peer_column(p, cost, 0, stays ? 0 : moves ? INFINITY : up, true);
        minus[i] = peer_column(p, cost, 0, stays ? 0 : moves ? INFINITY : down, true);
    }
    for (int32_t i = 0; i < cells->count; i++)
        if (must_move(cells, i))
            add_mover(p, cells, i, unit, plus[i], minus[i]);
    peer_relations(p, cells, plus, minus);
    return peer_solve(distance, p);
}

/* Of what is published. */
static double distance_of(const tacit_cells *cells, const double *value, tacit_alter_weight weight,
                          double unit)
{
    double sum = 0;
    for (int32_t i = 0; i < cells->count; i++)
        sum += weight_of(cells, weight, i, unit) * fabs(value[i] - cells->value[i]);
    return sum;
}

/* The unit that the values of the table have, which may be larger than the shape's. */
static double unit_of(const tacit_cells *cells)
{
    for (double scale = 1; scale < 1000; scale *= 10) {
        bool all = true;
        for (int32_t i = 0; i < cells->count; i++)
            all &= fabs(cells->value[i] * scale - nearbyint(cells->value[i] * scale)) < 1e-6;
        if (all)
            return 1 / scale;
    }
    return 0.001;
}

static void compare(const tacit_cells *cells, const tacit_altered *altered, double least,
                    tacit_alter_weight weight)
{
    assert_true(altered->lower_bound <= least + 2e-6 * fmax(1, least));
    assert_true(altered->distance >= least - 2e-6 * fmax(1, least));
    if (altered->proven && !peer_same(altered->distance, least))
        fail_msg("%.10g is called the least, and %.10g is less", altered->distance, least);
    double written = distance_of(cells, altered->value, weight, unit_of(cells));
    if (fabs(written - altered->distance) > 1e-9 * fmax(1, written))
        fail_msg("%.17g is said of %.17g", altered->distance, written);
}

static void test_adjust(void **state)
{
    uint64_t *seed = *state;
    int proven = 0, none = 0, undecided = 0;
    if (!peer_is_there())
        skip();
    for (*seed = 1; *seed <= many_cases(60); ++*seed) {
        random_start(*seed);
        peer_shape shape = {.dimensions = peer_between_ints(2, 4),
                            .decimals = random_below(3),
                            .largest = (const int[]){9, 40, 500}[random_below(3)],
                            .primaries = peer_between_ints(3, 15),
                            .zeros = random_below(2) ? 0 : 20,
                            .most = getenv("TACIT_LONG") && random_below(20) == 0 ? 200 : 45};
        tacit_cells *cells = peer_cells(&shape);
        tacit_alter_options options = {.weight = (tacit_alter_weight)random_below(3)};
        tacit_altered altered = {0};
        tacit_error err = {0};
        tacit_run run;
        tacit_run_init(&run);
        run.threads = 1;
        tacit_status status = tacit_cells_check(cells, NULL);
        if (status == TACIT_OK) {
            double least;
            status = tacit_alter(&altered, cells, tacit_alter_method_find("adjust"), &options, &run,
                                 &err);
            peer_result result = nearest(&least, cells, options.weight, unit_of(cells));
            if (result == PEER_LEAST && status == TACIT_OK)
                compare(cells, &altered, least, options.weight);
            if ((result == PEER_LEAST && status != TACIT_OK) ||
                (result == PEER_NONE && status == TACIT_OK))
                fail_msg("%g: %s", least, err.message);
            proven += status == TACIT_OK && altered.proven && result == PEER_LEAST;
            none += result == PEER_NONE;
            undecided += result == PEER_UNDECIDED;
        }
        tacit_altered_clear(&altered);
        tacit_cells_free(cells);
    }
    assert_true(SANITIZED || (proven > 5 && none > 0 && undecided < proven));
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_adjust, &seed)};
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
