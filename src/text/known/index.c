/*
 * index.c - the tables of known values: made once, then only read.
 *
 * Cost: words 10 bytes a slot at one half to two thirds full; near some 5 bytes for each letter
 * of a name that differs from all others, and the name. A misspelling is looked for in as many
 * buckets as the word has letters and one, of which no more than BUCKET_MOST names are
 * compared, so no set of names makes a look-up slow.
 */
#include "text/known/index.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "text/lexicon/recall.h"
#include "text/replace/edits.h"

enum { FIRST_SLOTS = 64, BUCKET_MOST = 16 };

/* ---- words ---- */

/* Where the key is, or the free slot for it. */
static size_t slot_of(const tacit__known_words *words, uint64_t key)
{
    size_t at = key & (words->slots - 1);
    while (words->keys[at] && words->keys[at] != key)
        at = (at + 1) & (words->slots - 1);
    return at;
}

static tacit_status grow(tacit__known_words *words, tacit_error *err)
{
    tacit__known_words wider = {.count = words->count,
                                .slots = words->slots ? 2 * words->slots : FIRST_SLOTS};
    wider.keys = tacit__alloc_zeroed(wider.slots, sizeof *wider.keys);
    wider.what = tacit__alloc_zeroed(wider.slots, sizeof *wider.what);
    if (!wider.keys || !wider.what) {
        tacit__known_words_clear(&wider);
        return tacit__nomem(err);
    }
    for (size_t i = 0; i < words->slots; i++) {
        if (!words->keys[i])
            continue;
        size_t at = slot_of(&wider, words->keys[i]);
        wider.keys[at] = words->keys[i];
        wider.what[at] = words->what[i];
    }
    tacit__known_words_clear(words);
    *words = wider;
    return TACIT_OK;
}

tacit_status tacit__known_words_add(tacit__known_words *words, uint64_t key, unsigned what,
                                    tacit_error *err)
{
    if (key == 0)
        return TACIT_OK;
    if (3 * (words->count + 1) > 2 * words->slots) {
        tacit_status status = grow(words, err);
        if (status != TACIT_OK)
            return status;
    }
    size_t at = slot_of(words, key);
    words->count += words->keys[at] == 0;
    words->keys[at] = key;
    if (what >> TACIT__KNOWN_KIND) /* the last kind counts */
        words->what[at] &= (1 << TACIT__KNOWN_KIND) - 1;
    words->what[at] |= (uint16_t)what;
    return TACIT_OK;
}

void tacit__known_words_clear(tacit__known_words *words)
{
    tacit__free(words->keys);
    tacit__free(words->what);
    *words = (tacit__known_words){0};
}

/* ---- near ---- */

static tacit_strview near_name(const tacit__known_near *near, size_t number)
{
    const char *at = near->text + near->names[number];
    return (tacit_strview){.bytes = at + 1, .len = (size_t)*at};
}

tacit_status tacit__known_near_add(tacit__known_near *near, tacit_strview folded, tacit_error *err)
{
    if (folded.len < TACIT__EDIT_SHORTEST || folded.len > TACIT__EDIT_LONGEST ||
        near->text_len > UINT32_MAX - TACIT__EDIT_LONGEST - 1)
        return TACIT_OK;
    if (!tacit__reserve((void **)&near->text, &near->text_capacity, near->text_len + folded.len + 1,
                        1) ||
        !TACIT__RESERVE_ONE(near->names, near->capacity, near->count))
        return tacit__nomem(err);
    near->names[near->count++] = (uint32_t)near->text_len;
    near->text[near->text_len++] = (char)folded.len;
    memcpy(near->text + near->text_len, folded.bytes, folded.len);
    near->text_len += folded.len;
    return TACIT_OK;
}

