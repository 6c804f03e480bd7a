/*
 * rowwise.c - a release row by row: from a solution, which knows classes, and back to one with
 * boxes, once levels have been decided for rows that a class does not tell apart.
 *
 * A byte a cell. Going back puts rows of one class and one combination of levels together, so
 * it costs a few passes over the rows and memory for each different box.
 */

#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/map.h"
#include "base/vector.h"
#include "records/apply/apply.h"
#include "records/apply/boxes.h"
#include "records/classes/classes.h"
#include "records/metrics/costs.h"

tacit_status tacit__rowwise_new(tacit_rowwise **out, int64_t rows, int32_t attributes,
                                tacit_error *err)
{
    tacit_rowwise *rowwise = tacit__alloc_zeroed(1, sizeof *rowwise);
    if (!rowwise)
        return tacit__nomem(err);
    rowwise->rows = rows;
    rowwise->attributes = attributes;
    rowwise->levels = tacit__alloc_zeroed((size_t)rows, (size_t)attributes);
    rowwise->suppressed = tacit__alloc_zeroed(tacit__bitset_words(rows), sizeof(uint64_t));
    if (!rowwise->levels || !rowwise->suppressed) {
        tacit_rowwise_free(rowwise);
        return tacit__nomem(err);
    }
    *out = rowwise;
    return TACIT_OK;
}

void tacit_rowwise_free(tacit_rowwise *rowwise)
{
    if (!rowwise)
        return;
    tacit__free(rowwise->levels);
    tacit__free(rowwise->suppressed);
    tacit__free(rowwise);
}

void tacit__rowwise_suppress(tacit_rowwise *rowwise, int64_t row, const tacit_frame *frame)
{
    uint8_t *levels = tacit__rowwise_at(rowwise, row);
    for (int32_t a = 0; a < rowwise->attributes; a++)
        levels[a] = (uint8_t)tacit_hierarchy_height(frame->attributes[a].hierarchy);
    tacit__bit_set(rowwise->suppressed, row);
}

/* ---- from a solution ---- */

static tacit_status from_boxes(tacit_rowwise *rowwise, const tacit_solution *solution,
                               const tacit_frame *frame, const tacit_run *run, tacit_error *err)
{
    const tacit_boxes *boxes = solution->boxes;
    size_t attributes = (size_t)rowwise->attributes;
    uint32_t *box_of_row = tacit__alloc_array((size_t)rowwise->rows, sizeof *box_of_row);
    uint64_t *starred = tacit__alloc_zeroed(tacit__bitset_words(boxes->count), sizeof *starred);
    tacit_status status = box_of_row && starred
                              ? tacit__boxes_assign(box_of_row, solution, frame, run, err)
                              : tacit__nomem(err);
    for (int64_t b = 0; status == TACIT_OK && b < boxes->count; b++)
        if (tacit__box_is_starred(boxes, frame, b))
            tacit__bit_set(starred, b);
    for (int64_t row = 0; status == TACIT_OK && row < rowwise->rows; row++) {
        memcpy(tacit__rowwise_at(rowwise, row), boxes->levels + box_of_row[row] * attributes,
               attributes);
        if (tacit__bit_get(starred, box_of_row[row]))
            tacit__bit_set(rowwise->suppressed, row);
    }
    tacit__free(box_of_row);
    tacit__free(starred);
    return status;
}

static tacit_status from_levels(tacit_rowwise *rowwise, const tacit_solution *solution,
                                const tacit_frame *frame, const tacit_run *run, tacit_error *err)
{
    tacit_status status = tacit__mark_suppressed(rowwise->suppressed, solution, frame, run, err);
    for (int64_t row = 0; status == TACIT_OK && row < rowwise->rows; row++) {
        uint8_t *levels = tacit__rowwise_at(rowwise, row);
        if (tacit__bit_get(rowwise->suppressed, row))
            tacit__rowwise_suppress(rowwise, row, frame);
        else
            for (int32_t a = 0; a < rowwise->attributes; a++)
                levels[a] = (uint8_t)solution->levels[a];
    }
    return status;
}

