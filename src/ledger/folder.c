/*
 * folder.c - the files of a ledger's folder: their names, the lock, and which entries are there.
 *
 * The lock is the system's (flock), so that a killed run leaves none. The lock file says who
 * holds it, and the highest number that an entry ever had, by which the loss of the last entry is
 * noticed. That line is written after the entry: it can lag behind, never run ahead.
 *
 * Somebody may remove the lock file while a run holds it. A lock that was waited for is therefore
 * compared with what has its name, and once more before an entry is written (ledger.c).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "ledger/ledger.h"

enum { DIGITS = 6, LOCK_LINE = 64 };

char *tacit__ledger_path(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = tacit__alloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

char *tacit__entry_path(const char *folder, int64_t number)
{
    char name[32];
    snprintf(name, sizeof name, "%0*lld.json", DIGITS, (long long)number);
    return tacit__ledger_path(folder, name);
}

/* ---- the lock ---- */

typedef struct lock_line {
    long long process, highest;
} lock_line;

/* What the lock file says; zeros where it says nothing. */
static lock_line read_line(int fd)
{
    char text[LOCK_LINE + 1] = "";
    lock_line line = {0, 0};
    ssize_t got = pread(fd, text, LOCK_LINE, 0);
    if (got <= 0 || sscanf(text, "process %20lld highest %20lld", &line.process, &line.highest) < 2)
        return (lock_line){0, 0};
    return line;
}

/* Who cannot write it has to do without: it is a help, and no entry is lost by it. */
static void write_line(int fd, int64_t highest)
{
    char text[LOCK_LINE + 1];
    int used = snprintf(text, sizeof text, "process %lld highest %06lld", (long long)getpid(),
                        (long long)highest);
    memset(text + used, ' ', (size_t)(LOCK_LINE - used));
    text[LOCK_LINE - 1] = '\n';
    tacit__write_at(fd, "lock", text, LOCK_LINE, 0, NULL);
}

int64_t tacit__lock_mark(int lock)
{
    return read_line(lock).highest;
}

void tacit__lock_set_mark(int lock, int64_t highest)
{
    write_line(lock, highest);
}

static tacit_status is_held(int fd, const char *path, tacit_error *err)
{
    lock_line line = read_line(fd);
    if (line.process > 0)
        return tacit__error_at(err, TACIT_LIMIT, path, 0, 0,
                               "process %lld is at work with the ledger", line.process);
    return tacit__error_at(err, TACIT_LIMIT, path, 0, 0, "another run is at work with the ledger");
}

static tacit_status take(int fd, const char *path, int flags, const tacit_run *run,
                         tacit_error *err)
{
    const struct timespec pause = {0, 20 * 1000 * 1000};
    int how = (flags & TACIT_LEDGER_WRITE ? LOCK_EX : LOCK_SH) | LOCK_NB;
    while (flock(fd, how) != 0) {
        if (errno == EINTR)
            continue;
        if (errno != EWOULDBLOCK)
            return tacit__io(err, path, "cannot lock the ledger", errno);
        if (!(flags & TACIT_LEDGER_WAIT))
            return is_held(fd, path, err);
        tacit_status status = tacit__progress(run, "waiting for the ledger", 0, 0, err);
        if (status != TACIT_OK)
            return status;
        nanosleep(&pause, NULL);
    }
    if (flags & TACIT_LEDGER_WRITE)
        write_line(fd, read_line(fd).highest);
    return TACIT_OK;
}

/* Whether the name of the lock file still leads to the file that is open. */
static bool is_named(int lock, const char *path)
{
    struct stat held, named;
    return fstat(lock, &held) == 0 && stat(path, &named) == 0 && held.st_dev == named.st_dev &&
           held.st_ino == named.st_ino;
}

tacit_status tacit__lock_check(int lock, const char *folder, tacit_error *err)
{
    char *path = tacit__ledger_path(folder, "lock");
    if (!path)
        return tacit__nomem(err);
    tacit_status status = TACIT_OK;
    if (!is_named(lock, path))
        status = tacit__error_at(err, TACIT_IO, path, 0, 0,
                                 "the ledger's lock was removed or replaced during this run, so "
                                 "that another run may have released something; nothing is "
                                 "released: run again, and leave the lock where it is");
    tacit__free(path);
    return status;
}

/* Opens the lock file and takes the lock; on failure *fd is as it was. */
static tacit_status open_lock(int *fd, const char *folder, const char *path, int flags,
                              const tacit_run *run, tacit_error *err)
{
    int mode = flags & TACIT_LEDGER_WRITE ? O_RDWR | O_CREAT : O_RDONLY;
    int lock = open(path, mode | O_CLOEXEC, 0600);
    tacit_status status = TACIT_OK;
    if (lock < 0 && errno == ENOENT && !(flags & TACIT_LEDGER_WRITE))
        status = tacit__error_at(err, TACIT_IO, folder, 0, 0,
                                 "is no ledger; tacit anonymize --ledger makes one");
    else if (lock < 0)
        status = tacit__io(err, path, "cannot open the ledger's lock", errno);
    else
        status = take(lock, path, flags, run, err);
    if (status == TACIT_OK)
        *fd = lock;
    else if (lock >= 0)
        close(lock);
    return status;
}

tacit_status tacit__ledger_lock(int *fd, const char *folder, int flags, const tacit_run *run,
                                tacit_error *err)
{
    char *path = tacit__ledger_path(folder, "lock");
    int lock = -1;
    if (!path)
        return tacit__nomem(err);
    tacit_status status = open_lock(&lock, folder, path, flags, run, err);
    while (status == TACIT_OK && !is_named(lock, path)) { /* it was removed while we waited */
        close(lock);
        lock = -1;
        status = tacit__progress(run, "waiting for the ledger", 0, 0, err);
        if (status == TACIT_OK)
            status = open_lock(&lock, folder, path, flags, run, err);
    }
    if (status == TACIT_OK)
        *fd = lock;
    else if (lock >= 0)
        close(lock);
    tacit__free(path);
    return status;
}

/* ---- what is there ---- */

/* The number of an entry's file, or 0. */
static int64_t number_of(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    if (digits < DIGITS || digits > 12 || strcmp(name + digits, ".json") != 0)
        return 0;
    return strtoll(name, NULL, 10);
}

/* What an output leaves that was killed between getting a hidden name and its own. */
static bool is_left_over(const char *name)
{
    const char *made = strstr(name, ".tacit-");
    return name[0] == '.' && made && strlen(made) == sizeof ".tacit-01234567" - 1;
}

tacit_status tacit__ledger_highest(int64_t *out, const char *folder, bool tidy, tacit_error *err)
{
    DIR *list = opendir(folder);
    if (!list)
        return tacit__io(err, folder, "cannot list the ledger", errno);
    int64_t highest = 0;
    for (struct dirent *item; (item = readdir(list));) {
        int64_t number = number_of(item->d_name);
        highest = number > highest ? number : highest;
        if (tidy && is_left_over(item->d_name))
            unlinkat(dirfd(list), item->d_name, 0);
    }
    closedir(list);
    *out = highest;
    return TACIT_OK;
}
