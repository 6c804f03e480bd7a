/*
 * argus.c - `tacit protect JOB.arb`: a batch file of tau-Argus, run as jobs of our own.
 *
 * The batch file is translated first (argus_batch.c). If a line cannot be done, all such lines are
 * said and nothing is read. Then every table, or all tables that are linked, becomes a job
 * "protect", told by name what the batch file says, with its data as a CSV and its hierarchies as
 * lists in files without a name. All jobs are run up to the judge's verdict before the first of
 * them writes. What they say of files without a name is said of the files they were made of.
 *
 * Names of files are relative to the file that has them. A name of another system (C:\data\x.asc)
 * is looked for beside the batch file, whatever its case.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/error.h"
#include "base/vector.h"
#include "engine/job/kinds.h"
#include "engine/tables/argus_run.h"

/* ---- jobs ---- */

typedef struct building {
    engine_argus_run *state;
    tacit_job *job;
    tacit__strbuf command; /* that would do the same */
} building;

/* A word of a command line. */
static void add_word(tacit__strbuf *out, const char *word)
{
    bool plain = *word;
    for (const char *at = word; *at; at++)
        plain &= strchr("\"'\\ \t$`*?[]{}()<>|&;#~!", *at) == NULL;
    tacit__strbuf_text(out, plain ? " " : " '");
    for (const char *at = word; *at; at++)
        if (*at == '\'')
            tacit__strbuf_text(out, "'\\''");
        else
            tacit__strbuf_add(out, at, 1);
    tacit__strbuf_text(out, plain ? "" : "'");
}

/* shown: what the command line would have in its place; NULL: the value. */
static tacit_status tell_job(building *b, const char *name, const char *value, const char *shown)
{
    tacit__strbuf_format(&b->command, " --%s", name);
    if (value)
        add_word(&b->command, shown ? shown : value);
    return tacit_job_set(b->job, name, value, &b->state->session->error);
}

static const engine_argus_column *column_named(const engine_argus_columns *columns,
                                               const engine_argus_meta *meta, tacit_strview name)
{
    const engine_argus_variable *v = engine_argus_meta_find(meta, name);
    for (size_t i = 0; i < columns->count; i++)
        if (columns->list[i].variable == v)
            return &columns->list[i];
    return NULL;
}

/* The hierarchy of a dimension as a file; *path stays NULL where there is none. */
static tacit_status make_tree(const char **path, const char **shown, engine_argus_run *s,
                              const engine_argus_table *table, const engine_argus_column *column)
{
    const engine_argus_opened *source = &s->sources[table->source];
    const engine_argus_variable *v = column->variable;
    tacit_error *err = &s->session->error;
    tacit__input input = {0};
    tacit__strbuf list = {0};
    tacit_status status = TACIT_OK;
    if (v->tree.len) {
        status = engine_argus_find(shown, s, source->meta_folder, v->tree,
                                   s->batch.sources[table->source].meta_line);
        if (status == TACIT_OK)
            status = engine_argus_note(s, *shown, "a hierarchy", false);
        if (status == TACIT_OK)
            status = tacit__input_open(&input, *shown, ENGINE_ARGUS_MAX_TEXT, NULL, err);
        if (status == TACIT_OK)
            status = engine_argus_tree_list(&list, column, (tacit_strview){input.bytes, input.len},
                                            *shown, err);
        tacit__input_close(&input);
    } else if (v->level_count) {
        *shown = engine_argus_keep(s, "%.*s.hrc", (int)v->name.len, v->name.bytes);
        status = engine_argus_levels_list(&list, column, err);
    } else {
        return TACIT_OK;
    }
    if (status == TACIT_OK)
        return engine_argus_make(path, s, &list, *shown, 1);
    tacit__strbuf_clear(&list);
    return status;
}

static tacit_status tell_dimension(building *b, const engine_argus_table *table,
                                   const engine_argus_columns *columns, tacit_strview name)
{
    engine_argus_run *s = b->state;
    const engine_argus_column *column =
        column_named(columns, &s->sources[table->source].meta, name);
    const char *path = NULL, *shown = NULL, *value, *said;
    tacit_status status = make_tree(&path, &shown, s, table, column);
    if (status != TACIT_OK)
        return status;
    value = path ? engine_argus_keep(s, "%s=%s", column->name, path) : column->name;
    said = path ? engine_argus_keep(s, "%s=%s", column->name, shown) : column->name;
    if (!value || !said)
        return TACIT_NOMEM;
    status = tell_job(b, "dim", value, said);
    tacit_strview total = column->variable->total;
    if (status != TACIT_OK || path || !total.len)
        return status;
    value = engine_argus_keep(s, "%s=%.*s", column->name, (int)total.len, total.bytes);
    return value ? tell_job(b, "total", value, NULL) : TACIT_NOMEM;
}

