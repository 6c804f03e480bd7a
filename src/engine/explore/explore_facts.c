/*
 * explore_facts.c - what was explored: a grid on the terminal with a line a series and a column a
 * k, every point in the JSON, in the CSV of -o and on the page, and on the page curves: methods
 * against each other at one loss, then each method at every loss. Only the JSON has times, so the
 * others are the same bytes whenever the work was not cut short.
 *
 * A method that searches and cannot prove that it has the best has a second curve: what no release
 * of its kind can pass.
 */
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/explore/explore.h"
#include "engine/job/files.h"

/* ---- in words ---- */

static const char *const STATES[] = {[ENGINE_POINT_UNREACHED] = "unreached",
                                     [ENGINE_POINT_KNOWN] = "known",
                                     [ENGINE_POINT_NONE] = "none"};

/* A share of rows as people write it ("2 %"), or "-" where no rows are suppressed. */
static const char *loss_text(char *text, size_t size, double loss)
{
    if (isnan(loss))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%.6g %%", 100 * loss);
    return text;
}

/* Of Prec or of the metric; not a number where it is not known. */
static double point_value(const engine_point *point, tacit_metric metric)
{
    return point->state == ENGINE_POINT_KNOWN ? tacit_metrics_value(&point->metrics, metric) : NAN;
}

/* Decimals that show the values of a metric at all points. */
static int metric_decimals(const engine_explore *explore, tacit_metric metric)
{
    double max = 0;
    for (int i = 0; i < explore->series_count; i++)
        for (int k = 0; k < explore->k_count; k++) {
            double value = point_value(&explore->series[i].points[k], metric);
            max = isnan(value) ? max : fmax(max, fabs(value));
        }
    return max < 10 ? 3 : max < 1000 ? 1 : 0;
}

/* What people call a metric: "loss score", for loss is what is suppressed. */
static const char *metric_title(tacit_metric metric)
{
    if (metric == TACIT_METRIC_PREC)
        return "Prec";
    return metric == TACIT_METRIC_LOSS ? "loss score" : tacit_metric_name(metric);
}

/* How good what a method found is: all proven, some, none known. */
static const char *proof_text(char *text, size_t size, const engine_explore *explore,
                              const tacit_method *method)
{
    int known = 0, proven = 0, stopped = 0, unreached = 0, used = 0;
    for (int i = 0; i < explore->series_count; i++)
        for (int k = 0; explore->series[i].method == method && k < explore->k_count; k++) {
            const engine_point *point = &explore->series[i].points[k];
            known += point->state == ENGINE_POINT_KNOWN;
            proven += point->state == ENGINE_POINT_KNOWN && point->proven;
            stopped += point->state == ENGINE_POINT_KNOWN && point->stopped;
            unreached += point->state == ENGINE_POINT_UNREACHED;
        }
    if (known > 0 && proven == known)
        used = snprintf(text, size, "proven the best of its kind");
    else if (proven > 0)
        used = snprintf(text, size, "%d of %d proven the best of their kind", proven, known);
    else
        used = snprintf(text, size, "%s",
                        known > 0       ? "not proven the best"
                        : unreached > 0 ? "not reached"
                                        : "nothing was found");
    if (stopped > 0)
        snprintf(text + used, size - (size_t)used, "; %d of %d searches were stopped", stopped,
                 known);
    return text;
}

static const char *remark(const engine_point *point)
{
    if (point->state == ENGINE_POINT_UNREACHED)
        return "not reached";
    if (point->state == ENGINE_POINT_NONE)
        return "no release";
    return point->proven ? "proven the best" : point->stopped ? "stopped" : "";
}

/* ---- curves ---- */

enum { NUMBER = 32, NAME = 64 };

/* Curves in the making: values and names stay here. */
typedef struct curve_sheet {
    double x[ENGINE_EXPLORE_KS];
    double values[TACIT_MAX_CURVES][ENGINE_EXPLORE_KS];
    char names[TACIT_MAX_CURVES][NAME];
    tacit_curve curves[TACIT_MAX_CURVES];
    int count;
} curve_sheet;

/* What no release of the method's kind passes, as a value of the metric. */
static double best_possible(const engine_point *point, tacit_metric metric)
{
    if (isnan(point_value(point, metric)) || point->proven)
        return NAN;
    return tacit_metric_of_cost(metric, point->lower_bound);
}

