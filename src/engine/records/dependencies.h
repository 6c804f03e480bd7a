/*
 * dependencies.h - what becomes of the functional dependencies of the data in a release:
 * --dependencies of `tacit anonymize`.
 */
#ifndef TACIT_ENGINE_RECORDS_DEPENDENCIES_H
#define TACIT_ENGINE_RECORDS_DEPENDENCIES_H

#include "engine/job/session.h"
#include "engine/records/promise.h"

typedef struct engine_dependencies {
    const char *file;                              /* where the list goes; NULL: nobody asked */
    tacit_strview names[TACIT_DEPENDENCY_COLUMNS]; /* of the columns that are looked at */
    int32_t count;
    char *text;                /* room for all names */
    tacit_dependencies *found; /* in the data */
    tacit_released_dependencies *released;
} engine_dependencies;

/* Has every column coded, where somebody asked: any may say something of another. */
void engine_dependencies_code(tacit_csv_options *options, const engine_dependencies *dependencies);

/* The dependencies of the data among the columns that are released, and those of them that
 * the release, its columns coded, still lets anybody prove. */
tacit_status engine_dependencies_find(engine_dependencies *dependencies, const tacit_policy *policy,
                                      const tacit_table *data, const tacit_table *release,
                                      engine_session *session);

/* Writes the list, a dependency a row. */
tacit_status engine_dependencies_write(const engine_dependencies *dependencies,
                                       engine_session *session);

/* Nothing where nobody asked. */
void engine_dependencies_facts(tacit_report *report, const engine_dependencies *dependencies);
void engine_dependencies_clear(engine_dependencies *dependencies);

#endif
