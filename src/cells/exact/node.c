/*
 * node.c - one node of the search: the chooser is solved, its solution is shown to the
 * adversary, and the inequalities that it breaks are added, until it breaks none.
 */
#include <math.h>

#include "cells/exact/search.h"

static bool is_whole(const tacit__exact_search *s)
{
    for (int32_t c = 0; c < s->chooser.columns; c++) {
        double x = s->chooser.pattern[s->chooser.cell_of[c]];
        if (x > 0 && x < 1)
            return false;
    }
    return true;
}

/* Where inequalities go, and by how much they must be broken. */
typedef struct cutting {
    tacit__exact_search *s;
    double broken;
} cutting;

static tacit_status take_cut(void *context, const double *coefs, tacit_error *err)
{
    cutting *c = context;
    return tacit__chooser_cut(&c->s->chooser, coefs, 1, c->broken, err);
}

static tacit_status ask(int32_t *failed, tacit__exact_search *s, bool whole, bool modest,
                        tacit_error *err)
{
    bool strict = whole && !modest;
    cutting c = {.s = s, .broken = strict ? 0 : TACIT__SLACK_FRACTION};
    tacit__question question = {.pattern = s->chooser.pattern,
                                .slack = strict ? TACIT__SLACK_WHOLE : TACIT__SLACK_FRACTION,
                                .modest = modest,
                                .known = &s->known,
                                .asked = s->result->nodes > 0 && !whole ? s->hot : NULL,
                                .found = s->hot,
                                .cut = take_cut,
                                .context = &c};
    return tacit__adversary_ask(failed, &s->result->iterations, s->adversary, &question, s->run,
                                err);
}

/* Inequalities that the solution breaks: of single relations, else of a modest adversary, else of
 * the real one. Where a modest one has room enough in fractions, so has the real one. */
static tacit_status separate(int32_t *failed, tacit__exact_search *s, bool whole, tacit_error *err)
{
    tacit_status status = tacit__chooser_cut_relations(&s->chooser, err);
    bool asked = status == TACIT_OK && s->chooser.waiting == 0;
    if (asked)
        status = ask(failed, s, whole, true, err);
    if (asked && status == TACIT_OK && *failed == 0 && !whole)
        return TACIT_OK;
    if (status == TACIT_OK && s->chooser.waiting == 0)
        return ask(failed, s, whole, false, err);
    *failed = s->chooser.waiting;
    return status;
}

/* What such a pattern could do without is only what is fixed here, and that is found in the other
 * branch: it need not be trimmed. */
static void take_whole(tacit__exact_search *s)
{
    for (int32_t i = 0; i < s->patch->count; i++)
        s->trial[i] = s->chooser.pattern[i] > 0.5;
    tacit__exact_keep(s);
}

/* What is known once the chooser is solved: too dear, nothing feasible, trouble, or to be looked
 * at further. */
static tacit__node_state solved(const tacit__exact_search *s, bool feasible)
{
    if (!feasible)
        return s->chooser.trouble ? TACIT__NODE_ENOUGH : TACIT__NODE_CLOSED;
    if (tacit__exact_too_dear(s, s->chooser.cost))
        return TACIT__NODE_CLOSED;
    return tacit__exact_exhausted(s) ? TACIT__NODE_ENOUGH : TACIT__NODE_BRANCH;
}

tacit_status tacit__exact_look(tacit__node_state *out, tacit__exact_search *s, int rounds,
                               tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int round = 0; status == TACIT_OK; round++) {
        bool feasible = false;
        int32_t failed = 0;
        status = tacit__chooser_solve(&feasible, &s->result->iterations, &s->chooser, s->run, err);
        *out = solved(s, feasible);
        bool whole = status == TACIT_OK && *out == TACIT__NODE_BRANCH && is_whole(s);
        if (status != TACIT_OK || *out != TACIT__NODE_BRANCH || (!whole && round >= rounds))
            return status;
        status = separate(&failed, s, whole, err);
        if (status == TACIT_OK && failed == 0) {
            *out = whole ? TACIT__NODE_CLOSED : TACIT__NODE_BRANCH;
            if (whole)
                take_whole(s);
            return TACIT_OK;
        }
        if (s->chooser.waiting == 0) { /* the adversary objects, but cannot say why */
            *out = whole ? TACIT__NODE_ENOUGH : TACIT__NODE_BRANCH;
            return status;
        }
    }
    return status;
}
