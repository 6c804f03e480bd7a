/*
 * ledger.h - the inside of a ledger: its key, its entries with their summaries, and rows of the
 * data behind a release as an entry keeps them, by which data is known again.
 */
#ifndef TACIT_LEDGER_LEDGER_H
#define TACIT_LEDGER_LEDGER_H

#include <sodium.h>
#include <tacit/experimental/ledger.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "hierarchy/tree.h"

struct tacit_ledger {
    char *folder;
    int lock; /* the descriptor of the lock file; -1: not held */
    bool writes;
    unsigned char *key; /* sodium_malloc's */
    tacit_ledger_entry *entries;
    size_t capacity;
    int64_t count;
    int64_t highest; /* number that an entry ever had */
};

/* ---- hashes (key.c) ---- */

enum { TACIT__LEDGER_KEY = crypto_generichash_KEYBYTES, TACIT__LABEL_HASH = 16 };

/* Hashes of the labels of one column: key and name are worked in already. */
typedef struct tacit__label_hasher {
    crypto_generichash_state start;
} tacit__label_hasher;

void tacit__label_hasher_init(tacit__label_hasher *hasher, const unsigned char *key,
                              tacit_strview column);
void tacit__label_hash(unsigned char out[TACIT__LABEL_HASH], const tacit__label_hasher *hasher,
                       tacit_strview label);

/* A hash in hexadecimal; key NULL: without one. what keeps uses of the key apart. */
void tacit__ledger_digest(char out[TACIT_LEDGER_HASH + 1], const unsigned char *key,
                          const char *what, tacit_strview bytes);

/* What keeps digests of hierarchy files apart from others. */
#define TACIT__LEDGER_HIERARCHY "tacit ledger hierarchy 1:"

/* The same of a file; a key is given. */
tacit_status tacit__ledger_digest_file(char out[TACIT_LEDGER_HASH + 1], const unsigned char *key,
                                       const char *what, const char *path, tacit_error *err);

/* ---- the key's file (key.c) ---- */

/* Reads the key of a folder; where there is none makes it if that is wanted. */
tacit_status tacit__ledger_key(unsigned char *key, const char *folder, bool make, tacit_error *err);

/* ---- summaries (summary.c) ---- */

/* Labels of a column: hashes one after the other, ascending. Index 0 of a row is missing, index i
 * the label i - 1. Rows: for each class an index a column and the count, as varints. */
typedef struct tacit__summary {
    int32_t column_count;
    unsigned char **labels;
    uint32_t *label_counts;
    int64_t classes;
    int64_t rows;
    unsigned char *bytes;
    size_t len;
} tacit__summary;

/* Zero-initialized, then of a table, every column coded; cleared in any case. */
tacit_status tacit__summary_of(tacit__summary *out, const tacit_table *release,
                               const unsigned char *key, const tacit_run *run, tacit_error *err);
void tacit__summary_clear(tacit__summary *summary);

/* Reads class by class. */
typedef struct tacit__class_reader {
    const tacit__summary *summary;
    size_t at;
} tacit__class_reader;

/* The next class: an index a column, and its rows. False at the end, and where the bytes are not
 * what they should be; then *broken is set. */
bool tacit__class_next(tacit__class_reader *reader, uint32_t *indices, int64_t *rows, bool *broken);

/* Whether the summary has the classes and the rows that it says. indices has room for a row. */
bool tacit__summary_holds(const tacit__summary *summary, uint32_t *indices);

/* ---- entries (entry.c) ---- */

/* The first format knew data by its name alone. The last is that of entries that spend a budget,
 * which who does not know it must not pass over. */
enum { TACIT__LEDGER_FIRST = 1, TACIT__LEDGER_SECOND = 2, TACIT__LEDGER_FORMAT = 3 };

/* Writes an entry as its file has it. */
void tacit__entry_write(tacit__strbuf *out, const tacit_ledger_entry *entry,
                        const tacit__summary *summary, const unsigned char *key);

/* The file of a pending entry as it is once the release, whose hash is given, has appeared; nothing
 * where it says so already. False where it is no whole entry of that release. */
bool tacit__entry_released(tacit__strbuf *out, const char *hash, const unsigned char *key,
                           tacit_strview file);

/* Reads an entry; summary may be NULL. file is its name, for messages. */
tacit_status tacit__entry_parse(tacit_ledger_entry *entry, tacit__summary *summary,
                                tacit_strview bytes, const char *file, const unsigned char *key,
                                tacit_error *err);
void tacit__entry_clear(tacit_ledger_entry *entry);

/* The last line of an entry's file, "checksum": "...", and what is before it. */
enum { TACIT__ENTRY_TAIL = sizeof "\"checksum\": \"\"\n}\n" - 1 + TACIT_LEDGER_HASH };
void tacit__entry_checksum(tacit__strbuf *out, const unsigned char *key);

/* A key's name: who has another one is told so. */
void tacit__key_name(char out[TACIT_LEDGER_HASH + 1], const unsigned char *key);

/* An entry of a ledger once more, with its summary, which is cleared by the caller. */
tacit_status tacit__entry_load(tacit_ledger_entry *entry, tacit__summary *summary,
                               const tacit_ledger *ledger, int64_t number, tacit_error *err);

/* ---- files of the folder (ledger.c) ---- */

/* FOLDER/NAME, to be freed; NULL when out of memory. */
char *tacit__ledger_path(const char *folder, const char *name);

/* ---- data known again (sketch.c) ---- */

/* A column of data, its values hashed: one for each code, missing the last. */
typedef struct tacit__hashed_column {
    int32_t index; /* in the table */
    uint64_t name;
    uint64_t *values;
    uint32_t count; /* of values, missing not among them */
    tacit_codes_view codes;
} tacit__hashed_column;

/* The coded columns of a table, which must outlive it. */
typedef struct tacit__hashed {
    tacit__hashed_column *columns;
    int32_t column_count;
    int64_t rows;
} tacit__hashed;

/* A column's name, hashed. */
uint64_t tacit__sketch_name(const unsigned char *key, tacit_strview name);

/* Zero-initialized; cleared in any case. */
tacit_status tacit__hashed_of(tacit__hashed *out, const tacit_table *data, const unsigned char *key,
                              const tacit_run *run, tacit_error *err);
void tacit__hashed_clear(tacit__hashed *hashed);

/* Distinct rows of data, how often each occurs, and 16 bits of the hash of each cell, row by row.
 */
typedef struct tacit__sketch {
    int32_t column_count;
    uint64_t *names; /* of columns, hashed */
    uint32_t row_count;
    uint32_t *counts;
    uint16_t *cells;
    int64_t total; /* rows of the data */
    bool whole;    /* every row of the data is among those that are kept */
} tacit__sketch;

/* Zero-initialized, of the coded columns of a table; cleared in any case. */
tacit_status tacit__sketch_of(tacit__sketch *out, const tacit_table *data, const unsigned char *key,
                              const tacit_run *run, tacit_error *err);
void tacit__sketch_clear(tacit__sketch *sketch);

/* As an entry has it, enciphered; to be freed. */
tacit_status tacit__sketch_pack(unsigned char **out, size_t *len, const tacit__sketch *sketch,
                                const unsigned char *key, tacit_error *err);

/* Back again. *broken where the bytes are none; then nothing is made. */
tacit_status tacit__sketch_unpack(tacit__sketch *out, const unsigned char *bytes, size_t len,
                                  const unsigned char *key, bool *broken, tacit_error *err);

#endif
