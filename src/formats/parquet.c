/*
 * parquet.c - Parquet files, .parquet, read and written by DuckDB where it is installed.
 *
 * DuckDB works in a process of its own: a hostile file ends that one at worst, and no other. It
 * gets the bytes in memory that has no name (what it reads cannot change under it) and opens
 * nothing else. What it reads is handed on as an Arrow stream, by the code that takes columns of
 * other programs, and comes back as text in memory; what the columns are comes back through a pipe.
 * A release goes the other way. Lists, structs and maps are refused by the column's name; other
 * types that Arrow's columns have no cells for are their text.
 *
 * Costs the file and the text in memory besides what DuckDB needs, which is bounded by half of the
 * machine's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "duckdb/child.h"
#include "duckdb/duckdb.h"
#include "formats/arrow.h"
#include "formats/packed.h"

typedef struct parquet_work {
    tacit__duckdb duck;
    const tacit__format_input *input;
    const tacit_run *run;
    tacit_schema *schema;            /* read: what the columns are */
    int file, text;                  /* descriptors: of the file, and of the text that is read */
    uint64_t most;                   /* bytes that the text may have */
    struct ArrowArrayStream *stream; /* written */
    tacit__strbuf sql;
} parquet_work;

static tacit_status open_parquet(parquet_work *w, char *path, size_t size, int threads,
                                 tacit_error *err)
{
    const char *files[] = {path};
    const tacit__duckdb_options options = {.files = files,
                                           .file_count = 1,
                                           .threads = threads,
                                           .max_memory = sysconf(_SC_PHYS_PAGES) / 2 *
                                                         sysconf(_SC_PAGE_SIZE)};
    snprintf(path, size, "/proc/self/fd/%d", w->file);
    return tacit__duckdb_open(&w->duck, &options, err);
}

enum { PATH_SIZE = 32 };

/* ---- what is selected ---- */

/* Types that come as they are, by how their names begin; the rest as text. */
static bool is_taken_as_is(tacit_strview type)
{
    static const char *const PLAIN[] = {"BOOLEAN", "TINYINT",   "SMALLINT",  "INTEGER",
                                        "BIGINT",  "UTINYINT",  "USMALLINT", "UINTEGER",
                                        "UBIGINT", "FLOAT",     "DOUBLE",    "DATE",
                                        "VARCHAR", "TIMESTAMP", "DECIMAL("};
    for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++)
        if (type.len >= strlen(PLAIN[i]) && memcmp(type.bytes, PLAIN[i], strlen(PLAIN[i])) == 0)
            return true;
    return tacit_strview_equal(type, tacit_strview_of("TIME"));
}

static bool is_nested(tacit_strview type)
{
    static const char *const NESTED[] = {"STRUCT(", "MAP(", "UNION(", "VARIANT", "GEOMETRY"};
    for (size_t i = 0; i < sizeof NESTED / sizeof *NESTED; i++)
        if (type.len >= strlen(NESTED[i]) && memcmp(type.bytes, NESTED[i], strlen(NESTED[i])) == 0)
            return true;
    return type.len > 0 && type.bytes[type.len - 1] == ']';
}

