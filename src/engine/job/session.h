/*
 * session.h - one job at work: what it was told, how it runs, what went wrong, what it has to say.
 */
#ifndef TACIT_ENGINE_JOB_SESSION_H
#define TACIT_ENGINE_JOB_SESSION_H

#include <stdio.h>

#include <tacit/experimental.h>

#include "base/strbuf.h"
#include "engine/job/places.h"
#include "engine/job/print.h"
#include "engine/job/settings.h"
#include "engine/job/streams.h"

typedef struct engine_session {
    const engine_settings *settings;
    tacit_run run; /* its progress callback is the session's */
    tacit_error error;
    tacit_run front;   /* how the caller wants it run */
    const char *phase; /* that was reported last, and how far it was */
    int64_t done, total;
    bool cancelled; /* the caller's callback asked to stop */
    double start;
    double ended;       /* when it was run; what the caller does before the commit takes no time */
    double limit;       /* seconds; infinite where no time is given */
    FILE *out;          /* the report as text */
    tacit__strbuf text; /* what was printed there */
    size_t text_given;  /* of it, to the caller */
    tacit_message_fn message; /* may be NULL */
    void *message_payload;
    tacit_question_fn ask; /* NULL: there is nobody to ask */
    void *ask_payload;
    const tacit_policy *guarding; /* NULL, or the policy that guards cells against spreadsheets */
    const tacit_policy *coding;   /* NULL, or the policy that says which cells are missing */
    tacit_encoding encoding;      /* that the data is taken to have, or detected */
    tacit_encoding read_as;       /* that it had */
    tacit_schema *source;         /* what its columns were, if it was no CSV */
    engine_streams streams;
    engine_places places;
    bool private_reports;   /* they say what undoes the protection: files for their owner alone */
    uint64_t written;       /* files that are there already should the work end early */
    tacit_output **waiting; /* files that are whole, and appear together (files.h) */
    size_t waiting_count, waiting_capacity;
} engine_session;

/* Reads the common settings. The session must stay where it is. */
/* A stream whose bytes go to the end of text, which says if memory ran out; NULL: no memory. */
FILE *engine_text_stream(tacit__strbuf *text);

tacit_status engine_session_init(engine_session *session, const engine_settings *settings,
                                 const tacit_run *front);
void engine_session_clear(engine_session *session);

/* TACIT_CANCELLED if the caller or the time limit asks to stop. */
tacit_status engine_session_check(engine_session *session);

/* Forgets what went wrong, where the work goes on without it. */
void engine_session_clear_error(engine_session *session);

/* Lets the work go on after the caller or the time limit ended a part of it, and says which of the
 * two. */
const char *engine_session_forgive(engine_session *session);

/* Hands on what was printed of the report since. */
void engine_session_flush(engine_session *session);

/* A line for the caller to show. */
void engine_say(engine_session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void engine_warn(engine_session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How the common settings say that CSV files are to be read. */
void engine_csv_options(tacit_csv_options *options, const engine_session *session);

/* Notes what file the data came from, and how it was encoded; warns if that was guessed. */
void engine_session_source(engine_session *session, const tacit_table *data);

/* The same for a release, whose cells are judged as they are. */
void engine_release_csv_options(tacit_csv_options *options, const engine_session *session);

/* From here on files are read as the policy says: in which encoding, with or without a guard
 * against spreadsheets, and codes of missing values as empty cells. */
tacit_status engine_session_guard(engine_session *session, const tacit_policy *policy);

/* The policy, and the settings that are keys of it, in their order. */
tacit_status engine_policy(tacit_policy **out, engine_session *session);

/* Makes a column a quasi-identifier, whatever its name is. */
tacit_status engine_policy_quasi(tacit_policy *policy, tacit_strview name, tacit_error *err);

#endif
