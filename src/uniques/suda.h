/*
 * suda.h - what SUDA gives for a set.
 */
#ifndef TACIT_SRC_UNIQUES_SUDA_H
#define TACIT_SRC_UNIQUES_SUDA_H

#include <tacit/experimental/uniques.h>

/* The score of a set by its number of columns, for so many columns in all. */
void tacit__suda_scores(double scores[TACIT_UNIQUES_COLUMNS + 1], tacit_suda_kind kind,
                        int32_t columns);

#endif
