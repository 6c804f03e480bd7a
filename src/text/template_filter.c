/*
 * template_filter.c - fills the filter by walking each automaton from its start: three bytes
 * deep for the triples, and along letters for as many as a word's hash has. Where a place reads
 * one of several letters the words are too many; such a template passes by its triples.
 */
#include "text/template_filter.h"

enum { MANY = 12 }; /* letters that one place may read */

static uint32_t folded_set(const tacit__bytes *set)
{
    uint32_t folded = 0;
    for (unsigned byte = 0; byte < 256; byte++)
        if (tacit__bytes_has(set, (unsigned char)byte))
            folded |= UINT32_C(1) << (byte & 31);
    return folded;
}

static const tacit__place *follower(const tacit__automaton *automaton, const tacit__place *of,
                                    size_t number)
{
    return &automaton->places[automaton->edges[of->follow + number]];
}

/* What the third byte can be, given the place that read the second. */
static uint32_t third_bytes(const tacit__automaton *automaton, const tacit__place *second)
{
    uint32_t third = second->last ? UINT32_MAX : 0;
    for (size_t i = 0; i < second->followers; i++)
        third |= folded_set(follower(automaton, second, i)->set);
    return third;
}

static void note_triples(uint32_t triples[32 * 32], uint32_t first, uint32_t second, uint32_t third)
{
    for (unsigned i = 0; i < 32; i++)
        for (unsigned j = 0; j < 32; j++)
            if ((first >> i & 1) && (second >> j & 1))
                triples[i * 32 + j] |= third;
}

static void add_triples(uint32_t triples[32 * 32], const tacit__automaton *automaton)
{
    for (size_t i = 0; i < automaton->firsts; i++) {
        const tacit__place *first = &automaton->places[automaton->edges[i]];
        uint32_t bits = folded_set(first->set);
        if (first->last)
            note_triples(triples, bits, UINT32_MAX, UINT32_MAX);
        for (size_t j = 0; j < first->followers; j++) {
            const tacit__place *second = follower(automaton, first, j);
            note_triples(triples, bits, folded_set(second->set), third_bytes(automaton, second));
        }
    }
}

/* The letters of a set, folded, and whether it has anything else. */
static uint32_t letters_of(bool *others, const tacit__bytes *set)
{
    uint32_t letters = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        if (!tacit__bytes_has(set, (unsigned char)byte))
            continue;
        if (tacit__letter_byte((unsigned char)byte))
            letters |= UINT32_C(1) << (byte & 31);
        else
            *others = true;
    }
    return letters;
}

static void add_word(tacit__filter *filter, uint32_t letters, unsigned count)
{
    uint32_t hash = tacit__filter_hash(letters, count);
    filter->words[hash >> 6] |= UINT64_C(1) << (hash & 63);
}

static bool add_words(bool *ends, tacit__filter *filter, const tacit__automaton *automaton,
                      const uint16_t *edges, size_t edge_count, uint32_t letters, unsigned count);

/* Adds the words that have a place's letter after those that were read. */
static bool add_longer(tacit__filter *filter, const tacit__automaton *automaton,
                       const tacit__place *place, uint32_t letters, unsigned count)
{
    bool over = place->last || count == TACIT__FILTER_LETTERS;
    if (count < TACIT__FILTER_LETTERS &&
        !add_words(&over, filter, automaton, automaton->edges + place->follow, place->followers,
                   letters, count))
        return false;
    if (over)
        add_word(filter, letters, count);
    return true;
}

/* Adds the words that go on, from letters that were read, with the given places; false where
 * there are too many. *ends tells that one of the places reads something else than a letter,
 * so that the word may be over. As deep as a hash has letters. */
static bool add_words(bool *ends, tacit__filter *filter, const tacit__automaton *automaton,
                      const uint16_t *edges, size_t edge_count, uint32_t letters, unsigned count)
{
    for (size_t i = 0; i < edge_count; i++) {
        const tacit__place *place = &automaton->places[edges[i]];
        uint32_t next = letters_of(ends, place->set);
        if (__builtin_popcount(next) > MANY)
            return false;
        for (; next; next &= next - 1)
            if (!add_longer(filter, automaton, place, letters << 5 | (uint32_t)__builtin_ctz(next),
                            count + 1))
                return false;
    }
    return true;
}

void tacit__filter_add(tacit__filter *filter, const tacit__automaton *automaton)
{
    bool ends = false;
    for (int word = 0; word < 4; word++)
        filter->starts.bits[word] |= automaton->start.bits[word];
    add_triples(filter->triples, automaton);
    if (!add_words(&ends, filter, automaton, automaton->edges, automaton->firsts, 0, 0))
        add_triples(filter->open, automaton);
}
