/*
 * cmd_profile.c - `tacit profile`: what is in a file, which columns could
 * identify people, and a policy to start from.
 *
 * The table of columns is what was asked for, so it goes to standard output;
 * with `--policy-out -` the policy does, and the table to standard error. No
 * value of the data is shown.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <tacit/profile.h>

#include "commands.h"
#include "files.h"
#include "grid.h"
#include "session.h"
#include "verdict.h"

static const cli_option OPTIONS[] = {
    {"policy-out", 0, CLI_FILE, "P.yaml", "write a policy to start from", false},
    {"force", 0, CLI_SWITCH, NULL, "replace the policy file if there is one", false},
    {NULL, 0, CLI_SWITCH, NULL, NULL, false},
};

typedef struct profile_run {
    cli_session *session;
    const char *file;
    const char *policy_file; /* NULL: not asked for */
    tacit_table *table;
    tacit_profile *profile;
    double read_seconds, profile_seconds;
} profile_run;

static tacit_status prepare(profile_run *look)
{
    const cli_arguments *arguments = look->session->arguments;
    tacit_error *err = &look->session->error;
    struct stat about;
    look->file = arguments->operands[0];
    look->policy_file = cli_value(arguments, "policy-out");
    const cli_file files[] = {
        {look->file, "DATA.csv", false},
        {look->policy_file, "--policy-out", true},
        {cli_value(arguments, "report"), "--report", true},
        {cli_value(arguments, "html"), "--html", true},
    };
    tacit_status status = cli_files_check(files, sizeof files / sizeof files[0], err);
    if (status != TACIT_OK || !look->policy_file || cli_has(arguments, "force"))
        return status;
    if (stat(look->policy_file, &about) == 0 && S_ISREG(about.st_mode))
        return cli_error(err, TACIT_INVALID, "%s exists already; --force replaces it",
                         look->policy_file);
    return TACIT_OK;
}

static tacit_status examine(profile_run *look)
{
    cli_session *session = look->session;
    tacit_csv_options options;
    cli_csv_options(&options, session);
    double start = cli_now();
    tacit_status status =
        tacit_table_read(&look->table, look->file, &options, &session->run, &session->error);
    look->read_seconds = cli_now() - start;
    if (status != TACIT_OK)
        return status;
    start = cli_now();
    status = tacit_profile_new(&look->profile, look->table, &session->run, &session->error);
    if (status == TACIT_OK)
        status = tacit_table_check_unchanged(look->table, &session->run, &session->error);
    look->profile_seconds = cli_now() - start;
    return status;
}

static const char *role_text(const tacit_profile_column *column)
{
    return column->role == TACIT_ROLE_NONE ? "-" : tacit_role_name(column->role);
}

static void fill_grid(cli_grid *grid, const tacit_profile *profile)
{
    static const char *const HEADER[] = {"column", "type", "distinct", "missing", "role"};
    cli_grid_init(grid, HEADER, 5);
    for (int32_t i = 0; i < profile->column_count; i++) {
        const tacit_profile_column *column = &profile->columns[i];
        cli_grid_add_view(grid, column->name);
        cli_grid_add(grid, "%s", column->type);
        cli_grid_add(grid, "%lu", (unsigned long)column->distinct);
        cli_grid_add(grid, "%lld", (long long)column->missing);
        cli_grid_add(grid, "%s", role_text(column));
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
                 (long)profile->quasi_count, cli_count(profile->unique_rows).text,
                 cli_count(profile->rows).text, percent(profile->unique_rows, profile->rows),
                 cli_count(profile->below_rows).text, percent(profile->below_rows, profile->rows),
                 TACIT_PROFILE_K - 1);
    return buffer;
}

