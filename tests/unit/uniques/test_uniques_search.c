/*
 * test_uniques_search.c - the search for prime implicants as a whole: threads,
 * searches that go size by size, that are stopped, or that run out of memory.
 */
#include "uniques_case.h"

#include <string.h>

#include "uniques/uniques.h"

static void open_table(uniques_case *c, uint64_t seed, int rows, int columns, tacit_missing missing)
{
    case_fill(c, seed, rows, columns, missing == TACIT_MISSING_ANY ? 5 : 0);
    case_open(c, missing);
}

static void assert_same(const tacit_uniques *a, const tacit_uniques *b, int rows)
{
    assert_memory_equal(tacit_uniques_summarize(a), tacit_uniques_summarize(b),
                        sizeof(tacit_uniques_summary));
    for (int row = 0; row < rows; row++) {
        tacit_unique_sets_view x = tacit_uniques_of(a, row), y = tacit_uniques_of(b, row);
        assert_int_equal(x.count, y.count);
        assert_memory_equal(x.sets, y.sets, (size_t)x.count * sizeof *x.sets);
    }
}

static void test_threads(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        uniques_case c;
        open_table(&c, 20 + (uint64_t)i, 500, 10, i % 2 ? TACIT_MISSING_ANY : TACIT_MISSING_VALUE);
        tacit_uniques *one = uniques_of(c.distinct, 1 + i / 2, 0, 1);
        static const int THREADS[] = {2, 7};
        for (int j = 0; j < 2; j++) {
            tacit_uniques *other = uniques_of(c.distinct, 1 + i / 2, 0, THREADS[j]);
            assert_same(one, other, c.rows);
            tacit_uniques_free(other);
        }
        assert_true(tacit_uniques_summarize(one)->sets > 100);
        tacit_uniques_free(one);
        case_close(&c);
    }
}

/* The combinations do not depend on threads either; rows of one ascend. */
static void test_distinct(void **state)
{
    (void)state;
    uniques_case c;
    open_table(&c, 30, 500, 3, TACIT_MISSING_VALUE);
    tacit_distinct *other = distinct_of(c.table, 1, 3, TACIT_MISSING_VALUE, 7);
    assert_int_equal(tacit_distinct_count(other), tacit_distinct_count(c.distinct));
    int64_t rows = 0;
    for (int64_t i = 0; i < tacit_distinct_count(other); i++) {
        tacit_rows_view view = tacit_distinct_rows(other, i);
        rows += view.count;
        for (int64_t j = 0; j < view.count; j++) {
            assert_int_equal(tacit_distinct_of(c.distinct, view.rows[j]), i);
            assert_true(
                rows_match(&c, (int)view.rows[0], (int)view.rows[j], 7, TACIT_MISSING_VALUE));
            assert_true(j == 0 || view.rows[j] > view.rows[j - 1]);
        }
    }
    assert_int_equal(rows, c.rows);
    tacit_distinct_free(other);
    case_close(&c);
}

/* A search of its own, with a budget and a progress callback. */
typedef struct trial {
    int64_t budget;
    int calls, stop_at; /* progress is asked so often; it says stop from there on */
    tacit__ground ground;
    tacit__uniques_found found;
    tacit__uniques_reach reach;
    tacit__primes primes;
} trial;

static bool count_calls(const char *phase, int64_t done, int64_t total, void *payload)
{
    trial *t = payload;
    assert_string_equal(phase, "prime implicants");
    assert_true(done >= 0 && total >= 0);
    return ++t->calls < t->stop_at;
}

static tacit_status try_search(trial *t, const uniques_case *c, int threads)
{
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    assert_int_equal(tacit__ground_init(&t->ground, c->distinct, 1, &run, NULL), TACIT_OK);
    assert_int_equal(tacit__found_init(&t->found, threads, SIZE_MAX, c->columns, NULL), TACIT_OK);
    run.progress = count_calls;
    run.payload = t;
    tacit_status status = tacit__search(&t->reach, &t->ground, &t->found, t->budget, &run, NULL);
    if (status == TACIT_OK)
        assert_int_equal(tacit__primes_init(&t->primes, &t->found, &t->ground, &run, NULL),
                         TACIT_OK);
    return status;
}

