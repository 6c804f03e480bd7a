/*
 * seek.c - the search below one group of records, in one of three ways; see seek.h.
 *
 * Bits: groups of up to 64 rows. A member is a bit. For every column and member there is the word
 * of members that match it there, so a group below is one AND, and its rows one population count.
 * An item of several rows is that many members, k + 1 at most, since more than k is all that
 * matters. Setting up costs members times columns; a group below some ten operations a value of
 * each column in which it differs.
 *
 * Few: groups of a few own records and many others that match them only because they miss values.
 * To one own record the others are all alike who differ from it in the same columns: nothing else
 * about them decides which sets it is alone on. And who differs in all the columns that k rows of
 * others differ in is told apart whenever one of these is. What is left are as a rule so few kinds
 * of others that the record and they fit into a word. Time: own records times members times
 * columns.
 *
 * Lists: any other group. One pass over the members counts the values of every column that may be
 * added. The safe set is found greedily: members are narrowed down to those with the most frequent
 * value of one column after the other, the most frequent first, as long as more than k rows are
 * left; where missing matches anything, first of all to those who miss it, since to them all of its
 * values are the same. Then members are dealt by value, column by column, and each group of more
 * than k rows is searched in turn. Time linear in members times columns, apart from the groups
 * below; memory 4 bytes a cell, 8 a member and 24 a value at each depth.
 */
#include "uniques/seek.h"

#include <assert.h>
#include <string.h>

#include "base/cpu.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/vector.h"

enum { ASK_CELLS = 1 << 21 }; /* some milliseconds */

/* Says that so many cells are looked at; whether to go on. */
static inline bool spend(tacit__seeker *seeker, int64_t cells)
{
    seeker->spent += cells;
    if (seeker->spent >= ASK_CELLS && seeker->halt == TACIT_OK && !seeker->ask(seeker))
        seeker->halt = TACIT_CANCELLED;
    return seeker->halt == TACIT_OK;
}

/* A find for an item: the set of the given number of columns. */
static inline void add_find(tacit__seeker *seeker, int size, uint64_t set, uint32_t item,
                            uint32_t records)
{
    if (!tacit__found_add(seeker->found, seeker->worker, size,
                          (tacit__find){.set = set, .item = item, .records = records}))
        seeker->halt = TACIT_NOMEM;
}

/* Whether sets may not grow beyond one more column. */
static inline bool is_last(const tacit__seeker *seeker, int depth)
{
    return depth + 1 >= atomic_load_explicit(&seeker->found->bound, memory_order_relaxed);
}

/* One record of a group and what it has around it: kinds of others by the choices
 * in which they differ from it, as bits, each with its rows. */
enum { MOST_OTHERS = TACIT__MOST_BITS - 1 };

typedef struct other {
    uint64_t differ;
    uint32_t rows; /* k at most */
} other;

typedef struct record_view {
    uint32_t item;
    uint64_t allowed; /* choices that may be added for it */
    other others[MOST_OTHERS];
    int count;
} record_view;

/* Compiled into the search for each kind of processor, since bits are counted everywhere. */
#define INLINED __attribute__((always_inline)) static inline

typedef struct tacit__bits {
    uint64_t same[TACIT_UNIQUES_COLUMNS]
                 [TACIT__MOST_BITS];        /* by column and member: who matches it there */
    uint64_t usable[TACIT_UNIQUES_COLUMNS]; /* by column: whose value there may be added */
    uint64_t wild[TACIT_UNIQUES_COLUMNS];   /* by column: who matches any value there */
    uint32_t items[TACIT__MOST_BITS];
    uint64_t counted; /* members that get finds: one for each item of at most k rows */
} bits;

/* A group below: members, and those of them that have all values of the set. */
typedef struct bits_part {
    uint64_t members;
    uint64_t own;
    uint64_t set;
    int depth;
} bits_part;

/* A column that may be added, for the members whose value is allowed. */
typedef struct bits_choice {
    int column;
    uint64_t allowed;
} bits_choice;

static tacit_status bits_new(struct tacit__bits **out, tacit_error *err)
{
    *out = tacit__alloc(sizeof **out);
    return *out ? TACIT_OK : tacit__nomem(err);
}

INLINED void find_bits(tacit__seeker *seeker, const bits_part *p, int column, uint64_t matching)
{
    const bits *b = seeker->bits;
    uint32_t records = (uint32_t)__builtin_popcountll(matching);
    uint64_t finders = matching & p->own & b->usable[column] & b->counted;
    for (; finders; finders &= finders - 1)
        add_find(seeker, p->depth + 1, p->set | UINT64_C(1) << column,
                 b->items[__builtin_ctzll(finders)], records);
}

