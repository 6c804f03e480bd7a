/*
 * audit_cells.c - the table audit from cells to findings; see audit_cells.h.
 *
 * The table is reduced to blocks (reduce.c). Where it is enough that intervals are wide
 * enough, small parts of large blocks show most of it (windows.c). Which of their variables
 * move at all is a task a block; how far they go is a task for every so many targets of a block,
 * each with a program of its own, so that one large block keeps all cores busy. Tasks are cut by
 * the data and write to places of their own: findings do not depend on threads.
 *
 * Cost: that of the programs. Memory: some 100 bytes a suppressed cell and 50 a term of theirs
 * in a relation, and for every thread what the solver takes for its block.
 */
#include <math.h>
#include <string.h>

#include <tacit/experimental/audit_cells.h>

#include "audit/tables/tables.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

/* Targets that share a program's solutions. */
enum { TARGETS = 512 };

/* Ranges that prove themselves that a cell moves are wider than so many times what the programs
 * are off by. */
#define WIDE 1000

/* ---- what is needed ---- */

static void need(double *low, double *high, int8_t sign, double lpl, double upl)
{
    *low = fmin(*low, sign > 0 ? -lpl : -upl);
    *high = fmax(*high, sign > 0 ? upl : lpl);
}

static void fill_needs(tacit__inquiry *q)
{
    const tacit__system *s = q->system;
    for (int32_t v = 0; v < s->variables; v++)
        q->need_low[v] = q->need_high[v] = q->need_span[v] = q->noise[v] = 0;
    for (int32_t k = 0; k < s->count; k++) {
        int32_t cell = s->cells[k], v = s->variable[k];
        if (v < 0)
            continue;
        bool wanted = !q->asked || q->asked[cell];
        q->wanted[v] |= wanted;
        q->chased[v] |= wanted && (!q->alone || q->alone[cell]);
        q->noise[v] = fmax(q->noise[v], tacit__value_noise(q->cells->value[cell]));
        if (q->status[cell] != TACIT_CELL_PRIMARY || tacit__unknown_value(q->cells, cell))
            continue;
        need(&q->need_low[v], &q->need_high[v], s->sign[k], q->cells->lpl[cell],
             q->cells->upl[cell]);
        q->need_span[v] = fmax(q->need_span[v], q->cells->spl[cell]);
        q->primary[v] = true;
    }
}

/* ---- blocks ---- */

static tacit__tables_extent block_extent(const tacit__inquiry *q, int32_t block)
{
    int32_t first = q->system->block_variables[block];
    return (tacit__tables_extent){.low = q->low + first,
                                  .high = q->high + first,
                                  .moves = q->moves + first,
                                  .unknown = q->unknown + first};
}

tacit__needs tacit__block_needs(const tacit__inquiry *q, int32_t block)
{
    int32_t first = q->system->block_variables[block];
    return (tacit__needs){.low = q->need_low + first,
                          .high = q->need_high + first,
                          .span = q->need_span + first,
                          .noise = q->noise + first};
}

/* Takes for granted that everything moves until its range turns out to be rounding. */
static void let_move(tacit__tables_extent *extent, double *noise, const tacit__tables_block *block)
{
    double least = WIDE * tacit__block_close(block);
    for (int32_t i = 0; i < block->variables; i++) {
        extent->low[i] = extent->high[i] = 0;
        extent->moves[i] = true;
        noise[i] = fmax(noise[i], least);
    }
}

/* What has no program of its own moves if it was seen to. */
static void doubt(tacit__tables_extent *extent, const tacit__inquiry *q, int32_t first,
                  int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (!q->chased[first + i])
            extent->moves[i] = extent->high[i] - extent->low[i] > q->noise[first + i];
}

/* Few programs show most of what is needed of a large block. */
static tacit_status let_all_move(tacit__tables_extent *extent, tacit__inquiry *q, int32_t number,
                                 const tacit__tables_block *block, tacit_error *err)
{
    int32_t first = q->system->block_variables[number], count = 0;
    tacit__needs needs = tacit__block_needs(q, number);
    let_move(extent, q->noise + first, block);
    if (!q->options->primaries)
        return TACIT_OK;
    int32_t *targets = tacit__alloc_array((size_t)block->variables, sizeof *targets);
    if (!targets)
        return tacit__nomem(err);
    for (int32_t i = 0; i < block->variables; i++)
        if (q->wanted[first + i])
            targets[count++] = i;
    tacit_status status =
        tacit__sweep_ranges(extent, &q->adversary, block, &needs, targets, count, err);
    doubt(extent, q, first, block->variables);
    tacit__free(targets);
    return status;
}

