/*
 * parts.c - parts by a further column; see parts.h.
 *
 * A part is dealt by value in two passes over its members. Where some miss the
 * value and missing matches anything, they are members of every value's part,
 * and there is one more part, of those who miss it, which all others match.
 * Linear in the members that come out.
 */
#include "uniques/parts.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

tacit_status tacit__refiner_init(tacit__refiner *refiner, const tacit__ground *ground,
                                 tacit__keep_fn keep, void *context, tacit_error *err)
{
    *refiner = (tacit__refiner){.ground = ground, .keep = keep, .context = context};
    refiner->places = tacit__alloc_zeroed(ground->values, sizeof *refiner->places);
    refiner->owns = tacit__alloc_zeroed(ground->values, sizeof *refiner->owns);
    refiner->values = tacit__alloc_array(ground->values, sizeof *refiner->values);
    refiner->dealt = tacit__alloc_array(ground->items, sizeof *refiner->dealt);
    if (refiner->places && refiner->owns && refiner->values && refiner->dealt)
        return TACIT_OK;
    tacit__refiner_clear(refiner);
    return tacit__nomem(err);
}

void tacit__refiner_clear(tacit__refiner *refiner)
{
    tacit__free(refiner->places);
    tacit__free(refiner->owns);
    tacit__free(refiner->values);
    tacit__free(refiner->dealt);
    *refiner = (tacit__refiner){0};
}

void tacit__parts_clear(tacit__uniques_parts *partition)
{
    tacit__free(partition->members);
    tacit__free(partition->parts);
    *partition = (tacit__uniques_parts){0};
}

static bool reserve(tacit__uniques_parts *p, size_t members)
{
    void *block = p->members, *parts = p->parts;
    bool fits =
        tacit__reserve(&block, &p->members_room, p->member_count + members, sizeof *p->members);
    p->members = block;
    fits = fits && tacit__reserve(&parts, &p->parts_room, p->part_count + 1, sizeof *p->parts);
    p->parts = parts;
    return fits;
}

tacit_status tacit__parts_init(tacit__uniques_parts *partition, const tacit__ground *ground,
                               tacit_error *err)
{
    *partition = (tacit__uniques_parts){0};
    if (!reserve(partition, ground->items)) {
        tacit__parts_clear(partition);
        return tacit__nomem(err);
    }
    for (uint32_t i = 0; i < ground->items; i++)
        partition->members[i] = i;
    partition->member_count = ground->items;
    partition->parts[0] = (tacit__uniques_part){
        .size = ground->items, .own = ground->items, .weight = ground->distinct->rows};
    partition->part_count = ground->items > 0;
    return TACIT_OK;
}

static inline uint32_t cell_of(const tacit__refiner *r, uint32_t item, int column)
{
    return tacit__ground_cells(r->ground, item)[column];
}

/* Keeps the members behind the last part as a part, if it is wanted. */
static void close_part(tacit__uniques_parts *to, tacit__refiner *r, size_t size, uint32_t own)
{
    tacit__uniques_part part = {.start = to->member_count, .size = (uint32_t)size, .own = own};
    for (size_t i = 0; i < size; i++)
        part.weight += r->ground->weights[to->members[part.start + i]];
    if (!r->keep(r->context, &part, to->members + part.start))
        return;
    to->parts[to->part_count++] = part;
    to->member_count += size;
}

/* Deals the members of a part by value, in their order; returns the number of
 * values. Members that match any value are none; they come last. */
static uint32_t deal(tacit__refiner *r, const tacit__uniques_part *part, const uint32_t *members,
                     int column)
{
    uint32_t count = 0, at = 0;
    for (uint32_t i = 0; i < part->size; i++) {
        uint32_t value = cell_of(r, members[i], column);
        bool wild = tacit__ground_wild(r->ground, column, value);
        if (!r->places[value]++ && !wild)
            r->values[count++] = value;
        r->owns[value] += i < part->own;
    }
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t value = i < count ? r->values[i] : r->ground->base[column] + 1;
        uint32_t size = r->places[value];
        if (i == count && !r->ground->wild)
            break;
        r->places[value] = at;
        at += size;
    }
    for (uint32_t i = 0; i < part->size; i++)
        r->dealt[r->places[cell_of(r, members[i], column)]++] = members[i];
    return count;
}

/* The part of those who miss the value, own ones first, then everybody else. */
static bool split_missing(tacit__uniques_parts *to, tacit__refiner *r,
                          const tacit__uniques_part *part, const uint32_t *members, int column,
                          uint32_t missing)
{
    uint32_t wild = r->ground->base[column] + 1, own = r->owns[wild];
    if (!reserve(to, part->size))
        return false;
    uint32_t *at = to->members + to->member_count;
    for (uint32_t i = 0; i < missing; i++)
        *at++ = r->dealt[part->size - missing + i];
    for (uint32_t i = 0; i < part->size; i++)
        if (cell_of(r, members[i], column) != wild)
            *at++ = members[i];
    close_part(to, r, part->size, own);
    return true;
}

/* The part of one value, which ends at its place, and of those who match any. */
static bool split_value(tacit__uniques_parts *to, tacit__refiner *r,
                        const tacit__uniques_part *part, uint32_t from, uint32_t value,
                        uint32_t missing)
{
    uint32_t size = r->places[value] - from;
    if (!reserve(to, (size_t)size + missing))
        return false;
    uint32_t *at = to->members + to->member_count;
    memcpy(at, r->dealt + from, size * sizeof *at);
    memcpy(at + size, r->dealt + part->size - missing, missing * sizeof *at);
    close_part(to, r, (size_t)size + missing, r->owns[value]);
    return true;
}

static bool split(tacit__uniques_parts *to, tacit__refiner *r, const tacit__uniques_part *part,
                  const uint32_t *members, int column)
{
    uint32_t count = deal(r, part, members, column), from = 0, missing = 0;
    uint32_t wild = r->ground->base[column] + 1;
    bool fits = true;
    if (r->ground->wild) {
        missing = part->size - (count ? r->places[r->values[count - 1]] : 0);
        if (r->owns[wild])
            fits = split_missing(to, r, part, members, column, missing);
        r->places[wild] = r->owns[wild] = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = r->values[i], end = r->places[value];
        if (fits && r->owns[value])
            fits = split_value(to, r, part, from, value, missing);
        from = end;
        r->places[value] = r->owns[value] = 0;
    }
    return fits;
}

tacit_status tacit__parts_refine(tacit__uniques_parts *to, const tacit__uniques_parts *from,
                                 int column, tacit__refiner *refiner, tacit_error *err)
{
    to->member_count = to->part_count = 0;
    for (size_t i = 0; i < from->part_count; i++)
        if (!split(to, refiner, &from->parts[i], from->members + from->parts[i].start, column))
            return tacit__nomem(err);
    return TACIT_OK;
}
