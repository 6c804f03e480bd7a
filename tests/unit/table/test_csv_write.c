/*
 * test_csv_write.c - the writer: what is replaced and what stays byte for byte,
 * in any order, on any number of threads, and what it says when it cannot.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <tacit/table.h>
#include <unistd.h>

#include "base/bitset.h"
#include "base/strbuf.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const int threads[] = {1, 2, 7};

static tacit_table *read_as(const char *text, size_t len, bool no_header)
{
    tacit_table *table = NULL;
    tacit_error err = {0};
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.no_header = no_header;
    if (tacit_table_read_memory(&table, (tacit_strview){text, len}, "f", &options, NULL, &err))
        fail_msg("%s", err.message);
    return table;
}

static tacit_table *read_text(const char *text)
{
    return read_as(text, strlen(text), false);
}

/* What the writer makes of a layout, terminated; the caller frees it. */
static char *written(const tacit_table *table, const tacit_csv_layout *layout, int count)
{
    int fd = memfd_create("release", MFD_CLOEXEC);
    tacit_run run;
    tacit_run_init(&run);
    run.threads = count;
    tacit_error err = {0};
    int64_t bytes = -1;
    if (tacit_table_write(fd, "release", &bytes, table, layout, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    assert_int_equal(lseek(fd, 0, SEEK_END), bytes);
    char *text = calloc(1, (size_t)bytes + 1);
    assert_int_equal(pread(fd, text, (size_t)bytes, 0), bytes);
    close(fd);
    return text;
}

static void assert_written(const char *expected, const tacit_table *table,
                           const tacit_csv_layout *layout)
{
    for (size_t t = 0; t < COUNT(threads); t++) {
        char *text = written(table, layout, threads[t]);
        assert_string_equal(text, expected);
        free(text);
    }
}

/* All columns as they are, all rows. */
static tacit_csv_layout plain(tacit_csv_column *columns, const tacit_table *table)
{
    for (int32_t i = 0; i < tacit_table_columns(table); i++)
        columns[i] = (tacit_csv_column){.source = i};
    return (tacit_csv_layout){.columns = columns,
                              .column_count = tacit_table_columns(table),
                              .row_count = tacit_table_rows(table)};
}

static void relabel(tacit_csv_column *column, const tacit_table *table, const tacit_strview *labels,
                    uint32_t count)
{
    column->relabelled = true;
    column->codes = tacit_table_codes(table, column->source);
    column->labels = labels;
    column->label_count = count;
}

#define LABEL(text)                 \
    {                               \
        (text), sizeof(text "") - 1 \
    }

static void stays_as_it_is(void **state)
{
    (void)state;
    const struct {
        const char *in, *out; /* NULL: the same */
        bool no_header;
    } cases[] = {
        {"a\n", NULL, false}, /* no row */
        {"a", "a\n", false},
        {"a,b\n1,2\n", NULL, false},
        {"a,b\n1,2", "a,b\n1,2\n", false}, /* the final line end is put in */
        {"a,b\n1,\n,2\n,\n", NULL, false},
        {"a\n\n\nx\n", NULL, false},
        {"a;b\r\n1;2\r\n;\r\n", NULL, false},
        {"a;b\r\n1;2", "a;b\r\n1;2\r\n", false},
        {"\xEF\xBB\xBF"
         "a\tb\n1\t2\n",
         NULL, false},
        {"\xEF\xBB\xBF"
         "1|2\r\n3|4\r\n",
         NULL, true},
        {"1,2\n3,4\n", NULL, true},
        {"1,2", "1,2\n", true},
        {"\"a\",\"b \"\"c\"\"\"\n\"1\",\"2,\n3\"\n\"\",\"say \"\"\"\"\"\n", NULL, false},
        {"a,b\n\"x\r\ny\",\"\xC3\xA4\"\n", NULL, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        tacit_table *table = read_as(cases[i].in, strlen(cases[i].in), cases[i].no_header);
        tacit_csv_column columns[2];
        tacit_csv_layout layout = plain(columns, table);
        assert_written(cases[i].out ? cases[i].out : cases[i].in, table, &layout);
        tacit_table_free(table);
    }
}

static void columns_are_chosen(void **state)
{
    (void)state;
    tacit_table *table = read_text("a,\"b\",c,d\n1,2,3,4\n5,\"6\",7,8\n");
    const struct {
        int32_t sources[4];
        int32_t count;
        const char *expected;
    } cases[] = {
        {{1}, 1, "\"b\"\n2\n\"6\"\n"},
        {{1, 2, 3}, 3, "\"b\",c,d\n2,3,4\n\"6\",7,8\n"},
        {{0, 1, 3}, 3, "a,\"b\",d\n1,2,4\n5,\"6\",8\n"},
        {{3, 2, 1, 0}, 4, "d,c,\"b\",a\n4,3,2,1\n8,7,\"6\",5\n"},
        {{2, 2}, 2, "c,c\n3,3\n7,7\n"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        tacit_csv_column columns[4] = {0};
        for (int32_t c = 0; c < cases[i].count; c++)
            columns[c].source = cases[i].sources[c];
        tacit_csv_layout layout = {
            .columns = columns, .column_count = cases[i].count, .row_count = 2};
        assert_written(cases[i].expected, table, &layout);
    }
    tacit_table_free(table);
}

static void no_columns(void **state)
{
    (void)state;
    tacit_table *table = read_text("a\n1\n");
    tacit_csv_layout layout = {.row_count = 1};
    tacit_error err = {0};
    int64_t bytes = -7;
    assert_int_equal(tacit_table_write(-1, "out", &bytes, table, &layout, NULL, &err),
                     TACIT_INVALID);
    assert_string_equal(err.message, "a release needs at least one column");
    assert_int_equal(bytes, -7);
    tacit_table_free(table);
}

/* Labels are quoted where they must be; NULL leaves the cell, quotes and all. */
static void labels_are_quoted(void **state)
{
    (void)state;
    tacit_table *table =
        read_text("a,b\nv,1\nw,\"2\"\nx,3\ny,\"4 \"\"\"\nz,5\n\"q\",6\n,\"7\"\nv,8\n");
    const tacit_strview labels[] = {
        LABEL("a,b"), LABEL("say \"hi\""), LABEL("two\nlines"), LABEL("\r"),
        LABEL(""),    {NULL, 0},           LABEL("none"),
    };
    tacit_csv_column columns[2];
    tacit_csv_layout layout = plain(columns, table);
    relabel(&columns[0], table, labels, COUNT(labels));
    assert_written("a,b\n\"a,b\",1\n\"say \"\"hi\"\"\",\"2\"\n\"two\nlines\",3\n\"\r\",\"4 "
                   "\"\"\"\n,5\n\"q\",6\nnone,\"7\"\n\"a,b\",8\n",
                   table, &layout);
    tacit_table_free(table);
}

static void the_delimiter_decides_what_is_quoted(void **state)
{
    (void)state;
    tacit_table *table = read_text("a;b\r\nx;1\r\ny;2\r\n");
    const tacit_strview labels[] = {LABEL("1,5"), LABEL("1;5"), {NULL, 0}};
    tacit_csv_column columns[2];
    tacit_csv_layout layout = plain(columns, table);
    relabel(&columns[0], table, labels, COUNT(labels));
    assert_written("a;b\r\n1,5;1\r\n\"1;5\";2\r\n", table, &layout);
    tacit_table_free(table);
}

/* A column whose labels are all NULL is one that stays; raw neighbours join it. */
static void labels_that_change_nothing(void **state)
{
    (void)state;
    tacit_table *table = read_text("a,b,c\n\"x\",\"y\",\"z\"\n1,2,3\n");
    const tacit_strview labels[3] = {{NULL, 0}};
    tacit_csv_column columns[3];
    tacit_csv_layout layout = plain(columns, table);
    relabel(&columns[1], table, labels, COUNT(labels));
    assert_written("a,b,c\n\"x\",\"y\",\"z\"\n1,2,3\n", table, &layout);
    tacit_table_free(table);
}

/* Short, long and longer than the cell it replaces: copies have several paths. */
static void labels_of_every_length(void **state)
{
    (void)state;
    char label[80], expected[200];
    memset(label, 'L', sizeof label);
    tacit_table *table = read_text("a,b\nx,1\n");
    for (size_t len = 0; len <= sizeof label; len++) {
        const tacit_strview labels[] = {{label, len}, {NULL, 0}};
        tacit_csv_column columns[2];
        tacit_csv_layout layout = plain(columns, table);
        relabel(&columns[0], table, labels, COUNT(labels));
        snprintf(expected, sizeof expected, "a,b\n%.*s,1\n", (int)len, label);
        assert_written(expected, table, &layout);
    }
    tacit_table_free(table);
}

static void suppressed_rows_are_blanked(void **state)
{
    (void)state;
    tacit_table *table = read_text("a,b,c\n1,x,p\n2,\"y\",q\n3,z,r\n");
    const tacit_strview labels[] = {LABEL("X"), {NULL, 0}, LABEL("Z"), {NULL, 0}};
    uint64_t suppressed[1] = {0};
    tacit__bit_set(suppressed, 1);
    tacit__bit_set(suppressed, 2);
    tacit_csv_column columns[3];
    tacit_csv_layout layout = plain(columns, table);
    relabel(&columns[1], table, labels, COUNT(labels));
    columns[0].blanked = columns[1].blanked = true; /* one without labels, one with */
    layout.suppressed = suppressed;
    layout.suppressed_label = tacit_strview_of("*");
    assert_written("a,b,c\n1,X,p\n*,*,q\n*,*,r\n", table, &layout);
    layout.suppressed_label = tacit_strview_of("n,a"); /* quoted as labels are */
    assert_written("a,b,c\n1,X,p\n\"n,a\",\"n,a\",q\n\"n,a\",\"n,a\",r\n", table, &layout);
    layout.suppressed = NULL;
    assert_written("a,b,c\n1,X,p\n2,\"y\",q\n3,Z,r\n", table, &layout);
    tacit_table_free(table);
}

static void rows_in_another_order(void **state)
{
    (void)state;
    tacit_table *table = read_text("a,b\n1,x\n2,\"y\"\n3,z");
    const tacit_strview labels[] = {LABEL("X"), {NULL, 0}, LABEL("Z,"), {NULL, 0}};
    const uint32_t order[] = {2, 0, 1}, part[] = {1}, twice[] = {0, 0, 2, 2};
    uint64_t suppressed[1] = {0};
    tacit__bit_set(suppressed, 0); /* bits speak of the table's rows, not the release's */
    tacit_csv_column columns[2];
    tacit_csv_layout layout = plain(columns, table);
    relabel(&columns[1], table, labels, COUNT(labels));
    columns[0].blanked = true;
    layout.suppressed = suppressed;
    layout.suppressed_label = tacit_strview_of("*");
    layout.order = order;
    assert_written("a,b\n3,\"Z,\"\n*,X\n2,\"y\"\n", table, &layout);
    layout.order = part;
    layout.row_count = 1;
    assert_written("a,b\n2,\"y\"\n", table, &layout);
    layout.order = twice;
    layout.row_count = 4;
    assert_written("a,b\n*,X\n*,X\n3,\"Z,\"\n3,\"Z,\"\n", table, &layout);
    layout.row_count = 0;
    assert_written("a,b\n", table, &layout);
    tacit_table_free(table);
}

/* Shows what value came in, behind the payload. */
static size_t bracket(tacit_strview value, char *out, size_t size, const void *payload)
{
    return (size_t)snprintf(out, size, "%s%.*s>", (const char *)payload, (int)value.len,
                            value.len ? value.bytes : "");
}

static size_t nothing(tacit_strview value, char *out, size_t size, const void *payload)
{
    (void)value;
    (void)out;
    (void)size;
    (void)payload;
    return 0;
}

static size_t all_quotes(tacit_strview value, char *out, size_t size, const void *payload)
{
    (void)value;
    (void)payload;
    memset(out, '"', size);
    return size + 10; /* longer than there is room: cut */
}

static void cells_are_rewritten(void **state)
{
    (void)state;
    tacit_table *table = read_text("a,b\n1,x\n\"2\",y\n\"3,\"\"4\"\"\",z\n,w\n\"\",v\n");
    tacit_csv_column columns[2];
    tacit_csv_layout layout = plain(columns, table);
    columns[0].rewrite = bracket;
    columns[0].payload = "<";
    assert_written("a,b\n<1>,x\n<2>,y\n\"<3,\"\"4\"\">\",z\n<>,w\n<>,v\n", table, &layout);
    columns[0].payload = ",";
    assert_written("a,b\n\",1>\",x\n\",2>\",y\n\",3,\"\"4\"\">\",z\n\",>\",w\n\",>\",v\n", table,
                   &layout);
    columns[0].rewrite = nothing;
    assert_written("a,b\n,x\n,y\n,z\n,w\n,v\n", table, &layout);
    const uint32_t order[] = {4, 3, 2, 1, 0};
    layout.order = order;
    columns[0].rewrite = bracket;
    columns[0].payload = "<";
    assert_written("a,b\n<>,v\n<>,w\n\"<3,\"\"4\"\">\",z\n<2>,y\n<1>,x\n", table, &layout);
    tacit_table_free(table);
}

/* What is suppressed is blanked, rewritten or not. */
static void rewritten_cells_are_blanked(void **state)
{
    (void)state;
    tacit_table *table = read_text("a,b\n1,x\n2,y\n");
    uint64_t suppressed[1] = {0};
    tacit__bit_set(suppressed, 1);
    char label[3 * TACIT_MAX_REWRITE + 1], expected[sizeof label + 20];
    memset(label, 'L', sizeof label - 1); /* longer than any rewritten cell */
    label[sizeof label - 1] = '\0';
    tacit_csv_column columns[2];
    tacit_csv_layout layout = plain(columns, table);
    columns[0].rewrite = bracket;
    columns[0].payload = "<";
    columns[0].blanked = true;
    layout.suppressed = suppressed;
    layout.suppressed_label = tacit_strview_of(label);
    snprintf(expected, sizeof expected, "a,b\n<1>,x\n%s,y\n", label);
    assert_written(expected, table, &layout);
    tacit_table_free(table);
}

static void longest_rewrite(void **state)
{
    (void)state;
    tacit_table *table = read_text("a,b\n1,x\n");
    tacit_csv_column columns[2];
    tacit_csv_layout layout = plain(columns, table);
    columns[0].rewrite = columns[1].rewrite = all_quotes;
    char cell[2 * TACIT_MAX_REWRITE + 3], expected[sizeof cell * 2 + 8];
    memset(cell, '"', sizeof cell - 1);
    cell[sizeof cell - 1] = '\0';
    snprintf(expected, sizeof expected, "a,b\n%s,%s\n", cell, cell);
    assert_written(expected, table, &layout);
    tacit_table_free(table);
}

/* Large tables: columns of a few values and of many, one of them quoted. Beyond
 * several batches of rows (4096 in order, 2^16 out of order), the last not full. */
enum { ROWS = 3 * 4096 + 77, SHUFFLED_ROWS = (1 << 17) + 77 };

static tacit__strbuf large_text(int columns, int rows)
{
    tacit__strbuf text = {0};
    for (int c = 0; c < columns; c++)
        tacit__strbuf_format(&text, "%sc%d", c ? "," : "", c);
    tacit__strbuf_text(&text, "\n");
    for (int row = 0; row < rows; row++) {
        for (int c = 0; c < columns; c++)
            tacit__strbuf_format(&text, c == 2 ? "%s\"%d, %d\"" : "%s%d-%d", c ? "," : "", c,
                                 row % (c < 2 ? 5 : 200));
        tacit__strbuf_text(&text, "\n");
    }
    assert_false(text.failed);
    return text;
}

/* The table's columns with every label bracketed, as the writer must write it. */
static tacit__strbuf expected_text(int columns, int rows, const uint32_t *order)
{
    tacit__strbuf text = {0};
    for (int c = 0; c < columns; c++)
        tacit__strbuf_format(&text, "%sc%d", c ? "," : "", c);
    tacit__strbuf_text(&text, "\n");
    for (int i = 0; i < rows; i++) {
        int row = order ? (int)order[i] : i;
        for (int c = 0; c < columns; c++)
            tacit__strbuf_format(&text, c == 2 ? "%s\"L%d, %d\"" : "%sL%d-%d", c ? "," : "", c,
                                 row % (c < 2 ? 5 : 200));
        tacit__strbuf_text(&text, "\n");
    }
    assert_false(text.failed);
    return text;
}

static tacit_strview *bracketed(const tacit_table *table, int32_t column)
{
    uint32_t count = tacit_table_distinct(table, column);
    tacit_strview *labels = calloc(count + 1, sizeof *labels);
    for (uint32_t i = 0; i < count; i++) {
        tacit_strview value = tacit_table_value(table, column, i);
        char *label = malloc(value.len + 1);
        label[0] = 'L';
        memcpy(label + 1, value.bytes, value.len);
        labels[i] = (tacit_strview){label, value.len + 1};
    }
    return labels;
}

static void many_rows(int columns, int rows, bool ordered)
{
    tacit__strbuf text = large_text(columns, rows);
    tacit_table *table = read_as(text.bytes, text.len, false);
    uint32_t *order = calloc((size_t)rows, sizeof *order);
    for (int64_t i = 0; i < rows; i++)
        order[i] = (uint32_t)(i * 7919 % rows); /* 7919 is prime and no factor */
    tacit_csv_column release[16];
    tacit_strview *labels[16];
    tacit_csv_layout layout = plain(release, table);
    for (int32_t c = 0; c < columns; c++) {
        labels[c] = bracketed(table, c);
        relabel(&release[c], table, labels[c], tacit_table_distinct(table, c) + 1);
    }
    layout.order = ordered ? order : NULL;
    tacit__strbuf expected = expected_text(columns, rows, layout.order);
    for (size_t t = 0; t < COUNT(threads); t++) {
        char *found = written(table, &layout, threads[t]);
        assert_int_equal(strlen(found), expected.len);
        assert_memory_equal(found, expected.bytes, expected.len);
        free(found);
    }
    for (int32_t c = 0; c < columns; c++) {
        for (uint32_t i = 0; i < tacit_table_distinct(table, c); i++)
            free((char *)(uintptr_t)labels[c][i].bytes);
        free(labels[c]);
    }
    tacit__strbuf_clear(&expected);
    tacit__strbuf_clear(&text);
    tacit_table_free(table);
    free(order);
}

static void batches_of_rows(void **state)
{
    (void)state;
    many_rows(4, ROWS, false);
}

static void batches_out_of_order(void **state)
{
    (void)state;
    many_rows(4, ROWS, true); /* 3 + 3 + 8 + 8 bits of labels: packed */
    many_rows(2, SHUFFLED_ROWS, true);
}

/* Ten columns of 200 labels take 80 bits, more than a record has. */
static void labels_beyond_a_record(void **state)
{
    (void)state;
    many_rows(12, ROWS, true);
    many_rows(12, ROWS, false);
}

static void full_disk(void **state)
{
    (void)state;
    tacit_table *table = read_text("a,b\n1,x\n2,y\n");
    tacit_csv_column columns[2];
    tacit_csv_layout layout = plain(columns, table);
    int fd = open("/dev/full", O_WRONLY);
    tacit_error err = {0};
    int64_t bytes = -7;
    assert_int_equal(tacit_table_write(fd, "out.csv", &bytes, table, &layout, NULL, &err),
                     TACIT_IO);
    assert_string_equal(err.file, "out.csv");
    assert_string_equal(err.message, "cannot write: No space left on device");
    assert_int_equal(bytes, -7);
    close(fd);
    tacit_table_free(table);
}

/* The disk fills up in the middle of a batch, and the other threads must not
 * wait for it. */
static void disk_that_fills_up(void **state)
{
    (void)state;
    tacit__strbuf text = large_text(4, ROWS);
    tacit_table *table = read_as(text.bytes, text.len, false);
    tacit_csv_column columns[4];
    tacit_csv_layout layout = plain(columns, table);
    struct rlimit before, tight;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tight = (struct rlimit){.rlim_cur = text.len / 2, .rlim_max = before.rlim_max};
    for (size_t t = 0; t < COUNT(threads); t++) {
        char path[] = "/tmp/tacit-write-XXXXXX";
        int fd = mkstemp(path);
        unlink(path);
        tacit_run run;
        tacit_run_init(&run);
        run.threads = threads[t];
        tacit_error err = {0};
        void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &tight);
        tacit_status status = tacit_table_write(fd, "out.csv", NULL, table, &layout, &run, &err);
        setrlimit(RLIMIT_FSIZE, &before);
        signal(SIGXFSZ, handler);
        assert_int_equal(status, TACIT_IO);
        assert_string_equal(err.file, "out.csv");
        assert_string_equal(err.message, "cannot write: File too large");
        close(fd);
    }
    tacit_table_free(table);
    tacit__strbuf_clear(&text);
}

static bool stop_soon(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase;
    (void)total;
    (void)payload;
    return done < 2;
}

static void writing_is_cancelled(void **state)
{
    (void)state;
    tacit__strbuf text = large_text(4, ROWS);
    tacit_table *table = read_as(text.bytes, text.len, false);
    tacit_csv_column columns[4];
    tacit_csv_layout layout = plain(columns, table);
    for (size_t t = 0; t < COUNT(threads); t++) {
        int fd = memfd_create("release", MFD_CLOEXEC);
        tacit_run run;
        tacit_run_init(&run);
        run.threads = threads[t];
        run.progress = stop_soon;
        tacit_error err = {0};
        assert_int_equal(tacit_table_write(fd, "out", NULL, table, &layout, &run, &err),
                         TACIT_CANCELLED);
        close(fd);
    }
    tacit_table_free(table);
    tacit__strbuf_clear(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stays_as_it_is),
        cmocka_unit_test(columns_are_chosen),
        cmocka_unit_test(no_columns),
        cmocka_unit_test(labels_are_quoted),
        cmocka_unit_test(the_delimiter_decides_what_is_quoted),
        cmocka_unit_test(labels_that_change_nothing),
        cmocka_unit_test(labels_of_every_length),
        cmocka_unit_test(suppressed_rows_are_blanked),
        cmocka_unit_test(rows_in_another_order),
        cmocka_unit_test(cells_are_rewritten),
        cmocka_unit_test(rewritten_cells_are_blanked),
        cmocka_unit_test(longest_rewrite),
        cmocka_unit_test(batches_of_rows),
        cmocka_unit_test(batches_out_of_order),
        cmocka_unit_test(labels_beyond_a_record),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(disk_that_fills_up),
        cmocka_unit_test(writing_is_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
