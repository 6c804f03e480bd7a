/*
 * dependencies.h - what becomes of the functional dependencies of the data in a release:
 * --dependencies of `tacit anonymize`.
 */
#ifndef TACIT_CLI_DEPENDENCIES_H
#define TACIT_CLI_DEPENDENCIES_H

#include "promise.h"
#include "session.h"

typedef struct cli_dependencies {
    const char *file;                              /* where the list goes; NULL: nobody asked */
    tacit_strview names[TACIT_DEPENDENCY_COLUMNS]; /* of the columns that are looked at */
    int32_t count;
    char *text;                /* room for all names */
    tacit_dependencies *found; /* in the data */
    tacit_released_dependencies *released;
} cli_dependencies;

/* Has every column coded, where somebody asked: any may say something of another. */
void cli_dependencies_code(tacit_csv_options *options, const cli_dependencies *dependencies);

/* The dependencies of the data among the columns that are released, and those of them that
 * the release, its columns coded, still lets anybody prove. */
tacit_status cli_dependencies_find(cli_dependencies *dependencies, const tacit_policy *policy,
                                   const tacit_table *data, const tacit_table *release,
                                   cli_session *session);

/* Writes the list, a dependency a row. */
tacit_status cli_dependencies_write(const cli_dependencies *dependencies, cli_session *session);

/* The numbers for people and for programs; nothing where nobody asked. */
void cli_dependencies_tell(const cli_dependencies *dependencies);
void cli_dependencies_account(tacit_account *account, const cli_dependencies *dependencies);
void cli_dependencies_page(tacit_page *page, const cli_dependencies *dependencies);
void cli_dependencies_clear(cli_dependencies *dependencies);

#endif
