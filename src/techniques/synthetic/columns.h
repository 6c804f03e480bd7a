/*
 * columns.h - columns as synthesis sees them: distinct cells with the rows that share each, bins
 * for trees, and numbers in order.
 */
#ifndef TACIT_TECHNIQUES_SYNTHETIC_COLUMNS_H
#define TACIT_TECHNIQUES_SYNTHETIC_COLUMNS_H

#include "techniques/runner/technique.h"
#include "techniques/synthetic/cart.h"

typedef struct tacit__synth_column {
    int32_t index;            /* of the sheet */
    bool numeric;             /* all cells are numbers, or empty */
    int64_t k;                /* rows that share a value that is released */
    tacit__categories values; /* as the data has them; the code after the last: empty */
    uint8_t *bins;            /* a row each */
    uint8_t *bins_of;         /* a code each, the empty one's too */
    uint32_t *order;          /* all rows, where numeric by number, those without first */
    /* of a numeric column */
    double *numbers;  /* distinct ones, ascending */
    uint32_t count;   /* of these */
    uint32_t *codes;  /* the code of each; the empty one where it has several */
    uint32_t *few;    /* below each of them: rows with a number that less than k rows share */
    uint32_t *below;  /* and all rows with a number */
    uint32_t *common; /* codes that k rows share, by number */
    uint32_t common_count;
    bool discrete;                  /* at least half of the rows with a number have one of these */
    double edges[TACIT__CART_BINS]; /* between bins of numbers */
    int edge_count;
    double *scores; /* a row each: share of rows below it, half of those equal counted */
    int64_t empty;  /* rows without a number */
} tacit__synth_column;

/* Codes a column; drawn: it is one that is made up, which needs more. */
tacit_status tacit__synth_column_init(tacit__synth_column *column, tacit__sheet *sheet,
                                      int32_t index, int64_t k, tacit_error *err);
void tacit__synth_column_clear(tacit__synth_column *column);

static inline bool tacit__synth_is_common(const tacit__synth_column *column, uint32_t code)
{
    return column->values.sizes[code] >= column->k;
}

/* A row's number; not of an empty cell. */
static inline double tacit__synth_number(const tacit__synth_column *column, uint32_t row)
{
    return column->values.cells[column->values.codes[row]].number;
}

/* Where a number is among the distinct ones, or would be. */
uint32_t tacit__synth_place(const tacit__synth_column *column, double number);

/* Rows with a number from low to high that less than k rows share; both are somebody's. */
int64_t tacit__synth_few(const tacit__synth_column *column, double low, double high);

/* Rows with a smaller number. */
int64_t tacit__synth_below(const tacit__synth_column *column, double number);

/* The bin of a number that is new. */
uint8_t tacit__synth_bin(const tacit__synth_column *column, double number);

#endif
