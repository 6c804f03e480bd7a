/*
 * automaton.h - one template as an automaton of its bytes (Glushkov's), which
 * finds the longest match at a place and which part of it is the span. The machines run all
 * automata at once and find the same; this one is asked where they forgot how they got there.
 */
#ifndef TACIT_TEXT_TEMPLATE_AUTOMATON_H
#define TACIT_TEXT_TEMPLATE_AUTOMATON_H

#include "text/template/tree.h"

/* Where a place of the template stands to its span. */
typedef enum tacit__part { TACIT__PART_BEFORE, TACIT__PART_WITHIN, TACIT__PART_AFTER } tacit__part;

typedef struct tacit__template_place {
    uint32_t follow;    /* its followers, in the array, */
    uint16_t followers; /* and how many */
    uint8_t part;       /* tacit__part */
    bool last;          /* a match can end with it */
    const tacit__bytes *set;
} tacit__template_place;

typedef struct tacit__automaton {
    tacit__template_place *places;
    size_t count;
    uint16_t *edges; /* the first places, then all followers */
    size_t firsts;
    tacit__bytes start; /* bytes that a match can start with */
    bool loose_start, loose_end;
    bool has_span; /* the span is a part of the match, not all of it */
} tacit__automaton;

/* The trees' sets are borrowed. */
tacit_status tacit__automaton_init(tacit__automaton *automaton, const tacit__trees *trees,
                                   const tacit__template *of, tacit_error *err);
void tacit__automaton_clear(tacit__automaton *automaton);

/* Whether every match has, before the first blank, a digit or a sign (tacit__sign_byte) that
 * something follows. Most words of a text have neither, and such templates need not look at
 * them. */
bool tacit__automaton_needs_sign(const tacit__automaton *automaton);

/* What a thread needs: a state for every place of the largest automaton, twice. */
typedef struct tacit__thread {
    uint16_t place;
    uint16_t start, end; /* of the span, from the start of the match */
} tacit__thread;

typedef struct tacit__threads {
    tacit__thread *now, *next;
    uint32_t *seen; /* the stamp of the last byte that a place read */
    uint32_t stamp;
    size_t places;
} tacit__threads;

tacit_status tacit__threads_init(tacit__threads *threads, size_t places, tacit_error *err);
void tacit__threads_clear(tacit__threads *threads);

typedef struct tacit__match {
    size_t start, end;           /* of all that matched, context included */
    size_t span_start, span_end; /* of what is proposed */
} tacit__match;

/* The longest match that starts at the offset; false where none does. Whether a word or number
 * is cut there is not asked. */
bool tacit__automaton_match(tacit__match *out, const tacit__automaton *automaton,
                            tacit__threads *threads, tacit_strview text, size_t at);

#endif
