/*
 * file.c - whole files as bytes.
 *
 * Large regular files are mapped privately and read-only: the input is never opened
 * for writing. Small ones are read, and refused where they change meanwhile. Anything
 * else is read to its end into a block that doubles.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum { FIRST_READ = 1 << 16 };

static tacit_status too_long(const char *name, size_t max, tacit_error *err)
{
    return tacit__error_at(err, TACIT_LIMIT, name, 0, 0, "longer than %zu bytes", max);
}

tacit_status tacit__input_changed(const char *name, tacit_error *err)
{
    return tacit__error_at(err, TACIT_IO, name, 0, 0,
                           "changed while it was read; run again when nobody writes to it");
}

static bool same_state(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static tacit_status check_state(int fd, const struct stat *opened, const char *name,
                                tacit_error *err)
{
    struct stat now;
    if (fstat(fd, &now) != 0)
        return tacit__io(err, name, "cannot look at", errno);
    return same_state(opened, &now) ? TACIT_OK : tacit__input_changed(name, err);
}

tacit_status tacit__input_check(const tacit__input *input, const char *name, tacit_error *err)
{
    return input->mapped ? check_state(input->fd, &input->opened, name, err) : TACIT_OK;
}

static tacit_status map(tacit__input *input, int fd, const struct stat *about, const char *name,
                        tacit_error *err)
{
    int kept = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (kept < 0)
        return tacit__io(err, name, "cannot open", errno);
    size_t len = (size_t)about->st_size;
    void *bytes = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) {
        close(kept);
        return tacit__io(err, name, "cannot map", errno);
    }
    *input =
        (tacit__input){.bytes = bytes, .len = len, .mapped = true, .fd = kept, .opened = *about};
    return TACIT_OK;
}

/* Reads exactly len bytes; fewer where the file has become shorter. */
static tacit_status read_at(char *bytes, size_t *len, int fd, const char *name, tacit_error *err)
{
    size_t used = 0;
    while (used < *len) {
        ssize_t got = pread(fd, bytes + used, *len - used, (off_t)used);
        if (got < 0 && errno != EINTR)
            return tacit__io(err, name, "cannot read", errno);
        if (got == 0)
            break;
        used += got > 0 ? (size_t)got : 0;
    }
    *len = used;
    return TACIT_OK;
}

