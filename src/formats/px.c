/*
 * px.c - PC-Axis files (.px, version 2013): one whole table, read as a row a cell and written from
 * such rows.
 *
 * A file is a list of keywords with their values; the last is DATA, the cells with the last
 * variable of HEADING running fastest. Read, each cell is a row: the codes of STUB and HEADING, and
 * the value under the name of CONTENTS. Dots stay dots, a dash is 0. Keywords of other languages
 * and what is said for display are passed over. Written are rows that have every combination of
 * their codes once, in that order, with the value in the last column. Linear; quotes, which a text
 * of the format cannot hold, and numbers with an exponent are refused.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "base/vector.h"
#include "formats/formats.h"
#include "table/encoding.h"

enum {
    PX_VARIABLES = 64,
    PX_TEXT = 4096,       /* bytes of a name or a code */
    PX_CELLS = 1 << 26,   /* of a file */
    PX_FLUSHED = 1 << 16, /* bytes that are written at a time */
    PX_LINE = 200         /* about as long as a line gets */
};

typedef struct px_texts {
    tacit_strview *list;
    size_t count, capacity;
} px_texts;

typedef struct px_variable {
    tacit_strview name;
    px_texts values, codes;
} px_variable;

/* ---- reading ---- */

typedef struct px_reading {
    const char *at, *end, *from;
    const char *name; /* for messages */
    tacit_error *err;
    px_variable variables[PX_VARIABLES]; /* in the order of cells */
    size_t variable_count;
    px_texts stub, heading;
    tacit_strview contents;
    tacit__arena arena;
} px_reading;

static tacit_status px_wrong(const px_reading *r, const char *what)
{
    int64_t line = 1;
    for (const char *at = r->from; at < r->at; at++)
        line += *at == '\n';
    return tacit__error_at(r->err, TACIT_PARSE, r->name, line, 0, "%s", what);
}

static void px_skip(px_reading *r)
{
    while (r->at < r->end && tacit__is_space(*r->at))
        r->at++;
}

static bool px_take(px_reading *r, char wanted)
{
    px_skip(r);
    bool there = r->at < r->end && *r->at == wanted;
    r->at += there;
    return there;
}

/* Strings that follow each other without a comma are one. */
static tacit_status px_text(tacit_strview *out, px_reading *r)
{
    char text[PX_TEXT];
    size_t len = 0;
    while (px_take(r, '"')) {
        const char *end = memchr(r->at, '"', (size_t)(r->end - r->at));
        if (!end)
            return px_wrong(r, "a text has no closing quote");
        size_t part = (size_t)(end - r->at);
        if (part > sizeof text - len)
            return px_wrong(r, "a text is longer than 4096 bytes");
        for (size_t i = 0; i < part; i++)
            if (!strchr("\r\n", r->at[i]) || !r->at[i])
                text[len++] = r->at[i];
        r->at = end + 1;
        px_skip(r);
    }
    *out = tacit__arena_copy(&r->arena, (tacit_strview){text, len});
    return out->bytes ? TACIT_OK : tacit__nomem(r->err);
}

static tacit_status px_list(px_texts *out, px_reading *r)
{
    out->count = 0;
    do {
        tacit_strview text;
        px_skip(r);
        if (r->at == r->end || *r->at != '"')
            return px_wrong(r, "a list of texts in quotes is expected");
        tacit_status status = px_text(&text, r);
        if (status != TACIT_OK)
            return status;
        if (!TACIT__PUSH(out->list, out->capacity, out->count, text))
            return tacit__nomem(r->err);
    } while (px_take(r, ','));
    return TACIT_OK;
}

/* To the end of the value, behind its semicolon. */
static tacit_status px_pass_over(px_reading *r)
{
    bool quoted = false;
    for (; r->at < r->end && (quoted || *r->at != ';'); r->at++)
        quoted ^= *r->at == '"';
    if (r->at == r->end)
        return px_wrong(r, "a semicolon is missing");
    r->at++;
    return TACIT_OK;
}

/* The variable of that name, made where it is new. */
static tacit_status px_variable_of(px_variable **out, px_reading *r, tacit_strview name)
{
    for (size_t i = 0; i < r->variable_count; i++)
        if (tacit_strview_equal(r->variables[i].name, name)) {
            *out = &r->variables[i];
            return TACIT_OK;
        }
    if (r->variable_count == PX_VARIABLES)
        return px_wrong(r, "more than 64 variables");
    *out = &r->variables[r->variable_count++];
    (*out)->name = name;
    return TACIT_OK;
}

