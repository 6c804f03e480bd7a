/*
 * commands.c - from the first word of a command line to the command that does
 * the work. Adding a command is a file and a line in the table below.
 *
 * Help goes to standard output because it was asked for; misuse goes to
 * standard error, in one line that says what to do.
 */
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include <tacit/base.h>

#include "help.h"
#include "job.h"

const cli_command *const cli_commands[] = {
    &cli_profile,   &cli_hierarchy,      &cli_risk,
    &cli_anonymize, &cli_compare,        &cli_protect,
    &cli_audit,     &cli_ledger_command, &cli_scrub_command,
    &cli_workbench, &cli_demo,           &cli_self,
    NULL,
};

const cli_command *cli_command_find(const char *name)
{
    for (size_t i = 0; cli_commands[i]; i++)
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
    return NULL;
}

/* A word of the command line as a terminal may show it. */
typedef struct shown_word {
    char text[800];
} shown_word;

static shown_word show(const char *word)
{
    shown_word shown;
    tacit_printable(shown.text, sizeof shown.text, word, strlen(word));
    return shown;
}

static int no_command(const char *name)
{
    const char *names[16] = {"help"};
    size_t count = 1;
    for (size_t i = 0; cli_commands[i]; i++)
        if (!cli_commands[i]->hidden)
            names[count++] = cli_commands[i]->name;
    const char *nearest = tacit_nearest(name, names, count, sizeof names[0]);
    const char *kind = name[0] == '-' ? "option" : "command";
    if (nearest && name[0] != '-')
        fprintf(stderr, "tacit: unknown command %.40s (did you mean %s?); see tacit --help\n",
                show(name).text, nearest);
    else
        fprintf(stderr, "tacit: unknown %s %.40s; see tacit --help\n", kind, show(name).text);
    return CLI_MISUSE;
}

static int run_help(int count, const char *const *words)
{
    if (count == 0) {
        cli_help_overview(stdout);
        return CLI_DONE;
    }
    const cli_command *command = cli_command_find(words[0]);
    if (!command)
        return no_command(words[0]);
    cli_help_command(stdout, command);
    return CLI_DONE;
}

static int run_version(void)
{
    printf("tacit %s\n", tacit_version());
    return CLI_DONE;
}

static int run_command(const cli_command *command, int count, const char *const *words)
{
    cli_arguments arguments;
    tacit_error err = {0};
    tacit_status status = cli_arguments_init(&arguments, command, count, words, &err);
    if (status != TACIT_OK) {
        fprintf(stderr, "tacit %s: %s; see tacit %s --help\n", command->name,
                show(err.message).text, command->name);
        return status == TACIT_INVALID ? CLI_MISUSE : CLI_FAILED;
    }
    int result = CLI_DONE;
    if (cli_has(&arguments, "help"))
        cli_help_command(stdout, command);
    else if (cli_has(&arguments, "version"))
        result = run_version();
    else
        result = command->run ? command->run(&arguments) : cli_job_run(&arguments);
    cli_arguments_clear(&arguments);
    return result;
}

int cli_run(int count, const char *const *words)
{
    if (count == 0) {
        cli_help_overview(stderr);
        return CLI_MISUSE;
    }
    const char *name = words[0];
    if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h"))
        return run_help(count - 1, words + 1);
    if (!strcmp(name, "version") || !strcmp(name, "--version"))
        return run_version();
    const cli_command *command = cli_command_find(name);
    return command ? run_command(command, count - 1, words + 1) : no_command(name);
}
