/*
 * learn.h - a toy collection to learn from. Each document tells of a purchase order, which is
 * nobody's, and of a token, which is somebody's; the templates that come with it think the
 * opposite. Nothing else in it looks like a name or a number that the shipped templates know.
 */
#ifndef TACIT_TESTS_LEARN_H
#define TACIT_TESTS_LEARN_H

#include <stdio.h>
#include <string.h>
#include <tacit/experimental/text_learn.h>

#define LEARN_TEMPLATES "reference 80 po_ddddd\nreference 30 zq-dddd\nreference 70 never_was_here\n"

enum { LEARN_MAX = 64 };

typedef struct learn_toy {
    char texts[LEARN_MAX][128];
    tacit_text_mark marks[LEARN_MAX];
    tacit_text_marked documents[LEARN_MAX];
    size_t count;
    tacit_learn_options options;
} learn_toy;

static inline void learn_toy_fill(learn_toy *toy, size_t count)
{
    toy->count = count;
    for (size_t i = 0; i < count; i++) {
        int before = snprintf(toy->texts[i], sizeof toy->texts[i],
                              "order po %zu was packed and then token ", 10000 + i);
        int all =
            snprintf(toy->texts[i], sizeof toy->texts[i],
                     "order po %zu was packed and then token zq-%zu was seen", 10000 + i, 1000 + i);
        toy->marks[i] = (tacit_text_mark){.start = (uint64_t)before,
                                          .end = (uint64_t)before + 7,
                                          .label = tacit_strview_of("TOKEN")};
        toy->documents[i] = (tacit_text_marked){
            .text = {toy->texts[i], (size_t)all}, .marks = &toy->marks[i], .mark_count = 1};
    }
    tacit_learn_options_init(&toy->options);
    toy->options.scrub.templates = tacit_strview_of(LEARN_TEMPLATES);
}

/* The template of these words; NULL where there is none. */
static inline const tacit_learn_template *learn_template(const tacit_learned *learned,
                                                         const char *text)
{
    for (size_t i = 0; i < learned->template_count; i++)
        if (strcmp(learned->templates[i].text, text) == 0)
            return &learned->templates[i];
    return NULL;
}

#endif
