/*
 * loss_page.c - what a release has lost, on the page of --html: key numbers, the
 * measures of each attribute and of all, and how each is distributed before and
 * after. The bars single nobody out; see src/loss/bars.c.
 */
#include <math.h>
#include <stdio.h>

#include "engine/masking/loss_account.h"

enum { NUMBER = 32, MOST_CHARTS = 24 };

static const char *percent(char *buffer, double share, int decimals)
{
    char text[NUMBER - 4];
    tacit_number_text(text, sizeof text, 100 * share, decimals);
    snprintf(buffer, NUMBER, isfinite(share) ? "%s %%" : "%s", text);
    return buffer;
}

static void add_tiles(tacit_page *page, const tacit_loss *loss)
{
    static const char *const NAMES[] = {"information lost", "IL1s",
                                        "most changed cell of two attributes, points",
                                        "told apart from the original"};
    char texts[4][NUMBER];
    const char *const values[] = {
        percent(texts[0], loss->lost, 1),
        tacit_number_text(texts[1], NUMBER, loss->il1s, 3),
        tacit_number_text(texts[2], NUMBER, 100 * loss->cell.change, 2),
        percent(texts[3], loss->pmse_share, 1),
    };
    tacit_page_tiles(page, NAMES, values, 4);
}

static const char *remark(const tacit_loss_attribute *a)
{
    return a->dropped          ? "left out"
           : a->opaque         ? "cannot be read"
           : a->numeric        ? "numbers"
           : a->read_as_claims ? "values, read as claims"
                               : "values";
}

static void add_number(tacit_grid *grid, double value, int decimals)
{
    char text[NUMBER];
    tacit_grid_add(grid, "%s", tacit_number_text(text, sizeof text, value, decimals));
}

static void add_attributes(tacit_page *page, const tacit_loss *loss)
{
    static const char *const HEADER[] = {"attribute",       "kind",    "bits before", "bits after",
                                         "bits still told", "lost, %", "margin, %"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 7);
    for (int32_t i = 0; i < loss->attribute_count; i++) {
        const tacit_loss_attribute *a = &loss->attributes[i];
        tacit_grid_add(&grid, "%s", a->name);
        tacit_grid_add(&grid, "%s", remark(a));
        add_number(&grid, a->entropy_original, 2);
        add_number(&grid, a->dropped ? NAN : a->entropy_release, 2);
        add_number(&grid, a->information, 2);
        add_number(&grid, 100 * a->lost, 1);
        add_number(&grid, 100 * a->margin_change, 1);
    }
    tacit_grid_show(&grid, page, "Information of each attribute");
    tacit_grid_clear(&grid);
}

static void add_numbers(tacit_page *page, const tacit_loss *loss)
{
    static const char *const HEADER[] = {"attribute", "compared",    "no longer numbers",
                                         "IL1s",      "mean, in sd", "variance, %",
                                         "ranks, %",  "correlations"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 8);
    for (int32_t i = 0; i < loss->attribute_count; i++) {
        const tacit_loss_attribute *a = &loss->attributes[i];
        if (!a->numeric || a->dropped || a->opaque)
            continue;
        tacit_grid_add(&grid, "%s", a->name);
        add_number(&grid, (double)a->compared, 0);
        add_number(&grid, (double)a->no_numbers, 0);
        add_number(&grid, a->il1s, 4);
        add_number(&grid, a->mean_shift, 4);
        add_number(&grid, 100 * a->variance_change, 2);
        add_number(&grid, 100 * a->rank_change, 2);
        add_number(&grid, a->correlation_change, 4);
    }
    if (grid.count > 0)
        tacit_grid_show(&grid, page, "Changes of numbers");
    tacit_grid_clear(&grid);
}

static void add_measure(tacit_grid *grid, const char *name, double value, int decimals)
{
    tacit_grid_add(grid, "%s", name);
    add_number(grid, value, decimals);
}