static tacit_status tell_column(building *b, const engine_argus_table *table, const char *setting,
                                const engine_argus_columns *columns, tacit_strview name)
{
    const engine_argus_meta *meta = &b->state->sources[table->source].meta;
    if (!name.len)
        return TACIT_OK;
    return tell_job(b, setting, column_named(columns, meta, name)->name, NULL);
}

static tacit_status tell_role(building *b, const engine_argus_table *table, const char *setting,
                              bool wanted, const engine_argus_columns *columns,
                              engine_argus_role role)
{
    const engine_argus_meta *meta = &b->state->sources[table->source].meta;
    return wanted
               ? tell_column(b, table, setting, columns, engine_argus_meta_role(meta, role)->name)
               : TACIT_OK;
}

static tacit_status tell_columns(building *b, const engine_argus_table *table,
                                 const engine_argus_columns *columns, bool cells)
{
    tacit_status status = tell_job(b, "rows", cells ? "cells" : "records", NULL);
    if (status == TACIT_OK)
        status = tell_column(b, table, "value", columns, table->response);
    if (status == TACIT_OK)
        status = tell_column(b, table, "cost", columns, table->cost);
    if (status != TACIT_OK || cells)
        return status;
    status = tell_column(b, table, "shadow", columns, table->shadow);
    if (status == TACIT_OK)
        status = tell_role(b, table, "weight", table->weighted, columns, ENGINE_ARGUS_WEIGHT);
    if (status == TACIT_OK)
        status = tell_role(b, table, "holding", table->by_holding, columns, ENGINE_ARGUS_HOLDING);
    if (status == TACIT_OK)
        status = tell_role(b, table, "request", table->by_request, columns, ENGINE_ARGUS_REQUEST);
    return status;
}

static tacit_status tell_settings(building *b, const engine_argus_table *table)
{
    tacit_status status = TACIT_OK;
    char number[32];
    for (size_t i = 0; i < table->setting_count && status == TACIT_OK; i++)
        status = tell_job(b, table->settings[i].name, table->settings[i].value, NULL);
    const double numbers[] = {table->margin, table->least};
    for (int i = 0; i < 2 && status == TACIT_OK; i++) {
        snprintf(number, sizeof number, "%g", numbers[i]);
        if (numbers[i] >= 0)
            status = tell_job(b, i ? "least" : "margin", number, NULL);
    }
    return status;
}

/* A file of decisions, with semicolons where its own delimiter would not be found. */
static tacit_status tell_apriori(building *b, const engine_argus_table *table)
{
    engine_argus_run *s = b->state;
    tacit_error *err = &s->session->error;
    const char *path = NULL, *shown = NULL;
    tacit__input input = {0};
    tacit__strbuf text = {0};
    if (!table->apriori_line)
        return TACIT_OK;
    tacit_status status =
        engine_argus_find(&shown, s, s->folder, table->apriori, table->apriori_line);
    if (status == TACIT_OK)
        status = engine_argus_note(s, shown, "a-priori", false);
    if (status != TACIT_OK || strchr(";,\t", table->apriori_separator))
        return status == TACIT_OK ? tell_job(b, "apriori", shown, NULL) : status;
    status = tacit__input_open(&input, shown, ENGINE_ARGUS_MAX_TEXT, NULL, err);
    for (size_t i = 0; status == TACIT_OK && i < input.len; i++)
        tacit__strbuf_add(&text, input.bytes[i] == table->apriori_separator ? ";" : input.bytes + i,
                          1);
    tacit__input_close(&input);
    if (status == TACIT_OK)
        status = text.failed ? tacit__nomem(err) : engine_argus_make(&path, s, &text, shown, 0);
    tacit__strbuf_clear(&text);
    return status == TACIT_OK ? tell_job(b, "apriori", path, shown) : status;
}

