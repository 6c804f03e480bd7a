/*
 * attacks.h - the attacks by name, for their table. Each is a file attack_NAME.c.
 */
#ifndef TACIT_ENGINE_ATTACKS_ATTACKS_H
#define TACIT_ENGINE_ATTACKS_ATTACKS_H

#include "engine/attacks/attack.h"

extern const engine_attack engine_attack_link;
extern const engine_attack engine_attack_finer;
extern const engine_attack engine_attack_method;
extern const engine_attack engine_attack_order;
extern const engine_attack engine_attack_previous;
extern const engine_attack engine_attack_sensitive;
extern const engine_attack engine_attack_summary;
extern const engine_attack engine_attack_trails;

/* Whether what knowing the method gives away was not asked because the release was made, or may
 * have been, with earlier ones, or by trails. */
bool engine_method_unasked(const engine_case *c);

#endif
