/*
 * node.h - a value before it is understood: text, a list or a mapping, with the
 * place it stands at. A YAML file and a flag both become nodes, so that one set
 * of functions reads them.
 */
#ifndef TACIT_SRC_POLICY_NODE_H
#define TACIT_SRC_POLICY_NODE_H

#include <tacit/base.h>

#include "base/arena.h"

typedef enum tacit__node_kind {
    TACIT__NODE_PLAIN = 0, /* text as YAML writes it bare: may be a number, a truth, nothing */
    TACIT__NODE_QUOTED,    /* text in quotes or a block: text whatever it looks like */
    TACIT__NODE_FLAG,      /* text of a flag: a number or a name, as the key wants it */
    TACIT__NODE_LIST,
    TACIT__NODE_MAP
} tacit__node_kind;

/* Children of a list or mapping are chained; those of a mapping have a key.
 * Nodes and texts live in an arena; texts are terminated and hold no NUL. */
typedef struct tacit__policy_node tacit__policy_node;
struct tacit__policy_node {
    tacit__node_kind kind;
    int32_t count; /* children */
    tacit_strview text;
    int64_t line; /* from 1; 0 for flags */
    int64_t column;
    const tacit__policy_node *key;
    tacit__policy_node *first, *last, *next;
};

static inline bool tacit__node_is_text(const tacit__policy_node *node)
{
    return node->kind != TACIT__NODE_LIST && node->kind != TACIT__NODE_MAP;
}

/* An empty node, or NULL when memory ran out. */
tacit__policy_node *tacit__node_new(tacit__arena *arena, tacit__node_kind kind);

/* A node of text, copied, or NULL when memory ran out. */
tacit__policy_node *tacit__node_text(tacit__arena *arena, tacit__node_kind kind,
                                     tacit_strview text);

void tacit__node_append(tacit__policy_node *parent, tacit__policy_node *child);

/* Reads one YAML document. Anchors, tags, repeated keys, nesting deeper than
 * TACIT__YAML_DEPTH and collections of more than TACIT_MAX_COLUMNS entries are
 * errors; name is for messages. */
enum { TACIT__YAML_DEPTH = 8 };
tacit_status tacit__yaml_read(tacit__policy_node **root, tacit__arena *arena, tacit_strview bytes,
                              const char *name, tacit_error *err);

#endif
