/*
 * both.c - blanks by which k people fit every row and everybody fits k rows.
 *
 * What Vinterbo and Ohno-Machado ask for (2001) holds one way: a row with blanks agrees with
 * rows that do not agree with it. Of five rows a1,b1 and one a1,b2 it releases the last as a1,*,
 * which the people of all six fit; but of all six rows (a1,b2) fits this one alone. The promise
 * that is kept here is stated in boxes.h. Whatever keeps the stricter reading, in which
 * rows look the same, keeps it too, at more cost.
 *
 * Boxes are listed as for the stricter reading. Covering fills them, and
 * an integer program proves the least cost where tables are small (boxes.c). What
 * each row costs at least in a box that k people fit is a bound for tables of any size. Where there
 * are more masks than can be listed, what `local` finds for the stricter reading, its blanks filled
 * again where that can be, is the other plan, and the cheaper one is taken.
 *
 * Stopped, it gives the best so far if there is any.
 *
 * Covering:
 *   1. Every row of a class in need goes into its cheapest box that k people fit; of equals into
 * the one with the most rows in need, which then fit each other's people.
 *   2. Classes whose people still fit too few rows are helped one after the other: a row joins one
 *      of their boxes, where it helps the most classes for what it costs. That is a row of a class
 *      without need, a donor, or one in need that moves; nobody is left with too few by a move.
 *   3. Improvement: what joined a box beyond what it needed itself goes back, and who is then short
 *      is helped by other boxes; what is cheaper stays.
 * Costs a pass over the classes of a box for every box that is looked at; how much is looked at
 * while improving is counted and bounded. Nothing depends on threads or on time.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/ambiguate/state.h"
#include "records/blanks/boxes.h"

enum {
    MAX_PAIRS = 1 << 14, /* of rows that may move and classes that lack rows, in one box */
    PASSES = 12,         /* of improvement */
    HELP_ASK_EVERY = 256,
    TIMES = 16 /* of what covering took, for improvement; */
};

static const int64_t LEAST_BOTH_WORK = 1 << 22, MAX_BOTH_WORK = 1 << 28; /* but within these */

/* A row of a class in need, and the mask that it leaves with. */
typedef struct row {
    uint32_t class_index, mask;
} row;

/* A row that joins a box: of those in need, or (TACIT__NONE) one of a class without need. */
typedef struct move {
    uint32_t class_index, row, from, to;
} move;

typedef struct covering {
    tacit__strict *s;
    const tacit__tableau *t;
    int64_t *fits;      /* a class in need each: rows that its people fit */
    uint32_t *first;    /* a class in need each: its first row */
    row *rows;          /* in need, class by class */
    uint32_t *starts;   /* of a box's classes in `members`, those in need first; */
    uint32_t *need_end; /* none for boxes of no use */
    uint32_t *members;
    int64_t *crowd;    /* a box each: its rows in need, wherever they are */
    uint8_t *tried;    /* a box each: the pass that looked at it last */
    uint32_t *lacking; /* classes that a trial left with too few rows */
    move *moves;       /* of the trial in hand */
    size_t move_count, move_capacity;
    double cost;
    int64_t work;
    bool failed;     /* memory ran out: what is placed since does not count */
    uint32_t banned; /* a box that nobody joins; TACIT__NONE: none */
} covering;

static double cost_with(const covering *c, uint32_t mask, uint32_t class_index)
{
    uint64_t columns = c->s->masks[mask];
    return c->t->unit ? __builtin_popcountll(columns)
                      : tacit__tableau_cost(c->t, class_index, columns);
}

static uint32_t box_of(const covering *c, uint32_t mask, uint32_t class_index)
{
    return c->s->box_of[tacit__strict_at(c->s, mask, class_index)];
}

static bool lacks(const covering *c, uint32_t class_index)
{
    return c->fits[class_index] < c->t->k;
}

/* ---- which boxes are of use ---- */

