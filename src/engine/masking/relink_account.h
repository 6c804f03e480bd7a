/*
 * relink_account.h - how far a release can be re-linked to its original: in words, in the account
 * and on a page. Shares and counts only; nothing of it is a value of a person.
 */
#ifndef TACIT_ENGINE_MASKING_RELINK_ACCOUNT_H
#define TACIT_ENGINE_MASKING_RELINK_ACCOUNT_H

#include <tacit/experimental.h>

/* A few lines on standard error. */
void engine_relink_tell(FILE *out, const tacit_relink *found);

/* Into the account's object "relinked". */
void engine_relink_account(tacit_account *account, const tacit_relink *found);

/* relink_page.c: a heading, the attacks before and after, windows around numbers, models. */
void engine_relink_page(tacit_page *page, const tacit_relink *found);

/* A sentence on each of the three protection models. */
enum { ENGINE_RELINK_MODELS = 3 };
typedef struct engine_relink_model {
    const char *name;
    const char *verdict; /* "holds", "broken" or "unknown" */
    char why[160];
} engine_relink_model;
void engine_relink_models(engine_relink_model models[ENGINE_RELINK_MODELS],
                          const tacit_relink_maps *maps);

/* What an attack came to: "8.3% of 1 000 records (95%: 6.7% to 10.1%)", of a sample where it was
 * one. Cut to size; returns buffer. */
const char *engine_relink_share(char *buffer, size_t size, const tacit_relink *found,
                                const tacit_relink_attack *attack);

#endif
