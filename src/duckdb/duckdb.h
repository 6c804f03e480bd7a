/*
 * duckdb.h - DuckDB, loaded when it is first needed, and sessions of it that touch nothing but what
 * they were opened for. The only room that knows its C interface.
 *
 * Declared here is what is used of that interface (duckdb.h of DuckDB 1.4 and later): handles are
 * pointers, states are 0 where all went well.
 */
#ifndef TACIT_SRC_DUCKDB_DUCKDB_H
#define TACIT_SRC_DUCKDB_DUCKDB_H

#include <tacit/base.h>

#include "base/error.h"

struct ArrowArray;
struct ArrowSchema;

typedef void *tacit__duckdb_handle; /* of a database, a connection, a statement, ... */

/* The answer of a statement; passed by value, as DuckDB declares it. */
typedef struct tacit__duckdb_result {
    uint64_t unused[3];
    void *unused_too[2];
    void *data;
} tacit__duckdb_result;

typedef enum tacit__duckdb_type {
    TACIT__DUCKDB_INTEGER = 4,
    TACIT__DUCKDB_BIGINT = 5,
    TACIT__DUCKDB_HUGEINT = 16,
    TACIT__DUCKDB_VARCHAR = 17,
} tacit__duckdb_type;

#define TACIT__HANDLE tacit__duckdb_handle

/* What it returns, its name without duckdb_, and what it takes. */
#define TACIT__DUCKDB_FUNCTIONS(each)                                                              \
    each(int, create_config, (TACIT__HANDLE *)) each(                                              \
        int, set_config, (TACIT__HANDLE, const char *, const char *)) each(void, destroy_config,   \
                                                                           (TACIT__HANDLE *))      \
        each(int, open_ext, (const char *, TACIT__HANDLE *, TACIT__HANDLE, char **)) each(         \
            void, close, (TACIT__HANDLE *)) each(int, connect, (TACIT__HANDLE, TACIT__HANDLE *))   \
            each(void, disconnect, (TACIT__HANDLE *)) each(void, interrupt, (TACIT__HANDLE)) each( \
                void, free, (void *)) each(int, prepare,                                           \
                                           (TACIT__HANDLE, const char *,                           \
                                            TACIT__HANDLE *)) each(const char *, prepare_error,    \
                                                                   (TACIT__HANDLE))                \
                each(void, destroy_prepare, (TACIT__HANDLE *)) each(                               \
                    int,                                                                           \
                    pending_prepared_streaming,                                                    \
                    (TACIT__HANDLE,                                                                \
                     TACIT__HANDLE *)) each(int, pending_execute_task, (TACIT__HANDLE))            \
                    each(int, execute_pending, (TACIT__HANDLE, tacit__duckdb_result *)) each(      \
                        const char *, pending_error,                                               \
                        (TACIT__HANDLE)) each(void, destroy_pending, (TACIT__HANDLE *))            \
                        each(TACIT__HANDLE, fetch_chunk, (tacit__duckdb_result)) each(             \
                            const char *, result_error,                                            \
                            (tacit__duckdb_result                                                  \
                                 *)) each(void, destroy_result, (tacit__duckdb_result *))          \
                            each(uint64_t, column_count, (tacit__duckdb_result *)) each(           \
                                const char *, column_name,                                         \
                                (tacit__duckdb_result *, uint64_t))                                \
                                each(int, column_type, (tacit__duckdb_result *, uint64_t)) each(   \
                                    TACIT__HANDLE, column_logical_type,                            \
                                    (tacit__duckdb_result *, uint64_t))                            \
                                    each(void, destroy_logical_type, (TACIT__HANDLE *)) each(      \
                                        uint64_t, data_chunk_get_size,                             \
                                        (TACIT__HANDLE)) each(TACIT__HANDLE,                       \
                                                              data_chunk_get_vector,               \
                                                              (TACIT__HANDLE, uint64_t))           \
                                        each(void, destroy_data_chunk, (TACIT__HANDLE *)) each(    \
                                            void *,                                                \
                                            vector_get_data,                                       \
                                            (TACIT__HANDLE)) each(uint64_t *, vector_get_validity, \
                                                                  (TACIT__HANDLE))                 \
                                            each(                                                  \
                                                int,                                               \
                                                appender_create_ext,                               \
                                                (TACIT__HANDLE, const char *, const char *,        \
                                                 const char *,                                     \
                                                 TACIT__HANDLE                                     \
                                                     *)) each(int, append_varchar_length,          \
                                                              (TACIT__HANDLE, const char *,        \
                                                               uint64_t)) each(int, append_null,   \
                                                                               (TACIT__HANDLE))    \
                                                each(int, appender_end_row, (TACIT__HANDLE)) each( \
                                                    int, appender_close,                           \
                                                    (TACIT__HANDLE)) each(int, appender_destroy,   \
                                                                          (TACIT__HANDLE *))       \
                                                    each(TACIT__HANDLE, appender_error_data,       \
                                                         (TACIT__HANDLE)) each(const char *,       \
                                                                               error_data_message, \
                                                                               (TACIT__HANDLE))    \
                                                        each(void, destroy_error_data,             \
                                                             (TACIT__HANDLE *))                    \
                                                            each(TACIT__HANDLE,                    \
                                                                 result_get_arrow_options,         \
                                                                 (tacit__duckdb_result *))         \
                                                                each(void, destroy_arrow_options,  \
                                                                     (TACIT__HANDLE *))            \
                                                                    each(TACIT__HANDLE,            \
                                                                         to_arrow_schema,          \
                                                                         (TACIT__HANDLE,           \
                                                                          TACIT__HANDLE *,         \
                                                                          const char **, uint64_t, \
                                                                          struct ArrowSchema *))   \
                                                                        each(                      \
                                                                            TACIT__HANDLE,         \
                                                                            data_chunk_to_arrow,   \
                                                                            (TACIT__HANDLE,        \
                                                                             TACIT__HANDLE,        \
                                                                             struct ArrowArray *)) \
                                                                            each(int, arrow_scan,  \
                                                                                 (TACIT__HANDLE,   \
                                                                                  const char *,    \
                                                                                  TACIT__HANDLE))

