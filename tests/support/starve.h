/*
 * starve.h - every allocation failed in turn.
 *
 * The tests of a room are linked so that the calls of malloc and its relatives
 * in them and in the library arrive in starve.c (ld --wrap; see
 * tests/CMakeLists.txt). An attempt is
 * repeated with allocation 0, 1, 2, ... refused until it needs none of those
 * that are refused; each failed attempt must say that memory ran out and leave
 * no block behind. Allocations inside shared libraries (YAML, JSON) are not
 * reached.
 */
#ifndef TACIT_TESTS_STARVE_H
#define TACIT_TESTS_STARVE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/base.h>

typedef enum starve_way {
    STARVE_ONCE,    /* one allocation fails, those after it succeed */
    STARVE_FOR_GOOD /* all that follow fail too */
} starve_way;

struct starving {
    atomic_bool on, refused;
    atomic_llong left; /* allocations until one is refused */
    atomic_llong live; /* blocks that are not freed */
    starve_way way;
    atomic_bool shrinking; /* one that was refused would have made a block smaller */
    bool lenient;          /* an attempt may do without what it was refused, and succeed */
};

extern struct starving starving; /* of starve.c */

/* Something to be done under hunger. It frees what it made, and checks that
 * where it failed the outputs are as they were. */
typedef tacit_status (*starve_attempt)(void *context, tacit_error *err);

/* Points where an output was before; nothing may be written over it. */
static char starve_untouched __attribute__((unused));
#define STARVE_UNTOUCHED ((void *)&starve_untouched)

static inline tacit_status starve_try(starve_attempt attempt, void *context, starve_way way,
                                      long long allocation)
{
    tacit_error err = {0};
    long long before = starving.live;
    starving.way = way;
    starving.left = allocation;
    starving.refused = starving.shrinking = false;
    starving.on = true;
    tacit_status status = attempt(context, &err);
    starving.on = false;
    if (starving.live != before)
        fail_msg("allocation %lld refused: %lld blocks are left", allocation,
                 (long long)starving.live - before);
    if (status != TACIT_OK) {
        if (status != TACIT_NOMEM)
            fail_msg("allocation %lld refused: status %d, %s", allocation, status, err.message);
        assert_int_equal(err.status, TACIT_NOMEM);
        assert_string_equal(err.message, "out of memory");
    }
    return status;
}

/* Refuses in one way; returns how many allocations the attempt needs. */
static inline long long starve_way_of(starve_attempt attempt, void *context, starve_way way)
{
    for (long long allocation = 0;; allocation++) {
        tacit_status status = starve_try(attempt, context, way, allocation);
        if (status != TACIT_OK && !starving.refused)
            fail_msg("failed though nothing was refused");
        if (status == TACIT_OK && starving.refused && !starving.lenient)
            fail_msg("allocation %lld was refused and nobody minded", allocation);
        if (status == TACIT_OK && !starving.refused)
            return allocation;
    }
}

/* In both ways. An attempt needs the same each time. */
static inline long long starve(starve_attempt attempt, void *context)
{
    long long needed = starve_way_of(attempt, context, STARVE_ONCE);
    assert_int_equal(starve_way_of(attempt, context, STARVE_FOR_GOOD), needed);
    assert_true(needed > 0);
    return needed;
}

/* As starve(), of an attempt that allocates often: at most about so many allocations are refused in
 * either way, evenly spread and others in each. It may do without making a block smaller. Returns
 * how many it needs. */
static inline long long starve_some(starve_attempt attempt, void *context, uint64_t tries)
{
    assert_int_equal(starve_try(attempt, context, STARVE_ONCE, LLONG_MAX), TACIT_OK);
    long long needed = LLONG_MAX - starving.left, step = needed / (long long)tries + 1;
    for (int way = STARVE_ONCE; way <= STARVE_FOR_GOOD; way++)
        for (long long at = way * step / 2; at < needed; at += step)
            if (starve_try(attempt, context, (starve_way)way, at) == TACIT_OK && starving.refused &&
                !starving.shrinking)
                fail_msg("allocation %lld was refused and nobody minded", at);
    return needed;
}

/* A run of so many threads. */
static inline tacit_run starve_run(int threads)
{
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    return run;
}

#endif
