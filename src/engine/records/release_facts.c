/*
 * release_facts.c - what there is to say of a release: what was done to the data, what that costs,
 * what the judge and the attacks found. Nothing shows an original value, and the seed is nowhere,
 * for it would undo the random order of the rows.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/job/files.h"
#include "engine/masking/measured.h"
#include "engine/records/release.h"
#include "engine/records/verdict.h"

enum { NUMBER = 32 };

static const char *attribute_name(const engine_release *release, int32_t attribute)
{
    return release->promise.attributes[attribute].name;
}

/* ---- generalization ---- */

static void add_example(tacit_report *report, tacit_strview example, bool as_it_is)
{
    if (as_it_is)
        tacit_report_cell(report, "unchanged");
    else if (example.len)
        tacit_report_cell_view(report, example);
    else
        tacit_report_cell(report, "(missing)");
}

static void show_levels(tacit_report *report, const engine_release *release)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "attribute"},
        {.heading = "level"},
        {.heading = "values before", .where = TACIT_SHOW_PAGE},
        {.heading = "values after", .where = TACIT_SHOW_PAGE},
        {.heading = "released, for example"},
    };
    tacit_report_begin(report, TACIT_TABLE(NULL, "How far each attribute was generalized",
                                           tacit_policy_generalizes(release->policy), COLUMNS));
    for (int32_t i = 0; i < release->frame.attribute_count; i++) {
        const tacit_hierarchy *hierarchy = release->hierarchies[i];
        int level = release->solution->levels[i];
        tacit_report_cell(report, "%s", attribute_name(release, i));
        tacit_report_cell(report, "%d of %d", level, tacit_hierarchy_height(hierarchy));
        tacit_report_cell_integer(report, tacit_hierarchy_count(hierarchy, 0));
        tacit_report_cell_integer(report, tacit_hierarchy_count(hierarchy, level));
        add_example(report, release->examples[i], level == 0);
    }
}

/* Levels that are shown: what lies beyond is added up in the last one. */
enum { LEVELS_SHOWN = 6 };

/* The highest level of an attribute that is shown by itself, or with others. */
static int highest_shown(const engine_release *release)
{
    int highest = 0;
    for (int32_t i = 0; i < release->frame.attribute_count; i++) {
        int height = tacit_hierarchy_height(release->hierarchies[i]);
        highest = height > highest ? height : highest;
    }
    return highest < LEVELS_SHOWN ? highest : LEVELS_SHOWN - 1;
}

/* Cells have levels of their own: their mean, and how many are on which. */
static void show_cells(tacit_report *report, const engine_release *release)
{
    static const char *const LEVELS[LEVELS_SHOWN] = {"unchanged", "level 1", "level 2",
                                                     "level 3",   "level 4", "5 or more"};
    tacit_report_column columns[LEVELS_SHOWN + 4] = {{.heading = "attribute"},
                                                     {.heading = "mean level"}};
    int highest = highest_shown(release), count = 2;
    for (int level = 0; level <= highest; level++)
        columns[count++] = (tacit_report_column){
            .heading = LEVELS[level], .format = "%.1f%%", .where = level ? TACIT_SHOW_PAGE : 0U};
    columns[count++] = (tacit_report_column){
        .heading = "most general", .format = "%.1f%%", .where = TACIT_SHOW_TEXT};
    columns[count++] = (tacit_report_column){.heading = "for example"};
    tacit_report_begin(report, &(tacit_report_table){
                                   .title = "How many cells of each attribute are on which level",
                                   .printed = true,
                                   .columns = columns,
                                   .column_count = count});
    for (int32_t i = 0; i < release->frame.attribute_count; i++) {
        const int64_t *rows = &release->level_rows[i * TACIT_MAX_LEVELS];
        int height = tacit_hierarchy_height(release->hierarchies[i]);
        double all = release->metrics.rows > 0 ? (double)release->metrics.rows : 1, levels = 0;
        double shares[LEVELS_SHOWN] = {0};
        for (int level = 0; level <= height; level++) {
            levels += (double)rows[level] * level;
            shares[level && level < highest ? level
                   : level                  ? highest
                                            : 0] += 100 * (double)rows[level] / all;
        }
        tacit_report_cell(report, "%s", attribute_name(release, i));
        tacit_report_cell(report, "%.2f of %d", levels / all, height);
        for (int level = 0; level <= highest; level++)
            if (level <= height)
                tacit_report_cell_real(report, shares[level]);
            else
                tacit_report_cell_none(report);
        tacit_report_cell_real(report, 100 * (double)rows[height] / all);
        add_example(report, release->examples[i], !release->examples[i].bytes);
    }
}