static tacit_status moves_of_block(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker;
    tacit__inquiry *q = context;
    tacit__tables_block *block = NULL;
    tacit__tables_extent extent = block_extent(q, (int32_t)task);
    tacit_status status = tacit__block_new(&block, q->system, (int32_t)task, err);
    if (status == TACIT_OK)
        status = q->wide && block->rows > 0 ? let_all_move(&extent, q, (int32_t)task, block, err)
                                            : tacit__find_moves(&extent, &q->adversary, block, err);
    for (int32_t i = 0; status == TACIT_OK && i < block->variables; i++)
        if (!extent.moves[i])
            extent.low[i] = extent.high[i] = 0;
    q->programs[task] = extent.programs;
    tacit__block_free(block);
    return status;
}

/* ---- targets ---- */

typedef struct piece {
    int32_t block;
    int32_t first, count; /* of targets */
    int64_t programs;
} piece;

typedef struct pieces {
    tacit__inquiry *q;
    int32_t *targets; /* variables, counted from their block's first */
    piece *list;
    int32_t count;
} pieces;

bool tacit__is_open(const tacit__inquiry *q, int32_t variable, double low, double high)
{
    bool wide =
        high - low > q->noise[variable] && tacit__reaches(high - low, q->need_span[variable]);
    bool lowest =
        low <= q->system->lower[variable] || (wide && tacit__reaches(-low, -q->need_low[variable]));
    bool highest = high >= q->system->upper[variable] ||
                   (wide && tacit__reaches(high, q->need_high[variable]));
    return !lowest || !highest;
}

/* Whether more is to be known of a variable than that it moves. */
static bool is_target(const tacit__inquiry *q, int32_t variable)
{
    double shown = q->high[variable] - q->low[variable];
    if (!q->moves[variable] || !q->chased[variable])
        return false;
    if (q->options->primaries && !q->wide)
        return tacit__is_open(q, variable, q->low[variable], q->high[variable]);
    return !q->options->primaries || q->primary[variable] || shown <= q->noise[variable];
}

static void cut(pieces *p)
{
    const tacit__system *s = p->q->system;
    int32_t targets = 0;
    for (int32_t b = 0; b < s->blocks; b++) {
        bool open = false;
        for (int32_t v = s->block_variables[b]; v < s->block_variables[b + 1]; v++) {
            if (!is_target(p->q, v))
                continue;
            if (!open || p->list[p->count - 1].count == TARGETS)
                p->list[p->count++] = (piece){.block = b, .first = targets};
            open = true;
            p->list[p->count - 1].count++;
            p->targets[targets++] = v - s->block_variables[b];
        }
    }
}

static tacit_status ranges_of_piece(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker;
    const pieces *p = context;
    piece *mine = &p->list[task];
    const tacit__inquiry *q = p->q;
    tacit__needs needs = tacit__block_needs(q, mine->block);
    tacit__tables_extent extent = block_extent(q, mine->block);
    tacit__tables_block *block = NULL;
    tacit_status status = tacit__block_new(&block, q->system, mine->block, err);
    if (status == TACIT_OK)
        status =
            tacit__find_ranges(&extent, &q->adversary, block, q->options->primaries ? &needs : NULL,
                               p->targets + mine->first, mine->count, err);
    for (int32_t t = 0; t < mine->count && status == TACIT_OK && q->wide; t++) {
        int32_t i = p->targets[mine->first + t];
        extent.moves[i] = extent.high[i] - extent.low[i] > needs.noise[i];
    }
    mine->programs = extent.programs;
    tacit__block_free(block);
    return status;
}

static tacit_status find_ranges(tacit__inquiry *q, int64_t *programs, tacit_error *err)
{
    pieces p = {.q = q};
    size_t n = (size_t)q->system->variables;
    tacit_status status = TACIT_OK;
    p.targets = tacit__alloc_array(n, sizeof *p.targets);
    p.list = tacit__alloc_array(n, sizeof *p.list);
    if (!p.targets || !p.list)
        status = tacit__nomem(err);
    if (status == TACIT_OK) {
        tacit_run run = tacit__asking_run(q->adversary.asking);
        cut(&p);
        status = tacit__parallel(&run, "auditing cells", p.count, ranges_of_piece, &p, err);
    }
    for (int32_t i = 0; status == TACIT_OK && i < p.count; i++)
        *programs += p.list[i].programs;
    tacit__free(p.targets);
    tacit__free(p.list);
    return status;
}

