/*
 * count.c - alpha of every item, two kinds at a time (kinds.h).
 *
 * Of two kinds the items of the smaller are looked up in a list of the larger, and what a
 * group of the larger gains is added to its items once: so the cost is that of the items of
 * the smaller kinds, of the lists, and of the items that gain, never of all pairs of rows. Where
 * kinds are so many that items are sifted, each item is looked for by itself.
 */
#include "base/error.h"
#include "base/parallel.h"
#include "records/ambiguate/kinds.h"

static int64_t rows_of(const tacit__kind *kind, const tacit__lookup *list,
                       const tacit__lookup_group *group)
{
    int64_t rows = 0;
    for (uint32_t m = group->first; m != TACIT__NONE; m = list->next[m])
        rows += kind->members[m].rows;
    return rows;
}

/* Items of a kind, and those of another by a list; where they are the same each of them
 * counts all, and nothing is to be given back. */
static void count_listed(int64_t *alpha, const tacit__kind *of, tacit__lookup *list,
                         const tacit__kind *with, bool same)
{
    for (size_t i = 0; i < of->count; i++) {
        tacit__lookup_group *group = tacit__lookup_find(list, of->members[i].class_index);
        if (!group)
            continue;
        if (group->rows == 0)
            group->rows = rows_of(with, list, group);
        alpha[of->members[i].item] += group->rows;
        group->pending += of->members[i].rows;
    }
    for (size_t i = 0; i < of->count; i++) {
        tacit__lookup_group *group = tacit__lookup_find(list, of->members[i].class_index);
        if (!group || (group->pending == 0 && group->rows == 0))
            continue;
        for (uint32_t m = group->first; !same && m != TACIT__NONE; m = list->next[m])
            alpha[with->members[m].item] += group->pending;
        group->rows = group->pending = 0;
    }
}

/* The same item by item. */
static void count_pairs(int64_t *alpha, const tacit__kinds *kinds, const tacit__kind *of,
                        const tacit__kind *with, bool same)
{
    size_t words = (size_t)kinds->packed->words;
    uint64_t sieve[TACIT__PACKED_WORDS];
    for (size_t w = 0; w < words; w++)
        sieve[w] = of->sieve[w] & with->sieve[w];
    for (size_t i = 0; i < of->count; i++)
        for (size_t j = 0; j < with->count; j++) {
            if (!tacit__packed_agree(of->bits + i * words, with->bits + j * words, sieve,
                                     (int32_t)words))
                continue;
            alpha[of->members[i].item] += with->members[j].rows;
            if (!same)
                alpha[with->members[j].item] += of->members[i].rows;
        }
}

static tacit_status count_two(int64_t *alpha, tacit__kinds *kinds, uint32_t a, uint32_t b,
                              tacit_error *err)
{
    uint32_t smaller = kinds->kinds[a].count < kinds->kinds[b].count ? a : b;
    uint32_t larger = smaller == a ? b : a;
    const tacit__kind *of = &kinds->kinds[smaller], *with = &kinds->kinds[larger];
    uint32_t times = of->count < UINT32_MAX ? (uint32_t)of->count : UINT32_MAX;
    tacit__lookup *list;
    tacit_status status =
        tacit__kinds_list(&list, kinds, larger, ~(of->mask | with->mask), times, err);
    if (status != TACIT_OK)
        return status;
    if (list)
        count_listed(alpha, of, list, with, a == b);
    else
        count_pairs(alpha, kinds, of, with, a == b);
    return TACIT_OK;
}

static int64_t rows_of_item(const tacit__kinds *kinds, uint32_t item)
{
    const struct tacit__where *where = &kinds->where[item];
    return kinds->kinds[where->kind].members[where->place].rows;
}

static tacit_status count_by_sift(int64_t *alpha, tacit__kinds *kinds, const tacit_run *run,
                                  tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t k = 0; status == TACIT_OK && k < kinds->count; k++) {
        const tacit__kind *kind = &kinds->kinds[k];
        for (size_t i = 0; status == TACIT_OK && i < kind->count; i++) {
            const tacit__member *member = &kind->members[i];
            if (i % 256 == 0)
                status = tacit__progress(run, "agreement", k, (int64_t)kinds->count, err);
            if (status == TACIT_OK)
                status = tacit__kinds_look(kinds, member->class_index, kind->mask, err);
            for (int64_t f = 0; status == TACIT_OK && f < kinds->found_count; f++)
                alpha[member->item] += rows_of_item(kinds, kinds->found[f]);
        }
    }
    return status;
}

tacit_status tacit__kinds_count(int64_t *alpha, tacit__kinds *kinds, const tacit_run *run,
                                tacit_error *err)
{
    bool sifts;
    tacit_status status = tacit__kinds_settle(&sifts, kinds, err);
    for (size_t i = 0; i < kinds->items; i++)
        alpha[i] = 0;
    if (status != TACIT_OK || sifts)
        return status == TACIT_OK ? count_by_sift(alpha, kinds, run, err) : status;
    for (size_t i = 0; kinds->count > 0 && i < kinds->kinds[0].count; i++)
        alpha[i] = kinds->kinds[0].members[i].rows; /* whole rows agree with their like only */
    for (uint32_t a = 1; status == TACIT_OK && a < kinds->count; a++) {
        status = tacit__progress(run, "agreement", a, (int64_t)kinds->count, err);
        for (uint32_t b = 0; status == TACIT_OK && b <= a; b++)
            status = count_two(alpha, kinds, a, b, err);
    }
    return status;
}
