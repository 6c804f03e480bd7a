/*
 * explore_page.c - the page of --explore --html: methods against each other at
 * one loss, then each method at every loss, then every number.
 *
 * A method that searches and cannot prove that it has the best has a second
 * curve: what no release of its kind can pass.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/explore/explore.h"

enum { NUMBER = 32, NAME = 64 };

/* Curves in the making: values and names stay here. */
typedef struct sheet {
    double x[ENGINE_EXPLORE_KS];
    double values[TACIT_MAX_CURVES][ENGINE_EXPLORE_KS];
    char names[TACIT_MAX_CURVES][NAME];
    tacit_curve curves[TACIT_MAX_CURVES];
    int count;
} sheet;

/* What no release of the method's kind passes, as a value of the metric. */
static double best_possible(const engine_point *point, tacit_metric metric)
{
    if (isnan(engine_point_value(point, metric)) || point->proven)
        return NAN;
    return tacit_metric_of_cost(metric, point->lower_bound);
}

static void add_curve(sheet *s, const engine_explore *explore, const engine_series *series,
                      tacit_metric metric, bool bound, const char *name)
{
    if (s->count == TACIT_MAX_CURVES)
        return;
    double *values = s->values[s->count];
    bool any = false;
    for (int k = 0; k < explore->k_count; k++) {
        const engine_point *point = &series->points[k];
        values[k] = bound ? best_possible(point, metric) : engine_point_value(point, metric);
        any |= isfinite(values[k]);
    }
    if (!any)
        return;
    snprintf(s->names[s->count], NAME, bound ? "%s, at best" : "%s", name);
    s->curves[s->count] = (tacit_curve){s->names[s->count], values, bound};
    s->count++;
}

static void show(tacit_page *page, const engine_explore *explore, sheet *s, tacit_metric metric,
                 const char *title, bool ordered)
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
                                .y_label = engine_metric_title(metric),
                                .x = s->x,
                                .x_count = explore->k_count,
                                .curves = s->curves,
                                .curve_count = s->count,
                                .ordered = ordered,
                                .decimals = engine_metric_decimals(explore, metric),
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

static void add_methods(tacit_page *page, const engine_explore *explore, tacit_metric metric)
{
    sheet s = {0};
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
             engine_metric_title(metric), engine_loss_text(share, sizeof share, loss));
    show(page, explore, &s, metric, title, false);
}

static void add_losses(tacit_page *page, const engine_explore *explore, tacit_metric metric,
                       const tacit_method *method)
{
    sheet s = {0};
    char title[200];
    for (int i = 0; i < explore->series_count; i++) {
        const engine_series *series = &explore->series[i];
        char share[NUMBER];
        if (series->method == method && !isnan(series->loss))
            add_curve(&s, explore, series, metric, false,
                      engine_loss_text(share, sizeof share, series->loss));
    }
    snprintf(title, sizeof title, "%s of %s, by the share of the rows that may be suppressed",
             engine_metric_title(metric), method->name);
    if (s.count > 1 || explore->method_count == 1)
        show(page, explore, &s, metric, title, true);
}

static void add_charts(tacit_page *page, const engine_explore *explore, tacit_metric metric)
{
    if (explore->method_count > 1)
        add_methods(page, explore, metric);
    for (int m = 0; m < explore->method_count; m++)
        add_losses(page, explore, metric, explore->methods[m]);
}

static void add_tiles(tacit_page *page, const engine_explore *explore)
{
    static const char *const NAMES[] = {"rows", "quasi-identifiers", "methods",
                                        "releases looked at"};
    const engine_release *release = explore->release;
    const double numbers[] = {(double)tacit_table_rows(release->table),
                              (double)release->frame.attribute_count, (double)explore->method_count,
                              (double)explore->done};
    char texts[4][NUMBER];
    const char *values[4];
    for (int i = 0; i < 4; i++)
        values[i] = tacit_number_text(texts[i], NUMBER, numbers[i], 0);
    tacit_page_tiles(page, NAMES, values, 4);
}

