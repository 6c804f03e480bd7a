/*
 * states.c - the automata of all templates run at once. A state is the list of places
 * that have just read a byte; where each byte leads from there is computed when a text first
 * asks and kept, so that ordinary text costs one look-up a byte (a deterministic automaton
 * made lazily: Aho, Sethi and Ullman, section 3.7). States that are made are at most MAX_STATES;
 * beyond that they are made anew, which is slower by a constant.
 *
 * A walk starts where a word or number starts, or at a sign that a template starts with, and
 * ends where no template can go on, after at most TACIT__MATCH_MAX bytes.
 *
 * The places of a state are ordered: by template, and within a template as its own automaton
 * would find them, the first to arrive first. So the states of a walk, read backwards from a
 * match's end, tell which place read each byte, and by that where the span starts and ends.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "text/template/machine.h"

enum {
    /* A move is a state; with this bit there is something to do on arrival: */
    ENDS = 1 << 15, /* a template can end there, */
    DEAD = ENDS,    /* no template goes on, */
    UNKNOWN = UINT16_MAX,
    STATE = ENDS - 1,
    MAX_STATES = 1 << 14,
    START_FREE = 1,   /* any template may start; no move leads to the state before */
    START_JOINED = 2, /* a number goes on before it: only templates that allow it */
    FIRST_STATES = 3,
    LINE = 32, /* moves in a line of the processor's cache */
    PLANE = MAX_STATES * LINE,
    MAX_PLACES = TACIT__MACHINE_PLACES * 2, /* of all states together */
    TABLE = MAX_STATES * 4,
    MIXED = 3
};

/* The places of one automaton in a state. */
typedef struct group {
    uint32_t first;
    uint16_t automaton;
    uint8_t part; /* tacit__part of all of them, or MIXED */
} group;

typedef struct state {
    uint32_t places, count; /* in their pool, as are the others */
    uint32_t groups, group_count;
    uint32_t ends, end_count; /* templates that can end here */
} state;

struct tacit__states {
    const tacit__machine *machine;
    /* Moves by class, in planes of 32 classes: what states that follow each other need for letters
     * lies together, and elsewhere what they need for digits. */
    uint16_t *moves;
    size_t planes;
    uint32_t columns[256]; /* of bytes: where their moves from state 0 are */
    state *items;
    size_t count;
    uint32_t *pool; /* places of states */
    size_t used, capacity;
    group *groups;
    size_t groups_used, groups_capacity;
    uint16_t *ends;
    size_t ends_used, ends_capacity;
    uint16_t *table; /* states by the hash of their places; 0 is free */
    uint32_t *seen;
    uint32_t stamp;
    uint32_t *next; /* the set under construction */
    tacit__template_reach *reached;
    size_t reached_count;
    uint16_t *slot; /* of each automaton its entry in reached, plus one */
    /* The last walk: */
    size_t at;
    bool whole;                       /* no state of it was forgotten */
    uint16_t trail[TACIT__MATCH_MAX]; /* the state after each byte */
};

void tacit__states_free(tacit__states *states)
{
    if (!states)
        return;
    tacit__free(states->moves);
    tacit__free(states->items);
    tacit__free(states->pool);
    tacit__free(states->groups);
    tacit__free(states->ends);
    tacit__free(states->table);
    tacit__free(states->seen);
    tacit__free(states->next);
    tacit__free(states->reached);
    tacit__free(states->slot);
    tacit__free(states);
}

static void clear_moves(tacit__states *s, size_t from, size_t count)
{
    for (size_t plane = 0; plane < s->planes; plane++)
        memset(s->moves + plane * PLANE + from * LINE, 0xff, count * LINE * sizeof *s->moves);
}

static void forget(tacit__states *s)
{
    memset(s->table, 0, TABLE * sizeof *s->table);
    s->count = FIRST_STATES;
    clear_moves(s, 0, s->count);
    s->used = s->ends_used = s->groups_used = 0;
    s->whole = false;
}

tacit_status tacit__states_new(tacit__states **out, const tacit__machine *machine, tacit_error *err)
{
    tacit__states *new = tacit__alloc_zeroed(1, sizeof *new);
    if (!new)
        return tacit__nomem(err);
    size_t places = machine->bases[machine->count];
    new->machine = machine;
    new->planes = (machine->class_count + LINE - 1) / LINE;
    for (int byte = 0; byte < 256; byte++) {
        uint32_t class = machine->classes[byte];
        new->columns[byte] = class / LINE *PLANE + class % LINE;
    }
    new->moves = tacit__alloc_array(new->planes *PLANE, sizeof *new->moves);
    new->items = tacit__alloc_array(MAX_STATES, sizeof *new->items);
    new->table = tacit__alloc_array(TABLE, sizeof *new->table);
    new->seen = tacit__alloc_zeroed(places, sizeof *new->seen);
    new->next = tacit__alloc_array(places, sizeof *new->next);
    new->reached = tacit__alloc_array(machine->count, sizeof *new->reached);
    new->slot = tacit__alloc_zeroed(machine->count, sizeof *new->slot);
    if (!new->moves || !new->items || !new->table || !new->seen || !new->next || !new->reached ||
        !new->slot) {
        tacit__states_free(new);
        return tacit__nomem(err);
    }
    forget(new);
    *out = new;
    return TACIT_OK;
}

