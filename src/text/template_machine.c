/*
 * template_machine.c - the automata of all templates run at once. A state is the set of places
 * that have just read a byte; where each byte leads from there is computed when a text first
 * asks and kept, so that ordinary text costs one look-up a byte (a deterministic automaton
 * made lazily: Aho, Sethi and Ullman, section 3.7). States that are made are at most MAX_STATES;
 * beyond that they are made anew, which is slower by a constant.
 *
 * A walk starts where a word or number starts, or at a sign that a template starts with, and
 * ends where no template can go on, after at most as many bytes as the longest has places.
 */
#include "text/template_machine.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

enum {
    MAX_STATES = 1 << 14,
    MAX_PLACES = 1 << 21, /* of all states together */
    TABLE = MAX_STATES * 4,
    DEAD = 0,
    START_FREE = 1,   /* any template */
    START_JOINED = 2, /* a number goes on before it: only templates that allow it */
    FIRST_STATES = 3,
    LINE = 32,      /* moves in a line of the cache */
    ENDS = 1 << 15, /* in a move: a template can end in the state it leads to */
    STATE = ENDS - 1,
    UNKNOWN = UINT16_MAX
};

typedef struct state {
    uint32_t places, count;   /* in the pool */
    uint32_t ends, end_count; /* templates that can end here, in their pool */
} state;

struct tacit__states {
    const tacit__machine *machine;
    uint16_t *moves; /* of each state by class */
    state *items;
    size_t count;
    uint32_t *pool; /* places of states */
    size_t used, capacity;
    uint16_t *ends;
    size_t ends_used, ends_capacity;
    uint16_t *table; /* states by the hash of their places; 0 is free */
    uint32_t *seen;
    uint32_t stamp;
    uint32_t *next; /* the set under construction */
    tacit__reach *reached;
    size_t reached_count;
    uint16_t *touched; /* their automata */
    uint16_t *slot;    /* of each template its entry in reached, plus one */
};

/* Numbers the classes by how common their bytes are: what words need of a state then lies in
 * one line of the processor's cache, and what numbers need in another. */
static void order_classes(tacit__machine *machine)
{
    static const char common[] = "etaoinshrdlucmfwypvbgkjxqz \n,.-/0123456789:()#@_";
    int renamed[256];
    int count = 0;
    memset(renamed, -1, sizeof renamed);
    for (size_t i = 0; i < sizeof common - 1 + 256; i++) {
        int byte = i < sizeof common - 1 ? common[i] : (int)(i - (sizeof common - 1));
        if (renamed[machine->classes[byte]] < 0)
            renamed[machine->classes[byte]] = count++;
    }
    for (int byte = 0; byte < 256; byte++)
        machine->classes[byte] = (uint8_t)renamed[machine->classes[byte]];
    machine->stride = (machine->class_count + LINE - 1) / LINE * LINE;
}

/* Bytes that are in the same sets get one class. */
static void classify(tacit__machine *machine, const tacit__trees *trees)
{
    machine->class_count = 1;
    for (size_t i = 0; i < trees->set_count; i++) {
        int renamed[2][256];
        memset(renamed, -1, sizeof renamed);
        size_t count = 0;
        for (int byte = 0; byte < 256; byte++) {
            int in = tacit__bytes_has(&trees->sets[i], (unsigned char)byte);
            int *to = &renamed[in][machine->classes[byte]];
            if (*to < 0)
                *to = (int)count++;
            machine->classes[byte] = (uint8_t)*to;
        }
        machine->class_count = count;
    }
    order_classes(machine);
}

/* Lists the automata that are chosen; returns how many places they have. */
static size_t choose(tacit__machine *machine, size_t all, const tacit__automaton *automata,
                     const bool *chosen)
{
    size_t total = 0;
    for (size_t i = 0; i < all; i++) {
        if (!chosen[i])
            continue;
        machine->numbers[machine->count] = (uint16_t)i;
        machine->automata[machine->count++] = &automata[i];
        total += automata[i].count;
        tacit__filter_add(&machine->filter, &automata[i]);
    }
    return total;
}

