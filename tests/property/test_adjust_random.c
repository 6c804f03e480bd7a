/*
 * test_adjust_random.c - controlled adjustment against a plain program for every combination of
 * ways, and its tables against what they promise.
 */
#include "tables.h"

#include <tacit/experimental/alter.h>
#include <tacit/experimental/audit_altered.h>

#include "random_cases.h"
#include "suppress.h"

enum { MAX_MOVED = 5 };

/* At most MOST_MOVED primary cells with levels of all kinds, and some cells that must stay. */
static tacit_cells *some_table(table_shape shape, int *moved)
{
    tacit_cells *cells = random_cells(&shape);
    *moved = 0;
    for (int32_t i = 0; i < cells->count; i++) {
        cells->cost[i] = random_below(4) ? cells->value[i] : random_below(10);
        if (cells->status[i] == 'u' && ++*moved <= MAX_MOVED) {
            cells->upl[i] = random_below(3);
            cells->lpl[i] = random_below(3) ? fmin(cells->value[i], random_below(4)) : 0;
            cells->spl[i] = random_below(4) ? 0 : random_below(6);
        } else if (cells->status[i] == 'u') {
            cells->status[i] = 's';
            cells->upl[i] = cells->lpl[i] = cells->spl[i] = 0;
        } else if (random_below(8) == 0) {
            cells->status[i] = 'z';
        }
    }
    return cells;
}

static tacit_alter_options some_options(tacit_distance distance)
{
    return (tacit_alter_options){.distance = distance,
                                 .weight = (tacit_alter_weight)random_below(3)};
}

static tacit_status adjusted(tacit_altered *out, const tacit_cells *cells,
                             const tacit_alter_options *options, tacit_error *err)
{
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    return tacit_alter(out, cells, tacit_alter_method_find("adjust"), options, &run, err);
}

static double weight_of(const tacit_cells *cells, const tacit_alter_options *options, int32_t i)
{
    double size = fmax(1, fabs(cells->value[i]));
    return options->weight == TACIT_WEIGHT_COST    ? cells->cost[i] / size
           : options->weight == TACIT_WEIGHT_SHARE ? 1 / size
                                                   : 1;
}

typedef struct least_move {
    double up, down, most_up, most_down;
} least_move;

/* How far a primary cell goes at least and at most. */
static least_move move_of(const tacit_cells *cells, int32_t i)
{
    double upl = cells->upl[i], lpl = cells->lpl[i], spl = cells->spl[i];
    double up = upl > 0 ? upl : lpl, down = lpl > 0 ? lpl : upl;
    double lack = fmax(0, (spl - up - down) / 2);
    least_move m = {ceil(up + lack), ceil(down + lack), 0, 0};
    m.most_up = cells->upper[i] - cells->value[i] - (upl > 0 || spl > 0 ? m.down : 0);
    m.most_down = cells->value[i] - cells->lower[i] - (lpl > 0 || spl > 0 ? m.up : 0);
    return m;
}

static bool must_move(const tacit_cells *cells, int32_t i)
{
    return cells->status[i] == 'u' && cells->upl[i] + cells->lpl[i] + cells->spl[i] > 0;
}

/* A program over the published values: y, and |y - value| as a column of its own. */
static double nearest_with(const tacit_cells *cells, const tacit_alter_options *options,
                           unsigned ways)
{
    int32_t n = cells->count, mover = 0;
    const tacit_relations *all = &cells->relations;
    double *lower = malloc(2 * n * sizeof *lower), *upper = malloc(2 * n * sizeof *upper);
    double *costs = malloc(2 * n * sizeof *costs);
    bool *integers = malloc(2 * n * sizeof *integers);
    tacit__solver *solver = NULL;
    tacit__solver_answer answer;
    tacit__solver_options none = {0};
    bool open = true;
    for (int32_t i = 0; i < n; i++) {
        double value = cells->value[i];
        bool stays = cells->status[i] == 'z' || (value == 0 && !must_move(cells, i));
        lower[i] = stays ? value : cells->lower[i];
        upper[i] = stays ? value : cells->upper[i];
        if (must_move(cells, i)) {
            least_move m = move_of(cells, i);
            bool up = ways >> mover++ & 1;
            lower[i] = up ? value + m.up : value - m.most_down;
            upper[i] = up ? value + m.most_up : value - m.down;
            open &= lower[i] <= upper[i];
        }
        lower[n + i] = costs[i] = 0;
        upper[n + i] = INFINITY;
        costs[n + i] = weight_of(cells, options, i);
        integers[i] = true;
        integers[n + i] = false;
    }
    double least = INFINITY;
    if (open) {
        tacit__solver_lines columns = {2 * n, lower, upper, costs, integers, NULL, NULL, NULL};
        assert_int_equal(tacit__solver_new(&solver, NULL, NULL), TACIT_OK);
        assert_int_equal(tacit__solver_add_columns(solver, &columns, NULL), TACIT_OK);
        for (int32_t r = 0; r < all->count; r++) {
            int32_t starts[2] = {0, (int32_t)(all->starts[r + 1] - all->starts[r])};
            tacit__solver_lines row = {1,
                                       &all->rhs[r],
                                       &all->rhs[r],
                                       NULL,
                                       NULL,
                                       starts,
                                       all->items + all->starts[r],
                                       all->coefs + all->starts[r]};
            assert_int_equal(tacit__solver_add_rows(solver, &row, NULL), TACIT_OK);
        }
        for (int32_t i = 0; i < n; i++)
            for (int side = -1; side <= 1; side += 2) { /* size + side * y >= side * value */
                int32_t starts[2] = {0, 2}, items[2] = {i, n + i};
                double values[2] = {side, 1}, low = side * cells->value[i], high = INFINITY;
                tacit__solver_lines row = {1, &low, &high, NULL, NULL, starts, items, values};
                assert_int_equal(tacit__solver_add_rows(solver, &row, NULL), TACIT_OK);
            }
        assert_int_equal(tacit__solver_solve(&answer, solver, &none, NULL, NULL), TACIT_OK);
        assert_true(answer.result == TACIT__SOLVER_OPTIMAL ||
                    answer.result == TACIT__SOLVER_INFEASIBLE);
        if (answer.result == TACIT__SOLVER_OPTIMAL)
            least = answer.cost;
        tacit__solver_free(solver);
    }
    free(lower);
    free(upper);
    free(costs);
    free(integers);
    return least;
}

