/*
 * profile.c - `tacit profile`: what is in a file, which columns could
 * identify people, and a policy to start from.
 *
 * The table of columns is what was asked for, so it goes to standard output;
 * with `--policy-out -` the policy does, and the table to standard error. No
 * value of the data is shown.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <tacit/experimental/profile.h>

#include "base/error.h"
#include "engine/job/files.h"
#include "engine/job/kinds.h"
#include "engine/job/session.h"
#include "engine/records/verdict.h"

static const engine_setting SETTINGS[] = {
    {"policy-out", TACIT_SETTING_FILE, "P.yaml", "write a policy to start from", false, false},
    {"force", TACIT_SETTING_SWITCH, NULL, "replace the policy file if there is one", false, false},
    {NULL, TACIT_SETTING_SWITCH, NULL, NULL, false, false},
};

typedef struct profile_run {
    engine_session *session;
    const char *file;
    const char *policy_file; /* NULL: not asked for */
    tacit_table *table;
    tacit_profile *profile;
    double read_seconds, profile_seconds;
} profile_run;

static tacit_status prepare(profile_run *look)
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
    start = engine_now();
    status = tacit_profile_new(&look->profile, look->table, &session->run, &session->error);
    if (status == TACIT_OK)
        status = tacit_table_check_unchanged(look->table, &session->run, &session->error);
    look->profile_seconds = engine_now() - start;
    return status;
}

static const char *role_text(const tacit_profile_column *column)
{
    return column->role == TACIT_ROLE_NONE ? "-" : tacit_role_name(column->role);
}

static void fill_grid(tacit_grid *grid, const tacit_profile *profile)
{
    static const char *const HEADER[] = {"column", "type", "distinct", "missing", "role"};
    tacit_grid_init(grid, HEADER, 5);
    for (int32_t i = 0; i < profile->column_count; i++) {
        const tacit_profile_column *column = &profile->columns[i];
        tacit_grid_add_view(grid, column->name);
        tacit_grid_add(grid, "%s", column->type);
        tacit_grid_add(grid, "%lu", (unsigned long)column->distinct);
        tacit_grid_add(grid, "%lld", (long long)column->missing);
        tacit_grid_add(grid, "%s", role_text(column));
    }
}