#define TACIT__MEMBER(type, name, arguments) type(*name) arguments;
typedef struct tacit__duckdb {
    void *library;
    TACIT__DUCKDB_FUNCTIONS(TACIT__MEMBER)
    tacit__duckdb_handle database, connection;
} tacit__duckdb;
#undef TACIT__MEMBER

typedef struct tacit__duckdb_options {
    const char *path;         /* of a database that is there; NULL: one in memory */
    const char *const *files; /* that statements may read and write, and no other */
    size_t file_count;
    const char *spill; /* a folder for what memory does not hold; NULL: nothing is written */
    int threads;
    int64_t max_memory; /* bytes; 0: what DuckDB takes, four fifths of the machine's */
} tacit__duckdb_options;

/* Loads the library: libduckdb.so where the system looks for libraries, or the file that
 * TACIT_DUCKDB names. TACIT_INVALID and what to do where there is none. */
tacit_status tacit__duckdb_load(tacit__duckdb *duck, tacit_error *err);

/* Opens a session of what was loaded. Extensions, downloads, secrets, the network and other files
 * are off, and nothing that a statement says can change that. */
tacit_status tacit__duckdb_open(tacit__duckdb *duck, const tacit__duckdb_options *options,
                                tacit_error *err);
void tacit__duckdb_close(tacit__duckdb *duck);

/* What went wrong, in words; DuckDB's own, which can hold values of the data, where values may be
 * shown. */
tacit_status tacit__duckdb_failed(const char *message, tacit_error *err);

/* A statement that is being run. Zero-initialized is none. */
typedef struct tacit__duckdb_running {
    tacit__duckdb *duck;
    tacit__duckdb_handle statement, pending;
    tacit__duckdb_result result;
    bool has_result;
} tacit__duckdb_running;

/* Runs a statement until its first rows are there. The run is asked whether to go on. */
tacit_status tacit__duckdb_start(tacit__duckdb_running *running, tacit__duckdb *duck,
                                 const char *sql, const tacit_run *run, tacit_error *err);
/* The next rows, to be destroyed; NULL: there are no more. */
tacit_status tacit__duckdb_next(tacit__duckdb_handle *chunk, tacit__duckdb_running *running,
                                tacit_error *err);
void tacit__duckdb_stop(tacit__duckdb_running *running);

typedef tacit_status (*tacit__duckdb_row_fn)(void *context, const tacit_strview *cells,
                                             int32_t count, tacit_error *err);

/* Runs a statement and hands on its rows, of texts and whole numbers; row may be NULL. */
tacit_status tacit__duckdb_query(tacit__duckdb *duck, const char *sql, tacit__duckdb_row_fn row,
                                 void *context, const tacit_run *run, tacit_error *err);

#endif
