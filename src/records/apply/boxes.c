/*
 * boxes.c - a cell-level solution on the rows it was made for.
 *
 * There may be millions of boxes but an attribute has few values: so each
 * attribute gets a label for every value of every level, and each row a small
 * number that says which, taken from its box. Cells on the ground share one
 * number that leaves them as they are.
 *
 * Linear in rows times attributes, one byte a cell where an attribute has fewer
 * than 256 generalized values.
 */
#include "records/apply/boxes.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "records/classes/classes.h"

enum { ROW_BLOCK = 1 << 16, AS_IT_IS = 0 };

static int64_t block_count(int64_t rows)
{
    return (rows + ROW_BLOCK - 1) / ROW_BLOCK;
}

static int64_t block_end(int64_t block, int64_t rows)
{
    return (block + 1) * ROW_BLOCK < rows ? (block + 1) * ROW_BLOCK : rows;
}

/* Rows of the classes that leave in several boxes. */
typedef struct split {
    const tacit_boxes *boxes;
    uint32_t *box_of_row; /* holds classes before, boxes after */
    int64_t rows;
    uint64_t *is_split; /* bit a class */
    uint32_t *members;  /* rows of the split classes, class by class */
    int64_t *next;      /* a part each: where its class's next row goes; see gather */
} split;

/* Where the parts of the same class as part i end. */
static int64_t parts_end(const tacit_boxes *boxes, int64_t i)
{
    uint32_t class = boxes->parts[i].class_index;
    while (i < boxes->part_count && boxes->parts[i].class_index == class)
        i++;
    return i;
}

static int64_t first_part(const tacit_boxes *boxes, uint32_t class)
{
    int64_t low = 0, high = boxes->part_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (boxes->parts[middle].class_index < class)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Lists the rows of each split class; next[first part] ends behind its last. */
static void gather(split *s, const tacit_classes *classes)
{
    int64_t at = 0;
    for (int64_t i = 0; i < s->boxes->part_count; i = parts_end(s->boxes, i)) {
        s->next[i] = at;
        at += tacit_classes_size(classes, s->boxes->parts[i].class_index);
    }
    for (int64_t row = 0; row < s->rows; row++)
        if (tacit__bit_get(s->is_split, s->box_of_row[row]))
            s->members[s->next[first_part(s->boxes, s->box_of_row[row])]++] = (uint32_t)row;
}

static void shuffle_members(uint32_t *members, int64_t count, const tacit_run *run, uint32_t class)
{
    tacit__random random;
    tacit__random_init(&random, run, "part", class);
    for (int64_t i = count - 1; i > 0; i--) {
        uint32_t j = tacit__random_below(&random, (uint32_t)i + 1), row = members[i];
        members[i] = members[j];
        members[j] = row;
    }
}

/* Gives each part of a class its share of the class's rows. */
static void deal(split *s, const tacit_classes *classes, const tacit_run *run)
{
    const tacit_boxes *boxes = s->boxes;
    for (int64_t i = 0; i < boxes->part_count;) {
        uint32_t class = boxes->parts[i].class_index;
        int64_t size = tacit_classes_size(classes, class), at = 0, end = parts_end(boxes, i);
        uint32_t *members = s->members + s->next[i] - size;
        shuffle_members(members, size, run, class);
        for (; i < end; i++)
            for (int64_t n = 0; n < boxes->parts[i].people && at < size; n++)
                s->box_of_row[members[at++]] = boxes->parts[i].box;
        for (; at < size; at++)
            s->box_of_row[members[at]] = boxes->box_of[class];
    }
}

static tacit_status split_init(split *s, const tacit_classes *classes, tacit_error *err)
{
    int64_t members = 0;
    for (int64_t i = 0; i < s->boxes->part_count; i = parts_end(s->boxes, i))
        members += tacit_classes_size(classes, s->boxes->parts[i].class_index);
    s->is_split =
        tacit__alloc_zeroed(tacit__bitset_words(classes->groups.count), sizeof *s->is_split);
    s->members = tacit__alloc_array((size_t)members, sizeof *s->members);
    s->next = tacit__alloc_zeroed((size_t)s->boxes->part_count, sizeof *s->next);
    if (!s->is_split || !s->members || !s->next)
        return tacit__nomem(err);
    for (int64_t i = 0; i < s->boxes->part_count; i++)
        tacit__bit_set(s->is_split, s->boxes->parts[i].class_index);
    return TACIT_OK;
}

static tacit_status deal_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    split *s = context;
    for (int64_t row = block * ROW_BLOCK; row < block_end(block, s->rows); row++)
        if (!s->is_split || !tacit__bit_get(s->is_split, s->box_of_row[row]))
            s->box_of_row[row] = s->boxes->box_of[s->box_of_row[row]];
    return TACIT_OK;
}

