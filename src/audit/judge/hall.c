/*
 * hall.c - Hall's condition on a hierarchy.
 *
 * Without a correspondence, a column of the release is possible if its cells
 * can be assigned to different cells of the original that they generalize. The
 * cells of the original under the values of a hierarchy are nested or disjoint,
 * so Hall's theorem asks only this: for every value of the hierarchy, no more
 * cells of the release are that value or lie below it than the original has
 * cells under it. Cells of rows that are suppressed as a whole go anywhere.
 *
 * Going up from the ground, cells beyond what a value can hold are counted once
 * and not passed on: their sum is the number of cells that must be left over.
 *
 * A label that stands on several levels is placed on the lowest value that
 * covers all its places, so that nothing possible is refused.
 *
 * Cost: a pass over the rows for each attribute, and one over its values.
 */
#include "audit/judge/hall.h"

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"

/* Where a label of the release is on the ladder. */
typedef struct rung {
    int level; /* -1: nowhere */
    uint32_t number;
} rung;

typedef struct hall_work {
    const tacit__ladder *ladder;
    uint32_t codes;    /* of the release, missing among them */
    int64_t *released; /* cells by code of the release, suppressed rows left out */
    rung *rungs;       /* by code of the release */
    int64_t *here;     /* cells of the release at or below a level's values */
    int64_t *above;    /* the same, one level up */
    int64_t *known;    /* cells by code of the original */
    int64_t *room;     /* cells of the original under a level's values */
    int64_t *room_above;
} hall_work;

static rung raise(const tacit__ladder *ladder, rung r, int level)
{
    for (; r.level < level; r.level++)
        r.number = ladder->parents[r.level][r.number];
    return r;
}

/* The lowest value that covers both; on the top level there is one at most. */
static rung cover(const tacit__ladder *ladder, rung a, rung b)
{
    int level = a.level > b.level ? a.level : b.level;
    for (;; level++) {
        a = raise(ladder, a, level);
        b = raise(ladder, b, level);
        if (a.number == b.number || level == ladder->height)
            return b;
    }
}

static uint32_t numbers_on(const tacit__ladder *ladder, int level)
{
    return tacit_hierarchy_count(ladder->hierarchy, level) + 1; /* missing too */
}

/* Whether anything of the original can have a number. The one for missing is
 * nobody's where missing has become a value. */
static bool is_used(const tacit__ladder *ladder, int level, uint32_t number)
{
    if (number == tacit_hierarchy_count(ladder->hierarchy, level))
        return tacit_hierarchy_map(ladder->hierarchy, level)[ladder->ground] == number;
    return level == ladder->height || ladder->parents[level][number] != TACIT__NOWHERE;
}

static void place_labels(hall_work *w)
{
    for (uint32_t code = 0; code < w->codes; code++)
        w->rungs[code].level = -1;
    for (int level = 0; level <= w->ladder->height; level++) {
        for (uint32_t i = 0; i < numbers_on(w->ladder, level); i++) {
            uint32_t code = w->ladder->codes[level][i];
            if (code == TACIT__NOWHERE || !is_used(w->ladder, level, i))
                continue;
            rung here = {level, i};
            rung *known = &w->rungs[code];
            *known = known->level < 0 ? here : cover(w->ladder, *known, here);
        }
    }
}

static void count_released(hall_work *w, const tacit__judge *judge, int32_t column,
                           tacit__tally *unknown)
{
    tacit_codes_view codes = tacit_table_codes(judge->release, column);
    for (int64_t i = 0; i < tacit_table_rows(judge->release); i++) {
        if (tacit__bit_get(judge->suppressed, i))
            continue;
        uint32_t code = tacit_codes_at(codes, i);
        w->released[code]++;
        if (w->rungs[code].level < 0)
            tacit__tally_add(unknown, i);
    }
}

static void count_original(hall_work *w, const tacit__judge *judge, int32_t column)
{
    tacit_codes_view codes = tacit_table_codes(judge->original, column);
    const uint32_t *ground = tacit_hierarchy_map(w->ladder->hierarchy, 0);
    for (int64_t i = 0; i < tacit_table_rows(judge->original); i++)
        w->known[tacit_codes_at(codes, i)]++;
    for (uint32_t i = 0; i <= w->ladder->ground; i++)
        w->room[ground[i]] += w->known[i];
}

static void swap(int64_t **a, int64_t **b)
{
    int64_t *t = *a;
    *a = *b;
    *b = t;
}

/* Passes on what a level's values hold, and returns what they cannot hold. */
static int64_t climb(hall_work *w, int level)
{
    int64_t excess = 0;
    uint32_t count = numbers_on(w->ladder, level);
    bool top = level == w->ladder->height;
    for (uint32_t i = 0; !top && i < numbers_on(w->ladder, level + 1); i++)
        w->above[i] = w->room_above[i] = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t over = w->here[i] > w->room[i] ? w->here[i] - w->room[i] : 0;
        excess += over;
        if (top || !is_used(w->ladder, level, i))
            continue;
        uint32_t parent = w->ladder->parents[level][i];
        w->above[parent] += w->here[i] - over;
        w->room_above[parent] += w->room[i];
    }
    swap(&w->here, &w->above);
    swap(&w->room, &w->room_above);
    return excess;
}

