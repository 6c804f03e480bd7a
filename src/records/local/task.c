/*
 * task.c - what the method `local` is given, in the form that its parts
 * work on: classes on their lowest levels, tables from there to every level, what
 * each value costs, and the layouts that are made of them.
 *
 * Linear in the rows for counting, otherwise in classes and hierarchies.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "records/classes/classes.h"
#include "records/local/local.h"

enum { LISTED_CODES = 1 << 22 };

static void find_levels(tacit__local *local)
{
    for (int32_t a = 0; a < local->attributes; a++) {
        const tacit_attribute *about = &local->frame->attributes[a];
        int least = about->least_level;
        local->height[a] = tacit_hierarchy_height(about->hierarchy);
        local->floor[a] =
            local->options->most_general || least > local->height[a] ? local->height[a] : least;
        for (int level = local->floor[a]; level <= local->height[a]; level++) {
            uint32_t values = tacit__distinct_on(local->frame, a, level);
            local->values = values > local->values ? values : local->values;
        }
    }
}

/* By way of the ground values; those that the column does not have may stay 0. */
static void fill_up(uint32_t *up, const tacit__local *local, int32_t attribute, int level)
{
    const tacit_attribute *about = &local->frame->attributes[attribute];
    const uint32_t *low = tacit_hierarchy_map(about->hierarchy, local->floor[attribute]);
    const uint32_t *high = tacit_hierarchy_map(about->hierarchy, level);
    uint32_t codes = tacit_table_distinct(local->frame->table, about->column);
    if (tacit_table_has_missing(local->frame->table, about->column))
        codes++;
    for (uint32_t code = 0; code < codes; code++)
        up[low[code]] = high[code];
}

static tacit_status make_tables(tacit__local *local, tacit_error *err)
{
    size_t total = 0, at = 0;
    for (int32_t a = 0; a < local->attributes; a++)
        total += (size_t)(local->height[a] - local->floor[a] + 1) *
                 tacit__distinct_on(local->frame, a, local->floor[a]);
    size_t attributes = (size_t)local->attributes;
    local->up_memory = tacit__alloc_zeroed(total, sizeof *local->up_memory);
    local->up = tacit__alloc_zeroed(attributes, sizeof *local->up);
    local->level_cost = tacit__alloc_zeroed(attributes, sizeof *local->level_cost);
    if (!local->up_memory || !local->up || !local->level_cost)
        return tacit__nomem(err);
    for (int32_t a = 0; a < local->attributes; a++)
        for (int level = local->floor[a]; level <= local->height[a]; level++) {
            local->up[a][level] = local->up_memory + at;
            fill_up(local->up[a][level], local, a, level);
            at += tacit__distinct_on(local->frame, a, local->floor[a]);
        }
    return TACIT_OK;
}

static void average_costs(tacit__local *local)
{
    for (int32_t a = 0; a < local->attributes; a++) {
        uint32_t values = tacit__distinct_on(local->frame, a, local->floor[a]);
        const double *ground = local->costs.of[a][local->floor[a]];
        for (int level = local->floor[a]; level <= local->height[a]; level++) {
            double sum = 0;
            for (uint32_t v = 0; v < values; v++)
                sum += local->costs.of[a][level][local->up[a][level][v]] - ground[v];
            local->level_cost[a][level] = sum / values;
        }
    }
}

static tacit_status count(tacit__local *local, tacit_error *err)
{
    tacit_status status =
        tacit_classes_new(&local->classes, local->frame, local->floor, local->run, err);
    if (status != TACIT_OK)
        return status;
    local->rows = local->people = local->classes->groups.rows;
    if (local->frame->person < 0)
        return TACIT_OK;
    status = tacit__home_people(&local->homes, local->classes, local->frame, local->run, err);
    local->people = local->homes;
    return status;
}

/* Taking keys apart again and again costs more than memory does, if there is enough. */
static tacit_status list_codes(tacit__local *local, tacit_error *err)
{
    size_t classes = (size_t)local->classes->groups.count, attributes = (size_t)local->attributes;
    if (classes > LISTED_CODES / attributes)
        return TACIT_OK;
    uint32_t *codes = tacit__alloc_array(classes * attributes, sizeof *codes);
    if (!codes)
        return tacit__nomem(err);
    for (size_t c = 0; c < classes; c++)
        tacit__classes_codes(codes + c * attributes, local->classes, (int64_t)c);
    local->codes = codes;
    return TACIT_OK;
}

/* Two boxes that overlap may be the same to a recipient, and together show too
 * large a share of the register's people; and those whom no box holds are known to be
 * absent. Boxes that lie apart may overlap where only some attributes are looked at: then
 * one of them covers people whose share is with the other. */
