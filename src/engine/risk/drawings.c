/*
 * drawings.c - the charts of `tacit risk --html`: through how many columns records stand out, what
 * each column contributes, and which combinations single out most (Figure 16 of Sweeney,
 * Computational Disclosure Control, as heat maps). No value of the data is in them.
 */
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "engine/risk/risk.h"

enum { NUMBER = 16, NAME = 128, TITLE = 1024, HEATS = 3 };

/* Prime implicants by size, and records by the size of their smallest one. */
void engine_risk_draw_sizes(tacit_page *page, const void *subject)
{
    const engine_risks *risk = subject;
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

void engine_risk_draw_contributions(tacit_page *page, const void *subject)
{
    const engine_risks *risk = subject;
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

/* A heat map in the making: what one or two more columns do to a set. */
typedef struct heat_map {
    uint64_t base;                         /* the set */
    int32_t count;                         /* other columns */
    int32_t places[TACIT_UNIQUES_COLUMNS]; /* of a column among these */
    char texts[TACIT_UNIQUES_COLUMNS][NAME];
    const char *names[TACIT_UNIQUES_COLUMNS];
    double shares[TACIT_UNIQUES_COLUMNS * TACIT_UNIQUES_COLUMNS];
} heat_map;

static void name_columns(heat_map *map, const engine_risks *risk)
{
    for (int32_t i = 0; i < risk->column_count; i++) {
        if (map->base >> i & 1)
            continue;
        map->places[i] = map->count;
        map->names[map->count] =
            engine_printable(map->texts[map->count], NAME, engine_risk_column(risk, i));
        map->count++;
    }
}

/* The share of the records that each further column and each pair of them singles out. */
static void fill_pairs(heat_map *map, const engine_risks *risk)
{
    const tacit_combinations *all = risk->combinations;
    for (int i = 0; i < map->count * map->count; i++)
        map->shares[i] = NAN;
    for (int64_t i = 0; i < all->count; i++) {
        uint64_t set = all->sets[i].columns, more = set & ~map->base;
        if ((set & map->base) != map->base || !more || __builtin_popcountll(more) > 2)
            continue;
        int first = map->places[__builtin_ctzll(more)];
        int last = map->places[63 - __builtin_clzll(more)];
        map->shares[last * map->count + first] =
            engine_percent(all->sets[i].within, all->rows) / 100;
    }
}

static void draw_heat(tacit_page *page, const engine_risks *risk, uint64_t base)
{
    char title[TITLE], names[NAME * 2];
    heat_map *map = tacit__alloc_zeroed(1, sizeof *map);
    if (!map) {
        tacit_page_fail(page);
        return;
    }
    map->base = base;
    name_columns(map, risk);
    fill_pairs(map, risk);
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
                                        .names = map->names,
                                        .count = map->count,
                                        .shares = map->shares});
    tacit__free(map);
}

/* Pairs, and as far as larger sets were counted, what two columns add to the most
 * telling set of each size, unless that singles out everybody. */
void engine_risk_draw_combinations(tacit_page *page, const void *subject)
{
    const engine_risks *risk = subject;
    const tacit_combinations *all = risk->combinations;
    draw_heat(page, risk, 0);
    for (int size = 1; size <= HEATS && size + 2 <= risk->column_count; size++) {
        if (risk->best[size + 1].count == 0)
            return;
        const tacit_combination *base = &all->sets[risk->best[size - 1].items[0]];
        if (base->within == all->rows)
            return;
        draw_heat(page, risk, base->columns);
    }
}
