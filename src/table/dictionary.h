/*
 * dictionary.h - the distinct values of a column, numbered.
 *
 * While a file is read every worker has a dictionary of its own for each coded
 * column, without locks; afterwards they are merged into the table's, in the
 * order of first appearance in the file, so that codes do not depend on how
 * the work was shared. Number 0 is the missing value in every dictionary here.
 */
#ifndef TACIT_SRC_TABLE_DICTIONARY_H
#define TACIT_SRC_TABLE_DICTIONARY_H

#include <tacit/table.h>

#include "base/hash.h"

/* A value of at most 16 bytes is its own key, filled up with zeros: the reader
 * refuses NUL bytes, so the filling cannot be mistaken for content. */
typedef struct tacit__short_entry {
    uint64_t low;
    uint64_t high;
    uint32_t number;
} tacit__short_entry;

typedef struct tacit__long_entry {
    uint64_t hash;
    uint32_t number;
} tacit__long_entry;

/* Where a value stood first. */
typedef struct tacit__table_value {
    const char *bytes;
    uint64_t offset; /* in the file: orders values by appearance */
    uint32_t len;
} tacit__table_value;

typedef struct tacit__dictionary {
    tacit__short_entry *short_entries; /* open addressing; number UINT32_MAX is free */
    int short_shift;                   /* 64 - log2(size) */
    uint32_t short_used;
    tacit__long_entry *long_entries;
    int long_shift;
    uint32_t long_used;
    tacit__table_value *values; /* by number */
    size_t value_capacity;
    uint32_t count;
} tacit__dictionary;

bool tacit__dictionary_init(tacit__dictionary *dictionary);
void tacit__dictionary_clear(tacit__dictionary *dictionary);

/* Keeps the values and frees what finding them took: for a dictionary to which
 * nothing will be added. */
void tacit__dictionary_seal(tacit__dictionary *dictionary);

/* Adds a value that tacit__dictionary_short did not find. UINT32_MAX when memory
 * runs out or numbers do. */
uint32_t tacit__dictionary_add_short(tacit__dictionary *dictionary, uint64_t low, uint64_t high,
                                     tacit__table_value value);

static inline uint64_t tacit__short_hash(uint64_t low, uint64_t high)
{
    uint64_t x = (low ^ (high << 23 | high >> 41)) * UINT64_C(0x9E3779B97F4A7C15);
    return (x ^ (x >> 32)) * UINT64_C(0xD6E8FEB86659FD93); /* its upper bits are used */
}

/* The number of a value of at most 16 bytes given as its key, or UINT32_MAX. */
static inline uint32_t tacit__dictionary_short(const tacit__short_entry *entries, int shift,
                                               uint64_t low, uint64_t high)
{
    uint64_t slot = tacit__short_hash(low, high) >> shift;
    const uint64_t mask = ~UINT64_C(0) >> shift;
    while (entries[slot].low != low || entries[slot].high != high) {
        if (entries[slot].number == UINT32_MAX)
            break;
        slot = (slot + 1) & mask;
    }
    return entries[slot].number;
}

/* The number of any value, short or long, added where it is new; UINT32_MAX when
 * memory runs out or numbers do. */
uint32_t tacit__dictionary_find(tacit__dictionary *dictionary, tacit__table_value value);

/* Merges dictionaries[0..count) into one list of values in the order of
 * appearance (missing left out). maps[i][number] is the value's place in it,
 * *distinct for missing; maps[i] has room for dictionaries[i].count entries. */
tacit_status tacit__dictionaries_merge(tacit_strview **values, uint32_t *distinct,
                                       tacit__dictionary *const *dictionaries,
                                       uint32_t *const *maps, int count, tacit_error *err);

#endif
