/*
 * chain.h - which words are parts of names, places, streets and organizations: a chain of
 * words (conditional random field) whose weights of evidence stand in a file that people can
 * read, and can be learned anew from marked text.
 */
#ifndef TACIT_TEXT_CHAIN_CHAIN_H
#define TACIT_TEXT_CHAIN_CHAIN_H

#include "text/read/document.h"

typedef enum tacit__label {
    TACIT__LABEL_OTHER,
    TACIT__LABEL_PERSON,
    TACIT__LABEL_PLACE,        /* cities, states, countries, zip codes */
    TACIT__LABEL_STREET,       /* with house and flat numbers, boxes */
    TACIT__LABEL_ORGANIZATION, /* hospitals too */
    TACIT__LABELS
} tacit__label;

/* How likely each label is, in percent; they sum to about 100. Eight bytes, which are written at
 * once. */
typedef struct tacit__opinion {
    uint8_t of[TACIT__LABELS];
    uint8_t zero[8 - TACIT__LABELS];
} tacit__opinion;

typedef struct tacit__chain tacit__chain;

/* Weights as text; an empty source is the shipped weights. */
tacit_status tacit__chain_new(tacit__chain **out, tacit_strview source, tacit_error *err);
void tacit__chain_free(tacit__chain *model);

/* What a thread needs; all zero is a new one. */
typedef struct tacit__chain_scratch {
    void *memory;
    size_t size;
} tacit__chain_scratch;
void tacit__chain_scratch_clear(tacit__chain_scratch *scratch);

/* An opinion on each word of the document; opinions has room for document->count. */
tacit_status tacit__chain_judge(tacit__opinion *opinions, const tacit__chain *model,
                                const tacit__document *document, tacit__chain_scratch *scratch,
                                tacit_error *err);

#endif
