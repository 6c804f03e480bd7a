/*
 * hierarchy.c - `tacit hierarchy`: makes a hierarchy file for a column, or checks one.
 *
 * Without --check the file has a row for each value of the column, of a rule, a standard hierarchy
 * or another file (--from), with groups by name or frequency (--group), or as a template in which
 * every value is its own group. With --check everything that keeps a file from being the column's
 * hierarchy is listed at once, and -o writes it with the values that it lacks. The report and the
 * files hold values of the data, which are the data holder's; the counts are in the report only,
 * and the file can be read by nobody but its owner.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tacit/experimental/hierarchy.h>
#include <tacit/experimental/policy.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/job/files.h"
#include "engine/job/kinds.h"
#include "engine/job/session.h"

static const engine_setting HIERARCHY_SETTINGS[] = {
    ENGINE_SETTING("column", TEXT, "NAME", "the column whose values are generalized"),
    ENGINE_SETTING("from", TEXT, "FILE|RULE",
                   "what values generalize to, as the policy's hierarchy says it: standard:icd10, "
                   "mask:right, interval:0/5,10, date, a file; a template unless given"),
    ENGINE_SETTING("group", TEXT, "HOW",
                   "put values together that begin with the same words (name), or that few rows "
                   "have (frequency:5,20: fewer than 5, on the next level fewer than 20), or both "
                   "(name+frequency:5,20)"),
    ENGINE_SETTING("check", FILE, "H.csv", "list all that is wrong with this hierarchy file"),
    ENGINE_SETTING("output", FILE, "OUT.csv",
                   "where to write the hierarchy; with --check, the file with the values it lacks"),
    ENGINE_SETTING("force", SWITCH, NULL, "replace the output file if there is one"),
    {NULL, TACIT_SETTING_SWITCH, NULL, NULL, false, false},
};

typedef struct value_count {
    uint32_t code;
    int64_t rows;
} value_count;

/* What a policy says of how data is read, and nothing else of it. */
static const char *const READING_KEYS[] = {"missing-codes", NULL};

typedef struct hierarchy_run {
    engine_session *session;
    const char *file, *checked, *output;
    tacit_policy *policy;
    tacit_hierarchy_spec from;
    tacit_table *table;
    int32_t column;
    value_count *values; /* the most frequent first */
    uint32_t count;
    int64_t missing;
    uint32_t on_level[TACIT_MAX_LEVELS]; /* values on each of what was made */
    int levels;
    char *text; /* to be written; NULL: nothing */
    tacit_hierarchy_gaps *gaps;
} hierarchy_run;

/* At most one of what the file can be made of. */
static tacit_status check_sources(const engine_settings *settings, tacit_error *err)
{
    static const char *const SOURCES[] = {"from", "group", "check"};
    const char *given = NULL;
    for (size_t i = 0; i < TACIT_COUNT_OF(SOURCES); i++) {
        if (!engine_has(settings, SOURCES[i]))
            continue;
        if (given)
            return tacit__error(err, TACIT_INVALID, "--%s and --%s do not go together", given,
                                SOURCES[i]);
        given = SOURCES[i];
    }
    return TACIT_OK;
}

static tacit_status check_files(const hierarchy_run *h)
{
    const engine_settings *settings = h->session->settings;
    tacit_error *err = &h->session->error;
    struct stat about;
    const engine_file files[] = {
        {h->file, "DATA.csv", false},
        {engine_value(settings, "policy"), "--policy", false},
        {h->from.path, "--from", false},
        {h->checked, "--check", false},
        {h->output, "-o", true},
        {engine_value(settings, "report"), "--report", true},
        {engine_value(settings, "html"), "--html", true},
    };
    tacit_status status = engine_files_check(files, TACIT_COUNT_OF(files), err);
    if (status != TACIT_OK || !h->output || engine_has(settings, "force"))
        return status;
    if (stat(h->output, &about) == 0 && S_ISREG(about.st_mode))
        return tacit__error(err, TACIT_INVALID, "%s exists already; --force replaces it",
                            h->output);
    return TACIT_OK;
}

