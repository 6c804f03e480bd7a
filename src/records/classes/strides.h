/*
 * strides.h - the first place on a way that will do, looked for from a guess: in growing
 * strides away from it, then by bisection. Everything behind a place that will do does, so
 * a handful of looks are enough, most of them near the guess.
 */
#ifndef TACIT_RECORDS_CLASSES_STRIDES_H
#define TACIT_RECORDS_CLASSES_STRIDES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tacit__strides {
    int32_t low, high; /* the place is neither before low nor behind high */
    int32_t next;      /* to look at */
    int32_t stride;
    bool failed, done; /* whether any place did not do, or did */
} tacit__strides;

/* Places 0 to last, of which the last will do in any case. */
static inline tacit__strides tacit__strides_from(int32_t guess, int32_t last)
{
    return (tacit__strides){.high = last, .next = guess, .stride = 1};
}

/* Whether there is a place to look at, put into s->next; otherwise it is s->high. */
static inline bool tacit__strides_on(tacit__strides *s)
{
    if (s->next >= s->high)
        s->next = s->high - 1;
    if (s->next < s->low)
        s->next = s->low;
    return s->low < s->high;
}

/* Takes in whether s->next will do. */
static inline void tacit__strides_tell(tacit__strides *s, bool enough)
{
    if (enough)
        s->high = s->next;
    else
        s->low = s->next + 1;
    s->failed |= !enough;
    s->done |= enough;
    if (s->failed && s->done)
        s->next = s->low + (s->high - s->low) / 2;
    else
        s->next += enough ? -s->stride : s->stride;
    s->stride *= 2;
}

#endif
