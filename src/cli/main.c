/*
 * main.c - the command `tacit`. The work is in commands.c and the files it
 * names; here only the ends meet: what could not be written to standard output
 * is a failure, a signal that stopped the work is passed on to whoever started
 * the command, and a crash leaves no people in a core dump.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "commands.h"
#include "interrupt.h"

/* The data lies in memory, so there is to be no core dump unless TACIT_CORE asks
 * for one. A limit of one byte, not none, also stops those that are handed to a
 * program (core(5)). */
static void forbid_core_dumps(void)
{
    struct rlimit limit;
    if (getenv("TACIT_CORE") || getrlimit(RLIMIT_CORE, &limit) != 0 || limit.rlim_cur == 0)
        return;
    limit.rlim_cur = 1;
    setrlimit(RLIMIT_CORE, &limit); /* lowering it is always allowed */
}

int main(int argc, char **argv)
{
    forbid_core_dumps();
    int status = argc > 0 ? cli_run(argc - 1, (const char *const *)argv + 1) : CLI_MISUSE;
    cli_interrupt_pass_on();
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == CLI_DONE) {
        fprintf(stderr, "tacit: standard output: cannot write: %s\n", strerror(errno));
        status = CLI_FAILED;
    }
    return status;
}
