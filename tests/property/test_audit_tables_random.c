/*
 * test_audit_tables_random.c - the table audit against other ways to its answer: all integer
 * tables gone through, and two plain programs a cell, on random tables with zeros, ties, bounds
 * of every kind and up to three dimensions.
 */
#include "audit_tables.h"

#include "random_cases.h"

static uint64_t seed;

/* Ground values from few numbers, so that there are zeros and ties. */
static void draw_values(const shape *s, made_cell *list, int most)
{
    int count = shape_cells(s);
    int *values = calloc((size_t)count, sizeof *values);
    for (int i = 0; i < count; i++)
        values[i] = random_below(3) ? random_below(most + 1) : random_below(2);
    add_up(s, values);
    for (int i = 0; i < count; i++)
        list[i] = (made_cell){.value = values[i], .status = 's'};
    free(values);
}

/* What everybody knows: nothing much, or close bounds, or none on a side. */
static void draw_bounds(made_cell *cell, int kind, int total)
{
    int v = cell->value;
    cell->lower = 0;
    cell->upper = total + 1;
    if (kind == 1 || (kind == 2 && random_below(2))) {
        cell->lower = v - random_below(3);
        cell->upper = v + random_below(3);
    }
    if (kind == 3 && random_below(4) == 0)
        cell->lower = cell->upper = v;
    if (cell->lower < 0 && random_below(2))
        cell->lower = 0;
}

static void draw_status(made_cell *cell, int share)
{
    if (random_below(100) >= share)
        return;
    cell->status = random_below(2) ? 'u' : 'x';
    if (cell->status == 'u') {
        cell->lpl = random_below(3);
        cell->upl = random_below(3);
        cell->spl = random_below(4);
    }
}

static tacit_cells *draw_table(shape *s, int most, int share, int bounds)
{
    made_cell list[512];
    assert_true(shape_cells(s) <= 512);
    draw_values(s, list, most);
    for (int i = 0; i < shape_cells(s); i++) {
        draw_bounds(&list[i], bounds, list[0].value);
        draw_status(&list[i], share);
    }
    return cells_made(s, list);
}

/* Flags follow from the intervals. */
static void check_flags(const tacit_cells *cells, const tacit_cells_audit *audit)
{
    int32_t disclosed = 0, under = 0;
    for (int32_t k = 0; k < audit->cell_count; k++) {
        const tacit_cell_finding *f = &audit->cells[k];
        double v = cells->value[f->cell];
        bool primary = cells->status[f->cell] == 'u';
        assert_int_equal(f->disclosed, f->high - f->low < 1e-7);
        bool kept = f->low <= v - cells->lpl[f->cell] + 1e-5 &&
                    f->high >= v + cells->upl[f->cell] - 1e-5 &&
                    f->high - f->low >= cells->spl[f->cell] - 1e-5 && !f->disclosed;
        assert_int_equal(f->underprotected, primary && !kept);
        disclosed += f->disclosed;
        under += f->underprotected;
    }
    assert_int_equal(audit->disclosed, disclosed);
    assert_int_equal(audit->underprotected, under);
    assert_int_equal(audit->unknown, 0);
}

/* With option primaries: the same verdicts, and no interval wider than it is. */
static void check_primaries(const tacit_cells *cells, const tacit_cells_audit *full)
{
    tacit_cells_audit *quick =
        audit_of(cells, NULL, &(tacit_cells_audit_options){.primaries = true}, 1);
    assert_int_equal(quick->cell_count, full->cell_count);
    for (int32_t k = 0; k < full->cell_count; k++) {
        const tacit_cell_finding *q = &quick->cells[k], *f = &full->cells[k];
        assert_int_equal(q->cell, f->cell);
        assert_int_equal(q->disclosed, f->disclosed);
        assert_int_equal(q->underprotected, f->underprotected);
        assert_true(q->low >= f->low - 1e-5 && q->high <= f->high + 1e-5);
    }
    tacit_cells_audit_free(quick);
}

static tacit_cells_audit *windowed(const tacit_cells *cells, int32_t window, int threads)
{
    tacit_cells_audit_options options = {.primaries = true};
    tacit__audit_settings settings = {.window = window};
    tacit_cells_audit *audit = NULL;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    assert_int_equal(tacit__audit_cells_with(&audit, cells, NULL, &options, &settings, &run, NULL),
                     TACIT_OK);
    return audit;
}

/* Small windows into the blocks: the same verdicts as of whole blocks, no interval wider than it is
 * in truth, and nothing that depends on threads. Returns the programs. */
