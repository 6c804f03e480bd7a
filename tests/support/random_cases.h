/*
 * random_cases.h - tests over many random cases, which say at which one they
 * failed. The state of such a test is the seed of the case in hand; include this
 * behind cmocka.h.
 */
#ifndef TACIT_TESTS_SUPPORT_RANDOM_CASES_H
#define TACIT_TESTS_SUPPORT_RANDOM_CASES_H

#include <stdint.h>
#include <stdlib.h>

/* Sanitizers look for other mistakes than the ordinary run, take several times as long,
 * and find them in fewer cases. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1, ONE_CASE_OF = 4 };
#else
enum { SANITIZED = 0, ONE_CASE_OF = 1 };
#endif

/* TACIT_LONG in the environment makes a hundred times as many, or as many times as it says. */
static inline uint64_t many_cases(uint64_t cases)
{
    const char *times = getenv("TACIT_LONG");
    if (!times)
        return (cases + ONE_CASE_OF - 1) / ONE_CASE_OF;
    return (strtoull(times, NULL, 10) > 1 ? strtoull(times, NULL, 10) : 100) * cases;
}

/* Says which case it was that failed; a test that ends sets its seed to 0. */
static inline int name_case(void **state)
{
    const uint64_t *seed = *state;
    if (*seed)
        print_error("case %llu\n", (unsigned long long)*seed);
    return 0;
}

#define random_test(function, seed) \
    cmocka_unit_test_prestate_setup_teardown(function, NULL, name_case, seed)

#endif
