/*
 * reduce.c - from a table with suppressed cells to independent blocks of few
 * variables, by steps that lose and add nothing.
 *
 * Only suppressed cells can deviate, so a relation is the sum of its suppressed cells'
 * deviations being 0, and one without any drops out. One with a single cell says that it does
 * not deviate at all: it is published in effect. One with two cells of the same weight
 * says that both deviate together or against each other: they become one variable with the
 * narrower bounds. Either may leave other relations with fewer cells, so those are looked
 * at again, until nothing changes. Then bounds are tightened by single relations (the
 * others at their bounds leave so much room), which may fix further variables.
 *
 * What shares no relation afterwards is a block of its own.
 *
 * Cost: the relations' terms, a few times; joining relabels the smaller side.
 */
#include <math.h>
#include <stdlib.h>

#include "audit/tables/tables.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"

/* Sums of weights, or of bounds, that are this small beside their terms are 0. */
#define CANCELLED 1e-12

/* Bounds are tightened by this much of themselves at least, and so many times over. */
#define WORTHWHILE 1e-6
enum { PASSES = 10, REPEATS = 20 };

typedef struct reduction {
    tacit__arena arena;
    int32_t count;  /* suppressed cells */
    int32_t *cells; /* in the table */
    /* relations by what is suppressed in them */
    int32_t rows;
    int32_t *starts, *items;
    double *coefs;
    int32_t *use_starts, *uses; /* rows by suppressed cell */
    /* classes of cells that move together; bounds and fixed are their leaders' */
    int32_t *leader, *next, *size;
    int8_t *sign;
    bool *fixed;
    double *lower, *upper;
    /* rows to look at */
    int32_t *queue, head, waiting;
    bool *queued;
    /* the row in hand: leaders and their weights */
    int32_t terms, *term, *place;
    double *weight, *size_of;
    /* the rows that are left, over leaders */
    int32_t left, *left_starts, *left_items;
    double *left_coefs;
} reduction;

double tacit__value_noise(double value)
{
    return TACIT_CELLS_EQUAL * fmax(1, fabs(value));
}

/* ---- the relations of suppressed cells ---- */

static void *take(reduction *r, int64_t count, size_t size)
{
    size_t bytes;
    return tacit__multiply((size_t)count, size, &bytes) ? tacit__arena_alloc(&r->arena, bytes)
                                                        : NULL;
}

static void count_terms(reduction *r, int64_t *terms, const tacit_relations *all,
                        const int32_t *number)
{
    *terms = 0;
    for (int32_t i = 0; i < all->count; i++) {
        int64_t before = *terms;
        for (int64_t j = all->starts[i]; j < all->starts[i + 1]; j++)
            *terms += number[all->items[j]] >= 0 && all->coefs[j] != 0;
        r->rows += *terms > before;
    }
}

static void fill_rows(reduction *r, const tacit_relations *all, const int32_t *number)
{
    int32_t row = 0, at = 0;
    r->starts[0] = 0;
    for (int32_t i = 0; i < all->count; i++) {
        for (int64_t j = all->starts[i]; j < all->starts[i + 1]; j++)
            if (number[all->items[j]] >= 0 && all->coefs[j] != 0) {
                r->items[at] = number[all->items[j]];
                r->coefs[at++] = all->coefs[j];
            }
        if (at > r->starts[row])
            r->starts[++row] = at;
    }
}

static void fill_system_uses(reduction *r)
{
    for (int32_t k = 0; k <= r->count; k++)
        r->use_starts[k] = 0;
    for (int32_t j = 0; j < r->starts[r->rows]; j++)
        r->use_starts[r->items[j] + 1]++;
    for (int32_t k = 0; k < r->count; k++)
        r->use_starts[k + 1] += r->use_starts[k];
    for (int32_t row = 0; row < r->rows; row++)
        for (int32_t j = r->starts[row]; j < r->starts[row + 1]; j++)
            r->uses[r->use_starts[r->items[j]]++] = row;
    for (int32_t k = r->count; k > 0; k--)
        r->use_starts[k] = r->use_starts[k - 1];
    r->use_starts[0] = 0;
}

