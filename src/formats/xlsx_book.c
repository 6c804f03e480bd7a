/*
 * xlsx_book.c - what a workbook says beside its sheets: where its parts are (relationships), the
 * names of the sheets, which cell styles show numbers as dates, and the texts that cells share
 * (ECMA-376, part 1, 9 and 18).
 */
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/error.h"
#include "base/vector.h"
#include "formats/xlsx.h"

enum { MAX_SHEETS = 4096, MAX_STYLES = 1 << 17 };

typedef struct xlsx_relation {
    const char *id, *kind, *part;
} xlsx_relation;

/* The parts that a part names. */
typedef struct xlsx_relations {
    tacit__arena *arena;
    const char *folder; /* that names are relative to, "xl/" */
    xlsx_relation *items;
    size_t count, capacity;
} xlsx_relations;

static tacit_status nothing_at_end(void *context, const char *name, tacit_error *err)
{
    (void)context, (void)name, (void)err;
    return TACIT_OK;
}

/* ---- relationships ---- */

/* A part's name from a folder's: "/xl/a.xml" is absolute, ".." the folder above. */
static const char *resolved(tacit__arena *arena, const char *folder, const char *target)
{
    size_t len = target[0] == '/' ? 0 : strlen(folder);
    char *out = tacit__arena_alloc(arena, len + strlen(target) + 1);
    if (!out)
        return NULL;
    memcpy(out, folder, len);
    for (const char *at = target; *at;) {
        size_t step = strcspn(at, "/"), whole = step + (at[step] == '/');
        if (step == 2 && memcmp(at, "..", 2) == 0) {
            len -= len > 0;
            while (len > 0 && out[len - 1] != '/')
                len--;
        } else if (step > 0 && !(step == 1 && *at == '.')) {
            memcpy(out + len, at, whole);
            len += whole;
        }
        at += whole;
    }
    out[len] = '\0';
    return out;
}

static const char *copied_text(tacit__arena *arena, const char *text)
{
    return tacit__arena_copy(arena, tacit_strview_of(text ? text : "")).bytes;
}

static tacit_status on_relation(void *context, const char *name, const char **attributes,
                                tacit_error *err)
{
    xlsx_relations *relations = context;
    const char *target = tacit__xml_attribute(attributes, "Target");
    const char *kind = tacit__xml_attribute(attributes, "Type");
    if (strcmp(name, "Relationship") != 0 || !target || !kind)
        return TACIT_OK;
    const char *slash = strrchr(kind, '/');
    xlsx_relation made = {copied_text(relations->arena, tacit__xml_attribute(attributes, "Id")),
                          copied_text(relations->arena, slash ? slash + 1 : kind),
                          resolved(relations->arena, relations->folder, target)};
    if (!made.id || !made.kind || !made.part ||
        !TACIT__PUSH(relations->items, relations->capacity, relations->count, made))
        return tacit__nomem(err);
    return TACIT_OK;
}

static tacit_status read_relations(xlsx_relations *relations, tacit__xlsx_book *book,
                                   const char *part, const char *folder, tacit_error *err)
{
    tacit__xml xml = {.start = on_relation, .end = nothing_at_end, .context = relations};
    relations->folder = folder;
    return tacit__unzip_parse(&book->zip, part, &xml, err);
}

static const xlsx_relation *relation_of_kind(const xlsx_relations *relations, const char *kind)
{
    for (size_t i = 0; i < relations->count; i++)
        if (strcmp(relations->items[i].kind, kind) == 0)
            return &relations->items[i];
    return NULL;
}

/* ---- the workbook ---- */

typedef struct book_reading {
    tacit__xlsx_book *book;
    const xlsx_relations *relations;
} book_reading;

static bool says_true(const char *value)
{
    return value && (strcmp(value, "1") == 0 || strcmp(value, "true") == 0);
}

