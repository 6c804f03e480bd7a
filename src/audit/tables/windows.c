/*
 * windows.c - what small parts of large blocks show, before programs over all of them.
 *
 * A deviation of some variables of a block, all others being 0, is one of the block: what it
 * shows holds in the table, exactly as far as it holds in the part. A dense table of four
 * dimensions is one block of which no program comes to its end, but what hides a cell is mostly
 * near it. So about each variable of which something is left to show a window is taken: a row with
 * one variable in the window gets the one that gives company to most others; when no row is left
 * alone, further ones of its rows. The window's programs are those of a block (program.c,
 * ranges.c), proofs included. What they do not show is left for larger windows,
 * and in the end for the block: windows only ever show that cells are hidden.
 *
 * Windows are looked at in rounds of ROUND, far from each other, in parallel; what a round shows is
 * taken over in order, so that nothing depends on threads.
 *
 * Cost: a few programs of some hundred columns a window. Memory: 4 bytes a variable and row for
 * every thread, 8 a term.
 */
#include <math.h>

#include "audit/tables/tables.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

/* Variables of the first windows, how much larger the next are and the largest at most; a
 * block that is no more than so many times larger than the first needs none. */
enum { FIRST = 256, GROWTH = 4, LARGEST = 20000, LARGE_BLOCK = 8 };

/* Windows of a round; and ranges are looked for in that part of a window, near its centre. */
enum { ROUND = 64, NEAR = 4 };

/* A window, and what it showed. Arrays have a place for each of its variables. */
typedef struct window {
    int32_t centre;
    int32_t count;
    int32_t *variables; /* of the system, the centre first */
    double *low, *high;
    bool *moves;
    int64_t programs;
} window;

/* What a worker needs to look at windows, one after the other. */
typedef struct desk {
    int32_t *number; /* by variable: in the window; -1: not there */
    int32_t *here;   /* by row: how many of its variables are */
    int32_t *rows;   /* that have some, in the order they got the first */
    size_t row_capacity;
    int32_t row_count;
    int32_t closed, filled; /* that many of them have two variables, or all of theirs */
} desk;

typedef struct window_search {
    tacit__inquiry *q;
    int32_t most;               /* variables of a window */
    int32_t *use_starts, *uses; /* rows by variable */
    bool *tried;                /* by variable: was a centre */
    int32_t *open;              /* variables that may be centres */
    desk *desks;
    int desk_count;
    window windows[ROUND];
    int64_t programs;
} window_search;

/* ---- which variables ---- */

static tacit_status enter(const window_search *s, desk *d, window *w, int32_t variable,
                          tacit_error *err)
{
    int32_t from = s->use_starts[variable], to = s->use_starts[variable + 1];
    if (!TACIT__RESERVE(d->rows, d->row_capacity, (size_t)d->row_count + (size_t)(to - from)))
        return tacit__nomem(err);
    d->number[variable] = w->count;
    w->variables[w->count++] = variable;
    for (int32_t u = from; u < to; u++)
        if (d->here[s->uses[u]]++ == 0)
            d->rows[d->row_count++] = s->uses[u];
    return TACIT_OK;
}

/* Rows in which it would be the second, less those in which it would be alone. */
static int32_t score(const window_search *s, const desk *d, int32_t variable)
{
    int32_t sum = 0;
    for (int32_t u = s->use_starts[variable]; u < s->use_starts[variable + 1]; u++) {
        int32_t here = d->here[s->uses[u]];
        sum += (here == 1) - (here == 0);
    }
    return sum;
}

/* How far it could go both ways. */
static double slack(const tacit__system *system, int32_t variable)
{
    return fmin(-system->lower[variable], system->upper[variable]);
}

/* The variable of a row that fits the window best; -1: all are there. */
static int32_t best_of(const window_search *s, const desk *d, int32_t row)
{
    const tacit__system *system = s->q->system;
    int32_t best = -1, most = 0;
    for (int32_t j = system->starts[row]; j < system->starts[row + 1]; j++) {
        int32_t v = system->items[j];
        if (d->number[v] >= 0)
            continue;
        int32_t now = score(s, d, v);
        if (best < 0 || now > most || (now == most && slack(system, v) > slack(system, best))) {
            best = v;
            most = now;
        }
    }
    return best;
}

/* The next one: for a row that has one variable only, the oldest first, or any other that shares
 * a row with those there. -1: there are no more. */
