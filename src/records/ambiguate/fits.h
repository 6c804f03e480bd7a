/*
 * fits.h - who fits a released row, and how many released rows each person fits.
 *
 * A person fits a row where his values are those that the row shows. What is promised both ways
 * (blanks/both.h) is counted by this: the people who fit a row are those of its box in the
 * table as it was, and a person's rows are those of all classes whose boxes he is in.
 */
#ifndef TACIT_RECORDS_AMBIGUATE_FITS_H
#define TACIT_RECORDS_AMBIGUATE_FITS_H

#include "records/ambiguate/lookup.h"

typedef struct tacit__fits tacit__fits;

/* Of a tableau without blanks; both must outlive it. */
tacit_status tacit__fits_new(tacit__fits **out, const tacit__tableau *tableau,
                             const tacit__packed *packed, tacit_error *err);
void tacit__fits_free(tacit__fits *fits);

/* The classes by what they are outside some columns, each group with its people. Valid until
 * the next call. */
tacit_status tacit__fits_boxes(const tacit__lookup **out, tacit__fits *fits, uint64_t mask,
                               tacit_error *err);

/* Counts that so many rows of a class had the blanks of `before` and have those of `after`;
 * `boxes` are those of both together. */
void tacit__fits_change(tacit__fits *fits, const tacit__lookup *boxes, uint32_t class_index,
                        uint64_t before, uint64_t after, int64_t rows);

/* Of how many rows of a class, `wanted` at most, a blank can be filled so that k people still
 * fit the row and all who fit it now still fit k rows. */
tacit_status tacit__fits_spare(int64_t *rows, tacit__fits *fits, uint32_t class_index,
                               uint64_t mask, int32_t column, int64_t wanted, tacit_error *err);

/* The people who fit a row of a class with these blanks. */
tacit_status tacit__fits_people(int64_t *people, tacit__fits *fits, uint32_t class_index,
                                uint64_t mask, tacit_error *err);

/* The fewest rows that anybody fits. */
int64_t tacit__fits_least_rows(const tacit__fits *fits);

#endif
