/*
 * page.c - the page of `tacit risk --html`: who stands out and through how
 * many columns, which columns are to blame, which combinations of them single out
 * most (Figure 16 of Sweeney, Computational Disclosure Control, as heat maps), and
 * what it means where the records are a sample. No value of the data is on it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/records/verdict.h"
#include "engine/risk/risk.h"

enum { NUMBER = 32, NAME = 128, TEXT = 1024, ROWS = 6, SETS = 5, HEATS = 3 };

static void add_tiles(tacit_page *page, const engine_risks *risk)
{
    static const char *const NAMES[] = {"records", "at risk", "of all records", "prime implicants",
                                        "re-identifications expected"};
    const tacit_uniques_summary *found = risk->summary;
    char share[NUMBER], expected[NUMBER];
    const engine_counted rows = engine_count(found->rows), at_risk = engine_count(found->at_risk),
                         sets = engine_count(found->sets);
    snprintf(share, sizeof share, "%.1f %%", engine_percent(found->at_risk, found->rows));
    const char *const values[] = {
        rows.text, at_risk.text, share, sets.text,
        tacit_number_text(expected, sizeof expected, risk->sampled->expected, 1)};
    tacit_page_tiles(page, NAMES, values, 5);
}

/* Prime implicants by size, and records by the size of their smallest one. */
static void add_sizes(tacit_page *page, const engine_risks *risk)
{
    const tacit_uniques_summary *found = risk->summary;
    char texts[TACIT_MAX_BARS][NUMBER];
    const char *names[TACIT_MAX_BARS];
    double sets[TACIT_MAX_BARS], records[TACIT_MAX_BARS];
    int count = 0, used = 0;
    for (int size = found->by_size[0] > 0 ? 0 : 1;
         size <= engine_risk_complete(risk) && count < TACIT_MAX_BARS; size++) {
        snprintf(texts[count], sizeof texts[count], "%d", size);
        names[count] = texts[count];
        sets[count] = (double)found->by_size[size];
        records[count] = (double)found->by_fewest[size];
        used = found->by_size[size] > 0 ? count + 1 : used;
        count++;
    }
    tacit_page_bars(page, &(tacit_bars){.title = "Through how many columns",
                                        .x_label = "columns in the set",
                                        .y_label = "prime implicants, and records",
                                        .names = names,
                                        .first = sets,
                                        .second = records,
                                        .first_name = "prime implicants of this size",
                                        .second_name = "records that have none smaller",
                                        .count = used > 0 ? used : 1,
                                        .root_scale = true,
                                        .marker = -1});
}

static void add_contributions(tacit_page *page, const engine_risks *risk)
{
    char texts[TACIT_MAX_BARS][NAME];
    const char *names[TACIT_MAX_BARS];
    double scores[TACIT_MAX_BARS], only[TACIT_MAX_BARS];
    int count = risk->column_count < TACIT_MAX_BARS ? risk->column_count : TACIT_MAX_BARS;
    for (int i = 0; i < count; i++) {
        int32_t column = risk->order[i];
        names[i] = engine_printable(texts[i], NAME, engine_risk_column(risk, column));
        scores[i] = 100 * risk->shares[column];
        only[i] = engine_percent(risk->contributions->columns[column].only, risk->summary->at_risk);
    }
    tacit_page_bars(page,
                    &(tacit_bars){.title = "What each column contributes",
                                  .x_label = "column",
                                  .y_label = "percent",
                                  .names = names,
                                  .first = scores,
                                  .second = only,
                                  .first_name = "of the SUDA score, in sets that hold the column",
                                  .second_name = "of the records at risk, which are so through "
                                                 "this column only",
                                  .count = count,
                                  .marker = -1});
}

static void add_columns(tacit_page *page, const engine_risks *risk)
{
    static const char *const HEADER[] = {"column",  "share of score",  "prime implicants",
                                         "records", "only through it", "different values"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 6);
    for (int32_t i = 0; i < risk->column_count; i++) {
        int32_t column = risk->order[i];
        const tacit_contribution *c = &risk->contributions->columns[column];
        tacit_grid_add_view(&grid, engine_risk_column(risk, column));
        tacit_grid_add(&grid, "%.1f %%", 100 * risk->shares[column]);
        tacit_grid_add(&grid, "%s", engine_count(c->sets).text);
        tacit_grid_add(&grid, "%s", engine_count(c->rows).text);
        tacit_grid_add(&grid, "%s", engine_count(c->only).text);
        tacit_grid_add(&grid, "%s",
                       engine_count(tacit_table_distinct(risk->table, risk->columns[column])).text);
    }
    tacit_grid_show(&grid, page, "The columns");
    tacit_grid_clear(&grid);
}

