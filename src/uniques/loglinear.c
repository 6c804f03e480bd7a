/*
 * loglinear.c - how many sample uniques are unique in the population, by a log-linear model.
 *
 * C. Skinner and N. Shlomo, Assessing identification risk in survey microdata using log-linear
 * models, Journal of the American Statistical Association 103, 2008; sdcMicro's modRisk. The people
 * F_k of a combination k are taken as Poisson with mean lambda_k, where log lambda_k is a sum of
 * effects: of the single values, or of all pairs of values. The effects are fitted to the people
 * that the sample's rows stand for, which with weights is the pseudo maximum likelihood of its
 * section 5, and without them maximum likelihood. With f_k rows in the sample, pi_k = f_k / F_k is
 * the share that was drawn, and the people of a combination that has one row are that one and a
 * Poisson number of mean theta_k = lambda_k (1 - pi_k). So over the sample uniques
 *
 *   tau1 = sum P(F_k = 1) = sum exp (-theta_k)
 *   tau2 = sum E (1 / F_k) = sum (1 - exp (-theta_k)) / theta_k
 *
 * are the population uniques among them, and the correct matches if each is matched with one of
 * the people who have its values.
 *
 * The model of single values has a closed form, the product of their shares, and costs a pass over
 * the combinations. The model of pairs is fitted by iterative proportional fitting on the table of
 * all combinations of values, those that nobody has included: eight bytes a cell, of which there
 * are at most TACIT_LOGLINEAR_CELLS, and in each round two passes over the table for each pair of
 * columns. Rounds end where the sums differ from those of the data by no more than a billionth of
 * all people, or where the updates of cells are as many as MOST_UPDATES.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "uniques/uniques.h"

enum { MOST_ROUNDS = 1000 };
static const int64_t MOST_UPDATES = INT64_C(1) << 31;
static const double NEAR_ENOUGH = 1e-9;

/* Two columns of the table, by their places among those that vary, and what their values sum to. */
typedef struct sides {
    int32_t first, second;
    double *sums; /* of the data, a pair of values each */
} sides;

typedef struct loglinear {
    const tacit_distinct *distinct;
    const double *people; /* a combination each */
    double total;
    int32_t columns[TACIT_UNIQUES_COLUMNS]; /* that have two values or more */
    int64_t sizes[TACIT_UNIQUES_COLUMNS];   /* their values, missing among them */
    int64_t strides[TACIT_UNIQUES_COLUMNS]; /* of cells; the last column's is 1 */
    int32_t count;
    int64_t cells;
    double *fitted; /* a cell each */
    sides *pairs;
    int32_t pair_count;
    double *sums;   /* that the pairs' lie in */
    double *margin; /* of one pair, as fitted */
} loglinear;

static int64_t column_values(const tacit_distinct *distinct, int32_t column)
{
    return (int64_t)tacit_table_distinct(distinct->table, distinct->columns[column]) +
           tacit_table_has_missing(distinct->table, distinct->columns[column]);
}

static void add_risk(tacit_loglinear_risk *out, double mean, double people)
{
    double theta = mean * (1 - 1 / people);
    out->uniques++;
    out->population_uniques += exp(-theta);
    out->matches += theta > 0 ? -expm1(-theta) / theta : 1;
}

/* ---- single values ---- */

static void multiply_column(double *means, const loglinear *l, int32_t column, double *sums)
{
    const tacit_distinct *distinct = l->distinct;
    for (uint32_t i = 0; i < distinct->count; i++)
        sums[tacit__distinct_code(distinct, i, column)] += l->people[i];
    for (uint32_t i = 0; i < distinct->count; i++)
        means[i] *= sums[tacit__distinct_code(distinct, i, column)] / l->total;
}

