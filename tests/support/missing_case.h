/*
 * missing_case.h - a file read with codes of missing values against the same file read without: it
 * is refused by both or by none, rows and columns are the same, a cell that says a code is empty,
 * and every other cell is as it was, byte for byte.
 */
#ifndef TACIT_TESTS_MISSING_CASE_H
#define TACIT_TESTS_MISSING_CASE_H

#include <stdlib.h>
#include <string.h>

#include <tacit/table.h>

static char *const MISSING_CODES[] = {"NA", ".", "-", "999", "n/a"};
enum { MISSING_CODE_COUNT = sizeof MISSING_CODES / sizeof *MISSING_CODES };

/* Every column but one called "b" has the codes. */
static inline tacit_missing_codes missing_codes_of(tacit_strview name, const void *context)
{
    (void)context;
    bool none = tacit_strview_equal(name, tacit_strview_of("b"));
    return (tacit_missing_codes){(char **)MISSING_CODES, none ? 0 : MISSING_CODE_COUNT};
}

/* Whether a raw cell of a column with codes is missing, by definition. */
static inline bool missing_by_definition(tacit_strview raw)
{
    bool quoted = raw.len >= 2 && raw.bytes[0] == '"';
    tacit_strview says = {raw.bytes + quoted, raw.len - 2 * quoted};
    bool found = says.len == 0;
    for (int i = 0; i < MISSING_CODE_COUNT; i++)
        found |= tacit_strview_equal(says, tacit_strview_of(MISSING_CODES[i]));
    return found;
}

static inline bool missing_rows_agree(const tacit_table *plain, const tacit_table *coded)
{
    int32_t columns = tacit_table_columns(plain);
    bool agree =
        columns == tacit_table_columns(coded) && tacit_table_rows(plain) == tacit_table_rows(coded);
    tacit_strview *was = malloc((size_t)columns * sizeof *was);
    tacit_strview *is = malloc((size_t)columns * sizeof *is);
    for (int64_t row = 0; agree && row < tacit_table_rows(plain); row++) {
        tacit_table_row(plain, row, was);
        tacit_table_row(coded, row, is);
        for (int32_t i = 0; i < columns; i++) {
            tacit_strview name = tacit_table_name(plain, i);
            bool blank = was[i].len > 0 && missing_codes_of(name, NULL).count &&
                         missing_by_definition(was[i]);
            tacit_strview due = blank ? tacit_strview_of(columns == 1 ? "\"\"" : "") : was[i];
            uint32_t code = tacit_codes_at(tacit_table_codes(coded, i), row);
            agree &= tacit_strview_equal(is[i], due);
            agree &= !blank || code == tacit_table_distinct(coded, i);
        }
    }
    free(was);
    free(is);
    return agree;
}

/* Whether reading with codes does what it should to these bytes. */
static inline bool missing_case_holds(tacit_strview bytes, const tacit_csv_options *options)
{
    tacit_table *plain = NULL, *coded = NULL;
    tacit_csv_options with = *options;
    with.missing = missing_codes_of;
    tacit_status before = tacit_table_read_memory(&plain, bytes, "f", options, NULL, NULL);
    tacit_status after = tacit_table_read_memory(&coded, bytes, "f", &with, NULL, NULL);
    bool holds = before == after && (before != TACIT_OK || missing_rows_agree(plain, coded));
    tacit_table_free(coded);
    tacit_table_free(plain);
    return holds;
}

#endif
