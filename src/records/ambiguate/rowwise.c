/*
 * rowwise.c - heuristics C and D: row by row (2.4 of Vinterbo and Ohno-Machado, Table
 * Ambiguation By Minimal Cell Suppression, after Ohrn and Ohno-Machado), and both with the
 * shortest conjunct instead (4).
 *
 * A row whose alpha is below k loses the cells of columns that hit every prime implicant of
 * f_i, and so agrees with at least one row more. C does so with one row
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
 *
 * Prime implicants: F_i asks of every row j that differs from i for a column of m_ij. Of the m_ij
 * only those count that contain no other; the prime implicants are the minimal sets of columns that
 * meet all of these. They are listed depth first (Murakami and Uno, Efficient algorithms for
 * dualizing large-scale hypergraphs, 2014): a set grows by a column of the first conjunct that it
 * does not meet, as long as each column of it is the only one in some conjunct. Which conjuncts are
 * met, and which exactly once, are bits, so a step costs conjuncts x columns / 64. There may be
 * exponentially many; beyond a bound the search gives up.
 *
 * C takes rows in the order of the file, its reverse, by how far a row is from the closest other,
 * or by chance. How far rows are takes a pass over all for each, on all cores.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "base/vector.h"
#include "records/ambiguate/sheet.h"
#include "records/apply/apply.h"

/* ---- prime implicants ---- */

enum { COLUMNS = TACIT_MAX_MASKED, STEPS_MAX = 1 << 18 };

void tacit__implicants_clear(tacit__implicants *p)
{
    tacit__free(p->primes);
    tacit__free(p->conjuncts);
    tacit__free(p->sorted);
    tacit__free(p->bits);
    *p = (tacit__implicants){0};
}

static tacit_status too_many(tacit_error *err)
{
    return tacit__error(err, TACIT_LIMIT,
                        "C and D list every prime implicant of a row, and of one there are too "
                        "many (more than %d, or as many as need %d steps); use short or short-d, "
                        "which need none",
                        TACIT__IMPLICANTS_MAX, STEPS_MAX);
}

/* ---- conjuncts ---- */

/* The sets of a line, most repetitions left out. */
static tacit_status collect(tacit__implicants *p, const uint64_t *line, int64_t count,
                            tacit_error *err)
{
    memset(p->seen, 0, sizeof p->seen);
    p->conjunct_count = 0;
    for (int64_t i = 0; i < count; i++) {
        uint64_t *seen = &p->seen[tacit__mix(line[i]) % TACIT__IMPLICANTS_SEEN];
        if (line[i] == 0 || *seen == line[i])
            continue;
        *seen = line[i];
        if (!TACIT__RESERVE_ONE(p->conjuncts, p->conjunct_capacity, p->conjunct_count))
            return tacit__nomem(err);
        p->conjuncts[p->conjunct_count++] = line[i];
    }
    return TACIT_OK;
}

static tacit_status sort(tacit__implicants *p, tacit_error *err)
{
    int64_t starts[COLUMNS + 2] = {0};
    if (!TACIT__RESERVE_ONE(p->sorted, p->sorted_capacity, p->conjunct_count))
        return tacit__nomem(err);
    for (int64_t i = 0; i < p->conjunct_count; i++)
        starts[__builtin_popcountll(p->conjuncts[i]) + 1]++;
    for (int32_t size = 0; size <= COLUMNS; size++)
        starts[size + 1] += starts[size];
    for (int64_t i = 0; i < p->conjunct_count; i++)
        p->sorted[starts[__builtin_popcountll(p->conjuncts[i])]++] = p->conjuncts[i];
    return TACIT_OK;
}

static bool contains_one(const uint64_t *sets, int64_t count, uint64_t set)
{
    for (int64_t i = 0; i < count; i++)
        if (!(sets[i] & ~set))
            return true;
    return false;
}

