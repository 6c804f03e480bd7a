/*
 * risk.c - the risk of records that are a sample of a population, and its weights.
 *
 * f rows of the sample match a record, and an estimated F people of the
 * population: those whom the rows stand for. Its individual risk is the mean of
 * 1 / F given f, where F - f is negative binomial with p = f / F (Benedetti and
 * Franconi, 1998; Capobianchi, Polettini and Lucarelli, 2001):
 *
 *   r_1 = p / q log (1 / p),   r_f = p / q (1 / (f - 1) - r_(f-1)),   q = 1 - p
 *
 * The recursion loses no digits while p is below 1/2; otherwise, and for large f,
 * r_f = p / f (1 + q 1/(f+1) + q^2 1 2/((f+1)(f+2)) + ...), which converges fast.
 * The usual approximation is p / (f - q) from three rows on.
 *
 * Prosecutor, journalist and marketer are those of El Emam, Guide to the
 * de-identification of personal health information, 2013, as ARX computes them.
 *
 * Frequencies: without missing values that match anything, a combination matches itself. Otherwise
 * records are put together column after column (uniques.h); a group with nobody left to tell apart
 * is settled, the others are at the end.
 *
 * Where a column says whose the rows are, a person counts once in a combination (tacit_sample's
 * repeats), so all of this is of people, not rows.
 *
 * A column of weights has numbers above 0, each distinct value of which is read once: digits with a
 * point, a sign and an exponent, whatever the locale.
 */
#include "uniques/uniques.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/parallel.h"

/* The first row that has a code. */
static int64_t first_row(const tacit_table *table, int32_t column, uint32_t code)
{
    tacit_codes_view codes = tacit_table_codes(table, column);
    int64_t row = 0;
    while (tacit_codes_at(codes, row) != code)
        row++;
    return row;
}

static tacit_status read_numbers(double *numbers, const tacit_table *table, int32_t column,
                                 tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    for (uint32_t code = 0; code <= distinct; code++) {
        bool missing = code == distinct;
        if (missing && !tacit_table_has_missing(table, column))
            break;
        numbers[code] = missing ? NAN : tacit__decimal_read(tacit_table_value(table, column, code));
        if (!(numbers[code] > 0))
            return tacit__error_at(err, TACIT_PARSE, tacit_table_file(table),
                                   tacit_table_line(table, first_row(table, column, code)),
                                   column + 1, "a weight must be a number above 0");
    }
    return TACIT_OK;
}

tacit_status tacit_weights_new(double **out, const tacit_table *table, int32_t column,
                               tacit_error *err)
{
    assert(tacit_table_is_coded(table, column));
    int64_t rows = tacit_table_rows(table);
    tacit_codes_view codes = tacit_table_codes(table, column);
    double *weights = tacit__alloc_array((size_t)rows, sizeof *weights);
    double *numbers =
        tacit__alloc_array((size_t)tacit_table_distinct(table, column) + 1, sizeof *numbers);
    tacit_status status = TACIT_OK;
    if (!weights || !numbers)
        status = tacit__nomem(err);
    else
        status = read_numbers(numbers, table, column, err);
    for (int64_t row = 0; status == TACIT_OK && row < rows; row++)
        weights[row] = numbers[tacit_codes_at(codes, row)];
    if (status == TACIT_OK)
        *out = weights;
    else
        tacit__free(weights);
    tacit__free(numbers);
    return status;
}

void tacit_weights_free(double *weights)
{
    tacit__free(weights);
}

/* Where the groups' frequencies go. */
typedef struct settling {
    int64_t *rows;
    double *people;
    double *behind; /* an item each: people behind it */
    bool last;      /* no further column */
} settling;

static bool settle(void *context, const tacit__uniques_part *part, const uint32_t *members)
{
    settling *s = context;
    double people = 0;
    if (part->size > 1 && !s->last)
        return true;
    for (uint32_t i = 0; i < part->size; i++)
        people += s->behind[members[i]];
    for (uint32_t i = 0; i < part->own; i++) {
        s->rows[members[i]] = part->weight;
        s->people[members[i]] = people;
    }
    return false;
}

static tacit_status refine_all(settling *s, const tacit__ground *ground, tacit__refiner *refiner,
                               const tacit_run *run, tacit_error *err)
{
    tacit__uniques_parts from, to = {0};
    tacit_status status = tacit__parts_init(&from, ground, err);
    if (status != TACIT_OK)
        return status;
    for (int column = 0; status == TACIT_OK && column < ground->columns; column++) {
        s->last = column + 1 == ground->columns;
        status = tacit__progress(run, "frequencies", column, ground->columns, err);
        if (status == TACIT_OK)
            status = tacit__parts_refine(&to, &from, column, refiner, err);
        tacit__uniques_parts kept = from;
        from = to;
        to = kept;
    }
    tacit__parts_clear(&from);
    tacit__parts_clear(&to);
    return status;
}

