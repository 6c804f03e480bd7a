/*
 * test_hierarchy_files.c - hierarchy files: their forms, what is tolerated, and
 * every error with its status, place and message.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "hierarchy_support.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static tacit_strview view(const char *text)
{
    return tacit_strview_of(text);
}

/* Binds values, separated by single spaces (a dash is missing), to a file. */
static tacit_status bind_bytes(tacit_hierarchy **out, values_table *values, const char *words,
                               tacit_strview file, bool no_suppression, tacit_error *err)
{
    char copy[512], *rest = copy, *word;
    const char *list[64];
    size_t count = 0;
    snprintf(copy, sizeof copy, "%s", words);
    while ((word = strsep(&rest, " ")) && *words)
        list[count++] = strcmp(word, "-") == 0 ? "" : word;
    *values = values_table_new(list, count);
    tacit_hierarchy_spec spec = {.kind = TACIT_HIERARCHY_FILE, .no_suppression = no_suppression};
    return tacit__hierarchy_from_bytes(out, file, "h.csv", &spec, values->table, VALUES_COLUMN,
                                       err);
}

/* The generalizations of every value: a line a level, codes then missing, `?`
 * where missing stays missing. */
static void assert_levels(const char *words, const char *file, bool no_suppression,
                          const char *expected)
{
    tacit_hierarchy *h = NULL;
    values_table values;
    tacit_error err = {0};
    tacit_status status = bind_bytes(&h, &values, words, view(file), no_suppression, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, TACIT_OK);
    assert_null(hierarchy_problem(h, values.table, VALUES_COLUMN));
    uint32_t distinct = tacit_table_distinct(values.table, VALUES_COLUMN);
    char text[1024];
    size_t len = 0;
    for (int level = 1; level <= tacit_hierarchy_height(h); level++)
        for (uint32_t c = 0; c <= distinct; c++) {
            uint32_t number = tacit_hierarchy_map(h, level)[c];
            tacit_strview label = number < tacit_hierarchy_count(h, level)
                                      ? tacit_hierarchy_label(h, level, number)
                                      : view("?");
            len += (size_t)snprintf(text + len, sizeof text - len, "%.*s%s", (int)label.len,
                                    label.bytes, c < distinct ? " " : "\n");
        }
    assert_string_equal(text, expected);
    tacit_hierarchy_free(h);
    values_table_free(&values);
}

static void ancestors(void **state)
{
    (void)state;
    /* one value; identical rows; one root of its own name; `*` not doubled */
    assert_levels("a", "a;x\n", false, "x ?\n* *\n");
    assert_levels("a", "a;x\n", true, "x x\n");
    assert_levels("a b", "a;x;*\nb;x;*\na;x;*\n", false, "x x ?\n* * *\n");
    assert_levels("Male Female", "Male;*\nFemale;*\n", false, "* * *\n");
    assert_levels("Male Female", "Male;*\nFemale;*\n", true, "* * *\n");
    /* a value may stay itself on a higher level */
    assert_levels("99 1", "1;0-4;*\n99;99;*\n", false, "99 0-4 ?\n* * *\n");
    /* a file of more values than the column has, numbered by the column */
    assert_levels("c a", "a;x;t\nb;y;t\nc;y;t\n", true, "y x ?\nt t t\n");
    /* a column without a value */
    assert_levels("-", "a;x\nb;x\n", false, "?\n*\n");
    assert_levels("-", "a;x\nb;x\n", true, "?\n*\n");
    assert_levels("-", "a;x\nb;x\n;x\n", true, "x\n");
}

static void tolerated(void **state)
{
    (void)state;
    const char *expected = "x x ?\n* * *\n";
    assert_levels("a b", "a,x,*\nb,x,*", false, expected);
    assert_levels("a b", "a\tx\t*\nb\tx\t*\n", false, expected);
    assert_levels("a b",
                  "\xEF\xBB\xBF"
                  "a;x;*\r\nb;x;*\r\n",
                  false, expected);
    assert_levels("a b", "a;x;*\nb;x;*\n\n \r\n\t\n", false, expected);
    assert_levels("a b", "\"a\";\"x\";*\n\"b\";x;\"*\"\n", false, expected);
    /* a semicolon file may hold commas; quotes hold anything */
    assert_levels("a,b c", "a,b;[1, 2);*\nc;[1, 2);*\n", false, "[1, 2) [1, 2) ?\n* * *\n");
    assert_levels("a\"b c;d", "\"a\"\"b\";\"x;\"\"y\"\"\";*\n\"c;d\";\"x;\"\"y\"\"\";*\n", false,
                  "x;\"y\" x;\"y\" ?\n* * *\n");
    assert_levels("a", "a;\"x\ny\";*\n", false, "x\ny ?\n* *\n");
}

