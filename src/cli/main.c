/*
 * main.c - the command `tacit`. The work is in commands.c and the files it
 * names; here only the ends meet: what could not be written to standard output
 * is a failure, a signal that stopped the work is passed on to whoever started
 * the command, and a crash leaves no people in a core dump. A standard stream that
 * is closed stays unusable: a file must not get its number, or what is said
 * would be written into a release. A large file is read where it lies; who
 * cuts it off meanwhile ends the command, with a sentence.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

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

/* Descriptors 0, 1 and 2 are taken, by /dev/null where nobody gave them: opened the
 * wrong way round, so that reading and writing them fails as it did before. */
static bool take_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return false;
    return true;
}

/* A page of a mapped file that is no longer there. Nothing has appeared by then: files get their
 * names last. */
static void say_cut_off(int number)
{
    static const char SENTENCE[] = "tacit: a file became shorter while it was read, and nothing "
                                   "was written; run again when nobody writes to it\n";
    (void)number;
    if (write(STDERR_FILENO, SENTENCE, sizeof SENTENCE - 1) < 0)
        _exit(CLI_FAILED); /* nobody hears it */
    _exit(CLI_FAILED);
}

int main(int argc, char **argv)
{
    if (!take_standard_streams())
        return CLI_FAILED; /* there may be nowhere to say so */
    forbid_core_dumps();
    signal(SIGBUS, say_cut_off);
    int status = argc > 0 ? cli_run(argc - 1, (const char *const *)argv + 1) : CLI_MISUSE;
    cli_interrupt_pass_on();
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == CLI_DONE) {
        fprintf(stderr, "tacit: standard output: cannot write: %s\n", strerror(errno));
        status = CLI_FAILED;
    }
    return status;
}
