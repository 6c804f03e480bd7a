/*
 * options.c - reads a command line by the command's table of options.
 *
 * Long options come as `--name value` or `--name=value`, short ones as
 * `-n value`, `-nvalue` or clustered (`-qo FILE`); `--` ends them. The result
 * goes to the job of the command as it is read, and is kept in a list, in order.
 */
#include "options.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option QUIET = {"quiet", 'q', TACIT_SETTING_SWITCH, NULL, "say nothing but errors",
                                 false};

static const cli_option ALWAYS[] = {
    {"help", 'h', TACIT_SETTING_SWITCH, NULL, "show this help", false},
    {"version", 0, TACIT_SETTING_SWITCH, NULL, "show the version", false},
    {NULL, 0, TACIT_SETTING_SWITCH, NULL, NULL, false},
};

tacit_status cli_error(tacit_error *err, tacit_status status, const char *format, ...)
{
    if (!err || err->status != TACIT_OK)
        return status;
    char message[sizeof err->message];
    va_list arguments;
    va_start(arguments, format);
    err->status = status;
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    tacit_printable(err->message, sizeof err->message, message, strlen(message));
    return status;
}

static void append(cli_option_list *list, cli_option option)
{
    assert(list->count < CLI_MAX_OPTIONS);
    list->items[list->count++] = option;
}

static void append_table(cli_option_list *list, const cli_option *table)
{
    for (; table && table->name; table++)
        append(list, *table);
}

static cli_option option_of(const tacit_setting *setting)
{
    return (cli_option){.name = tacit_setting_name(setting),
                        .letter = strcmp(tacit_setting_name(setting), "output") == 0 ? 'o' : 0,
                        .type = tacit_setting_type_of(setting),
                        .argument = tacit_setting_argument(setting),
                        .help = tacit_setting_help(setting),
                        .is_setting = true};
}

/* The settings of a job come as they are listed: the kind's own, the policy's, the common ones. */
static bool append_settings(cli_option_list *list, const tacit_job *job)
{
    const tacit_setting *setting;
    bool any_common = false;
    for (size_t i = 0; (setting = tacit_job_setting(job, i)); i++) {
        bool common = tacit_setting_is_common(setting);
        append(list, option_of(setting));
        list->own += !tacit_setting_is_policy(setting) && !common;
        list->policy += !common;
        any_common |= common;
    }
    return any_common;
}

void cli_options_of(cli_option_list *list, const cli_command *command)
{
    tacit_job *job = NULL;
    bool common = false;
    list->count = list->own = list->policy = 0;
    append_table(list, command->options);
    if (!command->run && tacit_job_new(&job, command->name, NULL) == TACIT_OK)
        common = append_settings(list, job);
    tacit_job_free(job);
    if (command->options)
        list->own = list->policy = list->count;
    if (common)
        append(list, QUIET);
    append_table(list, ALWAYS);
}

static const cli_option *find_name(const cli_option_list *list, const char *name, size_t len)
{
    for (size_t i = 0; i < list->count; i++)
        if (strlen(list->items[i].name) == len && strncmp(list->items[i].name, name, len) == 0)
            return &list->items[i];
    return NULL;
}

static const cli_option *find_letter(const cli_option_list *list, char letter)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].letter == letter)
            return &list->items[i];
    return NULL;
}

static tacit_status unknown(const cli_option_list *list, const char *name, size_t len,
                            tacit_error *err)
{
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)len, name);
    const char *nearest = tacit_nearest(word, list->items, list->count, sizeof list->items[0]);
    if (nearest)
        return cli_error(err, TACIT_INVALID, "unknown option --%s (did you mean --%s?)", word,
                         nearest);
    return cli_error(err, TACIT_INVALID, "unknown option --%s", word);
}

/* Where parsing stands. */
typedef struct word_reader {
    cli_arguments *arguments;
    const char *const *words;
    int count;
    int next;
    bool ended; /* by --help or --version */
} word_reader;

static tacit_status give(word_reader *reader, const cli_option *option, const char *value,
                         tacit_error *err)
{
    cli_arguments *arguments = reader->arguments;
    arguments->given[arguments->given_count++] = (cli_given){option, value};
    reader->ended |= !strcmp(option->name, "help") || !strcmp(option->name, "version");
    return option->is_setting ? tacit_job_set(arguments->job, option->name, value, err) : TACIT_OK;
}

/* Takes the next word as the option's value. A word that looks like a long
 * option is none: `--report --html x` forgot a value. */
static tacit_status give_next(word_reader *reader, const cli_option *option, tacit_error *err)
{
    const char *word = reader->next < reader->count ? reader->words[reader->next] : NULL;
    if (!word || (word[0] == '-' && word[1] == '-'))
        return cli_error(err, TACIT_INVALID, "--%s needs a value: --%s %s", option->name,
                         option->name, option->argument);
    reader->next++;
    return give(reader, option, word, err);
}

