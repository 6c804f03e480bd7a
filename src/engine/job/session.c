/*
 * session.c - what every job does at its start, now and then, and at its end. One callback asks the
 * caller whether to go on, and minds the time.
 */
#include "engine/job/session.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/records/promise.h"

enum { MAX_THREADS = 1024 };

static bool out_of_time(const engine_session *session)
{
    return engine_now() - session->start > session->limit;
}

/* Once the caller has asked to stop, the work stays stopped until it is forgiven. */
static bool progress(const char *phase, int64_t done, int64_t total, void *payload)
{
    engine_session *session = payload;
    session->phase = phase;
    session->done = done;
    session->total = total;
    if (session->front.progress && !session->cancelled)
        session->cancelled = !session->front.progress(phase, done, total, session->front.payload);
    return !session->cancelled && !out_of_time(session);
}

static tacit_status seed(engine_session *session)
{
    if (!engine_has(session->settings, "seed"))
        return tacit_run_seed_random(&session->run, &session->error);
    tacit_run_seed_number(&session->run, engine_number(session->settings, "seed", 0));
    return TACIT_OK;
}

static tacit_status set_threads(engine_session *session)
{
    uint64_t threads =
        engine_number(session->settings, "threads", (uint64_t)session->front.threads);
    if (threads > MAX_THREADS)
        return tacit__error(&session->error, TACIT_INVALID, "--threads takes at most %d",
                            MAX_THREADS);
    session->run.threads = (int)threads;
    return TACIT_OK;
}

static ssize_t keep(void *text, const char *bytes, size_t len)
{
    tacit__strbuf_add(text, bytes, len);
    return ((tacit__strbuf *)text)->failed ? 0 : (ssize_t)len;
}

FILE *engine_text_stream(tacit__strbuf *text)
{
    return fopencookie(text, "w", (cookie_io_functions_t){.write = keep});
}

tacit_status engine_session_init(engine_session *session, const engine_settings *settings,
                                 const tacit_run *front)
{
    session->settings = settings;
    session->error.show_values = engine_has(settings, "show");
    session->start = engine_now();
    session->limit = engine_seconds(settings, "time", INFINITY);
    session->phase = "starting";
    session->encoding = TACIT_ENCODING_DETECT;
    if (front)
        session->front = *front;
    tacit_run_init(&session->run);
    session->run.progress = progress;
    session->run.payload = session;
    session->out = engine_text_stream(&session->text);
    if (!session->out)
        return tacit__nomem(&session->error);
    tacit_status status = set_threads(session);
    return status == TACIT_OK ? seed(session) : status;
}

void engine_session_clear(engine_session *session)
{
    if (session->out)
        fclose(session->out);
    for (size_t i = 0; i < session->waiting_count; i++)
        tacit_output_free(session->waiting[i]);
    tacit__free(session->waiting);
    tacit__strbuf_clear(&session->text);
    tacit_schema_free(session->source);
    engine_streams_clear(&session->streams);
    engine_places_clear(&session->places);
}

tacit_status engine_session_check(engine_session *session)
{
    return progress(session->phase, session->done, session->total, session) ? TACIT_OK
                                                                            : TACIT_CANCELLED;
}

void engine_session_clear_error(engine_session *session)
{
    session->error = (tacit_error){.show_values = session->error.show_values};
}

const char *engine_session_forgive(engine_session *session)
{
    bool cancelled = session->cancelled;
    session->cancelled = false;
    session->limit = INFINITY;
    return cancelled ? "by a signal" : "by --time";
}

static void hand_on(engine_session *session, tacit_message_kind kind, const char *text)
{
    if (session->message)
        session->message(kind, text, session->message_payload);
}

void engine_session_flush(engine_session *session)
{
    if (fflush(session->out) != 0 || session->text.len == session->text_given)
        return;
    size_t start = session->text_given;
    session->text_given = session->text.len;
    hand_on(session, TACIT_MESSAGE_REPORT, session->text.bytes + start);
}

/* A line, of which names of files and columns are a part. */
static void say(engine_session *session, tacit_message_kind kind, const char *format,
                va_list arguments)
{
    char line[2048], shown[2048];
    vsnprintf(line, sizeof line, format, arguments);
    engine_session_flush(session);
    hand_on(session, kind, tacit_printable(shown, sizeof shown, line, strlen(line)));
}

void engine_say(engine_session *session, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(session, TACIT_MESSAGE_NOTE, format, arguments);
    va_end(arguments);
}

void engine_warn(engine_session *session, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(session, TACIT_MESSAGE_WARNING, format, arguments);
    va_end(arguments);
}

/* Identifiers that leave or become pseudonyms stay what they are: the judge looks for them in other
 * cells, and a person's pseudonym is the same with a guard and without. */
