/*
 * blanks.c - from a policy to what ambiguation is asked for: names of heuristics and
 * orders are the library's, columns and values become attributes and codes.
 *
 * Costs of cells are a CSV file with the columns column, value and cost; an empty value
 * stands for every value of the column, and later lines count.
 *
 * And what it did: how many cells of which columns it suppressed, how far that may be from the
 * fewest, and how many rows each row agrees with before and after.
 */
#include "base/alloc.h"
#include "engine/records/release.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char *const ORDERS[TACIT_ORDERS] = {
    [TACIT_ORDER_FILE] = "file",       [TACIT_ORDER_REVERSE] = "reverse",
    [TACIT_ORDER_HARDEST] = "hardest", [TACIT_ORDER_EASIEST] = "easiest",
    [TACIT_ORDER_RANDOM] = "random",
};

static const char *const KEYS[] = {"heuristic",   "blanks",    "max-row",
                                   "max-column",  "row-order", "measure",
                                   "blank-costs", "redundant", "hide"};

tacit_status engine_blanks_refuse(const tacit_policy *policy, const char *what,
                                  const engine_session *session, tacit_error *err)
{
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++)
        if (engine_has(session->settings, KEYS[i]) || tacit_policy_line(policy, KEYS[i]) > 0)
            return tacit__error(err, TACIT_INVALID, "%s applies to the method ambiguate, not to %s",
                                KEYS[i], what);
    return TACIT_OK;
}

tacit_status engine_blanks_check(const tacit_policy *policy, const engine_session *session,
                                 tacit_error *err)
{
    const tacit_method *method = policy->method ? tacit_method_find(policy->method) : NULL;
    if (method && (method->features & TACIT_METHOD_AMBIGUATES))
        return TACIT_OK;
    return engine_blanks_refuse(policy,
                                policy->method
                                    ? policy->method
                                    : "others; give --method ambiguate if that made the release",
                                session, err);
}

static tacit_status find_way(tacit_ambiguate_way *out, const char *name, tacit_error *err)
{
    char known[128] = "";
    if (!name)
        return TACIT_OK;
    *out = tacit_ambiguate_way_find(name);
    if (*out < TACIT_AMBIGUATE_WAYS)
        return TACIT_OK;
    for (tacit_ambiguate_way way = 0; way < TACIT_AMBIGUATE_WAYS; way++)
        engine_append_name(known, sizeof known, tacit_ambiguate_way_name(way));
    return tacit__error(err, TACIT_INVALID, "unknown heuristic \"%.40s\"; there is %s", name,
                        known);
}

static tacit_ambiguate_order find_order(const char *name)
{
    tacit_ambiguate_order order = TACIT_ORDER_FILE;
    while (name && strcmp(ORDERS[order], name) != 0)
        order++;
    return order;
}

tacit_status engine_blanks_init(engine_blanks *blanks, const tacit_policy *policy,
                                const tacit_method *method, const engine_session *session,
                                tacit_error *err)
{
    const tacit_policy_blanks *asked = &policy->blanks;
    if (!(method->features & TACIT_METHOD_AMBIGUATES))
        return engine_blanks_refuse(policy, method->name, session, err);
    blanks->how = (tacit_ambiguate){
        .order = find_order(asked->row_order),
        .strict = asked->strict,
        .mean = asked->mean,
        .as_published = policy->as_published,
        .redundant = asked->redundant || policy->resist,
        .most_row = asked->max_row < TACIT_MAX_ATTRIBUTES ? (int32_t)asked->max_row : 0,
        .most_column = asked->max_column,
        .report = &blanks->found,
    };
    return find_way(&blanks->how.way, asked->heuristic, err);
}

/* ---- dependencies ---- */

