/*
 * cmd_demo.c - `tacit demo`: the tour. It runs the very commands it shows, on
 * copies of the shipped data: a release of records, one that was tampered with, to
 * show that the judge does not only nod, and a table.
 *
 * Everything goes to standard output, also what the commands would say on
 * standard error: here it is one story.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tacit/report.h>
#include <tacit/table.h>

#include "commands.h"
#include "examples.h"
#include "interrupt.h"
#include "job.h"
#include "terminal.h"

enum { MAX_WORDS = 24, SHOWN_ROWS = 4, MAX_DEMO_COLUMNS = 16, WIDTH = 76 };

static const cli_option OPTIONS[] = {
    {"dir", 0, TACIT_SETTING_FOLDER, "DIR", "where the files go: a folder that is new or empty",
     false},
    {"seed", 0, TACIT_SETTING_NUMBER, "N", "the same tour again, to the order of the released rows",
     false},
    {NULL, 0, TACIT_SETTING_SWITCH, NULL, NULL, false},
};

typedef struct tour_state {
    const cli_arguments *arguments;
    tacit_run run;
    tacit_error error;
} tour_state;

static void explain(const char *title, const char *text)
{
    printf("\n%s%s%s\n%s\n", cli_bold(stdout), title, cli_plain(stdout), text);
}

/* In lines that a terminal has room for, and that a shell takes. */
static void print_command(const char *const *words)
{
    int at = (int)strlen("$ tacit");
    printf("\n%s$ tacit", cli_bold(stdout));
    for (; *words; words++) {
        bool pair = (*words)[0] == '-' && words[1];
        int need = (int)strlen(*words) + (pair ? (int)strlen(words[1]) + 1 : 0);
        if (at + need > WIDTH) {
            fputs(" \\\n   ", stdout);
            at = 4;
        }
        at += printf(" %s", *words);
    }
    printf("%s\n\n", cli_plain(stdout));
}

/* Shows a command line and runs it. `hidden` is the rest of the line, which
 * only matters to whoever wants the same tour again. */
static int type(const char *const *words, const char *const *hidden)
{
    const char *line[MAX_WORDS];
    int count = 0;
    print_command(words);
    for (; words[count]; count++)
        line[count] = words[count];
    for (size_t i = 0; hidden && hidden[i]; i++)
        line[count++] = hidden[i];
    fflush(stdout);
    int result = cli_run(count, line);
    if (result != CLI_DONE)
        printf("\n(exit status %d)\n", result);
    fflush(stdout);
    return result;
}

static tacit_status read_plain(tacit_table **out, const char *path, tour_state *tour)
{
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.code_none = true;
    return tacit_table_read(out, path, &options, &tour->run, &tour->error);
}

/* A row's cell in a column, -1 being the header; the shipped data is ASCII. */
static tacit_strview cell_of(const tacit_table *table, int64_t row, const char *column)
{
    tacit_strview cells[MAX_DEMO_COLUMNS];
    int32_t at = tacit_table_find(table, tacit_strview_of(column));
    if (row < 0 || at < 0)
        return tacit_strview_of(row < 0 ? column : "");
    tacit_table_row(table, row, cells);
    return cells[at];
}

/* The first rows of a file in some of its columns. */
static tacit_status show_rows(tour_state *tour, const char *path, const char *const *columns,
                              int count)
{
    int widths[MAX_DEMO_COLUMNS] = {0};
    tacit_table *table = NULL;
    tacit_status status = read_plain(&table, path, tour);
    if (status != TACIT_OK)
        return status;
    assert(tacit_table_columns(table) <= MAX_DEMO_COLUMNS);
    int64_t rows = tacit_table_rows(table) < SHOWN_ROWS ? tacit_table_rows(table) : SHOWN_ROWS;
    for (int64_t row = -1; row < rows; row++)
        for (int i = 0; i < count; i++) {
            int width = (int)cell_of(table, row, columns[i]).len;
            widths[i] = width > widths[i] ? width : widths[i];
        }
    printf("\n%s\n", path);
    for (int64_t row = -1; row < rows; row++)
        for (int i = 0; i < count; i++) {
            tacit_strview cell = cell_of(table, row, columns[i]);
            bool last = i + 1 == count;
            printf("  %-*.*s%s", last ? 0 : widths[i], (int)cell.len, cell.bytes, last ? "\n" : "");
        }
    tacit_table_free(table);
    return TACIT_OK;
}

