/*
 * holdout.c - boxes that say nothing of what is released in them: local, optimal and k-similar
 * where they are to resist who knows the method.
 *
 * Whatever chooses boxes by looking at the rows that leave in them tells those who know how it
 * chooses that other boxes were worse. So one row of 6k, drawn, is held out and never released.
 * From these rows alone a division of everything into boxes is made, from the top down: a box is
 * divided by all values that an attribute has on the next level, where that saves most for the
 * cells of rows held out, those in boxes that would become too thin counted as lost. Then the
 * other rows fall into the boxes, whatever they are; boxes with fewer than k of them are left out.
 *
 * What is released so could as well have come about from any other values under what it shows:
 * with the same rows held out the boxes are the same, and every row falls where it fell. So all
 * originals that the release leaves are as likely to have made it, and knowing the method gains
 * nothing, neither by what is possible nor by how likely it is. Of rows held out the boxes tell
 * where some of them lie; they are in no released row.
 *
 * No method without chance that releases all rows can do that, but one that releases nothing: a
 * table in which only row i differs from the others must hide row i, and by its release could be
 * the table in which none differs; which must then be released alike, for every i, so that all of
 * its rows are hidden, and since by that release any table could be it, those of all tables.
 *
 * The price is the rows held out, those in thin boxes, and that boxes fit rows that others
 * are like, not those in them.
 *
 * Linear in classes times attributes for each level of the division; 8 bytes a class and 16 a value
 * of the largest attribute beside what `local` has.
 */
#include "records/apply/holdout.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/vector.h"
#include "records/methods/methods.h"
#include "records/metrics/costs.h"

enum { ASK_EVERY = 256 /* boxes */, THIN = 2 /* boxes with fewer rows held out are */ };

static const double BIT = 1048576;

/* A box in the making, and the classes in it. */
typedef struct node {
    int64_t from, to;
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
} node;

typedef struct division {
    const tacit__local *local;
    const uint32_t *drawn;
    tacit__local_layout *out;
    uint32_t *order;   /* classes, those of a box together */
    uint32_t *sorted;  /* while they are put together */
    uint32_t *rows;    /* number of an attribute -> rows held out; zeros between uses */
    uint32_t *classes; /* number of an attribute -> classes; the same */
    uint32_t *seen;    /* numbers that occur */
    int64_t seen_count;
    node *stack;
    size_t stack_count, stack_capacity;
    double whole; /* what a row costs in the box of everything */
} division;

/* ---- who is held out ---- */

static tacit_status draw_holdout(uint32_t **out, const tacit__local *local, tacit_error *err)
{
    int64_t classes = local->classes->groups.count;
    uint32_t one_of = local->k < UINT32_MAX / TACIT__HOLDOUT_ONE_OF
                          ? (uint32_t)local->k * TACIT__HOLDOUT_ONE_OF
                          : UINT32_MAX;
    tacit__random random;
    uint32_t *drawn = tacit__alloc_zeroed((size_t)classes, sizeof *drawn);
    if (!drawn)
        return tacit__nomem(err);
    tacit__random_init(&random, local->run, "side", 0);
    for (int64_t c = 0; c < classes; c++)
        for (uint32_t row = 0; row < local->rows[c]; row++)
            drawn[c] += tacit__random_below(&random, one_of) == 0;
    *out = drawn;
    return TACIT_OK;
}

/* ---- dividing ---- */

/* Counts the classes of a box by their values on a level of an attribute. */
static void count(division *d, const node *n, int32_t attribute, int level)
{
    d->seen_count = 0;
    for (int64_t i = n->from; i < n->to; i++) {
        uint32_t number = tacit__local_number(d->local, d->order[i], attribute, level);
        if (d->classes[number]++ == 0)
            d->seen[d->seen_count++] = number;
        d->rows[number] += d->drawn[d->order[i]];
    }
}

static void forget(division *d)
{
    for (int64_t i = 0; i < d->seen_count; i++)
        d->rows[d->seen[i]] = d->classes[d->seen[i]] = 0;
}

/* In parts of a bit: whole numbers add up alike in any order, and the order of values is that of
 * the rows that are released, too. */
static int64_t n_log_n(int64_t n)
{
    return n > 0 ? llround((double)n * log2((double)n) * BIT) : 0;
}

/* What dividing a box by an attribute is worth to the rows held out in it, for the bits that it
 * spends; 0 or less: nothing. Rows in parts that are too thin lose all that they had. */
