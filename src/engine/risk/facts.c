/*
 * facts.c - what `tacit risk` has to say: who stands out, through which columns, and what each
 * measure of risk is of and rests on, so that nobody has to know which program calls it what.
 *
 * Columns are named, and rows by their numbers; no value of the data is shown.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/risk/risk.h"

enum {
    BAR = 20,          /* letters of a bar of 100 % */
    PRINTED_ROWS = 5,  /* numbers of rows in a cell */
    PAGE_SETS = 5,     /* combinations of a size on the page */
    MAX_SENTENCE = 512 /* bytes */
};

double engine_percent(int64_t part, int64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

tacit_strview engine_risk_column(const engine_risks *risk, int32_t index)
{
    return tacit_table_name(risk->table, risk->columns[index]);
}

int32_t engine_risk_complete(const engine_risks *risk)
{
    int32_t max = risk->wanted.max_size ? risk->wanted.max_size : risk->column_count;
    max = max < risk->column_count ? max : risk->column_count;
    return max < risk->summary->complete ? max : risk->summary->complete;
}

const char *engine_risk_set(char *text, size_t size, const engine_risks *risk, uint64_t set,
                            const char *between)
{
    size_t used = 0, gap = strlen(between);
    snprintf(text, size, "%s", set ? "" : "(none)");
    for (; set && used + gap + 1 < size; set &= set - 1) {
        if (used) {
            memcpy(text + used, between, gap);
            used += gap;
        }
        engine_printable(text + used, size - used, engine_risk_column(risk, __builtin_ctzll(set)));
        used += strlen(text + used);
    }
    return text;
}

/* ---- numbers in sentences ---- */

/* A number of columns, with the word for them. */
static engine_counted count_columns(int32_t count)
{
    engine_counted shown;
    snprintf(shown.text, sizeof shown.text, count == 1 ? "%d column" : "%d columns", (int)count);
    return shown;
}

static engine_counted rounded(double value, int decimals)
{
    engine_counted shown;
    tacit_number_text(shown.text, sizeof shown.text, value, decimals);
    return shown;
}

/* Whole numbers as they are; where they are too long, by their size. */
static engine_counted large(double value)
{
    engine_counted shown;
    if (fabs(value) < 1e15)
        return rounded(value, value == floor(value) ? 0 : 1);
    snprintf(shown.text, sizeof shown.text, "%.4g", value);
    return shown;
}

/* ---- who is at risk ---- */

static const char *print_at_risk(char *text, size_t size, const engine_risks *risk)
{
    const tacit_uniques_summary *found = risk->summary;
    char others[64] = "nobody else has", sets[48] = "columns";
    if (found->k == 2)
        snprintf(others, sizeof others, "at most one other has");
    else if (found->k > 2)
        snprintf(others, sizeof others, "at most %s others have", engine_count(found->k - 1).text);
    if (engine_risk_complete(risk) < risk->column_count)
        snprintf(sets, sizeof sets, "up to %s", count_columns(engine_risk_complete(risk)).text);
    if (found->at_risk == 0)
        snprintf(text, size,
                 "none of %s records: there is no set of %s on which %s a record's values",
                 engine_count(found->rows).text, sets, others);
    else
        snprintf(text, size,
                 "%s of %s records (%.1f%%), through %s prime implicants: sets of %s, as "
                 "small as can be, on which %s the record's values",
                 engine_count(found->at_risk).text, engine_count(found->rows).text,
                 engine_percent(found->at_risk, found->rows), engine_count(found->sets).text, sets,
                 others);
    return text;
}

const char *engine_risk_stopped(char *text, size_t size, const engine_risks *risk)
{
    if (risk->summary->end == TACIT_OK)
        snprintf(text, size,
                 "the work was stopped %s before combinations of columns were counted; prime "
                 "implicants are all there",
                 risk->stopped);
    else
        snprintf(
            text, size,
            "the search was stopped %s: prime implicants of up to %s are all there, and none that "
            "are larger",
            risk->stopped, count_columns(engine_risk_complete(risk)).text);
    return text;
}

static void add_page_head(tacit_report *report, const engine_risks *risk)
{
    char text[MAX_SENTENCE];
    tacit_report_paragraph(report, "Looked at by tacit %s on %s, with k = %s.", tacit_version(),
                           count_columns(risk->column_count).text,
                           engine_count(risk->summary->k).text);
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_PAGE);
    if (risk->stopped)
        tacit_report_verdict(report, false, "Incomplete", "%s.",
                             engine_risk_stopped(text, sizeof text, risk));
    tacit_report_show(report, everywhere);
}

