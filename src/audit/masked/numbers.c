/*
 * numbers.c - claims about numbers, one column at a time: sums, and how far each is from
 * what it was or from a range.
 *
 * Sums are exact: numbers become whole ones in units of the column's last decimal, below 10^28, of
 * which 2^32 fit into 128 bits. What is not below that, or has too many digits to be kept exactly,
 * cannot be checked.
 *
 * Cost: a pass over the rows; 32 bytes a group for sums.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/masked/masked.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

static inline bool is_number(const tacit__heard_column *column, int table, int64_t row)
{
    return column->scales[table][row] <= TACIT__ROUGH;
}

/* Claims that means and covariances of columns are kept.
 *
 * Group by group, both tables' numbers are taken as distances from the original's mean, which
 * loses few digits, and added up for each pair of columns over the rows in which both have one.
 * Differences are measured in the original's standard deviations; of a column that is constant in
 * the original only rounding errors may be left.
 *
 * Cost: rows times pairs of columns; four doubles a pair, and one a number of both tables, which
 * are put into the order of groups so that each is read in one go. */

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
            numbers[i] = is_number(m->columns[i], table, row)
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

__extension__ typedef __int128 wide;

enum { WIDE_DIGITS = 28 };

/* ---- sums ---- */

/* The most decimals that a number of the column has in either table; false where one is rough. */
static bool common_scale(int *scale, const tacit__masked_hearing *h,
                         const tacit__heard_column *column)
{
    *scale = -TACIT__SCALE_MAX;
    for (int table = 0; table < TACIT__BOTH; table++)
        for (int64_t row = 0; row < h->judge->rows[table]; row++) {
            int own = column->scales[table][row];
            if (own == TACIT__ROUGH)
                return false;
            if (own <= TACIT__SCALE_MAX && own > *scale)
                *scale = own;
        }
    return true;
}

static wide ten_to(int power)
{
    wide value = 1;
    for (; power > 0; power--)
        value *= 10;
    return value;
}

/* A number in units of 10^-scale; false where it is too large. */
static bool scaled(wide *out, const wide powers[WIDE_DIGITS + 1], int64_t digits, int further)
{
    *out = 0;
    if (digits == 0)
        return true;
    if (further > WIDE_DIGITS || (wide)llabs(digits) >= powers[WIDE_DIGITS - further])
        return false;
    *out = digits * powers[further];
    return true;
}

/* Adds up a table's numbers, group by group. */
static bool add_up(wide *sums, const tacit__masked_hearing *h, const tacit__heard_column *column,
                   const tacit__within *within, int table, int scale)
{
    wide powers[WIDE_DIGITS + 1], number;
    for (int i = 0; i <= WIDE_DIGITS; i++)
        powers[i] = ten_to(i);
    for (int64_t row = 0; row < h->judge->rows[table]; row++) {
        if (!is_number(column, table, row))
            continue;
        if (!scaled(&number, powers, column->digits[table][row],
                    scale - column->scales[table][row]))
            return false;
        sums[tacit__within_of(within, table, row)] += number;
    }
    return true;
}

static double unscaled(wide number, int scale)
{
    return scale < 0 ? (double)number * tacit__masked_power(-scale)
                     : (double)number / tacit__masked_power(scale);
}

static void measure_sums(const tacit__masked_hearing *h, const tacit__heard_column *column,
                         const wide *before, const wide *after, int64_t count, int scale)
{
    wide largest = 0;
    for (int64_t i = 0; i < count; i++) {
        wide difference = after[i] > before[i] ? after[i] - before[i] : before[i] - after[i];
        largest = difference > largest ? difference : largest;
    }
    double measured = unscaled(largest, scale);
    tacit__measured(h, column, measured, -1, measured > h->kept->amount * (1 + ARITHMETIC));
}

static tacit_status hear_sum_of(const tacit__masked_hearing *h, const tacit__heard_column *column,
                                const tacit__within *within, tacit_error *err)
{
    int scale;
    if (!common_scale(&scale, h, column)) {
        tacit__unchecked(h, column, "a number has too many digits for an exact sum");
        return TACIT_OK;
    }
    wide *sums = tacit__alloc_zeroed((size_t)within->count, TACIT__BOTH * sizeof *sums);
    if (!sums)
        return tacit__nomem(err);
    wide *after = sums + within->count;
    if (add_up(sums, h, column, within, TACIT__ORIGINAL, scale) &&
        add_up(after, h, column, within, TACIT__MASKED, scale))
        measure_sums(h, column, sums, after, within->count, scale);
    else
        tacit__unchecked(h, column, "numbers are too far apart for an exact sum");
    tacit__free(sums);
    return TACIT_OK;
}

tacit_status tacit__hear_sum(const tacit__masked_hearing *hearing, tacit_error *err)
{
    tacit__within within;
    tacit_status status = tacit__within_init(&within, hearing, err);
    for (size_t i = hearing->within_count; status == TACIT_OK && i < hearing->count; i++)
        status = hear_sum_of(hearing, hearing->columns[i], &within, err);
    tacit__within_clear(&within);
    return status;
}

