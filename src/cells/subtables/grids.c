/*
 * grids.c - subtables of a table without dimensions; see subtables.h.
 *
 * A frame is a set of directions (directions.h) that all cross each other and that none can be
 * added to. A cell is in every frame that its relations have: for a table of dimensions, one
 * direction for each of them, as a part or as a total. The cells of a frame fall into
 * pieces which its relations do not connect; each is a subtable.
 *
 * Its cells stand on a grid by their codes in each direction, the total first. Places without a
 * cell are zeros that were left out. That no two cells have the same place, and that every line
 * along an axis is one relation, is checked; where it does not hold, or the grid would be
 * much larger than the table, there are only cells and relations. Relations that cross nothing
 * are subtables of one axis. Together subtables have every relation at least once, but for those
 * that only have cells of very many relations.
 *
 * Linear in the cells of all subtables, but for sorting.
 */
#include "cells/subtables/subtables.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/vector.h"
#include "cells/subtables/directions.h"
#include "graph/graph.h"

/* Which directions of a table without dimensions span subtables together.
 *
 * For every cell, the sets of directions through it that cross pairwise and that no other of them
 * can be added to: maximal cliques, listed by Bron and Kerbosch's method with a pivot, over bits.
 * In a table of dimensions these are all choices of one direction for each dimension, as many as
 * the cell has subtables. Where a cell has more than MOST_FRAMES, each of its directions is a frame
 * of its own. A cell in more relations than are looked at has none; it is in those of its
 * neighbours.
 *
 * Frames are the same for most cells, so each is kept once, found by its hash. */

/* Directions that all cross each other, ascending, as many as meet in a cell. */
typedef struct tacit__subtables_frame {
    int32_t axes;
    int32_t directions[TACIT_MAX_DIMENSIONS];
} tacit__subtables_frame;

typedef struct tacit__frames {
    int32_t count;
    tacit__subtables_frame *list;
    int64_t *starts; /* count + 1 */
    int32_t *cells;  /* of frame f: from starts[f] to starts[f + 1], ascending */
} tacit__frames;

static void frames_clear(tacit__frames *frames);

/* Frames of one cell. */
enum { MAX_FRAMES = 4096 };

typedef struct frames_work {
    const tacit__terms *terms;
    const tacit__directions *directions;
    tacit__frames *frames;
    size_t frame_capacity;
    tacit__map map;    /* of frames */
    uint64_t *members; /* pairs of frame and cell */
    size_t member_capacity;
    int64_t member_count;
    int32_t cell; /* in hand, and the directions through it */
    int32_t count;
    int32_t through[TACIT__MAX_USES];
    uint64_t crossing[TACIT__MAX_USES]; /* bits of those that cross it */
    int32_t found;                      /* frames of this cell */
    int64_t before;                     /* members before it */
} frames_work;

/* ---- each frame once ---- */

static uint64_t hash_of(const tacit__subtables_frame *frame)
{
    return tacit__hash_bytes((const char *)frame, sizeof *frame);
}

/* The number of a frame, which is new where it was not seen before; -1: out of memory. */
static int32_t number_of(frames_work *w, const tacit__subtables_frame *frame)
{
    tacit__frames *f = w->frames;
    uint64_t hash = hash_of(frame);
    size_t probe = 0;
    for (uint32_t number; (number = tacit__map_next(&w->map, hash, &probe)) != TACIT__NONE;)
        if (!memcmp(&f->list[number], frame, sizeof *frame))
            return (int32_t)number;
    if (!TACIT__RESERVE_ONE(f->list, w->frame_capacity, f->count) || !tacit__map_add(&w->map, hash))
        return -1;
    f->list[f->count] = *frame;
    return f->count++;
}

