/*
 * job.h - a job at the command line: progress, messages and the report on the terminal.
 */
#ifndef TACIT_CLI_JOB_H
#define TACIT_CLI_JOB_H

#include "options.h"

/* Runs the job of a command line and commits it; returns the exit status. */
int cli_job_run(const cli_arguments *arguments);

/* The exit status for a status of the library. */
int cli_exit_of(tacit_status status);

#endif
