/*
 * audit_masked.h - whether a masked table is what its steps say: what no step may have changed is
 * as it was, byte for byte, and every claim of what was kept holds.
 *
 * The judge knows what claims mean (techniques.h) and none of the code that made them: it reads
 * both tables cell by cell and counts by itself. It fails closed: a claim that it cannot check, of
 * a kind that it does not know or about a column that is not there, is a finding.
 *
 * How claims are read:
 *   - a cell is what it says without its quotes. Values of different bytes are different, though
 *     they may be the same number ("5" and "5.0"). Values are compared by digests of 64 bits;
 *   - an empty cell equals empty cells only, and is no number. Numbers are what is written with
 *     digits, a point, a sign and an exponent; other text among numbers is left out of claims about
 *     numbers;
 *   - groups, where a claim has `within`, are the combinations of those columns: the original's
 *     for rows of the original, the masked table's for its rows. Of a group that a table does not
 *     have there are no values, their sum and shares are 0, and means differ without bound;
 *   - VALUES, UNIT: how many values or combinations there are too many or too few, at most 0;
 *   - SUM: the largest difference of a group, in exact decimals, at most amount. Numbers of more
 *     than 18 digits, or further apart than 128 bits hold, cannot be checked;
 *   - MOMENTS: means in standard deviations of the original, covariances in products of them, over
 *     the rows in which both columns have numbers, at most amount; both leave 1e-9 for the
 *     judge's arithmetic;
 *   - SHARES: the largest difference of a value's share of its group, at most amount (and 1e-12);
 *   - NEAR: the largest distance of a number from what it was in the row that it came from, at most
 *     amount, as numbers are written: a step that rounds what it writes has that in its amount.
 *     1e-12 of the amount and 1e-15 of the numbers are left for arithmetic. Numbers stay numbers,
 *     empty cells empty, and other text says what it said;
 *   - GROUPS: the smallest number of rows with one combination, at least amount. Empty cells are a
 *     value like any other, here and in the maps;
 *   - NULL_MAP: rows whose combination is that of a row of the original, at most 0;
 *   - WRONG_MAP: rows whose combination is that of the row they came from, or of no row of the
 *     original, at most 0;
 *   - RANGE: how far a number is below low or above high, at most 1e-15 of it;
 *   - COMMON: of the values that both tables have, the fewest rows of the original with one, at
 * least amount, in each column by itself. Empty cells are a value, too;
 *   - UNCOPIED: rows whose combination exactly one row of the original has, at most 0;
 *   - TOGETHER: how many more combinations of both there are than groups, at most 0.
 */
#ifndef TACIT_AUDIT_MASKED_H
#define TACIT_AUDIT_MASKED_H

#include <tacit/experimental/techniques.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_masked_case {
    const tacit_table *original; /* neither needs to be coded */
    const tacit_table *masked;   /* read back from what was written */
    const uint32_t *origin;      /* for each row of masked the original's; UINT32_MAX: made up */
    const char *const *touched;  /* columns that steps may have changed */
    size_t touched_count;
    const char *const *written; /* new columns, in their order after the original's */
    size_t written_count;
    bool rows_changed; /* rows may be left out, repeated or made up; else each is there once */
    bool filled;       /* made-up rows may have in columns that were not touched what some row of
                          the original has there; else they are empty there */
    const tacit_kept *kept;
    size_t kept_count;
} tacit_masked_case;

typedef enum tacit_masked_finding_kind {
    TACIT_MASKED_HEADER = 0, /* a column is missing, moved or not asked for */
    TACIT_MASKED_ROWS,       /* rows lost, repeated or made up; or that came from nowhere */
    TACIT_MASKED_BYTES,      /* cells that nobody may have changed are not as they were */
    TACIT_MASKED_CLAIM,      /* a claim does not hold */
    TACIT_MASKED_UNCHECKED   /* a claim that could not be checked */
} tacit_masked_finding_kind;

/* Places and figures, never values. */
typedef struct tacit_masked_finding {
    tacit_masked_finding_kind kind;
    size_t claim;       /* of the case's; SIZE_MAX: none */
    const char *column; /* NULL: none in particular */
    int64_t row;        /* the first concerned of the masked table, from 1; 0: none in particular */
    double measured;    /* for rows and bytes: how many */
    double allowed;
    const char *what; /* one clause, without a full stop */
} tacit_masked_finding;

typedef struct tacit_masked_claim {
    bool checked;       /* otherwise a finding says why it could not be */
    bool holds;         /* not where it was not checked */
    double measured;    /* the worst of its columns and groups, in the unit said above; NAN where
                           there was nothing to measure */
    double allowed;     /* the most, or for GROUPS the least */
    const char *column; /* where that was; NULL: of all together */
} tacit_masked_claim;

typedef struct tacit_masked_column {
    const char *name;
    int64_t compared; /* cells of rows that came from the original */
    int64_t changed;  /* of those, with other bytes than they had */
} tacit_masked_column;

typedef struct tacit_masked_verdict {
    bool holds; /* nothing was found */
    int64_t cells_compared;
    int64_t cells_changed;
    tacit_masked_column *columns; /* as case->touched is; none where the column is in only one of
                                     the tables */
    size_t column_count;
    tacit_masked_claim *claims; /* as case->kept is */
    size_t claim_count;
    tacit_masked_finding *findings; /* one for a column or claim, so never many */
    size_t finding_count;
} tacit_masked_verdict;

/* Names in the verdict are its own. An error says that the work could not be done. */
tacit_status tacit_audit_masked(tacit_masked_verdict **out, const tacit_masked_case *masked,
                                const tacit_run *run, tacit_error *err);
void tacit_masked_verdict_free(tacit_masked_verdict *verdict);

#ifdef __cplusplus
}
#endif
#endif