static tacit_status prepare_hierarchy(hierarchy_run *h)
{
    const engine_settings *settings = h->session->settings;
    tacit_error *err = &h->session->error;
    const char *from = engine_value(settings, "from");
    h->file = settings->inputs[0];
    h->checked = engine_value(settings, "check");
    h->output = engine_value(settings, "output");
    if (!engine_value(settings, "column"))
        return tacit__error(err, TACIT_INVALID, "which column? --column names it");
    tacit_status status = check_sources(settings, err);
    if (status == TACIT_OK && from)
        status = tacit_hierarchy_spec_parse(&h->from, from, NULL, err);
    if (status == TACIT_OK)
        status = check_files(h);
    if (status == TACIT_OK)
        status = engine_policy(&h->policy, h->session);
    if (status == TACIT_OK && tacit_policy_has_missing_codes(h->policy))
        h->session->coding = h->policy;
    return status;
}

static tacit_status read_column(hierarchy_run *h)
{
    const char *name = engine_value(h->session->settings, "column");
    tacit_csv_options options;
    engine_csv_options(&options, h->session);
    options.coded = &name;
    options.coded_count = 1;
    tacit_status status =
        tacit_table_read(&h->table, h->file, &options, &h->session->run, &h->session->error);
    if (status == TACIT_OK)
        h->column = tacit_table_find(h->table, tacit_strview_of(name));
    return status;
}

static int by_frequency(const void *a, const void *b)
{
    const value_count *x = a, *y = b;
    if (x->rows != y->rows)
        return x->rows > y->rows ? -1 : 1;
    return (x->code > y->code) - (x->code < y->code);
}

static tacit_status count_values(hierarchy_run *h)
{
    tacit_error *err = &h->session->error;
    int64_t *rows = NULL;
    tacit_status status = tacit_hierarchy_rows(&rows, h->table, h->column, err);
    if (status != TACIT_OK)
        return status;
    h->count = tacit_table_distinct(h->table, h->column);
    h->missing = rows[h->count];
    h->values = tacit__alloc_array((size_t)h->count + 1, sizeof *h->values);
    for (uint32_t code = 0; h->values && code < h->count; code++)
        h->values[code] = (value_count){code, rows[code]};
    if (h->values)
        qsort(h->values, h->count, sizeof *h->values, by_frequency);
    tacit_hierarchy_rows_free(rows);
    return h->values ? TACIT_OK : tacit__nomem(err);
}

static tacit_status make_hierarchy(hierarchy_run *h)
{
    tacit_error *err = &h->session->error;
    const char *group = engine_value(h->session->settings, "group");
    tacit_hierarchy *hierarchy = NULL;
    tacit_status status = group
                              ? tacit_hierarchy_group(&hierarchy, group, h->table, h->column, err)
                              : tacit_hierarchy_new(&hierarchy, &h->from, h->table, h->column, err);
    if (status == TACIT_OK)
        status = tacit_hierarchy_text(&h->text, hierarchy, err);
    for (int level = 0; status == TACIT_OK && level <= tacit_hierarchy_height(hierarchy); level++)
        h->on_level[h->levels++] = tacit_hierarchy_count(hierarchy, level);
    tacit_hierarchy_free(hierarchy);
    return status;
}

/* Gaps that only rows which are there can be mended of. */
static int64_t broken_rows(const tacit_hierarchy_gaps *gaps)
{
    int64_t count = 0;
    for (int kind = 0; kind < TACIT_GAP_LACKING; kind++)
        count += gaps->of_kind[kind];
    return count;
}

static int64_t lacking_values(const tacit_hierarchy_gaps *gaps)
{
    return gaps->of_kind[TACIT_GAP_LACKING] + gaps->of_kind[TACIT_GAP_ABOVE];
}

static tacit_status check_hierarchy(hierarchy_run *h)
{
    tacit_error *err = &h->session->error;
    tacit_status status = tacit_hierarchy_check(&h->gaps, h->checked, h->table, h->column, err);
    if (status == TACIT_OK && h->output && !broken_rows(h->gaps))
        status = tacit_hierarchy_complete(&h->text, h->checked, h->table, h->column, err);
    return status;
}

