/*
 * plan.h - from suppressed cells to boxes.
 */
#ifndef TACIT_RECORDS_ARGUS_PLAN_H
#define TACIT_RECORDS_ARGUS_PLAN_H

#include "records/apply/box_list.h"
#include "records/argus/argus.h"

/* What a class is released as with some attributes suppressed: the index of its
 * box in the list. */
tacit_status tacit__argus_box(uint32_t *box, tacit__box_list *list, const tacit__argus_view *view,
                              uint32_t class_index, uint64_t stars, tacit_error *err);

/* The solution of a plan, without the classes of its view. */
tacit_status tacit__argus_solution(tacit_solution **out, const tacit__argus_plan *plan,
                                   const tacit__argus_view *view, tacit_error *err);

#endif
