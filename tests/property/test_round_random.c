/*
 * test_round_random.c - controlled rounding of random small tables against all tables of multiples
 * next to the values, tried one by one.
 */
#include "tables.h"

#include "cells/round/round.h"
#include "random_cases.h"
#include "rounding.h"
#include "suppress.h"
#include "twins.h"

enum { MAX_FREE = 13, MAX_TRIED = 600 };

/* All tables: ground cells by the bits of a number, the others by their relations. */
typedef struct trial {
    const tacit_cells *cells;
    const tacit_alter_options *options;
    bool fall;
    int32_t ground[MAX_FREE];
    int free;
    bool is_total[MAX_TRIED];
    double number[MAX_TRIED];
    bool known[MAX_TRIED];
} trial;

static double low_of(const trial *t, int32_t cell)
{
    return floor(t->cells->value[cell] / t->options->base + 1e-9);
}

static double part_of(const trial *t, int32_t cell)
{
    double part = t->cells->value[cell] / t->options->base - low_of(t, cell);
    return part < 1e-9 ? 0 : part;
}

static bool allowed(const trial *t, int32_t cell, double number)
{
    const tacit_cells *cells = t->cells;
    double up = number - low_of(t, cell);
    bool falls = t->fall && cells->status[cell] == 'u' && low_of(t, cell) == 0 &&
                 cells->lpl[cell] > 0 && cells->value[cell] <= cells->lpl[cell];
    return up == 0 || (up == 1 && part_of(t, cell) > 0 && !falls);
}

static double weight_of(const trial *t, int32_t cell)
{
    double size = fmax(1, fabs(t->cells->value[cell]));
    return t->options->weight == TACIT_WEIGHT_COST  ? t->cells->cost[cell] / size
           : t->options->weight == TACIT_WEIGHT_ONE ? 1
                                                    : 1 / size;
}

/* The total stands first, with -1. False: it has too many cells to try. */
static bool start_trial(trial *t)
{
    const tacit_relations *all = &t->cells->relations;
    if (t->cells->count > MAX_TRIED)
        return false;
    for (int32_t r = 0; r < all->count; r++)
        t->is_total[all->items[all->starts[r]]] = true;
    for (int32_t i = 0; i < t->cells->count; i++)
        if (!t->is_total[i] && part_of(t, i) > 0) {
            if (t->free == MAX_FREE)
                return false;
            t->ground[t->free++] = i;
        }
    return true;
}

/* Totals from their parts; false where two relations disagree. */
static bool sum_up(trial *t)
{
    const tacit_relations *all = &t->cells->relations;
    for (bool more = true; more;) {
        more = false;
        for (int32_t r = 0; r < all->count; r++) {
            int32_t total = all->items[all->starts[r]];
            double sum = 0;
            bool ready = true;
            for (int64_t j = all->starts[r] + 1; j < all->starts[r + 1]; j++) {
                ready &= t->known[all->items[j]];
                sum += t->number[all->items[j]];
            }
            if (!ready)
                continue;
            if (t->known[total] && t->number[total] != sum)
                return false;
            if (t->known[total])
                continue;
            if (!allowed(t, total, sum))
                return false;
            t->known[total] = more = true;
            t->number[total] = sum;
        }
    }
    return true;
}

static double distance_of(const trial *t)
{
    double sum = 0;
    for (int32_t i = 0; i < t->cells->count; i++)
        sum += weight_of(t, i) * fabs(t->number[i] * t->options->base - t->cells->value[i]);
    return sum;
}

/* The least distance of all such tables; INFINITY: there is none. */
static double least_distance(trial *t)
{
    double least = INFINITY;
    for (unsigned bits = 0; bits < 1u << t->free; bits++) {
        bool fits = true;
        for (int32_t i = 0; i < t->cells->count; i++) {
            t->number[i] = low_of(t, i);
            t->known[i] = !t->is_total[i];
        }
        for (int k = 0; k < t->free && fits; k++) {
            t->number[t->ground[k]] += bits >> k & 1;
            fits = allowed(t, t->ground[k], t->number[t->ground[k]]);
        }
        if (fits && sum_up(t))
            least = fmin(least, distance_of(t));
    }
    return least;
}

static tacit_alter_options some_options(tacit_cells *cells)
{
    static const double BASES[] = {2, 3, 5, 10, 2.5};
    tacit_alter_options options;
    tacit_alter_options_init(&options);
    options.base = BASES[random_below(5)];
    options.weight = (tacit_alter_weight)random_below(3);
    for (int32_t i = 0; i < cells->count && random_below(8); i++)
        cells->cost[i] = random_below(20);
    for (int32_t i = 0; i < cells->count; i++)
        if (cells->status[i] == 'u')
            cells->lpl[i] = cells->value[i] - (random_below(2) ? random_below(2) : 0);
    return options;
}

/* What happened over the cases of a test: they must meet everything. */
typedef struct met {
    int tried, none, fell;
} met;

static void check_nearest(met *m, tacit_cells *cells)
{
    tacit_alter_options options = some_options(cells);
    trial t = {.cells = cells, .options = &options, .fall = true};
    tacit_altered altered = altered_by(cells, "round-controlled", &options, 0, 1);
    check_rounded(cells, &altered, &options);
    assert_int_equal(altered.broken, 0);
    assert_true(altered.proven);
    if (start_trial(&t)) {
        double least = least_distance(&t);
        m->fell += least == INFINITY;
        t.fall = least < INFINITY;
        least = t.fall ? least : least_distance(&t);
        m->none += least == INFINITY;
        m->tried++;
        assert_true((altered.reach > options.base) == (least == INFINITY));
        if (least < INFINITY)
            assert_true(fabs(altered.distance - least) < 1e-6 * fmax(1, least));
    }
    tacit_altered_clear(&altered);
}

