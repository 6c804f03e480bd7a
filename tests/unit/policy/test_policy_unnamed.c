/*
 * test_policy_unnamed.c - columns without a role: what looks personal is refused with a message
 * that names the column and what it looks like and no value, the rest is told by what it looks
 * like.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tacit/experimental/profile.h>

#include "base/strbuf.h"

static tacit_table *table_of(const tacit__strbuf *csv)
{
    tacit_csv_options options;
    tacit_error err = {0};
    tacit_table *table = NULL;
    tacit_csv_options_init(&options);
    options.code_none = true; /* as columns without a role are */
    tacit_strview bytes = {csv->bytes, csv->len};
    if (tacit_table_read_memory(&table, bytes, "test.csv", &options, NULL, &err))
        fail_msg("%s", err.message);
    return table;
}

/* A column `name` of so many values, beside a quasi-identifier. */
static tacit_table *column_of(tacit__strbuf *csv, const char *name, const char *format, int rows,
                              int distinct)
{
    char value[128];
    tacit__strbuf_format(csv, "zip,%s\n", name);
    for (int i = 0; i < rows; i++) {
        snprintf(value, sizeof value, format, i % distinct);
        tacit__strbuf_format(csv, "%05d,%s\n", i % 7, value);
    }
    return table_of(csv);
}

static tacit_status look(tacit_profile **profile, const tacit_table *table, const char *yaml,
                         tacit_error *err)
{
    tacit_policy *policy = NULL;
    assert_int_equal(tacit_policy_parse(&policy, tacit_strview_of(yaml), "p.yaml", NULL), TACIT_OK);
    tacit_status status = tacit_profile_unnamed(profile, policy, table, NULL, err);
    tacit_policy_free(policy);
    return status;
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static const struct sort {
    const char *name, *format;
    int distinct; /* of 60 rows */
    const char *looks;
} personal[] = {
    {"a", "u%d@example.org", 60, "looks like e-mail addresses"},
    {"a", "u%d@example.org", 3, "looks like e-mail addresses"},
    {"a", "+49 30 1234%03d", 60, "looks like phone numbers"},
    {"name", "A%d", 5, "looks like names"},
    {"a", "%d", 60, "looks like an identifier"},
    {"patient", "%d", 20, "looks like an identifier"},
    {"ssn", "078-05-1%03d", 60, "looks like an identifier"},
    {"address", "Main Street %d", 4, "looks like an identifier"},
    {"remarks", "Seen today with her son Tom and a dog %d", 60, "looks like free text"},
    {"x", "\"He said \"\"no\"\" to all of it, %d\"", 60, "looks like free text"},
    {"salary", "%d.25", 60, "has a value of its own in nearly every row"},
    {"visit", "2021-03-05 10:%02d", 60, "has a value of its own in nearly every row"},
    {"zipcode", "%05d-x", 60, "has a value of its own in nearly every row"},
};

static void what_looks_personal_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof personal / sizeof personal[0]; i++) {
        const struct sort *p = &personal[i];
        tacit__strbuf csv = {0};
        tacit_error err = {0};
        char name[64];
        tacit_profile *profile = NULL;
        tacit_table *table = column_of(&csv, p->name, p->format, 60, p->distinct);
        tacit_status status = look(&profile, table, "columns: {zip: quasi}", &err);
        assert_int_equal(status, TACIT_INVALID);
        assert_null(profile);
        snprintf(name, sizeof name, "column \"%s\" has no role and ", p->name);
        if (strncmp(err.message, name, strlen(name)) || !strstr(err.message, p->looks))
            fail_msg("%s: %s", p->name, err.message);
        assert_non_null(strstr(err.message, "identifier to drop it"));
        /* a role of any kind is a decision */
        char yaml[96];
        snprintf(yaml, sizeof yaml, "columns: {zip: quasi, %s: insensitive}", p->name);
        assert_int_equal(look(&profile, table, yaml, &err), TACIT_OK);
        assert_null(profile);
        tacit_table_free(table);
        tacit__strbuf_clear(&csv);
    }
}

/* Values that name people by their form, repeated, under a name that says nothing. */
static const struct form {
    const char *values[3];
    const char *looks; /* NULL: like nobody */
} forms[] = {
    {{"Mary Smith", "John Doe", "Peter Miller"}, "looks like names"},
    {{"Smith, Mary", "Doe, John", "O'Brien, Kate"}, "looks like names"},
    {{"Dr. Lee", "Dr. Patel", "Prof. Klein"}, "looks like names"},
    {{"J. Smith", "M. Jones", "Jones, K."}, "looks like names"},
    {{"MARY SMITH", "DOE, JOHN Q.", "Smith Jr., Paul"}, "looks like names"},
    {{"mary smith", "dr lee", "paul jones md"}, "looks like names"},
    {{"María García", "Jean-Luc Picard", "Ludwig van der Berg"}, "looks like names"},
    {{"Chidi Okonkwo", "Priya Patel", "other"}, "looks like names"},
    {{"12 Main Street", "221B Baker St.", "5 Elm Road"}, "looks like street addresses"},
    {{"Hauptstraße 5", "Lange Straße 12", "Kerkstraat 1"}, "looks like street addresses"},
    {{"12 rue de la Paix", "Calle Mayor 12", "P.O. Box 77"}, "looks like street addresses"},
    {{"DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432", "x"}, "looks like account numbers"},
    {{"DE88 3704 0044 0532 0130 00", "GB81WEST12345698765432", "x"}, NULL},
    {{"Never married", "Married, spouse absent", "Widowed"}, NULL},
    {{"United States", "Puerto Rico", "Costa Rica"}, NULL},
    {{"Some College", "High School", "Masters Degree"}, NULL},
    {{"Los Angeles", "San Jose", "Virginia Beach"}, NULL},
    {{"Portland, Oregon", "Atlanta, Georgia", "Austin, Texas"}, NULL},
    {{"White British", "Asian Indian", "Black African"}, NULL},
    {{"4 Wheel Drive", "2 Lane Road", "Route 66"}, NULL},
    {{"MR Angiography", "Crohn Disease", "Day Surgery"}, NULL},
};

