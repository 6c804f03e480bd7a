/*
 * test_audit_memory.c - every allocation of the judge failed in turn: each time
 * it says so, gives no verdict and leaks nothing.
 */
#include "starve.h"

#include "audit_case.h"

static const char ORIGINAL[] = "name,id,p,a,b,note\n"
                               "Anna,u1,1,11,x,\"so \"\"it\"\" is\"\n"
                               "Bert,u2,2,12,x,\"a, b\"\n"
                               "Carl,\"u\"\"3\",3,21,y,c\n"
                               "Dora,u4,4,22,y,\n";
static const char HONEST[] = "id,a,b,note\n"
                             "q1,1*,x,\"so \"\"it\"\" is\"\n"
                             "q2,1*,x,\"a, b\"\n"
                             "q3,*,*,\"c\"\n"
                             "q4,*,*,\"\"\n";
static const char TAMPERED[] = "id,a,b,note\n"
                               "u1,1*,x,\"so \"\"it \"\" is\"\n"
                               "q2,99,x,\"Bert's \"\"note\"\"\"\n"
                               "q3,*,*,\"c\"\n"
                               "q4,2*,y,\"\"\n";

typedef struct judging {
    const tacit_promise *promise;
    tacit_evidence evidence;
    bool holds;
    int threads;
} judging;

static tacit_status judge(void *context, tacit_error *err)
{
    const judging *j = context;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = j->threads;
    tacit_verdict *v = STARVE_UNTOUCHED;
    tacit_status status = tacit_audit_release(&v, j->promise, &j->evidence, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(v, STARVE_UNTOUCHED);
    else {
        assert_int_equal(v->holds, j->holds);
        tacit_verdict_free(v);
    }
    return status;
}

static void judge_starved(const tacit_promise *promise, const char *csv, const uint32_t *order,
                          bool holds)
{
    tacit_table *original = case_table(&(audit_case){0}, ORIGINAL),
                *release = case_table(&(audit_case){0}, csv);
    const tacit_evidence evidence = {
        .release = release, .original = original, .order = order, .population = original};
    judging j = {promise, evidence, holds, 1};
    assert_true(starve(judge, &j) > 20);
    j.threads = 2; /* what is needed now depends on which thread does what */
    assert_true(starve_way_of(judge, &j, STARVE_FOR_GOOD) > 20);
    tacit_table_free(original);
    tacit_table_free(release);
}

static void test_every_allocation(void **state)
{
    (void)state;
    static const uint32_t order[] = {0, 1, 2, 3};
    audit_case c = {.promise = {.k = 2, .person = "p"}};
    case_attribute(&c, "a", &CASE_MASK);
    case_attribute(&c, "b", &CASE_NONE);
    case_identifier(&c, "name", false);
    case_identifier(&c, "p", false);
    case_identifier(&c, "id", true);
    judge_starved(&c.promise, HONEST, order, true);
    judge_starved(&c.promise, HONEST, NULL, true);
    judge_starved(&c.promise, TAMPERED, order, false);
    judge_starved(&c.promise, TAMPERED, NULL, false);
}

/* Bounds on the whole release, by people and by rows. */
static void test_risks(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 1, .person = "p"}};
    c.promise.risks = (tacit_risk_bounds){1, TACIT_UNIQUENESS_ZAYATZ, 1, 0.5};
    case_attribute(&c, "a", &CASE_MASK);
    case_attribute(&c, "b", &CASE_NONE);
    case_identifier(&c, "name", false);
    case_identifier(&c, "p", false);
    case_identifier(&c, "id", true);
    judge_starved(&c.promise, HONEST, NULL, true);
    c.promise.risks.average = 0.1;
    judge_starved(&c.promise, HONEST, NULL, false);
}

/* Models of every kind, on two quasi-identifiers, with rows left out. */
static void test_models(void **state)
{
    (void)state;
    static const uint64_t sets[] = {1, 2};
    static const tacit_hierarchy_spec mask = {.kind = TACIT_HIERARCHY_MASK};
    static const char dropped[] = "id,a,b,note\n"
                                  "q1,1*,x,\"so \"\"it\"\" is\"\n"
                                  "q2,1*,x,\"a, b\"\n";
    audit_case c = {.promise = {.k = 2, .sets = sets, .set_count = 2}};
    case_attribute(&c, "a", &CASE_MASK);
    case_attribute(&c, "b", &CASE_NONE);
    case_identifier(&c, "name", false);
    case_identifier(&c, "p", false);
    case_identifier(&c, "id", true);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_RECURSIVE, 2, 3}, "note", NULL);
    c.models[0].spread = (tacit_spread){0.5, true};
    case_model(&c, (tacit_model_bound){TACIT_MODEL_CLOSENESS_TREE, 1, 0}, "note", &mask);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_MAP, 2, 0}, NULL, NULL);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_CLOSENESS_ORDER, 1, 0}, "note", NULL);
    judge_starved(&c.promise, HONEST, NULL, true);
    c.models[2].bound.bound = 3;
    judge_starved(&c.promise, HONEST, NULL, false);
    c.promise.suppressed_dropped = true;
    judge_starved(&c.promise, dropped, NULL, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_allocation),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_risks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
