/*
 * table.h - the inside of a table, for the readers and writers of this room.
 *
 * Layout: the file's bytes, the offset at which each row starts, and for each
 * coded column its codes and, for each code, the value as a view. Values
 * borrow from the file's bytes; only values with doubled quotes, which do not
 * stand in the file as they read, live in the arena.
 */
#ifndef TACIT_SRC_TABLE_TABLE_H
#define TACIT_SRC_TABLE_TABLE_H

#include <tacit/table.h>

#include "base/arena.h"
#include "base/file.h"

typedef struct tacit__column {
    tacit_strview name;
    bool coded;
    bool has_missing;
    bool digested;
    int width;   /* bytes a code */
    void *codes; /* a row each */
    tacit_strview *values;
    uint32_t distinct;
} tacit__column;

struct tacit_table {
    tacit__input input; /* empty where the bytes are the caller's */
    const char *bytes;
    size_t len;
    char *file; /* name for messages */
    char delimiter;
    bool has_header;
    bool crlf;           /* rows end in CRLF, by the first one */
    bool quoted;         /* a quote stands somewhere in the file */
    size_t header_start; /* after a byte order mark */
    size_t data_start;   /* where row 0 starts */
    tacit__column *columns;
    int32_t column_count;
    uint64_t *row_start; /* rows + 1 entries; the last is the end of the file */
    int64_t rows;
    uint64_t *digests;    /* NULL, or a row each */
    tacit__arena arena;   /* names */
    tacit__arena *arenas; /* values with doubled quotes, a worker each */
    int arena_count;
};

#endif
