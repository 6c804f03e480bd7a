/*
 * parse.h - between the file of templates and the patterns in its lines.
 */
#ifndef TACIT_TEXT_TEMPLATE_PARSE_H
#define TACIT_TEXT_TEMPLATE_PARSE_H

#include "text/template/tree.h"

/* A line of which a pattern is being read. */
typedef struct tacit__pattern {
    tacit__trees *trees;
    tacit_strview line;
    size_t at; /* of the line */
    int64_t number;
    const char *file;
    bool may_span;
    int nesting, spans;
    tacit_status status;
    tacit_error *err;
} tacit__pattern;

/* Reads from `at` to the end of the line, or to a "~" that ends it. False: see status. */
bool tacit__pattern_read(uint32_t *out, tacit__pattern *pattern);

/* Says what is wrong at a column, with the value and what to do; returns false. */
bool tacit__pattern_fail(tacit__pattern *pattern, size_t at, const char *problem,
                         tacit_strview value, const char *advice);

/* The tree of "@month"; false where nothing is called so. */
bool tacit__pattern_named(uint32_t *out, const tacit__trees *trees, tacit_strview name);

#endif
