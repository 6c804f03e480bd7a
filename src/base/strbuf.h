/*
 * strbuf.h - text that grows. Running out of memory is remembered, so that
 * callers check once at the end.
 */
#ifndef TACIT_SRC_BASE_STRBUF_H
#define TACIT_SRC_BASE_STRBUF_H

#include <tacit/base.h>

/* Zero-initialized is empty. bytes is terminated once anything was added. */
typedef struct tacit__strbuf {
    char *bytes;
    size_t len;
    size_t capacity;
    bool failed;
} tacit__strbuf;

void tacit__strbuf_add(tacit__strbuf *buffer, const char *bytes, size_t len);
void tacit__strbuf_text(tacit__strbuf *buffer, const char *text);
void tacit__strbuf_format(tacit__strbuf *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void tacit__strbuf_clear(tacit__strbuf *buffer);

#endif