static tacit_status tell_targets(building *b, const engine_argus_table *table)
{
    static const char *const NAMES[ENGINE_ARGUS_SLOTS] = {"output", "pivot", "full", "sbs"};
    engine_argus_run *s = b->state;
    tacit_status status = TACIT_OK;
    for (int i = 0; i < ENGINE_ARGUS_SLOTS && status == TACIT_OK; i++) {
        const engine_argus_target *target = &table->targets[i];
        const char *path = NULL;
        if (!target->line)
            continue;
        status = engine_argus_path(&path, s, s->folder, target->file, target->line);
        if (status == TACIT_OK)
            status = engine_argus_note(s, path, "<WRITETABLE>", true);
        if (status == TACIT_OK)
            status = tell_job(b, NAMES[i], path, NULL);
    }
    tacit__strbuf none = {0};
    const char *path = NULL;
    if (status != TACIT_OK || table->targets[ENGINE_ARGUS_RELEASE].line)
        return status;
    status = engine_argus_make(&path, s, &none, "a release that is not wanted", 0);
    return status == TACIT_OK ? tacit_job_set(b->job, "output", path, &s->session->error) : status;
}

/* What the caller says of every job. */
static const char *const PASSED_ON[] = {"time",      "seed", "threads",    "show",
                                        "negative",  "work", "singletons", "sums",
                                        "tolerance", "as",   "statuses",   "dataflow"};

static tacit_status tell_common(building *b)
{
    const engine_settings *settings = b->state->session->settings;
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < settings->given_count && status == TACIT_OK; i++)
        for (size_t k = 0; k < sizeof PASSED_ON / sizeof *PASSED_ON; k++)
            if (strcmp(settings->given[i].setting->name, PASSED_ON[k]) == 0)
                status = tell_job(b, PASSED_ON[k], settings->given[i].value, NULL);
    return status;
}

static void hear(tacit_message_kind kind, const char *text, void *payload)
{
    engine_argus_run *s = payload;
    size_t size = strlen(text) + 4096;
    char *shown = tacit__alloc(size);
    if (!shown)
        return;
    engine_argus_show(s, shown, size, text);
    if (kind == TACIT_MESSAGE_REPORT)
        fputs(shown, s->session->out);
    else if (kind == TACIT_MESSAGE_WARNING)
        engine_warn(s->session, "%s", shown);
    else
        engine_say(s->session, "%s", shown);
    tacit__free(shown);
}

/* ---- one table, or several that are linked ---- */

/* The rows of one or several tables as a file that the job reads. */
static tacit_status give_rows(building *b, const engine_argus_table *table,
                              engine_argus_columns *columns)
{
    engine_argus_run *s = b->state;
    const engine_argus_opened *source = &s->sources[table->source];
    tacit__strbuf csv = {0};
    const char *path = NULL;
    tacit_status status =
        engine_argus_data_csv(&csv, columns, &source->meta,
                              (tacit_strview){source->data_input.bytes, source->data_input.len},
                              source->data_path, &s->session->error);
    if (status == TACIT_OK)
        status = engine_argus_make(&path, s, &csv, source->data_path, 1);
    tacit__strbuf_clear(&csv);
    if (status == TACIT_OK) {
        add_word(&b->command, source->data_path);
        status = tacit_job_input_file(b->job, path, &s->session->error);
    }
    return status;
}

/* --table: the dimensions of one of several tables over the same records. */
static tacit_status tell_table(building *b, const engine_argus_table *table,
                               const engine_argus_columns *columns)
{
    const engine_argus_meta *meta = &b->state->sources[table->source].meta;
    tacit__strbuf names = {0};
    for (int i = 0; i < table->dim_count; i++)
        tacit__strbuf_format(&names, "%s%s", i ? "," : "",
                             column_named(columns, meta, table->dims[i])->name);
    tacit_status status = names.failed ? tacit__nomem(&b->state->session->error)
                                       : tell_job(b, "table", names.bytes, NULL);
    tacit__strbuf_clear(&names);
    return status;
}

/* Which tables a job is about: one, or all that are linked. */
typedef struct engine_argus_group {
    const engine_argus_table *list[ENGINE_ARGUS_MAX_TABLES];
    size_t count;
} engine_argus_group;

