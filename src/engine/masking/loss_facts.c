/*
 * loss_facts.c - what a release has lost: key numbers, the measures of each attribute and of all,
 * and on the page how each is distributed before and after. The bars single nobody out; see
 * src/loss/bars.c. Nothing of it is a value of the data, but all of it is made from the original
 * and is for whoever holds that.
 */
#include "engine/masking/measured.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 48, WORST = 3, MAX_CHARTS = 24 };

/* ---- in words ---- */

static const char *name_of(char *buffer, const tacit_loss *loss, int32_t attribute)
{
    return engine_printable(buffer, NAME, tacit_strview_of(loss->attributes[attribute].name));
}

/* The attribute that has lost the largest share among those that are not listed, or -1. */
static int32_t next_worst(const tacit_loss *loss, const int32_t *listed, int count)
{
    int32_t worst = -1;
    for (int32_t i = 0; i < loss->attribute_count; i++) {
        bool taken = false;
        for (int j = 0; j < count; j++)
            taken |= listed[j] == i;
        if (!taken && loss->attributes[i].lost > 0.0005 &&
            (worst < 0 || loss->attributes[i].lost > loss->attributes[worst].lost))
            worst = i;
    }
    return worst;
}

static void say_information(tacit_report *report, const tacit_loss *loss)
{
    char text[320] = "", name[NAME];
    int32_t listed[WORST];
    for (int i = 0; i < WORST; i++) {
        listed[i] = next_worst(loss, listed, i);
        if (listed[i] < 0)
            break;
        engine_append(text, sizeof text, "%s %s (%.1f%%)", i ? "," : "; most of it of",
                      name_of(name, loss, listed[i]), 100 * loss->attributes[listed[i]].lost);
    }
    tacit_report_line(report, "lost",
                      "%.1f%% of the information: %.2f of %.2f bits a record are left%s",
                      100 * loss->lost, loss->information, loss->entropy_original, text);
}

/* Adds to text where the value is known. */
static void append_known(char *text, size_t size, const char *format, double value)
    __attribute__((format(printf, 3, 0)));
static void append_known(char *text, size_t size, const char *format, double value)
{
    if (isnan(value))
        return;
    engine_append(text, size, "%s", *text ? ", " : "");
    engine_append(text, size, format, value);
}

static void say_numbers(tacit_report *report, const tacit_loss *loss)
{
    char text[400] = "";
    append_known(text, sizeof text, "IL1s %.3f", loss->il1s);
    append_known(text, sizeof text, "means moved by %.3f standard deviations", loss->mean_shift);
    append_known(text, sizeof text, "variances by %.1f%%", 100 * loss->variance_change);
    append_known(text, sizeof text, "correlations by %.3f", loss->correlation_change);
    append_known(text, sizeof text, "ranks by %.1f%%", 100 * loss->rank_change);
    append_known(text, sizeof text, "first eigenvalue by %.1f%%", 100 * loss->eigen_first);
    if (*text)
        tacit_report_line(report, "numbers", "%s", text);
}

static void say_estimates(tacit_report *report, const tacit_loss *loss)
{
    char text[240] = "";
    if (!loss->weighted)
        return;
    append_known(text, sizeof text, "means moved by %.2f%%", 100 * loss->weighted_mean_change);
    append_known(text, sizeof text, "totals by %.2f%%", 100 * loss->weighted_total_change);
    append_known(text, sizeof text, "a frequency by up to %.2f points",
                 100 * loss->frequency_change);
    tacit_report_line(report, "estimates",
                      "by sampling weights, of %.0f people before and %.0f after: %s",
                      loss->population_before, loss->population_after,
                      *text ? text : "no column can be compared");
}

static void say_margins(tacit_report *report, const tacit_loss *loss)
{
    char a[NAME], b[NAME], c[NAME], d[NAME];
    if (loss->cell.first < 0)
        return;
    tacit_report_line(
        report, "margins",
        "a cell of %s by %s has changed most, by %.2f points of share; the table of %s by %s "
        "has, by %.1f%% in total variation",
        name_of(a, loss, loss->cell.first), name_of(b, loss, loss->cell.second),
        100 * loss->cell.change, name_of(c, loss, loss->variation.first),
        name_of(d, loss, loss->variation.second), 100 * loss->variation.change);
}

