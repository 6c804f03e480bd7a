/*
 * sheet.h - a table on which techniques work: rows that can be left out, reordered and added, and
 * the columns that a technique has asked for, cell by cell.
 *
 * A cell is a *mark* of 64 bits: where its bytes stand in the file (so that a moved cell costs
 * eight bytes and comes out as it went in), or that it is a number, kept in a column of doubles
 * beside the marks, or a text that was made up. Columns that nobody asked for have no marks: their
 * cells are those of the file's row that the sheet's row came from, and empty where it came from
 * none.
 *
 * Rows of the sheet are counted as they stand now; `origin` has the table's row of each.
 */
#ifndef TACIT_TECHNIQUES_SHEET_SHEET_H
#define TACIT_TECHNIQUES_SHEET_SHEET_H

#include <tacit/base.h>
#include <tacit/table.h>

#include "base/arena.h"
#include "table/table.h"

/* Rows of a stretch: parallel loops and streams of random numbers go by stretches, so that nothing
 * depends on threads. */
enum { TACIT__STRETCH = 1 << 14 };

#define TACIT__NO_ORIGIN UINT32_MAX

typedef uint64_t tacit__mark;

typedef struct tacit__sheet_column {
    int32_t source; /* the table's column; -1: the sheet's own */
    char *name;
    tacit__mark *marks;   /* a row each; NULL: not asked for yet */
    double *numbers;      /* NULL until asked for; NAN: empty, or no number and kept */
    int decimals;         /* the most that a number of the column is written with */
    tacit_strview *texts; /* made up */
    size_t text_count, text_capacity;
} tacit__sheet_column;

typedef struct tacit__sheet {
    const tacit_table *table;
    const tacit_run *run;
    int64_t rows;
    uint32_t *origin;
    tacit__sheet_column *columns; /* the table's, then the sheet's own */
    int32_t column_count;
    tacit__arena arena; /* texts */
} tacit__sheet;

tacit_status tacit__sheet_init(tacit__sheet *sheet, const tacit_table *table, const tacit_run *run,
                               tacit_error *err);
void tacit__sheet_clear(tacit__sheet *sheet);

/* The column of that name, or -1. */
int32_t tacit__sheet_find(const tacit__sheet *sheet, const char *name);

/* Sees to it that these columns have marks, in one pass over the rows. */
tacit_status tacit__sheet_load(tacit__sheet *sheet, const int32_t *columns, size_t count,
                               tacit_error *err);

/* Sees to it that a column has numbers. A cell that is neither a number nor empty is an error that
 * says where it is, or, with keep_others, like an empty one: NAN, and left as it is. Exponents are
 * read; decimals are those of the numbers written without one, 15 at most. */
tacit_status tacit__sheet_numbers(tacit__sheet *sheet, int32_t column, bool keep_others,
                                  tacit_error *err);

/* A new column at the end, its cells empty. */
tacit_status tacit__sheet_add_column(int32_t *column, tacit__sheet *sheet, const char *name,
                                     tacit_error *err);

/* Makes the sheet's rows those that `from` names, in that order, each any number of times;
 * TACIT__NO_ORIGIN: a new row, of empty cells. */
tacit_status tacit__sheet_take_rows(tacit__sheet *sheet, const uint32_t *from, int64_t count,
                                    tacit_error *err);

/* ---- cells of columns that have marks ---- */

/* A cell taken out of its column, to be put into another row of it. */
typedef struct tacit__cell {
    tacit__mark mark;
    double number;
} tacit__cell;

tacit__cell tacit__cell_get(const tacit__sheet_column *column, int64_t row);
void tacit__cell_put(tacit__sheet_column *column, int64_t row, tacit__cell cell);
void tacit__cell_swap(tacit__sheet_column *column, int64_t a, int64_t b);

bool tacit__cell_is_empty(const tacit__sheet_column *column, int64_t row);

/* Writes a number, rounded to the column's decimals; where it is what stands there already,
 * nothing changes. True where it did. Rows of different stretches may be written at once. */
bool tacit__cell_put_number(tacit__sheet_column *column, int64_t row, double number);

/* The number as it is written, rounded to the column's decimals. */
double tacit__sheet_round(const tacit__sheet_column *column, double number);

/* More decimals than the column has had. */
void tacit__sheet_decimals(tacit__sheet_column *column, int decimals);

