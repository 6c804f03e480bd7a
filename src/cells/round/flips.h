/*
 * flips.h - controlled rounding of large tables by changing one ground cell after another.
 */
#ifndef TACIT_CELLS_ROUND_FLIPS_H
#define TACIT_CELLS_ROUND_FLIPS_H

#include "cells/round/nest.h"
#include "cells/round/program.h"

/* Numbers of multiples that keep all relations: ground cells next to their values, the others next
 * to theirs as far as it went; task->steps is 1. stopped: the progress callback said so; the
 * numbers keep relations all the same. */
tacit_status tacit__round_flips(double *number, bool *stopped, const tacit__round_task *task,
                                const tacit__nest *nest, const tacit_run *run, tacit_error *err);

#endif
