/*
 * find.h - what the parts that look for known values share: where they are, and how a
 * proposal is made.
 */
#ifndef TACIT_TEXT_KNOWN_FIND_H
#define TACIT_TEXT_KNOWN_FIND_H

#include "text/known/index.h"

typedef struct tacit__known_reader {
    tacit__proposals *proposals;
    const tacit__known *known;
    const tacit__document *document;
    tacit_error *err;
    size_t named; /* words before this one are part of a name that was found */
} tacit__known_reader;

/* Words from `from` up to but not including `to`; a likelihood of 0 proposes nothing. */
tacit_status tacit__known_add(tacit__known_reader *reader, size_t from, size_t to,
                              tacit_text_kind kind, int likelihood, const char *rule);

/* A name at the word; what is what the tables say of the word itself. */
tacit_status tacit__known_find_name(tacit__known_reader *reader, size_t at, unsigned what);

#endif
