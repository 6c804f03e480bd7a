/*
 * test_sensitive_random.c - what classes say of a sensitive column, against an adversary who goes
 * through all sets of facts "it is not this value" for every row of small random tables.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tacit/experimental/audit_sensitive.h>

#include "base/random.h"
#include "random_cases.h"

enum { MAX_ROWS = 14, VALUES = 5, STAR = VALUES - 1, CLASSES = 4 };

typedef struct small {
    int rows;
    int class[MAX_ROWS], value[MAX_ROWS]; /* value 0 is missing, the last is "*" */
} small;

static void draw(small *t, tacit__random *random)
{
    t->rows = (int)tacit__random_below(random, MAX_ROWS + 1);
    int classes = 1 + (int)tacit__random_below(random, CLASSES);
    int values = 1 + (int)tacit__random_below(random, VALUES);
    for (int i = 0; i < t->rows; i++) {
        t->class[i] = (int)tacit__random_below(random, (uint64_t)classes);
        t->value[i] = (int)tacit__random_below(random, (uint64_t)values);
    }
}

static tacit_table *read_table(const small *t, char *text, size_t size)
{
    size_t len = (size_t)snprintf(text, size, "row,zip,ill\n");
    for (int i = 0; i < t->rows; i++) {
        len += (size_t)snprintf(text + len, size - len, "%d,z%d,", i, t->class[i]);
        len += (size_t)snprintf(text + len, size - len,
                                t->value[i] == STAR ? "*\n"
                                : t->value[i]       ? "v%d\n"
                                                    : "\n",
                                t->value[i]);
    }
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    tacit_table *table = NULL;
    tacit_error err = {0};
    tacit_table_read_memory(&table, (tacit_strview){text, len}, "t.csv", &options, NULL, &err);
    assert_string_equal(err.message, "");
    return table;
}

/* Rows of a class, of a value (-1: any), that the facts in a set (bits of values) leave. */
static int left(const small *t, int class, int value, unsigned facts)
{
    int count = 0;
    for (int i = 0; i < t->rows; i++)
        count += t->class[i] == class && (value < 0 || t->value[i] == value) &&
                 !(facts >> t->value[i] & 1);
    return count;
}

/* What the best set of so many facts about the person of a row does: the confidence in any value
 * that is not ruled out, and whether it can be made certain. */
static double best(const small *t, int row, int facts)
{
    double most = 0;
    for (unsigned set = 0; set < 1u << VALUES; set++) {
        if (__builtin_popcount(set) > facts || (set >> t->value[row] & 1) || (set >> STAR & 1) ||
            t->value[row] == STAR)
            continue; /* facts are true, and about values */
        double confidence =
            (double)left(t, t->class[row], t -> value[row], set) / left(t, t->class[row], -1, set);
        most = confidence > most ? confidence : most;
    }
    return most;
}

static void check(const small *t, const tacit_sensitive_verdict *v)
{
    for (int facts = 0; facts < VALUES; facts++) {
        int64_t certain = 0;
        double worst = 0;
        for (int i = 0; i < t->rows; i++) {
            double confidence = best(t, i, facts);
            certain += confidence == 1;
            worst = confidence > worst ? confidence : worst;
        }
        assert_int_equal(v->certain_rows[facts], certain);
        assert_true(fabs(v->worst_confidence[facts] - worst) < 1e-12);
        if (facts == v->facts_needed)
            assert_true(certain > 0);
        if (facts < v->facts_needed || v->facts_needed < 0)
            assert_int_equal(certain, 0);
    }
    assert_int_equal(v->homogeneous_rows, v->certain_rows[0]);
}

static void check_skewness(const small *t, const tacit_sensitive_verdict *v)
{
    double gain = 0, distance = 0;
    int doubled = 0;
    for (int i = 0; i < t->rows; i++) {
        double half = 0, rows = left(t, t->class[i], -1, 0);
        bool twice = false;
        for (int value = 0; value < VALUES; value++) {
            int all = 0;
            for (int j = 0; j < t->rows; j++)
                all += t->value[j] == value;
            double prior = (double)all / t->rows, posterior = left(t, t->class[i], value, 0) / rows;
            half += fabs(prior - posterior) / 2;
            if (value == STAR)
                continue;
            gain = posterior > 0 && posterior / prior > gain ? posterior / prior : gain;
            twice |= posterior > 0.5 && posterior >= 2 * prior;
        }
        distance = half > distance ? half : distance;
        doubled += twice;
    }
    assert_true(fabs(v->gain - gain) < 1e-9);
    assert_true(fabs(v->distance - distance) < 1e-9);
    assert_int_equal(v->doubled_rows, doubled);
}

static void test_against_all_facts(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(2000); ++*seed) {
        tacit_run run;
        tacit__random random;
        tacit_run_init(&run);
        tacit_run_seed_number(&run, *seed);
        tacit__random_init(&random, &run, "test", 0);
        small t;
        char text[1024];
        draw(&t, &random);
        tacit_table *table = read_table(&t, text, sizeof text);
        tacit_sensitive_verdict *verdict = NULL;
        tacit_error err = {0};
        const int32_t zip = 1, ill = 2;
        assert_int_equal(
            tacit_audit_sensitive(&verdict, table, &zip, 1, &ill, NULL, 1, NULL, &run, &err),
            TACIT_OK);
        check(&t, verdict);
        check_skewness(&t, verdict);
        tacit_sensitive_free(verdict);
        tacit_table_free(table);
    }
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_against_all_facts, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