static int64_t check_windows(const tacit_cells *cells, const tacit_cells_audit *full,
                             int32_t window)
{
    tacit_cells_audit *one = windowed(cells, window, 1), *two = windowed(cells, window, 2);
    int64_t programs = one->programs;
    assert_int_equal(one->disclosed, full->disclosed);
    assert_int_equal(one->underprotected, full->underprotected);
    assert_int_equal(one->unknown, 0);
    assert_int_equal(programs, two->programs);
    for (int32_t k = 0; k < full->cell_count; k++) {
        const tacit_cell_finding *w = &one->cells[k], *f = &full->cells[k];
        assert_int_equal(w->disclosed, f->disclosed);
        assert_int_equal(w->underprotected, f->underprotected);
        assert_true(w->low >= f->low - 1e-5 && w->high <= f->high + 1e-5);
        assert_true(w->low == two->cells[k].low && w->high == two->cells[k].high);
    }
    tacit_cells_audit_free(one);
    tacit_cells_audit_free(two);
    return programs;
}

/* In two dimensions every extreme table is one of integers. */
static void test_integer_tables(void **state)
{
    (void)state;
    static census c;
    int32_t disclosed = 0, open = 0;
    uint64_t skipped = 0, cases = many_cases(400);
    for (uint64_t i = 1; i <= cases; i++) {
        random_start(seed = i);
        shape s = {.dimensions = 2, .codes = {3 + random_below(2), 3 + random_below(2)}};
        tacit_cells *cells =
            draw_table(&s, 1 + random_below(3), 40 + random_below(40), random_below(4));
        tacit_cells_audit *audit = audit_of(cells, NULL, NULL, 1);
        bool complete = census_of(&c, cells);
        assert_int_equal(audit->cell_count, c.count);
        skipped += !complete;
        for (int k = 0; k < c.count && complete; k++) {
            assert_int_equal(audit->cells[k].cell, c.open[k]);
            assert_true(near(audit->cells[k].low, c.low[k]));
            assert_true(near(audit->cells[k].high, c.high[k]));
        }
        disclosed += audit->disclosed;
        open += c.count - audit->disclosed;
        check_flags(cells, audit);
        check_primaries(cells, audit);
        tacit_cells_audit_free(audit);
        tacit_cells_free(cells);
    }
    assert_true(disclosed > 100 && open > 100 && skipped < cases / 20);
    seed = 0;
}

/* In three, fractions may reach further: no integer table is outside, and what they say is
 * determined may only be so for integers. */
static void test_integer_cubes(void **state)
{
    (void)state;
    static census c;
    for (uint64_t i = 1, cases = many_cases(200); i <= cases; i++) {
        random_start(seed = i);
        shape s = {.dimensions = 3, .codes = {3, 3, 3}};
        tacit_cells *cells = draw_table(&s, 2, 30 + random_below(30), 1 + random_below(2));
        tacit_cells_audit *audit = audit_of(cells, NULL, NULL, 1);
        bool complete = census_of(&c, cells);
        for (int k = 0; k < c.count && complete; k++) {
            assert_true(audit->cells[k].low <= c.low[k] + 1e-6);
            assert_true(audit->cells[k].high >= c.high[k] - 1e-6);
        }
        check_flags(cells, audit);
        tacit_cells_audit_free(audit);
        tacit_cells_free(cells);
    }
    seed = 0;
}

static void compare_plain(const tacit_cells *cells)
{
    tacit_cells_audit *audit = audit_of(cells, NULL, NULL, 1);
    tacit__solver *solver = plain_program(cells, cells->status);
    for (int32_t k = 0; k < audit->cell_count; k++) {
        const tacit_cell_finding *f = &audit->cells[k];
        assert_true(near(f->low, plain_bound(solver, f->cell, 1)));
        assert_true(near(f->high, plain_bound(solver, f->cell, -1)));
    }
    check_flags(cells, audit);
    check_primaries(cells, audit);
    tacit__solver_free(solver);
    tacit_cells_audit_free(audit);
}

static void test_plain_programs(void **state)
{
    (void)state;
    for (uint64_t i = 1, cases = many_cases(150); i <= cases; i++) {
        random_start(seed = i);
        shape s = {.dimensions = 1 + random_below(3)};
        for (int d = 0; d < s.dimensions; d++)
            s.codes[d] = 3 + random_below(4);
        tacit_cells *cells =
            draw_table(&s, 1 + random_below(1000), 20 + random_below(70), random_below(4));
        compare_plain(cells);
        tacit_cells_free(cells);
    }
    seed = 0;
}

