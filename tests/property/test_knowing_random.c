/*
 * test_knowing_random.c - knowing the method, against definitions and an exhaustive adversary.
 *
 *   - Releases of local, optimal and k-similar are tight, and those that are proven the best keep
 *     what is said of the best: so the original is never ruled out.
 *   - Class by class, the originals that are left are as many as going through all of them finds,
 *     and so are the values of a cell.
 *   - An adversary who runs the method itself on every original finds at least as much.
 *   - Blanks of ambiguate, as published: what is left for each, by filling it with every value.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include "knowing.h"
#include "random_cases.h"

#include <tacit/experimental/ambiguate.h>

enum { CASES = 1500, COUNTED = 700, RERUN = 25, MAX_FILLINGS = 60000, MAX_ORIGINALS = 3000 };

static const char *const METHODS[] = {"local", "optimal", "k-similar"};

/* A random table and its release by a method. */
static void draw_world(known_world *w, uint64_t *random, int method, int most_rows,
                       tacit_metric metric)
{
    char text[1024];
    int64_t k = 2 + next_number(random, 2);
    int rows = (int)k + (int)next_number(random, (uint32_t)(most_rows - k + 1));
    int columns = 1 + (int)next_number(random, KNOWN_COLUMNS);
    known_draw(text, random, rows, columns, 2 + (int)next_number(random, 2));
    known_open(w, text, columns, k);
    if (next_number(random, 8) == 0)
        w->f.attributes[0].least_level = 1;
    const tacit_records_options options = {.k = k, .metric = metric};
    w->by_leaves = metric == TACIT_METRIC_GRANULARITY;
    solve_cells(&w->made, &w->f, METHODS[method], &options);
    known_look(w);
}

static tacit_metric draw_metric(uint64_t *random)
{
    static const tacit_metric metrics[] = {TACIT_METRIC_PREC, TACIT_METRIC_WEIGHTED,
                                           TACIT_METRIC_GRANULARITY, TACIT_METRIC_ENTROPY};
    return metrics[next_number(random, 4)];
}

static void never_rules_out_the_truth(void **state)
{
    uint64_t *seed = *state;
    int proven = 0, best = 0, found = 0;
    for (*seed = 1; *seed <= many_cases(CASES); ++*seed) {
        uint64_t random = *seed;
        known_world w;
        int method = (int)(*seed % 3);
        tacit_metric metric = draw_metric(&random);
        draw_world(&w, &random, method, 12, metric);
        assert_true(known_truth_keeps(&w, false));
        bool counted = metric == TACIT_METRIC_PREC || metric == TACIT_METRIC_GRANULARITY;
        if (w.made.solution->search.proven && counted) {
            assert_true(known_truth_keeps(&w, true));
            proven++;
        } else {
            best += known_truth_keeps(&w, true);
            found++;
        }
        known_close(&w);
    }
    *seed = 0;
    assert_true(proven > 0);
    /* what is known of the best is no matter of course */
    assert_true(best < found);
    if (getenv("TACIT_LONG"))
        print_message("of %d releases that are not proven the best, %d look like it\n", found,
                      best);
}

/* ---- counting ---- */

/* What all fillings of a class say. */
typedef struct filling {
    const known_world *w;
    int members[KNOWN_ROWS], count;
    uint32_t values[KNOWN_COLUMNS][64]; /* that lie in the box */
    int value_count[KNOWN_COLUMNS];
    uint32_t codes[KNOWN_ROWS][KNOWN_COLUMNS];
    bool best;
    double all, left;
    bool seen[KNOWN_COLUMNS][64]; /* in the class's first row */
} filling;

static void list_values(filling *f)
{
    const known_world *w = f->w;
    int row = f->members[0];
    for (int a = 0; a < w->columns; a++) {
        int floor = w->f.attributes[a].least_level, level = w->level[row][a];
        uint32_t codes = tacit_table_distinct(w->f.table, w->f.attributes[a].column);
        for (uint32_t code = 0; code < codes; code++) {
            bool first = true; /* of its value on the floor */
            for (uint32_t other = 0; other < code; other++)
                first &= known_up(w, a, floor, other) != known_up(w, a, floor, code);
            if (first &&
                known_up(w, a, level, code) == known_up(w, a, level, known_code(w, row, a)))
                f->values[a][f->value_count[a]++] = code;
        }
    }
}

