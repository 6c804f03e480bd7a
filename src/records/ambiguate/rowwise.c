/*
 * rowwise.c - heuristics C and D: row by row (2.4 of Vinterbo and Ohno-Machado, Table
 * Ambiguation By Minimal Cell Suppression, after Ohrn and Ohno-Machado), and both with the
 * shortest conjunct instead (4).
 *
 * A row whose alpha is below k loses the cells of columns that hit every prime implicant of
 * f_i (implicants.c), and so agrees with at least one row more. C does so with one row
 * after the other, D with all rows of a pass as they were when it began, so the order of rows
 * does not matter to D; passes follow until the smallest alpha is k, or (`mean`) the mean is.
 * Ties between columns go to the first: so the cells of the paper's Tables 3, 4 and 5 come out.
 * "short" takes the cheapest m_ij itself: columns that hit every prime implicant contain one of
 * the m_ij, so no set of them costs less. Of several it takes the one by which the most rows in
 * need would agree, then the most rows, then the first: with the first at once it would be
 * worse than C on small random tables, by 3 to 9 %, and so it is better, by 3 to 5 %. The rows of a
 * class that are in need lose the same, one after the other, and are treated together.
 *
 * (The paper says that D is never better than C in its worst order. It is, if seldom: what others
 * lost changes the prime implicants of a row, and the greedy choice may then be a worse one; the
 * golden tests have a table.)
 *
 * Limits are kept: where the columns found break one, the cheapest m_ij within them are taken.
 *
 * A row costs a pass over all classes and columns, and another one for D, where passes are
 * over lines that do not change and so on all cores; the prime implicants come on top.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/ambiguate/implicants.h"
#include "records/ambiguate/order.h"

enum { CHOOSE_TASK = 16, BYTES = 8, TIES = 64 };

/* One of several cheapest sets, with the rows that it would make agree. */
typedef struct tie {
    uint64_t set;
    int64_t need, rows; /* rows in need, and all */
} tie;

/* What a worker needs. */
typedef struct hand {
    uint64_t *line;
    size_t room;
    tacit__implicants implicants;
    double sums[BYTES][256]; /* costs of eight columns of the row each, for every set of them */
    tie ties[TIES];          /* the first ones */
    int tie_count;
} hand;

typedef struct rowwise {
    tacit__blank_sheet sheet;
    const tacit_ambiguate *how;
    const tacit_run *run;
    bool short_ones, apart; /* shortest conjuncts; D */
    uint32_t *places;       /* of classes */
    hand *hands;
    int workers;
    uint64_t *rows;   /* the pass: items, with the place of their classes in the upper half */
    uint64_t *chosen; /* D: the columns for each */
    size_t rows_room, chosen_room;
    int64_t count;
    int64_t needy; /* rows at the beginning */
    bool blanked;  /* in this pass: some */
} rowwise;

/* ---- memory ---- */

static void rowwise_clear(rowwise *w)
{
    for (int i = 0; w->hands && i < w->workers; i++) {
        tacit__free(w->hands[i].line);
        tacit__implicants_clear(&w->hands[i].implicants);
    }
    tacit__free(w->hands);
    tacit__free(w->places);
    tacit__free(w->rows);
    tacit__free(w->chosen);
    tacit__blank_sheet_clear(&w->sheet);
}

static tacit_status reserve_line(hand *h, const tacit__blank_sheet *sheet, tacit_error *err)
{
    if (TACIT__RESERVE(h->line, h->room, sheet->room))
        return TACIT_OK;
    return tacit__nomem(err);
}

static tacit_status rowwise_init(rowwise *w, const tacit__tableau *tableau,
                                 const tacit_ambiguate *how, const tacit_run *run, tacit_error *err)
{
    tacit_ambiguate_way way = how->way;
    *w = (rowwise){.how = how,
                   .run = run,
                   .short_ones = way == TACIT_AMBIGUATE_SHORT || way == TACIT_AMBIGUATE_SHORT_D,
                   .apart = way == TACIT_AMBIGUATE_D || way == TACIT_AMBIGUATE_SHORT_D};
    tacit_status status = tacit__blank_sheet_init(&w->sheet, tableau, err);
    if (status != TACIT_OK)
        return status;
    w->needy = w->sheet.below;
    w->workers = w->apart ? tacit__threads(run) : 1;
    w->hands = tacit__alloc_zeroed((size_t)w->workers, sizeof *w->hands);
    status = w->hands ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__ambiguate_places(&w->places, &w->sheet, how->order, run, err);
    return status;
}

/* ---- which columns ---- */

static void sum_costs(hand *h, const double *costs, int32_t columns)
{
    for (int32_t from = 0; from < columns; from += 8) {
        double *sums = h->sums[from / 8];
        int32_t count = columns - from < 8 ? columns - from : 8;
        sums[0] = 0;
        for (int32_t set = 1; set < 1 << count; set++)
            sums[set] = sums[set & (set - 1)] + costs[from + __builtin_ctz((unsigned)set)];
    }
}

