/*
 * release_page.c - the page of --html: what was done to the data and what it
 * costs, for whoever has to answer for the release.
 */
#include <stdio.h>
#include <string.h>

#include "engine/masking/measured.h"
#include "engine/records/release.h"
#include "engine/records/verdict.h"

enum { NUMBER = 32 };

/* Ambiguation is about rows that agree and about cells, the others about classes and rows. */
static void add_tiles(tacit_page *page, const engine_release *release)
{
    const tacit_metrics *metrics = &release->metrics;
    bool cells = engine_release_ambiguates(release), alpha = release->verdict->alpha.checked;
    const char *const names[] = {"rows", "k",
                                 alpha ? "rows that agree, at least" : "smallest class",
                                 cells ? "cells suppressed" : "rows suppressed", "Prec"};
    int64_t least = alpha ? release->verdict->alpha.least : metrics->smallest_class;
    int64_t lost = cells ? metrics->suppressed_cells : metrics->suppressed_rows;
    char rows[NUMBER], k[NUMBER], smallest[NUMBER], suppressed[NUMBER], precision[NUMBER];
    const char *const values[] = {
        tacit_number_text(rows, sizeof rows, (double)metrics->rows, 0),
        tacit_number_text(k, sizeof k, (double)release->wanted.k, 0),
        tacit_number_text(smallest, sizeof smallest, (double)least, 0),
        tacit_number_text(suppressed, sizeof suppressed, (double)lost, 0),
        tacit_number_text(precision, sizeof precision, metrics->precision, 3),
    };
    tacit_page_tiles(page, names, values, 5);
}

