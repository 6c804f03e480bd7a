/*
 * test_profile.c - the profile's guesses on columns made by hand, its counts
 * against a case from the literature and against sorting, and the policy it
 * writes, to the letter.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "policy/profile_parts.h"

#define ADULT TACIT_SOURCE_DIR "/../shared/data/adult/adult.csv"

static tacit_table *table_of(const char *csv, char delimiter)
{
    tacit_csv_options options;
    tacit_run run;
    tacit_error err = {0};
    tacit_table *table = NULL;
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    options.delimiter = delimiter;
    if (tacit_table_read_memory(&table, tacit_strview_of(csv), "test.csv", &options, &run, &err))
        fail_msg("%s", err.message);
    return table;
}

static tacit_profile *profile_of(const tacit_table *table, int threads)
{
    tacit_run run;
    tacit_error err = {0};
    tacit_profile *profile = NULL;
    tacit_run_init(&run);
    run.threads = threads;
    assert_int_equal(tacit_profile_new(&profile, table, &run, &err), TACIT_OK);
    return profile;
}

/* What every draft begins with, and its columns. */
static void assert_policy(const tacit_profile *profile, const char *columns)
{
    char *yaml = NULL;
    tacit_error err = {0};
    static const char head[] =
        "# A policy to start from. The roles are guesses, with their reasons: check each\n"
        "# one, for only you know what others can know about these people.\n"
        "# A quasi-identifier without a hierarchy can only be kept or suppressed.\n\n"
        "# Every combination of quasi-identifiers is shared by so many.\nk: 5\n\n"
        "# Generalizes each cell only as far as it has to be, which keeps most detail. A column "
        "then\n"
        "# holds values of several levels, and a generalized cell tells those who know the method "
        "that\n"
        "# its class does not share a finer value. mingen has one level a column.\n"
        "method: local\n\n"
        "# Rows that other methods may suppress; local suppresses none for this.\nloss: 0.05\n"
        "\ncolumns:\n";
    assert_int_equal(tacit_profile_policy(&yaml, profile, "draft", &err), TACIT_OK);
    assert_memory_equal(yaml, head, sizeof head - 1);
    assert_string_equal(yaml + sizeof head - 1, columns);
    tacit_text_free(yaml);
}

static void test_no_rows(void **state)
{
    (void)state;
    tacit_table *table = table_of("name,zip\n", ',');
    tacit_profile *profile = profile_of(table, 1);
    assert_int_equal(profile->rows, 0);
    assert_int_equal(profile->column_count, 2);
    assert_int_equal(profile->quasi_count, 0);
    assert_int_equal(profile->unique_rows, 0);
    assert_string_equal(profile->columns[0].type, "empty");
    assert_string_equal(profile->columns[1].reason, "no row has a value");
    assert_policy(profile, "\n  # no row has a value\n  name:\n    role: insensitive\n"
                           "\n  # no row has a value\n  zip:\n    role: insensitive\n");
    tacit_profile_free(profile);
    tacit_profile_free(NULL);
    tacit_table_free(table);
}

/* What comes first in dates with slashes, and a comma before decimals, is written down where the
 * column tells. */
static void test_what_columns_tell(void **state)
{
    static const struct {
        const char *name, *values, *rule;
    } CASES[] = {
        {"birth", "3/12/1912\n13/2/2004\n",
         "    hierarchy: {date: {order: day-first, windows: [1,"},
        {"birth", "3/12/1912\n2/13/2004\n",
         "    hierarchy: {date: {order: month-first, windows: [1,"},
        {"birth", "3/12/1912\n2/3/2004\n", "    hierarchy: {date: {windows: [1,"},
        {"birth", "3.12.1912\n3/3/2004\n", "    hierarchy: {date: {windows: [1,"},
        {"birth", "13/12/1912\n2/13/2004\n", NULL},
        {"height", "1,75\n1,805\n2,5\n", ", decimal: comma}}\n"},
        {"height", "1.75\n1.805\n2.5\n", "]}}\n"},
        {"height", "1,753\n1,805\n2,555\n", "]}}\n"},
        {"height", "1,753\n1,805\n2,555\n", "declare it, as in {interval: {decimal: comma}}"},
        {"height", "1,75\n1,80\n2.5\n", NULL}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char csv[64], *yaml = NULL;
        snprintf(csv, sizeof csv, "%s\n%s", CASES[i].name, CASES[i].values);
        tacit_table *table = table_of(csv, ';');
        tacit_profile *profile = profile_of(table, 1);
        assert_int_equal(tacit_profile_policy(&yaml, profile, "draft", NULL), TACIT_OK);
        if (CASES[i].rule)
            assert_non_null(strstr(yaml, CASES[i].rule));
        else
            assert_null(strstr(yaml, "hierarchy: "));
        tacit_text_free(yaml);
        tacit_profile_free(profile);
        tacit_table_free(table);
    }
}

static void test_one_row(void **state)
{
    (void)state;
    tacit_table *table = table_of("sex,zip,note\nF,02138,\n", ',');
    tacit_profile *profile = profile_of(table, 1);
    assert_int_equal(profile->rows, 1);
    assert_int_equal(profile->quasi_count, 2);
    assert_int_equal(profile->classes, 1);
    assert_int_equal(profile->unique_rows, 1);
    assert_int_equal(profile->below_rows, 1);
    assert_int_equal(profile->columns[0].unique_added, 0); /* alone on zip too */
    assert_int_equal(profile->columns[2].missing, 1);
    assert_true(profile->columns[0].top_share == 1);
    assert_true(profile->columns[2].top_share == 0);
    tacit_profile_free(profile);
    tacit_table_free(table);
}