/* KEYWORD[language]("variable"): the word, and whether it is of another language. */
static tacit_status px_keyword(tacit_strview *word, tacit_strview *about, bool *foreign,
                               px_reading *r)
{
    px_skip(r);
    const char *from = r->at;
    while (r->at < r->end && !strchr("=[(;\"", *r->at) && !tacit__is_space(*r->at))
        r->at++;
    *word = (tacit_strview){from, (size_t)(r->at - from)};
    *about = (tacit_strview){0};
    *foreign = px_take(r, '[');
    while (*foreign && r->at < r->end && *r->at++ != ']')
        ;
    tacit_status status = TACIT_OK;
    if (px_take(r, '(')) {
        status = px_text(about, r);
        while (status == TACIT_OK && r->at < r->end && *r->at != ')')
            r->at++;
        r->at += r->at < r->end;
    }
    if (status == TACIT_OK && (!word->len || !px_take(r, '=')))
        status = px_wrong(r, "KEYWORD=value is expected");
    return status;
}

static bool px_is(tacit_strview word, const char *name)
{
    return word.len == strlen(name) && strncasecmp(word.bytes, name, word.len) == 0;
}

static tacit_status px_value(px_reading *r, tacit_strview word, tacit_strview about)
{
    px_variable *variable = NULL;
    bool values = px_is(word, "VALUES"), codes = px_is(word, "CODES");
    tacit_status status = TACIT_OK;
    if (px_is(word, "KEYS"))
        return px_wrong(r, "files with KEYS, which leave rows out, are not read");
    if (px_is(word, "STUB"))
        status = px_list(&r->stub, r);
    else if (px_is(word, "HEADING"))
        status = px_list(&r->heading, r);
    else if (px_is(word, "CONTENTS"))
        status = px_text(&r->contents, r);
    else if (values || codes) {
        status = px_variable_of(&variable, r, about);
        if (status == TACIT_OK)
            status = px_list(values ? &variable->values : &variable->codes, r);
    }
    return status == TACIT_OK ? px_pass_over(r) : status;
}

static tacit_status px_keywords(px_reading *r)
{
    tacit_strview word, about;
    bool foreign;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK) {
        status = px_keyword(&word, &about, &foreign, r);
        if (status != TACIT_OK || px_is(word, "DATA"))
            return status;
        status = foreign ? px_pass_over(r) : px_value(r, word, about);
    }
    return status;
}

/* STUB and HEADING, in that order, with their codes, or values where there are none. */
static tacit_status px_arrange(px_reading *r, px_variable **order, size_t *count)
{
    const px_texts *const PARTS[] = {&r->stub, &r->heading};
    size_t known = r->variable_count, cells = 1;
    *count = 0;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < PARTS[k]->count; i++) {
            px_variable *variable = NULL;
            tacit_status status = px_variable_of(&variable, r, PARTS[k]->list[i]);
            if (status != TACIT_OK)
                return status;
            if ((size_t)(variable - r->variables) >= known || !variable->values.count)
                return px_wrong(r, "a variable of STUB or HEADING has no VALUES");
            if (variable->codes.count && variable->codes.count != variable->values.count)
                return px_wrong(r, "a variable has not as many CODES as VALUES");
            for (size_t j = 0; j < *count; j++)
                if (order[j] == variable)
                    return px_wrong(r, "a variable stands twice in STUB and HEADING");
            order[(*count)++] = variable;
            if (variable->values.count > PX_CELLS / cells)
                return px_wrong(r, "more than 2^26 cells");
            cells *= variable->values.count;
        }
    return *count ? TACIT_OK : px_wrong(r, "STUB and HEADING are missing");
}

/* A cell: a number, or dots, maybe in quotes. A dash is 0. */
static bool px_cell(tacit_strview *out, px_reading *r)
{
    while (r->at < r->end && (tacit__is_space(*r->at) || *r->at == ','))
        r->at++;
    bool quoted = r->at < r->end && *r->at == '"';
    const char *from = r->at += quoted;
    while (r->at < r->end && !tacit__is_space(*r->at) && !strchr(",;\"", *r->at))
        r->at++;
    *out = (tacit_strview){from, (size_t)(r->at - from)};
    if (quoted && (r->at == r->end || *r->at++ != '"'))
        return false;
    if (out->len == 1 && *from == '-')
        *out = tacit_strview_of("0");
    return out->len > 0;
}

