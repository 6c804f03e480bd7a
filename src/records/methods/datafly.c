/*
 * datafly.c - Sweeney's Datafly II (Computational Disclosure Control, chapter
 * 6, Figures 39 to 42), the whole system: while more rows than may be
 * suppressed lie in classes below k, the attribute with the most distinct
 * values, weighed by its likelihood of being used for linking, goes up by one
 * level; then the outliers are suppressed, and more with them so that the
 * suppressed rows keep k too.
 *
 * Which attribute goes next depends only on the attributes' own numbers of
 * distinct values, so the whole chain of nodes from the ground to the top is
 * known before anything is counted; and generalizing never puts more rows
 * below k. So the first node of the chain that will do is searched, not walked
 * to: starting where classes could hold k rows on average, which is near it and
 * cheap, in growing strides away from there, then by bisection. Nodes near the
 * ground, where almost every row is a class, are hardly ever counted. Only the
 * complementary suppression is not monotone: from that node on the chain is
 * walked until it fits as well.
 *
 * Ties: of attributes with the same product of link and distinct values the one
 * with the larger link goes up, then the first. Attributes of link 0 wait until
 * no other has two values left.
 *
 * Costs a few countings, linear in the rows.
 */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/apply/boxes.h"
#include "records/apply/cut.h"
#include "records/classes/classes.h"
#include "records/classes/elsewhere.h"
#include "records/classes/strides.h"
#include "records/methods/methods.h"

/* The chain, and the classes of nodes that have been looked at. */
typedef struct search {
    const tacit_frame *frame;
    const tacit_records_options *options;
    const tacit_run *run;
    int64_t limit;     /* rows that may be suppressed */
    tacit_step *steps; /* step i leads from node i to node i + 1 */
    int32_t step_count;
    tacit_classes *below; /* of the highest node known to fail, if they are few */
    tacit_classes *at;    /* of node at_node, the lowest known to do */
    int32_t at_node;
} search;

static void levels_of(const search *s, int32_t node, int *levels)
{
    memset(levels, 0, (size_t)s->frame->attribute_count * sizeof *levels);
    for (int32_t i = 0; i < node; i++)
        levels[s->steps[i].attribute]++;
}

/* Whether attribute a with x distinct values goes up before b with y. */
static bool goes_before(const tacit_attribute *a, uint32_t x, const tacit_attribute *b, uint32_t y)
{
    if (a->link == 0 && b->link == 0)
        return x > y;
    double p = a->link * x, q = b->link * y;
    return p > q || (p == q && a->link > b->link);
}

/* The attribute to generalize on these levels, or -1 when each has one value. */
static int32_t next_attribute(const tacit_frame *frame, const int *levels, uint32_t *distinct)
{
    int32_t best = -1;
    for (int32_t i = 0; i < frame->attribute_count; i++) {
        uint32_t values = tacit__distinct_on(frame, i, levels[i]);
        if (values < 2 || levels[i] == tacit_hierarchy_height(frame->attributes[i].hierarchy))
            continue;
        if (best < 0 ||
            goes_before(&frame->attributes[i], values, &frame->attributes[best], *distinct)) {
            best = i;
            *distinct = values;
        }
    }
    return best;
}

/* Above the chain nothing changes any more but the labels. */
static int32_t next_unfinished(const tacit_frame *frame, const int *levels)
{
    for (int32_t i = 0; i < frame->attribute_count; i++)
        if (levels[i] < tacit_hierarchy_height(frame->attributes[i].hierarchy))
            return i;
    return -1;
}

static tacit_status make_chain(search *s, tacit_error *err)
{
    size_t most = 0;
    int levels[TACIT_MAX_ATTRIBUTES] = {0};
    for (int32_t i = 0; i < s->frame->attribute_count; i++)
        most += (size_t)tacit_hierarchy_height(s->frame->attributes[i].hierarchy);
    s->steps = tacit__alloc_array(most, sizeof *s->steps);
    if (!s->steps)
        return tacit__nomem(err);
    for (;;) {
        uint32_t distinct = 1;
        int32_t attribute = next_attribute(s->frame, levels, &distinct);
        if (attribute < 0 && s->options->most_general)
            attribute = next_unfinished(s->frame, levels);
        if (attribute < 0)
            return TACIT_OK;
        levels[attribute]++;
        s->steps[s->step_count++] = (tacit_step){.attribute = attribute, .distinct = distinct};
    }
}

