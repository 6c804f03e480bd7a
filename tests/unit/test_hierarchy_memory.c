/*
 * test_hierarchy_memory.c - every allocation of a binding failed in turn.
 *
 * The library's door to the heap is compiled into this program with allocators
 * that fail on command, and takes the place of the library's own copy.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static long allowed = -1; /* allocations until one fails; negative: none fails */

static int denied(void)
{
    return allowed >= 0 && allowed-- == 0;
}

static void *failing_malloc(size_t size)
{
    return denied() ? NULL : malloc(size);
}

static void *failing_calloc(size_t count, size_t size)
{
    return denied() ? NULL : calloc(count, size);
}

static void *failing_realloc(void *block, size_t size)
{
    return denied() ? NULL : realloc(block, size);
}

static void *failing_aligned_alloc(size_t alignment, size_t size)
{
    return denied() ? NULL : aligned_alloc(alignment, size);
}

#define malloc        failing_malloc
#define calloc        failing_calloc
#define realloc       failing_realloc
#define aligned_alloc failing_aligned_alloc
#include "base/alloc.c"
#undef malloc
#undef calloc
#undef realloc
#undef aligned_alloc

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

/* Fails allocation 0, 1, 2, ... until the work needs no more than that. */
static void each_allocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sources); i++) {
        values_table values = values_table_new(sources[i].values, 4);
        tacit_hierarchy *h = NULL;
        long failures = 0;
        for (;; failures++) {
            tacit_error err = {0};
            allowed = failures;
            tacit_status status = bind(&h, &sources[i], values.table, &err);
            allowed = -1;
            if (status == TACIT_OK)
                break;
            assert_int_equal(status, TACIT_NOMEM);
            assert_int_equal(err.status, TACIT_NOMEM);
            assert_string_equal(err.message, "out of memory");
            assert_null(h);
        }
        assert_true(failures >= 3);
        assert_null(hierarchy_problem(h, values.table, VALUES_COLUMN));
        tacit_hierarchy_free(h);
        values_table_free(&values);
    }
}

static void path_of_a_specification(void **state)
{
    (void)state;
    tacit_hierarchy_spec spec = {.kind = TACIT_HIERARCHY_MASK};
    allowed = 0;
    tacit_status status = tacit_hierarchy_spec_parse(&spec, "zip.csv", "folder", NULL);
    allowed = -1;
    assert_int_equal(status, TACIT_NOMEM);
    assert_int_equal(spec.kind, TACIT_HIERARCHY_MASK);
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