/* The finds that add one column, where every value has at most k rows, or
 * nothing more may be added. */
INLINED void find_last(tacit__seeker *seeker, const bits_part *p, const bits_choice *choices,
                       int count)
{
    const bits *b = seeker->bits;
    for (int i = 0; i < count; i++) {
        uint64_t left = p->own & choices[i].allowed;
        while (left) {
            uint64_t matching = b->same[choices[i].column][__builtin_ctzll(left)] & p->members;
            left &= ~matching;
            if (__builtin_popcountll(matching) <= (int)seeker->ground->k)
                find_bits(seeker, p, choices[i].column, matching);
            else
                seeker->cut |= matching != p->members;
        }
    }
}

/* Keeps the columns in which the members differ; most is the largest group of
 * members that match in each. */
INLINED int differing(bits_choice *kept, uint64_t *most, const bits *b, const bits_part *p,
                      const bits_choice *choices, int count)
{
    int number = 0;
    for (int i = 0; i < count; i++) {
        uint64_t left = p->members & choices[i].allowed, largest = 0;
        int rows = 0;
        while (left) {
            uint64_t matching = b->same[choices[i].column][__builtin_ctzll(left)] & p->members;
            int size = __builtin_popcountll(matching);
            left &= ~matching;
            if (size > rows) {
                rows = size;
                largest = matching;
            }
        }
        if (!rows || largest == p->members)
            continue;
        most[number] = largest;
        kept[number++] = choices[i];
    }
    return number;
}

/* Those of the safe members that are among others, if they are more than k. */
INLINED uint64_t narrow_bits(uint64_t safe, uint64_t others, int k)
{
    return __builtin_popcountll(safe & others) > k ? safe & others : safe;
}

/* Members that have as many frequent values in common as could be found; more
 * than k of them. */
INLINED uint64_t choose_safe_bits(const bits *b, const bits_part *p, const bits_choice *choices,
                                  const uint64_t *most, int count, int k)
{
    int order[TACIT_UNIQUES_COLUMNS];
    uint64_t safe = p->members;
    for (int i = 0; i < count; i++) {
        int at = i, rows = __builtin_popcountll(most[i]);
        for (; at > 0 && __builtin_popcountll(most[order[at - 1]]) < rows; at--)
            order[at] = order[at - 1];
        order[at] = i;
        safe = narrow_bits(safe, b->wild[choices[i].column], k);
    }
    for (int i = 0; i < count; i++)
        safe = narrow_bits(safe, most[order[i]], k);
    return safe;
}

/* Members that match a value which all of the safe ones have, or none; all, where
 * they match any. */
INLINED uint64_t safe_value(const bits *b, const bits_part *p, const bits_choice *c, uint64_t safe)
{
    uint64_t known = safe & c->allowed;
    if (!(safe & ~b->wild[c->column]))
        return p->members;
    if (!known)
        return 0;
    uint64_t matching = b->same[c->column][__builtin_ctzll(known)] & p->members;
    return safe & ~matching ? 0 : matching;
}

TACIT__HOT
static void seek_part(tacit__seeker *seeker, const bits_part *p, const bits_choice *choices,
                      int count);

/* Below the values of one column that are not safe. */
INLINED void seek_bits_column(tacit__seeker *seeker, const bits_part *p, const bits_choice *choices,
                              const uint64_t *safe, int count, int at)
{
    const bits *b = seeker->bits;
    bits_choice below[TACIT_UNIQUES_COLUMNS];
    int column = choices[at].column, number = 0;
    for (int i = 0; i < count; i++) {
        if (i < at && safe[i])
            below[number++] = (bits_choice){choices[i].column, choices[i].allowed & safe[i]};
        else if (i > at)
            below[number++] = choices[i];
    }
    uint64_t left = p->own & choices[at].allowed & ~safe[at];
    while (left && seeker->halt == TACIT_OK) {
        uint64_t matching = b->same[column][__builtin_ctzll(left)] & p->members;
        bits_part child = {.members = matching,
                           .own = p->own & matching & b->usable[column],
                           .set = p->set | UINT64_C(1) << column,
                           .depth = p->depth + 1};
        left &= ~matching;
        if (__builtin_popcountll(matching) <= (int)seeker->ground->k)
            find_bits(seeker, p, column, matching);
        else if (number && (child.own & b->counted))
            seek_part(seeker, &child, below, number);
    }
}

