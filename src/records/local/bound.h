/*
 * bound.h - what a layout costs at least.
 */
#ifndef TACIT_RECORDS_LOCAL_BOUND_H
#define TACIT_RECORDS_LOCAL_BOUND_H

#include "records/local/walk.h"

/* What the rows of any layout cost together, at least; NAN before anything is known. Stopped
 * by the progress callback it returns TACIT_CANCELLED, and the bound is what is known.
 * *boxes is how many were looked at. */
tacit_status tacit__local_bound(double *bound, int64_t *boxes, const tacit__local *local,
                                tacit_error *err);

/* The same from a few nodes of the lattice, for any number of classes. */
tacit_status tacit__bound_by_nodes(double *bound, const tacit__local *local, tacit_error *err);

/* Prices of a group's members such that no box is worth opening, found from the least
 * that each of them costs; their sum over rows is a bound. TACIT_LIMIT where the walk's
 * limit is too low. */
tacit_status tacit__price_members(double *prices, const double *least,
                                  const tacit__local_group *group, tacit__walk *walk,
                                  tacit_error *err);

#endif
