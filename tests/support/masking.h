/*
 * masking.h - techniques applied to small tables in tests: steps as words, tables as text.
 *
 * A step is a line such as "round columns=age,income base=5".
 */
#ifndef TACIT_TESTS_MASKING_H
#define TACIT_TESTS_MASKING_H

#ifndef _GNU_SOURCE
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <tacit/experimental/techniques.h>
#include <unistd.h>

enum { MASKING_STEPS = 16, MASKING_WORDS = 16, MASKING_LIST = 32 };

/* Steps taken apart; what they point to is in text. */
typedef struct masking_steps {
    char *text;
    tacit_technique_step steps[MASKING_STEPS];
    tacit_technique_setting settings[MASKING_STEPS][MASKING_WORDS];
    const char *values[MASKING_STEPS][MASKING_WORDS][MASKING_LIST];
    size_t count;
} masking_steps;

static inline void masking_parse_line(masking_steps *out, char *line)
{
    char *word_end;
    size_t at = out->count++;
    tacit_technique_step *step = &out->steps[at];
    *step = (tacit_technique_step){.technique = strtok_r(line, " ", &word_end),
                                   .settings = out->settings[at]};
    for (char *word; (word = strtok_r(NULL, " ", &word_end));) {
        tacit_technique_setting *setting = &out->settings[at][step->setting_count];
        const char **values = out->values[at][step->setting_count++];
        char *equals = strchr(word, '='), *comma;
        assert_non_null(equals);
        *equals = '\0';
        *setting = (tacit_technique_setting){.name = word, .values = values};
        for (char *value = strtok_r(equals + 1, ",", &comma); value;
             value = strtok_r(NULL, ",", &comma))
            values[setting->value_count++] = value;
    }
}

static inline void masking_parse(masking_steps *out, const char *lines)
{
    char *line_end;
    *out = (masking_steps){.text = strdup(lines)};
    for (char *line = strtok_r(out->text, "\n", &line_end); line;
         line = strtok_r(NULL, "\n", &line_end))
        masking_parse_line(out, line);
}

/* A table in memory, with no column coded. */
static inline tacit_table *masking_table(const char *csv)
{
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_error err = {0};
    tacit_csv_options_init(&options);
    options.code_none = true;
    tacit_status status =
        tacit_table_read_memory(&table, tacit_strview_of(csv), "data.csv", &options, NULL, &err);
    if (status != TACIT_OK)
        fail_msg("%s", err.message);
    return table;
}

/* What the steps make of a table; NULL where they fail, and err says why. */
static inline tacit_masked *masking_apply(const tacit_table *table, const char *lines,
                                          uint64_t seed, int threads, tacit_error *err)
{
    masking_steps *steps = malloc(sizeof *steps);
    tacit_masking *masking = NULL;
    tacit_masked *masked = NULL;
    tacit_run run;
    tacit_run_init(&run);
    tacit_run_seed_number(&run, seed);
    run.threads = threads;
    masking_parse(steps, lines);
    if (tacit_masking_new(&masking, steps->steps, steps->count, err) == TACIT_OK)
        (void)tacit_masking_apply(&masked, masking, table, &run, err);
    tacit_masking_free(masking);
    free(steps->text);
    free(steps);
    return masked;
}

/* As CSV, to be freed. */
static inline char *masking_text(const tacit_masked *masked, int threads)
{
    int fd = memfd_create("masked", 0);
    int64_t bytes = 0;
    tacit_run run;
    tacit_error err = {0};
    tacit_run_init(&run);
    run.threads = threads;
    if (tacit_masked_write(fd, "masked", &bytes, masked, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    char *text = calloc((size_t)bytes + 1, 1);
    assert_int_equal(pread(fd, text, (size_t)bytes, 0), bytes);
    close(fd);
    return text;
}

/* Text to text; fails the test where the steps do. */
static inline char *masking_run(const char *csv, const char *lines, uint64_t seed, int threads)
{
    tacit_error err = {0};
    tacit_table *table = masking_table(csv);
    tacit_masked *masked = masking_apply(table, lines, seed, threads, &err);
    if (!masked)
        fail_msg("%s", err.message);
    char *text = masking_text(masked, threads);
    tacit_masked_free(masked);
    tacit_table_free(table);
    return text;
}

static inline void masking_expect(const char *csv, const char *lines, const char *expected)
{
    char *text = masking_run(csv, lines, 1, 1);
    assert_string_equal(text, expected);
    free(text);
}

/* The same bytes on 1, 2 and 7 threads, and others with another seed. */
static inline void masking_threads(const char *csv, const char *lines)
{
    char *one = masking_run(csv, lines, 9, 1);
    for (int threads = 2; threads <= 7; threads += 5) {
        char *other = masking_run(csv, lines, 9, threads);
        assert_string_equal(one, other);
        free(other);
    }
    char *seeded = masking_run(csv, lines, 10, 1);
    assert_string_not_equal(one, seeded);
    free(seeded);
    free(one);
}

/* The steps are refused, with these words in the message. */
static inline void masking_refused(const char *csv, const char *lines, const char *words)
{
    tacit_error err = {0};
    tacit_table *table = masking_table(csv);
    tacit_masked *masked = masking_apply(table, lines, 1, 1, &err);
    assert_null(masked);
    if (!strstr(err.message, words))
        fail_msg("\"%s\" does not say \"%s\"", err.message, words);
    tacit_table_free(table);
}

/* A figure that a step has noted. */
static inline double masking_fact(const tacit_masked *masked, size_t step, const char *name)
{
    const tacit_masked_fact *facts;
    size_t count = tacit_masked_facts(masked, step, &facts);
    for (size_t i = 0; i < count; i++)
        if (strcmp(facts[i].name, name) == 0)
            return facts[i].number;
    fail_msg("no fact %s", name);
    return 0;
}

/* The claim of a kind that holds in the end, or NULL. */
static inline const tacit_kept *masking_kept(const tacit_masked *masked, tacit_kept_kind kind)
{
    const tacit_kept *kept;
    size_t count = tacit_masked_kept(masked, &kept);
    for (size_t i = 0; i < count; i++)
        if (kept[i].kind == kind)
            return &kept[i];
    return NULL;
}

#endif
