/*
 * protect.c - `tacit protect`: a release of a statistical table.
 *
 * The table is read, its confidential cells are found by rules, and a method suppresses more until
 * nobody can work them out. What the method leaves exposed over the whole table is repaired; then
 * the release is written, read back and compared with what it may say, and the adversary's
 * programs are asked about every cell that it suppresses. It appears only if both find nothing.
 * Methods that change values instead go the same way, by protect_alter.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/job/kinds.h"
#include "engine/job/statement.h"
#include "engine/tables/argus.h"
#include "engine/tables/protect.h"

static const engine_setting SETTINGS[] = {
    ENGINE_SETTING("output", FILE, "OUT",
                   "where to write the release; standard output unless given. OUT.jj is not for "
                   "the public: it has all values"),
    ENGINE_SETTING("as", TEXT, "FORM",
                   "the form of the release where its name does not say it: csv, px, xlsx, sdmx "
                   "(SDMX-CSV 1.0), sdmx2"),
    ENGINE_SETTING("statuses", TEXT, "full|plain",
                   "whether the release says which suppressed cells are primary: full in a CSV, "
                   "else plain"),
    ENGINE_SETTING("dataflow", TEXT, "ID", "sdmx: what the table is called, as AGENCY:ID(VERSION)"),
    ENGINE_SETTING("pivot", FILE, "OUT.csv",
                   "write the release also with the last dimension across, for people"),
    ENGINE_SETTING(
        "full", FILE, "OUT",
        "write all that is known of every cell, for yourself and tacit audit (.csv or .jj)"),
    ENGINE_SETTING("sbs", FILE, "OUT",
                   "write all values with the reasons of those that are suppressed, for the office "
                   "that the table is transmitted to, as tau-Argus's SBS form"),
    ENGINE_SETTING("statement", FILE, "FILE",
                   "what recipients are told, as Markdown (.md) or JSON (.json): how the table is "
                   "protected, what analyses have to mind, and terms to agree to"),
    ENGINE_SETTING("dim", TEXT, "COLUMN[=FILE]",
                   "a dimension, and its hierarchy; give one for each dimension, and again for a "
                   "further hierarchy of one"),
    ENGINE_SETTING("total", TEXT, "[COLUMN=]CODE",
                   "what the total of a dimension without hierarchy, or of each, is called "
                   "(Total)"),
    ENGINE_SETTING(
        "table", TEXT, "DIM,...",
        "a table over these dimensions; several of them are linked and protected together"),
    ENGINE_SETTING("rows", TEXT, "records|cells",
                   "what the rows of a CSV are; detected unless given"),
    ENGINE_SETTING("value", TEXT, "COLUMN",
                   "what is summed up; without it records are counted, and cells have it in freq"),
    ENGINE_SETTING("freq", TEXT, "COLUMN",
                   "of cells: the number of contributors (freq); the column of --value where "
                   "values are counts"),
    ENGINE_SETTING("negative", SWITCH, NULL, "values may be below zero"),
    ENGINE_SETTING("tolerance", REAL, "X", "what a total may be off by, beyond rounding"),
    ENGINE_SETTING("weight", TEXT, "COLUMN", "units that a record stands for"),
    ENGINE_SETTING("holding", TEXT, "COLUMN",
                   "whom a record belongs to: all records of one holding are one contributor"),
    ENGINE_SETTING("shadow", TEXT, "COLUMN", "what rules use in place of the value"),
    ENGINE_SETTING("request", TEXT, "COLUMN",
                   "column that is 1 where a contributor requests protection"),
    ENGINE_SETTING("rule", TEXT, "RULE",
                   "makes cells primary: freq:N (1 to N contributors), nk:N,K (the N largest have "
                   "more than K percent), p:P, pq:P,Q, request:K; may be given again"),
    ENGINE_SETTING("zero", TEXT, "publish|free|primary",
                   "what becomes of cells with contributors and value 0 (publish)"),
    ENGINE_SETTING("empty", TEXT, "publish|free|primary",
                   "what becomes of cells without contributors (publish)"),
    ENGINE_SETTING("level", TEXT, "both|upper|lower|sliding",
                   "which side of the value the levels that follow from rules protect (both)"),
    ENGINE_SETTING(
        "margin", REAL, "PERCENT",
        "how much of a primary cell's value to hide on both sides where no rule says so (10)"),
    ENGINE_SETTING("least", REAL, "X", "least amount that --margin hides (1 for counts, else 0)"),
    ENGINE_SETTING("bounds", REAL, "PERCENT",
                   "everybody knows each value to within this percentage; unless given, from 0 to "
                   "the largest value"),
    ENGINE_SETTING(
        "apriori", FILE, "FILE",
        "your own decisions, a line a cell: codes, then u, s, z, m, c,COST or pl,LOWER,UPPER"),
    ENGINE_SETTING(
        "cost", TEXT, "WHAT",
        "cost of suppressing a cell: value (the default), count, log, freq, or a column"),
    ENGINE_SETTING("lambda", REAL, "L", "the power of that cost; 0 for its logarithm"),
    ENGINE_SETTING(
        "method", TEXT, "M",
        "how to choose the cells to suppress, or how to change values; auto unless given"),
    ENGINE_SETTING("rounds", NUMBER, "N",
                   "auto: rounds of local search; 0 for none; unless given, as many as pay, or as "
                   "--time allows"),
    ENGINE_SETTING("work", REAL, "TIMES",
                   "partial, hitas, --singletons, --sums: how often the usual work may be done "
                   "before the best so far is taken (1)"),
    ENGINE_SETTING("base", REAL, "B", "rounding: to multiples of it (5)"),
    ENGINE_SETTING("distance", TEXT, "one|two",
                   "adjust: what to minimize: the sum of changes (one), or of their squares (two)"),
    ENGINE_SETTING("weigh", TEXT, "cost|one|share",
                   "methods that change values: weight of a change: the cell's cost by its value "
                   "(cost), 1, or its share of the value"),
    ENGINE_SETTING("cuboid", TEXT, "cost|count|value|log",
                   "hypercube: what to minimize in choosing a cuboid (cost)"),
    ENGINE_SETTING("cuboid-level", REAL, "PERCENT",
                   "hypercube: how much of a cell's value a cuboid hides on either side; else the "
                   "cell's levels"),
    ENGINE_SETTING("cuboid-zeros", SWITCH, NULL, "hypercube: zeros may be corners of a cuboid"),
    ENGINE_SETTING("second-cuboid", SWITCH, NULL,
                   "hypercube: a cell of one contributor gets two cuboids, instead of one without "
                   "other such cells"),
    ENGINE_SETTING("as-published", SWITCH, NULL,
                   "total: as in the paper, which may suppress more cells than necessary"),
    ENGINE_SETTING("quick", SWITCH, NULL,
                   "total: no integer programs where cells are on their bounds"),
    ENGINE_SETTING("sparse", SWITCH, NULL,
                   "total: the file lists the suppressed cells of a table of two dimensions that "
                   "may be large"),
    ENGINE_SETTING("rest", TEXT, "free|zero|publish",
                   "with --sparse: what the cells are that the file leaves out (free)"),
    ENGINE_SETTING(
        "intervals", SWITCH, NULL,
        "publish what anybody can work out about each suppressed cell: columns low and high"),
    ENGINE_SETTING("wider", REAL, "PERCENT",
                   "partial: how much wider than necessary a published interval is, at a random "
                   "position (100)"),
    ENGINE_SETTING("singletons", SWITCH, NULL,
                   "hide primary cells also from contributors, who know their own contribution; "
                   "partial only checks this, and refuses"),
    ENGINE_SETTING("sums", SWITCH, NULL,
                   "let no sum of primary cells be known too well either; partial only checks "
                   "this, and refuses"),
    ENGINE_SETTING(
        "epsilon", REAL, "E",
        "dp: what the table spends; the likelihood of any outcome changes by a factor of "
        "exp(E) at most with a person more or less"),
    ENGINE_SETTING(
        "budget", REAL, "E",
        "dp: what all such tables of this data may spend together; stated with the first "
        "of them, and kept in the ledger"),
    ENGINE_SETTING("cells-per-person", NUMBER, "N",
                   "dp: cells without parts that a person (--holding) is counted in at most (1)"),
    ENGINE_SETTING("ledger", FILE, "FOLDER",
                   "dp: the ledger, where what is spent adds up; made if there is none"),
    ENGINE_SETTING("source", TEXT, "NAME",
                   "dp: what the ledger calls the data; the name of its file unless given"),
    ENGINE_SETTING(NULL, SWITCH, NULL, NULL),
};

/* ---- primary cells ---- */

