/*
 * words.c - a column's values by their sorted hashes, compared byte by byte.
 * The reader's own dictionary is not asked, for the judge finds things by itself.
 *
 * Cost: a hash a value and a sort; a bisection for each look-up.
 */
#include "audit/rows/words.h"

#include "base/hash.h"

tacit_status tacit__words_init(tacit__words *words, const tacit_table *table, int32_t column,
                               tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    tacit__words made = {.table = table, .column = column, .missing = TACIT__NOWHERE};
    if (tacit_table_has_missing(table, column))
        made.missing = distinct;
    tacit_status status = tacit__sorter_init(&made.sorted, distinct, 64, true, err);
    if (status != TACIT_OK)
        return status;
    for (uint32_t i = 0; i < distinct; i++) {
        tacit_strview value = tacit_table_value(table, column, i);
        made.sorted.keys[i] = tacit__hash_bytes(value.bytes, value.len);
        made.sorted.values[i] = i;
    }
    status = tacit__sorter_sort(&made.sorted, NULL, err); /* one of several tasks: alone */
    if (status == TACIT_OK)
        *words = made;
    else
        tacit__words_clear(&made);
    return status;
}

void tacit__words_clear(tacit__words *words)
{
    tacit__sorter_clear(&words->sorted);
}

uint32_t tacit__words_find(const tacit__words *words, tacit_strview value)
{
    if (value.len == 0)
        return words->missing;
    const tacit__sorter *s = &words->sorted;
    uint64_t hash = tacit__hash_bytes(value.bytes, value.len);
    int64_t at = tacit__sorter_place(s, hash);
    for (; at < s->count && s->keys[at] == hash; at++) {
        uint32_t code = (uint32_t)s->values[at];
        if (tacit_strview_equal(tacit_table_value(words->table, words->column, code), value))
            return code;
    }
    return TACIT__NOWHERE;
}
