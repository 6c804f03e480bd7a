/*
 * structured.c - keys whose values have parts: models, the anonymity table, hierarchies and
 * quasi-identifiers.
 *
 * Models are what is promised beyond k: diversity, closeness, alpha, likeness, disclosure and
 * range of a sensitive column, presence and k-map of the population. A model is written as one
 * word: a kind where the key has several, then its bound, with the other number before it and a
 * slash where there are two: `3`, `entropy:2.5`, `recursive:2/3` (c/l), `0.1/0.6` (least and most).
 * A key takes a list of them, each kind once. Given again, as a flag over the file, a kind replaces
 * its like and leaves the others, so that nothing promised is lost by promising more; `none` takes
 * all of the key's models away.
 *
 * A hierarchy rule given as a mapping is rewritten as the text of the flag and read by the same
 * function, so the two ways of writing it cannot drift apart. Each setter builds the new value
 * beside the old one and swaps at the end.
 */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/model.h"
#include "base/strbuf.h"
#include "policy/keys.h"

/* ---- models ---- */

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
    {"closeness", "order:", TACIT_MODEL_CLOSENESS_ORDER, ALONE},
    {"closeness", "", TACIT_MODEL_CLOSENESS, ALONE},
    {"alpha", "", TACIT_MODEL_ALPHA, ALONE},
    {"likeness", "enhanced:", TACIT_MODEL_LIKENESS_ENHANCED, ALONE},
    {"likeness", "", TACIT_MODEL_LIKENESS, ALONE},
    {"disclosure", "", TACIT_MODEL_DISCLOSURE, ALONE},
    {"range", "", TACIT_MODEL_RANGE, ALONE},
    {"presence", "", TACIT_MODEL_PRESENCE, MAY_PAIR},
    {"k-map", "", TACIT_MODEL_MAP, ALONE},
};

