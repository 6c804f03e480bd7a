/*
 * print.c - lines of text for people.
 */
#include "engine/job/print.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include <tacit/experimental/page.h>

enum { LABEL_WIDTH = 12, WIDTH = 80 };

static const char MARKS[] = ENGINE_GOOD ENGINE_BAD ENGINE_PLAIN;
static const char ENDS[] = " " ENGINE_GOOD ENGINE_BAD ENGINE_PLAIN;

/* The length of the word that a text begins with. "12 345 678" is one. */
static int word_length(const char *text)
{
    size_t end = strcspn(text, ENDS);
    while (end > 0 && isdigit((unsigned char)text[end - 1]) && text[end] == ' ' &&
           strspn(text + end + 1, "0123456789") == 3)
        end += 1 + strcspn(text + end + 1, ENDS);
    return (int)end;
}

static void print_word(FILE *out, const char *text, int len)
{
    char shown[1024];
    fputs(tacit_printable(shown, sizeof shown, text, (size_t)len), out);
}

void engine_print_labelled(FILE *out, const char *label, const char *text)
{
    bool fits = strlen(label) < LABEL_WIDTH; /* a longer one has a line of its own */
    if (fits)
        fprintf(out, "  %-*s", LABEL_WIDTH, label);
    else
        fprintf(out, "  %s\n%*s", label, LABEL_WIDTH + 2, "");
    int at = LABEL_WIDTH + 2;
    for (bool spaced = false; *text;) {
        size_t marks = strspn(text, MARKS);
        fwrite(text, 1, marks, out);
        text += marks;
        int word = word_length(text);
        if (spaced && at + 1 + word > WIDTH) {
            fprintf(out, "\n%*s", LABEL_WIDTH + 2, "");
            at = LABEL_WIDTH + 2;
        } else if (spaced) {
            fputc(' ', out);
            at++;
        }
        print_word(out, text, word);
        at += word;
        spaced = text[word] == ' ';
        text += word + spaced;
    }
    fputc('\n', out);
}

void engine_line(FILE *out, const char *label, const char *format, ...)
{
    char text[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    engine_print_labelled(out, label, text);
}

void engine_print_title(FILE *out, const char *format, ...)
{
    char line[2048], shown[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(out, "%s\n\n", tacit_printable(shown, sizeof shown, line, strlen(line)));
}

engine_counted engine_count(int64_t count)
{
    engine_counted counted;
    tacit_number_text(counted.text, sizeof counted.text, (double)count, 0);
    return counted;
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
