/*
 * test_ambiguate_memory.c - every allocation of a state of ambiguation, and of what is done
 * with one, failed in turn.
 */
#include "starve.h"

#include "ambiguate.h"
#include "records/ambiguate/state.h"

typedef struct work {
    tacit__tableau t;
    tacit__blanking plan;
    int32_t closest;
} work;

static tacit_status make(void *context, tacit_error *err)
{
    work *w = context;
    tacit__state *state = STARVE_UNTOUCHED;
    tacit_status status = tacit__state_new(&state, &w->t, &w->plan, NULL, err);
    if (status != TACIT_OK)
        assert_ptr_equal(state, STARVE_UNTOUCHED);
    else
        tacit__state_free(state);
    return status;
}

/* Rows lose a blank and get it again; a change that fails has changed nothing. */
static tacit_status change(tacit__state *state, uint64_t *random, tacit_error *err)
{
    int64_t index, to = -1, agreeing = 0;
    do
        index = draw(random, (uint32_t)tacit__state_count(state));
    while (tacit__state_item(state, index)->rows == 0);
    tacit__item before = *tacit__state_item(state, index);
    uint64_t mask = before.mask ^ UINT64_C(1) << draw(random, 2);
    tacit_status status = tacit__state_change(&to, state, index, 1, mask, 0, err);
    if (status != TACIT_OK) {
        const tacit__item *after = tacit__state_item(state, index);
        assert_true(to == -1 && after->rows == before.rows && after->alpha == before.alpha);
        return status;
    }
    const tacit__item *item = tacit__state_item(state, to);
    const uint32_t *found;
    int64_t count;
    status = tacit__state_look(&found, &count, state, item->class_index, item->mask, err);
    for (int64_t i = 0; status == TACIT_OK && i < count; i++)
        agreeing += tacit__state_item(state, found[i])->rows;
    if (status == TACIT_OK)
        assert_int_equal(agreeing, item->alpha);
    return status;
}

static tacit_status change_often(void *context, tacit_error *err)
{
    work *w = context;
    uint64_t random = 77777;
    tacit__state *state = NULL;
    tacit_status status = tacit__state_new(&state, &w->t, &w->plan, NULL, err);
    for (int i = 0; status == TACIT_OK && i < 100; i++)
        status = change(state, &random, err);
    tacit__state_free(state);
    return status;
}

static tacit_status minimize(void *context, tacit_error *err)
{
    work *w = context;
    int64_t removed = -1;
    tacit__state *state = NULL;
    tacit__blanking plan = {0};
    tacit_status status = tacit__state_new(&state, &w->t, &w->plan, NULL, err);
    if (status == TACIT_OK) {
        status = tacit__state_minimize(&removed, state, false, NULL, err);
        assert_true(status == TACIT_OK ? removed > 0 : removed == -1);
    }
    if (status == TACIT_OK) {
        status = tacit__state_plan(&plan, state, err);
        assert_true(status == TACIT_OK ? plan.count > 0 : plan.blanks == NULL);
    }
    tacit__blanking_clear(&plan);
    tacit__state_free(state);
    return status;
}

static tacit_status redundant(void *context, tacit_error *err)
{
    work *w = context;
    int64_t added = -1;
    tacit__state *state = NULL;
    tacit_status status = tacit__state_new(&state, &w->t, &w->plan, NULL, err);
    if (status == TACIT_OK) {
        status = tacit__state_redundant(&added, state, NULL, err);
        assert_true(status == TACIT_OK ? added > 0 : added == -1);
    }
    tacit__state_free(state);
    return status;
}

static tacit_status closest(void *context, tacit_error *err)
{
    work *w = context;
    int32_t found = -1;
    tacit_status status = tacit__tableau_closest(&found, &w->t, NULL, err);
    assert_int_equal(found, status == TACIT_OK ? w->closest : -1);
    return status;
}

static void end(work *w)
{
    tacit__blanking_clear(&w->plan);
    tacit__tableau_clear(&w->t);
}

/* Kinds of so many items that lists are made, and become more. */
static void test_states(void **state)
{
    (void)state;
    uint64_t random = 5;
    work w = {0};
    tableau_even(&w.t, &random, 90, 3, 6, 2);
    for (uint32_t i = 0; i < w.t.classes; i++) {
        tacit__blank blank = {i, 1, i % 20 ? 1 : 2, 0};
        assert_int_equal(tacit__blanking_add(&w.plan, blank, NULL), TACIT_OK);
    }
    starve(make, &w);
    starve(change_often, &w);
    starve(minimize, &w);
    end(&w);
}

static void test_redundant(void **state)
{
    (void)state;
    uint64_t random = 9;
    work w = {0};
    int64_t removed;
    tacit__state *s = NULL;
    tableau_even(&w.t, &random, 12, 4, 2, 2);
    plan_random(&w.plan, &w.t, &random, 1, false);
    assert_int_equal(tacit__state_new(&s, &w.t, &w.plan, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit__state_minimize(&removed, s, false, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit__state_plan(&w.plan, s, NULL), TACIT_OK);
    tacit__state_free(s);
    starve(redundant, &w);
    end(&w);
}

/* By columns left out, and by hands. */
static void test_closest(void **state)
{
    (void)state;
    const int COLUMNS[] = {3, 60};
    for (int i = 0; i < 2; i++) {
        uint32_t codes[64] = {0};
        work w = {.closest = 3};
        tableau_start(&w.t, COLUMNS[i], 2, 2);
        tableau_row(&w.t, codes);
        codes[0] = codes[1] = codes[2] = 1;
        tableau_row(&w.t, codes);
        starve(closest, &w);
        end(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_redundant),
        cmocka_unit_test(test_closest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
