/*
 * test_audit_count.c - sorting, and counting where it gets large: more bits
 * than a key has, more rows than a block has, and many threads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/rows/rows.h"
#include "audit_case.h"

static uint64_t next(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void check_sort(int64_t count, int bits, bool with_values, int threads)
{
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    tacit__sorter s = {0};
    assert_int_equal(tacit__sorter_init(&s, count, bits, with_values, NULL), TACIT_OK);
    uint64_t *sorted = malloc((size_t)count * sizeof *sorted + 1);
    uint64_t *given = malloc((size_t)count * sizeof *sorted + 1);
    uint64_t random = 7 + (uint64_t)bits,
             mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : ~UINT64_C(0);
    for (int64_t i = 0; i < count; i++) {
        given[i] = sorted[i] = next(&random) & mask;
        tacit__sorter_put(&s, i, given[i]);
        if (with_values)
            s.values[i] = (uint64_t)i;
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_value);
    assert_int_equal(tacit__sorter_sort(&s, &run, NULL), TACIT_OK);
    int64_t distinct = count > 0;
    for (int64_t i = 0; i < count; i++) {
        assert_true(tacit__sorter_key(&s, i) == sorted[i]);
        distinct += i > 0 && sorted[i] != sorted[i - 1];
        if (!with_values)
            continue;
        assert_true(given[s.values[i]] == tacit__sorter_key(&s, i));
        assert_true(i == 0 || tacit__sorter_key(&s, i) != tacit__sorter_key(&s, i - 1) ||
                    s.values[i] > s.values[i - 1]);
    }
    assert_int_equal(tacit__sorter_distinct(&s), distinct);
    if (count) {
        int64_t place = tacit__sorter_place(&s, sorted[count / 2]);
        assert_true(tacit__sorter_key(&s, place) == sorted[count / 2]);
        assert_true(place == 0 || tacit__sorter_key(&s, place - 1) < sorted[count / 2]);
        assert_int_equal(tacit__sorter_place(&s, 0), 0);
    }
    tacit__sorter_clear(&s);
    free(sorted);
    free(given);
}

static void test_sort(void **state)
{
    (void)state;
    static const int bits[] = {0, 1, 5, 11, 12, 22, 33, 63, 64};
    static const int64_t counts[] = {0, 1, 2, 1000};
    for (size_t b = 0; b < sizeof bits / sizeof *bits; b++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            check_sort(counts[c], bits[b], c % 2, 2);
    check_sort(300000, 20, true, 3); /* several blocks */
    check_sort(300000, 64, false, 1);
}

/* 64 attributes of up to 9 values take 256 bits: folded several times; those behind them are the
 * same everywhere but for every seventh. Rows i and j are alike exactly if i and j are alike modulo
 * `classes`. */
static char *wide_table(int rows, int attributes, int classes, bool person, int people)
{
    char *csv = malloc((size_t)(rows + 1) * (size_t)attributes * 6), *at = csv;
    at += sprintf(at, "p");
    for (int a = 0; a < attributes; a++)
        at += sprintf(at, ",a%d", a);
    for (int i = 0; i < rows; i++) {
        uint64_t random = (uint64_t)(i % classes + 1) * UINT64_C(0x9E3779B97F4A7C15);
        at += person ? sprintf(at, "\n%d", i / classes % people) : sprintf(at, "\n0");
        for (int a = 0; a < attributes; a++)
            at += sprintf(at, ",%d", a < 64 || a % 7 == 0 ? (int)(next(&random) >> 40) % 9 : 5);
    }
    return csv;
}

/* So many attributes a0, a1, ... */
static void add_attributes(audit_case *c, int count)
{
    enum { MOST = 4096 };
    static char names[MOST][8];
    static tacit_promise_attribute attributes[MOST];
    for (int a = 0; a < count; a++) {
        snprintf(names[a], sizeof names[a], "a%d", a);
        attributes[a] = (tacit_promise_attribute){names[a], &CASE_NONE};
    }
    c->promise.attributes = attributes;
    c->promise.attribute_count = count;
}

static void check_wide(int attributes)
{
    enum { CLASSES = 37, ROWS = 37 * 6 };
    for (int people = 0; people <= 3; people += 3) {
        audit_case c = {.promise = {.k = 4, .person = people ? "p" : NULL}};
        add_attributes(&c, attributes);
        char *csv = wide_table(ROWS, attributes, CLASSES, people > 0, people);
        c.original = c.release = csv;
        c.same_order = true;
        static uint32_t order[ROWS]; /* goes through the words of several rounds */
        for (uint32_t i = 0; i < ROWS; i++)
            order[i] = i;
        for (int ordered = 0; ordered < 2; ordered++) {
            c.order = ordered ? order : NULL;
            tacit_verdict *v = case_judge(&c);
            assert_int_equal(v->sets[0].classes, CLASSES);
            assert_int_equal(v->sets[0].smallest, people ? 3 : 6);
            assert_int_equal(v->sets[0].rows_below, people ? ROWS : 0);
            assert_int_equal(v->holds, !people);
            assert_true(v->rows_matched);
            if (people)
                assert_int_equal(v->findings[0].row, 1);
            tacit_verdict_free(v);
        }
        free(csv);
    }
}

static void test_wide(void **state)
{
    (void)state;
    check_wide(64);
    check_wide(300);
    check_wide(1000);
}

/* Triples of 200 attributes, more than there are bits in a word of either, one of which alone tells
 * a row apart. */