static void add_head(tacit_report *report, const engine_risks *risk)
{
    const tacit_uniques_summary *found = risk->summary;
    char text[MAX_SENTENCE];
    const char *left_out = risk->left_out;
    tacit_report_title(report, "%s: %s records, %s, k = %s", engine_show(risk->data).text,
                       engine_count(found->rows).text, count_columns(risk->column_count).text,
                       engine_count(found->k).text);
    add_page_head(report, risk);
    tacit_report_verdict(report, found->at_risk == 0, "at risk", "%s",
                         print_at_risk(text, sizeof text, risk));
    if (risk->all_columns)
        tacit_report_line(report, "columns",
                          "all%s%s%s, because none were chosen: name those that an adversary could "
                          "know with --quasi NAME,... or in a policy",
                          *left_out ? " but " : "", left_out,
                          *left_out ? " (which seem to name people)" : "");
    tacit_report_gap(report);
    tacit_report_tile(report, "records", "%s", engine_count(found->rows).text);
    tacit_report_tile(report, "at risk", "%s", engine_count(found->at_risk).text);
    tacit_report_tile(report, "of all records", "%.1f %%",
                      engine_percent(found->at_risk, found->rows));
    tacit_report_tile(report, "prime implicants", "%s", engine_count(found->sets).text);
    tacit_report_tile(report, "re-identifications expected", "%s",
                      rounded(risk->sampled->expected, 1).text);
}

static void add_by_size(tacit_report *report, const char *name, const int64_t *counts,
                        const engine_risks *risk)
{
    for (int32_t size = 0; size <= engine_risk_complete(risk); size++) {
        char key[16];
        snprintf(key, sizeof key, "%d", (int)size);
        if (size > 0 || counts[0] > 0)
            tacit_report_integer_in(report, name, tacit_strview_of(key), counts[size]);
    }
}

static void add_summary(tacit_report *report, const engine_risks *risk)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_uniques_summary, rows, "records", NULL, 0),
        TACIT_FIELD(tacit_uniques_summary, k, "k", NULL, 0),
        TACIT_FIELD(tacit_uniques_summary, at_risk, "at_risk", NULL, 0),
        TACIT_FIELD(tacit_uniques_summary, sets, "prime_implicants", NULL, 0),
    };
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), risk->summary);
    tacit_report_text(report, "missing", risk->missing == TACIT_MISSING_ANY ? "any" : "own");
    add_by_size(report, "by_size", risk->summary->by_size, risk);
    tacit_report_integer(report, "complete_to", engine_risk_complete(risk));
    tacit_report_bool(report, "stopped", risk->stopped != NULL);
}

static void add_measures(tacit_report *report, const engine_risks *risk)
{
    static const char *const KEYS[ENGINE_RANKS] = {"fewest_columns", "prime_implicants", "group"};
    const tacit_uniques_summary *found = risk->summary;
    tacit_report_enter(report, "measures");
    for (int i = 0; i < ENGINE_RANKS; i++) {
        const engine_first *first = &risk->rows[i];
        tacit_report_enter(report, KEYS[i]);
        tacit_report_integer(report, i == TACIT_RANK_SETS ? "most" : "least",
                             first->count ? llabs(first->keys[0]) : 0);
        tacit_report_list(report, "first_rows");
        for (int j = 0; j < first->count; j++)
            tacit_report_push_integer(report, "first_rows", (int64_t)first->items[j] + 1);
        tacit_report_leave(report);
    }
    add_by_size(report, "fewest_columns.records", found->by_fewest, risk);
    tacit_report_real(report, "prime_implicants.mean",
                      found->at_risk ? (double)found->sets / (double)found->at_risk : 0);
    tacit_report_leave(report);
}