static tacit_status apply_rules(engine_protection *p)
{
    const engine_settings *settings = p->session->settings;
    bool asked = p->rule_count > 0 || engine_has(settings, "zero") || engine_has(settings, "empty");
    if (p->known > 0)
        tacit_cells_set_bounds(p->cells, p->known);
    if (!asked)
        return TACIT_OK;
    return tacit_cells_apply_rules(p->cells, p->rules, p->rule_count, &p->primary,
                                   &p->session->error);
}

/* Rounding protects whatever there is. */
static tacit_status nothing_primary(engine_protection *p)
{
    if (p->altering.method && p->altering.method->rounds)
        return TACIT_OK;
    if (p->rule_count > 0 || engine_has(p->session->settings, "apriori"))
        return TACIT_OK;
    return tacit__error(
        &p->session->error, TACIT_INVALID,
        "no cell is confidential: give a --rule, an --apriori file, or a table with u "
        "in its column status");
}

static tacit_status find_primary(engine_protection *p)
{
    const char *apriori = engine_value(p->session->settings, "apriori");
    tacit_error *err = &p->session->error;
    tacit_status status = apply_rules(p);
    if (status == TACIT_OK && p->has_costs)
        status = tacit_cells_set_costs(p->cells, p->cost, p->lambda, err);
    if (status == TACIT_OK && apriori)
        status = tacit_cells_apply_apriori(p->cells, apriori, &p->primary.margin, err);
    if (status != TACIT_OK)
        return status;
    tacit_cells_tally(p->tally, p->cells, NULL);
    return p->tally[TACIT_CELL_PRIMARY] > 0 ? TACIT_OK : nothing_primary(p);
}

