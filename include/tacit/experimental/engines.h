/*
 * engines.h - tables in databases: a connection to an engine, and statements made for it.
 *
 * A place says where a table is, such as postgresql://host/database?table=patients. Passwords come
 * from the engine's own files and environment and are refused in a place. Statements are put
 * together from parts that are quoted here, so no name and no value of the data becomes a part of
 * a statement as it is.
 *
 *     tacit_engine *engine = NULL;
 *     tacit_sql sql = {0};
 *     if (tacit_engine_open(&engine, "postgresql:///ward?table=patients", &run, &err) == TACIT_OK)
 * { tacit_sql_add(&sql, engine, "SELECT COUNT(*) FROM %p", tacit_engine_table(engine));
 *         tacit_engine_query(engine, &sql, print_row, NULL, &run, &err);
 *     }
 */
#ifndef TACIT_ENGINES_H
#define TACIT_ENGINES_H

#include <tacit/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_engine tacit_engine;

/* A table's name: the schema, if one is given, and its own. */
typedef struct tacit_place_name {
    tacit_strview schema; /* empty: the one that the engine looks in */
    tacit_strview name;
} tacit_place_name;

/* Whether a path is a place in an engine. */
bool tacit_is_place(const char *path);

/* Connects. What is opened sees one state of the data until it is committed or closed; closing it
 * without a commit leaves nothing behind. */
tacit_status tacit_engine_open(tacit_engine **out, const char *place, const tacit_run *run,
                               tacit_error *err);
void tacit_engine_close(tacit_engine *engine);

/* The same where the table is what a query answers, which the engine keeps for this run; the place
 * need not name a table, and one that it names is of no use. */
tacit_status tacit_engine_open_query(tacit_engine **out, const char *place, tacit_strview query,
                                     const tacit_run *run, tacit_error *err);

/* The same where there are no data: the place is the target of a release, whose name is *table. */
tacit_status tacit_engine_open_target(tacit_engine **out, tacit_place_name *table,
                                      const char *place, const tacit_run *run, tacit_error *err);

const char *tacit_engine_name(const tacit_engine *engine);        /* "PostgreSQL" */
tacit_place_name tacit_engine_source(const tacit_engine *engine); /* the table as it was named */

/* Whether another place is in the database that the engine is connected to. */
bool tacit_engine_serves(const tacit_engine *engine, const char *place);

/* The table that another place in the same database names: where a release goes. Refused where that
 * would take the place of the data. */
tacit_status tacit_engine_target(tacit_place_name *out, tacit_engine *engine, const char *place,
                                 const tacit_run *run, tacit_error *err);

/* ---- statements ---- */

/* Zero-initialized is empty. Running out of memory is remembered. */
typedef struct tacit_sql {
    char *text;
    size_t len, capacity;
    bool failed;
} tacit_sql;

/* Adds text in which these stand for an argument each:
 *   %n  tacit_strview: a name, quoted           %v  tacit_strview: a text, quoted
 *   %p  tacit_place_name: a table, quoted       %s  const char *: as it is, never from data
 *   %d  int64_t: a number                       %q  tacit_place_name: its name as a text, quoted
 *   %r  a random number, another for each row      %b  tacit_place_name: without its schema, quoted
 *       (no argument)
 *   %x  tacit_strview: a column's value as text, compared byte by byte; %t and %u the same of the
 *       tables that the statement calls t and s */
void tacit_sql_add(tacit_sql *sql, const tacit_engine *engine, const char *format, ...);
void tacit_sql_clear(tacit_sql *sql);

/* A row of an answer: a cell each, bytes NULL for null. */
typedef tacit_status (*tacit_engine_row_fn)(void *context, const tacit_strview *cells,
                                            int32_t count, tacit_error *err);

/* Runs a statement, empties it, and hands on the rows of its answer; row may be NULL. */
tacit_status tacit_engine_query(tacit_engine *engine, tacit_sql *sql, tacit_engine_row_fn row,
                                void *context, const tacit_run *run, tacit_error *err);

