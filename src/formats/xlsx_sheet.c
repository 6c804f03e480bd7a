/*
 * xlsx_sheet.c - the cells of a sheet as text, row by row as they come (ECMA-376, part 1, 18.3).
 *
 * The first row with a cell names the columns; without a range it also says which columns there
 * are, and a cell beside them is an error. A row without a cell between others is a row without
 * values; rows behind the last cell are none. A number is a date or a time by the display format of
 * its cell. Of a formula the value counts that the program has kept.
 *
 * A merged cell has its value in one place, though its readers see it in all. Where there are such
 * among the rows, which a sheet says at its end, it is read once more and they are filled in.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/vector.h"
#include "formats/formats.h"
#include "formats/values.h"
#include "formats/xlsx.h"

enum { MAX_MERGED = 1 << 18, MILLISECONDS = 86400000 };

typedef struct sheet_cell {
    bool there;
    tacit__type type;
    size_t start, len; /* of its text, in sheet_reading.row_text */
} sheet_cell;

/* What merged cells left for a column. */
typedef struct sheet_fill {
    int32_t last_row;
    tacit__type type;
    tacit_strview text;
} sheet_fill;

typedef struct sheet_reading {
    tacit__format_text *text;
    tacit_schema *schema;
    tacit__xlsx_book *book;
    const tacit__xlsx_sheet *sheet;
    const tacit__format_input *input;
    const tacit__xlsx_range *range; /* NULL: all of it */
    tacit__xml xml;
    int32_t row, column;                                 /* where it is; -1: before the first */
    int32_t header, next_row, first_column, last_column; /* of the table; header is -1: not yet */
    sheet_cell *cells; /* of this row, by their column in the sheet */
    size_t cell_capacity, cells_used;
    tacit__strbuf row_text;
    const char *kind; /* of this cell: "n", "s", "b", ... */
    long style;
    bool in_text, in_phonetic, in_cell;
    unsigned *types; /* that the cells of a column have */
    tacit__xlsx_range *merged;
    size_t merged_count, merged_capacity, merged_next;
    bool filling; /* the second time */
    sheet_fill *fills;
    tacit__arena arena; /* of their texts */
    uint64_t arena_bytes;
} sheet_reading;

static tacit_status damaged_sheet(const sheet_reading *s, tacit_error *err)
{
    return tacit__error_at(err, TACIT_PARSE, s->input->name, 0, 0,
                           "is damaged: sheet \"%s\" has cells where none can be",
                           tacit__show(s->sheet->name).text);
}

/* ---- values ---- */

static tacit_strview trimmed(tacit_strview text)
{
    while (text.len && tacit__is_space(text.bytes[0]))
        text.bytes++, text.len--;
    while (text.len && tacit__is_space(text.bytes[text.len - 1]))
        text.len--;
    return text;
}

/* Days since 1970-01-01 of a day in the book's count. Excel's of 1900 has a 29th of February,
 * which is no day. */
static bool day_of(int64_t *days, const tacit__xlsx_book *book, double day)
{
    enum { OF_1904 = -24107, OF_1900 = -25569, LEAP = 60 };
    if (!(fabs(day) < 4e6) || (!book->since_1904 && (day < 1 || day == LEAP)))
        return false;
    *days = (int64_t)day + (book->since_1904 ? OF_1904 : OF_1900 + (day < LEAP));
    return true;
}

/* A number that is shown as a date, a time or both; len is 0 where it cannot be. */
static tacit__value_text shown_time(tacit__type *type, const tacit__xlsx_book *book,
                                    unsigned char shows, double number)
{
    tacit__value_text text = {.len = 0};
    double day = floor(number), part = round((number - day) * MILLISECONDS);
    int64_t days = 0, nanoseconds = 0;
    if (part >= MILLISECONDS) {
        day++;
        part = 0;
    }
    nanoseconds = (int64_t)part * 1000000;
    if (day == 0 && (shows & TACIT__XLSX_TIME)) {
        *type = TACIT__TYPE_TIME;
        return tacit__time_text(nanoseconds);
    }
    if (!day_of(&days, book, day))
        return text;
    *type = shows == TACIT__XLSX_DATE && part == 0 ? TACIT__TYPE_DATE : TACIT__TYPE_MOMENT;
    if (*type == TACIT__TYPE_DATE)
        return tacit__date_text(days);
    return tacit__moment_text(days * TACIT__SECONDS_A_DAY + nanoseconds / 1000000000,
                              nanoseconds % 1000000000, false);
}

