/*
 * known.h - names, addresses and numbers that the data holder has already (--known), found
 * in every written form: "Virginia P. Weston" as "Weston, Virginia", "V. Weston", "VPW", "Ginny",
 * "Mrs. Westen".
 */
#ifndef TACIT_TEXT_KNOWN_KNOWN_H
#define TACIT_TEXT_KNOWN_KNOWN_H

#include "text/read/document.h"
#include "text/scrub/proposals.h"

typedef struct tacit__known tacit__known;

/* From the options' known values and their kinds. */
tacit_status tacit__known_new(tacit__known **out, const tacit_scrub_options *options,
                              tacit_error *err);
void tacit__known_free(tacit__known *known);

/* Linear in the words of the document, whatever the number of known values. */
tacit_status tacit__known_propose(tacit__proposals *proposals, const tacit__known *known,
                                  const tacit__document *document, tacit_error *err);

#endif
