/*
 * branch.c - integers by branch and bound over the linear program.
 *
 * A node's linear program gives a bound, which weak duality proves (check.c), and
 * a column that should be integer and is not; two nodes, one with the column
 * rounded down or less and one with it rounded up or more, take the node's place.
 * The search plunges: it goes on with a child, from the basis it stands on, until
 * that is closed, and then takes the open node of lowest bound. Nodes that cannot
 * hold anything cheaper than the best solution are closed.
 *
 * Columns are chosen by pseudocosts: how much a unit of rounding has raised the
 * bound before. A column that has never been rounded is tried both ways, for a
 * few iterations of the simplex method (strong branching). Solutions come from
 * nodes where all are integer and from rounding every node's values. Once there
 * is one, reduced costs of the root say which values no cheaper one can have.
 *
 * A program that the simplex method cannot solve does not end the search: its
 * node is split on any column not yet fixed. Where none is left, the bound stays
 * what it was above, and the answer is trouble unless that is enough.
 *
 * CBC is not used. On random programs of three columns the CBC of Debian 12
 * (2.10.8) ended the process every few thousand times, in its preprocessing or by
 * an assertion; it cannot be stopped, and keeps global state.
 *
 * Achterberg, Koch, Martin: Branching rules revisited (2005).
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "solver/inside.h"
#include "solver/nodes.h"

enum {
    STRONG_CANDIDATES = 8,
    STRONG_ITERATIONS = 60,
    MAX_OPEN = 1 << 22,
    MAX_BASIS_BYTES = 256 << 20 /* beyond, nodes start from wherever the simplex method stands */
};

/* One column's bounds made tighter; the root has none. */
typedef struct decision {
    int32_t column;
    bool up;         /* it was rounded up, */
    double fraction; /* by so much */
    double lower, upper;
    unsigned char *basis; /* to start from, or NULL */
} decision;

/* How much the bound rose for a unit of rounding, on the two sides. */
typedef struct pseudocost {
    double sum[2];
    int64_t count[2];
} pseudocost;

typedef struct search {
    tacit__solver_call *call;
    tacit__solver *solver;
    tacit__solver_nodes open;
    double *numbers;                   /* all of these: */
    double *lower, *upper;             /* that every node keeps: the program's, made tighter */
    double *given_lower, *given_upper; /* the program's own */
    double *best;                      /* the best solution */
    double *tried;                     /* values rounded */
    double *point;                     /* the values of the node looked at */
    double *root_reduced;
    pseudocost *costs;    /* a column each */
    unsigned char *basis; /* of the node looked at */
    size_t basis_bytes;
    size_t bases; /* kept for nodes that are open */
    double root_bound;
    double cost;   /* of the best; INFINITY: there is none */
    double step;   /* costs of solutions are multiples of it; 0: of nothing */
    double closed; /* the lowest bound of a node that was closed */
    bool stopped;
    int64_t nodes;
} search;

/* ---- what is worth looking at ---- */

static double tolerance(const search *s)
{
    return TACIT__SOLVER_COST * (1 + fabs(s->cost));
}

/* The least that a solution of at least this cost can cost. */
static double lifted(const search *s, double bound)
{
    if (s->step == 0 || !isfinite(bound))
        return bound;
    double steps = bound / s->step;
    double slack = TACIT__SOLVER_COST + TACIT__SOLVER_RELATIVE * fabs(steps);
    double up = ceil(steps - slack) * s->step;
    return up > bound ? up : bound;
}

/* Whether something below a bound could be cheaper than what there is. */
static bool worthwhile(const search *s, double bound)
{
    if (s->cost == INFINITY)
        return true;
    double open = s->cost - lifted(s, bound);
    return open > tolerance(s) && open > s->call->options->gap * fabs(s->cost);
}

/* Closes a node with this bound. */
static void close_at(search *s, double bound)
{
    bound = lifted(s, bound);
    s->closed = bound < s->closed ? bound : s->closed;
}

static double common_divisor(double a, double b)
{
    while (b > 0.5) {
        double rest = fmod(a, b);
        a = b;
        b = rest;
    }
    return a;
}

