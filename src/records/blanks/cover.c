/*
 * cover.c - good blanks for tables of any size.
 *
 * One row that is blank in a few columns agrees with all rows that differ from it only there, so a
 * few blanks make many rows safe: a weighted set multicover, of classes in need by boxes (cover.h).
 * Steps:
 *
 *   1. Boxes of every set of columns that limits allow, as far as they can be afforded
 *      (cover_boxes.c).
 *   2. Donors by a greedy (cover_greedy.c). Where it uses up a column and rows stay open, again
 * with blanks there a little dearer, a few times.
 *   3. Where there are more sets than were looked at: donors whose blanks are grown. And where
 *      limits allow it k - 1 whole rows, the paper's bound (2.1). The cheapest stays.
 *   4. A lower bound by packing.
 *   5. Improvement: some donors taken away and replaced, again and again.
 *   6. Rows that no box of k rows holds are paired with their nearest (cover_pairs.c).
 *   7. In tables of a few dozen rows: rows share blanks.
 *
 * Cost follows the classes in need times the sets of columns, and a look at every class for each
 * set. Effort is counted, never timed; nothing depends on threads.
 *
 * The bound: rows in need that can hardly share a blank pay separately. Every row of a class in
 * need, of c rows, has blanks or agrees with k - c donors whose boxes it is in. Relaxed, a donor
 * gives 1 to each row in need of its box but those of its class, and k - c to itself. So amounts y,
 * one for each row in need, make sum (k - c) y a bound where for no box
 *
 *     sum of y over its rows in need + the largest (k - 2 c) y of them, if above 0
 *
 * is above the least cost of its blanks: a solution of the dual of the covering program. In boxes
 * of n < k rows that holds where no y is above cost / (n + k - 2), which every class in need has
 * noted (its share); in the others amounts are raised class by class, those in the emptiest boxes
 * first, as far as they go. Lower limits for y let more rows have one: a few are tried. Only where
 * every set of columns within the limit is there. A look at every class in need for each set, a few
 * times.
 *
 * Sharing: some rows lose their blanks; rows that agree with too few are made to agree with the
 * nearest, cell by cell in the cheaper row, mostly, and by chance where it costs the same; then
 * blanks that became needless are filled. What costs no more stays. All rows are compared with each
 * other, so this is for a few dozen of them, where rows that share the columns in which they differ
 * save what boxes cannot; the number of attempts makes up for it, so that no table takes long.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "records/blanks/cover.h"

/* ---- donors to begin with ---- */

enum {
    ROUNDS = 16,       /* of the greedy while columns are used up */
    GROW_MAX = 1 << 28 /* classes looked at while blanks are grown */
};

static const double RISE = 1.1; /* of the price of blanks in a column that is used up */

static void remove_donors(tacit__covering *cover)
{
    for (uint32_t i = 0; i < cover->donor_count; i++)
        if (cover->donors[i].mask)
            tacit__covering_change(cover, i, 0);
    cover->cost = 0;
    cover->opened_count = 0;
}

/* Dearer blanks where a column has no room left; whether there is one. */
static bool raise_prices(tacit__covering *cover)
{
    bool raised = false;
    for (int32_t c = 0; c < cover->tableau->columns; c++)
        if (cover->used[c] >= cover->tableau->most_column) {
            cover->price[c] *= RISE;
            cover->priced = raised = true;
        }
    return raised;
}

static tacit_status cover_once(tacit__covering *cover, double most, tacit_error *err)
{
    tacit__covering_queue queue = {0};
    for (uint32_t b = 0; b < cover->boxes; b++)
        tacit__covering_offer(&queue, cover, b);
    tacit_status status = tacit__covering_greedy(cover, &queue, most, err);
    tacit__free(queue.offers);
    return status;
}

/* Boxes, but for where they cost more than `most`. */
static tacit_status cover_boxes(tacit__covering *cover, double most, tacit_error *err)
{
    tacit_status status = cover_once(cover, most, err);
    for (int i = 1; status == TACIT_OK && i < ROUNDS && cover->open > 0 && raise_prices(cover);
         i++) {
        remove_donors(cover);
        status = cover_once(cover, most, err);
    }
    return status == TACIT_OK ? tacit__covering_fill_all(cover, err) : status;
}

/* Donors that are put aside while others are tried. */
typedef struct saved_start {
    tacit__donor *donors;
    uint32_t count;
    double cost;
    int64_t open;
} saved_start;

