/*
 * strbuf.c - text that grows by half each time it is full; texts that callers get.
 */
#include "base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

static bool make_room(tacit__strbuf *buffer, size_t more)
{
    size_t needed;
    if (!buffer->failed && (__builtin_add_overflow(buffer->len, more, &needed) ||
                            __builtin_add_overflow(needed, (size_t)1, &needed) ||
                            !tacit__reserve((void **)&buffer->bytes, &buffer->capacity, needed, 1)))
        buffer->failed = true;
    return !buffer->failed;
}

void tacit__strbuf_add(tacit__strbuf *buffer, const char *bytes, size_t len)
{
    if (!make_room(buffer, len))
        return;
    if (len)
        memcpy(buffer->bytes + buffer->len, bytes, len);
    buffer->len += len;
    buffer->bytes[buffer->len] = '\0';
}

void tacit__strbuf_text(tacit__strbuf *buffer, const char *text)
{
    tacit__strbuf_add(buffer, text, strlen(text));
}

void tacit__strbuf_format(tacit__strbuf *buffer, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int needed = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (needed > 0 && make_room(buffer, (size_t)needed)) {
        vsnprintf(buffer->bytes + buffer->len, (size_t)needed + 1, format, again);
        buffer->len += (size_t)needed;
    }
    va_end(again);
}

void tacit__strbuf_clear(tacit__strbuf *buffer)
{
    tacit__free(buffer->bytes);
    *buffer = (tacit__strbuf){0};
}

void tacit_text_free(char *text)
{
    tacit__free(text);
}

const char *tacit_version(void)
{
    return TACIT_VERSION; /* given by the build */
}