static double percent(int64_t part, int64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* The summary in a sentence; cut to size, returns buffer. */
static const char *summary(char *buffer, size_t size, const tacit_profile *profile)
{
    if (profile->quasi_count == 0)
        snprintf(buffer, size, "No column looks like a quasi-identifier.");
    else
        snprintf(buffer, size,
                 "On the %ld likely quasi-identifiers together %s of %s rows (%.1f%%) are "
                 "unique, and %s (%.1f%%) share their values with fewer than %d others.",
                 (long)profile->quasi_count, engine_count(profile->unique_rows).text,
                 engine_count(profile->rows).text, percent(profile->unique_rows, profile->rows),
                 engine_count(profile->below_rows).text,
                 percent(profile->below_rows, profile->rows), TACIT_PROFILE_K - 1);
    return buffer;
}

static void tell(FILE *out, const profile_run *look)
{
    const tacit_profile *profile = look->profile;
    char name[64], text[512];
    tacit_grid grid;
    fprintf(out, "%s: %s rows, %ld columns\n\n", engine_show(look->file).text,
            engine_count(profile->rows).text, (long)profile->column_count);
    fill_grid(&grid, profile);
    tacit_grid_print(&grid, out);
    tacit_grid_clear(&grid);
    fputc('\n', out);
    for (int32_t i = 0; i < profile->column_count; i++)
        if (profile->columns[i].reason[0])
            engine_print_labelled(
                out, engine_printable(name, sizeof name, profile->columns[i].name),
                engine_printable(text, sizeof text, tacit_strview_of(profile->columns[i].reason)));
    if (profile->person >= 0) {
        engine_printable(name, sizeof name, profile->columns[profile->person].name);
        snprintf(text, sizeof text, "%s is %s", name, profile->person_reason);
        engine_print_labelled(out, "person", text);
    }
    fputc('\n', out);
    engine_print_labelled(out, "summary", summary(text, sizeof text, profile));
    if (!look->policy_file)
        engine_print_labelled(out, "next",
                              "--policy-out P.yaml writes these roles as a policy to start from.");
}

static tacit_status write_policy(profile_run *look)
{
    tacit_error *err = &look->session->error;
    char *yaml = NULL;
    if (!look->policy_file)
        return TACIT_OK;
    tacit_status status = tacit_profile_policy(&yaml, look->profile, err);
    if (status == TACIT_OK)
        status = engine_write_text(look->policy_file, yaml, strlen(yaml), err);
    if (status == TACIT_OK && strcmp(look->policy_file, "-"))
        engine_say(look->session, "%s: a policy to start from; read it before using it",
                   look->policy_file);
    tacit_text_free(yaml);
    return status;
}

static void fill_account(tacit_account *account, const void *subject)
{
    const profile_run *look = subject;
    const tacit_profile *profile = look->profile;
    tacit_account_text(account, "tacit", tacit_strview_of(tacit_version()));
    tacit_account_text(account, "command", tacit_strview_of("profile"));
    tacit_account_integer(account, "rows", profile->rows);
    tacit_account_list(account, "columns");
    for (int32_t i = 0; i < profile->column_count; i++) {
        const tacit_profile_column *column = &profile->columns[i];
        tacit_account_push_object(account, "columns");
        tacit_account_text(account, "@.name", column->name);
        tacit_account_text(account, "@.type", tacit_strview_of(column->type));
        tacit_account_text(account, "@.role", tacit_strview_of(tacit_role_name(column->role)));
        tacit_account_text(account, "@.reason", tacit_strview_of(column->reason));
        tacit_account_integer(account, "@.distinct", column->distinct);
        tacit_account_integer(account, "@.missing", column->missing);
        tacit_account_real(account, "@.top_share", column->top_share);
        if (column->role == TACIT_ROLE_QUASI)
            tacit_account_integer(account, "@.unique_added", column->unique_added);
    }
    if (profile->person >= 0) {
        tacit_account_text(account, "person", profile->columns[profile->person].name);
        tacit_account_text(account, "person_reason", tacit_strview_of(profile->person_reason));
    }
    tacit_account_integer(account, "quasi_count", profile->quasi_count);
    tacit_account_integer(account, "classes", profile->classes);
    tacit_account_integer(account, "unique_rows", profile->unique_rows);
    tacit_account_integer(account, "rows_below", profile->below_rows);
    tacit_account_integer(account, "rows_below_k", TACIT_PROFILE_K);
    tacit_account_real(account, "seconds.read", look->read_seconds);
    tacit_account_real(account, "seconds.profile", look->profile_seconds);
    tacit_account_real(account, "seconds.total", engine_now() - look->session->start);
}

static void add_reasons(tacit_page *page, const tacit_profile *profile)
{
    static const char *const HEADER[] = {"column", "role", "why"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 3);
    for (int32_t i = 0; i < profile->column_count; i++) {
        tacit_grid_add_view(&grid, profile->columns[i].name);
        tacit_grid_add(&grid, "%s", role_text(&profile->columns[i]));
        tacit_grid_add(&grid, "%s", profile->columns[i].reason);
    }
    tacit_grid_show(&grid, page, "Likely roles");
    tacit_grid_clear(&grid);
}

static void add_tiles(tacit_page *page, const tacit_profile *profile)
{
    static const char *const NAMES[] = {"rows", "columns", "likely quasi-identifiers",
                                        "unique rows"};
    char texts[4][32];
    const char *const values[] = {
        tacit_number_text(texts[0], sizeof texts[0], (double)profile->rows, 0),
        tacit_number_text(texts[1], sizeof texts[1], (double)profile->column_count, 0),
        tacit_number_text(texts[2], sizeof texts[2], (double)profile->quasi_count, 0),
        tacit_number_text(texts[3], sizeof texts[3], (double)profile->unique_rows, 0),
    };
    tacit_page_tiles(page, NAMES, values, 4);
}

static void fill_page(tacit_page *page, const void *subject)
{
    const profile_run *look = subject;
    char text[512];
    tacit_grid grid;
    tacit_page_paragraph(page, summary(text, sizeof text, look->profile));
    add_tiles(page, look->profile);
    tacit_page_heading(page, "Columns");
    fill_grid(&grid, look->profile);
    tacit_grid_show(&grid, page, "What the columns hold");
    tacit_grid_clear(&grid);
    add_reasons(page, look->profile);
    if (look->profile->person >= 0) {
        char name[64];
        engine_printable(name, sizeof name, look->profile->columns[look->profile->person].name);
        snprintf(text, sizeof text, "Person: %s is %s.", name, look->profile->person_reason);
        tacit_page_paragraph(page, text);
    }
}

static const engine_reports REPORTS = {"Profile of records", fill_account, fill_page, NULL};

static tacit_status run(void *state)
{
    tacit_status status = prepare(state);
    return status == TACIT_OK ? examine(state) : status;
}

static tacit_status commit(void *state)
{
    profile_run *look = state;
    tell(look->session->out, look);
    engine_session_flush(look->session);
    tacit_status status = write_policy(look);
    return status == TACIT_OK ? engine_report(look->session, &REPORTS, look) : status;
}

static const engine_reports *reports(const void *state, const void **subject)
{
    *subject = state;
    return &REPORTS;
}

static void clear(void *state)
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
    .settings = SETTINGS,
    .takes_data = true,
    .size = sizeof(profile_run),
    .run = run,
    .commit = commit,
    .reports = reports,
    .clear = clear,
};
