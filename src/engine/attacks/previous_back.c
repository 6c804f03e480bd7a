/*
 * previous_back.c - what a release says of the rows of an earlier one: the join of
 * audit_previous.h with the sides exchanged.
 *
 * A release can keep k rows alike and leave fewer in the earlier one: of two rows 0213* one becomes
 * 02138 by the join, and whoever knows somebody of 02139 has the other. Rows that the earlier
 * release had in classes below k by itself are not this release's doing, and do not count. That is
 * asked only where somebody is exposed, by joining the earlier release with nothing. Costs what the
 * join costs, and a byte for each row of the earlier release if it lacks a quasi-identifying
 * column.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/attacks/previous.h"

/* A column that the earlier release lacks is "*" in it, the node 0; outside the quasi-identifier it
 * says nothing, and is left out. The number of columns. */
static int32_t swap_columns(tacit_joint_column *columns, const engine_joint *joint,
                            const tacit_node_column *known, const uint8_t *blank)
{
    int32_t count = 0;
    for (int32_t i = 0; i < joint->count; i++) {
        tacit_joint_column column = columns[i];
        column.now = columns[i].before;
        column.before = known[i];
        if (column.now.codes.width == 0 && i >= joint->quasi)
            continue;
        if (column.now.codes.width == 0)
            column.now = (tacit_node_column){.codes = {blank, 1}};
        columns[count++] = column;
    }
    return count;
}

/* Counts the rows that are exposed and, by themselves, are not. */
static void count_rows(engine_joined_step *step, const tacit_joined *joined,
                       const tacit_joined *alone, const tacit_two_releases *two)
{
    step->fewest = two->k;
    for (int64_t row = 0; row < two->now_rows; row++) {
        uint32_t kind = joined->kind_of[row], before = alone->kind_of[row];
        bool exposed = joined->sure[kind] || joined->candidates[kind] < two->k;
        if (!exposed || alone->sure[before] || alone->candidates[before] < two->k)
            continue;
        int64_t few = two->by_candidates ? joined->candidates[kind] : joined->sharing[kind];
        step->laid_open++;
        step->fewest = few < step->fewest ? few : step->fewest;
    }
}

static tacit_status join_both(engine_joined_step *step, tacit_two_releases two,
                              const tacit_run *run, tacit_error *err)
{
    tacit_joined *joined = NULL, *alone = NULL;
    tacit_status status = tacit_join_releases(&joined, &two, run, err);
    two.before_rows = 0;
    if (status == TACIT_OK && joined->exposed_rows > 0)
        status = tacit_join_releases(&alone, &two, run, err);
    if (alone)
        count_rows(step, joined, alone, &two);
    tacit_joined_free(joined);
    tacit_joined_free(alone);
    return status;
}

tacit_status engine_join_back(engine_joined_step *step, const engine_joint *joint, int32_t file,
                              tacit_joint_column *columns, const tacit_node_column *known,
                              tacit_error *err)
{
    engine_joint_columns(columns, joint, file);
    tacit_two_releases two = engine_joint_two(columns, joint, file);
    uint8_t *blank = NULL;
    bool lacks = false;
    for (int32_t i = 0; i < joint->quasi; i++)
        lacks |= columns[i].before.codes.width == 0;
    if (lacks && !(blank = tacit__alloc_zeroed((size_t)two.before_rows + 1, 1)))
        return tacit__nomem(err);
    int64_t rows = two.now_rows;
    two.column_count = swap_columns(columns, joint, known, blank);
    two.now_rows = two.before_rows;
    two.before_rows = rows;
    tacit_status status = join_both(step, two, &joint->c->session->run, err);
    tacit__free(blank);
    return status;
}
