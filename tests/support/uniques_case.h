/*
 * uniques_case.h - tables for the tests of the uniques room, and what the
 * definitions say of them, computed from the text of the cells alone.
 */
#ifndef TACIT_TESTS_SUPPORT_UNIQUES_CASE_H
#define TACIT_TESTS_SUPPORT_UNIQUES_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental/uniques.h>

#include "base/strbuf.h"

enum { CASE_ROWS = 512, CASE_COLUMNS = 24 };

/* A small table; a negative cell is missing. */
typedef struct uniques_case {
    int rows, columns;
    int cells[CASE_ROWS][CASE_COLUMNS];
    tacit__strbuf text;
    tacit_table *table;
    tacit_distinct *distinct;
} uniques_case;

static inline tacit_table *table_of_text(tacit_strview text, bool header)
{
    tacit_csv_options options;
    tacit_run run;
    tacit_error err = {0};
    tacit_table *table = NULL;
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    options.no_header = !header;
    if (tacit_table_read_memory(&table, text, "test", &options, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return table;
}

/* The combinations of some columns that stand side by side. */
static inline tacit_distinct *distinct_of(const tacit_table *table, int first, int columns,
                                          tacit_missing missing, int threads)
{
    int32_t list[TACIT_UNIQUES_COLUMNS];
    tacit_run run;
    tacit_error err = {0};
    tacit_distinct *distinct = NULL;
    tacit_run_init(&run);
    run.threads = threads;
    for (int i = 0; i < columns; i++)
        list[i] = first + i;
    if (tacit_distinct_new(&distinct, table, list, columns, missing, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return distinct;
}

static inline tacit_uniques *uniques_of(const tacit_distinct *distinct, int64_t k, int max_size,
                                        int threads)
{
    tacit_uniques_options options;
    tacit_run run;
    tacit_error err = {0};
    tacit_uniques *uniques = NULL;
    tacit_run_init(&run);
    tacit_uniques_options_init(&options);
    run.threads = threads;
    options.k = k;
    options.max_size = max_size;
    if (tacit_uniques_new(&uniques, distinct, &options, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return uniques;
}

/* Reads the cells; a leading column keeps rows of missing values from being empty lines. */
static inline void case_open(uniques_case *c, tacit_missing missing)
{
    c->text = (tacit__strbuf){0};
    for (int column = 0; column <= c->columns; column++)
        tacit__strbuf_format(&c->text, column ? ",c%d" : "row", column);
    for (int row = 0; row < c->rows; row++) {
        tacit__strbuf_text(&c->text, "\nr");
        for (int column = 0; column < c->columns; column++)
            if (c->cells[row][column] < 0)
                tacit__strbuf_text(&c->text, ",");
            else
                tacit__strbuf_format(&c->text, ",%d", c->cells[row][column]);
    }
    tacit__strbuf_text(&c->text, "\n");
    c->table = table_of_text((tacit_strview){c->text.bytes, c->text.len}, true);
    c->distinct = distinct_of(c->table, 1, c->columns, missing, 1);
}

static inline void case_close(uniques_case *c)
{
    tacit_distinct_free(c->distinct);
    tacit_table_free(c->table);
    tacit__strbuf_clear(&c->text);
}

/* Small reproducible numbers. */
static inline int next_below(uint64_t *state, int bound)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((*state >> 33) % (uint64_t)bound);
}

/* A table whose columns differ in what they tell: some have two values, some
 * twenty, some hardly vary, some follow others. */
static inline void case_draw(uniques_case *c, uint64_t *state, int rows, int columns,
                             int missing_percent)
{
    c->rows = rows;
    c->columns = columns;
    for (int column = 0; column < columns; column++) {
        static const int WIDTHS[] = {1, 2, 2, 3, 3, 5, 9, 20};
        int width = WIDTHS[next_below(state, 8)], kind = next_below(state, 5);
        for (int row = 0; row < rows; row++) {
            int value = next_below(state, width);
            if (kind == 0)
                value = next_below(state, 12) ? 0 : value;
            if (kind == 1 && column)
                value = c->cells[row][column - 1] / 2;
            c->cells[row][column] = next_below(state, 100) < missing_percent ? -1 : value;
        }
    }
}

/* A table with groups of many sizes, the first columns the most telling, every third
 * nearly constant. */
static inline void case_fill(uniques_case *c, uint64_t seed, int rows, int columns,
                             int missing_percent)
{
    static const int WIDTHS[] = {20, 9, 7, 5, 5, 4, 3, 3, 2, 2, 2, 2};
    c->rows = rows;
    c->columns = columns;
    for (int row = 0; row < rows; row++)
        for (int i = 0; i < columns; i++) {
            int value = next_below(&seed, 1 + next_below(&seed, WIDTHS[i % 12]));
            value = i % 3 == 2 && next_below(&seed, 10) ? 0 : value;
            c->cells[row][i] = next_below(&seed, 100) < missing_percent ? -1 : value;
        }
}

/* Whether two rows match on a set of columns. */
static inline bool rows_match(const uniques_case *c, int a, int b, uint64_t set,
                              tacit_missing missing)
{
    for (int i = 0; i < c->columns; i++) {
        int x = c->cells[a][i], y = c->cells[b][i];
        if (!(set >> i & 1) || x == y)
            continue;
        if (missing == TACIT_MISSING_ANY && (x < 0 || y < 0))
            continue;
        return false;
    }
    return true;
}

static inline int count_matches(const uniques_case *c, int row, uint64_t set, tacit_missing missing)
{
    int count = 0;
    for (int other = 0; other < c->rows; other++)
        count += rows_match(c, row, other, set, missing);
    return count;
}

#endif