/* Sheets of charts and macros hold no cells, and are none here. */
static tacit_status add_sheet(book_reading *reading, const char **attributes, tacit_error *err)
{
    tacit__xlsx_book *book = reading->book;
    const char *id = tacit__xml_attribute(attributes, "id");
    const char *name = tacit__xml_attribute(attributes, "name");
    const char *state = tacit__xml_attribute(attributes, "state");
    for (size_t i = 0; id && name && i < reading->relations->count; i++) {
        const xlsx_relation *relation = &reading->relations->items[i];
        if (strcmp(relation->id, id) != 0 || strcmp(relation->kind, "worksheet") != 0)
            continue;
        tacit__xlsx_sheet sheet = {.name = tacit__arena_copy(&book->arena, tacit_strview_of(name)),
                                   .part = relation->part,
                                   .hidden = state && strcmp(state, "visible") != 0};
        if (book->sheet_count >= MAX_SHEETS)
            return tacit__error_at(err, TACIT_LIMIT, book->zip.input->name, 0, 0,
                                   "has more than %d sheets", (int)MAX_SHEETS);
        return sheet.name.bytes &&
                       TACIT__PUSH(book->sheets, book->sheet_capacity, book->sheet_count, sheet)
                   ? TACIT_OK
                   : tacit__nomem(err);
    }
    return TACIT_OK;
}

static tacit_status on_workbook(void *context, const char *name, const char **attributes,
                                tacit_error *err)
{
    book_reading *reading = context;
    if (strcmp(name, "workbookPr") == 0)
        reading->book->since_1904 = says_true(tacit__xml_attribute(attributes, "date1904"));
    return strcmp(name, "sheet") == 0 ? add_sheet(reading, attributes, err) : TACIT_OK;
}

/* ---- styles ---- */

typedef struct styles_reading {
    tacit__xlsx_book *book;
    bool in_cells; /* among the styles of cells, not those that they derive from */
    struct {
        long id;
        unsigned char shows;
    } * formats; /* of the workbook's own */
    size_t format_count, format_capacity;
} styles_reading;

/* What a format code such as "d/m/yyyy hh:mm" shows, by its first section. Text in quotes, after a
 * backslash and in brackets is none of it, but for hours that go on, [h]. */
static unsigned char shown_by(const char *code)
{
    unsigned char shows = 0;
    if (strcmp(code, "General") == 0)
        return 0;
    for (const char *at = code; *at && *at != ';'; at++) {
        char letter = tacit__to_lower(*at);
        if (letter == '"' || letter == '[') {
            const char *end = strchr(at + 1, letter == '"' ? '"' : ']');
            if (!end)
                break;
            if (letter == '[' && strchr("hms", tacit__to_lower(at[1])) &&
                strspn(at + 1, "hHmMsS") == (size_t)(end - at) - 1)
                shows |= TACIT__XLSX_TIME;
            at = end;
        } else if ((letter == '\\' || letter == '_' || letter == '*') && at[1]) {
            at++;
        } else if (letter == 'y' || letter == 'd') {
            shows |= TACIT__XLSX_DATE;
        } else if (letter == 'h' || letter == 's') {
            shows |= TACIT__XLSX_TIME;
        }
    }
    /* m is a month, unless it is minutes beside hours or seconds */
    return !shows && strpbrk(code, "mM") && !strpbrk(code, "0#\"[") ? TACIT__XLSX_DATE : shows;
}

/* Of the formats that every program knows by number. */
static unsigned char shown_by_known(long id)
{
    if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id == 36 || (id >= 50 && id <= 54) ||
        id == 57 || id == 58)
        return TACIT__XLSX_DATE;
    if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47) || id == 55 ||
        id == 56)
        return TACIT__XLSX_TIME;
    return id == 22 ? TACIT__XLSX_DATE | TACIT__XLSX_TIME : 0;
}

static unsigned char shown_by_id(const styles_reading *reading, long id)
{
    for (size_t i = 0; i < reading->format_count; i++)
        if (reading->formats[i].id == id)
            return reading->formats[i].shows;
    return shown_by_known(id);
}

