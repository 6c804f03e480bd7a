/*
 * summary.c - what follows from a release and published frequencies (--summary).
 *
 * A value that was withheld and follows exposes its rows, and so does a tuple that was left out
 * where all that frequencies speak of follows of it. A value of tuples left out that follows by
 * itself belongs to no record, and is told only. `tacit anonymize` refuses a release that is
 * exposed so: who gives the frequencies says that they are published. Values are shown with --show
 * alone, otherwise rows and numbers. The files are read as what they are, whatever the data's
 * delimiter is.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "engine/attacks/attack.h"

enum { MAX_PRINTED = 10, MAX_ON_PAGE = 200 };

/* ---- the files ---- */

enum { MAX_FILES = 16 }; /* of a command, beside these */

static bool is_summary(const engine_given *given)
{
    return strcmp(given->setting->name, "summary") == 0;
}

tacit_status engine_summaries_check(const engine_session *session, const engine_file *files,
                                    size_t count, tacit_error *err)
{
    const engine_settings *settings = session->settings;
    engine_file all[MAX_FILES + 1];
    tacit_status status = TACIT_OK;
    size_t used = 1;
    for (size_t i = 0; i < count && used <= MAX_FILES; i++)
        if (files[i].written)
            all[used++] = files[i];
    for (size_t i = 0; i < settings->given_count && status == TACIT_OK; i++)
        if (is_summary(&settings->given[i])) {
            all[0] = (engine_file){settings->given[i].value, "--summary", false};
            status = engine_files_check(all, used, err);
        }
    return status;
}

/* Whether all can be read twice: none is a pipe. */
static bool are_files(const engine_session *session)
{
    const engine_settings *settings = session->settings;
    bool all = true;
    for (size_t i = 0; i < settings->given_count; i++)
        if (is_summary(&settings->given[i]))
            all &= engine_is_file(settings->given[i].value);
    return all;
}

/* The tables, read. All zero is none. */
typedef struct summary_files {
    tacit_table **files;
    int32_t count;
} summary_files;

static tacit_status read_files(summary_files *summaries, const engine_session *session,
                               tacit_error *err)
{
    const engine_settings *settings = session->settings;
    tacit_csv_options options;
    tacit_status status = TACIT_OK;
    tacit_csv_options_init(&options);
    options.convert = tacit_formats_convert;
    summaries->files = tacit__alloc_zeroed(settings->given_count + 1, sizeof *summaries->files);
    if (!summaries->files)
        return tacit__nomem(err);
    for (size_t i = 0; i < settings->given_count && status == TACIT_OK; i++) {
        if (!is_summary(&settings->given[i]))
            continue;
        status = tacit_table_read(&summaries->files[summaries->count], settings->given[i].value,
                                  &options, &session->run, err);
        summaries->count += status == TACIT_OK;
    }
    return status;
}

static void clear_files(summary_files *summaries)
{
    for (int32_t i = 0; i < summaries->count; i++)
        tacit_table_free(summaries->files[i]);
    tacit__free(summaries->files);
    *summaries = (summary_files){0};
}

/* ---- running ---- */

static bool summary_wanted(const engine_case *c)
{
    return engine_has(c->session->settings, "summary");
}

/* The policy's name of a column, which outlives the file that speaks of it, or NULL. */
static const char *lasting_name(const tacit_policy *policy, tacit_strview name)
{
    for (int32_t i = 0; i < policy->column_count; i++)
        if (tacit_strview_equal(tacit_strview_of(policy->columns[i].name), name))
            return policy->columns[i].name;
    return NULL;
}

/* What goes wrong with the files here goes wrong again, and is told, when the attack runs; but for
 * memory, which may be there again. */
static void summary_needs(engine_needs *out, const engine_case *c)
{
    summary_files summaries = {0};
    if (!are_files(c->session)) {
        out->all = true;
        return;
    }
    tacit_status status = read_files(&summaries, c->session, &(tacit_error){0});
    for (int32_t i = 0; i < summaries.count && status == TACIT_OK; i++) {
        tacit_strview names[TACIT_SUMMARY_COLUMNS];
        int32_t count = 0;
        status = tacit_summary_names(names, &count, summaries.files[i], NULL);
        for (int32_t k = 0; k < count; k++) {
            const char *name = lasting_name(c->policy, names[k]);
            if (name)
                engine_needs_add(out, name);
            else
                out->all = true;
        }
    }
    out->out_of_memory |= status == TACIT_NOMEM;
    clear_files(&summaries);
}

