/*
 * audit.c - `tacit audit`: the judge alone, on any release. Statistical tables are
 * engine/tables/audit_table.c's; what follows is about records.
 *
 * The promise is made from the policy exactly as `tacit anonymize` makes it.
 * With --original the judge also compares values and looks for rows lost or
 * made up; nothing is known of which row became which, unless --same-order
 * says that the rows stand as they stood. The verdict is what was asked for, so
 * it goes to standard output.
 */
#include <stdio.h>

#include "base/error.h"
#include "engine/attacks/attack.h"
#include "engine/attacks/registers.h"
#include "engine/job/files.h"
#include "engine/job/kinds.h"
#include "engine/job/session.h"
#include "engine/ledger/ledger.h"
#include "engine/records/promise.h"
#include "engine/records/release.h"
#include "engine/records/verdict.h"
#include "engine/tables/tables.h"

static const engine_setting AUDIT_SETTINGS[] = {
    {"original", TACIT_SETTING_FILE, "DATA.csv",
     "the data that the release was made from: values and rows are then compared", false, false},
    {"same-order", TACIT_SETTING_SWITCH, NULL, "the release keeps the order of the original's rows",
     false, false},
    {"joined", TACIT_SETTING_FILE, "OUT.csv",
     "with --previous: the release with the finer values that follow, the rows that are then alike "
     "and the candidates of each row",
     false, false},
    {"truth", TACIT_SETTING_FILE, "TRUTH.csv",
     "with --population: the true person of each row, as columns row (of the release) and one that "
     "names people of the register",
     false, false},
    {"uniqueness", TACIT_SETTING_NUMBER, "M",
     "with --population: how many of its people are unique, by up to M columns (2; 0: not counted)",
     false, false},
    {"linked", TACIT_SETTING_FILE, "OUT.csv",
     "with --population: to how many people each row of the release maps", false, false},
    {"probable", TACIT_SETTING_SWITCH, NULL,
     "with --population: also link by probability, which allows for misspellings, shifted dates "
     "and other errors, each person once",
     false, false},
    {"summary", TACIT_SETTING_FILE, "MARGINALS.csv",
     "of records: published frequencies, as attribute,value,count or as columns of the release and "
     "count: which withheld values follow; can be given several times",
     false, false},
    {"proven", TACIT_SETTING_SWITCH, NULL,
     "local or optimal reported that its release is the best there is", false, false},
    {"dim", TACIT_SETTING_TEXT, "COLUMN[=FILE]",
     "of a table: a dimension, and its hierarchy; give one for each dimension", false, false},
    {"total", TACIT_SETTING_TEXT, "CODE",
     "of a table: what the total of a dimension without hierarchy is called (Total)", false, false},
    {"value", TACIT_SETTING_TEXT, "COLUMN", "of a table: the values (without it: freq)", false,
     false},
    {"negative", TACIT_SETTING_SWITCH, NULL, "of a table: values may be below zero", false, false},
    {"tolerance", TACIT_SETTING_REAL, "X",
     "of a table: what a total may be off by, beyond rounding", false, false},
    {"singletons", TACIT_SETTING_SWITCH, NULL,
     "of a table: also what contributors can work out from their own contribution", false, false},
    {"total-protection", TACIT_SETTING_SWITCH, NULL,
     "of a table of two dimensions: also cells and sums of primary cells that are known exactly",
     false, false},
    {"lines", TACIT_SETTING_NUMBER, "K",
     "with --total-protection: whether anything is known about any K rows, or K columns", false,
     false},
    {"sparse", TACIT_SETTING_SWITCH, NULL,
     "of two dimensions: the file lists the suppressed cells of a large table, and what is known "
     "exactly about them is found",
     false, false},
    {"rest", TACIT_SETTING_TEXT, "free|zero|publish",
     "with --sparse: what the cells are that the file leaves out (free)", false, false},
    {"ads", TACIT_SETTING_SWITCH, NULL,
     "of records: the nine parts of the definition of an anonymous data system, and of each what "
     "was assumed, checked, or could not be",
     false, false},
    {"sums", TACIT_SETTING_SWITCH, NULL,
     "of a table: also sums of primary cells that are known too well", false, false},
    {NULL, TACIT_SETTING_SWITCH, NULL, NULL, false, false},
};

