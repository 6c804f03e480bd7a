/*
 * test_ambiguate_heuristic_parts.c - the paper's heuristics where the golden and the random tests
 * do not look: empty and safe tables, prime implicants by themselves, orders, costs, threads, what
 * is refused, and stopping.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ambiguate.h"
#include "records/ambiguate/sheet.h"

static const tacit_ambiguate_way WAYS[] = {TACIT_AMBIGUATE_A,     TACIT_AMBIGUATE_B,
                                           TACIT_AMBIGUATE_C,     TACIT_AMBIGUATE_D,
                                           TACIT_AMBIGUATE_SHORT, TACIT_AMBIGUATE_SHORT_D};
enum { WAY_COUNT = sizeof WAYS / sizeof WAYS[0] };

static tacit_status call(tacit__blanking *plan, const tacit__tableau *t, tacit_ambiguate_way way,
                         const tacit_run *run, tacit_error *err)
{
    tacit_ambiguate how = {.way = way};
    *plan = (tacit__blanking){0};
    if (way == TACIT_AMBIGUATE_A)
        return tacit__ambiguate_whole(plan, t, &how, run, err);
    if (way == TACIT_AMBIGUATE_B)
        return tacit__ambiguate_often(plan, t, &how, run, err);
    return tacit__ambiguate_rowwise(plan, t, &how, run, err);
}

/* Rows of two columns, each a digit of the text. */
static void tableau_text(tacit__tableau *t, const char *rows, int64_t k)
{
    tableau_start(t, 2, 20, k);
    for (; *rows; rows += rows[2] ? 3 : 2)
        tableau_row(t, (uint32_t[]){(uint32_t)(rows[0] - '0'), (uint32_t)(rows[1] - '0')});
}

/* ---- tables in which nothing, or everything, is to be done ---- */

static void test_nothing_to_do(void **state)
{
    (void)state;
    static const struct {
        const char *rows;
        int64_t k;
    } cases[] = {{"", 2},      {"00", 1},          {"00 11 22", 1},
                 {"00 00", 2}, {"00 11 00 11", 2}, {"00 00 00 11 11 11", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int w = 0; w < WAY_COUNT; w++) {
            tacit__tableau t;
            tacit__blanking plan;
            tableau_text(&t, cases[i].rows, cases[i].k);
            assert_int_equal(call(&plan, &t, WAYS[w], NULL, NULL), TACIT_OK);
            assert_int_equal(plan.count, 0);
            tacit__blanking_clear(&plan);
            tacit__tableau_clear(&t);
        }
}

static void test_too_few_rows(void **state)
{
    (void)state;
    for (int w = 0; w < WAY_COUNT; w++) {
        tacit__tableau t;
        tacit__blanking plan;
        tacit_error err = {0};
        tableau_text(&t, "00 11 01", 4);
        assert_int_equal(call(&plan, &t, WAYS[w], NULL, &err), TACIT_INFEASIBLE);
        assert_string_equal(err.message,
                            "the table has 3 rows, fewer than k = 4: no blanks make a row agree "
                            "with so many; lower k or add rows");
        assert_int_equal(plan.count, 0);
        tacit__tableau_clear(&t);
    }
}

/* A: the first k - 1 rows, class by class. */
static void test_whole(void **state)
{
    (void)state;
    tacit__tableau t;
    tacit__blanking plan;
    tableau_text(&t, "00 11 00 22 33", 4);
    assert_int_equal(call(&plan, &t, TACIT_AMBIGUATE_A, NULL, NULL), TACIT_OK);
    assert_int_equal(plan.count, 2);
    assert_int_equal(plan.blanks[0].rows, 2);
    assert_int_equal(plan.blanks[1].class_index, 1);
    assert_int_equal(plan.blanks[1].rows, 1);
    assert_int_equal(plan.blanks[1].mask, 3);
    assert_true(naive_least(&t, &plan) >= 4);
    tacit__blanking_clear(&plan);
    tacit__tableau_clear(&t);
}

/* ---- costs ---- */

/* Row 1 can agree with row 0 by its first cell and with row 2 by its second. */
static void test_costs(void **state)
{
    (void)state;
    static const tacit_ambiguate_way ways[] = {TACIT_AMBIGUATE_B, TACIT_AMBIGUATE_C,
                                               TACIT_AMBIGUATE_SHORT, TACIT_AMBIGUATE_SHORT_D};
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++)
        for (int dear = 0; dear < 2; dear++) {
            tacit__tableau t;
            tacit__blanking plan;
            tableau_text(&t, "00 00 10 11 11", 2);
            for (int64_t i = 0; i < t.classes; i++)
                t.costs[i * 2 + dear] = 3;
            t.unit = false;
            assert_int_equal(call(&plan, &t, ways[w], NULL, NULL), TACIT_OK);
            assert_int_equal(plan.count, 1);
            assert_int_equal(plan.blanks[0].mask, 1 << !dear);
            tacit__blanking_clear(&plan);
            tacit__tableau_clear(&t);
        }
}

