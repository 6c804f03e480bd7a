/*
 * test_audit_masked_random.c - the judge of masked tables against slow checks of every claim, on
 * small random tables that were masked in some way and then, half of them, tampered with in one
 * cell or row; with one thread and with several. And a table of several blocks.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include "masked_case.h"

#include "masked_naive.h"
#include "random_cases.h"

enum { CASES = 4000, CLAIMS = 12, KINDS = sizeof MASKED_KINDS / sizeof *MASKED_KINDS };

static const char *const NAMES[] = {"a", "b", "c", "d"};

/* Two tables as they are written, and what their cells say. */
typedef struct world {
    uint64_t random;
    naive_table before, after;
    char raw[2][NAIVE_ROWS][NAIVE_COLUMNS][NAIVE_TEXT];
    uint32_t origin[NAIVE_ROWS];
    bool rows_changed;
} world;

static uint32_t below(world *w, uint32_t bound)
{
    w->random += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = w->random;
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((x ^ x >> 31) >> 33) % bound;
}

/* A cell of any kind: numbers in several forms, empty, text, text in quotes. */
static void make_cell(world *w, char *out)
{
    static const char *const OTHERS[] = {"", "", "x", "NA", "\"x\"", "\"x, y\"", "\"\"", "\"7\""};
    if (below(w, 4) == 0)
        snprintf(out, NAIVE_TEXT, "%s", OTHERS[below(w, 8)]);
    else if (below(w, 3) == 0)
        snprintf(out, NAIVE_TEXT, "%s%u.%0*u", below(w, 4) ? "" : "-", below(w, 4),
                 (int)below(w, 3) + 1, below(w, 10));
    else
        snprintf(out, NAIVE_TEXT, below(w, 12) ? "%u" : "%ue1", below(w, 5));
}

static void unquote(char *out, const char *raw)
{
    size_t len = tacit_csv_unquote(tacit_strview_of(raw), out, NAIVE_TEXT - 1);
    out[len] = '\0';
}

/* ---- how tables are masked ---- */

static void copy_rows(world *w)
{
    memcpy(w->raw[1], w->raw[0], sizeof w->raw[0]);
    w->after.rows = w->before.rows;
    for (int i = 0; i < NAIVE_ROWS; i++)
        w->origin[i] = (uint32_t)i;
}

static void swap_cells(world *w, int i, int j, int column)
{
    char kept[NAIVE_TEXT];
    memcpy(kept, w->raw[1][i][column], sizeof kept);
    memcpy(w->raw[1][i][column], w->raw[1][j][column], sizeof kept);
    memcpy(w->raw[1][j][column], kept, sizeof kept);
}

/* Columns of a mask shuffled together; with a group, among rows that agree in the last one. */
static void shuffle(world *w, unsigned columns, bool grouped)
{
    for (int i = w->after.rows - 1; i > 0; i--) {
        int j = (int)below(w, (uint32_t)i + 1);
        if (grouped && strcmp(w->raw[1][i][3], w->raw[1][j][3]) != 0)
            continue;
        for (int column = 0; column < NAIVE_COLUMNS; column++)
            if (columns >> column & 1)
                swap_cells(w, i, j, column);
    }
}

static void change_numbers(world *w)
{
    double number;
    for (int i = 0; i < w->after.rows; i++)
        if (naive_number(&number, w->raw[1][i][0]))
            snprintf(w->raw[1][i][0], NAIVE_TEXT, "%.1f", number + below(w, 11) * 0.1 - 0.5);
}

static void change_rows(world *w)
{
    w->rows_changed = true;
    w->after.rows = (int)below(w, NAIVE_ROWS + 1);
    for (int i = 0; i < w->after.rows; i++) {
        uint32_t from = below(w, (uint32_t)w->before.rows + 1);
        bool made_up = from == (uint32_t)w->before.rows;
        w->origin[i] = made_up ? UINT32_MAX : from;
        for (int column = 0; column < NAIVE_COLUMNS; column++)
            if (made_up)
                make_cell(w, w->raw[1][i][column]);
            else
                memcpy(w->raw[1][i][column], w->raw[0][from][column], NAIVE_TEXT);
    }
}

static void mask(world *w)
{
    copy_rows(w);
    switch (below(w, 7)) {
    case 0: shuffle(w, 1 + below(w, 15), false); break;
    case 1: shuffle(w, 1 + below(w, 7), true); break;
    case 2:
        for (int column = 0; column < NAIVE_COLUMNS; column++)
            shuffle(w, 1u << column, below(w, 2));
        break;
    case 3: change_numbers(w); break;
    case 4: change_rows(w); break;
    case 5:
        for (int i = 0; i < w->after.rows; i++)
            snprintf(w->raw[1][i][below(w, 2)], NAIVE_TEXT, "k%d", i / 2);
        break;
    default: break;
    }
    if (w->after.rows && below(w, 2))
        make_cell(w, w->raw[1][below(w, (uint32_t)w->after.rows)][below(w, NAIVE_COLUMNS)]);
    if (w->after.rows && below(w, 8) == 0)
        w->origin[below(w, (uint32_t)w->after.rows)] = below(w, NAIVE_ROWS + 2);
}

