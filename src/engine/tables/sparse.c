/*
 * sparse.c - `tacit audit --sparse` and `tacit protect --method total --sparse`: a two-dimensional
 * table of which a file lists the cells that matter, however large the table is.
 *
 * No more of the file is coded than is needed, and its pages are let go of, since there may be ten
 * million cells. What is known exactly is found in time linear in the file. A release lists the
 * same cells and those that were added; it is read back and compared with the file, and what is
 * known about it is asked of the audit, before it appears.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/job/kinds.h"
#include "engine/tables/tables.h"

typedef struct sparse_table {
    tacit_flat_spec spec;
    char row[256], column[256]; /* names of the two dimensions */
    tacit_table *table;         /* for names */
    tacit_flat_table *flat;
} sparse_table;

/* ---- reading ---- */

static tacit_status plan_sparse(sparse_table *sparse, engine_session *session)
{
    static const char *const RESTS[] = {"free", "zero", "publish"};
    static const tacit_flat_rest KINDS[] = {TACIT_REST_INSIDE, TACIT_REST_LOWER, TACIT_REST_FIXED};
    const engine_settings *settings = session->settings;
    engine_dims dims;
    int rest = -1;
    tacit_status status = engine_dims_init(&dims, settings, &session->error);
    if (status != TACIT_OK)
        return status;
    if (dims.count != 2 || dims.list[0].hierarchy_count || dims.list[1].hierarchy_count)
        return tacit__error(&session->error, TACIT_INVALID,
                            "--sparse is for two dimensions without hierarchies: give two --dim");
    snprintf(sparse->row, sizeof sparse->row, "%s", dims.names[0]);
    snprintf(sparse->column, sizeof sparse->column, "%s", dims.names[1]);
    status = engine_choice(&rest, settings, "rest", RESTS, 3, &session->error);
    sparse->spec = (tacit_flat_spec){.row = sparse->row,
                                     .column = sparse->column,
                                     .value = engine_value(settings, "value"),
                                     .negative = engine_has(settings, "negative"),
                                     .rest = rest >= 0 ? KINDS[rest] : TACIT_REST_INSIDE};
    return status;
}

/* Which columns the file has of those that matter. */
static tacit_status look_ahead(const char **names, size_t *count, const sparse_table *sparse,
                               const char *file, const tacit_csv_options *options,
                               engine_session *session)
{
    const char *const WANTED[] = {
        sparse->row, sparse->column, sparse->spec.value, "status", "lower", "upper", "weight"};
    tacit_csv_options quick = *options;
    tacit_table *header = NULL;
    quick.header_only = true;
    tacit_status status = tacit_table_read(&header, file, &quick, &session->run, &session->error);
    for (size_t i = 0; status == TACIT_OK && i < sizeof WANTED / sizeof *WANTED; i++)
        if (WANTED[i] && tacit_table_find(header, tacit_strview_of(WANTED[i])) >= 0)
            names[(*count)++] = WANTED[i];
    tacit_table_free(header);
    return status;
}

/* The options (--dim twice, --value, --negative, --rest) and the file. The table must stay where it
 * is. */
static tacit_status read_sparse(sparse_table *sparse, const char *file, engine_session *session)
{
    tacit_csv_options options;
    const char *names[8];
    tacit_error *err = &session->error;
    engine_csv_options(&options, session);
    tacit_status status = plan_sparse(sparse, session);
    if (status == TACIT_OK && engine_is_file(file)) { /* a pipe is read once, and all of it */
        status = look_ahead(names, &options.coded_count, sparse, file, &options, session);
        options.coded = names;
        options.let_go = true;
    }
    if (status == TACIT_OK)
        status = tacit_table_read(&sparse->table, file, &options, &session->run, err);
    if (status == TACIT_OK)
        status =
            tacit_flat_from_table(&sparse->flat, sparse->table, &sparse->spec, &session->run, err);
    return status;
}

/* The size of the table and how many of its cells are listed. */
static void add_size(tacit_report *report, const sparse_table *sparse)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_flat_view, rows, "rows", NULL, 0),
        TACIT_FIELD(tacit_flat_view, columns, "columns", NULL, 0),
        TACIT_FIELD(tacit_flat_view, count, "listed", NULL, 0),
    };
    tacit_report_object(report, "table", FIELDS, TACIT_COUNT_OF(FIELDS), &sparse->flat->view);
}

static void clear_sparse(sparse_table *sparse)
{
    tacit_flat_table_free(sparse->flat);
    tacit_table_free(sparse->table);
}

