/*
 * dependencies.c - lists the minimal functional dependencies of the data with what the
 * release says of each: provable, or hidden, by Theorem 4 of the paper or otherwise.
 *
 * Looked at are the columns that are released under their own values: identifiers are not
 * among them. The list is the data holder's; the page shows the numbers, and of the list what
 * still can be proven, which follows from the release.
 */
#include "base/alloc.h"
#include "engine/records/release.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/job/csv.h"

enum { LISTED = 200 };

static const char *fate_name(const tacit_dependency_fate *fate)
{
    if (fate->provable)
        return "provable";
    return fate->family ? "hidden by theorem 4" : "hidden";
}

/* Room for the names of all columns, each with quotes and a comma. */
static tacit_status make_room(engine_dependencies *dependencies, tacit_error *err)
{
    size_t bytes = 1;
    for (int32_t i = 0; i < dependencies->count; i++)
        bytes += dependencies->names[i].len + 3;
    dependencies->text = tacit__alloc(bytes);
    return dependencies->text ? TACIT_OK : tacit__nomem(err);
}

/* Columns by their names as --hide reads them: commas between, quotes around a name that has
 * one. Valid until the next call. */
static const char *set_text(const engine_dependencies *dependencies, uint64_t set)
{
    char *end = dependencies->text;
    for (int32_t i = 0; i < dependencies->count; i++) {
        tacit_strview name = dependencies->names[i];
        const char *quote = name.len > 0 && memchr(name.bytes, ',', name.len) ? "\"" : "";
        if (set >> i & 1)
            end += sprintf(end, "%s%s%.*s%s", end == dependencies->text ? "" : ",", quote,
                           (int)name.len, name.bytes, quote);
    }
    *end = '\0';
    return dependencies->text;
}

void engine_dependencies_code(tacit_csv_options *options, const engine_dependencies *dependencies)
{
    if (!dependencies->file)
        return;
    options->coded = NULL;
    options->coded_count = 0;
    options->code_none = false;
}

/* The columns of both tables that dependencies are looked for in. */
typedef struct column_pairs {
    int32_t data[TACIT_DEPENDENCY_COLUMNS];
    int32_t release[TACIT_DEPENDENCY_COLUMNS];
    uint64_t quasi;
} column_pairs;

static tacit_status choose_columns(column_pairs *pairs, engine_dependencies *dependencies,
                                   const tacit_policy *policy, const tacit_table *data,
                                   const tacit_table *release, tacit_error *err)
{
    for (int32_t i = 0; i < tacit_table_columns(release); i++) {
        tacit_strview name = tacit_table_name(release, i);
        const tacit_policy_column *column = tacit_policy_find(policy, name);
        if (column && column->role == TACIT_ROLE_IDENTIFIER)
            continue;
        int32_t at = dependencies->count;
        if (at == TACIT_DEPENDENCY_COLUMNS)
            return tacit__error(
                err, TACIT_INVALID,
                "--dependencies looks at up to %d columns, and the release has more",
                TACIT_DEPENDENCY_COLUMNS);
        pairs->data[at] = tacit_table_find(data, name);
        pairs->release[at] = i;
        if (column && column->role == TACIT_ROLE_QUASI)
            pairs->quasi |= UINT64_C(1) << at;
        dependencies->names[at] = tacit_table_name(data, pairs->data[at]);
        dependencies->count++;
    }
    return TACIT_OK;
}

tacit_status engine_dependencies_find(engine_dependencies *dependencies, const tacit_policy *policy,
                                      const tacit_table *data, const tacit_table *release,
                                      engine_session *session)
{
    column_pairs pairs = {0};
    tacit_error *err = &session->error;
    tacit_status status = choose_columns(&pairs, dependencies, policy, data, release, err);
    if (status == TACIT_OK)
        status = make_room(dependencies, err);
    if (status == TACIT_OK)
        status = tacit_dependencies_find(&dependencies->found, data, pairs.data,
                                         dependencies->count, 0, &session->run, err);
    if (status == TACIT_OK && dependencies->found->end == TACIT_CANCELLED)
        engine_warn(
            session,
            "the search for dependencies was stopped %s; those with more than %d columns on "
            "the left are missing",
            engine_session_forgive(session), (int)dependencies->found->complete);
    if (status == TACIT_OK)
        status = tacit_dependencies_released(&dependencies->released, dependencies->found->list,
                                             dependencies->found->count, release, pairs.release,
                                             dependencies->count, pairs.quasi, &session->run, err);
    return status;
}

