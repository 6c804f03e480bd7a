/*
 * settings.c - the settings of a kind, looked up by name, checked and kept in their order: policy
 * keys are applied in that order, everything else asks for the last value.
 */
#include "engine/job/settings.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tacit/experimental.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/job/kinds.h"

/* Of every kind that reads data. */
static const engine_setting COMMON[] = {
    {"report", TACIT_SETTING_FILE, "R.json", "write the report of the run as JSON", false, false},
    {"html", TACIT_SETTING_FILE, "R.html", "write the report as a page to read", false, false},
    {"time", TACIT_SETTING_SECONDS, "SECONDS",
     "stop after this time: a search returns its best so far, other work stops (exit status 4)",
     false, false},
    {"seed", TACIT_SETTING_NUMBER, "N",
     "repeat a run exactly; anyone who knows the number can undo what was random", false, false},
    {"threads", TACIT_SETTING_NUMBER, "N",
     "processors to use; all of them unless given. Results do not depend on it", false, false},
    {"delimiter", TACIT_SETTING_CHARACTER, "C",
     "what separates the fields; detected unless given (\"tab\" for a tab)", false, false},
    {"no-header", TACIT_SETTING_SWITCH, NULL,
     "the first line is data; columns are named V1, V2 and so on", false, false},
    {"query", TACIT_SETTING_FILE, "Q.sql",
     "of a table in an engine: work on what this query answers instead, such as eligible records "
     "or "
     "several tables joined",
     false, false},
    {"fetch-rows", TACIT_SETTING_SWITCH, NULL,
     "of a table in an engine: its rows may leave it, to be worked on in memory; unless given, "
     "what "
     "needs them is refused",
     false, false},
    {"show", TACIT_SETTING_SWITCH, NULL,
     "let messages show values of the data and, with audit, whom an attack exposes and what "
     "follows: for your eyes only",
     false, false},
    {NULL, TACIT_SETTING_SWITCH, NULL, NULL, false, false},
};

static const engine_setting POLICY = {
    "policy", TACIT_SETTING_FILE,
    "P.yaml", "the data holder's decisions: roles of columns, k, loss and more",
    false,    false};

static void append(engine_setting_list *list, engine_setting setting)
{
    assert(list->count < ENGINE_MAX_SETTINGS);
    list->items[list->count++] = setting;
}

static void append_table(engine_setting_list *list, const engine_setting *table, bool common)
{
    for (; table && table->name; table++) {
        append(list, *table);
        list->items[list->count - 1].is_common = common;
    }
}

static tacit_setting_type kind_of_key(const tacit_policy_key *key)
{
    if (!key->argument)
        return TACIT_SETTING_SWITCH;
    if (strcmp(key->argument, "FOLDER") == 0)
        return TACIT_SETTING_FOLDER;
    return strcmp(key->argument, "FILE") == 0 ? TACIT_SETTING_FILE : TACIT_SETTING_TEXT;
}

static engine_setting setting_of_key(const tacit_policy_key *key)
{
    return (engine_setting){.name = key->name,
                            .type = kind_of_key(key),
                            .argument = key->argument,
                            .help = key->help,
                            .is_policy = true};
}

static bool is_flag(const engine_kind *kind, const tacit_policy_key *key)
{
    const char *const *names = kind->policy_keys;
    while (names && *names && strcmp(*names, key->name) != 0)
        names++;
    return !names || *names;
}

void engine_settings_of(engine_setting_list *list, const engine_kind *kind)
{
    list->count = 0;
    if (kind->takes_policy)
        append(list, POLICY);
    append_table(list, kind->settings, false);
    if (kind->takes_policy)
        for (const tacit_policy_key *key = tacit_policy_keys(); key->name; key++)
            if (is_flag(kind, key))
                append(list, setting_of_key(key));
    if (kind->takes_data)
        append_table(list, COMMON, true);
}

static bool parse_number(uint64_t *out, const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno)
        return false;
    *out = value;
    return true;
}

static bool parse_real(double *out, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value) || value < 0)
        return false;
    *out = value;
    return true;
}

static bool parse_seconds(double *out, const char *text)
{
    double value;
    if (!parse_real(&value, text) || value == 0)
        return false;
    *out = value;
    return true;
}

static bool parse_character(char *out, const char *text)
{
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0)
        *out = '\t';
    else if (text[0] > ' ' && text[0] != '"' && text[0] < 127 && !text[1])
        *out = text[0];
    else if (strcmp(text, "\t") == 0 || strcmp(text, " ") == 0)
        *out = text[0];
    else
        return false;
    return true;
}

