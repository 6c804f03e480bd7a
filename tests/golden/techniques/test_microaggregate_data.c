/*
 * test_microaggregate_data.c - microaggregation of the field's reference data: MDAV's loss to the
 * digits that are published, and the improved groups below it. Skipped where the data is not at
 * hand.
 */
#include "masking.h"

#define DATA TACIT_SOURCE_DIR "/../shared/data/sdcmicro/"

typedef struct known {
    const char *file;
    int rows;
    double squares; /* of MDAV with k = 3, on standardized columns, to two decimals */
    double loss;    /* and as a share of all, to six */
    double improved;
} known;

static const known KNOWN[] = {
    {"Tarragona.csv", 834, 1833.63, 0.169326, 0.1450},
    {"CASCrefmicrodata.csv", 1080, 798.44, 0.056922, 0.0475},
};

static tacit_table *table_of(const char *file)
{
    char path[512];
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_error err = {0};
    snprintf(path, sizeof path, DATA "%s", file);
    tacit_csv_options_init(&options);
    options.code_none = true;
    if (tacit_table_read(&table, path, &options, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return table;
}

/* All columns of a table, as a step. */
static tacit_masked *aggregated(const tacit_table *table, const char *settings)
{
    char line[1024] = "microaggregate columns=";
    tacit_error err = {0};
    for (int32_t i = 0; i < tacit_table_columns(table); i++) {
        tacit_strview name = tacit_table_name(table, i);
        sprintf(line + strlen(line), "%s%.*s", i ? "," : "", (int)name.len, name.bytes);
    }
    sprintf(line + strlen(line), " %s", settings);
    tacit_masked *masked = masking_apply(table, line, 1, 1, &err);
    if (!masked)
        fail_msg("%s", err.message);
    return masked;
}

static void check(const known *k)
{
    tacit_table *table = table_of(k->file);
    tacit_masked *masked = aggregated(table, "k=3 way=mdav");
    assert_float_equal(masking_fact(masked, 0, "sst"), 13.0 * (k->rows - 1), 1e-9);
    assert_float_equal(masking_fact(masked, 0, "sse"), k->squares, 0.005);
    assert_float_equal(masking_fact(masked, 0, "loss"), k->loss, 5e-7);
    assert_true(masking_fact(masked, 0, "groups") == k->rows / 3);
    tacit_masked_free(masked);
    masked = aggregated(table, "k=3");
    double loss = masking_fact(masked, 0, "loss");
    print_message("%s: %.4f %% by MDAV, %.4f %% improved\n", k->file, 100 * k->loss, 100 * loss);
    assert_true(loss < k->improved);
    tacit_masked_free(masked);
    tacit_table_free(table);
}

static void test_reference_data(void **state)
{
    (void)state;
    if (access(DATA "Tarragona.csv", R_OK) != 0) {
        print_message("the shared data is not at hand\n");
        skip();
    }
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        check(&KNOWN[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference_data)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
