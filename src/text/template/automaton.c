/*
 * automaton.c - Glushkov's automaton of a template: one state for each place of a
 * byte, repetitions written out, no moves without a byte. It is built from the sets of
 * places that can come first and last in each subtree, and run by following all threads at
 * once, so a match costs its length times the places that are alive at once, never more;
 * there is no backtracking. In most templates one to three are alive.
 *
 * A thread remembers where the span began and last went on. Of two threads that arrive at one
 * place the first stays: the one from the earlier place, which is the same for every engine.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/bitset.h"
#include "base/error.h"
#include "text/template/machine.h"

/* Under construction: follow[i] is a set of places. */
typedef struct builder {
    const tacit__trees *trees;
    tacit__automaton *automaton;
    tacit__arena arena;
    size_t places, words; /* all there will be, and words of a set of them */
    size_t used;
    uint64_t *follow;
    uint8_t part;
} builder;

typedef struct fragment {
    uint64_t *first, *last;
    bool empty; /* it can match nothing */
} fragment;

static uint64_t *new_set(builder *b)
{
    uint64_t *set = tacit__arena_alloc(&b->arena, b->words * sizeof *set);
    if (set)
        memset(set, 0, b->words * sizeof *set);
    return set;
}

static void join(const builder *b, uint64_t *into, const uint64_t *from)
{
    for (size_t i = 0; i < b->words; i++)
        into[i] |= from[i];
}

static bool new_fragment(fragment *out, builder *b)
{
    *out = (fragment){.first = new_set(b), .last = new_set(b), .empty = true};
    return out->first && out->last;
}

/* Every end may be followed by every start. */
static void lead(builder *b, const uint64_t *last, const uint64_t *first)
{
    int64_t used = (int64_t)b->used;
    for (int64_t i = tacit__bit_next(last, 0, used); i < used;
         i = tacit__bit_next(last, i + 1, used))
        join(b, b->follow + (size_t)i * b->words, first);
}

/* left becomes left and then right. */
static void then(builder *b, fragment *left, const fragment *right)
{
    lead(b, left->last, right->first);
    if (left->empty)
        join(b, left->first, right->first);
    if (!right->empty)
        memset(left->last, 0, b->words * sizeof *left->last);
    join(b, left->last, right->last);
    left->empty = left->empty && right->empty;
}

static bool one_place(fragment *out, builder *b, uint32_t set)
{
    if (!new_fragment(out, b))
        return false;
    size_t place = b->used++;
    b->automaton->places[place] =
        (tacit__template_place){.set = &b->trees->sets[set], .part = b->part};
    tacit__bit_set(out->first, (int64_t)place);
    tacit__bit_set(out->last, (int64_t)place);
    out->empty = false;
    return true;
}

static bool build(fragment *out, builder *b, uint32_t node);

/* x*2-4 is x x (x (x)?)?: what follows the second may be left out together with the rest.
 * x*2+ is x x, where the second may follow itself. */
static bool build_repeat(fragment *out, builder *b, const tacit__template_node *node)
{
    uint64_t *ends = new_set(b);
    if (!ends || !new_fragment(out, b))
        return false;
    bool unbounded = node->most == TACIT__UNBOUNDED;
    unsigned copies = unbounded ? node->least + (node->least == 0 ? 1u : 0u) : node->most;
    for (unsigned i = 0; i < copies; i++) {
        fragment copy;
        if (!build(&copy, b, node->left))
            return false;
        if (unbounded && i + 1 == copies)
            lead(b, copy.last, copy.first);
        then(b, out, &copy);
        if (i + 1 >= node->least)
            join(b, ends, out->last);
    }
    out->empty = out->empty || node->least == 0;
    out->last = ends;
    return true;
}

static bool build_pair(fragment *out, builder *b, const tacit__template_node *node)
{
    fragment right;
    if (!build(out, b, node->left) || !build(&right, b, node->right))
        return false;
    if (node->branch == TACIT__BRANCH_THEN) {
        then(b, out, &right);
    } else {
        join(b, out->first, right.first);
        join(b, out->last, right.last);
        out->empty = out->empty || right.empty;
    }
    return true;
}

/* As deep as the tree, which the parser bounds. */
static bool build(fragment *out, builder *b, uint32_t index)
{
    const tacit__template_node *node = &b->trees->nodes[index];
    switch ((tacit__template_branch)node->branch) {
    case TACIT__BRANCH_BYTES: return one_place(out, b, node->left);
    case TACIT__BRANCH_THEN:
    case TACIT__BRANCH_OR: return build_pair(out, b, node);
    case TACIT__BRANCH_REPEAT: return build_repeat(out, b, node);
    case TACIT__BRANCH_SPAN:
        b->part = TACIT__PART_WITHIN;
        bool built = build(out, b, node->left);
        b->part = TACIT__PART_AFTER;
        return built;
    case TACIT__BRANCH_EMPTY: break;
    }
    return new_fragment(out, b);
}