/* ---- what stands out ---- */

/* Up to the largest size that occurs. */
static void add_sizes(tacit_report *report, const engine_risks *risk)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "columns"},
        {.heading = "prime implicants"},
        {.heading = "records with none smaller"},
    };
    const tacit_uniques_summary *found = risk->summary;
    int32_t last = engine_risk_complete(risk);
    while (last > 1 && found->by_size[last] == 0)
        last--;
    tacit_report_section(report, "Who stands out");
    tacit_report_drawing(report, engine_risk_draw_sizes, risk);
    tacit_report_begin(report, &(tacit_report_table){.printed = true, TACIT_COLUMNS(COLUMNS)});
    for (int32_t size = found->by_size[0] > 0 ? 0 : 1; size <= last; size++) {
        tacit_report_cell_integer(report, size);
        tacit_report_cell_integer(report, found->by_size[size]);
        tacit_report_cell_integer(report, found->by_fewest[size]);
    }
    tacit_report_gap(report);
}

static void add_bar(tacit_report *report, double share)
{
    char bar[3 * BAR + 1] = "";
    int letters = (int)ceil(fmin(share, 1) * BAR - 1e-9);
    for (int i = 0; i < letters; i++)
        strcat(bar, "\xE2\x96\x88");
    tacit_report_cell(report, "%s", bar);
}

static const tacit_report_column COLUMN_COLUMNS[] = {
    {.key = "name", .heading = "column"},
    {.key = "share_of_score", .heading = "share of score", .format = "%.1f%%", .scale = 100},
    {.heading = "", .where = TACIT_SHOW_TEXT},
    {.key = "score"},
    {.key = "prime_implicants",
     .heading = "prime implicants",
     .where = TACIT_SHOW_JSON | TACIT_SHOW_PAGE},
    {.key = "records", .heading = "records"},
    {.key = "only", .heading = "only through it"},
    {.heading = "different values", .where = TACIT_SHOW_PAGE},
};
static const tacit_report_table COLUMN_TABLE = {.name = "columns",
                                                .title = "The columns",
                                                .printed = true,
                                                TACIT_COLUMNS(COLUMN_COLUMNS),
                                                .printed_rows = 20};

static void add_column(tacit_report *report, const engine_risks *risk, int32_t column)
{
    const tacit_contribution *c = &risk->contributions->columns[column];
    tacit_report_cell_view(report, engine_risk_column(risk, column));
    tacit_report_cell_real(report, risk->shares[column]);
    add_bar(report, risk->shares[column]);
    tacit_report_cell_real(report, c->score);
    tacit_report_cell_integer(report, c->sets);
    tacit_report_cell_integer(report, c->rows);
    tacit_report_cell_integer(report, c->only);
    tacit_report_cell_integer(report, tacit_table_distinct(risk->table, risk->columns[column]));
}

/* As in the file for machines, the most contributing first for people. */
static void add_columns(tacit_report *report, const engine_risks *risk)
{
    int32_t more = risk->column_count - COLUMN_TABLE.printed_rows;
    unsigned where = tacit_report_narrow(report, TACIT_SHOW_JSON);
    tacit_report_begin(report, &COLUMN_TABLE);
    for (int32_t i = 0; i < risk->column_count; i++)
        add_column(report, risk, i);
    tacit_report_show(report, where & ~(unsigned)TACIT_SHOW_JSON);
    tacit_report_section(report, "Which columns are to blame");
    tacit_report_drawing(report, engine_risk_draw_contributions, risk);
    tacit_report_begin(report, &COLUMN_TABLE);
    for (int32_t i = 0; i < risk->column_count; i++)
        add_column(report, risk, risk->order[i]);
    if (more > 0)
        tacit_report_note(report, "  and %d columns more", (int)more);
    tacit_report_gap(report);
    tacit_report_show(report, where);
}