static tacit_status check_presence(tacit__local *local, tacit_error *err)
{
    for (int32_t i = 0; i < local->frame->model_count; i++) {
        const tacit_model_bound *bound = &local->frame->models[i].bound;
        local->apart |= bound->kind == TACIT_MODEL_PRESENCE;
        local->covers |= bound->kind == TACIT_MODEL_PRESENCE && bound->second > 0;
    }
    if (local->covers && local->frame->set_count > 1)
        return tacit__error(err, TACIT_INVALID,
                            "local cannot keep the lower bound of presence for several "
                            "quasi-identifiers at once; use mingen");
    return TACIT_OK;
}

tacit_status tacit__local_init(tacit__local *local, const tacit_frame *frame,
                               const tacit_records_options *options, const tacit_run *run,
                               tacit_error *err)
{
    *local = (tacit__local){.frame = frame,
                            .options = options,
                            .run = run,
                            .attributes = frame->attribute_count,
                            .k = options->k,
                            .whole = frame->person >= 0 || frame->model_count > 0};
    find_levels(local);
    tacit_status status = check_presence(local, err);
    if (status == TACIT_OK)
        status = tacit__costs_init(&local->costs, frame, options->metric, run, err);
    if (status == TACIT_OK)
        status = make_tables(local, err);
    if (status == TACIT_OK) {
        average_costs(local);
        status = count(local, err);
    }
    if (status == TACIT_OK)
        status = list_codes(local, err);
    if (status == TACIT_OK && frame->model_count > 0)
        status = tacit__models_new(&local->models, frame, local->classes, run, err);
    if (status != TACIT_OK)
        tacit__local_clear(local);
    return status;
}

void tacit__local_clear(tacit__local *local)
{
    tacit__models_free(local->models);
    tacit_classes_free(local->classes);
    tacit__costs_clear(&local->costs);
    tacit__free(local->up_memory);
    tacit__free(local->up);
    tacit__free(local->level_cost);
    tacit__free(local->homes);
    tacit__free(local->codes);
    *local = (tacit__local){0};
}

double tacit__local_cost(const tacit__local *local, uint32_t class_index, const uint8_t *levels)
{
    double cost = 0;
    for (int32_t a = 0; a < local->attributes; a++)
        cost +=
            local->costs.of[a][levels[a]][tacit__local_number(local, class_index, a, levels[a])];
    return cost;
}

tacit_status tacit__layout_open(tacit__local_layout *layout, const uint8_t *levels,
                                int32_t attributes, tacit_error *err)
{
    size_t boxes = (size_t)layout->boxes, size = (size_t)attributes;
    if (!TACIT__RESERVE(layout->starts, layout->start_capacity, boxes + 2) ||
        !tacit__reserve((void **)&layout->levels, &layout->level_capacity, (boxes + 1) * size, 1))
        return tacit__nomem(err);
    memcpy(layout->levels + boxes * size, levels, size);
    layout->starts[boxes] = layout->starts[boxes + 1] = layout->share_count;
    layout->boxes++;
    return TACIT_OK;
}

tacit_status tacit__layout_add(tacit__local_layout *layout, tacit__share share, tacit_error *err)
{
    if (!TACIT__PUSH(layout->shares, layout->share_capacity, layout->share_count, share))
        return tacit__nomem(err);
    layout->starts[layout->boxes] = layout->share_count;
    return TACIT_OK;
}

tacit_status tacit__layout_append(tacit__local_layout *layout, const tacit__local_layout *other,
                                  int32_t attributes, tacit_error *err)
{
    size_t boxes = (size_t)layout->boxes, more = (size_t)other->boxes, size = (size_t)attributes;
    size_t shares = (size_t)layout->share_count, more_shares = (size_t)other->share_count;
    if (!TACIT__RESERVE(layout->starts, layout->start_capacity, boxes + more + 1) ||
        !tacit__reserve((void **)&layout->levels, &layout->level_capacity, (boxes + more) * size,
                        1) ||
        !TACIT__RESERVE(layout->shares, layout->share_capacity, shares + more_shares))
        return tacit__nomem(err);
    if (more == 0)
        return TACIT_OK;
    memcpy(layout->levels + boxes * size, other->levels, more * size);
    memcpy(layout->shares + shares, other->shares, more_shares * sizeof *layout->shares);
    for (size_t b = 0; b <= more; b++)
        layout->starts[boxes + b] = layout->share_count + other->starts[b];
    layout->boxes += other->boxes;
    layout->share_count += other->share_count;
    return TACIT_OK;
}

void tacit__layout_clear(tacit__local_layout *layout)
{
    tacit__free(layout->starts);
    tacit__free(layout->shares);
    tacit__free(layout->levels);
    *layout = (tacit__local_layout){0};
}

double tacit__layout_cost(const tacit__local_layout *layout, const tacit__local *local,
                          int64_t from, int64_t to)
{
    double sum = 0;
    for (int64_t b = from; b < to; b++) {
        uint64_t rows = 0;
        for (int64_t i = layout->starts[b]; i < layout->starts[b + 1]; i++)
            rows += tacit__share_rows(local, layout->shares[i]);
        sum +=
            (double)rows * tacit__local_cost(local, layout->shares[layout->starts[b]].class_index,
                                             layout->levels + b * local->attributes);
    }
    return sum;
}