/* ---- findings ---- */

tacit_cell_finding tacit__finding(const tacit__inquiry *q, int32_t cell, double low, double high,
                                  bool unknown)
{
    const tacit_cells *cells = q->cells;
    double value = cells->value[cell];
    bool known = !tacit__unknown_value(cells, cell);
    bool primary = q->status[cell] == TACIT_CELL_PRIMARY && known;
    tacit_cell_finding f = {.cell = cell,
                            .low = value + low,
                            .high = value + high,
                            .required_low = !known    ? NAN
                                            : primary ? value - cells->lpl[cell]
                                                      : value,
                            .required_high = !known    ? NAN
                                             : primary ? value + cells->upl[cell]
                                                       : value,
                            .unknown = unknown};
    f.disclosed = unknown || high - low <= tacit__value_noise(value);
    f.underprotected = primary && (f.disclosed || !tacit__reaches(-low, cells->lpl[cell]) ||
                                   !tacit__reaches(high, cells->upl[cell]) ||
                                   !tacit__reaches(high - low, cells->spl[cell]));
    return f;
}

void tacit__deviation(double *low, double *high, const tacit__inquiry *q, int32_t k)
{
    int32_t v = q->system->variable[k];
    *low = *high = 0;
    if (v < 0 || !q->moves[v])
        return;
    *low = q->system->sign[k] > 0 ? q->low[v] : -q->high[v];
    *high = q->system->sign[k] > 0 ? q->high[v] : -q->low[v];
}

static tacit_cell_finding finding_of(const tacit__inquiry *q, int32_t k)
{
    int32_t v = q->system->variable[k];
    double low, high;
    tacit__deviation(&low, &high, q, k);
    return tacit__finding(q, q->system->cells[k], low, high, v >= 0 && q->unknown[v]);
}

/* Subtotals that a release does not list are sums of the adversary's own, and no secrets. */
static bool is_unlisted(const tacit_cells *cells, int32_t cell)
{
    return tacit__unknown_value(cells, cell) && cells->line && !cells->line[cell];
}

static tacit_status report_cells(tacit_cells_audit *audit, const tacit__inquiry *q,
                                 tacit_error *err)
{
    const tacit__system *s = q->system;
    audit->cells = tacit__alloc_array((size_t)s->count, sizeof *audit->cells);
    if (!audit->cells)
        return tacit__nomem(err);
    audit->blocks = s->blocks;
    for (int32_t k = 0; k < s->count; k++) {
        if (is_unlisted(q->cells, s->cells[k]))
            continue;
        tacit_cell_finding *f = &audit->cells[audit->cell_count++];
        *f = finding_of(q, k);
        audit->disclosed += f->disclosed;
        audit->underprotected += f->underprotected;
        audit->unknown += f->unknown;
    }
    return TACIT_OK;
}

/* ---- the whole ---- */

static tacit_status inquiry_reserve(tacit__inquiry *q, tacit_error *err)
{
    size_t n = (size_t)q->system->variables;
    q->low = tacit__alloc_zeroed(n, sizeof *q->low);
    q->high = tacit__alloc_zeroed(n, sizeof *q->high);
    q->need_low = tacit__alloc_array(n, sizeof *q->need_low);
    q->need_high = tacit__alloc_array(n, sizeof *q->need_high);
    q->need_span = tacit__alloc_array(n, sizeof *q->need_span);
    q->noise = tacit__alloc_array(n, sizeof *q->noise);
    q->moves = tacit__alloc_zeroed(n, sizeof *q->moves);
    q->unknown = tacit__alloc_zeroed(n, sizeof *q->unknown);
    q->primary = tacit__alloc_zeroed(n, sizeof *q->primary);
    q->wanted = tacit__alloc_zeroed(n, sizeof *q->wanted);
    q->chased = tacit__alloc_zeroed(n, sizeof *q->chased);
    q->programs = tacit__alloc_zeroed((size_t)q->system->blocks, sizeof *q->programs);
    bool all = q->low && q->high && q->need_low && q->need_high && q->need_span && q->noise &&
               q->moves && q->unknown && q->primary && q->wanted && q->chased && q->programs;
    return all ? TACIT_OK : tacit__nomem(err);
}

