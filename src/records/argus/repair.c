/*
 * repair.c - suppression by cells that keeps k, with few cells: what chapter 7
 * of Sweeney, Computational Disclosure Control, asks for under future work (7.6,
 * points 2, 3, 5 and 7).
 *
 * A record must lose one value of each of its outliers: it must be covered by the
 * suppressed attributes. A set of attributes covers a record exactly if k people
 * agree with it in all others, so covers need no list of outliers: patterns of
 * suppressed attributes are tried in the order of their size, all of one size
 * before any of the next, and the first that leaves a record k people is its
 * smallest cover (ties: less loss in Prec, then the first attributes). That is
 * set covering by exhaustion, for all records at once.
 *
 * The summary attack (7.3.3) wants suppressed values to keep k as well, so a
 * record's cover is of use only if k records share it. Groups are therefore closed
 * greedily, as in weighted set covering: always the one with the fewest cells for
 * each record that it saves. If fewer than k records want a pattern, records that
 * stand out nowhere may fill it up, and their cells count too: as many as are
 * missing, if classes that keep k can spare them, otherwise the smallest class as a
 * whole. A pattern keeps the price of its cheapest group as of the last look; prices
 * hardly ever fall, since records only leave, so a pattern is looked at again only
 * when its price is the lowest. What remains when nobody is left to fill up with
 * joins closed groups (merge.c).
 *
 * A look costs the open classes and the donors; of 2^m patterns mostly those of two
 * or three attributes are looked at, a few times each. Looks at patterns of one
 * price are independent and run on all cores; groups are closed in order.
 */
#include "records/argus/repair.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

/* Each worker has a table of its own, so more would cost memory. */
enum { MOST_WORKERS = 8 };

/* ---- patterns ---- */

static int by_size(const void *a, const void *b)
{
    const tacit__argus_pattern *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->loss != y->loss)
        return x->loss < y->loss ? -1 : 1;
    return x->stars < y->stars ? -1 : x->stars > y->stars;
}

/* What a row loses in Prec when an attribute is suppressed. */
static double loss_of(const tacit__argus_view *view, int32_t attribute)
{
    int level = tacit_classes_levels(view->classes)[attribute];
    int height = tacit_hierarchy_height(view->frame->attributes[attribute].hierarchy);
    return (double)(height - level) / height;
}

static tacit__argus_pattern pattern_of(const tacit__argus_view *view, uint64_t number)
{
    tacit__argus_pattern pattern = {0};
    for (int32_t a = 0; a < view->attributes; a++) {
        if (!(view->free >> a & 1))
            continue;
        if (number & 1) {
            pattern.stars |= UINT64_C(1) << a;
            pattern.loss += loss_of(view, a);
            pattern.size++;
        }
        number >>= 1;
    }
    pattern.price = INT64_C(8) * pattern.size; /* of a group that needs no donors */
    return pattern;
}

static tacit_status make_patterns(tacit__argus_repairs *r, tacit_error *err)
{
    r->pattern_count = (INT64_C(1) << __builtin_popcountll(r->view->free)) - 1;
    r->patterns = tacit__alloc_array((size_t)r->pattern_count, sizeof *r->patterns);
    if (!r->patterns)
        return tacit__nomem(err);
    for (int64_t i = 0; i < r->pattern_count; i++)
        r->patterns[i] = pattern_of(r->view, (uint64_t)i + 1);
    qsort(r->patterns, (size_t)r->pattern_count, sizeof *r->patterns, by_size);
    return TACIT_OK;
}

/* ---- the state ---- */

static tacit_status prepare_covers(tacit__argus_repairs *r, tacit_error *err)
{
    size_t count = (size_t)r->view->count;
    r->all = tacit__alloc_array(count, sizeof *r->all);
    r->covers = tacit__alloc_array(count, sizeof *r->covers);
    if (!r->all || !r->covers)
        return tacit__nomem(err);
    memset(r->covers, 0xff, count * sizeof *r->covers);
    for (size_t c = 0; c < count; c++)
        r->all[c] = (uint32_t)c;
    return TACIT_OK;
}

static tacit_status repairs_init(tacit__argus_repairs *r, tacit_error *err)
{
    const tacit__argus_view *view = r->view;
    size_t count = (size_t)view->count;
    r->open = tacit__alloc_array(count, sizeof *r->open);
    r->donors = tacit__alloc_array(count, sizeof *r->donors);
    r->left = tacit__alloc_array(count, sizeof *r->left);
    r->plan->stars = tacit__alloc_zeroed(count, sizeof *r->plan->stars);
    if (!r->open || !r->donors || !r->left || !r->plan->stars)
        return tacit__nomem(err);
    memcpy(r->left, view->people, count * sizeof *r->left);
    for (int64_t c = 0; c < view->count; c++)
        if (view->people[c] < view->k)
            r->open[r->open_count++] = (uint32_t)c;
        else
            r->donors[r->donor_count++] = (uint32_t)c;
    return r->open_count > 0 ? make_patterns(r, err) : TACIT_OK;
}

static void repairs_clear(tacit__argus_repairs *r)
{
    tacit__free(r->patterns);
    tacit__free(r->open);
    tacit__free(r->donors);
    tacit__free(r->left);
    tacit__free(r->all);
    tacit__free(r->covers);
}

