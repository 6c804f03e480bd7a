/*
 * audit_summary.h - what follows from a release and published frequencies.
 *
 * Statistical reports say how many subjects have each value of a column, or each combination of
 * some columns. With them, values that a release suppresses or generalizes may follow:
 * Sweeney, Computational Disclosure Control, 6.3.3 and 7.3.3. The adversary here knows the
 * originals that are consistent with both: every row has in each column a value that its label
 * holds, and the frequencies are met. What holds in all of these originals follows.
 *
 * A file of frequencies is one of two forms, told apart by its header:
 *   - attribute,value,count: for each attribute that occurs a table of its own;
 *   - columns of the release and `count`: one table, of combinations.
 * Values stand on any level of a column's hierarchy; within a table none holds another. Every
 * table sums to the number of subjects. Where the release has fewer rows, the others were left
 * out, and an adversary asks about those, too.
 */
#ifndef TACIT_AUDIT_SUMMARY_H
#define TACIT_AUDIT_SUMMARY_H

#include <tacit/experimental/hierarchy.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TACIT_SUMMARY_COLUMNS = 64, /* that frequencies may speak of */
    TACIT_SUMMARY_TABLES = 256, /* of frequencies */
    TACIT_SUMMARY_FACTS = 1000, /* that are listed; all are counted */
    TACIT_SUMMARY_SHARES = 32   /* values listed with a fact */
};

typedef enum tacit_summary_kind {
    TACIT_SUMMARY_NOTHING = 0,
    TACIT_SUMMARY_VALUE,    /* all rows of the class have one value, which was withheld */
    TACIT_SUMMARY_NARROWED, /* of the values that the label holds and somebody has, some are out */
    TACIT_SUMMARY_COUNTED   /* how many rows of the class have each value is known exactly */
} tacit_summary_kind;

/* A value, as finely as the frequencies have it, and how many rows of a class must and can have
 * it. */
typedef struct tacit_summary_share {
    uint32_t node;
    int64_t least, most;
    char *text; /* owned by the audit */
} tacit_summary_share;

/* What is known of one column in a class: the rows with the same labels in some columns. */
typedef struct tacit_summary_fact {
    tacit_summary_kind kind;
    int32_t column;   /* of the audit's columns */
    int32_t table;    /* from 0, whose frequencies alone tell it; -1: all of them */
    uint64_t columns; /* bits of those whose labels make the class */
    int64_t rows;     /* of the class */
    int64_t row;      /* the first of them in the release, from 1; 0: the tuples left out */
    int64_t possible; /* values that a row can have */
    int64_t of;       /* of so many that the label holds and somebody has */
    char *label;      /* of the column in that row; owned by the audit; NULL: left out */
    tacit_summary_share *shares; /* the first of the possible values */
    int32_t share_count;
} tacit_summary_fact;

typedef struct tacit_summary_audit {
    int64_t subjects; /* what every table sums to */
    int64_t rows;     /* of the release */
    int64_t left_out;
    int32_t tables; /* of frequencies */
    int32_t column_count;
    char **names;         /* of the columns that frequencies speak of */
    bool exact;           /* otherwise what is said is true, and more may follow */
    int64_t values_known; /* cells of the release whose withheld value follows */
    int64_t rows_known;   /* rows with such a cell */
    int64_t tuples_known; /* rows of which every value follows, or was released, and some follow */
    int64_t cells_narrowed;  /* cells with fewer possible values than their label holds */
    bool left_out_known;     /* every value of the tuples left out follows: there are such tuples */
    int32_t left_out_values; /* columns in which all of them have a value that follows */
    int64_t programs;        /* linear and integer programs that were solved */
    int64_t fact_total;
    tacit_summary_fact *facts; /* the first TACIT_SUMMARY_FACTS: values, then those narrowed, then
                                  those counted, the tuples left out first of each */
    int64_t fact_count;
} tacit_summary_audit;

typedef struct tacit_summary_column {
    const char *name;
    const tacit_hierarchy_spec *hierarchy; /* borrowed */
} tacit_summary_column;

/* What the adversary has. */
typedef struct tacit_summary_case {
    const tacit_table *release;          /* the columns that the frequencies speak of coded */
    const tacit_summary_column *columns; /* that have hierarchies; others are kept or "*" */
    int32_t column_count;
    const tacit_table *const *files; /* of frequencies, every column coded */
    int32_t file_count;
} tacit_summary_case;

/* The names of the columns of the release that a file of frequencies speaks of, each once.
 * Views stay valid as long as the table. Room for TACIT_SUMMARY_COLUMNS names; a file that is
 * none, or has more, is TACIT_PARSE. */
tacit_status tacit_summary_names(tacit_strview *names, int32_t *count, const tacit_table *file,
                                 tacit_error *err);

/* Finds what follows. A column that the release does not have, a value that its hierarchy does
 * not know or that holds another of its table, a combination that stands twice, a count that is no
 * whole number from 0, totals that differ between tables or lie below the rows of the release, and
 * frequencies that no original can have together with the release are TACIT_PARSE, naming
 * the table. Memory: 4 bytes a row for each column that frequencies speak of together with others,
 * and what their combinations take. */
tacit_status tacit_audit_summary(tacit_summary_audit **out, const tacit_summary_case *c,
                                 const tacit_run *run, tacit_error *err);
void tacit_summary_audit_free(tacit_summary_audit *audit);

#ifdef __cplusplus
}
#endif
#endif
