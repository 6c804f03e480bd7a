/*
 * altered.c - what the true values of an altered table can be; see audit_altered.h.
 *
 * To an adversary an altered table is one in which no cell is published and every cell has bounds:
 * its own, and the published value with the method's reach about it. So the audit of
 * suppressed cells (tables/audit_cells.c) answers: it looks for deviations from the true values
 * that keep relations and these bounds, over independent blocks, and takes every solution as a
 * witness for all cells. Ends are asked for of cells that are primary or changed only. That a
 * cell is not known exactly is shown by its range, which is wide here, unlike what small bounds
 * of suppressed cells leave.
 *
 * With `beyond` a primary cell has two sides with a gap between. Tables in which every primary
 * cell is on the side of its true value are convex again and come first; beyond.c then
 * looks for those with some on the other side.
 *
 * In large tables primary cells are only asked whether they reach their levels, and others
 * whether they move at all, as in the audit that methods ask for; see TACIT_ALTERED_EXACT. There
 * tables that differ from the true one in a neighbourhood only show most of it
 * (nearby.c). Programs over all cells are left for the primary cells of which they do not;
 * others count as known then, which is on the safe side.
 *
 * Cost: a few programs over all cells, and at most two for every cell whose ends are asked for
 * and not shown by another's. Memory: that of the audit of a table with every cell suppressed.
 */
#include "audit/altered/altered.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* How far a primary cell was moved at least, up and down; see audit_altered.h. */
typedef struct least_move {
    double up, down;
} least_move;

/* What is known of a table whose values were changed, cell by cell; and whether its published
 * values are what is said of them.
 *
 * Both come first: an adversary who is told something untrue finds nothing, or the wrong thing.
 * Comparisons allow for what rounding does to sums (TACIT_CELLS_EQUAL). Linear in cells and terms.
 */

static bool is_whole(double value)
{
    return value == nearbyint(value);
}

static bool all_whole(const tacit__changes *s)
{
    bool all = true;
    for (int32_t i = 0; i < s->cells->count && all; i++)
        all = is_whole(s->cells->value[i]) && is_whole(s->published[i]);
    return all;
}

/* The largest difference that whole numbers can have. */
static double whole_reach(const tacit_altered_known *known)
{
    double most = floor(known->reach);
    return known->within && most == known->reach ? fmax(0, most - 1) : most;
}

static least_move least_move_of(const tacit_cells *cells, int32_t cell)
{
    double upl = cells->upl[cell], lpl = cells->lpl[cell];
    least_move least = {.up = upl > 0 ? upl : lpl, .down = lpl > 0 ? lpl : upl};
    double lack = (cells->spl[cell] - least.up - least.down) / 2;
    if (lack > 0) {
        least.up += lack;
        least.down += lack;
    }
    return least;
}

/* ---- what is known ---- */

static void narrow_zeros(tacit__changes *s, int32_t i)
{
    if (s->published[i] == 0 && isinf(s->reach))
        s->low[i] = s->high[i] = 0;
    else if (s->published[i] > 0 && s->low[i] == 0 && s->whole)
        s->low[i] = 1;
}

static void fill_cell(tacit__changes *s, int32_t i)
{
    const tacit_cells *cells = s->cells;
    s->low[i] = fmax(cells->lower[i], s->published[i] - s->reach);
    s->high[i] = fmin(cells->upper[i], s->published[i] + s->reach);
    if (s->known->zero_stays)
        narrow_zeros(s, i);
    if (s->known->fixed_stays && cells->status[i] == TACIT_CELL_FIXED)
        s->low[i] = s->high[i] = s->published[i];
    s->side[0][i] = s->side[1][i] = INFINITY;
    if (s->known->beyond && cells->status[i] == TACIT_CELL_PRIMARY) {
        least_move least = least_move_of(cells, i);
        s->side[0][i] = s->published[i] - least.up;
        s->side[1][i] = s->published[i] + least.down;
    }
}

