/*
 * cells_solution.c - the frame of a solution with boxes.
 */
#include "records/cells_solution.h"

#include <math.h>
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
