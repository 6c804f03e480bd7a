/*
 * check.c - whether a release stands being joined with an earlier one.
 *
 * Three numberings of rows (previous.h says what they are for):
 *   - met: rows with the same values in the join, an attribute at a time the finer label of both
 *     releases. Rows of the earlier release whose people are gone keep its labels;
 *   - old side: rows of a class of the earlier release that show the same in the other columns of
 *     the new one that rows can be joined on. Exchanging two of them changes no row that anybody
 * can see;
 *   - new side: rows of a class of the new release that show the same in them.
 * A row stands in a release if its met or its side has k people there; in the later release, those
 * who are gone are counted too, since nobody knows that they are. Each numbering is a few passes
 * over the rows with a look-up each (base/map.h).
 *
 * That this suffices: in a world where a row's partner is exchanged with that of another row of its
 * side, the other row has its values in the join; and rows of its met have them in the world as it
 * is. So k rows can be the one that is looked for, whatever an adversary knows of it.
 */
#include <tacit/experimental/previous.h>

#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/map.h"
#include "base/parallel.h"

#define NOWHERE UINT32_MAX

/* Groups of items: rows of the data, then rows or classes of the earlier release. */
typedef struct sides {
    uint32_t *group;  /* an item each; NOWHERE: in none */
    uint32_t *people; /* a group each */
    uint32_t count;
} sides;

typedef struct check {
    const tacit_previous_question *question;
    const tacit_previous *previous;
    const tacit_frame *frame;
    int64_t rows;
    uint32_t *example;  /* a class of the earlier release each: a row of the data that was in it */
    uint32_t *gone;     /* and its rows that are nobody's in the data */
    uint64_t *present;  /* bit a row of the earlier release: it is somebody's in the data */
    uint32_t *visible;  /* a row of the data each: what it shows in the linked columns */
    uint32_t *class_of; /* its class in the release; NOWHERE: it is not in it */
    bool hidden;        /* those show nothing at all: whoever is gone fits */
    sides met, old_met, old_side, new_side, classes;
} check;

static void sides_clear(sides *s)
{
    tacit__free(s->group);
    tacit__free(s->people);
}

static void check_clear(check *c)
{
    tacit__free(c->example);
    tacit__free(c->gone);
    tacit__free(c->present);
    tacit__free(c->visible);
    tacit__free(c->class_of);
    sides_clear(&c->met);
    sides_clear(&c->old_met);
    sides_clear(&c->old_side);
    sides_clear(&c->new_side);
    sides_clear(&c->classes);
}

static bool is_released(const check *c, int64_t row)
{
    return !c->question->drop_suppressed || !tacit__bit_get(c->question->release->suppressed, row);
}

/* The class of the earlier release that a row of the data was in. */
static uint32_t old_class(const check *c, int64_t row)
{
    uint32_t old = c->previous->old_of[row];
    return old == TACIT_NO_ROW ? NOWHERE : c->previous->class_of[old];
}

static bool know_classes(check *c)
{
    const tacit_previous *p = c->previous;
    c->example = tacit__alloc_array(p->class_count, sizeof *c->example);
    c->gone = tacit__alloc_zeroed(p->class_count, sizeof *c->gone);
    c->present = tacit__alloc_zeroed(tacit__bitset_words(p->rows), sizeof *c->present);
    if (!c->example || !c->gone || !c->present)
        return false;
    memset(c->example, 0xff, p->class_count * sizeof *c->example);
    for (int64_t row = c->rows; row-- > 0;)
        if (p->old_of[row] != TACIT_NO_ROW) {
            tacit__bit_set(c->present, p->old_of[row]);
            c->example[old_class(c, row)] = (uint32_t)row;
        }
    for (int64_t old = 0; old < p->rows; old++)
        c->gone[p->class_of[old]] += !tacit__bit_get(c->present, old);
    return true;
}

/* ---- numbering ---- */

static bool is_quasi(const check *c, int32_t attribute)
{
    return c->previous->quasi >> attribute & 1;
}

/* A value of an attribute's hierarchy as one number. */
typedef struct value_numbers {
    const tacit_hierarchy *hierarchy;
    tacit_codes_view codes;
    uint32_t offsets[TACIT_MAX_LEVELS];
} value_numbers;

static value_numbers numbers_of(const check *c, int32_t attribute)
{
    const tacit_attribute *at = &c->frame->attributes[attribute];
    value_numbers n = {at->hierarchy, tacit_table_codes(c->frame->table, at->column), {0}};
    uint32_t all = 0;
    for (int level = 0; level <= tacit_hierarchy_height(at->hierarchy); level++) {
        n.offsets[level] = all;
        all += tacit_hierarchy_count(at->hierarchy, level) + 1;
    }
    return n;
}

static uint32_t value_at(const value_numbers *n, int64_t row, int level)
{
    if (level == TACIT_NOT_SHOWN)
        return NOWHERE;
    return n->offsets[level] +
           tacit_hierarchy_map(n->hierarchy, level)[tacit_codes_at(n->codes, row)];
}

