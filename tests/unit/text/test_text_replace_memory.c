/*
 * test_text_replace_memory.c - every allocation of replacing failed in turn, on a document
 * with more words and names than a ledger begins with.
 */
#include "starve.h"

#include <stdio.h>

#include "text/replace/disguise.h"
#include "text/replace/replace.h"

enum { NAMES = 400 };

static tacit_status replace_names(tacit__strbuf *out, tacit__disguise *disguise,
                                  const tacit_scrub_options *options, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int i = 0; i < NAMES && status == TACIT_OK; i++) {
        char name[16];
        int len = snprintf(name, sizeof name, "%c%c%c", 'A' + i % 26, 'a' + i / 26, 'x');
        status = tacit__replace(out, disguise, options, TACIT_TEXT_LAST_NAME,
                                (tacit_strview){.bytes = name, .len = (size_t)len}, err);
    }
    return status;
}

static tacit_status disguise_document(void *context, tacit_error *err)
{
    static tacit__word words[NAMES];
    tacit_scrub_options options = {0};
    tacit__document document = {.text = tacit_strview_of("x"), .words = words, .count = NAMES};
    tacit__disguise *disguise = context;
    tacit__strbuf out = {0};
    for (size_t i = 0; i < NAMES; i++)
        words[i].key = i;
    tacit_status status = tacit__disguise_new(&disguise, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(disguise, context);
        return status;
    }
    tacit__disguise_begin(disguise, &options, 0);
    status = tacit__disguise_avoid(disguise, &document, err);
    if (status == TACIT_OK)
        status = replace_names(&out, disguise, &options, err);
    tacit__strbuf_clear(&out);
    tacit__disguise_free(disguise);
    return status;
}

static void replacing(void **state)
{
    (void)state;
    assert_true(starve(disguise_document, STARVE_UNTOUCHED) > 5);
}

/* What was noted is found, until there is no more room; then it starts over. */
static void ledgers(void **state)
{
    (void)state;
    tacit__ledger ledger = {0};
    uint32_t value = 7;
    assert_false(tacit__ledger_find(&value, &ledger, 0));
    for (uint64_t key = 0; key < 1000; key++) {
        assert_true(tacit__ledger_capacity(&ledger, 1));
        tacit__ledger_note(&ledger, key << 32, (uint32_t)key);
        tacit__ledger_note(&ledger, key << 32, 5); /* the first one counts */
    }
    for (uint64_t key = 0; key < 1000; key++) {
        assert_true(tacit__ledger_find(&value, &ledger, key << 32));
        assert_int_equal(value, key);
    }
    assert_false(tacit__ledger_find(NULL, &ledger, 12345));
    tacit__ledger_empty(&ledger, 3);
    assert_false(tacit__ledger_find(NULL, &ledger, UINT64_C(5) << 32));
    for (uint64_t key = 1; key < 2 * TACIT__LEDGER_MAX; key++) {
        assert_true(tacit__ledger_capacity(&ledger, 1));
        tacit__ledger_note(&ledger, key, (uint32_t)key);
    }
    assert_int_equal(ledger.allocated, TACIT__LEDGER_MAX);
    assert_true(tacit__ledger_find(NULL, &ledger, 2 * TACIT__LEDGER_MAX - 1));
    assert_false(tacit__ledger_find(NULL, &ledger, 1));
    tacit__ledger_clear(&ledger);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(replacing), cmocka_unit_test(ledgers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
