/*
 * nest.h - tables in which every cell is a sum of ground cells, whichever relations it is
 * worked out by: all flat and hierarchical tables, and such linked ones as nest in each other.
 */
#ifndef TACIT_CELLS_ROUND_NEST_H
#define TACIT_CELLS_ROUND_NEST_H

#include <tacit/experimental/cells.h>

/* Ground cells are those that no relation is the sum of. Ground g is cell ground[g]; it is part of
 * cells above[starts[g]] to above[starts[g + 1] - 1], itself first. */
typedef struct tacit__nest {
    int32_t count;
    int32_t *ground;
    int64_t *starts; /* count + 1 */
    int32_t *above;
    int64_t *under_starts; /* a cell each, and one more: the ground cells that it is the sum of, */
    int32_t *under;        /* by their numbers g */
    int32_t *defining; /* a cell each: the shortest relation that it is the sum of, -1 for ground
                          cells; the other relations follow from these */
} tacit__nest;

/* *out NULL: the table is not like that, or has more than TACIT__MOST_NESTED such pairs, for which
 * the memory is 8 bytes each. */
enum { TACIT__MOST_NESTED = 1 << 28 };

tacit_status tacit__nest_new(tacit__nest **out, const tacit_cells *cells, const tacit_run *run,
                             tacit_error *err);
void tacit__nest_free(tacit__nest *nest);

#endif