typedef struct trial {
    engine_session *session;
    const char *file;
    tacit_policy *policy;
    engine_promise promise;
    tacit_table *release;
    tacit_table *original;
    engine_population population;
    engine_earlier earlier;
    engine_ledger ledger;
    tacit_verdict *verdict;
    engine_case c; /* for the attacks */
    tacit_audit_groups *groups;
    engine_found found;
    engine_ads ads;
    double read_seconds, judge_seconds;
} trial;

/* Earlier releases are the command line's, the policy's or a ledger's; which of those are of this
 * data is known when it is read. */
static tacit_status check_joined(trial *audit)
{
    if (!engine_has(audit->session->settings, "joined") || audit->earlier.count > 0)
        return TACIT_OK;
    return tacit__error(
        &audit->session->error, TACIT_INVALID,
        "--joined needs an earlier release to join with: name it with --previous, or "
        "give a ledger that has one");
}

static tacit_status prepare_audit(trial *audit)
{
    const engine_settings *settings = audit->session->settings;
    audit->file = settings->inputs[0];
    enum { READ = 4, FILES = READ + ENGINE_WRITTEN };
    engine_file files[FILES] = {{audit->file, "RELEASE.csv", false},
                                {engine_value(settings, "policy"), "--policy", false},
                                {engine_value(settings, "original"), "--original", false},
                                {engine_value(settings, "truth"), "--truth", false}};
    const size_t count = FILES;
    engine_files_written(files + READ, settings);
    tacit_status status = engine_files_check(files, count, &audit->session->error);
    if (status == TACIT_OK && engine_has(settings, "same-order") &&
        !engine_has(settings, "original"))
        status =
            tacit__error(&audit->session->error, TACIT_INVALID, "--same-order needs --original");
    if (status == TACIT_OK)
        status = engine_summaries_check(audit->session, files, count, &audit->session->error);
    if (status == TACIT_OK)
        status = engine_policy(&audit->policy, audit->session);
    if (status == TACIT_OK)
        status = engine_session_guard(audit->session, audit->policy);
    if (status == TACIT_OK && tacit_policy_masks(audit->policy) && engine_has(settings, "original"))
        status = tacit__error(
            &audit->session->error, TACIT_INVALID,
            "the policy has techniques, which change values by chance, so the release cannot be "
            "compared with the data they were applied to; leave --original out");
    if (status == TACIT_OK)
        status = engine_registers_check(audit->policy, audit->session);
    if (status == TACIT_OK)
        status = engine_registers_quasi(audit->policy, audit->file, audit->session);
    if (status == TACIT_OK)
        status = engine_blanks_check(audit->policy, audit->session, &audit->session->error);
    if (status == TACIT_OK)
        status = engine_policy_files_check(audit->policy, files, count, &audit->session->error);
    if (status == TACIT_OK)
        status =
            engine_ledger_open_beside(&audit->ledger, audit->policy, audit->file, audit->session);
    if (status == TACIT_OK && !audit->policy->ledger && audit->policy->previous_count == 0)
        status = check_joined(audit);
    return status;
}

static tacit_status needs_rows(const trial *audit, const char *what)
{
    return tacit__error(&audit->session->error, TACIT_INVALID,
                        "%s is checked row by row: let the rows leave with --fetch-rows", what);
}

static tacit_status read_original(trial *audit)
{
    engine_session *session = audit->session;
    const char *file = engine_value(session->settings, "original");
    if (!file)
        return TACIT_OK;
    if (tacit_is_place(file))
        return needs_rows(audit, "--original");
    tacit_csv_options options;
    engine_csv_options(&options, session);
    const char **names = NULL;
    tacit_status status =
        tacit_policy_coded(&names, &options.coded_count, audit->policy, &session->error);
    options.coded = names;
    options.code_none = options.coded_count == 0;
    engine_ledger_code(&options, &audit->ledger);
    if (status == TACIT_OK)
        status = tacit_table_read(&audit->original, file, &options, &session->run, &session->error);
    if (status == TACIT_OK)
        status = tacit_policy_check(audit->policy, audit->original, &session->error);
    tacit_policy_names_free(names);
    return status;
}

/* The names of the columns, and in a release without a header those that they had before some
 * were dropped, which their number tells. NULL where the file can be read only once. */
static tacit_status look_ahead(tacit_table **header, engine_names *names,
                               tacit_csv_options *options, trial *audit)
{
    engine_session *session = audit->session;
    if (!options->no_header && !engine_is_reread(audit->file))
        return TACIT_OK;
    tacit_csv_options quick = *options;
    quick.header_only = true;
    tacit_status status = engine_places_read(header, audit->file, &quick, session);
    if (status != TACIT_OK || !options->no_header)
        return status;
    int32_t count = tacit_table_columns(*header);
    tacit_table_free(*header);
    *header = NULL;
    if (!engine_names_by_place(names, count, audit->policy))
        return tacit__nomem(&session->error);
    options->names = names->views;
    options->name_count = (size_t)count;
    return TACIT_OK;
}