static tacit_status save_start(saved_start *s, const tacit__covering *cover, tacit_error *err)
{
    *s = (saved_start){.count = cover->donor_count, .cost = cover->cost, .open = cover->open};
    s->donors = tacit__alloc_array(s->count, sizeof *s->donors);
    if (!s->donors)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < s->count; i++)
        s->donors[i] = cover->donors[i];
    return TACIT_OK;
}

static void restore_start(tacit__covering *cover, const saved_start *s)
{
    remove_donors(cover);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->donors[i].mask)
            tacit__covering_add(cover, s->donors[i].class_index, s->donors[i].proxy,
                                s->donors[i].mask);
}

/* Grown donors instead, where they are better and cost no more than `most`. */
static tacit_status try_growing(tacit__covering *cover, double most, tacit_error *err)
{
    saved_start boxes;
    tacit_status status = save_start(&boxes, cover, err);
    if (status != TACIT_OK)
        return status;
    remove_donors(cover);
    status = tacit__covering_grow(cover, GROW_MAX, boxes.open > 0 ? most : boxes.cost, err);
    if (status == TACIT_OK)
        status = tacit__covering_fill_all(cover, err);
    if (status == TACIT_OK &&
        (cover->open > boxes.open || (cover->open == boxes.open && cover->cost >= boxes.cost)))
        restore_start(cover, &boxes);
    tacit__free(boxes.donors);
    return status;
}

/* A class with what its rows cost as a whole; or one in need with the rows in need of its most
 * crowded box, for their cost. */
typedef struct ranked {
    double key;
    uint32_t index;
} ranked;

static int by_rank(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static tacit_status order_wholes(ranked **out, const tacit__tableau *t, tacit_error *err)
{
    uint64_t all = UINT64_MAX >> (64 - t->columns);
    ranked *classes = tacit__alloc_array((size_t)t->classes, sizeof *classes);
    if (!classes)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < t->classes; i++)
        classes[i] = (ranked){.key = tacit__tableau_cost(t, i, all), .index = i};
    if (!t->unit)
        qsort(classes, (size_t)t->classes, sizeof *classes, by_rank);
    *out = classes;
    return TACIT_OK;
}

/* What the k - 1 cheapest rows cost; makes them donors where there is a cover. */
static double take_wholes(tacit__covering *cover, const tacit__tableau *t, const ranked *classes)
{
    uint64_t all = UINT64_MAX >> (64 - t->columns);
    double cost = 0;
    int64_t left = t->k - 1;
    for (const ranked *w = classes; left > 0; w++)
        for (int64_t i = 0; i < t->counts[w->index] && left > 0; i++, left--) {
            cost += w->key;
            if (cover)
                tacit__covering_add(cover, w->index, TACIT__NONE, all);
        }
    return cost;
}

static tacit_status try_whole(tacit__covering *cover, const ranked *classes, double cost,
                              tacit_error *err)
{
    if (!classes || (cover->open == 0 && cover->cost <= cost))
        return TACIT_OK;
    remove_donors(cover);
    take_wholes(cover, cover->tableau, classes);
    return tacit__covering_fill_all(cover, err);
}

/* The best donors to begin with. Rows may stay open. */
static tacit_status choose_donors(tacit__covering *cover, tacit_error *err)
{
    const tacit__tableau *t = cover->tableau;
    ranked *classes = NULL;
    double most = HUGE_VAL;
    tacit_status status = TACIT_OK;
    if (tacit__covering_whole(t)) {
        status = order_wholes(&classes, t, err);
        if (status == TACIT_OK)
            most = take_wholes(NULL, t, classes);
    }
    if (status == TACIT_OK)
        status = cover_boxes(cover, most, err);
    if (status == TACIT_OK && !cover->complete)
        status = try_growing(cover, most, err);
    if (status == TACIT_OK)
        status = try_whole(cover, classes, most, err);
    tacit__free(classes);
    return status;
}

/* ---- the bound ---- */

/* Limits for y: so many, each this part of the one before. */
enum { TRIALS = 6 };
static const double STEP = 0.65;

static int64_t rows_of(const tacit__covering *cover, uint32_t need)
{
    return cover->tableau->counts[cover->class_of[need]];
}

static void count_crowds(double *crowd, const tacit__covering *cover)
{
    for (uint32_t b = 0; b < cover->boxes; b++) {
        crowd[b] = 0;
        for (uint32_t m = cover->start[b]; m < cover->start[b + 1]; m++)
            crowd[b] += (double)rows_of(cover, cover->members[m]);
    }
}