static tacit_status bind_hidden(engine_blanks *blanks, const tacit_policy *policy,
                                const engine_promise *promise, const tacit_table *table,
                                tacit_error *err)
{
    int32_t count = policy->blanks.hide_count;
    if (count > 0 && promise->promise.attribute_count > TACIT_MAX_MASKED)
        return tacit__error(err, TACIT_LIMIT,
                            "dependencies can be hidden among up to %d quasi-identifiers",
                            TACIT_MAX_MASKED);
    blanks->hidden = tacit__alloc_zeroed((size_t)count + 1, sizeof *blanks->hidden);
    if (!blanks->hidden)
        return tacit__nomem(err);
    for (int32_t i = 0; i < count; i++) {
        const tacit_policy_dependency *asked = &policy->blanks.hide[i];
        tacit_strview right = tacit_strview_of(policy->columns[asked->right].name);
        blanks->hidden[i].right = tacit_table_find(table, right);
        for (int32_t j = 0; j < asked->left.count; j++)
            blanks->hidden[i].left |=
                UINT64_C(1) << engine_attribute_of(promise, policy,
                                                   &policy->columns[asked->left.columns[j]]);
    }
    blanks->how.hidden = blanks->hidden;
    blanks->how.hidden_count = count;
    return TACIT_OK;
}

/* ---- costs ---- */

/* The file of costs, and what it is about. */
typedef struct cost_file {
    const tacit_policy *policy;
    const engine_promise *promise;
    const tacit_table *data;
    const tacit_table *table;
    int32_t column, value, cost; /* columns of the table */
} cost_file;

static tacit_strview cell(const cost_file *file, int32_t column, int64_t row)
{
    uint32_t code = tacit_codes_at(tacit_table_codes(file->table, column), row);
    if (code >= tacit_table_distinct(file->table, column))
        return (tacit_strview){"", 0};
    return tacit_table_value(file->table, column, code);
}

static tacit_status wrong_line(const cost_file *file, int64_t row, const char *what,
                               tacit_error *err)
{
    return tacit__error(err, TACIT_INVALID, "%s:%lld: %s", tacit_table_file(file->table),
                        (long long)tacit_table_line(file->table, row), what);
}

static bool read_cost(double *out, tacit_strview text)
{
    char copy[64], *end;
    if (text.len == 0 || text.len >= sizeof copy)
        return false;
    memcpy(copy, text.bytes, text.len);
    copy[text.len] = '\0';
    *out = strtod(copy, &end);
    return !*end && isfinite(*out) && *out > 0 && *out <= 1e9;
}

/* The code of a value in the data, or one past the last where no row has it. */
static uint32_t find_code(const cost_file *file, int32_t column, tacit_strview value)
{
    uint32_t count = tacit_table_distinct(file->data, column), code = 0;
    while (code < count && !tacit_strview_equal(tacit_table_value(file->data, column, code), value))
        code++;
    return code;
}

/* One line; *used says whether a cell of the data is concerned. */
static tacit_status read_line(tacit_blank_cost *cost, bool *used, const cost_file *file,
                              int64_t row, tacit_error *err)
{
    const tacit_policy_column *column =
        tacit_policy_find(file->policy, cell(file, file->column, row));
    int32_t attribute = engine_attribute_of(file->promise, file->policy, column);
    tacit_strview value = cell(file, file->value, row);
    if (attribute < 0)
        return wrong_line(file, row, "the column is not a quasi-identifier", err);
    if (!read_cost(&cost->cost, cell(file, file->cost, row)))
        return wrong_line(file, row, "the cost is not a number above 0 and at most 1000000000",
                          err);
    int32_t source = tacit_table_find(file->data, tacit_strview_of(column->name));
    cost->attribute = attribute;
    cost->code = value.len ? find_code(file, source, value) : UINT32_MAX;
    *used = !value.len || cost->code < tacit_table_distinct(file->data, source);
    return TACIT_OK;
}

