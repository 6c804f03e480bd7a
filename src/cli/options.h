/*
 * options.h - one table a command: parsing, --help, completion and the manual
 * page are all made from it.
 */
#ifndef TACIT_CLI_OPTIONS_H
#define TACIT_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tacit/base.h>
#include <tacit/job.h>

/* What the command's exit status says. A signal is passed on as a signal. */
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,     /* input, output, memory, a file that is not what it should be */
    CLI_MISUSE = 2,     /* an option or a policy that makes no sense */
    CLI_BROKEN = 3,     /* no release keeps the promise; nothing is written */
    CLI_LIMIT = 4,      /* stopped by --time or another bound */
    CLI_DISCLOSURE = 5, /* audit found something */
};

/* An option: a setting of the library, or one of the command's own. A table of them ends in an
 * entry without a name. */
typedef struct cli_option {
    const char *name; /* without the dashes */
    char letter;      /* its short form; 0: none */
    tacit_setting_type type;
    const char *argument; /* the value as help calls it; NULL for a switch */
    const char *help;
    bool is_setting; /* of the library */
} cli_option;

enum { CLI_MAX_OPTIONS = 112 };

/* Every option of a command: its own, the policy's keys, the common ones. */
typedef struct cli_option_list {
    cli_option items[CLI_MAX_OPTIONS];
    size_t count;
    size_t own;    /* items before this one are the command's own */
    size_t policy; /* and from there to before this one the policy's */
} cli_option_list;

struct cli_arguments;

typedef struct cli_command {
    const char *name;
    const char *summary; /* a line in the list of commands */
    const char *usage;   /* follows "tacit NAME" */
    const char *about;   /* what it does: paragraphs, one a line */
    /* Of a command that runs by itself; what a job takes is the library's to know. */
    const char *operand;
    size_t operands_needed, operands_taken;
    const cli_option *options;
    bool answers; /* what it has to say is what was asked for: on standard output */
    bool hidden;
    const char *example; /* a command line, or several with newlines between */
    /* NULL: it is the job of its name (tacit/job.h). */
    int (*run)(const struct cli_arguments *arguments);
} cli_command;

typedef struct cli_given {
    const cli_option *option;
    const char *value; /* NULL for a switch */
} cli_given;

/* A command line, parsed. Values borrow from argv. */
typedef struct cli_arguments {
    const cli_command *command;
    tacit_job *job; /* NULL: the command runs by itself */
    cli_option_list list;
    cli_given *given; /* in their order */
    size_t given_count;
    const char **operands;
    size_t operand_count;
} cli_arguments;

void cli_options_of(cli_option_list *list, const cli_command *command);

/* Parses what follows the command's name. TACIT_INVALID and a message where it
 * makes no sense. Stops early, without checking the rest, at --help and
 * --version. */
tacit_status cli_arguments_init(cli_arguments *arguments, const cli_command *command, int count,
                                const char *const *words, tacit_error *err);
void cli_arguments_clear(cli_arguments *arguments);

/* Whether an option was given, and its last value (NULL where it was not). */
bool cli_has(const cli_arguments *arguments, const char *name);
const char *cli_value(const cli_arguments *arguments, const char *name);

/* Sets an error that is not set yet, as the library does. */
tacit_status cli_error(tacit_error *err, tacit_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