/* ---- looking at the patterns of one price ---- */

typedef struct round {
    tacit__argus_repairs *r;
    tacit__argus_look *looks; /* a worker each */
    int64_t *patterns;        /* those of the price */
    int64_t count;
} round;

/* Notes whom the pattern covers; workers agree on the first of several. */
static void note_covers(tacit__argus_repairs *r, tacit__argus_look *look, int64_t pattern)
{
    tacit__argus_look_around(look, r);
    for (int64_t i = 0; i < r->open_count; i++) {
        if (look->list[look->open_in[i]].everybody < r->view->k)
            continue;
        _Atomic uint32_t *cover = (_Atomic uint32_t *)&r->covers[r->open[i]];
        uint32_t known = atomic_load_explicit(cover, memory_order_relaxed);
        while (known > pattern && !atomic_compare_exchange_weak(cover, &known, (uint32_t)pattern))
            ;
    }
}

static tacit_status look_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)err;
    round *now = context;
    tacit__argus_repairs *r = now->r;
    tacit__argus_look *look = &now->looks[worker];
    tacit__argus_pattern *pattern = &r->patterns[now->patterns[task]];
    int64_t cheapest = TACIT__ARGUS_DEAR;
    tacit__argus_look_at(look, r, pattern);
    if (!pattern->looked_at && r->all)
        note_covers(r, look, now->patterns[task]);
    for (int64_t g = 0; g < look->groups.count; g++) {
        int64_t price = tacit__argus_price(r, pattern, &look->list[g]);
        cheapest = price < cheapest ? price : cheapest;
    }
    pattern->looked_at = true;
    pattern->price = cheapest;
    return TACIT_OK;
}

/* Lists the patterns of the lowest price; returns it. */
static int64_t list_cheapest(round *now)
{
    const tacit__argus_repairs *r = now->r;
    int64_t price = TACIT__ARGUS_DEAR;
    for (int64_t i = 0; i < r->pattern_count; i++)
        price = r->patterns[i].price < price ? r->patterns[i].price : price;
    now->count = 0;
    for (int64_t i = 0; i < r->pattern_count; i++)
        if (r->patterns[i].price == price)
            now->patterns[now->count++] = i;
    return price;
}

static tacit_status run_rounds(round *now, const tacit_run *run, tacit_error *err)
{
    tacit__argus_repairs *r = now->r;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && r->open_count > 0) {
        int64_t price = list_cheapest(now);
        if (price == TACIT__ARGUS_DEAR)
            return tacit__argus_merge(r, err);
        status = tacit__parallel(run, "suppressing", now->count, look_task, now, err);
        for (int64_t i = 0; status == TACIT_OK && i < now->count; i++) {
            tacit__argus_pattern *pattern = &r->patterns[now->patterns[i]];
            if (pattern->price <= price)
                status = tacit__argus_take(r, &now->looks[0], pattern, price, err);
        }
    }
    return status;
}

static tacit_status suppress(tacit__argus_repairs *r, const tacit_run *run, tacit_error *err)
{
    tacit_run mine = *run;
    mine.threads = tacit__threads(run) < MOST_WORKERS ? tacit__threads(run) : MOST_WORKERS;
    round now = {.r = r};
    now.looks = tacit__alloc_zeroed((size_t)mine.threads, sizeof *now.looks);
    now.patterns = tacit__alloc_array((size_t)r->pattern_count, sizeof *now.patterns);
    tacit_status status = now.looks && now.patterns ? TACIT_OK : tacit__nomem(err);
    for (int i = 0; status == TACIT_OK && i < mine.threads; i++)
        status = tacit__argus_look_init(&now.looks[i], r, err);
    if (status == TACIT_OK)
        status = run_rounds(&now, &mine, err);
    for (int i = 0; now.looks && i < mine.threads; i++)
        tacit__argus_look_clear(&now.looks[i]);
    tacit__free(now.looks);
    tacit__free(now.patterns);
    return status;
}

/* The sum of the smallest covers, in cells. */
static int64_t least_cells(const tacit__argus_repairs *r)
{
    int64_t cells = 0;
    for (int64_t c = 0; r->covers && c < r->view->count; c++)
        if (r->view->people[c] < r->view->k)
            cells += (int64_t)r->view->rows[c] * r->patterns[r->covers[c]].size;
    return cells;
}

tacit_status tacit__argus_repair(tacit__argus_plan *plan, const tacit__argus_view *view,
                                 bool covers, const tacit_run *run, tacit_error *err)
{
    tacit__argus_plan made = {0};
    tacit__argus_repairs r = {.view = view, .plan = &made, .split = view->frame->person < 0};
    tacit_status status = repairs_init(&r, err);
    if (status == TACIT_OK && covers)
        status = prepare_covers(&r, err);
    if (status == TACIT_OK && r.open_count > 0)
        status = suppress(&r, run, err);
    if (status == TACIT_OK) {
        made.least_cells = least_cells(&r);
        *plan = made;
    } else {
        tacit__argus_plan_clear(&made);
    }
    repairs_clear(&r);
    return status;
}
