/*
 * wrapping.h - text as it is written within a file: a string of JSON or a cell of a CSV.
 * What is not replaced keeps its bytes, however it was escaped.
 */
#ifndef TACIT_ENGINE_TEXT_WRAPPING_H
#define TACIT_ENGINE_TEXT_WRAPPING_H

#include "engine/job/text.h"

/* How text is written. */
typedef struct engine_wrapping {
    /* Reads the character at raw, of which left bytes are there: its bytes in the text go to
     * out, which has room for 4, and their number to *len. Returns the bytes it takes up, which are
     * at least as many. */
    size_t (*step)(char *out, size_t *len, const char *raw, size_t left);
    /* Appends a text as it is to be written. */
    void (*put)(engine_text *out, tacit_strview text);
    char mark; /* without this byte, text is written as it is */
} engine_wrapping;

/* What is between the quotes; the string must have been found valid. Half of a surrogate pair
 * becomes three bytes that are no UTF-8. */
extern const engine_wrapping engine_json_string;

/* What is between the quotes of a cell, and a cell without quotes. */
extern const engine_wrapping engine_quoted_cell, engine_bare_cell;

/* What raw says: raw itself, or what is put into buffer. */
tacit_strview engine_unwrap(engine_text *buffer, const engine_wrapping *wrapping,
                            tacit_strview raw);

/* Replaces parts of a text where it is written, from its start to its end. */
typedef struct engine_splice {
    const engine_wrapping *wrapping;
    engine_text *out;
    tacit_strview raw;
    size_t at;     /* in raw */
    uint64_t text; /* the same place in the text */
    size_t mark;   /* the next mark in raw, or its end */
} engine_splice;

engine_splice engine_splice_of(const engine_wrapping *wrapping, engine_text *out,
                               tacit_strview raw);

/* Copies what is before start, and puts the replacement for what is before end. */
void engine_splice_put(engine_splice *splice, uint64_t start, uint64_t end,
                       tacit_strview replacement);

/* Copies what is left. */
void engine_splice_end(engine_splice *splice);

#endif