static void say_discriminator(tacit_report *report, const tacit_loss *loss)
{
    char ratio[64] = "";
    if (isnan(loss->pmse))
        return;
    if (isfinite(loss->pmse_ratio))
        snprintf(ratio, sizeof ratio, ", %.2f times what chance explains", loss->pmse_ratio);
    tacit_report_line(report, "told apart", "pMSE %.5f: %.1f%% of its maximum%s", loss->pmse,
                      100 * loss->pmse_share, ratio);
}

/* ---- predictions ---- */

bool engine_prediction_known(const tacit_loss *loss)
{
    return loss->prediction.target >= 0 && isfinite(loss->prediction.before);
}

const char *engine_prediction_score(char *buffer, size_t size, const tacit_loss_prediction *p,
                                    double score)
{
    if (isnan(score))
        snprintf(buffer, size, "-");
    else if (p->classes)
        snprintf(buffer, size, "%.1f%%", 100 * score);
    else
        snprintf(buffer, size, "%.3f", score);
    return buffer;
}

/* Classes are right or wrong, numbers explained or not. */
static void say_prediction(tacit_report *report, const tacit_loss *loss)
{
    const tacit_loss_prediction *p = &loss->prediction;
    char name[NAME], before[16], after[16], guess[16], kept[64] = "";
    if (p->target < 0)
        return;
    name_of(name, loss, p->target);
    if (!engine_prediction_known(loss)) {
        tacit_report_line(report, "prediction",
                          "%s: too few records to learn from and to try it on", name);
        return;
    }
    engine_prediction_score(before, sizeof before, p, p->before);
    engine_prediction_score(after, sizeof after, p, p->after);
    engine_prediction_score(guess, sizeof guess, p, p->baseline);
    if (p->kept > 0)
        snprintf(kept, sizeof kept, "; %.0f%% of what can be learned is kept", 100 * p->kept);
    else if (p->kept <= 0)
        snprintf(kept, sizeof kept, "; nothing of what can be learned is kept");
    if (isnan(p->after))
        tacit_report_line(report, "prediction",
                          "%s: the release has no value of it to learn from; the data predicts it "
                          "with %s %s",
                          name, p->classes ? "an accuracy of" : "R\xC2\xB2", before);
    else if (p->classes)
        tacit_report_line(report, "prediction",
                          "%s: %s right if learned from the release, %s from the data, %s by "
                          "guessing, of %s records held out%s",
                          name, after, before, guess, engine_count(p->tested).text, kept);
    else
        tacit_report_line(report, "prediction",
                          "%s: R\xC2\xB2 %s if learned from the release, %s from the data, on %s "
                          "records held out%s",
                          name, after, before, engine_count(p->tested).text, kept);
}

static void add_prediction(tacit_report *report, const tacit_loss *loss)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_loss_prediction, classes, "classes", NULL, 0),
        TACIT_FIELD(tacit_loss_prediction, trained_original, "trained.original", NULL, 0),
        TACIT_FIELD(tacit_loss_prediction, trained_release, "trained.release", NULL, 0),
        TACIT_FIELD(tacit_loss_prediction, tested, "tested", NULL, 0),
        TACIT_FIELD(tacit_loss_prediction, before, "before", NULL, 0),
        TACIT_FIELD(tacit_loss_prediction, after, "after", NULL, 0),
        TACIT_FIELD(tacit_loss_prediction, baseline, "baseline", NULL, 0),
        TACIT_FIELD(tacit_loss_prediction, kept, "kept", NULL, 0),
        TACIT_FIELD(tacit_loss_prediction, error_before, "error.before", NULL, 0),
        TACIT_FIELD(tacit_loss_prediction, error_after, "error.after", NULL, 0),
        TACIT_FIELD(tacit_loss_prediction, error_baseline, "error.baseline", NULL, 0),
    };
    const tacit_loss_prediction *p = &loss->prediction;
    if (p->target < 0)
        return;
    tacit_report_enter(report, "prediction");
    tacit_report_text(report, "target", loss->attributes[p->target].name);
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), p);
    tacit_report_leave(report);
}

static const char *remark(const tacit_loss_attribute *a)
{
    return a->dropped          ? "left out"
           : a->opaque         ? "cannot be read"
           : a->numeric        ? "numbers"
           : a->read_as_claims ? "values, read as claims"
                               : "values";
}

/* ---- charts ---- */

static void draw_chart(tacit_page *page, const tacit_loss_attribute *a)
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

