/*
 * part.c - some rows of the data, each from where it starts, given to a method.
 *
 * The method sees a table as any other: its values are labels of several levels, and its
 * hierarchies (hierarchy/mixed.h) take them further up. What it decides is, for a row, a level of
 * each of them; released is the higher of that and the level the row started from.
 *
 * Memory: the codes of the rows and, for each attribute, those of the labels.
 */
#include "records/previous/part.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/vector.h"
#include "hierarchy/mixed.h"
#include "records/metrics/cells.h"
#include "table/table_part.h"

typedef struct part {
    const tacit__origin *origin;
    const uint32_t *rows;
    int64_t count;
    tacit_table *table;
    tacit_hierarchy *hierarchies[TACIT_MAX_ATTRIBUTES];
    tacit_attribute attributes[TACIT_MAX_ATTRIBUTES];
} part;

static void part_clear(part *p)
{
    for (int32_t a = 0; a < p->origin->frame->attribute_count; a++)
        tacit_hierarchy_free(p->hierarchies[a]);
    tacit_table_free(p->table);
}

/* The labels of an attribute that rows start from, in the order they are met. */
typedef struct labels {
    const tacit_hierarchy *base;
    uint32_t *met; /* a value of each level each: its code; TACIT__NONE */
    size_t offsets[TACIT_MAX_LEVELS];
    tacit__mixed_value *values;
    size_t room;
    uint32_t count;
    uint32_t *codes; /* a row of the part each */
} labels;

static void labels_clear(labels *l)
{
    tacit__free(l->met);
    tacit__free(l->values);
    tacit__free(l->codes);
}

static bool labels_init(labels *l, const tacit_hierarchy *base, int64_t rows)
{
    size_t all = 0;
    *l = (labels){.base = base};
    for (int level = 0; level <= tacit_hierarchy_height(base); level++) {
        l->offsets[level] = all;
        all += tacit_hierarchy_count(base, level);
    }
    l->met = tacit__alloc_array(all, sizeof *l->met);
    l->codes = tacit__alloc_array((size_t)rows, sizeof *l->codes);
    if (!l->met || !l->codes)
        return false;
    memset(l->met, 0xff, all * sizeof *l->met);
    return true;
}

/* The code of a label; *code is UINT32_MAX where the value is missing and stays so. */
static bool label_code(uint32_t *code, labels *l, int level, uint32_t ground)
{
    uint32_t number = tacit_hierarchy_map(l->base, level)[ground];
    *code = UINT32_MAX;
    if (number >= tacit_hierarchy_count(l->base, level))
        return true;
    uint32_t *met = &l->met[l->offsets[level] + number];
    if (*met == UINT32_MAX) {
        if (!TACIT__RESERVE_ONE(l->values, l->room, l->count))
            return false;
        l->values[l->count] = (tacit__mixed_value){level, number};
        *met = l->count++;
    }
    *code = *met;
    return true;
}

static bool label_rows(labels *l, const part *p, int32_t attribute)
{
    const tacit_frame *frame = p->origin->frame;
    tacit_codes_view codes = tacit_table_codes(frame->table, frame->attributes[attribute].column);
    for (int64_t i = 0; i < p->count; i++) {
        int64_t row = p->rows[i];
        int level = p->origin->starts[row * frame->attribute_count + attribute];
        if (!label_code(&l->codes[i], l, level, tacit_codes_at(codes, row)))
            return false;
    }
    for (int64_t i = 0; i < p->count; i++)
        if (l->codes[i] == UINT32_MAX)
            l->codes[i] = l->count;
    return true;
}

/* Puts an attribute's labels into the part's table and binds them. */
static tacit_status take_labels(part *p, labels *l, int32_t attribute, tacit_error *err)
{
    const tacit_attribute *from = &p->origin->frame->attributes[attribute];
    tacit_strview *texts = tacit__alloc_array(l->count, sizeof *texts);
    if (!texts)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < l->count; i++)
        texts[i] = tacit_hierarchy_label(l->base, l->values[i].level, l->values[i].number);
    tacit__table_recode(p->table, from->column, l->codes, texts, l->count);
    l->codes = NULL; /* the table's now */
    p->attributes[attribute] = *from;
    tacit_status status = tacit__hierarchy_mixed(&p->hierarchies[attribute], l->base, l->values,
                                                 p->table, from->column, err);
    p->attributes[attribute].hierarchy = p->hierarchies[attribute];
    return status;
}

static tacit_status part_init(part *p, tacit_error *err)
{
    const tacit_frame *frame = p->origin->frame;
    tacit_status status = tacit__table_part(&p->table, frame->table, p->rows, p->count, err);
    for (int32_t a = 0; status == TACIT_OK && a < frame->attribute_count; a++) {
        labels l;
        bool whole =
            labels_init(&l, frame->attributes[a].hierarchy, p->count) && label_rows(&l, p, a);
        status = whole ? take_labels(p, &l, a, err) : tacit__nomem(err);
        labels_clear(&l);
    }
    return status;
}

static bool is_starred(const uint8_t *levels, const tacit_frame *frame)
{
    for (int32_t a = 0; a < frame->attribute_count; a++) {
        const tacit_hierarchy *hierarchy = frame->attributes[a].hierarchy;
        if (levels[a] < tacit_hierarchy_height(hierarchy) ||
            !tacit__is_star(hierarchy, levels[a], 0))
            return false;
    }
    return true;
}

/* The level of each cell, no lower than where it started. */
static void write_back(tacit_rowwise *out, const part *p, const tacit_rowwise *solved)
{
    const tacit_frame *frame = p->origin->frame;
    out->stopped |= solved->stopped;
    for (int64_t i = 0; i < p->count; i++) {
        int64_t row = p->rows[i];
        const uint8_t *starts = p->origin->starts + row * frame->attribute_count;
        const uint8_t *decided = tacit__rowwise_at(solved, i);
        uint8_t *levels = tacit__rowwise_at(out, row);
        for (int32_t a = 0; a < frame->attribute_count; a++)
            levels[a] = decided[a] > starts[a] ? decided[a] : starts[a];
        if (tacit__bit_get(solved->suppressed, i) || is_starred(levels, frame))
            tacit__rowwise_suppress(out, row, frame);
    }
}

tacit_status tacit__part_solve(tacit_rowwise *out, const tacit__origin *origin,
                               const uint32_t *rows, int64_t count, int64_t most_suppressed,
                               tacit_error *err)
{
    part p = {.origin = origin, .rows = rows, .count = count};
    tacit_solution *solution = NULL;
    tacit_rowwise *solved = NULL;
    tacit_records_options options = *origin->options;
    options.most_suppressed = most_suppressed;
    tacit_status status = part_init(&p, err);
    tacit_frame frame = *origin->frame;
    frame.table = p.table;
    frame.attributes = p.attributes;
    frame.counted = NULL;
    if (status == TACIT_OK)
        status = origin->method->solve(&solution, &frame, &options, origin->run, err);
    if (status == TACIT_OK)
        status = tacit_rowwise_of(&solved, solution, &frame, origin->run, err);
    if (status == TACIT_OK)
        write_back(out, &p, solved);
    tacit_rowwise_free(solved);
    tacit_solution_free(solution);
    part_clear(&p);
    return status;
}
