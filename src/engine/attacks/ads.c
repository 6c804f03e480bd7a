/*
 * ads.c - the nine parts of the definition in words that a data holder understands.
 *
 * What the judge knows is said here; each attack adds what it has shown (engine_attack.shows). An
 * attack that was not tried for want of something to attack with is named under part 7 or 8.
 *
 * Part 9 holds where one of its three conditions does (Sweeney, 4.3): null-map and k-map releases
 * keep a, whatever becomes of b, and wrong-map releases c. So conditions are collected first, and
 * only where none holds are those that are not met broken.
 */

#include "engine/attacks/attack.h"

#include <stdarg.h>
#include <string.h>

#include "engine/records/verdict.h"

static const char *const PARTS[ENGINE_ADS_PARTS] = {
    "1 subjects (S)",          "2 people (P)",       "3 private data (PT)",
    "4 quasi-identifier (QI)", "5 universe (U)",     "6 releases (R)",
    "7 what others know (E)",  "8 ways to link (G)", "9 protection (f)",
};

static const char *const STATES[] = {"assumed", "holds", "broken", "not shown", "not met"};

void engine_ads_say(engine_ads *ads, engine_ads_part part, engine_ads_state state,
                    const char *format, ...)
{
    if (ads->count == ENGINE_ADS_MAX)
        return;
    engine_ads_statement *statement = &ads->list[ads->count++];
    va_list arguments;
    va_start(arguments, format);
    statement->part = part;
    statement->state = state;
    vsnprintf(statement->text, sizeof statement->text, format, arguments);
    va_end(arguments);
}

void engine_ads_meet(engine_ads *ads, engine_ads_condition condition, engine_ads_state state,
                     const char *format, ...)
{
    engine_ads_statement *statement = &ads->conditions[condition];
    va_list arguments;
    va_start(arguments, format);
    statement->part = ENGINE_ADS_CONTROL;
    statement->state = state;
    vsnprintf(statement->text, sizeof statement->text, format, arguments);
    va_end(arguments);
}

/* ---- what the judge knows ---- */

static void say_subjects(engine_ads *ads, const tacit_verdict *verdict, const engine_case *c)
{
    const char *what = "people, one behind each row";
    if (verdict->people_counted)
        what = c->promise->promise.household
                   ? "households, as the household column tells them apart"
                   : "people, as the person column tells them apart";
    engine_ads_say(ads, ENGINE_ADS_SUBJECTS, ENGINE_ADS_ASSUMED,
                   "the %s rows of the release are about %s", engine_count(verdict->rows).text,
                   what);
    if (c->promise->promise.masked)
        engine_ads_say(ads, ENGINE_ADS_PRIVATE, ENGINE_ADS_UNKNOWN,
                       "techniques have changed the private data first; what they preserve is "
                       "listed with them");
    else if (verdict->rows_matched)
        engine_ads_say(
            ads, ENGINE_ADS_PRIVATE, ENGINE_ADS_HOLDS,
            "every released row comes from one row of the private data, and none from two");
    else if (c->original)
        engine_ads_say(ads, ENGINE_ADS_PRIVATE, ENGINE_ADS_UNKNOWN,
                       "the rows of the release could not be matched one to one with those of the "
                       "private data");
    else
        engine_ads_say(ads, ENGINE_ADS_PRIVATE, ENGINE_ADS_UNKNOWN,
                       "the private data was not given (--original)");
}

static void say_quasi(engine_ads *ads, const engine_case *c)
{
    char names[256] = "", sets[256] = "";
    const tacit_promise *promise = &c->promise->promise;
    for (int32_t i = 0; i < promise->attribute_count; i++)
        engine_append_name(names, sizeof names, c->promise->attributes[i].name);
    for (int32_t i = 0; i < promise->items_count; i++)
        engine_append_name(sets, sizeof sets, promise->items[i].column);
    if (promise->items_count > 0)
        engine_ads_say(ads, ENGINE_ADS_QUASI, ENGINE_ADS_ASSUMED,
                       "an adversary knows these columns, no others, and up to %d items of a "
                       "person's sets (%s): %s",
                       promise->km, sets, names);
    else
        engine_ads_say(ads, ENGINE_ADS_QUASI, ENGINE_ADS_ASSUMED,
                       "an adversary knows these columns and no others: %s", names);
}