/* Leaves out those that contain another, which is found before them. */
static tacit_status reduce(tacit__implicants *p, tacit_error *err)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < p->conjunct_count; i++) {
        if (contains_one(p->conjuncts, kept, p->sorted[i]))
            continue;
        if (kept == TACIT__IMPLICANTS_MAX)
            return too_many(err);
        p->conjuncts[kept++] = p->sorted[i];
    }
    p->conjunct_count = kept;
    return TACIT_OK;
}

/* ---- minimal sets that meet all ---- */

static uint64_t *with_column(const tacit__implicants *p, int32_t column)
{
    return p->bits + column * p->words;
}

/* Conjuncts that the columns chosen on the way to a level meet, and meet once. */
static uint64_t *met(const tacit__implicants *p, int32_t level)
{
    return p->bits + (COLUMNS + 2 * level) * p->words;
}

static uint64_t *met_once(const tacit__implicants *p, int32_t level)
{
    return met(p, level) + p->words;
}

static tacit_status prepare(tacit__implicants *p, tacit_error *err)
{
    p->words = (p->conjunct_count + 63) / 64;
    size_t needed = (size_t)(3 * COLUMNS + 2) * (size_t)p->words;
    if (!TACIT__RESERVE(p->bits, p->bits_capacity, needed))
        return tacit__nomem(err);
    memset(p->bits, 0, (COLUMNS + 2) * (size_t)p->words * sizeof *p->bits);
    for (int64_t i = 0; i < p->conjunct_count; i++)
        for (uint64_t left = p->conjuncts[i]; left; left &= left - 1)
            with_column(p, __builtin_ctzll(left))[i / 64] |= UINT64_C(1) << i % 64;
    p->count = p->steps = 0;
    return TACIT_OK;
}

/* The first conjunct that is not met, or the number of them. */
static int64_t first_unmet(const tacit__implicants *p, int32_t level)
{
    const uint64_t *bits = met(p, level);
    int64_t word = 0;
    while (word < p->words && bits[word] == UINT64_MAX)
        word++;
    int64_t found = word < p->words ? word * 64 + __builtin_ctzll(~bits[word]) : p->conjunct_count;
    return found < p->conjunct_count ? found : p->conjunct_count;
}

static bool meet(const uint64_t *a, const uint64_t *b, int64_t words)
{
    for (int64_t i = 0; i < words; i++)
        if (a[i] & b[i])
            return true;
    return false;
}

/* Goes down a level with one more column; false where some column of the set is the only one
 * in no conjunct any more. */
static bool step_down(const tacit__implicants *p, int32_t level, uint64_t set, int32_t column)
{
    const uint64_t *with = with_column(p, column);
    uint64_t *before = met(p, level), *once = met_once(p, level);
    uint64_t *after = met(p, level + 1), *once_after = met_once(p, level + 1);
    for (int64_t i = 0; i < p->words; i++) {
        once_after[i] = (once[i] & ~with[i]) | (with[i] & ~before[i]);
        after[i] = before[i] | with[i];
    }
    for (uint64_t left = set; left; left &= left - 1)
        if (!meet(once_after, with_column(p, __builtin_ctzll(left)), p->words))
            return false;
    return true;
}

static tacit_status keep(tacit__implicants *p, uint64_t set, tacit_error *err)
{
    if (p->count == TACIT__IMPLICANTS_MAX)
        return too_many(err);
    return TACIT__PUSH(p->primes, p->room, p->count, set) ? TACIT_OK : tacit__nomem(err);
}

/* All that consist of a set, one column of which came in on each level, and columns of
 * `others`. No deeper than there are columns. */
