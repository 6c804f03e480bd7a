/*
 * estimates.c - what a survey is published for: estimates of the population by its sampling
 * weights, from the data and from the release.
 *
 * A row stands for w people. Of a numeric attribute the total is the sum of w x and the mean that
 * over the sum of w, over the rows that are numbers; of any attribute the frequency of a category
 * is the share of the weight of all rows that is in it. Each is computed from both tables and
 * compared: totals and means relative to what they were, frequencies in points of share. A value
 * that is released as no number is missing from the total, as a recipient has to leave it out.
 *
 * Every row has its weight here, whether released with it or not; the measures of information,
 * ranks and distances count records, which is what they are about.
 *
 * Cost: a pass over the rows of both tables for each attribute, 8 bytes for each of its categories.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "loss/loss.h"

/* Weight by category, and of numbers. */
typedef struct weighed {
    double *amounts;
    double population, numbers, total;
} weighed;

static void weigh(weighed *w, const tacit__loss_frame *frame, const tacit__loss_column *column,
                  int which)
{
    const tacit__loss_side *side = &column->sides[which];
    for (int64_t row = 0; row < frame->rows[which]; row++) {
        double weight = frame->c->stands_for[which][row];
        w->population += weight;
        w->amounts[tacit__loss_category(side, row)] += weight;
        if (!column->out->numeric || isnan(tacit__loss_number(side, row)))
            continue;
        w->numbers += weight;
        w->total += weight * tacit__loss_number(side, row);
    }
}

/* Relative to what it was; from 0 there is no such change, unless there is none at all. */
static double relative(double before, double after)
{
    if (fabs(before) > 0)
        return (after - before) / fabs(before);
    return fabs(after) > 0 ? NAN : 0;
}

static void compare_numbers(tacit_loss_estimate *out, const weighed *sides)
{
    out->total_before = sides[0].total;
    out->total_after = sides[1].total;
    out->mean_before = sides[0].numbers > 0 ? sides[0].total / sides[0].numbers : NAN;
    out->mean_after = sides[1].numbers > 0 ? sides[1].total / sides[1].numbers : NAN;
    out->total_change = relative(out->total_before, out->total_after);
    out->mean_change = relative(out->mean_before, out->mean_after);
}

static void compare_frequencies(tacit_loss_estimate *out, const weighed *sides, uint32_t categories)
{
    double sum = 0;
    if (!(sides[0].population > 0 && sides[1].population > 0))
        return;
    out->frequency_change = 0;
    for (uint32_t i = 0; i < categories; i++) {
        double apart = fabs(sides[0].amounts[i] / sides[0].population -
                            sides[1].amounts[i] / sides[1].population);
        out->frequency_change = fmax(out->frequency_change, apart);
        sum += apart / 2;
    }
    out->variation = fmin(sum, 1);
}

tacit_status tacit__loss_estimate(tacit__loss_frame *frame, int32_t index, tacit_error *err)
{
    const tacit__loss_column *column = &frame->columns[index];
    weighed sides[2] = {{0}};
    tacit_status status = TACIT_OK;
    column->out->estimate = (tacit_loss_estimate){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (!frame->out->weighted || !tacit__loss_readable(column))
        return TACIT_OK;
    for (int which = 0; which < 2 && status == TACIT_OK; which++) {
        sides[which].amounts = tacit__alloc_zeroed(column->categories, sizeof(double));
        status = sides[which].amounts ? TACIT_OK : tacit__nomem(err);
    }
    if (status == TACIT_OK) {
        for (int which = 0; which < 2; which++)
            weigh(&sides[which], frame, column, which);
        if (column->out->numeric)
            compare_numbers(&column->out->estimate, sides);
        compare_frequencies(&column->out->estimate, sides, column->categories);
    }
    tacit__free(sides[0].amounts);
    tacit__free(sides[1].amounts);
    return status;
}

/* People that the rows of a table stand for. */
static tacit_status add_estimates(double *people, const double *weights, int64_t rows,
                                  const char *table, tacit_error *err)
{
    *people = 0;
    for (int64_t row = 0; row < rows; row++) {
        if (!isfinite(weights[row]) || weights[row] < 0)
            return tacit__error(err, TACIT_INVALID, "row %lld of the %s has no proper weight",
                                (long long)row + 1, table);
        *people += weights[row];
    }
    return isfinite(*people)
               ? TACIT_OK
               : tacit__error(err, TACIT_INVALID,
                              "the weights of the %s are too large to be added up", table);
}

tacit_status tacit__loss_population(tacit__loss_frame *frame, tacit_error *err)
{
    const tacit_loss_case *c = frame->c;
    tacit_loss *out = frame->out;
    if (!c->stands_for[0] && !c->stands_for[1])
        return TACIT_OK;
    if (!c->stands_for[0] || !c->stands_for[1])
        return tacit__error(err, TACIT_INVALID,
                            "estimates are compared, so both tables need weights, or none");
    tacit_status status =
        add_estimates(&out->population_before, c->stands_for[0], frame->rows[0], "original", err);
    if (status == TACIT_OK)
        status =
            add_estimates(&out->population_after, c->stands_for[1], frame->rows[1], "release", err);
    out->weighted = status == TACIT_OK;
    return status;
}

void tacit__loss_estimates_sum_up(tacit_loss *loss)
{
    double means = 0, totals = 0, count = 0;
    for (int32_t i = 0; i < loss->attribute_count; i++) {
        const tacit_loss_estimate *e = &loss->attributes[i].estimate;
        if (!isnan(e->mean_change) && !isnan(e->total_change)) {
            means += fabs(e->mean_change);
            totals += fabs(e->total_change);
            count++;
        }
        if (e->frequency_change > loss->frequency_change || isnan(loss->frequency_change))
            loss->frequency_change = e->frequency_change;
    }
    if (count > 0) {
        loss->weighted_mean_change = means / count;
        loss->weighted_total_change = totals / count;
    }
}
