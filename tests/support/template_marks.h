/*
 * template_marks.h - what the shipped templates find in a text, beside marks in it:
 * "born on <3/1/91|date>" says that 3/1/91 is a date and that nothing else is personal. Of
 * proposals that overlap the likeliest counts, as for the arbiter; below the threshold none does.
 */
#ifndef TACIT_TESTS_TEMPLATE_MARKS_H
#define TACIT_TESTS_TEMPLATE_MARKS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "text/template/templates.h"

enum { MARKS_TEXT = 1024 };

typedef struct marks {
    tacit__templates *templates;
    tacit__matcher *matcher;
    tacit__proposals proposals;
    tacit__document document; /* what is remembered of words goes on from text to text */
    tacit__proposals of_words;
} marks;

static inline void marks_open(marks *m, const char *further)
{
    tacit_error err = {0};
    *m = (marks){0};
    if (tacit__templates_new(&m->templates, tacit_strview_of(further), &err) != TACIT_OK)
        fail_msg("line %d, column %d: %s", (int)err.line, (int)err.column, err.message);
    assert_int_equal(tacit__matcher_new(&m->matcher, m->templates, NULL), TACIT_OK);
}

static inline void marks_close(marks *m)
{
    tacit__proposals_clear(&m->proposals);
    tacit__proposals_clear(&m->of_words);
    tacit__document_clear(&m->document);
    tacit__matcher_free(m->matcher);
    tacit__templates_free(m->templates);
}

/* By the words of a document, twice, so that some are remembered: the same proposals. */
static inline void marks_compare_words(marks *m, tacit_strview text)
{
    for (int round = 0; round < 2; round++) {
        assert_int_equal(tacit__document_read(&m->document, text, NULL), TACIT_OK);
        m->of_words.count = 0;
        assert_int_equal(tacit__templates_propose_in(&m->of_words, m->matcher, &m->document, NULL),
                         TACIT_OK);
        assert_int_equal(m->of_words.count, m->proposals.count);
        for (size_t i = 0; i < m->proposals.count; i++) {
            const tacit__proposal *a = &m->proposals.items[i], *b = &m->of_words.items[i];
            assert_true(a->start == b->start && a->end == b->end && a->rule == b->rule);
        }
    }
}

static inline void marks_propose(marks *m, const char *text)
{
    m->proposals.count = 0;
    assert_int_equal(
        tacit__templates_propose(&m->proposals, m->matcher, tacit_strview_of(text), NULL),
        TACIT_OK);
    marks_compare_words(m, tacit_strview_of(text));
}

/* The likeliest proposal on a byte that reaches the threshold, or NULL. */
static inline const tacit__proposal *marks_winner(const marks *m, size_t at, int threshold)
{
    const tacit__proposal *best = NULL;
    for (size_t i = 0; i < m->proposals.count; i++) {
        const tacit__proposal *p = &m->proposals.items[i];
        if (p->start <= at && at < p->end && p->likelihood >= threshold &&
            (!best || p->likelihood > best->likelihood))
            best = p;
    }
    return best;
}

/* The text without its marks, and the kind expected of each byte. */
static inline size_t marks_read(char *text, uint8_t *kinds, const char *marked)
{
    size_t len = 0, start = 0;
    for (; *marked; marked++) {
        if (*marked == '<') {
            start = len;
        } else if (*marked == '|') {
            const char *end = strchr(marked, '>');
            tacit_text_kind kind =
                tacit_text_kind_of((tacit_strview){marked + 1, (size_t)(end - marked) - 1});
            assert_true(kind != TACIT_TEXT_NONE);
            memset(kinds + start, (int)kind, len - start);
            marked = end;
        } else {
            assert_true(len + 1 < MARKS_TEXT);
            kinds[len] = TACIT_TEXT_NONE;
            text[len++] = *marked;
        }
    }
    text[len] = '\0';
    return len;
}

/* Whether exactly what is marked is found; says where not. */
static inline bool marks_hold(marks *m, const char *marked)
{
    char text[MARKS_TEXT];
    uint8_t kinds[MARKS_TEXT];
    size_t len = marks_read(text, kinds, marked);
    marks_propose(m, text);
    for (size_t i = 0; i < len; i++) {
        const tacit__proposal *best = marks_winner(m, i, TACIT_SCRUB_THRESHOLD);
        int found = best && best->kind < TACIT_TEXT_KEPT ? best->kind : TACIT_TEXT_NONE;
        if (found == kinds[i] || strchr(" -/.,()", text[i]))
            continue;
        print_error("%s: '%c' of \"%s\" is %s by \"%s\" (%d)\n", marked, text[i], text + i,
                    tacit_text_kind_name((tacit_text_kind)found), best ? best->rule : "nothing",
                    best ? best->likelihood : 0);
        return false;
    }
    return true;
}

#endif
