/*
 * yaml.c - YAML to nodes, within bounds.
 *
 * libyaml reports events; this file keeps the open collections on a small stack
 * and hangs each value where it belongs. What a policy has no use for and an
 * attacker would (anchors, aliases, tags, deep nesting) is refused as it
 * appears, before libyaml builds anything from it. libyaml accepts a key twice,
 * so that is checked here, by comparing with the keys before it: collections
 * are bounded, and so is the cost (linear in the file otherwise).
 */
#include "policy/keys.h"

#include <assert.h>
#include <string.h>
#include <yaml.h>

#include <tacit/table.h>

#include "base/error.h"

typedef struct builder {
    tacit__arena *arena;
    const char *name;
    tacit_error *err;
    tacit__policy_node *root;
    tacit__policy_node *open[TACIT__YAML_DEPTH];
    tacit__policy_node
        *key[TACIT__YAML_DEPTH]; /* of an open mapping: the key that awaits its value */
    int depth;
} builder;

tacit__policy_node *tacit__node_new(tacit__arena *arena, tacit__node_kind kind)
{
    tacit__policy_node *node = tacit__arena_alloc(arena, sizeof *node);
    if (node)
        *node = (tacit__policy_node){.kind = kind};
    return node;
}

tacit__policy_node *tacit__node_text(tacit__arena *arena, tacit__node_kind kind, tacit_strview text)
{
    tacit__policy_node *node = tacit__node_new(arena, kind);
    if (!node)
        return NULL;
    node->text = tacit__arena_copy(arena, text);
    return node->text.bytes ? node : NULL;
}

void tacit__node_append(tacit__policy_node *parent, tacit__policy_node *child)
{
    assert(!tacit__node_is_text(parent));
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->count++;
}

static tacit_status refuse(builder *b, yaml_mark_t mark, const char *message)
{
    return tacit__error_at(b->err, TACIT_PARSE, b->name, (int64_t)mark.line + 1,
                           (int64_t)mark.column + 1, "%s", message);
}

static tacit_status check_key(builder *b, const tacit__policy_node *map,
                              const tacit__policy_node *key)
{
    if (!tacit__node_is_text(key))
        return tacit__error_at(b->err, TACIT_PARSE, b->name, key->line, key->column,
                               "a key must be text, found a %s",
                               key->kind == TACIT__NODE_LIST ? "list" : "mapping");
    for (const tacit__policy_node *other = map->first; other; other = other->next)
        if (tacit_strview_equal(other->key->text, key->text))
            return tacit__error_at(b->err, TACIT_PARSE, b->name, key->line, key->column,
                                   "key \"%s\" is given twice, first on line %lld",
                                   tacit__show(key->text).text, (long long)other->key->line);
    return TACIT_OK;
}

/* Hangs a node under the innermost open collection. */
static tacit_status attach(builder *b, tacit__policy_node *node)
{
    if (b->depth == 0) {
        b->root = node;
        return TACIT_OK;
    }
    tacit__policy_node *parent = b->open[b->depth - 1];
    tacit__policy_node **key = &b->key[b->depth - 1];
    if (parent->kind == TACIT__NODE_MAP && !*key) {
        *key = node;
        return check_key(b, parent, node);
    }
    int32_t most = parent->kind == TACIT__NODE_LIST ? TACIT_MAX_SETS + 1 : TACIT_MAX_COLUMNS;
    if (parent->count >= most)
        return tacit__error_at(b->err, TACIT_LIMIT, b->name, node->line, node->column,
                               "more than %d entries", (int)most);
    node->key = *key;
    *key = NULL;
    tacit__node_append(parent, node);
    return TACIT_OK;
}

static tacit_status place(builder *b, tacit__policy_node *node, yaml_mark_t mark)
{
    if (!node)
        return tacit__nomem(b->err);
    node->line = (int64_t)mark.line + 1;
    node->column = (int64_t)mark.column + 1;
    return attach(b, node);
}

static tacit_status add_scalar(builder *b, const yaml_event_t *event)
{
    tacit_strview text = {(const char *)event->data.scalar.value, event->data.scalar.length};
    if (text.len && memchr(text.bytes, '\0', text.len))
        return refuse(b, event->start_mark, "the text holds a NUL character");
    bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    tacit__node_kind kind = plain ? TACIT__NODE_PLAIN : TACIT__NODE_QUOTED;
    return place(b, tacit__node_text(b->arena, kind, text), event->start_mark);
}

