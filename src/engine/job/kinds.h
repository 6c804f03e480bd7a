/*
 * kinds.h - the kinds of jobs: what each is told, and the functions that do it.
 *
 * A job is run up to the judge's verdict, and committed: only then does anything appear. What a
 * kind needs in between is its state, a struct that begins with the session.
 */
#ifndef TACIT_ENGINE_JOB_KINDS_H
#define TACIT_ENGINE_JOB_KINDS_H

#include "engine/job/files.h"

typedef struct engine_kind {
    const char *name;
    const char *input; /* what it works on, for messages */
    size_t inputs_needed, inputs_taken;
    const engine_setting *settings; /* its own; NULL: none */
    bool takes_policy;              /* a policy, and a setting for each key of it */
    const char *const *policy_keys; /* the keys that are settings, ending in NULL; NULL: all */
    bool takes_data;                /* the settings of every kind that reads data */
    bool takes_places;              /* works with less than the rows of a table in an engine */
    /* The kind that takes its place with these settings, or NULL: a table instead of records. */
    const struct engine_kind *(*variant)(const engine_settings *settings);
    size_t size; /* of its state, which is all zero but for the session at first */
    tacit_status (*run)(void *state);    /* NULL: there is nothing to do before the commit */
    tacit_status (*commit)(void *state); /* prints the report, too; NULL: there is no more to it */
    /* Of a release that was committed: writes it once more. NULL: it is none. */
    tacit_status (*save)(void *state, const char *path);
    bool (*discloses)(const void *state); /* of an audit; NULL: it is none */
    const engine_reports *report;         /* of a job that was run, filled from its state; or: */
    const engine_reports *(*reports)(const void *state, const void **subject);
    void (*clear)(void *state); /* NULL: its state owns nothing */
} engine_kind;

/* Those that have a name of their own: adding one is a file and its name here. */
#define ENGINE_KINDS(each)                                                               \
    each(profile) each(hierarchy) each(risk) each(anonymize) each(compare) each(protect) \
        each(audit) each(ledger_listing) each(scrub_kind)

#define DECLARE_KIND(kind) extern const engine_kind engine_##kind;
ENGINE_KINDS(DECLARE_KIND)
#undef DECLARE_KIND

/* Those that take their place with certain settings. */
extern const engine_kind engine_risk_counts, engine_explore_kind, engine_protect_sparse,
    engine_protect_argus, engine_audit_table, engine_audit_sparse, engine_scrub_learn,
    engine_scrub_new_key;

/* The former, ending in NULL. */
extern const engine_kind *const engine_kinds[];

const engine_kind *engine_kind_find(const char *name);

#endif