static void changes_fill(tacit__changes *changes)
{
    changes->whole = all_whole(changes);
    changes->reach = changes->known->reach;
    if (changes->whole && isfinite(changes->reach))
        changes->reach = whole_reach(changes->known);
    for (int32_t i = 0; i < changes->cells->count; i++)
        fill_cell(changes, i);
}

/* ---- whether it is true ---- */

static bool is_multiple(double value, double base)
{
    double times = value / base;
    return fabs(times - nearbyint(times)) <= TACIT_CELLS_EQUAL * fmax(1, fabs(times));
}

static bool is_beyond(const tacit__changes *s, int32_t i)
{
    double value = s->cells->value[i], noise = tacit__value_noise(value);
    return !tacit__has_sides(s, i) || value <= s->side[0][i] + noise ||
           value >= s->side[1][i] - noise;
}

static bool is_true(const tacit__changes *s, int32_t i)
{
    double value = s->cells->value[i], noise = tacit__value_noise(value);
    const tacit_altered_known *known = s->known;
    if (!isfinite(s->published[i]) || !(value >= s->low[i] - noise && value <= s->high[i] + noise))
        return false;
    if (known->base > 0 && !is_multiple(s->published[i], known->base))
        return false;
    if (known->within && fabs(value - s->published[i]) >= known->reach)
        return false;
    if (known->zero_stays && value == 0 && s->published[i] != 0)
        return false;
    return is_beyond(s, i);
}

static bool relation_holds(const tacit__changes *s, int32_t r)
{
    const tacit_relations *all = &s->cells->relations;
    double sum = -all->rhs[r], size = fabs(all->rhs[r]);
    for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++) {
        double term = all->coefs[j] * s->published[all->items[j]];
        sum += term;
        size += fabs(term);
    }
    return fabs(sum) <= TACIT_CELLS_EQUAL * fmax(1, size) + s->cells->residual;
}

/* Fills in reach, whole, low, high and side, and counts what is not as it is said to be. */
static void changes_check(tacit_altered_audit *audit, const tacit__changes *changes)
{
    audit->first_broken = -1;
    for (int32_t i = 0; i < changes->cells->count; i++)
        if (!is_true(changes, i)) {
            audit->first_broken = audit->broken == 0 ? i : audit->first_broken;
            audit->broken++;
        }
    for (int32_t r = 0; changes->known->additive && r < changes->cells->relations.count; r++)
        audit->broken += !relation_holds(changes, r);
}

/* In large tables: cells about one that is asked for, first few, then more; how many parts of one
 * relation among them at most; and how many cells are too many for the last. */
enum { NEARBY = 300, AROUND = 1000, WIDELY = 3000, MANY = 12, FEW = 2, VERY_LARGE = 100000 };

/* The narrower table: a view of the cells with bounds and letters of its own. */
typedef struct narrowed {
    tacit_cells cells;
    char *status;
} narrowed;

static tacit_status check_values(const tacit_cells *cells, tacit_error *err)
{
    for (int32_t i = 0; i < cells->count; i++) {
        bool known = !tacit__unknown_value(cells, i);
        double value = cells->value[i], noise = tacit__value_noise(value);
        if (known && value >= cells->lower[i] - noise && value <= cells->upper[i] + noise)
            continue;
        char name[160];
        return tacit__error_at(
            err, TACIT_INVALID, cells->file, cells->line ? cells->line[i] : 0, 0,
            "cell %s: its value %s", tacit_cells_describe(cells, i, name, sizeof name),
            known ? "is not within its bounds" : "is not known, which an audit of changes needs");
    }
    return TACIT_OK;
}

static bool is_asked(const tacit__changes *s, int32_t i)
{
    return s->cells->status[i] == TACIT_CELL_PRIMARY || s->published[i] != s->cells->value[i];
}

/* ---- tables with all cells on their own sides ---- */

