/*
 * test_hierarchy_gaps_random.c - thousands of random files of a few values: a file has no gap but
 * unused values exactly if the reader takes it for the column; completing a sound one mends all;
 * what is made of any hierarchy is the same hierarchy again; and groups hold what their definition
 * says, each pair of values looked at.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "hierarchy/gaps.h"
#include "hierarchy_support.h"

enum { GAP_ROUNDS = 20000 };

static const char *const WORDS[] = {"a", "b", "c", "x", "y", "*", "", "\"q;\"\"\""};

static values_table random_values(tacit__random *random)
{
    static const char *const DATA[] = {"a", "b", "c", "x", "y", "", "q;\"", "*"};
    const char *values[5];
    size_t count = 1 + tacit__random_below(random, 5);
    for (size_t i = 0; i < count; i++)
        values[i] = DATA[tacit__random_below(random, 8)];
    return values_table_new(values, count);
}

/* Mostly rows of one length that end in *: or most files would be hopeless. */
static void random_file(char *out, size_t size, tacit__random *random)
{
    size_t used = 0, fields = 2 + tacit__random_below(random, 3);
    size_t rows = 1 + tacit__random_below(random, 5);
    for (size_t r = 0; r < rows; r++) {
        size_t count =
            tacit__random_below(random, 12) ? fields : 1 + tacit__random_below(random, 4);
        for (size_t i = 0; i < count; i++) {
            const char *word = i + 1 == count && tacit__random_below(random, 10)
                                   ? "*"
                                   : WORDS[tacit__random_below(random, 8)];
            used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ";" : "", word);
        }
        used += (size_t)snprintf(out + used, size - used, "\n");
    }
}

static bool is_taken(tacit_hierarchy **out, const char *file, const values_table *values)
{
    tacit_hierarchy_spec spec = {0};
    return tacit__hierarchy_from_bytes(out, tacit_strview_of(file), "h.csv", &spec, values->table,
                                       VALUES_COLUMN, NULL) == TACIT_OK;
}

static void check_same(const tacit_hierarchy *a, const tacit_hierarchy *b, const tacit_table *table)
{
    uint32_t distinct = tacit_table_distinct(table, VALUES_COLUMN);
    assert_null(hierarchy_problem(b, table, VALUES_COLUMN));
    if (tacit_hierarchy_height(a) > 1)
        assert_int_equal(tacit_hierarchy_height(a), tacit_hierarchy_height(b));
    for (int level = 1; level < tacit_hierarchy_height(a); level++)
        for (uint32_t code = 0; code < distinct; code++)
            assert_true(tacit_strview_equal(
                tacit_hierarchy_label(a, level, tacit_hierarchy_map(a, level)[code]),
                tacit_hierarchy_label(b, level, tacit_hierarchy_map(b, level)[code])));
}

static void check_again(const tacit_hierarchy *h, const values_table *values)
{
    char *csv = NULL;
    tacit_hierarchy *again = NULL;
    if (tacit_table_distinct(values->table, VALUES_COLUMN) == 0)
        return;
    assert_int_equal(tacit_hierarchy_text(&csv, h, NULL), TACIT_OK);
    assert_true(is_taken(&again, csv, values));
    check_same(h, again, values->table);
    tacit_hierarchy_free(again);
    tacit_text_free(csv);
}

static void check_file(const char *file, const values_table *values, int outcomes[3])
{
    tacit_hierarchy_gaps *gaps = NULL;
    tacit_hierarchy *h = NULL;
    char *csv = NULL;
    assert_int_equal(tacit__gaps_of_bytes(&gaps, tacit_strview_of(file), "h.csv", values->table,
                                          VALUES_COLUMN, NULL),
                     TACIT_OK);
    int64_t harmful = gaps->count - gaps->of_kind[TACIT_GAP_UNUSED];
    int64_t lacking = gaps->of_kind[TACIT_GAP_LACKING] + gaps->of_kind[TACIT_GAP_ABOVE];
    bool taken = is_taken(&h, file, values);
    assert_int_equal(taken, harmful == 0);
    outcomes[taken ? 0 : harmful == lacking ? 1 : 2]++;
    if (taken)
        check_again(h, values);
    tacit_hierarchy_free(h);
    h = NULL;
    tacit_status status = tacit__complete_bytes(&csv, tacit_strview_of(file), "h.csv",
                                                values->table, VALUES_COLUMN, NULL);
    if (harmful > lacking)
        assert_true(status != TACIT_OK);
    if (status == TACIT_OK) {
        assert_true(is_taken(&h, csv, values));
        assert_null(hierarchy_problem(h, values->table, VALUES_COLUMN));
    }
    tacit_hierarchy_free(h);
    tacit_text_free(csv);
    tacit_hierarchy_gaps_free(gaps);
}

