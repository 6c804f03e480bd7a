/*
 * boxes.c - the boxes of a solution: lists of them on the way to it, and what each of them holds.
 *
 * A list of boxes without repetitions, in a map by the hash of their levels and numbers; a box
 * that is found is compared value by value. The frame of a solution with boxes, and its parts in
 * order.
 *
 * How many rows and people each box of a solution holds. Rows add up over the classes of a box.
 * People do not: somebody with rows in two classes of a box is one person, so pairs of box and
 * person are counted. Linear in the classes, and in the pairs of class and person.
 */
#include "records/apply/boxes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/classes/classes.h"
#include "records/metrics/costs.h"

static uint64_t hash_of(const tacit__box_list *list, const uint8_t *levels, const uint32_t *numbers)
{
    size_t attributes = (size_t)list->attributes;
    uint64_t hash = tacit__hash_bytes((const char *)levels, attributes);
    return hash ^
           tacit__mix(tacit__hash_bytes((const char *)numbers, attributes * sizeof *numbers));
}

static bool is_box(const tacit__box_list *list, int64_t box, const uint8_t *levels,
                   const uint32_t *numbers)
{
    size_t attributes = (size_t)list->attributes, at = (size_t)box * attributes;
    return memcmp(list->levels + at, levels, attributes) == 0 &&
           memcmp(list->numbers + at, numbers, attributes * sizeof *numbers) == 0;
}

static tacit_status grow_boxes(tacit__box_list *list, tacit_error *err)
{
    size_t attributes = (size_t)list->attributes, room = list->capacity + list->capacity / 2 + 16;
    uint8_t *levels = tacit__resize_array(list->levels, room, attributes);
    if (!levels)
        return tacit__nomem(err);
    list->levels = levels;
    uint32_t *numbers =
        tacit__resize_array(list->numbers, room, attributes * sizeof *list->numbers);
    if (!numbers)
        return tacit__nomem(err);
    list->numbers = numbers;
    list->capacity = room;
    return TACIT_OK;
}

tacit_status tacit__box_list_add(uint32_t *index, tacit__box_list *list, const uint8_t *levels,
                                 const uint32_t *numbers, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    uint64_t hash = hash_of(list, levels, numbers);
    size_t probe = 0;
    while ((*index = tacit__map_next(&list->map, hash, &probe)) != TACIT__NONE)
        if (is_box(list, *index, levels, numbers))
            return TACIT_OK;
    if ((size_t)list->count == list->capacity)
        status = grow_boxes(list, err);
    if (status == TACIT_OK && !tacit__map_add(&list->map, hash))
        status = tacit__nomem(err);
    if (status != TACIT_OK)
        return status;
    size_t attributes = (size_t)list->attributes, at = (size_t)list->count * attributes;
    memcpy(list->levels + at, levels, attributes);
    memcpy(list->numbers + at, numbers, attributes * sizeof *numbers);
    *index = (uint32_t)list->count++;
    return TACIT_OK;
}

void tacit__box_list_give(tacit_boxes *boxes, tacit__box_list *list)
{
    boxes->count = list->count;
    boxes->levels = list->levels;
    boxes->numbers = list->numbers;
    list->levels = NULL;
    list->numbers = NULL;
    tacit__box_list_clear(list);
}

void tacit__box_list_clear(tacit__box_list *list)
{
    tacit__free(list->levels);
    tacit__free(list->numbers);
    tacit__map_clear(&list->map);
    *list = (tacit__box_list){.attributes = list->attributes};
}

/* A solution on the levels of classes, and nothing else; NULL when out of memory. */
static tacit_solution *solution_on_levels(const tacit_frame *frame, const tacit_classes *classes)
{
    size_t attributes = (size_t)frame->attribute_count;
    tacit_solution *solution = tacit__alloc_zeroed(1, sizeof *solution);
    int *levels = tacit__alloc_array(attributes, sizeof *levels);
    if (!solution || !levels) {
        tacit__free(solution);
        tacit__free(levels);
        return NULL;
    }
    memcpy(levels, tacit_classes_levels(classes), attributes * sizeof *levels);
    solution->levels = levels;
    solution->attribute_count = frame->attribute_count;
    return solution;
}

tacit_status tacit__levels_solution_new(tacit_solution **out, const tacit_frame *frame,
                                        const tacit_classes *classes, tacit_error *err)
{
    tacit_solution *solution = solution_on_levels(frame, classes);
    if (solution)
        solution->suppressed =
            tacit__alloc_zeroed((size_t)tacit_classes_count(classes), sizeof *solution->suppressed);
    if (!solution || !solution->suppressed) {
        tacit_solution_free(solution);
        return tacit__nomem(err);
    }
    *out = solution;
    return TACIT_OK;
}

tacit_status tacit__cells_solution_new(tacit_solution **out, const tacit_frame *frame,
                                       const tacit_classes *classes, int64_t parts,
                                       tacit_error *err)
{
    tacit_solution *solution = solution_on_levels(frame, classes);
    tacit_boxes *boxes = solution ? tacit__alloc_zeroed(1, sizeof *boxes) : NULL;
    if (boxes) {
        solution->boxes = boxes;
        solution->search.lower_bound = NAN;
        boxes->box_of =
            tacit__alloc_array((size_t)tacit_classes_count(classes), sizeof *boxes->box_of);
        boxes->parts = tacit__alloc_array((size_t)parts, sizeof *boxes->parts);
    }
    if (!boxes || !boxes->box_of || !boxes->parts) {
        tacit_solution_free(solution);
        return tacit__nomem(err);
    }
    *out = solution;
    return TACIT_OK;
}