static double worth(division *d, const node *n, int32_t attribute, double cost)
{
    int level = n->levels[attribute];
    int64_t kept = 0, lost = 0, bits = 0;
    if (level == d->local->floor[attribute])
        return 0;
    count(d, n, attribute, level - 1);
    /* what a level costs is the same for all values: see tacit__holdout_solve */
    double step =
        d->local->costs.of[attribute][level]
                          [tacit__local_number(d->local, d->order[n->from], attribute, level)] -
        d->local->costs.of[attribute][level - 1][d->seen[0]];
    for (int64_t i = 0; i < d->seen_count; i++) {
        uint32_t rows = d->rows[d->seen[i]];
        kept += rows >= THIN ? rows : 0;
        lost += rows >= THIN ? 0 : rows;
        bits += n_log_n(rows);
    }
    forget(d);
    if (kept == 0)
        return 0;
    double spent = (double)(n_log_n(kept + lost) - bits) / BIT + 0.5 * (double)(kept + lost);
    /* that nothing is saved now says nothing of later */
    return ((double)kept * (step + 1e-9) - (double)lost * (d->whole - cost)) / spent;
}

static tacit_status push(division *d, const node *n, tacit_error *err)
{
    return TACIT__PUSH(d->stack, d->stack_capacity, d->stack_count, *n) ? TACIT_OK
                                                                        : tacit__nomem(err);
}

/* Puts the classes of each part together, and the parts on the stack. */
static tacit_status divide(division *d, const node *n, int32_t attribute, tacit_error *err)
{
    node part = *n;
    int64_t at = n->from;
    int level = --part.levels[attribute];
    tacit_status status = TACIT_OK;
    count(d, n, attribute, level);
    for (int64_t i = 0; i < d->seen_count && status == TACIT_OK; i++) {
        uint32_t *classes = &d->classes[d->seen[i]];
        part.from = at;
        part.to = at += *classes;
        *classes = (uint32_t)part.from;
        status = push(d, &part, err);
    }
    for (int64_t i = n->from; i < n->to && status == TACIT_OK; i++) {
        uint32_t number = tacit__local_number(d->local, d->order[i], attribute, level);
        d->sorted[d->classes[number]++] = d->order[i];
    }
    if (status == TACIT_OK)
        memcpy(d->order + n->from, d->sorted + n->from,
               (size_t)(n->to - n->from) * sizeof *d->order);
    forget(d);
    return status;
}

/* ---- boxes ---- */

/* Rows of a class that are not held out. */
static uint32_t others(const division *d, uint32_t class_index)
{
    return d->local->people[class_index] - d->drawn[class_index];
}

/* Releases a box, if the rows in it are k; otherwise they are drawn in with those held out. */
static tacit_status release(division *d, const node *n, uint32_t *left_out, tacit_error *err)
{
    int64_t people = 0;
    tacit_status status = TACIT_OK;
    for (int64_t i = n->from; i < n->to; i++)
        people += others(d, d->order[i]);
    bool kept = people >= d->local->k;
    if (kept)
        status = tacit__layout_open(d->out, n->levels, d->local->attributes, err);
    for (int64_t i = n->from; i < n->to && status == TACIT_OK; i++) {
        uint32_t class_index = d->order[i], leaving = others(d, class_index);
        left_out[class_index] = d->drawn[class_index] + (kept ? 0 : leaving);
        if (kept && leaving)
            status = tacit__layout_add(d->out, (tacit__share){class_index, leaving}, err);
    }
    return status;
}

/* Divides a box by what is worth most, or releases it. */
static tacit_status settle(division *d, const node *n, uint32_t *left_out, tacit_error *err)
{
    double cost = tacit__local_cost(d->local, d->order[n->from], n->levels), best = 0;
    int32_t chosen = -1;
    for (int32_t a = 0; a < d->local->attributes; a++) {
        double here = worth(d, n, a, cost);
        if (here > best) {
            best = here;
            chosen = a;
        }
    }
    return chosen >= 0 ? divide(d, n, chosen, err) : release(d, n, left_out, err);
}

/* The box of everything, for those who are left out. */
static tacit_status leave_out(division *d, const node *top, const uint32_t *left_out,
                              tacit_error *err)
{
    bool open = false;
    tacit_status status = TACIT_OK;
    for (int64_t c = 0; c < d->local->classes->groups.count && status == TACIT_OK; c++) {
        if (left_out[c] == 0)
            continue;
        if (!open)
            status = tacit__layout_open(d->out, top->levels, d->local->attributes, err);
        open = true;
        if (status == TACIT_OK)
            status = tacit__layout_add(d->out, (tacit__share){(uint32_t)c, left_out[c]}, err);
    }
    return status;
}

