/*
 * mingen.c - Sweeney's MinGen (Computational Disclosure Control, 5.5, Figure 31) for
 * generalization by attribute: of all nodes of the lattice, the one whose release keeps k, and
 * what is promised beyond it, at the least cost. The thesis generalizes every way there is and
 * compares; here most of the lattice is ruled out unseen, and the answer comes with a proof.
 *
 * A node is feasible if the rows that k and the models cut off, and those that must go with them
 * so that suppressed rows keep the promise too, are few enough. Its parts:
 *
 *   list.c     classes as packed keys, rolled up from node to node
 *   node.c     what a node suppresses and costs; models beyond k; which pruning is exact, and why
 *   box.c      counting nodes in batches; boxes of nodes
 *   search.c   a good node to start from, branch and bound for the best, all k-minimal ones
 *
 * The time is that of the nodes that are counted, each linear in the list it is rolled up from;
 * how many these are depends on the data. On thirty thousand records with nine attributes it is
 * one in thirty.
 *
 * What is searched: the lattice, without the levels that no node can have, the rows that may be
 * suppressed, and the tables that nodes are priced by. An attribute that has too many outliers on
 * a level by itself has them beside others, too; so the lowest node is raised from the counts of
 * single values, before any combination is counted. One counting a column; otherwise linear in the
 * hierarchies.
 */
#include "records/mingen/mingen.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/apply/boxes.h"
#include "records/classes/elsewhere.h"
#include "records/methods/methods.h"

tacit_status tacit__rows_on(int64_t **out, const tacit__mingen *g, int32_t attribute, int level,
                            const uint32_t *ground, tacit_error *err)
{
    const tacit_attribute *about = &g->frame->attributes[attribute];
    const uint32_t *map = tacit_hierarchy_map(about->hierarchy, level);
    uint32_t codes = tacit_table_distinct(g->frame->table, about->column) + 1;
    int64_t *rows = tacit__alloc_zeroed(g->ladders.values[attribute][level], sizeof *rows);
    if (!rows)
        return tacit__nomem(err);
    for (uint32_t code = 0; code < codes; code++)
        if (ground[code])
            rows[map[code]] += ground[code];
    *out = rows;
    return TACIT_OK;
}

/* Rows with values that fewer than k rows have. */
static tacit_status count_outliers(int64_t *outliers, const tacit__mingen *g, int32_t attribute,
                                   const uint32_t *ground, tacit_error *err)
{
    int level = g->low[attribute];
    int64_t *rows = NULL;
    tacit_status status = tacit__rows_on(&rows, g, attribute, level, ground, err);
    if (status != TACIT_OK)
        return status;
    *outliers = 0;
    for (uint32_t i = 0; i < g->ladders.values[attribute][level]; i++)
        *outliers += rows[i] < g->options->k || rows[i] < g->beyond.least ? rows[i] : 0;
    tacit__free(rows);
    return TACIT_OK;
}

static tacit_status raise_floor(tacit__mingen *g, int32_t attribute, const uint32_t *ground,
                                tacit_error *err)
{
    for (; g->low[attribute] < g->high[attribute]; g->low[attribute]++) {
        int64_t outliers;
        tacit_status status = count_outliers(&outliers, g, attribute, ground, err);
        if (status != TACIT_OK || outliers <= g->limit)
            return status;
    }
    return TACIT_OK;
}

static tacit_status make_floors(tacit__mingen *g, uint32_t *const *ground, tacit_error *err)
{
    const tacit_frame *frame = g->frame;
    size_t words = tacit__bitset_words(frame->attribute_count);
    uint64_t in_some[(TACIT_MAX_ATTRIBUTES + 63) / 64] = {0};
    bool all = tacit__frame_is_single(frame);
    tacit_status status = TACIT_OK;
    for (int32_t s = 0; !all && s < frame->set_count; s++)
        for (size_t w = 0; w < words; w++)
            in_some[w] |= tacit__frame_set(frame, s)[w];
    for (int32_t a = 0; status == TACIT_OK && a < frame->attribute_count; a++)
        if (all || tacit__bit_get(in_some, a))
            status = raise_floor(g, a, ground[a], err);
    return status;
}

static void lay_out_lattice(tacit__mingen *g)
{
    int above[TACIT_MAX_ATTRIBUTES];
    for (int32_t a = 0; a < g->frame->attribute_count; a++) {
        int least = g->frame->attributes[a].least_level, height = g->ladders.heights[a];
        g->high[a] = (uint8_t)height;
        g->low[a] = (uint8_t)(least < height && !g->options->most_general ? least : height);
        above[a] = height - (least < height ? least : height);
    }
    g->nodes = tacit_lattice_size(above, g->frame->attribute_count);
}

static tacit_status prepare(tacit__mingen *g, tacit_error *err)
{
    uint32_t *ground[TACIT_MAX_ATTRIBUTES] = {0};
    tacit__mingen_layout layout = {0};
    tacit_status status = tacit__ladders_init(&g->ladders, g->frame, err);
    if (status == TACIT_OK)
        lay_out_lattice(g);
    for (int32_t a = 0; status == TACIT_OK && a < g->frame->attribute_count; a++)
        status = tacit__ground_counts(&ground[a], g->frame, a, g->run, err);
    if (status == TACIT_OK)
        status = tacit__beyond_least(&g->beyond.least, g, err);
    if (status == TACIT_OK)
        status = make_floors(g, ground, err);
    if (status == TACIT_OK)
        status = tacit__prices_init(&g->prices, g, ground, err);
    if (status == TACIT_OK)
        status = tacit__beyond_init(&g->beyond, g, err);
    if (status == TACIT_OK)
        status = tacit__layout_init(&layout, &g->ladders, g->low, g->frame->person >= 0, err);
    g->wide = status == TACIT_OK && layout.words > 1;
    tacit__layout_free(&layout);
    for (int32_t a = 0; a < g->frame->attribute_count; a++)
        tacit__free(ground[a]);
    return status;
}