static void test_tables(void **state)
{
    uint64_t *seed = *state;
    met m = {0};
    for (*seed = 1; *seed <= many_cases(400); ++*seed) {
        random_start(*seed);
        table_shape shape = {1 + random_below(3), random_below(3) == 0, 9, random_below(40),
                             random_below(60)};
        tacit_cells *cells = random_cells(&shape);
        tacit_cells twin = without_dimensions(cells);
        check_nearest(&m, random_below(4) ? cells : &twin);
        tacit_cells_free(cells);
    }
    assert_true(m.tried >= 50 && m.fell > 0);
    *seed = 0;
}

/* Two tables that share the margin of one dimension: not every cell is a sum of the same. */
static void test_linked(void **state)
{
    uint64_t *seed = *state;
    met m = {0};
    for (*seed = 1; *seed <= many_cases(150); ++*seed) {
        char text[2][512];
        tacit_cells *parts[2], *cells = NULL;
        random_start(*seed);
        int margin[3], given[2][3][2];
        for (int i = 0; i < 3; i++) {
            margin[i] = random_below(12);
            for (int p = 0; p < 2; p++) {
                given[p][i][0] = random_below(margin[i] + 1);
                given[p][i][1] = margin[i] - given[p][i][0];
            }
        }
        for (int p = 0; p < 2; p++) {
            int at = sprintf(text[p], "a,%c,freq\n", 'b' + p);
            for (int i = 0; i < 6; i++)
                at += sprintf(text[p] + at, "%c,%c,%d\n", 'p' + i / 2, 'x' + i % 2,
                              given[p][i / 2][i % 2]);
            parts[p] = cells_of(text[p], &spec_of(p ? "a c" : "a b")->spec, tacit_cells_from_table);
        }
        assert_int_equal(tacit_cells_link(&cells, (const tacit_cells *const *)parts, 2, 0, NULL),
                         TACIT_OK);
        check_nearest(&m, cells);
        tacit_cells_free(cells);
        tacit_cells_free(parts[0]);
        tacit_cells_free(parts[1]);
    }
    assert_true(m.tried >= 30);
    *seed = 0;
}

/* Larger ones: additive, next to the values, no nearer than the bound, and the same for any number
 * of threads. */
static void test_larger(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(40); ++*seed) {
        random_start(*seed);
        table_shape shape = {3, true, 30, random_below(10), random_below(40)};
        tacit_cells *cells = random_cells(&shape);
        tacit_alter_options options = some_options(cells);
        tacit_altered one = altered_by(cells, "round-controlled", &options, 1, 1);
        tacit_altered two = altered_by(cells, "round-controlled", &options, 2, 3);
        check_rounded(cells, &one, &options);
        assert_int_equal(one.broken, 0);
        assert_true(one.distance >= one.lower_bound - 1e-6);
        assert_memory_equal(one.value, two.value, (size_t)cells->count * sizeof *one.value);
        tacit_altered_clear(&one);
        tacit_altered_clear(&two);
        tacit_cells_free(cells);
    }
    *seed = 0;
}

static double beyond_all(const tacit__round_task *task, const double *number)
{
    double sum = 0;
    for (int32_t i = 0; i < task->multiples->cells->count; i++)
        sum += tacit__round_beyond(task, i, number[i]);
    return sum;
}

/* The parts for large tables, on small ones: always additive, and blocks make nothing worse. */
static void test_parts(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(40); ++*seed) {
        random_start(*seed);
        table_shape shape = {3, true, 30, 10, random_below(40)};
        tacit_cells *cells = random_cells(&shape);
        double weight[MAX_TRIED], number[MAX_TRIED];
        tacit__multiples multiples;
        tacit__nest *nest = NULL;
        bool stopped = false;
        tacit_run run;
        tacit_run_init(&run);
        assert_true(cells->count <= MAX_TRIED);
        for (int32_t i = 0; i < cells->count; i++)
            weight[i] = 5;
        assert_int_equal(tacit__multiples_init(&multiples, cells, 5, NULL), TACIT_OK);
        assert_int_equal(tacit__nest_new(&nest, cells, &run, NULL), TACIT_OK);
        assert_non_null(nest);
        tacit__round_task task = {
            .multiples = &multiples, .weight = weight, .nest = nest, .steps = 1};
        assert_int_equal(tacit__round_flips(number, &stopped, &task, nest, &run, NULL), TACIT_OK);
        assert_int_equal(broken_in(cells, number), 0);
        double before = beyond_all(&task, number);
        assert_int_equal(tacit__round_blocks(number, &stopped, &task, &run, NULL), TACIT_OK);
        assert_int_equal(broken_in(cells, number), 0);
        assert_true(!stopped && beyond_all(&task, number) <= before);
        tacit__nest_free(nest);
        tacit__multiples_clear(&multiples);
        tacit_cells_free(cells);
    }
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(test_tables, &seed),
        random_test(test_linked, &seed),
        random_test(test_larger, &seed),
        random_test(test_parts, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
