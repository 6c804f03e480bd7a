/*
 * wrapping.h - text as it is written within a file: a string of JSON or a cell of a CSV.
 * What is not replaced keeps its bytes, however it was escaped.
 */
#ifndef TACIT_CLI_WRAPPING_H
#define TACIT_CLI_WRAPPING_H

#include "text.h"

/* How text is written. */
typedef struct cli_wrapping {
    /* Reads the character at raw, of which left bytes are there: its bytes in the text go to
     * out, which has room for 4, and their number to *len. Returns the bytes it takes up, which are
     * at least as many. */
    size_t (*step)(char *out, size_t *len, const char *raw, size_t left);
    /* Appends a text as it is to be written. */
    void (*put)(cli_text *out, tacit_strview text);
    char mark; /* without this byte, text is written as it is */
} cli_wrapping;

/* What is between the quotes; the string must have been found valid. Half of a surrogate pair
 * becomes three bytes that are no UTF-8. */
extern const cli_wrapping cli_json_string;

/* What is between the quotes of a cell, and a cell without quotes. */
extern const cli_wrapping cli_quoted_cell, cli_bare_cell;

/* What raw says: raw itself, or what is put into buffer. */
tacit_strview cli_unwrap(cli_text *buffer, const cli_wrapping *wrapping, tacit_strview raw);

/* Replaces parts of a text where it is written, from its start to its end. */
typedef struct cli_splice {
    const cli_wrapping *wrapping;
    cli_text *out;
    tacit_strview raw;
    size_t at;     /* in raw */
    uint64_t text; /* the same place in the text */
    size_t mark;   /* the next mark in raw, or its end */
} cli_splice;

cli_splice cli_splice_of(const cli_wrapping *wrapping, cli_text *out, tacit_strview raw);

/* Copies what is before start, and puts the replacement for what is before end. */
void cli_splice_put(cli_splice *splice, uint64_t start, uint64_t end, tacit_strview replacement);

/* Copies what is left. */
void cli_splice_end(cli_splice *splice);

#endif
