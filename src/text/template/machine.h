/*
 * machine.h - templates that are looked for together; what all threads share of
 * the automaton that they become (states.h).
 */
#ifndef TACIT_TEXT_TEMPLATE_MACHINE_H
#define TACIT_TEXT_TEMPLATE_MACHINE_H

#include "text/template/filter.h"

/* A machine has fewer places. */
enum { TACIT__MACHINE_PLACES = 1 << 20 };

/* Some of the templates, their places numbered through. */
typedef struct tacit__machine {
    const tacit__automaton **automata; /* borrowed */
    uint16_t *numbers;                 /* of the templates */
    size_t count;
    uint32_t *bases;      /* of each automaton its first place; one more at the end */
    uint16_t *owners;     /* of each place its automaton */
    uint32_t *after;      /* and what can stand behind it where a word ends, see filter */
    uint8_t classes[256]; /* bytes that no template tells apart have one class */
    size_t class_count;
    uint8_t sorts[256]; /* of bytes: TACIT__SORT_WORD and so on */
    tacit__filter filter;
} tacit__machine;

/* Of the templates that are chosen. */
tacit_status tacit__machine_init(tacit__machine *machine, const tacit__trees *trees,
                                 const tacit__automaton *automata, const bool *chosen,
                                 tacit_error *err);
void tacit__machine_clear(tacit__machine *machine);

#endif
