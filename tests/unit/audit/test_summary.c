/*
 * test_summary.c - files of frequencies that make no sense, and the edges of what follows from
 * those that do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "summary.h"

#define RELEASE "Race,Gender,ZIP,BirthDate\nblack,male,0213*,1964\nwhite,*,02138,1965-03\n"
#define HEAD    "attribute,value,count\n"

typedef struct bad {
    const char *name;
    const char *files[SUMMARY_FILES];
    const char *says; /* part of the message */
    const char *file; /* that the error names, or NULL */
    int64_t line;
} bad;

static const bad BAD[] = {
    {"no count", {"attribute,value\nRace,black\n"}, "attribute,value,count", "one.csv", 1},
    {"only counts", {"count\n1\n"}, "attribute,value,count", "one.csv", 1},
    {"no column", {HEAD "Eyes,blue,2\n"}, "does not have", "one.csv", 0},
    {"no such column together", {"Race,Eyes,count\nblack,blue,2\n"}, "does not have", "one.csv", 0},
    {"no attribute", {HEAD ",blue,2\n"}, "no attribute", "one.csv", 0},
    {"negative", {HEAD "Race,black,3\nRace,white,-1\n"}, "whole number", "one.csv", 3},
    {"fraction", {HEAD "Race,black,0.5\n"}, "whole number", "one.csv", 2},
    {"words", {"Race,count\nblack,many\n"}, "whole number", "one.csv", 2},
    {"no number", {HEAD "Race,black,\n"}, "whole number", "one.csv", 2},
    {"too large", {HEAD "Race,black,1234567890123456\n"}, "whole number", "one.csv", 2},
    {"twice", {HEAD "Race,black,1\nRace,black,1\n"}, "twice", NULL, 0},
    {"twice, written otherwise",
     {HEAD "BirthDate,1964-03,1\nBirthDate,3/1964,1\n"},
     "twice",
     NULL,
     0},
    {"together twice",
     {"Race,Gender,count\nblack,male,1\nwhite,male,0\nblack,male,1\n"},
     "combination twice",
     NULL,
     0},
    {"the same column twice", {"Race,Race,count\nblack,black,2\n"}, "both named", "one.csv", 1},
    {"one holds the other", {HEAD "ZIP,0213*,1\nZIP,02138,1\n"}, "holds the other", NULL, 0},
    {"everything and something", {HEAD "Race,*,1\nRace,black,1\n"}, "holds the other", NULL, 0},
    {"fewer than rows", {HEAD "Race,black,1\n"}, "fewer than the 2 rows", NULL, 0},
    {"totals",
     {HEAD "Race,black,1\nRace,white,1\nGender,male,2\nGender,female,1\n"},
     "Race in one.csv sum to 2 and those of Gender in one.csv to 3",
     NULL,
     0},
    {"totals of files",
     {"Race,count\nblack,1\nwhite,1\n", "Gender,count\nmale,7\n"},
     "one.csv sum to 2 and those of two.csv to 7",
     NULL,
     0},
    {"unknown date", {HEAD "BirthDate,spring,2\n"}, "value 1 in column", NULL, 0},
    {"nothing", {HEAD}, "no frequencies", NULL, 0},
    {"no file", {NULL}, "no frequencies", NULL, 0},
    {"a value nobody may have",
     {HEAD "Race,black,2\n"},
     "Race in one.csv contradict the release: 1 of its rows",
     NULL,
     0},
    {"too few",
     {HEAD "Race,black,0\nRace,white,2\n"},
     "Race in one.csv contradict the release",
     NULL,
     0},
    {"a combination that the release has",
     {"Race,Gender,count\nblack,female,1\nwhite,male,1\n"},
     "one.csv contradict the release",
     NULL,
     0},
    {"margins that differ",
     {"Race,Gender,count\nblack,male,1\nwhite,female,1\n", "Gender,count\nmale,2\nfemale,0\n"},
     "contradict those of another table in the column Gender",
     NULL,
     0},
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        tacit_error err = {0};
        tacit_summary_audit *audit = NULL;
        tacit_status status = summary_attack(&audit, RELEASE, BAD[i].files, NULL, &err);
        if (status != TACIT_PARSE || !strstr(err.message, BAD[i].says))
            fail_msg("%s: %s: %s", BAD[i].name, tacit_status_name(status), err.message);
        if (BAD[i].file)
            assert_string_equal(err.file, BAD[i].file);
        if (BAD[i].line)
            assert_int_equal(err.line, BAD[i].line);
        assert_null(audit);
    }
}

typedef struct edge {
    const char *name, *release;
    const char *files[SUMMARY_FILES];
    int64_t subjects, left_out, values, rows, tuples, narrowed, facts;
    int32_t left_out_values;
    bool left_out_known;
} edge;

