/*
 * detect.h - the detectors that read words, each for what it knows best. A detector adds proposals
 * and knows nothing of the others, but that what templates found is among the proposals.
 */
#ifndef TACIT_TEXT_DETECT_DETECT_H
#define TACIT_TEXT_DETECT_DETECT_H

#include "text/chain/chain.h"
#include "text/scrub/proposals.h"

/* Runs of words that the chain takes for parts of one thing, each as its family has it: names,
 * places, streets, organizations. */
tacit_status tacit__runs_propose(tacit__proposals *proposals, const tacit__document *document,
                                 const tacit__opinion *opinions, tacit_error *err);

/* Entities that are made of others: address blocks, mailing labels and identification blocks
 * (entities 1 to 3 of Figure 111). Their constituents raise one another: "Huntington 18" alone is
 * nothing, between "St. John's Hospital" and "Boston, MA 02151" it is a street. */
tacit_status tacit__blocks_propose(tacit__proposals *proposals, const tacit__document *document,
                                   const tacit__opinion *opinions, tacit_error *err);

/* Initials that an entry in notes is signed with. */
tacit_status tacit__signed_propose(tacit__proposals *proposals, const tacit__document *document,
                                   tacit_error *err);

/* Places of care and organizations whose names end with what they are, where the chain is not
 * sure of them. */
tacit_status tacit__called_propose(tacit__proposals *proposals, const tacit__document *document,
                                   const tacit__opinion *opinions, tacit_error *err);

/* Names by what is told of them: "reviewed by Okafor", "contact Maria", "Rao to chase". */
tacit_status tacit__told_propose(tacit__proposals *proposals, const tacit__document *document,
                                 const tacit__opinion *opinions, tacit_error *err);

/* Families by their name in the plural: "the Westons", "the Smiths' house". */
tacit_status tacit__plurals_propose(tacit__proposals *proposals, const tacit__document *document,
                                    const tacit__opinion *opinions, tacit_error *err);

/* First names that an age behind them tells, by the ages that templates are sure of. */
tacit_status tacit__aged_propose(tacit__proposals *proposals, const tacit__document *document,
                                 tacit_error *err);

/* Names in letters that the text is not written in. */
tacit_status tacit__alphabets_propose(tacit__proposals *proposals, const tacit__document *document,
                                      tacit_error *err);

/* The first word in other letters that is not proposed, or the number of words. */
size_t tacit__alphabets_left(const tacit__document *document);

/* Days of a month that only their place and the dates around them tell, "3/4", by the dates that
 * templates are sure of. */
tacit_status tacit__days_propose(tacit__proposals *proposals, const tacit__document *document,
                                 tacit_error *err);

/* Weekdays beside the dates that templates found, which are parts of them. */
tacit_status tacit__weekdays_propose(tacit__proposals *proposals, const tacit__document *document,
                                     tacit_error *err);

/* Times of day that entries begin with, which alone look like years: "1915 seen". */
tacit_status tacit__hours_propose(tacit__proposals *proposals, const tacit__document *document,
                                  tacit_error *err);

/* Scrub's special detectors (section 9.3): medical terms, eponyms and verbs are detected in order
 * that nobody takes them for names. They speak only where another detector might be wrong: of words
 * that the chain doubts, and of eponyms, which are names. */
tacit_status tacit__special_propose(tacit__proposals *proposals, const tacit__document *document,
                                    const tacit__opinion *opinions, tacit_error *err);

#endif
