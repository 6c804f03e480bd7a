/*
 * release_previous.c - a release that withstands being joined with earlier ones (5.5.2 and
 * 5.5.3 of Sweeney, Computational Disclosure Control), by one of two ways.
 *
 * Columns: every column that an earlier release shows joins the quasi-identifier, so that all rows
 * of a class are the same in everything they can be joined on. Where that is not enough, because
 * the earlier release still tells rows of one class apart by those columns, they are suppressed
 * altogether; then nothing is left to tell rows by.
 *
 * Generalize: the method starts from the earlier releases' labels instead of the values.
 *
 * Both are solved and compared by the policy's metric over the same columns of the same data.
 * The wide release is a second engine_release over the same table, whose policy calls every shared
 * column a quasi-identifier; where it is the better one, the steps that follow go on with it.
 */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/records/release.h"

/* ---- the two ways ---- */

/* A way that does not lead anywhere is no failure yet; anything else is one. */
static tacit_status note(engine_way *way, tacit_status status, tacit_error *err)
{
    if (status != TACIT_INFEASIBLE)
        return status;
    snprintf(way->why, sizeof way->why, "%.240s", err->message);
    *err = (tacit_error){0};
    return TACIT_OK;
}

/* Rows that do not stand when the release is joined with any of the earlier ones. */
static tacit_status count_exposed(int64_t *exposed, const tacit_rowwise *rowwise,
                                  engine_release *release)
{
    const engine_previous *previous = release->previous;
    engine_session *session = release->session;
    tacit_status status = TACIT_OK;
    *exposed = 0;
    for (size_t i = 0; i < previous->count && status == TACIT_OK; i++) {
        tacit_previous_answer answer = {0};
        const tacit_previous_question question = {.previous = previous->matched[i],
                                                  .frame = &previous->wide->frame,
                                                  .release = rowwise,
                                                  .drop_suppressed =
                                                      release->policy->drop_suppressed,
                                                  .k = release->wanted.k};
        status = tacit_previous_check(&answer, NULL, &question, &session->run, &session->error);
        *exposed += answer.exposed + answer.exposed_gone;
    }
    return status;
}

/* The release as it would be without earlier ones, its other shared columns suppressed. */
static tacit_status hide_columns(tacit_rowwise **out, engine_release *release)
{
    engine_release *wide = release->previous->wide;
    engine_session *session = release->session;
    tacit_rowwise *narrow = NULL;
    tacit_solution_free(release->solution);
    release->solution = NULL;
    tacit_status status = engine_release_search(release);
    if (status == TACIT_OK)
        status = tacit_rowwise_of(&narrow, release->solution, &release->frame, &session->run,
                                  &session->error);
    if (status == TACIT_OK)
        status = tacit_rowwise_with(out, narrow, release->previous->wide_places,
                                    wide->frame.attribute_count, &session->error);
    for (int64_t row = 0; status == TACIT_OK && row < narrow->rows; row++)
        for (int32_t a = 0; a < wide->frame.attribute_count; a++)
            if (release->previous->wide_places[a] < 0)
                (*out)->levels[row * wide->frame.attribute_count + a] =
                    (uint8_t)tacit_hierarchy_height(wide->hierarchies[a]);
    tacit_rowwise_free(narrow);
    tacit_solution_free(release->solution);
    release->solution = NULL;
    return status;
}

static const tacit_apply_options *how_to_apply(tacit_apply_options *options,
                                               const engine_release *release)
{
    *options = (tacit_apply_options){.keep_order = release->policy->keep_order,
                                     .drop_suppressed = release->policy->drop_suppressed};
    return options;
}

/* Columns that stay distinguishable are suppressed altogether. */
static tacit_status hide_if_exposed(tacit_rowwise **rowwise, engine_release *release)
{
    engine_release *wide = release->previous->wide;
    engine_session *session = release->session;
    int64_t exposed = 0;
    tacit_status status = count_exposed(&exposed, *rowwise, release);
    if (status != TACIT_OK || exposed == 0)
        return status;
    tacit_rowwise_free(*rowwise);
    *rowwise = NULL;
    release->previous->hidden = true;
    status = hide_columns(rowwise, release);
    if (status == TACIT_OK)
        status = count_exposed(&exposed, *rowwise, release);
    if (status == TACIT_OK && exposed > 0)
        return tacit__error(
            &session->error, TACIT_INFEASIBLE,
            "%lld %s would stand out when the release is joined with an earlier one",
            (long long)exposed, exposed == 1 ? "row" : "rows");
    tacit_apply_options options;
    tacit_solution_free(wide->solution);
    wide->solution = NULL;
    if (status == TACIT_OK)
        status =
            tacit_rowwise_release(&wide->solution, &wide->application, *rowwise, &wide->frame,
                                  how_to_apply(&options, release), &session->run, &session->error);
    return status;
}

