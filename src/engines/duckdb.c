/*
 * duckdb.c - DuckDB: a table of a database file, or Parquet files; the release is a table of the
 * same database, or a Parquet file.
 *
 *     duckdb:ward.duckdb?table=patients      duckdb:data/year.parquet
 *
 * DuckDB runs in this process, in a session that can open the named files and no other
 * (duckdb/session.c). Everything happens in one transaction of it, and no other process can open
 * the database meanwhile. What memory does not hold goes to a folder that only its owner can read;
 * a run that was killed leaves it to the next one. A view and Parquet files, whose rows have no
 * number, are copied into a table of the run first, so that all statements see one state of them.
 *
 * A release that is a file is written to a descriptor without a name, which stands for its path
 * from the start, and the judge reads it back from there; it gets its name at the end. DuckDB's
 * random numbers follow from 32 bits, so the order of a release and what is drawn come from a hash
 * of them under a key that is drawn for the run and never leaves it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/strbuf.h"
#include "duckdb/duckdb.h"
#include "engines/engines.h"

typedef struct duckdb_session {
    tacit__duckdb duck;
    glob_t files; /* of the data; none: it is a table of a database */
    struct stat *states;
    char *spill;
    bool spill_made; /* before, the folder may be that of the run that has the database open */
    int reserved;    /* a descriptor: the release's, once it has a target */
    char reserved_path[32];
    tacit_output *output;
    bool copied; /* to the release, from memory */
    tacit__duckdb_handle appender;
} duckdb_session;

#define OWN "temp"

static bool ends_in_parquet(const char *path)
{
    size_t len = strlen(path);
    return len > 8 && strcasecmp(path + len - 8, ".parquet") == 0;
}

static tacit_status run_duckdb(duckdb_session *s, const tacit__strbuf *sql, const tacit_run *run,
                               tacit_error *err)
{
    return sql->failed ? tacit__nomem(err)
                       : tacit__duckdb_query(&s->duck, sql->bytes, NULL, NULL, run, err);
}

/* ---- a folder for what memory does not hold ---- */

/* Removes a folder and the files that DuckDB has left in it. */
static void remove_spill(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *names = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *entry; names && (entry = readdir(names));)
        if (strncmp(entry->d_name, "duckdb_temp_", 12) == 0)
            unlinkat(dirfd(names), entry->d_name, 0);
    if (names)
        closedir(names);
    else if (fd >= 0)
        close(fd);
    rmdir(folder);
}

/* Beside a database, under one name: the next run finds what a killed one has left. */
static tacit_status name_spill(duckdb_session *s, const char *database, tacit_error *err)
{
    const char *folder = secure_getenv("TMPDIR");
    tacit__strbuf path = {0};
    if (database)
        tacit__strbuf_format(&path, "%s.tacit", database);
    else
        tacit__strbuf_format(&path, "%s/tacit-XXXXXX", folder && *folder ? folder : "/tmp");
    s->spill = path.bytes;
    if (path.failed)
        return tacit__nomem(err);
    s->spill_made = !database && mkdtemp(s->spill);
    return database || s->spill_made ? TACIT_OK : tacit__io(err, s->spill, "cannot be made", errno);
}