static int32_t next_of(const window_search *s, desk *d)
{
    int32_t next = -1;
    while (next < 0 && d->closed < d->row_count) {
        int32_t row = d->rows[d->closed++];
        next = d->here[row] == 1 ? best_of(s, d, row) : -1;
    }
    while (next < 0 && d->filled < d->row_count) {
        next = best_of(s, d, d->rows[d->filled]);
        d->filled += next < 0;
    }
    return next;
}

static tacit_status gather_window(const window_search *s, desk *d, window *w, tacit_error *err)
{
    int32_t next = w->centre;
    tacit_status status = TACIT_OK;
    w->count = d->row_count = d->closed = d->filled = 0;
    while (status == TACIT_OK && next >= 0 && w->count < s->most) {
        status = enter(s, d, w, next, err);
        next = next_of(s, d);
    }
    return status;
}

static void scatter(desk *d, const window *w)
{
    for (int32_t i = 0; i < w->count; i++)
        d->number[w->variables[i]] = -1;
    for (int32_t i = 0; i < d->row_count; i++)
        d->here[d->rows[i]] = 0;
}

/* ---- its programs ---- */

/* A window as a block of its own, with what is needed of its variables. */
typedef struct view {
    tacit__tables_block block;
    double *coefs;
    tacit__needs needs;
    double *numbers; /* of needs, in one piece */
    bool *unknown;   /* not taken over: larger windows may know */
    int32_t *targets;
} view;

static void view_clear(view *v)
{
    tacit__free(v->block.lower);
    tacit__free(v->block.upper);
    tacit__free(v->block.starts);
    tacit__free(v->block.items);
    tacit__free(v->coefs);
    tacit__free(v->numbers);
    tacit__free(v->unknown);
    tacit__free(v->targets);
}

static tacit_status view_capacity(view *v, const desk *d, const window *w, tacit_error *err)
{
    size_t n = (size_t)w->count, terms = 0;
    for (int32_t i = 0; i < d->row_count; i++)
        terms += (size_t)d->here[d->rows[i]];
    v->block = (tacit__tables_block){.variables = w->count, .rows = d->row_count};
    v->block.lower = tacit__alloc_array(n, sizeof *v->block.lower);
    v->block.upper = tacit__alloc_array(n, sizeof *v->block.upper);
    v->block.starts = tacit__alloc_array((size_t)d->row_count + 1, sizeof *v->block.starts);
    v->block.items = tacit__alloc_array(terms, sizeof *v->block.items);
    v->coefs = tacit__alloc_array(terms, sizeof *v->coefs);
    v->numbers = tacit__alloc_array(4 * n, sizeof *v->numbers);
    v->unknown = tacit__alloc_zeroed(n, sizeof *v->unknown);
    v->targets = tacit__alloc_array(n, sizeof *v->targets);
    bool all = v->block.lower && v->block.upper && v->block.starts && v->block.items && v->coefs &&
               v->numbers && v->unknown && v->targets;
    return all ? TACIT_OK : tacit__nomem(err);
}

static void fill_window_rows(view *v, const tacit__system *system, const desk *d)
{
    tacit__tables_block *b = &v->block;
    int32_t at = 0;
    b->starts[0] = 0;
    b->coefs = v->coefs;
    for (int32_t i = 0; i < d->row_count; i++) {
        int32_t row = d->rows[i];
        for (int32_t j = system->starts[row]; j < system->starts[row + 1]; j++)
            if (d->number[system->items[j]] >= 0) {
                b->items[at] = d->number[system->items[j]];
                v->coefs[at++] = system->coefs[j];
            }
        b->starts[i + 1] = at;
    }
}

static void fill_variables(view *v, const tacit__inquiry *q, window *w)
{
    double *low = v->numbers, *high = low + w->count, *span = high + w->count;
    double *noise = span + w->count;
    for (int32_t i = 0; i < w->count; i++) {
        int32_t x = w->variables[i];
        v->block.lower[i] = q->system->lower[x];
        v->block.upper[i] = q->system->upper[x];
        low[i] = q->need_low[x];
        high[i] = q->need_high[x];
        span[i] = q->need_span[x];
        noise[i] = q->noise[x];
        w->low[i] = q->low[x];
        w->high[i] = q->high[x];
        w->moves[i] = q->moves[x];
    }
    v->needs = (tacit__needs){.low = low, .high = high, .span = span, .noise = noise};
}

/* The only variable of a row that is not held; -1: there are several, or none. */
static int32_t only_one(const tacit__tables_block *b, int32_t row)
{
    int32_t one = -1;
    for (int32_t j = b->starts[row]; j < b->starts[row + 1]; j++) {
        int32_t i = b->items[j];
        if (b->lower[i] == 0 && b->upper[i] == 0)
            continue;
        if (one >= 0)
            return -1;
        one = i;
    }
    return one;
}

