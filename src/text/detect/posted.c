/*
 * posted.c - postings in sets of eight; see posted.h.
 *
 * Misspellings are looked for among the newest surnames that begin or end with the same
 * letter, since one edit leaves one of the two as it was: at most 32 comparisons.
 */
#include "text/detect/posted.h"

#include <string.h>

#include "base/hash.h"
#include "text/lexicon/letters.h"
#include "text/read/forms.h"

enum { WAYS = TACIT__POSTED_WAYS, RECENT = TACIT__POSTED_RECENT };

void tacit__posted_begin(tacit__posted *posted)
{
    posted->serial = posted->count = posted->surnames = 0;
    memset(posted->filter, 0, sizeof posted->filter);
    memset(posted->live, 0, sizeof posted->live);
    memset(posted->recent_count, 0, sizeof posted->recent_count);
}

static size_t set_of(uint64_t key)
{
    return (size_t)(key >> 32) % TACIT__POSTED_SETS;
}

const tacit__posting *tacit__posted_find(const tacit__posted *posted, uint64_t key)
{
    uint64_t bit = key % TACIT__POSTED_FILTER;
    if (!(posted->filter[bit / 64] >> (bit % 64) & 1))
        return NULL;
    size_t set = set_of(key);
    for (size_t i = 0; i < posted->live[set]; i++) {
        const tacit__posting *posting = &posted->table[posted->places[set][i]];
        if (posting->key == key)
            return posting;
    }
    return NULL;
}

/* Whether a gives way before b: less likely, older. */
static bool gives_way(const tacit__posting *a, const tacit__posting *b)
{
    if (a->likelihood != b->likelihood)
        return a->likelihood < b->likelihood;
    return a->serial < b->serial;
}

/* A place for a new posting of the set. */
static tacit__posting *place_in(tacit__posted *posted, size_t set)
{
    const uint16_t *places = posted->places[set];
    if (posted->live[set] < WAYS) {
        posted->places[set][posted->live[set]++] = (uint16_t)posted->count;
        return &posted->table[posted->count++];
    }
    tacit__posting *weakest = &posted->table[places[0]];
    for (size_t i = 1; i < WAYS; i++)
        if (gives_way(&posted->table[places[i]], weakest))
            weakest = &posted->table[places[i]];
    return weakest;
}

tacit__posting *tacit__posted_add(tacit__posted *posted, uint64_t key, int likelihood)
{
    uint64_t bit = key % TACIT__POSTED_FILTER;
    tacit__posting *posting = (tacit__posting *)tacit__posted_find(posted, key);
    if (!posting) {
        posting = place_in(posted, set_of(key));
        *posting = (tacit__posting){.key = key};
        posted->filter[bit / 64] |= UINT64_C(1) << (bit % 64);
    }
    posting->serial = posted->serial++;
    if (likelihood > posting->likelihood)
        posting->likelihood = (uint8_t)likelihood;
    return posting;
}

static void remember(tacit__posted *posted, int end, char letter, size_t place)
{
    unsigned number = tacit__letter(letter);
    uint32_t at = posted->recent_count[end][number]++ % RECENT;
    posted->recent[end][number][at] = (uint16_t)place;
}

void tacit__posted_surname(tacit__posted *posted, tacit__posting *posting, tacit_strview folded)
{
    if (posting->len > 0 || folded.len < TACIT__EDIT_SHORTEST || folded.len > TACIT__EDIT_LONGEST)
        return;
    size_t place = (size_t)(posting - posted->table);
    posting->len = (uint8_t)folded.len;
    memcpy(posting->text, folded.bytes, folded.len);
    posted->surnames++;
    remember(posted, 0, folded.bytes[0], place);
    remember(posted, 1, folded.bytes[folded.len - 1], place);
}

/* The likelier of the best so far and of those surnames with the letter at that end. A place
 * may have been given to another word since; then that one is compared. */
static const tacit__posting *nearest(const tacit__posted *posted, const tacit__posting *best,
                                     int end, char letter, tacit_strview folded)
{
    unsigned number = tacit__letter(letter);
    uint32_t count = posted->recent_count[end][number];
    for (uint32_t i = 0; i < count && i < RECENT; i++) {
        const tacit__posting *posting = &posted->table[posted->recent[end][number][i]];
        tacit_strview text = {.bytes = posting->text, .len = posting->len};
        if ((!best || posting->likelihood > best->likelihood) && text.len > 0 &&
            tacit__one_edit(text, folded))
            best = posting;
    }
    return best;
}

const tacit__posting *tacit__posted_near(const tacit__posted *posted, tacit_strview folded)
{
    if (posted->surnames == 0 || folded.len + 1 < TACIT__EDIT_SHORTEST ||
        folded.len > TACIT__EDIT_LONGEST + 1)
        return NULL;
    const tacit__posting *best = nearest(posted, NULL, 0, folded.bytes[0], folded);
    return nearest(posted, best, 1, folded.bytes[folded.len - 1], folded);
}