/* ---- cell by cell ---- */

/* How far a cell is from what is claimed of it, and whether that is too far; false where nothing
 * is claimed of it. */
typedef bool (*distance_fn)(double *distance, bool *broken, const tacit__masked_hearing *h,
                            const tacit__heard_column *column, int64_t row);

/* Of the rows that a worker has seen. */
typedef struct furthest {
    double distance; /* NAN: none */
    tacit__judge_tally broken;
} furthest;

typedef struct cell_by_cell {
    const tacit__masked_hearing *hearing;
    const tacit__heard_column *column;
    distance_fn distance;
    furthest *found; /* a worker each */
} cell_by_cell;

static bool distance_moved(double *distance, bool *broken, const tacit__masked_hearing *h,
                           const tacit__heard_column *column, int64_t row)
{
    int64_t origin = tacit__masked_origin(h->judge, row);
    if (origin < 0)
        return false;
    int8_t before = column->scales[TACIT__ORIGINAL][origin];
    int8_t after = column->scales[TACIT__MASKED][row];
    if (before <= TACIT__ROUGH && after <= TACIT__ROUGH) {
        double old = tacit__masked_number(column, TACIT__ORIGINAL, origin);
        double now = tacit__masked_number(column, TACIT__MASKED, row);
        *distance = fabs(now - old);
        *broken =
            *distance > h->kept->amount * (1 + ARITHMETIC) + DOUBLES * (fabs(old) + fabs(now));
        return true;
    }
    bool same = before == after &&
                column->digits[TACIT__ORIGINAL][origin] == column->digits[TACIT__MASKED][row];
    *distance = same ? 0 : INFINITY;
    *broken = !same;
    return true;
}

static bool distance_outside(double *distance, bool *broken, const tacit__masked_hearing *h,
                             const tacit__heard_column *column, int64_t row)
{
    if (!is_number(column, TACIT__MASKED, row))
        return false;
    double number = tacit__masked_number(column, TACIT__MASKED, row);
    *distance = fmax(0, fmax(h->kept->low - number, number - h->kept->high));
    *broken = *distance > DOUBLES * fabs(number);
    return true;
}

static tacit_status look_at_block(void *context, int64_t block, int worker, tacit_error *err)
{
    const cell_by_cell *c = context;
    furthest *found = &c->found[worker];
    int64_t end = tacit__block_end(block, c->hearing->judge->rows[TACIT__MASKED]);
    (void)err;
    for (int64_t row = block * TACIT__BLOCK; row < end; row++) {
        double distance;
        bool broken;
        if (!c->distance(&distance, &broken, c->hearing, c->column, row))
            continue;
        found->distance = fmax(found->distance, distance);
        if (broken)
            tacit__tally_add(&found->broken, row);
    }
    return TACIT_OK;
}

/* A tally's first row and the largest distance do not depend on who has seen them. */
static furthest merge(const furthest *found, int workers)
{
    furthest all = {.distance = NAN};
    for (int i = 0; i < workers; i++) {
        const tacit__judge_tally *broken = &found[i].broken;
        all.distance = fmax(all.distance, found[i].distance);
        if (broken->count && (!all.broken.count || broken->first < all.broken.first))
            all.broken.first = broken->first;
        all.broken.count += broken->count;
    }
    return all;
}

static tacit_status hear_cells(const tacit__masked_hearing *h, const tacit__heard_column *column,
                               distance_fn distance, tacit_error *err)
{
    int workers = tacit__threads(h->judge->run);
    cell_by_cell c = {h, column, distance, tacit__alloc_zeroed((size_t)workers, sizeof(furthest))};
    if (!c.found)
        return tacit__nomem(err);
    for (int i = 0; i < workers; i++)
        c.found[i].distance = NAN;
    tacit_status status =
        tacit__parallel(h->judge->run, "judging", tacit__blocks(h->judge->rows[TACIT__MASKED]),
                        look_at_block, &c, err);
    furthest all = merge(c.found, workers);
    if (status == TACIT_OK && !isnan(all.distance))
        tacit__measured(h, column, all.distance, all.broken.count ? all.broken.first : -1,
                        all.broken.count > 0);
    tacit__free(c.found);
    return status;
}

tacit_status tacit__hear_near(const tacit__masked_hearing *hearing, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = hearing->within_count; status == TACIT_OK && i < hearing->count; i++)
        status = hear_cells(hearing, hearing->columns[i], distance_moved, err);
    return status;
}

tacit_status tacit__hear_range(const tacit__masked_hearing *hearing, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = hearing->within_count; status == TACIT_OK && i < hearing->count; i++)
        status = hear_cells(hearing, hearing->columns[i], distance_outside, err);
    return status;
}
