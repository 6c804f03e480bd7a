/*
 * completion.c - what bash, zsh and fish offer after "tacit": commands, then
 * the options of the command, then files where an option takes one.
 */
#include "generate.h"

#include <string.h>

#include "commands.h"

static bool takes_file(const cli_option *option)
{
    return option->type == TACIT_SETTING_FILE || option->type == TACIT_SETTING_FOLDER;
}

/* Whether an option's value is one of the words that its argument lists. */
static bool has_choices(const cli_option *option)
{
    return option->argument && strchr(option->argument, '|') && !strpbrk(option->argument, "[=,");
}

static void put_choices(FILE *out, const cli_option *option)
{
    for (const char *text = option->argument; *text; text++)
        fputc(*text == '|' ? ' ' : *text, out);
}

/* The text between single quotes of a shell; `also` is left out, for shells to
 * which it means something there. */
static void put_quoted(FILE *out, const char *text, const char *also)
{
    for (; *text; text++)
        if (*text != '\'' && *text != '\\' && !strchr(also, *text))
            fputc(*text, out);
}

static void bash_command(FILE *out, const cli_command *command)
{
    cli_option_list list;
    cli_options_of(&list, command);
    fprintf(out, "    %s) options=\"", command->name);
    for (size_t i = 0; i < list.count; i++)
        fprintf(out, "%s--%s", i ? " " : "", list.items[i].name);
    fputs("\"\n        values=\"", out);
    for (size_t i = 0, n = 0; i < list.count; i++)
        if (list.items[i].type != TACIT_SETTING_SWITCH && !takes_file(&list.items[i]))
            fprintf(out, "%s--%s", n++ ? " " : "", list.items[i].name);
    fputs("\"\n        case $previous in\n", out);
    for (size_t i = 0; i < list.count; i++) {
        if (!has_choices(&list.items[i]))
            continue;
        fprintf(out, "        --%s) choices=\"", list.items[i].name);
        put_choices(out, &list.items[i]);
        fputs("\" ;;\n", out);
    }
    fputs("        esac ;;\n", out);
}

static void put_names(FILE *out)
{
    for (size_t i = 0; cli_commands[i]; i++)
        if (!cli_commands[i]->hidden)
            fprintf(out, "%s ", cli_commands[i]->name);
    fputs("help", out);
}

static void completion_bash(FILE *out)
{
    fputs("# bash completion of tacit\n"
          "_tacit()\n{\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local options=\"\" values=\"\" choices=\"\"\n"
          "    COMPREPLY=()\n"
          "    if [[ $COMP_CWORD -eq 1 || ${COMP_WORDS[1]} == help ]]; then\n"
          "        COMPREPLY=($(compgen -W \"",
          out);
    put_names(out);
    fputs("\" -- \"$current\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n", out);
    for (size_t i = 0; cli_commands[i]; i++)
        if (!cli_commands[i]->hidden)
            bash_command(out, cli_commands[i]);
    fputs("    esac\n"
          "    if [[ -n $choices ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$choices\" -- \"$current\"))\n"
          "        return\n    fi\n"
          "    if [[ \" $values \" == *\" $previous \"* ]]; then\n        return\n    fi\n"
          "    if [[ $current == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
          "    else\n"
          "        COMPREPLY=($(compgen -f -- \"$current\"))\n"
          "    fi\n"
          "}\n"
          "complete -o filenames -F _tacit tacit\n",
          out);
}

static void zsh_option(FILE *out, const cli_option *option)
{
    fprintf(out, "            '*--%s%s[", option->name,
            option->type == TACIT_SETTING_SWITCH ? "" : "=");
    put_quoted(out, option->help, "[]");
    fputs("]", out);
    if (option->argument) {
        fputc(':', out);
        put_quoted(out, option->argument, ":[]");
        fputc(':', out);
    }
    if (option->type == TACIT_SETTING_FOLDER)
        fputs("_files -/", out);
    else if (option->type == TACIT_SETTING_FILE)
        fputs("_files", out);
    else if (has_choices(option)) {
        fputc('(', out);
        put_choices(out, option);
        fputc(')', out);
    }
    fputs("' \\\n", out);
}

static void zsh_command(FILE *out, const cli_command *command)
{
    cli_option_list list;
    cli_options_of(&list, command);
    fprintf(out, "    %s)\n        _arguments \\\n", command->name);
    for (size_t i = 0; i < list.count; i++)
        zsh_option(out, &list.items[i]);
    fprintf(out, "            '%s' ;;\n",
            command->run && !command->operand ? "*: :" : "*:file:_files");
}

static void completion_zsh(FILE *out)
{
    fputs("#compdef tacit\n"
          "local -a commands\n"
          "commands=(\n",
          out);
    for (size_t i = 0; cli_commands[i]; i++) {
        if (cli_commands[i]->hidden)
            continue;
        fprintf(out, "    '%s:", cli_commands[i]->name);
        put_quoted(out, cli_commands[i]->summary, "");
        fputs("'\n", out);
    }
    fputs("    'help:the options of a command'\n"
          ")\n"
          "if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then\n"
          "    _describe command commands\n"
          "    return\n"
          "fi\n"
          "shift words\n"
          "(( CURRENT-- ))\n"
          "case $words[1] in\n",
          out);
    for (size_t i = 0; cli_commands[i]; i++)
        if (!cli_commands[i]->hidden)
            zsh_command(out, cli_commands[i]);
    fputs("esac\n", out);
}

static void fish_option(FILE *out, const cli_command *command, const cli_option *option)
{
    fprintf(out, "complete -c tacit -n '__fish_seen_subcommand_from %s' -l %s", command->name,
            option->name);
    if (option->letter)
        fprintf(out, " -s %c", option->letter);
    if (option->type == TACIT_SETTING_FOLDER)
        fputs(" -x -a '(__fish_complete_directories)'", out);
    else if (option->type != TACIT_SETTING_SWITCH)
        fputs(takes_file(option) ? " -r -F" : " -x", out);
    if (has_choices(option)) {
        fputs(" -a '", out);
        put_choices(out, option);
        fputc('\'', out);
    }
    fputs(" -d '", out);
    put_quoted(out, option->help, "");
    fputs("'\n", out);
}

static void completion_fish(FILE *out)
{
    fputs("# fish completion of tacit\n", out);
    for (size_t i = 0; cli_commands[i]; i++) {
        if (cli_commands[i]->hidden)
            continue;
        cli_option_list list;
        cli_options_of(&list, cli_commands[i]);
        fprintf(out, "complete -c tacit -f -n __fish_use_subcommand -a %s -d '",
                cli_commands[i]->name);
        put_quoted(out, cli_commands[i]->summary, "");
        fputs("'\n", out);
        for (size_t j = 0; j < list.count; j++)
            fish_option(out, cli_commands[i], &list.items[j]);
    }
    fputs("complete -c tacit -f -n __fish_use_subcommand -a help "
          "-d 'the options of a command'\n",
          out);
}

bool cli_completion(FILE *out, const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        completion_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        completion_zsh(out);
    else if (strcmp(shell, "fish") == 0)
        completion_fish(out);
    else
        return false;
    return true;
}
