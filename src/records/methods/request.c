/*
 * request.c - what every method checks before it starts.
 */
#include "records/methods/request.h"

#include "base/error.h"
#include "records/classes/classes.h"

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
    int64_t people = tacit__people_of(frame);
    if (people < options->k)
        return tacit__error(err, TACIT_INFEASIBLE,
                            "the table holds %lld %s, fewer than k = %lld: no release of it can "
                            "keep k; lower k or add records",
                            (long long)people, people == 1 ? "person" : "people",
                            (long long)options->k);
    return TACIT_OK;
}