static void missing(void **state)
{
    (void)state;
    /* missing may have a value of its own, share one, or keep to itself */
    assert_levels("a - b", ";none;*\na;x;*\nb;x;*\n", false, "x x none\n* * *\n");
    assert_levels("a - b", ";x;*\na;x;*\nb;y;*\n", false, "x y x\n* * *\n");
    assert_levels("a b -", ";n;t\na;x;t\nb;y;t\n", false, "x y n\nt t t\n* * *\n");
    /* where the column misses nothing, the row is not needed */
    assert_levels("a b", ";none;*\na;x;*\nb;x;*\n", false, "x x ?\n* * *\n");
    assert_levels("-", ";none;*\na;x;*\n", false, "none\n*\n");
}

static void hrc(void **state)
{
    (void)state;
    assert_levels("a b", "@;Tot\n@@;a\n@@;b\n", true, "Tot Tot Tot\n");
    assert_levels("a b", "@;a\n@;b\n", true, "Total Total Total\n");
    assert_levels("a b", "@;a\n@;b\n", false, "Total Total ?\n* * *\n");
    assert_levels("a", "@;a\n", false, "* *\n");
    /* a short branch stays itself until its parent's level */
    const char *uneven = "@;T\n@@;A\n@@@;a1\n@@@;a2\n@@;B\n@@;C\n@@@;c1\n@@@@;c11\n";
    assert_levels("a1 a2 B c11", uneven, true, "a1 a2 B c1 ?\nA A B C ?\nT T T T T\n");
    /* without a delimiter, codes of the first depth bare or not */
    assert_levels("1 2 3", "N\n@1\n@2\nS\n@3\n", true, "N N S ?\nTotal Total Total Total\n");
    assert_levels("1 2", "@N\n@@1\n@@2\n", true, "N N N\n");
    assert_levels("1 2", "@,N\r\n@@,1\r\n@@,2\r\n\r\n", true, "N N N\n");
}

static void list(void **state)
{
    (void)state;
    const char *expected = "A A B ?\nR R R R\n";
    assert_levels("a b c", "code,parent\na,A\nb,A\nc,B\nA,R\nB,R\n", true, expected);
    assert_levels("a b c", "Code;PARENT\na;A\nb;A\nc;B\nA;R\nB;R\nR;\n", true, expected);
    assert_levels("a b c", "R,\nB,R\nA,R\nc,B\nb,A\na,A\na,A\n", true, expected);
    assert_levels("a b c", "a,A\nb,A\nc,B\nA,R\nB,R\n", true, expected);
    /* a header alone makes a list of what would be ancestors too */
    assert_levels("a b", "code,parent\na,R\nb,R\n", true, "R R R\n");
    assert_levels("a", "code,parent\na,\n", false, "* *\n");
    /* short branches, and missing */
    assert_levels("a C", "a,A\nA,R\nC,R\n", true, "A C ?\nR R R\n");
    assert_levels("a b -", "a,A\nA,R\nb,B\nB,R\n,N\nN,R\n", true, "A B N\nR R R\n");
    assert_levels("a -", "a,A\nA,R\n,R\n", true, "A ?\nR R\n");
    /* one common value in the second column: ancestors, even with a row of its own */
    assert_levels("a *", "a;*\n*;*\n", false, "* * *\n");
}

static void leaves(void **state)
{
    (void)state;
    tacit_hierarchy *h = NULL;
    values_table values;
    tacit_error err = {0};
    const char *file = "a;x;t\nb;x;t\nc;y;t\nd;y;t\ne;y;t\n;n;t\n";
    assert_int_equal(bind_bytes(&h, &values, "d a -", view(file), false, &err), TACIT_OK);
    assert_int_equal(tacit_hierarchy_leaves(h), 6);
    assert_int_equal(tacit_hierarchy_leaves_under(h, 0, 1), 1);
    const uint32_t under[] = {3, 2, 1}; /* y, x and n in the column's order */
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(tacit_hierarchy_leaves_under(h, 1, i), under[i]);
    assert_int_equal(tacit_hierarchy_leaves_under(h, 2, 0), 6);
    assert_int_equal(tacit_hierarchy_leaves_under(h, 3, 0), 6);
    tacit_hierarchy_free(h);
    values_table_free(&values);
}

