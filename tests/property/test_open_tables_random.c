/*
 * test_open_tables_random.c - releases as outsiders have them: what the audit finds in a file
 * without the suppressed values is what it finds in the whole table with the same bounds, and
 * what going through all integer tables finds. Random tables with zeros, ties, decimals,
 * negative values, bounds, up to three dimensions, marks in place of values, subtotals
 * that are not listed, and releases that contradict themselves.
 */
#include "audit_tables.h"

#include "random_cases.h"

static uint64_t seed;

enum { CELLS = 512, TEXT = CELLS * 96 };

/* One cell as the file has it. */
typedef struct drawn {
    int value; /* in units of the world */
    char status;
    bool bounded, listed;
    int below, above; /* bounds, from the value */
} drawn;

typedef struct world {
    shape s;
    double unit;
    bool negative, bounds, letters;
    drawn list[CELLS];
} world;

static void draw_values(world *w, int most)
{
    int values[CELLS], count = shape_cells(&w->s);
    for (int i = 0; i < count; i++) {
        values[i] = random_below(3) ? random_below(most + 1) : random_below(2);
        if (w->negative)
            values[i] -= random_below(most + 1);
    }
    add_up(&w->s, values);
    for (int i = 0; i < count; i++)
        w->list[i] = (drawn){.value = values[i], .status = 's', .listed = true};
}

static bool is_total(const world *w, int cell)
{
    for (int d = 0; d < w->s.dimensions; d++)
        if (code_of(&w->s, cell, d) == 0)
            return true;
    return false;
}

static void draw_world(world *w, int dimensions, int codes, int most, bool unlisted)
{
    static const double UNITS[] = {1, 1, 0.1, 0.25, 1000000};
    *w = (world){.s = {.dimensions = dimensions}, .unit = UNITS[random_below(5)]};
    for (int d = 0; d < dimensions; d++)
        w->s.codes[d] = 3 + random_below(codes - 2);
    w->negative = random_below(4) == 0;
    w->bounds = random_below(2);
    w->letters = unlisted || random_below(3) > 0;
    draw_values(w, most);
    int share = 20 + random_below(60);
    for (int i = 0; i < shape_cells(&w->s); i++) {
        drawn *c = &w->list[i];
        if (random_below(100) < share)
            c->status = w->letters && random_below(2) ? 'u' : 'x';
        c->bounded = random_below(3) > 0;
        c->below = random_below(4);
        c->above = random_below(4);
        if (!w->negative && c->below > c->value)
            c->below = c->value;
        if (unlisted && is_total(w, i) && random_below(3) == 0)
            c->listed = false;
    }
}

static char *put_codes(char *at, const world *w, int cell)
{
    for (int d = 0; d < w->s.dimensions; d++)
        at += code_of(&w->s, cell, d) ? sprintf(at, "k%d;", code_of(&w->s, cell, d))
                                      : sprintf(at, "Total;");
    return at;
}

/* As the data holder has it, or as outsiders do. */
static char *csv_text(const world *w, bool release)
{
    static const char *const MARKS[] = {"", "x", "c", ".", "..", "-", "*", ":"};
    char *text = malloc(TEXT), *at = text;
    for (int d = 0; d < w->s.dimensions; d++)
        at += sprintf(at, "%c;", 'a' + d);
    at += sprintf(at, "v%s%s\n", w->letters || !release ? ";status" : "",
                  w->bounds ? ";lower;upper" : "");
    for (int k = 0, count = shape_cells(&w->s); k < 2 * count; k++) {
        int i = k % count; /* ground cells first: codes are numbered as they come */
        const drawn *c = &w->list[i];
        if (is_total(w, i) != (k >= count) || (release && !c->listed))
            continue;
        at = put_codes(at, w, i);
        at += release && c->status != 's' ? sprintf(at, "%s", MARKS[random_below(8)])
                                          : sprintf(at, "%.10g", c->value * w->unit);
        if (w->letters || !release)
            at += sprintf(at, ";%c", c->listed ? c->status : 'x');
        if (w->bounds && c->bounded)
            at += sprintf(at, ";%.10g;%.10g", (c->value - c->below) * w->unit,
                          (c->value + c->above) * w->unit);
        else if (w->bounds)
            at += sprintf(at, ";;");
        at += sprintf(at, "\n");
    }
    assert_true(at - text < TEXT);
    return text;
}

static tacit_cells_spec *spec_for(const world *w, bool release)
{
    static const char *const DIMENSIONS[] = {"", "a", "a b", "a b c"};
    tacit_cells_spec *spec = &spec_of(DIMENSIONS[w->s.dimensions])->spec;
    spec->value = "v";
    spec->negative = w->negative;
    spec->release = release;
    return spec;
}

/* The whole table with what outsiders know of bounds: nothing but what was given, which is not
 * given for cells that are not listed. */
static tacit_cells *whole_of(const world *w)
{
    char *text = csv_text(w, false);
    tacit_cells *cells = cells_of(text, spec_for(w, false), tacit_cells_from_table);
    for (int32_t i = 0; i < cells->count; i++)
        if (!w->bounds || !w->list[i].bounded || !w->list[i].listed) {
            cells->lower[i] = w->negative ? -INFINITY : 0;
            cells->upper[i] = INFINITY;
        }
    free(text);
    return cells;
}

static tacit_cells *release_of(const world *w)
{
    char *text = csv_text(w, true);
    tacit_cells *cells = cells_of(text, spec_for(w, true), tacit_cells_from_table);
    free(text);
    return cells;
}