static void fill(filling *f, int at)
{
    const known_world *w = f->w;
    if (at == f->count * w->columns) {
        f->all++;
        if (!known_class_keeps(w, f->codes, f->members, f->count, f->best))
            return;
        f->left++;
        for (int a = 0; a < w->columns; a++)
            for (int v = 0; v < f->value_count[a]; v++)
                f->seen[a][v] |= f->values[a][v] == f->codes[0][a];
        return;
    }
    int row = at / w->columns, a = at % w->columns;
    for (int v = 0; v < f->value_count[a]; v++) {
        f->codes[row][a] = f->values[a][v];
        fill(f, at + 1);
    }
}

static bool small_enough(const known_world *w)
{
    double most = 1;
    for (int c = 0; c < w->classes; c++) {
        filling f = {.w = w};
        double ways = 1;
        f.count = known_members(f.members, w, c);
        list_values(&f);
        for (int a = 0; a < w->columns; a++)
            ways *= pow(f.value_count[a], f.count);
        most = ways > most ? ways : most;
    }
    return most <= MAX_FILLINGS;
}

/* What the exhaustive adversary finds, in the form of the verdict. */
static tacit_known count_all(const known_world *w, bool best)
{
    tacit_known k = {0};
    for (int c = 0; c < w->classes; c++) {
        filling f = {.w = w, .best = best};
        f.count = known_members(f.members, w, c);
        list_values(&f);
        fill(&f, 0);
        k.bits_hidden += log2(f.all);
        if (f.left == 0) {
            k.impossible++;
            continue;
        }
        k.bits_gained += log2(f.all / f.left);
        for (int a = 0; a < w->columns; a++) {
            int left = 0;
            for (int v = 0; v < f.value_count[a]; v++)
                left += f.seen[a][v];
            k.certain += left == 1 && f.value_count[a] > 1 ? f.count : 0;
            k.narrowed += left > 1 && left < f.value_count[a] ? f.count : 0;
        }
    }
    return k;
}

static void counts_what_is_left(void **state)
{
    uint64_t *seed = *state;
    int exact = 0, gained = 0, narrowed = 0, more = 0;
    for (*seed = 1; *seed <= many_cases(COUNTED); ++*seed) {
        uint64_t random = *seed * 77;
        known_world w;
        draw_world(&w, &random, (int)(*seed % 3), 9,
                   *seed & 16 ? TACIT_METRIC_GRANULARITY : TACIT_METRIC_PREC);
        if (small_enough(&w)) {
            bool best = *seed & 8; /* also of releases that are not: the counting is the same */
            tacit_known right = count_all(&w, best);
            tacit_known *known =
                known_audit(&w, best ? TACIT_KNOWS_BEST : TACIT_KNOWS_TIGHT,
                            w.by_leaves ? TACIT_KNOWN_COST_LEAVES : TACIT_KNOWN_COST_LEVEL, true);
            assert_true(fabs(known->bits_hidden - right.bits_hidden) < 1e-6);
            if (known->exact && right.impossible == known->impossible)
                assert_true(fabs(known->bits_gained - right.bits_gained) < 1e-6);
            if (right.impossible == 0) {
                assert_int_equal(known->impossible, 0);
                assert_true(known->bits_gained <= right.bits_gained + 1e-6);
                assert_true(known->certain <= right.certain);
                assert_true(known->certain + known->narrowed <= right.certain + right.narrowed);
                more += known->certain + known->narrowed < right.certain + right.narrowed;
            }
            exact += known->exact;
            gained += known->bits_gained > 0;
            narrowed += known->certain + known->narrowed > 0;
            assert_int_equal(known->certain, known->certain_count);
            tacit_known_free(known);
        }
        known_close(&w);
    }
    *seed = 0;
    assert_true(exact > 0 && gained > 0 && narrowed > 0);
    if (getenv("TACIT_LONG"))
        print_message("exact %d, with a gain %d, narrowed %d, by all together %d more\n", exact,
                      gained, narrowed, more);
}

