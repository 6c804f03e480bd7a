/*
 * choices.c - what kinds of jobs offer by name, for help and manual pages: methods, techniques and
 * metrics, from the tables in which each of them is a line.
 */
#include <stdio.h>
#include <string.h>

#include <tacit/experimental.h>

/* A name from 0 on, and its summary; NULL: there are no more. */
typedef const char *(*choice_at)(size_t index, char *summary, size_t size);

static const char *record_method(size_t index, char *summary, size_t size)
{
    const tacit_method *const *each = tacit_methods();
    for (; index > 0 && *each; index--)
        each++;
    snprintf(summary, size, "%s", *each ? (*each)->summary : "");
    return *each ? (*each)->name : NULL;
}

/* What it does, and the names of its settings, those that it needs first. */
static const char *technique(size_t index, char *summary, size_t size)
{
    const tacit_technique *const *each = tacit_techniques();
    for (; index > 0 && *each; index--)
        each++;
    if (!*each)
        return NULL;
    size_t used = (size_t)snprintf(summary, size, "%s", (*each)->summary);
    const char *before = ": ";
    for (int needed = 1; needed >= 0; needed--)
        for (const tacit_technique_option *option = (*each)->options; option->name; option++)
            if (option->required == needed && used < size) {
                used += (size_t)snprintf(summary + used, size - used, needed ? "%s%s" : "%s[%s]",
                                         before, option->name);
                before = " ";
            }
    return (*each)->name;
}

static const char *metric(size_t index, char *summary, size_t size)
{
    if (index >= tacit_metric_count())
        return NULL;
    snprintf(summary, size, "%s", tacit_metric_summary((tacit_metric)index));
    return tacit_metric_name((tacit_metric)index);
}

/* Those that suppress cells, then those that change values. */
static const char *table_method(size_t index, char *summary, size_t size)
{
    const tacit_suppress_method *suppress = tacit_suppress_methods();
    for (; suppress->name; suppress++)
        if (index-- == 0) {
            snprintf(summary, size, "%s", suppress->summary);
            return suppress->name;
        }
    const tacit_alter_method *alter = tacit_alter_methods();
    for (; index > 0 && alter->name; index--)
        alter++;
    snprintf(summary, size, "%s", alter->name ? alter->summary : "");
    return alter->name;
}

static const struct choice_group {
    const char *kind;
    const char *heading;
    choice_at at;
} GROUPS[] = {
    {"anonymize", "Methods", record_method},
    {"anonymize", "Techniques, applied before anything is generalized", technique},
    {"anonymize", "Metrics", metric},
    {"protect", "Methods", table_method},
};

static const struct choice_group *find_group(const char *kind, size_t group)
{
    for (size_t i = 0; i < TACIT_COUNT_OF(GROUPS); i++)
        if (strcmp(GROUPS[i].kind, kind) == 0 && group-- == 0)
            return &GROUPS[i];
    return NULL;
}

const char *tacit_job_group(const char *kind, size_t group)
{
    const struct choice_group *found = find_group(kind, group);
    return found ? found->heading : NULL;
}

const char *tacit_job_choice(const char *kind, size_t group, size_t index, char *summary,
                             size_t size)
{
    const struct choice_group *found = find_group(kind, group);
    return found ? found->at(index, summary, size) : NULL;
}
