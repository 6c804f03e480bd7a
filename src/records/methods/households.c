/*
 * households.c - what is the household's: one value in the data, and one in the release.
 *
 * A method that decides row by row may release one value of a household on different levels.
 * Whoever knows that the rows are of one household takes the finest of them, so all are raised to
 * the highest. The trails of households are kept after that (trails.c), and with them k.
 *
 * Linear in rows and attributes; 4 bytes a household, and one for each of its attributes.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "records/apply/apply.h"
#include "records/classes/classes.h"
#include <tacit/experimental/trails.h>

/* The first row whose value differs from that of an earlier row of its unit, or -1. */
static tacit_status find_differing(int64_t *out, const tacit_table *table, int32_t units,
                                   int32_t values, tacit_error *err)
{
    uint32_t missing = tacit_table_distinct(table, units);
    tacit_codes_view unit_of = tacit_table_codes(table, units);
    tacit_codes_view value_of = tacit_table_codes(table, values);
    uint32_t *first = tacit__alloc_array((size_t)missing + 1, sizeof *first);
    if (!first)
        return tacit__nomem(err);
    memset(first, 0xFF, ((size_t)missing + 1) * sizeof *first);
    *out = -1;
    for (int64_t row = 0; *out < 0 && row < tacit_table_rows(table); row++) {
        uint32_t unit = tacit_codes_at(unit_of, row), value = tacit_codes_at(value_of, row);
        if (unit != missing && first[unit] != UINT32_MAX && first[unit] != value)
            *out = row;
        first[unit] = value;
    }
    tacit__free(first);
    return TACIT_OK;
}

static tacit_status differs(const tacit_table *table, int32_t column, int64_t row,
                            const char *problem, tacit_error *err)
{
    return tacit__error_at(err, TACIT_INVALID, tacit_table_file(table),
                           tacit_table_line(table, row), column + 1, "%s", problem);
}

tacit_status tacit_households_check(const tacit_frame *frame, int32_t person,
                                    const uint64_t *attributes, tacit_error *err)
{
    const tacit_table *table = frame->table;
    int64_t row = -1;
    tacit_status status = TACIT_OK;
    if (person >= 0)
        status = find_differing(&row, table, person, frame->person, err);
    if (status == TACIT_OK && row >= 0)
        return differs(table, frame->person, row,
                       "the person of this row is of another household in an earlier one; people "
                       "are of one household (person, household)",
                       err);
    for (int32_t a = 0; a < frame->attribute_count && status == TACIT_OK; a++) {
        int32_t column = frame->attributes[a].column;
        if (attributes && tacit__bit_get(attributes, a))
            status = find_differing(&row, table, frame->person, column, err);
        if (status == TACIT_OK && row >= 0)
            return differs(table, column, row,
                           "a household has another value in an earlier row, and the column is "
                           "said to be the household's (of: household)",
                           err);
    }
    return status;
}

/* Rows that may say something of their household. */
static bool is_member(const tacit_rowwise *rowwise, tacit_codes_view units, uint32_t missing,
                      int64_t row)
{
    return tacit_codes_at(units, row) != missing && !tacit__bit_get(rowwise->suppressed, row);
}

static bool is_all_suppressed(const tacit_rowwise *rowwise, const tacit_frame *frame, int64_t row)
{
    const uint8_t *levels = tacit__rowwise_at(rowwise, row);
    for (int32_t a = 0; a < rowwise->attributes; a++)
        if (levels[a] < tacit_hierarchy_height(frame->attributes[a].hierarchy))
            return false;
    return true;
}

tacit_status tacit_households_align(tacit_rowwise *rowwise, const tacit_frame *frame,
                                    const uint64_t *attributes, tacit_error *err)
{
    tacit_codes_view units = tacit_table_codes(frame->table, frame->person);
    uint32_t missing = tacit_table_distinct(frame->table, frame->person);
    size_t width = (size_t)rowwise->attributes;
    uint8_t *highest = tacit__alloc_zeroed((size_t)missing + 1, width);
    if (!highest)
        return tacit__nomem(err);
    for (int raise = 0; raise < 2; raise++)
        for (int64_t row = 0; row < rowwise->rows; row++) {
            if (!is_member(rowwise, units, missing, row))
                continue;
            uint8_t *levels = tacit__rowwise_at(rowwise, row);
            uint8_t *most = highest + tacit_codes_at(units, row) * width;
            for (size_t a = 0; a < width; a++)
                if (tacit__bit_get(attributes, (int64_t)a) && raise)
                    levels[a] = most[a];
                else if (levels[a] > most[a])
                    most[a] = levels[a];
            if (raise && is_all_suppressed(rowwise, frame, row))
                tacit__rowwise_suppress(rowwise, row, frame);
        }
    tacit__free(highest);
    return TACIT_OK;
}
