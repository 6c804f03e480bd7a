/*
 * Known values against brute force on random names and texts; and hostile texts, which must
 * not take more than their length.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_cases.h"
#include "text/detect/postings.h"
#include "text/known/index.h"
#include "text/known/known.h"
#include "text/read/forms.h"
#include "text_found.h"

enum { CASES = 400, NAMES = 60, LONGEST = 8, PEOPLE = 12, WORDS = 60, TEXT = 2048 };

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}

static tacit_strview draw_word(char *bytes, uint64_t *state, uint32_t letters, size_t shortest)
{
    size_t len = shortest + draw(state, (uint32_t)(LONGEST - shortest + 1));
    for (size_t i = 0; i < len; i++)
        bytes[i] = (char)('a' + draw(state, letters));
    bytes[len] = '\0';
    return (tacit_strview){.bytes = bytes, .len = len};
}

/* Distance with swaps of neighbours, by the table that textbooks fill. */
static int slow_distance(tacit_strview a, tacit_strview b)
{
    int far[LONGEST + 2][LONGEST + 2];
    for (size_t i = 0; i <= a.len; i++)
        for (size_t j = 0; j <= b.len; j++) {
            if (i == 0 || j == 0) {
                far[i][j] = (int)(i + j);
                continue;
            }
            int same = a.bytes[i - 1] == b.bytes[j - 1] ? 0 : 1, best = far[i - 1][j - 1] + same;
            best = far[i - 1][j] + 1 < best ? far[i - 1][j] + 1 : best;
            best = far[i][j - 1] + 1 < best ? far[i][j - 1] + 1 : best;
            if (i > 1 && j > 1 && a.bytes[i - 1] == b.bytes[j - 2] &&
                a.bytes[i - 2] == b.bytes[j - 1] && far[i - 2][j - 2] + 1 < best)
                best = far[i - 2][j - 2] + 1;
            far[i][j] = best;
        }
    return far[a.len][b.len];
}

static bool share_key(tacit_strview a, tacit_strview b)
{
    uint64_t of_a[TACIT__EDIT_KEYS], of_b[TACIT__EDIT_KEYS];
    size_t as = tacit__edit_keys(of_a, a), bs = tacit__edit_keys(of_b, b);
    for (size_t i = 0; i < as; i++)
        for (size_t j = 0; j < bs; j++)
            if (of_a[i] == of_b[j])
                return true;
    return false;
}

static void test_edits(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(CASES * 100); ++*seed) {
        uint64_t random = *seed;
        char one[LONGEST + 1], other[LONGEST + 1];
        tacit_strview a = draw_word(one, &random, 3, 3), b = draw_word(other, &random, 3, 3);
        bool near = slow_distance(a, b) == 1;
        assert_int_equal(tacit__one_edit(a, b), near);
        if (near)
            assert_true(share_key(a, b));
    }
    *seed = 0;
}

/* Every name that is one edit away is found, up to the number that is asked for. */
static void test_near(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(CASES); ++*seed) {
        uint64_t random = *seed, keys[TACIT__KNOWN_NEAR];
        char bytes[NAMES][LONGEST + 1], asked[LONGEST + 1];
        tacit_strview names[NAMES];
        size_t count = 0;
        tacit__known_near near = {0};
        while (count < NAMES) {
            bool there = false;
            names[count] = draw_word(bytes[count], &random, 4, 4);
            for (size_t i = 0; i < count; i++)
                there |= tacit_strview_equal(names[i], names[count]);
            if (!there)
                assert_int_equal(tacit__known_near_add(&near, names[count++], NULL), TACIT_OK);
        }
        assert_int_equal(tacit__known_near_build(&near, NULL), TACIT_OK);
        tacit_strview word = draw_word(asked, &random, 4, 4);
        size_t expected = 0, found = tacit__known_near_find(keys, &near, word);
        for (size_t i = 0; i < NAMES; i++) {
            bool there = false;
            if (slow_distance(word, names[i]) != 1)
                continue;
            expected++;
            for (size_t k = 0; k < found; k++)
                there |= keys[k] == tacit__word_key(names[i]);
            assert_true(there || found == TACIT__KNOWN_NEAR);
        }
        assert_int_equal(found, expected < TACIT__KNOWN_NEAR ? expected : TACIT__KNOWN_NEAR);
        tacit__known_near_clear(&near);
    }
    *seed = 0;
}

/* ---- people in texts ---- */

typedef struct person {
    char given[LONGEST + 3], last[LONGEST + 3], full[2 * LONGEST + 16];
} person;

/* "Qu" and letters that no list has together, so that nothing but the names is evidence. */
static void draw_name(char *name, uint64_t *random)
{
    char letters[LONGEST + 1];
    for (;;) {
        tacit__lexicon_entry entry;
        draw_word(letters, random, 26, LONGEST - 2);
        snprintf(name, LONGEST + 3, "Q%s", letters);
        if (!tacit__lexicon_find(&entry, found_view(name)))
            return;
    }
}

static void draw_people(person *people, uint64_t *random)
{
    for (size_t i = 0; i < PEOPLE; i++) {
        draw_name(people[i].given, random);
        draw_name(people[i].last, random);
        snprintf(people[i].full, sizeof people[i].full, "%.10s %.10s", people[i].given,
                 people[i].last);
    }
}

/* Pairs of names by chance, each in one of the written forms, parted by sentences; *same says
 * of each whether it is one person's. */
static size_t draw_text(char *text, bool *same, const person *people, uint64_t *random)
{
    static const char *const forms[] = {"Then %s %s came. ", "Then %2$s, %1$s came. ",
                                        "Then %s J. %s came. ", "With %2$s, %1$s J. came. "};
    size_t pairs = WORDS / 6, len = 0;
    for (size_t i = 0; i < pairs; i++) {
        size_t one = draw(random, PEOPLE), other = draw(random, 2) ? one : draw(random, PEOPLE);
        same[i] = one == other;
        len += (size_t)snprintf(text + len, TEXT - len, forms[draw(random, 4)], people[one].given,
                                people[other].last);
    }
    return pairs;
}

