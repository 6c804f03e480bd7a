/*
 * print.h - numbers, names and lists as people read them.
 */
#ifndef TACIT_ENGINE_JOB_PRINT_H
#define TACIT_ENGINE_JOB_PRINT_H

#include <stdio.h>

#include <tacit/experimental/facts.h>

/* A number as people read it: 10 000 000. */
typedef struct engine_counted {
    char text[32];
} engine_counted;
engine_counted engine_count(int64_t count);

/* The same of things: "1 row", "10 000 rows". Words that do not just take an s are given both:
 * "class|classes", "cell is|cells are". */
typedef struct engine_things {
    char text[96];
} engine_things;
engine_things engine_many(int64_t count, const char *words);

/* Text for a terminal: what would move, paint or mislead it becomes "?", cut to size. */
const char *engine_printable(char *buffer, size_t size, tacit_strview text);

/* The name of a file in the same way. */
typedef struct engine_printed {
    char text[800];
} engine_printed;
engine_printed engine_show(const char *name);

/* Adds to a text of a bounded size, or a name to a list with commas between. Cut to size. */
void engine_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void engine_append_name(char *text, size_t size, const char *name);

/* Seconds of a clock that only goes forward. */
double engine_now(void);

#endif