/* Where cells have levels of their own: rows on each level, from the ground. */
static void add_cell_levels(tacit_report *report, const engine_release *release)
{
    for (int32_t i = 0; i < release->frame.attribute_count; i++) {
        tacit_report_item(report, "cell_levels");
        tacit_report_text(report, "attribute", attribute_name(release, i));
        for (int level = 0; level <= tacit_hierarchy_height(release->hierarchies[i]); level++)
            tacit_report_push_integer(report, "rows",
                                      release->level_rows[i * TACIT_MAX_LEVELS + level]);
        tacit_report_leave(report);
    }
}

static void list_attributes(tacit_report *report, const engine_release *release)
{
    int heights[TACIT_MAX_QUASI];
    int32_t count = release->frame.attribute_count;
    for (int32_t i = 0; i < count; i++) {
        tacit_strview name = tacit_strview_of(attribute_name(release, i));
        heights[i] = tacit_hierarchy_height(release->hierarchies[i]);
        tacit_report_push_text(report, "quasi", name);
        if (!release->solution->boxes)
            tacit_report_integer_in(report, "levels", name, release->solution->levels[i]);
        tacit_report_integer_in(report, "heights", name, heights[i]);
    }
    tacit_report_real(report, "lattice_size", tacit_lattice_size(heights, count));
    tacit_report_real(report, "strategies", tacit_lattice_strategies(heights, count));
    tacit_report_list(report, "steps");
    for (int32_t i = 0; i < release->solution->step_count; i++) {
        const tacit_step *step = &release->solution->steps[i];
        if (step->attribute < 0)
            continue;
        tacit_report_item(report, "steps");
        tacit_report_text(report, "attribute", attribute_name(release, step->attribute));
        tacit_report_integer(report, "distinct", step->distinct);
        tacit_report_leave(report);
    }
}

/* ---- the search ---- */

static double cost_of(const engine_release *release)
{
    return tacit_metrics_cost(&release->metrics, release->wanted.metric);
}

static double search_bound(const engine_release *release)
{
    const tacit_search *search = &release->solution->search;
    return search->nodes > 0 ? search->lower_bound : NAN;
}

/* How much of the cost could be saved at most; not a number where nothing is known. */
static double search_gap(const engine_release *release)
{
    double cost = cost_of(release), bound = search_bound(release);
    if (release->solution->search.proven || cost <= bound)
        return 0;
    return (cost - bound) / cost;
}

/* How far the answer can be from the best. Searches bound the cost that they make small; where more
 * of a metric is better, people are shown the bound on the metric itself. */
/* Nobody counts the digits of a wide table's lattice. */
static const char *candidates_text(char *text, size_t size, double candidates)
{
    if (candidates < 1e18)
        return tacit_number_text(text, size, candidates, 0);
    if (isfinite(candidates))
        snprintf(text, size, "%.2g", candidates);
    else
        snprintf(text, size, "more than 1e+308");
    return text;
}

static void say_search(tacit_report *report, const engine_release *release)
{
    const tacit_search *search = &release->solution->search;
    tacit_metric metric = release->wanted.metric;
    double gap = search_gap(release);
    char best[128] = "", nodes[NUMBER];
    if (search->nodes <= 0)
        return;
    if (search->proven)
        snprintf(best, sizeof best, ", the best there is");
    else if (!isnan(gap))
        snprintf(best, sizeof best,
                 ", at best %.6g (at most %.1f%% of what is lost could be saved)",
                 tacit_metric_of_cost(metric, search_bound(release)), 100 * gap);
    /* nodes of a lattice are looked at once; other candidates may come back */
    tacit_report_line(report, "search",
                      release->solution->boxes ? "%s %.6g%s; %s evaluations of %s candidates"
                                               : "%s %.6g%s; %s of %s candidates looked at",
                      tacit_metric_name(metric), tacit_metrics_value(&release->metrics, metric),
                      best, engine_count(search->nodes_checked).text,
                      candidates_text(nodes, sizeof nodes, search->nodes));
}

