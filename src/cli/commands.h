/*
 * commands.h - the commands, and running one by its name.
 */
#ifndef TACIT_CLI_COMMANDS_H
#define TACIT_CLI_COMMANDS_H

#include "options.h"

extern const cli_command cli_profile;
extern const cli_command cli_hierarchy;
extern const cli_command cli_risk;
extern const cli_command cli_anonymize;
extern const cli_command cli_compare;
extern const cli_command cli_protect;
extern const cli_command cli_audit;
extern const cli_command cli_ledger_command;
extern const cli_command cli_scrub_command;
extern const cli_command cli_workbench;
extern const cli_command cli_demo;
extern const cli_command cli_self;

/* All of them, in the order of the help; ends in NULL. */
extern const cli_command *const cli_commands[];

const cli_command *cli_command_find(const char *name);

/* Runs "NAME argument...", as after "tacit"; returns the exit status. */
int cli_run(int count, const char *const *words);

#endif
