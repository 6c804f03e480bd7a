/*
 * test_uniques_figures.c - what papers and programs of others say of small
 * tables: the table of k-unique records (KIMAS 2003) with its prime implicants,
 * Table 7 and rankings; SUDA scores of published examples; individual risks.
 */
#include "uniques_case.h"

#include <math.h>

/* Table 1 of the paper: id, then the five columns that are looked at. */
static const char PEOPLE[] = "id,OID,SEX,RACE,TYPE,ZIP\n"
                             "1,1,m,Caucasian,1,32122\n"
                             "2,1,m,Caucasian,1,32122\n"
                             "3,2,f,Caucasian,1,32110\n"
                             "4,3,f,African,1,32110\n"
                             "5,3,f,African,1,32110\n"
                             "6,3,f,African,1,32110\n"
                             "7,3,m,African,1,32110\n"
                             "8,3,f,Caucasian,1,32111\n"
                             "9,1,m,African,2,32111\n"
                             "10,1,m,African,2,32111\n"
                             "11,2,m,African,2,32110\n"
                             "12,1,m,Caucasian,2,32110\n";

enum { OID = 1, SEX = 2, RACE = 4, TYPE = 8, ZIP = 16 };

typedef struct opened {
    tacit_table *table;
    tacit_distinct *distinct;
    tacit_uniques *uniques;
} opened;

/* The table's columns from `first` on. */
static opened open_text(const char *text, int first, int count, tacit_missing missing)
{
    opened o = {.table = table_of_text(tacit_strview_of(text), true)};
    o.distinct = distinct_of(o.table, first, count, missing, 2);
    o.uniques = uniques_of(o.distinct, 1, 0, 2);
    return o;
}

static void close_text(opened *o)
{
    tacit_uniques_free(o->uniques);
    tacit_distinct_free(o->distinct);
    tacit_table_free(o->table);
}

static void test_prime_implicants(void **state)
{
    (void)state;
    static const uint64_t EXPECTED[12][6] = {
        [2] = {OID | SEX, OID | RACE, OID | TYPE, SEX | RACE | ZIP, RACE | TYPE | ZIP},
        [6] = {OID | SEX, SEX | RACE | TYPE, SEX | TYPE | ZIP},
        [7] = {OID | RACE, OID | ZIP, SEX | ZIP, RACE | ZIP, TYPE | ZIP},
        [10] = {OID | SEX, OID | RACE, OID | TYPE, RACE | TYPE | ZIP},
        [11] = {OID | ZIP, RACE | TYPE, SEX | RACE | ZIP}};
    opened o = open_text(PEOPLE, 1, 5, TACIT_MISSING_VALUE);
    for (int row = 0; row < 12; row++) {
        tacit_unique_sets_view view = tacit_uniques_of(o.uniques, row);
        int count = 0;
        for (; EXPECTED[row][count]; count++) {
            assert_true(count < view.count);
            assert_int_equal(view.sets[count].columns, EXPECTED[row][count]);
            assert_int_equal(view.sets[count].records, 1);
        }
        assert_int_equal(view.count, count);
    }
    const tacit_uniques_summary *summary = tacit_uniques_summarize(o.uniques);
    assert_int_equal(summary->rows, 12);
    assert_int_equal(summary->at_risk, 5);
    assert_int_equal(summary->sets, 20);
    assert_int_equal(summary->by_size[2], 14);
    assert_int_equal(summary->by_size[3], 6);
    assert_int_equal(summary->by_fewest[2], 5);
    close_text(&o);
}

