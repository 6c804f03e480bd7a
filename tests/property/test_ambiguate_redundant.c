/*
 * test_ambiguate_redundant.c - the attack on minimal suppression: what the state says is
 * revealed against a naive attack, which writes every value into every blank and counts alpha
 * anew; and blanks added until the naive attack finds nothing, within limits or not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ambiguate.h"
#include "random_cases.h"
#include "records/ambiguate/redundant.h"

static uint64_t seed;

/* A release: codes, and which of them are blank. */
typedef struct release {
    int rows, columns;
    uint32_t code[AMBIGUATE_ROWS][8];
    bool blank[AMBIGUATE_ROWS][8];
} release;

static void release_of(release *r, const naive_rows *n)
{
    r->rows = n->count;
    r->columns = n->t->columns;
    for (int i = 0; i < r->rows; i++)
        for (int c = 0; c < r->columns; c++) {
            r->code[i][c] = tacit__tableau_codes(n->t, n->class_of[i])[c];
            r->blank[i][c] = n->mask[i] >> c & 1;
        }
}

static int64_t least_alpha(const release *r)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < r->rows; i++) {
        int64_t alpha = 0;
        for (int j = 0; j < r->rows; j++) {
            bool agree = true;
            for (int c = 0; c < r->columns; c++)
                agree &= r->blank[i][c] || r->blank[j][c] || r->code[i][c] == r->code[j][c];
            alpha += agree;
        }
        least = alpha < least ? alpha : least;
    }
    return least;
}

/* How many values are left for a blank; *only is the last of them. */
static int values_left(uint32_t *only, release *r, const tacit__tableau *t, int row, int column)
{
    uint32_t was = r->code[row][column];
    int left = 0;
    r->blank[row][column] = false;
    for (uint32_t v = 0; v < t->domain[column]; v++) {
        bool occurs = false;
        for (int64_t i = 0; i < t->classes; i++)
            occurs |= tacit__tableau_codes(t, i)[column] == v;
        r->code[row][column] = v;
        if (occurs && least_alpha(r) < t->k) {
            *only = v;
            left++;
        }
    }
    r->code[row][column] = was;
    r->blank[row][column] = true;
    return left;
}

static int naive_revealed(const tacit__tableau *t, const tacit__blanking *plan)
{
    naive_rows n;
    release r;
    int revealed = 0;
    uint32_t only;
    naive_start(&n, t, plan);
    release_of(&r, &n);
    for (int i = 0; i < r.rows; i++)
        for (int c = 0; c < r.columns; c++)
            revealed += r.blank[i][c] && values_left(&only, &r, t, i, c) == 1;
    return revealed;
}

/* What the trial sees in all, and cell by cell. */
static void compare_attacks(const tacit__tableau *t, tacit__state *state)
{
    tacit__trial trial;
    tacit__blanking plan = {0};
    naive_rows n = {.t = t};
    release r;
    int row = 0;
    assert_int_equal(tacit__state_plan(&plan, state, NULL), TACIT_OK);
    assert_int_equal(tacit__trial_init(&trial, state, NULL, NULL), TACIT_OK);
    assert_int_equal(trial.revealed, naive_revealed(t, &plan));
    for (int64_t i = 0; i < tacit__state_count(state); i++)
        for (int64_t k = 0; k < tacit__state_item(state, i)->rows; k++)
            naive_add(&n, tacit__state_item(state, i)->class_index,
                      tacit__state_item(state, i)->mask, 0);
    release_of(&r, &n);
    for (int64_t i = 0; i < tacit__state_count(state); i++) {
        const tacit__item *item = tacit__state_item(state, i);
        for (int c = 0; item->rows > 0 && c < t->columns; c++) {
            uint32_t only = 0;
            if (!(item->mask >> c & 1))
                continue;
            tacit__left left = tacit__trial_left(&trial, (uint32_t)i, c);
            assert_false(trial.failed);
            assert_int_equal(left.values, values_left(&only, &r, t, row, c));
        }
        row += (int)item->rows;
    }
    tacit__trial_clear(&trial);
    tacit__blanking_clear(&plan);
}

/* A random tableau whose blanks keep k; small where few rows or values are asked for. */
static bool start(tacit__tableau *t, tacit__blanking *plan, tacit__state **state, uint64_t *random,
                  int rows, int columns, bool minimal)
{
    int64_t removed;
    tableau_random(t, random, rows, columns, 4, true);
    plan_random(plan, t, random, 1 + draw(random, 3), draw(random, 4) == 0);
    bool enough = naive_least(t, plan) >= t->k;
    assert_int_equal(tacit__state_new(state, t, plan, NULL, NULL), TACIT_OK);
    if (minimal)
        assert_int_equal(tacit__state_minimize(&removed, *state, false, NULL, NULL), TACIT_OK);
    return enough;
}

static void test_attack(void **state)
{
    (void)state;
    int cases = 0;
    for (seed = 1; seed <= many_cases(2000); seed++) {
        uint64_t random = seed;
        tacit__tableau t;
        tacit__blanking plan;
        tacit__state *s = NULL;
        if (start(&t, &plan, &s, &random, 8, 4, seed % 2)) {
            compare_attacks(&t, s);
            cases++;
        }
        tacit__state_free(s);
        tacit__blanking_clear(&plan);
        tacit__tableau_clear(&t);
    }
    assert_true(cases > 300);
    seed = 0;
}

