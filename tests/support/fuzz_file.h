/*
 * fuzz_file.h - bytes as a file that has a path, for parsers that open one; and the command run
 * on such files, silent. The files are in memory and are used again from input to input.
 */
#ifndef TACIT_TESTS_SUPPORT_FUZZ_FILE_H
#define TACIT_TESTS_SUPPORT_FUZZ_FILE_H

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz_require.h"

/* All zero is no file yet. */
typedef struct fuzz_file {
    int fd;
    char path[32];
} fuzz_file;

/* The file now holds the bytes; returns its path. */
static inline const char *fuzz_file_set(fuzz_file *file, const void *bytes, size_t size)
{
    if (!file->path[0]) {
        file->fd = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(file->path, sizeof file->path, "/proc/self/fd/%d", file->fd);
        require(file->fd >= 0 && fchmod(file->fd, S_IRUSR | S_IWUSR) == 0, "no file in memory");
    }
    require(ftruncate(file->fd, 0) == 0 && pwrite(file->fd, bytes, size, 0) == (ssize_t)size,
            "the file cannot be written");
    return file->path;
}

static inline const char *fuzz_file_text(fuzz_file *file, const char *text)
{
    return fuzz_file_set(file, text, strlen(text));
}

#endif
