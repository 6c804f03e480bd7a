/*
 * audit_table.c - `tacit audit` of a statistical table with its status letters: the adversary's
 * interval for every suppressed cell.
 *
 * The table is the data holder's, with all values: a .jj file, or a long CSV with a column
 * `status` and dimensions by --dim. Or it is a release as outsiders have it, a long CSV without the
 * values of suppressed cells: then levels are not known and not judged. What is printed names
 * cells and counts; values and intervals are in the reports alone.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "engine/job/kinds.h"
#include "engine/tables/tables.h"

enum { MAX_NAMED = 20, PAGE_ROWS = 1000, CELL_NAME_BYTES = 256 };

typedef struct table_audit {
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
} table_audit;

bool engine_is_audit_of_table(const engine_settings *settings)
{
    return settings->input_count > 0 &&
           (engine_is_jj(settings->inputs[0]) || engine_has(settings, "dim"));
}

/* ---- reading ---- */

static tacit_status read_audited_csv(table_audit *t)
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

static tacit_status read_cells(table_audit *t)
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
                     : read_audited_csv(t);
    t->read_seconds = engine_now() - start;
    return status;
}

static bool is_left_out(const table_audit *t, int32_t cell)
{
    return t->cells->unknown && t->cells->unknown[cell];
}

/* What is known exactly, not even a sum left out. Which cells are on their bounds depends on their
 * values. */
static tacit_status judge_total(table_audit *t)
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

static tacit_status judge_table(table_audit *t)
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

static const char *sentence(char *buffer, size_t size, const table_audit *t)
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
                 "%s disclosed; by how much the others must be hidden is not in the file",
                 engine_many(a->disclosed, "cell is|cells are").text);
    else if (holds(a))
        snprintf(buffer, size,
                 "every suppressed cell is hidden, and primary cells by their levels");
    else
        snprintf(buffer, size,
                 "%s disclosed, %s hidden too little, %s found out by contributors, %s known too "
                 "well",
                 engine_many(a->disclosed, "cell is|cells are").text,
                 engine_many(a->underprotected, "primary cell").text,
                 engine_count(a->singleton_count).text, engine_many(a->sum_count, "sum").text);
    return buffer;
}

static const char *problem(const tacit_cell_finding *f)
{
    return f->unknown ? "unknown" : f->disclosed ? "disclosed" : "narrow";
}

/* Cells with a problem. */
static void add_named(tacit_report *report, const table_audit *t)
{
    int32_t named = 0;
    for (int32_t k = 0; k < t->audit->cell_count; k++) {
        const tacit_cell_finding *f = &t->audit->cells[k];
        char name[CELL_NAME_BYTES], text[CELL_NAME_BYTES];
        if ((!f->disclosed && !f->underprotected) || named++ >= MAX_NAMED)
            continue;
        tacit_cells_describe(t->cells, f->cell, name, sizeof name);
        tacit_report_line(report, problem(f), "%s",
                          engine_printable(text, sizeof text, tacit_strview_of(name)));
    }
    if (named > MAX_NAMED)
        tacit_report_note(report, "%s more; --report lists all",
                          engine_count(named - MAX_NAMED).text);
}

/* Who finds out what. */
static void add_insiders(tacit_report *report, const table_audit *t)
{
    for (int32_t i = 0; i < t->audit->singleton_count && i < MAX_NAMED; i++) {
        const tacit_singleton_finding *f = &t->audit->singletons[i];
        char insider[CELL_NAME_BYTES], cell[CELL_NAME_BYTES], text[3 * CELL_NAME_BYTES],
            shown[3 * CELL_NAME_BYTES];
        snprintf(text, sizeof text, "%s, by a contributor of %s",
                 tacit_cells_describe(t->cells, f->cell, cell, sizeof cell),
                 tacit_cells_describe(t->cells, f->insider, insider, sizeof insider));
        tacit_report_line(report, "found out", "%s",
                          engine_printable(shown, sizeof shown, tacit_strview_of(text)));
    }
}

