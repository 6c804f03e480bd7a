/*
 * job.c - jobs of the library for R.
 *
 * A job is an external pointer. It runs in a thread of its own, which knows nothing of R, while R's
 * thread looks ten times a second whether the user asked to stop, and shows progress. So no longjmp
 * of R crosses a frame of the library, and the library may call back from any thread. Signals stay
 * with R's thread. What the job works on (vectors of R) hangs on the pointer until it is freed.
 *
 * A function that fails gives a list with status, message, file, line and column, which R/job.R
 * makes a condition of; NULL is success.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tacit/job.h>

#include "frame.h"
#include "json.h"

#include <R_ext/Rdynload.h>
#include <R_ext/Utils.h>
#include <R_ext/Visibility.h>

enum { WAIT_MS = 100, MAX_STREAMS = 8 };

typedef struct message {
    struct message *next;
    tacit_message_kind kind;
    char text[];
} message;

typedef struct door {
    tacit_job *job;
    struct ArrowArrayStream output;
    bool asked;            /* for output */
    frame_batches batches; /* of it */
    int threads;

    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t ended;
    bool done, cancel;
    tacit_status status;
    tacit_error error;
    message *first, **last;
    char phase[64];
    int64_t part, total;
} door;

/* ---- what R holds ---- */

static void door_free(door *d)
{
    tacit_job_free(d->job);
    if (d->asked && d->output.release)
        d->output.release(&d->output);
    frame_batches_clear(&d->batches);
    while (d->first) {
        message *next = d->first->next;
        free(d->first);
        d->first = next;
    }
    pthread_cond_destroy(&d->ended);
    pthread_mutex_destroy(&d->lock);
    free(d);
}

static void finalize(SEXP pointer)
{
    door *d = R_ExternalPtrAddr(pointer);
    R_ClearExternalPtr(pointer);
    if (d)
        door_free(d);
}

static door *door_of(SEXP pointer)
{
    door *d = TYPEOF(pointer) == EXTPTRSXP ? R_ExternalPtrAddr(pointer) : NULL;
    if (!d)
        Rf_error("this job was freed");
    return d;
}

/* Keeps what the job reads for as long as the job lives. */
static void keep(SEXP pointer, SEXP value)
{
    SEXP kept = PROTECT(Rf_cons(value, R_ExternalPtrProtected(pointer)));
    R_SetExternalPtrProtected(pointer, kept);
    UNPROTECT(1);
}

static SEXP text(const char *bytes)
{
    SEXP out = Rf_ScalarString(PROTECT(Rf_mkCharCE(bytes, CE_UTF8)));
    UNPROTECT(1);
    return out;
}

static SEXP failure(tacit_status status, const tacit_error *err)
{
    static const char *const NAMES[] = {"status", "message", "file", "line", "column", ""};
    static const char *const STATUS[] = {"ok", "nomem",      "invalid", "parse",
                                         "io", "infeasible", "limit",   "cancelled"};
    if (status == TACIT_OK)
        return R_NilValue;
    char line[1200];
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)NAMES));
    SET_VECTOR_ELT(out, 0, text(STATUS[status]));
    SET_VECTOR_ELT(out, 1, text(tacit_error_format(err, line, sizeof line)));
    SET_VECTOR_ELT(out, 2, text(err->file));
    SET_VECTOR_ELT(out, 3, Rf_ScalarReal((double)err->line));
    SET_VECTOR_ELT(out, 4, Rf_ScalarReal((double)err->column));
    UNPROTECT(1);
    return out;
}

static const char *word(SEXP value)
{
    if (TYPEOF(value) != STRSXP || Rf_xlength(value) != 1 || STRING_ELT(value, 0) == NA_STRING)
        Rf_error("expected one text");
    return Rf_translateCharUTF8(STRING_ELT(value, 0));
}

/* ---- making a job ---- */

