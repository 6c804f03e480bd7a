/*
 * joint.h - a release and other files of the same source, column by column in one tree of values:
 * what the attacks with earlier releases and with the order of rows work on.
 */
#ifndef TACIT_ENGINE_ATTACKS_JOINT_H
#define TACIT_ENGINE_ATTACKS_JOINT_H

#include "engine/attacks/attack.h"

/* A file beside the release. Borrowed. */
typedef struct engine_joint_file {
    const tacit_table *table;
    const char *name; /* for messages */
} engine_joint_file;

/* The quasi-identifying columns in the promise's order, then the others that the release shares
 * with a file. Zero-initialized is empty. */
typedef struct engine_joint {
    const engine_case *c;
    const engine_joint_file *files; /* borrowed */
    int32_t file_count;
    uint32_t max_values;
    int32_t count, quasi;
    int32_t *released;        /* column of the release, each */
    int32_t *found;           /* of each file, by column and file; -1: it has none */
    tacit_lineage **lineages; /* of the release's values, then those of each file that has it; NULL:
                                 a column without "*" outside the quasi-identifier, which can only
                                 agree by being equal */
    uint32_t **same;          /* by column and file: codes of the release, where there is no tree */
} engine_joint;

/* A file without rows, or without one of the quasi-identifying columns in common, is an error. Of
 * the other columns text that was rewritten is left out, pseudonyms unless a file has some of the
 * same, and those of which the release has more than max_values values. */
tacit_status engine_joint_init(engine_joint *joint, const engine_case *c,
                               const engine_joint_file *files, int32_t file_count,
                               uint32_t max_values, tacit_error *err);
void engine_joint_clear(engine_joint *joint);

/* The columns of the release beside a file's, joint->count of them. */
void engine_joint_columns(tacit_joint_column *columns, const engine_joint *joint, int32_t file);

/* The release beside a file, with the promise's k and quasi-identifiers. */
tacit_two_releases engine_joint_two(const tacit_joint_column *columns, const engine_joint *joint,
                                    int32_t file);

/* The columns of the release beside any file; NULL: out of memory. To be freed with free. */
tacit_joint_column *engine_joint_columns_new(const engine_joint *joint);

#endif
