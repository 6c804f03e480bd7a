/*
 * help.h - help on the terminal, made from the tables of options.
 */
#ifndef TACIT_CLI_HELP_H
#define TACIT_CLI_HELP_H

#include <stdio.h>

#include "options.h"

/* "  name of the command    what it does", for all of them. */
void cli_help_overview(FILE *out);

void cli_help_command(FILE *out, const cli_command *command);

/* What the exit status says, a line each; ends in NULL. */
extern const char *const cli_exit_lines[];

#endif