static double nearest_of_all(const tacit_cells *cells, const tacit_alter_options *options)
{
    double least = INFINITY;
    int movers = 0;
    for (int32_t i = 0; i < cells->count; i++)
        movers += must_move(cells, i);
    for (unsigned ways = 0; ways < 1u << movers; ways++)
        least = fmin(least, nearest_with(cells, options, ways));
    return least;
}

/* What every adjusted table keeps: sums, bounds, zeros, cells that must be published, whole
 * numbers, primary cells beyond their levels; and its own distance. */
static void check_kept(const tacit_cells *cells, const tacit_altered *altered,
                       const tacit_alter_options *options)
{
    tacit_altered_known known = {
        .reach = INFINITY, .additive = true, .beyond = true, .fixed_stays = true};
    tacit_altered_audit *audit = NULL;
    double distance = 0;
    int32_t changed = 0;
    for (int32_t i = 0; i < cells->count; i++) {
        double change = altered->value[i] - cells->value[i];
        double size = options->distance == TACIT_DISTANCE_TWO ? change * change : fabs(change);
        distance += weight_of(cells, options, i) * size;
        changed += change != 0;
        assert_true(altered->value[i] == floor(altered->value[i]));
        assert_true(altered->value[i] >= cells->lower[i] && altered->value[i] <= cells->upper[i]);
        if (cells->status[i] == 'z' || (cells->value[i] == 0 && cells->status[i] != 'u'))
            assert_true(change == 0);
    }
    assert_true(fabs(distance - altered->distance) < 1e-6);
    assert_int_equal(changed, altered->changed);
    assert_true(altered->lower_bound <= altered->distance + 1e-6);
    assert_int_equal(tacit_audit_altered(&audit, cells, altered->value, &known, NULL, NULL),
                     TACIT_OK);
    assert_int_equal(audit->broken, 0);
    tacit_altered_audit_free(audit);
}

static void test_sums(void **state)
{
    uint64_t *seed = *state;
    int found = 0, none = 0;
    for (*seed = 1; *seed <= many_cases(200); ++*seed) {
        random_start(*seed);
        int moved;
        tacit_cells *cells = some_table(
            (table_shape){1 + random_below(3), random_below(2), 9, 25, random_below(2) ? 0 : 25},
            &moved);
        tacit_alter_options options = some_options(TACIT_DISTANCE_ONE);
        tacit_altered altered = {0};
        tacit_error err = {0};
        tacit_status status = tacit_cells_check(cells, NULL);
        if (status == TACIT_OK) {
            status = adjusted(&altered, cells, &options, &err);
            double least = nearest_of_all(cells, &options);
            if ((status == TACIT_OK) == (least == INFINITY))
                fail_msg("%g: %s", least, err.message);
            found += status == TACIT_OK;
            none += status != TACIT_OK;
            if (status == TACIT_OK) {
                assert_true(altered.proven);
                assert_true(fabs(altered.distance - least) < 1e-5 * fmax(1, least));
                check_kept(cells, &altered, &options);
            }
        }
        tacit_altered_clear(&altered);
        tacit_cells_free(cells);
    }
    assert_true(found > 5 && none > 0);
    *seed = 0;
}

/* ---- squares ---- */

/* All whole-number tables of two by two, with one or two primary cells, by counting: the least sum
 * of squares. Cells are the total, then by rows. */
