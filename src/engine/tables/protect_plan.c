/*
 * protect_plan.c - what `tacit protect` is asked for, from its command line alone: misspelt
 * rules, methods and files are refused before a long file is read.
 */
#include <string.h>

#include "base/error.h"
#include "engine/job/files.h"
#include "engine/job/statement.h"
#include "engine/tables/protect.h"

static const char *const STATUS_NAMES[] = {"publish", "free", "primary"};
static const tacit_cell_status STATUSES[] = {TACIT_CELL_FIXED, TACIT_CELL_FREE, TACIT_CELL_PRIMARY};
static const char *const SIDE_NAMES[] = {"both", "upper", "lower", "sliding"};
static const char *const ROW_NAMES[] = {"records", "cells"};
static const double USUAL_WIDER = 100; /* percent */
static const char *const CUBOID_NAMES[] = {"cost", "count", "value", "log"};

/* ---- the tables ---- */

static tacit_status plan_spec(engine_protection *p)
{
    const engine_settings *settings = p->session->settings;
    tacit_cells_spec *spec = &p->spec;
    int rows;
    tacit_cells_spec_init(spec);
    spec->value = engine_value(settings, "value");
    spec->weight = engine_value(settings, "weight");
    spec->holding = engine_value(settings, "holding");
    spec->freq = engine_value(settings, "freq");
    spec->request = engine_value(settings, "request");
    spec->shadow = engine_value(settings, "shadow");
    spec->negative = engine_has(settings, "negative");
    spec->tolerance = engine_real(settings, "tolerance", spec->tolerance);
    spec->margin.margin = engine_real(settings, "margin", spec->margin.margin);
    spec->margin.least = engine_real(settings, "least", spec->margin.least);
    tacit_status status = engine_choice(&rows, settings, "rows", ROW_NAMES, 2, &p->session->error);
    p->rows = (engine_rows)rows;
    return status == TACIT_OK ? engine_dims_init(&p->dims, settings, &p->session->error) : status;
}

/* A .jj says all of that itself. */
static tacit_status check_jj(engine_protection *p)
{
    static const char *const OF_CSV[] = {"dim",    "table",    "total",   "value",
                                         "rows",   "weight",   "holding", "request",
                                         "shadow", "negative", "pivot",   "sbs"};
    const engine_settings *settings = p->session->settings;
    bool any = false;
    for (size_t i = 0; i < settings->input_count; i++)
        any |= engine_is_jj(settings->inputs[i]);
    if (!any)
        return p->dims.count > 0
                   ? TACIT_OK
                   : tacit__error(
                         &p->session->error, TACIT_INVALID,
                         "--dim is missing: name the columns that are the table's dimensions");
    if (settings->input_count > 1)
        return tacit__error(
            &p->session->error, TACIT_INVALID,
            "a .jj has no dimensions that another table could be linked by; give it "
            "alone");
    for (size_t i = 0; i < sizeof OF_CSV / sizeof *OF_CSV; i++)
        if (engine_has(settings, OF_CSV[i]))
            return tacit__error(&p->session->error, TACIT_INVALID,
                                "--%s applies to a CSV; a .jj has only cells and relations",
                                OF_CSV[i]);
    return TACIT_OK;
}

/* ---- which cells are primary, and what the others cost ---- */

static tacit_status add_rule(engine_protection *p, const char *text)
{
    tacit_error *err = &p->session->error;
    if (p->rule_count == ENGINE_MAX_RULES)
        return tacit__error(err, TACIT_INVALID, "--rule may be given %d times", ENGINE_MAX_RULES);
    tacit_rule *rule = &p->rules[p->rule_count++];
    tacit_status status = tacit_rule_parse(rule, text, err);
    if (status == TACIT_PARSE)
        status = err->status = TACIT_INVALID;
    if (status == TACIT_OK && rule->kind == TACIT_RULE_DOMINANCE && rule->n > p->spec.top)
        p->spec.top = rule->n;
    return status;
}

static tacit_status plan_status(tacit_cell_status *out, engine_protection *p, const char *option)
{
    int choice;
    tacit_status status =
        engine_choice(&choice, p->session->settings, option, STATUS_NAMES, 3, &p->session->error);
    if (choice >= 0)
        *out = STATUSES[choice];
    return status;
}

static tacit_status plan_primary(engine_protection *p)
{
    const engine_settings *settings = p->session->settings;
    tacit_status status = TACIT_OK;
    int side = -1;
    tacit_rules_options_init(&p->primary);
    p->primary.margin = p->spec.margin;
    p->known = engine_real(settings, "bounds", 0);
    for (size_t i = 0; i < settings->given_count && status == TACIT_OK; i++)
        if (strcmp(settings->given[i].setting->name, "rule") == 0)
            status = add_rule(p, settings->given[i].value);
    if (status == TACIT_OK)
        status = plan_status(&p->primary.zero, p, "zero");
    if (status == TACIT_OK)
        status = plan_status(&p->primary.empty, p, "empty");
    if (status == TACIT_OK)
        status = engine_choice(&side, settings, "level", SIDE_NAMES, 4, &p->session->error);
    if (side >= 0)
        p->primary.side = (tacit_level_side)side;
    return status;
}