/* Models speak of classes with several values of a column; as a quasi-identifier it has one. */
static tacit_status check_models(const engine_release *release)
{
    const engine_previous *previous = release->previous;
    for (int32_t w = 0; w < previous->wide->promise.promise.attribute_count; w++) {
        const char *name = previous->wide->promise.attributes[w].name;
        const tacit_policy_column *column =
            tacit_policy_find(release->policy, tacit_strview_of(name));
        if (previous->wide_places[w] < 0 && column && column->model_count > 0)
            return tacit__error(
                &release->session->error, TACIT_INFEASIBLE,
                "column \"%.64s\", of which more than k is promised, cannot join the "
                "quasi-identifier",
                name);
    }
    return TACIT_OK;
}

static tacit_status try_columns(engine_release *release)
{
    engine_release *wide = release->previous->wide;
    engine_session *session = release->session;
    engine_way *way = &release->previous->ways[ENGINE_WAY_COLUMNS];
    tacit_rowwise *rowwise = NULL;
    tacit_metrics metrics;
    tacit_status status = check_models(release);
    if (status == TACIT_OK)
        status = engine_release_search(wide);
    if (status == TACIT_OK)
        status = tacit_rowwise_of(&rowwise, wide->solution, &wide->frame, &session->run,
                                  &session->error);
    if (status == TACIT_OK)
        status = hide_if_exposed(&rowwise, release);
    if (status == TACIT_OK)
        status = tacit_metrics_of(&metrics, wide->solution, NULL, &wide->frame, &wide->wanted,
                                  &session->run, &session->error);
    if (status == TACIT_OK) {
        way->found = true;
        way->cost = tacit_metrics_cost(&metrics, release->wanted.metric);
    }
    tacit_rowwise_free(rowwise);
    return note(way, status, &session->error);
}

/* What a release of the narrow frame costs over the columns of the wide one. Metrics of
 * classes go by the classes that are promised, on either frame. */
static tacit_status find_cost(double *cost, const tacit_rowwise *rowwise, engine_release *release)
{
    const engine_previous *previous = release->previous;
    engine_session *session = release->session;
    tacit_metric metric = release->wanted.metric;
    bool of_classes = metric == TACIT_METRIC_DISCERNIBILITY || metric == TACIT_METRIC_AVERAGE;
    const tacit_frame *frame = of_classes ? &release->frame : &previous->wide->frame;
    tacit_solution *solution = NULL;
    tacit_rowwise *wide = NULL;
    tacit_apply_options options;
    tacit_metrics metrics;
    tacit_status status =
        tacit_rowwise_with(&wide, rowwise, previous->wide_places,
                           previous->wide->frame.attribute_count, &session->error);
    if (status == TACIT_OK)
        status =
            tacit_rowwise_release(&solution, NULL, of_classes ? rowwise : wide, frame,
                                  how_to_apply(&options, release), &session->run, &session->error);
    if (status == TACIT_OK)
        status = tacit_metrics_of(&metrics, solution, NULL, frame, &release->wanted, &session->run,
                                  &session->error);
    if (status == TACIT_OK)
        *cost = tacit_metrics_cost(&metrics, metric);
    tacit_solution_free(solution);
    tacit_rowwise_free(wide);
    return status;
}

static tacit_status try_generalize(engine_release *release)
{
    const engine_previous *previous = release->previous;
    engine_session *session = release->session;
    engine_way *way = &release->previous->ways[ENGINE_WAY_GENERALIZE];
    const tacit_previous_task task = {
        .previous = (const tacit_previous *const *)previous->matched,
        .previous_count = (int32_t)previous->count,
        .wide = &previous->wide->frame,
        .frame = &release->frame,
        .places = previous->places,
        .method = release->method,
        .options = &release->wanted,
    };
    tacit_apply_options options;
    tacit_rowwise *rowwise = NULL;
    engine_release_limits(release);
    tacit_status status =
        tacit_previous_generalize(&rowwise, &task, &session->run, &session->error);
    if (status == TACIT_OK)
        status = find_cost(&way->cost, rowwise, release);
    if (status == TACIT_OK)
        status = tacit_rowwise_release(&release->solution, &release->application, rowwise,
                                       &release->frame, how_to_apply(&options, release),
                                       &session->run, &session->error);
    way->found = status == TACIT_OK;
    tacit_rowwise_free(rowwise);
    return note(way, status, &session->error);
}

/* ---- the better of both ---- */

