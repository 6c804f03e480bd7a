/*
 * test_hierarchy_memory.c - every allocation of a binding failed in turn.
 */
#include "starve.h"

#include "hierarchy_support.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct source {
    const char *rule; /* NULL: the file */
    const char *file;
    const char *values[4];
} source;

static const source sources[] = {
    {"none", NULL, {"a", "b", "c", ""}},
    {"mask:right", NULL, {"123", "12", "145", ""}},
    {"interval:0/5,10", NULL, {"1", "2", "30", "-4"}},
    {"date", NULL, {"1965-09-20", "1965", "9/1970", ""}},
    {"standard:nace2", NULL, {"62.01", "J", "01", ""}},
    {NULL, "a;\"x\"\"y\";*\nb;y;*\nc;y;*\n;z;*\n", {"a", "b", "c", ""}},
    {NULL, "code,parent\na,A\nb,B\nc,B\nA,R\nB,R\n", {"a", "b", "c", ""}},
    {NULL, "@;A\n@@;a\n@;b\n@;C\n@@;c\n", {"a", "b", "c", ""}}};

static tacit_status bind(tacit_hierarchy **out, const source *from, const tacit_table *table,
                         tacit_error *err)
{
    tacit_hierarchy_spec spec = {0};
    if (!from->rule)
        return tacit__hierarchy_from_bytes(out, tacit_strview_of(from->file), "h.csv", &spec, table,
                                           VALUES_COLUMN, err);
    tacit_status status = tacit_hierarchy_spec_parse(&spec, from->rule, NULL, err);
    return status == TACIT_OK ? tacit_hierarchy_new(out, &spec, table, VALUES_COLUMN, err) : status;
}

typedef struct binding {
    const source *from;
    const tacit_table *table;
} binding;

static tacit_status attempt(void *context, tacit_error *err)
{
    const binding *b = context;
    tacit_hierarchy *h = STARVE_UNTOUCHED;
    tacit_status status = bind(&h, b->from, b->table, err);
    if (status != TACIT_OK)
        assert_ptr_equal(h, STARVE_UNTOUCHED);
    else {
        assert_null(hierarchy_problem(h, b->table, VALUES_COLUMN));
        tacit_hierarchy_free(h);
    }
    return status;
}

static void each_allocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sources); i++) {
        values_table values = values_table_new(sources[i].values, 4);
        assert_true(starve(attempt, &(binding){&sources[i], values.table}) >= 3);
        values_table_free(&values);
    }
}

static tacit_status parse_path(void *context, tacit_error *err)
{
    (void)context;
    tacit_hierarchy_spec spec = {.kind = TACIT_HIERARCHY_MASK};
    tacit_status status = tacit_hierarchy_spec_parse(&spec, "zip.csv", "folder", err);
    if (status != TACIT_OK)
        assert_int_equal(spec.kind, TACIT_HIERARCHY_MASK);
    tacit_hierarchy_spec_clear(&spec);
    return status;
}

static void path_of_a_specification(void **state)
{
    (void)state;
    starve(parse_path, NULL);
}

static void nothing_to_free(void **state)
{
    (void)state;
    tacit_hierarchy_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation),
        cmocka_unit_test(path_of_a_specification),
        cmocka_unit_test(nothing_to_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
