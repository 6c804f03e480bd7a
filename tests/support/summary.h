/*
 * summary.h - releases and frequencies as texts, for the tests of the attack with published
 * frequencies. Include cmocka.h, or a header that does, first.
 */
#ifndef TACIT_TESTS_SUPPORT_SUMMARY_H
#define TACIT_TESTS_SUPPORT_SUMMARY_H

#include <tacit/experimental/audit_summary.h>

enum { SUMMARY_FILES = 3 };

/* BirthDate has dates, ZIP masks; other columns have no hierarchy. */
static const tacit_hierarchy_spec SUMMARY_DATE = {.kind = TACIT_HIERARCHY_DATE};
static const tacit_hierarchy_spec SUMMARY_MASK = {.kind = TACIT_HIERARCHY_MASK};
static const tacit_summary_column SUMMARY_COLUMNS[] = {{"BirthDate", &SUMMARY_DATE},
                                                       {"ZIP", &SUMMARY_MASK}};

typedef struct summary_texts {
    tacit_table *release;
    tacit_table *files[SUMMARY_FILES];
    int32_t count;
} summary_texts;

static inline tacit_status summary_read(tacit_table **out, const char *text, const char *name,
                                        const tacit_run *run, tacit_error *err)
{
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    return tacit_table_read_memory(out, tacit_strview_of(text), name, &options, run, err);
}

/* Reads texts, which end in NULL where there are fewer than SUMMARY_FILES. */
static inline tacit_status summary_open(summary_texts *texts, const char *release,
                                        const char *const *files, const tacit_run *run,
                                        tacit_error *err)
{
    static const char *const NAMES[] = {"one.csv", "two.csv", "three.csv"};
    *texts = (summary_texts){0};
    tacit_status status = summary_read(&texts->release, release, "release.csv", run, err);
    while (status == TACIT_OK && texts->count < SUMMARY_FILES && files[texts->count]) {
        status = summary_read(&texts->files[texts->count], files[texts->count], NAMES[texts->count],
                              run, err);
        texts->count += status == TACIT_OK;
    }
    return status;
}

static inline void summary_close(summary_texts *texts)
{
    tacit_table_free(texts->release);
    for (int32_t i = 0; i < texts->count; i++)
        tacit_table_free(texts->files[i]);
}

static inline tacit_status summary_attack(tacit_summary_audit **out, const char *release,
                                          const char *const *files, const tacit_run *run,
                                          tacit_error *err)
{
    summary_texts texts;
    tacit_status status = summary_open(&texts, release, files, run, err);
    const tacit_summary_case c = {.release = texts.release,
                                  .columns = SUMMARY_COLUMNS,
                                  .column_count = 2,
                                  .files = (const tacit_table *const *)texts.files,
                                  .file_count = texts.count};
    if (status == TACIT_OK)
        status = tacit_audit_summary(out, &c, run, err);
    summary_close(&texts);
    return status;
}

#endif