tacit_status engine_dependencies_write(const engine_dependencies *dependencies,
                                       engine_session *session)
{
    static const char *const HEADER[] = {"left", "right", "release", NULL};
    engine_csv *csv = NULL;
    if (!dependencies->file)
        return TACIT_OK;
    tacit_status status = engine_csv_new(&csv, dependencies->file, &session->error);
    if (status != TACIT_OK)
        return status;
    engine_csv_header(csv, HEADER);
    for (int64_t i = 0; i < dependencies->found->count; i++) {
        const tacit_dependency *dependency = &dependencies->found->list[i];
        engine_csv_text(csv, tacit_strview_of(set_text(dependencies, dependency->left)));
        engine_csv_text(csv, dependencies->names[dependency->right]);
        engine_csv_text(csv, tacit_strview_of(fate_name(&dependencies->released->fates[i])));
        engine_csv_row(csv);
    }
    status = engine_csv_end(csv, session);
    engine_csv_free(csv);
    return status;
}

/* "12 minimal ones in the data; 10 cannot be proven from the release, 2 can". */
static void say_numbers(tacit_report *report, const engine_dependencies *dependencies)
{
    const tacit_released_dependencies *released = dependencies->released;
    char more[96] = "";
    if (released->count == 0 && dependencies->found->end == TACIT_OK) {
        tacit_report_line(report, "dependencies", "the data have none");
        return;
    }
    if (dependencies->found->end != TACIT_OK)
        snprintf(more, sizeof more, "; there are more, with more than %d columns on the left",
                 (int)dependencies->found->complete);
    tacit_report_line(
        report, "dependencies",
        "%s minimal ones in the data; %s cannot be proven from the release, %s by "
        "theorem 4, and %s can%s",
        engine_count(released->count).text, engine_count(released->count - released->provable).text,
        engine_count(released->family).text, engine_count(released->provable).text, more);
}

/* The first of them all. */
static void add_list(tacit_report *report, const engine_dependencies *dependencies)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "left"}, {.key = "right"}, {.key = "release"}};
    tacit_report_begin(report, TACIT_TABLE("list", NULL, false, COLUMNS));
    for (int64_t i = 0; i < dependencies->released->count && i < LISTED; i++) {
        const tacit_dependency *dependency = &dependencies->found->list[i];
        tacit_report_cell_view(report, tacit_strview_of(set_text(dependencies, dependency->left)));
        tacit_report_cell_view(report, dependencies->names[dependency->right]);
        tacit_report_cell(report, "%s", fate_name(&dependencies->released->fates[i]));
    }
}

static void show_provable(tacit_report *report, const engine_dependencies *dependencies)
{
    static const tacit_report_column COLUMNS[] = {{.heading = "these columns"},
                                                  {.heading = "say what is in"}};
    int64_t shown = 0;
    tacit_report_begin(
        report, TACIT_TABLE(NULL, "What anybody can prove from the release", false, COLUMNS));
    for (int64_t i = 0; i < dependencies->released->count && shown < LISTED; i++) {
        const tacit_dependency *dependency = &dependencies->found->list[i];
        if (!dependencies->released->fates[i].provable)
            continue;
        tacit_report_cell_view(report, tacit_strview_of(set_text(dependencies, dependency->left)));
        tacit_report_cell_view(report, dependencies->names[dependency->right]);
        shown++;
    }
}

void engine_dependencies_facts(tacit_report *report, const engine_dependencies *dependencies)
{
    const tacit_released_dependencies *released = dependencies->released;
    if (!released)
        return;
    tacit_report_section(report, "Dependencies");
    say_numbers(report, dependencies);
    tacit_report_enter(report, "dependencies");
    tacit_report_integer(report, "count", released->count);
    tacit_report_integer(report, "provable", released->provable);
    tacit_report_integer(report, "hidden", released->count - released->provable);
    tacit_report_integer(report, "hidden_by_theorem_4", released->family);
    tacit_report_bool(report, "complete", dependencies->found->end == TACIT_OK);
    tacit_report_integer(report, "complete_up_to", dependencies->found->complete);
    add_list(report, dependencies);
    show_provable(report, dependencies);
    tacit_report_leave(report);
}

void engine_dependencies_clear(engine_dependencies *dependencies)
{
    tacit_dependencies_free(dependencies->found);
    tacit_released_dependencies_free(dependencies->released);
    tacit__free(dependencies->text);
    *dependencies = (engine_dependencies){0};
}
