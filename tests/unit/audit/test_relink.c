/*
 * test_relink.c - re-linking a release to its original, worked out by hand: distances, ties,
 * how labels are read, probabilities, windows, verdicts, and what is refused.
 */
#include "relinked.h"

#include <math.h>
#include <stdio.h>

#define CLOSE 1e-9

static const char *const A[] = {"a"};
static const char *const AB[] = {"a", "b"};

static double share(const tacit_relink *found, tacit_relink_kind kind)
{
    return found->attacks[kind].share;
}

/* ---- distances ---- */

static void test_identity(void **state)
{
    (void)state;
    static const char DATA[] = "a,b\n1,x\n2,y\n3,x\n3,x\n";
    relinked r;
    relinked_open(&r, DATA, DATA, AB, 2);
    const tacit_relink *found = relinked_run(&r, NULL);
    assert_float_equal(found->guess, 0.25, CLOSE);
    assert_float_equal(found->unprotected, 0.75, CLOSE); /* the twins are right every other time */
    assert_float_equal(share(found, TACIT_RELINK_STANDARD), 0.75, CLOSE);
    assert_float_equal(share(found, TACIT_RELINK_RANKS), 0.75, CLOSE);
    assert_false(found->attacks[TACIT_RELINK_MAHALANOBIS].tried); /* one column of numbers */
    assert_int_equal(found->attacks[TACIT_RELINK_STANDARD].alone, 2);
    assert_int_equal(found->attacks[TACIT_RELINK_STANDARD].declared, 2);
    assert_int_equal(found->attacks[TACIT_RELINK_STANDARD].declared_right, 2);
    assert_false(found->sampled);
    assert_int_equal(found->numeric_count, 1);
    relinked_close(&r);
}

/* The first record is nearest to its own person but almost as near to the next, the second lies
 * in the middle between two, the third is nearest to somebody else. */
static void test_margins(void **state)
{
    (void)state;
    relinked r;
    relinked_open(&r, "a\n0\n10\n20\n90\n", "a\n4\n15\n11\n89\n", A, 1);
    const tacit_relink *found = relinked_run(&r, NULL);
    const tacit_relink_attack *attack = &found->attacks[TACIT_RELINK_STANDARD];
    assert_int_equal(attack->attacked, 4);
    assert_float_equal(attack->right, 2.5, CLOSE);
    assert_int_equal(attack->alone, 3);
    assert_int_equal(attack->declared, 2); /* 11 is 1 from 10 and 9 from 20; 89 likewise */
    assert_int_equal(attack->declared_right, 1);
    r.options.margin = 0.7; /* 4 is 4 from 0, 6 from 10 */
    found = relinked_run(&r, NULL);
    assert_int_equal(found->attacks[TACIT_RELINK_STANDARD].declared, 3);
    relinked_close(&r);
}

/* Wilson's interval for 8 of 10, from its textbook form. */
static void test_interval_of_share(void **state)
{
    (void)state;
    relinked r;
    relinked_open(&r, "a\n10\n20\n30\n40\n50\n60\n70\n80\n90\n100\n",
                  "a\n10\n20\n30\n40\n50\n60\n70\n80\n100\n90\n", A, 1);
    const tacit_relink *found = relinked_run(&r, NULL);
    const tacit_relink_attack *attack = &found->attacks[TACIT_RELINK_STANDARD];
    assert_float_equal(attack->share, 0.8, CLOSE);
    assert_float_equal(attack->low, 0.4901625, 1e-6);
    assert_float_equal(attack->high, 0.9433178, 1e-6);
    relinked_close(&r);
}

