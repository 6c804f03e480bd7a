/*
 * directions.h - what the relations of a table without dimensions say of its dimensions: which
 * of them are parallel, and which cross.
 */
#ifndef TACIT_CELLS_SUBTABLES_DIRECTIONS_H
#define TACIT_CELLS_SUBTABLES_DIRECTIONS_H

#include "cells/cells/inside.h"

/* Pairs of numbers, growing; sorted and each once when all are there. */
typedef struct tacit__pairs {
    uint64_t *list;
    size_t room;
    int64_t count;
} tacit__pairs;

static inline uint64_t tacit__pair(int32_t first, int32_t second)
{
    return (uint64_t)(uint32_t)first << 32 | (uint32_t)second;
}

/* A direction is a code and its parts in one dimension: all relations that sum up the same parts
 * to the same code, for other codes elsewhere. No cell is in two relations of a direction. */
typedef struct tacit__directions {
    int32_t count;
    int32_t *of;    /* a relation each; -1: it says what an earlier one says */
    int32_t *code;  /* a term each: 0 for the total, and a number for each part, the same in all
                       relations of the direction */
    bool *sums;     /* a direction each: a total and its parts; else any relation, alone */
    int32_t *level; /* a direction each: how many are above it at most */
    tacit__pairs crossings; /* both ways, sorted */
} tacit__directions;

tacit_status tacit__directions_new(tacit__directions **out, const tacit_cells *cells,
                                   const tacit__terms *terms, tacit_error *err);
void tacit__directions_free(tacit__directions *directions);

/* Whether two directions span subtables: they are of different dimensions. */
bool tacit__directions_cross(const tacit__directions *directions, int32_t one, int32_t other);

#endif
