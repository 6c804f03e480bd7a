/*
 * settings.h - what a kind of job can be told, by name: one table a kind, from which command lines,
 * help, manual pages and bindings are made. Keys of the policy are settings of every kind that
 * takes one.
 */
#ifndef TACIT_ENGINE_JOB_SETTINGS_H
#define TACIT_ENGINE_JOB_SETTINGS_H

#include <tacit/job.h>

/* A table of settings ends in an entry without a name. */
typedef struct tacit_setting {
    const char *name;
    tacit_setting_type type;
    const char *argument;
    const char *help;
    bool is_policy;
    bool is_common;
} engine_setting;

enum { ENGINE_MAX_SETTINGS = 112 };

/* Every setting of a kind: its own, the policy's keys, the common ones. */
/* A setting of a kind's own: neither a key of the policy nor common to kinds. */
#define ENGINE_SETTING(name, type, value, help)               \
    {                                                         \
        name, TACIT_SETTING_##type, value, help, false, false \
    }

typedef struct engine_setting_list {
    engine_setting items[ENGINE_MAX_SETTINGS];
    size_t count;
} engine_setting_list;

typedef struct engine_given {
    const engine_setting *setting;
    char *value; /* NULL for a switch */
} engine_given;

/* What a job was told, in its order, and what it works on. */
typedef struct engine_settings {
    engine_setting_list list;
    engine_given *given;
    size_t given_count, given_capacity;
    char **inputs;
    size_t input_count, input_capacity;
    char *policy_text; /* the policy where it is given as text; NULL: it is a file */
} engine_settings;

struct engine_kind;

void engine_settings_of(engine_setting_list *list, const struct engine_kind *kind);

/* Adds a value, which is copied, once it is known to be one of its type; NULL for a switch. */
tacit_status engine_settings_add(engine_settings *settings, const char *name, const char *value,
                                 tacit_error *err);
tacit_status engine_settings_input(engine_settings *settings, const char *path, tacit_error *err);
void engine_settings_clear(engine_settings *settings);

/* Whether a setting was given, and its last value (NULL where it was not). */
bool engine_has(const engine_settings *settings, const char *name);
const char *engine_value(const engine_settings *settings, const char *name);

/* The first setting that was given and is not among some; NULL: none. */
const char *engine_not_among(const engine_settings *settings, const char *const *names,
                             size_t count);

/* The last value as a number; fallback where it was not given. Adding it has made sure that it is
 * one. */
uint64_t engine_number(const engine_settings *settings, const char *name, uint64_t fallback);
double engine_seconds(const engine_settings *settings, const char *name, double fallback);
double engine_real(const engine_settings *settings, const char *name, double fallback);
char engine_character(const engine_settings *settings, const char *name, char fallback);

/* The place of the last value in a list of names; -1 where it was not given. */
tacit_status engine_choice(int *out, const engine_settings *settings, const char *name,
                           const char *const *names, int count, tacit_error *err);

#endif
