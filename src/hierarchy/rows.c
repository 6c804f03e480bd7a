/*
 * rows.c - a hierarchy file as rows of fields, quoted as in CSV (RFC 4180).
 *
 * The bytes are checked once, before anything is cut from them: a hierarchy
 * decides what is released, so a file with NUL bytes or broken UTF-8 is refused
 * whole. Fields then borrow from the bytes. One pass to check, one to read.
 */
#include "hierarchy/rows.h"

#include <string.h>

#include "base/error.h"
#include "base/utf8.h"
#include "hierarchy/hierarchy.h"

static const char delimiters[] = {';', '\t', ','};

static tacit_status check_text(tacit_strview bytes, const char *file, tacit_error *err)
{
    const unsigned char *text = (const unsigned char *)bytes.bytes;
    int64_t line = 1;
    for (size_t at = 0, step; at < bytes.len; at += step) {
        if (!text[at])
            return tacit__error_at(err, TACIT_PARSE, file, line, 0,
                                   "a NUL byte; a hierarchy is a text file");
        step = tacit__utf8_character(bytes.bytes + at, bytes.len - at);
        if (!step)
            return tacit__error_at(err, TACIT_PARSE, file, line, 0,
                                   "byte 0x%02X is not UTF-8; save the file as UTF-8", text[at]);
        line += text[at] == '\n';
    }
    return TACIT_OK;
}

static bool is_blank(const char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != ' ' && *from != '\t' && *from != '\r' && *from != '\n')
            return false;
    return true;
}

/* The end of the last line that holds anything. */
static const char *last_line_end(const char *start, const char *end)
{
    for (;;) {
        const char *line = end;
        while (line > start && line[-1] != '\n')
            line--;
        if (!is_blank(line, end))
            return end;
        if (line == start)
            return start;
        end = line - 1;
    }
}

static char find_delimiter(const char *start, const char *end)
{
    bool seen[sizeof delimiters] = {false}, quoted = false;
    for (const char *at = start; at < end && (quoted || *at != '\n'); at++) {
        if (*at == '"')
            quoted = !quoted;
        for (size_t i = 0; i < sizeof delimiters; i++)
            seen[i] |= !quoted && *at == delimiters[i];
    }
    for (size_t i = 0; i < sizeof delimiters; i++)
        if (seen[i])
            return delimiters[i];
    return 0;
}

static tacit_status empty(const char *file, tacit_error *err)
{
    return tacit__error_at(err, TACIT_PARSE, file, 1, 0,
                           "the hierarchy is empty; write a row for each value, followed by its "
                           "ancestors");
}

static bool at_line_end(const tacit__rows *rows)
{
    const char *at = rows->at;
    return at == rows->end || *at == '\n' ||
           (*at == '\r' && (at + 1 == rows->end || at[1] == '\n'));
}

static bool at_field_end(const tacit__rows *rows)
{
    return at_line_end(rows) || (rows->delimiter && *rows->at == rows->delimiter);
}

static tacit_status open_quote(const tacit__rows *rows, tacit_error *err)
{
    return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                           "field %d opens a quote that is not closed", rows->count + 1);
}

/* What stands between the quotes, with doubled ones halved. */
static tacit_status unquote(tacit_strview *field, tacit__rows *rows, tacit_strview inner,
                            tacit_error *err)
{
    *field = inner;
    if (!memchr(inner.bytes, '"', inner.len))
        return TACIT_OK;
    char *copy = tacit__arena_alloc(&rows->arena, inner.len);
    if (!copy)
        return tacit__nomem(err);
    size_t len = 0;
    for (size_t i = 0; i < inner.len; i++) {
        copy[len++] = inner.bytes[i];
        i += inner.bytes[i] == '"';
    }
    *field = (tacit_strview){copy, len};
    return TACIT_OK;
}

static tacit_status read_quoted(tacit_strview *field, tacit__rows *rows, tacit_error *err)
{
    const char *from = ++rows->at;
    for (;; rows->at++) {
        if (rows->at == rows->end)
            return open_quote(rows, err);
        rows->next_line += *rows->at == '\n';
        if (*rows->at != '"')
            continue;
        if (rows->at + 1 == rows->end || rows->at[1] != '"')
            break;
        rows->at++;
    }
    tacit_strview inner = {from, (size_t)(rows->at++ - from)};
    if (!at_field_end(rows))
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "field %d goes on after its closing quote; double the quotes "
                               "inside it",
                               rows->count + 1);
    return unquote(field, rows, inner, err);
}

static tacit_status read_field(tacit__rows *rows, tacit_error *err)
{
    if (rows->count == TACIT_MAX_LEVELS)
        return tacit__error_at(err, TACIT_LIMIT, rows->file, rows->line, 0,
                               "more than %d fields; a hierarchy has at most that many levels",
                               TACIT_MAX_LEVELS);
    tacit_status status = TACIT_OK;
    tacit_strview *field = &rows->fields[rows->count];
    if (rows->at < rows->end && *rows->at == '"') {
        status = read_quoted(field, rows, err);
    } else {
        const char *from = rows->at;
        while (!at_field_end(rows))
            rows->at++;
        *field = (tacit_strview){from, (size_t)(rows->at - from)};
    }
    rows->count += status == TACIT_OK;
    return status;
}

static void skip_line_end(tacit__rows *rows)
{
    rows->at += rows->at < rows->end && *rows->at == '\r';
    rows->at += rows->at < rows->end && *rows->at == '\n';
    rows->next_line++;
}

tacit_status tacit__rows_init(tacit__rows *rows, tacit_strview bytes, const char *file,
                              tacit_error *err)
{
    if (bytes.len > TACIT__MAX_HIERARCHY_BYTES)
        return tacit__error_at(err, TACIT_LIMIT, file, 0, 0, "longer than %d bytes",
                               (int)TACIT__MAX_HIERARCHY_BYTES);
    if (!bytes.len)
        return empty(file, err);
    tacit_status status = check_text(bytes, file, err);
    if (status != TACIT_OK)
        return status;
    const char *start = bytes.bytes, *end = bytes.bytes + bytes.len;
    if (bytes.len >= 3 && memcmp(start, "\xEF\xBB\xBF", 3) == 0)
        start += 3;
    end = last_line_end(start, end);
    if (start == end)
        return empty(file, err);
    *rows = (tacit__rows){.file = file, .start = start, .end = end};
    rows->delimiter = find_delimiter(start, end);
    tacit__rows_rewind(rows);
    return TACIT_OK;
}

void tacit__rows_clear(tacit__rows *rows)
{
    tacit__arena_clear(&rows->arena);
}

void tacit__rows_rewind(tacit__rows *rows)
{
    rows->at = rows->start;
    rows->next_line = 1;
}

tacit_status tacit__rows_next(tacit__rows *rows, tacit_error *err)
{
    rows->count = 0;
    rows->line = rows->next_line;
    if (rows->at == rows->end)
        return TACIT_OK;
    if (at_line_end(rows))
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "a blank line between rows; remove it");
    for (;;) {
        tacit_status status = read_field(rows, err);
        if (status != TACIT_OK)
            return status;
        if (at_line_end(rows))
            break;
        rows->at++; /* the delimiter */
    }
    skip_line_end(rows);
    return TACIT_OK;
}

bool tacit__rows_line_starts(const tacit__rows *rows, char first)
{
    for (const char *at = rows->start; at && at < rows->end;) {
        if (*at == first)
            return true;
        at = memchr(at, '\n', (size_t)(rows->end - at));
        at = at ? at + 1 : NULL;
    }
    return false;
}
