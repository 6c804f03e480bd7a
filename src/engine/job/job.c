/*
 * job.c - a job from its settings to what it makes appear.
 *
 * A job holds what it was told, its session and the state of its kind. Inputs that are no files by
 * name are descriptors of the job's own, which the kinds open by their names under /dev/fd, so that
 * no kind needs to know where its data comes from.
 */
#include <tacit/job.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "engine/job/kinds.h"

enum { MAX_DESCRIPTORS = 16 };

typedef enum job_stage { STAGE_NEW = 0, STAGE_RUN, STAGE_COMMITTED, STAGE_FAILED } job_stage;

struct tacit_job {
    const engine_kind *kind;    /* by its name */
    const engine_kind *variant; /* that is run */
    engine_settings settings;
    engine_session session;
    void *state; /* NULL before it is run */
    job_stage stage;
    int descriptors[MAX_DESCRIPTORS]; /* of inputs, owned */
    int descriptor_count;
};

/* ---- what there is ---- */

const char *tacit_job_kind(size_t index)
{
    for (size_t i = 0; engine_kinds[i]; i++)
        if (i == index)
            return engine_kinds[i]->name;
    return NULL;
}

const char *tacit_setting_name(const tacit_setting *setting)
{
    return setting->name;
}

tacit_setting_type tacit_setting_type_of(const tacit_setting *setting)
{
    return setting->type;
}

const char *tacit_setting_argument(const tacit_setting *setting)
{
    return setting->argument;
}

const char *tacit_setting_help(const tacit_setting *setting)
{
    return setting->help;
}

bool tacit_setting_is_policy(const tacit_setting *setting)
{
    return setting->is_policy;
}

bool tacit_setting_is_common(const tacit_setting *setting)
{
    return setting->is_common;
}

const char *tacit_job_input_name(const char *kind, size_t *needed, size_t *taken)
{
    const engine_kind *found = engine_kind_find(kind);
    if (!found)
        return NULL;
    *needed = found->inputs_needed;
    *taken = found->inputs_taken;
    return found->input;
}

/* ---- making and telling ---- */

tacit_status tacit_job_new(tacit_job **out, const char *kind, tacit_error *err)
{
    const engine_kind *found = engine_kind_find(kind);
    if (!found)
        return tacit__error(err, TACIT_INVALID, "there is no kind of job \"%.40s\"", kind);
    tacit_job *job = tacit__alloc_zeroed(1, sizeof *job);
    if (!job)
        return tacit__nomem(err);
    job->kind = found;
    engine_settings_of(&job->settings.list, found);
    *out = job;
    return TACIT_OK;
}

void tacit_job_free(tacit_job *job)
{
    if (!job)
        return;
    if (job->state && job->variant->clear)
        job->variant->clear(job->state);
    tacit__free(job->state);
    engine_session_clear(&job->session);
    engine_settings_clear(&job->settings);
    for (int i = 0; i < job->descriptor_count; i++)
        close(job->descriptors[i]);
    tacit__free(job);
}

const tacit_setting *tacit_job_setting(const tacit_job *job, size_t index)
{
    return index < job->settings.list.count ? &job->settings.list.items[index] : NULL;
}

static tacit_status check_new(const tacit_job *job, tacit_error *err)
{
    if (job->stage == STAGE_NEW)
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID, "a job that was run takes no more settings");
}

tacit_status tacit_job_set(tacit_job *job, const char *name, const char *value, tacit_error *err)
{
    tacit_status status = check_new(job, err);
    return status == TACIT_OK ? engine_settings_add(&job->settings, name, value, err) : status;
}

tacit_status tacit_job_set_text(tacit_job *job, const char *name, const char *text,
                                tacit_error *err)
{
    tacit_status status = check_new(job, err);
    if (status != TACIT_OK)
        return status;
    if (strcmp(name, "policy") != 0 || !job->kind->takes_policy)
        return tacit__error(err, TACIT_INVALID, "%.40s is no setting that is given as text", name);
    char *copy = tacit__copy_bytes(text, strlen(text));
    if (!copy)
        return tacit__nomem(err);
    tacit__free(job->settings.policy_text);
    job->settings.policy_text = copy;
    return TACIT_OK;
}

tacit_status tacit_job_input_file(tacit_job *job, const char *path, tacit_error *err)
{
    tacit_status status = check_new(job, err);
    if (status == TACIT_OK && job->settings.input_count == job->kind->inputs_taken)
        status = tacit__error(err, TACIT_INVALID, "\"%.80s\" is one argument too many", path);
    return status == TACIT_OK ? engine_settings_input(&job->settings, path, err) : status;
}

/* The path of a descriptor. */
typedef struct descriptor_path {
    char text[32];
} descriptor_path;

static descriptor_path path_of(int descriptor)
{
    descriptor_path path;
    snprintf(path.text, sizeof path.text, "/dev/fd/%d", descriptor);
    return path;
}

