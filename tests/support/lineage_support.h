/*
 * lineage_support.h - lineages of labels that a test writes down.
 */
#ifndef TACIT_TESTS_LINEAGE_SUPPORT_H
#define TACIT_TESTS_LINEAGE_SUPPORT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental/lineage.h>
#include <unistd.h>

enum { LINEAGE_LABELS = 64 };

typedef struct lineage_case {
    tacit_hierarchy_spec spec;
    char path[64]; /* of a hierarchy file; "": none */
    char text[1024];
    tacit_strview labels[LINEAGE_LABELS];
    tacit_lineage *lineage;
} lineage_case;

/* A specification as a flag writes it, or of a file with these bytes where they have a line
 * break. */
static inline void lineage_spec(lineage_case *made, const char *rule)
{
    tacit_error err = {0};
    if (!strchr(rule, '\n')) {
        if (tacit_hierarchy_spec_parse(&made->spec, rule, NULL, &err) != TACIT_OK)
            abort();
        return;
    }
    snprintf(made->path, sizeof made->path, "/tmp/tacit-lineage-XXXXXX");
    int fd = mkstemp(made->path);
    if (fd < 0 || write(fd, rule, strlen(rule)) != (ssize_t)strlen(rule) || close(fd) != 0)
        abort();
    made->spec.kind = TACIT_HIERARCHY_FILE;
    made->spec.path = strdup(made->path);
}

/* Labels with | between, as a list named "list". */
static inline tacit_status lineage_case_init(lineage_case *made, const char *rule,
                                             const char *labels, bool open, tacit_error *err)
{
    uint32_t count = 0;
    lineage_spec(made, rule);
    snprintf(made->text, sizeof made->text, "%s", labels);
    for (char *rest = made->text, *label; (label = strsep(&rest, "|"));)
        made->labels[count++] = tacit_strview_of(label);
    const tacit_lineage_source source = {
        .labels = made->labels, .label_count = count, .name = "list", .open = open};
    return tacit_lineage_new(&made->lineage, &made->spec, &source, 1, err);
}

static inline void lineage_case_clear(lineage_case *made)
{
    tacit_lineage_free(made->lineage);
    tacit_hierarchy_spec_clear(&made->spec);
    if (*made->path)
        unlink(made->path);
}

#endif
