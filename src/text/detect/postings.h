/*
 * postings.h - what the document itself has made known (section 9.3): once "Virginia P. Weston"
 * was found, a later "Virginia", "Ginny", "Mrs. Weston" or "VPW" is a person, not a state or a
 * word. Found names post their constituents; the words of the same piece, before and
 * after, and of later pieces are compared with them. A document's postings are bounded.
 */
#ifndef TACIT_TEXT_DETECT_POSTINGS_H
#define TACIT_TEXT_DETECT_POSTINGS_H

#include "text/read/document.h"
#include "text/scrub/proposals.h"

typedef struct tacit__postings tacit__postings;

tacit_status tacit__postings_new(tacit__postings **out, tacit_error *err);
void tacit__postings_free(tacit__postings *postings);

/* Forgets everything: a new document. */
void tacit__postings_begin(tacit__postings *postings);

/* Posts the words of the proposals that are likely enough to be trusted, with their
 * likelihood: full names, last, first and nick names, cities, streets, organizations and
 * hospitals, and numbers that were named as such. */
void tacit__postings_post(tacit__postings *postings, const tacit__proposals *proposals,
                          const tacit__document *document);

/* Proposes every word that was posted, with the relation as its rule; of the piece that posted
 * last only those words that have not posted themselves. */
tacit_status tacit__postings_propose(tacit__proposals *proposals, tacit__postings *postings,
                                     const tacit__document *document, tacit_error *err);

#endif
