/*
 * clp.c - CLP behind the table of backend.h, through its C interface.
 *
 * CLP keeps the basis from one call to the next, which is what warm starts are.
 * Its presolve is not used: it would throw the basis away and give no rays. Its
 * own limit in seconds is not used either: it counts the processor time of all
 * threads, so that where it stops would depend on them.
 */
#include <math.h>
#include <string.h>

#include <Clp_C_Interface.h>

#include "solver/backend.h"

/* CLP's defaults, named because solver.h promises ten times as much. */
#define PRIMAL_TOLERANCE 1e-7
#define DUAL_TOLERANCE   1e-7

/* CLP's ways of perturbing costs: when it takes too long, and never. */
enum { PERTURB_WHEN_SLOW = 100, PERTURB_NEVER = 102, SILENT = 0 };

/* CLP's statuses of a problem. */
enum { OPTIMAL = 0, PRIMAL_INFEASIBLE = 1, DUAL_INFEASIBLE = 2, STOPPED = 3 };

/* CLP's statuses of a row or column in the basis. */
enum { BASIC = 1, AT_LOWER = TACIT__SOLVER_AT_LOWER };

static void *open_model(void)
{
    Clp_Simplex *model = Clp_newModel();
    if (!model)
        return NULL;
    Clp_setLogLevel(model, SILENT);
    Clp_setPrimalTolerance(model, PRIMAL_TOLERANCE);
    Clp_setDualTolerance(model, DUAL_TOLERANCE);
    return model;
}

static void close_model(void *model)
{
    Clp_deleteModel(model);
}

static void add_rows(void *model, const tacit__solver_lines *rows)
{
    Clp_addRows(model, rows->count, rows->lower, rows->upper, rows->starts, rows->items,
                rows->values);
}

static void add_columns(void *model, const tacit__solver_lines *columns)
{
    Clp_addColumns(model, columns->count, columns->lower, columns->upper, columns->costs,
                   columns->starts, columns->items, columns->values);
}

static void remove_rows(void *model, int32_t count, const int32_t *rows)
{
    Clp_deleteRows(model, count, rows);
}

static void remove_columns(void *model, int32_t count, const int32_t *columns)
{
    Clp_deleteColumns(model, count, columns);
}

static void update(void *model, const tacit__program *program)
{
    if (program->columns > 0) {
        Clp_chgColumnLower(model, program->lower);
        Clp_chgColumnUpper(model, program->upper);
        Clp_chgObjCoefficients(model, program->costs);
    }
    if (program->rows > 0) {
        Clp_chgRowLower(model, program->row_lower);
        Clp_chgRowUpper(model, program->row_upper);
    }
}

static tacit__claim claim_of(int status)
{
    switch (status) {
    case OPTIMAL: return TACIT__CLAIM_OPTIMAL;
    case PRIMAL_INFEASIBLE: return TACIT__CLAIM_INFEASIBLE;
    case DUAL_INFEASIBLE: return TACIT__CLAIM_UNBOUNDED;
    case STOPPED: return TACIT__CLAIM_STOPPED;
    default: return TACIT__CLAIM_FAILED;
    }
}

/* All rows in the basis, all columns out of it: where CLP starts from. */
static void basis_of_rows(unsigned char *basis, Clp_Simplex *model)
{
    size_t columns = (size_t)Clp_numberColumns(model), rows = (size_t)Clp_numberRows(model);
    memset(basis, AT_LOWER, columns);
    memset(basis + columns, BASIC, rows);
}

static tacit__claim simplex(void *model, tacit__start start, int32_t iterations, int64_t *made)
{
    Clp_setPerturbation(model, start == TACIT__START_SCRATCH ? PERTURB_NEVER : PERTURB_WHEN_SLOW);
    Clp_setMaximumIterations(model, iterations);
    if (start == TACIT__START_SCRATCH && Clp_statusExists(model))
        basis_of_rows(Clp_statusArray(model), model);
    if (start == TACIT__START_DUAL)
        Clp_dual(model, 0);
    else
        Clp_primal(model, 0);
    *made += Clp_numberIterations(model);
    return claim_of(Clp_status(model));
}

static void point(double *values, double *duals, void *model)
{
    int columns = Clp_numberColumns(model), rows = Clp_numberRows(model);
    if (columns > 0)
        memcpy(values, Clp_primalColumnSolution(model), (size_t)columns * sizeof *values);
    if (rows > 0)
        memcpy(duals, Clp_dualRowSolution(model), (size_t)rows * sizeof *duals);
}

static bool ray(double *ray, void *model, tacit__claim claim)
{
    bool rows = claim == TACIT__CLAIM_INFEASIBLE;
    int count = rows ? Clp_numberRows(model) : Clp_numberColumns(model);
    double *found = rows ? Clp_infeasibilityRay(model) : Clp_unboundedRay(model);
    if (!found)
        return false;
    for (int i = 0; i < count; i++)
        ray[i] = rows ? -found[i] : found[i];
    Clp_freeRay(model, found);
    return true;
}

static void save(unsigned char *basis, void *model)
{
    size_t count = (size_t)(Clp_numberColumns(model) + Clp_numberRows(model));
    if (Clp_statusExists(model))
        memcpy(basis, Clp_statusArray(model), count);
    else
        basis_of_rows(basis, model);
}

static void restore(void *model, const unsigned char *basis)
{
    Clp_copyinStatus(model, basis);
}

const tacit__solver_backend tacit__clp = {
    .name = "CLP",
    .open = open_model,
    .close = close_model,
    .add_rows = add_rows,
    .add_columns = add_columns,
    .remove_rows = remove_rows,
    .remove_columns = remove_columns,
    .update = update,
    .simplex = simplex,
    .point = point,
    .ray = ray,
    .save = save,
    .restore = restore,
};
