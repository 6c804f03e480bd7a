/*
 * examples.h - the shipped example data: finding it and copying it.
 */
#ifndef TACIT_CLI_EXAMPLES_H
#define TACIT_CLI_EXAMPLES_H

#include <limits.h>

#include <tacit/base.h>

/* The folder of the examples, into folder. */
tacit_status cli_examples_find(char folder[PATH_MAX], tacit_error *err);

/* Copies the files of the tour into an existing folder. */
tacit_status cli_examples_copy(const char *from, const char *to, tacit_error *err);

/* Makes the folder for the tour: the given one, which must be new or empty, or
 * a new one among the temporary files, whose name goes into made. */
tacit_status cli_examples_folder(char made[PATH_MAX], const char *given, tacit_error *err);

/* Writes a small text so that it appears whole or not at all. */
tacit_status cli_write_text(const char *path, const char *text, size_t len, tacit_error *err);

#endif