static void close_trial(trial *t)
{
    tacit__primes_clear(&t->primes);
    tacit__found_clear(&t->found);
    tacit__ground_clear(&t->ground);
}

/* What was reached is what a full search has up to that size. */
static void assert_reached(const trial *t, const tacit_uniques *all, const uniques_case *c)
{
    for (int row = 0; row < c->rows; row++) {
        size_t item = (size_t)tacit_distinct_of(c->distinct, row);
        size_t start = t->primes.starts[item], count = t->primes.starts[item + 1] - start, i = 0;
        tacit_unique_sets_view view = tacit_uniques_of(all, row);
        for (; i < (size_t)view.count; i++) {
            if (__builtin_popcountll(view.sets[i].columns) > t->reach.complete)
                break;
            assert_true(i < count);
            assert_int_equal(t->primes.sets[start + i].columns, view.sets[i].columns);
        }
        assert_int_equal(count, i);
    }
}

static void test_size_by_size(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        uniques_case c;
        open_table(&c, 40, 400, 9, threads == 3 ? TACIT_MISSING_ANY : TACIT_MISSING_VALUE);
        tacit_uniques *all = uniques_of(c.distinct, 1, 0, 1);
        trial t = {.budget = 0, .stop_at = INT32_MAX};
        assert_int_equal(try_search(&t, &c, threads), TACIT_OK);
        assert_int_equal(t.reach.end, TACIT_OK);
        assert_int_equal(t.reach.complete, c.columns);
        assert_reached(&t, all, &c);
        close_trial(&t);
        tacit_uniques_free(all);
        case_close(&c);
    }
}

static void check_stopped(const uniques_case *c, int64_t budget, int threads, int *seen)
{
    tacit_uniques *all = uniques_of(c->distinct, 1, 0, 1);
    trial whole = {.budget = budget, .stop_at = INT32_MAX};
    assert_int_equal(try_search(&whole, c, threads), TACIT_OK);
    close_trial(&whole);
    for (int stop_at = 1; stop_at <= whole.calls; stop_at += 1 + whole.calls / 60) {
        trial t = {.budget = budget, .stop_at = stop_at};
        assert_int_equal(try_search(&t, c, threads), TACIT_OK);
        /* the last question of all may come after the last task */
        assert_true(t.reach.end == TACIT_CANCELLED || t.reach.complete == c->columns);
        assert_true(t.reach.complete >= 1);
        assert_reached(&t, all, c);
        seen[t.reach.complete]++;
        close_trial(&t);
    }
    tacit_uniques_free(all);
}

static void test_cancelled(void **state)
{
    (void)state;
    int seen[CASE_COLUMNS + 1] = {0};
    uniques_case c;
    open_table(&c, 41, 300, 8, TACIT_MISSING_VALUE);
    check_stopped(&c, INT64_MAX, 1, seen);
    assert_true(seen[1] > 0 && seen[2] == 0); /* all at once: all or nothing */
    check_stopped(&c, 0, 1, seen);
    check_stopped(&c, 0, 3, seen);
    assert_true(seen[2] > 0 && seen[3] > 0);
    case_close(&c);
}

static bool refuse(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)done, (void)total;
    return strcmp(phase, payload) != 0;
}