/* The names of a set's columns, as a list and for people. */
static void add_set(tacit_report *report, const engine_risks *risk, uint64_t set)
{
    char text[MAX_SENTENCE];
    tacit_strview names[TACIT_UNIQUES_COLUMNS];
    size_t count = 0;
    for (uint64_t left = set; left; left &= left - 1)
        names[count++] = engine_risk_column(risk, __builtin_ctzll(left));
    tacit_report_cell_texts(report, names, count);
    tacit_report_cell(report, "%s", engine_risk_set(text, sizeof text, risk, set, "+"));
}

/* Of each size the sets that single out most records, at most `max`. */
static void add_best(tacit_report *report, const engine_risks *risk, unsigned where, int max)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "columns"},
        {.heading = "these columns alone"},
        {.heading = "how many", .where = TACIT_SHOW_PAGE},
        {.key = "records", .heading = "single out"},
        {.key = "share", .heading = "share", .format = "%.1f%%", .scale = 100},
    };
    unsigned before = tacit_report_narrow(report, where);
    tacit_report_begin(report, &(tacit_report_table){.name = "combinations",
                                                     .title = "The sets of each size that single "
                                                              "out most records",
                                                     .printed = true,
                                                     TACIT_COLUMNS(COLUMNS)});
    for (int32_t size = 0; risk->combinations && size < risk->column_count; size++)
        for (int i = 0; i < risk->best[size].count && i < max; i++) {
            const tacit_combination *set = &risk->combinations->sets[risk->best[size].items[i]];
            if (where == TACIT_SHOW_PAGE && set->within == 0)
                continue;
            add_set(report, risk, set->columns);
            tacit_report_cell_integer(report, size + 1);
            tacit_report_cell_integer(report, set->within);
            tacit_report_cell_real(report, engine_percent(set->within, risk->summary->rows) / 100);
        }
    tacit_report_gap(report);
    tacit_report_show(report, before);
}

static void add_combinations(tacit_report *report, const engine_risks *risk)
{
    add_best(report, risk, TACIT_SHOW_JSON, ENGINE_FIRST);
    if (!risk->combinations)
        return;
    add_best(report, risk, TACIT_SHOW_TEXT, 1);
    if (risk->combinations->count == 0)
        return;
    tacit_report_section(report, "Uniqueness by combination");
    tacit_report_drawing(report, engine_risk_draw_combinations, risk);
    add_best(report, risk, TACIT_SHOW_PAGE, PAGE_SETS);
}

/* Rows, counted from 1, with commas between: at most `max`. */
static void add_rows(tacit_report *report, const uint32_t *rows, int64_t count, int max)
{
    char text[MAX_SENTENCE] = "";
    size_t used = 0;
    for (int64_t i = 0; i < count && i < max; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld", i ? ", " : "",
                                 (long long)rows[i] + 1);
    tacit_report_cell(report, "%s%s", text, count > max ? ", ..." : "");
}

/* Table 7 of the paper, as far as it is shown. */
static void add_groups(tacit_report *report, const engine_risks *risk)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "columns"},
        {.heading = "frequent prime implicants"},
        {.key = "records", .heading = "records"},
        {.heading = "rows"},
    };
    const tacit_clusters *clusters = risk->clusters;
    tacit_report_begin(report, &(tacit_report_table){.name = "groups",
                                                     .title = "The most frequent prime implicants",
                                                     .printed = true,
                                                     TACIT_COLUMNS(COLUMNS),
                                                     .printed_rows = 5});
    for (int i = 0; i < risk->largest.count; i++) {
        uint32_t at = risk->largest.items[i];
        int64_t start = clusters->starts[at], count = clusters->starts[at + 1] - start;
        add_set(report, risk, clusters->columns[at]);
        tacit_report_cell_integer(report, count);
        add_rows(report, clusters->rows + start, count, PRINTED_ROWS);
    }
    tacit_report_gap(report);
}

