#include "base/error.h"
#include "cells/total.h"
tacit_status tacit__total_search(tacit_total_plan *plan, tacit__places *added,
                                 const tacit_flat_view *table, const tacit_total_options *options,
                                 const tacit_run *run, tacit_error *err)
{
    (void)plan, (void)added, (void)table, (void)options, (void)run;
    return tacit__error(err, TACIT_LIMIT, "not yet");
}
