/*
 * test_text_pool.c - the names that were made up when tacit was built, and what nicknames stand
 * for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "text/lexicon/letters.h"
#include "text/lexicon/lexicon.h"
#include "text/lexicon/recall.h"

/* Each of a to z, as long as names are, in no list, and filled up with zeros. */
static void names(void **state)
{
    (void)state;
    tacit__lexicon_entry entry;
    for (size_t i = 0; i < TACIT__POOL; i++) {
        const tacit__alias *name = &tacit__pool[i];
        bool is_short = i >= TACIT__POOL_SURNAMES + TACIT__POOL_FIRST;
        assert_in_range(name->len, TACIT__LETTERS_SHORTEST,
                        is_short ? TACIT__POOL_LETTERS : TACIT__LETTERS_LONGEST);
        for (size_t j = 0; j < sizeof name->letters; j++)
            assert_int_equal(tacit__letter(name->letters[j]) != 0, j < name->len);
        assert_false(
            tacit__lexicon_find(&entry, (tacit_strview){.bytes = name->letters, .len = name->len}));
    }
}

static bool stands_for(const tacit__nick *nick, const char *name)
{
    for (size_t i = 0; i < nick->count; i++)
        if (nick->formal[i] == tacit__word_key(tacit_strview_of(name)))
            return true;
    return false;
}

/* Where the place is taken by another, too. */
static void nicknames(void **state)
{
    (void)state;
    static tacit__nicks nicks;
    tacit__document document = {0};
    tacit_strview text = tacit_strview_of("Ginny and Bob and Townsend");
    assert_int_equal(tacit__document_read(&document, text, NULL), TACIT_OK);
    for (int round = 0; round < 3; round++) {
        const tacit__nick *nick = tacit__nick_of(&nicks, &document, &document.words[0]);
        assert_true(stands_for(nick, "Virginia") && !stands_for(nick, "Robert"));
        assert_int_equal(tacit__nick_of(&nicks, &document, &document.words[4])->count, 0);
        if (round == 1)
            document.words[2].key = document.words[0].key + TACIT__NICKS; /* the same place */
        nick = tacit__nick_of(&nicks, &document, &document.words[2]);
        assert_true(stands_for(nick, "Robert") && !stands_for(nick, "Virginia"));
    }
    tacit__document_clear(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(nicknames)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