tacit_status tacit_rowwise_of(tacit_rowwise **out, const tacit_solution *solution,
                              const tacit_frame *frame, const tacit_run *run, tacit_error *err)
{
    tacit_rowwise *rowwise = NULL;
    tacit_status status =
        tacit__rowwise_new(&rowwise, tacit_table_rows(frame->table), frame->attribute_count, err);
    if (status != TACIT_OK)
        return status;
    status = solution->boxes ? from_boxes(rowwise, solution, frame, run, err)
                             : from_levels(rowwise, solution, frame, run, err);
    rowwise->stopped = solution->search.stopped;
    if (status == TACIT_OK)
        *out = rowwise;
    else
        tacit_rowwise_free(rowwise);
    return status;
}

tacit_status tacit_rowwise_with(tacit_rowwise **out, const tacit_rowwise *rowwise,
                                const int32_t *places, int32_t attributes, tacit_error *err)
{
    tacit_rowwise *made = NULL;
    tacit_status status = tacit__rowwise_new(&made, rowwise->rows, attributes, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t row = 0; row < rowwise->rows; row++) {
        const uint8_t *from = tacit__rowwise_at(rowwise, row);
        uint8_t *to = tacit__rowwise_at(made, row);
        for (int32_t a = 0; a < attributes; a++)
            if (places[a] >= 0)
                to[a] = from[places[a]];
    }
    memcpy(made->suppressed, rowwise->suppressed,
           tacit__bitset_words(rowwise->rows) * sizeof *made->suppressed);
    made->stopped = rowwise->stopped;
    *out = made;
    return TACIT_OK;
}

/* ---- to a solution ---- */

static tacit_status list_boxes(tacit__box_list *list, uint32_t *box_of_row,
                               const tacit_rowwise *rowwise, const tacit_frame *frame,
                               tacit_error *err)
{
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    tacit_status status = TACIT_OK;
    for (int64_t row = 0; status == TACIT_OK && row < rowwise->rows; row++) {
        const uint8_t *levels = tacit__rowwise_at(rowwise, row);
        for (int32_t a = 0; a < rowwise->attributes; a++) {
            const tacit_attribute *attribute = &frame->attributes[a];
            uint32_t code = tacit_codes_at(tacit_table_codes(frame->table, attribute->column), row);
            numbers[a] = tacit_hierarchy_map(attribute->hierarchy, levels[a])[code];
        }
        status = tacit__box_list_add(&box_of_row[row], list, levels, numbers, err);
    }
    return status;
}

tacit_status tacit__rowwise_boxes(uint32_t *box_of_row, int64_t *count,
                                  const tacit_rowwise *rowwise, const tacit_frame *frame,
                                  tacit_error *err)
{
    tacit__box_list list = {.attributes = frame->attribute_count};
    tacit_status status = list_boxes(&list, box_of_row, rowwise, frame, err);
    *count = list.count;
    tacit__box_list_clear(&list);
    return status;
}

/* The rows of each class in each box: pairs with their numbers of rows. */
typedef struct tally {
    tacit__numbering pairing;
    tacit_part *parts; /* a pair each */
    size_t capacity;
} tally;

static bool count_parts(tally *t, const uint32_t *class_of, const uint32_t *box_of_row,
                        int64_t rows)
{
    for (int64_t row = 0; row < rows; row++) {
        uint32_t before = t->pairing.count;
        uint32_t pair =
            tacit__numbering_add(&t->pairing, tacit__pair_key(class_of[row], box_of_row[row]));
        if (pair == TACIT__NONE || !TACIT__RESERVE(t->parts, t->capacity, t->pairing.count))
            return false;
        if (pair == before)
            t->parts[pair] = (tacit_part){class_of[row], box_of_row[row], 0};
        t->parts[pair].people++;
    }
    return true;
}

/* The box of a class is that of most of its rows, the first of equals; the others are parts. */
static tacit_status choose_boxes(tacit_boxes *boxes, const tally *t, int64_t classes,
                                 tacit_error *err)
{
    int64_t *most = tacit__alloc_zeroed((size_t)classes, sizeof *most);
    if (!most)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < t->pairing.count; i++)
        if (t->parts[i].people > most[t->parts[i].class_index]) {
            most[t->parts[i].class_index] = t->parts[i].people;
            boxes->box_of[t->parts[i].class_index] = t->parts[i].box;
        }
    for (uint32_t i = 0; i < t->pairing.count; i++)
        if (boxes->box_of[t->parts[i].class_index] != t->parts[i].box)
            boxes->parts[boxes->part_count++] = t->parts[i];
    tacit__cells_tidy_parts(boxes);
    tacit__free(most);
    return TACIT_OK;
}

