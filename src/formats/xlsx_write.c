/*
 * xlsx_write.c - a release as a workbook of one sheet.
 *
 * libxlsxwriter would write numbers with 16 digits, and some need 17 to read back the same; so the
 * few parts of a workbook are written here. Texts stand in their cells: a release is written row by
 * row in little memory, and what repeats is left to the compression. Numbers, dates and truth
 * values are cells of their kind where a sheet can hold them: not dates before March 1900, whole
 * numbers beyond 2^53, nor parts of milliseconds, which become text.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "formats/values.h"
#include "formats/xlsx.h"

/* Cell styles, as they stand in STYLES. */
enum { STYLE_PLAIN, STYLE_DATE, STYLE_MOMENT, STYLE_TIME, STYLE_TEXT, STYLE_HEADER };
enum { FLUSHED = 1 << 16, DAY_1900 = -25569, MARCH_1900 = -25508 };

#define XML_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
#define MAIN     "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
#define OFFICE   "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
#define PACKAGE  "http://schemas.openxmlformats.org/package/2006/"
#define OF_KIND  "application/vnd.openxmlformats-officedocument.spreadsheetml."

static const char CONTENT_TYPES[] = XML_HEAD
    "<Types xmlns=\"" PACKAGE "content-types\">"
    "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships"
    "+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/>"
    "<Override PartName=\"/xl/workbook.xml\" ContentType=\"" OF_KIND "sheet.main+xml\"/>"
    "<Override PartName=\"/xl/styles.xml\" ContentType=\"" OF_KIND "styles+xml\"/>"
    "<Override PartName=\"/xl/worksheets/sheet1.xml\" ContentType=\"" OF_KIND "worksheet+xml\"/>"
    "</Types>";

static const char TOP[] = XML_HEAD "<Relationships xmlns=\"" PACKAGE
                                   "relationships\"><Relationship Id=\"rId1\" Type=\"" OFFICE
                                   "/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>";

static const char BOOK_PARTS[] = XML_HEAD
    "<Relationships xmlns=\"" PACKAGE "relationships\"><Relationship Id=\"rId1\" Type=\"" OFFICE
    "/worksheet\" Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"rId2\" Type=\"" OFFICE
    "/styles\" Target=\"styles.xml\"/></Relationships>";

#define FONT "<sz val=\"11\"/><name val=\"Calibri\"/><family val=\"2\"/></font>"
#define STYLED(number, font, more)                 \
    "<xf numFmtId=\"" #number "\" fontId=\"" #font \
    "\" fillId=\"0\" borderId=\"0\" xfId=\"0\" " more "/>"
/* Of cells that are not published: primary ones, and others. */
#define SHADE(colour)                                                      \
    "<dxf><fill><patternFill patternType=\"solid\"><fgColor rgb=\"" colour \
    "\"/><bgColor rgb=\"" colour "\"/></patternFill></fill></dxf>"
#define SHADES "<dxfs count=\"2\">" SHADE("FFF4CCCC") SHADE("FFFFE8B3") "</dxfs>"
static const char STYLES[] = XML_HEAD
    "<styleSheet xmlns=\"" MAIN "\"><numFmts count=\"3\">"
    "<numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd\"/>"
    "<numFmt numFmtId=\"165\" formatCode=\"yyyy\\-mm\\-dd\\ hh:mm:ss\"/>"
    "<numFmt numFmtId=\"166\" formatCode=\"hh:mm:ss\"/></numFmts>"
    "<fonts count=\"2\"><font>" FONT "<font><b/>" FONT "</fonts>"
    "<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill><fill><patternFill "
    "patternType=\"gray125\"/></fill></fills>"
    "<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>"
    "<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/>"
    "</cellStyleXfs><cellXfs count=\"6\">" STYLED(0, 0, "") STYLED(
        164, 0, "applyNumberFormat=\"1\"") STYLED(165, 0, "applyNumberFormat=\"1\"")
        STYLED(166, 0, "applyNumberFormat=\"1\"") STYLED(49, 0, "applyNumberFormat=\"1\"") STYLED(
            49, 1,
            "applyNumberFormat=\"1\" applyFont=\"1\"") "</cellXfs><cellStyles "
                                                       "count=\"1\"><cellStyle name=\"Normal\" "
                                                       "xfId=\"0\" builtinId=\"0\"/>"
                                                       "</cellStyles>" SHADES "</styleSheet>";

