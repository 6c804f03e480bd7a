/*
 * csv_check.c - CSV one byte at a time.
 *
 * RFC 4180 with LF or CRLF line ends: a field is either free of quotes, or
 * quoted from its first to its last byte with quotes inside doubled. The fast
 * reader only finds out that a stretch of the file breaks a rule; this walk then
 * says where and how. It is used for the header, for error messages and, in
 * tests, as the yardstick of the fast reader. Linear, no allocation.
 */
#include "table/csv.h"

#include <string.h>

#include "base/error.h"
#include "base/utf8.h"

typedef struct walk {
    const tacit_table *table;
    size_t at;
    size_t row; /* where the present row starts */
    size_t max_field;
    int32_t columns;
    tacit_error *err;
} walk;

/* Line and column of a byte, both from 1. Columns count the bytes of the file; where it was
 * converted, characters. */
static void place_of(const tacit_table *table, size_t offset, int64_t *line, int64_t *column)
{
    size_t line_start = table->header_start;
    *line = 1;
    for (const char *at = table->bytes + line_start, *end = table->bytes + offset;
         at < end && (at = memchr(at, '\n', (size_t)(end - at)));) {
        at++;
        ++*line;
        line_start = (size_t)(at - table->bytes);
    }
    *column = (int64_t)(offset - line_start) + 1;
    for (size_t i = line_start; table->encoding != TACIT_ENCODING_UTF8 && i < offset; i++)
        *column -= ((unsigned char)table->bytes[i] & 0xC0) == 0x80;
}

static tacit_status complain(const walk *w, size_t offset, const char *message)
{
    int64_t line, column;
    place_of(w->table, offset, &line, &column);
    return tacit__error_at(w->err, TACIT_PARSE, w->table->file, line, column, "%s", message);
}

static tacit_status check_length(const walk *w, size_t start, size_t end)
{
    if (end - start <= w->max_field)
        return TACIT_OK;
    int64_t line, column;
    place_of(w->table, start, &line, &column);
    return tacit__error_at(
        w->err, TACIT_PARSE, w->table->file, line, column,
        "a field of %zu bytes%s; at most %zu are read (is a quote missing?)", end - start,
        w->table->encoding == TACIT_ENCODING_UTF8 ? "" : " in UTF-8", w->max_field);
}

/* Steps over one character of text. */
static tacit_status step(walk *w)
{
    const tacit_table *t = w->table;
    if (t->bytes[w->at] == '\0')
        return complain(w, w->at, "a NUL byte; the file is not text");
    size_t len = tacit__utf8_character(t->bytes + w->at, t->len - w->at);
    if (len == 0)
        return complain(w, w->at,
                        t->detecting ? "bytes that are not UTF-8, nor is all of the file "
                                       "Windows-1252; convert it (iconv -t UTF-8) or declare its "
                                       "encoding"
                                     : "bytes that are not UTF-8; convert the file (iconv -t "
                                       "UTF-8)");
    w->at += len;
    return TACIT_OK;
}

/* Whether a line ends here; the text ends at len. */
static bool ends_line(const tacit_table *t, size_t at, size_t len)
{
    return at >= len || t->bytes[at] == '\n' ||
           (t->bytes[at] == '\r' && at + 1 < len && t->bytes[at + 1] == '\n');
}

static bool at_line_end(const tacit_table *t, size_t at)
{
    return ends_line(t, at, t->len);
}

static tacit_status quoted_field(walk *w)
{
    const tacit_table *t = w->table;
    size_t start = w->at++;
    for (;;) {
        if (w->at == t->len)
            return complain(w, start, "a quoted field that is never closed");
        if (t->bytes[w->at] != '"') {
            tacit_status status = step(w);
            if (status != TACIT_OK)
                return status;
        } else if (w->at + 1 < t->len && t->bytes[w->at + 1] == '"') {
            w->at += 2;
        } else {
            w->at++;
            break;
        }
    }
    if (!at_line_end(t, w->at) && t->bytes[w->at] != t->delimiter)
        return complain(w, w->at,
                        "text after a closing quote; double quotes inside a quoted field");
    return check_length(w, start, w->at);
}