TACIT__HOT
static void seek_part(tacit__seeker *seeker, const bits_part *p, const bits_choice *choices,
                      int count)
{
    bits_choice kept[TACIT_UNIQUES_COLUMNS];
    uint64_t most[TACIT_UNIQUES_COLUMNS], safe[TACIT_UNIQUES_COLUMNS];
    int k = (int)seeker->ground->k;
    if (!spend(seeker, 4 * count))
        return;
    if (__builtin_popcountll(p->members) == k + 1 || is_last(seeker, p->depth)) {
        find_last(seeker, p, choices, count);
        return;
    }
    count = differing(kept, most, seeker->bits, p, choices, count);
    uint64_t members = choose_safe_bits(seeker->bits, p, kept, most, count, k);
    for (int i = 0; i < count; i++)
        safe[i] = safe_value(seeker->bits, p, &kept[i], members);
    for (int i = 0; i < count && seeker->halt == TACIT_OK; i++)
        seek_bits_column(seeker, p, kept, safe, count, i);
}

/* Whether sets may hold the column for items with that cell. */
static bool is_usable(const tacit__ground *ground, int column, uint32_t cell)
{
    return cell - ground->base[column] > (uint32_t)ground->wild;
}

/* Fills in who matches whom in a column; slots is zero for every value. Returns
 * the members whose value may be added. */
static uint64_t fill_column(bits *b, const tacit__ground *ground, const tacit__choice *added,
                            int members, uint64_t *slots)
{
    int column = added->column;
    uint64_t values[TACIT__MOST_BITS], wild = 0, usable = 0, allowed = 0;
    uint32_t cells[TACIT__MOST_BITS], count = 0;
    uint8_t value_of[TACIT__MOST_BITS];
    for (int i = 0; i < members; i++) {
        uint32_t cell = tacit__ground_cells(ground, b->items[i])[column];
        if (!is_usable(ground, column, cell)) {
            wild |= (uint64_t)tacit__ground_wild(ground, column, cell) << i;
            continue;
        }
        if (!slots[cell]) {
            cells[count] = cell;
            values[count] = 0;
            slots[cell] = ++count;
        }
        value_of[i] = (uint8_t)(slots[cell] - 1);
        values[value_of[i]] |= UINT64_C(1) << i;
        usable |= UINT64_C(1) << i;
        allowed |= (uint64_t)(added->only == TACIT__ANY_VALUE || added->only == cell) << i;
    }
    for (uint64_t left = usable; left; left &= left - 1)
        b->same[column][__builtin_ctzll(left)] = values[value_of[__builtin_ctzll(left)]] | wild;
    for (uint32_t i = 0; i < count; i++)
        slots[cells[i]] = 0;
    b->usable[column] = usable;
    b->wild[column] = wild;
    return allowed;
}

/* Members of a group: an item each of its rows, k + 1 at most. */
static int fill_members(bits *b, const tacit__ground *ground, const tacit__uniques_group *group,
                        uint64_t *own)
{
    int members = 0;
    b->counted = *own = 0;
    for (uint32_t i = 0; i < group->size; i++) {
        uint32_t weight = ground->weights[group->members[i]];
        if (weight <= ground->k)
            b->counted |= UINT64_C(1) << members;
        for (uint32_t j = 0; j < weight && j <= ground->k; j++) {
            *own |= (uint64_t)(i < group->own) << members;
            b->items[members++] = group->members[i];
        }
    }
    assert(members <= TACIT__MOST_BITS);
    return members;
}

/* The same for groups of up to 64 rows, counting an item for k + 1 rows at most. */
static void seek_bits(tacit__seeker *seeker, const tacit__uniques_group *group,
                      const tacit__choice *choices, int count)
{
    bits *b = seeker->bits;
    bits_choice allowed[TACIT_UNIQUES_COLUMNS];
    bits_part whole = {.set = group->set, .depth = group->depth};
    int members = fill_members(b, seeker->ground, group, &whole.own);
    whole.members = members == TACIT__MOST_BITS ? UINT64_MAX : (UINT64_C(1) << members) - 1;
    if (!spend(seeker, (int64_t)members * count))
        return;
    for (int i = 0; i < count; i++)
        allowed[i] = (bits_choice){
            .column = choices[i].column,
            .allowed = fill_column(b, seeker->ground, &choices[i], members, seeker->counts)};
    seek_part(seeker, &whole, allowed, count);
}

/* Searches for one record of a group alone. It has at most k rows, and with the
 * others at most TACIT__MOST_BITS. */
