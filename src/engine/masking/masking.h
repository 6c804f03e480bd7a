/*
 * masking.h - techniques in `tacit anonymize`: the steps of the policy applied to the data before
 * anything is generalized, judged, and told of.
 *
 * The data is read, masked and written to a file without a name, which is what the rest of the work
 * reads in its place. Which row came from which is known to nobody but this run.
 */
#ifndef TACIT_ENGINE_MASKING_MASKING_H
#define TACIT_ENGINE_MASKING_MASKING_H

#include "engine/job/session.h"

typedef struct engine_masking {
    tacit_technique_step *steps; /* of the policy, and of a method that is a technique; borrowing */
    size_t step_count;
    char k[24];                          /* of that method */
    const char **names;                  /* of its columns */
    tacit_technique_setting settings[3]; /* of that method */
    const char *values[2];               /* of its settings */
    tacit_masking *masking;              /* NULL: there are none */
    tacit_masked *masked;                /* without its cells once they are written */
    tacit_output *file;                  /* what the rest of the work reads */
    const char **touched;                /* names of columns that steps may change, borrowing */
    const char **written;                /* and of those that they add, borrowing */
    tacit_strview *labels;               /* names of all columns, where there is no header */
    char *places;                        /* those of the data's */
    size_t label_count;
    bool secrets;        /* are told, too */
    tacit_masked_case c; /* without its tables once it is judged */
    tacit_masked_verdict *verdict;
} engine_masking;

/* Checks the policy's steps by themselves. policy may not be changed afterwards. */
tacit_status engine_masking_open(engine_masking *masking, const tacit_policy *policy,
                                 tacit_error *err);
void engine_masking_clear(engine_masking *masking);

/* Reads the data, masks it and has it judged; does nothing where there are no steps. */
tacit_status engine_masking_run(engine_masking *masking, const char *data, engine_session *session);

/* Reads the masked table, as options say; name is for messages. */
tacit_status engine_masking_read(tacit_table **out, const engine_masking *masking, const char *name,
                                 const tacit_csv_options *options, engine_session *session);

/* Whether a step makes a column's values mean nothing to a recipient. */
bool engine_masking_is_opaque(const engine_masking *masking, const char *column);

/* A technique's setting of that name, one that all have among them; NULL: it has none. */
const tacit_technique_option *engine_technique_option(const tacit_technique *technique,
                                                      const char *name);

/* What was done, in each of the three forms: never a seed, a key or another secret setting. */
void engine_masking_tell(FILE *out, const engine_masking *masking);
void engine_masking_account(tacit_account *account, const engine_masking *masking);
void engine_masking_page(tacit_page *page, const engine_masking *masking);

#endif