static tacit_status run_hierarchy(void *state)
{
    hierarchy_run *h = state;
    tacit_status status = prepare_hierarchy(h);
    if (status == TACIT_OK)
        status = read_column(h);
    if (status == TACIT_OK)
        status = count_values(h);
    if (status == TACIT_OK)
        status = h->checked ? check_hierarchy(h) : make_hierarchy(h);
    if (status == TACIT_OK)
        status = tacit_table_check_unchanged(h->table, &h->session->run, &h->session->error);
    return status;
}

/* ---- what is said of it ---- */

static void add_values(tacit_report *report, const hierarchy_run *h)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "value", .heading = "value"},
        {.key = "rows", .heading = "rows", .format = "%.0f"},
    };
    tacit_report_begin(report, TACIT_TABLE("values", "Values of the column", true, COLUMNS));
    for (uint32_t i = 0; i < h->count; i++) {
        tacit_report_cell_view(report, tacit_table_value(h->table, h->column, h->values[i].code));
        tacit_report_cell_integer(report, h->values[i].rows);
    }
    tacit_report_gap(report);
}

static void add_levels(tacit_report *report, const hierarchy_run *h)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "level", .heading = "level", .format = "%.0f"},
        {.key = "values", .heading = "values", .format = "%.0f"},
    };
    char text[16 * TACIT_MAX_LEVELS] = "";
    const char *what = engine_has(h->session->settings, "group") ? "; there is nothing to group"
                                                                 : "; groups are yours to write";
    unsigned before = tacit_report_show(report, TACIT_SHOW_JSON | TACIT_SHOW_PAGE);
    tacit_report_begin(report, TACIT_TABLE("levels", "Values on each level", true, COLUMNS));
    for (int level = 0; level < h->levels; level++) {
        tacit_report_cell_integer(report, level);
        tacit_report_cell_integer(report, h->on_level[level]);
        engine_append_name(text, sizeof text, engine_count(h->on_level[level]).text);
    }
    tacit_report_show(report, before);
    tacit_report_line(report, "levels", "from the values up to the most general one: %s%s", text,
                      h->levels > 2 ? "" : what);
}

static void add_gaps(tacit_report *report, const hierarchy_run *h)
{
    static const char *const KINDS[TACIT_GAP_KINDS] = {"form",  "length",  "empty", "two_parents",
                                                       "roots", "lacking", "above", "unused"};
    static const tacit_report_column COLUMNS[] = {
        {.key = "kind"},
        {.key = "line", .heading = "line", .format = "%.0f"},
        {.key = "rows", .heading = "rows", .format = "%.0f"},
        {.key = "value", .heading = "value"},
        {.key = "about", .heading = "what is wrong"},
    };
    tacit_report_begin(report, TACIT_TABLE("gaps", "Gaps of the hierarchy", true, COLUMNS));
    for (uint32_t i = 0; i < h->gaps->count; i++) {
        const tacit_hierarchy_gap *gap = &h->gaps->items[i];
        tacit_report_cell(report, "%s", KINDS[gap->kind]);
        if (gap->line)
            tacit_report_cell_integer(report, gap->line);
        else
            tacit_report_cell_none(report);
        if (gap->rows)
            tacit_report_cell_integer(report, gap->rows);
        else
            tacit_report_cell_none(report);
        tacit_report_cell_view(report, gap->value);
        tacit_report_cell(report, "%s", gap->about);
    }
    if (h->gaps->count)
        tacit_report_gap(report);
}

static void add_check(tacit_report *report, const hierarchy_run *h)
{
    int64_t broken = broken_rows(h->gaps), lacking = lacking_values(h->gaps);
    int64_t unused = h->gaps->of_kind[TACIT_GAP_UNUSED];
    add_gaps(report, h);
    tacit_report_integer(report, "broken", broken);
    tacit_report_integer(report, "lacking", lacking);
    tacit_report_integer(report, "unused", unused);
    tacit_report_verdict(report, broken + lacking == 0, "hierarchy",
                         "faults in the file: %s; values of the data that it lacks: %s; values "
                         "that the data does not have: %s",
                         engine_count(broken).text, engine_count(lacking).text,
                         engine_count(unused).text);
}

