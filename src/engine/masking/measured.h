/*
 * measured.h - what a release has lost of its data, and how many of its records can be told from
 * it: measured on the file that was written, in the same way for every technique and method.
 */
#ifndef TACIT_ENGINE_MASKING_MEASURED_H
#define TACIT_ENGINE_MASKING_MEASURED_H

#include "engine/records/release.h"

/* Measures both where that is wanted: with techniques, or with --evaluate, and not with
 * --no-evaluate. The data is read once more, so it must be a file. */
tacit_status engine_measured_run(engine_release *release);
void engine_measured_clear(engine_measured *measured);

/* Both, in each of the three forms; nothing where nothing was measured. */
void engine_measured_tell(FILE *out, const engine_measured *measured);
void engine_measured_account(tacit_account *account, const engine_measured *measured);
void engine_measured_page(tacit_page *page, const engine_measured *measured);

#endif
