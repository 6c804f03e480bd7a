/*
 * ledger.h - what was noted under a key of 64 bits, for one document: which words it has,
 * what its values became. A hash table that is emptied for every document at a cost that
 * follows the document, not the largest one before it.
 *
 * It is bounded: one that is full is emptied and starts over, so that memory does not depend
 * on a document's length.
 */
#ifndef TACIT_SRC_TEXT_LEDGER_H
#define TACIT_SRC_TEXT_LEDGER_H

#include <tacit/base.h>

enum { TACIT__LEDGER_LEAST = 128, TACIT__LEDGER_MOST = 1 << 18 };

typedef struct tacit__ledger_line {
    uint64_t key; /* 0 where the line is free */
    uint64_t value;
} tacit__ledger_line;

/* All zero is an empty one. The salt keeps whoever writes a document from choosing words that
 * meet in one place. */
typedef struct tacit__ledger {
    tacit__ledger_line *lines;
    size_t size, allocated; /* lines in use, a power of two, and lines there are */
    size_t count;
    uint64_t salt;
} tacit__ledger;

void tacit__ledger_clear(tacit__ledger *ledger);
void tacit__ledger_empty(tacit__ledger *ledger, uint64_t salt);

/* Room for so many more keys; false where memory ran out. */
bool tacit__ledger_room(tacit__ledger *ledger, size_t more);

/* Notes a value under a key, for which there is room, unless one is noted already. */
void tacit__ledger_note(tacit__ledger *ledger, uint64_t key, uint64_t value);

/* The same where values are bits: adds some to those of the key. */
void tacit__ledger_mark(tacit__ledger *ledger, uint64_t key, uint64_t bits);

/* Whether there is a value under the key; value may be NULL. */
bool tacit__ledger_find(uint64_t *value, const tacit__ledger *ledger, uint64_t key);

#endif
