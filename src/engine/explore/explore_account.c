/*
 * explore_account.c - what was explored: a grid on the terminal with a line a
 * series and a column a k, the same as CSV (-o) with a line a point, and as JSON
 * (--report). Only the JSON has times, so the other two are the same bytes
 * whenever the work was not cut short.
 *
 * The grid is what was asked for, so it goes to standard output, unless the CSV
 * does.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/explore/explore.h"
#include "engine/job/files.h"
#include "engine/records/verdict.h"

static const char *const STATES[] = {[ENGINE_POINT_UNREACHED] = "unreached",
                                     [ENGINE_POINT_KNOWN] = "known",
                                     [ENGINE_POINT_NONE] = "none"};

const char *engine_loss_text(char *text, size_t size, double loss)
{
    if (isnan(loss))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%.6g %%", 100 * loss);
    return text;
}

double engine_point_value(const engine_point *point, tacit_metric metric)
{
    return point->state == ENGINE_POINT_KNOWN ? tacit_metrics_value(&point->metrics, metric) : NAN;
}

int engine_metric_decimals(const engine_explore *explore, tacit_metric metric)
{
    double most = 0;
    for (int i = 0; i < explore->series_count; i++)
        for (int k = 0; k < explore->k_count; k++) {
            double value = engine_point_value(&explore->series[i].points[k], metric);
            most = isnan(value) ? most : fmax(most, fabs(value));
        }
    return most < 10 ? 3 : most < 1000 ? 1 : 0;
}

const char *engine_metric_title(tacit_metric metric)
{
    if (metric == TACIT_METRIC_PREC)
        return "Prec";
    return metric == TACIT_METRIC_LOSS ? "loss score" : tacit_metric_name(metric);
}

const char *engine_proof_text(char *text, size_t size, const engine_explore *explore,
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

/* ---- the terminal ---- */

static void add_cell(tacit_grid *grid, double value, int decimals)
{
    char text[32];
    tacit_grid_add(grid, "%s",
                   isnan(value) ? "-" : tacit_number_text(text, sizeof text, value, decimals));
}

static void print_grid(const engine_explore *explore, FILE *out, tacit_metric metric)
{
    char texts[ENGINE_EXPLORE_KS][32];
    const char *header[ENGINE_EXPLORE_KS + 2] = {"method", "loss"};
    int decimals = engine_metric_decimals(explore, metric);
    tacit_grid grid;
    for (int k = 0; k < explore->k_count; k++) {
        snprintf(texts[k], sizeof texts[k], "k=%lld", (long long)explore->ks[k]);
        header[k + 2] = texts[k];
    }
    tacit_grid_init(&grid, header, explore->k_count + 2);
    for (int i = 0; i < explore->series_count; i++) {
        const engine_series *series = &explore->series[i];
        char loss[32];
        tacit_grid_add(&grid, "%s", series->method->name);
        tacit_grid_add(&grid, "%s", engine_loss_text(loss, sizeof loss, series->loss));
        for (int k = 0; k < explore->k_count; k++)
            add_cell(&grid, engine_point_value(&series->points[k], metric), decimals);
    }
    tacit_grid_print(&grid, out);
    tacit_grid_clear(&grid);
    fputc('\n', out);
}

static void print_notes(const engine_explore *explore, FILE *out)
{
    for (int m = 0; m < explore->method_count; m++) {
        const tacit_method *method = explore->methods[m];
        char proof[80], text[400];
        snprintf(text, sizeof text, "%s; %s", method->summary,
                 engine_proof_text(proof, sizeof proof, explore, method));
        engine_print_labelled(out, method->name, text);
    }
}

static void print_terminal(engine_explore *explore, FILE *out)
{
    const engine_release *release = explore->release;
    tacit_metric metric = release->wanted.metric;
    fprintf(out, "%s: %s rows; %s that a release would have; nothing was written\n\n",
            engine_show(release->data).text, engine_count(tacit_table_rows(release->table)).text,
            engine_metric_title(metric));
    print_grid(explore, out, metric);
    if (metric != TACIT_METRIC_PREC) {
        fputs("Prec of the same releases\n\n", out);
        print_grid(explore, out, TACIT_METRIC_PREC);
    }
    print_notes(explore, out);
}

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
    print_real(out, engine_point_value(point, metric));
    fputc(',', out);
    print_real(out, engine_point_value(point, TACIT_METRIC_PREC));
    if (known)
        fprintf(out, ",%lld,%lld,", (long long)point->metrics.suppressed_rows,
                (long long)point->metrics.classes);
    else
        fputs(",,,", out);
    print_real(out, known ? point->lower_bound : NAN);
    fprintf(out, ",%s,%s\n", !known ? "" : point->proven ? "true" : "false", STATES[point->state]);
}

