/*
 * test_ksimilar_random.c - k-similar on random tables: minimals and complements
 * against their definitions, by looking at every set of k tuples, and releases
 * against what k-anonymity means.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include "cells.h"
#include "random_cases.h"

#include "records/ksimilar/ksimilar.h"

enum { CASES = 400, MAX_TUPLES = 11 };

/* A few columns with masks of one to three digits. */
static void draw_table(fixture *f, uint64_t *random, uint32_t most_rows)
{
    char text[4096] = "a,b,c\n";
    uint32_t rows = 1 + next_number(random, most_rows), values = 2 + next_number(random, 12);
    for (uint32_t i = 0; i < rows; i++) {
        for (int column = 0; column < 3; column++) {
            char *end = text + strlen(text);
            if (next_number(random, 12) > 0)
                sprintf(end, "%u%s", next_number(random, values) * 7 % 30, column < 2 ? "," : "");
            else
                strcpy(end, column < 2 ? "," : "");
        }
        strcat(text, "\n");
    }
    fixture_open(f, text);
    fixture_mask(f, "a");
    fixture_none(f, "b");
    fixture_mask(f, "c");
    for (int i = 0; i < 3; i++)
        f->attributes[i].least_level = next_number(random, 5) == 0;
}

static int64_t distance_of(const tacit__clique *clique, uint32_t set)
{
    uint32_t tuples[MAX_TUPLES];
    uint8_t vector[TACIT_MAX_ATTRIBUTES];
    int64_t count = 0;
    for (uint32_t t = 0; t < MAX_TUPLES; t++)
        if (set >> t & 1)
            tuples[count++] = t;
    tacit__clique_span(vector, clique, tuples, count);
    return tacit__clique_distance(clique, vector);
}

/* Whether a set is a closest one for one of its tuples. */
static bool is_minimal(const tacit__clique *clique, uint32_t set)
{
    for (int32_t t = 0; t < clique->tuples; t++) {
        bool closest = set >> t & 1;
        for (uint32_t other = 0; closest && other < 1U << clique->tuples; other++)
            if (__builtin_popcount(other) == clique->k && other >> t & 1)
                closest = distance_of(clique, set) <= distance_of(clique, other);
        if (closest)
            return true;
    }
    return false;
}

/* Whether without its tuples every other still has a minimal. */
static bool is_complement(const uint32_t *sets, int64_t count, int64_t candidate)
{
    uint32_t all = 0, left = 0;
    for (int64_t i = 0; i < count; i++) {
        all |= sets[i];
        if (!(sets[i] & sets[candidate]))
            left |= sets[i];
    }
    return left == (all & ~sets[candidate]);
}

static void check_sets(tacit__clique *clique, const tacit__minimals *minimals)
{
    static uint32_t sets[1 << MAX_TUPLES];
    static int64_t chosen[1 << MAX_TUPLES];
    int64_t found = 0, at = 0, expected = 0;
    uint32_t taken = 0;
    for (int64_t i = 0; i < minimals->count; i++) {
        sets[i] = 0;
        for (int64_t j = 0; j < minimals->k; j++)
            sets[i] |= 1U << minimals->members[i * minimals->k + j];
        assert_true(is_minimal(clique, sets[i]));
        for (int64_t j = 0; j < i; j++)
            assert_true(sets[i] != sets[j]);
    }
    for (uint32_t set = 0; set < 1U << clique->tuples; set++)
        expected += __builtin_popcount(set) == clique->k && is_minimal(clique, set);
    assert_int_equal(minimals->count, expected);
    assert_int_equal(tacit__complements(&found, chosen, minimals, clique, NULL), TACIT_OK);
    for (int64_t i = 0; i < minimals->count; i++) {
        bool is_chosen = at < found && chosen[at] == i;
        assert_int_equal(is_chosen, !(sets[i] & taken) && is_complement(sets, minimals->count, i));
        at += is_chosen;
        taken |= is_chosen ? sets[i] : 0;
    }
    assert_int_equal(at, found);
}

static void test_minimals(void **state)
{
    uint64_t *seed = *state, cases = many_cases(CASES);
    static const int ground[3] = {0};
    static const uint32_t all[MAX_TUPLES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    for (*seed = 1; *seed <= cases / 4; ++*seed) {
        uint64_t random = *seed;
        fixture f;
        tacit_run run;
        tacit_classes *classes = NULL;
        tacit__clique clique;
        tacit__minimals minimals;
        tacit_run_init(&run);
        draw_table(&f, &random, MAX_TUPLES);
        uint32_t rows = (uint32_t)tacit_table_rows(f.table);
        tacit_records_options options = {.k = 1 + next_number(&random, rows < 4 ? rows : 4)};
        assert_int_equal(tacit_classes_new(&classes, &f.frame, ground, &run, NULL), TACIT_OK);
        assert_int_equal(tacit__clique_init(&clique, &f.frame, classes, &options, &run, NULL),
                         TACIT_OK);
        assert_int_equal(tacit__minimals_init(&minimals, &clique, all, (int32_t)rows, NULL),
                         TACIT_OK);
        check_sets(&clique, &minimals);
        tacit__minimals_clear(&minimals);
        tacit__clique_clear(&clique);
        tacit_classes_free(classes);
        fixture_close(&f);
    }
    *seed = 0;
}

static void test_releases(void **state)
{
    uint64_t *seed = *state, cases = many_cases(CASES);
    for (*seed = 1; *seed <= cases; ++*seed) {
        uint64_t random = *seed;
        fixture f;
        outcome o, again;
        draw_table(&f, &random, 40);
        uint32_t rows = (uint32_t)tacit_table_rows(f.table);
        tacit_records_options options = {.k = 1 + next_number(&random, rows < 4 ? rows : 4)};
        tacit_apply_options apply = {.keep_order = true};
        solve_cells(&o, &f, "k-similar", &options);
        assert_true(fewest_people(&o, &f) >= options.k);
        assert_true(o.metrics.smallest_class >= options.k);
        check_generalizes(&o, &f);
        assert_int_equal(solve_by(&again, &f, "k-similar", &options, &apply, 1, 3, NULL), TACIT_OK);
        check_same(&o, &again, &f);
        outcome_clear(&again);
        outcome_clear(&o);
        fixture_close(&f);
    }
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(test_minimals, &seed),
        random_test(test_releases, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
