/*
 * test_lineage_memory.c - every allocation of a lineage refused in turn.
 */
#include "starve.h"

#include "lineage_support.h"

typedef struct hungry {
    lineage_case made;
    tacit_lineage_source source;
} hungry;

static tacit_status attempt(void *context, tacit_error *err)
{
    hungry *h = context;
    tacit_lineage *lineage = STARVE_UNTOUCHED;
    tacit_status status = tacit_lineage_new(&lineage, &h->made.spec, &h->source, 1, err);
    if (status == TACIT_OK)
        tacit_lineage_free(lineage);
    else
        assert_ptr_equal(lineage, STARVE_UNTOUCHED);
    return status;
}

static void test_every_kind(void **state)
{
    static const char *const RULES[] = {"none", "mask:right", "standard:nace2",
                                        "a;x;r\nb;x;r\nc;y;r\n"};
    static const tacit_strview LABELS[] = {{"a", 1}, {"", 0}, {"b", 1}, {"*", 1}, {"z", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++) {
        hungry h = {.source = {.labels = LABELS, .label_count = 5, .name = "list", .open = true}};
        lineage_spec(&h.made, RULES[i]);
        starve(attempt, &h);
        lineage_case_clear(&h.made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_kind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
