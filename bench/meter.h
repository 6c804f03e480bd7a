/*
 * meter.h - what benches that measure themselves have in common.
 */
#ifndef TACIT_BENCH_METER_H
#define TACIT_BENCH_METER_H

#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

static inline double meter_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The most memory that the process has had. */
static inline double meter_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* Numbers by chance, the same each time. */
static inline uint32_t meter_draw(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

#endif
