/*
 * boxes.c - an index over the classes of a register that finds those
 * under a box.
 *
 * The values of an attribute are ranked in the order of its hierarchy's leaves,
 * so that those under any value of any level are a range of ranks. For each
 * attribute the classes are listed by rank. A box is then looked for in the
 * range that holds the fewest classes, each checked against the other ranges: a
 * narrow box costs next to nothing, whatever levels it mixes, and for wide ones
 * the register is better counted on their levels (population.c).
 *
 * Eight bytes a class and attribute, and twelve a value of the hierarchies.
 */
#include "records/population/boxes.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* Ranks under a value. */
typedef struct range {
    uint32_t first;
    uint32_t count;
} range;

/* One attribute. */
typedef struct axis {
    int height;
    uint32_t codes; /* of the column, missing the last if there is any */
    range *ranges[TACIT_MAX_LEVELS];
    range *memory;        /* that these lie in */
    tacit__lists classes; /* of each rank */
} axis;

struct tacit__box_index {
    const tacit_classes *ground;
    int32_t attributes;
    axis *axes;
    uint32_t *ranks; /* class by class, an attribute each */
};

/* Sorts the order so far by the values' numbers on a level, keeping it among equals. */
static tacit_status sort_by_level(uint32_t *order, uint32_t *keys, const axis *x,
                                  const uint32_t *map, uint32_t numbers, tacit_error *err)
{
    tacit__lists lists = {0};
    for (uint32_t i = 0; i < x->codes; i++)
        keys[i] = map[order[i]];
    tacit_status status = tacit__lists_init(&lists, keys, x->codes, numbers, err);
    if (status != TACIT_OK)
        return status;
    for (uint32_t i = 0; i < x->codes; i++)
        keys[i] = order[lists.list[i]];
    memcpy(order, keys, x->codes * sizeof *order);
    tacit__lists_clear(&lists);
    return TACIT_OK;
}

/* The codes in the order of the leaves: sorted level by level from below, since
 * each sorting keeps the order of those before it. */
static tacit_status order_leaves(uint32_t *order, const axis *x, const tacit_hierarchy *hierarchy,
                                 tacit_error *err)
{
    tacit_status status = TACIT_OK;
    uint32_t *keys = tacit__alloc_array(x->codes, sizeof *keys);
    if (!keys)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < x->codes; i++)
        order[i] = i;
    for (int level = 1; status == TACIT_OK && level < x->height; level++)
        status = sort_by_level(order, keys, x, tacit_hierarchy_map(hierarchy, level),
                               tacit_hierarchy_count(hierarchy, level) + 1, err);
    tacit__free(keys);
    return status;
}

static tacit_status make_ranges(axis *x, const tacit_hierarchy *hierarchy, const uint32_t *order,
                                tacit_error *err)
{
    size_t total = 0, at = 0;
    for (int level = 0; level <= x->height; level++)
        total += (size_t)tacit_hierarchy_count(hierarchy, level) + 1;
    x->memory = tacit__alloc_zeroed(total, sizeof *x->memory);
    if (!x->memory)
        return tacit__nomem(err);
    for (int level = 0; level <= x->height; level++) {
        const uint32_t *map = tacit_hierarchy_map(hierarchy, level);
        x->ranges[level] = x->memory + at;
        at += (size_t)tacit_hierarchy_count(hierarchy, level) + 1;
        for (uint32_t rank = 0; rank < x->codes; rank++) {
            range *of = &x->ranges[level][map[order[rank]]];
            if (!of->count++)
                of->first = rank;
        }
    }
    return TACIT_OK;
}

/* Fills in an attribute's ranks of all classes, and lists them. */
static tacit_status list_classes(tacit__box_index *index, int32_t attribute, uint32_t *rank_of,
                                 tacit_error *err)
{
    axis *x = &index->axes[attribute];
    int64_t classes = index->ground->groups.count;
    for (int64_t c = 0; c < classes; c++) {
        uint32_t code = tacit_classes_code(index->ground, c, attribute);
        rank_of[c] = x->ranges[0][code].first;
        index->ranks[c * index->attributes + attribute] = rank_of[c];
    }
    return tacit__lists_init(&x->classes, rank_of, classes, x->codes, err);
}

