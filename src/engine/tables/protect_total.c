/*
 * protect_total.c - what is different where the method promises total protection: the judge, and
 * what is said of it. The audit is in linear time; its graph and its searches are its own.
 *
 * Unlike other pages of tables this one is the data holder's alone: which cells were known before,
 * and which are on their bounds, is more than the release tells.
 */
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/tables/protect.h"
#include "engine/tables/tables.h"

enum { HEADING_BYTES = 96 };

/* What is known about the primary cells when letters are out; with a sum that is, to name. */
static tacit_status audit_letters(tacit_total_audit **out, tacit_flat_table **flat,
                                  engine_protection *p, const char *letters)
{
    const tacit_total_audit_options options = {.sums = 1};
    tacit_status status = tacit_flat_from_cells(flat, p->cells, letters, false, &p->session->error);
    if (status == TACIT_OK)
        status =
            tacit_audit_total(out, &(*flat)->view, &options, &p->session->run, &p->session->error);
    return status;
}

tacit_status engine_total_before(engine_protection *p)
{
    return p->method->total ? audit_letters(&p->total.before, &p->total.flat, p, NULL) : TACIT_OK;
}

tacit_status engine_total_judge(engine_protection *p)
{
    tacit_flat_table *flat = NULL;
    tacit_total_audit *after = NULL;
    char name[ENGINE_DIM_NAME];
    tacit_status status = audit_letters(&after, &flat, p, p->written->status);
    if (status == TACIT_OK && !after->total) {
        int32_t cell = flat->cells[after->terms[after->leak[0].first].cell];
        status = tacit__error(&p->session->error, TACIT_INFEASIBLE,
                              "%.255s: a sum that it is in is known; nothing is written",
                              tacit_cells_describe(p->cells, cell, name, sizeof name));
    }
    tacit_total_audit_free(after);
    tacit_flat_table_free(flat);
    return status;
}

static bool is_added(const engine_protection *p, int32_t cell)
{
    return p->pattern.status[cell] == TACIT_CELL_SECONDARY &&
           p->cells->status[cell] != TACIT_CELL_SECONDARY;
}

void engine_total_clear(engine_total *total)
{
    tacit_total_audit_free(total->before);
    tacit_flat_table_free(total->flat);
}

/* ---- facts ---- */

static void add_added(tacit_report *report, const engine_protection *p)
{
    const tacit_pattern *pattern = &p->pattern;
    char cost[32], bound[32];
    tacit_number_text(cost, sizeof cost, pattern->added_cost, 0);
    tacit_number_text(bound, sizeof bound, pattern->lower_bound, 0);
    tacit_report_line(report, "secondary", "%s; %s added at cost %s%s%s",
                      engine_count(pattern->secondary).text, engine_count(pattern->added).text,
                      cost, pattern->proven ? ", the least there is" : "; it takes at least ",
                      pattern->proven ? "" : bound);
}

static void add_total_values(tacit_report *report, const engine_protection *p)
{
    const tacit_flat_view *view = &p->total.flat->view;
    if (!tacit_report_shows(report, TACIT_SHOW_JSON))
        return;
    tacit_report_bool(report, "total_protected", true);
    tacit_report_bool(report, "optimal", p->pattern.proven);
    engine_report_places(report, "added");
    for (int32_t i = 0; i < view->count; i++)
        if (is_added(p, p->total.flat->cells[i]))
            engine_report_place(report, view, view->row[i], view->column[i]);
    tacit_report_real(report, "added_cost", p->pattern.added_cost);
    engine_total_invariant_facts(report, view, p->total.before);
    tacit_report_bool(report, "before.total_protected", p->total.before->total);
    tacit_report_integer(report, "before.leaks", p->total.before->leaks);
}