static uint8_t released_level(const check *c, int64_t row, int32_t attribute)
{
    return c->question->release->levels[row * c->frame->attribute_count + attribute];
}

/* The finer of both labels; the earlier one's where the row is not released. Levels that are not
 * shown are the highest number. */
static int met_level(const check *c, int64_t row, int32_t attribute)
{
    int before = c->previous->levels[row * c->previous->attributes + attribute];
    int now = is_released(c, row) ? released_level(c, row, attribute) : TACIT_NOT_SHOWN;
    return before < now ? before : now;
}

/* Rows of the data, then classes of the earlier release as their people who are gone are. */
static bool number_met(check *c)
{
    const tacit_previous *p = c->previous;
    int64_t items = c->rows + p->class_count;
    uint32_t *second = tacit__alloc_array((size_t)items, sizeof *second);
    c->met.group = tacit__alloc_zeroed((size_t)items, sizeof *c->met.group);
    bool whole = second && c->met.group;
    for (int32_t a = 0; a < p->attributes && whole; a++) {
        if (!is_quasi(c, a))
            continue;
        value_numbers n = numbers_of(c, a);
        for (int64_t row = 0; row < c->rows; row++)
            second[row] = value_at(&n, row, met_level(c, row, a));
        for (uint32_t class = 0; class < p->class_count; class ++) {
            uint32_t row = c->example[class];
            second[c->rows + class] =
                row == NOWHERE ? NOWHERE - 1 - class
                               : value_at(&n, row, p->levels[(int64_t)row * p->attributes + a]);
        }
        whole = tacit__numbering_pairs(c->met.group, &c->met.count, second, items);
    }
    tacit__free(second);
    return whole;
}

/* Splits the numbers of rows by what they show in the attributes of the quasi-identifier, or in the
 * others; *hidden: whether all of it is on the highest level. */
static bool number_shown(uint32_t *numbers, uint32_t *count, bool *hidden, const check *c,
                         bool quasi)
{
    uint32_t *second = tacit__alloc_array((size_t)c->rows, sizeof *second);
    bool whole = second != NULL;
    for (int32_t a = 0; a < c->frame->attribute_count && whole; a++) {
        if (is_quasi(c, a) != quasi)
            continue;
        value_numbers n = numbers_of(c, a);
        int height = tacit_hierarchy_height(n.hierarchy);
        for (int64_t row = 0; row < c->rows; row++) {
            second[row] = value_at(&n, row, released_level(c, row, a));
            *hidden &= released_level(c, row, a) == height;
        }
        whole = tacit__numbering_pairs(numbers, count, second, c->rows);
    }
    tacit__free(second);
    return whole;
}

/* What rows show beside the quasi-identifier, links among it. */
static bool number_visible(check *c)
{
    uint32_t count = 1;
    c->visible = tacit__alloc_zeroed((size_t)c->rows, sizeof *c->visible);
    if (!c->visible || !tacit__numbering_pairs(c->visible, &count, c->previous->linked, c->rows))
        return false;
    c->hidden = count <= 1;
    return number_shown(c->visible, &count, &c->hidden, c, false);
}

static bool number_released(check *c)
{
    uint32_t count;
    bool hidden = true;
    c->class_of = tacit__alloc_zeroed((size_t)c->rows, sizeof *c->class_of);
    if (!c->class_of || !number_shown(c->class_of, &count, &hidden, c, true))
        return false;
    for (int64_t row = 0; row < c->rows; row++)
        if (!is_released(c, row))
            c->class_of[row] = NOWHERE;
    return true;
}

/* Rows of the data, then of the earlier release. */
static bool number_side(sides *s, const check *c, bool old_side)
{
    const tacit_previous *p = c->previous;
    int64_t items = c->rows + p->rows;
    tacit__numbering pairing = {0};
    bool whole = (s->group = tacit__alloc_array((size_t)items, sizeof *s->group)) != NULL;
    for (int64_t i = 0; i < items && whole; i++) {
        int64_t old = i - c->rows;
        uint32_t class = i < c->rows ? (old_side ? old_class(c, i) : c->class_of[i])
                         : old_side && !tacit__bit_get(c->present, old) ? p->class_of[old]
                                                                        : NOWHERE;
        uint32_t shows = i < c->rows ? c->visible[i] : c->hidden ? 0 : NOWHERE;
        s->group[i] = NOWHERE;
        if (class == NOWHERE || shows == NOWHERE)
            continue;
        s->group[i] = tacit__numbering_add(&pairing, tacit__pair_key(class, shows));
        whole = s->group[i] != TACIT__NONE;
    }
    s->count = pairing.count;
    tacit__numbering_clear(&pairing);
    return whole;
}

/* ---- people ---- */

