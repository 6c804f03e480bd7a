/*
 * wide.h - what wide tables need: clusters of near records to begin with, and members exchanged
 * between near boxes.
 */
#ifndef TACIT_RECORDS_LOCAL_WIDE_H
#define TACIT_RECORDS_LOCAL_WIDE_H

#include "records/local/improve.h"

/* ---- near.c ---- */

/* What the smallest box around some classes and one more costs, looked up value by value.
 * Needs the codes that `local` has listed. */
typedef struct tacit__joined {
    const tacit__local *local;
    size_t *starts; /* an attribute each: of its values in costs; and the end */
    double *costs;  /* a value of each attribute: what it costs together with the box */
    uint32_t first; /* class of the box */
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
} tacit__joined;

tacit_status tacit__joined_init(tacit__joined *joined, const tacit__local *local, tacit_error *err);
void tacit__joined_clear(tacit__joined *joined);

/* Starts over with the box of one class, and takes others in. */
void tacit__joined_start(tacit__joined *joined, uint32_t class_index);
void tacit__joined_take(tacit__joined *joined, uint32_t class_index);

/* What a row costs in the box once a class is in it; at `limit` or above, that. */
double tacit__joined_cost(const tacit__joined *joined, uint32_t class_index, double limit);

/* A class, and whatever it stands for. */
typedef struct tacit__near {
    uint32_t class_index;
    uint32_t item;
    double key;
} tacit__near;

/* Brings those that are near to each other side by side: every `size` of them, one after the other,
 * lie near. What is near depends on the seed, too. */
void tacit__near_order(tacit__near *items, int64_t count, int64_t size, uint64_t seed,
                       tacit__joined *joined);

/* ---- clusters.c ---- */

/* Whether a table is so wide that clusters may be a better beginning than dividing, and nothing is
 * promised that they do not look at. */
bool tacit__local_is_wide(const tacit__local *local);

/* Everybody in boxes, made of records that are near to each other. *made is false, and there is no
 * layout, where fewer than k people are outside of classes that have k, or where all people of some
 * class are counted in others. */
tacit_status tacit__local_clusters(bool *made, tacit__local_layout *out, const tacit__local *local,
                                   tacit_error *err);

/* ---- exchange.c ---- */

/* Exchanges members between near boxes, which makes the layout cheaper or leaves it as it is.
 * Stopped by the progress callback it returns TACIT_CANCELLED, and the layout is the better for
 * what was done until then. */
tacit_status tacit__local_exchange(tacit__local_layout *layout, const tacit__local *local,
                                   tacit_error *err);

#endif
