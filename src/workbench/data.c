/*
 * data.c - tables that are looked at: what each column holds, and windows of rows.
 *
 * A table is read once and kept while it is among the last few that were asked for; a window of it
 * then costs its rows. The file's size and time are looked at with every request: a table whose
 * file has changed is read anew. Rows count from 0 here, as the page asks for them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tacit/experimental/formats.h>
#include <tacit/table.h>

#include "workbench/parts.h"

enum { TOP_VALUES = 8, MAX_SHOWN = 400, PARTS = 24 };

typedef struct opened {
    char *path;
    tacit_table *table;
    struct timespec changed;
    off_t size;
    int users;
    uint64_t asked; /* when it was last asked for */
} opened;

struct workbench_tables {
    pthread_mutex_t lock;
    opened list[WORKBENCH_MAX_TABLES];
    uint64_t clock;
};

workbench_tables *workbench_tables_new(void)
{
    workbench_tables *tables = calloc(1, sizeof *tables);
    if (tables)
        pthread_mutex_init(&tables->lock, NULL);
    return tables;
}

static void close_table(opened *o)
{
    tacit_table_free(o->table);
    free(o->path);
    *o = (opened){0};
}

void workbench_tables_free(workbench_tables *tables)
{
    if (!tables)
        return;
    for (int i = 0; i < WORKBENCH_MAX_TABLES; i++)
        close_table(&tables->list[i]);
    pthread_mutex_destroy(&tables->lock);
    free(tables);
}

/* ---- opening ---- */

static tacit_status read_table(opened *o, const char *path, tacit_error *err)
{
    tacit_csv_options options;
    struct stat file = {0};
    char plain[WORKBENCH_MAX_PATH];
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(path, "#"), path);
    if (stat(path, &file) != 0)
        stat(plain, &file);
    tacit_csv_options_init(&options);
    options.encoding = TACIT_ENCODING_DETECT;
    options.convert = tacit_formats_convert;
    o->path = strdup(path);
    o->changed = file.st_mtim;
    o->size = file.st_size;
    tacit_status status =
        o->path ? tacit_table_read(&o->table, path, &options, NULL, err) : TACIT_NOMEM;
    if (status != TACIT_OK)
        close_table(o);
    return status;
}

static bool is_current(const opened *o, const char *path)
{
    struct stat file;
    char plain[WORKBENCH_MAX_PATH];
    if (!o->table || strcmp(o->path, path) != 0)
        return false;
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(path, "#"), path);
    return (stat(path, &file) == 0 || stat(plain, &file) == 0) && file.st_size == o->size &&
           file.st_mtim.tv_sec == o->changed.tv_sec && file.st_mtim.tv_nsec == o->changed.tv_nsec;
}

/* A place for one more table: an empty one, or that of the table nobody has asked for longest. */
static opened *make_place(workbench_tables *tables)
{
    opened *best = NULL;
    for (int i = 0; i < WORKBENCH_MAX_TABLES; i++) {
        opened *o = &tables->list[i];
        if (o->users == 0 && (!best || o->asked < best->asked))
            best = o;
    }
    if (best)
        close_table(best);
    return best;
}

/* Borrows a table, until it is given back. One thread reads at a time. */
static tacit_status borrow(opened **out, workbench_request *request, tacit_error *err)
{
    workbench_tables *tables = request->bench->tables;
    const char *path = workbench_text(request, "path");
    tacit_status status = TACIT_OK;
    opened *found = NULL;
    if (!path || strlen(path) >= WORKBENCH_MAX_PATH ||
        !workbench_may_use_all(request->bench->project, path)) {
        err->status = TACIT_INVALID;
        snprintf(err->message, sizeof err->message,
                 "that file is outside the folder that the workbench was started with");
        return TACIT_INVALID;
    }
    pthread_mutex_lock(&tables->lock);
    for (int i = 0; i < WORKBENCH_MAX_TABLES && !found; i++)
        if (is_current(&tables->list[i], path))
            found = &tables->list[i];
    if (!found) {
        found = make_place(tables);
        status = found ? read_table(found, path, err) : TACIT_LIMIT;
    }
    if (status == TACIT_OK) {
        found->users++;
        found->asked = ++tables->clock;
        *out = found;
    }
    pthread_mutex_unlock(&tables->lock);
    return status;
}

static void give_back(workbench_request *request, opened *o)
{
    pthread_mutex_lock(&request->bench->tables->lock);
    o->users--;
    pthread_mutex_unlock(&request->bench->tables->lock);
}

/* ---- columns ---- */

/* Text for the page, cut where it is long, at the end of a character. */
static json_t *shown(tacit_strview text)
{
    size_t len = text.len;
    if (len > MAX_SHOWN)
        for (len = MAX_SHOWN; len > 0 && ((unsigned char)text.bytes[len] & 0xC0) == 0x80;)
            len--;
    json_t *json = json_stringn(len ? text.bytes : "", len);
    return json ? json : json_string("?");
}

static void count_codes(int64_t *counts, const tacit_table *table, int32_t column)
{
    tacit_codes_view codes = tacit_table_codes(table, column);
    int64_t rows = tacit_table_rows(table);
    for (int64_t row = 0; row < rows; row++)
        counts[tacit_codes_at(codes, row)]++;
}

