/*
 * test_arrow.c - columns of the Arrow C data interface: arrays laid out by hand, as the
 * specification has them, become the cells that they stand for and columns of the same types
 * again; what no table is made of, and what is damaged, is an error.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/formats.h"
#include "starve.h"

__extension__ typedef __int128 whole;

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- a stream by hand: its columns are static, and releasing them is counted ---- */

typedef struct hand_column {
    const char *format;
    const uint8_t *valid;
    const void *data, *more, *last;
    int buffers;
    int64_t nulls;
    const char *dictionary; /* its format; NULL: none */
    const void *entries, *entry_text;
    int64_t entry_count;
} hand_column;

enum { MAX_COLUMNS = 32 };

typedef struct hand_stream {
    const hand_column *columns;
    int64_t count, rows, offset;
    int batches;
    int fail; /* get_next fails with it */
    int released;
    /* What is handed out, one batch at a time. */
    struct ArrowSchema schemas[MAX_COLUMNS], entry_schemas[MAX_COLUMNS], *schema_list[MAX_COLUMNS];
    struct ArrowArray arrays[MAX_COLUMNS], entries[MAX_COLUMNS], *array_list[MAX_COLUMNS];
    const void *buffers[MAX_COLUMNS][4], *entry_buffers[MAX_COLUMNS][3];
} hand_stream;

static hand_stream hand_of(const hand_column *columns, int64_t count, int64_t offset, int batches)
{
    return (hand_stream){
        .columns = columns, .count = count, .rows = 3, .offset = offset, .batches = batches};
}

static void release_hand_array(struct ArrowArray *array)
{
    array->release = NULL;
}

static void release_hand_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static int hand_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    static char names[MAX_COLUMNS][4];
    hand_stream *hand = stream->private_data;
    *out = (struct ArrowSchema){.format = "+s",
                                .n_children = hand->count,
                                .children = hand->schema_list,
                                .release = release_hand_schema};
    for (int64_t i = 0; i < hand->count; i++) {
        snprintf(names[i], sizeof names[i], "c%d", (int)i);
        hand->schema_list[i] = &hand->schemas[i];
        hand->schemas[i] = (struct ArrowSchema){
            .format = hand->columns[i].format, .name = names[i], .release = release_hand_schema};
        hand->entry_schemas[i] = (struct ArrowSchema){.format = hand->columns[i].dictionary};
        if (hand->columns[i].dictionary)
            hand->schemas[i].dictionary = &hand->entry_schemas[i];
    }
    return 0;
}

static void fill_hand_array(hand_stream *hand, int64_t i)
{
    const hand_column *column = &hand->columns[i];
    const void *buffers[4] = {column->valid, column->data, column->more, column->last};
    memcpy(hand->buffers[i], buffers, sizeof buffers);
    hand->array_list[i] = &hand->arrays[i];
    hand->arrays[i] = (struct ArrowArray){.length = hand->rows,
                                          .null_count = column->nulls,
                                          .n_buffers = column->buffers,
                                          .buffers = hand->buffers[i],
                                          .release = release_hand_array};
    if (!column->dictionary)
        return;
    hand->entry_buffers[i][1] = column->entries;
    hand->entry_buffers[i][2] = column->entry_text;
    hand->entries[i] = (struct ArrowArray){
        .length = column->entry_count, .n_buffers = 3, .buffers = hand->entry_buffers[i]};
    hand->arrays[i].dictionary = &hand->entries[i];
}

static int hand_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    hand_stream *hand = stream->private_data;
    *out = (struct ArrowArray){.release = NULL};
    if (hand->fail)
        return hand->fail;
    if (hand->batches-- <= 0)
        return 0;
    *out = (struct ArrowArray){.length = hand->rows - hand->offset,
                               .offset = hand->offset,
                               .n_children = hand->count,
                               .children = hand->array_list,
                               .release = release_hand_array};
    for (int64_t i = 0; i < hand->count; i++)
        fill_hand_array(hand, i);
    return 0;
}

static const char *hand_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "the disk is gone";
}

static void release_hand_stream(struct ArrowArrayStream *stream)
{
    ((hand_stream *)stream->private_data)->released++;
    stream->release = NULL;
}

static struct ArrowArrayStream stream_of(hand_stream *hand)
{
    return (struct ArrowArrayStream){hand_schema, hand_next, hand_error, release_hand_stream, hand};
}

/* ---- every type ---- */

static const uint8_t odd[] = {5}; /* rows 0 and 2 are there, row 1 is not */
static const int32_t offsets[] = {0, 2, 2, 5};
static const int64_t large_offsets[] = {0, 0, 1, 3};
static const int32_t entry_offsets[] = {0, 3, 6};
static const whole decimals[] = {12345, -7, (whole)1 << 70};