/* ---- the audit ---- */

typedef struct sparse_audit {
    engine_session *session;
    const char *file;
    sparse_table sparse;
    engine_total_verdict verdict;
    double read_seconds, audit_seconds;
} sparse_audit;

static tacit_status read_audited(sparse_audit *t)
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
        status = read_sparse(&t->sparse, t->file, session);
    t->read_seconds = engine_now() - start;
    return status;
}

static tacit_status judge_audited(sparse_audit *t)
{
    engine_session *session = t->session;
    double start = engine_now();
    tacit_status status = engine_total_verdict_init(
        &t->verdict, &t->sparse.flat->view, (int32_t)engine_number(session->settings, "lines", 1),
        &session->run, &session->error);
    t->audit_seconds = engine_now() - start;
    return status;
}

static void fill_audit(tacit_report *report, const void *subject)
{
    const sparse_audit *t = subject;
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
    add_size(report, &t->sparse);
    tacit_report_integer(report, "suppressed", audit->suppressed);
    tacit_report_integer(report, "primary", audit->secret);
    engine_total_verdict_facts(report, &t->verdict);
    tacit_report_real(report, "seconds.read", t->read_seconds);
    tacit_report_real(report, "seconds.audit", t->audit_seconds);
    tacit_report_real(report, "seconds.total", engine_now() - t->session->start);
}

static const engine_reports AUDIT_REPORT = {.title = "Audit of a sparse table", .fill = fill_audit};

static tacit_status run_sparse_audit(void *state)
{
    sparse_audit *t = state;
    t->file = t->session->settings->inputs[0];
    tacit_status status = read_audited(t);
    return status == TACIT_OK ? judge_audited(t) : status;
}

static bool sparse_discloses(const void *state)
{
    const sparse_audit *t = state;
    return !t->verdict.audit->total;
}

static void clear_sparse_audit(void *state)
{
    sparse_audit *t = state;
    engine_total_verdict_clear(&t->verdict);
    clear_sparse(&t->sparse);
}

const engine_kind engine_audit_sparse = {
    .name = "audit",
    .size = sizeof(sparse_audit),
    .run = run_sparse_audit,
    .discloses = sparse_discloses,
    .report = &AUDIT_REPORT,
    .clear = clear_sparse_audit,
};

/* ---- protection ---- */

enum { SPARSE_STEPS = 7 };
static const char *const SPARSE_STEP_NAMES[SPARSE_STEPS] = {"read",  "before", "suppress", "write",
                                                            "check", "audit",  "commit"};

typedef struct sparse_protection {
    engine_session *session;
    const char *file, *target;
    sparse_table sparse;
    engine_total_verdict before;
    tacit_total_plan plan;
    tacit_output *output;
    tacit_cells_written *written; /* the release as it was read back */
    double seconds[SPARSE_STEPS];
} sparse_protection;

/* ---- what is asked for ---- */

/* Options that are about whole tables, intervals or records. */
static tacit_status check_sparse_options(const sparse_protection *w)
{
    static const char *const TAKEN[] = {"sparse",   "method",       "dim",       "value",
                                        "negative", "rest",         "output",    "report",
                                        "html",     "time",         "seed",      "threads",
                                        "quick",    "as-published", "delimiter", "no-header"};
    const engine_settings *settings = w->session->settings;
    const char *name = engine_not_among(settings, TAKEN, TACIT_COUNT_OF(TAKEN));
    if (name)
        return tacit__error(
            &w->session->error, TACIT_INVALID,
            "--%s does not go with --sparse, which takes cells as the file has them", name);
    const char *method = engine_value(settings, "method");
    if (!method || strcmp(method, "total") != 0)
        return tacit__error(&w->session->error, TACIT_INVALID, "--sparse is for --method total");
    if (settings->input_count > 1)
        return tacit__error(&w->session->error, TACIT_INVALID, "--sparse takes one file");
    return TACIT_OK;
}

static tacit_status prepare_sparse(sparse_protection *w)
{
    const engine_settings *settings = w->session->settings;
    const char *target = engine_value(settings, "output");
    w->file = settings->inputs[0];
    w->target = target ? target : "-";
    const engine_file files[] = {
        {w->file, "CELLS.csv", false},
        {w->target, "-o", true},
        {engine_value(settings, "report"), "--report", true},
        {engine_value(settings, "html"), "--html", true},
    };
    tacit_status status = check_sparse_options(w);
    if (status == TACIT_OK)
        status = engine_files_check(files, sizeof files / sizeof files[0], &w->session->error);
    return status;
}