static void add_levels(tacit_page *page, const engine_release *release)
{
    static const char *const HEADER[] = {"attribute",     "level",        "height",
                                         "values before", "values after", "an example"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 6);
    for (int32_t i = 0; i < release->frame.attribute_count; i++) {
        const tacit_hierarchy *hierarchy = release->hierarchies[i];
        int level = release->solution->levels[i];
        tacit_grid_add(&grid, "%s", release->promise.attributes[i].name);
        tacit_grid_add(&grid, "%d", level);
        tacit_grid_add(&grid, "%d", tacit_hierarchy_height(hierarchy));
        tacit_grid_add(&grid, "%lu", (unsigned long)tacit_hierarchy_count(hierarchy, 0));
        tacit_grid_add(&grid, "%lu", (unsigned long)tacit_hierarchy_count(hierarchy, level));
        tacit_grid_add_view(&grid,
                            level ? release->examples[i] : tacit_strview_of("released as it is"));
    }
    tacit_grid_show(&grid, page, "How far each attribute was generalized");
    tacit_grid_clear(&grid);
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

/* Cells have levels of their own: the share of an attribute's cells on each. */
static void add_cells(tacit_page *page, const engine_release *release)
{
    const char *header[LEVELS_SHOWN + 3] = {"attribute", "as it is", "level 1",  "level 2",
                                            "level 3",   "level 4",  "5 or more"};
    int highest = highest_shown(release);
    header[highest + 2] = "height";
    header[highest + 3] = "in the largest class";
    tacit_grid grid;
    tacit_grid_init(&grid, header, highest + 4);
    for (int32_t i = 0; i < release->frame.attribute_count; i++) {
        const int64_t *rows = &release->level_rows[i * TACIT_MAX_LEVELS];
        int height = tacit_hierarchy_height(release->hierarchies[i]);
        double all = release->metrics.rows > 0 ? (double)release->metrics.rows : 1;
        double share[LEVELS_SHOWN] = {0};
        for (int level = 0; level <= height; level++)
            share[level < highest ? level : highest] += 100 * (double)rows[level] / all;
        tacit_grid_add(&grid, "%s", release->promise.attributes[i].name);
        for (int level = 0; level <= highest; level++)
            tacit_grid_add(&grid, level <= height ? "%.1f %%" : "", share[level]);
        tacit_grid_add(&grid, "%d", height);
        tacit_grid_add_view(&grid, release->examples[i].bytes ? release->examples[i]
                                                              : tacit_strview_of("as it is"));
    }
    tacit_grid_show(&grid, page, "How many cells of each attribute are on which level");
    tacit_grid_clear(&grid);
}

/* The sizes of a bin in words; false where k leaves it none. */
static bool bin_name(char *text, size_t size, int64_t k, int bin)
{
    int64_t from, to;
    if (!tacit_size_bin_range(&from, &to, k, bin))
        return false;
    snprintf(text, size, from == to ? "%lld" : "%lld-%lld", (long long)from, (long long)to);
    return true;
}

static void add_bars(tacit_page *page, const engine_release *release)
{
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
        .x_label = release->frame.person >= 0 ? "people in the class" : "rows in the class",
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

static void add_number(tacit_grid *grid, const char *name, double value, int decimals)
{
    char text[NUMBER];
    tacit_grid_add(grid, "%s", name);
    tacit_grid_add(grid, "%s", tacit_number_text(text, sizeof text, value, decimals));
}

static void add_metrics(tacit_page *page, const engine_release *release)
{
    static const char *const HEADER[] = {"measure", "value"};
    const tacit_metrics *metrics = &release->metrics;
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 2);
    add_number(&grid, "Prec", metrics->precision, 3);
    add_number(&grid, "weighted Prec", metrics->precision_weighted, 3);
    add_number(&grid, "granularity (1: nothing lost)", metrics->granularity, 3);
    add_number(&grid, "loss (0: nothing lost)", metrics->loss, 3);
    add_number(&grid, "rows suppressed", (double)metrics->suppressed_rows, 0);
    add_number(&grid, "of them complementary", (double)metrics->complementary_rows, 0);
    add_number(&grid, "cells suppressed", (double)metrics->suppressed_cells, 0);
    add_number(&grid, "classes", (double)metrics->classes, 0);
    add_number(&grid, "smallest class", (double)metrics->smallest_class, 0);
    add_number(&grid, "largest class", (double)metrics->largest_class, 0);
    add_number(&grid, "average class", metrics->average_class, 1);
    if (metrics->sets > 1)
        add_number(&grid, "combinations of all columns", (double)metrics->combinations, 0);
    add_number(&grid, metrics->sets > 1 ? "average combination over k" : "average class over k",
               metrics->average_class_ratio, 2);
    add_number(&grid, "discernibility", metrics->discernibility, 0);
    add_number(&grid, "non-uniform entropy (0: nothing lost)", metrics->entropy, 3);
    tacit_grid_show(&grid, page, "What the release is worth");
    tacit_grid_clear(&grid);
}

static void add_search(tacit_page *page, const engine_release *release)
{
    char sentence[256], text[300];
    if (release->solution->search.nodes <= 0)
        return;
    snprintf(text, sizeof text, "The search: %s.",
             engine_search_sentence(sentence, sizeof sentence, release));
    tacit_page_paragraph(page, text);
}

static void add_seconds(tacit_page *page, const engine_release *release)
{
    static const char *const HEADER[] = {"step", "seconds"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 2);
    for (int i = 0; i < ENGINE_RELEASE_STEPS; i++)
        add_number(&grid, engine_release_steps[i], release->seconds[i], 3);
    add_number(&grid, "total", release->total, 3);
    tacit_grid_show(&grid, page, "Time");
    tacit_grid_clear(&grid);
}

static void add_verdict(tacit_page *page, const engine_release *release)
{
    char sentence[1024] = "The judge: ";
    size_t used = strlen(sentence);
    engine_verdict_sentence(sentence + used, sizeof sentence - used, release->verdict,
                            &release->promise.promise);
    tacit_page_banner(page, release->verdict->holds, sentence);
    engine_verdict_models(page, release->verdict);
}

/* Bins 0 and 1 hold the classes below k. Ambiguation has none: its rows are alike in another
 * way. */
static void add_attacks(tacit_page *page, const engine_release *release)
{
    const int64_t *before = release->before.rows, *after = release->after.rows;
    const double below_k[] = {(double)(before[0] + before[1]), (double)(after[0] + after[1])};
    tacit_page_heading(page, "Attacks");
    if (!engine_release_ambiguates(release))
        engine_found_exposure(page, &release->unprotected, &release->found, below_k, &release->c);
    engine_found_page(page, &release->found, &release->c);
    engine_ads_page(page, &release->ads);
}

void engine_release_page(tacit_page *page, const void *subject)
{
    const engine_release *release = subject;
    char subtitle[160];
    snprintf(subtitle, sizeof subtitle, "Made by tacit %s with the method %s; rows in %s order.",
             tacit_version(), engine_release_method(release),
             release->policy->keep_order ? "their original" : "random");
    tacit_page_paragraph(page, subtitle);
    add_verdict(page, release);
    add_tiles(page, release);
    engine_masking_page(page, &release->masking);
    if (engine_release_ambiguates(release)) {
        tacit_page_heading(page, "Suppression");
        engine_blanks_page(page, release);
        engine_dependencies_page(page, &release->dependencies);
    } else {
        tacit_page_heading(page, "Generalization");
        if (release->solution->boxes)
            add_cells(page, release);
        else
            add_levels(page, release);
        tacit_page_heading(page, "Classes");
        add_bars(page, release);
    }
    engine_scrubbed_text_page(page, &release->scrubbed);
    engine_previous_page(page, release);
    add_attacks(page, release);
    engine_measured_page(page, &release->measured);
    tacit_page_heading(page, "Measures");
    add_search(page, release);
    add_metrics(page, release);
    add_seconds(page, release);
}
