/*
 * profile.c - `tacit profile`: what is in a file, which columns could
 * identify people, and a policy to start from.
 *
 * The table of columns is what was asked for, so it goes to standard output;
 * with `--policy-out -` the policy does, and the table to standard error. No
 * value of the data is shown. Hierarchy files, which hold values, have names only
 * once all of them are whole, and the policy that names them is the last.
 */
#include <string.h>
#include <sys/stat.h>

#include <tacit/experimental/profile.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/job/files.h"
#include "engine/job/kinds.h"
#include "engine/job/session.h"

static const engine_setting PROFILE_SETTINGS[] = {
    {"policy-out", TACIT_SETTING_FILE, "P.yaml",
     "write a policy to start from, with hierarchy files beside it (P.COLUMN.csv)", false, false},
    {"force", TACIT_SETTING_SWITCH, NULL, "replace the files if there are any", false, false},
    {NULL, TACIT_SETTING_SWITCH, NULL, NULL, false, false},
};

typedef struct profile_run {
    engine_session *session;
    const char *file;
    const char *policy_file; /* NULL: not asked for */
    tacit_table *table;
    tacit_profile *profile;
    int32_t hierarchies; /* written beside it */
    double read_seconds, profile_seconds;
} profile_run;

static tacit_status prepare_profile(profile_run *look)
{
    const engine_settings *settings = look->session->settings;
    tacit_error *err = &look->session->error;
    struct stat about;
    look->file = settings->inputs[0];
    look->policy_file = engine_value(settings, "policy-out");
    const engine_file files[] = {
        {look->file, "DATA.csv", false},
        {look->policy_file, "--policy-out", true},
        {engine_value(settings, "report"), "--report", true},
        {engine_value(settings, "html"), "--html", true},
    };
    tacit_status status = engine_files_check(files, sizeof files / sizeof files[0], err);
    if (status != TACIT_OK || !look->policy_file || engine_has(settings, "force"))
        return status;
    if (stat(look->policy_file, &about) == 0 && S_ISREG(about.st_mode))
        return tacit__error(err, TACIT_INVALID, "%s exists already; --force replaces it",
                            look->policy_file);
    return TACIT_OK;
}

static tacit_status examine(profile_run *look)
{
    engine_session *session = look->session;
    tacit_csv_options options;
    engine_csv_options(&options, session);
    double start = engine_now();
    tacit_status status =
        tacit_table_read(&look->table, look->file, &options, &session->run, &session->error);
    look->read_seconds = engine_now() - start;
    if (status != TACIT_OK)
        return status;
    engine_session_source(session, look->table);
    start = engine_now();
    status = tacit_profile_new(&look->profile, look->table, &session->run, &session->error);
    if (status == TACIT_OK)
        status = tacit_table_check_unchanged(look->table, &session->run, &session->error);
    look->profile_seconds = engine_now() - start;
    return status;
}

/* ---- what is said of it ---- */

static void add_profile_columns(tacit_report *report, const tacit_profile *profile)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "name", .heading = "column"},
        {.key = "type", .heading = "type"},
        {.key = "role"},
        {.key = "distinct", .heading = "distinct", .format = "%.0f"},
        {.key = "missing", .heading = "missing", .format = "%.0f"},
        {.heading = "role"},
        {.key = "reason", .heading = "why", .where = TACIT_SHOW_JSON | TACIT_SHOW_PAGE},
        {.key = "about"},
        {.key = "top_share"},
        {.key = "unique_added"},
    };
    int32_t counted = 0; /* of the quasi-identifiers */
    tacit_report_begin(report, TACIT_TABLE("columns", "What the columns hold", true, COLUMNS));
    for (int32_t i = 0; i < profile->column_count; i++) {
        const tacit_profile_column *column = &profile->columns[i];
        const char *role = tacit_role_name(column->role);
        tacit_report_cell_view(report, column->name);
        tacit_report_cell(report, "%s", column->type);
        tacit_report_cell(report, "%s", role);
        tacit_report_cell_integer(report, column->distinct);
        tacit_report_cell_integer(report, column->missing);
        tacit_report_cell(report, "%s", column->role == TACIT_ROLE_NONE ? "-" : role);
        tacit_report_cell(report, "%s", column->reason);
        tacit_report_cell(report, "%s", column->about);
        tacit_report_cell_real(report, column->top_share);
        if (column->role == TACIT_ROLE_QUASI && counted++ < profile->counted_count)
            tacit_report_cell_integer(report, column->unique_added);
        else
            tacit_report_cell_none(report);
    }
}

