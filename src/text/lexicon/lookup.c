/*
 * lookup.c - making Boolean look-ups (Sweeney, chapter 9) and saying how often they err.
 * Linear in the words, 30 bits each; the look-up itself is in the header.
 */
#include "text/lexicon/lookup.h"

#include "base/alloc.h"
#include "base/error.h"

/* (hash.high >> 27) * blocks must fit 64 bits: 2^27 blocks are 2 billion words. */
static const size_t max_words = (size_t)1 << 31;

tacit_status tacit__boolean_init(tacit__boolean *lookup, size_t words, tacit_error *err)
{
    if (words > max_words)
        return tacit__error(err, TACIT_LIMIT, "a list of more than 2 147 483 648 words");
    size_t blocks = words * TACIT__BOOLEAN_BITS / TACIT__BOOLEAN_BLOCK + 1;
    uint64_t *bits = tacit__alloc_zeroed(blocks, TACIT__BOOLEAN_BLOCK / 8);
    if (!bits)
        return tacit__nomem(err);
    *lookup = (tacit__boolean){.bits = bits, .blocks = blocks};
    return TACIT_OK;
}

void tacit__boolean_clear(tacit__boolean *lookup)
{
    tacit__free(lookup->bits);
    *lookup = (tacit__boolean){0};
}

void tacit__boolean_add(tacit__boolean *lookup, tacit__hash128 hash)
{
    uint64_t *block = lookup->bits + tacit__boolean_start(lookup->blocks, hash);
    for (int probe = 0; probe < TACIT__BOOLEAN_PROBES; probe++) {
        uint32_t place = tacit__boolean_place(hash, probe);
        block[place >> 6] |= UINT64_C(1) << (place & 63);
    }
}

static int ones_of(uint64_t word)
{
    int ones = 0;
    for (; word; word &= word - 1)
        ones++;
    return ones;
}

double tacit__boolean_rate(tacit__boolean_view view)
{
    double sum = 0;
    for (uint64_t block = 0; block < view.blocks; block++) {
        int ones = 0;
        for (int i = 0; i < TACIT__BOOLEAN_WORDS; i++)
            ones += ones_of(view.bits[block * TACIT__BOOLEAN_WORDS + (uint64_t)i]);
        double share = (double)ones / TACIT__BOOLEAN_BLOCK, all = 1;
        for (int probe = 0; probe < TACIT__BOOLEAN_PROBES; probe++)
            all *= share;
        sum += all;
    }
    return view.blocks ? sum / (double)view.blocks : 0;
}
