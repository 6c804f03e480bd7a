/*
 * test_ambiguate_method_memory.c - the method ambiguate as a whole, with all that follows a way:
 * every allocation failed in turn, and stopped at every point.
 */
#include "records.h"
#include "starve.h"

#include <tacit/experimental/ambiguate.h>

static const char TABLE[] = "a,b,c,s\n1,1,1,x\n1,1,2,x\n2,2,1,y\n2,2,2,y\n3,3,1,x\n3,1,2,z\n";

/* Two dependencies, each on what the other leads to. */
static const tacit_hidden HIDDEN[] = {{.left = 1, .right = 1}, {.left = 2, .right = 0}};

typedef struct world {
    fixture f;
    tacit_ambiguate how;
    tacit_ambiguity report;
    tacit_records_options options;
} world;

static void world_open(world *w, tacit_ambiguate how)
{
    *w = (world){.how = how};
    fixture_open(&w->f, TABLE);
    fixture_none(&w->f, "a");
    fixture_none(&w->f, "b");
    fixture_none(&w->f, "c");
    w->how.report = &w->report;
    w->options = (tacit_records_options){.k = 2, .ambiguate = &w->how};
}

static tacit_status solve(world *w, const tacit_run *run, tacit_error *err)
{
    tacit_solution *solution = STARVE_UNTOUCHED;
    w->report = (tacit_ambiguity){.cells = -7};
    tacit_status status =
        tacit_method_find("ambiguate")->solve(&solution, &w->f.frame, &w->options, run, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(solution, STARVE_UNTOUCHED);
        assert_int_equal(w->report.cells, -7);
        return status;
    }
    assert_int_equal(solution->search.stopped, w->report.stopped);
    tacit_solution_free(solution);
    return TACIT_OK;
}

static tacit_status attempt(void *context, tacit_error *err)
{
    tacit_run run = starve_run(1);
    return solve(context, &run, err);
}

static const tacit_ambiguate HOWS[] = {
    {.way = TACIT_AMBIGUATE_COVER},
    {.way = TACIT_AMBIGUATE_COVER, .hidden = HIDDEN, .hidden_count = 1, .most_column = 4},
    {.way = TACIT_AMBIGUATE_EXACT, .hidden = HIDDEN, .hidden_count = 2},
    {.way = TACIT_AMBIGUATE_COVER, .as_published = true},
    {.way = TACIT_AMBIGUATE_SHORT, .as_published = true, .hidden = HIDDEN, .hidden_count = 2},
    {.way = TACIT_AMBIGUATE_COVER,
     .as_published = true,
     .redundant = true,
     .hidden = HIDDEN,
     .hidden_count = 1},
    {.way = TACIT_AMBIGUATE_EXACT, .as_published = true, .redundant = true},
};
enum { HOW_COUNT = sizeof HOWS / sizeof HOWS[0] };

static void test_starved(void **state)
{
    (void)state;
    for (int i = 0; i < HOW_COUNT; i++) {
        world w;
        world_open(&w, HOWS[i]);
        starving.lenient = HOWS[i].way == TACIT_AMBIGUATE_EXACT; /* integers do without some */
        starve_way_of(attempt, &w, STARVE_ONCE);
        starve_way_of(attempt, &w, STARVE_FOR_GOOD);
        starving.lenient = false;
        fixture_close(&w.f);
    }
}

/* Says stop after so many questions, and remembers what was being done then. */
typedef struct stopper {
    int64_t left;
    const char *phase; /* NULL: it has not said so */
} stopper;

static bool stop_after(const char *phase, int64_t done, int64_t total, void *payload)
{
    stopper *s = payload;
    (void)done, (void)total;
    if (s->left-- > 0)
        return true;
    s->phase = s->phase ? s->phase : phase;
    return false;
}

/* What is done with blanks that were found already. */
static bool follows(const char *phase)
{
    static const char *const PHASES[] = {"agreement", "blanks to fill", "hiding a dependency"};
    for (int i = 0; i < 3; i++)
        if (phase && strcmp(phase, PHASES[i]) == 0)
            return true;
    return false;
}

/* Before there are blanks a stop leaves nothing; afterwards what there is comes out, with all
 * that was asked for. (Redundant blanks are asked for: a stop before they are there leaves
 * nothing.) */
static void test_stopped(void **state)
{
    (void)state;
    for (int i = 0; i < HOW_COUNT; i++) {
        int64_t stopped = 0, after = 0;
        bool done = false;
        world w;
        world_open(&w, HOWS[i]);
        for (; after < 5000 && !done; after++) {
            stopper s = {.left = after};
            tacit_run run = starve_run(1);
            tacit_error err = {0};
            run.progress = stop_after;
            run.payload = &s;
            tacit_status status = solve(&w, &run, &err);
            assert_true(status == TACIT_OK || status == TACIT_CANCELLED);
            if (follows(s.phase))
                assert_int_equal(status, TACIT_OK);
            if (status == TACIT_OK) {
                assert_int_equal(w.report.stopped, s.phase != NULL);
                assert_true(w.report.alpha_after >= 2);
                stopped += w.report.stopped;
            }
            done = !s.phase;
        }
        assert_true(done && stopped > 0);
        fixture_close(&w.f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starved),
        cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