void tacit__inquiry_clear(tacit__inquiry *q)
{
    tacit__system_free(q->system);
    tacit__free(q->low);
    tacit__free(q->high);
    tacit__free(q->need_low);
    tacit__free(q->need_high);
    tacit__free(q->need_span);
    tacit__free(q->noise);
    tacit__free(q->moves);
    tacit__free(q->unknown);
    tacit__free(q->primary);
    tacit__free(q->wanted);
    tacit__free(q->chased);
    tacit__free(q->programs);
}

static tacit_status check_known(const tacit__inquiry *q, tacit_error *err)
{
    if (!q->options->singletons && !q->options->sums)
        return TACIT_OK;
    for (int32_t i = 0; i < q->cells->count; i++)
        if (tacit__unknown_value(q->cells, i))
            return tacit__error_at(err, TACIT_INVALID, q->cells->file,
                                   q->cells->line ? q->cells->line[i] : 0, 0,
                                   "singletons and sums need the values of all cells, and this "
                                   "one is not known");
    return TACIT_OK;
}

tacit_status tacit__inquiry_look(tacit__inquiry *q, int64_t *programs, tacit_error *err)
{
    tacit_status status = tacit__system_new(&q->system, q->cells, q->status, err);
    if (status == TACIT_OK)
        status = inquiry_reserve(q, err);
    if (status == TACIT_OK)
        fill_needs(q);
    if (status == TACIT_OK && q->options->primaries && !q->wide)
        status = tacit__look_windows(q, programs, err);
    if (status == TACIT_OK) {
        tacit_run run = tacit__asking_run(q->adversary.asking);
        status = tacit__parallel(&run, "looking for disclosed cells", q->system->blocks,
                                 moves_of_block, q, err);
    }
    for (int32_t b = 0; status == TACIT_OK && b < q->system->blocks; b++)
        *programs += q->programs[b];
    return status == TACIT_OK ? find_ranges(q, programs, err) : status;
}

static tacit_status inquire(tacit_cells_audit *audit, tacit__inquiry *q, tacit_error *err)
{
    tacit_status status = check_known(q, err);
    if (status == TACIT_OK)
        status = tacit__inquiry_look(q, &audit->programs, err);
    if (status == TACIT_OK)
        status = report_cells(audit, q, err);
    if (status == TACIT_OK && q->options->singletons)
        status = tacit__audit_insiders(audit, q, err);
    if (status == TACIT_OK && q->options->sums)
        status = tacit__audit_sums(audit, q, err);
    return status;
}

tacit_status tacit__audit_cells_with(tacit_cells_audit **out, const tacit_cells *cells,
                                     const char *status, const tacit_cells_audit_options *options,
                                     const tacit__audit_settings *settings, const tacit_run *run,
                                     tacit_error *err)
{
    static const tacit_cells_audit_options EVERYTHING;
    tacit__asking asking;
    tacit__inquiry q = {.cells = cells,
                        .status = status ? status : cells->status,
                        .options = options ? options : &EVERYTHING,
                        .window = settings->window,
                        .adversary = {.backend = settings->backend, .asking = &asking}};
    tacit_cells_audit *audit = tacit__alloc_zeroed(1, sizeof *audit);
    if (!audit)
        return tacit__nomem(err);
    tacit__asking_init(&asking, run);
    tacit_status result = inquire(audit, &q, err);
    tacit__asking_clear(&asking);
    tacit__inquiry_clear(&q);
    if (result == TACIT_OK)
        *out = audit;
    else
        tacit_cells_audit_free(audit);
    return result;
}

tacit_status tacit_audit_cells(tacit_cells_audit **out, const tacit_cells *cells,
                               const char *status, const tacit_cells_audit_options *options,
                               const tacit_run *run, tacit_error *err)
{
    static const tacit__audit_settings PLAIN;
    return tacit__audit_cells_with(out, cells, status, options, &PLAIN, run, err);
}

void tacit_cells_audit_free(tacit_cells_audit *audit)
{
    if (!audit)
        return;
    tacit__free(audit->cells);
    tacit__free(audit->singletons);
    tacit__free(audit->sums);
    tacit__free(audit);
}