static void add_curve(curve_sheet *s, const engine_explore *explore, const engine_series *series,
                      tacit_metric metric, bool bound, const char *name)
{
    if (s->count == TACIT_MAX_CURVES)
        return;
    double *values = s->values[s->count];
    bool any = false;
    for (int k = 0; k < explore->k_count; k++) {
        const engine_point *point = &series->points[k];
        values[k] = bound ? best_possible(point, metric) : point_value(point, metric);
        any |= isfinite(values[k]);
    }
    if (!any)
        return;
    snprintf(s->names[s->count], NAME, bound ? "%s, at best" : "%s", name);
    s->curves[s->count] = (tacit_curve){s->names[s->count], values, bound};
    s->count++;
}

static void draw_curves(tacit_page *page, const engine_explore *explore, curve_sheet *s,
                        tacit_metric metric, const char *title, bool ordered)
{
    char marker[NUMBER];
    int64_t own = 0;
    for (int k = 0; k < explore->k_count; k++) {
        s->x[k] = (double)explore->ks[k];
        own = explore->ks[k] == explore->own_k ? explore->own_k : own;
    }
    if (s->count == 0)
        return;
    snprintf(marker, sizeof marker, "k = %lld", (long long)own);
    tacit_page_curves(page, &(tacit_curves){
                                .title = title,
                                .x_label = "k",
                                .y_label = metric_title(metric),
                                .x = s->x,
                                .x_count = explore->k_count,
                                .curves = s->curves,
                                .curve_count = s->count,
                                .ordered = ordered,
                                .decimals = metric_decimals(explore, metric),
                                .marker = (double)own,
                                .marker_name = marker,
                            });
}

/* The loss at which methods are compared: the policy's, or one in the middle. */
static double compared_loss(const engine_explore *explore)
{
    for (int i = 0; i < explore->loss_count; i++)
        if (explore->losses[i] == explore->own_loss)
            return explore->own_loss;
    return explore->losses[explore->loss_count / 2];
}

static void draw_methods(tacit_page *page, const engine_explore *explore, tacit_metric metric)
{
    curve_sheet s = {0};
    double loss = compared_loss(explore);
    char title[200], share[NUMBER];
    bool aimed = metric == explore->release->wanted.metric; /* bounds are of its cost */
    for (int i = 0; i < explore->series_count; i++) {
        const engine_series *series = &explore->series[i];
        if (!isnan(series->loss) && series->loss != loss)
            continue;
        add_curve(&s, explore, series, metric, false, series->method->name);
        if (aimed)
            add_curve(&s, explore, series, metric, true, series->method->name);
    }
    snprintf(title, sizeof title, "%s of each method, with at most %s of the rows suppressed",
             metric_title(metric), loss_text(share, sizeof share, loss));
    draw_curves(page, explore, &s, metric, title, false);
}

static void draw_losses(tacit_page *page, const engine_explore *explore, tacit_metric metric,
                        const tacit_method *method)
{
    curve_sheet s = {0};
    char title[200];
    for (int i = 0; i < explore->series_count; i++) {
        const engine_series *series = &explore->series[i];
        char share[NUMBER];
        if (series->method == method && !isnan(series->loss))
            add_curve(&s, explore, series, metric, false,
                      loss_text(share, sizeof share, series->loss));
    }
    snprintf(title, sizeof title, "%s of %s, by the share of the rows that may be suppressed",
             metric_title(metric), method->name);
    if (s.count > 1 || explore->method_count == 1)
        draw_curves(page, explore, &s, metric, title, true);
}

static void draw_charts(tacit_page *page, const engine_explore *explore, tacit_metric metric)
{
    if (explore->method_count > 1)
        draw_methods(page, explore, metric);
    for (int m = 0; m < explore->method_count; m++)
        draw_losses(page, explore, metric, explore->methods[m]);
}

static void draw_metric(tacit_page *page, const void *subject)
{
    const engine_explore *explore = subject;
    draw_charts(page, explore, explore->release->wanted.metric);
}

static void draw_prec(tacit_page *page, const void *subject)
{
    draw_charts(page, subject, TACIT_METRIC_PREC);
}

/* ---- facts ---- */

/* For the terminal: a line a series and a column a k. */
static void add_grid(tacit_report *report, const engine_explore *explore, tacit_metric metric)
{
    char texts[ENGINE_EXPLORE_KS][NUMBER], text[NUMBER];
    tacit_report_column columns[ENGINE_EXPLORE_KS + 2] = {{.heading = "method"},
                                                          {.heading = "loss"}};
    int decimals = metric_decimals(explore, metric);
    for (int k = 0; k < explore->k_count; k++) {
        snprintf(texts[k], sizeof texts[k], "k=%lld", (long long)explore->ks[k]);
        columns[k + 2].heading = texts[k];
    }
    tacit_report_begin(report, &(tacit_report_table){.printed = true,
                                                     .columns = columns,
                                                     .column_count = explore->k_count + 2});
    for (int i = 0; i < explore->series_count; i++) {
        const engine_series *series = &explore->series[i];
        tacit_report_cell(report, "%s", series->method->name);
        tacit_report_cell(report, "%s", loss_text(text, sizeof text, series->loss));
        for (int k = 0; k < explore->k_count; k++) {
            double value = point_value(&series->points[k], metric);
            tacit_report_cell(report, "%s",
                              isnan(value) ? "-"
                                           : tacit_number_text(text, sizeof text, value, decimals));
        }
    }
    tacit_report_gap(report);
}