/* The people among the rows of the data in each group, each counted once. */
static bool count_people(sides *s, const check *c)
{
    tacit__numbering seen = {0};
    int32_t person = c->frame->person;
    tacit_codes_view codes = {0};
    if (person >= 0)
        codes = tacit_table_codes(c->frame->table, person);
    s->people = tacit__alloc_zeroed(s->count, sizeof *s->people);
    bool whole = s->people != NULL;
    for (int64_t row = 0; row < c->rows && whole; row++) {
        if (s->group[row] == NOWHERE)
            continue;
        uint32_t before = seen.count;
        if (person >= 0)
            whole = tacit__numbering_add(
                        &seen, tacit__pair_key(s->group[row], tacit_codes_at(codes, row))) !=
                    TACIT__NONE;
        s->people[s->group[row]] += person < 0 || seen.count > before;
    }
    tacit__numbering_clear(&seen);
    return whole;
}

/* Rows of the data that are in no release are nobody in the join; those that the earlier one
 * does not have are nobody among its rows. */
static bool split_met(check *c)
{
    int64_t items = c->rows + c->previous->class_count;
    c->old_met.count = c->met.count;
    c->old_met.group = tacit__alloc_array((size_t)items, sizeof *c->old_met.group);
    if (!c->old_met.group)
        return false;
    memcpy(c->old_met.group, c->met.group, (size_t)items * sizeof *c->old_met.group);
    for (int64_t row = 0; row < c->rows; row++) {
        if (c->previous->old_of[row] != TACIT_NO_ROW)
            continue;
        c->old_met.group[row] = NOWHERE;
        if (!is_released(c, row))
            c->met.group[row] = NOWHERE;
    }
    return true;
}

static bool count_all(check *c)
{
    const tacit_previous *p = c->previous;
    c->classes.count = p->class_count;
    c->classes.group = tacit__alloc_array((size_t)c->rows, sizeof *c->classes.group);
    if (!c->classes.group)
        return false;
    for (int64_t row = 0; row < c->rows; row++)
        c->classes.group[row] = old_class(c, row);
    if (!split_met(c) || !count_people(&c->met, c) || !count_people(&c->old_met, c) ||
        !count_people(&c->old_side, c) || !count_people(&c->new_side, c) ||
        !count_people(&c->classes, c))
        return false;
    for (uint32_t class = 0; class < p->class_count; class ++) {
        c->met.people[c->met.group[c->rows + class]] += c->gone[class];
        c->old_met.people[c->met.group[c->rows + class]] += c->gone[class];
        c->classes.people[class] += c->gone[class];
    }
    for (int64_t old = 0; old < p->rows; old++)
        if (c->old_side.group[c->rows + old] != NOWHERE)
            c->old_side.people[c->old_side.group[c->rows + old]]++;
    return true;
}

/* ---- the verdict ---- */

static bool has(const sides *s, int64_t item, int64_t people)
{
    return s->group[item] != NOWHERE && s->people[s->group[item]] >= people;
}

/* As many as a class of the earlier release can hide anybody among. */
static int64_t asked_of(const check *c, uint32_t class)
{
    int64_t k = c->question->k, most = class == NOWHERE ? k : c->classes.people[class];
    return most < k ? most : k;
}

static bool stands(const check *c, int64_t row)
{
    uint32_t class = old_class(c, row);
    int64_t asked = asked_of(c, class);
    bool before = class == NOWHERE || has(&c->old_met, row, asked) || has(&c->old_side, row, asked);
    bool now =
        !is_released(c, row) || has(&c->met, row, asked) || has(&c->new_side, row, c->question->k);
    return before && now;
}

static void judge(tacit_previous_answer *out, uint64_t *rows, const check *c)
{
    const tacit_previous *p = c->previous;
    *out = (tacit_previous_answer){0};
    for (int64_t row = 0; row < c->rows; row++) {
        if (c->met.group[row] == NOWHERE || stands(c, row))
            continue;
        out->exposed++;
        if (rows)
            tacit__bit_set(rows, row);
    }
    for (int64_t old = 0; old < p->rows; old++) {
        uint32_t class = p->class_of[old];
        out->weak += c->classes.people[class] < c->question->k;
        if (tacit__bit_get(c->present, old) || c->example[class] == NOWHERE)
            continue;
        int64_t asked = asked_of(c, class);
        out->exposed_gone +=
            !has(&c->old_met, c->rows + class, asked) && !has(&c->old_side, c->rows + old, asked);
    }
}

tacit_status tacit_previous_check(tacit_previous_answer *out, uint64_t *rows,
                                  const tacit_previous_question *question, const tacit_run *run,
                                  tacit_error *err)
{
    check c = {.question = question,
               .previous = question->previous,
               .frame = question->frame,
               .rows = tacit_table_rows(question->frame->table)};
    tacit_status status = tacit__progress(run, "joining", 0, 0, err);
    if (status == TACIT_OK && !(know_classes(&c) && number_met(&c) && number_visible(&c) &&
                                number_released(&c) && number_side(&c.old_side, &c, true) &&
                                number_side(&c.new_side, &c, false) && count_all(&c)))
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        judge(out, rows, &c);
    check_clear(&c);
    return status;
}