static void seek_view(tacit__seeker *seeker, const tacit__uniques_group *group,
                      const record_view *view, const tacit__choice *choices, int count)
{
    bits *b = seeker->bits;
    bits_choice allowed[TACIT_UNIQUES_COLUMNS];
    int members = (int)seeker->ground->weights[view->item];
    uint64_t record = (UINT64_C(1) << members) - 1, others[MOST_OTHERS], all = record;
    for (int i = 0; i < view->count; i++) {
        int rows = (int)view->others[i].rows;
        others[i] = ((UINT64_C(1) << rows) - 1) << members;
        members += rows;
        all |= others[i];
    }
    for (int i = 0; i < count; i++) {
        int column = choices[i].column;
        uint64_t same = record;
        for (int j = 0; j < view->count; j++)
            same |= view->others[j].differ >> i & 1 ? 0 : others[j];
        for (int j = 0; j < (int)seeker->ground->weights[view->item]; j++)
            b->same[column][j] = same;
        b->usable[column] = b->wild[column] = 0;
        if (view->allowed >> i & 1)
            b->usable[column] = record;
        allowed[i] = (bits_choice){.column = column, .allowed = b->usable[column]};
    }
    b->items[0] = view->item;
    b->counted = 1;
    seek_part(seeker,
              &(bits_part){.members = all, .own = record, .set = group->set, .depth = group->depth},
              allowed, count);
}

enum { MOST_OWN = 4, MOST_KINDS = 512, SLOTS = 2048 };

/* Others by the columns in which they differ from one record, bits of choices. */
typedef struct kinds {
    uint64_t differ[MOST_KINDS];
    uint32_t rows[MOST_KINDS]; /* k at most */
    uint16_t slots[SLOTS];     /* a kind's number plus one */
    int count;
} kinds;

static bool add_kind(kinds *k, uint64_t differ, uint32_t rows, uint32_t most)
{
    size_t at = tacit__mix(differ) % SLOTS;
    while (k->slots[at] && k->differ[k->slots[at] - 1] != differ)
        at = (at + 1) % SLOTS;
    if (!k->slots[at]) {
        if (k->count == MOST_KINDS)
            return false;
        k->differ[k->count] = differ;
        k->rows[k->count] = 0;
        k->slots[at] = (uint16_t)++k->count;
    }
    uint32_t *sum = &k->rows[k->slots[at] - 1];
    *sum = rows < most - *sum ? *sum + rows : most;
    return true;
}

static void clear_kinds(kinds *k)
{
    for (int i = 0; i < SLOTS; i++)
        k->slots[i] = 0;
    k->count = 0;
}

/* The columns in which a member differs from the record, among those that may be
 * added for it. */
static uint64_t columns_apart(const tacit__ground *ground, const uint32_t *record,
                              const uint32_t *member, const tacit__choice *choices, int count)
{
    uint64_t apart = 0;
    for (int i = 0; i < count; i++) {
        int column = choices[i].column;
        bool differs =
            record[column] != member[column] && !tacit__ground_wild(ground, column, member[column]);
        apart |= (uint64_t)differs << i;
    }
    return apart;
}

/* The columns that may be added for a record, as bits of choices. */
static uint64_t columns_allowed(const tacit__ground *ground, const uint32_t *record,
                                const tacit__choice *choices, int count)
{
    uint64_t allowed = 0;
    for (int i = 0; i < count; i++) {
        uint32_t cell = record[choices[i].column];
        bool may = is_usable(ground, choices[i].column, cell) &&
                   (choices[i].only == TACIT__ANY_VALUE || choices[i].only == cell);
        allowed |= (uint64_t)may << i;
    }
    return allowed;
}

/* Leaves out kinds that are told apart whenever others are. */
static int reduce(const kinds *k, other *others, uint32_t most)
{
    int count = 0;
    for (int i = 0; i < k->count; i++) {
        uint64_t rows = 0;
        for (int j = 0; j < k->count && rows < most; j++)
            if (j != i && !(k->differ[j] & ~k->differ[i]))
                rows += k->rows[j];
        if (rows >= most)
            continue;
        if (count == MOST_OTHERS)
            return count + 1;
        others[count++] = (other){.differ = k->differ[i], .rows = k->rows[i]};
    }
    return count;
}

