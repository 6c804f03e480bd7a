/*
 * settings.c - the table of techniques (Figure 17), and the settings of a step: names looked up in
 * the technique's table of options, values read by their sort. Messages name the step, the setting
 * and the place in the policy.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "techniques/runner/masking.h"
#include "techniques/runner/technique.h"
#include "techniques/sheet/sheet.h"

/* A technique is a file that defines tacit__technique_NAME, and a line here. */
/* clang-format off */
#define FOR_EACH_TECHNIQUE(X) \
    X(encrypt)                \
    X(pseudonym)              \
    X(swap)                   \
    X(rank_swap)              \
    X(record_swap)            \
    X(substitute)             \
    X(outliers)               \
    X(microaggregate)         \
    X(perturb)                \
    X(pram)                   \
    X(round)                  \
    X(top_code)               \
    X(bottom_code)            \
    X(noise)                  \
    X(sample)                 \
    X(add)                    \
    X(scramble)               \
    X(synthesize)
/* clang-format on */

#define DECLARE_TECHNIQUE(name)    extern const tacit_technique tacit__technique_##name;
#define ADDRESS_OF_TECHNIQUE(name) &tacit__technique_##name,

FOR_EACH_TECHNIQUE(DECLARE_TECHNIQUE)

static const tacit_technique *const TECHNIQUES[] = {FOR_EACH_TECHNIQUE(ADDRESS_OF_TECHNIQUE) NULL};

const tacit_technique *const *tacit_techniques(void)
{
    return TECHNIQUES;
}

const tacit_technique *tacit_technique_find(const char *name)
{
    for (const tacit_technique *const *each = TECHNIQUES; *each; each++)
        if (strcmp((*each)->name, name) == 0)
            return *each;
    return NULL;
}

enum { SEED, OTHERS, DECIMALS };

static const char *const OTHER_WORDS[] = {"refuse", "keep", NULL};

static const tacit_technique_option COMMON[] = {
    [SEED] = {"seed", TACIT_TECHNIQUE_INTEGER,
              .help = "random numbers of this step alone, in place of those of the run",
              .secret = true, .most = 9007199254740991.0},
    [OTHERS] = {"others", TACIT_TECHNIQUE_CHOICE,
                .help = "cells among numbers that are none: an error, or left unchanged",
                .choices = OTHER_WORDS},
    [DECIMALS] = {"decimals", TACIT_TECHNIQUE_INTEGER,
                  .help = "decimals that numbers are written with; as many as the column has",
                  .most = TACIT__MAX_DECIMALS},
    {.name = NULL},
};

const tacit_technique_option *tacit_technique_common(void)
{
    return COMMON;
}

/* What is being read, for messages. */
typedef struct asked {
    const tacit_technique_step *step;
    const tacit_technique_setting *setting;
    const tacit_technique_option *option;
    tacit_error *err;
} asked;

static tacit_status wrong(const asked *a, const char *what)
{
    tacit__shown shown =
        tacit__show(tacit_strview_of(a->setting->value_count ? a->setting->values[0] : ""));
    return tacit__error_at(a->err, TACIT_INVALID, a->step->file,
                           a->setting->line ? a->setting->line : a->step->line, 0,
                           "%s of %s is to be %s, not \"%s\"", a->option->name, a->step->technique,
                           what, shown.text);
}

static tacit_status read_number(tacit__runner_value *value, const asked *a)
{
    char what[96];
    const tacit_technique_option *option = a->option;
    bool whole = option->sort == TACIT_TECHNIQUE_INTEGER;
    double number = a->setting->value_count == 1
                        ? tacit__decimal_read(tacit_strview_of(a->setting->values[0]))
                        : NAN;
    if (number >= option->least && number <= option->most && (!whole || number == floor(number))) {
        value->number = number;
        return TACIT_OK;
    }
    snprintf(what, sizeof what, "a %snumber from %g to %g", whole ? "whole " : "", option->least,
             option->most);
    return wrong(a, what);
}

