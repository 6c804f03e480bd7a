/*
 * apply.c - a solution on the rows it was made for: which rows are suppressed, what each value is
 * released as, and in which order rows leave.
 *
 * The writer gets one label a value, not one a row; so where attributes are on one level each,
 * apart from the bit and the place of each row, cost follows the number of distinct values.
 *
 * A cell-level solution: there may be millions of boxes but an attribute has few values: so each
 * attribute gets a label for every value of every level, and each row a small number that says
 * which, taken from its box. Cells on the ground share one number that leaves them as they are.
 * Linear in rows times attributes, one byte a cell where an attribute has fewer than 256
 * generalized values.
 *
 * Suppressed rows: every row's key is computed again and looked up among the few suppressed
 * classes, behind a filter of one bit a hash that turns most rows away at the cost of one access
 * to the second cache. Of a class that is suppressed only in part, the people (rows, where there
 * is no person column) are drawn by the run's seed, each choice equally likely, by selection
 * sampling in the order of rows or pairs: a choice by position or size would say something about
 * who they are. People who are suppressed in other classes anyway are not drawn; they would not
 * add to the number of people suppressed. Linear in the rows.
 */
#include "records/apply/apply.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <tacit/experimental/records.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/sort.h"
#include "records/classes/classes.h"

/* A class that is suppressed in part. */
typedef struct part {
    int64_t wanted; /* people still to be drawn */
    int64_t left;   /* people still to be drawn from */
    int64_t start;  /* of its people drawn, in `drawn` of the marking */
    int64_t end;
} part;

typedef struct marking {
    const tacit_solution *solution;
    const tacit_frame *frame;
    uint64_t *suppressed;
    uint64_t *candidates; /* bit a row in a class that is suppressed in part */
    tacit__feed feed;
    tacit__encoder encoder;
    int64_t count; /* suppressed classes */
    int64_t *classes;
    uint64_t *keys; /* of these classes */
    tacit__key_index index;
    uint64_t *filter;
    int filter_shift;
    part *parts;     /* one each of these classes; none where all go whole */
    uint32_t *drawn; /* people, tacit__by_uint32 for each class */
} marking;

static bool is_whole(const tacit_solution *solution, int64_t class)
{
    return solution->suppressed[class] == tacit_classes_people(solution->classes, class);
}

/* Lists the suppressed classes. */
static tacit_status list_classes(marking *m, bool *parts, tacit_error *err)
{
    const tacit_solution *solution = m->solution;
    int64_t classes = tacit_classes_count(solution->classes);
    for (int64_t c = 0; c < classes; c++) {
        m->count += solution->suppressed[c] > 0;
        *parts |= solution->suppressed[c] > 0 && !is_whole(solution, c);
    }
    m->classes = tacit__alloc_array((size_t)m->count, sizeof *m->classes);
    m->keys = tacit__alloc_array((size_t)m->count, sizeof *m->keys);
    if (!m->classes || !m->keys)
        return tacit__nomem(err);
    for (int64_t c = 0, at = 0; c < classes; c++) {
        if (solution->suppressed[c] == 0)
            continue;
        m->classes[at] = c;
        m->keys[at++] = solution->classes->groups.keys[c];
    }
    return tacit__key_index_build(&m->index, m->keys, m->count, err);
}

static tacit_status make_filter(marking *m, tacit_error *err)
{
    int bits = 10;
    while (bits < 40 && (int64_t)1 << bits < 16 * m->count)
        bits++;
    m->filter_shift = 64 - bits;
    m->filter = tacit__alloc_zeroed(tacit__bitset_words((int64_t)1 << bits), sizeof *m->filter);
    if (!m->filter)
        return tacit__nomem(err);
    for (int64_t i = 0; i < m->count; i++)
        tacit__bit_set(m->filter, (int64_t)(tacit__mix(m->keys[i]) >> m->filter_shift));
    return TACIT_OK;
}

static void mark_row(marking *m, int64_t row, uint64_t key)
{
    uint32_t place = tacit__key_index_find(&m->index, key);
    if (place == TACIT__NO_PLACE)
        return;
    bool whole = is_whole(m->solution, m->classes[place]);
    tacit__bit_set(whole ? m->suppressed : m->candidates, row);
}

