/*
 * csv_dialect.c - how a file is written.
 *
 * The delimiter is the candidate that cuts the first rows (at most 100, within
 * the first 64 KiB) into the same number of fields, the more the better; where
 * none is consistent, the one that cuts the first row most, so that a ragged
 * file is reported as such. The header is read by the exact walk of
 * csv_check.c.
 *
 * Some programs end a file with a delimiter too many. Who asks for it gets the
 * file without it: only from the very last line, only where that line has no
 * quotes and one empty field more than there are columns.
 */
#include "table/csv.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "table/csv.h"

enum { SNIFF_BYTES = 1 << 16, SNIFF_ROWS = 100 };

static const char candidates[] = {',', ';', '\t', '|'};

typedef struct cut_count {
    int32_t first;   /* fields of the first row */
    bool consistent; /* every other row has as many */
} cut_count;

static cut_count count_cuts(const tacit_table *table, char delimiter)
{
    tacit_table probe = *table;
    probe.delimiter = delimiter;
    cut_count cuts = {.consistent = true};
    size_t at = table->header_start;
    for (int row = 0; row < SNIFF_ROWS && at < table->len && at < SNIFF_BYTES; row++) {
        int32_t found;
        at = tacit__csv_cut(&probe, at, probe.len, NULL, 0, &found);
        if (row == 0)
            cuts.first = found;
        else if (found != cuts.first && at < SNIFF_BYTES)
            cuts.consistent = false;
    }
    return cuts;
}

static char sniff(const tacit_table *table)
{
    char best = ',';
    cut_count best_cuts = {.first = 1};
    for (size_t i = 0; i < sizeof candidates; i++) {
        cut_count cuts = count_cuts(table, candidates[i]);
        if (cuts.first < 2)
            continue;
        bool better = cuts.consistent != best_cuts.consistent ? cuts.consistent
                                                              : cuts.first > best_cuts.first;
        if (better) {
            best = candidates[i];
            best_cuts = cuts;
        }
    }
    return best;
}

static tacit_status skip_mark(tacit_table *table, tacit_error *err)
{
    const unsigned char *b = (const unsigned char *)table->bytes;
    if (table->len >= 3 && b[0] == 0xEF && b[1] == 0xBB && b[2] == 0xBF)
        table->header_start = 3;
    if (table->len >= 2 && ((b[0] == 0xFF && b[1] == 0xFE) || (b[0] == 0xFE && b[1] == 0xFF)))
        return tacit__error_at(err, TACIT_PARSE, table->file, 1, 1,
                               "the file is UTF-16; convert it (iconv -f UTF-16 -t UTF-8)");
    if (table->len == table->header_start)
        return tacit__error_at(err, TACIT_PARSE, table->file, 0, 0, "the file is empty");
    return TACIT_OK;
}

static tacit_strview given_name(tacit_table *table, const tacit_csv_options *options,
                                int32_t column)
{
    if (options->names)
        return tacit__arena_copy(&table->arena, options->names[column]);
    char name[16];
    snprintf(name, sizeof name, "V%d", (int)column + 1);
    return tacit__arena_copy(&table->arena, tacit_strview_of(name));
}

static tacit_strview unquoted(tacit_table *table, tacit_strview cell)
{
    if (cell.len == 0 || cell.bytes[0] != '"')
        return cell;
    char *text = tacit__arena_alloc(&table->arena, cell.len);
    if (!text)
        return (tacit_strview){NULL, 0};
    return (tacit_strview){text, tacit_csv_unquote(cell, text, cell.len)};
}

static tacit_status name_columns(tacit_table *table, const tacit_strview *cells,
                                 const tacit_csv_options *options, tacit_error *err)
{
    if (!table->has_header && options->names && options->name_count != (size_t)table->column_count)
        return tacit__error_at(err, TACIT_PARSE, table->file, 1, 0,
                               "%d columns where %zu names are given", (int)table->column_count,
                               options->name_count);
    for (int32_t i = 0; i < table->column_count; i++) {
        tacit_strview name =
            table->has_header ? unquoted(table, cells[i]) : given_name(table, options, i);
        if (!name.bytes)
            return tacit__nomem(err);
        int32_t before = -1;
        for (int32_t j = 0; j < i && before < 0; j++)
            if (tacit_strview_equal(table->columns[j].name, name))
                before = j;
        if (before >= 0)
            return tacit__error_at(err, TACIT_PARSE, table->file, 1, 0,
                                   "columns %d and %d are both named \"%s\"; rename one",
                                   (int)before + 1, (int)i + 1, tacit__show(name).text);
        table->columns[i].name = name;
    }
    return TACIT_OK;
}

static tacit_status read_header(tacit_table *table, const tacit_csv_options *options,
                                size_t max_field, tacit_error *err)
{
    int32_t found = 0, checked = 0;
    size_t next = tacit__csv_cut(table, table->header_start, table->len, NULL, 0, &found);
    if (found > TACIT_MAX_COLUMNS)
        return tacit__error_at(err, TACIT_LIMIT, table->file, 1, 0,
                               "%d columns; at most %d are read", (int)found, TACIT_MAX_COLUMNS);
    tacit_status status = tacit__csv_check(table, table->header_start, table->header_start + 1,
                                           found, max_field, err);
    if (status != TACIT_OK)
        return status;
    table->columns = tacit__alloc_zeroed((size_t)found, sizeof *table->columns);
    tacit_strview *cells = tacit__alloc_array((size_t)found, sizeof *cells);
    if (!table->columns || !cells) {
        tacit__free(cells);
        return tacit__nomem(err);
    }
    table->column_count = found;
    tacit__csv_cut(table, table->header_start, table->len, cells, found, &checked);
    status = name_columns(table, cells, options, err);
    tacit__free(cells);
    table->data_start = table->has_header ? next : table->header_start;
    table->crlf = next - table->header_start >= 2 && table->bytes[next - 2] == '\r';
    return status;
}

/* Lets the file end before a delimiter too many. */
static void pass_stray_end(tacit_table *t)
{
    size_t end = t->len, cuts = 0;
    end -= end > t->data_start && t->bytes[end - 1] == '\n';
    end -= end > t->data_start && t->bytes[end - 1] == '\r';
    if (t->column_count < 2 || end <= t->data_start || t->bytes[end - 1] != t->delimiter)
        return;
    const char *from = t->bytes + t->data_start;
    const char *before = memrchr(from, '\n', end - t->data_start);
    const char *line = before ? before + 1 : from;
    size_t len = (size_t)(t->bytes + end - line);
    if (memchr(line, '"', len))
        return;
    for (size_t i = 0; i < len; i++)
        cuts += line[i] == t->delimiter;
    t->stray_end = cuts == (size_t)t->column_count;
    if (t->stray_end)
        t->len = end - 1;
}

tacit_status tacit__csv_dialect(tacit_table *table, const tacit_csv_options *options,
                                size_t max_field, tacit_error *err)
{
    table->has_header = !options->no_header;
    tacit_status status = skip_mark(table, err);
    if (status != TACIT_OK)
        return status;
    table->delimiter = options->delimiter ? options->delimiter : sniff(table);
    status = read_header(table, options, max_field, err);
    if (status == TACIT_OK && options->pass_stray_end)
        pass_stray_end(table);
    return status;
}