static tacit_status read_relations(reduction *r, const tacit_cells *cells, const int32_t *number,
                                   tacit_error *err)
{
    int64_t terms;
    count_terms(r, &terms, &cells->relations, number);
    if (terms > INT32_MAX / 2)
        return tacit__error(err, TACIT_LIMIT,
                            "suppressed cells stand in relations %lld times, which is too many to "
                            "audit",
                            (long long)terms);
    r->starts = take(r, (int64_t)r->rows + 1, sizeof *r->starts);
    r->items = take(r, terms, sizeof *r->items);
    r->coefs = take(r, terms, sizeof *r->coefs);
    r->use_starts = take(r, (int64_t)r->count + 1, sizeof *r->use_starts);
    r->uses = take(r, terms, sizeof *r->uses);
    r->left_starts = take(r, (int64_t)r->rows + 1, sizeof *r->left_starts);
    r->left_items = take(r, terms, sizeof *r->left_items);
    r->left_coefs = take(r, terms, sizeof *r->left_coefs);
    r->queue = take(r, r->rows, sizeof *r->queue);
    r->queued = take(r, r->rows, sizeof *r->queued);
    if (!r->starts || !r->items || !r->coefs || !r->use_starts || !r->uses || !r->left_starts ||
        !r->left_items || !r->left_coefs || !r->queue || !r->queued)
        return tacit__nomem(err);
    fill_rows(r, &cells->relations, number);
    fill_system_uses(r);
    return TACIT_OK;
}

static tacit_status make_classes(reduction *r, const tacit_cells *cells, tacit_error *err)
{
    int64_t n = r->count;
    r->leader = take(r, n, sizeof *r->leader);
    r->next = take(r, n, sizeof *r->next);
    r->size = take(r, n, sizeof *r->size);
    r->sign = take(r, n, sizeof *r->sign);
    r->fixed = take(r, n, sizeof *r->fixed);
    r->lower = take(r, n, sizeof *r->lower);
    r->upper = take(r, n, sizeof *r->upper);
    r->term = take(r, n, sizeof *r->term);
    r->place = take(r, n, sizeof *r->place);
    r->weight = take(r, n, sizeof *r->weight);
    r->size_of = take(r, n, sizeof *r->size_of);
    if (!r->leader || !r->next || !r->size || !r->sign || !r->fixed || !r->lower || !r->upper ||
        !r->term || !r->place || !r->weight || !r->size_of)
        return tacit__nomem(err);
    for (int32_t k = 0; k < n; k++) {
        int32_t cell = r->cells[k];
        double value = cells->value[cell], noise = tacit__value_noise(value);
        double low = cells->lower[cell] - value, high = cells->upper[cell] - value;
        r->leader[k] = r->next[k] = k;
        r->size[k] = r->sign[k] = 1;
        r->place[k] = -1;
        r->lower[k] = low < -noise ? low : 0; /* no number: no room */
        r->upper[k] = high > noise ? high : 0;
        r->fixed[k] = r->lower[k] == 0 && r->upper[k] == 0;
    }
    return TACIT_OK;
}

/* ---- steps ---- */

static void enqueue(reduction *r, int32_t row)
{
    if (r->queued[row])
        return;
    r->queued[row] = true;
    int64_t end = (int64_t)r->head + r->waiting++;
    r->queue[end % r->rows] = row;
}

static int32_t dequeue(reduction *r)
{
    int32_t row = r->queue[r->head];
    r->head = r->head + 1 == r->rows ? 0 : r->head + 1;
    r->waiting--;
    r->queued[row] = false;
    return row;
}

/* Rows with a member of the class. */
static void enqueue_class(reduction *r, int32_t leader)
{
    int32_t k = leader;
    do {
        for (int32_t j = r->use_starts[k]; j < r->use_starts[k + 1]; j++)
            enqueue(r, r->uses[j]);
        k = r->next[k];
    } while (k != leader);
}

static void fix(reduction *r, int32_t leader)
{
    r->fixed[leader] = true;
    enqueue_class(r, leader);
}

static void add_term(reduction *r, int32_t leader, double weight)
{
    if (r->place[leader] < 0) {
        r->place[leader] = r->terms;
        r->term[r->terms] = leader;
        r->weight[r->terms] = r->size_of[r->terms] = 0;
        r->terms++;
    }
    r->weight[r->place[leader]] += weight;
    r->size_of[r->place[leader]] += fabs(weight);
}

