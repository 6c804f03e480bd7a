/*
 * statement.c - statements of DuckDB: run task by task, so that they can be stopped, and their rows
 * as text.
 *
 * What DuckDB says went wrong begins with the kind of the error ("Catalog Error: ..."), which is
 * shown in words of ours. The rest can hold values of the data.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/parallel.h"
#include "duckdb/duckdb.h"

/* ---- what went wrong ---- */

static const struct {
    const char *said; /* somewhere in the message */
    tacit_status status;
    const char *words;
} WORDS[] = {
    {"Could not set lock", TACIT_IO, "another program has the database open; close it there"},
    {"ncrypted", TACIT_INVALID, "the file is encrypted; decrypt it"},
    {"No space left", TACIT_IO, "the disk is full"},
    {"not a valid DuckDB database", TACIT_PARSE, "the file is no database of DuckDB"},
    {"storage version", TACIT_PARSE, "the database is of a version that this DuckDB cannot read"},
    {"Catalog Error: Table", TACIT_INVALID, "there is no such table"},
    {"Catalog Error: Schema", TACIT_INVALID, "there is no such schema"},
    {"Catalog Error: Existing object", TACIT_INVALID,
     "the name is that of a view; name another table"},
    {"Dependency Error", TACIT_INVALID,
     "other objects depend on the table that the release is to take the place of: drop them, or "
     "name another table"},
    {"Out of Memory Error", TACIT_LIMIT, "it has run out of memory"},
    {"INTERRUPT Error", TACIT_CANCELLED, "the statement was stopped"},
    {"read-only", TACIT_INVALID, "the database takes no changes (read only)"},
    {"Permission Error", TACIT_INVALID, "a statement asks for a file that was not named"},
    {"Permission denied", TACIT_IO, "this user has not the right to open the file"},
    {"IO Error", TACIT_IO, "a file cannot be read or written"},
    {"Invalid Input Error", TACIT_PARSE, "a file is damaged, or not what it should be"},
    {"TransactionContext Error", TACIT_IO, "the transaction was ended"},
};

tacit_status tacit__duckdb_failed(const char *message, tacit_error *err)
{
    tacit_status status = TACIT_IO;
    const char *words = "the statement failed";
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (strstr(message, WORDS[i].said)) {
            status = WORDS[i].status;
            words = WORDS[i].words;
            break;
        }
    bool shown = err && err->show_values;
    return tacit__error(err, status, "DuckDB: %s%s%.400s", words, shown ? ": " : "",
                        shown ? message : "");
}

static tacit_status refused(const char *message, tacit_error *err)
{
    return tacit__duckdb_failed(message ? message : "", err);
}

/* ---- running ---- */

enum { RESULT_READY, RESULT_NOT_READY, RESULT_ERROR, NO_TASKS };

/* Works on the statement until its first rows are there. */
static tacit_status work(tacit__duckdb_running *running, const tacit_run *run, tacit_error *err)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    tacit__duckdb *duck = running->duck;
    for (;;) {
        tacit_status status = tacit__progress(run, "database", 0, 0, err);
        if (status != TACIT_OK)
            return status;
        switch (duck->pending_execute_task(running->pending)) {
        case RESULT_READY: return TACIT_OK;
        case RESULT_ERROR: return refused(duck->pending_error(running->pending), err);
        case NO_TASKS: nanosleep(&pause, NULL); break; /* other threads have them */
        default: break;
        }
    }
}

tacit_status tacit__duckdb_start(tacit__duckdb_running *running, tacit__duckdb *duck,
                                 const char *sql, const tacit_run *run, tacit_error *err)
{
    *running = (tacit__duckdb_running){.duck = duck};
    if (duck->prepare(duck->connection, sql, &running->statement))
        return refused(duck->prepare_error(running->statement), err);
    if (duck->pending_prepared_streaming(running->statement, &running->pending))
        return refused(duck->pending_error(running->pending), err);
    tacit_status status = work(running, run, err);
    if (status == TACIT_CANCELLED)
        duck->interrupt(duck->connection);
    if (status != TACIT_OK)
        return status;
    running->has_result = true; /* also one that has failed */
    if (duck->execute_pending(running->pending, &running->result))
        return refused(duck->result_error(&running->result), err);
    return TACIT_OK;
}

tacit_status tacit__duckdb_next(tacit__duckdb_handle *chunk, tacit__duckdb_running *running,
                                tacit_error *err)
{
    *chunk = running->duck->fetch_chunk(running->result);
    const char *message = *chunk ? NULL : running->duck->result_error(&running->result);
    return message && *message ? refused(message, err) : TACIT_OK;
}

void tacit__duckdb_stop(tacit__duckdb_running *running)
{
    tacit__duckdb *duck = running->duck;
    if (running->has_result)
        duck->destroy_result(&running->result);
    if (running->pending)
        duck->destroy_pending(&running->pending);
    if (running->statement)
        duck->destroy_prepare(&running->statement);
    *running = (tacit__duckdb_running){.duck = duck};
}

/* ---- rows ---- */

/* A text as DuckDB has it: short ones in place. */
typedef struct duckdb_text {
    uint32_t len;
    char start[4];
    union {
        char rest[8];
        const char *bytes;
    };
} duckdb_text;