/* Ids as the paper has them, from 1. */
static void test_table_7(void **state)
{
    (void)state;
    static const struct {
        uint64_t columns;
        int ids[4];
    } EXPECTED[] = {
        {OID | SEX, {3, 7, 11}},     {OID | RACE, {3, 8, 11}}, {OID | TYPE, {3, 11}},
        {OID | ZIP, {8, 12}},        {SEX | ZIP, {8}},         {RACE | TYPE, {12}},
        {RACE | ZIP, {8}},           {TYPE | ZIP, {8}},        {SEX | RACE | TYPE, {7}},
        {SEX | RACE | ZIP, {3, 12}}, {SEX | TYPE | ZIP, {7}},  {RACE | TYPE | ZIP, {3, 11}}};
    opened o = open_text(PEOPLE, 1, 5, TACIT_MISSING_VALUE);
    tacit_clusters *clusters = NULL;
    assert_int_equal(tacit_clusters_new(&clusters, o.uniques, NULL), TACIT_OK);
    assert_int_equal(clusters->count, sizeof EXPECTED / sizeof EXPECTED[0]);
    for (int64_t i = 0; i < clusters->count; i++) {
        int64_t start = clusters->starts[i], count = 0;
        assert_int_equal(clusters->columns[i], EXPECTED[i].columns);
        for (; EXPECTED[i].ids[count]; count++)
            assert_int_equal(clusters->rows[start + count] + 1, EXPECTED[i].ids[count]);
        assert_int_equal(clusters->starts[i + 1] - start, count);
    }
    tacit_clusters_free(clusters);
    close_text(&o);
}

static void test_rankings(void **state)
{
    (void)state;
    static const int ORDER[][5] = {[TACIT_RANK_FEWEST] = {3, 7, 8, 11, 12},
                                   [TACIT_RANK_SETS] = {3, 8, 11, 7, 12},
                                   [TACIT_RANK_GROUP] = {3, 7, 8, 11, 12}};
    opened o = open_text(PEOPLE, 1, 5, TACIT_MISSING_VALUE);
    for (int by = TACIT_RANK_FEWEST; by <= TACIT_RANK_GROUP; by++) {
        uint32_t rows[5];
        assert_int_equal(tacit_uniques_rank(rows, o.uniques, (tacit_unique_rank)by, NULL),
                         TACIT_OK);
        for (int i = 0; i < 5; i++)
            assert_int_equal(rows[i] + 1, ORDER[by][i]);
    }
    tacit_unique_measures measures = tacit_uniques_measure(o.uniques, 10);
    assert_int_equal(measures.fewest, 2);
    assert_int_equal(measures.sets, 4);
    assert_int_equal(measures.group, 1);
    close_text(&o);
}

/* Counted by hand from the prime implicants. */
static void test_contributions(void **state)
{
    (void)state;
    opened o = open_text(PEOPLE, 1, 5, TACIT_MISSING_VALUE);
    tacit_contributions *c = NULL;
    assert_int_equal(tacit_contributions_new(&c, o.uniques, NULL), TACIT_OK);
    /* OID: three sets each of 3 and 11, two of 8, one each of 7 and 12; (5 - 2)! = 6 each */
    assert_int_equal(c->columns[0].sets, 10);
    assert_int_equal(c->columns[0].rows, 5);
    assert_int_equal(c->columns[0].only, 0);
    assert_true(c->columns[0].score == 60);
    /* SEX is in every set of 7, and of nobody else */
    assert_int_equal(c->columns[1].only, 1);
    assert_int_equal(c->columns[1].rows, 5);
    assert_int_equal(c->columns[1].sets, 8);
    assert_true(c->columns[1].score == 4 * 6 + 4 * 2);
    assert_true(c->total == 14 * 6 + 6 * 2);
    /* OID 2, which 3 and 11 have, is the second value */
    assert_int_equal(c->values[0][1].rows, 2);
    assert_int_equal(c->values[0][1].sets, 6);
    assert_true(c->values[0][1].score == 36);
    tacit_contributions_free(c);
    close_text(&o);
}

typedef struct scored {
    const char *text;
    int columns;
    double scores[10];
} scored;

/* Examples from the tests of sdcMicro: of its book, of the guideline of the IHSN,
 * and the smallest one, whose contributions are known as well. */
