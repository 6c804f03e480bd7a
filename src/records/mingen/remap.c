/*
 * remap.c - from keys of a node to keys of a node above, many at a time.
 *
 * A key is taken apart into stretches of neighbouring fields. What a short
 * stretch becomes is looked up in a table over all its bits, so nine attributes
 * take three look-ups, not nine; a stretch whose fields stay on their level is
 * only moved; a field too wide for a table is walked up level by level. Keys are
 * worked on in blocks, a stretch at a time, so the inner loop is a shift, a mask,
 * a look-up and an `or`, without branches.
 *
 * Costs a few operations an entry and stretch; tables are kept below a quarter of
 * the entries, so that making them does not cost more than using them.
 */
#include "records/mingen/remap.h"

#include <string.h>

#include "base/cpu.h"
#include "base/error.h"
#include "base/vector.h"

enum { MOST_TABLE_BITS = 11 };

/* A field's number on the new level. */
static uint32_t raised(const tacit__remap *r, int32_t field, uint32_t number)
{
    if (field >= r->ladders->attributes)
        return number;
    for (int level = r->from->levels[field]; level < r->levels[field]; level++)
        number = r->ladders->up[field][level][number];
    return number;
}

static bool stays(const tacit__remap *r, int32_t field)
{
    return field >= r->ladders->attributes || r->from->levels[field] == r->levels[field];
}

static uint32_t numbers_of(const tacit__remap *r, int32_t field)
{
    const tacit__ladders *l = r->ladders;
    return field < l->attributes ? l->values[field][r->from->levels[field]] : l->people;
}

/* Bits from the last field's lowest to the first one's highest. */
static int span_of(const tacit__remap *r, int32_t first, int32_t last)
{
    const tacit__layout *from = &r->from->layout;
    return from->shift[first] + from->width[first] - from->shift[last];
}

static bool same_words(const tacit__remap *r, int32_t a, int32_t b)
{
    return r->from->layout.word[a] == r->from->layout.word[b] && r->to->word[a] == r->to->word[b];
}

/* The last field of the longest stretch that can be looked up. */
static int32_t table_reach(const tacit__remap *r, int32_t first, int bits)
{
    int32_t last = first;
    for (int32_t f = first + 1; f < r->to->fields && same_words(r, first, f); f++) {
        if (span_of(r, first, f) > bits)
            break;
        if (r->to->width[f] > 0)
            last = f;
    }
    return last;
}

/* And of the longest that only moves; before `first` where it does not stay. */
static int32_t move_reach(const tacit__remap *r, int32_t first)
{
    int32_t f = first;
    while (f < r->to->fields && stays(r, f) && same_words(r, first, f))
        f++;
    while (f > first && r->to->width[f - 1] == 0)
        f--;
    return f - 1;
}

static void fill_table(uint64_t *table, const tacit__remap *r, const tacit__stretch *s)
{
    const tacit__layout *from = &r->from->layout;
    memset(table, 0, (size_t)(s->mask + 1) * sizeof *table);
    for (int32_t f = s->first; f <= s->last; f++) {
        uint32_t numbers = numbers_of(r, f);
        int low = from->shift[f] - s->shift, high = span_of(r, s->first, f) - from->width[f];
        if (r->to->width[f] == 0)
            continue;
        for (uint32_t n = 0; n < numbers; n++) {
            uint64_t part = (uint64_t)raised(r, f, n) << r->to->shift[f];
            for (uint64_t above = 0; above < UINT64_C(1) << high; above++)
                for (uint64_t below = 0; below < UINT64_C(1) << low; below++)
                    table[(above << from->width[f] | n) << low | below] |= part;
        }
    }
}

static void add_stretch(tacit__remap *r, tacit__passage passage, int32_t first, int32_t last)
{
    const tacit__layout *from = &r->from->layout;
    r->stretch[r->stretches++] = (tacit__stretch){
        .passage = passage,
        .first = first,
        .last = last,
        .word = from->word[first],
        .to_word = r->to->word[first],
        .shift = from->shift[last],
        .to_shift = r->to->shift[last],
        .mask = (UINT64_C(1) << span_of(r, first, last)) - 1,
    };
}