/* Once the database is open nobody else uses the folder beside it. */
static tacit_status make_spill(duckdb_session *s, tacit_error *err)
{
    struct stat about;
    if (!s->spill_made && mkdir(s->spill, 0700) != 0 && errno == EEXIST) {
        remove_spill(s->spill);
        mkdir(s->spill, 0700);
    }
    s->spill_made = true;
    if (lstat(s->spill, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
        (about.st_mode & 0077) == 0)
        return TACIT_OK;
    return tacit__error_at(err, TACIT_IO, s->spill, 0, 0,
                           "cannot be made as a folder that nobody else can read, for what memory "
                           "does not hold");
}

/* ---- opening ---- */

static void close_duckdb(void *connection)
{
    duckdb_session *s = connection;
    if (s->appender)
        s->duck.appender_destroy(&s->appender);
    tacit__duckdb_close(&s->duck);
    if (s->spill_made)
        remove_spill(s->spill);
    tacit_output_free(s->output);
    if (s->reserved >= 0)
        close(s->reserved);
    globfree(&s->files);
    tacit__free(s->states);
    tacit__free(s->spill);
    tacit__free(s);
}

/* The files of a pattern, as they are now. DuckDB takes each name for a pattern, too. */
static tacit_status find_files(duckdb_session *s, const char *pattern, tacit_error *err)
{
    if (glob(pattern, 0, NULL, &s->files) != 0)
        return tacit__error_at(err, TACIT_IO, pattern, 0, 0, "there is no such file");
    s->states = tacit__alloc_zeroed(s->files.gl_pathc, sizeof *s->states);
    if (!s->states)
        return tacit__nomem(err);
    for (size_t i = 0; i < s->files.gl_pathc; i++) {
        const char *path = s->files.gl_pathv[i];
        if (strpbrk(path, "*?[\\"))
            return tacit__error_at(err, TACIT_INVALID, path, 0, 0,
                                   "the name has one of the letters * ? [ and \\, which DuckDB "
                                   "takes for a pattern; rename the file");
        if (stat(path, &s->states[i]) != 0 || !S_ISREG(s->states[i].st_mode))
            return tacit__error_at(err, TACIT_IO, path, 0, 0, "is no file that can be read");
    }
    return TACIT_OK;
}

/* DuckDB would make a database where there is none, and takes other files for something else. */
static tacit_status find_database(const char *path, tacit_error *err)
{
    static const char MARK[] = "DUCK";
    enum { MARK_AT = 8 };
    char found[sizeof MARK] = "";
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return tacit__error_at(err, TACIT_IO, path, 0, 0, "there is no such database");
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return tacit__io(err, path, "cannot open", errno);
    ssize_t len = pread(fd, found, sizeof MARK - 1, MARK_AT);
    close(fd);
    return len > 0 && strcmp(found, MARK) == 0
               ? TACIT_OK
               : tacit__error_at(err, TACIT_PARSE, path, 0, 0, "is no database of DuckDB");
}

/* A place among the descriptors, so that its path can be allowed before the release has a name.
 * What has a name would be allowed, and refused, by that. */
static tacit_status reserve(duckdb_session *s, tacit_error *err)
{
    s->reserved = memfd_create("tacit", MFD_CLOEXEC);
    if (s->reserved < 0)
        return tacit__io(err, "memory", "cannot be opened as a file", errno);
    snprintf(s->reserved_path, sizeof s->reserved_path, "/proc/self/fd/%d", s->reserved);
    return TACIT_OK;
}

static tacit_status open_session(duckdb_session *s, const char *database, const tacit_run *run,
                                 tacit_error *err)
{
    size_t count = s->files.gl_pathc;
    const char **files = tacit__alloc_array(count + 1, sizeof *files);
    if (!files)
        return tacit__nomem(err);
    for (size_t i = 0; i < count; i++)
        files[i] = s->files.gl_pathv[i];
    files[count] = s->reserved_path;
    const tacit__duckdb_options options = {.path = database,
                                           .files = files,
                                           .file_count = count + 1,
                                           .spill = s->spill,
                                           .threads = tacit__threads(run)};
    tacit_status status = tacit__duckdb_open(&s->duck, &options, err);
    tacit__free(files);
    return status;
}

static tacit_status connect_duckdb(void **connection, const char *server, const tacit_run *run,
                                   tacit_error *err)
{
    const char *path = server + strlen("duckdb:");
    const char *database = ends_in_parquet(path) ? NULL : path;
    duckdb_session *s = tacit__alloc_zeroed(1, sizeof *s);
    if (!s)
        return tacit__nomem(err);
    s->reserved = -1;
    tacit_status status = database ? find_database(path, err) : find_files(s, path, err);
    if (status == TACIT_OK)
        status = tacit__duckdb_load(&s->duck, err);
    if (status == TACIT_OK)
        status = reserve(s, err);
    if (status == TACIT_OK)
        status = name_spill(s, database, err);
    if (status == TACIT_OK)
        status = open_session(s, database, run, err);
    if (status == TACIT_OK)
        status = make_spill(s, err);
    if (status == TACIT_OK)
        *connection = s;
    else
        close_duckdb(s);
    return status;
}

/* ---- the data ---- */

static void quote_into(tacit__strbuf *sql, tacit_strview text, char quote)
{
    tacit__strbuf_add(sql, &quote, 1);
    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] == quote)
            tacit__strbuf_add(sql, &quote, 1);
        tacit__strbuf_add(sql, text.bytes + i, 1);
    }
    tacit__strbuf_add(sql, &quote, 1);
}