static tacit_status grow(tacit__implicants *p, int32_t level, uint64_t set, uint64_t others,
                         tacit_error *err)
{
    tacit_status status = TACIT_OK;
    int64_t unmet = first_unmet(p, level);
    if (unmet == p->conjunct_count)
        return keep(p, set, err);
    if (p->steps++ == STEPS_MAX)
        return too_many(err);
    uint64_t choice = p->conjuncts[unmet] & others;
    others &= ~choice;
    for (; status == TACIT_OK && choice; choice &= choice - 1) {
        int32_t column = __builtin_ctzll(choice);
        uint64_t bit = UINT64_C(1) << column;
        if (!step_down(p, level, set, column))
            continue;
        status = grow(p, level + 1, set | bit, others, err);
        others |= bit;
    }
    return status;
}

tacit_status tacit__implicants_find(tacit__implicants *p, const uint64_t *line, int64_t count,
                                    tacit_error *err)
{
    tacit_status status = collect(p, line, count, err);
    if (status == TACIT_OK)
        status = sort(p, err);
    if (status == TACIT_OK)
        status = reduce(p, err);
    if (status == TACIT_OK)
        status = prepare(p, err);
    if (status == TACIT_OK && p->conjunct_count > 0)
        status = grow(p, 0, 0, UINT64_MAX, err);
    return status;
}

/* ---- columns that hit them ---- */

/* The column that is in the most implicants that a set does not hit, for its cost; -1: it
 * hits all. */
static int32_t best_column(const tacit__implicants *p, uint64_t set, const double *costs,
                           int32_t columns)
{
    int64_t counts[COLUMNS] = {0};
    int32_t best = -1;
    for (int64_t i = 0; i < p->count; i++)
        for (uint64_t left = p->primes[i] & set ? 0 : p->primes[i]; left; left &= left - 1)
            counts[__builtin_ctzll(left)]++;
    for (int32_t c = 0; c < columns; c++)
        if (counts[c] > 0 &&
            (best < 0 || (double)counts[c] * costs[best] > (double)counts[best] * costs[c]))
            best = c;
    return best;
}

uint64_t tacit__implicants_hit(const tacit__implicants *p, const double *costs, int32_t columns)
{
    uint64_t set = 0;
    for (;;) {
        int32_t column = best_column(p, set, costs, columns);
        if (column < 0)
            return set;
        set |= UINT64_C(1) << column;
    }
}

/* ---- the order of rows ---- */

enum { MEASURE_TASK = 64 };

typedef struct measuring {
    const tacit__blank_sheet *sheet;
    uint64_t **lines;   /* a worker each */
    uint64_t *distance; /* a class each */
} measuring;

static uint64_t closest(const uint64_t *line, int64_t count)
{
    int least = TACIT_MAX_MASKED + 1;
    for (int64_t i = 0; i < count; i++) {
        int size = __builtin_popcountll(line[i]);
        least = size > 0 && size < least ? size : least;
    }
    return (uint64_t)least;
}

static tacit_status measure_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)err;
    measuring *m = context;
    const tacit__blank_sheet *sheet = m->sheet;
    for (int64_t i = task * MEASURE_TASK;
         i < (task + 1) * MEASURE_TASK && i < sheet->tableau->classes; i++) {
        tacit__blank_sheet_line(m->lines[worker], sheet, i);
        m->distance[i] = closest(m->lines[worker], sheet->items);
    }
    return TACIT_OK;
}

/* To the closest class, in columns, for each. */
static tacit_status measure(uint64_t *distance, const tacit__blank_sheet *sheet,
                            const tacit_run *run, tacit_error *err)
{
    int workers = tacit__threads(run);
    measuring m = {.sheet = sheet, .distance = distance};
    tacit_status status = TACIT_OK;
    m.lines = tacit__alloc_zeroed((size_t)workers, sizeof *m.lines);
    if (!m.lines)
        return tacit__nomem(err);
    for (int i = 0; status == TACIT_OK && i < workers; i++) {
        m.lines[i] = tacit__alloc_array((size_t)sheet->room, sizeof **m.lines);
        status = m.lines[i] ? TACIT_OK : tacit__nomem(err);
    }
    if (status == TACIT_OK)
        status = tacit__parallel(run, "comparing rows",
                                 (sheet->tableau->classes + MEASURE_TASK - 1) / MEASURE_TASK,
                                 measure_task, &m, err);
    for (int i = 0; i < workers; i++)
        tacit__free(m.lines[i]);
    tacit__free(m.lines);
    return status;
}

