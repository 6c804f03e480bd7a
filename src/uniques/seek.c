/*
 * seek.c - the search below a group of records in lists, and which way is taken; see seek.h.
 *
 * One pass over the members counts the values of every column that may be added. The safe set is
 * found greedily: members are narrowed down to those with the most frequent value of one column
 * after the other, the most frequent first, as long as more than k rows are left; where missing
 * matches anything, first of all to those who miss it, since to them all of its values are the
 * same. Then members are dealt by value, column by column, and each group of more than k rows is
 * searched in turn. Time linear in members times columns, apart from the groups below; memory 4
 * bytes a cell, 8 a member and 24 a value at each depth.
 */
#include "uniques/seek.h"

#include <string.h>

#include "base/error.h"
#include "base/vector.h"

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
        if (!tacit__ground_usable(n->ground, choice->column, value) ||
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
        if (value != TACIT__ANY_VALUE || !tacit__ground_usable(n->ground, choice->column, cell))
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
            tacit__seeker_find(n->seeker, group->depth + 1, set, item, rows);
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
    bool last = tacit__seeker_last(seeker, group->depth);
    if (!tacit__seeker_spend(seeker, (int64_t)group->size * count))
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
    return tacit__bits_new(&seeker->bits, err);
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
    if (ground->k >= TACIT__MAX_BITS || group->size > TACIT__MAX_BITS)
        return false;
    uint32_t members = group->weight;
    if (members > TACIT__MAX_BITS) {
        members = 0;
        for (uint32_t i = 0; i < group->size; i++) {
            uint32_t weight = ground->weights[group->members[i]];
            members += weight <= ground->k ? weight : ground->k + 1;
        }
    }
    return members <= TACIT__MAX_BITS;
}

void tacit__seek(tacit__seeker *seeker, const tacit__uniques_group *group,
                 const tacit__choice *choices, int count)
{
    if (fits_word(seeker->ground, group))
        tacit__seek_bits(seeker, group, choices, count);
    else if (!tacit__seek_few(seeker, group, choices, count))
        tacit__seek_lists(seeker, group, choices, count);
}