static tacit_status check_value(const engine_setting *setting, const char *value, tacit_error *err)
{
    uint64_t number;
    double real;
    char character;
    if (setting->type == TACIT_SETTING_NUMBER && !parse_number(&number, value))
        return tacit__error(err, TACIT_INVALID, "--%s takes a natural number, not \"%.40s\"",
                            setting->name, value);
    if (setting->type == TACIT_SETTING_SECONDS && !parse_seconds(&real, value))
        return tacit__error(err, TACIT_INVALID, "--%s takes a number above 0, not \"%.40s\"",
                            setting->name, value);
    if (setting->type == TACIT_SETTING_REAL && !parse_real(&real, value))
        return tacit__error(err, TACIT_INVALID, "--%s takes a number, 0 or more, not \"%.40s\"",
                            setting->name, value);
    if (setting->type == TACIT_SETTING_CHARACTER && !parse_character(&character, value))
        return tacit__error(err, TACIT_INVALID,
                            "--%s takes one character, or \"tab\", not \"%.40s\"", setting->name,
                            value);
    if ((setting->type == TACIT_SETTING_FILE || setting->type == TACIT_SETTING_FOLDER) && !*value)
        return tacit__error(err, TACIT_INVALID, "--%s takes a name that is not empty",
                            setting->name);
    return TACIT_OK;
}

static const engine_setting *find_name(const engine_setting_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

tacit_status engine_settings_add(engine_settings *settings, const char *name, const char *value,
                                 tacit_error *err)
{
    const engine_setting *setting = find_name(&settings->list, name);
    if (!setting)
        return tacit__error(err, TACIT_INVALID, "there is no setting \"%.40s\"", name);
    bool is_switch = setting->type == TACIT_SETTING_SWITCH;
    if (is_switch && value && *value)
        return tacit__error(err, TACIT_INVALID, "--%s takes no value", name);
    tacit_status status = is_switch ? TACIT_OK : check_value(setting, value ? value : "", err);
    if (status != TACIT_OK)
        return status;
    char *copy =
        is_switch ? NULL : tacit__copy_bytes(value ? value : "", strlen(value ? value : ""));
    if ((!is_switch && !copy) ||
        !tacit__reserve((void **)&settings->given, &settings->given_capacity,
                        settings->given_count + 1, sizeof *settings->given)) {
        tacit__free(copy);
        return tacit__nomem(err);
    }
    settings->given[settings->given_count++] = (engine_given){setting, copy};
    return TACIT_OK;
}

tacit_status engine_settings_input(engine_settings *settings, const char *path, tacit_error *err)
{
    char *copy = tacit__copy_bytes(path, strlen(path));
    if (!copy || !tacit__reserve((void **)&settings->inputs, &settings->input_capacity,
                                 settings->input_count + 1, sizeof *settings->inputs)) {
        tacit__free(copy);
        return tacit__nomem(err);
    }
    settings->inputs[settings->input_count++] = copy;
    return TACIT_OK;
}

void engine_settings_clear(engine_settings *settings)
{
    for (size_t i = 0; i < settings->given_count; i++)
        tacit__free(settings->given[i].value);
    for (size_t i = 0; i < settings->input_count; i++)
        tacit__free(settings->inputs[i]);
    tacit__free(settings->given);
    tacit__free(settings->inputs);
    tacit__free(settings->policy_text);
}

static const engine_given *last_given(const engine_settings *settings, const char *name)
{
    for (size_t i = settings->given_count; i-- > 0;)
        if (strcmp(settings->given[i].setting->name, name) == 0)
            return &settings->given[i];
    return NULL;
}

const char *engine_not_among(const engine_settings *settings, const char *const *names,
                             size_t count)
{
    for (size_t i = 0; i < settings->given_count; i++) {
        const char *name = settings->given[i].setting->name;
        bool among = false;
        for (size_t k = 0; k < count; k++)
            among |= strcmp(names[k], name) == 0;
        if (!among)
            return name;
    }
    return NULL;
}

bool engine_has(const engine_settings *settings, const char *name)
{
    return last_given(settings, name) != NULL;
}

const char *engine_value(const engine_settings *settings, const char *name)
{
    const engine_given *given = last_given(settings, name);
    return given ? given->value : NULL;
}

uint64_t engine_number(const engine_settings *settings, const char *name, uint64_t fallback)
{
    const char *value = engine_value(settings, name);
    if (value)
        parse_number(&fallback, value);
    return fallback;
}

double engine_seconds(const engine_settings *settings, const char *name, double fallback)
{
    const char *value = engine_value(settings, name);
    if (value)
        parse_seconds(&fallback, value);
    return fallback;
}

double engine_real(const engine_settings *settings, const char *name, double fallback)
{
    const char *value = engine_value(settings, name);
    if (value)
        parse_real(&fallback, value);
    return fallback;
}

char engine_character(const engine_settings *settings, const char *name, char fallback)
{
    const char *value = engine_value(settings, name);
    if (value)
        parse_character(&fallback, value);
    return fallback;
}

tacit_status engine_choice(int *out, const engine_settings *settings, const char *name,
                           const char *const *names, int count, tacit_error *err)
{
    const char *value = engine_value(settings, name);
    char known[128] = "";
    size_t len = 0;
    *out = -1;
    for (int i = 0; value && i < count; i++) {
        if (strcmp(value, names[i]) == 0)
            *out = i;
        len += (size_t)snprintf(known + len, sizeof known - len, "%s%s",
                                i == 0          ? ""
                                : i + 1 < count ? ", "
                                                : " or ",
                                names[i]);
        assert(len < sizeof known);
    }
    if (!value || *out >= 0)
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID, "--%s takes %s, not \"%.40s\"", name, known, value);
}
