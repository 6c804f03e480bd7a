/*
 * test_letters.c - the letter model on every tenth word, from which it has learned nothing:
 * does it tell names from words? And the names it makes up: names in form, nobody's, the
 * same from the same seed.
 */
#include "lexicon_list.h"

#include "text/lexicon/fold.h"
#include "text/lexicon/letters.h"
#include "text/lexicon/tables.h"

typedef struct scored {
    int ratio;
    bool wanted;
} scored;

static int by_ratio(const void *a, const void *b)
{
    const scored *x = a, *y = b;
    return (x->ratio > y->ratio) - (x->ratio < y->ratio);
}

/* The share of pairs of one of each kind in which the wanted one has the higher ratio, equal
 * ones counting half: the area under the curve. */
static double area_under(scored *scores, size_t count)
{
    double below = 0, wins = 0, wanted = 0, others = 0;
    qsort(scores, count, sizeof *scores, by_ratio);
    for (size_t i = 0; i < count;) {
        double same[2] = {0, 0};
        size_t end = i;
        for (; end < count && scores[end].ratio == scores[i].ratio; end++)
            same[scores[end].wanted]++;
        wins += same[1] * (below + same[0] / 2);
        below += same[0];
        wanted += same[1];
        others += same[0];
        i = end;
    }
    return wins / (wanted * others);
}

static bool only_letters(const char *text)
{
    for (; *text; text++)
        if (tacit__letter(*text) == 0)
            return false;
    return true;
}

/* Held-out words that are in one of two sets of lists; with `both`, also those in both, as
 * one of each. */
static double measure(tacit__letters_kind kind, tacit__letters_kind against, uint32_t in,
                      uint32_t out, bool both)
{
    listed_words list = listed_read();
    scored *scores = calloc(2 * list.count, sizeof *scores);
    size_t count = 0;
    assert_non_null(scores);
    for (size_t i = 0; i < list.count; i++) {
        const listed_word *word = &list.words[i];
        bool wanted = word->entry.lists & in, other = word->entry.lists & out;
        size_t len = strlen(word->text);
        if (!tacit__held_out(tacit__hash_bytes128(word->text, len)) || !only_letters(word->text) ||
            len < 2 || (wanted && other && !both))
            continue;
        tacit__letters_score score;
        tacit__letters_read(&score, (tacit_strview){.bytes = word->text, .len = len});
        int ratio = tacit__letters_ratio(&score, kind, against);
        if (wanted)
            scores[count++] = (scored){.ratio = ratio, .wanted = true};
        if (other)
            scores[count++] = (scored){.ratio = ratio, .wanted = false};
    }
    double area = area_under(scores, count);
    free(scores);
    free(list.words);
    return area;
}

static const uint32_t words = 1u << TACIT__LIST_WORD;

static void tells_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        tacit__letters_kind kind;
        uint32_t lists;
        double least, least_both;
    } cases[] = {
        {"surnames", TACIT__LETTERS_SURNAME, 1u << TACIT__LIST_SURNAME, 0.9, 0.85},
        {"first names", TACIT__LETTERS_FIRST, 1u << TACIT__LIST_FIRST, 0.9, 0.85},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double only = measure(cases[i].kind, TACIT__LETTERS_WORD, cases[i].lists, words, false);
        double both = measure(cases[i].kind, TACIT__LETTERS_WORD, cases[i].lists, words, true);
        print_message("%s and words: %.4f, with those that are both %.4f\n", cases[i].name, only,
                      both);
        assert_true(only > cases[i].least);
        assert_true(both > cases[i].least_both);
    }
}

static void tells_medical_terms(void **state)
{
    (void)state;
    uint32_t medical = 1u << TACIT__LIST_DISEASE | 1u << TACIT__LIST_DRUG | 1u << TACIT__LIST_BODY;
    double area = measure(TACIT__LETTERS_MEDICAL, TACIT__LETTERS_SURNAME, medical,
                          1u << TACIT__LIST_SURNAME, false);
    print_message("medical terms and surnames: %.4f\n", area);
    assert_true(area > 0.9);
}

