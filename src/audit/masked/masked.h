/*
 * masked.h - what the files of the judge of masked tables share: the case, columns as claims need
 * them, and one claim's hearing.
 *
 * The order of work is that of masked.c: header, rows and bytes of what nobody may have changed
 * (bytes.c), then claims, some at a time: their columns are read in one pass
 * (bytes.c), and each is heard about values (values.c) or numbers (numbers.c).
 */
#ifndef TACIT_AUDIT_MASKED_MASKED_H
#define TACIT_AUDIT_MASKED_MASKED_H

#include <tacit/experimental/audit_masked.h>

#include "audit/judge/judge.h"
#include "audit/rows/rows.h"
#include "base/arena.h"

enum { TACIT__ORIGINAL, TACIT__MASKED, TACIT__BOTH };

/* What a number's scale says where it is none. */
enum { TACIT__SCALE_MAX = 100, TACIT__ROUGH, TACIT__TEXT, TACIT__EMPTY };

/* A column of both tables, as far as claims need it. A number is digits / 10^scale; a rough one,
 * which has too many of them for that, is a double's bits; other text is a digest. */
typedef struct tacit__heard_column {
    const char *name;
    int32_t place[TACIT__BOTH]; /* -1: the table does not have it */
    bool wants_tokens, wants_numbers;
    uint64_t *tokens[TACIT__BOTH]; /* digests of what cells say, 0: empty; a row each */
    int64_t *digits[TACIT__BOTH];
    int8_t *scales[TACIT__BOTH];
} tacit__heard_column;

typedef struct tacit__masked_judge {
    const tacit_masked_case *c;
    const tacit_run *run;
    const tacit_table *tables[TACIT__BOTH];
    int64_t rows[TACIT__BOTH];
    tacit_masked_verdict *verdict;
    tacit__arena *arena; /* the verdict's */
    size_t finding_capacity;
    bool out_of_memory; /* a finding could not be kept */
} tacit__masked_judge;

/* The original's row behind a masked one, or -1. */
static inline int64_t tacit__masked_origin(const tacit__masked_judge *judge, int64_t row)
{
    uint32_t origin = judge->c->origin[row];
    return origin < judge->rows[TACIT__ORIGINAL] ? (int64_t)origin : -1;
}

/* The name is copied where it is not to be kept by the caller. */
void tacit__masked_find(tacit__masked_judge *judge, tacit_masked_finding finding,
                        tacit_strview column);

void tacit__masked_header(tacit__masked_judge *judge);
tacit_status tacit__masked_rows(tacit__masked_judge *judge, tacit_error *err);
tacit_status tacit__masked_bytes(tacit__masked_judge *judge, tacit_error *err);

/* ---- columns ---- */

/* Reads what the columns want, in one pass over each table. */
tacit_status tacit__masked_load(tacit__masked_judge *judge, tacit__heard_column *columns,
                                size_t count, tacit_error *err);
void tacit__masked_unload(tacit__heard_column *columns, size_t count);

/* 10^power, of 0 to TACIT__SCALE_MOST + 18. */
double tacit__masked_power(int power);

/* The nearest double, or next to it; of a number. */
double tacit__masked_number(const tacit__heard_column *column, int table, int64_t row);

/* ---- claims ---- */

/* A claim before the judge. */
typedef struct tacit__masked_hearing {
    tacit__masked_judge *judge;
    const tacit_kept *kept;
    size_t claim;
    const tacit__heard_column **columns; /* those that it is within first */
    size_t within_count, count;          /* of all */
} tacit__masked_hearing;

/* What was measured of a column (NULL: of all together); row is the first concerned, from 0, -1:
 * none in particular. What is broken is a finding. */
void tacit__measured(const tacit__masked_hearing *hearing, const tacit__heard_column *column,
                     double measured, int64_t row, bool broken);
/* A claim that could not be checked, and why. */
void tacit__unchecked(const tacit__masked_hearing *hearing, const tacit__heard_column *column,
                      const char *why);

tacit_status tacit__hear_values(const tacit__masked_hearing *hearing, tacit_error *err);
tacit_status tacit__hear_unit(const tacit__masked_hearing *hearing, tacit_error *err);
tacit_status tacit__hear_shares(const tacit__masked_hearing *hearing, tacit_error *err);
tacit_status tacit__hear_together(const tacit__masked_hearing *hearing, tacit_error *err);
tacit_status tacit__hear_groups(const tacit__masked_hearing *hearing, tacit_error *err);
tacit_status tacit__hear_null_map(const tacit__masked_hearing *hearing, tacit_error *err);
tacit_status tacit__hear_wrong_map(const tacit__masked_hearing *hearing, tacit_error *err);
/* Rows that were made up with a combination of the columns that no row of the original has. */
tacit_status tacit__masked_invented(tacit__judge_tally *tally, const tacit__masked_hearing *hearing,
                                    tacit_error *err);
tacit_status tacit__hear_sum(const tacit__masked_hearing *hearing, tacit_error *err);
tacit_status tacit__hear_moments(const tacit__masked_hearing *hearing, tacit_error *err);
tacit_status tacit__hear_near(const tacit__masked_hearing *hearing, tacit_error *err);
tacit_status tacit__hear_common(const tacit__masked_hearing *hearing, tacit_error *err);
tacit_status tacit__hear_uncopied(const tacit__masked_hearing *hearing, tacit_error *err);
tacit_status tacit__hear_range(const tacit__masked_hearing *hearing, tacit_error *err);

/* ---- rows by what they say ---- */

/* Groups of both tables by what a claim is within. */
typedef struct tacit__within {
    bool whole;                   /* it is within nothing: all rows are one group */
    uint32_t *group[TACIT__BOTH]; /* a row each, unless they are the whole */
    int64_t *sizes[TACIT__BOTH];  /* rows of each group */
    int64_t count;
} tacit__within;

tacit_status tacit__within_init(tacit__within *within, const tacit__masked_hearing *hearing,
                                tacit_error *err);
void tacit__within_clear(tacit__within *within);

static inline int64_t tacit__within_of(const tacit__within *within, int table, int64_t row)
{
    return within->whole ? 0 : (int64_t)within->group[table][row];
}

#endif