/* Tasks are cut at whole words of the bitsets. */
static tacit_status mark_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    marking *m = context;
    int64_t size = tacit__task_items(m->feed.count);
    int64_t from = task * size, end = from + size < m->feed.count ? from + size : m->feed.count;
    uint64_t keys[TACIT__ENCODE_BLOCK];
    for (; from < end; from += TACIT__ENCODE_BLOCK) {
        int64_t count = end - from < TACIT__ENCODE_BLOCK ? end - from : TACIT__ENCODE_BLOCK;
        tacit__encode(&m->encoder, from, count, keys);
        for (int64_t i = 0; i < count; i++)
            if (tacit__bit_get(m->filter, (int64_t)(tacit__mix(keys[i]) >> m->filter_shift)))
                mark_row(m, from + i, keys[i]);
    }
    return TACIT_OK;
}

/* Whether the next of a class's people is drawn: each subset of the wanted size
 * is equally likely. */
static bool draw(part *p, tacit__random *random)
{
    bool drawn = p->wanted > 0 && tacit__random_below(random, (uint32_t)p->left) < p->wanted;
    p->left--;
    p->wanted -= drawn;
    return drawn;
}

/* Bits of people in classes that are suppressed whole. */
static void mark_people(uint64_t *people, const marking *m, const tacit__lists *pairs)
{
    const tacit_classes *classes = m->solution->classes;
    for (int64_t s = 0; s < m->count; s++) {
        int64_t c = m->classes[s];
        if (is_whole(m->solution, c))
            for (int64_t i = pairs->starts[c]; i < pairs->starts[c + 1]; i++)
                tacit__bit_set(people, tacit__pair_person(classes, pairs->list[i]));
    }
}

/* Draws the people of one class into m->drawn. */
static void draw_class(marking *m, part *p, int64_t class, const tacit__lists *pairs,
                       const uint64_t *gone, tacit__random *random)
{
    const tacit_classes *classes = m->solution->classes;
    p->left = 0;
    for (int64_t i = pairs->starts[class]; i < pairs->starts[class + 1]; i++)
        p->left += !tacit__bit_get(gone, tacit__pair_person(classes, pairs->list[i]));
    for (int64_t i = pairs->starts[class]; i < pairs->starts[class + 1]; i++) {
        uint32_t person = tacit__pair_person(classes, pairs->list[i]);
        if (!tacit__bit_get(gone, person) && draw(p, random))
            m->drawn[p->end++] = person;
    }
    qsort(m->drawn + p->start, (size_t)(p->end - p->start), sizeof *m->drawn, tacit__by_uint32);
}

/* Draws the people of every class that is suppressed in part. */
static void draw_classes(marking *m, const tacit__lists *pairs, const uint64_t *gone,
                         const tacit_run *run)
{
    tacit__random random;
    int64_t at = 0;
    tacit__random_init(&random, run, "part", 0);
    for (int64_t s = 0; s < m->count; s++) {
        if (is_whole(m->solution, m->classes[s]))
            continue;
        m->parts[s].start = m->parts[s].end = at;
        draw_class(m, &m->parts[s], m->classes[s], pairs, gone, &random);
        at = m->parts[s].end;
    }
}

static tacit_status draw_people(marking *m, const tacit_run *run, tacit_error *err)
{
    tacit__lists pairs = {0};
    int64_t codes = (int64_t)tacit_table_distinct(m->frame->table, m->frame->person) + 1;
    int64_t people = 0;
    for (int64_t s = 0; s < m->count; s++)
        people += m->solution->suppressed[m->classes[s]];
    m->drawn = tacit__alloc_array((size_t)people, sizeof *m->drawn);
    uint64_t *gone = tacit__alloc_zeroed(tacit__bitset_words(codes), sizeof *gone);
    tacit_status status = m->drawn && gone
                              ? tacit__classes_pairs(&pairs, m->solution->classes, run, err)
                              : tacit__nomem(err);
    if (status == TACIT_OK) {
        mark_people(gone, m, &pairs);
        draw_classes(m, &pairs, gone, run);
    }
    tacit__lists_clear(&pairs);
    tacit__free(gone);
    return status;
}

static bool is_drawn(const marking *m, const part *p, uint32_t person)
{
    return p->end > p->start && bsearch(&person, m->drawn + p->start, (size_t)(p->end - p->start),
                                        sizeof person, tacit__by_uint32);
}

