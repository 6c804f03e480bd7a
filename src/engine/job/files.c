/*
 * files.c - protects the files of a command line from each other: a release
 * must not replace the data it is made from, nor a report the release. Files
 * are the same if the system says so; of files that do not exist yet, the
 * folder and the name decide.
 */
#include "engine/job/files.h"
#include "base/alloc.h"

#include "base/error.h"
#include "base/file.h"
#include "base/vector.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *engine_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool stat_folder(struct stat *about, const char *path)
{
    char folder[PATH_MAX];
    size_t len = (size_t)(engine_base_name(path) - path);
    if (len + sizeof "." > sizeof folder)
        return false;
    memcpy(folder, path, len);
    memcpy(folder + len, ".", sizeof ".");
    return stat(folder, about) == 0;
}

/* Of the file that a path names, whatever part of it. */
static bool stat_file(struct stat *about, const char *path)
{
    char file[PATH_MAX];
    size_t len = tacit__file_name_len(path);
    if (len >= sizeof file)
        return false;
    memcpy(file, path, len);
    file[len] = '\0';
    return stat(file, about) == 0;
}

static bool same_file(const char *a, const char *b)
{
    struct stat about_a, about_b;
    if (!strcmp(a, "-") || !strcmp(b, "-"))
        return !strcmp(a, b);
    bool has_a = stat_file(&about_a, a), has_b = stat_file(&about_b, b);
    if (has_a != has_b)
        return false;
    if (has_a && !S_ISREG(about_a.st_mode))
        return false;
    if (!has_a && (strcmp(engine_base_name(a), engine_base_name(b)) != 0 ||
                   !stat_folder(&about_a, a) || !stat_folder(&about_b, b)))
        return false;
    return about_a.st_dev == about_b.st_dev && about_a.st_ino == about_b.st_ino;
}

void engine_files_written(engine_file files[ENGINE_WRITTEN], const engine_settings *settings)
{
    static const char *const CALLED[ENGINE_WRITTEN] = {"-o",          "--dependencies", "--linked",
                                                       "--joined",    "--report",       "--html",
                                                       "--statement", "--mapping"};
    for (int i = 0; i < ENGINE_WRITTEN; i++) {
        const char *option = i == 0 ? "output" : CALLED[i] + 2;
        files[i] = (engine_file){engine_value(settings, option), CALLED[i], true};
    }
}

/* "-" is standard input for one and standard output for the other. */
static bool clash(const engine_file *a, const engine_file *b)
{
    if (!a->path || !b->path || (!a->written && !b->written))
        return false;
    if (a->written != b->written && (!strcmp(a->path, "-") || !strcmp(b->path, "-")))
        return false;
    return same_file(a->path, b->path);
}

static tacit_status check_pair(const engine_file *a, const engine_file *b, tacit_error *err)
{
    if (!clash(a, b))
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID, "%s and %s name the same file; give another name to %s",
                        a->called, b->called, b->written ? b->called : a->called);
}

tacit_status engine_files_check(const engine_file *files, size_t count, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && status == TACIT_OK; j++)
            status = check_pair(&files[i], &files[j], err);
    return status;
}

/* What is written must not go where the ledger keeps what it cannot do without. */
static tacit_status check_ledger(const char *folder, const engine_file *file, tacit_error *err)
{
    struct stat of_ledger, of_file;
    if (!folder || !file->written || !file->path || strcmp(file->path, "-") == 0)
        return TACIT_OK;
    if (stat(folder, &of_ledger) != 0 || !stat_folder(&of_file, file->path) ||
        of_ledger.st_dev != of_file.st_dev || of_ledger.st_ino != of_file.st_ino)
        return TACIT_OK;
    return tacit__error(
        err, TACIT_INVALID,
        "%s would write into the ledger's folder; nothing but the ledger goes there", file->called);
}

tacit_status engine_policy_files_check(const tacit_policy *policy, const engine_file *files,
                                       size_t count, tacit_error *err)
{
    const engine_file key = {policy->key_file, "key-file", false};
    const engine_file population = {policy->population, "population", false};
    const engine_file costs = {policy->blanks.costs, "blank-costs", false};
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < count && status == TACIT_OK; i++) {
        status = check_ledger(policy->ledger, &files[i], err);
        if (status == TACIT_OK)
            status = check_pair(&key, &files[i], err);
        if (status == TACIT_OK)
            status = check_pair(&population, &files[i], err);
        if (status == TACIT_OK)
            status = check_pair(&costs, &files[i], err);
        for (int32_t p = 0; p < policy->previous_count && status == TACIT_OK; p++) {
            const engine_file previous = {policy->previous[p], "previous", false};
            status = check_pair(&previous, &files[i], err);
        }
        for (int32_t c = 0; c < policy->column_count && status == TACIT_OK; c++) {
            const engine_file hierarchy = {policy->columns[c].hierarchy.path, "a hierarchy", false};
            status = check_pair(&hierarchy, &files[i], err);
        }
    }
    return status;
}

bool engine_is_file(const char *path)
{
    struct stat about;
    return strcmp(path, "-") != 0 && stat_file(&about, path) && S_ISREG(about.st_mode);
}

tacit_status engine_write_all(int fd, const char *name, const char *text, size_t len,
                              tacit_error *err)
{
    while (len > 0) {
        ssize_t put = write(fd, text, len);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return tacit__error(err, TACIT_IO, "%s: cannot write: %s", name, strerror(errno));
        text += put;
        len -= (size_t)put;
    }
    return TACIT_OK;
}