/* Classes of a node, from those of a lower one where they are much fewer than
 * the rows. */
static tacit_status count_node(tacit_classes **out, const search *s, int32_t node,
                               const tacit_classes *lower, tacit_error *err)
{
    int levels[TACIT_MAX_ATTRIBUTES];
    levels_of(s, node, levels);
    if (lower)
        return tacit_classes_roll_up(out, s->frame, lower, levels, s->run, err);
    return tacit_classes_new(out, s->frame, levels, s->run, err);
}

/* Rows below k of a node whose classes are counted elsewhere. */
static tacit_status count_below(int64_t *rows, const search *s, int32_t node, tacit_error *err)
{
    int levels[TACIT_MAX_ATTRIBUTES];
    tacit_tally tally = {0};
    const tacit_elsewhere *there = s->frame->elsewhere;
    levels_of(s, node, levels);
    tacit_status status = tacit__progress(s->run, "searching", node, s->step_count, err);
    if (status == TACIT_OK)
        status = there->tally(there->context, &tally, levels, s->options->k, err);
    *rows = tally.below_rows;
    return status;
}

/* Whether few enough rows of a node lie below k; keeps its classes. */
static tacit_status look_at(bool *enough, search *s, int32_t node, tacit_error *err)
{
    tacit_classes *classes = NULL;
    int64_t rows = 0;
    if (s->frame->elsewhere) {
        tacit_status asked = count_below(&rows, s, node, err);
        *enough = rows <= s->limit;
        return asked;
    }
    tacit_status status = count_node(&classes, s, node, s->below, err);
    if (status == TACIT_OK)
        status = tacit__cut_rows(&rows, s->frame, classes, s->options->k, s->run, err);
    if (status != TACIT_OK) {
        tacit_classes_free(classes);
        return status;
    }
    *enough = rows <= s->limit;
    if (*enough) {
        tacit_classes_free(s->at);
        s->at = classes;
        s->at_node = node;
    } else if (tacit__worth_rolling_up(classes)) {
        tacit_classes_free(s->below);
        s->below = classes;
    } else {
        tacit_classes_free(classes);
    }
    return TACIT_OK;
}

/* The first node that could have k rows in every class. */
static int32_t first_guess(const search *s)
{
    int levels[TACIT_MAX_ATTRIBUTES] = {0};
    double wanted = (double)tacit__frame_rows(s->frame) / (double)s->options->k;
    for (int32_t node = 0; node < s->step_count; node++) {
        double combinations = 1;
        for (int32_t i = 0; i < s->frame->attribute_count; i++)
            combinations *= tacit__distinct_on(s->frame, i, levels[i]);
        if (combinations <= wanted)
            return node;
        levels[s->steps[node].attribute]++;
    }
    return s->step_count;
}

/* Finds the lowest node with few enough rows below k. The top, where everyone
 * is in one class, needs no look. */
static tacit_status find_first(int32_t *out, search *s, tacit_error *err)
{
    tacit__strides way = tacit__strides_from(first_guess(s), s->step_count);
    while (tacit__strides_on(&way)) {
        bool enough;
        tacit_status status = look_at(&enough, s, way.next, err);
        if (status != TACIT_OK)
            return status;
        tacit__strides_tell(&way, enough);
    }
    *out = way.high;
    return TACIT_OK;
}

/* The steps that lead to a node. */
static tacit_status copy_steps(tacit_solution *solution, const search *s, int32_t node,
                               tacit_error *err)
{
    solution->step_count = node;
    solution->steps = tacit__alloc_array((size_t)node, sizeof *solution->steps);
    if (!solution->steps)
        return tacit__nomem(err);
    if (node > 0)
        memcpy(solution->steps, s->steps, (size_t)node * sizeof *solution->steps);
    return TACIT_OK;
}

/* Makes the solution and hands it the classes in s->at. */
static tacit_status make_solution(tacit_solution **out, search *s, const tacit__cut *cut,
                                  int64_t outliers, tacit_error *err)
{
    tacit_solution *solution = NULL;
    tacit_status status = tacit__levels_solution_new(&solution, s->frame, s->at, err);
    if (status == TACIT_OK)
        status = copy_steps(solution, s, s->at_node, err);
    if (status != TACIT_OK) {
        tacit_solution_free(solution);
        return status;
    }
    tacit__cut_describe(solution, cut, outliers);
    solution->classes = s->at;
    s->at = NULL;
    *out = solution;
    return TACIT_OK;
}