/* Where only integer columns cost anything, and whole numbers, costs come in
 * steps. */
static double step_of(const tacit__program *program)
{
    double step = 0;
    for (int32_t i = 0; i < program->columns; i++) {
        double cost = fabs(program->costs[i]);
        if (cost > 0 && (!program->integers[i] || cost != round(cost) || cost > 1e9))
            return 0;
        step = common_divisor(cost, step);
    }
    return step;
}

/* ---- bounds of columns ---- */

static void set_bounds(search *s, int32_t column, double lower, double upper)
{
    tacit__program *program = &s->solver->program;
    if (program->lower[column] != lower || program->upper[column] != upper)
        tacit__solver_set_column(s->solver, column, lower, upper);
}

/* The program of a node: the root's bounds, and what the way to it made tighter. */
static void go_to(search *s, const tacit__open_node *node)
{
    tacit__program *program = &s->solver->program;
    for (int32_t i = 0; i < program->columns; i++)
        if (program->integers[i])
            set_bounds(s, i, s->lower[i], s->upper[i]);
    for (; node->parent; node = node->parent) {
        const decision *d = (const decision *)node->decision;
        set_bounds(s, d->column, fmax(program->lower[d->column], d->lower),
                   fmin(program->upper[d->column], d->upper));
    }
}

/* What the root's reduced costs leave possible for anything cheaper than the best. */
static void tighten(search *s)
{
    const tacit__program *program = &s->solver->program;
    double room = s->cost - s->root_bound;
    for (int32_t i = 0; i < program->columns; i++) {
        double reduced = s->root_reduced[i];
        if (!program->integers[i] || fabs(reduced) < TACIT__SOLVER_COST)
            continue;
        double way = room / fabs(reduced) + TACIT__SOLVER_INTEGER; /* from a bound, whole or not */
        if (reduced > 0)
            s->upper[i] = fmin(s->upper[i], floor(s->given_lower[i] + way));
        else
            s->lower[i] = fmax(s->lower[i], ceil(s->given_upper[i] - way));
    }
}

/* ---- solutions ---- */

/* Takes values over if they are a solution, once rounded, and the cheapest. */
static bool offer(search *s, const double *values)
{
    const tacit__program *program = &s->solver->program;
    double size, cost;
    for (int32_t i = 0; i < program->columns; i++)
        s->tried[i] = program->integers[i] ? round(values[i]) : values[i];
    if (!tacit__check_feasible(program, s->tried, &s->solver->scratch))
        return false;
    cost = tacit__program_cost(program, s->tried, &size);
    if (cost < s->cost) {
        s->cost = cost;
        memcpy(s->best, s->tried, (size_t)program->columns * sizeof *s->best);
        tighten(s);
    }
    return true;
}

static double fraction_of(double value)
{
    double part = value - floor(value);
    return part <= TACIT__SOLVER_INTEGER || part >= 1 - TACIT__SOLVER_INTEGER ? 0 : part;
}

/* ---- which column ---- */

/* What is expected of rounding a column to a side. */
static double expected(const search *s, int32_t column, int up, double part)
{
    const pseudocost *cost = &s->costs[column];
    double by = up ? 1 - part : part;
    return cost->count[up] ? by * cost->sum[up] / (double)cost->count[up] : by;
}

static double score(const search *s, int32_t column, double part)
{
    const double least = 1e-6;
    return fmax(expected(s, column, 0, part), least) * fmax(expected(s, column, 1, part), least);
}

static void learn(search *s, int32_t column, int up, double by, double rise)
{
    if (by > 0 && isfinite(rise)) {
        s->costs[column].sum[up] += fmax(rise, 0) / by;
        s->costs[column].count[up]++;
    }
}

