/*
 * test_table_changed.c - another program writes to a file while a table is made of it. A small file
 * was copied: nothing of the table changes. A large one is mapped: rows stay within their bounds
 * whatever stands there now, writing them is safe, and the change is found out, by its time or,
 * where that was put back, by what was read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tacit/table.h>

#include "base/file.h"

enum { COLUMNS = 3, ROW = 64 };

/* A file of rows of ROW bytes, in memory. */
static int make_file(int64_t rows, bool quoted)
{
    int fd = memfd_create("table", MFD_CLOEXEC);
    FILE *file = fdopen(dup(fd), "w");
    assert_non_null(file);
    fprintf(file, "a,b,c\n");
    for (int64_t i = 0; i < rows; i++)
        fprintf(file, quoted ? "%07ld,\"x,%049ld\",y\n" : "%07ld,%053ld,y\n", (long)i, (long)i);
    fclose(file);
    return fd;
}

static tacit_table *read_file(int fd)
{
    static const char *const CODED[] = {"c"};
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_error err = {0};
    tacit_csv_options_init(&options);
    options.coded = CODED;
    options.coded_count = 1;
    assert_int_equal(tacit_table_read_fd(&table, fd, "data", &options, NULL, &err), TACIT_OK);
    return table;
}

/* Writes bytes over the file and puts its times back. */
static void overwrite(int fd, char byte, bool restore)
{
    struct stat before;
    char block[ROW * 100];
    memset(block, byte, sizeof block);
    assert_int_equal(fstat(fd, &before), 0);
    for (off_t at = 6; at + (off_t)sizeof block <= before.st_size; at += (off_t)sizeof block)
        assert_int_equal(pwrite(fd, block, sizeof block, at), sizeof block);
    const struct timespec times[] = {before.st_atim, before.st_mtim};
    if (restore)
        assert_int_equal(futimens(fd, times), 0);
}

static tacit_status write_out(const tacit_table *table)
{
    static const tacit_strview LABELS[] = {{"z", 1}, {"", 0}};
    const tacit_csv_column columns[] = {
        {.source = 0},
        {.source = 2,
         .relabelled = true,
         .codes = tacit_table_codes(table, 2),
         .labels = LABELS,
         .label_count = 2},
        {.source = 1},
        {.source = 2},
    };
    const tacit_csv_layout layout = {
        .columns = columns, .column_count = 4, .row_count = tacit_table_rows(table)};
    int fd = memfd_create("release", MFD_CLOEXEC);
    tacit_status status = tacit_table_write(fd, "release", NULL, table, &layout, NULL, NULL);
    close(fd);
    return status;
}

static void require_rows_in_bounds(const tacit_table *table)
{
    tacit_strview cells[COLUMNS];
    const char *before = NULL;
    for (int64_t row = 0; row < tacit_table_rows(table); row++) {
        tacit_table_row(table, row, cells);
        size_t len = 0;
        for (int i = 0; i < COLUMNS; i++)
            len += cells[i].len;
        assert_true(len <= ROW);
        assert_true(!before || cells[0].bytes - before <= 2 * ROW);
        before = cells[0].bytes;
    }
}

static void test_small_is_copied(void **state)
{
    (void)state;
    int fd = make_file(1000, false);
    tacit_table *table = read_file(fd);
    tacit_strview cells[COLUMNS];
    overwrite(fd, ',', false);
    tacit_table_row(table, 7, cells);
    assert_int_equal(cells[0].len, 7);
    assert_memory_equal(cells[0].bytes, "0000007", 7);
    assert_int_equal(tacit_table_check_unchanged(table, NULL, NULL), TACIT_OK);
    tacit_table_free(table);
    close(fd);
}

static void test_large_is_watched(void **state)
{
    (void)state;
    static const char BYTES[] = {',', '"'};
    for (size_t i = 0; i < 2 * sizeof BYTES; i++) {
        tacit_error err = {0};
        int fd = make_file(TACIT__MAX_COPIED / ROW + 1000, i % 2);
        tacit_table *table = read_file(fd);
        assert_int_equal(tacit_table_check_unchanged(table, NULL, &err), TACIT_OK);
        overwrite(fd, BYTES[i / 2], i % 3 == 0);
        require_rows_in_bounds(table);
        write_out(table);
        assert_int_equal(tacit_table_check_unchanged(table, NULL, &err), TACIT_IO);
        assert_non_null(strstr(err.message, "changed while it was read"));
        tacit_table_free(table);
        close(fd);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_is_copied),
        cmocka_unit_test(test_large_is_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
