/*
 * box_counts.c - how many rows and people each box of a solution holds.
 *
 * Rows add up over the classes of a box. People do not: somebody with rows in
 * two classes of a box is one person, so pairs of box and person are counted.
 *
 * Linear in the classes, and in the pairs of class and person.
 */
#include "records/apply/box_counts.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/classes/classes.h"
#include "records/classes/count.h"
#include "records/metrics/cells.h"

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

static tacit_status count_pairs(tacit__box_counts *counts, const box_people *b,
                                const tacit_run *run, tacit_error *err)
{
    const tacit__items items = {.count = b->classes->pairs.count,
                                .domain = (uint64_t)b->boxes->count * b->people,
                                .keys = box_person_keys,
                                .context = b};
    tacit__counts distinct = {0};
    tacit_status status = tacit__count(&distinct, &items, run, err);
    for (int64_t i = 0; status == TACIT_OK && i < distinct.count; i++)
        counts->people[distinct.keys[i] / b->people]++;
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
    tacit__feed_projected(&feed, &classes->pairs, UINT64_MAX, frame->attribute_count, false);
    tacit_status status = counts->people && class_of
                              ? tacit__grouping_assign(&classes->groups, &feed, class_of, run, err)
                              : tacit__nomem(err);
    const box_people b = {.classes = classes,
                          .boxes = solution->boxes,
                          .class_of = class_of,
                          .people =
                              (uint64_t)tacit_table_distinct(frame->table, frame->person) + 1};
    if (status == TACIT_OK)
        status = count_pairs(counts, &b, run, err);
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
