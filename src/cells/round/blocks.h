/*
 * blocks.h - controlled rounding of large tables made better, a subtable after the other.
 */
#ifndef TACIT_CELLS_ROUND_BLOCKS_H
#define TACIT_CELLS_ROUND_BLOCKS_H

#include "cells/round/program.h"

/* Numbers that keep all relations are made nearer, those of cells that are too far first of all;
 * task->steps is 1 and task->nest there. stopped: as in flips.h. */
tacit_status tacit__round_blocks(double *number, bool *stopped, const tacit__round_task *task,
                                 const tacit_run *run, tacit_error *err);

#endif
