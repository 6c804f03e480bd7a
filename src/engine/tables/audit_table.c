/*
 * audit_table.c - `tacit audit` of a statistical table with its status letters: the adversary's
 * interval for every suppressed cell, in words, as JSON and as a page.
 *
 * The table is the data holder's, with all values: a .jj file, or a long CSV with a column
 * `status` and dimensions by --dim. Or it is a release as outsiders have it, a long CSV without the
 * values of suppressed cells: then levels are not known and not judged. What is printed names
 * cells and counts; values and intervals are in the reports alone.
 */
#include "engine/tables/audit_table.h"
#include "engine/job/kinds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/job/files.h"
#include "engine/job/session.h"
#include "engine/records/verdict.h"
#include "engine/tables/dims.h"
#include "engine/tables/total_verdict.h"

enum { NAMED = 20, SHOWN = 1000, NAME_BYTES = 256 };

typedef struct trial {
    engine_session *session;
    const char *file;
    tacit_cells *cells;
    tacit_cells_audit *audit;
    int32_t tally[128];
    int32_t left_out; /* values that the file keeps to itself */
    bool total;       /* whether the following was asked for */
    tacit_flat_table *flat;
    engine_total_verdict verdict;
    double read_seconds, audit_seconds;
} trial;

bool engine_is_audit_of_table(const engine_settings *settings)
{
    return settings->input_count > 0 &&
           (engine_is_jj(settings->inputs[0]) || engine_has(settings, "dim"));
}

/* ---- reading ---- */

static tacit_status read_csv(trial *t)
{
    engine_session *session = t->session;
    tacit_error *err = &session->error;
    engine_dims d;
    tacit_csv_options options;
    tacit_cells_spec spec;
    tacit_table *table = NULL;
    bool is_table = false;
    engine_csv_options(&options, session);
    tacit_cells_spec_init(&spec);
    spec.value = engine_value(session->settings, "value");
    spec.negative = engine_has(session->settings, "negative");
    spec.tolerance = engine_real(session->settings, "tolerance", 0);
    spec.release = true;
    spec.dimensions = d.list;
    tacit_status status = engine_dims_init(&d, session->settings, err);
    spec.dimension_count = d.count;
    if (status == TACIT_OK)
        status = tacit_table_read(&table, t->file, &options, &session->run, err);
    if (status == TACIT_OK)
        status = tacit_cells_is_table(&is_table, table, &spec, err);
    if (status == TACIT_OK && !is_table)
        status = tacit__error(err, TACIT_INVALID,
                              "%.200s: rows are records, not cells; audit a table that `tacit "
                              "protect` wrote, or one with totals or a column status",
                              t->file);
    if (status == TACIT_OK)
        status = tacit_cells_from_table(&t->cells, table, &spec, &session->run, err);
    if (status == TACIT_OK)
        status = tacit_table_check_unchanged(table, &session->run, err);
    tacit_table_free(table);
    return status;
}

static tacit_status read_cells(trial *t)
{
    engine_session *session = t->session;
    double start = engine_now();
    const engine_file files[] = {
        {t->file, "TABLE", false},
        {engine_value(session->settings, "report"), "--report", true},
        {engine_value(session->settings, "html"), "--html", true},
    };
    tacit_status status =
        engine_files_check(files, sizeof files / sizeof files[0], &session->error);
    if (status == TACIT_OK && engine_has(session->settings, "original"))
        status =
            tacit__error(&session->error, TACIT_INVALID,
                         "--original does not go with a table, which is judged by what is in it");
    if (status == TACIT_OK)
        status = engine_is_jj(t->file)
                     ? tacit_cells_read_jj(&t->cells, t->file,
                                           engine_real(session->settings, "tolerance", 0),
                                           &session->run, &session->error)
                     : read_csv(t);
    t->read_seconds = engine_now() - start;
    return status;
}

static bool is_left_out(const trial *t, int32_t cell)
{
    return t->cells->unknown && t->cells->unknown[cell];
}

/* What is known exactly, not even a sum left out. Which cells are on their bounds depends on their
 * values. */
