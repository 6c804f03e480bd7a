/*
 * xlsx.c - workbooks of Excel and LibreOffice, .xlsx: which sheet and which cells of it are read.
 *
 * What follows # in a file's name says so: a sheet, cells, or both with ! between them, as formulas
 * have it: Sheet2, 'Sheet 2'!B3:F200, B3:F. Without it, it is the first sheet that is not hidden.
 */
#include "formats/xlsx.h"

#include <string.h>
#include <strings.h>

#include "base/ascii.h"
#include "base/error.h"

size_t tacit__xlsx_unescape(char *text, size_t len)
{
    size_t to = 0;
    for (size_t at = 0; at < len;) {
        unsigned unit = 0;
        bool escape =
            len - at >= 7 && text[at] == '_' && text[at + 1] == 'x' && text[at + 6] == '_';
        for (size_t i = at + 2; escape && i < at + 6; i++) {
            char c = tacit__to_lower(text[i]);
            escape = tacit__is_digit(c) || (c >= 'a' && c <= 'f');
            unit = unit * 16 + (unsigned)(tacit__is_digit(c) ? c - '0' : c - 'a' + 10);
        }
        if (!escape || unit == 0 || (unit >= 0xD800 && unit < 0xE000)) {
            text[to++] = text[at++];
            continue;
        }
        if (unit < 0x80) {
            text[to++] = (char)unit;
        } else if (unit < 0x800) {
            text[to++] = (char)(0xC0 | unit >> 6);
            text[to++] = (char)(0x80 | (unit & 0x3F));
        } else {
            text[to++] = (char)(0xE0 | unit >> 12);
            text[to++] = (char)(0x80 | (unit >> 6 & 0x3F));
            text[to++] = (char)(0x80 | (unit & 0x3F));
        }
        at += 7;
    }
    return to;
}

size_t tacit__xlsx_place(int32_t *row, int32_t *column, const char *text)
{
    const char *at = text;
    int32_t letters = 0, number = 0;
    for (at += *at == '$'; tacit__is_letter(*at) && letters <= TACIT__XLSX_COLUMNS; at++)
        letters = letters * 26 + (tacit__to_lower(*at) - 'a' + 1);
    if (letters == 0 || letters > TACIT__XLSX_COLUMNS)
        return 0;
    for (at += *at == '$'; tacit__is_digit(*at) && number <= TACIT__XLSX_ROWS; at++)
        number = number * 10 + (*at - '0');
    if (number > TACIT__XLSX_ROWS)
        return 0;
    *column = letters - 1;
    *row = number - 1;
    return (size_t)(at - text);
}

tacit__xlsx_letters tacit__xlsx_column(int32_t column)
{
    tacit__xlsx_letters letters = {""};
    for (int32_t left = column + 1; left > 0; left = (left - 1) / 26) {
        memmove(letters.text + 1, letters.text, sizeof letters.text - 2);
        letters.text[0] = (char)('A' + (left - 1) % 26);
    }
    return letters;
}

/* "B3:F200", to the last row without its number; the whole text. */
static bool range_of(tacit__xlsx_range *range, const char *text)
{
    tacit__xlsx_range r = {0};
    size_t len = tacit__xlsx_place(&r.first_row, &r.first_column, text);
    if (len == 0 || text[len] != ':')
        return false;
    size_t rest = tacit__xlsx_place(&r.last_row, &r.last_column, text + len + 1);
    if (rest == 0 || text[len + 1 + rest] != '\0')
        return false;
    r.first_row = r.first_row < 0 ? 0 : r.first_row;
    r.last_row = r.last_row < 0 ? TACIT__XLSX_ROWS - 1 : r.last_row;
    *range = r;
    return r.first_row <= r.last_row && r.first_column <= r.last_column;
}

/* What is asked for; an empty name is the first sheet. */
typedef struct xlsx_choice {
    tacit_strview sheet;
    bool has_range;
    tacit__xlsx_range range;
} xlsx_choice;

