/*
 * test_statistical.c - files of Stata, SPSS and SAS: what haven has written is read with its types,
 * labels and codes of missing values, and goes out with them and with no other labels; what comes
 * from CSV gets types that hold it; what a format cannot hold is refused with the column's name;
 * damaged files are errors. The writer reads back by itself (formats.c), so a test of a round trip
 * is that it succeeds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats_case.h"

static const char *const written[] = {"x.dta", "x.sav", "x.zsav", "x.xpt"};

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

/* What a table says of its columns to those who know no formats. */
static void has_words(const tacit_table *table)
{
    tacit_strview value, text;
    int32_t sex = tacit_table_find(table, tacit_strview_of("sex"));
    int32_t name = tacit_table_find(table, tacit_strview_of("name"));
    assert_true(tacit_table_words(table, sex, -1, &value, &text));
    assert_true(tacit_strview_equal(text, tacit_strview_of("Sex")));
    assert_true(tacit_table_words(table, sex, 0, &value, &text));
    assert_true(tacit_strview_equal(value, tacit_strview_of("1")));
    assert_true(tacit_strview_equal(text, tacit_strview_of("male")));
    assert_false(tacit_table_words(table, sex, 2, &value, &text));
    assert_false(tacit_table_words(table, name, 0, &value, &text));
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
        if (i < 3) {
            has_labels(table);
            has_words(table);
        }
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
    table = read_file(CORPUS "pspp.por"); /* which names characters of its table twice */
    says(table, "ID", 0, "1.5");
    says(table, "ID", 2, "-3");
    says(table, "BORN", 2, "1899-12-31");
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

/* What is written of a release with these rows, when it was made from the file. */
static tacit_table *released(const char *path, const char *rows, const char *name)
{
    const tacit_format *format = tacit_format_of_name(name);
    tacit_csv_options options = converting();
    tacit_error err = {0};
    tacit_table *source = read_file(path), *release = read_text(rows), *read = NULL;
    int fd = memfd_create("released", MFD_CLOEXEC);
    assert_int_equal(
        tacit_format_write(fd, name, format, tacit_table_schema(source), release, NULL, &err),
        TACIT_OK);
    lseek(fd, 0, SEEK_SET);
    assert_int_equal(tacit_table_read_fd(&read, fd, name, &options, NULL, &err), TACIT_OK);
    close(fd);
    tacit_table_free(source);
    tacit_table_free(release);
    return read;
}

/* Programs that number texts keep each of them as a label: that of who was left out stays behind.
 */
static void labels_only_what_is_there(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const char *path = i ? CORPUS "labelled.sav" : CORPUS "labelled.dta";
        tacit_table *some = released(path, "sex\n2\n2\n", written[i]);
        int32_t labels = column_of(some, "sex")->label_set;
        assert_true(labels >= 0);
        const tacit__label_set *set = &tacit_table_schema(some)->label_sets[labels];
        assert_int_equal(set->count, 1);
        assert_true(tacit_strview_equal(set->labels[0].value, tacit_strview_of("2")));
        tacit_table_free(some);
        tacit_table *none = released(path, "sex\n3\n", written[i]);
        assert_int_equal(column_of(none, "sex")->label_set, -1);
        tacit_table_free(none);
    }
}

/* Of a list that two columns share, not the labels of the column that is left out. */
static void lists_are_shared(void **state)
{
    (void)state;
    tacit_schema *from = NULL, *to = NULL;
    tacit_table *release = read_text("doctor\n7\n");
    tacit__schema_new(&from, tacit_format_of_name("x.dta"), NULL);
    int32_t list = tacit__schema_label_set(from, tacit_strview_of("names"));
    tacit__schema_label(from, list, tacit_strview_of("7"), tacit_strview_of("Dr. Lee"));
    tacit__schema_label(from, list, tacit_strview_of("8"), tacit_strview_of("Ann Poe"));
    for (size_t i = 0; i < 2; i++) {
        tacit__schema_column *column =
            tacit__schema_add(from, tacit_strview_of(i ? "doctor" : "patient"));
        column->type = TACIT__TYPE_INTEGER;
        column->label_set = list;
    }
    assert_int_equal(
        tacit__release_schema(&to, tacit_format_of_name("x.dta"), from, release, NULL, NULL),
        TACIT_OK);
    assert_int_equal(to->label_sets[list].count, 1);
    assert_true(
        tacit_strview_equal(to->label_sets[list].labels[0].text, tacit_strview_of("Dr. Lee")));
    tacit_schema_free(from);
    tacit_schema_free(to);
    tacit_table_free(release);
}

static void takes_any(void **state)
{
    (void)state;
    tacit_table *table = read_text(ANY);
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

/* Lengths at which ReadStat would lose the last byte. */
static void keeps_long_texts(void **state)
{
    (void)state;
    static const int lengths[] = {256, 504, 505, 1523, 2017, 2025, 2272, 2790, 32760, 32766};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        char text[33000];
        snprintf(text, sizeof text, "a\n%0*d\nx\n", lengths[i], 7);
        tacit_table *table = read_text(text);
        for (int k = 1; k < 3; k++)
            tacit_table_free(again(table, written[k]));
        tacit_table_free(table);
    }
}

/* Whether SPSS's files confuse columns of long texts, which are written in pieces. */
static void refuses_alike(const char *format, bool refused)
{
    char text[700];
    snprintf(text, sizeof text, format, 1, 2);
    tacit_table *table = read_text(text);
    if (refused)
        refuses(table, "x.sav", "begins alike");
    else
        tacit_table_free(again(table, "x.sav"));
    tacit_table_free(table);
}

static void refuses_what_it_cannot_hold(void **state)
{
    (void)state;
    char longer[2100] = "a\n";
    memset(longer + 2, 'x', 2046);
    tacit_table *named = read_text("marital-status\n1\n"), *text = read_text(longer);
    refuses(named, "x.dta", "column \"");
    refuses(text, "x.dta", "column \"");
    tacit_table_free(again(text, "x.sav"));
    refuses_alike("notes_a,notes_b\n%0300d,%0300d\n", true);
    refuses_alike("y,y1\n%0300d,%d\n", true);
    refuses_alike("y1,Y12\n%0300d,%0100d\n", true);
    refuses_alike("notes_a,notes_b\n%0300d,%0200d\n", false);
    refuses_alike("y1,z1\n%0300d,%0300d\n", false);
    tacit_table_free(named);
    tacit_table_free(text);
}

static void damage(void **state)
{
    (void)state;
    damage_file(CORPUS "labelled.dta", 7);
    damage_file(CORPUS "labelled.sav", 7);
    damage_file(CORPUS "labelled.xpt", 7);
}

static void starves(void **state)
{
    (void)state;
    starve_some(hungry, &(hungry_case){CORPUS "labelled.dta", "x.dta"}, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_others),
        cmocka_unit_test(reads_portable),
        cmocka_unit_test(keeps_what_it_read),
        cmocka_unit_test(labels_only_what_is_there),
        cmocka_unit_test(lists_are_shared),
        cmocka_unit_test(takes_any),
        cmocka_unit_test(refuses_what_it_cannot_hold),
        cmocka_unit_test(keeps_long_texts),
        cmocka_unit_test(damage),
        cmocka_unit_test(starves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
