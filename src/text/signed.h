/*
 * signed.h - initials that an entry in notes is signed with.
 */
#ifndef TACIT_SRC_TEXT_SIGNED_H
#define TACIT_SRC_TEXT_SIGNED_H

#include "text/proposals.h"

tacit_status tacit__signed_propose(tacit__proposals *proposals, const tacit__document *document,
                                   tacit_error *err);

#endif