typedef struct xlsx_writing {
    const tacit__format_release *release;
    tacit__zip zip;
    tacit__strbuf out;
    tacit__type *types; /* of the columns, as a sheet can hold them */
    tacit__xlsx_letters *letters;
    tacit_error *err;
} xlsx_writing;

/* ---- what a sheet can hold ---- */

static bool holds_day(int64_t days)
{
    return days >= MARCH_1900;
}

static bool sheet_holds(tacit__type type, tacit_strview cell)
{
    const int64_t exact = INT64_C(1) << 53;
    int64_t whole = 0, nanoseconds = 0;
    double number = 0;
    bool utc = false;
    switch (type) {
    case TACIT__TYPE_INTEGER:
        return tacit__integer_of(&whole, cell) && whole >= -exact && whole <= exact;
    case TACIT__TYPE_DECIMAL: /* 12.50 would read as 12.5 */
    case TACIT__TYPE_REAL: return tacit__real_of(&number, cell);
    case TACIT__TYPE_DATE: return tacit__date_of(&whole, cell) && holds_day(whole);
    case TACIT__TYPE_TIME: return tacit__time_of(&whole, cell) && whole % 1000000 == 0;
    case TACIT__TYPE_MOMENT:
        return tacit__moment_of(&whole, &nanoseconds, &utc, cell) && !utc &&
               nanoseconds % 1000000 == 0 &&
               holds_day(whole / TACIT__SECONDS_A_DAY - (whole < 0 ? 1 : 0));
    case TACIT__TYPE_BOOLEAN:
    case TACIT__TYPE_TEXT: break;
    }
    return true;
}

/* Characters as programs count them, in units of UTF-16. */
static size_t characters(tacit_strview cell)
{
    size_t count = 0;
    for (size_t i = 0; i < cell.len; i++)
        count += ((unsigned char)cell.bytes[i] & 0xC0) != 0x80 ? 1 : 0;
    for (size_t i = 0; i < cell.len; i++)
        count += (unsigned char)cell.bytes[i] >= 0xF0;
    return count;
}

static tacit_status check_characters(const xlsx_writing *w, size_t column, tacit_strview cell)
{
    if (cell.len <= TACIT__XLSX_CHARACTERS || characters(cell) <= TACIT__XLSX_CHARACTERS)
        return TACIT_OK;
    return tacit__error_at(w->err, TACIT_INVALID, w->release->name, 0, 0,
                           "column \"%s\" has a text of %zu characters, and a cell takes %d: write "
                           "the release as CSV, or drop the column",
                           tacit__show(w->release->schema->columns[column].name).text,
                           characters(cell), (int)TACIT__XLSX_CHARACTERS);
}

static tacit_status check_sheet_cells(xlsx_writing *w)
{
    const tacit_schema *schema = w->release->schema;
    tacit__format_row row;
    tacit_status status = tacit__format_row_new(&row, w->release->table, w->err);
    for (int64_t at = 0; at < tacit_table_rows(w->release->table) && status == TACIT_OK; at++) {
        status = tacit__format_row_at(&row, at, w->err);
        for (size_t i = 0; i < schema->count && status == TACIT_OK; i++) {
            if (row.cells[i].len && !sheet_holds(w->types[i], row.cells[i]))
                w->types[i] = TACIT__TYPE_TEXT;
            status = check_characters(w, i, row.cells[i]);
        }
    }
    tacit__format_row_clear(&row);
    return status;
}

