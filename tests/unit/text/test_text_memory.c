/*
 * test_text_memory.c - every allocation of the text room failed in turn. Looking up, folding,
 * scoring and making up names allocate nothing at all.
 */
#include "starve.h"

#include "text/lexicon/letters.h"
#include "text/lexicon/lexicon.h"
#include "text/lexicon/lookup.h"

static tacit_status make_lookup(void *context, tacit_error *err)
{
    tacit__boolean lookup = {.bits = context};
    tacit_status status = tacit__boolean_init(&lookup, 1000, err);
    if (status != TACIT_OK)
        assert_ptr_equal(lookup.bits, context);
    else
        tacit__boolean_clear(&lookup);
    return status;
}

static tacit_status ask(void *context, tacit_error *err)
{
    (void)context;
    (void)err;
    tacit_run run = starve_run(1);
    tacit__random random;
    tacit__made_up name;
    tacit__lexicon_entry entry;
    tacit__letters_score score;
    tacit__random_init(&random, &run, "name", 0);
    assert_true(tacit__lexicon_find(&entry, tacit_strview_of("Virginia")));
    tacit_strview formal[1];
    assert_int_equal(tacit__lexicon_formal(formal, 1, tacit_strview_of("Ginny")), 1);
    tacit__letters_read(&score, tacit_strview_of("Townsend"));
    assert_true(tacit__letters_make_up(&name, TACIT__LETTERS_FIRST, &random));
    return TACIT_OK;
}

static void lookups(void **state)
{
    (void)state;
    assert_int_equal(starve(make_lookup, STARVE_UNTOUCHED), 1);
}

static void nothing_else(void **state)
{
    (void)state;
    assert_int_equal(starve_way_of(ask, NULL, STARVE_FOR_GOOD), 0);
}

/* A list too long for the hash is refused, not made wrong. */
static void too_many(void **state)
{
    (void)state;
    tacit_error err = {0};
    tacit__boolean lookup = {0};
    assert_int_equal(tacit__boolean_init(&lookup, SIZE_MAX, &err), TACIT_LIMIT);
    assert_null(lookup.bits);
    tacit__boolean_clear(&lookup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lookups),
        cmocka_unit_test(nothing_else),
        cmocka_unit_test(too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