/* Counts the names of each bucket, one place on, or with items puts them in. */
static void fill(tacit__known_near *near, uint32_t *places)
{
    uint64_t keys[TACIT__EDIT_KEYS];
    for (size_t i = 0; i < near->count; i++) {
        size_t count = tacit__edit_keys(keys, near_name(near, i));
        for (size_t k = 0; k < count; k++) {
            size_t bucket = keys[k] & (near->buckets - 1);
            if (places)
                near->items[places[bucket]++] = (uint32_t)i;
            else
                near->starts[bucket + 1]++;
        }
    }
}

tacit_status tacit__known_near_build(tacit__known_near *near, tacit_error *err)
{
    size_t total = near->text_len, buckets = 1;
    if (near->count == 0)
        return TACIT_OK;
    while (buckets < total / 2)
        buckets *= 2;
    near->starts = tacit__alloc_zeroed(buckets + 1, sizeof *near->starts);
    near->items = tacit__alloc_array(total, sizeof *near->items);
    uint32_t *places = tacit__alloc_array(buckets, sizeof *places);
    if (!near->starts || !near->items || !places) {
        tacit__free(places);
        return tacit__nomem(err);
    }
    near->buckets = buckets;
    fill(near, NULL);
    for (size_t i = 0; i < buckets; i++)
        near->starts[i + 1] += near->starts[i];
    memcpy(places, near->starts, buckets * sizeof *places);
    fill(near, places);
    tacit__free(places);
    return TACIT_OK;
}

void tacit__known_near_clear(tacit__known_near *near)
{
    tacit__free(near->text);
    tacit__free(near->names);
    tacit__free(near->starts);
    tacit__free(near->items);
    *near = (tacit__known_near){0};
}

static size_t add_key(uint64_t *keys, size_t count, tacit_strview name)
{
    uint64_t key = tacit__folded_key(name.bytes, name.len);
    for (size_t i = 0; i < count; i++)
        if (keys[i] == key)
            return count;
    keys[count] = key;
    return count + 1;
}

size_t tacit__known_near_find(uint64_t found[TACIT__KNOWN_NEAR], const tacit__known_near *near,
                              tacit_strview folded)
{
    uint64_t keys[TACIT__EDIT_KEYS];
    size_t count = 0, ways = near->buckets ? tacit__edit_keys(keys, folded) : 0;
    for (size_t k = 0; k < ways; k++) {
        size_t bucket = keys[k] & (near->buckets - 1);
        uint32_t from = near->starts[bucket], to = near->starts[bucket + 1];
        to = to - from > BUCKET_MOST ? from + BUCKET_MOST : to;
        for (uint32_t i = from; i < to && count < TACIT__KNOWN_NEAR; i++) {
            tacit_strview name = near_name(near, near->items[i]);
            if (tacit__one_edit(name, folded))
                count = add_key(found, count, name);
        }
    }
    return count;
}

/* ---- initials ---- */

/* "vw" and "vpw" as numbers; the middle of two letters is the 27th. */
static size_t initials_number(const char *letters)
{
    size_t len = strlen(letters);
    if (len < 2 || len > 3)
        return TACIT__KNOWN_INITIALS;
    unsigned first = (unsigned)(unsigned char)letters[0] - 'a';
    unsigned middle = len == 3 ? (unsigned)(unsigned char)letters[1] - 'a' : 26;
    unsigned last = (unsigned)(unsigned char)letters[len - 1] - 'a';
    if (first > 25 || last > 25 || middle > (len == 3 ? 25u : 26u))
        return TACIT__KNOWN_INITIALS;
    return (middle * 26 + first) * 26 + last;
}

void tacit__known_initials_add(tacit__known_initials *initials, const char *letters)
{
    size_t number = initials_number(letters);
    if (number >= TACIT__KNOWN_INITIALS || tacit__known_initials_has(initials, letters))
        return;
    initials->bits[number / 64] |= UINT64_C(1) << (number % 64);
    initials->threes += strlen(letters) == 3;
}

bool tacit__known_initials_has(const tacit__known_initials *initials, const char *letters)
{
    size_t number = initials_number(letters);
    return number < TACIT__KNOWN_INITIALS && initials->bits[number / 64] >> (number % 64) & 1;
}