/* Decides about the candidates, in the order of rows. */
static void mark_candidates(marking *m, const tacit_run *run)
{
    tacit__random random;
    tacit_codes_view people = {0};
    if (m->frame->person >= 0)
        people = tacit_table_codes(m->frame->table, m->frame->person);
    tacit__random_init(&random, run, "part", 0);
    for (size_t w = 0; w < tacit__bitset_words(m->feed.count); w++)
        for (uint64_t word = m->candidates[w]; word; word &= word - 1) {
            int64_t row = (int64_t)w * 64 + __builtin_ctzll(word);
            uint64_t key;
            tacit__encode(&m->encoder, row, 1, &key);
            part *p = &m->parts[tacit__key_index_find(&m->index, key)];
            if (people.data ? is_drawn(m, p, tacit_codes_at(people, row)) : draw(p, &random))
                tacit__bit_set(m->suppressed, row);
        }
}

static tacit_status prepare_parts(marking *m, const tacit_run *run, tacit_error *err)
{
    m->parts = tacit__alloc_zeroed((size_t)m->count, sizeof *m->parts);
    m->candidates = tacit__alloc_zeroed(tacit__bitset_words(m->feed.count), sizeof(uint64_t));
    if (!m->parts || !m->candidates)
        return tacit__nomem(err);
    for (int64_t s = 0; s < m->count; s++) {
        m->parts[s].wanted = m->solution->suppressed[m->classes[s]];
        m->parts[s].left = tacit_classes_people(m->solution->classes, m->classes[s]);
    }
    return m->frame->person >= 0 ? draw_people(m, run, err) : TACIT_OK;
}

static void marking_clear(marking *m)
{
    tacit__free(m->classes);
    tacit__free(m->keys);
    tacit__free(m->filter);
    tacit__free(m->parts);
    tacit__free(m->candidates);
    tacit__free(m->drawn);
    tacit__key_index_clear(&m->index);
    tacit__encoder_clear(&m->encoder);
    tacit__feed_clear(&m->feed);
}

static tacit_status mark(marking *m, bool parts, const tacit_run *run, tacit_error *err)
{
    tacit_status status =
        tacit__encoder_init(&m->encoder, &m->solution->classes->groups.coder, &m->feed, err);
    if (status == TACIT_OK)
        status = make_filter(m, err);
    if (status == TACIT_OK && parts)
        status = prepare_parts(m, run, err);
    if (status == TACIT_OK)
        status =
            tacit__parallel(run, "suppressing", tacit__tasks(m->feed.count), mark_task, m, err);
    if (status == TACIT_OK && parts)
        mark_candidates(m, run);
    return status;
}

tacit_status tacit__mark_suppressed(uint64_t *suppressed, const tacit_solution *solution,
                                    const tacit_frame *frame, const tacit_run *run,
                                    tacit_error *err)
{
    marking m = {.solution = solution, .frame = frame, .suppressed = suppressed};
    bool parts = false;
    tacit_status status = tacit__feed_rows(&m.feed, frame, solution->levels, false, err);
    if (status == TACIT_OK)
        status = list_classes(&m, &parts, err);
    if (status == TACIT_OK && m.count > 0)
        status = mark(&m, parts, run, err);
    marking_clear(&m);
    return status;
}

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

static tacit_status make_box_labels(tacit_application *application, const label_list *list,
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
    tacit_status status = make_box_labels(t->application, &list, hierarchy, attribute, err);
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

/* Fills codes, labels and suppressed rows of an application whose arrays for the
 * attributes are there, a box given for each row. */
static tacit_status fill_boxes(tacit_application *application, const uint32_t *box_of_row,
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

/* Fills codes, labels and suppressed rows of an application whose arrays for the
 * attributes are there. A row is suppressed whose every value is "*". */
static tacit_status apply_boxes(tacit_application *application, const tacit_solution *solution,
                                const tacit_frame *frame, const tacit_run *run, tacit_error *err)
{
    size_t rows = (size_t)tacit_table_rows(frame->table);
    uint32_t *box_of_row = tacit__alloc_array(rows, sizeof *box_of_row);
    tacit_status status =
        box_of_row ? tacit__boxes_assign(box_of_row, solution, frame, run, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = fill_boxes(application, box_of_row, solution, frame, run, err);
    tacit__free(box_of_row);
    return status;
}

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
    tacit_status status = fill_boxes(application, placed->box_of_row, solution, frame, run, err);
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
        status = solution->boxes ? apply_boxes(application, solution, frame, run, err)
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
