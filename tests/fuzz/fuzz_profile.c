/*
 * fuzz_profile.c - any bytes as data for a profile. The counts hold together, and the policy that
 * is drafted is read back without complaint.
 */
#include <tacit/experimental/profile.h>
#include <tacit/table.h>

#include "../support/fuzz_require.h"

static void require_counts(const tacit_profile *profile)
{
    int32_t quasi = 0;
    for (int32_t i = 0; i < profile->column_count; i++) {
        const tacit_profile_column *column = &profile->columns[i];
        quasi += column->role == TACIT_ROLE_QUASI;
        require(column->missing >= 0 && column->missing <= profile->rows, "rows that are missing");
        require(column->shortest <= column->longest, "shorter than the shortest");
        require(column->top_share >= 0 && column->top_share <= 1, "no share");
        require(column->reason[0] && !strchr(column->reason, '\n'), "no reason");
    }
    require(quasi == profile->quasi_count, "another number of quasi-identifiers");
    require(profile->unique_rows <= profile->below_rows && profile->below_rows <= profile->rows &&
                profile->classes <= profile->rows,
            "more rows than there are");
}

static void require_policy(const tacit_profile *profile)
{
    char *yaml = NULL;
    tacit_error err = {0};
    tacit_policy *policy = NULL;
    for (int32_t i = 0; i < profile->column_count; i++)
        if (profile->columns[i].name.len == 0) { /* nothing could read a policy for it */
            require(tacit_profile_policy(&yaml, profile, "draft", &err) == TACIT_INVALID,
                    "no name");
            require_reason(TACIT_INVALID, &err);
            return;
        }
    require(tacit_profile_policy(&yaml, profile, "draft", &err) == TACIT_OK, "no policy");
    require(tacit_policy_parse(&policy, tacit_strview_of(yaml), "draft.yaml", &err) == TACIT_OK,
            err.message);
    tacit_policy_free(policy);
    tacit_text_free(yaml);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tacit_table *table = NULL;
    tacit_profile *profile = NULL;
    tacit_csv_options options;
    tacit_run run;
    tacit_error err = {0};
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    run.threads = 1;
    tacit_strview bytes = {(const char *)data, size};
    tacit_status status = tacit_table_read_memory(&table, bytes, "data.csv", &options, &run, &err);
    if (status == TACIT_OK)
        status = tacit_profile_new(&profile, table, &run, &err);
    require_reason(status, &err);
    if (status == TACIT_OK) {
        require_counts(profile);
        require_policy(profile);
    }
    tacit_profile_free(profile);
    tacit_table_free(table);
    return 0;
}
