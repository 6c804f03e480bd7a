/*
 * test_optimal_memory.c - every allocation of the exact search failed in turn, from a
 * layout that leaves it all to do. Those inside CLP are not reached.
 */
#include "cells.h"

#include <math.h>

#include "records/optimal/optimal.h"
#include "starve.h"

/* The search as it is called: what it was given is there afterwards, and can be freed. */
static tacit_status search(void *context, tacit_error *err)
{
    tacit__local *local = context;
    tacit__local_found found = {.bound = -INFINITY};
    uint8_t top[TACIT_MAX_ATTRIBUTES];
    tacit_status status = TACIT_OK;
    for (int32_t a = 0; a < local->attributes; a++)
        top[a] = (uint8_t)local->height[a];
    status = tacit__layout_open(&found.layout, top, local->attributes, err);
    for (uint32_t c = 0; status == TACIT_OK && c < tacit_classes_count(local->classes); c++)
        status = tacit__layout_add(&found.layout, (tacit__share){c, local->people[c]}, err);
    if (status == TACIT_OK)
        status = tacit__optimal_search(&found, local, false, err);
    if (status == TACIT_OK)
        assert_true(found.bound >=
                    tacit__layout_cost(&found.layout, local, 0, found.layout.boxes) - 1e-9);
    tacit__layout_clear(&found.layout);
    return status;
}

static void starve_search(const fixture *f, int64_t k)
{
    tacit_run run;
    tacit__local local;
    const tacit_records_options options = {.k = k};
    tacit_run_init(&run);
    run.threads = 1;
    assert_int_equal(tacit__local_init(&local, &f->frame, &options, &run, NULL), TACIT_OK);
    starve(search, &local);
    tacit__local_clear(&local);
}

#ifndef __SANITIZE_ADDRESS__ /* where it takes a minute */
/* Rows that are nearly all different: pairs of them are kept together or apart. */
static void test_pairs(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "a,b\n3,3\n2,1\n2,3\n1,3\n3,0\n2,0\n2,0\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    starve_search(&f, 3);
    fixture_close(&f);
}
#endif

/* Classes of several rows: clusters are used at most or at least so often. */
static void test_classes(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "a,b\n1,0\n1,1\n1,1\n1,1\n1,0\n1,0\n0,0\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    starve_search(&f, 3);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(test_pairs),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
