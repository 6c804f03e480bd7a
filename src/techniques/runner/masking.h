/*
 * masking.h - the inside of a list of steps and of what they make of a table.
 */

#ifndef TACIT_TECHNIQUES_RUNNER_MASKING_H
#define TACIT_TECHNIQUES_RUNNER_MASKING_H

#include "techniques/runner/masking.h"
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

struct tacit_masking {
    tacit__runner_step *steps;
    size_t count;
    tacit__arena arena;
};

typedef struct tacit__step_facts {
    tacit_masked_fact *list;
    size_t count, capacity;
} tacit__step_facts;

struct tacit_masked {
    tacit__sheet sheet;
    tacit__step_facts *facts; /* of each step */
    size_t step_count;
    tacit_kept *kept;
    size_t kept_count, kept_capacity;
    tacit__arena arena; /* names in claims */
};

#endif