static void sort_keys(uint64_t *keys, int64_t count)
{
    if (count > 0)
        qsort(keys, (size_t)count, sizeof *keys, tacit__by_uint64);
}

/* Classes by their distances, those that are as far in the order of the file. */
static tacit_status by_distance(uint32_t *places, const tacit__blank_sheet *sheet, bool hardest,
                                const tacit_run *run, tacit_error *err)
{
    int64_t classes = sheet->tableau->classes;
    uint64_t *keys = tacit__alloc_array((size_t)classes, sizeof *keys);
    if (!keys)
        return tacit__nomem(err);
    tacit_status status = measure(keys, sheet, run, err);
    for (int64_t i = 0; status == TACIT_OK && i < classes; i++) {
        uint64_t key = hardest ? TACIT_MAX_MASKED + 1 - keys[i] : keys[i];
        keys[i] = key << 32 | (uint64_t)i;
    }
    if (status == TACIT_OK)
        sort_keys(keys, classes);
    for (int64_t i = 0; status == TACIT_OK && i < classes; i++)
        places[(uint32_t)keys[i]] = (uint32_t)i;
    tacit__free(keys);
    return status;
}

static tacit_status by_chance(uint32_t *places, int64_t classes, const tacit_run *run,
                              tacit_error *err)
{
    uint32_t *order = NULL;
    tacit_status status = tacit__shuffle(&order, classes, NULL, classes, run, err);
    for (int64_t i = 0; status == TACIT_OK && i < classes; i++)
        places[order[i]] = (uint32_t)i;
    tacit__free(order);
    return status;
}

static tacit_status fill_places(uint32_t *places, const tacit__blank_sheet *sheet,
                                tacit_ambiguate_order order, const tacit_run *run, tacit_error *err)
{
    int64_t classes = sheet->tableau->classes;
    if (order == TACIT_ORDER_RANDOM)
        return by_chance(places, classes, run, err);
    if (order == TACIT_ORDER_HARDEST || order == TACIT_ORDER_EASIEST)
        return by_distance(places, sheet, order == TACIT_ORDER_HARDEST, run, err);
    for (int64_t i = 0; i < classes; i++)
        places[i] = (uint32_t)(order == TACIT_ORDER_REVERSE ? classes - 1 - i : i);
    return TACIT_OK;
}

tacit_status tacit__ambiguate_places(uint32_t **out, const tacit__blank_sheet *sheet,
                                     tacit_ambiguate_order order, const tacit_run *run,
                                     tacit_error *err)
{
    uint32_t *places = tacit__alloc_array((size_t)sheet->tableau->classes, sizeof *places);
    if (!places)
        return tacit__nomem(err);
    tacit_status status = fill_places(places, sheet, order, run, err);
    if (status == TACIT_OK)
        *out = places;
    else
        tacit__free(places);
    return status;
}

/* ---- rows ---- */

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
    size_t rows_capacity, chosen_capacity;
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
    if (!TACIT__RESERVE(w->chosen, w->chosen_capacity, w->count))
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

static tacit_status list_rows(rowwise *w, tacit_error *err)
{
    w->count = 0;
    for (int64_t i = 0; i < w->sheet.items; i++) {
        if (w->sheet.alpha[i] >= w->sheet.tableau->k)
            continue;
        if (!TACIT__RESERVE_ONE(w->rows, w->rows_capacity, w->count))
            return tacit__nomem(err);
        w->rows[w->count++] = (uint64_t)w->places[w->sheet.class_of[i]] << 32 | (uint64_t)i;
    }
    sort_keys(w->rows, w->count);
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