static void test_many_sets(void **state)
{
    (void)state;
    enum { ATTRIBUTES = 200, SETS = 700, WORDS = (ATTRIBUTES + 63) / 64, BROKEN = 613 };
    static uint64_t sets[SETS * WORDS];
    char *csv = malloc(ATTRIBUTES * 40), *at = csv;
    audit_case c = {.promise = {.k = 3, .sets = sets, .set_count = SETS}};
    add_attributes(&c, ATTRIBUTES);
    for (int a = 0; a < ATTRIBUTES; a++)
        at += sprintf(at, "%sa%d", a ? "," : "", a);
    for (int row = 0; row < 6; row++) /* 150 and 199 together: 3, 2 and 1 rows; alone: 3 and 3 */
        for (int a = 0; a < ATTRIBUTES; a++) {
            int value = a == 150 ? row > 2 : a == 199 ? row == 0 || row == 1 || row == 5 : 4;
            at += sprintf(at, "%s%d", a ? "," : "\n", value);
        }
    for (int s = 0; s < SETS; s++)
        for (int i = 0; i < 3; i++) {
            int a = s == BROKEN && i > 0 ? (i == 1 ? 150 : 199) : (s * 7 + i * 31) % 149;
            sets[s * WORDS + a / 64] |= UINT64_C(1) << a % 64;
        }
    c.original = c.release = csv;
    c.same_order = true;
    tacit_verdict *v = case_judge(&c);
    assert_false(v->holds);
    assert_int_equal(v->finding_count, 1);
    assert_non_null(strstr(v->findings[0].message, "a150, a199"));
    for (int s = 0; s < SETS; s++)
        assert_int_equal(v->sets[s].smallest, s == BROKEN ? 1 : 6);
    tacit_verdict_free(v);
    memset(sets + BROKEN * WORDS, 0, WORDS * sizeof *sets); /* and empty */
    tacit_error err = {0};
    assert_int_equal(case_try(&v, &c, &err), TACIT_INVALID);
    assert_non_null(strstr(err.message, "quasi-identifier 614"));
    sets[BROKEN * WORDS + 3] = UINT64_C(1) << (ATTRIBUTES % 64); /* one that there is not */
    err = (tacit_error){0};
    assert_int_equal(case_try(&v, &c, &err), TACIT_INVALID);
    sets[BROKEN * WORDS + 3] = UINT64_C(1) << (199 % 64);
    v = case_judge(&c);
    assert_true(v->holds);
    tacit_verdict_free(v);
    free(csv);
}

/* More rows than a block of any of the loops: 90 classes of thousands of
 * rows, and one row changed at a known place. */
static void test_long(void **state)
{
    (void)state;
    enum { ROWS = 300000, ODD = 271828 };
    char *original = malloc(ROWS * 8), *release = malloc(ROWS * 8), *at = original, *to = release;
    uint32_t *order = malloc(ROWS * sizeof *order);
    at += sprintf(at, "a,c\n");
    to += sprintf(to, "a,c\n");
    for (int i = 0; i < ROWS; i++) {
        int from =
            (int)((int64_t)i * 7 % ROWS); /* 7 and the number of rows have no divisor in common */
        order[i] = (uint32_t)from;
        at += sprintf(at, "%d,%d\n", 10 + i % 90, i % 7);
        to += i == ODD ? sprintf(to, "x,%d\n", from % 7)
                       : sprintf(to, "%d,%d\n", 10 + from % 90, from % 7);
    }
    audit_case c = {.promise = {.k = 2}, .original = original, .release = release};
    case_attribute(&c, "a", &CASE_NONE);
    c.order = order;
    tacit_verdict *first = NULL;
    for (int threads = 1; threads <= 7; threads += threads == 1 ? 1 : 5) {
        c.threads = threads;
        tacit_verdict *v = case_judge(&c);
        assert_int_equal(v->sets[0].classes, 91);
        assert_int_equal(v->sets[0].smallest, 1);
        assert_int_equal(v->sets[0].rows_below, 1);
        assert_int_equal(v->finding_count, 2);
        assert_int_equal(verdict_finding(v, TACIT_FINDING_K)->row, ODD + 1);
        assert_int_equal(verdict_finding(v, TACIT_FINDING_VALUE)->row, ODD + 1);
        if (first)
            assert_memory_equal(v->findings, first->findings, sizeof v->findings);
        tacit_verdict_free(first);
        first = v;
    }
    tacit_verdict_free(first);
    order[5] = order[ODD];
    c.threads = 2;
    tacit_verdict *v = case_judge(&c);
    assert_int_equal(verdict_finding(v, TACIT_FINDING_ROWS)->row, ODD + 1);
    assert_int_equal(verdict_finding(v, TACIT_FINDING_ROWS)->count, 1);
    tacit_verdict_free(v);
    free(original);
    free(release);
    free(order);
}

/* One class throughout, as in a release that is suppressed as a whole. */
static void test_identical(void **state)
{
    (void)state;
    enum { ROWS = 300000 };
    char *csv = malloc(ROWS * 4 + 8), *at = csv;
    at += sprintf(at, "a,b\n");
    for (int i = 0; i < ROWS; i++)
        at += sprintf(at, "*,*\n");
    audit_case c = {.promise = {.k = ROWS}, .release = csv};
    case_attribute(&c, "a", &CASE_NONE);
    case_attribute(&c, "b", &CASE_NONE);
    tacit_verdict *v = case_judge(&c);
    assert_true(v->holds);
    assert_int_equal(v->suppressed_rows, ROWS);
    assert_int_equal(v->sets[0].classes, 1);
    assert_int_equal(v->sets[0].smallest, ROWS);
    tacit_verdict_free(v);
    c.promise.k = ROWS + 1;
    assert_int_equal(case_kinds(&c), 1u << TACIT_FINDING_SUPPRESSED);
    free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sort),      cmocka_unit_test(test_wide),
        cmocka_unit_test(test_many_sets), cmocka_unit_test(test_long),
        cmocka_unit_test(test_identical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
