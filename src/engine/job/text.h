/*
 * text.h - text that grows. A failure to get memory is kept and told at the end, so that
 * callers need not check each call.
 */
#ifndef TACIT_ENGINE_JOB_TEXT_H
#define TACIT_ENGINE_JOB_TEXT_H

#include <tacit/base.h>

/* All zero is empty. */
typedef struct engine_text {
    char *bytes;
    size_t len, capacity;
    bool failed; /* out of memory: what was added since is not there */
} engine_text;

void engine_text_put(engine_text *text, const char *bytes, size_t len);
void engine_text_view(engine_text *text, tacit_strview view);
void engine_text_print(engine_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Digits; printf takes ten times as long. */
void engine_text_number(engine_text *text, uint64_t number);

/* As a string of JSON, in quotes; bytes that are no UTF-8 become U+FFFD. */
void engine_text_json(engine_text *text, tacit_strview view);
/* The same without the quotes around it. */
void engine_text_json_part(engine_text *text, tacit_strview view);

/* Bytes at the start that stand for themselves in a string of JSON and are ASCII. */
size_t engine_json_plain(const char *bytes, size_t left);

/* Bytes of the UTF-8 character that starts here; 0: none does. left is 1 or more. */
size_t engine_utf8_step(const char *bytes, size_t left);

/* Room for further bytes, without adding any. */
tacit_status engine_text_reserve(engine_text *text, size_t further, tacit_error *err);

/* TACIT_NOMEM if anything could not be added. */
tacit_status engine_text_check(const engine_text *text, tacit_error *err);

void engine_text_clear(engine_text *text);

#endif