static void add_head(tacit_report *report, const table_audit *t)
{
    char text[512], left_out[128] = "";
    if (t->left_out > 0)
        snprintf(left_out, sizeof left_out, "; %s left out",
                 engine_many(t->left_out, "value is|values are").text);
    tacit_report_title(report, "%s: %s cells, %s of them suppressed, %s of those primary%s",
                       engine_show(t->file).text, engine_count(t->cells->count).text,
                       engine_count(t->audit->cell_count).text,
                       engine_count(t->tally[TACIT_CELL_PRIMARY]).text, left_out);
    tacit_report_paragraph(report, "Judged by tacit %s: %s cells, %s suppressed.", tacit_version(),
                           engine_count(t->cells->count).text,
                           engine_count(t->audit->cell_count).text);
    tacit_report_verdict(report, holds(t->audit), "verdict", "%s", sentence(text, sizeof text, t));
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_TEXT);
    add_named(report, t);
    add_insiders(report, t);
    tacit_report_show(report, everywhere);
}

/* ---- cells, contributors and sums ---- */

static void add_name(tacit_report *report, const table_audit *t, int32_t cell)
{
    char name[CELL_NAME_BYTES];
    tacit_report_cell(report, "%s", tacit_cells_describe(t->cells, cell, name, sizeof name));
}

/* For people, a number that is none says why. */
static void add_number(tacit_report *report, double value)
{
    if (isfinite(value) || tacit_report_shows(report, TACIT_SHOW_JSON))
        tacit_report_cell_real(report, value);
    else
        tacit_report_cell(report, "%s", isnan(value) ? "not known" : "no limit");
}

static const tacit_report_column CELL_COLUMNS[] = {
    {.key = "cell", .heading = "cell"},
    {.key = "status"},
    {.heading = "verdict"},
    {.key = "value", .heading = "value", .format = "%.10g"},
    {.key = "low", .heading = "low", .format = "%.10g"},
    {.key = "high", .heading = "high", .format = "%.10g"},
    {.key = "required_low", .heading = "required low", .format = "%.10g"},
    {.key = "required_high", .heading = "required high", .format = "%.10g"},
    {.key = "disclosed"},
    {.key = "underprotected"},
};

static void begin_cells(tacit_report *report, const table_audit *t)
{
    const char *title =
        t->audit->cell_count ? "Suppressed cells, what they can be and what they must" : NULL;
    tacit_report_begin(report, &(tacit_report_table){.name = "cells",
                                                     .title = title,
                                                     TACIT_COLUMNS(CELL_COLUMNS),
                                                     .page_rows = PAGE_ROWS});
}

static void add_cell(tacit_report *report, const table_audit *t, const tacit_cell_finding *f)
{
    add_name(report, t, f->cell);
    tacit_report_cell_view(report, (tacit_strview){&t->cells->status[f->cell], 1});
    tacit_report_cell(report, "%s", f->disclosed || f->underprotected ? problem(f) : "hidden");
    add_number(report, is_left_out(t, f->cell) ? NAN : t->cells->value[f->cell]);
    add_number(report, f->low);
    add_number(report, f->high);
    add_number(report, f->required_low);
    add_number(report, f->required_high);
    tacit_report_cell_bool(report, f->disclosed);
    tacit_report_cell_bool(report, f->underprotected);
}

static void list_findings(tacit_report *report, const table_audit *t)
{
    if (!tacit_report_shows(report, TACIT_SHOW_JSON))
        return;
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_JSON);
    begin_cells(report, t);
    for (int32_t k = 0; k < t->audit->cell_count; k++)
        add_cell(report, t, &t->audit->cells[k]);
    tacit_report_show(report, everywhere);
}

/* Those with a problem first, as many as a page can show. */
static void show_findings(tacit_report *report, const table_audit *t)
{
    int32_t shown = 0;
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_PAGE);
    begin_cells(report, t);
    for (int good = 0; good < 2; good++)
        for (int32_t k = 0; k < t->audit->cell_count && shown < PAGE_ROWS; k++) {
            const tacit_cell_finding *f = &t->audit->cells[k];
            if ((f->disclosed || f->underprotected) == good)
                continue;
            shown++;
            add_cell(report, t, f);
        }
    tacit_report_show(report, everywhere);
}

