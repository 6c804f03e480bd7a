/*
 * job.h - a job: what a command, a binding or a server asks tacit to do.
 *
 * A job has a kind ("anonymize", "protect", "scrub", ...), settings by name, inputs and outputs. It
 * is run up to the judge's verdict; only committing it makes anything appear. Settings have the
 * names of policy keys and of the command's options, and are checked as they are set.
 *
 *     tacit_job *job = NULL;
 *     tacit_error err = {0};
 *     if (tacit_job_new(&job, "anonymize", &err) == TACIT_OK &&
 *         tacit_job_set(job, "policy", "patients.yaml", &err) == TACIT_OK &&
 *         tacit_job_set(job, "output", "release.csv", &err) == TACIT_OK &&
 *         tacit_job_input_file(job, "patients.csv", &err) == TACIT_OK &&
 *         tacit_job_run(job, NULL, &err) == TACIT_OK && tacit_job_commit(job, &err) == TACIT_OK)
 *         puts("the release is there, and the promise holds");
 *     tacit_job_free(job);
 *
 * Where a release must not leave, running fails with TACIT_INFEASIBLE and the error says why.
 * Freeing a job that was not committed leaves nothing behind, but for documents that "scrub" has
 * finished: each appears as a whole while the job runs. A seed that is not set is drawn from the
 * operating system.
 */
#ifndef TACIT_JOB_H
#define TACIT_JOB_H

#include <tacit/base.h>
#include <tacit/report.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_job tacit_job;
struct ArrowArrayStream; /* arrow.h */

/* ---- what there is ---- */

typedef enum tacit_setting_type {
    TACIT_SETTING_SWITCH = 0, /* takes no value */
    TACIT_SETTING_TEXT,
    TACIT_SETTING_FILE,
    TACIT_SETTING_FOLDER,
    TACIT_SETTING_NUMBER,    /* a natural number */
    TACIT_SETTING_SECONDS,   /* a positive number */
    TACIT_SETTING_REAL,      /* a number, 0 or more */
    TACIT_SETTING_CHARACTER, /* one byte, or "tab" */
} tacit_setting_type;

/* What a kind can be told, by a name. */
typedef struct tacit_setting tacit_setting;

TACIT_API const char *
tacit_setting_name(const tacit_setting *setting); /* "k", "policy", "output" */
TACIT_API tacit_setting_type tacit_setting_type_of(const tacit_setting *setting);
/* The value as help calls it; NULL for a switch. */
TACIT_API const char *tacit_setting_argument(const tacit_setting *setting);
TACIT_API const char *tacit_setting_help(const tacit_setting *setting);
TACIT_API bool tacit_setting_is_policy(const tacit_setting *setting); /* a key of the policy */
TACIT_API bool
tacit_setting_is_common(const tacit_setting *setting); /* of every kind that reads data */

/* The name of a kind of job, from 0 on; NULL: there are no more. */
TACIT_API const char *tacit_job_kind(size_t index);

/* What kind of thing a kind takes as its input, and how many of them. */
TACIT_API const char *tacit_job_input_name(const char *kind, size_t *needed, size_t *taken);

/* What a kind offers by name, in groups from 0 on: "Methods", "Metrics". NULL: there are no more.
 */
TACIT_API const char *tacit_job_group(const char *kind, size_t group);

/* A name of a group, from 0 on, and a summary of what it does, cut to size; NULL: there are no
 * more. */
TACIT_API const char *tacit_job_choice(const char *kind, size_t group, size_t index, char *summary,
                                       size_t size);

/* ---- a job ---- */

TACIT_API tacit_status tacit_job_new(tacit_job **out, const char *kind, tacit_error *err);
TACIT_API void tacit_job_free(tacit_job *job);

/* A setting of a job, from 0 on; NULL: there are no more. It is the job's. */
TACIT_API const tacit_setting *tacit_job_setting(const tacit_job *job, size_t index);

/* Sets a value; NULL or "" for a switch. What can be given several times is added. */
TACIT_API tacit_status tacit_job_set(tacit_job *job, const char *name, const char *value,
                                     tacit_error *err);

/* The same of what a setting otherwise reads from a file, by its text: "policy". */
TACIT_API tacit_status tacit_job_set_text(tacit_job *job, const char *name, const char *text,
                                          tacit_error *err);

/* What the job works on: a file ("-" is standard input), what a descriptor gives, or bytes, which
 * are copied. */