static tacit_status judge_total(trial *t)
{
    engine_session *session = t->session;
    int32_t k = (int32_t)engine_number(session->settings, "lines", 1);
    if (t->left_out > 0)
        return tacit__error(
            &session->error, TACIT_INVALID,
            "--total-protection is for the data holder's table: %.200s leaves values out", t->file);
    tacit_status status = tacit_flat_from_cells(&t->flat, t->cells, NULL, false, &session->error);
    if (status != TACIT_OK)
        return status;
    return engine_total_verdict_init(&t->verdict, &t->flat->view, k, &session->run,
                                     &session->error);
}

static tacit_status judge(trial *t)
{
    engine_session *session = t->session;
    double start = engine_now();
    tacit_cells_audit_options options = {.singletons = engine_has(session->settings, "singletons"),
                                         .sums = engine_has(session->settings, "sums")};
    tacit_cells_tally(t->tally, t->cells, NULL);
    tacit_status status =
        tacit_audit_cells(&t->audit, t->cells, NULL, &options, &session->run, &session->error);
    for (int32_t k = 0; status == TACIT_OK && k < t->audit->cell_count; k++)
        t->left_out += is_left_out(t, t->audit->cells[k].cell);
    t->total = engine_has(session->settings, "total-protection");
    if (status == TACIT_OK && t->total)
        status = judge_total(t);
    t->audit_seconds = engine_now() - start;
    return status;
}

/* ---- words ---- */

static bool holds(const tacit_cells_audit *audit)
{
    return audit->disclosed == 0 && audit->underprotected == 0 && audit->singleton_count == 0 &&
           audit->sum_count == 0;
}

static const char *sentence(char *buffer, size_t size, const trial *t)
{
    const tacit_cells_audit *a = t->audit;
    if (a->cell_count == 0)
        snprintf(buffer, size, "no cell is suppressed");
    else if (t->left_out > 0 && holds(a))
        snprintf(buffer, size,
                 "no suppressed cell can be worked out; by how much each must be hidden is not "
                 "in the file");
    else if (t->left_out > 0 && a->underprotected == 0)
        snprintf(buffer, size,
                 "%s cells are disclosed; by how much the others must be hidden is not in the "
                 "file",
                 engine_count(a->disclosed).text);
    else if (holds(a))
        snprintf(buffer, size,
                 "every suppressed cell is hidden, and primary cells by their levels");
    else
        snprintf(buffer, size,
                 "%s cells are disclosed, %s primary cells hidden too little, %s found out by "
                 "contributors, %s sums known too well",
                 engine_count(a->disclosed).text, engine_count(a->underprotected).text,
                 engine_count(a->singleton_count).text, engine_count(a->sum_count).text);
    return buffer;
}

static const char *problem(const tacit_cell_finding *f)
{
    return f->unknown ? "unknown" : f->disclosed ? "disclosed" : "narrow";
}

static void name_cells(FILE *out, const trial *t)
{
    int32_t left = t->audit->cell_count, named = 0, more = 0;
    for (int32_t k = 0; k < left; k++) {
        const tacit_cell_finding *f = &t->audit->cells[k];
        char name[NAME_BYTES], text[NAME_BYTES];
        if (!f->disclosed && !f->underprotected)
            continue;
        if (named == NAMED) {
            more++;
            continue;
        }
        named++;
        tacit_cells_describe(t->cells, f->cell, name, sizeof name);
        engine_print_labelled(out, problem(f),
                              engine_printable(text, sizeof text, tacit_strview_of(name)));
    }
    if (more > 0)
        fprintf(out, "%s more; --report lists all\n", engine_count(more).text);
}

/* Who finds out what. */
static void name_knowers(FILE *out, const trial *t)
{
    for (int32_t i = 0; i < t->audit->singleton_count && i < NAMED; i++) {
        const tacit_singleton_finding *f = &t->audit->singletons[i];
        char knower[NAME_BYTES], cell[NAME_BYTES], text[3 * NAME_BYTES], shown[3 * NAME_BYTES];
        snprintf(text, sizeof text, "%s, by a contributor of %s",
                 tacit_cells_describe(t->cells, f->cell, cell, sizeof cell),
                 tacit_cells_describe(t->cells, f->knower, knower, sizeof knower));
        engine_print_labelled(out, "found out",
                              engine_printable(shown, sizeof shown, tacit_strview_of(text)));
    }
}