static bool are_alike(const engine_argus_run *s, const engine_argus_table *a,
                      const engine_argus_table *b)
{
    bool cells = s->batch.sources[a->source].cells;
    return tacit_strview_equal(a->rules, b->rules) &&
           tacit_strview_equal(a->response, b->response) &&
           tacit_strview_equal(a->shadow, b->shadow) && tacit_strview_equal(a->cost, b->cost) &&
           cells == s->batch.sources[b->source].cells && (cells || a->source == b->source);
}

static tacit_status check_group(engine_argus_run *s, const engine_argus_group *group)
{
    tacit_error *err = &s->session->error;
    for (size_t i = 0; i < group->count && group->count > 1; i++) {
        const engine_argus_table *t = group->list[i];
        if (!are_alike(s, group->list[0], t))
            return tacit__error_at(err, TACIT_INVALID, s->file, t->line, 0,
                                   "linked tables have the same data, response, shadow, cost and "
                                   "rules here");
        if (t->apriori_line)
            return tacit__error_at(err, TACIT_INVALID, s->file, t->apriori_line, 0,
                                   "a-priori files are not for linked tables; give the status in "
                                   "the table instead");
        for (int k = 0; i > 0 && k < ENGINE_ARGUS_SLOTS; k++)
            if (t->targets[k].line)
                engine_warn(s->session,
                            "%s:%lld: linked tables are written together, to what is said of the "
                            "first of them",
                            s->file, (long long)t->targets[k].line);
    }
    return TACIT_OK;
}

/* Whether a table of the group before that one has the dimension. */
static bool was_told(const engine_argus_group *group, size_t table, tacit_strview name)
{
    for (size_t i = 0; i < table; i++)
        for (int k = 0; k < group->list[i]->dim_count; k++)
            if (tacit_strview_equal(group->list[i]->dims[k], name))
                return true;
    return false;
}

static tacit_status tell_dimensions(building *b, const engine_argus_group *group, size_t at,
                                    const engine_argus_columns *columns)
{
    const engine_argus_table *table = group->list[at];
    tacit_status status = TACIT_OK;
    for (int i = 0; i < table->dim_count && status == TACIT_OK; i++)
        if (!was_told(group, at, table->dims[i]))
            status = tell_dimension(b, table, columns, table->dims[i]);
    return status;
}

/* Records are given once, with the columns of all tables; cells table by table. */
static tacit_status fill_job(building *b, const engine_argus_group *group,
                             engine_argus_columns *columns)
{
    engine_argus_run *s = b->state;
    bool cells = s->batch.sources[group->list[0]->source].cells;
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < group->count && status == TACIT_OK; i++) {
        if (cells)
            engine_argus_columns_clear(columns);
        status = engine_argus_choose(columns, s, group->list[i], cells);
        if (status == TACIT_OK && (cells || i + 1 == group->count))
            status = give_rows(b, group->list[i], columns);
        if (status == TACIT_OK && cells)
            status = tell_dimensions(b, group, i, columns);
    }
    for (size_t i = 0; i < group->count && status == TACIT_OK && !cells; i++)
        status = tell_dimensions(b, group, i, columns);
    for (size_t i = 0; i < group->count && status == TACIT_OK && !cells && group->count > 1; i++)
        status = tell_table(b, group->list[i], columns);
    /* the columns at hand are those of the last table, of cells */
    return status == TACIT_OK
               ? tell_columns(b, group->list[cells ? group->count - 1 : 0], columns, cells)
               : status;
}

static tacit_status fill_settings(building *b, const engine_argus_table *table)
{
    tacit_status status = tell_settings(b, table);
    if (status == TACIT_OK)
        status = tell_apriori(b, table);
    if (status == TACIT_OK)
        status = tell_targets(b, table);
    return status == TACIT_OK ? tell_common(b) : status;
}

static tacit_status build_job(engine_argus_run *s, const engine_argus_group *group)
{
    building b = {.state = s};
    engine_argus_columns *columns = tacit__alloc_zeroed(1, sizeof *columns);
    tacit_error *err = &s->session->error;
    engine_argus_job made = {.table = (size_t)(group->list[0] - s->batch.tables)};
    tacit_status status = columns ? check_group(s, group) : tacit__nomem(err);
    tacit__strbuf_text(&b.command, "tacit protect");
    for (size_t i = 0; i < group->count && status == TACIT_OK; i++)
        status = engine_argus_open(s, group->list[i]->source);
    if (status == TACIT_OK)
        status = tacit_job_new(&b.job, "protect", err);
    if (status == TACIT_OK)
        status = fill_job(&b, group, columns);
    if (status == TACIT_OK)
        status = fill_settings(&b, group->list[0]);
    if (columns)
        engine_argus_columns_clear(columns);
    tacit__free(columns);
    made.job = b.job;
    made.command = status == TACIT_OK && !b.command.failed
                       ? engine_argus_keep(s, "%s", b.command.bytes)
                       : NULL;
    tacit__strbuf_clear(&b.command);
    if (status == TACIT_OK &&
        (!made.command || !TACIT__PUSH(s->jobs, s->job_capacity, s->job_count, made)))
        status = tacit__nomem(err);
    if (status != TACIT_OK)
        tacit_job_free(b.job);
    else
        tacit_job_on_message(b.job, hear, s);
    return status;
}