/* Of a release in an engine only the columns that are coded are looked at: what has to look at
 * others takes its rows. */
static tacit_status check_stays(const trial *audit, const tacit_csv_options *options,
                                const tacit_table *header)
{
    const tacit_policy *policy = audit->policy;
    const engine_settings *settings = audit->session->settings;
    const char *what = NULL;
    if (!tacit_is_place(audit->file))
        return TACIT_OK;
    bool carries =
        !options->coded || !header || options->coded_count < (size_t)tacit_table_columns(header);
    for (int32_t i = 0; i < policy->column_count; i++)
        if (engine_fate(&policy->columns[i]) == TACIT_REPLACE_SCRUB)
            what = "replace: scrub";
    if (policy->spreadsheet_safe)
        what = "spreadsheet-safe";
    if ((policy->person || policy->household) && carries)
        what = "whether another column tells the people apart";
    if (engine_has(settings, "original"))
        what = "--original";
    if (!what)
        return TACIT_OK;
    return needs_rows(audit, what);
}

/* A quasi-identifying column that the release does not have is an error here. */
static tacit_status read_release(trial *audit)
{
    engine_session *session = audit->session;
    tacit_csv_options options;
    engine_release_csv_options(&options, session);
    engine_names columns = {0};
    engine_needs needs = {0};
    tacit_table *header = NULL;
    tacit_status status = look_ahead(&header, &columns, &options, audit);
    if (status == TACIT_OK)
        status = engine_needs_release(&needs, &options, header, &audit->c);
    if (status == TACIT_OK)
        status = check_stays(audit, &options, header);
    if (status == TACIT_OK)
        status = engine_places_read(&audit->release, audit->file, &options, session);
    tacit_table_free(header);
    engine_needs_clear(&needs);
    engine_names_clear(&columns);
    if (status == TACIT_OK && !audit->original)
        status = tacit_policy_check_release(audit->policy, audit->release, &session->error);
    return status;
}

static tacit_status make_promise(trial *audit)
{
    int64_t k = 0;
    bool most_general = false;
    tacit_error *err = &audit->session->error;
    tacit_status status = tacit_policy_k(audit->policy, &k, &most_general, err);
    if (status == TACIT_OK)
        status = engine_promise_init(&audit->promise, audit->policy, k, err);
    return status;
}

static tacit_status read_all(trial *audit)
{
    double start = engine_now();
    audit->c = (engine_case){.session = audit->session,
                             .policy = audit->policy,
                             .promise = &audit->promise,
                             .file = audit->file,
                             .same_order = engine_has(audit->session->settings, "same-order"),
                             .proven = engine_has(audit->session->settings, "proven"),
                             .earlier = &audit->earlier};
    tacit_status status = engine_earlier_read(&audit->earlier, audit->policy, audit->session);
    if (status == TACIT_OK)
        status = read_original(audit);
    if (status == TACIT_OK)
        status = engine_ledger_recall(&audit->earlier, &audit->ledger, audit->policy,
                                      audit->original, audit->session);
    if (status == TACIT_OK)
        status = check_joined(audit);
    if (status == TACIT_OK)
        status = read_release(audit);
    if (status == TACIT_OK)
        status = engine_ledger_recall_with(&audit->earlier, &audit->ledger, audit->original,
                                           audit->release, audit->session);
    if (status == TACIT_OK)
        status = make_promise(audit);
    audit->c.original = audit->original;
    audit->c.release = audit->release;
    if (status == TACIT_OK)
        status = engine_population_read(&audit->population, audit->policy, &audit->promise,
                                        audit->session);
    audit->read_seconds = engine_now() - start;
    return status;
}

