/*
 * knowing.h - releases of cell-level methods as an adversary who knows the method sees them, and
 * what he could find by going through every original.
 */
#ifndef TACIT_TESTS_SUPPORT_KNOWING_H
#define TACIT_TESTS_SUPPORT_KNOWING_H

#include "cells.h"

#include <math.h>
#include <tacit/experimental/audit_method.h>

enum { KNOWN_ROWS = 16, KNOWN_COLUMNS = 3 };

/* A small table of columns that masks and rules generalize, and a release of it. */
typedef struct known_world {
    fixture f;
    tacit_hierarchy_spec specs[KNOWN_COLUMNS];
    int64_t k;
    int rows, columns;
    bool by_leaves; /* it was to be best by granularity, not by Prec */
    outcome made;
    int level[KNOWN_ROWS][KNOWN_COLUMNS]; /* the lowest on which a cell reads as it was released */
    int class_of[KNOWN_ROWS];
    int classes;
} known_world;

static inline uint32_t known_code(const known_world *w, int row, int column)
{
    return value_on(&w->f, row, column, 0);
}

static inline int known_level(const known_world *w, int row, int column)
{
    tacit_strview cell = released_cell(&w->made, &w->f, row, column);
    for (int level = w->f.attributes[column].least_level;; level++) {
        uint32_t number = value_on(&w->f, row, column, level);
        const tacit_hierarchy *h = w->f.hierarchies[column];
        if (number < tacit_hierarchy_count(h, level)
                ? tacit_strview_equal(cell, tacit_hierarchy_label(h, level, number))
                : cell.len == 0)
            return level;
    }
}

/* Takes a release apart: levels and classes. */
static inline void known_look(known_world *w)
{
    w->classes = 0;
    for (int r = 0; r < w->rows; r++) {
        w->class_of[r] = -1;
        for (int a = 0; a < w->columns; a++)
            w->level[r][a] = known_level(w, r, a);
        for (int s = 0; s < r && w->class_of[r] < 0; s++)
            if (same_released(&w->made, &w->f, r, s))
                w->class_of[r] = w->class_of[s];
        if (w->class_of[r] < 0)
            w->class_of[r] = w->classes++;
    }
}

/* Two columns of two digits, and perhaps one that is kept or suppressed. */
static inline void known_open(known_world *w, const char *text, int columns, int64_t k)
{
    static const char *const names[] = {"a", "b", "c"};
    *w = (known_world){.k = k, .columns = columns};
    fixture_open(&w->f, text);
    w->rows = (int)tacit_table_rows(w->f.table);
    for (int a = 0; a < columns; a++) {
        w->specs[a].kind = a < 2 ? TACIT_HIERARCHY_MASK : TACIT_HIERARCHY_NONE;
        fixture_add(&w->f, names[a], &w->specs[a]);
    }
}

static inline void known_close(known_world *w)
{
    outcome_clear(&w->made);
    fixture_close(&w->f);
}

static inline void known_draw(char *text, uint64_t *random, int rows, int columns, int digits)
{
    strcpy(text, columns == 3 ? "a,b,c\n" : columns == 2 ? "a,b\n" : "a\n");
    for (int r = 0; r < rows; r++)
        for (int a = 0; a < columns; a++)
            sprintf(text + strlen(text), "%u%u%c", next_number(random, digits),
                    a < 2 ? next_number(random, digits) : 0, a + 1 < columns ? ',' : '\n');
}

/* The release as a table of its own. */
static inline tacit_table *known_release(const known_world *w, char *text)
{
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_run run;
    tacit_error err = {0};
    strcpy(text, w->columns == 3 ? "a,b,c\n" : w->columns == 2 ? "a,b\n" : "a\n");
    for (int r = 0; r < w->rows; r++)
        for (int a = 0; a < w->columns; a++) {
            tacit_strview cell = released_cell(&w->made, &w->f, r, a);
            sprintf(text + strlen(text), "%.*s%c", (int)cell.len, cell.bytes,
                    a + 1 < w->columns ? ',' : '\n');
        }
    tacit_run_init(&run);
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    if (tacit_table_read_memory(&table, tacit_strview_of(text), "release", &options, &run, &err) !=
        TACIT_OK)
        fail_msg("%s", err.message);
    return table;
}

