/*
 * missing.c - missing values that a release shows in several forms.
 *
 * Data holders write a missing value as an empty cell, as NA, as 999; often each source of the data
 * in its own way. Where a quasi-identifying column of a release has more than one of these, the
 * form says where a person's record came from. The policy declares the codes; the release is looked
 * at as it was written. "*" is a suppressed cell, whatever is declared.
 *
 * Cost: distinct values times codes, and a pass over the rows of a column that is found.
 */
#include "audit/judge/judge.h"
#include "base/alloc.h"
#include "base/error.h"

static bool is_declared(const tacit_missing_codes *codes, tacit_strview value)
{
    bool found = false;
    for (int32_t i = 0; i < codes->count && !found; i++)
        found = tacit_strview_equal(value, tacit_strview_of(codes->codes[i]));
    return found && !tacit_strview_equal(value, tacit_strview_of("*"));
}

/* Marks the values of a column that are codes, and returns how many there are. */
static int mark_codes(bool *coded, const tacit_missing_codes *codes, const tacit_table *table,
                      int32_t column)
{
    int found = 0;
    for (uint32_t value = 0; value < tacit_table_distinct(table, column); value++) {
        coded[value] = is_declared(codes, tacit_table_value(table, column, value));
        found += coded[value];
    }
    return found;
}

static void report_forms(tacit__judge *judge, int32_t column, const bool *coded, int forms)
{
    const tacit_table *release = judge->release;
    tacit_codes_view codes = tacit_table_codes(release, column);
    tacit__judge_tally tally = {0};
    for (int64_t row = 0; row < tacit_table_rows(release); row++)
        if (coded[tacit_codes_at(codes, row)])
            tacit__tally_add(&tally, row);
    tacit__find(judge, TACIT_FINDING_MISSING, tally.first + 1, tally.count,
                "column \"%s\" shows missing values in %d forms, which tell people apart: cells, "
                "%lld in all, have a code of missing-codes; the first is in row %lld (line %lld)",
                tacit__show(tacit_table_name(release, column)).text, forms, (long long)tally.count,
                (long long)tally.first + 1, (long long)tacit_table_line(release, tally.first));
}

static tacit_status judge_forms(tacit__judge *judge, const tacit_missing_codes *codes,
                                int32_t column, tacit_error *err)
{
    const tacit_table *release = judge->release;
    bool *coded =
        tacit__alloc_zeroed((size_t)tacit_table_distinct(release, column) + 1, sizeof *coded);
    if (!coded)
        return tacit__nomem(err);
    int forms =
        mark_codes(coded, codes, release, column) + tacit_table_has_missing(release, column);
    if (forms > 1)
        report_forms(judge, column, coded, forms);
    tacit__free(coded);
    return TACIT_OK;
}

tacit_status tacit__judge_missing(tacit__judge *judge, tacit_error *err)
{
    const tacit_promise *promise = judge->promise;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; promise->missing && i < promise->attribute_count && status == TACIT_OK; i++)
        if (judge->attribute[i] >= 0 && promise->missing[i].count > 0)
            status = judge_forms(judge, &promise->missing[i], judge->attribute[i], err);
    return status;
}
