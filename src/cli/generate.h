/*
 * generate.h - manual pages and completions, made from the tables of options
 * when the project is built.
 */
#ifndef TACIT_CLI_GENERATE_H
#define TACIT_CLI_GENERATE_H

#include <stdio.h>

#include "options.h"

/* The page of a command, or of all together where command is NULL. */
void cli_manual(FILE *out, const cli_command *command);

/* The completion for "bash", "zsh" or "fish"; false for any other shell. */
bool cli_completion(FILE *out, const char *shell);

#endif