/* The same of one whole number. */
tacit_status tacit_engine_number(int64_t *out, tacit_engine *engine, tacit_sql *sql,
                                 const tacit_run *run, tacit_error *err);

/* A column of a table: its name, and the engine's name of its type. */
typedef struct tacit_engine_column {
    tacit_strview name, type;
} tacit_engine_column;

typedef struct tacit_engine_columns {
    tacit_engine_column *list;
    int32_t count;
    char *text;
} tacit_engine_columns;

tacit_status tacit_engine_columns_of(tacit_engine_columns *out, tacit_engine *engine,
                                     tacit_place_name table, const tacit_run *run,
                                     tacit_error *err);
void tacit_engine_columns_clear(tacit_engine_columns *columns);

/* ---- shards ---- */

/* A part of a table: on a server of its own, or beside the others. Texts are the list's. */
typedef struct tacit_shard {
    tacit_place_name here;  /* what the engine calls it */
    tacit_place_name there; /* what it is called where its rows are */
    const char *server;     /* how to connect to that server; NULL: as the engine is */
    const char *foreign;    /* what the engine calls that server; NULL: it is the engine's own */
} tacit_shard;

typedef struct tacit_shards {
    tacit_shard *list;
    int32_t count; /* 0: the table is in one piece */
    char **texts;
    size_t text_count;
} tacit_shards;

/* The shards of a table, in the order of their names; refuses what cannot be reached. */
tacit_status tacit_engine_shards_of(tacit_shards *out, tacit_engine *engine, tacit_place_name table,
                                    const tacit_run *run, tacit_error *err);
void tacit_shards_clear(tacit_shards *shards);

/* The names that an engine answers; empty where it has none to say. */
typedef struct tacit_engine_names {
    tacit_strview *list;
    int32_t count;
    char *text;
} tacit_engine_names;

void tacit_engine_names_clear(tacit_engine_names *names);

/* The columns that say which shard a row is in; an empty name for what is computed. */
tacit_status tacit_engine_shard_columns(tacit_engine_names *out, tacit_engine *engine,
                                        tacit_place_name table, const tacit_run *run,
                                        tacit_error *err);

/* Connects to a shard's server; the engine's table is the shard. Both must outlive it. */
tacit_status tacit_engine_open_shard(tacit_engine **out, const tacit_engine *engine,
                                     const tacit_shard *shard, const tacit_run *run,
                                     tacit_error *err);

/* A number that tells the engine from others. */
tacit_status tacit_engine_identity(int64_t *out, tacit_engine *engine, const tacit_run *run,
                                   tacit_error *err);

/* Until the engine is closed, a table of that name is no leftover. */
tacit_status tacit_engine_claim(tacit_engine *engine, tacit_strview name, const tacit_run *run,
                                tacit_error *err);

/* Tables whose names start so and that nobody claims, which are now claimed; and the names of those
 * that are shards of a table here. */
tacit_status tacit_engine_leftovers(tacit_engine_names *out, tacit_engine *engine,
                                    tacit_place_name start, const tacit_run *run, tacit_error *err);
tacit_status tacit_engine_published(tacit_engine_names *out, tacit_engine *engine,
                                    tacit_strview start, const tacit_run *run, tacit_error *err);

/* Shards of a table that are named so where they are; none where there is no such table. */
tacit_status tacit_engine_joined(tacit_shards *out, tacit_engine *engine, tacit_place_name table,
                                 tacit_strview start, const tacit_run *run, tacit_error *err);

/* Has a table be the shard of another one. A foreign one gets the name `here`. */
tacit_status tacit_engine_join(tacit_engine *engine, tacit_place_name table,
                               const tacit_shard *shard, const tacit_run *run, tacit_error *err);
/* The other way round; a foreign one stays where it is, the engine's own is gone. */
tacit_status tacit_engine_part(tacit_engine *engine, const tacit_shard *shard, const tacit_run *run,
                               tacit_error *err);
tacit_status tacit_engine_drop(tacit_engine *engine, tacit_place_name table, const tacit_run *run,
                               tacit_error *err);

