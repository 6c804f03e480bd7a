/*
 * profile.h - a first look at data: what each column holds, whether it could
 * identify people, how many rows stand alone on the likely quasi-identifiers,
 * and a policy to start from.
 *
 * Roles are guesses from the column's name (English, German, French, Spanish,
 * Dutch) and from its values, each with its reason in words. In doubt a column
 * is taken for a quasi-identifier: too many of them cost detail, one too few
 * costs people. Reasons and policy hold no value of the data, only counts, and
 * ranges by year or rounded outwards.
 */
#ifndef TACIT_PROFILE_H
#define TACIT_PROFILE_H

#include <tacit/experimental/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TACIT_PROFILE_K = 5 };

typedef struct tacit_profile_column {
    tacit_strview name; /* borrowed from the table */
    uint32_t distinct;
    int64_t missing;
    double top_share;         /* of the rows that have a value: those with the most frequent one */
    size_t shortest, longest; /* values, in bytes */
    const char *type; /* "integer", "decimal", "date", "postcode", "phone", "e-mail", "URL", "IP",
                         "name", "free text", "yes/no", "code", "category", "identifier", "sex",
                         "age", "year", "empty" */
    tacit_role role;
    bool near_unique; /* of 20 rows or more, 19 in 20 have a value of their own */
    char reason[320];
    tacit_hierarchy_spec hierarchy; /* suggested for a quasi-identifier */
    int64_t unique_added;           /* quasi: rows that are unique only because of this column */
} tacit_profile_column;

typedef struct tacit_profile {
    int64_t rows;
    tacit_profile_column *columns;
    int32_t column_count;
    int32_t quasi_count;
    int64_t classes;     /* distinct combinations of the quasi-identifiers, missing as a value */
    int64_t unique_rows; /* rows whose combination nobody shares */
    int64_t below_rows;  /* rows whose combination fewer than TACIT_PROFILE_K rows share */
    int32_t person;      /* the identifier that seems to say which rows are one person's, since its
                            values stand in several; -1: none does */
    char person_reason[256];
} tacit_profile;

/* The table has every column coded and must outlive the profile. */
tacit_status tacit_profile_new(tacit_profile **out, const tacit_table *table, const tacit_run *run,
                               tacit_error *err);
void tacit_profile_free(tacit_profile *profile);

/* A policy to start from, as commented YAML, terminated; the caller frees it
 * with tacit_text_free. */
tacit_status tacit_profile_policy(char **yaml, const tacit_profile *profile, tacit_error *err);

/* Looks at a sample of the columns that the policy gives no role, coded or not. Where one looks
 * like something that identifies people by itself (a name, a number of a person, an address of
 * mail, free text, a value of its own in nearly every row), the policy is refused: what becomes of
 * such a column must be a decision, and under `strict` that of every column. Otherwise *out is the
 * profile of these columns, by the sample and in the table's order, or NULL where there is none, or
 * no row; those of role quasi may identify in combination. */
tacit_status tacit_profile_unnamed(tacit_profile **out, const tacit_policy *policy,
                                   const tacit_table *table, const tacit_run *run,
                                   tacit_error *err);

/* The name of a role as a policy writes it. */
const char *tacit_role_name(tacit_role role);

#ifdef __cplusplus
}
#endif
#endif
