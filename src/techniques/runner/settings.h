/*
 * settings.h - the settings of a step, from text to values.
 */
#ifndef TACIT_TECHNIQUES_RUNNER_SETTINGS_H
#define TACIT_TECHNIQUES_RUNNER_SETTINGS_H

#include "techniques/runner/technique.h"

/* A step that has been checked by itself. */
typedef struct tacit__runner_step {
    const tacit_technique *technique;
    tacit__runner_value *values; /* as the technique's options are */
    size_t value_count;
    bool keep_others;
    int decimals; /* -1: not given */
    bool has_seed;
    uint64_t seed;
    char *file;
    int64_t line;
} tacit__runner_step;

/* Reads a step's settings; texts are copied into the arena. */
tacit_status tacit__step_read(tacit__runner_step *step, const tacit_technique_step *from,
                              tacit__arena *arena, tacit_error *err);
void tacit__step_clear(tacit__runner_step *step);

#endif