/* Names that differ cost 2, numbers the square of their standardized gap. */
static void test_names_and_numbers(void **state)
{
    (void)state;
    relinked r;
    /* The deviation of 0, 1, 2 is 1: 1.5 apart costs more than another name, 1.4 less. */
    relinked_open(&r, "a,b\n0,x\n1,z\n2,y\n", "a,b\n1.5,x\n0.9,w\n0.6,y\n", AB, 2);
    const tacit_relink *found = relinked_run(&r, NULL);
    const tacit_relink_attack *attack = &found->attacks[TACIT_RELINK_STANDARD];
    /* 1.5,x: to 0,x 2.25; to 2,y 2.25; to 1,z 2.25. 0.9,w: a name that nobody has says nothing.
     * 0.6,y: to 2,y 1.96; to 1,z 2.16. */
    assert_float_equal(attack->right, 1.0 / 3 + 1 + 1, CLOSE);
    relinked_close(&r);
}

static void test_missing(void **state)
{
    (void)state;
    relinked r;
    /* Missing is near to missing; a value is 2 from it, whatever it is. */
    relinked_open(&r, "a,b\n1,x\n,x\n3,x\n", "a,b\n,x\n,x\n*,x\n", AB, 2);
    const tacit_relink *found = relinked_run(&r, NULL);
    assert_float_equal(found->attacks[TACIT_RELINK_STANDARD].right, 1 + 1.0 / 3, CLOSE);
    relinked_close(&r);
    relinked_open(&r, "a\n\"\"\n\"\"\n", "a\n\"\"\n*\n", A, 1);
    found = relinked_run(&r, NULL);
    assert_float_equal(found->attacks[TACIT_RELINK_STANDARD].share, 0.5, CLOSE);
    assert_int_equal(found->numeric_count, 0);
    relinked_close(&r);
}

/* Noise along a correlation hides people from the plain distance only. */
static void test_mahalanobis(void **state)
{
    (void)state;
    relinked r;
    relinked_open(&r, "a,b\n0,0\n10,10\n20,20\n30,30\n9,11\n21,19\n",
                  "a,b\n5,5\n15,15\n24,24\n35,35\n16,18\n27,25\n", AB, 2);
    const tacit_relink *found = relinked_run(&r, NULL);
    assert_true(found->attacks[TACIT_RELINK_MAHALANOBIS].tried);
    assert_true(found->attacks[TACIT_RELINK_MAHALANOBIS].share >
                found->attacks[TACIT_RELINK_STANDARD].share);
    relinked_close(&r);
}

/* Everything ten times as large: ranks are as they were. */
static void test_ranks(void **state)
{
    (void)state;
    relinked r;
    relinked_open(&r, "a\n1\n2\n3\n1000\n", "a\n2000\n3000\n4000\n1000000\n", A, 1);
    const tacit_relink *found = relinked_run(&r, NULL);
    assert_float_equal(share(found, TACIT_RELINK_RANKS), 1, CLOSE);
    assert_int_equal(found->best, TACIT_RELINK_RANKS);
    assert_true(share(found, TACIT_RELINK_STANDARD) < 0.5);
    relinked_close(&r);
}

/* ---- labels ---- */

static void test_labels(void **state)
{
    (void)state;
    relinked r;
    /* Each stretch holds two of the four; a mask of 2 digits holds 20 to 29. */
    relinked_open(&r, "a\n12\n18\n25\n29\n", "a\n10-19\n\"[10, 20)\"\n2*\n20 to 29\n", A, 1);
    const tacit_relink *found = relinked_run(&r, NULL);
    assert_float_equal(share(found, TACIT_RELINK_STANDARD), 0.5, CLOSE);
    assert_float_equal(share(found, TACIT_RELINK_RANKS), 0.5, CLOSE);
    assert_int_equal(found->maps.smallest, 2);
    assert_int_equal(found->maps.k_map, TACIT_LINK_HOLDS);
    relinked_close(&r);
    relinked_open(&r, "a\n02138\n02139\n02141\n2138\n", "a\n0213*\n021**\n0214*\n2***\n", A, 1);
    found = relinked_run(&r, NULL);
    assert_int_equal(found->numeric_count, 0); /* a number with a needless 0 is a name */
    assert_float_equal(found->attacks[TACIT_RELINK_STANDARD].right, 0.5 + 1.0 / 3 + 1 + 1, CLOSE);
    relinked_close(&r);
}