static tacit_status too_many_styles(const tacit__xlsx_book *book, tacit_error *err)
{
    return tacit__error_at(err, TACIT_LIMIT, book->zip.input->name, 0, 0,
                           "has more cell styles than programs write");
}

static tacit_status on_style(void *context, const char *name, const char **attributes,
                             tacit_error *err)
{
    enum { MAX_FORMATS = 1 << 12 };
    styles_reading *reading = context;
    tacit__xlsx_book *book = reading->book;
    const char *id = tacit__xml_attribute(attributes, "numFmtId");
    const char *code = tacit__xml_attribute(attributes, "formatCode");
    long number = id ? strtol(id, NULL, 10) : 0;
    if (strcmp(name, "cellXfs") == 0)
        reading->in_cells = true;
    if (strcmp(name, "numFmt") == 0 && id && code) {
        if (reading->format_count >= MAX_FORMATS)
            return too_many_styles(book, err);
        if (!TACIT__RESERVE_ONE(reading->formats, reading->format_capacity, reading->format_count))
            return tacit__nomem(err);
        reading->formats[reading->format_count].id = number;
        reading->formats[reading->format_count++].shows = shown_by(code);
    }
    if (!reading->in_cells || strcmp(name, "xf") != 0)
        return TACIT_OK;
    if (book->style_count >= MAX_STYLES)
        return too_many_styles(book, err);
    return TACIT__PUSH(book->styles, book->style_capacity, book->style_count,
                       shown_by_id(reading, number))
               ? TACIT_OK
               : tacit__nomem(err);
}

static tacit_status on_style_end(void *context, const char *name, tacit_error *err)
{
    styles_reading *reading = context;
    (void)err;
    if (strcmp(name, "cellXfs") == 0)
        reading->in_cells = false;
    return TACIT_OK;
}

static tacit_status read_styles(tacit__xlsx_book *book, const char *part, tacit_error *err)
{
    styles_reading reading = {.book = book};
    tacit__xml xml = {.start = on_style, .end = on_style_end, .context = &reading};
    tacit_status status = tacit__unzip_parse(&book->zip, part, &xml, err);
    tacit__free(reading.formats);
    return status;
}

/* ---- shared strings ---- */

typedef struct strings_reading {
    tacit__xlsx_book *book;
    size_t start;     /* of this string */
    bool in_text;     /* of a string or of a piece in one style */
    bool in_phonetic; /* how it is read aloud, which is not part of it */
} strings_reading;

static tacit_status on_string(void *context, const char *name, const char **attributes,
                              tacit_error *err)
{
    strings_reading *reading = context;
    (void)attributes, (void)err;
    if (strcmp(name, "si") == 0)
        reading->start = reading->book->strings.len;
    else if (strcmp(name, "rPh") == 0)
        reading->in_phonetic = true;
    else if (strcmp(name, "t") == 0)
        reading->in_text = !reading->in_phonetic;
    return TACIT_OK;
}