/* ---- steps ---- */

static tacit_status read_protected(sparse_protection *w)
{
    return read_sparse(&w->sparse, w->file, w->session);
}

static tacit_status look_before(sparse_protection *w)
{
    int32_t levels = engine_has(w->session->settings, "html"); /* only the page shows them */
    return engine_total_verdict_init(&w->before, &w->sparse.flat->view, levels, &w->session->run,
                                     &w->session->error);
}

static tacit_status suppress_sparse(sparse_protection *w)
{
    const engine_settings *settings = w->session->settings;
    const tacit_total_options options = {.as_published = engine_has(settings, "as-published"),
                                         .quick = engine_has(settings, "quick")};
    tacit_status status = tacit_total_protect(&w->plan, &w->sparse.flat->view, &options,
                                              &w->session->run, &w->session->error);
    if (status == TACIT_OK && w->plan.stopped)
        engine_warn(w->session, "the search was stopped %s; this is the best that it had found",
                    engine_session_forgive(w->session));
    return status;
}

static tacit_status write_sparse(sparse_protection *w)
{
    tacit_error *err = &w->session->error;
    tacit_status status = tacit_output_new(&w->output, w->target, err);
    if (status == TACIT_OK)
        status = tacit_flat_write(tacit_output_fd(w->output), w->target, w->sparse.table,
                                  w->sparse.flat, &w->plan, &w->sparse.spec,
                                  tacit_table_delimiter(w->sparse.table), err);
    return status;
}

static tacit_status check_sparse(sparse_protection *w)
{
    engine_session *session = w->session;
    tacit_csv_options options;
    tacit_table *table = NULL;
    tacit_csv_options_init(&options);
    options.delimiter = tacit_table_delimiter(w->sparse.table);
    tacit_status status = tacit_table_read_fd(&table, tacit_output_fd(w->output), "the release",
                                              &options, &session->run, &session->error);
    if (status == TACIT_OK)
        status = tacit_audit_flat_written(&w->written, w->sparse.table, &w->plan, &w->sparse.spec,
                                          table, &session->run, &session->error);
    tacit_table_free(table);
    if (status == TACIT_OK && !w->written->holds)
        status = tacit__error(&session->error, TACIT_INFEASIBLE,
                              "the second check refuses the release, and nothing is written: %s",
                              w->written->problems[0].message);
    return status;
}

/* ---- the release as a list of cells, for the audit ---- */

/* Cells that were given, and after them those that were not and are suppressed now. */
typedef struct cell_list {
    tacit_flat_view view;
    int32_t *row, *column;
    char *status;
    double *value, *lower, *upper;
} cell_list;

static void clear_list(cell_list *all)
{
    tacit__free(all->row);
    tacit__free(all->column);
    tacit__free(all->status);
    tacit__free(all->value);
    tacit__free(all->lower);
    tacit__free(all->upper);
}

/* A cell of the plan, and where it stands there. */
typedef struct place {
    int32_t row, column, planned;
} place;