static const struct {
    const char *key, *expected;
} EXPECTED[] = {
    {"diversity", "diversity such as 3, entropy:3 or recursive:2/3"},
    {"closeness", "a distance such as 0.2, order:0.2 or tree:0.2"},
    {"alpha", "a share such as 0.5"},
    {"likeness", "a gain such as 2 or enhanced:2"},
    {"disclosure", "a number above 0 such as 1.5"},
    {"range", "a distance above 0 such as 5000"},
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

/* ---- anonymity-table ---- */

const char *tacit__anonymity_problem(const tacit_anonymity_step *before,
                                     const tacit_anonymity_step *step)
{
    if (!(step->level > 0 && step->level <= 1))
        return "a level must be above 0 and at most 1";
    if (step->k < 1)
        return "k must be 1 or more";
    if (before && step->level <= before->level)
        return "levels must ascend";
    if (before && step->k < before->k)
        return "a higher level must not have a smaller k";
    return NULL;
}

static tacit_status read_step(tacit_anonymity_step *step, const tacit__setting *s,
                              const tacit__policy_node *level, const tacit__policy_node *k)
{
    tacit_status status =
        tacit__read_number(&step->level, s, level, DBL_MIN, 1, "a level above 0 and at most 1");
    if (status != TACIT_OK)
        return status;
    return tacit__read_integer(&step->k, s, k, 1, TACIT_MAX_ROWS, "a whole number k of 1 or more");
}

/* An entry is `level: k` in a mapping, or {level: L, k: K} in a list. */
static tacit_status read_entry(tacit_anonymity_step *step, const tacit__setting *s,
                               const tacit__policy_node *entry)
{
    static const char *const names[] = {"level", "k", NULL};
    if (entry->key)
        return read_step(step, s, entry->key, entry);
    if (entry->kind != TACIT__NODE_MAP)
        return tacit__unexpected(s, entry, "a mapping {level: L, k: K}");
    tacit_status status = tacit__only_entries(s, entry, names);
    if (status != TACIT_OK)
        return status;
    const tacit__policy_node *level = tacit__entry(entry, "level"), *k = tacit__entry(entry, "k");
    if (!level || !k)
        return tacit__wrong(s, entry, "an entry needs both level and k");
    return read_step(step, s, level, k);
}

tacit_status tacit__set_anonymity_table(const tacit__setting *s, const tacit__policy_node *value)
{
    if (tacit__node_is_text(value) || value->count == 0)
        return tacit__unexpected(s, value, "a mapping of levels to k, such as {0.5: 5, 0.9: 20}");
    tacit_anonymity_step *steps = tacit__alloc_array((size_t)value->count, sizeof *steps);
    if (!steps)
        return tacit__nomem(s->err);
    tacit_status status = TACIT_OK;
    int32_t count = 0;
    for (const tacit__policy_node *entry = value->first; entry; entry = entry->next) {
        status = read_entry(&steps[count], s, entry);
        if (status != TACIT_OK)
            goto cleanup;
        const char *problem =
            tacit__anonymity_problem(count ? &steps[count - 1] : NULL, &steps[count]);
        if (problem) {
            status = tacit__wrong(s, entry->key ? entry->key : entry, "%s", problem);
            goto cleanup;
        }
        count++;
    }
    tacit_anonymity_step *old = s->policy->anonymity_table;
    s->policy->anonymity_table = steps;
    s->policy->anonymity_count = count;
    steps = old;
cleanup:
    tacit__free(steps);
    return status;
}

/* ---- hierarchy ---- */

static tacit_status add_number(tacit__strbuf *text, const tacit__setting *s,
                               const tacit__policy_node *node, double min, const char *expected)
{
    double number;
    tacit_status status = tacit__read_number(&number, s, node, min, DBL_MAX, expected);
    if (status == TACIT_OK)
        tacit__strbuf_text(text, node->text.bytes);
    return status;
}

static tacit_status interval_text(tacit__strbuf *text, const tacit__setting *s,
                                  const tacit__policy_node *interval)
{
    static const char *const names[] = {"origin", "widths", "decimal", NULL};
    static const char *const marks[] = {"comma", "point", NULL};
    int mark = 0;
    if (interval->kind != TACIT__NODE_MAP)
        return tacit__unexpected(s, interval, "a mapping {origin: 0, widths: [5, 10, 20]}");
    tacit_status status = tacit__only_entries(s, interval, names);
    const tacit__policy_node *origin = tacit__entry(interval, "origin");
    const tacit__policy_node *widths = tacit__entry(interval, "widths");
    if (status != TACIT_OK)
        return status;
    if (!widths)
        return tacit__wrong(s, interval, "an interval needs widths, such as widths: [5, 10, 20]");
    if (widths->kind != TACIT__NODE_LIST || widths->count == 0)
        return tacit__unexpected(s, widths, "a list of widths, such as [5, 10, 20]");
    tacit__strbuf_text(text, "interval:");
    if (origin)
        status = add_number(text, s, origin, -DBL_MAX, "a number");
    else
        tacit__strbuf_text(text, "0");
    for (const tacit__policy_node *w = widths->first; w && status == TACIT_OK; w = w->next) {
        tacit__strbuf_text(text, w == widths->first ? "/" : ",");
        status = add_number(text, s, w, DBL_MIN, "a width above 0");
    }
    const tacit__policy_node *decimal = tacit__entry(interval, "decimal");
    if (status == TACIT_OK && decimal)
        status = tacit__read_choice(&mark, s, decimal, marks);
    if (status == TACIT_OK && decimal)
        tacit__strbuf_format(text, "/%s", marks[mark]);
    return status;
}

/* The windows behind an order or, without one, behind the rule's name. */
static tacit_status windows_text(tacit__strbuf *text, const tacit__setting *s,
                                 const tacit__policy_node *windows, const char *before)
{
    tacit_status status = TACIT_OK;
    if (windows->kind != TACIT__NODE_LIST || windows->count == 0)
        return tacit__unexpected(s, windows, "a list of months, such as [2, 6, 12, 24]");
    for (const tacit__policy_node *w = windows->first; w && status == TACIT_OK; w = w->next) {
        tacit__strbuf_text(text, w == windows->first ? before : ",");
        status = add_number(text, s, w, DBL_MIN, "a number of months above 0");
    }
    return status;
}

/* `true`, or {order: day-first, windows: [2, 6, 12, 24]}, either of them. */
static tacit_status date_text(tacit__strbuf *text, const tacit__setting *s,
                              const tacit__policy_node *rule)
{
    static const char *const names[] = {"order", "windows", NULL};
    static const char *const orders[] = {"day-first", "month-first", NULL};
    bool date = false;
    int order = 0;
    tacit__strbuf_text(text, "date");
    if (rule->kind != TACIT__NODE_MAP) {
        tacit_status status = tacit__read_bool(&date, s, rule);
        if (status == TACIT_OK && !date)
            status = tacit__wrong(s, rule, "date can only be true; leave it out otherwise");
        return status;
    }
    tacit_status status = tacit__only_entries(s, rule, names);
    const tacit__policy_node *given = tacit__entry(rule, "order");
    const tacit__policy_node *windows = tacit__entry(rule, "windows");
    if (status == TACIT_OK && !given && !windows)
        status = tacit__wrong(s, rule,
                              "expected true, or an order or windows: {order: day-first, windows: "
                              "[2, 6, 12, 24]}");
    if (status == TACIT_OK && given)
        status = tacit__read_choice(&order, s, given, orders);
    if (status == TACIT_OK && given)
        tacit__strbuf_format(text, ":%s", orders[order]);
    if (status == TACIT_OK && windows)
        status = windows_text(text, s, windows, given ? "/" : ":");
    return status;
}

/* The only entry of a rule given as a mapping, as the flag's text. */
static tacit_status rule_text(tacit__strbuf *text, const tacit__setting *s,
                              const tacit__policy_node *rule)
{
    static const char *const sides[] = {"right", "left", NULL};
    if (tacit_strview_equal(rule->key->text, tacit_strview_of("interval")))
        return interval_text(text, s, rule);
    if (tacit_strview_equal(rule->key->text, tacit_strview_of("mask"))) {
        int side = 0;
        tacit_status status = tacit__read_choice(&side, s, rule, sides);
        if (status == TACIT_OK)
            tacit__strbuf_format(text, "mask:%s", sides[side]);
        return status;
    }
    if (tacit_strview_equal(rule->key->text, tacit_strview_of("standard"))) {
        tacit_strview name = {0};
        tacit_status status = tacit__read_text(&name, s, rule, "the name of a standard hierarchy");
        if (status == TACIT_OK)
            tacit__strbuf_format(text, "standard:%.*s", (int)name.len, name.bytes);
        return status;
    }
    return date_text(text, s, rule);
}

/* The hierarchy room's message does not know the place; here it gets one. */
static tacit_status parse_spec(tacit_hierarchy_spec *spec, const tacit__setting *s,
                               const tacit__policy_node *at, const char *text)
{
    tacit_error deeper = {0};
    tacit_status status = tacit_hierarchy_spec_parse(spec, text, s->directory, &deeper);
    if (status == TACIT_NOMEM)
        return tacit__nomem(s->err);
    if (status != TACIT_OK)
        return tacit__wrong(s, at, "%s", deeper.message);
    return TACIT_OK;
}

/* {file: F} is a file whatever it is called, even `date`. */
static tacit_status file_spec(tacit_hierarchy_spec *spec, const tacit__setting *s,
                              const tacit__policy_node *file)
{
    tacit_strview name;
    tacit_status status = tacit__read_text(&name, s, file, "a file name");
    if (status != TACIT_OK)
        return status;
    spec->path = tacit__join_path(s->directory, name);
    if (!spec->path)
        return tacit__nomem(s->err);
    spec->kind = TACIT_HIERARCHY_FILE;
    return TACIT_OK;
}

static tacit_status mapping_spec(tacit_hierarchy_spec *spec, const tacit__setting *s,
                                 const tacit__policy_node *map)
{
    static const char *const names[] = {"file", "mask", "date", "interval", "standard", NULL};
    tacit_status status = tacit__only_entries(s, map, names);
    if (status != TACIT_OK)
        return status;
    if (map->count != 1)
        return tacit__wrong(s, map,
                            "expected one of file, mask, date, interval and standard, found %s",
                            map->count ? "several" : "none");
    if (tacit__entry(map, "file"))
        return file_spec(spec, s, map->first);
    tacit__strbuf text = {0};
    status = rule_text(&text, s, map->first);
    if (status == TACIT_OK && text.failed)
        status = tacit__nomem(s->err);
    if (status == TACIT_OK)
        status = parse_spec(spec, s, map->first, text.bytes);
    tacit__strbuf_clear(&text);
    return status;
}

tacit_status tacit__set_hierarchy(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_hierarchy_spec spec = {0};
    tacit_status status;
    if (value->kind == TACIT__NODE_MAP)
        status = mapping_spec(&spec, s, value);
    else if (value->kind == TACIT__NODE_LIST || tacit__is_nothing(value))
        status = tacit__unexpected(s, value, "a file name or a rule such as {mask: right}");
    else
        status = parse_spec(&spec, s, value, value->text.bytes);
    if (status != TACIT_OK) {
        tacit_hierarchy_spec_clear(&spec);
        return status;
    }
    tacit_hierarchy_spec *held = &s->policy->columns[s->column].hierarchy;
    spec.no_suppression = held->no_suppression;
    tacit_hierarchy_spec_clear(held);
    *held = spec;
    return TACIT_OK;
}

/* ---- quasi-identifiers ---- */

void tacit__quasi_sets_free(tacit_quasi_set *sets, int32_t count)
{
    for (int32_t i = 0; sets && i < count; i++)
        tacit__free(sets[i].columns);
    tacit__free(sets);
}

static tacit_status add_to_set(tacit_quasi_set *set, const tacit__setting *s,
                               const tacit__policy_node *item)
{
    tacit_strview name;
    int32_t column;
    tacit_status status = tacit__read_text(&name, s, item, "the name of a column");
    if (status == TACIT_OK)
        status = tacit__policy_column_of(&column, s->policy, name, item->line, s->err);
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < set->count; i++)
        if (set->columns[i] == column)
            return tacit__wrong(s, item, "column \"%s\" stands twice in one quasi-identifier",
                                tacit__show(name).text);
    set->columns[set->count++] = column;
    return TACIT_OK;
}