/* Where missing matches anything. */
static tacit_status match_wild(settling *s, const tacit_distinct *distinct, const tacit_run *run,
                               tacit_error *err)
{
    tacit__ground ground;
    tacit__refiner refiner = {0};
    tacit_status status = tacit__ground_init(&ground, distinct, 0, run, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__refiner_init(&refiner, &ground, settle, s, err);
    if (status == TACIT_OK) {
        status = refine_all(s, &ground, &refiner, run, err);
        tacit__refiner_clear(&refiner);
    }
    tacit__ground_clear(&ground);
    return status;
}

static bool counts(const tacit_sample *sample, uint32_t row)
{
    return !sample->repeats || !sample->repeats[row];
}

/* The rows of each combination that count. */
static void count_own(tacit_risk *risk, const tacit_distinct *distinct, const tacit_sample *sample)
{
    for (uint32_t i = 0; i < distinct->count; i++) {
        risk->own[i] = 0;
        for (uint32_t j = distinct->starts[i]; j < distinct->starts[i + 1]; j++)
            risk->own[i] += counts(sample, distinct->order[j]);
        risk->rows += risk->own[i];
    }
}

/* A row stands for the people that weights says, or for 1 / fraction. */
static tacit_status count_frequencies(tacit_risk *risk, const tacit_distinct *distinct,
                                      const tacit_sample *sample, const tacit_run *run,
                                      tacit_error *err)
{
    double *behind = tacit__alloc_zeroed(distinct->count, sizeof *behind);
    if (!behind)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < distinct->count; i++) {
        risk->sample[i] = risk->own[i];
        for (uint32_t j = distinct->starts[i]; sample->weights && j < distinct->starts[i + 1]; j++)
            if (counts(sample, distinct->order[j]))
                behind[i] += sample->weights[distinct->order[j]];
        if (!sample->weights)
            behind[i] = (double)risk->own[i] / sample->fraction;
        risk->people[i] = behind[i];
    }
    tacit_status status = TACIT_OK;
    if (distinct->missing == TACIT_MISSING_ANY)
        status =
            match_wild(&(settling){.rows = risk->sample, .people = risk->people, .behind = behind},
                       distinct, run, err);
    tacit__free(behind);
    return status;
}

enum { MANY = 50 };

void tacit_sample_init(tacit_sample *sample)
{
    *sample = (tacit_sample){.fraction = 1, .threshold = 0.2};
}

void tacit_risk_free(tacit_risk *risk)
{
    if (!risk)
        return;
    tacit__free(risk->own);
    tacit__free(risk->sample);
    tacit__free(risk->people);
    tacit__free(risk->individual);
    tacit__free(risk);
}

static double risk_by_series(double f, double p)
{
    double term = 1, sum = 1;
    for (double i = 1; term > 1e-18; i++) {
        term *= i * (1 - p) / (f + i);
        sum += term;
    }
    return p / f * sum;
}

static double risk_by_recursion(double f, double p)
{
    double odds = p / (1 - p), risk = -odds * log(p);
    for (double i = 2; i <= f; i++)
        risk = odds * (1 / (i - 1) - risk);
    return risk;
}

/* Of a record that f rows and `people` people match. */
static double individual_risk(double f, double people, bool exact)
{
    double p = f / people;
    if (p >= 1)
        return 1 / f;
    if (f > 2 && !exact)
        return p / (f - (1 - p));
    return p > 0.5 || f > MANY ? risk_by_series(f, p) : risk_by_recursion(f, p);
}

static void add_individual(tacit_risk *risk, const tacit_distinct *distinct, bool exact)
{
    for (uint32_t i = 0; i < distinct->count; i++) {
        double rows = (double)risk->own[i];
        risk->individual[i] = individual_risk((double)risk->sample[i], risk->people[i], exact);
        risk->expected += rows * risk->individual[i];
        risk->highest = fmax(risk->highest, risk->individual[i]);
        risk->alone += risk->sample[i] == 1 ? 1 : 0;
        risk->pairs += risk->sample[i] == 2 ? (int64_t)rows : 0;
    }
}

/* A record that `matching` match is found with a chance of 1 in so many. */
static void add_record(tacit_attacker *attacker, double rows, double matching, double threshold)
{
    attacker->records_at_risk += 1 / matching > threshold ? rows : 0;
    attacker->highest = fmax(attacker->highest, 1 / matching);
    attacker->success += rows / matching;
}

static void add_attackers(tacit_risk *risk, const tacit_distinct *distinct, double threshold)
{
    double people = 0, rows = (double)risk->rows;
    for (uint32_t i = 0; i < distinct->count; i++) {
        double size = (double)risk->own[i];
        add_record(&risk->prosecutor, size, (double)risk->sample[i], threshold);
        add_record(&risk->journalist, size, risk->people[i], threshold);
        people += risk->people[i];
    }
    if (risk->rows == 0)
        return;
    risk->prosecutor.records_at_risk /= rows;
    risk->prosecutor.success /= rows;
    risk->journalist.records_at_risk /= rows;
    risk->marketer = risk->journalist.success / rows;
    risk->journalist.success = fmax(risk->marketer, (double)risk->classes / people);
}