static tacit_status fit_main(double *means, const loglinear *l, tacit_error *err)
{
    for (uint32_t i = 0; i < l->distinct->count; i++)
        means[i] = l->total;
    for (int32_t column = 0; column < l->distinct->column_count; column++) {
        double *sums =
            tacit__alloc_zeroed(tacit__distinct_codes(l->distinct, column), sizeof *sums);
        if (!sums)
            return tacit__nomem(err);
        multiply_column(means, l, column, sums);
        tacit__free(sums);
    }
    return TACIT_OK;
}

/* ---- pairs of values ---- */

/* The columns that vary, and the cells of their table. */
static tacit_status lay_out(loglinear *l, tacit_error *err)
{
    double cells = 1;
    for (int32_t column = 0; column < l->distinct->column_count; column++) {
        int64_t values = column_values(l->distinct, column);
        if (values < 2)
            continue;
        l->columns[l->count] = column;
        l->sizes[l->count++] = values;
        cells *= (double)values;
    }
    if (cells > TACIT_LOGLINEAR_CELLS)
        return tacit__error(err, TACIT_INVALID,
                            "a log-linear model of pairs needs a table of all combinations of "
                            "values: %.4g cells, and %d is the most; look at fewer columns, or at "
                            "main effects only",
                            cells, TACIT_LOGLINEAR_CELLS);
    l->cells = 1;
    for (int32_t i = l->count - 1; i >= 0; i--) {
        l->strides[i] = l->cells;
        l->cells *= l->sizes[i];
    }
    return TACIT_OK;
}

static int64_t place_of(const loglinear *l, uint32_t combination, int32_t i)
{
    return tacit__distinct_code(l->distinct, combination, l->columns[i]);
}

static void list_pairs(loglinear *l)
{
    double *sums = l->sums;
    for (int32_t a = 0; a < l->count; a++)
        for (int32_t b = a + 1; b < l->count; b++) {
            sides *p = &l->pairs[l->pair_count++];
            *p = (sides){a, b, sums};
            for (uint32_t i = 0; i < l->distinct->count; i++)
                p->sums[place_of(l, i, a) * l->sizes[b] + place_of(l, i, b)] += l->people[i];
            sums += l->sizes[a] * l->sizes[b];
        }
}

static tacit_status make_table(loglinear *l, tacit_error *err)
{
    size_t all = 0, largest = 0;
    for (int32_t a = 0; a < l->count; a++)
        for (int32_t b = a + 1; b < l->count; b++) {
            size_t size = (size_t)(l->sizes[a] * l->sizes[b]);
            all += size;
            largest = size > largest ? size : largest;
        }
    l->fitted = tacit__alloc_array((size_t)l->cells, sizeof *l->fitted);
    l->pairs = tacit__alloc_array((size_t)(l->count * (l->count - 1) / 2), sizeof *l->pairs);
    l->sums = tacit__alloc_zeroed(all, sizeof *l->sums);
    l->margin = tacit__alloc_array(largest, sizeof *l->margin);
    if (!l->fitted || !l->pairs || !l->sums || !l->margin)
        return tacit__nomem(err);
    for (int64_t cell = 0; cell < l->cells; cell++)
        l->fitted[cell] = 1;
    list_pairs(l);
    return TACIT_OK;
}

/* A run of cells with the same values of a pair: they are added up, or multiplied by a factor. */
static void take_run(double *cells, int64_t count, double *entry, bool scale)
{
    double sum = 0;
    for (int64_t i = 0; i < count && scale; i++)
        cells[i] *= *entry;
    for (int64_t i = 0; i < count && !scale; i++)
        sum += cells[i];
    if (!scale)
        *entry += sum;
}

/* All cells in their order, with the entry of the margin that each belongs to. */
static void walk_pair(loglinear *l, const sides *p, bool scale)
{
    int64_t run = l->strides[p->second], firsts = l->sizes[p->first], seconds = l->sizes[p->second];
    int64_t between = l->strides[p->first] / (run * seconds);
    double *cell = l->fitted, *end = cell + l->cells;
    while (cell < end)
        for (int64_t i = 0; i < firsts; i++)
            for (int64_t block = 0; block < between; block++)
                for (int64_t j = 0; j < seconds; j++, cell += run)
                    take_run(cell, run, &l->margin[i * seconds + j], scale);
}

