/*
 * models.h - what the checks of models share: how a model stands over many
 * classes, sensitive columns, and the people that a class covers.
 */
#ifndef TACIT_AUDIT_MODELS_MODELS_H
#define TACIT_AUDIT_MODELS_MODELS_H

#include <tacit/experimental/hierarchy.h>
#include <tacit/experimental/model.h>
#include <tacit/table.h>

#include "audit/rows/rows.h"

/* How the values of a sensitive column are spread over one class, and
 * what each model says of that. */

/* The numbers of a column in ascending order, equal ones in one place. Zero-initialized is empty.
 */
typedef struct tacit__line {
    uint32_t *place; /* a code each, missing's among them; `count` or more: it is no number */
    uint32_t count;
    double *number; /* a place each */
    int64_t *rows;  /* of the whole table up to each place */
    double *area;   /* the sum of these before each place, and of all */
} tacit__line;

/* The whole table, which closeness, likeness and disclosure compare with. Zero-initialized is
 * empty. */
typedef struct tacit__whole {
    uint32_t values; /* codes, missing's among them */
    int64_t *rows;   /* a code each: rows that have it */
    int64_t total;
    uint32_t present;                 /* values that have rows */
    tacit__line line;                 /* where a model looks at the order of numbers */
    tacit_hierarchy *tree;            /* NULL: no distances are taken in one */
    int64_t *above[TACIT_MAX_LEVELS]; /* the same on each level of the tree but the highest,
                                         by the number of the value there */
} tacit__whole;

void tacit__whole_clear(tacit__whole *whole);

typedef struct tacit__portion {
    uint32_t code;
    int64_t rows;
} tacit__portion;

/* One class, and memory to measure it with: room for every value. */
typedef struct tacit__models_spread {
    tacit__portion *portions; /* a value each, of those in the class */
    uint32_t count;
    int64_t rows;
    int64_t *sums; /* all zeros between measurements */
    int64_t *sorted;
} tacit__models_spread;

bool tacit__spread_init(tacit__models_spread *spread, const tacit__whole *whole);
void tacit__spread_clear(tacit__models_spread *spread);

static inline void tacit__spread_add(tacit__models_spread *spread, uint32_t code, int64_t rows)
{
    spread->portions[spread->count++] = (tacit__portion){code, rows};
    spread->rows += rows;
}

/* What a model finds in a class, in the unit of its bound: the number of values
 * (of equally frequent values with the same entropy), the least c, a share, a
 * distance. */
typedef struct tacit__models_measured {
    double value;
    bool holds;
} tacit__models_measured;

/* Of a class that is not empty; for models about a sensitive column. */
tacit__models_measured tacit__spread_measure(tacit__models_spread *spread,
                                             const tacit__whole *whole,
                                             const tacit_model_bound *model);

/* Numbers of a sensitive column that the judge counts as one value.
 *
 * What is near is said in tacit/experimental/model.h. The judge cuts the line of numbers into
 * stretches of twice the spread, on two grids of which one is moved by the spread: of two numbers
 * that are no further apart, one grid has no border between them. A class keeps a model if it does
 * on both. */

/* What a value is as a number whose decimals follow that point (tacit__rows_point): NAN where it is
 * none, or a code that starts with a 0. */
double tacit__near_number(tacit_strview text, char point);

/* near.c: how the values of a column are read where nearness matters: also numbers with thousands
 * parted or with the mark that most have, and days where more values are dates than numbers. */
typedef struct tacit__near_form {
    tacit_strview before, after; /* the mark: "$", "EUR" */
    char point;
    bool days;
    tacit_date_order order;
} tacit__near_form;

tacit__near_form tacit__near_form_of(const tacit_table *table, int32_t column);
double tacit__near_read(const tacit__near_form *form, tacit_strview text);

/* Whether any value of a coded column is a number, or a day. */
bool tacit__near_applies(const tacit_table *table, int32_t column);

/* The distance up to which numbers of a column are one value. */
double tacit__near_reach(const tacit_table *table, int32_t column, tacit_spread spread);

/* A code each, and missing: a code that stands for all of its stretch on a grid, 0 or 1. The
 * caller frees them. */
tacit_status tacit__near_codes(uint32_t **out, const tacit_table *table, int32_t column,
                               double reach, int grid, tacit_error *err);

/* The values of a column in every class of a partition of the rows.
 *
 * A row's class and its code become one key; the keys are sorted, a class is a run of equal upper
 * bits, and the runs of equal keys in it are its values with their counts. A sort of the rows. */

/* Zero-initialized is empty. */
typedef struct tacit__class_values {
    tacit__keys keys;
    int code_bits;
} tacit__class_values;

/* The column is coded. Cleared in any case. */
tacit_status tacit__class_values_init(tacit__class_values *values, const tacit_table *table,
                                      int32_t column, const tacit__partition *partition,
                                      const tacit_run *run, tacit_error *err);
void tacit__class_values_clear(tacit__class_values *values);

/* The class that a place of the sorted keys belongs to, and its code. */
static inline int64_t tacit__class_at(const tacit__class_values *values, int64_t at)
{
    return (int64_t)(tacit__sorter_key(&values->keys.sorter, at) >> values->code_bits);
}

static inline uint32_t tacit__class_code_at(const tacit__class_values *values, int64_t at)
{
    uint64_t mask = (UINT64_C(1) << values->code_bits) - 1;
    return (uint32_t)(tacit__sorter_key(&values->keys.sorter, at) & mask);
}