static void add_records(tacit_report *report, const engine_risks *risk)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "records that stand out most"},
        {.heading = "rows", .where = TACIT_SHOW_TEXT},
        {.heading = "rows", .where = TACIT_SHOW_PAGE},
    };
    static const char *const RANKS[ENGINE_RANKS] = {
        [TACIT_RANK_FEWEST] = "through the fewest columns",
        [TACIT_RANK_SETS] = "through the most prime implicants",
        [TACIT_RANK_GROUP] = "in the smallest groups"};
    tacit_report_begin(report, &(tacit_report_table){.title = "Records that stand out most",
                                                     .printed = true,
                                                     TACIT_COLUMNS(COLUMNS)});
    for (int i = 0; i < ENGINE_RANKS; i++) {
        const uint32_t *rows = risk->rows[i].items;
        tacit_report_cell(report, "%s", RANKS[i]);
        add_rows(report, rows, risk->summary->at_risk, PRINTED_ROWS);
        add_rows(report, rows, risk->summary->at_risk, ENGINE_FIRST);
    }
    tacit_report_gap(report);
}

/* Machines are told of everything, people only where somebody stands out. */
static void add_standing_out(tacit_report *report, const engine_risks *risk)
{
    unsigned where = risk->summary->at_risk > 0 ? TACIT_SHOW_ALL : TACIT_SHOW_JSON;
    unsigned everywhere = tacit_report_narrow(report, where);
    add_sizes(report, risk);
    add_columns(report, risk);
    add_combinations(report, risk);
    tacit_report_section(report, "Which records stand out most");
    add_groups(report, risk);
    add_records(report, risk);
    tacit_report_show(report, everywhere);
}

/* ---- measures of risk ---- */

static void add_limits(tacit_report *report, const engine_risks *risk)
{
    if (risk->missing == TACIT_MISSING_ANY)
        tacit_report_line(report, "missing", "a missing value matches every value (--missing any)");
    if (engine_risk_complete(risk) < risk->column_count)
        tacit_report_line(report, "size", "sets of more than %s were not searched, %s%s",
                          count_columns(engine_risk_complete(risk)).text,
                          risk->stopped ? "because the search was stopped "
                                        : "because of --max-size",
                          risk->stopped ? risk->stopped : "");
}

static void add_scores(tacit_report *report, const engine_risks *risk)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_suda, total, "total", NULL, 0),
        TACIT_FIELD(tacit_suda, highest, "highest", NULL, 0),
        TACIT_FIELD(tacit_suda, fraction, "fraction", NULL, 0),
        TACIT_FIELD(tacit_suda, highest_dis, "highest_dis", NULL, 0),
        TACIT_FIELD(tacit_suda, file_dis, "file_dis", NULL, 0),
    };
    const tacit_suda *suda = risk->suda;
    tacit_report_object(report, "suda", FIELDS, TACIT_COUNT_OF(FIELDS), suda);
    tacit_report_line(report, "SUDA", "scores sum to %s, the highest is %s%s",
                      large(suda->total).text, large(suda->highest).text,
                      risk->summary->k > 1 ? "; SUDA itself is for k = 1" : "");
    tacit_report_line(
        report, "DIS",
        "%.5f at the highest and %.5f for the file, with a sampling fraction of %.4g (%s)",
        suda->highest_dis, suda->file_dis, risk->fraction, risk->fraction_from);
}

static void print_estimate(char *text, size_t size, const char *name, double people)
{
    engine_append_name(text, size, isfinite(people) ? rounded(people, 0).text : name);
    if (isfinite(people))
        engine_append(text, size, " by %s", name);
    else
        engine_append(text, size, "'s model does not fit");
}

static void add_uniques(tacit_report *report, const tacit_risk *sampled)
{
    static const char *const MODELS[] = {"none", "Pitman's", "Zayatz's", "SNB's"};
    char estimates[256] = "";
    if (sampled->alone == 0) {
        tacit_report_line(
            report, "uniques",
            "every record matches another, so nothing is estimated of the population");
        return;
    }
    print_estimate(estimates, sizeof estimates, "Pitman", sampled->pitman);
    print_estimate(estimates, sizeof estimates, "Zayatz", sampled->zayatz);
    print_estimate(estimates, sizeof estimates, "SNB", sampled->snb);
    tacit_report_line(report, "uniques",
                      "%s records are sample uniques. Population uniques are estimated: %s; the "
                      "rule of Dankar and others takes %s",
                      engine_count(sampled->alone).text, estimates, MODELS[sampled->dankar_model]);
    tacit_report_line(report, "match",
                      "a unique match is correct with probability %.4g (Skinner and Elliot)",
                      sampled->skinner);
}