/* Values that the reader chose fit, and keep their bounds. */
static void check_completion(const tacit_cells *open, const tacit_cells *whole)
{
    const tacit_relations *all = &open->relations;
    for (int32_t r = 0; r < all->count; r++) {
        double sum = 0, size = 1;
        for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++) {
            sum += all->coefs[j] * open->value[all->items[j]];
            size += fabs(open->value[all->items[j]]);
        }
        assert_true(fabs(sum) <= 1e-10 + 1e-12 * size);
    }
    for (int32_t i = 0; i < open->count; i++) {
        assert_true(open->value[i] >= open->lower[i] - 1e-12 * fabs(open->lower[i]) &&
                    open->value[i] <= open->upper[i] + 1e-12 * fabs(open->upper[i]));
        if (!open->unknown || !open->unknown[i])
            assert_true(fabs(open->value[i] - whole->value[i]) <=
                        1e-9 * fmax(1, fabs(whole->value[i])));
    }
}

static bool close_to(double a, double b, double size)
{
    return a == b || fabs(a - b) <= 1e-5 * fmax(size, fmax(fabs(a), fabs(b)));
}

/* The same intervals and verdicts; levels are not judged where the value is not known. */
static void compare(const world *w, const tacit_cells *open, const tacit_cells *whole)
{
    tacit_cells_audit *found = audit_of(open, NULL, NULL, 1),
                      *truth = audit_of(whole, NULL, NULL, 1);
    int32_t at = 0, disclosed = 0;
    for (int32_t k = 0; k < truth->cell_count; k++) {
        const tacit_cell_finding *t = &truth->cells[k];
        if (!w->list[t->cell].listed)
            continue;
        assert_true(at < found->cell_count);
        const tacit_cell_finding *f = &found->cells[at++];
        assert_int_equal(f->cell, t->cell);
        assert_true(open->unknown[f->cell] && isnan(f->required_low) && isnan(f->required_high));
        assert_true(close_to(f->low, t->low, w->unit) && close_to(f->high, t->high, w->unit));
        assert_int_equal(f->disclosed, t->disclosed);
        assert_false(f->underprotected);
        disclosed += f->disclosed;
    }
    assert_int_equal(at, found->cell_count);
    assert_int_equal(disclosed, found->disclosed);
    tacit_cells_audit_free(found);
    tacit_cells_audit_free(truth);
}

static bool any_suppressed(const world *w)
{
    for (int i = 0; i < shape_cells(&w->s); i++)
        if (w->list[i].status != 's' && w->list[i].listed)
            return true;
    return false;
}

static void test_same_as_whole(void **state)
{
    (void)state;
    static world w;
    for (uint64_t i = 1, cases = many_cases(1200); i <= cases; i++) {
        random_start(seed = i);
        draw_world(&w, 1 + random_below(3), 6, 1 + random_below(30), random_below(2));
        if (!any_suppressed(&w))
            continue;
        tacit_cells *whole = whole_of(&w), *open = release_of(&w);
        for (int32_t k = 0; k < whole->count; k++)
            if (!w.list[k].listed)
                whole->status[k] = 'x';
        check_completion(open, whole);
        compare(&w, open, whole);
        tacit_cells_free(whole);
        tacit_cells_free(open);
    }
    seed = 0;
}

/* In two dimensions every extreme table is one of integers. */
static void test_integer_tables(void **state)
{
    (void)state;
    static world w;
    static census c;
    int32_t looked = 0;
    for (uint64_t i = 1, cases = many_cases(400); i <= cases; i++) {
        random_start(seed = i);
        draw_world(&w, 2, 4, 3, false);
        w.unit = 1;
        w.bounds = true;
        for (int k = 0; k < shape_cells(&w.s); k++)
            w.list[k].bounded = true;
        if (!any_suppressed(&w))
            continue;
        tacit_cells *whole = whole_of(&w), *open = release_of(&w);
        tacit_cells_audit *audit = audit_of(open, NULL, NULL, 1);
        if (census_of(&c, whole)) {
            assert_int_equal(audit->cell_count, c.count);
            for (int k = 0; k < c.count; k++)
                assert_true(near(audit->cells[k].low, c.low[k]) &&
                            near(audit->cells[k].high, c.high[k]));
            looked++;
        }
        tacit_cells_audit_free(audit);
        tacit_cells_free(whole);
        tacit_cells_free(open);
    }
    assert_true(looked > 50);
    seed = 0;
}

/* A published value changed: refused with a reason, or there is a table that fits. */
static void test_contradictions(void **state)
{
    (void)state;
    static world w;
    int refusals = 0, taken = 0;
    for (uint64_t i = 1, cases = many_cases(600); i <= cases; i++) {
        random_start(seed = i);
        draw_world(&w, 1 + random_below(3), 5, 10, false);
        w.list[random_below(shape_cells(&w.s))].value += random_below(2) ? 1 : 7;
        char *text = csv_text(&w, true);
        tacit_table *table = csv_of(text);
        tacit_cells *cells = NULL;
        tacit_error err = {0};
        tacit_status status = tacit_cells_from_table(&cells, table, spec_for(&w, true), NULL, &err);
        if (status == TACIT_OK) {
            check_completion(cells, cells);
            taken++;
        } else {
            assert_true(status == TACIT_INVALID || status == TACIT_PARSE);
            assert_true(strstr(err.message, "contradicts") || strstr(err.message, "do not add"));
            refusals++;
        }
        tacit_cells_free(cells);
        tacit_table_free(table);
        free(text);
    }
    assert_true(refusals > 50 && taken > 20);
    seed = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(test_same_as_whole, &seed),
        random_test(test_integer_tables, &seed),
        random_test(test_contradictions, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
