/*
 * models.c - keys of what is promised beyond k: diversity, closeness and alpha of
 * a sensitive column, presence and k-map of the population.
 *
 * A model is written as one word: a kind where the key has several, then its
 * bound, with the other number before it and a slash where there are two:
 * `3`, `entropy:2.5`, `recursive:2/3` (c/l), `0.1/0.6` (least and most). A key
 * takes a list of them, each kind once. Given again, as a flag over the file, a
 * kind replaces its like and leaves the others, so that nothing promised is lost
 * by promising more; `none` takes all of the key's models away.
 */
#include "policy/keys.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/model.h"

/* Whether a number and a slash stand before the bound. */
typedef enum pairing { ALONE, MAY_PAIR, PAIR } pairing;

typedef struct form {
    const char *key;
    const char *prefix;
    tacit_model_kind kind;
    pairing pairing;
} form;

/* Of a key's forms the one without a prefix comes last. */
static const form FORMS[] = {
    {"diversity", "entropy:", TACIT_MODEL_ENTROPY, ALONE},
    {"diversity", "recursive:", TACIT_MODEL_RECURSIVE, PAIR},
    {"diversity", "", TACIT_MODEL_DISTINCT, ALONE},
    {"closeness", "tree:", TACIT_MODEL_CLOSENESS_TREE, ALONE},
    {"closeness", "", TACIT_MODEL_CLOSENESS, ALONE},
    {"alpha", "", TACIT_MODEL_ALPHA, ALONE},
    {"presence", "", TACIT_MODEL_PRESENCE, MAY_PAIR},
    {"k-map", "", TACIT_MODEL_MAP, ALONE},
};

static const struct {
    const char *key, *expected;
} EXPECTED[] = {
    {"diversity", "diversity such as 3, entropy:3 or recursive:2/3"},
    {"closeness", "a distance such as 0.2 or tree:0.2"},
    {"alpha", "a share such as 0.5"},
    {"presence", "shares such as 0.5 or 0.1/0.5"},
    {"k-map", "a whole number of 1 or more"},
};

static const char *expected_of(const char *key)
{
    size_t i = 0;
    while (strcmp(EXPECTED[i].key, key) != 0)
        i++;
    return EXPECTED[i].expected;
}

const char *tacit__model_key(tacit_model_kind kind)
{
    size_t i = 0;
    while (FORMS[i].kind != kind)
        i++;
    return FORMS[i].key;
}

static const form *form_of(const char *key, const char *text)
{
    const form *found = FORMS;
    while (strcmp(found->key, key) != 0 || strncmp(found->prefix, text, strlen(found->prefix)) != 0)
        found++;
    return found;
}

/* A number that is a part of a node's text. */
static tacit_status read_part(double *out, const tacit__setting *s, const tacit__policy_node *item,
                              const char *text, size_t len)
{
    enum { LONGEST = 40 };
    char copy[LONGEST];
    tacit__policy_node part = *item;
    double number = 0;
    if (len == 0 || len >= sizeof copy)
        return tacit__unexpected(s, item, expected_of(s->key->name));
    snprintf(copy, sizeof copy, "%.*s", (int)len, text);
    part.text = (tacit_strview){copy, len};
    tacit_error deeper = {0};
    tacit__setting silent = *s;
    silent.err = &deeper; /* what is wrong is said of the whole word */
    tacit_status status = tacit__read_number(&number, &silent, &part, -DBL_MAX, DBL_MAX, "");
    if (status == TACIT_NOMEM)
        return tacit__nomem(s->err);
    if (status != TACIT_OK)
        return tacit__unexpected(s, item, expected_of(s->key->name));
    *out = number;
    return TACIT_OK;
}

static tacit_status read_model(tacit_model_bound *out, const tacit__setting *s,
                               const tacit__policy_node *item)
{
    if (!tacit__node_is_text(item) || tacit__is_nothing(item))
        return tacit__unexpected(s, item, expected_of(s->key->name));
    const form *written = form_of(s->key->name, item->text.bytes);
    const char *text = item->text.bytes + strlen(written->prefix), *slash = strchr(text, '/');
    tacit_model_bound model = {.kind = written->kind};
    if (written->pairing != MAY_PAIR && (slash != NULL) != (written->pairing == PAIR))
        return tacit__unexpected(s, item, expected_of(s->key->name));
    tacit_status status = TACIT_OK;
    if (slash) {
        status = read_part(&model.second, s, item, text, (size_t)(slash - text));
        text = slash + 1;
    }
    if (status == TACIT_OK)
        status = read_part(&model.bound, s, item, text, strlen(text));
    if (status != TACIT_OK)
        return status;
    const char *problem = tacit__model_problem(&model);
    if (problem)
        return tacit__wrong(s, item, "%s is out of range: %s", tacit__show(item->text).text,
                            problem);
    *out = model;
    return TACIT_OK;
}

/* A list of models, and room for a kind each. */
typedef struct model_list {
    tacit_model_bound items[TACIT_MODELS];
    int32_t count;
} model_list;

static void forget_key(model_list *list, const char *key)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; i++)
        if (strcmp(tacit__model_key(list->items[i].kind), key) != 0)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

static void put_model(model_list *list, tacit_model_bound model)
{
    int32_t at = 0;
    while (at < list->count && list->items[at].kind != model.kind)
        at++;
    list->items[at] = model;
    list->count += at == list->count;
}

static tacit_status put_items(model_list *list, const tacit__setting *s,
                              const tacit__policy_node *first)
{
    unsigned given = 0;
    for (const tacit__policy_node *item = first; item; item = item->next) {
        tacit_model_bound model = {0};
        tacit_status status = read_model(&model, s, item);
        if (status != TACIT_OK)
            return status;
        if (given >> model.kind & 1)
            return tacit__wrong(s, item, "%s is given twice", tacit_model_name(model.kind));
        given |= 1u << model.kind;
        put_model(list, model);
    }
    return TACIT_OK;
}

static bool says_none(const tacit__policy_node *value)
{
    const tacit__policy_node *only =
        value->kind == TACIT__NODE_LIST && value->count == 1 ? value->first : value;
    return tacit__node_is_text(only) && tacit_strview_equal(only->text, tacit_strview_of("none"));
}

tacit_status tacit__set_models(const tacit__setting *s, const tacit__policy_node *value)
{
    bool of_column = s->column >= 0;
    tacit_policy_column *column = of_column ? &s->policy->columns[s->column] : NULL;
    tacit_model_bound *held = of_column ? column->models : s->policy->population_models;
    int32_t *count = of_column ? &column->model_count : &s->policy->population_model_count;
    model_list list = {.count = *count};
    memcpy(list.items, held, (size_t)*count * sizeof *held);
    tacit_status status = TACIT_OK;
    if (says_none(value))
        forget_key(&list, s->key->name);
    else if (value->kind == TACIT__NODE_MAP || (value->kind == TACIT__NODE_LIST && !value->count))
        status = tacit__unexpected(s, value, expected_of(s->key->name));
    else if (value->kind == TACIT__NODE_LIST)
        status = put_items(&list, s, value->first);
    else {
        tacit__policy_node alone = *value; /* it may have a neighbour of another key */
        alone.next = NULL;
        status = put_items(&list, s, &alone);
    }
    if (status != TACIT_OK)
        return status;
    memcpy(held, list.items, (size_t)list.count * sizeof *held);
    *count = list.count;
    return TACIT_OK;
}
