/*
 * masked_case.h - cases for the judge of masked tables: two tables as text and claims as words.
 *
 * A claim is a line such as "sum columns=a,b within=c amount=0.5"; without a kind's name, a number
 * is the kind.
 */
#ifndef TACIT_TESTS_MASKED_CASE_H
#define TACIT_TESTS_MASKED_CASE_H

#ifndef _GNU_SOURCE
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental/audit_masked.h>

enum { MASKED_CLAIMS = 24, MASKED_NAMES = 16, MASKED_ROWS = 64 };

static const char *const MASKED_KINDS[] = {"values",   "unit",   "sum",      "moments",   "shares",
                                           "near",     "groups", "null_map", "wrong_map", "range",
                                           "together", "common", "uncopied"};

/* All that a case points to. */
typedef struct masked_case {
    tacit_masked_case c;
    tacit_kept kept[MASKED_CLAIMS];
    const char *columns[MASKED_CLAIMS][MASKED_NAMES], *within[MASKED_CLAIMS][MASKED_NAMES];
    const char *touched[MASKED_NAMES], *written[MASKED_NAMES];
    char texts[MASKED_CLAIMS + 2][128];
    uint32_t origin[MASKED_ROWS];
} masked_case;

static inline size_t masked_split(const char **out, char *text)
{
    size_t count = 0;
    char *left;
    for (char *name = strtok_r(text, ",", &left); name; name = strtok_r(NULL, ",", &left))
        out[count++] = name;
    return count;
}

static inline tacit_kept_kind masked_kind(const char *name)
{
    for (int i = 0; i < (int)(sizeof MASKED_KINDS / sizeof *MASKED_KINDS); i++)
        if (strcmp(MASKED_KINDS[i], name) == 0)
            return (tacit_kept_kind)i;
    return (tacit_kept_kind)atoi(name);
}

static inline void masked_claim(masked_case *m, const char *line)
{
    size_t at = m->c.kept_count++;
    tacit_kept *kept = &m->kept[at];
    char *left, *text = m->texts[at];
    snprintf(text, sizeof m->texts[at], "%s", line);
    *kept = (tacit_kept){.kind = masked_kind(strtok_r(text, " ", &left)), .step = at};
    kept->columns = m->columns[at];
    kept->within = m->within[at];
    for (char *word; (word = strtok_r(NULL, " ", &left));) {
        char *equals = strchr(word, '=');
        assert_non_null(equals);
        *equals = '\0';
        if (strcmp(word, "columns") == 0)
            kept->column_count = masked_split(m->columns[at], equals + 1);
        else if (strcmp(word, "within") == 0)
            kept->within_count = masked_split(m->within[at], equals + 1);
        else if (strcmp(word, "amount") == 0)
            kept->amount = atof(equals + 1);
        else if (strcmp(word, "low") == 0)
            kept->low = atof(equals + 1);
        else if (strcmp(word, "high") == 0)
            kept->high = atof(equals + 1);
        else
            fail_msg("what is %s?", word);
    }
    m->c.kept = m->kept;
}

static inline tacit_table *masked_table(const char *csv)
{
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_error err = {0};
    tacit_csv_options_init(&options);
    options.code_none = true;
    options.delimiter = ',';
    if (tacit_table_read_memory(&table, tacit_strview_of(csv), "table", &options, NULL, &err))
        fail_msg("%s", err.message);
    return table;
}

/* Rows came from those of the same number; touched and written: names with commas. */
static inline void masked_case_init(masked_case *m, const char *original, const char *masked,
                                    const char *touched, const char *written)
{
    *m = (masked_case){.c = {.original = masked_table(original), .masked = masked_table(masked)}};
    char *names = m->texts[MASKED_CLAIMS], *more = m->texts[MASKED_CLAIMS + 1];
    snprintf(names, sizeof m->texts[0], "%s", touched);
    snprintf(more, sizeof m->texts[0], "%s", written);
    m->c.touched = m->touched;
    m->c.touched_count = masked_split(m->touched, names);
    m->c.written = m->written;
    m->c.written_count = masked_split(m->written, more);
    m->c.origin = m->origin;
    assert_in_range(tacit_table_rows(m->c.masked), 0, MASKED_ROWS);
    for (uint32_t i = 0; i < MASKED_ROWS; i++)
        m->origin[i] = i;
}

static inline void masked_case_clear(masked_case *m)
{
    tacit_table_free((tacit_table *)m->c.original);
    tacit_table_free((tacit_table *)m->c.masked);
}

static inline tacit_masked_verdict *masked_judge(const masked_case *m, int threads)
{
    tacit_masked_verdict *verdict = NULL;
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    if (tacit_audit_masked(&verdict, &m->c, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    assert_int_equal(verdict->holds, verdict->finding_count == 0);
    return verdict;
}

#endif