static void say_universe(engine_ads *ads, const engine_case *c)
{
    int32_t pseudonyms = 0;
    for (int32_t i = 0; i < c->promise->promise.identifier_count; i++)
        pseudonyms += c->promise->identifiers[i].pseudonym;
    if (pseudonyms)
        engine_ads_say(
            ads, ENGINE_ADS_UNIVERSE, ENGINE_ADS_ASSUMED,
            "only the data holder has the key, so the pseudonyms of %d %s name no real person",
            (int)pseudonyms, pseudonyms == 1 ? "column" : "columns");
    else if (c->promise->promise.masked)
        engine_ads_say(
            ads, ENGINE_ADS_UNIVERSE, ENGINE_ADS_ASSUMED,
            "it is the people, and those whom values changed by techniques seem to name");
    else
        engine_ads_say(ads, ENGINE_ADS_UNIVERSE, ENGINE_ADS_ASSUMED,
                       "it is the people: the release has no made-up ones");
}

/* A name that is still there finds its person whatever the conditions say. What else the judge
 * finds is about the promise of the policy, of which the definition knows nothing. */
static void say_findings(engine_ads *ads, const tacit_verdict *verdict)
{
    for (int32_t i = 0; i < verdict->finding_count; i++) {
        const tacit_finding *finding = &verdict->findings[i];
        bool named =
            finding->kind == TACIT_FINDING_IDENTIFIER || finding->kind == TACIT_FINDING_COLUMN;
        engine_ads_say(ads, ENGINE_ADS_CONTROL, named ? ENGINE_ADS_BROKEN : ENGINE_ADS_UNKNOWN,
                       "%s: %.300s",
                       named ? "the judge finds" : "outside the definition, but the judge finds",
                       finding->message);
    }
}

static engine_ads_state state_of(int64_t least)
{
    return least < 2 ? ENGINE_ADS_NOT_MET : ENGINE_ADS_HOLDS;
}

/* What classes say of the conditions; of ambiguity, who fits which rows, which nobody can tell
 * without the original. Without a register the people are those of the release; an attack that has
 * one says more. */
static void say_classes(engine_ads *ads, const tacit_verdict *verdict, const engine_case *c)
{
    bool fits = c->promise->promise.ambiguous;
    int64_t people = fits ? verdict->fits.least_people : engine_verdict_smallest(verdict);
    int64_t rows = fits ? verdict->fits.least_rows : people;
    const char *nobody = "the release has no rows in which anybody could be found";
    engine_ads_meet(ads, ENGINE_ADS_INACCURATE, ENGINE_ADS_ASSUMED,
                    "everything else in the rows is accurate, so condition c protects nobody");
    if (verdict->rows == 0) {
        engine_ads_meet(ads, ENGINE_ADS_OTHER_PEOPLE, ENGINE_ADS_HOLDS, "%s (condition a)", nobody);
        engine_ads_meet(ads, ENGINE_ADS_OTHER_ROWS, ENGINE_ADS_HOLDS, "%s (condition b)", nobody);
        return;
    }
    if (fits && !verdict->fits.exact) {
        const char *hidden =
            "which people fit a row with suppressed cells can only be found with the original";
        engine_ads_meet(ads, ENGINE_ADS_OTHER_PEOPLE, ENGINE_ADS_UNKNOWN, "%s (condition a)",
                        hidden);
        engine_ads_meet(ads, ENGINE_ADS_OTHER_ROWS, ENGINE_ADS_UNKNOWN, "%s (condition b)", hidden);
        return;
    }
    engine_ads_meet(
        ads, ENGINE_ADS_OTHER_PEOPLE, state_of(people),
        people < 2 ? "some row could be that of only one person in the release (condition a)"
                   : "every row could be that of at least %lld people in the release (condition a)",
        (long long)people);
    engine_ads_meet(
        ads, ENGINE_ADS_OTHER_ROWS, state_of(rows),
        rows < 2 ? "some person could be behind only one row (condition b)"
                 : "every person in the release could be behind at least %lld rows (condition b)",
        (long long)rows);
}

/* One condition is enough, and what is not met is broken only where none holds. */
static void settle_conditions(engine_ads *ads)
{
    bool met = false;
    for (int i = 0; i < ENGINE_ADS_CONDITIONS; i++)
        met |= ads->conditions[i].state == ENGINE_ADS_HOLDS;
    for (int i = 0; i < ENGINE_ADS_CONDITIONS; i++) {
        const engine_ads_statement *said = &ads->conditions[i];
        bool broken = said->state == ENGINE_ADS_NOT_MET && !met;
        engine_ads_say(ads, said->part, broken ? ENGINE_ADS_BROKEN : said->state, "%s", said->text);
    }
}

static bool tried(const engine_found *found, const char *name)
{
    for (int i = 0; engine_attacks[i]; i++)
        if (found->ran[i] && strcmp(engine_attacks[i]->name, name) == 0)
            return true;
    return false;
}