static void tell(FILE *out, const trial *t)
{
    char text[512];
    fprintf(out, "%s: %s cells, %s of them suppressed, %s of those primary",
            engine_show(t->file).text, engine_count(t->cells->count).text,
            engine_count(t->audit->cell_count).text,
            engine_count(t->tally[TACIT_CELL_PRIMARY]).text);
    if (t->left_out > 0)
        fprintf(out, "; %s values are left out", engine_count(t->left_out).text);
    fputs("\n\n", out);
    fputs(holds(t->audit) ? ENGINE_GOOD : ENGINE_BAD, out);
    engine_print_labelled(out, "verdict", sentence(text, sizeof text, t));
    fputs(ENGINE_PLAIN, out);
    name_cells(out, t);
    name_knowers(out, t);
    if (t->total)
        engine_total_verdict_tell(out, &t->verdict);
}

/* ---- reports ---- */

static void account_cell(tacit_account *account, const trial *t, const char *path, int32_t cell)
{
    char name[NAME_BYTES];
    tacit_account_text(account, path,
                       tacit_strview_of(tacit_cells_describe(t->cells, cell, name, sizeof name)));
}

static double value_of(const trial *t, int32_t cell)
{
    return is_left_out(t, cell) ? NAN : t->cells->value[cell];
}

static void account_cells(tacit_account *account, const trial *t)
{
    tacit_account_list(account, "cells");
    for (int32_t k = 0; k < t->audit->cell_count; k++) {
        const tacit_cell_finding *f = &t->audit->cells[k];
        tacit_account_push_object(account, "cells");
        account_cell(account, t, "@.cell", f->cell);
        tacit_account_text(account, "@.status", (tacit_strview){&t->cells->status[f->cell], 1});
        tacit_account_real(account, "@.value", value_of(t, f->cell));
        tacit_account_real(account, "@.low", f->low);
        tacit_account_real(account, "@.high", f->high);
        tacit_account_real(account, "@.required_low", f->required_low);
        tacit_account_real(account, "@.required_high", f->required_high);
        tacit_account_bool(account, "@.disclosed", f->disclosed);
        tacit_account_bool(account, "@.underprotected", f->underprotected);
    }
}

static void account_singletons(tacit_account *account, const trial *t)
{
    if (!engine_has(t->session->settings, "singletons"))
        return;
    tacit_account_list(account, "singletons");
    for (int32_t i = 0; i < t->audit->singleton_count; i++) {
        const tacit_singleton_finding *f = &t->audit->singletons[i];
        tacit_account_push_object(account, "singletons");
        account_cell(account, t, "@.knower", f->knower);
        account_cell(account, t, "@.cell", f->cell);
        tacit_account_real(account, "@.low", f->low);
        tacit_account_real(account, "@.high", f->high);
        tacit_account_bool(account, "@.disclosed", f->disclosed);
    }
}

static void account_sums(tacit_account *account, const trial *t)
{
    if (!engine_has(t->session->settings, "sums"))
        return;
    tacit_account_list(account, "sums");
    for (int32_t i = 0; i < t->audit->sum_count; i++) {
        const tacit_sum_finding *f = &t->audit->sums[i];
        const tacit_relations *all = &t->cells->relations;
        tacit_account_push_object(account, "sums");
        account_cell(account, t, "@.within", all->items[all->starts[f->relation]]);
        tacit_account_integer(account, "@.primaries", f->primaries);
        tacit_account_real(account, "@.value", f->value);
        tacit_account_real(account, "@.low", f->low);
        tacit_account_real(account, "@.high", f->high);
        tacit_account_bool(account, "@.disclosed", f->disclosed);
    }
}

