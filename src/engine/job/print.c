/*
 * print.c - lines of text for people.
 */
#include "engine/job/print.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include <tacit/experimental/page.h>

engine_counted engine_count(int64_t count)
{
    engine_counted counted;
    tacit_number_text(counted.text, sizeof counted.text, (double)count, 0);
    return counted;
}

engine_things engine_many(int64_t count, const char *words)
{
    engine_things things;
    const char *bar = strchr(words, '|');
    const char *shown = bar && count != 1 ? bar + 1 : words;
    int len = (int)(bar && count == 1 ? bar - words : (ptrdiff_t)strlen(shown));
    snprintf(things.text, sizeof things.text, "%s %.*s%s", engine_count(count).text, len, shown,
             bar || count == 1 ? "" : "s");
    return things;
}

const char *engine_printable(char *buffer, size_t size, tacit_strview text)
{
    return tacit_printable(buffer, size, text.bytes, text.len);
}

engine_printed engine_show(const char *name)
{
    engine_printed shown;
    tacit_printable(shown.text, sizeof shown.text, name, strlen(name));
    return shown;
}

void engine_append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

void engine_append_name(char *text, size_t size, const char *name)
{
    engine_append(text, size, "%s%s", *text ? ", " : "", name);
}

double engine_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