/* The costs of all letters after three others are probabilities that sum to about one. */
static void sums_to_one(void **state)
{
    (void)state;
    const tacit__letter_cost *costs = tacit__tables_at(tacit__tables.costs_at);
    for (size_t row = 0; row < TACIT__LETTERS_TABLE; row += TACIT__LETTERS)
        for (int kind = 0; kind < TACIT__LETTERS_KINDS; kind++) {
            double sum = 0;
            for (size_t i = 0; i < TACIT__LETTERS; i++)
                sum += __builtin_exp2(-(double)costs[row + i].of[kind] / TACIT__LETTERS_UNIT);
            assert_true(sum > 0.95 && sum < 1.05);
        }
}

static void reads_anything(void **state)
{
    (void)state;
    tacit__letters_score one, two;
    tacit__letters_read(&one, tacit_strview_of("12-\xFF\x80'"));
    assert_int_equal(one.letters, 0);
    assert_int_equal(one.cost[TACIT__LETTERS_WORD], 0);
    tacit__letters_read(&one, (tacit_strview){.bytes = "\0\0", .len = 2});
    assert_int_equal(one.letters, 0);
    tacit__letters_read(&one, tacit_strview_of("--O'Brien\xFF"));
    tacit__letters_read(&two, tacit_strview_of("o'brien"));
    assert_memory_equal(&one, &two, sizeof one);
    assert_int_equal(one.letters, 6);
    char longest[1000];
    memset(longest, 'e', sizeof longest);
    tacit__letters_read(&one, (tacit_strview){.bytes = longest, .len = sizeof longest});
    assert_int_equal(one.letters, 0);
}

static void stream(tacit__random *random, const tacit_run *run, tacit__letters_kind kind)
{
    tacit__random_init(random, run, "name", (uint32_t)kind);
}

static void check_made_up(const tacit__made_up *name, tacit__letters_kind kind)
{
    tacit__lexicon_entry entry;
    tacit__letters_score score;
    tacit_strview view = {.bytes = name->name, .len = name->len};
    assert_int_equal(strlen(name->name), name->len);
    assert_in_range(name->len, TACIT__LETTERS_SHORTEST, TACIT__LETTERS_LONGEST);
    assert_in_range(name->name[0], 'A', 'Z');
    assert_true(only_letters(name->name + 1));
    assert_false(tacit__lexicon_find(&entry, view));
    tacit__letters_read(&score, view);
    assert_true(tacit__letters_ratio(&score, kind, TACIT__LETTERS_WORD) > 0);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const tacit__made_up *)a)->name, ((const tacit__made_up *)b)->name);
}

static void makes_up(void **state)
{
    (void)state;
    enum { NAMES = 2000 };
    static tacit__made_up names[NAMES];
    for (tacit__letters_kind kind = TACIT__LETTERS_SURNAME; kind <= TACIT__LETTERS_FIRST; kind++) {
        tacit_run run;
        tacit__random random, again;
        size_t different = 1;
        tacit_run_init(&run);
        tacit_run_seed_number(&run, 7);
        stream(&random, &run, kind);
        stream(&again, &run, kind);
        for (int i = 0; i < NAMES; i++) {
            tacit__made_up twin;
            assert_true(tacit__letters_make_up(&names[i], kind, &random));
            assert_true(tacit__letters_make_up(&twin, kind, &again));
            assert_string_equal(names[i].name, twin.name);
            check_made_up(&names[i], kind);
        }
        qsort(names, NAMES, sizeof names[0], by_text);
        for (int i = 1; i < NAMES; i++)
            different += by_text(&names[i - 1], &names[i]) != 0;
        assert_true(different > NAMES * 95 / 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_names), cmocka_unit_test(tells_medical_terms),
        cmocka_unit_test(sums_to_one), cmocka_unit_test(reads_anything),
        cmocka_unit_test(makes_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
