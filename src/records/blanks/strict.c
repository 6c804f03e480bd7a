/*
 * strict.c - k-anonymity by suppression alone: a blank agrees with blanks only.
 *
 * Rows are released in boxes, a mask of blanks and the same values beyond it, and each has k rows
 * or more. Without limits, and where a blank costs the same in a column whatever it hides, that is
 * what `local` and `optimal` do for hierarchies that know a value and nothing: they are asked for
 * it with such hierarchies, `optimal` where the least cost and a proof are wanted. Otherwise
 * (limits, costs of single values, columns that are released generalized, no frame at all) boxes
 * are listed (boxes.c) and filled: what limits leave of local's release, if that could be asked,
 * and the rest the smallest masks first; and small tables become an integer program.
 *
 * Stopped, it gives the best so far if there is any.
 *
 * Blanks for k = 2, 3, 5, and in brackets with at most two in a row: testdata, seven columns, 193,
 * 379, 695 (191, 381, 763) in 0.2 to 0.3 s of a core, bounds 176, 310, 551; adult, sex, race,
 * marital status, education, workclass, 585, 1117, 1875 (585, 1122, 1979) in about 1 s, bounds 545,
 * 1046, 1668; adult, sex, age, race, marital status, education, 3263, 5244, 8027 (3263, 5264, none)
 * in 2 to 5 s, bounds 3226, 5134, 7828.
 *
 * The smallest masks first: rows that are fewer than k in their box are stray. A box of a mask
 * takes the stray rows that lie in it, and where they are fewer than k borrows: rows that classes
 * without blanks have beyond k, in a second pass over the masks such a class as a whole, and in a
 * third what other boxes have beyond k. Then rows move to cheaper boxes that are in use, where
 * their own keeps k without them or all of it can go. A pass costs classes times masks.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/blanks/boxes.h"
#include "records/methods/methods.h"

/* ---- the smallest masks first ---- */

enum { IMPROVING_PASSES = 10 };

/* What a box may borrow: rows beyond k of classes without blanks, such classes as a whole, and rows
 * beyond k of other boxes. */
typedef enum lending { BEYOND_K, AS_A_WHOLE, FROM_ANY, LENDINGS } lending;

typedef struct loan {
    int64_t class_index, rows;
} loan;

typedef struct filling {
    tacit__strict *strict;
    int64_t *where;  /* a class each: the mask that it leaves with, most of it */
    int64_t *order;  /* classes, box by box, for the mask in hand */
    int64_t *starts; /* of each of its boxes */
    loan *lent;      /* to the box in hand */
    int64_t lent_count;
} filling;

/* ---- boxes of a mask ---- */

/* Orders classes by their boxes of a mask; returns how many boxes there are. */
static int64_t order_classes(filling *f, int64_t m)
{
    const tacit__strict *s = f->strict;
    const uint32_t *box_of = s->box_of + tacit__strict_at(s, m, 0);
    int64_t classes = s->tableau->classes, first = box_of[0], boxes = 0;
    memset(f->starts, 0, ((size_t)classes + 2) * sizeof *f->starts);
    for (int64_t i = 0; i < classes; i++) { /* boxes are numbered in the order of classes */
        f->starts[box_of[i] - first + 1]++;
        boxes = box_of[i] - first + 1 > boxes ? box_of[i] - first + 1 : boxes;
    }
    for (int64_t b = 0; b < boxes; b++)
        f->starts[b + 1] += f->starts[b];
    for (int64_t i = 0; i < classes; i++)
        f->order[f->starts[box_of[i] - first]++] = i;
    for (int64_t b = boxes; b > 0; b--)
        f->starts[b] = f->starts[b - 1];
    f->starts[0] = 0;
    return boxes;
}

/* Rows of a class that are in a box with fewer than k. */
static int64_t stray_rows(const filling *f, int64_t i)
{
    const tacit__strict *s = f->strict;
    int64_t at = tacit__strict_at(s, f->where[i], i);
    return s->used[s->box_of[at]] < s->tableau->k ? s->take[at] : 0;
}

static int64_t spare_rows(const filling *f, int64_t i, lending how)
{
    const tacit__strict *s = f->strict;
    int64_t at = tacit__strict_at(s, f->where[i], i), rows = s->take[at];
    int64_t beyond = s->used[s->box_of[at]] - s->tableau->k;
    if (beyond < 0 || (f->where[i] != 0 && how < FROM_ANY))
        return 0;
    if (how >= AS_A_WHOLE && f->where[i] == 0)
        return rows;
    return beyond < rows ? beyond : rows;
}

/* Lends rows to a box until it has enough, and keeps a list; what is still missing is returned. A
 * class lends as a whole only where what it has beyond k is not enough. */
