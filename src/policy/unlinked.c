/*
 * unlinked.c - columns that nobody links by: `link: 0`.
 *
 * A profile value of 0 is full trust that a column is not used for linking (Sweeney, Computational
 * Disclosure Control, section 6.1), so it is no part of a quasi-identifier: k is not kept on it,
 * and it is released as it is. What was said of it as a part of one is forgotten.
 */
#include <tacit/experimental/policy.h>

#include "base/alloc.h"

static bool is_unlinked(const tacit_policy_column *column)
{
    return column->role == TACIT_ROLE_QUASI && column->has_link && column->link == 0;
}

/* Takes unlinked columns out of a set of columns. */
static void shrink_set(tacit_quasi_set *set, const tacit_policy *policy)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < set->count; i++)
        if (!is_unlinked(&policy->columns[set->columns[i]]))
            set->columns[kept++] = set->columns[i];
    set->count = kept;
}

/* A set of which nothing is left asks for nothing. */
static void shrink_sets(tacit_policy *policy)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < policy->set_count; i++) {
        shrink_set(&policy->sets[i], policy);
        if (policy->sets[i].count > 0)
            policy->sets[kept++] = policy->sets[i];
        else
            tacit__free(policy->sets[i].columns);
    }
    policy->set_count = kept;
}

int32_t tacit_policy_leave_unlinked(tacit_policy *policy)
{
    int32_t left = 0;
    shrink_sets(policy);
    for (int32_t i = 0; i < policy->column_count; i++) {
        tacit_policy_column *column = &policy->columns[i];
        if (!is_unlinked(column))
            continue;
        tacit_hierarchy_spec_clear(&column->hierarchy);
        column->role = TACIT_ROLE_INSENSITIVE;
        column->has_weight = column->has_suppression = false;
        column->least_level = 0;
        column->rating = TACIT_RATING_IDENTIFYING;
        column->has_link = false;
        column->unlinked = true;
        left++;
    }
    return left;
}