static tacit_status copy(tacit__input *input, int fd, const struct stat *about, const char *name,
                         tacit_error *err)
{
    size_t len = (size_t)about->st_size;
    char *block = tacit__alloc(len);
    tacit_status status = block ? read_at(block, &len, fd, name, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = check_state(fd, about, name, err);
    if (status == TACIT_OK && len != (size_t)about->st_size)
        status = tacit__input_changed(name, err);
    if (status != TACIT_OK) {
        tacit__free(block);
        return status;
    }
    *input = (tacit__input){.bytes = block, .len = len, .owned = block};
    return TACIT_OK;
}

/* Asks after each piece, and after each signal, whether to go on. */
static tacit_status read_to_end(tacit__input *input, int fd, const char *name, size_t max,
                                const tacit_run *run, tacit_error *err)
{
    char *block = NULL;
    size_t capacity = 0, len = 0;
    tacit_status status = TACIT_OK;
    for (;;) {
        size_t wanted = len + FIRST_READ > 2 * capacity ? len + FIRST_READ : 2 * capacity;
        if (len == capacity && !tacit__reserve((void **)&block, &capacity, wanted, 1)) {
            status = tacit__nomem(err);
            break;
        }
        ssize_t got = read(fd, block + len, capacity - len);
        if (got == 0)
            break;
        if (got > 0)
            len += (size_t)got;
        else if (errno != EINTR)
            status = tacit__io(err, name, "cannot read", errno);
        if (max && len > max)
            status = too_long(name, max, err);
        if (status == TACIT_OK)
            status = tacit__progress(run, "reading", (int64_t)len, 0, err);
        if (status != TACIT_OK)
            break;
    }
    if (status != TACIT_OK) {
        tacit__free(block);
        return status;
    }
    *input = (tacit__input){.bytes = block, .len = len, .owned = block};
    return TACIT_OK;
}

tacit_status tacit__input_open_fd(tacit__input *input, int fd, const char *name, size_t max,
                                  const tacit_run *run, tacit_error *err)
{
    struct stat about;
    if (fstat(fd, &about) != 0)
        return tacit__io(err, name, "cannot look at", errno);
    if (S_ISDIR(about.st_mode))
        return tacit__io(err, name, "cannot read", EISDIR);
    if (!S_ISREG(about.st_mode) || about.st_size == 0)
        return read_to_end(input, fd, name, max, run, err); /* /proc files claim to be empty */
    if (max && (uint64_t)about.st_size > max)
        return too_long(name, max, err);
    return about.st_size <= TACIT__MAX_COPIED ? copy(input, fd, &about, name, err)
                                              : map(input, fd, &about, name, err);
}

tacit_status tacit__input_open(tacit__input *input, const char *path, size_t max,
                               const tacit_run *run, tacit_error *err)
{
    if (strcmp(path, "-") == 0)
        return tacit__input_open_fd(input, STDIN_FILENO, "standard input", max, run, err);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return tacit__io(err, path, "cannot open", errno);
    tacit_status status = tacit__input_open_fd(input, fd, path, max, run, err);
    close(fd);
    return status;
}

size_t tacit__file_name_len(const char *path)
{
    char file[PATH_MAX];
    struct stat about;
    size_t len = strlen(path);
    if (len >= sizeof file || stat(path, &about) == 0)
        return len;
    for (const char *at = strchr(path, '#'); at; at = strchr(at + 1, '#')) {
        size_t part = (size_t)(at - path);
        memcpy(file, path, part);
        file[part] = '\0';
        if (stat(file, &about) == 0 && !S_ISDIR(about.st_mode))
            return part;
    }
    return len;
}

void tacit__input_close(tacit__input *input)
{
    if (input->mapped) {
        munmap((void *)(uintptr_t)input->bytes, input->len);
        close(input->fd);
    }
    tacit__free(input->owned);
    *input = (tacit__input){0};
}

void tacit__input_release(const tacit__input *input, size_t from, size_t to)
{
    const size_t page = 4096;
    from = (from + page - 1) / page * page;
    to = to / page * page;
    if (input->mapped && from < to)
        madvise((char *)(uintptr_t)input->bytes + from, to - from, MADV_DONTNEED);
}

tacit_status tacit__write_at(int fd, const char *name, const char *bytes, size_t len,
                             int64_t offset, tacit_error *err)
{
    while (len > 0) {
        ssize_t put = pwrite(fd, bytes, len, offset);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return tacit__io(err, name, "cannot write", errno);
        bytes += put;
        len -= (size_t)put;
        offset += put;
    }
    return TACIT_OK;
}

static tacit_strview folder_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return (tacit_strview){".", 1};
    return (tacit_strview){path, slash == path ? 1 : (size_t)(slash - path)};
}

char *tacit__folder_of(const char *path)
{
    tacit_strview folder = folder_in(path);
    return tacit__copy_bytes(folder.bytes, folder.len);
}

/* Allocates nothing: the file is there already, and want of memory must not deny it. A longer path
 * than fits could not have been opened. */
tacit_status tacit__sync_folder_of(const char *path, tacit_error *err)
{
    char folder[PATH_MAX];
    tacit_strview name = folder_in(path);
    snprintf(folder, sizeof folder, "%.*s", (int)name.len, name.bytes);
    tacit_status status = TACIT_OK;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && errno != EACCES)
        status =
            tacit__io(err, path, "is written, but its folder cannot be opened to sync it", errno);
    else if (fd >= 0 && fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP)
        status = tacit__io(err, path, "is written, but its folder cannot be synced", errno);
    if (fd >= 0)
        close(fd);
    return status;
}
