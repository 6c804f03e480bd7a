/*
 * frames.c - which directions span subtables together; see frames.h.
 *
 * For every cell, the sets of directions through it that cross pairwise and that no other of them
 * can be added to: maximal cliques, listed by Bron and Kerbosch's method with a pivot, over bits.
 * In a table of dimensions these are all choices of one direction for each dimension, as many as
 * the cell has subtables. Where a cell has more than MOST_FRAMES, each of its directions is a frame
 * of its own. A cell in more relations than are looked at has none; it is in those of its
 * neighbours.
 *
 * Frames are the same for most cells, so each is kept once, found by its hash.
 */
#include "cells/subtables/frames.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/vector.h"

/* Frames of one cell. */
enum { MOST_FRAMES = 4096 };

typedef struct work {
    const tacit__terms *terms;
    const tacit__directions *directions;
    tacit__frames *frames;
    size_t frame_room;
    tacit__map map;    /* of frames */
    uint64_t *members; /* pairs of frame and cell */
    size_t member_room;
    int64_t member_count;
    int32_t cell; /* in hand, and the directions through it */
    int32_t count;
    int32_t through[TACIT__MOST_USES];
    uint64_t crossing[TACIT__MOST_USES]; /* bits of those that cross it */
    int32_t found;                       /* frames of this cell */
    int64_t before;                      /* members before it */
} work;

/* ---- each frame once ---- */

static uint64_t hash_of(const tacit__frame *frame)
{
    return tacit__hash_bytes((const char *)frame, sizeof *frame);
}

/* The number of a frame, which is new where it was not seen before; -1: out of memory. */
static int32_t number_of(work *w, const tacit__frame *frame)
{
    tacit__frames *f = w->frames;
    uint64_t hash = hash_of(frame);
    size_t probe = 0;
    for (uint32_t number; (number = tacit__map_next(&w->map, hash, &probe)) != TACIT__NONE;)
        if (!memcmp(&f->list[number], frame, sizeof *frame))
            return (int32_t)number;
    if (!TACIT__RESERVE_ONE(f->list, w->frame_room, f->count) || !tacit__map_add(&w->map, hash))
        return -1;
    f->list[f->count] = *frame;
    return f->count++;
}

/* The cell in hand has the frame of these directions. */
static tacit_status add_frame(work *w, uint64_t bits, tacit_error *err)
{
    tacit__frame frame = {0};
    for (int32_t i = 0; i < w->count; i++)
        if (bits >> i & 1)
            frame.directions[frame.axes++] = w->through[i];
    int32_t number = number_of(w, &frame);
    if (number < 0 || !TACIT__RESERVE_ONE(w->members, w->member_room, w->member_count))
        return tacit__nomem(err);
    w->members[w->member_count++] = tacit__pair(number, w->cell);
    w->found++;
    return TACIT_OK;
}

/* ---- the frames of a cell ---- */

static int32_t lowest_bit(uint64_t bits)
{
    int32_t bit = 0;
    while (!(bits >> bit & 1))
        bit++;
    return bit;
}

