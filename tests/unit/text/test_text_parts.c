/*
 * test_text_parts.c - the text of a span in parts, in what case its words are, and the small
 * tables of words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "text/read/parts.h"
#include "text/replace/disguise.h"

/* Parts in brackets: w and W for small and capital words, C for capitals, d for digits. */
static void show(char *shown, const char *text)
{
    tacit__read_parts parts = tacit__parts_of(tacit_strview_of(text));
    tacit__read_part part;
    while (tacit__parts_next(&part, &parts)) {
        *shown++ = part.kind == TACIT__PART_GAP      ? '.'
                   : part.kind == TACIT__PART_DIGITS ? 'd'
                                                     : "wWC"[part.cased];
        memcpy(shown, part.text.bytes, part.text.len);
        shown += part.text.len;
        *shown++ = '|';
    }
    *shown = '\0';
}

static void cut(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", ""},
        {"Long", "WLong|"},
        {"O'Neill-Long's 12th", "WO'Neill|.-|WLong|.'s |d12|wth|"},
        {"tracey95", "wtracey|d95|"},
        {"LONG, J", "CLONG|., |WJ|"},
        {"McCarthy", "WMcCarthy|"},
        {"'s", ".'|ws|"},
        {"\xC3\x93"
         "dor\xE2\x80\x99s",
         "W\xC3\x93"
         "dor|.\xE2\x80\x99s|"},
        {"\xE2\x80\x9CRed\xE2\x80\x9D", ".\xE2\x80\x9C|WRed|.\xE2\x80\x9D|"},
        {"\xFFx\xFE", "w\xFFx\xFE|"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char shown[64];
        show(shown, cases[i][0]);
        assert_string_equal(shown, cases[i][1]);
    }
}

static bool begins_character(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

/* Whichever part of a document's text it is, its words say what its bytes do. */
static void same_parts(const tacit__document *document, tacit_strview text)
{
    tacit__read_parts by_bytes = tacit__parts_of(text);
    tacit__read_parts parts = tacit__parts_of_words(text, document, 0);
    tacit__read_part wanted, part;
    while (tacit__parts_next(&wanted, &by_bytes)) {
        assert_true(tacit__parts_next(&part, &parts));
        assert_int_equal(part.kind, wanted.kind);
        assert_ptr_equal(part.text.bytes, wanted.text.bytes);
        assert_int_equal(part.text.len, wanted.text.len);
        assert_int_equal(part.cased, wanted.cased);
        assert_true(part.letters >= wanted.letters);
        assert_true(!part.word || part.word->key == tacit__word_key(wanted.text));
    }
    assert_false(tacit__parts_next(&part, &parts));
}

static void by_words(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "Mrs. O'Neill-Long's 2 cats, McCarthy and eBay's iP at 5th St.",
        "LONG, J.: tracey95@x.org 10/26 (MRN 275-86-12) 'tis 's o'clock",
        "\xC3\x93"
        "dor\xE2\x80\x99s \xE2\x80\x9CRed\xE2\x80\x9D d\xE2\x80\x99"
        "Arc \xFFx\xFE \xF0\x9F\x98\x80 a",
        "a  B\t\n1'a 2's x's5 A'B"};
    tacit__document document = {0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        tacit_strview whole = tacit_strview_of(texts[i]);
        assert_int_equal(tacit__document_read(&document, whole, NULL), TACIT_OK);
        for (size_t from = 0; from < whole.len; from++)
            for (size_t to = from; to <= whole.len; to++)
                if (begins_character(whole.bytes[from]) && begins_character(whole.bytes[to]))
                    same_parts(&document,
                               (tacit_strview){.bytes = whole.bytes + from, .len = to - from});
    }
    tacit__document_clear(&document);
}

static void cased(void **state)
{
    (void)state;
    static const char *const wanted[] = {"garlaw 1", "Garlaw 1", "GARLAW 1"};
    tacit__strbuf out = {0};
    for (int i = 0; i < 3; i++) {
        out.len = 0;
        tacit__put_cased(&out, "gArlaw 1", 8, (tacit__cased)i);
        assert_string_equal(out.bytes, wanted[i]);
    }
    out.len = 0;
    tacit__put_number(&out, 7, 2);
    tacit__put_number(&out, 0, 1);
    tacit__put_number(&out, 1994, 2);
    assert_string_equal(out.bytes, "0701994");
    tacit__strbuf_clear(&out);
}

static unsigned roles_of(const tacit__ledger *ledger, const char *word)
{
    tacit__read_part part = {.text = tacit_strview_of(word)};
    return tacit__roles_of(ledger, &part);
}

static void roles(void **state)
{
    (void)state;
    tacit__ledger ledger = {0};
    assert_true(tacit__roles_init(&ledger));
    assert_true(roles_of(&ledger, "HOSPITAL") & TACIT__FILLER_CARE);
    assert_int_equal(roles_of(&ledger, "City"), TACIT__FILLER_CITY | TACIT__FILLER_CARE);
    assert_int_equal(roles_of(&ledger, "Townsend"), 0);
    assert_int_equal(roles_of(&ledger, ""), 0);
    tacit__ledger_clear(&ledger);
    assert_true(tacit__is_ordinal_end(tacit_strview_of("TH")));
    assert_false(tacit__is_ordinal_end(tacit_strview_of("t")));
    static const char *const ends[] = {"0th",  "1st",  "2nd",  "3rd",  "4th",
                                       "11th", "12th", "21st", "113th"};
    static const unsigned numbers[] = {0, 1, 2, 3, 4, 11, 12, 21, 113};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        assert_string_equal(tacit__ordinal_end(numbers[i]), ends[i] + strlen(ends[i]) - 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut), cmocka_unit_test(by_words),
                                       cmocka_unit_test(cased), cmocka_unit_test(roles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
