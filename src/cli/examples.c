/*
 * examples.c - where the example data is: in the folder that TACIT_DATA names,
 * beside an installed command (share/tacit), beside a build tree, or where the
 * project was configured to be installed. The tour works on copies, so that
 * its commands can be typed again by hand, and shipped files stay as they are.
 */
#include "examples.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options.h"

#ifndef TACIT_DATA_DIR
#define TACIT_DATA_DIR "/usr/share/tacit"
#endif

enum { MAX_BYTES = 1 << 20 };

static const char *const FILES[] = {
    "patients.csv",
    "patients.yaml",
    "hierarchies/ethnicity.csv",
    "hierarchies/marital.csv",
    "hierarchies/education.csv",
    "firms.csv",
    "hierarchies/districts.hrc",
    "hierarchies/branches.csv",
    NULL,
};

/* The folder of the running command, with a slash at its end. */
static bool own_folder(char folder[PATH_MAX])
{
    ssize_t len = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (len <= 0)
        return false;
    folder[len] = '\0';
    char *slash = strrchr(folder, '/');
    if (!slash)
        return false;
    slash[1] = '\0';
    return true;
}

static bool is_it(char folder[PATH_MAX], const char *first, const char *second)
{
    char file[PATH_MAX];
    struct stat about;
    int len = snprintf(folder, PATH_MAX, "%s%s", first, second);
    int whole = snprintf(file, sizeof file, "%s%s/%s", first, second, FILES[0]);
    return len < PATH_MAX && whole < PATH_MAX && stat(file, &about) == 0;
}

tacit_status cli_examples_find(char folder[PATH_MAX], tacit_error *err)
{
    char own[PATH_MAX] = "./";
    const char *given = getenv("TACIT_DATA");
    if (given && *given) {
        if (is_it(folder, given, ""))
            return TACIT_OK;
        return cli_error(err, TACIT_IO, "TACIT_DATA names a folder without %s", FILES[0]);
    }
    if (own_folder(own) &&
        (is_it(folder, own, "../share/tacit/examples") || is_it(folder, own, "../examples")))
        return TACIT_OK;
    if (is_it(folder, TACIT_DATA_DIR, "/examples"))
        return TACIT_OK;
    return cli_error(err, TACIT_IO,
                     "the example data is not installed; name its folder with TACIT_DATA");
}

tacit_status cli_write_text(const char *path, const char *text, size_t len, tacit_error *err)
{
    tacit_output *output = NULL;
    tacit_status status = tacit_output_new(&output, path, err);
    if (status == TACIT_OK && write(tacit_output_fd(output), text, len) != (ssize_t)len)
        status = cli_error(err, TACIT_IO, "%s: cannot write: %s", path, strerror(errno));
    if (status == TACIT_OK)
        status = tacit_output_commit(output, err);
    tacit_output_free(output);
    return status;
}

static tacit_status copy_file(const char *from, const char *to, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    char *text = malloc(MAX_BYTES);
    FILE *file = text ? fopen(from, "rb") : NULL;
    size_t len = file ? fread(text, 1, MAX_BYTES, file) : 0;
    if (!text)
        status = cli_error(err, TACIT_NOMEM, "out of memory");
    else if (!file || ferror(file))
        status = cli_error(err, TACIT_IO, "%s: cannot read: %s", from, strerror(errno));
    else
        status = cli_write_text(to, text, len, err);
    if (file)
        fclose(file);
    free(text);
    return status;
}

tacit_status cli_examples_copy(const char *from, const char *to, tacit_error *err)
{
    char source[PATH_MAX], target[PATH_MAX];
    if (snprintf(target, sizeof target, "%s/hierarchies", to) >= PATH_MAX ||
        (mkdir(target, 0777) != 0 && errno != EEXIST))
        return cli_error(err, TACIT_IO, "%s: cannot create: %s", target, strerror(errno));
    for (size_t i = 0; FILES[i]; i++) {
        if (snprintf(source, sizeof source, "%s/%s", from, FILES[i]) >= PATH_MAX ||
            snprintf(target, sizeof target, "%s/%s", to, FILES[i]) >= PATH_MAX)
            return cli_error(err, TACIT_IO, "%s: the name is too long", from);
        tacit_status status = copy_file(source, target, err);
        if (status != TACIT_OK)
            return status;
    }
    return TACIT_OK;
}

static bool is_empty(const char *folder)
{
    DIR *entries = opendir(folder);
    if (!entries)
        return false;
    int count = 0;
    while (readdir(entries))
        count++;
    closedir(entries);
    return count <= 2; /* itself and its parent */
}

tacit_status cli_examples_folder(char made[PATH_MAX], const char *given, tacit_error *err)
{
    if (!given) {
        const char *base = getenv("TMPDIR");
        snprintf(made, PATH_MAX, "%s/tacit-demo-XXXXXX", base && *base ? base : "/tmp");
        if (mkdtemp(made))
            return TACIT_OK;
        return cli_error(err, TACIT_IO, "%s: cannot create: %s", made, strerror(errno));
    }
    if (snprintf(made, PATH_MAX, "%s", given) >= PATH_MAX)
        return cli_error(err, TACIT_IO, "the folder's name is too long");
    if (mkdir(made, 0777) == 0)
        return TACIT_OK;
    if (errno != EEXIST)
        return cli_error(err, TACIT_IO, "%s: cannot create: %s", made, strerror(errno));
    if (!is_empty(made))
        return cli_error(err, TACIT_INVALID, "%s is not an empty folder; give another with --dir",
                         made);
    return TACIT_OK;
}