static void test_counts(void **state)
{
    (void)state;
    tacit_table *table = table_of("code\nAB1\nAB1\n\nAB1\nC22222\n\n", ';');
    tacit_profile *profile = profile_of(table, 1);
    const tacit_profile_column *column = &profile->columns[0];
    assert_int_equal(profile->rows, 6);
    assert_int_equal(column->distinct, 2);
    assert_int_equal(column->missing, 2);
    assert_true(column->top_share == 0.75);
    assert_int_equal(column->shortest, 3);
    assert_int_equal(column->longest, 6);
    assert_string_equal(column->type, "code");
    tacit_profile_free(profile);
    tacit_table_free(table);
}

/* A column, its values with blanks between (a '_' is a blank inside one), and
 * what the profile makes of it. */
typedef struct guess {
    const char *name, *values, *type;
    tacit_role role;
    const char *reason;
} guess;

static const guess guesses[] = {
    /* by values, whatever the name */
    {"x", "ann@example.org bob@mail.example.com", "e-mail", TACIT_ROLE_IDENTIFIER,
     "looks like e-mail addresses: 100 % of the values are e-mail addresses"},
    {"x", "https://example.org/a www.example.org", "URL", TACIT_ROLE_IDENTIFIER,
     "looks like web addresses: 100 % of the values are web addresses"},
    {"x", "192.168.0.1 10.0.0.255 fe80::1:2:3", "IP", TACIT_ROLE_IDENTIFIER,
     "looks like network addresses: 100 % of the values are network addresses"},
    {"x", "+49_30_1234567 (617)_555-0123 0171/1234567 030_12_34_56_78", "phone",
     TACIT_ROLE_IDENTIFIER, "looks like phone numbers: 100 % of the values are phone numbers"},
    {"x", "1912-03-12 2004-12-31 n/a", "date", TACIT_ROLE_QUASI,
     "looks like dates: 100 % of the values are dates, 1912 to 2004"},
    {"x", "12.3.1964 01/31/1999 3-Mar-2001 19640312 1964-03 2001-02-03T10:00 2001-02-03_9:30:00",
     "date", TACIT_ROLE_QUASI, "looks like dates: 100 % of the values are dates, 1964 to 2001"},
    {"x", "male female unknown", "sex", TACIT_ROLE_QUASI,
     "looks like words for a sex: 100 % of the values are words for a sex"},
    {"x", "m\xC3\xA4nnlich weiblich divers", "sex", TACIT_ROLE_QUASI,
     "looks like words for a sex: 66.6 % of the values are words for a sex"},
    {"x", "yes no yes", "yes/no", TACIT_ROLE_QUASI,
     "looks like yes or no: 100 % of the values are yes or no; others may know it"},
    {"x", "0 1 1 0", "yes/no", TACIT_ROLE_QUASI,
     "looks like yes or no: 100 % of the values are yes or no; others may know it"},
    {"x", "SW1A_1AA EC1A_1BB M1_1AE", "postcode", TACIT_ROLE_QUASI,
     "looks like postcodes: 100 % of the values are postcodes"},
    {"x", "02138 10115 02139", "postcode", TACIT_ROLE_QUASI,
     "all of five digits, with leading zeros, as postcodes have"},
    {"x", "1984 2001 1999", "year", TACIT_ROLE_QUASI,
     "looks like years: 100 % of the values are years, between 1984 and 2001"},
    {"x", "she_came_in_with_a_bad_cough he_fell_off_a_very_high_ladder", "free text",
     TACIT_ROLE_IDENTIFIER,
     "looks like sentences: 100 % of the values are sentences; free text may name people"},
    {"x", "3 17 42 3", "integer", TACIT_ROLE_QUASI,
     "100 % of the values are whole numbers, between 0 and 50; few enough values to be known by "
     "others"},
    {"x", "0.31 12.75 7.5", "decimal", TACIT_ROLE_SENSITIVE,
     "100 % of the values are numbers, between 0 and 13; a quantity"},
    {"x", "red green red", "category", TACIT_ROLE_QUASI,
     "a category of 2 values that others may know"},
    {"x", "A1 B2 A1", "code", TACIT_ROLE_QUASI, "a category of 2 values that others may know"},
    {"x", "same same same", "category", TACIT_ROLE_INSENSITIVE, "every row has the same value"},
    /* by name, in five languages and several spellings */
    {"Name", "Smith Miller Smith", "name", TACIT_ROLE_IDENTIFIER,
     "column name says a person's name"},
    {"prenom", "Luc Anne Luc", "name", TACIT_ROLE_IDENTIFIER, "column name says a person's name"},
    {"Pr\xC3\xA9nom", "Luc Anne", "name", TACIT_ROLE_IDENTIFIER,
     "column name says a person's name"},
    {"nombre", "Ana Luis", "name", TACIT_ROLE_IDENTIFIER, "column name says a person's name"},
    {"lastName", "Ana Luis", "name", TACIT_ROLE_IDENTIFIER, "column name says a person's name"},
    {"achternaam", "Bos Vos", "name", TACIT_ROLE_IDENTIFIER, "column name says a person's name"},
    {"country name", "Chad Peru Chad", "category", TACIT_ROLE_QUASI, "column name says a place"},
    {"ZIPCode", "10115 10117", "postcode", TACIT_ROLE_QUASI, "column name says postcode"},
    {"plz", "10115 10117", "postcode", TACIT_ROLE_QUASI, "column name says postcode"},
    {"Code Postal", "75001 75002", "postcode", TACIT_ROLE_QUASI, "column name says postcode"},
    {"codigo_postal", "28001 28002", "postcode", TACIT_ROLE_QUASI, "column name says postcode"},
    {"Geburtsdatum", "12.03.1912 01.02.2004", "date", TACIT_ROLE_QUASI,
     "column name says date of birth; 100 % of the values are dates, 1912 to 2004"},
    {"DateOfBirth", "3/12/1912 1/2/2004", "date", TACIT_ROLE_QUASI,
     "column name says date of birth; 100 % of the values are dates, 1912 to 2004; no date shows "
     "whether the day or the month comes first; declare it, as in {date: {order: day-first}}"},
    {"DateOfBirth", "3/13/1912 1/14/2004 30/1/2000", "date", TACIT_ROLE_QUASI,
     "column name says date of birth; 100 % of the values are dates, 1912 to 2004; some dates have "
     "the day first and some the month, so that they cannot be generalized"},
    {"DOB", "3/13/64 1/2/71", "date", TACIT_ROLE_QUASI,
     "column name says date of birth; 100 % of the values are dates, 1964 to 1971"},
    {"birth_year", "1912 2004 1950", "year", TACIT_ROLE_QUASI,
     "column name says year of birth; 100 % of the values are years, between 1910 and 2010"},
    {"fecha de nacimiento", "1912-03-12 2004-01-01", "date", TACIT_ROLE_QUASI,
     "column name says date of birth; 100 % of the values are dates, 1912 to 2004"},
    {"age", "17 90 33", "age", TACIT_ROLE_QUASI,
     "column name says age; 100 % of the values are whole numbers, between 10 and 90"},
    {"leeftijd", "20-29 30-39 20-29", "code", TACIT_ROLE_QUASI, "column name says age"},
    {"Geschlecht", "1 2 1", "sex", TACIT_ROLE_QUASI, "column name says sex"},
    {"gender", "1 2 1", "sex", TACIT_ROLE_QUASI, "column name says sex"},
    {"marital-status", "single married single", "category", TACIT_ROLE_QUASI,
     "column name says marital status or family"},
    {"race", "White Black White", "category", TACIT_ROLE_QUASI, "column name says race or origin"},
    {"Telefon", "5551234 5551235", "phone", TACIT_ROLE_IDENTIFIER, "column name says phone"},
    {"e-mail", "hidden gone", "e-mail", TACIT_ROLE_IDENTIFIER, "column name says e-mail"},
    {"SSN", "078-05-1120 219-09-9999", "identifier", TACIT_ROLE_IDENTIFIER,
     "column name says a personal number"},
    {"patient_id", "7 8 8 9", "identifier", TACIT_ROLE_IDENTIFIER,
     "column name says an identifier"},
    {"patientID", "7 8 8 9", "identifier", TACIT_ROLE_IDENTIFIER, "column name says an identifier"},
    {"nr", "1 2 3", "identifier", TACIT_ROLE_IDENTIFIER, "column name says an identifier"},
    {"number of rooms", "1 2 1 2 3", "integer", TACIT_ROLE_QUASI,
     "100 % of the values are whole numbers, between 1 and 3; few enough values to be known by "
     "others"},
    {"Stra\xC3\x9F"
     "e",
     "Hauptweg_1 Ring_2", "address", TACIT_ROLE_IDENTIFIER, "column name says a street address"},
    {"icd10", "J45 I10 J45", "code", TACIT_ROLE_SENSITIVE,
     "column name says a diagnosis or treatment"},
    {"Diagnose", "flu cold", "category", TACIT_ROLE_SENSITIVE,
     "column name says a diagnosis or treatment"},
    {"Total_Charges", "12.5 99.0", "decimal", TACIT_ROLE_SENSITIVE,
     "column name says income, cost or other money"},
    {"gehalt", "1000 2000", "integer", TACIT_ROLE_SENSITIVE,
     "column name says income, cost or other money"},
    {"admission", "2001-02-03 2001-02-04", "date", TACIT_ROLE_QUASI,
     "column name says a date; events can be known from elsewhere"},
};