static void add_minimal(tacit_report *report, const engine_release *release)
{
    const tacit_search *search = &release->solution->search;
    int32_t count = release->frame.attribute_count;
    tacit_report_list(report, "minimal");
    for (int64_t i = 0; i < search->minimal_count; i++) {
        tacit_report_item(report, "minimal");
        for (int32_t a = 0; a < count; a++)
            tacit_report_push_integer(report, "levels", search->minimal[i * count + a]);
        tacit_report_real(report, "cost", search->minimal_costs[i]);
        tacit_report_leave(report);
    }
}

static void add_search(tacit_report *report, const engine_release *release)
{
    const tacit_search *search = &release->solution->search;
    tacit_metric metric = release->wanted.metric;
    tacit_report_text(report, "metric", tacit_metric_name(metric));
    tacit_report_real(report, "metric_value", tacit_metrics_value(&release->metrics, metric));
    tacit_report_real(report, "cost", cost_of(release));
    tacit_report_real(report, "lower_bound", search_bound(release));
    tacit_report_real(report, "gap", search_gap(release));
    tacit_report_bool(report, "proven", search->proven);
    tacit_report_bool(report, "stopped", search->stopped);
    tacit_report_real(report, "nodes", search->nodes);
    tacit_report_integer(report, "nodes_checked", search->nodes_checked);
    if (release->wanted.all_minimal)
        add_minimal(report, release);
    if (release->solution->boxes)
        add_cell_levels(report, release);
}

/* ---- classes ---- */

/* The sizes of a bin in words; false where k leaves it none. */
static bool bin_name(char *text, size_t size, int64_t k, int bin)
{
    int64_t from, to;
    if (!tacit_size_bin_range(&from, &to, k, bin))
        return false;
    snprintf(text, size, from == to ? "%lld" : "%lld-%lld", (long long)from, (long long)to);
    return true;
}

static void draw_sizes(tacit_page *page, const void *subject)
{
    const engine_release *release = subject;
    char texts[TACIT_MAX_BARS][2 * NUMBER], marker_name[NUMBER];
    const char *names[TACIT_MAX_BARS];
    double before[TACIT_MAX_BARS], after[TACIT_MAX_BARS];
    int shown = 0, count = 1, marker = 0;
    for (int i = 0; i < TACIT_SIZE_BINS && shown < TACIT_MAX_BARS; i++) {
        if (i == 2)
            marker = shown; /* what may be released lies behind it */
        if (!bin_name(texts[shown], sizeof texts[shown], release->wanted.k, i))
            continue;
        names[shown] = texts[shown];
        before[shown] = (double)release->before.rows[i];
        after[shown] = (double)release->after.rows[i];
        shown++;
        if (release->before.rows[i] > 0 || release->after.rows[i] > 0)
            count = shown;
    }
    snprintf(marker_name, sizeof marker_name, "k = %lld", (long long)release->wanted.k);
    const tacit_bars bars = {
        .title = "Rows by the size of their class",
        .x_label = release->frame.households    ? "households in the class"
                   : release->frame.person >= 0 ? "people in the class"
                                                : "rows in the class",
        .y_label = "rows",
        .names = names,
        .first = before,
        .second = after,
        .first_name = "before",
        .second_name = "released",
        .count = count,
        .root_scale = true,
        .marker = marker < count ? marker : count,
        .marker_name = marker_name,
    };
    tacit_page_bars(page, &bars);
}

static int bins_used(const tacit_size_bins *bins)
{
    int count = TACIT_SIZE_BINS;
    while (count > 0 && !bins->classes[count - 1])
        count--;
    return count;
}

/* Classes by size before and after, bin by bin; `from` is each bin's smallest
 * size, and bins that k leaves no size are left out. */
