/*
 * trails.c - k people for the rows of each person, by suppressing more of them.
 *
 * A trail is a sequence of boxes in ascending order, behind the number of the person's rows where
 * suppressed rows are released, too. Sequences are nodes of a trie (base/map.h), so two
 * trails are the same exactly if they end in the same node. In every round, people whose trail has
 * ended in a node with k people are settled there; all others give up one row: one without which
 * they come to such a node, or else the one whose box the fewest people have. Who has given up
 * everything is left with suppressed rows alone; if these are fewer than k, others join them: from
 * nodes that can spare people, or whole nodes.
 *
 * What is settled stays settled, so every released trail ends up with k people: it is found at
 * work, and the judge counts again.
 *
 * Cost: for each person the square of the rows in look-ups, the cube up to TRIED rows; 24 bytes a
 * row and what the trie takes.
 */
#include <tacit/experimental/trails.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/map.h"
#include "base/vector.h"
#include "records/apply/apply.h"
#include "records/methods/methods.h"

enum { TRIED = 32 }; /* rows of a person up to which every one of them is tried */

#define NO_BOX UINT32_MAX /* of a suppressed row */

typedef struct place {
    uint32_t box, row;
} place;

/* The rows of a person; those that are kept come first, in the order of their boxes. */
typedef struct unit {
    int64_t first; /* of the places */
    uint32_t count, kept;
    uint32_t node; /* where its trail ends */
    bool person;   /* not a row without one */
    bool settled;
} unit;

typedef struct node {
    uint32_t people;
    bool settled;
} node;

typedef struct trails {
    const tacit_frame *frame;
    const tacit_records_options *options;
    int64_t rows;
    place *places;
    unit *units;
    int64_t count;
    uint32_t *owners; /* a box each: units that have it */
    tacit__numbering trie;
    node *nodes;
    size_t capacity;
    bool out_of_memory;
} trails;

static void clear(trails *t)
{
    tacit__free(t->places);
    tacit__free(t->units);
    tacit__free(t->owners);
    tacit__free(t->nodes);
    tacit__numbering_clear(&t->trie);
}

/* ---- people and their rows ---- */

/* Rows without a person are units of their own, behind the others. */
static uint32_t unit_of(tacit_codes_view codes, uint32_t missing, int64_t row, uint32_t *next)
{
    uint32_t code = tacit_codes_at(codes, row);
    return code == missing ? (*next)++ : code;
}

static tacit_status count_units(trails *t, const tacit_frame *frame, tacit_error *err)
{
    tacit_codes_view codes = tacit_table_codes(frame->table, frame->person);
    uint32_t missing = tacit_table_distinct(frame->table, frame->person), next = missing;
    for (int64_t row = 0; row < t->rows; row++)
        unit_of(codes, missing, row, &next);
    t->count = next;
    t->units = tacit__alloc_zeroed((size_t)t->count, sizeof *t->units);
    t->places = tacit__alloc_array((size_t)t->rows, sizeof *t->places);
    if (!t->units || !t->places)
        return tacit__nomem(err);
    next = missing;
    for (int64_t row = 0; row < t->rows; row++)
        t->units[unit_of(codes, missing, row, &next)].count++;
    for (int64_t u = 0; u < t->count; u++) {
        t->units[u].first = u ? t->units[u - 1].first + t->units[u - 1].count : 0;
        t->units[u].person = u < missing;
    }
    return TACIT_OK;
}

static void fill_units(trails *t, const uint32_t *box_of_row, const tacit_rowwise *rowwise,
                       const tacit_frame *frame)
{
    tacit_codes_view codes = tacit_table_codes(frame->table, frame->person);
    uint32_t missing = tacit_table_distinct(frame->table, frame->person), next = missing;
    for (int64_t row = 0; row < t->rows; row++) {
        unit *u = &t->units[unit_of(codes, missing, row, &next)];
        bool gone = tacit__bit_get(rowwise->suppressed, row);
        uint32_t box = gone ? NO_BOX : box_of_row[row];
        t->places[u->first + u->node++] = (place){box, (uint32_t)row};
        u->kept += !gone;
    }
}

static int by_box(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->box != y->box)
        return x->box < y->box ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Sorts each one's places, and counts who has a box. */
static tacit_status sort_units(trails *t, int64_t boxes, tacit_error *err)
{
    t->owners = tacit__alloc_zeroed((size_t)boxes, sizeof *t->owners);
    if (!t->owners)
        return tacit__nomem(err);
    for (int64_t i = 0; i < t->count; i++) {
        place *places = t->places + t->units[i].first;
        qsort(places, t->units[i].count, sizeof *places, by_box);
        for (uint32_t j = 0; j < t->units[i].kept; j++)
            t->owners[places[j].box] += j == 0 || places[j].box != places[j - 1].box;
    }
    return TACIT_OK;
}

