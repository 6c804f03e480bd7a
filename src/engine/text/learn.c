/*
 * learn.c - `tacit scrub --learn`: a training session on documents that people have
 * marked (section 9.3 of Computational Disclosure Control). What was learned is written only if
 * the documents that were held out are not scrubbed worse with it.
 */
#include "engine/text/learn.h"
#include "engine/job/kinds.h"

#include <string.h>

#include "base/error.h"
#include "engine/job/files.h"
#include "engine/text/gold.h"
#include "engine/text/work.h"

static tacit_status check_arguments(const engine_session *session, tacit_error *err)
{
    static const char *const NOT_TAKEN[] = {"spans",   "explain",    "column", "words",
                                            "replace", "consistent", "key"};
    const engine_settings *settings = session->settings;
    if (settings->input_count > 0)
        return tacit__error(err, TACIT_INVALID,
                            "--learn scrubs no FILE; scrub with what it writes by --weights");
    for (size_t i = 0; i < sizeof NOT_TAKEN / sizeof *NOT_TAKEN; i++)
        if (engine_has(settings, NOT_TAKEN[i]))
            return tacit__error(err, TACIT_INVALID, "--%s says nothing to --learn", NOT_TAKEN[i]);
    if (engine_real(settings, "precision", 0) > 1)
        return tacit__error(err, TACIT_INVALID,
                            "--precision takes a number from 0 to 1, not \"%.40s\"",
                            engine_value(settings, "precision"));
    const engine_file files[] = {
        {engine_value(settings, "learn"), "--learn", false},
        {engine_value(settings, "known"), "--known", false},
        {engine_value(settings, "templates"), "--templates", false},
        {engine_value(settings, "weights"), "--weights", false},
        {engine_value(settings, "output"), "-o", true},
        {engine_value(settings, "report"), "--report", true},
        {engine_value(settings, "html"), "--html", true},
    };
    return engine_files_check(files, sizeof files / sizeof *files, err);
}

static tacit_status read_gold(engine_gold *gold, engine_session *session)
{
    static const char *const UNITS[] = {"characters", "bytes"};
    const engine_settings *settings = session->settings;
    const char *field = engine_value(settings, "jsonl");
    int unit = -1;
    tacit_status status = engine_choice(&unit, settings, "offsets", UNITS, 2, &session->error);
    if (status != TACIT_OK)
        return status;
    return engine_gold_read(gold, engine_value(settings, "learn"), field ? field : "text",
                            unit == 1, &session->error);
}

typedef struct learning_job {
    engine_session *session;
    engine_scrub scrub;
    engine_gold gold;
    tacit_learned *learned;
    engine_learning learning;
} learning_job;

static tacit_status learn(learning_job *job)
{
    engine_session *session = job->session;
    const engine_settings *settings = session->settings;
    tacit_learn_options options;
    tacit_learn_options_init(&options);
    options.scrub = job->scrub.options;
    options.precision = engine_real(settings, "precision", options.precision);
    tacit_status status = tacit_scrub_learn(&job->learned, job->gold.documents, job->gold.count,
                                            &options, &session->run, &session->error);
    engine_scrub_name_file(session);
    if (status != TACIT_OK)
        return status;
    job->learning = (engine_learning){.gold = engine_value(settings, "learn"),
                                      .target = engine_value(settings, "output"),
                                      .precision = options.precision,
                                      .learned = job->learned,
                                      .seconds = engine_now() - session->start};
    return TACIT_OK;
}

static tacit_status run(void *state)
{
    learning_job *job = state;
    job->scrub.session = job->session;
    tacit_status status = check_arguments(job->session, &job->session->error);
    if (status == TACIT_OK)
        status = engine_scrub_learn_plan(&job->scrub);
    if (status == TACIT_OK)
        status = read_gold(&job->gold, job->session);
    return status == TACIT_OK ? learn(job) : status;
}

static const engine_reports REPORTS = {"What was learned from marked text", engine_learning_account,
                                       engine_learning_page, NULL};

/* The reports are written in any case: they say why nothing else is. */
static tacit_status commit(void *state)
{
    learning_job *job = state;
    engine_session *session = job->session;
    const engine_learning *learning = &job->learning;
    tacit_error *err = &session->error;
    tacit_status status = TACIT_OK;
    if (learning->target && !job->learned->worse) {
        status = engine_write_text(learning->target, job->learned->text, job->learned->len, err);
        session->written += status == TACIT_OK;
    }
    if (status == TACIT_OK)
        status = engine_report_failed(session, engine_report(session, &REPORTS, learning));
    if (status != TACIT_OK)
        return status;
    engine_learning_tell(session->out, learning);
    return job->learned->worse
               ? tacit__error(err, TACIT_INFEASIBLE,
                              "the documents that were held out are scrubbed worse with what was "
                              "learned; nothing is written: mark more documents, or stay with the "
                              "settings there are")
               : TACIT_OK;
}

static const engine_reports *reports(const void *state, const void **subject)
{
    const learning_job *job = state;
    *subject = &job->learning;
    return &REPORTS;
}

static void clear(void *state)
{
    learning_job *job = state;
    tacit_learned_free(job->learned);
    engine_gold_clear(&job->gold);
    engine_scrub_plan_clear(&job->scrub);
}

const engine_kind engine_scrub_learn = {
    .name = "scrub",
    .size = sizeof(learning_job),
    .run = run,
    .commit = commit,
    .reports = reports,
    .clear = clear,
};
