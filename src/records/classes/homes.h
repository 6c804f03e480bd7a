/*
 * homes.h - people counted once, so that their numbers add up over classes.
 */
#ifndef TACIT_RECORDS_CLASSES_HOMES_H
#define TACIT_RECORDS_CLASSES_HOMES_H

#include <tacit/experimental/records.h>

/* How many people have their home in each class; the rows of each class where
 * every row is a person. The caller frees it with tacit__free. */
tacit_status tacit__home_people(uint32_t **out, const tacit_classes *classes,
                                const tacit_frame *frame, const tacit_run *run, tacit_error *err);

#endif
