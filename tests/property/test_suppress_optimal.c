/*
 * test_suppress_optimal.c - optimal against brute force, on random small tables of two and three
 * dimensions, hierarchies and linked ones: levels of all kinds, costs of all kinds, zeros, and
 * cells that must be published. No pattern is cheaper, by the tests' own judge.
 *
 * What protects goes on protecting when more is suppressed, so all patterns are gone through as a
 * tree that is left where even suppressing all the rest would not do, or costs too much already.
 */
#include "tables.h"

#include "random_cases.h"
#include "suppress.h"

enum { FEW = 20 };

/* Cells that may be suppressed, dearest first, and the letters of the pattern in hand. */
typedef struct patterns {
    const tacit_cells *cells;
    char *status;
    int32_t list[FEW];
    int count;
} patterns;

static bool protects(const patterns *p)
{
    slow_judge judge;
    bool hidden = true;
    slow_start(&judge, p->cells, p->status);
    for (int32_t i = 0; i < p->cells->count && hidden; i++)
        hidden &= p->status[i] != 'u' || slow_hidden(&judge, p->cells, p->status, i);
    slow_end(&judge);
    return hidden;
}

/* Whether a pattern protects that costs less; those before `at` are settled, the others are
 * suppressed for now, which protects. */
static bool is_cheaper(patterns *p, int at, double below)
{
    if (below <= 0)
        return false;
    if (at == p->count)
        return true;
    p->status[p->list[at]] = 's';
    bool found = protects(p) && is_cheaper(p, at + 1, below);
    p->status[p->list[at]] = 'x';
    return found || is_cheaper(p, at + 1, below - p->cells->cost[p->list[at]]);
}

static void put_dearest_first(patterns *p)
{
    const double *cost = p->cells->cost;
    for (int i = 1; i < p->count; i++)
        for (int k = i; k > 0 && cost[p->list[k - 1]] < cost[p->list[k]]; k--) {
            int32_t cell = p->list[k];
            p->list[k] = p->list[k - 1];
            p->list[k - 1] = cell;
        }
}

/* Levels above, below and sliding, as far as the bounds allow. */
static void set_levels(tacit_cells *cells, int32_t i)
{
    double down = cells->value[i] - cells->lower[i], up = cells->upper[i] - cells->value[i];
    cells->upl[i] = random_below(3) ? fmin(up, random_below(4)) : 0;
    cells->lpl[i] = random_below(3) ? fmin(down, random_below(4)) : 0;
    cells->spl[i] = random_below(3) ? 0 : fmin(up + down, random_below(8));
}

static patterns make_few(tacit_cells *cells)
{
    patterns p = {.cells = cells, .status = malloc(cells->count)};
    int costs = random_below(4), most = 8 + random_below(FEW - 7);
    for (int32_t i = 0; i < cells->count; i++) {
        if (cells->status[i] == 'u' && random_below(2) == 0)
            set_levels(cells, i);
        if (cells->status[i] != 's')
            continue;
        cells->cost[i] = costs == 0   ? 1
                         : costs == 1 ? cells->value[i]
                         : costs == 2 ? random_below(12)
                                      : random_below(100000) / 100.0;
        if (p.count < most && random_below(10) < 9)
            p.list[p.count++] = i;
        else
            cells->status[i] = 'z';
    }
    put_dearest_first(&p);
    memcpy(p.status, cells->status, cells->count);
    for (int k = 0; k < p.count; k++)
        p.status[p.list[k]] = 'x';
    return p;
}

/* Returns whether something had to be suppressed. */
static bool check_least(tacit_cells *cells)
{
    patterns p = make_few(cells);
    bool possible = protects(&p), any = false;
    tacit_pattern pattern = {0};
    tacit_error err = {0};
    tacit_status status = suppressed_fully(&pattern, cells, "optimal", &err);
    assert_int_equal(status, possible ? TACIT_OK : TACIT_INFEASIBLE);
    if (possible) {
        check_letters(cells, &pattern);
        assert_true(pattern.proven && pattern.repaired == 0);
        assert_true(fabs(pattern.lower_bound - pattern.cost) <= 1e-9 * (1 + pattern.cost));
        any = pattern.secondary > 0;
        assert_false(is_cheaper(&p, 0, pattern.cost - 1e-3));
        memcpy(p.status, pattern.status, cells->count);
        assert_true(protects(&p));
    }
    tacit_pattern_clear(&pattern);
    free(p.status);
    tacit_cells_free(cells);
    return any;
}

