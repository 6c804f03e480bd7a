/*
 * test_audit_memory.c - every allocation of the judge failed in turn: each time
 * it says so, gives no verdict and leaks nothing (the sanitizers watch).
 *
 * The allocator of src/base is compiled into this program over functions that
 * fail on demand, so the library's own copy is not linked.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static bool counting;
static int64_t left; /* allocations that still succeed */

static bool refused(void)
{
    return counting && __atomic_fetch_sub(&left, 1, __ATOMIC_RELAXED) <= 0;
}

static void *failing_malloc(size_t size)
{
    return refused() ? NULL : malloc(size);
}

static void *failing_calloc(size_t count, size_t size)
{
    return refused() ? NULL : calloc(count, size);
}

static void *failing_realloc(void *block, size_t size)
{
    return refused() ? NULL : realloc(block, size);
}

static void *failing_aligned_alloc(size_t alignment, size_t size)
{
    return refused() ? NULL : aligned_alloc(alignment, size);
}

#define malloc        failing_malloc
#define calloc        failing_calloc
#define realloc       failing_realloc
#define aligned_alloc failing_aligned_alloc
#include "base/alloc.c"
#undef malloc
#undef calloc
#undef realloc
#undef aligned_alloc

#include "audit_case.h"

static const char ORIGINAL[] = "name,id,p,a,b,note\n"
                               "Anna,u1,1,11,x,\"so \"\"it\"\" is\"\n"
                               "Bert,u2,2,12,x,\"a, b\"\n"
                               "Carl,\"u\"\"3\",3,21,y,c\n"
                               "Dora,u4,4,22,y,\n";
static const char HONEST[] = "id,a,b,note\n"
                             "q1,1*,x,\"so \"\"it\"\" is\"\n"
                             "q2,1*,x,\"a, b\"\n"
                             "q3,*,*,\"c\"\n"
                             "q4,*,*,\"\"\n";
static const char TAMPERED[] = "id,a,b,note\n"
                               "u1,1*,x,\"so \"\"it \"\" is\"\n"
                               "q2,99,x,\"Bert's \"\"note\"\"\"\n"
                               "q3,*,*,\"c\"\n"
                               "q4,2*,y,\"\"\n";

static void judge_starved(const tacit_promise *promise, const char *csv, const uint32_t *order,
                          bool holds)
{
    tacit_table *original = case_table(ORIGINAL), *release = case_table(csv);
    tacit_evidence evidence = {release, original, order, false};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 2;
    int64_t failures = 0;
    for (;; failures++) {
        tacit_verdict *v = NULL;
        tacit_error err = {0};
        left = failures;
        counting = true;
        tacit_status status = tacit_audit_release(&v, promise, &evidence, &run, &err);
        counting = false;
        if (status == TACIT_OK) {
            assert_int_equal(v->holds, holds);
            tacit_verdict_free(v);
            break;
        }
        assert_int_equal(status, TACIT_NOMEM);
        assert_int_equal(err.status, TACIT_NOMEM);
        assert_null(v);
    }
    assert_true(failures > 20);
    tacit_table_free(original);
    tacit_table_free(release);
}

static void test_every_allocation(void **state)
{
    (void)state;
    static const uint32_t order[] = {0, 1, 2, 3};
    audit_case c = {.promise = {.k = 2, .person = "p"}};
    case_attribute(&c, "a", &CASE_MASK);
    case_attribute(&c, "b", &CASE_NONE);
    case_identifier(&c, "name", false);
    case_identifier(&c, "p", false);
    case_identifier(&c, "id", true);
    judge_starved(&c.promise, HONEST, order, true);
    judge_starved(&c.promise, HONEST, NULL, true);
    judge_starved(&c.promise, TAMPERED, order, false);
    judge_starved(&c.promise, TAMPERED, NULL, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
