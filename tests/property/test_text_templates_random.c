/*
 * test_text_templates_random.c - random templates beside the regular expressions of the C library:
 * each is made in both notations at once, and on random text of a few characters both must find
 * the same matches, tried by the latter at every pair of ends. And hostile repetition: twice
 * the text takes at most a little more than twice the time.
 */
#include "template_marks.h"

#include <regex.h>
#include <stdlib.h>

#include "random_cases.h"

enum { TEXT = 48, TEMPLATE = 512, BATCH = 8 };

static uint64_t seed;

static unsigned draw(uint64_t *random, unsigned below)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*random >> 33) % below;
}

/* A template and the same as an extended regular expression. */
typedef struct pair {
    char template[TEMPLATE], regex[TEMPLATE];
} pair;

static void add(pair *p, const char *template, const char *regex)
{
    assert_true(strlen(p->template) + strlen(template) < TEMPLATE);
    assert_true(strlen(p->regex) + strlen(regex) < TEMPLATE);
    strcat(p->template, template);
    strcat(p->regex, regex);
}

static void make_sequence(pair *p, uint64_t *random, int depth);

static void make_choice(pair *p, uint64_t *random, int depth, bool optional)
{
    add(p, optional ? "[" : "{", "(");
    unsigned count = 1 + draw(random, 3);
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            add(p, ", ", "|");
        make_sequence(p, random, depth - 1);
    }
    add(p, optional ? "]" : "}", optional ? ")?" : ")");
}

static void make_repeat(pair *p, uint64_t *random)
{
    char template[16], regex[16];
    unsigned least = draw(random, 3), most = least + draw(random, 3) + (least == 0);
    if (draw(random, 3) == 0) {
        snprintf(template, sizeof template, "*%u+", least);
        snprintf(regex, sizeof regex, "{%u,}", least);
    } else {
        snprintf(template, sizeof template, "*%u-%u", least, most);
        snprintf(regex, sizeof regex, "{%u,%u}", least, most);
    }
    add(p, template, regex);
}

static void make_element(pair *p, uint64_t *random, int depth)
{
    static const char *const simple[][2] = {
        {"d", "[0-9]"}, {"\"a\"", "a"}, {"\\a", "[aA]"}, {"?", "[a-zA-Z]"}, {"&", "[a-zA-Z0-9]"},
        {"^", "[A-Z]"}, {"/", "/"},     {"\\ ", "[ ]"},  {"{1}", "1"},
    };
    unsigned choice = draw(random, depth > 0 ? 14 : 9);
    if (choice >= 9)
        make_choice(p, random, depth, choice >= 12);
    else
        add(p, simple[choice][0], simple[choice][1]);
    if (choice != 1 && choice < 12 && draw(random, 4) == 0)
        make_repeat(p, random);
}

/* Something that must be there, in braces, since letters beside each other are one word; then
 * anything. */
static void make_sequence(pair *p, uint64_t *random, int depth)
{
    static const char *const words[][2] = {
        {"{ab}", "[aA][bB]"}, {"{b}", "[bB]"}, {"{ba}", "[bB][aA]"}, {"{abb}", "[aA][bB][bB]"}};
    unsigned word = draw(random, 4);
    add(p, words[word][0], words[word][1]);
    for (unsigned count = draw(random, 4); count > 0; count--)
        make_element(p, random, depth);
}

static bool word_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether text cut between `in` and the byte beside it goes on there. */
static bool cut(const char *text, int in, int step)
{
    int beside = in + step, beyond = beside + step, len = (int)strlen(text);
    if (beside < 0 || beside >= len)
        return false;
    if (word_byte(text[in]) && word_byte(text[beside]))
        return true;
    return beyond >= 0 && beyond < len && digit(text[in]) && strchr("-/.:", text[beside]) &&
           digit(text[beyond]);
}

static bool matches(const regex_t *regex, const char *text, int start, int end)
{
    char part[TEXT + 1];
    snprintf(part, sizeof part, "%.*s", end - start, text + start);
    return regexec(regex, part, 0, NULL, 0) == 0;
}

/* From left to right the longest, without overlaps. */
static void expect(char *found, const char *regex, const char *text)
{
    char whole[TEMPLATE + 8];
    regex_t compiled;
    snprintf(whole, sizeof whole, "^(%s)$", regex);
    assert_int_equal(regcomp(&compiled, whole, REG_EXTENDED | REG_NOSUB), 0);
    *found = '\0';
    for (int start = 0, len = (int)strlen(text); start < len; start++) {
        int end = cut(text, start, -1) ? start : len;
        while (end > start && (cut(text, end - 1, 1) || !matches(&compiled, text, start, end)))
            end--;
        if (end > start) {
            sprintf(found + strlen(found), "%d-%d ", start, end);
            start = end - 1;
        }
    }
    regfree(&compiled);
}

