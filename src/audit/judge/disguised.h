/*
 * disguised.h - carried columns that tell people apart without being called so (disguised.c).
 */
#ifndef TACIT_AUDIT_JUDGE_DISGUISED_H
#define TACIT_AUDIT_JUDGE_DISGUISED_H

#include "audit/judge/judge.h"

/* Codes of a column of the release, a row each; where it does not link rows, codes is NULL. */
typedef struct tacit__disguised {
    uint32_t *codes;
    uint32_t values; /* the code of rows that it links to nothing */
} tacit__disguised;

/* Whether nearly all values of a column that stand in several rows are one person's each. */
tacit_status tacit__disguised_find(tacit__disguised *out, const tacit__judge *judge, int32_t column,
                                   tacit_error *err);

#endif
