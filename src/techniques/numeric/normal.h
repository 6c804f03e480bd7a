/*
 * normal.h - normal numbers by the million.
 */
#ifndef TACIT_TECHNIQUES_NUMERIC_NORMAL_H
#define TACIT_TECHNIQUES_NUMERIC_NORMAL_H

#include "base/random.h"

enum { TACIT__NORMAL_LAYERS = 256 };

/* Layers of equal area under the normal curve. */
typedef struct tacit__normal {
    double ends[TACIT__NORMAL_LAYERS + 1]; /* right ends, from the lowest layer up */
    double inner[TACIT__NORMAL_LAYERS];    /* share of a layer that lies under the one above */
} tacit__normal;

void tacit__normal_init(tacit__normal *normal);

double tacit__normal_draw(const tacit__normal *normal, tacit__random *random);

#endif