/* Every cell suppressed, with what is known of it for bounds, on its own side. */
static void narrow(narrowed *n, const tacit__changes *s)
{
    for (int32_t i = 0; i < s->cells->count; i++) {
        double value = s->cells->value[i], low = s->low[i], high = s->high[i];
        if (tacit__has_sides(s, i) && s->published[i] > value)
            high = fmin(high, s->side[0][i]);
        else if (tacit__has_sides(s, i))
            low = fmax(low, s->side[1][i]);
        n->cells.lower[i] = low;
        n->cells.upper[i] = high;
        n->status[i] =
            s->cells->status[i] == TACIT_CELL_PRIMARY ? TACIT_CELL_PRIMARY : TACIT_CELL_SECONDARY;
    }
}

static tacit_status narrowed_new(narrowed *n, const tacit__changes *s, tacit_error *err)
{
    size_t count = (size_t)s->cells->count;
    n->cells = *s->cells;
    n->cells.lower = tacit__alloc_array(count, sizeof *n->cells.lower);
    n->cells.upper = tacit__alloc_array(count, sizeof *n->cells.upper);
    n->status = tacit__alloc_array(count, sizeof *n->status);
    if (!n->cells.lower || !n->cells.upper || !n->status)
        return tacit__nomem(err);
    narrow(n, s);
    return TACIT_OK;
}

static void narrowed_clear(narrowed *n)
{
    tacit__free(n->cells.lower);
    tacit__free(n->cells.upper);
    tacit__free(n->status);
}

/* What the inquiry has shown of the cells that were asked for. */
static void take(tacit__changes *s, const tacit__inquiry *q)
{
    for (int32_t k = 0; k < q->system->count; k++) {
        int32_t cell = q->system->cells[k], v = q->system->variable[k];
        double low, high;
        if (!s->asked[cell])
            continue;
        tacit__deviation(&low, &high, q, k);
        s->shown[0][cell] = fmin(s->shown[0][cell], low);
        s->shown[1][cell] = fmax(s->shown[1][cell], high);
        s->unknown[cell] = v >= 0 && q->unknown[v];
    }
}

tacit_status tacit__changes_look(tacit__changes *changes, tacit_error *err)
{
    tacit_cells_audit_options options = {.primaries = !changes->exact};
    narrowed n = {0};
    tacit__inquiry q = {.cells = &n.cells,
                        .options = &options,
                        .asked = changes->asked,
                        .alone = changes->alone,
                        .wide = true,
                        .adversary = *changes->adversary};
    tacit_status status = narrowed_new(&n, changes, err);
    q.status = n.status;
    if (status == TACIT_OK)
        status = tacit__inquiry_look(&q, &changes->programs, err);
    if (status == TACIT_OK)
        take(changes, &q);
    if (status == TACIT_OK && changes->known->beyond)
        status = tacit__look_beyond(changes, n.status, err);
    tacit__inquiry_clear(&q);
    narrowed_clear(&n);
    return status;
}

/* ---- findings ---- */

static tacit_status report(tacit_altered_audit *audit, const tacit__changes *s, tacit_error *err)
{
    tacit__inquiry q = {.cells = s->cells, .status = s->cells->status};
    audit->cells = tacit__alloc_array((size_t)s->cells->count, sizeof *audit->cells);
    if (!audit->cells)
        return tacit__nomem(err);
    for (int32_t i = 0; i < s->cells->count; i++) {
        if (!is_asked(s, i))
            continue;
        tacit_cell_finding f = tacit__finding(&q, i, s->shown[0][i], s->shown[1][i], s->unknown[i]);
        audit->cells[audit->cell_count++] = f;
        audit->disclosed += f.disclosed;
        audit->underprotected += f.underprotected;
        audit->unknown += f.unknown;
        audit->one_sided += tacit__has_sides(s, i) && !s->crossed[i];
    }
    audit->programs = s->programs;
    return TACIT_OK;
}

static bool any_asked(const tacit__changes *s)
{
    bool any = false;
    for (int32_t i = 0; i < s->cells->count && !any; i++)
        any = s->asked[i];
    return any;
}

/* Cells that are not primary are not worth programs over all cells, nor, in very large tables, over
 * many: those that nothing was shown of count as known. */
