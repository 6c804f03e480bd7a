/*
 * test_uniques_data.c - real data with known results of programs that others
 * wrote: sdcMicro's suda2 and ARX's risk models. Skipped where the data is not
 * at hand.
 */
#include "uniques_case.h"

#include <math.h>
#include <unistd.h>

#define DATA TACIT_SOURCE_DIR "/../shared/data/"

/* The file's text; a delimiter at the end of its last line is left out, since one
 * of the files has one too many. */
static tacit_table *read_data(const char *path, bool header, char **text)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        print_message("skipped: no shared data\n");
        skip();
    }
    fseek(file, 0, SEEK_END);
    size_t len = (size_t)ftell(file);
    rewind(file);
    *text = malloc(len);
    assert_int_equal(fread(*text, 1, len, file), len);
    fclose(file);
    while (len && ((*text)[len - 1] == '\n' || (*text)[len - 1] == '\r' || (*text)[len - 1] == ';'))
        len--;
    return table_of_text((tacit_strview){*text, len}, header);
}

typedef struct known {
    const char *path;
    bool header;
    int columns;
    int max_size;
    int64_t by_size[10];
    int64_t at_risk;
    double score;
} known;

static const known KNOWN[] = {
    {DATA "adult/adult.csv",
     true,
     9,
     0,
     {0, 2, 1204, 14890, 26029, 15983, 4172, 498, 31, 0},
     15512,
     20402731},
    {DATA "adult/adult.csv", true, 5, 0, {0, 1, 169, 1900, 1890, 317}, 3187, 7045},
    {DATA "suda2/fars_int_100937x8.csv",
     false,
     8,
     0,
     {0, 2, 1368, 73164, 90140, 10165, 431, 1, 0},
     49763,
     NAN},
};

static void check_known(const known *k, int threads)
{
    char *text;
    tacit_table *table = read_data(k->path, k->header, &text);
    tacit_distinct *distinct = distinct_of(table, 0, k->columns, TACIT_MISSING_VALUE, threads);
    tacit_uniques *uniques = uniques_of(distinct, 1, k->max_size, threads);
    const tacit_uniques_summary *summary = tacit_uniques_summarize(uniques);
    tacit_suda *suda = NULL;
    for (int size = 0; size < 10; size++)
        assert_int_equal(summary->by_size[size], k->by_size[size]);
    assert_int_equal(summary->at_risk, k->at_risk);
    assert_int_equal(tacit_suda_new(&suda, uniques, TACIT_SUDA_ELLIOT, 0.01, NULL), TACIT_OK);
    if (!isnan(k->score))
        assert_true(suda->total == k->score);
    if (k->columns == 9)
        assert_true(fabs(suda->highest_dis - 0.94168) < 0.000005);
    tacit_suda_free(suda);
    tacit_uniques_free(uniques);
    tacit_distinct_free(distinct);
    tacit_table_free(table);
    free(text);
}

static void test_known_results(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++)
        check_known(&KNOWN[i], 1 + (int)i);
}

/* Every prime implicant of the mushrooms, counted by trying every set of up to five
 * columns. Nobody else has them for all 23. */
static void test_mushrooms(void **state)
{
    (void)state;
    char *text;
    tacit_table *table = read_data(DATA "suda2/mushroom_int_8124x23.csv", false, &text);
    tacit_distinct *distinct = distinct_of(table, 0, 23, TACIT_MISSING_VALUE, 2);
    tacit_uniques *uniques = uniques_of(distinct, 1, 5, 2), *all = uniques_of(distinct, 1, 0, 2);
    const tacit_uniques_summary *summary = tacit_uniques_summarize(uniques);
    static const int64_t BY_SIZE[] = {0, 0, 5, 58, 375, 963, 0};
    for (int size = 0; size <= 6; size++)
        assert_int_equal(summary->by_size[size], BY_SIZE[size]);
    assert_int_equal(summary->complete, 5);
    assert_int_equal(summary->end, TACIT_OK);
    for (int64_t row = 0; row < tacit_table_rows(table); row++) {
        tacit_unique_sets_view some = tacit_uniques_of(uniques, row);
        tacit_unique_sets_view every = tacit_uniques_of(all, row);
        assert_true(some.count <= every.count && every.count > 0);
        for (int64_t i = 0; i < some.count; i++)
            assert_int_equal(some.sets[i].columns, every.sets[i].columns);
    }
    assert_int_equal(tacit_uniques_summarize(all)->complete, 23);
    tacit_uniques_free(uniques);
    tacit_uniques_free(all);
    tacit_distinct_free(distinct);
    tacit_table_free(table);
    free(text);
}