static tacit_status make_axis(tacit__box_index *index, const tacit_frame *frame, int32_t attribute,
                              uint32_t *rank_of, tacit_error *err)
{
    axis *x = &index->axes[attribute];
    const tacit_attribute *a = &frame->attributes[attribute];
    x->height = tacit_hierarchy_height(a->hierarchy);
    x->codes = tacit_table_distinct(frame->table, a->column) +
               tacit_table_has_missing(frame->table, a->column);
    uint32_t *order = tacit__alloc_array(x->codes, sizeof *order);
    if (!order)
        return tacit__nomem(err);
    tacit_status status = order_leaves(order, x, a->hierarchy, err);
    if (status == TACIT_OK)
        status = make_ranges(x, a->hierarchy, order, err);
    if (status == TACIT_OK)
        status = list_classes(index, attribute, rank_of, err);
    tacit__free(order);
    return status;
}

tacit_status tacit__box_index_new(tacit__box_index **out, const tacit_frame *frame,
                                  const tacit_classes *ground, tacit_error *err)
{
    size_t attributes = (size_t)frame->attribute_count, classes = (size_t)ground->groups.count;
    tacit_status status = TACIT_OK;
    tacit__box_index *index = tacit__alloc_zeroed(1, sizeof *index);
    uint32_t *rank_of = tacit__alloc_array(classes, sizeof *rank_of);
    if (index) {
        index->ground = ground;
        index->attributes = frame->attribute_count;
        index->axes = tacit__alloc_zeroed(attributes, sizeof *index->axes);
        index->ranks = tacit__alloc_array(classes, attributes * sizeof *index->ranks);
    }
    if (!index || !rank_of || !index->axes || !index->ranks)
        status = tacit__nomem(err);
    for (int32_t a = 0; status == TACIT_OK && a < frame->attribute_count; a++)
        status = make_axis(index, frame, a, rank_of, err);
    tacit__free(rank_of);
    if (status == TACIT_OK)
        *out = index;
    else
        tacit__box_index_free(index);
    return status;
}

void tacit__box_index_free(tacit__box_index *index)
{
    if (!index)
        return;
    for (int32_t a = 0; index->axes && a < index->attributes; a++) {
        tacit__free(index->axes[a].memory);
        tacit__lists_clear(&index->axes[a].classes);
    }
    tacit__free(index->axes);
    tacit__free(index->ranks);
    tacit__free(index);
}

void tacit__box_query_init(tacit__box_query *query, const tacit__box_index *index,
                           const uint8_t *levels, const uint32_t *numbers)
{
    query->range_count = 0;
    for (int32_t a = 0; a < index->attributes; a++) {
        const axis *x = &index->axes[a];
        if (levels[a] == x->height)
            continue;
        range in = x->ranges[levels[a]][numbers[a]];
        int64_t from = x->classes.starts[in.first];
        int64_t count = x->classes.starts[in.first + in.count] - from;
        int32_t at = query->range_count++;
        for (; at > 0 && query->ranges[at - 1].class_count > count; at--)
            query->ranges[at] = query->ranges[at - 1];
        query->ranges[at].attribute = a;
        query->ranges[at].first = in.first;
        query->ranges[at].count = in.count;
        query->ranges[at].classes = x->classes.list + from;
        query->ranges[at].class_count = count;
    }
}

int64_t tacit__box_query_cost(const tacit__box_query *query, const tacit__box_index *index)
{
    return query->range_count ? query->ranges[0].class_count : index->ground->rows > 0;
}

/* Whether a class of the first range lies in the others. */
static bool lies_in(const tacit__box_query *query, const uint32_t *ranks)
{
    for (int32_t i = 1; i < query->range_count; i++)
        if (ranks[query->ranges[i].attribute] - query->ranges[i].first >= query->ranges[i].count)
            return false;
    return true;
}

int64_t tacit__box_query_rows(const tacit__box_query *query, const tacit__box_index *index)
{
    int64_t rows = 0;
    if (!query->range_count)
        return index->ground->rows;
    for (int64_t i = 0; i < query->ranges[0].class_count; i++) {
        uint32_t c = query->ranges[0].classes[i];
        if (lies_in(query, index->ranks + (size_t)c * (size_t)index->attributes))
            rows += index->ground->groups.rows[c];
    }
    return rows;
}