/* Where the run of equal keys that starts at a place ends. */
static inline int64_t tacit__class_value_end(const tacit__class_values *values, int64_t at)
{
    uint64_t key = tacit__sorter_key(&values->keys.sorter, at);
    do
        at++;
    while (at < values->keys.rows && tacit__sorter_key(&values->keys.sorter, at) == key);
    return at;
}

/* How a model stands over some classes. Zero-initialized: none was measured. */
typedef struct tacit__standing {
    int64_t measured; /* classes */
    double worst;     /* where more is allowed the less the better, the most; else the least */
    double least;     /* the least in any case */
    int64_t classes;  /* that break the model */
    int64_t rows;     /* in them */
    int64_t first;    /* the first of those rows */
    bool near;        /* numbers that are near count as one */
} tacit__standing;

void tacit__standing_add(tacit__standing *standing, const tacit_model_bound *model,
                         tacit__models_measured found, int64_t rows, int64_t first);
void tacit__standing_join(tacit__standing *standing, const tacit_model_bound *model,
                          const tacit__standing *other);

/* A finding that what is promised about a column (NULL: about the population)
 * cannot be checked, so that it does not count as kept. */
void tacit__cannot_judge(tacit__judge *judge, const char *column, const char *reason);

/* Turns the failure to bind a hierarchy into a finding where it is the values'
 * and not the system's; returns the status that is left. */
tacit_status tacit__unbound(tacit__judge *judge, const char *column, tacit_status status,
                            const tacit_error *reason, tacit_error *err);

/* Whether rows were left out as announced, with an original to say which. */
static inline bool tacit__rows_dropped(const tacit__judge *judge)
{
    return judge->original && judge->promise->suppressed_dropped &&
           judge->verdict->unreleased_rows > 0;
}

/* ---- sensitive columns (sensitive.c) ---- */

enum { TACIT__MAX_TOGETHER = 8 };

/* A sensitive column and models about it, which are all without a hierarchy or
 * have the same one. */
typedef struct tacit__sensitive {
    tacit__judge *judge;
    int32_t models[TACIT__MAX_TOGETHER]; /* of the promise */
    int count;
    int grid;        /* where numbers that are near count as one; -1: none do */
    bool judgeable;  /* otherwise it has been found why not */
    int32_t column;  /* of the release */
    int32_t source;  /* of the original where that is the whole table, else -1 */
    uint32_t *image; /* code of the release -> code of the whole table, on a grid one that stands
                        for its stretch; NULL: the same */
    tacit__whole whole;
} tacit__sensitive;

/* Finds the column and counts the whole table. models and count are set. */
tacit_status tacit__sensitive_init(tacit__sensitive *s, tacit__judge *judge, tacit_error *err);
void tacit__sensitive_clear(tacit__sensitive *s);

/* Adds the classes of a partition of the release to a standing for each model. */
tacit_status tacit__sensitive_classes(tacit__standing *standings, const tacit__sensitive *s,
                                      const tacit__partition *partition, tacit_error *err);

/* Adds the suppressed rows as one class, and the rows that were left out. */
tacit_status tacit__sensitive_suppressed(tacit__standing *standings, const tacit__sensitive *s,
                                         tacit_error *err);
tacit_status tacit__sensitive_dropped(tacit__standing *standings, const tacit__sensitive *s,
                                      tacit_error *err);

/* ---- the population by sampling weights (estimate.c) ---- */

/* A model that asks how many people the rows of a class stand for, and their weights. */
typedef struct tacit__estimate {
    tacit__judge *judge;
    int32_t model; /* of the promise */
    bool judgeable;
    bool
        behind; /* weights are read from the row of the original behind a row, not the row itself */
    const tacit_table *table;
    int32_t column;
    double *weights; /* a code each */
} tacit__estimate;

/* Reads the weights; where they are not at hand, or no weights, that is found. */
tacit_status tacit__estimate_init(tacit__estimate *estimate, tacit__judge *judge, int32_t model,
                                  tacit_error *err);
void tacit__estimate_clear(tacit__estimate *estimate);

/* Adds to a standing the classes of a partition of the release; the suppressed rows as one class;
 * the rows that were left out. The estimate is judgeable. */
tacit_status tacit__estimate_classes(tacit__standing *standing, const tacit__estimate *estimate,
                                     const tacit__partition *classes, tacit_error *err);
void tacit__estimate_suppressed(tacit__standing *standing, const tacit__estimate *estimate);
void tacit__estimate_dropped(tacit__standing *standing, const tacit__estimate *estimate);

/* ---- the population (link/cover.c) ---- */

/* A register, and what each of its values may be in the release. */
typedef struct tacit__cover {
    tacit__judge *judge;
    const tacit_table *people;
    bool judgeable;
    int32_t column[TACIT__MAX_PROMISED]; /* attribute -> column of the register */
    tacit__images images[TACIT__MAX_PROMISED];
} tacit__cover;

tacit_status tacit__cover_init(tacit__cover *cover, tacit__judge *judge, const tacit_table *people,
                               tacit_error *err);
void tacit__cover_clear(tacit__cover *cover);

/* The attributes of a set in the order that is best for counting; returns how
 * many there are. */
int32_t tacit__cover_order(int32_t *attributes, const tacit__cover *cover, const uint64_t *set);

/* How many people of the register each class of a partition of the release by
 * these attributes, in this order, covers, and how many no class does. Free
 * *covered with tacit__free. */
tacit_status tacit__cover_count(int64_t **covered, int64_t *absent, const tacit__cover *cover,
                                const int32_t *attributes, int32_t count,
                                const tacit__partition *partition, tacit_error *err);

#endif
