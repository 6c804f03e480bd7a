/*
 * verdict.h - the judge's verdict in words, and in an account.
 */
#ifndef TACIT_CLI_VERDICT_H
#define TACIT_CLI_VERDICT_H

#include <stdio.h>

#include "promise.h"

/* People in the smallest class of any quasi-identifier; 0 where there is none. */
int64_t cli_verdict_smallest(const tacit_verdict *verdict);

/* One sentence; cut to size, returns buffer. */
const char *cli_verdict_sentence(char *buffer, size_t size, const tacit_verdict *verdict,
                                 const tacit_promise *promise);

/* What kind of thing a finding is: "k", "value", "rows". */
const char *cli_finding_name(tacit_finding_kind kind);

/* Into the account's object "judge". */
void cli_verdict_account(tacit_account *account, const tacit_verdict *verdict);

/* Tables of what is promised beyond k, and of ambiguity, where anything is. */
void cli_verdict_models(tacit_page *page, const tacit_verdict *verdict);

/* Prints text in lines of at most 80 columns: the first after `label` in a
 * column of its own, the others below it. */
void cli_print_labelled(FILE *out, const char *label, const char *text);

/* The same on standard error, of what a format makes. */
void cli_line(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A number as people read it: 10 000 000. */
typedef struct cli_counted {
    char text[32];
} cli_counted;
cli_counted cli_count(int64_t count);

#endif