/* Of use is a box of k people that holds some in need. */
static void count_members(covering *c, uint32_t *classes, uint32_t *needs)
{
    const tacit__strict *s = c->s;
    for (int64_t m = 1; m < s->mask_count; m++)
        for (int64_t i = 0; i < c->t->classes; i++) {
            uint32_t box = box_of(c, (uint32_t)m, (uint32_t)i);
            classes[box]++;
            needs[box] += tacit__both_need(c->t, i);
        }
    for (int64_t b = 0; b < s->box_count; b++)
        if (needs[b] == 0 || s->total[b] < c->t->k)
            classes[b] = needs[b] = 0;
}

static void place_members(covering *c, uint32_t *need_at, uint32_t *other_at)
{
    for (int64_t m = 1; m < c->s->mask_count; m++)
        for (int64_t i = 0; i < c->t->classes; i++) {
            uint32_t box = box_of(c, (uint32_t)m, (uint32_t)i);
            if (c->starts[box] == c->starts[box + 1])
                continue;
            uint32_t *at = tacit__both_need(c->t, i) ? &need_at[box] : &other_at[box];
            c->members[(*at)++] = (uint32_t)i;
            c->crowd[box] += tacit__both_need(c->t, i) ? c->t->counts[i] : 0;
        }
}

static tacit_status list_members(covering *c, tacit_error *err)
{
    size_t boxes = (size_t)c->s->box_count;
    uint32_t *other_at = tacit__alloc_zeroed(boxes, sizeof *other_at), at = 0;
    c->starts = tacit__alloc_zeroed(boxes + 1, sizeof *c->starts);
    c->need_end = tacit__alloc_zeroed(boxes, sizeof *c->need_end);
    c->crowd = tacit__alloc_zeroed(boxes, sizeof *c->crowd);
    c->tried = tacit__alloc_zeroed(boxes, sizeof *c->tried);
    bool fits = other_at && c->starts && c->need_end && c->crowd && c->tried;
    tacit_status status = fits ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        count_members(c, c->starts, c->need_end);
        for (size_t b = 0; b < boxes; b++) {
            uint32_t classes = c->starts[b], needs = c->need_end[b];
            c->starts[b] = c->need_end[b] = at;
            other_at[b] = at + needs;
            at += classes;
        }
        c->starts[boxes] = at;
        c->members = tacit__alloc_array(at, sizeof *c->members);
        status = c->members ? TACIT_OK : tacit__nomem(err);
    }
    if (status == TACIT_OK)
        place_members(c, c->need_end, other_at);
    tacit__free(other_at);
    return status;
}

/* The rows in need, all without blanks so far. */
static tacit_status list_rows(covering *c, tacit_error *err)
{
    size_t classes = (size_t)c->t->classes, count = 0;
    for (size_t i = 0; i < classes; i++)
        count += tacit__both_need(c->t, (int64_t)i) ? (size_t)c->t->counts[i] : 0;
    c->first = tacit__alloc_array(classes, sizeof *c->first);
    c->fits = tacit__alloc_array(classes, sizeof *c->fits);
    c->lacking = tacit__alloc_array(classes, sizeof *c->lacking);
    c->rows = tacit__alloc_array(count, sizeof *c->rows);
    if (!c->first || !c->fits || !c->lacking || !c->rows)
        return tacit__nomem(err);
    count = 0;
    for (size_t i = 0; i < classes; i++) {
        c->fits[i] = c->t->counts[i];
        c->first[i] = (uint32_t)count;
        for (int64_t r = 0; tacit__both_need(c->t, (int64_t)i) && r < c->t->counts[i]; r++)
            c->rows[count++] = (row){.class_index = (uint32_t)i};
    }
    return TACIT_OK;
}

/* ---- moving ---- */

/* The people of a row's box fit one row more, or one less. */
static void count_box(covering *c, uint32_t mask, uint32_t class_index, int more)
{
    uint32_t box = box_of(c, mask, class_index);
    if (mask == 0) { /* whose box is the class itself */
        c->fits[class_index] += more;
        return;
    }
    for (uint32_t n = c->starts[box]; n < c->need_end[box]; n++)
        c->fits[c->members[n]] += more;
    c->work += c->need_end[box] - c->starts[box];
}

static void make_move(covering *c, const move *m)
{
    tacit__strict_move(c->s, m->class_index, m->from, m->to, 1);
    if (m->row != TACIT__NONE)
        c->rows[m->row].mask = m->to;
    count_box(c, m->from, m->class_index, -1);
    count_box(c, m->to, m->class_index, 1);
    c->cost += cost_with(c, m->to, m->class_index) - cost_with(c, m->from, m->class_index);
}

