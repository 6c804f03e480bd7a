/*
 * csv.c - text columns of a CSV: a cell is a document.
 *
 * Jobs are read by the library's reader of tables, so a file is CSV here if it is everywhere.
 * Only the bytes of what is replaced change, and quotes come to a cell that had none where its
 * new text needs them. The cells of a row are documents of the same number: who is made up in
 * one of them has the same name in the other, and dates move alike.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/text/work.h"

static tacit_status no_column(const tacit_table *table, const char *name, const char *file,
                              tacit_error *err)
{
    char names[512] = "";
    size_t len = 0;
    for (int32_t i = 0; i < tacit_table_columns(table) && len < sizeof names - 100; i++) {
        tacit_strview known = tacit_table_name(table, i);
        int shown = known.len < 60 ? (int)known.len : 60;
        len += (size_t)snprintf(names + len, sizeof names - len, "%s%.*s", i ? ", " : "", shown,
                                known.bytes);
    }
    return tacit__error(err, TACIT_INVALID, "%s has no column \"%.80s\"; it has %s", file, name,
                        names);
}

static tacit_status find_column(int32_t *column, const tacit_table *table, const char *name,
                                const char *file, tacit_error *err)
{
    *column = tacit_table_find(table, tacit_strview_of(name));
    return *column < 0 ? no_column(table, name, file, err) : TACIT_OK;
}

/* How many bytes the header takes up, its line end included. */
static size_t header_len(const engine_text *in)
{
    bool quoted = false;
    for (size_t i = 0; i < in->len; i++) {
        quoted ^= in->bytes[i] == '"';
        if (in->bytes[i] == '\n' && !quoted)
            return i + 1;
    }
    return in->len;
}

static void count_header_lines(engine_scrub_hand *hand)
{
    for (size_t i = 0; i < hand->head; i++)
        hand->line += hand->in.bytes[i] == '\n';
}

static void options_of(tacit_csv_options *options, const engine_scrub *scrub)
{
    engine_csv_options(options, scrub->session);
    options->convert = NULL; /* pieces of a file are CSV */
    options->max_field = ENGINE_SCRUB_LONGEST;
    options->code_none = true;
    options->encoding = TACIT_ENCODING_UTF8; /* what is not found stays as it is, byte for byte */
}

tacit_status engine_scrub_header_read(engine_scrub *scrub, engine_scrub_hand *hand,
                                      tacit_error *err)
{
    tacit_csv_options options;
    tacit_table *table = NULL;
    engine_scrub_header *header = &scrub->header;
    const char *name = hand->file->name;
    options_of(&options, scrub);
    options.header_only = true;
    tacit_status status =
        tacit_table_read_memory(&table, (tacit_strview){hand->in.bytes, hand->in.len}, name,
                                &options, &scrub->session->run, err);
    if (status != TACIT_OK)
        return status;
    header->delimiter = tacit_table_delimiter(table);
    header->columns = tacit_table_columns(table);
    for (size_t i = 0; i < scrub->column_count && status == TACIT_OK; i++)
        status = find_column(&header->wanted[i], table, scrub->columns[i], name, err);
    header->subject = -1;
    if (scrub->shift_by && status == TACIT_OK)
        status = find_column(&header->subject, table, scrub->shift_by, name, err);
    tacit_table_free(table);
    if (status == TACIT_OK && !options.no_header) {
        hand->head = header_len(&hand->in);
        count_header_lines(hand);
    }
    return status;
}

/* Whether a cell without quotes needs them now. */
static bool needs_quotes(const engine_text *cell, char delimiter)
{
    for (size_t i = 0; i < cell->len; i++)
        if (memchr((char[]){delimiter, '"', '\r', '\n'}, cell->bytes[i], 4))
            return true;
    return false;
}

static tacit_status bare_cell(engine_scrub *scrub, engine_scrub_hand *hand, tacit_strview cell,
                              tacit_error *err)
{
    hand->cell.len = 0;
    engine_splice splice = engine_splice_of(&engine_bare_cell, &hand->cell, cell);
    tacit_status status = engine_scrub_text(&splice, scrub, hand, cell, err);
    if (status == TACIT_OK)
        status = engine_text_check(&hand->cell, err);
    tacit_strview text = {hand->cell.bytes, hand->cell.len};
    bool quoted = needs_quotes(&hand->cell, hand->header.delimiter);
    engine_text_put(&hand->out, "\"", quoted);
    (quoted ? &engine_quoted_cell : &engine_bare_cell)->put(&hand->out, text);
    engine_text_put(&hand->out, "\"", quoted);
    return status;
}

static tacit_status quoted_cell(engine_scrub *scrub, engine_scrub_hand *hand, tacit_strview cell,
                                tacit_error *err)
{
    tacit_strview raw = {cell.bytes + 1, cell.len - 2};
    engine_splice splice = engine_splice_of(&engine_quoted_cell, &hand->out, raw);
    tacit_strview text = engine_unwrap(&hand->text, &engine_quoted_cell, raw);
    tacit_status status = engine_text_check(&hand->text, err);
    engine_text_put(&hand->out, "\"", 1);
    if (status == TACIT_OK)
        status = engine_scrub_text(&splice, scrub, hand, text, err);
    engine_text_put(&hand->out, "\"", 1);
    return status;
}

