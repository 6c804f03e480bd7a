/*
 * fuzz_hierarchy.c - any bytes as a hierarchy file, bound to a small column. The
 * first byte says whether a suppressed level may go on top. Whatever is
 * accepted must nest and end in one value; whatever is refused must say why.
 */
#include "../support/hierarchy_support.h"

#include "../support/fuzz_require.h"

/* The same bytes once more must give the same hierarchy. */
static void compare(const tacit_hierarchy *a, const tacit_hierarchy *b, uint32_t distinct)
{
    require(tacit_hierarchy_height(a) == tacit_hierarchy_height(b), "another height");
    for (int level = 0; level <= tacit_hierarchy_height(a); level++)
        require(memcmp(tacit_hierarchy_map(a, level), tacit_hierarchy_map(b, level),
                       (distinct + 1) * sizeof(uint32_t)) == 0,
                "another map");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    const char *words[] = {"a", "b", "c", "", "a"};
    values_table values = values_table_new(words, 5);
    tacit_hierarchy_spec spec = {.no_suppression = data[0] & 1};
    tacit_strview bytes = {(const char *)data + 1, size - 1};
    tacit_hierarchy *first = NULL, *second = NULL;
    tacit_error err = {0};
    tacit_status status = tacit__hierarchy_from_bytes(&first, bytes, "h.csv", &spec, values.table,
                                                      VALUES_COLUMN, &err);
    if (status == TACIT_OK) {
        const char *problem = hierarchy_problem(first, values.table, VALUES_COLUMN);
        require(!problem, problem);
        tacit__hierarchy_from_bytes(&second, bytes, "h.csv", &spec, values.table, VALUES_COLUMN,
                                    NULL);
        require(second != NULL, "refused the second time");
        compare(first, second, 3);
    } else {
        require(!first, "an output after failure");
        require_reason(status, &err);
    }
    tacit_hierarchy_free(first);
    tacit_hierarchy_free(second);
    values_table_free(&values);
    return 0;
}