/* The descriptor becomes the job's, whatever comes of it. */
static tacit_status keep_descriptor(tacit_job *job, int descriptor, tacit_error *err)
{
    if (descriptor < 0)
        return tacit__io(err, NULL, "cannot take the input", errno);
    if (job->descriptor_count == MAX_DESCRIPTORS) {
        close(descriptor);
        return tacit__error(err, TACIT_LIMIT, "a job takes at most %d files without a name",
                            (int)MAX_DESCRIPTORS);
    }
    job->descriptors[job->descriptor_count++] = descriptor;
    return TACIT_OK;
}

static tacit_status take_descriptor(tacit_job *job, int descriptor, tacit_error *err)
{
    tacit_status status = keep_descriptor(job, descriptor, err);
    return status == TACIT_OK ? tacit_job_input_file(job, path_of(descriptor).text, err) : status;
}

tacit_status tacit_job_input_descriptor(tacit_job *job, int descriptor, tacit_error *err)
{
    return take_descriptor(job, dup(descriptor), err);
}

static bool write_whole(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t part = write(fd, bytes, len);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            return false;
        bytes += part;
        len -= (size_t)part;
    }
    return true;
}

tacit_status tacit_job_input_bytes(tacit_job *job, const void *bytes, size_t len, tacit_error *err)
{
    int fd = memfd_create("tacit", MFD_CLOEXEC);
    if (fd >= 0 && !write_whole(fd, bytes, len)) {
        int number = errno;
        close(fd);
        return tacit__io(err, NULL, "cannot keep the input", number);
    }
    return take_descriptor(job, fd, err);
}

tacit_status tacit_job_output_descriptor(tacit_job *job, const char *name, int descriptor,
                                         tacit_error *err)
{
    return tacit_job_set(job, name, path_of(descriptor).text, err);
}

/* A file in memory that a stream stands behind, which is moved; one of the two is NULL. */
static tacit_status add_stream(int *fd, tacit_job *job, struct ArrowArrayStream *taken,
                               struct ArrowArrayStream *given, tacit_error *err)
{
    engine_streams *streams = &job->session.streams;
    engine_stream stream = {.fd = -1, .given = given};
    if (taken) {
        stream.taken = *taken;
        taken->release = NULL;
    }
    tacit_status status = check_new(job, err);
    if (status == TACIT_OK && taken && !stream.taken.release)
        status = tacit__error(err, TACIT_INVALID, "the Arrow stream was used up already");
    if (status == TACIT_OK && streams->count < ENGINE_MAX_STREAMS)
        stream.fd = memfd_create("tacit", MFD_CLOEXEC);
    if (status == TACIT_OK)
        status = keep_descriptor(job, stream.fd, err);
    if (status == TACIT_OK)
        streams->items[streams->count++] = stream;
    else if (stream.taken.release)
        stream.taken.release(&stream.taken);
    *fd = stream.fd;
    return status;
}

tacit_status tacit_job_input_arrow(tacit_job *job, struct ArrowArrayStream *stream,
                                   tacit_error *err)
{
    int fd = -1;
    tacit_status status = add_stream(&fd, job, stream, NULL, err);
    return status == TACIT_OK ? tacit_job_input_file(job, path_of(fd).text, err) : status;
}

tacit_status tacit_job_set_arrow(tacit_job *job, const char *name, struct ArrowArrayStream *stream,
                                 tacit_error *err)
{
    int fd = -1;
    tacit_status status = add_stream(&fd, job, stream, NULL, err);
    return status == TACIT_OK ? tacit_job_set(job, name, path_of(fd).text, err) : status;
}

tacit_status tacit_job_output_arrow(tacit_job *job, const char *name, struct ArrowArrayStream *out,
                                    tacit_error *err)
{
    int fd = -1;
    tacit_status status = add_stream(&fd, job, NULL, out, err);
    return status == TACIT_OK ? tacit_job_set(job, name, path_of(fd).text, err) : status;
}

void tacit_job_on_message(tacit_job *job, tacit_message_fn message, void *payload)
{
    job->session.message = message;
    job->session.message_payload = payload;
}

void tacit_job_on_question(tacit_job *job, tacit_question_fn ask, void *payload)
{
    job->session.ask = ask;
    job->session.ask_payload = payload;
}

/* ---- at work ---- */

static tacit_status start(tacit_job *job, const tacit_run *run)
{
    tacit_error *err = &job->session.error;
    if (job->settings.input_count < job->kind->inputs_needed)
        return tacit__error(err, TACIT_INVALID, "%s is missing", job->kind->input);
    if (job->settings.policy_text && engine_has(&job->settings, "policy"))
        return tacit__error(err, TACIT_INVALID, "the policy is given as a file and as text");
    tacit_status status = engine_session_init(&job->session, &job->settings, run);
    if (status == TACIT_OK)
        status = engine_places_take(&job->session, &job->settings);
    if (status == TACIT_OK)
        status = engine_streams_read(&job->session);
    if (status != TACIT_OK)
        return status;
    const engine_kind *variant = job->kind->variant ? job->kind->variant(&job->settings) : NULL;
    job->variant = variant ? variant : job->kind;
    status = engine_places_check(&job->settings, job->variant, &job->session.error);
    if (status != TACIT_OK)
        return status;
    job->state = tacit__alloc_zeroed(1, job->variant->size);
    if (!job->state)
        return tacit__nomem(err);
    *(engine_session **)job->state = &job->session;
    return TACIT_OK;
}

