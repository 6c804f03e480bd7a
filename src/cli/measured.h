/*
 * measured.h - what a release has lost of its data, and how many of its records can be told from
 * it: measured on the file that was written, in the same way for every technique and method.
 */
#ifndef TACIT_CLI_MEASURED_H
#define TACIT_CLI_MEASURED_H

#include "release.h"

/* Measures both where that is wanted: with techniques, or with --evaluate, and not with
 * --no-evaluate. The data is read once more, so it must be a file. */
tacit_status cli_measured_run(cli_release *release);
void cli_measured_clear(cli_measured *measured);

/* Both, in each of the three forms; nothing where nothing was measured. */
void cli_measured_tell(const cli_measured *measured);
void cli_measured_account(tacit_account *account, const cli_measured *measured);
void cli_measured_page(tacit_page *page, const cli_measured *measured);

#endif