/* ---- orders ---- */

static void test_orders(void **state)
{
    (void)state;
    static const struct {
        tacit_ambiguate_order order;
        const char *places;
    } cases[] = {{TACIT_ORDER_FILE, "0123"},
                 {TACIT_ORDER_REVERSE, "3210"},
                 {TACIT_ORDER_HARDEST, "1203"}, /* the third is two columns from all others */
                 {TACIT_ORDER_EASIEST, "0132"}};
    tacit__tableau t;
    tacit__blank_sheet sheet;
    tacit_run run;
    tacit_run_init(&run);
    tableau_text(&t, "00 01 33 11", 2);
    assert_int_equal(tacit__blank_sheet_init(&sheet, &t, NULL), TACIT_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t *places = NULL;
        assert_int_equal(tacit__ambiguate_places(&places, &sheet, cases[i].order, &run, NULL),
                         TACIT_OK);
        for (int c = 0; c < 4; c++)
            assert_int_equal(places[c], cases[i].places[c] - '0');
        tacit__free(places);
    }
    tacit__blank_sheet_clear(&sheet);
    tacit__tableau_clear(&t);
}

/* By chance: every class has a place, seeds differ, and a seed gives the same again. */
static void test_random_order(void **state)
{
    (void)state;
    tacit__tableau t;
    tacit__blank_sheet sheet;
    uint32_t *places[3];
    tableau_start(&t, 1, 50, 2);
    for (uint32_t i = 0; i < 50; i++)
        tableau_row(&t, &i);
    assert_int_equal(tacit__blank_sheet_init(&sheet, &t, NULL), TACIT_OK);
    for (int i = 0; i < 3; i++) {
        uint64_t seen = 0;
        tacit_run run;
        tacit_run_init(&run);
        tacit_run_seed_number(&run, i == 0 ? 1 : 2);
        assert_int_equal(
            tacit__ambiguate_places(&places[i], &sheet, TACIT_ORDER_RANDOM, &run, NULL), TACIT_OK);
        for (int c = 0; c < 50; c++)
            seen |= UINT64_C(1) << places[i][c];
        assert_int_equal(seen, (UINT64_C(1) << 50) - 1);
    }
    assert_memory_not_equal(places[0], places[1], 50 * sizeof **places);
    assert_memory_equal(places[1], places[2], 50 * sizeof **places);
    for (int i = 0; i < 3; i++)
        tacit__free(places[i]);
    tacit__blank_sheet_clear(&sheet);
    tacit__tableau_clear(&t);
}

/* ---- prime implicants ---- */

static bool meets_all(const uint64_t *line, int count, uint64_t set)
{
    for (int i = 0; i < count; i++)
        if (line[i] && !(line[i] & set))
            return false;
    return true;
}

static bool is_minimal(const uint64_t *line, int count, uint64_t set)
{
    for (uint64_t left = set; left; left &= left - 1)
        if (meets_all(line, count, set & ~(left & -left)))
            return false;
    return meets_all(line, count, set);
}

/* All of them, each once, and what hits them contains a conjunct: against brute force, with the
 * same lists used again and again. */
static void test_implicants(void **state)
{
    (void)state;
    uint64_t random = UINT64_C(88172645463325252), line[40];
    double costs[10];
    tacit__implicants p = {0};
    for (int c = 0; c < 10; c++)
        costs[c] = 1;
    for (int n = 0; n < 2000; n++) {
        int32_t columns = 1 + (int32_t)draw(&random, 9);
        int count = (int)draw(&random, 40);
        int64_t expected = 0, contained = 0;
        for (int i = 0; i < count; i++)
            line[i] = draw(&random, 1u << columns) & draw(&random, 1u << columns);
        assert_int_equal(tacit__implicants_find(&p, line, count, NULL), TACIT_OK);
        for (uint64_t set = 1; set < UINT64_C(1) << columns; set++)
            expected += is_minimal(line, count, set);
        assert_int_equal(p.count, expected);
        for (int64_t i = 0; i < p.count; i++) {
            assert_true(is_minimal(line, count, p.primes[i]));
            for (int64_t j = 0; j < i; j++)
                assert_true(p.primes[i] != p.primes[j]);
        }
        uint64_t hit = tacit__implicants_hit(&p, costs, columns);
        for (int i = 0; i < count; i++)
            contained += line[i] && !(line[i] & ~hit);
        assert_int_equal(contained > 0, expected > 0);
    }
    tacit__implicants_clear(&p);
}