static double cost_of(const hand *h, uint64_t set)
{
    double cost = 0;
    for (int i = 0; set; i++, set >>= 8)
        cost += h->sums[i][set & 255];
    return cost;
}

static bool within_limits(uint64_t set, uint64_t allowed, int32_t most)
{
    return !(set & ~allowed) && __builtin_popcountll(set) <= most;
}

/* Notes one of the cheapest sets of a line, by which rows would agree that are in need or not. */
static void note(hand *h, uint64_t set, int64_t rows, bool need)
{
    int i = 0;
    while (i < h->tie_count && h->ties[i].set != set)
        i++;
    if (i == TIES)
        return;
    if (i == h->tie_count)
        h->ties[h->tie_count++] = (tie){.set = set};
    h->ties[i].need += need ? rows : 0;
    h->ties[i].rows += rows;
}

/* The set that helps the most rows in need, then the most rows, then the first. */
static uint64_t best_tie(const hand *h)
{
    const tie *best = &h->ties[0];
    for (int i = 1; i < h->tie_count; i++) {
        const tie *other = &h->ties[i];
        if (other->need > best->need || (other->need == best->need && other->rows > best->rows))
            best = other;
    }
    return h->tie_count > 0 ? best->set : 0;
}

/* The cheapest m_ij within the limits, or 0. */
static uint64_t cheapest(hand *h, const tacit__blank_sheet *sheet, int64_t item)
{
    const tacit__tableau *t = sheet->tableau;
    uint64_t allowed = tacit__blank_sheet_allowed(sheet, item);
    int32_t most = tacit__blank_sheet_left(sheet, item);
    double least = INFINITY;
    sum_costs(h, t->costs + (int64_t)sheet->class_of[item] * t->columns, t->columns);
    h->tie_count = 0;
    for (int64_t i = 0; i < sheet->items; i++) {
        double cost = h->line[i] ? cost_of(h, h->line[i]) : INFINITY;
        if (cost > least || !h->line[i] || !within_limits(h->line[i], allowed, most))
            continue;
        if (cost < least)
            h->tie_count = 0;
        least = cost;
        note(h, h->line[i], sheet->rows[i], sheet->alpha[i] < t->k);
    }
    return best_tie(h);
}

/* The columns that an item, whose line is in the hand, is to lose; 0: there are none. */
static tacit_status choose(uint64_t *columns, hand *h, const rowwise *w, int64_t item,
                           tacit_error *err)
{
    const tacit__blank_sheet *sheet = &w->sheet;
    const tacit__tableau *t = sheet->tableau;
    uint64_t set = 0;
    if (!w->short_ones) {
        tacit_status status = tacit__implicants_find(&h->implicants, h->line, sheet->items, err);
        if (status != TACIT_OK)
            return status;
        const double *costs = t->costs + (int64_t)sheet->class_of[item] * t->columns;
        set = tacit__implicants_hit(&h->implicants, costs, t->columns);
        if (!within_limits(set, tacit__blank_sheet_allowed(sheet, item),
                           tacit__blank_sheet_left(sheet, item)))
            set = 0;
    }
    *columns = set ? set : cheapest(h, sheet, item);
    return TACIT_OK;
}

/* ---- blanking ---- */

/* Rows that an item agrees with when it loses these columns, and does not now. */
static int64_t gain(const hand *h, const tacit__blank_sheet *sheet, uint64_t columns)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < sheet->items; i++)
        rows += h->line[i] && !(h->line[i] & ~columns) ? sheet->rows[i] : 0;
    return rows;
}

/* What is still wanted of the sum of alpha, where the mean counts. */
static int64_t missing(const rowwise *w)
{
    return w->sheet.tableau->k * w->sheet.tableau->rows - w->sheet.sum;
}

/* How many rows of an item lose these columns: as many as limits let, and C ends with the row
 * that brings the mean to k. */
static int64_t rows_to_blank(const hand *h, const rowwise *w, int64_t item, uint64_t columns)
{
    int64_t rows = w->sheet.rows[item];
    for (uint64_t left = columns; left; left &= left - 1) {
        int64_t room = w->sheet.tableau->most_column - w->sheet.column[__builtin_ctzll(left)];
        rows = room < rows ? room : rows;
    }
    if (w->how->mean && !w->apart) {
        int64_t each = 2 * gain(h, &w->sheet, columns);
        int64_t enough = (missing(w) + each - 1) / each;
        rows = enough < rows ? enough : rows;
    }
    return rows;
}