static tacit_status px_rows(tacit__format_text *text, px_reading *r, px_variable **order,
                            size_t count)
{
    size_t at[PX_VARIABLES] = {0}, i = 0;
    do {
        tacit_strview cell;
        if (!px_cell(&cell, r))
            return px_wrong(r, "DATA has fewer cells than VALUES make up");
        for (size_t k = 0; k < count; k++) {
            const px_texts *codes = order[k]->codes.count ? &order[k]->codes : &order[k]->values;
            tacit__format_cell(text, codes->list[at[k]]);
        }
        tacit__format_cell(text, cell);
        if (text->csv.failed)
            return tacit__nomem(r->err);
        for (i = count; i > 0 && ++at[i - 1] == order[i - 1]->values.count; i--)
            at[i - 1] = 0;
    } while (i > 0);
    px_skip(r);
    if (r->at < r->end && *r->at != ';')
        return px_wrong(r, "DATA has more cells than VALUES make up");
    return TACIT_OK;
}

static bool px_has_name(px_variable *const *order, size_t count, tacit_strview name)
{
    for (size_t i = 0; i < count; i++)
        if (tacit_strview_equal(order[i]->name, name))
            return true;
    return false;
}

static tacit_status px_table(tacit__format_text *text, tacit_schema *schema, px_reading *r,
                             bool header_only)
{
    px_variable *order[PX_VARIABLES];
    size_t count = 0;
    tacit_status status = px_keywords(r);
    if (status == TACIT_OK)
        status = px_arrange(r, order, &count);
    if (status != TACIT_OK)
        return status;
    if (!r->contents.len || px_has_name(order, count, r->contents))
        r->contents = tacit_strview_of("value");
    for (size_t i = 0; i <= count; i++)
        if (!tacit__schema_add(schema, i < count ? order[i]->name : r->contents))
            return tacit__nomem(r->err);
    tacit__format_header(text, schema);
    return header_only ? TACIT_OK : px_rows(text, r, order, count);
}

static void px_clear(px_reading *r)
{
    for (size_t i = 0; i < r->variable_count; i++) {
        tacit__free(r->variables[i].values.list);
        tacit__free(r->variables[i].codes.list);
    }
    tacit__free(r->stub.list);
    tacit__free(r->heading.list);
    tacit__arena_clear(&r->arena);
}

static tacit_status px_read(tacit__format_text *text, tacit_schema *schema,
                            const tacit__format_input *input, tacit_error *err)
{
    tacit_strview bytes = input->bytes;
    tacit__strbuf decoded = {0};
    tacit_encoding encoding = tacit__encoding_of(bytes, TACIT_ENCODING_DETECT);
    tacit_status status = TACIT_OK;
    px_reading *r = tacit__alloc_zeroed(1, sizeof *r);
    if (!r)
        return tacit__nomem(err);
    if (encoding != TACIT_ENCODING_UTF8)
        status = tacit__encoding_decode(&decoded, bytes, encoding, input->name, err);
    if (decoded.bytes)
        bytes = (tacit_strview){decoded.bytes, decoded.len};
    if (bytes.len >= 3 && memcmp(bytes.bytes, "\xEF\xBB\xBF", 3) == 0)
        bytes = (tacit_strview){bytes.bytes + 3, bytes.len - 3};
    *r = (px_reading){.at = bytes.bytes,
                      .from = bytes.bytes,
                      .end = bytes.bytes + bytes.len,
                      .name = input->name,
                      .err = err};
    if (status == TACIT_OK)
        status = px_table(text, schema, r, input->header_only);
    px_clear(r);
    tacit__free(r);
    tacit__strbuf_clear(&decoded);
    return status;
}

/* ---- writing ---- */

typedef struct px_writing {
    const tacit__format_release *release;
    tacit__strbuf out;
    int64_t offset;
    px_texts codes[PX_VARIABLES];
    tacit__map maps[PX_VARIABLES];
    size_t dimensions;
    int decimals;
    bool dots; /* some cell has them */
    tacit__arena arena;
    tacit_error *err;
} px_writing;