static void actual(char *found, const marks *m, const char *rule)
{
    *found = '\0';
    for (size_t i = 0; i < m->proposals.count; i++)
        if (m->proposals.items[i].rule == rule)
            sprintf(found + strlen(found), "%u-%u ", m->proposals.items[i].start,
                    m->proposals.items[i].end);
}

static void random_text(char *text, uint64_t *random)
{
    static const char letters[] = "aaAbbBbaab019 /ab";
    unsigned len = draw(random, TEXT);
    for (unsigned i = 0; i < len; i++)
        text[i] = letters[draw(random, sizeof letters - 1)];
    text[len] = '\0';
}

static void compare(const marks *m, const pair *pairs, const char *text)
{
    size_t first = tacit__templates_count(m->templates) - BATCH;
    for (size_t i = 0; i < BATCH; i++) {
        char expected[1024], found[1024];
        expect(expected, pairs[i].regex, text);
        actual(found, m, tacit__templates_text(m->templates, first + i));
        if (strcmp(expected, found) != 0)
            fail_msg("%s on \"%s\": %sinstead of %s", pairs[i].template, text, found, expected);
    }
}

static void random_templates(void **state)
{
    (void)state;
    for (seed = 1; seed <= many_cases(60); seed++) {
        uint64_t random = seed;
        pair pairs[BATCH] = {0};
        char source[BATCH * (TEMPLATE + 16)] = "";
        for (size_t i = 0; i < BATCH; i++) {
            make_sequence(&pairs[i], &random, 2);
            strcat(strcat(strcat(source, "user 10 "), pairs[i].template), "\n");
        }
        marks m;
        marks_open(&m, source);
        for (int round = 0; round < 20; round++) {
            char text[TEXT + 1];
            random_text(text, &random);
            marks_propose(&m, text);
            compare(&m, pairs, text);
        }
        marks_close(&m);
    }
    seed = 0;
}

enum { LONGEST = 250 }; /* of a match, docs/methods/templates.md */

/* Proposals for a piece of nothing but the unit. */
static void propose_repeated(marks *m, const char *unit)
{
    static char text[TACIT_SCRUB_PIECE];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = unit[i % strlen(unit)];
    m->proposals.count = 0;
    assert_int_equal(tacit__templates_propose(&m->proposals, m->matcher,
                                              (tacit_strview){text, sizeof text}, NULL),
                     TACIT_OK);
    marks_compare_words(m, (tacit_strview){text, sizeof text});
}

/* A whole piece of the worst takes a moment; a step for every two bytes of it would be
 * minutes. No proposal is longer than a match may be. */
static void hostile(void **state)
{
    (void)state;
    static const char *const units[] = {"1",          "a",
                                        "1 ",         "a.",
                                        "1-",         "1/",
                                        "1.",         "@",
                                        "a@",         "(1",
                                        "+1 ",        "http://",
                                        "1:",         "a:",
                                        "[",          "\xff",
                                        "\n",         "tel ",
                                        "call me ",   "call a b c d e f g h ",
                                        "january 1 ", "12 and 6/12 ",
                                        "a-b.c@d-",   "mrn # ",
                                        "0 0 0 "};
    marks m;
    marks_open(&m, "");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        propose_repeated(&m, units[i]);
        for (size_t p = 0; p < m.proposals.count; p++)
            assert_true(m.proposals.items[p].end - m.proposals.items[p].start <= LONGEST);
    }
    marks_close(&m);
}

/* Text of fragments by chance: the states that are kept run out now and then, and what is found
 * does not depend on what was read before. */
static void states_run_out(void **state)
{
    (void)state;
    static const char bytes[] = "0123456789abcdefghijklmnopqrstuvwxyz.-_/:@#, \n";
    enum { LONG = 1 << 16 };
    uint64_t random = 7;
    char *text = malloc(LONG);
    marks used, fresh;
    marks_open(&used, "");
    for (int round = 0; round < 4; round++) {
        for (size_t i = 0; i < LONG; i++)
            text[i] = bytes[draw(&random, sizeof bytes - 1)];
        used.proposals.count = 0;
        tacit__templates_propose(&used.proposals, used.matcher, (tacit_strview){text, LONG}, NULL);
    }
    marks_open(&fresh, "");
    tacit__templates_propose(&fresh.proposals, fresh.matcher, (tacit_strview){text, LONG}, NULL);
    assert_int_equal(used.proposals.count, fresh.proposals.count);
    for (size_t i = 0; i < fresh.proposals.count; i++) {
        assert_int_equal(used.proposals.items[i].start, fresh.proposals.items[i].start);
        assert_int_equal(used.proposals.items[i].end, fresh.proposals.items[i].end);
        assert_string_equal(used.proposals.items[i].rule, fresh.proposals.items[i].rule);
    }
    marks_close(&fresh);
    marks_close(&used);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(random_templates, &seed),
        cmocka_unit_test(hostile),
        cmocka_unit_test(states_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
