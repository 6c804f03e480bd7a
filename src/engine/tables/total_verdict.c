/*
 * total_verdict.c - what is known exactly about a two-dimensional table (Kao, Total Protection):
 * cells, sums, and which levels of protection the table has.
 */
#include "engine/tables/total_verdict.h"
#include "engine/job/print.h"

#include <stdio.h>
#include <string.h>

#include "engine/records/verdict.h"
#include "engine/tables/total_graph.h"

enum { SUMS = 1000, NAMED = 20, NAME_BYTES = 200, SUM_BYTES = 600 };

tacit_status engine_total_verdict_init(engine_total_verdict *verdict, const tacit_flat_view *view,
                                       int32_t k, const tacit_run *run, tacit_error *err)
{
    const tacit_total_audit_options options = {.sums = SUMS};
    *verdict = (engine_total_verdict){.view = view};
    tacit_status status = tacit_audit_total(&verdict->audit, view, &options, run, err);
    if (status == TACIT_OK && k > 0)
        status = tacit_audit_levels(&verdict->levels, view, k, run, err);
    return status;
}

void engine_total_verdict_clear(engine_total_verdict *verdict)
{
    tacit_total_audit_free(verdict->audit);
    tacit_total_levels_clear(&verdict->levels);
}

/* ---- names ---- */

static const char *name_line(char *buffer, size_t size, const engine_total_verdict *v, bool row,
                             int32_t number)
{
    return engine_printable(buffer, size, v->view->name(v->view->named, row, number));
}

/* "row, column"; by numbers, since a published cell may not be listed. */
static const char *name_place(char *buffer, size_t size, const engine_total_verdict *v, int32_t row,
                              int32_t column)
{
    char first[NAME_BYTES], second[NAME_BYTES];
    snprintf(buffer, size, "%s, %s", name_line(first, sizeof first, v, true, row),
             name_line(second, sizeof second, v, false, column));
    return buffer;
}

static const char *name_cell(char *buffer, size_t size, const engine_total_verdict *v, int32_t cell)
{
    return name_place(buffer, size, v, v->view->row[cell], v->view->column[cell]);
}

/* "(a, x) + (a, y) - (b, x)"; cut to size. */
static const char *name_sum(char *buffer, size_t size, const engine_total_verdict *v,
                            const tacit_known_sum *sum)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int32_t i = 0; i < sum->count && used + 8 < size; i++) {
        const tacit_known_term *term = &v->audit->terms[sum->first + i];
        char name[2 * NAME_BYTES + 4];
        int len = snprintf(buffer + used, size - used, "%s(%s)",
                           term->sign < 0 ? (i ? " - " : "-")
                           : i            ? " + "
                                          : "",
                           name_cell(name, sizeof name, v, term->cell));
        used += len < 0 ? 0 : (size_t)len;
    }
    if (used >= size)
        strcpy(buffer + size - 4, "...");
    return buffer;
}

/* ---- words ---- */

static const char *sentence(char *buffer, size_t size, const tacit_total_audit *a)
{
    if (a->secret == 0)
        snprintf(buffer, size, "no cell is primary, so there is nothing to protect");
    else if (a->total)
        snprintf(buffer, size,
                 "nothing is known exactly about the %s primary cells, not even a sum",
                 engine_count(a->secret).text);
    else
        snprintf(buffer, size, "%s independent sums over the %s primary cells are known exactly",
                 engine_count(a->leaks).text, engine_count(a->secret).text);
    return buffer;
}

/* What protects, or what does not, for each of the four levels. */
static const char *level_words(char *buffer, size_t size, const engine_total_verdict *v, int level)
{
    const tacit_total_levels *l = &v->levels;
    char name[2 * NAME_BYTES + 4];
    if (l->cell >= 0)
        snprintf(buffer, size, "no: %s is known", name_cell(name, sizeof name, v, l->cell));
    else if (level == 1 && !l->lines)
        snprintf(buffer, size, "no: %s %s alone connects two parts", l->row >= 0 ? "row" : "column",
                 name_line(name, sizeof name, v, l->row >= 0, l->row >= 0 ? l->row : l->column));
    else if (level == 2 && !l->several)
        snprintf(buffer, size, "no: %d %s connect two parts, %s among them", l->line_count,
                 l->of_rows ? "rows" : "columns",
                 l->line_count > 0 ? name_line(name, sizeof name, v, l->of_rows, l->line_list[0])
                                   : "none");
    else if (level == 3 && !l->table)
        snprintf(buffer, size, "no: %s is published",
                 name_place(name, sizeof name, v, l->open_row, l->open_column));
    else
        snprintf(buffer, size, "yes");
    return buffer;
}

/* The third is the second where k is 1. */
static int next_level(const engine_total_verdict *v, int level)
{
    return level == 1 && v->levels.k == 1 ? 3 : level + 1;
}

static const char *level_name(char *buffer, size_t size, const engine_total_verdict *v, int level)
{
    static const char *const NAMES[] = {"single cells", "each row and column", NULL,
                                        "the whole table"};
    if (NAMES[level])
        return NAMES[level];
    snprintf(buffer, size, "any %d rows or columns", v->levels.k);
    return buffer;
}