static tacit_status px_refuse(const px_writing *w, size_t column, const char *what)
{
    const tacit_schema *schema = w->release->schema;
    return tacit__error_at(w->err, TACIT_INVALID, w->release->name, 0, 0,
                           "column \"%s\": %s; write the release as CSV",
                           tacit__show(schema->columns[column].name).text, what);
}

static tacit_status px_check_text(const px_writing *w, size_t column, tacit_strview text)
{
    bool fits = text.len > 0 && text.len <= PX_TEXT;
    for (size_t i = 0; i < text.len; i++)
        fits &= text.bytes[i] != '"' && (unsigned char)text.bytes[i] >= ' ';
    return fits ? TACIT_OK
                : px_refuse(w, column,
                            "a .px has no empty texts, none with quotes or line breaks, and none "
                            "longer than 4096 bytes");
}

/* Digits, maybe with a sign and decimals, or up to six dots. */
static bool px_is_cell(px_writing *w, tacit_strview cell)
{
    size_t at = cell.len && cell.bytes[0] == '-', digits = 0, decimals = 0, dots = 0;
    while (dots < cell.len && cell.bytes[dots] == '.')
        dots++;
    if (cell.len && dots == cell.len) {
        w->dots = true;
        return dots <= 6;
    }
    for (; at < cell.len && tacit__is_digit(cell.bytes[at]); at++)
        digits++;
    if (at < cell.len && digits && cell.bytes[at++] == '.')
        for (; at < cell.len && tacit__is_digit(cell.bytes[at]); at++)
            decimals++;
    w->decimals = (int)decimals > w->decimals ? (int)decimals : w->decimals;
    return at == cell.len && digits && (decimals || cell.bytes[cell.len - 1] != '.');
}

/* The number of a code of a column, a new one where it is new; false: no memory. */
static bool px_number(uint32_t *out, px_writing *w, size_t column, tacit_strview code)
{
    px_texts *codes = &w->codes[column];
    uint64_t hash = tacit__hash_bytes(code.bytes, code.len);
    size_t probe = 0;
    while ((*out = tacit__map_next(&w->maps[column], hash, &probe)) != TACIT__NONE)
        if (tacit_strview_equal(codes->list[*out], code))
            return true;
    *out = (uint32_t)codes->count;
    tacit_strview copy = tacit__arena_copy(&w->arena, code);
    return copy.bytes && tacit__map_add(&w->maps[column], hash) &&
           TACIT__PUSH(codes->list, codes->capacity, codes->count, copy);
}

static tacit_status px_see_row(px_writing *w, const tacit__format_row *row)
{
    tacit_status status = TACIT_OK;
    uint32_t number;
    for (size_t i = 0; i < w->dimensions && status == TACIT_OK; i++) {
        size_t before = w->codes[i].count;
        if (!px_number(&number, w, i, row->cells[i]))
            return tacit__nomem(w->err);
        if (w->codes[i].count > before)
            status = px_check_text(w, i, row->cells[i]);
    }
    if (status == TACIT_OK && !px_is_cell(w, row->cells[w->dimensions]))
        status = px_refuse(w, w->dimensions,
                           "a cell of a .px is digits with a point, or dots, and this is the last "
                           "column");
    return status;
}

/* Whether a row is the combination of codes that its number says. */
static tacit_status px_check_row(px_writing *w, const tacit__format_row *row, int64_t at)
{
    for (size_t i = w->dimensions; i-- > 0;) {
        uint32_t number;
        int64_t count = (int64_t)w->codes[i].count;
        if (!px_number(&number, w, i, row->cells[i]))
            return tacit__nomem(w->err);
        if (number != at % count)
            return px_refuse(w, i,
                             "the rows are not every combination of codes once, in their order, "
                             "as a .px has them");
        at /= count;
    }
    return TACIT_OK;
}

static tacit_status px_check_whole(px_writing *w)
{
    int64_t rows = tacit_table_rows(w->release->table), cells = 1;
    for (size_t i = 0; i < w->dimensions && cells <= rows; i++)
        cells *= (int64_t)w->codes[i].count;
    if (rows > 0 && rows <= PX_CELLS && cells == rows)
        return TACIT_OK;
    return tacit__error_at(w->err, TACIT_INVALID, w->release->name, 0, 0,
                           "a .px is one whole table, with every combination of codes once, of at "
                           "most 2^26 cells; write the release as CSV");
}