static int by_place(const void *left, const void *right)
{
    const place *a = left, *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

/* Which cells of the plan the file lists: a flag each. */
static tacit_status find_listed(bool **out, const sparse_protection *w)
{
    const tacit_flat_view *given = &w->sparse.flat->view;
    size_t count = (size_t)w->plan.count;
    place *plan = tacit__alloc((count + 1) * sizeof *plan);
    bool *listed = tacit__alloc_zeroed(count + 1, sizeof *listed);
    if (!plan || !listed) {
        tacit__free(plan);
        tacit__free(listed);
        return tacit__nomem(&w->session->error);
    }
    for (int32_t i = 0; i < w->plan.count; i++)
        plan[i] = (place){w->plan.row[i], w->plan.column[i], i};
    qsort(plan, count, sizeof *plan, by_place);
    for (int32_t i = 0; i < given->count; i++) {
        const place here = {given->row[i], given->column[i], 0};
        const place *found = bsearch(&here, plan, count, sizeof *plan, by_place);
        if (found)
            listed[found->planned] = true;
    }
    tacit__free(plan);
    *out = listed;
    return TACIT_OK;
}

static double *extend(const double *from, int32_t count, size_t room, double missing)
{
    double *to = tacit__alloc((room + 1) * sizeof *to);
    for (int32_t i = 0; to && i < count; i++)
        to[i] = from ? from[i] : missing;
    return to;
}

static tacit_status begin_list(cell_list *all, const sparse_protection *w)
{
    const tacit_flat_view *given = &w->sparse.flat->view;
    size_t room = (size_t)given->count + (size_t)w->plan.count;
    bool values = given->value || given->rest == TACIT_REST_LOWER;
    all->row = tacit__alloc((room + 1) * sizeof *all->row);
    all->column = tacit__alloc((room + 1) * sizeof *all->column);
    all->status = tacit__alloc(room + 1);
    if (values)
        all->value = extend(given->value, given->count, room, NAN);
    if (given->lower)
        all->lower = extend(given->lower, given->count, room, 0);
    if (given->upper)
        all->upper = extend(given->upper, given->count, room, INFINITY);
    if (!all->row || !all->column || !all->status || (values && !all->value) ||
        (given->lower && !all->lower) || (given->upper && !all->upper))
        return tacit__nomem(&w->session->error);
    memcpy(all->row, given->row, (size_t)given->count * sizeof *all->row);
    memcpy(all->column, given->column, (size_t)given->count * sizeof *all->column);
    memcpy(all->status, w->written->status, (size_t)given->count);
    return TACIT_OK;
}

/* A cell that was not listed is what --rest says: inside its bounds, or zero. */
static void append(cell_list *all, const sparse_protection *w, int32_t at, int32_t planned)
{
    bool zero = w->sparse.spec.rest == TACIT_REST_LOWER;
    all->row[at] = w->plan.row[planned];
    all->column[at] = w->plan.column[planned];
    all->status[at] = TACIT_CELL_SECONDARY;
    if (all->value)
        all->value[at] = zero ? 0 : NAN;
    if (all->lower)
        all->lower[at] = zero || !w->sparse.spec.negative ? 0 : -INFINITY;
    if (all->upper)
        all->upper[at] = INFINITY;
}

static tacit_status list_release(cell_list *all, const sparse_protection *w)
{
    const tacit_flat_view *given = &w->sparse.flat->view;
    bool *listed = NULL;
    int32_t count = given->count;
    tacit_status status = begin_list(all, w);
    if (status == TACIT_OK)
        status = find_listed(&listed, w);
    for (int32_t i = 0; i < w->plan.count && status == TACIT_OK; i++)
        if (!listed[i])
            append(all, w, count++, i);
    tacit__free(listed);
    all->view = *given;
    all->view.count = count;
    all->view.row = all->row;
    all->view.column = all->column;
    all->view.status = all->status;
    all->view.value = all->value;
    all->view.lower = all->lower;
    all->view.upper = all->upper;
    all->view.cost = NULL;
    return status;
}

static tacit_status judge_sparse(sparse_protection *w)
{
    const tacit_total_audit_options options = {.no_invariant = true};
    tacit_total_audit *after = NULL;
    cell_list all = {0};
    tacit_status status = list_release(&all, w);
    if (status == TACIT_OK)
        status =
            tacit_audit_total(&after, &all.view, &options, &w->session->run, &w->session->error);
    if (status == TACIT_OK && !after->total)
        status = tacit__error(&w->session->error, TACIT_INFEASIBLE,
                              "the audit refuses the release, and nothing is written: %s "
                              "independent sums over primary cells are known",
                              engine_count(after->leaks).text);
    tacit_total_audit_free(after);
    clear_list(&all);
    return status;
}

static tacit_status appear_sparse(sparse_protection *w)
{
    tacit_status status = engine_session_check(w->session);
    if (status == TACIT_OK)
        status = tacit_table_check_unchanged(w->sparse.table, &w->session->run, &w->session->error);
    return status == TACIT_OK ? tacit_output_commit(w->output, &w->session->error) : status;
}

/* ---- what is said ---- */

static const char *cost_words(char *buffer, size_t size, const tacit_total_plan *plan)
{
    char bound[32];
    tacit_number_text(bound, sizeof bound, plan->lower_bound, 0);
    if (plan->optimal)
        snprintf(buffer, size, "%s, the least there is", engine_many(plan->count, "cell").text);
    else
        snprintf(buffer, size, "%s; it takes a cost of %s at least",
                 engine_many(plan->count, "cell").text, bound);
    return buffer;
}

static void add_places(tacit_report *report, const sparse_protection *w)
{
    if (!tacit_report_shows(report, TACIT_SHOW_JSON))
        return;
    engine_report_places(report, "added");
    for (int32_t i = 0; i < w->plan.count; i++)
        engine_report_place(report, &w->sparse.flat->view, w->plan.row[i], w->plan.column[i]);
    engine_total_invariant_facts(report, &w->sparse.flat->view, w->before.audit);
}

static void add_sparse_head(tacit_report *report, const sparse_protection *w)
{
    const tacit_flat_view *view = &w->sparse.flat->view;
    char text[160];
    tacit_report_title(report, "%s: %s rows, %s columns, %s cells listed, by total",
                       strcmp(w->target, "-") ? w->target : "standard output",
                       engine_count(view->rows).text, engine_count(view->columns).text,
                       engine_count(view->count).text);
    tacit_report_paragraph(
        report, "For the data holder: what was known before is more than the release reveals.");
    tacit_report_line(report, "before", "%s known exactly, and %s of primary cells",
                      engine_many(w->before.audit->invariant_count, "cell was|cells were").text,
                      engine_many(w->before.audit->leaks, "independent sum").text);
    tacit_report_line(report, "added", "%s", cost_words(text, sizeof text, &w->plan));
    tacit_report_verdict(report, true, "audit",
                         "nothing is known exactly about primary cells, not even a sum");
}

static void add_sparse_seconds(tacit_report *report, const sparse_protection *w)
{
    double total = engine_now() - w->session->start;
    tacit_report_enter(report, "seconds");
    for (int i = 0; i < SPARSE_STEPS; i++)
        tacit_report_real(report, SPARSE_STEP_NAMES[i], w->seconds[i]);
    tacit_report_real(report, "total", total);
    tacit_report_leave(report);
    tacit_report_line(report, "time", "%.2f s", total);
}

static void fill_protection(tacit_report *report, const void *subject)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_total_plan, optimal, "optimal", NULL, 0),
        TACIT_FIELD(tacit_total_plan, cost, "added_cost", NULL, 0),
        TACIT_FIELD(tacit_total_plan, lower_bound, "lower_bound", NULL, 0),
    };
    const sparse_protection *w = subject;
    tacit_report_text(report, "tacit", tacit_version());
    tacit_report_text(report, "command", "protect");
    tacit_report_text(report, "method", "total");
    add_sparse_head(report, w);
    add_size(report, &w->sparse);
    tacit_report_integer(report, "primary", w->before.audit->secret);
    tacit_report_bool(report, "total_protected", true);
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), &w->plan);
    add_places(report, w);
    tacit_report_show(report, TACIT_SHOW_JSON | TACIT_SHOW_TEXT);
    add_sparse_seconds(report, w);
    tacit_report_show(report, TACIT_SHOW_PAGE);
    tacit_report_section(report, "Before");
    engine_total_verdict_facts(report, &w->before);
}

