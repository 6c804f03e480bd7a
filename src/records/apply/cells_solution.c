/*
 * cells_solution.c - the frame of a solution with boxes, and its parts in order.
 */
#include "records/apply/cells_solution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

tacit_status tacit__cells_solution_new(tacit_solution **out, const tacit_frame *frame,
                                       const tacit_classes *classes, int64_t parts,
                                       tacit_error *err)
{
    size_t attributes = (size_t)frame->attribute_count,
           count = (size_t)tacit_classes_count(classes);
    tacit_solution *solution = tacit__alloc_zeroed(1, sizeof *solution);
    tacit_boxes *boxes = tacit__alloc_zeroed(1, sizeof *boxes);
    if (!solution || !boxes) {
        tacit__free(solution);
        tacit__free(boxes);
        return tacit__nomem(err);
    }
    solution->boxes = boxes;
    solution->attribute_count = frame->attribute_count;
    solution->search.lower_bound = NAN;
    solution->levels = tacit__alloc_array(attributes, sizeof *solution->levels);
    boxes->box_of = tacit__alloc_array(count, sizeof *boxes->box_of);
    boxes->parts = tacit__alloc_array((size_t)parts, sizeof *boxes->parts);
    if (!solution->levels || !boxes->box_of || !boxes->parts) {
        tacit_solution_free(solution);
        return tacit__nomem(err);
    }
    memcpy(solution->levels, tacit_classes_levels(classes), attributes * sizeof *solution->levels);
    *out = solution;
    return TACIT_OK;
}

static int by_class(const void *a, const void *b)
{
    const tacit_part *x = a, *y = b;
    if (x->class_index != y->class_index)
        return x->class_index < y->class_index ? -1 : 1;
    return x->box < y->box ? -1 : x->box > y->box;
}

void tacit__cells_tidy_parts(tacit_boxes *boxes)
{
    int64_t kept = 0;
    if (boxes->part_count > 0)
        qsort(boxes->parts, (size_t)boxes->part_count, sizeof *boxes->parts, by_class);
    for (int64_t i = 0; i < boxes->part_count; i++) {
        tacit_part part = boxes->parts[i], *last = kept > 0 ? &boxes->parts[kept - 1] : NULL;
        if (part.box == boxes->box_of[part.class_index])
            continue;
        if (last && last->class_index == part.class_index && last->box == part.box)
            last->people += part.people;
        else
            boxes->parts[kept++] = part;
    }
    boxes->part_count = kept;
}
