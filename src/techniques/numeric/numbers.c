/*
 * numbers.c - how the numbers of a column are spread, and the number of a rank.
 *
 * Mean and deviation take one pass that loses no digits (Welford); quantiles are of type 7 of
 * Hyndman and Fan.
 *
 * The number of a rank is found without sorting. Doubles, seen as bits turned such that they order
 * as numbers do, are counted by their first eleven bits; the rank says which of those it is, and
 * what begins so is counted by the next eleven, until all 64 are known: six passes over the rows,
 * on all cores, whatever the numbers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "techniques/numeric/numeric.h"
#include "techniques/runner/technique.h"

tacit__numeric_spread tacit__spread_of(const tacit__sheet_column *column, int64_t rows)
{
    tacit__numeric_spread s = {0};
    double squares = 0;
    for (int64_t row = 0; row < rows; row++) {
        double number = column->numbers[row], off = number - s.mean;
        if (isnan(number))
            continue;
        s.mean += off / ++s.count;
        squares += off * (number - s.mean);
        s.largest = fabs(number) > s.largest ? fabs(number) : s.largest;
    }
    s.deviation = squares > 0 ? sqrt(squares / (s.count - 1)) : 0;
    return s;
}

void tacit__sort_numbers(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, tacit__by_double);
}

double tacit__quantile(const double *sorted, size_t count, double share)
{
    double at = share * (double)(count - 1), down = floor(at);
    size_t i = (size_t)down;
    return i + 1 < count ? sorted[i] + (at - down) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

/* ---- ranks ---- */

enum { DIGIT_BITS = 11, BUCKETS = 1 << DIGIT_BITS };

static double number_of(uint64_t key)
{
    uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

typedef struct ranking {
    const double *numbers;
    uint64_t known;  /* the key's first bits, in their place */
    int shift;       /* of the digit that is looked for; what is above it is known */
    int width;       /* of that digit */
    int64_t *counts; /* BUCKETS for each worker */
} ranking;

static tacit_status count_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                  int worker, tacit_error *err)
{
    const ranking *r = context;
    int64_t *counts = r->counts + (size_t)worker * BUCKETS;
    int above = r->shift + r->width;
    (void)stretch, (void)err;
    for (int64_t row = from; row < to; row++) {
        if (isnan(r->numbers[row]))
            continue;
        uint64_t key = tacit__rank_of_number(r->numbers[row]);
        if (above == 64 || (key ^ r->known) >> above == 0)
            counts[key >> r->shift & (BUCKETS - 1)]++;
    }
    return TACIT_OK;
}

/* The digit in which a rank lies, which becomes the rank within it. */
static uint64_t digit_of(const ranking *r, int workers, int64_t *rank)
{
    for (uint64_t digit = 0;; digit++) {
        int64_t count = 0;
        for (int w = 0; w < workers; w++)
            count += r->counts[(size_t)w * BUCKETS + digit];
        if (*rank < count || digit == BUCKETS - 1)
            return digit;
        *rank -= count;
    }
}

int64_t tacit__rank_count(const tacit__sheet *sheet, const double *numbers)
{
    int64_t count = 0;
    for (int64_t row = 0; row < sheet->rows; row++)
        count += isnan(numbers[row]) ? 0 : 1;
    return count;
}

tacit_status tacit__rank_find(double *out, const tacit__sheet *sheet, const double *numbers,
                              int64_t rank, tacit_error *err)
{
    int workers = tacit__threads(sheet->run);
    size_t room = (size_t)workers * BUCKETS;
    ranking r = {.numbers = numbers, .shift = 64};
    r.counts = tacit__alloc_array(room, sizeof *r.counts);
    tacit_status status = r.counts ? TACIT_OK : tacit__nomem(err);
    while (status == TACIT_OK && r.shift > 0) {
        r.width = r.shift < DIGIT_BITS ? r.shift : DIGIT_BITS;
        r.shift -= r.width;
        memset(r.counts, 0, room * sizeof *r.counts);
        status = tacit__stretches(sheet, "ranking", count_stretch, &r, err);
        if (status == TACIT_OK)
            r.known |= digit_of(&r, workers, &rank) << r.shift;
    }
    tacit__free(r.counts);
    if (status == TACIT_OK)
        *out = number_of(r.known);
    return status;
}

int tacit__compare_texts(tacit_strview a, tacit_strview b)
{
    int order = memcmp(a.bytes, b.bytes, a.len < b.len ? a.len : b.len);
    return order ? order : (a.len > b.len) - (a.len < b.len);
}