/* Relations of any weights over random cells. */
static tacit_cells *draw_relations(void)
{
    int count = 4 + random_below(12), relations = 1 + random_below(6), values[16];
    char text[8192], *at = text;
    at += sprintf(at, "0\n%d\n", count);
    for (int i = 0; i < count; i++) {
        values[i] = random_below(20);
        int below = random_below(3) ? random_below(8) : 0, above = random_below(8);
        char status = random_below(3) ? random_below(2) ? 'u' : 'x' : 's';
        at += sprintf(at, "%d %d 1 %c %d %d 1 1 0\n", i, values[i], status, values[i] - below,
                      values[i] + above);
    }
    at += sprintf(at, "%d\n", relations);
    for (int r = 0; r < relations; r++) {
        char terms[1024], *end = terms;
        int sum = 0, many = 0;
        for (int i = 0; i < count; i++)
            if (random_below(2)) {
                int coef = random_below(2) ? 1 : -1;
                coef *= random_below(4) ? 1 : 1 + random_below(3);
                end += sprintf(end, " %d (%d)", i, coef);
                sum += coef * values[i];
                many++;
            }
        if (!many) {
            end += sprintf(end, " 0 (1)");
            sum = values[0];
            many = 1;
        }
        at += sprintf(at, "%d %d :%s\n", sum, many, terms);
    }
    return jj_of(text);
}

static void test_any_relations(void **state)
{
    (void)state;
    for (uint64_t i = 1, cases = many_cases(400); i <= cases; i++) {
        random_start(seed = i);
        tacit_cells *cells = draw_relations();
        for (int32_t c = 0; c < cells->count && i % 3 == 0; c++) {
            cells->lower[c] = random_below(3) ? cells->lower[c] : -INFINITY;
            cells->upper[c] = random_below(3) ? cells->upper[c] : INFINITY;
        }
        compare_plain(cells);
        tacit_cells_free(cells);
    }
    seed = 0;
}

/* ---- windows ---- */

/* Tables of up to four dimensions, mostly dense. */
static void test_windows(void **state)
{
    (void)state;
    int32_t disclosed = 0, under = 0, hidden = 0;
    int64_t more = 0, cases = (int64_t)many_cases(120);
    for (int64_t i = 1; i <= cases; i++) {
        random_start(seed = (uint64_t)i);
        shape s = {.dimensions = 2 + random_below(3)};
        for (int d = 0; d < s.dimensions; d++)
            s.codes[d] = s.dimensions == 4 ? 3 + random_below(2) : 4 + random_below(4);
        tacit_cells *cells =
            draw_table(&s, 1 + random_below(30), 30 + random_below(60), random_below(4));
        tacit_cells_audit *full = audit_of(cells, NULL, NULL, 1);
        int64_t without = check_windows(cells, full, 1 << 20);
        for (int32_t window = 2; window <= 8; window *= 4)
            more += check_windows(cells, full, window) != without;
        disclosed += full->disclosed;
        under += full->underprotected;
        hidden += full->cell_count - full->disclosed;
        tacit_cells_audit_free(full);
        tacit_cells_free(cells);
    }
    assert_true(disclosed > cases && under > cases && hidden > 4 * cases && more > cases / 10);
    seed = 0;
}

/* Weights of any kind. */
static void test_windows_any(void **state)
{
    (void)state;
    for (uint64_t i = 1, cases = many_cases(300); i <= cases; i++) {
        random_start(seed = i);
        tacit_cells *cells = draw_relations();
        tacit_cells_audit *full = audit_of(cells, NULL, NULL, 1);
        check_windows(cells, full, 1);
        tacit_cells_audit_free(full);
        tacit_cells_free(cells);
    }
    seed = 0;
}

/* ---- contributors ---- */

enum { OWNERS = 5 };

static struct {
    int64_t freq[64];
    double top[128];
    int32_t owner[128];
} given;

/* One to four contributors a cell, the largest of them any of a few owners, or nobody known. */
static void draw_contributors(tacit_cells *cells, bool owners)
{
    for (int32_t i = 0; i < cells->count; i++) {
        int first = random_below(OWNERS), step = 1 + random_below(OWNERS - 1);
        double value = cells->value[i];
        given.freq[i] = value > 1 ? 1 + random_below(4) : value > 0;
        given.top[2 * i] = given.freq[i] == 1 ? value : ceil(0.7 * value);
        given.top[2 * i + 1] = given.freq[i] == 1 ? 0 : value - given.top[2 * i];
        given.owner[2 * i] = first;
        given.owner[2 * i + 1] = given.freq[i] > 1 ? (first + step) % OWNERS : -1;
    }
    cells->freq = given.freq;
    cells->top_count = 2;
    cells->top = given.top;
    cells->top_owner = owners ? given.owner : NULL;
}

