/*
 * moments.c - claims that means and covariances of columns are kept.
 *
 * Group by group, both tables' numbers are taken as distances from the original's mean, which loses
 * few digits, and added up for each pair of columns over the rows in which both have one.
 * Differences are measured in the original's standard deviations; of a column that is constant in
 * the original only rounding errors may be left.
 *
 * Cost: rows times pairs of columns; four doubles a pair, and one a number of both tables, which
 * are put into the order of groups so that each is read in one go.
 */
#include <math.h>

#include "audit/judge/judge.h"
#include "audit/masked/masked.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

static const double ARITHMETIC = 1e-9; /* of standard deviations */
static const double DOUBLES = 1e-15;   /* of the numbers themselves */

/* Sums over the rows in which both columns of a pair have a number. */
typedef struct pair_sums {
    double count, first, second, product;
} pair_sums;

typedef struct moments {
    const tacit__masked_hearing *hearing;
    const tacit__heard_column *const *columns;
    size_t count;
    tacit__within within;
    int64_t *starts[TACIT__BOTH]; /* of each group in the numbers, and one more */
    double *numbers[TACIT__BOTH]; /* row by row in the order of groups; NAN: none */
    pair_sums *sums[TACIT__BOTH]; /* pair (i, j), j <= i, at i (i + 1) / 2 + j */
    double *pivots;               /* a column each */
    double *sizes;                /* a column each: the largest number */
    double *row;                  /* a column each: a row's numbers less the pivots */
    double *worst;                /* a column each: the largest difference yet; NAN: none */
} moments;

static size_t pair_at(size_t i, size_t j)
{
    return i * (i + 1) / 2 + j;
}

/* ---- numbers by groups ---- */

/* Puts each row of a table behind those of its group that came before. */
static void fill_numbers(moments *m, int table)
{
    for (int64_t row = 0; row < m->hearing->judge->rows[table]; row++) {
        int64_t at = m->starts[table][tacit__within_of(&m->within, table, row)]++;
        double *numbers = m->numbers[table] + (size_t)at * m->count;
        for (size_t i = 0; i < m->count; i++)
            numbers[i] = tacit__masked_is_number(m->columns[i], table, row)
                             ? tacit__masked_number(m->columns[i], table, row)
                             : NAN;
    }
}

static tacit_status order_numbers(moments *m, int table, tacit_error *err)
{
    const tacit__within *within = &m->within;
    int64_t *starts = tacit__alloc_array((size_t)within->count + 1, sizeof *starts);
    m->starts[table] = starts;
    m->numbers[table] = tacit__alloc_array((size_t)m->hearing->judge->rows[table],
                                           m->count * sizeof *m->numbers[table]);
    if (!starts || !m->numbers[table])
        return tacit__nomem(err);
    starts[0] = 0;
    for (int64_t i = 0; i < within->count; i++)
        starts[i + 1] = starts[i] + within->sizes[table][i];
    fill_numbers(m, table);
    for (int64_t i = within->count; i > 0; i--) /* each has moved on to the next */
        starts[i] = starts[i - 1];
    starts[0] = 0;
    return TACIT_OK;
}

/* ---- sums of a group ---- */

/* A column's mean in a group of the original: that of distances from its first number, so that it
 * is that number where all are the same. 0 where there is none. */
static double mean_of(const moments *m, size_t column, int64_t group)
{
    const double *numbers = m->numbers[TACIT__ORIGINAL] + column;
    double first = NAN, sum = 0, count = 0;
    for (int64_t i = m->starts[TACIT__ORIGINAL][group]; i < m->starts[TACIT__ORIGINAL][group + 1];
         i++) {
        double number = numbers[(size_t)i * m->count];
        if (isnan(number))
            continue;
        first = isnan(first) ? number : first;
        sum += number - first;
        count++;
    }
    return count > 0 ? first + sum / count : 0;
}

static void take_row(moments *m, const double *numbers)
{
    for (size_t i = 0; i < m->count; i++) {
        m->row[i] = numbers[i] - m->pivots[i];
        m->sizes[i] = fmax(m->sizes[i], fabs(numbers[i]));
    }
}

static void add_row(moments *m, int table)
{
    for (size_t i = 0; i < m->count; i++)
        for (size_t j = 0; j <= i; j++) {
            if (isnan(m->row[i]) || isnan(m->row[j]))
                continue;
            pair_sums *sums = &m->sums[table][pair_at(i, j)];
            sums->count++;
            sums->first += m->row[i];
            sums->second += m->row[j];
            sums->product += m->row[i] * m->row[j];
        }
}

