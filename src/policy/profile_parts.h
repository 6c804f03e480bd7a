/*
 * profile_parts.h - what the files of the profile share: the shapes of values,
 * the facts of a column, and classes of rows.
 */
#ifndef TACIT_SRC_POLICY_PROFILE_PARTS_H
#define TACIT_SRC_POLICY_PROFILE_PARTS_H

#include <tacit/experimental/profile.h>

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

/* Type, role and reason. */
void tacit__classify(tacit_profile_column *column, const tacit__facts *facts);

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