static tacit_status read_lines(engine_blanks *blanks, const cost_file *file,
                               engine_session *session)
{
    int64_t rows = tacit_table_rows(file->table), unused = 0;
    tacit_status status = TACIT_OK;
    blanks->costs = tacit__alloc_zeroed((size_t)rows + 1, sizeof *blanks->costs);
    if (!blanks->costs)
        return tacit__nomem(&session->error);
    for (int64_t i = 0; i < rows && status == TACIT_OK; i++) {
        bool used = false;
        status = read_line(&blanks->costs[blanks->how.cost_count], &used, file, i, &session->error);
        blanks->how.cost_count += used;
        unused += !used;
    }
    blanks->how.costs = blanks->costs;
    if (status == TACIT_OK && unused > 0)
        engine_warn(session, "%s: %lld %s about values that the data do not have",
                    tacit_table_file(file->table), (long long)unused,
                    unused == 1 ? "line is" : "lines are");
    return status;
}

static tacit_status bind_costs(engine_blanks *blanks, const tacit_policy *policy,
                               const engine_promise *promise, const tacit_table *table,
                               engine_session *session)
{
    static const char *const NAMES[] = {"column", "value", "cost"};
    tacit_csv_options options;
    tacit_table *costs = NULL;
    if (!policy->blanks.costs)
        return TACIT_OK;
    tacit_csv_options_init(&options);
    options.convert = tacit_formats_convert;
    options.coded = NAMES;
    options.coded_count = 3;
    tacit_status status =
        tacit_table_read(&costs, policy->blanks.costs, &options, &session->run, &session->error);
    if (status != TACIT_OK)
        return status;
    const cost_file file = {
        .policy = policy,
        .promise = promise,
        .data = table,
        .table = costs,
        .column = tacit_table_find(costs, tacit_strview_of(NAMES[0])),
        .value = tacit_table_find(costs, tacit_strview_of(NAMES[1])),
        .cost = tacit_table_find(costs, tacit_strview_of(NAMES[2])),
    };
    status = read_lines(blanks, &file, session);
    tacit_table_free(costs);
    return status;
}

tacit_status engine_blanks_bind(engine_blanks *blanks, const tacit_policy *policy,
                                const engine_promise *promise, const tacit_table *table,
                                engine_session *session)
{
    tacit_status status = bind_hidden(blanks, policy, promise, table, &session->error);
    if (status == TACIT_OK)
        status = bind_costs(blanks, policy, promise, table, session);
    return status;
}

void engine_blanks_clear(engine_blanks *blanks)
{
    tacit__free(blanks->costs);
    tacit__free(blanks->hidden);
    *blanks = (engine_blanks){0};
}

/* ---- facts ---- */

bool engine_release_ambiguates(const engine_release *release)
{
    return release->method->features & TACIT_METHOD_AMBIGUATES;
}

/* Suppressed cells of an attribute: rows on its highest level. */
static int64_t blanks_of(const engine_release *release, int32_t attribute)
{
    int height = tacit_hierarchy_height(release->hierarchies[attribute]);
    return release->level_rows[attribute * TACIT_MAX_LEVELS + height];
}

static double share_of_rows(const engine_release *release, int64_t count)
{
    return release->metrics.rows > 0 ? 100 * (double)count / (double)release->metrics.rows : 0;
}

/* How much of the cost could be saved at most; not a number where nothing is known. */
static double gap_of(const tacit_ambiguity *found)
{
    if (found->proven || found->cost <= 0)
        return 0;
    return (found->cost - found->bound) / found->cost;
}

