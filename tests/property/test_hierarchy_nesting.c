/*
 * test_hierarchy_nesting.c - thousands of random columns: every rule and file
 * gives levels that nest and end in one value, and the labels agree with what
 * a plain reading of the rule says of each value alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "hierarchy_support.h"

enum { ROUNDS = 1500, MAX = 40, SIZE = 48 };

typedef struct column {
    char text[MAX][SIZE];
    const char *values[MAX];
    size_t count;
} column;

static tacit__random source_of_numbers(uint64_t seed)
{
    static tacit_run run;
    tacit_run_init(&run);
    tacit_run_seed_number(&run, seed);
    tacit__random random;
    tacit__random_init(&random, &run, "test", 0);
    return random;
}

static void start_column(column *out, tacit__random *random)
{
    out->count = 1 + tacit__random_below(random, MAX);
    for (size_t i = 0; i < MAX; i++)
        out->values[i] = out->text[i];
}

static tacit_hierarchy *bind(const column *from, values_table *values, const char *rule)
{
    tacit_hierarchy_spec spec = {0};
    tacit_hierarchy *h = NULL;
    tacit_error err = {0};
    *values = values_table_new(from->values, from->count);
    assert_int_equal(tacit_hierarchy_spec_parse(&spec, rule, NULL, &err), TACIT_OK);
    tacit_hierarchy_new(&h, &spec, values->table, VALUES_COLUMN, &err);
    assert_string_equal(err.message, "");
    assert_null(hierarchy_problem(h, values->table, VALUES_COLUMN));
    return h;
}

static void unbind(tacit_hierarchy *h, values_table *values)
{
    tacit_hierarchy_free(h);
    values_table_free(values);
}

static void ground(char *out, const values_table *values, uint32_t code)
{
    tacit_strview text = tacit_table_value(values->table, VALUES_COLUMN, code);
    snprintf(out, SIZE, "%.*s", (int)text.len, text.bytes);
}

/* What masking the last (first) places of a value, filled up to n, must give. */
static void masked(char *out, const char *value, size_t n, size_t level, bool left)
{
    size_t len = strlen(value), blanks = n - len;
    if (level == n) {
        strcpy(out, "*");
        return;
    }
    strcpy(out, value);
    if (level < blanks || level == 0)
        return;
    size_t stars = level - blanks;
    memset(left ? out : out + len - stars, '*', stars);
    if (left)
        memmove(out + blanks, out, len + 1);
    memset(left ? out : out + len, '*', blanks);
    out[n] = '\0';
}

static void masks(void **state)
{
    (void)state;
    tacit__random random = source_of_numbers(1);
    for (int round = 0; round < ROUNDS; round++) {
        column made;
        start_column(&made, &random);
        size_t n = 0;
        uint32_t longest = 1 + tacit__random_below(&random, 6);
        for (size_t i = 0; i < made.count; i++) {
            size_t len = 1 + tacit__random_below(&random, longest);
            for (size_t j = 0; j < len; j++)
                made.text[i][j] = "01a*"[tacit__random_below(&random, 4)];
            made.text[i][len] = '\0';
            n = len > n ? len : n;
        }
        bool left = round % 2;
        values_table values;
        tacit_hierarchy *h = bind(&made, &values, left ? "mask:left" : "mask:right");
        assert_int_equal(tacit_hierarchy_height(h), n);
        for (uint32_t c = 0; c < tacit_table_distinct(values.table, VALUES_COLUMN); c++)
            for (size_t level = 0; level <= n; level++) {
                char value[SIZE], expected[SIZE], got[SIZE];
                ground(value, &values, c);
                masked(expected, value, n, level, left);
                assert_string_equal(label_of(h, (int)level, c, got, sizeof got), expected);
            }
        unbind(h, &values);
    }
}

static void intervals(void **state)
{
    (void)state;
    tacit__random random = source_of_numbers(2);
    for (int round = 0; round < ROUNDS; round++) {
        column made;
        start_column(&made, &random);
        int origin = (int)tacit__random_below(&random, 41) - 20;
        int width = 2 + (int)tacit__random_below(&random, 9), times = 2 + round % 3;
        for (size_t i = 0; i < made.count; i++)
            sprintf(made.text[i], "%d.%s", (int)tacit__random_below(&random, 2001) - 1000,
                    round % 2 ? "" : "50");
        char rule[64];
        sprintf(rule, "interval:%d/%d,%d", origin, width, width * times);
        values_table values;
        tacit_hierarchy *h = bind(&made, &values, rule);
        assert_int_equal(tacit_hierarchy_height(h), 3);
        for (uint32_t c = 0; c < tacit_table_distinct(values.table, VALUES_COLUMN); c++)
            for (int level = 1; level <= 2; level++) {
                char value[SIZE], got[64];
                ground(value, &values, c);
                label_of(h, level, c, got, sizeof got);
                double low, high, number = strtod(value, NULL);
                bool whole = round % 2;
                const char *form = !whole              ? "[%lf, %lf)"
                                   : strstr(got, "to") ? "%lf to %lf"
                                                       : "%lf-%lf";
                assert_int_equal(sscanf(got, form, &low, &high), 2);
                high += whole;
                assert_true(low <= number && number < high);
                int expected = level == 1 ? width : width * times;
                assert_true(high - low == expected);
                assert_int_equal(((int)low - origin) % expected, 0);
            }
        unbind(h, &values);
    }
}

