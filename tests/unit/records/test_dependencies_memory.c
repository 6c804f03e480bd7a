/*
 * test_dependencies_memory.c - every allocation failed in turn: finding dependencies, judging
 * those of a release, reading and hiding one.
 */
#include "hiding.h"

#include <tacit/experimental/dependencies.h>

#include "starve.h"

static const int32_t COLUMNS[] = {0, 1, 2, 3};

static const char BLANKED[] = "zip,birth,sex,test\n"
                              "02138,*,f,neg\n02139,1964,m,neg\n*,1965,f,pos\n"
                              "02138,1964,*,neg\n02141,1970,m,pos\n";

static tacit_status find(void *context, tacit_error *err)
{
    const fixture *f = context;
    tacit_run run = starve_run(1);
    tacit_dependencies *found = STARVE_UNTOUCHED;
    tacit_status status = tacit_dependencies_find(&found, f->table, COLUMNS, 4, 0, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(found, STARVE_UNTOUCHED);
    else
        tacit_dependencies_free(found);
    return status;
}

static tacit_status judge(void *context, tacit_error *err)
{
    static const tacit_dependency list[] = {{1, 1}, {3, 3}, {7, 3}};
    const fixture *f = context;
    tacit_run run = starve_run(1);
    tacit_released_dependencies *found = STARVE_UNTOUCHED;
    tacit_status status =
        tacit_dependencies_released(&found, list, 3, f->table, COLUMNS, 4, 7, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(found, STARVE_UNTOUCHED);
    else
        tacit_released_dependencies_free(found);
    return status;
}

/* A state of its own each time, for hiding changes it. */
static tacit_status hide(void *context, tacit_error *err)
{
    const world *w = context;
    tacit_run run = starve_run(1);
    tacit_hidden hidden = {7, 3};
    tacit__state *state = NULL;
    int64_t added = -7;
    tacit_status status = tacit__state_new(&state, &w->tableau, NULL, &run, err);
    if (status == TACIT_OK)
        status = tacit__ambiguate_hide(&added, state, &w->tableau, &w->f.frame, w->classes, &hidden,
                                       &run, err);
    assert_int_equal(added, status == TACIT_OK ? 1 : -7);
    tacit__state_free(state);
    return status;
}

static tacit_status refuse(void *context, tacit_error *err)
{
    const world *w = context;
    tacit_run run = starve_run(1);
    tacit_hidden hidden = {7, 0}; /* zip stands on both sides */
    int64_t added = -7;
    tacit_status status = tacit__ambiguate_hide(&added, w->state, &w->tableau, &w->f.frame,
                                                w->classes, &hidden, &run, err);
    if (status == TACIT_INVALID)
        *err = (tacit_error){0};
    return status == TACIT_INVALID ? TACIT_OK : status;
}

static void with_table(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, BLANKED);
    starve(find, &f);
    starve(judge, &f);
    fixture_close(&f);
}

/* Too many rows for all pairs to be looked at, so that tests fail. */
static void with_many_rows(void **state)
{
    (void)state;
    fixture f;
    char *text = malloc(1600 * 32 + 64), *at = text;
    uint64_t seed = 9;
    at += sprintf(at, "a,b,c,d\n");
    for (int i = 0; i < 1600; i++) {
        int a = (int)next_number(&seed, 500), b = (int)next_number(&seed, 500);
        at += sprintf(at, "%d,%d,%d,%d\n", a, b, a / 3 + (i == 700), b % 7);
    }
    fixture_open(&f, text);
    free(text);
    starve(find, &f);
    fixture_close(&f);
}

static void hiding(void **state)
{
    (void)state;
    world w;
    world_open(&w, PEOPLE, 0);
    starving.lenient = true; /* counting classes may do without an index */
    starve_way_of(hide, &w, STARVE_ONCE);
    starve_way_of(hide, &w, STARVE_FOR_GOOD);
    world_close(&w);
    world_open(&w, "zip,birth,sex,test\n1,2,3,4\n1,3,3,4\n", 0);
    starve_way_of(refuse, &w, STARVE_ONCE);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_table),
        cmocka_unit_test(with_many_rows),
        cmocka_unit_test(hiding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
