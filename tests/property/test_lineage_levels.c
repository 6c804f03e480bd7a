/*
 * test_lineage_levels.c - a lineage says of the labels of all levels what the hierarchy they come
 * from says: over random columns, a label holds a value just if it is what the value becomes on
 * some level, and of two labels one holds the other just if some value becomes both, the
 * lower level first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "hierarchy_support.h"
#include "lineage_support.h"
#include "random_cases.h"

enum { MAX = 24, SIZE = 24 };

typedef struct column {
    char text[MAX][SIZE];
    const char *values[MAX];
    size_t count;
} column;

static const char FILE_RULE[] =
    "a;ab;abc;r\nb;ab;abc;r\nc;c;abc;r\nd;de;def;r\ne;de;def;r\nf;f;f;r\n";

static void draw_value(char *out, const char *rule, tacit__random *random)
{
    unsigned n = (unsigned)tacit__random_below(random, 4000);
    if (strchr(rule, '\n'))
        snprintf(out, SIZE, "%c", 'a' + (int)(n % 6));
    else if (rule[0] == 'm')
        snprintf(out, SIZE, "%0*u", 1 + (int)(n % 4), n % 120);
    else if (rule[0] == 'i')
        snprintf(out, SIZE, "%d", (int)(n % 90) - 30);
    else if (strchr(rule, ':') && n % 3 == 0)
        snprintf(out, SIZE, "%u-%02u-%02uT%02u:0%u", 1955 + n % 20, 1 + n % 12, 1 + n % 3,
                 n / 100 % 24, n % 10);
    else if (n % 5 == 0)
        snprintf(out, SIZE, "%u-%02u", 1955 + n % 20, 1 + n % 12);
    else
        snprintf(out, SIZE, "%u-%02u-%02u", 1955 + n % 20, 1 + n % 3, 1 + n % 28);
}

static void draw(column *out, const char *rule, tacit__random *random)
{
    out->count = 1 + tacit__random_below(random, MAX);
    for (size_t i = 0; i < out->count; i++) {
        draw_value(out->text[i], rule, random);
        out->values[i] = out->text[i];
    }
}

/* Of a value of the column: its label on a level, as a source of the lineage numbers it. */
typedef struct rungs {
    const tacit_hierarchy *hierarchy;
    tacit_strview labels[MAX * TACIT_MAX_LEVELS];
    uint32_t count;
} rungs;

static void gather(rungs *out, const tacit_hierarchy *h, uint32_t distinct)
{
    out->hierarchy = h;
    for (int level = 0; level <= tacit_hierarchy_height(h); level++)
        for (uint32_t code = 0; code < distinct; code++)
            out->labels[out->count++] =
                tacit_hierarchy_label(h, level, tacit_hierarchy_map(h, level)[code]);
}

/* Whether the label on one rung is what the value of another becomes. */
static bool becomes(const rungs *r, uint32_t distinct, uint32_t value, uint32_t rung)
{
    for (uint32_t i = value; i < r->count; i += distinct)
        if (tacit_strview_equal(r->labels[i], r->labels[rung]))
            return true;
    return false;
}

static void check(const tacit_lineage *lineage, const rungs *r, uint32_t distinct)
{
    const uint32_t *values = tacit_lineage_nodes(lineage, 0),
                   *nodes = tacit_lineage_nodes(lineage, 1);
    const uint32_t *ends = tacit_lineage_ends(lineage);
    for (uint32_t value = 0; value < distinct; value++)
        for (uint32_t rung = 0; rung < r->count; rung++) {
            bool holds = tacit_lineage_holds(ends, nodes[rung], values[value]);
            assert_int_equal(holds, becomes(r, distinct, value, rung));
        }
    for (uint32_t a = 0; a < r->count; a++)
        for (uint32_t b = 0; b < r->count; b++) {
            bool share = false;
            for (uint32_t value = 0; value < distinct; value++)
                share |= becomes(r, distinct, value, a) && becomes(r, distinct, value, b);
            assert_int_equal(tacit_lineage_agree(ends, nodes[a], nodes[b]), share);
            if (share && a / distinct > b / distinct)
                assert_true(nodes[a] <= nodes[b]);
        }
}

static void test_levels(void **state)
{
    static const char *const RULES[] = {"mask:right", "mask:left",      "interval:0/5,10,20",
                                        "date",       "date:2,6,12,24", FILE_RULE};
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(400); ++*seed) {
        tacit_run run;
        tacit__random random;
        tacit_run_init(&run);
        tacit_run_seed_number(&run, *seed);
        tacit__random_init(&random, &run, "test", 0);
        column from;
        lineage_case made = {0};
        lineage_spec(&made, RULES[*seed % 5]);
        draw(&from, RULES[*seed % 5], &random);
        values_table values = values_table_new(from.values, from.count);
        tacit_hierarchy *h = NULL;
        tacit_error err = {0};
        assert_int_equal(tacit_hierarchy_new(&h, &made.spec, values.table, VALUES_COLUMN, &err),
                         TACIT_OK);
        static rungs r;
        r = (rungs){0};
        uint32_t distinct = tacit_table_distinct(values.table, VALUES_COLUMN);
        gather(&r, h, distinct);
        const tacit_lineage_source sources[] = {
            {.table = values.table, .column = VALUES_COLUMN},
            {.labels = r.labels, .label_count = r.count, .name = "labels"}};
        tacit_lineage_new(&made.lineage, &made.spec, sources, 2, &err);
        assert_string_equal(err.message, "");
        check(made.lineage, &r, distinct);
        tacit_hierarchy_free(h);
        values_table_free(&values);
        lineage_case_clear(&made);
    }
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_levels, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