/* Brings the fitted sums of a pair to those of the data; returns how far off the worst was. */
static double adjust(loglinear *l, const sides *p)
{
    int64_t entries = l->sizes[p->first] * l->sizes[p->second];
    double worst = 0;
    memset(l->margin, 0, (size_t)entries * sizeof *l->margin);
    walk_pair(l, p, false);
    for (int64_t i = 0; i < entries; i++) {
        worst = fmax(worst, fabs(l->margin[i] - p->sums[i]));
        l->margin[i] = l->margin[i] > 0 ? p->sums[i] / l->margin[i] : 0;
    }
    walk_pair(l, p, true);
    return worst;
}

static tacit_status fit_rounds(tacit_loglinear_risk *out, loglinear *l, const tacit_run *run,
                               tacit_error *err)
{
    int64_t most = MOST_UPDATES / (l->cells * l->pair_count);
    most = most > MOST_ROUNDS ? MOST_ROUNDS : most;
    for (out->settled = false; !out->settled && out->rounds < most; out->rounds++) {
        tacit_status status = tacit__progress(run, "model", out->rounds, most, err);
        if (status != TACIT_OK)
            return status;
        out->deviation = 0;
        for (int32_t i = 0; i < l->pair_count; i++)
            out->deviation = fmax(out->deviation, adjust(l, &l->pairs[i]));
        out->settled = out->deviation <= NEAR_ENOUGH * l->total;
    }
    return TACIT_OK;
}

static void read_means(double *means, const loglinear *l)
{
    for (uint32_t i = 0; i < l->distinct->count; i++) {
        int64_t cell = 0;
        for (int32_t j = 0; j < l->count; j++)
            cell += place_of(l, i, j) * l->strides[j];
        means[i] = l->fitted[cell];
    }
}

static tacit_status fit_pairs(double *means, tacit_loglinear_risk *out, loglinear *l,
                              const tacit_run *run, tacit_error *err)
{
    tacit_status status = make_table(l, err);
    if (status == TACIT_OK)
        status = fit_rounds(out, l, run, err);
    if (status == TACIT_OK)
        read_means(means, l);
    out->cells = l->cells;
    tacit__free(l->fitted);
    tacit__free(l->pairs);
    tacit__free(l->sums);
    tacit__free(l->margin);
    return status;
}

tacit_status tacit_loglinear_risk_of(tacit_loglinear_risk *out, const tacit_risk *risk,
                                     const tacit_distinct *distinct, tacit_loglinear model,
                                     const tacit_run *run, tacit_error *err)
{
    loglinear l = {.distinct = distinct, .people = risk->people};
    tacit_loglinear_risk made = {.settled = true};
    if (distinct->missing != TACIT_MISSING_VALUE)
        return tacit__error(err, TACIT_INVALID,
                            "a log-linear model takes missing as a value of its own");
    tacit_status status = model == TACIT_LOGLINEAR_PAIRS ? lay_out(&l, err) : TACIT_OK;
    if (status != TACIT_OK)
        return status;
    for (uint32_t i = 0; i < distinct->count; i++)
        l.total += risk->people[i];
    double *means = tacit__alloc_array(distinct->count, sizeof *means);
    if (!means)
        return tacit__nomem(err);
    status = l.count < 2 ? fit_main(means, &l, err) : fit_pairs(means, &made, &l, run, err);
    for (uint32_t i = 0; status == TACIT_OK && i < distinct->count; i++)
        if (risk->sample[i] == 1)
            add_risk(&made, means[i], risk->people[i]);
    tacit__free(means);
    if (status == TACIT_OK)
        *out = made;
    return status;
}