static bool number_places(tacit__machine *machine, size_t total)
{
    machine->owners = tacit__alloc_array(total, sizeof *machine->owners);
    if (!machine->owners)
        return false;
    uint32_t place = 0;
    for (size_t i = 0; i < machine->count; i++) {
        machine->bases[i] = place;
        for (size_t j = 0; j < machine->automata[i]->count; j++)
            machine->owners[place++] = (uint16_t)i;
    }
    machine->bases[machine->count] = place;
    return true;
}

tacit_status tacit__machine_init(tacit__machine *machine, const tacit__trees *trees,
                                 const tacit__automaton *automata, const bool *chosen,
                                 tacit_error *err)
{
    if (trees->count >= UINT16_MAX)
        return tacit__error(err, TACIT_LIMIT, "there are %zu templates; use fewer than 65535",
                            trees->count);
    tacit__machine new = {
        .automata = tacit__alloc_array(trees->count, sizeof *new.automata),
        .numbers = tacit__alloc_array(trees->count, sizeof *new.numbers),
        .bases = tacit__alloc_array(trees->count + 1, sizeof *new.bases),
    };
    tacit_status status = TACIT_OK;
    if (!new.automata || !new.numbers || !new.bases) {
        status = tacit__nomem(err);
    } else {
        size_t total = choose(&new, trees->count, automata, chosen);
        if (total >= MAX_PLACES / 2)
            status =
                tacit__error(err, TACIT_LIMIT,
                             "the templates are too large together; use fewer or smaller ones");
        else if (!number_places(&new, total))
            status = tacit__nomem(err);
    }
    if (status != TACIT_OK) {
        tacit__machine_clear(&new);
        return status;
    }
    classify(&new, trees);
    *machine = new;
    return TACIT_OK;
}

void tacit__machine_clear(tacit__machine *machine)
{
    tacit__free(machine->automata);
    tacit__free(machine->numbers);
    tacit__free(machine->bases);
    tacit__free(machine->owners);
    *machine = (tacit__machine){0};
}

void tacit__states_free(tacit__states *states)
{
    if (!states)
        return;
    tacit__free(states->moves);
    tacit__free(states->items);
    tacit__free(states->pool);
    tacit__free(states->ends);
    tacit__free(states->table);
    tacit__free(states->seen);
    tacit__free(states->next);
    tacit__free(states->reached);
    tacit__free(states->touched);
    tacit__free(states->slot);
    tacit__free(states);
}

static void forget(tacit__states *s)
{
    memset(s->table, 0, TABLE * sizeof *s->table);
    memset(s->items, 0, FIRST_STATES * sizeof *s->items);
    memset(s->moves, 0xff, FIRST_STATES * s->machine->stride * sizeof *s->moves);
    s->count = FIRST_STATES;
    s->used = s->ends_used = 0;
}

