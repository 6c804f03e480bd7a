/*
 * apply.c - a solution on the rows it was made for: which rows are suppressed,
 * what each value is released as, and in which order rows leave.
 *
 * The writer gets one label a value, not one a row; so where attributes are on
 * one level each, apart from the bit and the place of each row, cost follows the
 * number of distinct values. Cell-level solutions are in boxes.c.
 */
#include <tacit/experimental/records.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "records/apply/apply.h"
#include "records/apply/boxes.h"
#include "records/apply/mark.h"
#include "records/apply/shuffle.h"

/* What a number of a level is released as. Ground values, and missing while it
 * stays missing, are left as they are. */
static tacit_strview label_of(const tacit_hierarchy *hierarchy, int level, uint32_t number)
{
    tacit_strview label = {0};
    if (level == 0 || number >= tacit_hierarchy_count(hierarchy, level))
        return label;
    label = tacit_hierarchy_label(hierarchy, level, number);
    if (!label.bytes)
        label.bytes = "";
    return label;
}

static tacit_status make_arrays(tacit_application *application, const tacit_frame *frame,
                                tacit_error *err)
{
    size_t attributes = (size_t)frame->attribute_count;
    application->labels = tacit__alloc_zeroed(attributes, sizeof *application->labels);
    application->codes = tacit__alloc_zeroed(attributes, sizeof *application->codes);
    application->label_counts = tacit__alloc_zeroed(attributes, sizeof *application->label_counts);
    application->owned = tacit__alloc_zeroed(attributes, sizeof *application->owned);
    if (!application->labels || !application->codes || !application->label_counts ||
        !application->owned)
        return tacit__nomem(err);
    application->attribute_count = frame->attribute_count;
    return TACIT_OK;
}

/* A label for each code of the table, missing last. */
static tacit_status make_labels(tacit_application *application, const tacit_solution *solution,
                                const tacit_frame *frame, tacit_error *err)
{
    for (int32_t a = 0; a < frame->attribute_count; a++) {
        int32_t column = frame->attributes[a].column;
        const tacit_hierarchy *hierarchy = frame->attributes[a].hierarchy;
        const uint32_t *map = tacit_hierarchy_map(hierarchy, solution->levels[a]);
        uint32_t codes = tacit_table_distinct(frame->table, column) + 1;
        tacit_strview *labels = tacit__alloc_array(codes, sizeof *labels);
        if (!labels)
            return tacit__nomem(err);
        for (uint32_t code = 0; code < codes; code++)
            labels[code] = label_of(hierarchy, solution->levels[a], map[code]);
        application->labels[a] = labels;
        application->label_counts[a] = codes;
        application->codes[a] = tacit_table_codes(frame->table, column);
    }
    return TACIT_OK;
}

static tacit_status mark_rows(tacit_application *application, const tacit_solution *solution,
                              const tacit_frame *frame, const tacit_run *run, tacit_error *err)
{
    int64_t rows = tacit_table_rows(frame->table);
    application->suppressed = tacit__alloc_zeroed(tacit__bitset_words(rows), sizeof(uint64_t));
    if (!application->suppressed)
        return tacit__nomem(err);
    tacit_status status =
        tacit__mark_suppressed(application->suppressed, solution, frame, run, err);
    application->suppressed_rows = tacit__bitset_count(application->suppressed, rows);
    return status;
}

static tacit_status apply_levels(tacit_application *application, const tacit_solution *solution,
                                 const tacit_frame *frame, const tacit_run *run, tacit_error *err)
{
    tacit_status status = make_labels(application, solution, frame, err);
    return status == TACIT_OK ? mark_rows(application, solution, frame, run, err) : status;
}

/* The rows that are kept, as they stand. */
static tacit_status list_kept(tacit_application *application, int64_t rows, tacit_error *err)
{
    application->order =
        tacit__alloc_array((size_t)application->row_count, sizeof *application->order);
    if (!application->order)
        return tacit__nomem(err);
    for (int64_t row = 0, at = 0; row < rows; row++)
        if (!tacit__bit_get(application->suppressed, row))
            application->order[at++] = (uint32_t)row;
    return TACIT_OK;
}

static tacit_status make_order(tacit_application *application, const tacit_frame *frame,
                               const tacit_apply_options *options, const tacit_run *run,
                               tacit_error *err)
{
    int64_t rows = tacit_table_rows(frame->table);
    bool drop = options->drop_suppressed && application->suppressed_rows > 0;
    application->row_count = drop ? rows - application->suppressed_rows : rows;
    if (!options->keep_order)
        return tacit__shuffle(&application->order, rows, drop ? application->suppressed : NULL,
                              application->row_count, run, err);
    return drop ? list_kept(application, rows, err) : TACIT_OK;
}

/* Rows that are where they are put. */
static tacit_status apply_placed(tacit_application *application, const tacit__placed *placed,
                                 const tacit_solution *solution, const tacit_frame *frame,
                                 const tacit_run *run, tacit_error *err)
{
    int64_t rows = tacit_table_rows(frame->table);
    tacit_status status =
        tacit__boxes_fill(application, placed->box_of_row, solution, frame, run, err);
    for (size_t i = 0; status == TACIT_OK && i < tacit__bitset_words(rows); i++)
        application->suppressed[i] |= placed->suppressed[i];
    if (status == TACIT_OK)
        application->suppressed_rows = tacit__bitset_count(application->suppressed, rows);
    return status;
}

tacit_status tacit__apply(tacit_application **out, const tacit__placed *placed,
                          const tacit_solution *solution, const tacit_frame *frame,
                          const tacit_apply_options *options, const tacit_run *run,
                          tacit_error *err)
{
    tacit_application *application = tacit__alloc_zeroed(1, sizeof *application);
    if (!application)
        return tacit__nomem(err);
    tacit_status status = make_arrays(application, frame, err);
    if (status == TACIT_OK && placed)
        status = apply_placed(application, placed, solution, frame, run, err);
    else if (status == TACIT_OK)
        status = solution->boxes ? tacit__boxes_apply(application, solution, frame, run, err)
                                 : apply_levels(application, solution, frame, run, err);
    if (status == TACIT_OK)
        status = make_order(application, frame, options, run, err);
    if (status == TACIT_OK)
        *out = application;
    else
        tacit_application_free(application);
    return status;
}

tacit_status tacit_solution_apply(tacit_application **out, const tacit_solution *solution,
                                  const tacit_frame *frame, const tacit_apply_options *options,
                                  const tacit_run *run, tacit_error *err)
{
    return tacit__apply(out, NULL, solution, frame, options, run, err);
}

void tacit_application_free(tacit_application *application)
{
    if (!application)
        return;
    for (int32_t a = 0; a < application->attribute_count; a++) {
        tacit__free(application->labels[a]);
        tacit__free(application->owned[a]);
    }
    tacit__free(application->labels);
    tacit__free(application->codes);
    tacit__free(application->label_counts);
    tacit__free(application->owned);
    tacit__free(application->suppressed);
    tacit__free(application->order);
    tacit__free(application);
}
