/*
 * test_text_learn_memory.c - every allocation of a training session's parts, and of reading what
 * it leaves behind, failed in turn. Of a whole session, most of whose allocations compile the
 * shipped templates, only every so many are failed.
 */
#include "starve.h"

#include "../support/learn.h"
#include "text/learn/learn.h"
#include "text/learn/learned.h"

enum { STRIDE = 61 };

typedef struct learn_parts {
    learn_toy toy;
    tacit__collection collection;
    tacit__templates *templates;
    tacit__chain *chain;
    tacit_scrubber *scrubber;
} learn_parts;

/* Few templates and no weights: what is starved here is learning. */
static int prepare(void **state)
{
    static learn_parts parts;
    static const char first[] = "# none\n";
    learn_toy *toy = &parts.toy;
    learn_toy_fill(toy, TACIT_LEARN_FEWEST);
    assert_int_equal(tacit__collection_init(&parts.collection, toy->documents, toy->count, NULL),
                     TACIT_OK);
    assert_int_equal(tacit__templates_new(&parts.templates, toy->options.scrub.templates, NULL),
                     TACIT_OK);
    assert_int_equal(tacit__chain_new(&parts.chain, tacit_strview_of(first), NULL), TACIT_OK);
    assert_int_equal(tacit_scrubber_new(&parts.scrubber, &toy->options.scrub, NULL), TACIT_OK);
    *state = &parts;
    return 0;
}

static int finish(void **state)
{
    learn_parts *parts = *state;
    tacit__collection_clear(&parts->collection);
    tacit__templates_free(parts->templates);
    tacit__chain_free(parts->chain);
    tacit_scrubber_free(parts->scrubber);
    return 0;
}

static tacit_status attempt_collection(void *context, tacit_error *err)
{
    const learn_toy *toy = &((learn_parts *)context)->toy;
    tacit__collection collection;
    tacit_status status = tacit__collection_init(&collection, toy->documents, toy->count, err);
    tacit__collection_clear(&collection);
    return status;
}

static tacit_status attempt_sightings(void *context, tacit_error *err)
{
    const learn_parts *parts = context;
    tacit__sightings *sightings = STARVE_UNTOUCHED;
    tacit_run run = starve_run(1);
    tacit_status status =
        tacit__sightings_new(&sightings, &parts->collection, parts->templates, &run, err);
    if (status == TACIT_OK)
        tacit__sightings_free(sightings);
    else
        assert_ptr_equal(sightings, STARVE_UNTOUCHED);
    return status;
}

static tacit_status attempt_words(void *context, tacit_error *err)
{
    const learn_parts *parts = context;
    tacit__strbuf text = {0};
    tacit_run run = starve_run(1);
    tacit_status status = tacit__words_learn(&text, &parts->collection, TACIT__PARTS_LEARNING,
                                             parts->chain, &run, err);
    tacit__strbuf_clear(&text);
    return status;
}

static tacit_status attempt_measure(void *context, tacit_error *err)
{
    const learn_parts *parts = context;
    static tacit__learn_measured measured;
    tacit_run run = starve_run(1);
    return tacit__collection_measure(&measured, &parts->collection, TACIT__PARTS_ALL,
                                     parts->scrubber, &run, err);
}

static tacit_status attempt_reading(void *context, tacit_error *err)
{
    (void)context;
    static const char source[] = "tacit-learned 1\ntemplate date 50 dd\nweights\n";
    tacit__learned learned;
    tacit_status status = tacit__learned_read(&learned, tacit_strview_of(source), err);
    tacit__learned_clear(&learned);
    return status;
}

static void in_parts(void **state)
{
    static const starve_attempt attempts[] = {attempt_collection, attempt_sightings, attempt_words,
                                              attempt_measure, attempt_reading};
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++)
        starve(attempts[i], *state);
}

static tacit_status attempt_session(void *context, tacit_error *err)
{
    const learn_toy *toy = &((learn_parts *)context)->toy;
    tacit_learned *learned = STARVE_UNTOUCHED;
    tacit_run run = starve_run(1);
    tacit_status status =
        tacit_scrub_learn(&learned, toy->documents, toy->count, &toy->options, &run, err);
    if (status == TACIT_OK)
        tacit_learned_free(learned);
    else
        assert_ptr_equal(learned, STARVE_UNTOUCHED);
    return status;
}

static void session(void **state)
{
    tacit_status status;
    long long allocation = 0;
    do {
        status = starve_try(attempt_session, *state, STARVE_ONCE, allocation);
        assert_int_equal(status == TACIT_OK, !starving.refused);
        allocation += STRIDE;
    } while (status != TACIT_OK);
    assert_true(allocation > 10 * STRIDE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_parts),
        cmocka_unit_test(session),
    };
    return cmocka_run_group_tests(tests, prepare, finish);
}
