/*
 * keys.h - a policy in the making: values before they are understood, the readers of single ones,
 * the rules behind the keys, and the columns they speak of.
 *
 * A YAML file and a flag both become nodes, so that one set of functions reads them: text, a list
 * or a mapping, with the place it stands at. What reads a value tells what was expected and what
 * stands there instead.
 */
#ifndef TACIT_POLICY_KEYS_H
#define TACIT_POLICY_KEYS_H

#include <tacit/base.h>
#include <tacit/experimental/policy.h>

#include "base/arena.h"

/* The most items that km may say somebody knows, and bytes between two. */
enum { TACIT__MAX_KM = 8, TACIT__MAX_SEPARATOR = 8 };

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
 * TACIT__YAML_DEPTH and maps of more than TACIT_MAX_COLUMNS entries or lists of more than
 * TACIT_MAX_SETS + 1 are errors; name is for messages. */
enum { TACIT__YAML_DEPTH = 8 };
tacit_status tacit__yaml_read(tacit__policy_node **root, tacit__arena *arena, tacit_strview bytes,
                              const char *name, tacit_error *err);

typedef struct tacit__setting {
    tacit_policy *policy;
    const tacit_policy_key *key;
    int32_t column;        /* of the policy, whose key it is; -1: the policy's own */
    const char *file;      /* the policy file, for messages; NULL: a flag */
    const char *directory; /* where relative file names start; NULL: the working directory */
    tacit_error *err;
} tacit__setting;

/* "KEY of column "NAME": message", at the node's place. at may be NULL. */
tacit_status tacit__wrong(const tacit__setting *s, const tacit__policy_node *at, const char *format,
                          ...) __attribute__((format(printf, 3, 4)));

/* "expected ..., found ...". */
tacit_status tacit__unexpected(const tacit__setting *s, const tacit__policy_node *at,
                               const char *expected);

/* Whether a node says nothing: empty, or YAML's null. */
bool tacit__is_nothing(const tacit__policy_node *node);

/* Each reads one value or fails with a message; expected says in words what the
 * value has to be. */
tacit_status tacit__read_integer(int64_t *out, const tacit__setting *s,
                                 const tacit__policy_node *node, int64_t min, int64_t max,
                                 const char *expected);
tacit_status tacit__read_number(double *out, const tacit__setting *s,
                                const tacit__policy_node *node, double min, double max,
                                const char *expected);
tacit_status tacit__read_bool(bool *out, const tacit__setting *s, const tacit__policy_node *node);

/* The number of the choice, from 0; the list of choices ends in NULL. */
tacit_status tacit__read_choice(int *out, const tacit__setting *s, const tacit__policy_node *node,
                                const char *const *choices);

/* Borrowed text that is not empty. */
tacit_status tacit__read_text(tacit_strview *out, const tacit__setting *s,
                              const tacit__policy_node *node, const char *expected);

/* Each sets a value that is read by the functions above. Texts are replaced. */
tacit_status tacit__set_text(char **slot, const tacit__setting *s, const tacit__policy_node *value,
                             const char *expected);
tacit_status tacit__set_one_of(char **slot, const tacit__setting *s,
                               const tacit__policy_node *value, const char *const *choices);
tacit_status tacit__set_either(bool *slot, const tacit__setting *s, const tacit__policy_node *value,
                               const char *no, const char *yes);

/* The same of a file name; relative ones start at the setting's directory. */
tacit_status tacit__set_file(char **slot, const tacit__setting *s, const tacit__policy_node *value);

/* Gives a value, or every item of a list, to add, until one fails. */
tacit_status tacit__set_each(const tacit__setting *s, const tacit__policy_node *value,
                             tacit_status (*add)(const tacit__setting *s,
                                                 const tacit__policy_node *item));

/* The entry of a mapping of that name, or NULL. */
const tacit__policy_node *tacit__entry(const tacit__policy_node *map, const char *name);

