/*
 * pack_map.c - cells such that the exclusive or of three of them is each word's class
 * (a Bloomier filter: Chazelle, Kilian, Rubinfeld, Tal 2004).
 *
 * Words are edges of three cells. A cell that only one word uses can be set last, for that
 * word alone; so such words are peeled off until none is left, and cells are set in the
 * opposite order. With 1.25 cells a word that nearly always comes out; where not, another
 * seed does. Linear.
 */
#include <stdlib.h>

#include "pack.h"

/* Per cell: how many words use it, and the exclusive or of their numbers, which is the
 * number of the word where there is only one. */
typedef struct peeling {
    const pack_list *list;
    uint64_t seed, part;
    uint32_t *uses, *words;
    size_t *order; /* words peeled, and the cell that each leaves */
    uint64_t *alone;
    uint64_t *stack; /* cells with one word */
} peeling;

static void cells_of(uint64_t cell[TACIT__MAP_PARTS], const peeling *p, size_t word)
{
    tacit__map_cells(cell, p->list->words[word].hash, p->seed, p->part);
}

static void count_uses(peeling *p)
{
    for (uint64_t i = 0; i < TACIT__MAP_PARTS * p->part; i++)
        p->uses[i] = p->words[i] = 0;
    for (size_t word = 0; word < p->list->word_count; word++) {
        uint64_t cell[TACIT__MAP_PARTS];
        cells_of(cell, p, word);
        for (int i = 0; i < TACIT__MAP_PARTS; i++) {
            p->uses[cell[i]]++;
            p->words[cell[i]] ^= (uint32_t)word;
        }
    }
}

/* Takes the word off its cells; those that have one left go on the stack. */
static size_t peel_one(peeling *p, size_t word, size_t height)
{
    uint64_t cell[TACIT__MAP_PARTS];
    cells_of(cell, p, word);
    for (int i = 0; i < TACIT__MAP_PARTS; i++) {
        p->words[cell[i]] ^= (uint32_t)word;
        if (--p->uses[cell[i]] == 1)
            p->stack[height++] = cell[i];
    }
    return height;
}

static bool peel(peeling *p)
{
    size_t height = 0, peeled = 0;
    count_uses(p);
    for (uint64_t i = 0; i < TACIT__MAP_PARTS * p->part; i++)
        if (p->uses[i] == 1)
            p->stack[height++] = i;
    while (height > 0) {
        uint64_t cell = p->stack[--height];
        if (p->uses[cell] != 1)
            continue;
        size_t word = p->words[cell];
        p->order[peeled] = word;
        p->alone[peeled++] = cell;
        height = peel_one(p, word, height);
    }
    return peeled == p->list->word_count;
}

static void set_cells(uint16_t *cells, const peeling *p)
{
    for (size_t i = p->list->word_count; i-- > 0;) {
        uint64_t cell[TACIT__MAP_PARTS];
        cells_of(cell, p, p->order[i]);
        const pack_word *word = &p->list->words[p->order[i]];
        unsigned value = word->class_number ^ tacit__map_cover(word->hash) ^ cells[cell[0]] ^
                         cells[cell[1]] ^ cells[cell[2]];
        cells[p->alone[i]] ^= (uint16_t)value;
    }
}

uint16_t *pack_map(uint64_t *seed, uint64_t *part, const pack_list *list)
{
    size_t count = list->word_count;
    peeling p = {.list = list, .part = count * 5 / 12 + 32};
    size_t cells = TACIT__MAP_PARTS * p.part;
    if (p.part >> TACIT__MAP_BITS != 0)
        pack_fail("too many words");
    p.uses = pack_alloc(cells, sizeof *p.uses);
    p.words = pack_alloc(cells, sizeof *p.words);
    p.order = pack_alloc(count, sizeof *p.order);
    p.alone = pack_alloc(count, sizeof *p.alone);
    p.stack = pack_alloc(cells + 3 * count, sizeof *p.stack);
    while (!peel(&p))
        if (++p.seed == 1000)
            pack_fail("two words of the list are the same");
    uint16_t *out = pack_alloc(cells, sizeof *out);
    set_cells(out, &p);
    *seed = p.seed;
    *part = p.part;
    free(p.uses);
    free(p.words);
    free(p.order);
    free(p.alone);
    free(p.stack);
    return out;
}