/* Whether two names are one table's. */
tacit_status tacit_engine_is_same(bool *out, tacit_engine *engine, tacit_place_name left,
                                  tacit_place_name right, const tacit_run *run, tacit_error *err);

/* Whether nobody but its owner may read a table. */
tacit_status tacit_engine_is_private(bool *out, tacit_engine *engine, tacit_place_name table,
                                     const tacit_run *run, tacit_error *err);

/* Commits, and sees the state of the data that there is now. */
tacit_status tacit_engine_renew(tacit_engine *engine, const tacit_run *run, tacit_error *err);

/* Has the rows of the data told apart by a key, and stay as they are: in a copy of the columns,
 * where rows have no key of their own and nothing else keeps one state of them. tacit_engine_table
 * is what is worked on from then on: the copy, or the table that was named. The target is named
 * first. */
tacit_status tacit_engine_hold(tacit_engine *engine, const tacit_engine_columns *columns,
                               const tacit_run *run, tacit_error *err);
tacit_place_name tacit_engine_table(const tacit_engine *engine);

/* Whether rows have a key of their own (row_key of the dialect), so that nothing need be held. */
bool tacit_engine_has_keys(const tacit_engine *engine);

/* Rows into a table that is there already: begin, rows, end. After a failure only end is called,
 * which then says nothing more. */
tacit_status tacit_engine_load_begin(tacit_engine *engine, tacit_place_name table,
                                     const tacit_run *run, tacit_error *err);
tacit_status tacit_engine_load_row(tacit_engine *engine, const tacit_strview *cells, int32_t count,
                                   tacit_error *err);
tacit_status tacit_engine_load_end(tacit_engine *engine, const tacit_run *run, tacit_error *err);

/* A table of this run only: one that nobody else sees, or one whose name says whose it is, which is
 * dropped when the engine is closed or, if the run was killed, by the next run with that target. */
tacit_place_name tacit_engine_own(tacit_engine *engine, const char *name);

/* What the release is called before it appears. */
tacit_place_name tacit_engine_made(tacit_engine *engine);

/* Whether a release of the data at a place can go there: to a place, or to a file that the engine
 * writes. */
bool tacit_engine_takes(const char *place, const char *output);

/* Makes the release of what a statement answers, which is emptied. The table, or what the engine
 * reads of the file, has the name from then on. */
tacit_status tacit_engine_make(tacit_engine *engine, tacit_place_name made, tacit_sql *select,
                               const tacit_run *run, tacit_error *err);

/* Has a table take a name, in place of the one that has it. It appears with the commit. */
tacit_status tacit_engine_replace(tacit_engine *engine, tacit_place_name table, tacit_place_name by,
                                  const tacit_run *run, tacit_error *err);
tacit_status tacit_engine_commit(tacit_engine *engine, const tacit_run *run, tacit_error *err);

/* ---- what engines call differently ---- */

/* The words of an engine's SQL. */
typedef struct tacit_dialect {
    const char *row_key; /* a number that tells the rows of a table apart: "ctid" */
    const char *differ;  /* between two texts in cell and cell_end: whether they differ */
    const char *cell;    /* before a text, with which it is something else than null */
    const char *cell_end;
    const char *draw;        /* the number of a row y in the order of y.class and y.chance */
    const char *create_own;  /* what a table of this run is created with: "CREATE TABLE" */
    const char *text_type;   /* of columns with text that is compared byte by byte, or null */
    const char *number_type; /* of columns with whole numbers, or null */
    bool windows;            /* it has window functions, and WITH */
    const char *unique;      /* behind a type: no value twice, and none missing; "" */
    const char *present;     /* behind a type: none missing; "" */
    const char *storage;     /* behind the name or the columns of a new table; "" */
    const char *analyze;     /* counts what is in a table %p; NULL */
    const char *hash;     /* before texts in cell and cell_end: a sum over rows that follows from */
    const char *hash_end; /* their values, whatever their order */
} tacit_dialect;

const tacit_dialect *tacit_engine_dialect(const tacit_engine *engine);

/* Statements that the engine was asked so far. */
int64_t tacit_engine_statements(const tacit_engine *engine);

#ifdef __cplusplus
}
#endif
#endif