static void test_files(void **state)
{
    (void)state;
    tacit_run run;
    tacit__random random;
    int outcomes[3] = {0};
    tacit_run_init(&run);
    tacit_run_seed_number(&run, 28);
    tacit__random_init(&random, &run, "test", 0);
    for (int round = 0; round < GAP_ROUNDS; round++) {
        char file[512];
        values_table values = random_values(&random);
        random_file(file, sizeof file, &random);
        check_file(file, &values, outcomes);
        values_table_free(&values);
    }
    print_message("%d taken, %d lack values, %d faulty\n", outcomes[0], outcomes[1], outcomes[2]);
    for (int i = 0; i < 3; i++)
        assert_true(outcomes[i] > GAP_ROUNDS / 100);
}

static void test_rules(void **state)
{
    static const char *const RULES[] = {"none", "mask:right", "mask:left", "interval:0/5,10",
                                        "standard:age"};
    (void)state;
    tacit_run run;
    tacit__random random;
    tacit_run_init(&run);
    tacit_run_seed_number(&run, 29);
    tacit__random_init(&random, &run, "test", 0);
    for (int round = 0; round < 500; round++) {
        char text[12][8];
        const char *numbers[12];
        for (int i = 0; i < 12; i++) {
            snprintf(text[i], sizeof text[i], "%d", (int)tacit__random_below(&random, 120));
            numbers[i] = i ? text[i] : "";
        }
        values_table values = values_table_new(numbers, 12);
        for (size_t r = 0; r < sizeof RULES / sizeof *RULES; r++) {
            tacit_hierarchy_spec spec = {0};
            tacit_hierarchy *h = NULL;
            assert_int_equal(tacit_hierarchy_spec_parse(&spec, RULES[r], NULL, NULL), TACIT_OK);
            assert_int_equal(tacit_hierarchy_new(&h, &spec, values.table, VALUES_COLUMN, NULL),
                             TACIT_OK);
            check_again(h, &values);
            tacit_hierarchy_free(h);
        }
        values_table_free(&values);
    }
}

/* ---- groups ---- */

/* The length of the first n words, or 0, one character after the other. */
static size_t words_length(const char *text, int n)
{
    size_t end = 0;
    for (size_t i = 0; text[i]; i++) {
        bool word = isalnum((unsigned char)text[i]),
             before = i && isalnum((unsigned char)text[i - 1]);
        if (word && !before && n-- == 0)
            return end;
        if (word)
            end = i + 1;
    }
    return n <= 0 ? end : 0;
}

static bool begins_alike(const char *a, const char *b, int n)
{
    size_t x = words_length(a, n), y = words_length(b, n);
    return x && x == y && memcmp(a, b, x) == 0;
}

static void terminate(char out[32], tacit_strview text)
{
    snprintf(out, 32, "%.*s", (int)text.len, text.bytes);
}

/* The pairs that the levels join, in the order of the levels, must be those that n words join for
 * some n, or that a number of rows does: a bit a pair of codes. */
typedef struct joined {
    uint64_t bits[8];
    int count;
} joined;

static uint64_t pair_bit(uint32_t a, uint32_t b)
{
    return UINT64_C(1) << (a * 8 + b);
}