static tacit_status plan_costs(engine_protection *p)
{
    const engine_settings *settings = p->session->settings;
    const char *cost = engine_value(settings, "cost");
    bool log = cost && strcmp(cost, "log") == 0;
    p->has_costs = cost || engine_has(settings, "lambda");
    p->lambda = log ? 0 : engine_real(settings, "lambda", 1);
    if (log && engine_has(settings, "lambda"))
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "--cost log is --cost value with --lambda 0; give one of the two");
    if (!cost || log || strcmp(cost, "value") == 0)
        p->cost = TACIT_COST_VALUE;
    else if (strcmp(cost, "count") == 0)
        p->cost = TACIT_COST_COUNT;
    else if (strcmp(cost, "freq") == 0)
        p->cost = TACIT_COST_FREQ;
    else {
        p->cost = TACIT_COST_COLUMN;
        p->spec.cost = cost;
    }
    return TACIT_OK;
}

/* ---- the method ---- */

const char *engine_protect_method(const engine_protection *p)
{
    return p->method ? p->method->name : p->altering.method->name;
}

static const char *nearest_method(const char *name)
{
    const tacit_suppress_method *suppress = tacit_suppress_methods();
    const tacit_alter_method *alter = tacit_alter_methods();
    size_t count = 0, altering = 0;
    while (suppress[count].name)
        count++;
    while (alter[altering].name)
        altering++;
    const char *nearest = tacit_nearest(name, &suppress[0].name, count, sizeof *suppress);
    return nearest ? nearest : tacit_nearest(name, &alter[0].name, altering, sizeof *alter);
}

static tacit_status no_method(const char *name, tacit_error *err)
{
    const char *nearest = nearest_method(name);
    if (nearest)
        return tacit__error(err, TACIT_INVALID, "unknown method %.40s (did you mean %s?)", name,
                            nearest);
    return tacit__error(err, TACIT_INVALID, "unknown method %.40s; --help lists them", name);
}

/* What is about one method only. */
static tacit_status check_of(const engine_protection *p, const char *method,
                             const char *const *options)
{
    for (; *options; options++)
        if (engine_has(p->session->settings, *options) &&
            strcmp(engine_protect_method(p), method) != 0)
            return tacit__error(&p->session->error, TACIT_INVALID,
                                "--%s applies to the method %s, not to %s", *options, method,
                                engine_protect_method(p));
    return TACIT_OK;
}

static tacit_status check_options(const engine_protection *p)
{
    static const char *const OF_HYPERCUBE[] = {"cuboid", "cuboid-level", "cuboid-zeros",
                                               "second-cuboid", NULL};
    static const char *const OF_TOTAL[] = {"as-published", "quick", NULL};
    static const char *const OF_PARTIAL[] = {"wider", NULL};
    static const char *const OF_AUTO[] = {"rounds", NULL};
    tacit_status status = check_of(p, "hypercube", OF_HYPERCUBE);
    if (status == TACIT_OK)
        status = check_of(p, "auto", OF_AUTO);
    if (status == TACIT_OK)
        status = check_of(p, "total", OF_TOTAL);
    if (status == TACIT_OK)
        status = check_of(p, "partial", OF_PARTIAL);
    if (status == TACIT_OK && p->method && p->method->total && (p->singletons || p->sums))
        status = tacit__error(&p->session->error, TACIT_INVALID,
                              "--singletons and --sums are about intervals, which the method total "
                              "does not promise");
    return status;
}

/* How often the usual work may be done. */
static tacit_status plan_work(engine_protection *p)
{
    const char *method = engine_protect_method(p);
    p->wanted.work = engine_real(p->session->settings, "work", 1);
    if (p->wanted.work <= 0)
        return tacit__error(&p->session->error, TACIT_INVALID, "--work must be more than 0");
    if (!engine_has(p->session->settings, "work") || p->singletons || p->sums ||
        strcmp(method, "partial") == 0 || strcmp(method, "hitas") == 0)
        return TACIT_OK;
    return tacit__error(
        &p->session->error, TACIT_INVALID,
        "--work applies to the methods partial and hitas, --singletons and --sums, not to %s alone",
        method);
}

/* Intervals in place of blanks: those that the method partial has chosen, which are all that hides
 * cells, or those that anybody can work out from the release. */
static tacit_status plan_intervals(engine_protection *p)
{
    const engine_settings *settings = p->session->settings;
    const char *target = engine_value(settings, "output");
    tacit_error *err = &p->session->error;
    p->chosen = p->method && strcmp(p->method->name, "partial") == 0;
    p->intervals = p->chosen || engine_has(settings, "intervals");
    p->wanted.wider = engine_real(settings, "wider", USUAL_WIDER);
    if (p->intervals && !p->method)
        return tacit__error(err, TACIT_INVALID,
                            "--intervals applies to suppressed cells, and the method %s has none",
                            engine_protect_method(p));
    if (p->intervals && target && engine_is_jj(target))
        return tacit__error(err, TACIT_INVALID,
                            "a .jj has no room for intervals; write the release as a .csv");
    if (p->chosen && engine_has(settings, "html"))
        return tacit__error(err, TACIT_INVALID,
                            "--html says what follows from blanks, of which the method partial has "
                            "none; --pivot shows its intervals");
    return TACIT_OK;
}