/* 32 rows that differ in two columns of 64 each have 2^32 prime implicants together. */
static void test_too_many_implicants(void **state)
{
    (void)state;
    uint32_t codes[64] = {0};
    tacit__tableau t;
    tacit__blanking plan;
    tacit_error err = {0};
    tableau_start(&t, 64, 33, 2);
    tableau_row(&t, codes);
    for (int i = 0; i < 32; i++) {
        codes[2 * i] = codes[2 * i + 1] = 1;
        tableau_row(&t, codes);
        codes[2 * i] = codes[2 * i + 1] = 0;
    }
    for (int w = 2; w < 4; w++) {
        err = (tacit_error){0};
        assert_int_equal(call(&plan, &t, WAYS[w], NULL, &err), TACIT_LIMIT);
        assert_non_null(strstr(err.message, "use short or short-d"));
    }
    for (int w = 0; w < WAY_COUNT; w++) {
        if (w == 2 || w == 3)
            continue;
        assert_int_equal(call(&plan, &t, WAYS[w], NULL, NULL), TACIT_OK);
        assert_true(naive_least(&t, &plan) >= 2);
        tacit__blanking_clear(&plan);
    }
    tacit__tableau_clear(&t);
}

/* ---- limits ---- */

static void test_limits_named(void **state)
{
    (void)state;
    static const char *const names[] = {"A ", "B ", "C ", "D ", "short ", "short-d "};
    for (int w = 0; w < WAY_COUNT; w++) {
        tacit__tableau t;
        tacit__blanking plan;
        tacit_error err = {0};
        tableau_text(&t, "00 11 22", 2);
        t.most_row = 1;
        assert_int_equal(call(&plan, &t, WAYS[w], NULL, &err),
                         w == 1 ? TACIT_OK : TACIT_INFEASIBLE);
        if (w == 1)
            assert_true(naive_limits(&t, &plan) && naive_least(&t, &plan) >= 2);
        else
            assert_memory_equal(err.message, names[w], strlen(names[w]));
        tacit__blanking_clear(&plan);
        tacit__tableau_clear(&t);
    }
}

/* A limit on a column parts the rows of a class: two of them lose their first cell, the third
 * its second. */
static void test_class_parted(void **state)
{
    (void)state;
    for (int w = 4; w < WAY_COUNT; w++) {
        tacit__tableau t;
        tacit__blanking plan;
        tableau_text(&t, "00 00 00 10 10 10 10 01 01 01 01", 4);
        t.most_column = 2;
        assert_int_equal(call(&plan, &t, WAYS[w], NULL, NULL), TACIT_OK);
        assert_true(naive_limits(&t, &plan));
        assert_true(naive_least(&t, &plan) >= 4);
        assert_int_equal(naive_cells(&plan), 3);
        tacit__blanking_clear(&plan);
        tacit__tableau_clear(&t);
    }
}

/* ---- threads, stopping ---- */

static void draw_rows(tacit__tableau *t, int rows, int64_t k)
{
    uint64_t random = 88172645463325252;
    tableau_start(t, 5, rows, k);
    for (int i = 0; i < rows; i++) {
        uint32_t codes[5];
        for (int c = 0; c < 5; c++)
            codes[c] = draw(&random, 12);
        tableau_row(t, codes);
    }
}

static void test_threads(void **state)
{
    (void)state;
    tacit__tableau t;
    draw_rows(&t, 600, 3);
    for (int w = 1; w < WAY_COUNT; w++) {
        tacit__blanking one = {0}, other;
        for (int threads = 1; threads < 5; threads++) {
            tacit_run run;
            tacit_run_init(&run);
            run.threads = threads;
            assert_int_equal(call(&other, &t, WAYS[w], &run, NULL), TACIT_OK);
            if (threads == 1) {
                one = other;
                continue;
            }
            assert_int_equal(one.count, other.count);
            assert_memory_equal(one.blanks, other.blanks, (size_t)one.count * sizeof *one.blanks);
            tacit__blanking_clear(&other);
        }
        tacit__blanking_clear(&one);
    }
    tacit__tableau_clear(&t);
}

static bool stop_after(const char *phase, int64_t done, int64_t total, void *payload)
{
    int *left = payload;
    assert_non_null(phase);
    assert_true(done >= 0 && done <= total);
    return (*left)-- > 0;
}

static void test_stopped(void **state)
{
    (void)state;
    tacit__tableau t;
    draw_rows(&t, 300, 2);
    for (int w = 1; w < WAY_COUNT; w++)
        for (int calls = 0; calls < 6; calls += 5) {
            int left = calls;
            tacit__blanking plan;
            tacit_run run;
            tacit_run_init(&run);
            run.progress = stop_after;
            run.payload = &left;
            assert_int_equal(call(&plan, &t, WAYS[w], &run, NULL), TACIT_CANCELLED);
            assert_int_equal(plan.count, 0);
        }
    tacit__tableau_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_to_do), cmocka_unit_test(test_too_few_rows),
        cmocka_unit_test(test_whole),         cmocka_unit_test(test_costs),
        cmocka_unit_test(test_orders),        cmocka_unit_test(test_random_order),
        cmocka_unit_test(test_implicants),    cmocka_unit_test(test_too_many_implicants),
        cmocka_unit_test(test_limits_named),  cmocka_unit_test(test_class_parted),
        cmocka_unit_test(test_threads),       cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