/* ---- the method itself ---- */

/* Originals that lie under a release, told apart by rows, and those of which the method makes
 * it. */
typedef struct rerun {
    const known_world *w;
    const char *method;
    tacit_records_options options;
    char cells[KNOWN_ROWS][KNOWN_COLUMNS][4];
    double all, left;
} rerun;

static bool same_release(const known_world *w, const known_world *other)
{
    for (int r = 0; r < w->rows; r++)
        for (int a = 0; a < w->columns; a++)
            if (!tacit_strview_equal(released_cell(&w->made, &w->f, r, a),
                                     released_cell(&other->made, &other->f, r, a)))
                return false;
    return true;
}

static void try_original(rerun *t)
{
    const known_world *w = t->w;
    char text[1024];
    known_world other;
    strcpy(text, w->columns == 2 ? "a,b\n" : "a\n");
    for (int r = 0; r < w->rows; r++)
        for (int a = 0; a < w->columns; a++)
            sprintf(text + strlen(text), "%s%c", t->cells[r][a], a + 1 < w->columns ? ',' : '\n');
    known_open(&other, text, w->columns, w->k);
    solve_cells(&other.made, &other.f, t->method, &t->options);
    t->all++;
    t->left += same_release(w, &other);
    known_close(&other);
}

static void try_originals(rerun *t, int at)
{
    const known_world *w = t->w;
    if (at == w->rows * w->columns) {
        try_original(t);
        return;
    }
    int row = at / w->columns, a = at % w->columns, level = w->level[row][a];
    uint32_t codes = tacit_table_distinct(w->f.table, w->f.attributes[a].column);
    for (uint32_t code = 0; code < codes; code++) {
        if (known_up(w, a, level, code) != known_up(w, a, level, known_code(w, row, a)))
            continue;
        tacit_strview value = tacit_table_value(w->f.table, w->f.attributes[a].column, code);
        snprintf(t->cells[row][a], 4, "%.*s", (int)value.len, value.bytes);
        try_originals(t, at + 1);
    }
}

static void the_method_itself_says_no_less(void **state)
{
    uint64_t *seed = *state;
    double hidden[3] = {0}, ours[3] = {0}, all[3] = {0};
    int cases[3] = {0};
    for (*seed = 1; *seed <= many_cases(RERUN); ++*seed) {
        uint64_t random = *seed * 191;
        known_world w;
        char text[1024];
        int method = (int)(*seed % 3), rows = 4 + (int)next_number(&random, 4);
        int columns = 1 + (int)next_number(&random, 2);
        rerun t = {.method = METHODS[method], .options = {.k = 2}};
        known_draw(text, &random, rows, columns, 2);
        known_open(&w, text, columns, 2);
        solve_cells(&w.made, &w.f, t.method, &t.options);
        known_look(&w);
        tacit_known *known =
            known_audit(&w, w.made.solution->search.proven ? TACIT_KNOWS_BEST : TACIT_KNOWS_TIGHT,
                        TACIT_KNOWN_COST_LEVEL, true);
        if (exp2(known->bits_hidden) <= MAX_ORIGINALS) {
            t.w = &w;
            try_originals(&t, 0);
            assert_true(fabs(log2(t.all) - known->bits_hidden) < 1e-6);
            assert_true(t.left >= 1);
            assert_true(known->bits_gained <= log2(t.all / t.left) + 1e-6);
            cases[method]++;
            hidden[method] += known->bits_hidden;
            ours[method] += known->bits_gained;
            all[method] += log2(t.all / t.left);
        }
        tacit_known_free(known);
        known_close(&w);
    }
    *seed = 0;
    assert_true(cases[0] + cases[1] + cases[2] > 0);
    for (int m = 0; m < 3 && getenv("TACIT_LONG"); m++)
        print_message(
            "%s: %d releases, %.1f bits hidden, %.1f gained, %.1f by who has the program\n",
            METHODS[m], cases[m], hidden[m], ours[m], all[m]);
}

