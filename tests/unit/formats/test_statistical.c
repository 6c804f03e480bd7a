/*
 * test_statistical.c - files of Stata, SPSS and SAS: what haven has written is read with its types,
 * labels and codes of missing values, and goes out with them; what comes from CSV gets types that
 * hold it; what a format cannot hold is refused with the column's name; damaged files are errors.
 * The writer reads back by itself (formats.c), so a test of a round trip is that it succeeds.
 */
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

#define CORPUS TACIT_SOURCE_DIR "/tests/fuzz/corpus/formats/"

static const char *const written[] = {"x.dta", "x.sav", "x.zsav", "x.xpt"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static tacit_csv_options converting(void)
{
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.convert = tacit_formats_convert;
    return options;
}

static tacit_table *read_file(const char *path)
{
    tacit_csv_options options = converting();
    tacit_table *table = NULL;
    tacit_error err = {0};
    if (tacit_table_read(&table, path, &options, NULL, &err) != TACIT_OK)
        fail_msg("%s: %s", path, err.message);
    return table;
}

static tacit_table *read_text(const char *text)
{
    tacit_table *table = NULL;
    tacit_error err = {0};
    if (tacit_table_read_memory(&table, tacit_strview_of(text), "f", NULL, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return table;
}

/* The table as a file in memory, read again. */
static tacit_table *again(const tacit_table *table, const char *name)
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

static void says(const tacit_table *table, const char *column, int64_t row, const char *wanted)
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

static const tacit__schema_column *column_of(const tacit_table *table, const char *name)
{
    const tacit__schema_column *column =
        tacit__schema_find(tacit_table_schema(table), tacit_strview_of(name));
    assert_non_null(column);
    return column;
}

static void has_labels(const tacit_table *table)
{
    const tacit__schema_column *sex = column_of(table, "sex");
    assert_true(sex->label_set >= 0);
    const tacit__label_set *set = &tacit_table_schema(table)->label_sets[sex->label_set];
    assert_int_equal(set->count, 2);
    assert_true(tacit_strview_equal(set->labels[0].value, tacit_strview_of("1")));
    assert_true(tacit_strview_equal(set->labels[0].text, tacit_strview_of("male")));
    assert_true(tacit_strview_equal(sex->label, tacit_strview_of("Sex")));
}

static void has_cells(const tacit_table *table)
{
    assert_int_equal(tacit_table_rows(table), 3);
    says(table, "name", 1, "\xC3\xA9");
    says(table, "name", 2, "");
    says(table, "born", 0, "1899-12-31");
    says(table, "born", 2, "");
    assert_int_equal(column_of(table, "born")->type, TACIT__TYPE_DATE);
    assert_int_equal(column_of(table, "name")->type, TACIT__TYPE_TEXT);
}

static void reads_others(void **state)
{
    (void)state;
    static const char *const files[] = {"labelled.dta", "labelled.sav", "labelled.zsav",
                                        "labelled.xpt", "v5.xpt",       "labelled.sas7bdat"};
    for (size_t i = 0; i < COUNT(files); i++) {
        char path[512];
        snprintf(path, sizeof path, CORPUS "%s", files[i]);
        tacit_table *table = read_file(path);
        has_cells(table);
        if (i < 3)
            has_labels(table);
        tacit_table_free(table);
    }
}

static void reads_portable(void **state)
{
    (void)state;
    tacit_table *table = read_file(CORPUS "small.por");
    says(table, "ID", 0, "1.5");
    says(table, "NAME", 0, "Ann");
    says(table, "BORN", 0, "1970-01-01"); /* 141 428 days after 1582-10-14 */
    says(table, "BORN", 1, "");
    tacit_table_free(table);
}

static void keeps_what_it_read(void **state)
{
    (void)state;
    tacit_table *stata = read_file(CORPUS "labelled.dta"), *spss = read_file(CORPUS "labelled.sav");
    says(stata, "x", 1, ".a");
    says(spss, "x", 1, "99");
    for (size_t i = 0; i < 3; i++) {
        tacit_table *copy = again(i ? spss : stata, written[i]);
        has_cells(copy);
        has_labels(copy);
        tacit_table_free(copy);
    }
    tacit_table *copy = again(stata, "x.dta");
    says(copy, "x", 1, ".a");
    assert_int_equal(column_of(copy, "x")->type, TACIT__TYPE_REAL);
    tacit_table_free(copy);
    copy = again(spss, "x.sav");
    assert_int_equal(column_of(copy, "x")->missing_count, 1);
    assert_true(column_of(copy, "x")->missing[0][0] == 99);
    tacit_table_free(copy);
    tacit_table_free(stata);
    tacit_table_free(spss);
}

static const char any[] =
    "tiny,small,whole,huge,real,day,moment,word,mixed,none\n"
    "100,32740,2147483620,9007199254740993,0.1,0001-01-01,1582-10-15T00:00:00,\"a, \"\"b\"\"\",1,\n"
    "-127,-32767,-2147483647,-1,-1e+300,9999-12-31,2020-02-29T23:59:59.5,\"two\nlines\",x,\n"
    "0,,0,0,,,,,2020-01-01,\n";

static void takes_any(void **state)
{
    (void)state;
    tacit_table *table = read_text(any);
    for (size_t i = 0; i < COUNT(written); i++) {
        if (strcmp(written[i], "x.xpt") == 0)
            continue; /* its numbers end at 7.2e75 */
        tacit_table *copy = again(table, written[i]);
        assert_int_equal(column_of(copy, "huge")->type, TACIT__TYPE_TEXT);
        assert_int_equal(column_of(copy, "mixed")->type, TACIT__TYPE_TEXT);
        assert_int_equal(column_of(copy, "day")->type, TACIT__TYPE_DATE);
        assert_int_equal(column_of(copy, "moment")->type, TACIT__TYPE_MOMENT);
        if (i == 0)
            assert_int_equal(column_of(copy, "tiny")->type, TACIT__TYPE_INTEGER);
        tacit_table_free(copy);
    }
    tacit_table_free(table);
}

static void refuses(void **state)
{
    (void)state;
    char longer[2100] = "a\n";
    memset(longer + 2, 'x', 2046);
    static const char *const named = "marital-status\n1\n";
    const struct {
        const char *text, *name;
        bool taken;
    } cases[] = {{named, "x.dta", false}, {longer, "x.dta", false}, {longer, "x.sav", true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        tacit_table *table = read_text(cases[i].text);
        tacit_error err = {0};
        int fd = memfd_create("refused", MFD_CLOEXEC);
        tacit_status status = tacit_format_write(fd, "r", tacit_format_of_name(cases[i].name), NULL,
                                                 table, NULL, &err);
        assert_int_equal(status, cases[i].taken ? TACIT_OK : TACIT_INVALID);
        if (!cases[i].taken)
            assert_non_null(strstr(err.message, "column \""));
        close(fd);
        tacit_table_free(table);
    }
}

/* Cut off anywhere, and each byte changed in turn: an error, or a table. */
static void damage(void **state)
{
    (void)state;
    static const char *const files[] = {"labelled.dta", "labelled.sav", "labelled.xpt"};
    for (size_t i = 0; i < COUNT(files); i++) {
        char path[512], bytes[1 << 14];
        snprintf(path, sizeof path, CORPUS "%s", files[i]);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        size_t len = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        tacit_csv_options options = converting();
        for (size_t at = 0; at < len; at += 7) {
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
}

static tacit_status hungry(void *context, tacit_error *err)
{
    tacit_csv_options options = converting();
    tacit_table *table = NULL;
    int fd = memfd_create("hungry", MFD_CLOEXEC);
    tacit_status status = tacit_table_read(&table, context, &options, NULL, err);
    if (status == TACIT_OK)
        status = tacit_format_write(fd, "f", tacit_format_of_name("x.dta"),
                                    tacit_table_schema(table), table, NULL, err);
    tacit_table_free(table);
    close(fd);
    return status;
}

static void starves(void **state)
{
    (void)state;
    starve_some(hungry, CORPUS "labelled.dta", 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_others),
        cmocka_unit_test(reads_portable),
        cmocka_unit_test(keeps_what_it_read),
        cmocka_unit_test(takes_any),
        cmocka_unit_test(refuses),
        cmocka_unit_test(damage),
        cmocka_unit_test(starves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