static tacit_status read_long(word_reader *reader, const char *word, tacit_error *err)
{
    const char *equals = strchr(word, '=');
    size_t len = equals ? (size_t)(equals - word) : strlen(word);
    const cli_option *option = find_name(&reader->arguments->list, word, len);
    if (!option)
        return unknown(&reader->arguments->list, word, len, err);
    if (option->type == TACIT_SETTING_SWITCH && equals)
        return cli_error(err, TACIT_INVALID, "--%s takes no value", option->name);
    if (equals)
        return give(reader, option, equals + 1, err);
    if (option->type == TACIT_SETTING_SWITCH)
        return give(reader, option, NULL, err);
    return give_next(reader, option, err);
}

static tacit_status read_short(word_reader *reader, const char *letters, tacit_error *err)
{
    for (; *letters; letters++) {
        const cli_option *option = find_letter(&reader->arguments->list, *letters);
        if (!option)
            return cli_error(err, TACIT_INVALID, "unknown option -%c", *letters);
        if (option->type != TACIT_SETTING_SWITCH && letters[1])
            return give(reader, option, letters + 1, err);
        tacit_status status = option->type == TACIT_SETTING_SWITCH ? give(reader, option, NULL, err)
                                                                   : give_next(reader, option, err);
        if (status != TACIT_OK)
            return status;
    }
    return TACIT_OK;
}

static tacit_status read_words(word_reader *reader, tacit_error *err)
{
    cli_arguments *arguments = reader->arguments;
    bool only_operands = false;
    while (reader->next < reader->count && !reader->ended) {
        const char *word = reader->words[reader->next++];
        tacit_status status = TACIT_OK;
        if (only_operands || word[0] != '-' || !word[1])
            arguments->operands[arguments->operand_count++] = word;
        else if (strcmp(word, "--") == 0)
            only_operands = true;
        else if (word[1] == '-')
            status = read_long(reader, word + 2, err);
        else
            status = read_short(reader, word + 1, err);
        if (status != TACIT_OK)
            return status;
    }
    return TACIT_OK;
}

static tacit_status give_operands(const cli_arguments *arguments, tacit_error *err)
{
    const cli_command *command = arguments->command;
    size_t needed = command->operands_needed, taken = command->operands_taken;
    const char *called = command->operand;
    if (arguments->job)
        called = tacit_job_input_name(command->name, &needed, &taken);
    if (arguments->operand_count < needed)
        return cli_error(err, TACIT_INVALID, "%s is missing", called);
    if (arguments->operand_count > taken)
        return cli_error(err, TACIT_INVALID, "\"%.80s\" is one argument too many",
                         arguments->operands[taken]);
    tacit_status status = TACIT_OK;
    for (size_t i = 0; arguments->job && i < arguments->operand_count && status == TACIT_OK; i++)
        status = tacit_job_input_file(arguments->job, arguments->operands[i], err);
    return status;
}

tacit_status cli_arguments_init(cli_arguments *arguments, const cli_command *command, int count,
                                const char *const *words, tacit_error *err)
{
    memset(arguments, 0, sizeof *arguments);
    arguments->command = command;
    cli_options_of(&arguments->list, command);
    size_t letters = 1; /* clustered letters are an option each */
    for (int i = 0; i < count; i++)
        letters += words[i][0] == '-' && words[i][1] != '-' ? strlen(words[i]) : 1;
    arguments->given = calloc(letters, sizeof *arguments->given);
    arguments->operands = calloc((size_t)count + 1, sizeof *arguments->operands);
    word_reader reader = {arguments, words, count, 0, false};
    tacit_status status = arguments->given && arguments->operands
                              ? TACIT_OK
                              : cli_error(err, TACIT_NOMEM, "out of memory");
    if (status == TACIT_OK && !command->run)
        status = tacit_job_new(&arguments->job, command->name, err);
    if (status == TACIT_OK)
        status = read_words(&reader, err);
    if (status == TACIT_OK && !reader.ended)
        status = give_operands(arguments, err);
    if (status != TACIT_OK)
        cli_arguments_clear(arguments);
    return status;
}

void cli_arguments_clear(cli_arguments *arguments)
{
    tacit_job_free(arguments->job);
    free(arguments->given);
    free(arguments->operands);
    memset(arguments, 0, sizeof *arguments);
}

static const cli_given *last_given(const cli_arguments *arguments, const char *name)
{
    for (size_t i = arguments->given_count; i-- > 0;)
        if (strcmp(arguments->given[i].option->name, name) == 0)
            return &arguments->given[i];
    return NULL;
}

bool cli_has(const cli_arguments *arguments, const char *name)
{
    return last_given(arguments, name) != NULL;
}

const char *cli_value(const cli_arguments *arguments, const char *name)
{
    const cli_given *given = last_given(arguments, name);
    return given ? given->value : NULL;
}