/* Goes through the rows twice: which codes there are, and whether all combinations are. */
static tacit_status px_check(px_writing *w)
{
    tacit__format_row row;
    int64_t rows = tacit_table_rows(w->release->table);
    tacit_status status = tacit__format_row_new(&row, w->release->table, w->err);
    for (int64_t at = 0; at < rows && status == TACIT_OK; at++)
        if ((status = tacit__format_row_at(&row, at, w->err)) == TACIT_OK)
            status = px_see_row(w, &row);
    if (status == TACIT_OK)
        status = px_check_whole(w);
    for (int64_t at = 0; at < rows && status == TACIT_OK; at++)
        if ((status = tacit__format_row_at(&row, at, w->err)) == TACIT_OK)
            status = px_check_row(w, &row, at);
    tacit__format_row_clear(&row);
    return status;
}

static tacit_status px_flush(px_writing *w, size_t least)
{
    if (w->out.failed)
        return tacit__nomem(w->err);
    if (w->out.len < least)
        return TACIT_OK;
    tacit_status status = tacit__write_at(w->release->fd, w->release->name, w->out.bytes,
                                          w->out.len, w->offset, w->err);
    w->offset += (int64_t)w->out.len;
    w->out.len = 0;
    return status;
}

static void px_quote(px_writing *w, tacit_strview text)
{
    tacit__strbuf_text(&w->out, "\"");
    tacit__strbuf_add(&w->out, text.bytes, text.len);
    tacit__strbuf_text(&w->out, "\"");
}

static tacit_status px_write_codes(px_writing *w, const char *keyword, size_t column)
{
    tacit__strbuf_text(&w->out, keyword);
    tacit__strbuf_text(&w->out, "(");
    px_quote(w, w->release->schema->columns[column].name);
    tacit__strbuf_text(&w->out, ")=");
    size_t line = 0;
    for (size_t i = 0; i < w->codes[column].count; i++) {
        tacit_strview code = w->codes[column].list[i];
        tacit__strbuf_text(&w->out, i == 0 ? "" : line > PX_LINE ? ",\n" : ",");
        line = line > PX_LINE ? 0 : line + code.len + 3;
        px_quote(w, code);
    }
    tacit__strbuf_text(&w->out, ";\n");
    return px_flush(w, PX_FLUSHED);
}

/* "a", "b" and "c" of the title. */
static void px_write_title(px_writing *w)
{
    const tacit_schema *schema = w->release->schema;
    tacit__strbuf_text(&w->out, "TITLE=\"");
    tacit_strview contents = schema->columns[w->dimensions].name;
    tacit__strbuf_add(&w->out, contents.bytes, contents.len);
    for (size_t i = 0; i < w->dimensions; i++) {
        tacit_strview name = schema->columns[i].name;
        tacit__strbuf_text(&w->out, i == 0 ? " by " : i + 1 < w->dimensions ? ", " : " and ");
        tacit__strbuf_add(&w->out, name.bytes, name.len);
    }
    tacit__strbuf_text(&w->out, "\";\n");
}

/* The last variable across, the others down; one variable goes down. */
static void px_write_shape(px_writing *w)
{
    const tacit_schema *schema = w->release->schema;
    size_t down = w->dimensions > 1 ? w->dimensions - 1 : 1;
    tacit__strbuf_text(&w->out, "CONTENTS=");
    px_quote(w, schema->columns[w->dimensions].name);
    tacit__strbuf_text(&w->out, ";\nUNITS=");
    px_quote(w, schema->columns[w->dimensions].name);
    tacit__strbuf_text(&w->out, ";\nSTUB=");
    for (size_t i = 0; i < w->dimensions; i++) {
        tacit__strbuf_text(&w->out, i == down ? ";\nHEADING=" : i ? "," : "");
        px_quote(w, schema->columns[i].name);
    }
    tacit__strbuf_text(&w->out, ";\n");
}