static tacit_status check_sheet_size(const xlsx_writing *w)
{
    int64_t rows = tacit_table_rows(w->release->table) + 1;
    for (size_t i = 0; i < w->release->schema->count; i++) {
        tacit_status status = check_characters(w, i, w->release->schema->columns[i].name);
        if (status != TACIT_OK)
            return status;
    }
    if (rows <= TACIT__XLSX_ROWS)
        return TACIT_OK;
    return tacit__error_at(w->err, TACIT_INVALID, w->release->name, 0, 0,
                           "%lld rows, and a sheet has %d with that of the names: write the "
                           "release as CSV",
                           (long long)rows - 1, (int)TACIT__XLSX_ROWS);
}

/* ---- cells ---- */

static bool looks_escaped(const char *at, size_t left)
{
    char copy[7];
    if (left < sizeof copy || *at != '_')
        return false;
    memcpy(copy, at, sizeof copy);
    return tacit__xlsx_unescape(copy, sizeof copy) < sizeof copy;
}

/* Characters that XML does not have, and line ends that it would change, are _x000D_; so is the
 * beginning of a text that says this itself. */
static void xlsx_add_text(tacit__strbuf *out, tacit_strview text)
{
    size_t from = 0;
    for (size_t at = 0; at < text.len; at++) {
        unsigned char c = (unsigned char)text.bytes[at];
        bool last = c == 0xEF && text.len - at >= 3 && (unsigned char)text.bytes[at + 1] == 0xBF &&
                    (unsigned char)text.bytes[at + 2] >= 0xBE; /* U+FFFE, U+FFFF */
        const char *name = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : NULL;
        if (!name && !last && (c >= ' ' || c == '\t' || c == '\n') &&
            !looks_escaped(text.bytes + at, text.len - at))
            continue;
        tacit__strbuf_add(out, text.bytes + from, at - from);
        if (name)
            tacit__strbuf_text(out, name);
        else
            tacit__strbuf_format(out, "_x%04X_",
                                 last ? 0xFF40u + (unsigned char)text.bytes[at + 2] : c);
        at += last ? 2 : 0;
        from = at + 1;
    }
    tacit__strbuf_add(out, text.bytes + from, text.len - from);
}

/* In an attribute. A sheet's name was one before, or is ours. */
static void xlsx_add_name(tacit__strbuf *out, tacit_strview name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.bytes[i];
        if (c == '"')
            tacit__strbuf_text(out, "&quot;");
        else if ((unsigned char)c < ' ')
            tacit__strbuf_format(out, "&#%d;", c);
        else
            xlsx_add_text(out, (tacit_strview){&c, 1});
    }
}

/* Where a cell is, for its tag. */
typedef struct cell_place {
    tacit__strbuf *out;
    const char *column;
    int64_t row; /* from 1 on */
} cell_place;

static void place_text(cell_place at, int style, tacit_strview cell)
{
    tacit__strbuf_format(at.out,
                         "<c r=\"%s%lld\" s=\"%d\" t=\"inlineStr\"><is><t xml:space=\"preserve\">",
                         at.column, (long long)at.row, style);
    xlsx_add_text(at.out, cell);
    tacit__strbuf_text(at.out, "</t></is></c>");
}

static void place_number(cell_place at, int style, tacit_strview number)
{
    tacit__strbuf_format(at.out, "<c r=\"%s%lld\" s=\"%d\"><v>%.*s</v></c>", at.column,
                         (long long)at.row, style, (int)number.len, number.bytes);
}

/* A time as days, with as many digits as read back the same. */
static void place_days(cell_place at, int style, int64_t days, int64_t nanoseconds)
{
    double part = (double)nanoseconds / 1e9 / TACIT__SECONDS_A_DAY;
    tacit__value_text text = tacit__real_text((double)days + part);
    place_number(at, style, (tacit_strview){text.bytes, text.len});
}