static tacit_status write_csv(const engine_explore *explore, const char *path, tacit_error *err)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    if (!out)
        return tacit__nomem(err);
    fputs("method,k,loss,metric,metric_value,precision,suppressed_rows,classes,lower_bound,proven,"
          "state\n",
          out);
    for (int i = 0; i < explore->series_count; i++)
        for (int k = 0; k < explore->k_count; k++)
            print_point(out, explore, &explore->series[i], k);
    bool failed = ferror(out);
    failed |= fclose(out) != 0;
    tacit_status status = failed ? tacit__nomem(err) : engine_write_text(path, text, len, err);
    tacit__free(text);
    return status;
}

/* ---- JSON ---- */

static void add_point(tacit_account *account, const engine_explore *explore,
                      const engine_series *series, int k)
{
    const engine_point *point = &series->points[k];
    tacit_metric metric = explore->release->wanted.metric;
    tacit_account_push_object(account, "curve");
    tacit_account_text(account, "@.method", tacit_strview_of(series->method->name));
    tacit_account_integer(account, "@.k", explore->ks[k]);
    tacit_account_real(account, "@.loss", series->loss);
    tacit_account_text(account, "@.state", tacit_strview_of(STATES[point->state]));
    tacit_account_real(account, "@.precision", engine_point_value(point, TACIT_METRIC_PREC));
    tacit_account_real(account, "@.metric_value", engine_point_value(point, metric));
    if (point->state == ENGINE_POINT_KNOWN) {
        tacit_account_integer(account, "@.suppressed_rows", point->metrics.suppressed_rows);
        tacit_account_integer(account, "@.classes", point->metrics.classes);
        tacit_account_real(account, "@.cost", tacit_metrics_cost(&point->metrics, metric));
        tacit_account_real(account, "@.lower_bound", point->lower_bound);
        tacit_account_bool(account, "@.proven", point->proven);
        tacit_account_bool(account, "@.stopped", point->stopped);
    }
    tacit_account_real(account, "@.seconds", point->seconds);
}

static void fill_account(tacit_account *account, const void *subject)
{
    const engine_explore *explore = subject;
    const engine_release *release = explore->release;
    tacit_account_text(account, "tacit", tacit_strview_of(tacit_version()));
    tacit_account_text(account, "command", tacit_strview_of("anonymize"));
    tacit_account_bool(account, "explore", true);
    tacit_account_integer(account, "rows", tacit_table_rows(release->table));
    tacit_account_bool(account, "people", release->frame.person >= 0);
    for (int32_t i = 0; i < release->frame.attribute_count; i++)
        tacit_account_push_text(account, "quasi",
                                tacit_strview_of(release->promise.attributes[i].name));
    tacit_account_text(account, "metric",
                       tacit_strview_of(tacit_metric_name(release->wanted.metric)));
    for (int i = 0; i < explore->series_count; i++)
        for (int k = 0; k < explore->k_count; k++)
            add_point(account, explore, &explore->series[i], k);
    tacit_account_bool(account, "stopped", explore->stopped);
    tacit_account_real(account, "seconds.read", release->seconds[ENGINE_STEP_READ]);
    tacit_account_real(account, "seconds.explore", explore->seconds);
    tacit_account_real(account, "seconds.total", engine_now() - release->session->start);
}

/* ---- all of them ---- */

const engine_reports engine_explore_reports = {"What anonymity costs", fill_account,
                                               engine_explore_page, NULL};

tacit_status engine_explore_tell(FILE *out, engine_explore *explore)
{
    engine_session *session = explore->release->session;
    const char *target = engine_value(session->settings, "output");
    print_terminal(explore, out);
    engine_session_flush(session);
    if (explore->stopped)
        engine_warn(session, "stopped %s; what was not reached is shown as -", explore->stopped);
    tacit_status status = target ? write_csv(explore, target, &session->error) : TACIT_OK;
    return status == TACIT_OK ? engine_report(session, &engine_explore_reports, explore) : status;
}
