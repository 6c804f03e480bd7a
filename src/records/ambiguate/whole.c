/*
 * whole.c - heuristic A: the first rows as a whole (2.3.1 of Vinterbo and
 * Ohno-Machado, Table Ambiguation By Minimal Cell Suppression).
 *
 * A row without any value agrees with every other, so one such row is enough for
 * 2-ambiguity, and k - 1 of them for k. Rows are taken class by class, in the order of the
 * classes' first rows. A table that is k-ambiguous already is left alone. Linear.
 */
#include "base/error.h"
#include "records/ambiguate/sheet.h"

static tacit_status check_limits(const tacit__tableau *tableau, tacit_error *err)
{
    tacit_status status = tacit__tableau_check(tableau, err);
    if (status != TACIT_OK)
        return status;
    if (tableau->most_row < tableau->columns || tableau->most_column < tableau->k - 1)
        return tacit__error(err, TACIT_INFEASIBLE,
                            "A blanks whole rows, which the limits (at most %d in a row, %lld in a "
                            "column) forbid; cover or exact keep to limits",
                            tableau->most_row, (long long)tableau->most_column);
    return TACIT_OK;
}

static bool is_ambiguous(const tacit__tableau *tableau)
{
    for (int64_t i = 0; i < tableau->classes; i++)
        if (tableau->counts[i] < tableau->k)
            return false;
    return true;
}

tacit_status tacit__ambiguate_whole(tacit__blanking *plan, const tacit__tableau *tableau,
                                    const tacit_ambiguate *how, const tacit_run *run,
                                    tacit_error *err)
{
    (void)how, (void)run;
    int64_t left = tableau->k - 1;
    uint64_t all = tableau->columns ? UINT64_MAX >> (64 - tableau->columns) : 0;
    if (is_ambiguous(tableau))
        return TACIT_OK;
    tacit_status status = check_limits(tableau, err);
    for (int64_t i = 0; status == TACIT_OK && left > 0; i++) {
        int64_t rows = tableau->counts[i] < left ? tableau->counts[i] : left;
        status = tacit__blanking_add(
            plan, (tacit__blank){.class_index = (uint32_t)i, .rows = rows, .mask = all}, err);
        left -= rows;
    }
    if (status != TACIT_OK)
        tacit__blanking_clear(plan);
    return status;
}