static void place_moment(cell_place at, tacit_strview cell)
{
    int64_t seconds = 0, nanoseconds = 0;
    bool utc = false;
    tacit__moment_of(&seconds, &nanoseconds, &utc, cell);
    int64_t days = seconds / TACIT__SECONDS_A_DAY - (seconds % TACIT__SECONDS_A_DAY < 0);
    place_days(at, STYLE_MOMENT, days - DAY_1900,
               (seconds - days * TACIT__SECONDS_A_DAY) * 1000000000 + nanoseconds);
}

static void place_cell(cell_place at, tacit__type type, tacit_strview cell)
{
    int64_t whole = 0;
    switch (cell.len ? type : TACIT__TYPE_TEXT) {
    case TACIT__TYPE_INTEGER:
    case TACIT__TYPE_DECIMAL:
    case TACIT__TYPE_REAL: place_number(at, STYLE_PLAIN, cell); break;
    case TACIT__TYPE_BOOLEAN:
        tacit__strbuf_format(at.out, "<c r=\"%s%lld\" t=\"b\"><v>%d</v></c>", at.column,
                             (long long)at.row, cell.bytes[0] == 't');
        break;
    case TACIT__TYPE_DATE:
        tacit__date_of(&whole, cell);
        place_days(at, STYLE_DATE, whole - DAY_1900, 0);
        break;
    case TACIT__TYPE_TIME:
        tacit__time_of(&whole, cell);
        place_days(at, STYLE_TIME, 0, whole);
        break;
    case TACIT__TYPE_MOMENT: place_moment(at, cell); break;
    case TACIT__TYPE_TEXT: place_text(at, STYLE_TEXT, cell); break;
    }
}

/* ---- parts ---- */

static tacit_status xlsx_flush(xlsx_writing *w)
{
    if (w->out.failed)
        return tacit__nomem(w->err);
    tacit_status status = tacit__zip_add(&w->zip, w->out.bytes ? w->out.bytes : "", w->out.len);
    w->out.len = 0;
    return status;
}

/* A row without values has an empty text in its first cell: rows without cells at the end are
 * none. */
static void place_row(xlsx_writing *w, int64_t number, const tacit__format_row *row)
{
    bool any = false;
    tacit__strbuf_format(&w->out, "<row r=\"%lld\">", (long long)number);
    for (size_t i = 0; i < w->release->schema->count; i++)
        any |= !row->null[i];
    for (size_t i = 0; i < w->release->schema->count; i++)
        if (!row->null[i] || (!any && i == 0))
            place_cell((cell_place){&w->out, w->letters[i].text, number}, w->types[i],
                       row->cells[i]);
    tacit__strbuf_text(&w->out, "</row>");
}

static tacit_status place_rows(xlsx_writing *w)
{
    enum { BATCH = 1 << 12 };
    const tacit__format_release *release = w->release;
    int64_t rows = tacit_table_rows(release->table);
    tacit__format_row row;
    tacit_status status = tacit__format_row_new(&row, release->table, w->err);
    for (int64_t at = 0; at < rows && status == TACIT_OK; at++) {
        status = tacit__format_row_at(&row, at, w->err);
        if (status == TACIT_OK)
            place_row(w, at + 2, &row);
        if (status == TACIT_OK && (w->out.len >= FLUSHED || w->out.failed))
            status = xlsx_flush(w);
        if (status == TACIT_OK && at % BATCH == 0)
            status = tacit__progress(release->run, "writing", at, rows, w->err);
    }
    tacit__format_row_clear(&row);
    return status;
}

/* Rows of cells that are not published have a colour by the letter of their status. */
static void place_shades(xlsx_writing *w)
{
    static const char LETTERS[] = "ux"; /* as the styles have them */
    const tacit_schema *schema = w->release->schema;
    long long last = (long long)tacit_table_rows(w->release->table) + 1;
    for (size_t i = 0; i < schema->count && last > 1; i++) {
        if (!schema->shades.len || !tacit_strview_equal(schema->columns[i].name, schema->shades))
            continue;
        tacit__strbuf_format(&w->out, "<conditionalFormatting sqref=\"A2:%s%lld\">",
                             w->letters[schema->count - 1].text, last);
        for (int k = 0; LETTERS[k]; k++)
            tacit__strbuf_format(&w->out,
                                 "<cfRule type=\"expression\" dxfId=\"%d\" priority=\"%d\">"
                                 "<formula>$%s2=\"%c\"</formula></cfRule>",
                                 k, k + 1, w->letters[i].text, LETTERS[k]);
        tacit__strbuf_text(&w->out, "</conditionalFormatting>");
    }
}