static tacit_status solution_of_rows(tacit_solution **out, tacit__box_list *list,
                                     tacit_classes *classes, const uint32_t *class_of,
                                     const uint32_t *box_of_row, const tacit_frame *frame,
                                     tacit_error *err)
{
    tally t = {0};
    tacit_solution *solution = NULL;
    int64_t rows = tacit_table_rows(frame->table);
    tacit_status status =
        count_parts(&t, class_of, box_of_row, rows) ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__cells_solution_new(&solution, frame, classes, t.pairing.count, err);
    if (status == TACIT_OK)
        status = choose_boxes(solution->boxes, &t, tacit_classes_count(classes), err);
    if (status == TACIT_OK) {
        tacit__box_list_give(solution->boxes, list);
        solution->classes = classes;
        *out = solution;
    } else {
        tacit_solution_free(solution);
    }
    tacit__free(t.parts);
    tacit__numbering_clear(&t.pairing);
    return status;
}

/* Box and person of each row as one number. */
typedef struct row_people {
    const uint32_t *box_of_row;
    tacit_codes_view persons;
    uint64_t people;
} row_people;

static void row_person_keys(const void *context, int64_t from, int64_t count, uint64_t *keys)
{
    const row_people *b = context;
    for (int64_t i = 0; i < count; i++)
        keys[i] = b->box_of_row[from + i] * b->people + tacit_codes_at(b->persons, from + i);
}

/* Where classes leave in parts, only the rows tell who is in which box. */
static tacit_status count_row_people(tacit_boxes *boxes, const uint32_t *box_of_row,
                                     const tacit_frame *frame, const tacit_run *run,
                                     tacit_error *err)
{
    if (frame->person < 0 || boxes->part_count == 0)
        return TACIT_OK;
    const row_people b = {box_of_row, tacit_table_codes(frame->table, frame->person),
                          (uint64_t)tacit_table_distinct(frame->table, frame->person) + 1};
    const tacit__items items = {.count = tacit_table_rows(frame->table),
                                .domain = (uint64_t)boxes->count * b.people,
                                .keys = row_person_keys,
                                .context = &b};
    boxes->people = tacit__alloc_zeroed((size_t)boxes->count, sizeof *boxes->people);
    return boxes->people ? tacit__count_box_people(boxes->people, &items, b.people, run, err)
                         : tacit__nomem(err);
}

tacit_status tacit_rowwise_release(tacit_solution **solution, tacit_application **application,
                                   const tacit_rowwise *rowwise, const tacit_frame *frame,
                                   const tacit_apply_options *options, const tacit_run *run,
                                   tacit_error *err)
{
    static const int GROUND[TACIT_MAX_ATTRIBUTES];
    tacit_classes *classes = NULL;
    tacit_solution *made = NULL;
    tacit__box_list list = {.attributes = frame->attribute_count};
    uint32_t *class_of = tacit__alloc_array((size_t)rowwise->rows, sizeof *class_of);
    uint32_t *box_of_row = tacit__alloc_array((size_t)rowwise->rows, sizeof *box_of_row);
    const tacit__placed placed = {box_of_row, rowwise->suppressed};
    tacit_status status = class_of && box_of_row
                              ? tacit_classes_new(&classes, frame, GROUND, run, err)
                              : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit_classes_assign(classes, frame, class_of, run, err);
    if (status == TACIT_OK)
        status = list_boxes(&list, box_of_row, rowwise, frame, err);
    if (status == TACIT_OK)
        status = solution_of_rows(&made, &list, classes, class_of, box_of_row, frame, err);
    if (made)
        classes = NULL; /* the solution's now */
    if (status == TACIT_OK)
        status = count_row_people(made->boxes, box_of_row, frame, run, err);
    if (status == TACIT_OK && application)
        status = tacit__apply(application, &placed, made, frame, options, run, err);
    if (status == TACIT_OK) {
        made->suppressed_rows = tacit__bitset_count(rowwise->suppressed, rowwise->rows);
        made->search.stopped = rowwise->stopped;
        *solution = made;
    }
    if (status != TACIT_OK)
        tacit_solution_free(made);
    tacit_classes_free(classes);
    tacit__box_list_clear(&list);
    tacit__free(class_of);
    tacit__free(box_of_row);
    return status;
}
