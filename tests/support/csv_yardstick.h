/*
 * csv_yardstick.h - holds the fast reader to the exact one: the same verdict and
 * place on bad files, the same values on good ones, and a round trip through the
 * writer that gives back the same cells. Used by the unit tests and the fuzzer.
 */
#ifndef TACIT_TESTS_CSV_YARDSTICK_H
#define TACIT_TESTS_CSV_YARDSTICK_H

#ifndef _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "table/csv.h"

#define YARDSTICK_REQUIRE(condition)                                        \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                        \
        }                                                                   \
    } while (0)

static inline void yardstick_values(const tacit_table *table)
{
    tacit_strview *cells = malloc(sizeof *cells * (size_t)table->column_count);
    tacit_strview *again = malloc(sizeof *cells * (size_t)table->column_count);
    size_t at = table->data_start;
    for (int64_t row = 0; row < table->rows; row++) {
        int32_t found;
        YARDSTICK_REQUIRE(tacit__row_start(table, row) == at);
        at = tacit__csv_cut(table, at, table->len, cells, table->column_count, &found);
        YARDSTICK_REQUIRE(found == table->column_count);
        tacit_table_row(table, row, again);
        for (int32_t c = 0; c < table->column_count; c++) {
            YARDSTICK_REQUIRE(tacit_strview_equal(cells[c], again[c]));
            if (!table->columns[c].coded)
                continue;
            char *text = malloc(cells[c].len + 1);
            tacit_strview value = {text, tacit_csv_unquote(cells[c], text, cells[c].len)};
            uint32_t code = tacit_codes_at(tacit_table_codes(table, c), row);
            if (value.len == 0)
                YARDSTICK_REQUIRE(code == tacit_table_distinct(table, c) &&
                                  tacit_table_has_missing(table, c));
            else
                YARDSTICK_REQUIRE(tacit_strview_equal(tacit_table_value(table, c, code), value));
            free(text);
        }
    }
    YARDSTICK_REQUIRE(at == table->len);
    free(cells);
    free(again);
}

/* Writes the table, its rows as they are or from the last to the first, and
 * reads that: nothing may have changed. */
static inline void yardstick_round_trip(const tacit_table *table, bool reversed)
{
    int fd = memfd_create("round-trip", MFD_CLOEXEC);
    tacit_csv_column *columns = calloc((size_t)table->column_count, sizeof *columns);
    for (int32_t c = 0; c < table->column_count; c++)
        columns[c].source = c;
    uint32_t *order = calloc((size_t)table->rows + 1, sizeof *order);
    for (int64_t row = 0; row < table->rows; row++)
        order[row] = (uint32_t)(table->rows - 1 - row);
    tacit_csv_layout layout = {.columns = columns,
                               .column_count = table->column_count,
                               .order = reversed ? order : NULL,
                               .row_count = table->rows};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 2;
    int64_t bytes = 0;
    tacit_error err = {0};
    YARDSTICK_REQUIRE(tacit_table_write(fd, "out", &bytes, table, &layout, &run, &err) == TACIT_OK);
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.no_header = !table->has_header;
    options.delimiter = table->delimiter;
    options.code_none = true;
    tacit_table *back = NULL;
    bool empty = bytes == 0;
    if (!empty) {
        YARDSTICK_REQUIRE(tacit_table_read_fd(&back, fd, "back", &options, &run, &err) == TACIT_OK);
        YARDSTICK_REQUIRE(back->rows == table->rows && back->column_count == table->column_count);
        tacit_strview *a = malloc(sizeof *a * (size_t)table->column_count);
        tacit_strview *b = malloc(sizeof *b * (size_t)table->column_count);
        for (int64_t row = 0; row < table->rows; row++) {
            tacit_table_row(table, reversed ? order[row] : row, a);
            tacit_table_row(back, row, b);
            for (int32_t c = 0; c < table->column_count; c++)
                YARDSTICK_REQUIRE(tacit_strview_equal(a[c], b[c]));
        }
        free(a);
        free(b);
    }
    tacit_table_free(back);
    free(columns);
    free(order);
    close(fd);
}

/* What the exact walk says of the same bytes. */
static inline tacit_status yardstick_verdict(tacit_strview bytes, const tacit_csv_options *options,
                                             tacit_error *err)
{
    tacit_table *table = calloc(1, sizeof *table);
    table->bytes = bytes.bytes;
    table->len = bytes.len;
    table->file = strdup("f");
    tacit_status status = tacit__csv_dialect(table, options, options->max_field, err);
    if (status == TACIT_OK)
        status = tacit__csv_check(table, table->data_start, table->len, table->column_count,
                                  options->max_field, err);
    tacit_table_free(table);
    return status;
}

static inline void yardstick(tacit_strview bytes, const tacit_csv_options *options, size_t stretch,
                             int threads)
{
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    tacit_error fast = {0}, exact = {0};
    tacit_table *table = NULL;
    tacit_status status =
        tacit__table_read_stretches(&table, bytes, "f", options, stretch, &run, &fast);
    tacit_status expected = yardstick_verdict(bytes, options, &exact);
    if (status != expected || strcmp(fast.message, exact.message) != 0)
        fprintf(stderr, "in stretches of %zu: <%.*s>\nfast: %d %s\nexact: %d %s\n", stretch,
                (int)bytes.len, bytes.bytes, (int)status, fast.message, (int)expected,
                exact.message);
    YARDSTICK_REQUIRE(status == expected);
    if (status != TACIT_OK) {
        YARDSTICK_REQUIRE(table == NULL);
        YARDSTICK_REQUIRE(fast.line == exact.line && fast.column == exact.column);
        YARDSTICK_REQUIRE(strcmp(fast.message, exact.message) == 0);
        return;
    }
    yardstick_values(table);
    yardstick_round_trip(table, false);
    yardstick_round_trip(table, true);
    tacit_table_free(table);
}

#endif