static void note_move(covering *c, move m)
{
    c->failed |= !TACIT__PUSH(c->moves, c->move_capacity, c->move_count, m);
    if (!c->failed)
        make_move(c, &m);
}

static void undo_moves(covering *c)
{
    while (c->move_count > 0) {
        move m = c->moves[--c->move_count];
        move back = {m.class_index, m.row, m.to, m.from};
        make_move(c, &back);
    }
}

/* Whether limits on columns let a row change its blanks. */
static bool has_capacity(const covering *c, uint32_t from, uint32_t to)
{
    uint64_t added = c->s->masks[to] & ~c->s->masks[from];
    for (; added; added &= added - 1)
        if (c->s->column[__builtin_ctzll(added)] >= c->t->most_column)
            return false;
    return true;
}

/* ---- every row in need into a box ---- */

/* The best mask for a row of a class in need by itself, or TACIT__NONE. */
static uint32_t own_mask(const covering *c, uint32_t class_index, uint32_t from)
{
    uint32_t best = TACIT__NONE;
    double least = INFINITY;
    int64_t most = 0;
    for (uint32_t m = 1; m < c->s->mask_count; m++) {
        uint32_t box = box_of(c, m, class_index);
        double cost = cost_with(c, m, class_index);
        if (c->s->total[box] < c->t->k || cost > least || !has_capacity(c, from, m))
            continue;
        int64_t rows = c->crowd[box];
        if (cost < least || rows > most) {
            best = m;
            least = cost;
            most = rows;
        }
    }
    return best;
}

/* False where limits leave some row without a box. */
static bool place_rows(covering *c)
{
    for (uint32_t i = 0; i < c->t->classes; i++)
        for (int64_t r = 0; tacit__both_need(c->t, i) && r < c->t->counts[i]; r++) {
            move m = {.class_index = i, .row = c->first[i] + (uint32_t)r};
            m.to = own_mask(c, i, 0);
            if (m.to == TACIT__NONE)
                return false;
            make_move(c, &m);
        }
    return true;
}

/* ---- helping a class ---- */

/* What a row would bring that joins a box: classes helped, for a price. */
typedef struct offer {
    move move;
    double gain, price;
} offer;

static bool is_better(const offer *a, const offer *b)
{
    return a->gain * b->price > b->gain * a->price;
}

static double positive_price(double cost)
{
    return cost > 1e-9 ? cost : 1e-9;
}

/* The cheapest row of a class without need that is still without blanks. */
static void offer_donor(offer *best, covering *c, uint32_t box, uint32_t mask, int64_t lacking)
{
    if (!has_capacity(c, 0, mask))
        return;
    for (uint32_t n = c->need_end[box]; n < c->starts[box + 1]; n++) {
        uint32_t i = c->members[n];
        offer o = {
            {i, TACIT__NONE, 0, mask}, (double)lacking, positive_price(cost_with(c, mask, i))};
        c->work++;
        if (c->s->take[i] == 0 || !is_better(&o, best))
            continue;
        *best = o;
        if (c->t->unit)
            return;
    }
}

/* Whether nobody is left with too few rows by one that changes its mask. */
static bool nobody_short(covering *c, uint32_t class_index, uint32_t from, uint32_t to)
{
    uint32_t box = box_of(c, from, class_index);
    uint64_t mask = c->s->masks[to];
    if (!(c->s->masks[from] & ~mask))
        return true;
    c->work += c->need_end[box] - c->starts[box];
    for (uint32_t n = c->starts[box]; n < c->need_end[box]; n++) {
        uint32_t p = c->members[n];
        if (c->fits[p] <= c->t->k && tacit__tableau_differ(c->t, class_index, p) & ~mask)
            return false;
    }
    return true;
}

