/*
 * improve.h - making a layout better.
 */
#ifndef TACIT_RECORDS_LOCAL_IMPROVE_H
#define TACIT_RECORDS_LOCAL_IMPROVE_H

#include "records/local/local.h"

/* How long to go on, what has been done, and the room that it is done in. */
typedef struct tacit__improving {
    const tacit__local *local;
    int64_t limit; /* of the walks' work, more or less */
    int64_t work;  /* so far */
    int64_t boxes; /* that were gone through */
    int64_t rounds;
    int64_t stale;                 /* of them, the last ones without success */
    struct tacit__packer *packers; /* a worker each */
    int workers;
} tacit__improving;

/* Without a limit. */
tacit_status tacit__improving_init(tacit__improving *improving, const tacit__local *local,
                                   tacit_error *err);
void tacit__improving_clear(tacit__improving *improving);

/* One round. Stopped by the progress callback it returns TACIT_CANCELLED, and the layout is
 * the better for what was done until then; on other failures it is as it was. */
tacit_status tacit__local_improve(tacit__local_layout *layout, tacit__improving *improving,
                                  tacit_error *err);

#endif
