/*
 * order.h - in which order row-wise ways of ambiguation take the rows.
 */
#ifndef TACIT_RECORDS_AMBIGUATE_ORDER_H
#define TACIT_RECORDS_AMBIGUATE_ORDER_H

#include "records/ambiguate/sheet.h"

/* The place of every class; the caller frees *out. */
tacit_status tacit__ambiguate_places(uint32_t **out, const tacit__blank_sheet *sheet,
                                     tacit_ambiguate_order order, const tacit_run *run,
                                     tacit_error *err);

/* Sorts numbers. */
void tacit__ambiguate_sort(uint64_t *keys, int64_t count);

#endif