static void add_sizes(tacit_report *report, const engine_release *release)
{
    static const char *const LISTS[] = {"class_sizes.from", "class_sizes.before.rows",
                                        "class_sizes.before.classes", "class_sizes.after.rows",
                                        "class_sizes.after.classes"};
    const tacit_size_bins *before = &release->before, *after = &release->after;
    int used = bins_used(before) > bins_used(after) ? bins_used(before) : bins_used(after);
    for (size_t i = 0; i < TACIT_COUNT_OF(LISTS); i++)
        tacit_report_list(report, LISTS[i]);
    for (int i = 0; i < used; i++) {
        int64_t from, to;
        if (!tacit_size_bin_range(&from, &to, release->wanted.k, i))
            continue;
        const int64_t values[] = {from, before->rows[i], before->classes[i], after->rows[i],
                                  after->classes[i]};
        for (size_t j = 0; j < TACIT_COUNT_OF(LISTS); j++)
            tacit_report_push_integer(report, LISTS[j], values[j]);
    }
}

/* The terminal has the measures in sentences. */
static void print_suppressed(tacit_report *report, const engine_release *release)
{
    const tacit_metrics *metrics = &release->metrics;
    double share =
        metrics->rows > 0 ? 100.0 * (double)metrics->suppressed_rows / (double)metrics->rows : 0;
    tacit_report_gap(report);
    tacit_report_line(
        report, "suppressed", "%s rows (%.1f%%), of them %lld complementary%s",
        engine_count(metrics->suppressed_rows).text, share, (long long)metrics->complementary_rows,
        release->policy->drop_suppressed && metrics->suppressed_rows ? "; left out" : "");
    tacit_report_line(report, "Prec", "%.3f, weighted %.3f; granularity %.3f", metrics->precision,
                      metrics->precision_weighted, metrics->granularity);
}

static void print_classes(tacit_report *report, const engine_release *release)
{
    const tacit_metrics *metrics = &release->metrics;
    char average[NUMBER], of[64] = "";
    bool people = release->frame.person >= 0; /* averages are of rows in any case */
    if (metrics->sets > 1)
        snprintf(of, sizeof of, " on %d quasi-identifiers, each by itself,", (int)metrics->sets);
    tacit_report_line(report, "classes", "%s%s of %lld to %s %s, %s%s on average",
                      engine_count(metrics->classes).text, of, (long long)metrics->smallest_class,
                      engine_count(metrics->largest_class).text,
                      release->frame.households ? "households"
                      : people                  ? "people"
                                                : "rows",
                      tacit_number_text(average, sizeof average, metrics->average_class, 1),
                      people ? " rows" : "");
}

/* ---- measures ---- */

/* Of one quasi-identifier combinations are classes. */
static const tacit_field METRICS[] = {
    TACIT_FIELD(tacit_metrics, suppressed_rows, "suppressed_rows", "rows suppressed", 0),
    TACIT_FIELD(tacit_metrics, complementary_rows, "complementary", "of them complementary", 0),
    TACIT_FIELD(tacit_metrics, suppressed_cells, "suppressed_cells", "cells suppressed", 0),
    TACIT_FIELD(tacit_metrics, precision, "precision", "Prec", 3),
    TACIT_FIELD(tacit_metrics, precision_weighted, "precision_weighted", "weighted Prec", 3),
    TACIT_FIELD(tacit_metrics, sets, "quasi_identifiers", "quasi-identifiers", 0),
    TACIT_FIELD(tacit_metrics, combinations, "combinations", "combinations of all columns", 0),
    TACIT_FIELD(tacit_metrics, classes, "classes", "classes", 0),
    TACIT_FIELD(tacit_metrics, smallest_class, "smallest_class", "smallest class", 0),
    TACIT_FIELD(tacit_metrics, largest_class, "largest_class", "largest class", 0),
    TACIT_FIELD(tacit_metrics, average_class, "average_class", "average class", 1),
    TACIT_FIELD(tacit_metrics, average_class_ratio, "average_class_ratio",
                "average combination over k", 2),
    TACIT_FIELD(tacit_metrics, discernibility, "discernibility", "discernibility", 0),
    TACIT_FIELD(tacit_metrics, entropy, "entropy", "non-uniform entropy (0: nothing lost)", 3),
    TACIT_FIELD(tacit_metrics, granularity, "granularity", "granularity (1: nothing lost)", 3),
    TACIT_FIELD(tacit_metrics, loss, "loss_score", "loss (0: nothing lost)", 3),
    TACIT_FIELD(tacit_metrics, height, "height", NULL, 0),
};