static void add_methods_text(tacit_page *page, const engine_explore *explore)
{
    static const char *const HEADER[] = {"method", "what it does", "what it found"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 3);
    for (int m = 0; m < explore->method_count; m++) {
        char proof[80];
        tacit_grid_add(&grid, "%s", explore->methods[m]->name);
        tacit_grid_add(&grid, "%s", explore->methods[m]->summary);
        tacit_grid_add(&grid, "%s",
                       engine_proof_text(proof, sizeof proof, explore, explore->methods[m]));
    }
    tacit_grid_show(&grid, page, "The methods");
    tacit_grid_clear(&grid);
}

static void add_number(tacit_grid *grid, double value, int decimals)
{
    char text[NUMBER];
    tacit_grid_add(grid, "%s", tacit_number_text(text, sizeof text, value, decimals));
}

static const char *remark(const engine_point *point)
{
    if (point->state == ENGINE_POINT_UNREACHED)
        return "not reached";
    if (point->state == ENGINE_POINT_NONE)
        return "no release";
    return point->proven ? "proven the best" : point->stopped ? "stopped" : "";
}

static void add_point(tacit_grid *grid, const engine_explore *explore, const engine_series *series,
                      int k)
{
    tacit_metric metric = explore->release->wanted.metric;
    const engine_point *point = &series->points[k];
    bool known = point->state == ENGINE_POINT_KNOWN;
    char loss[NUMBER];
    tacit_grid_add(grid, "%s", series->method->name);
    tacit_grid_add(grid, "%s", engine_loss_text(loss, sizeof loss, series->loss));
    tacit_grid_add(grid, "%lld", (long long)explore->ks[k]);
    if (metric != TACIT_METRIC_PREC)
        add_number(grid, engine_point_value(point, metric),
                   engine_metric_decimals(explore, metric));
    add_number(grid, engine_point_value(point, TACIT_METRIC_PREC), 3);
    add_number(grid, known ? (double)point->metrics.suppressed_rows : NAN, 0);
    add_number(grid, known ? (double)point->metrics.classes : NAN, 0);
    tacit_grid_add(grid, "%s", remark(point));
}

/* A row a point; the metric has a column where it is not Prec. */
static void add_points(tacit_page *page, const engine_explore *explore)
{
    tacit_metric metric = explore->release->wanted.metric;
    const char *header[8];
    int columns = 0;
    const char *const all[] = {
        "method",          "loss",    "k",     engine_metric_title(metric), "Prec",
        "rows suppressed", "classes", "remark"};
    for (int i = 0; i < 8; i++)
        if (i != 3 || metric != TACIT_METRIC_PREC)
            header[columns++] = all[i];
    tacit_grid grid;
    tacit_grid_init(&grid, header, columns);
    for (int i = 0; i < explore->series_count; i++)
        for (int k = 0; k < explore->k_count; k++)
            add_point(&grid, explore, &explore->series[i], k);
    tacit_grid_show(&grid, page, "Every release that was looked at");
    tacit_grid_clear(&grid);
}

void engine_explore_page(tacit_page *page, const void *subject)
{
    const engine_explore *explore = subject;
    tacit_metric metric = explore->release->wanted.metric;
    char text[200];
    snprintf(text, sizeof text,
             "%s that a release would have, found by tacit %s. Nothing was written, and nothing "
             "judged.",
             engine_metric_title(metric), tacit_version());
    tacit_page_paragraph(page, text);
    add_tiles(page, explore);
    tacit_page_heading(page, engine_metric_title(metric));
    add_charts(page, explore, metric);
    if (metric != TACIT_METRIC_PREC) {
        tacit_page_heading(page, "Prec of the same releases");
        add_charts(page, explore, TACIT_METRIC_PREC);
    }
    tacit_page_heading(page, "Methods");
    add_methods_text(page, explore);
    tacit_page_heading(page, "Numbers");
    add_points(page, explore);
}