/* ---- secondary cells, and the audit ---- */

static tacit_status make_intervals(engine_protection *p)
{
    if (!p->intervals || p->pattern.intervals.low)
        return TACIT_OK;
    tacit_status status = tacit_audit_public(&p->pattern.intervals, p->cells, p->pattern.status,
                                             &p->session->run, &p->session->error);
    if (status == TACIT_OK)
        tacit_intervals_round(&p->pattern.intervals, p->cells, p->pattern.status);
    return status;
}

/* A search that was stopped leaves its best, which is judged and written. */
static tacit_status suppress(engine_protection *p)
{
    tacit_status status = engine_total_before(p);
    p->released = p->cells;
    if (status != TACIT_OK)
        return status;
    status = tacit_suppress(&p->pattern, p->cells, p->method, &p->wanted, tacit_audit_cells_judge,
                            NULL, &p->session->run, &p->session->error);
    if (status != TACIT_OK)
        return status;
    if (p->pattern.stopped)
        engine_warn(p->session, "the search was stopped %s; this is the best that it had found",
                    engine_session_forgive(p->session));
    return make_intervals(p);
}

static tacit_status refuse(engine_protection *p, int32_t cell, const char *why)
{
    char name[ENGINE_DIM_NAME];
    return tacit__error(&p->session->error, TACIT_INFEASIBLE,
                        "%.255s: %s; nothing is written, and tacit audit says more of what --full "
                        "writes without this option",
                        tacit_cells_describe(p->cells, cell, name, sizeof name), why);
}

/* The first thing that was found. */
static tacit_status refuse_findings(engine_protection *p)
{
    const tacit_cells_audit *audit = p->audit;
    for (int32_t i = 0; i < audit->cell_count; i++)
        if (audit->cells[i].disclosed || audit->cells[i].underprotected)
            return refuse(p, audit->cells[i].cell, "the audit finds that it is not protected");
    if (audit->singleton_count > 0)
        return refuse(p, audit->singletons[0].cell,
                      "a contributor can work it out from his own contribution (--singletons)");
    if (audit->sum_count > 0) {
        const tacit_relations *relations = &p->cells->relations;
        return refuse(p, relations->items[relations->starts[audit->sums[0].relation]],
                      "the sum of the primary cells in it is known too well (--sums)");
    }
    return TACIT_OK;
}

/* Intervals that are published are known to whoever reads them. */
static tacit_status audit_written(engine_protection *p, const tacit_cells_audit_options *options)
{
    tacit_error *err = &p->session->error;
    tacit_narrowed known;
    if (!p->intervals)
        return tacit_audit_cells(&p->audit, p->cells, p->written->status, options, &p->session->run,
                                 err);
    tacit_status status = tacit_narrowed_init(&known, p->cells, &p->written->intervals, err);
    if (status != TACIT_OK)
        return status;
    status = tacit_audit_cells(&p->audit, &known.cells, p->written->status, options,
                               &p->session->run, err);
    tacit_narrowed_clear(&known);
    return status;
}

/* What the written letters let anybody find out. Whole intervals are only needed where they are
 * shown. */
static tacit_status judge_release(engine_protection *p)
{
    const tacit_cells_audit_options options = {.primaries =
                                                   !engine_has(p->session->settings, "html"),
                                               .singletons = p->singletons,
                                               .sums = p->sums};
    tacit_status status = audit_written(p, &options);
    if (status != TACIT_OK)
        return status;
    return p->method->total ? engine_total_judge(p) : refuse_findings(p);
}

