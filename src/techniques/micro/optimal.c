/*
 * optimal.c - values on a line in groups of at least k with the least sum of squared
 * distances from the groups' means (Hansen and Mukherjee 2003).
 *
 * In a best partition groups are runs of the sorted values, and of k to 2k - 1 of them, as a longer
 * one could be cut. So it is a shortest path: the best way to the j-th value ends in a run of one
 * of k lengths. The sum of squares of a run is had from that of the run a value shorter, not as a
 * difference of totals, which would lose digits where values are large and close.
 *
 * n log n for sorting, and k n.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "techniques/micro/micro.h"

enum { PROGRESS_EVERY = 1 << 14 }; /* values between two questions whether to go on */

typedef struct ranked {
    double value;
    uint32_t index;
} ranked;

static int by_value(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* The best way to the first `end` values; of equals the one with the shortest last run. */
static void step(double *best, uint32_t *length, const ranked *sorted, uint32_t end, uint32_t k)
{
    double mean = 0, squares = 0;
    best[end] = INFINITY;
    for (uint32_t size = 1; size < 2 * (uint64_t)k && size <= end; size++) {
        double value = sorted[end - size].value, off = value - mean;
        mean += off / size;
        squares += off * (value - mean);
        if (size >= k && best[end - size] + squares < best[end]) {
            best[end] = best[end - size] + squares;
            length[end] = size;
        }
    }
}

static void number_groups(uint32_t *group, uint32_t *groups, const ranked *sorted,
                          const uint32_t *length, uint32_t count)
{
    *groups = 0;
    for (uint32_t end = count; end > 0; end -= length[end], ++*groups)
        for (uint32_t i = 1; i <= length[end]; i++)
            group[sorted[end - i].index] = *groups;
}

tacit_status tacit__micro_optimal(uint32_t *group, uint32_t *groups, const double *values,
                                  uint32_t count, uint32_t k, const tacit_run *run,
                                  tacit_error *err)
{
    ranked *sorted = tacit__alloc_array(count, sizeof *sorted);
    double *best = tacit__alloc_array((size_t)count + 1, sizeof *best);
    uint32_t *length = tacit__alloc_array((size_t)count + 1, sizeof *length);
    tacit_status status = sorted && best && length ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        for (uint32_t i = 0; i < count; i++)
            sorted[i] = (ranked){values[i], i};
        qsort(sorted, count, sizeof *sorted, by_value);
        best[0] = 0;
    }
    for (uint32_t end = 1; status == TACIT_OK && end <= count; end++) {
        step(best, length, sorted, end, k);
        if (end % PROGRESS_EVERY == 0)
            status = tacit__progress(run, "gathering groups", end, count, err);
    }
    if (status == TACIT_OK)
        number_groups(group, groups, sorted, length, count);
    tacit__free(sorted);
    tacit__free(best);
    tacit__free(length);
    return status;
}
