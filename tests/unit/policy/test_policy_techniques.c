/*
 * test_policy_techniques.c - techniques in a policy: as a list, as treatments of columns, as flags;
 * their order, and what is no step.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <tacit/experimental/policy.h>

static tacit_policy *parse(const char *yaml)
{
    tacit_policy *policy = NULL;
    tacit_error err = {0};
    if (tacit_policy_parse(&policy, tacit_strview_of(yaml), "dir/p.yaml", &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return policy;
}

/* The steps in a line each: noise columns=a+b size=0.1 */
static void expect(const tacit_policy *policy, const char *expected)
{
    char text[1024] = "";
    size_t len = 0, count = 0;
    tacit_technique_step *steps = NULL;
    assert_int_equal(tacit_policy_steps(&steps, &count, policy, NULL), TACIT_OK);
    for (size_t i = 0; i < count; i++) {
        len += (size_t)sprintf(text + len, "%s%s", i ? "\n" : "", steps[i].technique);
        for (size_t j = 0; j < steps[i].setting_count; j++) {
            const tacit_technique_setting *setting = &steps[i].settings[j];
            len += (size_t)sprintf(text + len, " %s=", setting->name);
            for (size_t v = 0; v < setting->value_count; v++)
                len += (size_t)sprintf(text + len, "%s%s", v ? "+" : "", setting->values[v]);
        }
    }
    assert_string_equal(text, expected);
    tacit_policy_steps_free(steps);
}

static void test_list(void **state)
{
    (void)state;
    tacit_policy *policy = parse("techniques:\n"
                                 "  - noise: {columns: [income, rent], size: 0.1}\n"
                                 "  - scramble\n"
                                 "  - scramble:\n"
                                 "  - 'round:columns=age+income,base=5'\n");
    expect(policy, "noise columns=income+rent size=0.1\nscramble\nscramble\n"
                   "round columns=age+income base=5");
    tacit_technique_step *steps = NULL;
    size_t count = 0;
    assert_int_equal(tacit_policy_steps(&steps, &count, policy, NULL), TACIT_OK);
    assert_int_equal(steps[0].line, 2);
    assert_int_equal(steps[3].line, 5);
    assert_string_equal(steps[0].directory, "dir");
    assert_string_equal(steps[0].file, "dir/p.yaml");
    tacit_policy_steps_free(steps);
    tacit_policy_free(policy);
}

static void test_treatments_come_first(void **state)
{
    (void)state;
    tacit_policy *policy = parse("techniques: [{swap: {columns: a}}]\n"
                                 "columns:\n"
                                 "  b: {role: quasi, treat: {round: {base: 5}}}\n"
                                 "  a: {role: quasi, treat: [noise, 'round:base=2']}\n");
    tacit_error err = {0};
    assert_int_equal(tacit_policy_set(policy, "treat", "b=swap", &err), TACIT_OK);
    assert_int_equal(tacit_policy_set(policy, "techniques", "sample:share=0.5", &err), TACIT_OK);
    expect(policy, "round columns=b base=5\nswap columns=b\n"
                   "noise columns=a\nround columns=a base=2\n"
                   "swap columns=a\nsample share=0.5");
    tacit_policy_free(policy);
}

static void refused(const char *yaml, const char *words)
{
    tacit_policy *policy = NULL;
    tacit_error err = {0};
    assert_int_not_equal(tacit_policy_parse(&policy, tacit_strview_of(yaml), "p.yaml", &err),
                         TACIT_OK);
    if (!strstr(err.message, words))
        fail_msg("\"%s\" does not say \"%s\"", err.message, words);
}

static void test_no_steps(void **state)
{
    (void)state;
    refused("techniques:\n", "a technique");
    refused("techniques: [{noise: {}, swap: {}}]", "a technique");
    refused("techniques: [{noise: [a]}]", "settings such as");
    refused("techniques: [{noise: {columns: [[a]]}}]", "a value");
    refused("techniques: [{noise: {size: }}]", "a value or a list");
    refused("techniques: ['noise:size']", "an item without =");
    tacit_policy *policy = parse("k: 2\n");
    tacit_error err = {0};
    assert_int_not_equal(tacit_policy_set(policy, "techniques", "noise:", &err), TACIT_OK);
    assert_int_not_equal(tacit_policy_set(policy, "treat", "noise", &err), TACIT_OK);
    expect(policy, "");
    tacit_policy_free(policy);
}

static void test_methods_without_k(void **state)
{
    (void)state;
    static const struct {
        const char *yaml;
        bool generalizes;
    } cases[] = {{"k: 2\n", true},
                 {"method: local\n", true},
                 {"method: none\n", false},
                 {"method: round\n", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tacit_policy *policy = parse(cases[i].yaml);
        int64_t k = 0;
        bool most_general = true;
        assert_int_equal(tacit_policy_generalizes(policy), cases[i].generalizes);
        assert_int_equal(tacit_policy_masks(policy), i == 3);
        tacit_status status = tacit_policy_k(policy, &k, &most_general, NULL);
        assert_int_equal(status, i == 1 ? TACIT_INVALID : TACIT_OK);
        if (!cases[i].generalizes)
            assert_int_equal(k, 1);
        tacit_policy_free(policy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_treatments_come_first),
        cmocka_unit_test(test_no_steps),
        cmocka_unit_test(test_methods_without_k),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
