/*
 * counted.h - classes that were counted for a frame, for whoever counts next.
 */
#ifndef TACIT_RECORDS_CLASSES_COUNTED_H
#define TACIT_RECORDS_CLASSES_COUNTED_H

#include <tacit/experimental/records.h>

/* Classes on these levels, which the caller frees like its own, or NULL. */
tacit_classes *tacit__counted_on(const tacit_frame *frame, const int *levels);

/* The fewest classes on levels nowhere higher, or NULL; they are as long-lived as
 * what keeps them. */
const tacit_classes *tacit__counted_below(const tacit_frame *frame, const int *levels);

/* Keeps classes as well as the caller does, unless there is no room. */
void tacit__counted_keep(const tacit_frame *frame, tacit_classes *classes);

/* Rows of each ground value of an attribute, and keeping them: a copy each time. */
uint32_t *tacit__counted_ground(const tacit_frame *frame, int32_t attribute);
void tacit__counted_keep_ground(const tacit_frame *frame, int32_t attribute,
                                const uint32_t *counts);

#endif
