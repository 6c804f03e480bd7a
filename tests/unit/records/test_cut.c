/*
 * test_cut.c - suppression with many quasi-identifiers, and with more attributes than a word has
 * bits: the groups of all sets kept, a set at a time, and counted row by row agree.
 */
#include "records.h"
#include "records/apply/cut.h"

#include "base/bitset.h"

enum { ROWS = 40, MAX_SETS = 150, WIDE = 130 };

/* Attributes that are the same everywhere, before, between and behind those that differ. */
static void make_table(fixture *f, uint64_t *seed, int32_t attributes, int32_t differ)
{
    char *text = malloc((size_t)(ROWS + 1) * (size_t)attributes * 6), *at = text;
    for (int32_t a = 0; a < attributes; a++)
        at += sprintf(at, "%sc%d", a ? "," : "", a);
    for (int r = 0; r < ROWS; r++) {
        *at++ = '\n';
        for (int32_t a = 0; a < attributes; a++)
            at += sprintf(at, "%s%u", a ? "," : "",
                          a % (attributes / differ) == 0 ? next_number(seed, 3) : 7);
    }
    fixture_open(f, text);
    for (int32_t a = 0; a < attributes; a++) {
        char name[16];
        sprintf(name, "c%d", a);
        fixture_none(f, name);
    }
    free(text);
}

static bool alike(const fixture *f, int64_t a, int64_t b, const uint64_t *set)
{
    for (int32_t i = 0; i < f->frame.attribute_count; i++)
        if ((!set || tacit__bit_get(set, i)) && value_on(f, a, i, 0) != value_on(f, b, i, 0))
            return false;
    return true;
}

/* People, each once, among the rows that are left and like this one on a set. */
static int64_t people_like(const fixture *f, int64_t row, const uint64_t *set, const bool *gone)
{
    int64_t people = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        bool counts = !gone[i] && alike(f, row, i, set);
        for (int64_t j = 0; counts && j < i; j++)
            counts = gone[j] || person_of(f, i) != person_of(f, j) || !alike(f, row, j, set);
        people += counts;
    }
    return people;
}

/* By definition: while some set has a group below k, its rows go, with all of their classes. */
static int64_t gone_by_definition(const fixture *f, int64_t k)
{
    bool gone[ROWS] = {false};
    int64_t rows = 0;
    size_t words = tacit__bitset_words(f->frame.attribute_count);
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t s = 0; s < f->frame.set_count; s++)
            for (int64_t r = 0; r < ROWS; r++) {
                if (gone[r] || people_like(f, r, f->frame.sets + (size_t)s * words, gone) >= k)
                    continue;
                changed = true;
                for (int64_t i = ROWS - 1; i >= 0; i--)
                    if (!gone[i] && alike(f, r, i, NULL)) {
                        gone[i] = true;
                        rows++;
                    }
            }
    }
    return rows;
}

static void draw_sets(uint64_t *sets, const fixture *f, uint64_t *seed, int32_t differ)
{
    int32_t count = f->frame.attribute_count, apart = count / differ;
    size_t words = tacit__bitset_words(count);
    for (int32_t s = 0; s < f->frame.set_count; s++) {
        memset(sets + (size_t)s * words, 0, words * sizeof *sets);
        for (int i = 0; i < 3; i++)
            tacit__bit_set(sets + (size_t)s * words,
                           (int64_t)next_number(seed, (uint32_t)differ) * apart);
        tacit__bit_set(sets + (size_t)s * words, next_number(seed, (uint32_t)count));
    }
}

static void check_case(uint64_t *seed, int32_t attributes, int32_t differ)
{
    static uint64_t sets[MAX_SETS * ((WIDE + 63) / 64)];
    const int ground[WIDE] = {0};
    fixture *f = malloc(sizeof *f);
    tacit_classes *classes = NULL;
    tacit__cut kept, in_turn;
    tacit_run run;
    tacit_run_init(&run);
    make_table(f, seed, attributes, differ);
    f->frame.person = next_number(seed, 2) ? 0 : -1;
    f->frame.sets = sets;
    f->frame.set_count = 1 + (int32_t)next_number(seed, MAX_SETS);
    draw_sets(sets, f, seed, differ);
    int64_t k = 2 + next_number(seed, 2);
    assert_int_equal(tacit_classes_new(&classes, &f->frame, ground, &run, NULL), TACIT_OK);
    assert_int_equal(tacit__cut_init(&kept, &f->frame, classes, k, &run, NULL), TACIT_OK);
    assert_int_equal(tacit__cut_begin(&in_turn, &f->frame, classes, k, &run, NULL), TACIT_OK);
    in_turn.set_count = f->frame.set_count;
    assert_int_equal(tacit__cut_settle(&in_turn, NULL), TACIT_OK);
    assert_int_equal(kept.rows, gone_by_definition(f, k));
    assert_int_equal(in_turn.rows, kept.rows);
    assert_int_equal(in_turn.people, kept.people);
    assert_memory_equal(in_turn.gone, kept.gone,
                        tacit__bitset_words(tacit_classes_count(classes)) * sizeof *kept.gone);
    if (kept.rows < ROWS) {
        bool largest = next_number(seed, 2);
        assert_int_equal(tacit__cut_complement(&kept, largest, NULL), TACIT_OK);
        assert_int_equal(tacit__cut_complement(&in_turn, largest, NULL), TACIT_OK);
        assert_int_equal(in_turn.rows, kept.rows);
        assert_int_equal(in_turn.part_of, kept.part_of);
        assert_int_equal(in_turn.part_people, kept.part_people);
    }
    tacit__cut_clear(&kept);
    tacit__cut_clear(&in_turn);
    tacit_classes_free(classes);
    fixture_close(f);
    free(f);
}

static void many_sets(void **state)
{
    (void)state;
    uint64_t seed = 28;
    for (int i = 0; i < 60; i++)
        check_case(&seed, 6, 6);
}

static void wide_sets(void **state)
{
    (void)state;
    uint64_t seed = 29;
    for (int i = 0; i < 20; i++)
        check_case(&seed, 66 + (int32_t)next_number(&seed, WIDE - 66), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_sets), cmocka_unit_test(wide_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
