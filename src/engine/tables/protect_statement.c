/*
 * protect_statement.c - what recipients of a statistical table are told (--statement): by which
 * means it is protected, and what that does to analyses. Kinds of rules are told, their parameters
 * are not: who knows p or k of a dominance rule narrows a suppressed value down. Which suppressed
 * cell is primary, costs, bounds and protection levels are nowhere.
 */
#include "engine/job/statement.h"
#include "engine/tables/protect.h"

static void say_rules(tacit_report *report, const engine_protection *p)
{
    static const char *const KINDS[] = {
        [TACIT_RULE_FREQ] = "Cells with few contributors are protected.",
        [TACIT_RULE_DOMINANCE] = "Cells in which few contributors have most of the value are "
                                 "protected.",
        [TACIT_RULE_P] = "Cells in which a contributor could estimate another are protected.",
        [TACIT_RULE_PQ] = "Cells in which a contributor could estimate another are protected.",
        [TACIT_RULE_REQUEST] = "Cells of contributors who requested it are protected.",
    };
    for (int32_t i = 0; i < p->rule_count; i++) {
        bool said = false;
        for (int32_t j = 0; j < i; j++)
            said |= KINDS[p->rules[j].kind] == KINDS[p->rules[i].kind];
        if (!said)
            engine_statement_say(report, "protection", "%s", KINDS[p->rules[i].kind]);
    }
}

static void say_suppression(tacit_report *report, const engine_protection *p)
{
    engine_statement_say(report, "protection",
                         "Confidential cells are suppressed, and others with them, so that they "
                         "cannot be worked out from the rest of the table.");
    if (p->intervals)
        engine_statement_say(report, "protection",
                             "Suppressed values lie in the intervals that are published.");
}

static void say_suppression_effects(tacit_report *report)
{
    engine_statement_say(report, "effects", "Values that are published are those of the data.");
    engine_statement_say(report, "effects",
                         "What is suppressed is not missing at random: small and dominated cells "
                         "are suppressed first, and cells beside them. A suppressed cell is not "
                         "to be read as zero.");
}

static void say_alteration(tacit_report *report, const tacit_alter_method *method)
{
    engine_statement_say(report, "protection", "Values were changed: %s.", method->summary);
}

static void say_alteration_effects(tacit_report *report, const tacit_alter_method *method)
{
    engine_statement_say(report, "effects",
                         "Single values are not those of the data, and small ones can be far off "
                         "in proportion.");
    engine_statement_say(report, "effects", "%s",
                         method->additive ? "Totals are the sums of what is published."
                                          : "Published values need not add up to published "
                                            "totals; take totals from the table.");
}

static void state_table(tacit_report *report, const void *subject)
{
    const engine_protection *p = subject;
    const tacit_alter_method *alters = p->altering.method;
    tacit_report_section(report, "How the table is protected");
    say_rules(report, p);
    if (engine_is_noise(p)) {
        engine_noise_state(report, p);
        engine_statement_terms(report);
        return;
    }
    if (alters)
        say_alteration(report, alters);
    else
        say_suppression(report, p);
    engine_statement_say(report, "protection",
                         "Parameters of rules, seeds and limits are not stated.");
    tacit_report_section(report, "What analyses have to mind");
    if (alters)
        say_alteration_effects(report, alters);
    else
        say_suppression_effects(report);
    engine_statement_terms(report);
}

const engine_reports engine_protect_statement = {.title = "Statement for recipients of the table",
                                                 .fill = state_table};