/* Deals the rows of split classes last: until then their entries are classes. */
static tacit_status deal_rows(split *s, const tacit_classes *classes, const tacit_run *run,
                              tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (s->boxes->part_count > 0) {
        status = split_init(s, classes, err);
        if (status == TACIT_OK)
            gather(s, classes);
    }
    if (status == TACIT_OK)
        status = tacit__parallel(run, NULL, block_count(s->rows), deal_block, s, err);
    if (status == TACIT_OK && s->boxes->part_count > 0)
        deal(s, classes, run);
    return status;
}

tacit_status tacit__boxes_assign(uint32_t *box_of_row, const tacit_solution *solution,
                                 const tacit_frame *frame, const tacit_run *run, tacit_error *err)
{
    /* a person's rows must not be torn apart */
    assert(frame->person < 0 || solution->boxes->part_count == 0);
    split s = {
        .boxes = solution->boxes, .box_of_row = box_of_row, .rows = tacit_table_rows(frame->table)};
    tacit_status status = tacit_classes_assign(solution->classes, frame, box_of_row, run, err);
    if (status == TACIT_OK)
        status = deal_rows(&s, solution->classes, run, err);
    tacit__free(s.is_split);
    tacit__free(s.members);
    tacit__free(s.next);
    return status;
}

/* The labels of an attribute: its generalized values, level by level. */
typedef struct label_list {
    uint32_t base[TACIT_MAX_LEVELS]; /* of the numbers of a level */
    uint32_t count;
    int width; /* bytes of a number */
} label_list;

static void list_init(label_list *list, const tacit_hierarchy *hierarchy)
{
    list->count = AS_IT_IS + 1;
    for (int level = 1; level <= tacit_hierarchy_height(hierarchy); level++) {
        list->base[level] = list->count;
        list->count += tacit_hierarchy_count(hierarchy, level);
    }
    list->width = list->count <= 0x100 ? 1 : list->count <= 0x10000 ? 2 : 4;
}

/* The number of a box's value; missing that stays missing stays as it is. */
static uint32_t list_number(const label_list *list, const tacit_hierarchy *hierarchy, int level,
                            uint32_t number)
{
    if (level == 0 || number >= tacit_hierarchy_count(hierarchy, level))
        return AS_IT_IS;
    return list->base[level] + number;
}

static tacit_status make_labels(tacit_application *application, const label_list *list,
                                const tacit_hierarchy *hierarchy, int32_t attribute,
                                tacit_error *err)
{
    tacit_strview *labels = tacit__alloc_zeroed(list->count, sizeof *labels);
    if (!labels)
        return tacit__nomem(err);
    for (int level = 1; level <= tacit_hierarchy_height(hierarchy); level++)
        for (uint32_t i = 0; i < tacit_hierarchy_count(hierarchy, level); i++) {
            tacit_strview *label = &labels[list->base[level] + i];
            *label = tacit_hierarchy_label(hierarchy, level, i);
            if (!label->bytes)
                label->bytes = "";
        }
    application->labels[attribute] = labels;
    application->label_counts[attribute] = list->count;
    return TACIT_OK;
}

/* The numbers of one attribute's cells. */
typedef struct cells {
    const uint32_t *box_of_row;
    const uint32_t *number_of; /* a box each */
    void *out;
    int width;
    int64_t rows;
} cells;

static tacit_status fill_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const cells *c = context;
    for (int64_t row = block * ROW_BLOCK; row < block_end(block, c->rows); row++) {
        uint32_t number = c->number_of[c->box_of_row[row]];
        if (c->width == 1)
            ((uint8_t *)c->out)[row] = (uint8_t)number;
        else if (c->width == 2)
            ((uint16_t *)c->out)[row] = (uint16_t)number;
        else
            ((uint32_t *)c->out)[row] = number;
    }
    return TACIT_OK;
}