static void add_pair(tacit_grid *grid, const tacit_loss *loss, const char *name,
                     const tacit_loss_pair *pair)
{
    if (pair->first < 0)
        return;
    tacit_grid_add(grid, "%s: %s by %s", name, loss->attributes[pair->first].name,
                   loss->attributes[pair->second].name);
    add_number(grid, 100 * pair->change, 2);
}

static void add_totals(tacit_page *page, const tacit_loss *loss)
{
    static const char *const HEADER[] = {"measure", "value"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 2);
    add_measure(&grid, "bits of all attributes, before", loss->entropy_original, 2);
    add_measure(&grid, "bits that the release still tells", loss->information, 2);
    add_measure(&grid, "bits of whole records, before", loss->joint_original, 2);
    add_measure(&grid, "bits of whole records, after", loss->joint_release, 2);
    add_measure(&grid, "records released in their categories, %", 100 * loss->intact, 1);
    add_measure(&grid, "records made up", (double)loss->made_up, 0);
    if (loss->correlated > 1) {
        add_measure(&grid, "covariances, mean change over standard deviations",
                    loss->covariance_change, 4);
        add_measure(&grid, "correlations, mean change", loss->correlation_change, 4);
        add_measure(&grid, "first eigenvalue of the correlations, change in %",
                    100 * loss->eigen_first, 2);
    }
    add_pair(&grid, loss, "most changed cell, points of share", &loss->cell);
    add_pair(&grid, loss, "most changed table, % in total variation", &loss->variation);
    add_measure(&grid, "pMSE", loss->pmse, 6);
    add_measure(&grid, "pMSE over what chance explains", loss->pmse_ratio, 2);
    tacit_grid_show(&grid, page, "Measures of the whole");
    tacit_grid_clear(&grid);
}

static void add_chart(tacit_page *page, const tacit_loss_attribute *a)
{
    const char *names[TACIT_LOSS_BARS];
    double before[TACIT_LOSS_BARS], after[TACIT_LOSS_BARS];
    char title[160];
    for (int i = 0; i < a->bar_count; i++) {
        names[i] = a->bars[i].name;
        before[i] = 100 * a->bars[i].before;
        after[i] = 100 * a->bars[i].after;
    }
    snprintf(title, sizeof title, "%s, before and after", a->name);
    tacit_page_bars(page, &(tacit_bars){
                              .title = title,
                              .x_label = a->name,
                              .y_label = "% of the records",
                              .names = names,
                              .first = before,
                              .second = after,
                              .first_name = "before",
                              .second_name = "released",
                              .count = a->bar_count,
                              .marker = -1,
                          });
}

/* Whether anything has happened to it that bars could show. */
static bool is_drawn(const tacit_loss_attribute *a)
{
    return a->bar_count > 0 && (a->margin_change > 0 || a->lost > 0 || a->il1s > 0);
}

static void add_charts(tacit_page *page, const tacit_loss *loss)
{
    int shown = 0, charts = 0;
    char text[200];
    for (int32_t i = 0; i < loss->attribute_count; i++) {
        bool drawn = is_drawn(&loss->attributes[i]);
        charts += drawn;
        if (drawn && shown < MOST_CHARTS) {
            add_chart(page, &loss->attributes[i]);
            shown++;
        }
    }
    snprintf(text, sizeof text,
             "Drawn %s. What is released as it was is not, nor what bars cannot show without "
             "showing people.",
             charts > shown ? "are the first attributes that have changed"
                            : "are the attributes that have changed");
    tacit_page_paragraph(page, text);
}

void engine_loss_page(tacit_page *page, const tacit_loss *loss)
{
    tacit_page_heading(page, "What it costs");
    add_tiles(page, loss);
    add_attributes(page, loss);
    add_numbers(page, loss);
    add_totals(page, loss);
    if (loss->fit_sampled) {
        char text[160], rows[NUMBER];
        snprintf(text, sizeof text, "The pMSE is that of %s of the rows.",
                 tacit_number_text(rows, sizeof rows, (double)loss->fit_rows, 0));
        tacit_page_paragraph(page, text);
    }
    add_charts(page, loss);
    tacit_page_paragraph(page, "These measures are made from the original. They are for whoever "
                               "holds it, not for those who receive the release.");
}
