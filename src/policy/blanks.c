/*
 * blanks.c - the keys about ambiguation: which cells may be suppressed, how they are
 * looked for, and what is to be hidden. Their meaning is the method's
 * (tacit/experimental/ambiguate.h); here they are read.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "policy/keys.h"

tacit_status tacit__set_heuristic(const tacit__setting *s, const tacit__policy_node *value)
{
    return tacit__set_text(&s->policy->blanks.heuristic, s, value, "the name of a heuristic");
}

tacit_status tacit__set_blanks(const tacit__setting *s, const tacit__policy_node *value)
{
    return tacit__set_either(&s->policy->blanks.strict, s, value, "anything", "blanks");
}

static tacit_status set_limit(int64_t *slot, const tacit__setting *s,
                              const tacit__policy_node *value)
{
    return tacit__read_integer(slot, s, value, 1, TACIT_MAX_ROWS, "a whole number of 1 or more");
}

tacit_status tacit__set_max_row(const tacit__setting *s, const tacit__policy_node *value)
{
    return set_limit(&s->policy->blanks.max_row, s, value);
}

tacit_status tacit__set_max_column(const tacit__setting *s, const tacit__policy_node *value)
{
    return set_limit(&s->policy->blanks.max_column, s, value);
}

tacit_status tacit__set_row_order(const tacit__setting *s, const tacit__policy_node *value)
{
    static const char *const choices[] = {"file", "reverse", "hardest", "easiest", "random", NULL};
    return tacit__set_one_of(&s->policy->blanks.row_order, s, value, choices);
}

tacit_status tacit__set_measure(const tacit__setting *s, const tacit__policy_node *value)
{
    return tacit__set_either(&s->policy->blanks.mean, s, value, "least", "mean");
}

tacit_status tacit__set_blank_costs(const tacit__setting *s, const tacit__policy_node *value)
{
    return tacit__set_file(&s->policy->blanks.costs, s, value);
}

tacit_status tacit__set_redundant(const tacit__setting *s, const tacit__policy_node *value)
{
    return tacit__read_bool(&s->policy->blanks.redundant, s, value);
}

/* ---- dependencies ---- */

static void dependency_clear(tacit_policy_dependency *dependency)
{
    tacit__free(dependency->left.columns);
}

/* Where -> stands outside double quotes, or NULL. */
static const char *find_arrow(const char *text)
{
    bool quoted = false;
    for (; *text; text++) {
        quoted ^= *text == '"';
        if (!quoted && text[0] == '-' && text[1] == '>')
            return text;
    }
    return NULL;
}

static bool is_empty(const char *text)
{
    return !text[strspn(text, " \t")];
}

/* The columns of a list such as A,"B,C". */
static tacit_status read_columns(tacit_quasi_set *set, const tacit__setting *s,
                                 const tacit__policy_node *value, const char *text,
                                 tacit__arena *arena)
{
    tacit__policy_node *list = NULL;
    if (is_empty(text))
        return tacit__wrong(s, value, "columns are missing before or after ->");
    tacit_status status = tacit__flag_read(&list, arena, s, text, TACIT__SHAPE_LIST);
    if (status != TACIT_OK)
        return status;
    set->columns = tacit__alloc_array((size_t)list->count, sizeof *set->columns);
    if (!set->columns)
        return tacit__nomem(s->err);
    for (const tacit__policy_node *item = list->first; item && status == TACIT_OK;
         item = item->next)
        status = tacit__policy_column_of(&set->columns[set->count++], s->policy, item->text,
                                         value->line, s->err);
    return status;
}

static tacit_status read_dependency(tacit_policy_dependency *dependency, const tacit__setting *s,
                                    const tacit__policy_node *value, tacit__arena *arena)
{
    tacit_strview text = {0};
    tacit_quasi_set right = {0};
    tacit_status status = tacit__read_text(&text, s, value, "a dependency such as A,B->C");
    if (status != TACIT_OK)
        return status;
    const char *arrow = find_arrow(text.bytes);
    if (!arrow)
        return tacit__unexpected(s, value, "a dependency such as A,B->C");
    tacit__policy_node *before = tacit__node_text(
        arena, TACIT__NODE_FLAG, (tacit_strview){text.bytes, (size_t)(arrow - text.bytes)});
    if (!before)
        return tacit__nomem(s->err);
    status = read_columns(&dependency->left, s, value, before->text.bytes, arena);
    if (status == TACIT_OK)
        status = read_columns(&right, s, value, arrow + 2, arena);
    if (status == TACIT_OK && right.count != 1)
        status = tacit__wrong(s, value, "%d columns after ->; write a dependency for each of them",
                              (int)right.count);
    if (status == TACIT_OK)
        dependency->right = right.columns[0];
    tacit__free(right.columns);
    return status;
}

/* Dependencies add up, those of flags to those of the file. */
static tacit_status add_hidden(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_policy_blanks *blanks = &s->policy->blanks;
    tacit_policy_dependency dependency = {0},
                            *grown = tacit__resize_array(
                                blanks->hide, (size_t)blanks->hide_count + 1, sizeof *grown);
    tacit__arena arena = {0};
    if (!grown)
        return tacit__nomem(s->err);
    blanks->hide = grown;
    tacit_status status = read_dependency(&dependency, s, value, &arena);
    tacit__arena_clear(&arena);
    if (status == TACIT_OK)
        blanks->hide[blanks->hide_count++] = dependency;
    else
        dependency_clear(&dependency);
    return status;
}

tacit_status tacit__set_hide(const tacit__setting *s, const tacit__policy_node *value)
{
    if (value->kind != TACIT__NODE_LIST)
        return add_hidden(s, value);
    tacit_status status = TACIT_OK;
    int32_t before = s->policy->blanks.hide_count;
    for (const tacit__policy_node *item = value->first; item && status == TACIT_OK;
         item = item->next)
        status = add_hidden(s, item);
    while (status != TACIT_OK && s->policy->blanks.hide_count > before)
        dependency_clear(&s->policy->blanks.hide[--s->policy->blanks.hide_count]);
    return status;
}

void tacit__policy_blanks_clear(tacit_policy_blanks *blanks)
{
    for (int32_t i = 0; i < blanks->hide_count; i++)
        dependency_clear(&blanks->hide[i]);
    tacit__free(blanks->hide);
    tacit__free(blanks->heuristic);
    tacit__free(blanks->row_order);
    tacit__free(blanks->costs);
    *blanks = (tacit_policy_blanks){0};
}
