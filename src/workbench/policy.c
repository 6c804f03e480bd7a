/*
 * policy.c - a policy as JSON, for the page to show and to change. Scalars are texts, as they stand
 * in the file: what they mean is the library's to know. Depth and size are bounded; an alias would
 * let a small file stand for a large one, and is refused.
 */
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "workbench/parts.h"

enum { MAX_DEPTH = 16, MAX_NODES = 200000 };

typedef struct reading {
    yaml_parser_t parser;
    json_t *open[MAX_DEPTH]; /* the collections that are begun, borrowed but for the first */
    char *key[MAX_DEPTH];    /* of the value that comes next */
    int depth, nodes;
    json_t *root;
    const char *problem;
} reading;

/* Puts a value where it belongs; takes it. */
static bool put(reading *r, json_t *value)
{
    if (!value || ++r->nodes > MAX_NODES) {
        json_decref(value);
        r->problem = value ? "it is too long" : "out of memory";
        return false;
    }
    if (r->depth == 0) {
        r->root = value;
        return true;
    }
    json_t *parent = r->open[r->depth - 1];
    if (json_is_array(parent))
        return json_array_append_new(parent, value) == 0;
    bool done = json_object_set_new(parent, r->key[r->depth - 1], value) == 0;
    free(r->key[r->depth - 1]);
    r->key[r->depth - 1] = NULL;
    return done;
}

static bool put_scalar(reading *r, const char *text, size_t len)
{
    json_t *parent = r->depth ? r->open[r->depth - 1] : NULL;
    if (json_is_object(parent) && !r->key[r->depth - 1]) {
        r->key[r->depth - 1] = strdup(text);
        return r->key[r->depth - 1] != NULL;
    }
    return put(r, json_stringn(text, len));
}

static bool begin(reading *r, json_t *collection)
{
    if (r->depth == MAX_DEPTH) {
        json_decref(collection);
        r->problem = "it is too deep";
        return false;
    }
    bool is_key = r->depth && json_is_object(r->open[r->depth - 1]) && !r->key[r->depth - 1];
    if (is_key) {
        json_decref(collection);
        r->problem = "a name has to be a word";
        return false;
    }
    if (!put(r, collection))
        return false;
    r->open[r->depth++] = collection;
    return true;
}

/* Returns false at the end and where something is wrong. */
static bool take_event(reading *r, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return put_scalar(r, (const char *)event->data.scalar.value, event->data.scalar.length);
    case YAML_SEQUENCE_START_EVENT: return begin(r, json_array());
    case YAML_MAPPING_START_EVENT: return begin(r, json_object());
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: r->depth--; return true;
    case YAML_ALIAS_EVENT:
        r->problem = "it has an alias (*name): write out what it stands for";
        return false;
    case YAML_STREAM_END_EVENT: return false;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_START_EVENT:
    case YAML_DOCUMENT_END_EVENT: break;
    }
    return true;
}

static void read_events(reading *r)
{
    bool goes_on = true;
    while (goes_on) {
        yaml_event_t event;
        if (!yaml_parser_parse(&r->parser, &event)) {
            r->problem = r->parser.problem ? r->parser.problem : "it cannot be read";
            return;
        }
        goes_on = take_event(r, &event);
        yaml_event_delete(&event);
    }
}

tacit_status workbench_policy_json(json_t **out, const char *yaml, tacit_error *err)
{
    reading r = {0};
    if (!yaml_parser_initialize(&r.parser))
        return TACIT_NOMEM;
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)yaml, strlen(yaml));
    read_events(&r);
    if (!r.problem && r.root && !json_is_object(r.root))
        r.problem = "it is no list of keys and values";
    tacit_status status = r.problem ? TACIT_PARSE : TACIT_OK;
    if (status != TACIT_OK && err && err->status == TACIT_OK) {
        err->status = status;
        err->line = (int64_t)r.parser.mark.line + 1;
        snprintf(err->file, sizeof err->file, "policy");
        snprintf(err->message, sizeof err->message, "%s", r.problem);
    }
    for (int i = 0; i < MAX_DEPTH; i++)
        free(r.key[i]);
    yaml_parser_delete(&r.parser);
    if (status == TACIT_OK)
        *out = r.root ? r.root : json_object();
    else
        json_decref(r.root);
    return status;
}
