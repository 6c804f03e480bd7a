/*
 * runs.h - words that the chain takes for parts of the same thing: names, places, streets,
 * organizations. One detector a family makes proposals of them.
 */
#ifndef TACIT_TEXT_CHAIN_RUNS_H
#define TACIT_TEXT_CHAIN_RUNS_H

#include "text/chain/chain.h"
#include "text/scrub/proposals.h"

enum { TACIT__RUN_FLOOR = 15 }; /* less likely words are in no run */

typedef struct tacit__run_of_words {
    const tacit__document *document;
    const tacit__opinion *opinions;
    size_t first, last; /* words, both included */
    tacit__label label;
    uint8_t alone; /* see scrub/proposals.h */
} tacit__run_of_words;

/* How likely it is that the word is personal, in percent. */
static inline int tacit__run_word(const tacit__run_of_words *run, size_t word)
{
    return 100 - run->opinions[word].of[TACIT__LABEL_OTHER];
}

/* The mean of the words from first to last. */
int tacit__run_mean(const tacit__run_of_words *run, size_t first, size_t last);

/* The run's last word, or the one that a hyphen joins to it in lower case: "Hyun-woo", "Co-op", but
 * not "London-based". */
size_t tacit__run_end(const tacit__run_of_words *run);

/* The likeliest thing that a word is a part of, OTHER where that is unlikely. */
tacit__label tacit__run_label(const tacit__opinion *opinion);

/* Proposes words first to last of the run's document as a kind. */
tacit_status tacit__run_propose(tacit__proposals *proposals, const tacit__run_of_words *run,
                                size_t first, size_t last, tacit_text_kind kind, int likelihood,
                                const char *rule, tacit_error *err);

/* The same as a constituent of another kind, whose precedence it has. */
tacit_status tacit__run_propose_within(tacit__proposals *proposals, const tacit__run_of_words *run,
                                       size_t first, size_t last, tacit_text_kind kind,
                                       tacit_text_kind within, int likelihood, const char *rule,
                                       tacit_error *err);

/* The families. */
tacit_status tacit__propose_name(tacit__proposals *proposals, const tacit__run_of_words *run,
                                 tacit_error *err);
tacit_status tacit__propose_place(tacit__proposals *proposals, const tacit__run_of_words *run,
                                  tacit_error *err);
tacit_status tacit__propose_street(tacit__proposals *proposals, const tacit__run_of_words *run,
                                   tacit_error *err);
tacit_status tacit__propose_organization(tacit__proposals *proposals,
                                         const tacit__run_of_words *run, tacit_error *err);

/* An age, initials and a nickname behind it. */
tacit_status tacit__propose_behind(tacit__proposals *proposals, const tacit__run_of_words *run,
                                   tacit_error *err);

/* First names that are joined to a run that is a name. */
tacit_status tacit__propose_companions(tacit__proposals *proposals, const tacit__run_of_words *run,
                                       tacit_error *err);

/* Titles beside it. */
tacit_status tacit__propose_titles(tacit__proposals *proposals, const tacit__run_of_words *run,
                                   tacit_error *err);

/* Cuts the document into runs and hands each to its family. */
tacit_status tacit__runs_propose(tacit__proposals *proposals, const tacit__document *document,
                                 const tacit__opinion *opinions, tacit_error *err);

#endif