/* Kept unless it joins nothing anew, or everything. */
static void keep_level(joined *all, uint64_t bits, uint32_t distinct)
{
    uint64_t whole = 0, last = all->count ? all->bits[all->count - 1] : 0;
    for (uint32_t a = 0; a < distinct; a++)
        for (uint32_t b = 0; b < a; b++)
            whole |= pair_bit(a, b);
    if (bits != last && bits != whole)
        all->bits[all->count++] = bits;
}

static joined expected_by_name(const tacit_table *table)
{
    uint32_t distinct = tacit_table_distinct(table, VALUES_COLUMN);
    joined all = {{0}, 0};
    for (int n = 4; n > 0; n--) {
        uint64_t bits = all.count ? all.bits[all.count - 1] : 0;
        for (uint32_t a = 0; a < distinct; a++)
            for (uint32_t b = 0; b < a; b++) {
                char x[32], y[32];
                terminate(x, tacit_table_value(table, VALUES_COLUMN, a));
                terminate(y, tacit_table_value(table, VALUES_COLUMN, b));
                if (begins_alike(x, y, n))
                    bits |= pair_bit(a, b);
            }
        keep_level(&all, bits, distinct);
    }
    return all;
}

static joined expected_by_frequency(const tacit_table *table)
{
    uint32_t distinct = tacit_table_distinct(table, VALUES_COLUMN);
    tacit_codes_view codes = tacit_table_codes(table, VALUES_COLUMN);
    int64_t rows[16] = {0};
    joined all = {{0}, 0};
    for (int64_t row = 0; row < tacit_table_rows(table); row++)
        rows[tacit_codes_at(codes, row)]++;
    for (int64_t number = 2; number <= 4; number += 2) {
        uint64_t bits = 0;
        for (uint32_t a = 0; a < distinct; a++)
            for (uint32_t b = 0; b < a; b++)
                if (rows[a] < number && rows[b] < number)
                    bits |= pair_bit(a, b);
        keep_level(&all, bits, distinct);
    }
    return all;
}

static void check_groups(const char *by, const joined *expected, const values_table *values)
{
    tacit_hierarchy *h = NULL;
    uint32_t distinct = tacit_table_distinct(values->table, VALUES_COLUMN);
    assert_int_equal(tacit_hierarchy_group(&h, by, values->table, VALUES_COLUMN, NULL), TACIT_OK);
    assert_null(hierarchy_problem(h, values->table, VALUES_COLUMN));
    assert_int_equal(tacit_hierarchy_height(h), expected->count + 1);
    for (int level = 1; level <= expected->count; level++) {
        const uint32_t *map = tacit_hierarchy_map(h, level);
        for (uint32_t a = 0; a < distinct; a++)
            for (uint32_t b = 0; b < a; b++)
                assert_int_equal(map[a] == map[b],
                                 (expected->bits[level - 1] & pair_bit(a, b)) != 0);
    }
    check_again(h, values);
    tacit_hierarchy_free(h);
}

static void test_groups(void **state)
{
    static const char *const PIECES[] = {"a", "b", "aa", " ", "-", ", ", "", "a "};
    (void)state;
    tacit_run run;
    tacit__random random;
    int grouped = 0;
    tacit_run_init(&run);
    tacit_run_seed_number(&run, 30);
    tacit__random_init(&random, &run, "test", 0);
    for (int round = 0; round < GAP_ROUNDS; round++) {
        char text[8][32];
        const char *chosen[16];
        for (int i = 0; i < 8; i++) {
            text[i][0] = '\0';
            for (int piece = 0; piece < 7; piece++)
                strcat(text[i], PIECES[tacit__random_below(&random, 8)]);
        }
        for (int i = 0; i < 16; i++)
            chosen[i] = text[tacit__random_below(&random, 8)];
        values_table values = values_table_new(chosen, 16);
        joined names = expected_by_name(values.table);
        joined rare = expected_by_frequency(values.table);
        check_groups("name", &names, &values);
        check_groups("frequency:2,4", &rare, &values);
        grouped += names.count > 1 && rare.count > 0;
        values_table_free(&values);
    }
    print_message("%d grouped in both ways\n", grouped);
    assert_true(grouped > GAP_ROUNDS / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files), cmocka_unit_test(test_rules),
                                       cmocka_unit_test(test_groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
