/*
 * columns.h - columns of numbers and of letters in a coded table.
 */
#ifndef TACIT_CELLS_READ_COLUMNS_H
#define TACIT_CELLS_READ_COLUMNS_H

#include <tacit/experimental/cells.h>

/* The coded column of that name, or an error. */
tacit_status tacit__column_find(int32_t *out, const tacit_table *table, const char *name,
                                tacit_error *err);

/* An error at the first row that has a code in a column (missing: one past the last). */
tacit_status tacit__column_error(const tacit_table *table, int32_t column, uint32_t code,
                                 tacit_status status, tacit_error *err, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* A column's numbers. Zero-initialized is no column: by_code is NULL. */
typedef struct tacit__numbers {
    tacit_codes_view codes;
    double *by_code; /* missing last: NAN */
    uint32_t count;  /* but for missing */
} tacit__numbers;

typedef enum tacit__number_kind {
    TACIT__NUMBER_ANY = 0,
    TACIT__NUMBER_SIZE_ONLY, /* 0 or more */
    TACIT__NUMBER_WHOLE,     /* whole and 0 or more */
    TACIT__NUMBER_POSITIVE   /* above 0 */
} tacit__number_kind;

/* Reads a column; name NULL: none. Missing is an error where it may not be. */
tacit_status tacit__numbers_init(tacit__numbers *numbers, const tacit_table *table,
                                 const char *name, tacit__number_kind kind, bool may_miss,
                                 tacit_error *err);

/* The same for what a release may leave out: empty, and the usual marks for it, are NAN. *any:
 * whether there are such. */
tacit_status tacit__numbers_init_open(tacit__numbers *numbers, bool *any, const tacit_table *table,
                                      const char *name, tacit__number_kind kind, tacit_error *err);
void tacit__numbers_clear(tacit__numbers *numbers);

static inline double tacit__numbers_at(const tacit__numbers *numbers, int64_t row)
{
    return numbers->by_code[tacit_codes_at(numbers->codes, row)];
}

/* The statuses of a coded column, by code: s, u, x or z, and s where it is missing, last. To be
 * freed. */
tacit_status tacit__letters_new(char **out, const tacit_table *table, int32_t column,
                                tacit_error *err);

#endif