static int by_class(const void *a, const void *b)
{
    const tacit_part *x = a, *y = b;
    if (x->class_index != y->class_index)
        return x->class_index < y->class_index ? -1 : 1;
    return x->box < y->box ? -1 : x->box > y->box;
}

void tacit__cells_tidy_parts(tacit_boxes *boxes)
{
    int64_t kept = 0;
    if (boxes->part_count > 0)
        qsort(boxes->parts, (size_t)boxes->part_count, sizeof *boxes->parts, by_class);
    for (int64_t i = 0; i < boxes->part_count; i++) {
        tacit_part part = boxes->parts[i], *last = kept > 0 ? &boxes->parts[kept - 1] : NULL;
        if (part.box == boxes->box_of[part.class_index])
            continue;
        if (last && last->class_index == part.class_index && last->box == part.box)
            last->people += part.people;
        else
            boxes->parts[kept++] = part;
    }
    boxes->part_count = kept;
}

static tacit_status count_rows(tacit__box_counts *counts, const tacit_solution *solution,
                               tacit_error *err)
{
    const tacit_boxes *boxes = solution->boxes;
    const tacit_classes *classes = solution->classes;
    counts->rows = tacit__alloc_zeroed((size_t)boxes->count, sizeof *counts->rows);
    if (!counts->rows)
        return tacit__nomem(err);
    for (int64_t c = 0; c < classes->groups.count; c++)
        counts->rows[boxes->box_of[c]] += classes->groups.rows[c];
    for (int64_t i = 0; i < boxes->part_count; i++) {
        const tacit_part *part = &boxes->parts[i];
        counts->rows[part->box] += (uint32_t)part->people;
        counts->rows[boxes->box_of[part->class_index]] -= (uint32_t)part->people;
    }
    return TACIT_OK;
}

/* Box and person of each pair of class and person as one number. */
typedef struct box_people {
    const tacit_classes *classes;
    const tacit_boxes *boxes;
    const uint32_t *class_of; /* a pair each */
    uint64_t people;
} box_people;

static void box_person_keys(const void *context, int64_t from, int64_t count, uint64_t *keys)
{
    const box_people *b = context;
    for (int64_t i = 0; i < count; i++) {
        uint32_t pair = (uint32_t)(from + i);
        keys[i] =
            b->boxes->box_of[b->class_of[pair]] * b->people + tacit__pair_person(b->classes, pair);
    }
}

tacit_status tacit__count_box_people(uint32_t *people, const tacit__items *items, uint64_t persons,
                                     const tacit_run *run, tacit_error *err)
{
    tacit__counts distinct = {0};
    tacit_status status = tacit__count(&distinct, items, run, err);
    for (int64_t i = 0; status == TACIT_OK && i < distinct.count; i++)
        people[distinct.keys[i] / persons]++;
    tacit__counts_clear(&distinct);
    return status;
}

static tacit_status count_people(tacit__box_counts *counts, const tacit_solution *solution,
                                 const tacit_frame *frame, const tacit_run *run, tacit_error *err)
{
    const tacit_classes *classes = solution->classes;
    tacit__feed feed;
    uint32_t *class_of = tacit__alloc_array((size_t)classes->pairs.count, sizeof *class_of);
    counts->people = tacit__alloc_zeroed((size_t)solution->boxes->count, sizeof *counts->people);
    tacit_status status =
        tacit__feed_projected(&feed, &classes->pairs, NULL, frame->attribute_count, false, err);
    if (status == TACIT_OK)
        status = counts->people && class_of
                     ? tacit__grouping_assign(&classes->groups, &feed, class_of, run, err)
                     : tacit__nomem(err);
    tacit__feed_clear(&feed);
    const box_people b = {.classes = classes,
                          .boxes = solution->boxes,
                          .class_of = class_of,
                          .people =
                              (uint64_t)tacit_table_distinct(frame->table, frame->person) + 1};
    const tacit__items items = {.count = classes->pairs.count,
                                .domain = (uint64_t)b.boxes->count * b.people,
                                .keys = box_person_keys,
                                .context = &b};
    if (status == TACIT_OK)
        status = tacit__count_box_people(counts->people, &items, b.people, run, err);
    tacit__free(class_of);
    return status;
}

static tacit_status copy_people(tacit__box_counts *counts, const tacit_boxes *boxes,
                                tacit_error *err)
{
    counts->people = tacit__alloc_array((size_t)boxes->count, sizeof *counts->people);
    if (!counts->people)
        return tacit__nomem(err);
    memcpy(counts->people, boxes->people, (size_t)boxes->count * sizeof *counts->people);
    return TACIT_OK;
}

tacit_status tacit__box_counts_init(tacit__box_counts *counts, const tacit_solution *solution,
                                    const tacit_frame *frame, const tacit_run *run,
                                    tacit_error *err)
{
    *counts = (tacit__box_counts){0};
    tacit_status status = count_rows(counts, solution, err);
    if (status == TACIT_OK && solution->boxes->people)
        status = copy_people(counts, solution->boxes, err);
    else if (status == TACIT_OK && frame->person >= 0)
        status = count_people(counts, solution, frame, run, err);
    if (status != TACIT_OK)
        tacit__box_counts_clear(counts);
    return status;
}

void tacit__box_counts_clear(tacit__box_counts *counts)
{
    tacit__free(counts->rows);
    tacit__free(counts->people);
    *counts = (tacit__box_counts){0};
}

bool tacit__box_is_starred(const tacit_boxes *boxes, const tacit_frame *frame, int64_t box)
{
    int32_t attributes = frame->attribute_count, a = 0;
    for (int64_t at = box * attributes; a < attributes; a++, at++)
        if (!tacit__is_star(frame->attributes[a].hierarchy, boxes->levels[at], boxes->numbers[at]))
            break;
    return a == attributes;
}
