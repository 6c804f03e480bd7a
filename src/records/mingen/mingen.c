/*
 * mingen.c - Sweeney's MinGen (Computational Disclosure Control, 5.5, Figure 31) for
 * generalization by attribute: of all nodes of the lattice, the one whose release keeps k, and what
 * is promised beyond it, at the least cost. The thesis generalizes every way there is and compares;
 * here most of the lattice is ruled out unseen, and the answer comes with a proof.
 *
 * A node is feasible if the rows that k and the models cut off, and those that must go with
 * them so that suppressed rows keep the promise too, are few enough. Its parts:
 *
 *   setup.c                  what is searched
 *   list.c, list.c   classes as packed keys, rolled up from node to node
 *   node.c, beyond.c  what a node suppresses and costs; models beyond k
 *   price.c                  costs and bounds: which pruning is exact, and why
 *   count.c, box.c    counting nodes in batches; boxes of nodes
 *   start.c                  a good node to start from
 *   search.c                 branch and bound for the best node
 *   minimal.c                all k-minimal generalizations
 *
 * The time is that of the nodes that are counted, each linear in the list it is rolled up
 * from; how many these are depends on the data. On thirty thousand records with nine
 * attributes it is one in thirty.
 */
#include "records/mingen/mingen.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/methods/methods.h"
#include "records/methods/request.h"
#include "records/mingen/search.h"

/* ---- the answer ---- */

/* Suppresses at the levels of the solution. */
static tacit_status suppress(tacit_solution *solution, const tacit__mingen *g, const tacit_run *run,
                             tacit_error *err)
{
    tacit__cut cut;
    bool kept;
    const tacit_classes *classes = solution->classes;
    solution->suppressed =
        tacit__alloc_zeroed((size_t)classes->groups.count, sizeof *solution->suppressed);
    if (!solution->suppressed)
        return tacit__nomem(err);
    tacit_status status = tacit__cut_init(&cut, g->frame, classes, g->options->k, run, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__beyond_cut(&cut, g, run, err);
    int64_t outliers = cut.rows;
    if (status == TACIT_OK)
        status = tacit__beyond_complement(&kept, &cut, g, run, err);
    if (status == TACIT_OK)
        tacit__cut_describe(solution, &cut, outliers);
    tacit__cut_clear(&cut);
    return status;
}

/* The solution at a node. What is left to do is not stopped any more. */
static tacit_status make_solution(tacit_solution **out, const tacit__mingen *g,
                                  const uint8_t *levels, tacit_error *err)
{
    int32_t attributes = g->frame->attribute_count;
    tacit_run run = *g->run;
    tacit_solution *solution = tacit__alloc_zeroed(1, sizeof *solution);
    if (!solution)
        return tacit__nomem(err);
    run.progress = NULL;
    solution->attribute_count = attributes;
    solution->levels = tacit__alloc_array((size_t)attributes, sizeof *solution->levels);
    for (int32_t a = 0; solution->levels && a < attributes; a++)
        solution->levels[a] = levels[a];
    tacit_status status = solution->levels ? tacit_classes_new(&solution->classes, g->frame,
                                                               solution->levels, &run, err)
                                           : tacit__nomem(err);
    if (status == TACIT_OK)
        status = suppress(solution, g, &run, err);
    if (status == TACIT_OK)
        *out = solution;
    else
        tacit_solution_free(solution);
    return status;
}

static tacit_status list_minimal(tacit_search *search, const tacit__minimal *minimal,
                                 int32_t attributes, tacit_error *err)
{
    size_t count = (size_t)minimal->count, width = (size_t)attributes;
    search->minimal = tacit__alloc_array(count * width, sizeof *search->minimal);
    search->minimal_costs = tacit__alloc_array(count, sizeof *search->minimal_costs);
    if (!search->minimal || !search->minimal_costs)
        return tacit__nomem(err);
    for (size_t i = 0; i < count; i++) {
        search->minimal_costs[i] = minimal->nodes[i]->cost;
        for (size_t a = 0; a < width; a++)
            search->minimal[i * width + a] = minimal->nodes[i]->levels[a];
    }
    search->minimal_count = minimal->count;
    return TACIT_OK;
}

static tacit_status answer(tacit_solution **out, const tacit__counter *counter,
                           const tacit__mingen_found *found, const tacit__minimal *minimal,
                           bool stopped, tacit_error *err)
{
    const tacit__mingen *g = counter->g;
    tacit_solution *solution = NULL;
    tacit_status status = make_solution(&solution, g, found->best->levels, err);
    if (status == TACIT_OK && g->options->all_minimal)
        status = list_minimal(&solution->search, minimal, g->frame->attribute_count, err);
    if (status != TACIT_OK) {
        tacit_solution_free(solution);
        return status;
    }
    solution->search.lower_bound = found->bound;
    solution->search.proven = found->bound >= found->best->cost;
    solution->search.stopped = stopped;
    solution->search.nodes = g->nodes;
    solution->search.nodes_checked = counter->checked;
    *out = solution;
    return TACIT_OK;
}

/* ---- the search ---- */

/* Everything that may be stopped. */
static tacit_status look_for(tacit__mingen_found *found, tacit__minimal *minimal,
                             tacit__counter *counter, tacit_error *err)
{
    tacit__list *root = NULL;
    tacit_status status = tacit__mingen_start(found, &root, counter, err);
    if (status == TACIT_OK)
        status = tacit__mingen_search(found, counter, root, err);
    if (status == TACIT_OK && !found->best) /* k alone can always be kept */
        status = tacit__error(err, TACIT_INFEASIBLE,
                              "no levels of the attributes keep what is promised beyond k, with as "
                              "many rows suppressed as may be; promise less, or let more rows be "
                              "suppressed");
    if (status == TACIT_OK && counter->g->options->all_minimal)
        status = tacit__mingen_minimal(minimal, found->best, counter, root, err);
    tacit__list_release(root);
    return status;
}

static tacit_status search(tacit_solution **out, tacit__counter *counter, tacit_error *err)
{
    tacit__mingen_found found = {.bound = NAN};
    tacit__minimal minimal = {0};
    tacit_error stop = {0};
    tacit_status status = look_for(&found, &minimal, counter, &stop);
    bool stopped = status == TACIT_CANCELLED && found.best;
    if (stopped || status == TACIT_OK)
        status = answer(out, counter, &found, &minimal, stopped, err);
    else if (err && err->status == TACIT_OK)
        *err = stop;
    tacit__free(minimal.nodes);
    return status;
}

static tacit_status solve(tacit_solution **out, const tacit__mingen *g, tacit_error *err)
{
    tacit__counter counter = {0};
    tacit_status status = tacit__counter_init(&counter, g, err);
    if (status == TACIT_OK)
        status = search(out, &counter, err);
    tacit__counter_clear(&counter);
    return status;
}

tacit_status tacit__mingen_solve(tacit_solution **out, const tacit_frame *frame,
                                 const tacit_records_options *options, const tacit_run *run,
                                 tacit_error *err)
{
    tacit__mingen *g = NULL;
    tacit_status status = tacit__request_check(frame, options, err);
    if (status == TACIT_OK)
        status = tacit__mingen_new(&g, frame, options, run, err);
    if (status == TACIT_OK)
        status = solve(out, g, err);
    tacit__mingen_free(g);
    return status;
}