/* The kinds of others of one own record; false if they do not fit into a word. */
static bool find_others(record_view *view, const tacit__seeker *seeker,
                        const tacit__uniques_group *group, uint32_t own,
                        const tacit__choice *choices, int count)
{
    const tacit__ground *ground = seeker->ground;
    const uint32_t *record = tacit__ground_cells(ground, group->members[own]);
    kinds k;
    clear_kinds(&k);
    *view = (record_view){.item = group->members[own],
                          .allowed = columns_allowed(ground, record, choices, count)};
    for (uint32_t i = 0; i < group->size; i++) {
        uint32_t item = group->members[i];
        uint64_t differ =
            columns_apart(ground, record, tacit__ground_cells(ground, item), choices, count);
        if (i != own && !add_kind(&k, differ & view->allowed, ground->weights[item], ground->k))
            return false;
    }
    view->count = reduce(&k, view->others, ground->k);
    uint64_t rows = ground->weights[view->item];
    for (int i = 0; i < view->count && i < MOST_OTHERS; i++)
        rows += view->others[i].rows;
    return view->count <= MOST_OTHERS && rows <= TACIT__MOST_BITS;
}

/* The same for groups of a few own records, where missing matches anything; false,
 * and nothing is done, where that does not work out. */
static bool seek_few(tacit__seeker *seeker, const tacit__uniques_group *group,
                     const tacit__choice *choices, int count)
{
    record_view views[MOST_OWN];
    if (!seeker->ground->wild || group->own > MOST_OWN || seeker->ground->k >= TACIT__MOST_BITS)
        return false;
    if (!spend(seeker, (int64_t)group->size * group->own * count))
        return true;
    for (uint32_t i = 0; i < group->own; i++)
        if (seeker->ground->weights[group->members[i]] <= seeker->ground->k &&
            !find_others(&views[i], seeker, group, i, choices, count))
            return false;
    for (uint32_t i = 0; i < group->own; i++)
        if (seeker->ground->weights[group->members[i]] <= seeker->ground->k)
            seek_view(seeker, group, &views[i], choices, count);
    return true;
}

/* Members that share a value. */
typedef struct segment {
    uint32_t start; /* in the frame's members */
    uint32_t size;
    uint32_t own;
    bool live; /* some own member could get a find */
} segment;

/* What is kept while one group in lists is searched; a depth each. */
typedef struct tacit__uniques_frame {
    uint32_t *cells;   /* of the members, column by column */
    uint32_t *members; /* of the groups below, value by value */
    uint32_t *missing; /* members that match any value of the column */
    uint32_t *joined;  /* a group below together with these */
    uint32_t *safe;    /* places of members that have the safe set in common */
    uint32_t *values;  /* that occur, column by column */
    uint32_t *counts;  /* rows that match each */
    segment *segments;
    size_t cells_capacity, members_capacity, missing_capacity, joined_capacity, safe_capacity,
        values_capacity, counts_capacity, segments_capacity;
} list_frame;

/* A group on its way down. */
typedef struct node {
    tacit__seeker *seeker;
    const tacit__ground *ground;
    const tacit__uniques_group *group;
    list_frame *frame;
    int count;                                    /* columns */
    tacit__choice choices[TACIT_UNIQUES_COLUMNS]; /* in which the group differs */
    int cells[TACIT_UNIQUES_COLUMNS];     /* a column each: its place in the frame's cells */
    uint32_t from[TACIT_UNIQUES_COLUMNS]; /* a column each: its values in the frame */
    uint32_t to[TACIT_UNIQUES_COLUMNS];
    uint32_t most[TACIT_UNIQUES_COLUMNS]; /* place of its most frequent value */
    uint32_t safe[TACIT_UNIQUES_COLUMNS]; /* its value in the safe set, or none, or any */
} node;

#define NO_VALUE (UINT32_MAX - 1)

/* While values are counted: members in the upper half, rows in the lower. */
#define ONE_MEMBER (UINT64_C(1) << 32)

static void clear_frame(list_frame *frame)
{
    tacit__free(frame->cells);
    tacit__free(frame->members);
    tacit__free(frame->missing);
    tacit__free(frame->joined);
    tacit__free(frame->safe);
    tacit__free(frame->values);
    tacit__free(frame->counts);
    tacit__free(frame->segments);
}

/* Room for a group with so many columns and values in all of them. */
static bool reserve_frame(list_frame *f, const tacit__uniques_group *group, int columns,
                          size_t values, bool wild)
{
    return TACIT__RESERVE(f->cells, f->cells_capacity, group->size * (size_t)columns) &&
           TACIT__RESERVE(f->members, f->members_capacity, group->size) &&
           TACIT__RESERVE(f->safe, f->safe_capacity, group->size) &&
           TACIT__RESERVE(f->values, f->values_capacity, values) &&
           TACIT__RESERVE(f->counts, f->counts_capacity, values) &&
           TACIT__RESERVE(f->segments, f->segments_capacity, values) &&
           (!wild || (TACIT__RESERVE(f->missing, f->missing_capacity, group->size) &&
                      TACIT__RESERVE(f->joined, f->joined_capacity, group->size)));
}