static void order_turns(ranked *turns, const double *crowd, const tacit__covering *cover)
{
    for (uint32_t i = 0; i < cover->needs; i++) {
        turns[i] = (ranked){.index = i};
        for (uint32_t s = 0; s < cover->sets; s++) {
            double in = crowd[tacit__covering_box(cover, i, s)] / cover->least[s];
            turns[i].key = in > turns[i].key ? in : turns[i].key;
        }
    }
    qsort(turns, cover->needs, sizeof *turns, by_rank);
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

/* What a box has left of the cost of its blanks, and the largest (k - 2 c) y in it. */
typedef struct purse {
    double left;
    double extra;
} purse;

/* The bound with amounts of at most `most`. */
static double pack(const tacit__covering *cover, const ranked *turns, purse *purses, double most)
{
    double k = (double)cover->tableau->k, bound = 0;
    for (uint32_t b = 0; b < cover->boxes; b++)
        purses[b] = (purse){.left = cover->least[cover->set_of[b]]};
    purses[TACIT__WEAK_BOX].left = HUGE_VAL;
    for (uint32_t i = 0; i < cover->needs; i++) {
        uint32_t need = turns[i].index;
        const uint32_t *box = cover->box_of + (size_t)need * cover->sets;
        double rows = (double)rows_of(cover, need), own = k > 2 * rows ? k - 2 * rows : 0;
        double amount = lesser(most, cover->share[need]);
        for (uint32_t s = 0; s < cover->sets; s++) {
            const purse *p = &purses[box[s]];
            amount = lesser(amount, lesser((p->left - p->extra) / rows, p->left / (rows + own)));
        }
        if (amount <= 0)
            continue;
        for (uint32_t s = 0; s < cover->sets; s++) {
            purse *p = &purses[box[s]];
            p->left -= amount * rows;
            p->extra = p->extra > own * amount ? p->extra : own * amount;
        }
        bound += amount * rows * (k - rows);
    }
    return bound;
}

/* A cost that no blanks within the limits are below; only where sets are complete. */
static tacit_status bound_by_packing(double *out, const tacit__covering *cover, tacit_error *err)
{
    double *crowd = tacit__alloc_array(cover->boxes, sizeof *crowd), best = 0;
    purse *purses = tacit__alloc_array(cover->boxes, sizeof *purses);
    ranked *turns = tacit__alloc_array(cover->needs, sizeof *turns);
    tacit_status status = crowd && purses && turns ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        count_crowds(crowd, cover);
        order_turns(turns, crowd, cover);
        double most = cover->least_cell / (double)(cover->tableau->k - 1);
        for (int i = 0; cover->needs > 0 && i < TRIALS; i++, most *= STEP)
            best = fmax(best, pack(cover, turns, purses, most));
        *out = best;
    }
    tacit__free(crowd);
    tacit__free(purses);
    tacit__free(turns);
    return status;
}

/* ---- tables of a few rows ---- */

enum {
    SMALL_ROWS = 48, /* of tables in which rows share blanks */
    ATTEMPTS_WORK = 1 << 21,
    MAX_ATTEMPTS = 2000,
    SMALL_ASK_EVERY = 64
};

typedef struct rows {
    int count;
    double cost;
    uint64_t mask[SMALL_ROWS];
    int64_t alpha[SMALL_ROWS];
    int64_t used[64];
} rows;

typedef struct small {
    const tacit__tableau *t;
    uint32_t class_of[SMALL_ROWS];
    uint64_t differ[SMALL_ROWS][SMALL_ROWS];
    uint64_t chance;
} small;

static uint32_t draw_below(small *s, uint32_t below)
{
    return (uint32_t)(tacit__mix(++s->chance) % below);
}

static double cell_cost(const small *s, int row, int column)
{
    return s->t->costs[(int64_t)s->class_of[row] * s->t->columns + column];
}

static void set_row_mask(const small *s, rows *r, int row, uint64_t mask)
{
    uint64_t before = r->mask[row];
    for (int j = 0; j < r->count; j++) {
        uint64_t apart = s->differ[row][j] & ~r->mask[j];
        int change = !(apart & ~mask) - !(apart & ~before);
        r->alpha[j] += j == row ? 0 : change;
        r->alpha[row] += j == row ? 0 : change;
    }
    for (int32_t c = 0; c < s->t->columns; c++) {
        int change = (int)(mask >> c & 1) - (int)(before >> c & 1);
        r->used[c] += change;
        r->cost += change * cell_cost(s, row, c);
    }
    r->mask[row] = mask;
}