/* Fails on the first entry of a mapping whose key is not among names (ending
 * in NULL), with the nearest of them. */
tacit_status tacit__only_entries(const tacit__setting *s, const tacit__policy_node *map,
                                 const char *const *names);

/* A file name as a policy gives it, copied: relative ones start at directory,
 * which may be NULL. NULL when memory ran out. */
char *tacit__join_path(const char *directory, tacit_strview name);

/* How a flag's text becomes a node. */
typedef enum tacit__setting_shape {
    TACIT__SHAPE_ONE = 0, /* the text as it is */
    TACIT__SHAPE_LIST,    /* A,B,C: a list */
    TACIT__SHAPE_SETS,    /* A,B;B,C: a list of lists */
    TACIT__SHAPE_PAIRS    /* A=x,B=y: a mapping */
} tacit__setting_shape;

tacit_status tacit__flag_read(tacit__policy_node **out, tacit__arena *arena,
                              const tacit__setting *s, const char *text,
                              tacit__setting_shape shape);

/* Splits NAME=VALUE at the separator. Without a name, *name is NULL and *rest
 * is the text. */
tacit_status tacit__flag_split(tacit__policy_node **name, const char **rest, tacit__arena *arena,
                               const tacit__setting *s, const char *text, char separator);

/* Where a key may stand, as bits. */
enum {
    TACIT__SCOPE_TOP = 1,    /* at the top of the file */
    TACIT__SCOPE_COLUMN = 2, /* under a column; as a flag NAME=VALUE */
    TACIT__SCOPE_FLAG = 4,   /* among the flags only: a shorthand */
    TACIT__SCOPE_COLON = 8   /* and the flag may be NAME:VALUE as well */
};

typedef struct tacit__policy_rule {
    int scope;
    tacit__setting_shape shape;
    tacit_status (*set)(const tacit__setting *s, const tacit__policy_node *value);
    size_t field;         /* of a policy, where the key only sets it: its offset */
    const char *words[6]; /* what it may be, NULL after the last, or what is expected */
} tacit__policy_rule;

/* The key of that name, or NULL. */
const tacit_policy_key *tacit__policy_key_find(tacit_strview name);

/* The index of the column of that name, or -1. */
int32_t tacit__policy_column_find(const tacit_policy *policy, tacit_strview name);

/* The column of that name, added with its line where the policy has none yet. */
tacit_status tacit__policy_column_of(int32_t *index, tacit_policy *policy, tacit_strview name,
                                     int64_t line, tacit_error *err);

void tacit__quasi_sets_free(tacit_quasi_set *sets, int32_t count);

#define TACIT__MAX_WEIGHT 1e9

/* What is wrong with an entry of the anonymity table after the one before it
 * (NULL: the first), or NULL where nothing is. */
const char *tacit__anonymity_problem(const tacit_anonymity_step *before,
                                     const tacit_anonymity_step *step);

/* Setters of the keys whose values have parts. */
tacit_status tacit__set_anonymity_table(const tacit__setting *s, const tacit__policy_node *value);
tacit_status tacit__set_hierarchy(const tacit__setting *s, const tacit__policy_node *value);
tacit_status tacit__set_quasi_identifiers(const tacit__setting *s, const tacit__policy_node *value);

/* Sets the models of s->key: diversity, closeness, alpha, presence, k-map. */
tacit_status tacit__set_models(const tacit__setting *s, const tacit__policy_node *value);

void tacit__policy_previous_clear(tacit_policy *policy);

/* Setter of the keys about techniques (techniques.c). */
tacit_status tacit__set_techniques(const tacit__setting *s, const tacit__policy_node *value);
void tacit__policy_steps_clear(tacit_policy *policy);

void tacit__missing_codes_clear(tacit_missing_codes *codes);

void tacit__policy_blanks_clear(tacit_policy_blanks *blanks);

/* The key that gives models of a kind. */
const char *tacit__model_key(tacit_model_kind kind);

#endif
