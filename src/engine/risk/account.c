/*
 * account.c - the account of the risk on the terminal: tables of what stands
 * out, then a line a measure. No value of the data is shown.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/records/verdict.h"
#include "engine/risk/risk.h"

enum {
    BAR = 20,     /* letters of a bar of 100 % */
    COLUMNS = 20, /* that are listed on the terminal */
    GROUPS = 5,
    ROWS = 5,
    TEXT = 512
};

/* Up to the largest size that occurs. */
static void print_sizes(const engine_risks *risk, FILE *out)
{
    static const char *const HEADER[] = {"columns", "prime implicants",
                                         "records with none smaller"};
    const tacit_uniques_summary *found = risk->summary;
    int32_t last = engine_risk_complete(risk);
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 3);
    while (last > 1 && found->by_size[last] == 0)
        last--;
    for (int32_t size = 0; size <= last; size++) {
        if (size == 0 && found->by_size[0] == 0)
            continue;
        tacit_grid_add(&grid, "%d", (int)size);
        tacit_grid_add(&grid, "%s", engine_count(found->by_size[size]).text);
        tacit_grid_add(&grid, "%s", engine_count(found->by_fewest[size]).text);
    }
    tacit_grid_print(&grid, out);
    tacit_grid_clear(&grid);
    fputc('\n', out);
}

static void add_bar(tacit_grid *grid, double share)
{
    char bar[3 * BAR + 1] = "";
    int letters = (int)ceil(fmin(share, 1) * BAR - 1e-9);
    for (int i = 0; i < letters; i++)
        strcat(bar, "\xE2\x96\x88");
    tacit_grid_add(grid, "%s", bar);
}

static void print_columns(const engine_risks *risk, FILE *out)
{
    static const char *const HEADER[] = {"column", "share of score", "", "records",
                                         "only through it"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 5);
    for (int32_t i = 0; i < risk->column_count && i < COLUMNS; i++) {
        int32_t column = risk->order[i];
        const tacit_contribution *c = &risk->contributions->columns[column];
        tacit_grid_add_view(&grid, engine_risk_column(risk, column));
        tacit_grid_add(&grid, "%.1f%%", 100 * risk->shares[column]);
        add_bar(&grid, risk->shares[column]);
        tacit_grid_add(&grid, "%s", engine_count(c->rows).text);
        tacit_grid_add(&grid, "%s", engine_count(c->only).text);
    }
    tacit_grid_print(&grid, out);
    tacit_grid_clear(&grid);
    if (risk->column_count > COLUMNS)
        fprintf(out, "  and %d columns more\n", (int)risk->column_count - COLUMNS);
    fputc('\n', out);
}

/* The set of each size that singles out most records. */
static void print_combinations(const engine_risks *risk, FILE *out)
{
    static const char *const HEADER[] = {"these columns alone", "single out", "share"};
    tacit_grid grid;
    char text[TEXT];
    if (!risk->combinations)
        return;
    tacit_grid_init(&grid, HEADER, 3);
    for (int32_t i = 0; i < risk->column_count && risk->best[i].count > 0; i++) {
        const tacit_combination *set = &risk->combinations->sets[risk->best[i].items[0]];
        tacit_grid_add(&grid, "%s", engine_risk_set(text, sizeof text, risk, set->columns, "+"));
        tacit_grid_add(&grid, "%s", engine_count(set->within).text);
        tacit_grid_add(&grid, "%.1f%%", engine_percent(set->within, risk->summary->rows));
    }
    tacit_grid_print(&grid, out);
    tacit_grid_clear(&grid);
    fputc('\n', out);
}

static void print_groups(const engine_risks *risk, FILE *out)
{
    static const char *const HEADER[] = {"frequent prime implicants", "records", "rows"};
    const tacit_clusters *clusters = risk->clusters;
    tacit_grid grid;
    char text[TEXT];
    tacit_grid_init(&grid, HEADER, 3);
    for (int i = 0; i < risk->largest.count && i < GROUPS; i++) {
        uint32_t at = risk->largest.items[i];
        int64_t start = clusters->starts[at], count = clusters->starts[at + 1] - start;
        tacit_grid_add(&grid, "%s",
                       engine_risk_set(text, sizeof text, risk, clusters->columns[at], "+"));
        tacit_grid_add(&grid, "%s", engine_count(count).text);
        tacit_grid_add(&grid, "%s",
                       engine_risk_rows(text, sizeof text, clusters->rows + start, count, ROWS));
    }
    tacit_grid_print(&grid, out);
    tacit_grid_clear(&grid);
    fputc('\n', out);
}

static void print_rows(const engine_risks *risk, FILE *out)
{
    static const char *const HEADER[] = {"records that stand out most", "rows"};
    tacit_grid grid;
    char text[TEXT];
    tacit_grid_init(&grid, HEADER, 2);
    for (int i = 0; i < ENGINE_RANKS; i++) {
        tacit_grid_add(&grid, "%s", engine_rank_words[i]);
        tacit_grid_add(
            &grid, "%s",
            engine_risk_rows(text, sizeof text, risk->rows[i].items, risk->summary->at_risk, ROWS));
    }
    tacit_grid_print(&grid, out);
    tacit_grid_clear(&grid);
    fputc('\n', out);
}

static void print_line(void *out, const char *label, const char *text)
{
    engine_print_labelled(out, label, text);
}

static void print_head(const engine_risks *risk, FILE *out)
{
    char text[TEXT];
    fprintf(out, "%s: %s records, %s, k = %s\n\n", engine_show(risk->data).text,
            engine_count(risk->summary->rows).text, engine_columns(risk->column_count).text,
            engine_count(risk->summary->k).text);
    fputs(risk->summary->at_risk ? ENGINE_BAD : ENGINE_GOOD, out);
    engine_print_labelled(out, "at risk", engine_risk_sentence(text, sizeof text, risk));
    fputs(ENGINE_PLAIN, out);
    if (risk->all_columns)
        engine_print_labelled(out, "columns", engine_risk_choice(text, sizeof text, risk));
    fputc('\n', out);
}

void engine_risk_tell(FILE *out, const engine_risks *risk)
{
    print_head(risk, out);
    if (risk->summary->at_risk > 0) {
        print_sizes(risk, out);
        print_columns(risk, out);
        print_combinations(risk, out);
        print_groups(risk, out);
        print_rows(risk, out);
    }
    engine_risk_lines(risk, print_line, out);
}