static tacit_status run_summary(void **found, const engine_case *c, tacit_error *err)
{
    summary_files summaries = {0};
    tacit_summary_audit *audit = NULL;
    const tacit_policy *policy = c->policy;
    tacit_summary_column *columns =
        tacit__alloc_zeroed((size_t)policy->column_count + 1, sizeof *columns);
    tacit_status status = columns ? read_files(&summaries, c->session, err) : tacit__nomem(err);
    for (int32_t i = 0; i < policy->column_count && columns; i++)
        columns[i] = (tacit_summary_column){policy->columns[i].name, &policy->columns[i].hierarchy};
    const tacit_summary_case summary = {.release = c->release,
                                        .columns = columns,
                                        .column_count = policy->column_count,
                                        .files = (const tacit_table *const *)summaries.files,
                                        .file_count = summaries.count};
    if (status == TACIT_OK)
        status = tacit_audit_summary(&audit, &summary, &c->session->run, err);
    if (status == TACIT_OK)
        *found = audit;
    clear_files(&summaries);
    tacit__free(columns);
    return status;
}

static bool summary_discloses(const void *found, const engine_case *c)
{
    (void)c;
    const tacit_summary_audit *audit = found;
    return audit->values_known > 0 || audit->left_out_known;
}

static bool summary_promised(const engine_case *c)
{
    return c->own;
}

/* ---- in words ---- */

/* "the tuple left out", "the 3 tuples left out". */
static const char *left_out(char text[64], int64_t count)
{
    if (count == 1)
        return "the tuple left out";
    snprintf(text, 64, "the %s tuples left out", engine_count(count).text);
    return text;
}

/* The columns in which values of rows follow, as far as facts are listed. */
static void say_columns(char *out, size_t size, const tacit_summary_audit *audit)
{
    uint64_t said = 0;
    char name[48];
    for (int64_t i = 0; i < audit->fact_count; i++) {
        const tacit_summary_fact *fact = &audit->facts[i];
        uint64_t bit = UINT64_C(1) << fact->column;
        if (fact->kind != TACIT_SUMMARY_VALUE || fact->row == 0 || said & bit)
            continue;
        tacit_strview column = tacit_strview_of(audit->names[fact->column]);
        engine_append(out, size, "%s%s", said ? ", " : "",
                      engine_printable(name, sizeof name, column));
        said |= bit;
    }
}

static void say_values(char *out, size_t size, const tacit_summary_audit *audit, bool own)
{
    engine_append(out, size, "%s in %s follow%s from the frequencies",
                  engine_many(audit->values_known, "withheld value").text,
                  engine_many(audit->rows_known, "row").text, audit->values_known == 1 ? "s" : "");
    if (audit->tuples_known > 0)
        engine_append(out, size, ", and so all that they speak of is known of %s",
                      engine_many(audit->tuples_known, "row").text);
    if (own) {
        engine_append(out, size, "; generalize further, or suppress other rows, in ");
        say_columns(out, size, audit);
    }
}

static void known_sentence(char *out, size_t size, const tacit_summary_audit *audit, bool own)
{
    char left[64];
    *out = '\0';
    if (audit->left_out_known)
        engine_append(out, size, "all that the frequencies speak of follows of %s",
                      left_out(left, audit->left_out));
    if (audit->left_out_known && audit->values_known > 0)
        engine_append(out, size, "; ");
    if (audit->values_known > 0)
        say_values(out, size, audit, own);
    engine_append(out, size, "%s", audit->exact ? "" : "; not exact: more may follow");
}

static void summary_sentence(char *out, size_t size, const void *found, const engine_case *c)
{
    const tacit_summary_audit *audit = found;
    char left[80] = "";
    if (summary_discloses(found, c)) {
        known_sentence(out, size, audit, c->own);
        return;
    }
    if (audit->left_out > 0)
        snprintf(left, sizeof left, ", nor all of a tuple of the %s left out",
                 engine_count(audit->left_out).text);
    snprintf(out, size, "no withheld value follows from %s of frequencies of %s%s%s",
             engine_many(audit->tables, "table").text, engine_many(audit->subjects, "subject").text,
             left, audit->exact ? "" : "; bounds, not exact: some may");
}

