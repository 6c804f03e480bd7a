/*
 * windows.h - windows of a few boxes that lie close to each other.
 */
#ifndef TACIT_RECORDS_LOCAL_WINDOWS_H
#define TACIT_RECORDS_LOCAL_WINDOWS_H

#include "records/local/group.h"

/* Every box of a layout in one window. Zero-initialized is none. */
typedef struct tacit__windows {
    const tacit__local *local;
    const tacit__local_layout *layout;
    int64_t *boxes;  /* side by side */
    int64_t *starts; /* of each window's boxes, and the end */
    int64_t count;   /* windows */
} tacit__windows;

/* Numbers that depend on the state alone, which each of them changes. */
uint64_t tacit__draw(uint64_t *state);
double tacit__draw_share(uint64_t *state); /* from 0 up to 1 */

/* Cuts a layout into windows. With seed 0 they are as large as groups can be, in the
 * order of the boxes; with any other they are small, in an order drawn by it. */
tacit_status tacit__windows_init(tacit__windows *windows, const tacit__local *local,
                                 const tacit__local_layout *layout, uint64_t seed,
                                 tacit_error *err);
void tacit__windows_clear(tacit__windows *windows);

/* What a window costs; -1 where it has too many shares for a group. */
double tacit__windows_cost(const tacit__windows *windows, int64_t window);

/* The people of a window as a group, which is closed. */
tacit_status tacit__windows_gather(tacit__local_group *group, const tacit__windows *windows,
                                   int64_t window, tacit_error *err);

/* Adds the boxes of a window, as they are, to another layout. */
tacit_status tacit__windows_keep(tacit__local_layout *out, const tacit__windows *windows,
                                 int64_t window, tacit_error *err);

#endif