static void draw_charts(tacit_page *page, const void *subject)
{
    const tacit_loss *loss = subject;
    int shown = 0, charts = 0;
    char text[200];
    for (int32_t i = 0; i < loss->attribute_count; i++) {
        bool drawn = is_drawn(&loss->attributes[i]);
        charts += drawn;
        if (drawn && shown < MAX_CHARTS) {
            draw_chart(page, &loss->attributes[i]);
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

/* ---- pairs ---- */

/* A map of pairs in the making: its attributes, and a share of each pair. */
typedef struct pair_map {
    int count;
    int32_t attributes[TACIT_LOSS_PAIRED];
    const char *names[TACIT_LOSS_PAIRED];
    double shares[TACIT_LOSS_PAIRED * TACIT_LOSS_PAIRED];
} pair_map;

static int place_in(pair_map *map, const tacit_loss *loss, int32_t attribute)
{
    int place = 0;
    while (place < map->count && map->attributes[place] != attribute)
        place++;
    if (place == map->count) {
        map->attributes[map->count] = attribute;
        map->names[map->count++] = loss->attributes[attribute].name;
    }
    return place;
}

/* Fields of the map are one member of each pair, by its offset; pairs that have none are left out,
 * and so are attributes all of whose pairs have none. */
static void fill_map(pair_map *map, const tacit_loss *loss, size_t offset)
{
    double value;
    map->count = 0;
    for (int i = 0; i < TACIT_LOSS_PAIRED * TACIT_LOSS_PAIRED; i++)
        map->shares[i] = NAN;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < loss->pairs; i++) {
            const tacit_loss_two_way *pair = &loss->two_way[i];
            memcpy(&value, (const char *)pair + offset, sizeof value);
            if (isnan(value))
                continue;
            int first = place_in(map, loss, pair->first), last = place_in(map, loss, pair->second);
            if (pass == 1)
                map->shares[(last > first ? last : first) * map->count +
                            (last > first ? first : last)] = value;
        }
}

static void draw_pairs(tacit_page *page, const void *subject)
{
    static const struct {
        const char *title, *label;
        size_t offset;
    } MAPS[] = {
        {"How much columns tell of each other in the data, in percent of the bits of the one that "
         "has fewer",
         "bits told", offsetof(tacit_loss_two_way, told_before)},
        {"The same in the release, in percent of the same bits", "bits told",
         offsetof(tacit_loss_two_way, told_after)},
        {"How far tables of two columns have changed, in percent (total variation; on the "
         "diagonal, single columns)",
         "records in another cell", offsetof(tacit_loss_two_way, variation)},
    };
    const tacit_loss *loss = subject;
    pair_map map;
    for (size_t i = 0; i < TACIT_COUNT_OF(MAPS); i++) {
        bool changes = MAPS[i].offset == offsetof(tacit_loss_two_way, variation);
        fill_map(&map, loss, MAPS[i].offset);
        for (int place = 0; changes && place < map.count; place++)
            map.shares[place * map.count + place] =
                loss->attributes[map.attributes[place]].margin_change;
        if (map.count > 1)
            tacit_page_heat(page, &(tacit_heat){.title = MAPS[i].title,
                                                .x_label = "column",
                                                .y_label = MAPS[i].label,
                                                .names = map.names,
                                                .count = map.count,
                                                .shares = map.shares});
    }
}

/* The pairs for programs. */
static void add_pairs(tacit_report *report, const tacit_loss *loss)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_loss_two_way, cell, "cell", NULL, 0),
        TACIT_FIELD(tacit_loss_two_way, variation, "variation", NULL, 0),
        TACIT_FIELD(tacit_loss_two_way, told_before, "told.original", NULL, 0),
        TACIT_FIELD(tacit_loss_two_way, told_after, "told.release", NULL, 0),
    };
    tacit_report_list(report, "pairs");
    for (int64_t i = 0; i < loss->pairs; i++) {
        const tacit_loss_two_way *pair = &loss->two_way[i];
        tacit_report_item(report, "pairs");
        tacit_report_text(report, "first", loss->attributes[pair->first].name);
        tacit_report_text(report, "second", loss->attributes[pair->second].name);
        tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), pair);
        tacit_report_leave(report);
    }
}

/* ---- estimates ---- */