/* The first record of sdcMicro's testdata2, both kinds of scores. */
static void test_testdata2(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"urbrur",   "roof",  "walls", "water",
                                        "electcon", "relat", "sex"};
    static const struct {
        int columns[8];
        int count;
        tacit_suda_kind kind;
        double score;
    } CASES[] = {{{0, 1, 2, 3, 6}, 5, TACIT_SUDA_ELLIOT, 2},
                 {{0, 1, 2, 3, 4, 5, 6}, 7, TACIT_SUDA_ELLIOT, 180},
                 {{0, 1, 2, 3, 4, 5, 6}, 7, TACIT_SUDA_IHSN, 2.73}};
    char *text;
    tacit_run run;
    tacit_run_init(&run);
    tacit_table *table = read_data(DATA "sdcmicro/testdata2.csv", true, &text);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        int32_t columns[8];
        tacit_distinct *distinct = NULL;
        tacit_suda *suda = NULL;
        for (int j = 0; j < CASES[i].count; j++)
            columns[j] = tacit_table_find(table, tacit_strview_of(NAMES[CASES[i].columns[j]]));
        assert_int_equal(tacit_distinct_new(&distinct, table, columns, CASES[i].count,
                                            TACIT_MISSING_VALUE, &run, NULL),
                         TACIT_OK);
        tacit_uniques *uniques = uniques_of(distinct, 1, 0, 1);
        assert_int_equal(tacit_suda_new(&suda, uniques, CASES[i].kind, 0.01, NULL), TACIT_OK);
        double score = suda->scores[tacit_distinct_of(distinct, 0)];
        assert_true(fabs(score - CASES[i].score) < 0.005);
        tacit_suda_free(suda);
        tacit_uniques_free(uniques);
        tacit_distinct_free(distinct);
    }
    tacit_table_free(table);
    free(text);
}

/* What ARX finds on adult: the prosecutor's success, and population uniques by
 * the models of Pitman and Zayatz at several sampling fractions. */
static void test_population(void **state)
{
    (void)state;
    static const struct {
        double fraction, pitman, zayatz;
        tacit_uniqueness_model model;
    } CASES[] = {
        {0.1, 0.27684993883653597, 0.3207402393466189, TACIT_UNIQUENESS_PITMAN},
        {0.2, NAN, 0.3577099234829125, TACIT_UNIQUENESS_SNB},
        {0.01, 0.1446083531167384, NAN, TACIT_UNIQUENESS_PITMAN},
        {1, 0.5142895033485844, 0.5142895033485844,
         TACIT_UNIQUENESS_NONE}, /* nothing to estimate */
    };
    char *text;
    tacit_run run;
    tacit_run_init(&run);
    tacit_table *table = read_data(DATA "adult/adult.csv", true, &text);
    tacit_distinct *distinct = distinct_of(table, 0, 9, TACIT_MISSING_VALUE, 1);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        tacit_sample sample;
        tacit_risk *risk = NULL;
        tacit_sample_init(&sample);
        sample.fraction = CASES[i].fraction;
        assert_int_equal(tacit_risk_new(&risk, distinct, &sample, &run, NULL), TACIT_OK);
        assert_true(fabs(risk->prosecutor.success - 0.6465751607983555) < 1e-14);
        assert_true(risk->alone == 15512 && risk->classes == 19502);
        if (!isnan(CASES[i].pitman))
            assert_true(fabs(risk->pitman / risk->population - CASES[i].pitman) < 1e-9);
        if (!isnan(CASES[i].zayatz))
            assert_true(fabs(risk->zayatz / risk->population - CASES[i].zayatz) < 1e-9);
        assert_int_equal(risk->dankar_model, CASES[i].model);
        tacit_risk_free(risk);
    }
    tacit_distinct_free(distinct);
    tacit_table_free(table);
    free(text);
}

/* sdcMicro's own example on testdata: 10.8 re-identifications of individuals are expected, and
 * 51.8 where whoever finds a member of a household finds all. Six digits are of its formulas
 * (indivRisk, measure_risk), computed by themselves on the file. */
static void test_households(void **state)
{
    (void)state;
    char *text;
    tacit_run run;
    tacit_sample sample;
    double *weights = NULL;
    tacit_risk *risk = NULL;
    tacit_linked_risk *linked = NULL;
    tacit_run_init(&run);
    tacit_sample_init(&sample);
    tacit_table *table = read_data(DATA "sdcmicro/testdata.csv", true, &text);
    tacit_distinct *distinct = distinct_of(table, 0, 7, TACIT_MISSING_VALUE, 1);
    int32_t weight = tacit_table_find(table, tacit_strview_of("sampling_weight"));
    int32_t household = tacit_table_find(table, tacit_strview_of("ori_hid"));
    assert_int_equal(tacit_weights_new(&weights, table, weight, NULL), TACIT_OK);
    sample.weights = weights;
    assert_int_equal(tacit_risk_new(&risk, distinct, &sample, &run, NULL), TACIT_OK);
    assert_int_equal(tacit_linked_risk_new(&linked, risk, distinct, NULL, household, NULL),
                     TACIT_OK);
    assert_true(fabs(risk->expected - 10.778299) < 5e-7);
    assert_true(fabs(linked->expected - 51.812927) < 5e-7);
    assert_int_equal(linked->units, 1000);
    tacit_linked_risk_free(linked);
    tacit_risk_free(risk);
    tacit_weights_free(weights);
    tacit_distinct_free(distinct);
    tacit_table_free(table);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_results), cmocka_unit_test(test_mushrooms),
        cmocka_unit_test(test_testdata2),     cmocka_unit_test(test_population),
        cmocka_unit_test(test_households),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