static void make_world(world *w, uint64_t seed)
{
    *w = (world){.random = seed};
    w->before.rows = (int)below(w, NAIVE_ROWS + 1);
    for (int i = 0; i < w->before.rows; i++)
        for (int column = 0; column < NAIVE_COLUMNS; column++)
            if (column == 3)
                snprintf(w->raw[0][i][column], NAIVE_TEXT, "%s", below(w, 2) ? "p" : "q");
            else
                make_cell(w, w->raw[0][i][column]);
    mask(w);
    for (int t = 0; t < 2; t++) {
        naive_table *table = t ? &w->after : &w->before;
        for (int i = 0; i < table->rows; i++)
            for (int column = 0; column < NAIVE_COLUMNS; column++)
                unquote(table->cells[i][column], w->raw[t][i][column]);
    }
}

static void write_table(char *out, const world *w, int t)
{
    out += sprintf(out, "a,b,c,d\n");
    for (int i = 0; i < (t ? w->after.rows : w->before.rows); i++)
        for (int column = 0; column < NAIVE_COLUMNS; column++)
            out += sprintf(out, "%s%c", w->raw[t][i][column], column == 3 ? '\n' : ',');
}

/* ---- claims ---- */

static void make_claim(world *w, masked_case *m)
{
    static const double AMOUNTS[] = {0, 0, 0.1, 0.25, 0.5, 1, 2, 3};
    char line[96], columns[16] = "";
    for (unsigned set = 1 + below(w, 15), i = 0; i < NAIVE_COLUMNS; i++)
        if (set >> i & 1)
            sprintf(columns + strlen(columns), "%s%s", *columns ? "," : "", NAMES[i]);
    snprintf(line, sizeof line, "%s columns=%s%s amount=%g low=%d high=%d",
             MASKED_KINDS[below(w, KINDS)], columns, below(w, 3) ? "" : " within=d",
             AMOUNTS[below(w, 8)], (int)below(w, 3) - 2, (int)below(w, 20));
    masked_claim(m, line);
}

static bool about(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return a == b || fabs(a - b) < 1e-6 * (1 + fabs(b));
}

static void check_claims(const world *w, const masked_case *m, const tacit_masked_verdict *v)
{
    for (size_t i = 0; i < m->c.kept_count; i++) {
        naive_claim n = {&w->before, &w->after, w->origin, &m->kept[i]};
        naive_verdict expected = naive_hear(&n);
        assert_true(v->claims[i].checked);
        if (!about(v->claims[i].measured, expected.measured) ||
            (v->claims[i].holds != expected.holds && !expected.close))
            fail_msg("%s: %g instead of %g, %d instead of %d", m->texts[i], v->claims[i].measured,
                     expected.measured, v->claims[i].holds, expected.holds);
    }
}

/* ---- rows and bytes ---- */

static bool has_finding(const tacit_masked_verdict *v, int kind, const char *column)
{
    for (size_t i = 0; i < v->finding_count; i++)
        if ((int)v->findings[i].kind == kind &&
            (!column || strcmp(v->findings[i].column, column) == 0))
            return true;
    return false;
}

static bool rows_are_wrong(const world *w)
{
    int seen[NAIVE_ROWS] = {0};
    bool wrong = false;
    for (int i = 0; i < w->after.rows; i++) {
        bool known = w->origin[i] < (uint32_t)w->before.rows;
        wrong |= !known && (!w->rows_changed || w->origin[i] != UINT32_MAX);
        if (known)
            seen[w->origin[i]]++;
    }
    for (int i = 0; i < w->before.rows && !w->rows_changed; i++)
        wrong |= seen[i] != 1;
    return wrong;
}

static void check_rest(const world *w, const masked_case *m, const tacit_masked_verdict *v)
{
    int64_t all = 0, compared = 0;
    assert_int_equal(has_finding(v, TACIT_MASKED_ROWS, NULL), rows_are_wrong(w));
    assert_false(has_finding(v, TACIT_MASKED_HEADER, NULL));
    for (int column = 0; column < NAIVE_COLUMNS; column++) {
        int64_t changed = 0;
        bool filled = false, touched = column == 0 && m->c.touched_count > 0;
        for (int i = 0; i < w->after.rows; i++) {
            bool known = w->origin[i] < (uint32_t)w->before.rows;
            compared += known;
            if (known)
                changed += strcmp(w->raw[1][i][column], w->raw[0][w->origin[i]][column]) != 0;
            else
                filled |= *w->after.cells[i][column] != '\0';
        }
        all += changed;
        assert_int_equal(has_finding(v, TACIT_MASKED_BYTES, NAMES[column]),
                         !touched && (changed > 0 || filled));
        if (touched)
            assert_int_equal(v->columns[0].changed, changed);
    }
    assert_int_equal(v->cells_compared, compared);
    assert_int_equal(v->cells_changed, all);
}

