/*
 * policy.c - a policy and its columns; keys set as flags write them, and all of it from a YAML
 * file.
 *
 * A flag's text becomes nodes (setting.c), as a file does (yaml.c), and nodes are given to the
 * table of keys (keys.c). Keys of a file may stand in any order: quasi-identifiers are read last,
 * so that columns are numbered as `columns` lists them. Columns are found by looking at each, which
 * costs the square of their bounded number at most; all else is linear in the file, which is
 * bounded like its collections.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/nearest.h"
#include "policy/keys.h"

static const char COLUMNS[] = "columns"; /* the one key that is no value but a place for others */

/* Keys of a scope in a row, for a message. */
static void list_keys(char *text, size_t size, int scope)
{
    size_t used = (size_t)snprintf(text, size, "; known are ");
    for (const tacit_policy_key *key = tacit_policy_keys(); key->name; key++)
        if ((key->rule->scope & scope) && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s, ", key->name);
    if (scope == TACIT__SCOPE_TOP && used < size)
        snprintf(text + used, size - used, "%s", COLUMNS);
    else if (used < size)
        text[used - 2] = '\0';
}

/* What the writer of an unknown key may have meant. */
static void suggest(char *hint, size_t size, tacit_strview name, int scope)
{
    tacit__nearest nearest;
    tacit__nearest_init(&nearest, name);
    for (const tacit_policy_key *key = tacit_policy_keys(); key->name; key++)
        if (key->rule->scope & scope)
            tacit__nearest_offer(&nearest, tacit_strview_of(key->name));
    if (scope == TACIT__SCOPE_TOP)
        tacit__nearest_offer(&nearest, tacit_strview_of(COLUMNS));
    const tacit_policy_key *misplaced = tacit__policy_key_find(name);
    int places = misplaced ? misplaced->rule->scope & ~TACIT__SCOPE_COLON : 0;
    if (places == TACIT__SCOPE_COLUMN)
        snprintf(hint, size, "; it belongs to a column: columns: {NAME: {%s: ...}}",
                 misplaced->name);
    else if (places == TACIT__SCOPE_FLAG)
        snprintf(hint, size, "; it is a role: columns: {NAME: %s}", misplaced->name);
    else if (misplaced)
        snprintf(hint, size, "; it belongs to the whole policy, not to a column");
    else if (nearest.best.bytes)
        snprintf(hint, size, "%s", tacit__nearest_hint(&nearest).text);
    else
        list_keys(hint, size, scope);
}

static tacit_status unknown_key(const tacit__setting *s, const tacit__policy_node *name, int scope,
                                const char *where)
{
    char hint[640];
    suggest(hint, sizeof hint, name->text, scope);
    return tacit__error_at(s->err, TACIT_PARSE, s->file, name->line, name->column,
                           "unknown key \"%s\" in %s%s", tacit__show(name->text).text, where, hint);
}

/* Gives s->key its value and remembers where the file does so. */
static tacit_status apply_value(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_status status = s->key->rule->set(s, value);
    if (status == TACIT_OK && s->column < 0)
        s->policy->lines[s->key - tacit_policy_keys()] =
            value->key ? value->key->line : value->line;
    return status;
}

static tacit_status apply_key(tacit__setting *s, const tacit__policy_node *entry, int scope,
                              const char *where)
{
    s->key = tacit__policy_key_find(entry->key->text);
    if (!s->key || !(s->key->rule->scope & scope))
        return unknown_key(s, entry->key, scope, where);
    return apply_value(s, entry);
}

static tacit_status apply_column(tacit__setting *s, const tacit__policy_node *column)
{
    char where[96];
    snprintf(where, sizeof where, "column \"%s\"", tacit__show(column->key->text).text);
    if (column->kind == TACIT__NODE_PLAIN || column->kind == TACIT__NODE_QUOTED) {
        s->key = tacit__policy_key_find(tacit_strview_of("role"));
        return apply_value(s, column);
    }
    if (column->kind == TACIT__NODE_LIST)
        return tacit__error_at(s->err, TACIT_PARSE, s->file, column->line, column->column,
                               "%s: expected a role or a mapping such as {role: quasi}, found a "
                               "list",
                               where);
    tacit_status status = TACIT_OK;
    for (const tacit__policy_node *e = column->first; e && status == TACIT_OK; e = e->next)
        status = apply_key(s, e, TACIT__SCOPE_COLUMN, where);
    return status;
}

static tacit_status apply_columns(tacit__setting *s, const tacit__policy_node *columns)
{
    if (columns->kind != TACIT__NODE_MAP)
        return tacit__error_at(s->err, TACIT_PARSE, s->file, columns->line, columns->column,
                               "columns: expected a mapping of column names to roles, found %s",
                               columns->kind == TACIT__NODE_LIST ? "a list"
                               : tacit__is_nothing(columns)      ? "nothing"
                                                                 : "text");
    tacit_status status = TACIT_OK;
    for (const tacit__policy_node *c = columns->first; c && status == TACIT_OK; c = c->next) {
        if (c->key->text.len == 0)
            return tacit__error_at(s->err, TACIT_PARSE, s->file, c->key->line, c->key->column,
                                   "columns: a column without a name");
        status = tacit__policy_column_of(&s->column, s->policy, c->key->text, c->key->line, s->err);
        if (status == TACIT_OK)
            status = apply_column(s, c);
        s->column = -1;
    }
    return status;
}

static tacit_status k_or_level(const tacit__setting *s)
{
    const tacit_policy *policy = s->policy;
    if (policy->k == 0 || !policy->has_anonymity || policy->anonymity >= 1)
        return TACIT_OK;
    return tacit__error_at(s->err, TACIT_PARSE, s->file, tacit_policy_line(policy, "anonymity"), 0,
                           "anonymity and k (line %lld) are both given: keep one of them",
                           (long long)tacit_policy_line(policy, "k"));
}

static tacit_status apply_root(tacit__setting *s, const tacit__policy_node *root)
{
    static const char late[] = "quasi-identifiers";
    if (root->kind != TACIT__NODE_MAP)
        return tacit__error_at(s->err, TACIT_PARSE, s->file, root->line, root->column,
                               "expected a mapping of keys such as k and columns, found %s",
                               root->kind == TACIT__NODE_LIST ? "a list" : "text");
    tacit_status status = TACIT_OK;
    for (const tacit__policy_node *e = root->first; e && status == TACIT_OK; e = e->next) {
        if (tacit_strview_equal(e->key->text, tacit_strview_of(COLUMNS)))
            status = apply_columns(s, e);
        else if (!tacit_strview_equal(e->key->text, tacit_strview_of(late)))
            status = apply_key(s, e, TACIT__SCOPE_TOP, "the policy");
    }
    const tacit__policy_node *sets = tacit__entry(root, late);
    if (status == TACIT_OK && sets)
        status = apply_key(s, sets, TACIT__SCOPE_TOP, "the policy");
    return status == TACIT_OK ? k_or_level(s) : status;
}

static tacit_status keep_names(tacit_policy *policy, const char *name, tacit_error *err)
{
    const char *slash = strrchr(name, '/');
    policy->file = tacit__copy_text(name);
    if (slash) /* "/policy.yaml" lies in "/" */
        policy->directory = tacit__copy_bytes(name, slash == name ? 1 : (size_t)(slash - name));
    return policy->file && (policy->directory || !slash) ? TACIT_OK : tacit__nomem(err);
}

/* Makes columns that say nothing of suppression follow the policy; hierarchies
 * of sensitive columns measure distances and get no suppressed level. */
static void settle(tacit_policy *policy)
{
    for (int32_t i = 0; i < policy->column_count; i++) {
        tacit_policy_column *column = &policy->columns[i];
        column->hierarchy.compared_only = column->role == TACIT_ROLE_SENSITIVE;
        if (!column->has_suppression)
            column->hierarchy.no_suppression =
                policy->no_suppression || column->role == TACIT_ROLE_SENSITIVE;
    }
}

tacit_status tacit_policy_parse(tacit_policy **out, tacit_strview yaml, const char *name,
                                tacit_error *err)
{
    if (yaml.len > TACIT_MAX_POLICY_BYTES)
        return tacit__error_at(err, TACIT_LIMIT, name, 0, 0, "longer than %d bytes",
                               TACIT_MAX_POLICY_BYTES);
    tacit__arena arena = {0};
    tacit__policy_node *root = NULL;
    tacit_policy *policy = NULL;
    tacit_status status = tacit_policy_new(&policy, err);
    if (status == TACIT_OK)
        status = keep_names(policy, name, err);
    if (status == TACIT_OK)
        status = tacit__yaml_read(&root, &arena, yaml, name, err);
    if (status != TACIT_OK)
        goto cleanup;
    tacit__setting s = {.policy = policy,
                        .column = -1,
                        .file = policy->file,
                        .directory = policy->directory,
                        .err = err};
    status = apply_root(&s, root);
    if (status != TACIT_OK)
        goto cleanup;
    settle(policy);
    *out = policy;
    policy = NULL;
cleanup:
    tacit__arena_clear(&arena);
    tacit_policy_free(policy);
    return status;
}

tacit_status tacit_policy_read(tacit_policy **out, const char *path, tacit_error *err)
{
    tacit__input input = {0};
    tacit_status status = tacit__input_open(&input, path, TACIT_MAX_POLICY_BYTES, NULL, err);
    if (status != TACIT_OK)
        return status;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    status = tacit_policy_parse(out, (tacit_strview){input.bytes, input.len}, name, err);
    tacit__input_close(&input);
    return status;
}

static void clear_column(tacit_policy_column *column)
{
    tacit__free(column->name);
    tacit_hierarchy_spec_clear(&column->hierarchy);
    tacit__missing_codes_clear(&column->missing_codes);
    tacit__free(column->items);
}

static void forget_columns_from(tacit_policy *policy, int32_t first)
{
    while (policy->column_count > first)
        clear_column(&policy->columns[--policy->column_count]);
}

static bool reserve_column(tacit_policy *policy)
{
    void *block = policy->columns;
    size_t room = (size_t)policy->column_capacity, needed = (size_t)policy->column_count + 1;
    if (!tacit__reserve(&block, &room, needed, sizeof *policy->columns))
        return false;
    policy->columns = block;
    policy->column_capacity = (int32_t)room;
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

tacit_missing_codes tacit_policy_missing_codes(const tacit_policy *policy, tacit_strview name)
{
    const tacit_policy_column *column = tacit_policy_find(policy, name);
    return column && column->has_missing_codes ? column->missing_codes : policy->missing_codes;
}

bool tacit_policy_has_missing_codes(const tacit_policy *policy)
{
    bool found = policy->missing_codes.count > 0;
    for (int32_t i = 0; i < policy->column_count && !found; i++)
        found = policy->columns[i].missing_codes.count > 0;
    return found;
}

tacit_spread tacit_policy_spread(const tacit_policy_column *column)
{
    return column->has_spread ? column->spread : (tacit_spread){TACIT_MODEL_SPREAD, true};
}

/* ---- flags ---- */

static tacit_status unknown_flag(const char *name, tacit_error *err)
{
    tacit__nearest nearest;
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
        status = apply_value(s, node);
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
    tacit__free(policy->encoding);
    tacit__policy_blanks_clear(&policy->blanks);
    tacit__missing_codes_clear(&policy->missing_codes);
    tacit__policy_previous_clear(policy);
    tacit__free(policy->population);
    tacit__free(policy->person);
    tacit__free(policy->household);
    tacit__free(policy->sampling_weight);
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
    settle(policy);
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