static tacit_status plain_field(walk *w)
{
    const tacit_table *t = w->table;
    size_t start = w->at;
    while (!at_line_end(t, w->at) && t->bytes[w->at] != t->delimiter) {
        if (t->bytes[w->at] == '"')
            return complain(
                w, w->at,
                "a quote inside a field that is not quoted; quote the field and double it");
        if (t->bytes[w->at] == '\r')
            return complain(w, w->at,
                            "a carriage return that does not end a line; quote the field");
        tacit_status status = step(w);
        if (status != TACIT_OK)
            return status;
    }
    return check_length(w, start, w->at);
}

static tacit_status ragged(const walk *w, int32_t fields, size_t offset)
{
    int64_t line, column;
    place_of(w->table, offset, &line, &column);
    if (fields == 1 && offset == w->row)
        return tacit__error_at(w->err, TACIT_PARSE, w->table->file, line, column,
                               "an empty line where %d fields are due; remove it", w->columns);
    if (fields > w->columns && at_line_end(w->table, offset))
        return tacit__error_at(w->err, TACIT_PARSE, w->table->file, line, column,
                               "a superfluous delimiter at the end of the line; remove it: the "
                               "first row has %d fields",
                               w->columns);
    int32_t named = fields > w->columns ? w->columns : fields;
    return tacit__error_at(
        w->err, TACIT_PARSE, w->table->file, line, column, "%s %d field%s; the first row has %d",
        fields > w->columns ? "more than" : "only", named, named == 1 ? "" : "s", w->columns);
}

static void step_over_line_end(walk *w)
{
    const tacit_table *t = w->table;
    if (w->at < t->len && t->bytes[w->at] == '\r')
        w->at++;
    if (w->at < t->len)
        w->at++;
}

static tacit_status check_row(walk *w)
{
    const tacit_table *t = w->table;
    w->row = w->at;
    for (int32_t fields = 1;; fields++) {
        if (fields > w->columns)
            return ragged(w, fields, w->at);
        bool quoted = w->at < t->len && t->bytes[w->at] == '"';
        tacit_status status = quoted ? quoted_field(w) : plain_field(w);
        if (status != TACIT_OK)
            return status;
        if (at_line_end(t, w->at)) {
            if (fields < w->columns)
                return ragged(w, fields, w->at);
            step_over_line_end(w);
            return TACIT_OK;
        }
        w->at++; /* the delimiter */
    }
}

tacit_status tacit__csv_check(const tacit_table *table, size_t from, size_t to, int32_t columns,
                              size_t max_field, tacit_error *err)
{
    walk w = {.table = table, .at = from, .max_field = max_field, .columns = columns, .err = err};
    while (w.at < to && w.at < table->len) {
        tacit_status status = check_row(&w);
        if (status != TACIT_OK)
            return status;
    }
    return TACIT_OK;
}

static size_t cell_end(const tacit_table *t, size_t at, size_t len)
{
    if (at < len && t->bytes[at] == '"') {
        for (at++; at < len; at++) {
            if (t->bytes[at] != '"')
                continue;
            if (at + 1 == len || t->bytes[at + 1] != '"')
                return at + 1;
            at++;
        }
        return len;
    }
    while (!ends_line(t, at, len) && t->bytes[at] != t->delimiter)
        at++;
    return at;
}

size_t tacit__csv_cut(const tacit_table *table, size_t at, size_t len, tacit_strview *cells,
                      int32_t most, int32_t *found)
{
    for (int32_t count = 0;;) {
        size_t end = cell_end(table, at, len);
        if (count < most)
            cells[count] = (tacit_strview){table->bytes + at, end - at};
        count++;
        if (!ends_line(table, end, len)) {
            at = end + 1;
            continue;
        }
        *found = count;
        walk w = {.table = table, .at = end};
        step_over_line_end(&w);
        return w.at;
    }
}
