/*
 * states.h - all templates of a machine as one automaton: at a place of the text it
 * reads forward once, whatever the number of templates, and says which of them match there and
 * how far.
 */
#ifndef TACIT_TEXT_TEMPLATE_STATES_H
#define TACIT_TEXT_TEMPLATE_STATES_H

#include "text/template/machine.h"

/* What one thread has read so far: the states that texts have led to. Their number is
 * bounded; when there is no more room, all are forgotten. What is found does not depend on it. */
typedef struct tacit__states tacit__states;
tacit_status tacit__states_new(tacit__states **out, const tacit__machine *machine,
                               tacit_error *err);
void tacit__states_free(tacit__states *states);

/* A template that matches, and the end of its longest match. */
typedef struct tacit__template_reach {
    uint16_t number;    /* of the template */
    uint16_t automaton; /* its number in the machine */
    size_t end;
} tacit__template_reach;

/* All that match at the offset, where no word goes on; borrowed until the next call. */
typedef struct tacit__reached {
    const tacit__template_reach *items;
    size_t count;
} tacit__reached;
tacit_status tacit__states_read(tacit__reached *out, tacit__states *states, tacit_strview text,
                                size_t at, tacit_error *err);

/* What can stand behind a word of these letters, or behind the one blank there, where a match
 * starts with the word: bits of folded bytes, see text/template/machine.h. */
tacit_status tacit__states_after(uint32_t *after, tacit__states *states, tacit_strview letters,
                                 tacit_error *err);

/* Which part of one of the matches just read is the span; false where that was forgotten, which is
 * rare, and the template's own automaton must say. */
bool tacit__states_span(tacit__match *out, const tacit__states *states,
                        const tacit__template_reach *reach);

#endif
