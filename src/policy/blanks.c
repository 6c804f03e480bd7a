/*
 * blanks.c - the keys about ambiguation: which cells may be suppressed, how they are
 * looked for, and what is to be hidden. Their meaning is the method's
 * (tacit/ambiguate.h); here they are read.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "policy/keys.h"

tacit_status tacit__set_heuristic(const tacit__setting *s, const tacit__node *value)
{
    return tacit__set_text(&s->policy->blanks.heuristic, s, value, "the name of a heuristic");
}

tacit_status tacit__set_blanks(const tacit__setting *s, const tacit__node *value)
{
    return tacit__set_either(&s->policy->blanks.strict, s, value, "anything", "blanks");
}

static tacit_status set_limit(int64_t *slot, const tacit__setting *s, const tacit__node *value)
{
    return tacit__read_integer(slot, s, value, 1, TACIT_MAX_ROWS, "a whole number of 1 or more");
}

tacit_status tacit__set_max_row(const tacit__setting *s, const tacit__node *value)
{
    return set_limit(&s->policy->blanks.max_row, s, value);
}

tacit_status tacit__set_max_column(const tacit__setting *s, const tacit__node *value)
{
    return set_limit(&s->policy->blanks.max_column, s, value);
}

tacit_status tacit__set_row_order(const tacit__setting *s, const tacit__node *value)
{
    static const char *const choices[] = {"file", "reverse", "hardest", "easiest", "random", NULL};
    return tacit__set_one_of(&s->policy->blanks.row_order, s, value, choices);
}

tacit_status tacit__set_measure(const tacit__setting *s, const tacit__node *value)
{
    return tacit__set_either(&s->policy->blanks.mean, s, value, "least", "mean");
}

tacit_status tacit__set_blank_costs(const tacit__setting *s, const tacit__node *value)
{
    return tacit__set_file(&s->policy->blanks.costs, s, value);
}

tacit_status tacit__set_redundant(const tacit__setting *s, const tacit__node *value)
{
    return tacit__read_bool(&s->policy->blanks.redundant, s, value);
}

/* Dependencies add up, those of flags to those of the file. */
static tacit_status add_hidden(const tacit__setting *s, const tacit__node *value)
{
    tacit_policy_blanks *blanks = &s->policy->blanks;
    tacit_strview text = {0};
    tacit_status status = tacit__read_text(&text, s, value, "a dependency such as A,B->C");
    if (status != TACIT_OK)
        return status;
    char **grown = tacit__resize_array(blanks->hide, (size_t)blanks->hide_count + 1, sizeof *grown);
    if (!grown)
        return tacit__nomem(s->err);
    blanks->hide = grown;
    char *copy = tacit__copy_bytes(text.bytes, text.len);
    if (!copy)
        return tacit__nomem(s->err);
    blanks->hide[blanks->hide_count++] = copy;
    return TACIT_OK;
}

tacit_status tacit__set_hide(const tacit__setting *s, const tacit__node *value)
{
    if (value->kind != TACIT__NODE_LIST)
        return add_hidden(s, value);
    tacit_status status = TACIT_OK;
    int32_t before = s->policy->blanks.hide_count;
    for (const tacit__node *item = value->first; item && status == TACIT_OK; item = item->next)
        status = add_hidden(s, item);
    while (status != TACIT_OK && s->policy->blanks.hide_count > before)
        tacit__free(s->policy->blanks.hide[--s->policy->blanks.hide_count]);
    return status;
}

void tacit__policy_blanks_clear(tacit_policy_blanks *blanks)
{
    for (int32_t i = 0; i < blanks->hide_count; i++)
        tacit__free(blanks->hide[i]);
    tacit__free(blanks->hide);
    tacit__free(blanks->heuristic);
    tacit__free(blanks->row_order);
    tacit__free(blanks->costs);
    *blanks = (tacit_policy_blanks){0};
}