/* A heat map in the making: what one or two more columns do to a set. */
typedef struct sheet {
    uint64_t base;                         /* the set */
    int32_t count;                         /* other columns */
    int32_t places[TACIT_UNIQUES_COLUMNS]; /* of a column among these */
    char texts[TACIT_UNIQUES_COLUMNS][NAME];
    const char *names[TACIT_UNIQUES_COLUMNS];
    double shares[TACIT_UNIQUES_COLUMNS * TACIT_UNIQUES_COLUMNS];
} sheet;

static void name_columns(sheet *s, const engine_risks *risk)
{
    for (int32_t i = 0; i < risk->column_count; i++) {
        if (s->base >> i & 1)
            continue;
        s->places[i] = s->count;
        s->names[s->count] =
            engine_printable(s->texts[s->count], NAME, engine_risk_column(risk, i));
        s->count++;
    }
}

/* The share of the records that each further column and each pair of them singles out. */
static void fill_pairs(sheet *s, const engine_risks *risk)
{
    const tacit_combinations *all = risk->combinations;
    for (int i = 0; i < s->count * s->count; i++)
        s->shares[i] = NAN;
    for (int64_t i = 0; i < all->count; i++) {
        uint64_t set = all->sets[i].columns, more = set & ~s->base;
        if ((set & s->base) != s->base || !more || __builtin_popcountll(more) > 2)
            continue;
        int first = s->places[__builtin_ctzll(more)];
        int last = s->places[63 - __builtin_clzll(more)];
        s->shares[last * s->count + first] = engine_percent(all->sets[i].within, all->rows) / 100;
    }
}

static void add_heat(tacit_page *page, const engine_risks *risk, uint64_t base)
{
    char title[TEXT], names[NAME * 2];
    sheet *s = tacit__alloc_zeroed(1, sizeof *s);
    if (!s)
        return;
    s->base = base;
    name_columns(s, risk);
    fill_pairs(s, risk);
    if (base)
        snprintf(title, sizeof title,
                 "The same together with %s (on the diagonal: one column more)",
                 engine_risk_set(names, sizeof names, risk, base, " and "));
    else
        snprintf(title, sizeof title,
                 "Whom pairs of columns single out, in percent of the records (on the diagonal: "
                 "single columns)");
    tacit_page_heat(page, &(tacit_heat){.title = title,
                                        .x_label = "column",
                                        .y_label = "records that are singled out",
                                        .names = s->names,
                                        .count = s->count,
                                        .shares = s->shares});
    tacit__free(s);
}

/* Pairs, and as far as larger sets were counted, what two columns add to the most
 * telling set of each size, unless that singles out everybody. */
static void add_heats(tacit_page *page, const engine_risks *risk)
{
    const tacit_combinations *all = risk->combinations;
    add_heat(page, risk, 0);
    for (int size = 1; size <= HEATS && size + 2 <= risk->column_count; size++) {
        if (risk->best[size + 1].count == 0)
            return;
        const tacit_combination *base = &all->sets[risk->best[size - 1].items[0]];
        if (base->within == all->rows)
            return;
        add_heat(page, risk, base->columns);
    }
}

static void add_combinations(tacit_page *page, const engine_risks *risk)
{
    static const char *const HEADER[] = {"columns", "how many", "records", "share"};
    tacit_grid grid;
    char text[TEXT];
    tacit_grid_init(&grid, HEADER, 4);
    for (int32_t size = 0; size < risk->column_count; size++)
        for (int i = 0; i < risk->best[size].count && i < SETS; i++) {
            const tacit_combination *set = &risk->combinations->sets[risk->best[size].items[i]];
            if (set->within == 0)
                continue;
            tacit_grid_add(&grid, "%s",
                           engine_risk_set(text, sizeof text, risk, set->columns, " + "));
            tacit_grid_add(&grid, "%d", (int)size + 1);
            tacit_grid_add(&grid, "%s", engine_count(set->within).text);
            tacit_grid_add(&grid, "%.1f %%", engine_percent(set->within, risk->summary->rows));
        }
    tacit_grid_show(&grid, page, "The sets of each size that single out most records");
    tacit_grid_clear(&grid);
}

