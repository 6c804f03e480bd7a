/*
 * template_filter.c - fills the filter by walking each automaton from its start: along letters
 * for as many as a word's hash has, and two bytes beyond the word. Where a place reads any letter
 * the words are too many; then those pass that have the same first three bytes.
 */
#include "text/template_filter.h"

#include <string.h>

enum {
    MANY = 12,           /* letters that one place, but the first two, may read */
    MOST_WORDS = 1 << 14 /* with all that they begin with, of a template */
};

/* Beside the letters, which are 1 to 26. */
enum { FOLD_OTHER = 0, FOLD_BLANK = 27, FOLD_YEAR, FOLD_DIGIT, FOLD_SIGN, FOLD_BEYOND };

static const uint32_t LETTERS = 0x07fffffe;

static uint8_t fold(unsigned char byte)
{
    if (tacit__letter_byte(byte))
        return byte & 31;
    if (tacit__blank_byte(byte))
        return FOLD_BLANK;
    if (tacit__digit_byte(byte))
        return byte == '1' || byte == '2' ? FOLD_YEAR : FOLD_DIGIT;
    if (byte >= 0x80)
        return FOLD_BEYOND;
    return strchr(":-=/", byte) && byte ? FOLD_SIGN : FOLD_OTHER;
}

void tacit__filter_init(tacit__filter *filter)
{
    memset(filter, 0, sizeof *filter);
    for (int byte = 0; byte < 256; byte++)
        filter->folds[byte] = fold((unsigned char)byte);
}

static uint32_t folded_set(const tacit__filter *filter, const tacit__bytes *set)
{
    uint32_t folded = 0;
    for (unsigned word = 0; word < 4; word++)
        for (uint64_t bits = set->bits[word]; bits; bits &= bits - 1)
            folded |= UINT32_C(1) << filter->folds[word * 64 + (unsigned)__builtin_ctzll(bits)];
    return folded;
}

static const tacit__place *follower(const tacit__automaton *automaton, const tacit__place *of,
                                    size_t number)
{
    return &automaton->places[automaton->edges[of->follow + number]];
}

/* What can come after a place. */
static uint32_t bytes_after(const tacit__filter *filter, const tacit__automaton *automaton,
                            const tacit__place *place)
{
    uint32_t next = place->last ? UINT32_MAX : 0;
    for (size_t i = 0; i < place->followers; i++)
        next |= folded_set(filter, follower(automaton, place, i)->set);
    return next;
}

static void note_triples(tacit__filter *filter, uint32_t first, uint32_t second, uint32_t third)
{
    for (; first; first &= first - 1)
        for (uint32_t rest = second; rest; rest &= rest - 1)
            filter->open[__builtin_ctz(first)][__builtin_ctz(rest)] |= third;
}

/* The first three bytes of what starts without a letter. */
static void add_triples(tacit__filter *filter, const tacit__automaton *automaton)
{
    for (size_t i = 0; i < automaton->firsts; i++) {
        const tacit__place *first = &automaton->places[automaton->edges[i]];
        uint32_t bits = folded_set(filter, first->set) & ~LETTERS;
        if (first->last)
            note_triples(filter, bits, UINT32_MAX, UINT32_MAX);
        for (size_t j = 0; j < first->followers && bits; j++) {
            const tacit__place *second = follower(automaton, first, j);
            note_triples(filter, bits, folded_set(filter, second->set),
                         bytes_after(filter, automaton, second));
        }
    }
}

/* What can stand after a word's last place, or after the one blank there; nothing where only
 * letters can. */
static uint32_t after_word(const tacit__filter *filter, const tacit__automaton *automaton,
                           const tacit__place *place)
{
    uint32_t after = place->last ? UINT32_MAX : 0;
    for (size_t i = 0; i < place->followers; i++) {
        const tacit__place *next = follower(automaton, place, i);
        uint32_t others = folded_set(filter, next->set) & ~LETTERS;
        after |= others;
        if (others >> FOLD_BLANK & 1)
            after |= bytes_after(filter, automaton, next);
    }
    return after;
}

typedef struct walk {
    tacit__filter *filter;
    const tacit__automaton *automaton;
    size_t steps;
} walk;

/* Passes all that starts with these letters, by the first three of them. */
static void open_prefix(tacit__filter *filter, uint64_t letters, unsigned count)
{
    for (unsigned i = 0; i < 32; i++)
        for (unsigned j = 0; j < 32; j++)
            if ((count < 1 || i == (letters & 31)) && (count < 2 || j == (letters >> 8 & 31)))
                filter->open[i][j] |=
                    count < 3 ? UINT32_MAX : UINT32_C(1) << (letters >> 16 & 31);
}

static void add_word(walk *w, const tacit__place *place, uint64_t letters, unsigned count)
{
    uint32_t after = count == TACIT__FILTER_LETTERS ? UINT32_MAX
                                                    : after_word(w->filter, w->automaton, place);
    uint32_t hash = tacit__filter_hash(letters);
    if (!after)
        return;
    w->filter->words[hash >> 6] |= UINT64_C(1) << (hash & 63);
    w->filter->next[hash >> (TACIT__FILTER_WORDS - TACIT__FILTER_NEXT)] |= after;
}

/* Adds the words that go on, from letters that were read, with the given places. As deep as a
 * hash has letters. */
static void add_words(walk *w, const uint16_t *edges, size_t edge_count, uint64_t letters,
                      unsigned count)
{
    for (size_t i = 0; i < edge_count; i++) {
        const tacit__place *place = &w->automaton->places[edges[i]];
        uint32_t next = folded_set(w->filter, place->set) & LETTERS;
        w->steps += (size_t)__builtin_popcount(next);
        if ((count > 1 && __builtin_popcount(next) > MANY) || w->steps > MOST_WORDS) {
            open_prefix(w->filter, letters, count);
            continue;
        }
        for (; next; next &= next - 1) {
            uint64_t longer = letters | (uint64_t)__builtin_ctz(next) << 8 * count;
            add_word(w, place, longer, count + 1);
            if (count + 1 < TACIT__FILTER_LETTERS)
                add_words(w, w->automaton->edges + place->follow, place->followers, longer,
                          count + 1);
        }
    }
}

void tacit__filter_add(tacit__filter *filter, const tacit__automaton *automaton)
{
    walk w = {.filter = filter, .automaton = automaton};
    add_triples(filter, automaton);
    add_words(&w, automaton->edges, automaton->firsts, 0, 0);
}
