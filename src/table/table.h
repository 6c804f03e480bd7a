/*
 * table.h - the inside of a table, for the readers and writers of this room.
 *
 * Layout: the file's bytes, where each row starts, and for each
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

/* Where each row starts, in half the memory of offsets: turns[i] is the first
 * row that starts in the (i + 1)th 4 GiB of the file or later, INT64_MAX where
 * there is none. */
typedef struct tacit__starts {
    uint32_t *low; /* the lower half of each row's offset */
    int64_t *turns;
    int turn_count;
} tacit__starts;

struct tacit_table {
    tacit__input input; /* empty where the bytes are the caller's */
    const char *bytes;
    size_t len;
    char *file; /* name for messages */
    char delimiter;
    bool has_header;
    bool crlf;      /* rows end in CRLF, by the first one */
    bool stray_end; /* a delimiter at the end of the last line was passed over */
    tacit_guard guard;
    tacit_encoding encoding; /* of the file; the bytes are UTF-8 */
    void *origin;            /* NULL, or what the bytes were converted from */
    void (*free_origin)(void *origin);
    tacit_words_fn words;
    bool detecting;      /* it could have been another one than UTF-8 */
    bool quoted;         /* a quote stands somewhere in the file */
    size_t header_start; /* after a byte order mark */
    size_t data_start;   /* where row 0 starts */
    tacit__column *columns;
    int32_t column_count;
    tacit__starts starts;
    int64_t rows;
    uint64_t *digests;    /* NULL, or a row each */
    uint64_t *sums;       /* NULL, or of a mapped file the hash of each stretch that was read */
    size_t stretch;       /* bytes */
    tacit__arena arena;   /* names */
    tacit__arena *arenas; /* values with doubled quotes, a worker each */
    int arena_count;
};

/* Where a row starts; row may be the number of rows, for the end of the file. */
static inline size_t tacit__row_start(const tacit_table *table, int64_t row)
{
    if (row == table->rows)
        return table->len;
    uint64_t start = table->starts.low[row];
    for (int i = 0; i < table->starts.turn_count && table->starts.turns[i] <= row; i++)
        start += UINT64_C(1) << 32;
    return (size_t)start;
}

#endif