static int32_t count_bits(uint64_t bits)
{
    int32_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* The one that crosses most of those that may be added: nothing is missed by adding only what
 * does not cross it. */
static int32_t pivot_of(const work *w, uint64_t may, uint64_t done)
{
    int32_t best = -1, most = -1;
    for (uint64_t rest = may | done; rest; rest &= rest - 1) {
        int32_t bit = lowest_bit(rest), count = count_bits(may & w->crossing[bit]);
        if (count > most) {
            best = bit;
            most = count;
        }
    }
    return best;
}

/* chosen: the directions so far; may: those that cross all of them; done: those that do, but were
 * tried before. As deep as a table has dimensions. */
static tacit_status extend(work *w, uint64_t chosen, uint64_t may, uint64_t done, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (w->found > MOST_FRAMES)
        return TACIT_OK;
    if (!(may | done) || count_bits(chosen) == TACIT_MAX_DIMENSIONS)
        return add_frame(w, chosen, err);
    uint64_t add = may & ~w->crossing[pivot_of(w, may, done)];
    for (; add && status == TACIT_OK; add &= add - 1) {
        int32_t bit = lowest_bit(add);
        uint64_t own = UINT64_C(1) << bit, crossing = w->crossing[bit];
        status = extend(w, chosen | own, may & crossing, done & crossing, err);
        may &= ~own;
        done |= own;
    }
    return status;
}

/* Directions through the cell in hand, ascending. */
static void list_directions(work *w)
{
    const tacit__terms *t = w->terms;
    w->count = 0;
    for (int32_t k = t->starts[w->cell]; k < t->starts[w->cell + 1]; k++) {
        int32_t direction = w->directions->of[t->relation[t->list[k]]], at = w->count;
        if (direction < 0)
            continue;
        for (; at > 0 && w->through[at - 1] > direction; at--)
            w->through[at] = w->through[at - 1];
        w->through[at] = direction;
        w->count++;
    }
    for (int32_t i = 0; i < w->count; i++) {
        w->crossing[i] = 0;
        for (int32_t j = 0; j < w->count; j++)
            if (tacit__directions_cross(w->directions, w->through[i], w->through[j]))
                w->crossing[i] |= UINT64_C(1) << j;
    }
}

/* Every direction through the cell by itself. */
static tacit_status add_alone(work *w, tacit_error *err)
{
    const tacit__terms *t = w->terms;
    tacit_status status = TACIT_OK;
    w->member_count = w->before;
    w->count = 1;
    for (int32_t k = t->starts[w->cell]; k < t->starts[w->cell + 1] && status == TACIT_OK; k++) {
        w->through[0] = w->directions->of[t->relation[t->list[k]]];
        if (w->through[0] >= 0)
            status = add_frame(w, 1, err);
    }
    return status;
}

static tacit_status do_cell(work *w, int32_t cell, tacit_error *err)
{
    w->cell = cell;
    w->found = 0;
    w->before = w->member_count;
    if (tacit__uses(w->terms, cell) > TACIT__MOST_USES)
        return TACIT_OK;
    list_directions(w);
    if (w->count == 0)
        return TACIT_OK;
    uint64_t all = ~UINT64_C(0) >> (64 - w->count);
    tacit_status status = extend(w, 0, all, 0, err);
    return status == TACIT_OK && w->found > MOST_FRAMES ? add_alone(w, err) : status;
}

/* ---- the whole ---- */

/* Cells by frame, from pairs which are by cell. */
static tacit_status list_members(work *w, tacit_error *err)
{
    tacit__frames *f = w->frames;
    f->starts = tacit__alloc_zeroed((size_t)f->count + 2, sizeof *f->starts);
    f->cells = tacit__alloc_array((size_t)w->member_count, sizeof *f->cells);
    if (!f->starts || !f->cells)
        return tacit__nomem(err);
    int64_t *next = f->starts + 1;
    for (int64_t i = 0; i < w->member_count; i++)
        next[(w->members[i] >> 32) + 1]++;
    for (int32_t i = 0; i < f->count; i++)
        next[i + 1] += next[i];
    for (int64_t i = 0; i < w->member_count; i++)
        f->cells[next[w->members[i] >> 32]++] = (int32_t)(uint32_t)w->members[i];
    return TACIT_OK;
}

tacit_status tacit__frames_init(tacit__frames *frames, const tacit_cells *cells,
                                const tacit__terms *terms, const tacit__directions *directions,
                                tacit_error *err)
{
    work w = {.terms = terms, .directions = directions, .frames = frames};
    tacit_status status = TACIT_OK;
    *frames = (tacit__frames){0};
    for (int32_t i = 0; i < cells->count && status == TACIT_OK; i++)
        status = do_cell(&w, i, err);
    if (status == TACIT_OK)
        status = list_members(&w, err);
    tacit__map_clear(&w.map);
    tacit__free(w.members);
    if (status != TACIT_OK)
        tacit__frames_clear(frames);
    return status;
}

void tacit__frames_clear(tacit__frames *frames)
{
    tacit__free(frames->list);
    tacit__free(frames->starts);
    tacit__free(frames->cells);
    *frames = (tacit__frames){0};
}