static void fill_account(tacit_account *account, const void *subject)
{
    const trial *t = subject;
    const tacit_cells_audit *a = t->audit;
    tacit_account_text(account, "tacit", tacit_strview_of(tacit_version()));
    tacit_account_text(account, "command", tacit_strview_of("audit"));
    tacit_account_integer(account, "table.cells", t->cells->count);
    tacit_account_integer(account, "table.relations", t->cells->relations.count);
    tacit_account_integer(account, "suppressed", a->cell_count);
    tacit_account_integer(account, "primary", t->tally[TACIT_CELL_PRIMARY]);
    tacit_account_integer(account, "secondary", a->cell_count - t->tally[TACIT_CELL_PRIMARY]);
    tacit_account_integer(account, "left_out", t->left_out);
    tacit_account_integer(account, "disclosed", a->disclosed);
    tacit_account_integer(account, "underprotected", a->underprotected);
    tacit_account_integer(account, "unknown", a->unknown);
    tacit_account_integer(account, "blocks", a->blocks);
    tacit_account_integer(account, "programs", a->programs);
    account_cells(account, t);
    account_singletons(account, t);
    account_sums(account, t);
    if (t->total)
        engine_total_verdict_account(account, &t->verdict);
    tacit_account_real(account, "seconds.read", t->read_seconds);
    tacit_account_real(account, "seconds.audit", t->audit_seconds);
    tacit_account_real(account, "seconds.total", engine_now() - t->session->start);
}

static void add_number(tacit_grid *grid, double value)
{
    if (isfinite(value))
        tacit_grid_add(grid, "%.10g", value);
    else
        tacit_grid_add(grid, "%s", isnan(value) ? "not known" : "no limit");
}

/* Cells with a problem first, as many as a page can show. */
static void add_cells(tacit_page *page, const trial *t)
{
    static const char *const HEADER[] = {"cell", "verdict",      "value",        "low",
                                         "high", "required low", "required high"};
    tacit_grid grid;
    int32_t shown = 0;
    tacit_grid_init(&grid, HEADER, 7);
    for (int good = 0; good < 2; good++)
        for (int32_t k = 0; k < t->audit->cell_count && shown < SHOWN; k++) {
            const tacit_cell_finding *f = &t->audit->cells[k];
            char name[NAME_BYTES];
            if ((f->disclosed || f->underprotected) == good)
                continue;
            shown++;
            tacit_cells_describe(t->cells, f->cell, name, sizeof name);
            tacit_grid_add(&grid, "%s", name);
            tacit_grid_add(&grid, "%s", good ? "hidden" : problem(f));
            add_number(&grid, value_of(t, f->cell));
            add_number(&grid, f->low);
            add_number(&grid, f->high);
            add_number(&grid, f->required_low);
            add_number(&grid, f->required_high);
        }
    if (shown > 0)
        tacit_grid_show(&grid, page, "Suppressed cells, what they can be and what they must");
    tacit_grid_clear(&grid);
}

static void fill_page(tacit_page *page, const void *subject)
{
    const trial *t = subject;
    char text[512];
    snprintf(text, sizeof text, "Judged by tacit %s: %s cells, %s suppressed.", tacit_version(),
             engine_count(t->cells->count).text, engine_count(t->audit->cell_count).text);
    tacit_page_paragraph(page, text);
    tacit_page_banner(page, holds(t->audit), sentence(text, sizeof text, t));
    if (t->total)
        engine_total_verdict_page(page, &t->verdict);
    add_cells(page, t);
}

static const engine_reports REPORTS = {"Audit of a table", fill_account, fill_page, NULL};

static tacit_status run(void *state)
{
    trial *t = state;
    t->file = t->session->settings->inputs[0];
    tacit_status status = read_cells(t);
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
    return !holds(t->audit) || (t->total && !t->verdict.audit->total);
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
    tacit_flat_table_free(t->flat);
    tacit_cells_audit_free(t->audit);
    tacit_cells_free(t->cells);
}

const engine_kind engine_audit_table = {
    .name = "audit",
    .size = sizeof(trial),
    .run = run,
    .commit = commit,
    .discloses = discloses,
    .reports = reports,
    .clear = clear,
};