static tacit_status plan_method(engine_protection *p)
{
    const engine_settings *settings = p->session->settings;
    const char *name = engine_value(settings, "method");
    int cuboid = -1;
    name = name ? name : "auto";
    p->method = tacit_suppress_method_find(name);
    p->altering.method = p->method ? NULL : tacit_alter_method_find(name);
    if (!p->method && !p->altering.method)
        return no_method(name, &p->session->error);
    p->singletons = engine_has(settings, "singletons");
    p->sums = engine_has(settings, "sums");
    p->wanted.singletons = p->singletons;
    p->wanted.sums = p->sums;
    p->wanted.cuboid_level = engine_real(settings, "cuboid-level", 0);
    p->wanted.zeros = engine_has(settings, "cuboid-zeros");
    p->wanted.second_cuboid = engine_has(settings, "second-cuboid");
    p->wanted.total_costs = p->has_costs;
    if (engine_has(settings, "rounds")) {
        uint64_t rounds = engine_number(settings, "rounds", 0);
        p->wanted.rounds = rounds == 0 ? -1 : rounds < INT64_MAX ? (int64_t)rounds : INT64_MAX;
    } else if (engine_has(settings, "time")) {
        p->wanted.rounds = INT64_MAX; /* who gives time wants it used */
    }
    p->wanted.total.as_published = engine_has(settings, "as-published");
    p->wanted.total.quick = engine_has(settings, "quick");
    tacit_status status = check_options(p);
    if (status == TACIT_OK)
        status = plan_work(p);
    if (status == TACIT_OK)
        status = engine_alter_plan(p);
    if (status == TACIT_OK)
        status = engine_noise_plan(p);
    if (status == TACIT_OK)
        status = plan_intervals(p);
    if (status == TACIT_OK)
        status = engine_choice(&cuboid, settings, "cuboid", CUBOID_NAMES, 4, &p->session->error);
    if (cuboid >= 0)
        p->wanted.cuboid = (tacit_cuboid_cost)cuboid;
    return status;
}

/* ---- files ---- */

enum { MAX_FILES = ENGINE_MAX_PARTS + TACIT_MAX_DIMENSIONS * TACIT_MAX_TREES + 8 };

typedef struct file_list {
    engine_file items[MAX_FILES];
    size_t count;
} file_list;

static void add_file(file_list *list, const char *path, const char *called, bool written)
{
    list->items[list->count++] = (engine_file){path, called, written};
}

static tacit_status plan_files(engine_protection *p)
{
    const engine_settings *settings = p->session->settings;
    const char *target = engine_value(settings, "output");
    file_list list = {.count = 0};
    p->targets[ENGINE_PROTECT_RELEASE] = target ? target : "-";
    p->targets[ENGINE_PROTECT_FULL] = engine_value(settings, "full");
    p->targets[ENGINE_PROTECT_PIVOT] = engine_value(settings, "pivot");
    p->targets[ENGINE_PROTECT_SBS] = engine_value(settings, "sbs");
    for (size_t i = 0; i < settings->input_count; i++)
        add_file(&list, settings->inputs[i], "TABLE", false);
    for (int32_t d = 0; d < p->dims.count; d++)
        for (int32_t t = 0; t < p->dims.list[d].hierarchy_count; t++)
            add_file(&list, p->dims.files[d][t], "--dim", false);
    add_file(&list, engine_value(settings, "apriori"), "--apriori", false);
    add_file(&list, p->targets[ENGINE_PROTECT_RELEASE], "-o", true);
    add_file(&list, p->targets[ENGINE_PROTECT_FULL], "--full", true);
    add_file(&list, p->targets[ENGINE_PROTECT_PIVOT], "--pivot", true);
    add_file(&list, p->targets[ENGINE_PROTECT_SBS], "--sbs", true);
    add_file(&list, engine_value(settings, "report"), "--report", true);
    add_file(&list, engine_value(settings, "html"), "--html", true);
    add_file(&list, engine_value(settings, "statement"), "--statement", true);
    if (engine_has(settings, "statement") && engine_is_jj(p->targets[ENGINE_PROTECT_RELEASE]))
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "--statement is for recipients, and a .jj, which has all values, is "
                            "not; leave one of them out");
    tacit_status status = engine_statement_check(settings, &p->session->error);
    return status == TACIT_OK ? engine_files_check(list.items, list.count, &p->session->error)
                              : status;
}

tacit_status engine_protect_plan(engine_protection *p)
{
    static tacit_status (*const PARTS[])(engine_protection *) = {
        plan_spec, check_jj, plan_primary, plan_costs, plan_method, engine_form_plan, plan_files};
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS && status == TACIT_OK; i++)
        status = PARTS[i](p);
    return status;
}
