/*
 * project.c - a project: a folder with a policy, what else was set, and every step to them.
 *
 *   policy.yaml         the policy as it is now; hierarchies that it names stand beside it
 *   project.json        which step is the present one
 *   history/0001.json   a step: what was done, the data, the policy's text, the settings
 *
 * A step is a whole state, so going back is reading an earlier file. A step after that takes the
 * place of those that were undone. The folder is made with the first step and is its owner's alone.
 * Each file appears whole.
 *
 * Paths may lead to what is below the folder in which the project or the data lies, and to nothing
 * else, whatever links there are.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "workbench/parts.h"

enum { MAX_STEPS = 9999, MAX_LISTED = 2000 };

struct workbench_project {
    char base[PATH_MAX];        /* what paths are relative to, and stay below of */
    char folder[PATH_MAX + 16]; /* of the project, below the base */
    pthread_mutex_t lock;
    int step, last; /* 0: none */
    json_t *state;  /* of the step: what, data, policy, settings */
};

/* ---- paths ---- */

static bool is_below(const char *path, const char *folder)
{
    size_t len = strlen(folder);
    if (len == 1) /* the root */
        return path[0] == '/';
    return strncmp(path, folder, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

/* What of a path is there already decides; nothing behind it may lead up. */
static bool stays_below(const workbench_project *project, const char *from, const char *path)
{
    char whole[PATH_MAX], real[PATH_MAX];
    bool absolute = *path == '/';
    int len =
        snprintf(whole, sizeof whole, "%s%s%s", absolute ? "" : from, absolute ? "" : "/", path);
    if (len < 0 || (size_t)len >= sizeof whole || !*path)
        return false;
    char *end = whole + len;
    for (;;) {
        if (realpath(whole, real))
            return is_below(real, project->base);
        if (errno != ENOENT && errno != ENOTDIR)
            return false;
        struct stat there;
        if (lstat(whole, &there) == 0) /* a link to nothing */
            return false;
        end = strrchr(whole, '/');
        if (!end || end == whole || strcmp(end, "/..") == 0)
            return false;
        *end = '\0';
    }
}

bool workbench_may_use(const workbench_project *project, const char *path)
{
    return stays_below(project, project->base, path);
}

/* A word is a path if it looks like one, or if there is something of that name, such as a link. */
static bool is_path(const char *from, const char *word)
{
    char whole[PATH_MAX];
    struct stat there;
    int len = snprintf(whole, sizeof whole, "%s/%s", from, word);
    return strchr(word, '/') || strcmp(word, "..") == 0 || len < 0 || (size_t)len >= sizeof whole ||
           (*word && lstat(whole, &there) == 0);
}

static bool all_stay_below(const workbench_project *project, const char *from, const char *text)
{
    char word[PATH_MAX];
    bool is_there = strpbrk(text, "=,;:#") && !strchr(text, '/') && is_path(from, text);
    if (is_there && !stays_below(project, from, text)) /* a name with such signs in it */
        return false;
    while (*text) {
        size_t len = strcspn(text, "=,;:#");
        if (len >= sizeof word)
            return false;
        memcpy(word, text, len);
        word[len] = '\0';
        if (is_path(from, word) && !stays_below(project, from, word))
            return false;
        text += len;
        text += *text != '\0';
    }
    return true;
}

bool workbench_may_use_all(const workbench_project *project, const char *text)
{
    return all_stay_below(project, project->base, text);
}

bool workbench_is_database(const char *path)
{
    static const char *const SCHEMES[] = {"postgresql://", "postgres://", "clickhouse://"};
    for (size_t i = 0; i < sizeof SCHEMES / sizeof *SCHEMES; i++)
        if (strncmp(path, SCHEMES[i], strlen(SCHEMES[i])) == 0)
            return true;
    return false;
}

/* Of every text in a policy, whose paths are relative to the project's folder. */
static bool may_use_json(const workbench_project *project, const json_t *json)
{
    const char *key;
    json_t *value;
    size_t i;
    if (json_is_string(json))
        return all_stay_below(project, project->folder, json_string_value(json));
    json_object_foreach((json_t *)json, key, value) if (!may_use_json(project, value)) return false;
    json_array_foreach(json, i, value) if (!may_use_json(project, value)) return false;
    return true;
}

/* ---- files ---- */

static tacit_status project_failed(tacit_error *err, tacit_status status, const char *what,
                                   const char *path)
{
    char shown[300];
    if (err && err->status == TACIT_OK) {
        err->status = status;
        snprintf(err->message, sizeof err->message, "%s: %s",
                 tacit_printable(shown, sizeof shown, path, strlen(path)), what);
    }
    return status;
}

static tacit_status write_all(int fd, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        ssize_t done = write(fd, text, left);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return TACIT_IO;
        text += done;
        left -= (size_t)done;
    }
    return fsync(fd) == 0 ? TACIT_OK : TACIT_IO;
}

/* A file of the project, which appears whole. */
static tacit_status write_file(const workbench_project *project, const char *name, const char *text,
                               tacit_error *err)
{
    char path[PATH_MAX + 64], new[PATH_MAX + 80];
    snprintf(path, sizeof path, "%s/%s", project->folder, name);
    snprintf(new, sizeof new, "%s.new", path);
    int fd = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return project_failed(err, TACIT_IO, strerror(errno), new);
    tacit_status status = write_all(fd, text);
    int number = errno;
    if (close(fd) != 0 && status == TACIT_OK)
        status = TACIT_IO, number = errno;
    if (status == TACIT_OK && rename(new, path) != 0)
        status = TACIT_IO, number = errno;
    if (status == TACIT_OK)
        return TACIT_OK;
    unlink(new);
    return project_failed(err, status, strerror(number), path);
}

static json_t *read_json(const workbench_project *project, const char *name)
{
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", project->folder, name);
    return json_load_file(path, 0, NULL);
}

/* A text file below the base, at most as long as a request; NULL and errno where it cannot be read.
 */
static char *read_text(const workbench_project *project, const char *path)
{
    char *text = NULL;
    struct stat file;
    int folder = open(project->base, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int fd = folder < 0 ? -1 : openat(folder, path, O_RDONLY | O_CLOEXEC);
    if (folder >= 0)
        close(folder);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_size <= WORKBENCH_MAX_BODY &&
        (text = calloc(1, (size_t)file.st_size + 1)) &&
        read(fd, text, (size_t)file.st_size) != file.st_size) {
        free(text);
        text = NULL;
    }
    close(fd);
    return text;
}

static void step_name(char out[32], int step)
{
    snprintf(out, 32, "history/%04d.json", step);
}

/* ---- opening ---- */

static json_t *first_state(const char *data)
{
    return json_pack("{s:s, s:s*, s:s, s:{}}", "what", data ? "data opened" : "", "data", data,
                     "policy", "", "settings");
}

static bool is_project(const char *folder)
{
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/project.json", folder);
    return access(path, F_OK) == 0;
}

static void load(workbench_project *project)
{
    char name[32];
    json_t *head = read_json(project, "project.json");
    project->step = (int)json_integer_value(json_object_get(head, "step"));
    project->last = (int)json_integer_value(json_object_get(head, "last"));
    json_decref(head);
    if (project->step < 1 || project->step > MAX_STEPS)
        return;
    step_name(name, project->step);
    json_decref(project->state);
    project->state = read_json(project, name);
}

/* Where a place is: its folder, and its name in there. */
static tacit_status find_place(workbench_project *project, char *name, const char *place,
                               tacit_error *err)
{
    char path[PATH_MAX];
    struct stat there;
    snprintf(path, sizeof path, "%s", place ? place : ".");
    if (strlen(path) + 1 >= sizeof path || (place && strlen(place) >= sizeof path - 16))
        return project_failed(err, TACIT_INVALID, "the name is too long", "");
    bool is_there = stat(path, &there) == 0;
    if (!place || (is_there && S_ISDIR(there.st_mode) && !is_project(path))) {
        if (!realpath(path, project->base))
            return project_failed(err, TACIT_IO, strerror(errno), path);
        *name = '\0';
        return TACIT_OK;
    }
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        path[--len] = '\0';
    char *slash = strrchr(path, '/');
    snprintf(name, PATH_MAX, "%s", slash ? slash + 1 : path);
    if (slash)
        slash[slash == path] = '\0';
    if (!is_there || !realpath(slash ? path : ".", project->base))
        return project_failed(err, TACIT_IO, strerror(is_there ? errno : ENOENT), place);
    return TACIT_OK;
}

tacit_status workbench_project_open(workbench_project **out, const char *place, tacit_error *err)
{
    workbench_project *project = calloc(1, sizeof *project);
    char name[PATH_MAX] = "";
    if (!project)
        return project_failed(err, TACIT_NOMEM, "out of memory", "");
    pthread_mutex_init(&project->lock, NULL);
    tacit_status status = find_place(project, name, place, err);
    bool opened = status == TACIT_OK && *name && is_project(place);
    int len = snprintf(project->folder, sizeof project->folder, "%s/%s%s", project->base,
                       *name ? name : "workbench", opened ? "" : ".tacit");
    if (status == TACIT_OK && (len < 0 || (size_t)len >= sizeof project->folder - 64))
        status = project_failed(err, TACIT_INVALID, "the name is too long", name);
    if (status == TACIT_OK && chdir(project->base) != 0)
        status = project_failed(err, TACIT_IO, strerror(errno), project->base);
    if (status == TACIT_OK) {
        project->state = first_state(*name && !opened ? name : NULL);
        load(project);
    }
    if (status == TACIT_OK && !json_is_object(project->state))
        status =
            project_failed(err, TACIT_PARSE, "the project's steps cannot be read", project->folder);
    if (status != TACIT_OK) {
        workbench_project_free(project);
        return status;
    }
    *out = project;
    return TACIT_OK;
}

void workbench_project_free(workbench_project *project)
{
    if (!project)
        return;
    pthread_mutex_destroy(&project->lock);
    json_decref(project->state);
    free(project);
}

const char *workbench_project_folder(const workbench_project *project)
{
    return project->folder;
}

/* ---- steps ---- */

static tacit_status save_present(workbench_project *project, tacit_error *err)
{
    json_t *head = json_pack("{s:i, s:i}", "step", project->step, "last", project->last);
    char *text = head ? json_dumps(head, JSON_INDENT(2)) : NULL;
    const char *policy = json_string_value(json_object_get(project->state, "policy"));
    tacit_status status = text ? TACIT_OK : TACIT_NOMEM;
    if (status == TACIT_OK && policy)
        status = write_file(project, "policy.yaml", policy, err);
    if (status == TACIT_OK)
        status = write_file(project, "project.json", text, err);
    free(text);
    json_decref(head);
    return status;
}

tacit_status workbench_project_make(const workbench_project *project, tacit_error *err)
{
    char history[PATH_MAX + 64];
    snprintf(history, sizeof history, "%s/history", project->folder);
    if (mkdir(project->folder, 0700) != 0 && errno != EEXIST)
        return project_failed(err, TACIT_IO, strerror(errno), project->folder);
    if (mkdir(history, 0700) != 0 && errno != EEXIST)
        return project_failed(err, TACIT_IO, strerror(errno), history);
    return TACIT_OK;
}

/* The present state with what the request changes. */
static json_t *next_state(const workbench_project *project, const json_t *change)
{
    static const char *const FIELDS[] = {"what", "data", "policy"};
    json_t *state = json_deep_copy(project->state);
    char when[32] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    for (size_t i = 0; state && i < sizeof FIELDS / sizeof *FIELDS; i++) {
        json_t *value = json_object_get(change, FIELDS[i]);
        if (json_is_string(value))
            json_object_set(state, FIELDS[i], value);
    }
    json_t *settings = json_object_get(change, "settings");
    if (state && json_is_object(settings))
        json_object_update(json_object_get(state, "settings"), settings);
    if (state)
        json_object_set_new(state, "at", json_string(when));
    return state;
}

static tacit_status add_step(workbench_project *project, json_t *state, tacit_error *err)
{
    char name[32], *text = json_dumps(state, JSON_INDENT(2));
    tacit_status status = text ? workbench_project_make(project, err) : TACIT_NOMEM;
    if (status == TACIT_OK && project->step == MAX_STEPS)
        status = project_failed(err, TACIT_LIMIT, "the project has 9 999 steps: begin another",
                                project->folder);
    step_name(name, project->step + 1);
    if (status == TACIT_OK)
        status = write_file(project, name, text, err);
    free(text);
    if (status != TACIT_OK)
        return status;
    for (int step = project->step + 2; step <= project->last; step++) {
        char path[PATH_MAX + 64];
        step_name(name, step);
        snprintf(path, sizeof path, "%s/%s", project->folder, name);
        unlink(path);
    }
    project->last = ++project->step;
    json_decref(project->state);
    project->state = json_incref(state);
    return save_present(project, err);
}

/* ---- what the page asks ---- */

static json_t *list_steps(const workbench_project *project)
{
    json_t *list = json_array();
    for (int step = 1; step <= project->last; step++) {
        char name[32];
        step_name(name, step);
        json_t *state = read_json(project, name);
        json_array_append_new(list,
                              json_pack("{s:i, s:s*, s:s*}", "step", step, "what",
                                        json_string_value(json_object_get(state, "what")), "at",
                                        json_string_value(json_object_get(state, "at"))));
        json_decref(state);
    }
    return list;
}

/* The project as the page sees it. Called with the lock. */
static json_t *describe(const workbench_project *project)
{
    json_t *model = NULL;
    tacit_error err = {0};
    const char *policy = json_string_value(json_object_get(project->state, "policy"));
    const char *name = strrchr(project->folder, '/') + 1;
    json_t *shown = json_pack("{s:s, s:s, s:i, s:i, s:O, s:o}", "folder", name, "base",
                              project->base, "step", project->step, "last", project->last, "state",
                              project->state, "steps", list_steps(project));
    if (shown && workbench_policy_json(&model, policy ? policy : "", &err) == TACIT_OK)
        json_object_set_new(shown, "model", model);
    else if (shown)
        json_object_set_new(shown, "policy_problem", json_string(err.message));
    return shown;
}

workbench_answer workbench_get_project(workbench_request *request)
{
    workbench_project *project = request->bench->project;
    pthread_mutex_lock(&project->lock);
    json_t *shown = describe(project);
    pthread_mutex_unlock(&project->lock);
    return workbench_reply(request, 200, shown);
}

/* A policy that names no file elsewhere. */
static tacit_status check_policy(const workbench_project *project, const char *policy,
                                 tacit_error *err)
{
    json_t *model = NULL;
    tacit_status status = workbench_policy_json(&model, policy, err);
    if (status == TACIT_OK && !may_use_json(project, model))
        status = project_failed(
            err, TACIT_INVALID,
            "it names a file outside the folder that the workbench was started with", "policy");
    json_decref(model);
    return status;
}

workbench_answer workbench_add_step(workbench_request *request)
{
    workbench_project *project = request->bench->project;
    const char *from = workbench_text(request, "policy_from"),
               *data = workbench_text(request, "data");
    tacit_error err = {0};
    tacit_status status = TACIT_OK;
    json_t *shown = NULL;
    if (from) {
        char *text = workbench_may_use(project, from) ? read_text(project, from) : NULL;
        if (!text)
            return workbench_refuse(request, 422, "the policy's file cannot be read");
        json_object_set_new(request->json, "policy", json_string(text));
        free(text);
    }
    if (data && !workbench_is_database(data) && !workbench_may_use_all(project, data))
        return workbench_refuse(
            request, 403, "that file is outside the folder that the workbench was started with");
    const char *policy = workbench_text(request, "policy");
    if (policy)
        status = check_policy(project, policy, &err);
    pthread_mutex_lock(&project->lock);
    json_t *state = status == TACIT_OK ? next_state(project, request->json) : NULL;
    if (status == TACIT_OK)
        status = state ? add_step(project, state, &err) : TACIT_NOMEM;
    if (status == TACIT_OK)
        shown = describe(project);
    pthread_mutex_unlock(&project->lock);
    json_decref(state);
    return status == TACIT_OK ? workbench_reply(request, 200, shown)
                              : workbench_fail(request, status, &err);
}

workbench_answer workbench_go_to_step(workbench_request *request)
{
    workbench_project *project = request->bench->project;
    int64_t to = workbench_number(request, "step", 0);
    tacit_error err = {0};
    tacit_status status = TACIT_OK;
    json_t *shown = NULL;
    pthread_mutex_lock(&project->lock);
    if (to < 1 || to > project->last) {
        status = project_failed(&err, TACIT_INVALID, "there is no such step", "history");
    } else {
        char name[32];
        step_name(name, (int)to);
        json_t *state = read_json(project, name);
        if (json_is_object(state)) {
            json_decref(project->state);
            project->state = json_incref(state);
            project->step = (int)to;
            status = save_present(project, &err);
        } else {
            status = project_failed(&err, TACIT_PARSE, "the step cannot be read", name);
        }
        json_decref(state);
    }
    if (status == TACIT_OK)
        shown = describe(project);
    pthread_mutex_unlock(&project->lock);
    return status == TACIT_OK ? workbench_reply(request, 200, shown)
                              : workbench_fail(request, status, &err);
}

/* ---- files to choose from ---- */

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

workbench_answer workbench_list_files(workbench_request *request)
{
    const char *folder = workbench_text(request, "folder");
    struct dirent **entries = NULL;
    if (!folder || !*folder)
        folder = ".";
    if (!workbench_may_use(request->bench->project, folder))
        return workbench_refuse(request, 403,
                                "that folder is outside the one that the workbench was "
                                "started with");
    int count = scandir(folder, &entries, is_shown, by_name);
    if (count < 0)
        return workbench_refuse(request, 404, "the folder cannot be read: %s", strerror(errno));
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        struct stat file;
        int len = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (i < MAX_LISTED && len > 0 && (size_t)len < sizeof path && stat(path, &file) == 0)
            json_array_append_new(list, json_pack("{s:s, s:b, s:I}", "name", entries[i]->d_name,
                                                  "folder", S_ISDIR(file.st_mode), "size",
                                                  (json_int_t)file.st_size));
        free(entries[i]);
    }
    free(entries);
    return workbench_reply(request, 200,
                           json_pack("{s:o, s:b}", "files", list, "more", count > MAX_LISTED));
}