static tacit_status show_both(tour_state *tour)
{
    static const char *const BEFORE[] = {"name",     "birth",     "sex",
                                         "postcode", "ethnicity", "diagnosis"};
    static const char *const AFTER[] = {"birth", "sex", "postcode", "ethnicity", "diagnosis"};
    tacit_status status = show_rows(tour, "patients.csv", BEFORE, 6);
    if (status == TACIT_OK)
        status = show_rows(tour, "release.csv", AFTER, 5);
    return status;
}

static void print_row(FILE *out, const tacit_table *release, const tacit_strview *cells,
                      const tacit_table *original, const tacit_strview *put_back)
{
    static const char *const LEAKED[] = {"birth", "postcode"};
    for (int32_t i = 0; i < tacit_table_columns(release); i++) {
        tacit_strview cell = cells[i];
        for (size_t j = 0; put_back && j < 2; j++)
            if (tacit_strview_equal(tacit_table_name(release, i), tacit_strview_of(LEAKED[j])))
                cell = put_back[tacit_table_find(original, tacit_strview_of(LEAKED[j]))];
        fprintf(out, "%s%.*s", i ? "," : "", (int)cell.len, cell.bytes);
    }
    fputc('\n', out);
}

/* The release, but its first row has the birth date and postcode of a patient. */
static void print_tampered(FILE *out, const tacit_table *release, const tacit_table *original,
                           tacit_strview *cells, tacit_strview *patient)
{
    for (int32_t i = 0; i < tacit_table_columns(release); i++)
        cells[i] = tacit_table_name(release, i);
    print_row(out, release, cells, original, NULL);
    tacit_table_row(original, 0, patient);
    for (int64_t row = 0; row < tacit_table_rows(release); row++) {
        tacit_table_row(release, row, cells);
        print_row(out, release, cells, original, row == 0 ? patient : NULL);
    }
}

static tacit_status tamper(tour_state *tour)
{
    tacit_table *release = NULL, *original = NULL;
    tacit_strview *cells = NULL, *patient = NULL;
    char *text = NULL;
    size_t len = 0;
    tacit_status status = read_plain(&release, "release.csv", tour);
    if (status == TACIT_OK)
        status = read_plain(&original, "patients.csv", tour);
    if (status != TACIT_OK)
        goto cleanup;
    cells = calloc((size_t)tacit_table_columns(release), sizeof *cells);
    patient = calloc((size_t)tacit_table_columns(original), sizeof *patient);
    FILE *out = cells && patient ? open_memstream(&text, &len) : NULL;
    if (out)
        print_tampered(out, release, original, cells, patient);
    if (!out || fclose(out) != 0)
        status = cli_error(&tour->error, TACIT_NOMEM, "out of memory");
    else
        status = cli_write_text("tampered.csv", text, len, &tour->error);
cleanup:
    free(text);
    free(cells);
    free(patient);
    tacit_table_free(release);
    tacit_table_free(original);
    return status;
}

/* A step that did not end as it should ends the tour. */
static tacit_status expect(tour_state *tour, int result, int expected)
{
    if (cli_interrupted())
        return TACIT_CANCELLED;
    if (result == expected)
        return TACIT_OK;
    return cli_error(&tour->error, TACIT_IO,
                     "the last command ended with status %d, not %d: the tour ends here", result,
                     expected);
}

static tacit_status show_profile(tour_state *tour)
{
    static const char *const PROFILE[] = {"profile", "patients.csv", NULL};
    explain("1. What is in the data?",
            "600 made-up patients. A birth date, a sex or a postcode alone names nobody, yet\n"
            "together they point at one person: profile counts how often they do.");
    return expect(tour, type(PROFILE, NULL), CLI_DONE);
}

static tacit_status show_release(tour_state *tour)
{
    static const char *const RELEASE[] = {"anonymize", "patients.csv", "--policy", "patients.yaml",
                                          "-o",        "release.csv",  NULL};
    const char *seed = cli_value(tour->arguments, "seed");
    const char *const hidden[] = {
        "--report", "report.json", "--html", "report.html", seed ? "--seed" : NULL, seed, NULL};
    explain("2. A release in which everybody looks like at least four others",
            "The policy gives the columns their roles and asks for k = 5. Names are dropped;\n"
            "birth dates, postcodes and the rest are generalized as far as it takes.");
    tacit_status status = expect(tour, type(RELEASE, hidden), CLI_DONE);
    return status == TACIT_OK ? show_both(tour) : status;
}

