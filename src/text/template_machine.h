/*
 * template_machine.h - all templates as one automaton: at a place of the text it reads
 * forward once, whatever the number of templates, and says which of them match there and how
 * far.
 */
#ifndef TACIT_SRC_TEXT_TEMPLATE_MACHINE_H
#define TACIT_SRC_TEXT_TEMPLATE_MACHINE_H

#include "text/template_filter.h"

/* What all threads share: some of the templates, their places numbered through. */
typedef struct tacit__machine {
    const tacit__automaton **automata; /* borrowed */
    uint16_t *numbers;                 /* of the templates */
    size_t count;
    uint32_t *bases;            /* of each automaton its first place; one more at the end */
    uint16_t *owners;           /* of each place its automaton */
    uint8_t classes[256];       /* bytes that no template tells apart have one class */
    size_t class_count, stride; /* the latter with room to whole lines of the cache */
    tacit__filter filter;
} tacit__machine;

/* Of the templates that are chosen. */
tacit_status tacit__machine_init(tacit__machine *machine, const tacit__trees *trees,
                                 const tacit__automaton *automata, const bool *chosen,
                                 tacit_error *err);
void tacit__machine_clear(tacit__machine *machine);

/* What one thread has read so far: the states that texts have led to. Their number is
 * bounded; when there is no more room, all are forgotten. What is found does not depend on it. */
typedef struct tacit__states tacit__states;
tacit_status tacit__states_new(tacit__states **out, const tacit__machine *machine,
                               tacit_error *err);
void tacit__states_free(tacit__states *states);

/* A template that matches, and the end of its longest match. */
typedef struct tacit__reach {
    uint16_t number;
    size_t end;
} tacit__reach;

/* All that match at the offset, where no word goes on; borrowed until the next call. */
tacit_status tacit__states_read(const tacit__reach **out, size_t *count, tacit__states *states,
                                tacit_strview text, size_t at, tacit_error *err);

#endif