/* Cuts the fields into stretches; returns how many entries their tables have. */
static size_t lay_out(tacit__remap *r)
{
    int bits = 0;
    size_t entries = 0;
    while (bits < MOST_TABLE_BITS && INT64_C(8) << bits < r->from->count)
        bits++;
    for (int32_t f = 0; f < r->to->fields; f++) {
        int width = r->from->layout.width[f];
        if (r->to->width[f] == 0)
            continue;
        int32_t move = move_reach(r, f), reach = table_reach(r, f, bits);
        if (move >= reach)
            add_stretch(r, TACIT__MOVED, f, move);
        else if (reach == f && width > bits && INT64_C(2) << width >= r->from->count)
            add_stretch(r, TACIT__WALKED, f, f);
        else {
            add_stretch(r, TACIT__LOOKED_UP, f, reach);
            entries += (size_t)r->stretch[r->stretches - 1].mask + 1;
        }
        f = r->stretch[r->stretches - 1].last;
    }
    return entries;
}

tacit_status tacit__remap_init(tacit__remap *remap, tacit__desk *desk, const tacit__raise *how,
                               const tacit__layout *to, tacit_error *err)
{
    remap->ladders = how->ladders;
    remap->from = how->from;
    remap->levels = how->levels;
    remap->to = to;
    remap->stretches = 0;
    size_t entries = lay_out(remap);
    if (!TACIT__RESERVE(desk->tables, desk->table_count, entries))
        return tacit__nomem(err);
    uint64_t *next = desk->tables;
    for (int32_t i = 0; i < remap->stretches; i++) {
        tacit__stretch *s = &remap->stretch[i];
        if (s->passage != TACIT__LOOKED_UP)
            continue;
        fill_table(next, remap, s);
        s->table = next;
        next += s->mask + 1;
    }
    return TACIT_OK;
}

/* One word in, one word out: what almost every quasi-identifier needs. */
TACIT__HOT static void look_up(uint64_t *to, const uint64_t *from, int64_t count, int shift,
                               uint64_t mask, const uint64_t *table)
{
    for (int64_t i = 0; i < count; i++)
        to[i] |= table[from[i] >> shift & mask];
}

TACIT__HOT static void move(uint64_t *to, const uint64_t *from, int64_t count, int shift,
                            uint64_t mask, int to_shift)
{
    for (int64_t i = 0; i < count; i++)
        to[i] |= (from[i] >> shift & mask) << to_shift;
}

/* Keys of several words, and fields that are walked. */
static void pass(const tacit__remap *r, const tacit__stretch *s, const uint64_t *from,
                 int64_t count, uint64_t *to)
{
    int32_t words = r->from->layout.words, to_words = r->to->words;
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = from[i * words] >> s->shift & s->mask;
        if (s->passage == TACIT__LOOKED_UP)
            bits = s->table[bits];
        else if (s->passage == TACIT__WALKED)
            bits = (uint64_t)raised(r, s->first, (uint32_t)bits) << s->to_shift;
        else
            bits <<= s->to_shift;
        to[i * to_words] |= bits;
    }
}

void tacit__remap_keys(const void *context, int64_t from, int64_t count, uint64_t *keys)
{
    const tacit__remap *r = context;
    int32_t words = r->from->layout.words;
    memset(keys, 0, (size_t)(count * r->to->words) * sizeof *keys);
    for (int32_t i = 0; i < r->stretches; i++) {
        const tacit__stretch *s = &r->stretch[i];
        const uint64_t *in = r->from->keys + from * words + s->word;
        if (words > 1 || s->passage == TACIT__WALKED)
            pass(r, s, in, count, keys + s->to_word);
        else if (s->passage == TACIT__LOOKED_UP)
            look_up(keys, in, count, s->shift, s->mask, s->table);
        else
            move(keys, in, count, s->shift, s->mask, s->to_shift);
    }
}
