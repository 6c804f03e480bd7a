/*
 * clp.cpp - CLP behind the table of backend.h, through its C interface.
 *
 * CLP keeps the basis from one call to the next, which is what warm starts are.
 * Its presolve is not used: it would throw the basis away and give no rays. Its
 * own limit in seconds is not used either: it counts the processor time of all
 * threads, so that where it stops would depend on them.
 *
 * This file is C++ for one reason: CLP throws where memory runs out, and nothing
 * but C++ can catch that. What was thrown ends here; the model is lost from then
 * on, and says so.
 *
 * Numbers beyond 1e12 make CLP stop the process by an assertion (of 150 random
 * tables with values up to 1e18, 19 did). So bounds and costs of that size are
 * divided by a power of two before it sees them, and its answers multiplied: the
 * checks of this room, which know nothing of it, judge them all the same.
 */
#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <vector>

#include <Clp_C_Interface.h>

extern "C" {
#include "solver/inside.h"
}

/* CLP's defaults, named because solver.h promises ten times as much. */
static const double PRIMAL_TOLERANCE = 1e-7;
static const double DUAL_TOLERANCE = 1e-7;

/* CLP's ways of perturbing costs: when it takes too long, and never. */
enum { PERTURB_WHEN_SLOW = 100, PERTURB_NEVER = 102, SILENT = 0 };

/* CLP's statuses of a problem. */
enum { OPTIMAL = 0, PRIMAL_INFEASIBLE = 1, DUAL_INFEASIBLE = 2, STOPPED = 3 };

/* CLP's statuses of a row or column in the basis. */
enum { BASIC = 1, AT_LOWER = TACIT__SOLVER_AT_LOWER };

namespace
{

struct clp_model {
    Clp_Simplex *simplex;
    double unit;      /* what bounds and values are divided by */
    double cost_unit; /* and costs and duals */
    bool lost;        /* it threw */
};

/* Does the work unless the model is lost; whatever it throws loses it. */
template <typename work> void guard(void *model, work body)
{
    clp_model *m = static_cast<clp_model *>(model);
    if (m->lost)
        return;
    try {
        body(*m);
    } catch (...) {
        m->lost = true;
    }
}

/* The power of two that brings numbers up to `largest` into CLP's reach; 1 where they are. */
double unit_for(double largest)
{
    return largest <= TACIT__SOLVER_LARGE ? 1 : std::ldexp(1, std::ilogb(largest) - 29);
}

double largest_of(double largest, const double *numbers, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (std::isfinite(numbers[i]))
            largest = std::max(largest, std::fabs(numbers[i]));
    return largest;
}

/* Numbers in a unit; the same array where that is 1. */
class scaled
{
  public:
    scaled(const double *given, int32_t count, double unit) : numbers(given)
    {
        if (unit == 1 || !given)
            return;
        copy.reserve(static_cast<size_t>(count));
        for (int32_t i = 0; i < count; i++)
            copy.push_back(given[i] / unit);
        numbers = copy.data();
    }
    operator const double *() const
    {
        return numbers;
    }