static const edge EDGES[] = {
    {"no rows, nobody", "Race\n", {HEAD "Race,black,0\n"}, 0, 0, 0, 0, 0, 0, 0, 0, false},
    {"no rows, all left out alike",
     "Race,Gender\n",
     {HEAD "Race,black,3\nGender,male,3\n"},
     3,
     3,
     0,
     0,
     0,
     0,
     2,
     2,
     true},
    {"nothing is withheld",
     "Race\nblack\nwhite\n",
     {HEAD "Race,black,1\nRace,white,1\n"},
     2,
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     false},
    {"a generalized value of which there is one",
     "ZIP\n0213*\n0213*\n0214*\n",
     {HEAD "ZIP,02138,1\nZIP,02139,1\nZIP,02141,1\nZIP,02142,0\n"},
     3,
     0,
     1,
     1,
     1,
     0,
     2,
     0,
     false},
    {"labels finer than the frequencies say nothing",
     "BirthDate\n1964-03-01\n1965-02\n",
     {HEAD "BirthDate,1964,1\nBirthDate,1965,1\n"},
     2,
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     false},
    {"frequencies on two levels",
     "BirthDate\n*\n*\n1960-1964\n",
     {HEAD "BirthDate,1964,2\nBirthDate,1966,1\n", "BirthDate,count\n1960-1964,2\n1965-1969,1\n"},
     3,
     0,
     1,
     1,
     1,
     0,
     2,
     0,
     false},
    {"missing is a value",
     "Race\n*\nblack\n",
     {HEAD "Race,black,1\nRace,,1\n"},
     2,
     0,
     1,
     1,
     1,
     0,
     1,
     0,
     false},
    {"tables of two columns and the second's alone",
     "Race,Gender\n*,male\n*,female\n",
     {"Race,Gender,count\nblack,male,1\nwhite,female,1\n", "Gender,count\nmale,1\nfemale,1\n"},
     2,
     0,
     2,
     2,
     2,
     0,
     2,
     0,
     false},
    {"one of two that are ruled out",
     "Race,Gender\n*,male\n*,male\n*,female\n",
     {"Race,Gender,count\nblack,male,1\nwhite,male,1\nasian,female,1\n"},
     3,
     0,
     1,
     1,
     1,
     2,
     2,
     0,
     false},
};

static void test_edges(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof EDGES / sizeof EDGES[0]; i++) {
        const edge *e = &EDGES[i];
        tacit_error err = {0};
        tacit_summary_audit *audit = NULL;
        print_message("%s\n", e->name);
        if (summary_attack(&audit, e->release, e->files, NULL, &err) != TACIT_OK)
            fail_msg("%s", err.message);
        assert_true(audit->exact);
        assert_int_equal(audit->subjects, e->subjects);
        assert_int_equal(audit->left_out, e->left_out);
        assert_int_equal(audit->values_known, e->values);
        assert_int_equal(audit->rows_known, e->rows);
        assert_int_equal(audit->tuples_known, e->tuples);
        assert_int_equal(audit->cells_narrowed, e->narrowed);
        assert_int_equal(audit->fact_total, e->facts);
        assert_int_equal(audit->left_out_values, e->left_out_values);
        assert_int_equal(audit->left_out_known, e->left_out_known);
        tacit_summary_audit_free(audit);
    }
}

/* More facts than are listed: all are counted, and the first are there with their texts. */
static void test_many(void **state)
{
    (void)state;
    enum { LABELS = TACIT_SUMMARY_FACTS + 500 };
    static char release[LABELS * 16], frequencies[LABELS * 24];
    size_t r = 0, f = 0;
    tacit_error err = {0};
    tacit_summary_audit *audit = NULL;
    r += (size_t)snprintf(release + r, sizeof release - r, "ZIP\n");
    f += (size_t)snprintf(frequencies + f, sizeof frequencies - f, HEAD);
    for (int i = 0; i < LABELS; i++) {
        r += (size_t)snprintf(release + r, sizeof release - r, "%05d*\n", i);
        f += (size_t)snprintf(frequencies + f, sizeof frequencies - f, "ZIP,%05d%d,1\n", i, i % 10);
    }
    const char *const files[SUMMARY_FILES] = {frequencies};
    if (summary_attack(&audit, release, files, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    assert_int_equal(audit->values_known, LABELS);
    assert_int_equal(audit->fact_total, LABELS);
    assert_int_equal(audit->fact_count, TACIT_SUMMARY_FACTS);
    assert_string_equal(audit->facts[0].label, "00000*");
    assert_string_equal(audit->facts[0].shares[0].text, "000000");
    tacit_summary_audit_free(audit);
}

static void test_names(void **state)
{
    (void)state;
    tacit_strview names[TACIT_SUMMARY_COLUMNS];
    int32_t count = 0;
    tacit_error err = {0};
    tacit_table *table = NULL;
    assert_int_equal(summary_read(&table, HEAD "Race,a,1\nSex,m,1\nRace,b,1\n", "f", NULL, &err),
                     TACIT_OK);
    assert_int_equal(tacit_summary_names(names, &count, table, &err), TACIT_OK);
    assert_int_equal(count, 2);
    assert_true(tacit_strview_equal(names[1], tacit_strview_of("Sex")));
    tacit_table_free(table);
    assert_int_equal(summary_read(&table, "count,Race,value\n1,a,b\n", "f", NULL, &err), TACIT_OK);
    assert_int_equal(tacit_summary_names(names, &count, table, &err), TACIT_OK);
    assert_int_equal(count, 2);
    assert_true(tacit_strview_equal(names[1], tacit_strview_of("value")));
    tacit_table_free(table);
}

static bool refuse(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total, (void)payload;
    return false;
}

static void test_cancelled(void **state)
{
    (void)state;
    const char *const files[SUMMARY_FILES] = {"Race,Gender,count\nblack,male,1\nwhite,male,1\n"};
    summary_texts texts;
    tacit_summary_audit *audit = NULL;
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.progress = refuse;
    assert_int_equal(summary_open(&texts, RELEASE, files, NULL, &err), TACIT_OK);
    const tacit_summary_case c = {.release = texts.release,
                                  .files = (const tacit_table *const *)texts.files,
                                  .file_count = texts.count};
    assert_int_equal(tacit_audit_summary(&audit, &c, &run, &err), TACIT_CANCELLED);
    assert_null(audit);
    summary_close(&texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad),   cmocka_unit_test(test_edges),     cmocka_unit_test(test_many),
        cmocka_unit_test(test_names), cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