/* ---- blanks ---- */

/* A release by suppression alone. */
static void draw_blanks(known_world *w, uint64_t *random, bool strict)
{
    static const char *const names[] = {"a", "b", "c"};
    char text[1024];
    const tacit_ambiguate how = {.strict = strict,
                                 .as_published = !strict,
                                 .way = next_number(random, 2) ? TACIT_AMBIGUATE_EXACT
                                                               : TACIT_AMBIGUATE_COVER};
    int rows = 3 + (int)next_number(random, 8);
    *w = (known_world){.k = 2 + next_number(random, 2), .columns = 3};
    known_draw(text, random, rows, 3, 2);
    fixture_open(&w->f, text);
    w->rows = rows;
    for (int a = 0; a < 3; a++)
        fixture_add(&w->f, names[a], &w->specs[a]);
    const tacit_records_options options = {.k = w->k, .ambiguate = &how};
    solve_cells(&w->made, &w->f, "ambiguate", &options);
    known_look(w);
}

static void strict_blanks_are_tight(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(COUNTED); ++*seed) {
        uint64_t random = *seed * 5;
        known_world w;
        draw_blanks(&w, &random, true);
        assert_true(known_truth_keeps(&w, false));
        known_close(&w);
    }
    *seed = 0;
}

static bool is_blank(const known_world *w, int row, int column)
{
    return tacit_strview_equal(released_cell(&w->made, &w->f, row, column),
                               tacit_hierarchy_suppressed());
}

/* Whether every row agrees with k rows, where a cell has a value in place of its blank. */
static bool all_agree(const known_world *w, int row, int column, uint32_t code)
{
    for (int r = 0; r < w->rows; r++) {
        int alpha = 0;
        for (int s = 0; s < w->rows; s++) {
            bool agree = true;
            for (int a = 0; a < w->columns; a++) {
                bool filled = a == column && (r == row || s == row);
                bool open = (is_blank(w, r, a) && !(filled && r == row)) ||
                            (is_blank(w, s, a) && !(filled && s == row));
                uint32_t x = filled && r == row ? code : known_code(w, r, a);
                uint32_t y = filled && s == row ? code : known_code(w, s, a);
                agree &= open || x == y;
            }
            alpha += agree;
        }
        if (alpha < w->k)
            return false;
    }
    return true;
}

static void blanks_are_counted(void **state)
{
    uint64_t *seed = *state;
    int gained = 0;
    for (*seed = 1; *seed <= many_cases(COUNTED); ++*seed) {
        uint64_t random = *seed * 3;
        known_world w;
        draw_blanks(&w, &random, false);
        tacit_known *known = known_audit(&w, TACIT_KNOWS_NEEDED, TACIT_KNOWN_COST_NONE, true);
        double hidden = 0, left_bits = 0;
        for (int r = 0; r < w.rows; r++)
            for (int a = 0; a < w.columns; a++) {
                uint32_t codes = tacit_table_distinct(w.f.table, w.f.attributes[a].column);
                int left = 0;
                for (uint32_t code = 0; code < codes && is_blank(&w, r, a); code++)
                    left += !all_agree(&w, r, a, code);
                if (!is_blank(&w, r, a))
                    continue;
                assert_true(!all_agree(&w, r, a, known_code(&w, r, a)));
                hidden += log2(codes);
                left_bits += log2(left);
            }
        assert_true(fabs(known->bits_hidden - hidden) < 1e-4);
        assert_true(fabs(known->bits_gained - (hidden - left_bits)) < 1e-4);
        gained += known->bits_gained > 0;
        tacit_known_free(known);
        known_close(&w);
    }
    *seed = 0;
    assert_true(gained > 0);
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        random_test(never_rules_out_the_truth, &seed),
        random_test(counts_what_is_left, &seed),
        random_test(the_method_itself_says_no_less, &seed),
        random_test(strict_blanks_are_tight, &seed),
        random_test(blanks_are_counted, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
