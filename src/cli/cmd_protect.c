/*
 * cmd_protect.c - `tacit protect`: a release of a statistical table.
 *
 * The table is read, its confidential cells are found by rules, and a method suppresses more until
 * nobody can work them out. What the method leaves exposed over the whole table is repaired; then
 * the release is written, read back and compared with what it may say, and the adversary's
 * programs are asked about every cell that it suppresses. It appears only if both find nothing.
 * Methods that change values instead go the same way, by protect_alter.c.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "files.h"
#include "protect.h"
#include "protect_sparse.h"

static const cli_option OPTIONS[] = {
    {"output", 'o', CLI_FILE, "OUT",
     "where the release goes; standard output unless given. OUT.jj is not for the public: it has "
     "all values",
     false},
    {"pivot", 0, CLI_FILE, "OUT.csv",
     "write the release also with the last dimension across, for people", false},
    {"full", 0, CLI_FILE, "OUT",
     "write all that is known of every cell, for yourself and tacit audit (.csv or .jj)", false},
    {"dim", 0, CLI_TEXT, "COLUMN[=FILE]",
     "a dimension, and its hierarchy; as often as there are dimensions, and again for a further "
     "hierarchy of one",
     false},
    {"total", 0, CLI_TEXT, "CODE",
     "what the total of a dimension without hierarchy is called (Total)", false},
    {"table", 0, CLI_TEXT, "DIM,...",
     "a table over these dimensions; several of them are linked and protected together", false},
    {"rows", 0, CLI_TEXT, "records|cells", "what the rows of a CSV are; found out unless given",
     false},
    {"value", 0, CLI_TEXT, "COLUMN",
     "what is summed up; without it records are counted, and cells have it in freq", false},
    {"freq", 0, CLI_TEXT, "COLUMN",
     "of cells: the number of contributors (freq); the column of --value where values are counts",
     false},
    {"negative", 0, CLI_SWITCH, NULL, "values may be below zero", false},
    {"tolerance", 0, CLI_REAL, "X", "what a total may be off by, beyond rounding", false},
    {"weight", 0, CLI_TEXT, "COLUMN", "units that a record stands for", false},
    {"holding", 0, CLI_TEXT, "COLUMN",
     "whose a record is: all records of one holding are one contributor", false},
    {"shadow", 0, CLI_TEXT, "COLUMN", "what rules look at in place of the value", false},
    {"request", 0, CLI_TEXT, "COLUMN", "1 where a contributor has asked for protection", false},
    {"rule", 0, CLI_TEXT, "RULE",
     "makes cells primary: freq:N (1 to N contributors), nk:N,K (the N largest have more than K "
     "percent), p:P, pq:P,Q, request:K; may be given again",
     false},
    {"zero", 0, CLI_TEXT, "publish|free|primary",
     "what becomes of cells with contributors and value 0 (publish)", false},
    {"empty", 0, CLI_TEXT, "publish|free|primary",
     "what becomes of cells without contributors (publish)", false},
    {"level", 0, CLI_TEXT, "both|upper|lower|sliding",
     "which side of the value the levels that follow from rules protect (both)", false},
    {"margin", 0, CLI_REAL, "PERCENT",
     "of its value to hide on both sides of a primary cell where no rule says how much (10)",
     false},
    {"least", 0, CLI_REAL, "X", "but at least so much (1 for counts, else 0)", false},
    {"bounds", 0, CLI_REAL, "PERCENT",
     "everybody knows each value within so much of itself; else from 0 to the largest value",
     false},
    {"apriori", 0, CLI_FILE, "FILE",
     "your own decisions, a line a cell: codes, then u, s, z, c,COST or pl,LOWER,UPPER", false},
    {"cost", 0, CLI_TEXT, "WHAT",
     "of suppressing a cell: value (the default), count, log, freq, or a column", false},
    {"lambda", 0, CLI_REAL, "L", "the power of that cost; 0 for its logarithm", false},
    {"method", 0, CLI_TEXT, "M",
     "how to choose the cells to suppress, or how to change values; auto unless given", false},
    {"rounds", 0, CLI_NUMBER, "N",
     "auto: of local search; 0 for none; else as many as are worth it, or as --time allows", false},
    {"work", 0, CLI_REAL, "TIMES",
     "partial, hitas, --singletons, --sums: how often the usual work may be done before the best "
     "so far is taken (1)",
     false},
    {"base", 0, CLI_REAL, "B", "rounding: to multiples of it (5)", false},
    {"distance", 0, CLI_TEXT, "one|two",
     "adjust: what is kept small: the sum of changes (one), or of their squares", false},
    {"weigh", 0, CLI_TEXT, "cost|one|share",
     "changed values: what a change weighs: the cell's cost by its value (cost), 1, or its share "
     "of "
     "the value",
     false},
    {"cuboid", 0, CLI_TEXT, "cost|count|value|log",
     "hypercube: what to keep small in choosing a cuboid (cost)", false},
    {"cuboid-level", 0, CLI_REAL, "PERCENT",
     "hypercube: of a cell's value that a cuboid hides on either side; else the cell's levels",
     false},
    {"cuboid-zeros", 0, CLI_SWITCH, NULL, "hypercube: zeros may be corners of a cuboid", false},
    {"second-cuboid", 0, CLI_SWITCH, NULL,
     "hypercube: a cell of one contributor gets two cuboids, instead of one without other such "
     "cells",
     false},
    {"as-published", 0, CLI_SWITCH, NULL,
     "total: as the paper has it, which may add more cells than it takes", false},
    {"quick", 0, CLI_SWITCH, NULL, "total: no integer programs where cells are on their bounds",
     false},
    {"sparse", 0, CLI_SWITCH, NULL,
     "total: the file lists the suppressed cells of a table of two dimensions that may be large",
     false},
    {"rest", 0, CLI_TEXT, "free|zero|publish",
     "with it: what the cells are that the file leaves out (free)", false},
    {"intervals", 0, CLI_SWITCH, NULL,
     "publish of each suppressed cell what anybody can work out: columns low and high", false},
    {"wider", 0, CLI_REAL, "PERCENT",
     "partial: how much wider than need be an interval is published, around a place by chance "
     "(100)",
     false},
    {"singletons", 0, CLI_SWITCH, NULL,
     "hide primary cells also from contributors who know what they gave themselves; partial only "
     "checks it, and refuses",
     false},
    {"sums", 0, CLI_SWITCH, NULL,
     "let no sum of primary cells be known too well either; partial only checks it, and refuses",
     false},
    {NULL, 0, CLI_SWITCH, NULL, NULL, false},
};

/* ---- primary cells ---- */