/* The values a row each, under the name. */
static tacit_table *column_of(tacit__strbuf *csv, const char *name, const char *values)
{
    tacit__strbuf_format(csv, "%s\n", name);
    for (const char *at = values; *at; at++)
        tacit__strbuf_format(csv, "%c", *at == ' ' ? '\n' : *at == '_' ? ' ' : *at);
    tacit__strbuf_text(csv, "\n");
    return table_of(csv->bytes, ';');
}

static void test_guesses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++) {
        const guess *g = &guesses[i];
        tacit__strbuf csv = {0};
        tacit_table *table = column_of(&csv, g->name, g->values);
        tacit_profile *profile = profile_of(table, 1);
        const tacit_profile_column *c = &profile->columns[0];
        if (strcmp(c->type, g->type) != 0 || c->role != g->role ||
            strcmp(c->reason, g->reason) != 0)
            fail_msg("case %zu, %s: %s, %s, %s", i, g->name, c->type, tacit_role_name(c->role),
                     c->reason);
        tacit_profile_free(profile);
        tacit_table_free(table);
        tacit__strbuf_clear(&csv);
    }
}

/* 1000 rows: 998 with a value of their own and two that share one. */
static void test_near_unique(void **state)
{
    (void)state;
    tacit__strbuf csv = {0};
    tacit__strbuf_text(&csv, "serial,word,size,person\n");
    for (int i = 0; i < 1000; i++) {
        int own = i == 999 ? 998 : i;
        tacit__strbuf_format(&csv, "%d,w-%c%c%c,%d.25,%c%c%cx Doe\n", 5000 + own, 'a' + own % 10,
                             'a' + own / 10 % 10, 'a' + own / 100, own, 'A' + own % 10,
                             'a' + own / 10 % 10, 'a' + own / 100);
    }
    tacit_table *table = table_of(csv.bytes, ',');
    tacit_profile *profile = profile_of(table, 1);
    static const char near[] = "near-unique: 99.8 % of the rows have a value of their own";
    assert_string_equal(profile->columns[0].type, "identifier");
    assert_int_equal(profile->columns[0].role, TACIT_ROLE_IDENTIFIER);
    assert_string_equal(profile->columns[1].reason, near);
    assert_int_equal(profile->columns[1].role, TACIT_ROLE_IDENTIFIER);
    assert_int_equal(profile->columns[2].role, TACIT_ROLE_SENSITIVE);
    assert_string_equal(profile->columns[2].reason,
                        "100 % of the values are numbers, between 0 and 1000; a quantity; "
                        "near-unique: 99.8 % of the rows have a value of their own");
    assert_string_equal(profile->columns[3].type, "name");
    assert_string_equal(profile->columns[3].reason,
                        "looks like names: 100 % of the values are names; most of them rare; "
                        "near-unique: 99.8 % of the rows have a value of their own");
    assert_int_equal(profile->quasi_count, 0);
    tacit_profile_free(profile);
    tacit_table_free(table);
    tacit__strbuf_clear(&csv);
}

