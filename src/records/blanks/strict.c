/*
 * strict.c - k-anonymity by suppression alone: a blank agrees with blanks only.
 *
 * Rows are released in boxes, a mask of blanks and the same values beyond it, and each has k
 * rows or more. Without limits, and where a blank costs the same in a column whatever it
 * hides, that is what `local` and `optimal` do for hierarchies that know a value and
 * nothing: they are asked for it with such hierarchies, `optimal` where the least cost and a proof
 * are wanted. Otherwise (limits, costs of single values, columns that are released
 * generalized, no frame at all) boxes are listed (strict_boxes.c) and filled: what limits
 * leave of local's release, if that could be asked, and the rest the smallest masks first
 * (strict_greedy.c); and small tables become an integer program
 * (box_program.c).
 *
 * Stopped, it gives the best so far if there is any.
 *
 * Blanks for k = 2, 3, 5, and in brackets with at most two in a row: testdata, seven columns, 193,
 * 379, 695 (191, 381, 763) in 0.2 to 0.3 s of a core, bounds 176, 310, 551; adult, sex, race,
 * marital status, education, workclass,
 * 585, 1117, 1875 (585, 1122, 1979) in about 1 s, bounds 545, 1046, 1668; adult, sex, age, race,
 * marital status, education, 3263, 5244, 8027 (3263, 5264, none) in 2 to 5 s, bounds 3226, 5134,
 * 7828.
 */
#include "records/blanks/strict.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/methods/methods.h"

/* ---- by way of local and optimal ---- */

/* A frame in which values can be suppressed and nothing else. */
typedef struct plain {
    tacit_frame frame;
    tacit_attribute attributes[TACIT_MAX_ATTRIBUTES];
    tacit_hierarchy *hierarchies[TACIT_MAX_ATTRIBUTES];
    double sum; /* of what a blank costs in each column */
} plain;

/* Whether a blank costs the same in all of a column. */
static bool costs_by_column(const tacit__tableau *t)
{
    for (int64_t i = 1; !t->unit && i < t->classes; i++)
        for (int32_t c = 0; c < t->columns; c++)
            if (t->costs[i * t->columns + c] != t->costs[c])
                return false;
    return true;
}

/* Whether other methods can be asked. */
static bool is_plain(const tacit__tableau *t, const tacit_frame *frame)
{
    if (!frame || frame->person >= 0 || frame->model_count > 0 || frame->set_count > 1 ||
        !costs_by_column(t))
        return false;
    for (int32_t a = 0; a < frame->attribute_count; a++)
        if (frame->attributes[a].least_level > 0)
            return false;
    return true;
}

static void plain_clear(plain *p)
{
    for (int32_t a = 0; a < p->frame.attribute_count; a++)
        tacit_hierarchy_free(p->hierarchies[a]);
}

static tacit_status plain_init(plain *p, const tacit__tableau *t, const tacit_frame *frame,
                               tacit_error *err)
{
    const tacit_hierarchy_spec none = {0};
    tacit_status status = TACIT_OK;
    *p = (plain){.frame = {.table = frame->table,
                           .attributes = p->attributes,
                           .attribute_count = frame->attribute_count,
                           .person = -1}};
    for (int32_t a = 0; status == TACIT_OK && a < frame->attribute_count; a++) {
        int32_t column = frame->attributes[a].column;
        status = tacit_hierarchy_new(&p->hierarchies[a], &none, frame->table, column, err);
        p->attributes[a] = (tacit_attribute){
            .column = column, .hierarchy = p->hierarchies[a], .weight = t->costs[a], .link = 1};
        p->sum += t->costs[a];
    }
    if (status != TACIT_OK)
        plain_clear(p);
    return status;
}

static uint64_t mask_of(const tacit_boxes *boxes, uint32_t box, int32_t columns)
{
    uint64_t mask = 0;
    for (int32_t c = 0; c < columns; c++)
        mask |= (uint64_t)(boxes->levels[(int64_t)box * columns + c] > 0) << c;
    return mask;
}

/* The frame's classes as the tableau numbers them; the caller frees it. */
static uint32_t *places_of(const tacit__tableau *t)
{
    uint32_t *places = tacit__alloc_array((size_t)t->classes, sizeof *places);
    for (int64_t i = 0; places && i < t->classes; i++)
        places[t->index[i]] = (uint32_t)i;
    return places;
}

/* Boxes as blanks; parts of classes first, and the rest where a class is. */
static tacit_status take_boxes(tacit__blanking *plan, const tacit__tableau *t,
                               const tacit_boxes *boxes, tacit_error *err)
{
    uint32_t *places = places_of(t);
    int64_t part = 0;
    tacit_status status = places ? TACIT_OK : tacit__nomem(err);
    for (int64_t i = 0; status == TACIT_OK && i < t->classes; i++) {
        int64_t left = t->counts[places[i]];
        for (;
             status == TACIT_OK && part < boxes->part_count && boxes->parts[part].class_index == i;
             part++) {
            uint64_t mask = mask_of(boxes, boxes->parts[part].box, t->columns);
            left -= boxes->parts[part].people;
            status = tacit__blanking_add(
                plan, (tacit__blank){places[i], boxes->parts[part].people, mask, 0}, err);
        }
        if (status == TACIT_OK)
            status = tacit__blanking_add(
                plan,
                (tacit__blank){places[i], left, mask_of(boxes, boxes->box_of[i], t->columns), 0},
                err);
    }
    tacit__free(places);
    tacit__blanking_tidy(plan);
    return status;
}

