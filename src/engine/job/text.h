/*
 * text.h - what texts that grow (base/strbuf.h) are written of in JSON: numbers and strings, fast.
 */
#ifndef TACIT_ENGINE_JOB_TEXT_H
#define TACIT_ENGINE_JOB_TEXT_H

#include <string.h>

#include "base/strbuf.h"

typedef tacit__strbuf engine_text;
#define engine_text_print tacit__strbuf_format
#define engine_text_clear tacit__strbuf_clear

/* Most of what is put is a few bytes, for which there is room; it ends where len says. */
static inline void engine_text_put(engine_text *text, const char *bytes, size_t len)
{
    if (len == 0 || text->failed)
        return;
    if (len >= text->capacity - text->len) {
        tacit__strbuf_add(text, bytes, len);
        return;
    }
    memcpy(text->bytes + text->len, bytes, len);
    text->len += len;
}

static inline void engine_text_view(engine_text *text, tacit_strview view)
{
    engine_text_put(text, view.bytes, view.len);
}

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

#endif
