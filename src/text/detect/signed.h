/*
 * signed.h - initials that an entry in notes is signed with.
 */
#ifndef TACIT_TEXT_DETECT_SIGNED_H
#define TACIT_TEXT_DETECT_SIGNED_H

#include "text/scrub/proposals.h"

tacit_status tacit__signed_propose(tacit__proposals *proposals, const tacit__document *document,
                                   tacit_error *err);

#endif
