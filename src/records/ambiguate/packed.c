/*
 * packed.c - packing the codes of classes (packed.h). A field has the
 * bits that the largest code of its column needs; fields go into words as they come, and
 * none is cut in two. The eight columns of adult take one word of 34 bits.
 */
#include "records/ambiguate/packed.h"

#include "base/alloc.h"
#include "base/error.h"

static int code_width(uint32_t domain)
{
    return domain > 1 ? 32 - __builtin_clz(domain - 1) : 0;
}

/* Gives every column its field; shift is where it starts. */
static void lay_out(tacit__packed *packed, int *shift, const tacit__tableau *tableau)
{
    int used = 0;
    packed->words = 1;
    for (int32_t c = 0; c < packed->columns; c++) {
        int width = code_width(tableau->domain[c]);
        if (used + width > 64) {
            packed->words++;
            used = 0;
        }
        packed->word[c] = packed->words - 1;
        packed->field[c] = width ? ((UINT64_C(1) << width) - 1) << used : 0;
        shift[c] = width ? used : 0;
        used += width;
    }
}

tacit_status tacit__packed_init(tacit__packed *packed, const tacit__tableau *tableau,
                                tacit_error *err)
{
    int shift[64];
    *packed = (tacit__packed){.columns = tableau->columns};
    lay_out(packed, shift, tableau);
    packed->bits =
        tacit__alloc_zeroed((size_t)tableau->classes, (size_t)packed->words * sizeof(uint64_t));
    if (!packed->bits)
        return tacit__nomem(err);
    for (int64_t i = 0; i < tableau->classes; i++) {
        const uint32_t *codes = tacit__tableau_codes(tableau, i);
        uint64_t *bits = packed->bits + i * packed->words;
        for (int32_t c = 0; c < packed->columns; c++)
            bits[packed->word[c]] |= (uint64_t)codes[c] << shift[c];
    }
    return TACIT_OK;
}

void tacit__packed_clear(tacit__packed *packed)
{
    tacit__free(packed->bits);
    *packed = (tacit__packed){0};
}

void tacit__packed_sieve(uint64_t *sieve, const tacit__packed *packed, uint64_t columns)
{
    for (int32_t w = 0; w < packed->words; w++)
        sieve[w] = 0;
    for (int32_t c = 0; c < packed->columns; c++)
        if (columns >> c & 1)
            sieve[packed->word[c]] |= packed->field[c];
}