/* Where everybody is in the sample nothing has to be estimated. */
static void take_sample(tacit_risk *risk, double alone)
{
    risk->pitman = risk->zayatz = risk->snb = risk->dankar = alone;
    risk->skinner = 1;
}

static tacit_status sort_sizes(tacit__class_sizes *sizes, const tacit_risk *risk, tacit_error *err)
{
    uint32_t *own = tacit__alloc_array((size_t)risk->count, sizeof *own);
    if (!own)
        return tacit__nomem(err);
    for (int64_t i = 0; i < risk->count; i++)
        own[i] = (uint32_t)risk->own[i];
    tacit_status status = tacit__class_sizes_init(sizes, own, risk->count, err);
    tacit__free(own);
    return status;
}

static tacit_status estimate_uniques(tacit_risk *risk, tacit_error *err)
{
    tacit__class_sizes sizes = {0};
    tacit_status status = sort_sizes(&sizes, risk, err);
    if (status == TACIT_OK && sizes.alone > 0 && risk->population <= sizes.rows) {
        take_sample(risk, sizes.alone);
    } else if (status == TACIT_OK && sizes.alone > 0) {
        double fraction = sizes.rows / risk->population;
        risk->pitman = tacit__pitman(&sizes, risk->population);
        risk->zayatz = tacit__zayatz(&sizes, risk->population);
        risk->snb = tacit__snb(&sizes, risk->population);
        risk->skinner =
            fraction * sizes.alone / (fraction * sizes.alone + 2 * (1 - fraction) * sizes.pairs);
        risk->dankar_model = tacit__dankar(tacit__few_sampled(&sizes, risk->population),
                                           risk->pitman, risk->zayatz, risk->snb);
        risk->dankar = risk->dankar_model == TACIT_UNIQUENESS_PITMAN ? risk->pitman
                       : risk->dankar_model == TACIT_UNIQUENESS_SNB  ? risk->snb
                                                                     : risk->zayatz;
    }
    tacit__class_sizes_clear(&sizes);
    return status;
}

static tacit_status check_sample(const tacit_sample *sample, const tacit_distinct *distinct,
                                 tacit_error *err)
{
    if (sample->repeats && distinct->missing == TACIT_MISSING_ANY)
        return tacit__error(err, TACIT_INVALID,
                            "people cannot be counted where a missing value matches every value: "
                            "who matches whom then differs from row to row");
    if (!sample->weights && !(sample->fraction > 0 && sample->fraction <= 1))
        return tacit__error(err, TACIT_INVALID,
                            "a sampling fraction of %g; it must be above 0 and at most 1",
                            sample->fraction);
    for (uint32_t row = 0; sample->weights && row < distinct->rows; row++)
        if (!(sample->weights[row] > 0) || !isfinite(sample->weights[row]))
            return tacit__error(err, TACIT_INVALID, "the weight of row %lld is not above 0",
                                (long long)row + 1);
    return TACIT_OK;
}

/* Frequencies, and the size of the population. People are at least the rows that
 * are there: weights below 1 cannot make more. */
static tacit_status fill(tacit_risk *risk, const tacit_distinct *distinct,
                         const tacit_sample *sample, const tacit_run *run, tacit_error *err)
{
    count_own(risk, distinct, sample);
    tacit_status status = count_frequencies(risk, distinct, sample, run, err);
    if (status != TACIT_OK)
        return status;
    for (uint32_t i = 0; i < distinct->count; i++)
        risk->people[i] = fmax(risk->people[i], (double)risk->sample[i]);
    risk->population = (double)risk->rows / sample->fraction;
    if (sample->weights) {
        risk->population = 0;
        for (uint32_t row = 0; row < distinct->rows; row++)
            risk->population += counts(sample, row) ? sample->weights[row] : 0;
    }
    risk->population = fmax(risk->population, (double)risk->rows);
    add_individual(risk, distinct, sample->exact);
    add_attackers(risk, distinct, sample->threshold);
    return estimate_uniques(risk, err);
}

tacit_status tacit_risk_new(tacit_risk **out, const tacit_distinct *distinct,
                            const tacit_sample *sample, const tacit_run *run, tacit_error *err)
{
    tacit_status status = check_sample(sample, distinct, err);
    if (status != TACIT_OK)
        return status;
    size_t count = distinct->count;
    tacit_risk *risk = tacit__alloc_zeroed(1, sizeof *risk);
    if (risk) {
        *risk = (tacit_risk){.classes = (int64_t)count, .count = (int64_t)count};
        risk->own = tacit__alloc_array(count, sizeof *risk->own);
        risk->sample = tacit__alloc_array(count, sizeof *risk->sample);
        risk->people = tacit__alloc_array(count, sizeof *risk->people);
        risk->individual = tacit__alloc_array(count, sizeof *risk->individual);
    }
    if (!risk || !risk->own || !risk->sample || !risk->people || !risk->individual)
        status = tacit__nomem(err);
    else
        status = fill(risk, distinct, sample, run, err);
    if (status == TACIT_OK)
        *out = risk;
    else
        tacit_risk_free(risk);
    return status;
}