/* Those that are files of their own; the page has them by what they are. */
static void add_listed_metrics(tacit_report *report, const tacit_metrics *metrics)
{
    tacit_report_enter(report, "cell_metrics");
    for (tacit_metric m = TACIT_METRIC_LISTED; m < tacit_metric_count(); m++) {
        const tacit_field field = {
            .name = tacit_metric_name(m),
            .label = tacit_metric_summary(m),
            .type = TACIT_FIELD_DOUBLE,
            .decimals = 3,
            .offset = offsetof(tacit_metrics, listed) +
                      (m - TACIT_METRIC_LISTED) * sizeof *metrics->listed,
        };
        tacit_report_fields(report, &field, 1, metrics);
    }
    tacit_report_leave(report);
}

static void add_seconds(tacit_report *report, const engine_release *release)
{
    static const tacit_report_column COLUMNS[] = {{.heading = "step"},
                                                  {.heading = "seconds", .decimals = 3}};
    tacit_report_section(report, "Time");
    tacit_report_begin(report, TACIT_TABLE(NULL, "What the steps took", false, COLUMNS));
    for (int i = 0; i <= ENGINE_RELEASE_STEPS; i++) {
        bool last = i == ENGINE_RELEASE_STEPS;
        tacit_report_cell(report, "%s", last ? "total" : engine_release_steps[i]);
        tacit_report_cell_real(report, last ? release->total : release->seconds[i]);
    }
    tacit_report_enter(report, "seconds");
    for (int i = 0; i < ENGINE_RELEASE_STEPS; i++)
        tacit_report_real(report, engine_release_steps[i], release->seconds[i]);
    tacit_report_real(report, "total", release->total);
    tacit_report_leave(report);
    unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT);
    tacit_report_line(report, "time", "%.2f s", release->total);
    tacit_report_show(report, before);
}

/* ---- the head ---- */

/* Ambiguation is about rows that agree and about cells, the others about classes and rows. */
static void add_tiles(tacit_report *report, const engine_release *release)
{
    const tacit_metrics *metrics = &release->metrics;
    bool cells = engine_release_ambiguates(release), alpha = release->verdict->alpha.checked;
    tacit_report_tile(report, "rows", "%s", engine_count(metrics->rows).text);
    tacit_report_tile(report, "k", "%s", engine_count(release->wanted.k).text);
    tacit_report_tile(
        report, alpha ? "rows that agree, at least" : "smallest class", "%s",
        engine_count(alpha ? release->verdict->alpha.least : metrics->smallest_class).text);
    tacit_report_tile(
        report, cells ? "cells suppressed" : "rows suppressed", "%s",
        engine_count(cells ? metrics->suppressed_cells : metrics->suppressed_rows).text);
    tacit_report_tile(report, "Prec", "%.3f", metrics->precision);
}

static void list_identifiers(tacit_report *report, const engine_promise *promise)
{
    tacit_report_list(report, "identifiers.dropped");
    tacit_report_list(report, "identifiers.pseudonyms");
    for (int32_t i = 0; i < promise->promise.identifier_count; i++)
        tacit_report_push_text(report,
                               promise->identifiers[i].pseudonym ? "identifiers.pseudonyms"
                                                                 : "identifiers.dropped",
                               tacit_strview_of(promise->identifiers[i].name));
}

