/*
 * test_copies_random.c - the tests for copies against slow counts by their definitions, every row
 * against every other, on small random tables with missing values, labels and several spellings of
 * numbers; and releases with known outcomes.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include "relinked.h"

#include <math.h>
#include <stdio.h>
#include <tacit/experimental/audit_copies.h>

#include "base/random.h"
#include "random_cases.h"

enum { CASES = 1500, ROWS = 14, COLUMNS = 4, TEXT = 8 };

static const char *const NAMES[] = {"a", "b", "c", "d"};

/* Cells of both tables: a and c are names, b and d numbers. */
typedef struct small {
    int rows[2];
    char cells[2][ROWS][COLUMNS][TEXT];
} small;

static void draw_cell(char *out, int table, int column, tacit__random *random)
{
    static const char *const LABELS[] = {"*", "1-2", "zz"};
    unsigned value = tacit__random_below(random, column == 1 ? 4 : 3);
    bool missing = tacit__random_below(random, 8) == 0;
    if (missing)
        out[0] = '\0';
    else if (table == 1 && tacit__random_below(random, 10) == 0)
        strcpy(out, LABELS[value % 3]);
    else if (column % 2)
        sprintf(out, tacit__random_below(random, 9) ? "%u" : "%u.0", value);
    else
        sprintf(out, "v%u", value);
}

static void draw(small *s, tacit__random *random)
{
    for (int table = 0; table < 2; table++) {
        s->rows[table] = (int)tacit__random_below(random, ROWS + 1);
        for (int row = 0; row < s->rows[table]; row++)
            for (int column = 0; column < COLUMNS; column++)
                draw_cell(s->cells[table][row][column], table, column, random);
    }
}

static void write_table(char *text, const small *s, int table)
{
    text += sprintf(text, "a,b,c,d,row\n");
    for (int row = 0; row < s->rows[table]; row++) {
        for (int column = 0; column < COLUMNS; column++)
            text += sprintf(text, "%s,", s->cells[table][row][column]);
        text += sprintf(text, "%d\n", row);
    }
}

/* ---- by the definitions ---- */

static bool agree(const small *s, int table, int row, int other, int row_of_other, int columns)
{
    for (int column = 0; column < columns; column++)
        if (strcmp(s->cells[table][row][column], s->cells[other][row_of_other][column]) != 0)
            return false;
    return true;
}

static int agreeing(const small *s, int table, int row, int other, int columns)
{
    int rows = 0;
    for (int i = 0; i < s->rows[other]; i++)
        rows += agree(s, table, row, other, i, columns);
    return rows;
}

static void check_uniques(const small *s, const tacit_copies_uniques *found, int columns)
{
    int unique = 0, replicated = 0, equal = 0;
    for (int row = 0; row < s->rows[0]; row++)
        unique += agreeing(s, 0, row, 0, columns) == 1;
    for (int row = 0; row < s->rows[1]; row++) {
        replicated += agreeing(s, 1, row, 0, columns) == 1;
        equal += agreeing(s, 1, row, 0, columns) > 0;
    }
    assert_int_equal(found->unique, unique);
    assert_int_equal(found->replicated, replicated);
    assert_int_equal(found->equal, equal);
}

/* Of the rows with somebody's keys, but not his own: how many, how many say what he does, and
 * whether they all say the same. */
typedef struct answer {
    int rows, right;
    bool one;
} answer;

static answer ask(const small *s, int person, int table, int keys, int other)
{
    answer a = {0, 0, true};
    const char *first = NULL;
    for (int row = 0; row < s->rows[table]; row++) {
        if ((table == 0 && row == person) || !agree(s, 0, person, table, row, keys))
            continue;
        const char *value = s->cells[table][row][other];
        first = first ? first : value;
        a.rows++;
        a.right += strcmp(value, s->cells[0][person][other]) == 0;
        a.one = a.one && strcmp(value, first) == 0;
    }
    return a;
}