static void values_name_people_by_their_form(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        tacit__strbuf csv = {0};
        tacit_error err = {0};
        tacit_profile *profile = NULL;
        tacit__strbuf_text(&csv, "zip;c\n");
        for (int row = 0; row < 60; row++)
            tacit__strbuf_format(&csv, "%d;%s\n", row % 2, forms[i].values[row % 3]);
        tacit_table *table = table_of(&csv);
        tacit_status status = look(&profile, table, "columns: {zip: quasi}", &err);
        if (status != (forms[i].looks ? TACIT_INVALID : TACIT_OK) ||
            (forms[i].looks && !strstr(err.message, forms[i].looks)))
            fail_msg("%s: %s", forms[i].values[0], err.message);
        for (int v = 0; forms[i].looks && v < 3; v++)
            if (strlen(forms[i].values[v]) > 5)
                assert_null(strstr(err.message, forms[i].values[v]));
        tacit_profile_free(profile);
        tacit_table_free(table);
        tacit__strbuf_clear(&csv);
    }
}

static void what_looks_harmless_is_told(void **state)
{
    (void)state;
    tacit__strbuf csv = {0};
    tacit_error err = {0};
    tacit_profile *profile = NULL;
    tacit__strbuf_text(&csv, "zip;sex;charge;empty\n");
    for (int i = 0; i < 40; i++)
        tacit__strbuf_format(&csv, "%05d;%c;%d;\n", i % 7, "mf"[i % 2], i % 4 * 1000);
    tacit_table *table = table_of(&csv);
    assert_int_equal(look(&profile, table, "columns: {zip: quasi}", &err), TACIT_OK);
    assert_int_equal(profile->column_count, 3);
    assert_true(tacit_strview_equal(profile->columns[0].name, tacit_strview_of("sex")));
    assert_int_equal(profile->columns[0].role, TACIT_ROLE_QUASI);
    assert_int_equal(profile->columns[1].role, TACIT_ROLE_SENSITIVE);
    assert_int_equal(profile->columns[1].distinct, 4);
    assert_int_equal(profile->columns[2].role, TACIT_ROLE_INSENSITIVE);
    assert_int_equal(profile->columns[2].missing, 40);
    tacit_profile_free(profile);
    tacit_table_free(table);
    tacit__strbuf_clear(&csv);
}

/* One column whose cells are empty here and there, and one row; all others refused are listed. */
static void edges(void **state)
{
    (void)state;
    tacit__strbuf csv = {0};
    tacit_error err = {0};
    tacit_profile *profile = NULL;
    tacit__strbuf_text(&csv, "zip,x,mail,phone\n1,,a@b.org,\n2,y,c@d.org,\"+49 (30) 1234567\"\n");
    tacit_table *table = table_of(&csv);
    assert_int_equal(look(&profile, table, "columns: {zip: quasi, x: identifier}", &err),
                     TACIT_INVALID);
    assert_non_null(strstr(err.message, "column \"mail\" has no role"));
    assert_non_null(strstr(err.message, "; the same goes for \"phone\""));
    assert_null(strstr(err.message, "1234567"));
    const char *yaml = "columns: {zip: quasi, mail: identifier, phone: identifier}";
    assert_int_equal(look(&profile, table, yaml, &err), TACIT_OK);
    assert_int_equal(profile->column_count, 1);
    assert_int_equal(profile->columns[0].missing, 1);
    tacit_profile_free(profile);
    tacit_table_free(table);
    tacit__strbuf_clear(&csv);
    tacit__strbuf_text(&csv, "zip,x\n");
    table = table_of(&csv);
    assert_int_equal(look(&profile, table, "columns: {zip: quasi}", &err), TACIT_OK);
    assert_null(profile);
    tacit_table_free(table);
    tacit__strbuf_clear(&csv);
}

/* More rows than are looked at: those that are taken stand all over the file. */
static void a_sample_of_many_rows(void **state)
{
    (void)state;
    tacit__strbuf csv = {0};
    tacit_error err = {0};
    tacit_profile *profile = NULL;
    tacit__strbuf_text(&csv, "zip,half,few\n");
    for (int i = 0; i < 100000; i++) {
        tacit__strbuf_format(&csv, "1,");
        tacit__strbuf_format(&csv, i < 50000 ? "a,%d\n" : "%d,%d\n", i < 50000 ? i % 9 : i, i % 9);
    }
    tacit_table *table = table_of(&csv);
    assert_int_equal(look(&profile, table, "columns: {zip: quasi, half: insensitive}", &err),
                     TACIT_OK);
    assert_int_equal(profile->rows, 20000);
    assert_int_equal(profile->columns[0].distinct, 9);
    tacit_profile_free(profile);
    assert_int_equal(look(&profile, table, "columns: {zip: quasi, few: quasi}", &err), TACIT_OK);
    assert_int_equal(profile->columns[0].distinct, 10001);
    tacit_profile_free(profile);
    tacit_table_free(table);
    tacit__strbuf_clear(&csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_looks_personal_is_refused),
        cmocka_unit_test(values_name_people_by_their_form),
        cmocka_unit_test(what_looks_harmless_is_told),
        cmocka_unit_test(edges),
        cmocka_unit_test(a_sample_of_many_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
