/*
 * fuzz_policy.c - policies from arbitrary bytes. Input that starts with "--" and
 * a letter is flags, a line each (--key value); anything else is a YAML file.
 * Whatever is accepted is checked against a small table and asked for all that
 * follows from it. Beyond not crashing: the same bytes are judged the same
 * twice, a refusal says why, and a k that is given out is one.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <tacit/experimental/policy.h>

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void demand_reason(tacit_status status, const tacit_error *err)
{
    demand(status == err->status);
    demand((status == TACIT_OK) == (err->message[0] == '\0'));
}

static void set_flags(tacit_policy *policy, char *text)
{
    for (char *line = text; line;) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        line += strspn(line, "-");
        char *value = strchr(line, ' ');
        if (value)
            *value++ = '\0';
        tacit_error err = {0};
        int32_t before = policy->column_count;
        tacit_status status = tacit_policy_set(policy, line, value, &err);
        demand_reason(status, &err);
        demand(status == TACIT_OK || policy->column_count == before);
        line = next;
    }
}

static tacit_status make(tacit_policy **out, const uint8_t *data, size_t size)
{
    tacit_error err = {0};
    bool flags = size > 2 && data[0] == '-' && data[1] == '-' && data[2] >= 'a' && data[2] <= 'z';
    tacit_status status;
    if (flags) {
        char *text = malloc(size + 1);
        demand(text != NULL);
        memcpy(text, data, size);
        text[size] = '\0';
        status = tacit_policy_new(out, &err);
        set_flags(*out, text);
        free(text);
    } else
        status = tacit_policy_parse(out, (tacit_strview){(const char *)data, size}, "d/p", &err);
    demand_reason(status, &err);
    return status;
}

static void use(tacit_policy *policy)
{
    static const char csv[] = "A,B,ZIP\n1,2,3\n";
    tacit_csv_options options;
    tacit_run run;
    tacit_table *table = NULL;
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    run.threads = 1;
    demand(tacit_table_read_memory(&table, tacit_strview_of(csv), "t", &options, &run, NULL) ==
           TACIT_OK);
    const char **names = NULL;
    size_t count = 0;
    demand(tacit_policy_coded(&names, &count, policy, NULL) == TACIT_OK);
    tacit_policy_names_free(names);
    tacit_error err = {0};
    tacit_status status = tacit_policy_check(policy, table, &err);
    demand_reason(status, &err);
    int64_t k = 0;
    bool most_general = false;
    tacit_status has_k = tacit_policy_k(policy, &k, &most_general, NULL);
    demand(status != TACIT_OK || (has_k == TACIT_OK && policy->set_count > 0));
    demand(has_k != TACIT_OK || k >= 1);
    demand(tacit_policy_unnamed(NULL, 0, policy, table) <= 3);
    tacit_table_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tacit_policy *first = NULL, *second = NULL;
    tacit_status status = make(&first, data, size);
    demand(make(&second, data, size) == status);
    demand((first != NULL) == (status == TACIT_OK));
    if (first) {
        demand(first->k == second->k && first->column_count == second->column_count &&
               first->set_count == second->set_count);
        use(first);
    }
    tacit_policy_free(first);
    tacit_policy_free(second);
    return 0;
}