static void check_people(const tacit__known *known, const char *bytes, const bool *same,
                         size_t pairs)
{
    tacit__document text = {0};
    tacit__proposals found = {0};
    size_t full = 0, expected = 0;
    assert_int_equal(tacit__document_read(&text, found_view(bytes), NULL), TACIT_OK);
    assert_int_equal(tacit__known_propose(&found, known, &text, NULL), TACIT_OK);
    for (size_t i = 0; i < pairs; i++)
        expected += same[i];
    for (size_t i = 0; i < found.count; i++) {
        full += found.items[i].kind == TACIT_TEXT_FULL_NAME;
        if (found.items[i].kind == TACIT_TEXT_FULL_NAME)
            assert_in_range(found.items[i].likelihood, 97, 99);
    }
    assert_int_equal(full, expected);
    tacit__proposals_clear(&found);
    tacit__document_clear(&text);
}

static void test_people(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(CASES); ++*seed) {
        uint64_t random = *seed;
        person people[PEOPLE];
        tacit_strview values[PEOPLE];
        tacit_text_kind kinds[PEOPLE];
        char text[TEXT];
        bool same[WORDS];
        tacit__known *known = NULL;
        draw_people(people, &random);
        for (size_t i = 0; i < PEOPLE; i++) {
            values[i] = found_view(people[i].full);
            kinds[i] = TACIT_TEXT_FULL_NAME;
        }
        tacit_scrub_options options = {
            .known = values, .known_kinds = kinds, .known_count = PEOPLE};
        assert_int_equal(tacit__known_new(&known, &options, NULL), TACIT_OK);
        size_t pairs = draw_text(text, same, people, &random);
        check_people(known, text, same, pairs);
        tacit__known_free(known);
    }
    *seed = 0;
}

/* ---- hostile texts ---- */

/* Finds what there is in a piece of nothing but the pattern; each word is proposed by known and
 * by postings a few times at most. */
static void find_repeated(const tacit__known *known, tacit__postings *postings, const char *pattern)
{
    enum { MAX_TIMES = 8 };
    static char bytes[TACIT_SCRUB_PIECE];
    size_t each = strlen(pattern), len = sizeof bytes / each * each;
    tacit__document text = {0};
    tacit__proposals found = {0};
    for (size_t i = 0; i < len; i++)
        bytes[i] = pattern[i % each];
    tacit_strview view = {.bytes = bytes, .len = len};
    assert_int_equal(tacit__document_read(&text, view, NULL), TACIT_OK);
    assert_int_equal(tacit__known_propose(&found, known, &text, NULL), TACIT_OK);
    assert_int_equal(tacit__postings_propose(&found, postings, &text, NULL), TACIT_OK);
    assert_true(found.count <= MAX_TIMES * text.count);
    tacit__proposals_clear(&found);
    tacit__document_clear(&text);
}

/* Thousands of names that are one edit apart, known and posted, and texts of nothing but them:
 * a moment each, where comparing every word with every name would be minutes. */
static void test_hostile(void **state)
{
    enum { MANY = 4000 };
    static const char *const patterns[] = {"Weston ",          "weston ",     "Dr. Westxx ",
                                           "Virginia Westxx ", "Waaaa ",      "Dear Waabz, ",
                                           "V.P.W.",           "VPW\n",       "1-",
                                           "12345 ",           "W",           "Weston, ",
                                           "1/2/86 86-",       "May ",        "18 Huntington ",
                                           "Virginia P. ",     "Wabab Wbaba "};
    static char names[MANY][24];
    static tacit_strview values[MANY];
    static tacit_text_kind kinds[MANY];
    tacit__document document = {0};
    tacit__proposals marks = {0};
    tacit__known *known = NULL;
    tacit__postings *postings = NULL;
    (void)state;
    assert_int_equal(tacit__postings_new(&postings, NULL), TACIT_OK);
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "Virginia W%c%c%c%c", 'a' + i % 3, 'a' + i / 3 % 11,
                 'a' + i / 33 % 11, 'a' + i / 363 % 26);
        values[i] = found_view(names[i]);
        kinds[i] = i % 7 ? TACIT_TEXT_FULL_NAME : TACIT_TEXT_ORGANIZATION;
        marks.count = 0;
        assert_int_equal(tacit__document_read(&document, values[i], NULL), TACIT_OK);
        found_parse(&marks, &document, "first_name:Virginia", 95);
        marks.items[0].kind = TACIT_TEXT_FULL_NAME;
        marks.items[0].end = (uint32_t)values[i].len;
        tacit__postings_post(postings, &marks, &document);
    }
    values[0] = found_view("Virginia P. Weston");
    values[1] = found_view("12345-1-1-1-1");
    kinds[1] = TACIT_TEXT_REFERENCE;
    values[2] = found_view("1986-01-02");
    kinds[2] = TACIT_TEXT_DATE;
    tacit_scrub_options options = {.known = values, .known_kinds = kinds, .known_count = MANY};
    kinds[0] = TACIT_TEXT_FULL_NAME;
    assert_int_equal(tacit__known_new(&known, &options, NULL), TACIT_OK);
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        find_repeated(known, postings, patterns[i]);
    }
    tacit__known_free(known);
    tacit__postings_free(postings);
    tacit__proposals_clear(&marks);
    tacit__document_clear(&document);
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        random_test(test_edits, &seed), random_test(test_near, &seed),
        random_test(test_people, &seed), cmocka_unit_test(test_hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