static void set_cell(sheet_reading *s, sheet_cell *cell, tacit__type type, const char *text,
                     size_t len)
{
    cell->type = type;
    s->row_text.len = cell->start;
    if (tacit__format_fits(s->text, cell->start + len)) /* many cells may name one text */
        tacit__strbuf_add(&s->row_text, text, len);
    else
        s->row_text.failed = true;
    cell->len = s->row_text.len - cell->start;
}

/* Number cells, unless they say something else. */
static void finish_number(sheet_reading *s, sheet_cell *cell, tacit_strview raw)
{
    double number = tacit__decimal_read(raw);
    size_t style = s->style < 0 ? 0 : (size_t)s->style;
    unsigned char shows = style < s->book->style_count ? s->book->styles[style] : 0;
    tacit__type type = TACIT__TYPE_REAL;
    tacit__value_text text = {.len = 0};
    int64_t whole = 0;
    if (!isfinite(number))
        return;
    if (shows)
        text = shown_time(&type, s->book, shows, number);
    if (text.len == 0) {
        text = tacit__real_text(number);
        type = tacit__integer_of(&whole, (tacit_strview){text.bytes, text.len})
                   ? TACIT__TYPE_INTEGER
                   : TACIT__TYPE_REAL;
    }
    set_cell(s, cell, type, text.bytes, text.len);
}

static tacit_status finish_shared(sheet_reading *s, sheet_cell *cell, tacit_strview raw,
                                  tacit_error *err)
{
    int64_t index = 0;
    if (!tacit__integer_of(&index, raw) || index < 0 || (uint64_t)index >= s->book->string_count)
        return damaged_sheet(s, err);
    size_t start = index > 0 ? s->book->string_ends[index - 1] : 0;
    size_t end = s->book->string_ends[index];
    set_cell(s, cell, TACIT__TYPE_TEXT, end > start ? s->book->strings.bytes + start : "",
             end - start);
    return TACIT_OK;
}

static void finish_date(sheet_reading *s, sheet_cell *cell, tacit_strview raw)
{
    static const tacit__type types[] = {TACIT__TYPE_DATE, TACIT__TYPE_MOMENT, TACIT__TYPE_TIME};
    (void)s;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (tacit__is_value(types[i], 0, raw))
            cell->type = types[i];
}

/* The cell's text as the file has it becomes what it says. Without a text it is none. */
static tacit_status finish_cell(sheet_reading *s, tacit_error *err)
{
    sheet_cell *cell = &s->cells[s->column];
    cell->len = s->row_text.len - cell->start;
    cell->type = TACIT__TYPE_TEXT;
    char *bytes = s->row_text.bytes ? s->row_text.bytes + cell->start : NULL;
    tacit_strview raw = trimmed((tacit_strview){bytes, cell->len});
    bool text = strcmp(s->kind, "str") == 0 || strcmp(s->kind, "inlineStr") == 0;
    s->in_cell = false;
    if (!cell->there || s->row_text.failed)
        return s->row_text.failed ? tacit__nomem(err) : TACIT_OK;
    if (text && cell->len > 0) {
        cell->len = tacit__xlsx_unescape(bytes, cell->len);
        s->row_text.len = cell->start + cell->len;
    } else if (!text && raw.len == 0) {
        cell->there = false;
    } else if (strcmp(s->kind, "s") == 0) {
        return finish_shared(s, cell, raw, err);
    } else if (strcmp(s->kind, "b") == 0) {
        bool yes = raw.bytes[0] == '1' || raw.bytes[0] == 't';
        set_cell(s, cell, TACIT__TYPE_BOOLEAN, yes ? "true" : "false", yes ? 4 : 5);
    } else if (strcmp(s->kind, "d") == 0) {
        finish_date(s, cell, raw);
    } else if (strcmp(s->kind, "n") == 0) {
        finish_number(s, cell, raw);
    }
    return s->row_text.failed ? tacit__nomem(err) : TACIT_OK;
}

/* ---- rows ---- */

static bool is_there(const sheet_reading *s, int32_t column)
{
    return (size_t)column < s->cells_used && s->cells[column].there;
}

