/*
 * files.h - what a command may write, and writing whole texts.
 */
#ifndef TACIT_ENGINE_JOB_FILES_H
#define TACIT_ENGINE_JOB_FILES_H

#include "engine/job/session.h"

/* A file that the command line names, and what the command line calls it. */
typedef struct engine_file {
    const char *path;   /* NULL: not given */
    const char *called; /* "-o", "--report" */
    bool written;
} engine_file;

/* Every file that making or auditing a release writes, as the command line names it; the
 * release's is the first. What a command does not know is not given. */
enum { ENGINE_WRITTEN = 8 };
void engine_files_written(engine_file files[ENGINE_WRITTEN], const engine_settings *settings);

/* TACIT_INVALID if a file that is to be written is also read, or written
 * twice. Pipes and devices may be. */
tacit_status engine_files_check(const engine_file *files, size_t count, tacit_error *err);

/* The same of the files that the policy names: the key's, the population's, earlier releases' and
 * the hierarchies'; and nothing is written into the ledger's folder. */
tacit_status engine_policy_files_check(const tacit_policy *policy, const engine_file *files,
                                       size_t count, tacit_error *err);

/* What follows the last slash. */
const char *engine_base_name(const char *path);

/* Whether a path names a file that can be read twice; "-" names none, even where a
 * file has that name. */
bool engine_is_file(const char *path);

/* Writes bytes to an open file, whose name is for messages. */
tacit_status engine_write_all(int fd, const char *name, const char *text, size_t len,
                              tacit_error *err);

/* Reads an open file from its start, to be freed with free. */
tacit_status engine_read_all(char **out, size_t *len, int fd, const char *name, tacit_error *err);

/* What a job writes beside a release appears together, in the order in which it was added, once all
 * of it is whole; nothing of it does if the job fails before. */

/* Adds a file that is whole, and takes it, whatever comes of that. */
tacit_status engine_files_add(engine_session *session, tacit_output *output);

/* Adds a file with a text; opened by tacit_output_new, or _private. */
typedef tacit_status (*engine_opener)(tacit_output **out, const char *path, tacit_error *err);
tacit_status engine_files_add_text(engine_session *session, engine_opener opener, const char *path,
                                   const char *text, size_t len);

/* Makes them appear. */
tacit_status engine_files_appear(engine_session *session);

/* What a kind of job reports. */
typedef struct engine_reports {
    const char *title; /* of the page */
    void (*fill)(tacit_report *report, const void *subject);
} engine_reports;

/* The report as JSON, and as a page; free them with tacit_text_free(). The session says what left
 * engines; it may be NULL. */
tacit_status engine_report_json(char **out, const engine_reports *reports, const void *subject,
                                const engine_session *session, tacit_error *err);
tacit_status engine_report_html(char **out, const engine_reports *reports, const void *subject,
                                const engine_session *session, tacit_error *err);

/* What a job has to say, as facts; the subject outlives them. */
tacit_status engine_report_fill(tacit_report **out, const engine_reports *reports,
                                const void *subject, const engine_session *session,
                                tacit_error *err);

/* Prints the report of a job to the terminal, and hands it on. */
tacit_status engine_report_print(engine_session *session, const engine_reports *reports,
                                 const void *subject);

/* Prints it, and does as the following. */
tacit_status engine_report_all(engine_session *session, const engine_reports *reports,
                               const void *subject);

/* Writes the report to --report and the page to --html, where given; all files that wait appear. */
tacit_status engine_report(engine_session *session, const engine_reports *reports,
                           const void *subject);

/* After a release was written: it stands, whatever becomes of its reports; then the error says
 * so. Returns status. */
tacit_status engine_report_failed(engine_session *session, tacit_status status);

#endif