/* Classes of a box that lack rows and do not fit a row of a class with a mask. */
static int64_t count_helped(covering *c, uint32_t box, uint32_t class_index, uint32_t mask)
{
    int64_t count = 0;
    c->work += c->need_end[box] - c->starts[box];
    for (uint32_t n = c->starts[box]; n < c->need_end[box]; n++)
        count += lacks(c, c->members[n]) &&
                 tacit__tableau_differ(c->t, class_index, c->members[n]) & ~c->s->masks[mask];
    return count;
}

/* The best row in need of the box that leaves with another mask. */
static void offer_rows(offer *best, covering *c, uint32_t box, uint32_t mask)
{
    for (uint32_t n = c->starts[box]; n < c->need_end[box]; n++) {
        uint32_t i = c->members[n];
        for (uint32_t r = c->first[i]; r < c->first[i] + c->t->counts[i]; r++) {
            uint32_t from = c->rows[r].mask;
            if (from == mask || (r > c->first[i] && from == c->rows[r - 1].mask))
                continue;
            offer o = {{i, r, from, mask},
                       (double)count_helped(c, box, i, from),
                       positive_price(cost_with(c, mask, i) - cost_with(c, from, i))};
            if (is_better(&o, best) && has_capacity(c, from, mask) &&
                nobody_short(c, i, from, mask))
                *best = o;
        }
    }
}

static void look_at_box(offer *best, covering *c, uint32_t box, uint32_t mask)
{
    int64_t needs = c->need_end[box] - c->starts[box], lacking = 0;
    for (uint32_t n = c->starts[box]; n < c->need_end[box]; n++)
        lacking += lacks(c, c->members[n]);
    c->work += needs;
    offer_donor(best, c, box, mask, lacking);
    if (needs * needs <= MAX_PAIRS)
        offer_rows(best, c, box, mask);
}

/* Lets rows join boxes of a class until its people fit k; whether any can. */
static bool help_class(covering *c, uint32_t class_index)
{
    bool helps = true;
    while (!c->failed && helps && lacks(c, class_index)) {
        offer best = {.gain = 0, .price = 1};
        for (uint32_t m = 1; m < c->s->mask_count; m++) {
            uint32_t box = box_of(c, m, class_index);
            if (c->s->total[box] >= c->t->k && box != c->banned)
                look_at_box(&best, c, box, m);
        }
        helps = best.gain > 0;
        if (helps)
            note_move(c, best.move);
    }
    return helps;
}

static tacit_status help_classes(bool *helps, covering *c, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    *helps = true;
    for (uint32_t i = 0; status == TACIT_OK && *helps && i < c->t->classes; i++) {
        if (i % HELP_ASK_EVERY == 0)
            status = tacit__progress(c->s->run, "ambiguate", i, c->t->classes, err);
        if (status == TACIT_OK && tacit__both_need(c->t, i))
            *helps = help_class(c, i);
    }
    c->move_count = 0;
    return status;
}

/* ---- improving ---- */

/* Sends back what joined a box for the sake of others, one row or all. */
static void send_back(covering *c, uint32_t box, uint32_t mask, bool all)
{
    for (uint32_t n = c->starts[box]; n < c->starts[box + 1]; n++) {
        uint32_t i = c->members[n];
        bool need = n < c->need_end[box];
        uint32_t own =
            need && c->s->take[tacit__strict_at(c->s, mask, i)] > 0 ? own_mask(c, i, mask) : 0;
        if (need &&
            (own == 0 || own == TACIT__NONE || cost_with(c, own, i) >= cost_with(c, mask, i)))
            continue;
        uint32_t r = c->first[i];
        while (!c->failed && c->s->take[tacit__strict_at(c->s, mask, i)] > 0) {
            while (need && c->rows[r].mask != mask)
                r++;
            note_move(c, (move){i, need ? r : TACIT__NONE, mask, own});
            if (!all)
                return;
        }
    }
}

/* Tries to do without what joined a box; whether that is cheaper, and stays. */
static bool try_box(covering *c, uint32_t box, uint32_t mask, bool all)
{
    double before = c->cost;
    uint32_t count = 0;
    c->move_count = 0;
    send_back(c, box, mask, all);
    if (c->move_count == 0)
        return false;
    for (uint32_t n = c->starts[box]; n < c->need_end[box]; n++)
        if (lacks(c, c->members[n]))
            c->lacking[count++] = c->members[n];
    bool better = true;
    c->banned = box;
    for (uint32_t n = 0; better && n < count && c->cost < before; n++)
        better = help_class(c, c->lacking[n]);
    c->banned = TACIT__NONE;
    better = better && !c->failed && c->cost < before - 1e-9;
    for (uint32_t n = 0; better && n < count; n++)
        better = !lacks(c, c->lacking[n]);
    if (!better)
        undo_moves(c);
    return better;
}