static SEXP job_new(SEXP kind)
{
    const char *name = word(kind);
    door *d = calloc(1, sizeof *d);
    if (!d)
        Rf_error("out of memory");
    d->last = &d->first;
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->ended, NULL);
    SEXP pointer = PROTECT(R_MakeExternalPtr(d, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(pointer, finalize, TRUE);
    tacit_error err = {.status = TACIT_OK};
    tacit_status status = tacit_job_new(&d->job, name, &err);
    SEXP out = status == TACIT_OK ? pointer : failure(status, &err);
    UNPROTECT(1);
    return out;
}

static SEXP job_free(SEXP pointer)
{
    if (R_ExternalPtrAddr(pointer))
        finalize(pointer);
    return R_NilValue;
}

static SEXP job_set(SEXP pointer, SEXP name, SEXP value)
{
    tacit_error err = {.status = TACIT_OK};
    return failure(tacit_job_set(door_of(pointer)->job, word(name), word(value), &err), &err);
}

static SEXP job_set_text(SEXP pointer, SEXP name, SEXP value)
{
    tacit_error err = {.status = TACIT_OK};
    return failure(tacit_job_set_text(door_of(pointer)->job, word(name), word(value), &err), &err);
}

static SEXP job_input_file(SEXP pointer, SEXP path)
{
    tacit_error err = {.status = TACIT_OK};
    return failure(tacit_job_input_file(door_of(pointer)->job, word(path), &err), &err);
}

static SEXP job_input_bytes(SEXP pointer, SEXP bytes)
{
    tacit_error err = {.status = TACIT_OK};
    return failure(
        tacit_job_input_bytes(door_of(pointer)->job, RAW(bytes), (size_t)Rf_xlength(bytes), &err),
        &err);
}

/* The data, where name is NULL, else what a setting otherwise reads from a file. */
static SEXP job_frame(SEXP pointer, SEXP name, SEXP columns)
{
    door *d = door_of(pointer);
    const char *setting = name == R_NilValue ? NULL : word(name);
    struct ArrowArrayStream stream;
    const char *wrong = frame_export(&stream, columns);
    if (wrong)
        Rf_error("%s", wrong);
    tacit_error err = {.status = TACIT_OK};
    tacit_status status = setting ? tacit_job_set_arrow(d->job, setting, &stream, &err)
                                  : tacit_job_input_arrow(d->job, &stream, &err);
    if (stream.release) /* it was not taken */
        stream.release(&stream);
    keep(pointer, columns);
    return failure(status, &err);
}

static SEXP job_output(SEXP pointer, SEXP name)
{
    door *d = door_of(pointer);
    tacit_error err = {.status = TACIT_OK};
    d->asked = true;
    return failure(tacit_job_output_arrow(d->job, word(name), &d->output, &err), &err);
}

/* ---- at work ---- */

static bool on_progress(const char *phase, int64_t part, int64_t total, void *payload)
{
    door *d = payload;
    pthread_mutex_lock(&d->lock);
    if (phase) {
        strncpy(d->phase, phase, sizeof d->phase - 1);
        d->part = part;
        d->total = total;
    }
    bool go_on = !d->cancel;
    pthread_mutex_unlock(&d->lock);
    return go_on;
}

static void on_message(tacit_message_kind kind, const char *said, void *payload)
{
    door *d = payload;
    size_t size = strlen(said) + 1;
    message *m = kind == TACIT_MESSAGE_REPORT ? NULL : malloc(sizeof *m + size);
    if (!m)
        return;
    m->next = NULL;
    m->kind = kind;
    memcpy(m->text, said, size);
    pthread_mutex_lock(&d->lock);
    *d->last = m;
    d->last = &m->next;
    pthread_mutex_unlock(&d->lock);
}

static void *work(void *payload)
{
    door *d = payload;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = d->threads;
    run.progress = on_progress;
    run.payload = d;
    tacit_job_on_message(d->job, on_message, d);
    tacit_error err = {.status = TACIT_OK};
    tacit_status status = tacit_job_run(d->job, &run, &err);
    if (status == TACIT_OK)
        status = tacit_job_commit(d->job, &err);
    pthread_mutex_lock(&d->lock);
    d->status = status;
    d->error = err;
    d->done = true;
    pthread_cond_signal(&d->ended);
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

/* What R is shown of a run. */
typedef struct showing {
    SEXP show; /* a function of phase, part and total, or NULL; TRUE: go on */
    char phase[64];
    double part, total;
    bool go_on;
} showing;

/* Runs where a longjmp of R ends at the top: an interrupt, or an error in a function of the user.
 */
static void look(void *payload)
{
    showing *s = payload;
    s->go_on = false;
    R_CheckUserInterrupt();
    if (s->show != R_NilValue && s->phase[0]) {
        SEXP phase = PROTECT(text(s->phase));
        SEXP part = PROTECT(Rf_ScalarReal(s->part));
        SEXP total = PROTECT(Rf_ScalarReal(s->total));
        SEXP call = PROTECT(Rf_lang4(s->show, phase, part, total));
        s->go_on = Rf_asLogical(Rf_eval(call, R_GlobalEnv)) == 1;
        UNPROTECT(4);
        return;
    }
    s->go_on = true;
}

/* Whether the job has ended within a while. */
static bool wait_a_while(door *d, showing *s)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&d->lock);
    int waited = 0;
    while (!d->done && waited == 0)
        waited = pthread_cond_timedwait(&d->ended, &d->lock, &until);
    bool done = d->done;
    memcpy(s->phase, d->phase, sizeof s->phase);
    s->part = (double)d->part;
    s->total = (double)d->total;
    pthread_mutex_unlock(&d->lock);
    return done;
}

