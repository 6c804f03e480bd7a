/*
 * test_hierarchy_mixed.c - hierarchies over values that are on several levels already.
 */
#include "records.h"

#include "hierarchy/mixed.h"

/* A value of the base, and what it reads as on each level. */
typedef struct expected {
    int level;
    const char *label;
    uint32_t under;
    const char *levels[4];
} expected;

static tacit_strview label_at(const tacit_hierarchy *h, int level, uint32_t code)
{
    return tacit_hierarchy_label(h, level, tacit_hierarchy_map(h, level)[code]);
}

static uint32_t number_of(const tacit_hierarchy *base, int level, const char *label)
{
    for (uint32_t i = 0; i < tacit_hierarchy_count(base, level); i++)
        if (tacit_strview_equal(tacit_hierarchy_label(base, level, i), tacit_strview_of(label)))
            return i;
    fail_msg("no %s on level %d", label, level);
    return 0;
}

static void check(const tacit_hierarchy *base, const expected *values, uint32_t count)
{
    char text[256] = "X\n";
    fixture f;
    tacit_hierarchy *mixed = NULL;
    tacit__mixed_value list[16];
    tacit_error err = {0};
    for (uint32_t i = 0; i < count; i++) {
        sprintf(text + strlen(text), "%s\n", values[i].label);
        list[i] = (tacit__mixed_value){values[i].level,
                                       number_of(base, values[i].level, values[i].label)};
    }
    fixture_open(&f, text);
    assert_int_equal(tacit__hierarchy_mixed(&mixed, base, list, f.table, 0, &err), TACIT_OK);
    assert_int_equal(tacit_hierarchy_height(mixed), tacit_hierarchy_height(base));
    assert_int_equal(tacit_hierarchy_leaves(mixed), tacit_hierarchy_leaves(base));
    assert_int_equal(tacit_hierarchy_count(mixed, tacit_hierarchy_height(base)), 1);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(tacit_hierarchy_leaves_under(mixed, 0, i), values[i].under);
        for (int level = 0; level <= tacit_hierarchy_height(mixed); level++) {
            tacit_strview label = label_at(mixed, level, i);
            assert_int_equal(label.len, strlen(values[i].levels[level]));
            assert_memory_equal(label.bytes, values[i].levels[level], label.len);
        }
    }
    tacit_hierarchy_free(mixed);
    fixture_close(&f);
}

static void test_file(void **state)
{
    static const expected VALUES[] = {
        {1, "0213*", 2, {"0213*", "0213*", "021**", "*"}},
        {0, "02138", 1, {"02138", "0213*", "021**", "*"}},
        {2, "021**", 4, {"021**", "021**", "021**", "*"}},
        {0, "02141", 1, {"02141", "0214*", "021**", "*"}},
        {3, "*", 4, {"*", "*", "*", "*"}},
    };
    fixture f;
    (void)state;
    fixture_open(&f, "Z\n02138\n02139\n02141\n02142\n");
    fixture_file(&f, "Z",
                 "02138;0213*;021**\n02139;0213*;021**\n02141;0214*;021**\n"
                 "02142;0214*;021**\n");
    check(f.hierarchies[0], VALUES, 5);
    check(f.hierarchies[0], VALUES, 1);
    fixture_close(&f);
}

static void test_rules(void **state)
{
    static const expected AGES[] = {{1, "20-24", 2, {"20-24", "20-24", "20-29", "*"}},
                                    {0, "27", 1, {"27", "25-29", "20-29", "*"}},
                                    {2, "20-29", 3, {"20-29", "20-29", "20-29", "*"}}};
    static const expected MASKED[] = {{1, "1*", 2, {"1*", "1*", "*"}},
                                      {0, "11", 1, {"11", "1*", "*"}}};
    const tacit_hierarchy_spec interval = {
        .kind = TACIT_HIERARCHY_INTERVAL, .widths = {5, 10}, .width_count = 2};
    fixture f;
    (void)state;
    fixture_open(&f, "A,M\n20,11\n23,12\n27,21\n");
    fixture_add(&f, "A", &interval);
    fixture_mask(&f, "M");
    check(f.hierarchies[0], AGES, 3);
    check(f.hierarchies[1], MASKED, 2);
    fixture_close(&f);
}

/* Missing follows the base: itself, or where a file has a row for it what that says. */
static void test_missing(void **state)
{
    static const struct {
        const char *file;
        const char *on_one; /* NULL: missing */
    } CASES[] = {{"a;x;r\nb;x;r\n", NULL}, {"a;x;r\nb;x;r\n;none;r\n", "none"}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fixture f, labels;
        tacit_hierarchy *mixed = NULL;
        tacit_error err = {0};
        fixture_open(&f, "C,D\na,1\nb,1\n,1\n");
        fixture_file(&f, "C", CASES[i].file);
        fixture_open(&labels, "C,D\nx,1\n,1\n");
        const tacit__mixed_value value = {1, 0};
        assert_int_equal(
            tacit__hierarchy_mixed(&mixed, f.hierarchies[0], &value, labels.table, 0, &err),
            TACIT_OK);
        uint32_t number = tacit_hierarchy_map(mixed, 1)[1];
        if (CASES[i].on_one)
            assert_memory_equal(tacit_hierarchy_label(mixed, 1, number).bytes, CASES[i].on_one, 4);
        else
            assert_int_equal(number, tacit_hierarchy_count(mixed, 1));
        int top = tacit_hierarchy_height(mixed);
        assert_int_equal(tacit_hierarchy_map(mixed, top)[1], 0);
        tacit_hierarchy_free(mixed);
        fixture_close(&labels);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