static void check_other(const small *s, const tacit_copies_other *found, int keys, int other)
{
    int reached[2] = {0}, certain[2] = {0}, misled = 0;
    double right[2] = {0}, any = 0;
    for (int person = 0; person < s->rows[0]; person++) {
        for (int table = 0; table < 2; table++) {
            answer a = ask(s, person, table, keys, other);
            reached[table] += a.rows > 0;
            right[table] += a.rows ? (double)a.right / a.rows : 0;
            certain[table] += a.rows > 0 && a.one && a.right > 0;
            misled += table == 1 && a.rows > 0 && a.one && a.right == 0;
        }
        any += s->rows[1] ? (double)ask(s, person, 1, 0, other).right / s->rows[1] : 0;
    }
    assert_int_equal(found->reached, reached[1]);
    assert_int_equal(found->certain, certain[1]);
    assert_int_equal(found->misled, misled);
    assert_int_equal(found->others_reached, reached[0]);
    assert_int_equal(found->others_certain, certain[0]);
    assert_true(fabs(found->right - (reached[1] ? right[1] / reached[1] : 0)) < 1e-9);
    assert_true(fabs(found->others_right - (reached[0] ? right[0] / reached[0] : 0)) < 1e-9);
    assert_true(fabs(found->guess - (s->rows[0] ? any / s->rows[0] : 0)) < 1e-9);
}

/* ---- nearness ---- */

static bool is_numeric(const small *s, int column)
{
    bool any = false;
    for (int row = 0; row < s->rows[0]; row++)
        any |= s->cells[0][row][column][0] != '\0';
    return any && column % 2;
}

/* The share of the original's rows below a number, half of those equal counted. */
static double place(const small *s, int column, const char *text)
{
    char *end;
    double number = strtod(text, &end), below = 0;
    if (!*text || *end)
        return NAN;
    for (int row = 0; row < s->rows[0]; row++) {
        const char *cell = s->cells[0][row][column];
        if (*cell)
            below += atof(cell) < number ? 1 : atof(cell) == number ? 0.5 : 0;
    }
    return below / s->rows[0];
}

static double gap(const small *s, int table, int row, int person)
{
    double sum = 0;
    for (int column = 0; column < COLUMNS; column++) {
        const char *x = s->cells[table][row][column], *y = s->cells[0][person][column];
        double p = is_numeric(s, column) ? place(s, column, x) : NAN;
        double q = is_numeric(s, column) ? place(s, column, y) : NAN;
        if (strcmp(x, y) != 0)
            sum += isnan(p) || isnan(q) ? 1 : fabs(p - q);
    }
    return sum;
}

static double nearest(const small *s, int table, int row)
{
    double least = INFINITY;
    for (int person = 0; person < s->rows[0]; person++)
        if (table == 1 || person != row)
            least = fmin(least, gap(s, table, row, person));
    return least;
}

static void check_nearness(const small *s, const tacit_copies_near *found)
{
    double closer = 0;
    bool any = s->rows[0] >= 3 && s->rows[1] > 0;
    assert_int_equal(found->released, any ? s->rows[1] : 0);
    assert_int_equal(found->original, any ? s->rows[0] : 0);
    if (!any)
        return;
    for (int row = 0; row < s->rows[1]; row++)
        for (int person = 0; person < s->rows[0]; person++) {
            double x = nearest(s, 1, row), y = nearest(s, 0, person);
            closer += fabs(x - y) < 1e-12 ? 0.5 : x < y;
        }
    /* sums in another order may part what is equal */
    assert_true(fabs(found->closer - closer / s->rows[0] / s->rows[1]) < 1e-9);
}

/* ---- cases ---- */