/* Scrubs a cell; *copied is how far the job's bytes have been copied. */
static tacit_status scrub_cell(engine_scrub *scrub, engine_scrub_hand *hand, tacit_strview cell,
                               size_t column, int64_t row, const char **copied, tacit_error *err)
{
    if (cell.len == 0)
        return TACIT_OK;
    engine_text_put(&hand->out, *copied, (size_t)(cell.bytes - *copied));
    *copied = cell.bytes + cell.len;
    hand->id.len = 0;
    engine_text_number(&hand->id, (uint64_t)(hand->row + row));
    engine_scrub_document_begin(hand, scrub, hand->number + (uint64_t)row,
                                (tacit_strview){hand->id.bytes, hand->id.len},
                                tacit_strview_of(scrub->columns[column]));
    bool quoted = cell.len >= 2 && cell.bytes[0] == '"';
    tacit_status status = (quoted ? quoted_cell : bare_cell)(scrub, hand, cell, err);
    engine_scrub_document_end(hand, scrub);
    hand->beside = true;
    return status;
}

/* Whom the row is about. */
static tacit_status read_row_subject(engine_scrub_hand *hand, const tacit_strview *cells,
                                     tacit_error *err)
{
    hand->subject.len = 0;
    if (hand->header.subject < 0)
        return TACIT_OK;
    tacit_strview cell = cells[hand->header.subject];
    tacit_status status = engine_text_reserve(&hand->subject, cell.len + 1, err);
    if (status == TACIT_OK)
        hand->subject.len = tacit_csv_unquote(cell, hand->subject.bytes, cell.len);
    return status;
}

/* --column in the order of the file. */
static size_t next_wanted(const engine_scrub *scrub, const engine_scrub_header *header,
                          int32_t after)
{
    size_t next = scrub->column_count;
    for (size_t i = 0; i < scrub->column_count; i++)
        if (header->wanted[i] > after &&
            (next == scrub->column_count || header->wanted[i] < header->wanted[next]))
            next = i;
    return next;
}

static tacit_status scrub_row(engine_scrub *scrub, engine_scrub_hand *hand,
                              const tacit_strview *cells, int64_t row, const char **copied,
                              tacit_error *err)
{
    tacit_status status = read_row_subject(hand, cells, err);
    int32_t after = -1;
    hand->beside = false;
    for (size_t i; status == TACIT_OK &&
                   (i = next_wanted(scrub, &hand->header, after)) < scrub->column_count;) {
        after = hand->header.wanted[i];
        status = scrub_cell(scrub, hand, cells[after], i, row, copied, err);
    }
    return status;
}

static tacit_status read_rows(tacit_table **table, const engine_scrub *scrub,
                              const engine_scrub_hand *hand, tacit_error *err)
{
    tacit_csv_options options;
    tacit_run alone = {.threads = 1};
    tacit_strview rows = {hand->in.bytes + hand->head, hand->in.len - hand->head};
    options_of(&options, scrub);
    options.no_header = true;
    options.delimiter = hand->header.delimiter;
    tacit_status status =
        tacit_table_read_memory(table, rows, hand->file->name, &options, &alone, err);
    if (status != TACIT_OK) {
        if (err->line > 0)
            err->line += hand->line - 1;
        return status;
    }
    if (tacit_table_columns(*table) == hand->header.columns)
        return TACIT_OK;
    status = tacit__error(err, TACIT_PARSE, "%d fields; the first row has %d",
                          (int)tacit_table_columns(*table), (int)hand->header.columns);
    engine_scrub_place(err, hand, hand->line);
    return status;
}

/* The line of the file that a byte of the job is in. */
static int64_t line_of(const engine_scrub_hand *hand, const char *at)
{
    int64_t line = hand->line;
    for (const char *c = hand->in.bytes + hand->head; c < at; c++)
        line += *c == '\n';
    return line;
}

tacit_status engine_scrub_rows_csv(engine_scrub *scrub, engine_worker *worker, tacit_error *err)
{
    engine_scrub_hand *hand = &scrub->hands[worker->index];
    tacit_table *table = NULL;
    const char *copied = hand->in.bytes + hand->head, *end = hand->in.bytes + hand->in.len;
    if (copied == end)
        return TACIT_OK;
    tacit_status status = read_rows(&table, scrub, hand, err);
    tacit_strview *cells = tacit__alloc((size_t)hand->header.columns * sizeof *cells);
    if (status == TACIT_OK && !cells)
        status = tacit__nomem(err);
    int64_t rows = status == TACIT_OK ? tacit_table_rows(table) : 0;
    size_t told = 0;
    for (int64_t row = 0; row < rows && status == TACIT_OK; row++) {
        tacit_table_row(table, row, cells);
        status = scrub_row(scrub, hand, cells, row, &copied, err);
        if (status == TACIT_PARSE)
            engine_scrub_place(err, hand, line_of(hand, cells[0].bytes));
        if (status == TACIT_OK)
            status = engine_scrub_go_on(worker, (size_t)(copied - hand->in.bytes), &told, err);
    }
    engine_text_put(&hand->out, copied, (size_t)(end - copied));
    tacit__free(cells);
    tacit_table_free(table);
    return status;
}