static tacit_status improve_once(bool *better, covering *c, int pass, int64_t limit,
                                 tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t m = 1; status == TACIT_OK && m < c->s->mask_count; m++) {
        status = tacit__progress(c->s->run, "improving", m, c->s->mask_count, err);
        for (uint32_t i = 0;
             status == TACIT_OK && !c->failed && i < c->t->classes && c->work < limit; i++) {
            uint32_t box = box_of(c, m, i);
            if (c->starts[box] == c->starts[box + 1] || c->s->used[box] == 0 ||
                c->tried[box] == pass)
                continue;
            c->tried[box] = (uint8_t)pass;
            *better |= try_box(c, box, m, true) || try_box(c, box, m, false);
        }
    }
    return status;
}

static tacit_status improve_both(covering *c, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    int64_t more = c->work * TIMES;
    more = more < LEAST_BOTH_WORK ? LEAST_BOTH_WORK : more > MAX_BOTH_WORK ? MAX_BOTH_WORK : more;
    int64_t limit = c->work + more;
    bool better = true;
    for (int pass = 1; status == TACIT_OK && better && pass <= PASSES && c->work < limit; pass++) {
        better = false;
        status = improve_once(&better, c, pass, limit, err);
    }
    return status;
}

/* Places rows, and improves on it. What is found may not keep what is asked. */
static tacit_status cover_both(tacit__strict *s, tacit_error *err)
{
    covering c = {.s = s, .t = s->tableau, .banned = TACIT__NONE};
    bool helps = false;
    tacit_status status = list_rows(&c, err);
    if (status == TACIT_OK)
        status = list_members(&c, err);
    if (status == TACIT_OK && place_rows(&c))
        status = help_classes(&helps, &c, err);
    if (status == TACIT_OK && helps)
        status = improve_both(&c, err);
    if (c.failed)
        status = tacit__nomem(err);
    void *blocks[] = {c.fits,    c.first, c.rows,  c.starts,  c.need_end,
                      c.members, c.crowd, c.tried, c.lacking, c.moves};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        tacit__free(blocks[i]);
    return status;
}

enum { SMALL = 256 }; /* entries of boxes up to which the program is always asked */

/* ---- whether it is kept ---- */

/* Rows that everybody of each class fits. */
static void count_fits(int64_t *fits, const tacit__strict *s)
{
    for (int64_t i = 0; i < s->tableau->classes; i++) {
        fits[i] = 0;
        for (int64_t m = 0; m < s->mask_count; m++)
            fits[i] += s->used[s->box_of[tacit__strict_at(s, m, i)]];
    }
}

/* Whether the rows as they are placed keep limits and both ways of k. */
static tacit_status keeps_both(bool *keeps, const tacit__strict *s, tacit_error *err)
{
    const tacit__tableau *t = s->tableau;
    int64_t *fits = tacit__alloc_array((size_t)t->classes, sizeof *fits);
    if (!fits)
        return tacit__nomem(err);
    *keeps = true;
    count_fits(fits, s);
    for (int32_t c = 0; c < t->columns; c++)
        *keeps &= s->column[c] <= t->most_column;
    for (int64_t b = 0; b < s->box_count; b++)
        *keeps &= s->used[b] == 0 || s->total[b] >= t->k;
    for (int64_t i = 0; i < t->classes; i++)
        *keeps &= fits[i] >= t->k;
    tacit__free(fits);
    return TACIT_OK;
}

/* ---- by boxes ---- */

