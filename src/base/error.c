/*
 * error.c - status names, filling in errors and printing them.
 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"

tacit_error *tacit_error_new(void)
{
    return tacit__alloc_zeroed(1, sizeof(tacit_error));
}

void tacit_error_free(tacit_error *err)
{
    tacit__free(err);
}

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
    char line[sizeof err->file + sizeof err->message + sizeof place + 2];
    int len = snprintf(line, sizeof line, "%s%s%s%s", err->file, separator, place, message);
    return tacit_printable(buffer, size, line, (size_t)len);
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
    char message[sizeof err->message];
    vsnprintf(message, sizeof message, format, arguments);
    tacit_printable(err->message, sizeof err->message, message, strlen(message));
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

/* Whether a terminal is moved, painted or misled by it: controls, and what is not seen or turns the
 * direction of writing (Unicode's Cc, and of Cf those that appear in text). */
static bool is_unprintable(uint32_t point)
{
    return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0xAD || point == 0x61C ||
           (point >= 0x200B && point <= 0x200F) || (point >= 0x2028 && point <= 0x202E) ||
           (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF ||
           (point >= 0xFFF9 && point <= 0xFFFB) || (point >= 0xE0000 && point <= 0xE007F);
}

const char *tacit_printable(char *buffer, size_t size, const char *text, size_t len)
{
    size_t used = 0, step;
    for (size_t at = 0; at < len && size > 0; at += step) {
        uint32_t point;
        bool valid;
        step = tacit__utf8_next(&point, &valid, (tacit_strview){text + at, len - at});
        bool shown = valid && !is_unprintable(point);
        size_t needed = shown ? step : 1;
        if (used + needed >= size)
            break;
        memcpy(buffer + used, shown ? text + at : "?", needed);
        used += needed;
    }
    if (size > 0)
        buffer[used] = '\0';
    return buffer;
}

tacit__shown tacit__show(tacit_strview value)
{
    enum { MAX = 40 };
    tacit__shown shown;
    tacit_printable(shown.text, MAX + 1, value.bytes, value.len);
    if (value.len > MAX)
        strcat(shown.text, "...");
    return shown;
}

tacit__shown tacit__show_value(const tacit_error *err, tacit_strview value)
{
    tacit__shown shown = {"a value"};
    if (err && err->show_values)
        snprintf(shown.text, sizeof shown.text, "\"%.44s\"", tacit__show(value).text);
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
