/*
 * judge.h - what the files of this room share: the case before the judge, how
 * findings are collected, and small tools for rows and cells.
 *
 * The order of work is that of audit.c: columns first (columns.c), since nothing can be judged of a
 * column that is not there, formulas (formulas.c) and forms of missing values (missing.c); then the
 * claimed order of rows and who stands behind each (audit.c), classes and identifiers that repeat
 * within them (classes.c), rows that stay linkable (trails.c), households (households.c), ambiguity
 * and hidden dependencies (ambiguity/), what classes keep beyond k (models/), and, with an original
 * at hand, pseudonyms, carried cells and the identifiers in them (cells.c) and values (values.c),
 * or values and rows without a correspondence (match.c).
 */
#ifndef TACIT_AUDIT_JUDGE_JUDGE_H
#define TACIT_AUDIT_JUDGE_JUDGE_H

#include <tacit/experimental/audit.h>

#include "base/bitset.h"

enum {
    TACIT__MAX_PROMISED = 4096, /* attributes */
    TACIT__MAX_KNOWN = 8,       /* items, of a set */
    TACIT__MAX_AMBIGUOUS = 64   /* of those whose cells are suppressed one by one: bits of a word */
};

/* What a column of the release is there for. */
typedef enum tacit__judge_role {
    TACIT__CARRIED = 0, /* must say what the original says */
    TACIT__ATTRIBUTE,
    TACIT__PSEUDONYM,
    TACIT__SCRUBBED, /* text or a set of items, rewritten: searched for identifiers, and not
                        compared as it stands */
    TACIT__REFUSED   /* should not be there; found already, not looked at further */
} tacit__judge_role;

typedef struct tacit__release_column {
    tacit_strview name;
    tacit__judge_role role;
    int32_t source; /* column of the original, or -1 */
    bool per_row;   /* a pseudonym that is another in every row */
} tacit__release_column;

/* The case: what is promised, what is at hand, and what has been found. */
typedef struct tacit__judge {
    const tacit_promise *promise;
    const tacit_evidence *evidence;
    const tacit_table *release;
    const tacit_table *original; /* may be NULL */
    const tacit_run *run;
    tacit_audit_groups *groups; /* the evidence's, or owned */
    tacit_verdict *verdict;

    /* columns.c */
    tacit__release_column *columns;         /* of the release */
    int32_t attribute[TACIT__MAX_PROMISED]; /* attribute -> column of the release, or -1 */
    int32_t ground[TACIT__MAX_PROMISED];    /* attribute -> column of the original, or -1 */
    int32_t *identifiers;                   /* identifier -> column of the original, or -1 */
    int32_t person_released;                /* the column of who is counted, people or households,
                                               in the release, or -1 */
    int32_t person_known;                   /* and in the original, or -1 */
    bool attributes_released;               /* all of them are in the release */
    bool attributes_known;                  /* all of them are in the original */

    /* Which row of the original is behind each row of the release */
    bool corresponds;      /* claimed, and checked to be one to one */
    const uint32_t *order; /* NULL where they correspond: the same row */
    uint64_t *released;    /* bit a row of the original, where they correspond */

    /* audit.c */
    uint64_t *suppressed; /* bit a row of the release: every attribute is "*" */
    int64_t suppressed_rows;
    int64_t suppressed_people; /* as k counts them */
    int64_t unreleased_people;
    bool by_person;
    tacit_codes_view people; /* row of the release -> person or household, where by_person */
    uint32_t people_max;     /* the highest of those codes */
    uint32_t people_missing; /* the code of rows that name nobody */
    uint32_t *people_owned;

    tacit_finding *findings; /* all of them; the verdict takes the first of each kind */
    size_t finding_count;
    size_t finding_capacity;
    bool out_of_memory; /* a finding could not be kept */
} tacit__judge;

/* A finding; row counts from 1 in the release, 0 for none in particular. The
 * message must not show values: it may end up where the data may not. */
