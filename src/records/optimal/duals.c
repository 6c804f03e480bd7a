/*
 * duals.c - prices of people and fines on triples: the duals of the linear program
 * over clusters, and what a cluster is worth at them.
 *
 * A cluster is fined once for each triple of which it has two members or all three, so
 * fines are found by counting, member by member, how many of a triple have been met.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "records/optimal/optimal.h"

tacit_status tacit__duals_init(tacit__duals *prices, int32_t members, tacit_error *err)
{
    *prices = (tacit__duals){.members = members};
    prices->of = tacit__alloc_zeroed((size_t)members, sizeof *prices->of);
    prices->first = tacit__alloc_zeroed((size_t)members + 1, sizeof *prices->first);
    if (prices->of && prices->first)
        return TACIT_OK;
    tacit__duals_clear(prices);
    return tacit__nomem(err);
}

void tacit__duals_clear(tacit__duals *prices)
{
    tacit__free(prices->of);
    tacit__free(prices->triples);
    tacit__free(prices->fines);
    tacit__free(prices->first);
    tacit__free(prices->list);
    tacit__free(prices->met);
    *prices = (tacit__duals){0};
}

tacit_status tacit__duals_add(tacit__duals *prices, const tacit__triple *triples, int32_t count,
                              tacit_error *err)
{
    size_t before = (size_t)prices->triple_count, after = before + (size_t)count;
    if (!TACIT__RESERVE(prices->triples, prices->triple_room, after) ||
        !TACIT__RESERVE(prices->fines, prices->fine_room, after) ||
        !TACIT__RESERVE(prices->list, prices->list_room, 3 * after) ||
        !TACIT__RESERVE(prices->met, prices->met_room, after))
        return tacit__nomem(err);
    for (size_t t = before; t < after; t++) {
        prices->triples[t] = triples[t - before];
        prices->fines[t] = 0;
        prices->met[t] = 0;
    }
    prices->triple_count += count;
    return TACIT_OK;
}

/* Those of a member begin where its first triple is put; every place has moved on to
 * the next member's when all are there. */
void tacit__duals_list(tacit__duals *prices)
{
    int32_t *first = prices->first;
    memset(first, 0, ((size_t)prices->members + 1) * sizeof *first);
    for (int32_t t = 0; t < prices->triple_count; t++)
        for (int i = 0; prices->fines[t] > 0 && i < 3; i++)
            first[prices->triples[t].member[i] + 1]++;
    for (int32_t m = 0; m < prices->members; m++)
        first[m + 1] += first[m];
    for (int32_t t = 0; t < prices->triple_count; t++)
        for (int i = 0; prices->fines[t] > 0 && i < 3; i++)
            prices->list[first[prices->triples[t].member[i]]++] = t;
    memmove(first + 1, first, (size_t)prices->members * sizeof *first);
    first[0] = 0;
}

double tacit__duals_meet(tacit__duals *prices, uint16_t member)
{
    double fine = 0;
    for (int32_t i = prices->first[member]; i < prices->first[member + 1]; i++)
        if (++prices->met[prices->list[i]] == 2)
            fine += prices->fines[prices->list[i]];
    return fine;
}

void tacit__duals_part(tacit__duals *prices, uint16_t member)
{
    for (int32_t i = prices->first[member]; i < prices->first[member + 1]; i++)
        prices->met[prices->list[i]]--;
}

double tacit__cluster_worth(const tacit__clusters *clusters, int64_t cluster, tacit__duals *prices)
{
    const tacit__share *shares = clusters->shares + clusters->starts[cluster];
    int64_t count = clusters->starts[cluster + 1] - clusters->starts[cluster];
    double worth = -clusters->costs[cluster];
    for (int64_t i = 0; i < count; i++)
        worth += prices->of[shares[i].class_index] * shares[i].people;
    if (worth <= 0 || prices->triple_count == 0)
        return worth;
    for (int64_t i = 0; i < count; i++)
        worth -= tacit__duals_meet(prices, (uint16_t)shares[i].class_index);
    for (int64_t i = 0; i < count; i++)
        tacit__duals_part(prices, (uint16_t)shares[i].class_index);
    return worth;
}