static tacit_status trails_init(trails *t, const tacit_rowwise *rowwise, const tacit_frame *frame,
                                tacit_error *err)
{
    int64_t boxes = 0;
    uint32_t *box_of_row = tacit__alloc_array((size_t)t->rows, sizeof *box_of_row);
    tacit_status status = box_of_row ? count_units(t, frame, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__rowwise_boxes(box_of_row, &boxes, rowwise, frame, err);
    if (status == TACIT_OK) {
        fill_units(t, box_of_row, rowwise, frame);
        status = sort_units(t, boxes, err);
    }
    tacit__free(box_of_row);
    return status;
}

/* ---- the trie ---- */

/* The number of rows is seen where suppressed rows are. */
static uint32_t seen_count(const trails *t, const unit *u)
{
    return t->options->drop_suppressed ? 0 : u->count;
}

/* Where the trail of a person ends. */
static uint32_t walk(trails *t, const unit *u)
{
    uint32_t at = tacit__numbering_add(&t->trie, tacit__pair_key(NO_BOX, seen_count(t, u)));
    for (uint32_t i = 0; at != TACIT__NONE && i < u->kept; i++)
        at = tacit__numbering_add(&t->trie, tacit__pair_key(at, t->places[u->first + i].box));
    size_t before = t->capacity;
    if (at == TACIT__NONE || !TACIT__RESERVE(t->nodes, t->capacity, t->trie.count)) {
        t->out_of_memory = true;
        return 0;
    }
    if (t->capacity > before)
        memset(t->nodes + before, 0, (t->capacity - before) * sizeof *t->nodes);
    return at;
}

/* Whether the trail would end in a settled node without a place. */
static bool fits_without(const trails *t, const unit *u, uint32_t left_out)
{
    uint32_t at = tacit__numbering_find(&t->trie, tacit__pair_key(NO_BOX, seen_count(t, u)));
    for (uint32_t i = 0; at != TACIT__NONE && i < u->kept; i++)
        if (i != left_out)
            at = tacit__numbering_find(&t->trie, tacit__pair_key(at, t->places[u->first + i].box));
    return at != TACIT__NONE && t->nodes[at].settled;
}

/* ---- rounds ---- */

static void settle(trails *t, unit *u)
{
    t->nodes[u->node].people += u->person;
    t->nodes[u->node].settled = true;
    u->settled = true;
}

/* The place to give up: the rarest of those without which the rest is settled, or of all. */
static uint32_t choose_place(const trails *t, const unit *u)
{
    uint32_t best = 0;
    bool best_fits = false;
    for (uint32_t i = 0; i < u->kept; i++) {
        bool fits = u->kept <= TRIED && fits_without(t, u, i);
        uint32_t owners = t->owners[t->places[u->first + i].box];
        bool rarer = owners < t->owners[t->places[u->first + best].box];
        if (i == 0 || (fits && !best_fits) || (fits == best_fits && rarer)) {
            best = i;
            best_fits = fits;
        }
    }
    return best;
}

static void give_up(trails *t, unit *u, uint32_t index)
{
    place *places = t->places + u->first, gone = places[index];
    memmove(places + index, places + index + 1, (u->kept - index - 1) * sizeof *places);
    places[--u->kept] = gone;
}

/* People come to their nodes, and k of them settle one. Whoever has nothing left is done. */
static void gather(trails *t)
{
    for (int64_t i = 0; i < t->count && !t->out_of_memory; i++) {
        unit *u = &t->units[i];
        if (u->settled)
            continue;
        u->node = walk(t, u);
        if (!t->out_of_memory && (u->kept == 0 || t->nodes[u->node].settled))
            settle(t, u);
        else if (!t->out_of_memory)
            t->nodes[u->node].people += u->person;
    }
}

/* Settles nodes with k people; returns who is left, one row poorer. */
static int64_t settle_full(trails *t)
{
    int64_t left = 0;
    for (int64_t i = 0; i < t->count; i++) {
        unit *u = &t->units[i];
        if (!u->settled && (int64_t)t->nodes[u->node].people >= t->options->k)
            u->settled = t->nodes[u->node].settled = true;
    }
    for (int64_t i = 0; i < t->count; i++)
        if (!t->units[i].settled)
            t->nodes[t->units[i].node].people = 0;
    for (int64_t i = 0; i < t->count; i++) {
        unit *u = &t->units[i];
        if (u->settled)
            continue;
        give_up(t, u, choose_place(t, u));
        left++;
    }
    return left;
}

static tacit_status settle_all(trails *t, tacit_error *err)
{
    int64_t left;
    do {
        gather(t);
        if (t->out_of_memory)
            return tacit__nomem(err);
        left = settle_full(t);
    } while (left > 0);
    return TACIT_OK;
}

/* ---- suppressed rows keep k ---- */

/* People who show the same of their suppressed rows: those with as many rows, of which nothing is
 * kept; or, where suppressed rows are left out, everybody who has some. */
static bool is_among(const trails *t, const unit *u, uint32_t seen)
{
    return t->options->drop_suppressed ? u->kept < u->count : u->kept == 0 && u->count == seen;
}

/* Whether a person can join them. */
static bool can_join(const trails *t, const unit *u, uint32_t seen)
{
    return !is_among(t, u, seen) && seen_count(t, u) == (t->options->drop_suppressed ? 0 : seen);
}

static void leave(trails *t, unit *u)
{
    t->nodes[u->node].people -= u->person;
    u->kept = 0;
    u->node = walk(t, u);
    if (!t->out_of_memory)
        settle(t, u);
}

/* People whom their nodes can spare. */
static int64_t take_spare(trails *t, uint32_t seen, int64_t wanted)
{
    for (int64_t i = 0; i < t->count && wanted > 0; i++) {
        unit *u = &t->units[i];
        if (!u->person || !can_join(t, u, seen) ||
            (int64_t)t->nodes[u->node].people <= t->options->k)
            continue;
        leave(t, u);
        wanted--;
    }
    return wanted;
}

/* Everybody of the node that the first of them is in. */
static bool take_node(trails *t, uint32_t seen, int64_t *wanted)
{
    int64_t first = 0;
    while (first < t->count && !(t->units[first].person && can_join(t, &t->units[first], seen)))
        first++;
    if (first == t->count)
        return false;
    uint32_t at = t->units[first].node;
    for (int64_t i = 0; i < t->count; i++) {
        unit *u = &t->units[i];
        if (u->node != at)
            continue;
        *wanted -= u->person && !is_among(t, u, seen);
        leave(t, u);
    }
    return true;
}

static tacit_status infeasible_number(const trails *t, uint32_t seen, tacit_error *err)
{
    if (t->options->drop_suppressed)
        return tacit__error(err, TACIT_INFEASIBLE,
                            "fewer than k = %lld %s would lose rows, and there are no others to "
                            "lose some with them",
                            (long long)t->options->k, tacit__unit_word(t->frame, 2));
    return tacit__error(err, TACIT_INFEASIBLE,
                        "fewer than k = %lld %s have %lld rows each, so that the number of their "
                        "rows tells who they are: leave suppressed rows out (suppressed: drop), or "
                        "lower k",
                        (long long)t->options->k, tacit__unit_word(t->frame, 2), (long long)seen);
}

static tacit_status complete(trails *t, uint32_t seen, tacit_error *err)
{
    int64_t people = 0;
    for (int64_t i = 0; i < t->count; i++)
        people += t->units[i].person && is_among(t, &t->units[i], seen);
    int64_t wanted = take_spare(t, seen, t->options->k - people);
    while (wanted > 0 && !t->out_of_memory)
        if (!take_node(t, seen, &wanted))
            return infeasible_number(t, seen, err);
    return t->out_of_memory ? tacit__nomem(err) : TACIT_OK;
}

/* Every kind of suppressed rows that somebody has, once. */
static tacit_status complete_all(trails *t, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    bool drop = t->options->drop_suppressed;
    for (int64_t i = 0; i < t->count && status == TACIT_OK; i++) {
        const unit *u = &t->units[i];
        uint32_t seen = drop ? 0 : u->count;
        if (!is_among(t, u, seen))
            continue;
        bool enough = !drop && (int64_t)t->nodes[u->node].people >= t->options->k;
        if (!enough)
            status = complete(t, seen, err);
        if (drop)
            break;
    }
    return status;
}

/* ---- the public face ---- */

static int64_t suppress_rows(tacit_rowwise *rowwise, const trails *t, const tacit_frame *frame)
{
    for (int64_t i = 0; i < t->count; i++)
        for (uint32_t j = t->units[i].kept; j < t->units[i].count; j++) {
            const place *p = &t->places[t->units[i].first + j];
            if (p->box != NO_BOX)
                tacit__rowwise_suppress(rowwise, p->row, frame);
        }
    return tacit__bitset_count(rowwise->suppressed, rowwise->rows);
}

tacit_status tacit_trails_keep(tacit_rowwise *rowwise, int64_t *suppressed,
                               const tacit_frame *frame, const tacit_records_options *options,
                               tacit_error *err)
{
    trails t = {.frame = frame, .options = options, .rows = rowwise->rows};
    tacit_status status = trails_init(&t, rowwise, frame, err);
    if (status == TACIT_OK)
        status = settle_all(&t, err);
    if (status == TACIT_OK)
        status = complete_all(&t, err);
    int64_t rows = status == TACIT_OK ? suppress_rows(rowwise, &t, frame) : 0;
    if (status == TACIT_OK && suppressed)
        *suppressed = rows;
    if (status == TACIT_OK && rows > options->max_suppressed)
        status = tacit__error(err, TACIT_INFEASIBLE,
                              "%lld of %lld rows would be suppressed until k = %lld %s share the "
                              "rows of each, and %lld may be",
                              (long long)rows, (long long)rowwise->rows, (long long)options->k,
                              tacit__unit_word(frame, 2), (long long)options->max_suppressed);
    clear(&t);
    return status;
}