static void add_reasons(tacit_report *report, const tacit_profile *profile)
{
    char name[64];
    unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT); /* the others have the table */
    for (int32_t i = 0; i < profile->column_count; i++) {
        const tacit_profile_column *column = &profile->columns[i];
        engine_printable(name, sizeof name, column->name);
        if (column->about[0])
            tacit_report_line(report, name, "%s", column->about);
        if (column->reason[0])
            tacit_report_line(report, column->about[0] ? "" : name, "%s", column->reason);
    }
    tacit_report_show(report, before);
    if (profile->every_row)
        tacit_report_line(report, "person", "%s", profile->person_reason);
    if (profile->person < 0)
        return;
    tacit_strview person = profile->columns[profile->person].name;
    tacit_report_line(report, "person", "%s is %s", engine_printable(name, sizeof name, person),
                      profile->person_reason);
    tacit_report_view(report, "person", person);
    tacit_report_text(report, "person_reason", profile->person_reason);
}

static double percent(int64_t part, int64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void add_summary(tacit_report *report, const tacit_profile *profile)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_profile, quasi_count, "quasi_count", NULL, 0),
        TACIT_FIELD(tacit_profile, classes, "classes", NULL, 0),
        TACIT_FIELD(tacit_profile, unique_rows, "unique_rows", NULL, 0),
        TACIT_FIELD(tacit_profile, below_rows, "rows_below", NULL, 0),
    };
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), profile);
    tacit_report_integer(report, "rows_below_k", TACIT_PROFILE_K);
    if (profile->quasi_count == 0)
        tacit_report_line(report, "summary", "No column looks like a quasi-identifier.");
    else
        tacit_report_line(report, "summary",
                          "On the %s%ld likely quasi-identifiers together %s of %s rows (%.1f%%) "
                          "are unique, and %s (%.1f%%) share their values with fewer than %d "
                          "others.",
                          profile->counted_count < profile->quasi_count ? "first " : "",
                          (long)profile->counted_count, engine_count(profile->unique_rows).text,
                          engine_count(profile->rows).text,
                          percent(profile->unique_rows, profile->rows),
                          engine_count(profile->below_rows).text,
                          percent(profile->below_rows, profile->rows), TACIT_PROFILE_K - 1);
}

static void add_profile(tacit_report *report, const void *subject)
{
    const profile_run *look = subject;
    const tacit_profile *profile = look->profile;
    tacit_report_title(report, "%s: %s rows, %ld columns", engine_show(look->file).text,
                       engine_count(profile->rows).text, (long)profile->column_count);
    tacit_report_text(report, "tacit", tacit_version());
    tacit_report_text(report, "command", "profile");
    tacit_report_integer(report, "rows", profile->rows);
    tacit_report_tile(report, "rows", "%s", engine_count(profile->rows).text);
    tacit_report_tile(report, "columns", "%ld", (long)profile->column_count);
    tacit_report_tile(report, "likely quasi-identifiers", "%ld", (long)profile->quasi_count);
    tacit_report_tile(report, "unique rows", "%s", engine_count(profile->unique_rows).text);
    tacit_report_section(report, "Columns");
    add_profile_columns(report, profile);
    tacit_report_gap(report);
    add_reasons(report, profile);
    tacit_report_gap(report);
    add_summary(report, profile);
    if (!look->policy_file) {
        unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT);
        tacit_report_line(report, "next",
                          "--policy-out P.yaml writes these roles as a policy to start from.");
        tacit_report_show(report, before);
    }
    tacit_report_real(report, "seconds.read", look->read_seconds);
    tacit_report_real(report, "seconds.profile", look->profile_seconds);
    tacit_report_real(report, "seconds.total", engine_now() - look->session->start);
}

/* ---- the draft, and the hierarchy files beside it ---- */

/* Their names begin with that of the policy; beside standard output there can be none. */
static tacit_status find_prefix(char **prefix, const profile_run *look)
{
    static const char YAML[] = ".yaml", YML[] = ".yml";
    struct stat about;
    *prefix = NULL;
    if (strcmp(look->policy_file, "-") == 0 ||
        (stat(look->policy_file, &about) == 0 && !S_ISREG(about.st_mode)))
        return TACIT_OK;
    *prefix = tacit__copy_text(look->policy_file);
    if (!*prefix)
        return tacit__nomem(&look->session->error);
    size_t len = strlen(*prefix);
    if (len > strlen(YAML) && strcmp(*prefix + len - strlen(YAML), YAML) == 0)
        (*prefix)[len - strlen(YAML)] = '\0';
    else if (len > strlen(YML) && strcmp(*prefix + len - strlen(YML), YML) == 0)
        (*prefix)[len - strlen(YML)] = '\0';
    return TACIT_OK;
}