/* Tries a column on one side for a few iterations. */
static void try_side(search *s, int32_t column, int up, double value, double bound)
{
    tacit__solver_answer answer;
    const tacit__program *program = &s->solver->program;
    double lower = program->lower[column], upper = program->upper[column];
    int64_t most = s->call->most;
    if (most - s->call->iterations > STRONG_ITERATIONS)
        s->call->most = s->call->iterations + STRONG_ITERATIONS;
    set_bounds(s, column, up ? ceil(value) : lower, up ? upper : floor(value));
    tacit__solve_linear(&answer, s->call);
    set_bounds(s, column, lower, upper);
    tacit__solver_restore(s->solver, s->basis);
    s->call->most = most;
    double reached =
        answer.result == TACIT__SOLVER_INFEASIBLE && s->cost < INFINITY ? s->cost : answer.bound;
    double part = value - floor(value);
    learn(s, column, up, up ? 1 - part : part, reached - bound);
}

/* Columns of which nothing is known yet and which are farthest from integer. */
static int untried(const search *s, const double *values, int32_t *columns)
{
    const tacit__program *program = &s->solver->program;
    int count = 0;
    for (int32_t i = 0; i < program->columns; i++) {
        const pseudocost *cost = &s->costs[i];
        double part = program->integers[i] ? fraction_of(values[i]) : 0;
        if (part == 0 || (cost->count[0] && cost->count[1]))
            continue;
        int at = count < STRONG_CANDIDATES ? count++ : STRONG_CANDIDATES;
        double middle = fabs(part - 0.5);
        for (; at > 0 && fabs(fraction_of(values[columns[at - 1]]) - 0.5) > middle; at--)
            if (at < STRONG_CANDIDATES)
                columns[at] = columns[at - 1];
        if (at < STRONG_CANDIDATES)
            columns[at] = i;
    }
    return count;
}

/* The column to branch on, or -1 where all are integer. */
static int32_t choose(search *s, const double *values, double bound)
{
    const tacit__program *program = &s->solver->program;
    int32_t best = -1, candidates[STRONG_CANDIDATES];
    double most = -1;
    int count = untried(s, values, candidates);
    for (int i = 0; i < count && s->call->status == TACIT_OK; i++)
        for (int up = 0; up < 2; up++)
            try_side(s, candidates[i], up, values[candidates[i]], bound);
    for (int32_t i = 0; i < program->columns; i++) {
        double part = program->integers[i] ? fraction_of(values[i]) : 0;
        if (part > 0 && score(s, i, part) > most) {
            most = score(s, i, part);
            best = i;
        }
    }
    return best;
}

/* ---- nodes ---- */

static decision *decision_of(const tacit__open_node *node)
{
    return (decision *)node->decision;
}

static unsigned char *keep_basis(search *s)
{
    if ((s->bases + 1) * s->basis_bytes > MAX_BASIS_BYTES)
        return NULL;
    unsigned char *kept = tacit__alloc(s->basis_bytes);
    if (kept) {
        memcpy(kept, s->basis, s->basis_bytes);
        s->bases++;
    }
    return kept;
}

/* Lets go of a node and the basis it would have started from. */
static void release(search *s, tacit__open_node *node)
{
    if (node && decision_of(node)->basis) {
        s->bases--;
        tacit__free(decision_of(node)->basis);
        decision_of(node)->basis = NULL;
    }
    tacit__nodes_release(node);
}

static tacit__open_node *make_child(search *s, tacit__open_node *node, int32_t column, bool up,
                                    double value)
{
    tacit__open_node *child = tacit__nodes_grow(&s->open, node);
    if (!child)
        return NULL;
    const tacit__program *program = &s->solver->program;
    double down = floor(value);
    *decision_of(child) = (decision){
        .column = column,
        .up = up,
        .fraction = up ? down + 1 - value : value - down,
        .lower = up ? down + 1 : program->lower[column],
        .upper = up ? program->upper[column] : down,
        .basis = keep_basis(s),
    };
    return child;
}

/* Splits a node at a column's value: *next is the child to go on with. */
static tacit_status split(tacit__open_node **next, search *s, tacit__open_node *node,
                          int32_t column, double value)
{
    bool up = value - floor(value) > 0.5;
    tacit__open_node *child = make_child(s, node, column, up, value);
    tacit__open_node *other = child ? make_child(s, node, column, !up, value) : NULL;
    if (other && tacit__nodes_push(&s->open, other)) {
        *next = child;
        return TACIT_OK;
    }
    release(s, other);
    release(s, child);
    return tacit__nomem(s->call->err);
}

