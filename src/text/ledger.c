/*
 * ledger.c - open addressing, at most half full. An empty ledger takes as many lines as are
 * asked for, out of those that are there, and clears no others.
 *
 * Cost: a few nanoseconds a key; 16 bytes a line, at most TACIT__LEDGER_MOST lines.
 */
#include "text/ledger.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

void tacit__ledger_clear(tacit__ledger *ledger)
{
    tacit__free(ledger->lines);
    *ledger = (tacit__ledger){0};
}

void tacit__ledger_empty(tacit__ledger *ledger, uint64_t salt)
{
    ledger->size = ledger->count = 0;
    ledger->salt = salt;
}

/* The line of the key, or the free one where it would be. */
static tacit__ledger_line *line_of(const tacit__ledger *ledger, uint64_t key)
{
    size_t at = (size_t)tacit__mix(key ^ ledger->salt) & (ledger->size - 1);
    while (ledger->lines[at].key != 0 && ledger->lines[at].key != key)
        at = (at + 1) & (ledger->size - 1);
    return &ledger->lines[at];
}

/* The key as it is stored: 0 means that a line is free. */
static uint64_t stored(uint64_t key)
{
    return key == 0 ? 1 : key;
}

/* An empty ledger of so many lines. */
static bool start(tacit__ledger *ledger, size_t size)
{
    if (size > ledger->allocated) {
        tacit__ledger_line *lines = tacit__alloc_array(size, sizeof *lines);
        if (!lines)
            return false;
        tacit__free(ledger->lines);
        ledger->lines = lines;
        ledger->allocated = size;
    }
    ledger->size = size;
    ledger->count = 0;
    memset(ledger->lines, 0, size * sizeof *ledger->lines);
    return true;
}

static bool grow(tacit__ledger *ledger, size_t size)
{
    tacit__ledger larger = {.salt = ledger->salt};
    if (!start(&larger, size))
        return false;
    for (size_t i = 0; i < ledger->size; i++)
        if (ledger->lines[i].key != 0)
            *line_of(&larger, ledger->lines[i].key) = ledger->lines[i];
    larger.count = ledger->count;
    tacit__free(ledger->lines);
    *ledger = larger;
    return true;
}

bool tacit__ledger_room(tacit__ledger *ledger, size_t more)
{
    size_t size = ledger->size < TACIT__LEDGER_LEAST ? TACIT__LEDGER_LEAST : ledger->size;
    more = more < TACIT__LEDGER_MOST / 2 ? more : TACIT__LEDGER_MOST / 2;
    if (ledger->count + more > TACIT__LEDGER_MOST / 2)
        return start(ledger, TACIT__LEDGER_MOST);
    while (size < 2 * (ledger->count + more))
        size *= 2;
    if (size == ledger->size)
        return true;
    return ledger->count == 0 ? start(ledger, size) : grow(ledger, size);
}

void tacit__ledger_note(tacit__ledger *ledger, uint64_t key, uint64_t value)
{
    tacit__ledger_line *line = line_of(ledger, stored(key));
    if (line->key != 0)
        return;
    *line = (tacit__ledger_line){.key = stored(key), .value = value};
    ledger->count++;
}

void tacit__ledger_mark(tacit__ledger *ledger, uint64_t key, uint64_t bits)
{
    tacit__ledger_note(ledger, key, 0);
    line_of(ledger, stored(key))->value |= bits;
}

bool tacit__ledger_find(uint64_t *value, const tacit__ledger *ledger, uint64_t key)
{
    if (ledger->count == 0)
        return false;
    const tacit__ledger_line *line = line_of(ledger, stored(key));
    if (line->key != 0 && value)
        *value = line->value;
    return line->key != 0;
}
