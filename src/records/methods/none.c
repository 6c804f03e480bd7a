/*
 * none.c - the quasi-identifier as it is, for data that techniques have protected (techniques.h) or
 * that need no protection: no value is generalized beyond the level that the policy asks for, no
 * row suppressed. Where a k is asked for and is not there, there is no release.
 *
 * Costs one count of the classes.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "records/apply/cut.h"
#include "records/methods/methods.h"
#include "records/methods/request.h"

static tacit_status check_k(const tacit_frame *frame, const tacit_classes *classes, int64_t k,
                            const tacit_run *run, tacit_error *err)
{
    int64_t rows = 0;
    tacit_status status = tacit__cut_rows(&rows, frame, classes, k, run, err);
    if (status == TACIT_OK && rows > 0)
        status = tacit__error(err, TACIT_INFEASIBLE,
                              "%lld rows share their combination with fewer than k = %lld people, "
                              "and the method none generalizes nothing; take another method, or "
                              "techniques that give such k",
                              (long long)rows, (long long)k);
    return status;
}

static tacit_status make_solution(tacit_solution **out, const tacit_frame *frame, const int *levels,
                                  tacit_classes *classes, tacit_error *err)
{
    tacit_solution *solution = tacit__alloc_zeroed(1, sizeof *solution);
    if (!solution)
        return tacit__nomem(err);
    solution->attribute_count = frame->attribute_count;
    solution->levels = tacit__alloc_array((size_t)frame->attribute_count, sizeof *solution->levels);
    solution->suppressed =
        tacit__alloc_zeroed((size_t)classes->groups.count, sizeof *solution->suppressed);
    if (!solution->levels || !solution->suppressed) {
        tacit_solution_free(solution);
        return tacit__nomem(err);
    }
    for (int32_t i = 0; i < frame->attribute_count; i++)
        solution->levels[i] = levels[i];
    solution->classes = classes;
    *out = solution;
    return TACIT_OK;
}

/* The data holder may still ask for less than there is: a level of a column, or the most general
 * release. */
static void choose_levels(int *levels, const tacit_frame *frame, bool most_general)
{
    for (int32_t i = 0; i < frame->attribute_count; i++)
        levels[i] = most_general ? tacit_hierarchy_height(frame->attributes[i].hierarchy)
                                 : frame->attributes[i].least_level;
}

tacit_status tacit__none_solve(tacit_solution **out, const tacit_frame *frame,
                               const tacit_records_options *options, const tacit_run *run,
                               tacit_error *err)
{
    int levels[TACIT_MAX_ATTRIBUTES];
    tacit_classes *classes = NULL;
    tacit_status status = tacit__request_check(frame, options, err);
    if (status != TACIT_OK)
        return status;
    choose_levels(levels, frame, options->most_general);
    status = tacit_classes_new(&classes, frame, levels, run, err);
    if (status == TACIT_OK)
        status = check_k(frame, classes, options->k, run, err);
    if (status == TACIT_OK)
        status = make_solution(out, frame, levels, classes, err);
    if (status != TACIT_OK)
        tacit_classes_free(classes);
    return status;
}