/* Puts the classes of a node into s->at. */
static tacit_status stand_at(search *s, int32_t node, tacit_error *err)
{
    tacit_classes *classes = NULL;
    if (s->at && s->at_node == node)
        return TACIT_OK;
    const tacit_classes *lower =
        s->at && s->at_node < node && tacit__worth_rolling_up(s->at) ? s->at : s->below;
    tacit_status status = count_node(&classes, s, node, lower, err);
    if (status != TACIT_OK)
        return status;
    tacit_classes_free(s->at);
    s->at = classes;
    s->at_node = node;
    return TACIT_OK;
}

/* Suppresses at the node in s->at; *out stays NULL when that takes too many rows. */
static tacit_status suppress(tacit_solution **out, search *s, tacit_error *err)
{
    tacit__cut cut;
    tacit_status status = tacit__cut_init(&cut, s->frame, s->at, s->options->k, s->run, err);
    if (status != TACIT_OK)
        return status;
    int64_t outliers = cut.rows;
    status = tacit__cut_complement(&cut, s->options->complement_largest, err);
    if (status == TACIT_OK && cut.rows + cut.part_rows <= s->limit)
        status = make_solution(out, s, &cut, outliers, err);
    tacit__cut_clear(&cut);
    return status;
}

/* The same of a node whose classes are counted elsewhere. */
static tacit_status suppress_elsewhere(tacit_solution **out, const search *s, int32_t node,
                                       tacit_error *err)
{
    int levels[TACIT_MAX_ATTRIBUTES];
    int64_t below = 0;
    tacit__complement more = {0};
    levels_of(s, node, levels);
    tacit_solution *solution = NULL;
    tacit_status status = count_below(&below, s, node, err);
    if (status == TACIT_OK)
        status = tacit__elsewhere_complement(&more, s->frame, s->options, levels, below, err);
    tacit__free(more.numbers);
    if (status != TACIT_OK || below + more.rows > s->limit)
        return status;
    status = tacit__elsewhere_solution(&solution, s->frame, levels, below, more.rows, err);
    if (status == TACIT_OK)
        status = copy_steps(solution, s, node, err);
    if (status == TACIT_OK)
        *out = solution;
    else
        tacit_solution_free(solution);
    return status;
}

static tacit_status suppress_at(tacit_solution **out, search *s, int32_t node, tacit_error *err)
{
    if (s->frame->elsewhere)
        return suppress_elsewhere(out, s, node, err);
    tacit_status status = stand_at(s, node, err);
    return status == TACIT_OK ? suppress(out, s, err) : status;
}

static tacit_status solve(tacit_solution **out, search *s, tacit_error *err)
{
    tacit_solution *solution = NULL;
    int32_t node = 0;
    tacit_status status = make_chain(s, err);
    if (status == TACIT_OK && s->options->most_general)
        node = s->step_count;
    else if (status == TACIT_OK)
        status = find_first(&node, s, err);
    for (; status == TACIT_OK && !solution; node++) {
        assert(node <= s->step_count);
        status = suppress_at(&solution, s, node, err);
    }
    if (status == TACIT_OK)
        *out = solution;
    return status;
}

static tacit_status datafly_solve(tacit_solution **out, const tacit_frame *frame,
                                  const tacit_records_options *options, const tacit_run *run,
                                  tacit_error *err)
{
    tacit_status status = tacit__request_check(frame, options, err);
    if (status == TACIT_OK)
        status = tacit__elsewhere_check(frame, err);
    if (status != TACIT_OK)
        return status;
    search s = {.frame = frame, .options = options, .run = run};
    /* suppressed rows are none or belong to k people, so below k there are none */
    s.limit = options->max_suppressed < options->k ? 0 : options->max_suppressed;
    status = solve(out, &s, err);
    tacit_classes_free(s.below);
    tacit_classes_free(s.at);
    tacit__free(s.steps);
    return status;
}

const tacit_method tacit__method_datafly = {
    .name = "datafly",
    .summary = "generalize the attribute with the most values, suppress the outliers",
    .solve = datafly_solve,
    .features =
        TACIT_METHOD_EXPLORED | TACIT_METHOD_LINKS | TACIT_METHOD_COUNTS | TACIT_METHOD_ELSEWHERE,
};