/* Values that a column has in the whole table. */
static uint32_t values_of(const tacit__ground *ground, int column)
{
    uint32_t end = column + 1 < ground->columns ? ground->base[column + 1] : ground->values;
    return end - ground->base[column];
}

static bool prepare_node(node *n, const tacit__choice *choices, int count)
{
    size_t values = 0;
    for (int i = 0; i < count; i++) {
        uint32_t all = values_of(n->ground, choices[i].column);
        n->choices[i] = choices[i];
        n->cells[i] = i;
        n->from[i] = n->to[i] = (uint32_t)values;
        values += all < n->group->size ? all : n->group->size;
    }
    n->count = count;
    return reserve_frame(n->frame, n->group, count, values, n->ground->wild);
}

static const uint32_t *cells_of(const node *n, int at)
{
    return n->frame->cells + (size_t)n->cells[at] * n->group->size;
}

/* Takes the cells of the members into the frame, and counts them; values that
 * occur go into the frame as well. */
static void count_values(node *n)
{
    const tacit__uniques_group *group = n->group;
    uint64_t *counts = n->seeker->counts;
    uint32_t *values = n->frame->values;
    for (uint32_t i = 0; i < group->size; i++) {
        const uint32_t *cells = tacit__ground_cells(n->ground, group->members[i]);
        uint64_t member = ONE_MEMBER | n->ground->weights[group->members[i]];
        uint32_t *to = n->frame->cells + i;
        for (int j = 0; j < n->count; j++, to += group->size) {
            uint32_t value = *to = cells[n->choices[j].column];
            if (!counts[value])
                values[n->to[j]++] = value;
            counts[value] += member;
        }
    }
}

/* Takes the counts of a column over into the frame and keeps the values that may
 * be added. */
static void take_counts(node *n, int at)
{
    const tacit__choice *choice = &n->choices[at];
    uint64_t *counts = n->seeker->counts;
    uint32_t kept = n->from[at], missing = 0;
    if (n->ground->wild) {
        missing = (uint32_t)counts[n->ground->base[choice->column] + 1];
        counts[n->ground->base[choice->column] + 1] = 0;
    }
    n->most[at] = n->from[at];
    for (uint32_t i = n->from[at]; i < n->to[at]; i++) {
        uint32_t value = n->frame->values[i];
        uint64_t counted = counts[value];
        counts[value] = 0;
        if (!is_usable(n->ground, choice->column, value) ||
            (choice->only != TACIT__ANY_VALUE && choice->only != value))
            continue;
        n->frame->values[kept] = value;
        n->frame->counts[kept] = (uint32_t)counted + missing;
        n->frame->segments[kept] = (segment){.size = (uint32_t)(counted >> 32)};
        if (n->frame->counts[kept] > n->frame->counts[n->most[at]])
            n->most[at] = kept;
        kept++;
    }
    n->to[at] = kept;
}

/* Keeps the columns in which the group differs. */
static void survey(node *n)
{
    int kept = 0;
    count_values(n);
    for (int i = 0; i < n->count; i++) {
        take_counts(n, i);
        if (n->from[i] == n->to[i] || n->frame->counts[n->most[i]] == n->group->weight)
            continue;
        n->choices[kept] = n->choices[i];
        n->cells[kept] = n->cells[i];
        n->from[kept] = n->from[i];
        n->to[kept] = n->to[i];
        n->most[kept] = n->most[i];
        n->safe[kept++] = NO_VALUE;
    }
    n->count = kept;
}

/* Members, by their places, that have the safe set in common. */
typedef struct company {
    uint32_t *places;
    uint32_t *spare;
    uint32_t size;
} company;

static uint32_t wild_of(const node *n, int at)
{
    return n->ground->base[n->choices[at].column] + 1;
}

/* Narrows members down to those that match a value, if these are more than k rows. */
static void narrow(const node *n, company *safe, int at, uint32_t value)
{
    const uint32_t *cells = cells_of(n, at), *from = safe->places;
    uint32_t *to = safe->spare, kept = 0, wild = n->ground->wild ? wild_of(n, at) : value;
    uint64_t rows = 0;
    for (uint32_t i = 0; i < safe->size; i++) {
        to[kept] = from[i];
        kept += cells[from[i]] == value || cells[from[i]] == wild;
    }
    for (uint32_t i = 0; i < kept && rows <= n->ground->k; i++)
        rows += n->ground->weights[n->group->members[to[i]]];
    if (rows > n->ground->k)
        *safe = (company){.places = to, .spare = safe->places, .size = kept};
}