static tacit_status show_audit(tour_state *tour)
{
    static const char *const AUDIT[] = {"audit",      "release.csv",  "--policy", "patients.yaml",
                                        "--original", "patients.csv", NULL};
    explain("3. The judge",
            "Before the release appeared it was read back and judged by code of its own. The\n"
            "same judge can be asked again, by anyone who has the files.");
    return expect(tour, type(AUDIT, NULL), CLI_DONE);
}

static tacit_status show_tampered(tour_state *tour)
{
    static const char *const AUDIT[] = {"audit",      "tampered.csv", "--policy", "patients.yaml",
                                        "--original", "patients.csv", NULL};
    explain("4. A release that was tampered with",
            "In tampered.csv one row has the birth date and postcode of a patient again. One\n"
            "cell would be enough: the judge finds it, and the exit status says so.");
    tacit_status status = tamper(tour);
    return status == TACIT_OK ? expect(tour, type(AUDIT, NULL), CLI_DISCLOSURE) : status;
}

static tacit_status show_table(tour_state *tour)
{
    static const char *const PROTECT[] = {"protect", "firms.csv",
                                          "--dim",   "district=hierarchies/districts.hrc",
                                          "--dim",   "branch=hierarchies/branches.csv",
                                          "--value", "turnover",
                                          "--rule",  "p:10",
                                          "--rule",  "freq:2",
                                          "-o",      "table.csv",
                                          "--pivot", "pivot.csv",
                                          "--html",  "table.html",
                                          NULL};
    static const char *const COLUMNS[] = {"district", "all",      "land",    "farming",
                                          "mining",   "industry", "services"};
    explain("5. A table of turnover by district and branch",
            "Where a cell has but two firms, or one is nearly all of it, others could work\n"
            "out its turnover. Such cells are suppressed, and as many others as it takes that\n"
            "nobody can compute them: linear programs say how near one can come.");
    tacit_status status = expect(tour, type(PROTECT, NULL), CLI_DONE);
    return status == TACIT_OK ? show_rows(tour, "pivot.csv", COLUMNS, 7) : status;
}

static tacit_status walk(tour_state *tour)
{
    static tacit_status (*const STEPS[])(tour_state *) = {show_profile, show_release, show_audit,
                                                          show_tampered, show_table};
    tacit_status status = TACIT_OK;
    for (size_t i = 0; status == TACIT_OK && i < sizeof STEPS / sizeof STEPS[0]; i++)
        status = STEPS[i](tour);
    return status;
}

static tacit_status enter(char folder[PATH_MAX], tour_state *tour)
{
    char examples[PATH_MAX];
    tacit_error *err = &tour->error;
    tacit_status status = cli_examples_find(examples, err);
    if (status == TACIT_OK)
        status = cli_examples_folder(folder, cli_value(tour->arguments, "dir"), err);
    if (status == TACIT_OK)
        status = cli_examples_copy(examples, folder, err);
    if (status == TACIT_OK && chdir(folder) != 0)
        status = cli_error(err, TACIT_IO, "%s: cannot enter: %s", folder, strerror(errno));
    return status;
}

static int end(tour_state *tour, tacit_status status)
{
    char text[1100];
    if (status == TACIT_CANCELLED)
        fprintf(stderr, "tacit demo: interrupted\n");
    else if (status != TACIT_OK)
        fprintf(stderr, "tacit demo: %s\n", tacit_error_format(&tour->error, text, sizeof text));
    return cli_exit_of(status);
}

static int run(const cli_arguments *arguments)
{
    tour_state tour = {.arguments = arguments};
    char folder[PATH_MAX];
    tacit_run_init(&tour.run);
    cli_interrupt_catch();
    tacit_status status = enter(folder, &tour);
    int errors = dup(STDERR_FILENO);
    if (status == TACIT_OK) {
        dup2(STDOUT_FILENO, STDERR_FILENO);
        status = walk(&tour);
        if (status == TACIT_OK)
            printf("\nThe files of this tour, with pages for people (report.html, table.html), "
                   "are\nin %s\n",
                   folder);
        fflush(stdout);
        dup2(errors, STDERR_FILENO);
    }
    close(errors);
    return end(&tour, status);
}

const cli_command cli_demo = {
    .name = "demo",
    .summary = "the tour on shipped data",
    .usage = "[--dir DIR] [options]",
    .about = "Profiles 600 made-up patients, makes a release of them, lets the judge look at it, "
             "and then at one that was tampered with. The files stay, to be looked at.",
    .options = OPTIONS,
    .example = "tacit demo --dir tour",
    .run = run,
};
