/*
 * argus_run.h - a batch file of tau-Argus at work: the files that it names and the jobs it becomes.
 */
#ifndef TACIT_ENGINE_TABLES_ARGUS_RUN_H
#define TACIT_ENGINE_TABLES_ARGUS_RUN_H

#include "base/file.h"
#include "engine/job/files.h"
#include "engine/tables/argus.h"

/* A file without a name, and the one it was made of. */
typedef struct engine_argus_made {
    int fd;
    const char *path, *shown;
    int header; /* lines that the other one does not have */
} engine_argus_made;

typedef struct engine_argus_opened {
    bool tried;
    tacit__input meta_input, data_input;
    const char *data_path, *meta_folder;
    engine_argus_meta meta;
} engine_argus_opened;

typedef struct engine_argus_job {
    tacit_job *job;
    size_t table; /* the first of those it protects */
    const char *command;
} engine_argus_job;

typedef struct engine_argus_run {
    engine_session *session;
    const char *file, *folder;
    tacit__input input;
    engine_argus_batch batch;
    engine_argus_opened *sources; /* as many as the batch file has */
    engine_argus_made *made;
    size_t made_count, made_capacity;
    engine_argus_job *jobs;
    size_t job_count, job_capacity;
    engine_file *files; /* that the batch file names, to be compared */
    size_t file_count, file_capacity;
} engine_argus_run;

/* A text that lives as long as the batch; NULL, with the error: no memory. */
const char *engine_argus_keep(engine_argus_run *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The folder of a path, with the slash at its end. */
const char *engine_argus_folder(engine_argus_run *s, const char *path);

/* A name of the batch file, on that line, as a path; and that of a file that is read, which is
 * there. */
tacit_status engine_argus_path(const char **out, engine_argus_run *s, const char *folder,
                               tacit_strview name, int64_t line);
tacit_status engine_argus_find(const char **out, engine_argus_run *s, const char *folder,
                               tacit_strview name, int64_t line);

/* Keeps in mind that a file is read or written. */
tacit_status engine_argus_note(engine_argus_run *s, const char *path, const char *called,
                               bool written);

/* A file without a name that has this text, which is cleared. */
tacit_status engine_argus_make(const char **path, engine_argus_run *s, tacit__strbuf *text,
                               const char *shown, int header);

/* A text with the names of files in the place of those that have none, cut to size. */
void engine_argus_show(const engine_argus_run *s, char *out, size_t size, const char *text);

/* Opens a data file and reads its metadata, once. */
tacit_status engine_argus_open(engine_argus_run *s, size_t index);

/* The columns that a table needs. */
tacit_status engine_argus_choose(engine_argus_columns *columns, engine_argus_run *s,
                                 const engine_argus_table *table, bool cells);

#endif
