/*
 * homes.c - a home class for every person.
 *
 * Somebody with rows in two classes is one person once these are released as
 * one, so people do not add up. Where they are counted in one class each, they
 * do, and the sum over the classes of a box is never more than the people in it:
 * a box with k people at home is safe. A person's home is the class with the
 * most people among those with rows of his, the first of several, so that large
 * classes stay large.
 *
 * Linear in the pairs of class and person.
 */
#include "records/classes/homes.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/classes/classes.h"

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
static tacit_status count_people(uint32_t *people, const tacit_classes *classes,
                                 const tacit_frame *frame, const tacit_run *run, tacit_error *err)
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
        status = count_people(people, classes, frame, run, err);
    else
        memcpy(people, classes->groups.rows, count * sizeof *people);
    if (status == TACIT_OK)
        *out = people;
    else
        tacit__free(people);
    return status;
}
