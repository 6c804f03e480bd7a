/*
 * test_altered_random.c - the judge of altered tables against plain programs, two for every cell
 * and every combination of sides, and against every whole-number table that fits.
 */
#include "tables.h"

#include <tacit/experimental/audit_altered.h>

#include "random_cases.h"
#include "suppress.h"

/* A table, what is published of it and what is known; all cells suppressed within bounds that say
 * the same. */
typedef struct altered_case {
    tacit_cells *cells;
    double *published;
    tacit_altered_known known;
    tacit_cells narrow;
    char *status;
    int32_t primaries[8];
    int count; /* of these, where sides are known */
} altered_case;

static double *doubles(const tacit_cells *cells)
{
    return malloc((size_t)cells->count * sizeof(double));
}

static altered_case some_case(bool beyond, table_shape shape)
{
    altered_case c = {.cells = random_cells(&shape)};
    c.published = doubles(c.cells);
    c.narrow = *c.cells;
    c.narrow.lower = doubles(c.cells);
    c.narrow.upper = doubles(c.cells);
    c.status = malloc((size_t)c.cells->count);
    for (int32_t i = 0; i < c.cells->count; i++) {
        bool primary = c.cells->status[i] == 'u' && (!beyond || c.count < 4);
        c.status[i] = primary ? 'u' : 'x';
        if (primary && c.count < 8)
            c.primaries[c.count++] = i;
        else if (c.cells->status[i] == 'u')
            c.cells->status[i] = 's';
    }
    return c;
}

static void end_case(altered_case *c)
{
    free(c->published);
    free(c->narrow.lower);
    free(c->narrow.upper);
    free(c->status);
    tacit_cells_free(c->cells);
}

static double least(double level, double other)
{
    return level > 0 ? level : other;
}

/* To a multiple of a base, either way. */
static void round_case(altered_case *c)
{
    int base = 2 + random_below(5);
    c->known = (tacit_altered_known){.base = base, .reach = base, .within = true};
    for (int32_t i = 0; i < c->cells->count; i++) {
        double value = c->cells->value[i], down = base * floor(value / base);
        c->published[i] = value == down || random_below(2) ? down : down + base;
        c->narrow.lower[i] = fmax(c->cells->lower[i], c->published[i] - base + 1);
        c->narrow.upper[i] = fmin(c->cells->upper[i], c->published[i] + base - 1);
    }
}

/* Primary cells beyond their levels, others a little off, and some not at all. */
static void adjust_case(altered_case *c)
{
    c->known = (tacit_altered_known){.beyond = true, .fixed_stays = true, .reach = INFINITY};
    for (int k = 0; k < c->count; k++) {
        c->cells->upl[c->primaries[k]] = random_below(3);
        c->cells->lpl[c->primaries[k]] = random_below(3);
        c->cells->spl[c->primaries[k]] = random_below(4) ? 0 : 2 * random_below(4);
    }
    double most = 0;
    for (int32_t i = 0; i < c->cells->count; i++) {
        double upl = c->cells->upl[i], lpl = c->cells->lpl[i], change = random_below(4) ? 0 : 1;
        double up = least(upl, lpl), down = least(lpl, upl);
        double lack = fmax(0, (c->cells->spl[i] - up - down) / 2);
        bool primary = c->cells->status[i] == 'u';
        if (!primary && random_below(4) == 0)
            c->cells->status[i] = 'z';
        if (c->cells->status[i] == 'z')
            change = 0;
        else if (primary)
            change += random_below(2) ? up + lack : -change - down - lack - random_below(2);
        c->published[i] = c->cells->value[i] + change;
        most = fmax(most, fabs(change));
    }
    if (random_below(2))
        c->known.reach = most + random_below(4);
    for (int32_t i = 0; i < c->cells->count; i++) {
        c->narrow.lower[i] = fmax(c->cells->lower[i], c->published[i] - floor(c->known.reach));
        c->narrow.upper[i] = fmin(c->cells->upper[i], c->published[i] + floor(c->known.reach));
        if (c->cells->status[i] == 'z')
            c->narrow.lower[i] = c->narrow.upper[i] = c->published[i];
    }
}

