/*
 * list.c - counting the entries of a node from those of a node below.
 *
 * Most nodes are small and there are thousands of them, so a roll-up makes
 * nothing on the heap: keys are remapped a block at a time and
 * counted on a desk that is used again, in a cell for every possible key where
 * these are few and otherwise by open addressing. Only long lists, and rows, go
 * through the counting on all cores (classes/count.c).
 *
 * Linear in the entries of the list below; about ten nanoseconds each.
 */
#include "records/mingen/mingen.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/vector.h"
#include "records/classes/classes.h"

/* From keys of a node to keys of a node above, many at a time.
 *
 * A key is taken apart into stretches of neighbouring fields. What a short
 * stretch becomes is looked up in a table over all its bits, so nine attributes
 * take three look-ups, not nine; a stretch whose fields stay on their level is
 * only moved; a field too wide for a table is walked up level by level. Keys are
 * worked on in blocks, a stretch at a time, so the inner loop is a shift, a mask,
 * a look-up and an `or`, without branches.
 *
 * Costs a few operations an entry and stretch; tables are kept below a quarter of
 * the entries, so that making them does not cost more than using them. */

typedef enum key_passage {
    MOVED,     /* no field of it changes */
    LOOKED_UP, /* in a table over all its bits */
    WALKED     /* a single field, from level to level */
} key_passage;

/* A stretch of bits that is worked on as one. */
typedef struct tacit__stretch {
    key_passage passage;
    int32_t first, last; /* its fields */
    uint16_t word, to_word;
    uint8_t shift, to_shift;
    uint64_t mask;
    const uint64_t *table; /* what lies under the mask -> its part of the new key */
} stretch;

typedef struct key_remap {
    const tacit__ladders *ladders;
    const tacit__list *from;
    const uint8_t *levels;
    const tacit__mingen_layout *to;
    int32_t stretches;
    stretch *stretch; /* on the desk */
} key_remap;

enum { MAX_TABLE_BITS = 11 };

/* A field's number on the new level. */
static uint32_t raised(const key_remap *r, int32_t field, uint32_t number)
{
    if (field >= r->ladders->attributes)
        return number;
    for (int level = r->from->layout.levels[field]; level < r->levels[field]; level++)
        number = r->ladders->up[field][level][number];
    return number;
}

static bool stays(const key_remap *r, int32_t field)
{
    return field >= r->ladders->attributes || r->from->layout.levels[field] == r->levels[field];
}

static uint32_t numbers_of(const key_remap *r, int32_t field)
{
    const tacit__ladders *l = r->ladders;
    return field < l->attributes ? l->values[field][r->from->layout.levels[field]] : l->people;
}

/* Bits from the last field's lowest to the first one's highest. */
static int span_of(const key_remap *r, int32_t first, int32_t last)
{
    const tacit__mingen_layout *from = &r->from->layout;
    return from->shift[first] + from->width[first] - from->shift[last];
}

static bool same_words(const key_remap *r, int32_t a, int32_t b)
{
    return r->from->layout.word[a] == r->from->layout.word[b] && r->to->word[a] == r->to->word[b];
}

/* The last field of the longest stretch that can be looked up. */
static int32_t table_reach(const key_remap *r, int32_t first, int bits)
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
static int32_t move_reach(const key_remap *r, int32_t first)
{
    int32_t f = first;
    while (f < r->to->fields && stays(r, f) && same_words(r, first, f))
        f++;
    while (f > first && r->to->width[f - 1] == 0)
        f--;
    return f - 1;
}