/* On the page as a table; on the terminal in lines. */
static void add_methods(tacit_report *report, const engine_explore *explore)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "method"}, {.heading = "what it does"}, {.heading = "what it found"}};
    char proof[80];
    unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT);
    for (int m = 0; m < explore->method_count; m++)
        tacit_report_line(report, explore->methods[m]->name, "%s; %s", explore->methods[m]->summary,
                          proof_text(proof, sizeof proof, explore, explore->methods[m]));
    tacit_report_show(report, before);
    tacit_report_section(report, "Methods");
    tacit_report_begin(report, TACIT_TABLE(NULL, "The methods", false, COLUMNS));
    for (int m = 0; m < explore->method_count; m++) {
        tacit_report_cell(report, "%s", explore->methods[m]->name);
        tacit_report_cell(report, "%s", explore->methods[m]->summary);
        tacit_report_cell(report, "%s",
                          proof_text(proof, sizeof proof, explore, explore->methods[m]));
    }
}

static void add_point(tacit_report *report, const engine_explore *explore,
                      const engine_series *series, int k)
{
    const engine_point *point = &series->points[k];
    tacit_metric metric = explore->release->wanted.metric;
    bool known = point->state == ENGINE_POINT_KNOWN;
    char loss[NUMBER];
    tacit_report_cell(report, "%s", series->method->name);
    tacit_report_cell(report, "%s", loss_text(loss, sizeof loss, series->loss));
    tacit_report_cell_integer(report, explore->ks[k]);
    tacit_report_cell_real(report, series->loss);
    tacit_report_cell(report, "%s", STATES[point->state]);
    tacit_report_cell_real(report, point_value(point, metric));
    tacit_report_cell_real(report, point_value(point, TACIT_METRIC_PREC));
    if (known) {
        tacit_report_cell_integer(report, point->metrics.suppressed_rows);
        tacit_report_cell_integer(report, point->metrics.classes);
        tacit_report_cell_real(report, tacit_metrics_cost(&point->metrics, metric));
        tacit_report_cell_real(report, point->lower_bound);
        tacit_report_cell_bool(report, point->proven);
        tacit_report_cell_bool(report, point->stopped);
    }
    for (int i = 0; !known && i < 6; i++)
        tacit_report_cell_none(report);
    tacit_report_cell(report, "%s", remark(point));
    tacit_report_cell_real(report, point->seconds);
}

/* A row a point; the metric has a column on the page where it is not Prec. */
static void add_points(tacit_report *report, const engine_explore *explore)
{
    tacit_metric metric = explore->release->wanted.metric;
    const tacit_report_column columns[] = {
        {.key = "method", .heading = "method"},
        {.heading = "loss"},
        {.key = "k", .heading = "k", .format = "%.0f"},
        {.key = "loss"},
        {.key = "state"},
        {.key = "metric_value",
         .heading = metric == TACIT_METRIC_PREC ? NULL : metric_title(metric),
         .decimals = metric_decimals(explore, metric)},
        {.key = "precision", .heading = "Prec", .decimals = 3},
        {.key = "suppressed_rows", .heading = "rows suppressed"},
        {.key = "classes", .heading = "classes"},
        {.key = "cost"},
        {.key = "lower_bound"},
        {.key = "proven"},
        {.key = "stopped"},
        {.heading = "remark"},
        {.key = "seconds"},
    };
    tacit_report_section(report, "Numbers");
    tacit_report_begin(report,
                       TACIT_TABLE("curve", "Every release that was looked at", false, columns));
    for (int i = 0; i < explore->series_count; i++)
        for (int k = 0; k < explore->k_count; k++)
            add_point(report, explore, &explore->series[i], k);
}

