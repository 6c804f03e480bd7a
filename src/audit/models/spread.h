/*
 * spread.h - how the values of a sensitive column are spread over one class, and
 * what each model says of that.
 */
#ifndef TACIT_AUDIT_MODELS_SPREAD_H
#define TACIT_AUDIT_MODELS_SPREAD_H

#include <tacit/experimental/hierarchy.h>
#include <tacit/experimental/model.h>

/* The whole table, which closeness compares with. Zero-initialized is empty. */
typedef struct tacit__whole {
    uint32_t values; /* codes, missing's among them */
    int64_t *rows;   /* a code each: rows that have it */
    int64_t total;
    tacit_hierarchy *tree;            /* NULL: no distances are taken in one */
    int64_t *above[TACIT_MAX_LEVELS]; /* the same on each level of the tree but the highest,
                                         by the number of the value there */
} tacit__whole;

/* Counts on the levels of the tree, from those of the codes. */
tacit_status tacit__whole_climb(tacit__whole *whole, tacit_error *err);
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

#endif
