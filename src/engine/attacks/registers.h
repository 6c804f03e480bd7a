/*
 * registers.h - the registers of --population, read, joined and put beside a release: everything
 * that linking takes.
 */
#ifndef TACIT_ENGINE_ATTACKS_REGISTERS_H
#define TACIT_ENGINE_ATTACKS_REGISTERS_H

#include "engine/attacks/attack.h"

enum { ENGINE_MAX_REGISTERS = 16 };

typedef struct engine_registers {
    const char *files[ENGINE_MAX_REGISTERS]; /* borrowed */
    tacit_table *tables[ENGINE_MAX_REGISTERS];
    int32_t count;
    const char *names[TACIT_MAX_LINK_COLUMNS]; /* the columns that are shared; borrowed */
    tacit_linkage *linkage;
    uint32_t *truth;   /* a record each: its person; NULL: not given */
    tacit_link_case c; /* points into the rest of the struct; k is at least 2: 1 hides nobody */
} engine_registers;

/* What is asked of linking makes sense only with a register, and no register is written over. */
tacit_status engine_registers_check(const tacit_policy *policy, engine_session *session);

/* Reads and joins the registers, and the truth of --truth. The struct must stay where it is; it
 * is cleared in any case. */
tacit_status engine_registers_read(engine_registers *registers, const engine_case *c,
                                   tacit_error *err);
void engine_registers_clear(engine_registers *registers);

/* A policy that names no quasi-identifier gets one: what the release shares with the registers, of
 * what has no other role; and a k of 1, where it has none. Does nothing without registers. */
tacit_status engine_registers_quasi(tacit_policy *policy, const char *release,
                                    engine_session *session);

#endif