/* The values that the largest number of rows have. */
static json_t *top_values(const int64_t *counts, const tacit_table *table, int32_t column)
{
    uint32_t top[TOP_VALUES];
    size_t kept = 0;
    for (uint32_t code = 0; code < tacit_table_distinct(table, column); code++) {
        size_t at = kept;
        while (at > 0 && counts[top[at - 1]] < counts[code])
            at--;
        if (at == TOP_VALUES)
            continue;
        kept += kept < TOP_VALUES;
        memmove(&top[at + 1], &top[at], (kept - at - 1) * sizeof *top);
        top[at] = code;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < kept; i++)
        json_array_append_new(list,
                              json_pack("[o, I]", shown(tacit_table_value(table, column, top[i])),
                                        (json_int_t)counts[top[i]]));
    return list;
}

static bool number_of(double *out, tacit_strview text)
{
    char digits[64], *end = NULL;
    if (text.len == 0 || text.len >= sizeof digits)
        return false;
    memcpy(digits, text.bytes, text.len);
    digits[text.len] = '\0';
    *out = strtod(digits, &end);
    return end == digits + text.len && *out - *out == 0;
}

/* Rows by equal parts of the range, where all values are numbers; NULL otherwise. */
static json_t *histogram(const int64_t *counts, const tacit_table *table, int32_t column)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    double low = 0, high = 0, value;
    int64_t parts[PARTS] = {0};
    for (uint32_t code = 0; code < distinct; code++) {
        if (!number_of(&value, tacit_table_value(table, column, code)))
            return NULL;
        low = code == 0 || value < low ? value : low;
        high = code == 0 || value > high ? value : high;
    }
    if (distinct < TOP_VALUES || high <= low)
        return NULL;
    for (uint32_t code = 0; code < distinct; code++) {
        number_of(&value, tacit_table_value(table, column, code));
        int part = (int)((value - low) / (high - low) * PARTS);
        parts[part < PARTS ? part : PARTS - 1] += counts[code];
    }
    json_t *list = json_array();
    for (int i = 0; i < PARTS; i++)
        json_array_append_new(list, json_integer(parts[i]));
    return json_pack("{s:f, s:f, s:o}", "low", low, "high", high, "rows", list);
}

static json_t *describe_column(const tacit_table *table, int32_t column)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    int64_t *counts = calloc((size_t)distinct + 1, sizeof *counts);
    if (!counts)
        return NULL;
    count_codes(counts, table, column);
    json_t *json =
        json_pack("{s:o, s:I, s:I, s:o, s:o*}", "name", shown(tacit_table_name(table, column)),
                  "distinct", (json_int_t)distinct, "missing", (json_int_t)counts[distinct], "top",
                  top_values(counts, table, column), "histogram", histogram(counts, table, column));
    free(counts);
    return json;
}

workbench_answer workbench_get_columns(workbench_request *request)
{
    tacit_error err = {0};
    opened *o = NULL;
    tacit_status status = borrow(&o, request, &err);
    if (status != TACIT_OK)
        return workbench_fail(request, status, &err);
    json_t *columns = json_array();
    for (int32_t c = 0; c < tacit_table_columns(o->table); c++)
        json_array_append_new(columns, describe_column(o->table, c));
    json_t *json =
        json_pack("{s:I, s:o}", "rows", (json_int_t)tacit_table_rows(o->table), "columns", columns);
    give_back(request, o);
    return workbench_reply(request, 200, json);
}

/* ---- rows ---- */

static json_t *row_of(const tacit_table *table, int64_t row, tacit_strview *cells, char *buffer)
{
    json_t *list = json_array();
    tacit_table_row(table, row, cells);
    for (int32_t c = 0; c < tacit_table_columns(table); c++) {
        size_t len = tacit_csv_unquote(cells[c], buffer, MAX_SHOWN + 4);
        len = len < MAX_SHOWN + 4 ? len : MAX_SHOWN + 4;
        json_array_append_new(list, shown((tacit_strview){buffer, len}));
    }
    return list;
}

workbench_answer workbench_get_rows(workbench_request *request)
{
    tacit_error err = {0};
    char buffer[MAX_SHOWN + 8];
    opened *o = NULL;
    tacit_status status = borrow(&o, request, &err);
    if (status != TACIT_OK)
        return workbench_fail(request, status, &err);
    int64_t rows = tacit_table_rows(o->table), from = workbench_number(request, "from", 0);
    int64_t count = workbench_number(request, "count", 100);
    from = from < 0 ? 0 : from > rows ? rows : from;
    count = count < 0 ? 0 : count > WORKBENCH_MAX_WINDOW ? WORKBENCH_MAX_WINDOW : count;
    tacit_strview *cells = calloc((size_t)tacit_table_columns(o->table), sizeof *cells);
    json_t *list = json_array();
    for (int64_t row = from; cells && row < rows && row < from + count; row++)
        json_array_append_new(list, row_of(o->table, row, cells, buffer));
    free(cells);
    give_back(request, o);
    return workbench_reply(request, 200,
                           json_pack("{s:I, s:I, s:o}", "from", (json_int_t)from, "rows",
                                     (json_int_t)rows, "cells", list));
}