static tacit_strview text_of(const sheet_reading *s, int32_t column)
{
    const sheet_cell *cell = &s->cells[column];
    return (tacit_strview){cell->len ? s->row_text.bytes + cell->start : "", cell->len};
}

/* The first row that has a cell in the range, or in a range the first row, names the columns. */
static tacit_status take_header(sheet_reading *s, tacit_error *err)
{
    int32_t first = 0, last = (int32_t)s->cells_used - 1;
    if (s->range) {
        first = s->range->first_column;
        last = s->range->last_column;
    }
    while (!s->range && !is_there(s, first))
        first++;
    while (!s->range && !is_there(s, last))
        last--;
    if (last - first >= TACIT_MAX_COLUMNS)
        return tacit__error_at(err, TACIT_LIMIT, s->input->name, 0, 0,
                               "%d columns; at most %d are read", (int)(last - first + 1),
                               (int)TACIT_MAX_COLUMNS);
    s->schema->count = 0;
    for (int32_t i = first; i <= last; i++)
        if (!tacit__schema_add(s->schema, is_there(s, i) ? text_of(s, i) : (tacit_strview){"", 0}))
            return tacit__nomem(err);
    size_t count = (size_t)(last - first) + 1;
    tacit__free(s->types);
    tacit__free(s->fills);
    s->types = tacit__alloc_zeroed(count, sizeof *s->types);
    s->fills = tacit__alloc_zeroed(count, sizeof *s->fills);
    if (!s->types || !s->fills)
        return tacit__nomem(err);
    s->header = s->row;
    s->next_row = s->row + 1;
    s->first_column = first;
    s->last_column = last;
    tacit__format_header(s->text, s->schema);
    s->xml.enough = s->input->header_only;
    return TACIT_OK;
}

/* Where cells are merged from this row on, their value is kept for the rows below. */
static bool keep_merged(sheet_reading *s, int32_t row)
{
    for (; s->merged_next < s->merged_count && s->merged[s->merged_next].first_row <= row;
         s->merged_next++) {
        const tacit__xlsx_range *range = &s->merged[s->merged_next];
        if (range->first_row < row || row != s->row || !is_there(s, range->first_column))
            continue;
        s->arena_bytes += text_of(s, range->first_column).len;
        if (!tacit__format_fits(s->text, s->arena_bytes))
            return false;
        sheet_fill fill = {range->last_row, s->cells[range->first_column].type,
                           tacit__arena_copy(&s->arena, text_of(s, range->first_column))};
        if (!fill.text.bytes)
            return false;
        for (int32_t i = range->first_column; i <= range->last_column && i <= s->last_column; i++)
            if (i >= s->first_column)
                s->fills[i - s->first_column] = fill;
    }
    return true;
}

static void add_cell(sheet_reading *s, size_t at, tacit__type type, tacit_strview text)
{
    s->types[at] |= 1u << type;
    tacit__format_cell(s->text, text);
}