static tacit_status read_set(tacit_quasi_set *set, const tacit__setting *s,
                             const tacit__policy_node *list)
{
    if (list->kind != TACIT__NODE_LIST || list->count == 0)
        return tacit__unexpected(s, list, "a list of column names, such as [ZIP, SEX]");
    if (list->count > TACIT_MAX_QUASI)
        return tacit__wrong(s, list, "a quasi-identifier of more than %d columns", TACIT_MAX_QUASI);
    set->columns = tacit__alloc_array((size_t)list->count, sizeof *set->columns);
    if (!set->columns)
        return tacit__nomem(s->err);
    tacit_status status = TACIT_OK;
    for (const tacit__policy_node *item = list->first; item && status == TACIT_OK;
         item = item->next)
        status = add_to_set(set, s, item);
    return status;
}

tacit_status tacit__set_quasi_identifiers(const tacit__setting *s, const tacit__policy_node *value)
{
    if (value->kind != TACIT__NODE_LIST || value->count == 0)
        return tacit__unexpected(s, value, "a list of lists, such as [[ZIP, SEX], [ZIP, RACE]]");
    if (value->count > TACIT_MAX_SETS)
        return tacit__wrong(s, value, "more than %d quasi-identifiers", TACIT_MAX_SETS);
    int32_t count = value->count;
    tacit_quasi_set *sets = tacit__alloc_zeroed((size_t)count, sizeof *sets);
    if (!sets)
        return tacit__nomem(s->err);
    tacit_status status = TACIT_OK;
    tacit_quasi_set *set = sets;
    for (const tacit__policy_node *list = value->first; list; list = list->next) {
        status = read_set(set++, s, list);
        if (status != TACIT_OK)
            goto cleanup;
    }
    tacit_quasi_set *old = s->policy->sets;
    int32_t old_count = s->policy->set_count;
    s->policy->sets = sets;
    s->policy->set_count = count;
    sets = old;
    count = old_count;
cleanup:
    tacit__quasi_sets_free(sets, count);
    return status;
}
