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

/* What the command's exit status says. A signal is passed on as a signal. */
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,     /* input, output, memory, a file that is not what it should be */
    CLI_MISUSE = 2,     /* an option or a policy that makes no sense */
    CLI_BROKEN = 3,     /* no release keeps the promise; nothing is written */
    CLI_LIMIT = 4,      /* stopped by --time or another bound */
    CLI_DISCLOSURE = 5, /* audit found something */
};

typedef enum cli_kind {
    CLI_SWITCH = 0, /* takes no value */
    CLI_TEXT,
    CLI_FILE,
    CLI_FOLDER,
    CLI_NUMBER,    /* a natural number */
    CLI_SECONDS,   /* a positive number */
    CLI_REAL,      /* a number, 0 or more */
    CLI_CHARACTER, /* one byte, or "tab" */
} cli_kind;

/* An option. A table of them ends in an entry without a name. */
typedef struct cli_option {
    const char *name; /* without the dashes */
    char letter;      /* its short form; 0: none */
    cli_kind kind;
    const char *argument; /* the value as help calls it; NULL for a switch */
    const char *help;
    bool is_policy; /* a key of the policy, given as a flag */
} cli_option;

enum { CLI_MAX_OPTIONS = 96 };

/* Every option of a command: its own, the policy's keys, the common ones. */
typedef struct cli_option_list {
    cli_option items[CLI_MAX_OPTIONS];
    size_t count;
    size_t own;    /* items before this one are the command's own */
    size_t policy; /* and from there to before this one the policy's */
} cli_option_list;

struct cli_arguments;

/* What a command makes by a method. */
typedef enum cli_product { CLI_NOTHING = 0, CLI_RECORDS, CLI_TABLES } cli_product;

typedef struct cli_command {
    const char *name;
    const char *summary; /* a line in the list of commands */
    const char *usage;   /* follows "tacit NAME" */
    const char *about;   /* what it does: paragraphs, one a line */
    const char *operand; /* what it works on; NULL: nothing */
    size_t operands_needed;
    size_t operands_taken;
    const cli_option *options;      /* its own; NULL: none */
    bool takes_policy;              /* --policy, and a flag for each key of it */
    const char *const *policy_keys; /* the keys that are flags, ending in NULL; NULL: all of them */
    bool takes_data;                /* the options of every command that reads data */
    cli_product makes;              /* by one of the methods, which its help lists */
    bool hidden;
    const char *example; /* a command line, or several with newlines between */
    int (*run)(const struct cli_arguments *arguments);
} cli_command;

typedef struct cli_given {
    const cli_option *option;
    const char *value; /* NULL for a switch */
} cli_given;

/* A command line, parsed. Values borrow from argv. */
typedef struct cli_arguments {
    const cli_command *command;
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

/* The last value as a number; fallback where it was not given. Parsing has
 * made sure that it is one. */
uint64_t cli_number(const cli_arguments *arguments, const char *name, uint64_t fallback);
double cli_seconds(const cli_arguments *arguments, const char *name, double fallback);
double cli_real(const cli_arguments *arguments, const char *name, double fallback);
char cli_character(const cli_arguments *arguments, const char *name, char fallback);

/* The place of the last value in a list of names; -1 where it was not given. */
tacit_status cli_choice(int *out, const cli_arguments *arguments, const char *name,
                        const char *const *names, int count, tacit_error *err);

/* Sets an error that is not set yet, as the library does. */
tacit_status cli_error(tacit_error *err, tacit_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The name most like word among names of a stride in bytes, or NULL if none is
 * near enough to be meant. */
const char *cli_nearest(const char *word, const void *names, size_t count, size_t stride);

#endif