/* A node that cannot be solved: split where anything is left to be split. */
static tacit_status split_blindly(tacit__open_node **next, search *s, tacit__open_node *node)
{
    const tacit__program *program = &s->solver->program;
    for (int32_t i = 0; i < program->columns; i++) {
        double lower = program->lower[i], upper = program->upper[i];
        if (!program->integers[i] || !(upper - lower >= 1))
            continue;
        double middle = isfinite(lower) && isfinite(upper) ? floor((lower + upper) / 2)
                        : isfinite(lower)                  ? lower
                        : isfinite(upper)                  ? upper - 1
                                                           : 0;
        return split(next, s, node, i, middle);
    }
    close_at(s, node->bound); /* bounds below it are not known */
    return TACIT_OK;
}

/* What a node that was solved leads to: a solution, or two nodes, or nothing. */
static tacit_status follow(tacit__open_node **next, search *s, tacit__open_node *node)
{
    if (!worthwhile(s, node->bound)) {
        close_at(s, node->bound);
        return TACIT_OK;
    }
    memcpy(s->point, s->solver->values, (size_t)s->solver->program.columns * sizeof *s->point);
    bool solution = offer(s, s->point);
    tacit__solver_save(s->solver, s->basis);
    int32_t column = choose(s, s->point, node->bound);
    if (column >= 0)
        return split(next, s, node, column, s->point[column]);
    if (!solution) /* integer but for what rounding broke */
        return split_blindly(next, s, node);
    close_at(s, node->bound); /* its cheapest has been taken */
    return TACIT_OK;
}

/* Looks at a node that is not the root. */
static tacit_status visit(tacit__open_node **next, search *s, tacit__open_node *node)
{
    tacit__solver_answer answer;
    double before = node->bound;
    const decision *d = decision_of(node);
    go_to(s, node);
    if (d->basis)
        tacit__solver_restore(s->solver, d->basis);
    tacit__solve_linear(&answer, s->call);
    s->nodes++;
    node->bound = fmax(before, answer.bound);
    switch (answer.result) {
    case TACIT__SOLVER_INFEASIBLE: return TACIT_OK;
    case TACIT__SOLVER_LIMIT:
        s->stopped = true;
        close_at(s, node->bound);
        return TACIT_OK;
    case TACIT__SOLVER_OPTIMAL:
        learn(s, d->column, d->up, d->fraction, node->bound - before);
        return follow(next, s, node);
    default: return split_blindly(next, s, node);
    }
}

/* Whether a limit, or the caller, wants the search to end. */
static bool must_stop(search *s)
{
    int64_t nodes = s->call->options->nodes;
    return s->stopped || (nodes > 0 && s->nodes >= nodes) || s->open.count >= MAX_OPEN ||
           !tacit__pulse(s->call);
}

static tacit_status run(search *s, tacit__open_node *root, bool solved)
{
    tacit__open_node *next = NULL;
    tacit_status status = solved ? follow(&next, s, root) : split_blindly(&next, s, root);
    release(s, root);
    s->nodes++;
    while (status == TACIT_OK) {
        tacit__open_node *node = next ? next : tacit__nodes_pop(&s->open);
        next = NULL;
        if (!node)
            break;
        if (!worthwhile(s, node->bound)) {
            close_at(s, node->bound);
        } else if (must_stop(s)) {
            s->stopped = true;
            close_at(s, node->bound);
        } else {
            status = visit(&next, s, node);
        }
        release(s, node);
        if (s->stopped)
            break;
    }
    release(s, next);
    return status;
}

/* ---- all of it ---- */

