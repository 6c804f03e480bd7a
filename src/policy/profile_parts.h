/*
 * profile_parts.h - what the files of the profile share: the shapes of values,
 * the facts of a column, and classes of rows.
 */
#ifndef TACIT_SRC_POLICY_PROFILE_PARTS_H
#define TACIT_SRC_POLICY_PROFILE_PARTS_H

#include <tacit/experimental/profile.h>

/* Quasi-identifiers of which it is counted what they are together, at most: each is left out in
 * turn to see what it adds. */
enum { TACIT__PROFILE_QUASI = 64 };

/* profile_kinds.c: what a single value looks like. Shapes overlap: a year is
 * an integer is a number. */
typedef enum tacit__profile_shape {
    TACIT__SHAPE_EMAIL = 0,
    TACIT__SHAPE_URL,
    TACIT__SHAPE_IP,
    TACIT__SHAPE_DATE,
    TACIT__SHAPE_SEX,
    TACIT__SHAPE_YESNO,
    TACIT__SHAPE_POSTCODE,
    TACIT__SHAPE_YEAR,
    TACIT__SHAPE_INTEGER,
    TACIT__SHAPE_NUMBER,
    TACIT__SHAPE_PHONE,
    TACIT__SHAPE_TEXT,
    TACIT__SHAPE_NAME,
    TACIT__SHAPE_CODE,
    TACIT__SHAPE_IBAN,
    TACIT__SHAPE_STREET,
    TACIT__SHAPE_PERSON,
    TACIT__SHAPES,
    TACIT__SHAPE_ANY = TACIT__SHAPES
} tacit__profile_shape;

/* What is known of a column: counts over all rows, shapes over a sample of its
 * distinct values. */
typedef struct tacit__facts {
    int64_t rows, missing;
    int64_t singles; /* rows with a value of their own */
    int64_t top;     /* rows with the most frequent value */
    uint32_t distinct;
    size_t shortest, longest;
    size_t sampled; /* distinct values looked at */
    size_t seen;    /* of them, those that are no word for "unknown" */
    size_t shapes[TACIT__SHAPES];
    size_t leading_zeros; /* of digits, five of them */
    size_t commas;        /* numbers written with a comma */
    size_t same_length;   /* values as long as most are */
    double low, high;     /* of the numbers */
    int first_year, last_year;
} tacit__facts;

void tacit__facts_of_values(tacit__facts *facts, const tacit_table *table, int32_t column);

/* profile_values.c: values that name somebody by their form. */
bool tacit__profile_person(tacit_strview value);
bool tacit__profile_street(tacit_strview value);
bool tacit__profile_iban(tacit_strview value);

/* Text as words: lower case, accents off, a blank between words and around all
 * (" code postal "), where camelCase and digits start words of their own. */
void tacit__profile_fold(char *out, size_t size, tacit_strview text);

/* Whether a value is a word for "unknown", and a number: digits with at most one point or comma
 * among them, a sign before. */
bool tacit__profile_unknown(tacit_strview value);
bool tacit__profile_number(double *number, bool *whole, tacit_strview value);

/* The year of a date, or 0. */
int tacit__profile_year(tacit_strview value);

/* Words for being born in a column's name. */
#define TACIT__PROFILE_BIRTHS \
    "birth*|born|dob|bday|yob|geburt*|geb|gebdat|naissance|nacimiento|geboorte*"

/* Adds to why a column has its role. */
void tacit__profile_add_reason(tacit_profile_column *column, const char *more);

/* Whether one of the words, with '|' between, stands in a column's name. */
bool tacit__profile_says(tacit_strview name, const char *words);

/* Type, role and reason, and whose number an identifier is. */
void tacit__classify(tacit_profile_column *column, const tacit__facts *facts,
                     const tacit_table *table, int32_t index);

/* profile_rules.c: what a quasi-identifier could generalize to. */
tacit_status tacit__profile_suggest(tacit_profile_column *column, const tacit__facts *facts,
                                    const tacit_table *table, int32_t index, tacit_error *err);

/* profile_people.c: whose the rows are. */
tacit_status tacit__profile_people(tacit_profile *profile, const tacit_table *table,
                                   tacit_error *err);

/* Values of the identifier with rows of different codes in the other column. */
tacit_status tacit__profile_mixed(int64_t *mixed, const tacit_table *table, int32_t identifier,
                                  int32_t other, tacit_error *err);

/* profile_across.c: what columns say of each other, once it is known whose the rows are. */
tacit_status tacit__profile_across(tacit_profile *profile, const tacit_table *table,
                                   tacit_error *err);

/* profile_groups.c: rows by their combination of codes. */
typedef struct tacit__policy_groups tacit__policy_groups;

tacit_status tacit__groups_new(tacit__policy_groups **out, const tacit_table *table,
                               const int32_t *columns, int32_t count, const tacit_run *run,
                               tacit_error *err);
void tacit__groups_free(tacit__policy_groups *groups);
int64_t tacit__groups_count(const tacit__policy_groups *groups);

/* Rows in groups of fewer than k rows; k = 2 counts the unique ones. */
int64_t tacit__groups_below(const tacit__policy_groups *groups, int64_t k);

/* The same groups without the column of that index in columns. */
tacit_status tacit__groups_without(tacit__policy_groups **out, const tacit__policy_groups *groups,
                                   int32_t index, const tacit_run *run, tacit_error *err);

#endif