/* ---- the whole ---- */

/* The release last: whoever finds it finds what goes with it. */
static tacit_status appear(engine_protection *p)
{
    tacit_status status = engine_session_check(p->session);
    if (status == TACIT_OK && engine_is_noise(p))
        status = engine_noise_announce(p);
    if (status != TACIT_OK)
        return status;
    for (int i = ENGINE_PROTECT_FILES; i-- > 0 && status == TACIT_OK;)
        if (p->outputs[i])
            status = tacit_output_commit(p->outputs[i], &p->session->error);
    return engine_is_noise(p) ? engine_noise_confirm(p, status) : status;
}

/* Of a method that suppresses cells, of one that changes values, and of one that adds noise. */
typedef tacit_status (*step_fn)(engine_protection *p);

static const step_fn STEPS[3][ENGINE_PROTECT_STEPS] = {
    {engine_protect_read, find_primary, suppress, engine_protect_write, engine_protect_check,
     judge_release, appear},
    {engine_protect_read, find_primary, engine_alter_work, engine_protect_write,
     engine_protect_check, engine_alter_judge, appear},
    {engine_protect_read, engine_noise_open, engine_alter_work, engine_protect_write,
     engine_protect_check, engine_noise_judge, appear}};

static int steps_of(const engine_protection *p)
{
    return p->method ? 0 : engine_is_noise(p) ? 2 : 1;
}

const char *engine_protect_step(const engine_protection *p, int step)
{
    static const char *const NAMES[ENGINE_PROTECT_STEPS] = {"read",  "rules", "suppress", "write",
                                                            "check", "audit", "commit"};
    step_fn of = STEPS[steps_of(p)][step];
    return of == engine_alter_work ? "alter" : of == engine_noise_open ? "budget" : NAMES[step];
}

static tacit_status step(engine_protection *p, int i)
{
    double start = engine_now();
    tacit_status status = STEPS[steps_of(p)][i](p);
    p->seconds[i] = engine_now() - start;
    return status;
}

static tacit_status run_protection(void *state)
{
    engine_protection *p = state;
    tacit_status status = engine_protect_plan(p);
    for (int i = 0; i < ENGINE_PROTECT_STEPS - 1 && status == TACIT_OK; i++)
        status = step(p, i);
    if (status == TACIT_OK && p->method)
        status =
            engine_table_levels_init(&p->levels, p->cells, p->pattern.status, &p->session->error);
    return status;
}

static tacit_status commit_protection(void *state)
{
    engine_protection *p = state;
    engine_session *session = p->session;
    const char *target = p->targets[ENGINE_PROTECT_RELEASE];
    tacit_status status = engine_statement(session, &engine_protect_statement, p);
    if (status == TACIT_OK)
        status = step(p, ENGINE_PROTECT_STEPS - 1);
    if (status != TACIT_OK)
        return status;
    p->total_time = engine_now() - session->start;
    status = engine_files_appear(session);
    if (status == TACIT_OK)
        status = engine_report_all(session, &engine_protect_reports, p);
    if (engine_is_jj(target))
        engine_warn(session, "%s has %s too: it is for you, not for release", target,
                    p->method ? "the suppressed values" : "costs and bounds of the true values");
    return engine_report_failed(session, status);
}

static void clear_protection(void *state)
{
    engine_protection *p = state;
    for (int i = 0; i < ENGINE_PROTECT_FILES; i++)
        tacit_output_free(p->outputs[i]);
    tacit_output_free(p->form.judged);
    engine_table_levels_clear(&p->levels);
    engine_total_clear(&p->total);
    engine_alter_clear(&p->altering);
    engine_noise_clear(&p->noise);
    tacit_table_free(p->records);
    tacit_cells_audit_free(p->audit);
    tacit_cells_written_free(p->written);
    tacit_pattern_clear(&p->pattern);
    tacit_cells_free(p->cells);
}

static const engine_kind *protect_variant(const engine_settings *settings)
{
    if (settings->input_count > 0 && engine_is_batch(settings->inputs[0]))
        return &engine_protect_argus;
    return engine_has(settings, "sparse") ? &engine_protect_sparse : NULL;
}

const engine_kind engine_protect = {
    .name = "protect",
    .input = "TABLE",
    .inputs_needed = 1,
    .inputs_taken = ENGINE_MAX_PARTS,
    .settings = SETTINGS,
    .takes_data = true,
    .variant = protect_variant,
    .size = sizeof(engine_protection),
    .run = run_protection,
    .commit = commit_protection,
    .report = &engine_protect_reports,
    .clear = clear_protection,
};