static const scored SCORED[] = {
    {"age,gender,income,education\n20s,male,50k+,highschool\n20s,male,50k+,highschool\n"
     "20s,male,50k-,highschool\n20s,male,50k-,highschool\n20s,female,50k-,university\n"
     "20s,female,50k-,highschool\n20s,female,50k-,middleschool\n60s,male,50k-,university\n",
     4,
     {0, 0, 0, 0, 4, 2, 6, 8}},
    {"residence,gender,education,labor\nUrban,Female,Secondary incomplete,Employed\n"
     "Urban,Female,Secondary incomplete,Employed\nUrban,Female,Primary incomplete,Non-LF\n"
     "Urban,Male,Secondary complete,Employed\nRural,Female,Secondary complete,Unemployed\n"
     "Urban,Male,Secondary complete,Employed\nUrban,Female,Primary complete,Non-LF\n"
     "Urban,Male,Post-secondary,Unemployed\nUrban,Female,Secondary incomplete,Non-LF\n"
     "Urban,Female,Secondary incomplete,Non-LF\n",
     4,
     {0, 0, 6, 0, 12, 0, 6, 10, 0, 0}},
    {"a,b,c\n2,0,0\n1,3,6\n1,0,0\n", 3, {2, 4, 2}},
};

static void test_suda_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SCORED / sizeof SCORED[0]; i++) {
        opened o = open_text(SCORED[i].text, 0, SCORED[i].columns, TACIT_MISSING_VALUE);
        tacit_suda *suda = NULL;
        double total = 0;
        assert_int_equal(tacit_suda_new(&suda, o.uniques, TACIT_SUDA_ELLIOT, 0.01, NULL), TACIT_OK);
        for (int64_t row = 0; row < tacit_table_rows(o.table); row++) {
            assert_true(suda->scores[tacit_distinct_of(o.distinct, row)] == SCORED[i].scores[row]);
            total += SCORED[i].scores[row];
        }
        assert_true(suda->total == total);
        tacit_suda_free(suda);
        close_text(&o);
    }
}

static void test_suda_contributions(void **state)
{
    (void)state;
    static const double EXPECTED[] = {50, 37.5, 37.5};
    opened o = open_text(SCORED[2].text, 0, 3, TACIT_MISSING_VALUE);
    tacit_contributions *c = NULL;
    double shares[3];
    assert_int_equal(tacit_contributions_new(&c, o.uniques, NULL), TACIT_OK);
    for (int i = 0; i < 3; i++)
        assert_true(100 * c->columns[i].score / c->total == EXPECTED[i]);
    /* the third record is unique on a and b, and on a and c */
    tacit_suda_shares(shares, o.uniques, TACIT_SUDA_ELLIOT, 2);
    assert_true(shares[0] == 1 && shares[1] == 0.5 && shares[2] == 0.5);
    tacit_contributions_free(c);
    close_text(&o);
}

/* By hand: records 1 and 2 are unique, 3 and 4 a pair. Scores at 3 columns. */
static void test_dis(void **state)
{
    (void)state;
    opened o = open_text("a,b,c\nx,1,1\ny,2,1\nz,1,1\nz,1,1\n", 0, 3, TACIT_MISSING_VALUE);
    tacit_suda *suda = NULL;
    assert_int_equal(tacit_suda_new(&suda, o.uniques, TACIT_SUDA_ELLIOT, 0.25, NULL), TACIT_OK);
    /* {a} is prime for both, {b} for the second: scores 2 and 4 */
    double q = 1 + 5 / 20.0, sum = 1 / pow(2, q) + 1 / pow(4, q), odds = 2 * 0.75 / 0.25;
    double first = suda->dis[tacit_distinct_of(o.distinct, 0)];
    double second = suda->dis[tacit_distinct_of(o.distinct, 1)];
    assert_true(fabs(first - 1 / (1 + odds / (pow(2, q) * sum))) < 1e-12);
    assert_true(fabs(second - 1 / (1 + odds / (pow(4, q) * sum))) < 1e-12);
    assert_true(suda->dis[tacit_distinct_of(o.distinct, 2)] == 0);
    assert_true(fabs(suda->file_dis - 2 * 0.25 / (2 * 0.25 + 2 * 0.75)) < 1e-12);
    assert_true(suda->highest_dis == second);
    tacit_suda_free(suda);
    close_text(&o);
}

