/*
 * options.c - reads a command line by the command's table of options.
 *
 * Long options come as `--name value` or `--name=value`, short ones as
 * `-n value`, `-nvalue` or clustered (`-qo FILE`); `--` ends them. The result
 * is the list of what was given, in order: policy keys are applied in that
 * order, everything else asks for the last value. Numbers are checked here, so
 * that a command reads them without a way to fail.
 */
#define _GNU_SOURCE
#include "options.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tacit.h>

/* Of every command that reads data. */
static const cli_option COMMON[] = {
    {"report", 0, CLI_FILE, "R.json", "write the account of the run as JSON", false},
    {"html", 0, CLI_FILE, "R.html", "write the account as a page for people", false},
    {"time", 0, CLI_SECONDS, "SECONDS",
     "stop after so long: a search gives its best, other work ends (exit status 4)", false},
    {"seed", 0, CLI_NUMBER, "N",
     "repeat a run exactly; whoever knows the number can undo what was random", false},
    {"threads", 0, CLI_NUMBER, "N",
     "processors to use; all of them unless given. Results do not depend on it", false},
    {"delimiter", 0, CLI_CHARACTER, "C",
     "what separates the fields; found out unless given (\"tab\" for a tab)", false},
    {"no-header", 0, CLI_SWITCH, NULL, "the first line is data; columns are named V1, V2 and so on",
     false},
    {"show", 0, CLI_SWITCH, NULL,
     "let messages show values of the data and, with audit, whom an attack exposes and what "
     "follows: for your eyes only",
     false},
    {"quiet", 'q', CLI_SWITCH, NULL, "say nothing but errors", false},
    {NULL, 0, CLI_SWITCH, NULL, NULL, false},
};

static const cli_option ALWAYS[] = {
    {"help", 'h', CLI_SWITCH, NULL, "show this help", false},
    {"version", 0, CLI_SWITCH, NULL, "show the version", false},
    {NULL, 0, CLI_SWITCH, NULL, NULL, false},
};

static const cli_option POLICY = {"policy",
                                  0,
                                  CLI_FILE,
                                  "P.yaml",
                                  "the data holder's decisions: roles of columns, k, loss and more",
                                  false};

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

static cli_kind kind_of_key(const tacit_policy_key *key)
{
    if (!key->argument)
        return CLI_SWITCH;
    if (strcmp(key->argument, "FOLDER") == 0)
        return CLI_FOLDER;
    return strcmp(key->argument, "FILE") == 0 ? CLI_FILE : CLI_TEXT;
}

static cli_option option_of_key(const tacit_policy_key *key)
{
    return (cli_option){.name = key->name,
                        .kind = kind_of_key(key),
                        .argument = key->argument,
                        .help = key->help,
                        .is_policy = true};
}

static bool is_flag(const cli_command *command, const tacit_policy_key *key)
{
    const char *const *names = command->policy_keys;
    while (names && *names && strcmp(*names, key->name) != 0)
        names++;
    return !names || *names;
}

void cli_options_of(cli_option_list *list, const cli_command *command)
{
    list->count = 0;
    if (command->takes_policy)
        append(list, POLICY);
    append_table(list, command->options);
    list->own = list->count;
    if (command->takes_policy)
        for (const tacit_policy_key *key = tacit_policy_keys(); key->name; key++)
            if (is_flag(command, key))
                append(list, option_of_key(key));
    list->policy = list->count;
    if (command->takes_data)
        append_table(list, COMMON);
    append_table(list, ALWAYS);
}

/* Levenshtein's distance with transpositions, on words of up to 31 letters. */
static int distance(const char *a, const char *b)
{
    enum { MOST = 32 };
    int table[MOST][MOST];
    int n = (int)strlen(a), m = (int)strlen(b);
    if (n >= MOST || m >= MOST)
        return MOST;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            if (!i || !j) {
                table[i][j] = i + j;
                continue;
            }
            int best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = table[i - 1][j] + 1 < best ? table[i - 1][j] + 1 : best;
            best = table[i][j - 1] + 1 < best ? table[i][j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                table[i - 2][j - 2] + 1 < best)
                best = table[i - 2][j - 2] + 1;
            table[i][j] = best;
        }
    return table[n][m];
}

const char *cli_nearest(const char *word, const void *names, size_t count, size_t stride)
{
    const char *nearest = NULL;
    int least = (int)strlen(word) / 3 + 2;
    for (size_t i = 0; i < count; i++) {
        const char *name = *(const char *const *)((const char *)names + i * stride);
        int far = distance(word, name);
        if (strlen(word) > 2 && strncmp(name, word, strlen(word)) == 0)
            far = 1; /* cut short */
        if (far < least && far < (int)strlen(name)) {
            least = far;
            nearest = name;
        }
    }
    return nearest;
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
    const char *nearest = cli_nearest(word, list->items, list->count, sizeof list->items[0]);
    if (nearest)
        return cli_error(err, TACIT_INVALID, "unknown option --%s (did you mean --%s?)", word,
                         nearest);
    return cli_error(err, TACIT_INVALID, "unknown option --%s", word);
}

static bool parse_number(uint64_t *out, const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno)
        return false;
    *out = value;
    return true;
}

