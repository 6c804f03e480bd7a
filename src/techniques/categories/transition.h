/*
 * transition.h - a matrix of transition probabilities between categories, from a file.
 */
#ifndef TACIT_TECHNIQUES_CATEGORIES_TRANSITION_H
#define TACIT_TECHNIQUES_CATEGORIES_TRANSITION_H

#include "base/arena.h"

enum { TACIT__MAX_STATES = 1000 };

/* Row after row, the probabilities of becoming each category; they sum to 1. */
typedef struct tacit__transition {
    uint32_t count;
    tacit_strview *labels;
    double *shares;
    tacit__arena arena;
} tacit__transition;

/* Reads a CSV with a header: the categories in its first row and its first column, in any order. */
tacit_status tacit__transition_read(tacit__transition *transition, const char *path,
                                    tacit_error *err);
tacit_status tacit__transition_read_memory(tacit__transition *transition, tacit_strview bytes,
                                           const char *name, tacit_error *err);
void tacit__transition_clear(tacit__transition *transition);

/* The category's place, or UINT32_MAX. */
uint32_t tacit__transition_find(const tacit__transition *transition, tacit_strview label);

#endif
