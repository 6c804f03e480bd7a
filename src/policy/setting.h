/*
 * setting.h - giving one key its value: what is set, where it comes from, and
 * the readers of single values, which tell what was expected and what stands
 * there instead.
 */
#ifndef TACIT_SRC_POLICY_SETTING_H
#define TACIT_SRC_POLICY_SETTING_H

#include <tacit/experimental/policy.h>

#include "policy/node.h"

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

#endif
