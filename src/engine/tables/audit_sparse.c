/*
 * audit_sparse.c - `tacit audit --sparse`: what is known exactly about a two-dimensional table of
 * which a file lists the suppressed cells, in time linear in the file.
 */
#include <stdio.h>

#include "engine/job/files.h"
#include "engine/job/kinds.h"
#include "engine/records/verdict.h"
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

static void tell(FILE *out, const trial *t)
{
    const tacit_flat_view *view = &t->sparse.flat->view;
    fprintf(out, "%s: %s rows, %s columns, %s cells listed, %s of them suppressed\n\n",
            engine_show(t->file).text, engine_count(view->rows).text,
            engine_count(view->columns).text, engine_count(view->count).text,
            engine_count(t->verdict.audit->suppressed).text);
    engine_total_verdict_tell(out, &t->verdict);
}

static void fill_account(tacit_account *account, const void *subject)
{
    const trial *t = subject;
    const tacit_flat_view *view = &t->sparse.flat->view;
    tacit_account_text(account, "tacit", tacit_strview_of(tacit_version()));
    tacit_account_text(account, "command", tacit_strview_of("audit"));
    tacit_account_integer(account, "table.rows", view->rows);
    tacit_account_integer(account, "table.columns", view->columns);
    tacit_account_integer(account, "table.listed", view->count);
    tacit_account_integer(account, "suppressed", t->verdict.audit->suppressed);
    tacit_account_integer(account, "primary", t->verdict.audit->secret);
    engine_total_verdict_account(account, &t->verdict);
    tacit_account_real(account, "seconds.read", t->read_seconds);
    tacit_account_real(account, "seconds.audit", t->audit_seconds);
    tacit_account_real(account, "seconds.total", engine_now() - t->session->start);
}

static void fill_page(tacit_page *page, const void *subject)
{
    const trial *t = subject;
    char text[160];
    snprintf(text, sizeof text, "Judged by tacit %s: %s cells listed, %s suppressed.",
             tacit_version(), engine_count(t->sparse.flat->view.count).text,
             engine_count(t->verdict.audit->suppressed).text);
    tacit_page_paragraph(page, text);
    engine_total_verdict_page(page, &t->verdict);
}

static const engine_reports REPORTS = {"Audit of a sparse table", fill_account, fill_page, NULL};

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
    tell(t->session->out, t);
    engine_session_flush(t->session);
    return engine_report(t->session, &REPORTS, t);
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
