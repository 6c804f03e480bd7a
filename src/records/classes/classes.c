/*
 * classes.c - the frequency list of Sweeney's Datafly (Figure 39): the distinct combinations of
 * quasi-identifier values on given levels and how many rows and people have each.
 *
 * A class is a key and a count; its values are digits of the key (encode.c), so classes on higher
 * levels are made from classes as well as from rows. People are not additive: one with rows in two
 * classes is one person when these are joined. So where a person column is named, rows are first
 * grouped by values and person together, and classes are groups of these pairs, which are kept for
 * rolling up. Counting is linear in the rows, rolling up in the classes (or pairs).
 *
 * What was counted for a frame before. Who solves for several k asks for the same classes again
 * and again. They are never changed once they have been made, so they are shared: kept here and
 * held by whoever asked for them, and freed by the last one who lets go. Classes on other levels
 * are made from the fewest that lie below, where that is cheaper than counting the rows. As many
 * classes are kept as the table has rows, which takes about the memory of its codes; what comes
 * after that is counted as ever. Any thread may ask. Failure to keep something is no failure.
 *
 * A home class for every person. Somebody with rows in two classes is one person once these are
 * released as one, so people do not add up. Where they are counted in one class each, they do, and
 * the sum over the classes of a box is never more than the people in it: a box with k people at
 * home is safe. A person's home is the class with the most people among those with rows of his,
 * the first of several, so that large classes stay large. Linear in the pairs of class and person.
 */
#include "records/classes/classes.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

enum { MAX_KEPT = 256 };

