/*
 * techniques.h - masking: the techniques of Figure 17 (Sweeney, section 4.1) beside generalization
 * and suppression, applied to the values and rows of a table in a stated order.
 *
 * A step names a technique, its columns and its settings, all as text, as the data holder wrote
 * them. A masking is a list of steps that has been checked; applied to a table it gives a masked
 * table, which is written as CSV: cells that no step changed come out byte for byte. What was done
 * is on record, step by step, so that whoever gets the data can be told; what each step claims to
 * have kept (a sum, the values of a column, groups of k) is on record too, for the judge.
 *
 * A technique is one file and a line in the table that tacit_techniques gives.
 */
#ifndef TACIT_TECHNIQUES_H
#define TACIT_TECHNIQUES_H

#include <tacit/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what there is ---- */

typedef enum tacit_technique_sort {
    TACIT_TECHNIQUE_COLUMNS, /* names of columns */
    TACIT_TECHNIQUE_NUMBER,
    TACIT_TECHNIQUE_INTEGER,
    TACIT_TECHNIQUE_CHOICE, /* one of some words */
    TACIT_TECHNIQUE_SWITCH, /* true or false */
    TACIT_TECHNIQUE_TEXT,   /* a name: what the technique makes of it */
    TACIT_TECHNIQUE_FILE    /* of which relative names start at the policy */
} tacit_technique_sort;

/* A setting that a technique takes. */
typedef struct tacit_technique_option {
    const char *name;
    tacit_technique_sort sort;
    const char *help; /* one line, without a full stop */
    bool required;
    bool secret;                /* stays out of what recipients are told */
    double least, most;         /* of a number */
    double usual;               /* a number's or a switch's value where it is not given */
    const char *const *choices; /* ends in NULL; the first is the usual one */
} tacit_technique_option;

enum {
    TACIT_TECHNIQUE_OF_TUPLES = 1, /* changes which rows there are */
    TACIT_TECHNIQUE_REORDERS = 2,  /* changes their order alone */
    TACIT_TECHNIQUE_OPAQUE = 4,    /* what it writes says nothing to who has no key */
    TACIT_TECHNIQUE_MAKES_UP = 8   /* draws values: rows alike are not people alike */
};

typedef struct tacit_technique {
    const char *name;
    const char *summary; /* one line, without a full stop */
    const char *effect;  /* what it does to analyses, for recipients, as a summary; NULL: nothing */
    const tacit_technique_option *options; /* ends in an entry without a name */
    unsigned features;
    const struct tacit__technique_code *code; /* private */
} tacit_technique;

/* All of them, ending in NULL. */
const tacit_technique *const *tacit_techniques(void);
const tacit_technique *tacit_technique_find(const char *name);

/* Settings that every technique takes (`seed`, `others`, `decimals`), ending in an entry without a
 * name. */
const tacit_technique_option *tacit_technique_common(void);

/* ---- what is asked for ---- */

typedef struct tacit_technique_setting {
    const char *name;
    const char *const *values; /* one, or several where it takes a list */
    size_t value_count;
    int64_t line; /* of the policy; 0: of none */
} tacit_technique_setting;

typedef struct tacit_technique_step {
    const char *technique;
    const tacit_technique_setting *settings;
    size_t setting_count;
    const char *file;      /* for messages; NULL: none */
    const char *directory; /* where relative names of files start; NULL: the working directory */
    int64_t line;
} tacit_technique_step;

enum { TACIT_MAX_STEPS = 200 };

typedef struct tacit_masking tacit_masking;

/* Checks the steps by themselves: that there are such techniques, settings and values. Copies
 * what it needs. */
tacit_status tacit_masking_new(tacit_masking **out, const tacit_technique_step *steps, size_t count,
                               tacit_error *err);
void tacit_masking_free(tacit_masking *masking);

/* Checks them against a table's header: every column that they name is there when its step
 * comes. */
tacit_status tacit_masking_check(const tacit_masking *masking, const tacit_table *table,
                                 tacit_error *err);