/* The row in terms of what can still move, once each. */
static void evaluate(reduction *r, int32_t row)
{
    int32_t kept = 0;
    r->terms = 0;
    for (int32_t j = r->starts[row]; j < r->starts[row + 1]; j++) {
        int32_t k = r->items[j], leader = r->leader[k];
        if (!r->fixed[leader])
            add_term(r, leader, r->coefs[j] * r->sign[k]);
    }
    for (int32_t i = 0; i < r->terms; i++) {
        r->place[r->term[i]] = -1;
        if (fabs(r->weight[i]) > CANCELLED * r->size_of[i]) {
            r->term[kept] = r->term[i];
            r->weight[kept++] = r->weight[i];
        }
    }
    r->terms = kept;
}

/* Everything of class b moves as sign times that of class a. */
static void join(reduction *r, int32_t a, int32_t b, int8_t sign)
{
    if (r->size[a] < r->size[b]) {
        int32_t other = a;
        a = b;
        b = other;
    }
    double low = sign > 0 ? r->lower[b] : -r->upper[b];
    double high = sign > 0 ? r->upper[b] : -r->lower[b];
    r->lower[a] = fmax(r->lower[a], low);
    r->upper[a] = fmin(r->upper[a], high);
    enqueue_class(r, b);
    int32_t k = b;
    do {
        r->leader[k] = a;
        r->sign[k] = (int8_t)(r->sign[k] * sign);
        k = r->next[k];
    } while (k != b);
    int32_t after = r->next[a];
    r->next[a] = r->next[b];
    r->next[b] = after;
    r->size[a] += r->size[b];
    if (r->lower[a] == 0 && r->upper[a] == 0)
        fix(r, a);
}

static void settle_variables(reduction *r)
{
    while (r->waiting > 0) {
        evaluate(r, dequeue(r));
        if (r->terms == 1)
            fix(r, r->term[0]);
        else if (r->terms == 2 && fabs(r->weight[0]) == fabs(r->weight[1]))
            join(r, r->term[0], r->term[1], r->weight[0] == r->weight[1] ? -1 : 1);
    }
}

/* ---- bounds ---- */

static void list_rows(reduction *r)
{
    r->left = 0;
    r->left_starts[0] = 0;
    for (int32_t row = 0; row < r->rows; row++) {
        int32_t at = r->left_starts[r->left];
        evaluate(r, row);
        for (int32_t i = 0; i < r->terms; i++) {
            r->left_items[at] = r->term[i];
            r->left_coefs[at++] = r->weight[i];
        }
        if (r->terms > 0)
            r->left_starts[++r->left] = at;
    }
}

/* The most that weight times the variable can be. */
static double most(const reduction *r, double weight, int32_t leader)
{
    return weight * (weight > 0 ? r->upper[leader] : r->lower[leader]);
}

/* All terms at their most but one, whose own is infinite or left out. */
typedef struct room {
    double sum, size;
    int32_t infinite;
} room;

static room room_of(const reduction *r, int32_t row, double side)
{
    room all = {0};
    for (int32_t j = r->left_starts[row]; j < r->left_starts[row + 1]; j++) {
        double term = most(r, side * r->left_coefs[j], r->left_items[j]);
        all.infinite += isinf(term);
        all.sum += isinf(term) ? 0 : term;
        all.size += isinf(term) ? 0 : fabs(term);
    }
    return all;
}

/* How far weight times the variable can fall, given the room that the others have: a number
 * of 0 or more. */
static double fall(const room *all, double term)
{
    if (all->infinite > (isinf(term) ? 1 : 0))
        return INFINITY;
    double rest = isinf(term) ? all->sum : all->sum - term;
    return rest > CANCELLED * all->size ? rest : 0;
}

/* Moves a bound to the limit if that is worth it. */
static bool tighten_bound(double *bound, double limit)
{
    if (fabs(limit) >= fabs(*bound) || *bound == 0 ||
        (limit != 0 && isfinite(*bound) && fabs(*bound - limit) <= WORTHWHILE * fabs(*bound)))
        return false;
    *bound = limit;
    return true;
}

