/*
 * cover_near.c - rows that are near a row, in tables where it takes too long to compare
 * it with all.
 *
 * Classes are put in order by their values, several times, each time with the columns in
 * another sequence. Classes that differ in few columns have the first ones in common in some of
 * the orders, and stand close to each other there. So those that stand next to a class in any
 * order are its candidates; what is nearer than they may be missed, but mostly is not where
 * rows come in clusters. Sequences are by a hash of their number: nothing depends on chance.
 *
 * Costs some sorts of the classes, 8 bytes a class and order; a look costs a comparison for
 * each candidate, of which there are at most ORDERS * 2 * WINDOW.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "records/blanks/cover.h"

enum {
    ORDERS = 16,
    WINDOW = 16,           /* candidates on either side */
    MOST_PLACES = 1 << 22, /* of all orders together, but for one */
    MOST_BITS = 8          /* of a value; others share */
};

/* A class by its first values in a sequence of columns. */
typedef struct placed {
    uint64_t key;
    uint32_t class_index;
} placed;

static int by_key(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->class_index < y->class_index ? -1 : x->class_index > y->class_index;
}

static int bits_of(uint32_t domain)
{
    int bits = domain > 1 ? 32 - __builtin_clz(domain - 1) : 0;
    return bits < MOST_BITS ? bits : MOST_BITS;
}

static uint64_t short_value(uint32_t code, int bits)
{
    uint64_t value = code >> bits ? tacit__mix(code) : code;
    return value & ((UINT64_C(1) << bits) - 1);
}

/* A sequence of the columns, as it comes from its number. */
static void shuffle(int32_t *columns, int32_t count, uint64_t number)
{
    for (int32_t c = 0; c < count; c++) {
        int32_t at = (int32_t)(tacit__mix(number * 64 + (uint64_t)c + 1) % (uint64_t)(c + 1));
        columns[c] = columns[at];
        columns[at] = c;
    }
}

static uint64_t key_of(const tacit__tableau *t, const int32_t *columns, int64_t class_index)
{
    const uint32_t *codes = tacit__tableau_codes(t, class_index);
    uint64_t key = 0;
    int used = 0;
    for (int32_t i = 0; i < t->columns; i++) {
        int bits = bits_of(t->domain[columns[i]]);
        if (used + bits > 64)
            break;
        key = key << bits | short_value(codes[columns[i]], bits);
        used += bits;
    }
    return key;
}

static void make_order(tacit__blanks_near *near, placed *places, int32_t number)
{
    const tacit__tableau *t = near->tableau;
    int32_t columns[64];
    uint32_t *order = near->order + (size_t)number * (size_t)t->classes;
    uint32_t *rank = near->rank + (size_t)number * (size_t)t->classes;
    shuffle(columns, t->columns, (uint64_t)number);
    for (int64_t i = 0; i < t->classes; i++)
        places[i] = (placed){key_of(t, columns, i), (uint32_t)i};
    qsort(places, (size_t)t->classes, sizeof *places, by_key);
    for (int64_t i = 0; i < t->classes; i++) {
        order[i] = places[i].class_index;
        rank[places[i].class_index] = (uint32_t)i;
    }
}

/* A byte a column, where they suffice; comparing rows is mostly fetching them. */
static tacit_status make_bytes(tacit__blanks_near *near, tacit_error *err)
{
    const tacit__tableau *t = near->tableau;
    for (int32_t c = 0; c < t->columns; c++)
        if (t->domain[c] > 256)
            return TACIT_OK;
    near->words = (t->columns + 7) / 8;
    near->bytes =
        tacit__alloc_zeroed((size_t)t->classes, (size_t)near->words * sizeof *near->bytes);
    if (!near->bytes)
        return tacit__nomem(err);
    for (int64_t i = 0; i < t->classes; i++)
        for (int32_t c = 0; c < t->columns; c++)
            near->bytes[i * near->words + c / 8] |= (uint64_t)tacit__tableau_codes(t, i)[c]
                                                    << 8 * (c % 8);
    return TACIT_OK;
}

tacit_status tacit__near_init(tacit__blanks_near *near, const tacit__tableau *tableau,
                              const tacit_run *run, tacit_error *err)
{
    size_t classes = (size_t)tableau->classes, orders = MOST_PLACES / classes;
    orders = orders < 1 ? 1 : orders > ORDERS ? ORDERS : orders;
    *near = (tacit__blanks_near){.tableau = tableau, .orders = (int32_t)orders, .of = TACIT__NONE};
    near->order = tacit__alloc_array(classes, orders * sizeof *near->order);
    near->rank = tacit__alloc_array(classes, orders * sizeof *near->rank);
    near->asked = tacit__alloc_array(classes, sizeof *near->asked);
    near->found = tacit__alloc_array(orders * 2 * WINDOW, sizeof *near->found);
    placed *places = tacit__alloc_array(classes, sizeof *places);
    tacit_status status = near->order && near->rank && near->asked && near->found && places
                              ? TACIT_OK
                              : tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < classes; i++)
        near->asked[i] = TACIT__NONE;
    for (int32_t i = 0; status == TACIT_OK && i < near->orders; i++) {
        status = tacit__progress(run, "ordering rows", i, near->orders, err);
        if (status == TACIT_OK)
            make_order(near, places, i);
    }
    tacit__free(places);
    if (status == TACIT_OK)
        status = make_bytes(near, err);
    if (status != TACIT_OK)
        tacit__near_clear(near);
    return status;
}

void tacit__near_clear(tacit__blanks_near *near)
{
    tacit__free(near->order);
    tacit__free(near->rank);
    tacit__free(near->asked);
    tacit__free(near->found);
    tacit__free(near->bytes);
    *near = (tacit__blanks_near){0};
}

/* The bytes of a word that are not 0, a bit each. */
static uint64_t set_bytes(uint64_t word)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t high = (((word & low) + low) | word) & ~low;
    return (high >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static uint64_t differ(const tacit__blanks_near *near, uint32_t a, uint32_t b)
{
    if (!near->bytes)
        return tacit__tableau_differ(near->tableau, a, b);
    const uint64_t *x = near->bytes + (int64_t)a * near->words;
    const uint64_t *y = near->bytes + (int64_t)b * near->words;
    uint64_t columns = 0;
    for (int32_t w = 0; w < near->words; w++)
        columns |= set_bytes(x[w] ^ y[w]) << 8 * w;
    return columns;
}

static void take_near(tacit__blanks_near *near, uint32_t class_index, uint32_t other)
{
    if (near->asked[other] == class_index)
        return;
    near->asked[other] = class_index;
    near->found[near->count++] =
        (tacit__near_class){.class_index = other, .differ = differ(near, class_index, other)};
}

void tacit__near_find(tacit__blanks_near *near, uint32_t class_index)
{
    int64_t classes = near->tableau->classes;
    if (near->of == class_index)
        return;
    near->of = class_index;
    near->count = 0;
    near->asked[class_index] = class_index;
    for (int32_t o = 0; o < near->orders; o++) {
        const uint32_t *order = near->order + (size_t)o * (size_t)classes;
        int64_t at = near->rank[(size_t)o * (size_t)classes + class_index];
        int64_t from = at < WINDOW ? 0 : at - WINDOW;
        int64_t to = at + WINDOW < classes ? at + WINDOW : classes - 1;
        for (int64_t i = from; i <= to; i++)
            take_near(near, class_index, order[i]);
    }
}