static void show_estimates(tacit_report *report, const tacit_loss *loss)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "attribute"},
        {.heading = "mean before", .decimals = 4},
        {.heading = "mean after", .decimals = 4},
        {.heading = "mean, %", .scale = 100, .decimals = 2},
        {.heading = "total before", .decimals = 0},
        {.heading = "total after", .decimals = 0},
        {.heading = "total, %", .scale = 100, .decimals = 2},
        {.heading = "largest change of a frequency, points", .scale = 100, .decimals = 2},
    };
    if (!loss->weighted)
        return;
    tacit_report_begin(report, TACIT_TABLE(NULL, "Estimates of the population by sampling weights",
                                           false, COLUMNS));
    for (int32_t i = 0; i < loss->attribute_count; i++) {
        const tacit_loss_attribute *a = &loss->attributes[i];
        const tacit_loss_estimate *e = &a->estimate;
        if (a->dropped || a->opaque)
            continue;
        tacit_report_cell(report, "%s", a->name);
        tacit_report_cell_real(report, e->mean_before);
        tacit_report_cell_real(report, e->mean_after);
        tacit_report_cell_real(report, e->mean_change);
        tacit_report_cell_real(report, e->total_before);
        tacit_report_cell_real(report, e->total_after);
        tacit_report_cell_real(report, e->total_change);
        tacit_report_cell_real(report, e->frequency_change);
    }
}

/* ---- of each attribute ---- */

static void add_attribute(tacit_report *report, const tacit_loss_attribute *a, bool weighted)
{
    static const tacit_field ESTIMATES[] = {
        TACIT_FIELD(tacit_loss_estimate, total_before, "estimates.total.before", NULL, 0),
        TACIT_FIELD(tacit_loss_estimate, total_after, "estimates.total.after", NULL, 0),
        TACIT_FIELD(tacit_loss_estimate, total_change, "estimates.total.change", NULL, 0),
        TACIT_FIELD(tacit_loss_estimate, mean_before, "estimates.mean.before", NULL, 0),
        TACIT_FIELD(tacit_loss_estimate, mean_after, "estimates.mean.after", NULL, 0),
        TACIT_FIELD(tacit_loss_estimate, mean_change, "estimates.mean.change", NULL, 0),
        TACIT_FIELD(tacit_loss_estimate, frequency_change, "estimates.frequency_change", NULL, 0),
        TACIT_FIELD(tacit_loss_estimate, variation, "estimates.variation", NULL, 0),
    };
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_loss_attribute, numeric, "numeric", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, dropped, "dropped", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, opaque, "opaque", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, categories, "categories", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, read_as_claims, "read_as_claims", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, entropy_original, "entropy.original", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, entropy_release, "entropy.release", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, information, "information", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, lost, "lost", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, margin_change, "margin_change", NULL, 0),
    };
    static const tacit_field NUMBERS[] = {
        TACIT_FIELD(tacit_loss_attribute, compared, "compared", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, no_numbers, "no_numbers", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, il1s, "il1s", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, mean_change, "mean_change", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, mean_shift, "mean_shift", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, variance_change, "variance_change", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, rank_change, "rank_change", NULL, 0),
        TACIT_FIELD(tacit_loss_attribute, correlation_change, "correlation_change", NULL, 0),
    };
    tacit_report_item(report, "attributes");
    tacit_report_text(report, "name", a->name);
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), a);
    tacit_report_real(report, "entropy.change", a->entropy_release - a->entropy_original);
    if (a->numeric)
        tacit_report_fields(report, NUMBERS, TACIT_COUNT_OF(NUMBERS), a);
    if (weighted)
        tacit_report_fields(report, ESTIMATES, TACIT_COUNT_OF(ESTIMATES), &a->estimate);
    tacit_report_leave(report);
}

static void show_attributes(tacit_report *report, const tacit_loss *loss)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "attribute"},
        {.heading = "kind"},
        {.heading = "bits before", .decimals = 2},
        {.heading = "bits after", .decimals = 2},
        {.heading = "bits still told", .decimals = 2},
        {.heading = "lost, %", .scale = 100, .decimals = 1},
        {.heading = "margin, %", .scale = 100, .decimals = 1},
    };
    tacit_report_begin(report, TACIT_TABLE(NULL, "Information of each attribute", false, COLUMNS));
    for (int32_t i = 0; i < loss->attribute_count; i++) {
        const tacit_loss_attribute *a = &loss->attributes[i];
        tacit_report_cell(report, "%s", a->name);
        tacit_report_cell(report, "%s", remark(a));
        tacit_report_cell_real(report, a->entropy_original);
        tacit_report_cell_real(report, a->dropped ? NAN : a->entropy_release);
        tacit_report_cell_real(report, a->information);
        tacit_report_cell_real(report, a->lost);
        tacit_report_cell_real(report, a->margin_change);
    }
}

