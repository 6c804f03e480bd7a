/*
 * keys.h - the rules behind the keys, and the columns they speak of.
 */
#ifndef TACIT_SRC_POLICY_KEYS_H
#define TACIT_SRC_POLICY_KEYS_H

#include "policy/setting.h"

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
} tacit__policy_rule;

/* The key of that name, or NULL. */
const tacit_policy_key *tacit__policy_key_find(tacit_strview name);

/* Gives s->key its value and remembers where the file does so. */
tacit_status tacit__policy_apply(const tacit__setting *s, const tacit__policy_node *value);

/* The index of the column of that name, or -1. */
int32_t tacit__policy_column_find(const tacit_policy *policy, tacit_strview name);

/* The column of that name, added with its line where the policy has none yet. */
tacit_status tacit__policy_column_of(int32_t *index, tacit_policy *policy, tacit_strview name,
                                     int64_t line, tacit_error *err);

/* Makes columns that say nothing of suppression follow the policy; hierarchies
 * of sensitive columns measure distances and get no suppressed level. */
void tacit__policy_settle(tacit_policy *policy);

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

/* Setters of the keys about earlier releases (previous.c). */
tacit_status tacit__set_previous(const tacit__setting *s, const tacit__policy_node *value);
tacit_status tacit__set_previous_way(const tacit__setting *s, const tacit__policy_node *value);
void tacit__policy_previous_clear(tacit_policy *policy);

/* Setter of the keys about techniques (techniques.c). */
tacit_status tacit__set_techniques(const tacit__setting *s, const tacit__policy_node *value);
void tacit__policy_steps_clear(tacit_policy *policy);

/* Setters of the keys about ambiguation (blanks.c). */
tacit_status tacit__set_heuristic(const tacit__setting *s, const tacit__policy_node *value);
tacit_status tacit__set_blanks(const tacit__setting *s, const tacit__policy_node *value);
tacit_status tacit__set_max_row(const tacit__setting *s, const tacit__policy_node *value);
tacit_status tacit__set_max_column(const tacit__setting *s, const tacit__policy_node *value);
tacit_status tacit__set_row_order(const tacit__setting *s, const tacit__policy_node *value);
tacit_status tacit__set_measure(const tacit__setting *s, const tacit__policy_node *value);
tacit_status tacit__set_blank_costs(const tacit__setting *s, const tacit__policy_node *value);
tacit_status tacit__set_redundant(const tacit__setting *s, const tacit__policy_node *value);
tacit_status tacit__set_hide(const tacit__setting *s, const tacit__policy_node *value);
void tacit__policy_blanks_clear(tacit_policy_blanks *blanks);

/* The key that gives models of a kind. */
const char *tacit__model_key(tacit_model_kind kind);

#endif
