/*
 * formats_case.h - for tests of formats: files read as the command reads them, written in a format
 * and read again, damaged in every place, and read without memory.
 */
#ifndef FORMATS_CASE_H
#define FORMATS_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/formats.h"
#include "starve.h"

#define CORPUS       TACIT_SOURCE_DIR "/tests/fuzz/corpus/formats/"
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Columns of every kind, with what a format may find hard to hold. */
#define ANY                                                                                        \
    "tiny,small,whole,huge,real,day,moment,word,mixed,none\n"                                      \
    "100,32740,2147483620,9007199254740993,0.1,0001-01-01,1582-10-15T00:00:00,\"a, \"\"b\"\"\",1," \
    "\n"                                                                                           \
    "-127,-32767,-2147483647,-1,-1e+300,9999-12-31,2020-02-29T23:59:59.5,\"two\nlines\",x,\n"      \
    "0,,0,0,,,,,2020-01-01,\n"

static inline tacit_csv_options converting(void)
{
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.convert = tacit_formats_convert;
    return options;
}

static inline tacit_table *read_file(const char *path)
{
    tacit_csv_options options = converting();
    tacit_table *table = NULL;
    tacit_error err = {0};
    if (tacit_table_read(&table, path, &options, NULL, &err) != TACIT_OK)
        fail_msg("%s: %s", path, err.message);
    return table;
}

static inline tacit_table *read_text(const char *text)
{
    tacit_table *table = NULL;
    tacit_error err = {0};
    if (tacit_table_read_memory(&table, tacit_strview_of(text), "f", NULL, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return table;
}

/* The table as a file in memory, read again. */
static inline tacit_table *again(const tacit_table *table, const char *name)
{
    const tacit_format *format = tacit_format_of_name(name);
    tacit_csv_options options = converting();
    tacit_error err = {0};
    tacit_table *read = NULL;
    int fd = memfd_create("again", MFD_CLOEXEC);
    assert_non_null(format);
    if (tacit_format_write(fd, name, format, tacit_table_schema(table), table, NULL, &err) !=
        TACIT_OK)
        fail_msg("%s: %s", name, err.message);
    lseek(fd, 0, SEEK_SET);
    if (tacit_table_read_fd(&read, fd, name, &options, NULL, &err) != TACIT_OK)
        fail_msg("%s: %s", name, err.message);
    close(fd);
    return read;
}

static inline void refuses(const tacit_table *table, const char *name, const char *words)
{
    tacit_error err = {0};
    int fd = memfd_create("refused", MFD_CLOEXEC);
    assert_int_equal(tacit_format_write(fd, name, tacit_format_of_name(name),
                                        tacit_table_schema(table), table, NULL, &err),
                     TACIT_INVALID);
    assert_non_null(strstr(err.message, words));
    close(fd);
}

static inline void says(const tacit_table *table, const char *column, int64_t row,
                        const char *wanted)
{
    tacit_error err = {0};
    tacit__format_row cells;
    int32_t at = tacit_table_find(table, tacit_strview_of(column));
    assert_true(at >= 0);
    assert_int_equal(tacit__format_row_new(&cells, table, &err), TACIT_OK);
    assert_int_equal(tacit__format_row_at(&cells, row, &err), TACIT_OK);
    if (!tacit_strview_equal(cells.cells[at], tacit_strview_of(wanted)))
        fail_msg("%s, row %d: %.*s, not %s", column, (int)row, (int)cells.cells[at].len,
                 cells.cells[at].bytes, wanted);
    tacit__format_row_clear(&cells);
}

static inline const tacit__schema_column *column_of(const tacit_table *table, const char *name)
{
    const tacit__schema_column *column =
        tacit__schema_find(tacit_table_schema(table), tacit_strview_of(name));
    assert_non_null(column);
    return column;
}

static inline void has_type(const tacit_table *table, const char *column, tacit__type type)
{
    assert_int_equal(column_of(table, column)->type, type);
}

/* Cut off at, and with a byte changed at, every `step` bytes: an error, or a table. */
static inline void damage_file(const char *path, size_t step)
{
    static char bytes[1 << 16];
    tacit_csv_options options = converting();
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t len = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t at = 0; at < len; at += step) {
        tacit_table *table = NULL;
        char before = bytes[at];
        tacit_table_read_memory(&table, (tacit_strview){bytes, at}, "f", &options, NULL, NULL);
        tacit_table_free(table);
        table = NULL;
        bytes[at] = (char)(bytes[at] ^ 0x81);
        tacit_table_read_memory(&table, (tacit_strview){bytes, len}, "f", &options, NULL, NULL);
        tacit_table_free(table);
        bytes[at] = before;
    }
}

/* Reading and writing, for starve_some(). */
typedef struct hungry_case {
    const char *path, *written;
} hungry_case;

static inline tacit_status hungry(void *context, tacit_error *err)
{
    const hungry_case *wanted = context;
    tacit_csv_options options = converting();
    tacit_table *table = NULL;
    int fd = memfd_create("hungry", MFD_CLOEXEC);
    tacit_status status = tacit_table_read(&table, wanted->path, &options, NULL, err);
    if (status == TACIT_OK)
        status = tacit_format_write(fd, "f", tacit_format_of_name(wanted->written),
                                    tacit_table_schema(table), table, NULL, err);
    tacit_table_free(table);
    close(fd);
    return status;
}

#endif