/* The steps, and for each the names of the columns that it may change, as far as it names them. */
size_t tacit_masking_steps(const tacit_masking *masking);
const tacit_technique *tacit_masking_technique(const tacit_masking *masking, size_t step);
size_t tacit_masking_columns(const tacit_masking *masking, size_t step, const char *const **names);

/* ---- what was done ---- */

typedef enum tacit_kept_kind {
    TACIT_KEPT_VALUES,   /* each column has the values that it had, as often */
    TACIT_KEPT_UNIT,     /* the columns together have the combinations that they had, as often */
    TACIT_KEPT_SUM,      /* of each column, within amount */
    TACIT_KEPT_MOMENTS,  /* means and covariances of the columns, within amount of the standard
                          * deviation, of the product of two */
    TACIT_KEPT_SHARES,   /* each column's values about as often: within amount of all rows */
    TACIT_KEPT_NEAR,     /* no number is further than amount from what it was */
    TACIT_KEPT_GROUPS,   /* every combination of the columns that is there, at least amount times */
    TACIT_KEPT_NULL_MAP, /* no row's combination of the columns is that of a row of the original */
    TACIT_KEPT_WRONG_MAP, /* none is that of the row it came from */
    TACIT_KEPT_RANGE,     /* every number is at least low, at most high */
    TACIT_KEPT_TOGETHER,  /* rows that agree in `within` agree in the columns, too: households stay
                           * together */
    TACIT_KEPT_COMMON,    /* a value that the original has, at least amount of its rows have */
    TACIT_KEPT_UNCOPIED   /* no row's combination is that of a single row of the original */
} tacit_kept_kind;

/* Something that a step claims to have kept of the original, and no other step has undone. */
typedef struct tacit_kept {
    tacit_kept_kind kind;
    size_t step;
    const char *const *columns;
    size_t column_count;
    const char *const *within; /* columns: it holds in each of their combinations; may be none */
    size_t within_count;
    double amount;
    double low, high;
} tacit_kept;

/* A figure about a step, such as how many cells it changed. */
typedef struct tacit_masked_fact {
    const char *name; /* as in JSON: "cells_changed" */
    double number;
} tacit_masked_fact;

typedef struct tacit_masked tacit_masked;

tacit_status tacit_masking_apply(tacit_masked **out, const tacit_masking *masking,
                                 const tacit_table *table, const tacit_run *run, tacit_error *err);
void tacit_masked_free(tacit_masked *masked);

/* Frees what only writing needs: rows, facts and claims stay. */
void tacit_masked_let_go(tacit_masked *masked);

int64_t tacit_masked_rows(const tacit_masked *masked);

/* For each row of it the table's row that it came from, UINT32_MAX where it was made up. */
const uint32_t *tacit_masked_origin(const tacit_masked *masked);

size_t tacit_masked_facts(const tacit_masked *masked, size_t step, const tacit_masked_fact **facts);
size_t tacit_masked_kept(const tacit_masked *masked, const tacit_kept **kept);

/* Writes it to fd from its start, as the table is written: delimiter, line ends, header. The
 * table must still be there. *bytes may be NULL. */
tacit_status tacit_masked_write(int fd, const char *name, int64_t *bytes,
                                const tacit_masked *masked, const tacit_run *run, tacit_error *err);

/* ---- encrypted values, for who has the key ---- */

typedef struct tacit_decryption tacit_decryption;

/* With the key of a file that `encrypt` was given. */
tacit_status tacit_decryption_new(tacit_decryption **out, const char *key_file, tacit_error *err);
void tacit_decryption_free(tacit_decryption *decryption);

/* The value that `encrypt` made a text of, in the column of that name: *len bytes into out, which
 * has room for text.len. Another key, another column and a text that was changed are
 * TACIT_INVALID; then what is in out means nothing. */
tacit_status tacit_decrypt_value(char *out, size_t *len, tacit_strview text, const char *column,
                                 const tacit_decryption *decryption, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
