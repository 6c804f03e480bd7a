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
    uint32_t *codes[TACIT_MAX_ATTRIBUTES]; /* of a column, an item each */
    uint32_t *class_of;                    /* an item each, and so on */
    int64_t *rows;
    uint64_t *blank;
    int64_t *alpha;
    int64_t column[TACIT_MAX_ATTRIBUTES]; /* blanks in it */
    int64_t below;                        /* rows whose alpha is below k */
    int64_t sum;                          /* of alpha over all rows */
} tacit__blank_sheet;

/* Items in a strip: arrays of a sheet, and those kept beside it, are as long as a whole number
 * of strips, so that loops over one have a length that the compiler knows. */
enum { TACIT__STRIP = 256 };

/* Refuses where there are not enough rows. */
tacit_status tacit__blank_sheet_init(tacit__blank_sheet *sheet, const tacit__tableau *tableau,
                                     tacit_error *err);
void tacit__blank_sheet_clear(tacit__blank_sheet *sheet);

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

#endif