/* "157 cells (0.5%) of 103 rows, the fewest there are". */
static const char *cells_sentence(char *text, size_t size, const engine_release *release)
{
    const tacit_ambiguity *found = &release->blanks.found;
    double all = (double)release->metrics.rows * release->frame.attribute_count;
    bool plain = found->cost == (double)found->cells;
    snprintf(text, size, "%s (%.2g%%) of %s", engine_many(found->cells, "cell").text,
             all > 0 ? 100 * (double)found->cells / all : 0, engine_many(found->rows, "row").text);
    if (!plain)
        engine_append(text, size, " that cost %.6g", found->cost);
    if (found->proven)
        engine_append(text, size, ", the %s there are", plain ? "fewest" : "cheapest");
    else if (isfinite(found->bound))
        engine_append(text, size, "; %s than %.6g, so at most %.1f%% could be saved",
                      plain ? "no fewer" : "none cost less", found->bound, 100 * gap_of(found));
    return text;
}

static const char *agreement_sentence(char *text, size_t size, const engine_release *release)
{
    const tacit_ambiguity *found = &release->blanks.found;
    if (!release->blanks.how.as_published) {
        snprintf(text, size,
                 "%lld people or more fit each row, and everybody fits %lld rows or more; before, "
                 "%s in a class of fewer than %lld",
                 (long long)found->people_after, (long long)found->rows_after,
                 engine_many(found->unsafe_rows, "row was|rows were").text,
                 (long long)release->wanted.k);
        return text;
    }
    snprintf(text, size,
             "each row agrees with %lld rows or more, itself among them, %.1f on average; before, "
             "%s agreed with fewer than %lld",
             (long long)found->alpha_after, found->mean_after,
             engine_many(found->unsafe_rows, "row").text, (long long)release->wanted.k);
    return text;
}

/* What was added to the cells that k needs, or left out of those that were found; the page has the
 * numbers. */
static void print_changes(tacit_report *report, const tacit_ambiguity *found)
{
    unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT);
    if (found->removed > 0)
        tacit_report_line(report, "left out", "%s found and not needed",
                          engine_many(found->removed, "cell that was|cells that were").text);
    if (found->hiding > 0)
        tacit_report_line(report, "hidden", "%s added to hide dependencies",
                          engine_many(found->hiding, "cell was|cells were").text);
    if (found->redundant > 0)
        tacit_report_line(report, "redundant", "%s added against an adversary who knows the method",
                          engine_many(found->redundant, "cell was|cells were").text);
    tacit_report_show(report, before);
}

/* The cheapest way is often a few rows without any value, which say nothing to anybody. */
static void say_empty_rows(tacit_report *report, const engine_release *release)
{
    int64_t rows = release->verdict->suppressed_rows;
    if (rows > 0 && !release->blanks.how.strict && !release->blanks.how.most_row)
        tacit_report_line(
            report, "empty rows",
            "%s no value left, and the others agree with %s; --max-row N bounds what a row "
            "may lose",
            engine_many(rows, "row has|rows have").text, rows == 1 ? "it" : "them");
}

static void draw_blanks(tacit_page *page, const void *subject)
{
    const engine_release *release = subject;
    const char *names[TACIT_MAX_BARS];
    double blanks[TACIT_MAX_BARS];
    int32_t count = release->frame.attribute_count;
    if (count > TACIT_MAX_BARS)
        return;
    for (int32_t i = 0; i < count; i++) {
        names[i] = release->promise.attributes[i].name;
        blanks[i] = (double)blanks_of(release, i);
    }
    const tacit_bars bars = {
        .title = "Suppressed cells by column",
        .x_label = "column",
        .y_label = "cells",
        .names = names,
        .first = blanks,
        .first_name = "suppressed",
        .count = count,
        .marker = -1,
    };
    tacit_page_bars(page, &bars);
}

