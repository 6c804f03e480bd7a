/*
 * help.c - `tacit --help` and `tacit COMMAND --help`: at most 80 columns wide,
 * each ending in an example that works on the shipped data.
 */
#include "help.h"

#include <string.h>

#include <tacit/job.h>

#include "commands.h"

enum { WIDTH = 80, TEXT_COLUMN = 26, TERM_COLUMN = 18 };

const char *const cli_exit_lines[] = {
    "0  done",
    "1  failed: input, output, memory, or a file that is not what it should be",
    "2  misuse: an option or a policy that makes no sense",
    "3  no release keeps the promise; nothing was written",
    "4  stopped by a limit, such as --time",
    "5  audit found a disclosure",
    NULL,
};

/* Prints text from column `at` on, broken at blanks and indented to `indent`. */
static void wrap(FILE *out, const char *text, int at, int indent)
{
    while (*text) {
        int word = (int)strcspn(text, " \n");
        bool breaks = text[word] == '\n';
        if (at > indent && at + 1 + word > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
        } else if (at > indent) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", word, text);
        at += word;
        text += word + (text[word] != '\0');
        if (breaks) {
            fprintf(out, "\n\n%*s", indent, "");
            at = indent;
        }
    }
    fputc('\n', out);
}

static void print_option(FILE *out, const cli_option *option)
{
    char name[96], letter[8] = "    ";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(name, sizeof name, "  %s--%s%s%s", letter, option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    int at = fprintf(out, "%s", name);
    if (at + 2 > TEXT_COLUMN) {
        fputc('\n', out);
        at = 0;
    }
    fprintf(out, "%*s", TEXT_COLUMN - at, "");
    wrap(out, option->help, TEXT_COLUMN, TEXT_COLUMN);
}

static void print_options(FILE *out, const char *heading, const cli_option_list *list, size_t from,
                          size_t to)
{
    if (from == to)
        return;
    fprintf(out, "\n%s\n", heading);
    for (size_t i = from; i < to; i++)
        print_option(out, &list->items[i]);
}

static void print_term(FILE *out, const char *name, const char *summary)
{
    int at = fprintf(out, "  %s", name);
    if (at + 1 > TERM_COLUMN) {
        fputc('\n', out);
        at = 0;
    }
    fprintf(out, "%*s", TERM_COLUMN - at, "");
    wrap(out, summary, TERM_COLUMN, TERM_COLUMN);
}

static void print_choices(FILE *out, const char *kind)
{
    const char *heading, *name;
    for (size_t group = 0; (heading = tacit_job_group(kind, group)); group++) {
        char summary[512];
        fprintf(out, "\n%s:\n", heading);
        for (size_t i = 0; (name = tacit_job_choice(kind, group, i, summary, sizeof summary)); i++)
            print_term(out, name, summary);
    }
}

static void print_example(FILE *out, const char *example)
{
    fputs("\nExample:\n", out);
    while (*example) {
        int line = (int)strcspn(example, "\n");
        fprintf(out, "  %.*s\n", line, example);
        example += line + (example[line] == '\n');
    }
}

void cli_help_command(FILE *out, const cli_command *command)
{
    cli_option_list list;
    cli_options_of(&list, command);
    fprintf(out, "usage: tacit %s %s\n\n", command->name, command->usage);
    wrap(out, command->about, 0, 0);
    print_options(out, "Options:", &list, 0, list.own);
    print_options(out, "Keys of the policy, each a flag that overrides the file:", &list, list.own,
                  list.policy);
    print_options(out, "Common options:", &list, list.policy, list.count);
    print_choices(out, command->name);
    print_example(out, command->example);
}

void cli_help_overview(FILE *out)
{
    fputs("usage: tacit COMMAND [options]\n\n"
          "Releases data without releasing people: protects it, attacks the result,\n"
          "and writes the release only when the promise holds.\n\nCommands:\n",
          out);
    for (size_t i = 0; cli_commands[i]; i++)
        if (!cli_commands[i]->hidden)
            fprintf(out, "  %-11s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    fprintf(out, "  %-11s %s\n", "help", "the options of a command: tacit help COMMAND");
    fputs("\nExit status:\n", out);
    for (size_t i = 0; cli_exit_lines[i]; i++)
        fprintf(out, "  %s\n", cli_exit_lines[i]);
    print_example(out, "tacit demo");
}
