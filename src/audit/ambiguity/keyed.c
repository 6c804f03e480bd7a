/*
 * keyed.c - the patterns of a group by some of their bits, to be found by others.
 *
 * The patterns are sorted by those bits, the last word first, since sorting is
 * stable; every different combination is kept once, and found by bisection.
 *
 * Cost: a sort of the group for every word of a pattern; 12 bytes a pattern (8 more for
 * every word beyond the first), 32 while sorting.
 */
#include "audit/ambiguity/patterns.h"
#include "audit/rows/sort.h"
#include "base/alloc.h"
#include "base/error.h"

static int compare_keys(const tacit__ambiguity_keyed *keyed, int64_t key, const uint64_t *codes)
{
    const uint64_t *known = keyed->keys + key * keyed->words;
    for (int w = 0; w < keyed->words; w++) {
        uint64_t code = codes[w] & keyed->keep[w];
        if (known[w] != code)
            return known[w] < code ? -1 : 1;
    }
    return 0;
}

/* The order of the group's patterns, from 0, by their keys. */
static tacit_status sort_group(tacit__sorter *sorter, const tacit__ambiguity_keyed *keyed,
                               const tacit__patterns *p, const tacit__pattern_group *group,
                               tacit_error *err)
{
    int bits = 0;
    for (int w = 0; w < p->words; w++)
        bits = p->bits[w] > bits ? p->bits[w] : bits;
    tacit_status status = tacit__sorter_init(sorter, tacit__group_size(group), bits, true, err);
    for (int64_t i = 0; status == TACIT_OK && i < sorter->count; i++)
        sorter->values[i] = (uint64_t)i;
    for (int w = p->words - 1; w >= 0 && status == TACIT_OK; w--) {
        for (int64_t i = 0; i < sorter->count; i++) {
            int64_t pattern = group->from + (int64_t)sorter->values[i];
            tacit__sorter_put(sorter, i, tacit__pattern(p, pattern)[w] & keyed->keep[w]);
        }
        status = tacit__sorter_sort(sorter, NULL, err); /* one of several tasks: alone */
    }
    return status;
}

static void number_keys(tacit__ambiguity_keyed *keyed, const tacit__patterns *p,
                        const tacit__pattern_group *group, const tacit__sorter *sorter)
{
    for (int64_t i = 0; i < sorter->count; i++) {
        const uint64_t *codes = tacit__pattern(p, group->from + (int64_t)sorter->values[i]);
        if (i == 0 || compare_keys(keyed, keyed->count - 1, codes) != 0) {
            for (int w = 0; w < keyed->words; w++)
                keyed->keys[keyed->count * keyed->words + w] = codes[w] & keyed->keep[w];
            keyed->count++;
        }
        keyed->key_of[sorter->values[i]] = (uint32_t)(keyed->count - 1);
    }
}

tacit_status tacit__keyed_init(tacit__ambiguity_keyed *keyed, const tacit__patterns *p,
                               const tacit__pattern_group *group, const uint64_t *keep,
                               tacit_error *err)
{
    tacit__sorter sorter = {0};
    size_t size = (size_t)tacit__group_size(group);
    tacit__ambiguity_keyed made = {.words = p->words};
    for (int w = 0; w < p->words; w++)
        made.keep[w] = keep[w];
    made.keys = tacit__alloc_array(size, (size_t)p->words * sizeof *made.keys);
    made.key_of = tacit__alloc_array(size, sizeof *made.key_of);
    tacit_status status = made.keys && made.key_of ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = sort_group(&sorter, &made, p, group, err);
    if (status == TACIT_OK)
        number_keys(&made, p, group, &sorter);
    tacit__sorter_clear(&sorter);
    if (status == TACIT_OK)
        *keyed = made;
    else
        tacit__keyed_clear(&made);
    return status;
}

void tacit__keyed_clear(tacit__ambiguity_keyed *keyed)
{
    tacit__free(keyed->keys);
    tacit__free(keyed->key_of);
    *keyed = (tacit__ambiguity_keyed){0};
}

int64_t tacit__keyed_find(const tacit__ambiguity_keyed *keyed, const tacit__patterns *p,
                          int64_t pattern)
{
    const uint64_t *codes = tacit__pattern(p, pattern);
    int64_t from = 0, to = keyed->count;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        int order = compare_keys(keyed, middle, codes);
        if (order == 0)
            return middle;
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return -1;
}