/* Whose values a fact is about. */
static void who(tacit__strbuf *out, const tacit_summary_fact *fact)
{
    char left[64];
    if (fact->row == 0)
        tacit__strbuf_text(out, left_out(left, fact->rows));
    else if (fact->rows == 1)
        tacit__strbuf_format(out, "row %lld", (long long)fact->row);
    else
        tacit__strbuf_format(out, "%s rows, the first of them row %lld",
                             engine_count(fact->rows).text, (long long)fact->row);
}

/* The values, with the least and most rows that have each where these are several. */
static void show_values(tacit__strbuf *out, const tacit_summary_fact *fact)
{
    for (int32_t i = 0; i < fact->share_count; i++) {
        const tacit_summary_share *share = &fact->shares[i];
        tacit__strbuf_format(out, "%s%s", i ? ", " : "", share->text[0] ? share->text : "missing");
        if (fact->possible == 1)
            continue;
        tacit__strbuf_format(out, share->least == share->most ? " (%lld)" : " (%lld to %lld)",
                             (long long)share->least, (long long)share->most);
    }
    if (fact->possible > fact->share_count)
        tacit__strbuf_format(out, ", and %lld more",
                             (long long)(fact->possible - fact->share_count));
}

static void what(tacit__strbuf *out, const tacit_summary_fact *fact, bool show)
{
    switch (fact->kind) {
    case TACIT_SUMMARY_VALUE: tacit__strbuf_format(out, "the value follows"); break;
    case TACIT_SUMMARY_NARROWED:
        tacit__strbuf_format(out, "%lld of the %lld values that the label holds are left",
                             (long long)fact->possible, (long long)fact->of);
        break;
    default:
        tacit__strbuf_format(out, "how many have each of %lld values is known",
                             (long long)fact->possible);
    }
    if (show) {
        tacit__strbuf_format(out, ": ");
        show_values(out, fact);
    }
}

/* ---- facts ---- */

static void print_facts(tacit_report *report, const tacit_summary_audit *audit, bool show)
{
    int64_t count = audit->fact_count < MAX_PRINTED ? audit->fact_count : MAX_PRINTED;
    unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT); /* the page has a table */
    for (int64_t i = 0; i < count; i++) {
        const tacit_summary_fact *fact = &audit->facts[i];
        tacit__strbuf text = {0};
        char name[48];
        tacit__strbuf_format(
            &text, "%s of ",
            engine_printable(name, sizeof name, tacit_strview_of(audit->names[fact->column])));
        who(&text, fact);
        tacit__strbuf_format(&text, ": ");
        what(&text, fact, show);
        if (text.failed)
            tacit_report_fail(report);
        else
            tacit_report_line(report, "", "%s", text.bytes);
        tacit__strbuf_clear(&text);
    }
    if (audit->fact_total > count)
        tacit_report_line(report, "", "and %s more, of which the report lists the first %s",
                          engine_count(audit->fact_total - count).text,
                          engine_count(audit->fact_count - count).text);
    tacit_report_show(report, before);
}

static void add_fact(tacit_report *report, const tacit_summary_audit *audit,
                     const tacit_summary_fact *fact, bool show)
{
    static const char *const KINDS[] = {"nothing", "value", "narrowed", "counted"};
    tacit_report_item(report, "facts");
    tacit_report_text(report, "kind", KINDS[fact->kind]);
    tacit_report_text(report, "column", audit->names[fact->column]);
    tacit_report_bool(report, "left_out", fact->row == 0);
    if (fact->row > 0)
        tacit_report_integer(report, "row", fact->row);
    tacit_report_integer(report, "rows", fact->rows);
    tacit_report_integer(report, "possible", fact->possible);
    tacit_report_integer(report, "of", fact->of);
    for (int32_t i = 0; i < fact->share_count && show; i++) {
        tacit_report_push_text(report, "values", tacit_strview_of(fact->shares[i].text));
        tacit_report_push_integer(report, "least", fact->shares[i].least);
        tacit_report_push_integer(report, "most", fact->shares[i].most);
    }
    tacit_report_leave(report);
}

