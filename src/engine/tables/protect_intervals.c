/*
 * protect_intervals.c - intervals in place of blanks: those that anybody can work out from the
 * release (--intervals), or those that the method partial has chosen, which are all that hides
 * cells. The first are refused where they say more than the blanks; the second are taken for
 * known by the audit.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/job/files.h"
#include "engine/records/verdict.h"
#include "engine/tables/protect.h"

enum { WIDER = 100 };

static bool chosen(const engine_protection *p)
{
    return p->method && strcmp(p->method->name, "partial") == 0;
}

tacit_status engine_intervals_plan(engine_protection *p)
{
    const engine_settings *settings = p->session->settings;
    const char *target = engine_value(settings, "output");
    tacit_error *err = &p->session->error;
    p->intervals = chosen(p) || engine_has(settings, "intervals");
    p->wanted.wider = engine_real(settings, "wider", WIDER);
    if (p->intervals && !p->method)
        return tacit__error(
            err, TACIT_INVALID,
            "--intervals is about suppressed cells, which the method %s has none of",
            engine_protect_method(p));
    if (p->intervals && target && engine_is_jj(target))
        return tacit__error(err, TACIT_INVALID,
                            "a .jj has no room for intervals; write the release as a .csv");
    if (chosen(p) && engine_has(settings, "html"))
        return tacit__error(err, TACIT_INVALID,
                            "--html says what follows from blanks, of which the method partial has "
                            "none; --pivot shows its intervals");
    return TACIT_OK;
}

tacit_status engine_intervals_make(engine_protection *p)
{
    if (!p->intervals || p->pattern.intervals.low)
        return TACIT_OK;
    tacit_status status = tacit_audit_public(&p->pattern.intervals, p->cells, p->pattern.status,
                                             &p->session->run, &p->session->error);
    if (status == TACIT_OK)
        tacit_intervals_round(&p->pattern.intervals, p->cells, p->pattern.status);
    return status;
}

const tacit_intervals *engine_intervals(const engine_protection *p)
{
    return p->intervals ? &p->pattern.intervals : NULL;
}

tacit_status engine_intervals_check(engine_protection *p)
{
    if (!p->intervals || chosen(p))
        return TACIT_OK;
    return tacit_audit_intervals_public(p->written, p->cells, &p->session->run, &p->session->error);
}

tacit_status engine_intervals_audit(engine_protection *p, const tacit_cells_audit_options *options)
{
    tacit_error *err = &p->session->error;
    tacit_narrowed known;
    if (!p->intervals)
        return tacit_audit_cells(&p->audit, p->cells, p->written->status, options, &p->session->run,
                                 err);
    tacit_status status = tacit_narrowed_init(&known, p->cells, &p->written->intervals, err);
    if (status != TACIT_OK)
        return status;
    status = tacit_audit_cells(&p->audit, &known.cells, p->written->status, options,
                               &p->session->run, err);
    tacit_narrowed_clear(&known);
    return status;
}

void engine_intervals_facts(tacit_report *report, const engine_protection *p)
{
    char shown[32];
    if (!p->intervals)
        return;
    double loss = tacit_intervals_loss(&p->pattern.intervals, p->cells);
    tacit_number_text(shown, sizeof shown, loss, 0);
    tacit_report_line(report, "intervals",
                      chosen(p) ? "of loss %s as published" : "of loss %s, as anybody can tell",
                      shown);
    tacit_report_text(report, "intervals.kind", chosen(p) ? "chosen" : "public");
    tacit_report_real(report, "intervals.loss", loss);
    if (chosen(p))
        tacit_report_real(report, "intervals.wider", p->wanted.wider);
}