/* Levels are no part of that promise, so what becomes of them is said. */
void engine_total_facts(tacit_report *report, const engine_protection *p)
{
    const tacit_total_audit *before = p->total.before;
    add_total_values(report, p);
    tacit_report_line(report, "before", "%s known exactly, and %s of primary cells",
                      engine_many(before->invariant_count, "cell was|cells were").text,
                      engine_many(before->leaks, "independent sum").text);
    add_added(report, p);
    tacit_report_line(
        report, "audit",
        TACIT_MARK_GOOD
        "nothing is known exactly about primary cells, not even a sum" TACIT_MARK_PLAIN);
    if (p->audit->underprotected > 0)
        tacit_report_line(
            report, "intervals",
            "of %s narrower than their levels, which total protection does not "
            "promise; hitas does",
            engine_many(p->audit->underprotected, "primary cell are|primary cells are").text);
}

/* ---- the table and its graph ---- */

typedef struct total_look {
    const engine_protection *p;
    bool *known; /* a cell each: exactly, before */
} total_look;

static tacit_grid_kind total_kind(const void *subject, int32_t cell)
{
    char letter = ((const total_look *)subject)->p->pattern.status[cell];
    return letter == TACIT_CELL_PRIMARY     ? TACIT_GRID_PRIMARY
           : letter == TACIT_CELL_SECONDARY ? TACIT_GRID_SECONDARY
                                            : TACIT_GRID_PUBLISHED;
}

static const char *total_words(char *buffer, size_t size, const void *subject, int32_t cell)
{
    const total_look *look = subject;
    snprintf(buffer, size, "%s",
             is_added(look->p, cell) ? "added"
             : look->known[cell]     ? "was known exactly"
                                     : "");
    return buffer;
}

static const char *total_text(const void *subject, int32_t cell)
{
    const total_look *look = subject;
    if (!engine_is_suppressed(look->p->pattern.status[cell]))
        return NULL;
    return is_added(look->p, cell) ? "+" : look->known[cell] ? "=" : "";
}

static void draw_total_table(tacit_page *page, const engine_protection *p)
{
    const tacit_total_audit *before = p->total.before;
    total_look subject = {p, tacit__alloc_zeroed((size_t)p->cells->count + 1, sizeof(bool))};
    const engine_table_look look = {
        .kind = total_kind, .say = total_words, .text = total_text, .subject = &subject};
    for (int32_t i = 0; subject.known && i < before->invariant_count; i++)
        subject.known[p->total.flat->cells[before->invariant[i]]] = true;
    if (subject.known)
        engine_table_page_look(page, p->cells,
                               "Suppressed cells marked = were known exactly before; those marked "
                               "+ were added.",
                               &look);
    tacit__free(subject.known);
}

/* The letters of the release, a listed cell each. */
static char *final_letters(const engine_protection *p)
{
    const tacit_flat_table *flat = p->total.flat;
    char *letters = tacit__alloc((size_t)flat->view.count + 1);
    for (int32_t k = 0; letters && k < flat->view.count; k++)
        letters[k] = p->pattern.status[flat->cells[k]];
    return letters;
}

static void draw_graph(tacit_page *page, const engine_protection *p)
{
    char names[2][HEADING_BYTES], *letters = final_letters(p);
    for (int i = 0; i < 2; i++)
        engine_printable(names[i], sizeof names[i],
                         p->cells->dimensions[p->cells->tables[0].dimensions[i]].name);
    if (letters)
        engine_total_graph_draw(page, &(engine_total_graph){.view = &p->total.flat->view,
                                                            .row_name = names[0],
                                                            .column_name = names[1],
                                                            .letters = letters,
                                                            .audit = p->total.before});
    tacit__free(letters);
}

void engine_total_draw(tacit_page *page, const void *subject)
{
    const engine_protection *p = subject;
    tacit_page_paragraph(page, "This page is for the data holder: what was known before, and which "
                               "cells are on their bounds, is more than the release reveals.");
    draw_total_table(page, p);
    draw_graph(page, p);
}