static int64_t borrow(filling *f, int64_t m, int64_t from, int64_t to, int64_t missing, lending how)
{
    tacit__strict *s = f->strict;
    f->lent_count = 0;
    for (int64_t n = from; n < to && missing > 0; n++) {
        int64_t i = f->order[n], spare = f->where[i] == m ? 0 : spare_rows(f, i, how);
        bool beyond = spare > 0 && s->take[i] - s->tableau->k >= missing;
        bool whole = how >= AS_A_WHOLE && f->where[i] == 0 && !beyond;
        int64_t rows = whole || spare < missing ? spare : missing;
        if (rows <= 0 || !tacit__strict_capacity(s, m, rows))
            continue;
        tacit__strict_move(s, i, f->where[i], m, rows);
        f->lent[f->lent_count++] = (loan){i, rows};
        missing -= rows;
    }
    return missing;
}

/* Settles what was lent: it is given back, or its classes are where it went. */
static void settle_loans(filling *f, int64_t m, bool back)
{
    tacit__strict *s = f->strict;
    for (int64_t n = 0; n < f->lent_count; n++) {
        int64_t i = f->lent[n].class_index;
        if (back)
            tacit__strict_move(s, i, m, f->where[i], f->lent[n].rows);
        else if (s->take[tacit__strict_at(s, f->where[i], i)] == 0)
            f->where[i] = m;
    }
}

/* Puts the stray rows of a box into it, if it gets k. */
static void fill_box(filling *f, int64_t m, int64_t from, int64_t to, lending how)
{
    tacit__strict *s = f->strict;
    int64_t stray = 0, box = s->box_of[tacit__strict_at(s, m, f->order[from])];
    for (int64_t n = from; n < to; n++)
        stray += f->where[f->order[n]] == m ? 0 : stray_rows(f, f->order[n]);
    if (stray == 0 || s->total[box] < s->tableau->k)
        return;
    int64_t missing = borrow(f, m, from, to, s->tableau->k - s->used[box] - stray, how);
    bool fails = missing > 0 || !tacit__strict_capacity(s, m, stray);
    settle_loans(f, m, fails);
    for (int64_t n = from; !fails && n < to; n++) {
        int64_t i = f->order[n], rows = f->where[i] == m ? 0 : stray_rows(f, i);
        if (rows == 0)
            continue;
        tacit__strict_move(s, i, f->where[i], m, rows);
        f->where[i] = m;
    }
}

static tacit_status fill_all(filling *f, lending how, tacit_error *err)
{
    const tacit__strict *s = f->strict;
    tacit_status status = TACIT_OK;
    for (int64_t m = 1; status == TACIT_OK && m < s->mask_count; m++) {
        status = tacit__progress(s->run, "ambiguate", m, s->mask_count, err);
        int64_t boxes = status == TACIT_OK ? order_classes(f, m) : 0;
        for (int64_t b = 0; b < boxes; b++)
            fill_box(f, m, f->starts[b], f->starts[b + 1], how);
    }
    return status;
}

/* ---- cheaper boxes ---- */

/* The cheapest box in use for rows of a class that leave with a mask. */
static int64_t find_cheaper(const tacit__strict *s, int64_t i, int64_t from, int64_t rows)
{
    const tacit__tableau *t = s->tableau;
    double least = tacit__tableau_cost(t, i, s->masks[from]);
    int64_t found = from;
    for (int64_t m = 0; m < s->mask_count; m++) {
        double cost = tacit__tableau_cost(t, i, s->masks[m]);
        int64_t used = s->used[s->box_of[tacit__strict_at(s, m, i)]];
        if (cost < least && used + rows >= t->k && tacit__strict_capacity(s, m, rows)) {
            least = cost;
            found = m;
        }
    }
    return found;
}

/* Moves what can be moved of a class to cheaper boxes; true if any was. */
static bool improve_class(tacit__strict *s, int64_t i)
{
    bool moved = false;
    for (int64_t m = 1; m < s->mask_count; m++) {
        int64_t at = tacit__strict_at(s, m, i), rows = s->take[at];
        int64_t used = s->used[s->box_of[at]];
        if (rows == 0 || used < s->tableau->k)
            continue;
        if (used != rows && used - rows < s->tableau->k)
            rows = used - s->tableau->k;
        int64_t to = rows > 0 ? find_cheaper(s, i, m, rows) : m;
        if (to == m)
            continue;
        tacit__strict_move(s, i, m, to, rows);
        moved = true;
    }
    return moved;
}

static tacit_status improve_boxes(tacit__strict *s, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    bool moved = true;
    for (int pass = 0; status == TACIT_OK && moved && pass < IMPROVING_PASSES; pass++) {
        moved = false;
        status = tacit__progress(s->run, "ambiguate", pass, IMPROVING_PASSES, err);
        for (int64_t i = 0; status == TACIT_OK && i < s->tableau->classes; i++)
            moved |= improve_class(s, i);
    }
    return status;
}

/* ---- all of it ---- */