static tacit_status px_write_keywords(px_writing *w)
{
    tacit_status status = TACIT_OK;
    tacit__strbuf_format(&w->out,
                         "CHARSET=\"ANSI\";\nAXIS-VERSION=\"2013\";\nCODEPAGE=\"utf-8\";\n"
                         "LANGUAGE=\"en\";\nDECIMALS=%d;\nSHOWDECIMALS=%d;\nMATRIX=\"TABLE\";\n"
                         "SUBJECT-CODE=\"TABLE\";\nSUBJECT-AREA=\"Table\";\n",
                         w->decimals > 15 ? 15 : w->decimals, w->decimals > 6 ? 6 : w->decimals);
    px_write_title(w);
    px_write_shape(w);
    for (size_t i = 0; i < w->dimensions && status == TACIT_OK; i++)
        status = px_write_codes(w, "VALUES", i);
    for (size_t i = 0; i < w->dimensions && status == TACIT_OK; i++)
        status = px_write_codes(w, "CODES", i);
    if (w->dots)
        tacit__strbuf_text(&w->out, "NOTE=\".. not published\";\n");
    return status;
}

static tacit_status px_write_cells(px_writing *w)
{
    tacit__format_row row;
    int64_t rows = tacit_table_rows(w->release->table);
    int64_t across = w->dimensions > 1 ? (int64_t)w->codes[w->dimensions - 1].count : 1;
    tacit_status status = tacit__format_row_new(&row, w->release->table, w->err);
    tacit__strbuf_text(&w->out, "DATA=\n");
    for (int64_t at = 0; at < rows && status == TACIT_OK; at++) {
        if ((status = tacit__format_row_at(&row, at, w->err)) != TACIT_OK)
            break;
        tacit_strview cell = row.cells[w->dimensions];
        if (cell.bytes[0] == '.')
            px_quote(w, cell);
        else
            tacit__strbuf_add(&w->out, cell.bytes, cell.len);
        tacit__strbuf_text(&w->out, (at + 1) % across == 0 ? " \n" : " ");
        status = px_flush(w, PX_FLUSHED);
    }
    tacit__format_row_clear(&row);
    tacit__strbuf_text(&w->out, ";\n");
    return status == TACIT_OK ? px_flush(w, 1) : status;
}

static tacit_status px_write(const tacit__format_release *release, tacit_error *err)
{
    px_writing *w = tacit__alloc_zeroed(1, sizeof *w);
    size_t columns = release->schema->count;
    if (!w)
        return tacit__nomem(err);
    *w = (px_writing){.release = release, .dimensions = columns - 1, .err = err};
    tacit_status status = TACIT_OK;
    if (columns < 2 || columns > PX_VARIABLES)
        status = tacit__error_at(err, TACIT_INVALID, release->name, 0, 0,
                                 "a .px has from 1 to 63 variables and a value; write the release "
                                 "as CSV");
    for (size_t i = 0; i < columns && status == TACIT_OK; i++)
        status = px_check_text(w, i, release->schema->columns[i].name);
    if (status == TACIT_OK)
        status = px_check(w);
    if (status == TACIT_OK)
        status = px_write_keywords(w);
    if (status == TACIT_OK)
        status = px_write_cells(w);
    for (size_t i = 0; i < PX_VARIABLES; i++) {
        tacit__free(w->codes[i].list);
        tacit__map_clear(&w->maps[i]);
    }
    tacit__strbuf_clear(&w->out);
    tacit__arena_clear(&w->arena);
    tacit__free(w);
    return status;
}

/* ---- the format ---- */

/* Files begin with CHARSET or AXIS-VERSION. */
static bool is_px(tacit_strview bytes)
{
    static const char *const FIRST[] = {"CHARSET=\"", "AXIS-VERSION=\"",
                                        "CHARSET =", "AXIS-VERSION ="};
    if (bytes.len >= 3 && memcmp(bytes.bytes, "\xEF\xBB\xBF", 3) == 0)
        bytes = (tacit_strview){bytes.bytes + 3, bytes.len - 3};
    for (size_t i = 0; i < sizeof FIRST / sizeof *FIRST; i++)
        if (bytes.len > strlen(FIRST[i]) &&
            strncasecmp(bytes.bytes, FIRST[i], strlen(FIRST[i])) == 0)
            return true;
    return false;
}

const tacit_format tacit__format_px = {
    .name = "PC-Axis", .endings = ".px", .is = is_px, .read = px_read, .write = px_write};
