/*
 * public.c - what anybody can tell of suppressed cells from a release alone, and whether intervals
 * that were published with it say more.
 *
 * The audit of a table takes every cell's bounds for known. They often come from the values: by
 * default the largest value bounds all cells, a level widens that of a confidential total, and
 * bounds within some percent have the value in the middle. An interval that ends at such a bound
 * gives a value away. So the audit is made once more with cells of which nothing is known but, if
 * so, that they are not negative. Anybody could make it, so its intervals are public with the
 * blanks; wider ones say even less. The cost is that of an audit of all intervals.
 */
#include <math.h>
#include <tacit/experimental/audit_cells.h>

#include "audit/tables/tables.h"
#include "audit/tables/written.h"
#include "base/alloc.h"
#include "base/error.h"

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
