/*
 * risk_account.c - the account of the risk on the terminal: tables of what stands
 * out, then a line a measure. No value of the data is shown.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grid.h"
#include "risk.h"
#include "verdict.h"

enum {
    BAR = 20,     /* letters of a bar of 100 % */
    COLUMNS = 20, /* that are listed on the terminal */
    GROUPS = 5,
    ROWS = 5,
    TEXT = 512
};

/* Up to the largest size that occurs. */
static void print_sizes(const cli_risks *risk, FILE *out)
{
    static const char *const HEADER[] = {"columns", "prime implicants",
                                         "records with none smaller"};
    const tacit_uniques_summary *found = risk->summary;
    int32_t last = cli_risk_complete(risk);
    cli_grid grid;
    cli_grid_init(&grid, HEADER, 3);
    while (last > 1 && found->by_size[last] == 0)
        last--;
    for (int32_t size = 0; size <= last; size++) {
        if (size == 0 && found->by_size[0] == 0)
            continue;
        cli_grid_add(&grid, "%d", (int)size);
        cli_grid_add(&grid, "%s", cli_count(found->by_size[size]).text);
        cli_grid_add(&grid, "%s", cli_count(found->by_fewest[size]).text);
    }
    cli_grid_print(&grid, out);
    cli_grid_clear(&grid);
    fputc('\n', out);
}

static void add_bar(cli_grid *grid, double share)
{
    char bar[3 * BAR + 1] = "";
    int letters = (int)ceil(fmin(share, 1) * BAR - 1e-9);
    for (int i = 0; i < letters; i++)
        strcat(bar, "\xE2\x96\x88");
    cli_grid_add(grid, "%s", bar);
}

static void print_columns(const cli_risks *risk, FILE *out)
{
    static const char *const HEADER[] = {"column", "share of score", "", "records",
                                         "only through it"};
    cli_grid grid;
    cli_grid_init(&grid, HEADER, 5);
    for (int32_t i = 0; i < risk->column_count && i < COLUMNS; i++) {
        int32_t column = risk->order[i];
        const tacit_contribution *c = &risk->contributions->columns[column];
        cli_grid_add_view(&grid, cli_risk_column(risk, column));
        cli_grid_add(&grid, "%.1f%%", 100 * risk->shares[column]);
        add_bar(&grid, risk->shares[column]);
        cli_grid_add(&grid, "%s", cli_count(c->rows).text);
        cli_grid_add(&grid, "%s", cli_count(c->only).text);
    }
    cli_grid_print(&grid, out);
    cli_grid_clear(&grid);
    if (risk->column_count > COLUMNS)
        fprintf(out, "  and %d columns more\n", (int)risk->column_count - COLUMNS);
    fputc('\n', out);
}

/* The set of each size that singles out most records. */
static void print_combinations(const cli_risks *risk, FILE *out)
{
    static const char *const HEADER[] = {"these columns alone", "single out", "share"};
    cli_grid grid;
    char text[TEXT];
    if (!risk->combinations)
        return;
    cli_grid_init(&grid, HEADER, 3);
    for (int32_t i = 0; i < risk->column_count && risk->best[i].count > 0; i++) {
        const tacit_combination *set = &risk->combinations->sets[risk->best[i].items[0]];
        cli_grid_add(&grid, "%s", cli_risk_set(text, sizeof text, risk, set->columns, "+"));
        cli_grid_add(&grid, "%s", cli_count(set->within).text);
        cli_grid_add(&grid, "%.1f%%", cli_percent(set->within, risk->summary->rows));
    }
    cli_grid_print(&grid, out);
    cli_grid_clear(&grid);
    fputc('\n', out);
}

static void print_groups(const cli_risks *risk, FILE *out)
{
    static const char *const HEADER[] = {"frequent prime implicants", "records", "rows"};
    const tacit_clusters *clusters = risk->clusters;
    cli_grid grid;
    char text[TEXT];
    cli_grid_init(&grid, HEADER, 3);
    for (int i = 0; i < risk->largest.count && i < GROUPS; i++) {
        uint32_t at = risk->largest.items[i];
        int64_t start = clusters->starts[at], count = clusters->starts[at + 1] - start;
        cli_grid_add(&grid, "%s",
                     cli_risk_set(text, sizeof text, risk, clusters->columns[at], "+"));
        cli_grid_add(&grid, "%s", cli_count(count).text);
        cli_grid_add(&grid, "%s",
                     cli_risk_rows(text, sizeof text, clusters->rows + start, count, ROWS));
    }
    cli_grid_print(&grid, out);
    cli_grid_clear(&grid);
    fputc('\n', out);
}

static void print_rows(const cli_risks *risk, FILE *out)
{
    static const char *const HEADER[] = {"records that stand out most", "rows"};
    cli_grid grid;
    char text[TEXT];
    cli_grid_init(&grid, HEADER, 2);
    for (int i = 0; i < CLI_RANKS; i++) {
        cli_grid_add(&grid, "%s", cli_rank_words[i]);
        cli_grid_add(
            &grid, "%s",
            cli_risk_rows(text, sizeof text, risk->rows[i].items, risk->summary->at_risk, ROWS));
    }
    cli_grid_print(&grid, out);
    cli_grid_clear(&grid);
    fputc('\n', out);
}

static void print_line(void *out, const char *label, const char *text)
{
    cli_print_labelled(out, label, text);
}

static void print_head(const cli_risks *risk, FILE *out)
{
    char text[TEXT];
    fprintf(out, "%s: %s records, %s, k = %s\n\n", cli_show(risk->data).text,
            cli_count(risk->summary->rows).text, cli_columns(risk->column_count).text,
            cli_count(risk->summary->k).text);
    fputs(risk->summary->at_risk ? cli_bad(out) : cli_good(out), out);
    cli_print_labelled(out, "at risk", cli_risk_sentence(text, sizeof text, risk));
    fputs(cli_plain(out), out);
    if (risk->all_columns)
        cli_print_labelled(out, "columns", cli_risk_choice(text, sizeof text, risk));
    fputc('\n', out);
}

/* Standard output, unless a file goes there. */
static FILE *stream_of(const cli_risks *risk)
{
    const cli_arguments *arguments = risk->session->arguments;
    const char *const others[] = {cli_value(arguments, "report"), cli_value(arguments, "html")};
    bool taken = false;
    for (int i = 0; i < CLI_RISK_FILES; i++) {
        const char *path = cli_value(arguments, cli_risk_file(i));
        taken |= path && strcmp(path, "-") == 0;
    }
    for (int i = 0; i < 2; i++)
        taken |= others[i] && strcmp(others[i], "-") == 0;
    return taken ? stderr : stdout;
}

void cli_risk_tell(const cli_risks *risk)
{
    FILE *out = stream_of(risk);
    cli_terminal_erase(&risk->session->terminal);
    if (risk->session->quiet)
        return;
    print_head(risk, out);
    if (risk->summary->at_risk > 0) {
        print_sizes(risk, out);
        print_columns(risk, out);
        print_combinations(risk, out);
        print_groups(risk, out);
        print_rows(risk, out);
    }
    cli_risk_lines(risk, print_line, out);
    fflush(out);
}
