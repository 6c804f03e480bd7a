/*
 * test_sensitive_memory.c - every allocation of the attacks on sensitive values refused in turn.
 */
#include "starve.h"

#include <tacit/experimental/audit_finer.h>
#include <tacit/experimental/audit_sensitive.h>

static const char TEXT[] = "zip,sex,ill\n1,m,flu\n1,m,flu\n1,f,cough\n2,f,\n2,m,flu\n1,f,flu\n";

static tacit_status attempt(void *context, tacit_error *err)
{
    static const int32_t ATTRIBUTES[] = {0, 1}, COLUMNS[] = {2, 1};
    tacit_run run = starve_run(2);
    tacit_sensitive_verdict *verdicts = STARVE_UNTOUCHED;
    tacit_status status =
        tacit_audit_sensitive(&verdicts, context, ATTRIBUTES, 2, COLUMNS, NULL, 2, NULL, &run, err);
    if (status == TACIT_OK)
        tacit_sensitive_free(verdicts);
    else
        assert_ptr_equal(verdicts, STARVE_UNTOUCHED);
    return status;
}

static void test_attack(void **state)
{
    (void)state;
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    tacit_table *table = NULL;
    tacit_error err = {0};
    tacit_table_read_memory(&table, tacit_strview_of(TEXT), "t.csv", &options, NULL, &err);
    assert_string_equal(err.message, "");
    starve(attempt, table);
    tacit_table_free(table);
}

typedef struct two_tables {
    tacit_table *original, *release;
} two_tables;

static tacit_status attempt_finer(void *context, tacit_error *err)
{
    static const tacit_hierarchy_spec MASK = {.kind = TACIT_HIERARCHY_MASK};
    static const tacit_promise_attribute ZIP = {"zip", &MASK};
    static const tacit_promise_model MODELS[] = {
        {{TACIT_MODEL_DISTINCT, 2, 0}, "pay", NULL, {0.1, true}},
        {{TACIT_MODEL_CLOSENESS, 0.9, 0}, "pay", NULL, {0, false}}};
    const tacit_promise promise = {
        .k = 2, .attributes = &ZIP, .attribute_count = 1, .models = MODELS, .model_count = 2};
    const two_tables *t = context;
    const tacit_evidence evidence = {.release = t->release, .original = t->original};
    tacit_run run = starve_run(1);
    tacit_finer found = {.refused = -7};
    tacit_status status = tacit_audit_finer(&found, &promise, &evidence, NULL, &run, err);
    assert_int_equal(found.refused, status == TACIT_OK ? 1 : -7);
    return status;
}

static void test_finer(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"zip,pay\n11,1\n11,1\n12,5\n12,9\n",
                                        "zip,pay\n1*,1\n1*,1\n1*,5\n1*,9\n"};
    tacit_csv_options options;
    two_tables t = {0};
    tacit_csv_options_init(&options);
    tacit_table_read_memory(&t.original, tacit_strview_of(TEXTS[0]), "o", &options, NULL, NULL);
    tacit_table_read_memory(&t.release, tacit_strview_of(TEXTS[1]), "r", &options, NULL, NULL);
    starve(attempt_finer, &t);
    tacit_table_free(t.original);
    tacit_table_free(t.release);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_attack), cmocka_unit_test(test_finer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