/* Whether a row may have one more blank. */
static bool allows(const small *s, const rows *r, int row, int column)
{
    return __builtin_popcountll(r->mask[row]) < s->t->most_row &&
           r->used[column] < s->t->most_column;
}

/* Makes two rows agree, cell by cell in the row where it costs less; false where limits forbid
 * it. */
static bool join(small *s, rows *r, int i, int j)
{
    uint64_t apart = s->differ[i][j] & ~(r->mask[i] | r->mask[j]);
    for (; apart; apart &= apart - 1) {
        int c = __builtin_ctzll(apart);
        bool first = allows(s, r, i, c), second = allows(s, r, j, c);
        double more = cell_cost(s, i, c) - cell_cost(s, j, c);
        if (!first && !second)
            return false;
        if (first && second)
            first = draw_below(s, 8) == 0 ? draw_below(s, 2) == 0
                                          : more < 0 || (more <= 0 && draw_below(s, 3) > 0);
        int row = first ? i : j;
        set_row_mask(s, r, row, r->mask[row] | UINT64_C(1) << c);
    }
    return true;
}

/* What it costs at least to make rows agree, a little lower by chance; 0 where they do. */
static double distance(small *s, const rows *r, int i, int j)
{
    double sum = 0;
    uint64_t apart = s->differ[i][j] & ~(r->mask[i] | r->mask[j]);
    for (; apart; apart &= apart - 1) {
        int c = __builtin_ctzll(apart);
        double a = cell_cost(s, i, c), b = cell_cost(s, j, c);
        sum += a < b ? a : b;
    }
    return sum * (1 - 0.001 * draw_below(s, 300));
}

/* Lets a row agree with one more, the nearest that will; false where none does. */
static bool help_row(small *s, rows *r, int row)
{
    uint64_t tried = 0;
    for (;;) {
        double least = 0;
        int nearest = -1;
        for (int j = 0; j < r->count; j++) {
            double far = tried >> j & 1 ? 0 : distance(s, r, row, j);
            if (far > 0 && (nearest < 0 || far < least)) {
                least = far;
                nearest = j;
            }
        }
        if (nearest < 0)
            return false;
        rows before = *r;
        if (join(s, r, row, nearest))
            return true;
        *r = before;
        tried |= UINT64_C(1) << nearest;
    }
}

static bool repair(small *s, rows *r)
{
    int first = (int)draw_below(s, (uint32_t)r->count);
    for (int i = 0; i < r->count; i++) {
        int row = (first + i) % r->count;
        while (r->alpha[row] < s->t->k)
            if (!help_row(s, r, row))
                return false;
    }
    return true;
}

static bool needless(const small *s, const rows *r, int row, uint64_t mask)
{
    int64_t lost = 0;
    for (int j = 0; j < r->count; j++) {
        uint64_t apart = s->differ[row][j] & ~r->mask[j];
        if ((apart & ~r->mask[row]) || !(apart & ~mask))
            continue;
        lost++;
        if (r->alpha[j] <= s->t->k)
            return false;
    }
    return r->alpha[row] - lost >= s->t->k;
}

/* Fills needless blanks, beginning anywhere. */
static void fill_needless(small *s, rows *r)
{
    int columns = s->t->columns, cells = r->count * columns;
    int first = (int)draw_below(s, (uint32_t)cells);
    for (int i = 0; i < cells; i++) {
        int cell = (first + i) % cells, row = cell / columns;
        uint64_t mask = r->mask[row] & ~(UINT64_C(1) << cell % columns);
        if (mask != r->mask[row] && needless(s, r, row, mask))
            set_row_mask(s, r, row, mask);
    }
}

/* Fewer blanks: none of a few rows, or none at all. */
static void ruin(small *s, rows *r)
{
    int away = 1 + (int)draw_below(s, 3);
    bool all = draw_below(s, 8) == 0;
    for (int i = 0; i < (all ? r->count : away); i++)
        set_row_mask(s, r, all ? i : (int)draw_below(s, (uint32_t)r->count), 0);
}