/* What nobody has tried, for want of what it takes. */
static void say_untried(engine_ads *ads, const engine_found *found, const engine_case *c)
{
    if (!tried(found, "linking"))
        engine_ads_say(ads, ENGINE_ADS_POPULATION, ENGINE_ADS_UNKNOWN,
                       "no register of people was given (--population), so the release was not "
                       "linked; condition a rests on the people in the release alone");
    if (!tried(found, "previous"))
        engine_ads_say(ads, ENGINE_ADS_RELEASES, ENGINE_ADS_ASSUMED,
                       "nothing else was ever released from this data (--previous, --ledger)");
    if (!tried(found, "summary"))
        engine_ads_say(ads, ENGINE_ADS_EXTERNAL, ENGINE_ADS_ASSUMED,
                       "no frequencies of this data are published (--summary)");
    if (engine_method_unasked(c))
        engine_ads_say(ads, ENGINE_ADS_EXTERNAL, ENGINE_ADS_UNKNOWN,
                       "what follows from knowing the method was not examined: releases that must "
                       "withstand earlier ones, or keep trails, follow other rules");
    engine_ads_say(ads, ENGINE_ADS_EXTERNAL, ENGINE_ADS_UNKNOWN,
                   "what else others know, now or later, cannot be checked");
    engine_ads_say(ads, ENGINE_ADS_RELATIONS, ENGINE_ADS_UNKNOWN,
                   "linking by likelihood, by errors in the data or by its age is outside the "
                   "definition");
}

void engine_ads_fill(engine_ads *ads, const tacit_verdict *verdict, const engine_found *found,
                     const engine_case *c)
{
    *ads = (engine_ads){0};
    say_subjects(ads, verdict, c);
    say_quasi(ads, c);
    say_universe(ads, c);
    say_classes(ads, verdict, c);
    for (int i = 0; engine_attacks[i]; i++)
        if (found->ran[i] && engine_attacks[i]->shows)
            engine_attacks[i]->shows(ads, found->of[i], c);
    settle_conditions(ads);
    say_findings(ads, verdict);
    say_untried(ads, found, c);
}

/* ---- in words ---- */

static int count_state(const engine_ads *ads, engine_ads_state state)
{
    int count = 0;
    for (int i = 0; i < ads->count; i++)
        count += ads->list[i].state == state;
    return count;
}

static void add_sentence(tacit_report *report, const engine_ads *ads)
{
    int broken = count_state(ads, ENGINE_ADS_BROKEN);
    tacit_report_bool(report, "ads.holds", broken == 0);
    tacit_report_line(
        report, "definition",
        "%s a basic anonymous data system as far as this can show: %d statements checked, %d "
        "of them broken; %d assumed, %d not to be shown",
        broken ? "the release is not that of" : "the release is that of",
        count_state(ads, ENGINE_ADS_HOLDS) + broken + count_state(ads, ENGINE_ADS_NOT_MET), broken,
        count_state(ads, ENGINE_ADS_ASSUMED), count_state(ads, ENGINE_ADS_UNKNOWN));
}

static void print_part(tacit_report *report, const engine_ads *ads, engine_ads_part part)
{
    unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT);
    tacit_report_gap(report);
    tacit_report_note(report, "  %s", PARTS[part]);
    for (int i = 0; i < ads->count; i++)
        if (ads->list[i].part == part)
            tacit_report_line(report, STATES[ads->list[i].state], "%s", ads->list[i].text);
    tacit_report_show(report, before);
}

static void add_statements(tacit_report *report, const engine_ads *ads)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "part"},
        {.heading = "part"},
        {.key = "state", .heading = "state"},
        {.key = "text", .heading = "what"},
    };
    tacit_report_begin(report, TACIT_TABLE("ads.statements",
                                           "What was assumed, what was checked, what could not be",
                                           false, COLUMNS));
    for (int part = 0; part < ENGINE_ADS_PARTS; part++)
        for (int i = 0; i < ads->count; i++) {
            if ((int)ads->list[i].part != part)
                continue;
            tacit_report_cell_integer(report, part + 1);
            tacit_report_cell(report, "%s", PARTS[part]);
            tacit_report_cell(report, "%s", STATES[ads->list[i].state]);
            tacit_report_cell(report, "%s", ads->list[i].text);
        }
}

void engine_ads_facts(tacit_report *report, const engine_ads *ads, bool printed)
{
    unsigned where = printed ? TACIT_SHOW_ALL : TACIT_SHOW_JSON | TACIT_SHOW_PAGE;
    unsigned before = tacit_report_show(report, where);
    tacit_report_section(report, "The definition of an anonymous data system");
    add_sentence(report, ads);
    tacit_report_show(report, before);
    for (int part = 0; printed && part < ENGINE_ADS_PARTS; part++)
        print_part(report, ads, (engine_ads_part)part);
    add_statements(report, ads);
}
