/*
 * fuzz_hrc.c - any bytes as the lines of a .hrc file: depth in @, a code. The first line is made
 * here, so that every input gets to that parser. What is accepted nests and ends in one value.
 */
#include "../support/hierarchy_support.h"

#include "../support/fuzz_require.h"

static const char START[] = "a\n@b\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *words[] = {"a", "b", "c", ""};
    values_table values = values_table_new(words, 4);
    tacit_hierarchy_spec spec = {0};
    tacit_hierarchy *hierarchy = NULL;
    tacit_error err = {0};
    size_t len = sizeof START - 1 + size;
    char *text = malloc(len);
    require(text != NULL, "no memory");
    memcpy(text, START, sizeof START - 1);
    if (size > 0)
        memcpy(text + sizeof START - 1, data, size);
    tacit_status status = tacit__hierarchy_from_bytes(
        &hierarchy, (tacit_strview){text, len}, "h.hrc", &spec, values.table, VALUES_COLUMN, &err);
    require_reason(status, &err);
    if (status == TACIT_OK) {
        const char *problem = hierarchy_problem(hierarchy, values.table, VALUES_COLUMN);
        require(!problem, problem);
    } else {
        require(!hierarchy, "an output after failure");
    }
    tacit_hierarchy_free(hierarchy);
    values_table_free(&values);
    free(text);
    return 0;
}