static size_t write_set(uint16_t *edges, const builder *b, const uint64_t *set)
{
    size_t count = 0;
    int64_t places = (int64_t)b->places;
    for (int64_t i = tacit__bit_next(set, 0, places); i < places;
         i = tacit__bit_next(set, i + 1, places))
        edges[count++] = (uint16_t)i;
    return count;
}

/* From sets to lists. */
static bool finish(builder *b, const fragment *whole)
{
    tacit__automaton *automaton = b->automaton;
    size_t total = (size_t)tacit__bitset_count(whole->first, (int64_t)b->places) +
                   (size_t)tacit__bitset_count(b->follow, (int64_t)(b->places * b->words * 64));
    automaton->edges = tacit__alloc_array(total, sizeof *automaton->edges);
    if (!automaton->edges)
        return false;
    automaton->firsts = write_set(automaton->edges, b, whole->first);
    uint32_t at = (uint32_t)automaton->firsts;
    for (size_t i = 0; i < b->places; i++) {
        tacit__template_place *place = &automaton->places[i];
        place->follow = at;
        place->followers = (uint16_t)write_set(automaton->edges + at, b, b->follow + i * b->words);
        place->last = tacit__bit_get(whole->last, (int64_t)i);
        at += place->followers;
    }
    for (size_t i = 0; i < automaton->firsts; i++)
        for (int word = 0; word < 4; word++)
            automaton->start.bits[word] |= automaton->places[automaton->edges[i]].set->bits[word];
    return true;
}

static bool construct(builder *b, uint32_t root)
{
    b->automaton->places = tacit__alloc_zeroed(b->places, sizeof *b->automaton->places);
    b->follow = tacit__alloc_zeroed(b->places * b->words, sizeof *b->follow);
    fragment whole;
    return b->automaton->places && b->follow && build(&whole, b, root) && finish(b, &whole);
}

tacit_status tacit__automaton_init(tacit__automaton *automaton, const tacit__trees *trees,
                                   const tacit__template *of, tacit_error *err)
{
    const tacit__template_node *root = &trees->nodes[of->root];
    tacit__automaton new = {.count = root->places,
                            .loose_start = of->loose_start,
                            .loose_end = of->loose_end,
                            .has_span = root->has_span};
    builder b = {.trees = trees,
                 .automaton = &new,
                 .places = root->places,
                 .words = tacit__bitset_words(root->places),
                 .part = root->has_span ? TACIT__PART_BEFORE : TACIT__PART_WITHIN};
    bool built = construct(&b, of->root);
    tacit__free(b.follow);
    tacit__arena_clear(&b.arena);
    if (!built) {
        tacit__automaton_clear(&new);
        return tacit__nomem(err);
    }
    *automaton = new;
    return TACIT_OK;
}

void tacit__automaton_clear(tacit__automaton *automaton)
{
    tacit__free(automaton->places);
    tacit__free(automaton->edges);
    *automaton = (tacit__automaton){0};
}

/* What sorts of bytes a set has; digits do not matter here. */
typedef struct sorts {
    bool blank, sign, plain;
} sorts;

static sorts sorts_of(const tacit__bytes *set)
{
    sorts of = {false, false, false};
    for (int64_t i = tacit__bit_next(set->bits, 0, 256); i < 256;
         i = tacit__bit_next(set->bits, i + 1, 256)) {
        unsigned char byte = (unsigned char)i;
        if (tacit__is_digit(byte))
            continue;
        of.blank = of.blank || tacit__blank_byte(byte);
        of.sign = of.sign || tacit__sign_byte(byte);
        of.plain = of.plain || (!tacit__blank_byte(byte) && !tacit__sign_byte(byte));
    }
    return of;
}

/* Whether a match can end with the place, or go on with a blank. */
static bool may_stop(const tacit__automaton *automaton, const tacit__template_place *place)
{
    for (size_t i = 0; i < place->followers; i++)
        if (sorts_of(automaton->places[automaton->edges[place->follow + i]].set).blank)
            return true;
    return place->last;
}

/* Goes wherever plain bytes lead: no such place may be the end of the match or of the word, and
 * no sign that comes next may be either. */
bool tacit__automaton_needs_sign(const tacit__automaton *automaton)
{
    bool seen[TACIT__TEMPLATE_PLACES] = {false};
    uint16_t open[TACIT__TEMPLATE_PLACES];
    size_t count = 0;
    const uint16_t *edges = automaton->edges;
    size_t edge_count = automaton->firsts;
    for (;;) {
        for (size_t i = 0; i < edge_count; i++) {
            const tacit__template_place *place = &automaton->places[edges[i]];
            if (seen[edges[i]])
                continue;
            seen[edges[i]] = true;
            sorts of = sorts_of(place->set);
            if (of.blank || ((of.plain || of.sign) && may_stop(automaton, place)))
                return false;
            if (of.plain)
                open[count++] = edges[i];
        }
        if (count == 0)
            return true;
        const tacit__template_place *next = &automaton->places[open[--count]];
        edges = automaton->edges + next->follow;
        edge_count = next->followers;
    }
}

