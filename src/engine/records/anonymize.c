/*
 * anonymize.c - `tacit anonymize`: a release of records that keeps k.
 *
 * The release is made by the steps of release_make.c and appears only if the judge finds that the
 * promise holds. So a method's mistake costs a release, never a person.
 */
#include "base/error.h"
#include "engine/explore/explore.h"
#include "engine/inplace/inplace.h"
#include "engine/job/files.h"
#include "engine/job/kinds.h"
#include "engine/job/statement.h"
#include "engine/records/release.h"

static const engine_setting SETTINGS[] = {
    {"output", TACIT_SETTING_FILE, "OUT.csv",
     "where to write the release; standard output unless given", false, false},
    {"unsafe", TACIT_SETTING_SWITCH, NULL,
     "write what mu-argus makes as published or as described even if the judge refuses it", false,
     false},
    {"ask", TACIT_SETTING_SWITCH, NULL,
     "with mu-argus: show which cells are at risk after each round and ask which column to "
     "generalize",
     false, false},
    {"dependencies", TACIT_SETTING_FILE, "OUT.csv",
     "with ambiguate: the functional dependencies of the data, and which of them anybody can still "
     "prove from the release",
     false, false},
    {"statement", TACIT_SETTING_FILE, "FILE",
     "what recipients are told, as Markdown (.md) or JSON (.json): what was done to each column, "
     "what analyses have to mind, and terms to agree to; nothing that helps to undo it",
     false, false},
    {"summary", TACIT_SETTING_FILE, "MARGINALS.csv",
     "published frequencies, as for tacit audit: a release from which a withheld value follows is "
     "refused; can be given several times",
     false, false},
    {"accept-unread", TACIT_SETTING_SWITCH, NULL,
     "scrub columns of text (replace: scrub) even if they are not plain text in English; unless "
     "given they are refused, because names in them would not be found",
     false, false},
    {"evaluate", TACIT_SETTING_SWITCH, NULL,
     "measure how much information the release loses, and how many records can be re-linked; "
     "always done with techniques",
     false, false},
    {"target", TACIT_SETTING_TEXT, "COLUMN",
     "also measure how well the column can be predicted from the others by what is learned from "
     "the "
     "release, and from the data: classes by naive Bayes, numbers by least squares",
     false, false},
    {"classes", TACIT_SETTING_TEXT, "auto|fetched|place",
     "of a table in an engine: whether its combinations are fetched, or counted in place and stay "
     "there, which mingen and datafly can do; auto fetches up to a million of them",
     false, false},
    {"mapping", TACIT_SETTING_FILE, "MAP.csv",
     "of a table that is released inside an engine: what each value was released as, and classes "
     "that were released otherwise; for the data holder alone",
     false, false},
    {"no-evaluate", TACIT_SETTING_SWITCH, NULL,
     "do not measure that, even with techniques: on large data it takes longer than all the rest",
     false, false},
    {"secrets", TACIT_SETTING_SWITCH, NULL,
     "also show secret settings of techniques (seeds and key files) on the terminal and in "
     "reports: for your own records, never for recipients of the data",
     false, false},
    {"explore", TACIT_SETTING_SWITCH, NULL,
     "show what each k and loss would cost with each method, and release nothing; -o is then for "
     "a table of it",
     false, false},
    {"explore-k", TACIT_SETTING_TEXT, "K,...",
     "the k to explore; round numbers up to 100 unless given", false, false},
    {"explore-loss", TACIT_SETTING_TEXT, "SHARE,...",
     "the losses to explore; round numbers up to 0.1 unless given", false, false},
    {NULL, TACIT_SETTING_SWITCH, NULL, NULL, false, false},
};

/* A release in the making, and the ledger that it may be written down in. */
typedef struct making {
    engine_session *session;
    engine_release release;
    engine_ledger ledger;
} making;

static tacit_status make(making *m, int steps)
{
    const engine_settings *settings = m->session->settings;
    const char *target = engine_value(settings, "output");
    m->release.session = m->session;
    m->release.ledger = &m->ledger;
    m->release.target = target ? target : "-";
    if (engine_has(settings, "mapping") || engine_has(settings, "classes"))
        return tacit__error(&m->session->error, TACIT_INVALID,
                            "--mapping and --classes are about releases that are made inside a "
                            "database, without --fetch-rows and --explore");
    tacit_status status = engine_release_prepare(&m->release);
    return status == TACIT_OK ? engine_release_make(&m->release, steps) : status;
}

/* Up to the verdict: what was made is there, and has not appeared. */
static tacit_status run(void *state)
{
    return make(state, ENGINE_UNSEEN_STEPS);
}

static tacit_status commit(void *state)
{
    making *m = state;
    engine_release *made = engine_previous_made(&m->release);
    tacit_status status = engine_statement(m->session, &engine_release_statement, made);
    if (status == TACIT_OK)
        status = engine_release_appear(&m->release);
    if (status != TACIT_OK)
        return status;
    status = engine_files_appear(m->session);
    if (status == TACIT_OK)
        status = engine_report_print(m->session, &engine_release_reports, made);
    if (status == TACIT_OK)
        status = engine_dependencies_write(&made->dependencies, m->session);
    if (status == TACIT_OK)
        status = engine_report(m->session, &engine_release_reports, made);
    return engine_report_failed(m->session, status);
}

static tacit_status save(void *state, const char *path)
{
    making *m = state;
    return engine_release_save(engine_previous_made(&m->release), path);
}

static const engine_reports *reports(const void *state, const void **subject)
{
    const making *m = state;
    *subject = engine_previous_made((engine_release *)&m->release);
    return &engine_release_reports;
}

static void clear(void *state)
{
    making *m = state;
    engine_release_clear(&m->release);
}

/* Exploring needs the data and what its values generalize to. */
static tacit_status run_explore(void *state)
{
    making *m = state;
    tacit_status status = make(m, ENGINE_EXPLORED_STEPS);
    return status == TACIT_OK ? engine_explore_run(&m->release) : status;
}

static tacit_status commit_explore(void *state)
{
    making *m = state;
    return engine_explore_commit(m->release.explore);
}

static const engine_reports *reports_explore(const void *state, const void **subject)
{
    const making *m = state;
    *subject = m->release.explore;
    return &engine_explore_reports;
}

const engine_kind engine_explore_kind = {
    .name = "explore",
    .size = sizeof(making),
    .run = run_explore,
    .commit = commit_explore,
    .reports = reports_explore,
    .clear = clear,
};

static const engine_kind *variant(const engine_settings *settings)
{
    if (engine_is_inplace(settings))
        return &engine_inplace_kind;
    return engine_has(settings, "explore") ? &engine_explore_kind : NULL;
}

const engine_kind engine_anonymize = {
    .name = "anonymize",
    .input = "DATA.csv",
    .inputs_needed = 1,
    .inputs_taken = 1,
    .settings = SETTINGS,
    .takes_policy = true,
    .takes_data = true,
    .variant = variant,
    .size = sizeof(making),
    .run = run,
    .commit = commit,
    .save = save,
    .reports = reports,
    .clear = clear,
};