/* A column of the file: its name and its type. */
static tacit_status select_column(void *context, const tacit_strview *cells, int32_t count,
                                  tacit_error *err)
{
    parquet_work *w = context;
    tacit_strview name = cells[0], type = count == 2 ? cells[1] : (tacit_strview){"", 0};
    bool bytes = tacit_strview_equal(type, tacit_strview_of("BLOB"));
    if (is_nested(type))
        return tacit__error(err, TACIT_INVALID,
                            "column \"%s\" holds lists or structs, of which no table is made: "
                            "unnest it, or leave it out",
                            tacit__show(name).text);
    const char *before = bytes ? "hex(" : is_taken_as_is(type) ? "(" : "CAST(";
    const char *behind = bytes || is_taken_as_is(type) ? ")" : " AS VARCHAR)";
    tacit__strbuf quoted = {0};
    for (size_t i = 0; i < name.len; i++)
        tacit__strbuf_add(&quoted, name.bytes[i] == '"' ? "\"\"" : name.bytes + i,
                          name.bytes[i] == '"' ? 2 : 1);
    tacit__strbuf_format(&w->sql, "%s%s\"%s\"%s AS \"%s\"", w->sql.len ? ", " : "SELECT ", before,
                         quoted.len ? quoted.bytes : "", behind, quoted.len ? quoted.bytes : "");
    w->sql.failed |= quoted.failed;
    tacit__strbuf_clear(&quoted);
    return w->sql.failed ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status select_columns(parquet_work *w, const char *path, tacit_error *err)
{
    char describe[256];
    snprintf(describe, sizeof describe,
             "SELECT column_name, column_type FROM (DESCRIBE FROM read_parquet('%s', "
             "hive_partitioning = false))",
             path);
    tacit_status status = tacit__duckdb_query(&w->duck, describe, select_column, w, NULL, err);
    tacit__strbuf_format(&w->sql, " FROM read_parquet('%s', hive_partitioning = false)%s", path,
                         w->input->header_only ? " LIMIT 0" : "");
    return status == TACIT_OK && w->sql.failed ? tacit__nomem(err) : status;
}

/* ---- DuckDB's rows as an Arrow stream ---- */

typedef struct row_stream {
    parquet_work *work;
    tacit__duckdb_running running;
    tacit__duckdb_handle options;
    tacit_error error;
} row_stream;

static int failed_with(row_stream *rows, tacit__duckdb_handle data)
{
    tacit__duckdb *duck = &rows->work->duck;
    if (!data)
        return 0;
    tacit__duckdb_failed(duck->error_data_message(data), &rows->error);
    duck->destroy_error_data(&data);
    return EIO;
}

static int rows_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    row_stream *rows = stream->private_data;
    tacit__duckdb *duck = &rows->work->duck;
    tacit__duckdb_result *result = &rows->running.result;
    uint64_t count = duck->column_count(result);
    tacit__duckdb_handle *types = tacit__alloc_zeroed(count, sizeof *types);
    const char **names = tacit__alloc_zeroed(count, sizeof *names);
    int failed = types && names ? 0 : ENOMEM;
    for (uint64_t i = 0; i < count && !failed; i++) {
        types[i] = duck->column_logical_type(result, i);
        names[i] = duck->column_name(result, i);
    }
    if (!failed)
        failed = failed_with(rows, duck->to_arrow_schema(rows->options, types, names, count, out));
    for (uint64_t i = 0; types && i < count; i++)
        if (types[i])
            duck->destroy_logical_type(&types[i]);
    tacit__free(types);
    tacit__free(names);
    return failed;
}

static int next_rows(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    row_stream *rows = stream->private_data;
    tacit__duckdb *duck = &rows->work->duck;
    tacit__duckdb_handle chunk = NULL;
    struct stat about;
    *out = (struct ArrowArray){.release = NULL};
    if (fstat(rows->work->text, &about) == 0 && (uint64_t)about.st_size > rows->work->most)
        return tacit__too_long(rows->work->input, &rows->error), EFBIG;
    if (tacit__duckdb_next(&chunk, &rows->running, &rows->error) != TACIT_OK)
        return EIO;
    if (!chunk)
        return 0;
    int failed = failed_with(rows, duck->data_chunk_to_arrow(rows->options, chunk, out));
    duck->destroy_data_chunk(&chunk);
    return failed;
}

static const char *rows_error(struct ArrowArrayStream *stream)
{
    const row_stream *rows = stream->private_data;
    return rows->error.message;
}

static void release_rows(struct ArrowArrayStream *stream)
{
    row_stream *rows = stream->private_data;
    if (rows->options)
        rows->work->duck.destroy_arrow_options(&rows->options);
    tacit__duckdb_stop(&rows->running);
    stream->release = NULL;
}

static tacit_status read_rows(parquet_work *w, tacit_error *err)
{
    row_stream rows = {.work = w};
    rows.error.show_values = err->show_values;
    tacit_status status = tacit__duckdb_start(&rows.running, &w->duck, w->sql.bytes, NULL, err);
    if (status == TACIT_OK)
        rows.options = w->duck.result_get_arrow_options(&rows.running.result);
    struct ArrowArrayStream stream = {.get_schema = rows_schema,
                                      .get_next = next_rows,
                                      .get_last_error = rows_error,
                                      .release = release_rows,
                                      .private_data = &rows};
    if (status != TACIT_OK) {
        release_rows(&stream);
        return status;
    }
    status = tacit_arrow_read(w->text, &w->schema, &stream, NULL, err);
    if (rows.error.status != TACIT_OK)
        *err = rows.error; /* in words of its own, not of a stream */
    return rows.error.status != TACIT_OK ? rows.error.status : status;
}

/* ---- what the columns are, through the pipe ---- */

