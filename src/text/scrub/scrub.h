/*
 * scrub.h - for learning: a scrubber whose settings are exchanged, so that templates are
 * compiled once and not for every trial.
 */
#ifndef TACIT_TEXT_SCRUB_SCRUB_H
#define TACIT_TEXT_SCRUB_SCRUB_H

#include "text/chain/chain.h"
#include "text/template/templates.h"

/* One that can be adjusted: it has all templates, those too that are less likely than the
 * threshold.
 */
tacit_status tacit__scrubber_new_adjustable(tacit_scrubber **out,
                                            const tacit_scrub_options *options, tacit_error *err);

/* Its templates, whose likelihoods may be adjusted while no reader is at work. */
tacit__templates *tacit__scrubber_templates(tacit_scrubber *scrubber);

/* Another threshold, from 0 to 100; while no reader is at work. */
void tacit__scrubber_adjust(tacit_scrubber *scrubber, int threshold);

/* Another chain of words, which it owns from now on; while there is no reader. */
void tacit__scrubber_rethink(tacit_scrubber *scrubber, tacit__chain *chain);

#endif
