/*
 * xlsx.h - workbooks of spreadsheets: what a workbook says of all sheets, and the sheet that is
 * read.
 */
#ifndef TACIT_SRC_FORMATS_XLSX_H
#define TACIT_SRC_FORMATS_XLSX_H

#include "formats/formats.h"
#include "formats/zip.h"

enum { TACIT__XLSX_ROWS = 1 << 20, TACIT__XLSX_COLUMNS = 1 << 14, TACIT__XLSX_CHARACTERS = 32767 };

/* Rows and columns from 0 on, the last ones included. */
typedef struct tacit__xlsx_range {
    int32_t first_row, last_row, first_column, last_column;
} tacit__xlsx_range;

typedef struct tacit__xlsx_sheet {
    tacit_strview name;
    const char *part;
    bool hidden;
} tacit__xlsx_sheet;

/* What a number's display format makes of it: neither, one, or both. */
enum { TACIT__XLSX_DATE = 1, TACIT__XLSX_TIME = 2 };

typedef struct tacit__xlsx_book {
    tacit__unzip zip;
    bool since_1904; /* days are counted from there */
    tacit__xlsx_sheet *sheets;
    size_t sheet_count, sheet_capacity;
    unsigned char *styles; /* of each cell style, what its format makes of numbers */
    size_t style_count, style_capacity;
    tacit__strbuf strings; /* that cells share */
    size_t *string_ends;
    size_t string_count, string_capacity;
    tacit__arena arena;
} tacit__xlsx_book;

/* Reads what all sheets need; of header_only the same, for names are shared strings, too. */
tacit_status tacit__xlsx_book_open(tacit__xlsx_book *book, const tacit__format_input *input,
                                   tacit_error *err);
void tacit__xlsx_book_close(tacit__xlsx_book *book);

/* Undoes _x000D_, in place; returns the length. */
size_t tacit__xlsx_unescape(char *text, size_t len);

/* A cell's place, "BC23"; *row is -1 where it names a column only. Returns how many bytes it takes,
 * 0 where there is none. */
size_t tacit__xlsx_place(int32_t *row, int32_t *column, const char *text);

/* The letters of a column. */
typedef struct tacit__xlsx_letters {
    char text[4];
} tacit__xlsx_letters;

tacit__xlsx_letters tacit__xlsx_column(int32_t column);

/* The text and the columns of a sheet; range NULL: all of it. */
tacit_status tacit__xlsx_sheet_read(tacit__format_text *text, tacit_schema *schema,
                                    tacit__xlsx_book *book, const tacit__xlsx_sheet *sheet,
                                    const tacit__xlsx_range *range, tacit_error *err);

tacit_status tacit__xlsx_write(const tacit__format_release *release, tacit_error *err);

#endif