static void new_stamp(tacit__states *s)
{
    if (++s->stamp == 0) {
        memset(s->seen, 0, s->machine->bases[s->machine->count] * sizeof *s->seen);
        s->stamp = 1;
    }
}

/* Adds those of an automaton's places that can read the byte. */
static size_t reach(tacit__states *s, size_t count, size_t number, const uint16_t *edges,
                    size_t edge_count, unsigned char byte)
{
    const tacit__automaton *automaton = s->machine->automata[number];
    for (size_t i = 0; i < edge_count; i++) {
        uint32_t place = s->machine->bases[number] + edges[i];
        if (s->seen[place] == s->stamp || !tacit__bytes_has(automaton->places[edges[i]].set, byte))
            continue;
        s->seen[place] = s->stamp;
        s->next[count++] = place;
    }
    return count;
}

/* The places that can read the byte from a state; in s->next. */
static size_t follow(tacit__states *s, size_t from, unsigned char byte)
{
    const tacit__machine *machine = s->machine;
    size_t count = 0;
    new_stamp(s);
    if (from == START_FREE || from == START_JOINED) {
        for (size_t i = 0; i < machine->count; i++)
            if (from == START_FREE || machine->automata[i]->loose_start)
                count = reach(s, count, i, machine->automata[i]->edges,
                              machine->automata[i]->firsts, byte);
        return count;
    }
    const state *item = &s->items[from];
    for (uint32_t i = 0; i < item->count; i++) {
        uint32_t place = s->pool[item->places + i];
        size_t number = machine->owners[place];
        const tacit__automaton *automaton = machine->automata[number];
        const tacit__template_place *of = &automaton->places[place - machine->bases[number]];
        count = reach(s, count, number, automaton->edges + of->follow, of->followers, byte);
    }
    return count;
}

