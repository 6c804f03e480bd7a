/*
 * test_ledger_kill.c - `tacit anonymize --ledger` and `tacit protect --method dp` killed before
 * each of its calls that change a file. Whatever it leaves: the ledger can be read and is whole, a
 * release that is there is in the ledger, and the next run goes through.
 *
 * The command is run under ptrace and gets SIGKILL when it enters the call, so that the call
 * is not made; what happens between two such calls no file can tell. Skipped where tracing is
 * not allowed.
 */
#include "ledger_case.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static const char DATA[] = "ZIP,age,sex\n02138,21,m\n02139,24,m\n02141,37,\n02142,38,f\n";

typedef struct world {
    ledger_place place;
    char data[96];
} world;

static const long CHANGES[] = {SYS_write,     SYS_pwrite64, SYS_fsync,     SYS_linkat,
                               SYS_renameat2, SYS_unlinkat, SYS_mkdirat,   SYS_fchmod,
                               SYS_fchmodat,  SYS_flock,    SYS_ftruncate, SYS_sync_file_range,
#ifdef SYS_rename
                               SYS_rename,    SYS_unlink,   SYS_mkdir,     SYS_link,
#endif
                               SYS_exit_group};

static bool changes_files(uint64_t call)
{
    for (size_t i = 0; i < sizeof CHANGES / sizeof CHANGES[0]; i++)
        if ((uint64_t)CHANGES[i] == call)
            return true;
    return false;
}

/* Runs in the child. */
static void start(char *const *arguments, bool traced)
{
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* which cannot be looked for under a tracer */
    if (traced && ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit(99);
    execv(TACIT_COMMAND, arguments);
    _exit(98);
}

static int run(char *const *arguments)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        start(arguments, false);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Kills the command at its so many-th change; returns false where it ended before. Its exit status
 * is 0 then; -1 in *ended where tracing is not allowed. */
static bool run_until(char *const *arguments, int changes, int *ended)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        start(arguments, true);
    waitpid(child, &status, 0);
    ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)PTRACE_O_TRACESYSGOOD);
    while (!WIFEXITED(status) && !WIFSIGNALED(status)) {
        struct __ptrace_syscall_info info = {0};
        int stopped = WSTOPSIG(status) & 0x7f, signal = stopped == SIGTRAP ? 0 : stopped;
        long got = ptrace(PTRACE_GET_SYSCALL_INFO, child, (void *)sizeof info, &info);
        if (got > 0 && info.op == PTRACE_SYSCALL_INFO_ENTRY && changes_files(info.entry.nr) &&
            changes-- == 0)
            kill(child, SIGKILL);
        ptrace(PTRACE_SYSCALL, child, NULL, (void *)(intptr_t)signal);
        waitpid(child, &status, 0);
    }
    *ended = WIFEXITED(status) ? WEXITSTATUS(status) == 99 ? -1 : WEXITSTATUS(status) : 0;
    return WIFSIGNALED(status);
}

/* A release that is there is one that the ledger has. */
static void assert_known(const world *w)
{
    char hash[TACIT_LEDGER_HASH + 1];
    int64_t size = 0;
    bool known = false;
    int fd = open(w->place.release, O_RDONLY);
    tacit_ledger *ledger = NULL;
    tacit_error err = {0};
    tacit_status status =
        tacit_ledger_open(&ledger, w->place.ledger, TACIT_LEDGER_READ, NULL, &err);
    if (status != TACIT_OK) { /* killed before there was one */
        assert_non_null(strstr(err.message, "is no ledger"));
        assert_true(fd < 0);
        return;
    }
    if (tacit_ledger_check(ledger, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    if (fd >= 0) {
        assert_int_equal(tacit_ledger_hash_fd(hash, &size, fd, "release", NULL, NULL), TACIT_OK);
        for (int64_t i = 0; i < tacit_ledger_count(ledger); i++)
            known |= strcmp(tacit_ledger_at(ledger, i)->hash, hash) == 0;
        assert_true(known);
        close(fd);
    }
    tacit_ledger_free(ledger);
}

/* Before each change of files, until the command comes to its end. */
static int kill_everywhere(const world *w, char *const *arguments, char *const *first)
{
    int killed = 0, ended = 0;
    for (bool more = true; more; killed += more) {
        nftw(w->place.ledger, place_remove, 8, FTW_DEPTH | FTW_PHYS);
        unlink(w->place.release);
        if (first)
            assert_int_equal(run(first), 0);
        more = run_until(arguments, killed, &ended);
        if (ended < 0)
            return -1;
        assert_int_equal(ended, 0);
        assert_known(w);
        assert_int_equal(run(arguments), 0);
        assert_known(w);
        assert_int_equal(access(w->place.release, F_OK), 0);
    }
    return killed;
}

/* With a ledger that is new, and with one that has a release under the same name. */
static void test_killed_before_every_change(void **state)
{
    (void)state;
    world w;
    place_open(&w.place);
    snprintf(w.data, sizeof w.data, "%s/data.csv", w.place.folder);
    file_write(w.data, DATA, strlen(DATA));
    char *arguments[] = {"tacit",       "anonymize",
                         "--quiet",     w.data,
                         "--k",         "2",
                         "--quasi",     "ZIP,age",
                         "--hierarchy", "ZIP=mask:right",
                         "--hierarchy", "age=interval:0/5,10,20,40",
                         "--sensitive", "sex",
                         "--threads",   "1",
                         "--ledger",    w.place.ledger,
                         "-o",          w.place.release,
                         NULL};
    int fresh = kill_everywhere(&w, arguments, NULL);
    int again = fresh < 0 ? -1 : kill_everywhere(&w, arguments, arguments);
    place_close(&w.place);
    if (fresh < 0 || again < 0) {
        print_message("processes cannot be traced here\n");
        skip();
    }
    print_message("killed at %d and %d places\n", fresh, again);
    assert_true(fresh > 20 && again > 15);
}

/* A table with noise: what has appeared has been spent before. */
static void test_killed_spending(void **state)
{
    (void)state;
    world w;
    char dimension[160];
    place_open(&w.place);
    snprintf(w.data, sizeof w.data, "%s/data.csv", w.place.folder);
    snprintf(dimension, sizeof dimension, "sex=%s/sexes.csv", w.place.folder);
    file_write(dimension + 4, "m;all\nf;all\n", strlen("m;all\nf;all\n"));
    file_write(w.data, "sex\nm\nm\nf\n", strlen("sex\nm\nm\nf\n"));
    char *arguments[] = {
        "tacit",    "protect",      "--quiet", w.data,          "--dim", dimension,   "--method",
        "dp",       "--epsilon",    "0.5",     "--budget",      "10",    "--threads", "1",
        "--ledger", w.place.ledger, "-o",      w.place.release, NULL};
    int fresh = kill_everywhere(&w, arguments, NULL);
    int again = fresh < 0 ? -1 : kill_everywhere(&w, arguments, arguments);
    unlink(dimension + 4);
    place_close(&w.place);
    if (fresh < 0 || again < 0)
        skip();
    print_message("killed at %d and %d places\n", fresh, again);
    assert_true(fresh > 20 && again > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_killed_before_every_change),
                                       cmocka_unit_test(test_killed_spending)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