typedef struct refusal {
    const char *words;
    const char *file;
    bool no_suppression;
    tacit_status status;
    const char *message; /* with its place */
} refusal;

static const refusal refusals[] = {
    {"a b", "a;x;*\n", false, TACIT_PARSE,
     "data.csv:3: \"b\" in column \"V\" is not in the hierarchy h.csv; add a row for it there"},
    {"a x", "a;x;*\n", false, TACIT_PARSE,
     "data.csv:3: \"x\" in column \"V\" stands in the hierarchy h.csv only above other values; add "
     "a row that starts with it"},
    {"a A", "@;T\n@@;A\n@@@;a\n", false, TACIT_PARSE,
     "data.csv:3: \"A\" in column \"V\" stands in the hierarchy h.csv only above other values; add "
     "a row that starts with it"},
    {"a", "a;x;*\nb;x;*\na;y;*\n", false, TACIT_PARSE,
     "h.csv:3: \"a\" on level 0 has two parents, one here and one on line 1; keep one of them"},
    {"a", "a;x;p;*\nb;x;q;*\n", false, TACIT_PARSE,
     "h.csv:2: \"x\" on level 1 has two parents, one here and one on line 1; keep one of them"},
    {"a", "a;x;p;*\na;x;q;*\n", false, TACIT_PARSE,
     "h.csv:2: \"x\" on level 1 has two parents, one here and one on line 1; keep one of them"},
    {"a", "@;T\n@@;A\n@@@;a\n@@;B\n@@@;a\n", false, TACIT_PARSE,
     "h.csv:5: \"a\" on level 0 has two parents, one here and one on line 3; keep one of them"},
    {"a", "code,parent\na,A\nA,R\nB,R\na,B\n", false, TACIT_PARSE,
     "h.csv:5: \"a\" has two parents, one here and one on line 2; keep one of them"},
    {"a", "code,parent\na,A\nA,\nA,R\n", false, TACIT_PARSE,
     "h.csv:4: \"A\" has two parents, one here and one on line 3; keep one of them"},
    {"a", "a,b\nb,c\nc,a\nd,a\n", false, TACIT_PARSE,
     "h.csv:1: a cycle: \"a\" is its own ancestor; give it or an ancestor of it another "
     "parent"},
    {"a", "code,parent\nx,R\na,a\n", false, TACIT_PARSE,
     "h.csv:3: a cycle: \"a\" is its own ancestor; give it or an ancestor of it another "
     "parent"},
    {"a", "a;x;p\nb;y;q\n", false, TACIT_PARSE,
     "h.csv:2: several roots, \"q\" here and another on line 1; put one most general value, such "
     "as *, "
     "above them"},
    {"a", "a;x\nb;y\n", false, TACIT_PARSE,
     "h.csv:2: several roots, \"y\" here and another on line 1; put one most general value, such "
     "as *, "
     "above them"},
    {"a", "a,A\nb,B\nA,R\nB,S\n", false, TACIT_PARSE,
     "h.csv:4: several roots, \"S\" here and another on line 3; put one most general value, such "
     "as *, "
     "above them"},
    {"a", "a;x;*\nb;*\n", false, TACIT_PARSE,
     "h.csv:2: the row of \"b\" has 2 fields where the first row has 3; repeat a value on the "
     "levels it does not have"},
    {"a", "a;*\nb;x;*\n", false, TACIT_PARSE,
     "h.csv:2: the row of \"b\" has 3 fields where the first row has 2; repeat a value on the "
     "levels it does not have"},
    {"a", "code,parent\na,A\nb\n", false, TACIT_PARSE,
     "h.csv:3: a list of code and parent has 2 fields a row, this row has 1"},
    {"a", "", false, TACIT_PARSE,
     "h.csv:1: the hierarchy is empty; write a row for each value, followed by its ancestors"},
    {"a", "\xEF\xBB\xBF\n \r\n", false, TACIT_PARSE,
     "h.csv:1: the hierarchy is empty; write a row for each value, followed by its ancestors"},
    {"a", "code,parent\n", false, TACIT_PARSE,
     "h.csv:1: the hierarchy is empty; write a code and its parent a row"},
    {"a", "a;x;*\nb;;*\n", false, TACIT_PARSE,
     "h.csv:2: the row of \"b\" has no value on level 1; write one in field 2"},
    {"a", "a;*\nb;\n", false, TACIT_PARSE,
     "h.csv:2: the row of \"b\" has no value on level 1; write one in field 2"},
    {"a", "code,parent\na,A\n,\n", false, TACIT_PARSE,
     "h.csv:3: both code and parent are empty; remove the row"},
    {"a", "a;x;*\n\nb;x;*\n", false, TACIT_PARSE, "h.csv:2: a blank line between rows; remove it"},
    {"a", "a\nb\n", false, TACIT_PARSE,
     "h.csv:1: one field only; write a value and its ancestors with ; or , between them"},
    {"a", "a;x;*\nb;\"x;*\n", false, TACIT_PARSE,
     "h.csv:2: field 2 opens a quote that is not closed"},
    {"a", "a;x;*\nb;\"x\"y;*\n", false, TACIT_PARSE,
     "h.csv:2: field 2 goes on after its closing quote; double the quotes inside it"},
    {"a", "a;x;*\nb\xFF;x;*\n", false, TACIT_PARSE,
     "h.csv:2: byte 0xFF is not UTF-8; save the file as UTF-8"},
    {"a", "a;x;*\n\xED\xA0\x80;x;*\n", false, TACIT_PARSE,
     "h.csv:2: byte 0xED is not UTF-8; save the file as UTF-8"},
    {"a", "a;x;\xC0\xAA\n", false, TACIT_PARSE,
     "h.csv:1: byte 0xC0 is not UTF-8; save the file as UTF-8"},
    {"a", "a;x;\xE2\x82", false, TACIT_PARSE,
     "h.csv:1: byte 0xE2 is not UTF-8; save the file as UTF-8"},
    {"a", "@;T\n@@@;a\n", false, TACIT_PARSE,
     "h.csv:2: \"a\" is more than one @ deeper than the line before it; its parent is missing"},
    {"a", "@@;T\n@;a\n", false, TACIT_PARSE,
     "h.csv:2: \"a\" is indented less than the first line; start with the top"},
    {"a", "@;T\n@@;\n", false, TACIT_PARSE,
     "h.csv:2: the code is empty; write one after the indentation"},
    {"a", "@;T\na;b\n", false, TACIT_PARSE,
     "h.csv:2: a line of a .hrc file is its indentation, ; and a code, as in @@;a101"},
    {"a", "@;a\n", true, TACIT_INVALID,
     "data.csv: column \"V\" has no level above its values and may not be suppressed; give it a "
     "hierarchy or allow suppression"},
};

