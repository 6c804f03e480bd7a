/*
 * place.c - what each item becomes in the rows of one class, so that every combination of up to m
 * of what is released is that of k people.
 *
 * Items are placed one after the other, the most frequent first, each as it is if all combinations
 * with what is placed already are those of k people. What cannot be is tried as its
 * generalizations, the one that loses least first: those that wait under it by themselves, or,
 * where that loses less than leaving them out, together with some that are placed under it. What is
 * left then is tried as it is once more, and left out. As what is refused once is refused again
 * beside more, nothing that was left out could be released as it is in the end.
 *
 * The same is tried with every item on its first generalization from the start, on its second and
 * so on, as long as that could lose less than the best so far.
 *
 * The paper's apriori-based anonymization generalizes whole subtrees of the hierarchy for the whole
 * table wherever a combination is too rare, and leaves nothing out; here an item of which the
 * others under the same value stay as they are may be that value by itself, in each class its own.
 *
 * Combinations are counted by projection: of the rows with an item, how many people have each other
 * item, and so on to a depth of m. No table of combinations is held: memory is linear in the items
 * of the class, and time in the combinations that its rows have, times the height of the hierarchy.
 */
#include "records/itemsets/itemsets.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

/* Some rows, in order, with one node more than the rows that they were taken from. */
typedef struct projection {
    uint32_t node;
    size_t start, count;
} projection;

/* An item under a node that it may become. */
typedef struct place {
    double loss;
    uint32_t node, item;
} place;

/* What is placed together. */
typedef struct unit {
    int64_t rows; /* of its items, together */
    size_t start, end;
} unit;

struct tacit__placing {
    const tacit__item_world *world;
    const tacit_run *run;
    const tacit__item_rows *rows;
    uint32_t *image;
    size_t looked_at; /* rows, since progress was told of */

    /* A node each. A stamp is the count of its pass and a row or person of it. */
    uint32_t *people, *count;
    uint64_t *last, *seen;
    uint32_t pass;

    /* The class's items, and the rows of each. */
    uint32_t *present;
    size_t present_count, present_capacity;
    size_t *post_start; /* a node each: of items that are present */
    uint32_t *occurs;   /* the same: its rows */
    uint32_t *post;
    size_t post_capacity;

    uint64_t *marked; /* bit a row */
    size_t marked_capacity;
    uint32_t *list; /* rows in hand, and those of projections */
    size_t list_capacity;
    uint32_t *touched;
    size_t touched_count, touched_capacity;
    projection *projections;
    size_t projection_count, projection_capacity;
    place *places; /* of present items: all that they may become, by loss, node and item */
    size_t place_count, place_capacity;
    unit *units;
    size_t unit_capacity;
    uint32_t *members, *before; /* of units; images before they were tried */
    size_t member_capacity, before_capacity;
    bool changed; /* what was placed already has become something else */
    uint32_t *best;
    size_t best_capacity;
};

tacit_status tacit__placing_new(tacit__placing **out, const tacit__item_world *world,
                                const tacit_run *run, tacit_error *err)
{
    tacit__placing *p = tacit__alloc_zeroed(1, sizeof *p);
    size_t nodes = (size_t)world->count + 1;
    if (!p)
        return tacit__nomem(err);
    p->world = world;
    p->run = run;
    p->people = tacit__alloc_zeroed(nodes, sizeof *p->people);
    p->count = tacit__alloc_zeroed(nodes, sizeof *p->count);
    p->last = tacit__alloc_zeroed(nodes, sizeof *p->last);
    p->seen = tacit__alloc_zeroed(nodes, sizeof *p->seen);
    p->post_start = tacit__alloc_zeroed(nodes, sizeof *p->post_start);
    p->occurs = tacit__alloc_zeroed(nodes, sizeof *p->occurs);
    if (!p->people || !p->count || !p->last || !p->seen || !p->post_start || !p->occurs) {
        tacit__placing_free(p);
        return tacit__nomem(err);
    }
    *out = p;
    return TACIT_OK;
}