static bool is_replaced(tacit_strview name, const void *context)
{
    tacit_replace fate = engine_fate(tacit_policy_find(context, name));
    return fate == TACIT_REPLACE_DROP || fate == TACIT_REPLACE_PSEUDONYM;
}

static tacit_missing_codes codes_of(tacit_strview name, const void *context)
{
    return tacit_policy_missing_codes(context, name);
}

void engine_csv_options(tacit_csv_options *options, const engine_session *session)
{
    tacit_csv_options_init(options);
    options->delimiter = engine_character(session->settings, "delimiter", 0);
    options->no_header = engine_has(session->settings, "no-header");
    options->guard = session->guarding ? TACIT_GUARD_CELLS : TACIT_GUARD_NONE;
    options->unguarded = is_replaced;
    options->unguarded_context = session->guarding;
    options->missing = session->coding ? codes_of : NULL;
    options->missing_context = session->coding;
    options->encoding = session->encoding;
    options->convert = tacit_formats_convert;
}

void engine_session_source(engine_session *session, const tacit_table *data)
{
    session->read_as = tacit_table_encoding(data);
    const tacit_schema *streamed = engine_streams_schema(&session->streams, tacit_table_file(data));
    if (!session->source)
        session->source = tacit_schema_keep(streamed ? streamed : tacit_table_schema(data));
    if (session->read_as == TACIT_ENCODING_WINDOWS_1252 &&
        session->encoding == TACIT_ENCODING_DETECT)
        engine_warn(session,
                    "%s is not UTF-8, and was read as windows-1252; check its letters beyond "
                    "ASCII, and declare the encoding",
                    tacit_table_file(data));
}

void engine_release_csv_options(tacit_csv_options *options, const engine_session *session)
{
    engine_csv_options(options, session);
    if (options->guard == TACIT_GUARD_CELLS)
        options->guard = TACIT_GUARD_DONE;
    options->missing = NULL;
}

tacit_status engine_session_guard(engine_session *session, const tacit_policy *policy)
{
    session->guarding = policy->spreadsheet_safe ? policy : NULL;
    if (policy->encoding)
        session->encoding = tacit_encoding_named(policy->encoding);
    session->coding = tacit_policy_has_missing_codes(policy) ? policy : NULL;
    if (session->guarding && policy->ledger)
        return tacit__error(&session->error, TACIT_INVALID,
                            "a ledger records cells unchanged, so guarded ones cannot be found in "
                            "it: leave ledger or spreadsheet-safe out");
    return TACIT_OK;
}

/* The first --population is the policy's; what follows are registers joined to it
 * (engine/attacks/registers.c). */
static bool is_further_register(const engine_settings *settings, size_t at)
{
    if (strcmp(settings->given[at].setting->name, "population") != 0)
        return false;
    for (size_t i = 0; i < at; i++)
        if (settings->given[i].setting == settings->given[at].setting)
            return true;
    return false;
}

static tacit_status start_policy(tacit_policy **out, const engine_settings *settings,
                                 tacit_error *err)
{
    const char *file = engine_value(settings, "policy");
    if (settings->policy_text)
        return tacit_policy_parse(out, tacit_strview_of(settings->policy_text), "policy", err);
    return file ? tacit_policy_read(out, file, err) : tacit_policy_new(out, err);
}

tacit_status engine_policy(tacit_policy **out, engine_session *session)
{
    const engine_settings *settings = session->settings;
    tacit_policy *policy = NULL;
    tacit_status status = start_policy(&policy, settings, &session->error);
    for (size_t i = 0; status == TACIT_OK && i < settings->given_count; i++) {
        const engine_given *given = &settings->given[i];
        if (given->setting->is_policy && !is_further_register(settings, i))
            status = tacit_policy_set(policy, given->setting->name,
                                      given->value ? given->value : "true", &session->error);
    }
    if (status == TACIT_PARSE) /* what the policy says is the user's word, like a flag */
        status = session->error.status = TACIT_INVALID;
    if (status != TACIT_OK) {
        tacit_policy_free(policy);
        return status;
    }
    tacit_policy_leave_unlinked(policy);
    *out = policy;
    return TACIT_OK;
}

tacit_status engine_policy_quasi(tacit_policy *policy, tacit_strview name, tacit_error *err)
{
    char *text = tacit__alloc(2 * name.len + sizeof "\"\"=quasi"), *at = text;
    if (!text)
        return tacit__nomem(err);
    *at++ = '"';
    for (size_t i = 0; i < name.len; i++) {
        if (name.bytes[i] == '"')
            *at++ = '"';
        *at++ = name.bytes[i];
    }
    strcpy(at, "\"=quasi");
    tacit_status status = tacit_policy_set(policy, "role", text, err);
    tacit__free(text);
    return status;
}