static void add_summary_table(tacit_report *report, const tacit_summary_audit *audit, bool show)
{
    static const tacit_report_column COLUMNS[] = {{.heading = "class"},
                                                  {.heading = "column"},
                                                  {.heading = "what follows"},
                                                  {.heading = "rows"}};
    tacit_report_begin(
        report,
        TACIT_TABLE(NULL, "What follows from the release and the frequencies", false, COLUMNS));
    for (int64_t i = 0; i < audit->fact_count && i < MAX_ON_PAGE; i++) {
        const tacit_summary_fact *fact = &audit->facts[i];
        tacit__strbuf class = {0}, follows = {0};
        who(&class, fact);
        what(&follows, fact, show);
        if (class.failed || follows.failed)
            tacit_report_fail(report);
        tacit_report_cell_view(report, (tacit_strview){class.bytes, class.len});
        tacit_report_cell(report, "%s", audit->names[fact->column]);
        tacit_report_cell_view(report, (tacit_strview){follows.bytes, follows.len});
        tacit_report_cell_integer(report, fact->rows);
        tacit__strbuf_clear(&class);
        tacit__strbuf_clear(&follows);
    }
}

static void summary_facts(tacit_report *report, const void *found, const engine_case *c)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_summary_audit, tables, "tables", NULL, 0),
        TACIT_FIELD(tacit_summary_audit, subjects, "subjects", NULL, 0),
        TACIT_FIELD(tacit_summary_audit, left_out, "left_out", NULL, 0),
        TACIT_FIELD(tacit_summary_audit, exact, "exact", NULL, 0),
        TACIT_FIELD(tacit_summary_audit, values_known, "values_known", NULL, 0),
        TACIT_FIELD(tacit_summary_audit, rows_known, "rows_known", NULL, 0),
        TACIT_FIELD(tacit_summary_audit, tuples_known, "tuples_known", NULL, 0),
        TACIT_FIELD(tacit_summary_audit, cells_narrowed, "cells_narrowed", NULL, 0),
        TACIT_FIELD(tacit_summary_audit, left_out_known, "left_out_known", NULL, 0),
        TACIT_FIELD(tacit_summary_audit, left_out_values, "left_out_values", NULL, 0),
        TACIT_FIELD(tacit_summary_audit, programs, "programs", NULL, 0),
        TACIT_FIELD(tacit_summary_audit, fact_total, "fact_count", NULL, 0),
    };
    const tacit_summary_audit *audit = found;
    bool show = engine_has(c->session->settings, "show");
    for (int32_t i = 0; i < audit->column_count; i++)
        tacit_report_push_text(report, "columns", tacit_strview_of(audit->names[i]));
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), audit);
    tacit_report_paragraph(
        report, "The frequencies are %d tables of %s subjects, of whom the release has %s.",
        audit->tables, engine_count(audit->subjects).text, engine_count(audit->rows).text);
    print_facts(report, audit, show);
    tacit_report_list(report, "facts");
    for (int64_t i = 0; i < audit->fact_count; i++)
        add_fact(report, audit, &audit->facts[i], show);
    add_summary_table(report, audit, show);
}

static void summary_shows(engine_ads *ads, const void *found, const engine_case *c)
{
    const tacit_summary_audit *audit = found;
    char text[ENGINE_ADS_TEXT];
    summary_sentence(text, sizeof text, found, c);
    engine_ads_say(ads, ENGINE_ADS_EXTERNAL,
                   summary_discloses(found, c) ? ENGINE_ADS_BROKEN
                   : audit->exact              ? ENGINE_ADS_HOLDS
                                               : ENGINE_ADS_UNKNOWN,
                   "%s", text);
}

static void free_summary(void *found)
{
    tacit_summary_audit_free(found);
}

const engine_attack engine_attack_summary = {
    .name = "summary",
    .title = "Published frequencies",
    .wanted = summary_wanted,
    .needs = summary_needs,
    .run = run_summary,
    .discloses = summary_discloses,
    .promised = summary_promised,
    .sentence = summary_sentence,
    .facts = summary_facts,
    .shows = summary_shows,
    .free = free_summary,
};
