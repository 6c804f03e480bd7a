/*
 * microaggregate.c - MDAV by a tree against MDAV by scans, on the same random points, and the
 * improved groups: seconds of the processor, the ratio, and the sums of squares.
 *
 *     bench_microaggregate [POINTS [COLUMNS [K]]]
 *
 * 100 000 points of 4 columns and k = 5 where nothing is said. The scans are run in full.
 */
#include <stdio.h>
#include <time.h>

#include "../tests/support/plain_mdav.h"
#include "meter.h"

static double *normal_points(uint32_t count, uint32_t width)
{
    uint32_t state = 2463534242u;
    double *at = malloc((size_t)count * width * sizeof *at);
    for (size_t i = 0; at && i < (size_t)count * width; i++) {
        double sum = 0;
        for (int j = 0; j < 12; j++)
            sum += meter_draw(&state) / 4294967296.0;
        at[i] = sum - 6;
    }
    return at;
}

static void tell(const char *name, double seconds, const tacit__points *points,
                 const uint32_t *group, uint32_t groups)
{
    double squares = plain_squares(points, group, groups);
    printf("%-10s %9.3f s  %7u groups  SSE %.6f\n", name, seconds, groups, squares);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    uint32_t count = argc > 1 ? (uint32_t)atol(argv[1]) : 100000;
    uint32_t width = argc > 2 ? (uint32_t)atol(argv[2]) : 4;
    uint32_t k = argc > 3 ? (uint32_t)atol(argv[3]) : 5, groups = 0, plain_groups = 0;
    tacit__points points = {normal_points(count, width), count, width};
    uint32_t *group = malloc(count * sizeof *group), *plain = malloc(count * sizeof *plain);
    tacit_run run;
    tacit_error err = {0};
    tacit__random random;
    if (count < k || k < 2 || width < 1 || !points.at || !group || !plain)
        return 2;
    tacit_run_init(&run);
    tacit__random_init(&random, &run, "bnch", 0);
    printf("%u points of %u columns, k = %u\n", count, width, k);
    double start = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (tacit__micro_mdav(group, &groups, &points, k, &run, &err) != TACIT_OK)
        return 1;
    double tree = meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    tell("tree", tree, &points, group, groups);
    start = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
    plain_mdav_run(plain, &plain_groups, &points, k);
    double scans = meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    tell("scans", scans, &points, plain, plain_groups);
    printf("the same groups: %s; %.1f times as fast\n",
           memcmp(group, plain, count * sizeof *group) == 0 ? "yes" : "no", scans / tree);
    start = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (tacit__micro_improve(group, &groups, &points, k, &random, &run, &err) != TACIT_OK)
        return 1;
    tell("improved", meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - start, &points, group, groups);
    free((double *)points.at);
    free(group);
    free(plain);
    return 0;
}