/* The k-unique records table: records 3, 7, 8, 11 and 12 are unique; every
 * combination that singles out record 7 has SEX in it, and no other column is
 * needed by any record. */
static void test_unique_records(void **state)
{
    (void)state;
    tacit_table *table = table_of("city,sex,race,occupation,zip\n"
                                  "1,m,Caucasian,1,32122\n1,m,Caucasian,1,32122\n"
                                  "2,f,Caucasian,1,32110\n3,f,African,1,32110\n"
                                  "3,f,African,1,32110\n3,f,African,1,32110\n"
                                  "3,m,African,1,32110\n3,f,Caucasian,1,32111\n"
                                  "1,m,African,2,32111\n1,m,African,2,32111\n"
                                  "2,m,African,2,32110\n1,m,Caucasian,2,32110\n",
                                  ',');
    for (int threads = 1; threads <= 7; threads += 3) {
        tacit_profile *profile = profile_of(table, threads);
        assert_int_equal(profile->quasi_count, 5);
        assert_int_equal(profile->classes, 8);
        assert_int_equal(profile->unique_rows, 5);
        assert_int_equal(profile->below_rows, 12);
        for (int i = 0; i < 5; i++)
            assert_int_equal(profile->columns[i].unique_added, i == 1);
        tacit_profile_free(profile);
    }
    tacit_table_free(table);
}

enum { MANY_ROWS = 30000, MANY_COLUMNS = 12 };

static int by_cells(const void *a, const void *b)
{
    return memcmp(a, b, MANY_COLUMNS);
}

/* Rows in runs of fewer than k equal ones, by sorting; column `without` blank. */
static int64_t sorted_below(const uint8_t *cells, int without, int64_t k)
{
    uint8_t *copy = malloc(MANY_ROWS * MANY_COLUMNS);
    int64_t below = 0, run = 1;
    memcpy(copy, cells, MANY_ROWS * MANY_COLUMNS);
    for (int i = 0; without >= 0 && i < MANY_ROWS; i++)
        copy[i * MANY_COLUMNS + without] = 0;
    qsort(copy, MANY_ROWS, MANY_COLUMNS, by_cells);
    for (int i = 1; i <= MANY_ROWS; i++, run++)
        if (i == MANY_ROWS || by_cells(copy + i * MANY_COLUMNS, copy + (i - 1) * MANY_COLUMNS)) {
            below += run < k ? run : 0;
            run = 0;
        }
    free(copy);
    return below;
}

/* Twelve columns of 62 values need 72 bits: two words. Most rows are alone, so
 * the tables of the parts grow. */
