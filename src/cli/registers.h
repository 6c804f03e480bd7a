/*
 * registers.h - the registers of --population, read, joined and put beside a release: everything
 * that linking takes.
 */
#ifndef TACIT_CLI_REGISTERS_H
#define TACIT_CLI_REGISTERS_H

#include "attack.h"

enum { CLI_MAX_REGISTERS = 16 };

typedef struct cli_registers {
    const char *files[CLI_MAX_REGISTERS]; /* borrowed */
    tacit_table *tables[CLI_MAX_REGISTERS];
    int32_t count;
    const char *names[TACIT_MAX_QUASI]; /* the columns that are shared; borrowed */
    tacit_linkage *linkage;
    uint32_t *truth;   /* a record each: its person; NULL: not given */
    tacit_link_case c; /* points into the rest of the struct; k is at least 2: 1 hides nobody */
} cli_registers;

/* The files in their order: what the policy names, or the first of the command line in its place,
 * then the others of the command line. */
tacit_status cli_registers_list(cli_registers *registers, const tacit_policy *policy,
                                const cli_session *session, tacit_error *err);

/* What is asked of linking makes sense only with a register, and no register is written over. */
tacit_status cli_registers_check(const tacit_policy *policy, cli_session *session);

/* Reads and joins the registers, and the truth of --truth. The struct must stay where it is; it
 * is cleared in any case. */
tacit_status cli_registers_read(cli_registers *registers, const cli_case *c, tacit_error *err);
void cli_registers_clear(cli_registers *registers);

/* A policy that names no quasi-identifier gets one: what the release shares with the registers, of
 * what has no other role; and a k of 1, where it has none. Does nothing without registers. */
tacit_status cli_registers_quasi(tacit_policy *policy, const char *release, cli_session *session);

/* truth.c: the column of the first register by which --truth names people, or -1 without it. */
tacit_status cli_truth_column(int32_t *by, const tacit_table *people, cli_session *session);

/* Who stands behind each record, to be freed; the column is coded. Nothing without --truth. */
tacit_status cli_truth_read(uint32_t **truth, int32_t by, const tacit_table *people,
                            int64_t records, cli_session *session);

#endif