void tacit__placing_free(tacit__placing *p)
{
    if (!p)
        return;
    tacit__free(p->people);
    tacit__free(p->count);
    tacit__free(p->last);
    tacit__free(p->seen);
    tacit__free(p->present);
    tacit__free(p->post_start);
    tacit__free(p->occurs);
    tacit__free(p->post);
    tacit__free(p->marked);
    tacit__free(p->list);
    tacit__free(p->touched);
    tacit__free(p->projections);
    tacit__free(p->places);
    tacit__free(p->units);
    tacit__free(p->members);
    tacit__free(p->before);
    tacit__free(p->best);
    tacit__free(p);
}

/* ---- counting ---- */

/* A pass whose stamps no other pass has. */
static uint64_t next_pass(tacit__placing *p)
{
    size_t nodes = (size_t)p->world->count + 1;
    if (++p->pass == 0) {
        memset(p->last, 0, nodes * sizeof *p->last);
        memset(p->seen, 0, nodes * sizeof *p->seen);
        p->pass = 1;
    }
    return (uint64_t)p->pass << 32;
}

/* Counts, in the rows from `start` in the list on, the people and rows that have each placed node
 * above `floor` but `skip`. */
static tacit_status count_nodes(tacit__placing *p, size_t start, size_t count, int64_t floor,
                                uint32_t skip, tacit_error *err)
{
    uint64_t pass = next_pass(p);
    for (size_t i = 0; i < count; i++) {
        uint32_t row = p->list[start + i];
        uint64_t person = pass | p->rows->who[row], here = pass | row;
        size_t end = p->rows->start[row + 1];
        if (!TACIT__RESERVE(p->touched, p->touched_capacity,
                            p->touched_count + end - p->rows->start[row]))
            return tacit__nomem(err);
        for (size_t at = p->rows->start[row]; at < end; at++) {
            uint32_t node = p->image[p->rows->items[at]];
            if (node == TACIT__NO_NODE || node == skip || node <= floor || p->seen[node] == here)
                continue;
            p->seen[node] = here;
            if (p->count[node]++ == 0)
                p->touched[p->touched_count++] = node;
            p->people[node] += p->last[node] != person;
            p->last[node] = person;
        }
    }
    return TACIT_OK;
}

/* Lists the rows of each touched node behind the list's `used` entries. */
static tacit_status project(tacit__placing *p, size_t start, size_t count, size_t touched,
                            size_t *used, tacit_error *err)
{
    size_t first = p->projection_count, many = p->touched_count - touched;
    if (!TACIT__RESERVE(p->projections, p->projection_capacity, first + many))
        return tacit__nomem(err);
    for (size_t i = 0; i < many; i++) {
        uint32_t node = p->touched[touched + i];
        p->projections[first + i] = (projection){node, *used, 0};
        *used += p->count[node];
        p->count[node] = (uint32_t)(first + i); /* from here on, where it is listed */
    }
    p->projection_count += many;
    if (!TACIT__RESERVE(p->list, p->list_capacity, *used))
        return tacit__nomem(err);
    uint64_t pass = next_pass(p);
    for (size_t i = 0; i < many; i++)
        p->last[p->touched[touched + i]] = pass;
    for (size_t i = 0; i < count; i++) {
        uint32_t row = p->list[start + i];
        for (size_t at = p->rows->start[row]; at < p->rows->start[row + 1]; at++) {
            uint32_t node = p->image[p->rows->items[at]];
            if (node == TACIT__NO_NODE || p->last[node] != pass || p->seen[node] == (pass | row))
                continue;
            p->seen[node] = pass | row;
            projection *of = &p->projections[p->count[node]];
            p->list[of->start + of->count++] = row;
        }
    }
    return TACIT_OK;
}