static void same_verdict(const tacit_masked_verdict *a, const tacit_masked_verdict *b)
{
    assert_int_equal(a->finding_count, b->finding_count);
    for (size_t i = 0; i < a->finding_count; i++) {
        assert_int_equal(a->findings[i].row, b->findings[i].row);
        assert_int_equal(a->findings[i].claim, b->findings[i].claim);
        assert_ptr_equal(a->findings[i].what, b->findings[i].what);
    }
    for (size_t i = 0; i < a->claim_count; i++)
        assert_true(a->claims[i].measured == b->claims[i].measured ||
                    (isnan(a->claims[i].measured) && isnan(b->claims[i].measured)));
}

static void test_random(void **state)
{
    uint64_t *seed = *state;
    uint64_t cases = many_cases(CASES);
    world *w = malloc(sizeof *w);
    for (*seed = 1; *seed <= cases; ++*seed) {
        char texts[2][NAIVE_ROWS * NAIVE_COLUMNS * NAIVE_TEXT + 64];
        masked_case m;
        make_world(w, *seed);
        for (int t = 0; t < 2; t++)
            write_table(texts[t], w, t);
        masked_case_init(&m, texts[0], texts[1], below(w, 2) ? "a" : "", "");
        m.c.rows_changed = w->rows_changed;
        m.c.origin = w->origin;
        for (int i = 0; i < CLAIMS; i++)
            make_claim(w, &m);
        tacit_masked_verdict *one = masked_judge(&m, 1), *more = masked_judge(&m, 3);
        check_claims(w, &m, one);
        check_rest(w, &m, one);
        same_verdict(one, more);
        tacit_masked_verdict_free(one);
        tacit_masked_verdict_free(more);
        masked_case_clear(&m);
    }
    free(w);
    *seed = 0;
}

/* Rows of several blocks, the numbers of the last ones changed: what is found does not depend on
 * threads, and is found where it is. */
static void test_large(void **state)
{
    enum { ROWS = 60000, CHANGED = 59000, ROW_BYTES = 40 };
    char *texts[2] = {malloc(ROWS * ROW_BYTES), malloc(ROWS * ROW_BYTES)};
    uint32_t *origin = malloc(ROWS * sizeof *origin);
    masked_case *m = calloc(1, sizeof *m);
    (void)state;
    for (int t = 0; t < 2; t++) {
        char *at = texts[t] + sprintf(texts[t], "a,b,c,d\n");
        for (int i = 0; i < ROWS; i++) {
            int more = t && i >= CHANGED;
            at += sprintf(at, "%d,%d.%d,%d,%c\n", i % 1000 + more, i / 7, i % 10, i + more * ROWS,
                          'p' + i % 5);
        }
    }
    for (uint32_t i = 0; i < ROWS; i++)
        origin[i] = i;
    m->c = (tacit_masked_case){
        .original = masked_table(texts[0]), .masked = masked_table(texts[1]), .origin = origin};
    for (int kind = 0; kind < 11; kind++)
        for (int within = 0; within < 2; within++) {
            char line[96];
            snprintf(line, sizeof line, "%s columns=a,c%s high=59999", MASKED_KINDS[kind],
                     within ? " within=d" : "");
            masked_claim(m, line);
        }
    tacit_masked_verdict *one = masked_judge(m, 1);
    assert_int_equal(one->cells_changed, 2 * (ROWS - CHANGED));
    for (size_t i = 0; i < one->finding_count; i++) /* null maps are broken from the start */
        assert_true(one->findings[i].row == 0 || one->findings[i].row == CHANGED + 1 ||
                    one->findings[i].row == 1);
    assert_float_equal(one->claims[4].measured, (ROWS - CHANGED) * (double)ROWS, 0); /* sum: c */
    assert_float_equal(one->claims[5].measured, (ROWS - CHANGED) / 5 * (double)ROWS, 0);
    assert_float_equal(one->claims[10].measured, ROWS, 0); /* near: c */
    assert_float_equal(one->claims[18].measured, ROWS, 0); /* range: c */
    for (int threads = 2; threads <= 7; threads += 5) {
        tacit_masked_verdict *more = masked_judge(m, threads);
        same_verdict(one, more);
        tacit_masked_verdict_free(more);
    }
    tacit_masked_verdict_free(one);
    masked_case_clear(m);
    free(m);
    free(origin);
    for (int t = 0; t < 2; t++)
        free(texts[t]);
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {random_test(test_random, &seed),
                                       cmocka_unit_test(test_large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