void engine_total_verdict_tell(FILE *out, const engine_total_verdict *verdict)
{
    const tacit_total_audit *a = verdict->audit;
    char text[SUM_BYTES], name[64];
    fputs(a->total ? ENGINE_GOOD : ENGINE_BAD, out);
    engine_print_labelled(out, "total", sentence(text, sizeof text, a));
    fputs(ENGINE_PLAIN, out);
    for (int32_t i = 0; i < a->invariant_count && i < NAMED; i++)
        engine_print_labelled(out, "known", name_cell(text, sizeof text, verdict, a->invariant[i]));
    for (int32_t i = 0; i < a->leak_count && i < NAMED; i++)
        if (a->leak[i].count > 1)
            engine_print_labelled(out, "sum", name_sum(text, sizeof text, verdict, &a->leak[i]));
    if (a->invariant_count > NAMED || a->leak_count > NAMED)
        fprintf(out, "  and more; --report lists them\n");
    fprintf(out, "\n");
    for (int level = next_level(verdict, -1); level < 4; level = next_level(verdict, level)) {
        char line[SUM_BYTES + 64];
        const char *words = level_words(text, sizeof text, verdict, level);
        snprintf(line, sizeof line, "%s: %s", level_name(name, sizeof name, verdict, level), words);
        engine_print_labelled(out, level == 0 ? "levels" : "", line);
    }
}

/* ---- account ---- */

void engine_push_place(tacit_account *account, const char *list, const tacit_flat_view *view,
                       int32_t row, int32_t column)
{
    tacit_account_push_object(account, list);
    tacit_account_text(account, "@.row", view->name(view->named, true, row));
    tacit_account_text(account, "@.column", view->name(view->named, false, column));
}

static void account_sums(tacit_account *account, const engine_total_verdict *v)
{
    char text[SUM_BYTES];
    tacit_account_list(account, "known_sums");
    for (int32_t i = 0; i < v->audit->leak_count; i++) {
        const tacit_known_sum *sum = &v->audit->leak[i];
        tacit_account_push_object(account, "known_sums");
        tacit_account_text(account, "@.sum", tacit_strview_of(name_sum(text, sizeof text, v, sum)));
        tacit_account_integer(account, "@.cells", sum->count);
        tacit_account_integer(account, "@.component", sum->component);
        tacit_account_real(account, "@.value", sum->value);
    }
}

void engine_total_verdict_account(tacit_account *account, const engine_total_verdict *verdict)
{
    const tacit_total_audit *a = verdict->audit;
    const tacit_total_levels *l = &verdict->levels;
    tacit_account_bool(account, "total_protected", a->total);
    tacit_account_integer(account, "leaks", a->leaks);
    tacit_account_integer(account, "components", a->components);
    tacit_account_list(account, "invariant_cells");
    for (int32_t i = 0; i < a->invariant_count; i++)
        engine_push_place(account, "invariant_cells", verdict->view,
                          verdict->view->row[a->invariant[i]],
                          verdict->view->column[a->invariant[i]]);
    account_sums(account, verdict);
    tacit_account_bool(account, "levels_of_protection.cells", l->cells);
    tacit_account_bool(account, "levels_of_protection.lines", l->lines);
    tacit_account_bool(account, "levels_of_protection.several", l->several);
    tacit_account_integer(account, "levels_of_protection.k", l->k);
    tacit_account_bool(account, "levels_of_protection.table", l->table);
}

/* ---- page ---- */

static void add_sums(tacit_page *page, const engine_total_verdict *v)
{
    static const char *const HEADER[] = {"sum", "value"};
    char text[SUM_BYTES];
    tacit_grid grid;
    if (v->audit->leak_count == 0)
        return;
    tacit_grid_init(&grid, HEADER, 2);
    for (int32_t i = 0; i < v->audit->leak_count; i++) {
        tacit_grid_add(&grid, "%s", name_sum(text, sizeof text, v, &v->audit->leak[i]));
        tacit_grid_add(&grid, "%.10g", v->audit->leak[i].value);
    }
    tacit_grid_show(&grid, page, "Sums over primary cells that are known exactly");
    tacit_grid_clear(&grid);
}

static void add_levels(tacit_page *page, const engine_total_verdict *v)
{
    static const char *const HEADER[] = {"nothing is known about", "verdict"};
    char text[SUM_BYTES], name[64];
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 2);
    for (int level = next_level(v, -1); level < 4; level = next_level(v, level)) {
        tacit_grid_add(&grid, "%s", level_name(name, sizeof name, v, level));
        tacit_grid_add(&grid, "%s", level_words(text, sizeof text, v, level));
    }
    tacit_grid_show(&grid, page, "Levels of protection of all suppressed cells");
    tacit_grid_clear(&grid);
}

void engine_total_verdict_page(tacit_page *page, const engine_total_verdict *verdict)
{
    char text[SUM_BYTES];
    tacit_page_heading(page, "Total protection");
    tacit_page_banner(page, verdict->audit->total, sentence(text, sizeof text, verdict->audit));
    add_sums(page, verdict);
    add_levels(page, verdict);
    engine_total_graph_draw(page, &(engine_total_graph){.view = verdict->view,
                                                        .row_name = "rows",
                                                        .column_name = "columns",
                                                        .audit = verdict->audit});
}
