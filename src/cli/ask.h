/*
 * ask.h - the person in front of a job that asks.
 */
#ifndef TACIT_CLI_ASK_H
#define TACIT_CLI_ASK_H

#include <tacit/job.h>

/* A tacit_question_fn; the payload is a cli_terminal. The end of the input is no answer. */
tacit_status cli_ask_person(char *answer, size_t size, const char *question, void *payload);

#endif