static uint64_t hash_places(const uint32_t *places, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ places[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static bool same(const tacit__states *s, size_t number, size_t count)
{
    const state *item = &s->items[number];
    return item->count == count &&
           memcmp(s->pool + item->places, s->next, count * sizeof *s->next) == 0;
}

static bool add_end(tacit__states *s, state *item, uint16_t automaton)
{
    if (item->end_count > 0 && s->ends[s->ends_used - 1] == automaton)
        return true;
    if (!TACIT__PUSH(s->ends, s->ends_capacity, s->ends_used, automaton))
        return false;
    item->end_count++;
    return true;
}

static bool add_to_group(tacit__states *s, state *item, uint32_t index, uint16_t automaton,
                         uint8_t part)
{
    group *last = item->group_count > 0 ? &s->groups[s->groups_used - 1] : NULL;
    if (last && last->automaton == automaton) {
        last->part = last->part == part ? part : MIXED;
        return true;
    }
    if (!TACIT__PUSH(s->groups, s->groups_capacity, s->groups_used,
                     (group){.first = index, .automaton = automaton, .part = part}))
        return false;
    item->group_count++;
    return true;
}

/* Parts the places of a new state by template, and lists the templates that can end there. */
static bool describe(tacit__states *s, state *item)
{
    const tacit__machine *machine = s->machine;
    item->groups = (uint32_t)s->groups_used;
    item->ends = (uint32_t)s->ends_used;
    for (uint32_t i = 0; i < item->count; i++) {
        uint32_t place = s->pool[item->places + i];
        uint16_t automaton = machine->owners[place];
        const tacit__template_place *of =
            &machine->automata[automaton]->places[place - machine->bases[automaton]];
        if (!add_to_group(s, item, i, automaton, of->part) ||
            (of->last && !add_end(s, item, automaton)))
            return false;
    }
    return true;
}

/* Makes a state of s->next; false when memory runs out. */
static bool add_state(uint16_t *out, tacit__states *s, size_t count)
{
    if (!TACIT__RESERVE(s->pool, s->capacity, s->used + count))
        return false;
    state item = {.places = (uint32_t)s->used, .count = (uint32_t)count};
    memcpy(s->pool + s->used, s->next, count * sizeof *s->next);
    size_t ends_before = s->ends_used, groups_before = s->groups_used;
    if (!describe(s, &item)) {
        s->ends_used = ends_before;
        s->groups_used = groups_before;
        return false;
    }
    s->used += count;
    s->items[s->count] = item;
    clear_moves(s, s->count, 1);
    *out = (uint16_t)(s->count | (item.end_count > 0 ? ENDS : 0));
    s->count++;
    return true;
}

/* Where a byte leads that was not asked for before. Where there is no room
 * for one more state all are forgotten, also the one it came from. */
static bool explore(uint16_t *out, tacit__states *s, size_t from, unsigned char byte)
{
    size_t move = from * LINE + s->columns[byte];
    size_t count = follow(s, from, byte);
    if (count == 0) {
        *out = s->moves[move] = DEAD;
        return true;
    }
    bool full = s->count == MAX_STATES || s->used + count > MAX_PLACES;
    if (full)
        forget(s);
    size_t at = (size_t)hash_places(s->next, count) % TABLE;
    while (s->table[at] && !same(s, s->table[at] & STATE, count))
        at = (at + 1) % TABLE;
    uint16_t to = s->table[at];
    if (!to && !add_state(&to, s, count))
        return false;
    s->table[at] = to;
    if (!full)
        s->moves[move] = to;
    *out = to;
    return true;
}

/* The state to start in; the bytes are those from the offset on. */
static inline size_t start_at(const tacit__states *s, const unsigned char *bytes, size_t at)
{
    const uint8_t *sorts = s->machine->sorts;
    bool joined = (sorts[bytes[0]] & TACIT__SORT_DIGIT) && at > 1 &&
                  (sorts[bytes[-1]] & TACIT__SORT_JOINS) && (sorts[bytes[-2]] & TACIT__SORT_DIGIT);
    return joined ? START_JOINED : START_FREE;
}

/* Whether a number that ends before the offset goes on after the byte there. */
static bool number_goes_on(const tacit__machine *machine, tacit_strview text, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes;
    const uint8_t *sorts = machine->sorts;
    return at + 1 < text.len && (sorts[bytes[at - 1]] & TACIT__SORT_DIGIT) &&
           (sorts[bytes[at]] & TACIT__SORT_JOINS) && (sorts[bytes[at + 1]] & TACIT__SORT_DIGIT);
}

/* The templates that end in the state have matched up to `end`, unless the text goes on. */
static void note_reached(tacit__states *s, const state *item, tacit_strview text, size_t end)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes;
    const tacit__machine *machine = s->machine;
    if (end < text.len &&
        (machine->sorts[bytes[end - 1]] & machine->sorts[bytes[end]] & TACIT__SORT_WORD))
        return;
    bool loose = number_goes_on(machine, text, end);
    for (uint32_t i = 0; i < item->end_count; i++) {
        uint16_t automaton = s->ends[item->ends + i];
        if (loose && !machine->automata[automaton]->loose_end)
            continue;
        if (s->slot[automaton] == 0) {
            s->reached[s->reached_count++] = (tacit__template_reach){
                .number = machine->numbers[automaton], .automaton = automaton};
            s->slot[automaton] = (uint16_t)s->reached_count;
        }
        s->reached[s->slot[automaton] - 1].end = end;
    }
}

/* Where a walk stands: the bytes that it has read, the state after them, and the move that the next
 * byte makes, which has more to it; DEAD at the end. */
typedef struct footing {
    size_t read, state;
    uint16_t move;
} footing;

/* Goes on while there is nothing to do but going on. */
static inline footing glide(tacit__states *s, const unsigned char *bytes, size_t i, size_t now,
                            size_t stop)
{
    const uint16_t *moves = s->moves;
    const uint32_t *columns = s->columns;
    uint16_t *trail = s->trail;
    for (; i < stop; i++) {
        uint16_t move = moves[now * LINE + columns[bytes[i]]];
        if (move & ENDS)
            return (footing){i, now, move};
        trail[i] = move;
        now = move;
    }
    return (footing){i, now, DEAD};
}

/* A walk from where there is more to do. Apart, as most walks never come here. */
static __attribute__((noinline)) bool walk_on(tacit__states *s, tacit_strview text, footing at,
                                              size_t stop)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes + s->at;
    for (size_t j = 0; j < s->reached_count; j++)
        s->slot[s->reached[j].automaton] = 0;
    s->reached_count = 0;
    s->whole = true;
    for (;;) {
        if (at.move == UNKNOWN && !explore(&at.move, s, at.state, bytes[at.read]))
            return false;
        if (at.move == DEAD)
            return true;
        at.state = s->trail[at.read++] = at.move & STATE;
        if (at.move & ENDS)
            note_reached(s, &s->items[at.state], text, s->at + at.read);
        at = glide(s, bytes, at.read, at.state, stop);
    }
}