/* A trial that is taken back leaves what was; one that is settled is what a new one sees. */
static void test_trials(void **state)
{
    (void)state;
    for (seed = 1; seed <= many_cases(300); seed++) {
        uint64_t random = seed;
        tacit__tableau t;
        tacit__blanking plan;
        tacit__state *s = NULL;
        tacit__trial trial, fresh;
        if (start(&t, &plan, &s, &random, 40, 4, true)) {
            assert_int_equal(tacit__trial_init(&trial, s, NULL, NULL), TACIT_OK);
            for (int i = 0; i < 20; i++) {
                int64_t before = trial.revealed;
                for (uint32_t steps = 1 + draw(&random, 3); steps > 0; steps--) {
                    uint32_t item = draw(&random, (uint32_t)tacit__state_count(s));
                    int32_t c = (int32_t)draw(&random, (uint32_t)t.columns);
                    const tacit__item *at = tacit__state_item(s, item);
                    if (at->rows > 0 && tacit__trial_allows(&trial, item, 1, UINT64_C(1) << c))
                        tacit__trial_blank(&trial, item, 1 + draw(&random, (uint32_t)at->rows), c);
                }
                tacit__trial_settle(&trial);
                assert_false(trial.failed);
                assert_int_equal(tacit__trial_init(&fresh, s, NULL, NULL), TACIT_OK);
                assert_int_equal(trial.revealed, fresh.revealed);
                tacit__trial_clear(&fresh);
                if (i % 4 == 3)
                    tacit__trial_keep(&trial);
                else {
                    tacit__trial_undo(&trial);
                    assert_false(trial.failed);
                    assert_int_equal(trial.revealed, before);
                }
            }
            tacit__trial_clear(&trial);
        }
        tacit__state_free(s);
        tacit__blanking_clear(&plan);
        tacit__tableau_clear(&t);
    }
    seed = 0;
}

/* Blanks are added, none goes, nothing is revealed, limits are kept. */
static void check_redundant(int rows, int columns, bool limits, int *refused)
{
    uint64_t random = seed;
    tacit__tableau t;
    tacit__blanking plan;
    tacit__state *s = NULL;
    tacit_error err = {0};
    int64_t added = -1;
    bool enough = start(&t, &plan, &s, &random, rows, columns, true);
    assert_int_equal(tacit__state_plan(&plan, s, NULL), TACIT_OK);
    int64_t before = naive_cells(&plan);
    for (int64_t b = 0; limits && b < plan.count; b++) { /* what is there is within them */
        int blanks = __builtin_popcountll(plan.blanks[b].mask);
        t.most_row = b == 0 || blanks > t.most_row ? blanks : t.most_row;
    }
    tacit_status status = tacit__state_redundant(&added, s, NULL, &err);
    if (status == TACIT_INFEASIBLE && limits) {
        assert_int_equal(added, -1);
        assert_non_null(strstr(err.message, "allow more"));
        ++*refused;
    } else {
        assert_int_equal(status, TACIT_OK);
        assert_int_equal(tacit__state_plan(&plan, s, NULL), TACIT_OK);
        assert_int_equal(naive_cells(&plan), before + added);
        assert_true(naive_limits(&t, &plan));
        if (enough) {
            assert_true(naive_least(&t, &plan) >= t.k);
            assert_int_equal(naive_revealed(&t, &plan), 0);
        } else
            assert_int_equal(added, 0);
    }
    tacit__state_free(s);
    tacit__blanking_clear(&plan);
    tacit__tableau_clear(&t);
}

static void test_redundant(void **state)
{
    (void)state;
    int refused = 0;
    for (seed = 1; seed <= many_cases(2000); seed++)
        check_redundant(8, 4, false, &refused);
    for (seed = 1; seed <= many_cases(60); seed++)
        check_redundant(40, 4, false, &refused);
    assert_int_equal(refused, 0);
    for (seed = 1; seed <= many_cases(1000); seed++)
        check_redundant(10, 4, true, &refused);
    assert_true(refused > 0 && (uint64_t)refused < many_cases(1000) / 2);
    seed = 0;
}

/* The paper's: of two rows with the values 0 and 1 one is blank, and must then have the other
 * value; only both blank reveal nothing. */
static void test_two_rows(void **state)
{
    (void)state;
    tacit__tableau t;
    tacit__blanking plan = {0};
    tacit__state *s = NULL;
    tacit_error err = {0};
    int64_t added = -1;
    tableau_golden(&t, &TWO_ROWS, 2);
    assert_int_equal(tacit__blanking_add(&plan, (tacit__blank){0, 1, 1, 0}, NULL), TACIT_OK);
    assert_int_equal(naive_revealed(&t, &plan), 1);
    assert_int_equal(tacit__state_new(&s, &t, &plan, NULL, NULL), TACIT_OK);
    t.most_column = 1;
    assert_int_equal(tacit__state_redundant(&added, s, NULL, &err), TACIT_INFEASIBLE);
    assert_string_equal(
        err.message,
        "anyone who knows that no blank could be left out works out 1 of them, and the limits "
        "leave no room for blanks against that: allow more than 1 in a column");
    t.most_column = 2;
    assert_int_equal(tacit__state_redundant(&added, s, NULL, &err), TACIT_OK);
    assert_int_equal(added, 1);
    assert_int_equal(tacit__state_plan(&plan, s, NULL), TACIT_OK);
    assert_int_equal(naive_cells(&plan), 2);
    assert_int_equal(naive_revealed(&t, &plan), 0);
    tacit__state_free(s);
    tacit__blanking_clear(&plan);
    tacit__tableau_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(test_attack, &seed),
        random_test(test_trials, &seed),
        random_test(test_redundant, &seed),
        cmocka_unit_test(test_two_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
