/*
 * audit_sparse.c - `tacit audit --sparse`: what is known exactly about a two-dimensional table of
 * which a file lists the suppressed cells, in time linear in the file.
 */
#include <stdio.h>

#include "engine/job/files.h"
#include "engine/job/kinds.h"
#include "engine/tables/sparse.h"
#include "engine/tables/total_verdict.h"

typedef struct trial {
    engine_session *session;
    const char *file;
    engine_sparse sparse;
    engine_total_verdict verdict;
    double read_seconds, audit_seconds;
} trial;

static tacit_status read(trial *t)
{
    engine_session *session = t->session;
    double start = engine_now();
    const engine_file files[] = {
        {t->file, "CELLS.csv", false},
        {engine_value(session->settings, "report"), "--report", true},
        {engine_value(session->settings, "html"), "--html", true},
    };
    tacit_status status =
        engine_files_check(files, sizeof files / sizeof files[0], &session->error);
    if (status == TACIT_OK)
        status = engine_sparse_read(&t->sparse, t->file, session);
    t->read_seconds = engine_now() - start;
    return status;
}

static tacit_status judge(trial *t)
{
    engine_session *session = t->session;
    double start = engine_now();
    tacit_status status = engine_total_verdict_init(
        &t->verdict, &t->sparse.flat->view, (int32_t)engine_number(session->settings, "lines", 1),
        &session->run, &session->error);
    t->audit_seconds = engine_now() - start;
    return status;
}

static void fill(tacit_report *report, const void *subject)
{
    const trial *t = subject;
    const tacit_flat_view *view = &t->sparse.flat->view;
    const tacit_total_audit *audit = t->verdict.audit;
    tacit_report_text(report, "tacit", tacit_version());
    tacit_report_text(report, "command", "audit");
    tacit_report_title(report, "%s: %s rows, %s columns, %s cells listed, %s of them suppressed",
                       engine_show(t->file).text, engine_count(view->rows).text,
                       engine_count(view->columns).text, engine_count(view->count).text,
                       engine_count(audit->suppressed).text);
    tacit_report_paragraph(report, "Judged by tacit %s: %s cells listed, %s suppressed.",
                           tacit_version(), engine_count(view->count).text,
                           engine_count(audit->suppressed).text);
    engine_sparse_facts(report, &t->sparse);
    tacit_report_integer(report, "suppressed", audit->suppressed);
    tacit_report_integer(report, "primary", audit->secret);
    engine_total_verdict_facts(report, &t->verdict);
    tacit_report_real(report, "seconds.read", t->read_seconds);
    tacit_report_real(report, "seconds.audit", t->audit_seconds);
    tacit_report_real(report, "seconds.total", engine_now() - t->session->start);
}

static const engine_reports REPORTS = {.title = "Audit of a sparse table", .fill = fill};

static tacit_status run(void *state)
{
    trial *t = state;
    t->file = t->session->settings->inputs[0];
    tacit_status status = read(t);
    return status == TACIT_OK ? judge(t) : status;
}

static tacit_status commit(void *state)
{
    trial *t = state;
    tacit_status status = engine_report_print(t->session, &REPORTS, t);
    engine_session_flush(t->session);
    return status == TACIT_OK ? engine_report(t->session, &REPORTS, t) : status;
}

static bool discloses(const void *state)
{
    const trial *t = state;
    return !t->verdict.audit->total;
}

static const engine_reports *reports(const void *state, const void **subject)
{
    *subject = state;
    return &REPORTS;
}

static void clear(void *state)
{
    trial *t = state;
    engine_total_verdict_clear(&t->verdict);
    engine_sparse_clear(&t->sparse);
}

const engine_kind engine_audit_sparse = {
    .name = "audit",
    .size = sizeof(trial),
    .run = run,
    .commit = commit,
    .discloses = discloses,
    .reports = reports,
    .clear = clear,
};