/* Lets the run be stopped now and then: a class may be the whole table. */
static tacit_status tell_progress(tacit__placing *p, size_t rows, tacit_error *err)
{
    enum { ROWS = 1 << 20 };
    p->looked_at += rows;
    if (p->looked_at < ROWS)
        return TACIT_OK;
    p->looked_at = 0;
    return tacit__progress(p->run, "generalizing sets", p->rows->before, p->rows->all, err);
}

/* Whether k people have each combination that the rows have of up to `left` nodes above `floor`.
 * `used` is where the list is free. */
static tacit_status extend(bool *all, tacit__placing *p, size_t start, size_t count, int left,
                           int64_t floor, uint32_t skip, size_t used, tacit_error *err)
{
    size_t touched = p->touched_count, first = p->projection_count;
    tacit_status status = tell_progress(p, count, err);
    if (status == TACIT_OK)
        status = count_nodes(p, start, count, floor, skip, err);
    for (size_t i = touched; i < p->touched_count; i++) {
        *all &= p->people[p->touched[i]] >= p->world->asked->k;
        p->people[p->touched[i]] = 0;
    }
    if (status == TACIT_OK && *all && left > 1)
        status = project(p, start, count, touched, &used, err);
    for (size_t i = touched; i < p->touched_count; i++)
        p->count[p->touched[i]] = 0;
    p->touched_count = touched;
    size_t end = p->projection_count;
    for (size_t i = first; i < end && status == TACIT_OK && *all; i++) {
        projection of = p->projections[i];
        status = extend(all, p, of.start, of.count, left - 1, of.node, skip, used, err);
    }
    p->projection_count = first;
    return status;
}

/* ---- trying ---- */

/* The rows that have any of some items, in order, into the list. */
static tacit_status list_rows(size_t *count, tacit__placing *p, const uint32_t *items, size_t many,
                              tacit_error *err)
{
    size_t words = tacit__bitset_words(p->rows->count);
    if (!TACIT__RESERVE(p->list, p->list_capacity, p->rows->count))
        return tacit__nomem(err);
    *count = 0;
    if (many == 1) {
        *count = p->occurs[*items];
        memcpy(p->list, p->post + p->post_start[*items], *count * sizeof *p->list);
        return TACIT_OK;
    }
    memset(p->marked, 0, words * sizeof *p->marked);
    for (size_t i = 0; i < many; i++)
        for (size_t j = 0; j < p->occurs[items[i]]; j++)
            tacit__bit_set(p->marked, p->post[p->post_start[items[i]] + j]);
    for (size_t w = 0; w < words; w++)
        for (uint64_t bits = p->marked[w]; bits; bits &= bits - 1)
            p->list[(*count)++] = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(bits));
    return TACIT_OK;
}

static int64_t count_people(const tacit__placing *p, size_t count)
{
    int64_t people = 0;
    for (size_t i = 0; i < count; i++)
        people += i == 0 || p->rows->who[p->list[i]] != p->rows->who[p->list[i - 1]];
    return people;
}

/* Has some items become a node, if everything then still has k people; else nothing changes. */
static tacit_status try_node(bool *placed, tacit__placing *p, uint32_t node, const uint32_t *items,
                             size_t many, tacit_error *err)
{
    const tacit_itemsets *asked = p->world->asked;
    size_t count = 0;
    if (!TACIT__RESERVE(p->before, p->before_capacity, many))
        return tacit__nomem(err);
    tacit_status status = list_rows(&count, p, items, many, err);
    *placed = status == TACIT_OK && count_people(p, count) >= asked->k;
    for (size_t i = 0; i < many; i++) {
        p->before[i] = p->image[items[i]];
        p->image[items[i]] = node;
    }
    if (*placed && asked->m > 1)
        status = extend(placed, p, 0, count, asked->m - 1, -1, node, count, err);
    for (size_t i = 0; i < many && !(*placed && status == TACIT_OK); i++)
        p->image[items[i]] = p->before[i];
    return status;
}