static tacit_status check_draft_file(const profile_run *look, const char *path)
{
    tacit_error *err = &look->session->error;
    const engine_settings *settings = look->session->settings;
    struct stat about;
    const engine_file files[] = {
        {look->file, "DATA.csv", false},
        {engine_value(settings, "report"), "--report", true},
        {engine_value(settings, "html"), "--html", true},
        {path, "a hierarchy beside --policy-out", true},
    };
    tacit_status status = engine_files_check(files, TACIT_COUNT_OF(files), err);
    if (status == TACIT_OK && !engine_has(settings, "force") && stat(path, &about) == 0 &&
        S_ISREG(about.st_mode))
        status = tacit__error(err, TACIT_INVALID, "%s exists already; --force replaces it", path);
    return status;
}

/* Readable for its owner alone, since it holds values of the data. */
static tacit_status write_groups(const profile_run *look, const char *path, int32_t index)
{
    tacit_error *err = &look->session->error;
    tacit_hierarchy *hierarchy = NULL;
    char *text = NULL;
    tacit_status status = check_draft_file(look, path);
    if (status == TACIT_OK)
        status = tacit_hierarchy_group(&hierarchy, look->profile->columns[index].group, look->table,
                                       index, err);
    if (status == TACIT_OK)
        status = tacit_hierarchy_text(&text, hierarchy, err);
    if (status == TACIT_OK)
        status = engine_files_add_text(look->session, tacit_output_new_private, path, text,
                                       strlen(text));
    tacit_text_free(text);
    tacit_hierarchy_free(hierarchy);
    return status;
}

static tacit_status write_hierarchies(profile_run *look, const char *prefix)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < look->profile->column_count && status == TACIT_OK; i++) {
        char *path = NULL;
        if (!look->profile->columns[i].group[0])
            continue;
        status = tacit_profile_file(&path, look->profile, i, prefix, &look->session->error);
        if (status == TACIT_OK)
            status = write_groups(look, path, i);
        look->hierarchies += status == TACIT_OK;
        tacit_text_free(path);
    }
    return status;
}

/* The policy appears last, so that what it names is there. */
static tacit_status write_draft(profile_run *look, const char *prefix)
{
    char *yaml = NULL;
    tacit_status status = tacit_profile_policy(
        &yaml, look->profile, prefix ? engine_base_name(prefix) : NULL, &look->session->error);
    if (status == TACIT_OK && prefix)
        status = write_hierarchies(look, prefix);
    if (status == TACIT_OK)
        status = engine_files_add_text(look->session, tacit_output_new, look->policy_file, yaml,
                                       strlen(yaml));
    tacit_text_free(yaml);
    return status;
}

static void say_written(const profile_run *look)
{
    if (!look->policy_file || !strcmp(look->policy_file, "-"))
        return;
    engine_say(look->session, "%s: a policy to start from; read it before using it",
               look->policy_file);
    if (look->hierarchies)
        engine_say(look->session,
                   "%ld hierarch%s beside it; they hold values of the data, so keep them as you "
                   "keep that",
                   (long)look->hierarchies, look->hierarchies == 1 ? "y" : "ies");
}

static tacit_status write_policy(profile_run *look)
{
    char *prefix = NULL;
    if (!look->policy_file)
        return TACIT_OK;
    tacit_status status = find_prefix(&prefix, look);
    if (status == TACIT_OK)
        status = write_draft(look, prefix);
    tacit__free(prefix);
    return status;
}

static const engine_reports PROFILE_REPORTS = {.title = "Profile of records", .fill = add_profile};

static tacit_status run_profile(void *state)
{
    tacit_status status = prepare_profile(state);
    return status == TACIT_OK ? examine(state) : status;
}

static tacit_status commit_profile(void *state)
{
    profile_run *look = state;
    tacit_status status = engine_report_print(look->session, &PROFILE_REPORTS, look);
    if (status == TACIT_OK)
        status = write_policy(look);
    if (status == TACIT_OK)
        status = engine_report(look->session, &PROFILE_REPORTS, look);
    if (status == TACIT_OK)
        say_written(look);
    return status;
}

static void clear_profile(void *state)
{
    profile_run *look = state;
    tacit_profile_free(look->profile);
    tacit_table_free(look->table);
}

const engine_kind engine_profile = {
    .name = "profile",
    .input = "DATA.csv",
    .inputs_needed = 1,
    .inputs_taken = 1,
    .settings = PROFILE_SETTINGS,
    .takes_data = true,
    .size = sizeof(profile_run),
    .run = run_profile,
    .commit = commit_profile,
    .report = &PROFILE_REPORTS,
    .clear = clear_profile,
};