/* A row of the table, which is the row that was read or one without cells before it. */
static tacit_status add_row(sheet_reading *s, int32_t row, tacit_error *err)
{
    if (s->filling && !keep_merged(s, row))
        return tacit__nomem(err);
    for (int32_t i = s->first_column; i <= s->last_column; i++) {
        size_t at = (size_t)(i - s->first_column);
        if (row == s->row && is_there(s, i))
            add_cell(s, at, s->cells[i].type, text_of(s, i));
        else if (s->filling && s->fills[at].text.bytes && s->fills[at].last_row >= row)
            add_cell(s, at, s->fills[at].type, s->fills[at].text);
        else
            tacit__format_null(s->text);
    }
    return s->text->csv.failed ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status beside_columns(const sheet_reading *s, int32_t column, tacit_error *err)
{
    return tacit__error_at(err, TACIT_INVALID, s->input->name, 0, 0,
                           "cell %s%d of sheet \"%s\" is beside the columns that row %d names; "
                           "name its column, or say behind # which cells are the table, such as "
                           "#A1:F200",
                           tacit__xlsx_column(column).text, (int)s->row + 1,
                           tacit__show(s->sheet->name).text, (int)s->header + 1);
}

/* Rows without cells before a row with one are rows, too: how many is bounded as if the file said
 * them. */
static tacit_status finish_row(sheet_reading *s, tacit_error *err)
{
    bool any = false;
    int32_t from = s->header < 0 || s->range ? 0 : s->first_column, beside = -1;
    if (s->range && (s->row < s->range->first_row || s->row > s->range->last_row))
        return TACIT_OK;
    for (int32_t i = 0; (size_t)i < s->cells_used; i++) {
        bool inside = s->range ? i >= s->range->first_column && i <= s->range->last_column
                               : s->header < 0 || (i >= from && i <= s->last_column);
        any |= inside && is_there(s, i);
        if (!inside && !s->range && is_there(s, i) && s->cells[i].len && beside < 0)
            beside = i;
    }
    if (beside >= 0)
        return beside_columns(s, beside, err);
    if (!any)
        return TACIT_OK;
    if (s->header < 0)
        return take_header(s, err);
    uint64_t rows = (uint64_t)(s->row - s->next_row) + 1;
    tacit_status status = TACIT_OK;
    if (!tacit__format_fits(s->text, rows * (uint64_t)s->text->columns))
        return tacit__nomem(err);
    while (status == TACIT_OK && s->next_row <= s->row)
        status = add_row(s, s->next_row++, err);
    return status;
}

/* ---- elements ---- */

static tacit_status begin_row(sheet_reading *s, const char **attributes, tacit_error *err)
{
    const char *number = tacit__xml_attribute(attributes, "r");
    long row = number ? strtol(number, NULL, 10) - 1 : s->row + 1L;
    if (row <= s->row || row >= TACIT__XLSX_ROWS)
        return damaged_sheet(s, err);
    s->row = (int32_t)row;
    s->column = -1;
    s->cells_used = 0;
    s->row_text.len = 0;
    return TACIT_OK;
}

static const char *kind_of(const char *named)
{
    static const char *const kinds[] = {"s", "str", "inlineStr", "b", "e", "d"};
    for (size_t i = 0; named && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(named, kinds[i]) == 0)
            return kinds[i];
    return "n";
}

static tacit_status begin_cell(sheet_reading *s, const char **attributes, tacit_error *err)
{
    const char *place = tacit__xml_attribute(attributes, "r");
    const char *style = tacit__xml_attribute(attributes, "s");
    int32_t row = s->row, column = s->column + 1;
    size_t len = place ? tacit__xlsx_place(&row, &column, place) : 0;
    if (s->row < 0 || (place && (len == 0 || place[len] != '\0' || row != s->row)) ||
        column >= TACIT__XLSX_COLUMNS)
        return damaged_sheet(s, err);
    size_t used = s->cells_used, needed = (size_t)column + 1;
    if (needed > used) {
        if (!TACIT__RESERVE(s->cells, s->cell_capacity, needed))
            return tacit__nomem(err);
        memset(s->cells + used, 0, (needed - used) * sizeof *s->cells);
        s->cells_used = needed;
    }
    s->cells[column] = (sheet_cell){.start = s->row_text.len};
    s->column = column;
    s->kind = kind_of(tacit__xml_attribute(attributes, "t"));
    s->style = style ? strtol(style, NULL, 10) : 0;
    s->in_cell = true;
    return TACIT_OK;
}

static tacit_status add_merged(sheet_reading *s, const char **attributes, tacit_error *err)
{
    const char *place = tacit__xml_attribute(attributes, "ref");
    tacit__xlsx_range range = {0};
    size_t len = place ? tacit__xlsx_place(&range.first_row, &range.first_column, place) : 0;
    if (len == 0 || place[len] != ':' ||
        !tacit__xlsx_place(&range.last_row, &range.last_column, place + len + 1))
        return TACIT_OK; /* a cell merged with none */
    if (s->header < 0 || range.first_row <= s->header || range.first_column > s->last_column ||
        range.last_column < s->first_column)
        return TACIT_OK;
    if (s->merged_count >= MAX_MERGED)
        return tacit__error_at(err, TACIT_LIMIT, s->input->name, 0, 0,
                               "has more than %d merged cells", (int)MAX_MERGED);
    return TACIT__PUSH(s->merged, s->merged_capacity, s->merged_count, range) ? TACIT_OK
                                                                              : tacit__nomem(err);
}

static tacit_status on_sheet_start(void *context, const char *name, const char **attributes,
                                   tacit_error *err)
{
    sheet_reading *s = context;
    if (strcmp(name, "row") == 0)
        return begin_row(s, attributes, err);
    if (strcmp(name, "c") == 0)
        return begin_cell(s, attributes, err);
    if (strcmp(name, "mergeCell") == 0 && !s->filling)
        return add_merged(s, attributes, err);
    if (!s->in_cell)
        return TACIT_OK;
    if (strcmp(name, "rPh") == 0)
        s->in_phonetic = true;
    s->in_text = strcmp(name, "v") == 0 || (strcmp(name, "t") == 0 && !s->in_phonetic);
    if (s->in_text || strcmp(name, "is") == 0)
        s->cells[s->column].there = true;
    return TACIT_OK;
}

static tacit_status on_sheet_text(void *context, const char *bytes, size_t len, tacit_error *err)
{
    sheet_reading *s = context;
    if (s->in_cell && s->in_text)
        tacit__strbuf_add(&s->row_text, bytes, len);
    return s->row_text.failed ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status on_sheet_end(void *context, const char *name, tacit_error *err)
{
    sheet_reading *s = context;
    s->in_text = false;
    if (strcmp(name, "rPh") == 0)
        s->in_phonetic = false;
    if (strcmp(name, "c") == 0 && s->in_cell)
        return finish_cell(s, err);
    return strcmp(name, "row") == 0 ? finish_row(s, err) : TACIT_OK;
}

/* ---- all of it ---- */

static tacit_status go_over(sheet_reading *s, tacit_error *err)
{
    s->row = s->header = -1;
    s->cells_used = 0;
    s->text->csv.len = 0;
    s->text->at = 0;
    s->in_text = s->in_phonetic = s->in_cell = false;
    tacit_status status = tacit__unzip_parse(&s->book->zip, s->sheet->part, &s->xml, err);
    if (status == TACIT_OK && s->header < 0)
        status =
            tacit__error_at(err, TACIT_INVALID, s->input->name, 0, 0, "sheet \"%s\" has no cells%s",
                            tacit__show(s->sheet->name).text, s->range ? " in that range" : "");
    return status;
}

static int by_first_row(const void *a, const void *b)
{
    const tacit__xlsx_range *x = a, *y = b;
    if (x->first_row != y->first_row)
        return x->first_row < y->first_row ? -1 : 1;
    return (x->first_column > y->first_column) - (x->first_column < y->first_column);
}

/* The type that all cells of a column have. */
static tacit__type common_type(unsigned types)
{
    const unsigned numbers = 1u << TACIT__TYPE_INTEGER | 1u << TACIT__TYPE_REAL;
    if (types && (types & ~numbers) == 0)
        return types & 1u << TACIT__TYPE_REAL ? TACIT__TYPE_REAL : TACIT__TYPE_INTEGER;
    for (unsigned type = 0; types >> type; type++)
        if (types == 1u << type)
            return (tacit__type)type;
    return TACIT__TYPE_TEXT;
}

tacit_status tacit__xlsx_sheet_read(tacit__format_text *text, tacit_schema *schema,
                                    tacit__xlsx_book *book, const tacit__xlsx_sheet *sheet,
                                    const tacit__xlsx_range *range, tacit_error *err)
{
    sheet_reading s = {.text = text,
                       .schema = schema,
                       .book = book,
                       .sheet = sheet,
                       .input = book->zip.input,
                       .range = range,
                       .kind = "n"};
    s.xml = (tacit__xml){
        .start = on_sheet_start, .end = on_sheet_end, .text = on_sheet_text, .context = &s};
    tacit_status status = go_over(&s, err);
    if (status == TACIT_OK && s.merged_count > 0) {
        qsort(s.merged, s.merged_count, sizeof *s.merged, by_first_row);
        s.filling = true;
        status = go_over(&s, err);
    }
    for (size_t i = 0; status == TACIT_OK && i < schema->count; i++)
        schema->columns[i].type = common_type(s.types[i]);
    tacit__free(s.cells);
    tacit__free(s.types);
    tacit__free(s.fills);
    tacit__free(s.merged);
    tacit__strbuf_clear(&s.row_text);
    tacit__arena_clear(&s.arena);
    return status;
}