static tacit_status fill_both(tacit__blanking *plan, tacit__strict *s, bool exact, tacit_error *err)
{
    bool keeps = false;
    tacit_status status = s->bound < INFINITY ? cover_both(s, err) : TACIT_OK;
    plan->stopped = status == TACIT_CANCELLED;
    if (status == TACIT_OK || plan->stopped) {
        tacit_status checked = keeps_both(&keeps, s, err);
        status = checked == TACIT_OK ? status : checked;
    }
    exact |= s->mask_count * s->tableau->classes <= SMALL;
    if (status == TACIT_OK && s->bound < INFINITY && (exact || !keeps)) {
        status = tacit__box_program(&plan->nodes, keeps, true, s, err);
        plan->stopped = status == TACIT_CANCELLED;
        if (status == TACIT_OK)
            status = keeps_both(&keeps, s, err);
    }
    if (status != TACIT_OK && !(plan->stopped && keeps))
        return status;
    return keeps
               ? tacit__strict_write(plan, s, err)
               : tacit__blanking_none(s->bound == INFINITY,
                                      "make k people fit every row and everybody fit k rows", err);
}

static tacit_status solve_both_boxes(tacit__blanking *plan, bool *every, const tacit__tableau *t,
                                     bool exact, const tacit_run *run, tacit_error *err)
{
    tacit__strict s;
    tacit_status status = tacit__strict_init(&s, t, run, err);
    if (status != TACIT_OK)
        return status;
    *every = s.every;
    status = fill_both(plan, &s, exact, err);
    tacit__strict_clear(&s);
    return status;
}

/* ---- by way of the stricter reading ---- */

/* Blanks of the stricter reading, those filled that are not needed. */
static tacit_status loosen(tacit__blanking *plan, const tacit__tableau *t, const tacit_run *run,
                           tacit_error *err)
{
    tacit__state *state = NULL;
    int64_t removed = 0;
    tacit_status status = tacit__state_new(&state, t, plan, run, err);
    if (status == TACIT_OK)
        status = tacit__state_minimize(&removed, state, false, run, err);
    if (status == TACIT_OK)
        status = tacit__state_plan(plan, state, err);
    tacit__state_free(state);
    return status;
}

/* Takes the plan of the stricter reading where there is none, or it is the cheaper one. What is
 * known of the first stays known of it. */
static tacit_status try_stricter(tacit__blanking *plan, bool found, const tacit__tableau *t,
                                 const tacit_frame *frame, const tacit_records_options *options,
                                 const tacit_run *run, tacit_error *err)
{
    tacit_ambiguate how = {.way = TACIT_AMBIGUATE_COVER, .strict = true};
    tacit_records_options asked = *options;
    tacit__blanking other = {0};
    asked.ambiguate = &how;
    tacit_status status = tacit__ambiguate_strict(&other, t, frame, &asked, run, err);
    if (status == TACIT_OK)
        status = loosen(&other, t, run, err);
    if (status == TACIT_OK &&
        (!found || tacit__blanking_cost(&other, t) < tacit__blanking_cost(plan, t))) {
        tacit__blanking swap = *plan;
        other.bound = plan->bound;
        other.nodes = plan->nodes;
        other.stopped |= plan->stopped;
        other.proven = false;
        *plan = other;
        other = swap;
    }
    tacit__blanking_clear(&other);
    return status;
}

tacit_status tacit__ambiguate_both(tacit__blanking *plan, const tacit__tableau *t,
                                   const tacit_frame *frame, const tacit_records_options *options,
                                   const tacit_run *run, tacit_error *err)
{
    tacit__blanking found = {0};
    tacit_error stop = {0};
    bool every = true,
         exact = options->ambiguate && options->ambiguate->way == TACIT_AMBIGUATE_EXACT;
    tacit_status status = tacit__tableau_check(t, err);
    if (status != TACIT_OK)
        return status;
    status = solve_both_boxes(&found, &every, t, exact, run, &stop);
    bool good = status == TACIT_OK;
    if (!every && !found.stopped && (good || status == TACIT_LIMIT)) {
        tacit_error other = {0};
        tacit_status tried = try_stricter(&found, good, t, frame, options, run, &other);
        if (tried == TACIT_OK || tried == TACIT_NOMEM)
            status = tried;
        found.stopped |= tried == TACIT_CANCELLED;
        stop = tried == TACIT_NOMEM ? other : stop;
    }
    return tacit__blanking_give(plan, &found, status, &stop, err);
}
