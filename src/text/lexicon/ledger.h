/*
 * ledger.h - what was noted under a key of 64 bits, for one document: which words it has,
 * what its values became. A hash table that is emptied for every document by counting up a
 * number, and takes no more of its memory than the document needs.
 *
 * It is bounded: one that is full is emptied and starts over, so that memory does not depend
 * on a document's length.
 */
#ifndef TACIT_TEXT_LEXICON_LEDGER_H
#define TACIT_TEXT_LEXICON_LEDGER_H

#include <tacit/base.h>

enum { TACIT__LEDGER_LEAST = 128, TACIT__LEDGER_MOST = 1 << 18 };

typedef struct tacit__ledger_line {
    uint64_t key;
    uint32_t value;
    uint32_t times; /* as the ledger's, or the line is free */
} tacit__ledger_line;

/* All zero is an empty one. */
typedef struct tacit__ledger {
    tacit__ledger_line *lines;
    size_t size, allocated; /* lines in use, a power of two, and lines there are */
    size_t count;
    uint64_t salt;
    unsigned shift; /* what leaves a number below size of one of 64 bits */
    uint32_t times; /* how often it was emptied */
} tacit__ledger;

void tacit__ledger_clear(tacit__ledger *ledger);
void tacit__ledger_empty(tacit__ledger *ledger, uint64_t salt);

/* Room for so many more keys, where the lines in use do not suffice. */
bool tacit__ledger_enlarge(tacit__ledger *ledger, size_t more);

/* Room for so many more keys; false where memory ran out. Lines may move. */
static inline bool tacit__ledger_room(tacit__ledger *ledger, size_t more)
{
    return 2 * (ledger->count + more) <= ledger->size || tacit__ledger_enlarge(ledger, more);
}

/* Where the key's line is, or is nearest to. It is that of a product with a secret odd number: so
 * two keys, whichever they are, meet with a chance of 2 in the number of places (Dietzfelbinger and
 * others, 1997), and whoever writes a document cannot choose words that do. */
static inline size_t tacit__ledger_start(const tacit__ledger *ledger, uint64_t key)
{
    uint64_t factor = (ledger->salt ^ UINT64_C(0x9E3779B97F4A7C15)) | 1;
    return (size_t)(key * factor >> ledger->shift);
}

/* Asks the processor for the line of a key that will be needed soon; there are lines. */
static inline void tacit__ledger_expect(const tacit__ledger *ledger, uint64_t key)
{
    __builtin_prefetch(&ledger->lines[tacit__ledger_start(ledger, key)]);
}

/* The line of the key, or the free one where it would be. */
static inline tacit__ledger_line *tacit__ledger_place(const tacit__ledger *ledger, uint64_t key)
{
    size_t at = tacit__ledger_start(ledger, key);
    while ((ledger->lines[at].times == ledger->times) & (ledger->lines[at].key != key))
        at = (at + 1) & (ledger->size - 1);
    return &ledger->lines[at];
}

/* The line of the key, for which there is room; a new one has the value 0. It stays where it is
 * until room is made. It is written in either case, as nobody can guess which it is. */
static inline tacit__ledger_line *tacit__ledger_line_of(tacit__ledger *ledger, uint64_t key)
{
    tacit__ledger_line *line = tacit__ledger_place(ledger, key);
    uint32_t old = 0u - (line->times == ledger->times);
    *line = (tacit__ledger_line){.key = key, .value = line->value & old, .times = ledger->times};
    ledger->count += old + 1;
    return line;
}

/* Notes a value under a key, for which there is room, unless one is noted already. */
static inline void tacit__ledger_note(tacit__ledger *ledger, uint64_t key, uint32_t value)
{
    size_t before = ledger->count;
    tacit__ledger_line *line = tacit__ledger_line_of(ledger, key);
    if (ledger->count > before)
        line->value = value;
}

/* Whether there is a value under the key; value may be NULL. */
static inline bool tacit__ledger_find(uint32_t *value, const tacit__ledger *ledger, uint64_t key)
{
    if (ledger->count == 0)
        return false;
    const tacit__ledger_line *line = tacit__ledger_place(ledger, key);
    if (line->times == ledger->times && value)
        *value = line->value;
    return line->times == ledger->times;
}

#endif