static void show_numbers(tacit_report *report, const tacit_loss *loss)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "attribute"},
        {.heading = "compared"},
        {.heading = "no longer numbers"},
        {.heading = "IL1s", .decimals = 4},
        {.heading = "mean, in sd", .decimals = 4},
        {.heading = "variance, %", .scale = 100, .decimals = 2},
        {.heading = "ranks, %", .scale = 100, .decimals = 2},
        {.heading = "correlations", .decimals = 4},
    };
    tacit_report_begin(report, TACIT_TABLE(NULL, "Changes of numbers", false, COLUMNS));
    for (int32_t i = 0; i < loss->attribute_count; i++) {
        const tacit_loss_attribute *a = &loss->attributes[i];
        if (!a->numeric || a->dropped || a->opaque)
            continue;
        tacit_report_cell(report, "%s", a->name);
        tacit_report_cell_integer(report, a->compared);
        tacit_report_cell_integer(report, a->no_numbers);
        tacit_report_cell_real(report, a->il1s);
        tacit_report_cell_real(report, a->mean_shift);
        tacit_report_cell_real(report, a->variance_change);
        tacit_report_cell_real(report, a->rank_change);
        tacit_report_cell_real(report, a->correlation_change);
    }
}

/* ---- of the whole ---- */

static const tacit_field INFORMATION[] = {
    TACIT_FIELD(tacit_loss, rows, "rows", NULL, 0),
    TACIT_FIELD(tacit_loss, released, "released", NULL, 0),
    TACIT_FIELD(tacit_loss, made_up, "made_up", "records made up", 0),
    TACIT_FIELD_SHARE(tacit_loss, intact, "intact", "records released in their categories", 1),
    TACIT_FIELD(tacit_loss, entropy_original, "entropy.original", "bits of all attributes, before",
                2),
    TACIT_FIELD(tacit_loss, entropy_release, "entropy.release", NULL, 0),
    TACIT_FIELD(tacit_loss, information, "information", "bits that the release still tells", 2),
    TACIT_FIELD(tacit_loss, lost, "lost", NULL, 0),
    TACIT_FIELD(tacit_loss, joint_original, "joint_entropy.original",
                "bits of whole records, before", 2),
    TACIT_FIELD(tacit_loss, joint_release, "joint_entropy.release", "bits of whole records, after",
                2),
    TACIT_FIELD(tacit_loss, compared, "compared", NULL, 0),
    TACIT_FIELD(tacit_loss, il1s, "il1s", NULL, 0),
    TACIT_FIELD(tacit_loss, mean_shift, "mean_shift", NULL, 0),
    TACIT_FIELD(tacit_loss, variance_change, "variance_change", NULL, 0),
    TACIT_FIELD(tacit_loss, rank_change, "rank_change", NULL, 0),
};

static const tacit_field CORRELATIONS[] = {
    TACIT_FIELD(tacit_loss, covariance_change, "covariance_change",
                "covariances, mean change over standard deviations", 4),
    TACIT_FIELD(tacit_loss, correlation_change, "correlation_change", "correlations, mean change",
                4),
    TACIT_FIELD_SHARE(tacit_loss, eigen_first, "eigen_first",
                      "first eigenvalue of the correlations, change", 2),
    TACIT_FIELD(tacit_loss, eigen_all, "eigen_all", NULL, 0),
};

static const tacit_field ESTIMATES_OF_ALL[] = {
    TACIT_FIELD(tacit_loss, population_before, "estimates.population.before", NULL, 0),
    TACIT_FIELD(tacit_loss, population_after, "estimates.population.after", NULL, 0),
    TACIT_FIELD(tacit_loss, weighted_mean_change, "estimates.mean_change", NULL, 0),
    TACIT_FIELD(tacit_loss, weighted_total_change, "estimates.total_change", NULL, 0),
    TACIT_FIELD(tacit_loss, frequency_change, "estimates.frequency_change", NULL, 0),
};

