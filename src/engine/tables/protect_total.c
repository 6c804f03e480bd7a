/*
 * protect_total.c - what is different where the method promises total protection: the judge, and
 * what is said of it. The audit is in linear time; its graph and its searches are its own.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "engine/records/verdict.h"
#include "engine/tables/protect.h"
#include "engine/tables/total_verdict.h"

/* What is known about the primary cells when letters are out; with a sum that is, to name. */
static tacit_status audit(tacit_total_audit **out, tacit_flat_table **flat, engine_protection *p,
                          const char *letters)
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
    return p->method->total ? audit(&p->total.before, &p->total.flat, p, NULL) : TACIT_OK;
}

tacit_status engine_total_judge(engine_protection *p)
{
    tacit_flat_table *flat = NULL;
    tacit_total_audit *after = NULL;
    char name[ENGINE_DIM_NAME];
    tacit_status status = audit(&after, &flat, p, p->written->status);
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

bool engine_total_added(const engine_protection *p, int32_t cell)
{
    return p->pattern.status[cell] == TACIT_CELL_SECONDARY &&
           p->cells->status[cell] != TACIT_CELL_SECONDARY;
}

/* ---- what is said ---- */

const char *engine_total_sentence(char *buffer, size_t size, const engine_protection *p)
{
    char cost[32], bound[32];
    tacit_number_text(cost, sizeof cost, p->pattern.added_cost, 0);
    tacit_number_text(bound, sizeof bound, p->pattern.lower_bound, 0);
    if (p->pattern.proven)
        snprintf(buffer, size, "%s added at cost %s, the least there is",
                 engine_count(p->pattern.added).text, cost);
    else
        snprintf(buffer, size, "%s added at cost %s; it takes at least %s",
                 engine_count(p->pattern.added).text, cost, bound);
    return buffer;
}

void engine_total_account(tacit_account *account, const engine_protection *p)
{
    const engine_total *total = &p->total;
    const tacit_flat_view *view = &total->flat->view;
    tacit_account_bool(account, "total_protected", true);
    tacit_account_bool(account, "optimal", p->pattern.proven);
    tacit_account_list(account, "added");
    for (int32_t i = 0; i < view->count; i++)
        if (engine_total_added(p, total->flat->cells[i]))
            engine_push_place(account, "added", view, view->row[i], view->column[i]);
    tacit_account_real(account, "added_cost", p->pattern.added_cost);
    tacit_account_list(account, "invariant_cells");
    for (int32_t i = 0; i < total->before->invariant_count; i++)
        engine_push_place(account, "invariant_cells", view, view->row[total->before->invariant[i]],
                          view->column[total->before->invariant[i]]);
    tacit_account_bool(account, "before.total_protected", total->before->total);
    tacit_account_integer(account, "before.leaks", total->before->leaks);
}

void engine_total_clear(engine_total *total)
{
    tacit_total_audit_free(total->before);
    tacit_flat_table_free(total->flat);
}
