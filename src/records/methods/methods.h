/*
 * methods.h - one solver a method, each in a file of its own.
 */
#ifndef TACIT_RECORDS_METHODS_METHODS_H
#define TACIT_RECORDS_METHODS_METHODS_H

#include <tacit/experimental/records.h>

typedef tacit_status tacit__solve_fn(tacit_solution **out, const tacit_frame *frame,
                                     const tacit_records_options *options, const tacit_run *run,
                                     tacit_error *err);

tacit__solve_fn tacit__mingen_solve, tacit__local_solve, tacit__optimal_solve, tacit__datafly_solve,
    tacit__argus_solve, tacit__ksimilar_solve, tacit__ambiguate_solve;

/* Refuses a quasi-identifier of too few or too many attributes, a least level that
 * is none, a k that is none, and a table with fewer than k people. */
tacit_status tacit__request_check(const tacit_frame *frame, const tacit_records_options *options,
                                  tacit_error *err);

#endif
