/*
 * test_packed.c - compressed CSV: what gzip and zstd (their own commands' forms) make is read, what
 * is written reads back the same, and what is damaged is an error.
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
#include <tacit/experimental/formats.h>
#include <unistd.h>

#include "starve.h"

static const char *const texts[] = {
    "a,b\n1,2\n",
    "a;b\r\n\"x;y\";\"\"\r\n;z\r\n",
    "a\n\"\"\n\"two\nlines\"\n",
};

static tacit_table *read_plain(const char *text)
{
    tacit_table *table = NULL;
    tacit_error err = {0};
    if (tacit_table_read_memory(&table, tacit_strview_of(text), "f", NULL, NULL, &err))
        fail_msg("%s", err.message);
    return table;
}

/* The bytes of a text in a format. */
static tacit_strview packed(const char *text, const tacit_format *format)
{
    tacit_table *table = read_plain(text);
    tacit_error err = {0};
    int fd = memfd_create("packed", MFD_CLOEXEC);
    if (tacit_format_write(fd, "packed", format, NULL, table, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    size_t len = (size_t)lseek(fd, 0, SEEK_END);
    char *bytes = malloc(len + 1);
    assert_int_equal(pread(fd, bytes, len, 0), len);
    close(fd);
    tacit_table_free(table);
    return (tacit_strview){bytes, len};
}

static tacit_status unpack(tacit_table **table, tacit_strview bytes, tacit_error *err)
{
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.convert = tacit_formats_convert;
    return tacit_table_read_memory(table, bytes, "f", &options, NULL, err);
}

static const tacit_format *const *both(void)
{
    static const tacit_format *formats[3];
    formats[0] = tacit_format_of_name("x.csv.gz");
    formats[1] = tacit_format_of_name("dir/X.CSV.ZST");
    assert_non_null(formats[0]);
    assert_non_null(formats[1]);
    return formats;
}

static void reads_what_it_writes(void **state)
{
    (void)state;
    for (const tacit_format *const *format = both(); *format; format++)
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            tacit_strview bytes = packed(texts[i], *format);
            tacit_table *plain = read_plain(texts[i]), *table = NULL;
            tacit_error err = {0};
            if (unpack(&table, bytes, &err) != TACIT_OK)
                fail_msg("%s", err.message);
            assert_int_equal(tacit_table_rows(table), tacit_table_rows(plain));
            assert_int_equal(tacit_table_delimiter(table), tacit_table_delimiter(plain));
            assert_ptr_equal(tacit_schema_format(tacit_table_schema(table)), *format);
            tacit_table_free(table);
            tacit_table_free(plain);
            free((char *)(uintptr_t)bytes.bytes);
        }
}

/* Cut off anywhere, or with a byte changed: an error, or the same rows. */
static void damage(void **state)
{
    (void)state;
    for (const tacit_format *const *format = both(); *format; format++) {
        tacit_strview bytes = packed(texts[1], *format);
        char *copy = malloc(bytes.len);
        for (size_t len = 4; len < bytes.len; len++) {
            tacit_table *table = NULL;
            tacit_error err = {0};
            assert_int_equal(unpack(&table, (tacit_strview){bytes.bytes, len}, &err), TACIT_PARSE);
        }
        for (size_t at = 4; at < bytes.len; at++) {
            tacit_table *table = NULL;
            memcpy(copy, bytes.bytes, bytes.len);
            copy[at] = (char)(copy[at] ^ 0x55);
            if (unpack(&table, (tacit_strview){copy, bytes.len}, NULL) == TACIT_OK)
                assert_int_equal(tacit_table_rows(table), 2);
            tacit_table_free(table);
        }
        free(copy);
        free((char *)(uintptr_t)bytes.bytes);
    }
}

/* Two gzip members after each other are one text (RFC 1952, 2.2). */
static void members(void **state)
{
    (void)state;
    tacit_strview head = packed("a,b\n1,2\n", both()[0]), tail = packed("3,4\n5,6\n", both()[0]);
    char *bytes = malloc(head.len + tail.len);
    tacit_table *table = NULL;
    tacit_error err = {0};
    memcpy(bytes, head.bytes, head.len);
    memcpy(bytes + head.len, tail.bytes, tail.len);
    if (unpack(&table, (tacit_strview){bytes, head.len + tail.len}, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    assert_int_equal(tacit_table_rows(table), 3);
    tacit_table_free(table);
    free(bytes);
    free((char *)(uintptr_t)head.bytes);
    free((char *)(uintptr_t)tail.bytes);
}

static tacit_status hungry(void *context, tacit_error *err)
{
    const tacit_strview *bytes = context;
    tacit_table *table = NULL;
    tacit_status status = unpack(&table, *bytes, err);
    tacit_table_free(table);
    return status;
}

static void starves(void **state)
{
    (void)state;
    for (const tacit_format *const *format = both(); *format; format++) {
        tacit_strview bytes = packed(texts[0], *format);
        starve_some(hungry, &bytes, 200);
        free((char *)(uintptr_t)bytes.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_writes),
        cmocka_unit_test(damage),
        cmocka_unit_test(members),
        cmocka_unit_test(starves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
