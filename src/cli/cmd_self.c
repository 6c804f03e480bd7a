/*
 * cmd_self.c - `tacit self man [COMMAND]` and `tacit self completion SHELL`:
 * what the build installs beside the command. Not shown in the help.
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "generate.h"

static int misuse(void)
{
    fputs("tacit self: expected \"man [COMMAND]\" or \"completion bash|zsh|fish\"\n", stderr);
    return CLI_MISUSE;
}

static int run(const cli_arguments *arguments)
{
    const char *what = arguments->operands[0];
    const char *of = arguments->operand_count > 1 ? arguments->operands[1] : NULL;
    if (strcmp(what, "man") == 0) {
        const cli_command *command = of ? cli_command_find(of) : NULL;
        if (of && !command)
            return misuse();
        cli_manual(stdout, command);
        return CLI_DONE;
    }
    if (strcmp(what, "completion") == 0 && of && cli_completion(stdout, of))
        return CLI_DONE;
    return misuse();
}

const cli_command cli_self = {
    .name = "self",
    .summary = "manual pages and completions",
    .usage = "man [COMMAND] | completion bash|zsh|fish",
    .about = "Prints a manual page or a shell's completion, made from the tables of options.",
    .operand = "man or completion",
    .operands_needed = 1,
    .operands_taken = 2,
    .hidden = true,
    .example = "tacit self completion bash",
    .run = run,
};