typedef struct sent_column {
    uint32_t name_len, format_len;
    int32_t type, bytes, scale, categories;
} sent_column;

static void send_schema(tacit__strbuf *answer, const tacit_schema *schema)
{
    for (size_t i = 0; i < schema->count; i++) {
        const tacit__schema_column *column = &schema->columns[i];
        const sent_column sent = {(uint32_t)column->name.len,
                                  (uint32_t)column->format.len,
                                  (int32_t)column->type,
                                  column->bytes,
                                  column->scale,
                                  column->categories};
        tacit__strbuf_add(answer, (const char *)&sent, sizeof sent);
        tacit__strbuf_add(answer, column->name.bytes, column->name.len);
        tacit__strbuf_add(answer, column->format.bytes, column->format.len);
    }
}

static bool is_sound(const sent_column *sent, size_t left)
{
    return sent->name_len <= left && sent->format_len <= left - sent->name_len &&
           sent->type >= TACIT__TYPE_TEXT && sent->type <= TACIT__TYPE_MOMENT && sent->bytes >= 0 &&
           sent->bytes <= 16 && sent->scale >= 0 && sent->scale <= 38;
}

static tacit_status take_schema(tacit_schema *schema, const tacit__strbuf *answer, const char *name,
                                tacit_error *err)
{
    sent_column sent;
    for (size_t at = 0; at < answer->len; at += sent.name_len + sent.format_len) {
        bool whole = answer->len - at >= sizeof sent;
        if (whole)
            memcpy(&sent, answer->bytes + at, sizeof sent);
        at += sizeof sent;
        if (!whole || !is_sound(&sent, answer->len - at) || schema->count >= TACIT_MAX_COLUMNS)
            return tacit__error_at(err, TACIT_PARSE, name, 0, 0, "is damaged");
        tacit__schema_column *column =
            tacit__schema_add(schema, (tacit_strview){answer->bytes + at, sent.name_len});
        if (!column)
            return tacit__nomem(err);
        column->format = tacit__arena_copy(
            &schema->arena, (tacit_strview){answer->bytes + at + sent.name_len, sent.format_len});
        if (!column->format.bytes)
            return tacit__nomem(err);
        column->type = (tacit__type)sent.type;
        column->bytes = sent.bytes;
        column->scale = sent.scale;
        column->categories = sent.categories != 0;
    }
    return TACIT_OK;
}

/* ---- reading ---- */

static const char DIED[] =
    "the process that read it with DuckDB ended: the file is damaged, or takes more memory than "
    "there is";

static tacit_status read_in_child(void *context, tacit__strbuf *answer, tacit_error *err)
{
    parquet_work *w = context;
    char path[PATH_SIZE];
    tacit_status status = open_parquet(w, path, sizeof path, tacit__threads(w->run), err);
    if (status == TACIT_OK)
        status = select_columns(w, path, err);
    if (status == TACIT_OK)
        status = read_rows(w, err);
    if (status == TACIT_OK)
        send_schema(answer, w->schema);
    return status;
}

/* Moves the text into the caller's, and out of memory as it goes. */
static tacit_status take_text(tacit__format_text *text, int fd, tacit_error *err)
{
    enum { STEP = 1 << 24 };
    struct stat about;
    if (fstat(fd, &about) != 0)
        return tacit__io(err, "memory", "cannot be read", errno);
    size_t len = (size_t)about.st_size, at = 0;
    char *bytes = tacit__alloc(len + 1);
    if (!bytes)
        return tacit__nomem(err);
    while (at < len) {
        ssize_t got = pread(fd, bytes + at, len - at < STEP ? len - at : STEP, (off_t)at);
        if (got <= 0)
            break;
        fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at, got);
        at += (size_t)got;
    }
    bytes[at] = '\0';
    text->csv = (tacit__strbuf){.bytes = bytes, .len = at, .capacity = len + 1};
    return at == len ? TACIT_OK : tacit__io(err, "memory", "cannot be read", errno);
}

static tacit_status in_memory(int *fd, tacit_strview bytes, tacit_error *err)
{
    *fd = memfd_create("tacit", MFD_CLOEXEC);
    if (*fd < 0)
        return tacit__io(err, "memory", "cannot be opened as a file", errno);
    return bytes.len ? tacit__write_at(*fd, "memory", bytes.bytes, bytes.len, 0, err) : TACIT_OK;
}

