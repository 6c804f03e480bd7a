/*
 * plan.c - what a plan of suppressions leads to: Prec, the number of
 * suppressed cells, and the boxes of the release. A suppressed cell is the highest
 * value of its hierarchy.
 *
 * Linear in the classes times attributes.
 */
#include "records/argus/plan.h"

#include "base/alloc.h"
#include "base/error.h"
#include "records/apply/cells_solution.h"

void tacit__argus_plan_clear(tacit__argus_plan *plan)
{
    tacit__free(plan->stars);
    tacit__free(plan->parts);
    *plan = (tacit__argus_plan){0};
}

static void add_stars(int64_t *rows, uint64_t stars, int64_t count)
{
    for (; stars; stars &= stars - 1)
        rows[__builtin_ctzll(stars)] += count;
}

tacit_argus_effect tacit__argus_effect_of(const tacit__argus_plan *plan,
                                          const tacit__argus_view *view)
{
    int64_t starred[TACIT_MAX_ATTRIBUTES] = {0};
    double rows = (double)tacit_classes_rows(view->classes), lost = 0;
    tacit_argus_effect effect = {0};
    for (int64_t c = 0; c < view->count; c++)
        add_stars(starred, plan->stars[c], view->rows[c]);
    for (int64_t i = 0; i < plan->part_count; i++) {
        const tacit__argus_part *part = &plan->parts[i];
        add_stars(starred, part->stars, part->people);
        add_stars(starred, plan->stars[part->class_index], -part->people);
    }
    for (int32_t a = 0; a < view->attributes; a++) {
        double level = tacit_classes_levels(view->classes)[a];
        int height = tacit_hierarchy_height(view->frame->attributes[a].hierarchy);
        lost += (double)starred[a] + (rows - (double)starred[a]) * level / height;
        effect.suppressed_cells += starred[a];
    }
    effect.precision = 1 - lost / (rows * view->attributes);
    return effect;
}

tacit_status tacit__argus_box(uint32_t *box, tacit__box_list *list, const tacit__argus_view *view,
                              uint32_t class_index, uint64_t stars, tacit_error *err)
{
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    const uint32_t *codes = view->codes + (int64_t)class_index * view->attributes;
    for (int32_t a = 0; a < view->attributes; a++) {
        bool star = stars >> a & 1;
        int height = tacit_hierarchy_height(view->frame->attributes[a].hierarchy);
        levels[a] = (uint8_t)(star ? height : tacit_classes_levels(view->classes)[a]);
        numbers[a] = star ? 0 : codes[a]; /* there is one highest value */
    }
    return tacit__box_list_add(box, list, levels, numbers, err);
}

tacit_status tacit__argus_solution(tacit_solution **out, const tacit__argus_plan *plan,
                                   const tacit__argus_view *view, tacit_error *err)
{
    tacit__box_list list = {.attributes = view->attributes};
    tacit_solution *solution = NULL;
    tacit_status status =
        tacit__cells_solution_new(&solution, view->frame, view->classes, plan->part_count, err);
    if (status != TACIT_OK)
        return status;
    tacit_boxes *boxes = solution->boxes;
    for (int64_t c = 0; status == TACIT_OK && c < view->count; c++)
        status = tacit__argus_box(&boxes->box_of[c], &list, view, (uint32_t)c, plan->stars[c], err);
    for (int64_t i = 0; status == TACIT_OK && i < plan->part_count; i++) {
        const tacit__argus_part *part = &plan->parts[i];
        tacit_part *made = &boxes->parts[boxes->part_count++];
        *made = (tacit_part){.class_index = part->class_index, .people = part->people};
        status = tacit__argus_box(&made->box, &list, view, part->class_index, part->stars, err);
    }
    if (status == TACIT_OK) {
        tacit__box_list_give(boxes, &list);
        tacit__cells_tidy_parts(boxes);
        *out = solution;
    } else {
        tacit_solution_free(solution);
    }
    tacit__box_list_clear(&list);
    return status;
}