/* Views: short, none, and one in a buffer. */
static const char view_text[] = "a text of twenty bytes";
static struct {
    int32_t len;
    char bytes[12];
} views[3] = {{5, "short"}, {0, ""}, {20, ""}};
static const int64_t view_lengths[] = {sizeof view_text - 1};

static const hand_column every[] = {
    {"b", odd, (const uint8_t[]){1}, NULL, NULL, 2, 1, NULL, NULL, NULL, 0},
    {"c", NULL, (const int8_t[]){-128, 0, 127}, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
    {"C", NULL, (const uint8_t[]){255, 0, 7}, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
    {"s", NULL, (const int16_t[]){-300, 0, 300}, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
    {"S", NULL, (const uint16_t[]){65535, 0, 1}, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
    {"i", odd, (const int32_t[]){INT32_MIN, 0, 9}, NULL, NULL, 2, -1, NULL, NULL, NULL, 0},
    {"I", NULL, (const uint32_t[]){UINT32_MAX, 0, 1}, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
    {"l", NULL, (const int64_t[]){INT64_MIN, 0, INT64_MAX}, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
    {"L", NULL, (const uint64_t[]){INT64_MAX, 0, 1}, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
    {"f", NULL, (const float[]){0.1F, NAN, 2.5F}, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
    {"g", odd, (const double[]){0.1, 1, 1e300}, NULL, NULL, 2, 1, NULL, NULL, NULL, 0},
    {"d:30,2", odd, decimals, NULL, NULL, 2, 1, NULL, NULL, NULL, 0},
    {"tdD", NULL, (const int32_t[]){-25567, 0, 20000}, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
    {"tdm", NULL, (const int64_t[]){-86400000, 0, 86400000}, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
    {"tts", NULL, (const int32_t[]){0, 1, 86399}, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
    {"ttu", NULL, (const int64_t[]){0, 1, 3600000000}, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
    {"tss:", NULL, (const int64_t[]){-1, 0, 1}, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
    {"tsn:UTC", NULL, (const int64_t[]){-1, 0, 1500000000}, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
    {"tDm", NULL, (const int64_t[]){-1, 0, 1}, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
    {"u", odd, offsets, "a,\"b\n", NULL, 3, 1, NULL, NULL, NULL, 0},
    {"U", NULL, large_offsets, "x\xC3\xA9", NULL, 3, 0, NULL, NULL, NULL, 0},
    {"c", odd, (const int8_t[]){1, 99, 0}, NULL, NULL, 2, 1, "u", entry_offsets, "redtan", 2},
    {"n", NULL, NULL, NULL, NULL, 0, 3, NULL, NULL, NULL, 0},
};

static const char every_text[] =
    "c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14,c15,c16,c17,c18,c19,c20,c21,c22\n"
    "true,-128,255,-300,65535,-2147483648,4294967295,-9223372036854775808,9223372036854775807,0.1,"
    "0.1,123.45,1900-01-01,1969-12-31,00:00:00,00:00:00,1969-12-31T23:59:59,"
    "1969-12-31T23:59:59.999999999Z,-1,\"a,\",\"\",tan,\n"
    ",0,0,0,0,,0,0,0,,,,1970-01-01,1970-01-01,00:00:01,00:00:00.000001,1970-01-01T00:00:00,"
    "1970-01-01T00:00:00Z,0,,x,,\n"
    "false,127,7,300,1,9,1,9223372036854775807,1,2.5,1e+300,11805916207174113034.24,2024-10-04,"
    "1970-01-02,23:59:59,01:00:00,1970-01-01T00:00:01,1970-01-01T00:00:01.5Z,1,\"\"\"b\n\","
    "\xC3\xA9,"
    "red,\n";

static tacit_status read_stream(char **text, tacit_schema **schema, struct ArrowArrayStream *stream,
                                tacit_error *err)
{
    int fd = memfd_create("text", MFD_CLOEXEC);
    tacit_status status = tacit_arrow_read(fd, schema, stream, NULL, err);
    if (status == TACIT_OK) {
        size_t len = (size_t)lseek(fd, 0, SEEK_END);
        *text = calloc(len + 1, 1);
        assert_int_equal(pread(fd, *text, len, 0), len);
    }
    close(fd);
    return status;
}

static tacit_table *table_of(const char *text)
{
    tacit_table *table = NULL;
    tacit_error err = {0};
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.code_none = true;
    if (tacit_table_read_memory(&table, tacit_strview_of(text), "f", &options, NULL, &err) !=
        TACIT_OK)
        fail_msg("%s", err.message);
    return table;
}

static void cells(void **state)
{
    (void)state;
    hand_stream hand = hand_of(every, COUNT(every), 0, 1);
    struct ArrowArrayStream stream = stream_of(&hand);
    tacit_schema *schema = NULL;
    tacit_error err = {0};
    char *text = NULL;
    if (read_stream(&text, &schema, &stream, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    assert_string_equal(text, every_text);
    assert_int_equal(hand.released, 1);
    assert_null(stream.release);
    tacit_schema_free(schema);
    free(text);
}

/* Batches that begin within their arrays, one after the other. */
static void batches(void **state)
{
    (void)state;
    hand_stream hand = hand_of(every, 3, 1, 2);
    struct ArrowArrayStream stream = stream_of(&hand);
    tacit_schema *schema = NULL;
    char *text = NULL;
    assert_int_equal(read_stream(&text, &schema, &stream, NULL), TACIT_OK);
    assert_string_equal(text, "c0,c1,c2\n,0,0\nfalse,127,7\n,0,0\nfalse,127,7\n");
    tacit_schema_free(schema);
    free(text);
}

static void text_views(void **state)
{
    (void)state;
    const int32_t place[2] = {0, 2};
    const hand_column column = {"vu", NULL, views, view_text, view_lengths, 4, 0,
                                NULL, NULL, NULL,  0};
    hand_stream hand = hand_of(&column, 1, 0, 1);
    struct ArrowArrayStream stream = stream_of(&hand);
    tacit_schema *schema = NULL;
    char *text = NULL;
    memcpy(views[2].bytes + 4, place, sizeof place);
    assert_int_equal(read_stream(&text, &schema, &stream, NULL), TACIT_OK);
    assert_string_equal(text, "c0\nshort\n\"\"\ntext of twenty bytes\n");
    tacit_schema_free(schema);
    free(text);
}

/* The formats of the columns that a release of the text has. */
static void check_release(const char *text, const tacit_schema *schema, const char *const *formats)
{
    struct ArrowArrayStream stream;
    struct ArrowSchema about;
    tacit_table *table = table_of(text);
    tacit_error err = {0};
    if (tacit_arrow_write(&stream, schema, table, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    assert_int_equal(stream.get_schema(&stream, &about), 0);
    for (int64_t i = 0; i < about.n_children; i++) {
        const struct ArrowSchema *child = about.children[i];
        const char *format = child->dictionary ? child->dictionary->format : child->format;
        if (strcmp(format, formats[i]) != 0)
            fail_msg("column %d is %s, not %s", (int)i, format, formats[i]);
        assert_int_equal(child->dictionary != NULL, schema && schema->columns[i].categories);
    }
    about.release(&about);
    tacit_schema *again = NULL;
    char *read = NULL;
    assert_int_equal(read_stream(&read, &again, &stream, NULL), TACIT_OK);
    assert_string_equal(read, text);
    tacit_schema_free(again);
    free(read);
    tacit_table_free(table);
}

/* What a release leaves alone is what it was; decimals beyond 18 digits are text. */
static void round_trip(void **state)
{
    (void)state;
    static const char *const formats[] = {"b",    "c",       "C",   "s", "S",   "i",   "I",   "l",
                                          "L",    "f",       "g",   "u", "tdD", "tdm", "tts", "ttu",
                                          "tss:", "tsn:UTC", "tDm", "u", "U",   "u",   "u"};
    hand_stream hand = hand_of(every, COUNT(every), 0, 1);
    struct ArrowArrayStream stream = stream_of(&hand);
    tacit_schema *schema = NULL;
    char *text = NULL;
    assert_int_equal(read_stream(&text, &schema, &stream, NULL), TACIT_OK);
    check_release(text, schema, formats);
    tacit_schema_free(schema);
    free(text);
}

/* The dictionary that comes back has offsets of its own. */
static void large_dictionary(void **state)
{
    (void)state;
    static const int64_t wide[] = {0, 3, 6};
    const hand_column columns[] = {
        every[1],
        {"c", odd, (const int8_t[]){1, 99, 0}, NULL, NULL, 2, 1, "U", wide, "redtan", 2},
    };
    hand_stream hand = hand_of(columns, COUNT(columns), 0, 1);
    struct ArrowArrayStream stream = stream_of(&hand);
    tacit_schema *schema = NULL;
    char *text = NULL;
    assert_int_equal(read_stream(&text, &schema, &stream, NULL), TACIT_OK);
    assert_string_equal(text, "c0,c1\n-128,tan\n0,\n127,red\n");
    check_release("c0,c1\n1,red\n2,\n3,red\n", schema, (const char *const[]){"c", "u"});
    tacit_schema_free(schema);
    free(text);
}

/* Cells that became labels make a column text, wider numbers a wider one; what is known of no
 * column is what its cells look like. */
static void changed_cells(void **state)
{
    (void)state;
    hand_stream hand = hand_of(every + 12, 2, 0, 1);
    struct ArrowArrayStream stream = stream_of(&hand);
    tacit_schema *schema = NULL;
    char *text = NULL;
    assert_int_equal(read_stream(&text, &schema, &stream, NULL), TACIT_OK);
    free(text);
    check_release("c0,c1\n1960-1969,1970-01-02\n,\n", schema, (const char *const[]){"u", "tdm"});
    check_release("c0,c1\n1960-01-01,*\n", schema, (const char *const[]){"tdD", "u"});
    tacit_schema_free(schema);
    check_release("a,b,c,d,e,f\n1,1.5,1960-01-01,x,2020-01-01T00:00:00,007\n,,,,,\n", NULL,
                  (const char *const[]){"l", "g", "tdD", "u", "tsu:", "u"});
    /* Nanoseconds that microseconds cannot count, and zones that differ. */
    check_release("a,b\n2020-01-01T00:00:00.000000001,2020-01-01T00:00:00\n"
                  "2020-01-01T00:00:00,2020-01-01T00:00:00Z\n",
                  NULL, (const char *const[]){"u", "u"});
}

static void many_rows(void **state)
{
    (void)state;
    enum { ROWS = 70000, LINE = 32 };
    char *text = malloc((size_t)ROWS * LINE), *at = text;
    at += sprintf(at, "a,b,c\n");
    for (int i = 0; i < ROWS; i++)
        at += i % 7 ? sprintf(at, "%d,text %d,%d.5\n", i, i % 1000, i)
                    : sprintf(at, ",\"\",%d.5\n", i);
    check_release(text, NULL, (const char *const[]){"l", "u", "g"});
    free(text);
}

static void refused(const hand_stream *made, const char *message)
{
    hand_stream hand = *made;
    struct ArrowArrayStream stream = stream_of(&hand);
    tacit_schema *schema = STARVE_UNTOUCHED;
    tacit_error err = {0};
    char *text = NULL;
    assert_int_not_equal(read_stream(&text, &schema, &stream, &err), TACIT_OK);
    assert_non_null(strstr(err.message, message));
    assert_ptr_equal(schema, STARVE_UNTOUCHED);
    assert_int_equal(hand.released, 1);
}

static void no_tables(void **state)
{
    (void)state;
    static const int32_t backwards[] = {0, 2, 1, 5};
    const hand_column columns[] = {
        {"+l", NULL, offsets, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
        {"z", NULL, offsets, "abcde", NULL, 3, 0, NULL, NULL, NULL, 0},
        {"u", NULL, backwards, "abcde", NULL, 3, 0, NULL, NULL, NULL, 0},
        {"u", NULL, offsets, NULL, NULL, 2, 0, NULL, NULL, NULL, 0},
        {"c", NULL, (const int8_t[]){0, 2, 1}, NULL, NULL, 2, 0, "u", entry_offsets, "redtan", 2},
        {"c", NULL, (const int8_t[]){0, -1, 1}, NULL, NULL, 2, 0, "u", entry_offsets, "redtan", 2},
        {"g", NULL, (const double[]){0, 1, 2}, NULL, NULL, 2, 0, "u", entry_offsets, "redtan", 2},
    };
    for (size_t i = 0; i < COUNT(columns); i++) {
        const hand_stream hand = hand_of(&columns[i], 1, 0, 1);
        refused(&hand, i < 2 || i == 6 ? "has the Arrow type" : "is damaged");
    }
    hand_stream failing = hand_of(every, 2, 0, 1);
    failing.fail = EIO;
    refused(&failing, "the disk is gone");
    struct ArrowArrayStream used = {.release = NULL};
    tacit_schema *schema = NULL;
    assert_int_equal(tacit_arrow_read(1, &schema, &used, NULL, NULL), TACIT_INVALID);
}

static tacit_status hungry(void *context, tacit_error *err)
{
    hand_stream hand = hand_of(every, COUNT(every), 0, 1);
    struct ArrowArrayStream stream = stream_of(&hand), out = {.release = NULL};
    tacit_run run = starve_run(1);
    tacit_schema *schema = NULL;
    int fd = *(int *)context;
    tacit_status status = tacit_arrow_read(fd, &schema, &stream, &run, err);
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.code_none = true;
    if (status == TACIT_OK)
        status = tacit_table_read_fd(&table, fd, "f", &options, &run, err);
    if (status == TACIT_OK)
        status = tacit_arrow_write(&out, schema, table, &run, err);
    if (out.release)
        out.release(&out);
    tacit_table_free(table);
    tacit_schema_free(schema);
    return status;
}

static void starves(void **state)
{
    (void)state;
    int fd = memfd_create("text", MFD_CLOEXEC);
    starve_some(hungry, &fd, 200);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells),
        cmocka_unit_test(batches),
        cmocka_unit_test(text_views),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(large_dictionary),
        cmocka_unit_test(no_tables),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(changed_cells),
        cmocka_unit_test(starves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