static bool is_written(const engine_argus_table *table)
{
    bool written = false;
    for (int i = 0; i < ENGINE_ARGUS_SLOTS; i++)
        written |= table->targets[i].line != 0;
    return written;
}

/* Tables that are linked are those of one <SUPPRESS>, whose line they have. */
static tacit_status build_jobs(engine_argus_run *s)
{
    engine_argus_batch *batch = &s->batch;
    tacit_status status = TACIT_OK;
    engine_argus_group *group = tacit__alloc(sizeof *group);
    if (!group)
        return tacit__nomem(&s->session->error);
    for (size_t i = 0; i < batch->table_count && status == TACIT_OK; i++) {
        const engine_argus_table *table = &batch->tables[i];
        bool later = table->linked && i > 0 && table[-1].linked &&
                     table[-1].method_line == table->method_line;
        if (later || (!table->linked && !is_written(table)))
            continue;
        group->count = 0;
        for (size_t k = i; k < batch->table_count && (k == i || table->linked); k++)
            if (k == i || batch->tables[k].method_line == table->method_line)
                group->list[group->count++] = &batch->tables[k];
        status = build_job(s, group);
    }
    tacit__free(group);
    return status;
}

/* ---- the whole ---- */

static tacit_status check_told(const engine_session *session)
{
    const char *names[sizeof PASSED_ON / sizeof *PASSED_ON + 2] = {"report", "html"};
    for (size_t i = 0; i < sizeof PASSED_ON / sizeof *PASSED_ON; i++)
        names[i + 2] = PASSED_ON[i];
    const char *name = engine_not_among(session->settings, names, sizeof names / sizeof *names);
    if (session->settings->input_count > 1)
        return tacit__error((tacit_error *)&session->error, TACIT_INVALID,
                            "a batch file names its data: give it alone");
    if (!name)
        return TACIT_OK;
    return tacit__error((tacit_error *)&session->error, TACIT_INVALID,
                        "--%s: the batch file says that, in its own words", name);
}

static tacit_status translate_batch(engine_argus_run *s)
{
    tacit_error *err = &s->session->error;
    tacit_status status = tacit__input_open(&s->input, s->file, ENGINE_ARGUS_MAX_TEXT, NULL, err);
    if (status == TACIT_OK)
        status =
            engine_argus_batch_parse(&s->batch, (tacit_strview){s->input.bytes, s->input.len}, err);
    for (size_t i = 0; i < s->batch.remark_count && status == TACIT_OK; i++) {
        const engine_argus_remark *remark = &s->batch.remarks[i];
        engine_warn(s->session, "%s:%lld: %s", s->file, (long long)remark->line, remark->text);
    }
    if (status == TACIT_OK && s->batch.refused)
        status = tacit__error(err, TACIT_INVALID,
                              "%.300s: %zu %s cannot be done, and nothing was read or written",
                              s->file, s->batch.refused, s->batch.refused == 1 ? "line" : "lines");
    if (status != TACIT_OK)
        return status;
    s->sources = tacit__alloc_zeroed(s->batch.source_count, sizeof *s->sources);
    s->folder = engine_argus_folder(s, s->file);
    return s->sources && s->folder ? TACIT_OK : tacit__nomem(err);
}

/* What went wrong in a job, at the place in the file that its own was made of. */
static void tell_place(engine_argus_run *s)
{
    tacit_error *err = &s->session->error;
    char message[sizeof err->message];
    for (size_t i = 0; i < s->made_count; i++)
        if (strcmp(err->file, s->made[i].path) == 0) {
            snprintf(err->file, sizeof err->file, "%.255s", s->made[i].shown);
            err->line = err->line > s->made[i].header ? err->line - s->made[i].header : 0;
            err->column = 0;
            break;
        }
    engine_argus_show(s, message, sizeof message, err->message);
    memcpy(err->message, message, sizeof message);
}

