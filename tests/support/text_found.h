/*
 * text_found.h - what detectors found in a text, as one line that tests compare:
 * "name:Virginia P. Weston|last_name:Weston", those that are likely, in order, each once.
 */
#ifndef TACIT_TESTS_TEXT_FOUND_H
#define TACIT_TESTS_TEXT_FOUND_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/read/document.h"
#include "text/scrub/proposals.h"

enum { FOUND_LINE = 2048 };

static inline tacit_strview found_view(const char *text)
{
    return (tacit_strview){.bytes = text, .len = strlen(text)};
}

static inline int found_order(const void *one, const void *other)
{
    const tacit__proposal *a = one, *b = other;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->end != b->end ? (a->end < b->end ? -1 : 1) : a->kind - b->kind;
}

/* Whether a longer proposal that is as likely has the words of this one. */
static inline bool found_within(const tacit__proposals *proposals, const tacit__proposal *item)
{
    for (size_t i = 0; i < proposals->count; i++) {
        const tacit__proposal *other = &proposals->items[i];
        if (other->start <= item->start && other->end >= item->end &&
            other->end - other->start > item->end - item->start &&
            other->likelihood >= item->likelihood)
            return true;
    }
    return false;
}

/* Sorts the proposals and writes those of the likelihood or more. */
static inline void found_line(char line[FOUND_LINE], tacit__proposals *proposals,
                              const tacit__document *document, int likelihood)
{
    char last[FOUND_LINE] = "";
    size_t len = 0;
    line[0] = '\0';
    if (proposals->count > 0)
        qsort(proposals->items, proposals->count, sizeof *proposals->items, found_order);
    for (size_t i = 0; i < proposals->count; i++) {
        const tacit__proposal *item = &proposals->items[i];
        char one[FOUND_LINE];
        if (item->likelihood < likelihood || found_within(proposals, item))
            continue;
        snprintf(one, sizeof one, "%u %s:%.*s", item->start, tacit_text_kind_name(item->kind),
                 (int)(item->end - item->start), document->text.bytes + item->start);
        if (strcmp(one, last) == 0)
            continue;
        len += (size_t)snprintf(line + len, FOUND_LINE - len, "%s%s", len ? "|" : "",
                                strchr(one, ' ') + 1);
        memcpy(last, one, sizeof last);
    }
}

/* The likelihood of the likeliest proposal of exactly that text; 0 where there is none. */
static inline int found_likelihood(const tacit__proposals *proposals,
                                   const tacit__document *document, const char *text)
{
    int best = 0;
    for (size_t i = 0; i < proposals->count; i++) {
        const tacit__proposal *item = &proposals->items[i];
        if (item->end - item->start == strlen(text) && item->likelihood > best &&
            memcmp(document->text.bytes + item->start, text, strlen(text)) == 0)
            best = item->likelihood;
    }
    return best;
}

/* Proposals as "kind:text|kind:text", each where its text first stands in the document. */
static inline void found_parse(tacit__proposals *proposals, const tacit__document *document,
                               const char *line, int likelihood)
{
    char copy[FOUND_LINE], *rest = copy;
    snprintf(copy, sizeof copy, "%s", line);
    while (*rest) {
        char *one = strsep(&rest, "|"), *text = strchr(one, ':') + 1;
        tacit_text_kind kind =
            tacit_text_kind_of((tacit_strview){.bytes = one, .len = (size_t)(text - one - 1)});
        const char *at = strstr(document->text.bytes, text);
        assert_true(kind != TACIT_TEXT_NONE && at);
        tacit__proposal proposal = {.start = (uint32_t)(at - document->text.bytes),
                                    .end = (uint32_t)(at - document->text.bytes + strlen(text)),
                                    .kind = (uint8_t)kind,
                                    .within = (uint8_t)kind,
                                    .likelihood = (uint8_t)likelihood,
                                    .detector = "test"};
        assert_int_equal(tacit__proposals_add(proposals, &proposal, NULL), TACIT_OK);
        if (!rest)
            break;
    }
}

#endif
