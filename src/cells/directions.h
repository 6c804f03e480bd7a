/*
 * directions.h - what the relations of a table without dimensions say of its dimensions: which
 * of them are parallel, and which cross.
 */
#ifndef TACIT_SRC_CELLS_DIRECTIONS_H
#define TACIT_SRC_CELLS_DIRECTIONS_H

#include <tacit/cells.h>

/* Cells in more relations than this are not looked at: sixteen dimensions of two trees each,
 * with parts and totals, have no more. */
enum { TACIT__MOST_USES = 64 };

/* The terms of all relations by cell: those of cell i are list[starts[i]] to
 * list[starts[i + 1] - 1], ascending. */
typedef struct tacit__terms {
    int32_t *starts; /* cells + 1 */
    int32_t *list;
    int32_t *relation; /* a term each */
} tacit__terms;

tacit_status tacit__terms_init(tacit__terms *terms, const tacit_cells *cells, tacit_error *err);
void tacit__terms_clear(tacit__terms *terms);

static inline int32_t tacit__uses(const tacit__terms *terms, int32_t cell)
{
    return terms->starts[cell + 1] - terms->starts[cell];
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
    int64_t crossing_count;
    uint64_t *crossings; /* pairs that cross, both ways, ascending */
} tacit__directions;

tacit_status tacit__directions_new(tacit__directions **out, const tacit_cells *cells,
                                   const tacit__terms *terms, tacit_error *err);
void tacit__directions_free(tacit__directions *directions);

/* Whether two directions span subtables: they are of different dimensions. */
bool tacit__directions_cross(const tacit__directions *directions, int32_t one, int32_t other);

/* Fills in the levels; terms as above. */
tacit_status tacit__directions_rank(tacit__directions *directions, const tacit_cells *cells,
                                    const tacit__terms *terms, tacit_error *err);

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

tacit_status tacit__pairs_add(tacit__pairs *pairs, int32_t first, int32_t second, tacit_error *err);
void tacit__pairs_sort(tacit__pairs *pairs);

#endif