  private:
    const double *numbers;
    std::vector<double> copy;
};

void *open_model()
{
    clp_model *m = new (std::nothrow) clp_model{nullptr, 1, 1, false};
    if (!m)
        return nullptr;
    guard(m, [](clp_model &model) {
        model.simplex = Clp_newModel();
        Clp_setLogLevel(model.simplex, SILENT);
        Clp_setPrimalTolerance(model.simplex, PRIMAL_TOLERANCE);
        Clp_setDualTolerance(model.simplex, DUAL_TOLERANCE);
    });
    if (m->lost || !m->simplex) {
        delete m;
        return nullptr;
    }
    return m;
}

void close_model(void *model)
{
    clp_model *m = static_cast<clp_model *>(model);
    try {
        Clp_deleteModel(m->simplex);
    } catch (...) {
        m->lost = true; /* what it held is not given back */
    }
    delete m;
}

bool is_lost(void *model)
{
    return static_cast<clp_model *>(model)->lost;
}

void add_rows(void *model, const tacit__solver_lines *rows)
{
    guard(model, [&](clp_model &m) {
        Clp_addRows(m.simplex, rows->count, scaled(rows->lower, rows->count, m.unit),
                    scaled(rows->upper, rows->count, m.unit), rows->starts, rows->items,
                    rows->values);
    });
}

void add_columns(void *model, const tacit__solver_lines *columns)
{
    guard(model, [&](clp_model &m) {
        int32_t count = columns->count;
        Clp_addColumns(m.simplex, count, scaled(columns->lower, count, m.unit),
                       scaled(columns->upper, count, m.unit),
                       scaled(columns->costs, count, m.cost_unit), columns->starts, columns->items,
                       columns->values);
    });
}

void remove_rows(void *model, int32_t count, const int32_t *rows)
{
    guard(model, [&](clp_model &m) { Clp_deleteRows(m.simplex, count, rows); });
}

void remove_columns(void *model, int32_t count, const int32_t *columns)
{
    guard(model, [&](clp_model &m) { Clp_deleteColumns(m.simplex, count, columns); });
}

void choose_units(clp_model &m, const tacit__program *program)
{
    double bound = largest_of(0, program->lower, program->columns);
    bound = largest_of(bound, program->upper, program->columns);
    bound = largest_of(bound, program->row_lower, program->rows);
    m.unit = unit_for(largest_of(bound, program->row_upper, program->rows));
    m.cost_unit = unit_for(largest_of(0, program->costs, program->columns));
}

void update(void *model, const tacit__program *program)
{
    guard(model, [&](clp_model &m) {
        int32_t columns = program->columns, rows = program->rows;
        choose_units(m, program);
        if (columns > 0) {
            Clp_chgColumnLower(m.simplex, scaled(program->lower, columns, m.unit));
            Clp_chgColumnUpper(m.simplex, scaled(program->upper, columns, m.unit));
            Clp_chgObjCoefficients(m.simplex, scaled(program->costs, columns, m.cost_unit));
        }
        if (rows > 0) {
            Clp_chgRowLower(m.simplex, scaled(program->row_lower, rows, m.unit));
            Clp_chgRowUpper(m.simplex, scaled(program->row_upper, rows, m.unit));
        }
    });
}

tacit__claim claim_of(int status)
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
void basis_of_rows(unsigned char *basis, Clp_Simplex *simplex)
{
    size_t columns = static_cast<size_t>(Clp_numberColumns(simplex));
    std::memset(basis, AT_LOWER, columns);
    std::memset(basis + columns, BASIC, static_cast<size_t>(Clp_numberRows(simplex)));
}

tacit__claim simplex(void *model, tacit__start start, int32_t iterations, int64_t *made)
{
    tacit__claim claim = TACIT__CLAIM_FAILED;
    guard(model, [&](clp_model &m) {
        bool scratch = start == TACIT__START_SCRATCH;
        Clp_setPerturbation(m.simplex, scratch ? PERTURB_NEVER : PERTURB_WHEN_SLOW);
        Clp_setMaximumIterations(m.simplex, iterations);
        if (scratch && Clp_statusExists(m.simplex))
            basis_of_rows(Clp_statusArray(m.simplex), m.simplex);
        if (start == TACIT__START_DUAL)
            Clp_dual(m.simplex, 0);
        else
            Clp_primal(m.simplex, 0);
        *made += Clp_numberIterations(m.simplex);
        claim = claim_of(Clp_status(m.simplex));
    });
    return claim;
}

void copy_times(double *out, const double *numbers, int count, double unit)
{
    if (count > 0)
        std::memcpy(out, numbers, static_cast<size_t>(count) * sizeof *out);
    for (int i = 0; unit != 1 && i < count; i++)
        out[i] *= unit;
}

void point(double *values, double *duals, void *model)
{
    guard(model, [&](clp_model &m) {
        copy_times(values, Clp_primalColumnSolution(m.simplex), Clp_numberColumns(m.simplex),
                   m.unit);
        copy_times(duals, Clp_dualRowSolution(m.simplex), Clp_numberRows(m.simplex), m.cost_unit);
    });
}

/* A direction: no unit matters. */
bool ray(double *ray, void *model, tacit__claim claim)
{
    bool there = false;
    guard(model, [&](clp_model &m) {
        bool rows = claim == TACIT__CLAIM_INFEASIBLE;
        int count = rows ? Clp_numberRows(m.simplex) : Clp_numberColumns(m.simplex);
        double *found = rows ? Clp_infeasibilityRay(m.simplex) : Clp_unboundedRay(m.simplex);
        for (int i = 0; found && i < count; i++)
            ray[i] = rows ? -found[i] : found[i];
        there = found != nullptr;
        if (there)
            Clp_freeRay(m.simplex, found);
    });
    return there;
}

void save(unsigned char *basis, void *model)
{
    guard(model, [&](clp_model &m) {
        size_t count =
            static_cast<size_t>(Clp_numberColumns(m.simplex) + Clp_numberRows(m.simplex));
        if (Clp_statusExists(m.simplex))
            std::memcpy(basis, Clp_statusArray(m.simplex), count);
        else
            basis_of_rows(basis, m.simplex);
    });
}

void restore(void *model, const unsigned char *basis)
{
    guard(model, [&](clp_model &m) { Clp_copyinStatus(m.simplex, basis); });
}

} // namespace

extern "C" const tacit__solver_backend tacit__clp = {
    .name = "CLP",
    .open = open_model,
    .close = close_model,
    .lost = is_lost,
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
