/*
 * test_total_levels.c - the four levels of protection against their definitions: what is known
 * about a set of rows, or of columns, is what follows from their sums, and no cell is known. By the
 * judge of flat.h, for every set of up to k of them.
 */
#include "tables.h"

#include "flat.h"
#include "random_cases.h"

static uint64_t seed;

static int line_of(const flat *f, int cell, bool rows)
{
    return rows ? f->row[cell] : f->column[cell];
}

/* Whether nothing but the lines' own sums is known about a set of lines. */
static bool set_is_kept(const changes *c, uint32_t set, bool rows)
{
    const flat *f = c->table;
    int cells[FLAT_MAX], count = 0;
    uint32_t used = 0;
    for (int k = 0; k < c->count; k++)
        if (set >> line_of(f, c->cell[k], rows) & 1) {
            cells[count++] = c->cell[k];
            used |= UINT32_C(1) << line_of(f, c->cell[k], rows);
        }
    return count - free_ways(c, cells, count) == __builtin_popcount(used);
}

/* The lines of a component, by cells that share a line, over and over. */
static uint32_t lines_with(const changes *c, int line, bool rows)
{
    const flat *f = c->table;
    uint32_t lines = UINT32_C(1) << line, others = 0;
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < c->count; k++) {
            uint32_t one = UINT32_C(1) << line_of(f, c->cell[k], rows);
            uint32_t other = UINT32_C(1) << line_of(f, c->cell[k], !rows);
            if ((lines & one || others & other) && (!(lines & one) || !(others & other))) {
                lines |= one;
                others |= other;
                more = true;
            }
        }
    }
    return lines;
}

typedef struct truth {
    bool cells, lines, several, table;
} truth;

static void look_at_side(truth *t, const changes *c, int k, bool rows)
{
    int lines = rows ? c->table->rows : c->table->columns;
    for (uint32_t set = 1; set < UINT32_C(1) << lines; set++) {
        int size = __builtin_popcount(set);
        bool kept = set_is_kept(c, set, rows), some = true;
        for (int i = 0; i < c->count; i++) /* not all of any component */
            some &= (lines_with(c, line_of(c->table, c->cell[i], rows), rows) & ~set) != 0;
        t->lines &= size > 1 || kept;
        t->several &= size > k || kept;
        t->table &= !some || kept;
    }
}

static truth truth_of(const changes *c, int k)
{
    truth t = {true, true, true, true};
    for (int i = 0; i < c->count; i++)
        t.cells &= free_ways(c, &c->cell[i], 1) == 1;
    if (!t.cells)
        return (truth){0};
    look_at_side(&t, c, k, true);
    look_at_side(&t, c, k, false);
    return t;
}

static flat draw(void)
{
    flat f = flat_of(2 + random_below(3), 2 + random_below(3));
    int share = 60 + random_below(41), bounded = random_below(4) ? 0 : 10;
    bool blocks = random_below(4) == 0; /* two complete components */
    for (int i = 0; i < flat_cells(&f); i++) {
        bool same = (f.row[i] < f.rows / 2) == (f.column[i] < f.columns / 2);
        if (random_below(100) < bounded)
            f.lower[i] = f.value[i];
        if (blocks ? same : random_below(100) < share)
            f.status[i] = 'u';
        f.secret[i] = f.status[i] == 'u';
    }
    return f;
}

/* A witness is what it is said to be. */
static void check_witness(const tacit_total_levels *l, const changes *c)
{
    if (!l->cells)
        assert_int_equal(free_ways(c, &(int){l->cell}, 1), 0);
    if (!l->cells)
        return;
    if (!l->lines)
        assert_false(
            set_is_kept(c, UINT32_C(1) << (l->row >= 0 ? l->row : l->column), l->row >= 0));
    if (!l->several) {
        uint32_t set = 0;
        for (int i = 0; i < l->line_count; i++)
            set |= UINT32_C(1) << l->line_list[i];
        assert_true(__builtin_popcount(set) == l->line_count && l->line_count <= l->k);
        assert_false(set_is_kept(c, set, l->of_rows));
    }
    if (!l->table) {
        assert_false(flat_hidden(c->table, l->open_row * c->table->columns + l->open_column));
        assert_true(lines_with(c, l->open_row, true) != 0);
    }
}

static void test_levels(void **state)
{
    (void)state;
    static changes c;
    int kept[4] = {0}, broken[4] = {0};
    for (uint64_t i = 1, cases = many_cases(1500); i <= cases; i++) {
        random_start(seed = i);
        flat f = draw();
        int k = 1 + random_below(3);
        tacit_flat_view view = flat_view(&f);
        tacit_total_levels l;
        assert_int_equal(tacit_audit_levels(&l, &view, k, NULL, NULL), TACIT_OK);
        find_changes(&c, &f);
        truth t = truth_of(&c, k);
        assert_int_equal(l.cells, t.cells);
        assert_int_equal(l.lines, t.lines);
        assert_int_equal(l.several, t.several);
        assert_int_equal(l.table, t.table);
        check_witness(&l, &c);
        bool found[4] = {t.cells, t.lines, t.several, t.table};
        for (int level = 0; level < 4; level++)
            *(found[level] ? &kept[level] : &broken[level]) += 1;
        tacit_total_levels_clear(&l);
    }
    for (int level = 0; level < 4; level++)
        assert_true(kept[level] > 20 && broken[level] > 20);
    seed = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(test_levels, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