/* A number of 128 bits. */
typedef struct duckdb_huge {
    uint64_t lower;
    int64_t upper;
} duckdb_huge;

/* A column of a chunk. */
typedef struct column_view {
    int type;
    const void *data;
    const uint64_t *valid; /* NULL: all are */
} column_view;

typedef struct row_reader {
    tacit__duckdb *duck;
    column_view *columns;
    tacit_strview *cells;
    char (*digits)[24];
    uint64_t count;
} row_reader;

static tacit_status number_at(int64_t *number, const column_view *column, uint64_t row,
                              tacit_error *err)
{
    switch (column->type) {
    case TACIT__DUCKDB_INTEGER: *number = ((const int32_t *)column->data)[row]; return TACIT_OK;
    case TACIT__DUCKDB_BIGINT: *number = ((const int64_t *)column->data)[row]; return TACIT_OK;
    case TACIT__DUCKDB_HUGEINT: {
        duckdb_huge huge = ((const duckdb_huge *)column->data)[row];
        *number = (int64_t)huge.lower;
        if (huge.upper == (*number < 0 ? -1 : 0))
            return TACIT_OK;
        return tacit__error(err, TACIT_LIMIT, "DuckDB: a number of more than 64 bits");
    }
    default: return tacit__error(err, TACIT_IO, "DuckDB: an answer is neither text nor number");
    }
}

static tacit_status cell_at(row_reader *r, uint64_t at, uint64_t row, tacit_error *err)
{
    const column_view *column = &r->columns[at];
    int64_t number = 0;
    if (column->valid && !(column->valid[row / 64] >> (row % 64) & 1)) {
        r->cells[at] = (tacit_strview){NULL, 0};
        return TACIT_OK;
    }
    if (column->type == TACIT__DUCKDB_VARCHAR) {
        const duckdb_text *text = (const duckdb_text *)column->data + row;
        r->cells[at] = (tacit_strview){
            text->len <= sizeof text->start + sizeof text->rest ? text->start : text->bytes,
            text->len};
        return TACIT_OK;
    }
    tacit_status status = number_at(&number, column, row, err);
    int len = snprintf(r->digits[at], sizeof r->digits[at], "%lld", (long long)number);
    r->cells[at] = (tacit_strview){r->digits[at], (size_t)len};
    return status;
}

static tacit_status hand_on(row_reader *r, tacit__duckdb_handle chunk, tacit__duckdb_row_fn row,
                            void *context, tacit_error *err)
{
    uint64_t rows = r->duck->data_chunk_get_size(chunk);
    tacit_status status = TACIT_OK;
    for (uint64_t i = 0; i < r->count; i++) {
        tacit__duckdb_handle vector = r->duck->data_chunk_get_vector(chunk, i);
        r->columns[i].data = r->duck->vector_get_data(vector);
        r->columns[i].valid = r->duck->vector_get_validity(vector);
    }
    for (uint64_t at = 0; at < rows && status == TACIT_OK; at++) {
        for (uint64_t i = 0; i < r->count && status == TACIT_OK; i++)
            status = cell_at(r, i, at, err);
        if (status == TACIT_OK)
            status = row(context, r->cells, (int32_t)r->count, err);
    }
    return status;
}

static tacit_status reader_init(row_reader *r, tacit__duckdb_running *running, tacit_error *err)
{
    *r = (row_reader){.duck = running->duck};
    r->count = r->duck->column_count(&running->result);
    r->columns = tacit__alloc_zeroed(r->count, sizeof *r->columns);
    r->cells = tacit__alloc_zeroed(r->count, sizeof *r->cells);
    r->digits = tacit__alloc_zeroed(r->count, sizeof *r->digits);
    if (!r->columns || !r->cells || !r->digits)
        return tacit__nomem(err);
    for (uint64_t i = 0; i < r->count; i++)
        r->columns[i].type = r->duck->column_type(&running->result, i);
    return TACIT_OK;
}

static void reader_clear(row_reader *r)
{
    tacit__free(r->columns);
    tacit__free(r->cells);
    tacit__free(r->digits);
}

static tacit_status take_rows(tacit__duckdb_running *running, tacit__duckdb_row_fn row,
                              void *context, const tacit_run *run, tacit_error *err)
{
    row_reader r;
    tacit_status status = reader_init(&r, running, err);
    while (status == TACIT_OK) {
        tacit__duckdb_handle chunk = NULL;
        status = tacit__duckdb_next(&chunk, running, err);
        if (!chunk)
            break;
        if (row)
            status = hand_on(&r, chunk, row, context, err);
        r.duck->destroy_data_chunk(&chunk);
        if (status == TACIT_OK)
            status = tacit__progress(run, "database", 0, 0, err);
    }
    reader_clear(&r);
    return status;
}

tacit_status tacit__duckdb_query(tacit__duckdb *duck, const char *sql, tacit__duckdb_row_fn row,
                                 void *context, const tacit_run *run, tacit_error *err)
{
    tacit__duckdb_running running = {0};
    tacit_status status = tacit__duckdb_start(&running, duck, sql, run, err);
    if (status == TACIT_OK)
        status = take_rows(&running, row, context, run, err);
    tacit__duckdb_stop(&running);
    return status;
}
