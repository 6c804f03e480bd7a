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
    const tacit_technique *made_up; /* that draws values; NULL: none does */
    bool secrets;                   /* are told, too */
    tacit_masked_case c;            /* without its tables once it is judged */
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

/* What was done: never a seed, a key or another secret setting. */
void engine_masking_facts(tacit_report *report, const engine_masking *masking);

/* TACIT_OK where the verdict holds; else TACIT_INFEASIBLE, with what was found first. */
tacit_status engine_masked_refuse(tacit_error *err, const tacit_masked_verdict *verdict,
                                  const tacit_masked_case *masked);

/* What a claim says, and what was measured: "sums of income are as they were in each region". Cut
 * to size, returns buffer. */
const char *engine_masked_sentence(char *buffer, size_t size, const tacit_masked_verdict *verdict,
                                   const tacit_masked_case *masked, size_t claim);

/* "claims", a list of what each step says it has kept and what was measured; and "masked_judge", an
 * object with cells that were compared and changed, and findings. Steps, rows and claims count from
 * 1. */
void engine_masked_facts(tacit_report *report, const tacit_masked_verdict *verdict,
                         const tacit_masked_case *masked);

#endif