static bool parse_real(double *out, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value) || value < 0)
        return false;
    *out = value;
    return true;
}

static bool parse_seconds(double *out, const char *text)
{
    double value;
    if (!parse_real(&value, text) || value == 0)
        return false;
    *out = value;
    return true;
}

static bool parse_character(char *out, const char *text)
{
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0)
        *out = '\t';
    else if (text[0] > ' ' && text[0] != '"' && text[0] < 127 && !text[1])
        *out = text[0];
    else if (strcmp(text, "\t") == 0 || strcmp(text, " ") == 0)
        *out = text[0];
    else
        return false;
    return true;
}

static tacit_status check_value(const cli_option *option, const char *value, tacit_error *err)
{
    uint64_t number;
    double real;
    char character;
    if (option->kind == CLI_NUMBER && !parse_number(&number, value))
        return cli_error(err, TACIT_INVALID, "--%s takes a natural number, not \"%.40s\"",
                         option->name, value);
    if (option->kind == CLI_SECONDS && !parse_seconds(&real, value))
        return cli_error(err, TACIT_INVALID, "--%s takes a number above 0, not \"%.40s\"",
                         option->name, value);
    if (option->kind == CLI_REAL && !parse_real(&real, value))
        return cli_error(err, TACIT_INVALID, "--%s takes a number, 0 or more, not \"%.40s\"",
                         option->name, value);
    if (option->kind == CLI_CHARACTER && !parse_character(&character, value))
        return cli_error(err, TACIT_INVALID, "--%s takes one character, or \"tab\", not \"%.40s\"",
                         option->name, value);
    if ((option->kind == CLI_FILE || option->kind == CLI_FOLDER) && !*value)
        return cli_error(err, TACIT_INVALID, "--%s takes a name that is not empty", option->name);
    return TACIT_OK;
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
    if (option->kind == CLI_SWITCH) {
        reader->ended |= !strcmp(option->name, "help") || !strcmp(option->name, "version");
        return TACIT_OK;
    }
    return check_value(option, value, err);
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
    if (option->kind == CLI_SWITCH && equals)
        return cli_error(err, TACIT_INVALID, "--%s takes no value", option->name);
    if (equals)
        return give(reader, option, equals + 1, err);
    if (option->kind == CLI_SWITCH)
        return give(reader, option, NULL, err);
    return give_next(reader, option, err);
}

static tacit_status read_short(word_reader *reader, const char *letters, tacit_error *err)
{
    for (; *letters; letters++) {
        const cli_option *option = find_letter(&reader->arguments->list, *letters);
        if (!option)
            return cli_error(err, TACIT_INVALID, "unknown option -%c", *letters);
        if (option->kind != CLI_SWITCH && letters[1])
            return give(reader, option, letters + 1, err);
        tacit_status status = option->kind == CLI_SWITCH ? give(reader, option, NULL, err)
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

static tacit_status check_operands(const cli_arguments *arguments, tacit_error *err)
{
    const cli_command *command = arguments->command;
    if (arguments->operand_count < command->operands_needed)
        return cli_error(err, TACIT_INVALID, "%s is missing", command->operand);
    if (arguments->operand_count > command->operands_taken)
        return cli_error(err, TACIT_INVALID, "\"%.80s\" is one argument too many",
                         arguments->operands[command->operands_taken]);
    return TACIT_OK;
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
                              ? read_words(&reader, err)
                              : cli_error(err, TACIT_NOMEM, "out of memory");
    if (status == TACIT_OK && !reader.ended)
        status = check_operands(arguments, err);
    if (status != TACIT_OK)
        cli_arguments_clear(arguments);
    return status;
}

void cli_arguments_clear(cli_arguments *arguments)
{
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

uint64_t cli_number(const cli_arguments *arguments, const char *name, uint64_t fallback)
{
    const char *value = cli_value(arguments, name);
    if (value)
        parse_number(&fallback, value);
    return fallback;
}

double cli_seconds(const cli_arguments *arguments, const char *name, double fallback)
{
    const char *value = cli_value(arguments, name);
    if (value)
        parse_seconds(&fallback, value);
    return fallback;
}

double cli_real(const cli_arguments *arguments, const char *name, double fallback)
{
    const char *value = cli_value(arguments, name);
    if (value)
        parse_real(&fallback, value);
    return fallback;
}

char cli_character(const cli_arguments *arguments, const char *name, char fallback)
{
    const char *value = cli_value(arguments, name);
    if (value)
        parse_character(&fallback, value);
    return fallback;
}

tacit_status cli_choice(int *out, const cli_arguments *arguments, const char *name,
                        const char *const *names, int count, tacit_error *err)
{
    const char *value = cli_value(arguments, name);
    char known[128] = "";
    size_t len = 0;
    *out = -1;
    for (int i = 0; value && i < count; i++) {
        if (strcmp(value, names[i]) == 0)
            *out = i;
        len += (size_t)snprintf(known + len, sizeof known - len, "%s%s",
                                i == 0          ? ""
                                : i + 1 < count ? ", "
                                                : " or ",
                                names[i]);
        assert(len < sizeof known);
    }
    if (!value || *out >= 0)
        return TACIT_OK;
    return cli_error(err, TACIT_INVALID, "--%s takes %s, not \"%.40s\"", name, known, value);
}