static tacit_status read_choice(int *choice, const asked *a)
{
    char what[160] = "one of";
    for (int i = 0; a->option->choices[i]; i++) {
        const char *word = a->option->choices[i];
        size_t len = strlen(what);
        if (a->setting->value_count == 1 && strcmp(a->setting->values[0], word) == 0) {
            *choice = i;
            return TACIT_OK;
        }
        snprintf(what + len, sizeof what - len, "%s %s", i ? "," : "", word);
    }
    return wrong(a, what);
}

static tacit_status read_switch(tacit__runner_value *value, const asked *a)
{
    const char *text = a->setting->value_count == 1 ? a->setting->values[0] : "";
    bool yes = strcmp(text, "true") == 0;
    if (!yes && strcmp(text, "false") != 0)
        return wrong(a, "true or false");
    value->number = yes;
    return TACIT_OK;
}

static tacit_status read_texts(tacit__runner_value *value, const asked *a, tacit__arena *arena)
{
    size_t count = a->setting->value_count;
    if (count == 0)
        return wrong(a, "a name or several");
    const char **texts = tacit__arena_alloc(arena, count * sizeof *texts);
    for (size_t i = 0; texts && i < count; i++) {
        tacit_strview copy = tacit__arena_copy(arena, tacit_strview_of(a->setting->values[i]));
        if (!copy.bytes)
            return tacit__nomem(a->err);
        for (size_t j = 0; j < i; j++)
            if (a->option->sort == TACIT_TECHNIQUE_COLUMNS && strcmp(texts[j], copy.bytes) == 0)
                return wrong(a, "columns, each once");
        texts[i] = copy.bytes;
    }
    value->texts = texts;
    value->text_count = count;
    return texts ? TACIT_OK : tacit__nomem(a->err);
}

/* A file's name where the work is done. */
static tacit_status read_file(tacit__runner_value *value, const asked *a, tacit__arena *arena)
{
    const char *name = a->setting->value_count == 1 ? a->setting->values[0] : "";
    const char *folder = a->step->directory && name[0] != '/' ? a->step->directory : "";
    size_t size = strlen(folder) + strlen(name) + 2;
    if (!*name)
        return wrong(a, "a file");
    const char **texts = tacit__arena_alloc(arena, sizeof *texts);
    char *path = texts ? tacit__arena_alloc(arena, size) : NULL;
    if (!path)
        return tacit__nomem(a->err);
    snprintf(path, size, "%s%s%s", folder, *folder ? "/" : "", name);
    texts[0] = path;
    value->texts = texts;
    value->text_count = 1;
    return TACIT_OK;
}

static tacit_status read_value(tacit__runner_value *value, const asked *a, tacit__arena *arena)
{
    if (value->given)
        return wrong(a, "given once");
    value->given = true;
    value->line = a->setting->line ? a->setting->line : a->step->line;
    switch (a->option->sort) {
    case TACIT_TECHNIQUE_COLUMNS:
    case TACIT_TECHNIQUE_TEXT: return read_texts(value, a, arena);
    case TACIT_TECHNIQUE_FILE: return read_file(value, a, arena);
    case TACIT_TECHNIQUE_CHOICE: return read_choice(&value->choice, a);
    case TACIT_TECHNIQUE_SWITCH: return read_switch(value, a);
    default: return read_number(value, a);
    }
}

/* The option's place in a table, or -1. */
static int option_of(const tacit_technique_option *options, const char *name)
{
    for (int i = 0; options[i].name; i++)
        if (strcmp(options[i].name, name) == 0)
            return i;
    return -1;
}

static void list_options(char *text, size_t size, const tacit_technique_option *options)
{
    for (; options->name; options++) {
        size_t len = strlen(text);
        snprintf(text + len, size - len, "%s%s", len ? ", " : "", options->name);
    }
}

static tacit_status unknown(const asked *a, const tacit_technique_option *options)
{
    char known[400] = "";
    list_options(known, sizeof known, options);
    list_options(known, sizeof known, COMMON);
    tacit__shown shown = tacit__show(tacit_strview_of(a->setting->name));
    return tacit__error_at(
        a->err, TACIT_INVALID, a->step->file, a->setting->line ? a->setting->line : a->step->line,
        0, "%s has no setting \"%s\"; it has %s", a->step->technique, shown.text, known);
}