tacit_status tacit__threads_init(tacit__threads *threads, size_t places, tacit_error *err)
{
    tacit__threads new = {.places = places,
                          .now = tacit__alloc_array(places, sizeof *new.now),
                          .next = tacit__alloc_array(places, sizeof *new.next),
                          .seen = tacit__alloc_zeroed(places, sizeof *new.seen)};
    if (!new.now || !new.next || !new.seen) {
        tacit__threads_clear(&new);
        return tacit__nomem(err);
    }
    *threads = new;
    return TACIT_OK;
}

void tacit__threads_clear(tacit__threads *threads)
{
    tacit__free(threads->now);
    tacit__free(threads->next);
    tacit__free(threads->seen);
    *threads = (tacit__threads){0};
}

static bool joins_numbers(unsigned char byte)
{
    return byte == '-' || byte == '/' || byte == '.' || byte == ':';
}

/* Whether a word or number that is cut between the bytes a and b, with c beyond b, would go
 * on: two bytes of a word, or a digit, "-", and a digit. */
static bool goes_on(unsigned char a, unsigned char b, int c, bool loose)
{
    if (tacit__word_byte(a) && tacit__word_byte(b))
        return true;
    return !loose && c >= 0 && tacit__is_digit(a) && joins_numbers(b) &&
           tacit__is_digit((unsigned char)c);
}

static bool may_end(const tacit__automaton *automaton, tacit_strview text, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes + at;
    return at == text.len ||
           !goes_on(bytes[-1], bytes[0], at + 1 < text.len ? bytes[1] : -1, automaton->loose_end);
}

/* The thread that reads one more byte, the last of `read`, at a place. */
static inline tacit__thread advanced(tacit__thread thread, uint16_t index,
                                     const tacit__template_place *place, unsigned read)
{
    thread.place = index;
    if (place->part == TACIT__PART_WITHIN) {
        if (thread.end == 0)
            thread.start = (uint16_t)(read - 1);
        thread.end = (uint16_t)read;
    }
    return thread;
}

static void new_thread_stamp(tacit__threads *threads)
{
    if (++threads->stamp == 0) {
        memset(threads->seen, 0, threads->places * sizeof *threads->seen);
        threads->stamp = 1;
    }
}

/* Where the given places, reached from one thread, can read the byte. */
static inline size_t spread(tacit__thread *next, size_t count, const tacit__automaton *automaton,
                            tacit__threads *threads, tacit__thread from, const uint16_t *edges,
                            size_t edge_count, unsigned char byte, unsigned read)
{
    for (size_t i = 0; i < edge_count; i++) {
        uint16_t index = edges[i];
        const tacit__template_place *place = &automaton->places[index];
        if (!tacit__bytes_has(place->set, byte) || threads->seen[index] == threads->stamp)
            continue;
        threads->seen[index] = threads->stamp;
        next[count++] = advanced(from, index, place, read);
    }
    return count;
}

/* The first of the threads that is at a last place, or NULL. */
static const tacit__thread *arrived(const tacit__automaton *automaton, const tacit__thread *threads,
                                    size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (automaton->places[threads[i].place].last)
            return &threads[i];
    return NULL;
}

bool tacit__automaton_match(tacit__match *out, const tacit__automaton *automaton,
                            tacit__threads *threads, tacit_strview text, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes + at;
    size_t left = text.len - at < TACIT__MATCH_MAX ? text.len - at : TACIT__MATCH_MAX;
    tacit__thread *now = threads->now, *next = threads->next;
    bool found = false;
    new_thread_stamp(threads);
    size_t alive = left == 0 ? 0
                             : spread(now, 0, automaton, threads, (tacit__thread){0},
                                      automaton->edges, automaton->firsts, bytes[0], 1);
    for (unsigned read = 1; alive > 0; read++) {
        const tacit__thread *end = arrived(automaton, now, alive);
        if (end && may_end(automaton, text, at + read)) {
            *out = (tacit__match){at, at + read, at + end->start, at + end->end};
            found = true;
        }
        if (read == left)
            break;
        new_thread_stamp(threads);
        size_t count = 0;
        for (size_t i = 0; i < alive; i++) {
            const tacit__template_place *place = &automaton->places[now[i].place];
            count =
                spread(next, count, automaton, threads, now[i], automaton->edges + place->follow,
                       place->followers, bytes[read], read + 1);
        }
        tacit__thread *swap = now;
        now = next;
        next = swap;
        alive = count;
    }
    return found;
}
