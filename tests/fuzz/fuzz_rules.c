/*
 * fuzz_rules.c - a rule in the first line and the values of a column in the others. What is
 * accepted must nest and end in one value, the same twice; and every label must be read back by its
 * form alone as what it is: in a lineage of values and labels the label of a level holds those
 * below it.
 */
#include <tacit/experimental/lineage.h>

#include "../support/hierarchy_support.h"

#include "../support/fuzz_require.h"

enum { MAX_VALUES = 12, MAX_LABELS = MAX_VALUES * TACIT_MAX_LEVELS };

/* Cuts text at its line ends; returns the number of lines. */
static size_t cut_lines(char *text, const char **lines, size_t most)
{
    size_t count = 0;
    while (text && count < most) {
        char *end = strchr(text, '\n');
        if (end)
            *end = '\0';
        lines[count++] = text;
        text = end ? end + 1 : NULL;
    }
    return count;
}

static void check_lineage(const tacit_hierarchy *h, const tacit_hierarchy_spec *spec,
                          uint32_t distinct)
{
    static tacit_strview labels[MAX_LABELS];
    uint32_t count = 0, levels = (uint32_t)tacit_hierarchy_height(h) + 1;
    for (uint32_t code = 0; code < distinct; code++)
        for (uint32_t level = 0; level < levels; level++)
            labels[count++] =
                tacit_hierarchy_label(h, (int)level, tacit_hierarchy_map(h, (int)level)[code]);
    const tacit_lineage_source source = {.labels = labels, .label_count = count, .name = "labels"};
    tacit_lineage *lineage = NULL;
    tacit_error err = {0};
    require(tacit_lineage_new(&lineage, spec, &source, 1, &err) == TACIT_OK, err.message);
    const uint32_t *nodes = tacit_lineage_nodes(lineage, 0), *ends = tacit_lineage_ends(lineage);
    for (uint32_t i = 0; i + 1 < count; i++)
        if (i % levels + 1 < levels)
            require(nodes[i + 1] <= nodes[i] && nodes[i] < ends[nodes[i + 1]],
                    "a label that does not hold what is below it");
    tacit_lineage_free(lineage);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[512];
    const char *lines[MAX_VALUES + 1];
    if (size >= sizeof text)
        return 0;
    for (size_t i = 0; i < size; i++)
        if (data[i] != '\n' && (data[i] < ' ' || data[i] > '~'))
            return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    size_t count = cut_lines(text, lines, MAX_VALUES + 1);
    tacit_hierarchy_spec spec = {0};
    tacit_hierarchy *h = NULL;
    tacit_error err = {0};
    tacit_status status = tacit_hierarchy_spec_parse(&spec, lines[0], NULL, &err);
    if (status != TACIT_OK)
        require_reason(status, &err);
    if (status != TACIT_OK ||
        (spec.kind != TACIT_HIERARCHY_DATE && spec.kind != TACIT_HIERARCHY_INTERVAL) || count < 2) {
        tacit_hierarchy_spec_clear(&spec);
        return 0;
    }
    values_table values = values_table_new(lines + 1, count - 1);
    status = tacit_hierarchy_new(&h, &spec, values.table, VALUES_COLUMN, &err);
    if (status == TACIT_OK) {
        const char *problem = hierarchy_problem(h, values.table, VALUES_COLUMN);
        require(!problem, problem);
        check_lineage(h, &spec, tacit_table_distinct(values.table, VALUES_COLUMN));
    } else
        require_reason(status, &err);
    tacit_hierarchy_free(h);
    values_table_free(&values);
    tacit_hierarchy_spec_clear(&spec);
    return 0;
}
