/*
 * test_transport_random.c - what goes along the edges is possible, and as much as possible: by
 * the theorem of the smallest cut, tried over all sets of givers.
 */
#include "records.h"

#include "random_cases.h"
#include "records/previous/transport.h"

enum { INSTANCES = 20000, SIDE = 7 };

typedef struct instance {
    uint32_t givers, takers;
    int64_t starts[SIDE + 1];
    uint32_t edges[SIDE * SIDE];
    uint32_t supply[SIDE], demand[SIDE];
    tacit__transport problem;
} instance;

static void make(instance *x, uint64_t seed)
{
    uint64_t random = seed;
    *x = (instance){.givers = next_number(&random, SIDE + 1),
                    .takers = next_number(&random, SIDE + 1)};
    uint32_t dense = 1 + next_number(&random, 4), most = 1 + next_number(&random, 5);
    for (uint32_t g = 0; g < x->givers; g++) {
        x->supply[g] = next_number(&random, most + 1);
        x->starts[g + 1] = x->starts[g];
        for (uint32_t t = 0; t < x->takers; t++)
            if (next_number(&random, 5) < dense)
                x->edges[x->starts[g + 1]++] = t;
    }
    for (uint32_t t = 0; t < x->takers; t++)
        x->demand[t] = next_number(&random, most + 1);
    x->problem =
        (tacit__transport){x->givers, x->takers, x->starts, x->edges, x->supply, x->demand};
}

/* Whatever is not given is less than what those who could take it lack. */
static int64_t smallest_cut(const instance *x)
{
    int64_t least = INT64_MAX;
    for (uint32_t set = 0; set < 1u << x->givers; set++) {
        int64_t cut = 0;
        uint32_t reached = 0;
        for (uint32_t g = 0; g < x->givers; g++) {
            if (!(set >> g & 1))
                cut += x->supply[g];
            for (int64_t e = x->starts[g]; (set >> g & 1) && e < x->starts[g + 1]; e++)
                reached |= 1u << x->edges[e];
        }
        for (uint32_t t = 0; t < x->takers; t++)
            cut += reached >> t & 1 ? x->demand[t] : 0;
        least = cut < least ? cut : least;
    }
    return least;
}

static void test_largest(void **state)
{
    static instance x;
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(INSTANCES); ++*seed) {
        uint32_t flow[SIDE * SIDE], taken[SIDE] = {0};
        int64_t sent = 0;
        tacit_error err = {0};
        make(&x, *seed);
        assert_int_equal(tacit__transport_solve(flow, &x.problem, NULL, &err), TACIT_OK);
        for (uint32_t g = 0; g < x.givers; g++) {
            uint32_t given = 0;
            for (int64_t e = x.starts[g]; e < x.starts[g + 1]; e++) {
                given += flow[e];
                taken[x.edges[e]] += flow[e];
            }
            assert_true(given <= x.supply[g]);
            sent += given;
        }
        for (uint32_t t = 0; t < x.takers; t++)
            assert_true(taken[t] <= x.demand[t]);
        assert_int_equal(sent, smallest_cut(&x));
    }
    *seed = 0;
}

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total;
    ++*(int *)payload;
    return false;
}

/* Thousands of givers want one taker: a single search, which can be stopped. */
static void test_stopped(void **state)
{
    enum { GIVERS = 5000 };
    static int64_t starts[GIVERS + 1];
    static uint32_t edges[GIVERS], supply[GIVERS], flow[GIVERS];
    const uint32_t demand[] = {1};
    const tacit__transport problem = {GIVERS, 1, starts, edges, supply, demand};
    int asked = 0;
    tacit_run run;
    tacit_error err = {0};
    (void)state;
    tacit_run_init(&run);
    for (int g = 0; g < GIVERS; g++) {
        supply[g] = 1;
        starts[g + 1] = g + 1;
    }
    assert_int_equal(tacit__transport_solve(flow, &problem, &run, &err), TACIT_OK);
    run.progress = stop;
    run.payload = &asked;
    assert_int_equal(tacit__transport_solve(flow, &problem, &run, &err), TACIT_CANCELLED);
    assert_int_equal(asked, 1);
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_largest, &seed),
                                       cmocka_unit_test(test_stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