/* What a step came to, for the caller. */
static tacit_status end(tacit_job *job, tacit_status status, job_stage stage, tacit_error *err)
{
    if (job->session.out)
        engine_session_flush(&job->session);
    if (status == TACIT_OK && job->session.text.failed)
        status = tacit__nomem(&job->session.error);
    job->stage = status == TACIT_OK ? stage : STAGE_FAILED;
    if (status != TACIT_OK && err) {
        bool show = err->show_values;
        *err = job->session.error;
        err->status = status;
        err->show_values = show;
    }
    return status;
}

tacit_status tacit_job_run(tacit_job *job, const tacit_run *run, tacit_error *err)
{
    tacit_status status = check_new(job, err);
    if (status == TACIT_OK && run && run->size != sizeof *run)
        status = tacit__error(err, TACIT_INVALID, "the run was made for another version of tacit");
    if (status != TACIT_OK)
        return status;
    status = start(job, run);
    if (status == TACIT_OK && job->variant->run)
        status = job->variant->run(job->state);
    job->session.ended = engine_now();
    return end(job, status, STAGE_RUN, err);
}

tacit_status tacit_job_commit(tacit_job *job, tacit_error *err)
{
    if (job->stage != STAGE_RUN)
        return tacit__error(err, TACIT_INVALID, "only a job that was run can be committed, once");
    job->session.start += engine_now() - job->session.ended;
    tacit_status status = job->variant->commit
                              ? job->variant->commit(job->state)
                              : engine_report_all(&job->session, job->variant->report, job->state);
    if (status == TACIT_OK)
        status = engine_streams_fill(&job->session);
    if (status == TACIT_OK)
        status = engine_places_fill(&job->session);
    return end(job, status, STAGE_COMMITTED, err);
}

tacit_status tacit_job_save(tacit_job *job, const char *path, tacit_error *err)
{
    if (job->stage != STAGE_COMMITTED || !job->variant->save)
        return tacit__error(err, TACIT_INVALID, "only a release that was committed can be saved");
    tacit_status status = end(job, job->variant->save(job->state, path), STAGE_COMMITTED, err);
    job->stage = STAGE_COMMITTED; /* another path may do */
    return status;
}

bool tacit_job_discloses(const tacit_job *job)
{
    return (job->stage == STAGE_RUN || job->stage == STAGE_COMMITTED) && job->variant->discloses &&
           job->variant->discloses(job->state);
}

uint64_t tacit_job_written(const tacit_job *job)
{
    return job->session.written;
}

/* ---- the report ---- */

static tacit_status reports_of(const engine_reports **out, const void **subject,
                               const tacit_job *job, tacit_error *err)
{
    if (job->stage != STAGE_RUN && job->stage != STAGE_COMMITTED)
        return tacit__error(err, TACIT_INVALID, "a job that was not run has nothing to report");
    if (!job->variant->reports && !job->variant->report)
        return tacit__error(err, TACIT_INVALID, "%s has no report", job->kind->name);
    *subject = job->state;
    *out = job->variant->report ? job->variant->report : job->variant->reports(job->state, subject);
    return TACIT_OK;
}

tacit_status tacit_job_facts(tacit_job *job, tacit_report **report, tacit_error *err)
{
    const engine_reports *reports = NULL;
    const void *subject = NULL;
    tacit_status status = reports_of(&reports, &subject, job, err);
    return status == TACIT_OK ? engine_report_fill(report, reports, subject, &job->session, err)
                              : status;
}

tacit_status tacit_job_report(tacit_job *job, char **json, tacit_error *err)
{
    const engine_reports *reports = NULL;
    const void *subject = NULL;
    tacit_status status = reports_of(&reports, &subject, job, err);
    return status == TACIT_OK ? engine_report_json(json, reports, subject, &job->session, err)
                              : status;
}

tacit_status tacit_job_page(tacit_job *job, char **html, tacit_error *err)
{
    const engine_reports *reports = NULL;
    const void *subject = NULL;
    tacit_status status = reports_of(&reports, &subject, job, err);
    return status == TACIT_OK ? engine_report_html(html, reports, subject, &job->session, err)
                              : status;
}

tacit_status tacit_job_text(tacit_job *job, bool colours, char **text, tacit_error *err)
{
    if (job->stage != STAGE_COMMITTED)
        return tacit__error(err, TACIT_INVALID, "a job that was not committed has no report yet");
    return tacit_report_colours(text, job->session.text.len ? job->session.text.bytes : "", colours,
                                err);
}