/* In a table on the terminal, in a chart on the page. */
static void add_columns(tacit_report *report, const engine_release *release)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "attribute"},
        {.heading = "suppressed", .format = "%.0f"},
        {.heading = "share", .format = "%.1f%%"},
    };
    tacit_report_begin(report, TACIT_TABLE(NULL, NULL, true, COLUMNS));
    for (int32_t i = 0; i < release->frame.attribute_count; i++) {
        int64_t blanks = blanks_of(release, i);
        tacit_report_cell(report, "%s", release->promise.attributes[i].name);
        tacit_report_cell_integer(report, blanks);
        tacit_report_cell_real(report, share_of_rows(release, blanks));
    }
    tacit_report_gap(report);
    tacit_report_drawing(report, draw_blanks, release);
    for (int32_t i = 0; i < release->frame.attribute_count; i++)
        tacit_report_integer_in(report, "columns",
                                tacit_strview_of(release->promise.attributes[i].name),
                                blanks_of(release, i));
}

static void add_numbers(tacit_report *report, const engine_release *release)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_ambiguity, cells, "cells", "cells suppressed", 0),
        TACIT_FIELD(tacit_ambiguity, rows, "rows", "rows with suppressed cells", 0),
        TACIT_FIELD(tacit_ambiguity, cost, "cost", "cost", 2),
        TACIT_FIELD(tacit_ambiguity, bound, "lower_bound", "no suppression costs less than", 1),
        TACIT_FIELD(tacit_ambiguity, proven, "proven", NULL, 0),
        TACIT_FIELD(tacit_ambiguity, stopped, "stopped", NULL, 0),
        TACIT_FIELD(tacit_ambiguity, nodes, "nodes", NULL, 0),
        TACIT_FIELD(tacit_ambiguity, removed, "removed", "cells found and not needed", 0),
        TACIT_FIELD(tacit_ambiguity, redundant, "redundant",
                    "cells added against an adversary who knows the method", 0),
        TACIT_FIELD(tacit_ambiguity, hiding, "hiding", "cells added to hide dependencies", 0),
        TACIT_FIELD(tacit_ambiguity, unsafe_rows, "rows_below_before",
                    "rows that agreed with fewer than k before", 0),
        TACIT_FIELD(tacit_ambiguity, alpha_before, "alpha.before.least", NULL, 0),
        TACIT_FIELD(tacit_ambiguity, mean_before, "alpha.before.mean",
                    "rows that a row agreed with on average, before", 1),
    };
    static const tacit_field AFTER[] = {
        TACIT_FIELD(tacit_ambiguity, alpha_after, "alpha.after.least", NULL, 0),
        TACIT_FIELD(tacit_ambiguity, mean_after, "alpha.after.mean", "and after", 1),
    };
    const tacit_ambiguity *found = &release->blanks.found;
    const tacit_ambiguate *how = &release->blanks.how;
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), found);
    tacit_report_real(report, "gap", gap_of(found));
    if (found->closest >= 0)
        tacit_report_integer(report, "closest_rows", found->closest);
    if (!how->strict)
        tacit_report_fields(report, AFTER, TACIT_COUNT_OF(AFTER), found);
    if (!how->strict && !how->as_published) {
        tacit_report_integer(report, "people_after", found->people_after);
        tacit_report_integer(report, "rows_after", found->rows_after);
    }
}

void engine_blanks_facts(tacit_report *report, const engine_release *release)
{
    const tacit_ambiguate *how = &release->blanks.how;
    const char *heuristic = tacit_ambiguate_way_name(how->way);
    char text[256];
    tacit_report_enter(report, "ambiguate");
    tacit_report_text(report, "heuristic", heuristic);
    tacit_report_text(report, "blanks", how->strict ? "blanks" : "anything");
    tacit_report_bool(report, "both_ways", !how->strict && !how->as_published);
    tacit_report_paragraph(report, "Suppressed by the heuristic %s.", heuristic);
    add_columns(report, release);
    tacit_report_line(report, "suppressed", "%s", cells_sentence(text, sizeof text, release));
    print_changes(report, &release->blanks.found);
    if (!how->strict && release->wanted.k > 1)
        tacit_report_line(report, "agreement", "%s",
                          agreement_sentence(text, sizeof text, release));
    say_empty_rows(report, release);
    add_numbers(report, release);
    tacit_report_leave(report);
}
