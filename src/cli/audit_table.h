/*
 * audit_table.h - `tacit audit` where the release is a statistical table.
 */
#ifndef TACIT_CLI_AUDIT_TABLE_H
#define TACIT_CLI_AUDIT_TABLE_H

#include "options.h"

/* Whether the command line speaks of a table: a .jj file, or dimensions. */
bool cli_is_audit_of_table(const cli_arguments *arguments);

/* The command; its exit status. */
int cli_audit_table(const cli_arguments *arguments);

#endif
