/*
 * shape.c - how a release looks: the sizes of its classes, the levels its cells
 * are on, and its largest class as an example. For accounts of what was done.
 *
 * Linear in the classes of the solution.
 */
#include <tacit/experimental/records.h>

#include "base/alloc.h"
#include "records/apply/box_counts.h"
#include "records/classes/classes.h"

/* What is left of each class. Where only some people of a class are suppressed,
 * their rows are taken as average. */
static void add_left(tacit_size_bins *bins, const tacit_solution *solution)
{
    for (int64_t i = 0; i < solution->classes->groups.count; i++) {
        int64_t people = tacit_classes_people(solution->classes, i);
        int64_t left = people - solution->suppressed[i];
        double share = people > 0 ? (double)left / (double)people : 0;
        double rows = (double)tacit_classes_size(solution->classes, i) * share;
        if (left > 0)
            tacit_size_bins_add(bins, left, (int64_t)(rows + 0.5));
    }
}

static tacit_status add_boxes(tacit_size_bins *bins, const tacit_solution *solution,
                              bool drop_suppressed, const tacit_frame *frame, const tacit_run *run,
                              tacit_error *err)
{
    tacit__box_counts counts;
    tacit_status status = tacit__box_counts_init(&counts, solution, frame, run, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t b = 0; b < solution->boxes->count; b++)
        if (counts.rows[b] > 0 &&
            !(drop_suppressed && tacit__box_is_starred(solution->boxes, frame, b)))
            tacit_size_bins_add(bins, tacit__box_people(&counts, b), counts.rows[b]);
    tacit__box_counts_clear(&counts);
    return TACIT_OK;
}

tacit_status tacit_size_bins_add_release(tacit_size_bins *bins, const tacit_solution *solution,
                                         const tacit_metrics *metrics, bool drop_suppressed,
                                         const tacit_frame *frame, const tacit_run *run,
                                         tacit_error *err)
{
    if (solution->boxes)
        return add_boxes(bins, solution, drop_suppressed, frame, run, err);
    add_left(bins, solution);
    if (metrics->suppressed_rows > 0 && !drop_suppressed)
        tacit_size_bins_add(bins, metrics->suppressed_people, metrics->suppressed_rows);
    return TACIT_OK;
}

/* Rows of a class that leave in its own box. */
static void class_levels(int64_t *rows, const tacit_boxes *boxes, int64_t box, int64_t count,
                         int32_t attributes)
{
    for (int32_t a = 0; a < attributes; a++)
        rows[a * TACIT_MAX_LEVELS + boxes->levels[box * attributes + a]] += count;
}

void tacit_solution_level_rows(int64_t *rows, const tacit_solution *solution)
{
    const tacit_boxes *boxes = solution->boxes;
    int32_t attributes = solution->attribute_count;
    for (int32_t i = 0; i < attributes * TACIT_MAX_LEVELS; i++)
        rows[i] = 0;
    for (int32_t a = 0; !boxes && a < attributes; a++)
        rows[a * TACIT_MAX_LEVELS + solution->levels[a]] = tacit_classes_rows(solution->classes);
    if (!boxes)
        return;
    for (int64_t c = 0; c < solution->classes->groups.count; c++)
        class_levels(rows, boxes, boxes->box_of[c], solution->classes->groups.rows[c], attributes);
    for (int64_t i = 0; i < boxes->part_count; i++) {
        const tacit_part *part = &boxes->parts[i];
        class_levels(rows, boxes, part->box, part->people, attributes);
        class_levels(rows, boxes, boxes->box_of[part->class_index], -part->people, attributes);
    }
}

static int64_t largest_class(const tacit_solution *solution)
{
    int64_t chosen = -1, most = 0;
    for (int64_t i = 0; i < solution->classes->groups.count; i++) {
        int64_t left = tacit_classes_people(solution->classes, i) - solution->suppressed[i];
        if (left > most) {
            most = left;
            chosen = i;
        }
    }
    return chosen;
}

/* Suppressed rows are no example where there is another. */
static tacit_status largest_box(int64_t *chosen, const tacit_solution *solution,
                                const tacit_frame *frame, const tacit_run *run, tacit_error *err)
{
    tacit__box_counts counts;
    tacit_status status = tacit__box_counts_init(&counts, solution, frame, run, err);
    if (status != TACIT_OK)
        return status;
    uint32_t most = 0;
    for (int64_t b = 0; b < solution->boxes->count; b++) {
        bool starred = tacit__box_is_starred(solution->boxes, frame, b);
        uint32_t people = starred ? 0 : tacit__box_people(&counts, b);
        if (people > most || *chosen < 0) {
            most = people;
            *chosen = b;
        }
    }
    tacit__box_counts_clear(&counts);
    return TACIT_OK;
}

/* A value's label, where it is not left as it is. */
static tacit_strview label_at(const tacit_hierarchy *hierarchy, int level, uint32_t number)
{
    if (level == 0 || number >= tacit_hierarchy_count(hierarchy, level))
        return (tacit_strview){0};
    return tacit_hierarchy_label(hierarchy, level, number);
}

tacit_status tacit_solution_example(tacit_strview *labels, const tacit_solution *solution,
                                    const tacit_frame *frame, const tacit_run *run,
                                    tacit_error *err)
{
    const tacit_boxes *boxes = solution->boxes;
    int64_t chosen = -1;
    tacit_status status = TACIT_OK;
    if (boxes)
        status = largest_box(&chosen, solution, frame, run, err);
    else
        chosen = largest_class(solution);
    for (int32_t a = 0; status == TACIT_OK && a < frame->attribute_count; a++) {
        const tacit_hierarchy *hierarchy = frame->attributes[a].hierarchy;
        int64_t at = chosen * frame->attribute_count + a;
        if (chosen < 0)
            labels[a] = (tacit_strview){0};
        else if (boxes)
            labels[a] = label_at(hierarchy, boxes->levels[at], boxes->numbers[at]);
        else
            labels[a] = label_at(hierarchy, solution->levels[a],
                                 tacit_classes_code(solution->classes, chosen, a));
    }
    return status;
}
