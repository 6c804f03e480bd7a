/*
 * test_text_template_spans.c - which part of a match is the span: read off the states of a walk it
 * must be what the template's own automaton finds, on random templates whose context and
 * span can be told apart late or not at all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "random_cases.h"
#include "text/template/machine.h"

enum { BATCH = 6, TEXT = 60, LINE = 400 };

static uint64_t seed;

static unsigned draw(uint64_t *random, unsigned below)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*random >> 33) % below;
}

/* Parts that overlap: all of them read a, some b, digits or signs. */
static void add_parts(char *line, uint64_t *random, unsigned count)
{
    static const char *const parts[] = {"{a}",   "{ab}",      "[a]",      "&",
                                        "&*1-3", "{a, b}*2+", "[{-, /}]", "d*1-2",
                                        "[_]",   "{a}*0-3",   "{a, ab}",  "[b, ba]"};
    for (; count > 0; count--)
        strcat(line, parts[draw(random, sizeof parts / sizeof *parts)]);
}

static void make_template(char *line, uint64_t *random)
{
    strcat(line, "user 50 ");
    add_parts(line, random, draw(random, 4));
    strcat(line, "<{a, b}");
    add_parts(line, random, draw(random, 3));
    strcat(line, ">");
    add_parts(line, random, draw(random, 4));
    strcat(line, "\n");
}

typedef struct made {
    tacit__trees trees;
    tacit__automaton automata[BATCH];
    tacit__machine machine;
    tacit__states *states;
    tacit__threads threads;
    size_t compared;
} made;

static void make(made *m, const char *source)
{
    bool all[BATCH];
    tacit_error err = {0};
    *m = (made){0};
    if (tacit__trees_read(&m->trees, tacit_strview_of(source), "t", &err) != TACIT_OK)
        fail_msg("%s in %s", err.message, source);
    for (size_t i = 0; i < BATCH; i++) {
        all[i] = true;
        assert_int_equal(
            tacit__automaton_init(&m->automata[i], &m->trees, &m->trees.templates[i], NULL),
            TACIT_OK);
    }
    assert_int_equal(tacit__machine_init(&m->machine, &m->trees, m->automata, all, NULL), TACIT_OK);
    assert_int_equal(tacit__states_new(&m->states, &m->machine, NULL), TACIT_OK);
    assert_int_equal(tacit__threads_init(&m->threads, TACIT__TEMPLATE_PLACES, NULL), TACIT_OK);
}

static void clear(made *m)
{
    tacit__threads_clear(&m->threads);
    tacit__states_free(m->states);
    tacit__machine_clear(&m->machine);
    for (size_t i = 0; i < BATCH; i++)
        tacit__automaton_clear(&m->automata[i]);
    tacit__trees_clear(&m->trees);
}

static void compare_at(made *m, tacit_strview text, size_t at)
{
    tacit__reached reached;
    assert_int_equal(tacit__states_read(&reached, m->states, text, at, NULL), TACIT_OK);
    for (size_t i = 0; i < reached.count; i++) {
        const tacit__template_reach *reach = &reached.items[i];
        tacit__match found, expected;
        if (!tacit__states_span(&found, m->states, reach))
            continue; /* forgotten on the way, which a small automaton never is */
        assert_true(
            tacit__automaton_match(&expected, &m->automata[reach->number], &m->threads, text, at));
        if (memcmp(&found, &expected, sizeof found) != 0)
            fail_msg("%s on \"%s\" at %zu: %zu-%zu instead of %zu-%zu",
                     m->trees.templates[reach->number].text, text.bytes, at, found.span_start,
                     found.span_end, expected.span_start, expected.span_end);
        m->compared++;
    }
}

static void random_spans(void **state)
{
    (void)state;
    static const char letters[] = "aaaabbb12 -/A";
    size_t compared = 0;
    for (seed = 1; seed <= many_cases(60); seed++) {
        uint64_t random = seed;
        char source[BATCH * LINE] = "", text[TEXT + 1] = "";
        made m;
        for (size_t i = 0; i < BATCH; i++)
            make_template(source, &random);
        make(&m, source);
        for (int round = 0; round < 30; round++) {
            for (size_t i = 0; i < TEXT; i++)
                text[i] = letters[draw(&random, sizeof letters - 1)];
            for (size_t at = 0; at < TEXT; at++)
                if (at == 0 || !tacit__word_byte((unsigned char)text[at]) ||
                    !tacit__word_byte((unsigned char)text[at - 1]))
                    compare_at(&m, tacit_strview_of(text), at);
        }
        compared += m.compared;
        clear(&m);
    }
    seed = 0;
    assert_true(compared >
                50 * many_cases(60)); /* templates that match nothing would prove nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {random_test(random_spans, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