static tacit_status on_string_text(void *context, const char *bytes, size_t len, tacit_error *err)
{
    strings_reading *reading = context;
    if (reading->in_text)
        tacit__strbuf_add(&reading->book->strings, bytes, len);
    return reading->book->strings.failed ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status on_string_end(void *context, const char *name, tacit_error *err)
{
    strings_reading *reading = context;
    tacit__xlsx_book *book = reading->book;
    if (strcmp(name, "t") == 0)
        reading->in_text = false;
    if (strcmp(name, "rPh") == 0)
        reading->in_phonetic = false;
    if (strcmp(name, "si") != 0)
        return TACIT_OK;
    if (book->strings.len > reading->start)
        book->strings.len =
            reading->start + tacit__xlsx_unescape(book->strings.bytes + reading->start,
                                                  book->strings.len - reading->start);
    return TACIT__PUSH(book->string_ends, book->string_capacity, book->string_count,
                       book->strings.len)
               ? TACIT_OK
               : tacit__nomem(err);
}

static tacit_status read_strings(tacit__xlsx_book *book, const char *part, tacit_error *err)
{
    strings_reading reading = {.book = book};
    tacit__xml xml = {
        .start = on_string, .end = on_string_end, .text = on_string_text, .context = &reading};
    return tacit__unzip_parse(&book->zip, part, &xml, err);
}

/* ---- all of it ---- */

static tacit_status read_book(tacit__xlsx_book *book, const xlsx_relations *relations,
                              const char *part, tacit_error *err)
{
    book_reading reading = {book, relations};
    const xlsx_relation *styles = relation_of_kind(relations, "styles");
    const xlsx_relation *strings = relation_of_kind(relations, "sharedStrings");
    tacit__xml xml = {.start = on_workbook, .end = nothing_at_end, .context = &reading};
    tacit_status status = tacit__unzip_parse(&book->zip, part, &xml, err);
    if (status == TACIT_OK && styles)
        status = read_styles(book, styles->part, err);
    if (status == TACIT_OK && strings && tacit__unzip_has(&book->zip, strings->part))
        status = read_strings(book, strings->part, err);
    return status;
}

/* "xl/" and "xl/_rels/workbook.xml.rels" of "xl/workbook.xml". */
static bool names_beside(const char **folder, const char **relations, tacit__arena *arena,
                         const char *part)
{
    const char *slash = strrchr(part, '/');
    size_t len = slash ? (size_t)(slash - part) + 1 : 0, size = strlen(part) + sizeof "_rels/.rels";
    char *path = tacit__arena_alloc(arena, size);
    *folder = tacit__arena_copy(arena, (tacit_strview){part, len}).bytes;
    *relations = path;
    if (!path || !*folder)
        return false;
    memcpy(path, part, len);
    memcpy(path + len, "_rels/", 6);
    memcpy(path + len + 6, part + len, strlen(part + len));
    memcpy(path + size - sizeof ".rels", ".rels", sizeof ".rels");
    return true;
}

static tacit_status no_workbook(const tacit__xlsx_book *book, bool binary, tacit_error *err)
{
    return tacit__error_at(err, TACIT_INVALID, book->zip.input->name, 0, 0,
                           binary ? "is a binary workbook (.xlsb); save it as .xlsx"
                                  : "is a zip archive, and no workbook; unpack it, or save it as "
                                    ".xlsx");
}

static tacit_status open_book(tacit__xlsx_book *book, tacit_error *err)
{
    xlsx_relations top = {.arena = &book->arena}, own = {.arena = &book->arena};
    const char *folder = NULL, *beside = NULL;
    tacit_status status = TACIT_OK;
    if (!tacit__unzip_has(&book->zip, "_rels/.rels"))
        return no_workbook(book, false, err);
    status = read_relations(&top, book, "_rels/.rels", "", err);
    const xlsx_relation *workbook = relation_of_kind(&top, "officeDocument");
    if (status == TACIT_OK && !workbook)
        status = no_workbook(book, false, err);
    size_t len = workbook ? strlen(workbook->part) : 0;
    if (status == TACIT_OK && len > 4 && strcmp(workbook->part + len - 4, ".bin") == 0)
        status = no_workbook(book, true, err);
    if (status == TACIT_OK && !names_beside(&folder, &beside, &book->arena, workbook->part))
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = read_relations(&own, book, beside, folder, err);
    if (status == TACIT_OK)
        status = read_book(book, &own, workbook->part, err);
    tacit__free(top.items);
    tacit__free(own.items);
    return status;
}

tacit_status tacit__xlsx_book_open(tacit__xlsx_book *book, const tacit__format_input *input,
                                   tacit_error *err)
{
    *book = (tacit__xlsx_book){.sheets = NULL};
    tacit_status status = tacit__unzip_open(&book->zip, input, err);
    return status == TACIT_OK ? open_book(book, err) : status;
}

void tacit__xlsx_book_close(tacit__xlsx_book *book)
{
    tacit__unzip_close(&book->zip);
    tacit__free(book->sheets);
    tacit__free(book->styles);
    tacit__free(book->string_ends);
    tacit__strbuf_clear(&book->strings);
    tacit__arena_clear(&book->arena);
}
