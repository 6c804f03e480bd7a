/*
 * hierarchy_support.h - tables for tests of hierarchies, and what holds of
 * every hierarchy. Used by unit tests, property tests and the fuzzer.
 */
#ifndef TACIT_TESTS_HIERARCHY_SUPPORT_H
#define TACIT_TESTS_HIERARCHY_SUPPORT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental/hierarchy.h>

#include "hierarchy/hierarchy.h"

/* A table of a row number and the column V, a row a value; its rows start on
 * line 2. A value of "" is missing. */
typedef struct values_table {
    char *text;
    tacit_table *table;
} values_table;

enum { VALUES_COLUMN = 1 };

static inline values_table values_table_new(const char *const *values, size_t count)
{
    size_t room = 16;
    for (size_t i = 0; i < count; i++)
        room += 2 * strlen(values[i]) + 32;
    values_table made = {malloc(room), NULL};
    size_t len = (size_t)snprintf(made.text, room, "row,V\n");
    for (size_t i = 0; i < count; i++) {
        len += (size_t)snprintf(made.text + len, room - len, "%zu,%s", i, *values[i] ? "\"" : "");
        for (const char *at = values[i]; *at; at++) {
            if (*at == '"')
                made.text[len++] = '"';
            made.text[len++] = *at;
        }
        len += (size_t)snprintf(made.text + len, room - len, "%s\n", *values[i] ? "\"" : "");
    }
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    tacit_error err = {0};
    if (tacit_table_read_memory(&made.table, (tacit_strview){made.text, len}, "data.csv", &options,
                                NULL, &err) != TACIT_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    return made;
}

static inline void values_table_free(values_table *table)
{
    tacit_table_free(table->table);
    free(table->text);
    *table = (values_table){0};
}

/* Whether the values of a level are numbered in the order of their first code,
 * each with a label of its own, and nest in the level below. */
static inline const char *level_problem(const tacit_hierarchy *h, int level, uint32_t distinct)
{
    const uint32_t *map = tacit_hierarchy_map(h, level);
    const uint32_t *below = tacit_hierarchy_map(h, level - 1);
    uint32_t count = tacit_hierarchy_count(h, level), seen = 0;
    for (uint32_t c = 0; c < distinct; c++) {
        if (map[c] > seen)
            return "a number comes before its turn";
        seen += map[c] == seen;
        for (uint32_t d = 0; d < c; d++)
            if (below[c] == below[d] && map[c] != map[d])
                return "two values that met have parted";
    }
    if (map[distinct] < count && map[distinct] == seen)
        seen++;
    if (seen != count && !(distinct == 0 && count == 1))
        return "a number that nothing has";
    if (map[distinct] > count)
        return "missing is out of range";
    for (uint32_t c = 0; c < distinct; c++)
        if (below[c] == below[distinct] && map[c] != map[distinct])
            return "missing has parted from a value that it met";
    for (uint32_t a = 0; a < count; a++) {
        if (!tacit_hierarchy_label(h, level, a).len)
            return "a label is empty";
        for (uint32_t b = 0; b < a; b++)
            if (tacit_strview_equal(tacit_hierarchy_label(h, level, a),
                                    tacit_hierarchy_label(h, level, b)))
                return "a label stands for two values";
    }
    return NULL;
}

/* What is wrong with a hierarchy, or NULL. Quadratic: for small columns. */
static inline const char *hierarchy_problem(const tacit_hierarchy *h, const tacit_table *table,
                                            int32_t column)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    int height = tacit_hierarchy_height(h);
    if (height < 1 || height >= TACIT_MAX_LEVELS)
        return "the height is out of bounds";
    if (tacit_hierarchy_count(h, 0) != distinct)
        return "level 0 is not the column";
    for (uint32_t c = 0; c <= distinct; c++)
        if (tacit_hierarchy_map(h, 0)[c] != c)
            return "level 0 renumbers";
    for (int level = 1; level <= height; level++) {
        const char *problem = level_problem(h, level, distinct);
        if (problem)
            return problem;
        uint64_t leaves = 0;
        for (uint32_t i = 0; i < tacit_hierarchy_count(h, level); i++)
            leaves += tacit_hierarchy_leaves_under(h, level, i);
        if (leaves > tacit_hierarchy_leaves(h))
            return "more leaves on a level than there are";
    }
    if (tacit_hierarchy_count(h, height) != 1 || tacit_hierarchy_map(h, height)[distinct] != 0)
        return "the top is not one value";
    if (tacit_hierarchy_leaves_under(h, height, 0) != tacit_hierarchy_leaves(h))
        return "the top does not hold every leaf";
    return NULL;
}

/* The label of a value's generalization, terminated, in a buffer of the caller. */
static inline const char *label_of(const tacit_hierarchy *h, int level, uint32_t code, char *buffer,
                                   size_t size)
{
    tacit_strview label = tacit_hierarchy_label(h, level, tacit_hierarchy_map(h, level)[code]);
    snprintf(buffer, size, "%.*s", (int)label.len, label.bytes);
    return buffer;
}

#endif
