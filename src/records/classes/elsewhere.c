/*
 * elsewhere.c - what is suppressed at a node whose classes are counted elsewhere: those below k,
 * and, while they hold fewer than k rows, some of the smallest (or largest) class that is left, or
 * all of it where less than k rows of it would stay. The rule is that of apply/cut.c.
 */
#include "records/classes/elsewhere.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/apply/cut.h"
#include "records/classes/classes.h"

tacit_status tacit__elsewhere_check(const tacit_frame *frame, tacit_error *err)
{
    if (!frame->elsewhere ||
        (frame->person < 0 && frame->model_count == 0 && tacit__frame_is_single(frame) &&
         !tacit_risk_bounds_any(&frame->risks)))
        return TACIT_OK;
    return tacit__error(
        err, TACIT_INVALID,
        "classes are counted elsewhere only for one quasi-identifier, of which every "
        "row is a person, and for k alone");
}

tacit_status tacit__elsewhere_complement(tacit__complement *out, const tacit_frame *frame,
                                         const tacit_records_options *options, const int *levels,
                                         int64_t below, tacit_error *err)
{
    const tacit_elsewhere *there = frame->elsewhere;
    *out = (tacit__complement){0};
    if (below == 0 || below >= options->k)
        return TACIT_OK;
    out->numbers = tacit__alloc_zeroed((size_t)frame->attribute_count, sizeof *out->numbers);
    if (!out->numbers)
        return tacit__nomem(err);
    tacit_status status = there->next(there->context, &out->of, out->numbers, levels, options->k,
                                      options->complement_largest, err);
    int64_t wanted = options->k - below;
    out->rows = out->of - wanted >= options->k ? wanted : out->of;
    return status;
}

tacit_status tacit__elsewhere_solution(tacit_solution **out, const tacit_frame *frame,
                                       const int *levels, int64_t below, int64_t complementary,
                                       tacit_error *err)
{
    size_t attributes = (size_t)frame->attribute_count;
    tacit_solution *solution = tacit__alloc_zeroed(1, sizeof *solution);
    int *copy = tacit__alloc_array(attributes, sizeof *copy);
    if (!solution || !copy) {
        tacit__free(solution);
        tacit__free(copy);
        return tacit__nomem(err);
    }
    memcpy(copy, levels, attributes * sizeof *copy);
    solution->levels = copy;
    solution->attribute_count = frame->attribute_count;
    solution->suppressed_rows = below + complementary;
    solution->complementary = complementary;
    *out = solution;
    return TACIT_OK;
}
