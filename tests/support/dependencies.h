/*
 * dependencies.h - random tables for the tests of functional dependencies, and what holds in
 * them straight from the definition.
 */
#ifndef TACIT_TESTS_SUPPORT_DEPENDENCIES_H
#define TACIT_TESTS_SUPPORT_DEPENDENCIES_H

#include "records.h"

#include <tacit/experimental/dependencies.h>

enum { GRID_ROWS = 4096, GRID_COLUMNS = 16 };

/* A table of small numbers; -1 is missing. */
typedef struct numbers {
    int rows, columns;
    int at[GRID_ROWS][GRID_COLUMNS];
} numbers;

/* As CSV; columns are c0, c1, ... A number `blank` is written as suppressed. */
static inline void numbers_open(fixture *f, const numbers *n, int blank)
{
    size_t size = (size_t)(n->rows + 1) * (size_t)n->columns * 8 + 16, used = 0;
    char *text = malloc(size);
    for (int c = 0; c < n->columns; c++)
        used += (size_t)sprintf(text + used, "%sc%d", c ? "," : "", c);
    for (int r = 0; r < n->rows; r++)
        for (int c = 0; c < n->columns; c++) {
            const char *before = c ? "," : "\n";
            if (n->at[r][c] == blank)
                used += (size_t)sprintf(text + used, "%s*", before);
            else if (n->at[r][c] < 0)
                used += (size_t)sprintf(text + used, "%s%s", before, n->columns == 1 ? "\"\"" : "");
            else
                used += (size_t)sprintf(text + used, "%s%d", before, n->at[r][c]);
        }
    sprintf(text + used, "\n");
    fixture_open(f, text);
    free(text);
}

static inline int32_t first_columns(int32_t *columns, int count)
{
    for (int32_t i = 0; i < count; i++)
        columns[i] = i;
    return count;
}

static inline bool numbers_agree(const numbers *n, int a, int b, uint64_t columns)
{
    for (int c = 0; c < n->columns; c++)
        if ((columns >> c & 1) && n->at[a][c] != n->at[b][c])
            return false;
    return true;
}

static inline bool numbers_hold(const numbers *n, uint64_t left, int right)
{
    for (int a = 0; a < n->rows; a++)
        for (int b = 0; b < a; b++)
            if (n->at[a][right] != n->at[b][right] && numbers_agree(n, a, b, left))
                return false;
    return true;
}

/* The minimal left sides of a column, by all sets of columns from small to large. */
static inline int64_t numbers_minimal(tacit_dependency *list, const numbers *n, int right, int most)
{
    int64_t count = 0;
    for (int size = 0; size <= most; size++)
        for (uint64_t left = 0; left < UINT64_C(1) << n->columns; left++) {
            bool minimal = __builtin_popcountll(left) == size && !(left >> right & 1);
            for (int64_t i = 0; minimal && i < count; i++)
                minimal = (list[i].left & ~left) != 0;
            if (minimal && numbers_hold(n, left, right))
                list[count++] = (tacit_dependency){left, right};
        }
    return count;
}

static inline int64_t numbers_dependencies(tacit_dependency *list, const numbers *n, int most)
{
    int64_t count = 0;
    for (int right = 0; right < n->columns; right++)
        count += numbers_minimal(list + count, n, right, most);
    return count;
}

#endif