static double least_squares(const tacit_cells *cells, const tacit_alter_options *options)
{
    enum { FAR = 5 };
    int32_t ground[9], count = 0;
    double least = INFINITY;
    for (int32_t i = 0; i < cells->count; i++) {
        int32_t codes[2];
        tacit_cells_codes(codes, cells, i);
        if (codes[0] > 0 && codes[1] > 0)
            ground[count++] = i;
    }
    assert_int_equal(count, 4);
    for (int number = 0; number < 11 * 11 * 11 * 11; number++) {
        double change[9] = {0}, sum = 0;
        for (int k = 0, rest = number; k < 4; k++, rest /= 11) {
            int32_t codes[2];
            tacit_cells_codes(codes, cells, ground[k]);
            for (int r = 0; r < 2; r++)
                for (int c = 0; c < 2; c++)
                    change[3 * (r ? codes[0] : 0) + (c ? codes[1] : 0)] += rest % 11 - FAR;
        }
        for (int32_t i = 0; i < 9 && sum < least; i++) {
            least_move m = move_of(cells, i);
            double value = cells->value[i];
            bool moves = must_move(cells, i);
            bool stays = cells->status[i] == 'z' || (value == 0 && !moves);
            bool good = moves
                            ? (change[i] >= m.up && change[i] <= m.most_up) ||
                                  (change[i] <= -m.down && change[i] >= -m.most_down)
                            : (!stays || change[i] == 0) && value + change[i] >= cells->lower[i] &&
                                  value + change[i] <= cells->upper[i];
            sum += good ? weight_of(cells, options, i) * change[i] * change[i] : INFINITY;
        }
        least = fmin(least, sum);
    }
    return least;
}

static void test_squares(void **state)
{
    uint64_t *seed = *state;
    int found = 0;
    for (*seed = 1; *seed <= many_cases(150); ++*seed) {
        random_start(*seed);
        int moved;
        tacit_cells *cells = some_table((table_shape){2, false, 9, 30, 10}, &moved);
        tacit_alter_options options = some_options(TACIT_DISTANCE_TWO);
        tacit_altered altered = {0};
        if (cells->count == 9 && tacit_cells_check(cells, NULL) == TACIT_OK &&
            adjusted(&altered, cells, &options, NULL) == TACIT_OK) {
            double least = least_squares(cells, &options);
            assert_true(altered.proven);
            assert_true(fabs(altered.distance - least) < 1e-5 * fmax(1, least) ||
                        least == INFINITY); /* further than was counted */
            check_kept(cells, &altered, &options);
            found++;
        }
        tacit_altered_clear(&altered);
        tacit_cells_free(cells);
    }
    assert_true(found > 0);
    *seed = 0;
}

/* ---- decimals, and the same every time ---- */

static void test_decimals(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(40); ++*seed) {
        random_start(*seed);
        char text[512];
        int at = sprintf(text, "r,c,v,status,lpl,upl\n");
        for (int k = 0; k < 6; k++)
            at += sprintf(text + at, "%c,%c,%d.%d,%s\n", 'a' + k / 3, 'x' + k % 3,
                          1 + random_below(9), random_below(10), k == 1 ? "u,0.35,0.2" : "s,0,0");
        table_spec *spec = spec_of("r c");
        spec->spec.value = "v";
        tacit_cells *cells = cells_of(text, &spec->spec, tacit_cells_from_table);
        tacit_alter_options options = some_options(TACIT_DISTANCE_ONE);
        tacit_altered altered = {0}, again = {0};
        tacit_altered_known known = {.reach = INFINITY, .additive = true, .beyond = true};
        tacit_altered_audit *audit = NULL;
        assert_int_equal(adjusted(&altered, cells, &options, NULL), TACIT_OK);
        assert_int_equal(adjusted(&again, cells, &options, NULL), TACIT_OK);
        assert_memory_equal(altered.value, again.value, (size_t)cells->count * sizeof(double));
        for (int32_t i = 0; i < cells->count; i++) /* one decimal, as the table has */
            assert_true(fabs(10 * altered.value[i] - nearbyint(10 * altered.value[i])) < 1e-9);
        assert_int_equal(tacit_audit_altered(&audit, cells, altered.value, &known, NULL, NULL),
                         TACIT_OK);
        assert_int_equal(audit->broken, 0);
        assert_int_equal(audit->underprotected, 0);
        tacit_altered_audit_free(audit);
        tacit_altered_clear(&altered);
        tacit_altered_clear(&again);
        tacit_cells_free(cells);
    }
    *seed = 0;
}

int main(void)
{
    static uint64_t seeds[3];
    const struct CMUnitTest tests[] = {
        random_test(test_sums, &seeds[0]),
        random_test(test_squares, &seeds[1]),
        random_test(test_decimals, &seeds[2]),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