static tacit_status read_common(tacit__runner_value *common, const asked *a, tacit__arena *arena)
{
    asked named = *a;
    int place = option_of(COMMON, a->setting->name);
    if (place < 0)
        return unknown(a, tacit_technique_find(a->step->technique)->options);
    named.option = &COMMON[place];
    return read_value(&common[place], &named, arena);
}

static tacit_status read_settings(tacit__runner_step *step, tacit__runner_value *common,
                                  const tacit_technique_step *from, tacit__arena *arena,
                                  tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; status == TACIT_OK && i < from->setting_count; i++) {
        asked a = {from, &from->settings[i], NULL, err};
        int place = option_of(step->technique->options, a.setting->name);
        if (place < 0) {
            status = read_common(common, &a, arena);
            continue;
        }
        a.option = &step->technique->options[place];
        status = read_value(&step->values[place], &a, arena);
    }
    return status;
}

static tacit_status require(const tacit__runner_step *step, tacit_error *err)
{
    for (size_t i = 0; i < step->value_count; i++)
        if (step->technique->options[i].required && !step->values[i].given)
            return tacit__error_at(err, TACIT_INVALID, step->file, step->line, 0,
                                   "%s needs the setting %s: %s", step->technique->name,
                                   step->technique->options[i].name,
                                   step->technique->options[i].help);
    return TACIT_OK;
}

static tacit_status find_technique(tacit__runner_step *step, const tacit_technique_step *from,
                                   tacit_error *err)
{
    char known[600] = "";
    step->technique = tacit_technique_find(from->technique);
    if (step->technique)
        return TACIT_OK;
    for (const tacit_technique *const *each = tacit_techniques(); *each; each++) {
        size_t len = strlen(known);
        snprintf(known + len, sizeof known - len, "%s%s", len ? ", " : "", (*each)->name);
    }
    tacit__shown shown = tacit__show(tacit_strview_of(from->technique));
    return tacit__error_at(err, TACIT_INVALID, from->file, from->line, 0,
                           "there is no technique \"%s\"; there are %s", shown.text, known);
}

static tacit_status make_values(tacit__runner_step *step, tacit_error *err)
{
    const tacit_technique_option *options = step->technique->options;
    while (options[step->value_count].name)
        step->value_count++;
    step->values = tacit__alloc_zeroed(step->value_count + 1, sizeof *step->values);
    if (!step->values)
        return tacit__nomem(err);
    for (size_t i = 0; i < step->value_count; i++)
        step->values[i].number = options[i].usual;
    return TACIT_OK;
}

tacit_status tacit__step_read(tacit__runner_step *step, const tacit_technique_step *from,
                              tacit__arena *arena, tacit_error *err)
{
    tacit__runner_value common[sizeof COMMON / sizeof *COMMON] = {0};
    *step = (tacit__runner_step){.decimals = -1, .line = from->line};
    tacit_status status = find_technique(step, from, err);
    if (status == TACIT_OK && from->file) {
        step->file = tacit__copy_text(from->file);
        status = step->file ? TACIT_OK : tacit__nomem(err);
    }
    if (status == TACIT_OK)
        status = make_values(step, err);
    if (status == TACIT_OK)
        status = read_settings(step, common, from, arena, err);
    if (status == TACIT_OK)
        status = require(step, err);
    if (status != TACIT_OK) {
        tacit__step_clear(step);
        return status;
    }
    step->keep_others = common[OTHERS].choice == 1;
    step->decimals = common[DECIMALS].given ? (int)common[DECIMALS].number : -1;
    step->has_seed = common[SEED].given;
    step->seed = (uint64_t)common[SEED].number;
    return TACIT_OK;
}

void tacit__step_clear(tacit__runner_step *step)
{
    for (size_t i = 0; step->values && i < step->value_count; i++)
        tacit__free(step->values[i].columns);
    tacit__free(step->values);
    tacit__free(step->file);
    *step = (tacit__runner_step){0};
}