static void add_source(tacit__strbuf *sql, const duckdb_session *s, const tacit__place *place)
{
    if (s->files.gl_pathc == 0) {
        if (*place->schema) {
            quote_into(sql, tacit_strview_of(place->schema), '"');
            tacit__strbuf_text(sql, ".");
        }
        quote_into(sql, tacit_strview_of(place->table), '"');
        return;
    }
    tacit__strbuf_text(sql, "read_parquet([");
    for (size_t i = 0; i < s->files.gl_pathc; i++) {
        tacit__strbuf_text(sql, i ? ", " : "");
        quote_into(sql, tacit_strview_of(s->files.gl_pathv[i]), '\'');
    }
    tacit__strbuf_text(sql, "])");
}

static tacit_status check_unchanged(const duckdb_session *s, tacit_error *err)
{
    for (size_t i = 0; i < s->files.gl_pathc; i++) {
        const struct stat *was = &s->states[i];
        struct stat is;
        if (stat(s->files.gl_pathv[i], &is) != 0 || is.st_ino != was->st_ino ||
            is.st_size != was->st_size || is.st_mtim.tv_sec != was->st_mtim.tv_sec ||
            is.st_mtim.tv_nsec != was->st_mtim.tv_nsec)
            return tacit__error_at(err, TACIT_IO, s->files.gl_pathv[i], 0, 0,
                                   "was changed while it was read; run again");
    }
    return TACIT_OK;
}

/* Copies what has no numbers of rows into a table of the run, which the place names from then on.
 */