static tacit_status solve_plain(tacit__blanking *plan, const tacit__tableau *t,
                                const tacit_frame *frame, const tacit_records_options *options,
                                bool exact, const tacit_run *run, tacit_error *err)
{
    plain p;
    tacit_solution *solution = NULL;
    tacit_records_options asked = {
        .k = options->k, .metric = TACIT_METRIC_WEIGHTED, .until_stopped = options->until_stopped};
    tacit_status status = plain_init(&p, t, frame, err);
    if (status != TACIT_OK)
        return status;
    status =
        (exact ? tacit__optimal_solve : tacit__local_solve)(&solution, &p.frame, &asked, run, err);
    if (status == TACIT_OK)
        status = take_boxes(plan, t, solution->boxes, err);
    if (status == TACIT_OK) {
        double bound = solution->search.lower_bound * (double)t->rows * p.sum;
        plan->proven = solution->search.proven;
        plan->stopped = solution->search.stopped;
        plan->nodes = solution->search.nodes_checked;
        plan->bound = plan->proven ? tacit__blanking_cost(plan, t) : isnan(bound) ? 0 : bound;
    }
    tacit_solution_free(solution);
    plain_clear(&p);
    return status;
}

/* ---- by boxes ---- */

static tacit_status none_alike(const tacit__strict *s, tacit_error *err)
{
    if (s->bound == INFINITY)
        return tacit__error(err, TACIT_INFEASIBLE,
                            "no blanks within the limits leave every row the same as k - 1 others; "
                            "allow more in a row or column, or ask for a smaller k");
    return tacit__error(err, TACIT_LIMIT,
                        "no blanks within the limits were found that leave every row the same as "
                        "k - 1 others, and it is not proven that there are none; allow more in a "
                        "row or column, or ask for a smaller k");
}

/* Fills boxes; what is found by then counts where it was stopped. */
static tacit_status fill_strict(tacit__blanking *plan, tacit__strict *s, bool exact,
                                tacit_error *err)
{
    tacit_status status = s->bound < INFINITY ? tacit__strict_greedy(s, err) : TACIT_OK;
    bool keeps = tacit__strict_keeps(s);
    if (status == TACIT_OK && s->bound < INFINITY && (exact || !keeps))
        status = tacit__box_program(&plan->nodes, keeps, false, s, err);
    plan->stopped = status == TACIT_CANCELLED;
    if (status != TACIT_OK && status != TACIT_CANCELLED)
        return status;
    if (tacit__strict_keeps(s))
        return tacit__strict_write(plan, s, err);
    return plan->stopped ? status : none_alike(s, err);
}

/* `start` is a plan without limits, or empty. */
static tacit_status solve_strict_boxes(tacit__blanking *plan, const tacit__tableau *t,
                                       const tacit__blanking *start, bool exact,
                                       const tacit_run *run, tacit_error *err)
{
    tacit__strict s;
    tacit_status status = tacit__strict_init(&s, t, run, err);
    if (status != TACIT_OK)
        return status;
    tacit__strict_take(&s, start);
    s.bound = fmax(s.bound, start->bound);
    status = fill_strict(plan, &s, exact, err);
    tacit__strict_clear(&s);
    return status;
}

tacit_status tacit__ambiguate_strict(tacit__blanking *plan, const tacit__tableau *t,
                                     const tacit_frame *frame, const tacit_records_options *options,
                                     const tacit_run *run, tacit_error *err)
{
    tacit__blanking found = {0};
    tacit_error stop = {0};
    bool exact = options->ambiguate && options->ambiguate->way == TACIT_AMBIGUATE_EXACT;
    bool limits = t->most_row < t->columns || t->most_column < t->rows;
    bool asked = is_plain(t, frame);
    tacit_status status = tacit__tableau_check(t, err);
    if (status != TACIT_OK)
        return status;
    if (asked)
        status = solve_plain(&found, t, frame, options, exact && !limits, run, &stop);
    if (status == TACIT_OK && (!asked || limits)) {
        tacit__blanking start = found;
        found = (tacit__blanking){0};
        status = solve_strict_boxes(&found, t, &start, exact, run, &stop);
        tacit__blanking_clear(&start);
    }
    if (status == TACIT_OK) {
        *plan = found;
        return TACIT_OK;
    }
    tacit__blanking_clear(&found);
    if (err)
        *err = stop;
    return status;
}
