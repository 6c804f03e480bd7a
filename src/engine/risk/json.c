/*
 * json.c - the account of the risk as JSON (--report). Columns are named, and
 * rows by their numbers; no value of the data is in it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "engine/job/files.h"
#include "engine/risk/risk.h"

static void add_numbers_by_size(tacit_account *account, const char *path, const int64_t *numbers,
                                const engine_risks *risk)
{
    for (int32_t size = 0; size <= engine_risk_complete(risk); size++) {
        char name[16];
        snprintf(name, sizeof name, "%d", (int)size);
        if (size > 0 || numbers[0] > 0)
            tacit_account_integer_in(account, path, tacit_strview_of(name), numbers[size]);
    }
}

static void add_measures(tacit_account *account, const engine_risks *risk)
{
    const tacit_uniques_summary *found = risk->summary;
    static const char *const KEYS[ENGINE_RANKS] = {"fewest_columns", "prime_implicants", "group"};
    for (int i = 0; i < ENGINE_RANKS; i++) {
        const engine_first *first = &risk->rows[i];
        char path[64];
        snprintf(path, sizeof path, "measures.%s.%s", KEYS[i],
                 i == TACIT_RANK_SETS ? "most" : "least");
        tacit_account_integer(account, path, first->count ? llabs(first->keys[0]) : 0);
        snprintf(path, sizeof path, "measures.%s.first_rows", KEYS[i]);
        tacit_account_list(account, path);
        for (int j = 0; j < first->count; j++)
            tacit_account_push_integer(account, path, (int64_t)first->items[j] + 1);
    }
    add_numbers_by_size(account, "measures.fewest_columns.records", found->by_fewest, risk);
    tacit_account_real(account, "measures.prime_implicants.mean",
                       found->at_risk ? (double)found->sets / (double)found->at_risk : 0);
}

static void add_columns(tacit_account *account, const engine_risks *risk)
{
    for (int32_t i = 0; i < risk->column_count; i++) {
        const tacit_contribution *c = &risk->contributions->columns[i];
        tacit_account_push_object(account, "columns");
        tacit_account_text(account, "@.name", engine_risk_column(risk, i));
        tacit_account_real(account, "@.share_of_score", risk->shares[i]);
        tacit_account_real(account, "@.score", c->score);
        tacit_account_integer(account, "@.prime_implicants", c->sets);
        tacit_account_integer(account, "@.records", c->rows);
        tacit_account_integer(account, "@.only", c->only);
    }
}

/* The columns of a set, by name, in the object that was pushed last. */
static void add_set(tacit_account *account, const engine_risks *risk, uint64_t set)
{
    tacit_account_list(account, "@.columns");
    for (; set; set &= set - 1)
        tacit_account_push_text(account, "@.columns",
                                engine_risk_column(risk, __builtin_ctzll(set)));
}

static void add_sets(tacit_account *account, const engine_risks *risk)
{
    tacit_account_list(account, "groups");
    for (int i = 0; i < risk->largest.count; i++) {
        tacit_account_push_object(account, "groups");
        add_set(account, risk, risk->clusters->columns[risk->largest.items[i]]);
        tacit_account_integer(account, "@.records", -risk->largest.keys[i]);
    }
    tacit_account_list(account, "combinations");
    for (int32_t size = 0; risk->combinations && size < risk->column_count; size++)
        for (int i = 0; i < risk->best[size].count; i++) {
            const tacit_combination *set = &risk->combinations->sets[risk->best[size].items[i]];
            tacit_account_push_object(account, "combinations");
            add_set(account, risk, set->columns);
            tacit_account_integer(account, "@.records", set->within);
            tacit_account_real(account, "@.share",
                               engine_percent(set->within, risk->summary->rows) / 100);
        }
}

static void add_suda(tacit_account *account, const engine_risks *risk)
{
    const tacit_suda *suda = risk->suda;
    tacit_account_real(account, "suda.total", suda->total);
    tacit_account_real(account, "suda.highest", suda->highest);
    tacit_account_real(account, "suda.fraction", suda->fraction);
    tacit_account_real(account, "suda.highest_dis", suda->highest_dis);
    tacit_account_real(account, "suda.file_dis", suda->file_dis);
}

static void add_attacker(tacit_account *account, const char *name, const tacit_attacker *attacker)
{
    const struct {
        const char *key;
        double value;
    } facts[] = {{"records_at_risk", attacker->records_at_risk},
                 {"highest", attacker->highest},
                 {"success", attacker->success}};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "risk.%s.%s", name, facts[i].key);
        tacit_account_real(account, path, facts[i].value);
    }
}

static void add_risk(tacit_account *account, const engine_risks *risk)
{
    const tacit_risk *sampled = risk->sampled;
    tacit_account_integer(account, "risk.classes", sampled->classes);
    tacit_account_integer(account, "risk.alone", sampled->alone);
    tacit_account_integer(account, "risk.pairs", sampled->pairs);
    tacit_account_real(account, "risk.population", sampled->population);
    tacit_account_real(account, "risk.expected", sampled->expected);
    tacit_account_real(account, "risk.highest", sampled->highest);
    tacit_account_real(account, "risk.threshold", risk->sample.threshold);
    tacit_account_integer(account, "risk.above_threshold", risk->above);
    add_attacker(account, "prosecutor", &sampled->prosecutor);
    add_attacker(account, "journalist", &sampled->journalist);
    tacit_account_real(account, "risk.marketer.success", sampled->marketer);
    tacit_account_real(account, "risk.population_uniques.pitman", sampled->pitman);
    tacit_account_real(account, "risk.population_uniques.zayatz", sampled->zayatz);
    tacit_account_real(account, "risk.population_uniques.snb", sampled->snb);
    tacit_account_real(account, "risk.population_uniques.dankar", sampled->dankar);
    tacit_account_text(account, "risk.population_uniques.dankar_model",
                       tacit_strview_of(tacit_uniqueness_name(sampled->dankar_model)));
    tacit_account_real(account, "risk.skinner", sampled->skinner);
}

static void fill_account(tacit_account *account, const void *subject)
{
    const engine_risks *risk = subject;
    const tacit_uniques_summary *found = risk->summary;
    tacit_account_text(account, "tacit", tacit_strview_of(tacit_version()));
    tacit_account_text(account, "command", tacit_strview_of("risk"));
    tacit_account_integer(account, "records", found->rows);
    tacit_account_integer(account, "k", found->k);
    tacit_account_text(account, "missing",
                       tacit_strview_of(risk->missing == TACIT_MISSING_ANY ? "any" : "own"));
    tacit_account_integer(account, "at_risk", found->at_risk);
    tacit_account_integer(account, "prime_implicants", found->sets);
    add_numbers_by_size(account, "by_size", found->by_size, risk);
    tacit_account_integer(account, "complete_to", engine_risk_complete(risk));
    tacit_account_bool(account, "stopped", risk->stopped != NULL);
    add_measures(account, risk);
    add_columns(account, risk);
    add_sets(account, risk);
    add_suda(account, risk);
    add_risk(account, risk);
    for (int i = 0; i < ENGINE_RISK_STEPS; i++) {
        char path[32];
        snprintf(path, sizeof path, "seconds.%s", engine_risk_steps[i]);
        tacit_account_real(account, path, risk->seconds[i]);
    }
    tacit_account_real(account, "seconds.total", engine_now() - risk->session->start);
}

const engine_reports engine_risk_reports = {"Records that stand out", fill_account,
                                            engine_risk_page, NULL};

tacit_status engine_risk_report(const engine_risks *risk)
{
    return engine_report(risk->session, &engine_risk_reports, risk);
}
