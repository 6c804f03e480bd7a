/*
 * techniques.c - keys about techniques: `techniques`, a list of steps, and `treat` of a column,
 * steps on that column alone.
 *
 * A step is {NAME: {SETTING: VALUE, ...}}, or in a line, as flags write it, NAME:SETTING=VALUE,...
 * with + between the values of a list. Steps are kept as text: what they mean is known to the
 * techniques (techniques.h), which are asked before any work starts.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "policy/keys.h"

static const char SHAPE[] = "a technique: {NAME: {SETTING: VALUE}} or NAME:SETTING=VALUE,...";

/* A step, and the column whose treatment it is; -1: of the whole policy. */
typedef struct listed {
    tacit_technique_step step;
    int32_t column;
} listed;

struct tacit__policy_steps {
    listed *list;
    size_t count, capacity;
    tacit__arena arena;
};

static const char *copy(struct tacit__policy_steps *steps, tacit_strview text)
{
    return tacit__arena_copy(&steps->arena, text).bytes;
}

/* One value, or those of a list. */
static tacit_status read_values(tacit_technique_setting *setting, const tacit__setting *s,
                                const tacit__policy_node *node)
{
    bool list = node->kind == TACIT__NODE_LIST;
    size_t count = list ? (size_t)node->count : 1;
    if (node->kind == TACIT__NODE_MAP || tacit__is_nothing(node))
        return tacit__unexpected(s, node, "a value or a list of them");
    const char **values =
        tacit__arena_alloc(&s->policy->steps->arena, (count + 1) * sizeof *values);
    if (!values)
        return tacit__nomem(s->err);
    const tacit__policy_node *item = list ? node->first : node;
    for (size_t i = 0; i < count; i++, item = item->next) {
        if (!tacit__node_is_text(item) || tacit__is_nothing(item))
            return tacit__unexpected(s, item, "a value");
        values[i] = copy(s->policy->steps, item->text);
        if (!values[i])
            return tacit__nomem(s->err);
    }
    setting->values = values;
    setting->value_count = count;
    return TACIT_OK;
}

/* The values of a flag, with + between them. */
static tacit_status split_values(tacit_technique_setting *setting, const tacit__setting *s,
                                 tacit_strview text)
{
    size_t count = 1, at = 0;
    for (size_t i = 0; i < text.len; i++)
        count += text.bytes[i] == '+';
    const char **values =
        tacit__arena_alloc(&s->policy->steps->arena, (count + 1) * sizeof *values);
    for (size_t i = 0; values && i < count; i++) {
        const char *end = memchr(text.bytes + at, '+', text.len - at);
        size_t len = end ? (size_t)(end - text.bytes) - at : text.len - at;
        values[i] = copy(s->policy->steps, (tacit_strview){text.bytes + at, len});
        if (!values[i])
            return tacit__nomem(s->err);
        at += len + 1;
    }
    setting->values = values;
    setting->value_count = count;
    return values ? TACIT_OK : tacit__nomem(s->err);
}

/* Room for all settings and, first, the column that a treatment is of. */
static tacit_status read_settings(tacit_technique_step *step, const tacit__setting *s,
                                  const tacit__policy_node *map, bool flag)
{
    struct tacit__policy_steps *steps = s->policy->steps;
    size_t most = (map ? (size_t)map->count : 0) + 1;
    tacit_technique_setting *settings = tacit__arena_alloc(&steps->arena, most * sizeof *settings);
    tacit_status status = settings ? TACIT_OK : tacit__nomem(s->err);
    step->settings = settings;
    if (status == TACIT_OK && s->column >= 0) {
        tacit__policy_node name = {.text = tacit_strview_of(s->policy->columns[s->column].name),
                                   .kind = TACIT__NODE_QUOTED};
        settings[0] = (tacit_technique_setting){.name = "columns", .line = step->line};
        status = read_values(&settings[step->setting_count++], s, &name);
    }
    for (const tacit__policy_node *e = map ? map->first : NULL; status == TACIT_OK && e;
         e = e->next) {
        tacit_technique_setting *setting = &settings[step->setting_count++];
        *setting =
            (tacit_technique_setting){.name = copy(steps, e->key->text), .line = e->key->line};
        if (!setting->name)
            return tacit__nomem(s->err);
        status = flag ? split_values(setting, s, e->text) : read_values(setting, s, e);
    }
    return status;
}

