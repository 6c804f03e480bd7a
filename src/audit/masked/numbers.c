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

#include "audit/judge/judge.h"
#include "audit/masked/masked.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

__extension__ typedef __int128 wide;

enum { WIDE_DIGITS = 28 };

static const double ARITHMETIC = 1e-12; /* of an amount, which was reckoned in doubles */
static const double DOUBLES = 1e-15;    /* of numbers whose difference is taken */

/* ---- sums ---- */

/* The most decimals that a number of the column has in either table; false where one is rough. */
static bool common_scale(int *scale, const tacit__masked_hearing *h,
                         const tacit__heard_column *column)
{
    *scale = -TACIT__SCALE_MOST;
    for (int table = 0; table < TACIT__BOTH; table++)
        for (int64_t row = 0; row < h->judge->rows[table]; row++) {
            int own = column->scales[table][row];
            if (own == TACIT__ROUGH)
                return false;
            if (own <= TACIT__SCALE_MOST && own > *scale)
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
        if (!tacit__masked_is_number(column, table, row))
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
    if (!tacit__masked_is_number(column, TACIT__MASKED, row))
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
