/*
 * file.h - whole files as bytes: large ones mapped, all others read into memory; and the
 * folders they are in.
 *
 * What is mapped can change while it is used, should another program write to the file. Whoever
 * works on it must not trust a length that was found in the bytes a second time, and asks at
 * the end whether the file is still the one that was opened.
 */
#ifndef TACIT_SRC_BASE_FILE_H
#define TACIT_SRC_BASE_FILE_H

#include <sys/stat.h>
#include <tacit/base.h>

/* Zero-initialized is empty. */
typedef struct tacit__input {
    const char *bytes;
    size_t len;
    bool mapped;
    int fd;             /* of what is mapped */
    struct stat opened; /* and what the system said of it */
    void *owned;        /* what was read, where it is not mapped */
} tacit__input;

/* Files up to this size are read, not mapped: reading them costs little, and nobody can change
 * what was read. */
enum { TACIT__MAX_COPIED = 32 << 20 };

/* path "-" is standard input. Longer than max (0: no bound) is TACIT_LIMIT. What
 * must be waited for, as a pipe, can be cancelled through run, which may be NULL. */
tacit_status tacit__input_open(tacit__input *input, const char *path, size_t max,
                               const tacit_run *run, tacit_error *err);
tacit_status tacit__input_open_fd(tacit__input *input, int fd, const char *name, size_t max,
                                  const tacit_run *run, tacit_error *err);
void tacit__input_close(tacit__input *input);

/* The length of the file's name in a path that may go on with "#" and a part of the file, such as a
 * sheet of a workbook. It is the whole path if there is a file of that name, or none at all. */
size_t tacit__file_name_len(const char *path);

/* TACIT_IO if the system says that a mapped file was written to since it was opened. */
tacit_status tacit__input_check(const tacit__input *input, const char *name, tacit_error *err);
tacit_status tacit__input_changed(const char *name, tacit_error *err);

/* Lets go of the pages of a mapped range; they come back when touched. */
void tacit__input_release(const tacit__input *input, size_t from, size_t to);

/* Writes all of it, at an offset. Interrupted calls are repeated. */
tacit_status tacit__write_at(int fd, const char *name, const char *bytes, size_t len,
                             int64_t offset, tacit_error *err);

/* The folder that a path's last name is in, to be freed; NULL when out of memory. */
char *tacit__folder_of(const char *path);

/* Makes durable that a name has come into its folder. Where the file system cannot sync folders, or
 * the folder may be written but not read, there is nothing more to be done. */
tacit_status tacit__sync_folder_of(const char *path, tacit_error *err);

/* Writes to one what was written to the other. */
tacit_status tacit__output_copy(const tacit_output *to, const tacit_output *from, tacit_error *err);

/* tacit_output_commit, but never over a file: where something has the name already, *taken is set,
 * the status is TACIT_IO and err is left as it was, for the caller knows what it means. A file
 * system without hard links cannot do it; that is TACIT_IO with a message. */
tacit_status tacit__output_publish(tacit_output *output, bool *taken, tacit_error *err);

#endif