static tacit_status search_init(search *s, tacit__solver_call *call, double bound, tacit_error *err)
{
    const tacit__program *program = &call->solver->program;
    size_t columns = (size_t)program->columns, rows = (size_t)program->rows;
    *s = (search){.call = call,
                  .solver = call->solver,
                  .root_bound = bound,
                  .cost = INFINITY,
                  .closed = INFINITY,
                  .step = step_of(program),
                  .open = {.decision_bytes = sizeof(decision)},
                  .basis_bytes = rows + columns};
    s->numbers = tacit__alloc_array(8 * columns, sizeof *s->numbers);
    s->costs = tacit__alloc_zeroed(columns, sizeof *s->costs);
    s->basis = tacit__alloc(s->basis_bytes);
    if (!s->numbers || !s->costs || !s->basis)
        return tacit__nomem(err);
    double **parts[] = {&s->lower, &s->upper, &s->given_lower, &s->given_upper,
                        &s->best,  &s->tried, &s->point,       &s->root_reduced};
    for (size_t i = 0; i < 8; i++)
        *parts[i] = s->numbers + i * columns;
    size_t bytes = columns * sizeof *s->lower;
    memcpy(s->lower, program->lower, bytes);
    memcpy(s->upper, program->upper, bytes);
    memcpy(s->given_lower, program->lower, bytes);
    memcpy(s->given_upper, program->upper, bytes);
    memcpy(s->root_reduced, call->solver->reduced, bytes);
    return TACIT_OK;
}

static void search_clear(search *s)
{
    for (tacit__open_node *node; (node = tacit__nodes_pop(&s->open));)
        release(s, node);
    tacit__nodes_clear(&s->open);
    tacit__free(s->numbers);
    tacit__free(s->costs);
    tacit__free(s->basis);
}

static void conclude(tacit__solver_answer *answer, search *s)
{
    size_t columns = (size_t)s->solver->program.columns;
    double bound = fmin(s->cost, fmin(s->closed, lifted(s, tacit__nodes_bound(&s->open))));
    *answer = (tacit__solver_answer){.cost = NAN, .bound = bound, .nodes = s->nodes};
    if (s->cost < INFINITY) {
        memcpy(s->solver->values, s->best, columns * sizeof *s->best);
        answer->values = s->solver->values;
        answer->cost = s->cost;
    }
    if (bound == INFINITY)
        answer->result = TACIT__SOLVER_INFEASIBLE;
    else if (s->cost < INFINITY && !worthwhile(s, bound))
        answer->result = TACIT__SOLVER_OPTIMAL;
    else
        answer->result = s->stopped ? TACIT__SOLVER_LIMIT : TACIT__SOLVER_TROUBLE;
}

/* Whether integer columns hold integers within tolerance. */
static bool is_integer(const tacit__program *program, const double *values)
{
    for (int32_t i = 0; i < program->columns; i++)
        if (program->integers[i] && !(fabs(values[i] - round(values[i])) <= TACIT__SOLVER_INTEGER))
            return false;
    return true;
}

/* The caller's solution, if it is one. */
static void take_start(search *s)
{
    const double *start = s->call->options->start;
    if (start && is_integer(&s->solver->program, start))
        offer(s, start);
}

tacit_status tacit__solve_integer(tacit__solver_answer *answer, tacit__solver_call *call)
{
    search s;
    bool solved = answer->result == TACIT__SOLVER_OPTIMAL;
    if (!solved && answer->result != TACIT__SOLVER_TROUBLE) {
        answer->values = NULL; /* not integer, as far as anybody knows */
        answer->cost = NAN;
        return TACIT_OK;
    }
    tacit_status status = search_init(&s, call, answer->bound, call->err);
    tacit__open_node *root = status == TACIT_OK ? tacit__nodes_grow(&s.open, NULL) : NULL;
    if (status == TACIT_OK && !root)
        status = tacit__nomem(call->err);
    if (status == TACIT_OK) {
        root->bound = answer->bound;
        take_start(&s);
        status = run(&s, root, solved);
        for (int32_t i = 0; i < call->solver->program.columns; i++)
            set_bounds(&s, i, s.given_lower[i], s.given_upper[i]);
    }
    if (status == TACIT_OK)
        conclude(answer, &s);
    search_clear(&s);
    return status;
}
