/*
 * measured.h - what a release has lost of its data, and how many of its records can be told from
 * it: measured on the file that was written, in the same way for every technique and method.
 */
#ifndef TACIT_ENGINE_MASKING_MEASURED_H
#define TACIT_ENGINE_MASKING_MEASURED_H

#include "engine/records/release.h"

/* Whether the target of a prediction, if one is named, is a column that is measured; the header is
 * known by now. */
tacit_status engine_measured_check(const engine_release *release);

/* Measures both where that is wanted: with techniques, or with --evaluate or --target, and not with
 * --no-evaluate. The data is read once more, so it must be a file. */
tacit_status engine_measured_run(engine_release *release);
void engine_measured_clear(engine_measured *measured);

/* Both; nothing where nothing was measured. */
void engine_measured_facts(tacit_report *report, const engine_measured *measured);

/* Whether a prediction was tried on anybody, and what it came to: "41.2% right", "R2 0.31".
 * Cut to size; returns buffer. */
bool engine_prediction_known(const tacit_loss *loss);
const char *engine_prediction_score(char *buffer, size_t size, const tacit_loss_prediction *p,
                                    double score);

/* loss_facts.c, relink_facts.c, copies_facts.c: the objects "information_loss", "relinked" and
 * "copies", and a section each. */
void engine_loss_facts(tacit_report *report, const tacit_loss *loss);
void engine_relink_facts(tacit_report *report, const tacit_relink *found);
void engine_copies_facts(tacit_report *report, const tacit_copies *found);

/* What an attack came to: "8.3% of 1 000 records (95%: 6.7% to 10.1%)", of a sample where it was
 * one. Cut to size; returns buffer. */
const char *engine_relink_share(char *buffer, size_t size, const tacit_relink *found,
                                const tacit_relink_attack *attack);

#endif