void tacit__find(tacit__judge *judge, tacit_finding_kind kind, int64_t row, int64_t count,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Checks the promise by itself. */
tacit_status tacit__judge_promise(const tacit_promise *promise, tacit_error *err);

/* The steps. Each returns an error only when it could not do its work. */
tacit_status tacit__judge_columns(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_classes(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_trails(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_household_trails(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_households(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_repeated(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_ambiguity(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_hidden(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_models(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_risks(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_items(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_values(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_cells(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_copies(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_row_pseudonyms(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_pseudonyms(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_match(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_formulas(tacit__judge *judge, tacit_error *err);
tacit_status tacit__judge_missing(tacit__judge *judge, tacit_error *err);

/* What k counts. */
static inline const char *tacit__counted(const tacit__judge *judge, bool by_person)
{
    if (!by_person)
        return "rows";
    return judge->promise->household ? "households" : "people";
}

/* A quasi-identifier of the promise: bits of its attributes (NULL: all), whether an attribute is
 * one of them, and their names as far as there is room. */
static inline const uint64_t *tacit__set_of(const tacit__judge *judge, int32_t index)
{
    const tacit_promise *promise = judge->promise;
    size_t words = tacit__bitset_words(promise->attribute_count);
    return promise->sets ? promise->sets + (size_t)index * words : NULL;
}

static inline bool tacit__set_has(const uint64_t *set, int32_t attribute)
{
    return !set || tacit__bit_get(set, attribute);
}

void tacit__name_set(char *out, size_t size, const tacit__judge *judge, const uint64_t *set);

/* The first row whose every attribute is suppressed; there is one. */
int64_t tacit__first_suppressed(const tacit__judge *judge);

/* The code of "*" in a column, or UINT32_MAX where nothing is suppressed. */
uint32_t tacit__suppressed_code(const tacit_table *table, int32_t column);

/* A count with the first place, kept a worker each and merged: sums and minima
 * do not depend on who did what. first is a row from 0. */
typedef struct tacit__judge_tally {
    int64_t count;
    int64_t first;
} tacit__judge_tally;

/* An array of workers * subjects tallies, and the sum of one subject's. */
tacit__judge_tally *tacit__tallies_new(int workers, int32_t subjects);
tacit__judge_tally tacit__tally_sum(const tacit__judge_tally *tallies, int workers,
                                    int32_t subjects, int32_t subject);

static inline void tacit__tally_add(tacit__judge_tally *tally, int64_t row)
{
    if (tally->count == 0 || row < tally->first)
        tally->first = row;
    tally->count++;
}

/* Rows are worked on in blocks of this many. */
enum { TACIT__BLOCK = 1 << 14 };

static inline int64_t tacit__blocks(int64_t rows)
{
    return (rows + TACIT__BLOCK - 1) / TACIT__BLOCK;
}

static inline int64_t tacit__block_end(int64_t block, int64_t rows)
{
    int64_t end = (block + 1) * TACIT__BLOCK;
    return end < rows ? end : rows;
}

/* The row of the original behind a row of the release. */
static inline int64_t tacit__behind(const tacit__judge *judge, int64_t row)
{
    return judge->order ? (int64_t)judge->order[row] : row;
}

/* count codes from a row on, each as 32 bits. */
void tacit__codes_load(uint32_t *out, tacit_codes_view codes, int64_t row, int64_t count);

/* The highest code a row can have: missing is one past the last value. */
uint32_t tacit__code_max(const tacit_table *table, int32_t column);

/* Memory for a cell that does not stand in the file as it reads. */
typedef struct tacit__cell_buffer {
    char *bytes;
    size_t capacity;
} tacit__cell_buffer;

/* What a raw cell says; borrowed from the cell or from the buffer. bytes is
 * NULL when memory ran out, and never otherwise. */
tacit_strview tacit__cell_says(tacit_strview raw, tacit__cell_buffer *buffer);

#endif
