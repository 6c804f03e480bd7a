/*
 * solution.c - a layout as the solution that others apply and measure: each box
 * once, a box for each class, and the parts of classes that leave in several.
 *
 * Linear in the shares.
 */
#include <string.h>

#include "records/apply/boxes.h"
#include "records/local/local.h"

/* A class leaves in the box of its first share, and parts of it in others. */
static void place_shares(tacit_boxes *boxes, const tacit__share *shares, int64_t count,
                         uint32_t box)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t *home = &boxes->box_of[shares[i].class_index];
        if (*home == UINT32_MAX)
            *home = box;
        else
            boxes->parts[boxes->part_count++] =
                (tacit_part){shares[i].class_index, box, shares[i].people};
    }
}

static tacit_status add_box(uint32_t *index, tacit__box_list *list, const tacit__local *local,
                            const tacit__local_layout *layout, int64_t box, tacit_error *err)
{
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    const uint8_t *levels = layout->levels + box * local->attributes;
    uint32_t first = layout->shares[layout->starts[box]].class_index;
    for (int32_t a = 0; a < local->attributes; a++)
        numbers[a] = tacit__local_number(local, first, a, levels[a]);
    return tacit__box_list_add(index, list, levels, numbers, err);
}

static tacit_status place_all(tacit_boxes *boxes, const tacit__local *local,
                              const tacit__local_layout *layout, tacit_error *err)
{
    tacit__box_list list = {.attributes = local->attributes};
    tacit_status status = TACIT_OK;
    memset(boxes->box_of, 0xff, (size_t)local->classes->groups.count * sizeof *boxes->box_of);
    for (int64_t b = 0; status == TACIT_OK && b < layout->boxes; b++) {
        uint32_t index = 0;
        status = add_box(&index, &list, local, layout, b, err);
        if (status == TACIT_OK)
            place_shares(boxes, layout->shares + layout->starts[b],
                         layout->starts[b + 1] - layout->starts[b], index);
    }
    if (status == TACIT_OK)
        tacit__box_list_give(boxes, &list);
    tacit__box_list_clear(&list);
    tacit__cells_tidy_parts(boxes);
    return status;
}

tacit_status tacit__local_solution(tacit_solution **out, const tacit__local *local,
                                   const tacit__local_layout *layout, tacit_error *err)
{
    tacit_solution *solution = NULL;
    int64_t parts = layout->share_count - local->classes->groups.count;
    tacit_status status =
        tacit__cells_solution_new(&solution, local->frame, local->classes, parts, err);
    if (status == TACIT_OK)
        status = place_all(solution->boxes, local, layout, err);
    if (status == TACIT_OK)
        *out = solution;
    else
        tacit_solution_free(solution);
    return status;
}