/* Suppressed rows cover everybody, also those whom other classes cover. Seen through one
 * of several quasi-identifiers they may be one class with others, and then hold too large
 * a share of the register though both kept to it; and with a least share, people whose
 * class is left out are known to be absent. */
static bool forbids_suppression(const tacit_frame *frame, const tacit_records_options *options)
{
    bool several = frame->sets && frame->set_count > 1, forbids = false;
    for (int32_t i = 0; i < frame->model_count; i++) {
        const tacit_model_bound *bound = &frame->models[i].bound;
        bool least = options->drop_suppressed && bound->second > TACIT_MODEL_TOLERANCE;
        forbids |= bound->kind == TACIT_MODEL_PRESENCE && (several || least);
    }
    return forbids;
}

/* Suppressed rows are none or belong to k people, so below k there are none. */
static int64_t limit_of(const tacit_frame *frame, const tacit_records_options *options)
{
    if (options->max_suppressed < options->k || forbids_suppression(frame, options))
        return 0;
    return options->max_suppressed;
}

tacit_status tacit__mingen_new(tacit__mingen **out, const tacit_frame *frame,
                               const tacit_records_options *options, const tacit_run *run,
                               tacit_error *err)
{
    tacit__mingen *g = tacit__alloc_zeroed(1, sizeof *g);
    if (!g)
        return tacit__nomem(err);
    g->frame = frame;
    g->options = options;
    g->run = run;
    g->rows = tacit__frame_rows(frame);
    g->limit = limit_of(frame, options);
    g->plain = frame->person < 0 && frame->model_count == 0 && tacit__frame_is_single(frame) &&
               !tacit_risk_bounds_any(&frame->risks);
    tacit_status status = prepare(g, err);
    if (status == TACIT_OK)
        *out = g;
    else
        tacit__mingen_free(g);
    return status;
}

void tacit__mingen_free(tacit__mingen *g)
{
    if (!g)
        return;
    tacit__beyond_clear(&g->beyond);
    tacit__prices_clear(&g->prices);
    tacit__ladders_clear(&g->ladders);
    tacit__free(g);
}

/* ---- the answer ---- */

/* Suppresses at the levels of the solution. */
static tacit_status suppress(tacit_solution *solution, const tacit__mingen *g, const tacit_run *run,
                             tacit_error *err)
{
    tacit__cut cut;
    bool kept, within, doomed;
    const tacit_classes *classes = solution->classes;
    tacit_status status = tacit__cut_init(&cut, g->frame, classes, g->options->k, run, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__beyond_cut(&cut, g, run, err);
    if (status == TACIT_OK)
        status =
            tacit__risks_cut(&within, &doomed, &cut, g->limit, g->options->drop_suppressed, err);
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
                                  const tacit__mingen_node *node, tacit_error *err)
{
    int classes_on[TACIT_MAX_ATTRIBUTES];
    tacit_classes *classes = NULL;
    tacit_solution *solution = NULL;
    tacit_run run = *g->run;
    run.progress = NULL;
    tacit__levels_widen(classes_on, node->levels, g->frame->attribute_count);
    if (g->frame->elsewhere)
        return tacit__elsewhere_solution(out, g->frame, classes_on, node->outliers,
                                         node->suppressed - node->outliers, err);
    tacit_status status = tacit_classes_new(&classes, g->frame, classes_on, &run, err);
    if (status == TACIT_OK)
        status = tacit__levels_solution_new(&solution, g->frame, classes, err);
    if (status == TACIT_OK)
        solution->classes = classes;
    else
        tacit_classes_free(classes);
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
    tacit_status status = make_solution(&solution, g, found->best, err);
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
        status = tacit__error(
            err, TACIT_INFEASIBLE,
            "no levels of the attributes keep what is promised beyond k, even with as many rows "
            "suppressed as allowed; promise less, or allow more rows to be suppressed");
    if (status == TACIT_OK && counter->g->options->all_minimal)
        status = tacit__mingen_minimal(minimal, found->best, counter, root, err);
    tacit__list_release(root);
    return status;
}

static tacit_status search_lattice(tacit_solution **out, tacit__counter *counter, tacit_error *err)
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
        status = search_lattice(out, &counter, err);
    tacit__counter_clear(&counter);
    return status;
}

static tacit_status mingen_solve(tacit_solution **out, const tacit_frame *frame,
                                 const tacit_records_options *options, const tacit_run *run,
                                 tacit_error *err)
{
    tacit__mingen *g = NULL;
    tacit_status status = tacit__request_check(frame, options, err);
    if (status == TACIT_OK)
        status = tacit__elsewhere_check(frame, err);
    if (status == TACIT_OK)
        status = tacit__mingen_new(&g, frame, options, run, err);
    if (status == TACIT_OK)
        status = solve(out, g, err);
    tacit__mingen_free(g);
    return status;
}

const tacit_method tacit__method_mingen = {
    .name = "mingen",
    .summary = "the best level for every attribute, proven: search the whole lattice",
    .solve = mingen_solve,
    .features = TACIT_METHOD_MODELS | TACIT_METHOD_SEARCHES | TACIT_METHOD_EXPLORED |
                TACIT_METHOD_COUNTS | TACIT_METHOD_ELSEWHERE,
    .metrics = TACIT__ALL_METRICS,
};
