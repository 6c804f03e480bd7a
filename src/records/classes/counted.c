/*
 * counted.c - what was counted for a frame before.
 *
 * Who solves for several k asks for the same classes again and again. They are
 * never changed once they have been made, so they are shared: kept here and
 * held by whoever asked for them, and freed by the last one who lets go. Classes
 * on other levels are made from the fewest that lie below, where that is cheaper
 * than counting the rows. As many classes are kept as the table has rows, which
 * takes about the memory of its codes; what comes after that is counted as ever.
 *
 * Any thread may ask. Failure to keep something is no failure.
 */
#include "records/classes/counted.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/classes/classes.h"

enum { MOST_KEPT = 256 };

struct tacit_counted {
    pthread_mutex_t lock; /* guards all that follows */
    tacit_classes *kept[MOST_KEPT];
    int count;
    int64_t items; /* of all kept */
    uint32_t *ground[TACIT_MAX_ATTRIBUTES];
};

tacit_status tacit_counted_new(tacit_counted **out, tacit_error *err)
{
    tacit_counted *counted = tacit__alloc_zeroed(1, sizeof *counted);
    if (!counted)
        return tacit__nomem(err);
    pthread_mutex_init(&counted->lock, NULL);
    *out = counted;
    return TACIT_OK;
}

void tacit_counted_free(tacit_counted *counted)
{
    if (!counted)
        return;
    for (int i = 0; i < counted->count; i++)
        tacit_classes_free(counted->kept[i]);
    for (int i = 0; i < TACIT_MAX_ATTRIBUTES; i++)
        tacit__free(counted->ground[i]);
    pthread_mutex_destroy(&counted->lock);
    tacit__free(counted);
}

static bool is_below(const tacit_classes *classes, const int *levels, int32_t attributes)
{
    for (int32_t a = 0; a < attributes; a++)
        if (classes->levels[a] > levels[a])
            return false;
    return true;
}

tacit_classes *tacit__counted_on(const tacit_frame *frame, const int *levels)
{
    tacit_counted *counted = frame->counted;
    tacit_classes *found = NULL;
    if (!counted)
        return NULL;
    pthread_mutex_lock(&counted->lock);
    for (int i = 0; i < counted->count && !found; i++)
        if (memcmp(counted->kept[i]->levels, levels,
                   (size_t)frame->attribute_count * sizeof *levels) == 0)
            found = tacit__classes_share(counted->kept[i]);
    pthread_mutex_unlock(&counted->lock);
    return found;
}

const tacit_classes *tacit__counted_below(const tacit_frame *frame, const int *levels)
{
    tacit_counted *counted = frame->counted;
    const tacit_classes *best = NULL;
    if (!counted)
        return NULL;
    pthread_mutex_lock(&counted->lock);
    for (int i = 0; i < counted->count; i++) {
        const tacit_classes *classes = counted->kept[i];
        if (is_below(classes, levels, frame->attribute_count) &&
            (!best || tacit__classes_items(classes) < tacit__classes_items(best)))
            best = classes;
    }
    pthread_mutex_unlock(&counted->lock);
    return best;
}

void tacit__counted_keep(const tacit_frame *frame, tacit_classes *classes)
{
    tacit_counted *counted = frame->counted;
    int64_t items = tacit__classes_items(classes);
    if (!counted)
        return;
    pthread_mutex_lock(&counted->lock);
    if (counted->count < MOST_KEPT && counted->items + items <= classes->rows) {
        counted->kept[counted->count++] = tacit__classes_share(classes);
        counted->items += items;
    }
    pthread_mutex_unlock(&counted->lock);
}

static size_t codes_of(const tacit_frame *frame, int32_t attribute)
{
    return (size_t)tacit_table_distinct(frame->table, frame->attributes[attribute].column) + 1;
}

static uint32_t *copy(const uint32_t *counts, size_t count)
{
    uint32_t *copied = tacit__alloc_array(count, sizeof *copied);
    if (copied)
        memcpy(copied, counts, count * sizeof *copied);
    return copied;
}

uint32_t *tacit__counted_ground(const tacit_frame *frame, int32_t attribute)
{
    tacit_counted *counted = frame->counted;
    uint32_t *counts = NULL;
    if (!counted)
        return NULL;
    pthread_mutex_lock(&counted->lock);
    if (counted->ground[attribute])
        counts = copy(counted->ground[attribute], codes_of(frame, attribute));
    pthread_mutex_unlock(&counted->lock);
    return counts;
}

void tacit__counted_keep_ground(const tacit_frame *frame, int32_t attribute, const uint32_t *counts)
{
    tacit_counted *counted = frame->counted;
    if (!counted)
        return;
    pthread_mutex_lock(&counted->lock);
    if (!counted->ground[attribute])
        counted->ground[attribute] = copy(counts, codes_of(frame, attribute));
    pthread_mutex_unlock(&counted->lock);
}