/* Table 7 of the paper, as far as it is shown. */
static void add_groups(tacit_page *page, const engine_risks *risk)
{
    static const char *const HEADER[] = {"prime implicant", "records", "rows"};
    const tacit_clusters *clusters = risk->clusters;
    tacit_grid grid;
    char text[TEXT];
    tacit_grid_init(&grid, HEADER, 3);
    for (int i = 0; i < risk->largest.count; i++) {
        uint32_t at = risk->largest.items[i];
        int64_t start = clusters->starts[at], count = clusters->starts[at + 1] - start;
        tacit_grid_add(&grid, "%s",
                       engine_risk_set(text, sizeof text, risk, clusters->columns[at], " + "));
        tacit_grid_add(&grid, "%s", engine_count(count).text);
        tacit_grid_add(&grid, "%s",
                       engine_risk_rows(text, sizeof text, clusters->rows + start, count, ROWS));
    }
    tacit_grid_show(&grid, page, "The most frequent prime implicants");
    tacit_grid_clear(&grid);
}

static void add_rows(tacit_page *page, const engine_risks *risk)
{
    static const char *const HEADER[] = {"they stand out", "rows"};
    tacit_grid grid;
    char text[TEXT];
    tacit_grid_init(&grid, HEADER, 2);
    for (int i = 0; i < ENGINE_RANKS; i++) {
        tacit_grid_add(&grid, "%s", engine_rank_words[i]);
        tacit_grid_add(&grid, "%s",
                       engine_risk_rows(text, sizeof text, risk->rows[i].items,
                                        risk->summary->at_risk, ENGINE_FIRST));
    }
    tacit_grid_show(&grid, page, "Records that stand out most");
    tacit_grid_clear(&grid);
}

static void add_line(void *grid, const char *label, const char *text)
{
    tacit_grid_add(grid, "%s", label);
    tacit_grid_add(grid, "%s", text);
}

static void add_measures(tacit_page *page, const engine_risks *risk)
{
    static const char *const HEADER[] = {"measure", "what it says"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 2);
    engine_risk_lines(risk, add_line, &grid);
    tacit_grid_show(&grid, page, "Measures of risk");
    tacit_grid_clear(&grid);
}

static void add_standing_out(tacit_page *page, const engine_risks *risk)
{
    tacit_page_heading(page, "Who stands out");
    add_sizes(page, risk);
    add_rows(page, risk);
    add_groups(page, risk);
    tacit_page_heading(page, "Which columns are to blame");
    add_contributions(page, risk);
    add_columns(page, risk);
    if (!risk->combinations || risk->combinations->count == 0)
        return;
    tacit_page_heading(page, "Uniqueness by combination");
    add_heats(page, risk);
    add_combinations(page, risk);
}

void engine_risk_page(tacit_page *page, const void *subject)
{
    const engine_risks *risk = subject;
    char text[TEXT], sentence[TEXT];
    snprintf(text, sizeof text, "Looked at by tacit %s on %s, with k = %s.", tacit_version(),
             engine_columns(risk->column_count).text, engine_count(risk->summary->k).text);
    tacit_page_paragraph(page, text);
    if (risk->all_columns) {
        snprintf(text, sizeof text, "Columns: %s.", engine_risk_choice(sentence, TEXT, risk));
        tacit_page_paragraph(page, text);
    }
    if (risk->stopped) {
        snprintf(text, sizeof text, "Incomplete: %s.", engine_risk_stopped(sentence, TEXT, risk));
        tacit_page_banner(page, false, text);
    }
    snprintf(text, sizeof text, "At risk: %s.",
             engine_risk_sentence(sentence, sizeof sentence, risk));
    tacit_page_banner(page, risk->summary->at_risk == 0, text);
    add_tiles(page, risk);
    if (risk->summary->at_risk > 0)
        add_standing_out(page, risk);
    tacit_page_heading(page, "Risk of re-identification");
    add_measures(page, risk);
}