/* Variables that are alone in a row do not move in the window, and so on: programs need not find
 * that out. */
static void hold(tacit__tables_block *b)
{
    for (bool again = true; again;) {
        again = false;
        for (int32_t row = 0; row < b->rows; row++) {
            int32_t one = only_one(b, row);
            if (one < 0)
                continue;
            b->lower[one] = b->upper[one] = 0;
            again = true;
        }
    }
}

static bool is_held(const tacit__tables_block *b, int32_t i)
{
    return b->lower[i] == 0 && b->upper[i] == 0;
}

/* Those near the centre of which more is to be shown than that they move. */
static int32_t list_targets(view *v, const tacit__inquiry *q, const window *w)
{
    int32_t count = 0;
    for (int32_t i = 0; i <= w->count / NEAR && i < w->count; i++) {
        int32_t x = w->variables[i];
        if (w->moves[i] && !is_held(&v->block, i) && tacit__is_open(q, x, w->low[i], w->high[i]))
            v->targets[count++] = i;
    }
    return count;
}

static tacit_status judge(view *v, const tacit__inquiry *q, window *w, tacit_error *err)
{
    tacit__tables_extent extent = {
        .low = w->low, .high = w->high, .moves = w->moves, .unknown = v->unknown};
    hold(&v->block);
    if (is_held(&v->block, 0))
        return TACIT_OK;
    tacit_status status = tacit__find_moves(&extent, &q->adversary, &v->block, err);
    if (status == TACIT_OK)
        status = tacit__find_ranges(&extent, &q->adversary, &v->block, &v->needs, v->targets,
                                    list_targets(v, q, w), err);
    w->programs = extent.programs;
    return status;
}

/* ---- rounds ---- */

static tacit_status look(void *context, int64_t task, int worker, tacit_error *err)
{
    window_search *s = context;
    desk *d = &s->desks[worker];
    window *w = &s->windows[task];
    view v = {0};
    tacit_status status = gather_window(s, d, w, err);
    if (status == TACIT_OK)
        status = view_capacity(&v, d, w, err);
    if (status == TACIT_OK) {
        fill_window_rows(&v, s->q->system, d);
        fill_variables(&v, s->q, w);
    }
    scatter(d, w);
    if (status == TACIT_OK)
        status = judge(&v, s->q, w, err);
    view_clear(&v);
    return status;
}

static void take_over(window_search *s, const window *w)
{
    tacit__inquiry *q = s->q;
    s->programs += w->programs;
    for (int32_t i = 0; i < w->count; i++) {
        int32_t x = w->variables[i];
        if (!w->moves[i])
            continue;
        q->moves[x] = true;
        q->low[x] = fmin(q->low[x], w->low[i]);
        q->high[x] = fmax(q->high[x], w->high[i]);
    }
}

/* Variables to be shown that were no centre of a window of this size, which all of their block
 * would not fit in. */
static int32_t list_open(window_search *s)
{
    const tacit__inquiry *q = s->q;
    const tacit__system *system = q->system;
    int32_t count = 0;
    for (int32_t b = 0; b < system->blocks; b++) {
        int32_t from = system->block_variables[b], to = system->block_variables[b + 1];
        for (int32_t v = from; v < to && to - from > s->most; v++)
            if (!s->tried[v] && system->lower[v] < system->upper[v] &&
                (!q->moves[v] || tacit__is_open(q, v, q->low[v], q->high[v])))
                s->open[count++] = v;
    }
    return count;
}

static tacit_status look_round(window_search *s, int32_t open, tacit_error *err)
{
    tacit_run run = tacit__asking_run(s->q->adversary.asking);
    int32_t count = open < ROUND ? open : ROUND;
    for (int32_t i = 0; i < count; i++) {
        window *w = &s->windows[i];
        w->centre = s->open[(int64_t)i * open / count];
        w->programs = 0;
        s->tried[w->centre] = true;
    }
    tacit_status status = tacit__parallel(&run, NULL, count, look, s, err);
    for (int32_t i = 0; i < count && status == TACIT_OK; i++)
        take_over(s, &s->windows[i]);
    return status;
}

/* ---- room ---- */

static void windows_clear(window_search *s)
{
    for (int32_t i = 0; i < ROUND; i++) {
        window *w = &s->windows[i];
        tacit__free(w->variables);
        tacit__free(w->low);
        tacit__free(w->high);
        tacit__free(w->moves);
        *w = (window){0};
    }
}