static tacit_copies *measure(const tacit_copies_case *c, int threads)
{
    tacit_copies *found = NULL;
    tacit_copies_options options;
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    tacit_copies_options_init(&options);
    if (tacit_copies_measure(&found, c, &options, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return found;
}

static void test_random(void **state)
{
    uint64_t *seed = *state, cases = many_cases(CASES);
    for (*seed = 1; *seed <= cases; ++*seed) {
        small s;
        char texts[2][ROWS * COLUMNS * TEXT + 64];
        tacit__random random;
        tacit_run run;
        tacit_run_init(&run);
        tacit_run_seed_number(&run, *seed);
        tacit__random_init(&random, &run, "copy", 0);
        draw(&s, &random);
        for (int table = 0; table < 2; table++)
            write_table(texts[table], &s, table);
        tacit_table *original = relinked_table(texts[0], "original.csv");
        tacit_table *release = relinked_table(texts[1], "release.csv");
        int keys = 1 + (int)(*seed % 3);
        const tacit_copies_case c = {original,     release,      NAMES,
                                     (size_t)keys, NAMES + keys, (size_t)(COLUMNS - keys)};
        tacit_copies *found = measure(&c, 1 + (int)(*seed % 2));
        check_uniques(&s, &found->keys, keys);
        check_uniques(&s, &found->all, COLUMNS);
        for (int other = keys; other < COLUMNS; other++)
            check_other(&s, &found->others[other - keys], keys, other);
        check_nearness(&s, &found->near);
        tacit_copies_free(found);
        tacit_table_free(original);
        tacit_table_free(release);
    }
    *seed = 0;
}

/* ---- known outcomes ---- */

enum { MANY = 3000 };

/* Rows drawn from one distribution: three names and two numbers. */
static char *draw_table(uint64_t seed)
{
    char *text = malloc(MANY * 40), *at = text + sprintf(text, "a,b,c,d\n");
    tacit__random random;
    tacit_run run;
    tacit_run_init(&run);
    tacit_run_seed_number(&run, seed);
    tacit__random_init(&random, &run, "copy", 0);
    for (int i = 0; i < MANY; i++) {
        unsigned x = tacit__random_below(&random, 1000);
        at += sprintf(at, "n%u,%u,m%u,%u\n", x / 300, x + tacit__random_below(&random, 200),
                      tacit__random_below(&random, 5), tacit__random_below(&random, 100000));
    }
    return text;
}

static double closer(const char *before, const char *after)
{
    tacit_table *original = relinked_table(before, "original.csv");
    tacit_table *release = relinked_table(after, "release.csv");
    const tacit_copies_case c = {original, release, NAMES, 2, NAMES + 2, 2};
    tacit_copies *found = measure(&c, 2);
    double share = found->near.closer;
    tacit_copies_free(found);
    tacit_table_free(original);
    tacit_table_free(release);
    return share;
}

/* Rows drawn anew are at a half, within six standard errors; copies at one. */
static void test_known(void **state)
{
    (void)state;
    char *one = draw_table(1), *other = draw_table(2);
    assert_true(fabs(closer(one, other) - 0.5) < 6 * sqrt(1.0 / 12 / 2000 * 2));
    assert_true(closer(one, one) > 0.99);
    free(one);
    free(other);
}

static void test_misuse(void **state)
{
    (void)state;
    static const char *const WRONG[] = {"z"};
    tacit_table *table = relinked_table("a,b\n1,2\n", "t.csv");
    tacit_copies_options options;
    tacit_copies_options_init(&options);
    tacit_copies *found = NULL;
    tacit_error err = {0};
    tacit_copies_case c = {table, table, WRONG, 1, NULL, 0};
    assert_int_equal(tacit_copies_measure(&found, &c, &options, NULL, &err), TACIT_INVALID);
    assert_non_null(strstr(err.message, "no column \"z\""));
    c.key_count = 0;
    assert_int_equal(tacit_copies_measure(&found, &c, &options, NULL, &err), TACIT_INVALID);
    assert_null(found);
    tacit_table_free(table);
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {random_test(test_random, &seed),
                                       cmocka_unit_test(test_known), cmocka_unit_test(test_misuse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
