/*
 * markup.c - text made safe for where it goes.
 *
 * Names of columns and files come from outside. HTML gets the five characters
 * that mean something to it as references, and control characters, which no
 * HTML document may hold, as U+FFFD. One pass, linear.
 */
#include "report/markup.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <tacit/experimental/page.h>

#include "base/utf8.h"

static const char replacement[] = "\xEF\xBF\xBD";

void tacit__utf8_add(tacit__strbuf *out, tacit_strview text)
{
    while (text.len) {
        uint32_t point;
        bool valid;
        size_t step = tacit__utf8_next(&point, &valid, text);
        if (valid)
            tacit__strbuf_add(out, text.bytes, step);
        else
            tacit__strbuf_text(out, replacement);
        text = (tacit_strview){text.bytes + step, text.len - step};
    }
}

static bool forbidden(uint32_t point)
{
    return (point < 0x20 && point != '\n' && point != '\t') || (point >= 0x7F && point < 0xA0);
}

static const char *reference(uint32_t point)
{
    switch (point) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return forbidden(point) ? replacement : NULL;
    }
}

void tacit__html_view(tacit__strbuf *out, tacit_strview rest)
{
    while (rest.len) {
        uint32_t point;
        bool valid;
        size_t step = tacit__utf8_next(&point, &valid, rest);
        const char *instead = valid ? reference(point) : replacement;
        if (instead)
            tacit__strbuf_text(out, instead);
        else
            tacit__strbuf_add(out, rest.bytes, step);
        rest = (tacit_strview){rest.bytes + step, rest.len - step};
    }
}

void tacit__html_add(tacit__strbuf *out, const char *text)
{
    tacit__html_view(out, tacit_strview_of(text));
}

void tacit__html_join(tacit__strbuf *out, const char *markup, ...)
{
    va_list pieces;
    va_start(pieces, markup);
    while (markup) {
        tacit__strbuf_text(out, markup);
        const char *text = va_arg(pieces, const char *);
        if (!text)
            break;
        tacit__html_add(out, text);
        markup = va_arg(pieces, const char *);
    }
    va_end(pieces);
}

size_t tacit__text_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

const char *tacit_number_text(char *buffer, size_t size, double value, int decimals)
{
    char plain[400];
    if (!isfinite(value)) {
        snprintf(buffer, size, "\xE2\x80\x93");
        return buffer;
    }
    snprintf(plain, sizeof plain, "%.*f", decimals < 0 ? 0 : decimals > 17 ? 17 : decimals, value);
    const char *from = plain;
    size_t used = 0, digits = strspn(plain + (plain[0] == '-'), "0123456789");
    bool zero = strspn(plain + (plain[0] == '-'), "0.,") == strlen(plain + (plain[0] == '-'));
    if (*from == '-' && zero)
        from++; /* "-0" says nothing */
    for (; *from && used + 1 < size; from++) {
        bool digit = digits > 0 && *from != '-';
        buffer[used++] = *from;
        if (digit && --digits > 0 && digits % 3 == 0 && used + 1 < size)
            buffer[used++] = ' ';
    }
    if (size)
        buffer[used] = '\0';
    return buffer;
}
