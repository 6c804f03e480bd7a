/*
 * packed.h - the codes of classes in as few bits as they need, so that whether
 * two classes agree in any set of columns is an exclusive or and a sieve a word.
 *
 * A column has a field of bits in one word; a sieve has the fields of some columns set.
 * The sieve of the columns that two sets share is that of the one and that of the other.
 */
#ifndef TACIT_RECORDS_AMBIGUATE_PACKED_H
#define TACIT_RECORDS_AMBIGUATE_PACKED_H

#include "base/hash.h"
#include "records/ambiguate/ambiguate.h"

enum { TACIT__PACKED_WORDS = 32 }; /* 64 columns of 32 bits */

typedef struct tacit__packed {
    int32_t columns;
    int32_t words;      /* a class */
    int32_t word[64];   /* a column each: where its field is ... */
    uint64_t field[64]; /* and which bits; none where all values are the same */
    uint64_t *bits;     /* class by class */
} tacit__packed;

tacit_status tacit__packed_init(tacit__packed *packed, const tacit__tableau *tableau,
                                tacit_error *err);
void tacit__packed_clear(tacit__packed *packed);

/* The fields of some columns, a word each of a class. */
void tacit__packed_sieve(uint64_t *sieve, const tacit__packed *packed, uint64_t columns);

static inline const uint64_t *tacit__packed_bits(const tacit__packed *packed, int64_t class_index)
{
    return packed->bits + class_index * packed->words;
}

static inline bool tacit__packed_agree(const uint64_t *a, const uint64_t *b, const uint64_t *sieve,
                                       int32_t words)
{
    uint64_t differ = 0;
    for (int32_t w = 0; w < words; w++)
        differ |= (a[w] ^ b[w]) & sieve[w];
    return !differ;
}

static inline uint64_t tacit__packed_hash(const uint64_t *bits, const uint64_t *sieve,
                                          int32_t words)
{
    uint64_t hash = 0;
    for (int32_t w = 0; w < words; w++)
        hash = tacit__mix(hash + (bits[w] & sieve[w]));
    return hash;
}

#endif