/* The cell in hand has the frame of these directions. */
static tacit_status add_frame(frames_work *w, uint64_t bits, tacit_error *err)
{
    tacit__subtables_frame frame = {0};
    for (int32_t i = 0; i < w->count; i++)
        if (bits >> i & 1)
            frame.directions[frame.axes++] = w->through[i];
    int32_t number = number_of(w, &frame);
    if (number < 0 || !TACIT__RESERVE_ONE(w->members, w->member_capacity, w->member_count))
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
static int32_t pivot_of(const frames_work *w, uint64_t may, uint64_t done)
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
static tacit_status extend(frames_work *w, uint64_t chosen, uint64_t may, uint64_t done,
                           tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (w->found > MAX_FRAMES)
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
static void list_directions(frames_work *w)
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
static tacit_status add_alone(frames_work *w, tacit_error *err)
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

static tacit_status do_cell(frames_work *w, int32_t cell, tacit_error *err)
{
    w->cell = cell;
    w->found = 0;
    w->before = w->member_count;
    if (tacit__uses(w->terms, cell) > TACIT__MAX_USES)
        return TACIT_OK;
    list_directions(w);
    if (w->count == 0)
        return TACIT_OK;
    uint64_t all = ~UINT64_C(0) >> (64 - w->count);
    tacit_status status = extend(w, 0, all, 0, err);
    return status == TACIT_OK && w->found > MAX_FRAMES ? add_alone(w, err) : status;
}

/* ---- the whole ---- */

/* Cells by frame, from pairs which are by cell. */
static tacit_status list_members(frames_work *w, tacit_error *err)
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

static tacit_status frames_init(tacit__frames *frames, const tacit_cells *cells,
                                const tacit__terms *terms, const tacit__directions *directions,
                                tacit_error *err)
{
    frames_work w = {.terms = terms, .directions = directions, .frames = frames};
    tacit_status status = TACIT_OK;
    *frames = (tacit__frames){0};
    for (int32_t i = 0; i < cells->count && status == TACIT_OK; i++)
        status = do_cell(&w, i, err);
    if (status == TACIT_OK)
        status = list_members(&w, err);
    tacit__map_clear(&w.map);
    tacit__free(w.members);
    if (status != TACIT_OK)
        frames_clear(frames);
    return status;
}

static void frames_clear(tacit__frames *frames)
{
    tacit__free(frames->list);
    tacit__free(frames->starts);
    tacit__free(frames->cells);
    *frames = (tacit__frames){0};
}

/* ---- */

/* Places that any grid may have, and those of the table's number of cells that it may. */
enum { PLACES_LEAST = 1 << 20, PLACES_TIMES = 4 };

typedef struct gathering {
    const tacit_cells *cells;
    tacit__terms terms;
    tacit__directions *directions;
    tacit__frames frames;
    tacit__grids *grids;
    int64_t max_places;
    const int32_t *members; /* cells of the frame in hand */
    int32_t member_count;
    int32_t *piece; /* a member each: another of its piece (a forest) */
    int32_t *owner; /* a relation each: a member of the frame; stamped by owned */
    int32_t *owned;
    int32_t *picked; /* cells of the piece in hand */
    int32_t picked_count;
    int32_t *seen_cell; /* a cell, a relation each: the grid that listed it last */
    int32_t *seen_relation;
    int32_t *place_of; /* a cell each, of the piece in hand; -1: none */
    int32_t *codes;    /* of an axis */
    int32_t *lines;    /* relations by place; -1: none yet */
    size_t line_capacity;
} gathering;

/* ---- pieces ---- */

/* The term of a cell in a direction; it has one. */
static int32_t term_along(const gathering *w, int32_t cell, int32_t direction)
{
    int32_t k = w->terms.starts[cell];
    while (w->directions->of[w->terms.relation[w->terms.list[k]]] != direction)
        k++;
    return w->terms.list[k];
}

static int32_t relation_along(const gathering *w, int32_t cell, int32_t direction)
{
    return w->terms.relation[term_along(w, cell, direction)];
}

/* Members that share a relation of the frame are of one piece; the first is its root. */
static void find_pieces(gathering *w, int32_t frame)
{
    const tacit__subtables_frame *f = &w->frames.list[frame];
    for (int32_t i = 0; i < w->member_count; i++) {
        w->piece[i] = i;
        for (int32_t a = 0; a < f->axes; a++) {
            int32_t relation = relation_along(w, w->members[i], f->directions[a]);
            if (w->owned[relation] != frame) {
                w->owned[relation] = frame;
                w->owner[relation] = i;
            }
            tacit__sets_join(w->piece, i, w->owner[relation]);
        }
    }
}

/* ---- one grid ---- */

/* The codes of the members on an axis, ascending, with that of the total whether it is there or
 * not. Returns their number. */
static int32_t list_codes(gathering *w, int32_t direction)
{
    int32_t count = 0, kept = 1;
    w->codes[count++] = 0;
    for (int32_t i = 0; i < w->picked_count; i++)
        w->codes[count++] = w->directions->code[term_along(w, w->picked[i], direction)];
    qsort(w->codes, (size_t)count, sizeof *w->codes, tacit__by_number);
    for (int32_t i = 1; i < count; i++)
        if (w->codes[i] != w->codes[kept - 1])
            w->codes[kept++] = w->codes[i];
    return kept;
}

/* Moves the members to their places on an axis. */
static void place_along(gathering *w, int32_t direction, int32_t size, int32_t stride)
{
    for (int32_t i = 0; i < w->picked_count; i++) {
        int32_t code = w->directions->code[term_along(w, w->picked[i], direction)];
        int32_t *found = bsearch(&code, w->codes, (size_t)size, sizeof code, tacit__by_number);
        w->place_of[w->picked[i]] += (int32_t)(found - w->codes) * stride;
    }
}

/* Places for all members. False: there would be too many, or a relation is no sum. */
static bool lay_out(gathering *w, tacit__subtables_grid *grid)
{
    int64_t places = 1;
    for (int32_t i = 0; i < w->picked_count; i++)
        w->place_of[w->picked[i]] = 0;
    for (int32_t a = grid->axes - 1; a >= 0; a--) {
        int32_t direction = grid->directions[a], stride = (int32_t)places;
        grid->sizes[a] = list_codes(w, direction);
        places *= grid->sizes[a];
        if (places > w->max_places || !w->directions->sums[direction])
            return false;
        place_along(w, direction, grid->sizes[a], stride);
    }
    grid->place_count = (int32_t)places;
    return true;
}

/* Whether all cells of a line along an axis, and no others, have one relation. */
static bool check_axis(gathering *w, const tacit__subtables_grid *grid, int32_t axis)
{
    int32_t stride = 1;
    bool fits = true;
    for (int32_t a = grid->axes - 1; a > axis; a--)
        stride *= grid->sizes[a];
    for (int32_t i = 0; i < w->picked_count && fits; i++) {
        int32_t cell = w->picked[i], place = w->place_of[cell];
        int32_t line = place - place / stride % grid->sizes[axis] * stride;
        int32_t relation = relation_along(w, cell, grid->directions[axis]);
        fits = w->lines[line] < 0 || w->lines[line] == relation;
        w->lines[line] = relation;
    }
    for (int32_t i = 0; i < w->picked_count; i++) {
        int32_t place = w->place_of[w->picked[i]];
        w->lines[place - place / stride % grid->sizes[axis] * stride] = -1;
    }
    return fits;
}

/* Within a relation codes are all different, so lines that are relations have no two cells at
 * one place. */
static tacit_status stand(gathering *w, tacit__subtables_grid *grid, tacit_error *err)
{
    bool fits = lay_out(w, grid);
    size_t room = w->line_capacity, needed = (size_t)grid->place_count;
    if (fits && !TACIT__RESERVE(w->lines, w->line_capacity, needed))
        return tacit__nomem(err);
    for (; room < w->line_capacity; room++)
        w->lines[room] = -1;
    for (int32_t a = 0; a < grid->axes && fits; a++)
        fits = check_axis(w, grid, a);
    if (!fits) {
        grid->place_count = 0;
        for (int32_t i = 0; i < w->picked_count; i++)
            w->place_of[w->picked[i]] = -1;
    }
    return TACIT_OK;
}

static bool first_seen(int32_t *seen, int32_t number, int32_t by)
{
    bool first = seen[number] != by;
    seen[number] = by;
    return first;
}

/* The relations of the piece's cells. */
static tacit_status list_relations(gathering *w, tacit__subtables_grid *grid, tacit_error *err)
{
    tacit__grids *g = w->grids;
    size_t most = (size_t)g->relations_used + (size_t)w->picked_count * (size_t)grid->axes;
    if (!TACIT__RESERVE(g->relations, g->relation_capacity, most))
        return tacit__nomem(err);
    grid->relations = g->relations_used;
    for (int32_t i = 0; i < w->picked_count; i++)
        for (int32_t a = 0; a < grid->axes; a++) {
            int32_t relation = relation_along(w, w->picked[i], grid->directions[a]);
            if (first_seen(w->seen_relation, relation, g->count))
                g->relations[grid->relations + grid->relation_count++] = relation;
        }
    qsort(g->relations + grid->relations, (size_t)grid->relation_count, sizeof *g->relations,
          tacit__by_number);
    g->relations_used += grid->relation_count;
    return TACIT_OK;
}

/* All cells of these relations, and their places. */
static tacit_status list_cells(gathering *w, tacit__subtables_grid *grid, tacit_error *err)
{
    tacit__grids *g = w->grids;
    const tacit_relations *r = &w->cells->relations;
    const int32_t *relations = g->relations + grid->relations;
    int64_t most = g->cells_used;
    for (int32_t k = 0; k < grid->relation_count; k++)
        most += r->starts[relations[k] + 1] - r->starts[relations[k]];
    if (!TACIT__RESERVE(g->cells, g->cell_capacity, most) ||
        !TACIT__RESERVE(g->places, g->place_capacity, most))
        return tacit__nomem(err);
    int32_t *cells = g->cells + g->cells_used, *places = g->places + g->cells_used;
    grid->cells = g->cells_used;
    for (int32_t k = 0; k < grid->relation_count; k++)
        for (int64_t j = r->starts[relations[k]]; j < r->starts[relations[k] + 1]; j++)
            if (first_seen(w->seen_cell, r->items[j], g->count))
                cells[grid->cell_count++] = r->items[j];
    qsort(cells, (size_t)grid->cell_count, sizeof *cells, tacit__by_number);
    for (int32_t i = 0; i < grid->cell_count; i++)
        places[i] = w->place_of[cells[i]];
    g->cells_used += grid->cell_count;
    return TACIT_OK;
}

static tacit_status make_grid(gathering *w, const tacit__subtables_frame *frame, tacit_error *err)
{
    tacit__grids *g = w->grids;
    tacit__subtables_grid grid = {.axes = frame->axes};
    for (int32_t a = 0; a < frame->axes; a++) {
        grid.directions[a] = frame->directions[a];
        grid.levels[a] = w->directions->level[frame->directions[a]];
        grid.layer += grid.levels[a];
    }
    if (!TACIT__RESERVE_ONE(g->list, g->grid_capacity, g->count))
        return tacit__nomem(err);
    tacit_status status = stand(w, &grid, err);
    if (status == TACIT_OK)
        status = list_relations(w, &grid, err);
    if (status == TACIT_OK)
        status = list_cells(w, &grid, err);
    for (int32_t i = 0; i < w->picked_count; i++)
        w->place_of[w->picked[i]] = -1;
    g->list[g->count++] = grid;
    return status;
}

/* ---- all of them ---- */

/* Members sorted by their pieces, the first of a piece first. */
typedef struct tagged {
    int32_t piece;
    int32_t cell;
} tagged;

static int by_piece(const void *left, const void *right)
{
    const tagged *a = left, *b = right;
    if (a->piece != b->piece)
        return a->piece < b->piece ? -1 : 1;
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

static tacit_status make_pieces(gathering *w, int32_t frame, tagged *order, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    find_pieces(w, frame);
    for (int32_t i = 0; i < w->member_count; i++)
        order[i] = (tagged){tacit__sets_find(w->piece, i), w->members[i]};
    qsort(order, (size_t)w->member_count, sizeof *order, by_piece);
    for (int32_t i = 0; i < w->member_count && status == TACIT_OK;) {
        int32_t piece = order[i].piece;
        for (w->picked_count = 0; i < w->member_count && order[i].piece == piece; i++)
            w->picked[w->picked_count++] = order[i].cell;
        status = make_grid(w, &w->frames.list[frame], err);
    }
    return status;
}

static tacit_status make_all(gathering *w, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    tagged *order = tacit__alloc_array((size_t)w->cells->count, sizeof *order);
    if (!order)
        return tacit__nomem(err);
    for (int32_t f = 0; f < w->frames.count && status == TACIT_OK; f++) {
        int64_t first = w->frames.starts[f];
        w->members = w->frames.cells + first;
        w->member_count = (int32_t)(w->frames.starts[f + 1] - first);
        status = make_pieces(w, f, order, err);
    }
    tacit__free(order);
    return status;
}

static int top_down(const void *left, const void *right)
{
    const tacit__subtables_grid *a = left, *b = right;
    if (a->layer != b->layer)
        return a->layer < b->layer ? -1 : 1;
    if (a->axes != b->axes)
        return a->axes > b->axes ? -1 : 1;
    for (int32_t i = 0; i < a->axes; i++)
        if (a->levels[i] != b->levels[i])
            return a->levels[i] < b->levels[i] ? -1 : 1;
    for (int32_t i = 0; i < a->axes; i++)
        if (a->directions[i] != b->directions[i])
            return a->directions[i] < b->directions[i] ? -1 : 1;
    return a->cells < b->cells ? -1 : a->cells > b->cells;
}

static int32_t *filled(size_t count, int32_t value)
{
    int32_t *list = tacit__alloc_array(count, sizeof *list);
    for (size_t i = 0; i < count && list; i++)
        list[i] = value;
    return list;
}

static tacit_status gathering_init(gathering *w, tacit_error *err)
{
    size_t cells = (size_t)w->cells->count, relations = (size_t)w->cells->relations.count;
    w->piece = filled(cells, 0);
    w->owner = filled(relations, -1);
    w->owned = filled(relations, -1);
    w->picked = filled(cells, 0);
    w->seen_cell = filled(cells, -1);
    w->seen_relation = filled(relations, -1);
    w->place_of = filled(cells, -1);
    w->codes = filled(cells + 1, 0);
    int64_t times = (int64_t)PLACES_TIMES * w->cells->count;
    w->max_places = times > PLACES_LEAST ? times : PLACES_LEAST;
    if (!w->piece || !w->owner || !w->owned || !w->picked || !w->seen_cell || !w->seen_relation ||
        !w->place_of || !w->codes)
        return tacit__nomem(err);
    return TACIT_OK;
}

static void gathering_clear(gathering *w)
{
    tacit__terms_clear(&w->terms);
    tacit__directions_free(w->directions);
    frames_clear(&w->frames);
    tacit__free(w->piece);
    tacit__free(w->owner);
    tacit__free(w->owned);
    tacit__free(w->picked);
    tacit__free(w->seen_cell);
    tacit__free(w->seen_relation);
    tacit__free(w->place_of);
    tacit__free(w->codes);
    tacit__free(w->lines);
}

static tacit_status gather_grids(gathering *w, tacit_error *err)
{
    tacit_status status = tacit__terms_init(&w->terms, w->cells, err);
    if (status == TACIT_OK)
        status = tacit__directions_new(&w->directions, w->cells, &w->terms, err);
    if (status == TACIT_OK)
        status = frames_init(&w->frames, w->cells, &w->terms, w->directions, err);
    if (status == TACIT_OK)
        status = gathering_init(w, err);
    if (status == TACIT_OK)
        status = make_all(w, err);
    if (status == TACIT_OK && w->grids->count > 0)
        qsort(w->grids->list, (size_t)w->grids->count, sizeof *w->grids->list, top_down);
    return status;
}

tacit_status tacit__grids_new(tacit__grids **out, const tacit_cells *cells, tacit_error *err)
{
    gathering w = {.cells = cells, .grids = tacit__alloc_zeroed(1, sizeof *w.grids)};
    if (!w.grids)
        return tacit__nomem(err);
    tacit_status status = gather_grids(&w, err);
    gathering_clear(&w);
    if (status == TACIT_OK)
        *out = w.grids;
    else
        tacit__grids_free(w.grids);
    return status;
}

void tacit__grids_free(tacit__grids *grids)
{
    if (!grids)
        return;
    tacit__free(grids->list);
    tacit__free(grids->cells);
    tacit__free(grids->places);
    tacit__free(grids->relations);
    tacit__free(grids);
}