static int64_t count_excess(hall_work *w)
{
    int64_t excess = 0;
    for (int level = 0; level <= w->ladder->height; level++) {
        for (uint32_t code = 0; code < w->codes; code++)
            if (w->rungs[code].level == level)
                w->here[w->rungs[code].number] += w->released[code];
        excess += climb(w, level);
    }
    return excess;
}

/* Whether every released value stands on a level. */
static bool all_stand_on(hall_work *w, int level)
{
    for (uint32_t code = 0; code < w->codes; code++)
        w->rungs[code].level = -1;
    for (uint32_t i = 0; i < numbers_on(w->ladder, level); i++)
        if (w->ladder->codes[level][i] != TACIT__NOWHERE && is_used(w->ladder, level, i))
            w->rungs[w->ladder->codes[level][i]].level = level;
    for (uint32_t code = 0; code < w->codes; code++)
        if (w->released[code] && w->rungs[code].level != level)
            return false;
    return true;
}

/* Whether nothing in the original becomes a released value on other levels
 * without becoming it on this one, so that this level explains all there is. */
static bool explains_all(const hall_work *w, int level)
{
    for (uint32_t value = 0; value <= w->ladder->ground; value++) {
        if (!w->known[value])
            continue;
        uint32_t here = tacit__image(w->ladder, level, value);
        for (int other = 0; other <= w->ladder->height; other++) {
            uint32_t code = tacit__image(w->ladder, other, value);
            if (code != TACIT__NOWHERE && code != here && w->released[code])
                return false;
        }
    }
    return true;
}

/* The level that all released values are on; the highest, since what a label
 * covers grows on the way up, but one that explains all before any other. */
static void find_level(hall_work *w, tacit__hall *hall)
{
    for (int level = w->ladder->height; level >= 0 && !hall->only_level; level--) {
        if (!all_stand_on(w, level))
            continue;
        hall->only_level = explains_all(w, level);
        if (hall->level < 0 || hall->only_level)
            hall->level = level;
    }
}

static size_t widest_level(const tacit__ladder *ladder)
{
    size_t widest = 0;
    for (int level = 0; level <= ladder->height; level++)
        if (numbers_on(ladder, level) > widest)
            widest = numbers_on(ladder, level);
    return widest;
}

typedef struct hall_job {
    tacit__judge *judge;
    const tacit__ladder *ladders;
    tacit__hall *out;
} hall_job;

static tacit_status check_attribute(void *context, int64_t attribute, int worker, tacit_error *err)
{
    (void)worker;
    const hall_job *job = context;
    const tacit__judge *judge = job->judge;
    hall_work w = {.ladder = &job->ladders[attribute]};
    size_t widest = widest_level(w.ladder);
    w.codes = tacit_table_distinct(judge->release, judge->attribute[attribute]) + 1;
    w.released = tacit__alloc_zeroed(w.codes, sizeof *w.released);
    w.rungs = tacit__alloc_zeroed(w.codes, sizeof *w.rungs);
    w.here = tacit__alloc_zeroed(widest, sizeof *w.here);
    w.above = tacit__alloc_zeroed(widest, sizeof *w.above);
    w.known = tacit__alloc_zeroed((size_t)w.ladder->ground + 1, sizeof *w.known);
    w.room = tacit__alloc_zeroed(widest, sizeof *w.room);
    w.room_above = tacit__alloc_zeroed(widest, sizeof *w.room_above);
    bool whole = w.released && w.rungs && w.here && w.above && w.known && w.room && w.room_above;
    if (whole) {
        tacit__hall hall = {.level = -1};
        place_labels(&w);
        count_released(&w, judge, judge->attribute[attribute], &hall.unknown);
        count_original(&w, judge, judge->ground[attribute]);
        hall.excess = count_excess(&w);
        find_level(&w, &hall);
        job->out[attribute] = hall;
    }
    tacit__free(w.released);
    tacit__free(w.rungs);
    tacit__free(w.here);
    tacit__free(w.above);
    tacit__free(w.known);
    tacit__free(w.room);
    tacit__free(w.room_above);
    return whole ? TACIT_OK : tacit__nomem(err);
}

tacit_status tacit__hall_check(tacit__hall *out, tacit__judge *judge, const tacit__ladder *ladders,
                               tacit_error *err)
{
    hall_job job = {.judge = judge, .ladders = ladders, .out = out};
    return tacit__parallel(judge->run, "judging values", judge->promise->attribute_count,
                           check_attribute, &job, err);
}