static void fill_table(uint64_t *table, const key_remap *r, const stretch *s)
{
    const tacit__mingen_layout *from = &r->from->layout;
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

static void add_stretch(key_remap *r, key_passage passage, int32_t first, int32_t last)
{
    const tacit__mingen_layout *from = &r->from->layout;
    r->stretch[r->stretches++] = (stretch){
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
static size_t lay_out_fields(key_remap *r)
{
    int bits = 0;
    size_t entries = 0;
    while (bits < MAX_TABLE_BITS && INT64_C(8) << bits < r->from->count)
        bits++;
    for (int32_t f = 0; f < r->to->fields; f++) {
        int width = r->from->layout.width[f];
        if (r->to->width[f] == 0)
            continue;
        int32_t move = move_reach(r, f), reach = table_reach(r, f, bits);
        if (move >= reach)
            add_stretch(r, MOVED, f, move);
        else if (reach == f && width > bits && INT64_C(2) << width >= r->from->count)
            add_stretch(r, WALKED, f, f);
        else {
            add_stretch(r, LOOKED_UP, f, reach);
            entries += (size_t)r->stretch[r->stretches - 1].mask + 1;
        }
        f = r->stretch[r->stretches - 1].last;
    }
    return entries;
}

/* Prepares to raise the entries of a list; tables lie on the desk. */
static tacit_status remap_init(key_remap *remap, tacit__desk *desk, const tacit__raise *how,
                               const tacit__mingen_layout *to, tacit_error *err)
{
    remap->ladders = how->ladders;
    remap->from = how->from;
    remap->levels = how->levels;
    remap->to = to;
    remap->stretches = 0;
    if (!TACIT__RESERVE(desk->stretches, desk->stretch_count, to->fields))
        return tacit__nomem(err);
    remap->stretch = desk->stretches;
    size_t entries = lay_out_fields(remap);
    if (!TACIT__RESERVE(desk->tables, desk->table_count, entries))
        return tacit__nomem(err);
    uint64_t *next = desk->tables;
    for (int32_t i = 0; i < remap->stretches; i++) {
        stretch *s = &remap->stretch[i];
        if (s->passage != LOOKED_UP)
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
static void pass(const key_remap *r, const stretch *s, const uint64_t *from, int64_t count,
                 uint64_t *to)
{
    int32_t words = r->from->layout.words, to_words = r->to->words;
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = from[i * words] >> s->shift & s->mask;
        if (s->passage == LOOKED_UP)
            bits = s->table[bits];
        else if (s->passage == WALKED)
            bits = (uint64_t)raised(r, s->first, (uint32_t)bits) << s->to_shift;
        else
            bits <<= s->to_shift;
        to[i * to_words] |= bits;
    }
}

/* New keys of some entries, remap->to->words each. context is a key_remap. */
static void remap_keys(const void *context, int64_t from, int64_t count, uint64_t *keys)
{
    const key_remap *r = context;
    int32_t words = r->from->layout.words;
    memset(keys, 0, (size_t)(count * r->to->words) * sizeof *keys);
    for (int32_t i = 0; i < r->stretches; i++) {
        const stretch *s = &r->stretch[i];
        const uint64_t *in = r->from->keys + from * words + s->word;
        if (words > 1 || s->passage == WALKED)
            pass(r, s, in, count, keys + s->to_word);
        else if (s->passage == LOOKED_UP)
            look_up(keys, in, count, s->shift, s->mask, s->table);
        else
            move(keys, in, count, s->shift, s->mask, s->to_shift);
    }
}

/* ---- */

/* Keys that are remapped in one piece. */
enum { BLOCK = TACIT__ENCODE_BLOCK };
_Static_assert((int)TACIT__MAX_DIGITS >= (int)BLOCK, "a block fits where a key does");

static void fill_up(uint32_t *up, const tacit_frame *frame, int32_t attribute, int level)
{
    const tacit_attribute *a = &frame->attributes[attribute];
    const uint32_t *low = tacit_hierarchy_map(a->hierarchy, level);
    const uint32_t *high = tacit_hierarchy_map(a->hierarchy, level + 1);
    uint32_t codes = tacit_table_distinct(frame->table, a->column);
    if (tacit_table_has_missing(frame->table, a->column))
        codes++;
    for (uint32_t code = 0; code < codes; code++)
        up[low[code]] = high[code];
}

tacit_status tacit__ladders_init(tacit__ladders *ladders, const tacit_frame *frame,
                                 tacit_error *err)
{
    size_t entries = 0, attributes = (size_t)frame->attribute_count;
    ladders->heights = tacit__alloc_zeroed(attributes, sizeof *ladders->heights);
    ladders->values = tacit__alloc_zeroed(attributes, sizeof *ladders->values);
    ladders->up = tacit__alloc_zeroed(attributes, sizeof *ladders->up);
    if (!ladders->heights || !ladders->values || !ladders->up)
        return tacit__nomem(err);
    ladders->frame = frame;
    ladders->attributes = frame->attribute_count;
    if (frame->person >= 0)
        ladders->people = tacit_table_distinct(frame->table, frame->person) + 1;
    for (int32_t a = 0; a < frame->attribute_count; a++) {
        ladders->heights[a] = tacit_hierarchy_height(frame->attributes[a].hierarchy);
        for (int level = 0; level <= ladders->heights[a]; level++)
            entries += ladders->values[a][level] = tacit__distinct_on(frame, a, level);
    }
    uint32_t *next = ladders->memory = tacit__alloc_zeroed(entries, sizeof *ladders->memory);
    if (!next)
        return tacit__nomem(err);
    for (int32_t a = 0; a < frame->attribute_count; a++)
        for (int level = 0; level < ladders->heights[a]; level++) {
            ladders->up[a][level] = next;
            next += ladders->values[a][level];
            fill_up(ladders->up[a][level], frame, a, level);
        }
    return TACIT_OK;
}

void tacit__ladders_clear(tacit__ladders *ladders)
{
    tacit__free(ladders->heights);
    tacit__free(ladders->values);
    tacit__free(ladders->up);
    tacit__free(ladders->memory);
    *ladders = (tacit__ladders){0};
}

double tacit__combinations(const tacit__ladders *ladders, const uint8_t *levels)
{
    double product = 1;
    for (int32_t a = 0; a < ladders->attributes; a++)
        product *= ladders->values[a][levels[a]];
    return product;
}

static int bits_of(uint32_t numbers)
{
    return numbers < 2 ? 0 : 32 - __builtin_clz(numbers - 1);
}

void tacit__layout_free(tacit__mingen_layout *layout)
{
    tacit__free(layout->word);
    *layout = (tacit__mingen_layout){0};
}

/* Words are filled from the first field on; within one the first is the highest. */
tacit_status tacit__layout_init(tacit__mingen_layout *layout, const tacit__ladders *ladders,
                                const uint8_t *levels, bool person, tacit_error *err)
{
    int used = 0, word = 0;
    int32_t fields = ladders->attributes + (person ? 1 : 0);
    uint8_t total[TACIT__MAX_DIGITS];
    layout->word = tacit__alloc_array((size_t)fields, sizeof *layout->word + 3);
    if (!layout->word)
        return tacit__nomem(err);
    layout->shift = (uint8_t *)(layout->word + fields);
    layout->width = layout->shift + fields;
    layout->levels = layout->width + fields;
    memcpy(layout->levels, levels, (size_t)ladders->attributes);
    total[0] = 0;
    for (int32_t f = 0; f < fields; f++) {
        int width =
            bits_of(f < ladders->attributes ? ladders->values[f][levels[f]] : ladders->people);
        if (used + width > TACIT__WORD_BITS) {
            word++;
            used = 0;
        }
        used += width;
        total[word] = (uint8_t)used;
        layout->word[f] = (uint16_t)word;
        layout->width[f] = (uint8_t)width;
        layout->shift[f] = (uint8_t)used; /* from the top, until the word is full */
    }
    for (int32_t f = 0; f < fields; f++)
        layout->shift[f] = (uint8_t)(total[layout->word[f]] - layout->shift[f]);
    layout->fields = fields;
    layout->words = word + 1;
    layout->bits = total[0];
    return TACIT_OK;
}

void tacit__list_clear(tacit__list *list)
{
    if (list->owned) {
        tacit__free(list->keys);
        tacit__free(list->rows);
        tacit__free(list->tallies);
    }
    tacit__layout_free(&list->layout);
    *list = (tacit__list){0};
}

static void *copied(const void *block, int64_t count, size_t size)
{
    void *copy = tacit__alloc_array((size_t)count, size);
    if (copy && count > 0)
        memcpy(copy, block, (size_t)count * size);
    return copy;
}

tacit_status tacit__list_keep(tacit__list **out, tacit__list *list, tacit_error *err)
{
    tacit__list *kept = tacit__alloc(sizeof *kept);
    if (!kept)
        return tacit__nomem(err);
    *kept = *list;
    *list = (tacit__list){0};
    kept->holders = 1;
    if (!kept->owned) {
        kept->owned = true;
        kept->tallies = NULL;
        kept->keys = copied(kept->keys, kept->count * kept->layout.words, sizeof *kept->keys);
        kept->rows = copied(kept->rows, kept->count, sizeof *kept->rows);
        if (!kept->keys || !kept->rows) {
            tacit__list_release(kept);
            return tacit__nomem(err);
        }
    }
    *out = kept;
    return TACIT_OK;
}

tacit__list *tacit__list_hold(tacit__list *list)
{
    if (list)
        list->holders++;
    return list;
}

void tacit__list_release(tacit__list *list)
{
    if (!list || --list->holders > 0)
        return;
    tacit__list_clear(list);
    tacit__free(list);
}

size_t tacit__list_bytes(const tacit__list *list)
{
    return (size_t)list->count *
           (sizeof *list->rows + sizeof *list->keys * (size_t)list->layout.words);
}

void tacit__desk_clear(tacit__desk *desk)
{
    tacit__free(desk->keys);
    tacit__free(desk->rows);
    tacit__free(desk->tallies);
    tacit__free(desk->slots);
    tacit__free(desk->tables);
    tacit__free(desk->stretches);
    *desk = (tacit__desk){0};
}

/* Room for as many entries, and a look-up of as many slots. */
static tacit_status reserve_desk(tacit__desk *desk, const tacit__raise *how, size_t entries,
                                 int32_t words, size_t slots, tacit_error *err)
{
    if (!TACIT__RESERVE(desk->keys, desk->key_words, entries * (size_t)words) ||
        !TACIT__RESERVE(desk->rows, desk->row_count, entries) ||
        (how->tally && !TACIT__RESERVE(desk->tallies, desk->tally_count, entries)) ||
        !TACIT__RESERVE(desk->slots, desk->slot_count, slots))
        return tacit__nomem(err);
    return TACIT_OK;
}

/* A cell for every possible key: rows, and behind them the tallies. */
static tacit_status raise_dense(tacit__list *out, tacit__desk *desk, const tacit__raise *how,
                                const key_remap *remap, tacit_error *err)
{
    size_t domain = (size_t)1 << out->layout.bits;
    uint64_t keys[BLOCK];
    tacit_status status = reserve_desk(desk, how, domain, 1, how->tally ? 2 * domain : domain, err);
    if (status != TACIT_OK)
        return status;
    uint32_t *rows = desk->slots, *tallies = rows + domain;
    memset(rows, 0, (how->tally ? 2 : 1) * domain * sizeof *rows);
    for (int64_t from = 0; from < how->from->count; from += BLOCK) {
        int64_t count = how->from->count - from < BLOCK ? how->from->count - from : BLOCK;
        remap_keys(remap, from, count, keys);
        for (int64_t i = 0; i < count; i++)
            rows[keys[i]] += how->from->rows[from + i];
        for (int64_t i = 0; how->tally && i < count; i++)
            tallies[keys[i]]++;
    }
    for (size_t key = 0; key < domain; key++) {
        desk->keys[out->count] = key;
        desk->rows[out->count] = rows[key];
        if (how->tally)
            desk->tallies[out->count] = tallies[key];
        out->count += rows[key] > 0;
    }
    return TACIT_OK;
}

static uint64_t hash_of(const uint64_t *key, int32_t words)
{
    uint64_t hash = tacit__mix(key[0]);
    for (int32_t w = 1; w < words; w++)
        hash = tacit__mix(hash ^ key[w]);
    return hash;
}

static bool is_same(const uint64_t *a, const uint64_t *b, int32_t words)
{
    for (int32_t w = 0; w < words; w++)
        if (a[w] != b[w])
            return false;
    return true;
}

/* The place of a key on the desk, a new one if it has none. */
static inline uint32_t place_of(tacit__desk *desk, int64_t *count, const uint64_t *key,
                                int32_t words, uint64_t mask)
{
    for (uint64_t slot = hash_of(key, words) & mask;; slot = (slot + 1) & mask) {
        uint32_t place = desk->slots[slot];
        if (place == TACIT__NO_PLACE) {
            place = desk->slots[slot] = (uint32_t)*count;
            for (int32_t w = 0; w < words; w++)
                desk->keys[*count * words + w] = key[w];
            desk->rows[(*count)++] = 0;
            return place;
        }
        if (is_same(desk->keys + (int64_t)place * words, key, words))
            return place;
    }
}

/* Adds a block of entries to those on the desk. */
static inline void add_block(tacit__desk *desk, tacit__list *out, const uint64_t *keys,
                             const uint32_t *rows, int64_t count, int32_t words, uint64_t mask,
                             bool tally)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t before = out->count;
        uint32_t place = place_of(desk, &out->count, keys + i * words, words, mask);
        desk->rows[place] += rows[i];
        if (tally)
            desk->tallies[place] = out->count > before ? 1 : desk->tallies[place] + 1;
    }
}

static tacit_status raise_hashed(tacit__list *out, tacit__desk *desk, const tacit__raise *how,
                                 const key_remap *remap, tacit_error *err)
{
    int32_t words = out->layout.words, block = words < BLOCK ? BLOCK / words : 1;
    int64_t entries = how->from->count;
    size_t slots = 8;
    uint64_t keys[TACIT__MAX_DIGITS];
    while (slots < 2 * (size_t)entries)
        slots *= 2;
    tacit_status status = reserve_desk(desk, how, (size_t)entries, words, slots, err);
    if (status != TACIT_OK)
        return status;
    memset(desk->slots, 0xff, slots * sizeof *desk->slots);
    for (int64_t from = 0; from < entries; from += block) {
        int64_t count = entries - from < block ? entries - from : block;
        const uint32_t *rows = how->from->rows + from;
        remap_keys(remap, from, count, keys);
        if (words == 1 && !how->tally)
            add_block(desk, out, keys, rows, count, 1, slots - 1, false);
        else
            add_block(desk, out, keys, rows, count, words, slots - 1, how->tally);
    }
    return TACIT_OK;
}

/* Takes over what the counting on all cores has found. */
static void take_counts(tacit__list *out, const tacit__counts *counts)
{
    out->count = counts->count;
    out->keys = counts->keys;
    out->rows = counts->sums;
    out->tallies = counts->tallies;
    out->owned = true;
}

static tacit_status raise_long(tacit__list *out, const tacit__raise *how, const key_remap *remap,
                               tacit_error *err)
{
    tacit__counts counts = {0};
    const tacit__items items = {.count = how->from->count,
                                .domain = UINT64_C(1) << out->layout.bits,
                                .keys = remap_keys,
                                .context = remap,
                                .weights = how->from->rows,
                                .tally = how->tally};
    tacit_status status = tacit__count(&counts, &items, how->run, err);
    if (status == TACIT_OK)
        take_counts(out, &counts);
    return status;
}

static tacit_status list_init(tacit__list *list, const tacit__ladders *ladders,
                              const uint8_t *levels, bool person, tacit_error *err)
{
    *list = (tacit__list){0};
    return tacit__layout_init(&list->layout, ladders, levels, person, err);
}

tacit_status tacit__list_raise(tacit__list *out, tacit__desk *desk, const tacit__raise *how,
                               tacit_error *err)
{
    key_remap remap;
    tacit_status status = list_init(out, how->ladders, how->levels, how->person, err);
    if (status == TACIT_OK)
        status = remap_init(&remap, desk, how, &out->layout, err);
    if (status != TACIT_OK)
        return status;
    if (out->layout.words == 1 && how->from->count > TACIT__LONG_LIST)
        return raise_long(out, how, &remap, err);
    if (out->layout.words == 1 && out->layout.bits < 31 &&
        INT64_C(1) << out->layout.bits <= 1024 + 2 * how->from->count)
        status = raise_dense(out, desk, how, &remap, err);
    else
        status = raise_hashed(out, desk, how, &remap, err);
    out->keys = desk->keys;
    out->rows = desk->rows;
    out->tallies = how->tally ? desk->tallies : NULL;
    return status;
}

tacit_status tacit__layout_coder(tacit__coder *coder, const tacit__mingen_layout *layout,
                                 tacit_error *err)
{
    tacit__stage only = {.domain = UINT64_C(1) << layout->bits};
    tacit_status status = tacit__coder_init(coder, layout->fields, err);
    if (status != TACIT_OK)
        return status;
    if (!TACIT__PUSH(coder->stage, coder->stage_capacity, coder->stages, only)) {
        tacit__coder_clear(coder);
        return tacit__nomem(err);
    }
    coder->columns = layout->fields;
    for (int32_t f = 0; f < layout->fields; f++) {
        coder->domain[f] = UINT64_C(1) << layout->width[f];
        coder->stride[f] = UINT64_C(1) << layout->shift[f];
    }
    return TACIT_OK;
}

static tacit_status count_rows(tacit__list *out, const tacit__feed *feed, const tacit_run *run,
                               tacit_error *err)
{
    tacit__coder coder;
    tacit__encoder encoder;
    tacit__counts counts = {0};
    tacit_status status = tacit__layout_coder(&coder, &out->layout, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__encoder_init(&encoder, &coder, feed, err);
    if (status != TACIT_OK) {
        tacit__coder_clear(&coder);
        return status;
    }
    const tacit__items items = {.count = feed->count,
                                .weights = feed->repeats,
                                .domain = coder.stage[0].domain,
                                .keys = tacit__encode,
                                .context = &encoder};
    status = tacit__count(&counts, &items, run, err);
    tacit__encoder_clear(&encoder);
    tacit__coder_clear(&coder);
    if (status == TACIT_OK)
        take_counts(out, &counts);
    return status;
}

/* Keys of several words: the combinations are numbered by the coder first. */
static tacit_status count_wide(tacit__list *out, const tacit__feed *feed, const tacit_run *run,
                               tacit_error *err)
{
    const tacit__mingen_layout *layout = &out->layout;
    tacit__grouping groups = {0};
    tacit_status status = tacit__grouping_init(&groups, feed, false, run, err);
    if (status != TACIT_OK)
        return status;
    uint64_t *keys =
        tacit__alloc_zeroed((size_t)groups.count * (size_t)layout->words, sizeof *keys);
    for (int64_t i = 0; keys && i < groups.count; i++) {
        uint32_t numbers[TACIT__MAX_DIGITS];
        tacit__coder_decode_all(numbers, &groups.coder, groups.keys[i]);
        for (int32_t f = 0; f < layout->fields; f++)
            keys[i * layout->words + layout->word[f]] |= (uint64_t)numbers[f] << layout->shift[f];
    }
    if (keys) {
        take_counts(out, &(tacit__counts){groups.count, keys, groups.rows, NULL});
        groups.rows = NULL;
    } else {
        status = tacit__nomem(err);
    }
    tacit__grouping_clear(&groups);
    return status;
}

tacit_status tacit__list_rows(tacit__list *out, const tacit__ladders *ladders,
                              const uint8_t *levels, int64_t most, const tacit_run *run,
                              tacit_error *err)
{
    int wanted[TACIT_MAX_ATTRIBUTES];
    tacit__feed feed;
    bool person = ladders->people > 0;
    for (int32_t a = 0; a < ladders->attributes; a++)
        wanted[a] = levels[a];
    tacit_status status = list_init(out, ladders, levels, person, err);
    if (status == TACIT_OK)
        status = tacit__feed_rows(&feed, ladders->frame, wanted, person, err);
    if (status != TACIT_OK)
        return status;
    if (feed.count > most)
        feed.count = most;
    status = out->layout.words == 1 ? count_rows(out, &feed, run, err)
                                    : count_wide(out, &feed, run, err);
    tacit__feed_clear(&feed);
    return status;
}