static void assert_refused(const char *words, tacit_strview file, bool no_suppression,
                           tacit_status status, const char *message)
{
    tacit_hierarchy *h = NULL;
    values_table values;
    tacit_error err = {.show_values = true};
    char text[1024];
    tacit_status got = bind_bytes(&h, &values, words, file, no_suppression, &err);
    assert_string_equal(tacit_error_format(&err, text, sizeof text), message);
    assert_int_equal(got, status);
    assert_int_equal(err.status, status);
    assert_null(h);
    values_table_free(&values);
}

static void refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(refusals); i++)
        assert_refused(refusals[i].words, view(refusals[i].file), refusals[i].no_suppression,
                       refusals[i].status, refusals[i].message);
    assert_refused("a", (tacit_strview){"a;x;*\nb\0;x;*\n", 13}, false, TACIT_PARSE,
                   "h.csv:2: a NUL byte; a hierarchy is a text file");
}

/* A row of a value and as many ancestors as make that many fields. */
static void write_row(char *text, int fields)
{
    strcpy(text, "a");
    for (int i = 1; i < fields; i++)
        sprintf(text + strlen(text), ";x%d", i);
    strcat(text, "\n");
}

static void too_many_levels(void **state)
{
    (void)state;
    char text[2048], other[4096] = "";
    write_row(text, TACIT_MAX_LEVELS + 1);
    assert_refused("a", view(text), false, TACIT_LIMIT,
                   "h.csv:1: more than 64 fields; a hierarchy has at most that many levels");
    write_row(text, TACIT_MAX_LEVELS);
    assert_refused("a", view(text), false, TACIT_LIMIT,
                   "data.csv: the hierarchy of column \"V\" has more than 64 levels");
    tacit_hierarchy *h = NULL;
    values_table values;
    assert_int_equal(bind_bytes(&h, &values, "a", view(text), true, NULL), TACIT_OK);
    assert_int_equal(tacit_hierarchy_height(h), TACIT_MAX_LEVELS - 1);
    assert_null(hierarchy_problem(h, values.table, VALUES_COLUMN));
    tacit_hierarchy_free(h);
    values_table_free(&values);

    strcpy(text, "code,parent\n");
    for (int i = 0; i < TACIT_MAX_LEVELS; i++)
        sprintf(text + strlen(text), "c%d,c%d\n", i, i + 1);
    assert_refused("c0", view(text), true, TACIT_LIMIT, "h.csv: more than 64 levels");
    for (int i = 0; i <= TACIT_MAX_LEVELS; i++)
        sprintf(other + strlen(other), "%.*sc\n", i,
                "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@");
    assert_refused("c", view(other), true, TACIT_LIMIT,
                   "h.csv:65: \"c\" makes more than 64 levels");
}