static tacit_status apply_rules(cli_protection *p)
{
    const cli_arguments *arguments = p->session->arguments;
    bool asked = p->rule_count > 0 || cli_has(arguments, "zero") || cli_has(arguments, "empty");
    if (p->known > 0)
        tacit_cells_set_bounds(p->cells, p->known);
    if (!asked)
        return TACIT_OK;
    return tacit_cells_apply_rules(p->cells, p->rules, p->rule_count, &p->primary,
                                   &p->session->error);
}

/* Rounding protects whatever there is. */
static tacit_status nothing_primary(cli_protection *p)
{
    if (p->altering.method && p->altering.method->rounds)
        return TACIT_OK;
    if (p->rule_count > 0 || cli_has(p->session->arguments, "apriori"))
        return TACIT_OK;
    return cli_error(&p->session->error, TACIT_INVALID,
                     "no cell is confidential: give a --rule, an --apriori file, or a table with u "
                     "in its column status");
}

static tacit_status find_primary(cli_protection *p)
{
    const char *apriori = cli_value(p->session->arguments, "apriori");
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

/* A search that was stopped leaves its best, which is judged and written. */
static tacit_status suppress(cli_protection *p)
{
    tacit_status status = cli_total_before(p);
    p->released = p->cells;
    if (status != TACIT_OK)
        return status;
    status = tacit_suppress(&p->pattern, p->cells, p->method, &p->wanted, tacit_audit_cells_judge,
                            NULL, &p->session->run, &p->session->error);
    if (status != TACIT_OK)
        return status;
    if (p->pattern.stopped)
        cli_warn(p->session, "the search was stopped %s; this is the best that it had found",
                 cli_session_forgive(p->session));
    return cli_intervals_make(p);
}

static tacit_status refuse(cli_protection *p, int32_t cell, const char *why)
{
    char name[CLI_DIM_NAME];
    return cli_error(&p->session->error, TACIT_INFEASIBLE,
                     "%.255s: %s; nothing is written, and tacit audit says more of what --full "
                     "writes without this option",
                     tacit_cells_describe(p->cells, cell, name, sizeof name), why);
}

/* The first thing that was found. */
static tacit_status refuse_findings(cli_protection *p)
{
    const tacit_cells_audit *audit = p->audit;
    for (int32_t i = 0; i < audit->cell_count; i++)
        if (audit->cells[i].disclosed || audit->cells[i].underprotected)
            return refuse(p, audit->cells[i].cell, "the audit finds that it is not protected");
    if (audit->singleton_count > 0)
        return refuse(p, audit->singletons[0].cell,
                      "a contributor who knows what he gave can find it out (--singletons)");
    if (audit->sum_count > 0) {
        const tacit_relations *relations = &p->cells->relations;
        return refuse(p, relations->items[relations->starts[audit->sums[0].relation]],
                      "the sum of the primary cells in it is known too well (--sums)");
    }
    return TACIT_OK;
}

/* What the written letters let anybody find out. Whole intervals are only needed where they are
 * shown. */
static tacit_status judge(cli_protection *p)
{
    const tacit_cells_audit_options options = {.primaries = !cli_has(p->session->arguments, "html"),
                                               .singletons = p->singletons,
                                               .sums = p->sums};
    tacit_status status = cli_intervals_audit(p, &options);
    if (status != TACIT_OK)
        return status;
    return p->method->total ? cli_total_judge(p) : refuse_findings(p);
}

/* ---- the whole ---- */

/* The release last: whoever finds it finds what goes with it. */
static tacit_status commit(cli_protection *p)
{
    tacit_status status = cli_session_check(p->session);
    for (int i = CLI_PROTECT_FILES; i-- > 0 && status == TACIT_OK;)
        if (p->outputs[i])
            status = tacit_output_commit(p->outputs[i], &p->session->error);
    return status;
}

/* Of a method that suppresses cells, and of one that changes values. */
typedef tacit_status (*step_fn)(cli_protection *p);

static const step_fn STEPS[2][CLI_PROTECT_STEPS] = {
    {cli_protect_read, find_primary, suppress, cli_protect_write, cli_protect_check, judge, commit},
    {cli_protect_read, find_primary, cli_alter_work, cli_protect_write, cli_protect_check,
     cli_alter_judge, commit}};

const char *cli_protect_step(const cli_protection *p, int step)
{
    static const char *const NAMES[CLI_PROTECT_STEPS] = {"read",  "rules", "suppress", "write",
                                                         "check", "audit", "commit"};
    return p->altering.method && STEPS[1][step] == cli_alter_work ? "alter" : NAMES[step];
}

static tacit_status run_steps(cli_protection *p)
{
    for (int i = 0; i < CLI_PROTECT_STEPS; i++) {
        double start = cli_now();
        tacit_status status = STEPS[p->altering.method ? 1 : 0][i](p);
        p->seconds[i] = cli_now() - start;
        if (status != TACIT_OK)
            return status;
    }
    p->total_time = cli_now() - p->session->start;
    return TACIT_OK;
}

static void clear(cli_protection *p)
{
    for (int i = 0; i < CLI_PROTECT_FILES; i++)
        tacit_output_free(p->outputs[i]);
    cli_table_levels_clear(&p->levels);
    cli_total_clear(&p->total);
    cli_alter_clear(&p->altering);
    tacit_cells_audit_free(p->audit);
    tacit_cells_written_free(p->written);
    tacit_pattern_clear(&p->pattern);
    tacit_cells_free(p->cells);
    free(p);
}

static tacit_status work(cli_protection *p)
{
    tacit_status status = cli_protect_plan(p);
    if (status == TACIT_OK)
        status = run_steps(p);
    if (status != TACIT_OK)
        return status;
    cli_protect_tell(p);
    return cli_report_failed(p->session, cli_protect_report(p));
}

static int run(const cli_arguments *arguments)
{
    if (cli_has(arguments, "sparse"))
        return cli_protect_sparse(arguments);
    cli_session session;
    cli_protection *p = calloc(1, sizeof *p);
    tacit_status status = cli_session_init(&session, arguments);
    if (!p)
        status = cli_error(&session.error, TACIT_NOMEM, "out of memory");
    if (status == TACIT_OK) {
        p->session = &session;
        status = work(p);
    }
    int result = cli_session_end(&session, status);
    if (p)
        clear(p);
    return result;
}

const cli_command cli_protect = {
    .name = "protect",
    .summary = "a release of a statistical table that hides its confidential cells",
    .usage = "TABLE.csv|.jj|DATA.csv [--dim NAME[=FILE]]... [--rule R]... [-o OUT]",
    .about =
        "Makes a table of records, or reads one of cells, finds its confidential cells by rules, "
        "and suppresses as many others as it takes to hide them. Every primary cell keeps its "
        "protection interval over the whole table: how low and how high it could be for all that "
        "anybody can work out is found by linear programs of the judge's own, who shares the "
        "reader and the solver with the methods, and nothing that chooses cells. The release is "
        "read back and judged before it appears. Other methods publish every cell, with its value "
        "changed: rounded to multiples of a base, or adjusted.\n"
        "Rows are records or cells; cells have the columns freq, status, lower, upper, lpl, upl, "
        "spl, weight and max1, max2 and so on, as far as they are known, and totals that are "
        "missing are computed. Several files are linked tables, each over the dimensions that it "
        "has columns for.",
    .operand = "TABLE",
    .operands_needed = 1,
    .operands_taken = CLI_MAX_PARTS,
    .options = OPTIONS,
    .takes_data = true,
    .makes = CLI_TABLES,
    .example = "tacit protect firms.csv --dim district=hierarchies/districts.hrc \\\n"
               "      --dim branch=hierarchies/branches.csv --value turnover --holding owner \\\n"
               "      --rule p:10 --rule freq:2 -o release.csv --html release.html\n"
               "tacit protect table.jj --method hypercube -o protected.jj",
    .run = run,
};
