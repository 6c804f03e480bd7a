/*
 * mark.c - which rows a solution suppresses.
 *
 * Every row's key is computed again and looked up among the few suppressed
 * classes, behind a filter of one bit a hash that turns most rows away at the
 * cost of one access to the second cache. Of a class that is suppressed only in
 * part, the people (rows, where there is no person column) are drawn by the
 * run's seed, each choice equally likely, by selection sampling in the order of
 * rows or pairs: a choice by position or size would say something about who
 * they are. People who are suppressed in other classes anyway are not drawn;
 * they would not add to the number of people suppressed.
 *
 * Linear in the rows.
 */
#include "records/apply/mark.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "records/classes/classes.h"
#include "records/classes/count.h"

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
    uint32_t *drawn; /* people, ascending for each class */
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

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
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
    qsort(m->drawn + p->start, (size_t)(p->end - p->start), sizeof *m->drawn, ascending);
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
                                        sizeof person, ascending);
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
    tacit__feed_rows(&m.feed, frame, solution->levels, false);
    tacit_status status = list_classes(&m, &parts, err);
    if (status == TACIT_OK && m.count > 0)
        status = mark(&m, parts, run, err);
    marking_clear(&m);
    return status;
}