static void start_rows(small *s, rows *r, const tacit__blanking *plan)
{
    for (int64_t i = 0; i < s->t->classes; i++)
        for (int64_t row = 0; row < s->t->counts[i]; row++)
            s->class_of[r->count++] = (uint32_t)i;
    for (int i = 0; i < r->count; i++)
        for (int j = 0; j < r->count; j++) {
            s->differ[i][j] = tacit__tableau_differ(s->t, s->class_of[i], s->class_of[j]);
            r->alpha[i] += !s->differ[i][j];
        }
    for (int64_t b = 0; b < plan->count; b++)
        for (int64_t row = 0, at = 0; row < plan->blanks[b].rows; at++)
            if (s->class_of[at] == plan->blanks[b].class_index && !r->mask[at]) {
                set_row_mask(s, r, (int)at, plan->blanks[b].mask);
                row++;
            }
}

/* Attempts, as many as the size lets. *good: the rows keep what is asked; *stopped: progress said
 * so. */
static void search_small(bool *good, bool *stopped, small *s, rows *best, double bound,
                         const tacit_run *run)
{
    int64_t attempts = ATTEMPTS_WORK / ((int64_t)best->count * best->count * s->t->columns);
    attempts = attempts > MAX_ATTEMPTS ? MAX_ATTEMPTS : attempts;
    for (int64_t i = 0; i < attempts && (!*good || best->cost > bound + 1e-9); i++) {
        rows next = *best;
        tacit_error stop = {0};
        *stopped = i % SMALL_ASK_EVERY == 0 &&
                   tacit__progress(run, "sharing blanks", i, attempts, &stop) != TACIT_OK;
        if (*stopped)
            return;
        ruin(s, &next);
        if (!repair(s, &next))
            continue;
        fill_needless(s, &next);
        if (!*good || next.cost <= best->cost + 1e-9)
            *best = next;
        *good = true;
    }
}

/* For tables of at most so many rows, a better plan, or one at all:
 * *good says whether there is one, before and after. */
static tacit_status share_blanks(bool *good, tacit__blanking *plan, const tacit__tableau *t,
                                 const tacit_run *run, tacit_error *err)
{
    small s = {.t = t};
    rows best = {0};
    tacit_status status = TACIT_OK;
    start_rows(&s, &best, plan);
    search_small(good, &plan->stopped, &s, &best, plan->bound, run);
    plan->count = 0;
    for (int i = 0; status == TACIT_OK && i < best.count; i++)
        if (best.mask[i])
            status = tacit__blanking_add(
                plan, (tacit__blank){.class_index = s.class_of[i], .rows = 1, .mask = best.mask[i]},
                err);
    tacit__blanking_tidy(plan);
    plan->proven = *good && best.cost <= plan->bound + 1e-9;
    return status;
}

/* ---- all of it ---- */

/* Improvement may cost so many times what the start did, the more the larger that was; but no
 * more than IMPROVE_MOST, in classes looked at, unless the start did. */
enum { LEAST_TIMES = 16, MAX_TIMES = 64, TIMES_STEP = 2048, IMPROVE_MAX = 1 << 26 };

static int64_t work_left(const tacit__covering *cover)
{
    int64_t times = cover->work / TIMES_STEP, most = cover->work;
    times = times < LEAST_TIMES ? LEAST_TIMES : times > MAX_TIMES ? MAX_TIMES : times;
    most = most > IMPROVE_MAX ? most : IMPROVE_MAX;
    return cover->work < most / times ? cover->work * times : most;
}

/* Classes that stay open are put aside: as if they had all the donors they ask for. */
static tacit_status put_aside(uint32_t **out, uint32_t *count, tacit__covering *cover,
                              tacit_error *err)
{
    uint32_t *aside = tacit__alloc_array(cover->needs, sizeof *aside);
    if (!aside)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < cover->needs; i++)
        if (tacit__covering_open(cover, i) > 0) {
            aside[(*count)++] = i;
            tacit__covering_settle(cover, i, 0, cover->tableau->k);
        }
    *out = aside;
    return TACIT_OK;
}

static tacit_status pair_up(tacit__covering *cover, const uint32_t *aside, uint32_t count, bool ask,
                            tacit_error *err)
{
    for (uint32_t i = 0; i < count; i++)
        tacit__covering_settle(cover, aside[i], 0, -cover->tableau->k);
    return count > 0 ? tacit__covering_pairs(cover, aside, count, ask, err) : TACIT_OK;
}