/* Blanks columns in rows of an item; *to is the item that these are in then. */
static tacit_status blank(int64_t *to, rowwise *w, hand *h, int64_t item, uint64_t columns,
                          tacit_error *err)
{
    int64_t rows = rows_to_blank(h, w, item, columns);
    *to = -1;
    if (rows <= 0)
        return TACIT_OK;
    tacit_status status = tacit__blank_sheet_split(to, &w->sheet, item, rows, err);
    if (status == TACIT_OK)
        status = reserve_line(h, &w->sheet, err);
    if (status != TACIT_OK)
        return status;
    h->line[*to] = 0; /* it is of the same class */
    tacit__blank_sheet_blank(&w->sheet, *to, columns, h->line);
    w->blanked = true;
    return TACIT_OK;
}

static bool is_done(const rowwise *w)
{
    return w->how->mean ? missing(w) <= 0 : w->sheet.below == 0;
}

/* ---- C ---- */

/* An item that is in need: its rows, which lose the same unless a limit parts them. */
static tacit_status treat(rowwise *w, int64_t item, tacit_error *err)
{
    hand *h = &w->hands[0];
    int64_t to = -1;
    tacit_status status = reserve_line(h, &w->sheet, err);
    while (status == TACIT_OK && to != item && !is_done(w)) {
        uint64_t columns = 0;
        tacit__blank_sheet_line(h->line, &w->sheet, item);
        status = choose(&columns, h, w, item, err);
        if (status != TACIT_OK || columns == 0)
            break;
        status = blank(&to, w, h, item, columns, err);
    }
    return status;
}

static tacit_status pass_in_turn(rowwise *w, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; status == TACIT_OK && i < w->count && !is_done(w); i++) {
        int64_t item = (uint32_t)w->rows[i];
        if (w->sheet.alpha[item] < w->sheet.tableau->k)
            status = treat(w, item, err);
        if (status == TACIT_OK)
            status =
                tacit__progress(w->run, "ambiguating", w->needy - w->sheet.below, w->needy, err);
    }
    return status;
}

/* ---- D ---- */

static tacit_status choose_task(void *context, int64_t task, int worker, tacit_error *err)
{
    rowwise *w = context;
    hand *h = &w->hands[worker];
    tacit_status status = reserve_line(h, &w->sheet, err);
    for (int64_t i = task * CHOOSE_TASK; i < (task + 1) * CHOOSE_TASK && i < w->count; i++) {
        int64_t item = (uint32_t)w->rows[i];
        if (status != TACIT_OK)
            return status;
        tacit__blank_sheet_line(h->line, &w->sheet, item);
        status = choose(&w->chosen[i], h, w, item, err);
    }
    return status;
}

static tacit_status pass_apart(rowwise *w, tacit_error *err)
{
    hand *h = &w->hands[0];
    if (!TACIT__RESERVE(w->chosen, w->chosen_room, w->count))
        return tacit__nomem(err);
    tacit_status status = tacit__parallel(
        w->run, "ambiguating", (w->count + CHOOSE_TASK - 1) / CHOOSE_TASK, choose_task, w, err);
    for (int64_t i = 0; status == TACIT_OK && i < w->count; i++) {
        int64_t to, item = (uint32_t)w->rows[i];
        if (w->chosen[i] == 0)
            continue;
        status = reserve_line(h, &w->sheet, err);
        if (status != TACIT_OK)
            break;
        tacit__blank_sheet_line(h->line, &w->sheet, item);
        status = blank(&to, w, h, item, w->chosen[i], err);
    }
    return status;
}

/* ---- passes ---- */

/* The items that are in need, in their order. */
static tacit_status list_rows(rowwise *w, tacit_error *err)
{
    w->count = 0;
    for (int64_t i = 0; i < w->sheet.items; i++) {
        if (w->sheet.alpha[i] >= w->sheet.tableau->k)
            continue;
        if (!TACIT__RESERVE_ONE(w->rows, w->rows_room, w->count))
            return tacit__nomem(err);
        w->rows[w->count++] = (uint64_t)w->places[w->sheet.class_of[i]] << 32 | (uint64_t)i;
    }
    tacit__ambiguate_sort(w->rows, w->count);
    return TACIT_OK;
}

static tacit_status pass(rowwise *w, tacit_error *err)
{
    w->blanked = false;
    tacit_status status = list_rows(w, err);
    if (status == TACIT_OK)
        status = w->apart ? pass_apart(w, err) : pass_in_turn(w, err);
    if (status == TACIT_OK && !w->blanked)
        status = tacit__blank_sheet_stuck(&w->sheet, tacit_ambiguate_way_name(w->how->way), err);
    return status;
}

tacit_status tacit__ambiguate_rowwise(tacit__blanking *plan, const tacit__tableau *tableau,
                                      const tacit_ambiguate *how, const tacit_run *run,
                                      tacit_error *err)
{
    rowwise w;
    tacit_status status = rowwise_init(&w, tableau, how, run, err);
    while (status == TACIT_OK && !is_done(&w))
        status = pass(&w, err);
    if (status == TACIT_OK)
        status = tacit__blank_sheet_plan(plan, &w.sheet, err);
    rowwise_clear(&w);
    return status;
}
