/*
 * loss_account.h - what a release has lost, told on the terminal, in the JSON of
 * --report and on the page of --html. All of it is made from the original and is
 * for whoever holds the data.
 */
#ifndef TACIT_ENGINE_MASKING_LOSS_ACCOUNT_H
#define TACIT_ENGINE_MASKING_LOSS_ACCOUNT_H

#include <tacit/experimental.h>

/* A few lines on standard error. */
void engine_loss_tell(FILE *out, const tacit_loss *loss);

/* Under "information_loss": "attributes", a list, and "total". */
void engine_loss_account(tacit_account *account, const tacit_loss *loss);

/* A section with its heading: key numbers, measures, and before and after of each attribute. */
void engine_loss_page(tacit_page *page, const tacit_loss *loss);

#endif
