/*
 * test_uniques_loglinear.c - log-linear models of population uniques against fits of their own:
 * the product of shares, the saturated model, and Newton's method on the Poisson likelihood of the
 * whole table, with the risk of a sample unique summed term by term.
 */
#include "uniques_case.h"

#include <math.h>

enum { MOST_CELLS = 128, MOST_EFFECTS = 64 };

static const double NEAR = 1e-6;

/* ---- what the model says, computed otherwise ---- */

/* P(F = 1) and E(1 / F) where F - 1 is Poisson. */
static void add_by_terms(double *uniques, double *matches, double mean, double people)
{
    double theta = mean * (people - 1) / people, term = exp(-theta);
    *uniques += term;
    for (int others = 0; others < 400; others++) {
        *matches += term / (others + 1);
        term *= theta / (others + 1);
    }
}

static tacit_loglinear_risk modelled(const uniques_case *c, const double *weights,
                                     tacit_loglinear model)
{
    tacit_run run;
    tacit_sample sample;
    tacit_error err = {0};
    tacit_risk *risk = NULL;
    tacit_loglinear_risk found = {0};
    tacit_run_init(&run);
    tacit_sample_init(&sample);
    sample.weights = weights;
    assert_int_equal(tacit_risk_new(&risk, c->distinct, &sample, &run, NULL), TACIT_OK);
    if (tacit_loglinear_risk_of(&found, risk, c->distinct, model, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    tacit_risk_free(risk);
    return found;
}

static bool is_alone(const uniques_case *c, int row)
{
    return count_matches(c, row, ~UINT64_C(0), TACIT_MISSING_VALUE) == 1;
}

static void draw_weights(double *weights, int rows, uint64_t *state)
{
    for (int row = 0; row < rows; row++)
        weights[row] = 1 + next_below(state, 40) / 4.0;
}

static void check_near(const tacit_loglinear_risk *found, double uniques, double matches)
{
    if (fabs(found->population_uniques - uniques) > NEAR * (1 + uniques) ||
        fabs(found->matches - matches) > NEAR * (1 + matches))
        fail_msg("%.9g and %.9g, not %.9g and %.9g", found->population_uniques, found->matches,
                 uniques, matches);
}

/* ---- independent columns: shares of values, counted row by row ---- */

static double product_of_shares(const uniques_case *c, const double *weights, int row)
{
    double total = 0, mean = 1;
    for (int i = 0; i < c->rows; i++)
        total += weights[i];
    for (int column = 0; column < c->columns; column++) {
        double same = 0;
        for (int i = 0; i < c->rows; i++)
            same += c->cells[i][column] == c->cells[row][column] ? weights[i] : 0;
        mean *= same / total;
    }
    return mean * total;
}

static void test_main_effects(void **state)
{
    (void)state;
    uint64_t seed = 11;
    double weights[CASE_ROWS];
    int64_t alone = 0;
    for (int i = 0; i < 200; i++) {
        uniques_case c;
        double uniques = 0, matches = 0;
        int64_t count = 0;
        case_draw(&c, &seed, 1 + next_below(&seed, 40), 1 + next_below(&seed, 6),
                  next_below(&seed, 20));
        case_open(&c, TACIT_MISSING_VALUE);
        draw_weights(weights, c.rows, &seed);
        for (int row = 0; row < c.rows; row++)
            if (is_alone(&c, row)) {
                count++;
                add_by_terms(&uniques, &matches, product_of_shares(&c, weights, row), weights[row]);
            }
        tacit_loglinear_risk found = modelled(&c, weights, TACIT_LOGLINEAR_MAIN);
        assert_int_equal(found.uniques, count);
        assert_true(found.settled && found.cells == 0);
        check_near(&found, uniques, matches);
        alone += count;
        case_close(&c);
    }
    assert_true(alone > 500);
}

/* ---- two columns: the model of pairs is the data ---- */

static void test_saturated(void **state)
{
    (void)state;
    uint64_t seed = 5;
    double weights[CASE_ROWS];
    for (int i = 0; i < 200; i++) {
        uniques_case c;
        double uniques = 0, matches = 0;
        case_draw(&c, &seed, 1 + next_below(&seed, 40), 2, next_below(&seed, 20));
        case_open(&c, TACIT_MISSING_VALUE);
        draw_weights(weights, c.rows, &seed);
        for (int row = 0; row < c.rows; row++)
            if (is_alone(&c, row))
                add_by_terms(&uniques, &matches, weights[row], weights[row]);
        tacit_loglinear_risk found = modelled(&c, weights, TACIT_LOGLINEAR_PAIRS);
        bool varies = found.cells > 0; /* else a column has one value: the same model */
        assert_true(found.settled);
        assert_true(!varies || found.rounds <= 3);
        check_near(&found, uniques, matches);
        case_close(&c);
    }
}

/* ---- all pairs: Newton's method ---- */

/* A whole table with the effects of each cell, by dummies: the first value of a column has none. */
typedef struct poisson {
    int columns, sizes[4], cells, effects;
    double counts[MOST_CELLS];
    double design[MOST_CELLS][MOST_EFFECTS];
    double beta[MOST_EFFECTS];
} poisson;

static void cell_values(int *values, const poisson *p, int cell)
{
    for (int column = p->columns - 1; column >= 0; column--) {
        values[column] = cell % p->sizes[column];
        cell /= p->sizes[column];
    }
}

static void add_effects(poisson *p, int a, int first, int b, int second)
{
    for (int cell = 0; cell < p->cells; cell++) {
        int values[4];
        cell_values(values, p, cell);
        p->design[cell][p->effects] = values[a] == first && (b < 0 || values[b] == second);
    }
    p->effects++;
}

static void make_design(poisson *p)
{
    p->effects = 1;
    for (int cell = 0; cell < p->cells; cell++)
        p->design[cell][0] = 1;
    for (int a = 0; a < p->columns; a++)
        for (int i = 1; i < p->sizes[a]; i++) {
            add_effects(p, a, i, -1, 0);
            for (int b = a + 1; b < p->columns; b++)
                for (int j = 1; j < p->sizes[b]; j++)
                    add_effects(p, a, i, b, j);
        }
    assert_true(p->effects <= MOST_EFFECTS);
}

static double mean_of(const poisson *p, int cell)
{
    double sum = 0;
    for (int e = 0; e < p->effects; e++)
        sum += p->design[cell][e] * p->beta[e];
    return exp(sum);
}

/* Solves a x = b by elimination; b becomes x. False where a is singular. */
static bool solve(double a[MOST_EFFECTS][MOST_EFFECTS], double *b, int n)
{
    for (int i = 0; i < n; i++) {
        int best = i;
        for (int j = i + 1; j < n; j++)
            best = fabs(a[j][i]) > fabs(a[best][i]) ? j : best;
        if (fabs(a[best][i]) < 1e-12)
            return false;
        for (int k = 0; k < n; k++) {
            double kept = a[i][k];
            a[i][k] = a[best][k];
            a[best][k] = kept;
        }
        double kept = b[i];
        b[i] = b[best];
        b[best] = kept;
        for (int j = i + 1; j < n; j++) {
            double factor = a[j][i] / a[i][i];
            for (int k = i; k < n; k++)
                a[j][k] -= factor * a[i][k];
            b[j] -= factor * b[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    return true;
}

/* One step; returns the largest slope before it, or INFINITY. */
static double newton_step(poisson *p)
{
    static double curve[MOST_EFFECTS][MOST_EFFECTS];
    double slope[MOST_EFFECTS] = {0}, steepest = 0;
    memset(curve, 0, sizeof curve);
    for (int cell = 0; cell < p->cells; cell++) {
        double mean = mean_of(p, cell);
        for (int e = 0; e < p->effects; e++) {
            slope[e] += p->design[cell][e] * (p->counts[cell] - mean);
            for (int f = 0; f < p->effects; f++)
                curve[e][f] += p->design[cell][e] * p->design[cell][f] * mean;
        }
    }
    for (int e = 0; e < p->effects; e++)
        steepest = fmax(steepest, fabs(slope[e]));
    if (!solve(curve, slope, p->effects))
        return INFINITY;
    for (int e = 0; e < p->effects; e++)
        p->beta[e] += fmax(-1, fmin(1, slope[e]));
    return steepest;
}

/* Whether the likelihood has its largest value at finite effects, which beta then are. */
static bool fit(poisson *p)
{
    double total = 0, slope = INFINITY;
    for (int cell = 0; cell < p->cells; cell++)
        total += p->counts[cell];
    memset(p->beta, 0, sizeof p->beta);
    p->beta[0] = log(total / p->cells);
    for (int i = 0; i < 200 && !(slope < 1e-9 * total); i++)
        slope = newton_step(p);
    for (int e = 0; e < p->effects; e++)
        if (fabs(p->beta[e]) > 15)
            return false;
    return slope < 1e-9 * total;
}

/* Up to three rows in a cell, and in some none. */
static void draw_table(poisson *p, uniques_case *c, double *weights, uint64_t *seed)
{
    p->columns = c->columns = 3 + next_below(seed, 2);
    p->cells = 1;
    c->rows = 0;
    for (int column = 0; column < p->columns; column++)
        p->cells *= p->sizes[column] = 2 + (column < 3 && next_below(seed, 2));
    for (int cell = 0; cell < p->cells; cell++) {
        int values[4], rows = next_below(seed, 8) ? 1 + next_below(seed, 3) : 0;
        cell_values(values, p, cell);
        p->counts[cell] = 0;
        for (; rows > 0; rows--, c->rows++) {
            weights[c->rows] = 1 + next_below(seed, 12) / 4.0;
            p->counts[cell] += weights[c->rows];
            memcpy(c->cells[c->rows], values, sizeof values);
        }
    }
}

static int cell_of_row(const poisson *p, const uniques_case *c, int row)
{
    int cell = 0;
    for (int column = 0; column < p->columns; column++)
        cell = cell * p->sizes[column] + c->cells[row][column];
    return cell;
}

static void test_pairs(void **state)
{
    (void)state;
    static poisson p;
    uint64_t seed = 3;
    double weights[CASE_ROWS];
    int compared = 0;
    for (int i = 0; i < 150; i++) {
        uniques_case c;
        double uniques = 0, matches = 0;
        draw_table(&p, &c, weights, &seed);
        make_design(&p);
        if (!fit(&p))
            continue;
        case_open(&c, TACIT_MISSING_VALUE);
        for (int row = 0; row < c.rows; row++)
            if (is_alone(&c, row))
                add_by_terms(&uniques, &matches, mean_of(&p, cell_of_row(&p, &c, row)),
                             weights[row]);
        tacit_loglinear_risk found = modelled(&c, weights, TACIT_LOGLINEAR_PAIRS);
        assert_int_equal(found.cells, p.cells);
        assert_true(found.settled);
        check_near(&found, uniques, matches);
        compared++;
        case_close(&c);
    }
    assert_true(compared > 100);
}

/* ---- edges ---- */

/* Everybody is in the table: sample uniques are population uniques. */
static void test_everybody(void **state)
{
    (void)state;
    for (int model = TACIT_LOGLINEAR_MAIN; model <= TACIT_LOGLINEAR_PAIRS; model++) {
        uniques_case c;
        case_fill(&c, 9, 100, 4, 5);
        case_open(&c, TACIT_MISSING_VALUE);
        tacit_loglinear_risk found = modelled(&c, NULL, (tacit_loglinear)model);
        assert_true(found.uniques > 0);
        assert_true(found.population_uniques == (double)found.uniques);
        assert_true(found.matches == (double)found.uniques);
        case_close(&c);
    }
}

static void test_empty(void **state)
{
    (void)state;
    for (int model = TACIT_LOGLINEAR_MAIN; model <= TACIT_LOGLINEAR_PAIRS; model++) {
        uniques_case c = {.rows = 0, .columns = 2};
        case_open(&c, TACIT_MISSING_VALUE);
        tacit_loglinear_risk found = modelled(&c, NULL, (tacit_loglinear)model);
        assert_true(found.uniques == 0 && found.population_uniques == 0 && found.matches == 0);
        case_close(&c);
    }
}

static void test_refused(void **state)
{
    (void)state;
    uniques_case c;
    tacit_run run;
    tacit_sample sample;
    tacit_risk *risk = NULL;
    tacit_loglinear_risk found = {0};
    tacit_error err = {0};
    tacit_run_init(&run);
    tacit_sample_init(&sample);
    c = (uniques_case){.rows = 200, .columns = 3};
    for (int row = 0; row < c.rows; row++)
        for (int column = 0; column < 3; column++)
            c.cells[row][column] = row;
    case_open(&c, TACIT_MISSING_VALUE); /* 8 000 000 cells */
    assert_int_equal(tacit_risk_new(&risk, c.distinct, &sample, &run, NULL), TACIT_OK);
    assert_int_equal(
        tacit_loglinear_risk_of(&found, risk, c.distinct, TACIT_LOGLINEAR_PAIRS, &run, &err),
        TACIT_INVALID);
    assert_non_null(strstr(err.message, "8e+06 cells"));
    assert_int_equal(
        tacit_loglinear_risk_of(&found, risk, c.distinct, TACIT_LOGLINEAR_MAIN, &run, NULL),
        TACIT_OK);
    tacit_risk_free(risk);
    case_close(&c);
    case_open(&c, TACIT_MISSING_ANY);
    assert_int_equal(tacit_risk_new(&risk, c.distinct, &sample, &run, NULL), TACIT_OK);
    assert_int_equal(
        tacit_loglinear_risk_of(&found, risk, c.distinct, TACIT_LOGLINEAR_MAIN, &run, NULL),
        TACIT_INVALID);
    tacit_risk_free(risk);
    case_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_main_effects), cmocka_unit_test(test_saturated),
        cmocka_unit_test(test_pairs),        cmocka_unit_test(test_everybody),
        cmocka_unit_test(test_empty),        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
