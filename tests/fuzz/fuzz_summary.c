/*
 * fuzz_summary.c - any bytes as a file of frequencies beside a small release. The first byte says
 * how many rows the release has and whether its columns have hierarchies. What is accepted keeps
 * its own numbers; whatever is refused says why.
 */
#include "../support/fuzz_require.h"

#include <tacit/experimental/audit_summary.h>

static const char RELEASE[] = "a,b,c\n*,x,1964\ny,*,1965\n*,*,1960-1969\nx,y,*\n*,*,*\n";

static void check(const tacit_summary_audit *audit)
{
    require(audit->rows + audit->left_out == audit->subjects, "subjects do not add up");
    require(audit->rows_known <= audit->values_known, "more rows than values");
    require(audit->tuples_known <= audit->rows_known, "more tuples than rows");
    require(audit->fact_count <= audit->fact_total, "more facts than there are");
    for (int64_t i = 0; i < audit->fact_count; i++) {
        const tacit_summary_fact *fact = &audit->facts[i];
        require(fact->kind != TACIT_SUMMARY_NOTHING && fact->rows > 0, "a fact about nothing");
        require((fact->kind == TACIT_SUMMARY_VALUE) == (fact->possible == 1), "a value of several");
        int64_t least = 0;
        for (int32_t k = 0; k < fact->share_count; k++) {
            require(fact->shares[k].least <= fact->shares[k].most, "least above most");
            require(fact->shares[k].most > 0 && fact->shares[k].text, "an impossible value");
            least += fact->shares[k].least;
        }
        require(least <= fact->rows, "more rows than there are");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t ENDS[] = {6, 15, 24, 38, 44, 50}; /* of the header and each row */
    static const tacit_hierarchy_spec DATE = {.kind = TACIT_HIERARCHY_DATE};
    tacit_csv_options options;
    tacit_table *file = NULL, *release = NULL;
    tacit_summary_audit *audit = NULL;
    tacit_error err = {0};
    tacit_run run;
    if (size < 1)
        return 0;
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    run.threads = 1;
    tacit_strview rows = {RELEASE, ENDS[data[0] % 6]};
    require(tacit_table_read_memory(&release, rows, "r.csv", &options, &run, &err) == TACIT_OK,
            "the release cannot be read");
    if (tacit_table_read_memory(&file, (tacit_strview){(const char *)data + 1, size - 1}, "f.csv",
                                &options, &run, NULL) == TACIT_OK) {
        const tacit_summary_column columns[] = {{"c", &DATE}};
        const tacit_summary_case c = {.release = release,
                                      .columns = columns,
                                      .column_count = data[0] >> 7,
                                      .files = (const tacit_table *const *)&file,
                                      .file_count = 1};
        require_reason(tacit_audit_summary(&audit, &c, &run, &err), &err);
        if (audit)
            check(audit);
    }
    tacit_summary_audit_free(audit);
    tacit_table_free(file);
    tacit_table_free(release);
    return 0;
}