static int start(pthread_t *thread, door *d)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(thread, NULL, work, d);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

static void stop(door *d)
{
    pthread_mutex_lock(&d->lock);
    d->cancel = true;
    pthread_mutex_unlock(&d->lock);
}

static SEXP messages_of(const door *d)
{
    R_xlen_t count = 0;
    for (const message *m = d->first; m; m = m->next)
        count++;
    SEXP texts = PROTECT(Rf_allocVector(STRSXP, count));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, count));
    R_xlen_t i = 0;
    for (const message *m = d->first; m; m = m->next, i++) {
        SET_STRING_ELT(texts, i, Rf_mkCharCE(m->text, CE_UTF8));
        SET_STRING_ELT(names, i, Rf_mkChar(m->kind == TACIT_MESSAGE_WARNING ? "warning" : "note"));
    }
    Rf_setAttrib(texts, R_NamesSymbol, names);
    UNPROTECT(2);
    return texts;
}

/* list(failure, stopped, messages): stopped where the user, or the function, asked to. */
static SEXP job_run(SEXP pointer, SEXP threads, SEXP show)
{
    static const char *const NAMES[] = {"failure", "stopped", "messages", ""};
    door *d = door_of(pointer);
    d->threads = Rf_asInteger(threads);
    pthread_t thread;
    if (start(&thread, d) != 0)
        Rf_error("no thread can be started");
    showing s = {.show = show};
    bool stopped = false;
    while (!wait_a_while(d, &s))
        if (!stopped && (!R_ToplevelExec(look, &s) || !s.go_on)) {
            stopped = true;
            stop(d);
        }
    pthread_join(thread, NULL);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)NAMES));
    SET_VECTOR_ELT(out, 0, failure(d->status, &d->error));
    SET_VECTOR_ELT(out, 1, Rf_ScalarLogical(stopped && d->status == TACIT_CANCELLED));
    SET_VECTOR_ELT(out, 2, messages_of(d));
    UNPROTECT(1);
    return out;
}

/* ---- what came of it ---- */

typedef tacit_status (*saying)(tacit_job *job, char **out, tacit_error *err);

static tacit_status say_text(tacit_job *job, char **out, tacit_error *err)
{
    return tacit_job_text(job, false, out, err);
}

/* A text of the job, which R cannot lose; NULL: it has none. */
static SEXP said(door *d, saying say)
{
    char *bytes = NULL;
    tacit_error err = {.status = TACIT_OK};
    if (say(d->job, &bytes, &err) != TACIT_OK)
        return R_NilValue;
    char *copy = R_alloc(strlen(bytes) + 1, 1);
    strcpy(copy, bytes);
    tacit_text_free(bytes);
    return text(copy);
}

static SEXP job_result(SEXP pointer)
{
    static const char *const NAMES[] = {"json", "text", "discloses", ""};
    door *d = door_of(pointer);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)NAMES));
    SET_VECTOR_ELT(out, 0, said(d, tacit_job_report));
    SET_VECTOR_ELT(out, 1, said(d, say_text));
    SET_VECTOR_ELT(out, 2, Rf_ScalarLogical(tacit_job_discloses(d->job)));
    UNPROTECT(1);
    return out;
}

/* The columns of the output that was asked for; NULL: it was not filled. */
static SEXP job_columns(SEXP pointer, SEXP wide)
{
    door *d = door_of(pointer);
    return d->asked && d->output.release ? frame_read(&d->batches, &d->output, wide) : R_NilValue;
}

/* A frame as a file of the format that its name ends in. */
static SEXP frame_save(SEXP columns, SEXP path)
{
    const char *name = word(path);
    struct ArrowArrayStream stream;
    const char *wrong = frame_export(&stream, columns);
    if (wrong)
        Rf_error("%s", wrong);
    tacit_error err = {.status = TACIT_OK};
    return failure(tacit_save_arrow(name, &stream, NULL, &err), &err);
}

