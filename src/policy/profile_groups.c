/*
 * profile_groups.c - rows by their combination of codes, for the profile's
 * counts of unique rows.
 *
 * A combination is packed into as few 64-bit words as its codes need, so it is
 * compared exactly and a column is left out by masking its bits. Items (rows,
 * or groups whose column is masked) are first dealt by hash into PARTS, chunk
 * by chunk to known places, then each part is grouped by itself in a small
 * table that stays in cache. Parts and chunks are cut by the data, so any
 * number of threads gives the same groups in the same order.
 *
 * Time linear in items times words; memory 8 bytes a word and 4 bytes an item.
 */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/parallel.h"
#include "policy/profile_parts.h"

enum { PARTS = 256, CHUNK = 1 << 18, MAX_FIRST = 1 << 15 };

/* Where a column's code sits in the key. */
typedef struct field {
    tacit_codes_view codes;
    int word;
    int shift;
    uint64_t mask; /* in place */
} field;

struct tacit__policy_groups {
    field *fields;
    int32_t field_count;
    int words;
    uint64_t *keys; /* words a group */
    uint32_t *sizes;
    size_t count;
};

/* One dealing and grouping. Items are the groups of `from`, or rows. */
typedef struct deal {
    tacit__policy_groups *to;
    const tacit__policy_groups *from; /* NULL: rows */
    int32_t without;                  /* of the fields of from, the one to mask */
    size_t items;
    int64_t chunks;
    uint64_t *places; /* a chunk's parts: counts, then where the next item goes */
    size_t starts[PARTS + 1];
    size_t grouped[PARTS]; /* groups at the start of each part */
} deal;

void tacit__groups_free(tacit__policy_groups *groups)
{
    if (!groups)
        return;
    tacit__free(groups->fields);
    tacit__free(groups->keys);
    tacit__free(groups->sizes);
    tacit__free(groups);
}

int64_t tacit__groups_count(const tacit__policy_groups *groups)
{
    return (int64_t)groups->count;
}

int64_t tacit__groups_below(const tacit__policy_groups *groups, int64_t k)
{
    int64_t rows = 0;
    for (size_t i = 0; i < groups->count; i++)
        if (groups->sizes[i] < k)
            rows += groups->sizes[i];
    return rows;
}

/* Keys are a word or two: loops beat calls of memcpy and memcmp. */
static inline void copy_key(uint64_t *to, const uint64_t *from, int words)
{
    for (int i = 0; i < words; i++)
        to[i] = from[i];
}

