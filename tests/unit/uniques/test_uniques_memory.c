/*
 * test_uniques_memory.c - every allocation failed in turn, from the distinct
 * combinations to everything that is made of them.
 */
#include "uniques_case.h"

#include "starve.h"

typedef struct work {
    const uniques_case *c;
    const tacit_uniques *uniques;
    tacit_missing missing;
    int threads;
} work;

static tacit_status find_distinct(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_run run = starve_run(w->threads);
    int32_t columns[CASE_COLUMNS];
    tacit_distinct *distinct = STARVE_UNTOUCHED;
    for (int i = 0; i < w->c->columns; i++)
        columns[i] = i + 1;
    tacit_status status =
        tacit_distinct_new(&distinct, w->c->table, columns, w->c->columns, w->missing, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(distinct, STARVE_UNTOUCHED);
    else
        tacit_distinct_free(distinct);
    return status;
}

static tacit_status search(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_run run = starve_run(w->threads);
    tacit_uniques_options options = {.k = 2};
    tacit_uniques *uniques = STARVE_UNTOUCHED;
    tacit_status status = tacit_uniques_new(&uniques, w->c->distinct, &options, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(uniques, STARVE_UNTOUCHED);
    else
        tacit_uniques_free(uniques);
    return status;
}

static tacit_status cluster(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_clusters *clusters = STARVE_UNTOUCHED;
    tacit_status status = tacit_clusters_new(&clusters, w->uniques, err);
    if (status != TACIT_OK)
        assert_ptr_equal(clusters, STARVE_UNTOUCHED);
    else
        tacit_clusters_free(clusters);
    return status;
}

static tacit_status contribute(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_contributions *contributions = STARVE_UNTOUCHED;
    tacit_status status = tacit_contributions_new(&contributions, w->uniques, err);
    if (status != TACIT_OK)
        assert_ptr_equal(contributions, STARVE_UNTOUCHED);
    else
        tacit_contributions_free(contributions);
    return status;
}

static tacit_status score(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_suda *suda = STARVE_UNTOUCHED;
    tacit_status status = tacit_suda_new(&suda, w->uniques, TACIT_SUDA_ELLIOT, 0.1, err);
    if (status != TACIT_OK)
        assert_ptr_equal(suda, STARVE_UNTOUCHED);
    else
        tacit_suda_free(suda);
    return status;
}

static tacit_status rank(void *context, tacit_error *err)
{
    const work *w = context;
    uint32_t rows[CASE_ROWS];
    return tacit_uniques_rank(rows, w->uniques, TACIT_RANK_SETS, err);
}

static tacit_status measure_risk(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_run run = starve_run(w->threads);
    tacit_sample sample;
    tacit_risk *risk = STARVE_UNTOUCHED;
    tacit_sample_init(&sample);
    sample.fraction = 0.1;
    tacit_status status = tacit_risk_new(&risk, w->c->distinct, &sample, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(risk, STARVE_UNTOUCHED);
    else
        tacit_risk_free(risk);
    return status;
}

static tacit_status combine(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_run run = starve_run(w->threads);
    tacit_combinations *combinations = STARVE_UNTOUCHED;
    tacit_status status = tacit_combinations_new(&combinations, w->c->distinct, 3, 2, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(combinations, STARVE_UNTOUCHED);
    else
        tacit_combinations_free(combinations);
    return status;
}

static tacit_status weigh(void *context, tacit_error *err)
{
    const work *w = context;
    double *weights = STARVE_UNTOUCHED;
    tacit_status status = tacit_weights_new(&weights, w->c->table, 1, err);
    if (status != TACIT_OK)
        assert_ptr_equal(weights, STARVE_UNTOUCHED);
    else
        tacit_weights_free(weights);
    return status;
}

static tacit_status link_people(void *context, tacit_error *err)
{
    const work *w = context;
    bool *repeats = STARVE_UNTOUCHED;
    tacit_run run = starve_run(1);
    tacit_sample sample;
    tacit_risk *risk = NULL;
    tacit_linked_risk *linked = STARVE_UNTOUCHED;
    tacit_status status = tacit_repeats_new(&repeats, w->c->distinct, 1, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(repeats, STARVE_UNTOUCHED);
        return status;
    }
    tacit_sample_init(&sample);
    sample.repeats = repeats;
    status = tacit_risk_new(&risk, w->c->distinct, &sample, &run, err);
    if (status == TACIT_OK)
        status = tacit_linked_risk_new(&linked, risk, w->c->distinct, repeats, 1, err);
    if (status != TACIT_OK)
        assert_ptr_equal(linked, STARVE_UNTOUCHED);
    else
        tacit_linked_risk_free(linked);
    tacit_risk_free(risk);
    tacit_repeats_free(repeats);
    return status;
}

static void test_hunger(void **state)
{
    (void)state;
    static const starve_attempt ATTEMPTS[] = {find_distinct, cluster,      contribute, score,
                                              rank,          measure_risk, combine};
    for (int missing = TACIT_MISSING_VALUE; missing <= TACIT_MISSING_ANY; missing++) {
        uniques_case c;
        case_fill(&c, 50, 150, 6, 5);
        case_open(&c, (tacit_missing)missing);
        tacit_uniques *uniques = uniques_of(c.distinct, 2, 0, 1);
        work w = {.c = &c, .uniques = uniques, .missing = (tacit_missing)missing};
        assert_true(tacit_uniques_summarize(uniques)->sets > 0);
        for (w.threads = 1; w.threads <= 3; w.threads += 2) {
            for (size_t i = 0; i < sizeof ATTEMPTS / sizeof ATTEMPTS[0]; i++)
                starve_way_of(ATTEMPTS[i], &w, w.threads == 1 ? STARVE_ONCE : STARVE_FOR_GOOD);
            /* a result that cannot be made smaller stays as it is */
            starving.lenient = true;
            starve_way_of(search, &w, w.threads == 1 ? STARVE_ONCE : STARVE_FOR_GOOD);
            starving.lenient = false;
        }
        tacit_uniques_free(uniques);
        case_close(&c);
    }
}

static tacit_status fit_model(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_run run = starve_run(1);
    tacit_sample sample;
    tacit_risk *risk = NULL;
    tacit_loglinear_risk found = {.uniques = -1};
    tacit_sample_init(&sample);
    sample.fraction = 0.5;
    tacit_status status = tacit_risk_new(&risk, w->c->distinct, &sample, &run, err);
    for (int model = TACIT_LOGLINEAR_MAIN; status == TACIT_OK && model <= TACIT_LOGLINEAR_PAIRS;
         model++) {
        found.uniques = -1;
        status = tacit_loglinear_risk_of(&found, risk, w->c->distinct, (tacit_loglinear)model, &run,
                                         err);
    }
    if (status != TACIT_OK)
        assert_int_equal(found.uniques, -1);
    tacit_risk_free(risk);
    return status;
}

static void test_hungry_models(void **state)
{
    (void)state;
    uniques_case c;
    case_fill(&c, 50, 60, 4, 5);
    case_open(&c, TACIT_MISSING_VALUE);
    starve(fit_model, &(work){.c = &c});
    case_close(&c);
}

static void test_hungry_weights(void **state)
{
    (void)state;
    static const int CELLS[] = {1, 2, 3};
    uniques_case c = {.rows = 3, .columns = 1};
    for (int i = 0; i < 3; i++)
        c.cells[i][0] = CELLS[i];
    case_open(&c, TACIT_MISSING_VALUE);
    starve(weigh, &(work){.c = &c});
    starve(link_people, &(work){.c = &c});
    case_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hunger),
        cmocka_unit_test(test_hungry_weights),
        cmocka_unit_test(test_hungry_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