static void test_categories(void **state)
{
    (void)state;
    static const bool NAMES[] = {true};
    relinked r;
    relinked_open(&r, "a\n1\n2\n3\n", "a\n1\n2\n9\n", A, 1);
    r.c.categories = NAMES;
    const tacit_relink *found = relinked_run(&r, NULL);
    assert_int_equal(found->numeric_count, 0);
    assert_float_equal(found->attacks[TACIT_RELINK_STANDARD].right, 2 + 1.0 / 3, CLOSE);
    assert_int_equal(found->maps.unreadable, 1);
    relinked_close(&r);
}

static void test_hierarchies(void **state)
{
    (void)state;
    static const tacit_hierarchy_spec DATES = {.kind = TACIT_HIERARCHY_DATE};
    const tacit_hierarchy_spec *specs[] = {&DATES};
    relinked r;
    relinked_open(&r, "a\n1965-09-20\n1965-10-01\n1966-01-01\n", "a\n1965\n1965-10\n1960-1969\n", A,
                  1);
    r.c.hierarchies = specs;
    const tacit_relink *found = relinked_run(&r, NULL);
    assert_float_equal(found->attacks[TACIT_RELINK_STANDARD].right, 0.5 + 1 + 1.0 / 3, CLOSE);
    assert_int_equal(found->maps.smallest, 1);
    assert_int_equal(found->maps.to_own, 3);
    assert_int_equal(found->maps.unreadable, 0);
    r.c.hierarchies = NULL; /* then these are labels that nobody has */
    found = relinked_run(&r, NULL);
    assert_int_equal(found->maps.unreadable, 3);
    assert_int_equal(found->maps.null_map, TACIT_LINK_HOLDS);
    relinked_close(&r);
}

/* ---- windows ---- */

static void test_windows(void **state)
{
    (void)state;
    relinked r;
    /* The deviation is 10; gaps are 0.05, 0.4, 2 and none that is known. */
    relinked_open(&r, "a,b\n0,1\n10,1\n20,1\n,1\n", "a,b\n0.05,1\n10.4,1\n22,1\n7,1\n", AB, 2);
    const tacit_relink *found = relinked_run(&r, NULL);
    const tacit_relink_column *column = &found->columns[0];
    assert_float_equal(column->within_deviations[0], 0.25, CLOSE);
    assert_float_equal(column->within_deviations[1], 0.5, CLOSE);
    assert_float_equal(column->within_deviations[2], 0.5, CLOSE);
    assert_float_equal(column->by_chance[2], 0, CLOSE);
    assert_float_equal(found->columns[1].within_deviations[0], 1, CLOSE);
    assert_float_equal(found->columns[1].by_chance[0], 1, CLOSE);
    assert_float_equal(found->joint_deviations[1], 0.5, CLOSE);
    r.options.windows[0] = 34; /* one rank of three either way */
    r.options.window_count = 1;
    found = relinked_run(&r, NULL);
    /* Between 0 and 10, one of them; 10.4 and 22 likewise. */
    assert_float_equal(found->columns[0].within_ranks[0], 0.75, CLOSE);
    relinked_close(&r);
}

/* ---- probabilities ---- */

static void test_probability(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"a", "b", "c", "d"};
    static char original[1 << 14], release[1 << 14];
    size_t len = (size_t)sprintf(original, "a,b,c,d\n");
    size_t other = (size_t)sprintf(release, "a,b,c,d\n");
    relinked r;
    for (int i = 0; i < 400; i++) { /* one in ten has another c */
        len += (size_t)sprintf(original + len, "x%d,y%d,z%d,w%d\n", i % 37, i % 41, i % 43, i % 47);
        other += (size_t)sprintf(release + other, "x%d,y%d,z%d,w%d\n", i % 37, i % 41,
                                 i % 10 ? i % 43 : (i + 1) % 43, i % 47);
    }
    relinked_open(&r, original, release, NAMES, 4);
    const tacit_relink *found = relinked_run(&r, NULL);
    const tacit_relink_attack *attack = &found->attacks[TACIT_RELINK_PROBABILITY];
    assert_float_equal(attack->share, 1, CLOSE);
    assert_true(attack->declared > 300);
    assert_int_equal(attack->declared, attack->declared_right);
    assert_true(found->columns[0].m[0] > 0.95);
    assert_float_equal(found->columns[0].u[0], 1.0 / 37, 0.005);
    assert_float_equal(found->columns[2].m[0], 0.9, 0.05);
    assert_float_equal(found->columns[2].u[0], 1.0 / 43, 0.005);
    relinked_close(&r);
}

