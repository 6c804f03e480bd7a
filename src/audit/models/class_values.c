/*
 * class_values.c - sorts the rows by class and value; see class_values.h.
 */
#include "audit/models/class_values.h"

tacit_status tacit__class_values_init(tacit__class_values *values, const tacit_table *table,
                                      int32_t column, const tacit__partition *partition,
                                      const tacit_run *run, tacit_error *err)
{
    uint32_t most = tacit__code_max(table, column);
    uint32_t classes = partition->count > 0 ? (uint32_t)(partition->count - 1) : 0;
    values->keys = (tacit__keys){.rows = tacit_table_rows(table), .run = run};
    values->code_bits = tacit__bits_for(most);
    tacit_status status =
        tacit__keys_add(&values->keys, (tacit_codes_view){partition->class_of, 4}, classes, err);
    if (status == TACIT_OK)
        status = tacit__keys_add(&values->keys, tacit_table_codes(table, column), most, err);
    if (status == TACIT_OK)
        status = tacit__keys_sort(&values->keys, err);
    tacit__sorter_trim(&values->keys.sorter);
    return status;
}

void tacit__class_values_clear(tacit__class_values *values)
{
    tacit__keys_clear(&values->keys);
}
