/*
 * test_ambiguate_strict_memory.c - the stricter reading with every allocation failed in turn,
 * stopped at every point, and the same for any number of threads.
 */
#include "records.h"
#include "starve.h"

#include "ambiguate.h"

/* A table for the way of other methods, and with a limit for the way of boxes. */
typedef struct world {
    fixture f;
    tacit_classes *classes;
    tacit__tableau t;
    tacit_ambiguate how;
    tacit_records_options options;
} world;

static void world_open(world *w, tacit_ambiguate_way way, int32_t most_row)
{
    const int levels[3] = {0};
    tacit_run run = starve_run(1);
    *w = (world){.how = {.way = way, .strict = true, .most_row = most_row}};
    w->options = (tacit_records_options){.k = 2, .ambiguate = &w->how};
    fixture_open(&w->f, "a,b,c\n1,x,1\n1,y,1\n2,x,1\n2,y,2\n1,x,1\n3,x,2\n3,y,1\n");
    fixture_none(&w->f, "a");
    fixture_none(&w->f, "b");
    fixture_none(&w->f, "c");
    assert_int_equal(tacit_classes_new(&w->classes, &w->f.frame, levels, &run, NULL), TACIT_OK);
    assert_int_equal(tacit__tableau_init(&w->t, &w->f.frame, w->classes, &w->options, &run, NULL),
                     TACIT_OK);
}

static void world_close(world *w)
{
    tacit__tableau_clear(&w->t);
    tacit_classes_free(w->classes);
    fixture_close(&w->f);
}

static tacit_status attempt(void *context, tacit_error *err)
{
    world *w = context;
    tacit__blanking plan = {0};
    tacit_run run = starve_run(1);
    tacit_status status =
        tacit__ambiguate_strict(&plan, &w->t, &w->f.frame, &w->options, &run, err);
    tacit__blanking_clear(&plan);
    return status;
}

static const tacit_ambiguate_way WAYS[] = {TACIT_AMBIGUATE_COVER, TACIT_AMBIGUATE_EXACT};

static void test_starved(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) /* optimal, without limits, has tests of its own */
        for (int32_t most_row = way == 0 ? 0 : 2; most_row <= 2; most_row += 2) {
            world w;
            world_open(&w, WAYS[way], most_row);
            /* local, optimal and a search for integers do without some of it */
            starving.lenient = most_row == 0 || way == 1;
            starve_way_of(attempt, &w, STARVE_ONCE);
            starve_way_of(attempt, &w, STARVE_FOR_GOOD);
            starving.lenient = false;
            world_close(&w);
        }
}

static bool stop_after(const char *phase, int64_t done, int64_t total, void *payload)
{
    int64_t *left = payload;
    (void)phase, (void)done, (void)total;
    return (*left)-- > 0;
}

/* Rows that are released the same as each, counted row against row. */
static void check_same(const tacit__tableau *t, const tacit__blanking *plan)
{
    naive_rows n;
    naive_start(&n, t, plan);
    for (int i = 0; i < n.count; i++) {
        int64_t same = 0;
        for (int j = 0; j < n.count; j++)
            same += n.mask[i] == n.mask[j] &&
                    !(tacit__tableau_differ(t, n.class_of[i], n.class_of[j]) & ~n.mask[i]);
        assert_true(same >= t->k);
    }
}

static void test_stopped(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++)
        for (int32_t most_row = 0; most_row <= 2; most_row += 2) {
            world w;
            bool done = false;
            world_open(&w, WAYS[way], most_row);
            for (int64_t after = 0; !done && after < 1000; after++) {
                tacit__blanking plan = {0};
                tacit_run run = starve_run(1);
                int64_t left = after;
                run.progress = stop_after;
                run.payload = &left;
                tacit_status status =
                    tacit__ambiguate_strict(&plan, &w.t, &w.f.frame, &w.options, &run, NULL);
                assert_true(status == TACIT_OK || status == TACIT_CANCELLED);
                if (status == TACIT_OK)
                    check_same(&w.t, &plan);
                done = status == TACIT_OK && !plan.stopped;
                tacit__blanking_clear(&plan);
            }
            assert_true(done);
            world_close(&w);
        }
}

static void test_threads(void **state)
{
    (void)state;
    for (int32_t most_row = 0; most_row <= 2; most_row += 2) {
        world w;
        tacit__blanking plans[2] = {0};
        world_open(&w, TACIT_AMBIGUATE_COVER, most_row);
        for (int i = 0; i < 2; i++) {
            tacit_run run = starve_run(1 + 3 * i);
            assert_int_equal(
                tacit__ambiguate_strict(&plans[i], &w.t, &w.f.frame, &w.options, &run, NULL),
                TACIT_OK);
        }
        assert_int_equal(plans[0].count, plans[1].count);
        for (int64_t b = 0; b < plans[0].count; b++) {
            assert_int_equal(plans[0].blanks[b].class_index, plans[1].blanks[b].class_index);
            assert_int_equal(plans[0].blanks[b].mask, plans[1].blanks[b].mask);
            assert_int_equal(plans[0].blanks[b].rows, plans[1].blanks[b].rows);
        }
        tacit__blanking_clear(&plans[0]);
        tacit__blanking_clear(&plans[1]);
        world_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starved),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