static xlsx_choice choice_of(const char *part)
{
    xlsx_choice choice = {.sheet = {"", 0}};
    const char *mark = part ? strrchr(part, '!') : NULL;
    if (!part || (choice.has_range = range_of(&choice.range, part)))
        return choice;
    choice.sheet = tacit_strview_of(part);
    if (mark && (choice.has_range = range_of(&choice.range, mark + 1)))
        choice.sheet.len = (size_t)(mark - part);
    if (choice.sheet.len >= 2 && part[0] == '\'' && part[choice.sheet.len - 1] == '\'')
        choice.sheet = (tacit_strview){part + 1, choice.sheet.len - 2};
    return choice;
}

/* As formulas write it: a quote within is doubled. */
static bool is_called(const tacit__xlsx_sheet *sheet, tacit_strview asked)
{
    size_t at = 0;
    for (size_t i = 0; i < sheet->name.len; i++) {
        if (at >= asked.len ||
            tacit__to_lower(sheet->name.bytes[i]) != tacit__to_lower(asked.bytes[at]))
            return false;
        at++;
        if (sheet->name.bytes[i] == '\'' && at < asked.len && asked.bytes[at] == '\'')
            at++;
    }
    return at == asked.len;
}

static tacit_status no_sheet(const tacit__xlsx_book *book, tacit_strview asked, tacit_error *err)
{
    enum { SHOWN = 8 };
    tacit__strbuf names = {0};
    for (size_t i = 0; i < book->sheet_count && i < SHOWN; i++)
        tacit__strbuf_format(&names, "%s\"%s\"", i ? ", " : "",
                             tacit__show(book->sheets[i].name).text);
    if (names.failed) {
        tacit__strbuf_clear(&names);
        return tacit__nomem(err);
    }
    tacit_status status = tacit__error_at(
        err, TACIT_INVALID, book->zip.input->name, 0, 0, "has no sheet \"%s\"; its sheets are %s%s",
        tacit__show(asked).text, names.bytes ? names.bytes : "none",
        book->sheet_count > SHOWN ? " and more" : "");
    tacit__strbuf_clear(&names);
    return status;
}

static tacit_status choose_sheet(const tacit__xlsx_sheet **sheet, const tacit__xlsx_book *book,
                                 tacit_strview asked, tacit_error *err)
{
    for (size_t i = 0; i < book->sheet_count; i++) {
        const tacit__xlsx_sheet *at = &book->sheets[i];
        if (asked.len ? is_called(at, asked) : !at->hidden) {
            *sheet = at;
            return TACIT_OK;
        }
    }
    if (asked.len)
        return no_sheet(book, asked, err);
    return tacit__error_at(err, TACIT_INVALID, book->zip.input->name, 0, 0,
                           "has no sheet of cells that is not hidden");
}

/* Workbooks of before 2007, and those with a password, begin alike. */
static bool is_old(tacit_strview bytes)
{
    return bytes.len >= 8 && memcmp(bytes.bytes, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", 8) == 0;
}

static bool is_xlsx(tacit_strview bytes)
{
    return is_old(bytes) || (bytes.len >= 4 && memcmp(bytes.bytes, "PK\x03\x04", 4) == 0);
}

static tacit_status read_xlsx(tacit__format_text *text, tacit_schema *schema,
                              const tacit__format_input *input, tacit_error *err)
{
    tacit__xlsx_book book;
    const tacit__xlsx_sheet *sheet = NULL;
    xlsx_choice choice = choice_of(input->part);
    if (is_old(input->bytes))
        return tacit__error_at(err, TACIT_INVALID, input->name, 0, 0,
                               "is a workbook of before 2007 (.xls), or has a password; save it "
                               "as .xlsx without one");
    tacit_status status = tacit__xlsx_book_open(&book, input, err);
    if (status == TACIT_OK)
        status = choose_sheet(&sheet, &book, choice.sheet, err);
    if (status == TACIT_OK)
        status = tacit__xlsx_sheet_read(text, schema, &book, sheet,
                                        choice.has_range ? &choice.range : NULL, err);
    if (status == TACIT_OK) {
        schema->detail = tacit__arena_copy(&schema->arena, sheet->name);
        if (!schema->detail.bytes)
            status = tacit__nomem(err);
    }
    tacit__xlsx_book_close(&book);
    return status;
}

const tacit_format tacit__format_xlsx = {.name = "Excel",
                                         .endings = ".xlsx",
                                         .is = is_xlsx,
                                         .read = read_xlsx,
                                         .write = tacit__xlsx_write,
                                         .parts = true};
