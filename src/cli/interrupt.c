/*
 * interrupt.c - signals as a flag. A signal that was ignored when the command
 * started (nohup) stays ignored.
 */
#include "interrupt.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t caught;

static void note(int number)
{
    caught = number;
}

static void catch_one(int number)
{
    struct sigaction now, action;
    if (sigaction(number, NULL, &now) != 0 || now.sa_handler == SIG_IGN)
        return;
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void cli_interrupt_catch(void)
{
    catch_one(SIGINT);
    catch_one(SIGTERM);
    catch_one(SIGHUP);
}

bool cli_interrupted(void)
{
    return caught != 0;
}

int cli_interrupt_take(void)
{
    int number = caught;
    caught = 0;
    return number;
}

void cli_interrupt_give_back(int number)
{
    caught = number;
}

void cli_interrupt_pass_on(void)
{
    if (!caught)
        return;
    int number = caught;
    signal(number, SIG_DFL);
    raise(number);
}