struct tacit_counted {
    pthread_mutex_t lock; /* guards all that follows */
    tacit_classes *kept[MAX_KEPT];
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

/* The same classes for one more to free. */
static tacit_classes *share_classes(tacit_classes *classes)
{
    __atomic_add_fetch(&classes->sharers, 1, __ATOMIC_RELAXED);
    return classes;
}

static bool is_below(const tacit_classes *classes, const int *levels, int32_t attributes)
{
    for (int32_t a = 0; a < attributes; a++)
        if (classes->levels[a] > levels[a])
            return false;
    return true;
}

/* Classes on these levels, which the caller frees like its own, or NULL. */
static tacit_classes *counted_on(const tacit_frame *frame, const int *levels)
{
    tacit_counted *counted = frame->counted;
    tacit_classes *found = NULL;
    if (!counted)
        return NULL;
    pthread_mutex_lock(&counted->lock);
    for (int i = 0; i < counted->count && !found; i++)
        if (memcmp(counted->kept[i]->levels, levels,
                   (size_t)frame->attribute_count * sizeof *levels) == 0)
            found = share_classes(counted->kept[i]);
    pthread_mutex_unlock(&counted->lock);
    return found;
}

/* The fewest classes on levels nowhere higher, or NULL; they are as long-lived as
 * what keeps them. */
static const tacit_classes *counted_below(const tacit_frame *frame, const int *levels)
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

/* Keeps classes as well as the caller does, unless there is no room. */
static void keep_counted(const tacit_frame *frame, tacit_classes *classes)
{
    tacit_counted *counted = frame->counted;
    int64_t items = tacit__classes_items(classes);
    if (!counted)
        return;
    pthread_mutex_lock(&counted->lock);
    if (counted->count < MAX_KEPT && counted->items + items <= classes->rows) {
        counted->kept[counted->count++] = share_classes(classes);
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

tacit_status tacit__counted_ground(uint32_t **out, const tacit_frame *frame, int32_t attribute,
                                   tacit_error *err)
{
    tacit_counted *counted = frame->counted;
    *out = NULL;
    if (!counted)
        return TACIT_OK;
    pthread_mutex_lock(&counted->lock);
    bool kept = counted->ground[attribute];
    if (kept)
        *out = copy(counted->ground[attribute], codes_of(frame, attribute));
    pthread_mutex_unlock(&counted->lock);
    return kept && !*out ? tacit__nomem(err) : TACIT_OK;
}

tacit_status tacit__counted_keep_ground(const tacit_frame *frame, int32_t attribute,
                                        const uint32_t *counts, tacit_error *err)
{
    tacit_counted *counted = frame->counted;
    if (!counted)
        return TACIT_OK;
    pthread_mutex_lock(&counted->lock);
    if (!counted->ground[attribute])
        counted->ground[attribute] = copy(counts, codes_of(frame, attribute));
    bool kept = counted->ground[attribute];
    pthread_mutex_unlock(&counted->lock);
    return kept ? TACIT_OK : tacit__nomem(err);
}

/* Classes from the pairs: the same columns without the person. */
static tacit_status group_pairs(tacit_classes *classes, int32_t attributes, const tacit_run *run,
                                tacit_error *err)
{
    tacit__feed feed;
    tacit_status status =
        tacit__feed_projected(&feed, &classes->pairs, NULL, attributes, false, err);
    if (status == TACIT_OK)
        status = tacit__grouping_init(&classes->groups, &feed, true, run, err);
    tacit__feed_clear(&feed);
    return status;
}

/* Groups the feed into classes, by way of pairs where there is a person. */
static tacit_status group_feed(tacit_classes *classes, const tacit_frame *frame,
                               const tacit__feed *feed, const tacit_run *run, tacit_error *err)
{
    if (frame->person < 0)
        return tacit__grouping_init(&classes->groups, feed, false, run, err);
    tacit_status status = tacit__grouping_init(&classes->pairs, feed, false, run, err);
    return status == TACIT_OK ? group_pairs(classes, frame->attribute_count, run, err) : status;
}

static tacit_status make(tacit_classes **out, const tacit_frame *frame, const int *levels,
                         const tacit__feed *feed, const tacit_run *run, tacit_error *err)
{
    tacit_classes *classes = tacit__alloc_zeroed(1, sizeof *classes);
    if (!classes)
        return tacit__nomem(err);
    size_t attributes = (size_t)frame->attribute_count;
    classes->rows = tacit__frame_rows(frame);
    classes->levels = tacit__alloc_array(attributes, sizeof *classes->levels);
    if (classes->levels)
        memcpy(classes->levels, levels, attributes * sizeof *levels);
    tacit_status status =
        classes->levels ? group_feed(classes, frame, feed, run, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        *out = classes;
    else
        tacit_classes_free(classes);
    return status;
}

tacit_status tacit__frame_check(const tacit_frame *frame, tacit_error *err)
{
    if (frame->attribute_count < 1 || frame->attribute_count > TACIT_MAX_ATTRIBUTES)
        return tacit__error(err, TACIT_INVALID, "a quasi-identifier has 1 to %d attributes, not %d",
                            TACIT_MAX_ATTRIBUTES, (int)frame->attribute_count);
    return TACIT_OK;
}

tacit_status tacit__frame_masked(const tacit_frame *frame, const char *who, tacit_error *err)
{
    if (frame->attribute_count <= TACIT_MAX_MASKED)
        return TACIT_OK;
    return tacit__error(err, TACIT_LIMIT, "%s up to %d quasi-identifiers, not %d", who,
                        TACIT_MAX_MASKED, (int)frame->attribute_count);
}

static tacit_status count_rows(tacit_classes **out, const tacit_frame *frame, const int *levels,
                               const tacit_run *run, tacit_error *err)
{
    tacit__feed feed;
    tacit_status status = tacit__feed_rows(&feed, frame, levels, frame->person >= 0, err);
    if (status == TACIT_OK)
        status = make(out, frame, levels, &feed, run, err);
    tacit__feed_clear(&feed);
    return status;
}

static tacit_status roll_up(tacit_classes **out, const tacit_frame *frame,
                            const tacit_classes *from, const int *levels, const tacit_run *run,
                            tacit_error *err)
{
    tacit__feed feed;
    const tacit__grouping *grouping = frame->person < 0 ? &from->groups : &from->pairs;
    tacit_status status = tacit__feed_raised(&feed, grouping, frame, from->levels, levels, err);
    if (status != TACIT_OK)
        return status;
    status = make(out, frame, levels, &feed, run, err);
    tacit__feed_clear(&feed);
    return status;
}

/* From what was counted before, from the classes given (NULL: none), or from the
 * rows. */
static tacit_status obtain(tacit_classes **out, const tacit_frame *frame, const tacit_classes *from,
                           const int *levels, const tacit_run *run, tacit_error *err)
{
    tacit_classes *classes = counted_on(frame, levels);
    tacit_status status = TACIT_OK;
    if (!classes) {
        const tacit_classes *near = from ? NULL : counted_below(frame, levels);
        if (near && tacit__worth_rolling_up(near))
            from = near;
        status = from ? roll_up(&classes, frame, from, levels, run, err)
                      : count_rows(&classes, frame, levels, run, err);
        if (status == TACIT_OK)
            keep_counted(frame, classes);
    }
    if (status == TACIT_OK)
        *out = classes;
    return status;
}

tacit_status tacit_classes_new(tacit_classes **out, const tacit_frame *frame, const int *levels,
                               const tacit_run *run, tacit_error *err)
{
    tacit_status status = tacit__frame_check(frame, err);
    return status == TACIT_OK ? obtain(out, frame, NULL, levels, run, err) : status;
}

tacit_status tacit_classes_roll_up(tacit_classes **out, const tacit_frame *frame,
                                   const tacit_classes *from, const int *levels,
                                   const tacit_run *run, tacit_error *err)
{
    return obtain(out, frame, from, levels, run, err);
}

void tacit_classes_free(tacit_classes *classes)
{
    if (!classes || __atomic_fetch_sub(&classes->sharers, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    tacit__grouping_clear(&classes->groups);
    tacit__grouping_clear(&classes->pairs);
    tacit__free(classes->levels);
    tacit__free(classes);
}

int64_t tacit_classes_count(const tacit_classes *classes)
{
    return classes->groups.count;
}

int64_t tacit_classes_rows(const tacit_classes *classes)
{
    return classes->rows;
}

int64_t tacit_classes_size(const tacit_classes *classes, int64_t index)
{
    assert(index >= 0 && index < classes->groups.count);
    return classes->groups.rows[index];
}

int64_t tacit_classes_people(const tacit_classes *classes, int64_t index)
{
    assert(index >= 0 && index < classes->groups.count);
    return classes->groups.members ? classes->groups.members[index] : classes->groups.rows[index];
}

uint32_t tacit_classes_code(const tacit_classes *classes, int64_t index, int32_t attribute)
{
    assert(index >= 0 && index < classes->groups.count);
    return (uint32_t)tacit__coder_decode(&classes->groups.coder, classes->groups.keys[index],
                                         attribute);
}

const int *tacit_classes_levels(const tacit_classes *classes)
{
    return classes->levels;
}

tacit_status tacit_classes_assign(const tacit_classes *classes, const tacit_frame *frame,
                                  uint32_t *class_of, const tacit_run *run, tacit_error *err)
{
    tacit__feed feed;
    tacit_status status = tacit__feed_rows(&feed, frame, classes->levels, false, err);
    if (status == TACIT_OK)
        status = tacit__grouping_assign(&classes->groups, &feed, class_of, run, err);
    tacit__feed_clear(&feed);
    return status;
}

void tacit_size_bins_init(tacit_size_bins *bins, int64_t k)
{
    assert(k > 0);
    *bins = (tacit_size_bins){.k = k};
}

void tacit_size_bins_add(tacit_size_bins *bins, int64_t people, int64_t rows)
{
    assert(people > 0);
    int64_t times = people / bins->k;
    int bin = times > 0 ? 65 - __builtin_clzll((unsigned long long)times) : people > 1;
    bins->rows[bin] += rows;
    bins->classes[bin]++;
}

void tacit_size_bins_add_classes(tacit_size_bins *bins, const tacit_classes *classes)
{
    for (int64_t i = 0; i < classes->groups.count; i++)
        tacit_size_bins_add(bins, tacit_classes_people(classes, i), classes->groups.rows[i]);
}

bool tacit_size_bin_range(int64_t *from, int64_t *to, int64_t k, int bin)
{
    *from = bin < 2 ? bin + 1 : k;
    *to = bin == 0 ? 1 : k - 1;
    for (int i = 2; i <= bin; i++) {
        if (*from > INT64_MAX / 4)
            return false; /* nobody counts that far */
        *from = i == 2 ? k : 2 * *from;
        *to = 2 * *from - 1;
    }
    return *from <= *to && (bin > 0 || k > 1);
}

int64_t tacit__people_of(const tacit_frame *frame)
{
    if (frame->person < 0)
        return tacit__frame_rows(frame);
    return (int64_t)tacit_table_distinct(frame->table, frame->person) +
           (tacit_table_has_missing(frame->table, frame->person) ? 1 : 0);
}

tacit_status tacit__lists_init(tacit__lists *lists, const uint32_t *group_of, int64_t items,
                               int64_t groups, tacit_error *err)
{
    int64_t *starts = tacit__alloc_zeroed((size_t)groups + 2, sizeof *starts);
    uint32_t *list = tacit__alloc_array((size_t)items, sizeof *list);
    if (!starts || !list) {
        tacit__free(starts);
        tacit__free(list);
        return tacit__nomem(err);
    }
    for (int64_t i = 0; i < items; i++)
        starts[group_of[i] + 2]++;
    for (int64_t g = 0; g < groups; g++)
        starts[g + 2] += starts[g + 1];
    for (int64_t i = 0; i < items; i++)
        list[starts[group_of[i] + 1]++] = (uint32_t)i;
    *lists = (tacit__lists){.starts = starts, .list = list};
    return TACIT_OK;
}

void tacit__lists_clear(tacit__lists *lists)
{
    tacit__free(lists->starts);
    tacit__free(lists->list);
    *lists = (tacit__lists){0};
}

tacit_status tacit__classes_pairs(tacit__lists *lists, const tacit_classes *classes,
                                  const tacit_run *run, tacit_error *err)
{
    const tacit__grouping *pairs = &classes->pairs;
    uint32_t *class_of = tacit__alloc_array((size_t)pairs->count, sizeof *class_of);
    tacit__feed feed;
    if (!class_of)
        return tacit__nomem(err);
    tacit_status status =
        tacit__feed_projected(&feed, pairs, NULL, classes->groups.coder.columns, false, err);
    if (status == TACIT_OK)
        status = tacit__grouping_assign(&classes->groups, &feed, class_of, run, err);
    tacit__feed_clear(&feed);
    if (status == TACIT_OK)
        status = tacit__lists_init(lists, class_of, pairs->count, classes->groups.count, err);
    tacit__free(class_of);
    return status;
}

int tacit__classes_compare(const tacit_classes *classes, int64_t a, int64_t b)
{
    for (int32_t i = 0; i < classes->groups.coder.columns; i++) {
        uint32_t x = tacit_classes_code(classes, a, i), y = tacit_classes_code(classes, b, i);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static void find_homes(uint32_t *home, const tacit_classes *classes, const tacit__lists *pairs)
{
    for (int64_t c = 0; c < classes->groups.count; c++)
        for (int64_t i = pairs->starts[c]; i < pairs->starts[c + 1]; i++) {
            uint32_t *here = &home[tacit__pair_person(classes, pairs->list[i])];
            if (*here == UINT32_MAX ||
                tacit_classes_people(classes, c) > tacit_classes_people(classes, *here))
                *here = (uint32_t)c;
        }
}

/* Counts the people at home, or the rows, into people, which holds zeros. */
static tacit_status count_home_people(uint32_t *people, const tacit_classes *classes,
                                      const tacit_frame *frame, const tacit_run *run,
                                      tacit_error *err)
{
    size_t persons = (size_t)tacit_table_distinct(frame->table, frame->person) + 1;
    tacit__lists pairs = {0};
    tacit_status status = tacit__classes_pairs(&pairs, classes, run, err);
    if (status != TACIT_OK)
        return status;
    uint32_t *home = tacit__alloc_array(persons, sizeof *home);
    if (!home) {
        status = tacit__nomem(err);
    } else {
        memset(home, 0xff, persons * sizeof *home);
        find_homes(home, classes, &pairs);
        for (size_t p = 0; p < persons; p++)
            if (home[p] != UINT32_MAX)
                people[home[p]]++;
    }
    tacit__free(home);
    tacit__lists_clear(&pairs);
    return status;
}

tacit_status tacit__home_people(uint32_t **out, const tacit_classes *classes,
                                const tacit_frame *frame, const tacit_run *run, tacit_error *err)
{
    size_t count = (size_t)classes->groups.count;
    uint32_t *people = tacit__alloc_zeroed(count, sizeof *people);
    if (!people)
        return tacit__nomem(err);
    tacit_status status = TACIT_OK;
    if (frame->person >= 0)
        status = count_home_people(people, classes, frame, run, err);
    else
        memcpy(people, classes->groups.rows, count * sizeof *people);
    if (status == TACIT_OK)
        *out = people;
    else
        tacit__free(people);
    return status;
}
