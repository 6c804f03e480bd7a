/*
 * facts.c - what is found out about columns of classes, kept as far as it is listed; see
 * summary.h. Memory: what audit_summary.h lists of each kind.
 */
#include <string.h>

#include "audit/summary/summary.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

void tacit__summary_shares_start(tacit__summary_shares *shares)
{
    shares->count = 0;
    shares->possible = 0;
    shares->counted = true;
}

tacit_status tacit__summary_shares_add(tacit__summary_shares *shares, uint32_t node, int64_t least,
                                       int64_t most, tacit_error *err)
{
    shares->possible++;
    shares->counted &= least == most;
    if (shares->count >= TACIT_SUMMARY_SHARES && !shares->all)
        return TACIT_OK;
    return TACIT__PUSH(shares->list, shares->room, shares->count,
                       (tacit_summary_share){.node = node, .least = least, .most = most})
               ? TACIT_OK
               : tacit__nomem(err);
}

static tacit_summary_kind kind_of(const tacit__summary_shares *shares, int64_t of, bool wide)
{
    if (shares->possible == 1)
        return wide ? TACIT_SUMMARY_VALUE : TACIT_SUMMARY_NOTHING;
    if (shares->possible < of)
        return TACIT_SUMMARY_NARROWED;
    return shares->counted ? TACIT_SUMMARY_COUNTED : TACIT_SUMMARY_NOTHING;
}

tacit_status tacit__summary_facts_add(tacit__summary_facts *facts, const tacit_summary_fact *fact,
                                      const tacit__summary_shares *shares, bool wide,
                                      tacit_error *err)
{
    tacit_summary_kind kind = kind_of(shares, fact->of, wide);
    struct tacit__fact_list *to = &facts->of[kind];
    facts->total += kind != TACIT_SUMMARY_NOTHING;
    if (!facts->everything && (kind == TACIT_SUMMARY_NOTHING || to->count == TACIT_SUMMARY_FACTS))
        return TACIT_OK;
    tacit_summary_fact kept = *fact;
    kept.kind = kind;
    kept.possible = shares->possible;
    kept.share_count = (int32_t)shares->count;
    kept.shares = tacit__alloc_array(shares->count, sizeof *kept.shares);
    if (!kept.shares || !TACIT__RESERVE_ONE(to->list, to->room, to->count)) {
        tacit__free(kept.shares);
        return tacit__nomem(err);
    }
    if (shares->count)
        memcpy(kept.shares, shares->list, shares->count * sizeof *kept.shares);
    to->list[to->count++] = kept;
    return TACIT_OK;
}

void tacit__fact_clear(tacit_summary_fact *fact)
{
    for (int32_t i = 0; i < fact->share_count; i++)
        tacit__free(fact->shares[i].text);
    tacit__free(fact->shares);
    tacit__free(fact->label);
}

void tacit__summary_facts_clear(tacit__summary_facts *facts)
{
    for (int kind = 0; kind < 4; kind++) {
        for (size_t i = 0; i < facts->of[kind].count; i++)
            tacit__fact_clear(&facts->of[kind].list[i]);
        tacit__free(facts->of[kind].list);
    }
    *facts = (tacit__summary_facts){0};
}
