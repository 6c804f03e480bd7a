/*
 * risks.h - what a frame promises of a release as a whole (tacit_risk_bounds), asked of cuts of a
 * node's classes and of boxes.
 *
 * Which pruning is exact: where every row is a person, the average never rises when classes are
 * joined, for there are fewer of the same rows; and if some classes can be suppressed so that those
 * left keep it and k, then on a node above fewer rows do: those classes go all of whose parts went.
 * Where people have several rows, joining may take people away from classes and so make the average
 * larger; and no estimate of uniqueness is monotone in anything. So a node rules out those below by
 * the average of rows only.
 */
#ifndef TACIT_RECORDS_MODELS_RISKS_H
#define TACIT_RECORDS_MODELS_RISKS_H

#include "records/apply/cut.h"

/* Whether a node that breaks the bounds with nothing suppressed says so of all below it. */
bool tacit__risks_monotone(const tacit_frame *frame);

/* Takes out what breaks the bounds, where there is one quasi-identifier: people who are alone in
 * their class, if too many seem to be unique; then classes of the fewest people, while the average
 * is too large. At most `limit` rows are gone afterwards, or *within is false and nothing was
 * taken; *doomed then says that the same holds of every node below. */
tacit_status tacit__risks_cut(bool *within, bool *doomed, tacit__cut *cut, int64_t limit,
                              bool dropped, tacit_error *err);

/* Whether a release of what the cut leaves keeps the bounds in every quasi-identifier. */
tacit_status tacit__risks_hold(bool *hold, const tacit__cut *cut, bool dropped, tacit_error *err);

/* What tacit_method has as `solve`. */
typedef tacit_status (*tacit__solve_fn)(tacit_solution **out, const tacit_frame *frame,
                                        const tacit_records_options *options, const tacit_run *run,
                                        tacit_error *err);

/* Solves for a method whose solutions have boxes and that knows k and no bounds. A k of 1 over the
 * average, and of 2 for uniqueness, always keeps them, and is tried first. Then comes the k asked
 * for, and where that does not do a bisection between the two. Costs a search for each k that is
 * tried; stopped, it gives the best so far. */
tacit_status tacit__risks_solve(tacit_solution **out, tacit__solve_fn solve,
                                const tacit_frame *frame, const tacit_records_options *options,
                                const tacit_run *run, tacit_error *err);

#endif
