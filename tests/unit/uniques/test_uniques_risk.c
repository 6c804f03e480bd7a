/*
 * test_uniques_risk.c - small and odd tables, refused input, weights, and the
 * numbers of sampling risk against sums that are taken term by term.
 */
#include "uniques_case.h"

#include <math.h>

#include "uniques/uniques.h"

static void open_small(uniques_case *c, int rows, int columns, const int *cells,
                       tacit_missing missing)
{
    c->rows = rows;
    c->columns = columns;
    for (int i = 0; i < rows * columns; i++)
        c->cells[i / columns][i % columns] = cells[i];
    case_open(c, missing);
}

static tacit_risk *risk_of(const tacit_distinct *distinct, const tacit_sample *sample)
{
    tacit_run run;
    tacit_error err = {0};
    tacit_risk *risk = NULL;
    tacit_run_init(&run);
    if (tacit_risk_new(&risk, distinct, sample, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return risk;
}

/* Everything there is, on a table without rows. */
static void test_no_rows(void **state)
{
    (void)state;
    uniques_case c;
    tacit_run run;
    tacit_sample sample;
    tacit_clusters *clusters = NULL;
    tacit_contributions *contributions = NULL;
    tacit_suda *suda = NULL;
    tacit_combinations *combinations = NULL;
    tacit_run_init(&run);
    tacit_sample_init(&sample);
    for (int missing = TACIT_MISSING_VALUE; missing <= TACIT_MISSING_ANY; missing++) {
        open_small(&c, 0, 2, NULL, (tacit_missing)missing);
        tacit_uniques *uniques = uniques_of(c.distinct, 1, 0, 2);
        assert_int_equal(tacit_uniques_summarize(uniques)->at_risk, 0);
        assert_int_equal(tacit_uniques_rank(NULL, uniques, TACIT_RANK_SETS, NULL), TACIT_OK);
        assert_int_equal(tacit_clusters_new(&clusters, uniques, NULL), TACIT_OK);
        assert_int_equal(clusters->count, 0);
        assert_int_equal(clusters->starts[0], 0);
        assert_int_equal(tacit_contributions_new(&contributions, uniques, NULL), TACIT_OK);
        assert_int_equal(tacit_suda_new(&suda, uniques, TACIT_SUDA_ELLIOT, 1, NULL), TACIT_OK);
        assert_int_equal(tacit_combinations_new(&combinations, c.distinct, 2, 1, &run, NULL),
                         TACIT_OK);
        assert_int_equal(combinations->count, 3);
        tacit_risk *risk = risk_of(c.distinct, &sample);
        assert_true(risk->expected == 0 && risk->dankar == 0);
        tacit_risk_free(risk);
        tacit_combinations_free(combinations);
        tacit_suda_free(suda);
        tacit_contributions_free(contributions);
        tacit_clusters_free(clusters);
        tacit_uniques_free(uniques);
        case_close(&c);
    }
}

/* No more than k rows: the set of no columns is enough. */
static void test_k_of_all(void **state)
{
    (void)state;
    static const int CELLS[] = {1, 2, 1, 3, 4, 3};
    uniques_case c;
    open_small(&c, 3, 2, CELLS, TACIT_MISSING_VALUE);
    static const int64_t KS[] = {3, 4, INT64_MAX};
    for (int i = 0; i < 3; i++) {
        tacit_uniques *uniques = uniques_of(c.distinct, KS[i], 0, 1);
        const tacit_uniques_summary *summary = tacit_uniques_summarize(uniques);
        tacit_clusters *clusters = NULL;
        assert_int_equal(summary->at_risk, 3);
        assert_int_equal(summary->by_size[0], 3);
        assert_int_equal(summary->sets, 3);
        tacit_unique_sets_view view = tacit_uniques_of(uniques, 1);
        assert_int_equal(view.count, 1);
        assert_int_equal(view.sets[0].columns, 0);
        assert_int_equal(view.sets[0].records, 3);
        assert_int_equal(tacit_clusters_new(&clusters, uniques, NULL), TACIT_OK);
        assert_int_equal(clusters->count, 1);
        assert_int_equal(clusters->starts[1], 3);
        tacit_clusters_free(clusters);
        tacit_uniques_free(uniques);
    }
    case_close(&c);
}

/* Rows that are all the same, and a column that nobody has. */
static void test_all_the_same(void **state)
{
    (void)state;
    static const int CELLS[] = {1, -1, 1, -1, 1, -1, 1, -1};
    uniques_case c;
    for (int missing = TACIT_MISSING_VALUE; missing <= TACIT_MISSING_ANY; missing++) {
        open_small(&c, 4, 2, CELLS, (tacit_missing)missing);
        tacit_uniques *uniques = uniques_of(c.distinct, 3, 0, 1);
        assert_int_equal(tacit_distinct_count(c.distinct), 1);
        assert_int_equal(tacit_uniques_summarize(uniques)->at_risk, 0);
        assert_int_equal(tacit_uniques_measure(uniques, 0).fewest, 0);
        tacit_uniques_free(uniques);
        case_close(&c);
    }
}

/* 64 columns, of which only two tell anybody apart. */
static void test_max_columns(void **state)
{
    (void)state;
    tacit__strbuf csv = {0};
    for (int row = -1; row < 4; row++)
        for (int i = 0; i < 65; i++)
            tacit__strbuf_format(&csv, "%s%s%d",
                                 i         ? ","
                                 : row < 0 ? ""
                                           : "\n",
                                 row < 0 ? "c" : "",
                                 row < 0   ? i
                                 : i == 3  ? row / 2
                                 : i == 63 ? row % 2
                                           : 5);
    tacit__strbuf_text(&csv, "\n");
    tacit_table *table = table_of_text((tacit_strview){csv.bytes, csv.len}, true);
    tacit_distinct *distinct = distinct_of(table, 0, 64, TACIT_MISSING_VALUE, 1);
    tacit_uniques *uniques = uniques_of(distinct, 1, 0, 1);
    for (int row = 0; row < 4; row++) {
        tacit_unique_sets_view view = tacit_uniques_of(uniques, row);
        assert_int_equal(view.count, 1);
        assert_true(view.sets[0].columns == (UINT64_C(1) << 63 | UINT64_C(1) << 3));
    }
    tacit_uniques_free(uniques);
    tacit_distinct_free(distinct);
    tacit_table_free(table);
    tacit__strbuf_clear(&csv);
}

static void test_refused(void **state)
{
    (void)state;
    static const int CELLS[] = {1, 2, 2, 2};
    static const int32_t TWICE[] = {1, 2, 1};
    uniques_case c;
    tacit_run run;
    tacit_error err = {0};
    tacit_distinct *distinct = NULL;
    tacit_uniques *uniques = NULL;
    tacit_combinations *combinations = NULL;
    tacit_suda *suda = NULL;
    tacit_risk *risk = NULL;
    tacit_sample sample;
    tacit_uniques_options options = {.k = 0};
    tacit_run_init(&run);
    open_small(&c, 2, 2, CELLS, TACIT_MISSING_VALUE);
    assert_int_equal(
        tacit_distinct_new(&distinct, c.table, TWICE, 3, TACIT_MISSING_VALUE, &run, &err),
        TACIT_INVALID);
    assert_string_equal(err.message, "column c1 is named twice");
    err = (tacit_error){0};
    assert_int_equal(
        tacit_distinct_new(&distinct, c.table, TWICE, 65, TACIT_MISSING_VALUE, &run, &err),
        TACIT_INVALID);
    assert_string_equal(err.message, "65 columns; from 1 to 64 can be looked at");
    assert_int_equal(tacit_uniques_new(&uniques, c.distinct, &options, &run, NULL), TACIT_INVALID);
    options = (tacit_uniques_options){.k = 1, .max_size = -1};
    assert_int_equal(tacit_uniques_new(&uniques, c.distinct, &options, &run, NULL), TACIT_INVALID);
    assert_int_equal(tacit_combinations_new(&combinations, c.distinct, 0, 1, &run, NULL),
                     TACIT_INVALID);
    tacit_sample_init(&sample);
    static const double FRACTIONS[] = {0, -1, 1.5, NAN};
    uniques = uniques_of(c.distinct, 1, 0, 1);
    for (int i = 0; i < 4; i++) {
        sample.fraction = FRACTIONS[i];
        assert_int_equal(tacit_risk_new(&risk, c.distinct, &sample, &run, NULL), TACIT_INVALID);
        assert_int_equal(tacit_suda_new(&suda, uniques, TACIT_SUDA_ELLIOT, FRACTIONS[i], NULL),
                         TACIT_INVALID);
    }
    static const double WEIGHTS[] = {1, INFINITY};
    sample.weights = WEIGHTS;
    err = (tacit_error){0};
    assert_int_equal(tacit_risk_new(&risk, c.distinct, &sample, &run, &err), TACIT_INVALID);
    assert_string_equal(err.message, "the weight of row 2 is not above 0");
    tacit_uniques_free(uniques);
    case_close(&c);
}

static void test_too_many_combinations(void **state)
{
    (void)state;
    tacit__strbuf csv = {0};
    for (int i = 0; i < 64; i++)
        tacit__strbuf_format(&csv, "c%d%s", i, i < 63 ? "," : "\n");
    tacit_table *table = table_of_text((tacit_strview){csv.bytes, csv.len}, true);
    tacit_distinct *distinct = distinct_of(table, 0, 64, TACIT_MISSING_VALUE, 1);
    tacit_combinations *combinations = NULL;
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(tacit_combinations_new(&combinations, distinct, 6, 1, &run, NULL),
                     TACIT_LIMIT);
    assert_int_equal(tacit_combinations_new(&combinations, distinct, 64, 1, &run, NULL),
                     TACIT_LIMIT);
    assert_int_equal(tacit_combinations_new(&combinations, distinct, 2, 1, &run, NULL), TACIT_OK);
    assert_int_equal(combinations->count, 64 + 64 * 63 / 2);
    tacit_combinations_free(combinations);
    tacit_distinct_free(distinct);
    tacit_table_free(table);
    tacit__strbuf_clear(&csv);
}

static void test_weights(void **state)
{
    (void)state;
    static const char *const REFUSED[] = {"0", "-1", "x", "", "1e999", "nan", "0x10", "1 2", "1;"};
    static const double EXPECTED[] = {1.5, 200, 0.25, 1.5};
    tacit_table *table = table_of_text(tacit_strview_of("a,w\n1,1.5\n2,2e2\n3,.25\n4,1.5\n"), true);
    double *weights = NULL;
    assert_int_equal(tacit_weights_new(&weights, table, 1, NULL), TACIT_OK);
    for (int i = 0; i < 4; i++)
        assert_true(weights[i] == EXPECTED[i]);
    tacit_weights_free(weights);
    tacit_table_free(table);
    for (size_t i = 0; i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
        tacit__strbuf csv = {0};
        tacit_error err = {0};
        tacit__strbuf_format(&csv, "a,w\n1,1\n1,%s\n", REFUSED[i]);
        table = table_of_text((tacit_strview){csv.bytes, csv.len}, true);
        weights = NULL;
        assert_int_equal(tacit_weights_new(&weights, table, 1, &err), TACIT_PARSE);
        assert_null(weights);
        assert_int_equal(err.line, 3);
        assert_int_equal(err.column, 2);
        assert_string_equal(err.message, "a weight must be a number above 0");
        tacit_table_free(table);
        tacit__strbuf_clear(&csv);
    }
}

/* n over k as a logarithm. */
static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* The mean of 1 / F where F - f is negative binomial, term by term. */
static double risk_by_terms(int f, double p)
{
    double sum = 0;
    for (double people = f; people <= f + 40 * f / p; people++)
        sum += exp(f * log(p) +
                   (p < 1        ? (people - f) * log(1 - p)
                    : people > f ? -INFINITY
                                 : 0) +
                   log_choose(people - 1, f - 1)) /
               people;
    return sum;
}

/* Rows of one class, weighted so that p comes out as wanted. */
static void test_exact_individual_risk(void **state)
{
    (void)state;
    static const int FS[] = {1, 2, 3, 7, 49, 50, 51, 60, 300};
    static const double PS[] = {0.01, 0.1, 0.3, 0.499, 0.501, 0.7, 0.99, 1};
    static const int CELLS[512] = {0};
    for (size_t i = 0; i < sizeof FS / sizeof FS[0]; i++) {
        uniques_case c;
        open_small(&c, FS[i], 1, CELLS, TACIT_MISSING_VALUE);
        for (size_t j = 0; j < sizeof PS / sizeof PS[0]; j++) {
            tacit_sample sample;
            tacit_sample_init(&sample);
            sample.exact = true;
            sample.fraction = PS[j];
            tacit_risk *risk = risk_of(c.distinct, &sample);
            double expected = risk_by_terms(FS[i], PS[j]);
            if (fabs(risk->individual[0] / expected - 1) > 1e-9)
                fail_msg("f %d, p %g: %.12g, not %.12g", FS[i], PS[j], risk->individual[0],
                         expected);
            tacit_risk_free(risk);
        }
        case_close(&c);
    }
}

/* Classes of 1, 1, 2 and 4 rows out of a population of 16. */
static void test_attackers(void **state)
{
    (void)state;
    static const int CELLS[] = {1, 2, 3, 3, 4, 4, 4, 4};
    uniques_case c;
    tacit_sample sample;
    open_small(&c, 8, 1, CELLS, TACIT_MISSING_VALUE);
    tacit_sample_init(&sample);
    sample.fraction = 0.5;
    sample.threshold = 0.3;
    tacit_risk *risk = risk_of(c.distinct, &sample);
    assert_true(risk->prosecutor.records_at_risk == 4 / 8.0);
    assert_true(risk->prosecutor.highest == 1);
    assert_true(risk->prosecutor.success == 4 / 8.0);
    assert_true(risk->journalist.records_at_risk == 2 / 8.0);
    assert_true(risk->journalist.highest == 0.5);
    assert_true(risk->journalist.success == 4 / 16.0);
    assert_true(risk->marketer == 4 / 16.0);
    assert_int_equal(risk->alone, 2);
    assert_int_equal(risk->pairs, 2);
    /* Skinner and Elliot: 1/2 of 2 against 1/2 of those, and 2 halves of a pair */
    assert_true(fabs(risk->skinner - 1 / (1 + 1.0)) < 1e-12);
    tacit_risk_free(risk);
    /* weights below what is there count as what is there */
    static const double WEIGHTS[] = {0.1, 5, 0.1, 0.1, 1, 1, 1, 1};
    sample.weights = WEIGHTS;
    risk = risk_of(c.distinct, &sample);
    assert_true(risk->people[0] == 1 && risk->people[1] == 5 && risk->people[2] == 2);
    assert_true(risk->individual[2] == 0.5);
    tacit_risk_free(risk);
    case_close(&c);
}

static const uint32_t SIZES[] = {1, 2, 3, 5, 9};
static const double COUNTS[] = {40, 22, 9, 4, 2};

static tacit__class_sizes sample_classes(void)
{
    tacit__class_sizes sample = {.sizes = (uint32_t *)SIZES,
                                 .counts = (double *)COUNTS,
                                 .count = 5,
                                 .alone = 40,
                                 .pairs = 22};
    for (int i = 0; i < 5; i++) {
        sample.classes += COUNTS[i];
        sample.rows += COUNTS[i] * SIZES[i];
    }
    return sample;
}

static void test_zayatz(void **state)
{
    (void)state;
    tacit__class_sizes sample = sample_classes();
    double population = 1000, n = sample.rows, all = 0;
    for (int i = 0; i < 5; i++)
        all += COUNTS[i] * SIZES[i] *
               exp(log_choose(population - SIZES[i], n - 1) - log_choose(population, n));
    double expected = 40 * (40 * n / population / all) * population / n;
    assert_true(fabs(tacit__zayatz(&sample, population) / expected - 1) < 1e-9);
    assert_true(fabs(tacit__zayatz(&sample, n) - 40) < 1e-9);
}

/* The likelihood of Pitman's sampling formula, up to a constant. */
static double pitman_likelihood(const tacit__class_sizes *s, double theta, double alpha)
{
    double sum = 0;
    for (double i = 1; i < s->classes; i++)
        sum += log(theta + i * alpha);
    for (double i = 1; i < s->rows; i++)
        sum -= log(theta + i);
    for (size_t j = 0; j < s->count; j++)
        for (double i = 1; i < s->sizes[j]; i++)
            sum += s->counts[j] * log(i - alpha);
    return sum;
}

/* The estimate is that of the parameters that make the likelihood largest, found
 * by steps that get smaller. */
static void test_pitman(void **state)
{
    (void)state;
    tacit__class_sizes sample = sample_classes();
    double theta = 10, alpha = 0.5, step = 0.5;
    while (step > 1e-10) {
        double best = pitman_likelihood(&sample, theta, alpha);
        bool better = false;
        for (int way = 0; way < 4; way++) {
            double t = theta * (way == 0 ? 1 + step : way == 1 ? 1 / (1 + step) : 1);
            double a = alpha + (way == 2 ? step : way == 3 ? -step : 0);
            if (a <= 0 || a >= 1 || pitman_likelihood(&sample, t, a) <= best)
                continue;
            best = pitman_likelihood(&sample, t, a);
            theta = t;
            alpha = a;
            better = true;
        }
        step *= better ? 1 : 0.5;
    }
    double expected = exp(lgamma(theta + 1) - lgamma(theta + alpha)) * pow(1000, alpha);
    assert_true(fabs(tacit__pitman(&sample, 1000) / expected - 1) < 1e-4);
}

/* The parameters found give back the classes of one and two rows. */
static void test_snb(void **state)
{
    (void)state;
    tacit__class_sizes sample = sample_classes();
    assert_true(tacit__snb(&sample, sample.rows) == 40);
    double unique = tacit__snb(&sample, 1000);
    assert_true(unique > 0 && unique < 1000);
    sample.pairs = 0;
    assert_true(isnan(tacit__snb(&sample, 1000)));
    /* a population of classes of 1 + a geometric number: a = 1, b = 1/2, half of it sampled */
    enum { MAX = 60 };
    static uint32_t sizes[MAX];
    static double counts[MAX];
    tacit__class_sizes made = {.sizes = sizes, .counts = counts, .count = MAX};
    for (int people = 1; people < 200; people++)
        for (int rows = 1; rows <= MAX && rows <= people; rows++)
            counts[rows - 1] += 100000 * pow(0.25, people) * exp(log_choose(people, rows));
    for (int i = 0; i < MAX; i++) {
        sizes[i] = (uint32_t)i + 1;
        made.classes += counts[i];
        made.rows += counts[i] * sizes[i];
    }
    made.alone = counts[0];
    made.pairs = counts[1];
    /* Shlosser's estimate of the classes is not exact, so this is not either */
    assert_true(fabs(tacit__snb(&made, 200000) / 50000 - 1) < 0.05);
}

/* ---- rows that go together ---- */

/* The definition: people who have the row's values, their weights, and the product over the
 * distinct pairs of person and values in a unit. */
typedef struct linked_case {
    uniques_case c; /* columns: person, unit, and the values */
    double weights[CASE_ROWS];
} linked_case;

static bool same_values(const uniques_case *c, int a, int b)
{
    for (int i = 2; i < c->columns; i++)
        if (c->cells[a][i] != c->cells[b][i])
            return false;
    return true;
}

/* Whether the row's person has an earlier row of the same values. */
static bool is_repeat(const uniques_case *c, int row)
{
    for (int i = 0; i < row; i++)
        if (c->cells[row][0] >= 0 && c->cells[i][0] == c->cells[row][0] && same_values(c, i, row))
            return true;
    return false;
}

static double risk_by_definition(const linked_case *l, int row)
{
    double f = 0, people = 0;
    for (int i = 0; i < l->c.rows; i++)
        if (same_values(&l->c, i, row) && !is_repeat(&l->c, i)) {
            f++;
            people += l->weights[i];
        }
    double p = f / people, odds = p / (1 - p);
    if (f == 1)
        return odds * log(1 / p);
    if (f == 2)
        return odds - odds * odds * log(1 / p);
    return p / (f - 1 + p);
}

static double unit_by_definition(const linked_case *l, int row)
{
    double none = 1;
    int unit = l->c.cells[row][1];
    for (int i = 0; i < l->c.rows; i++)
        if (i == row ? unit < 0 : unit >= 0 && l->c.cells[i][1] == unit && !is_repeat(&l->c, i))
            none *= 1 - risk_by_definition(l, i);
    if (unit >= 0 && !is_repeat(&l->c, row))
        none *= 1 - risk_by_definition(l, row);
    return 1 - none;
}

static void check_linked(const linked_case *l)
{
    tacit_distinct *distinct = distinct_of(l->c.table, 3, l->c.columns - 2, TACIT_MISSING_VALUE, 1);
    tacit_sample sample;
    tacit_linked_risk *linked = NULL;
    bool *repeats = NULL;
    double expected = 0;
    tacit_sample_init(&sample);
    assert_int_equal(tacit_repeats_new(&repeats, distinct, 1, NULL), TACIT_OK);
    sample.weights = l->weights;
    sample.repeats = repeats;
    tacit_risk *risk = risk_of(distinct, &sample);
    assert_int_equal(tacit_linked_risk_new(&linked, risk, distinct, repeats, 2, NULL), TACIT_OK);
    for (int row = 0; row < l->c.rows; row++) {
        double unit = unit_by_definition(l, row);
        assert_int_equal(repeats[row], is_repeat(&l->c, row));
        assert_true(fabs(linked->risk[row] - unit) < 1e-9);
        expected += repeats[row] ? 0 : unit;
        assert_true(linked->highest > unit - 1e-9);
    }
    assert_true(fabs(linked->expected - expected) < 1e-9 * (1 + expected));
    tacit_linked_risk_free(linked);
    tacit_risk_free(risk);
    tacit_repeats_free(repeats);
    tacit_distinct_free(distinct);
}

static void test_linked(void **state)
{
    (void)state;
    linked_case l;
    for (unsigned seed = 1; seed <= 300; seed++) {
        srand(seed);
        l.c = (uniques_case){.rows = 1 + rand() % 14, .columns = 3 + rand() % 2};
        for (int row = 0; row < l.c.rows; row++) {
            l.weights[row] = 1.5 + rand() % 20;
            l.c.cells[row][0] = rand() % 8 - 1;
            l.c.cells[row][1] = rand() % 6 - 1;
            for (int i = 2; i < l.c.columns; i++)
                l.c.cells[row][i] = rand() % 3;
        }
        case_open(&l.c, TACIT_MISSING_VALUE);
        check_linked(&l);
        case_close(&l.c);
    }
}

/* A missing value that matches everything and people do not go together. */
static void test_repeats_refused(void **state)
{
    (void)state;
    static const int CELLS[] = {1, -1};
    static const bool REPEATS[] = {false, false};
    uniques_case c;
    tacit_run run;
    tacit_sample sample;
    tacit_risk *risk = NULL;
    tacit_run_init(&run);
    tacit_sample_init(&sample);
    sample.repeats = REPEATS;
    open_small(&c, 2, 1, CELLS, TACIT_MISSING_ANY);
    assert_int_equal(tacit_risk_new(&risk, c.distinct, &sample, &run, NULL), TACIT_INVALID);
    case_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_rows),      cmocka_unit_test(test_k_of_all),
        cmocka_unit_test(test_all_the_same), cmocka_unit_test(test_max_columns),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_too_many_combinations),
        cmocka_unit_test(test_weights),      cmocka_unit_test(test_exact_individual_risk),
        cmocka_unit_test(test_attackers),    cmocka_unit_test(test_zayatz),
        cmocka_unit_test(test_pitman),       cmocka_unit_test(test_snb),
        cmocka_unit_test(test_linked),       cmocka_unit_test(test_repeats_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
