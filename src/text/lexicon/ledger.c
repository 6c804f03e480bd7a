/*
 * ledger.c - open addressing, at most half full. An empty ledger takes as many lines as are
 * asked for, out of those that are there; lines of documents before are free by their number.
 *
 * Cost: a few nanoseconds a key; 16 bytes a line, at most TACIT__LEDGER_MOST lines.
 */
#include "text/lexicon/ledger.h"

#include <string.h>

#include "base/alloc.h"

void tacit__ledger_clear(tacit__ledger *ledger)
{
    tacit__free(ledger->lines);
    *ledger = (tacit__ledger){0};
}

/* All lines become free. Once in 2^32 times the numbers start over. */
static void forget(tacit__ledger *ledger)
{
    ledger->count = 0;
    if (++ledger->times > 0)
        return;
    memset(ledger->lines, 0, ledger->allocated * sizeof *ledger->lines);
    ledger->times = 1;
}

void tacit__ledger_empty(tacit__ledger *ledger, uint64_t salt)
{
    forget(ledger);
    ledger->size = 0;
    ledger->salt = salt;
}

/* So many lines, all of them free. */
static bool start(tacit__ledger *ledger, size_t size)
{
    if (size > ledger->allocated) {
        tacit__ledger_line *lines = tacit__alloc_zeroed(size, sizeof *lines);
        if (!lines)
            return false;
        tacit__free(ledger->lines);
        ledger->lines = lines;
        ledger->allocated = size;
    }
    forget(ledger);
    ledger->size = size;
    ledger->shift = 64 - (unsigned)__builtin_ctzll(size);
    return true;
}

/* More lines, with what is in those there are. */
static bool grow(tacit__ledger *ledger, size_t size)
{
    tacit__ledger larger = {.salt = ledger->salt};
    if (!start(&larger, size > ledger->allocated ? size : ledger->allocated) ||
        !start(&larger, size))
        return false;
    for (size_t i = 0; i < ledger->size; i++)
        if (ledger->lines[i].times == ledger->times)
            tacit__ledger_note(&larger, ledger->lines[i].key, ledger->lines[i].value);
    tacit__free(ledger->lines);
    *ledger = larger;
    return true;
}

bool tacit__ledger_enlarge(tacit__ledger *ledger, size_t more)
{
    size_t size = ledger->size < TACIT__LEDGER_LEAST ? TACIT__LEDGER_LEAST : ledger->size;
    more = more < TACIT__LEDGER_MOST / 2 ? more : TACIT__LEDGER_MOST / 2;
    if (ledger->count + more > TACIT__LEDGER_MOST / 2)
        return start(ledger, TACIT__LEDGER_MOST);
    while (size < 2 * (ledger->count + more))
        size *= 2;
    if (size < TACIT__LEDGER_MOST && size < 2 * (ledger->count + more) + size / 8)
        size *= 2; /* not to be enlarged again for the next few */
    return ledger->count == 0 ? start(ledger, size) : grow(ledger, size);
}
