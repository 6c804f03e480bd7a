/*
 * error.c - status names, filling in errors and printing them.
 */
#define _GNU_SOURCE
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *tacit_status_name(tacit_status status)
{
    switch (status) {
    case TACIT_OK: return "ok";
    case TACIT_NOMEM: return "out of memory";
    case TACIT_INVALID: return "invalid";
    case TACIT_PARSE: return "parse";
    case TACIT_IO: return "input/output";
    case TACIT_INFEASIBLE: return "infeasible";
    case TACIT_LIMIT: return "limit";
    case TACIT_CANCELLED: return "cancelled";
    }
    return "unknown";
}

const char *tacit_error_format(const tacit_error *err, char *buffer, size_t size)
{
    if (!size)
        return buffer;
    const char *message = err->message[0] ? err->message : tacit_status_name(err->status);
    char place[48] = "";
    if (err->line > 0 && err->column > 0)
        snprintf(place, sizeof place, "%lld:%lld: ", (long long)err->line, (long long)err->column);
    else if (err->line > 0)
        snprintf(place, sizeof place, "%lld: ", (long long)err->line);
    const char *separator = !err->file[0] ? "" : place[0] ? ":" : ": ";
    snprintf(buffer, size, "%s%s%s%s", err->file, separator, place, message);
    return buffer;
}

static void fill(tacit_error *err, tacit_status status, const char *file, int64_t line,
                 int64_t column, const char *format, va_list arguments)
{
    if (!err || err->status != TACIT_OK)
        return;
    err->status = status;
    err->line = line;
    err->column = column;
    snprintf(err->file, sizeof err->file, "%s", file ? file : "");
    vsnprintf(err->message, sizeof err->message, format, arguments);
}

tacit_status tacit__error(tacit_error *err, tacit_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(err, status, NULL, 0, 0, format, arguments);
    va_end(arguments);
    return status;
}

tacit_status tacit__error_at(tacit_error *err, tacit_status status, const char *file, int64_t line,
                             int64_t column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(err, status, file, line, column, format, arguments);
    va_end(arguments);
    return status;
}

tacit_status tacit__nomem(tacit_error *err)
{
    return tacit__error(err, TACIT_NOMEM, "out of memory");
}

tacit_status tacit__io(tacit_error *err, const char *file, const char *action, int error_number)
{
    char text[128];
    return tacit__error_at(err, TACIT_IO, file, 0, 0, "%s: %s", action,
                           strerror_r(error_number, text, sizeof text));
}

tacit__shown tacit__show(tacit_strview value)
{
    enum { MOST = 40 };
    tacit__shown shown;
    size_t len = value.len < MOST ? value.len : MOST;
    while (len < value.len && len > 0 && ((unsigned char)value.bytes[len] & 0xC0) == 0x80)
        len--; /* do not cut a character in two */
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)value.bytes[i];
        shown.text[i] = (c < 0x20 || c == 0x7F) ? '?' : (char)c;
    }
    strcpy(shown.text + len, len < value.len ? "..." : "");
    return shown;
}

tacit_strview tacit_strview_of(const char *text)
{
    return (tacit_strview){text, text ? strlen(text) : 0};
}

bool tacit_strview_equal(tacit_strview a, tacit_strview b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.bytes, b.bytes, a.len) == 0);
}
