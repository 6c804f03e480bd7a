/*
 * fingerprint.c - what a row carries along, in 64 bits.
 *
 * XXH3 over the raw bytes of each run of columns, chained. Different rows have
 * the same fingerprint once in 2^63 pairs.
 */
#include "audit/fingerprint.h"

#include "base/file.h"
#include "base/hash.h"
#include "table/table.h"

uint64_t tacit__fingerprint(const tacit_strview *cells, const tacit__run_of_columns *runs,
                            int32_t count, bool here)
{
    uint64_t hash = 0;
    for (int32_t i = 0; i < count; i++) {
        const tacit_strview *first = &cells[here ? runs[i].here : runs[i].there];
        const tacit_strview *last = first + runs[i].count - 1;
        size_t len = (size_t)(last->bytes + last->len - first->bytes);
        hash = tacit__mix(hash) ^ tacit__hash_bytes(first->bytes, len);
    }
    return hash;
}

void tacit__let_go_rows(const tacit_table *table, int64_t from, int64_t to)
{
    tacit__input_release(&table->input, table->row_start[from], table->row_start[to]);
}