static tacit_status choose(engine_release *release)
{
    engine_previous *previous = release->previous;
    const engine_way *columns = &previous->ways[ENGINE_WAY_COLUMNS],
                     *generalize = &previous->ways[ENGINE_WAY_GENERALIZE];
    if (!columns->found && !generalize->found) {
        const char *forced = release->policy->previous_way;
        bool first = forced && strcmp(forced, "columns") == 0;
        return tacit__error(&release->session->error, TACIT_INFEASIBLE,
                            "no release withstands being joined with the earlier ones: %s%s%s",
                            first ? columns->why : generalize->why, forced ? "" : "; ",
                            forced ? "" : columns->why);
    }
    bool by_columns = columns->found && (!generalize->found || columns->cost < generalize->cost);
    previous->chosen = by_columns ? ENGINE_WAY_COLUMNS : ENGINE_WAY_GENERALIZE;
    if (by_columns) {
        tacit_application_free(release->application);
        tacit_solution_free(release->solution);
        release->application = NULL;
        release->solution = NULL;
    }
    return TACIT_OK;
}

tacit_status engine_previous_search(engine_release *release)
{
    const char *forced = release->policy->previous_way;
    tacit_status status = engine_previous_match(release);
    if (status == TACIT_OK && (!forced || strcmp(forced, "columns") == 0))
        status = try_columns(release);
    if (status == TACIT_OK && (!forced || strcmp(forced, "generalize") == 0))
        status = try_generalize(release);
    return status == TACIT_OK ? choose(release) : status;
}

bool engine_previous_fall_back(engine_release *release, tacit_status status)
{
    engine_previous *previous = release->previous;
    if (status != TACIT_INFEASIBLE || !previous || previous->chosen != ENGINE_WAY_GENERALIZE ||
        !previous->ways[ENGINE_WAY_COLUMNS].found)
        return false;
    engine_way *way = &previous->ways[ENGINE_WAY_GENERALIZE];
    way->found = false;
    previous->chosen = ENGINE_WAY_COLUMNS;
    return note(way, status, &release->session->error) == TACIT_OK;
}

/* ---- facts ---- */

static const char *const NAMES[ENGINE_WAYS] = {"columns", "generalize"};

static void add_cost(char *text, size_t size, const engine_previous *previous, int way,
                     tacit_metric metric)
{
    const engine_way *came = &previous->ways[way];
    if (came->found)
        engine_append(text, size, "; %s %.6g by %s", tacit_metric_name(metric),
                      tacit_metric_of_cost(metric, came->cost), NAMES[way]);
    else if (came->why[0])
        engine_append(text, size, "; none by %s (%s)", NAMES[way], came->why);
}

static void say_way(tacit_report *report, const engine_release *release)
{
    const engine_previous *previous = release->previous;
    const char *said =
        previous->chosen == ENGINE_WAY_GENERALIZE ? "the release generalizes earlier ones"
        : previous->hidden ? "columns that earlier releases show are suppressed altogether"
                           : "columns that earlier releases show join the quasi-identifier";
    char text[768];
    snprintf(text, sizeof text, "%s", said);
    add_cost(text, sizeof text, previous, previous->chosen, release->wanted.metric);
    add_cost(text, sizeof text, previous, 1 - previous->chosen, release->wanted.metric);
    tacit_report_line(report, "withstands", "%s", text);
}

static void add_ways(tacit_report *report, const engine_previous *previous)
{
    for (int i = 0; i < ENGINE_WAYS; i++) {
        char path[64];
        const engine_way *way = &previous->ways[i];
        snprintf(path, sizeof path, "cost.%s", NAMES[i]);
        tacit_report_real(report, path, way->found ? way->cost : NAN);
        snprintf(path, sizeof path, "why_not.%s", NAMES[i]);
        if (way->why[0])
            tacit_report_text(report, path, way->why);
    }
}

static void add_earlier(tacit_report *report, const char *name, const tacit_previous *matched)
{
    tacit_report_line(report, "earlier",
                      "%.128s: %s of its %s rows are in the data; %s rows of the data are new",
                      name, engine_count(matched->matched).text, engine_count(matched->rows).text,
                      engine_count(matched->added).text);
    tacit_report_item(report, "releases");
    tacit_report_text(report, "name", name);
    tacit_report_integer(report, "rows", matched->rows);
    tacit_report_integer(report, "matched", matched->matched);
    tacit_report_integer(report, "new", matched->added);
    tacit_report_integer(report, "gone", matched->removed);
    tacit_report_leave(report);
}

void engine_previous_facts(tacit_report *report, const engine_release *release)
{
    const engine_previous *previous = release->previous;
    if (!previous)
        return;
    tacit_report_section(report, "Earlier releases");
    tacit_report_enter(report, "previous");
    tacit_report_text(report, "way", NAMES[previous->chosen]);
    tacit_report_bool(report, "columns_suppressed",
                      previous->chosen == ENGINE_WAY_COLUMNS && previous->hidden);
    tacit_report_integer(report, "new_rows", previous->added);
    add_ways(report, previous);
    for (size_t i = 0; i < previous->count; i++)
        add_earlier(report, release->earlier.releases[i].name, previous->matched[i]);
    say_way(report, release);
    tacit_report_leave(report);
}
