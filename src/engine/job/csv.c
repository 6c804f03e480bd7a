/*
 * csv.c - cells gathered in a buffer, written when it is full. Files of millions
 * of rows are mostly numbers, and the same ones again and again, so a number's
 * digits are remembered in a small table: printing a real takes ten times as
 * long as anything else here.
 */
#include "engine/job/csv.h"
#include "base/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/job/files.h"

enum { BUFFER = 1 << 16, MEMO_BITS = 12, DIGITS = 24 };

/* A real that was printed before. */
typedef struct memo {
    double value;
    char text[DIGITS];
    uint8_t len; /* 0: none yet */
} memo;

struct engine_csv {
    tacit_output *output;
    char *path;
    tacit_error error;
    bool in_row; /* a cell is there already */
    size_t used;
    char buffer[BUFFER];
    memo memos[1 << MEMO_BITS];
};

void engine_csv_free(engine_csv *csv)
{
    if (!csv)
        return;
    tacit_output_free(csv->output);
    tacit__free(csv->path);
    tacit__free(csv);
}

static tacit_status new_csv(engine_csv **out, const char *path, engine_opener open_output,
                            tacit_error *err)
{
    engine_csv *csv = tacit__alloc_zeroed(1, sizeof *csv);
    if (!csv || !(csv->path = tacit__copy_text(path))) {
        engine_csv_free(csv);
        return tacit__nomem(err);
    }
    tacit_status status = open_output(&csv->output, path, err);
    if (status == TACIT_OK)
        *out = csv;
    else
        engine_csv_free(csv);
    return status;
}

tacit_status engine_csv_new(engine_csv **out, const char *path, tacit_error *err)
{
    return new_csv(out, path, tacit_output_new, err);
}

tacit_status engine_csv_new_private(engine_csv **out, const char *path, tacit_error *err)
{
    return new_csv(out, path, tacit_output_new_private, err);
}

static void flush(engine_csv *csv)
{
    if (csv->error.status == TACIT_OK)
        engine_write_all(tacit_output_fd(csv->output), csv->path, csv->buffer, csv->used,
                         &csv->error);
    csv->used = 0;
}

static void put(engine_csv *csv, const char *bytes, size_t len)
{
    while (len > 0) {
        size_t room = BUFFER - csv->used, part = len < room ? len : room;
        memcpy(csv->buffer + csv->used, bytes, part);
        csv->used += part;
        bytes += part;
        len -= part;
        if (csv->used == BUFFER)
            flush(csv);
    }
}

static void start_cell(engine_csv *csv)
{
    if (csv->in_row)
        put(csv, ",", 1);
    csv->in_row = true;
}

static bool needs_quotes(tacit_strview text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.bytes[i];
        if (c == ',' || c == '"' || c == '\r' || c == '\n')
            return true;
    }
    return text.len > 0 && (text.bytes[0] == ' ' || text.bytes[text.len - 1] == ' ');
}

void engine_csv_text(engine_csv *csv, tacit_strview text)
{
    start_cell(csv);
    if (!needs_quotes(text)) {
        put(csv, text.bytes, text.len);
        return;
    }
    put(csv, "\"", 1);
    for (size_t i = 0; i < text.len; i++)
        put(csv, text.bytes[i] == '"' ? "\"\"" : &text.bytes[i], text.bytes[i] == '"' ? 2 : 1);
    put(csv, "\"", 1);
}

void engine_csv_cell(tacit__strbuf *text, tacit_strview cell)
{
    if (cell.len > 0 && !needs_quotes(cell)) {
        tacit__strbuf_add(text, cell.bytes, cell.len);
        return;
    }
    tacit__strbuf_add(text, "\"", 1);
    for (size_t i = 0; i < cell.len; i++)
        tacit__strbuf_add(text, cell.bytes[i] == '"' ? "\"\"" : &cell.bytes[i],
                          cell.bytes[i] == '"' ? 2 : 1);
    tacit__strbuf_add(text, "\"", 1);
}

void engine_csv_integer(engine_csv *csv, int64_t value)
{
    char digits[DIGITS];
    size_t at = sizeof digits;
    uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (value < 0)
        digits[--at] = '-';
    start_cell(csv);
    put(csv, digits + at, sizeof digits - at);
}

void engine_csv_real(engine_csv *csv, double value)
{
    uint64_t bits;
    if (value >= 0 && value < 1e9 && value == floor(value)) {
        engine_csv_integer(csv, (int64_t)value);
        return;
    }
    start_cell(csv);
    if (!isfinite(value))
        return;
    memcpy(&bits, &value, sizeof bits);
    memo *known = &csv->memos[bits * UINT64_C(0x9E3779B97F4A7C15) >> (64 - MEMO_BITS)];
    if (!known->len || memcmp(&known->value, &value, sizeof value) != 0) {
        known->value = value;
        known->len = (uint8_t)snprintf(known->text, sizeof known->text, "%.12g", value);
    }
    put(csv, known->text, known->len);
}

void engine_csv_row(engine_csv *csv)
{
    put(csv, "\n", 1);
    csv->in_row = false;
}

void engine_csv_header(engine_csv *csv, const char *const *names)
{
    for (; *names; names++)
        engine_csv_text(csv, tacit_strview_of(*names));
    engine_csv_row(csv);
}

tacit_status engine_csv_check(engine_csv *csv, tacit_error *err)
{
    return csv->error.status == TACIT_OK
               ? TACIT_OK
               : tacit__error(err, csv->error.status, "%s", csv->error.message);
}

tacit_status engine_csv_end(engine_csv *csv, engine_session *session)
{
    flush(csv);
    tacit_status status = engine_csv_check(csv, &session->error);
    if (status != TACIT_OK)
        return status;
    tacit_output *output = csv->output;
    csv->output = NULL;
    return engine_files_add(session, output);
}