tacit_status engine_read_all(char **out, size_t *len, int fd, const char *name, tacit_error *err)
{
    struct stat about;
    if (fstat(fd, &about) != 0)
        return tacit__error(err, TACIT_IO, "%s: cannot read: %s", name, strerror(errno));
    size_t size = (size_t)about.st_size, got = 0;
    char *bytes = tacit__alloc(size + 1);
    if (!bytes)
        return tacit__nomem(err);
    while (got < size) {
        ssize_t part = pread(fd, bytes + got, size - got, (off_t)got);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0) {
            tacit__free(bytes);
            return tacit__error(err, TACIT_IO, "%s: cannot read it back", name);
        }
        got += (size_t)part;
    }
    *out = bytes;
    *len = size;
    return TACIT_OK;
}

tacit_status engine_files_add(engine_session *session, tacit_output *output)
{
    if (TACIT__PUSH(session->waiting, session->waiting_capacity, session->waiting_count, output))
        return TACIT_OK;
    tacit_output_free(output);
    return tacit__nomem(&session->error);
}

tacit_status engine_files_add_text(engine_session *session, engine_opener opener, const char *path,
                                   const char *text, size_t len)
{
    tacit_output *output = NULL;
    tacit_error *err = &session->error;
    tacit_status status = opener(&output, path, err);
    if (status == TACIT_OK)
        status = engine_write_all(tacit_output_fd(output), path, text, len, err);
    if (status == TACIT_OK)
        return engine_files_add(session, output);
    tacit_output_free(output);
    return status;
}

tacit_status engine_files_appear(engine_session *session)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < session->waiting_count && status == TACIT_OK; i++) {
        status = tacit_output_commit(session->waiting[i], &session->error);
        session->written += status == TACIT_OK;
        tacit_output_free(session->waiting[i]);
        session->waiting[i] = NULL;
    }
    if (status == TACIT_OK)
        session->waiting_count = 0;
    return status;
}

typedef tacit_status (*report_renderer)(char **out, const tacit_report *report, tacit_error *err);

/* With what is shown in some places only, where the others are not asked for. */
static tacit_status fill_report(tacit_report **out, unsigned where, const engine_reports *reports,
                                const void *subject, const engine_session *session,
                                tacit_error *err)
{
    tacit_report *report = NULL;
    tacit_status status = tacit_report_new(&report, reports->title, err);
    if (status != TACIT_OK)
        return status;
    tacit_report_limit(report, where);
    reports->fill(report, subject);
    if (session)
        engine_places_facts(report, &session->places);
    *out = report;
    return TACIT_OK;
}

tacit_status engine_report_fill(tacit_report **out, const engine_reports *reports,
                                const void *subject, const engine_session *session,
                                tacit_error *err)
{
    return fill_report(out, TACIT_SHOW_ALL, reports, subject, session, err);
}

static tacit_status render_facts(char **out, report_renderer render, unsigned where,
                                 const engine_reports *reports, const void *subject,
                                 const engine_session *session, tacit_error *err)
{
    tacit_report *report = NULL;
    tacit_status status = fill_report(&report, where, reports, subject, session, err);
    if (status == TACIT_OK)
        status = render(out, report, err);
    tacit_report_free(report);
    return status;
}

tacit_status engine_report_print(engine_session *session, const engine_reports *reports,
                                 const void *subject)
{
    char *text = NULL;
    tacit_status status = render_facts(&text, tacit_report_print, TACIT_SHOW_TEXT, reports, subject,
                                       session, &session->error);
    if (status == TACIT_OK)
        fputs(text, session->out);
    tacit_text_free(text);
    engine_session_flush(session);
    return status == TACIT_OK && session->text.failed ? tacit__nomem(&session->error) : status;
}

tacit_status engine_report_json(char **out, const engine_reports *reports, const void *subject,
                                const engine_session *session, tacit_error *err)
{
    return render_facts(out, tacit_report_json, TACIT_SHOW_JSON, reports, subject, session, err);
}

tacit_status engine_report_html(char **out, const engine_reports *reports, const void *subject,
                                const engine_session *session, tacit_error *err)
{
    return render_facts(out, tacit_report_html, TACIT_SHOW_PAGE, reports, subject, session, err);
}

typedef tacit_status (*rendering)(char **out, const engine_reports *reports, const void *subject,
                                  const engine_session *session, tacit_error *err);

/* Writes a rendering to the file that a setting names. */
static tacit_status write_report(engine_session *session, const char *setting, rendering render,
                                 const engine_reports *reports, const void *subject)
{
    char *text = NULL;
    const char *path = engine_value(session->settings, setting);
    if (!path)
        return TACIT_OK;
    tacit_status status = render(&text, reports, subject, session, &session->error);
    if (status == TACIT_OK)
        status = engine_files_add_text(
            session, session->private_reports ? tacit_output_new_private : tacit_output_new, path,
            text, strlen(text));
    tacit_text_free(text);
    return status;
}

tacit_status engine_report(engine_session *session, const engine_reports *reports,
                           const void *subject)
{
    tacit_status status = write_report(session, "report", engine_report_json, reports, subject);
    if (status == TACIT_OK)
        status = write_report(session, "html", engine_report_html, reports, subject);
    return status == TACIT_OK ? engine_files_appear(session) : status;
}

tacit_status engine_report_all(engine_session *session, const engine_reports *reports,
                               const void *subject)
{
    tacit_status status = engine_report_print(session, reports, subject);
    engine_session_flush(session);
    return status == TACIT_OK ? engine_report(session, reports, subject) : status;
}

tacit_status engine_report_failed(engine_session *session, tacit_status status)
{
    tacit_error *err = &session->error;
    if (status != TACIT_OK)
        engine_append(err->message, sizeof err->message,
                      "; the release was written, but not all of its reports");
    return status;
}
