/*
 * ledger_case.h - ledgers in a temporary folder, and releases that are put into them.
 */
#ifndef TACIT_TESTS_LEDGER_CASE_H
#define TACIT_TESTS_LEDGER_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental/ledger.h>
#include <unistd.h>

typedef struct ledger_place {
    char folder[64]; /* temporary */
    char ledger[96]; /* in it */
    char release[96];
} ledger_place;

static inline void place_open(ledger_place *place)
{
    strcpy(place->folder, "/tmp/tacit-ledger-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->ledger, sizeof place->ledger, "%s/ledger", place->folder);
    snprintf(place->release, sizeof place->release, "%s/release.csv", place->folder);
}

static inline int place_remove(const char *path, const struct stat *about, int kind,
                               struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

static inline void place_close(ledger_place *place)
{
    nftw(place->folder, place_remove, 8, FTW_DEPTH | FTW_PHYS);
}

static inline const char *place_path(const ledger_place *place, const char *name)
{
    static char path[160];
    snprintf(path, sizeof path, "%s/%s", place->ledger, name);
    return path;
}

static inline char *file_read(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be read", path);
    char *bytes = malloc(1 << 20);
    *len = fread(bytes, 1, (1 << 20) - 1, file);
    bytes[*len] = '\0';
    fclose(file);
    return bytes;
}

static inline void file_write(const char *path, const char *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        fail_msg("%s cannot be written", path);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    fclose(file);
}

static inline tacit_table *table_of(const char *text)
{
    tacit_csv_options options;
    tacit_run run;
    tacit_error err = {0};
    tacit_table *table = NULL;
    tacit_run_init(&run);
    run.threads = 1;
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    if (tacit_table_read_memory(&table, tacit_strview_of(text), "test", &options, &run, &err) !=
        TACIT_OK)
        fail_msg("%s", err.message);
    return table;
}

static inline tacit_ledger *ledger_open(const ledger_place *place, int flags)
{
    tacit_error err = {0};
    tacit_ledger *ledger = NULL;
    if (tacit_ledger_open(&ledger, place->ledger, flags, NULL, &err) != TACIT_OK)
        fail_msg("%s: %s", err.file, err.message);
    return ledger;
}

/* Opening fails with this status and words in its message. */
static inline void ledger_refused(const ledger_place *place, int flags, tacit_status status,
                                  const char *words)
{
    tacit_error err = {0};
    tacit_ledger *ledger = NULL;
    assert_int_equal(tacit_ledger_open(&ledger, place->ledger, flags, NULL, &err), status);
    assert_null(ledger);
    assert_int_equal(err.status, status);
    if (!strstr(err.message, words))
        fail_msg("\"%s\" does not say \"%s\"", err.message, words);
}

/* Writes the release to its file and into the ledger. */
static inline int64_t ledger_put(const ledger_place *place, tacit_ledger *ledger, const char *text,
                                 const tacit_ledger_fact *columns, int32_t count)
{
    tacit_error err = {0};
    int64_t number = 0;
    const tacit_ledger_facts facts = {.source = "people",
                                      .path = place->release,
                                      .k = 2,
                                      .method = "mingen",
                                      .metric = NULL,
                                      .columns = columns,
                                      .column_count = count};
    tacit_table *release = table_of(text);
    file_write(place->release, text, strlen(text));
    FILE *file = fopen(place->release, "rb");
    tacit_status status =
        tacit_ledger_announce(&number, ledger, &facts, release, fileno(file), NULL, &err);
    if (status != TACIT_OK)
        fail_msg("%s: %s", err.file, err.message);
    fclose(file);
    tacit_table_free(release);
    return number;
}

/* Rows of a table, quoted, sorted, one after the other; to be freed. */
static inline int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static inline char *sorted_rows(const tacit_table *table)
{
    int64_t rows = tacit_table_rows(table);
    char **texts = calloc((size_t)rows + 1, sizeof *texts);
    size_t all = 1;
    for (int64_t r = 0; r < rows; r++) {
        size_t len = 0;
        FILE *out = open_memstream(&texts[r], &len);
        for (int32_t c = 0; c < tacit_table_columns(table); c++) {
            uint32_t code = tacit_codes_at(tacit_table_codes(table, c), r);
            if (code < tacit_table_distinct(table, c)) {
                tacit_strview value = tacit_table_value(table, c, code);
                fprintf(out, "<%.*s>", (int)value.len, value.bytes);
            } else
                fprintf(out, "missing");
        }
        fprintf(out, "\n");
        fclose(out);
        all += len;
    }
    qsort(texts, (size_t)rows, sizeof *texts, by_text);
    char *joined = calloc(all, 1), *end = joined;
    for (int64_t r = 0; r < rows; r++) {
        end = stpcpy(end, texts[r]);
        free(texts[r]);
    }
    free(texts);
    return joined;
}

#endif
