/*
 * tables.h - the lists and the letter model as they lie in the library: one block of
 * bytes that scripts/lexicons/pack.c makes of data/text/lexicon.lst when tacit is built
 * and src/text/lexicon/tables.c puts into the read-only data. Nothing is read, allocated or
 * unpacked at run time.
 *
 * After the header come, each at an offset that is a multiple of 64:
 *   bits       the Boolean look-up of all words and phrases (text/lexicon/lookup.h)
 *   cells      what each of them is: the number of its class is the exclusive or of three
 *              cells and of bits of its hash. For words that are in no list any number of 16
 *              bits comes out, which is why the look-up is asked first; and eleven in twelve
 *              of those that pass it are found out here, their number being beyond the last
 *              class.
 *   classes    tacit__lexicon_entry
 *   nicknames  offsets into names, sorted, and one more; "ginny virginia"
 *   zips       a thousand tacit__zip_prefix
 *   costs      of letters, tacit__letter_cost (text/lexicon/letters.h)
 *   pairs      bits of the first two words of phrases (text/lexicon/keys.h)
 */
#ifndef TACIT_TEXT_LEXICON_TABLES_H
#define TACIT_TEXT_LEXICON_TABLES_H

#include "text/lexicon/letters.h"
#include "text/lexicon/lexicon.h"
#include "text/lexicon/lookup.h"

enum { TACIT__TABLES_ALIGN = 64, TACIT__MAP_PARTS = 3, TACIT__MAP_BITS = 21 };

typedef struct tacit__zip_prefix {
    uint64_t codes[2]; /* bit i of the 100: the code that ends in i */
    char state[8];     /* "MA"; empty where no code begins like this */
} tacit__zip_prefix;

typedef struct tacit__tables_header {
    uint64_t words, blocks, seed;
    uint64_t part; /* cells in each third */
    uint64_t classes, nicknames;
    uint64_t bits_at, cells_at, classes_at, nicknames_at, names_at, zips_at, costs_at, pairs_at;
} tacit__tables_header;

/* Hidden, so that it is reached without a detour in the shared library too. */
extern const tacit__tables_header tacit__tables __attribute__((visibility("hidden")));

static inline const void *tacit__tables_at(uint64_t offset)
{
    return (const char *)&tacit__tables + offset;
}

/* The three cells of a word, one in each third. */
static inline void tacit__map_cells(uint64_t cell[TACIT__MAP_PARTS], tacit__hash128 hash,
                                    uint64_t seed, uint64_t part)
{
    uint64_t mixed = tacit__mix(hash.low ^ (hash.high << 32 | hash.high >> 32) ^ seed);
    for (unsigned i = 0; i < TACIT__MAP_PARTS; i++) {
        uint64_t piece = mixed >> (TACIT__MAP_BITS * i) & ((UINT64_C(1) << TACIT__MAP_BITS) - 1);
        cell[i] = i * part + (piece * part >> TACIT__MAP_BITS);
    }
}

/* What a word's class is covered with, so that the numbers of foreign words are anything. */
static inline unsigned tacit__map_cover(tacit__hash128 hash)
{
    return (unsigned)((hash.low ^ hash.high) >> 48);
}

/* Every tenth word teaches the letter model nothing, so that it can be tested on them. */
static inline bool tacit__held_out(tacit__hash128 hash)
{
    return hash.low % 10 == 0;
}

#endif
