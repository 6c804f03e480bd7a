/*
 * sheet.h - the rows of a tableau column by column, with their blanks: what the
 * paper's ways of ambiguation compare rows on.
 *
 * They look at whole lines of the discernibility matrix, one at a time, and a line is made
 * anew whenever it is asked for: a pass over all rows, column after column, that the
 * compiler turns into vectors. An item is a number of rows of a class with the same blanks;
 * rows that get other blanks than the rest of their item become a new one.
 *
 * A line costs a comparison for every item and column; an item 28 bytes and 4 a column.
 */
#ifndef TACIT_RECORDS_AMBIGUATE_SHEET_H
#define TACIT_RECORDS_AMBIGUATE_SHEET_H

#include "records/ambiguate/ambiguate.h"

typedef struct tacit__blank_sheet {
    const tacit__tableau *tableau;
    int64_t items; /* the first ones are the classes, then those split off */
    int64_t room;
    uint32_t *codes[TACIT_MAX_MASKED]; /* of a column, an item each */
    uint32_t *class_of;                /* an item each, and so on */
    int64_t *rows;
    uint64_t *blank;
    int64_t *alpha;
    int64_t column[TACIT_MAX_MASKED]; /* blanks in it */
    int64_t below;                    /* rows whose alpha is below k */
    int64_t sum;                      /* of alpha over all rows */
} tacit__blank_sheet;

/* Items in a strip: arrays of a sheet, and those kept beside it, are as long as a whole number
 * of strips, so that loops over one have a length that the compiler knows. */
enum { TACIT__STRIP = 256 };

/* Refuses where there are not enough rows. */
tacit_status tacit__blank_sheet_init(tacit__blank_sheet *sheet, const tacit__tableau *tableau,
                                     tacit_error *err);
void tacit__blank_sheet_clear(tacit__blank_sheet *sheet);

/* Makes an array that is kept beside a sheet as long as the sheet's, `room` items instead of so
 * many before; the new ones are zero. False when memory ran out, and the array is as it was. */
bool tacit__blank_sheet_resize(void *block, int64_t before, int64_t room, size_t size);

/* A line of the matrix: for every item the columns that tell it from this one. `line` has
 * room for sheet->room of them. */
void tacit__blank_sheet_line(uint64_t *line, const tacit__blank_sheet *sheet, int64_t item);

/* Makes an item of its own of some rows of an item; of all: *to is the item itself. */
tacit_status tacit__blank_sheet_split(int64_t *to, tacit__blank_sheet *sheet, int64_t item,
                                      int64_t rows, tacit_error *err);

/* Blanks cells of an item, and counts alpha of all. `line` is the item's line before. */
void tacit__blank_sheet_blank(tacit__blank_sheet *sheet, int64_t item, uint64_t mask,
                              const uint64_t *line);

/* Columns in which an item may get a blank without breaking a limit, if it gets no more than
 * tacit__blank_sheet_left() of them. */
uint64_t tacit__blank_sheet_allowed(const tacit__blank_sheet *sheet, int64_t item);
int32_t tacit__blank_sheet_left(const tacit__blank_sheet *sheet, int64_t item);

/* Says that the way could not go on within the limits. */
tacit_status tacit__blank_sheet_stuck(const tacit__blank_sheet *sheet, const char *way,
                                      tacit_error *err);

/* The blanks as a plan. */
tacit_status tacit__blank_sheet_plan(tacit__blanking *plan, const tacit__blank_sheet *sheet,
                                     tacit_error *err);

/* ---- parts of the row-wise heuristics: rowwise.c ---- */

/* The place of every class; the caller frees *out. */
tacit_status tacit__ambiguate_places(uint32_t **out, const tacit__blank_sheet *sheet,
                                     tacit_ambiguate_order order, const tacit_run *run,
                                     tacit_error *err);

/* The prime implicants of f_i: the smallest sets of columns that tell a row from all rows it
 * differs from (2.4 of the paper), and a set of columns that hits each of them. */
enum {
    TACIT__IMPLICANTS_MAX = 1 << 14, /* of a row, and conjuncts that contain no other */
    TACIT__IMPLICANTS_SEEN = 1024
};

/* Zero-initialized is empty; used for one row after the other. */
typedef struct tacit__implicants {
    uint64_t *primes; /* sets of columns */
    int64_t count;
    size_t room;
    uint64_t *conjuncts; /* F_i without those that contain another, small ones first */
    int64_t conjunct_count;
    size_t conjunct_capacity;
    uint64_t *sorted; /* the same in the making */
    size_t sorted_capacity;
    uint64_t *bits; /* sets of conjuncts, `words` each: those with a column, and two a level */
    size_t bits_capacity;
    int64_t words;
    int64_t steps; /* of the search */
    uint64_t seen[TACIT__IMPLICANTS_SEEN];
} tacit__implicants;

void tacit__implicants_clear(tacit__implicants *p);

/* Of a row with this line in the discernibility matrix. TACIT_LIMIT where there are too many. */
tacit_status tacit__implicants_find(tacit__implicants *p, const uint64_t *line, int64_t count,
                                    tacit_error *err);

/* Columns that hit all of them, found greedily: the one in the most that are not hit, for its
 * cost, again and again, ties to the first. */
uint64_t tacit__implicants_hit(const tacit__implicants *p, const double *costs, int32_t columns);

#endif