/* The name of the file before what a process of its own has said of it. */
static tacit_status name_file(const char *name, tacit_status status, tacit_error *err)
{
    if (err && status != TACIT_NOMEM && status != TACIT_CANCELLED && !err->file[0])
        snprintf(err->file, sizeof err->file, "%s", name);
    return status;
}

static tacit_status read_parquet(tacit__format_text *text, tacit_schema *schema,
                                 const tacit__format_input *input, tacit_error *err)
{
    parquet_work w = {
        .input = input, .run = input->run, .file = -1, .text = -1, .most = text->most};
    tacit__strbuf answer = {0};
    tacit_status status = tacit__duckdb_load(&w.duck, err);
    if (status == TACIT_OK)
        status = in_memory(&w.file, input->bytes, err);
    if (status == TACIT_OK)
        status = in_memory(&w.text, (tacit_strview){NULL, 0}, err);
    if (status == TACIT_OK)
        status = tacit__child_run(&answer, read_in_child, &w, DIED, input->run, err);
    if (status == TACIT_OK)
        status = take_schema(schema, &answer, input->name, err);
    if (status == TACIT_OK)
        status = take_text(text, w.text, err);
    tacit__strbuf_clear(&answer);
    if (w.file >= 0)
        close(w.file);
    if (w.text >= 0)
        close(w.text);
    tacit__duckdb_close(&w.duck);
    return name_file(input->name, status, err);
}

/* ---- writing ---- */

static tacit_status write_in_child(void *context, tacit__strbuf *answer, tacit_error *err)
{
    parquet_work *w = context;
    char path[PATH_SIZE], sql[256];
    (void)answer;
    tacit_status status = open_parquet(w, path, sizeof path, 1, err);
    if (status == TACIT_OK && w->duck.arrow_scan(w->duck.connection, "released", w->stream))
        status = tacit__error(err, TACIT_IO, "DuckDB does not take the columns");
    snprintf(sql, sizeof sql,
             "COPY (FROM released) TO '%s' (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)",
             path);
    return status == TACIT_OK ? tacit__duckdb_query(&w->duck, sql, NULL, NULL, NULL, err) : status;
}

static bool same_but_case(tacit_strview a, tacit_strview b)
{
    return a.len == b.len && strncasecmp(a.bytes, b.bytes, a.len) == 0;
}

/* DuckDB would give other names to columns that have none, or that differ in case only. */
static tacit_status check_names(const tacit__format_release *release, tacit_error *err)
{
    const tacit_schema *schema = release->schema;
    for (size_t i = 0; i < schema->count; i++) {
        tacit_strview name = schema->columns[i].name;
        bool taken = name.len == 0;
        for (size_t j = 0; j < i && !taken; j++)
            taken = same_but_case(name, schema->columns[j].name);
        if (taken)
            return tacit__error_at(err, TACIT_INVALID, release->name, 0, 0,
                                   "column %zu (\"%s\") has no name, or one that another column "
                                   "has but for its case: DuckDB would rename it",
                                   i + 1, tacit__show(name).text);
    }
    return TACIT_OK;
}

static tacit_status write_parquet(const tacit__format_release *release, tacit_error *err)
{
    static const char ENDED[] = "the process that wrote it with DuckDB ended";
    struct ArrowArrayStream stream = {.release = NULL};
    parquet_work w = {.file = release->fd, .text = -1, .stream = &stream};
    tacit__strbuf answer = {0};
    tacit_status status = check_names(release, err);
    if (status == TACIT_OK)
        status = tacit__duckdb_load(&w.duck, err);
    if (status == TACIT_OK)
        status = tacit__arrow_write(&stream, release->schema, release->table, release->run, err);
    if (status == TACIT_OK)
        status = tacit__child_run(&answer, write_in_child, &w, ENDED, release->run, err);
    if (stream.release)
        stream.release(&stream);
    tacit__strbuf_clear(&answer);
    tacit__duckdb_close(&w.duck);
    return name_file(release->name, status, err);
}

/* Encrypted ones begin with PARE, and are refused by DuckDB. */
static bool is_parquet(tacit_strview bytes)
{
    return bytes.len >= 4 &&
           (memcmp(bytes.bytes, "PAR1", 4) == 0 || memcmp(bytes.bytes, "PARE", 4) == 0);
}

const tacit_format tacit__format_parquet = {.name = "Parquet",
                                            .endings = ".parquet",
                                            .is = is_parquet,
                                            .read = read_parquet,
                                            .write = write_parquet};