static void test_groups_by_sorting(void **state)
{
    (void)state;
    static uint8_t cells[MANY_ROWS * MANY_COLUMNS];
    uint64_t random = 1;
    tacit__strbuf csv = {0};
    int32_t columns[MANY_COLUMNS];
    for (int i = 0; i < MANY_COLUMNS; i++) {
        tacit__strbuf_format(&csv, "%sc%d", i ? "," : "", i);
        columns[i] = i;
    }
    for (int i = 0; i < MANY_ROWS * MANY_COLUMNS; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        /* columns 3 and on follow from the first, so that leaving out counts */
        int column = i % MANY_COLUMNS;
        cells[i] =
            (uint8_t)(column < 3 ? (int)((random >> 40) % 62) : (cells[i - column] * column) % 62);
        tacit__strbuf_format(&csv, "%s%d", column ? "," : "\n", cells[i] + 1);
    }
    tacit__strbuf_text(&csv, "\n");
    tacit_table *table = table_of(csv.bytes, ',');
    tacit_run run;
    tacit_run_init(&run);
    tacit__policy_groups *groups = NULL, *fewer = NULL;
    assert_int_equal(tacit__groups_new(&groups, table, columns, MANY_COLUMNS, &run, NULL),
                     TACIT_OK);
    assert_int_equal(tacit__groups_below(groups, 2), sorted_below(cells, -1, 2));
    assert_int_equal(tacit__groups_below(groups, 5), sorted_below(cells, -1, 5));
    assert_int_equal(tacit__groups_below(groups, INT64_MAX), MANY_ROWS);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(tacit__groups_without(&fewer, groups, i, &run, NULL), TACIT_OK);
        assert_int_equal(tacit__groups_below(fewer, 2), sorted_below(cells, i, 2));
        assert_int_equal(tacit__groups_below(fewer, INT64_MAX), MANY_ROWS);
        tacit__groups_free(fewer);
    }
    tacit__groups_free(groups);
    tacit_table_free(table);
    tacit__strbuf_clear(&csv);
}

/* Unique records as others counted them: 15 512 on nine columns, 3 187 on the
 * first five. */
static void test_adult(void **state)
{
    (void)state;
    if (access(ADULT, R_OK) != 0) {
        print_message("skipped: no shared data\n");
        skip();
    }
    tacit_csv_options options;
    tacit_run run;
    tacit_table *table = NULL;
    tacit__policy_groups *groups = NULL;
    const int32_t columns[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    assert_int_equal(tacit_table_read(&table, ADULT, &options, &run, NULL), TACIT_OK);
    assert_int_equal(tacit__groups_new(&groups, table, columns, 9, &run, NULL), TACIT_OK);
    assert_int_equal(tacit__groups_below(groups, 2), 15512);
    tacit__groups_free(groups);
    assert_int_equal(tacit__groups_new(&groups, table, columns, 5, &run, NULL), TACIT_OK);
    assert_int_equal(tacit__groups_below(groups, 2), 3187);
    tacit__groups_free(groups);
    tacit_profile *profile = profile_of(table, 0);
    for (int i = 0; i < 9; i++)
        assert_int_equal(profile->columns[i].role, i < 8 ? TACIT_ROLE_QUASI : TACIT_ROLE_SENSITIVE);
    assert_string_equal(profile->columns[1].type, "age");
    tacit_profile_free(profile);
    tacit_table_free(table);
}

#define INTERVALS "    # intervals of numbers, as wide as the range of nearly all rows asks for\n"

static void test_policy_hierarchies(void **state)
{
    (void)state;
    tacit_table *table = table_of("nr,birth,zip,age,level,rooms,x.y,diagnosis\n"
                                  "1,1912-01-02,02138,17,1,1,yes,flu\n"
                                  "2,2004-05-06,10115,90,100000,2,no,flu\n"
                                  "3,1950-05-06,10115,33,7,9,no,cold\n",
                                  ',');
    tacit_profile *profile = profile_of(table, 2);
    /* age: 73 / 12 = 6.1, near 5; level: 99 999 / 12 = 8 333, near 10 000; rooms:
     * 8 / 12 = 0.7, whole numbers start at 2 */
    assert_policy(
        profile,
        "\n  # column name says an identifier\n  nr:\n    role: identifier\n    replace: drop\n"
        "\n  # column name says date of birth; 100 % of the values are dates, 1912 to 2004\n"
        "  birth:\n    role: quasi\n"
        "    # windows of so many months; each level is wider than the one before\n"
        "    hierarchy: {date: {windows: [1, 3, 12, 60, 120, 240, 480]}}\n"
        "\n  # column name says postcode\n  zip:\n    role: quasi\n"
        "    # masked from the right: the first characters are the wider area\n"
        "    hierarchy: {mask: right}\n"
        "\n  # column name says age; 100 % of the values are whole numbers, between 10 and 90\n"
        "  age:\n    role: quasi\n" INTERVALS
        "    hierarchy: {interval: {origin: 0, widths: [5, 10, 20, 40]}}\n"
        "\n  # 100 % of the values are whole numbers, between 0 and 100000; few enough values to "
        "be "
        "known by others\n"
        "  level:\n    role: quasi\n" INTERVALS
        "    hierarchy: {interval: {origin: 0, widths: [10000, 20000, 40000]}}\n"
        "\n  # 100 % of the values are whole numbers, between 1 and 9; few enough values to be "
        "known "
        "by others\n"
        "  rooms:\n    role: quasi\n" INTERVALS
        "    hierarchy: {interval: {origin: 0, widths: [2, 4]}}\n"
        "\n  # looks like yes or no: 100 % of the values are yes or no; others may know it\n"
        "  x.y:\n    role: quasi\n"
        "\n  # column name says a diagnosis or treatment\n  diagnosis:\n    role: sensitive\n"
        "    # diversity: 2 would leave no class in which everybody has the same value, and costs "
        "detail\n");
    tacit_profile_free(profile);
    tacit_table_free(table);
}

/* A rule is suggested only where every value will bear it; words for "unknown" are missing. */
static void test_policy_careful(void **state)
{
    (void)state;
    tacit_table *table =
        table_of("birth;age;lat;height\n1912-01-02;17;52,5;1\nn/a;unknown;13.4;90\n"
                 "1950-02-01;60;1;*\n",
                 ';');
    tacit_profile *profile = profile_of(table, 1);
    static const tacit_hierarchy_kind kinds[] = {TACIT_HIERARCHY_DATE, TACIT_HIERARCHY_INTERVAL,
                                                 TACIT_HIERARCHY_NONE, TACIT_HIERARCHY_NONE};
    static const char *const words[] = {"\"n/a\"", "\"unknown\"", "", ""};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(profile->columns[i].role, TACIT_ROLE_QUASI);
        assert_int_equal(profile->columns[i].hierarchy.kind, kinds[i]);
        assert_string_equal(profile->columns[i].missing_words, words[i]);
    }
    tacit_profile_free(profile);
    tacit_table_free(table);
}

