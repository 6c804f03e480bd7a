/*
 * templates.h - how phone numbers, dates, record numbers and all that has a form is
 * written, with the likelihood that what is written so is one (Figure 113). All templates
 * are compiled into one automaton. Of each template it finds the matches from left to right
 * without overlaps, and at each place the longest.
 */
#ifndef TACIT_TEXT_TEMPLATE_TEMPLATES_H
#define TACIT_TEXT_TEMPLATE_TEMPLATES_H

#include "text/scrub/proposals.h"

typedef struct tacit__templates tacit__templates;

/* The shipped templates and, after them, those of the data holder, which may be empty. */
tacit_status tacit__templates_new(tacit__templates **out, tacit_strview further, tacit_error *err);

/* The same in two steps, for likelihoods to be adjusted between them: the templates, and once what
 * finds those of them that are at least so likely. */
tacit_status tacit__templates_read(tacit__templates **out, tacit_strview further, tacit_error *err);
tacit_status tacit__templates_link(tacit__templates *templates, int least, tacit_error *err);
void tacit__templates_free(tacit__templates *templates);

/* What a thread needs for matching. */
typedef struct tacit__matcher tacit__matcher;
tacit_status tacit__matcher_new(tacit__matcher **out, const tacit__templates *templates,
                                tacit_error *err);
void tacit__matcher_free(tacit__matcher *matcher);

/* Adds a proposal for every match that passes its template's check (card numbers have
 * checksums, days and months are in range). Linear in the text. */
tacit_status tacit__templates_propose(tacit__proposals *proposals, tacit__matcher *matcher,
                                      tacit_strview text, tacit_error *err);

/* The same for a document, whose words it need not look for again. */
tacit_status tacit__templates_propose_in(tacit__proposals *proposals, tacit__matcher *matcher,
                                         const tacit__document *document, tacit_error *err);

/* For learning: templates have numbers from 0; a proposal's rule is its template's text. */
size_t tacit__templates_count(const tacit__templates *templates);
const char *tacit__templates_text(const tacit__templates *templates, size_t number);
tacit_text_kind tacit__templates_kind(const tacit__templates *templates, size_t number);
int tacit__templates_likelihood(const tacit__templates *templates, size_t number);

/* Another likelihood, from 0 to 100; before any matcher is at work. */
void tacit__templates_adjust(tacit__templates *templates, size_t number, int likelihood);

#endif
