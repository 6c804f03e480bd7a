/*
 * policy.c - a policy and its columns, and keys set as flags write them.
 *
 * A flag's text becomes nodes (flag.c) and is given to the table of keys
 * (keys.c), as the nodes of a file are (read.c). Columns are found by looking at
 * each, which costs the square of their bounded number at most.
 */
#include "policy/keys.h"

#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "policy/nearest.h"

static void clear_column(tacit_policy_column *column)
{
    tacit__free(column->name);
    tacit_hierarchy_spec_clear(&column->hierarchy);
}

static void forget_columns_from(tacit_policy *policy, int32_t first)
{
    while (policy->column_count > first)
        clear_column(&policy->columns[--policy->column_count]);
}

static bool reserve_column(tacit_policy *policy)
{
    void *block = policy->columns;
    size_t room = (size_t)policy->column_room, needed = (size_t)policy->column_count + 1;
    if (!tacit__reserve(&block, &room, needed, sizeof *policy->columns))
        return false;
    policy->columns = block;
    policy->column_room = (int32_t)room;
    return true;
}

int32_t tacit__policy_column_find(const tacit_policy *policy, tacit_strview name)
{
    for (int32_t i = 0; i < policy->column_count; i++)
        if (tacit_strview_equal(tacit_strview_of(policy->columns[i].name), name))
            return i;
    return -1;
}

tacit_status tacit__policy_column_of(int32_t *index, tacit_policy *policy, tacit_strview name,
                                     int64_t line, tacit_error *err)
{
    int32_t found = tacit__policy_column_find(policy, name);
    if (found >= 0) {
        *index = found;
        return TACIT_OK;
    }
    if (policy->column_count >= TACIT_MAX_COLUMNS)
        return tacit__error_at(err, TACIT_LIMIT, line ? policy->file : NULL, line, 0,
                               "more than %d columns", TACIT_MAX_COLUMNS);
    char *copy = reserve_column(policy) ? tacit__copy_bytes(name.bytes, name.len) : NULL;
    if (!copy)
        return tacit__nomem(err);
    tacit_policy_column *column = &policy->columns[policy->column_count];
    *column = (tacit_policy_column){.name = copy, .line = line};
    column->hierarchy.no_suppression = policy->no_suppression;
    *index = policy->column_count++;
    return TACIT_OK;
}

tacit_spread tacit_policy_spread(const tacit_policy_column *column)
{
    return column->has_spread ? column->spread : (tacit_spread){TACIT_MODEL_SPREAD, true};
}

void tacit__policy_settle(tacit_policy *policy)
{
    for (int32_t i = 0; i < policy->column_count; i++) {
        tacit_policy_column *column = &policy->columns[i];
        column->hierarchy.compared_only = column->role == TACIT_ROLE_SENSITIVE;
        if (!column->has_suppression)
            column->hierarchy.no_suppression =
                policy->no_suppression || column->role == TACIT_ROLE_SENSITIVE;
    }
}

tacit_status tacit__policy_apply(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_status status = s->key->rule->set(s, value);
    if (status == TACIT_OK && s->column < 0)
        s->policy->lines[s->key - tacit_policy_keys()] =
            value->key ? value->key->line : value->line;
    return status;
}

/* ---- flags ---- */

static tacit_status unknown_flag(const char *name, tacit_error *err)
{
    tacit__policy_nearest nearest;
    tacit__nearest_init(&nearest, tacit_strview_of(name));
    for (const tacit_policy_key *key = tacit_policy_keys(); key->name; key++)
        tacit__nearest_offer(&nearest, tacit_strview_of(key->name));
    return tacit__error(err, TACIT_INVALID, "a policy has no key \"%s\"%s",
                        tacit__show(tacit_strview_of(name)).text,
                        tacit__nearest_hint(&nearest).text);
}

/* The column that NAME=VALUE speaks of; *value moves past the name. */
static tacit_status choose_column(tacit__setting *s, const char **value, tacit__arena *arena)
{
    int scope = s->key->rule->scope;
    if (!(scope & TACIT__SCOPE_COLUMN))
        return TACIT_OK;
    tacit__policy_node *name;
    bool colon = (scope & TACIT__SCOPE_COLON) && !strchr(*value, '=');
    tacit_status status = tacit__flag_split(&name, value, arena, s, *value, colon ? ':' : '=');
    if (status != TACIT_OK)
        return status;
    if (name)
        return tacit__policy_column_of(&s->column, s->policy, name->text, 0, s->err);
    if (scope & TACIT__SCOPE_TOP)
        return TACIT_OK;
    return tacit__wrong(s, NULL, "expected %s, found \"%s\"", s->key->argument,
                        tacit__show(tacit_strview_of(*value)).text);
}

static tacit_status set_flag(tacit__setting *s, const char *value, tacit__arena *arena)
{
    tacit__policy_node *node;
    tacit_status status = choose_column(s, &value, arena);
    if (status == TACIT_OK)
        status = tacit__flag_read(&node, arena, s, value, s->key->rule->shape);
    if (status == TACIT_OK)
        status = tacit__policy_apply(s, node);
    return status;
}

tacit_status tacit_policy_new(tacit_policy **out, tacit_error *err)
{
    tacit_policy *policy = tacit__alloc_zeroed(1, sizeof *policy);
    if (!policy)
        return tacit__nomem(err);
    *out = policy;
    return TACIT_OK;
}

void tacit_policy_free(tacit_policy *policy)
{
    if (!policy)
        return;
    forget_columns_from(policy, 0);
    tacit__free(policy->columns);
    tacit__quasi_sets_free(policy->sets, policy->set_count);
    tacit__free(policy->anonymity_table);
    tacit__free(policy->file);
    tacit__free(policy->directory);
    tacit__policy_steps_clear(policy);
    tacit__free(policy->method);
    tacit__free(policy->metric);
    tacit__free(policy->prefer);
    tacit__policy_blanks_clear(&policy->blanks);
    tacit__policy_previous_clear(policy);
    tacit__free(policy->population);
    tacit__free(policy->person);
    tacit__free(policy->key_file);
    tacit__free(policy->ledger);
    tacit__free(policy->source);
    tacit__free(policy);
}

tacit_status tacit_policy_set(tacit_policy *policy, const char *key, const char *value,
                              tacit_error *err)
{
    tacit__setting s = {.policy = policy, .column = -1, .err = err};
    s.key = tacit__policy_key_find(tacit_strview_of(key));
    if (!s.key)
        return unknown_flag(key, err);
    if (!value)
        value = "";
    if (!s.key->argument && !*value)
        value = "true";
    if (strlen(value) > TACIT_MAX_POLICY_BYTES)
        return tacit__error(err, TACIT_LIMIT, "%s: longer than %d bytes", key,
                            TACIT_MAX_POLICY_BYTES);
    int32_t before = policy->column_count;
    tacit__arena arena = {0};
    tacit_status status = set_flag(&s, value, &arena);
    tacit__arena_clear(&arena);
    if (status != TACIT_OK)
        forget_columns_from(policy, before);
    tacit__policy_settle(policy);
    return status;
}

int64_t tacit_policy_line(const tacit_policy *policy, const char *key)
{
    const tacit_policy_key *found = tacit__policy_key_find(tacit_strview_of(key));
    return found ? policy->lines[found - tacit_policy_keys()] : 0;
}

const tacit_policy_column *tacit_policy_find(const tacit_policy *policy, tacit_strview name)
{
    int32_t index = tacit__policy_column_find(policy, name);
    return index < 0 ? NULL : &policy->columns[index];
}
