/*
 * audit_sparse.c - `tacit audit --sparse`: what is known exactly about a two-dimensional table of
 * which a file lists the suppressed cells, in time linear in the file.
 */
#define _GNU_SOURCE
#include <stdio.h>

#include "files.h"
#include "grid.h"
#include "sparse.h"
#include "total_verdict.h"
#include "verdict.h"

typedef struct trial {
    cli_session *session;
    const char *file;
    cli_sparse sparse;
    cli_total_verdict verdict;
    double read_seconds, audit_seconds;
} trial;

static tacit_status read(trial *t)
{
    cli_session *session = t->session;
    double start = cli_now();
    const cli_file files[] = {
        {t->file, "CELLS.csv", false},
        {cli_value(session->arguments, "report"), "--report", true},
        {cli_value(session->arguments, "html"), "--html", true},
    };
    tacit_status status = cli_files_check(files, sizeof files / sizeof files[0], &session->error);
    if (status == TACIT_OK)
        status = cli_sparse_read(&t->sparse, t->file, session);
    t->read_seconds = cli_now() - start;
    return status;
}

static tacit_status judge(trial *t)
{
    cli_session *session = t->session;
    double start = cli_now();
    tacit_status status = cli_total_verdict_init(
        &t->verdict, &t->sparse.flat->view, (int32_t)cli_number(session->arguments, "lines", 1),
        &session->run, &session->error);
    t->audit_seconds = cli_now() - start;
    return status;
}

static void tell(trial *t)
{
    const tacit_flat_view *view = &t->sparse.flat->view;
    cli_terminal_erase(&t->session->terminal);
    if (t->session->quiet)
        return;
    printf("%s: %s rows, %s columns, %s cells listed, %s of them suppressed\n\n",
           cli_show(t->file).text, cli_count(view->rows).text, cli_count(view->columns).text,
           cli_count(view->count).text, cli_count(t->verdict.audit->suppressed).text);
    cli_total_verdict_tell(&t->verdict);
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
    cli_total_verdict_account(account, &t->verdict);
    tacit_account_real(account, "seconds.read", t->read_seconds);
    tacit_account_real(account, "seconds.audit", t->audit_seconds);
    tacit_account_real(account, "seconds.total", cli_now() - t->session->start);
}

static void fill_page(tacit_page *page, const void *subject)
{
    const trial *t = subject;
    char text[160];
    snprintf(text, sizeof text, "Judged by tacit %s: %s cells listed, %s suppressed.",
             tacit_version(), cli_count(t->sparse.flat->view.count).text,
             cli_count(t->verdict.audit->suppressed).text);
    tacit_page_paragraph(page, text);
    cli_total_verdict_page(page, &t->verdict);
}

int cli_audit_sparse(const cli_arguments *arguments)
{
    static const cli_reports REPORTS = {"Audit of a sparse table", fill_account, fill_page};
    cli_session session;
    trial t = {.session = &session, .file = arguments->operands[0]};
    tacit_status status = cli_session_init(&session, arguments);
    if (status == TACIT_OK)
        status = read(&t);
    if (status == TACIT_OK)
        status = judge(&t);
    if (status == TACIT_OK) {
        tell(&t);
        status = cli_report(&session, &REPORTS, &t);
    }
    int result = cli_session_end(&session, status);
    if (result == CLI_DONE && !t.verdict.audit->total)
        result = CLI_DISCLOSURE;
    cli_total_verdict_clear(&t.verdict);
    cli_sparse_clear(&t.sparse);
    return result;
}
