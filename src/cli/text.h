/*
 * text.h - text that grows. A failure to get memory is kept and told at the end, so that
 * callers need not check each call.
 */
#ifndef TACIT_CLI_TEXT_H
#define TACIT_CLI_TEXT_H

#include <tacit/base.h>

/* All zero is empty. */
typedef struct cli_text {
    char *bytes;
    size_t len, capacity;
    bool failed; /* out of memory: what was added since is not there */
} cli_text;

void cli_text_put(cli_text *text, const char *bytes, size_t len);
void cli_text_view(cli_text *text, tacit_strview view);
void cli_text_print(cli_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Digits; printf takes ten times as long. */
void cli_text_number(cli_text *text, uint64_t number);

/* As a string of JSON, in quotes; bytes that are no UTF-8 become U+FFFD. */
void cli_text_json(cli_text *text, tacit_strview view);
/* The same without the quotes around it. */
void cli_text_json_part(cli_text *text, tacit_strview view);

/* Bytes at the start that stand for themselves in a string of JSON and are ASCII. */
size_t cli_json_plain(const char *bytes, size_t left);

/* Bytes of the UTF-8 character that starts here; 0: none does. left is 1 or more. */
size_t cli_utf8_step(const char *bytes, size_t left);

/* Room for further bytes, without adding any. */
tacit_status cli_text_reserve(cli_text *text, size_t further, tacit_error *err);

/* TACIT_NOMEM if anything could not be added. */
tacit_status cli_text_check(const cli_text *text, tacit_error *err);

void cli_text_clear(cli_text *text);

#endif