static void add_group(moments *m, int64_t group)
{
    size_t pairs = pair_at(m->count, 0);
    for (size_t i = 0; i < m->count; i++) {
        m->pivots[i] = mean_of(m, i, group);
        m->sizes[i] = 0;
    }
    for (int table = 0; table < TACIT__BOTH; table++) {
        for (size_t i = 0; i < pairs; i++)
            m->sums[table][i] = (pair_sums){0};
        for (int64_t i = m->starts[table][group]; i < m->starts[table][group + 1]; i++) {
            take_row(m, m->numbers[table] + (size_t)i * m->count);
            add_row(m, table);
        }
    }
}

/* ---- differences ---- */

static double covariance(const pair_sums *sums)
{
    return sums->product / sums->count - sums->first / sums->count * (sums->second / sums->count);
}

/* A difference in units of what it may be measured by; what is left by arithmetic is none where
 * there is no such unit. */
static double in_units(double difference, double unit, double left)
{
    double beyond = fabs(difference) - left;
    if (beyond <= 0)
        return 0;
    return unit > 0 ? beyond / unit : INFINITY;
}

static void note(moments *m, size_t i, double measured)
{
    m->worst[i] = fmax(m->worst[i], measured);
}

static void compare_pair(moments *m, size_t i, size_t j)
{
    const pair_sums *before = &m->sums[TACIT__ORIGINAL][pair_at(i, j)];
    const pair_sums *after = &m->sums[TACIT__MASKED][pair_at(i, j)];
    if (before->count == 0 && after->count == 0)
        return;
    if (before->count == 0 || after->count == 0) {
        note(m, i, INFINITY);
        note(m, j, INFINITY);
        return;
    }
    double first = sqrt(fmax(0, covariance(&m->sums[TACIT__ORIGINAL][pair_at(i, i)])));
    double second = sqrt(fmax(0, covariance(&m->sums[TACIT__ORIGINAL][pair_at(j, j)])));
    if (i == j)
        note(m, i,
             in_units(after->first / after->count - before->first / before->count, first,
                      DOUBLES * m->sizes[i]));
    double left = DOUBLES * (m->sizes[i] * second + m->sizes[j] * first) +
                  DOUBLES * DOUBLES * m->sizes[i] * m->sizes[j];
    double measured = in_units(covariance(after) - covariance(before), first * second, left);
    note(m, i, measured);
    note(m, j, measured);
}

static void compare_groups(moments *m)
{
    for (int64_t group = 0; group < m->within.count; group++) {
        add_group(m, group);
        for (size_t i = 0; i < m->count; i++)
            for (size_t j = 0; j <= i; j++)
                compare_pair(m, i, j);
    }
}

/* ---- the claim ---- */

static tacit_status moments_init(moments *m, const tacit__masked_hearing *h, tacit_error *err)
{
    *m = (moments){
        .hearing = h, .columns = h->columns + h->within_count, .count = h->count - h->within_count};
    size_t pairs = pair_at(m->count, 0);
    tacit_status status = tacit__within_init(&m->within, h, err);
    for (int table = 0; status == TACIT_OK && table < TACIT__BOTH; table++) {
        m->sums[table] = tacit__alloc_array(pairs, sizeof *m->sums[table]);
        status = m->sums[table] ? order_numbers(m, table, err) : tacit__nomem(err);
    }
    if (status != TACIT_OK)
        return status;
    m->pivots = tacit__alloc_array(m->count, sizeof *m->pivots);
    m->sizes = tacit__alloc_array(m->count, sizeof *m->sizes);
    m->row = tacit__alloc_array(m->count, sizeof *m->row);
    m->worst = tacit__alloc_array(m->count, sizeof *m->worst);
    if (!m->pivots || !m->sizes || !m->row || !m->worst)
        return tacit__nomem(err);
    for (size_t i = 0; i < m->count; i++)
        m->worst[i] = NAN;
    return TACIT_OK;
}

static void moments_clear(moments *m)
{
    tacit__within_clear(&m->within);
    for (int table = 0; table < TACIT__BOTH; table++) {
        tacit__free(m->starts[table]);
        tacit__free(m->numbers[table]);
        tacit__free(m->sums[table]);
    }
    tacit__free(m->pivots);
    tacit__free(m->sizes);
    tacit__free(m->row);
    tacit__free(m->worst);
}

tacit_status tacit__hear_moments(const tacit__masked_hearing *hearing, tacit_error *err)
{
    moments m;
    tacit_status status = moments_init(&m, hearing, err);
    if (status == TACIT_OK) {
        compare_groups(&m);
        for (size_t i = 0; i < m.count; i++)
            if (!isnan(m.worst[i]))
                tacit__measured(hearing, m.columns[i], m.worst[i], -1,
                                m.worst[i] > hearing->kept->amount + ARITHMETIC);
    }
    moments_clear(&m);
    return status;
}