/* Where each class is: rows without blanks, which may be stray, come before others. */
static void find_places(filling *f)
{
    const tacit__strict *s = f->strict;
    for (int64_t i = 0; i < s->tableau->classes; i++) {
        uint32_t most = s->take[i];
        f->where[i] = 0;
        for (int64_t m = 1; s->take[i] == 0 && m < s->mask_count; m++)
            if (s->take[tacit__strict_at(s, m, i)] > most) {
                most = s->take[tacit__strict_at(s, m, i)];
                f->where[i] = m;
            }
    }
}

/* Puts rows into boxes, the smallest masks first. What is found may not keep what is asked. */
static tacit_status fill_greedily(tacit__strict *s, tacit_error *err)
{
    size_t classes = (size_t)s->tableau->classes;
    filling f = {.strict = s};
    tacit_status status = TACIT_OK;
    f.where = tacit__alloc_array(classes, sizeof *f.where);
    f.order = tacit__alloc_array(classes, sizeof *f.order);
    f.starts = tacit__alloc_array(classes + 2, sizeof *f.starts);
    f.lent = tacit__alloc_array(classes, sizeof *f.lent);
    if (!f.where || !f.order || !f.starts || !f.lent)
        status = tacit__nomem(err);
    else
        find_places(&f);
    for (lending how = BEYOND_K; status == TACIT_OK && how < LENDINGS; how++)
        status = fill_all(&f, how, err);
    if (status == TACIT_OK)
        status = improve_boxes(s, err);
    tacit__free(f.where);
    tacit__free(f.order);
    tacit__free(f.starts);
    tacit__free(f.lent);
    return status;
}

/* ---- by way of local and optimal ---- */

/* A frame in which values can be suppressed and nothing else. */
typedef struct plain {
    tacit_frame frame;
    tacit_attribute attributes[TACIT_MAX_MASKED];
    tacit_hierarchy *hierarchies[TACIT_MAX_MASKED];
    double sum; /* of what a blank costs in each column */
} plain;

static bool costs_by_column(const tacit__tableau *t)
{
    for (int64_t i = 1; !t->unit && i < t->classes; i++)
        for (int32_t c = 0; c < t->columns; c++)
            if (t->costs[i * t->columns + c] != t->costs[c])
                return false;
    return true;
}

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

/* Boxes as blanks; parts of classes first, and the rest where a class is. */
static tacit_status take_boxes(tacit__blanking *plan, const tacit__tableau *t,
                               const tacit_boxes *boxes, tacit_error *err)
{
    uint32_t *places = tacit__tableau_places(t);
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
    status = tacit_method_find(exact ? "optimal" : "local")
                 ->solve(&solution, &p.frame, &asked, run, err);
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

/* What limits leave of a plan: rows whose box has k by that leave as it says. */
static void take_within_limits(tacit__strict *s, const tacit__blanking *plan)
{
    for (int64_t b = 0; b < plan->count; b++) {
        const tacit__blank *blank = &plan->blanks[b];
        int64_t m = tacit__strict_mask(s, blank->mask);
        if (m > 0 && tacit__strict_capacity(s, m, blank->rows))
            tacit__strict_move(s, blank->class_index, 0, m, blank->rows);
    }
    for (int64_t m = 1; m < s->mask_count; m++)
        for (int64_t i = 0; i < s->tableau->classes; i++) {
            int64_t at = tacit__strict_at(s, m, i);
            if (s->take[at] > 0 && s->used[s->box_of[at]] < s->tableau->k)
                tacit__strict_move(s, i, m, 0, s->take[at]);
        }
}

static bool keeps_strictly(const tacit__strict *s)
{
    for (int32_t c = 0; c < s->tableau->columns; c++)
        if (s->column[c] > s->tableau->most_column)
            return false;
    for (int64_t b = 0; b < s->box_count; b++)
        if (s->used[b] > 0 && s->used[b] < s->tableau->k)
            return false;
    return true;
}

/* Fills boxes; what is found by then counts where it was stopped. */
static tacit_status fill_strict(tacit__blanking *plan, tacit__strict *s, bool exact,
                                tacit_error *err)
{
    tacit_status status = s->bound < INFINITY ? fill_greedily(s, err) : TACIT_OK;
    bool keeps = keeps_strictly(s);
    if (status == TACIT_OK && s->bound < INFINITY && (exact || !keeps))
        status = tacit__box_program(&plan->nodes, keeps, false, s, err);
    plan->stopped = status == TACIT_CANCELLED;
    if (status != TACIT_OK && status != TACIT_CANCELLED)
        return status;
    if (keeps_strictly(s))
        return tacit__strict_write(plan, s, err);
    return plan->stopped ? status
                         : tacit__blanking_none(s->bound == INFINITY,
                                                "leave every row the same as k - 1 others", err);
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
    take_within_limits(&s, start);
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
    return tacit__blanking_give(plan, &found, status, &stop, err);
}