/* Most walks are over before any template ends. */
tacit_status tacit__states_read(tacit__reached *out, tacit__states *s, tacit_strview text,
                                size_t at, tacit_error *err)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes + at;
    size_t left = text.len - at, stop = left < TACIT__MATCH_MAX ? left : TACIT__MATCH_MAX;
    footing first = glide(s, bytes, 0, start_at(s, bytes, at), stop);
    *out = (tacit__reached){s->reached, 0};
    if (first.move == DEAD)
        return TACIT_OK;
    s->at = at;
    if (!walk_on(s, text, first, stop))
        return tacit__nomem(err);
    out->count = s->reached_count;
    return TACIT_OK;
}

tacit_status tacit__states_after(uint32_t *after, tacit__states *s, tacit_strview letters,
                                 tacit_error *err)
{
    uint16_t now = START_FREE;
    *after = 0;
    for (size_t i = 0; i < letters.len; i++) {
        unsigned char byte = (unsigned char)letters.bytes[i];
        uint16_t move = s->moves[(size_t)now * LINE + s->columns[byte]];
        if (move == UNKNOWN && !explore(&move, s, now, byte))
            return tacit__nomem(err);
        if (move == DEAD)
            return TACIT_OK;
        now = move & STATE;
    }
    const state *item = &s->items[now];
    for (uint32_t i = 0; i < item->count; i++)
        *after |= s->machine->after[s->pool[item->places + i]];
    return TACIT_OK;
}

/* Of a state on the last walk. */
static inline const group *find_group(const tacit__states *s, size_t number, uint16_t automaton)
{
    const state *item = &s->items[number];
    const group *groups = s->groups + item->groups;
    size_t low = 0, high = item->group_count - 1; /* it is there */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (groups[middle].automaton < automaton)
            low = middle + 1;
        else
            high = middle;
    }
    return &groups[low];
}

/* The span, where all places of each state are on the same side of its start and its end. */
static bool find_sides(size_t *start, size_t *end, const tacit__states *s,
                       const tacit__template_reach *reach)
{
    uint16_t automaton = reach->automaton;
    size_t i = reach->end - s->at;
    uint8_t part = TACIT__PART_AFTER;
    while (i > 0 && part == TACIT__PART_AFTER)
        part = find_group(s, s->trail[--i], automaton)->part;
    *end = i + 1;
    if (part != TACIT__PART_WITHIN)
        return false;
    while (i > 0 && part == TACIT__PART_WITHIN)
        part = find_group(s, s->trail[--i], automaton)->part;
    *start = part == TACIT__PART_WITHIN ? 0 : i + 1;
    return part != MIXED;
}

static bool leads_to(const tacit__automaton *automaton, const tacit__template_place *from,
                     uint16_t to)
{
    for (size_t i = 0; i < from->followers; i++)
        if (automaton->edges[from->follow + i] == to)
            return true;
    return false;
}

/* The first place of the automaton in a state that leads to the given one; or is a last
 * place, where none is given. */
static uint16_t first_place(const tacit__states *s, size_t number, uint16_t of, const uint16_t *to)
{
    const tacit__automaton *automaton = s->machine->automata[of];
    const uint32_t *places = s->pool + s->items[number].places + find_group(s, number, of)->first;
    for (;; places++) {
        uint16_t index = (uint16_t)(*places - s->machine->bases[of]);
        const tacit__template_place *place = &automaton->places[index];
        if (to ? leads_to(automaton, place, *to) : place->last)
            return index;
    }
}

/* The span, by the place that read each byte. */
static void find_places(size_t *start, size_t *end, const tacit__states *s,
                        const tacit__template_reach *reach)
{
    const tacit__template_place *places = s->machine->automata[reach->automaton]->places;
    size_t i = reach->end - s->at - 1;
    uint16_t place = first_place(s, s->trail[i], reach->automaton, NULL);
    *end = *start = 0;
    for (;;) {
        if (places[place].part == TACIT__PART_WITHIN) {
            *start = i;
            *end = *end ? *end : i + 1;
        }
        if (i-- == 0)
            break;
        place = first_place(s, s->trail[i], reach->automaton, &place);
    }
}

bool tacit__states_span(tacit__match *out, const tacit__states *s,
                        const tacit__template_reach *reach)
{
    size_t start, end;
    if (!s->whole)
        return false;
    if (!find_sides(&start, &end, s, reach))
        find_places(&start, &end, s, reach);
    *out = (tacit__match){s->at, reach->end, s->at + start, s->at + end};
    return true;
}
