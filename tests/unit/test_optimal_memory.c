/*
 * test_optimal_memory.c - every allocation of the exact search failed in turn, from a
 * layout that leaves it all to do. Those inside CLP are not reached.
 */
#include "cells.h"

#include <math.h>

#include "records/optimal.h"
#include "starve.h"

/* The search as it is called: what it was given is there afterwards, and can be freed. */
static tacit_status search(void *context, tacit_error *err)
{
    tacit__local *local = context;
    tacit__found found = {.bound = -INFINITY};
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

/* A cycle of pairs, which fractions like: triples, a list of clusters and branching. */
static void test_branches(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "a,b\n1,1\n1,2\n2,2\n2,3\n3,3\n3,1\n4,4\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    starve_search(&f, 2);
    starve_search(&f, 3);
    fixture_close(&f);
}

/* Classes of several rows, where clusters are branched on. */
static void test_classes(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "a,b\n1,1\n1,1\n1,2\n1,2\n2,2\n2,2\n2,1\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    starve_search(&f, 3);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
