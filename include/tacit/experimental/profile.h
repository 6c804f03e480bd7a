/*
 * profile.h - a first look at data: what each column holds, whether it could
 * identify people, how many rows stand alone on the likely quasi-identifiers,
 * and a policy to start from.
 *
 * Roles are guesses from the column's name (English, German, French, Spanish,
 * Dutch) and from its values, each with its reason in words. In doubt a column
 * is taken for a quasi-identifier: too many of them cost detail, one too few
 * costs people. Reasons and policy hold no value of the data, only counts,
 * ranges by year or rounded outwards, words for "unknown", and
 * the label of a column in a survey's file.
 */
#ifndef TACIT_PROFILE_H
#define TACIT_PROFILE_H

#include <tacit/experimental/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TACIT_PROFILE_K = 5 };

/* Whose number an identifier seems to be. */
typedef enum tacit_profile_unit {
    TACIT_UNIT_UNKNOWN = 0,
    TACIT_UNIT_PERSON,
    TACIT_UNIT_HOUSEHOLD
} tacit_profile_unit;

typedef struct tacit_profile_column {
    tacit_strview name; /* borrowed from the table */
    uint32_t distinct;
    int64_t missing;
    double top_share;         /* of the rows that have a value: those with the most frequent one */
    size_t shortest, longest; /* values, in bytes */
    const char *type; /* "integer", "decimal", "date", "postcode", "phone", "e-mail", "URL", "IP",
                         "name", "free text", "yes/no", "code", "category", "identifier", "sex",
                         "age", "year", "weight" (of a survey), "empty" */
    tacit_role role;
    char about[128];  /* the file's label of it and how many codes it labels; "": nothing */
    bool coded;       /* its values are codes for words, as the file says */
    bool near_unique; /* of 20 rows or more, 19 in 20 have a value of their own */
    char reason[512];
    tacit_profile_unit unit;        /* of an identifier */
    tacit_hierarchy_spec hierarchy; /* suggested for a quasi-identifier: a rule, or */
    char group[64];                 /* how tacit_hierarchy_group() makes a file; "": it is none */
    char hierarchy_reason[256];
    char missing_words[96]; /* words and codes for "unknown", as YAML lists them */
    int64_t unique_added;   /* quasi: rows that are unique only because of this column */
} tacit_profile_column;

typedef struct tacit_profile {
    int64_t rows;
    tacit_profile_column *columns;
    int32_t column_count;
    int32_t quasi_count;
    int32_t counted_count; /* of them, the first ones, which the following is about */
    int64_t classes;       /* distinct combinations of the quasi-identifiers, missing as a value */
    int64_t unique_rows;   /* rows whose combination nobody shares */
    int64_t below_rows;    /* rows whose combination fewer than TACIT_PROFILE_K rows share */
    int32_t person;        /* the identifier that k should count, since its values stand in several
                              rows: a person's, or a household's; -1: there is none */
    bool households;       /* it is a household's */
    bool every_row;        /* is another person, as its own number of a person says */
    char person_reason[256];
    tacit_encoding encoding; /* of the table */
    int32_t weight; /* the weight of a survey that estimates can go by; -1: there is none */
} tacit_profile;

/* The table has every column coded and must outlive the profile. */
tacit_status tacit_profile_new(tacit_profile **out, const tacit_table *table, const tacit_run *run,
                               tacit_error *err);
void tacit_profile_free(tacit_profile *profile);

/* A policy to start from, as commented YAML, terminated; the caller frees it
 * with tacit_text_free. prefix is what the names of hierarchy files beside it begin with, NULL
 * where there can be none. */
tacit_status tacit_profile_policy(char **yaml, const tacit_profile *profile, const char *prefix,
                                  tacit_error *err);

/* The name of a column's hierarchy file, prefix.COLUMN.csv, as the policy writes it; freed the same
 * way. Its text is tacit_hierarchy_text() of the groups that tacit_hierarchy_group() makes. */
tacit_status tacit_profile_file(char **out, const tacit_profile *profile, int32_t index,
                                const char *prefix, tacit_error *err);

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