/* The bounds of somebody who gave part of some cells: those of `mine`, 1 the larger part, 2
 * the smaller. */
static void know(tacit__solver *solver, const tacit_cells *cells, const int *mine, bool known)
{
    for (int32_t i = 0; i < cells->count; i++) {
        double lower = cells->lower[i], upper = cells->upper[i];
        if (!mine[i])
            continue;
        if (known && given.freq[i] == 1)
            lower = upper = cells->value[i];
        else if (known)
            lower = fmax(lower, given.top[2 * i + mine[i] - 1]);
        tacit__solver_set_column(solver, i, lower, upper);
    }
}

static bool listed(const tacit_cells_audit *audit, const int *mine, int32_t cell, double low,
                   double high)
{
    for (int32_t i = 0; i < audit->singleton_count; i++) {
        const tacit_singleton_finding *f = &audit->singletons[i];
        if (mine[f->insider] && f->cell == cell && f->disclosed == (high - low < 1e-7) &&
            f->low >= low - 1e-5 && f->high <= high + 1e-5)
            return true;
    }
    return false;
}

/* What he finds out by definition, each of it in the list; returns how much. */
static int32_t check_insider(tacit__solver *solver, const tacit_cells *cells,
                             const tacit_cells_audit *audit, const int *mine)
{
    int32_t found = 0;
    know(solver, cells, mine, true);
    for (int32_t k = 0; k < audit->cell_count; k++) {
        int32_t cell = audit->cells[k].cell;
        bool sole = mine[cell] && given.freq[cell] == 1;
        if (cells->status[cell] != 'u' || audit->cells[k].disclosed || sole)
            continue;
        double low = plain_bound(solver, cell, 1), high = plain_bound(solver, cell, -1);
        double value = cells->value[cell];
        bool kept = low <= value - cells->lpl[cell] + 1e-5 &&
                    high >= value + cells->upl[cell] - 1e-5 &&
                    high - low >= cells->spl[cell] - 1e-5;
        bool narrow = !kept && !audit->cells[k].underprotected && !mine[cell];
        if (high - low >= 1e-7 && !narrow)
            continue;
        found++;
        assert_true(listed(audit, mine, cell, low, high));
    }
    know(solver, cells, mine, false);
    return found;
}

/* Facts are of suppressed cells with one contributor or two. */
static bool tells(const tacit_cells *cells, int32_t cell, int r)
{
    return tacit__suppressed(cells->status[cell]) && given.freq[cell] <= 2 && r < given.freq[cell];
}

static int32_t check_insiders(const tacit_cells *cells, const tacit_cells_audit *audit)
{
    tacit__solver *solver = plain_program(cells, cells->status);
    int32_t found = 0;
    int mine[64];
    for (int who = 0; who < (cells->top_owner ? OWNERS : 2 * cells->count); who++) {
        for (int32_t i = 0; i < cells->count; i++)
            for (int r = mine[i] = 0; r < 2; r++)
                if (tells(cells, i, r) &&
                    (cells->top_owner ? given.owner[2 * i + r] == who : 2 * i + r == who))
                    mine[i] = r + 1;
        found += check_insider(solver, cells, audit, mine);
    }
    tacit__solver_free(solver);
    return found;
}

static void test_contributors(void **state)
{
    (void)state;
    int32_t all = 0;
    for (uint64_t i = 1, cases = many_cases(150); i <= cases; i++) {
        random_start(seed = i);
        shape s = {.dimensions = 2, .codes = {3 + random_below(3), 3 + random_below(3)}};
        tacit_cells *cells = draw_table(&s, 12, 30 + random_below(50), 3 * random_below(2));
        draw_contributors(cells, i % 2);
        tacit_cells_audit *audit =
            audit_of(cells, NULL, &(tacit_cells_audit_options){.singletons = true}, 1);
        int32_t found = check_insiders(cells, audit);
        assert_int_equal(audit->singleton_count, found);
        all += found;
        tacit_cells_audit_free(audit);
        cells->freq = NULL;
        cells->top = NULL;
        cells->top_owner = NULL;
        tacit_cells_free(cells);
    }
    assert_true(all > 50);
    seed = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(test_integer_tables, &seed), random_test(test_integer_cubes, &seed),
        random_test(test_plain_programs, &seed), random_test(test_any_relations, &seed),
        random_test(test_windows, &seed),        random_test(test_windows_any, &seed),
        random_test(test_contributors, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
