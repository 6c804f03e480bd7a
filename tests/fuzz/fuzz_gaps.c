/*
 * fuzz_gaps.c - any bytes as a hierarchy file that is checked: it has no gap but unused values
 * exactly if the reader takes it, and a sound one that is completed is taken.
 */
#include "../support/fuzz_require.h"
#include "../support/hierarchy_support.h"
#include "hierarchy/gaps.h"

static bool is_read(tacit_strview bytes, const tacit_table *table)
{
    tacit_hierarchy_spec spec = {0};
    tacit_hierarchy *h = NULL;
    tacit_status status =
        tacit__hierarchy_from_bytes(&h, bytes, "h.csv", &spec, table, VALUES_COLUMN, NULL);
    tacit_hierarchy_free(h);
    return status == TACIT_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const VALUES[] = {"a", "b", "", "x"};
    values_table values = values_table_new(VALUES, 4);
    tacit_strview bytes = {(const char *)data, size};
    tacit_hierarchy_gaps *gaps = NULL;
    char *csv = NULL;
    require(tacit__gaps_of_bytes(&gaps, bytes, "h.csv", values.table, VALUES_COLUMN, NULL) ==
                TACIT_OK,
            "not checked");
    bool sound = gaps->count == gaps->of_kind[TACIT_GAP_UNUSED];
    require(sound == is_read(bytes, values.table), "check and reader disagree");
    if (tacit__complete_bytes(&csv, bytes, "h.csv", values.table, VALUES_COLUMN, NULL) == TACIT_OK)
        require(is_read(tacit_strview_of(csv), values.table), "completed, and not taken");
    tacit_text_free(csv);
    tacit_hierarchy_gaps_free(gaps);
    values_table_free(&values);
    return 0;
}