static void add_hierarchy(tacit_report *report, const void *subject)
{
    const hierarchy_run *h = subject;
    tacit_strview name = tacit_table_name(h->table, h->column);
    char shown[64];
    tacit_report_title(report, "%s: column %s, %s values", engine_show(h->file).text,
                       engine_printable(shown, sizeof shown, name), engine_count(h->count).text);
    tacit_report_text(report, "tacit", tacit_version());
    tacit_report_text(report, "command", "hierarchy");
    tacit_report_view(report, "column", name);
    tacit_report_integer(report, "rows", tacit_table_rows(h->table));
    tacit_report_integer(report, "missing", h->missing);
    tacit_report_integer(report, "distinct", h->count);
    if (h->checked) {
        add_check(report, h);
    } else {
        add_values(report, h);
        add_levels(report, h);
        tacit_report_line(report, "missing", "rows without a value, which needs no row here: %s",
                          engine_count(h->missing).text);
    }
    tacit_report_real(report, "seconds.total", engine_now() - h->session->start);
}

static const engine_reports HIERARCHY_REPORTS = {.title = "Hierarchy of a column",
                                                 .fill = add_hierarchy};

/* For its owner alone, since it holds values of the data. */
static tacit_status write_hierarchy(hierarchy_run *h)
{
    if (!h->output || !h->text || (h->gaps && broken_rows(h->gaps)))
        return TACIT_OK;
    tacit_status status = engine_files_add_text(h->session, tacit_output_new_private, h->output,
                                                h->text, strlen(h->text));
    if (status == TACIT_OK && strcmp(h->output, "-"))
        engine_say(
            h->session,
            "%s: a row for each value, its generalizations behind it; it holds values of the "
            "data, so keep it as you keep them",
            h->output);
    return status;
}

/* A file that is no hierarchy of the column is a failure, once all of it has been told. */
static tacit_status judge_hierarchy(hierarchy_run *h)
{
    if (!h->gaps)
        return TACIT_OK;
    int64_t broken = broken_rows(h->gaps), lacking = lacking_values(h->gaps);
    if (broken)
        return tacit__error(&h->session->error, TACIT_PARSE, "%s has faults (%s)%s", h->checked,
                            engine_count(broken).text,
                            h->output ? "; nothing is written before they are mended" : "");
    if (lacking && !h->output)
        return tacit__error(&h->session->error, TACIT_PARSE,
                            "%s lacks values of the data (%s); -o writes it with them", h->checked,
                            engine_count(lacking).text);
    return TACIT_OK;
}

static tacit_status commit_hierarchy(void *state)
{
    hierarchy_run *h = state;
    tacit_status status = engine_report_print(h->session, &HIERARCHY_REPORTS, h);
    if (status == TACIT_OK)
        status = write_hierarchy(h);
    if (status == TACIT_OK)
        status = engine_report(h->session, &HIERARCHY_REPORTS, h);
    return status == TACIT_OK ? judge_hierarchy(h) : status;
}

static void clear_hierarchy(void *state)
{
    hierarchy_run *h = state;
    tacit_hierarchy_gaps_free(h->gaps);
    tacit_text_free(h->text);
    tacit__free(h->values);
    tacit_table_free(h->table);
    tacit_hierarchy_spec_clear(&h->from);
    tacit_policy_free(h->policy);
}

const engine_kind engine_hierarchy = {
    .name = "hierarchy",
    .input = "DATA.csv",
    .inputs_needed = 1,
    .inputs_taken = 1,
    .settings = HIERARCHY_SETTINGS,
    .takes_policy = true,
    .policy_keys = READING_KEYS,
    .takes_data = true,
    .size = sizeof(hierarchy_run),
    .run = run_hierarchy,
    .commit = commit_hierarchy,
    .report = &HIERARCHY_REPORTS,
    .clear = clear_hierarchy,
};