static tacit_status open_collection(builder *b, tacit__node_kind kind, yaml_mark_t mark)
{
    if (b->depth == TACIT__YAML_DEPTH)
        return tacit__error_at(b->err, TACIT_LIMIT, b->name, (int64_t)mark.line + 1,
                               (int64_t)mark.column + 1, "nested deeper than %d levels",
                               TACIT__YAML_DEPTH);
    tacit__policy_node *node = tacit__node_new(b->arena, kind);
    tacit_status status = place(b, node, mark);
    if (status != TACIT_OK)
        return status;
    b->key[b->depth] = NULL;
    b->open[b->depth++] = node;
    return TACIT_OK;
}

static tacit_status refuse_extras(builder *b, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    if (anchor || event->type == YAML_ALIAS_EVENT)
        return refuse(b, event->start_mark,
                      "anchors and aliases (& and *) are not allowed: write the value out, or put "
                      "it in quotes");
    if (tag)
        return refuse(b, event->start_mark,
                      "tags (!) are not allowed: write the value alone, or put it in quotes");
    return TACIT_OK;
}

static tacit_status take(builder *b, const yaml_event_t *event)
{
    tacit_status status = refuse_extras(b, event);
    if (status != TACIT_OK)
        return status;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return b->root ? refuse(b, event->start_mark, "a second document: a policy is one document")
                       : TACIT_OK;
    case YAML_SCALAR_EVENT: return add_scalar(b, event);
    case YAML_SEQUENCE_START_EVENT: return open_collection(b, TACIT__NODE_LIST, event->start_mark);
    case YAML_MAPPING_START_EVENT: return open_collection(b, TACIT__NODE_MAP, event->start_mark);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: b->depth--; return TACIT_OK;
    default: return TACIT_OK;
    }
}

/* libyaml gives an offset, not a line, for bytes that are no characters. */
static tacit_status bad_bytes(const builder *b, const yaml_parser_t *parser, tacit_strview bytes)
{
    size_t end = parser->problem_offset < bytes.len ? parser->problem_offset : bytes.len;
    int64_t line = 1, column = 1;
    for (size_t i = 0; i < end; i++) {
        if (bytes.bytes[i] == '\n') {
            line++;
            column = 1;
        } else if (((unsigned char)bytes.bytes[i] & 0xC0) != 0x80)
            column++;
    }
    return tacit__error_at(b->err, TACIT_PARSE, b->name, line, column,
                           "not UTF-8 text: %s; save the policy as UTF-8", parser->problem);
}

static tacit_status bad_yaml(const builder *b, const yaml_parser_t *parser, tacit_strview bytes)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return tacit__nomem(b->err);
    if (parser->error == YAML_READER_ERROR)
        return bad_bytes(b, parser, bytes);
    int64_t line = (int64_t)parser->problem_mark.line + 1;
    int64_t column = (int64_t)parser->problem_mark.column + 1;
    const char *problem = parser->problem ? parser->problem : "cannot be read";
    if (!parser->context)
        return tacit__error_at(b->err, TACIT_PARSE, b->name, line, column, "not valid YAML: %s",
                               problem);
    return tacit__error_at(b->err, TACIT_PARSE, b->name, line, column,
                           "not valid YAML: %s, %s that starts on line %lld", problem,
                           parser->context, (long long)parser->context_mark.line + 1);
}

/* libyaml skips a byte order mark only when left to guess among encodings. */
static tacit_strview without_mark(tacit_strview bytes)
{
    static const char mark[] = "\xEF\xBB\xBF";
    if (bytes.len >= 3 && memcmp(bytes.bytes, mark, 3) == 0)
        return (tacit_strview){bytes.bytes + 3, bytes.len - 3};
    return bytes;
}

tacit_status tacit__yaml_read(tacit__policy_node **root, tacit__arena *arena, tacit_strview bytes,
                              const char *name, tacit_error *err)
{
    builder b = {.arena = arena, .name = name, .err = err};
    bytes = without_mark(bytes);
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return tacit__nomem(err);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)(bytes.len ? bytes.bytes : ""),
                                 bytes.len);
    tacit_status status = TACIT_OK;
    bool ended = false;
    while (status == TACIT_OK && !ended) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = bad_yaml(&b, &parser, bytes);
            break;
        }
        ended = event.type == YAML_STREAM_END_EVENT;
        status = take(&b, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (status == TACIT_OK && !b.root)
        status = tacit__error_at(err, TACIT_PARSE, name, 0, 0,
                                 "empty: expected keys such as k and columns");
    if (status == TACIT_OK)
        *root = b.root;
    return status;
}
