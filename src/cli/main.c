/*
 * main.c - the command `tacit`. The work is in commands.c and the files it
 * names; here only the ends meet: what could not be written to standard output
 * is a failure, and a signal that stopped the work is passed on to whoever
 * started the command.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "interrupt.h"

int main(int argc, char **argv)
{
    int status = argc > 0 ? cli_run(argc - 1, (const char *const *)argv + 1) : CLI_MISUSE;
    cli_interrupt_pass_on();
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == CLI_DONE) {
        fprintf(stderr, "tacit: standard output: cannot write: %s\n", strerror(errno));
        status = CLI_FAILED;
    }
    return status;
}