static void dates(void **state)
{
    (void)state;
    const char *forms[] = {"%04d-%02d-%02d", "%04d%02d%02d", "%04d/%d/%d"};
    const char *names[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    tacit__random random = source_of_numbers(3);
    for (int round = 0; round < ROUNDS; round++) {
        column made;
        char expected[MAX][4][SIZE];
        start_column(&made, &random);
        for (size_t i = 0; i < made.count; i++) {
            int year = 1930 + (int)tacit__random_below(&random, 100);
            int month = 1 + (int)tacit__random_below(&random, 12);
            int day = 1 + (int)tacit__random_below(&random, 28);
            switch (tacit__random_below(&random, 7)) {
            case 0: sprintf(made.text[i], "%d/%d/%02d", month, day, year % 100); break;
            case 1: sprintf(made.text[i], "%d.%d.%d", day, month, year); break;
            case 2: sprintf(made.text[i], "%s %d, %d", names[month - 1], day, year); break;
            case 3: sprintf(made.text[i], "%d %s %d", day, names[month - 1], year); break;
            default: sprintf(made.text[i], forms[i % 3], year, month, day); break;
            }
            sprintf(expected[i][0], "%d-%02d", year, month);
            sprintf(expected[i][1], "%d", year);
            sprintf(expected[i][2], "%d-%d", year / 5 * 5, year / 5 * 5 + 4);
            sprintf(expected[i][3], "%d-%d", year / 10 * 10, year / 10 * 10 + 9);
        }
        values_table values;
        tacit_hierarchy *h = bind(&made, &values, "date:month-first");
        assert_int_equal(tacit_hierarchy_height(h), 5);
        tacit_codes_view codes = tacit_table_codes(values.table, VALUES_COLUMN);
        for (size_t row = 0; row < made.count; row++)
            for (int level = 1; level <= 4; level++) {
                char got[SIZE];
                label_of(h, level, tacit_codes_at(codes, (int64_t)row), got, sizeof got);
                assert_string_equal(got, expected[row][level - 1]);
            }
        unbind(h, &values);
    }
}

enum { LEAVES = 30, LEVELS = 4 };

/* A random tree over LEAVES leaves as parents on each level, written in the
 * three forms of files; all must say the same. */
static void files(void **state)
{
    (void)state;
    tacit__random random = source_of_numbers(4);
    for (int round = 0; round < ROUNDS; round++) {
        int parent[LEVELS][LEAVES], width[LEVELS] = {LEAVES, 10, 4, 1};
        for (int level = 0; level + 1 < LEVELS; level++)
            for (int i = 0; i < width[level]; i++) /* every node above gets a child */
                parent[level][i] =
                    i < width[level + 1]
                        ? i
                        : (int)tacit__random_below(&random, (uint32_t)width[level + 1]);
        char text[3][8192];
        size_t len[3] = {0};
        for (int i = 0; i < LEAVES; i++) {
            int b = parent[0][i], c = parent[1][b];
            len[0] += (size_t)sprintf(text[0] + len[0], "a%d;b%d;c%d;d0\n", i, b, c);
            len[1] += (size_t)sprintf(text[1] + len[1], "a%d,b%d\n", i, b);
        }
        for (int level = 1; level + 1 < LEVELS; level++)
            for (int i = 0; i < width[level]; i++)
                len[1] += (size_t)sprintf(text[1] + len[1], "%c%d,%c%d\n", 'a' + level, i,
                                          'b' + level, parent[level][i]);
        len[2] += (size_t)sprintf(text[2], "@;d0\n");
        for (int c = 0; c < width[2]; c++) {
            len[2] += (size_t)sprintf(text[2] + len[2], "@@;c%d\n", c);
            for (int b = 0; b < width[1]; b++) {
                if (parent[1][b] != c)
                    continue;
                len[2] += (size_t)sprintf(text[2] + len[2], "@@@;b%d\n", b);
                for (int a = 0; a < LEAVES; a++)
                    if (parent[0][a] == b)
                        len[2] += (size_t)sprintf(text[2] + len[2], "@@@@;a%d\n", a);
            }
        }
        column made;
        start_column(&made, &random);
        for (size_t i = 0; i < made.count; i++)
            sprintf(made.text[i], "a%u", tacit__random_below(&random, LEAVES));
        values_table values = values_table_new(made.values, made.count);
        for (int form = 0; form < 3; form++) {
            tacit_hierarchy_spec spec = {.no_suppression = true};
            tacit_hierarchy *h = NULL;
            assert_int_equal(tacit__hierarchy_from_bytes(&h, (tacit_strview){text[form], len[form]},
                                                         "h", &spec, values.table, VALUES_COLUMN,
                                                         NULL),
                             TACIT_OK);
            assert_null(hierarchy_problem(h, values.table, VALUES_COLUMN));
            assert_int_equal(tacit_hierarchy_height(h), LEVELS - 1);
            assert_int_equal(tacit_hierarchy_leaves(h), LEAVES);
            for (uint32_t code = 0; code < tacit_table_distinct(values.table, VALUES_COLUMN);
                 code++) {
                char value[SIZE], expected[SIZE], got[SIZE];
                ground(value, &values, code);
                int node = atoi(value + 1);
                for (int level = 1; level < LEVELS; level++) {
                    node = parent[level - 1][node];
                    sprintf(expected, "%c%d", 'a' + level, node);
                    assert_string_equal(label_of(h, level, code, got, sizeof got), expected);
                }
            }
            tacit_hierarchy_free(h);
        }
        values_table_free(&values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks),
        cmocka_unit_test(intervals),
        cmocka_unit_test(dates),
        cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
