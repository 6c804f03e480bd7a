/*
 * elsewhere.h - nodes of the lattice whose classes are counted elsewhere: what is suppressed
 * follows from a few numbers, where there is one quasi-identifier, every row is a person, and
 * nothing is promised beyond k.
 */
#ifndef TACIT_SRC_RECORDS_CLASSES_ELSEWHERE_H
#define TACIT_SRC_RECORDS_CLASSES_ELSEWHERE_H

#include <tacit/experimental/records.h>

/* Refuses what cannot be asked elsewhere; a frame that is here is fine. */
tacit_status tacit__elsewhere_check(const tacit_frame *frame, tacit_error *err);

/* The class that rows are suppressed of so that those below k are k rows. */
typedef struct tacit__complement {
    int64_t rows;      /* of it that go; 0: none has to */
    int64_t of;        /* that it has */
    uint32_t *numbers; /* its values, an attribute each; the caller frees them */
} tacit__complement;

/* Where so many rows lie below k. */
tacit_status tacit__elsewhere_complement(tacit__complement *out, const tacit_frame *frame,
                                         const tacit_records_options *options, const int *levels,
                                         int64_t below, tacit_error *err);

/* A solution that has no classes. */
tacit_status tacit__elsewhere_solution(tacit_solution **out, const tacit_frame *frame,
                                       const int *levels, int64_t below, int64_t complementary,
                                       tacit_error *err);

#endif
