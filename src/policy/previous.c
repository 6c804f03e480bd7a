/*
 * previous.c - keys about earlier releases of the same data.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "policy/keys.h"

/* Files add up, those of flags to those of the policy. */
static tacit_status add_file(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_policy *policy = s->policy;
    char *file = NULL, **grown = tacit__resize_array(
                           policy->previous, (size_t)policy->previous_count + 1, sizeof *grown);
    if (!grown)
        return tacit__nomem(s->err);
    policy->previous = grown;
    tacit_status status = tacit__set_file(&file, s, value);
    if (status == TACIT_OK)
        policy->previous[policy->previous_count++] = file;
    return status;
}

tacit_status tacit__set_previous(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_policy *policy = s->policy;
    if (value->kind != TACIT__NODE_LIST)
        return add_file(s, value);
    tacit_status status = TACIT_OK;
    int32_t before = policy->previous_count;
    for (const tacit__policy_node *item = value->first; item && status == TACIT_OK;
         item = item->next)
        status = add_file(s, item);
    while (status != TACIT_OK && policy->previous_count > before)
        tacit__free(policy->previous[--policy->previous_count]);
    return status;
}

tacit_status tacit__set_previous_way(const tacit__setting *s, const tacit__policy_node *value)
{
    static const char *const choices[] = {"columns", "generalize", NULL};
    return tacit__set_one_of(&s->policy->previous_way, s, value, choices);
}

void tacit__policy_previous_clear(tacit_policy *policy)
{
    for (int32_t i = 0; i < policy->previous_count; i++)
        tacit__free(policy->previous[i]);
    tacit__free(policy->previous);
    tacit__free(policy->previous_way);
}