static void test_tables(void **state)
{
    uint64_t *seed = *state;
    int worked = 0;
    for (*seed = 1; *seed <= many_cases(240); ++*seed) {
        random_start(*seed);
        table_shape shape = {2 + random_below(2), random_below(2), 9, 10 + random_below(30),
                             random_below(2) ? 0 : random_below(40)};
        worked += check_least(random_cells(&shape));
    }
    assert_true(10 * worked >= (int)many_cases(240));
    *seed = 0;
}

/* One side of a cube, with the third dimension summed up. */
static tacit_cells *side_of(const int *cube, const int *sizes, const char *other)
{
    static char text[2048];
    int at = sprintf(text, "r,%s,freq,status\n", other), axis = *other == 's' ? 1 : 2;
    for (int r = 0; r < sizes[0]; r++)
        for (int k = 0; k < sizes[axis]; k++) {
            int sum = 0;
            for (int i = 0; i < sizes[3 - axis]; i++) {
                int s = axis == 1 ? k : i, t = axis == 1 ? i : k;
                sum += cube[(r * sizes[1] + s) * sizes[2] + t];
            }
            at += sprintf(text + at, "%c,%c,%d,%s\n", 'a' + r, 'm' + k, sum,
                          sum > 0 && random_below(5) == 0 ? "u" : "s");
        }
    char spec[8];
    sprintf(spec, "r %s", other);
    return cells_of(text, &spec_of(spec)->spec, tacit_cells_from_table);
}

/* Two sides of one cube share a margin. */
static tacit_cells *linked_sides(void)
{
    const int sizes[] = {2 + random_below(2), 2 + random_below(2), 2 + random_below(2)};
    int cube[27];
    for (int i = 0; i < sizes[0] * sizes[1] * sizes[2]; i++)
        cube[i] = random_below(8);
    tacit_cells *linked = NULL, *parts[] = {side_of(cube, sizes, "s"), side_of(cube, sizes, "t")};
    assert_int_equal(tacit_cells_link(&linked, (const tacit_cells *const *)parts, 2, 0, NULL),
                     TACIT_OK);
    tacit_cells_free(parts[0]);
    tacit_cells_free(parts[1]);
    return linked;
}

static void test_linked(void **state)
{
    uint64_t *seed = *state;
    int worked = 0;
    for (*seed = 1; *seed <= many_cases(120); ++*seed) {
        random_start(*seed);
        worked += check_least(linked_sides());
    }
    assert_true(10 * worked >= (int)many_cases(120));
    *seed = 0;
}

/* Says stop after some questions. */
static bool stop_soon(const char *phase, int64_t done, int64_t total, void *payload)
{
    int *left = payload;
    (void)phase;
    assert_true(total == 0 || (done >= 0 && done <= total));
    return --*left >= 0;
}

/* Whenever it is stopped, the pattern is safe and no better than its bound, or there is none. */
static void test_stopped(void **state)
{
    uint64_t *seed = *state;
    int given = 0, none = 0;
    for (*seed = 1; *seed <= many_cases(60); ++*seed) {
        random_start(*seed);
        table_shape shape = {3, random_below(2), 20, 30, random_below(2) ? 0 : random_below(40)};
        tacit_cells *cells = random_cells(&shape);
        tacit_suppress_options options = {0};
        tacit_pattern pattern = {0};
        int left = random_below(60);
        int32_t *exposed = malloc(cells->count * sizeof *exposed), count;
        tacit_run run;
        tacit_run_init(&run);
        run.progress = stop_soon;
        run.payload = &left;
        run.threads = 1;
        tacit_status status = tacit_suppress(&pattern, cells, tacit_suppress_method_find("optimal"),
                                             &options, slow_judge_all, NULL, &run, NULL);
        if (status == TACIT_OK) {
            given += pattern.stopped;
            slow_judge_all(exposed, &count, cells, pattern.status, NULL, NULL, NULL);
            assert_int_equal(count, 0);
            assert_true(pattern.stopped ? !pattern.proven : pattern.proven);
            assert_true(pattern.lower_bound <= pattern.cost + 1e-9);
        }
        none += status == TACIT_CANCELLED;
        assert_true(status == TACIT_OK || status == TACIT_CANCELLED || hopeless(cells));
        tacit_pattern_clear(&pattern);
        free(exposed);
        tacit_cells_free(cells);
    }
    assert_true(given > 0 && none > 0);
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(test_tables, &seed),
        random_test(test_linked, &seed),
        random_test(test_stopped, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