tacit_status tacit_audit_cells_judge(int32_t *exposed, int32_t *count, const tacit_cells *cells,
                                     const char *status, const tacit_run *run, void *payload,
                                     tacit_error *err)
{
    static const tacit_cells_audit_options PRIMARIES = {.primaries = true};
    tacit_cells_audit *audit = NULL;
    (void)payload;
    tacit_status result = tacit_audit_cells(&audit, cells, status, &PRIMARIES, run, err);
    if (result != TACIT_OK)
        return result;
    *count = 0;
    for (int32_t k = 0; k < audit->cell_count; k++)
        if (audit->cells[k].disclosed || audit->cells[k].underprotected)
            exposed[(*count)++] = audit->cells[k].cell;
    tacit_cells_audit_free(audit);
    return TACIT_OK;
}

/* What anybody can tell of suppressed cells from a release alone, and whether intervals that were
 * published with it say more.
 *
 * The audit of a table takes every cell's bounds for known. They often come from the values: by
 * default the largest value bounds all cells, a level widens that of a confidential total, and
 * bounds within some percent have the value in the middle. An interval that ends at such a bound
 * gives a value away. So the audit is made once more with cells of which nothing is known but, if
 * so, that they are not negative. Anybody could make it, so its intervals are public with the
 * blanks; wider ones say even less. The cost is that of an audit of all intervals. */

/* What an end may be off by: what the audit may be, relative to the number where it is large. */
#define CLOSE 1e-6

static bool none_negative(const tacit_cells *cells)
{
    for (int32_t i = 0; i < cells->count; i++)
        if (cells->lower[i] < 0)
            return false;
    return !cells->negative;
}

/* The audit of a table without bounds; arrays are the caller's. */
static tacit_status audit_bare(tacit_cells_audit **out, const tacit_cells *cells,
                               const char *status, double *lower, double *upper,
                               const tacit_run *run, tacit_error *err)
{
    tacit_cells bare = *cells;
    double least = none_negative(cells) ? 0 : -INFINITY;
    for (int32_t i = 0; i < cells->count; i++) {
        lower[i] = least;
        upper[i] = INFINITY;
    }
    bare.lower = lower;
    bare.upper = upper;
    return tacit_audit_cells(out, &bare, status, NULL, run, err);
}

static void take_findings(tacit_intervals *to, const tacit_cells_audit *audit)
{
    for (int32_t k = 0; k < audit->cell_count; k++) {
        const tacit_cell_finding *f = &audit->cells[k];
        to->low[f->cell] = f->unknown ? -INFINITY : f->low;
        to->high[f->cell] = f->unknown ? INFINITY : f->high;
    }
}

tacit_status tacit_audit_public(tacit_intervals *out, const tacit_cells *cells, const char *status,
                                const tacit_run *run, tacit_error *err)
{
    tacit_intervals told = {0};
    tacit_cells_audit *audit = NULL;
    double *lower = tacit__alloc_array((size_t)cells->count, sizeof *lower);
    double *upper = tacit__alloc_array((size_t)cells->count, sizeof *upper);
    tacit_status result =
        lower && upper ? tacit_intervals_init(&told, cells, err) : tacit__nomem(err);
    if (result == TACIT_OK)
        result = audit_bare(&audit, cells, status, lower, upper, run, err);
    if (result == TACIT_OK) {
        take_findings(&told, audit);
        *out = told;
    } else {
        tacit_intervals_clear(&told);
    }
    tacit_cells_audit_free(audit);
    tacit__free(lower);
    tacit__free(upper);
    return result;
}

static double close_to(double end)
{
    return isfinite(end) ? CLOSE * fmax(1, 1e-6 * fabs(end)) : 0;
}

tacit_status tacit_audit_intervals_public(tacit_cells_written *written, const tacit_cells *cells,
                                          const tacit_run *run, tacit_error *err)
{
    tacit_intervals told = {0};
    tacit_status result = tacit_audit_public(&told, cells, written->status, run, err);
    for (int32_t i = 0; i < cells->count && result == TACIT_OK; i++) {
        double low = written->intervals.low[i], high = written->intervals.high[i];
        if (low > told.low[i] + close_to(low) || high < told.high[i] - close_to(high))
            tacit__written_note_cell(written, 0, cells, i,
                                     "its interval says more than the rest of the release");
    }
    written->holds &= written->problem_count == 0;
    tacit_intervals_clear(&told);
    return result;
}
