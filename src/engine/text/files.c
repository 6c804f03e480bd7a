/*
 * files.c - which files are scrubbed, and where each goes.
 *
 * A folder stands for the files in it and below it, in the order of their names' bytes; what
 * comes of them has the same tree under -o. Links and devices in folders are passed over: who
 * means them can name them. Targets are checked against everything that is read before anything
 * is written, by sorting, so that a million files are no trouble.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/vector.h"
#include "engine/job/files.h"
#include "engine/text/work.h"

enum { MAX_FOLDERS = 128 };

static char *join(const char *folder, const char *name)
{
    char *path = NULL;
    size_t len = strlen(folder);
    const char *slash = len > 0 && folder[len - 1] == '/' ? "" : "/";
    return asprintf(&path, "%s%s%s", folder, slash, name) < 0 ? NULL : path;
}

/* Takes path and target over, whatever becomes of them. */
static tacit_status add_file(engine_scrub_files *files, char *path, char *target, tacit_error *err)
{
    engine_scrub_file file = {.path = path, .name = path, .target = target};
    if (path && strcmp(path, "-") == 0)
        file.name = "standard input";
    if (path && target && TACIT__PUSH(files->items, files->capacity, files->count, file))
        return TACIT_OK;
    tacit__free(path);
    tacit__free(target);
    return tacit__nomem(err);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int no_dots(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static tacit_status add_folder(engine_scrub_files *files, const char *from, const char *to,
                               int depth, tacit_error *err);

static tacit_status add_entry(engine_scrub_files *files, const char *from, const char *to,
                              const char *name, int depth, tacit_error *err)
{
    struct stat about;
    char *path = join(from, name), *target = join(to, name);
    tacit_status status = TACIT_OK;
    if (path && target && lstat(path, &about) != 0)
        status = tacit__error(err, TACIT_IO, "%s: cannot look at it: %s", path, strerror(errno));
    else if (!path || !target || S_ISREG(about.st_mode))
        return add_file(files, path, target, err);
    else if (S_ISDIR(about.st_mode))
        status = add_folder(files, path, target, depth + 1, err);
    else
        files->passed_over++;
    tacit__free(path);
    tacit__free(target);
    return status;
}

static tacit_status add_folder(engine_scrub_files *files, const char *from, const char *to,
                               int depth, tacit_error *err)
{
    struct dirent **entries = NULL;
    if (depth > MAX_FOLDERS)
        return tacit__error(err, TACIT_LIMIT, "%.200s: folders are nested too deeply", from);
    int count = scandir(from, &entries, no_dots, by_name);
    if (count < 0)
        return tacit__error(err, TACIT_IO, "%s: cannot read the folder: %s", from, strerror(errno));
    tacit_status status = TACIT_OK;
    for (int i = 0; i < count; i++) {
        if (status == TACIT_OK)
            status = add_entry(files, from, to, entries[i]->d_name, depth, err);
        tacit__free(entries[i]);
    }
    tacit__free(entries);
    return status;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Whether everything goes to a folder: several files do, and what is in a folder. */
static bool goes_to_folder(const engine_settings *settings, const char *out)
{
    return settings->input_count > 1 || is_folder(settings->inputs[0]) || (out && is_folder(out));
}

/* A folder's real path; of one that is not there yet, that of the nearest one it will be in. */
static bool resolve(char *out, const char *path)
{
    char parent[PATH_MAX];
    if (realpath(path, out))
        return true;
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        len--;
    while (len > 0 && path[len - 1] != '/')
        len--;
    if (len == strlen(path) || snprintf(parent, sizeof parent, "%.*s", (int)len, path) < 0)
        return false;
    return resolve(out, len > 0 ? parent : ".");
}

static tacit_status check_apart(const char *folder, const char *out, tacit_error *err)
{
    char from[PATH_MAX], to[PATH_MAX];
    if (!is_folder(folder) || !realpath(folder, from) || !resolve(to, out))
        return TACIT_OK;
    size_t len = strlen(from);
    bool within = strncmp(from, to, len) == 0 && (to[len] == '/' || to[len] == '\0' || len == 1);
    if (!within)
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID,
                        "-o is within %.200s, which is to be scrubbed; name a folder elsewhere",
                        folder);
}

static tacit_status add_operand(engine_scrub_files *files, const char *operand, const char *folder,
                                tacit_error *err)
{
    if (is_folder(operand)) {
        tacit_status status = check_apart(operand, folder, err);
        return status == TACIT_OK ? add_folder(files, operand, folder, 0, err) : status;
    }
    if (strcmp(operand, "-") == 0)
        return tacit__error(err, TACIT_INVALID,
                            "standard input has no name in the folder of -o; scrub it by itself");
    return add_file(files, tacit__copy_text(operand), join(folder, engine_base_name(operand)), err);
}

/* ---- what must not be the same ---- */

typedef struct identity {
    dev_t device;
    ino_t number;
    const char *path;
} identity;

static int by_identity(const void *a, const void *b)
{
    const identity *x = a, *y = b;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool identify(identity *out, const char *path)
{
    struct stat about;
    if (strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    *out = (identity){about.st_dev, about.st_ino, path};
    return true;
}

static tacit_status check_read(const engine_scrub_files *files, identity *read, tacit_error *err)
{
    size_t count = 0;
    identity target;
    for (size_t i = 0; i < files->count; i++)
        count += identify(&read[count], files->items[i].path);
    qsort(read, count, sizeof *read, by_identity);
    for (size_t i = 0; i < files->count; i++)
        if (identify(&target, files->items[i].target) &&
            bsearch(&target, read, count, sizeof *read, by_identity))
            return tacit__error(err, TACIT_INVALID,
                                "%.200s is to be scrubbed and would be written over; give another "
                                "name to -o",
                                target.path);
    return TACIT_OK;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static tacit_status check_written(const engine_scrub_files *files, const char **targets,
                                  tacit_error *err)
{
    for (size_t i = 0; i < files->count; i++)
        targets[i] = files->items[i].target;
    qsort(targets, files->count, sizeof *targets, by_text);
    for (size_t i = 1; i < files->count; i++)
        if (strcmp(targets[i - 1], targets[i]) == 0)
            return tacit__error(err, TACIT_INVALID,
                                "two files would become %.200s; scrub them one after the other",
                                targets[i]);
    return TACIT_OK;
}

static tacit_status check_files(const engine_scrub_files *files, tacit_error *err)
{
    identity *read = tacit__alloc((files->count + 1) * sizeof *read);
    const char **targets = tacit__alloc((files->count + 1) * sizeof *targets);
    tacit_status status = read && targets ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = check_read(files, read, err);
    if (status == TACIT_OK)
        status = check_written(files, targets, err);
    tacit__free(read);
    tacit__free(targets);
    return status;
}

/* A file that an option names; what does not exist yet is known by its path. */
typedef struct named {
    const engine_file *file;
    identity is;
    bool exists;
} named;

static tacit_status check_named(const char *path, const char *role, bool written,
                                const named *others, size_t count, tacit_error *err)
{
    identity own;
    bool exists = identify(&own, path);
    for (size_t i = 0; i < count; i++) {
        const engine_file *other = others[i].file;
        bool same = exists ? others[i].exists && by_identity(&own, &others[i].is) == 0
                           : !others[i].exists && strcmp(path, other->path) == 0;
        if (same && (written || other->written))
            return tacit__error(err, TACIT_INVALID,
                                "%s and %s name the same file, %.200s; give another name to %s",
                                role, other->called, path, other->written ? other->called : role);
    }
    return TACIT_OK;
}

tacit_status engine_scrub_files_apart(const engine_scrub_files *files, const engine_file *others,
                                      size_t count, tacit_error *err)
{
    named *known = tacit__alloc_zeroed(count + 1, sizeof *known);
    size_t known_count = 0;
    tacit_status status = known ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; i < count && known; i++) {
        if (!others[i].path)
            continue;
        named *one = &known[known_count++];
        one->file = &others[i];
        one->exists = identify(&one->is, others[i].path);
    }
    for (size_t i = 0; i < files->count && status == TACIT_OK; i++) {
        status = check_named(files->items[i].path, "FILE", false, known, known_count, err);
        if (status == TACIT_OK)
            status = check_named(files->items[i].target, "-o", true, known, known_count, err);
    }
    tacit__free(known);
    return status;
}

/* ---- what operands and -o mean ---- */

static void add_up(engine_scrub_files *files)
{
    struct stat about;
    files->bytes = 0;
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->items[i].path, "-") == 0 || stat(files->items[i].path, &about) != 0 ||
            !S_ISREG(about.st_mode)) {
            files->bytes = 0;
            return;
        }
        files->bytes += (int64_t)about.st_size;
    }
}

static tacit_status find_many(engine_scrub_files *files, const engine_settings *settings,
                              const char *out, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (!out || strcmp(out, "-") == 0)
        return tacit__error(err, TACIT_INVALID,
                            "several files go to a folder: name it with -o FOLDER");
    files->folder = tacit__copy_text(out);
    if (!files->folder)
        return tacit__nomem(err);
    for (size_t len = strlen(out); len > 1 && out[len - 1] == '/'; len--)
        files->folder[len - 1] = '\0';
    for (size_t i = 0; i < settings->input_count && status == TACIT_OK; i++)
        status = add_operand(files, settings->inputs[i], files->folder, err);
    if (status == TACIT_OK && files->count == 0)
        status = tacit__error(err, TACIT_INVALID, "%.200s: there are no files in it",
                              settings->inputs[0]);
    return status;
}

tacit_status engine_scrub_files_find(engine_scrub_files *files, engine_session *session)
{
    const engine_settings *settings = session->settings;
    tacit_error *err = &session->error;
    const char *out = engine_value(settings, "output");
    if (settings->input_count == 0)
        return tacit__error(err, TACIT_INVALID, "FILE is missing; see tacit scrub --help");
    tacit_status status = goes_to_folder(settings, out)
                              ? find_many(files, settings, out, err)
                              : add_file(files, tacit__copy_text(settings->inputs[0]),
                                         tacit__copy_text(out ? out : "-"), err);
    if (status == TACIT_OK)
        status = check_files(files, err);
    if (status == TACIT_OK)
        add_up(files);
    return status;
}

void engine_scrub_files_clear(engine_scrub_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        tacit_output_free(files->items[i].output);
        tacit__free(files->items[i].path);
        tacit__free(files->items[i].target);
    }
    tacit__free(files->items);
    tacit__free(files->folder);
    memset(files, 0, sizeof *files);
}

tacit_status engine_scrub_make_way(const engine_scrub_file *file, const engine_scrub_files *files,
                                   tacit_error *err)
{
    char folder[PATH_MAX];
    if (!files->folder || strlen(file->target) >= sizeof folder)
        return TACIT_OK;
    strcpy(folder, file->target);
    for (char *slash = folder + strlen(files->folder); (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        if (*folder && mkdir(folder, 0777) != 0 && errno != EEXIST)
            return tacit__error(err, TACIT_IO, "%s: cannot make the folder: %s", folder,
                                strerror(errno));
        *slash = '/';
    }
    return TACIT_OK;
}