/* A frame there and back, for tests. */
static SEXP frame_round_trip(SEXP columns, SEXP wide)
{
    door *d = calloc(1, sizeof *d);
    if (!d)
        Rf_error("out of memory");
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->ended, NULL);
    SEXP pointer = PROTECT(R_MakeExternalPtr(d, R_NilValue, columns));
    R_RegisterCFinalizerEx(pointer, finalize, TRUE);
    const char *wrong = frame_export(&d->output, columns);
    if (wrong)
        Rf_error("%s", wrong);
    d->asked = true;
    SEXP out = PROTECT(frame_read(&d->batches, &d->output, wide));
    finalize(pointer);
    UNPROTECT(2);
    return out;
}

/* ---- what there is ---- */

/* Names of the settings of a kind, with their types and helps. */
static SEXP settings_of(SEXP kind)
{
    static const char *const NAMES[] = {"name", "type", "help", ""};
    SEXP pointer = PROTECT(job_new(kind));
    if (TYPEOF(pointer) != EXTPTRSXP) {
        UNPROTECT(1);
        return R_NilValue;
    }
    const tacit_job *job = door_of(pointer)->job;
    R_xlen_t count = 0;
    while (tacit_job_setting(job, (size_t)count))
        count++;
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)NAMES));
    SET_VECTOR_ELT(out, 0, Rf_allocVector(STRSXP, count));
    SET_VECTOR_ELT(out, 1, Rf_allocVector(INTSXP, count));
    SET_VECTOR_ELT(out, 2, Rf_allocVector(STRSXP, count));
    for (R_xlen_t i = 0; i < count; i++) {
        const tacit_setting *setting = tacit_job_setting(job, (size_t)i);
        SET_STRING_ELT(VECTOR_ELT(out, 0), i, Rf_mkChar(tacit_setting_name(setting)));
        INTEGER(VECTOR_ELT(out, 1))[i] = (int)tacit_setting_type_of(setting);
        SET_STRING_ELT(VECTOR_ELT(out, 2), i, Rf_mkChar(tacit_setting_help(setting)));
    }
    job_free(pointer);
    UNPROTECT(2);
    return out;
}

static SEXP kinds(void)
{
    R_xlen_t count = 0;
    while (tacit_job_kind((size_t)count))
        count++;
    SEXP out = PROTECT(Rf_allocVector(STRSXP, count));
    for (R_xlen_t i = 0; i < count; i++)
        SET_STRING_ELT(out, i, Rf_mkChar(tacit_job_kind((size_t)i)));
    UNPROTECT(1);
    return out;
}

static SEXP version(void)
{
    return text(tacit_version());
}

static SEXP parse_json(SEXP value)
{
    return json_read(word(value));
}

static const R_CallMethodDef METHODS[] = {
    {"job_new", (DL_FUNC)&job_new, 1},
    {"job_free", (DL_FUNC)&job_free, 1},
    {"job_set", (DL_FUNC)&job_set, 3},
    {"job_set_text", (DL_FUNC)&job_set_text, 3},
    {"job_input_file", (DL_FUNC)&job_input_file, 2},
    {"job_input_bytes", (DL_FUNC)&job_input_bytes, 2},
    {"job_frame", (DL_FUNC)&job_frame, 3},
    {"job_output", (DL_FUNC)&job_output, 2},
    {"job_run", (DL_FUNC)&job_run, 3},
    {"job_result", (DL_FUNC)&job_result, 1},
    {"job_columns", (DL_FUNC)&job_columns, 2},
    {"frame_round_trip", (DL_FUNC)&frame_round_trip, 2},
    {"frame_save", (DL_FUNC)&frame_save, 2},
    {"settings_of", (DL_FUNC)&settings_of, 1},
    {"kinds", (DL_FUNC)&kinds, 0},
    {"version", (DL_FUNC)&version, 0},
    {"parse_json", (DL_FUNC)&parse_json, 1},
    {"json_lines", (DL_FUNC)&json_lines, 2},
    {NULL, NULL, 0},
};

void attribute_visible R_init_tacit(DllInfo *info);

void R_init_tacit(DllInfo *info)
{
    R_registerRoutines(info, NULL, METHODS, NULL, NULL);
    R_useDynamicSymbols(info, FALSE);
    R_forceSymbols(info, TRUE);
}