TACIT_API tacit_status tacit_job_input_file(tacit_job *job, const char *path, tacit_error *err);
TACIT_API tacit_status tacit_job_input_descriptor(tacit_job *job, int descriptor, tacit_error *err);
TACIT_API tacit_status tacit_job_input_bytes(tacit_job *job, const void *bytes, size_t len,
                                             tacit_error *err);

/* Where a file of the job goes instead of to a path, once it is committed: "output", "report". The
 * descriptor stays the caller's. */
TACIT_API tacit_status tacit_job_output_descriptor(tacit_job *job, const char *name, int descriptor,
                                                   tacit_error *err);

/* The same from and to columns in memory, by the Arrow C stream interface (arrow.h). A stream that
 * a job takes is moved: it is the job's, whatever comes of it, and is read when the job is run; a
 * setting that names a file of records, such as "original", takes one, too. A stream that a job
 * gives is filled once it is committed, and is then the caller's to release; it must stay where it
 * is. Columns keep their types where all of their cells still are values of them, and are text
 * otherwise. The settings "delimiter" and "no-header" do not go with streams. */
TACIT_API tacit_status tacit_job_input_arrow(tacit_job *job, struct ArrowArrayStream *stream,
                                             tacit_error *err);
TACIT_API tacit_status tacit_job_set_arrow(tacit_job *job, const char *name,
                                           struct ArrowArrayStream *stream, tacit_error *err);
TACIT_API tacit_status tacit_job_output_arrow(tacit_job *job, const char *name,
                                              struct ArrowArrayStream *out, tacit_error *err);

/* Writes columns in memory, such as those that a job gave, to a file in the format that its name
 * ends in: CSV as the job would have written it. It appears whole or not at all. The stream is
 * released, whatever comes of it. */
TACIT_API tacit_status tacit_save_arrow(const char *path, struct ArrowArrayStream *stream,
                                        const tacit_run *run, tacit_error *err);

/* What a job has to say while it runs: notes, warnings, and its report as text. */
typedef enum tacit_message_kind {
    TACIT_MESSAGE_NOTE = 0,
    TACIT_MESSAGE_WARNING,
    TACIT_MESSAGE_REPORT, /* a part of it, with marks; see tacit_report_colours */
} tacit_message_kind;

typedef void (*tacit_message_fn)(tacit_message_kind kind, const char *text, void *payload);

TACIT_API void tacit_job_on_message(tacit_job *job, tacit_message_fn message, void *payload);

/* Asks a person, for the method mu-argus with the setting "ask": shows the question as it is, and
 * puts the line that answers it into answer, which is empty where there is no more input. Any other
 * status than TACIT_OK ends the job with it. */
typedef tacit_status (*tacit_question_fn)(char *answer, size_t size, const char *question,
                                          void *payload);

TACIT_API void tacit_job_on_question(tacit_job *job, tacit_question_fn ask, void *payload);

/* Everything up to the judge's verdict. run says how many threads and has the callback for progress
 * and cancelling, which committing calls, too; its seed is not used. NULL: all processors, no
 * callback. */
TACIT_API tacit_status tacit_job_run(tacit_job *job, const tacit_run *run, tacit_error *err);

/* Makes what was asked for appear: the entry of a ledger first, then the files. */
TACIT_API tacit_status tacit_job_commit(tacit_job *job, tacit_error *err);

/* Writes a release of records that was committed to a further file, in the format that its name
 * ends in, with all that a file says of its columns besides: labels, display formats. It appears
 * whole or not at all. */
TACIT_API tacit_status tacit_job_save(tacit_job *job, const char *path, tacit_error *err);

/* Whether an audit that was run found a disclosure. */
TACIT_API bool tacit_job_discloses(const tacit_job *job);

/* Files that appeared, so far. */
TACIT_API uint64_t tacit_job_written(const tacit_job *job);

/* What a job that was run has to say, as facts (report.h), as JSON, as a page of HTML, and once it
 * is committed as text for a terminal, in colours or without. Texts are freed with
 * tacit_text_free(), facts with tacit_report_free() before the job is. */
TACIT_API tacit_status tacit_job_facts(tacit_job *job, tacit_report **report, tacit_error *err);
TACIT_API tacit_status tacit_job_report(tacit_job *job, char **json, tacit_error *err);
TACIT_API tacit_status tacit_job_page(tacit_job *job, char **html, tacit_error *err);
TACIT_API tacit_status tacit_job_text(tacit_job *job, bool colours, char **text, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