static bool tighten_row(reduction *r, int32_t row, double side)
{
    bool changed = false;
    room all = room_of(r, row, side);
    for (int32_t j = r->left_starts[row]; j < r->left_starts[row + 1]; j++) {
        int32_t leader = r->left_items[j];
        double weight = side * r->left_coefs[j];
        double limit = fall(&all, most(r, weight, leader)) / fabs(weight);
        changed |= weight > 0 ? tighten_bound(&r->lower[leader], -limit)
                              : tighten_bound(&r->upper[leader], limit);
    }
    return changed;
}

/* Whether some variable turned out not to move. */
static bool tighten_all(reduction *r)
{
    bool changed = true, found = false;
    for (int pass = 0; pass < PASSES && changed; pass++) {
        changed = false;
        for (int32_t row = 0; row < r->left; row++) {
            changed |= tighten_row(r, row, 1);
            changed |= tighten_row(r, row, -1);
        }
    }
    for (int32_t k = 0; k < r->count; k++)
        if (r->leader[k] == k && !r->fixed[k] && r->lower[k] == 0 && r->upper[k] == 0) {
            fix(r, k);
            found = true;
        }
    return found;
}

static void reduce(reduction *r)
{
    for (int32_t row = 0; row < r->rows; row++)
        r->queued[row] = false;
    for (int32_t row = 0; row < r->rows; row++)
        enqueue(r, row);
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        settle_variables(r);
        list_rows(r);
        if (!tighten_all(r))
            break;
    }
    settle_variables(r);
    list_rows(r);
}

/* ---- blocks ---- */

/* place[k] leads from any leader to the first of its block. */
static int32_t first_of(int32_t *place, int32_t k)
{
    while (place[k] != k)
        k = place[k] = place[place[k]];
    return k;
}

static void find_blocks(reduction *r)
{
    for (int32_t k = 0; k < r->count; k++)
        r->place[k] = k;
    for (int32_t row = 0; row < r->left; row++)
        for (int32_t j = r->left_starts[row] + 1; j < r->left_starts[row + 1]; j++) {
            int32_t a = first_of(r->place, r->left_items[j - 1]);
            int32_t b = first_of(r->place, r->left_items[j]);
            r->place[a > b ? a : b] = a < b ? a : b;
        }
}

/* Numbers the blocks: size[k] is that of leader k. Counts their variables and rows. */
static void count_blocks(const reduction *r, tacit__system *s)
{
    for (int32_t k = 0; k < r->count; k++) {
        if (r->leader[k] != k || r->fixed[k])
            continue;
        int32_t first = first_of(r->place, k);
        r->size[k] = first == k ? s->blocks++ : r->size[first];
        s->block_variables[r->size[k] + 1]++;
        s->variables++;
    }
    for (int32_t row = 0; row < r->left; row++)
        s->block_rows[r->size[r->left_items[r->left_starts[row]]] + 1]++;
    for (int32_t b = 0; b < s->blocks; b++) {
        s->block_variables[b + 1] += s->block_variables[b];
        s->block_rows[b + 1] += s->block_rows[b];
    }
}

/* term[k] becomes the variable of leader k. */
static void number_variables(reduction *r, tacit__system *s)
{
    int32_t *next = r->next; /* where the block's next variable goes */
    for (int32_t b = 0; b < s->blocks; b++)
        next[b] = s->block_variables[b];
    for (int32_t k = 0; k < r->count; k++)
        if (r->leader[k] == k && !r->fixed[k]) {
            int32_t variable = r->term[k] = next[r->size[k]]++;
            s->lower[variable] = r->lower[k];
            s->upper[variable] = r->upper[k];
            s->block_of[variable] = r->size[k];
        }
    for (int32_t k = 0; k < r->count; k++) {
        int32_t leader = r->leader[k];
        s->cells[k] = r->cells[k];
        s->variable[k] = r->fixed[leader] ? -1 : r->term[leader];
        s->sign[k] = r->sign[k];
    }
}

