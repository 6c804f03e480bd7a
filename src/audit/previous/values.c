/*
 * values.c - the values of a column found in another file's.
 *
 * The other column's values are sorted by hashes (rows/words.h), and each value is looked up. Cost:
 * a bisection for each distinct value; 32 bytes for each of the other column's while they are
 * sorted.
 */
#include <tacit/experimental/audit_previous.h>

#include "audit/rows/words.h"
#include "base/alloc.h"
#include "base/error.h"

tacit_status tacit_match_values(uint32_t **codes, const tacit_table *table, int32_t column,
                                const tacit_table *other, int32_t other_column, tacit_error *err)
{
    uint32_t count = tacit_table_distinct(table, column),
             missing = tacit_table_distinct(other, other_column);
    tacit__words words = {0};
    tacit_status status = tacit__words_init(&words, other, other_column, err);
    if (status != TACIT_OK)
        return status;
    tacit__sorter_trim(&words.sorted);
    uint32_t *made = tacit__alloc_array((size_t)count + 1, sizeof *made);
    for (uint32_t i = 0; made && i < count; i++) {
        uint32_t found = tacit__words_find(&words, tacit_table_value(table, column, i));
        made[i] = found == TACIT__NOWHERE ? missing + 1 : found;
    }
    tacit__words_clear(&words);
    if (!made)
        return tacit__nomem(err);
    made[count] = missing;
    *codes = made;
    return TACIT_OK;
}

void tacit_values_free(uint32_t *codes)
{
    tacit__free(codes);
}