/* Without an error to fill in, failure is still a status. */
static void no_error_wanted(void **state)
{
    (void)state;
    tacit_hierarchy *h = NULL;
    values_table values;
    assert_int_equal(bind_bytes(&h, &values, "a", view("a;\n"), false, NULL), TACIT_PARSE);
    assert_null(h);
    values_table_free(&values);
}

static void from_disk(void **state)
{
    (void)state;
    char path[] = "/tmp/tacit-hierarchy-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "a;x;*\n", 6), 6);
    values_table values = values_table_new((const char *[]){"a"}, 1);
    tacit_hierarchy_spec spec = {0};
    tacit_hierarchy *h = NULL;
    tacit_error err = {0};
    char expected[1024], text[1024];
    assert_int_equal(tacit_hierarchy_spec_parse(&spec, path + 5, "/tmp", NULL), TACIT_OK);
    assert_int_equal(tacit_hierarchy_new(&h, &spec, values.table, VALUES_COLUMN, &err), TACIT_OK);
    assert_int_equal(tacit_hierarchy_height(h), 2);
    tacit_hierarchy_free(h);

    h = NULL;
    assert_int_equal(ftruncate(fd, (64 << 20) + 1), 0);
    assert_int_equal(tacit_hierarchy_new(&h, &spec, values.table, VALUES_COLUMN, &err),
                     TACIT_LIMIT);
    snprintf(expected, sizeof expected, "%s: longer than 67108864 bytes", path);
    assert_string_equal(tacit_error_format(&err, text, sizeof text), expected);
    close(fd);
    unlink(path);
    err = (tacit_error){0};
    assert_int_equal(tacit_hierarchy_new(&h, &spec, values.table, VALUES_COLUMN, &err), TACIT_IO);
    snprintf(expected, sizeof expected, "%s: cannot open: No such file or directory", path);
    assert_string_equal(tacit_error_format(&err, text, sizeof text), expected);
    assert_null(h);
    tacit_hierarchy_spec_clear(&spec);
    values_table_free(&values);
}

/* A large file is read in one go; a quadratic step would show. */
static void large(void **state)
{
    (void)state;
    enum { ROWS = 200000 };
    for (int form = 0; form < 3; form++) {
        const char *formats[] = {"v%d;g%d;h%d;*\n", "v%d,g%d\n", "@@@;v%d\n"};
        char *text = malloc((size_t)ROWS * 40);
        size_t len = form == 2 ? (size_t)sprintf(text, "@;h0\n@@;g0\n") : 0;
        for (int i = 0; i < ROWS; i++)
            len +=
                (size_t)sprintf(text + len, formats[form], i, form == 2 ? 0 : i / 100, i / 10000);
        for (int i = 0; form == 1 && i < ROWS / 100; i++)
            len += (size_t)sprintf(text + len, "g%d,*\n", i);
        tacit_hierarchy *h = NULL;
        values_table values;
        assert_int_equal(
            bind_bytes(&h, &values, "v199999 v0 v7", (tacit_strview){text, len}, false, NULL),
            TACIT_OK);
        assert_int_equal(tacit_hierarchy_leaves(h), ROWS);
        assert_int_equal(tacit_hierarchy_leaves_under(h, 1, 0), form == 2 ? ROWS : 100);
        assert_null(hierarchy_problem(h, values.table, VALUES_COLUMN));
        tacit_hierarchy_free(h);
        values_table_free(&values);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ancestors),
        cmocka_unit_test(tolerated),
        cmocka_unit_test(missing),
        cmocka_unit_test(hrc),
        cmocka_unit_test(list),
        cmocka_unit_test(leaves),
        cmocka_unit_test(refused),
        cmocka_unit_test(too_many_levels),
        cmocka_unit_test(no_error_wanted),
        cmocka_unit_test(from_disk),
        cmocka_unit_test(large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
