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
 * Freeing a job that was not committed leaves nothing behind. A seed that is not set is drawn from
 * the operating system.
 */
#ifndef TACIT_JOB_H
#define TACIT_JOB_H

#include <tacit/base.h>
#include <tacit/experimental/argus.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_job tacit_job;

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

typedef struct tacit_setting {
    const char *name; /* "k", "policy", "output" */
    tacit_setting_type type;
    const char *argument; /* the value as help calls it; NULL for a switch */
    const char *help;
    bool is_policy; /* a key of the policy */
    bool is_common; /* of every kind that reads data */
} tacit_setting;

/* The name of a kind of job, from 0 on; NULL: there are no more. */
const char *tacit_job_kind(size_t index);

/* Copies the setting of a kind, from 0 on; false: there are no more, or no such kind. The texts are
 * the library's. */
bool tacit_job_setting(tacit_setting *out, const char *kind, size_t index);

/* What kind of thing a kind takes as its input, and how many of them. */
const char *tacit_job_input_name(const char *kind, size_t *needed, size_t *taken);

/* ---- a job ---- */

tacit_status tacit_job_new(tacit_job **out, const char *kind, tacit_error *err);
void tacit_job_free(tacit_job *job);

/* Sets a value; NULL or "" for a switch. What can be given several times is added. */
tacit_status tacit_job_set(tacit_job *job, const char *name, const char *value, tacit_error *err);

/* The same of what a setting otherwise reads from a file, by its text: "policy". */
tacit_status tacit_job_set_text(tacit_job *job, const char *name, const char *text,
                                tacit_error *err);

/* What the job works on: a file ("-" is standard input), what a descriptor gives, or bytes, which
 * are copied. */
tacit_status tacit_job_input_file(tacit_job *job, const char *path, tacit_error *err);
tacit_status tacit_job_input_descriptor(tacit_job *job, int descriptor, tacit_error *err);
tacit_status tacit_job_input_bytes(tacit_job *job, const void *bytes, size_t len, tacit_error *err);

/* Where a file of the job goes instead of to a path, once it is committed: "output", "report". The
 * descriptor stays the caller's. */
tacit_status tacit_job_output_descriptor(tacit_job *job, const char *name, int descriptor,
                                         tacit_error *err);

/* What a job has to say while it runs: notes, warnings, and the account as text. */
typedef enum tacit_message_kind {
    TACIT_MESSAGE_NOTE = 0,
    TACIT_MESSAGE_WARNING,
    TACIT_MESSAGE_ACCOUNT, /* a part of it; see tacit_job_text */
} tacit_message_kind;

typedef void (*tacit_message_fn)(tacit_message_kind kind, const char *text, void *payload);

void tacit_job_on_message(tacit_job *job, tacit_message_fn message, void *payload);

/* Who answers mu-argus with the setting "ask". */
void tacit_job_on_question(tacit_job *job, tacit_argus_ask_fn ask, void *payload);

/* Everything up to the judge's verdict. run says how many threads and has the callback for progress
 * and cancelling, which committing calls, too; its seed is not used. NULL: all processors, no
 * callback. */
tacit_status tacit_job_run(tacit_job *job, const tacit_run *run, tacit_error *err);

/* Makes what was asked for appear: the entry of a ledger first, then the files. */
tacit_status tacit_job_commit(tacit_job *job, tacit_error *err);

/* Whether an audit that was run found a disclosure. */
bool tacit_job_discloses(const tacit_job *job);

/* Files that appeared, so far. */
uint64_t tacit_job_written(const tacit_job *job);

/* The account of a job that was run, as JSON, as a page of HTML, and once it is committed as text
 * for a terminal, in colours or without. Free it with tacit_text_free(). */
tacit_status tacit_job_report(tacit_job *job, char **json, tacit_error *err);
tacit_status tacit_job_page(tacit_job *job, char **html, tacit_error *err);
tacit_status tacit_job_text(tacit_job *job, bool colours, char **text, tacit_error *err);

/* A part of the account as the callback gets it, with or without colours. Free it likewise. */
tacit_status tacit_account_text_shown(char **out, const char *text, bool colours, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
