/*
 * mapping.c - --mapping: what values were released as, kept for the data holder. A row for each
 * value of each quasi-identifying column; and, where classes were released otherwise, one for each
 * column of such a class with the number of its rows.
 *
 * The file undoes what it can of the release: only its owner may read it, and its header says so.
 * It appears once the release has. Where combinations stay in the engine, classes are not listed.
 */
#include "engine/inplace/inplace.h"
#include "engine/job/csv.h"

static void put_view(engine_csv *csv, tacit_strview text)
{
    engine_csv_text(csv, text.bytes ? text : (tacit_strview){"", 0});
}

/* The label of a number; of one that is missing, and stays so, nothing. */
static tacit_strview label_of(const engine_inplace *in, int32_t i, int level, uint32_t number)
{
    const tacit_hierarchy *hierarchy = in->release.attributes[i].hierarchy;
    const tacit_strview none = {"", 0};
    return number < tacit_hierarchy_count(hierarchy, level)
               ? tacit_hierarchy_label(hierarchy, level, number)
               : none;
}

static void put_values(engine_csv *csv, const engine_inplace *in, int32_t i)
{
    const engine_release *release = &in->release;
    const tacit_attribute *about = &release->attributes[i];
    uint32_t count = tacit_table_distinct(release->table, about->column);
    for (uint32_t code = 0; code < count; code++) {
        uint32_t number = tacit_hierarchy_map(about->hierarchy, engine_quasi_level(in, i))[code];
        put_view(csv, (tacit_strview){NULL, 0});
        put_view(csv, (tacit_strview){NULL, 0});
        put_view(csv, engine_quasi_name(in, i));
        put_view(csv, tacit_table_value(release->table, about->column, code));
        put_view(csv, label_of(in, i, engine_quasi_level(in, i), number));
        engine_csv_row(csv);
    }
}

/* So many rows of a class, released as a box, or suppressed. */
static void put_class(engine_csv *csv, const engine_inplace *in, int64_t class, int64_t rows,
                      int64_t box)
{
    const tacit_solution *solution = in->release.solution;
    int32_t width = in->release.frame.attribute_count;
    for (int32_t i = 0; i < width; i++) {
        uint32_t number = tacit_classes_code(solution->classes, class, i);
        engine_csv_integer(csv, class + 1);
        engine_csv_integer(csv, rows);
        put_view(csv, engine_quasi_name(in, i));
        put_view(csv, label_of(in, i, engine_quasi_level(in, i), number));
        if (box < 0)
            put_view(csv, tacit_hierarchy_suppressed());
        else
            put_view(csv, label_of(in, i, solution->boxes->levels[box * width + i],
                                   solution->boxes->numbers[box * width + i]));
        engine_csv_row(csv);
    }
}

static void put_boxes(engine_csv *csv, const engine_inplace *in)
{
    const tacit_solution *solution = in->release.solution;
    const tacit_boxes *boxes = solution->boxes;
    int64_t part = 0;
    for (int64_t class = 0; class < tacit_classes_count(solution->classes); class ++) {
        int64_t left = tacit_classes_size(solution->classes, class);
        for (; part < boxes->part_count && boxes->parts[part].class_index == class; part++) {
            put_class(csv, in, class, boxes->parts[part].people, boxes->parts[part].box);
            left -= boxes->parts[part].people;
        }
        if (left > 0)
            put_class(csv, in, class, left, boxes->box_of[class]);
    }
}

static void put_suppressed(engine_csv *csv, const engine_inplace *in)
{
    const tacit_solution *solution = in->release.solution;
    for (int64_t class = 0; class < tacit_classes_count(solution->classes); class ++)
        if (solution->suppressed[class] > 0)
            put_class(csv, in, class, solution->suppressed[class], -1);
}

tacit_status engine_inplace_mapping(engine_inplace *in)
{
    static const char *const HEADER[] = {
        "for the data holder alone: class", "rows", "column", "value", "released", NULL};
    tacit_error *err = &in->session->error;
    const char *path = engine_value(in->session->settings, "mapping");
    if (!path)
        return TACIT_OK;
    engine_csv *csv = NULL;
    tacit_status status = engine_csv_new_private(&csv, path, err);
    if (status != TACIT_OK)
        return status;
    engine_csv_header(csv, HEADER);
    for (int32_t i = 0; i < in->release.frame.attribute_count; i++)
        put_values(csv, in, i);
    if (in->release.solution->boxes)
        put_boxes(csv, in);
    else if (!in->stays)
        put_suppressed(csv, in);
    status = engine_csv_end(csv, in->session);
    engine_csv_free(csv);
    return status;
}
