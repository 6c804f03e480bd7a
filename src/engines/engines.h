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

#include "base/error.h"

/* A place taken apart: everything is a copy of its own. */
typedef struct tacit__place {
    char *server; /* the place without the table: what the driver connects to */
    char *schema; /* "" without one */
    char *table;
} tacit__place;

tacit_status tacit__place_read(tacit__place *out, const char *place, tacit_error *err);
void tacit__place_clear(tacit__place *place);

typedef struct tacit_driver {
    const char *name;    /* "PostgreSQL" */
    const char *schemes; /* "postgresql:// postgres://" */
    tacit_dialect dialect;
    char quote;             /* around names */
    const char *as_text;    /* behind a column: its value as text */
    const char *in_text;    /* before it */
    const char *own;        /* the schema of tables of this run */
    bool escapes_backslash; /* in texts */
    tacit_status (*connect)(void **connection, const char *server, const tacit_run *run,
                            tacit_error *err);
    void (*close)(void *connection);
    tacit_status (*query)(void *connection, const char *sql, tacit_engine_row_fn row, void *context,
                          const tacit_run *run, tacit_error *err);
    tacit_status (*load_begin)(void *connection, const char *table, const tacit_run *run,
                               tacit_error *err);
    tacit_status (*load_row)(void *connection, const tacit_strview *cells, int32_t count,
                             tacit_error *err);
    tacit_status (*load_end)(void *connection, const tacit_run *run, tacit_error *err);
    /* A statement that answers the columns of %v (schema, or empty) and %v (table): name, type. */
    const char *columns_of;
    const char *same_table;     /* answers 1 if %v and %v are the same table */
    const char *begin, *commit; /* of what is opened and committed */
    const char *rename;         /* a table %p to the name %n in its schema */
    const char *drop;           /* a table %p, if it is there */
} tacit_driver;

struct tacit_engine {
    const tacit_driver *driver;
    void *connection;
    tacit__place place;
    tacit__place target; /* of the release, once it is named */
};

#endif
