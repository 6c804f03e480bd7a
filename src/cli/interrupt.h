/*
 * interrupt.h - stopping cleanly: SIGINT, SIGTERM and SIGHUP set a flag, the
 * work ends at its next progress report and cleans up, and the signal is then
 * raised again so that the shell sees what happened.
 */
#ifndef TACIT_CLI_INTERRUPT_H
#define TACIT_CLI_INTERRUPT_H

#include <stdbool.h>

/* Catches the signals from now on. A second one ends the process at once. */
void cli_interrupt_catch(void);

bool cli_interrupted(void);

/* The signal that was caught, once; 0: none. A further one ends the process. */
int cli_interrupt_take(void);

/* The signal is to be passed on after all; 0: none. */
void cli_interrupt_give_back(int number);

/* Ends the process by the signal that was caught, if one was. */
void cli_interrupt_pass_on(void);

#endif
