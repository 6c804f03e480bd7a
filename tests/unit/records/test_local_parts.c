/*
 * test_local_parts.c - the parts of local that its releases do not show: windows hold
 * every box once, and members find the cheapest box that there is among all of them.
 */
#include "figures.h"

#include <math.h>

#include "random_cases.h"
#include "records/local/improve.h"

enum { CASES = 60, MAX_ROWS = 60 };

typedef struct world {
    fixture f;
    tacit_run run;
    tacit_records_options options;
    tacit__local local;
} world;

static void open_world(world *w, uint64_t seed)
{
    static const tacit_metric METRICS[] = {TACIT_METRIC_PREC, TACIT_METRIC_GRANULARITY,
                                           TACIT_METRIC_ENTROPY};
    char text[2048] = "a,b,c\n";
    uint64_t random = seed;
    for (uint32_t rows = 8 + next_number(&random, MAX_ROWS - 8); rows > 0; rows--)
        sprintf(text + strlen(text), "%02u,%c,%u\n", next_number(&random, 40),
                'v' + (char)next_number(&random, 5), next_number(&random, 3));
    fixture_open(&w->f, text);
    fixture_mask(&w->f, "a");
    fixture_file(&w->f, "b", "v;low;all\nw;low;all\nx;high;all\ny;high;all\nz;high;all\n");
    fixture_none(&w->f, "c");
    tacit_run_init(&w->run);
    w->run.threads = 1;
    w->options = (tacit_records_options){.k = 2 + next_number(&random, 3),
                                         .metric = METRICS[next_number(&random, 3)]};
    assert_int_equal(tacit__local_init(&w->local, &w->f.frame, &w->options, &w->run, NULL),
                     TACIT_OK);
}

static void close_world(world *w)
{
    tacit__local_clear(&w->local);
    fixture_close(&w->f);
}

/* Windows one behind the other, kept as they are, are the boxes again. */
static void check_windows(const world *w, const tacit__local_layout *layout, uint64_t seed)
{
    tacit__windows windows = {0};
    tacit__local_layout kept = {0};
    bool *seen = calloc((size_t)layout->boxes, sizeof *seen);
    double cost = 0;
    assert_int_equal(tacit__windows_init(&windows, &w->local, layout, seed, NULL), TACIT_OK);
    assert_int_equal(windows.starts[0], 0);
    assert_int_equal(windows.starts[windows.count], layout->boxes);
    for (int64_t i = 0; i < windows.count; i++) {
        assert_true(windows.starts[i] < windows.starts[i + 1]);
        assert_int_equal(tacit__windows_keep(&kept, &windows, i, NULL), TACIT_OK);
        cost += tacit__windows_cost(&windows, i);
    }
    assert_int_equal(kept.boxes, layout->boxes);
    for (int64_t b = 0; b < layout->boxes; b++) {
        int64_t box = windows.boxes[b];
        assert_false(seen[box]);
        seen[box] = true;
        assert_int_equal(kept.starts[b + 1] - kept.starts[b],
                         layout->starts[box + 1] - layout->starts[box]);
        assert_memory_equal(kept.levels + 3 * b, layout->levels + 3 * box, 3);
    }
    assert_float_equal(cost, tacit__layout_cost(layout, &w->local, 0, layout->boxes), 1e-9);
    tacit__windows_clear(&windows);
    tacit__layout_clear(&kept);
    free(seen);
}

static void test_windows(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(CASES); ++*seed) {
        world w;
        tacit__local_layout layout = {0};
        open_world(&w, *seed);
        assert_int_equal(tacit__local_split(&layout, &w.local, NULL), TACIT_OK);
        for (uint64_t round = 0; round < 12; round++)
            check_windows(&w, &layout, round);
        tacit__layout_clear(&layout);
        close_world(&w);
    }
    *seed = 0;
}

/* What the box of these levels around a class costs; INFINITY with fewer than k people. */
static double cost_of_box(const tacit__local *local, uint32_t class_index, const uint8_t *levels)
{
    int64_t people = 0;
    for (uint32_t other = 0; other < (uint32_t)local->classes->groups.count; other++) {
        bool inside = true;
        for (int32_t a = 0; a < local->attributes; a++)
            inside &= tacit__local_number(local, other, a, levels[a]) ==
                      tacit__local_number(local, class_index, a, levels[a]);
        people += inside ? local->people[other] : 0;
    }
    return people < local->k ? INFINITY : tacit__local_cost(local, class_index, levels);
}

static double cheapest_box(const tacit__local *local, uint32_t class_index)
{
    double best = INFINITY;
    uint8_t levels[3];
    for (levels[0] = 0; levels[0] <= local->height[0]; levels[0]++)
        for (levels[1] = 0; levels[1] <= local->height[1]; levels[1]++)
            for (levels[2] = 0; levels[2] <= local->height[2]; levels[2]++)
                best = fmin(best, cost_of_box(local, class_index, levels));
    return best;
}

/* All classes in one group. */
static void gather(tacit__local_group *group, const tacit__local *local)
{
    assert_int_equal(tacit__group_init(group, local, NULL), TACIT_OK);
    for (uint32_t c = 0; c < (uint32_t)local->classes->groups.count; c++)
        assert_int_equal(tacit__group_add(group, (tacit__share){c, local->people[c]}, NULL),
                         TACIT_OK);
    assert_int_equal(tacit__group_close(group, NULL), TACIT_OK);
}

/* There is a box that k people or more would come to, and the hardest is served first. */
static void check_choices(tacit__offers *offers)
{
    bool any = false;
    for (int64_t i = 0; i < offers->order_count; i++) {
        int64_t people = 0, said = tacit__offers_choose(offers, i);
        for (int64_t m = 0; m < offers->chosen_count; m++)
            people += offers->left[offers->chosen[m]];
        assert_int_equal(said, people);
        any |= said >= offers->k;
    }
    assert_true(any);
    tacit__offers_choose_hardest(offers, 0);
    for (int64_t i = 0; i < offers->list_count; i++)
        assert_true(offers->best[offers->list[i]] <= offers->best[offers->chosen[0]]);
}

static void test_offers(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(CASES); ++*seed) {
        world w;
        tacit__local_group group;
        tacit__offers offers = {.limit = INT64_MAX};
        open_world(&w, *seed);
        gather(&group, &w.local);
        const tacit__whose rows = {0};
        assert_int_equal(tacit__offers_start(&offers, &group, &rows, NULL), TACIT_OK);
        assert_int_equal(tacit__offers_list(&offers), group.people);
        assert_int_equal(tacit__offers_find(&offers, NULL), TACIT_OK);
        for (int32_t i = 0; i < group.count; i++) {
            double cheapest = cheapest_box(&w.local, group.members[i].class_index);
            double found = group.base + offers.best[i];
            assert_true(found >= cheapest - 1e-9);
            if (!group.rest) /* otherwise it is in a hurry */
                assert_float_equal(found, cheapest, 1e-9);
        }
        check_choices(&offers);
        tacit__offers_clear(&offers);
        tacit__group_clear(&group);
        close_world(&w);
    }
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {random_test(test_windows, &seed),
                                       random_test(test_offers, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