/* Rows in the order of their blocks. */
static void place_rows(reduction *r, tacit__system *s)
{
    int32_t *next = r->next, *order = r->queue, at = 0;
    for (int32_t b = 0; b < s->blocks; b++)
        next[b] = s->block_rows[b];
    for (int32_t row = 0; row < r->left; row++)
        order[next[r->size[r->left_items[r->left_starts[row]]]]++] = row;
    s->rows = r->left;
    s->starts[0] = 0;
    for (int32_t row = 0; row < r->left; row++) {
        for (int32_t j = r->left_starts[order[row]]; j < r->left_starts[order[row] + 1]; j++) {
            s->items[at] = r->term[r->left_items[j]];
            s->coefs[at++] = r->left_coefs[j];
        }
        s->starts[row + 1] = at;
    }
}

static tacit__system *system_capacity(const reduction *r)
{
    tacit__system *s = tacit__alloc_zeroed(1, sizeof *s);
    size_t n = (size_t)r->count, terms = (size_t)r->left_starts[r->left];
    if (!s)
        return NULL;
    s->count = r->count;
    s->cells = tacit__alloc_array(n, sizeof *s->cells);
    s->variable = tacit__alloc_array(n, sizeof *s->variable);
    s->sign = tacit__alloc_array(n, sizeof *s->sign);
    s->lower = tacit__alloc_array(n, sizeof *s->lower);
    s->upper = tacit__alloc_array(n, sizeof *s->upper);
    s->block_of = tacit__alloc_array(n, sizeof *s->block_of);
    s->block_variables = tacit__alloc_zeroed(n + 1, sizeof *s->block_variables);
    s->block_rows = tacit__alloc_zeroed(n + 1, sizeof *s->block_rows);
    s->starts = tacit__alloc_array((size_t)r->left + 1, sizeof *s->starts);
    s->items = tacit__alloc_array(terms, sizeof *s->items);
    s->coefs = tacit__alloc_array(terms, sizeof *s->coefs);
    if (s->cells && s->variable && s->sign && s->lower && s->upper && s->block_of &&
        s->block_variables && s->block_rows && s->starts && s->items && s->coefs)
        return s;
    tacit__system_free(s);
    return NULL;
}

static tacit_status conclude(tacit__system **out, reduction *r, tacit_error *err)
{
    tacit__system *s = system_capacity(r);
    if (!s)
        return tacit__nomem(err);
    find_blocks(r);
    count_blocks(r, s);
    number_variables(r, s);
    place_rows(r, s);
    *out = s;
    return TACIT_OK;
}

/* The suppressed cells, and for every cell of the table its number among them or -1. */
static tacit_status list_cells(reduction *r, int32_t **number, const tacit_cells *cells,
                               const char *status, tacit_error *err)
{
    *number = take(r, cells->count, sizeof **number);
    for (int32_t i = 0; i < cells->count; i++)
        r->count += tacit__suppressed(status[i]);
    r->cells = take(r, r->count, sizeof *r->cells);
    if (!*number || !r->cells)
        return tacit__nomem(err);
    for (int32_t i = 0, k = 0; i < cells->count; i++) {
        (*number)[i] = tacit__suppressed(status[i]) ? k : -1;
        if (tacit__suppressed(status[i]))
            r->cells[k++] = i;
    }
    return TACIT_OK;
}

tacit_status tacit__system_new(tacit__system **out, const tacit_cells *cells, const char *status,
                               tacit_error *err)
{
    reduction r = {0};
    int32_t *number = NULL;
    tacit_status result = list_cells(&r, &number, cells, status, err);
    if (result == TACIT_OK)
        result = read_relations(&r, cells, number, err);
    if (result == TACIT_OK)
        result = make_classes(&r, cells, err);
    if (result == TACIT_OK) {
        reduce(&r);
        result = conclude(out, &r, err);
    }
    tacit__arena_clear(&r.arena);
    return result;
}

void tacit__system_free(tacit__system *system)
{
    if (!system)
        return;
    tacit__free(system->cells);
    tacit__free(system->variable);
    tacit__free(system->sign);
    tacit__free(system->lower);
    tacit__free(system->upper);
    tacit__free(system->block_of);
    tacit__free(system->block_variables);
    tacit__free(system->block_rows);
    tacit__free(system->starts);
    tacit__free(system->items);
    tacit__free(system->coefs);
    tacit__free(system);
}