/* Tables of the tests of sdcMicro's individual risk, with a weight for each row. */
static const char SAMPLE[] = "a,b,c,w\n2,3,1,18\n3,3,3,45.5\n2,3,1,39\n2,3,2,17\n3,3,1,92\n"
                             "3,3,1,8\n1,4,1,123.5\n2,3,1,51\n";
static const char SAMPLE_MISSING[] = "a,b,c,w\n2,3,1,18\n3,3,3,45.5\n2,3,,39\n2,3,2,17\n3,3,1,92\n"
                                     "3,3,1,8\n1,4,,123.5\n,3,1,51\n";

static void assert_risks(const char *text, tacit_missing missing, bool exact, bool weighted,
                         const double *expected)
{
    opened o = open_text(text, 0, 3, missing);
    tacit_sample sample;
    tacit_risk *risk = NULL;
    tacit_run run;
    double *weights = NULL, sum = 0;
    tacit_run_init(&run);
    tacit_sample_init(&sample);
    assert_int_equal(tacit_weights_new(&weights, o.table, 3, NULL), TACIT_OK);
    sample.weights = weighted ? weights : NULL;
    sample.exact = exact;
    assert_int_equal(tacit_risk_new(&risk, o.distinct, &sample, &run, NULL), TACIT_OK);
    for (int row = 0; row < 8; row++) {
        double is = risk->individual[tacit_distinct_of(o.distinct, row)];
        if (fabs(is - expected[row]) > 1.5e-8 && fabs(is / expected[row] - 1) > 1.5e-8)
            fail_msg("row %d: %.10f, not %.10f", row, is, expected[row]);
        sum += is;
    }
    assert_true(fabs(risk->expected - sum) < 1e-12);
    assert_true(fabs(risk->population - (weighted ? 394 : 8)) < 1e-12);
    tacit_risk_free(risk);
    tacit_weights_free(weights);
    close_text(&o);
}

static void test_individual_risk(void **state)
{
    (void)state;
    static const double APPROXIMATE[] = {0.01369863, 0.08579129, 0.01369863, 0.17707583,
                                         0.01877883, 0.01877883, 0.03931625, 0.01369863};
    static const double EXACT[] = {0.01355297, 0.08579129, 0.01355297, 0.17707583,
                                   0.01877883, 0.01877883, 0.03931625, 0.01355297};
    static const double EVERYBODY[] = {1 / 3.0, 1, 1 / 3.0, 1, 0.5, 0.5, 1, 1 / 3.0};
    assert_risks(SAMPLE, TACIT_MISSING_VALUE, false, true, APPROXIMATE);
    assert_risks(SAMPLE, TACIT_MISSING_VALUE, true, true, EXACT);
    assert_risks(SAMPLE, TACIT_MISSING_ANY, true, true, EXACT);
    assert_risks(SAMPLE, TACIT_MISSING_VALUE, false, false, EVERYBODY);
}

static void test_individual_risk_missing(void **state)
{
    (void)state;
    static const double APPROXIMATE[] = {0.013698630, 0.085791288, 0.010554090, 0.032466112,
                                         0.009836066, 0.009836066, 0.039316254, 0.005973716};
    static const double EXACT[] = {0.013552968, 0.085791288, 0.010504889, 0.032466112,
                                   0.009756889, 0.009756889, 0.039316254, 0.005962551};
    static const double EVERYBODY[] = {1 / 3.0, 1, 0.25, 0.5, 1 / 3.0, 1 / 3.0, 1, 0.2};
    assert_risks(SAMPLE_MISSING, TACIT_MISSING_ANY, false, true, APPROXIMATE);
    assert_risks(SAMPLE_MISSING, TACIT_MISSING_ANY, true, true, EXACT);
    assert_risks(SAMPLE_MISSING, TACIT_MISSING_ANY, false, false, EVERYBODY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prime_implicants),
        cmocka_unit_test(test_table_7),
        cmocka_unit_test(test_rankings),
        cmocka_unit_test(test_contributions),
        cmocka_unit_test(test_suda_examples),
        cmocka_unit_test(test_suda_contributions),
        cmocka_unit_test(test_dis),
        cmocka_unit_test(test_individual_risk),
        cmocka_unit_test(test_individual_risk_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
