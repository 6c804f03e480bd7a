/*
 * child.c - a process that answers through a pipe: the length of the answer, the answer, and what
 * went wrong. It has a copy of this process's memory, can start nothing that outlives it, and is
 * killed where this one ends or the run is stopped.
 */
#include "duckdb/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/parallel.h"

/* ---- in the child ---- */

static bool send_all(int fd, const void *bytes, size_t len)
{
    for (size_t at = 0; at < len;) {
        ssize_t sent = write(fd, (const char *)bytes + at, len - at);
        if (sent < 0 && errno != EINTR)
            return false;
        at += sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

static void limit(int what, rlim_t most)
{
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)what, &now) != 0 || now.rlim_max < most)
        return;
    now = (struct rlimit){most, most};
    setrlimit((__rlimit_resource_t)what, &now);
}

/* What is mapped already, and as much again as the machine has. */
static void bound_memory(void)
{
    unsigned long long mapped = 0;
    FILE *about = fopen("/proc/self/statm", "r");
    if (!about || fscanf(about, "%llu", &mapped) != 1)
        mapped = 0;
    if (about)
        fclose(about);
    if (mapped > 0)
        limit(RLIMIT_AS,
              ((rlim_t)mapped + (rlim_t)sysconf(_SC_PHYS_PAGES)) * (rlim_t)sysconf(_SC_PAGE_SIZE));
}

_Noreturn static void be_child(int fd, pid_t parent, tacit__child_fn work, void *context,
                               bool show_values)
{
    tacit__strbuf answer = {0};
    tacit_error error = {.show_values = show_values};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    signal(SIGINT, SIG_IGN); /* whoever started it hears of it, and ends it */
    signal(SIGTERM, SIG_DFL);
    limit(RLIMIT_CORE, 0);
    bound_memory();
    tacit_status status = work(context, &answer, &error);
    if (status == TACIT_OK && answer.failed)
        status = tacit__nomem(&error);
    error.status = status;
    uint64_t len = status == TACIT_OK ? answer.len : 0;
    bool sent = send_all(fd, &len, sizeof len) && send_all(fd, answer.bytes, len) &&
                send_all(fd, &error, sizeof error);
    _exit(sent ? 0 : 1);
}

/* ---- here ---- */

enum { PATIENCE = 50 }; /* milliseconds */

/* Takes so many bytes; *ended: there are no more. */
static tacit_status receive(void *bytes, size_t len, int fd, bool *ended, const tacit_run *run,
                            tacit_error *err)
{
    struct pollfd what = {.fd = fd, .events = POLLIN};
    tacit_status status = TACIT_OK;
    for (size_t at = 0; at < len && status == TACIT_OK && !*ended;) {
        status = tacit__progress(run, "reading", 0, 0, err);
        if (status != TACIT_OK || poll(&what, 1, PATIENCE) <= 0)
            continue;
        ssize_t got = read(fd, (char *)bytes + at, len - at);
        *ended = got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
        at += got > 0 ? (size_t)got : 0;
    }
    return status;
}

static tacit_status take_answer(tacit__strbuf *answer, int fd, bool *ended, const tacit_run *run,
                                tacit_error *err)
{
    enum { STEP = 1 << 16 };
    char bytes[STEP];
    uint64_t len = 0;
    tacit_error error = {.status = TACIT_OK};
    tacit_status status = receive(&len, sizeof len, fd, ended, run, err);
    while (len > 0 && status == TACIT_OK && !*ended && !answer->failed) {
        size_t part = len < STEP ? (size_t)len : STEP;
        status = receive(bytes, part, fd, ended, run, err);
        tacit__strbuf_add(answer, bytes, part);
        len -= part;
    }
    if (answer->failed)
        return tacit__nomem(err);
    if (status == TACIT_OK && !*ended)
        status = receive(&error, sizeof error, fd, ended, run, err);
    if (status != TACIT_OK || *ended)
        return status;
    error.message[sizeof error.message - 1] = error.file[sizeof error.file - 1] = '\0';
    if (error.status > TACIT_OK && error.status <= TACIT_CANCELLED && err && !err->status) {
        error.show_values = err->show_values;
        *err = error;
    }
    return error.status >= TACIT_OK && error.status <= TACIT_CANCELLED ? error.status : TACIT_PARSE;
}

tacit_status tacit__child_run(tacit__strbuf *answer, tacit__child_fn work, void *context,
                              const char *died, const tacit_run *run, tacit_error *err)
{
    int ends[2];
    bool ended = false;
    pid_t parent = getpid();
    if (pipe2(ends, O_CLOEXEC) != 0)
        return tacit__io(err, "a process", "cannot be started", errno);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        be_child(ends[1], parent, work, context, err && err->show_values);
    }
    int why = errno;
    close(ends[1]);
    tacit_status status = child < 0 ? tacit__io(err, "a process", "cannot be started", why)
                                    : take_answer(answer, ends[0], &ended, run, err);
    close(ends[0]);
    if (child > 0) {
        kill(child, SIGKILL); /* it has answered, or nobody waits for it */
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    if (status == TACIT_OK && ended)
        status = tacit__error(err, TACIT_PARSE, "%s", died);
    return status;
}