tacit_status tacit__states_new(tacit__states **out, const tacit__machine *machine, tacit_error *err)
{
    tacit__states *new = tacit__alloc_zeroed(1, sizeof *new);
    if (!new)
        return tacit__nomem(err);
    size_t places = machine->bases[machine->count];
    new->machine = machine;
    new->moves = tacit__alloc_array(MAX_STATES * machine->stride, sizeof *new->moves);
    new->items = tacit__alloc_array(MAX_STATES, sizeof *new->items);
    new->table = tacit__alloc_array(TABLE, sizeof *new->table);
    new->seen = tacit__alloc_zeroed(places, sizeof *new->seen);
    new->next = tacit__alloc_array(places, sizeof *new->next);
    new->reached = tacit__alloc_array(machine->count, sizeof *new->reached);
    new->touched = tacit__alloc_array(machine->count, sizeof *new->touched);
    new->slot = tacit__alloc_zeroed(machine->count, sizeof *new->slot);
    if (!new->moves || !new->items || !new->table || !new->seen || !new->next || !new->reached ||
        !new->touched || !new->slot) {
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
        const tacit__place *of = &automaton->places[place - machine->bases[number]];
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

/* The templates that have a last place among those of the new state. */
static bool note_ends(tacit__states *s, state *item)
{
    const tacit__machine *machine = s->machine;
    item->ends = (uint32_t)s->ends_used;
    for (uint32_t i = 0; i < item->count; i++) {
        uint32_t place = s->pool[item->places + i];
        uint16_t number = machine->owners[place];
        if (!machine->automata[number]->places[place - machine->bases[number]].last)
            continue;
        if (item->end_count > 0 && s->ends[s->ends_used - 1] == number)
            continue;
        if (!tacit__reserve((void **)&s->ends, &s->ends_capacity, s->ends_used + 1,
                            sizeof *s->ends))
            return false;
        s->ends[s->ends_used++] = number;
        item->end_count++;
    }
    return true;
}

/* Makes a state of s->next; false when memory runs out. */
static bool add_state(uint16_t *out, tacit__states *s, size_t count)
{
    if (!tacit__reserve((void **)&s->pool, &s->capacity, s->used + count, sizeof *s->pool))
        return false;
    state item = {.places = (uint32_t)s->used, .count = (uint32_t)count};
    memcpy(s->pool + s->used, s->next, count * sizeof *s->next);
    size_t ends_before = s->ends_used;
    if (!note_ends(s, &item)) {
        s->ends_used = ends_before;
        return false;
    }
    s->used += count;
    s->items[s->count] = item;
    memset(s->moves + s->count * s->machine->stride, 0xff, s->machine->stride * sizeof *s->moves);
    *out = (uint16_t)(s->count++ | (item.end_count > 0 ? ENDS : 0));
    return true;
}

/* Where a byte leads that was not asked for before. Where there is no room
 * for one more state all are forgotten, also the one it came from. */
static bool explore(uint16_t *out, tacit__states *s, size_t from, unsigned char byte)
{
    size_t move = from * s->machine->stride + s->machine->classes[byte];
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

static bool joins_numbers(unsigned char byte)
{
    return byte == '-' || byte == '/' || byte == '.' || byte == ':';
}

/* The state to start in. */
static size_t start_at(const unsigned char *bytes, size_t at)
{
    bool joined = at > 1 && tacit__digit_byte(bytes[at]) && joins_numbers(bytes[at - 1]) &&
                  tacit__digit_byte(bytes[at - 2]);
    return joined ? START_JOINED : START_FREE;
}

typedef enum ending { ENDS_NOT, ENDS_LOOSE, ENDS_ALL } ending;

static ending ending_at(tacit_strview text, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes;
    if (at == text.len)
        return ENDS_ALL;
    if (tacit__word_byte(bytes[at - 1]) && tacit__word_byte(bytes[at]))
        return ENDS_NOT;
    bool joined = at + 1 < text.len && tacit__digit_byte(bytes[at - 1]) &&
                  joins_numbers(bytes[at]) && tacit__digit_byte(bytes[at + 1]);
    return joined ? ENDS_LOOSE : ENDS_ALL;
}

/* The templates that end in the state have matched up to `end`, unless the text goes on. */
static void note_reached(tacit__states *s, const state *item, tacit_strview text, size_t end)
{
    ending how = ending_at(text, end);
    for (uint32_t i = 0; i < item->end_count && how != ENDS_NOT; i++) {
        uint16_t number = s->ends[item->ends + i];
        if (how == ENDS_LOOSE && !s->machine->automata[number]->loose_end)
            continue;
        if (s->slot[number] == 0) {
            s->reached[s->reached_count++].number = s->machine->numbers[number];
            s->touched[s->reached_count - 1] = number;
            s->slot[number] = (uint16_t)s->reached_count;
        }
        s->reached[s->slot[number] - 1].end = end;
    }
}

tacit_status tacit__states_read(const tacit__reach **out, size_t *count, tacit__states *s,
                                tacit_strview text, size_t at, tacit_error *err)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes;
    const tacit__machine *machine = s->machine;
    for (size_t i = 0; i < s->reached_count; i++)
        s->slot[s->touched[i]] = 0;
    s->reached_count = 0;
    size_t now = start_at(bytes, at);
    size_t stop = text.len - at < TACIT__MATCH_MAX ? text.len : at + TACIT__MATCH_MAX;
    for (size_t i = at; i < stop && now != DEAD; i++) {
        uint16_t move = s->moves[now * machine->stride + machine->classes[bytes[i]]];
        if (move == UNKNOWN && !explore(&move, s, now, bytes[i]))
            return tacit__nomem(err);
        now = move & STATE;
        if (move & ENDS)
            note_reached(s, &s->items[now], text, i + 1);
    }
    *out = s->reached;
    *count = s->reached_count;
    return TACIT_OK;
}
