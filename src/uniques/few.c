/*
 * few.c - the search in groups of a few own records and many others that match
 * them only because they miss values; see seek.h.
 *
 * To one own record the others are all alike who differ from it in the same
 * columns: nothing else about them decides which sets it is alone on. And who
 * differs in all the columns that k rows of others differ in is told apart
 * whenever one of these is. What is left are as a rule so few kinds of others
 * that the record and they fit into a word.
 *
 * Time: own records times members times columns.
 */
#include "base/hash.h"
#include "uniques/seek.h"

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
        bool may = tacit__ground_usable(ground, choices[i].column, cell) &&
                   (choices[i].only == TACIT__ANY_VALUE || choices[i].only == cell);
        allowed |= (uint64_t)may << i;
    }
    return allowed;
}

/* Leaves out kinds that are told apart whenever others are. */
static int reduce(const kinds *k, tacit__other *others, uint32_t most)
{
    int count = 0;
    for (int i = 0; i < k->count; i++) {
        uint64_t rows = 0;
        for (int j = 0; j < k->count && rows < most; j++)
            if (j != i && !(k->differ[j] & ~k->differ[i]))
                rows += k->rows[j];
        if (rows >= most)
            continue;
        if (count == TACIT__MOST_OTHERS)
            return count + 1;
        others[count++] = (tacit__other){.differ = k->differ[i], .rows = k->rows[i]};
    }
    return count;
}

/* The kinds of others of one own record; false if they do not fit into a word. */
static bool find_others(tacit__uniques_view *view, const tacit__seeker *seeker,
                        const tacit__uniques_group *group, uint32_t own,
                        const tacit__choice *choices, int count)
{
    const tacit__ground *ground = seeker->ground;
    const uint32_t *record = tacit__ground_cells(ground, group->members[own]);
    kinds k;
    clear_kinds(&k);
    *view = (tacit__uniques_view){.item = group->members[own],
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
    for (int i = 0; i < view->count && i < TACIT__MOST_OTHERS; i++)
        rows += view->others[i].rows;
    return view->count <= TACIT__MOST_OTHERS && rows <= TACIT__MOST_BITS;
}

bool tacit__seek_few(tacit__seeker *seeker, const tacit__uniques_group *group,
                     const tacit__choice *choices, int count)
{
    tacit__uniques_view views[MOST_OWN];
    if (!seeker->ground->wild || group->own > MOST_OWN || seeker->ground->k >= TACIT__MOST_BITS)
        return false;
    if (!tacit__seeker_spend(seeker, (int64_t)group->size * group->own * count))
        return true;
    for (uint32_t i = 0; i < group->own; i++)
        if (seeker->ground->weights[group->members[i]] <= seeker->ground->k &&
            !find_others(&views[i], seeker, group, i, choices, count))
            return false;
    for (uint32_t i = 0; i < group->own; i++)
        if (seeker->ground->weights[group->members[i]] <= seeker->ground->k)
            tacit__seek_view(seeker, group, &views[i], choices, count);
    return true;
}