static tacit_status windows_capacity(window_search *s, tacit_error *err)
{
    size_t n = (size_t)s->most;
    for (int32_t i = 0; i < ROUND; i++) {
        window *w = &s->windows[i];
        w->variables = tacit__alloc_array(n, sizeof *w->variables);
        w->low = tacit__alloc_array(n, sizeof *w->low);
        w->high = tacit__alloc_array(n, sizeof *w->high);
        w->moves = tacit__alloc_array(n, sizeof *w->moves);
        if (!w->variables || !w->low || !w->high || !w->moves)
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

static tacit_status desks_capacity(window_search *s, tacit_error *err)
{
    tacit_run run = tacit__asking_run(s->q->adversary.asking);
    size_t variables = (size_t)s->q->system->variables, rows = (size_t)s->q->system->rows;
    int count = tacit__threads(&run);
    s->desks = tacit__alloc_zeroed((size_t)count, sizeof *s->desks);
    if (!s->desks)
        return tacit__nomem(err);
    s->desk_count = count;
    for (int i = 0; i < count; i++) {
        desk *d = &s->desks[i];
        d->number = tacit__alloc_array(variables, sizeof *d->number);
        d->here = tacit__alloc_zeroed(rows, sizeof *d->here);
        if (!d->number || !d->here)
            return tacit__nomem(err);
        for (size_t v = 0; v < variables; v++)
            d->number[v] = -1;
    }
    return TACIT_OK;
}

static void fill_window_uses(window_search *s)
{
    const tacit__system *system = s->q->system;
    for (int32_t j = 0; j < system->starts[system->rows]; j++)
        s->use_starts[system->items[j] + 2]++;
    for (int32_t i = 0; i <= system->variables; i++)
        s->use_starts[i + 1] += s->use_starts[i];
    for (int32_t row = 0; row < system->rows; row++)
        for (int32_t j = system->starts[row]; j < system->starts[row + 1]; j++)
            s->uses[s->use_starts[system->items[j] + 1]++] = row;
}

static tacit_status search_new(window_search *s, tacit_error *err)
{
    const tacit__system *system = s->q->system;
    size_t variables = (size_t)system->variables;
    s->use_starts = tacit__alloc_zeroed(variables + 2, sizeof *s->use_starts);
    s->uses = tacit__alloc_array((size_t)system->starts[system->rows], sizeof *s->uses);
    s->tried = tacit__alloc_array(variables, sizeof *s->tried);
    s->open = tacit__alloc_array(variables, sizeof *s->open);
    if (!s->use_starts || !s->uses || !s->tried || !s->open)
        return tacit__nomem(err);
    fill_window_uses(s);
    return desks_capacity(s, err);
}

static void search_clear(window_search *s)
{
    for (int i = 0; i < s->desk_count; i++) {
        tacit__free(s->desks[i].number);
        tacit__free(s->desks[i].here);
        tacit__free(s->desks[i].rows);
    }
    windows_clear(s);
    tacit__free(s->desks);
    tacit__free(s->use_starts);
    tacit__free(s->uses);
    tacit__free(s->tried);
    tacit__free(s->open);
}

/* ---- the whole ---- */

static tacit_status look_all(window_search *s, tacit_error *err)
{
    tacit_run run = tacit__asking_run(s->q->adversary.asking);
    int32_t variables = s->q->system->variables, open;
    tacit_status status = windows_capacity(s, err);
    for (int32_t v = 0; v < variables; v++)
        s->tried[v] = false;
    while (status == TACIT_OK && (open = list_open(s)) > 0) {
        status = look_round(s, open, err);
        if (status == TACIT_OK)
            status =
                tacit__progress(&run, "looking for hidden cells", variables - open, variables, err);
    }
    windows_clear(s);
    return status;
}

static int32_t largest_block(const tacit__system *system)
{
    int32_t largest = 0;
    for (int32_t b = 0; b < system->blocks; b++) {
        int32_t size = system->block_variables[b + 1] - system->block_variables[b];
        largest = size > largest ? size : largest;
    }
    return largest;
}

tacit_status tacit__look_windows(tacit__inquiry *q, int64_t *programs, tacit_error *err)
{
    window_search s = {.q = q, .most = q->window > 0 ? q->window : FIRST};
    int32_t largest = largest_block(q->system);
    if (largest / LARGE_BLOCK < s.most)
        return TACIT_OK;
    tacit_status status = search_new(&s, err);
    for (; status == TACIT_OK && s.most < largest && s.most <= LARGEST; s.most *= GROWTH)
        status = look_all(&s, err);
    *programs += s.programs;
    search_clear(&s);
    return status;
}
