/*
 * manual.c - manual pages in the man macros, for `make install`. Texts are the
 * help's own; hyphens and backslashes are escaped so that what the page shows
 * can be copied to a shell.
 */
#include "generate.h"

#include <ctype.h>
#include <string.h>

#include <tacit/job.h>

#include "commands.h"
#include "help.h"

/* Text for troff; a newline begins a paragraph. */
static void put(FILE *out, const char *text)
{
    bool starts = true;
    for (; *text; text++) {
        if (starts && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        starts = *text == '\n';
        switch (*text) {
        case '\\': fputs("\\e", out); break;
        case '-': fputs("\\-", out); break;
        case '\n': fputs("\n.PP\n", out); break;
        default: fputc(*text, out);
        }
    }
    fputc('\n', out);
}

static void put_title(FILE *out, const char *title, const char *summary)
{
    fprintf(out, ".TH %s 1 \"\" \"tacit %s\" \"tacit manual\"\n.SH NAME\n", title, tacit_version());
    for (const char *c = title; *c; c++)
        fputs(*c == '-' ? "\\-" : (char[]){*c, '\0'}, out);
    fputs(" \\- ", out);
    put(out, summary);
}

static void put_option(FILE *out, const cli_option *option)
{
    fputs(".TP\n", out);
    if (option->letter)
        fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", out);
    for (const char *c = option->name; *c; c++)
        fputs(*c == '-' ? "\\-" : (char[]){*c, '\0'}, out);
    fputs("\\fR", out);
    if (option->argument)
        fprintf(out, " \\fI%s\\fR", option->argument);
    fputc('\n', out);
    put(out, option->help);
}

static void put_options(FILE *out, const char *heading, const cli_option_list *list, size_t from,
                        size_t to)
{
    if (from == to)
        return;
    fprintf(out, ".SH %s\n", heading);
    for (size_t i = from; i < to; i++)
        put_option(out, &list->items[i]);
}

static void put_term(FILE *out, const char *name, const char *summary)
{
    fputs(".TP\n.B ", out);
    put(out, name);
    put(out, summary);
}

/* A section for each group, called by its first word. */
static void put_choices(FILE *out, const char *kind)
{
    const char *heading, *name;
    for (size_t group = 0; (heading = tacit_job_group(kind, group)); group++) {
        char summary[512];
        fputs(".SH ", out);
        for (; isalpha((unsigned char)*heading); heading++)
            fputc(toupper((unsigned char)*heading), out);
        fputc('\n', out);
        for (size_t i = 0; (name = tacit_job_choice(kind, group, i, summary, sizeof summary)); i++)
            put_term(out, name, summary);
    }
}

static void put_example(FILE *out, const char *example)
{
    fputs(".SH EXAMPLE\n.nf\n", out);
    while (*example) {
        char line[256];
        int len = (int)strcspn(example, "\n");
        snprintf(line, sizeof line, "%.*s", len, example);
        put(out, line);
        example += len + (example[len] == '\n');
    }
    fputs(".fi\n", out);
}

static void put_exits(FILE *out)
{
    fputs(".SH EXIT STATUS\n", out);
    for (size_t i = 0; cli_exit_lines[i]; i++) {
        fprintf(out, ".TP\n.B %c\n", cli_exit_lines[i][0]);
        put(out, cli_exit_lines[i] + 3);
    }
}

static void put_see_also(FILE *out, const cli_command *self)
{
    fputs(".SH SEE ALSO\n", out);
    bool first = true;
    if (self) {
        fputs(".BR tacit (1)", out);
        first = false;
    }
    for (size_t i = 0; cli_commands[i]; i++) {
        if (cli_commands[i]->hidden || cli_commands[i] == self)
            continue;
        fprintf(out, "%s.BR tacit\\-%s (1)", first ? "" : ",\n", cli_commands[i]->name);
        first = false;
    }
    fputc('\n', out);
}

static void manual_of_all(FILE *out)
{
    put_title(out, "tacit", "releases data without releasing people");
    fputs(".SH SYNOPSIS\n.B tacit\n.I command\n[options]\n.SH DESCRIPTION\n", out);
    put(out, "Protects data, attacks the result, and writes the release only when the promise "
             "holds. Each command has a manual page of its own and answers to --help.");
    fputs(".SH COMMANDS\n", out);
    for (size_t i = 0; cli_commands[i]; i++)
        if (!cli_commands[i]->hidden) {
            fprintf(out, ".TP\n.B tacit %s\n", cli_commands[i]->name);
            put(out, cli_commands[i]->summary);
        }
    put_exits(out);
    fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\n", out);
    put(out, "where it is set, nothing is coloured.");
    fputs(".TP\n.B TACIT_DATA\n", out);
    put(out, "the folder of the example data, for tacit demo.");
    put_example(out, "tacit demo");
    put_see_also(out, NULL);
}

void cli_manual(FILE *out, const cli_command *command)
{
    if (!command) {
        manual_of_all(out);
        return;
    }
    char title[64];
    cli_option_list list;
    cli_options_of(&list, command);
    snprintf(title, sizeof title, "tacit-%s", command->name);
    put_title(out, title, command->summary);
    fprintf(out, ".SH SYNOPSIS\n.B tacit %s\n", command->name);
    put(out, command->usage);
    fputs(".SH DESCRIPTION\n", out);
    put(out, command->about);
    put_options(out, "OPTIONS", &list, 0, list.own);
    put_options(out, "POLICY KEYS", &list, list.own, list.policy);
    put_options(out, "COMMON OPTIONS", &list, list.policy, list.count);
    put_choices(out, command->name);
    put_exits(out);
    put_example(out, command->example);
    put_see_also(out, command);
}