/* The columns by their most frequent value, the most frequent first. */
static void order_by_most(const node *n, int *order)
{
    for (int i = 0; i < n->count; i++) {
        uint32_t rows = n->frame->counts[n->most[i]];
        int at = i;
        for (; at > 0 && n->frame->counts[n->most[order[at - 1]]] < rows; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* The value that all safe members have in a column, or none; any value, where
 * they match any. */
static uint32_t common_value(const node *n, const company *safe, int at)
{
    const tacit__choice *choice = &n->choices[at];
    const uint32_t *cells = cells_of(n, at);
    uint32_t value = TACIT__ANY_VALUE;
    for (uint32_t i = 0; i < safe->size; i++) {
        uint32_t cell = cells[safe->places[i]];
        if (cell == value || tacit__ground_wild(n->ground, choice->column, cell))
            continue;
        if (value != TACIT__ANY_VALUE || !is_usable(n->ground, choice->column, cell))
            return NO_VALUE;
        value = cell;
    }
    bool allowed =
        value == TACIT__ANY_VALUE || choice->only == TACIT__ANY_VALUE || choice->only == value;
    return allowed ? value : NO_VALUE;
}

static void choose_safe(node *n)
{
    int order[TACIT_UNIQUES_COLUMNS];
    company safe = {.places = n->frame->safe, .spare = n->frame->members, .size = n->group->size};
    for (uint32_t i = 0; i < safe.size; i++)
        safe.places[i] = i;
    for (int i = 0; n->ground->wild && i < n->count; i++)
        narrow(n, &safe, i, wild_of(n, i));
    order_by_most(n, order);
    for (int i = 0; i < n->count; i++)
        narrow(n, &safe, order[i], n->frame->values[n->most[order[i]]]);
    for (int i = 0; i < n->count; i++)
        n->safe[i] = common_value(n, &safe, i);
}

/* Gives the values of a column outside the safe set their segments: in the
 * worker's counts, their number from 1. */
static void mark_values(node *n, int at)
{
    uint32_t place = 0;
    for (uint32_t i = n->from[at]; i < n->to[at]; i++) {
        segment *s = &n->frame->segments[i];
        uint32_t size = s->size;
        s->size = 0;
        if (n->frame->values[i] == n->safe[at])
            continue;
        n->seeker->counts[n->frame->values[i]] = i + 1;
        s->start = place;
        place += size;
    }
}

static void clear_marks(node *n, int at)
{
    for (uint32_t i = n->from[at]; i < n->to[at]; i++)
        n->seeker->counts[n->frame->values[i]] = 0;
}

/* Deals the members to their segments, in their order, so that own ones come
 * first. Those of values that at most k rows match are finds. */
static void deal_members(node *n, int at)
{
    const tacit__uniques_group *group = n->group;
    const uint32_t *cells = cells_of(n, at);
    uint64_t set = group->set | UINT64_C(1) << n->choices[at].column;
    uint32_t k = n->ground->k;
    for (uint32_t i = 0; i < group->size; i++) {
        uint64_t mark = n->seeker->counts[cells[i]];
        if (!mark)
            continue;
        segment *s = &n->frame->segments[mark - 1];
        uint32_t item = group->members[i], rows = n->frame->counts[mark - 1];
        bool own = i < group->own;
        if (rows <= k && own)
            add_find(n->seeker, group->depth + 1, set, item, rows);
        n->frame->members[s->start + s->size++] = item;
        s->own += own;
        s->live |= own && rows > k && n->ground->weights[item] <= k;
    }
}

/* The members that match any value of a column. */
static uint32_t collect_missing(node *n, int at)
{
    const uint32_t *cells = cells_of(n, at);
    uint32_t missing = 0;
    for (uint32_t i = 0; n->ground->wild && i < n->group->size; i++)
        if (cells[i] == wild_of(n, at))
            n->frame->missing[missing++] = n->group->members[i];
    return missing;
}

/* The group of a value; members that match any value stand behind it. */
static tacit__uniques_group group_below(node *n, int at, uint32_t value, uint32_t missing)
{
    const segment *s = &n->frame->segments[value];
    const uint32_t *members = n->frame->members + s->start;
    if (missing) {
        uint32_t *joined = n->frame->joined;
        memcpy(joined, members, s->size * sizeof *joined);
        memcpy(joined + s->size, n->frame->missing, missing * sizeof *joined);
        members = joined;
    }
    return (tacit__uniques_group){.members = members,
                                  .size = s->size + missing,
                                  .own = s->own,
                                  .weight = n->frame->counts[value],
                                  .set = n->group->set | UINT64_C(1) << n->choices[at].column,
                                  .depth = n->group->depth + 1};
}

/* The choices below a value of the column at place `at`, into below; returns
 * their number. safe is the safe value of each choice, or NO_VALUE, or TACIT__ANY_VALUE
 * where all of its values are safe. */
static inline int choices_below(tacit__choice *below, const tacit__choice *choices,
                                const uint32_t *safe, int count, int at)
{
    int kept = 0;
    for (int i = 0; i < at; i++)
        if (safe[i] == TACIT__ANY_VALUE)
            below[kept++] = choices[i];
        else if (safe[i] != NO_VALUE)
            below[kept++] = (tacit__choice){.column = choices[i].column, .only = safe[i]};
    for (int i = at + 1; i < count; i++)
        below[kept++] = choices[i];
    return kept;
}

static void seek_column(node *n, int at, bool last)
{
    tacit__choice below[TACIT_UNIQUES_COLUMNS];
    int choices = choices_below(below, n->choices, n->safe, n->count, at);
    mark_values(n, at);
    deal_members(n, at);
    clear_marks(n, at);
    uint32_t missing = last ? 0 : collect_missing(n, at);
    for (uint32_t i = n->from[at]; choices && i < n->to[at]; i++) {
        if (!n->frame->segments[i].live)
            continue;
        n->seeker->cut |= last;
        if (last || n->seeker->halt != TACIT_OK)
            return;
        tacit__uniques_group group = group_below(n, at, i, missing);
        n->seeker->below(n->seeker, &group, below, choices);
    }
}

void tacit__seek_lists(tacit__seeker *seeker, const tacit__uniques_group *group,
                       const tacit__choice *choices, int count)
{
    node n = {.seeker = seeker,
              .ground = seeker->ground,
              .group = group,
              .frame = &seeker->frames[group->depth]};
    bool last = is_last(seeker, group->depth);
    if (!spend(seeker, (int64_t)group->size * count))
        return;
    if (!prepare_node(&n, choices, count)) {
        seeker->halt = TACIT_NOMEM;
        return;
    }
    survey(&n);
    if (!last)
        choose_safe(&n);
    for (int i = 0; i < n.count && seeker->halt == TACIT_OK; i++)
        if (n.safe[i] != TACIT__ANY_VALUE)
            seek_column(&n, i, last);
}

tacit_status tacit__seeker_init(tacit__seeker *seeker, const tacit__ground *ground,
                                tacit__uniques_found *found, int worker, tacit_error *err)
{
    *seeker =
        (tacit__seeker){.ground = ground, .found = found, .worker = worker, .below = tacit__seek};
    seeker->counts = tacit__alloc_zeroed(ground->values, sizeof *seeker->counts);
    seeker->frames = tacit__alloc_zeroed((size_t)ground->columns + 1, sizeof *seeker->frames);
    if (!seeker->counts || !seeker->frames)
        return tacit__nomem(err);
    return bits_new(&seeker->bits, err);
}

void tacit__seeker_clear(tacit__seeker *seeker)
{
    for (int i = 0; seeker->frames && i <= seeker->ground->columns; i++)
        clear_frame(&seeker->frames[i]);
    tacit__free(seeker->frames);
    tacit__free(seeker->counts);
    tacit__free(seeker->bits);
}

/* Whether the members fit into a word, an item counting for k + 1 at most. */
static bool fits_word(const tacit__ground *ground, const tacit__uniques_group *group)
{
    if (ground->k >= TACIT__MOST_BITS || group->size > TACIT__MOST_BITS)
        return false;
    uint32_t members = group->weight;
    if (members > TACIT__MOST_BITS) {
        members = 0;
        for (uint32_t i = 0; i < group->size; i++) {
            uint32_t weight = ground->weights[group->members[i]];
            members += weight <= ground->k ? weight : ground->k + 1;
        }
    }
    return members <= TACIT__MOST_BITS;
}

void tacit__seek(tacit__seeker *seeker, const tacit__uniques_group *group,
                 const tacit__choice *choices, int count)
{
    if (fits_word(seeker->ground, group))
        seek_bits(seeker, group, choices, count);
    else if (!seek_few(seeker, group, choices, count))
        tacit__seek_lists(seeker, group, choices, count);
}
