/*
 * fuzz_command.h - the command, run again and again in one process: what it says goes nowhere,
 * and its exit status is one that it has.
 */
#ifndef TACIT_TESTS_SUPPORT_FUZZ_COMMAND_H
#define TACIT_TESTS_SUPPORT_FUZZ_COMMAND_H

#include "commands.h"
#include "fuzz_file.h"

/* words end in NULL. A fuzzer says what broke on standard error, so that is put back. */
static inline int fuzz_command(const char *const *words)
{
    int count = 0, said = dup(STDERR_FILENO), printed = dup(STDOUT_FILENO);
    while (words[count])
        count++;
    require(said >= 0 && printed >= 0 && freopen("/dev/null", "w", stdout) &&
                freopen("/dev/null", "w", stderr),
            "no streams");
    int status = cli_run(count, words);
    fflush(stdout);
    fflush(stderr);
    dup2(said, STDERR_FILENO);
    dup2(printed, STDOUT_FILENO);
    close(said);
    close(printed);
    require(status >= CLI_DONE && status <= CLI_DISCLOSURE, "an exit status that nobody knows");
    return status;
}

#endif