/* A text that was made up, for any number of cells. */
tacit_status tacit__sheet_text(tacit__mark *mark, tacit__sheet *sheet, tacit__sheet_column *column,
                               tacit_strview text, tacit_error *err);

/* What a cell says, unquoted; into buffer where it does not stand somewhere as it reads. At most
 * size bytes of a quoted cell are read, which is room for all cells where size is
 * tacit__sheet_longest. */
tacit_strview tacit__cell_text(const tacit__sheet *sheet, const tacit__sheet_column *column,
                               int64_t row, char *buffer, size_t size);
size_t tacit__sheet_longest(const tacit__sheet *sheet, const tacit__sheet_column *column);

/* ---- categories ---- */

/* Distinct cells of a column in the order of their first rows. */
typedef struct tacit__categories {
    uint32_t *codes; /* a row each; count: empty */
    uint32_t count;
    int64_t *firsts;    /* a code's first row */
    tacit__cell *cells; /* and its cell there, to be put elsewhere */
    int64_t *sizes;     /* rows of each; sizes[count]: empty ones */
} tacit__categories;

tacit_status tacit__categories_init(tacit__categories *categories, const tacit__sheet *sheet,
                                    int32_t column, tacit_error *err);
void tacit__categories_clear(tacit__categories *categories);

/* Groups of rows that agree in some columns, empty cells being a value: for each row its group, in
 * the order of first rows; and the rows group by group. No columns: all rows are one group. */
typedef struct tacit__row_groups {
    uint32_t *group; /* a row each */
    uint32_t count;
    int64_t *starts; /* count + 1: where each group starts in rows */
    uint32_t *rows;  /* ascending within a group */
} tacit__row_groups;

tacit_status tacit__row_groups_init(tacit__row_groups *groups, tacit__sheet *sheet,
                                    const int32_t *columns, size_t count, tacit_error *err);
void tacit__row_groups_clear(tacit__row_groups *groups);

/* Splits groups further, by a code of each row. */
tacit_status tacit__row_groups_split(tacit__row_groups *groups, const uint32_t *codes, int64_t rows,
                                     tacit_error *err);

enum { TACIT__PLACE_BITS = 38, TACIT__LENGTH_BITS = 24 };

enum { TACIT__MARK_RAW, TACIT__MARK_NUMBER, TACIT__MARK_TEXT };

static inline tacit__mark tacit__mark_raw(size_t place, size_t len)
{
    return len ? (uint64_t)len << TACIT__PLACE_BITS | (uint64_t)place : 0;
}

static inline int tacit__mark_kind(tacit__mark mark)
{
    return (int)(mark >> (TACIT__PLACE_BITS + TACIT__LENGTH_BITS));
}

static inline tacit__mark tacit__mark_of(int kind, uint64_t place)
{
    return (uint64_t)kind << (TACIT__PLACE_BITS + TACIT__LENGTH_BITS) | place;
}

/* The file's bytes of a raw cell, quotes included. */
static inline tacit_strview tacit__mark_bytes(const tacit_table *table, tacit__mark mark)
{
    uint64_t place = mark & ((UINT64_C(1) << TACIT__PLACE_BITS) - 1);
    uint64_t len = mark >> TACIT__PLACE_BITS & ((UINT64_C(1) << TACIT__LENGTH_BITS) - 1);
    return (tacit_strview){table->bytes + place, (size_t)len};
}

/* The place of a text that was made up among its column's. */
static inline size_t tacit__mark_text(tacit__mark mark)
{
    return (size_t)(mark & ((UINT64_C(1) << TACIT__PLACE_BITS) - 1));
}

enum { TACIT__MAX_DECIMALS = 15, TACIT__FIXED_SIZE = 64 };

/* Digits after the point of a number as it is written; one with an exponent has 15. */
int tacit__fixed_decimals(tacit_strview text);

/* Decimals that it takes to write a number, 15 at most. */
int tacit__fixed_needed(double number);

/* The nearest number with so many decimals, halves away from zero; what is too large to have
 * decimals is left as it is. */
double tacit__fixed_round(double number, int decimals);

/* Writes a finite number with so many decimals and returns the length; buffer has room for
 * TACIT__FIXED_SIZE bytes. */
size_t tacit__fixed_write(char *buffer, double number, int decimals);

#endif
