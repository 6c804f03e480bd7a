/*
 * test_text_templates_memory.c - every allocation of making templates and of matching failed in
 * turn. The shipped file takes thousands of them, so few are refused there; a small one that
 * is read after it sees all.
 */
#include "starve.h"

#include "text/template/machine.h"

static const char source[] =
    "@m = {may, june}\ndate date 90 at <d*1-2/dd> [@m]\nphone 40 ddd-d*2+\n";

typedef struct made {
    tacit__trees trees;
    tacit__automaton automata[2];
    tacit__machine machine;
    tacit__states *states;
    tacit__threads threads;
} made;

static tacit_status make_automata(made *m, tacit_error *err)
{
    const bool all[2] = {true, true};
    tacit_status status = tacit__trees_read(&m->trees, tacit_strview_of(source), "t", err);
    for (size_t i = 0; i < 2 && status == TACIT_OK; i++)
        status = tacit__automaton_init(&m->automata[i], &m->trees, &m->trees.templates[i], err);
    if (status == TACIT_OK)
        status = tacit__machine_init(&m->machine, &m->trees, m->automata, all, err);
    if (status == TACIT_OK)
        status = tacit__states_new(&m->states, &m->machine, err);
    return status == TACIT_OK ? tacit__threads_init(&m->threads, 100, err) : status;
}

static tacit_status make(void *context, tacit_error *err)
{
    (void)context;
    made m = {0};
    tacit_status status = make_automata(&m, err);
    tacit_strview text = tacit_strview_of("at 3/10 255-1423 at 4/11 june 255-14");
    for (size_t at = 0; at < text.len && status == TACIT_OK; at++) {
        tacit__reached reached;
        status = tacit__states_read(&reached, m.states, text, at, err);
    }
    tacit__threads_clear(&m.threads);
    tacit__states_free(m.states);
    tacit__machine_clear(&m.machine);
    tacit__automaton_clear(&m.automata[0]);
    tacit__automaton_clear(&m.automata[1]);
    tacit__trees_clear(&m.trees);
    return status;
}

static tacit_status make_shipped(void *context, tacit_error *err)
{
    tacit__templates *templates = context;
    tacit__matcher *matcher = context;
    tacit__proposals proposals = {0};
    tacit_status status = tacit__templates_new(&templates, (tacit_strview){0}, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(templates, context);
        return status;
    }
    status = tacit__matcher_new(&matcher, templates, err);
    if (status == TACIT_OK) {
        status = tacit__templates_propose(&proposals, matcher,
                                          tacit_strview_of("on 3/10/94 call 255-1423"), err);
        tacit__matcher_free(matcher);
    } else {
        assert_ptr_equal(matcher, context);
    }
    tacit__proposals_clear(&proposals);
    tacit__templates_free(templates);
    return status;
}

static void small(void **state)
{
    (void)state;
    assert_true(starve(make, NULL) > 20);
}

/* Every 97th allocation of the shipped templates, up to the last. */
static void shipped(void **state)
{
    (void)state;
    tacit_status status = TACIT_NOMEM;
    for (long long i = 0; status != TACIT_OK; i += 97)
        status = starve_try(make_shipped, STARVE_UNTOUCHED, STARVE_ONCE, i);
    assert_false(starving.refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small), cmocka_unit_test(shipped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