static tacit_status check_files(engine_argus_run *s)
{
    const engine_settings *settings = s->session->settings;
    tacit_status status = engine_argus_note(s, s->file, "the batch file", false);
    if (status == TACIT_OK)
        status = engine_argus_note(s, engine_value(settings, "report"), "--report", true);
    if (status == TACIT_OK)
        status = engine_argus_note(s, engine_value(settings, "html"), "--html", true);
    return status == TACIT_OK ? engine_files_check(s->files, s->file_count, &s->session->error)
                              : status;
}

static tacit_status run_batch(void *state)
{
    engine_argus_run *s = state;
    s->file = s->session->settings->inputs[0];
    tacit_status status = check_told(s->session);
    if (status == TACIT_OK)
        status = translate_batch(s);
    if (status == TACIT_OK)
        status = build_jobs(s);
    if (status == TACIT_OK)
        status = check_files(s);
    for (size_t i = 0; i < s->job_count && status == TACIT_OK; i++)
        status = tacit_job_run(s->jobs[i].job, &s->session->run, &s->session->error);
    if (status != TACIT_OK)
        tell_place(s);
    return status;
}

static void fill_batch(tacit_report *report, const void *subject)
{
    const engine_argus_run *s = subject;
    tacit_report_title(report, "%s: %zu %s of tau-Argus, as", engine_show(s->file).text,
                       s->job_count, s->job_count == 1 ? "job" : "jobs");
    tacit_report_text(report, "batch", s->file);
    tacit_report_list(report, "remarks");
    for (size_t i = 0; i < s->batch.remark_count; i++) {
        tacit_report_item(report, "remarks");
        tacit_report_integer(report, "line", s->batch.remarks[i].line);
        tacit_report_text(report, "text", s->batch.remarks[i].text);
        tacit_report_leave(report);
    }
    tacit_report_list(report, "jobs");
    for (size_t i = 0; i < s->job_count; i++) {
        const engine_argus_job *job = &s->jobs[i];
        long long line = (long long)s->batch.tables[job->table].line;
        char label[32];
        tacit_report_item(report, "jobs");
        tacit_report_integer(report, "line", line);
        tacit_report_text(report, "command", job->command);
        tacit_report_leave(report);
        snprintf(label, sizeof label, "line %lld", line);
        tacit_report_line(report, label, "%s", job->command);
    }
}

static const engine_reports BATCH_REPORTS = {"Batch file", fill_batch};

static tacit_status commit_batch(void *state)
{
    engine_argus_run *s = state;
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < s->job_count && status == TACIT_OK; i++) {
        status = tacit_job_commit(s->jobs[i].job, &s->session->error);
        s->session->written += status == TACIT_OK;
    }
    if (status != TACIT_OK) {
        tell_place(s);
        return status;
    }
    return engine_report_all(s->session, &BATCH_REPORTS, s);
}

static void clear_batch(void *state)
{
    engine_argus_run *s = state;
    for (size_t i = 0; i < s->job_count; i++)
        tacit_job_free(s->jobs[i].job);
    for (size_t i = 0; s->sources && i < s->batch.source_count; i++) {
        engine_argus_meta_clear(&s->sources[i].meta);
        tacit__input_close(&s->sources[i].meta_input);
        tacit__input_close(&s->sources[i].data_input);
    }
    for (size_t i = 0; i < s->made_count; i++)
        close(s->made[i].fd);
    engine_argus_batch_clear(&s->batch);
    tacit__input_close(&s->input);
    tacit__free(s->sources);
    tacit__free(s->made);
    tacit__free(s->jobs);
    tacit__free(s->files);
}

bool engine_is_batch(const char *path)
{
    size_t len = strlen(path);
    return len > 4 && strcasecmp(path + len - 4, ".arb") == 0;
}

const engine_kind engine_protect_argus = {
    .name = "protect",
    .input = "JOB.arb",
    .inputs_needed = 1,
    .inputs_taken = 1,
    .takes_data = true,
    .size = sizeof(engine_argus_run),
    .run = run_batch,
    .commit = commit_batch,
    .report = &BATCH_REPORTS,
    .clear = clear_batch,
};