/* What was explored, and how. */
static void add_head(tacit_report *report, const engine_explore *explore)
{
    const engine_release *release = explore->release;
    int64_t rows = tacit_table_rows(release->table);
    tacit_metric metric = release->wanted.metric;
    tacit_report_title(report, "%s: %s rows; %s that a release would have; nothing was written",
                       engine_show(release->data).text, engine_count(rows).text,
                       metric_title(metric));
    tacit_report_paragraph(report,
                           "%s that a release would have, found by tacit %s. Nothing was written, "
                           "and nothing judged.",
                           metric_title(metric), tacit_version());
    tacit_report_tile(report, "rows", "%s", engine_count(rows).text);
    tacit_report_tile(report, "quasi-identifiers", "%d", (int)release->frame.attribute_count);
    tacit_report_tile(report, "methods", "%d", explore->method_count);
    tacit_report_tile(report, "releases looked at", "%s", engine_count(explore->done).text);
    tacit_report_text(report, "tacit", tacit_version());
    tacit_report_text(report, "command", "anonymize");
    tacit_report_bool(report, "explore", true);
    tacit_report_integer(report, "rows", rows);
    tacit_report_bool(report, "people", release->frame.person >= 0);
    for (int32_t i = 0; i < release->frame.attribute_count; i++)
        tacit_report_push_text(report, "quasi",
                               tacit_strview_of(release->promise.attributes[i].name));
    tacit_report_text(report, "metric", tacit_metric_name(metric));
}

static void add_exploration(tacit_report *report, const void *subject)
{
    const engine_explore *explore = subject;
    tacit_metric metric = explore->release->wanted.metric;
    add_head(report, explore);
    tacit_report_section(report, metric_title(metric));
    add_grid(report, explore, metric);
    tacit_report_drawing(report, draw_metric, explore);
    if (metric != TACIT_METRIC_PREC) {
        tacit_report_section(report, "Prec of the same releases");
        tacit_report_note(report, "Prec of the same releases");
        tacit_report_gap(report);
        add_grid(report, explore, TACIT_METRIC_PREC);
        tacit_report_drawing(report, draw_prec, explore);
    }
    add_methods(report, explore);
    add_points(report, explore);
    tacit_report_bool(report, "stopped", explore->stopped);
    tacit_report_real(report, "seconds.read", explore->release->seconds[ENGINE_STEP_READ]);
    tacit_report_real(report, "seconds.explore", explore->seconds);
    tacit_report_real(report, "seconds.total", engine_now() - explore->release->session->start);
}

const engine_reports engine_explore_reports = {.title = "What anonymity costs",
                                               .fill = add_exploration};

/* ---- CSV ---- */

static void print_real(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.12g", value);
}

static void print_point(FILE *out, const engine_explore *explore, const engine_series *series,
                        int k)
{
    const engine_point *point = &series->points[k];
    tacit_metric metric = explore->release->wanted.metric;
    bool known = point->state == ENGINE_POINT_KNOWN;
    fprintf(out, "%s,%lld,", series->method->name, (long long)explore->ks[k]);
    print_real(out, series->loss);
    fprintf(out, ",%s,", tacit_metric_name(metric));
    print_real(out, point_value(point, metric));
    fputc(',', out);
    print_real(out, point_value(point, TACIT_METRIC_PREC));
    if (known)
        fprintf(out, ",%lld,%lld,", (long long)point->metrics.suppressed_rows,
                (long long)point->metrics.classes);
    else
        fputs(",,,", out);
    print_real(out, known ? point->lower_bound : NAN);
    fprintf(out, ",%s,%s\n", !known ? "" : point->proven ? "true" : "false", STATES[point->state]);
}

static void print_points(FILE *out, const void *subject)
{
    const engine_explore *explore = subject;
    fputs("method,k,loss,metric,metric_value,precision,suppressed_rows,classes,lower_bound,proven,"
          "state\n",
          out);
    for (int i = 0; i < explore->series_count; i++)
        for (int k = 0; k < explore->k_count; k++)
            print_point(out, explore, &explore->series[i], k);
}

tacit_status engine_explore_write(engine_session *session, engine_print_fn print,
                                  const void *subject)
{
    const char *path = engine_value(session->settings, "output");
    tacit__strbuf text = {0};
    if (!path)
        return TACIT_OK;
    FILE *out = engine_text_stream(&text);
    if (!out)
        return tacit__nomem(&session->error);
    print(out, subject);
    bool failed = fclose(out) != 0 || text.failed;
    tacit_status status =
        failed ? tacit__nomem(&session->error)
               : engine_files_add_text(session, tacit_output_new, path, text.bytes, text.len);
    tacit__strbuf_clear(&text);
    return status;
}

tacit_status engine_explore_commit(const engine_explore *explore)
{
    engine_session *session = explore->release->session;
    tacit_status status = engine_report_print(session, &engine_explore_reports, explore);
    if (explore->stopped)
        engine_warn(session, "stopped %s; what was not reached is shown as -", explore->stopped);
    if (status == TACIT_OK)
        status = engine_explore_write(session, print_points, explore);
    return status == TACIT_OK ? engine_report(session, &engine_explore_reports, explore) : status;
}