static tacit_status read_line(tacit_technique_step *step, const tacit__setting *s,
                              const tacit__policy_node *node, tacit__arena *scratch)
{
    tacit__policy_node *name = NULL, *pairs = NULL;
    const char *rest = NULL;
    tacit_status status = tacit__flag_split(&name, &rest, scratch, s, node->text.bytes, ':');
    if (status == TACIT_OK && name)
        status = tacit__flag_read(&pairs, scratch, s, rest, TACIT__SHAPE_PAIRS);
    if (status != TACIT_OK)
        return status;
    step->technique = copy(s->policy->steps, name ? name->text : node->text);
    return step->technique ? read_settings(step, s, pairs, true) : tacit__nomem(s->err);
}

static tacit_status read_map(tacit_technique_step *step, const tacit__setting *s,
                             const tacit__policy_node *node)
{
    const tacit__policy_node *settings = node->first;
    if (node->kind != TACIT__NODE_MAP || node->count != 1)
        return tacit__unexpected(s, node, SHAPE);
    if (settings->kind != TACIT__NODE_MAP && !tacit__is_nothing(settings))
        return tacit__unexpected(s, settings, "settings such as {columns: [A, B]}");
    step->technique = copy(s->policy->steps, settings->key->text);
    if (!step->technique)
        return tacit__nomem(s->err);
    return read_settings(step, s, settings->kind == TACIT__NODE_MAP ? settings : NULL, false);
}

static tacit_status add_step(const tacit__setting *s, const tacit__policy_node *node)
{
    struct tacit__policy_steps *steps = s->policy->steps;
    tacit__arena scratch = {0};
    tacit_technique_step step = {.file = s->file, .directory = s->directory, .line = node->line};
    tacit_status status = tacit__is_nothing(node)     ? tacit__unexpected(s, node, SHAPE)
                          : tacit__node_is_text(node) ? read_line(&step, s, node, &scratch)
                                                      : read_map(&step, s, node);
    tacit__arena_clear(&scratch);
    if (status == TACIT_OK && steps->count >= TACIT_MAX_STEPS)
        status = tacit__wrong(s, node, "a policy has at most %d techniques", TACIT_MAX_STEPS);
    if (status == TACIT_OK && !TACIT__RESERVE_ONE(steps->list, steps->capacity, steps->count))
        status = tacit__nomem(s->err);
    if (status == TACIT_OK)
        steps->list[steps->count++] = (listed){step, s->column};
    return status;
}

tacit_status tacit__set_techniques(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_policy *policy = s->policy;
    if (!policy->steps)
        policy->steps = tacit__alloc_zeroed(1, sizeof *policy->steps);
    if (!policy->steps)
        return tacit__nomem(s->err);
    size_t before = policy->steps->count;
    tacit_status status = tacit__set_each(s, value, add_step);
    if (status != TACIT_OK)
        policy->steps->count = before;
    return status;
}

void tacit__policy_steps_clear(tacit_policy *policy)
{
    if (!policy->steps)
        return;
    tacit__arena_clear(&policy->steps->arena);
    tacit__free(policy->steps->list);
    tacit__free(policy->steps);
}

/* ---- the public face ---- */

tacit_status tacit_policy_steps(tacit_technique_step **out, size_t *count,
                                const tacit_policy *policy, tacit_error *err)
{
    const struct tacit__policy_steps *steps = policy->steps;
    size_t all = steps ? steps->count : 0, used = 0;
    tacit_technique_step *list = tacit__alloc_array(all + 1, sizeof *list);
    if (!list)
        return tacit__nomem(err);
    for (int32_t column = 0; column < policy->column_count; column++)
        for (size_t i = 0; i < all; i++)
            if (steps->list[i].column == column)
                list[used++] = steps->list[i].step;
    for (size_t i = 0; i < all; i++)
        if (steps->list[i].column < 0)
            list[used++] = steps->list[i].step;
    *out = list;
    *count = used;
    return TACIT_OK;
}

void tacit_policy_steps_free(tacit_technique_step *steps)
{
    tacit__free(steps);
}

bool tacit_policy_masks(const tacit_policy *policy)
{
    return (policy->steps && policy->steps->count > 0) ||
           (policy->method && tacit_technique_find(policy->method));
}

bool tacit_policy_generalizes(const tacit_policy *policy)
{
    return !policy->method ||
           (strcmp(policy->method, "none") != 0 && !tacit_technique_find(policy->method));
}