static void tell(profile_run *look)
{
    const tacit_profile *profile = look->profile;
    bool policy_to_stdout = look->policy_file && strcmp(look->policy_file, "-") == 0;
    FILE *out = policy_to_stdout ? stderr : stdout;
    char name[64], text[512];
    cli_grid grid;
    cli_terminal_erase(&look->session->terminal);
    if (look->session->quiet)
        return;
    fprintf(out, "%s: %s rows, %ld columns\n\n", cli_show(look->file).text,
            cli_count(profile->rows).text, (long)profile->column_count);
    fill_grid(&grid, profile);
    cli_grid_print(&grid, out);
    cli_grid_clear(&grid);
    fputc('\n', out);
    for (int32_t i = 0; i < profile->column_count; i++)
        if (profile->columns[i].reason[0])
            cli_print_labelled(
                out, cli_printable(name, sizeof name, profile->columns[i].name),
                cli_printable(text, sizeof text, tacit_strview_of(profile->columns[i].reason)));
    if (profile->person >= 0) {
        cli_printable(name, sizeof name, profile->columns[profile->person].name);
        snprintf(text, sizeof text, "%s is %s", name, profile->person_reason);
        cli_print_labelled(out, "person", text);
    }
    fputc('\n', out);
    cli_print_labelled(out, "summary", summary(text, sizeof text, profile));
    if (!look->policy_file)
        cli_print_labelled(out, "next",
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
        status = cli_write_text(look->policy_file, yaml, strlen(yaml), err);
    if (status == TACIT_OK && strcmp(look->policy_file, "-"))
        cli_say(look->session, "%s: a policy to start from; read it before using it",
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
    tacit_account_real(account, "seconds.total", cli_now() - look->session->start);
}

static void add_reasons(tacit_page *page, const tacit_profile *profile)
{
    static const char *const HEADER[] = {"column", "role", "why"};
    cli_grid grid;
    cli_grid_init(&grid, HEADER, 3);
    for (int32_t i = 0; i < profile->column_count; i++) {
        cli_grid_add_view(&grid, profile->columns[i].name);
        cli_grid_add(&grid, "%s", role_text(&profile->columns[i]));
        cli_grid_add(&grid, "%s", profile->columns[i].reason);
    }
    cli_grid_show(&grid, page, "Likely roles");
    cli_grid_clear(&grid);
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
    cli_grid grid;
    tacit_page_paragraph(page, summary(text, sizeof text, look->profile));
    add_tiles(page, look->profile);
    tacit_page_heading(page, "Columns");
    fill_grid(&grid, look->profile);
    cli_grid_show(&grid, page, "What the columns hold");
    cli_grid_clear(&grid);
    add_reasons(page, look->profile);
    if (look->profile->person >= 0) {
        char name[64];
        cli_printable(name, sizeof name, look->profile->columns[look->profile->person].name);
        snprintf(text, sizeof text, "Person: %s is %s.", name, look->profile->person_reason);
        tacit_page_paragraph(page, text);
    }
}

static const cli_reports REPORTS = {"Profile of records", fill_account, fill_page};

static int run(const cli_arguments *arguments)
{
    cli_session session;
    profile_run look = {.session = &session};
    tacit_status status = cli_session_init(&session, arguments);
    if (status == TACIT_OK)
        status = prepare(&look);
    if (status == TACIT_OK)
        status = examine(&look);
    if (status == TACIT_OK) {
        tell(&look);
        status = write_policy(&look);
    }
    if (status == TACIT_OK)
        status = cli_report(&session, &REPORTS, &look);
    int result = cli_session_end(&session, status);
    tacit_profile_free(look.profile);
    tacit_table_free(look.table);
    return result;
}

const cli_command cli_profile = {
    .name = "profile",
    .summary = "what is in a file, and which columns could identify people",
    .usage = "DATA.csv [--policy-out P.yaml] [options]",
    .about = "Lists the columns of DATA.csv (- is standard input) with a guess at what each holds, "
             "the role it should have in a release and why, and counts the rows that are unique "
             "on the likely quasi-identifiers together.",
    .operand = "DATA.csv",
    .operands_needed = 1,
    .operands_taken = 1,
    .options = OPTIONS,
    .takes_data = true,
    .example = "tacit profile patients.csv --policy-out draft.yaml",
    .run = run,
};
