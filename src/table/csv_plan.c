/*
 * csv_plan.c - how each row of a release is put together.
 *
 * Labels are quoted once; codes with the same label share one piece, because
 * thousands of codes have a handful of labels and those stay in the cache.
 * Neighbouring columns that stay as they are become one segment, one copy.
 * Costs the number of codes, and a pass over the rows where records are made.
 */
#include "table/csv_plan.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "table/csv_row.h"

enum { PACK_ROWS = 1 << 14 };
enum { LONGEST_REWRITE = 2 * TACIT_MAX_REWRITE + 2 }; /* every byte a quote */

static bool make_piece(tacit__piece *made, tacit__plan *plan, tacit_strview label, char delimiter)
{
    size_t size = 2 * label.len + 2 + TACIT__SMALL;
    char *text = tacit__arena_alloc(&plan->arena, size);
    if (!text)
        return false;
    memset(text, 0, size);
    *made = (tacit__piece){text, tacit__csv_quote(label, delimiter, text), label};
    return true;
}

static bool any_label(const tacit_csv_column *column)
{
    for (uint32_t i = 0; column->relabelled && i < column->label_count; i++)
        if (column->labels[i].bytes)
            return true;
    return false;
}

/* The label's number among the pieces; TACIT__NONE when memory runs out. */
static uint32_t number_label(tacit__plan *plan, tacit__table_labels *labels, tacit_strview label,
                             char delimiter, tacit__map *map)
{
    uint64_t hash = tacit__mix((uint64_t)(uintptr_t)label.bytes + label.len);
    size_t probe = 0;
    for (uint32_t i; (i = tacit__map_next(map, hash, &probe)) != TACIT__NONE;)
        if (labels->pieces[i].source.bytes == label.bytes &&
            labels->pieces[i].source.len == label.len)
            return i;
    if (!TACIT__RESERVE_ONE(labels->pieces, labels->capacity, labels->count))
        return TACIT__NONE;
    tacit__piece *piece = &labels->pieces[labels->count];
    *piece = (tacit__piece){.source = label};
    if ((label.bytes && !make_piece(piece, plan, label, delimiter)) || !tacit__map_add(map, hash))
        return TACIT__NONE;
    return labels->count++;
}

static bool number_labels(tacit__plan *plan, tacit__table_labels *labels,
                          const tacit_csv_column *column, char delimiter)
{
    tacit__map map = {0};
    labels->number = tacit__alloc_array(column->label_count, sizeof *labels->number);
    bool enough = labels->number;
    for (uint32_t i = 0; enough && i < column->label_count; i++) {
        labels->number[i] = number_label(plan, labels, column->labels[i], delimiter, &map);
        enough = labels->number[i] != TACIT__NONE;
    }
    tacit__map_clear(&map);
    return enough;
}

static size_t longest_made(const tacit__plan *plan, const tacit_csv_column *column,
                           const tacit__table_labels *labels)
{
    size_t longest = column->blanked ? plan->blank.len : 0;
    if (column->rewrite && longest < LONGEST_REWRITE)
        longest = LONGEST_REWRITE;
    for (uint32_t i = 0; i < labels->count; i++)
        if (labels->pieces[i].len > longest)
            longest = labels->pieces[i].len;
    return longest;
}

static tacit__segment_kind kind_of(const tacit_csv_column *column,
                                   const tacit__table_labels *labels, bool suppressed)
{
    if (suppressed && column->blanked)
        return TACIT__SEGMENT_BLANK;
    if (column->rewrite)
        return TACIT__SEGMENT_REWRITE;
    return labels->pieces ? TACIT__SEGMENT_LABEL : TACIT__SEGMENT_RAW;
}

static bool cut_segments(tacit__segments *segments, const tacit__plan *plan,
                         const tacit_csv_layout *layout, bool suppressed)
{
    segments->list = tacit__alloc_zeroed((size_t)layout->column_count, sizeof *segments->list);
    for (int32_t i = 0; segments->list && i < layout->column_count; i++) {
        const tacit_csv_column *column = &layout->columns[i];
        tacit__segment_kind kind = kind_of(column, &plan->labels[i], suppressed);
        tacit__segment *before = segments->count ? &segments->list[segments->count - 1] : NULL;
        if (kind == TACIT__SEGMENT_RAW && before && before->kind == TACIT__SEGMENT_RAW &&
            before->last + 1 == column->source)
            before->last++;
        else
            segments->list[segments->count++] = (tacit__segment){.kind = kind,
                                                                 .first = column->source,
                                                                 .last = column->source,
                                                                 .column = column,
                                                                 .labels = &plan->labels[i]};
    }
    return segments->list != NULL;
}