/* ---- verdicts ---- */

/* The thesis' Figures 19 to 21. */
static void test_verdicts(void **state)
{
    (void)state;
    static const char *const BIRTH_ZIP[] = {"birth", "zip"};
    static const char PEOPLE[] =
        "birth,zip\n10/2/61,02139\n7/14/61,02139\n3/8/61,02138\n6/2/52,02142\n";
    static const uint32_t ORIGIN[] = {0, 1, 2};
    relinked r;
    /* Swapped as a unit. */
    relinked_open(&r, PEOPLE, "birth,zip\n3/8/61,02138\n10/2/61,02139\n7/14/61,02139\n", BIRTH_ZIP,
                  2);
    r.c.origin = ORIGIN;
    const tacit_relink *found = relinked_run(&r, NULL);
    assert_int_equal(found->maps.wrong_map, TACIT_LINK_HOLDS);
    assert_int_equal(found->maps.null_map, TACIT_LINK_BROKEN);
    assert_int_equal(found->maps.k_map, TACIT_LINK_BROKEN);
    assert_int_equal(found->maps.to_wrong, 3);
    assert_int_equal(found->maps.to_own, 0);
    assert_float_equal(found->attacks[found->best].share, 0, CLOSE);
    relinked_close(&r);
    /* Encrypted. */
    relinked_open(&r, PEOPLE, "birth,zip\nq8,wx\nr7,yz\ns6,uv\n", BIRTH_ZIP, 2);
    r.c.origin = ORIGIN;
    found = relinked_run(&r, NULL);
    assert_int_equal(found->maps.null_map, TACIT_LINK_HOLDS);
    assert_int_equal(found->maps.wrong_map, TACIT_LINK_BROKEN);
    assert_int_equal(found->maps.unreadable, 3);
    assert_int_equal(found->maps.to_nobody, 3);
    assert_float_equal(found->attacks[found->best].share, 0.25, CLOSE); /* as by guessing */
    relinked_close(&r);
    /* Generalized; a record maps to the fourth, who is no subject, as well. */
    relinked_open(&r, PEOPLE, "birth,zip\n*,021**\n*,021**\n*,0213*\n", BIRTH_ZIP, 2);
    r.c.origin = ORIGIN;
    r.options.k = 3;
    found = relinked_run(&r, NULL);
    assert_int_equal(found->maps.smallest, 3);
    assert_int_equal(found->maps.k_map, TACIT_LINK_HOLDS);
    assert_int_equal(found->maps.null_map, TACIT_LINK_BROKEN);
    assert_int_equal(found->maps.wrong_map, TACIT_LINK_BROKEN);
    assert_int_equal(found->maps.to_own, 3);
    relinked_close(&r);
}

/* A record of the one person who was not sampled is in nobody's way: he is no subject. */
static void test_subjects(void **state)
{
    (void)state;
    static const uint32_t ORIGIN[] = {0, TACIT_RELINK_MADE_UP};
    relinked r;
    relinked_open(&r, "a\nx\ny\n", "a\ny\ny\n", A, 1);
    r.c.origin = ORIGIN;
    const tacit_relink *found = relinked_run(&r, NULL);
    assert_int_equal(found->maps.null_map, TACIT_LINK_HOLDS);
    assert_int_equal(found->maps.k_map, TACIT_LINK_BROKEN);
    assert_int_equal(found->maps.smallest, 1);
    assert_int_equal(found->made_up, 1);
    assert_float_equal(found->unprotected, 0.5, CLOSE);
    assert_float_equal(found->attacks[TACIT_RELINK_STANDARD].share, 0, CLOSE);
    relinked_close(&r);
}