static tacit_status divide_all(division *d, tacit_error *err)
{
    int64_t classes = d->local->classes->groups.count, done = 0;
    node top = {.to = classes};
    uint32_t *left_out = tacit__alloc_zeroed((size_t)classes, sizeof *left_out);
    tacit_status status = left_out ? TACIT_OK : tacit__nomem(err);
    for (int32_t a = 0; a < d->local->attributes; a++)
        top.levels[a] = (uint8_t)d->local->height[a];
    if (status == TACIT_OK) {
        d->whole = tacit__local_cost(d->local, 0, top.levels);
        status = push(d, &top, err);
    }
    while (status == TACIT_OK && d->stack_count > 0) {
        node n = d->stack[--d->stack_count];
        if (done++ % ASK_EVERY == 0)
            status = tacit__progress(d->local->run, "dividing", done, 0, err);
        if (status == TACIT_OK)
            status = settle(d, &n, left_out, err);
    }
    if (status == TACIT_OK)
        status = leave_out(d, &top, left_out, err);
    tacit__free(left_out);
    return status;
}

static tacit_status division_init(division *d, tacit_error *err)
{
    size_t classes = (size_t)d->local->classes->groups.count, values = d->local->values;
    d->order = tacit__alloc_array(classes, sizeof *d->order);
    d->sorted = tacit__alloc_array(classes, sizeof *d->sorted);
    d->rows = tacit__alloc_zeroed(values, sizeof *d->rows);
    d->classes = tacit__alloc_zeroed(values, sizeof *d->classes);
    d->seen = tacit__alloc_array(values, sizeof *d->seen);
    if (!d->order || !d->sorted || !d->rows || !d->classes || !d->seen)
        return tacit__nomem(err);
    for (size_t c = 0; c < classes; c++)
        d->order[c] = (uint32_t)c;
    return TACIT_OK;
}

tacit_status tacit__holdout_layout(tacit__local_layout *out, const tacit__local *local,
                                   const uint32_t *drawn, tacit_error *err)
{
    tacit__local_layout layout = {0};
    division d = {.local = local, .drawn = drawn, .out = &layout};
    tacit_status status = division_init(&d, err);
    if (status == TACIT_OK)
        status = divide_all(&d, err);
    tacit__free(d.order);
    tacit__free(d.sorted);
    tacit__free(d.rows);
    tacit__free(d.classes);
    tacit__free(d.seen);
    tacit__free(d.stack);
    if (status == TACIT_OK)
        *out = layout;
    else
        tacit__layout_clear(&layout);
    return status;
}

/* ---- the method ---- */

static bool has_star(const tacit_hierarchy *hierarchy)
{
    return tacit__is_star(hierarchy, tacit_hierarchy_height(hierarchy), 0);
}

static tacit_status check(const tacit_frame *frame, const tacit_records_options *options,
                          tacit_error *err)
{
    if (frame->person >= 0 || frame->model_count > 0)
        return tacit__error(err, TACIT_INVALID,
                            "a release that resists an adversary who knows the method keeps k of "
                            "rows and nothing else: it allows no person column, and no promises "
                            "about sensitive values or a population");
    if (!options->drop_suppressed)
        return tacit__error(err, TACIT_INVALID,
                            "a release that resists an adversary who knows the method leaves rows "
                            "out; allow that with suppressed: drop (--suppressed drop)");
    for (int32_t a = 0; a < frame->attribute_count; a++)
        if (!has_star(frame->attributes[a].hierarchy))
            return tacit__error(
                err, TACIT_INVALID,
                "a release that resists an adversary who knows the method leaves rows out, which "
                "needs a suppressed value on top of every hierarchy");
    return TACIT_OK;
}

tacit_status tacit__holdout_solve(tacit_solution **out, const tacit_frame *frame,
                                  const tacit_records_options *options, const tacit_run *run,
                                  tacit_error *err)
{
    tacit__local local;
    tacit__local_found found = {.bound = NAN};
    tacit_records_options asked = *options;
    /* other costs than those of levels depend on the values of all rows */
    if (options->metric != TACIT_METRIC_WEIGHTED)
        asked.metric = TACIT_METRIC_PREC;
    uint32_t *drawn = NULL;
    tacit_status status = tacit__request_check(frame, options, err);
    if (status == TACIT_OK)
        status = check(frame, options, err);
    if (status == TACIT_OK)
        status = tacit__local_init(&local, frame, &asked, run, err);
    if (status != TACIT_OK)
        return status;
    status = draw_holdout(&drawn, &local, err);
    if (status == TACIT_OK)
        status = tacit__holdout_layout(&found.layout, &local, drawn, err);
    found.boxes = found.layout.boxes;
    if (status == TACIT_OK)
        status = tacit__local_conclude(out, &found, &local, err);
    tacit__free(drawn);
    tacit__layout_clear(&found.layout);
    tacit__local_clear(&local);
    return status;
}
