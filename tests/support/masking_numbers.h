/*
 * masking_numbers.h - tables of numbers for tests of techniques: made up, read back from CSV, and
 * their moments by the book.
 */
#ifndef TACIT_TESTS_MASKING_NUMBERS_H
#define TACIT_TESTS_MASKING_NUMBERS_H

#include "masking.h"

#include <math.h>

enum { NUMBERS_COLUMNS = 8 };

/* Row after row; NAN: empty, or no number. */
typedef struct numbers {
    double *cells;
    int64_t rows;
    size_t columns;
} numbers;

static inline double numbers_at(const numbers *n, int64_t row, size_t column)
{
    return n->cells[(size_t)row * n->columns + column];
}

/* Reads CSV without quotes, with a header. */
static inline numbers numbers_read(const char *csv)
{
    numbers n = {.columns = 1};
    const char *at = csv;
    for (; *at && *at != '\n'; at++)
        n.columns += *at == ',';
    for (const char *line = at + 1; *line; line = strchr(line, '\n') + 1)
        n.rows++;
    n.cells = malloc(((size_t)n.rows * n.columns + 1) * sizeof *n.cells);
    double *cell = n.cells;
    for (at++; *at;) {
        size_t len = strcspn(at, ",\n");
        char *end;
        double number = strtod(at, &end);
        *cell++ = len > 0 && end == at + len ? number : NAN;
        at += len + 1;
    }
    return n;
}

static inline uint64_t numbers_next(uint64_t *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return *state >> 33;
}

/* About normal, by a sum. */
static inline double numbers_bell(uint64_t *state)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)numbers_next(state) / 2147483648.0;
    return sum;
}

/* Columns a, b, c, ... that share a common part, with so many decimals; to be freed. */
static inline char *numbers_make(int64_t rows, size_t columns, int decimals, uint64_t seed)
{
    char *csv = malloc((size_t)rows * columns * 24 + 64), *at = csv;
    for (size_t i = 0; i < columns; i++)
        at += sprintf(at, "%s%c", i ? "," : "", (char)('a' + i));
    at += sprintf(at, "\n");
    for (int64_t row = 0; row < rows; row++) {
        double common = numbers_bell(&seed);
        for (size_t i = 0; i < columns; i++) {
            double spread = 20.0 * (double)(i + 1), own = numbers_bell(&seed);
            at += sprintf(at, "%s%.*f", i ? "," : "", decimals,
                          500.0 + spread * (0.8 * common + 0.6 * own));
        }
        at += sprintf(at, "\n");
    }
    return csv;
}

static inline double numbers_mean(const numbers *n, size_t column)
{
    double sum = 0;
    for (int64_t row = 0; row < n->rows; row++)
        sum += numbers_at(n, row, column);
    return sum / (double)n->rows;
}

static inline double numbers_covariance(const numbers *n, size_t a, size_t b)
{
    double sum = 0, mean_a = numbers_mean(n, a), mean_b = numbers_mean(n, b);
    for (int64_t row = 0; row < n->rows; row++)
        sum += (numbers_at(n, row, a) - mean_a) * (numbers_at(n, row, b) - mean_b);
    return sum / (double)(n->rows - 1);
}

static inline double numbers_spread(const numbers *n, size_t column)
{
    return sqrt(numbers_covariance(n, column, column));
}

/* What was added: after without before, of the same shape. */
static inline numbers numbers_less(const numbers *after, const numbers *before)
{
    numbers n = *after;
    n.cells = malloc((size_t)n.rows * n.columns * sizeof *n.cells);
    for (size_t i = 0; i < (size_t)n.rows * n.columns; i++)
        n.cells[i] = after->cells[i] - before->cells[i];
    return n;
}

#endif