static void add_singletons(tacit_report *report, const table_audit *t)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "knower"}, {.key = "cell"}, {.key = "low"}, {.key = "high"}, {.key = "disclosed"}};
    if (!engine_has(t->session->settings, "singletons"))
        return;
    tacit_report_begin(report, &(tacit_report_table){.name = "singletons", TACIT_COLUMNS(COLUMNS)});
    for (int32_t i = 0; i < t->audit->singleton_count; i++) {
        const tacit_singleton_finding *f = &t->audit->singletons[i];
        add_name(report, t, f->insider);
        add_name(report, t, f->cell);
        tacit_report_cell_real(report, f->low);
        tacit_report_cell_real(report, f->high);
        tacit_report_cell_bool(report, f->disclosed);
    }
}

static void add_known_sums(tacit_report *report, const table_audit *t)
{
    static const tacit_report_column COLUMNS[] = {{.key = "within"}, {.key = "primaries"},
                                                  {.key = "value"},  {.key = "low"},
                                                  {.key = "high"},   {.key = "disclosed"}};
    const tacit_relations *all = &t->cells->relations;
    if (!engine_has(t->session->settings, "sums"))
        return;
    tacit_report_begin(report, &(tacit_report_table){.name = "sums", TACIT_COLUMNS(COLUMNS)});
    for (int32_t i = 0; i < t->audit->sum_count; i++) {
        const tacit_sum_finding *f = &t->audit->sums[i];
        add_name(report, t, all->items[all->starts[f->relation]]);
        tacit_report_cell_integer(report, f->primaries);
        tacit_report_cell_real(report, f->value);
        tacit_report_cell_real(report, f->low);
        tacit_report_cell_real(report, f->high);
        tacit_report_cell_bool(report, f->disclosed);
    }
}

/* ---- all of it ---- */

static void add_counts(tacit_report *report, const table_audit *t)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_cells_audit, disclosed, "disclosed", NULL, 0),
        TACIT_FIELD(tacit_cells_audit, underprotected, "underprotected", NULL, 0),
        TACIT_FIELD(tacit_cells_audit, unknown, "unknown", NULL, 0),
        TACIT_FIELD(tacit_cells_audit, blocks, "blocks", NULL, 0),
        TACIT_FIELD(tacit_cells_audit, programs, "programs", NULL, 0),
    };
    int32_t primary = t->tally[TACIT_CELL_PRIMARY];
    tacit_report_integer(report, "table.cells", t->cells->count);
    tacit_report_integer(report, "table.relations", t->cells->relations.count);
    tacit_report_integer(report, "suppressed", t->audit->cell_count);
    tacit_report_integer(report, "primary", primary);
    tacit_report_integer(report, "secondary", t->audit->cell_count - primary);
    tacit_report_integer(report, "left_out", t->left_out);
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), t->audit);
}

static void fill_table_audit(tacit_report *report, const void *subject)
{
    const table_audit *t = subject;
    tacit_report_text(report, "tacit", tacit_version());
    tacit_report_text(report, "command", "audit");
    add_head(report, t);
    add_counts(report, t);
    list_findings(report, t);
    add_singletons(report, t);
    add_known_sums(report, t);
    if (t->total)
        engine_total_verdict_facts(report, &t->verdict);
    show_findings(report, t);
    tacit_report_real(report, "seconds.read", t->read_seconds);
    tacit_report_real(report, "seconds.audit", t->audit_seconds);
    tacit_report_real(report, "seconds.total", engine_now() - t->session->start);
}

static const engine_reports TABLE_AUDIT_REPORT = {.title = "Audit of a table",
                                                  .fill = fill_table_audit};

/* ---- the job ---- */

static tacit_status run_table_audit(void *state)
{
    table_audit *t = state;
    t->file = t->session->settings->inputs[0];
    tacit_status status = read_cells(t);
    return status == TACIT_OK ? judge_table(t) : status;
}

static bool table_discloses(const void *state)
{
    const table_audit *t = state;
    return !holds(t->audit) || (t->total && !t->verdict.audit->total);
}

static void clear_table_audit(void *state)
{
    table_audit *t = state;
    engine_total_verdict_clear(&t->verdict);
    tacit_flat_table_free(t->flat);
    tacit_cells_audit_free(t->audit);
    tacit_cells_free(t->cells);
}

const engine_kind engine_audit_table = {
    .name = "audit",
    .size = sizeof(table_audit),
    .run = run_table_audit,
    .discloses = table_discloses,
    .report = &TABLE_AUDIT_REPORT,
    .clear = clear_table_audit,
};