/* ---- the whole ---- */

static tacit_status run_sparse(void *state)
{
    static tacit_status (*const DO[SPARSE_STEPS - 1])(sparse_protection *) = {
        read_protected, look_before, suppress_sparse, write_sparse, check_sparse, judge_sparse};
    sparse_protection *w = state;
    tacit_status status = prepare_sparse(w);
    for (int i = 0; i < SPARSE_STEPS - 1 && status == TACIT_OK; i++) {
        double start = engine_now();
        status = DO[i](w);
        w->seconds[i] = engine_now() - start;
    }
    return status;
}

static const engine_reports PROTECTION_REPORT = {.title = "Total protection of a sparse table",
                                                 .fill = fill_protection};

static tacit_status commit_sparse(void *state)
{
    sparse_protection *w = state;
    double start = engine_now();
    tacit_status status = appear_sparse(w);
    w->seconds[SPARSE_STEPS - 1] = engine_now() - start;
    if (status != TACIT_OK)
        return status;
    return engine_report_failed(w->session, engine_report_all(w->session, &PROTECTION_REPORT, w));
}

static void clear_sparse_protection(void *state)
{
    sparse_protection *w = state;
    tacit_cells_written_free(w->written);
    tacit_output_free(w->output);
    tacit_total_plan_clear(&w->plan);
    engine_total_verdict_clear(&w->before);
    clear_sparse(&w->sparse);
}

const engine_kind engine_protect_sparse = {
    .name = "protect",
    .size = sizeof(sparse_protection),
    .run = run_sparse,
    .commit = commit_sparse,
    .report = &PROTECTION_REPORT,
    .clear = clear_sparse_protection,
};