/* Categories by shipped classifications, by the beginning of codes, by words and by frequency. */
static void test_policy_categories(void **state)
{
    (void)state;
    static const char *const states[] = {"Ohio", "Utah", "Iowa", "Maine", "Texas"};
    static const char *const jobs[] = {"nurse, day", "nurse, night", "driver", "driver, bus"};
    tacit__strbuf csv = {0};
    tacit__strbuf_text(&csv, "state,ward,title,colour,plain\n");
    for (int i = 0; i < 200; i++)
        tacit__strbuf_format(&csv, "%s,%c%d,\"%s\",%s,%s\n", states[i % 5], 'A' + i % 2, 10 + i % 9,
                             jobs[i % 4],
                             i < 2     ? "red"
                             : i < 5   ? "blue"
                             : i < 60  ? "green"
                             : i < 120 ? "black"
                                       : "white",
                             i % 2 ? "x" : "y");
    tacit_table *table = table_of(csv.bytes, ',');
    tacit_profile *profile = profile_of(table, 2);
    assert_string_equal(profile->columns[0].hierarchy.standard, "us-states");
    assert_int_equal(profile->columns[1].hierarchy.kind, TACIT_HIERARCHY_MASK);
    assert_string_equal(profile->columns[2].group, "name");
    assert_string_equal(profile->columns[3].group, "frequency:55,60");
    assert_string_equal(profile->columns[4].group, ""); /* two values: kept or suppressed */
    for (int i = 0; i < 5; i++)
        assert_int_equal(profile->columns[i].role, TACIT_ROLE_QUASI);

    /* Files are named after the policy and the column; beside none, groups are left out. */
    char *with = NULL, *without = NULL;
    assert_int_equal(tacit_profile_policy(&with, profile, "draft", NULL), TACIT_OK);
    assert_int_equal(tacit_profile_policy(&without, profile, NULL, NULL), TACIT_OK);
    assert_non_null(strstr(with, "    hierarchy: {file: draft.colour.csv}\n"));
    assert_non_null(strstr(without, "    hierarchy: {standard: us-states}\n"));
    assert_null(strstr(without, "file:"));
    tacit_text_free(with);
    tacit_text_free(without);
    tacit_profile_free(profile);
    tacit_table_free(table);
    tacit__strbuf_clear(&csv);
}

static void check_file(const tacit_profile *profile, int32_t column, const char *expected)
{
    char *name = NULL;
    assert_int_equal(tacit_profile_file(&name, profile, column, "a b", NULL), TACIT_OK);
    assert_string_equal(name, expected);
    tacit_text_free(name);
}

/* No two columns have one file, on any file system, and no name leaves its folder. */
static void test_policy_files(void **state)
{
    (void)state;
    tacit_table *table = table_of("ab,AB,a/../b,\xC3\xBC,Ab-c\n1,1,1,1,1\n", ',');
    tacit_profile *profile = profile_of(table, 1);
    check_file(profile, 0, "a b.ab-1.csv");
    check_file(profile, 1, "a b.AB-2.csv");
    check_file(profile, 2, "a b.a____b-3.csv");
    check_file(profile, 3, "a b.__-4.csv");
    check_file(profile, 4, "a b.Ab-c.csv");
    tacit_profile_free(profile);
    tacit_table_free(table);
}

/* Whose rows there are: a number that people of both sexes have is a household's, as is one that is
 * called so; names repeat by themselves; a number of people that never repeats says that every row
 * is another one. */
