/*
 * rank.c - what is shown first: of rows, of sets of columns, and of columns.
 *
 * Rankings are shown down to the tenth, so each is one pass that keeps ten, and
 * costs nothing beside the search; --records has the whole order (tacit_uniques_rank).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/risk/risk.h"

const char *const engine_rank_names[ENGINE_RANKS] = {
    [TACIT_RANK_FEWEST] = "fewest", [TACIT_RANK_SETS] = "sets", [TACIT_RANK_GROUP] = "group"};

const char *const engine_rank_words[ENGINE_RANKS] = {
    [TACIT_RANK_FEWEST] = "through the fewest columns",
    [TACIT_RANK_SETS] = "through the most prime implicants",
    [TACIT_RANK_GROUP] = "in the smallest groups"};

static void offer(engine_first *first, int64_t key, uint32_t item)
{
    int at = first->count;
    if (at == ENGINE_FIRST && key >= first->keys[at - 1])
        return;
    at = at == ENGINE_FIRST ? at - 1 : first->count++;
    for (; at > 0 && key < first->keys[at - 1]; at--) {
        first->keys[at] = first->keys[at - 1];
        first->items[at] = first->items[at - 1];
    }
    first->keys[at] = key;
    first->items[at] = item;
}

static void rank_rows(engine_risks *risk)
{
    const tacit_risk *sampled = risk->sampled;
    for (int64_t row = 0; row < risk->summary->rows; row++) {
        double chance = sampled->individual[tacit_distinct_of(risk->distinct, row)];
        risk->above += chance > risk->sample.threshold;
        tacit_unique_measures measures = tacit_uniques_measure(risk->uniques, row);
        if (measures.sets == 0)
            continue;
        offer(&risk->rows[TACIT_RANK_FEWEST], measures.fewest, (uint32_t)row);
        offer(&risk->rows[TACIT_RANK_SETS], -measures.sets, (uint32_t)row);
        offer(&risk->rows[TACIT_RANK_GROUP], measures.group, (uint32_t)row);
    }
}

static void rank_sets(engine_risks *risk)
{
    const tacit_clusters *clusters = risk->clusters;
    const tacit_combinations *all = risk->combinations;
    for (int64_t i = 0; i < clusters->count; i++)
        offer(&risk->largest, clusters->starts[i] - clusters->starts[i + 1], (uint32_t)i);
    for (int64_t i = 0; all && i < all->count; i++)
        offer(&risk->best[__builtin_popcountll(all->sets[i].columns) - 1], -all->sets[i].within,
              (uint32_t)i);
}

static void rank_columns(engine_risks *risk)
{
    const tacit_contributions *c = risk->contributions;
    for (int32_t i = 0; i < risk->column_count; i++) {
        int32_t at = i;
        risk->shares[i] = c->total > 0 ? c->columns[i].score / c->total : 0;
        for (; at > 0 && risk->shares[i] > risk->shares[risk->order[at - 1]]; at--)
            risk->order[at] = risk->order[at - 1];
        risk->order[at] = i;
    }
}

void engine_risk_rank(engine_risks *risk)
{
    rank_rows(risk);
    rank_sets(risk);
    rank_columns(risk);
}

tacit_strview engine_risk_column(const engine_risks *risk, int32_t index)
{
    return tacit_table_name(risk->table, risk->columns[index]);
}

int32_t engine_risk_complete(const engine_risks *risk)
{
    int32_t most = risk->wanted.max_size ? risk->wanted.max_size : risk->column_count;
    most = most < risk->column_count ? most : risk->column_count;
    return most < risk->summary->complete ? most : risk->summary->complete;
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

const char *engine_risk_rows(char *text, size_t size, const uint32_t *rows, int64_t count, int most)
{
    text[0] = '\0';
    for (int64_t i = 0; i < count && i <= most; i++) {
        size_t used = strlen(text);
        if (i < most)
            snprintf(text + used, size - used, "%s%lld", i ? ", " : "", (long long)rows[i] + 1);
        else
            snprintf(text + used, size - used, ", ...");
    }
    return text;
}
