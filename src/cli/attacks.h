/*
 * attacks.h - the attacks by name, for their table. Each is a file attack_NAME.c.
 */
#ifndef TACIT_CLI_ATTACKS_H
#define TACIT_CLI_ATTACKS_H

#include "attack.h"

extern const cli_attack cli_attack_link;
extern const cli_attack cli_attack_finer;
extern const cli_attack cli_attack_method;
extern const cli_attack cli_attack_order;
extern const cli_attack cli_attack_previous;
extern const cli_attack cli_attack_sensitive;
extern const cli_attack cli_attack_summary;
extern const cli_attack cli_attack_trails;

/* Whether what knowing the method gives away was not asked because the release was made, or may
 * have been, with earlier ones, or by trails. */
bool cli_method_unasked(const cli_case *c);

#endif