/* Better donors for what is not put aside. *stopped: progress said so. */
static tacit_status improve_cover(bool *stopped, tacit__covering *cover, double bound,
                                  tacit_error *err)
{
    tacit_error stop = {0};
    tacit_status status = tacit__covering_improve(cover, work_left(cover), bound, &stop);
    *stopped = status == TACIT_CANCELLED;
    if (status == TACIT_OK || *stopped)
        return TACIT_OK;
    if (err)
        *err = stop;
    return status;
}

/* The bound; costs of 1 add up to whole numbers. */
static tacit_status find_cover_bound(double *bound, const tacit__covering *cover, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (cover->complete)
        status = bound_by_packing(bound, cover, err);
    if (status == TACIT_OK && cover->tableau->unit)
        *bound = fmax(0, ceil(*bound - 1e-6));
    return status;
}

/* Columns have no room for as many blanks as the bound says. */
static tacit_status check_columns(const tacit__tableau *t, double bound, tacit_error *err)
{
    double room = (double)t->columns * (double)t->most_column;
    if (!t->unit || bound <= room)
        return TACIT_OK;
    return tacit__error(err, TACIT_INFEASIBLE,
                        "at least %.0f blanks are needed, and %lld a column are %.0f; allow more",
                        bound, (long long)t->most_column, room);
}

static tacit_status solve_cover(tacit__blanking *plan, tacit__covering *cover, tacit_error *err)
{
    uint32_t *aside = NULL, count = 0;
    tacit_status status = choose_donors(cover, err);
    if (status == TACIT_OK)
        status = find_cover_bound(&plan->bound, cover, err);
    if (status == TACIT_OK)
        status = check_columns(cover->tableau, plan->bound, err);
    if (status == TACIT_OK)
        status = put_aside(&aside, &count, cover, err);
    if (status == TACIT_OK)
        status = tacit__covering_reach(cover, aside, count, err);
    if (status == TACIT_OK)
        status = improve_cover(&plan->stopped, cover, plan->bound, err);
    if (status == TACIT_OK)
        status = pair_up(cover, aside, count, !plan->stopped, err);
    plan->proven = status == TACIT_OK && cover->cost <= plan->bound * (1 + 1e-12);
    tacit__free(aside);
    return status;
}

static tacit_status list_donors(tacit__blanking *plan, const tacit__covering *cover,
                                tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; status == TACIT_OK && i < cover->donor_count; i++) {
        const tacit__donor *donor = &cover->donors[i];
        tacit__blank blank = {.class_index = donor->class_index, .rows = 1, .mask = donor->mask};
        if (donor->mask)
            status = tacit__blanking_add(plan, blank, err);
    }
    tacit__blanking_tidy(plan);
    return status;
}

static tacit_status cover_rows(tacit__blanking *plan, const tacit__tableau *tableau,
                               const tacit_run *run, tacit_error *err)
{
    tacit__covering cover;
    tacit_status status = tacit__covering_init(&cover, tableau, run, err);
    if (status != TACIT_OK)
        return status;
    status = solve_cover(plan, &cover, err);
    if (cover.failed)
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = list_donors(plan, &cover, err);
    tacit__covering_clear(&cover);
    return status;
}

/* Rows of small tables share blanks, which may be good where nothing was. */
static tacit_status share(tacit__blanking *plan, const tacit__tableau *tableau, bool good,
                          const tacit_run *run, tacit_error *err)
{
    tacit_error failed = {0};
    bool found = good;
    tacit_status status = share_blanks(&found, plan, tableau, run, &failed);
    if (status == TACIT_OK && !found)
        return TACIT_INFEASIBLE; /* which is said already */
    if (err)
        *err = failed;
    return status;
}

tacit_status tacit__ambiguate_cover(tacit__blanking *plan, const tacit__tableau *tableau,
                                    const tacit_ambiguate *how, const tacit_run *run,
                                    tacit_error *err)
{
    tacit__blanking found = {0};
    (void)how;
    tacit_status status = tacit__tableau_check(tableau, err);
    if (status != TACIT_OK)
        return status;
    status = cover_rows(&found, tableau, run, err);
    bool good = status == TACIT_OK;
    if (tableau->rows <= SMALL_ROWS && !found.proven && !found.stopped &&
        (good || status == TACIT_INFEASIBLE))
        status = share(&found, tableau, good, run, err);
    if (status == TACIT_OK)
        *plan = found;
    else
        tacit__blanking_clear(&found);
    return status;
}