static tacit_altered_audit *judged(const altered_case *c, int threads)
{
    tacit_altered_audit *audit = NULL;
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    if (tacit_audit_altered(&audit, c->cells, c->published, &c->known, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return audit;
}

static void check_flags(const altered_case *c, const tacit_cell_finding *f)
{
    double value = c->cells->value[f->cell];
    bool primary = c->cells->status[f->cell] == 'u';
    bool short_of = value - f->low < c->cells->lpl[f->cell] - 1e-5 ||
                    f->high - value < c->cells->upl[f->cell] - 1e-5 ||
                    f->high - f->low < c->cells->spl[f->cell] - 1e-5;
    assert_int_equal(f->disclosed, f->high - f->low < 1e-3);
    assert_int_equal(f->underprotected, primary && (short_of || f->disclosed));
}

/* Rounded tables: every interval is that of two plain programs. */
static void test_rounded(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(100); ++*seed) {
        random_start(*seed);
        altered_case c = some_case(false, (table_shape){1 + random_below(3), random_below(2), 9, 30,
                                                        random_below(2) ? 0 : 30});
        slow_judge slow;
        round_case(&c);
        tacit_altered_audit *audit = judged(&c, 1);
        slow_start(&slow, &c.narrow, c.status);
        assert_int_equal(audit->broken, 0);
        for (int32_t k = 0; k < audit->cell_count; k++) {
            const tacit_cell_finding *f = &audit->cells[k];
            double value = c.cells->value[f->cell];
            assert_true(fabs(f->high - value - slow_reach(&slow, f->cell, 1)) < 1e-5);
            assert_true(fabs(value - f->low - slow_reach(&slow, f->cell, -1)) < 1e-5);
            check_flags(&c, f);
        }
        slow_end(&slow);
        tacit_altered_audit_free(audit);
        end_case(&c);
    }
    *seed = 0;
}

/* The furthest that a cell goes in any combination of sides; -INFINITY: there is no table. */
static double furthest(const altered_case *c, slow_judge *slow, int32_t cell, double sign,
                       unsigned sides)
{
    tacit__solver_options options = {0};
    tacit__solver_answer answer;
    for (int k = 0; k < c->count; k++) {
        int32_t p = c->primaries[k];
        double upl = c->cells->upl[p], lpl = c->cells->lpl[p], value = c->cells->value[p];
        double up = least(upl, lpl), down = least(lpl, upl);
        double lack = fmax(0, (c->cells->spl[p] - up - down) / 2);
        double low = c->narrow.lower[p] - value, high = c->narrow.upper[p] - value;
        if (sides >> k & 1)
            low = fmax(low, c->published[p] + down + lack - value);
        else
            high = fmin(high, c->published[p] - up - lack - value);
        if (low > high)
            return -INFINITY;
        tacit__solver_set_column(slow->solver, slow->column[p], low, high);
    }
    tacit__solver_set_cost(slow->solver, slow->column[cell], -sign);
    assert_int_equal(tacit__solver_solve(&answer, slow->solver, &options, NULL, NULL), TACIT_OK);
    double reach = answer.values ? sign * answer.values[slow->column[cell]] : -INFINITY;
    assert_true(answer.result == TACIT__SOLVER_OPTIMAL ||
                answer.result == TACIT__SOLVER_INFEASIBLE);
    tacit__solver_set_cost(slow->solver, slow->column[cell], 0);
    return reach;
}

/* Whether some combination has primary cell k where it is not. */
static bool can_cross(const altered_case *c, slow_judge *slow, int k)
{
    unsigned own = c->published[c->primaries[k]] > c->cells->value[c->primaries[k]] ? 0 : 1;
    bool can = false;
    for (unsigned sides = 0; sides < 1u << c->count && !can; sides++)
        can = (sides >> k & 1) != own && furthest(c, slow, c->primaries[k], 1, sides) > -INFINITY;
    return can;
}

static double furthest_of_all(const altered_case *c, slow_judge *slow, int32_t cell, double sign)
{
    double most = -INFINITY;
    for (unsigned sides = 0; sides < 1u << c->count; sides++)
        most = fmax(most, furthest(c, slow, cell, sign, sides));
    return most;
}

static bool has_gap(const altered_case *c, int32_t cell)
{
    return c->cells->upl[cell] + c->cells->lpl[cell] + c->cells->spl[cell] > 0;
}

/* Adjusted tables: primary cells have the hull over all combinations of sides, others no more. */
static void test_adjusted(void **state)
{
    uint64_t *seed = *state;
    int64_t one_sided = 0, two_sided = 0;
    for (*seed = 1; *seed <= many_cases(80); ++*seed) {
        random_start(*seed);
        altered_case c = some_case(true, (table_shape){1 + random_below(2), random_below(2), 9, 40,
                                                       random_below(2) ? 0 : 30});
        slow_judge slow;
        int crossed = 0, gaps = 0;
        adjust_case(&c);
        tacit_altered_audit *audit = judged(&c, 1);
        slow_start(&slow, &c.narrow, c.status);
        assert_int_equal(audit->broken, 0);
        for (int k = 0; k < c.count; k++)
            if (has_gap(&c, c.primaries[k])) {
                gaps++;
                crossed += can_cross(&c, &slow, k);
            }
        assert_int_equal(audit->one_sided, gaps - crossed);
        one_sided += audit->one_sided;
        two_sided += crossed;
        for (int32_t k = 0; k < audit->cell_count; k++) {
            const tacit_cell_finding *f = &audit->cells[k];
            double value = c.cells->value[f->cell];
            double up = furthest_of_all(&c, &slow, f->cell, 1) - (f->high - value);
            double down = furthest_of_all(&c, &slow, f->cell, -1) - (value - f->low);
            assert_true(up > -1e-5 && down > -1e-5);
            if (c.cells->status[f->cell] == 'u' && has_gap(&c, f->cell))
                assert_true(up < 1e-5 && down < 1e-5);
            check_flags(&c, f);
        }
        slow_end(&slow);
        tacit_altered_audit_free(audit);
        end_case(&c);
    }
    assert_true(one_sided > 3 && two_sided > 3);
    *seed = 0;
}

/* ---- every table ---- */

/* Whether the ground cells' values, a digit each of a number, with their sums are within what is
 * known. */
static bool fits(const altered_case *c, double *value, const int32_t *ground, int count,
                 int64_t number, int radix)
{
    const tacit_relations *all = &c->cells->relations;
    for (int k = 0; k < count; k++, number /= radix)
        value[ground[k]] = c->narrow.lower[ground[k]] + (double)(number % radix);
    for (int32_t r = all->count - 1; r >= 0; r--) { /* totals are made of what is below them */
        double sum = 0;
        for (int64_t j = all->starts[r] + 1; j < all->starts[r + 1]; j++)
            sum += value[all->items[j]];
        value[all->items[all->starts[r]]] = sum;
    }
    bool all_fit = true;
    for (int32_t i = 0; i < c->cells->count && all_fit; i++)
        all_fit = value[i] >= c->narrow.lower[i] && value[i] <= c->narrow.upper[i];
    for (int32_t r = 0; r < all->count && all_fit; r++) {
        double sum = 0;
        for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++)
            sum += all->coefs[j] * value[all->items[j]];
        all_fit = sum == 0;
    }
    return all_fit;
}