static void find_needed(tacit__segments *segments, const tacit_table *table)
{
    const tacit__segment *last = &segments->list[segments->count - 1];
    bool tail = last->kind == TACIT__SEGMENT_RAW && last->last == table->column_count - 1;
    segments->needed = table->column_count;
    if (!tail || table->quoted)
        return;
    segments->needed = last->first;
    for (int32_t i = 0; i + 1 < segments->count; i++)
        if (segments->list[i].last >= segments->needed)
            segments->needed = segments->list[i].last + 1;
}

static bool plan_columns(tacit__plan *plan, const tacit_csv_layout *layout,
                         const tacit_table *table)
{
    const char delimiter = table->delimiter;
    plan->labels = tacit__alloc_zeroed((size_t)layout->column_count, sizeof *plan->labels);
    if (!plan->labels || !make_piece(&plan->blank, plan, layout->suppressed_label, delimiter))
        return false;
    plan->label_count = layout->column_count;
    for (int32_t i = 0; i < layout->column_count; i++) {
        const tacit_csv_column *column = &layout->columns[i];
        if (any_label(column) && !number_labels(plan, &plan->labels[i], column, delimiter))
            return false;
        plan->made_bytes += longest_made(plan, column, &plan->labels[i]);
    }
    if (!cut_segments(&plan->kept, plan, layout, false) ||
        !cut_segments(&plan->suppressed, plan, layout, true))
        return false;
    find_needed(&plan->kept, table);
    find_needed(&plan->suppressed, table);
    return true;
}

static int bits_for(uint64_t values)
{
    int bits = 0;
    while (bits < 63 && (UINT64_C(1) << bits) < values)
        bits++;
    return bits;
}

/* Gives each column's labels their bits of a record; false where 64 bits cannot
 * hold them and a row's start. */
static bool assign_bits(tacit__plan *plan, size_t file_len)
{
    int used = 0;
    for (int32_t i = 0; i < plan->label_count; i++) {
        tacit__table_labels *labels = &plan->labels[i];
        int bits = bits_for(labels->count);
        labels->shift = used;
        labels->mask = (UINT64_C(1) << bits) - 1;
        used += bits;
        if (used + bits_for((uint64_t)file_len + 1) > 64)
            return false;
    }
    plan->label_bits = used;
    return true;
}

typedef struct packer {
    tacit__plan *plan;
    const tacit_table *table;
    const tacit_csv_layout *layout;
} packer;

static tacit_status pack_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker;
    (void)err;
    const packer *p = context;
    uint64_t *records = p->plan->records;
    int64_t rows = p->table->rows, from = task * PACK_ROWS;
    int64_t to = from + PACK_ROWS < rows ? from + PACK_ROWS : rows;
    for (int64_t row = from; row < to; row++)
        records[row] = (uint64_t)tacit__row_start(p->table, row) << p->plan->label_bits;
    for (int32_t i = 0; i < p->plan->label_count; i++) {
        const tacit__table_labels *labels = &p->plan->labels[i];
        tacit_codes_view codes = p->layout->columns[i].codes;
        for (int64_t row = from; labels->pieces && row < to; row++)
            records[row] |= (uint64_t)labels->number[tacit_codes_at(codes, row)] << labels->shift;
    }
    return TACIT_OK;
}

static tacit_status pack(tacit__plan *plan, const tacit_table *table,
                         const tacit_csv_layout *layout, const tacit_run *run, tacit_error *err)
{
    if (!layout->order || !assign_bits(plan, table->len))
        return TACIT_OK;
    plan->records = tacit__alloc_array((size_t)table->rows + 1, sizeof *plan->records);
    if (!plan->records)
        return tacit__nomem(err);
    plan->records[table->rows] = (uint64_t)table->len << plan->label_bits;
    packer p = {plan, table, layout};
    return tacit__parallel(run, NULL, (table->rows + PACK_ROWS - 1) / PACK_ROWS, pack_task, &p,
                           err);
}

tacit_status tacit__plan_init(tacit__plan *plan, const tacit_table *table,
                              const tacit_csv_layout *layout, const tacit_run *run,
                              tacit_error *err)
{
    *plan = (tacit__plan){0};
    if (!plan_columns(plan, layout, table))
        return tacit__nomem(err);
    return pack(plan, table, layout, run, err);
}

void tacit__plan_clear(tacit__plan *plan)
{
    for (int32_t i = 0; i < plan->label_count; i++) {
        tacit__free(plan->labels[i].pieces);
        tacit__free(plan->labels[i].number);
    }
    tacit__free(plan->labels);
    tacit__free(plan->kept.list);
    tacit__free(plan->suppressed.list);
    tacit__free(plan->records);
    tacit__arena_clear(&plan->arena);
    *plan = (tacit__plan){0};
}