static tacit_status copy_source(duckdb_session *s, tacit__place *place, const tacit_run *run,
                                tacit_error *err)
{
    char *schema = tacit__copy_text(OWN), *table = tacit__copy_text("tacit data");
    tacit__strbuf sql = {0};
    tacit__strbuf_text(&sql, "CREATE TEMP TABLE " OWN ".\"tacit data\" AS SELECT * FROM ");
    add_source(&sql, s, place);
    tacit_status status = schema && table ? run_duckdb(s, &sql, run, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = check_unchanged(s, err);
    tacit__strbuf_clear(&sql);
    if (status != TACIT_OK) {
        tacit__free(schema);
        tacit__free(table);
        return status;
    }
    tacit__free(place->schema);
    tacit__free(place->table);
    place->schema = schema;
    place->table = table;
    return TACIT_OK;
}

static tacit_status see_column(void *context, const tacit_strview *cells, int32_t count,
                               tacit_error *err)
{
    (void)context;
    if (count == 1 && cells[0].len == 5 && strncasecmp(cells[0].bytes, "rowid", 5) == 0)
        return tacit__error(err, TACIT_INVALID,
                            "a column is called rowid, as DuckDB's own number of a row is; rename "
                            "it");
    return TACIT_OK;
}

/* Whether the rows have DuckDB's numbers, which a column of the same name would hide. */
static tacit_status look_at_source(bool *numbered, duckdb_session *s, const tacit__place *place,
                                   const tacit_run *run, tacit_error *err)
{
    tacit__strbuf sql = {0};
    tacit__strbuf_text(&sql, "SELECT column_name FROM (DESCRIBE FROM ");
    add_source(&sql, s, place);
    tacit__strbuf_text(&sql, ")");
    tacit_status status =
        sql.failed ? tacit__nomem(err)
                   : tacit__duckdb_query(&s->duck, sql.bytes, see_column, NULL, run, err);
    sql.len = 0;
    tacit__strbuf_text(&sql, "SELECT rowid FROM ");
    add_source(&sql, s, place);
    tacit__strbuf_text(&sql, " LIMIT 0");
    *numbered =
        status == TACIT_OK && s->files.gl_pathc == 0 && run_duckdb(s, &sql, run, NULL) == TACIT_OK;
    tacit__strbuf_clear(&sql);
    return status;
}

static tacit_status settle_duckdb(void *connection, tacit__place *place, const tacit_run *run,
                                  tacit_error *err)
{
    duckdb_session *s = connection;
    bool numbered = false;
    if (s->files.gl_pathc && *place->table)
        return tacit__error(err, TACIT_INVALID,
                            "Parquet files are one table: leave out ?table= and what follows it");
    if (!s->files.gl_pathc && !*place->table)
        return tacit__error(err, TACIT_INVALID,
                            "no table is named; add ?table=NAME to the address of the database");
    tacit_status status = look_at_source(&numbered, s, place, run, err);
    return status == TACIT_OK && !numbered ? copy_source(s, place, run, err) : status;
}

/* ---- asking and loading ---- */

static tacit_status query_duckdb(void *connection, const char *sql, tacit_engine_row_fn row,
                                 void *context, const tacit_run *run, tacit_error *err)
{
    duckdb_session *s = connection;
    return tacit__duckdb_query(&s->duck, sql, row, context, run, err);
}

static tacit_status append_failed(duckdb_session *s, tacit_error *err)
{
    tacit__duckdb_handle data = s->duck.appender_error_data(s->appender);
    const char *message = data ? s->duck.error_data_message(data) : NULL;
    tacit_status status = tacit__duckdb_failed(message ? message : "", err);
    if (data)
        s->duck.destroy_error_data(&data);
    return status;
}

static tacit_status append_begin(void *connection, tacit_place_name table, const char *quoted,
                                 const tacit_run *run, tacit_error *err)
{
    duckdb_session *s = connection;
    char *name = tacit__copy_bytes(table.name.bytes, table.name.len);
    char *schema = tacit__copy_bytes(table.schema.bytes, table.schema.len);
    tacit_status status = name && schema ? TACIT_OK : tacit__nomem(err);
    (void)quoted, (void)run;
    if (status == TACIT_OK) {
        bool own = strcmp(schema, OWN) == 0; /* the name of a database, to DuckDB */
        const char *in = own || !*schema ? NULL : schema;
        if (s->duck.appender_create_ext(s->duck.connection, own ? OWN : NULL, in, name,
                                        &s->appender))
            status = append_failed(s, err);
    }
    tacit__free(name);
    tacit__free(schema);
    return status;
}

static tacit_status append_row(void *connection, const tacit_strview *cells, int32_t count,
                               tacit_error *err)
{
    duckdb_session *s = connection;
    int failed = 0;
    for (int32_t i = 0; i < count; i++)
        failed |= cells[i].bytes
                      ? s->duck.append_varchar_length(s->appender, cells[i].bytes, cells[i].len)
                      : s->duck.append_null(s->appender);
    return failed || s->duck.appender_end_row(s->appender) ? append_failed(s, err) : TACIT_OK;
}

static tacit_status append_end(void *connection, const tacit_run *run, tacit_error *err)
{
    duckdb_session *s = connection;
    (void)run;
    if (!s->appender)
        return TACIT_OK;
    tacit_status status = s->duck.appender_close(s->appender) ? append_failed(s, err) : TACIT_OK;
    s->duck.appender_destroy(&s->appender);
    s->appender = NULL;
    return status;
}

/* ---- a release that is a file ---- */

static tacit_status open_file(void *connection, const char *path, tacit_error *err)
{
    duckdb_session *s = connection;
    struct stat about;
    for (size_t i = 0; stat(path, &about) == 0 && i < s->files.gl_pathc; i++)
        if (about.st_ino == s->states[i].st_ino && about.st_dev == s->states[i].st_dev)
            return tacit__error(err, TACIT_INVALID,
                                "the release would take the place of the data; name another file");
    tacit_status status = tacit_output_new(&s->output, path, err);
    if (status != TACIT_OK)
        return status;
    int fd = tacit_output_fd(s->output);
    s->copied = fstat(fd, &about) != 0 || about.st_nlink > 0; /* some file systems need a name */
    if (!s->copied && dup3(fd, s->reserved, O_CLOEXEC) < 0)
        status = tacit__io(err, path, "cannot be written", errno);
    return status;
}

static tacit_status make_file(void *connection, tacit_place_name made, const char *select,
                              const tacit_run *run, tacit_error *err)
{
    duckdb_session *s = connection;
    tacit__strbuf sql = {0};
    tacit__strbuf_format(&sql,
                         "COPY (%s) TO '%s' (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)",
                         select, s->reserved_path);
    tacit_status status = run_duckdb(s, &sql, run, err);
    sql.len = 0;
    tacit__strbuf_text(&sql, "CREATE TEMP VIEW ");
    quote_into(&sql, made.name, '"');
    tacit__strbuf_format(&sql, " AS SELECT * FROM read_parquet('%s', hive_partitioning = false)",
                         s->reserved_path);
    if (status == TACIT_OK)
        status = run_duckdb(s, &sql, run, err);
    tacit__strbuf_clear(&sql);
    return status;
}

static tacit_status file_appears(void *connection, tacit_error *err)
{
    duckdb_session *s = connection;
    off_t at = 0;
    ssize_t sent = 1;
    while (s->copied && sent > 0)
        sent = sendfile(tacit_output_fd(s->output), s->reserved, &at, 1 << 30);
    return sent < 0 ? tacit__io(err, "the release", "cannot be written", errno)
                    : tacit_output_commit(s->output, err);
}

static const tacit_file_driver parquet_files = {
    .ending = ".parquet", .open = open_file, .make = make_file, .appear = file_appears};

/* A name of a table without the schema or the database that need not be said. */
#define BARE                                                                                      \
    "lower(regexp_replace(%q, '^\"(main|' || regexp_escape(current_database()) || ')\"\\.', '', " \
    "'i'))"

const tacit_driver tacit__driver_duckdb = {
    .name = "DuckDB",
    .schemes = "duckdb:",
    .dialect = {.row_key = "rowid",
                .differ = "IS DISTINCT FROM",
                .cell = "",
                .cell_end = "",
                .draw = "ROW_NUMBER() OVER (ORDER BY y.class, y.chance)",
                .create_own = "CREATE TEMP TABLE",
                .text_type = "VARCHAR",
                .number_type = "BIGINT",
                .windows = true,
                .unique = " PRIMARY KEY",
                .present = " NOT NULL",
                .storage = "",
                .analyze = "ANALYZE %p",
                .hash = "CAST(SUM(CAST(hash(ROW(",
                .hash_end = ")) AS HUGEINT)) AS VARCHAR)"},
    .quote = '"',
    .in_text = "CAST(",
    .as_text = " AS VARCHAR) COLLATE \"C\"",
    .own = OWN,
    .random = "md5_number_upper(%v || uuid())",
    .connect = connect_duckdb,
    .close = close_duckdb,
    .query = query_duckdb,
    .settle = settle_duckdb,
    .load_begin = append_begin,
    .load_row = append_row,
    .load_end = append_end,
    .columns_of = "SELECT name, type FROM pragma_table_info(%q) ORDER BY cid",
    .same_table = "SELECT CASE WHEN " BARE " = " BARE " THEN 1 ELSE 0 END",
    .begin = "BEGIN TRANSACTION",
    .commit = "COMMIT",
    .drop = "DROP TABLE IF EXISTS %p",
    .rename = "ALTER TABLE %p RENAME TO %b",
    .files = &parquet_files,
};