static void test_people(void **state)
{
    (void)state;
    static const struct {
        const char *csv;
        int32_t person;
        bool households, every_row;
    } CASES[] = {
        {"nr,id,sex\n1,7,m\n2,7,f\n3,8,m\n4,8,m\n", 1, true, false},
        {"nr,id,sex\n1,7,m\n2,7,m\n3,8,f\n4,8,f\n", 1, false, false},
        {"nr,hid,age\n1,7,30\n2,7,31\n3,8,32\n4,8,33\n", 1, true, false},
        {"patient,hid,sex\n1,7,m\n2,7,m\n3,8,f\n4,8,f\n", 1, true, false},
        {"patient,surname,sex\n1,Doe,m\n2,Doe,m\n3,Roe,f\n4,Poe,f\n", -1, false, true},
        {"nr,surname,sex\n1,Doe,m\n2,Doe,m\n3,Roe,f\n4,Poe,f\n", 1, false, false},
        {"patient,surname,sex\n1,Doe,m\n1,Doe,m\n3,Roe,f\n4,Doe,f\n", 0, false, false},
        {"patient,sex\n1,m\n,m\n3,f\n4,f\n", -1, false, false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        tacit_table *table = table_of(CASES[i].csv, ',');
        tacit_profile *profile = profile_of(table, 1);
        if (profile->person != CASES[i].person || profile->households != CASES[i].households ||
            profile->every_row != CASES[i].every_row)
            fail_msg("case %zu: %d %s", i, (int)profile->person, profile->person_reason);
        assert_int_equal(profile->person >= 0 || profile->every_row,
                         profile->person_reason[0] != '\0');
        tacit_profile_free(profile);
        tacit_table_free(table);
    }
}

/* What a row counts is no quasi-identifier; what a body weighs is. */
static void test_weights(void **state)
{
    (void)state;
    tacit_table *table = table_of("sampling_weight,household_weights,weight,WGT,hhweightclass\n"
                                  "1.5,25,80,3,a\n1.5,26,81,3,b\n2,25,80,4,c\n",
                                  ',');
    tacit_profile *profile = profile_of(table, 1);
    static const bool weights[] = {true, true, false, true, false};
    for (int i = 0; i < 5; i++)
        assert_int_equal(profile->columns[i].role == TACIT_ROLE_INSENSITIVE, weights[i]);
    assert_int_equal(profile->weight, 0);
    tacit_profile_free(profile);
    tacit_table_free(table);
}

/* Forty people in twenty households. */
static tacit_table *survey_of(tacit__strbuf *csv, int offset)
{
    tacit__strbuf_text(csv, "hid,age,birth,weight,kg\n");
    for (int i = 0; i < 40; i++) {
        int age = 20 + i;
        tacit__strbuf_format(csv, "%d,%d,%d-0%d-11,%d.5,%d\n", i / 2, age,
                             2023 - age - i % 2 - (i % 3) * offset, 1 + i % 9,
                             offset ? 100 + i / 20 : 100 + i / 2, 60 + i);
    }
    return table_of(csv->bytes, ',');
}

/* A date of birth that says what the age says is left out; one that says something else is not.
 * A weight that all of a household have is a survey's; if no other household has it, it leaves. */
static void test_across(void **state)
{
    (void)state;
    for (int offset = 0; offset <= 7; offset += 7) {
        tacit__strbuf csv = {0};
        tacit_table *table = survey_of(&csv, offset);
        tacit_profile *profile = profile_of(table, 1);
        const tacit_profile_column *birth = &profile->columns[2];
        assert_true(profile->households);
        assert_int_equal(birth->role, offset ? TACIT_ROLE_QUASI : TACIT_ROLE_IDENTIFIER);
        assert_int_equal(strstr(birth->reason, "the age says the same") == NULL, offset != 0);
        assert_int_equal(profile->weight, 3);
        assert_string_equal(profile->columns[3].type, "weight");
        assert_int_equal(profile->columns[3].role,
                         offset ? TACIT_ROLE_INSENSITIVE : TACIT_ROLE_IDENTIFIER);
        assert_int_not_equal(profile->columns[4].role, TACIT_ROLE_INSENSITIVE);
        tacit_profile_free(profile);
        tacit_table_free(table);
        tacit__strbuf_clear(&csv);
    }
}

/* What nobody answers is missing; what somebody may is not. */
static void test_missing_codes(void **state)
{
    (void)state;
    static const struct {
        const char *name, *values, *codes;
    } CASES[] = {
        {"age", "20 31 42 53 64 75 999 999", "\"999\""},
        {"age", "20 31 42 53 64 75 998 998 999 999", "\"998\", \"999\""},
        {"age", "20 31 42 53 64 75 999", ""},   /* somebody's own */
        {"age", "20 31 42 53 64 75 99 99", ""}, /* an age */
        {"day", "1 5 9 13 17 21 31 99 99", "\"99\""},
        {"region", "a b c d . . NA none unknown", "\".\", \"NA\""},
        {"income", "100 200 300 k.A. 500 500", "\"k.A.\""},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        tacit__strbuf csv = {0};
        tacit_table *table = column_of(&csv, CASES[i].name, CASES[i].values);
        tacit_profile *profile = profile_of(table, 1);
        assert_string_equal(profile->columns[0].missing_words, CASES[i].codes);
        tacit_profile_free(profile);
        tacit_table_free(table);
        tacit__strbuf_clear(&csv);
    }
}

static void test_policy_odd_names(void **state)
{
    (void)state;
    tacit_table *table = table_of("\"a: \"\"b\"\"\", c d ,No,\"x\ny\\z\",gr\xC3\xB6\xC3\x9F"
                                  "er,- e,#f,a_b-c.d e,\xC2\x85\xE2\x80\xA8,3,c\n"
                                  "r,r,r,r,r,r,r,r,r,r,r\nr,r,r,r,r,r,r,r,r,r,r\n",
                                  ',');
    tacit_profile *profile = profile_of(table, 1);
    static const char *const names[] = {"\"a: \\\"b\\\"\"",
                                        "\" c d \"",
                                        "\"No\"",
                                        "\"x\\ny\\\\z\"",
                                        "\"gr\xC3\xB6\xC3\x9F"
                                        "er\"",
                                        "\"- e\"",
                                        "\"#f\"",
                                        "a_b-c.d e",
                                        "\"\\x85\\u2028\"",
                                        "\"3\"",
                                        "c"};
    tacit__strbuf expected = {0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        tacit__strbuf_format(&expected,
                             "\n  # every row has the same value\n  %s:\n"
                             "    role: insensitive\n",
                             names[i]);
    assert_policy(profile, expected.bytes);
    tacit__strbuf_clear(&expected);
    tacit_profile_free(profile);
    tacit_table_free(table);
}

/* A policy goes by names, so there is none for a column that has none. */
static void test_policy_no_name(void **state)
{
    (void)state;
    char *yaml = NULL;
    tacit_error err = {0};
    tacit_table *table = table_of("a,,b\n1,2,3\n", ',');
    tacit_profile *profile = profile_of(table, 1);
    assert_int_equal(tacit_profile_policy(&yaml, profile, "draft", &err), TACIT_INVALID);
    assert_null(yaml);
    assert_non_null(strstr(err.message, "column 2 has no name"));
    tacit_profile_free(profile);
    tacit_table_free(table);
}

static void test_policy_long_name(void **state)
{
    (void)state;
    char csv[700] = "";
    memset(csv, 'q', 600);
    strcat(csv, "\nr\nr\n");
    tacit_table *table = table_of(csv, ',');
    tacit_profile *profile = profile_of(table, 1);
    tacit__strbuf expected = {0};
    tacit__strbuf_format(&expected,
                         "\n  # every row has the same value\n  ? %.600s\n  :\n"
                         "    role: insensitive\n",
                         csv);
    assert_policy(profile, expected.bytes);
    tacit__strbuf_clear(&expected);
    tacit_profile_free(profile);
    tacit_table_free(table);
}

/* Nothing of the data shows: no value but in ranges that are rounded. */
static void test_no_values_shown(void **state)
{
    (void)state;
    tacit_table *table =
        table_of("name,mail,level,birth\nQuimby,quimby@quux.example,1237,1961-07-23\n"
                 "Zaphod,zaphod@quux.example,8641,1962-08-24\n",
                 ',');
    tacit_profile *profile = profile_of(table, 1);
    char *yaml = NULL;
    assert_int_equal(tacit_profile_policy(&yaml, profile, "draft", NULL), TACIT_OK);
    static const char *const values[] = {"Quimby", "quux", "1237", "8641", "07-23"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        assert_null(strstr(yaml, values[i]));
    assert_non_null(strstr(yaml, "between 1000 and 9000"));
    tacit_text_free(yaml);
    tacit_profile_free(profile);
    tacit_table_free(table);
}

/* Uniqueness is counted for 64 quasi-identifiers; the others stay what they are. */
static void test_too_many_quasi(void **state)
{
    (void)state;
    tacit__strbuf csv = {0};
    for (int row = 0; row < 3; row++)
        for (int i = 0; i < 70; i++)
            tacit__strbuf_format(&csv, "%s%d%s",
                                 row == 0   ? "c"
                                 : row == 1 ? "a"
                                            : "b",
                                 row == 0 ? i : 0, i < 69 ? "," : "\n");
    tacit_table *table = table_of(csv.bytes, ',');
    tacit_profile *profile = profile_of(table, 1);
    assert_int_equal(profile->quasi_count, 70);
    assert_int_equal(profile->counted_count, 64);
    assert_int_equal(profile->unique_rows, 2);
    assert_int_equal(profile->columns[69].role, TACIT_ROLE_QUASI);
    tacit_profile_free(profile);
    tacit_table_free(table);
    tacit__strbuf_clear(&csv);
}

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)done, (void)total;
    return strcmp(phase, payload) != 0;
}

static void test_cancelled(void **state)
{
    (void)state;
    tacit_table *table = table_of("sex,zip\nf,1\nm,2\n", ',');
    static char phases[][8] = {"profile", "count", "group"};
    for (int i = 0; i < 3; i++) {
        tacit_run run;
        tacit_error err = {0};
        tacit_profile *profile = NULL;
        tacit_run_init(&run);
        run.progress = stop;
        run.payload = phases[i];
        assert_int_equal(tacit_profile_new(&profile, table, &run, &err), TACIT_CANCELLED);
        assert_null(profile);
        assert_int_equal(err.status, TACIT_CANCELLED);
    }
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_rows),
        cmocka_unit_test(test_one_row),
        cmocka_unit_test(test_what_columns_tell),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_guesses),
        cmocka_unit_test(test_near_unique),
        cmocka_unit_test(test_unique_records),
        cmocka_unit_test(test_groups_by_sorting),
        cmocka_unit_test(test_adult),
        cmocka_unit_test(test_policy_hierarchies),
        cmocka_unit_test(test_policy_careful),
        cmocka_unit_test(test_policy_categories),
        cmocka_unit_test(test_policy_files),
        cmocka_unit_test(test_people),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_across),
        cmocka_unit_test(test_missing_codes),
        cmocka_unit_test(test_policy_odd_names),
        cmocka_unit_test(test_policy_no_name),
        cmocka_unit_test(test_policy_long_name),
        cmocka_unit_test(test_no_values_shown),
        cmocka_unit_test(test_too_many_quasi),
        cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
