/*
 * methods.c - the table of methods, what every method checks before it starts, and what all of
 * them give back; and the method that changes nothing.
 *
 * That method leaves the quasi-identifier as it is, for data that techniques have protected
 * (techniques.h) or that need no protection: no value is generalized beyond the level that the
 * policy asks for, no row suppressed. Where a k is asked for and is not there, there is no
 * release. Costs one count of the classes.
 */
#include "records/methods/methods.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/apply/boxes.h"
#include "records/apply/cut.h"
#include "records/classes/classes.h"
#include "records/metrics/costs.h"

/* A level to start from must be one of the hierarchy's. */
static tacit_status check_levels(const tacit_frame *frame, tacit_error *err)
{
    for (int32_t a = 0; a < frame->attribute_count; a++) {
        const tacit_attribute *attribute = &frame->attributes[a];
        int height = tacit_hierarchy_height(attribute->hierarchy);
        if (attribute->least_level >= 0 && attribute->least_level <= height)
            continue;
        tacit__shown name = tacit__show(tacit_table_name(frame->table, attribute->column));
        return tacit__error(err, TACIT_INVALID, "%s has levels 0 to %d, and no level %d", name.text,
                            height, attribute->least_level);
    }
    return TACIT_OK;
}

tacit_status tacit__request_check(const tacit_frame *frame, const tacit_records_options *options,
                                  tacit_error *err)
{
    tacit_status status = tacit__frame_check(frame, err);
    if (status == TACIT_OK)
        status = check_levels(frame, err);
    if (status != TACIT_OK)
        return status;
    if (options->k < 1)
        return tacit__error(err, TACIT_INVALID, "k must be at least 1, not %lld",
                            (long long)options->k);
    if (frame->repeats && options->resist_minimality)
        return tacit__error(err, TACIT_INVALID,
                            "minimality: resist draws rows, and of classes that were counted "
                            "elsewhere there are none");
    int64_t people = tacit__people_of(frame);
    if (people < options->k)
        return tacit__error(err, TACIT_INFEASIBLE,
                            "the table holds %lld %s, fewer than k = %lld: no release of it can "
                            "keep k; lower k or add records",
                            (long long)people, tacit__unit_word(frame, people),
                            (long long)options->k);
    return TACIT_OK;
}

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

/* The data holder may still ask for less than there is: a level of a column, or the most general
 * release. */
static void choose_levels(int *levels, const tacit_frame *frame, bool most_general)
{
    for (int32_t i = 0; i < frame->attribute_count; i++)
        levels[i] = most_general ? tacit_hierarchy_height(frame->attributes[i].hierarchy)
                                 : frame->attributes[i].least_level;
}

static tacit_status none_solve(tacit_solution **out, const tacit_frame *frame,
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
        status = tacit__levels_solution_new(out, frame, classes, err);
    if (status == TACIT_OK)
        (*out)->classes = classes;
    else
        tacit_classes_free(classes);
    return status;
}

const tacit_method tacit__method_none = {
    .name = "none",
    .summary =
        "generalize nothing: what techniques have made of the quasi-identifier is released, if it "
        "keeps k, where one is given",
    .solve = none_solve,
    .features = TACIT_METHOD_COUNTS,
};

/* A method is a file that defines tacit__method_NAME, and its name here. */
#define FOR_EACH_METHOD(X) \
    X(mingen) X(local) X(optimal) X(datafly) X(argus) X(ksimilar) X(ambiguate) X(none)

#define DECLARE_METHOD(name)    extern const tacit_method tacit__method_##name;
#define ADDRESS_OF_METHOD(name) &tacit__method_##name,

FOR_EACH_METHOD(DECLARE_METHOD)

static const tacit_method *const METHODS[] = {FOR_EACH_METHOD(ADDRESS_OF_METHOD) NULL};

const tacit_method *const *tacit_methods(void)
{
    return METHODS;
}

const tacit_method *tacit_method_find(const char *name)
{
    for (const tacit_method *const *each = METHODS; *each; each++)
        if (strcmp((*each)->name, name) == 0)
            return *each;
    return NULL;
}

void tacit_boxes_free(tacit_boxes *boxes)
{
    if (!boxes)
        return;
    tacit__free(boxes->levels);
    tacit__free(boxes->numbers);
    tacit__free(boxes->box_of);
    tacit__free(boxes->parts);
    tacit__free(boxes->people);
    tacit__free(boxes);
}

void tacit_solution_free(tacit_solution *solution)
{
    if (!solution)
        return;
    tacit__free(solution->levels);
    tacit_classes_free(solution->classes);
    tacit__free(solution->suppressed);
    tacit_boxes_free(solution->boxes);
    tacit__free(solution->steps);
    tacit__free(solution->search.minimal);
    tacit__free(solution->search.minimal_costs);
    tacit__free(solution);
}