static void add_head(tacit_report *report, const engine_release *release)
{
    double rows = (double)release->metrics.rows;
    double loss = rows > 0 ? (double)release->wanted.max_suppressed / rows : 0;
    const char *method = engine_release_method(release);
    tacit_report_title(report, "%s: %s rows, k = %lld, by %s",
                       strcmp(release->target, "-") ? release->target : "standard output",
                       engine_count(release->application->row_count).text,
                       (long long)release->wanted.k, method);
    tacit_report_paragraph(report, "Made by tacit %s with the method %s; rows in %s order.",
                           tacit_version(), method,
                           release->policy->keep_order ? "their original" : "random");
    tacit_report_text(report, "tacit", tacit_version());
    tacit_report_text(report, "command", "anonymize");
    tacit_report_text(report, "method", method);
    tacit_report_integer(report, "rows", release->metrics.rows);
    tacit_report_integer(report, "k", release->wanted.k);
    tacit_report_bool(report, "people", release->frame.person >= 0);
    tacit_report_real(report, "loss", release->policy->has_loss ? release->policy->loss : loss);
    tacit_report_text(report, "order", release->policy->keep_order ? "kept" : "random");
    tacit_encoding encoding = release->session->read_as;
    if (encoding != TACIT_ENCODING_UTF8) {
        tacit_report_text(report, "encoding", tacit_encoding_name(encoding));
        tacit_report_line(report, "encoding", "the data is %s, the release utf-8",
                          tacit_encoding_name(encoding));
        tacit_report_gap(report);
    }
    list_attributes(report, release);
    list_identifiers(report, &release->promise);
    add_sizes(report, release);
}

/* ---- all ---- */

/* What was done to the cells and what that costs. */
static void add_work(tacit_report *report, const engine_release *release)
{
    if (engine_release_ambiguates(release)) {
        tacit_report_section(report, "Suppression");
        engine_blanks_facts(report, release);
        engine_dependencies_facts(report, &release->dependencies);
        return;
    }
    tacit_report_section(report, "Generalization");
    if (release->solution->boxes)
        show_cells(report, release);
    else
        show_levels(report, release);
    tacit_report_section(report, "Classes");
    tacit_report_drawing(report, draw_sizes, release);
    unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT);
    if (tacit_policy_generalizes(release->policy))
        print_suppressed(report, release);
    print_classes(report, release);
    tacit_report_show(report, before);
    say_search(report, release);
    engine_advice_facts(report, release);
    add_search(report, release);
}

static void say_verdict(tacit_report *report, const engine_release *release, unsigned where)
{
    unsigned before = tacit_report_show(report, where);
    engine_verdict_say(report, "judge", release->verdict, &release->promise.promise);
    tacit_report_show(report, before);
}

/* Bins 0 and 1 hold the classes below k. Ambiguation has none: its rows are alike in another
 * way. */
static void draw_exposure(tacit_page *page, const void *subject)
{
    const engine_release *release = subject;
    const int64_t *before = release->before.rows, *after = release->after.rows;
    const double below_k[] = {(double)(before[0] + before[1]), (double)(after[0] + after[1])};
    if (!engine_release_ambiguates(release))
        engine_found_exposure(page, &release->unprotected, &release->found, below_k, &release->c);
}

static void add_release(tacit_report *report, const void *subject)
{
    const engine_release *release = subject;
    add_head(report, release);
    say_verdict(report, release, TACIT_SHOW_PAGE); /* first of all there */
    add_tiles(report, release);
    tacit_report_section(report, "Measures");
    tacit_report_fields(report, METRICS, TACIT_COUNT_OF(METRICS), &release->metrics);
    add_listed_metrics(report, &release->metrics);
    engine_masking_facts(report, &release->masking);
    if (release->masking.masking && tacit_policy_generalizes(release->policy))
        tacit_report_gap(report);
    add_work(report, release);
    engine_items_facts(report, release);
    engine_scrubbed_text_facts(report, &release->scrubbed);
    engine_previous_facts(report, release);
    tacit_report_section(report, "The judge");
    say_verdict(report, release, TACIT_SHOW_TEXT);
    engine_verdict_facts(report, release->verdict, &release->promise.promise);
    tacit_report_section(report, "Attacks");
    tacit_report_drawing(report, draw_exposure, release);
    engine_found_facts(report, &release->found, &release->c);
    engine_ads_facts(report, &release->ads, false);
    engine_measured_facts(report, &release->measured);
    engine_ledger_facts(report, release->ledger);
    add_seconds(report, release);
}

const engine_reports engine_release_reports = {.title = "Release of records", .fill = add_release};
