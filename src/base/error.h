/*
 * error.h - filling in the caller's error. Each function returns the status it
 * was given, so that `return tacit__error(...)` reads as one step. An error
 * that is already set is kept: the deepest message says most.
 */
#ifndef TACIT_SRC_BASE_ERROR_H
#define TACIT_SRC_BASE_ERROR_H

#include <tacit/base.h>

tacit_status tacit__error(tacit_error *err, tacit_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with a place; line or column 0 where it does not apply. */
tacit_status tacit__error_at(tacit_error *err, tacit_status status, const char *file, int64_t line,
                             int64_t column, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

tacit_status tacit__nomem(tacit_error *err);

/* An operating-system failure on a file: "cannot open: No such file or directory". */
tacit_status tacit__io(tacit_error *err, const char *file, const char *action, int error_number);

/* A value for a message: printable, at most 40 bytes and terminated. */
typedef struct tacit__shown {
    char text[64];
} tacit__shown;
tacit__shown tacit__show(tacit_strview value);

/* A value of the data for a message: `"value"` where the error's owner lets messages show values,
 * else the words `a value`. */
tacit__shown tacit__show_value(const tacit_error *err, tacit_strview value);

#endif