static void leave_others(tacit__changes *s)
{
    for (int32_t i = 0; i < s->cells->count; i++)
        if (s->asked[i] && s->cells->status[i] != TACIT_CELL_PRIMARY) {
            s->unknown[i] = true;
            s->asked[i] = false;
        }
}

static tacit_status look_further(tacit__changes *s, tacit_error *err)
{
    tacit_status status = tacit__look_nearby(s, AROUND, FEW, err);
    if (s->cells->count > VERY_LARGE)
        leave_others(s);
    if (status == TACIT_OK)
        status = tacit__look_nearby(s, WIDELY, INT32_MAX, err);
    leave_others(s);
    return status;
}

static tacit_status look(tacit_altered_audit *audit, tacit__changes *s, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < s->cells->count; i++)
        s->asked[i] = is_asked(s, i);
    s->exact = s->cells->count <= TACIT_ALTERED_EXACT;
    if (!s->exact)
        status = tacit__look_nearby(s, NEARBY, MANY, err);
    if (!s->exact && status == TACIT_OK)
        status = look_further(s, err);
    if (status == TACIT_OK && any_asked(s))
        status = tacit__changes_look(s, err);
    return status == TACIT_OK ? report(audit, s, err) : status;
}

/* ---- the whole ---- */

tacit_status tacit__changes_capacity(tacit__changes *changes, tacit_error *err)
{
    size_t count = (size_t)changes->cells->count;
    tacit__changes *s = changes;
    s->low = tacit__alloc_array(count, sizeof *s->low);
    s->high = tacit__alloc_array(count, sizeof *s->high);
    s->asked = tacit__alloc_zeroed(count, sizeof *s->asked);
    s->crossed = tacit__alloc_zeroed(count, sizeof *s->crossed);
    s->unknown = tacit__alloc_zeroed(count, sizeof *s->unknown);
    bool all = s->low && s->high && s->asked && s->crossed && s->unknown;
    for (int side = 0; side < 2; side++) {
        s->side[side] = tacit__alloc_array(count, sizeof *s->side[side]);
        s->shown[side] = tacit__alloc_zeroed(count, sizeof *s->shown[side]);
        all = all && s->side[side] && s->shown[side];
    }
    return all ? TACIT_OK : tacit__nomem(err);
}

void tacit__changes_clear(tacit__changes *changes)
{
    tacit__free(changes->low);
    tacit__free(changes->high);
    tacit__free(changes->asked);
    tacit__free(changes->crossed);
    tacit__free(changes->unknown);
    for (int side = 0; side < 2; side++) {
        tacit__free(changes->side[side]);
        tacit__free(changes->shown[side]);
    }
}

tacit_status tacit_audit_altered(tacit_altered_audit **out, const tacit_cells *cells,
                                 const double *published, const tacit_altered_known *known,
                                 const tacit_run *run, tacit_error *err)
{
    tacit__asking asking;
    tacit__tables_adversary adversary = {.asking = &asking};
    tacit__changes changes = {
        .cells = cells, .published = published, .known = known, .adversary = &adversary};
    tacit_status status = check_values(cells, err);
    if (status != TACIT_OK)
        return status;
    tacit_altered_audit *audit = tacit__alloc_zeroed(1, sizeof *audit);
    if (!audit)
        return tacit__nomem(err);
    tacit__asking_init(&asking, run);
    status = tacit__changes_capacity(&changes, err);
    if (status == TACIT_OK) {
        changes_fill(&changes);
        changes_check(audit, &changes);
        if (audit->broken == 0)
            status = look(audit, &changes, err);
    }
    tacit__asking_clear(&asking);
    tacit__changes_clear(&changes);
    if (status == TACIT_OK)
        *out = audit;
    else
        tacit_altered_audit_free(audit);
    return status;
}

void tacit_altered_audit_free(tacit_altered_audit *audit)
{
    if (!audit)
        return;
    tacit__free(audit->cells);
    tacit__free(audit);
}
