/*
 * bits.c - the search below groups that fit into a word, and of records that do with what is
 * around them; see seek.h.
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
 */
#include "uniques/seek.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/hash.h"

/* One record of a group and what it has around it: kinds of others by the choices
 * in which they differ from it, as bits, each with its rows. */
enum { MAX_OTHERS = TACIT__MAX_BITS - 1 };

typedef struct other {
    uint64_t differ;
    uint32_t rows; /* k at most */
} other;

typedef struct record_view {
    uint32_t item;
    uint64_t allowed; /* choices that may be added for it */
    other others[MAX_OTHERS];
    int count;
} record_view;

/* Compiled into the search for each kind of processor, since bits are counted everywhere. */
#define INLINED __attribute__((always_inline)) static inline

typedef struct tacit__bits {
    uint64_t same[TACIT_UNIQUES_COLUMNS]
                 [TACIT__MAX_BITS];         /* by column and member: who matches it there */
    uint64_t usable[TACIT_UNIQUES_COLUMNS]; /* by column: whose value there may be added */
    uint64_t wild[TACIT_UNIQUES_COLUMNS];   /* by column: who matches any value there */
    uint32_t items[TACIT__MAX_BITS];
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

tacit_status tacit__bits_new(struct tacit__bits **out, tacit_error *err)
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
        tacit__seeker_find(seeker, p->depth + 1, p->set | UINT64_C(1) << column,
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
    if (!tacit__seeker_spend(seeker, 4 * count))
        return;
    if (__builtin_popcountll(p->members) == k + 1 || tacit__seeker_last(seeker, p->depth)) {
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

/* Fills in who matches whom in a column; slots is zero for every value. Returns
 * the members whose value may be added. */
static uint64_t fill_column(bits *b, const tacit__ground *ground, const tacit__choice *added,
                            int members, uint64_t *slots)
{
    int column = added->column;
    uint64_t values[TACIT__MAX_BITS], wild = 0, usable = 0, allowed = 0;
    uint32_t cells[TACIT__MAX_BITS], count = 0;
    uint8_t value_of[TACIT__MAX_BITS];
    for (int i = 0; i < members; i++) {
        uint32_t cell = tacit__ground_cells(ground, b->items[i])[column];
        if (!tacit__ground_usable(ground, column, cell)) {
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
    assert(members <= TACIT__MAX_BITS);
    return members;
}

void tacit__seek_bits(tacit__seeker *seeker, const tacit__uniques_group *group,
                      const tacit__choice *choices, int count)
{
    bits *b = seeker->bits;
    bits_choice allowed[TACIT_UNIQUES_COLUMNS];
    bits_part whole = {.set = group->set, .depth = group->depth};
    int members = fill_members(b, seeker->ground, group, &whole.own);
    whole.members = members == TACIT__MAX_BITS ? UINT64_MAX : (UINT64_C(1) << members) - 1;
    if (!tacit__seeker_spend(seeker, (int64_t)members * count))
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
    uint64_t record = (UINT64_C(1) << members) - 1, others[MAX_OTHERS], all = record;
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

enum { MAX_OWN = 4, MAX_KINDS = 512, SLOTS = 2048 };

/* Others by the columns in which they differ from one record, bits of choices. */
typedef struct kinds {
    uint64_t differ[MAX_KINDS];
    uint32_t rows[MAX_KINDS]; /* k at most */
    uint16_t slots[SLOTS];    /* a kind's number plus one */
    int count;
} kinds;

static bool add_kind(kinds *k, uint64_t differ, uint32_t rows, uint32_t most)
{
    size_t at = tacit__mix(differ) % SLOTS;
    while (k->slots[at] && k->differ[k->slots[at] - 1] != differ)
        at = (at + 1) % SLOTS;
    if (!k->slots[at]) {
        if (k->count == MAX_KINDS)
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
        bool may = tacit__ground_usable(ground, choices[i].column, cell) &&
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
        if (count == MAX_OTHERS)
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
    for (int i = 0; i < view->count && i < MAX_OTHERS; i++)
        rows += view->others[i].rows;
    return view->count <= MAX_OTHERS && rows <= TACIT__MAX_BITS;
}

bool tacit__seek_few(tacit__seeker *seeker, const tacit__uniques_group *group,
                     const tacit__choice *choices, int count)
{
    record_view views[MAX_OWN];
    if (!seeker->ground->wild || group->own > MAX_OWN || seeker->ground->k >= TACIT__MAX_BITS)
        return false;
    if (!tacit__seeker_spend(seeker, (int64_t)group->size * group->own * count))
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