static const tacit_field DISCRIMINATOR[] = {
    TACIT_FIELD(tacit_loss, fit_rows, "discriminator.rows", NULL, 0),
    TACIT_FIELD(tacit_loss, fit_terms, "discriminator.terms", NULL, 0),
    TACIT_FIELD(tacit_loss, pmse, "discriminator.pmse", "pMSE", 6),
    TACIT_FIELD(tacit_loss, pmse_share, "discriminator.share", NULL, 0),
    TACIT_FIELD(tacit_loss, pmse_expected, "discriminator.expected", NULL, 0),
    TACIT_FIELD(tacit_loss, pmse_ratio, "discriminator.ratio", "pMSE over what chance explains", 2),
};

static void add_pair(tacit_report *report, const tacit_loss *loss, const char *name,
                     const tacit_loss_pair *pair)
{
    const int32_t members[] = {pair->first, pair->second};
    tacit_report_enter(report, name);
    tacit_report_list(report, "attributes");
    for (int i = 0; i < 2 && pair->first >= 0; i++)
        tacit_report_push_text(report, "attributes",
                               tacit_strview_of(loss->attributes[members[i]].name));
    tacit_report_real(report, "change", pair->change);
    tacit_report_leave(report);
}

static void add_total(tacit_report *report, const tacit_loss *loss)
{
    tacit_report_enter(report, "total");
    tacit_report_fields(report, INFORMATION, TACIT_COUNT_OF(INFORMATION), loss);
    tacit_report_real(report, "entropy.change", loss->entropy_release - loss->entropy_original);
    unsigned before =
        tacit_report_show(report, loss->correlated > 1 ? TACIT_SHOW_ALL : TACIT_SHOW_JSON);
    tacit_report_fields(report, CORRELATIONS, TACIT_COUNT_OF(CORRELATIONS), loss);
    tacit_report_show(report, before);
    if (loss->weighted)
        tacit_report_fields(report, ESTIMATES_OF_ALL, TACIT_COUNT_OF(ESTIMATES_OF_ALL), loss);
    tacit_report_integer(report, "margins.pairs", loss->pairs);
    add_pair(report, loss, "margins.cell", &loss->cell);
    add_pair(report, loss, "margins.variation", &loss->variation);
    tacit_report_fields(report, DISCRIMINATOR, TACIT_COUNT_OF(DISCRIMINATOR), loss);
    tacit_report_leave(report);
}

static void add_tiles(tacit_report *report, const tacit_loss *loss)
{
    char text[32];
    tacit_report_tile(report, "information lost", "%.1f %%", 100 * loss->lost);
    tacit_report_tile(report, "IL1s", "%s", tacit_number_text(text, sizeof text, loss->il1s, 3));
    tacit_report_tile(report, "most changed cell of two attributes, points", "%s",
                      tacit_number_text(text, sizeof text, 100 * loss->cell.change, 2));
    tacit_number_text(text, sizeof text, 100 * loss->pmse_share, 1);
    tacit_report_tile(report, "told apart from the original",
                      isfinite(loss->pmse_share) ? "%s %%" : "%s", text);
    if (isfinite(loss->prediction.kept))
        tacit_report_tile(report, "kept of what predicts the target", "%.0f %%",
                          100 * fmax(loss->prediction.kept, 0));
}

void engine_loss_facts(tacit_report *report, const tacit_loss *loss)
{
    tacit_report_section(report, "What it costs");
    add_tiles(report, loss);
    say_information(report, loss);
    say_numbers(report, loss);
    say_estimates(report, loss);
    say_margins(report, loss);
    say_discriminator(report, loss);
    say_prediction(report, loss);
    tacit_report_enter(report, "information_loss");
    tacit_report_list(report, "attributes");
    for (int32_t i = 0; i < loss->attribute_count; i++)
        add_attribute(report, &loss->attributes[i], loss->weighted);
    show_attributes(report, loss);
    show_numbers(report, loss);
    show_estimates(report, loss);
    add_pairs(report, loss);
    add_total(report, loss);
    add_prediction(report, loss);
    tacit_report_leave(report);
    if (loss->fit_sampled)
        tacit_report_paragraph(report, "The pMSE is that of %s of the rows.",
                               engine_count(loss->fit_rows).text);
    tacit_report_drawing(report, draw_charts, loss);
    if (loss->pairs > 0) {
        tacit_report_paragraph(report, "How columns go together, before and after. A pair with a "
                                       "column of very many values is left out of the first two "
                                       "maps: each of them would seem to tell everything.");
        tacit_report_drawing(report, draw_pairs, loss);
    }
    tacit_report_paragraph(report, "These measures are computed from the original. They are for "
                                   "the data holder, not for recipients of the release.");
}