/* What the work on attributes shares. */
typedef struct task {
    tacit_application *application;
    const tacit_solution *solution;
    const tacit_frame *frame;
    const tacit_run *run;
    const uint32_t *box_of_row;
    uint32_t *number_of;
    uint64_t *starred; /* bit a box: every value so far is "*" */
} task;

static void number_boxes(task *t, const label_list *list, int32_t attribute)
{
    const tacit_boxes *boxes = t->solution->boxes;
    const tacit_hierarchy *hierarchy = t->frame->attributes[attribute].hierarchy;
    const tacit_strview *labels = t->application->labels[attribute];
    int64_t attributes = t->frame->attribute_count;
    for (int64_t b = 0; b < boxes->count; b++) {
        int64_t at = b * attributes + attribute;
        uint32_t number = list_number(list, hierarchy, boxes->levels[at], boxes->numbers[at]);
        t->number_of[b] = number;
        if (number == AS_IT_IS ||
            !tacit_strview_equal(labels[number], tacit_hierarchy_suppressed()))
            t->starred[b >> 6] &= ~(UINT64_C(1) << (b & 63));
    }
}

static tacit_status apply_attribute(task *t, int32_t attribute, tacit_error *err)
{
    const tacit_hierarchy *hierarchy = t->frame->attributes[attribute].hierarchy;
    label_list list;
    list_init(&list, hierarchy);
    tacit_status status = make_labels(t->application, &list, hierarchy, attribute, err);
    if (status != TACIT_OK)
        return status;
    number_boxes(t, &list, attribute);
    int64_t rows = tacit_table_rows(t->frame->table);
    void *codes = tacit__alloc_array((size_t)rows, (size_t)list.width);
    if (!codes)
        return tacit__nomem(err);
    t->application->owned[attribute] = codes;
    t->application->codes[attribute] = (tacit_codes_view){codes, list.width};
    cells c = {t->box_of_row, t->number_of, codes, list.width, rows};
    return tacit__parallel(t->run, NULL, block_count(rows), fill_block, &c, err);
}

static void mark_starred(task *t)
{
    int64_t rows = tacit_table_rows(t->frame->table);
    for (int64_t row = 0; row < rows; row++)
        if (tacit__bit_get(t->starred, t->box_of_row[row]))
            tacit__bit_set(t->application->suppressed, row);
    t->application->suppressed_rows = tacit__bitset_count(t->application->suppressed, rows);
}

static tacit_status task_init(task *t, tacit_error *err)
{
    size_t rows = (size_t)tacit_table_rows(t->frame->table);
    int64_t boxes = t->solution->boxes->count;
    t->number_of = tacit__alloc_array((size_t)boxes, sizeof *t->number_of);
    t->starred = tacit__alloc_array(tacit__bitset_words(boxes), sizeof *t->starred);
    t->application->suppressed =
        tacit__alloc_zeroed(tacit__bitset_words((int64_t)rows), sizeof(uint64_t));
    if (!t->number_of || !t->starred || !t->application->suppressed)
        return tacit__nomem(err);
    memset(t->starred, 0xff, tacit__bitset_words(boxes) * sizeof *t->starred);
    return TACIT_OK;
}

tacit_status tacit__boxes_fill(tacit_application *application, const uint32_t *box_of_row,
                               const tacit_solution *solution, const tacit_frame *frame,
                               const tacit_run *run, tacit_error *err)
{
    task t = {.application = application,
              .solution = solution,
              .frame = frame,
              .run = run,
              .box_of_row = box_of_row};
    tacit_status status = task_init(&t, err);
    for (int32_t a = 0; status == TACIT_OK && a < frame->attribute_count; a++)
        status = apply_attribute(&t, a, err);
    if (status == TACIT_OK)
        mark_starred(&t);
    tacit__free(t.number_of);
    tacit__free(t.starred);
    return status;
}

tacit_status tacit__boxes_apply(tacit_application *application, const tacit_solution *solution,
                                const tacit_frame *frame, const tacit_run *run, tacit_error *err)
{
    size_t rows = (size_t)tacit_table_rows(frame->table);
    uint32_t *box_of_row = tacit__alloc_array(rows, sizeof *box_of_row);
    tacit_status status =
        box_of_row ? tacit__boxes_assign(box_of_row, solution, frame, run, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__boxes_fill(application, box_of_row, solution, frame, run, err);
    tacit__free(box_of_row);
    return status;
}