/* ---- little or nothing ---- */

static void test_degenerate(void **state)
{
    (void)state;
    relinked r;
    relinked_open(&r, "a,b\n", "a,b\n", AB, 2);
    const tacit_relink *found = relinked_run(&r, NULL);
    assert_int_equal(found->attacks[TACIT_RELINK_STANDARD].attacked, 0);
    assert_float_equal(found->attacks[TACIT_RELINK_STANDARD].high, 1, CLOSE);
    assert_int_equal(found->maps.null_map, TACIT_LINK_HOLDS);
    assert_int_equal(found->maps.k_map, TACIT_LINK_HOLDS);
    assert_int_equal(found->maps.wrong_map, TACIT_LINK_BROKEN);
    relinked_close(&r);
    relinked_open(&r, "a,b\n5,x\n", "a,b\n5,x\n", AB, 2);
    found = relinked_run(&r, NULL);
    for (int kind = 0; kind < TACIT_RELINK_KINDS; kind++)
        assert_true(!found->attacks[kind].tried || found->attacks[kind].share == 1);
    assert_float_equal(found->guess, 1, CLOSE);
    relinked_close(&r);
    relinked_open(&r, "a,b\n5,x\n5,x\n5,x\n", "a,b\n5,x\n6,x\n5,y\n", AB, 2); /* constant */
    found = relinked_run(&r, NULL);
    for (int kind = 0; kind < TACIT_RELINK_KINDS; kind++)
        assert_true(!found->attacks[kind].tried ||
                    fabs(found->attacks[kind].share - 1.0 / 3) < CLOSE);
    relinked_close(&r);
    relinked_open(&r, "a,b\n,\n,\n", "a,b\n,\n,\n", AB, 2); /* all missing */
    found = relinked_run(&r, NULL);
    assert_float_equal(found->attacks[found->best].share, 0.5, CLOSE);
    assert_int_equal(found->maps.smallest, 2);
    relinked_close(&r);
}

/* Limits make samples, which say so. */
static void test_limits(void **state)
{
    (void)state;
    static char text[1 << 16];
    size_t len = (size_t)sprintf(text, "a\n");
    for (int i = 0; i < 5000; i++)
        len += (size_t)sprintf(text + len, "%d\n", i * 7);
    relinked r;
    relinked_open(&r, text, text, A, 1);
    r.options.max_records = 300;
    const tacit_relink *found = relinked_run(&r, NULL);
    assert_true(found->sampled);
    assert_int_equal(found->attacks[TACIT_RELINK_STANDARD].attacked, 300);
    assert_float_equal(found->attacks[TACIT_RELINK_STANDARD].share, 1, CLOSE);
    assert_int_equal(found->maps.k_map, TACIT_LINK_BROKEN);
    r.options.max_records = 5000;
    r.options.max_steps = 1;
    found = relinked_run(&r, NULL);
    assert_int_equal(found->attacks[TACIT_RELINK_STANDARD].attacked, 1024);
    assert_int_equal(found->maps.records, 1024);
    assert_int_equal(found->maps.k_map, TACIT_LINK_BROKEN);
    r.options.k = 1; /* the others are linked, to know it of all */
    found = relinked_run(&r, NULL);
    assert_int_equal(found->maps.records, 5000);
    assert_int_equal(found->maps.k_map, TACIT_LINK_HOLDS);
    relinked_close(&r);
    static char overlapping[1 << 17];
    len = (size_t)sprintf(overlapping, "a\n");
    for (int i = 0; i < 5000; i++)
        len += (size_t)sprintf(overlapping + len, "%d-%d\n", i * 7, i * 7 + 10);
    relinked_open(&r, text, overlapping, A, 1);
    r.options.max_steps = 1;
    r.options.k = 1;
    found = relinked_run(&r, NULL); /* where they cannot be, it is not known */
    assert_int_equal(found->maps.records, 1024);
    assert_int_equal(found->maps.k_map, TACIT_LINK_UNKNOWN);
    relinked_close(&r);
}