static tacit_status place_sheet(xlsx_writing *w)
{
    tacit_status status = tacit__zip_begin(&w->zip, "xl/worksheets/sheet1.xml");
    tacit__strbuf_text(&w->out,
                       XML_HEAD "<worksheet xmlns=\"" MAIN "\"><sheetViews><sheetView "
                                "tabSelected=\"1\" workbookViewId=\"0\"><pane ySplit=\"1\" "
                                "topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/>"
                                "</sheetView></sheetViews><sheetData><row r=\"1\">");
    for (size_t i = 0; i < w->release->schema->count; i++)
        place_text((cell_place){&w->out, w->letters[i].text, 1}, STYLE_HEADER,
                   w->release->schema->columns[i].name);
    tacit__strbuf_text(&w->out, "</row>");
    if (status == TACIT_OK)
        status = place_rows(w);
    tacit__strbuf_text(&w->out, "</sheetData>");
    place_shades(w);
    tacit__strbuf_text(&w->out, "</worksheet>");
    if (status == TACIT_OK)
        status = xlsx_flush(w);
    return status == TACIT_OK ? tacit__zip_end(&w->zip) : status;
}

static tacit_status place_book(xlsx_writing *w)
{
    tacit_strview name = w->release->schema->detail;
    tacit__strbuf_text(&w->out, XML_HEAD "<workbook xmlns=\"" MAIN "\" xmlns:r=\"" OFFICE
                                         "\"><sheets><sheet name=\"");
    xlsx_add_name(&w->out, name.len ? name : (tacit_strview){"data", 4});
    tacit__strbuf_text(&w->out, "\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>");
    tacit_status status = tacit__zip_begin(&w->zip, "xl/workbook.xml");
    if (status == TACIT_OK)
        status = xlsx_flush(w);
    return status == TACIT_OK ? tacit__zip_end(&w->zip) : status;
}

static tacit_status place_parts(xlsx_writing *w)
{
    const struct {
        const char *name, *text;
    } parts[] = {{"[Content_Types].xml", CONTENT_TYPES},
                 {"_rels/.rels", TOP},
                 {"xl/_rels/workbook.xml.rels", BOOK_PARTS},
                 {"xl/styles.xml", STYLES}};
    tacit_status status = tacit__zip_open(&w->zip, w->release, w->err);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == TACIT_OK; i++)
        status = tacit__zip_part(&w->zip, parts[i].name, parts[i].text);
    if (status == TACIT_OK)
        status = place_book(w);
    if (status == TACIT_OK)
        status = place_sheet(w);
    tacit_status closed = tacit__zip_close(&w->zip);
    return status == TACIT_OK ? closed : status;
}

tacit_status tacit__xlsx_write(const tacit__format_release *release, tacit_error *err)
{
    size_t columns = release->schema->count;
    xlsx_writing w = {.release = release, .err = err};
    w.types = tacit__alloc_array(columns, sizeof *w.types);
    w.letters = tacit__alloc_array(columns, sizeof *w.letters);
    tacit_status status = w.types && w.letters ? check_sheet_size(&w) : tacit__nomem(err);
    for (size_t i = 0; i < columns && status == TACIT_OK; i++) {
        w.types[i] = release->schema->columns[i].type;
        w.letters[i] = tacit__xlsx_column((int32_t)i);
    }
    if (status == TACIT_OK)
        status = check_sheet_cells(&w);
    if (status == TACIT_OK)
        status = place_parts(&w);
    tacit__free(w.types);
    tacit__free(w.letters);
    tacit__strbuf_clear(&w.out);
    return status;
}