static inline bool equal_keys(const uint64_t *a, const uint64_t *b, int words)
{
    for (int i = 0; i < words; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static inline void load_key(uint64_t *key, const deal *d, size_t item)
{
    const tacit__policy_groups *to = d->to;
    if (d->from) {
        copy_key(key, d->from->keys + item * (size_t)to->words, to->words);
        key[to->fields[d->without].word] &= ~to->fields[d->without].mask;
        return;
    }
    for (int i = 0; i < to->words; i++)
        key[i] = 0;
    for (int32_t i = 0; i < to->field_count; i++) {
        const field *f = &to->fields[i];
        key[f->word] |= (uint64_t)tacit_codes_at(f->codes, (int64_t)item) << f->shift;
    }
}

static inline uint64_t hash_key(const uint64_t *key, int words)
{
    uint64_t hash = 0;
    for (int i = 0; i < words; i++)
        hash = tacit__mix(hash + key[i]);
    return hash;
}

static size_t chunk_end(const deal *d, int64_t chunk)
{
    size_t end = (size_t)(chunk + 1) * CHUNK;
    return end < d->items ? end : d->items;
}

static tacit_status count_chunk(void *context, int64_t chunk, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    deal *d = context;
    uint64_t key[TACIT__PROFILE_QUASI], *counts = d->places + chunk * PARTS;
    for (size_t i = (size_t)chunk * CHUNK; i < chunk_end(d, chunk); i++) {
        load_key(key, d, i);
        counts[hash_key(key, d->to->words) >> 56]++;
    }
    return TACIT_OK;
}

/* Counts become places: part after part, in each chunk after chunk. */
static void find_places(deal *d)
{
    size_t place = 0;
    for (int part = 0; part < PARTS; part++) {
        d->starts[part] = place;
        for (int64_t chunk = 0; chunk < d->chunks; chunk++) {
            uint64_t count = d->places[chunk * PARTS + part];
            d->places[chunk * PARTS + part] = place;
            place += count;
        }
    }
    d->starts[PARTS] = place;
}

static tacit_status deal_chunk(void *context, int64_t chunk, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    deal *d = context;
    int words = d->to->words;
    uint64_t key[TACIT__PROFILE_QUASI], *places = d->places + chunk * PARTS;
    for (size_t i = (size_t)chunk * CHUNK; i < chunk_end(d, chunk); i++) {
        load_key(key, d, i);
        size_t place = places[hash_key(key, words) >> 56]++;
        copy_key(d->to->keys + place * (size_t)words, key, words);
        d->to->sizes[place] = d->from ? d->from->sizes[i] : 1;
    }
    return TACIT_OK;
}

/* The group of a key among those at the start of a part, or TACIT__NONE. */
static inline uint32_t find_group(const tacit__map *map, const uint64_t *keys, int words,
                                  const uint64_t *key, uint64_t hash)
{
    size_t probe = 0;
    uint32_t group;
    while ((group = tacit__map_next(map, hash, &probe)) != TACIT__NONE)
        if (equal_keys(keys + (size_t)group * (size_t)words, key, words))
            break;
    return group;
}

/* Moves the part's groups to its start; a group's place is never behind the
 * item that is read. */
static tacit_status group_part(void *context, int64_t part, int worker, tacit_error *err)
{
    (void)worker;
    deal *d = context;
    size_t start = d->starts[part], items = d->starts[part + 1] - start,
           words = (size_t)d->to->words;
    uint64_t *keys = d->to->keys + start * words;
    uint32_t *sizes = d->to->sizes + start;
    tacit__map map = {0};
    bool whole = tacit__map_reserve(&map, items < MAX_FIRST ? items : MAX_FIRST);
    for (size_t i = 0; whole && i < items; i++) {
        uint64_t hash = hash_key(keys + i * words, d->to->words);
        uint32_t group = find_group(&map, keys, d->to->words, keys + i * words, hash);
        if (group != TACIT__NONE) {
            sizes[group] += sizes[i];
            continue;
        }
        copy_key(keys + map.count * words, keys + i * words, d->to->words);
        sizes[map.count] = sizes[i];
        whole = tacit__map_add(&map, hash);
    }
    d->grouped[part] = map.count;
    tacit__map_clear(&map);
    return whole ? TACIT_OK : tacit__nomem(err);
}

static void close_up(deal *d)
{
    tacit__policy_groups *to = d->to;
    size_t words = (size_t)to->words;
    for (int part = 0; part < PARTS; part++) {
        memmove(to->keys + to->count * words, to->keys + d->starts[part] * words,
                d->grouped[part] * words * sizeof *to->keys);
        memmove(to->sizes + to->count, to->sizes + d->starts[part],
                d->grouped[part] * sizeof *to->sizes);
        to->count += d->grouped[part];
    }
}

static tacit_status deal_and_group(deal *d, const tacit_run *run, tacit_error *err)
{
    size_t cells;
    d->chunks = (int64_t)(d->items / CHUNK + 1);
    d->places = tacit__alloc_zeroed((size_t)d->chunks * PARTS, sizeof *d->places);
    bool fits = tacit__multiply(d->items, (size_t)d->to->words, &cells);
    d->to->keys = fits ? tacit__alloc_array(cells, sizeof *d->to->keys) : NULL;
    d->to->sizes = tacit__alloc_array(d->items, sizeof *d->to->sizes);
    tacit_status status = TACIT_OK;
    if (!d->places || !d->to->keys || !d->to->sizes)
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__parallel(run, "count", d->chunks, count_chunk, d, err);
    if (status == TACIT_OK) {
        find_places(d);
        status = tacit__parallel(run, "group", d->chunks, deal_chunk, d, err);
    }
    if (status == TACIT_OK)
        status = tacit__parallel(run, "group", PARTS, group_part, d, err);
    if (status == TACIT_OK)
        close_up(d);
    tacit__free(d->places);
    return status;
}

static int bits_for(uint32_t most)
{
    return most ? 32 - __builtin_clz(most) : 1;
}

/* Gives each column its bits; missing is the code past the last value. */
static void pack_fields(tacit__policy_groups *groups, const tacit_table *table,
                        const int32_t *columns)
{
    int used = 0;
    for (int32_t i = 0; i < groups->field_count; i++) {
        int bits = bits_for(tacit_table_distinct(table, columns[i]));
        if (used + bits > 64) {
            groups->words++;
            used = 0;
        }
        groups->fields[i] = (field){.codes = tacit_table_codes(table, columns[i]),
                                    .word = groups->words,
                                    .shift = used,
                                    .mask = ((UINT64_C(1) << bits) - 1) << used};
        used += bits;
    }
    groups->words++;
}

static tacit__policy_groups *empty_groups(int32_t fields)
{
    tacit__policy_groups *groups = tacit__alloc_zeroed(1, sizeof *groups);
    if (groups && !(groups->fields = tacit__alloc_array((size_t)fields, sizeof *groups->fields))) {
        tacit__free(groups);
        return NULL;
    }
    if (groups)
        groups->field_count = fields;
    return groups;
}

/* Fills d->to and hands it out, or frees it. */
static tacit_status finish(tacit__policy_groups **out, deal *d, const tacit_run *run,
                           tacit_error *err)
{
    tacit_status status = deal_and_group(d, run, err);
    if (status == TACIT_OK)
        *out = d->to;
    else
        tacit__groups_free(d->to);
    return status;
}

tacit_status tacit__groups_new(tacit__policy_groups **out, const tacit_table *table,
                               const int32_t *columns, int32_t count, const tacit_run *run,
                               tacit_error *err)
{
    assert(count <= TACIT__PROFILE_QUASI);
    tacit__policy_groups *groups = empty_groups(count);
    if (!groups)
        return tacit__nomem(err);
    pack_fields(groups, table, columns);
    deal d = {.to = groups, .items = (size_t)tacit_table_rows(table)};
    return finish(out, &d, run, err);
}

tacit_status tacit__groups_without(tacit__policy_groups **out, const tacit__policy_groups *groups,
                                   int32_t index, const tacit_run *run, tacit_error *err)
{
    assert(index >= 0 && index < groups->field_count);
    tacit__policy_groups *fewer = empty_groups(groups->field_count);
    if (!fewer)
        return tacit__nomem(err);
    memcpy(fewer->fields, groups->fields, (size_t)groups->field_count * sizeof *fewer->fields);
    fewer->words = groups->words;
    deal d = {.to = fewer, .from = groups, .without = index, .items = groups->count};
    return finish(out, &d, run, err);
}
