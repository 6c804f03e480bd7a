/*
 * test_sensitive_memory.c - every allocation of the attack on sensitive columns refused in turn.
 */
#include "starve.h"

#include <tacit/audit_sensitive.h>

static const char TEXT[] = "zip,sex,ill\n1,m,flu\n1,m,flu\n1,f,cough\n2,f,\n2,m,flu\n1,f,flu\n";

static tacit_status attempt(void *context, tacit_error *err)
{
    static const int32_t ATTRIBUTES[] = {0, 1}, COLUMNS[] = {2, 1};
    tacit_run run = starve_run(2);
    tacit_sensitive_verdict *verdicts = STARVE_UNTOUCHED;
    tacit_status status =
        tacit_audit_sensitive(&verdicts, context, ATTRIBUTES, 2, COLUMNS, NULL, 2, &run, err);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_attack)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