/* Before there is anything to give, a cancelled run gives nothing. */
static void test_cancelled_early(void **state)
{
    (void)state;
    static const int32_t COLUMNS[] = {1, 2};
    uniques_case c;
    tacit_run run;
    tacit_error err = {0};
    tacit_distinct *distinct = NULL;
    tacit_uniques *uniques = NULL;
    tacit_combinations *combinations = NULL;
    tacit_uniques_options options;
    open_table(&c, 42, 50, 4, TACIT_MISSING_VALUE);
    tacit_run_init(&run);
    tacit_uniques_options_init(&options);
    run.progress = refuse;
    run.payload = "distinct rows";
    assert_int_equal(
        tacit_distinct_new(&distinct, c.table, COLUMNS, 2, TACIT_MISSING_VALUE, &run, &err),
        TACIT_CANCELLED);
    assert_null(distinct);
    assert_string_equal(err.message, "stopped on request");
    run.payload = "prime implicants";
    err = (tacit_error){0};
    assert_int_equal(tacit_uniques_new(&uniques, c.distinct, &options, &run, &err),
                     TACIT_CANCELLED);
    assert_null(uniques);
    run.payload = "combinations";
    assert_int_equal(tacit_combinations_new(&combinations, c.distinct, 2, 1, &run, NULL),
                     TACIT_CANCELLED);
    assert_null(combinations);
    case_close(&c);
}

static bool count_down(const char *phase, int64_t done, int64_t total, void *payload)
{
    int *left = payload;
    if (strcmp(phase, "combinations") != 0)
        return true;
    assert_true(done >= 0 && done <= total);
    return --*left > 0;
}

/* Counting combinations asks at every set, and ends as soon as it is told to. */
static void test_combinations_cancelled(void **state)
{
    (void)state;
    uniques_case c;
    tacit_run run;
    open_table(&c, 43, 50, 6, TACIT_MISSING_VALUE);
    tacit_run_init(&run);
    run.progress = count_down;
    for (int threads = 1; threads <= 3; threads++)
        for (int calls = 1; calls <= 64; calls += 9) {
            int left = calls;
            tacit_combinations *combinations = NULL;
            run.threads = threads;
            run.payload = &left;
            assert_int_equal(tacit_combinations_new(&combinations, c.distinct, 6, 1, &run, NULL),
                             TACIT_CANCELLED);
            assert_null(combinations);
            assert_int_equal(left, 0);
        }
    case_close(&c);
}

/* With less and less memory fewer sizes are found, each of them whole, and the
 * same for any number of threads. */
static void test_memory(void **state)
{
    (void)state;
    uniques_case c;
    tacit_run run;
    tacit_run_init(&run);
    open_table(&c, 43, 500, 12, TACIT_MISSING_VALUE);
    tacit_uniques *all = uniques_of(c.distinct, 3, 0, 1);
    int limited = 0;
    for (size_t memory = (size_t)8 << 20; memory > 50000; memory = memory * 3 / 4) {
        tacit_uniques_options options = {.k = 3, .memory = memory};
        tacit_uniques *first = NULL;
        for (int threads = 1; threads <= 3; threads++) {
            tacit_uniques *some = NULL;
            tacit_error err = {0};
            run.threads = threads;
            tacit_status status = tacit_uniques_new(&some, c.distinct, &options, &run, &err);
            if (status != TACIT_OK) {
                assert_int_equal(status, TACIT_LIMIT);
                assert_null(some);
                assert_null(first);
                assert_non_null(strstr(err.message, "memory"));
                continue;
            }
            const tacit_uniques_summary *summary = tacit_uniques_summarize(some);
            if (summary->end == TACIT_LIMIT) {
                tacit_uniques *bounded = uniques_of(c.distinct, 3, summary->complete, 1);
                limited++;
                for (int size = 0; size <= 64; size++)
                    assert_int_equal(summary->by_size[size],
                                     tacit_uniques_summarize(bounded)->by_size[size]);
                tacit_uniques_free(bounded);
            } else {
                assert_same(some, all, c.rows);
            }
            if (first)
                assert_same(first, some, c.rows);
            if (first)
                tacit_uniques_free(some);
            else
                first = some;
        }
        tacit_uniques_free(first);
    }
    assert_true(limited > 6);
    tacit_uniques_free(all);
    case_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),         cmocka_unit_test(test_distinct),
        cmocka_unit_test(test_size_by_size),    cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_cancelled_early), cmocka_unit_test(test_combinations_cancelled),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