static void add_population(tacit_report *report, const engine_risks *risk)
{
    const tacit_risk *sampled = risk->sampled;
    if (sampled->population <= (double)sampled->rows) {
        tacit_report_line(
            report, "population",
            "taken to be the data themselves; --fraction or --sampling-weight say otherwise");
        return;
    }
    tacit_report_line(report, "population", "%s people, %.4g%% of them in the data (%s)",
                      rounded(sampled->population, 0).text,
                      100 * (double)sampled->rows / sampled->population,
                      risk->weights ? "--sampling-weight" : "--fraction");
    add_uniques(report, sampled);
}

static void add_individual(tacit_report *report, const engine_risks *risk)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_risk, classes, "classes", NULL, 0),
        TACIT_FIELD(tacit_risk, alone, "alone", NULL, 0),
        TACIT_FIELD(tacit_risk, pairs, "pairs", NULL, 0),
        TACIT_FIELD(tacit_risk, population, "population", NULL, 0),
        TACIT_FIELD(tacit_risk, expected, "expected", NULL, 0),
        TACIT_FIELD(tacit_risk, highest, "highest", NULL, 0),
    };
    const tacit_risk *sampled = risk->sampled;
    double threshold = risk->sample.threshold;
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), sampled);
    tacit_report_real(report, "threshold", threshold);
    tacit_report_integer(report, "above_threshold", risk->above);
    tacit_report_line(report, "individual",
                      "%s re-identifications are expected (%.1f%% of the records); the highest "
                      "risk is %.4g, and %s (%.1f%%) %s one above %g",
                      rounded(sampled->expected, 1).text,
                      sampled->rows > 0 ? 100 * sampled->expected / (double)sampled->rows : 0,
                      sampled->highest, engine_many(risk->above, "record").text,
                      engine_percent(risk->above, sampled->rows), risk->above == 1 ? "has" : "have",
                      threshold);
}

/* People or households: whoever finds one of their rows has found them. */
static void add_linked(tacit_report *report, const engine_risks *risk, engine_risk_aside aside)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_linked_risk, units, "units", NULL, 0),
        TACIT_FIELD(tacit_linked_risk, most, "most_records", NULL, 0),
        TACIT_FIELD(tacit_linked_risk, expected, "expected", NULL, 0),
        TACIT_FIELD(tacit_linked_risk, expected_units, "expected_units", NULL, 0),
        TACIT_FIELD(tacit_linked_risk, highest, "highest", NULL, 0),
    };
    const tacit_linked_risk *linked = risk->linked[aside];
    const char *option = engine_risk_aside_option(aside);
    bool people = aside == ENGINE_RISK_PERSON;
    int64_t rows = risk->sampled->rows;
    if (!linked)
        return;
    tacit_report_object(report, option, FIELDS, TACIT_COUNT_OF(FIELDS), linked);
    tacit_report_line(
        report, option,
        "if whoever finds one record of a %s finds all, %s re-identifications of records are "
        "expected (%.1f%%), and %s of %s %s are found; the highest risk is %.4g",
        people ? "person" : "household", rounded(linked->expected, 1).text,
        rows > 0 ? 100 * linked->expected / (double)rows : 0,
        rounded(linked->expected_units, 1).text, engine_count(linked->units).text,
        people ? "people" : "households", linked->highest);
}