static bool stop_at(const char *phase, int64_t done, int64_t total, void *payload)
{
    int *left = payload;
    (void)phase;
    assert_in_range(done, 0, total);
    return (*left)-- > 0;
}

/* Whoever watches may end it at any time. */
static void test_cancelled(void **state)
{
    (void)state;
    relinked r;
    tacit_run run;
    tacit_status status = TACIT_CANCELLED;
    int after = 0;
    relinked_open(&r, "a,b\n1,2\n3,5\n4,4\n", "a,b\n1,2\n3,5\n4,4\n", AB, 2);
    tacit_run_init(&run);
    run.threads = 1;
    run.progress = stop_at;
    for (; status != TACIT_OK; after++) {
        int left = after;
        tacit_relink *out = NULL;
        tacit_error err = {0};
        run.payload = &left;
        status = tacit_relink_measure(&out, &r.c, &r.options, &run, &err);
        assert_true(status == TACIT_OK || (status == TACIT_CANCELLED && !out));
        tacit_relink_free(out);
    }
    assert_true(after > 5);
    relinked_close(&r);
}

static void refused(relinked *r, tacit_status expected)
{
    tacit_relink *out = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_relink_measure(&out, &r->c, &r->options, NULL, &err), expected);
    assert_null(out);
    assert_int_not_equal(err.message[0], 0);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const ELSE[] = {"c"};
    static const uint32_t FAR[] = {0, 7};
    const char *many[TACIT_MAX_RELINK_COLUMNS + 1];
    relinked r;
    relinked_open(&r, "a,b\n1,2\n3,4\n", "a\n1\n3\n", A, 1);
    tacit_relink_case good = r.c;
    tacit_relink_options fine = r.options;
    r.c.columns = ELSE;
    refused(&r, TACIT_INVALID);
    r.c.columns = AB;
    r.c.column_count = 2;
    refused(&r, TACIT_INVALID);
    r.c.column_count = 0;
    refused(&r, TACIT_INVALID);
    for (int i = 0; i <= TACIT_MAX_RELINK_COLUMNS; i++)
        many[i] = "a";
    r.c.columns = many;
    r.c.column_count = TACIT_MAX_RELINK_COLUMNS + 1;
    refused(&r, TACIT_LIMIT);
    r.c = good;
    r.c.origin = FAR;
    refused(&r, TACIT_INVALID);
    r.c = good;
    r.options.margin = 1;
    refused(&r, TACIT_INVALID);
    r.options = fine;
    r.options.near = 0.5;
    refused(&r, TACIT_INVALID);
    r.options = fine;
    r.options.windows[1] = NAN;
    refused(&r, TACIT_INVALID);
    r.options = fine;
    r.options.window_count = TACIT_MAX_RELINK_WINDOWS + 1;
    refused(&r, TACIT_INVALID);
    r.options = fine;
    r.options.k = 0;
    refused(&r, TACIT_INVALID);
    relinked_close(&r);
    relinked_open(&r, "a\n1\n2\n", "a\n1\n", A, 1);
    refused(&r, TACIT_INVALID); /* fewer records than people, and no truth */
    relinked_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_identity),
                                       cmocka_unit_test(test_margins),
                                       cmocka_unit_test(test_interval_of_share),
                                       cmocka_unit_test(test_names_and_numbers),
                                       cmocka_unit_test(test_missing),
                                       cmocka_unit_test(test_mahalanobis),
                                       cmocka_unit_test(test_ranks),
                                       cmocka_unit_test(test_labels),
                                       cmocka_unit_test(test_categories),
                                       cmocka_unit_test(test_hierarchies),
                                       cmocka_unit_test(test_windows),
                                       cmocka_unit_test(test_probability),
                                       cmocka_unit_test(test_verdicts),
                                       cmocka_unit_test(test_subjects),
                                       cmocka_unit_test(test_degenerate),
                                       cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_cancelled),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
