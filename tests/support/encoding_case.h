/*
 * encoding_case.h - one case of reading text that may not be UTF-8, for the random test and the
 * fuzzer alike: what is found can be converted to well-formed UTF-8 or is refused, and a table of
 * the bytes is the table of the text they were converted to.
 */
#ifndef TACIT_TESTS_ENCODING_CASE_H
#define TACIT_TESTS_ENCODING_CASE_H

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "table/encoding.h"

/* Whether both are refused for the same reason in the same place, or have the same names and cells.
 */
static inline bool encoding_tables_agree(const tacit_table *a, const tacit_table *b)
{
    if (!a || !b)
        return a == b;
    int32_t columns = tacit_table_columns(a);
    bool agree = columns == tacit_table_columns(b) && tacit_table_rows(a) == tacit_table_rows(b);
    tacit_strview *left = malloc((size_t)columns * sizeof *left);
    tacit_strview *right = malloc((size_t)columns * sizeof *right);
    for (int32_t i = 0; agree && i < columns; i++)
        agree = tacit_strview_equal(tacit_table_name(a, i), tacit_table_name(b, i));
    for (int64_t row = 0; agree && row < tacit_table_rows(a); row++) {
        tacit_table_row(a, row, left);
        tacit_table_row(b, row, right);
        for (int32_t i = 0; i < columns; i++)
            agree &= tacit_strview_equal(left[i], right[i]);
    }
    free(left);
    free(right);
    return agree;
}

/* Whether the header alone has the names that the whole file has. */
static inline bool encoding_header_agrees(const tacit_table *whole, tacit_strview bytes,
                                          tacit_csv_options options)
{
    tacit_table *header = NULL;
    options.header_only = true;
    bool agree = !tacit_table_read_memory(&header, bytes, "f", &options, NULL, NULL) &&
                 tacit_table_columns(header) == tacit_table_columns(whole);
    for (int32_t i = 0; agree && i < tacit_table_columns(whole); i++)
        agree = tacit_strview_equal(tacit_table_name(header, i), tacit_table_name(whole, i));
    tacit_table_free(header);
    return agree;
}

static inline bool encoding_case_holds(tacit_strview bytes, const tacit_csv_options *options)
{
    tacit_encoding found = tacit__encoding_of(bytes, options->encoding);
    tacit__strbuf text = {0};
    bool converted = found != TACIT_ENCODING_UTF8, decoded = true;
    if (converted)
        decoded = !tacit__encoding_decode(&text, bytes, found, "f", NULL);
    bool holds = tacit__utf8_valid(text.bytes, text.len) == text.len;
    tacit_table *read = NULL, *due = NULL;
    tacit_csv_options plain = *options;
    plain.encoding = TACIT_ENCODING_UTF8;
    tacit_status status = tacit_table_read_memory(&read, bytes, "f", options, NULL, NULL);
    if (!decoded)
        holds &= status == TACIT_PARSE;
    else if (!converted || text.len) {
        tacit_strview same = converted ? (tacit_strview){text.bytes, text.len} : bytes;
        tacit_status expected = tacit_table_read_memory(&due, same, "f", &plain, NULL, NULL);
        holds &= status == expected && encoding_tables_agree(read, due);
    }
    if (read)
        holds &=
            tacit_table_encoding(read) == found && encoding_header_agrees(read, bytes, *options);
    tacit_table_free(read);
    tacit_table_free(due);
    tacit__strbuf_clear(&text);
    return holds;
}

#endif
