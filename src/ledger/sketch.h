/*
 * sketch.h - rows of the data behind a release as an entry keeps them (sketch.c), and how data is
 * known again by them (recognize.c).
 */
#ifndef TACIT_SRC_LEDGER_SKETCH_H
#define TACIT_SRC_LEDGER_SKETCH_H

#include "ledger/ledger.h"

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
