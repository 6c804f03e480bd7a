/*
 * fake_solver.h - a backend of the solver room that is CLP until it goes wrong, in
 * the way and from the call on that the test says.
 */
#ifndef TACIT_TESTS_SUPPORT_FAKE_SOLVER_H
#define TACIT_TESTS_SUPPORT_FAKE_SOLVER_H

#include "programs.h"

typedef enum fault {
    NO_FAULT = 0,
    POINT_OUTSIDE,     /* "optimal", and the point is not feasible */
    POINT_NO_NUMBER,   /* "optimal", with values that are no numbers */
    POINT_TOO_DEAR,    /* "optimal", at a feasible point with duals that prove nothing */
    DUALS_WRONG,       /* "optimal", and so it is, with duals from nowhere */
    DUALS_NO_NUMBER,   /* the same with no numbers */
    SAYS_INFEASIBLE,   /* without a proof */
    PROVES_INFEASIBLE, /* with a proof that is none */
    SAYS_UNBOUNDED,    /* without a direction */
    PROVES_UNBOUNDED,  /* with a direction that leads nowhere */
    SAYS_FAILED,
    STANDS_STILL, /* stopped, by its own word, before the first iteration */
    NEVER_ENDS,   /* iterates and is never done */
    FAULTS
} fault;

static struct {
    fault fault;
    int from;  /* call of the simplex method */
    int times; /* calls that go wrong; 0: all that follow */
    int calls;
    int rows;   /* of the program */
    bool wrong; /* the last call was */
} fake;

static void fake_set(fault which, int from, int times)
{
    fake.fault = which;
    fake.from = from;
    fake.times = times;
    fake.calls = fake.rows = 0;
    fake.wrong = false;
}

/* One program is open at a time. */
static void *fake_open(void)
{
    fake.rows = 0;
    return tacit__clp.open();
}

static void fake_add_rows(void *model, const tacit__solver_lines *rows)
{
    fake.rows += rows->count;
    tacit__clp.add_rows(model, rows);
}

static tacit__claim fake_simplex(void *model, tacit__start start, int32_t iterations, int64_t *made)
{
    int call = fake.calls++;
    fake.wrong = fake.fault != NO_FAULT && call >= fake.from &&
                 (!fake.times || call < fake.from + fake.times);
    tacit__claim claim = TACIT__CLAIM_STOPPED;
    if (!fake.wrong || fake.fault < STANDS_STILL)
        claim = tacit__clp.simplex(model, start, iterations, made);
    if (!fake.wrong)
        return claim;
    switch (fake.fault) {
    case POINT_OUTSIDE:
    case POINT_NO_NUMBER:
    case POINT_TOO_DEAR:
    case DUALS_WRONG:
    case DUALS_NO_NUMBER: return TACIT__CLAIM_OPTIMAL;
    case SAYS_INFEASIBLE:
    case PROVES_INFEASIBLE: return TACIT__CLAIM_INFEASIBLE;
    case SAYS_UNBOUNDED:
    case PROVES_UNBOUNDED: return TACIT__CLAIM_UNBOUNDED;
    case SAYS_FAILED: return TACIT__CLAIM_FAILED;
    case NEVER_ENDS: *made += iterations; return TACIT__CLAIM_STOPPED;
    default: return claim;
    }
}

static void fake_point(double *values, double *duals, void *model)
{
    tacit__clp.point(values, duals, model);
    for (int i = 0; fake.wrong && i < 2; i++) /* the tests' programs have two columns or more */
        if (fake.fault == POINT_OUTSIDE)
            values[i] += 100;
        else if (fake.fault == POINT_NO_NUMBER)
            values[i] = NAN;
        else if (fake.fault == POINT_TOO_DEAR)
            values[i] = 0;
    for (int i = 0; fake.wrong && i < fake.rows; i++)
        if (fake.fault == POINT_TOO_DEAR)
            duals[i] = 0;
        else if (fake.fault == DUALS_WRONG)
            duals[i] = -0.25 - i;
        else if (fake.fault == DUALS_NO_NUMBER)
            duals[i] = NAN;
}

static bool fake_ray(double *ray, void *model, tacit__claim claim)
{
    if (!fake.wrong)
        return tacit__clp.ray(ray, model, claim);
    if (fake.fault != PROVES_INFEASIBLE && fake.fault != PROVES_UNBOUNDED)
        return false;
    ray[0] = 1;
    ray[1] = -1;
    return true;
}

static tacit__solver_backend fake_backend(void)
{
    tacit__solver_backend backend = tacit__clp;
    backend.name = "fake";
    backend.open = fake_open;
    backend.add_rows = fake_add_rows;
    backend.simplex = fake_simplex;
    backend.point = fake_point;
    backend.ray = fake_ray;
    return backend;
}

#endif