/* Small rounded tables: no whole-number table that fits is outside the intervals. */
static void test_every_table(void **state)
{
    uint64_t *seed = *state;
    int64_t tables = 0;
    for (*seed = 1; *seed <= many_cases(60); ++*seed) {
        random_start(*seed);
        altered_case c = some_case(false, (table_shape){2, false, 6, 30, 20});
        int32_t ground[9], count = 0;
        round_case(&c);
        tacit_altered_audit *audit = judged(&c, 1);
        double *value = doubles(c.cells);
        for (int32_t i = 0; i < c.cells->count; i++) {
            int32_t codes[2];
            tacit_cells_codes(codes, c.cells, i);
            if (codes[0] > 0 && codes[1] > 0)
                ground[count++] = i;
        }
        int radix = (int)(2 * c.known.reach - 1);
        if (pow(radix, count) > 2e4) /* 2 by 2 and some of 2 by 3 are enough */
            count = 0;
        int64_t numbers = count ? (int64_t)pow(radix, count) : 0;
        for (int64_t number = 0; number < numbers; number++) {
            if (!fits(&c, value, ground, count, number, radix))
                continue;
            tables++;
            for (int32_t k = 0; k < audit->cell_count; k++) {
                const tacit_cell_finding *f = &audit->cells[k];
                assert_true(value[f->cell] >= f->low - 1e-6 && value[f->cell] <= f->high + 1e-6);
            }
        }
        free(value);
        tacit_altered_audit_free(audit);
        end_case(&c);
    }
    assert_true(tables > 200);
    *seed = 0;
}

/* The same findings with one thread and three. */
static void test_threads(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(40); ++*seed) {
        random_start(*seed);
        altered_case c = some_case(true, (table_shape){2, true, 9, 40, 0});
        adjust_case(&c);
        tacit_altered_audit *one = judged(&c, 1), *three = judged(&c, 3);
        assert_int_equal(one->cell_count, three->cell_count);
        assert_int_equal(one->programs, three->programs);
        for (int32_t k = 0; k < one->cell_count; k++)
            assert_memory_equal(&one->cells[k], &three->cells[k], sizeof *one->cells);
        tacit_altered_audit_free(one);
        tacit_altered_audit_free(three);
        end_case(&c);
    }
    *seed = 0;
}

int main(void)
{
    static uint64_t seeds[4];
    const struct CMUnitTest tests[] = {
        random_test(test_rounded, &seeds[0]),
        random_test(test_adjusted, &seeds[1]),
        random_test(test_every_table, &seeds[2]),
        random_test(test_threads, &seeds[3]),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
