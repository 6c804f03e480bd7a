/*
 * engines.h - what a driver is, and a place taken apart.
 *
 * A driver is a file that defines tacit__driver_NAME, and its name in the list of engines.c. It
 * connects, runs statements whose answers it hands on row by row as text, and loads rows. What its
 * SQL calls differently is in its dialect.
 */
#ifndef TACIT_SRC_ENGINES_ENGINES_H
#define TACIT_SRC_ENGINES_ENGINES_H

#include <tacit/experimental/engines.h>

#include "base/arena.h"
#include "base/error.h"

/* A place taken apart: everything is a copy of its own. */
typedef struct tacit__place {
    char *server; /* the place without the table: what the driver connects to */
    char *schema; /* "" without one */
    char *table;  /* "" without one, which only files do not have */
    bool is_file; /* of a release: it goes to a file */
} tacit__place;

tacit_status tacit__place_read(tacit__place *out, const char *place, bool may_be_file,
                               tacit_error *err);
void tacit__place_clear(tacit__place *place);

/* What an engine does that can write a release to a file in place of a table. */
typedef struct tacit_file_driver {
    const char *ending; /* ".parquet" */
    tacit_status (*open)(void *connection, const char *path, tacit_error *err);
    /* Writes what a statement answers, and has the table `made` say what the file says. */
    tacit_status (*make)(void *connection, tacit_place_name made, const char *select,
                         const tacit_run *run, tacit_error *err);
    tacit_status (*appear)(void *connection, tacit_error *err);
} tacit_file_driver;

/* Statements about shards of an engine. */
typedef struct tacit_shard_driver {
    /* Answers the shards of a table %q: schema and name here, schema and name there, how to
     * connect or null, the name of the server or null, and why rows cannot be reached or null. */
    const char *shards_of;
    const char *columns_of;   /* of a table %q: the columns that say which shard a row is in */
    const char *identity;     /* a number that no other engine has */
    const char *claim;        /* until the connection ends: the name %v is in use */
    const char *leftovers;    /* tables of the schema %v, whose names start with %v, not in use */
    const char *published;    /* names that start with %v (twice), and are a table's shards */
    const char *join_foreign; /* shard %p of %p: on server %n, the table %v (schema), %v there */
    const char *join_own;     /* %p is a shard of %p */
    const char *drop_foreign; /* the shard %p, without what it stands for */
    const char *granted;      /* answers 0 if nobody but its owner may read %q */
} tacit_shard_driver;

extern const tacit_shard_driver tacit__postgres_shards;

typedef struct tacit_driver {
    const char *name;    /* "PostgreSQL" */
    const char *schemes; /* "postgresql:// postgres://" */
    tacit_dialect dialect;
    char quote;             /* around names */
    const char *as_text;    /* behind a column: its value as text */
    const char *in_text;    /* before it */
    bool escapes_backslash; /* in texts and names */
    const char *own;        /* the schema of tables of this run; NULL: they are in the target's */
    const char *number;     /* numbers the rows of a table, where they have no key; NULL */
    const char *random;     /* a random number; %v is a secret */
    tacit_status (*connect)(void **connection, const char *server, const tacit_run *run,
                            tacit_error *err);
    void (*close)(void *connection);
    /* NULL, or: puts down the driver of the database that it is connected to, in place of its own.
     */
    tacit_status (*choose)(void *connection, const struct tacit_driver **driver, tacit_error *err);
    tacit_status (*query)(void *connection, const char *sql, tacit_engine_row_fn row, void *context,
                          const tacit_run *run, tacit_error *err);
    tacit_status (*load_begin)(void *connection, tacit_place_name table, const char *quoted,
                               const tacit_run *run, tacit_error *err);
    tacit_status (*load_row)(void *connection, const tacit_strview *cells, int32_t count,
                             tacit_error *err);
    tacit_status (*load_end)(void *connection, const tacit_run *run, tacit_error *err);
    /* Statements. */
    const char *columns_of;           /* answers the columns of a table %p or %q: name, type */
    const tacit_shard_driver *shards; /* NULL: its tables are in one piece */
    const char *same_table;     /* answers 1 if %q and %q are the same table, otherwise 0; NULL */
    const char *begin, *commit; /* of what is opened and committed; NULL */
    const char *rename;         /* the table %p, in the place of %p, which is not there */
    const char *drop;           /* a table %p, if it is there */
    /* NULL, or: where the data cannot be told apart row by row (a view, files), copies it into a
     * table of the run, and has the place name that. */
    tacit_status (*settle)(void *connection, tacit__place *place, const tacit_run *run,
                           tacit_error *err);
    const tacit_file_driver *files; /* NULL: it writes no files */
    /* Of engines without transactions; NULL where there are some. */
    const char *exists;    /* answers 1 if there is a table %p, otherwise 0 */
    const char *exchange;  /* in one step, what is called %p becomes %p, and %p becomes %p */
    const char *leftovers; /* answers the names of tables that are LIKE %v, in the schema %v, which
                              is said twice */
} tacit_driver;

/* Takes the place, which is cleared where there is no connection; nothing is settled. */
tacit_status tacit__engine_connect(tacit_engine **out, const tacit_driver *driver,
                                   tacit__place *place, const tacit_run *run, tacit_error *err);

/* Whether a path ends in that of the files which the engine writes. */
bool tacit__is_file_of(const tacit_driver *driver, const char *path);

/* The driver of a place; NULL: it is none. */
const tacit_driver *tacit__driver_of(const char *place);

/* Drops the tables of the run, where they do not go by themselves. */
void tacit__engine_drop_own(tacit_engine *engine);

struct tacit_engine {
    const tacit_driver *driver;
    void *connection;
    tacit__place place;
    tacit__place target;   /* of the release, once it is named */
    char run[48];          /* behind names of its tables: which target's, and which run's */
    char secret[40];       /* which random numbers follow from, besides the engine's own */
    tacit__arena names;    /* of tables of the run */
    tacit_place_name held; /* the copy of the data that is worked on; empty: there is none */
    int64_t statements;    /* asked so far */
    char *query;           /* that the table answers; NULL: it is one of the database's */
};

#endif
