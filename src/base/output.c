/*
 * output.c - files that appear whole or not at all.
 *
 * The data goes to a file without a name in the target's folder (O_TMPFILE), so
 * that even a killed process leaves nothing behind; where the file system has
 * no such files, to a hidden one beside the target. Commit syncs, gives it a
 * hidden name and renames it over the target. Who may read a file that is replaced
 * may read the new one, and nobody else. Targets that are no regular files (pipes,
 * devices, "-") get a copy at the end. What must never replace anything is published instead: its
 * name comes by a hard link, which the system refuses where the name is taken.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"

struct tacit_output {
    int fd;
    bool copied;      /* the target gets a copy */
    int copied_to;    /* a descriptor of the caller's that gets it; -1: the target is opened */
    char *target;     /* absolute, links followed */
    char *hidden;     /* name beside the target */
    bool private;     /* nobody but the owner may read it */
    bool replaces;    /* there is a file that is replaced */
    mode_t mode;      /* and this is its mode */
    bool hidden_made; /* hidden exists and must go unless committed */
};

/* The target with links followed, so that a link stays a link. */
static char *resolve(const char *path)
{
    char *resolved = realpath(path, NULL);
    if (resolved || errno == ENOMEM)
        return resolved;
    return tacit__copy_bytes(path, strlen(path));
}

/* Names end somewhere (mostly at 255 bytes), so a long one is cut: the hidden
 * name must not be refused where the target's is not. */
static char *hidden_name(const char *target)
{
    enum { MAX = 200 };
    const char *slash = strrchr(target, '/');
    const char *base = slash ? slash + 1 : target;
    size_t size = strlen(target) + 40;
    char *name = tacit__alloc(size);
    if (name)
        snprintf(name, size, "%.*s.%.*s.tacit-%08x", (int)(base - target), target, MAX, base,
                 (unsigned)randombytes_random());
    return name;
}

static tacit_status open_unnamed(int *fd, const char *folder, mode_t mode, const char *target,
                                 tacit_error *err)
{
    if (access("/proc/self/fd", F_OK) != 0)
        return TACIT_OK; /* it could never get a name */
    *fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    if (*fd >= 0)
        return TACIT_OK;
    if (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)
        return TACIT_OK; /* no such files here: the caller makes a hidden one */
    return tacit__io(err, target, "cannot create", errno);
}