static tacit_status judge(trial *audit)
{
    engine_session *session = audit->session;
    double start = engine_now();
    tacit_status status = tacit_audit_groups_new(&audit->groups, &session->error);
    const tacit_evidence evidence = {
        .release = audit->release,
        .original = audit->original,
        .same_order = engine_has(session->settings, "same-order"),
        .population = audit->population.people,
        .groups = audit->groups,
    };
    if (status == TACIT_OK)
        status = tacit_audit_release(&audit->verdict, &audit->promise.promise, &evidence,
                                     &session->run, &session->error);
    audit->judge_seconds = engine_now() - start;
    audit->c.verdict = audit->verdict;
    audit->c.groups = audit->groups;
    if (status == TACIT_OK)
        status = engine_attacks_run(&audit->found, &audit->c);
    if (status == TACIT_OK)
        status = tacit_table_check_unchanged(audit->release, &session->run, &session->error);
    if (status == TACIT_OK && audit->original)
        status = tacit_table_check_unchanged(audit->original, &session->run, &session->error);
    if (status == TACIT_OK)
        engine_ads_fill(&audit->ads, audit->verdict, &audit->found, &audit->c);
    return status;
}

static void add_audit(tacit_report *report, const void *subject)
{
    const trial *audit = subject;
    const tacit_verdict *verdict = audit->verdict;
    tacit_report_title(report, "%s: %s rows, %s of them suppressed", engine_show(audit->file).text,
                       engine_count(verdict->rows).text,
                       engine_count(verdict->suppressed_rows).text);
    tacit_report_paragraph(report, "Judged by tacit %s %s.", tacit_version(),
                           audit->original ? "against the original" : "without the original");
    tacit_report_text(report, "tacit", tacit_version());
    tacit_report_text(report, "command", "audit");
    tacit_report_integer(report, "rows", verdict->rows);
    tacit_report_integer(report, "k", audit->promise.promise.k);
    for (int32_t i = 0; i < audit->promise.promise.attribute_count; i++)
        tacit_report_push_text(report, "quasi",
                               tacit_strview_of(audit->promise.attributes[i].name));
    tacit_report_integer(report, "smallest_class", engine_verdict_smallest(verdict));
    engine_verdict_say(report, "verdict", verdict, &audit->promise.promise);
    engine_verdict_facts(report, verdict, &audit->promise.promise);
    unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT); /* the others have a table */
    for (int32_t i = 0; i < verdict->finding_count; i++)
        tacit_report_line(report, engine_finding_name(verdict->findings[i].kind), "%s",
                          verdict->findings[i].message);
    tacit_report_show(report, before);
    engine_found_facts(report, &audit->found, &audit->c);
    engine_ads_facts(report, &audit->ads, engine_has(audit->session->settings, "ads"));
    engine_ledger_facts(report, &audit->ledger);
    tacit_report_real(report, "seconds.read", audit->read_seconds);
    tacit_report_real(report, "seconds.judge", audit->judge_seconds);
    tacit_report_real(report, "seconds.total", engine_now() - audit->session->start);
}

static const engine_reports AUDIT_REPORTS = {.title = "Audit of a release", .fill = add_audit};

static void clear_audit(void *state)
{
    trial *audit = state;
    engine_found_clear(&audit->found);
    engine_ledger_clear(&audit->ledger);
    tacit_audit_groups_free(audit->groups);
    tacit_verdict_free(audit->verdict);
    tacit_table_free(audit->original);
    tacit_table_free(audit->release);
    engine_population_clear(&audit->population);
    engine_earlier_clear(&audit->earlier);
    engine_promise_clear(&audit->promise);
    tacit_policy_free(audit->policy);
}

static tacit_status run_audit(void *state)
{
    tacit_status status = prepare_audit(state);
    if (status == TACIT_OK)
        status = read_all(state);
    return status == TACIT_OK ? judge(state) : status;
}

static tacit_status commit_audit(void *state)
{
    trial *audit = state;
    tacit_status status = engine_report_print(audit->session, &AUDIT_REPORTS, audit);
    return status == TACIT_OK ? engine_report(audit->session, &AUDIT_REPORTS, audit) : status;
}

static bool discloses(const void *state)
{
    const trial *audit = state;
    return !audit->verdict->holds || engine_found_discloses(&audit->found);
}

static const engine_kind *audit_variant(const engine_settings *settings)
{
    if (engine_has(settings, "sparse"))
        return &engine_audit_sparse;
    return engine_is_audit_of_table(settings) ? &engine_audit_table : NULL;
}

const engine_kind engine_audit = {
    .name = "audit",
    .input = "RELEASE.csv",
    .inputs_needed = 1,
    .inputs_taken = 1,
    .settings = AUDIT_SETTINGS,
    .takes_policy = true,
    .takes_data = true,
    .takes_places = true,
    .variant = audit_variant,
    .size = sizeof(trial),
    .run = run_audit,
    .commit = commit_audit,
    .discloses = discloses,
    .report = &AUDIT_REPORTS,
    .clear = clear_audit,
};
