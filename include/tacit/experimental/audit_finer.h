/*
 * audit_finer.h - what follows from a finer release having been refused: the minimality attack on
 * promises of sensitive values (Wong, Fu, Wang, Pei, Minimality Attack in Privacy Preserving Data
 * Publishing, VLDB 2007).
 *
 * A method that generalizes whole columns no further than it must would have released a column one
 * level finer if that had kept the promise. Who knows the quasi-identifiers of everybody in the
 * data sees whether it kept k. Where it did, something that was promised of a sensitive value was
 * broken: some group of people, known by name, has too few values, or one too often. The values of
 * the class that the group is part of are in the release, so that most groups can be ruled out; if
 * one is left it is that one.
 */
#ifndef TACIT_AUDIT_FINER_H
#define TACIT_AUDIT_FINER_H

#include <tacit/experimental/audit.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_finer {
    bool asked;         /* false: the release is not on one level for each attribute, or rows are
                           suppressed, or there are too many, and nothing was tried */
    int32_t refused;    /* releases finer by one level of one attribute that keep k */
    int32_t impossible; /* of them, those of which no group can break a promise: the method is
                           another */
    int32_t attribute;  /* that the one is finer in which says most; -1: there is none */
    int64_t candidates; /* its groups that can be the one that broke a promise */
    int64_t candidate_rows;
    int64_t exposed_rows; /* rows in groups that broke one for certain */
    int64_t certain_rows; /* of them, those whose value is known */
} tacit_finer;

/* The original has the attributes and the sensitive columns of models coded. `floors` (NULL: 0)
 * has the level of each attribute that no release is finer than. */
tacit_status tacit_audit_finer(tacit_finer *out, const tacit_promise *promise,
                               const tacit_evidence *evidence, const int *floors,
                               const tacit_run *run, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