static tacit_status open_beside(tacit_output *output, tacit_error *err)
{
    char *folder = tacit__folder_of(output->target);
    output->hidden = hidden_name(output->target);
    tacit_status status = folder && output->hidden ? TACIT_OK : tacit__nomem(err);
    mode_t mode = output->private ? S_IRUSR | S_IWUSR : 0666;
    if (status == TACIT_OK)
        status = open_unnamed(&output->fd, folder, mode, output->target, err);
    if (status == TACIT_OK && output->fd < 0) {
        output->fd = open(output->hidden, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (output->fd < 0)
            status = tacit__io(err, output->target, "cannot create", errno);
        else
            output->hidden_made = true;
    }
    if (status == TACIT_OK && output->replaces && !output->private &&
        fchmod(output->fd, output->mode) != 0)
        status = tacit__io(err, output->target, "cannot keep its permissions", errno);
    tacit__free(folder);
    return status;
}

/* For what is copied to its target at the end: a file without a name where TMPDIR says; else in
 * /tmp or, where that cannot be, in memory. */
static tacit_status open_collector(tacit_output *output, tacit_error *err)
{
    const char *folder = getenv("TMPDIR");
    bool named = folder && *folder;
    if (!named)
        folder = "/tmp";
    output->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (output->fd < 0 && !named)
        output->fd = memfd_create("tacit", MFD_CLOEXEC);
    if (output->fd < 0)
        return tacit__io(err, folder, "cannot create a temporary file; TMPDIR says where they go",
                         errno);
    return TACIT_OK;
}

/* Decides what kind of target it is. A link that leads nowhere is refused: a
 * file renamed over it would not be where the link promises. */
static tacit_status look_at_target(tacit_output *output, const char *path, tacit_error *err)
{
    if (!(output->target = resolve(path)))
        return tacit__nomem(err);
    struct stat about;
    if (stat(output->target, &about) != 0) {
        int reason = errno;
        bool link = lstat(output->target, &about) == 0 && S_ISLNK(about.st_mode);
        return link ? tacit__io(err, path, "cannot follow the link", reason) : TACIT_OK;
    }
    if (S_ISDIR(about.st_mode))
        return tacit__io(err, path, "cannot write", EISDIR);
    output->copied = !S_ISREG(about.st_mode);
    output->replaces = !output->copied;
    output->mode = about.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
    return TACIT_OK;
}

/* The descriptor that a path stands for: standard output, or one that is named under /dev/fd; -1:
 * none. */
static int descriptor_of(const char *path)
{
    int number, end = 0;
    if (strcmp(path, "-") == 0)
        return STDOUT_FILENO;
    return sscanf(path, "/dev/fd/%9d%n", &number, &end) == 1 && !path[end] ? number : -1;
}

static tacit_status new_output(tacit_output **out, const char *path, bool private, tacit_error *err)
{
    tacit_output *output = tacit__alloc_zeroed(1, sizeof *output);
    if (!output)
        return tacit__nomem(err);
    output->fd = -1;
    output->private = private;
    tacit_status status = TACIT_OK;
    output->copied_to = descriptor_of(path);
    output->copied = output->copied_to >= 0;
    if (!output->copied)
        status = look_at_target(output, path, err);
    if (status == TACIT_OK)
        status = output->copied ? open_collector(output, err) : open_beside(output, err);
    if (status != TACIT_OK) {
        tacit_output_free(output);
        return status;
    }
    *out = output;
    return TACIT_OK;
}

tacit_status tacit_output_new(tacit_output **out, const char *path, tacit_error *err)
{
    return new_output(out, path, false, err);
}

tacit_status tacit_output_new_private(tacit_output **out, const char *path, tacit_error *err)
{
    return new_output(out, path, true, err);
}

int tacit_output_fd(const tacit_output *output)
{
    return output->fd;
}

void tacit_output_flush_early(tacit_output *output)
{
    if (!output->copied)
        sync_file_range(output->fd, 0, 0, SYNC_FILE_RANGE_WRITE);
}

static tacit_status copy_to(int to, const char *name, int from, tacit_error *err)
{
    enum { PIECE = 1 << 16 };
    char piece[PIECE];
    for (off_t offset = 0;;) {
        ssize_t got = pread(from, piece, sizeof piece, offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return tacit__io(err, name, "cannot read back", errno);
        if (got == 0)
            return TACIT_OK;
        for (ssize_t put = 0; put < got;) {
            ssize_t step = write(to, piece + put, (size_t)(got - put));
            if (step < 0 && errno == EINTR)
                continue;
            if (step < 0)
                return tacit__io(err, name, "cannot write", errno);
            put += step;
        }
        offset += got;
    }
}

tacit_status tacit__output_copy(const tacit_output *to, const tacit_output *from, tacit_error *err)
{
    return copy_to(to->fd, to->target, from->fd, err);
}

static tacit_status commit_copy(tacit_output *output, tacit_error *err)
{
    if (output->copied_to >= 0)
        return copy_to(output->copied_to,
                       output->copied_to == STDOUT_FILENO ? "standard output" : NULL, output->fd,
                       err);
    int fd = open(output->target, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return tacit__io(err, output->target, "cannot open", errno);
    tacit_status status = copy_to(fd, output->target, output->fd, err);
    if (close(fd) != 0 && status == TACIT_OK)
        status = tacit__io(err, output->target, "cannot write", errno);
    return status;
}

static tacit_status give_name(tacit_output *output, tacit_error *err)
{
    if (output->hidden_made)
        return TACIT_OK;
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", output->fd);
    if (linkat(AT_FDCWD, self, AT_FDCWD, output->hidden, AT_SYMLINK_FOLLOW) != 0)
        return tacit__io(err, output->target, "cannot create", errno);
    output->hidden_made = true;
    return TACIT_OK;
}

tacit_status tacit_output_commit(tacit_output *output, tacit_error *err)
{
    if (output->copied)
        return commit_copy(output, err);
    if (fsync(output->fd) != 0)
        return tacit__io(err, output->target, "cannot write", errno);
    tacit_status status = give_name(output, err);
    if (status != TACIT_OK)
        return status;
    if (rename(output->hidden, output->target) != 0)
        return tacit__io(err, output->target, "cannot replace", errno);
    output->hidden_made = false;
    return tacit__sync_folder_of(output->target, err);
}

/* Gives the file the target's name as one more, which fails where there is one. */
static int link_target(const tacit_output *output)
{
    char self[64];
    if (output->hidden_made)
        return link(output->hidden, output->target);
    snprintf(self, sizeof self, "/proc/self/fd/%d", output->fd);
    return linkat(AT_FDCWD, self, AT_FDCWD, output->target, AT_SYMLINK_FOLLOW);
}

tacit_status tacit__output_publish(tacit_output *output, bool *taken, tacit_error *err)
{
    if (output->copied) { /* what is there already is no file */
        *taken = true;
        return TACIT_IO;
    }
    if (fsync(output->fd) != 0)
        return tacit__io(err, output->target, "cannot write", errno);
    if (link_target(output) != 0) {
        *taken = errno == EEXIST;
        return *taken ? TACIT_IO
                      : tacit__io(err, output->target,
                                  "cannot give the file its name by a hard link", errno);
    }
    return tacit__sync_folder_of(output->target, err);
}

void tacit_output_free(tacit_output *output)
{
    if (!output)
        return;
    if (output->fd >= 0)
        close(output->fd);
    if (output->hidden_made)
        unlink(output->hidden);
    free(output->target); /* realpath's */
    tacit__free(output->hidden);
    tacit__free(output);
}