/* Population uniques among the sample's, by a log-linear model. */
static void add_model(tacit_report *report, const engine_risks *risk)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_loglinear_risk, uniques, "sample_uniques", NULL, 0),
        TACIT_FIELD(tacit_loglinear_risk, population_uniques, "population_uniques", NULL, 0),
        TACIT_FIELD(tacit_loglinear_risk, matches, "correct_matches", NULL, 0),
        TACIT_FIELD(tacit_loglinear_risk, cells, "cells", NULL, 0),
        TACIT_FIELD(tacit_loglinear_risk, rounds, "rounds", NULL, 0),
        TACIT_FIELD(tacit_loglinear_risk, deviation, "deviation", NULL, 0),
    };
    const tacit_loglinear_risk *found = &risk->modelled;
    if (risk->model < 0)
        return;
    tacit_report_enter(report, "model");
    tacit_report_text(report, "effects", engine_risk_model(risk));
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), found);
    tacit_report_bool(report, "settled", found->settled);
    tacit_report_leave(report);
    tacit_report_line(
        report, "model",
        "%s of %s sample uniques are expected to be population uniques, and %s to be matched "
        "correctly, by a log-linear model of %s%s",
        rounded(found->population_uniques, 1).text, engine_count(found->uniques).text,
        rounded(found->matches, 1).text,
        risk->model == TACIT_LOGLINEAR_PAIRS ? "all pairs of columns" : "independent columns",
        found->settled ? "" : ", whose fit had not settled when it was ended");
}

static void add_attacker(tacit_report *report, const char *name, const char *who,
                         const tacit_attacker *attacker, double threshold)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_attacker, records_at_risk, "records_at_risk", NULL, 0),
        TACIT_FIELD(tacit_attacker, highest, "highest", NULL, 0),
        TACIT_FIELD(tacit_attacker, success, "success", NULL, 0),
    };
    tacit_report_object(report, name, FIELDS, TACIT_COUNT_OF(FIELDS), attacker);
    tacit_report_line(
        report, name,
        "%s finds %.1f%% of the records on average; the highest risk of a record is %.4g, "
        "and %.1f%% of them have one above %g",
        who, 100 * attacker->success, attacker->highest, 100 * attacker->records_at_risk,
        threshold);
}

static void add_attackers(tacit_report *report, const engine_risks *risk)
{
    const tacit_risk *sampled = risk->sampled;
    add_attacker(report, "prosecutor", "an adversary who knows that a person is in the data",
                 &sampled->prosecutor, risk->sample.threshold);
    add_attacker(report, "journalist", "an adversary who does not know whether the person is",
                 &sampled->journalist, risk->sample.threshold);
    tacit_report_real(report, "marketer.success", sampled->marketer);
    tacit_report_line(report, "marketer",
                      "an adversary who tries to match everybody finds %.1f%% of the records",
                      100 * sampled->marketer);
}

static void add_estimates(tacit_report *report, const tacit_risk *sampled)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_risk, pitman, "pitman", NULL, 0),
        TACIT_FIELD(tacit_risk, zayatz, "zayatz", NULL, 0),
        TACIT_FIELD(tacit_risk, snb, "snb", NULL, 0),
        TACIT_FIELD(tacit_risk, dankar, "dankar", NULL, 0),
    };
    tacit_report_enter(report, "population_uniques");
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), sampled);
    tacit_report_text(report, "dankar_model", tacit_uniqueness_name(sampled->dankar_model));
    tacit_report_leave(report);
    tacit_report_real(report, "skinner", sampled->skinner);
}

static void add_risk(tacit_report *report, const engine_risks *risk)
{
    tacit_report_section(report, "Risk of re-identification");
    add_limits(report, risk);
    add_scores(report, risk);
    add_population(report, risk);
    tacit_report_enter(report, "risk");
    add_individual(report, risk);
    add_linked(report, risk, ENGINE_RISK_PERSON);
    add_linked(report, risk, ENGINE_RISK_HOUSEHOLD);
    add_model(report, risk);
    add_attackers(report, risk);
    add_estimates(report, risk->sampled);
    tacit_report_leave(report);
}

static void fill(tacit_report *report, const void *subject)
{
    const engine_risks *risk = subject;
    tacit_report_text(report, "tacit", tacit_version());
    tacit_report_text(report, "command", "risk");
    add_head(report, risk);
    add_summary(report, risk);
    add_measures(report, risk);
    add_standing_out(report, risk);
    add_risk(report, risk);
    tacit_report_enter(report, "seconds");
    for (int i = 0; i < ENGINE_RISK_STEPS; i++)
        tacit_report_real(report, engine_risk_steps[i], risk->seconds[i]);
    tacit_report_real(report, "total", engine_now() - risk->session->start);
    tacit_report_leave(report);
}

const engine_reports engine_risk_reports = {.title = "Records that stand out", .fill = fill};
