/*
 * local_improve.h - making a layout better.
 */
#ifndef TACIT_SRC_RECORDS_LOCAL_IMPROVE_H
#define TACIT_SRC_RECORDS_LOCAL_IMPROVE_H

#include "records/local_pack.h"

/* How long to go on, and what has been done. */
typedef struct tacit__improving {
    int64_t limit; /* of the walks' work, more or less */
    int64_t work;  /* so far */
    int64_t boxes; /* that were gone through */
    int64_t rounds;
    int64_t stale; /* of them, the last ones without success */
} tacit__improving;

/* One round. Stopped by the progress callback it returns TACIT_CANCELLED, and the layout is
 * the better for what was done until then; on other failures it is as it was. */
tacit_status tacit__local_improve(tacit__layout *layout, tacit__improving *improving,
                                  const tacit__local *local, tacit_error *err);

#endif