/* ---- placing ---- */

static double loss_of(const tacit__placing *p, uint32_t node)
{
    return node == TACIT__NO_NODE ? 1 : p->world->loss[node];
}

static double total_loss(const tacit__placing *p, const uint32_t *image)
{
    double total = 0;
    for (size_t i = 0; i < p->present_count; i++)
        total += p->occurs[p->present[i]] * loss_of(p, image[p->present[i]]);
    return total;
}

static uint32_t ancestor(const tacit__item_world *world, uint32_t node, int steps)
{
    for (; steps > 0 && world->parent[node] != TACIT__NO_NODE; steps--)
        node = world->parent[node];
    return node;
}

static int by_place(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->loss != y->loss)
        return x->loss < y->loss ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

static int by_rows(const void *a, const void *b)
{
    const unit *x = a, *y = b;
    if (x->rows != y->rows)
        return x->rows > y->rows ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

/* The items, those that have the same node so many steps above them next to each other. */
static tacit_status make_units(size_t *count, tacit__placing *p, int steps, tacit_error *err)
{
    size_t many = p->present_count;
    if (!TACIT__RESERVE(p->units, p->unit_capacity, many + 1) ||
        !TACIT__RESERVE(p->members, p->member_capacity, many + 1))
        return tacit__nomem(err);
    place *sorted = tacit__alloc_array(many + 1, sizeof *sorted);
    if (!sorted)
        return tacit__nomem(err);
    for (size_t i = 0; i < many; i++)
        sorted[i] = (place){0, ancestor(p->world, p->present[i], steps), p->present[i]};
    qsort(sorted, many, sizeof *sorted, by_place);
    *count = 0;
    for (size_t i = 0; i < many; i++) {
        if (i == 0 || sorted[i].node != sorted[i - 1].node)
            p->units[(*count)++] = (unit){0, i, i};
        p->members[i] = sorted[i].item;
        p->units[*count - 1].end = i + 1;
        p->units[*count - 1].rows += p->occurs[sorted[i].item];
    }
    tacit__free(sorted);
    qsort(p->units, *count, sizeof *p->units, by_rows);
    return TACIT_OK;
}

static tacit_status place_units(tacit__placing *p, int steps, tacit_error *err)
{
    size_t count = 0;
    bool placed;
    tacit_status status = make_units(&count, p, steps, err);
    for (size_t i = 0; i < p->present_count; i++)
        p->image[p->present[i]] = TACIT__NO_NODE;
    for (size_t i = 0; i < count && status == TACIT_OK; i++) {
        const uint32_t *items = p->members + p->units[i].start;
        status = try_node(&placed, p, ancestor(p->world, *items, steps), items,
                          p->units[i].end - p->units[i].start, err);
    }
    return status;
}

static double cost_of(const tacit__placing *p, const place *at)
{
    return p->occurs[at->item] * (at->loss - loss_of(p, p->image[at->item]));
}

/* Of items under a node, those that are placed under it, with what they are placed as and what it
 * costs that all of those become the node; the cheapest first. */
static tacit_status list_placed(place **out, size_t *count, const tacit__placing *p,
                                const place *places, size_t many, tacit_error *err)
{
    place *placed = tacit__alloc_array(many, sizeof *placed);
    size_t used = 0, end;
    if (!placed)
        return tacit__nomem(err);
    for (size_t i = 0; i < many; i++)
        if (p->image[places[i].item] <= places->node) /* not above it, nor TACIT__NO_NODE */
            placed[used++] = (place){0, p->image[places[i].item], places[i].item};
    qsort(placed, used, sizeof *placed, by_place);
    for (size_t i = 0; i < used; i = end) {
        double cost = 0;
        for (end = i; end < used && placed[end].node == placed[i].node; end++)
            cost += cost_of(p, &(place){places->loss, placed[end].node, placed[end].item});
        for (size_t j = i; j < end; j++)
            placed[j].loss = cost;
    }
    qsort(placed, used, sizeof *placed, by_place);
    *out = placed;
    *count = used;
    return TACIT_OK;
}

/* Items that wait become a node together with some that are placed: those that lose least by it,
 * one, two, four and so on of them, as long as it pays. All that are placed as the same move
 * together, for the rest of them might be too few. */
static tacit_status place_with(tacit__placing *p, const place *places, size_t count, size_t waiting,
                               double gain, tacit_error *err)
{
    size_t many = 0, used = 0;
    double cost = 0;
    bool placed = false;
    place *others = NULL;
    tacit_status status = list_placed(&others, &many, p, places, count, err);
    for (size_t next = 1; used < many && status == TACIT_OK && !placed; next *= 2) {
        for (; used < many && (used < next || others[used].node == others[used - 1].node); used++) {
            if (used == 0 || others[used].node != others[used - 1].node)
                cost += others[used].loss;
            p->members[waiting + used] = others[used].item;
        }
        if (cost >= gain && !p->world->keeps[places->node])
            break;
        status = try_node(&placed, p, places->node, p->members, waiting + used, err);
    }
    p->changed |= placed;
    tacit__free(others);
    return status;
}

/* Items that wait under a node become it: by themselves, or with others under it. */
static tacit_status place_under(tacit__placing *p, const place *places, size_t count,
                                tacit_error *err)
{
    size_t waiting = 0;
    double gain = 0;
    bool placed = false;
    if (!TACIT__RESERVE(p->members, p->member_capacity, count))
        return tacit__nomem(err);
    for (size_t i = 0; i < count; i++)
        if (p->image[places[i].item] == TACIT__NO_NODE) {
            gain -= cost_of(p, &places[i]);
            p->members[waiting++] = places[i].item;
        }
    if (waiting == 0)
        return TACIT_OK;
    tacit_status status = try_node(&placed, p, places->node, p->members, waiting, err);
    return status == TACIT_OK && !placed ? place_with(p, places, count, waiting, gain, err)
                                         : status;
}

static tacit_status climb(tacit__placing *p, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    size_t end;
    for (size_t i = 0; i < p->place_count && status == TACIT_OK; i = end) {
        for (end = i; end < p->place_count && p->places[end].node == p->places[i].node;)
            end++;
        status = place_under(p, p->places + i, end - i, err);
    }
    return status;
}

/* Where units were larger than an item, or what is placed has changed, an item that was left out
 * may stay as it is after all. */
static tacit_status place_left(tacit__placing *p, tacit_error *err)
{
    size_t count = 0;
    bool placed;
    tacit_status status = make_units(&count, p, 0, err);
    for (size_t i = 0; i < count && status == TACIT_OK; i++) {
        const uint32_t *item = p->members + p->units[i].start;
        if (p->image[*item] == TACIT__NO_NODE)
            status = try_node(&placed, p, *item, item, 1, err);
    }
    return status;
}

/* ---- a class ---- */

/* The class's items and the rows of each. */
static tacit_status post_rows(tacit__placing *p, tacit_error *err)
{
    const tacit__item_rows *rows = p->rows;
    size_t items = rows->start[rows->count], at = 0;
    if (!TACIT__RESERVE(p->post, p->post_capacity, items + 1) ||
        !TACIT__RESERVE(p->marked, p->marked_capacity, tacit__bitset_words(rows->count) + 1))
        return tacit__nomem(err);
    p->present_count = 0;
    for (size_t i = 0; i < items; i++) {
        if (p->occurs[rows->items[i]]++ > 0)
            continue;
        if (!TACIT__PUSH(p->present, p->present_capacity, p->present_count, rows->items[i]))
            return tacit__nomem(err);
    }
    for (size_t i = 0; i < p->present_count; i++) {
        p->post_start[p->present[i]] = at;
        at += p->occurs[p->present[i]];
    }
    for (int64_t row = 0; row < rows->count; row++)
        for (size_t i = rows->start[row]; i < rows->start[row + 1]; i++)
            p->post[p->post_start[rows->items[i]]++] = (uint32_t)row;
    for (size_t i = 0; i < p->present_count; i++)
        p->post_start[p->present[i]] -= p->occurs[p->present[i]];
    return TACIT_OK;
}

/* All that the items may become, and how many steps there are at most. */
static tacit_status list_places(int *height, tacit__placing *p, tacit_error *err)
{
    *height = 0;
    p->place_count = 0;
    if (!TACIT__RESERVE(p->places, p->place_capacity, 1))
        return tacit__nomem(err);
    for (size_t i = 0; i < p->present_count; i++) {
        int steps = 0;
        for (uint32_t node = p->world->parent[p->present[i]]; node != TACIT__NO_NODE;
             node = p->world->parent[node], steps++)
            if (!TACIT__PUSH(p->places, p->place_capacity, p->place_count,
                             (place){p->world->loss[node], node, p->present[i]}))
                return tacit__nomem(err);
        if (steps > *height)
            *height = steps;
    }
    qsort(p->places, p->place_count, sizeof *p->places, by_place);
    return TACIT_OK;
}

/* What the release of so many steps from the start on loses at least. */
static double least_loss(const tacit__placing *p, int steps)
{
    double least = 0;
    for (size_t i = 0; i < p->present_count; i++)
        least +=
            p->occurs[p->present[i]] * p->world->loss[ancestor(p->world, p->present[i], steps)];
    return least;
}

/* Whether nothing is left out that is to be kept. */
static bool keeps(const tacit__placing *p)
{
    bool all = true;
    for (size_t i = 0; i < p->present_count; i++)
        all &= p->image[p->present[i]] != TACIT__NO_NODE || !p->world->keeps[p->present[i]];
    return all;
}

static tacit_status place_items(tacit__placing *p, int height, tacit_error *err)
{
    double best = -1;
    tacit_status status = TACIT_OK;
    if (!TACIT__RESERVE(p->best, p->best_capacity, p->present_count + 1))
        return tacit__nomem(err);
    for (int steps = 0; steps <= height && status == TACIT_OK; steps++) {
        if (best >= 0 && least_loss(p, steps) >= best)
            break;
        p->changed = false;
        status = place_units(p, steps, err);
        if (status == TACIT_OK)
            status = climb(p, err);
        if (status == TACIT_OK && (steps > 0 || p->changed))
            status = place_left(p, err);
        if (status != TACIT_OK || !keeps(p))
            continue;
        double loss = total_loss(p, p->image);
        if (best >= 0 && loss >= best)
            continue;
        best = loss;
        for (size_t i = 0; i < p->present_count; i++)
            p->best[i] = p->image[p->present[i]];
    }
    if (status == TACIT_OK && best < 0)
        return tacit__error(err, TACIT_INFEASIBLE,
                            "km: the sets of a class of %lld rows cannot keep it, however their "
                            "items are generalized: let items be left out (suppression: top), or "
                            "make classes larger (a larger k)",
                            (long long)p->rows->count);
    for (size_t i = 0; i < p->present_count && status == TACIT_OK; i++)
        p->image[p->present[i]] = p->best[i];
    return status;
}

tacit_status tacit__items_place(uint32_t *image, tacit__placing *p, const tacit__item_rows *rows,
                                tacit_error *err)
{
    int height = 0;
    p->rows = rows;
    p->image = image;
    tacit_status status = post_rows(p, err);
    if (status == TACIT_OK)
        status = list_places(&height, p, err);
    if (status == TACIT_OK)
        status = place_items(p, height, err);
    for (size_t i = 0; i < p->present_count; i++)
        p->occurs[p->present[i]] = 0;
    return status;
}