static inline tacit_known *known_audit(const known_world *w, tacit_knowledge knows,
                                       tacit_known_cost cost, bool with_original)
{
    static const char *const names[] = {"a", "b", "c"};
    char text[1024];
    tacit_promise_attribute attributes[KNOWN_COLUMNS];
    int floors[KNOWN_COLUMNS];
    tacit_run run;
    tacit_error err = {0};
    tacit_known *known = NULL;
    for (int a = 0; a < w->columns; a++) {
        attributes[a] = (tacit_promise_attribute){names[a], &w->specs[a]};
        floors[a] = w->f.attributes[a].least_level;
    }
    tacit_table *release = known_release(w, text);
    const tacit_promise promise = {
        .k = w->k, .attributes = attributes, .attribute_count = w->columns};
    const tacit_evidence evidence = {.release = release,
                                     .original = with_original ? w->f.table : NULL};
    const tacit_known_method method = {knows, cost, floors};
    tacit_run_init(&run);
    run.threads = 1;
    if (tacit_audit_method(&known, &promise, &evidence, &method, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    tacit_table_free(release);
    return known;
}

/* ---- the definitions, straight ---- */

/* What a row costs by Prec, or by granularity. */
static inline double known_cost(const known_world *w, int row)
{
    double cost = 0;
    for (int a = 0; a < w->columns; a++) {
        const tacit_hierarchy *h = w->f.hierarchies[a];
        int level = w->level[row][a];
        uint32_t all = tacit_hierarchy_leaves(h);
        if (!w->by_leaves)
            cost += (double)level / tacit_hierarchy_height(h);
        else if (all > 1)
            cost += (tacit_hierarchy_leaves_under(h, level, value_on(&w->f, row, a, level)) - 1.0) /
                    (all - 1.0);
    }
    return cost;
}

static inline uint32_t known_up(const known_world *w, int column, int level, uint32_t code)
{
    return tacit_hierarchy_map(w->f.hierarchies[column], level)[code];
}

/* Whether ground values lie in the box of a released row. */
static inline bool known_lies_in(const known_world *w, const uint32_t *codes, int row)
{
    for (int a = 0; a < w->columns; a++)
        if (known_up(w, a, w->level[row][a], codes[a]) !=
            known_up(w, a, w->level[row][a], known_code(w, row, a)))
            return false;
    return true;
}

/* The rows of a class. */
static inline int known_members(int *members, const known_world *w, int class_index)
{
    int count = 0;
    for (int r = 0; r < w->rows; r++)
        if (w->class_of[r] == class_index)
            members[count++] = r;
    return count;
}

/* Rows of a class, filled with ground values codes[i], keep what is known of a column. */
static inline bool known_column_keeps(const known_world *w, uint32_t codes[][KNOWN_COLUMNS],
                                      int count, int column, int level, bool best)
{
    bool same = level > w->f.attributes[column].least_level;
    if (!same)
        return true;
    for (int i = 0; i < count; i++) {
        int alike = 0;
        for (int j = 0; j < count; j++)
            alike += known_up(w, column, level - 1, codes[i][column]) ==
                     known_up(w, column, level - 1, codes[j][column]);
        if (alike == count || (best && count >= 2 * w->k && alike >= w->k))
            return false;
    }
    return true;
}

/* The same of a whole class. */
static inline bool known_class_keeps(const known_world *w, uint32_t codes[][KNOWN_COLUMNS],
                                     const int *members, int count, bool best)
{
    for (int a = 0; a < w->columns; a++)
        if (!known_column_keeps(w, codes, count, a, w->level[members[0]][a], best))
            return false;
    if (!best || count <= w->k)
        return true;
    for (int i = 0; i < count; i++)
        for (int r = 0; r < w->rows; r++)
            if (known_cost(w, r) < known_cost(w, members[0]) - 1e-6 &&
                known_lies_in(w, codes[i], r))
                return false;
    return true;
}

/* Whether the original itself is among what is left. */
static inline bool known_truth_keeps(const known_world *w, bool best)
{
    for (int c = 0; c < w->classes; c++) {
        int members[KNOWN_ROWS], count = known_members(members, w, c);
        uint32_t codes[KNOWN_ROWS][KNOWN_COLUMNS];
        for (int i = 0; i < count; i++)
            for (int a = 0; a < w->columns; a++)
                codes[i][a] = known_code(w, members[i], a);
        if (!known_class_keeps(w, codes, members, count, best))
            return false;
    }
    return true;
}

#endif
